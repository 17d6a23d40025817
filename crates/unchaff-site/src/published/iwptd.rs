//! IWPTD: a block whose texts are mostly known from other pages is template.
//!
//! Y. Wang, B. Fang, X. Cheng, L. Guo, H. Xu: Incremental Web Page Template Detection, WWW 2008; as described by J. Alarte
//! (PhD thesis, Universitat Politècnica de València, 2023, chapter 12). Made for crawlers: texts are counted by page as
//! pages come. A text on five pages is a template text; a block (table, list, division) is template if more than seven
//! tenths of its characters are template texts. The page itself counts, so four others can make a text a template text;
//! fewer pages lower the five. Of nested blocks the outermost is taken.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::learned::page_keys::{KeyMap, hash_text};
use crate::mapping::bottom_up_mapping::with_paths;
use crate::registry::SiteEntry;
use std::sync::Arc;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::parameters;

parameters! {
    /// Parameters of IWPTD.
    pub struct Params {
        /// On how many pages, the page itself included, a text must be to be a template text.
        pub min_pages: usize = 5,
        /// Whether that number is lowered to the number of pages if there are fewer; it is never lower than 2.
        pub fit: bool = true,
        /// A block is template if more than this share of its characters is template text (0 to 1).
        pub share: f64 = 0.7,
        /// Which elements are blocks; the publication names three as examples.
        pub blocks: String = "table tr td div ul ol dl form nav header footer section aside article".to_owned(),
        /// Whether blocks without text are template where what is around them is.
        pub empty_blocks: bool = false,
        /// Whether what is around the template, up to the body, is template too.
        pub paths: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "blocks of whose text more than seven tenths are on five pages",
    "Y. Wang et al.: Incremental Web Page Template Detection. WWW 2008; after J. Alarte, 2023, chapter 12",
    "linear in the pages compared",
);

/// The texts of a page with their hashes: white space does not matter, blank ones are none.
fn texts(page: &Page) -> impl Iterator<Item = (NodeId, u64)> + '_ {
    let nodes = page.body().into_iter().flat_map(|body| page.descendants(body));
    let solid = nodes.filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
    solid.map(|node| (node, hash_text(0, page.string(node))))
}

impl Judge for Params {
    const NAME: &'static str = "iwptd";
    const KIND: BlockKind = BlockKind::Template;
    const PAGES: usize = 24;
    const DRAW: Draw = Draw::Near;
    const COMPUTES: &'static str = "template text";

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let own: Vec<(NodeId, u64)> = texts(page).collect();
        let mut counts: KeyMap<(usize, usize)> = own.iter().map(|(_, text)| (*text, (1, 0))).collect();
        let mut others_seen = 0;
        for other in others {
            others_seen += 1;
            for (_, text) in texts(&other) {
                if let Some((count, last)) = counts.get_mut(&text).filter(|(_, last)| *last != others_seen) {
                    (*count, *last) = (*count + 1, others_seen);
                }
            }
        }
        self.conclude(page, &own, others_seen + 1, |text| counts[&text].0)
    }
}

impl Params {
    /// Judges a page by the number of pages that have each of its texts, of `pages` in all.
    fn conclude(&self, page: &Page, own: &[(NodeId, u64)], pages: usize, count: impl Fn(u64) -> usize) -> Judgement {
        let needed = if self.fit { self.min_pages.min(pages) } else { self.min_pages }.max(2);
        // Characters of template texts before each node.
        let mut known = vec![0u64; page.len() + 1];
        for (node, text) in own {
            if count(*text) >= needed {
                known[node.index() + 1] = u64::from(page.counts(*node).chars);
            }
        }
        for at in 0..page.len() {
            known[at + 1] += known[at];
        }
        let blocks: Vec<&str> = self.blocks.split_ascii_whitespace().collect();
        let is_block = |node: &NodeId| page.is_element(*node) && blocks.contains(&page.name(*node));
        let mut judgement = Judgement::nothing(page);
        let mut template = NodeSet::new(page);
        let mut covered = NodeId(0);
        let below_body = || page.body().into_iter().flat_map(|body| page.descendants(body)).filter(is_block);
        for block in below_body() {
            let range = page.range(block);
            let all = page.counts(block).chars;
            let share = (known[range.end] - known[range.start]) as f64 / f64::from(all.max(1));
            judgement.values[block.index()] = share;
            if block >= covered && share > self.share {
                template.insert_subtree(page, block);
                covered = page.end(block);
            }
        }
        if self.paths {
            template = with_paths(page, &template);
        }
        if self.empty_blocks {
            for block in below_body().filter(|block| page.counts(*block).chars == 0) {
                if page.parent(block).is_some_and(|parent| template.contains(parent)) {
                    template.insert_subtree(page, block);
                }
            }
        }
        judgement.nodes = template;
        judgement
    }
}

/// So many different texts of a site are kept in mind.
const MOST_TEXTS: usize = 1_000_000;

/// The template of each page of a site as pages come, which is what the technique was made for: a page is judged by what is known when it
/// comes, itself included, as the batch would judge it with all pages before it as the others.
///
/// Texts are counted by their hashes. Where there are more than a million, those that one page alone had are forgotten, the next time they come they count as new.
#[derive(Clone, Debug, Default)]
pub struct IncrementalTemplates {
    params: Params,
    counts: KeyMap<u32>,
    pages: usize,
}

impl IncrementalTemplates {
    /// Nothing known yet.
    #[must_use]
    pub fn new(params: Params) -> IncrementalTemplates {
        IncrementalTemplates { params, ..IncrementalTemplates::default() }
    }

    /// How many pages have come.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Takes the next page of the site and tells its template.
    pub fn add(&mut self, page: &Page) -> NodeSet {
        let own: Vec<(NodeId, u64)> = texts(page).collect();
        let mut different: Vec<u64> = own.iter().map(|(_, text)| *text).collect();
        different.sort_unstable();
        different.dedup();
        self.pages += 1;
        for text in different {
            *self.counts.entry(text).or_default() += 1;
        }
        if self.counts.len() > MOST_TEXTS {
            self.counts.retain(|_, count| *count > 1);
        }
        // What was just forgotten is on this page, and on no other.
        self.params.conclude(page, &own, self.pages, |text| self.counts.get(&text).map_or(1, |count| *count as usize)).nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names, tells_a_frame_from_articles};

    fn template(params: &Params, pages: &[&str]) -> Vec<String> {
        let (page, judgement) = judged(params, pages);
        names(&page, &judgement.nodes).into_iter().filter(|name| !name.starts_with('\'')).collect()
    }

    /// Of 100 characters, 70 are not more than seven tenths, 71 are.
    #[test]
    fn the_share_must_be_exceeded() {
        for (known, is_template) in [(70, false), (71, true)] {
            let page =
                |own: char| format!("<div><p>{}</p><p>{}</p></div>", "k".repeat(known), own.to_string().repeat(100 - known));
            let found = template(&Params::default(), &[&page('a'), &page('b')]);
            assert_eq!(found == ["body", "div", "p", "p"], is_template, "{known}: {found:?}");
            assert_eq!(found.is_empty(), !is_template);
        }
    }

    /// Five are published. How many pages Alarte gave it is not said; that fewer lower the five is our reading.
    #[test]
    fn five_pages_are_needed_or_as_many_as_there_are() {
        let page = |own: &str| format!("<ul><li>Menu</ul><div>{own}</div>");
        let pages: Vec<String> = ["a", "b", "c", "d", "e"].map(page).into();
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        let strict = Params { fit: false, ..Params::default() };
        assert!(template(&strict, &pages[..4]).is_empty());
        assert_eq!(template(&strict, &pages), ["body", "ul", "li"]);
        assert_eq!(template(&Params::default(), &pages[..2]), ["body", "ul", "li"]);
        let mixed = [pages[0], pages[1], pages[2], "<p>other</p>", "<p>again</p>", "<p>more</p>"];
        assert!(template(&Params::default(), &mixed).is_empty());
        assert_eq!(template(&Params { min_pages: 3, ..Params::default() }, &mixed), ["body", "ul", "li"]);
    }

    #[test]
    fn the_outermost_block_is_taken_and_which_elements_are_blocks_can_be_said() {
        let key = "<section><p>Known</p><div><p>Known too, and longer</p></div></section><div class=ad></div><div>Own</div>";
        let other = "<section><p>Known</p><div><p>Known too, and longer</p></div></section>";
        assert_eq!(template(&Params::default(), &[key, other]), ["body", "section", "p", "div", "p"]);
        let bare = Params { paths: false, blocks: "div".to_owned(), ..Params::default() };
        assert_eq!(template(&bare, &[key, other]), ["div", "p"]);
        let empty = Params { empty_blocks: true, ..Params::default() };
        assert_eq!(template(&empty, &[key, other]), ["body", "section", "p", "div", "p", "div"]);
    }

    #[test]
    fn pages_that_come_one_by_one_are_judged_as_the_batch_judges_the_last() {
        let page = |own: usize, menu: &str| {
            format!("<ul><li>{menu}</ul><div><p>Article {own} is long enough.</p></div><table><td>Ours</table>")
        };
        let pages: Vec<String> = (0..9).map(|at| page(at, if at < 6 { "Home" } else { "Start" })).collect();
        for params in [
            Params::default(),
            Params { fit: false, ..Params::default() },
            Params { min_pages: 3, share: 0.1, ..Params::default() },
        ] {
            let mut known = IncrementalTemplates::new(params.clone());
            for at in 0..pages.len() {
                let parsed = Page::parse(pages[at].as_str());
                let found = known.add(&parsed);
                let others: Vec<&str> = std::iter::once(&pages[at]).chain(&pages[..at]).map(String::as_str).collect();
                let (page, batch) = judged(&params, &others);
                assert_eq!(names(&parsed, &found), names(&page, &batch.nodes), "{params:?}, page {at}");
            }
            assert_eq!(known.pages(), 9);
        }
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
