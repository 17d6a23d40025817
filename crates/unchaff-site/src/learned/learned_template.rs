//! What pages of one template have in common, learned from a handful of them and applied to any number of others.
//!
//! Our own, after what was measured on 68 sites: text and references that recur on similar pages, put together along the tree,
//! find more of the template than mappings of trees do. Kept is, by key, which of the learned pages have it
//! ([`page_keys`](crate::learned::page_keys)); no page is. So the page in question chooses its company when it comes: learned
//! pages whose paths resemble its own count more, the most similar ones alone count if there are many, and copies of it (itself,
//! when it was learned from; print and reply versions) do not count at all, or all of it would be template.

use crate::learned::evidence::{BACK, LEAVE, evidence, survey};
use crate::learned::page_keys::{KeyMap, PageKeys};
use thiserror::Error;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::learned::tree_labelling::marginals;
use unchaff_page::{BlockKind, Detection};

/// A template learns from no more pages: one bit each.
pub const MOST_PAGES: usize = 32;

/// No more keys of a page are kept, so that memory is bounded whatever the page.
const MOST_KEYS: usize = 1 << 17;

/// How a learned template is applied.
#[derive(Clone, PartialEq, Debug)]
pub struct Application {
    /// Only so many learned pages count, the most similar.
    pub used: usize,
    /// A learned page that has so much of a page's texts is a copy of it and does not count.
    pub copy: f64,
    /// Learned pages less similar than this, by shared paths, do not count.
    pub min_similarity: f64,
    /// Elements are template from this confidence on.
    pub min_confidence: f64,
    /// Whether copies count after all if there is nothing else.
    pub copies_at_last: bool,
}

impl Default for Application {
    fn default() -> Application {
        Application { used: 8, copy: 0.97, min_similarity: 0.02, min_confidence: 0.6, copies_at_last: false }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LearnedPage {
    paths: u32,
    texts: u32,
}

/// Which pages have a key, and for paths how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    pages: u32,
    least: u16,
    most: u16,
}

/// What pages of one template have in common; see the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedTemplate {
    pages: Vec<LearnedPage>,
    seen: KeyMap<Seen>,
}

/// Why bytes are no learned template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TemplateError {
    /// They do not start as one does.
    #[error("this is no learned template, or one of another version; learn it again")]
    Foreign,
    /// They end too early or contradict themselves.
    #[error("the learned template is damaged; learn it again")]
    Damaged,
}

const MAGIC: &[u8; 8] = b"unchaff\x01";

impl LearnedTemplate {
    /// A template learned from these pages, [`MOST_PAGES`] of them at most.
    #[must_use]
    pub fn learn<'k>(pages: impl IntoIterator<Item = &'k PageKeys>) -> LearnedTemplate {
        let mut template = LearnedTemplate::default();
        for page in pages {
            template.add(page);
        }
        template
    }

    /// Learns from one more page; false if there are enough.
    pub fn add(&mut self, page: &PageKeys) -> bool {
        let number = self.pages.len();
        if number == MOST_PAGES || page.is_empty() {
            return false;
        }
        let bit = 1 << number;
        let paths = page.path_counts();
        let mut learned = LearnedPage::default();
        for keys in page.keys.iter().take(MOST_KEYS) {
            for key in keys.all() {
                let seen = self.seen.entry(key).or_insert(Seen { pages: 0, least: u16::MAX, most: 0 });
                if seen.pages & bit != 0 {
                    continue;
                }
                seen.pages |= bit;
                learned.texts += u32::from(key == keys.folded_text);
                if key == keys.path {
                    learned.paths += 1;
                    let count = paths[&key].min(u32::from(u16::MAX)) as u16;
                    seen.least = seen.least.min(count);
                    seen.most = seen.most.max(count);
                }
            }
        }
        self.pages.push(learned);
        true
    }

    /// Keeps it small: keys that only one page has are dropped, which no other page can confirm, and of the rest those that
    /// the most pages have are kept, `most_keys` at most. Of one page alone all are kept up to that number, because the next
    /// may have them too.
    ///
    /// A page it was learned from is then no longer known as a copy of itself, and does not have to be: what it has for itself
    /// is gone.
    pub fn shrink(&mut self, most_keys: usize) {
        if self.pages.len() > 1 {
            self.seen.retain(|_, seen| seen.pages.count_ones() > 1);
        }
        if self.seen.len() > most_keys {
            let mut ranked: Vec<(u32, u64)> = self.seen.iter().map(|(key, seen)| (32 - seen.pages.count_ones(), *key)).collect();
            ranked.sort_unstable();
            for (_, key) in ranked.drain(most_keys..) {
                self.seen.remove(&key);
            }
        }
        self.seen.shrink_to_fit();
    }

    /// Forgets the page that was learned first, so that there is room for another: templates change.
    pub fn forget_oldest(&mut self) {
        if self.pages.is_empty() {
            return;
        }
        self.pages.remove(0);
        self.seen.retain(|_, seen| {
            seen.pages >>= 1;
            seen.pages != 0
        });
    }

    /// How many keys are kept: 16 bytes each when stored.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.seen.len()
    }

    /// From how many pages it was learned.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The learned pages that have a key, by number.
    pub(crate) fn pages_with(&self, key: u64) -> impl Iterator<Item = usize> {
        bits(self.seen.get(&key).map_or(0, |seen| seen.pages))
    }

    /// Chooses the learned pages that a page is compared with.
    #[must_use]
    pub fn compare(&self, page: &PageKeys, how: &Application) -> Comparison<'_> {
        let paths = page.path_counts();
        let mut texts: KeyMap<u32> = KeyMap::default();
        page.keys.iter().filter(|keys| keys.folded_text != 0).for_each(|keys| *texts.entry(keys.folded_text).or_default() += 1);
        let (mut common_paths, mut common_texts) = ([0u32; MOST_PAGES], [0u32; MOST_PAGES]);
        let count = |keys: &KeyMap<u32>, common: &mut [u32; MOST_PAGES]| {
            for key in keys.keys() {
                bits(self.seen.get(key).map_or(0, |seen| seen.pages)).for_each(|page| common[page] += 1);
            }
        };
        count(&paths, &mut common_paths);
        count(&texts, &mut common_texts);
        // All pages have the place of `body` in common, which says nothing.
        let similarity = |at: usize| {
            let common = common_paths[at].saturating_sub(1);
            let all = (paths.len() as u32 + self.pages[at].paths).saturating_sub(common + 2);
            f64::from(common) / f64::from(all.max(1))
        };
        let is_copy = |at: usize| f64::from(common_texts[at]) >= how.copy * f64::from((texts.len() as u32).max(1));
        let mut ranked: Vec<(usize, f64)> = (0..self.pages.len()).map(|at| (at, similarity(at))).collect();
        ranked.retain(|(_, similarity)| *similarity >= how.min_similarity);
        let copies = ranked.iter().filter(|(at, _)| is_copy(*at)).count();
        if copies < ranked.len() || !how.copies_at_last {
            ranked.retain(|(at, _)| !is_copy(*at));
        }
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        ranked.truncate(how.used);
        let mut comparison =
            Comparison { template: self, weights: [0.0; MOST_PAGES], total: 0.0, used: 0, best: 0, ranked, copies, paths, texts };
        for (at, similarity) in &comparison.ranked {
            comparison.weights[*at] = *similarity as f32;
            comparison.total += *similarity as f32;
            comparison.used |= 1 << at;
        }
        comparison.best = comparison.ranked.first().map_or(0, |(at, _)| 1 << at);
        comparison
    }

    /// Tells template from the rest on a page. Without a learned page that resembles it nothing is template, at confidence 0.
    #[must_use]
    pub fn apply(&self, page: &Page, how: &Application) -> Applied {
        let keys = PageKeys::of(page);
        self.apply_to(page, &keys, how)
    }

    /// The same for a page whose keys are known.
    #[must_use]
    pub fn apply_to(&self, page: &Page, keys: &PageKeys, how: &Application) -> Applied {
        let comparison = self.compare(keys, how);
        if comparison.ranked.is_empty() {
            let nothing = vec![0.0; keys.len()];
            return Applied {
                elements: keys.nodes.clone(),
                evidence: nothing.clone(),
                probabilities: nothing,
                ..Applied::nothing(page, comparison.copies)
            };
        }
        let mut own = Vec::with_capacity(keys.len());
        survey(page, keys, &comparison, |_, facts| own.push(evidence(facts)));
        let probabilities = marginals(&keys.parents, &own, LEAVE, BACK);
        let mut nodes = NodeSet::new(page);
        let mut sure = 0.0;
        for (node, probability) in keys.nodes.iter().zip(&probabilities) {
            sure += (2.0 * probability - 1.0).abs();
            if *probability >= how.min_confidence {
                nodes.insert(*node);
            }
        }
        for node in page.body().into_iter().flat_map(|body| page.descendants(body)).filter(|node| !page.is_element(*node)) {
            if page.parent(node).is_some_and(|parent| nodes.contains(parent)) {
                nodes.insert(node);
            }
        }
        let similarity = comparison.ranked[0].1;
        Applied {
            nodes,
            similarity,
            // Half of its paths shared is as much as pages of one template often have.
            confidence: sure / keys.len().max(1) as f64 * (2.0 * similarity).min(1.0),
            used: comparison.ranked.len(),
            copies: comparison.copies,
            elements: keys.nodes.clone(),
            evidence: own,
            probabilities,
        }
    }

    /// As bytes, the same for the same pages; [`from_bytes`](Self::from_bytes) reads them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + self.pages.len() * 8 + self.seen.len() * 16);
        out.extend(MAGIC);
        out.extend((self.pages.len() as u32).to_le_bytes());
        out.extend((self.seen.len() as u32).to_le_bytes());
        for page in &self.pages {
            out.extend(page.paths.to_le_bytes());
            out.extend(page.texts.to_le_bytes());
        }
        let mut seen: Vec<(&u64, &Seen)> = self.seen.iter().collect();
        seen.sort_unstable_by_key(|(key, _)| **key);
        for (key, seen) in seen {
            out.extend(key.to_le_bytes());
            out.extend(seen.pages.to_le_bytes());
            out.extend(seen.least.to_le_bytes());
            out.extend(seen.most.to_le_bytes());
        }
        out
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// If it is something else, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<LearnedTemplate, TemplateError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TemplateError::Foreign)?;
        let (counts, rest) = rest.split_at_checked(8).ok_or(TemplateError::Damaged)?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let (pages, keys) = (word(&counts[..4]) as usize, word(&counts[4..]) as usize);
        if pages > MOST_PAGES || Some(rest.len()) != keys.checked_mul(16).and_then(|keys| keys.checked_add(pages * 8)) {
            return Err(TemplateError::Damaged);
        }
        let (page_bytes, key_bytes) = rest.split_at(pages * 8);
        let pages =
            page_bytes.chunks_exact(8).map(|page| LearnedPage { paths: word(&page[..4]) as u32, texts: word(&page[4..]) as u32 });
        let seen = key_bytes.chunks_exact(16).map(|key| {
            let seen = Seen { pages: word(&key[8..12]) as u32, least: word(&key[12..14]) as u16, most: word(&key[14..]) as u16 };
            (word(&key[..8]), seen)
        });
        let template = LearnedTemplate { pages: pages.collect(), seen: seen.collect() };
        let known = u32::MAX.checked_shr(32 - template.pages.len() as u32).unwrap_or(0);
        match template.seen.values().all(|seen| seen.pages & !known == 0) {
            true => Ok(template),
            false => Err(TemplateError::Damaged),
        }
    }
}

/// A page beside the learned pages it is compared with.
#[derive(Clone, Debug)]
pub struct Comparison<'t> {
    template: &'t LearnedTemplate,
    weights: [f32; MOST_PAGES],
    total: f32,
    used: u32,
    best: u32,
    /// The learned pages that count, by number, with their similarity, the most similar first.
    pub ranked: Vec<(usize, f64)>,
    /// How many were left out as copies.
    pub copies: usize,
    /// How often each path and each folded text occurs in the page.
    pub(crate) paths: KeyMap<u32>,
    pub(crate) texts: KeyMap<u32>,
}

impl Comparison<'_> {
    /// The weighted share of pages that have a key, and whether the most similar one has it.
    pub(crate) fn share(&self, key: u64) -> (f32, bool) {
        let Some(seen) = self.template.seen.get(&key).filter(|_| key != 0) else { return (0.0, false) };
        let weight: f32 = bits(seen.pages & self.used).map(|page| self.weights[page]).sum();
        (weight / self.total.max(f32::MIN_POSITIVE), seen.pages & self.best != 0)
    }

    /// How often a path occurs where it does: at least and at most.
    pub(crate) fn path_range(&self, path: u64) -> Option<(u32, u32)> {
        let seen = self.template.seen.get(&path).filter(|seen| seen.pages & self.used != 0)?;
        Some((u32::from(seen.least), u32::from(seen.most)))
    }
}

/// What applying a learned template to a page gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Applied {
    /// The template: elements, with what stands directly in them.
    pub nodes: NodeSet,
    /// How far to trust it, 0 to 1: how sure the elements are, less if no learned page is much like this one.
    pub confidence: f64,
    /// The share of paths that the most similar learned page has in common with this one.
    pub similarity: f64,
    /// How many learned pages counted.
    pub used: usize,
    /// How many did not because they are copies.
    pub copies: usize,
    /// The elements from `body` on, in document order.
    pub elements: Vec<NodeId>,
    /// What each says for (positive) or against template on its own, in log-odds.
    pub evidence: Vec<f64>,
    /// How probable it is that each is template, given the evidence of all.
    pub probabilities: Vec<f64>,
}

impl Applied {
    fn nothing(page: &Page, copies: usize) -> Applied {
        Applied {
            nodes: NodeSet::new(page),
            confidence: 0.0,
            similarity: 0.0,
            used: 0,
            copies,
            elements: Vec::new(),
            evidence: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// Whether any learned page was similar enough to say something.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.used > 0
    }

    /// The template as a block, with a note on how far to trust it.
    #[must_use]
    pub fn detection(&self) -> Detection {
        let mut detection = Detection::of(BlockKind::Template, self.nodes.clone()).with_confidence(self.confidence);
        detection.notes.push(match self.is_known() {
            true => format!(
                "compared with {} pages, the most similar shares {:.0} % of its structure; confidence {:.2}",
                self.used,
                100.0 * self.similarity,
                self.confidence
            ),
            false => "no page that was learned from resembles this one".to_owned(),
        });
        detection
    }
}

/// The positions of the bits that are set.
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (at < 32).then_some(at as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};
    use proptest::prelude::*;
    use unchaff_dom::{PageId, Site};

    fn learned(from: std::ops::Range<u32>) -> (impl Site, LearnedTemplate) {
        let site = articles(8);
        let keys: Vec<PageKeys> = from.map(|at| PageKeys::of(&site.load(PageId(at)).unwrap())).collect();
        (site, LearnedTemplate::learn(&keys))
    }

    #[test]
    fn a_template_learned_once_serves_pages_it_was_not_learned_from() {
        let (site, template) = learned(0..4);
        for at in 4..8 {
            let page = site.load(PageId(at)).unwrap();
            let applied = template.apply(&page, &Application::default());
            assert!(applied.confidence > 0.6, "{}", applied.confidence);
            assert!(applied.nodes.contains(find(&page, "footer p")) && !applied.nodes.contains(find(&page, "h1")));
        }
    }

    #[test]
    fn a_page_it_was_learned_from_is_no_witness_for_itself() {
        let (site, template) = learned(0..4);
        let page = site.load(PageId(2)).unwrap();
        let applied = template.apply(&page, &Application::default());
        assert_eq!((applied.used, applied.copies), (3, 1));
        assert!(!applied.nodes.contains(find(&page, "article p")));
        let (_, itself) = learned(2..3);
        assert!(!itself.apply(&page, &Application::default()).is_known());
        assert!(itself.apply(&page, &Application { copies_at_last: true, ..Application::default() }).is_known());
    }

    #[test]
    fn a_page_of_another_site_is_unknown_or_unsure() {
        let (_, template) = learned(0..6);
        let stranger =
            Page::parse("<body><table class=t><tr><td class=x>One<td>Two</table><center><font>Three</font></center></body>");
        let applied = template.apply(&stranger, &Application::default());
        assert!(applied.confidence < 0.2 && applied.nodes.is_empty(), "{applied:?}");
        assert_eq!(applied.detection().notes, ["no page that was learned from resembles this one"]);
        assert!(!LearnedTemplate::default().apply(&stranger, &Application::default()).is_known());
    }

    #[test]
    fn a_small_template_says_the_same_and_a_page_can_be_forgotten() {
        let (site, whole) = learned(0..6);
        let mut small = whole.clone();
        small.shrink(usize::MAX);
        assert!(small.keys() < whole.keys() && small.pages() == 6);
        for at in 6..8 {
            let page = site.load(PageId(at)).unwrap();
            let nodes = |template: &LearnedTemplate| template.apply(&page, &Application::default()).nodes;
            assert_eq!(nodes(&small), nodes(&whole));
        }
        let most = small.keys() / 2;
        small.shrink(most);
        assert_eq!(small.keys(), most);
        let (mut one, (_, alone)) = (learned(0..1).1, learned(0..1));
        one.shrink(usize::MAX);
        assert_eq!(one, alone);
        let mut older = whole;
        older.forget_oldest();
        let (_, later) = learned(1..6);
        assert_eq!((older.pages(), older.keys()), (later.pages(), later.keys()));
        let page = site.load(PageId(7)).unwrap();
        assert_eq!(older.apply(&page, &Application::default()).nodes, later.apply(&page, &Application::default()).nodes);
        LearnedTemplate::default().forget_oldest();
    }

    #[test]
    fn bytes_are_read_back_and_damage_is_noticed() {
        let (_, template) = learned(0..5);
        let bytes = template.to_bytes();
        assert_eq!(LearnedTemplate::from_bytes(&bytes), Ok(template));
        assert_eq!(LearnedTemplate::from_bytes(b"something else"), Err(TemplateError::Foreign));
        assert_eq!(LearnedTemplate::from_bytes(&bytes[..bytes.len() - 1]), Err(TemplateError::Damaged));
        assert_eq!(LearnedTemplate::from_bytes(MAGIC), Err(TemplateError::Damaged));
    }

    #[test]
    fn it_learns_from_so_many_pages_and_no_more() {
        let keys = PageKeys::of(&Page::parse("<p>x"));
        let mut template = LearnedTemplate::default();
        assert!((0..MOST_PAGES).all(|_| template.add(&keys)));
        assert!(!template.add(&keys));
        assert_eq!(template.pages(), MOST_PAGES);
    }

    proptest! {
        #[test]
        fn any_pages_can_be_learned_from_and_applied_to(
            pages in prop::collection::vec("(<(div|p|a href=x|ul|li|b|img src=y)( class=[ab])?>|</(div|p|ul|a)>|one |2 ){0,30}", 1..5),
        ) {
            let pages: Vec<Page> = pages.iter().map(|html| Page::parse(html.as_str())).collect();
            let keys: Vec<PageKeys> = pages.iter().map(PageKeys::of).collect();
            let template = LearnedTemplate::learn(&keys[1..]);
            for how in [Application::default(), Application { copies_at_last: true, min_similarity: 0.0, ..Application::default() }] {
                let applied = template.apply(&pages[0], &how);
                prop_assert_eq!(&applied, &template.apply(&pages[0], &how));
                prop_assert!((0.0..=1.0).contains(&applied.confidence));
                prop_assert!(applied.probabilities.iter().all(|probability| (-1e-9..=1.0 + 1e-9).contains(probability)));
            }
            prop_assert_eq!(LearnedTemplate::from_bytes(&template.to_bytes()), Ok(template));
        }
    }
}
