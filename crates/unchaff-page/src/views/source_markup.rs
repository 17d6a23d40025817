//! Pieces of HTML source by their lengths: comments, tags, character references, as the standard's tokenizer delimits them.
//!
//! All functions take the source from the first character of the piece on.

/// The length of a comment, all the rest if it is not closed.
pub(crate) fn comment_end(rest: &[u8]) -> usize {
    if rest.starts_with(b"<!-->") {
        return 5;
    }
    let closes = |at: usize| rest[at..].starts_with(b"-->") || at > 3 && rest[at..].starts_with(b"--!>");
    let close = (3..rest.len()).find(|at| rest[*at] == b'-' && closes(*at));
    match close {
        Some(at) if rest[at + 2] == b'!' => at + 4,
        Some(at) => at + 3,
        None => rest.len(),
    }
}

/// The length of markup that ends with the next bracket.
pub(crate) fn to_bracket(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'>').map_or(rest.len(), |at| at + 1)
}

/// The name at the start of what follows `<` or `</`.
pub(crate) fn name_of(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(|byte| matches!(byte, b'\t' | b'\n' | 0xc | b'\r' | b' ' | b'/' | b'>'));
    &rest[..end.unwrap_or(rest.len())]
}

/// The length of a tag with its attributes; none if the source ends in it. A bracket within quotes does not end it.
pub(crate) fn tag_len(rest: &[u8]) -> Option<usize> {
    let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0xc | b'\r' | b' ');
    let mut at = 1;
    loop {
        at += rest[at..].iter().position(|byte| matches!(byte, b'=' | b'>'))?;
        if rest[at] == b'>' {
            return Some(at + 1);
        }
        at += 1;
        at += rest[at..].iter().position(|byte| !is_space(byte))?;
        at += match rest[at] {
            quote @ (b'"' | b'\'') => rest[at + 1..].iter().position(|byte| *byte == quote)? + 2,
            _ => rest[at..].iter().position(|byte| is_space(byte) || *byte == b'>')?,
        };
    }
}

/// A character reference at the start: its length, and the character if that is a white space or any other that is not.
pub(crate) fn reference(rest: &[u8]) -> Option<(usize, char)> {
    const LONGEST: usize = 32;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let numeric = rest.get(1) == Some(&b'#');
    let start = if numeric { 2 } else { 1 };
    let len = rest[start..].iter().take(LONGEST).take_while(|byte| is_name(byte)).count();
    let (name, closed) = (&rest[start..start + len], rest.get(start + len) == Some(&b';'));
    if numeric {
        let (digits, radix) = match name {
            [b'x' | b'X', digits @ ..] => (digits, 16),
            digits => (digits, 10),
        };
        let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?;
        return Some((start + len + usize::from(closed), char::from_u32(code).unwrap_or('\u{fffd}')));
    }
    if !closed {
        // The one reference that is often left open where a word would go on otherwise.
        return name.starts_with(b"nbsp").then_some((5, '\u{a0}'));
    }
    let character = match name {
        [] => return None,
        b"nbsp" | b"NonBreakingSpace" => '\u{a0}',
        b"ensp" | b"emsp" | b"emsp13" | b"emsp14" | b"numsp" | b"puncsp" | b"thinsp" | b"ThinSpace" | b"hairsp"
        | b"VeryThinSpace" | b"MediumSpace" => '\u{2002}',
        b"Tab" | b"NewLine" => '\n',
        _ => 'x',
    };
    Some((start + len + 1, character))
}
