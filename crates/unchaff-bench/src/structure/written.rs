//! What Markdown says: read by a parser of CommonMark with tables, as whoever renders it would.

use super::{TAKEN_WORDS, letters};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::HashSet;

/// The parts of a piece of Markdown.
#[derive(Default)]
pub(super) struct Written {
    /// The Markdown itself.
    pub(super) source: String,
    pub(super) tables: Vec<Vec<Vec<String>>>,
    pub(super) code: Vec<String>,
    pub(super) headings: Vec<(u8, String)>,
    pub(super) items: Vec<String>,
    /// The letters and digits of all that is quoted.
    pub(super) quotes: String,
    pub(super) links: Vec<(String, String)>,
    pub(super) images: Vec<String>,
    /// The letters and digits of all text.
    text: String,
    words: HashSet<String>,
}

/// The text of an item behind the letters or the Roman number that it has in its list, which Markdown has no other place for.
fn behind_number(item: &str) -> Option<&str> {
    let (number, text) = item.split_once(". ")?;
    let is_roman = || number.chars().all(|letter| "ivxlcdm".contains(letter.to_ascii_lowercase()));
    (!number.is_empty()
        && number.len() <= 15
        && number.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (number.len() < 3 || is_roman()))
    .then_some(text)
}

impl Written {
    pub(super) fn of(markdown: &str) -> Written {
        let mut written = Written { source: markdown.to_owned(), ..Written::default() };
        let (mut heading, mut cell, mut code): (Option<String>, Option<String>, Option<String>) = (None, None, None);
        let mut items: Vec<String> = Vec::new();
        let mut links: Vec<(String, String)> = Vec::new();
        let (mut images, mut quotes) = (0, 0);
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES)
        {
            match event {
                Event::Start(Tag::Table(_)) => written.tables.push(Vec::new()),
                Event::Start(Tag::TableHead | Tag::TableRow) => {
                    if let Some(table) = written.tables.last_mut() {
                        table.push(Vec::new());
                    }
                }
                Event::Start(Tag::TableCell) => cell = Some(String::new()),
                Event::End(TagEnd::TableCell) => {
                    if let (Some(row), Some(text)) = (written.tables.last_mut().and_then(|table| table.last_mut()), cell.take()) {
                        row.push(letters(&text));
                    }
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => code = Some(String::new()),
                Event::End(TagEnd::CodeBlock) => written.code.extend(code.take().map(|code| code.trim_end().to_owned())),
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(level)) => {
                    written.headings.extend(heading.take().map(|text| (level as u8, letters(&text))));
                }
                Event::Start(Tag::Item) => items.push(String::new()),
                Event::End(TagEnd::Item) => {
                    if let Some(text) = items.pop() {
                        written.items.extend(behind_number(&text).map(letters));
                        written.items.push(letters(&text));
                    }
                }
                Event::Start(Tag::BlockQuote(_)) => quotes += 1,
                Event::End(TagEnd::BlockQuote(_)) => quotes -= 1,
                Event::Start(Tag::Link { dest_url, .. }) => links.push((String::new(), dest_url.to_string())),
                Event::End(TagEnd::Link) => written.links.extend(links.pop().map(|(text, address)| (letters(&text), address))),
                Event::Start(Tag::Image { dest_url, .. }) => {
                    images += 1;
                    written.images.push(dest_url.to_string());
                }
                Event::End(TagEnd::Image) => images -= 1,
                Event::Text(text) | Event::Code(text) | Event::FootnoteReference(text) if images == 0 => {
                    written.text.push_str(&text);
                    if quotes > 0 {
                        written.quotes.push_str(&text);
                    }
                    let open = [&mut heading, &mut cell, &mut code].into_iter().flatten();
                    open.chain(items.last_mut())
                        .chain(links.last_mut().map(|(text, _)| text))
                        .for_each(|open| open.push_str(&text));
                }
                Event::SoftBreak | Event::HardBreak | Event::InlineHtml(_) => {
                    written.text.push(' ');
                    let open = [&mut heading, &mut cell].into_iter().flatten();
                    open.chain(items.last_mut()).chain(links.last_mut().map(|(text, _)| text)).for_each(|open| open.push(' '));
                }
                Event::End(_) => written.text.push('\n'),
                _ => {}
            }
        }
        written.words = written.text.split_whitespace().map(str::to_owned).collect();
        written.text = letters(&written.text);
        written.quotes = letters(&written.quotes);
        written
    }

    /// Whether a line of text came out.
    pub(super) fn has_line(&self, line: &str) -> bool {
        !line.is_empty() && self.text.contains(line)
    }

    /// How many of some lines came out, if half of them did; else none.
    pub(super) fn has_most_of(&self, lines: &[String]) -> usize {
        let there = lines.iter().filter(|line| self.has_line(line)).count();
        if there as f64 >= TAKEN_WORDS * lines.len() as f64 { there } else { 0 }
    }

    /// Whether half of the words of a text came out.
    pub(super) fn has_most(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        let there = words.iter().filter(|word| self.words.contains(**word)).count();
        there > 0 && there as f64 >= TAKEN_WORDS * words.len() as f64
    }
}
