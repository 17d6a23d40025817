//! A page as a mapping sees it: the body without what is left out.
//!
//! The published techniques edit the document before they compare it: they drop blank text, scripts, or the content that
//! another technique found. A page does not change, so the view says which nodes are hidden and how many children are left.

use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::published::conex::ChildCount;

/// The visible part of a page.
#[derive(Clone, Debug)]
pub(crate) struct TreeView<'p> {
    /// The page.
    pub page: &'p Page,
    /// The node that stands for the page: its body.
    pub root: NodeId,
    /// Roots of what is hidden.
    hidden: NodeSet,
    /// How many visible children every node has.
    children: Vec<u32>,
}

impl<'p> TreeView<'p> {
    /// The body of a page without the subtrees of some nodes.
    #[must_use]
    pub(crate) fn new(page: &'p Page, hidden: NodeSet) -> TreeView<'p> {
        let root = page.body().unwrap_or(page.root());
        let mut children = vec![0; page.len()];
        for node in page.descendants(root) {
            if let Some(parent) = page.parent(node).filter(|_| !hidden.contains(node)) {
                children[parent.index()] += 1;
            }
        }
        TreeView { page, root, hidden, children }
    }

    /// How many visible children a node has.
    #[must_use]
    pub(crate) fn child_count(&self, node: NodeId) -> u32 {
        self.children[node.index()]
    }

    /// The visible children of a node.
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.page.children(node).filter(|child| !self.hidden.contains(*child))
    }

    /// Visible nodes of the body in document order, the body first.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = self.root;
        let end = self.page.end(self.root);
        std::iter::from_fn(move || {
            while next < end && self.hidden.contains(next) {
                next = self.page.end(next);
            }
            let node = (next < end).then_some(next)?;
            next = NodeId(node.0 + 1);
            Some(node)
        })
    }
}

/// Nodes that are no part of the comparison: blank text and comments, scripts, if they are not wanted.
#[must_use]
pub(crate) fn ignored(page: &Page, child_nodes: ChildCount, scripts: bool) -> NodeSet {
    let is_ignored = |node: &NodeId| match page.tag(*node) {
        Tag::Text => child_nodes == ChildCount::Solid && page.counts(*node).tokens == 0,
        Tag::Comment => child_nodes == ChildCount::Solid,
        Tag::Script | Tag::Style | Tag::Iframe => !scripts,
        _ => false,
    };
    let body = page.body().unwrap_or(page.root());
    NodeSet::from_nodes(page, page.descendants(body).filter(is_ignored))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_nodes_are_neither_counted_nor_met() {
        let page = Page::parse("<body> <p>one</p><!-- two --><script>three()</script><div> </div></body>");
        let body = page.body().unwrap();
        let names = |view: &TreeView| view.nodes().map(|node| page.name(node).to_owned()).collect::<Vec<_>>();
        let whole = TreeView::new(&page, ignored(&page, ChildCount::All, true));
        assert_eq!((whole.child_count(body), whole.nodes().count()), (5, page.range(body).len()));
        let solid = TreeView::new(&page, ignored(&page, ChildCount::Solid, false));
        assert_eq!(solid.child_count(body), 2);
        assert_eq!(solid.children(body).count(), 2);
        assert_eq!(names(&solid), ["body", "p", "#text", "div"]);
    }
}
