//! A site as one technique sees it: loads counted and timed for this technique alone.
//!
//! A site remembers its pages, so the second technique that asks for one gets it at once. It is charged what the first had
//! to wait, so that figures do not depend on who came first.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unchaff_dom::site::Stage;
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
    stages: Stages,
}

/// How long each stage took so far, and since when the present one lasts, with what loading had taken by then.
#[derive(Default)]
struct Stages {
    told: bool,
    present: Option<(Stage, Instant, Duration)>,
    spent: [Duration; Stage::ALL.len()],
}

impl Stages {
    fn begin(&mut self, next: Stage, waited: Duration) {
        let now = Instant::now();
        if let Some((stage, since, before)) = self.present.replace((next, now, waited)) {
            self.spent[stage as usize] += now.duration_since(since).saturating_sub(waited.saturating_sub(before));
        }
    }
}

/// A technique that panicked while it held a lock leaves the numbers as good as they were.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> MeteredSite<'a> {
    pub(super) fn new(site: &'a dyn Site, costs: &'a LoadCosts) -> MeteredSite<'a> {
        let mut meter = Meter::default();
        // What a technique does before it says anything else is detection.
        meter.stages.begin(Stage::Detection, Duration::ZERO);
        MeteredSite { site, costs, meter: Mutex::new(meter) }
    }

    /// How long each stage took, without loading; nothing if the technique never told.
    pub(super) fn stages(&self) -> Vec<(Stage, Duration)> {
        let mut meter = lock(&self.meter);
        let waited = meter.waited;
        meter.stages.begin(Stage::Detection, waited);
        let spent = Stage::ALL.map(|stage| (stage, meter.stages.spent[stage as usize]));
        if meter.stages.told { spent.to_vec() } else { Vec::new() }
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

    fn begins(&self, stage: Stage) {
        let mut meter = lock(&self.meter);
        let waited = meter.waited;
        meter.stages.told = true;
        meter.stages.begin(stage, waited);
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

    #[test]
    fn stages_are_told_by_the_technique_and_loading_is_none() {
        let site = LoadedSite::new([Parser::new().url("https://example.org/").parse("<p>rain")]);
        let costs = LoadCosts::default();
        let silent = MeteredSite::new(&site, &costs);
        silent.load(PageId(0)).unwrap();
        assert_eq!(silent.stages(), []);
        let told = MeteredSite::new(&site, &costs);
        told.begins(Stage::LinkAnalysis);
        told.begins(Stage::Detection);
        let names: Vec<&str> = told.stages().iter().map(|(stage, _)| stage.as_str()).collect();
        assert_eq!(names, ["link-analysis", "subdigraph", "detection"]);
        assert_eq!(told.stages()[1].1, Duration::ZERO);
    }
}
