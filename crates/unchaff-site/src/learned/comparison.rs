//! A page beside the learned pages of its site: which of them have what it has, and what that makes of each element.
//!
//! Our own, after what was measured on 68 sites: text and references that recur on similar pages, put together along the tree,
//! find more of the template than mappings of trees do. The page in question chooses its company when it comes: the most similar pages
//! by their paths count, the more the more similar, and copies of it (the page itself at another address, print and reply
//! versions) do not count at all, or all of it would be template.

use crate::learned::evidence::{BACK, LEAVE, evidence_of};
use crate::learned::key_index::{KeyIndex, Seen};
use crate::learned::key_numbers::KeyNumbers;
use crate::learned::page_keys::{ElementKeys, PageKeys};
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::learned::small_logs::ln;
use unchaff_page::learned::tree_labelling::marginals;

/// So many pages can be compared with: one bit each.
pub const MOST_PAGES: usize = 64;

/// A place that is much oftener or rarer on another page varies as much as this at most.
const MOST_VARIED: f32 = 3.0;

/// How a page chooses its company, and what is made of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Company {
    /// Only so many learned pages count, the most similar.
    pub used: usize,
    /// A learned page that has so much of a page's texts is a copy of it and does not count.
    pub copy: f64,
    /// A learned page that has more than so much of the words that few pages have is a copy too: a print version, a page of the same thread.
    pub rare: f64,
    /// Learned pages less similar than this, by shared paths, do not count.
    pub min_similarity: f64,
    /// Elements are template from this confidence on.
    pub min_confidence: f64,
}

impl Default for Company {
    fn default() -> Company {
        Company { used: MOST_PAGES, copy: 0.97, rare: 0.5, min_similarity: 0.02, min_confidence: 0.6 }
    }
}

impl KeyIndex {
    /// The pages that have most of the words that few others have. The pages that are the same are none of these others.
    fn with_rare_words(&self, texts: &[Text], same: u64, most: f64) -> u64 {
        let few = (self.pages.len() as u32 - same.count_ones()) * 3 / 10;
        let (mut rare, mut common) = (0u32, [0u32; MOST_PAGES]);
        for text in texts {
            let pages = text.pages & !same;
            if pages.count_ones() <= few {
                rare += text.words;
                bits(pages).for_each(|page| common[page] += text.words);
            }
        }
        let has_most = |common: u32| f64::from(common) > most * f64::from(rare);
        common.iter().enumerate().filter(|(_, common)| has_most(**common)).fold(0, |pages, (at, _)| pages | 1 << at)
    }

    /// Of how many keys each page has one.
    fn common(&self, keys: impl Iterator<Item = u64>) -> [u32; MOST_PAGES] {
        let all = u64::MAX.checked_shr(u64::BITS - self.pages.len() as u32).unwrap_or(0);
        let (mut on_all, mut common) = (0, [0; MOST_PAGES]);
        for pages in keys {
            // Most keys are on all pages, or on few.
            if pages == all {
                on_all += 1;
            } else {
                bits(pages).for_each(|page| common[page] += 1);
            }
        }
        common.iter_mut().take(self.pages.len()).for_each(|common| *common += on_all);
        common
    }

    /// Compares a page with the learned ones.
    pub(crate) fn compare(&self, keys: &PageKeys, how: &Company) -> Comparison<'_> {
        // Most places occur several times, and half of the elements have text.
        let mut places: Vec<Place> = Vec::with_capacity(keys.len() / 4);
        let mut texts: Vec<Text> = Vec::with_capacity(keys.len() / 2);
        let (mut place_of, mut text_of) = (Vec::with_capacity(keys.len()), Vec::with_capacity(keys.len()));
        let [mut known_paths, mut known_texts] = [(); 2].map(|()| KeyNumbers::for_keys(keys.len()));
        for (element, own) in keys.keys.iter().zip(&keys.words) {
            let place = known_paths.number(element.path);
            if place as usize == places.len() {
                places.push(Place { path: element.path, ..Place::default() });
            }
            places[place as usize].here += 1;
            place_of.push(place);
            if element.folded_text == 0 {
                text_of.push(NO_TEXT);
                continue;
            }
            let text = known_texts.number(element.folded_text);
            if text as usize == texts.len() {
                texts.push(Text { key: element.folded_text, ..Text::default() });
            }
            texts[text as usize].here += 1;
            texts[text as usize].words = *own;
            text_of.push(text);
        }
        // Look-ups that nothing comes between wait for memory together.
        places.iter_mut().for_each(|place| place.seen = self.get(place.path).copied().unwrap_or_default());
        texts.iter_mut().for_each(|text| text.pages = self.pages_with(text.key));
        let common_paths = self.common(places.iter().map(|place| place.seen.pages));
        let common_texts = self.common(texts.iter().map(|text| text.pages));
        // All pages have the place of `body` in common, which says nothing.
        let similarity = |at: usize| {
            let common = common_paths[at].saturating_sub(1);
            let all = (places.len() as u32 + self.pages[at].paths).saturating_sub(common + 2);
            f64::from(common) / f64::from(all.max(1))
        };
        let is_same = |at: usize| {
            let known = &self.pages[at];
            let same_texts = f64::from(common_texts[at]) >= how.copy * f64::from((texts.len() as u32).max(1));
            same_texts || known.address == keys.address || known.all == keys.all
        };
        let same = (0..self.pages.len()).filter(|at| is_same(*at)).fold(0u64, |same, at| same | 1 << at);
        let copies = same | self.with_rare_words(&texts, same, how.rare);
        let is_copy = |at: usize| copies >> at & 1 == 1;
        let mut ranked: Vec<(usize, f64)> = (0..self.pages.len()).map(|at| (at, similarity(at))).collect();
        ranked.retain(|(_, similarity)| *similarity >= how.min_similarity);
        let similar = ranked.len();
        ranked.retain(|(at, _)| !is_copy(*at));
        let copies = similar - ranked.len();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        ranked.truncate(how.used);
        let total: f64 = ranked.iter().map(|(_, similarity)| similarity).sum();
        let (mut used, mut weights) = (0, [0.0; MOST_PAGES]);
        for (at, similarity) in &ranked {
            weights[*at] = (similarity / total.max(f64::MIN_POSITIVE)) as f32;
            used |= 1 << at;
        }
        let sums = ByteSums::new(&weights);
        let (all, best) = (sums.sum(used), ranked.first().map_or(0, |(at, _)| 1 << at));
        let (on, found) = (Vec::new(), Vec::with_capacity(keys.len()));
        let mut comparison =
            Comparison { index: self, sums, all, used, best, ranked, copies, places, place_of, texts, text_of, on, found };
        comparison.settle_places(&weights);
        comparison.settle_texts();
        // Here they do, too.
        comparison.on = keys.keys.iter().enumerate().map(|(at, own)| comparison.look_up(at, own)).collect();
        for at in 0..keys.len() {
            let found = comparison.find(at);
            comparison.found.push(found);
        }
        comparison
    }
}

/// A path of the page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    path: u32,
    /// How often it occurs in the page.
    here: u32,
    /// The logarithm of that.
    pub(crate) repeats: f32,
    /// The weighted share of pages that have it, and how many they are.
    pub(crate) share: f32,
    pages: f32,
    /// Whether the most similar page has it.
    pub(crate) in_best: bool,
    /// How much it varies how often it occurs: the logarithm of the ratio to this page, or 1 for a page that has it not, in the weighted mean of all pages. A
    /// mean and no extreme, for it must say the same of four pages and of sixty.
    pub(crate) varies: f32,
    /// The weighted share of pages that have it as often.
    pub(crate) as_often: f32,
    seen: Seen,
}

/// A text of the page, digits folded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Text {
    key: u32,
    /// How often it occurs in the page.
    pub(crate) here: u32,
    words: u32,
    /// The pages that have it, and their weighted share.
    pages: u64,
    share: f32,
}

/// Which of the pages compared with have what one element has, a bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct On {
    pub(crate) text: u64,
    pub(crate) whole: u64,
    reference: u64,
}

/// What the pages compared with have of one element, by their weighted shares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Its text, or with other digits or class, which counts somewhat less.
    pub(crate) text: f32,
    pub(crate) text_in_best: bool,
    /// Its text, digits folded.
    pub(crate) folded: f32,
    pub(crate) folded_in_best: bool,
    /// How many pages have that, and how often this one has it.
    pub(crate) pages: u32,
    pub(crate) here: u32,
    /// What it refers to.
    pub(crate) reference: f32,
    /// The text of all of it.
    pub(crate) whole: f32,
    /// How many of the pages with its place have its text, whatever the digits, its reference, and all of it.
    pub(crate) text_where_placed: f32,
    pub(crate) reference_where_placed: f32,
    pub(crate) whole_where_placed: f32,
}

/// The text of an element without any.
const NO_TEXT: u32 = u32::MAX;

/// A page beside the learned pages it is compared with.
#[derive(Clone, Debug)]
pub struct Comparison<'i> {
    index: &'i KeyIndex,
    /// How much pages count, of 1 in all.
    sums: ByteSums,
    /// How much all do, which is 1 but for rounding.
    all: f32,
    used: u64,
    best: u64,
    /// The learned pages that count, by number, with their similarity, the most similar first.
    pub ranked: Vec<(usize, f64)>,
    /// How many were left out as copies.
    pub copies: usize,
    /// The paths of the page, and that of each element.
    places: Vec<Place>,
    place_of: Vec<u32>,
    /// The folded texts of the page, and that of each element.
    texts: Vec<Text>,
    text_of: Vec<u32>,
    /// Where each element was found, and what that says.
    on: Vec<On>,
    found: Vec<Found>,
}

impl Comparison<'_> {
    /// Whether any learned page is similar enough to say something.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.ranked.is_empty()
    }

    /// The weighted share of a set of pages.
    pub(crate) fn share_of(&self, pages: u64) -> f32 {
        // Most of a page stands on all of them or on none.
        if pages == self.used { self.all } else { self.sums.sum(pages) }
    }

    /// What the pages have of an element.
    pub(crate) fn found(&self, element: usize) -> &Found {
        &self.found[element]
    }

    /// Which pages have what an element has.
    pub(crate) fn on(&self, element: usize) -> &On {
        &self.on[element]
    }

    /// Which pages have what an element has.
    fn look_up(&self, element: usize, own: &ElementKeys) -> On {
        if own.whole == 0 && own.reference == 0 {
            return On::default();
        }
        let look_up = |key: u32| match key {
            0 => 0,
            key if key == own.folded_text => self.pages_with_text(element),
            key => self.index.pages_with(key) & self.used,
        };
        On { text: look_up(own.text), whole: look_up(own.whole), reference: look_up(own.reference) }
    }

    /// What that means.
    fn find(&self, element: usize) -> Found {
        let on = self.on[element];
        let Text { pages, share: folded, here, .. } = self.text(element).copied().unwrap_or(Text { here: 1, ..Text::default() });
        if pages | on.text | on.whole | on.reference == 0 {
            return Found { here, ..Found::default() };
        }
        let share = |pages_of_key: u64| if pages_of_key == pages { folded } else { self.share_of(pages_of_key) };
        // Of all pages with its place and one more, so that one page alone is no proof.
        let place = self.place(element);
        let with_place = place.seen.pages & self.used;
        let where_placed = |pages: u64| match with_place & pages {
            0 => 0.0,
            both if both == with_place => place.pages / (place.pages + 1.0),
            both => both.count_ones() as f32 / (place.pages + 1.0),
        };
        let text_where_placed = where_placed(pages);
        let where_placed = |pages_of_key: u64| if pages_of_key == pages { text_where_placed } else { where_placed(pages_of_key) };
        Found {
            text: share(on.text).max(0.8 * folded),
            text_in_best: on.text & self.best != 0,
            folded,
            folded_in_best: pages & self.best != 0,
            pages: if pages == 0 { 0 } else { pages.count_ones() },
            here,
            reference: share(on.reference),
            whole: share(on.whole),
            text_where_placed,
            reference_where_placed: where_placed(on.reference),
            whole_where_placed: where_placed(on.whole),
        }
    }

    /// The path of an element.
    pub(crate) fn place(&self, element: usize) -> &Place {
        &self.places[self.place_of(element)]
    }

    /// Its number among the paths of the page.
    pub(crate) fn place_of(&self, element: usize) -> usize {
        self.place_of[element] as usize
    }

    /// How many paths the page has.
    pub(crate) fn places(&self) -> usize {
        self.places.len()
    }

    /// The name of the template of the page, if a learned page has it.
    pub(crate) fn template(&self) -> Option<String> {
        self.index.template(self.places.iter().map(|place| place.path))
    }

    /// What there is to be said of each path, given how much each page counts: elements share them, so that is said once.
    fn settle_places(&mut self, weights: &[f32; MOST_PAGES]) {
        let sum = |pages: u64| bits(pages).fold(0.0, |sum, page| sum + weights[page]);
        let mut last = (0, 0.0);
        for place in &mut self.places {
            let pages = place.seen.pages & self.used;
            place.share = if pages == self.used { self.all } else { self.sums.sum(pages) };
            place.in_best = pages & self.best != 0;
            place.pages = pages.count_ones() as f32;
            place.repeats = ln(place.here);
            place.varies = (1.0 - place.share).max(0.0);
            let mut as_often = 0;
            // Most places are as often on all pages that have them, and these are mostly the same pages.
            if self.index.has_always(&place.seen, place.here) {
                as_often = pages;
            } else {
                for (page, there) in self.index.counts(&place.seen).filter(|(page, _)| pages >> page & 1 == 1) {
                    if there == place.here {
                        as_often |= 1 << page;
                    } else {
                        place.varies += weights[page] * (ln(there.max(1)) - place.repeats).abs().min(MOST_VARIED);
                    }
                }
            }
            if last.0 != as_often {
                last = (as_often, sum(as_often));
            }
            place.as_often = last.1;
        }
    }

    /// The same of each text.
    fn settle_texts(&mut self) {
        let mut texts = std::mem::take(&mut self.texts);
        for text in &mut texts {
            text.pages &= self.used;
            text.share = self.share_of(text.pages);
        }
        self.texts = texts;
    }

    /// The pages compared with, a bit each.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// Those of them that have the folded text of an element.
    pub(crate) fn pages_with_text(&self, element: usize) -> u64 {
        self.text(element).map_or(0, |text| text.pages)
    }

    fn text(&self, element: usize) -> Option<&Text> {
        self.texts.get(self.text_of[element] as usize)
    }

    /// Tells template from the rest on the page. If no page is compared with, nothing is template, at confidence 0.
    #[must_use]
    pub fn apply(&self, page: &Page, keys: &PageKeys, names: &NameFamilies, min_confidence: f64) -> Applied {
        let mut nodes = NodeSet::new(page);
        if !self.is_known() {
            let nothing = vec![0.0; keys.len()];
            let (evidence, probabilities) = (nothing.clone(), nothing);
            return Applied { nodes, confidence: 0.0, similarity: 0.0, used: 0, evidence, probabilities };
        }
        let own = evidence_of(page, keys, names, self);
        let probabilities = marginals(&keys.parents, &own, LEAVE, BACK);
        let mut sure = 0.0;
        let end = page.body().map_or(NodeId(0), |body| page.end(body));
        let next = keys.nodes.iter().copied().skip(1).chain([end]);
        for ((node, probability), next) in keys.nodes.iter().zip(&probabilities).zip(next) {
            sure += (2.0 * probability - 1.0).abs();
            if *probability >= min_confidence {
                nodes.insert(*node);
            }
            // What stands before the next element is none, and is what its parent is.
            for between in (node.0 + 1..next.0).map(NodeId) {
                if page.parent(between).is_some_and(|parent| nodes.contains(parent)) {
                    nodes.insert(between);
                }
            }
        }
        let similarity = self.ranked[0].1;
        // Half of its paths shared is as much as pages of one template often have.
        let confidence = sure / keys.len().max(1) as f64 * (2.0 * similarity).min(1.0);
        Applied { nodes, confidence, similarity, used: self.ranked.len(), evidence: own, probabilities }
    }
}

/// What a comparison says about the template of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Applied {
    /// The template: elements, with what stands directly in them.
    pub nodes: NodeSet,
    /// How far to trust it, 0 to 1: how sure the elements are, less if no learned page is much like this one.
    pub confidence: f64,
    /// The share of paths that the most similar learned page has in common with this one.
    pub similarity: f64,
    /// How many learned pages counted.
    pub used: usize,
    /// What each element of the page's [keys](PageKeys) says for (positive) or against template on its own, in log-odds.
    pub evidence: Vec<f64>,
    /// How probable it is that each is template, given the evidence of all.
    pub probabilities: Vec<f64>,
}

impl Applied {
    /// How probable it is that each node of a page is template: that of the element around it.
    #[must_use]
    pub fn by_node(&self, page: &Page, keys: &PageKeys) -> Vec<f32> {
        let mut probabilities = vec![0.5; page.len()];
        let mut elements = keys.nodes.iter().zip(&self.probabilities).peekable();
        for node in page.nodes() {
            probabilities[node.index()] = match elements.next_if(|(element, _)| **element == node) {
                Some((_, probability)) => *probability as f32,
                None => page.parent(node).map_or(0.5, |parent: NodeId| probabilities[parent.index()]),
            };
        }
        probabilities
    }
}

/// Sums of weights by set of pages: those of each byte of the set are known beforehand, up to the last page with a weight.
#[derive(Clone, Debug)]
struct ByteSums(Vec<[f32; 256]>);

impl ByteSums {
    fn new(weights: &[f32; MOST_PAGES]) -> ByteSums {
        let used = weights.iter().rposition(|weight| *weight != 0.0).map_or(0, |last| last / 8 + 1);
        let mut sums = vec![[0.0; 256]; used];
        for (sums, weights) in sums.iter_mut().zip(weights.chunks_exact(8)) {
            // From the highest bit on: sets of higher bits are summed up before.
            for (bit, weight) in weights.iter().enumerate().rev() {
                for higher in (0..256).step_by(2 << bit) {
                    sums[higher | 1 << bit] = sums[higher] + weight;
                }
            }
        }
        ByteSums(sums)
    }

    fn sum(&self, pages: u64) -> f32 {
        if pages == 0 {
            return 0.0;
        }
        pages.to_le_bytes().iter().zip(&self.0).map(|(set, sums)| sums[usize::from(*set)]).sum()
    }
}

/// The positions of the bits that are set.
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (at < 64).then_some(at as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteModel;
    use unchaff_dom::Parser;

    /// How much the place of the first paragraph varies, and which share of pages has it as often, beside pages with these numbers of paragraphs.
    fn place(others: &[usize]) -> (f32, f32) {
        let page = |number: usize, paragraphs: usize| {
            let text: String = (0..paragraphs).map(|at| format!("<p>Words {number} and {at}</p>")).collect();
            Parser::new().url(&format!("https://example.org/{number}")).parse(format!("<h1>Title {number}</h1><div>{text}</div>"))
        };
        let others: Vec<Page> = others.iter().enumerate().map(|(number, count)| page(number + 1, *count)).collect();
        let model = SiteModel::learn(&others);
        let keys = PageKeys::of(&page(0, 2));
        let comparison = model.compare(&keys, &Company { rare: 1.0, copy: 2.0, ..Company::default() });
        let paragraph = keys.keys.iter().rposition(|element| element.folded_text != 0).unwrap();
        let place = comparison.place(paragraph);
        (place.varies, place.as_often)
    }

    #[test]
    fn a_place_says_the_same_of_few_pages_and_of_many() {
        assert_eq!(place(&[2, 2]), (0.0, 1.0));
        let (few, many) = (place(&[2, 4]), place(&[2, 4].repeat(12)));
        assert!((few.0 - many.0).abs() < 1e-3 && (few.1 - many.1).abs() < 1e-3, "{few:?} {many:?}");
        assert!((few.0 - 0.5 * 2.0f32.ln()).abs() < 0.1, "{few:?}");
        // One page out of many that is different changes little.
        let odd = place(&[vec![2; 20], vec![40]].concat());
        assert!(odd.0 < 0.3 && odd.1 > 0.9, "{odd:?}");
    }
}
