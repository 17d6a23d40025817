//! Labels taken off a page, or put on it, by editing its source: everything else stays as it is.

use super::start_tag::{start_tag, start_tag_with};
use super::{Notation, OtherElements, same_elements};
use std::collections::BTreeMap;
use unchaff_dom::{Page, Parser, emit};

/// The page without its labels, as bytes that parse to the same elements.
///
/// # Errors
/// If the page without labels has other elements. That takes more than three unclosed formatting tags in a row which differ
/// in nothing but their labels.
pub(crate) fn strip(page: &Page, notation: Notation) -> Result<Vec<u8>, OtherElements> {
    let mut starts: Vec<usize> = page
        .nodes()
        .filter(|node| page.is_element(*node) && page.classes(*node).any(|class| notation.is_stripped(class)))
        .map(|node| page.source_range(node).start)
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let source = page.source();
    let mut out = String::with_capacity(source.len());
    let mut written = 0;
    for start in starts {
        let Some(class) = start_tag(&source[start..]).class else { continue };
        let value = &source[start + class.value.start..start + class.value.end];
        let kept: Vec<&str> = value.split_ascii_whitespace().filter(|class| !notation.is_stripped(class)).collect();
        let cut = if kept.is_empty() { class.whole } else { class.value };
        out.push_str(&source[written..start + cut.start]);
        out.push_str(&kept.join(" "));
        written = start + cut.end;
    }
    out.push_str(&source[written..]);
    let bytes = encoded(page, out);
    same_elements(page, &Parser::new().parse(bytes.clone()))?;
    Ok(bytes)
}

/// The page without attributes of a name, as bytes that parse to the same elements.
///
/// # Errors
/// If they would be others.
pub(crate) fn without_attribute(page: &Page, name: &str) -> Result<Vec<u8>, OtherElements> {
    let marked = page.nodes().filter(|node| page.is_element(*node) && page.attr(*node, name).is_some());
    let mut starts: Vec<usize> = marked.map(|node| page.source_range(node).start).collect();
    starts.sort_unstable();
    starts.dedup();
    let (source, mut out, mut written) = (page.source(), String::new(), 0);
    for start in starts {
        let Some(found) = start_tag_with(&source[start..], name).class else { continue };
        out.push_str(&source[written..start + found.whole.start]);
        written = start + found.whole.end;
    }
    out.push_str(&source[written..]);
    let bytes = encoded(page, out);
    same_elements(page, &Parser::new().parse(bytes.clone()))?;
    Ok(bytes)
}

/// Edited source as bytes that are read as the same characters. A page that was not UTF-8 gets a byte order mark, because
/// the charset that it declares would be believed.
pub(crate) fn encoded(page: &Page, source: String) -> Vec<u8> {
    if page.offsets_match() { source.into_bytes() } else { ["\u{feff}", &source].concat().into_bytes() }
}

/// A page that [`emit::annotated`] marked with names, with these names as classes instead, or as the attributes that they stand for.
pub(crate) fn with_classes(annotated: &str, attribute: impl Fn(&str) -> Option<String>) -> String {
    let page = Parser::new().parse_text(annotated.trim_start_matches('\u{feff}'));
    let source = page.source();
    let mut marks: BTreeMap<usize, &str> = BTreeMap::new();
    for node in page.nodes().filter(|node| page.is_element(*node)) {
        if let Some(names) = page.attr(node, emit::ATTRIBUTE) {
            marks.insert(page.source_range(node).start, names);
        }
    }
    let mut out = String::with_capacity(annotated.len());
    out.push_str(&annotated[..annotated.len() - source.len()]);
    let mut written = 0;
    for (start, names) in marks {
        let tag = &source[start..];
        let found = start_tag(tag);
        // The mark stands right after the name, in this form.
        let mark = format!(" {}=\"{names}\"", emit::ATTRIBUTE);
        if !tag[found.name_end..].starts_with(&mark) {
            continue;
        }
        out.push_str(&source[written..start + found.name_end]);
        written = start + found.name_end + mark.len();
        let (attributes, classes): (Vec<&str>, Vec<&str>) = names.split(' ').partition(|name| attribute(name).is_some());
        attributes.into_iter().filter_map(&attribute).for_each(|attribute| out.push_str(&attribute));
        if classes.is_empty() {
            continue;
        }
        let names = classes.join(" ");
        match found.class {
            None => out.push_str(&format!(" class=\"{names}\"")),
            Some(class) => {
                let value = &tag[class.value.clone()];
                let blank = if value.is_empty() { "" } else { " " };
                if class.quoted {
                    out.push_str(&source[written..start + class.value.start]);
                    out.push_str(&format!("{names}{blank}"));
                    written = start + class.value.start;
                } else {
                    out.push_str(&source[written..start + class.whole.start]);
                    out.push_str(&format!(" class=\"{names}{blank}{}\"", value.replace('"', "&quot;")));
                    written = start + class.whole.end;
                }
            }
        }
    }
    out.push_str(&source[written..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TECO: Notation = Notation { inherit: true, numbered: false, unprefixed: false };

    fn stripped(html: &str) -> String {
        String::from_utf8(strip(&Page::parse(html), TECO).unwrap()).unwrap()
    }

    #[test]
    fn labels_go_and_the_rest_stays() {
        assert_eq!(
            stripped("<p id=1 class=\"TECO_mainContent\">a</p><p class='x  TECO_notTemplate y' >b<br class=TECO_notTemplate2/>"),
            "<p id=1>a</p><p class='x y' >b<br>"
        );
        assert_eq!(
            stripped("<p class='x  y'>TECO_mainContent <!-- TECO_mainMenu -->"),
            "<p class='x  y'>TECO_mainContent <!-- TECO_mainMenu -->"
        );
    }

    #[test]
    fn other_charsets_survive() {
        let page = Page::parse(b"<meta charset=windows-1252><p class=TECO_mainContent>caf\xe9".as_slice());
        let again = Page::parse(strip(&page, TECO).unwrap());
        assert_eq!(again.text(again.root()), "café");
        assert!(again.nodes().all(|node| again.attr(node, "class").is_none()));
    }

    #[test]
    fn marks_become_classes() {
        assert_eq!(
            with_classes(
                "<p data-unchaff=\"A B\" class=x>a<b data-unchaff=\"A\">b</b><i data-unchaff=\"A\" id=i class='y z'>c<p data-unchaff=\"A\" class>",
                |_| None
            ),
            "<p class=\"A B x\">a<b class=\"A\">b</b><i id=i class='A y z'>c<p class=\"A\">"
        );
    }
}
