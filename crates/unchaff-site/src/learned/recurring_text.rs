//! The rule that authors of crawlers write by hand: what is left of a page's text without blocks that other pages have too.
//!
//! Not published by anyone in particular, and so a measure for everything that is. A block is text between two borders of
//! elements that stand on lines of their own; digits are folded, because counters and dates change. Four pages are as good
//! as sixteen (word F1 .92 on 40 sites). No mapping, no names, no learning: what a technique adds to this is what it is
//! worth.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::learned::page_keys::{KeyMap, hash_folded, mix};
use crate::registry::SiteEntry;
use std::sync::Arc;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::parameters::parameters;
use unchaff_page::views::text_blocks::{Cut, Role, TextBlock, text_blocks};
use unchaff_page::{BlockKind, Likely};

parameters! {
    /// Parameters of the rule.
    pub struct Params {
        /// A block goes if it is on more than this share of the other pages (0 to 1).
        pub share: f64 = 0.3,
        /// Blocks with fewer words stay, for they may be the same by chance.
        pub min_words: u32 = 0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "text without blocks that, digits folded, are on three tenths of the other pages",
    "a rule of thumb of crawlers",
    "linear in the pages compared",
);

fn role(tag: Tag) -> Role {
    match tag {
        Tag::Noscript => Role::Ignored,
        tag if tag.is_block() || matches!(tag, Tag::Br | Tag::Hr) => Role::Separator,
        _ => Role::Inline,
    }
}

/// The blocks of a page, each with the hash of its text.
fn blocks(page: &Page) -> Vec<(TextBlock, u64)> {
    let Some(body) = page.body() else { return Vec::new() };
    let hash = |block: &TextBlock| {
        let solid = block.text_nodes(page).filter(|node| page.counts(*node).tokens > 0);
        solid.fold(0, |hash, node| mix(hash, hash_folded(0, page.string(node))))
    };
    let blocks = text_blocks(page, body, Cut { role, ideographs: true });
    blocks.into_iter().map(|block| (block, hash(&block))).collect()
}

/// The elements with text all of which is kept, the elements directly around kept text, and what is in either without text of
/// its own.
fn around(page: &Page, kept: &[NodeId]) -> NodeSet {
    let mut content = NodeSet::new(page);
    // Kept texts before each node.
    let mut before = vec![0u32; page.len() + 1];
    for node in kept {
        before[node.index() + 1] = 1;
    }
    for at in 0..page.len() {
        before[at + 1] += before[at];
    }
    let solid = |node: NodeId| page.tag(node) == Tag::Text && page.counts(node).tokens > 0;
    let mut solid_before = vec![0u32; page.len() + 1];
    for node in page.nodes() {
        solid_before[node.index() + 1] = solid_before[node.index()] + u32::from(solid(node));
    }
    for node in kept {
        content.insert(*node);
        if let Some(parent) = page.parent(*node) {
            content.insert(parent);
        }
    }
    for node in page.body().into_iter().flat_map(|body| page.descendants(body)) {
        let range = page.range(node);
        let texts = solid_before[range.end] - solid_before[range.start];
        let is_kept = match texts {
            0 => page.parent(node).is_some_and(|parent| content.contains(parent)),
            texts => texts == before[range.end] - before[range.start],
        };
        if is_kept {
            content.insert(node);
        }
    }
    content
}

impl Judge for Params {
    const NAME: &'static str = "recurring-text";
    const KIND: BlockKind = BlockKind::Content;
    const PAGES: usize = 4;
    const DRAW: Draw = Draw::Near;
    const COMPUTES: &'static str = "pages";
    const LIKELY: Likely = Likely::Low;

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let own = blocks(page);
        // How many pages have it, and the last of them.
        let mut found: KeyMap<(u32, u32)> = own.iter().map(|(_, text)| (*text, (0, 0))).collect();
        let mut others_seen = 0;
        for other in others {
            others_seen += 1;
            for (_, text) in blocks(&other) {
                if let Some((count, last)) = found.get_mut(&text).filter(|(_, last)| *last != others_seen) {
                    (*count, *last) = (*count + 1, others_seen);
                }
            }
        }
        let mut judgement = Judgement::nothing(page);
        let mut kept: Vec<NodeId> = Vec::new();
        for (block, text) in &own {
            let count = f64::from(found[text].0);
            let recurs = count > self.share * f64::from(others_seen) && block.words >= self.min_words;
            for node in block.text_nodes(page).filter(|node| page.counts(*node).tokens > 0) {
                judgement.values[node.index()] = count;
                if !recurs {
                    kept.push(node);
                }
            }
        }
        judgement.nodes = around(page, &kept);
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names, tells_a_frame_from_articles};

    fn content(params: &Params, pages: &[&str]) -> Vec<String> {
        let (page, judgement) = judged(params, pages);
        names(&page, &judgement.nodes)
    }

    #[test]
    fn blocks_that_recur_go_and_digits_do_not_save_them() {
        let page = |number: usize, text: &str| format!("<div><p>Page {number} of 99</p><p>{text}<b>!</b><img></p></div>");
        let (key, other) = (page(1, "Rain"), page(12, "Sun"));
        assert_eq!(content(&Params::default(), &[&key, &other]), ["p", "'Rain'", "b", "'!'", "img"]);
        let words = Params { min_words: 5, ..Params::default() };
        assert_eq!(content(&words, &[&key, &other]).len(), 8);
    }

    #[test]
    fn more_than_the_share_of_pages_must_have_it() {
        let pages = ["<p>x<p>y", "<p>x", "<p>x", "<p>z", "<p>z"];
        assert_eq!(content(&Params::default(), &pages), ["p", "'y'"]);
        assert_eq!(content(&Params { share: 0.5, ..Params::default() }, &pages), ["p", "'x'", "p", "'y'"]);
    }

    #[test]
    fn text_beside_a_block_that_goes_stays_and_so_does_a_sentence_with_a_known_link() {
        let key = "<div>Own words<ul><li>Menu</ul></div><p>See <a href=x>the list</a> for more</p>";
        let found = content(&Params::default(), &[key, "<ul><li>Menu</ul><p><a href=x>the list</a></p>"]);
        assert_eq!(found, ["div", "'Own words'", "p", "'See '", "a", "'the list'", "' for more'"]);
    }

    #[test]
    fn a_page_alone_keeps_all_its_text() {
        assert_eq!(content(&Params::default(), &["<p>x<p>y"]), ["p", "'x'", "p", "'y'"]);
    }

    #[test]
    fn a_frame_is_told_from_articles() {
        tells_a_frame_from_articles::<Params>();
    }

    #[test]
    fn a_site_of_one_page_has_an_answer() {
        answers_without_help::<Params>();
    }
}
