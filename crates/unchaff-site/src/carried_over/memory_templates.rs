//! What is kept about sites, in memory: forgotten at the end.

use crate::carried_over::match_dom::{THRESHOLD, index_paths};
use crate::carried_over::path_set::PathSet;
use crate::carried_over::templates::{Candidate, Counted, StoredTemplate, TemplateId, Templates};
use crate::learned::page_keys::KeyMap;
use crate::learned::site_model::SiteModel;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::convert::Infallible;
use unchaff_dom::order::InOrder;

/// A template in memory, with what happened to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptTemplate {
    /// The template.
    pub template: StoredTemplate,
    /// How many pages it recognised.
    pub pages: u64,
    /// How many pages were like it but could not take its blocks.
    pub missed: u64,
    /// Whether it is not used any more.
    pub is_retired: bool,
    revision: u64,
    /// How many pages had gone by when it was last needed.
    last_page: u64,
}

/// The templates of a site by one maker.
#[derive(Clone, Debug, Default)]
struct Shelf {
    /// How many pages went by.
    pages: u64,
    /// Where its templates are, in ascending order.
    places: Vec<usize>,
    /// Those in use, by the paths by which they are found.
    by_path: KeyMap<Vec<usize>>,
}

impl Shelf {
    fn index(&mut self, place: usize, template: &StoredTemplate) {
        for path in template.index_paths() {
            self.by_path.entry(*path).or_default().push(place);
        }
    }

    fn forget(&mut self, place: usize, template: &StoredTemplate) {
        for path in template.index_paths() {
            if let Some(places) = self.by_path.get_mut(path) {
                places.retain(|other| *other != place);
                if places.is_empty() {
                    self.by_path.remove(path);
                }
            }
        }
    }

    fn like(&self, paths: &PathSet) -> Vec<usize> {
        let found = index_paths(paths, THRESHOLD).iter().filter_map(|path| self.by_path.get(path));
        let mut found: Vec<usize> = found.flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// What is kept about sites, in memory; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct MemoryTemplates {
    models: BTreeMap<String, SiteModel>,
    /// By site and maker.
    shelves: BTreeMap<String, BTreeMap<String, Shelf>>,
    /// A template's number is one more than its place.
    templates: Vec<KeptTemplate>,
}

fn id_of(place: usize) -> TemplateId {
    TemplateId(place as i64 + 1)
}

impl MemoryTemplates {
    /// Nothing known of any site.
    #[must_use]
    pub fn new() -> MemoryTemplates {
        MemoryTemplates::default()
    }

    /// The templates, in the order in which they were stored.
    #[must_use]
    pub fn templates(&self) -> &[KeptTemplate] {
        &self.templates
    }

    /// How many pages of a site went by for a maker.
    #[must_use]
    pub fn pages(&self, site: &str, maker: &str) -> u64 {
        self.shelf(site, maker).map_or(0, |shelf| shelf.pages)
    }

    fn place(&self, id: TemplateId) -> Option<usize> {
        usize::try_from(id.0).ok()?.checked_sub(1).filter(|place| *place < self.templates.len())
    }

    fn shelf(&self, site: &str, maker: &str) -> Option<&Shelf> {
        self.shelves.get(site)?.get(maker)
    }

    fn shelf_mut<'s>(shelves: &'s mut BTreeMap<String, BTreeMap<String, Shelf>>, site: &str, maker: &str) -> &'s mut Shelf {
        shelves.entry(site.to_owned()).or_default().entry(maker.to_owned()).or_default()
    }

    fn retire_at(&mut self, place: usize) {
        let kept = &mut self.templates[place];
        kept.is_retired = true;
        MemoryTemplates::shelf_mut(&mut self.shelves, &kept.template.site, &kept.template.maker).forget(place, &kept.template);
    }

    /// The places of the templates of a shelf that are in use.
    fn in_use(&self, site: &str, maker: &str) -> Vec<usize> {
        let places = self.shelf(site, maker).map_or(&[][..], |shelf| &shelf.places);
        places.iter().copied().filter(|place| !self.templates[*place].is_retired).collect()
    }
}

impl Templates for MemoryTemplates {
    type Error = Infallible;

    fn model(&self, site: &str) -> Result<Option<SiteModel>, Infallible> {
        Ok(self.models.get(site).cloned())
    }

    fn learn(&mut self, site: &str, learned: SiteModel) -> Result<SiteModel, Infallible> {
        if learned.pages() == 0 {
            return Ok(self.models.get(site).cloned().unwrap_or_default());
        }
        let known = self.models.entry(site.to_owned()).or_default();
        known.merge(learned);
        Ok(known.clone())
    }

    fn candidates(&self, site: &str, maker: &str, paths: &PathSet) -> Result<Vec<Candidate>, Infallible> {
        let found = self.shelf(site, maker).map(|shelf| shelf.like(paths)).unwrap_or_default();
        Ok(found.into_iter().map(|place| Candidate { id: id_of(place), revision: self.templates[place].revision }).collect())
    }

    fn load(&self, id: TemplateId) -> Result<Option<(u64, StoredTemplate)>, Infallible> {
        let kept = self.place(id).map(|place| &self.templates[place]);
        Ok(kept.map(|kept| (kept.revision, kept.template.clone())))
    }

    fn insert(
        &mut self,
        template: &StoredTemplate,
        of_no_help: &[TemplateId],
        most: usize,
    ) -> Result<(TemplateId, String), Infallible> {
        let (site, maker) = (&template.site, &template.maker);
        let shelf = MemoryTemplates::shelf_mut(&mut self.shelves, site, maker);
        for place in shelf.like(&template.paths) {
            let known = &self.templates[place].template;
            if !of_no_help.contains(&id_of(place)) && known.paths.similarity(&template.paths) > THRESHOLD {
                return Ok((id_of(place), known.name.clone()));
            }
        }
        let last_page = shelf.pages;
        let known = shelf.places.iter().copied().find(|place| self.templates[*place].template.name == template.name);
        let place = match known {
            Some(place) => {
                let kept = &mut self.templates[place];
                shelf.forget(place, &kept.template);
                let revision = kept.revision + 1;
                *kept = KeptTemplate { template: template.clone(), is_retired: false, revision, last_page, ..kept.clone() };
                place
            }
            None => {
                let (template, place) = (template.clone(), self.templates.len());
                let kept = KeptTemplate { template, pages: 0, missed: 0, is_retired: false, revision: 0, last_page };
                self.templates.push(kept);
                shelf.places.push(place);
                place
            }
        };
        shelf.index(place, template);
        let mut in_use = self.in_use(site, maker);
        in_use.order_by_key(|place| Reverse((self.templates[*place].last_page, *place)));
        in_use.into_iter().skip(most).filter(|other| *other != place).for_each(|other| self.retire_at(other));
        Ok((id_of(place), template.name.clone()))
    }

    fn update(&mut self, id: TemplateId, change: &mut dyn FnMut(&mut StoredTemplate)) -> Result<bool, Infallible> {
        let Some(place) = self.place(id).filter(|place| !self.templates[*place].is_retired) else { return Ok(false) };
        let kept = &mut self.templates[place];
        let StoredTemplate { name, site, maker, .. } = kept.template.clone();
        let shelf = MemoryTemplates::shelf_mut(&mut self.shelves, &site, &maker);
        shelf.forget(place, &kept.template);
        change(&mut kept.template);
        kept.revision += 1;
        (kept.template.name, kept.template.site, kept.template.maker) = (name, site, maker);
        shelf.index(place, &kept.template);
        Ok(true)
    }

    fn count(&mut self, site: &str, maker: &str, pages: u64, counted: &[Counted]) -> Result<(), Infallible> {
        let shelf = MemoryTemplates::shelf_mut(&mut self.shelves, site, maker);
        shelf.pages += pages;
        for Counted { id, pages, missed } in counted {
            let place = id.0.checked_sub(1).and_then(|place| usize::try_from(place).ok());
            let Some(place) = place.filter(|place| shelf.places.binary_search(place).is_ok()) else { continue };
            let kept = &mut self.templates[place];
            kept.pages += pages;
            kept.missed += missed;
            if *pages > 0 {
                kept.last_page = shelf.pages;
            }
        }
        Ok(())
    }

    fn retire(&mut self, site: &str, maker: &str, after_pages: u64) -> Result<usize, Infallible> {
        let gone_by = self.pages(site, maker);
        let mut old = self.in_use(site, maker);
        old.retain(|place| self.templates[*place].last_page.saturating_add(after_pages) < gone_by);
        old.iter().for_each(|place| self.retire_at(*place));
        Ok(old.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carried_over::pruned_dom::{PrunedDom, Pruning};
    use crate::carried_over::transfer::MarkedBlock;
    use unchaff_dom::{Page, Parser};

    const MAKER: &str = "dom-blocks";

    /// A template whose paths no other kind has.
    fn template(site: &str, kind: u64) -> StoredTemplate {
        let dom = PrunedDom::of(&Page::parse("<main><p>a</p><ul><li>b</li></ul></main>"), &Pruning::for_templates());
        let (url, paths) = (format!("https://{site}/{kind}"), PathSet::from_hashes((10 * kind..10 * kind + 10).collect()));
        StoredTemplate {
            name: StoredTemplate::name_for(site, MAKER, &url, &paths),
            site: site.to_owned(),
            maker: MAKER.to_owned(),
            url,
            paths,
            blocks: vec![MarkedBlock::new("content", 3..5)],
            dom,
            ripe: true,
            text: 7,
            tried: 2,
            agreed: 1,
        }
    }

    #[test]
    fn a_template_is_found_by_its_paths_until_it_is_retired_and_again_when_it_is_stored_again() {
        let mut kept = MemoryTemplates::new();
        let (one, two) = (template("example.org", 1), template("example.org", 2));
        let (id, _) = kept.insert(&one, &[], 9).unwrap();
        assert_ne!(kept.insert(&two, &[], 9).unwrap().0, id);
        assert_eq!(kept.insert(&one, &[], 9).unwrap(), (id, one.name.clone()), "one like it is there");
        assert_eq!(kept.candidates("example.org", MAKER, &one.paths).unwrap(), [Candidate { id, revision: 0 }]);
        assert!(kept.candidates("example.com", MAKER, &one.paths).unwrap().is_empty());
        assert!(kept.candidates("example.org", "bcs", &one.paths).unwrap().is_empty(), "of another maker");
        kept.count("example.org", MAKER, 10, &[Counted { id: TemplateId(2), pages: 10, missed: 0 }]).unwrap();
        assert_eq!(kept.retire("example.org", MAKER, 9).unwrap(), 1);
        assert!(kept.candidates("example.org", MAKER, &one.paths).unwrap().is_empty());
        assert!(!kept.update(id, &mut |_| panic!("it is retired")).unwrap());
        assert_eq!(kept.insert(&one, &[], 9).unwrap().0, id);
        assert_eq!(kept.candidates("example.org", MAKER, &one.paths).unwrap(), [Candidate { id, revision: 1 }]);
    }

    #[test]
    fn the_one_not_needed_for_longest_makes_room() {
        let mut kept = MemoryTemplates::new();
        let ids = [1, 2, 3].map(|kind| kept.insert(&template("example.org", kind), &[], 9).unwrap().0);
        kept.count("example.org", MAKER, 2, &[Counted { id: ids[0], pages: 2, missed: 0 }]).unwrap();
        kept.insert(&template("example.org", 4), &[], 2).unwrap();
        let retired: Vec<bool> = kept.templates().iter().map(|kept| kept.is_retired).collect();
        assert_eq!(retired, [false, true, true, false]);
    }

    #[test]
    fn an_update_changes_where_a_template_is_found_and_not_whose_it_is() {
        let mut kept = MemoryTemplates::new();
        let (one, two) = (template("example.org", 1), template("example.com", 2));
        let (id, _) = kept.insert(&one, &[], 9).unwrap();
        assert!(kept.update(id, &mut |template| template.clone_from(&two)).unwrap());
        assert!(kept.candidates("example.org", MAKER, &one.paths).unwrap().is_empty());
        assert_eq!(kept.candidates("example.org", MAKER, &two.paths).unwrap(), [Candidate { id, revision: 1 }]);
        let expected = StoredTemplate { name: one.name, site: one.site, ..two };
        assert_eq!(kept.load(id).unwrap(), Some((1, expected)));
    }

    #[test]
    fn what_is_learned_is_merged_by_site() {
        let page = |name: &str| Parser::new().url(&format!("https://example.org/{name}")).parse("<p class=a>x</p>");
        let (one, two) = (page("one"), page("two"));
        let mut kept = MemoryTemplates::new();
        assert_eq!(kept.model("example.org").unwrap(), None);
        assert_eq!(kept.learn("example.org", SiteModel::default()).unwrap(), SiteModel::default());
        assert_eq!(kept.model("example.org").unwrap(), None, "of nothing, nothing is kept");
        kept.learn("example.org", SiteModel::learn([&one])).unwrap();
        let both = kept.learn("example.org", SiteModel::learn([&two])).unwrap();
        assert_eq!(both, SiteModel::learn([&one, &two]));
        assert_eq!(kept.model("example.org").unwrap(), Some(both));
        assert_eq!(kept.model("example.com").unwrap(), None);
    }
}
