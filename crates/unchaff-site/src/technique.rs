//! What a technique that compares pages is.

use unchaff_dom::{LoadError, PageId, Site};
use unchaff_page::{Detection, Explanation};

/// A technique that looks at a page together with others of its site.
pub trait SiteTechnique: Send + Sync {
    /// The name under which the registry knows it.
    fn name(&self) -> &'static str;

    /// Finds the blocks of the page `key`. A site that is of no help has an answer too, with a note that says so.
    ///
    /// # Errors
    /// If `key` itself cannot be loaded.
    fn detect(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError>;

    /// What led to the result: the pages compared and why, in notes; votes or weights by node.
    ///
    /// # Errors
    /// If `key` itself cannot be loaded.
    fn explain(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError>;
}
