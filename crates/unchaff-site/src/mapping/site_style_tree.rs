//! The Site Style Tree: all pages of a sample laid over each other.
//!
//! L. Yi, B. Liu, X. Li: Eliminating Noisy Information in Web Pages for Data Mining, KDD 2003; as described by T. Gottron
//! (Content Extraction, PhD thesis, Mainz 2008, 3.3.4). An *element node* is a name with what gives an element its looks;
//! below it are *style nodes*, each a sequence of elements that some page has there, with the number of those pages. Two
//! pages share a style node only if the whole sequence is the same, so nothing has to be aligned. As each element node is
//! met once a page at most, it is on as many pages as the style node it belongs to.

use crate::learned::page_keys::{Addresses, KeyMap, hash_bytes, hash_text, mix};
use unchaff_dom::words::words;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::parameters::choice;

choice! {
    /// What an element is besides its name.
    pub enum Looks {
        /// Class, style and the attributes that HTML once had for looks.
        Presentation = "presentation",
        /// All attributes but `id` and those that refer to something.
        All = "all",
        /// Nothing.
        Tags = "tags",
    }
}

choice! {
    /// Which elements are leaves, whose words, links and pictures are compared.
    pub enum Leaves {
        /// Elements without elements in them.
        Elements = "elements",
        /// The elements around text, whatever else is in them: leaves of the document are too small.
        AroundText = "around-text",
    }
}

/// The tree has no more element nodes, and no more features, so that memory is bounded whatever the pages. What comes later is
/// counted where it meets what is there.
const MOST_ELEMENTS: usize = 1 << 22;
const MOST_FEATURES: usize = 1 << 22;

const PRESENTATION: &[&str] = &[
    "align",
    "alink",
    "background",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "class",
    "clear",
    "color",
    "colspan",
    "face",
    "height",
    "hspace",
    "link",
    "noshade",
    "nowrap",
    "rowspan",
    "size",
    "style",
    "text",
    "type",
    "valign",
    "vlink",
    "vspace",
    "width",
];

/// A style node: a sequence of elements that some pages have in one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// The element node it stands under.
    pub parent: u32,
    /// Its first element node; the others follow.
    pub first: u32,
    /// How many element nodes it has.
    pub len: u32,
    /// How many pages have it.
    pub pages: u32,
}

/// A feature of a leaf: a word, a link, a picture.
#[derive(Clone, Copy, Debug)]
struct Feature {
    leaf: u32,
    occurrences: f64,
    /// The sum, over the pages, of n log n for n occurrences on one.
    n_log_n: f64,
}

/// The place of elements that are not in the tree.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// All pages of a sample; see the [module](self).
#[derive(Debug)]
pub(crate) struct SiteStyleTree {
    looks: Looks,
    leaves: Leaves,
    pages: u32,
    /// The style node of each element node; the body is the first and has none of its own.
    pub(crate) style_of: Vec<u32>,
    /// The style nodes, each after the one above it.
    pub(crate) styles: Vec<Style>,
    numbers: KeyMap<u32>,
    /// On how many pages each element node is a leaf.
    leaf_pages: Vec<u32>,
    features: Vec<Feature>,
    feature_numbers: KeyMap<u32>,
}

impl SiteStyleTree {
    /// A tree of no page.
    #[must_use]
    pub(crate) fn new(looks: Looks, leaves: Leaves) -> SiteStyleTree {
        SiteStyleTree {
            looks,
            leaves,
            pages: 0,
            style_of: vec![NOWHERE],
            styles: Vec::new(),
            numbers: KeyMap::default(),
            leaf_pages: vec![0],
            features: Vec::new(),
            feature_numbers: KeyMap::default(),
        }
    }

    /// How many pages have an element node.
    #[must_use]
    pub(crate) fn pages_with(&self, element: u32) -> u32 {
        match self.style_of[element as usize] {
            NOWHERE => self.pages,
            style => self.styles[style as usize].pages,
        }
    }

    /// Lays one more page over the others. Tells where its elements are, by node from the body on.
    pub(crate) fn add(&mut self, page: &Page) -> Vec<u32> {
        let Some(body) = page.body() else { return Vec::new() };
        self.pages += 1;
        let mut places = vec![NOWHERE; page.range(body).len()];
        places[0] = 0;
        let mut features: KeyMap<(u32, u64)> = KeyMap::default();
        for node in page.subtree(body) {
            let place = places[node.index() - body.index()];
            if place == NOWHERE || !page.is_element(node) {
                continue;
            }
            if self.is_leaf(page, node) {
                self.leaf_pages[place as usize] += 1;
                for_each_feature(page, node, |feature| {
                    features.entry(mix(u64::from(place), feature)).or_insert((place, 0)).1 += 1;
                });
                continue;
            }
            let (mut sequence, mut len) = (u64::from(place), 0);
            for child in page.element_children(node) {
                sequence = mix(sequence, self.kind(page, child));
                len += 1;
            }
            if let Some(first) = self.enter(place, sequence, len) {
                for (at, child) in (first..).zip(page.element_children(node)) {
                    places[child.index() - body.index()] = at;
                }
            }
        }
        // In a fixed order, because the order of a sum of numbers with fractions shows in its last digits.
        let mut features: Vec<(u64, (u32, u64))> = features.into_iter().collect();
        features.sort_unstable();
        for (key, (leaf, count)) in features {
            self.count(key, leaf, count as f64);
        }
        places
    }

    fn is_leaf(&self, page: &Page, node: NodeId) -> bool {
        let has_text = |child: NodeId| page.tag(child) == Tag::Text && page.counts(child).tokens > 0;
        page.element_children(node).next().is_none()
            || self.leaves == Leaves::AroundText && page.tag(node) != Tag::Body && page.children(node).any(has_text)
    }

    /// The style node of a sequence below an element node: tells its first element node, if there is room for it.
    fn enter(&mut self, parent: u32, sequence: u64, len: u32) -> Option<u32> {
        let next = self.styles.len() as u32;
        let is_room = self.style_of.len() + len as usize <= MOST_ELEMENTS;
        let style = match self.numbers.get(&sequence) {
            Some(style) => *style,
            None if is_room => {
                self.numbers.insert(sequence, next);
                self.styles.push(Style { parent, first: self.style_of.len() as u32, len, pages: 0 });
                self.style_of.resize(self.style_of.len() + len as usize, next);
                self.leaf_pages.resize(self.style_of.len(), 0);
                next
            }
            None => return None,
        };
        let style = &mut self.styles[style as usize];
        style.pages += 1;
        Some(style.first)
    }

    fn count(&mut self, key: u64, leaf: u32, count: f64) {
        let next = self.features.len() as u32;
        if self.features.len() == MOST_FEATURES && !self.feature_numbers.contains_key(&key) {
            return;
        }
        let number = *self.feature_numbers.entry(key).or_insert(next);
        if number == next {
            self.features.push(Feature { leaf, occurrences: 0.0, n_log_n: 0.0 });
        }
        let feature = &mut self.features[number as usize];
        feature.occurrences += count;
        feature.n_log_n += count * count.ln();
    }

    fn kind(&self, page: &Page, node: NodeId) -> u64 {
        let name = hash_bytes(0, page.name(node).as_bytes());
        if self.looks == Looks::Tags {
            return name;
        }
        page.attrs(node).fold(name, |sum, (attribute, value)| {
            let counts = match self.looks {
                Looks::Presentation => PRESENTATION.contains(&attribute),
                _ => !matches!(attribute, "id" | "href" | "src" | "action" | "title" | "alt" | "value"),
            };
            if counts { sum.wrapping_add(mix(hash_bytes(1, attribute.as_bytes()), hash_bytes(2, value.as_bytes()))) } else { sum }
        })
    }

    /// Composite importance of all element nodes (CompImp), `gamma` to the number of styles being the weight of what is below.
    #[must_use]
    pub(crate) fn importance(&self, gamma: f64) -> Vec<f64> {
        let mut of_leaf: Vec<(f64, u32)> = vec![(0.0, 0); self.style_of.len()];
        for feature in &self.features {
            let pages = f64::from(self.pages_with(feature.leaf));
            let entropy = (feature.occurrences.ln() - feature.n_log_n / feature.occurrences) / pages.ln();
            let (sum, number) = &mut of_leaf[feature.leaf as usize];
            (*sum, *number) = (*sum + entropy, *number + 1);
        }
        // What the styles of an element node add up to: p log p, p times importance, and how many there are.
        let mut below: Vec<(f64, f64, i32)> = vec![(0.0, 0.0, 0); self.style_of.len()];
        let mut importance = vec![0.0; self.style_of.len()];
        let mut settle = |element: usize, below: &[(f64, f64, i32)]| {
            let pages = self.pages_with(element as u32);
            let (mut plogp, mut inner, mut styles) = below[element];
            let (entropies, features) = of_leaf[element];
            let as_leaf = if features == 0 { 0.0 } else { 1.0 - entropies / f64::from(features) };
            if self.leaf_pages[element] > 0 {
                let share = f64::from(self.leaf_pages[element]) / f64::from(pages);
                (plogp, inner, styles) = (plogp + share * share.ln(), inner + share * as_leaf, styles + 1);
            }
            importance[element] = match pages {
                // On one page only, or with nothing known of what is in it.
                0 | 1 if below[element].2 == 0 => 1.0,
                _ if styles == 0 => 1.0,
                _ if below[element].2 == 0 => as_leaf,
                pages => composite(node_importance(plogp, pages), inner, styles, gamma),
            };
            importance[element]
        };
        for style in self.styles.iter().rev() {
            let elements = style.first as usize..(style.first + style.len) as usize;
            let sum: f64 = elements.map(|element| settle(element, &below)).sum();
            let share = f64::from(style.pages) / f64::from(self.pages_with(style.parent));
            let (plogp, inner, styles) = &mut below[style.parent as usize];
            *plogp += share * share.ln();
            *inner += share * sum / f64::from(style.len);
            *styles += 1;
        }
        settle(0, &below);
        importance
    }
}

/// NodeImp: the entropy of an element node's styles, to the base of its pages; 1 on a single page. From the sum of p log p.
fn node_importance(plogp: f64, pages: u32) -> f64 {
    // The entropy of one style is nothing, not less than nothing.
    if pages <= 1 { 1.0 } else { (-plogp / f64::from(pages).ln()).max(0.0) }
}

/// CompImp of an inner element node from its own importance and the mean of what is below.
fn composite(own: f64, below: f64, styles: i32, gamma: f64) -> f64 {
    let weight = gamma.powi(styles);
    (1.0 - weight) * own + weight * below
}

/// The words, links and pictures of a leaf.
fn for_each_feature(page: &Page, leaf: NodeId, mut with: impl FnMut(u64)) {
    let mut addresses = Addresses::of(page);
    for node in page.subtree(leaf) {
        match page.tag(node) {
            Tag::Text => words(page.string(node)).for_each(|word| with(hash_text(1, word))),
            tag if tag.is_element() => {
                for attribute in ["href", "src"] {
                    if let Some(value) = page.attr(node, attribute) {
                        with(addresses.hash(value.trim_ascii()));
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node_imp(pages: u32, shares: &[f64]) -> f64 {
        let plogp = shares.iter().map(|share| share * share.ln()).sum();
        (node_importance(plogp, pages) * 1e6).round() / 1e6
    }

    /// Computed from the formulas of 3.3.4.
    #[test]
    fn importance_of_nodes() {
        assert_eq!((node_imp(100, &[0.35, 0.25, 0.25, 0.15]) * 1e4).round(), 2921.0);
        assert_eq!(node_imp(7, &[1.0]), 0.0);
        assert_eq!(node_imp(2, &[0.5, 0.5]), 1.0);
        assert_eq!(node_imp(4, &[0.25; 4]), 1.0);
        assert_eq!(node_imp(4, &[0.75, 0.25]), 0.405_639);
        assert_eq!(node_imp(1, &[1.0]), 1.0);
    }

    /// Computed from the formulas of 3.3.4.
    #[test]
    fn composite_importance() {
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        assert_eq!(rounded(composite(0.0, 1.0, 1, 0.9)), 0.9);
        assert_eq!(rounded(composite(0.0, 0.5, 1, 0.9)), 0.45);
        let own = node_imp(4, &[0.75, 0.25]);
        assert_eq!(rounded(composite(own, 0.75 * 0.2 + 0.25, 2, 0.9)), 0.401_071);
    }

    fn tree(leaves: Leaves, pages: &[&str]) -> (SiteStyleTree, Vec<u32>) {
        let mut tree = SiteStyleTree::new(Looks::Presentation, leaves);
        let mut places: Vec<Vec<u32>> = pages.iter().map(|html| tree.add(&Page::parse(*html))).collect();
        (tree, places.remove(0))
    }

    /// A word on all four pages and one on a single page.
    #[test]
    fn a_leaf_is_as_important_as_its_words_are_rare() {
        let (tree, places) = tree(Leaves::Elements, &["<p>home rain</p>", "<p>home</p>", "<p>home</p>", "<p>home</p>"]);
        let importance = tree.importance(0.9);
        assert!((importance[places[1] as usize] - 0.5).abs() < 1e-9);
        assert!((importance[0] - 0.45).abs() < 1e-9);
    }

    #[test]
    fn pages_share_a_style_if_names_and_looks_of_the_sequence_agree() {
        let same = ["<p class=a>x</p><ul><li>1</ul>", "<p class=a id=other>y</p><ul><li>1<li>2</ul>"];
        assert_eq!(tree(Leaves::Elements, &same).0.styles.len(), 3);
        let other = ["<p class=a>x</p>", "<p class=b>x</p>"];
        assert_eq!(tree(Leaves::Elements, &other).0.styles.len(), 2);
        let mut by_name = SiteStyleTree::new(Looks::Tags, Leaves::Elements);
        other.iter().for_each(|html| drop(by_name.add(&Page::parse(*html))));
        assert_eq!((by_name.styles.len(), by_name.styles[0].pages), (1, 2));
    }

    /// Our reading: where an element has elements on some pages only, being a leaf is one more style.
    #[test]
    fn an_element_that_is_a_leaf_on_some_pages_has_both_importances() {
        let (tree, places) = tree(Leaves::Elements, &["<div>a</div>", "<div><b>b</b></div>"]);
        let weight = 0.81;
        // Two styles of one page each: entropy 1; the leaf's word and the element in the other style are on one page only.
        let expected = (1.0 - weight) + weight * (0.5 + 0.5);
        assert!((tree.importance(0.9)[places[1] as usize] - expected).abs() < 1e-9);
    }

    #[test]
    fn text_beside_elements_counts_where_elements_around_text_are_leaves() {
        let pages = ["<p>one <br>two</p>", "<p>three <br>four</p>"];
        let importance = |leaves| {
            let (tree, places) = tree(leaves, &pages);
            tree.importance(0.9)[places[1] as usize]
        };
        assert_eq!((importance(Leaves::Elements), importance(Leaves::AroundText)), (0.0, 1.0));
    }

    proptest! {
        #[test]
        fn importance_is_between_nothing_and_one(
            pages in prop::collection::vec("(<(div|p|ul|li|b)( class=[ab])?>|</(div|ul|p)>|one |two ){0,20}", 1..5),
        ) {
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            for leaves in [Leaves::Elements, Leaves::AroundText] {
                let (tree, places) = tree(leaves, &pages);
                prop_assert!(tree.importance(0.9).iter().all(|value| (-1e-9..=1.0 + 1e-9).contains(value)));
                prop_assert!(places.iter().all(|place| *place == NOWHERE || (*place as usize) < tree.style_of.len()));
            }
        }
    }
}
