//! Box Clustering Segmentation: neighbouring boxes of like colour and shape grow together into flat, disjoint segments.
//!
//! Source: J. Zelený, *Web page segmentation utilizing clustering techniques*, PhD thesis, Brno University of Technology
//! 2017, chapter 6. The steps are the thesis's: boxes (`visual_boxes.rs`), their links (`neighbours.rs`), dissimilarities
//! of linked boxes (`dissimilarity.rs`), clustering (`clustering.rs`). It prints several formulas that cannot work as they
//! stand; the default is our reading of them, and every other one is a parameter. [`Params::printed`] is the text taken by
//! the letter, [`Params::program`] the settings of the program that the author published. The clusters are flat, as published; with [`Params::tree`] they have the steps on the way to
//! them (`dendrogram.rs`).

mod clustering;
mod dendrogram;
pub mod dissimilarity;
pub mod neighbours;

pub use clustering::{Clusters, Merge};

use crate::color::TextColor;
use crate::grid::Grid;
use crate::layout::Layout;
use crate::rect::{Rect, Touching};
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{SegmentTechnique, Segmentation};
use crate::visual_boxes::{Extraction, VisualBox};
use unchaff_dom::Page;
use unchaff_dom::order::InOrder;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read_over;
use unchaff_page::{choice, parameters};

choice! {
    /// How the proportions of two boxes are compared (6.8).
    pub enum Ratio {
        /// Of width to height or of height to width, whichever is right for the pair: from 0 to 1 always.
        Symmetric = "symmetric",
        /// As printed: negative for two upright boxes, above 1 for an upright and a flat one.
        Printed = "printed",
    }
}

choice! {
    /// By what the distance of colours is divided (6.13).
    pub enum ColorDivisor {
        /// The distance of black and white, √3.
        Exact = "exact",
        /// 1.732.
        Printed = "printed",
    }
}

choice! {
    /// What counts as aligned with two boxes of the same left or top edge (Def 7).
    pub enum Alignment {
        /// All boxes of the page with that edge.
        Page = "page",
        /// The boxes that are reached along links of that direction and edge, over gaps that are not too wide.
        Chain = "chain",
        /// Nothing: no adjustment.
        Off = "off",
    }
}

choice! {
    /// Which neighbours the distance of two boxes is relative to (Def 6).
    pub enum Neighbourhood {
        /// All boxes that are linked, from either end.
        Linked = "linked",
        /// Those nearest to the box itself, as printed; distances can then be above 1.
        Nearest = "nearest",
    }
}

choice! {
    /// What becomes of a box without cluster in the rectangle of a candidate (Alg 1).
    pub enum Extension {
        /// It joins if it touches a member; if one does not, the candidate is dropped.
        Adhesive = "adhesive",
        /// It joins.
        Absorb = "absorb",
    }
}

choice! {
    /// What the links between two clusters weigh in their mean (6.17).
    pub enum Weighing {
        /// All the same.
        Links = "links",
        /// The more, the larger their boxes are, by doublings: the visual importance that the thesis considers and rejects for its cost.
        Size = "size",
    }
}

choice! {
    /// Which steps of clustering are in the tree.
    pub enum Steps {
        /// None: the result is flat, as published.
        None = "none",
        /// Those at which clusters were joined; what grew by single boxes only is one segment.
        Joins = "joins",
        /// All, of each tenth of a degree the last: a cut at any degree is then what clustering finds at the CT of that degree.
        All = "all",
    }
}

parameters! {
    /// The parameters of Box Clustering Segmentation.
    pub struct Params {
        /// The clustering threshold CT: boxes and clusters that are more dissimilar are not joined.
        pub ct: f64 = 0.3,
        /// Below 1, CT is chosen for the page: the smallest that leaves no larger share of its boxes without a cluster.
        pub most_unclustered: f64 = 1.0,
        /// What the relative distance weighs in the dissimilarity of two boxes.
        pub distance_weight: f64 = 1.0 / 3.0,
        /// What the shape weighs.
        pub shape_weight: f64 = 1.0 / 3.0,
        /// What the colour weighs.
        pub color_weight: f64 = 1.0 / 3.0,
        /// How proportions are compared.
        pub ratio: Ratio = Ratio::Symmetric,
        /// By what distances of colours are divided.
        pub color_divisor: ColorDivisor = ColorDivisor::Exact,
        /// What counts as aligned.
        pub alignment: Alignment = Alignment::Page,
        /// The dissimilarity is divided by this times the number of aligned boxes.
        pub alignment_factor: f64 = 1.0,
        /// The widest gap in a chain of aligned boxes, in the smallest side of the two.
        pub chain_gap: f64 = 1.5,
        /// Whether boxes that are as far from each other as from any other neighbour are as dissimilar as can be, as printed.
        pub farthest_is_one: bool = false,
        /// Which neighbours distances are relative to.
        pub neighbourhood: Neighbourhood = Neighbourhood::Linked,
        /// Whether boxes that touch overlap.
        pub touching: Touching = Touching::Apart,
        /// A cluster with this many times more links of one direction than of the other is a row or a column.
        pub shape_factor: f64 = 2.0,
        /// Columns side by side, or rows one above the other, are not joined if one is more than this many times as dense.
        pub density_factor: f64 = 2.0,
        /// What becomes of boxes in the rectangle of a candidate.
        pub extension: Extension = Extension::Adhesive,
        /// What links between clusters weigh.
        pub weighing: Weighing = Weighing::Links,
        /// Which steps of clustering are in the tree.
        pub tree: Steps = Steps::None,
        /// Whether boxes without content are boxes if they have a background.
        pub keep_empty: bool = false,
        /// How much decoration shifts the colour of a text.
        pub text_decoration: f64 = 0.2,
        /// How much italics shift the colour of a text.
        pub text_italic: f64 = 0.2,
        /// How much bold type shifts the colour of a text.
        pub text_bold: f64 = 0.3,
        /// The saturation that white text starts with.
        pub white_saturation: f64 = 0.2,
        /// The brightness that black text starts with.
        pub black_brightness: f64 = 0.2,
    }
}

impl Params {
    /// The thesis by the letter wherever it can be computed: the endless loop of Alg 2 and its inverted test are not kept.
    #[must_use]
    pub fn printed() -> Params {
        Params {
            distance_weight: 1.0,
            shape_weight: 1.0,
            color_weight: 1.0,
            ratio: Ratio::Printed,
            color_divisor: ColorDivisor::Printed,
            farthest_is_one: true,
            neighbourhood: Neighbourhood::Nearest,
            touching: Touching::Overlaps,
            ..Params::default()
        }
    }

    /// The settings of the author's program (`janzeleny/bcs` on GitHub), as far as they are settings.
    #[must_use]
    pub fn program() -> Params {
        Params {
            distance_weight: 0.2,
            shape_weight: 0.3,
            color_weight: 0.5,
            alignment: Alignment::Chain,
            alignment_factor: 2.0,
            keep_empty: true,
            text_italic: -0.2,
            ..Params::default()
        }
    }

    fn extraction(&self) -> Extraction {
        Extraction {
            keep_empty: self.keep_empty,
            text_color: TextColor {
                decoration: self.text_decoration,
                italic: self.text_italic,
                bold: self.text_bold,
                white_saturation: self.white_saturation,
                black_brightness: self.black_brightness,
            },
        }
    }
}

const SOURCE: &str = "J. Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, chapter 6";
const COST: &str = "n log n in the boxes, as a rule";

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "bcs",
    summary: "neighbouring boxes of like colour and shape grow together",
    source: SOURCE,
    cost: COST,
    kind: Sees::Boxes,
    parameters: Params::list,
    build: |settings| Ok(Box::new(Bcs::new("bcs", read_over(Params::default(), settings)?))),
};

/// The thesis by the letter.
pub(crate) const PRINTED_ENTRY: SegmentEntry = SegmentEntry {
    name: "bcs-printed",
    summary: "bcs with the thesis's formulas taken by the letter",
    parameters: || Params::printed().described(),
    build: |settings| Ok(Box::new(Bcs::new("bcs-printed", read_over(Params::printed(), settings)?))),
    ..ENTRY
};

/// The author's program.
pub(crate) const PROGRAM_ENTRY: SegmentEntry = SegmentEntry {
    name: "bcs-program",
    summary: "bcs with the settings of the author's program: colour first, alignment along chains",
    parameters: || Params::program().described(),
    build: |settings| Ok(Box::new(Bcs::new("bcs-program", read_over(Params::program(), settings)?))),
    ..ENTRY
};

/// The technique; see the [module](self).
#[derive(Clone, Debug)]
pub struct Bcs {
    name: &'static str,
    params: Params,
}

impl Bcs {
    /// The technique of a name with these parameters.
    #[must_use]
    pub fn new(name: &'static str, params: Params) -> Bcs {
        Bcs { name, params }
    }
}

impl SegmentTechnique for Bcs {
    fn name(&self) -> &'static str {
        self.name
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let (boxes, params) = self.boxes(layout);
        let clusters = cluster(&boxes, &params);
        let origins = |members: &[u32]| members.iter().map(|member| boxes[*member as usize].origin).collect::<Vec<u32>>();
        Segmentation::from_boxes(page, layout, clusters.clusters.iter().map(|members| origins(members)))
    }

    fn tree(&self, page: &Page, layout: &Layout) -> Segmentation {
        if self.params.tree == Steps::None {
            return self.segment(page, layout);
        }
        let (boxes, params) = self.boxes(layout);
        let mut groups = dendrogram::groups(&Prepared::new(&boxes, &params).at(&params).1, params.tree);
        for group in &mut groups {
            group.boxes.iter_mut().for_each(|member| *member = boxes[*member as usize].origin);
        }
        Segmentation::from_clusters(page, layout, groups)
    }
}

impl Bcs {
    /// The boxes of a page, and the parameters with the CT that they ask for.
    fn boxes(&self, layout: &Layout) -> (Vec<VisualBox>, Params) {
        let boxes = self.params.extraction().boxes(layout);
        let mut params = self.params.clone();
        if params.most_unclustered < 1.0 {
            params.ct = find_ct(&boxes, &params);
        }
        (boxes, params)
    }
}

/// Clusters boxes (§6.7). The result does not depend on their order.
#[must_use]
pub fn cluster(boxes: &[VisualBox], params: &Params) -> Clusters {
    Prepared::new(boxes, params).at(params).0
}

/// Boxes with their links and values, which are the same for every CT.
struct Prepared {
    /// Where the boxes stood.
    order: Vec<u32>,
    rects: Vec<Rect>,
    grid: Grid,
    links: Vec<neighbours::Link>,
    values: Vec<f64>,
}

impl Prepared {
    fn new(boxes: &[VisualBox], params: &Params) -> Prepared {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        order.order_by_key(|at| (boxes[*at as usize].rect, boxes[*at as usize].color, *at));
        let sorted: Vec<VisualBox> = order.iter().map(|at| boxes[*at as usize]).collect();
        let rects: Vec<Rect> = sorted.iter().map(|found| found.rect).collect();
        let grid = Grid::new(&rects);
        let links = neighbours::links_on(&rects, &grid, params.touching);
        let values = dissimilarity::base_dissimilarities(&sorted, &links, params);
        Prepared { order, rects, grid, links, values }
    }

    /// The clusters at the CT of the parameters, and the steps on the way to them.
    fn at(&self, params: &Params) -> (Clusters, Vec<Merge>) {
        let (mut found, mut merges) = clustering::cluster(&self.rects, self.grid.clone(), &self.links, &self.values, params);
        let of_merges = merges.iter_mut().map(|merge| &mut merge.boxes);
        for members in found.clusters.iter_mut().chain([&mut found.unclustered]).chain(of_merges) {
            members.iter_mut().for_each(|member| *member = self.order[*member as usize]);
            members.sort_unstable();
        }
        found.clusters.sort_unstable();
        (found, merges)
    }
}

/// Looks for the smallest CT that leaves no more than a share of the boxes without a cluster, by halving, as §6.7 suggests. The
/// share does not always fall as CT grows, so what is found is good, not best.
#[must_use]
pub fn find_ct(boxes: &[VisualBox], params: &Params) -> f64 {
    let clustering = Prepared::new(boxes, params);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..8 {
        let ct = (low + high) / 2.0;
        let left = clustering.at(&Params { ct, ..params.clone() }).0.unclustered.len();
        if left as f64 > params.most_unclustered * boxes.len() as f64 {
            low = ct;
        } else {
            high = ct;
        }
    }
    high
}

#[cfg(test)]
mod tests;
