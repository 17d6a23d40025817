//! Lists of tasks, as forges write them: items with a box that is ticked when the task is done.
//!
//! The box of a form is never written, but here it is what the item says. Boxes of other lists are tools of the page: to choose, or to tick off.

use crate::{NodeId, Page, Tag};

/// Whether a task is done, if an item of a list is one.
pub(super) fn task(page: &Page, item: NodeId) -> Option<bool> {
    const NAME: &str = "task-list-item";
    let class = page.class(item);
    if class.len() < NAME.len() || !class.contains(NAME) {
        return None;
    }
    let is_box = |node: &NodeId| page.tag(*node) == Tag::Input && page.attr(*node, "type") == Some("checkbox");
    page.descendants(item).take(6).find(is_box).map(|tick| page.attr(tick, "checked").is_some())
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    #[test]
    fn tasks_say_whether_they_are_done() {
        let page = Page::parse(
            "<ul><li class=task-list-item><input type=checkbox checked> Cut <b>hay</b><li class='task-list-item enabled'>\
             <p><input type=checkbox><b>Dry</b> it</p><p>Two days.</p><li><input type=checkbox>Rest</ul>",
        );
        let nodes = page.subtree_set(page.root());
        assert_eq!(emit::markdown(&page, &nodes), "- [x] Cut **hay**\n- [ ] **Dry** it\n\n  Two days.\n\n- Rest\n");
        assert_eq!(emit::text(&page, &nodes), "- ☑ Cut hay\n- ☐ Dry it\n\n  Two days.\n\n- Rest\n");
        assert!(emit::html(&page, &nodes).starts_with("<ul>\n<li>☑ Cut <b>hay</b></li>\n<li><p><b>☐ Dry</b> it</p>\n"));
    }
}
