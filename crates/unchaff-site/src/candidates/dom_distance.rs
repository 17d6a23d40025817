//! DOM distance: how far two nodes of a page are apart in its tree.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! Def. 4.2.4: the edges on the way from one node to the other through their lowest common ancestor. Links that stand close
//! together lead to pages of one kind; to see different pages, one follows links that stand far apart ([`Farthest`]).

use unchaff_dom::{NodeId, Page};

/// The number of edges between two nodes.
#[must_use]
#[cfg(test)]
pub(crate) fn dom_distance(page: &Page, one: NodeId, other: NodeId) -> usize {
    let meet = std::iter::once(one).chain(page.ancestors(one)).find(|above| page.range(*above).contains(&other.index()));
    let top = meet.map_or(0, |node| page.depth(node));
    page.depth(one) + page.depth(other) - 2 * top
}

/// Nodes chosen one after another, and how far every other node is from the nearest of them.
///
/// Every node knows how far below it the nearest chosen node is; the nearest of all is then found on the way up, so that
/// choosing and asking cost the depth of a node and not the number of nodes chosen.
#[derive(Debug)]
pub(crate) struct Farthest<'p> {
    page: &'p Page,
    /// Edges down to the nearest chosen node; [`u32::MAX`] if there is none below.
    down: Vec<u32>,
}

impl<'p> Farthest<'p> {
    /// Nothing chosen yet.
    #[must_use]
    pub(crate) fn new(page: &'p Page) -> Farthest<'p> {
        Farthest { page, down: vec![u32::MAX; page.len()] }
    }

    fn upwards(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> + use<'p> {
        (0..).zip(std::iter::once(node).chain(self.page.ancestors(node)))
    }

    /// Adds a node to the chosen ones.
    pub(crate) fn choose(&mut self, node: NodeId) {
        for (steps, above) in self.upwards(node) {
            let down = &mut self.down[above.index()];
            *down = steps.min(*down);
        }
    }

    /// Takes back all choices, which are these.
    pub(crate) fn forget(&mut self, chosen: impl IntoIterator<Item = NodeId>) {
        for node in chosen {
            for (_, above) in self.upwards(node) {
                self.down[above.index()] = u32::MAX;
            }
        }
    }

    /// The distance to the nearest chosen node; none if nothing is chosen.
    #[must_use]
    pub(crate) fn distance(&self, node: NodeId) -> Option<u32> {
        let through = |(steps, above): (u32, NodeId)| match self.down[above.index()] {
            u32::MAX => None,
            down => Some(down + steps),
        };
        self.upwards(node).filter_map(through).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::select::Selector;

    fn one(page: &Page, selector: &str) -> NodeId {
        page.select(&Selector::parse(selector).unwrap()).next().unwrap()
    }

    /// Alarte 2023, Fig. 7.4, and his master thesis (2014), Example 2.2.11.
    #[test]
    fn distances_of_the_published_examples() {
        let page = Page::parse("<body><div><a href=1>A</a></div><table><a></a></table>");
        let (a, div) = (one(&page, "div a"), one(&page, "div"));
        assert_eq!([dom_distance(&page, a, div), dom_distance(&page, div, a), dom_distance(&page, a, a)], [1, 1, 0]);
        let page = Page::parse("<body><div><a href=1>A</a></div><section><a href=2>B</a></section>");
        let (a, b) = (one(&page, "div a"), one(&page, "section a"));
        assert_eq!([dom_distance(&page, a, b), dom_distance(&page, b, a)], [4, 4]);
        let page = Page::parse("<body><main><div><p><span></span></p></div><div><div><img></div></div></main>");
        assert_eq!(dom_distance(&page, one(&page, "span"), one(&page, "img")), 6);
    }

    proptest! {
        #[test]
        fn it_is_a_distance_and_the_nearest_chosen_node_is_found(html in "(<div>|</div>|<p>|<b>|</b>|x){0,30}", chosen in prop::collection::vec(0usize..40, 1..5)) {
            let page = Page::parse(html.as_str());
            let nodes: Vec<NodeId> = page.nodes().collect();
            let chosen: Vec<NodeId> = chosen.iter().map(|at| nodes[at % nodes.len()]).collect();
            let mut farthest = Farthest::new(&page);
            prop_assert_eq!(farthest.distance(nodes[0]), None);
            chosen.iter().for_each(|node| farthest.choose(*node));
            for a in &nodes {
                let nearest = chosen.iter().map(|node| dom_distance(&page, *node, *a)).min().unwrap();
                prop_assert_eq!(farthest.distance(*a), Some(nearest as u32));
                for b in &nodes {
                    let ab = dom_distance(&page, *a, *b);
                    prop_assert_eq!(ab, dom_distance(&page, *b, *a));
                    prop_assert_eq!(ab == 0, a == b);
                    for c in chosen.iter() {
                        prop_assert!(ab <= dom_distance(&page, *a, *c) + dom_distance(&page, *c, *b));
                    }
                }
            }
            farthest.forget(chosen);
            prop_assert_eq!(farthest.distance(nodes[0]), None);
        }
    }
}
