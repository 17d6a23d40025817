//! Side notes: remarks in the middle of a sentence that style puts into the margin, after the pattern of Tufte CSS (Liepmann 2014).
//!
//! Without that style they would run into the sentence. Where style numbers them Markdown has them as notes; elsewhere they stand in brackets.

use crate::{NodeId, Page, Tag};

/// Whether an element is a side note in running text.
pub(super) fn is_side_note(page: &Page, node: NodeId, tag: Tag) -> bool {
    matches!(tag, Tag::Span | Tag::Small)
        && page.class(node).len() >= "sidenote".len()
        && page.classes(node).any(|class| matches!(class, "sidenote" | "marginnote" | "side-note" | "margin-note" | "marginalia"))
        && page.counts(node).chars > 0
}

/// Whether style numbers a side note: the label before it that shows it, where there is no room, is called a number and says nothing.
pub(super) fn is_counted(page: &Page, note: NodeId) -> bool {
    let before = |node: &NodeId| page.previous_sibling(*node);
    std::iter::successors(before(&note), before)
        .take(4)
        .any(|node| page.tag(node) == Tag::Label && page.class(node).contains("number") && page.counts(node).chars == 0)
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit, emit::MarkdownStyle};

    const NOTES: &str = "<p>It rained<label for=a class='margin-toggle sidenote-number'></label><input type=checkbox id=a>\
                         <span class=sidenote>For <a href=https://e.org/>days</a>.</span> and then\
                         <label for=b class=margin-toggle>⊕</label><input type=checkbox id=b><span class=marginnote>So they say.</span> \
                         it <label class=sidenote-number></label> <span class=sidenote>The <i>sky</i>.</span> cleared.<p>End.";

    #[test]
    fn side_notes_that_are_counted_are_notes_and_others_stand_in_brackets() {
        let page = Page::parse(NOTES);
        let nodes = page.subtree_set(page.root());
        assert_eq!(
            emit::markdown(&page, &nodes),
            "It rained[^1] and then (So they say.) it[^2] cleared.\n\nEnd.\n\n[^1]: For [days](https://e.org/).\n\n[^2]: The *sky*.\n"
        );
        let style = MarkdownStyle { links: emit::LinkStyle::Dropped, ..MarkdownStyle::default() };
        assert!(emit::markdown_as(&page, &nodes, style).ends_with("[^1]: For days.\n\n[^2]: The *sky*.\n"));
        let style = MarkdownStyle { flavour: emit::Flavour::CommonMark, ..MarkdownStyle::default() };
        let bracketed = "It rained (For days.) and then (So they say.) it (The sky.) cleared.";
        assert!(emit::markdown_as(&page, &nodes, style).starts_with("It rained (For [days](https://e.org/).) and then (So"));
        assert_eq!(emit::text(&page, &nodes), format!("{bracketed}\n\nEnd.\n"));
        assert!(
            emit::html_without_links(&page, &nodes)
                .replace("<i>", "")
                .replace("</i>", "")
                .starts_with(&format!("<p>{bracketed}</p>"))
        );
    }

    #[test]
    fn a_side_note_in_a_note_stands_in_brackets_and_marks_of_notes_are_not_given_twice() {
        let page = Page::parse(
            "<p>a<label class=number></label><span class=sidenote>b<label class=number></label><span class=sidenote>c</span></span> \
             d<sup><a href=#n>1</a></sup></p><ol><li id=n>e</ol>",
        );
        let markdown = emit::markdown(&page, &page.subtree_set(page.root()));
        assert_eq!(markdown, "a[^2] d[^1]\n\n[^1]: e\n\n[^2]: b (c)\n");
    }
}
