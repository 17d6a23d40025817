//! The content of a page with the help of its site: what is not template, without parts that are something else by name.
//!
//! Our own, on top of `template_auto`. What a page has for itself falls into parts: subtrees that are
//! no template below an element that is. Parts named after comments, dates, tags, further reading and the like, themselves or in
//! what wraps them alone, are left out, unless little would remain. Names *inside* a part are never used: on sites that were kept
//! back such a rule dropped the content itself (word F1 .884 against .978).

use crate::SiteTechnique;
use crate::candidates::siblings::siblings;
use crate::learned::comparison::Company;
use crate::learned::site_model::SiteModel;
use crate::learned::with_site::{Beside, NO_HELP, WithSite};
use crate::registry::{SiteEntry, entry};
use unchaff_dom::{LoadError, NodeId, NodeSet, Page, PageId, Site};
use unchaff_page::learned::name_families::{Families, Family, NameFamilies};
use unchaff_page::parameters::parameters;
use unchaff_page::rules::comments::Comments;
use unchaff_page::{BlockKind, Detection, Explanation, PageTechnique, registry};

parameters! {
    /// Parameters of the content detector.
    pub struct Params {
        /// How many other pages of the site are loaded at most, 64 at most.
        pub loads: usize = 8,
        /// How many of them are used, the most similar first.
        pub used: usize = 8,
        /// Nodes are template, and so not content, from this confidence on (0 to 1).
        pub min_confidence: f64 = 0.6,
        /// Leave out parts that are named after comments, dates, further reading and the like.
        pub names: bool = true,
        /// Wrappers of a part are asked for their names while they hold less than this share of the words (0 to 1).
        pub wrapper: f64 = 0.2,
        /// Leave out what readers say, as the page-level technique `comments` finds it.
        pub comments: bool = true,
        /// If less than this share of the words remained (0 to 1), nothing is left out.
        pub min_left: f64 = 0.25,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<ContentSite, Params>(
    "content-site",
    BlockKind::Content,
    "what template-auto does not call template, without parts that are comments, dates or further reading by name",
    "unchaff's own",
    "linear in the pages loaded",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct ContentSite {
    params: Params,
}

impl From<Params> for ContentSite {
    fn from(params: Params) -> ContentSite {
        ContentSite { params }
    }
}

/// Names of what pages have for themselves and is not what they are about.
const BESIDE: [Family; 10] = [
    Family::Comment,
    Family::Meta,
    Family::Person,
    Family::Related,
    Family::Share,
    Family::Breadcrumb,
    Family::Pager,
    Family::Reply,
    Family::Side,
    Family::Ad,
];

fn is_beside(names: Families) -> bool {
    BESIDE.iter().any(|family| names.has(*family)) && !names.has(Family::Content)
}

impl ContentSite {
    /// The content of a page whose template is known.
    #[must_use]
    pub fn content(&self, page: &Page, template: &NodeSet) -> NodeSet {
        let mut content = NodeSet::new(page);
        let Some(body) = page.body() else { return content };
        for node in page.descendants(body).filter(|node| !template.contains(*node)) {
            content.insert(node);
        }
        let words = words_before(page, &content);
        let enough = |left: &NodeSet| {
            f64::from(words_before(page, left)[page.len()]) >= self.params.min_left * f64::from(words[page.len()])
        };
        let words_in = |node: NodeId| words[page.end(node).index()] - words[node.index()];
        let mut without = content.clone();
        if self.params.comments {
            let found = Comments::beside_content().detect(page);
            found.nodes(BlockKind::Comments).into_iter().for_each(|comments| without.difference(comments));
            if !enough(&without) {
                without.clone_from(&content);
            }
        }
        if !self.params.names {
            return without;
        }
        let commented = without.clone();
        let names = NameFamilies::of(page);
        for part in content.roots(page).into_iter().filter(|node| page.is_element(*node)) {
            // A wrapper speaks for its part while it holds little besides.
            let wraps =
                |above: &NodeId| *above > body && f64::from(words_in(*above)) < self.params.wrapper * f64::from(words_in(body));
            let mut around = std::iter::once(part).chain(page.ancestors(part).take_while(wraps));
            if around.any(|node| is_beside(names.at(node))) {
                without.remove_subtree(page, part);
            }
        }
        if enough(&without) { without } else { commented }
    }

    /// What pages teach that are near and various: among many like it, a page's own boilerplate would be template.
    fn model(&self, site: &dyn Site, key: PageId, page: &Page) -> SiteModel {
        SiteModel::learn(siblings(site, key, page, self.params.loads).iter().map(|(_, page)| &**page))
    }

    /// The page beside its site.
    fn beside<'m>(&self, model: &'m SiteModel, page: &Page) -> Beside<'m> {
        let Params { used, min_confidence, .. } = self.params;
        WithSite { company: Company { used, min_confidence, ..Company::default() }, ..WithSite::default() }.beside(model, page)
    }
}

/// Words of the texts of a set before each node, and of all at the end.
fn words_before(page: &Page, nodes: &NodeSet) -> Vec<u32> {
    let mut sum = 0;
    let mut sums = Vec::with_capacity(page.len() + 1);
    for node in page.nodes() {
        sums.push(sum);
        if !page.is_element(node) && nodes.contains(node) {
            sum += page.counts(node).words;
        }
    }
    sums.push(sum);
    sums
}

impl SiteTechnique for ContentSite {
    fn name(&self) -> &'static str {
        "content-site"
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let page = site.load(key)?;
        let model = self.model(site, key, &page);
        let beside = self.beside(&model, &page);
        if !beside.comparison.is_known() {
            let alone = registry::find(registry::DEFAULT).map(|entry| entry.default_technique().detect(&page));
            let mut detection = alone.unwrap_or_else(|| Detection::of(BlockKind::Content, NodeSet::new(&page)));
            detection.notes.push(NO_HELP.to_owned());
            return Ok(detection);
        }
        let nodes = self.content(&page, &beside.applied.nodes);
        let mut detection = Detection::of(BlockKind::Content, nodes).with_confidence(beside.applied.confidence);
        detection.notes.push(beside.note());
        Ok(detection)
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let model = self.model(site, key, &page);
        let beside = self.beside(&model, &page);
        let content = self.content(&page, &beside.applied.nodes);
        let mut explanation = Explanation::new(&["template"]);
        for (node, probability) in beside.keys.nodes.iter().zip(&beside.applied.probabilities) {
            let remark = if content.contains(*node) { "content" } else { "" };
            explanation.push(*node, &[*probability], remark);
        }
        explanation.notes.push(beside.note());
        Ok(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};

    fn content(params: Params) -> (std::sync::Arc<Page>, NodeSet) {
        let site = articles(6);
        let nodes = ContentSite::from(params).detect(&site, PageId(1)).unwrap().blocks.remove(0).nodes;
        (site.load(PageId(1)).unwrap(), nodes)
    }

    #[test]
    fn the_article_is_content_and_the_frame_is_not() {
        let (page, nodes) = content(Params::default());
        for selector in ["h1", "article p"] {
            assert!(nodes.contains(find(&page, selector)), "{selector}");
        }
        for selector in ["header", "nav a", "footer", "body"] {
            assert!(!nodes.contains(find(&page, selector)), "{selector}");
        }
    }

    #[test]
    fn parts_named_after_comments_are_left_out_unless_nothing_else_remains() {
        let page = Page::parse(format!(
            "<div id=main><p>{}</p></div><div class=remarks-by-others><div class=comments><p>Me too.</p></div></div>",
            "One two three four five six. ".repeat(9)
        ));
        let mut template = NodeSet::from_nodes(&page, page.body());
        for selector in ["#main", ".remarks-by-others", ".comments"] {
            template.insert(find(&page, selector));
        }
        let of = |params| ContentSite::from(params).content(&page, &template);
        let comment = find(&page, ".comments p");
        assert!(!of(Params::default()).contains(comment));
        assert!(of(Params { names: false, comments: false, ..Params::default() }).contains(comment));
        assert!(of(Params { wrapper: 0.0, comments: false, ..Params::default() }).contains(comment));
        assert!(of(Params { min_left: 0.99, ..Params::default() }).contains(comment));
    }
}
