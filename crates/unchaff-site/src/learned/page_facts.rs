//! What is found out about a page before it is learned from or judged, so that a page of a sample costs one look for both.

use crate::learned::page_keys::PageKeys;
use unchaff_dom::Page;
use unchaff_page::learned::name_families::NameFamilies;

/// The names and keys of a page's elements: a few dozen bytes each, and no page.
#[derive(Debug)]
pub struct PageFacts {
    pub(crate) names: NameFamilies,
    pub(crate) keys: PageKeys,
}

impl PageFacts {
    /// Looks at a page.
    #[must_use]
    pub fn of(page: &Page) -> PageFacts {
        let names = NameFamilies::of(page);
        PageFacts { keys: PageKeys::named(page, &names), names }
    }

    /// How many elements it knows of: by these, those who keep many can tell how much memory they take.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.keys.len()
    }
}
