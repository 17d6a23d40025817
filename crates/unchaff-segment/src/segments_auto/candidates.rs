//! What can be a segment: elements of which something is seen. Elements with the same boxes in them are one candidate.
//!
//! Candidates form a tree, each after the one it is in. What can be counted of one is a difference of sums over nodes in document order.

use crate::layout::{BoxKind, Layout};
use crate::node_views::Views;
use unchaff_dom::{NodeId, Page};

/// An element, with those that have the same boxes in them.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The outermost.
    pub outer: NodeId,
    /// The innermost.
    pub inner: NodeId,
    /// The candidate that it is in, by its position.
    pub parent: Option<usize>,
    /// The candidates directly in it.
    pub children: Vec<usize>,
    /// Its position among those that its parent has in it.
    pub rank: usize,
}

/// The candidates of a page with what is summed up over them.
pub struct Candidates<'p> {
    pub(super) views: Views<'p>,
    /// The candidates, each after the one it is in; the first is the body.
    pub list: Vec<Candidate>,
    /// The candidate that each element is, alone or with others.
    pub of_node: Vec<Option<u32>>,
    /// Text lines and images before each node.
    items: Vec<u32>,
    /// Characters that are seen, pixels, and pixels of images before each node.
    characters: Vec<f64>,
    pixels: Vec<f64>,
    image_pixels: Vec<f64>,
    /// The size that most type of the page has.
    pub(super) usual_type: f64,
}

impl<'p> Candidates<'p> {
    /// The candidates of a page; none if nothing of it is seen.
    #[must_use]
    pub fn new(page: &'p Page, layout: &Layout) -> Candidates<'p> {
        let (mut items, mut pixels, mut image_pixels) = (vec![0_u32; page.len()], vec![0.0; page.len()], vec![0.0; page.len()]);
        let mut sizes: std::collections::BTreeMap<u16, f64> = std::collections::BTreeMap::new();
        for at in layout.content() {
            let rendered = &layout.boxes[at as usize];
            let Some(node) = rendered.node.map(|node| node as usize).filter(|node| *node < page.len()) else { continue };
            let area = rendered.rect.area() as f64;
            items[node] += 1;
            pixels[node] += area;
            if rendered.kind == BoxKind::Image {
                image_pixels[node] += area;
            } else {
                *sizes.entry(rendered.font_size).or_default() += rendered.rect.width() as f64;
            }
        }
        let seen = |node: NodeId| items[node.index()] > 0 && !page.is_element(node);
        let characters = sums(page.nodes().map(|node| if seen(node) { f64::from(page.counts(node).chars) } else { 0.0 }));
        let usual_type =
            sizes.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).map_or(16.0, |(size, _)| f64::from(size.max(1)));
        let items = sums(items.into_iter());
        let mut found = Candidates {
            views: Views::new(page, layout),
            list: Vec::new(),
            of_node: vec![None; page.len()],
            items,
            characters,
            pixels: sums(pixels.into_iter()),
            image_pixels: sums(image_pixels.into_iter()),
            usual_type,
        };
        if let Some(body) = page.body() {
            found.collect(body);
        }
        found
    }

    fn collect(&mut self, body: NodeId) {
        let page = self.views.page;
        for node in page.subtree(body).filter(|node| page.is_element(*node)) {
            let items = self.items(node);
            if items == 0 || self.views.rect(node).is_none() {
                continue;
            }
            let above = page.parent(node).filter(|_| node != body);
            let parent = above.and_then(|above| self.of_node[above.index()]).map(|parent| parent as usize);
            if let Some(same) = parent.filter(|parent| self.items(self.list[*parent].outer) == items) {
                // All that is in the parent is in this one; what stands beside it shows nothing.
                self.list[same].inner = node;
                self.of_node[node.index()] = Some(same as u32);
                continue;
            }
            let at = self.list.len();
            self.of_node[node.index()] = Some(at as u32);
            let rank = parent.map_or(0, |parent| self.list[parent].children.len());
            if let Some(parent) = parent {
                self.list[parent].children.push(at);
            }
            self.list.push(Candidate { outer: node, inner: node, parent, children: Vec::new(), rank });
        }
    }

    /// How many text lines and images are seen of a node.
    #[must_use]
    pub fn items(&self, node: NodeId) -> u32 {
        let range = self.views.page.range(node);
        self.items[range.end] - self.items[range.start]
    }

    fn below(&self, sums: &[f64], node: NodeId) -> f64 {
        let range = self.views.page.range(node);
        sums[range.end] - sums[range.start]
    }

    /// The characters that are seen of a node.
    #[must_use]
    pub fn characters(&self, node: NodeId) -> f64 {
        self.below(&self.characters, node)
    }

    /// The pixels of the lines and images of a node, and of the images alone.
    pub(super) fn pixels(&self, node: NodeId) -> (f64, f64) {
        (self.below(&self.pixels, node), self.below(&self.image_pixels, node))
    }
}

/// The sums before each, and of all.
fn sums<N: Copy + Default + std::ops::Add<Output = N>>(values: impl Iterator<Item = N>) -> Vec<N> {
    let mut sum = N::default();
    let mut sums = vec![sum];
    for value in values {
        sum = sum + value;
        sums.push(sum);
    }
    sums
}
