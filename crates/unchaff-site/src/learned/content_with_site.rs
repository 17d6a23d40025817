//! The content that a page-level technique takes, without blocks that other pages of the site have too.
//!
//! Our own; on news pages the plain rule was as good as anything learned, and one other page gives nearly all of it. A block goes if its text,
//! digits folded, is on more than three tenths of the other pages. Copies of the article (a page with more than half
//! of the words taken here) are ignored: without that the rule loses more than it gains. If little would remain, nothing goes.
//!
//! Where the same articles stand below every article of a site, each page has most of the words of each other and is no copy of it. So with some pages to
//! compare with, text that nearly all of them have tells no copies, and what remains may be little if it is an article by itself.

use crate::SiteTechnique;
use crate::candidates::siblings::siblings;
use crate::learned::comparison::{Company, Comparison, MOST_PAGES, bits};
use crate::learned::page_keys::PageKeys;
use crate::learned::site_model::SiteModel;
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{LoadError, NodeSet, Page, PageId, Site, Tag};
use unchaff_page::parameters::parameters;
use unchaff_page::{BlockKind, Detection, Explanation, registry};

/// With fewer pages to compare with, text that all of them have may be that of copies.
const MANY: usize = 4;
/// Text that more than this share of the pages have is of no page in particular.
const EVERYWHERE: f64 = 0.8;
/// So many words are an article by themselves.
const ARTICLE: u32 = 50;

parameters! {
    /// Parameters of the combination.
    pub struct Params {
        /// The page-level technique whose content is cleaned.
        pub technique: String = registry::DEFAULT.to_owned(),
        /// How many other pages of the site are loaded at most, 64 at most.
        pub loads: usize = 8,
        /// A block goes if more than this share of the other pages (0 to 1) has it.
        pub share: f64 = 0.3,
        /// It goes as well if two other pages or more have it that are more than this share of all (0 to 1), each counted by how much of its structure is the
        /// page's.
        pub alike: f64 = 1.0,
        /// A page with more than this share of the words taken (0 to 1) is a copy.
        pub copy: f64 = 0.5,
        /// If less than this share of the words remained (0 to 1), and fewer than fifty, nothing goes.
        pub min_left: f64 = 0.25,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<ContentWithSite, Params>(
    "content-with-site",
    BlockKind::Content,
    "what a page-level technique takes, without blocks that recur on other pages",
    "unchaff's own",
    "linear in the pages loaded, after the page-level technique",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct ContentWithSite {
    params: Params,
}

impl From<Params> for ContentWithSite {
    fn from(params: Params) -> ContentWithSite {
        ContentWithSite { params }
    }
}

impl ContentWithSite {
    /// The content without what recurs on the pages compared with.
    #[must_use]
    pub(crate) fn without_recurring(&self, page: &Page, keys: &PageKeys, content: &NodeSet, others: &Comparison<'_>) -> NodeSet {
        let mut blocks = Vec::new();
        let mut words_on = [0.0; MOST_PAGES];
        let mut words = 0.0;
        let used = others.used().count_ones() as usize;
        let is_everywhere = |pages: u64| used >= MANY && f64::from(pages.count_ones()) > EVERYWHERE * used as f64;
        for (at, node) in keys.nodes.iter().enumerate().filter(|(_, node)| content.contains(**node)) {
            let (element, tag) = (&keys.keys[at], page.tag(*node));
            if element.whole != 0 && tag.is_block() {
                // A number is all that tells "Chapter 3" from the others: headings are compared as they are.
                let is_heading = matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6) && element.text != 0;
                blocks.push((*node, if is_heading { others.on(at).text } else { others.on(at).whole }));
            }
            // Words are counted in the innermost elements that have text, so that none counts twice.
            let (own, pages) = (keys.words[at], others.pages_with_text(at));
            if element.folded_text != 0 && !is_everywhere(pages) {
                words += f64::from(own);
                bits(pages).for_each(|other| words_on[other] += f64::from(own));
            }
        }
        let no_copies = bits(others.used()).filter(|other| words_on[*other] <= self.params.copy * words);
        let witnesses = no_copies.fold(0u64, |pages, other| pages | 1 << other);
        let many = witnesses.count_ones() as usize >= MANY;
        let (mut kept, mut is_all_kept) = (content.clone(), true);
        for (node, pages) in blocks {
            let on = (pages & witnesses).count_ones();
            let is_common = f64::from(on) > self.params.share * f64::from(witnesses.count_ones());
            if is_common || on > 1 && f64::from(others.share_of(pages)) > self.params.alike {
                kept.remove_subtree(page, node);
                is_all_kept = false;
            }
        }
        if is_all_kept {
            return kept;
        }
        let count = |nodes: &NodeSet| {
            nodes.iter().filter(|node| !page.is_element(*node)).map(|node| page.counts(node).words).sum::<u32>()
        };
        let left = count(&kept);
        let is_article = many && left >= ARTICLE;
        let is_enough = is_article || f64::from(left) >= self.params.min_left * f64::from(count(content));
        if is_enough { kept } else { content.clone() }
    }

    fn page_level(&self, page: &Page) -> Detection {
        let (entry, unknown) = match registry::find(&self.params.technique) {
            Some(entry) if entry.kind == BlockKind::Content => (Some(entry), None),
            _ => (
                registry::find(registry::DEFAULT),
                Some(format!("no technique `{}` finds content; {} was used", self.params.technique, registry::DEFAULT)),
            ),
        };
        let mut detection = entry.map(|entry| entry.default_technique().detect(page)).unwrap_or_default();
        detection.notes.extend(unknown);
        detection
    }
}

impl SiteTechnique for ContentWithSite {
    fn name(&self) -> &'static str {
        "content-with-site"
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let page = site.load(key)?;
        let mut detection = self.page_level(&page);
        let model = SiteModel::learn(siblings(site, key, &page, self.params.loads).iter().map(|(_, page)| &**page));
        let keys = PageKeys::of(&page);
        let others = model.compare(&keys, &Company::default());
        if !others.is_known() {
            detection.notes.push("there is no other page to compare with; the page was judged alone".to_owned());
            return Ok(detection);
        }
        for block in detection.blocks.iter_mut().filter(|block| block.kind == BlockKind::Content) {
            block.nodes = self.without_recurring(&page, &keys, &block.nodes, &others);
        }
        Ok(detection)
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let before = self.page_level(&page);
        let after = self.detect(site, key)?;
        let mut explanation = Explanation::new(&["kept"]);
        let (before, kept) = (before.nodes(BlockKind::Content), after.nodes(BlockKind::Content));
        for node in before.into_iter().flat_map(NodeSet::iter).filter(|node| page.is_element(*node)) {
            let is_kept = kept.is_some_and(|kept| kept.contains(node));
            explanation.push(node, &[f64::from(u8::from(is_kept))], if is_kept { "content" } else { "recurs" });
        }
        explanation.notes = after.notes;
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::emit;
    use unchaff_dom::site::LoadedSite;

    fn page(number: usize, text: &str) -> Page {
        let links: String = (0..5).map(|other| format!("<a href=/{other}>{other}</a>")).collect();
        let html = format!(
            "<body><main><p>{text}</p><p>Subscribe to our letter number {number} today and never miss a story again.</p></main>{links}</body>"
        );
        Parser::new().url(&format!("https://example.org/{number}")).parse(html)
    }

    fn detected(pages: Vec<Page>, params: Params) -> String {
        let site = LoadedSite::new(pages);
        let nodes = ContentWithSite::from(params).detect(&site, PageId(0)).unwrap().blocks.remove(0).nodes;
        emit::text(&site.load(PageId(0)).unwrap(), &nodes)
    }

    const RAIN: &str = "It rained all day, and the river rose until the old bridge was closed to everyone but the mayor.";
    const SUN: &str =
        "The sun came out at noon, and people who had stayed at home for weeks went to the park with their children.";

    fn params() -> Params {
        Params { technique: "conex-page".to_owned(), ..Params::default() }
    }

    #[test]
    fn blocks_that_recur_go_and_digits_do_not_save_them() {
        let text = detected(
            vec![
                page(0, RAIN),
                page(1, SUN),
                page(2, "Snow fell in the night, and nobody came to work or to school in the morning."),
            ],
            params(),
        );
        assert!(text.contains("It rained") && !text.contains("Subscribe"), "{text}");
    }

    #[test]
    fn a_heading_that_differs_by_its_number_stays() {
        let page = |number: usize, text: &str| {
            let html = format!("<body><main><h1>Chapter {number}</h1><p>{text}</p></main><h2>Part of our book</h2></body>");
            Parser::new().url(&format!("https://example.org/{number}")).parse(html)
        };
        let site = LoadedSite::new([page(1, RAIN), page(2, SUN), page(3, "Snow fell in the night, and nobody came to work.")]);
        let page = site.load(PageId(0)).unwrap();
        let (model, keys) = (SiteModel::of_site(&site, PageId(0), &page, 8), PageKeys::of(&page));
        let others = model.compare(&keys, &Company::default());
        let all = page.subtree_set(page.body().unwrap());
        let text = emit::text(&page, &ContentWithSite::default().without_recurring(&page, &keys, &all, &others));
        assert!(text.contains("Chapter 1") && text.contains("It rained") && !text.contains("Part of our book"), "{text}");
    }

    #[test]
    fn copies_of_the_article_do_not_count() {
        let text = detected(vec![page(0, RAIN), page(1, RAIN), page(2, RAIN), page(3, SUN)], params());
        assert!(text.contains("It rained") && !text.contains("Subscribe"), "{text}");
    }

    /// Pages with an article of their own, above the same four on all of them.
    fn appended(others: usize) -> String {
        let article = |number: usize, paragraphs: usize| -> String {
            let names =
                ["river", "bridge", "mayor", "harbour", "market", "winter", "station", "garden", "school", "theatre", "island"];
            let sentence = |at: usize| {
                (0..20).map(|word| names[(number * 3 + at * 5 + word * (number + 2)) % names.len()]).collect::<Vec<_>>()
            };
            (0..paragraphs).map(|at| format!("<p>Number {} {}.</p>", names[number], sentence(at).join(" "))).collect()
        };
        let same: String = (7..11).map(|number| article(number, 5)).collect();
        let page = |number: usize| {
            let html = format!("<main>{}{same}</main>", article(number, 3));
            Parser::new().url(&format!("https://example.org/{number}")).parse(html)
        };
        let model = SiteModel::learn(&(1..=others).map(page).collect::<Vec<_>>());
        let (page, keys) = (page(0), PageKeys::of(&page(0)));
        let beside = model.compare(&keys, &Company::default());
        let all = page.subtree_set(page.body().unwrap());
        emit::text(&page, &ContentWithSite::default().without_recurring(&page, &keys, &all, &beside))
    }

    #[test]
    fn articles_below_every_article_go_though_they_are_most_of_the_page() {
        let text = appended(6);
        assert!(text.contains("Number river") && !text.contains("Number garden"), "{text}");
    }

    #[test]
    fn one_page_with_most_of_the_text_may_be_a_copy() {
        assert!(appended(1).contains("Number garden"));
    }

    #[test]
    fn a_site_of_one_page_is_judged_alone() {
        let text = detected(vec![page(0, RAIN)], params());
        assert!(text.contains("It rained") && text.contains("Subscribe"), "{text}");
    }

    #[test]
    fn a_technique_that_does_not_exist_is_named_in_a_note() {
        let site = LoadedSite::new([page(0, RAIN)]);
        let detection = ContentWithSite::from(Params { technique: "no-such".to_owned(), ..Params::default() })
            .detect(&site, PageId(0))
            .unwrap();
        assert!(detection.notes.iter().any(|note| note.contains("no-such")), "{:?}", detection.notes);
    }
}
