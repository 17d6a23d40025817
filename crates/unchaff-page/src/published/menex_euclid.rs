//! MenEx in a Euclidean space: a variant of ours, after a remark of its author.
//!
//! Julián Alarte's thesis (2023, chapter 16) notes that MenEx's weighted sum cannot tell apart different combinations of
//! properties that come to the same sum, and proposes the Euclidean distance of ConEx (chapter 6) instead. It gives no
//! algorithm; this is ours. The six properties of [MenEx](crate::published::menex) are standardised over all rated nodes of the
//! page, so that each node is a point in a space of six dimensions whose centre is the origin. What [MenEx] does with
//! weights is then done with the distances from the centre: candidates, climbing, choice between roots. There are no
//! weights to be tuned: a property counts the more, the fewer nodes of the page have it.
//!
//! In ConEx a node may stand out in either direction, and later steps reject what is no content. There is no such step
//! for menus, and the farthest nodes would often be those of most text. By default, therefore, only the axes count on
//! which a node lies on the side of menus (above the mean).
//!
//! [MenEx]: crate::published::menex

use crate::parameters::{choice, parameters};
use crate::published::conex::{ChildCount, Links};
use crate::published::menex::{Analysis, Params as MenexParams, Rated, TextFormula};
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use unchaff_dom::Page;

choice! {
    /// Which axes count in the distance of a node from the centre.
    pub enum Axes {
        /// Those on which the node lies above the mean.
        Above = "above",
        /// All, as in ConEx.
        All = "all",
    }
}

parameters! {
    /// Parameters of the variant. Thresholds and switches have the meaning and the values they have in MenEx.
    pub struct Params {
        /// Which axes count in the distance: those on which a node is above the mean, or all.
        pub axes: Axes = Axes::Above,
        /// Nodes above this share of the greatest distance are candidates.
        pub candidate_factor: f64 = 0.85,
        /// The tree is climbed while most siblings are above this share of the candidate's distance.
        pub root_threshold: f64 = 0.90,
        /// Nodes above this share of the greatest distance are averaged to choose between roots.
        pub menu_threshold: f64 = 0.85,
        /// How text lowers the text ratio.
        pub text_formula: TextFormula = TextFormula::RootOfPage,
        /// Which children count: all nodes, or without blank text and comments.
        pub child_count: ChildCount = ChildCount::All,
        /// Which `a` elements are links: all, or those with an href.
        pub links: Links = Links::All,
        /// Roots with fewer links below them are no menu.
        pub min_links: u32 = 0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<MenexEuclid, Params>(
    "menex-euclid",
    BlockKind::Menu,
    "MenEx with distances in the space of its six standardised properties instead of a weighted sum (a variant of ours)",
    "after J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 16",
    "linear in the page, but for sorting; candidates times depth",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct MenexEuclid {
    params: Params,
}

impl PageTechnique for MenexEuclid {
    fn name(&self) -> &'static str {
        "menex-euclid"
    }

    fn detect(&self, page: &Page) -> Detection {
        self.analyse(page).detection(page)
    }

    fn explain(&self, page: &Page) -> Explanation {
        self.analyse(page).explanation("distance")
    }
}

impl From<Params> for MenexEuclid {
    fn from(params: Params) -> MenexEuclid {
        MenexEuclid { params }
    }
}

impl MenexEuclid {
    /// The variant with these parameters.
    #[must_use]
    pub fn new(params: Params) -> MenexEuclid {
        MenexEuclid::from(params)
    }

    /// Runs all steps and keeps what they found; the weights are distances.
    #[must_use]
    pub fn analyse(&self, page: &Page) -> Analysis {
        let Params { axes, candidate_factor, root_threshold, menu_threshold, text_formula, child_count, links, min_links } =
            self.params;
        let menex = MenexParams {
            candidate_factor,
            root_threshold,
            menu_threshold,
            text_formula,
            child_count,
            links,
            min_links,
            ..MenexParams::default()
        };
        let mut rated = menex.rate(page);
        let scale = standards(&rated);
        for node in &mut rated {
            let point = node.properties.iter().zip(scale).map(|(property, (mean, inverse))| (property - mean) * inverse);
            let counted = point.filter(|x| axes == Axes::All || *x > 0.0);
            node.weight = counted.map(|x| x * x).sum::<f64>().sqrt();
        }
        menex.select(page, rated)
    }
}

/// Mean and inverse deviation of each property; a property that is the same for all nodes has 0 for the latter.
fn standards(rated: &[Rated]) -> [(f64, f64); 6] {
    let number = rated.len() as f64;
    std::array::from_fn(|axis| {
        let mean = rated.iter().map(|node| node.properties[axis]).sum::<f64>() / number;
        let deviation = (rated.iter().map(|node| (node.properties[axis] - mean).powi(2)).sum::<f64>() / number).sqrt();
        // Rounding can leave a deviation next to nothing where there is none.
        (mean, if deviation > 1e-12 { 1.0 / deviation } else { 0.0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Tag;

    fn rated(properties: [f64; 6]) -> Rated {
        Rated { node: unchaff_dom::NodeId(0), properties, weight: 0.0 }
    }

    #[test]
    fn combinations_of_the_same_sum_are_told_apart() {
        // Alarte 2023, §6.2.3, with two axes more: as sums (4,3,2,1) and (1,2,3,4) are one, as points they are not.
        let nodes = [rated([4.0, 3.0, 2.0, 1.0, 0.0, 0.0]), rated([1.0, 2.0, 3.0, 4.0, 0.0, 0.0])];
        let scale = standards(&nodes);
        let point = |node: &Rated| -> Vec<f64> {
            node.properties.iter().zip(scale).map(|(x, (mean, inverse))| (x - mean) * inverse).collect()
        };
        assert_eq!(point(&nodes[0]), [1.0, 1.0, -1.0, -1.0, 0.0, 0.0]);
        assert_eq!(point(&nodes[1]), [-1.0, -1.0, 1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn text_far_from_the_centre_is_no_menu_unless_all_axes_count() {
        let list = "<div><i>x</i><b>x</b><ul><li><a href=1>1</a><li><a href=2>2</a><li><a href=3>3</a></ul></div>";
        let html = format!("<body>{}<p>{}</p></body>", list.repeat(5), "a long text ".repeat(200));
        let page = Page::parse(html);
        let menu = |axes| MenexEuclid::new(Params { axes, ..Params::default() }).analyse(&page).menu.unwrap();
        assert_eq!(page.tag(menu(Axes::Above)), Tag::Ul);
        assert_ne!(page.tag(menu(Axes::All)), Tag::Ul);
    }

    proptest! {
        #[test]
        fn the_squares_of_all_distances_have_the_mean_of_the_axes_that_vary(words in prop::collection::vec("<(div|p|ul|li|nav)>|<a href=x>|</(div|ul|a)>|one |two ", 0..60)) {
            let page = Page::parse(words.concat());
            let analysis = MenexEuclid::new(Params { axes: Axes::All, ..Params::default() }).analyse(&page);
            let varying = standards(&analysis.rated).iter().filter(|(_, inverse)| *inverse > 0.0).count();
            let squares = analysis.rated.iter().map(|rated| rated.weight.powi(2)).sum::<f64>();
            prop_assert!((squares - (varying * analysis.rated.len()) as f64).abs() < 1e-6);
        }
    }
}
