//! What is in a store as people and programs see it: a table and lines of JSON, a template element by element, what is kept of a site.

use crate::{AnswersSummary, Listing, ModelSummary, StoreError, TemplateStore, TemplateSummary};
use serde::Serialize;
use std::fmt;
use unchaff_site::carried_over::templates::{StoredTemplate, Templates};

/// A model or a template as a line of JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Listed<'s> {
    Model(ListedModel<'s>),
    Answers(ListedAnswers<'s>),
    Template(ListedTemplate<'s>),
}

#[derive(Serialize)]
struct ListedModel<'s> {
    site: &'s str,
    pages: u64,
    bytes: u64,
    created: &'s str,
    learned: &'s str,
}

#[derive(Serialize)]
struct ListedAnswers<'s> {
    site: &'s str,
    answers: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct ListedTemplate<'s> {
    template: &'s str,
    site: &'s str,
    maker: &'s str,
    url: &'s str,
    /// `learning`, `in use` or `retired`.
    state: &'static str,
    pages: u64,
    missed: u64,
    bytes: u64,
    created: &'s str,
    matched: Option<&'s str>,
    retired: Option<&'s str>,
}

impl<'s> From<&'s ModelSummary> for ListedModel<'s> {
    fn from(summary: &'s ModelSummary) -> ListedModel<'s> {
        let ModelSummary { site, pages, bytes, created, learned } = summary;
        ListedModel { site, pages: *pages, bytes: *bytes, created, learned }
    }
}

impl<'s> From<&'s AnswersSummary> for ListedAnswers<'s> {
    fn from(summary: &'s AnswersSummary) -> ListedAnswers<'s> {
        let AnswersSummary { site, answers, bytes } = summary;
        ListedAnswers { site, answers: *answers, bytes: *bytes }
    }
}

impl<'s> From<&'s TemplateSummary> for ListedTemplate<'s> {
    fn from(summary: &'s TemplateSummary) -> ListedTemplate<'s> {
        let TemplateSummary { name, site, maker, url, ripe, pages, missed, created, matched, retired, bytes } = summary;
        let state = match (retired, ripe) {
            (Some(_), _) => "retired",
            (None, true) => "in use",
            (None, false) => "learning",
        };
        let (matched, retired) = (matched.as_deref(), retired.as_deref());
        ListedTemplate {
            template: name,
            site,
            maker,
            url,
            state,
            pages: *pages,
            missed: *missed,
            bytes: *bytes,
            created,
            matched,
            retired,
        }
    }
}

impl Listed<'_> {
    fn site(&self) -> &str {
        match self {
            Listed::Model(model) => model.site,
            Listed::Answers(answers) => answers.site,
            Listed::Template(template) => template.site,
        }
    }

    /// As a line of the table.
    fn line(&self, width: usize) -> String {
        let day = |time: &str| time.get(..10).unwrap_or_default().to_owned();
        match self {
            Listed::Model(ListedModel { site, pages, bytes, learned, .. }) => {
                format!("{site:width$}  {:13}  {:8}  {pages:>7}  {:>6}  {bytes:>9}  {}", "model", "in use", "", day(learned))
            }
            Listed::Answers(ListedAnswers { site, answers, bytes }) => {
                format!("{site:width$}  {:13}  {:8}  {answers:>7}  {:>6}  {bytes:>9}", "answers", "in use", "")
            }
            Listed::Template(listed) => {
                let ListedTemplate { template, site, maker, url, state, pages, missed, bytes, created, matched, .. } = listed;
                // The settings of a technique take too much room here; JSON and `show` have them.
                let maker = maker.split(' ').next().unwrap_or_default();
                let last = day(matched.unwrap_or(created));
                format!("{site:width$}  {maker:13}  {state:8}  {pages:>7}  {missed:>6}  {bytes:>9}  {last}  {template}  {url}")
            }
        }
    }
}

impl Listing {
    /// The model of a site stands before its answers and its templates.
    fn listed(&self) -> Vec<Listed<'_>> {
        let models = self.models.iter().map(|model| Listed::Model(model.into()));
        let answers = self.answers.iter().map(|answers| Listed::Answers(answers.into()));
        let templates = self.templates.iter().map(|template| Listed::Template(template.into()));
        let mut listed: Vec<Listed<'_>> = models.chain(answers).chain(templates).collect();
        listed.sort_by(|one, other| one.site().cmp(other.site()));
        listed
    }

    /// A line of JSON for each model and template.
    #[must_use]
    pub fn json_lines(&self) -> String {
        self.listed().iter().map(json_line).collect()
    }

    /// A table, with a line for each model and template.
    #[must_use]
    pub fn table(&self) -> String {
        let listed = self.listed();
        if listed.is_empty() {
            return "nothing is kept\n".to_owned();
        }
        let width = listed.iter().map(|listed| listed.site().chars().count()).max().unwrap_or(0).max("site".len());
        let mut text = format!(
            "{:width$}  {:13}  {:8}  {:>7}  {:>6}  {:>9}  {:10}  {:16}  page\n",
            "site", "of", "state", "pages", "missed", "bytes", "last", "template"
        );
        for listed in &listed {
            text += &listed.line(width);
            text.push('\n');
        }
        text
    }
}

/// A value of text and numbers alone as a line.
fn json_line<S: Serialize>(value: S) -> String {
    serde_json::to_string(&value).unwrap_or_default() + "\n"
}

/// A template, element by element.
#[derive(Serialize)]
struct Shown<'s> {
    template: &'s str,
    site: &'s str,
    maker: &'s str,
    url: &'s str,
    ripe: bool,
    paths: usize,
    elements: Vec<Element>,
}

#[derive(Serialize)]
struct Element {
    depth: usize,
    element: String,
    blocks: Vec<String>,
}

fn shown(template: &StoredTemplate) -> Shown<'_> {
    let StoredTemplate { name, site, maker, url, dom, paths, blocks, ripe, .. } = template;
    let mut depths: Vec<usize> = Vec::with_capacity(dom.len());
    let elements = (0..dom.len() as u32).map(|element| {
        let depth = dom.parent(element).map_or(0, |parent| depths[parent as usize] + 1);
        depths.push(depth);
        // Segments are told apart by their numbers, as many are of one kind.
        let inside = (1..).zip(blocks).filter(|(_, block)| block.contains(element));
        // Kind, level and name; the name says it all.
        let called = |kind: &'_ str| kind.splitn(3, ' ').nth(2).unwrap_or(kind).to_owned();
        let blocks = inside.map(|(number, block): (usize, _)| format!("{number} {}", called(&block.kind))).collect();
        Element { depth, element: dom.token(element), blocks }
    });
    let elements = elements.collect();
    Shown { template: name, site, maker, url, ripe: *ripe, paths: paths.len(), elements }
}

impl TemplateStore {
    /// What is kept of a site, or a template by its name or how that starts: as text, or as a line of JSON.
    ///
    /// # Errors
    /// If there is neither, or it is damaged.
    pub fn show(&self, name: &str, as_json: bool) -> Result<String, StoreError> {
        let of_site = self.list(Some(name))?;
        if of_site == Listing::default() {
            let template = self.template(name)?;
            let shown = shown(&template);
            return Ok(if as_json { json_line(&shown) } else { shown.to_string() });
        }
        // A damaged model is told here, before somebody needs it.
        self.model(name)?;
        let shown = ShownSite { site: name, model: of_site.models.first().map(Into::into), templates: of_site.templates.len() };
        Ok(if as_json { json_line(&shown) } else { shown.to_string() })
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown { template, site, maker, url, ripe, paths, elements } = self;
        let state = if *ripe { "in use: its segments are carried over" } else { "learning: its pages are still analysed" };
        writeln!(
            f,
            "template  {template}\nsite      {site}\nof        {maker}\npage      {url}\nstate     {state}\npaths     {paths}\n"
        )?;
        for Element { depth, element, blocks } in elements {
            let blocks = if blocks.is_empty() { String::new() } else { format!("  [{}]", blocks.join(", ")) };
            writeln!(f, "{:1$}{element}{blocks}", "", 2 * depth)?;
        }
        Ok(())
    }
}

/// What is known of a site: its model, and how many templates there are.
#[derive(Serialize)]
struct ShownSite<'s> {
    site: &'s str,
    model: Option<ListedModel<'s>>,
    templates: usize,
}

impl fmt::Display for ShownSite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "site       {}", self.site)?;
        match &self.model {
            Some(ListedModel { pages, bytes, created, learned, .. }) => {
                writeln!(f, "model      learned from {pages} pages, {bytes} bytes\ncreated    {created}\nlearned    {learned}")?;
            }
            None => writeln!(f, "model      none")?,
        }
        writeln!(f, "templates  {}", self.templates)
    }
}
