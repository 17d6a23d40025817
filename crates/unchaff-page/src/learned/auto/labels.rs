//! Buttons that head content: the question that shows its answer, the name of a part that unfolds.
//!
//! They are no blocks, for the model knows none of these. One between two blocks that are taken is taken with them; one right above the first of several is, too.

use super::roots_between;
use super::view::View;
use unchaff_dom::{NodeId, Page, Tag, emit};

/// The outermost elements that hold such a button and no other text, given which blocks are taken.
pub(super) fn labels(view: &View<'_>, takes: impl Fn(usize) -> bool) -> Vec<NodeId> {
    let page = view.page;
    let Some(body) = page.body() else { return Vec::new() };
    let firsts = view.blocks.iter().enumerate().filter(|(at, _)| takes(*at) && (*at == 0 || !takes(at - 1)));
    let label = |(at, block): (usize, &super::TextBlock)| {
        let before = if at == 0 { body } else { view.blocks[at - 1].last };
        roots_between(page, before, block.first).filter_map(|root| label_in(page, root)).last()
    };
    firsts.filter_map(label).collect()
}

/// The last button that is written in an element: with all around it, if there is no other text.
fn label_in(page: &Page, root: NodeId) -> Option<NodeId> {
    let is_label = |node: &NodeId| page.tag(*node) == Tag::Button && !emit::is_never_written(page, *node);
    let button = page.subtree(root).filter(is_label).last()?;
    Some(if page.counts(root).words == page.counts(button).words { root } else { button })
}

#[cfg(test)]
mod tests {
    use crate::{BlockKind, PageTechnique};
    use unchaff_dom::{Page, emit};

    #[test]
    fn questions_that_are_buttons_stand_above_their_answers() {
        let answer = |words: &str| {
            format!("<div hidden><p>It rains because {words} carry more than they can, and let it go over the hills.</p></div>")
        };
        let page = Page::parse(format!(
            "<nav><button aria-expanded=false>Menu</button><ul><li><a href=/a>News</a><li><a href=/b>Weather of the whole week in town</a></ul></nav>\
             <main><h1>Rain</h1><p>It rained all day and all night, and in the morning the river had come into the garden.</p>\
             <h3><button aria-expanded=false>Why does it rain? <i class=material-icons>expand_more</i></button></h3>{}\
             <div><div><button aria-expanded=false aria-controls=x>Who carries it?</button></div><div id=x><p>Clouds do, and they are heavier than they look to us from below.</p></div></div>\
             <button aria-expanded=false><h4>When does it stop?</h4></button>{}<button>Send this page to a friend</button></main>",
            answer("clouds"),
            answer("winds"),
        ));
        let detection = crate::learned::auto::Auto::default().detect(&page);
        let markdown = emit::markdown(&page, detection.nodes(BlockKind::Content).unwrap());
        for wanted in
            ["### Why does it rain?\n\nIt rains", "\n\n**Who carries it?**\n\nClouds do", "#### When does it stop?\n\nIt rains"]
        {
            assert!(markdown.contains(wanted), "{markdown}");
        }
        assert!(!markdown.contains("Menu") && !markdown.contains("friend"), "{markdown}");
    }
}
