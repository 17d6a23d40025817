//! Elements that are seen by their background image alone.
//!
//! Many menus and logos are such images, with the real text off the page. Renderers know that there is an image behind an
//! element, not what is on it, so it counts where the element says something of which nothing else is seen; elsewhere it
//! is decoration.

use crate::layout::{BoxKind, Layout};
use unchaff_dom::{NodeId, Page, Tag};

/// Makes images of the boxes with a background image (`pictured`, in order) of which nothing else is seen though they have
/// text or are links.
pub fn show(page: &Page, layout: &mut Layout, pictured: &[usize]) {
    let is_link = |node: NodeId| std::iter::once(node).chain(page.ancestors(node)).any(|above| page.tag(above) == Tag::A);
    let speaks = |node: NodeId| page.counts(node).tokens > 0 || is_link(node);
    let mut filled: Vec<bool> = (0..layout.boxes.len()).map(|at| layout.is_content(at)).collect();
    for at in (0..layout.boxes.len()).rev() {
        let shows = pictured.binary_search(&at).is_ok() && layout.is_on_page(layout.boxes[at].rect);
        if shows && !filled[at] && layout.boxes[at].node.is_some_and(|node| speaks(NodeId(node))) {
            layout.boxes[at].kind = BoxKind::Image;
            filled[at] = true;
        }
        if let Some(parent) = layout.boxes[at].parent.filter(|_| filled[at]) {
            filled[parent as usize] = true;
        }
    }
}
