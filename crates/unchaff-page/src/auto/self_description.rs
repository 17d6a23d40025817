//! What a page says of itself where readers do not see it: `title`, description, JSON-LD, addresses and kinds.
//!
//! Words of the title and description and pairs of words of JSON-LD are kept as bits in small tables by hash, so that a
//! block's share of them costs one look-up a word. A wrong hit is possible and does no harm: they are only signs. JSON-LD
//! is read as a stream of words, not parsed: names of products, descriptions and whole articles are recognised by their
//! pairs of words wherever they stand in it.

use super::text_signs::{Word, hash_words};
use unchaff_dom::{NodeId, Page, Tag};

/// Bits of the table of single words.
const WORD_BITS: usize = 1 << 12;
/// Bits of the table of pairs.
const PAIR_BITS: usize = 1 << 16;
/// Bytes of JSON-LD that are read of a page.
const MOST_DATA: usize = 1 << 18;

/// What a page says of itself.
#[derive(Clone, Debug, Default)]
pub struct SelfDescription {
    title: Vec<u64>,
    description: Vec<u64>,
    data: Vec<u64>,
    /// Words of the title.
    pub title_words: u32,
    /// Words of the description.
    pub description_words: u32,
    /// Words of structured data.
    pub data_words: u32,
    /// Whether structured data has the text of an article.
    pub has_article_body: bool,
    /// Names of kinds in `og:type` and JSON-LD, a bit each in the order of [`KINDS`].
    pub kinds: u32,
    /// Segments of the path of the page's own address; -1 if it gives none.
    pub path_depth: i32,
    /// Hyphens and underscores in the last segment of it.
    pub path_hyphens: i32,
    /// Digits in the path.
    pub path_digits: i32,
}

/// Kinds of pages that are told apart.
pub const KINDS: [&str; 8] =
    ["article", "newsarticle", "blogposting", "product", "website", "discussionforumposting", "itemlist", "faqpage"];

/// Which parts of the self-description have a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) title: bool,
    pub(super) description: bool,
    pub(super) data: bool,
}

fn insert(table: &mut Vec<u64>, bits: usize, hash: u64) {
    if table.is_empty() {
        table.resize(bits / 64, 0);
    }
    let at = (hash >> 32) as usize % bits;
    table[at / 64] |= 1 << (at % 64);
}

fn has(table: &[u64], bits: usize, hash: u64) -> bool {
    let at = (hash >> 32) as usize % bits;
    table.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

impl SelfDescription {
    /// Reads the page's head and its JSON-LD.
    #[must_use]
    pub fn of(page: &Page) -> SelfDescription {
        let mut known = SelfDescription { path_depth: -1, path_hyphens: -1, path_digits: -1, ..SelfDescription::default() };
        let mut data_left = MOST_DATA;
        let mut has_title = false;
        for node in page.nodes() {
            match page.tag(node) {
                Tag::Title if !has_title => {
                    has_title = true;
                    known.read_title(page.text(node));
                }
                Tag::Meta => known.read_meta(page, node),
                Tag::Link if page.attr(node, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) => {
                    known.read_address(page.attr(node, "href").unwrap_or_default());
                }
                Tag::Script
                    if page.attr(node, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json")) =>
                {
                    for raw in page.descendants(node) {
                        let text = page.string(raw);
                        let text = &text[..text.floor_char_boundary(data_left)];
                        data_left -= text.len();
                        known.read_data(text);
                    }
                }
                _ => {}
            }
        }
        known
    }

    fn read_title(&mut self, text: &str) {
        hash_words(text, |word| {
            insert(&mut self.title, WORD_BITS, word.hash);
            self.title_words += 1;
        });
    }

    fn read_meta(&mut self, page: &Page, node: NodeId) {
        let Some(name) = page.attr(node, "name").or_else(|| page.attr(node, "property")) else { return };
        let Some(content) = page.attr(node, "content") else { return };
        if name.eq_ignore_ascii_case("description") || name.eq_ignore_ascii_case("og:description") {
            hash_words(content, |word| {
                insert(&mut self.description, WORD_BITS, word.hash);
                self.description_words += 1;
            });
        } else if name.eq_ignore_ascii_case("og:type") {
            self.add_kind(content.rsplit([':', '.']).next().unwrap_or_default());
        } else if name.eq_ignore_ascii_case("og:url") && self.path_depth < 0 {
            self.read_address(content);
        }
    }

    fn read_address(&mut self, address: &str) {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let path = rest.split_once('/').map_or("", |(_, path)| path);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        self.path_depth = path.split('/').filter(|segment| !segment.is_empty()).count() as i32;
        let last = path.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or_default();
        self.path_hyphens = last.bytes().filter(|byte| matches!(byte, b'-' | b'_')).count() as i32;
        self.path_digits = path.bytes().filter(u8::is_ascii_digit).count() as i32;
    }

    fn read_data(&mut self, text: &str) {
        self.has_article_body |= text.contains("\"articleBody\"");
        for kind in text.split("\"@type\"").skip(1) {
            let mut strings = kind.splitn(3, '"');
            if strings.next().is_some_and(|between| between.trim_matches([':', ' ', '[', '\n', '\r', '\t']).is_empty()) {
                self.add_kind(strings.next().unwrap_or_default());
            }
        }
        hash_words(text, |word| {
            insert(&mut self.data, PAIR_BITS, word.pair);
            self.data_words += 1;
        });
    }

    fn add_kind(&mut self, kind: &str) {
        if let Some(at) = KINDS.iter().position(|known| kind.trim().eq_ignore_ascii_case(known)) {
            self.kinds |= 1 << at;
        }
    }

    pub(super) fn look_up(&self, word: &Word) -> Seen {
        Seen {
            title: has(&self.title, WORD_BITS, word.hash),
            description: has(&self.description, WORD_BITS, word.hash),
            data: has(&self.data, PAIR_BITS, word.pair),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_addresses_are_read() {
        let known = SelfDescription::of(&Page::parse(
            "<meta property=og:type content=og:product><link rel=canonical href='https://x.org/a/b-c-2?q'>\
             <script type='application/ld+json'>{\"@type\": [\"NewsArticle\"], \"articleBody\": \"x\"}</script>",
        ));
        assert_eq!(known.kinds, 1 << 3 | 1 << 1);
        assert_eq!((known.path_depth, known.path_hyphens, known.path_digits), (2, 2, 1));
        assert!(known.has_article_body);
    }

    #[test]
    fn a_page_that_says_nothing_is_known_by_nothing() {
        let known = SelfDescription::of(&Page::parse("<p>a"));
        assert_eq!((known.kinds, known.path_depth, known.title_words), (0, -1, 0));
    }
}
