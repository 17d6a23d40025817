//! Which pages of a source share a template, and which are copies of each other.
//!
//! Pages are reduced to what is compared as they stream by and forgotten; what is kept of a page are some kilobytes.

use crate::{JobError, ReducedPages, SourcePages, Watch, Workers};
use unchaff::compare::clustering::duplicates::{DuplicateOptions, duplicates};
use unchaff::compare::clustering::{ClusterOptions, PageClusters, cluster};
use unchaff::compare::distances::ReducedPage;
use unchaff::dom::emit;
use unchaff::page::parameters::choice;
use unchaff::{Agreement, ClusterRecord, DuplicateRecord, Extractor, Page, Truth};

choice! {
    /// Which text of pages is compared.
    pub enum TextOf {
        /// Their content.
        Content = "content",
        /// All of it.
        Page = "page",
    }
}

impl TextOf {
    fn text(self, page: &Page, extractor: &Extractor) -> String {
        match self {
            TextOf::Page => page.body().map(|body| emit::text(page, &page.subtree_set(body))).unwrap_or_default(),
            TextOf::Content => extractor.extract(page).text(),
        }
    }
}

/// The clusters of the pages of a source.
#[derive(Clone, Debug)]
pub struct ClusteredPages<C> {
    /// The clusters as a value.
    pub record: ClusterRecord,
    /// The same as they were found.
    pub found: PageClusters,
    /// What was kept of each page to be shown, in their order.
    pub cards: Vec<C>,
    /// Whether all pages could be read.
    pub are_all: bool,
}

impl<P> ReducedPages<P> {
    fn are_all(&self) -> bool {
        self.failed == 0 && self.is_whole
    }
}

impl SourcePages<'_> {
    /// Finds which pages share a template, and how far that agrees with what is known; `card` makes what is shown of a page, which gets it with its
    /// address and, if it is a file, the address of that.
    ///
    /// # Errors
    /// If the source cannot be read, the method cannot work with what it is given, or what is known is of other pages.
    pub fn clusters<C: Send>(
        &self,
        options: &ClusterOptions,
        truth: Option<&Truth>,
        workers: &Workers,
        watch: &dyn Watch,
        card: impl Fn(&Page, &str, Option<String>) -> C + Sync,
    ) -> Result<ClusteredPages<C>, JobError> {
        let reduced = self.reduced(workers, watch, |page, url, file| (options.distance.reduce(page), card(page, url, file)))?;
        let are_all = reduced.are_all();
        let (pages, cards): (Vec<ReducedPage>, Vec<C>) = reduced.pages.into_iter().unzip();
        let truth = truth.map(|truth| truth.of(&reduced.urls));
        if truth.as_ref().is_some_and(|truth| truth.iter().all(Option::is_none)) {
            return Err(JobError::NoTruth);
        }
        watch.step("comparing");
        let found = workers.install(|| cluster(&pages, options))?;
        let mut record = ClusterRecord::of(&reduced.urls, options, &found);
        record.source = Some(self.name());
        record.failed = Some(reduced.failed);
        record.agreement = truth.and_then(|truth| Agreement::of(&found.clustering, &truth));
        Ok(ClusteredPages { record, found, cards, are_all })
    }

    /// Finds pages with the same text, and says whether all pages could be read.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn copies(
        &self,
        options: &DuplicateOptions,
        of: TextOf,
        workers: &Workers,
        watch: &dyn Watch,
    ) -> Result<(DuplicateRecord, bool), JobError> {
        let extractor = Extractor::new();
        let reduced = self.reduced(workers, watch, |page, _, _| options.reduce(&of.text(page, &extractor)))?;
        let found = workers.install(|| duplicates(&reduced.pages, options));
        let record = DuplicateRecord::of(&reduced.urls, options.sameness.to_string(), of.to_string(), &found);
        Ok((record, reduced.are_all()))
    }
}
