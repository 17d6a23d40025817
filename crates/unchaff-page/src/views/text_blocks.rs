//! Text blocks: the text of a page cut wherever an element starts or ends that is not part of running text.
//!
//! The model of C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate Detection using Shallow Text Features, WSDM 2010:
//! a block has words, words in links, and a text density, the mean number of words on its lines when it is wrapped
//! at 80 columns. What separates blocks is up to the technique ([`Cut`]). One pass over the page makes all blocks; a
//! block is a range of nodes and its text nodes are those in the range that have text.
//!
//! A word is what stands between white space and has a letter or digit in it; inline tags do not end it, links do.

use unchaff_dom::words::is_ideograph;
use unchaff_dom::{NodeId, Page, Tag};

/// The width at which lines are wrapped to measure text density.
const COLUMNS: u32 = 80;

/// What an element means for the text around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A block ends where the element starts, and where it ends.
    Separator,
    /// Text in it is link text.
    Link,
    /// It is part of running text.
    Inline,
    /// It separates blocks and its text is left out.
    Ignored,
}

/// How a page is cut into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The role of each element.
    pub role: fn(Tag) -> Role,
    /// Count every ideograph and kana as a word, where scripts without spaces would have a word per sentence.
    pub ideographs: bool,
}

/// A block of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextBlock {
    /// Its first text node that is not blank.
    pub first: NodeId,
    /// Its last text node that is not blank.
    pub last: NodeId,
    /// The nearest separating element around its first text.
    pub element: NodeId,
    /// How many elements other than inline ones are open there, counted from the root.
    pub level: u16,
    /// The level of the heading it stands in, or 0.
    pub heading: u8,
    /// Whether it stands in a list item.
    pub list_item: bool,
    /// Characters, white space collapsed.
    pub chars: u32,
    /// Words.
    pub words: u32,
    /// Words in links.
    pub link_words: u32,
    /// Words on full lines; all words if there is no full line.
    pub wrapped_words: u32,
    /// Full lines; 1 if there is none.
    pub wrapped_lines: u32,
}

impl TextBlock {
    /// Words per line, the last line of several left out.
    #[must_use]
    pub fn text_density(&self) -> f64 {
        f64::from(self.wrapped_words) / f64::from(self.wrapped_lines)
    }

    /// The share of words that are in links.
    #[must_use]
    pub fn link_density(&self) -> f64 {
        if self.words == 0 { 0.0 } else { f64::from(self.link_words) / f64::from(self.words) }
    }

    /// The text nodes of the block.
    pub fn text_nodes<'p>(&self, page: &'p Page) -> impl Iterator<Item = NodeId> + use<'p> {
        (self.first.0..=self.last.0).map(NodeId).filter(|node| page.tag(*node) == Tag::Text)
    }

    /// Writes the block's text into `text`, runs of white space as one space, none at either end.
    pub fn write_text(&self, page: &Page, text: &mut String) {
        text.clear();
        let mut blank = false;
        for character in self.text_nodes(page).flat_map(|node| page.string(node).chars()) {
            if character.is_whitespace() {
                blank = true;
            } else {
                if blank && !text.is_empty() {
                    text.push(' ');
                }
                blank = false;
                text.push(character);
            }
        }
    }
}

/// Counts words as text comes in pieces; a word ends at white space, wherever the piece does.
#[derive(Default)]
struct Counting {
    /// Characters of the piece between white space that is being read.
    token_chars: u32,
    token_has_word: bool,
    tokens: u32,
    solid: u32,
    words: u32,
    link_words: u32,
    line_chars: u32,
    line_words: u32,
    lines: u32,
}

impl Counting {
    fn read(&mut self, text: &str, in_link: bool, ideographs: bool) {
        for character in text.chars() {
            if character.is_whitespace() {
                self.end_token(in_link);
            } else {
                let alone = ideographs && is_ideograph(character);
                if alone {
                    self.end_token(in_link);
                }
                self.token_chars += 1;
                self.token_has_word |= character.is_alphanumeric();
                if alone {
                    self.end_token(in_link);
                }
            }
        }
    }

    fn end_token(&mut self, in_link: bool) {
        if self.token_chars == 0 {
            return;
        }
        self.tokens += 1;
        self.solid += self.token_chars;
        if self.token_has_word {
            self.words += 1;
            self.link_words += u32::from(in_link);
            let space = u32::from(self.line_words > 0);
            if self.line_chars + space + self.token_chars > COLUMNS && self.words > 1 {
                self.lines += 1;
                (self.line_chars, self.line_words) = (self.token_chars, 1);
            } else {
                self.line_chars += space + self.token_chars;
                self.line_words += 1;
            }
        }
        (self.token_chars, self.token_has_word) = (0, false);
    }

    /// Puts what was counted into a block and starts anew.
    fn finish(&mut self, block: &mut TextBlock, in_link: bool) {
        self.end_token(in_link);
        let counted = std::mem::take(self);
        block.chars = counted.solid + counted.tokens.saturating_sub(1);
        (block.words, block.link_words) = (counted.words, counted.link_words);
        (block.wrapped_words, block.wrapped_lines) =
            if counted.lines == 0 { (counted.words, 1) } else { (counted.words - counted.line_words, counted.lines) };
    }
}

/// Cuts everything below `root` into blocks, in document order. Text without any character but white space makes none.
#[must_use]
pub fn text_blocks(page: &Page, root: NodeId, cut: Cut) -> Vec<TextBlock> {
    let mut blocks: Vec<TextBlock> = Vec::new();
    // Open separators and links, with where they end.
    let mut open: Vec<(NodeId, NodeId, Role)> = Vec::new();
    let mut counting = Counting::default();
    let mut current: Option<TextBlock> = None;
    let (mut heading, mut heading_end, mut item_end) = (0, root, root);
    let mut in_link = false;
    let end = page.end(root);
    let mut node = NodeId(root.0 + 1);
    loop {
        let mut cuts = node >= end;
        let was_in_link = in_link;
        while let Some((_, _, role)) = open.pop_if(|(_, end, _)| *end <= node) {
            cuts |= role == Role::Separator;
            if role == Role::Link {
                counting.end_token(true);
                in_link = open.iter().any(|(.., role)| *role == Role::Link);
            }
        }
        let tag = if node < end { page.tag(node) } else { Tag::Comment };
        let role = if tag.is_element() { (cut.role)(tag) } else { Role::Inline };
        cuts |= matches!(role, Role::Separator | Role::Ignored);
        if cuts && let Some(mut block) = current.take() {
            counting.finish(&mut block, was_in_link);
            blocks.push(block);
        }
        if node >= end {
            return blocks;
        }
        match role {
            Role::Ignored => {
                node = page.end(node);
                continue;
            }
            Role::Separator => open.push((node, page.end(node), role)),
            Role::Link => {
                counting.end_token(in_link);
                in_link = true;
                open.push((node, page.end(node), role));
            }
            Role::Inline => {}
        }
        if let Some(level) = tag.heading_level() {
            (heading, heading_end) = (level, page.end(node));
        } else if tag == Tag::Li {
            item_end = item_end.max(page.end(node));
        } else if tag == Tag::Text {
            if page.counts(node).tokens > 0 {
                let block = current.get_or_insert_with(|| TextBlock {
                    first: node,
                    last: node,
                    element: open.iter().rev().find(|(.., role)| *role == Role::Separator).map_or(root, |(node, ..)| *node),
                    level: open.len() as u16,
                    heading: if node < heading_end { heading } else { 0 },
                    list_item: node < item_end,
                    chars: 0,
                    words: 0,
                    link_words: 0,
                    wrapped_words: 0,
                    wrapped_lines: 1,
                });
                block.last = node;
            }
            if current.is_some() {
                counting.read(page.string(node), in_link, cut.ideographs);
            }
        }
        node.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn role(tag: Tag) -> Role {
        match tag {
            Tag::A => Role::Link,
            Tag::Option => Role::Ignored,
            tag if tag.is_block() || tag == Tag::Br => Role::Separator,
            _ => Role::Inline,
        }
    }

    fn blocks(html: &str) -> (Page, Vec<TextBlock>) {
        let page = Page::parse(html);
        let blocks = text_blocks(&page, page.body().unwrap(), Cut { role, ideographs: false });
        (page, blocks)
    }

    fn texts(html: &str) -> Vec<String> {
        let (page, blocks) = blocks(html);
        let mut text = String::new();
        blocks
            .iter()
            .map(|block| {
                block.write_text(&page, &mut text);
                text.clone()
            })
            .collect()
    }

    #[test]
    fn blocks_end_where_separators_start_and_end() {
        assert_eq!(texts("<div>a <b>b</b><p> c </p>d<br>e</div>f"), ["a b", "c", "d", "e", "f"]);
        assert_eq!(texts("<p>a<select><option>b</select>c</p> \n <p></p>"), ["a", "c"]);
        assert_eq!(texts(""), Vec::<String>::new());
    }

    #[test]
    fn inline_tags_do_not_end_words_and_links_do() {
        let (_, blocks) = blocks("<p>un<i>chaff</i>ed <a href=x>one, two</a>three – four</p>");
        assert_eq!((blocks[0].words, blocks[0].link_words), (5, 2));
        assert_eq!(blocks[0].link_density(), 0.4);
        assert_eq!(blocks[0].chars, "unchaffed one, two three – four".chars().count() as u32);
    }

    #[test]
    fn the_last_of_several_lines_does_not_count_for_density() {
        let words = |number: usize| vec!["123456789"; number].join(" ");
        // Eight words of nine letters with seven spaces are 79 columns; a ninth goes to the next line.
        let (_, blocks) = blocks(&format!("<p>{}</p><p>{}</p><p>{}</p>", words(8), words(9), words(20)));
        assert_eq!(blocks.iter().map(TextBlock::text_density).collect::<Vec<_>>(), [8.0, 8.0, 8.0]);
        assert_eq!((blocks[2].wrapped_words, blocks[2].wrapped_lines), (16, 2));
    }

    #[test]
    fn blocks_know_their_element_level_heading_and_list() {
        let (page, blocks) = blocks("<div><h2>a</h2><ul><li>b <a href=x>c</a></li></ul></div><a href=y>d</a>");
        assert_eq!(blocks.iter().map(|block| page.tag(block.element)).collect::<Vec<_>>(), [Tag::H2, Tag::Li, Tag::Body]);
        assert_eq!(blocks.iter().map(|block| block.level).collect::<Vec<_>>(), [2, 3, 1]);
        assert_eq!(blocks.iter().map(|block| block.heading).collect::<Vec<_>>(), [2, 0, 0]);
        assert_eq!(blocks.iter().map(|block| block.list_item).collect::<Vec<_>>(), [false, true, false]);
    }

    #[test]
    fn ideographs_are_words_if_asked_for() {
        let page = Page::parse("<p>今天下雨 today</p>");
        let words = |ideographs| text_blocks(&page, page.body().unwrap(), Cut { role, ideographs })[0].words;
        assert_eq!((words(false), words(true)), (2, 5));
    }

    proptest! {
        #[test]
        fn every_token_of_the_page_is_in_one_block(parts in prop::collection::vec("<(div|p|ul|li|a|b|br|h1)>|</(div|p|ul|a|b)>|one |two three|–| ", 0..60)) {
            let (page, blocks) = blocks(&parts.concat());
            let mut before = page.body().unwrap();
            let mut solid = 0;
            for block in &blocks {
                prop_assert!(before < block.first && block.first <= block.last);
                prop_assert!(block.link_words <= block.words && block.wrapped_words <= block.words);
                before = block.last;
                solid += block.text_nodes(&page).map(|node| page.counts(node).tokens).sum::<u32>();
            }
            prop_assert_eq!(solid, page.counts(page.body().unwrap()).tokens);
        }
    }
}
