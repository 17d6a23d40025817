//! How the blocks of a page are found: on the page alone, by a command, by a technique that compares pages, or by what is known about its site.
//!
//! The last is what a site gets if nobody names a technique, and what a store serves; it is the recipe of [`SiteModel`]. What was learned is merged with what is
//! kept, so that a folder, an archive and pages that come one by one lead to the same answer.

use crate::{ExternalTechnique, JobError, KnownSites, learn_site, site_of};
use std::sync::{Arc, OnceLock};
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::compare::registry as compare;
use unchaff::dom::PageId;
use unchaff::{BlockKind, Extractor, Page, SiteExtractor, SiteModel, registry};
use unchaff_site::carried_over::templates::Templates;
use unchaff_source::{AnySite, Url};

/// How blocks are found.
#[derive(Debug)]
pub enum Finder<T> {
    /// On the page alone.
    Page(Extractor),
    /// By a command, which may want to know where the pages of the site lie, and the address that their folder stands for.
    External(ExternalTechnique, Option<(Box<AnySite>, Option<Url>)>),
    /// By a technique that compares pages.
    Technique(SiteExtractor, Box<AnySite>),
    /// By what is known about the site: what its pages teach, and what is kept.
    Model(Box<WithModel<T>>),
}

/// What is asked for.
#[derive(Debug)]
pub struct Wanted<'w, T> {
    /// The block.
    pub kind: BlockKind,
    /// The name of a technique, if it is not the usual one.
    pub technique: Option<&'w str>,
    /// Its settings.
    pub settings: &'w [(&'w str, &'w str)],
    /// Whether it is to tell what led to the result.
    pub explain: bool,
    /// A command in its place.
    pub command: Option<ExternalTechnique>,
    /// The site of the pages, if it is known.
    pub site: Option<Box<AnySite>>,
    /// The address that the folder of the site stands for.
    pub base: Option<Url>,
    /// Where what is learned about sites is kept.
    pub kept: Option<T>,
}

impl<T> Finder<T> {
    /// Whatever finds what is wanted.
    ///
    /// # Errors
    /// If nothing does, or the settings are not its own.
    pub fn of(wanted: Wanted<'_, T>) -> Result<Finder<T>, JobError>
    where
        T: Templates,
    {
        let Wanted { kind, technique, settings, explain, command, site, base, kept } = wanted;
        if let Some(command) = command {
            if site.is_none() && command.external.needs_site() {
                return Err(JobError::NoFolder { name: command.name });
            }
            return Ok(Finder::External(command, site.map(|site| (site, base))));
        }
        let by_default = technique.is_none() && settings.is_empty() && !explain;
        if kept.is_some() || (site.is_some() && by_default) {
            let known = kept.map(KnownSites::new);
            return Ok(Finder::Model(Box::new(WithModel { site, learned: OnceLock::new(), known })));
        }
        let Some(site) = site else {
            let entry = Extractor::entry(technique.unwrap_or(registry::default_for(kind)))?;
            return Ok(Finder::Page(Extractor::with_settings(entry, settings)?));
        };
        let name = technique.or(compare::default_for(kind)).ok_or(JobError::PageAlone { kind })?;
        let extractor = SiteExtractor::with_settings(SiteExtractor::entry(name)?, settings)?;
        Ok(Finder::Technique(extractor, site))
    }
}

/// Pages with what is known about their sites.
#[derive(Debug)]
pub struct WithModel<T> {
    /// The site of the pages, if it is given.
    pub(crate) site: Option<Box<AnySite>>,
    /// Its model, where the site knows its pages.
    learned: OnceLock<Arc<SiteModel>>,
    /// What is kept.
    pub(crate) known: Option<KnownSites<T>>,
}

impl<T: Templates> WithModel<T> {
    /// Learns the site, where it knows its pages.
    pub(crate) fn learn(&self) -> Result<(), JobError> {
        if let Some(site) = self.site.as_deref().filter(|site| !matches!(site, AnySite::Live(_))) {
            let (learned, kept_as, _) = learn_site(site, MOST_PAGES);
            let model = self.kept(learned, kept_as)?;
            self.learned.get_or_init(|| model);
        }
        Ok(())
    }

    /// What was learned, with what is kept.
    fn kept(&self, learned: SiteModel, kept_as: Option<String>) -> Result<Arc<SiteModel>, JobError> {
        Ok(match (&self.known, kept_as) {
            (Some(known), Some(site)) => known.learn(&site, learned)?,
            _ => Arc::new(learned),
        })
    }

    /// The model that serves a page: of the site as a whole, or, on the web, of what the page links to.
    pub(crate) fn model(&self, site: &AnySite, key: PageId, page: &Page) -> Result<Arc<SiteModel>, JobError> {
        match self.learned.get() {
            Some(learned) => Ok(Arc::clone(learned)),
            None => self.kept(SiteModel::of_site(site, key, page, MOST_PAGES), site_of(page)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use unchaff_site::carried_over::memory_templates::MemoryTemplates;

    fn of(change: impl FnOnce(&mut Wanted<'static, MemoryTemplates>)) -> Result<Finder<MemoryTemplates>, JobError> {
        let mut wanted = Wanted {
            kind: BlockKind::Content,
            technique: None,
            settings: &[],
            explain: false,
            command: None,
            site: None,
            base: None,
            kept: None,
        };
        change(&mut wanted);
        Finder::of(wanted)
    }

    #[test]
    fn what_is_kept_decides_unless_a_technique_or_a_command_is_named() {
        assert!(matches!(of(|_| ()), Ok(Finder::Page(_))));
        assert!(matches!(of(|wanted| wanted.kept = Some(MemoryTemplates::new())), Ok(Finder::Model(_))));
        assert!(matches!(of(|wanted| wanted.technique = Some("temex")), Err(JobError::Technique(_))));
        let command = |text| ExternalTechnique::read(text, Duration::from_secs(1)).ok();
        assert!(matches!(of(|wanted| wanted.command = command("mine=cat")), Ok(Finder::External(_, None))));
        assert!(
            matches!(of(|wanted| wanted.command = command("mine=cat {key}")), Err(JobError::NoFolder { name }) if name == "mine")
        );
    }
}
