//! Training sets: the page in question with others of its site, from which detectors learn what recurs.
//!
//! Thomas Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 3.3, retells several
//! detectors of one form: they learn from a collection of pages of one template without copies, and then judge a page. Here a
//! [`Detector`] is that part alone, and [`Trained`] makes a technique of it with pages near the one in question
//! ([`siblings`](crate::candidates::siblings)). [`bootstrap`](crate::published::bootstrap) gathers a purer set for the same detectors.

use crate::SiteTechnique;
use crate::candidates::link_order::linked_pages;
use crate::candidates::siblings::siblings;
use crate::text::shingles::{read_words, resemblance, sequence_hash, shingles};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use unchaff_dom::{LoadError, NodeId, NodeSet, Page, PageId, Site, Tag};
use unchaff_page::parameters::{Parameter, Parameters, parameters};
use unchaff_page::views::text_selection::TextSelection;
use unchaff_page::{BlockKind, Detection, Explanation};

parameters! {
    /// Which pages detectors learn from.
    pub struct Training {
        /// How many other pages of the site are loaded at most.
        pub loads: usize = 16,
        /// Pages that resemble an earlier one at least this much (0 to 1) are copies and are left out; 1 is the same text, more keeps all.
        pub copy: f64 = 1.0,
    }
}

/// Shingles of so many words tell copies of whole pages.
const COPY_SHINGLE: usize = 4;

/// A page with others of its site, without copies. The page itself is the first.
#[derive(Clone, Debug)]
pub struct TrainingSet {
    pages: Vec<(PageId, Arc<Page>)>,
    /// How many pages were left out as copies.
    pub copies: usize,
}

impl Training {
    /// The pages near a page, and the page itself.
    #[must_use]
    pub(crate) fn collect(&self, site: &dyn Site, key: PageId, page: &Arc<Page>) -> TrainingSet {
        let mut set = TrainingSet { pages: vec![(key, Arc::clone(page))], copies: 0 };
        let mut copies = Copies::new(self.copy);
        copies.is_new(page);
        for (other, page) in siblings(site, key, page, self.loads) {
            if copies.is_new(&page) {
                set.pages.push((other, page));
            } else {
                set.copies += 1;
            }
        }
        set
    }
}

impl TrainingSet {
    /// A set of these pages, the first of which is the one in question.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn of(pages: Vec<(PageId, Arc<Page>)>) -> TrainingSet {
        assert!(!pages.is_empty(), "a training set has the page itself in it");
        TrainingSet { pages, copies: 0 }
    }

    /// The page in question.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.pages[0].1
    }

    /// All pages, that in question first.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = &Page> {
        self.pages.iter().map(|(_, page)| &**page)
    }

    /// How many pages there are, one at least.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // There is always the page itself.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Which page of the site one of the set is.
    #[must_use]
    pub fn id(&self, at: usize) -> PageId {
        self.pages[at].0
    }

    /// For each page the others of the set that it links to, by their places in it, in document order of their first links.
    #[must_use]
    pub fn links(&self, site: &dyn Site) -> Vec<Vec<usize>> {
        let places = self.places();
        let to = |(page, _): (PageId, NodeId)| places.get(&page).copied();
        self.pages.iter().map(|(id, page)| linked_pages(site, *id, page).into_iter().filter_map(to).collect()).collect()
    }

    /// Where the pages of the site stand in the set.
    #[must_use]
    pub fn places(&self) -> HashMap<PageId, usize> {
        self.pages.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect()
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.copies > 0 {
            remarks.push(format!("{} pages are copies of others and were left out", self.copies));
        }
        remarks
    }
}

/// Tells pages that were seen before.
#[derive(Debug)]
pub(crate) struct Copies {
    least: f64,
    texts: HashSet<u64>,
    shingles: Vec<Vec<u64>>,
    words: Vec<u64>,
}

impl Copies {
    pub(crate) fn new(least: f64) -> Copies {
        Copies { least, texts: HashSet::new(), shingles: Vec::new(), words: Vec::new() }
    }

    /// Whether a page is no copy of one asked for before.
    pub(crate) fn is_new(&mut self, page: &Page) -> bool {
        read_words(page, page.root(), &mut self.words);
        if self.least > 1.0 {
            return true;
        }
        if !self.texts.insert(sequence_hash(&self.words)) {
            return false;
        }
        if self.least < 1.0 {
            let set = shingles(&self.words, COPY_SHINGLE);
            if self.shingles.iter().any(|other| resemblance(other, &set) >= self.least) {
                return false;
            }
            self.shingles.push(set);
        }
        true
    }
}

/// A part of a page that a detector judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Part {
    /// The part's element, or a text.
    pub node: NodeId,
    /// What was computed for it, by the columns of the judgement.
    pub values: [f64; 2],
    /// Whether it is in the result.
    pub chosen: bool,
}

/// What a detector says of a page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Judgement {
    /// The nodes of the block it looks for.
    pub nodes: NodeSet,
    /// What the values of parts are.
    pub columns: [&'static str; 2],
    /// The parts of the page, in document order.
    pub parts: Vec<Part>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Judgement {
    /// A judgement without a reason to judge: all text of the page, if content is looked for.
    #[must_use]
    pub(crate) fn undecided(page: &Page, kind: BlockKind, columns: [&'static str; 2]) -> Judgement {
        let nodes = if kind == BlockKind::Content { nodes_of_texts(page, |_| true) } else { NodeSet::new(page) };
        let notes = vec!["there are too few other pages to learn from: nothing was decided".to_owned()];
        Judgement { nodes, columns, parts: Vec::new(), notes }
    }
}

/// A way to tell parts of a page that recur in a set of pages; its parameters are the detector.
pub(crate) trait Detector: Parameters + Send + Sync {
    /// The name of the technique made of it.
    const NAME: &'static str;

    /// The block it finds.
    const KIND: BlockKind;

    /// Judges the page in question. The site serves to find out where links lead; nothing is loaded.
    fn judge(&self, set: &TrainingSet, site: &dyn Site) -> Judgement;
}

/// Some texts of a page's body, and the elements all of whose text they are.
#[must_use]
pub(crate) fn nodes_of_texts(page: &Page, is_in: impl Fn(NodeId) -> bool) -> NodeSet {
    let mut selection = TextSelection { total: vec![0; page.len()], selected: vec![0; page.len()] };
    for node in page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0) {
        selection.total[node.index()] = 1;
        selection.selected[node.index()] = u32::from(is_in(node));
    }
    selection.nodes(page)
}

/// The parameters of a technique that learns from pages near the one in question.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Settings<D> {
    /// The pages.
    pub training: Training,
    /// The detector.
    pub detector: D,
}

impl<D: Parameters> Parameters for Settings<D> {
    fn described(&self) -> Vec<Parameter> {
        [self.detector.described(), self.training.described()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        self.detector.set(name, value).or_else(|| self.training.set(name, value))
    }
}

/// The technique made of a detector; see the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Trained<D> {
    name: &'static str,
    settings: Settings<D>,
}

impl<D: Detector> From<Settings<D>> for Trained<D> {
    fn from(settings: Settings<D>) -> Trained<D> {
        Trained::named(D::NAME, settings)
    }
}

impl<D: Detector> Trained<D> {
    /// The technique under the name of a preset.
    pub(crate) fn named(name: &'static str, settings: Settings<D>) -> Trained<D> {
        Trained { name, settings }
    }

    fn judge(&self, site: &dyn Site, key: PageId) -> Result<(TrainingSet, Judgement), LoadError> {
        let page = site.load(key)?;
        let set = self.settings.training.collect(site, key, &page);
        let mut judgement = self.settings.detector.judge(&set, site);
        judgement.notes.extend(set.remarks());
        Ok((set, judgement))
    }
}

impl<D: Detector> SiteTechnique for Trained<D> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let (_, Judgement { nodes, notes, .. }) = self.judge(site, key)?;
        Ok(Detection { notes, ..Detection::of(D::KIND, nodes) })
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let (set, judgement) = self.judge(site, key)?;
        let others = (1..set.len()).map(|at| format!("learned from {}", site.url(set.id(at)))).collect();
        Ok(explanation(judgement, others, D::KIND))
    }
}

/// What was computed for each part, after notes on the pages.
pub(crate) fn explanation(judgement: Judgement, mut notes: Vec<String>, kind: BlockKind) -> Explanation {
    notes.extend(judgement.notes);
    let mut explanation = Explanation { notes, ..Explanation::new(&judgement.columns) };
    for Part { node, values, chosen } in judgement.parts {
        explanation.push(node, &values, if chosen { kind.as_str() } else { "" });
    }
    explanation
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    /// A site of pages `0`, `1`, …, each of which links to all.
    pub(crate) fn linked(bodies: &[&str]) -> LoadedSite {
        let links: String = (0..bodies.len()).map(|at| format!("<a href=/{at}></a>")).collect();
        let page = |(at, body): (usize, &&str)| {
            Parser::new().url(&format!("https://example.org/{at}")).parse(format!("<body>{body}{links}</body>"))
        };
        LoadedSite::new(bodies.iter().enumerate().map(page))
    }

    /// All pages of a site as a set, the first in question.
    pub(crate) fn set_of(site: &LoadedSite) -> TrainingSet {
        TrainingSet::of(site.known().into_iter().map(|id| (id, site.load(id).unwrap())).collect())
    }

    /// The words of the block a detector finds on the first page, with single spaces.
    pub(crate) fn found(detector: &impl Detector, bodies: &[&str]) -> String {
        let site = linked(bodies);
        let set = set_of(&site);
        let nodes = detector.judge(&set, &site).nodes;
        let texts = nodes.iter().filter(|node| set.page().tag(*node) == Tag::Text);
        texts.flat_map(|node| set.page().string(node).split_whitespace()).collect::<Vec<_>>().join(" ")
    }

    fn collected(bodies: &[&str], training: &Training) -> (usize, usize) {
        let site = linked(bodies);
        let set = training.collect(&site, PageId(0), &site.load(PageId(0)).unwrap());
        (set.len(), set.copies)
    }

    #[test]
    fn copies_are_left_out() {
        // Gottron 2008, sections 3.3.1 and 3.3.6: copies would look like template.
        let long = "one two three four five six seven eight nine ten ".repeat(8);
        let bodies = [&*long, &*long, &format!("{long} more"), "another"];
        assert_eq!(collected(&bodies, &Training::default()), (3, 1));
        assert_eq!(collected(&bodies, &Training { copy: 0.5, ..Training::default() }), (2, 2));
        assert_eq!(collected(&bodies, &Training { copy: 2.0, ..Training::default() }), (4, 0));
        assert_eq!(collected(&bodies, &Training { loads: 1, copy: 2.0 }), (2, 0));
        assert_eq!(collected(&[""], &Training::default()), (1, 0));
    }

    #[test]
    fn links_lead_to_places_in_the_set() {
        let site = linked(&["a", "b", "c"]);
        let mut set = set_of(&site);
        set.pages.remove(1);
        assert_eq!(set.links(&site), [vec![1], vec![0]]);
    }
}
