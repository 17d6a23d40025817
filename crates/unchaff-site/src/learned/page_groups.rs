//! Which pages of a site share a template, found while they stream by, so that each template is learned once.
//!
//! Our own. Pages are compared by the tag and class paths they have: the share of common paths is estimated
//! by [sketches](crate::distances::sketch). A page joins the most similar group, if it is similar enough
//! to the group's first page, or opens one. A group learns from its first pages and only counts the rest; groups are limited
//! in number, so that memory is bounded whatever the site. The result depends on the order of pages and on nothing else.

use crate::distances::sketch;
use crate::learned::learned_template::{Application, Applied, LearnedTemplate, MOST_PAGES};
use crate::learned::page_keys::PageKeys;
use unchaff_dom::Page;

/// How many minima stand for a page.
const MINIMA: usize = 64;

/// How pages are grouped.
#[derive(Clone, PartialEq, Debug)]
pub struct Grouping {
    /// Pages with at least this share of common paths (0 to 1) share a template.
    pub min_similarity: f64,
    /// From how many pages of a group is learned, 32 at most.
    pub pages: usize,
    /// How many groups there are at most; a page like none of them then joins the most similar.
    pub groups: usize,
}

impl Default for Grouping {
    fn default() -> Grouping {
        Grouping { min_similarity: 0.3, pages: 24, groups: 64 }
    }
}

/// A page by its paths.
type Sketch = sketch::Sketch<MINIMA>;

fn sketch_of(keys: &PageKeys) -> Sketch {
    // The first is `body`, which all pages have.
    Sketch::of(keys.keys.iter().skip(1).map(|element| element.path))
}

/// Pages that share a template.
#[derive(Clone, Debug)]
pub struct PageGroup {
    first: Sketch,
    /// What was learned from its first pages.
    pub template: LearnedTemplate,
    /// How many pages joined.
    pub pages: usize,
}

/// Learns the templates of a site from pages as they come.
#[derive(Clone, Debug, Default)]
pub struct SiteLearner {
    grouping: Grouping,
    groups: Vec<PageGroup>,
}

impl SiteLearner {
    /// A learner that groups pages like this.
    #[must_use]
    pub fn new(grouping: Grouping) -> SiteLearner {
        SiteLearner { grouping, groups: Vec::new() }
    }

    /// Learns from a page; returns the number of the group it joined.
    pub fn add(&mut self, page: &Page) -> usize {
        let keys = PageKeys::of(page);
        let sketch = sketch_of(&keys);
        let group = match nearest(&self.groups, &sketch) {
            Some((group, similarity))
                if similarity >= self.grouping.min_similarity || self.groups.len() >= self.grouping.groups =>
            {
                group
            }
            _ => {
                self.groups.push(PageGroup { first: sketch, template: LearnedTemplate::default(), pages: 0 });
                self.groups.len() - 1
            }
        };
        let joined = &mut self.groups[group];
        joined.pages += 1;
        if joined.template.pages() < self.grouping.pages.min(MOST_PAGES) {
            joined.template.add(&keys);
        }
        group
    }

    /// The templates learned.
    #[must_use]
    pub fn finish(self) -> SiteTemplates {
        SiteTemplates { groups: self.groups }
    }
}

/// The most similar group, of equals the first.
fn nearest(groups: &[PageGroup], sketch: &Sketch) -> Option<(usize, f64)> {
    let similar = groups.iter().map(|group| group.first.similarity(sketch)).enumerate();
    similar.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The templates of a site.
#[derive(Clone, Debug, Default)]
pub struct SiteTemplates {
    /// The groups in the order in which they were opened.
    pub groups: Vec<PageGroup>,
}

impl SiteTemplates {
    /// The group a page belongs to: the most similar one that was learned from at least two pages, because of
    /// its own group a page learns nothing if it is alone there. None if it shares no path with any.
    #[must_use]
    pub fn best_for(&self, page: &Page) -> Option<usize> {
        self.best_for_keys(&PageKeys::of(page))
    }

    fn best_for_keys(&self, keys: &PageKeys) -> Option<usize> {
        let sketch = sketch_of(keys);
        let similar = |group: &PageGroup| if group.template.pages() > 1 { group.first.similarity(&sketch) } else { 0.0 };
        let similar = self.groups.iter().map(similar).enumerate().filter(|(_, similarity)| *similarity > 0.0);
        similar.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(group, _)| group)
    }

    /// Applies the template of a page's group to it; also the number of that group. None if no group is like it.
    #[must_use]
    pub fn apply(&self, page: &Page, how: &Application) -> Option<(usize, Applied)> {
        let keys = PageKeys::of(page);
        let group = self.best_for_keys(&keys)?;
        Some((group, self.groups[group].template.apply_to(page, &keys, how)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::template_auto::tests::{articles, find};
    use unchaff_dom::{PageId, Site};

    fn lists(number: usize) -> Page {
        let items: String = (0..8)
            .map(|item| format!("<tr><td class=name>Thing {item} of {number}</td><td class=price>{item}</td></tr>"))
            .collect();
        Page::parse(format!(
            "<body><table class=list><tbody>{items}</tbody></table><form class=filter><input name=q><select name=s><option>a</select></form></body>"
        ))
    }

    #[test]
    fn pages_of_two_templates_fall_into_two_groups() {
        let site = articles(6);
        let mut learner = SiteLearner::default();
        let mut groups = Vec::new();
        for at in 0..6 {
            groups.push(learner.add(&site.load(PageId(at)).unwrap()));
            groups.push(learner.add(&lists(at as usize)));
        }
        assert_eq!(groups, [0, 1].repeat(6));
        let templates = learner.finish();
        assert_eq!(templates.best_for(&lists(99)), Some(1));
        let page = site.load(PageId(3)).unwrap();
        let (group, applied) = templates.apply(&page, &Application::default()).unwrap();
        assert_eq!((group, applied.copies), (0, 1), "the page itself is no witness");
        assert!(applied.nodes.contains(find(&page, "nav a")) && !applied.nodes.contains(find(&page, "article p")));
    }

    #[test]
    fn a_page_like_no_other_has_no_template() {
        let mut learner = SiteLearner::default();
        for at in 0..4 {
            learner.add(&lists(at));
        }
        let templates = learner.finish();
        assert_eq!(templates.best_for(&Page::parse("<main class=other><h2>Alone</h2></main>")), None);
        assert_eq!(templates.best_for(&Page::parse("")), None);
        assert!(SiteLearner::default().finish().best_for(&lists(1)).is_none());
    }

    #[test]
    fn groups_and_what_they_learn_from_are_limited() {
        let mut learner = SiteLearner::new(Grouping { groups: 2, pages: 3, ..Grouping::default() });
        for at in 0..20 {
            learner.add(&Page::parse(format!("<div class={}><p>x</div>", ["a", "b", "c", "d"][at % 4])));
        }
        let templates = learner.finish();
        assert_eq!(templates.groups.len(), 2);
        assert_eq!(templates.groups.iter().map(|group| group.pages).sum::<usize>(), 20);
        assert!(templates.groups.iter().all(|group| group.template.pages() <= 3));
    }
}
