//! How pages are recognised, and templates tried, used and retired.
//!
//! After Zelený (2017), Alg. 3, corrected: on a hit the blocks of the page are returned and not those of the stored
//! one. His verification sees structure only; ours also tries: what would be carried over to the second page of a template
//! is compared with its analysis, and only if both agree is anything carried over to the third. Else the second page comes to
//! stand for the template, and the third is tried. If what is carried over to a page cannot be verified, the page is analysed and
//! stands for a template of its own. Templates that no page comes to any more are retired.
//!
//! The result for a page depends on what is kept and the pages before it and on nothing else. So that threads can still help,
//! a page is first looked at, which changes nothing, and then settled, in order; only if a template of its site changed in
//! between is it looked at again.

use crate::carried_over::match_dom::THRESHOLD;
use crate::carried_over::path_set::{PathSet, PathToken};
use crate::carried_over::pruned_dom::{PrunedDom, Pruning};
use crate::carried_over::templates::{Candidate, Counted, StoredTemplate, TemplateId, Templates};
use crate::carried_over::transfer::{MarkedBlock, Transfer, Transferred, Way, transfer};
use crate::learned::page_keys::hash_bytes;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unchaff_dom::order::InOrder;
use unchaff_dom::{Page, Tag};
use unchaff_page::parameters::{Parameter, ParameterValue, Parameters};
use unchaff_page::registry::SettingError;

/// So many templates are remembered; then they are read again.
const MOST_READ: usize = 1024;

/// How pages are recognised and templates kept.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamOptions {
    /// How blocks are carried over, and when that is believed.
    pub transfer: Transfer,
    /// Pages are of one template if their path sets are more similar than this (0 to 1). Stores are made for 0.7 and more.
    pub similarity: f64,
    /// On how many pages in a row what would be carried over has to agree with the analysis first.
    pub trials: u32,
    /// How much of it has to agree (0 to 1).
    pub agreement: f64,
    /// A template that did not get there on so many pages has its pages analysed for good.
    pub most_tries: u32,
    /// How many templates of a site are kept. The one that was not needed for longest makes room.
    pub max_templates: usize,
    /// A template is retired when none of so many pages of its site was recognised by it.
    pub retire_after: u64,
    /// Pages with more elements are analysed and not stored.
    pub max_elements: usize,
}

impl Default for StreamOptions {
    fn default() -> StreamOptions {
        StreamOptions {
            transfer: Transfer::default(),
            similarity: THRESHOLD,
            trials: 1,
            agreement: 0.9,
            most_tries: 16,
            max_templates: 256,
            retire_after: 1000,
            max_elements: 50_000,
        }
    }
}

impl StreamOptions {
    /// Options by name. The way comes first, wherever it stands: it has limits of its own.
    ///
    /// # Errors
    /// The first name or value that is wrong, with all that there are.
    pub fn with_settings(settings: &[(&str, &str)]) -> Result<StreamOptions, SettingError> {
        let mut options = StreamOptions::default();
        let (ways, others): (Vec<(&str, &str)>, Vec<_>) = settings.iter().copied().partition(|(name, _)| *name == "way");
        for (name, value) in ways.into_iter().chain(others) {
            if options.set(name, value).is_none() {
                return Err(SettingError::of("carrying over", &options.described(), (name, value)));
            }
        }
        Ok(options)
    }
}

impl Parameters for StreamOptions {
    fn described(&self) -> Vec<Parameter> {
        let number = |name, default: String, meaning| Parameter { name, default, takes: "a number".to_owned(), meaning };
        let mut all = self.transfer.described();
        all.extend([
            number(
                "similarity",
                self.similarity.to_string(),
                "Pages are of one template if more of their paths are common than this (0.7 to 1).",
            ),
            number(
                "trials",
                self.trials.to_string(),
                "On how many pages in a row what would be carried over has to agree with the analysis first.",
            ),
            number("agreement", self.agreement.to_string(), "How much of it has to agree (0 to 1)."),
            number(
                "most_tries",
                self.most_tries.to_string(),
                "A template that did not get there on so many pages has its pages analysed for good.",
            ),
        ]);
        all
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "way" => {
                let published = Way::read(value)? == Way::Published;
                self.transfer = if published { Transfer::published() } else { Transfer::default() };
            }
            "similarity" => self.similarity = f64::read(value).filter(|least| (THRESHOLD..=1.0).contains(least))?,
            "trials" => self.trials = u32::read(value)?,
            "agreement" => self.agreement = f64::read(value)?,
            "most_tries" => self.most_tries = u32::read(value)?,
            _ => return self.transfer.set(name, value),
        }
        Some(())
    }
}

/// A page beside the templates of its site.
#[derive(Debug)]
pub struct Look {
    dom: PrunedDom,
    paths: PathSet,
    /// Templates that are similar enough, the most similar first.
    similar: Vec<(TemplateId, Arc<StoredTemplate>)>,
    /// The first of them whose blocks can be carried over, by place, and these blocks.
    transferred: Option<(usize, Transferred)>,
    /// How often the site's templates had changed.
    changes: u64,
}

/// A page that was looked at, as things stand now.
#[derive(Debug)]
pub enum Settling {
    /// What its template carries over to it, and the template's name.
    CarriedOver(String, Transferred),
    /// It is to be analysed and learned from.
    Unknown(Look),
}

/// The analysis of a page, for a template to learn from.
pub struct Lesson<'l> {
    /// What its elements are.
    pub blocks: Vec<MarkedBlock>,
    /// How far what would be carried over agrees with the analysis, 0 to 1.
    pub agreement: &'l dyn Fn(&Transferred) -> f64,
}

impl std::fmt::Debug for Lesson<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lesson").field("blocks", &self.blocks).finish_non_exhaustive()
    }
}

/// What is remembered while pages go by.
#[derive(Debug)]
struct Memory<T> {
    templates: T,
    /// Templates that were read, by number, with their revision.
    read: HashMap<TemplateId, (u64, Arc<StoredTemplate>)>,
    /// How often templates of each site changed.
    changes: HashMap<String, u64>,
    /// Pages by site that are not noted yet.
    counts: BTreeMap<String, SiteCounts>,
}

/// Pages of a site: all, and by template those recognised and those that it could not serve after all.
#[derive(Debug, Default)]
struct SiteCounts {
    pages: u64,
    templates: BTreeMap<TemplateId, (u64, u64)>,
}

/// Pages beside the templates of one maker; see the [module](self). It can be shared by threads.
#[derive(Debug)]
pub struct Recognition<T> {
    memory: Mutex<Memory<T>>,
    maker: String,
    options: StreamOptions,
}

impl<T: Templates> Recognition<T> {
    /// Pages beside the templates that one maker keeps there.
    #[must_use]
    pub fn new(templates: T, maker: &str, options: StreamOptions) -> Recognition<T> {
        let memory = Memory { templates, read: HashMap::new(), changes: HashMap::new(), counts: BTreeMap::new() };
        Recognition { memory: Mutex::new(memory), maker: maker.to_owned(), options }
    }

    fn memory(&self) -> MutexGuard<'_, Memory<T>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks a page up and carries blocks over to it, if that can be verified. Changes nothing.
    ///
    /// # Errors
    /// If templates cannot be read.
    pub fn look(&self, site: &str, page: &Page) -> Result<Look, T::Error> {
        let dom = PrunedDom::of(page, &Pruning::for_templates());
        let paths = PathSet::of(&dom, PathToken::NameAndId);
        self.look_at(site, page, dom, paths)
    }

    fn look_at(&self, site: &str, page: &Page, dom: PrunedDom, paths: PathSet) -> Result<Look, T::Error> {
        let mut memory = self.memory();
        let changes = memory.changes.get(site).copied().unwrap_or(0);
        let mut similar: Vec<(f64, TemplateId, Arc<StoredTemplate>)> = Vec::new();
        for candidate in memory.templates.candidates(site, &self.maker, &paths)? {
            if let Some(template) = memory.template(candidate)? {
                similar.push((paths.similarity(&template.paths), candidate.id, template));
            }
        }
        drop(memory);
        similar.retain(|(similarity, ..)| *similarity > self.options.similarity.max(THRESHOLD));
        similar.order_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let similar: Vec<(TemplateId, Arc<StoredTemplate>)> =
            similar.into_iter().map(|(_, id, template)| (id, template)).collect();
        let how = &self.options.transfer;
        let transferred =
            similar.iter().enumerate().filter(|(_, (_, template))| template.ripe).find_map(|(at, (_, template))| {
                let transferred = transfer(&template.dom, &template.blocks, page, &dom, how);
                transferred.is_verified(how).then_some((at, transferred))
            });
        Ok(Look { dom, paths, similar, transferred, changes })
    }

    /// Looks again if templates changed since, and notes what recognised the page.
    ///
    /// # Errors
    /// If templates cannot be read.
    pub fn settle(&self, site: &str, page: &Page, look: Look) -> Result<Settling, T::Error> {
        let changes = self.memory().changes.get(site).copied().unwrap_or(0);
        let look = if look.changes == changes { look } else { self.look_at(site, page, look.dom, look.paths)? };
        if let Some((at, transferred)) = look.transferred {
            let (id, template) = &look.similar[at];
            self.memory().note(site, *id, 1, 0);
            return Ok(Settling::CarriedOver(template.name.clone(), transferred));
        }
        Ok(Settling::Unknown(look))
    }

    /// A page that nothing could be carried over to teaches its template. Returns its name, if it is kept.
    ///
    /// # Errors
    /// If templates cannot be read or written.
    pub fn learn(&self, site: &str, page: &Page, look: Look, lesson: Lesson<'_>) -> Result<Option<String>, T::Error> {
        let (ripe, young): (Vec<_>, Vec<_>) = look.similar.into_iter().partition(|(_, template)| template.ripe);
        let of_no_help: Vec<TemplateId> = ripe.iter().map(|(id, _)| *id).collect();
        of_no_help.iter().for_each(|id| self.memory().note(site, *id, 0, 1));
        let url = page.url().map(ToString::to_string).unwrap_or_default();
        let its = StoredTemplate {
            name: StoredTemplate::name_for(site, &self.maker, &url, &look.paths),
            site: site.to_owned(),
            maker: self.maker.clone(),
            url,
            dom: look.dom,
            paths: look.paths,
            blocks: lesson.blocks,
            ripe: self.options.trials == 0,
            text: text_hash(page),
            tried: 0,
            agreed: 0,
        };
        let mut joined = None;
        let mut changed = true;
        let mut try_on = |stored: &mut StoredTemplate| self.try_on(stored, page, &its, lesson.agreement);
        if let Some((id, known)) = young.first()
            && known.tried >= self.options.most_tries
        {
            (joined, changed) = (Some((*id, known.name.clone())), false);
        } else if let Some((id, known)) = young.first()
            && self.memory().templates.update(*id, &mut try_on)?
        {
            joined = Some((*id, known.name.clone()));
        } else if its.dom.len() <= self.options.max_elements {
            joined = Some(self.memory().templates.insert(&its, &of_no_help, self.options.max_templates)?);
        }
        let mut memory = self.memory();
        match &joined {
            Some((id, _)) => memory.note(site, *id, 1, 0),
            None => memory.counts.entry(site.to_owned()).or_default().pages += 1,
        }
        *memory.changes.entry(site.to_owned()).or_default() += u64::from(changed);
        Ok(joined.map(|(_, name)| name))
    }

    /// A young template is tried on one more page; if that fails, the page comes to stand for it.
    fn try_on(&self, stored: &mut StoredTemplate, page: &Page, its: &StoredTemplate, agreement: &dyn Fn(&Transferred) -> f64) {
        if stored.ripe {
            // Another process was faster.
            return;
        }
        let how = &self.options.transfer;
        stored.tried += 1;
        let transferred = transfer(&stored.dom, &stored.blocks, page, &its.dom, how);
        if !transferred.is_verified(how) || agreement(&transferred) < self.options.agreement {
            if its.dom.len() > self.options.max_elements {
                return;
            }
            let StoredTemplate { url, dom, paths, blocks, text, .. } = its.clone();
            *stored = StoredTemplate { url, dom, paths, blocks, text, agreed: 0, ..stored.clone() };
        } else if stored.text != its.text {
            stored.agreed += 1;
        }
        stored.ripe = stored.agreed >= self.options.trials;
    }

    /// Notes how many pages were recognised. To be called now and then, and at the end.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn flush(&self) -> Result<(), T::Error> {
        let mut memory = self.memory();
        for (site, SiteCounts { pages, templates }) in std::mem::take(&mut memory.counts) {
            let counted = templates.into_iter().map(|(id, (pages, missed))| Counted { id, pages, missed });
            memory.templates.count(&site, &self.maker, pages, &counted.collect::<Vec<_>>())?;
            memory.changes.entry(site).or_default();
        }
        Ok(())
    }

    /// Notes what is not noted yet, and retires the templates of the sites seen that no page comes to any more.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn finish(self) -> Result<T, T::Error> {
        self.flush()?;
        let mut memory = self.memory.into_inner().unwrap_or_else(PoisonError::into_inner);
        for site in memory.changes.into_keys() {
            memory.templates.retire(&site, &self.maker, self.options.retire_after)?;
        }
        Ok(memory.templates)
    }
}

impl<T: Templates> Memory<T> {
    /// A template, read if it was not before or has changed since; none if it is gone.
    fn template(&mut self, candidate: Candidate) -> Result<Option<Arc<StoredTemplate>>, T::Error> {
        if let Some((revision, template)) = self.read.get(&candidate.id)
            && *revision == candidate.revision
        {
            return Ok(Some(Arc::clone(template)));
        }
        let Some((revision, template)) = self.templates.load(candidate.id)? else { return Ok(None) };
        if self.read.len() >= MOST_READ {
            self.read.clear();
        }
        let template = Arc::new(template);
        self.read.insert(candidate.id, (revision, Arc::clone(&template)));
        Ok(Some(template))
    }

    /// Notes a page that a template recognised, or could not after all.
    fn note(&mut self, site: &str, template: TemplateId, pages: u64, missed: u64) {
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

/// A hash of the texts of a page, by which copies are known.
fn text_hash(page: &Page) -> u64 {
    let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text);
    texts.fold(0x1e_47, |hash, node| hash_bytes(hash, page.string(node).as_bytes()))
}

#[cfg(test)]
mod tests;
