//! What a page says of itself where readers do not see it: `title`, description, address, and kinds in `og:type` and JSON-LD.
//!
//! Words of the title and description are kept as bits in small tables by hash, so that a block's share of them costs one
//! look-up a word. A wrong hit is possible and does no harm: they are only signs. JSON-LD is searched for its kinds, not
//! parsed.

use super::text_signs::hash_words;
use unchaff_dom::{NodeId, Page, Tag};

/// Bits of the table of words.
const WORD_BITS: usize = 1 << 12;
/// Bytes of JSON-LD that are read of a page.
const MOST_DATA: usize = 1 << 18;

/// What a page says of itself.
#[derive(Clone, Debug, Default)]
pub struct SelfDescription {
    title: WordTable,
    description: WordTable,
    /// Words of the title.
    pub title_words: u32,
    /// Words of the description.
    pub description_words: u32,
    /// Bytes of JSON-LD.
    pub data_bytes: usize,
    /// Hyphens and underscores in the last part of the page's own address; none if it gives no address.
    pub path_hyphens: Option<u32>,
    /// Digits in the path of that address.
    pub path_digits: u32,
    /// Names of kinds in `og:type` and JSON-LD, a bit each in the order of [`KINDS`].
    pub kinds: u32,
}

/// Kinds of pages that are told apart.
pub const KINDS: [&str; 5] = ["article", "newsarticle", "blogposting", "product", "website"];

/// A set of words by hash.
#[derive(Clone, Debug)]
struct WordTable([u64; WORD_BITS / 64]);

impl Default for WordTable {
    fn default() -> Self {
        WordTable([0; WORD_BITS / 64])
    }
}

impl WordTable {
    fn insert(&mut self, hash: u64) {
        let at = (hash >> 32) as usize % WORD_BITS;
        self.0[at / 64] |= 1 << (at % 64);
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        let at = (hash >> 32) as usize % WORD_BITS;
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

impl SelfDescription {
    /// Reads the page's head and its JSON-LD.
    #[must_use]
    pub fn of(page: &Page) -> SelfDescription {
        let mut known = SelfDescription::default();
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
            self.title.insert(word);
            self.title_words += 1;
        });
    }

    fn read_meta(&mut self, page: &Page, node: NodeId) {
        let Some(name) = page.attr(node, "name").or_else(|| page.attr(node, "property")) else { return };
        let Some(content) = page.attr(node, "content") else { return };
        if name.eq_ignore_ascii_case("description") || name.eq_ignore_ascii_case("og:description") {
            hash_words(content, |word| {
                self.description.insert(word);
                self.description_words += 1;
            });
        } else if name.eq_ignore_ascii_case("og:type") {
            self.add_kind(content.rsplit([':', '.']).next().unwrap_or_default());
        } else if name.eq_ignore_ascii_case("og:url") && self.path_hyphens.is_none() {
            self.read_address(content);
        }
    }

    fn read_address(&mut self, address: &str) {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let path = rest.split_once('/').map_or("", |(_, path)| path);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let last = path.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or_default();
        self.path_hyphens = Some(last.bytes().filter(|byte| matches!(byte, b'-' | b'_')).count() as u32);
        self.path_digits = path.bytes().filter(u8::is_ascii_digit).count() as u32;
    }

    fn read_data(&mut self, text: &str) {
        self.data_bytes += text.len();
        for kind in text.split("\"@type\"").skip(1) {
            let mut strings = kind.splitn(3, '"');
            if strings.next().is_some_and(|between| between.trim_matches([':', ' ', '[', '\n', '\r', '\t']).is_empty()) {
                self.add_kind(strings.next().unwrap_or_default());
            }
        }
    }

    fn add_kind(&mut self, kind: &str) {
        if let Some(at) = KINDS.iter().position(|known| kind.trim().eq_ignore_ascii_case(known)) {
            self.kinds |= 1 << at;
        }
    }

    /// Whether the title and the description have a word.
    #[inline]
    pub(super) fn has(&self, word: u64) -> (bool, bool) {
        (self.title.has(word), self.description.has(word))
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
        assert_eq!((known.path_hyphens, known.path_digits), (Some(2), 1));
        assert_eq!(known.data_bytes, 46);
    }

    #[test]
    fn a_page_that_says_nothing_is_known_by_nothing() {
        let known = SelfDescription::of(&Page::parse("<p>a"));
        assert_eq!((known.kinds, known.title_words, known.path_hyphens), (0, 0, None));
        assert_eq!(known.has(0), (false, false));
    }
}
