//! Gold by landmarks: a hand-written extractor for the pages of one site, as data.
//!
//! Gottron (2008, 5.2.1 and appendix A): for massive tests the main content of many pages of one template is found by what stands around it, words, tags or comments of
//! the source, and by what is to be left out of it. A [`GoldExtractor`] is such a description: pieces of source between a start and an end mark; of these, or of the whole page,
//! the elements of selectors; without pieces between other marks and without other elements. A page that lacks a mark or a selected element is
//! refused, never silently empty.

use crate::package::Document;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use thiserror::Error;
use unchaff_dom::select::{Selector, SelectorError};
use unchaff_dom::{NodeSet, Page, Parser, emit};

/// Where something starts and ends in the source. The marks themselves are outside of it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// What stands before it.
    pub start: String,
    /// What stands after it.
    pub end: String,
}

/// The extractor of a site's pages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoldExtractor {
    /// How the addresses of its pages start, where they are known; all pages if it is empty.
    pub site: String,
    /// Pieces of the source that hold content, each there once or more; the whole page if there are none.
    pub between: Vec<Marks>,
    /// Elements that are content, as CSS selectors; all in the pieces if there are none.
    pub elements: Vec<String>,
    /// Pieces of the source that are none, wherever they are.
    pub without_between: Vec<Marks>,
    /// Elements that are none, as CSS selectors.
    pub without: Vec<String>,
}

/// Why a page has no gold.
#[derive(Debug, Error)]
pub enum LandmarkError {
    /// The description is not understood.
    #[error("this is no description of landmarks: {0}; it has site, between, elements, without_between, without")]
    Form(#[from] serde_json::Error),
    /// Nothing is said of where the content is.
    #[error("the description names neither marks (between) nor elements, so all of a page would be content")]
    Nothing,
    /// A selector is not understood.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// The page is of another site.
    #[error("the page is not of {site}")]
    OtherSite {
        /// How its address would start.
        site: String,
    },
    /// A mark or element is not there.
    #[error("`{0}` is not there, so the page has another template or the description is wrong")]
    Missing(String),
}

impl GoldExtractor {
    /// Reads a description.
    ///
    /// # Errors
    /// If it is not one, or says nothing.
    pub fn read(text: &[u8]) -> Result<GoldExtractor, LandmarkError> {
        let read: GoldExtractor = serde_json::from_slice(text)?;
        let is_empty =
            read.between.iter().chain(&read.without_between).any(|marks| marks.start.is_empty() || marks.end.is_empty());
        if is_empty || read.between.is_empty() && read.elements.is_empty() { Err(LandmarkError::Nothing) } else { Ok(read) }
    }

    /// A document of a package for each page; a page without gold is told with its file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn documents(&self, files: &[PathBuf], tell: &mut dyn FnMut(String)) -> io::Result<BTreeMap<String, Document>> {
        let mut documents = BTreeMap::new();
        for file in files {
            let source = std::fs::read(file)?;
            match self.gold(&Page::parse(source.clone())) {
                Err(error) => tell(format!("{}: {error}", file.display())),
                Ok(gold) => {
                    let name = format!("{:04}-{}", documents.len() + 1, file.file_stem().unwrap_or_default().to_string_lossy());
                    let known = [("gold_method".to_owned(), "landmarks".into())].into_iter().collect();
                    documents.insert(name, Document { source, gold, known });
                }
            }
        }
        Ok(documents)
    }

    /// The text of a page's content.
    ///
    /// # Errors
    /// If the page is of another site, or a mark or element is missing.
    pub fn gold(&self, page: &Page) -> Result<String, LandmarkError> {
        if !self.site.is_empty() && page.url().is_some_and(|url| !url.as_str().starts_with(&self.site)) {
            return Err(LandmarkError::OtherSite { site: self.site.clone() });
        }
        let mut source = page.source().to_owned();
        for marks in &self.without_between {
            source = pieces(&source, marks).1;
        }
        if !self.between.is_empty() {
            let mut inside = String::new();
            for marks in &self.between {
                let (found, _) = pieces(&source, marks);
                if found.is_empty() {
                    return Err(LandmarkError::Missing(marks.start.clone()));
                }
                inside.extend(found.into_iter().flat_map(|piece| ["<div>", piece, "</div>"]));
            }
            source = inside;
        }
        let page = Parser::new().parse_text(source);
        let mut nodes = if self.elements.is_empty() { page.subtree_set(page.root()) } else { NodeSet::new(&page) };
        for text in &self.elements {
            let selector = Selector::parse(text)?;
            let before = nodes.iter().count();
            page.select(&selector).for_each(|node| nodes.insert_subtree(&page, node));
            if nodes.iter().count() == before {
                return Err(LandmarkError::Missing(text.clone()));
            }
        }
        for text in &self.without {
            let selector = Selector::parse(text)?;
            page.select(&selector).flat_map(|node| page.subtree(node)).for_each(|node| nodes.remove(node));
        }
        Ok(emit::text(&page, &nodes))
    }
}

/// The pieces between marks, and the source without them. A start without an end after it is none.
fn pieces<'s>(source: &'s str, marks: &Marks) -> (Vec<&'s str>, String) {
    let (mut found, mut left, mut rest) = (Vec::new(), String::new(), source);
    while let Some((before, after)) = rest.split_once(&marks.start) {
        let Some((piece, next)) = after.split_once(&marks.end) else { break };
        left.push_str(before);
        found.push(piece);
        rest = next;
    }
    left.push_str(rest);
    (found, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(description: &str, html: &str) -> Result<String, String> {
        let page = Parser::new().url("http://news.example/1").parse(html);
        GoldExtractor::read(description.as_bytes()).and_then(|extractor| extractor.gold(&page)).map_err(|error| error.to_string())
    }

    const PAGE: &str = "<nav>Home</nav><h1 class=title>Rain</h1><!-- text --><p>It rained.<p>Ad<!-- ad -->Buy!<!-- /ad --> here.<p class=more>More</p><!-- end --><footer>Imprint</footer>";

    #[test]
    fn pieces_between_marks_without_what_is_excluded() {
        let marks = r#"{"site": "http://news.example/", "between": [{"start": "<!-- text -->", "end": "<!-- end -->"}],
            "without_between": [{"start": "<!-- ad -->", "end": "<!-- /ad -->"}], "without": [".more"]}"#;
        assert_eq!(gold(marks, PAGE).unwrap(), "It rained.\n\nAd here.\n");
        assert_eq!(
            gold(r#"{"elements": [".title", "p"], "without": [".more"]}"#, PAGE).unwrap(),
            "Rain\n\nIt rained.\n\nAdBuy! here.\n"
        );
    }

    #[test]
    fn a_page_without_a_landmark_is_refused() {
        let missing = gold(r#"{"between": [{"start": "<!-- story -->", "end": "<!-- end -->"}]}"#, PAGE).unwrap_err();
        assert!(missing.contains("`<!-- story -->` is not there"), "{missing}");
        assert!(gold(r#"{"elements": [".story"]}"#, PAGE).unwrap_err().contains("`.story` is not there"));
        assert!(
            gold(r#"{"site": "http://other.example/", "elements": ["p"]}"#, PAGE).unwrap_err().contains("not of http://other")
        );
        for nothing in ["{}", r#"{"between": [{"start": "", "end": "x"}]}"#, r#"{"start": "x"}"#] {
            assert!(gold(nothing, PAGE).is_err(), "{nothing}");
        }
    }
}
