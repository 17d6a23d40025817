//! The class attribute of a start tag, found in its source, so that labels are read and written without touching the rest.
//!
//! Follows the tokenizer of the HTML standard (13.2.5.32–39): names end at white space, `/`, `>` or `=`; the first attribute
//! of a name counts.

use std::ops::Range;

/// Where things are in the source of a start tag, counted from its `<`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StartTag {
    /// The first position after the name of the element.
    pub(super) name_end: usize,
    /// The class attribute, if there is one.
    pub(super) class: Option<Class>,
}

/// A class attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    /// All of it, with the white space before it.
    pub(super) whole: Range<usize>,
    /// The value without quotes; empty if it has none.
    pub(super) value: Range<usize>,
    /// Whether the value stands in quotes.
    pub(super) quoted: bool,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Reads the start tag at the beginning of `source`.
pub(super) fn start_tag(source: &str) -> StartTag {
    start_tag_with(source, "class")
}

/// The same with another attribute in the place of the class.
pub(super) fn start_tag_with(source: &str, attribute: &str) -> StartTag {
    let bytes = source.as_bytes();
    let until = |from: usize, stop: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| stop(*byte)).map_or(bytes.len(), |found| from + found)
    };
    let name_end = until(1.min(bytes.len()), &|byte| is_space(byte) || matches!(byte, b'/' | b'>'));
    let mut at = name_end;
    loop {
        let before = at;
        at = until(at, &|byte| !is_space(byte) && byte != b'/');
        if at == bytes.len() || bytes[at] == b'>' {
            return StartTag { name_end, class: None };
        }
        let name_start = at;
        // An equals sign in front belongs to the name.
        at = until(at + 1, &|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let is_class = source.get(name_start..at).is_some_and(|name| name.eq_ignore_ascii_case(attribute));
        let mut class = Class { whole: before..at, value: at..at, quoted: false };
        let equals = until(at, &|byte| !is_space(byte));
        if bytes.get(equals) == Some(&b'=') {
            at = until(equals + 1, &|byte| !is_space(byte));
            if let Some(quote @ (b'"' | b'\'')) = bytes.get(at).copied() {
                let end = until(at + 1, &|byte| byte == quote);
                class = Class { whole: before..(end + 1).min(bytes.len()), value: at + 1..end, quoted: true };
                at = class.whole.end;
            } else {
                let end = until(at, &|byte| is_space(byte) || byte == b'>');
                class = Class { whole: before..end, value: at..end, quoted: false };
                at = end;
            }
        }
        if is_class {
            return StartTag { name_end, class: Some(class) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn class(source: &str) -> Option<(&str, &str)> {
        start_tag(source).class.map(|class| (&source[class.whole], &source[class.value]))
    }

    #[test]
    fn the_class_is_found_however_it_is_written() {
        assert_eq!(class("<p class=\"a b\" id=x>"), Some((" class=\"a b\"", "a b")));
        assert_eq!(class("<p id='class=no' CLASS = 'a'>"), Some((" CLASS = 'a'", "a")));
        assert_eq!(class("<p/class=a/b>c"), Some(("/class=a/b", "a/b")));
        assert_eq!(class("<p class>"), Some((" class", "")));
        assert_eq!(class("<p class=>"), Some((" class=", "")));
        assert_eq!(class("<p title='>' data-class=x>"), None);
        assert_eq!(class("<p>class=a"), None);
        assert_eq!(start_tag("<td\nclass=a>").name_end, 3);
    }

    proptest! {
        #[test]
        fn any_source_has_an_answer(source in "<[a ]{0,3}[a-z =/>\"'\u{e9}]{0,30}( class=[\"']?x)?") {
            let tag = start_tag(&source);
            prop_assert!(tag.name_end <= source.len());
            if let Some(class) = tag.class {
                prop_assert!(source.get(class.whole).is_some() && source.get(class.value).is_some());
            }
        }
    }
}
