//! What a technique that compares pages is, and which pages it gets to see.

use std::sync::Arc;
use unchaff_dom::site::{Stage, without_fragment};
use unchaff_dom::{LoadError, Page, PageId, Site};
use unchaff_page::{Detection, Explanation};
use url::Url;

/// A technique that looks at a page together with others of its site.
pub trait SiteTechnique: Send + Sync {
    /// The name under which the registry knows it.
    fn name(&self) -> &'static str;

    /// Finds the blocks of the page `key`. A site that is of no help has an answer too, with a note that says so.
    ///
    /// # Errors
    /// If `key` itself cannot be loaded.
    fn detect(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        self.detect_among(&Witnesses::of(site, key)?, key)
    }

    /// What led to the result: the pages compared and why, in notes; votes or weights by node.
    ///
    /// # Errors
    /// If `key` itself cannot be loaded.
    fn explain(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        self.explain_among(&Witnesses::of(site, key)?, key)
    }

    /// As [`detect`](Self::detect), among pages of which none is a copy of `key`.
    ///
    /// # Errors
    /// If `key` itself cannot be loaded.
    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError>;

    /// As [`explain`](Self::explain), among pages of which none is a copy of `key`.
    ///
    /// # Errors
    /// If `key` itself cannot be loaded.
    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError>;
}

/// A site without copies of the page in question: the same page at another spelling of its address (`/news/` and
/// `/news/index.html`) is that page, and one of the same bytes cannot be loaded. A page is no witness for itself.
struct Witnesses<'s> {
    site: &'s dyn Site,
    key: PageId,
    page: Arc<Page>,
    spelling: String,
}

impl<'s> Witnesses<'s> {
    fn of(site: &'s dyn Site, key: PageId) -> Result<Witnesses<'s>, LoadError> {
        Ok(Witnesses { site, key, page: site.load(key)?, spelling: spelling(&site.url(key)) })
    }

    fn is_key(&self, page: PageId) -> bool {
        page == self.key || spelling(&self.site.url(page)) == self.spelling
    }
}

/// An address without what does not change the page: scheme, `www.`, the name of an index file, a slash at the end.
fn spelling(url: &Url) -> String {
    let url = without_fragment(url);
    let host = url.host_str().unwrap_or_default();
    let (folder, file) = url.path().rsplit_once('/').unwrap_or(("", url.path()));
    let is_index = matches!(file.split_once('.'), Some(("index" | "default", end)) if end.len() <= 5 && !end.contains('.'));
    let path = if is_index || file.is_empty() { folder } else { url.path() };
    let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
    format!("{}:{}{path}{query}", host.strip_prefix("www.").unwrap_or(host), url.port().unwrap_or_default())
}

impl Site for Witnesses<'_> {
    fn find(&self, url: &Url) -> Option<PageId> {
        self.site.find(url).map(|page| if self.is_key(page) { self.key } else { page })
    }

    fn url(&self, page: PageId) -> Url {
        self.site.url(page)
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        if page == self.key {
            return Ok(Arc::clone(&self.page));
        }
        let other = self.site.load(page)?;
        if other.source() == self.page.source() {
            return Err(LoadError::Copy { page: self.site.url(page).into(), of: self.site.url(self.key).into() });
        }
        Ok(other)
    }

    fn known(&self) -> Vec<PageId> {
        let mut known = self.site.known();
        known.retain(|page| *page == self.key || !self.is_key(*page));
        known
    }

    fn loads(&self) -> usize {
        self.site.loads()
    }

    fn begins(&self, stage: Stage) {
        self.site.begins(stage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::find;
    use crate::registry;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;
    use unchaff_page::BlockKind;

    #[test]
    fn addresses_are_told_apart_by_what_matters() {
        let same = |one: &str, other: &str| spelling(&Url::parse(one).unwrap()) == spelling(&Url::parse(other).unwrap());
        assert!(same("https://example.org/news/index.html", "http://www.example.org/news/#top"));
        assert!(same("https://example.org/news", "https://example.org/news/"));
        assert!(same("https://example.org/default.aspx?a=1", "https://example.org/?a=1"));
        assert!(!same("https://example.org/news/index.html", "https://example.org/news/1.html"));
        assert!(!same("https://example.org/?a=1", "https://example.org/?a=2"));
        assert!(!same("https://example.org/", "https://example.org:8080/"));
    }

    /// The section `/news/`, which the menu links to, was saved as `/news/index.html`, and an archive has both.
    #[test]
    fn a_page_does_not_vote_for_itself_at_its_second_address() {
        let menu: String = ["/", "/news/", "/town/", "/sport/"].map(|to| format!("<li><a href={to}>{to}</a>")).concat();
        let page = |url: &str, text: &str| {
            let html = format!(
                "<body><ul class=menu>{menu}</ul><div class=main><h1>{text}</h1><p>About {text}, at length.</p></div></body>"
            );
            Parser::new().url(&format!("https://example.org{url}")).parse(html)
        };
        let other = |url: &str| {
            let html = format!("<body><ul class=menu>{menu}</ul><table class=t><tr><td>{url}</table></body>");
            Parser::new().url(&format!("https://example.org{url}")).parse(html)
        };
        for second in ["/news/", "/copy.html"] {
            let mut pages =
                vec![page("/news/index.html", "News"), page(second, "News"), other("/"), other("/town/"), other("/sport/")];
            if second == "/copy.html" {
                let linked = pages[1].source().replace("/news/", "/copy.html");
                pages[0] = Parser::new().url("https://example.org/news/index.html").parse(linked.clone());
                pages[1] = Parser::new().url("https://example.org/copy.html").parse(linked);
            }
            let site = LoadedSite::new(pages);
            let page = site.load(PageId(0)).unwrap();
            for name in ["temex", "hybex", "template-auto", "m14", "sst", "gibson-dom"] {
                let technique = registry::find(name).unwrap().default_technique();
                let detection = technique.detect(&site, PageId(0)).unwrap();
                let template = detection.nodes(BlockKind::Template).unwrap();
                assert!(!template.contains(find(&page, "p")), "{name}: the page itself is no witness ({second})");
            }
            let content = registry::find("conex-site").unwrap().default_technique().detect(&site, PageId(0)).unwrap();
            assert!(content.nodes(BlockKind::Content).unwrap().contains(find(&page, "p")), "{second}");
        }
    }
}
