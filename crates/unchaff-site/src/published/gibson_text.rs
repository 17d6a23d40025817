//! Gibson, Punera and Tomkins' detector on the text: stretches of 32 characters that recur are template.
//!
//! D. Gibson, K. Punera, A. Tomkins: The Volume and Evolution of Web Page Templates, WWW 2005; as described by T. Gottron
//! (Content Extraction, PhD thesis, Mainz 2008, 3.3.8). A window slides over the text without tags; windows that occur ten
//! times in the sample are marked, and what they cover is template. Only windows of the page in question are counted, which
//! is the same and needs no more memory than the page. The publication stops at a share of characters; here an element is
//! template if half of its text is marked, and an element without text is what the element around it is.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::learned::page_keys::{KeyMap, mix};
use crate::mapping::bottom_up_mapping::with_paths;
use crate::registry::SiteEntry;
use std::collections::VecDeque;
use std::sync::Arc;
use unchaff_dom::{NodeSet, Page, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::parameters;

/// Windows of a page beyond so many are not counted, so that memory is bounded whatever the page.
const MOST_WINDOWS: usize = 1 << 22;

parameters! {
    /// Parameters of the detector on the text.
    pub struct Params {
        /// Characters of a window.
        pub window: usize = 32,
        /// How often a window must occur in the sample, the page itself included.
        pub min_count: usize = 10,
        /// Whether that number is lowered to the number of pages if there are fewer; it is never lower than 2.
        pub fit: bool = true,
        /// Whether a window counts once a page, rather than as often as it occurs.
        pub per_page: bool = true,
        /// Only windows whose hash is a multiple of it are counted; 0 and 1 are all (the published D).
        pub modulus: usize = 0,
        /// An element is template if at least this share of its characters is marked (0 to 1).
        pub share: f64 = 0.5,
        /// Whether what is around the template, up to the body, is template too; not in the publication.
        pub paths: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "text covered by windows of 32 characters that recur on ten pages, and elements made of it",
    "D. Gibson, K. Punera, A. Tomkins: The Volume and Evolution of Web Page Templates. WWW 2005; after T. Gottron, 2008, 3.3.8",
    "linear in the pages compared",
);

/// A hash of the last so many characters that moves with the text (after Karp and Rabin).
struct RollingHash {
    characters: VecDeque<u64>,
    window: usize,
    hash: u64,
    /// What the oldest character is multiplied with when it leaves.
    leaving: u64,
}

impl RollingHash {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new(window: usize) -> RollingHash {
        let window = window.clamp(1, MOST_WINDOWS);
        let leaving = (0..window).fold(1u64, |power, _| power.wrapping_mul(Self::BASE));
        RollingHash { characters: VecDeque::new(), window, hash: 0, leaving }
    }

    /// Takes one more character; tells the hash of the window that it ends, if there is one.
    fn push(&mut self, character: char) -> Option<u64> {
        let number = mix(Self::BASE, u64::from(character));
        self.hash = self.hash.wrapping_mul(Self::BASE).wrapping_add(number);
        self.characters.push_back(number);
        if self.characters.len() > self.window {
            let oldest = self.characters.pop_front().unwrap_or_default();
            self.hash = self.hash.wrapping_sub(oldest.wrapping_mul(self.leaving));
        }
        (self.characters.len() == self.window).then(|| mix(self.hash, self.window as u64))
    }
}

/// Calls back for each character of the body's text, white space collapsed, with the node it is in.
fn for_each_character(page: &Page, mut with: impl FnMut(usize, char)) {
    let mut after_blank = true;
    let nodes = page.body().into_iter().flat_map(|body| page.descendants(body));
    for node in nodes.filter(|node| page.tag(*node) == Tag::Text) {
        for character in page.string(node).chars() {
            let is_blank = character.is_whitespace();
            if !(is_blank && after_blank) {
                with(node.index(), if is_blank { ' ' } else { character });
            }
            after_blank = is_blank;
        }
    }
}

impl Params {
    /// Which characters are marked, and how many characters stand before each node and all of them.
    fn marks(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> (Vec<bool>, Vec<u32>) {
        let is_kept = |hash: u64| self.modulus < 2 || hash.is_multiple_of(self.modulus as u64);
        // How often a window occurs, and the last page that has it.
        let mut found: KeyMap<(u32, u32)> = KeyMap::default();
        let mut before = vec![0u32; page.len() + 1];
        let mut windows: Vec<u64> = Vec::new();
        let mut rolling = RollingHash::new(self.window);
        for_each_character(page, |node, character| {
            before[node + 1] += 1;
            if windows.len() < MOST_WINDOWS {
                // 0 stands for no window, which a hash never is.
                windows.push(rolling.push(character).filter(|hash| is_kept(*hash)).unwrap_or(0));
            }
        });
        for at in 0..page.len() {
            before[at + 1] += before[at];
        }
        let mut count = |number: u32, hash: u64, is_own: bool| {
            if is_own {
                found.entry(hash).or_insert((0, u32::MAX));
            }
            if let Some((count, last)) = found.get_mut(&hash).filter(|(_, last)| !self.per_page || *last != number) {
                (*count, *last) = (count.saturating_add(1), number);
            }
        };
        windows.iter().filter(|hash| **hash != 0).for_each(|hash| count(0, *hash, true));
        let mut others_seen = 0;
        for other in others {
            others_seen += 1;
            let mut rolling = RollingHash::new(self.window);
            for_each_character(&other, |_, character| {
                if let Some(hash) = rolling.push(character).filter(|hash| is_kept(*hash)) {
                    count(others_seen, hash, false);
                }
            });
        }
        let needed = if self.fit { self.min_count.min(others_seen as usize + 1) } else { self.min_count }.max(2);
        let mut marks = vec![false; windows.len()];
        let mut marked_from = windows.len();
        for (at, hash) in windows.iter().enumerate().rev() {
            if *hash != 0 && found[hash].0 as usize >= needed {
                let start = (at + 1).saturating_sub(rolling.window);
                let end = (at + 1).min(marked_from);
                marks[start.min(end)..end].fill(true);
                marked_from = start;
            }
        }
        (marks, before)
    }
}

impl Params {
    /// The share of the characters of some pages that is template, which is what the publication asks for; none if there are none, or no text.
    ///
    /// Two passes over the pages. Beyond some four million different windows new ones are not counted.
    #[must_use]
    pub(crate) fn share(&self, pages: &[&Page]) -> Option<f64> {
        let is_kept = |hash: &u64| self.modulus < 2 || hash.is_multiple_of(self.modulus as u64);
        // How often a window occurs, and the last page that has it.
        let mut found: KeyMap<(u32, u32)> = KeyMap::default();
        for (number, page) in (1..).zip(pages) {
            let mut rolling = RollingHash::new(self.window);
            for_each_character(page, |_, character| {
                let Some(hash) = rolling.push(character).filter(is_kept) else { return };
                if found.len() < MOST_WINDOWS || found.contains_key(&hash) {
                    let (count, last) = found.entry(hash).or_insert((0, 0));
                    if !self.per_page || *last != number {
                        (*count, *last) = (count.saturating_add(1), number);
                    }
                }
            });
        }
        let needed = if self.fit { self.min_count.min(pages.len()) } else { self.min_count }.max(2);
        let (mut marked, mut all) = (0u64, 0u64);
        for page in pages {
            let mut rolling = RollingHash::new(self.window);
            // Characters of this page, and where the last marked window ends.
            let (mut at, mut marked_to) = (0u64, 0u64);
            for_each_character(page, |_, character| {
                at += 1;
                let hash = rolling.push(character).filter(is_kept);
                if hash.and_then(|hash| found.get(&hash)).is_some_and(|(count, _)| *count as usize >= needed) {
                    marked += at - marked_to.max(at - rolling.window as u64);
                    marked_to = at;
                }
            });
            all += at;
        }
        (all > 0).then(|| marked as f64 / all as f64)
    }
}

impl Judge for Params {
    const NAME: &'static str = "gibson-text";
    const KIND: BlockKind = BlockKind::Template;
    const PAGES: usize = 24;
    const DRAW: Draw = Draw::Near;
    const COMPUTES: &'static str = "marked characters";

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let (marks, before) = self.marks(page, others);
        let mut marked_before = vec![0u32; marks.len() + 1];
        for (at, mark) in marks.iter().enumerate() {
            marked_before[at + 1] = marked_before[at] + u32::from(*mark);
        }
        let marked = |position: usize| marked_before[(before[position] as usize).min(marks.len())];
        let mut judgement = Judgement::nothing(page);
        let mut template = NodeSet::new(page);
        for node in page.body().into_iter().flat_map(|body| page.subtree(body)) {
            let range = page.range(node);
            let all = before[range.end] - before[range.start];
            if all > 0 {
                let share = f64::from(marked(range.end) - marked(range.start)) / f64::from(all);
                judgement.values[node.index()] = share;
                if share > 0.0 && share >= self.share {
                    template.insert(node);
                }
            } else if page.parent(node).is_some_and(|parent| template.contains(parent)) {
                template.insert(node);
            }
        }
        judgement.nodes = if self.paths { with_paths(page, &template) } else { template };
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::{answers_without_help, judged, names, tells_a_frame_from_articles};
    use proptest::prelude::*;

    fn params(window: usize, min_count: usize) -> Params {
        Params { window, min_count, paths: false, ..Params::default() }
    }

    fn marked(params: &Params, key: &str, others: &[&str]) -> String {
        let page = Page::parse(key);
        let marks = params.marks(&page, &mut others.iter().map(|html| Arc::new(Page::parse(*html)))).0;
        let mut text = String::new();
        for_each_character(&page, |_, character| text.push(character));
        text.chars().zip(marks).map(|(character, mark)| if mark { character } else { '.' }).collect()
    }

    /// What is marked on each page by itself comes to the share of all; 4 of 8 and 4 of 6 characters are common.
    #[test]
    fn the_share_of_a_site_is_that_of_its_pages() {
        let pages = ["<p>abcdwxyz", "<p>abcdpq"].map(Page::parse);
        let pages: Vec<&Page> = pages.iter().collect();
        assert_eq!(params(4, 2).share(&pages), Some(8.0 / 14.0));
        assert_eq!(params(3, 2).share(&pages), Some(8.0 / 14.0));
        assert_eq!((params(5, 2).share(&pages), params(4, 2).share(&[])), (Some(0.0), None));
    }

    /// Both windows mark the first four of eight characters.
    #[test]
    fn windows_that_recur_cover_what_they_stand_on() {
        for window in [3, 4] {
            assert_eq!(marked(&params(window, 2), "homeXabc", &["homeYdef"]), "home....");
        }
        assert_eq!(marked(&params(5, 2), "homeXabc", &["homeYdef"]), "........");
        assert_eq!(marked(&params(4, 2), "<b>ho</b>me Xabc", &["<i>home Y</i>def"]), "home ....");
    }

    /// Gottron 2008, 3.3.8, leaves open whether a window counts once a page; within one page repetition is no template.
    #[test]
    fn windows_count_once_a_page_or_as_often_as_they_occur() {
        let (key, other) = ("ababab", "xyz");
        assert_eq!(marked(&params(2, 3), key, &[other, other]), "......");
        assert_eq!(marked(&Params { per_page: false, ..params(2, 3) }, key, &[other, other]), "ababab");
        let strict = Params { fit: false, ..params(4, 10) };
        assert_eq!(marked(&strict, "homeXabc", &["homeYdef"]), "........");
        assert_eq!(marked(&Params { fit: true, ..strict }, "homeXabc", &["homeYdef"]), "home....");
    }

    /// The published modulus is 0, by which nothing can be divided.
    #[test]
    fn a_modulus_of_nothing_takes_all_windows() {
        let (key, other) = ("one two three four five six", "one two three four five seven");
        let all = marked(&params(4, 2), key, &[other]);
        assert_eq!(all, marked(&Params { modulus: 1, ..params(4, 2) }, key, &[other]));
        let some = marked(&Params { modulus: 3, ..params(4, 2) }, key, &[other]);
        assert!(some != all && some.chars().zip(all.chars()).all(|(some, all)| some == '.' || some == all), "{some}");
    }

    #[test]
    fn elements_are_template_if_half_of_their_text_is() {
        let key = "<ul><li>Home and news<li>Sports<img></ul><p>Own text only here, and much of it</p>";
        let (page, judgement) =
            judged(&params(6, 2), &[key, "<ul><li>Home and news<li>Sports<img></ul><p>Something else altogether</p>"]);
        let found = names(&page, &judgement.nodes);
        assert_eq!(found, ["ul", "li", "'Home and news'", "li", "'Sports'", "img"]);
    }

    #[test]
    fn a_frame_is_told_from_articles() {
        tells_a_frame_from_articles::<Params>();
    }

    #[test]
    fn a_site_of_one_page_has_an_answer() {
        answers_without_help::<Params>();
    }

    proptest! {
        #[test]
        fn the_same_is_marked_as_by_comparing_all_windows(key in "[ab ]{0,20}", other in "[ab ]{0,20}", window in 1usize..5) {
            let collapsed = |html: &str| {
                let mut text: Vec<char> = Vec::new();
                for_each_character(&Page::parse(html), |_, character| text.push(character));
                text
            };
            let (own, theirs) = (collapsed(&key), collapsed(&other));
            let mut expected = vec![false; own.len()];
            for start in 0..(own.len() + 1).saturating_sub(window) {
                if theirs.windows(window).any(|piece| *piece == own[start..start + window]) {
                    expected[start..start + window].fill(true);
                }
            }
            let page = Page::parse(key.as_str());
            let marks = params(window, 2).marks(&page, &mut std::iter::once(Arc::new(Page::parse(other.as_str())))).0;
            prop_assert_eq!(marks, expected);
        }
    }
}
