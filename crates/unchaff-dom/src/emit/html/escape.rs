//! Text and attributes in HTML.

/// Writes text.
pub(in crate::emit) fn push_escaped(out: &mut String, text: &str) {
    let mut copied = 0;
    for at in memchr::memchr3_iter(b'&', b'<', b'>', text.as_bytes()) {
        out.push_str(&text[copied..at]);
        out.push_str(match text.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            _ => "&gt;",
        });
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}

/// Writes an attribute, after what stands in its tag so far.
pub(in crate::emit) fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.extend([" ", name, "=\""]);
    for (number, part) in value.split('"').enumerate() {
        if number > 0 {
            out.push_str("&quot;");
        }
        push_escaped(out, part);
    }
    out.push('"');
}
