//! Text in drawings (`svg`), which white space does not keep apart: each piece of it stands where its coordinates say.

use crate::{NodeId, Page, Tag};

/// Pieces of text in a drawing stand in different places of it. One without text keeps what stands around it apart, as a picture does, but not a word
/// from the mark behind it.
pub(super) fn is_set_apart(page: &Page, node: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::Svg => page.counts(node).chars > 0 || !is_before_mark(page, node),
        _ => tag == Tag::Foreign && page.name(node) == "text",
    }
}

/// Whether a piece of a text in a drawing stands in a line of its own, below the piece before it. Beside that piece, it may be the rest of its word.
#[inline(never)]
pub(super) fn starts_line_of_drawing(page: &Page, node: NodeId) -> bool {
    let is_piece = |node: &NodeId| page.tag(*node) == Tag::Foreign && page.name(*node) == "tspan";
    let before = |node: &NodeId| page.previous_sibling(*node);
    let is_lower = || page.attr(node, "dy").is_some_and(|dy| dy.contains(|digit| matches!(digit, '1'..='9')));
    let is_elsewhere = || {
        let last = std::iter::successors(before(&node), before).take(2).find(is_piece);
        page.attr(node, "y").is_some_and(|y| last.is_some_and(|last| page.attr(last, "y").is_some_and(|above| above != y)))
    };
    is_piece(&node) && page.attr(node, "x").is_some() && (is_lower() || is_elsewhere())
}

/// Whether the next text behind an element starts with a mark that follows a word.
#[inline(never)]
fn is_before_mark(page: &Page, node: NodeId) -> bool {
    const MOST_STEPS: usize = 4;
    let behind = |at: &NodeId| page.next_sibling(*at).or_else(|| page.parent(*at).and_then(|parent| page.next_sibling(parent)));
    std::iter::successors(behind(&node), behind)
        .take(MOST_STEPS)
        .map(|next| page.text(next))
        .find(|text| !text.is_empty())
        .is_some_and(|text| text.starts_with(['.', ',', ';', ':', '!', '?', ')']))
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    #[test]
    fn lines_of_a_text_in_a_drawing_stand_apart_and_parts_of_a_word_do_not() {
        for (pieces, expected) in [
            ("<tspan x=0 y=9>of</tspan><tspan x=0 y=20>the</tspan>", "of the"),
            ("<tspan x=0 dy=0em>of</tspan><tspan x=0 dy=1.1em>the</tspan>", "of the"),
            ("<tspan x=0 y=9>W</tspan><tspan x=7 y=9>ind</tspan>", "Wind"),
            ("H<tspan dy=3>2</tspan><tspan dy=-3>O</tspan>", "H2O"),
        ] {
            let page = Page::parse(format!("<svg><text>{pieces}</text></svg>"));
            assert_eq!(emit::text(&page, &page.subtree_set(page.root())).trim_end(), expected, "{pieces}");
        }
    }
}
