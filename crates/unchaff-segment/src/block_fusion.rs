//! Block fusion: neighbouring text blocks of like density grow together, as segments of an image do.
//!
//! Source: C. Kohlschütter, W. Nejdl, *A densitometric approach to web page segmentation*, CIKM 2008. A text block is what stands between
//! tags; its density is its words per line when it is wrapped at 80 columns. Two neighbours are joined if the slope between their
//! densities is at most ϑ; with smoothing, a block that is less dense than both its neighbours, which are equally dense, is joined
//! with them. Rounds go on until nothing changes. Tags that never end a block and tags at which none is joined are the paper's
//! rule-based variant.

use crate::layout::Layout;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{SegmentTechnique, Segmentation};
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;
use unchaff_page::views::text_blocks::{Cut, Role, text_blocks};

parameters! {
    /// The parameters of block fusion.
    pub struct Params {
        /// The largest slope ϑ between the densities of two blocks that are joined.
        pub slope: f64 = 0.38,
        /// Whether a dip between two equally dense blocks is joined with them.
        pub smoothed: bool = true,
        /// Whether headings, lists, tables and rules keep blocks apart.
        pub gaps: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "block-fusion",
    summary: "neighbouring text blocks of like density grow together",
    source: "C. Kohlschütter, W. Nejdl: A densitometric approach to web page segmentation. CIKM 2008",
    cost: "linear, times the rounds",
    kind: Sees::Tree,
    parameters: Params::list,
    build: |settings| Ok(Box::new(BlockFusion { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct BlockFusion {
    params: Params,
}

/// Blocks that were joined: their words on full lines, their lines, and their ends.
#[derive(Clone, Debug)]
struct Fused {
    words: u32,
    lines: u32,
    first: NodeId,
    last: NodeId,
    /// Whether it must not be joined with what stands before.
    apart: bool,
}

impl Fused {
    fn density(&self) -> f64 {
        f64::from(self.words) / f64::from(self.lines.max(1))
    }

    fn join(&mut self, other: &Fused) {
        self.words += other.words;
        self.lines += other.lines;
        self.last = other.last;
    }
}

impl SegmentTechnique for BlockFusion {
    fn name(&self) -> &'static str {
        "block-fusion"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let groups = self.fuse(page).iter().map(|fused| nodes_between(page, fused.first, fused.last)).collect();
        Segmentation::from_nodes(page, layout, groups)
    }
}

impl BlockFusion {
    fn fuse(&self, page: &Page) -> Vec<Fused> {
        let root = page.body().unwrap_or(page.root());
        let cut = Cut { role: |tag| if is_inline(tag) { Role::Inline } else { Role::Separator }, ideographs: true };
        let gaps = gap_sums(page);
        let mut blocks: Vec<Fused> = Vec::new();
        for block in text_blocks(page, root, cut) {
            let gap = |before: &Fused| gaps[block.first.index()] > gaps[before.last.index()];
            let apart = self.params.gaps && blocks.last().is_some_and(gap);
            blocks.push(Fused {
                words: block.wrapped_words,
                lines: block.wrapped_lines,
                first: block.first,
                last: block.last,
                apart,
            });
        }
        loop {
            let before = blocks.len();
            blocks = self.round(blocks);
            if blocks.len() == before {
                return blocks;
            }
        }
    }

    fn round(&self, blocks: Vec<Fused>) -> Vec<Fused> {
        let mut joined: Vec<Fused> = Vec::with_capacity(blocks.len());
        // Whether the last block was a dip, after which the next one is joined too.
        let mut in_dip = false;
        for (at, block) in blocks.iter().enumerate() {
            let Some(last) = joined.last_mut().filter(|_| !block.apart) else {
                joined.push(block.clone());
                continue;
            };
            let (one, other) = (last.density(), block.density());
            let slope = (one - other).abs() / one.max(other).max(f64::MIN_POSITIVE);
            let is_like = in_dip || slope <= self.params.slope;
            let next = blocks.get(at + 1).filter(|next| self.params.smoothed && !next.apart);
            in_dip = !is_like && next.is_some_and(|next| next.density() == one && other < one);
            if is_like || in_dip {
                last.join(block);
            } else {
                joined.push(block.clone());
            }
        }
        joined
    }
}

/// Tags that do not end a block.
fn is_inline(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        A | Abbr | Acronym | B | Big | Br | Cite | Code | Em | Font | I | Q | S | Small | Span | Strong | Sub | Sup | Tt | U
    )
}

/// How many tags at which nothing is joined stand before each node. An element counts where it starts and where it ends.
fn gap_sums(page: &Page) -> Vec<u32> {
    use Tag::*;
    let mut ends = vec![0_u32; page.len() + 1];
    for node in page.nodes() {
        if matches!(page.tag(node), H1 | H2 | H3 | H4 | H5 | H6 | Ul | Dl | Ol | Hr | Table | Address | Img | Script) {
            ends[node.index()] += 1;
            // What follows a heading belongs to it.
            if !matches!(page.tag(node), H1 | H2 | H3 | H4 | H5 | H6) {
                ends[page.end(node).index()] += 1;
            }
        }
    }
    let mut sum = 0;
    ends.iter_mut().for_each(|count| {
        sum += *count;
        *count = sum;
    });
    ends
}

/// The largest nodes that lie wholly between two text nodes, both included.
fn nodes_between(page: &Page, first: NodeId, last: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let end = page.end(last);
    let mut next = first;
    while next < end {
        let outermost = page.ancestors(next).take_while(|above| *above >= first && page.end(*above) <= end).last();
        let node = outermost.unwrap_or(next);
        if page.end(node) <= end {
            found.push(node);
            next = page.end(node);
        } else {
            next = NodeId(next.0 + 1);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(params: Params, html: &str) -> Vec<String> {
        let page = Page::parse(html);
        let found = BlockFusion { params }.segment(&page, &Layout::default());
        let text = |nodes: &[NodeId]| {
            nodes.iter().map(|node| page.text(*node).trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("|")
        };
        found.segments.iter().map(|segment| text(&segment.nodes)).collect()
    }

    #[test]
    fn paragraphs_of_like_density_are_joined_and_a_menu_is_not_joined_with_them() {
        let long = "It rained all day and all night, and then the sun came out over the hills again. ".repeat(3);
        let html = format!("<div>Home</div><div>News</div><p>{long}</p><p>{long}</p><div>Imprint</div>");
        let found = texts(Params { gaps: false, ..Params::default() }, &html);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], "Home|News");
        assert_eq!(found[2], "Imprint");
    }

    #[test]
    fn headings_and_lists_keep_blocks_apart() {
        let html = "<div>one</div><h2>two</h2><div>three</div><ul><li>four</li></ul><div>five</div>";
        assert_eq!(texts(Params::default(), html), ["one", "two|three", "four", "five"]);
        assert_eq!(texts(Params { gaps: false, ..Params::default() }, html).len(), 1);
    }

    #[test]
    fn a_dip_between_equals_is_smoothed() {
        let (dense, sparse) = ("one two three four five six", "one");
        let html = format!("<p>{dense}</p><p>{sparse}</p><p>{dense}</p>");
        let params = Params { gaps: false, ..Params::default() };
        assert_eq!(texts(params.clone(), &html).len(), 1);
        assert_eq!(texts(Params { smoothed: false, ..params }, &html).len(), 3);
    }
}
