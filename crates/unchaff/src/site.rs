//! A page with the help of its site: by the recipe of the site's model, or by a technique that compares pages.

use crate::{Extraction, UnknownTechnique};
use std::fmt;
use unchaff_dom::{LoadError, Page, PageId, Site};
use unchaff_page::BlockKind;
use unchaff_page::registry::SettingError;
use unchaff_site::learned::page_facts::PageFacts;
use unchaff_site::learned::with_site::WithSite;
use unchaff_site::registry::{self, SiteEntry};
use unchaff_site::{SiteModel, SiteTechnique};

/// The name of the recipe of a site's model, where outputs name a technique.
pub const SITE: &str = "site";

/// Content, template and menu of a page, given what is known about its site; outputs show one of them. Of a model that has learned
/// nothing it is what the page alone tells.
///
/// ```
/// use unchaff::{BlockKind, Document, SiteModel, extract_with_site};
///
/// let page = |name: &str, text: &str| {
///     let html = format!("<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>{text}</p>");
///     Document::new(html).at(format!("https://example.org/{name}")).page()
/// };
/// let pages = [page("a", "It rained all day."), page("b", "Then the sun came out."), page("c", "Snow fell.")];
/// let model = SiteModel::learn(&pages);
/// assert_eq!(extract_with_site(&model, &pages[0], BlockKind::Content).text().trim(), "It rained all day.");
/// ```
#[must_use]
pub fn extract_with_site<'p>(model: &SiteModel, page: &'p Page, shows: BlockKind) -> Extraction<'p> {
    Extraction::of(page, shows, SITE, model.detect(page))
}

/// The same by a recipe with settings, given what was found out when the page was learned from.
#[must_use]
pub fn extract_with_facts<'p>(
    recipe: &WithSite,
    model: &SiteModel,
    page: &'p Page,
    facts: PageFacts,
    shows: BlockKind,
) -> Extraction<'p> {
    Extraction::of(page, shows, SITE, recipe.detect_facts(model, page, facts))
}

/// A technique that compares pages, with its settings. It can be shared by threads.
///
/// ```
/// use unchaff::{Parser, SiteExtractor};
/// use unchaff::dom::site::{LoadedSite, PageId, Site};
///
/// let page = |name: &str, text: &str| {
///     let html = format!("<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>{text}</p>");
///     Parser::new().url(&format!("https://example.org/{name}")).parse(html)
/// };
/// let site = LoadedSite::new([page("a", "It rained all day."), page("b", "Then the sun came out."), page("c", "Snow fell.")]);
/// let key = site.load(PageId(0))?;
/// let extraction = SiteExtractor::new().extract(&site, PageId(0), &key)?;
/// assert_eq!(extraction.text().trim(), "It rained all day.");
/// # Ok::<(), unchaff::dom::LoadError>(())
/// ```
pub struct SiteExtractor {
    technique: Box<dyn SiteTechnique>,
    kind: BlockKind,
}

impl Default for SiteExtractor {
    fn default() -> Self {
        SiteExtractor::new()
    }
}

impl fmt::Debug for SiteExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiteExtractor").field("technique", &self.technique.name()).finish()
    }
}

impl SiteExtractor {
    /// The default technique, which finds the content.
    #[must_use]
    pub fn new() -> SiteExtractor {
        match SiteExtractor::entry(registry::DEFAULT) {
            Ok(entry) => SiteExtractor { technique: entry.default_technique(), kind: entry.kind },
            Err(_) => unreachable!("the default technique is in the registry"),
        }
    }

    /// What is known about a technique that compares pages, by name.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn entry(name: &str) -> Result<&'static SiteEntry, UnknownTechnique> {
        registry::find(name).ok_or_else(|| UnknownTechnique::of_sites(name))
    }

    /// A technique with some parameters set: pairs of name and value.
    ///
    /// # Errors
    /// If a parameter does not exist or does not take its value.
    pub fn with_settings(entry: &SiteEntry, settings: &[(&str, &str)]) -> Result<SiteExtractor, SettingError> {
        Ok(SiteExtractor { technique: entry.technique(settings)?, kind: entry.kind })
    }

    /// Applies the technique to the page `key` of a site, which is `page`.
    ///
    /// # Errors
    /// If `key` cannot be loaded.
    pub fn extract<'p>(&self, site: &dyn Site, key: PageId, page: &'p Page) -> Result<Extraction<'p>, LoadError> {
        let detection = self.technique.detect(site, key)?;
        Ok(Extraction::of(page, self.kind, self.technique.name(), detection))
    }

    /// Applies the technique and keeps what led to the result.
    ///
    /// # Errors
    /// If `key` cannot be loaded.
    pub fn explain<'p>(&self, site: &dyn Site, key: PageId, page: &'p Page) -> Result<Extraction<'p>, LoadError> {
        let explanation = self.technique.explain(site, key)?;
        Ok(Extraction { explanation: Some(explanation), ..self.extract(site, key, page)? })
    }
}
