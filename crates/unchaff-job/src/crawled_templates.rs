//! The template of each page while a crawl goes on, by IWPTD: pages are judged by what is known of their site when they come.

use crate::{JobError, site_of};
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use unchaff::Page;
use unchaff::dom::{NodeSet, Tag, emit};
use unchaff_site::published::iwptd::{IncrementalTemplates, Params};

/// What is known of the sites of a crawl so far.
#[derive(Debug, Default)]
pub struct CrawledTemplates {
    params: Params,
    sites: HashMap<String, IncrementalTemplates>,
}

/// What was found out about a page when it came.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CrawledPage {
    /// Its address.
    pub url: String,
    /// Its site.
    pub site: String,
    /// How many pages of the site were known then, it included.
    pub known_pages: usize,
    /// The share of its characters that is template.
    pub template_share: f64,
    /// Its text without the template.
    pub text: String,
}

impl CrawledTemplates {
    /// Nothing known yet; pages are judged with these parameters.
    #[must_use]
    pub fn new(params: Params) -> CrawledTemplates {
        CrawledTemplates { params, sites: HashMap::new() }
    }

    /// Takes the next page.
    pub fn add(&mut self, page: &Page) -> CrawledPage {
        let site = site_of(page).unwrap_or_default();
        let known = self.sites.entry(site.clone()).or_insert_with(|| IncrementalTemplates::new(self.params.clone()));
        let template = known.add(page);
        let texts =
            || page.body().into_iter().flat_map(|body| page.descendants(body)).filter(|node| page.tag(*node) == Tag::Text);
        let characters = |of: &dyn Fn(&unchaff::dom::NodeId) -> bool| -> u64 {
            texts().filter(|node| of(node)).map(|node| u64::from(page.counts(node).chars)).sum()
        };
        let (all, shared) = (characters(&|_| true), characters(&|node| template.contains(*node)));
        let rest = NodeSet::from_nodes(page, texts().filter(|node| !template.contains(*node)));
        CrawledPage {
            url: page.url().map(ToString::to_string).unwrap_or_default(),
            site,
            known_pages: known.pages(),
            template_share: if all == 0 { 0.0 } else { shared as f64 / all as f64 },
            text: emit::text(page, &rest),
        }
    }
}

/// The same, written to a file as pages come: a line of JSON for each.
#[derive(Debug)]
pub struct CrawledLines {
    path: PathBuf,
    file: BufWriter<File>,
    templates: CrawledTemplates,
    failed: Option<io::Error>,
}

impl CrawledLines {
    /// A new file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> Result<CrawledLines, JobError> {
        let file = File::create(path).map_err(|cause| JobError::Write { path: path.to_owned(), cause })?;
        Ok(CrawledLines {
            path: path.to_owned(),
            file: BufWriter::new(file),
            templates: CrawledTemplates::default(),
            failed: None,
        })
    }

    /// Takes the next page. The crawl goes on if its line cannot be written.
    pub fn add(&mut self, page: &Page) {
        let found = self.templates.add(page);
        // Whoever reads along sees whole lines.
        let written = serde_json::to_string(&found).map_err(Into::into).and_then(|line| {
            writeln!(self.file, "{line}")?;
            self.file.flush()
        });
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }

    /// Says whether all lines could be written.
    ///
    /// # Errors
    /// If one could not.
    pub fn finish(self) -> Result<(), JobError> {
        self.failed.map_or(Ok(()), |cause| Err(JobError::Write { path: self.path, cause }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff::dom::Parser;

    #[test]
    fn a_frame_is_known_from_the_second_page_of_a_site_on() {
        let page = |host: &str, day: usize| {
            let html = format!("<ul><li>Home</ul><div><p>On day {day} it rained.</p></div>");
            Parser::new().url(&format!("https://{host}/{day}")).parse(html)
        };
        let mut templates = CrawledTemplates::default();
        let first = templates.add(&page("example.org", 1));
        assert_eq!((first.known_pages, first.template_share), (1, 0.0));
        assert!(first.text.contains("Home"));
        assert_eq!(templates.add(&page("example.com", 1)).template_share, 0.0);
        let second = templates.add(&page("example.org", 2));
        assert_eq!((second.site.as_str(), second.known_pages, second.text.trim()), ("example.org", 2, "On day 2 it rained."));
        assert!(second.template_share > 0.1 && second.template_share < 0.3);
    }
}
