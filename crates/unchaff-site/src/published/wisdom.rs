//! WISDOM, intrapage informative structure: the informative blocks of a page, joined where all of their neighbours are informative.
//!
//! Hung-Yu Kao, Jan-Ming Ho, Ming-Syan Chen: WISDOM: web intrapage informative structure mining based on document object model.
//! TKDE 2005. Only its outline is known here (T. Gottron: Content Extraction, 2008, section 3.3.7): find informative blocks by the
//! entropy of features, collect them in a tree, filter, merge, expand. **The steps are our reconstruction**, not the original: blocks with too few
//! features go; an element is taken whole if all blocks in it that have features are kept.
//!
//! Blocks are by default the elements that pages are laid out with today, and not only table cells.

use crate::candidates::training_set::{Detector, Judgement, Settings, Trained, TrainingSet};
use crate::published::infodiscoverer::{self, COLUMNS, Discovery};
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{NodeId, NodeSet, Page, Site};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{Parameter, Parameters, parameters};

parameters! {
    /// How informative blocks are put together.
    pub struct Assembly {
        /// Blocks with fewer distinct keywords are left out, unless they are merged with others.
        pub min_words: usize = 3,
        /// Whether blocks are merged whose parent has no redundant block in it.
        pub merge: bool = true,
        /// Whether the elements from the body down to the blocks are part of the result.
        pub root_paths: bool = false,
        /// A block with more than this share of its characters in links (0 to 1) is a table of contents.
        pub toc_quota: f64 = 0.5,
    }
}

/// Parameters of WISDOM.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Params {
    /// How blocks are put together.
    pub assembly: Assembly,
    /// Blocks and entropies.
    pub blocks: infodiscoverer::Params,
}

impl Default for Params {
    fn default() -> Params {
        let blocks = "table td th div section article aside header footer nav main ul ol form p h1 h2 h3".to_owned();
        let blocks = infodiscoverer::Params { blocks, ..infodiscoverer::Params::default() };
        Params { assembly: Assembly::default(), blocks }
    }
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        [self.assembly.described(), self.blocks.described()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        self.assembly.set(name, value).or_else(|| self.blocks.set(name, value))
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Trained<Params>, Settings<Params>>(
    Params::NAME,
    BlockKind::Content,
    "blocks of rare words, merged where all around them are; a reconstruction from the outline",
    "after H.-Y. Kao, J.-M. Ho, M.-S. Chen: WISDOM: web intrapage informative structure mining based on document object model. TKDE 2005, \
     from T. Gottron: Content Extraction, 2008, section 3.3.7; the steps are unchaff's",
    "linear in the pages loaded, and sorting their words",
);

impl Params {
    /// Which blocks of the page are kept: informative ones of some length, and those in an element without a redundant one.
    fn keep(&self, discovery: &Discovery, page: &Page, informative: &[bool]) -> Vec<bool> {
        let blocks = &discovery.pages[0];
        let counts = |at: usize| !blocks.features[at].is_empty();
        let long = |at: usize| blocks.features[at].len() >= self.assembly.min_words;
        let mut kept: Vec<bool> = (0..informative.len()).map(|at| informative[at] && long(at)).collect();
        if !self.assembly.merge {
            return kept;
        }
        // Blocks stand in document order: those in one are the ones after it that start before its end.
        let (mut redundant, mut good) = (vec![0u32; kept.len() + 1], vec![0u32; kept.len() + 1]);
        for at in 0..kept.len() {
            redundant[at + 1] = redundant[at] + u32::from(counts(at) && !informative[at]);
            good[at + 1] = good[at] + u32::from(kept[at]);
        }
        let mut at = 0;
        while at < kept.len() {
            let end = blocks.elements.partition_point(|element| *element < page.end(blocks.elements[at]));
            if redundant[end] == redundant[at] && good[end] > good[at] {
                (at..end).filter(|inside| counts(*inside)).for_each(|inside| kept[inside] = true);
                at = end;
            } else {
                at += 1;
            }
        }
        kept
    }
}

/// How many roots of the set are tables of contents, and how many are not.
fn classify(page: &Page, nodes: &NodeSet, toc_quota: f64) -> (usize, usize) {
    let is_toc = |root: &NodeId| {
        let counts = page.counts(*root);
        f64::from(counts.link_chars) > toc_quota * f64::from(counts.chars)
    };
    let roots: Vec<NodeId> = nodes.roots(page).into_iter().filter(|root| page.counts(*root).tokens > 0).collect();
    let tocs = roots.iter().filter(|root| is_toc(root)).count();
    (tocs, roots.len() - tocs)
}

impl Detector for Params {
    const NAME: &'static str = "wisdom";
    const KIND: BlockKind = BlockKind::Content;

    fn judge(&self, set: &TrainingSet, _: &dyn Site) -> Judgement {
        let page = set.page();
        if set.len() < 2 || page.body().is_none() {
            return Judgement::undecided(page, Self::KIND, COLUMNS);
        }
        let discovery = self.blocks.discover(set);
        let threshold = self.blocks.threshold(discovery.blocks(0..set.len()));
        let informative = discovery.informative(0, threshold);
        let kept = self.keep(&discovery, page, &informative);
        let notes = vec![format!("blocks of an entropy above {threshold} are redundant")];
        let mut judgement = infodiscoverer::Params::judgement(&discovery, page, &kept, notes);
        let (tocs, articles) = classify(page, &judgement.nodes, self.assembly.toc_quota);
        judgement.notes.push(format!("{tocs} parts are tables of contents, {articles} are not"));
        if self.assembly.root_paths && !judgement.nodes.is_empty() {
            judgement.nodes = judgement.nodes.with_ancestors(page);
            page.body().into_iter().flat_map(|body| page.ancestors(body)).for_each(|above| judgement.nodes.remove(above));
        }
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::training_set::tests::{found, linked, set_of};

    const BODIES: [&str; 3] = [
        "<nav>Home News</nav><main><div>Rivers rose quickly overnight</div><div>Flooding</div></main><div>Lone</div>",
        "<nav>Home News</nav><main><div>Voters queued patiently everywhere</div><div>Elections</div></main><div>Single</div>",
        "<nav>Home News</nav><main><div>Engines stopped suddenly yesterday</div><div>Strikes</div></main><div>Solitary</div>",
    ];

    fn with(assembly: Assembly) -> Params {
        Params { assembly, ..Params::default() }
    }

    #[test]
    fn short_blocks_stay_only_beside_informative_ones_of_the_same_parent() {
        assert_eq!(found(&Params::default(), &BODIES), "Rivers rose quickly overnight Flooding");
        assert_eq!(found(&with(Assembly { merge: false, ..Assembly::default() }), &BODIES), "Rivers rose quickly overnight");
        let all = with(Assembly { merge: false, min_words: 1, ..Assembly::default() });
        assert_eq!(found(&all, &BODIES), "Rivers rose quickly overnight Flooding Lone");
    }

    #[test]
    fn parts_of_links_are_tables_of_contents_and_paths_are_added_on_request() {
        let bodies = BODIES.map(|body| {
            body.replace("<div>Rivers rose quickly overnight</div>", "<div><a href=x>Rivers rose quickly overnight</a></div>")
        });
        let site = linked(&bodies.each_ref().map(String::as_str));
        let set = set_of(&site);
        let judge = |root_paths| with(Assembly { root_paths, ..Assembly::default() }).judge(&set, &site);
        assert_eq!(judge(false).notes[1], "1 parts are tables of contents, 0 are not");
        let body = set.page().body().unwrap();
        assert!(judge(true).nodes.contains(body) && !judge(false).nodes.contains(body));
    }
}
