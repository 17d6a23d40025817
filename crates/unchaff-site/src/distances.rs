//! How far the structures of two pages are apart.
//!
//! Thomas Gottron: Content Extraction: Identifying the Main Content in HTML Documents. PhD thesis, Universität Mainz, 2008, §3.5 and §7.1.1,
//! and what it cites; one file for each measure. A page is reduced to what its distance compares ([`ReducedPage`]) as it streams
//! by, and can then be forgotten. [`Distance::between`] is always between 0 and 1; measures whose published form has no
//! limit have it too ([`Distance::published`]). Where a publication leaves something open, the reading is a parameter.
//!
//! ```
//! use unchaff_dom::Page;
//! use unchaff_site::distances::{Distance, Measure};
//!
//! let distance = Distance { measure: Measure::CommonPaths, ..Distance::default() };
//! let page = |html: &str| distance.reduce(&Page::parse(html)).features;
//! let (one, other) = (page("<div><p>a<p>b</div>"), page("<div><p>a<ul><li>b</ul></div>"));
//! assert_eq!(distance.between(&one, &one), 0.0);
//! assert!((distance.between(&one, &other) - 1.0 / 3.0).abs() < 1e-9);
//! ```

pub(crate) mod bottom_up;
pub(crate) mod common_paths;
pub(crate) mod fourier;
pub mod matrix;
pub(crate) mod overlap;
pub(crate) mod parametric;
pub(crate) mod path_shingles;
pub(crate) mod rtdm;
pub(crate) mod sketch;
pub(crate) mod structure;
pub(crate) mod tag_frequency;
pub(crate) mod tag_sequence;
pub(crate) mod tag_shingles;
pub(crate) mod tag_vector;

use crate::carried_over::path_set::{PathSet, PathToken};
use crate::carried_over::pruned_dom::{PrunedDom, Pruning};
use crate::learned::page_keys::{PageKeys, long};
use overlap::{bag, overlap_distance, set, union_distance};
use rtdm::{HashedTree, InnerNames};
use sketch::Sketch;
use structure::PageStructure;
use tag_vector::{CountedTags, TagCounts};
use unchaff_dom::Page;
use unchaff_page::parameters::{Parameters, choice, parameters};
use unchaff_page::registry::SettingError;

choice! {
    /// What is compared.
    pub enum Measure {
        /// Edit cost of the trees, top-down (RTDM).
        Rtdm = "rtdm",
        /// Subtrees that occur in both trees, bottom-up.
        BottomUp = "bottom-up",
        /// How often each tag occurs.
        TagVector = "tag-vector",
        /// Which tags occur.
        TagKinds = "tag-kinds",
        /// The share of each tag.
        TagFrequency = "tag-frequency",
        /// Which paths lead to leaves (CP).
        CommonPaths = "common-paths",
        /// How often each path to a leaf occurs.
        BagOfPaths = "bag-of-paths",
        /// Paths to leaves with the ids of elements (Zelený).
        IdPaths = "id-paths",
        /// Paths to all elements with their classes, as `unchaff site` groups pages. Our own.
        ClassPaths = "class-paths",
        /// Pieces of paths (CPS).
        PathShingles = "path-shingles",
        /// The longest common sequence of tags (LCTS).
        TagSequence = "tag-sequence",
        /// Pieces of the sequence of tags (CTSS).
        TagShingles = "tag-shingles",
        /// The spectrum of the sequence of tags.
        Fourier = "fourier",
        /// Numbers about the lists of the pages.
        Parametric = "parametric",
    }
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 14] = [
        Measure::Rtdm,
        Measure::BottomUp,
        Measure::TagVector,
        Measure::TagKinds,
        Measure::TagFrequency,
        Measure::CommonPaths,
        Measure::BagOfPaths,
        Measure::IdPaths,
        Measure::ClassPaths,
        Measure::PathShingles,
        Measure::TagSequence,
        Measure::TagShingles,
        Measure::Fourier,
        Measure::Parametric,
    ];

    /// Up to which distance pages share a template in single linkage: where the templates of forty websites come apart best.
    #[must_use]
    pub fn threshold(self) -> f64 {
        match self {
            Measure::Rtdm => 0.4,
            Measure::BottomUp => 0.35,
            Measure::TagVector => 0.1,
            Measure::TagKinds => 0.15,
            Measure::TagFrequency => 0.0002,
            Measure::CommonPaths => 0.5,
            Measure::BagOfPaths => 0.5,
            Measure::IdPaths => 0.7,
            Measure::ClassPaths => 0.6,
            Measure::PathShingles => 0.35,
            Measure::TagSequence => 0.3,
            Measure::TagShingles => 0.7,
            Measure::Fourier => 0.2,
            Measure::Parametric => 0.05,
        }
    }

    /// What tells kinds of pages of one site apart. Pieces of the sequence of tags are mostly those of a frame that all of them have; paths to leaves
    /// count each place of the frame once (docs/clustering.md has the figures).
    pub const OF_KINDS: Measure = Measure::CommonPaths;

    /// Up to which distance pages are of one kind within a site, articles or sections or products, in single linkage: about half as far as pages of one site are
    /// apart. Chosen on the ten sites of our suite for the measures that compare sets.
    #[must_use]
    pub fn kind_threshold(self) -> f64 {
        match self {
            Measure::ClassPaths | Measure::CommonPaths | Measure::IdPaths => 0.2,
            Measure::PathShingles => 0.25,
            other => other.threshold() / 2.0,
        }
    }

    /// The published threshold, if there is one. Those of the thesis were read off five news sites; among many sites, single linkage
    /// with them goes from site to site. Around one representative, as in a stream, they hold.
    #[must_use]
    pub fn published_threshold(self) -> Option<f64> {
        match self {
            Measure::CommonPaths => Some(0.7),
            Measure::PathShingles => Some(0.6),
            Measure::TagShingles => Some(0.85),
            Measure::IdPaths => Some(0.3),
            _ => None,
        }
    }

    /// Whether it is the share that two sets have in common of the larger.
    #[must_use]
    pub fn is_overlap(self) -> bool {
        use Measure::*;
        matches!(self, BottomUp | CommonPaths | IdPaths | ClassPaths | PathShingles | TagShingles)
    }
}

parameters! {
    /// A distance: what is compared, and how where that is open.
    pub struct Distance {
        /// What is compared.
        pub measure: Measure = Measure::TagShingles,
        /// How many elements a piece of a path has; 1 to 4 are suggested.
        pub path_shingle: usize = 4,
        /// How many tags a piece of the sequence of tags has.
        pub tag_shingle: usize = 8,
        /// What mapping two inner nodes of different names costs in RTDM: replaced, free (as printed) or fringe.
        pub inner_names: InnerNames = InnerNames::Replaced,
        /// The cost before a substitution beyond which RTDM does not consider it; not published.
        /// It cuts off late in long lists, whatever the substitution, so it is off by default.
        pub epsilon: u32 = u32::MAX,
        /// Which tags are counted: start, both (under one name) or separate.
        pub counted_tags: CountedTags = CountedTags::Start,
        /// Let text that is not blank be a leaf of its own, for the measures of trees, paths and sequences.
        pub text_nodes: bool = false,
        /// Fold digits in ids, which otherwise tell the pages of one template apart (`post-1234`).
        pub fold_ids: bool = false,
        /// At how many frequencies a spectrum is taken, 4,096 at most.
        pub frequencies: usize = 64,
        /// Of how many nodes of a page the measures of quadratic cost (rtdm, tag-sequence) look at, from its start.
        pub quadratic_nodes: usize = 10_000,
    }
}

/// What of a page a distance compares.
#[derive(Clone, PartialEq, Debug)]
pub enum Features {
    /// A sorted set, of paths or pieces.
    Set(Vec<u64>),
    /// Counts by tag.
    Counts(TagCounts),
    /// Tags in order.
    Sequence(Vec<u16>),
    /// Magnitudes by frequency, or other numbers.
    Spectrum(Vec<f32>),
    /// The whole tree.
    Tree(HashedTree),
}

/// A page reduced to what is compared, and a sketch by which pages that may be near are found among many.
#[derive(Clone, PartialEq, Debug)]
pub struct ReducedPage {
    /// What is compared.
    pub features: Features,
    /// Of the set that is compared; of path shingles where none is.
    pub sketch: Sketch,
}

impl Distance {
    /// The distance with some parameters set to other values.
    ///
    /// # Errors
    /// If a parameter does not exist or does not take its value.
    pub fn with_settings(measure: Measure, settings: &[(&str, &str)]) -> Result<Distance, SettingError> {
        let mut distance = Distance { measure, ..Distance::default() };
        for setting in settings {
            let refused = || SettingError::of("the distance", &Distance::list(), *setting);
            distance.set(setting.0, setting.1).ok_or_else(refused)?;
        }
        Ok(distance)
    }

    /// Reduces a page to what this distance compares.
    #[must_use]
    pub fn reduce(&self, page: &Page) -> ReducedPage {
        let features = match self.measure {
            Measure::IdPaths => {
                let pruning = Pruning { fold_id_digits: self.fold_ids, ..Pruning::default() };
                Features::Set(PathSet::of(&PrunedDom::of(page, &pruning), PathToken::NameAndId).hashes().to_vec())
            }
            // The first is `body`, which all pages have.
            Measure::ClassPaths => {
                Features::Set(set(PageKeys::of(page).keys.iter().skip(1).map(|keys| long(keys.path)).collect()))
            }
            _ => self.features(PageStructure::of(page, self.text_nodes)),
        };
        let sketch = match &features {
            Features::Set(members) => Sketch::of(members.iter().copied()),
            _ => Sketch::of(path_shingles::path_shingles(&PageStructure::of(page, false), self.path_shingle)),
        };
        ReducedPage { features, sketch }
    }

    /// What is compared of a structure. Of ids and classes a structure knows nothing; they are left out.
    #[must_use]
    pub fn features(&self, structure: PageStructure) -> Features {
        match self.measure {
            Measure::Rtdm => Features::Tree(HashedTree::new(structure.first(self.quadratic_nodes))),
            Measure::BottomUp => Features::Set(bottom_up::subtrees(&structure)),
            Measure::TagVector | Measure::TagFrequency => {
                Features::Counts(tag_vector::tag_counts(&structure, self.counted_tags, true))
            }
            Measure::TagKinds => Features::Counts(tag_vector::tag_counts(&structure, self.counted_tags, false)),
            Measure::CommonPaths | Measure::IdPaths | Measure::ClassPaths => {
                Features::Set(set(common_paths::leaf_paths(&structure)))
            }
            Measure::BagOfPaths => Features::Set(bag(common_paths::leaf_paths(&structure))),
            Measure::PathShingles => Features::Set(set(path_shingles::path_shingles(&structure, self.path_shingle))),
            Measure::TagSequence => Features::Sequence(structure.first(self.quadratic_nodes).tag_sequence()),
            Measure::TagShingles => Features::Set(set(tag_shingles::tag_shingles(&structure.tag_sequence(), self.tag_shingle))),
            Measure::Fourier => Features::Spectrum(fourier::spectrum(&structure.tag_sequence(), self.frequencies)),
            Measure::Parametric => Features::Spectrum(parametric::list_numbers(&structure).to_vec()),
        }
    }

    /// The distance, 0 to 1. Features of different distances are as far apart as can be.
    #[must_use]
    pub fn between(&self, one: &Features, other: &Features) -> f64 {
        match (one, other) {
            (Features::Set(one), Features::Set(other)) if self.measure == Measure::BagOfPaths => union_distance(one, other),
            (Features::Set(one), Features::Set(other)) => overlap_distance(one, other),
            (Features::Counts(one), Features::Counts(other)) if self.measure == Measure::TagFrequency => {
                tag_frequency::squared_difference(one, other) / 10_000.0
            }
            (Features::Counts(one), Features::Counts(other)) => tag_vector::distance(one, other),
            (Features::Sequence(one), Features::Sequence(other)) => tag_sequence::distance(one, other),
            (Features::Spectrum(one), Features::Spectrum(other)) if self.measure == Measure::Parametric => {
                parametric::distance(one, other)
            }
            (Features::Spectrum(one), Features::Spectrum(other)) => fourier::distance(one, other),
            (Features::Tree(one), Features::Tree(other)) => rtdm::distance(one, other, self.inner_names, self.epsilon),
            _ => 1.0,
        }
    }

    /// The distance in its published form: edit costs, Euclidean lengths and squared percentages as they are.
    #[must_use]
    pub fn published(&self, one: &Features, other: &Features) -> f64 {
        match (one, other) {
            (Features::Set(one), Features::Set(other)) if self.measure == Measure::BottomUp => {
                bottom_up::edit_cost(one, other) as f64
            }
            (Features::Counts(one), Features::Counts(other)) if self.measure == Measure::TagFrequency => {
                tag_frequency::squared_difference(one, other)
            }
            (Features::Counts(one), Features::Counts(other)) => tag_vector::euclidean(one, other),
            (Features::Spectrum(one), Features::Spectrum(other)) if self.measure == Measure::Parametric => {
                parametric::difference(one, other)
            }
            (Features::Spectrum(one), Features::Spectrum(other)) => fourier::euclidean(one, other),
            (Features::Tree(one), Features::Tree(other)) => {
                f64::from(rtdm::edit_cost(one, other, self.inner_names, self.epsilon))
            }
            (one, other) => self.between(one, other),
        }
    }

    /// The least share of common members (Jaccard) that pages within a distance have, in what is sketched of them.
    #[must_use]
    pub fn least_similarity(&self, distance: f64) -> f64 {
        let share = (1.0 - distance).clamp(0.0, 1.0);
        match self.measure {
            Measure::BagOfPaths => share,
            // Two sets of one size have twice as many members together, less the common ones.
            measure if measure.is_overlap() => share / (2.0 - share),
            // What path shingles say about another measure is not known; they are asked for little.
            _ => 0.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::structure::tests::{tree, trees};
    use super::*;
    use proptest::prelude::*;

    fn distance(measure: Measure) -> Distance {
        Distance { measure, ..Distance::default() }
    }

    /// Lengths and thresholds are of Gottron 2008, §7.1.1 and table 7.5, the threshold of paths with ids of Zelený 2017, §7.4;
    /// which tags count, and that texts do not, is our reading.
    #[test]
    fn defaults_are_as_published() {
        let defaults: Vec<(&str, String)> = Distance::list().into_iter().map(|known| (known.name, known.default)).collect();
        for expected in [("path_shingle", "4"), ("tag_shingle", "8"), ("counted_tags", "start"), ("text_nodes", "false")] {
            assert!(defaults.contains(&(expected.0, expected.1.to_owned())), "{expected:?}");
        }
        let published = [Measure::CommonPaths, Measure::PathShingles, Measure::TagShingles, Measure::IdPaths, Measure::Rtdm];
        assert_eq!(published.map(Measure::published_threshold), [Some(0.7), Some(0.6), Some(0.85), Some(0.3), None]);
    }

    #[test]
    fn every_parameter_can_be_set_to_anything_it_takes() {
        let pages = [Page::parse("<ul><li>a<li>b</ul>"), Page::parse("<p id=x1>a</p>")];
        for measure in Measure::ALL {
            for known in Distance::list().iter().filter(|known| known.name != "measure") {
                let values = match known.takes.as_str() {
                    "a whole number from 0" => vec!["0", "1", "4294967295"],
                    takes => takes.split(" or ").collect(),
                };
                for value in values {
                    let distance = Distance::with_settings(measure, &[(known.name, value)]).unwrap();
                    let [one, other] = pages.each_ref().map(|page| distance.reduce(page).features);
                    assert!((0.0..=1.0).contains(&distance.between(&one, &other)), "{measure} {} {value}", known.name);
                }
            }
        }
        let unknown = Distance::with_settings(Measure::Rtdm, &[("letters", "1")]).unwrap_err().to_string();
        assert!(unknown.contains("no parameter `letters`") && unknown.contains("epsilon"), "{unknown}");
        assert!(Distance::with_settings(Measure::Rtdm, &[("epsilon", "x")]).is_err());
    }

    /// Published forms of some measures, on trees made by hand.
    #[test]
    fn published_forms_of_the_published_examples() {
        let (one, other) = ("html(body(div(p,p)))", "html(body(div(p,ul(li))))");
        let published = |measure| {
            let distance = distance(measure);
            distance.published(&distance.features(tree(one)), &distance.features(tree(other)))
        };
        assert_eq!([published(Measure::Rtdm), published(Measure::CommonPaths), published(Measure::BottomUp)], [2.0, 0.5, 9.0]);
        assert!((published(Measure::TagVector) - 1.732051).abs() < 1e-6);
    }

    /// Our reading: text is no step of a path unless wanted.
    #[test]
    fn text_counts_only_if_wanted() {
        let (one, other) = (Page::parse("<p>text</p>"), Page::parse("<p></p>"));
        for measure in [Measure::Rtdm, Measure::CommonPaths, Measure::TagSequence, Measure::PathShingles] {
            let far = |text_nodes| {
                let distance = Distance { measure, text_nodes, ..Distance::default() };
                distance.between(&distance.reduce(&one).features, &distance.reduce(&other).features)
            };
            assert!(far(false) == 0.0 && far(true) > 0.0, "{measure}");
        }
    }

    /// Ids are part of paths in Zelený 2017, §7.4; to fold their digits is ours.
    #[test]
    fn ids_belong_to_paths_and_can_be_folded() {
        let page = |number: u32| Page::parse(format!("<article id=post-{number}><p>text</p></article>"));
        let far = |fold_ids| {
            let distance = Distance { measure: Measure::IdPaths, fold_ids, ..Distance::default() };
            distance.between(&distance.reduce(&page(1)).features, &distance.reduce(&page(22)).features)
        };
        assert_eq!((far(false), far(true)), (0.5, 0.0));
    }

    #[test]
    fn any_two_pages_have_every_distance() {
        let pages =
            ["", "text", "<frameset>", "<svg><a>", "<table><tr><td>x", "<ul><li>a<li>b</ul><script>x</script>"].map(Page::parse);
        for measure in Measure::ALL {
            let distance = distance(measure);
            let reduced: Vec<ReducedPage> = pages.iter().map(|page| distance.reduce(page)).collect();
            for one in &reduced {
                for other in &reduced {
                    let far = distance.between(&one.features, &other.features);
                    assert!((0.0..=1.0).contains(&far) && distance.published(&one.features, &other.features) >= 0.0, "{measure}");
                }
            }
            assert!(distance.least_similarity(measure.threshold()) > 0.0);
        }
        assert_eq!(distance(Measure::Rtdm).between(&Features::Set(Vec::new()), &Features::Spectrum(Vec::new())), 1.0);
    }

    proptest! {
        #[test]
        fn all_are_symmetric_bounded_and_zero_for_equal_pages(one in trees(), other in trees()) {
            for measure in Measure::ALL {
                let distance = distance(measure);
                let (a, b) = (distance.features(one.clone()), distance.features(other.clone()));
                let far = distance.between(&a, &b);
                prop_assert!((0.0..=1.0).contains(&far), "{} {}", measure, far);
                prop_assert!((far - distance.between(&b, &a)).abs() < 1e-12, "{}", measure);
                prop_assert_eq!(distance.between(&a, &a), 0.0, "{}", measure);
                let published = distance.published(&a, &b);
                prop_assert!((published - distance.published(&b, &a)).abs() < 1e-9, "{}", measure);
            }
        }

        /// The triangle inequality holds for the overlap of sets and bags, for their union, for lengths of vectors as a share of both, and for
        /// edit costs; not for squared differences, nor for edit costs as a share.
        #[test]
        fn detours_are_not_shorter(one in trees(), other in trees(), third in trees()) {
            for measure in Measure::ALL.into_iter().filter(|measure| !matches!(measure, Measure::TagFrequency | Measure::Rtdm)) {
                let distance = distance(measure);
                let [a, b, c] = [&one, &other, &third].map(|tree| distance.features(tree.clone()));
                let far = |one, other| distance.between(one, other);
                prop_assert!(far(&a, &c) <= far(&a, &b) + far(&b, &c) + 1e-6, "{}", measure);
            }
            let costs = Distance { measure: Measure::Rtdm, inner_names: InnerNames::Fringe, ..Distance::default() };
            let [a, b, c] = [&one, &other, &third].map(|tree| costs.features(tree.clone()));
            prop_assert!(costs.published(&a, &c) <= costs.published(&a, &b) + costs.published(&b, &c) + 1e-9);
        }
    }
}
