//! A site as one technique sees it: loads counted and timed for this technique alone.
//!
//! A site remembers its pages, so the second technique that asks for one gets it at once. It is charged what the first had
//! to wait, so that figures do not depend on who came first.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unchaff_dom::{LoadError, Page, PageId, Site};
use url::Url;

/// What loading each page of a site took, the first time.
#[derive(Debug, Default)]
pub(super) struct LoadCosts(Mutex<HashMap<PageId, Duration>>);

/// A site with meters for loading.
pub(super) struct MeteredSite<'a> {
    site: &'a dyn Site,
    costs: &'a LoadCosts,
    meter: Mutex<Meter>,
}

#[derive(Default)]
struct Meter {
    loaded: BTreeSet<PageId>,
    charged: Duration,
    waited: Duration,
}

/// A technique that panicked while it held a lock leaves the numbers as good as they were.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> MeteredSite<'a> {
    pub(super) fn new(site: &'a dyn Site, costs: &'a LoadCosts) -> MeteredSite<'a> {
        MeteredSite { site, costs, meter: Mutex::default() }
    }

    /// What loading all pages that were asked for takes.
    pub(super) fn charged(&self) -> Duration {
        lock(&self.meter).charged
    }

    /// How long loading took this time.
    pub(super) fn waited(&self) -> Duration {
        lock(&self.meter).waited
    }
}

impl Site for MeteredSite<'_> {
    fn find(&self, url: &Url) -> Option<PageId> {
        self.site.find(url)
    }

    fn url(&self, page: PageId) -> Url {
        self.site.url(page)
    }

    fn load(&self, page: PageId) -> Result<Arc<Page>, LoadError> {
        let start = Instant::now();
        let loaded = self.site.load(page);
        let waited = start.elapsed();
        let cost = *lock(&self.costs.0).entry(page).or_insert(waited);
        let mut meter = lock(&self.meter);
        meter.waited += waited;
        if meter.loaded.insert(page) {
            meter.charged += cost;
        }
        loaded
    }

    fn known(&self) -> Vec<PageId> {
        self.site.known()
    }

    fn loads(&self) -> usize {
        lock(&self.meter).loaded.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    #[test]
    fn each_technique_has_its_own_count_and_pays_alike() {
        let site =
            LoadedSite::new(["https://example.org/", "https://example.org/a"].map(|url| Parser::new().url(url).parse("<p>rain")));
        let costs = LoadCosts::default();
        let first = MeteredSite::new(&site, &costs);
        for page in [0, 0, 1] {
            first.load(PageId(page)).unwrap();
        }
        let second = MeteredSite::new(&site, &costs);
        second.load(PageId(1)).unwrap();
        second.load(PageId(0)).unwrap();
        assert_eq!((first.loads(), second.loads()), (2, 2));
        assert_eq!(first.charged(), second.charged());
        assert_eq!(MeteredSite::new(&site, &costs).loads(), 0);
    }
}
