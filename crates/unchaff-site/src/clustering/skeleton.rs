//! A page at a glance: its lines of text, pictures and fields as small marks, in their order.
//!
//! No browser is asked, so columns are not known; but menus, articles, lists and tables look different enough for a person to see which pages
//! are built alike. A skeleton takes some hundred bytes whatever the page.

use unchaff_dom::{NodeId, Page, Tag};

/// What a line is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Text.
    Text,
    /// Text of a link.
    Link,
    /// A heading.
    Heading,
    /// A picture, a film, another page.
    Picture,
    /// Something to fill in or to press.
    Field,
}

/// A line of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is of.
    pub mark: Mark,
    /// How deep it stands in lists, tables and asides.
    pub indent: u8,
    /// Its length, of [`FULL`].
    pub length: u8,
}

/// The length of a full line.
pub const FULL: u8 = 12;
/// How many lines a skeleton has at most, spread evenly over the page.
const LINES: usize = 48;
/// How many lines a paragraph has at most.
const OF_PARAGRAPH: u32 = 6;
const MOST_INDENT: u8 = 5;

/// The lines of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skeleton {
    /// From the first to the last.
    pub lines: Vec<Line>,
}

/// What an element passes on to what stands in it.
#[derive(Clone, Copy)]
struct Around {
    mark: Mark,
    indent: u8,
    block: NodeId,
}

fn is_picture(tag: Tag) -> bool {
    matches!(tag, Tag::Img | Tag::Picture | Tag::Video | Tag::Svg | Tag::Canvas | Tag::Iframe | Tag::Object)
}

impl Skeleton {
    /// The lines of a page.
    #[must_use]
    pub fn of(page: &Page) -> Skeleton {
        let Some(body) = page.body() else { return Skeleton::default() };
        let mut around = vec![Around { mark: Mark::Text, indent: 0, block: body }; page.range(body).len()];
        let mut lines: Vec<Line> = Vec::new();
        // Words of one mark in one block are one paragraph.
        let mut open: Option<(Around, u32)> = None;
        let write = |(of, words): (Around, u32), lines: &mut Vec<Line>| {
            let full = (words / u32::from(FULL)).min(OF_PARAGRAPH);
            lines.extend((0..full).map(|_| Line { mark: of.mark, indent: of.indent, length: FULL }));
            let rest = (words % u32::from(FULL)) as u8;
            if full < OF_PARAGRAPH && rest > 0 {
                lines.push(Line { mark: of.mark, indent: of.indent, length: rest });
            }
        };
        for node in page.descendants(body) {
            let above = page.parent(node).map_or(around[0], |parent| around[parent.index() - body.index()]);
            let tag = page.tag(node);
            if tag == Tag::Text {
                let words = page.counts(node).words;
                let last = open.as_mut().filter(|(of, _)| of.block == above.block && of.mark == above.mark);
                match last {
                    _ if words == 0 => {}
                    Some((_, sum)) => *sum += words,
                    None => open.replace((above, words)).into_iter().for_each(|last| write(last, &mut lines)),
                }
                continue;
            }
            let mut own = above;
            if tag.is_element() {
                own.mark = match tag {
                    Tag::A => Mark::Link,
                    Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Mark::Heading,
                    _ => above.mark,
                };
                let nests = matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table | Tag::Blockquote | Tag::Aside | Tag::Form);
                own.indent = (above.indent + u8::from(nests)).min(MOST_INDENT);
                own.block = if tag.is_block() { node } else { above.block };
            }
            around[node.index() - body.index()] = own;
            let length = match tag {
                tag if is_picture(tag) && page.parent(node).is_none_or(|parent| !is_picture(page.tag(parent))) => 8,
                Tag::Input | Tag::Textarea | Tag::Select | Tag::Button => 4,
                _ => continue,
            };
            open.take().into_iter().for_each(|last| write(last, &mut lines));
            let mark = if is_picture(tag) { Mark::Picture } else { Mark::Field };
            lines.push(Line { mark, indent: own.indent, length });
        }
        open.take().into_iter().for_each(|last| write(last, &mut lines));
        let count = lines.len().min(LINES);
        Skeleton { lines: (0..count).map(|at| lines[at * lines.len() / count]).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(html: &str) -> Vec<(Mark, u8, u8)> {
        Skeleton::of(&Page::parse(html)).lines.iter().map(|line| (line.mark, line.indent, line.length)).collect()
    }

    #[test]
    fn lines_are_of_headings_links_pictures_fields_and_text() {
        let html =
            "<h1>About us</h1><ul><li><a href=x>Home</a><li><a href=y>News</a></ul><p>One <b>two</b> three.<img src=x><input>";
        let expected = [
            (Mark::Heading, 0, 2),
            (Mark::Link, 1, 1),
            (Mark::Link, 1, 1),
            (Mark::Text, 0, 3),
            (Mark::Picture, 0, 8),
            (Mark::Field, 0, 4),
        ];
        assert_eq!(lines(html), expected);
    }

    #[test]
    fn long_text_and_long_pages_stay_small() {
        assert_eq!(lines(&format!("<p>{}</p>", "word ".repeat(30))).iter().map(|line| line.2).collect::<Vec<_>>(), [12, 12, 6]);
        assert_eq!(lines(&format!("<p>{}</p>", "word ".repeat(3000))).len(), 6);
        assert_eq!(lines(&"<p>a b c".repeat(500)).len(), LINES);
        assert!(lines("").is_empty() && lines("<frameset>").is_empty());
        assert_eq!(lines(&"<ul><li>".repeat(300)).len(), 0);
    }
}
