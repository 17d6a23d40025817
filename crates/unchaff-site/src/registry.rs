//! All techniques that compare pages, by name.
//!
//! A new technique is one new file and one line here; the command line, the workbench and the documentation read this list.

use crate::SiteTechnique;
use unchaff_page::BlockKind;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

/// What is known about a technique that compares pages.
pub type SiteEntry = unchaff_page::registry::Entry<dyn SiteTechnique>;

static ENTRIES: &[SiteEntry] = &[];

/// The entry of a technique `T` that is made from its parameters `P`.
#[allow(dead_code)]
pub(crate) const fn entry<T: SiteTechnique + From<P> + 'static, P: Parameters>(
    name: &'static str,
    kind: BlockKind,
    summary: &'static str,
    source: &'static str,
    cost: &'static str,
) -> SiteEntry {
    SiteEntry {
        name,
        kind,
        summary,
        source,
        cost,
        parameters: P::list,
        build: |settings| Ok(Box::new(T::from(read::<P>(settings)?))),
    }
}

/// All techniques.
#[must_use]
pub fn all() -> &'static [SiteEntry] {
    ENTRIES
}

/// The technique of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static SiteEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}
