//! A technique applied to a page, and what can be done with the result.

use crate::menu::{self, MenuItem};
use crate::{Format, Parts, explain, json};
use std::fmt;
use unchaff_dom::{NodeSet, Page, Parser, emit};
use unchaff_page::registry::{self, Entry, SettingError};
use unchaff_page::{BlockKind, Detection, Explanation, PageTechnique};

/// A technique with its settings. It can be shared by threads.
pub struct Extractor {
    technique: Box<dyn PageTechnique>,
}

/// A name that is no technique's of the kind asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTechnique {
    name: String,
    of_sites: bool,
}

impl UnknownTechnique {
    pub(crate) fn of_pages(name: &str) -> UnknownTechnique {
        UnknownTechnique { name: name.to_owned(), of_sites: false }
    }

    pub(crate) fn of_sites(name: &str) -> UnknownTechnique {
        UnknownTechnique { name: name.to_owned(), of_sites: true }
    }
}

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownTechnique { name, of_sites } = self;
        let of_pages: Vec<&str> = registry::all().iter().map(|entry| entry.name).collect();
        let comparing: Vec<&str> = unchaff_site::registry::all().iter().map(|entry| entry.name).collect();
        if *of_sites && of_pages.contains(&name.as_str()) {
            return write!(f, "{name} looks at one page alone; leave --site away, or name one of {}", comparing.join(", "));
        }
        if !of_sites && comparing.contains(&name.as_str()) {
            return write!(f, "{name} compares pages of a site; say where they are with --site FOLDER, WARC or URL");
        }
        let known = if *of_sites { comparing } else { of_pages };
        write!(f, "there is no technique `{name}`; there are {} (see `unchaff techniques`)", known.join(", "))
    }
}

impl std::error::Error for UnknownTechnique {}

impl Default for Extractor {
    fn default() -> Self {
        Extractor::new()
    }
}

impl fmt::Debug for Extractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extractor").field("technique", &self.technique.name()).finish()
    }
}

impl Extractor {
    /// The default technique.
    #[must_use]
    pub fn new() -> Extractor {
        match Extractor::entry(registry::DEFAULT) {
            Ok(entry) => Extractor { technique: entry.default_technique() },
            Err(_) => unreachable!("the default technique is in the registry"),
        }
    }

    /// What is known about a technique, by name.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn entry(name: &str) -> Result<&'static Entry, UnknownTechnique> {
        registry::find(name).ok_or_else(|| UnknownTechnique::of_pages(name))
    }

    /// A technique with some parameters set: pairs of name and value.
    ///
    /// # Errors
    /// If a parameter does not exist or does not take its value.
    pub fn with_settings(entry: &Entry, settings: &[(&str, &str)]) -> Result<Extractor, SettingError> {
        Ok(Extractor { technique: entry.technique(settings)? })
    }

    /// Applies the technique to a page.
    #[must_use]
    pub fn extract<'p>(&self, page: &'p Page) -> Extraction<'p> {
        Extraction::of(page, self.technique.name(), self.technique.detect(page))
    }

    /// Applies the technique to a page and keeps what led to the result.
    #[must_use]
    pub fn explain<'p>(&self, page: &'p Page) -> Extraction<'p> {
        Extraction { explanation: Some(self.technique.explain(page)), ..self.extract(page) }
    }
}

/// What a technique found on a page.
#[derive(Clone, Debug)]
pub struct Extraction<'p> {
    pub(crate) page: &'p Page,
    pub(crate) technique: &'static str,
    pub(crate) detection: Detection,
    pub(crate) explanation: Option<Explanation>,
    /// Content that the page carries in a script, as a page of its own.
    pub(crate) embedded: Option<Page>,
    pub(crate) has_links: bool,
}

impl<'p> Extraction<'p> {
    /// What was found on a page by other means than an extractor's, under the name of whoever found it.
    #[must_use]
    pub fn of(page: &'p Page, technique: &'static str, detection: Detection) -> Extraction<'p> {
        let embedded = detection.embedded.as_ref().map(|html| {
            let parser = page.url().map_or_else(Parser::new, |url| Parser::new().url(url.as_str()));
            parser.parse(html.as_str())
        });
        Extraction { page, technique, detection, explanation: None, embedded, has_links: true }
    }

    /// The same with parts of the content included or excluded.
    #[must_use]
    pub fn with_parts(mut self, parts: &Parts) -> Extraction<'p> {
        parts.apply(self.page, &mut self.detection);
        self.has_links = parts.has_links();
        self
    }
}

impl Extraction<'_> {
    /// The blocks and notes of the technique.
    #[must_use]
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The nodes that outputs show: the content, or, for techniques that look for something else, that.
    #[must_use]
    pub fn nodes(&self) -> Option<&NodeSet> {
        self.detection.nodes(BlockKind::Content).or_else(|| self.detection.blocks.first().map(|block| &block.nodes))
    }

    /// What led to the result, if it was asked for.
    #[must_use]
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    fn emit(&self, write: fn(&Page, &NodeSet) -> String) -> String {
        match &self.embedded {
            Some(page) => write(page, &page.subtree_set(page.root())),
            None => self.nodes().map(|nodes| write(self.page, nodes)).unwrap_or_default(),
        }
    }

    /// The menu as a tree, if the technique looks for one.
    #[must_use]
    pub fn menu(&self) -> Option<Vec<MenuItem>> {
        self.detection.nodes(BlockKind::Menu).map(|nodes| menu::menu(self.page, nodes))
    }

    /// Plain text; of a menu its entries.
    #[must_use]
    pub fn text(&self) -> String {
        self.menu().map_or_else(|| self.emit(emit::text), |items| menu::text(&items))
    }

    /// Markdown; of a menu its entries as nested lists.
    #[must_use]
    pub fn markdown(&self) -> String {
        let write = if self.has_links { emit::markdown } else { emit::markdown_without_links };
        self.menu().map_or_else(|| self.emit(write), |items| menu::markdown(&items))
    }

    /// Clean HTML.
    #[must_use]
    pub fn html(&self) -> String {
        self.emit(if self.has_links { emit::html } else { emit::html_without_links })
    }

    /// The whole page with every element of a block marked; with what led to the result, if it was asked for.
    #[must_use]
    pub fn annotated(&self) -> String {
        let blocks: Vec<(&str, &NodeSet)> =
            self.detection.blocks.iter().map(|block| (block.kind.as_str(), &block.nodes)).collect();
        match &self.explanation {
            None => emit::annotated(self.page, &blocks),
            Some(explanation) => {
                let remarks = explain::remarks(self.page, explanation);
                emit::explained(self.page, &blocks, |node| remarks.get(&node).cloned())
            }
        }
    }

    /// The page with everything taken out that is not of the block.
    #[must_use]
    pub fn skeleton(&self) -> String {
        self.nodes().map(|nodes| emit::skeleton(self.page, nodes)).unwrap_or_default()
    }

    /// What led to the result as a table for people.
    #[must_use]
    pub fn table(&self) -> String {
        self.explanation.as_ref().map(|explanation| explain::table(self.page, explanation)).unwrap_or_default()
    }

    /// JSON of the schema [`SCHEMA`](crate::SCHEMA), on one line. `input` is what the caller calls the page, if it does.
    #[must_use]
    pub fn json(&self, input: Option<&str>) -> String {
        json::write(self, input)
    }

    /// The extraction in a format.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Html => self.html(),
            Format::Json => self.json(None),
            Format::Annotated => self.annotated(),
            Format::Skeleton => self.skeleton(),
        }
    }
}
