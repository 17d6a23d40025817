//! What is kept about sites from page to page and from run to run: a model of each site, and the templates of its pages.
//!
//! The model answers for content, template and menu ([`SiteModel`]). Templates are for what is too dear to be computed for every
//! page: the segments of one page of a template are kept, and carried over to the others
//! ([`recognition`](crate::carried_over::recognition)). Where all this is kept is behind [`Templates`]: in memory
//! ([`MemoryTemplates`](crate::carried_over::memory_templates::MemoryTemplates)), or in a file that processes share.

use crate::carried_over::match_dom::{THRESHOLD, index_paths};
use crate::carried_over::path_set::PathSet;
use crate::carried_over::pruned_dom::PrunedDom;
use crate::carried_over::transfer::MarkedBlock;
use crate::learned::page_keys::{hash_bytes, mix};
use crate::learned::site_model::SiteModel;

/// A template: the page that stands for it, and which of its elements are what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTemplate {
    /// Its name, the same wherever it is made ([`StoredTemplate::name_for`]); it stays when another page comes to stand for it.
    pub name: String,
    /// The site: a registrable domain, as a rule.
    pub site: String,
    /// Who says what its elements are: a technique of segmentation with everything that its segments depend on. What one maker
    /// keeps, no other gets.
    pub maker: String,
    /// The address of the page that stands for it; empty if it has none.
    pub url: String,
    /// The pruned tree of that page.
    pub dom: PrunedDom,
    /// Its paths.
    pub paths: PathSet,
    /// What its elements are.
    pub blocks: Vec<MarkedBlock>,
    /// Whether its blocks are carried over. Until then its pages are analysed and learned from.
    pub ripe: bool,
    /// A hash of the text of the page, by which copies of it are known. They prove nothing.
    pub text: u64,
    /// On how many pages it was tried what would be carried over, beside their analysis.
    pub tried: u32,
    /// On how many of them in a row both agreed.
    pub agreed: u32,
}

/// Names of templates start from a number of their own.
const NAME: u64 = 0x7e3a_11d5_90c4_b26f;

impl StoredTemplate {
    /// A name for the template of a page: a hash of site, maker, address and paths, as 16 hexadecimal digits.
    #[must_use]
    pub fn name_for(site: &str, maker: &str, url: &str, paths: &PathSet) -> String {
        let named = [site, maker, url].iter().fold(NAME, |hash, text| hash_bytes(hash, text.as_bytes()));
        format!("{:016x}", paths.hashes().iter().fold(named, |hash, path| mix(hash, *path)))
    }

    /// The paths by which it is found ([`index_paths`]).
    #[must_use]
    pub fn index_paths(&self) -> &[u64] {
        index_paths(&self.paths, THRESHOLD)
    }
}

/// The number of a kept template, in the order in which they were stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TemplateId(pub i64);

/// A template that may be like a page, to be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// Which one.
    pub id: TemplateId,
    /// Counts its changes, so that it can be told whether it was read already.
    pub revision: u64,
}

/// Pages that a template had to do with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Which one.
    pub id: TemplateId,
    /// How many pages it recognised.
    pub pages: u64,
    /// How many pages were like it but could not take its blocks.
    pub missed: u64,
}

/// What tells a thing from all others: a hash that nobody can aim at.
pub type Digest = [u8; 32];

/// Of a site so many answers are kept; who asks about more pages asks in vain.
pub const MOST_ANSWERS: usize = 4096;

/// An answer that was given, and what it depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptAnswer {
    /// What it depends on: if that has changed, it is of no use.
    pub state: Digest,
    /// What it says, as whoever gave it wrote it down.
    pub bytes: Vec<u8>,
}

/// What is kept about sites; see the [module](self).
///
/// Every operation is one step: of two who share what is kept, one comes after the other, and nothing is lost.
pub trait Templates {
    /// Why something cannot be kept or read.
    type Error: std::error::Error + Send + Sync + 'static;

    /// What is known about a site; none if nothing was learned.
    ///
    /// # Errors
    /// If it cannot be read.
    fn model(&self, site: &str) -> Result<Option<SiteModel>, Self::Error>;

    /// Merges what was learned into what is known about a site, and returns both together. A model of nothing is not kept.
    ///
    /// # Errors
    /// If what is known cannot be read, or both cannot be written; what was known then stays.
    fn learn(&mut self, site: &str, learned: SiteModel) -> Result<SiteModel, Self::Error>;

    /// The answers to these questions, in their order. Who keeps none need not do anything.
    ///
    /// # Errors
    /// If they cannot be read.
    fn answers(&self, questions: &[Digest]) -> Result<Vec<Option<KeptAnswer>>, Self::Error> {
        Ok(vec![None; questions.len()])
    }

    /// Keeps answers to questions about a site, in place of earlier ones, and notes that it was asked for. Of a site that is known [`MOST_ANSWERS`] are kept.
    ///
    /// # Errors
    /// If they cannot be written.
    fn keep_answers(&mut self, _site: &str, _answers: &[(Digest, KeptAnswer)]) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The templates of a site by a maker that may be like a page, in the order in which they were stored; none that is retired.
    ///
    /// # Errors
    /// If they cannot be read.
    fn candidates(&self, site: &str, maker: &str, paths: &PathSet) -> Result<Vec<Candidate>, Self::Error>;

    /// A template with its revision; none if it is gone.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self, id: TemplateId) -> Result<Option<(u64, StoredTemplate)>, Self::Error>;

    /// Stores a template, unless one has come meanwhile that is like it and is not among those known to be of no help. Returns
    /// its number and name. One that is retired is back if it is stored again.
    ///
    /// Of a site's templates by one maker `most` are kept; the one that was not needed for longest is retired for a new one.
    ///
    /// # Errors
    /// If it cannot be written.
    fn insert(
        &mut self,
        template: &StoredTemplate,
        of_no_help: &[TemplateId],
        most: usize,
    ) -> Result<(TemplateId, String), Self::Error>;

    /// Changes a template as it is now, also by others; its name, site and maker stay. False if it is gone or retired.
    ///
    /// # Errors
    /// If it cannot be read or written.
    fn update(&mut self, id: TemplateId, change: &mut dyn FnMut(&mut StoredTemplate)) -> Result<bool, Self::Error>;

    /// Notes how many pages of a site went by for a maker, and which of their templates recognised them.
    ///
    /// # Errors
    /// If that cannot be written.
    fn count(&mut self, site: &str, maker: &str, pages: u64, counted: &[Counted]) -> Result<(), Self::Error>;

    /// Retires the templates of a site by a maker that recognised none of the last so many pages. Returns how many.
    ///
    /// # Errors
    /// If that cannot be written.
    fn retire(&mut self, site: &str, maker: &str, after_pages: u64) -> Result<usize, Self::Error>;
}
