//! Segments as people draw them, learned: areas of a page and their parts, from what is seen of elements, the tree and names.
//!
//! A technique of ours. On labelled pages people drew areas (header, content, sidebar, footer) and parts of these, along elements. So every element of
//! which something is seen is a candidate (`candidates`), and boosted trees (`boosted_trees`) give the probability that it is an area, and that it is a part, from
//! its place and size, what is in it and around it, and how it is called (`features`). A dynamic program over the tree of candidates takes the areas
//! of which the sum of probabilities, each less a price, is largest, and no area lies in another; likewise the parts within each area. What is left of the page between areas is an area for each
//! run of neighbours. So areas never overlap and nothing that is seen is in none.
//!
//! The degree of coherence of a segment is 10 less nine times the largest probability of anything in it to be an area or part itself. The kind is the
//! most probable one. Parts of an area that are like records, such as products or teasers, are put together in a run (`records`). Models are fitted, and tried on pages they were not fitted to, by the workbench (`unchaff bench segmentation --tables`).

pub mod boosted_trees;
pub mod candidates;
pub mod features;
mod records;

use crate::layout::Layout;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{Group, SegmentKind, SegmentTechnique, Segmentation};
use boosted_trees::Boosted;
use candidates::Candidates;
use features::{Features, features};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use unchaff_dom::{NodeId, Page};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters.
    pub struct Params {
        /// The price of an area: the more, the fewer areas.
        pub area_price: f64 = 0.2,
        /// The price of a part: the more, the fewer parts.
        pub part_price: f64 = 0.25,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "segments-auto",
    summary: "areas and their parts with kinds, learned from pages on which people drew segments",
    source: "unchaff",
    cost: "linear in boxes and nodes",
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(SegmentsAuto { params: read(settings)?, model: Model::built_in() })),
};

/// What was learned.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    /// Whether a candidate is an area.
    pub area: Boosted,
    /// Whether a candidate is a part.
    pub part: Boosted,
    /// What an area is for.
    pub area_kinds: Vec<(SegmentKind, Boosted)>,
    /// What a part is for.
    pub part_kinds: Vec<(SegmentKind, Boosted)>,
}

static BUILT_IN: LazyLock<Arc<Model>> =
    LazyLock::new(|| Arc::new(Model::read(include_str!("segments_auto/model.txt")).unwrap_or_default()));

impl Model {
    /// The model of this program.
    #[must_use]
    pub fn built_in() -> Arc<Model> {
        Arc::clone(&BUILT_IN)
    }

    /// Reads a model; none if the text is of another form.
    #[must_use]
    pub fn read(text: &str) -> Option<Model> {
        let mut model = Model::default();
        for boosted in Boosted::read(text)? {
            match boosted.name.split_once('-') {
                None if boosted.name == "area" => model.area = boosted,
                None if boosted.name == "part" => model.part = boosted,
                Some(("area", kind)) => model.area_kinds.push((SegmentKind::named(kind)?, boosted)),
                Some(("part", kind)) => model.part_kinds.push((SegmentKind::named(kind)?, boosted)),
                _ => return None,
            }
        }
        Some(model)
    }

    /// The model as text.
    #[must_use]
    pub fn lines(&self) -> String {
        let kinds = self.area_kinds.iter().chain(&self.part_kinds).map(|(_, boosted)| boosted);
        [&self.area, &self.part].into_iter().chain(kinds).map(Boosted::lines).collect()
    }

    /// What an area, or a part, with these features is for.
    #[must_use]
    pub fn kind(&self, features: &Features, is_area: bool) -> Option<SegmentKind> {
        let kinds = if is_area { &self.area_kinds } else { &self.part_kinds };
        let best = kinds.iter().map(|(kind, boosted)| (*kind, boosted.sum(features)));
        best.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(kind, _)| kind)
    }
}

/// The technique; see the [module](self).
#[derive(Clone, Debug)]
pub struct SegmentsAuto {
    /// The parameters.
    pub params: Params,
    /// What was learned.
    pub model: Arc<Model>,
}

impl Default for SegmentsAuto {
    fn default() -> SegmentsAuto {
        SegmentsAuto { params: Params::default(), model: Model::built_in() }
    }
}

impl SegmentTechnique for SegmentsAuto {
    fn name(&self) -> &'static str {
        "segments-auto"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let candidates = Candidates::new(page, layout);
        if candidates.list.is_empty() {
            return Segmentation::from_nodes(page, layout, Vec::new());
        }
        let features = features(&candidates);
        let search = Search::new(self, &candidates, &features);
        Segmentation::from_groups(page, layout, search.groups())
    }
}

/// What is computed of candidates on the way to segments.
struct Search<'s> {
    technique: &'s SegmentsAuto,
    candidates: &'s Candidates<'s>,
    features: &'s [Features],
    areas: Prices,
    parts: Prices,
    /// The largest probability of anything in a candidate, without itself, to be an area or a part.
    within: Vec<f64>,
    /// Whether there is an area in a candidate, without itself.
    has_area: Vec<bool>,
}

/// What candidates are worth as segments of a level.
struct Prices {
    /// Each by itself: its probability less the price.
    own: Vec<f64>,
    /// The best sum of what is in each, without itself.
    below: Vec<f64>,
}

impl Prices {
    fn new(candidates: &Candidates<'_>, own: Vec<f64>) -> Prices {
        let mut below = vec![0.0; own.len()];
        for at in (1..own.len()).rev() {
            if let Some(parent) = candidates.list[at].parent {
                let best = own[at].max(below[at]).max(0.0);
                below[parent] += best;
            }
        }
        Prices { own, below }
    }

    /// Whether a candidate that is reached is a segment.
    fn is_taken(&self, at: usize) -> bool {
        self.own[at] > 0.0 && self.own[at] >= self.below[at]
    }
}

impl<'s> Search<'s> {
    fn new(technique: &'s SegmentsAuto, candidates: &'s Candidates<'s>, features: &'s [Features]) -> Search<'s> {
        let Model { area, part, .. } = &*technique.model;
        let chances =
            |boosted: &Boosted| features.iter().map(|features| f64::from(boosted.probability(features))).collect::<Vec<f64>>();
        let (area, part) = (chances(area), chances(part));
        let mut within = vec![0.0_f64; features.len()];
        for at in (1..features.len()).rev() {
            if let Some(parent) = candidates.list[at].parent {
                within[parent] = within[parent].max(within[at]).max(area[at]).max(part[at]);
            }
        }
        let less = |chances: Vec<f64>, price: f64| chances.into_iter().map(|chance| chance - price).collect::<Vec<f64>>();
        let areas = Prices::new(candidates, less(area, technique.params.area_price));
        let parts = Prices::new(candidates, less(part, technique.params.part_price));
        let mut search = Search { technique, candidates, features, areas, parts, within, has_area: vec![false; features.len()] };
        for at in 0..features.len() {
            search.has_area[at] = !search.areas.is_taken(at) && search.areas.below[at] > 0.0;
        }
        search
    }

    /// The segments: areas, each before its parts.
    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        if self.areas.is_taken(0) || !self.has_area[0] {
            self.area(0, &mut groups);
            return groups;
        }
        // Candidates in which there are areas.
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let mut run: Vec<NodeId> = Vec::new();
            let page = self.candidates.views.page;
            for child in page.children(self.candidates.list[at].inner).filter(|child| self.candidates.items(*child) > 0) {
                let candidate = self.candidates.of_node[child.index()].map(|candidate| candidate as usize);
                let Some(candidate) = candidate.filter(|candidate| self.areas.is_taken(*candidate) || self.has_area[*candidate])
                else {
                    run.push(child);
                    continue;
                };
                self.run(std::mem::take(&mut run), &mut groups);
                if self.areas.is_taken(candidate) {
                    self.area(candidate, &mut groups);
                } else {
                    open.push(candidate);
                }
            }
            self.run(run, &mut groups);
        }
        groups
    }

    /// A run of neighbours between areas: an area, with parts if there are any in it.
    fn run(&self, nodes: Vec<NodeId>, groups: &mut Vec<Group>) {
        let candidate = |node: &NodeId| self.candidates.of_node[node.index()].map(|candidate| candidate as usize);
        if let [node] = nodes[..]
            && let Some(at) = candidate(&node)
        {
            self.area(at, groups);
            return;
        }
        if nodes.is_empty() {
            return;
        }
        let members: Vec<usize> = nodes.iter().filter_map(candidate).collect();
        let coherence = Some(self.coherence_of(&members));
        let parent = Some(groups.len() as u32);
        groups.push(Group { nodes, parent: None, kind: None, coherence });
        self.parts(members, parent, groups);
    }

    fn area(&self, at: usize, groups: &mut Vec<Group>) {
        let parent = Some(groups.len() as u32);
        groups.push(self.group(at, None));
        self.parts(self.candidates.list[at].children.clone(), parent, groups);
    }

    /// The parts among candidates and in them. Those that stand beside each other and are of one name and class, such as the records of a list, are of one kind.
    fn parts(&self, mut open: Vec<usize>, parent: Option<u32>, groups: &mut Vec<Group>) {
        let mut taken = Vec::new();
        while let Some(at) = open.pop() {
            if self.parts.is_taken(at) {
                taken.push(at);
            } else if self.parts.below[at] > 0.0 {
                open.extend(&self.candidates.list[at].children);
            }
        }
        taken.sort_unstable();
        let page = self.candidates.views.page;
        // What has no class is of no form: plain elements side by side can be anything.
        let form = |at: usize| {
            let candidate = &self.candidates.list[at];
            let class = page.attr(candidate.outer, "class").and_then(|class| class.split_ascii_whitespace().next());
            (candidate.parent, page.name(candidate.outer), class, class.is_none().then_some(at))
        };
        let kinds = &self.technique.model.part_kinds;
        let mut sums: BTreeMap<_, Vec<f32>> = BTreeMap::new();
        for at in &taken {
            let sums = sums.entry(form(*at)).or_insert_with(|| vec![0.0; kinds.len()]);
            sums.iter_mut().zip(kinds).for_each(|(sum, (_, boosted))| *sum += boosted.sum(&self.features[*at]));
        }
        let kind = |at: usize| {
            let best = sums[&form(at)].iter().zip(kinds).max_by(|one, other| one.0.total_cmp(other.0));
            best.map(|(_, (kind, _))| *kind)
        };
        let whole: Option<u32> =
            parent.map(|parent| groups[parent as usize].nodes.iter().map(|node| self.candidates.items(*node)).sum());
        let mut runs = records::runs(self.candidates, &taken).into_iter().peekable();
        let mut at = 0;
        while at < taken.len() {
            let run = runs.next_if(|run| run.start == at).unwrap_or(at..at + 1);
            let members = &taken[run.clone()];
            let items: u32 = members.iter().map(|at| self.candidates.items(self.candidates.list[*at].outer)).sum();
            // An area that is nothing but its records is the run itself.
            let is_within = members.len() > 1 && whole.is_some_and(|whole| items < whole);
            let mut parent = parent;
            if is_within {
                let nodes = records::nodes(self.candidates, members);
                let coherence = Some(self.coherence_of(members));
                groups.push(Group { nodes, parent, kind: Some(SegmentKind::Records), coherence });
                parent = Some(groups.len() as u32 - 1);
            }
            groups.extend(members.iter().map(|at| Group { kind: kind(*at), ..self.group(*at, parent) }));
            at = run.end;
        }
    }

    /// The degree of coherence of what has these candidates in it.
    fn coherence_of(&self, members: &[usize]) -> f64 {
        let Params { area_price, part_price } = self.technique.params;
        let own = |at: usize| (self.areas.own[at] + area_price).max(self.parts.own[at] + part_price);
        10.0 - 9.0 * members.iter().map(|at| self.within[*at].max(own(*at))).fold(0.0, f64::max)
    }

    fn group(&self, at: usize, parent: Option<u32>) -> Group {
        let kind = self.technique.model.kind(&self.features[at], parent.is_none());
        Group { nodes: vec![self.candidates.list[at].outer], parent, kind, coherence: Some(10.0 - 9.0 * self.within[at]) }
    }
}

#[cfg(test)]
mod tests;
