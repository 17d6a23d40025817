//! Scores by blocks of text: each counts as one, whatever its length.
//!
//! Gottron (2008, 3.4.4 and 5.1) argues against them, for a missed block may be the article itself, and they are here to be compared with published figures.
//! A block of the page is content if at least two thirds of its words are, as in T. Vogels, O.-E. Ganea, C. Eickhoff: *Web2Text* (ECIR 2018): where the gold or
//! the answer is a text, that is found out by aligning it with the page. `blocks` (labelled pages) and `aligned-blocks` (texts) are recall, precision and F1,
//! `block-accuracy` is the share of blocks that are judged right, one number in all columns. A block is what stands between elements that are no part of running text.

use super::{Measures, Score};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::BlockKind;
use unchaff_page::views::placed_text::placed_words;
use unchaff_page::views::text_blocks::{Cut, Role, text_blocks};

/// What counts as content: which texts of a page, or how much of each.
#[derive(Clone, Copy)]
pub(crate) enum Side<'a> {
    Nodes(&'a NodeSet),
    Text(&'a str),
}

const CUT: Cut = Cut { role, ideographs: true };

fn role(tag: Tag) -> Role {
    match tag {
        Tag::Script | Tag::Style | Tag::Noscript | Tag::Textarea | Tag::Select => Role::Ignored,
        Tag::A => Role::Link,
        _ if tag.is_block() || matches!(tag, Tag::Td | Tag::Th) => Role::Separator,
        _ => Role::Inline,
    }
}

/// The blocks of a page that have words, by their first and last text.
pub(crate) fn ranges(page: &Page) -> Vec<(NodeId, NodeId)> {
    let blocks = text_blocks(page, page.body().unwrap_or(page.root()), CUT);
    blocks.iter().filter(|block| block.words > 0).map(|block| (block.first, block.last)).collect()
}

/// The scores by blocks, under the name of the first; none for a page without text.
pub(super) fn scores(page: &Page, kind: BlockKind, gold: Side<'_>, found: Side<'_>, measures: &Measures) -> Vec<Score> {
    let ranges = ranges(page);
    if ranges.is_empty() {
        return Vec::new();
    }
    let name = if matches!(gold, Side::Nodes(_)) { "blocks" } else { "aligned-blocks" };
    let [gold, found] = [gold, found].map(|side| judged(page, &ranges, side));
    confusion(kind, name, &gold, &found, measures)
}

/// Which blocks are content.
pub(crate) fn judged(page: &Page, blocks: &[(NodeId, NodeId)], side: Side<'_>) -> Vec<bool> {
    let words: Vec<(NodeId, u32, u32)> = match side {
        Side::Text(text) => placed_words(page, text),
        Side::Nodes(nodes) => {
            let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text);
            let inside = |node: NodeId| nodes.contains(node) || page.parent(node).is_some_and(|parent| nodes.contains(parent));
            texts.map(|node| (node, page.counts(node).words, if inside(node) { page.counts(node).words } else { 0 })).collect()
        }
    };
    let mut next = 0;
    let of_block = |(first, last): &(NodeId, NodeId)| {
        while words.get(next).is_some_and(|(node, ..)| node < first) {
            next += 1;
        }
        let inside = words[next..].iter().take_while(|(node, ..)| node <= last);
        let (all, paired) = inside.fold((0, 0), |(all, paired), (_, one, two)| (all + one, paired + two));
        all > 0 && paired * 3 >= all * 2
    };
    blocks.iter().map(of_block).collect()
}

/// Recall, precision and F1 of what is said about blocks, and the share that is said right.
fn confusion(kind: BlockKind, name: &'static str, gold: &[bool], found: &[bool], measures: &Measures) -> Vec<Score> {
    let count = |test: fn(bool, bool) -> bool| gold.iter().zip(found).filter(|(gold, found)| test(**gold, **found)).count();
    let amounts = [count(|_, found| found), count(|gold, _| gold), count(|gold, found| gold && found)];
    let right = count(|gold, found| gold == found);
    vec![Score::new(kind, name, amounts, measures.empty), Score::single(kind, "block-accuracy", right as f64 / gold.len() as f64)]
}

#[cfg(test)]
mod tests {
    use super::*;

    // Gottron 2008, Table 5.1: ten blocks, five of them content, one of these missed.
    #[test]
    fn the_published_example() {
        let gold = [true, true, true, true, true, false, false, false, false, false];
        let mut found = gold;
        found[4] = false;
        let [blocks, accuracy] = &confusion(BlockKind::Content, "blocks", &gold, &found, &Measures::default())[..] else {
            panic!()
        };
        assert_eq!(
            format!("{:.1} {:.1} {:.6} {:.1}", blocks.recall, blocks.precision, blocks.f1, accuracy.f1),
            "0.8 1.0 0.888889 0.9"
        );
    }

    // Vogels et al. 2018: two thirds of a block are enough, less is not.
    #[test]
    fn a_block_is_content_if_two_thirds_of_it_are() {
        let page = Page::parse("<nav>Home about us</nav><p>one two three</p><p>four five six</p>");
        let figures = |gold: &str, found: &str| {
            let all = scores(&page, BlockKind::Content, Side::Text(gold), Side::Text(found), &Measures::default());
            format!("{} {:.3} {:.3} {:.3}", all[0].measure, all[0].recall, all[0].precision, all[1].f1)
        };
        assert_eq!(figures("one two three four five six", "one two three four five six"), "aligned-blocks 1.000 1.000 1.000");
        assert_eq!(figures("one two three four five six", "one two"), "aligned-blocks 0.500 1.000 0.667");
        assert_eq!(figures("one two three four five six", "one Home about"), "aligned-blocks 0.000 0.000 0.000");
        assert!(
            scores(&Page::parse("<img>"), BlockKind::Content, Side::Text("a"), Side::Text("a"), &Measures::default()).is_empty()
        );
    }

    #[test]
    fn labelled_nodes_need_no_alignment() {
        let page = Page::parse("<p>rain rain</p><p>rain rain</p>");
        let second = page.subtree_set(page.nodes().filter(|node| page.name(*node) == "p").nth(1).unwrap());
        let all =
            scores(&page, BlockKind::Content, Side::Nodes(&second), Side::Text("rain rain rain rain"), &Measures::default());
        assert_eq!((all[0].measure, all[0].recall, all[0].precision), ("blocks", 1.0, 0.5));
    }
}
