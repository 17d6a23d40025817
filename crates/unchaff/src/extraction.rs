//! A technique applied to a page, and what can be done with the result.

use crate::links::Links;
use crate::menu::{self, MenuItem};
use crate::title::{self, Title};
use crate::{ExtractionRecord, Field, Format, Parts, TextFacts, chunks, explain, explained_page, facts, html5, views};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use thiserror::Error;
use unchaff_dom::emit::{Flavour, LinkStyle, MarkdownStyle};
use unchaff_dom::metadata::{Found, Metadata, Source, metadata};
use unchaff_dom::{Document, NodeSet, Page, emit};
use unchaff_page::learned::auto::Auto;
use unchaff_page::registry::{self, Entry, SettingError};
use unchaff_page::rules::additional_content::{self, AdditionalPart};
use unchaff_page::rules::comment_list::{self, Comment};
use unchaff_page::rules::comments::Comments;
use unchaff_page::rules::posts;
use unchaff_page::{BlockKind, Detection, Explanation, PageTechnique};

/// A technique with its settings. It can be shared by threads.
pub struct Extractor {
    technique: Box<dyn PageTechnique>,
    kind: BlockKind,
}

/// Why a name is no technique's of the kind asked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum UnknownTechnique {
    /// There is one of that name, but it needs other pages of the site.
    #[error("{name} compares pages of a site, and there is one page alone")]
    NeedsSite {
        /// Its name.
        name: String,
    },
    /// There is one of that name, but it looks at one page.
    #[error("{name} looks at one page alone; techniques that compare pages are {}", known.join(", "))]
    NeedsNoSite {
        /// Its name.
        name: String,
        /// Those that compare pages.
        known: Vec<&'static str>,
    },
    /// There is none.
    #[error("there is no technique `{name}`; there are {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
}

impl UnknownTechnique {
    pub(crate) fn of_pages(name: &str) -> UnknownTechnique {
        let name = name.to_owned();
        match unchaff_site::registry::find(&name) {
            Some(_) => UnknownTechnique::NeedsSite { name },
            None => UnknownTechnique::Unknown { name, known: registry::all().iter().map(|entry| entry.name).collect() },
        }
    }

    pub(crate) fn of_sites(name: &str) -> UnknownTechnique {
        let known = unchaff_site::registry::all().iter().map(|entry| entry.name).collect();
        let name = name.to_owned();
        match registry::find(&name) {
            Some(_) => UnknownTechnique::NeedsNoSite { name, known },
            None => UnknownTechnique::Unknown { name, known },
        }
    }
}

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
    /// The default technique for content.
    #[must_use]
    pub fn new() -> Extractor {
        Extractor::of(BlockKind::Content)
    }

    /// The default technique for a kind of block.
    #[must_use]
    pub fn of(kind: BlockKind) -> Extractor {
        match registry::find(registry::default_for(kind)) {
            Some(entry) => Extractor { technique: entry.default_technique(), kind },
            None => unreachable!("the default techniques are in the registry"),
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
        Ok(Extractor { technique: entry.technique(settings)?, kind: entry.kind })
    }

    /// Applies the technique to a page.
    #[must_use]
    pub fn extract<'p>(&self, page: &'p Page) -> Extraction<'p> {
        Extraction::of(page, self.kind, self.technique.name(), self.technique.detect(page))
    }

    /// Applies the technique to a page and keeps what led to the result.
    #[must_use]
    pub fn explain<'p>(&self, page: &'p Page) -> Extraction<'p> {
        Extraction { explanation: Some(self.technique.explain(page)), ..self.extract(page) }
    }
}

/// A page that is elsewhere, or one that is kept here.
#[derive(Clone, Debug)]
pub(crate) enum ThePage<'p> {
    Borrowed(&'p Page),
    Kept(Arc<Page>),
}

impl Deref for ThePage<'_> {
    type Target = Page;

    fn deref(&self) -> &Page {
        match self {
            ThePage::Borrowed(page) => page,
            ThePage::Kept(page) => page,
        }
    }
}

/// What a technique found on a page.
#[derive(Clone, Debug)]
pub struct Extraction<'p> {
    pub(crate) page: ThePage<'p>,
    pub(crate) shows: BlockKind,
    pub(crate) technique: Cow<'static, str>,
    pub(crate) detection: Detection,
    pub(crate) explanation: Option<Explanation>,
    /// Content that the page carries in a script, as a page of its own.
    pub(crate) embedded: Option<Page>,
    pub(crate) links: Links,
    pub(crate) flavour: Flavour,
    pub(crate) width: Option<usize>,
    pub(crate) title: Title,
    /// What outputs show in place of the block: everything else.
    pub(crate) complement: Option<NodeSet>,
}

impl<'p> Extraction<'p> {
    /// What was found on a page, of which outputs show one kind of block; under the name of whoever found it.
    #[must_use]
    pub fn of(page: &'p Page, shows: BlockKind, technique: impl Into<Cow<'static, str>>, detection: Detection) -> Extraction<'p> {
        let embedded = detection
            .embedded
            .as_ref()
            .map(|html| Document { url: page.url().map(ToString::to_string), ..Document::new(html.as_str()) }.page());
        let (page, technique) = (ThePage::Borrowed(page), technique.into());
        let (links, flavour, title) = (Links::default(), Flavour::default(), Title::default());
        Extraction {
            page,
            shows,
            technique,
            detection,
            explanation: None,
            embedded,
            links,
            flavour,
            width: None,
            title,
            complement: None,
        }
    }

    /// The same together with its page, so that it can outlive whoever read that. `page` is the page it was made of.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use unchaff::{Extraction, Extractor, Page};
    ///
    /// fn extract(html: &str) -> Extraction<'static> {
    ///     let page = Arc::new(Page::parse(html));
    ///     Extractor::new().extract(&page).with_page(Arc::clone(&page))
    /// }
    /// assert_eq!(extract("<p>It rained all day.").text().trim(), "It rained all day.");
    /// ```
    #[must_use]
    pub fn with_page(self, page: Arc<Page>) -> Extraction<'static> {
        debug_assert!(std::ptr::eq(&*self.page, &*page), "another page has other nodes");
        let Extraction { page: _, shows, technique, detection, explanation, embedded, links, flavour, width, title, complement } =
            self;
        let page = ThePage::Kept(page);
        Extraction { page, shows, technique, detection, explanation, embedded, links, flavour, width, title, complement }
    }

    /// The same with one more thing that the user should know.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Extraction<'p> {
        self.detection.notes.push(note.to_owned());
        self
    }

    /// The same with parts of the content included or excluded.
    #[must_use]
    pub fn with_parts(mut self, parts: &Parts) -> Extraction<'p> {
        parts.apply(&self.page, &mut self.detection);
        if !parts.has_links() {
            self.links = Links::None;
        }
        self.complement = self.complement.is_some().then(|| views::complement(&self.page, self.block()));
        self
    }

    /// The same with links in Markdown and HTML as it is said.
    #[must_use]
    pub fn with_links(mut self, links: Links) -> Extraction<'p> {
        if self.links != Links::None {
            self.links = links;
        }
        self
    }

    /// The same with Markdown for certain readers.
    #[must_use]
    pub fn with_flavour(self, flavour: Flavour) -> Extraction<'p> {
        Extraction { flavour, ..self }
    }

    /// The same with paragraphs of text and Markdown broken into lines of so many characters, where there are spaces.
    #[must_use]
    pub fn with_width(self, width: Option<usize>) -> Extraction<'p> {
        Extraction { width, ..self }
    }

    /// The same with the title of the page once, as it was found, or left out. By default it stands once, in Markdown of the content.
    #[must_use]
    pub fn with_title(mut self, title: Title) -> Extraction<'p> {
        if title == Title::Drop
            && let Some(heading) = title::heading(&self.page)
        {
            let content = self.detection.blocks.iter_mut().filter(|block| block.kind == BlockKind::Content);
            content.for_each(|block| block.nodes.remove_subtree(&self.page, heading));
        }
        self.title = title;
        self.complement = self.complement.is_some().then(|| views::complement(&self.page, self.block()));
        self
    }

    /// The same with outputs that show everything in the body but the block. Which blocks there are stays as it is.
    ///
    /// ```
    /// use unchaff::{Extractor, Page};
    ///
    /// let page = Page::parse("<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained all day, and all night too.</p>");
    /// let rest = Extractor::new().extract(&page).complemented();
    /// assert_eq!(rest.text().trim(), "Home");
    /// ```
    #[must_use]
    pub fn complemented(mut self) -> Extraction<'p> {
        self.complement = Some(views::complement(&self.page, self.block()));
        self
    }
}

impl Extraction<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The page, if it is kept here ([`with_page`](Extraction::with_page)).
    #[must_use]
    pub fn shared_page(&self) -> Option<Arc<Page>> {
        match &self.page {
            ThePage::Borrowed(_) => None,
            ThePage::Kept(page) => Some(Arc::clone(page)),
        }
    }

    /// The name of whoever found the blocks.
    #[must_use]
    pub fn technique(&self) -> &str {
        &self.technique
    }

    /// The blocks and notes of the technique.
    #[must_use]
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The kind of block that outputs show.
    #[must_use]
    pub fn shows(&self) -> BlockKind {
        self.shows
    }

    /// The nodes that outputs show.
    #[must_use]
    pub fn nodes(&self) -> Option<&NodeSet> {
        self.complement.as_ref().or_else(|| self.block())
    }

    /// Whether outputs show everything but the block ([`complemented`](Extraction::complemented)).
    #[must_use]
    pub fn is_complement(&self) -> bool {
        self.complement.is_some()
    }

    /// The nodes of the kind that was asked for.
    pub(crate) fn block(&self) -> Option<&NodeSet> {
        self.detection.nodes(self.shows)
    }

    /// What led to the result, if it was asked for.
    #[must_use]
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    fn emit(&self, write: impl Fn(&Page, &NodeSet) -> String) -> String {
        match &self.embedded {
            Some(page) if self.shows == BlockKind::Content && !self.is_complement() => {
                write(page, &page.subtree_set(page.root()))
            }
            _ => self.nodes().map(|nodes| write(&self.page, nodes)).unwrap_or_default(),
        }
    }

    /// The same with the notes whose marks are in the content, for forms in which a mark leads to its note.
    fn emit_with_notes(&self, write: impl Fn(&Page, &NodeSet) -> String) -> String {
        let is_content = self.shows == BlockKind::Content && !self.is_complement();
        self.emit(|page, nodes| match emit::with_notes(page, nodes).filter(|_| is_content) {
            Some(whole) => write(page, &whole),
            None => write(page, nodes),
        })
    }

    /// What readers wrote about the page, one by one: of the comments that were found, or else of those that the page has.
    ///
    /// ```
    /// use unchaff::{Extractor, Page};
    ///
    /// let page = Page::parse("<html lang=en><h1>Rain</h1><p>It rained all day, and then it rained all night long, and nobody came to the harbour.</p>\
    ///     <ol class=comments><li id=comment-12><b class=author>Bob</b> <time>3 March 2024</time><p>So it did.</li></ol>");
    /// let comments = Extractor::new().extract(&page).comments();
    /// assert_eq!(comments[0].author.as_deref(), Some("Bob"));
    /// assert_eq!((comments[0].date.as_deref(), comments[0].text.as_str()), (Some("2024-03-03"), "So it did."));
    /// ```
    #[must_use]
    pub fn comments(&self) -> Vec<Comment> {
        match self.detection.nodes(BlockKind::Comments) {
            Some(nodes) => comment_list::comments(&self.page, nodes),
            None => {
                // Answers of a thread are content, and told by `posts`.
                let found = Comments::beside_content().detect(&self.page);
                found.nodes(BlockKind::Comments).map(|nodes| comment_list::comments(&self.page, nodes)).unwrap_or_default()
            }
        }
    }

    /// The posts of a thread, or a question and its answers, one by one, if they are most of the content.
    ///
    /// ```
    /// use unchaff::{BlockKind, Extractor, Page};
    ///
    /// let post = |number: u32, who: &str| format!("<div id=p{number} class=post><p class=author><a class=username>{who}</a> <time>3 March 2024</time></p>\
    ///     <div class=content>The lamp went out again last night, and nobody in the whole town knows why it does.</div></div>");
    /// let page = Page::parse(format!("<html lang=en><body class=forum><main><h1>The lamp</h1>{}{}</main>", post(1, "Ann"), post(2, "Bob")));
    /// let thread = Extractor::new().extract(&page);
    /// assert_eq!(thread.posts()[1].author.as_deref(), Some("Bob"));
    /// // Answers are content; who asks for comments has them as such.
    /// assert!(thread.comments().is_empty());
    /// assert_eq!(Extractor::of(BlockKind::Comments).extract(&page).comments()[..], thread.posts()[1..]);
    /// ```
    #[must_use]
    pub fn posts(&self) -> Vec<Comment> {
        self.detection.nodes(BlockKind::Content).map(|nodes| posts::posts(&self.page, nodes)).unwrap_or_default()
    }

    /// What of the page is not its content, and what that is: navigation, lists of links, commercials, functional elements, comments.
    ///
    /// ```
    /// use unchaff::{Extractor, Page};
    ///
    /// let page = Page::parse("<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained all day, and then it rained all night long, and nobody came to the harbour.</p>");
    /// let parts = Extractor::new().extract(&page).additional();
    /// assert_eq!((parts[0].kind.as_str(), parts[0].text.as_str()), ("navigation", "Home"));
    /// ```
    #[must_use]
    pub fn additional(&self) -> Vec<AdditionalPart> {
        match self.detection.nodes(BlockKind::Content) {
            Some(nodes) => additional_content::additional(&self.page, nodes),
            None => {
                let found = Auto::default().detect(&self.page);
                found.nodes(BlockKind::Content).map(|nodes| additional_content::additional(&self.page, nodes)).unwrap_or_default()
            }
        }
    }

    /// The menu as a tree, if the technique looks for one.
    #[must_use]
    pub fn menu(&self) -> Option<Vec<MenuItem>> {
        self.detection.nodes(BlockKind::Menu).map(|nodes| menu::menu(&self.page, nodes))
    }

    /// The entries of the menu, if that is what outputs show.
    fn shown_menu(&self) -> Option<Vec<MenuItem>> {
        if self.shows == BlockKind::Menu && !self.is_complement() { self.menu() } else { None }
    }

    /// Plain text; of a menu its entries.
    #[must_use]
    pub fn text(&self) -> String {
        let write = |page: &Page, nodes: &NodeSet| match self.width {
            Some(width) => emit::text_within(page, nodes, width),
            None => emit::text(page, nodes),
        };
        self.shown_menu().map_or_else(|| self.emit(write), |items| menu::text(&items))
    }

    /// How many words [`Extraction::text`] has, how long they take to read, and their fingerprint.
    #[must_use]
    pub fn facts(&self) -> TextFacts {
        TextFacts::of(&self.text())
    }

    /// What the page says about itself; the language, if it does not say it, by the words of the text.
    pub(crate) fn metadata_with<T: AsRef<str>>(&self, text: impl FnOnce() -> T) -> Metadata {
        let mut metadata = metadata(&self.page);
        metadata.language = metadata.language.or_else(|| {
            let value = facts::detect_language(text().as_ref())?.to_owned();
            Some(Found { value, source: Source::Content })
        });
        metadata
    }

    /// Markdown; of a menu its entries as nested lists.
    #[must_use]
    pub fn markdown(&self) -> String {
        let links = match self.links {
            Links::Inline => LinkStyle::Inline,
            Links::References => LinkStyle::References,
            Links::None => LinkStyle::Dropped,
        };
        let style = MarkdownStyle { flavour: self.flavour, links, width: self.width };
        if let Some(items) = self.shown_menu() {
            return menu::markdown(&items);
        }
        let markdown = self.emit_with_notes(|page, nodes| emit::markdown_as(page, nodes, style));
        match self.nodes() {
            Some(nodes) if self.shows == BlockKind::Content && self.title == Title::Once && !self.is_complement() => {
                title::once(&self.page, nodes, markdown, self.flavour)
            }
            _ => markdown,
        }
    }

    /// Clean HTML.
    #[must_use]
    pub fn html(&self) -> String {
        self.emit_with_notes(if self.links == Links::None { emit::html_without_links } else { emit::html })
    }

    /// The whole page with every element of a block marked; in colours and with what led to the result, if it was asked for.
    #[must_use]
    pub fn annotated(&self) -> String {
        match &self.explanation {
            None => emit::annotated(&self.page, &self.marked_blocks()),
            Some(explanation) => {
                let remarks = explain::remarks(&self.page, explanation);
                emit::explained(&self.page, &self.marked_blocks(), |node| remarks.get(&node).cloned())
            }
        }
    }

    /// What led to the result, if it was asked for, as a page for people: the page in colours, what came out beside it, a legend, and why.
    #[must_use]
    pub fn explained(&self) -> Option<String> {
        self.explanation.as_ref().map(|explanation| explained_page::page(self, explanation))
    }

    /// The page with everything taken out that is not of the block.
    #[must_use]
    pub fn skeleton(&self) -> String {
        self.nodes().map(|nodes| emit::skeleton(&self.page, nodes)).unwrap_or_default()
    }

    /// What led to the result as a table for people.
    #[must_use]
    pub fn table(&self) -> String {
        self.explanation.as_ref().map(|explanation| explain::table(&self.page, explanation)).unwrap_or_default()
    }

    /// All of it as a value that needs no page. `input` is what the caller calls the page, if it does.
    #[must_use]
    pub fn record(&self, input: Option<&str>) -> ExtractionRecord {
        ExtractionRecord::of(self, input)
    }

    /// JSON of the schema [`SCHEMA`](crate::SCHEMA), on one line. `input` is what the caller calls the page, if it does.
    #[must_use]
    pub fn json(&self, input: Option<&str>) -> String {
        self.record(input).json()
    }

    /// The extraction in a format.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Html => self.html(),
            Format::Tei => self.tei(),
            Format::Json => self.json(None),
            Format::Annotated => self.annotated(),
            Format::Skeleton => self.skeleton(),
            Format::Chunks => chunks::lines(self, None, None, chunks::TOKENS),
            Format::Hidden => self.hidden(),
            Format::Replaced(filler) => self.replaced(filler),
            Format::Deleted => self.deleted(),
            Format::Restructured => self.restructured(),
            Format::Highlighted => self.highlighted(),
            Format::Html5 => html5::html5(&self.page),
            Format::Ranges => views::lines(&self.ranges()),
            Format::Cleaneval => self.emit(emit::cleaneval),
            Format::Csv => Field::csv_head(&Field::USUAL) + &self.csv(&Field::USUAL, None),
        }
    }
}
