//! WISH: regions of repeated records, such as the hits of a search or the products of a shop.
//!
//! J. L. Hong, E.-G. Siew, S. Egerton, *Information extraction for search engines using fast heuristic techniques*, Data & Knowledge Engineering 69,
//! 2010, as J. Zelený describes it (PhD thesis, Brno 2017, §3.1.1): groups of repeating content are listed; those are dropped whose records have fewer than
//! three tags, whose records have trees that are not alike, by the number of distinct tags on each level instead of an edit distance, and which have fewer
//! than three records; the largest of what is left is the main content. How much alike, and what is large, is left open there: here it is the share of tags
//! that two records have in common, level by level, and pixels, or characters where there are no boxes.
//!
//! A record may take several siblings, such as a heading and what is below it. A region is a segment and its records are parts of it; what is in none is left
//! alone. Records are not looked into, and trees are compared to a few levels, so each node is looked at a few times.

use crate::layout::Layout;
use crate::node_views::Views;
use crate::registry::{Sees, SegmentEntry};
use crate::segmentation::{Group, SegmentKind, SegmentTechnique, Segmentation};
use unchaff_dom::{NodeId, Page};
use unchaff_page::parameters;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

parameters! {
    /// The parameters of WISH.
    pub struct Params {
        /// A region has at least so many records.
        pub records: usize = 3,
        /// A record has at least so many tags.
        pub tags: usize = 3,
        /// Records that follow each other have at least this share of tags in common, level by level.
        pub alike: f64 = 0.7,
        /// A record takes at most so many siblings.
        pub siblings: usize = 3,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SegmentEntry = SegmentEntry {
    name: "wish",
    summary: "regions of repeated records of like trees, with their records; the largest is the content",
    source: "J. L. Hong, E.-G. Siew, S. Egerton: Information extraction for search engines using fast heuristic techniques. Data & Knowledge Engineering 69, 2010",
    cost: "linear in the nodes",
    kind: Sees::Tree,
    parameters: Params::list,
    build: |settings| Ok(Box::new(Wish { params: read(settings)? })),
};

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub(crate) params: Params,
}

/// The trees of records are compared so many levels deep.
const LEVELS: u32 = 6;

/// The records of a region, each of one or more siblings.
type Region = Vec<Vec<NodeId>>;

impl SegmentTechnique for Wish {
    fn name(&self) -> &'static str {
        "wish"
    }

    fn segment(&self, page: &Page, layout: &Layout) -> Segmentation {
        let regions = page.body().map(|body| self.regions(page, body)).unwrap_or_default();
        let views = Views::new(page, layout);
        let size = |region: &Region| -> f64 {
            let nodes = region.iter().flatten();
            match layout.boxes.is_empty() {
                true => nodes.map(|node| f64::from(page.counts(*node).chars)).sum(),
                false => nodes.map(|node| views.share(*node)).sum(),
            }
        };
        let sizes: Vec<f64> = regions.iter().map(size).collect();
        let largest = (0..sizes.len()).rev().max_by(|one, other| sizes[*one].total_cmp(&sizes[*other]));
        let mut groups = Vec::new();
        for (at, region) in regions.into_iter().enumerate() {
            let parent = Some(groups.len() as u32);
            let kind = (largest == Some(at)).then_some(SegmentKind::Content);
            groups.push(Group { nodes: region.iter().flatten().copied().collect(), kind, ..Group::default() });
            groups.extend(region.into_iter().map(|nodes| Group { nodes, parent, ..Group::default() }));
        }
        Segmentation::from_groups(page, layout, groups)
    }
}

impl Wish {
    /// The regions below a node, in document order.
    pub(crate) fn regions(&self, page: &Page, top: NodeId) -> Vec<Region> {
        let mut found: Vec<Region> = Vec::new();
        let mut open = vec![top];
        while let Some(node) = open.pop() {
            let children: Vec<NodeId> = page.element_children(node).collect();
            let mut at = 0;
            while at < children.len() {
                match self.region(page, &children[at..]) {
                    Some(region) => {
                        at += region.len() * region[0].len();
                        found.push(region);
                    }
                    None => {
                        open.push(children[at]);
                        at += 1;
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The region that starts with these siblings, if one does: of the shortest records.
    fn region(&self, page: &Page, siblings: &[NodeId]) -> Option<Region> {
        let least = self.params.records.max(2);
        for width in 1..=self.params.siblings.clamp(1, siblings.len().max(1)) {
            if siblings.len() < least * width {
                return None;
            }
            let is_next = |at: usize| (at..at + width).all(|at| page.tag(siblings[at]) == page.tag(siblings[at - width]));
            // Cheap tests first: most siblings start no region.
            if !is_next(width) || self.tags(page, &siblings[..width]) < self.params.tags {
                continue;
            }
            let mut region = vec![siblings[..width].to_vec()];
            let mut last = levels(page, &siblings[..width]);
            let mut at = width;
            while at + width <= siblings.len() && is_next(at) {
                let record = &siblings[at..at + width];
                let its = levels(page, record);
                if self.tags(page, record) < self.params.tags || in_common(&last, &its) < self.params.alike {
                    break;
                }
                region.push(record.to_vec());
                last = its;
                at += width;
            }
            if region.len() >= least {
                return Some(region);
            }
        }
        None
    }

    fn tags(&self, page: &Page, record: &[NodeId]) -> usize {
        record.iter().map(|node| page.counts(*node).elements as usize).sum()
    }
}

/// The number of distinct tags on each level of a record.
pub(crate) fn levels(page: &Page, record: &[NodeId]) -> Vec<usize> {
    let mut seen: Vec<(u32, unchaff_dom::Tag)> = Vec::new();
    let mut open: Vec<(u32, NodeId)> = record.iter().map(|node| (0, *node)).collect();
    while let Some((level, node)) = open.pop() {
        let entry = (level, page.tag(node));
        if !seen.contains(&entry) {
            seen.push(entry);
        }
        if level + 1 < LEVELS {
            open.extend(page.element_children(node).map(|child| (level + 1, child)));
        }
    }
    let mut counts = vec![0; LEVELS as usize];
    seen.iter().for_each(|(level, _)| counts[*level as usize] += 1);
    counts
}

/// The share of tags that two records have in common, by their numbers on each level.
pub(crate) fn in_common(one: &[usize], other: &[usize]) -> f64 {
    let (mut common, mut all) = (0, 0);
    for (one, other) in one.iter().zip(other) {
        common += one.min(other);
        all += one.max(other);
    }
    common as f64 / f64::from(all.max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(html: &str, params: Params) -> Vec<Vec<String>> {
        let page = Page::parse(html);
        let found = Wish { params }.regions(&page, page.body().unwrap());
        let text = |record: &Vec<NodeId>| record.iter().map(|node| page.text(*node)).collect::<String>();
        found.iter().map(|region| region.iter().map(text).collect()).collect()
    }

    const RECORD: &str = "<div><h3>a</h3><p>b</p></div>";

    #[test]
    fn three_like_records_are_a_region_and_two_are_none() {
        let page = |records: usize| format!("<ul><li>x<li>y<li>z</ul><section>{}</section>", RECORD.repeat(records));
        // Entries of one tag each are what the work takes for advertisements and menus.
        assert_eq!(regions(&page(3), Params::default()), [["ab", "ab", "ab"]]);
        assert!(regions(&page(2), Params::default()).is_empty());
        assert_eq!(regions(&page(2), Params { records: 2, ..Params::default() }).len(), 1);
        assert_eq!(regions(&page(0), Params { tags: 1, ..Params::default() }), [["x", "y", "z"]]);
    }

    #[test]
    fn records_of_several_siblings_are_found_and_unlike_ones_end_a_region() {
        let pair = "<h3>a</h3><p>b <i>c</i></p>";
        let record = vec!["ab c"; 3];
        assert_eq!(regions(&pair.repeat(3), Params::default()), [record]);
        assert!(regions(&pair.repeat(3), Params { siblings: 1, ..Params::default() }).is_empty());
        let other = "<div><table><tr><td>x</td></tr></table><form><input></form></div>";
        assert_eq!(regions(&format!("{}{other}", RECORD.repeat(3)), Params::default()), [["ab", "ab", "ab"]]);
    }

    /// 1 + 2 + 0 tags of 1 + 2 + 1.
    #[test]
    fn likeness_is_the_share_of_distinct_tags_on_each_level() {
        let page = Page::parse("<div><p>a</p><i>b</i></div><div><p>a</p><p>c</p><i>b<b>d</b></i></div>");
        let divs: Vec<NodeId> = page.element_children(page.body().unwrap()).collect();
        let [one, other] = [levels(&page, &divs[..1]), levels(&page, &divs[1..])];
        assert_eq!((&one[..3], &other[..3]), (&[1, 2, 0][..], &[1, 2, 1][..]));
        assert!((in_common(&one, &other) - 0.75).abs() < 1e-9);
    }

    #[test]
    fn the_largest_region_is_the_content_and_records_are_its_parts() {
        let long = "<div><h3>a</h3><p>much more to read here</p></div>";
        let page = Page::parse(format!("<aside>{}</aside><main>{}</main>", RECORD.repeat(4), long.repeat(3)));
        let found = Wish::default().segment(&page, &Layout::default());
        let kinds: Vec<_> =
            found.segments.iter().filter(|segment| segment.parent.is_none()).map(|segment| segment.kind).collect();
        assert_eq!(kinds, [None, Some(SegmentKind::Content)]);
        assert_eq!(found.segments.len(), 2 + 4 + 3);
    }
}
