//! The charset that a page declares for itself, read from bytes of unknown charset.
//!
//! The algorithms are those of the WHATWG HTML standard:
//! <https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding>
//! and <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements>.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::{PRESCAN_LENGTH, known_label};

/// The charset that the page declares for itself. The search is made over ASCII bytes, so a page
/// that says UTF-16 cannot be in UTF-16.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(PRESCAN_LENGTH)];
    let encoding = prescan(start).or_else(|| xml_declaration(start))?;
    Some(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// The algorithm "prescan a byte stream to determine its encoding" of the HTML standard, with one
/// addition: the text of scripts, styles and titles is skipped, since within 16 KiB a comparison
/// such as `a<b` in a script would be taken for a tag that swallows the `meta` element behind it.
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut position = 0;
    while let Some(offset) = bytes.get(position..)?.iter().position(|byte| *byte == b'<') {
        position += offset;
        let rest = &bytes[position + 1..];
        if rest.starts_with(b"!--") {
            // The hyphens that open the comment may close it too: `<!-->`.
            position += 2;
            position += find(&bytes[position..], b"-->")? + 3;
            continue;
        }
        let closing = usize::from(rest.first() == Some(&b'/'));
        match rest.get(closing) {
            Some(letter) if letter.is_ascii_alphabetic() => {
                let name = &rest[closing..];
                let length = name.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
                let name = &name[..length];
                let tag = name.split(|byte| *byte == b'/').next().unwrap_or(name);
                position += 1 + closing + tag.len();
                if closing == 0 && tag.eq_ignore_ascii_case(b"meta") {
                    if let Some(encoding) = meta(bytes, &mut position) {
                        return Some(encoding);
                    }
                    continue;
                }
                while attribute(bytes, &mut position).is_some() {}
                let raw: [&[u8]; 3] = [b"script", b"style", b"title"];
                if closing == 0 && raw.iter().any(|name| tag.eq_ignore_ascii_case(name)) {
                    let end = [b"</", tag].concat();
                    position += find(bytes.get(position..)?, &end)?;
                }
            }
            _ if closing == 1 || matches!(rest.first(), Some(b'!' | b'?')) => {
                position += find(&bytes[position..], b">")? + 1;
            }
            _ => position += 1,
        }
    }
    None
}

/// The charset of one `meta` element, whose attributes begin at `position`.
fn meta(bytes: &[u8], position: &mut usize) -> Option<&'static Encoding> {
    let (mut by_charset, mut by_content, mut is_content_type) = (None, None, false);
    while let Some((name, value)) = attribute(bytes, position) {
        // Of attributes with the same name, the first counts.
        if name.eq_ignore_ascii_case(b"charset") {
            by_charset = by_charset.or(Some(known_label(value)));
        } else if name.eq_ignore_ascii_case(b"content") {
            by_content = by_content.or_else(|| charset_of_content(value));
        } else if name.eq_ignore_ascii_case(b"http-equiv") {
            is_content_type |= value.eq_ignore_ascii_case(b"content-type");
        }
    }
    by_charset.unwrap_or(if is_content_type { by_content } else { None })
}

/// The algorithm "get an attribute" of the HTML standard: name and value of the next attribute,
/// or nothing at the end of the tag. An attribute that the end of the bytes cuts off is none.
fn attribute<'a>(bytes: &'a [u8], position: &mut usize) -> Option<(&'a [u8], &'a [u8])> {
    let skip_while = |position: &mut usize, test: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(*position..).unwrap_or_default();
        let length = rest.iter().position(|byte| !test(*byte)).unwrap_or(rest.len());
        *position += length;
        &rest[..length]
    };
    skip_while(position, &|byte| is_space(byte) || byte == b'/');
    if *bytes.get(*position)? == b'>' {
        return None;
    }
    let start = *position;
    // An equals sign at the very beginning belongs to the name.
    *position += 1;
    skip_while(position, &|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='));
    let name = &bytes[start..*position];
    skip_while(position, &is_space);
    if *bytes.get(*position)? != b'=' {
        return Some((name, b""));
    }
    *position += 1;
    skip_while(position, &is_space);
    let value = match *bytes.get(*position)? {
        quote @ (b'"' | b'\'') => {
            *position += 1;
            let value = skip_while(position, &|byte| byte != quote);
            bytes.get(*position)?;
            *position += 1;
            value
        }
        _ => skip_while(position, &|byte| !is_space(byte) && byte != b'>'),
    };
    bytes.get(*position)?;
    Some((name, value))
}

/// The algorithm "extracting a character encoding from a meta element" of the HTML standard.
fn charset_of_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        rest = rest[find(rest, b"charset")? + 7..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            let value = value.trim_ascii_start();
            let end = match *value.first()? {
                quote @ (b'"' | b'\'') => 1 + value[1..].iter().position(|byte| *byte == quote)?,
                _ => value.iter().position(|byte| is_space(*byte) || *byte == b';').unwrap_or(value.len()),
            };
            return known_label(&value[..end]);
        }
    }
}

/// The algorithm "get an XML encoding" of the HTML standard.
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..find(declaration, b">")?];
    let value = &declaration[find(declaration, b"encoding")? + 8..];
    let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let length = value[1..].iter().position(|byte| *byte == quote)?;
    known_label(&value[1..=length])
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Where `wanted` begins in `bytes`, whatever the case of its ASCII letters.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|part| part.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(page: &str) -> Option<&'static str> {
        declared(page.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn all_forms_of_a_declaration_are_read() {
        for page in [
            "<meta charset=koi8-r>",
            "<META CHARSET = 'KOI8-R' />",
            "<meta/charset=koi8-r>",
            "<meta name=a charset=\" koi8-r \">",
            "<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
            "<meta content='text/html;charset = \"koi8-r\"' http-equiv=\"Content-Type\">",
            "<meta http-equiv=content-type content='charset text; charset=koi8-r; a=b'>",
            "<?xml version='1.0' encoding='koi8-r'?><html>",
            "<?xml version='1.0' encoding='koi8-u'?><meta charset=koi8-r>",
            "<meta charset=unknown><meta charset=koi8-r><meta charset=utf-8>",
            "<!-- <meta charset=utf-8> --><meta charset=koi8-r>",
            "<!--><meta charset=koi8-r>-->",
            "<!doctype html><p title='<meta charset=utf-8>'></p <meta charset=utf-8>><meta charset=koi8-r>",
            "<script>if (a<b) c = '</b><meta charset=utf-8>';</SCRIPT><meta charset=koi8-r>",
        ] {
            assert_eq!(name(page), Some("KOI8-R"), "{page}");
        }
    }

    #[test]
    fn what_only_resembles_a_declaration_is_not_read() {
        for page in [
            "",
            "<",
            "<meta",
            "<meta charset",
            "<meta charset=koi8",
            "<meta charset='koi8-r>",
            "<metal charset=koi8-r>",
            "</meta charset=koi8-r>",
            "<meta content='text/html; charset=koi8-r'>",
            "<meta http-equiv=content-type content='charset=\"koi8-r'>",
            "<meta http-equiv=content-type content='charset'>",
            "<meta charset=iso-2022-kr>",
            "<!-- <meta charset=koi8-r>",
            " <?xml version='1.0' encoding='koi8-r'?>",
            "<?xml encoding=koi8-r?>",
            "<?xml encoding='koi8-r",
        ] {
            assert_eq!(name(page), None, "{page}");
        }
    }

    #[test]
    fn declarations_that_cannot_be_true_mean_what_the_standard_says() {
        assert_eq!(name("<meta charset=utf-16be>"), Some("UTF-8"));
        assert_eq!(name("<?xml encoding='utf-16'?>"), Some("UTF-8"));
        assert_eq!(name("<meta charset=x-user-defined>"), Some("windows-1252"));
    }

    #[test]
    fn a_late_declaration_is_read_but_not_one_beyond_the_limit() {
        let late = |length| format!("{}<meta charset=koi8-r>", " ".repeat(length));
        assert_eq!(name(&late(12_000)), Some("KOI8-R"));
        assert_eq!(name(&late(PRESCAN_LENGTH)), None);
    }
}
