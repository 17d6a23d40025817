//! How pages are recognised and templates kept, whatever it is that is kept of them: blocks or segments.
//!
//! After Zelený (2017), Alg. 3, corrected: on a hit the blocks of the page are returned and not those of the stored one
//! (T-22). His verification sees structure only; ours also tries: what would be carried over to the second page of a template
//! is compared with its analysis, and only if both agree is anything carried over to the third. Else the second page comes to
//! stand for the template, and the third is tried. If what is carried over to a page cannot be verified, the page is analysed and
//! stands for a template of its own. Templates that no page comes to any more are retired (T-30).
//!
//! The result for a page depends on the store and the pages before it and on nothing else. So that threads can still help,
//! a page is first looked at, which changes nothing, and then settled, in order; only if a template of its site changed in
//! between is it looked at again.

use crate::store::{Candidate, Counted};
use crate::stream::Origin;
use crate::{StoreError, StoredTemplate, TemplateStore};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_site::carried_over::match_dom::THRESHOLD;
use unchaff_site::carried_over::path_set::{PathSet, PathToken};
use unchaff_site::carried_over::pruned_dom::{PrunedDom, Pruning};
use unchaff_site::carried_over::transfer::{MarkedBlock, Transfer, Transferred, transfer};
use unchaff_site::learned::learned_template::LearnedTemplate;
use unchaff_site::learned::page_keys::PageKeys;

/// So many templates are remembered; then they are read again.
const MOST_READ: usize = 1024;

/// How pages are recognised and templates kept.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamOptions {
    /// How blocks are carried over, and when that is believed.
    pub transfer: Transfer,
    /// From how many pages a template is learned before its blocks are carried over, if nobody else knows the site; 32 at most.
    pub ripe_pages: usize,
    /// On how many pages in a row what would be carried over has to agree with the analysis first.
    pub trials: u32,
    /// How much of it has to agree (0 to 1): F1 of each block, words and elements counted.
    pub agreement: f64,
    /// A template that did not get there on so many pages has its pages analysed for good.
    pub most_tries: u32,
    /// How many templates of a site are kept. The one that was not needed for longest makes room.
    pub max_templates: usize,
    /// A template is retired when none of so many pages of its site was recognised by it.
    pub retire_after: u64,
    /// Pages with more elements are analysed and not stored.
    pub max_elements: usize,
    /// How many keys of what was learned are kept, 16 bytes each.
    pub max_keys: usize,
}

impl Default for StreamOptions {
    fn default() -> StreamOptions {
        StreamOptions {
            transfer: Transfer::default(),
            ripe_pages: 8,
            trials: 1,
            agreement: 0.9,
            most_tries: 16,
            max_templates: 256,
            retire_after: 1000,
            max_elements: 50_000,
            max_keys: 1 << 14,
        }
    }
}

/// A page beside the templates of its site.
#[derive(Debug)]
pub struct Look {
    dom: PrunedDom,
    paths: PathSet,
    /// Templates that are similar enough, the most similar first.
    similar: Vec<(i64, Arc<StoredTemplate>)>,
    /// The first of them whose blocks can be carried over, by place, and these blocks.
    transferred: Option<(usize, Transferred)>,
    /// How often the site's templates had changed.
    changes: u64,
}

impl Look {
    /// What the template has learned that the page is to be analysed with.
    pub(crate) fn learned(&self) -> Option<&LearnedTemplate> {
        let young = self.similar.iter().find(|(_, template)| !template.ripe);
        young.or(self.similar.first()).map(|(_, template)| &template.learned)
    }
}

/// A page that was looked at, as things stand now.
pub(crate) enum Settling {
    /// What its template carries over to it, and the template's name.
    CarriedOver(String, Transferred),
    /// It is to be analysed and learned from.
    Unknown(Look),
}

/// The analysis of a page, for a template to learn from.
pub(crate) struct Lesson<'l> {
    pub(crate) blocks: Vec<MarkedBlock>,
    /// A hash of its text.
    pub(crate) text: u64,
    pub(crate) origin: Origin,
    /// What the template learns by, if nobody taught the blocks.
    pub(crate) keys: Option<&'l PageKeys>,
    /// How far what would be carried over agrees with the analysis, 0 to 1.
    pub(crate) agreement: &'l dyn Fn(&Transferred) -> f64,
}

/// What is remembered of a store while pages go by.
struct Memory {
    store: TemplateStore,
    /// Templates that were read, by number, with their revision.
    read: HashMap<i64, (i64, Arc<StoredTemplate>)>,
    /// How often templates of each site changed.
    changes: HashMap<String, u64>,
    /// Pages by site that are not noted in the store yet.
    counts: BTreeMap<String, SiteCounts>,
}

/// Pages of a site: all, and by template those recognised and those that it could not serve after all.
#[derive(Default)]
struct SiteCounts {
    pages: u64,
    templates: BTreeMap<i64, (u64, u64)>,
}

/// The templates of one maker in a store; see the [module](self). It can be shared by threads.
pub(crate) struct Recognition {
    memory: Mutex<Memory>,
    maker: String,
    pub(crate) options: StreamOptions,
}

impl Recognition {
    pub(crate) fn new(store: TemplateStore, maker: &str, options: StreamOptions) -> Recognition {
        let memory = Memory { store, read: HashMap::new(), changes: HashMap::new(), counts: BTreeMap::new() };
        Recognition { memory: Mutex::new(memory), maker: maker.to_owned(), options }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks a page up and carries blocks over to it, if that can be verified. Changes nothing.
    pub(crate) fn look(&self, site: &str, page: &Page) -> Result<Look, StoreError> {
        let dom = PrunedDom::of(page, &Pruning::for_templates());
        let paths = PathSet::of(&dom, PathToken::NameAndId);
        self.look_at(site, page, dom, paths)
    }

    fn look_at(&self, site: &str, page: &Page, dom: PrunedDom, paths: PathSet) -> Result<Look, StoreError> {
        let mut memory = self.memory();
        let changes = memory.changes.get(site).copied().unwrap_or(0);
        let mut similar: Vec<(f64, i64, Arc<StoredTemplate>)> = Vec::new();
        for candidate in memory.store.candidates(site, &self.maker, &paths)? {
            if let Some(template) = memory.template(candidate)? {
                similar.push((paths.similarity(&template.paths), candidate.id, template));
            }
        }
        drop(memory);
        similar.retain(|(similarity, ..)| *similarity > THRESHOLD);
        similar.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let similar: Vec<(i64, Arc<StoredTemplate>)> = similar.into_iter().map(|(_, id, template)| (id, template)).collect();
        let how = &self.options.transfer;
        let transferred =
            similar.iter().enumerate().filter(|(_, (_, template))| template.ripe).find_map(|(at, (_, template))| {
                let transferred = transfer(&template.dom, &template.blocks, page, &dom, how);
                transferred.is_verified(how).then_some((at, transferred))
            });
        Ok(Look { dom, paths, similar, transferred, changes })
    }

    /// Looks again if templates changed since, and notes what recognised the page, or could not.
    pub(crate) fn settle(&self, site: &str, page: &Page, look: Look) -> Result<Settling, StoreError> {
        let changes = self.memory().changes.get(site).copied().unwrap_or(0);
        let look = if look.changes == changes { look } else { self.look_at(site, page, look.dom, look.paths)? };
        if let Some((at, transferred)) = look.transferred {
            let (id, template) = &look.similar[at];
            self.memory().note(site, *id, 1, 0);
            return Ok(Settling::CarriedOver(template.name.clone(), transferred));
        }
        Ok(Settling::Unknown(look))
    }

    /// A page that nothing could be carried over to teaches the store. Returns the name of its template, if it is kept.
    pub(crate) fn learn(&self, site: &str, page: &Page, look: Look, lesson: &Lesson<'_>) -> Result<Option<String>, StoreError> {
        let (ripe, young): (Vec<_>, Vec<_>) = look.similar.into_iter().partition(|(_, template)| template.ripe);
        ripe.iter().for_each(|(id, _)| self.memory().note(site, *id, 0, 1));
        let url = page.url().map(ToString::to_string).unwrap_or_default();
        let mut template = StoredTemplate {
            name: StoredTemplate::name_for(site, &self.maker, &url, &look.paths),
            site: site.to_owned(),
            maker: self.maker.clone(),
            url,
            dom: look.dom,
            paths: look.paths,
            blocks: lesson.blocks.clone(),
            learned: LearnedTemplate::default(),
            ripe: lesson.origin == Origin::Taught && self.options.trials == 0,
            text: lesson.text,
            tried: 0,
            agreed: 0,
        };
        let mut joined = None;
        let mut changed = true;
        if let Some((id, known)) = young.first()
            && known.tried >= self.options.most_tries
        {
            (joined, changed) = (Some((*id, known.name.clone())), false);
        } else if let Some((id, known)) = young.first()
            && self.memory().store.update(*id, |stored| self.try_on(stored, page, lesson, &template))?
        {
            joined = Some((*id, known.name.clone()));
        } else if template.dom.len() <= self.options.max_elements {
            if let Some(keys) = lesson.keys {
                template.learned.add(keys);
                template.learned.shrink(self.options.max_keys);
            }
            let of_no_help: Vec<i64> = ripe.iter().map(|(id, _)| *id).collect();
            joined = Some(self.memory().store.insert(&template, &of_no_help, self.options.max_templates)?);
        }
        let mut memory = self.memory();
        match &joined {
            Some((id, _)) => memory.note(site, *id, 1, 0),
            None => memory.counts.entry(site.to_owned()).or_default().pages += 1,
        }
        *memory.changes.entry(site.to_owned()).or_default() += u64::from(changed);
        Ok(joined.map(|(_, name)| name))
    }

    /// A young template learns from one more page and is tried on it; if that fails, the page comes to stand for it.
    fn try_on(&self, stored: &mut StoredTemplate, page: &Page, lesson: &Lesson<'_>, its: &StoredTemplate) {
        if stored.ripe {
            // Another process was faster.
            return;
        }
        let StreamOptions { transfer: how, ripe_pages, trials, agreement, max_elements, max_keys, .. } = &self.options;
        if let Some(keys) = lesson.keys {
            if stored.learned.pages() >= *ripe_pages {
                stored.learned.forget_oldest();
            }
            stored.learned.add(keys);
            // What only one page has may come again, so all is kept while it learns, but not without end.
            let most = max_keys.saturating_mul(*ripe_pages);
            if stored.learned.keys() > most {
                stored.learned.shrink(most);
            }
        }
        stored.tried += 1;
        let transferred = transfer(&stored.dom, &stored.blocks, page, &its.dom, how);
        let is_alone = lesson.origin == Origin::Alone;
        if is_alone || !transferred.is_verified(how) || (lesson.agreement)(&transferred) < *agreement {
            if its.dom.len() > *max_elements {
                return;
            }
            let StoredTemplate { url, dom, paths, blocks, text, .. } = its.clone();
            *stored = StoredTemplate { url, dom, paths, blocks, text, agreed: 0, ..stored.clone() };
        } else if stored.text != its.text {
            stored.agreed += 1;
        }
        if stored.agreed >= *trials && (lesson.origin == Origin::Taught || stored.learned.pages() >= *ripe_pages) {
            stored.ripe = true;
            stored.learned.shrink(*max_keys);
        }
    }

    /// Notes in the store how many pages were recognised.
    pub(crate) fn flush(&self) -> Result<(), StoreError> {
        let mut memory = self.memory();
        for (site, SiteCounts { pages, templates }) in std::mem::take(&mut memory.counts) {
            let counted: Vec<Counted> = templates.into_iter().map(|(id, (pages, missed))| (id, pages, missed)).collect();
            memory.store.count(&site, &self.maker, pages, &counted)?;
            memory.changes.entry(site).or_default();
        }
        Ok(())
    }

    /// Notes what is not noted yet, and retires the templates of the sites seen that no page comes to any more.
    pub(crate) fn finish(self) -> Result<TemplateStore, StoreError> {
        self.flush()?;
        let mut memory = self.memory.into_inner().unwrap_or_else(PoisonError::into_inner);
        for site in memory.changes.into_keys() {
            memory.store.retire(&site, &self.maker, self.options.retire_after)?;
        }
        Ok(memory.store)
    }
}

impl Memory {
    /// A template, read if it was not before or has changed since; none if it is gone.
    fn template(&mut self, candidate: Candidate) -> Result<Option<Arc<StoredTemplate>>, StoreError> {
        if let Some((revision, template)) = self.read.get(&candidate.id)
            && *revision == candidate.revision
        {
            return Ok(Some(Arc::clone(template)));
        }
        let Some((revision, template)) = self.store.load(candidate.id)? else { return Ok(None) };
        if self.read.len() >= MOST_READ {
            self.read.clear();
        }
        let template = Arc::new(template);
        self.read.insert(candidate.id, (revision, Arc::clone(&template)));
        Ok(Some(template))
    }

    /// Notes a page that a template recognised, or could not after all.
    fn note(&mut self, site: &str, template: i64, pages: u64, missed: u64) {
        if !self.counts.contains_key(site) {
            self.counts.insert(site.to_owned(), SiteCounts::default());
        }
        if let Some(counts) = self.counts.get_mut(site) {
            counts.pages += pages;
            let counted = counts.templates.entry(template).or_default();
            *counted = (counted.0 + pages, counted.1 + missed);
        }
    }
}

/// A hash of the texts among some nodes.
pub(crate) fn text_hash(page: &Page, nodes: impl Iterator<Item = NodeId>) -> u64 {
    let mut digest = Sha256::new();
    nodes.filter(|node| page.tag(*node) == Tag::Text).for_each(|node| digest.update(page.string(node)));
    digest.finalize().iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}
