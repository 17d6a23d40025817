//! A page beside the learned pages of its site: which of them have what it has, and what that makes of each element.
//!
//! Our own, after what was measured on 68 sites: text and references that recur on similar pages, put together along the tree,
//! find more of the template than mappings of trees do. The page in question chooses its company when it comes: the most similar pages
//! by their paths count, the more the more similar, and copies of it (the page itself at another address, print and reply
//! versions) do not count at all, or all of it would be template.

use crate::distances::sketch;
use crate::learned::evidence::{BACK, LEAVE, evidence_of};
use crate::learned::page_keys::{ElementKeys, KeyMap, PATH, PageKeys};
use crate::learned::page_record::PageRecord;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::learned::small_logs::ln;
use unchaff_page::learned::tree_labelling::marginals;

/// So many pages can be compared with: one bit each.
pub const MOST_PAGES: usize = 64;

/// Pages with at least this share of common paths share a template.
const SAME_TEMPLATE: f64 = 0.3;

/// A place that is much oftener or rarer on another page varies as much as this at most.
const MOST_VARIED: f32 = 3.0;

/// A page by its paths.
type Sketch = sketch::Sketch<64>;

/// All pages have the place of `body`, which says nothing.
fn sketch_of(paths: impl Iterator<Item = u64>) -> Sketch {
    Sketch::of(paths.filter(|path| *path != PATH))
}

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

/// Which pages have a key; for paths also where the counts of how often begin.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    pages: u64,
    counts: u32,
}

/// The learned pages by key: one look-up tells which of them have it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyIndex {
    pages: Vec<Known>,
    seen: KeyMap<Seen>,
    /// How often each path occurs on each page that has it, by path and page.
    counts: Vec<u16>,
}

/// A learned page without its keys.
#[derive(Clone, Debug)]
struct Known {
    address: u64,
    source: u64,
    paths: u32,
    sketch: Sketch,
    /// The page that stands for its template.
    template: usize,
}

impl KeyIndex {
    /// An index over at most [`MOST_PAGES`] records.
    pub(crate) fn of(records: &[PageRecord]) -> KeyIndex {
        let records = &records[..records.len().min(MOST_PAGES)];
        let mut index = KeyIndex::default();
        let keys: usize = records.iter().map(|record| record.keys.len()).max().unwrap_or(0);
        index.seen.reserve(2 * keys);
        for (number, record) in records.iter().enumerate() {
            for key in record.keys.iter().chain(record.paths.iter().map(|(path, _)| path)) {
                index.seen.entry(*key).or_insert(Seen { pages: 0, counts: 0 }).pages |= 1 << number;
            }
            index.add_page(record);
        }
        let mut paths: Vec<(u64, u8, u16)> = Vec::new();
        for (number, record) in (0..).zip(records) {
            paths.extend(record.paths.iter().map(|(path, count)| (*path, number, *count)));
        }
        paths.sort_unstable();
        for run in paths.chunk_by(|one, other| one.0 == other.0) {
            if let Some(seen) = index.seen.get_mut(&run[0].0) {
                seen.counts = index.counts.len() as u32;
            }
            index.counts.extend(run.iter().map(|(_, _, count)| *count));
        }
        index
    }

    /// A page joins the template of the most similar page that stands for one, or stands for one itself.
    fn add_page(&mut self, record: &PageRecord) {
        let sketch = sketch_of(record.paths.iter().map(|(path, _)| *path));
        let own = self.pages.len();
        let template = self.nearest(&sketch).unwrap_or(own);
        let (address, source, paths) = (record.address, record.source, record.paths.len() as u32);
        self.pages.push(Known { address, source, paths, sketch, template });
    }

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

    /// The page that stands for the template most like a sketch, if one is like enough; of equals the first.
    fn nearest(&self, sketch: &Sketch) -> Option<usize> {
        let stands = self.pages.iter().enumerate().filter(|(at, page)| page.template == *at);
        let similar = stands.map(|(at, page)| (at, page.sketch.similarity(sketch)));
        let similar = similar.filter(|(_, similarity)| *similarity >= SAME_TEMPLATE);
        similar.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
    }

    /// The name of the template of a page with these paths, if a learned page has it: that of the page that stands for it.
    fn template(&self, paths: impl Iterator<Item = u64>) -> Option<String> {
        let sketch = sketch_of(paths);
        self.nearest(&sketch).map(|at| format!("{:08x}", self.pages[at].address >> 32))
    }

    /// Compares a page with the learned ones.
    pub(crate) fn compare(&self, keys: &PageKeys, how: &Company) -> Comparison<'_> {
        let (mut places, mut texts): (Vec<Place>, Vec<Text>) = Default::default();
        let (mut place_of, mut text_of) = (Vec::with_capacity(keys.len()), Vec::with_capacity(keys.len()));
        let (mut known_paths, mut known_texts): (KeyMap<u32>, KeyMap<u32>) = Default::default();
        known_texts.reserve(keys.len() / 2);
        known_paths.reserve(keys.len() / 4);
        for (element, own) in keys.keys.iter().zip(&keys.words) {
            let place = *known_paths.entry(element.path).or_insert(places.len() as u32);
            if place as usize == places.len() {
                places.push(Place { path: element.path, ..Place::default() });
            }
            places[place as usize].here += 1;
            place_of.push(place);
            if element.folded_text == 0 {
                text_of.push(NO_TEXT);
                continue;
            }
            let text = *known_texts.entry(element.folded_text).or_insert(texts.len() as u32);
            if text as usize == texts.len() {
                texts.push(Text { key: element.folded_text, ..Text::default() });
            }
            texts[text as usize].here += 1;
            texts[text as usize].words = *own;
            text_of.push(text);
        }
        let (mut common_paths, mut common_texts) = ([0u32; MOST_PAGES], [0u32; MOST_PAGES]);
        for place in &mut places {
            place.seen = self.seen.get(&place.path).copied().unwrap_or_default();
            bits(place.seen.pages).for_each(|page| common_paths[page] += 1);
        }
        for text in &mut texts {
            text.pages = self.seen.get(&text.key).map_or(0, |seen| seen.pages);
            bits(text.pages).for_each(|page| common_texts[page] += 1);
        }
        // All pages have the place of `body` in common, which says nothing.
        let similarity = |at: usize| {
            let common = common_paths[at].saturating_sub(1);
            let all = (places.len() as u32 + self.pages[at].paths).saturating_sub(common + 2);
            f64::from(common) / f64::from(all.max(1))
        };
        let is_same = |at: usize| {
            let known = &self.pages[at];
            let same_texts = f64::from(common_texts[at]) >= how.copy * f64::from((texts.len() as u32).max(1));
            same_texts || known.address == keys.address || known.source == keys.source
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
        let (weights, used, best) = (ByteSums::default(), 0, 0);
        let mut comparison = Comparison { index: self, weights, used, best, ranked, copies, places, place_of, texts, text_of };
        let total: f64 = comparison.ranked.iter().map(|(_, similarity)| similarity).sum();
        let mut weights = [0.0; MOST_PAGES];
        for (at, similarity) in &comparison.ranked {
            weights[*at] = (similarity / total.max(f64::MIN_POSITIVE)) as f32;
            comparison.used |= 1 << at;
        }
        comparison.weights = ByteSums::new(&weights);
        comparison.best = comparison.ranked.first().map_or(0, |(at, _)| 1 << at);
        comparison.settle_places();
        comparison
    }
}

/// A path of the page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    path: u64,
    /// How often it occurs in the page.
    here: u32,
    /// The logarithm of that.
    pub(crate) repeats: f32,
    /// The weighted share of pages that have it.
    pub(crate) share: f32,
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
    key: u64,
    /// How often it occurs in the page.
    pub(crate) here: u32,
    words: u32,
    pages: u64,
}

/// The text of an element without any.
const NO_TEXT: u32 = u32::MAX;

/// A page beside the learned pages it is compared with.
#[derive(Clone, Debug)]
pub struct Comparison<'i> {
    index: &'i KeyIndex,
    /// How much each page counts, of 1 in all.
    weights: ByteSums,
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
}

impl Comparison<'_> {
    /// Whether any learned page is similar enough to say something.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.ranked.is_empty()
    }

    fn pages_of(&self, key: u64) -> u64 {
        if key == 0 { 0 } else { self.index.seen.get(&key).map_or(0, |seen| seen.pages & self.used) }
    }

    /// The weighted share of pages that have a key, and whether the most similar one has it.
    pub(crate) fn share(&self, key: u64) -> (f32, bool) {
        self.share_of(self.pages_of(key))
    }

    fn share_of(&self, pages: u64) -> (f32, bool) {
        (self.weights.sum(pages), pages & self.best != 0)
    }

    /// The path of an element.
    pub(crate) fn place(&self, element: usize) -> &Place {
        &self.places[self.place_of[element] as usize]
    }

    /// Of the folded text of an element: the share of pages that have it, whether the most similar one has it, and how often the page has it.
    pub(crate) fn text(&self, element: usize) -> (f32, bool, u32) {
        let Some(text) = self.texts.get(self.text_of[element] as usize) else { return (0.0, false, 1) };
        let (share, in_best) = self.share_of(text.pages & self.used);
        (share, in_best, text.here)
    }

    /// Of the text of an element as it is: the share of pages that have it, and whether the most similar one has it.
    pub(crate) fn exact_text(&self, element: usize, own: &ElementKeys) -> (f32, bool) {
        if own.text == own.folded_text {
            let (share, in_best, _) = self.text(element);
            return (share, in_best);
        }
        self.share(own.text)
    }

    /// How many of the pages compared with have the folded text of an element.
    pub(crate) fn pages_with_text(&self, element: usize) -> u32 {
        self.texts.get(self.text_of[element] as usize).map_or(0, |text| (text.pages & self.used).count_ones())
    }

    /// The name of the template of the page, if a learned page has it.
    pub(crate) fn template(&self) -> Option<String> {
        self.index.template(self.places.iter().map(|place| place.path))
    }

    /// What there is to be said of each path: elements share them, so that is said once.
    fn settle_places(&mut self) {
        for place in &mut self.places {
            let pages = place.seen.pages & self.used;
            (place.share, place.in_best) = (self.weights.sum(pages), pages & self.best != 0);
            place.repeats = ln(place.here);
            let count = |page: usize| {
                let before = (place.seen.pages & ((1u64 << page) - 1)).count_ones();
                u32::from(self.index.counts[(place.seen.counts + before) as usize])
            };
            (place.varies, place.as_often) = ((1.0 - place.share).max(0.0), 0.0);
            for page in bits(pages) {
                let (there, weight) = (count(page), self.weights.of(page));
                place.varies += weight * (ln(there.max(1)) - place.repeats).abs().min(MOST_VARIED);
                place.as_often += if there == place.here { weight } else { 0.0 };
            }
        }
    }

    /// The pages compared with that have a key, by number.
    pub(crate) fn pages_with(&self, key: u64) -> impl Iterator<Item = usize> {
        bits(self.pages_of(key))
    }

    /// The numbers of the pages compared with.
    pub(crate) fn pages(&self) -> impl Iterator<Item = usize> {
        bits(self.used)
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
        for (node, probability) in keys.nodes.iter().zip(&probabilities) {
            sure += (2.0 * probability - 1.0).abs();
            if *probability >= min_confidence {
                nodes.insert(*node);
            }
        }
        for node in page.body().into_iter().flat_map(|body| page.descendants(body)).filter(|node| !page.is_element(*node)) {
            if page.parent(node).is_some_and(|parent| nodes.contains(parent)) {
                nodes.insert(node);
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

/// Sums of weights by set of pages: those of each byte of the set are known beforehand.
#[derive(Clone, Debug)]
struct ByteSums(Box<[[f32; 256]; MOST_PAGES / 8]>);

impl Default for ByteSums {
    fn default() -> ByteSums {
        ByteSums(Box::new([[0.0; 256]; MOST_PAGES / 8]))
    }
}

impl ByteSums {
    fn new(weights: &[f32; MOST_PAGES]) -> ByteSums {
        let mut sums = ByteSums::default();
        let used = weights.iter().rposition(|weight| *weight != 0.0).map_or(0, |last| last / 8 + 1);
        for (sums, weights) in sums.0.iter_mut().zip(weights.chunks_exact(8)).take(used) {
            for set in 1..256usize {
                // One bit less was summed up before.
                sums[set] = sums[set & (set - 1)] + weights[set.trailing_zeros() as usize];
            }
        }
        sums
    }

    /// The weight of one page.
    fn of(&self, page: usize) -> f32 {
        self.0[page / 8][1 << (page % 8)]
    }

    fn sum(&self, pages: u64) -> f32 {
        if pages == 0 {
            return 0.0;
        }
        pages.to_le_bytes().iter().zip(&*self.0).map(|(set, sums)| sums[usize::from(*set)]).sum()
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
