//! What is known about sites while pages go by: a model each, merged with what is kept.

use crate::JobError;
use crate::guard::guarded;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unchaff::compare::learned::page_facts::PageFacts;
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::dom::{PageId, Site, links};
use unchaff::{Page, SiteModel};
use unchaff_site::carried_over::templates::{Digest, KeptAnswer, Templates};

/// The site under which what is known about a page is kept, if its address tells: its registrable domain.
#[must_use]
pub fn site_of(page: &Page) -> Option<String> {
    // Folders that stand for no address have one that no real page has.
    links::site(page.url()?).filter(|site| !site.is_empty() && !site.ends_with(".invalid"))
}

/// What was found out about pages when they were learned from; they are judged by it.
pub type KnownPages = HashMap<PageId, PageFacts>;

/// Elements of pages of samples that something is remembered of, some 10 MB, shared by the threads, which may be at a site each; the others are
/// looked at again when they are judged.
const MOST_ELEMENTS: usize = 1 << 17;

/// Learns a site from a sample of its pages, at most so many; also says under which site that is kept, if the addresses tell, and what was
/// found out about these pages.
///
/// It is the model that [`SiteModel::of_site`] learns, made by many threads.
#[must_use]
pub fn learn_site(site: &dyn Site, most: usize) -> (SiteModel, Option<String>, KnownPages) {
    let sample = SiteModel::sample(site);
    let most = most.min(MOST_PAGES);
    let (mut model, mut kept_as, mut known) = (SiteModel::default(), BTreeSet::new(), KnownPages::new());
    let mut rest = &sample[..];
    let (elements, most_elements) = (AtomicUsize::new(0), MOST_ELEMENTS / rayon::current_num_threads());
    // Those that cannot be loaded make room for the next.
    while model.pages() < most && !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(most - model.pages()));
        rest = later;
        let learn = |id: &PageId| {
            let page = site.load(*id).ok()?;
            let learned = guarded(|| {
                let (mut alone, facts) = (SiteModel::default(), PageFacts::of(&page));
                alone.add_facts(&facts);
                let count = facts.elements();
                (alone, Some(facts).filter(|_| elements.fetch_add(count, Relaxed) + count <= most_elements))
            });
            let (alone, facts) = learned.ok()?;
            Some((*id, alone, facts, site_of(&page)))
        };
        let learned: Vec<_> = now.par_iter().filter_map(learn).collect();
        for (id, alone, facts, site) in learned {
            model.merge(alone);
            known.extend(facts.map(|facts| (id, facts)));
            kept_as.insert(site);
        }
    }
    // What was learned from several sites together is nobody's.
    let kept_as = if kept_as.len() == 1 { kept_as.pop_first().flatten() } else { None };
    (model, kept_as, known)
}

/// Models by site, over what is kept. It can be shared by threads.
#[derive(Debug)]
pub struct KnownSites<T> {
    kept: Mutex<T>,
    /// Those that were asked for in this run.
    models: Mutex<HashMap<String, Arc<SiteModel>>>,
}

impl<T: Templates> KnownSites<T> {
    /// What is known is kept here.
    pub fn new(kept: T) -> KnownSites<T> {
        KnownSites { kept: Mutex::new(kept), models: Mutex::default() }
    }

    fn models(&self) -> MutexGuard<'_, HashMap<String, Arc<SiteModel>>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, T> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known about a site; none if nothing is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn model(&self, site: &str) -> Result<Option<Arc<SiteModel>>, JobError> {
        if let Some(known) = self.models().get(site) {
            return Ok(Some(Arc::clone(known)));
        }
        let model = self.kept().model(site).map_err(|error| JobError::Kept(Box::new(error)))?.map(Arc::new);
        self.models().extend(model.clone().map(|model| (site.to_owned(), model)));
        Ok(model)
    }

    /// The answers that are kept to these questions, in their order.
    pub(crate) fn answers(&self, questions: &[Digest]) -> Result<Vec<Option<KeptAnswer>>, JobError> {
        self.kept().answers(questions).map_err(|error| JobError::Kept(Box::new(error)))
    }

    pub(crate) fn keep_answers(&self, site: &str, answers: &[(Digest, KeptAnswer)]) -> Result<(), JobError> {
        self.kept().keep_answers(site, answers).map_err(|error| JobError::Kept(Box::new(error)))
    }

    /// What is known about a site with what was learned now; that is kept.
    ///
    /// # Errors
    /// If it cannot be read or kept.
    pub fn learn(&self, site: &str, learned: SiteModel) -> Result<Arc<SiteModel>, JobError> {
        let known = self.models().get(site).cloned();
        if let Some(known) = known {
            let mut both = SiteModel::clone(&known);
            both.merge(learned.clone());
            if both == *known {
                return Ok(known);
            }
        }
        let merged = Arc::new(self.kept().learn(site, learned).map_err(|error| JobError::Kept(Box::new(error)))?);
        self.models().insert(site.to_owned(), Arc::clone(&merged));
        Ok(merged)
    }
}
