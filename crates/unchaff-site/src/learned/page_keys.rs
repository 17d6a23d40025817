//! What of an element can be found again on another page, as numbers: its own text, its references, its place.
//!
//! Pages are compared by hashed keys and not by mapping their trees: a key costs one pass over the page, a look-up a few
//! nanoseconds, and the keys of many pages fit where one page would not. Text is keyed twice, exactly and with digits
//! folded, because counters and dates in a frame differ from page to page. References are compared as resolved
//! addresses. Paths leave out what speaks of the page and not of its template: `body`, digits, `post-807`, `current-item`.

use crate::learned::page_record::hash_url;
use memchr::{memchr, memchr_iter};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use unchaff_dom::plain_address::PlainAddresses;
use unchaff_dom::{AttrName, NodeId, Page, Tag};
use unchaff_page::learned::name_families::NameFamilies;

/// Keys are hashes of 24 bits, the upper ones; where they stand in eight bytes, the rest is 0. A model of 64 pages has some ten thousand keys, so one key in two thousand is taken for another,
/// and that of one page of 64. Against 40 bits it changes the content of 2 of 2,031 pages (docs/scale.md), and models have half the bytes.
pub(crate) const UNUSED_BITS: u32 = 40;

/// The key of a hash, in the lower bits of four bytes: a page has five for each element, and all are read several times.
fn key(hash: u64) -> u32 {
    if hash == 0 { 0 } else { ((hash >> UNUSED_BITS) as u32).max(1) }
}

/// A key where it stands in eight bytes: in records, whose lower bits are for other use, and in what is computed from keys.
pub(crate) fn long(key: u32) -> u64 {
    u64::from(key) << UNUSED_BITS
}

/// Keys of one element; 0 where it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ElementKeys {
    /// Tag, class and own text; without class and digits the same as `folded_text`.
    pub text: u32,
    /// Tag and own text, digits folded.
    pub folded_text: u32,
    /// Tag and the text of the whole subtree, digits folded; of an element whose text is all its own the same as `folded_text`.
    pub whole: u32,
    /// Tag and what the element refers to: an address, a form field, a script.
    pub reference: u32,
    /// Tags and classes from below `body` down to the element.
    pub path: u32,
}

impl ElementKeys {
    /// The keys there are.
    pub fn all(self) -> impl Iterator<Item = u32> {
        [self.text, self.folded_text, self.whole, self.reference, self.path].into_iter().filter(|key| *key != 0)
    }
}

/// The keys of all elements of a page from `body` on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageKeys {
    /// The elements in document order.
    pub nodes: Vec<NodeId>,
    /// Where each one's parent stands among them.
    pub parents: Vec<u32>,
    /// Their keys.
    pub keys: Vec<ElementKeys>,
    /// Words of their own text.
    pub words: Vec<u32>,
    /// Each text that is not blank: where the element around it stands, and a hash of it alone.
    pub(crate) texts: Vec<(u32, u32)>,
    /// A hash of the page's address, or of all keys if it has none.
    pub(crate) address: u64,
    /// A hash of all keys: pages with the same source have the same.
    pub(crate) all: u64,
}

/// A map by key. Keys are hashes already and are not hashed again.
pub(crate) type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Takes a key for its hash, with its bits in all places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_bytes(self.0, bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key ^ key >> UNUSED_BITS;
    }
}

/// The upper half of a key.
pub(crate) fn half(key: u64) -> u32 {
    (key >> 32) as u32
}

// Kinds of keys start from different numbers, so that equal strings of different kinds do not meet.
const TEXT: u64 = 0x9e37_79b9_7f4a_7c15;
const FOLDED_TEXT: u64 = 0xbf58_476d_1ce4_e5b9;
const WHOLE: u64 = 0x94d0_49bb_1331_11eb;
const REFERENCE: u64 = 0xd6e8_feb8_6659_fd93;
pub(crate) const PATH: u64 = 0xa076_1d00_0000_0000;
const CLASS: u64 = 0xe703_7ed1_a0b4_28db;

/// Mixes two numbers into one that depends on both and on their order, and is never 0.
pub(crate) fn mix(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x2d35_8dcc_aa6c_78a5) * u128::from(other ^ 0x8bb8_4b93_962e_acc9);
    (product as u64 ^ (product >> 64) as u64).max(1)
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// A hash of a text that does not see how much white space is between its words.
pub(crate) fn hash_text(hash: u64, text: &str) -> u64 {
    let bytes = text.trim_ascii().as_bytes();
    hash_plain(hash, bytes).map_or_else(|| hash_bytewise::<false>(hash, bytes), |(exact, _)| exact)
}

/// The same, which does not see either how many digits stand together and which.
pub(crate) fn hash_folded(hash: u64, text: &str) -> u64 {
    let bytes = text.trim_ascii().as_bytes();
    match hash_plain(hash, bytes) {
        Some((exact, false)) => exact,
        Some((_, true)) => hash_from_digits(hash, bytes),
        None => hash_bytewise::<true>(hash, bytes),
    }
}

/// Both, of a text without white space around it; the second only if there are digits.
fn hash_twice(hash: u64, text: &str) -> (u64, Option<u64>) {
    let bytes = text.as_bytes();
    match hash_plain(hash, bytes) {
        Some((exact, has_digits)) => (exact, has_digits.then(|| hash_from_digits(hash, bytes))),
        None => {
            let has_digits = bytes.iter().any(u8::is_ascii_digit);
            (hash_bytewise::<false>(hash, bytes), has_digits.then(|| hash_bytewise::<true>(hash, bytes)))
        }
    }
}

/// One in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The uppermost bit of each byte that is less than a number, and perhaps of bytes after one.
const fn less(bytes: u64, than: u8) -> u64 {
    bytes.wrapping_sub(EACH * than as u64) & !bytes & (EACH << 7)
}

/// The hash of a text that has single spaces, and whether it has digits; none of other texts. Most are such, and are taken as they are, eight bytes at a time.
fn hash_plain(mut hash: u64, bytes: &[u8]) -> Option<(u64, bool)> {
    let (eights, rest) = bytes.as_chunks();
    let (mut space_before, mut digits) = (0, 0);
    for at in 0..bytes.len().div_ceil(8) {
        let eight = match eights.get(at) {
            Some(eight) => u64::from_le_bytes(*eight),
            None => rest.iter().rev().fold(u64::MAX, |eight, byte| eight << 8 | u64::from(*byte)),
        };
        let spaces = less(eight ^ (EACH * 0x20), 1);
        if less(eight, 0x20) | spaces & (spaces << 8 | space_before) != 0 {
            return None;
        }
        space_before = spaces >> 56;
        digits |= less(eight ^ (EACH * 0x30), 10);
        hash = mix(hash, eight);
    }
    Some((hash, digits != 0))
}

/// The hash of such a text with digits folded. What stands between digits is taken several bytes at a time.
fn hash_from_digits(mut hash: u64, mut bytes: &[u8]) -> u64 {
    // The bytes that are still to be mixed in, the first the lowest, and eight times their number.
    let (mut eight, mut filled) = (0u64, 0);
    while !bytes.is_empty() {
        let next = match bytes.first_chunk() {
            Some(next) => u64::from_le_bytes(*next),
            None => bytes.iter().rev().fold(0, |next, byte| next << 8 | u64::from(*byte)),
        };
        // Up to the first digit, which is a zero, whatever digits follow.
        let plain = (less(next ^ (EACH * 0x30), 10).trailing_zeros() / 8) as usize;
        let (next, taken) = match plain {
            8 => (next, bytes.len().min(8)),
            _ => (next & !(u64::MAX << (8 * plain)) | u64::from(b'0') << (8 * plain), plain + 1),
        };
        eight |= next << filled;
        if filled + 8 * taken >= 64 {
            hash = mix(hash, eight);
            eight = if filled == 0 { 0 } else { next >> (64 - filled) };
        }
        filled = (filled + 8 * taken) % 64;
        bytes = &bytes[taken..];
        if plain < 8 {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            bytes = &bytes[digits..];
        }
    }
    if filled > 0 { mix(hash, eight | u64::MAX << filled) } else { hash }
}

/// What stands for bytes behind the end; no text has it.
const NO_BYTE: u8 = 0xff;

/// What bytes are taken for: white space for a space, digits for a zero if they are folded.
const fn folding(folds_digits: bool) -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            space if is_space(space) => b' ',
            b'0'..=b'9' if folds_digits => b'0',
            other => other,
        };
        byte += 1;
    }
    table
}

/// The same hash of any text: white space is one space, digits are one zero if they are folded.
fn hash_bytewise<const FOLD: bool>(mut hash: u64, bytes: &[u8]) -> u64 {
    const FOLDING: [[u8; 256]; 2] = [folding(false), folding(true)];
    let table = &FOLDING[usize::from(FOLD)];
    let (mut eight, mut filled, mut last) = ([NO_BYTE; 8], 0, NO_BYTE);
    for byte in bytes {
        let next = table[usize::from(*byte)];
        if next == last && (next == b' ' || FOLD && next == b'0') {
            continue;
        }
        (last, eight[filled % 8]) = (next, next);
        filled += 1;
        if filled == 8 {
            hash = mix(hash, u64::from_le_bytes(eight));
            (eight, filled) = ([NO_BYTE; 8], 0);
        }
    }
    if filled > 0 { mix(hash, u64::from_le_bytes(eight)) } else { hash }
}

/// A hash of bytes that goes on from another.
pub(crate) fn hash_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    let (chunks, rest) = bytes.as_chunks();
    for chunk in chunks {
        hash = mix(hash, u64::from_be_bytes(*chunk));
    }
    let rest = rest.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    mix(hash, rest ^ (bytes.len() as u64) << 56)
}

/// Whether a class name speaks of the page or its place in the site.
pub(crate) fn is_of_page(class: &str) -> bool {
    let starts = |start: &str| class.as_bytes().get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start.as_bytes()));
    match class.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'a') => starts("active"),
        Some(b'c') => starts("current") || starts("category-"),
        Some(b'p') => starts("post-") || starts("postid") || starts("page-"),
        Some(b's') => starts("selected"),
        Some(b't') => starts("tag-"),
        _ => false,
    }
}

/// A hash of the class names, whatever their order.
fn hash_classes(classes: &str) -> u64 {
    let names = classes.split_ascii_whitespace().filter(|class| !is_of_page(class));
    names.fold(0, |sum, class| sum.wrapping_add(hash_folded(CLASS, class)))
}

/// What stands for the text of a whole subtree until it is known; no key has it.
const WRAPS: u32 = u32::MAX;

/// An element that has begun and not ended, by hashes: of its tag and class, of its path, of what it refers to, and of its own text.
struct Open {
    at: u32,
    end: NodeId,
    tag: Tag,
    kind: u64,
    path: u64,
    reference: u64,
    text: u64,
    folded: u64,
    /// Whether there is neither class nor digit.
    is_plain: bool,
    words: u32,
    /// Whether there is text in elements below.
    wraps: bool,
}

impl PageKeys {
    /// The keys of a page.
    #[must_use]
    pub fn of(page: &Page) -> PageKeys {
        PageKeys::named(page, &NameFamilies::of(page))
    }

    /// The keys of a page whose names were read already.
    #[must_use]
    pub fn named(page: &Page, names: &NameFamilies) -> PageKeys {
        let mut keys = PageKeys::default();
        let Some(body) = page.body() else { return keys };
        let elements = page.counts(body).elements as usize;
        keys.texts.reserve(page.counts(body).text_nodes as usize / 2);
        keys.nodes.reserve(elements);
        keys.parents.reserve(elements);
        keys.keys = vec![ElementKeys::default(); elements];
        keys.words = vec![0; elements];
        // The hashes of own texts, to which those below are added once all are known.
        let mut inner = vec![0; elements];
        let mut known_classes: Vec<Option<u64>> = vec![None; names.distinct()];
        let mut addresses = Addresses::of(page);
        // The elements around a node, whose keys are known when they end: few at a time, so hashes of all bits are not kept for the whole page.
        let mut open: Vec<Open> = Vec::new();
        for (node, tag) in page.subtree(body).zip(page.tags(body).iter().copied()) {
            while open.last().is_some_and(|last| last.end <= node) {
                keys.close(&mut open, &mut inner);
            }
            if tag.is_element() {
                let (parent, above) = open.last().map_or((0, PATH), |last| (last.at, last.path));
                let reference = reference(page, node, tag, &mut addresses);
                let classes = &mut known_classes[names.class(node) as usize];
                let classes = *classes.get_or_insert_with(|| hash_classes(page.class(node)));
                let kind = mix(tag as u64, classes);
                let path = if node == body { PATH } else { mix(above, kind) };
                let (at, end, is_plain) = (keys.nodes.len() as u32, page.end(node), classes == 0);
                let (text, folded, words, wraps) = (0, 0, 0, false);
                open.push(Open { at, end, tag, kind, path, reference, text, folded, is_plain, words, wraps });
                keys.nodes.push(node);
                keys.parents.push(parent);
                continue;
            }
            let Some(own) = open.last_mut() else { continue };
            if tag == Tag::Text {
                let text = page.text(node).trim_ascii();
                if !text.is_empty() {
                    let (exact, folded) = hash_twice(TEXT, text);
                    own.is_plain &= folded.is_none();
                    own.folded = mix(own.folded, folded.unwrap_or(exact));
                    own.text = mix(own.text, exact);
                    own.words += page.counts(node).words;
                    keys.texts.push((own.at, half(exact)));
                }
            } else if tag == Tag::Raw && own.reference == 0 {
                own.reference = hash_folded(REFERENCE, beginning(page.string(node)));
            }
        }
        while !open.is_empty() {
            keys.close(&mut open, &mut inner);
        }
        // The texts of whole subtrees, from the own ones on.
        for place in (0..keys.nodes.len()).rev() {
            let own = &mut keys.keys[place];
            if own.whole == WRAPS {
                own.whole = key(mix(mix(WHOLE, page.tag(keys.nodes[place]) as u64), inner[place]));
            }
            keys.all = mix(keys.all, long(own.path) ^ long(own.reference).rotate_left(24) ^ long(own.text).rotate_left(48));
            if place > 0 && inner[place] != 0 {
                // Children arrive from last to first, which tells orders apart as well.
                let parent = keys.parents[place] as usize;
                inner[parent] = mix(inner[parent], inner[place]);
            }
        }
        keys.address = page.url().map_or(keys.all, hash_url);
        keys
    }

    /// Takes the keys of the innermost element that is open, all of which is known but what it wraps.
    #[inline]
    fn close(&mut self, open: &mut Vec<Open>, inner: &mut [u64]) {
        let Some(last) = open.pop() else { return };
        let (at, tag) = (last.at as usize, last.tag as u64);
        let mut own = ElementKeys { reference: key(last.reference), path: key(last.path), ..ElementKeys::default() };
        if last.text != 0 {
            own.folded_text = key(mix(mix(FOLDED_TEXT, tag), last.folded));
            own.text = if last.is_plain { own.folded_text } else { key(mix(mix(TEXT, last.kind), last.text)) };
        }
        own.whole = if last.wraps { WRAPS } else { own.folded_text };
        (self.keys[at], self.words[at], inner[at]) = (own, last.words, last.folded);
        if let Some(around) = open.last_mut() {
            around.wraps |= last.wraps || last.text != 0;
        }
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// A script is known by how it begins.
fn beginning(script: &str) -> &str {
    &script[..script.floor_char_boundary(512)]
}

/// The attributes that say what any element refers to, a bit each: there are many others, which are passed over by one look.
const REFERRING: u32 = {
    use AttrName::*;
    let names = [Src, Href, Action, Data, Name, For, Placeholder];
    let (mut bits, mut at) = (0, 0);
    while at < names.len() {
        bits |= 1 << names[at] as u32;
        at += 1;
    }
    bits
};

/// The key of what an element refers to.
fn reference<'p>(page: &'p Page, node: NodeId, tag: Tag, addresses: &mut Addresses<'p>) -> u64 {
    let (mut address, mut field) = (None, None);
    let is_read = |name: AttrName| REFERRING >> name as u32 & 1 == 1 || name == AttrName::Value && tag == Tag::Input;
    for (name, value) in page.attrs_named(node, is_read) {
        match name {
            AttrName::Src | AttrName::Href | AttrName::Action | AttrName::Data => address = address.or(Some(value)),
            AttrName::Value => field = field.or(Some(value)),
            _ => field = Some(value),
        }
    }
    match (address, field) {
        (Some(address), _) => mix(mix(REFERENCE, tag as u64), addresses.hash(address.trim_ascii())),
        (None, Some(field)) => hash_folded(mix(REFERENCE, tag as u64), field),
        (None, None) => 0,
    }
}

/// Whether a path leads up, or nowhere.
fn has_dots(path: &[u8]) -> bool {
    let is_start = |at: usize| at > 0 && path[at - 1] == b'/';
    memchr_iter(b'.', path).any(|at| is_start(at) && (path[at..].starts_with(b"./") || path[at..].starts_with(b"../")))
}

/// Addresses as host and path, without scheme and fragment. Only relative ones have to be resolved for that.
pub(crate) struct Addresses<'p> {
    page: &'p Page,
    host: &'p str,
    /// The last host and its hash: most are the same.
    last_host: (String, u64),
    plain: PlainAddresses<'p>,
}

impl<'p> Addresses<'p> {
    pub(crate) fn of(page: &'p Page) -> Addresses<'p> {
        let host = page.base().and_then(|base| base.host_str()).unwrap_or_default();
        Addresses { page, host, last_host: (String::new(), hash_bytes(REFERENCE, b"")), plain: PlainAddresses::of(page) }
    }

    pub(crate) fn hash(&mut self, address: &str) -> u64 {
        if address.starts_with('#') {
            return hash_bytes(REFERENCE, address.as_bytes());
        }
        let (last_host, last_hash) = &mut self.last_host;
        let mut hash = |host: &str, path: &str| {
            let path = &path[..memchr(b'#', path.as_bytes()).unwrap_or(path.len())];
            if host != last_host {
                host.clone_into(last_host);
                *last_hash = hash_bytes(REFERENCE, host.as_bytes());
            }
            mix(*last_hash, hash_bytes(REFERENCE, path.as_bytes()))
        };
        let absolute = ["https://", "http://", "//"].iter().find_map(|scheme| address.strip_prefix(scheme));
        if let Some(rest) = absolute {
            let (host, path) = rest.split_at(memchr(b'/', rest.as_bytes()).unwrap_or(rest.len()));
            hash(host, if path.is_empty() { "/" } else { path })
        } else if address.starts_with('/') && !has_dots(address.as_bytes()) {
            hash(self.host, address)
        } else if address.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':')) {
            // A scheme that has no pages: `mailto:`, `javascript:`.
            hash_bytes(REFERENCE, address.as_bytes())
        } else if let Some(plain) = self.plain.resolve(address) {
            hash(plain.host(), plain.from_path())
        } else if let Some(url) = self.page.resolve(address) {
            hash(url.host_str().unwrap_or_default(), &url[url::Position::BeforePath..])
        } else {
            hash_bytes(REFERENCE, address.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Parser;

    fn keys(url: &str, html: &str) -> Vec<ElementKeys> {
        PageKeys::of(&Parser::new().url(url).parse(html)).keys
    }

    fn one(html: &str) -> ElementKeys {
        keys("https://example.org/a/b", html)[1]
    }

    #[test]
    fn white_space_and_digits_do_not_count_in_folded_text() {
        let (first, second) = (one("<p class=x>Page 3  of\n12</p>"), one("<p class=x> Page 14 of 7</p>"));
        assert_eq!((first.folded_text, first.whole), (second.folded_text, second.whole));
        assert_ne!(first.text, second.text);
        assert_eq!(one("<p>a b</p>").text, one("<p> a\tb </p>").text);
        assert_ne!(one("<p>a</p>").folded_text, one("<h1>a</h1>").folded_text);
    }

    proptest! {
        #[test]
        fn hashes_do_not_see_how_much_white_space_there_is(words in prop::collection::vec("[a-cé0-2\u{1}\u{1f}!あ]{1,12}", 0..9), spaces in prop::collection::vec("[ \n\t]{1,9}", 9)) {
            let spaced: String = spaces.iter().zip(&words).flat_map(|(space, word)| [space.as_str(), word]).collect();
            let text = words.join(" ");
            let has_digits = |text: &str| text.contains(|c: char| c.is_ascii_digit());
            prop_assert_eq!(hash_twice(TEXT, spaced.trim_ascii()), hash_twice(TEXT, &text));
            prop_assert_eq!((hash_text(TEXT, &spaced), hash_folded(TEXT, &spaced)), (hash_text(TEXT, &text), hash_folded(TEXT, &text)));
            let (exact, folded) = hash_twice(TEXT, &text);
            let slow = (hash_bytewise::<false>(TEXT, text.as_bytes()), hash_bytewise::<true>(TEXT, text.as_bytes()));
            prop_assert_eq!((exact, folded.unwrap_or(exact)), slow);
            prop_assert_eq!(folded.is_some(), has_digits(&text));
            let mut zeros: Vec<char> = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            zeros.dedup_by(|one, other| *one == '0' && *other == '0');
            prop_assert_eq!(hash_folded(TEXT, &zeros.iter().collect::<String>()), hash_folded(TEXT, &text));
            prop_assert_ne!(hash_text(TEXT, &format!("{text}x")), exact);
        }
    }

    #[test]
    fn paths_leave_out_body_digits_order_and_what_is_of_the_page() {
        let path = |html: &str| keys("https://example.org/", html).last().unwrap().path;
        assert_eq!(
            path("<body class=home><ul class='menu b12'><li>"),
            path("<body id=x><ul class='b7 menu post-8'><li class=current-item>")
        );
        assert_ne!(path("<ul class=menu><li>"), path("<ul class=list><li>"));
    }

    #[test]
    fn references_are_compared_resolved() {
        let on = |url: &str, href: &str| keys(url, &format!("<a href='{href}'>x</a>"))[1].reference;
        let same = [
            on("https://example.org/a/b", "../c.html#top"),
            on("https://example.org/", "c.html"),
            on("https://example.org/a/", "/c.html"),
            on("http://other.example/", "http://example.org/c.html"),
            on("http://example.org/", "//example.org/c.html"),
        ];
        assert!(same.iter().all(|key| *key == same[0]), "{same:?}");
        assert_ne!(same[0], on("https://example.org/", "/d.html"));
        assert_ne!(on("https://example.org/", "#a"), on("https://example.org/", "#b"));
        assert_eq!(one("<p>no reference</p>").reference, 0);
    }

    #[test]
    fn the_whole_text_depends_on_order_and_not_on_markup_between() {
        let whole = |html: &str| one(html).whole;
        assert_eq!(whole("<ul><li class=a>x<li>y</ul>"), whole("<ul><li>x<li class=b>y</ul>"));
        assert_ne!(whole("<ul><li>x<li>y</ul>"), whole("<ul><li>y<li>x</ul>"));
        assert_eq!(whole("<div><img src=a></div>"), 0);
    }

    #[test]
    fn text_without_class_and_digits_has_one_key() {
        let plain = one("<p>It rained</p>");
        assert_eq!((plain.text, plain.whole), (plain.folded_text, plain.folded_text));
        for html in ["<p class=x>It rained</p>", "<p>It rained in 1907</p>"] {
            assert_ne!(one(html).text, one(html).folded_text, "{html}");
        }
    }

    #[test]
    fn any_page_has_keys() {
        for html in ["", "<frameset>", "text", "<svg><a xlink:href=x>"] {
            let page = Page::parse(html);
            let keys = PageKeys::of(&page);
            assert_eq!(keys.len(), keys.parents.len());
        }
    }
}
