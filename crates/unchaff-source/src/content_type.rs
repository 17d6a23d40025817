//! The `Content-Type` header: which kind of document a server says it sends, and in which character set.

/// What unchaff reads as a page.
const READABLE: &[&str] = &["text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"];

/// A header taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ContentType {
    /// `text/html`, in lower case and without parameters; none if the header is empty.
    pub(crate) essence: Option<String>,
    /// The value of `charset`, as written, without quotes.
    pub(crate) charset: Option<String>,
}

impl ContentType {
    /// Reads a header as leniently as browsers do: any case, either quotes, stray blanks and commas.
    pub(crate) fn parse(header: &str) -> Self {
        let mut parts = header.split([';', ',']);
        let essence = parts.next().map(|part| part.trim().to_ascii_lowercase()).filter(|part| !part.is_empty());
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']).trim();
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
        });
        Self { essence, charset }
    }

    /// Whether this may be a page. A server that says nothing may send one.
    pub(crate) fn is_readable(&self) -> bool {
        self.essence.as_deref().is_none_or(|essence| READABLE.contains(&essence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_as_servers_write_them() {
        for (header, essence, charset) in [
            ("text/html", Some("text/html"), None),
            ("Text/HTML; Charset=\"ISO-8859-1\"", Some("text/html"), Some("ISO-8859-1")),
            ("text/html;charset='utf-8'", Some("text/html"), Some("utf-8")),
            ("text/html; boundary=x; charset = utf-8 ", Some("text/html"), Some("utf-8")),
            ("text/html; charset=utf-8, text/html", Some("text/html"), Some("utf-8")),
            ("text/html; charset=", Some("text/html"), None),
            ("text/html; charset", Some("text/html"), None),
            ("; charset=koi8-r", None, Some("koi8-r")),
            ("", None, None),
        ] {
            let parsed = ContentType::parse(header);
            assert_eq!((parsed.essence.as_deref(), parsed.charset.as_deref()), (essence, charset), "{header}");
        }
    }

    #[test]
    fn only_documents_are_readable() {
        assert!(ContentType::default().is_readable());
        assert!(ContentType::parse("application/xhtml+xml; charset=utf-8").is_readable());
        assert!(!ContentType::parse("image/png").is_readable());
        assert!(!ContentType::parse("application/pdf").is_readable());
    }
}
