//! What of an element can be found again on another page, as numbers: its own text, its references, its place.
//!
//! Pages are compared by hashed keys and not by mapping their trees: a key costs one pass over the page, a look-up a few
//! nanoseconds, and the keys of many pages fit where one page would not. Text is keyed twice, exactly and with digits
//! folded, because counters and dates in a frame differ from page to page. References are compared as resolved
//! addresses. Paths leave out what speaks of the page and not of its template: `body`, digits, `post-807`, `current-item`.

use crate::learned::page_record::{hash_source, hash_url};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use unchaff_dom::plain_address::PlainAddresses;
use unchaff_dom::{AttrName, NodeId, Page, Tag};
use unchaff_page::learned::name_families::NameFamilies;

/// Keys are hashes of 24 bits, the upper ones; the rest is 0. A model of 64 pages has some ten thousand keys, so one key in two thousand is taken for another,
/// and that of one page of 64. Against 40 bits it changes the content of 2 of 2,031 pages (docs/scale.md), and models have half the bytes.
pub(crate) const UNUSED_BITS: u32 = 40;

/// The key of a hash.
fn key(hash: u64) -> u64 {
    if hash == 0 { 0 } else { (hash >> UNUSED_BITS).max(1) << UNUSED_BITS }
}

/// Keys of one element; 0 where it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ElementKeys {
    /// Tag, class and own text; without class and digits the same as `folded_text`.
    pub text: u64,
    /// Tag and own text, digits folded.
    pub folded_text: u64,
    /// Tag and the text of the whole subtree, digits folded; of an element whose text is all its own the same as `folded_text`.
    pub whole: u64,
    /// Tag and what the element refers to: an address, a form field, a script.
    pub reference: u64,
    /// Tags and classes from below `body` down to the element.
    pub path: u64,
}

impl ElementKeys {
    /// The keys there are.
    pub fn all(self) -> impl Iterator<Item = u64> {
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
    /// A hash of the page's address, or of its source if it has none.
    pub(crate) address: u64,
    /// A hash of its source.
    pub(crate) source: u64,
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

/// Takes bytes, a few at a time, and mixes every eight of them into a hash.
struct Eights {
    hash: u64,
    pending: u64,
    filled: u32,
}

impl Eights {
    /// Takes the last `count` bytes of a number, at most eight; the others are 0.
    #[inline]
    fn push(&mut self, bytes: u64, count: u32) {
        let filled = self.filled + count;
        if filled < 8 {
            self.pending = self.pending << (8 * count) | bytes;
            self.filled = filled;
            return;
        }
        let over = 8 * (filled - 8);
        // Of nothing pending and eight bytes all go, by shifts of as many bits as there are.
        let before = self.pending.checked_shl(8 * (8 - self.filled)).unwrap_or(0);
        self.hash = mix(self.hash, before | bytes >> over);
        (self.pending, self.filled) = (bytes & ((1 << over) - 1), filled - 8);
    }

    fn end(self) -> u64 {
        mix(self.hash, self.pending | u64::from(self.filled) << 56)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// A hash of text that does not see white space.
pub(crate) fn hash_text(hash: u64, text: &str) -> u64 {
    hash_and_look::<false>(hash, text).0
}

/// A hash of text that sees neither white space nor how many digits stand together and which.
pub(crate) fn hash_folded(hash: u64, text: &str) -> u64 {
    hash_and_look::<true>(hash, text).0
}

/// The one or the other, and whether there are digits. What stands between is taken whole.
fn hash_and_look<const FOLD: bool>(hash: u64, text: &str) -> (u64, bool) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The uppermost bit of each byte that is less than a number, and perhaps of bytes after one.
    let less = |bytes: u64, than: u8| bytes.wrapping_sub(EACH * u64::from(than)) & !bytes & (EACH << 7);
    let mut eights = Eights { hash, pending: 0, filled: 0 };
    let (mut rest, mut any_digits, mut after_digit) = (text.as_bytes(), 0, false);
    while !rest.is_empty() {
        let (mut eight, known) = ([b' '; 8], rest.len().min(8));
        match rest.first_chunk() {
            Some(first) => eight = *first,
            None => eight[..known].copy_from_slice(rest),
        }
        let bytes = u64::from_le_bytes(eight);
        let digits = less(bytes ^ (EACH * 0x30), 10);
        any_digits |= digits;
        // Up to the first that may be white space, or is a digit to be folded.
        let stops = less(bytes, 0x21) | if FOLD { digits } else { 0 };
        let word = (stops.trailing_zeros() / 8).min(known as u32);
        if word > 0 {
            eights.push(bytes.swap_bytes() >> (64 - 8 * word), word);
            after_digit = false;
        }
        let Some(next) = rest.get(word as usize).filter(|_| word < 8) else {
            rest = &rest[word as usize..];
            continue;
        };
        rest = &rest[word as usize + 1..];
        if !is_space(*next) {
            let is_digit = FOLD && next.is_ascii_digit();
            if !(is_digit && after_digit) {
                eights.push(u64::from(if is_digit { b'0' } else { *next }), 1);
            }
            after_digit = is_digit;
        }
    }
    (eights.end(), any_digits != 0)
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

/// Starts of class names that speak of the page or its place in the site.
const OF_PAGE: &[&str] = &["current", "active", "selected", "post-", "postid", "page-", "category-", "tag-"];

pub(crate) fn is_of_page(class: &str) -> bool {
    let Some(first) = class.as_bytes().first().map(u8::to_ascii_lowercase) else { return false };
    OF_PAGE
        .iter()
        .map(|start| start.as_bytes())
        .any(|start| start[0] == first && class.as_bytes().get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)))
}

/// A hash of the class names, whatever their order.
fn hash_classes(classes: &str) -> u64 {
    let names = classes.split_ascii_whitespace().filter(|class| !is_of_page(class));
    names.fold(0, |sum, class| sum.wrapping_add(hash_folded(CLASS, class)))
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
        let source = hash_source(page);
        let mut keys = PageKeys { address: page.url().map_or(source, hash_url), source, ..PageKeys::default() };
        let Some(body) = page.body() else { return keys };
        let elements = page.counts(body).elements as usize;
        keys.nodes.reserve_exact(elements);
        keys.parents.reserve_exact(elements);
        keys.keys.reserve_exact(elements);
        keys.words.reserve_exact(elements);
        let mut places = vec![0u32; page.range(body).len()];
        let mut known_classes: Vec<Option<u64>> = vec![None; names.distinct()];
        let mut addresses = Addresses::of(page);
        // Until the last step `text` and `folded_text` hold the hash of the own text alone, `whole` that of tag and class.
        let mut inner: Vec<u64> = Vec::with_capacity(elements);
        // Whether there is neither class nor digit.
        let mut plain: Vec<bool> = Vec::with_capacity(elements);
        for node in page.subtree(body) {
            let tag = page.tag(node);
            let parent =
                if node == body { 0 } else { page.parent(node).map_or(0, |parent| places[parent.index() - body.index()]) };
            if tag.is_element() {
                places[node.index() - body.index()] = keys.nodes.len() as u32;
                let (classes, reference) = read_attributes(page, node, tag, &mut addresses);
                let classes = *known_classes[names.class(node) as usize].get_or_insert_with(|| hash_classes(classes));
                let kind = mix(tag as u64, classes);
                let path = if node == body { PATH } else { mix(keys.keys[parent as usize].path, kind) };
                keys.nodes.push(node);
                keys.parents.push(parent);
                keys.keys.push(ElementKeys { path, reference, whole: kind, ..ElementKeys::default() });
                keys.words.push(0);
                inner.push(0);
                plain.push(classes == 0);
            } else if tag == Tag::Text {
                let text = page.text(node);
                let parent = parent as usize;
                if !text.trim_ascii().is_empty() {
                    let own = &mut keys.keys[parent];
                    let (exact, has_digits) = hash_and_look::<false>(TEXT, text);
                    let folded = if has_digits { hash_folded(TEXT, text) } else { exact };
                    plain[parent] &= !has_digits;
                    keys.texts.push((parent as u32, (exact >> 32) as u32));
                    own.folded_text = mix(own.folded_text, folded);
                    own.text = mix(own.text, exact);
                    inner[parent] = mix(inner[parent], folded);
                    keys.words[parent] += page.counts(node).words;
                }
            } else if tag == Tag::Raw && keys.keys[parent as usize].reference == 0 {
                keys.keys[parent as usize].reference = hash_folded(REFERENCE, page.string(node));
            }
        }
        for place in (0..keys.nodes.len()).rev() {
            let tag = page.tag(keys.nodes[place]) as u64;
            let own = &mut keys.keys[place];
            let is_all_own = own.folded_text == inner[place];
            if own.text != 0 {
                own.folded_text = key(mix(mix(FOLDED_TEXT, tag), own.folded_text));
                own.text = if plain[place] { own.folded_text } else { key(mix(mix(TEXT, own.whole), own.text)) };
            }
            own.whole = if is_all_own { own.folded_text } else { key(mix(mix(WHOLE, tag), inner[place])) };
            (own.reference, own.path) = (key(own.reference), key(own.path));
            if place > 0 && inner[place] != 0 {
                // Children arrive from last to first, which tells orders apart as well.
                let parent = keys.parents[place] as usize;
                inner[parent] = mix(inner[parent], inner[place]);
            }
        }
        keys
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

/// The class attribute of an element and the key of what it refers to.
fn read_attributes<'p>(page: &'p Page, node: NodeId, tag: Tag, addresses: &mut Addresses<'p>) -> (&'p str, u64) {
    let (mut classes, mut address, mut field) = ("", None, None);
    for (name, value) in page.numbered_attrs(node) {
        match name {
            AttrName::Class => classes = value,
            AttrName::Src | AttrName::Href | AttrName::Action | AttrName::Data => address = address.or(Some(value)),
            AttrName::Name | AttrName::For | AttrName::Placeholder => field = Some(value),
            AttrName::Value if tag == Tag::Input => field = field.or(Some(value)),
            _ => {}
        }
    }
    let kind = mix(REFERENCE, tag as u64);
    let reference = match (address, field) {
        (Some(address), _) => mix(kind, addresses.hash(address.trim_ascii())),
        (None, Some(field)) => hash_folded(kind, field),
        (None, None) => 0,
    };
    (classes, reference)
}

/// Whether a path leads up, or nowhere.
fn has_dots(path: &[u8]) -> bool {
    path.windows(2).any(|pair| pair == b"/.")
        && (path.windows(3).any(|step| step == b"/./") || path.windows(4).any(|step| step == b"/../"))
}

/// Addresses as host and path, without scheme and fragment. Only relative ones have to be resolved for that.
pub(crate) struct Addresses<'p> {
    page: &'p Page,
    host: &'p str,
    plain: PlainAddresses<'p>,
}

impl<'p> Addresses<'p> {
    pub(crate) fn of(page: &'p Page) -> Addresses<'p> {
        let host = page.base().and_then(|base| base.host_str()).unwrap_or_default();
        Addresses { page, host, plain: PlainAddresses::of(page) }
    }

    pub(crate) fn hash(&mut self, address: &str) -> u64 {
        if address.starts_with('#') {
            return hash_bytes(REFERENCE, address.as_bytes());
        }
        let hash = |host: &str, path: &str| {
            let path = &path[..path.bytes().position(|byte| byte == b'#').unwrap_or(path.len())];
            mix(hash_bytes(REFERENCE, host.as_bytes()), hash_bytes(REFERENCE, path.as_bytes()))
        };
        let absolute = ["https://", "http://", "//"].iter().find_map(|scheme| address.strip_prefix(scheme));
        if let Some(rest) = absolute {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            hash(host, if path.is_empty() { "/" } else { path })
        } else if address.starts_with('/') && !has_dots(address.as_bytes()) {
            hash(self.host, address)
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
        fn text_is_hashed_eight_bytes_at_a_time(text in "[ a-cé0-2\n\u{1}\u{1f}!あ]{0,40}") {
            let solid: Vec<u8> = text.bytes().filter(|byte| !is_space(*byte)).collect();
            let eights = |bytes: &[u8]| {
                let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
                let hash = bytes.chunks_exact(8).fold(TEXT, |hash, eight| mix(hash, number(eight)));
                let rest = bytes.chunks_exact(8).remainder();
                mix(hash, number(rest) | (rest.len() as u64) << 56)
            };
            prop_assert_eq!(hash_and_look::<false>(TEXT, &text), (eights(&solid), text.contains(|c: char| c.is_ascii_digit())));
            let mut folded: Vec<u8> = solid.iter().map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte }).collect();
            folded.dedup_by(|one, other| *one == b'0' && *other == b'0');
            prop_assert_eq!(hash_folded(TEXT, &text), eights(&folded));
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
