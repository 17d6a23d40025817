//! Clustering in a stream: a page joins the template it is most like, or becomes the first of a new one.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017, algorithms 3
//! and 4: the number of pages is not known and a site is never complete, so nothing is kept but one representative for each
//! template, the page that opened it. A page joins the most similar one if it is more similar than the threshold, strictly; of
//! equals the first counts. He compares sets of paths with the ids of elements; other sets serve as well. The result depends on
//! the order of the pages and on nothing else.

use crate::carried_over::match_dom::{Match, PathIndex};
use crate::carried_over::path_set::PathSet;

/// The templates found so far.
#[derive(Clone, Debug, Default)]
pub struct TemplateStream {
    representatives: PathIndex,
}

impl TemplateStream {
    /// No template yet; pages more similar than this share one.
    #[must_use]
    pub fn new(threshold: f64) -> TemplateStream {
        TemplateStream { representatives: PathIndex::new(threshold) }
    }

    /// The template of a page, which is the next number if it opens one.
    pub fn add(&mut self, page: PathSet) -> usize {
        match self.representatives.find(&page) {
            Some(Match { at, .. }) => at,
            None => self.representatives.insert(page),
        }
    }

    /// How many templates there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.representatives.sets().len()
    }

    /// Whether there is none yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::{Distance, Features, Measure};
    use unchaff_dom::Page;

    fn paths(html: &str) -> PathSet {
        let distance = Distance { measure: Measure::IdPaths, ..Distance::default() };
        match distance.reduce(&Page::parse(html)).features {
            Features::Set(members) => PathSet::from_hashes(members),
            other => panic!("{other:?}"),
        }
    }

    /// Made by hand: page A; B has more of the same; B' has a list more; C has a table and an aside and no menu.
    #[test]
    fn the_published_pages_make_two_templates() {
        let page = |menu: &str, main: &str, more: &str| {
            paths(&format!(
                "<html><head><title>x</title></head><body><div id=top><h1>x</h1></div>{menu}<div id=main><h2>x</h2>{main}</div>\
                 <div id=foot><p>x</p></div>{more}</body></html>"
            ))
        };
        let menu = |items: usize| format!("<div id=nav><ul>{}</ul></div>", "<li><a>x</a></li>".repeat(items));
        let mut stream = TemplateStream::default();
        let pages = [
            page(&menu(2), "<p>x</p><p>x</p>", ""),
            page(&menu(3), "<p>x</p><p>x</p><p>x</p>", ""),
            page(&menu(3), "<p>x</p><ul><li>x</li></ul>", ""),
            page("", "<table><tbody><tr><td>x</td></tr></tbody></table>", "<aside><p>x</p></aside>"),
        ];
        assert_eq!(pages.map(|page| stream.add(page)), [0, 0, 0, 1]);
        assert_eq!(stream.len(), 2);
    }

    #[test]
    fn only_the_page_that_opened_a_template_stands_for_it() {
        let set = |range: std::ops::Range<u64>| PathSet::from_hashes(range.collect());
        let mut stream = TemplateStream::new(0.7);
        assert!(stream.is_empty());
        assert_eq!([stream.add(set(0..20)), stream.add(set(4..24)), stream.add(set(8..28))], [0, 0, 1], "no chain to the first");
    }
}
