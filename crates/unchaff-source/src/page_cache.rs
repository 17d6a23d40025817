//! Pages of a site that were loaded, as many as fit.
//!
//! A technique comes back to the same few pages again and again, so they are remembered; a walk over a whole site must
//! not hold all of it, so of what exceeds the budget the pages that came first are let go, and read again if asked for
//! again. Two threads that want one page wait for one load.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use unchaff_dom::{LoadError, Page, PageId};

/// How many bytes the remembered pages may take, about: enough for some thirty ordinary ones.
const BUDGET: usize = 8 << 20;
/// The same where one site is all that is worked on: enough for the pages that its model is learned from.
const ONE_SITE: usize = 24 << 20;
/// What a node of a page takes with all that is counted, about.
const NODE: usize = 128;

type Slot = Arc<OnceLock<Result<Arc<Page>, LoadError>>>;

#[derive(Debug)]
pub(crate) struct PageCache {
    budget: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What is loaded or being loaded. Failures stay, so that they are not tried again.
    slots: HashMap<PageId, Slot>,
    /// Loaded pages with the bytes they take, in the order in which they came.
    held: VecDeque<(PageId, usize)>,
    bytes: usize,
    ever: HashSet<PageId>,
}

impl Default for PageCache {
    fn default() -> Self {
        Self { budget: BUDGET, state: Mutex::default() }
    }
}

impl PageCache {
    /// For a source that is one site.
    pub(crate) fn of_one_site() -> PageCache {
        PageCache { budget: ONE_SITE, ..PageCache::default() }
    }

    /// The page as remembered, or as `read` gives it.
    pub(crate) fn load(&self, id: PageId, read: impl FnOnce() -> Result<Page, LoadError>) -> Result<Arc<Page>, LoadError> {
        let slot = {
            let mut state = self.state();
            state.ever.insert(id);
            Arc::clone(state.slots.entry(id).or_default())
        };
        let mut fresh = false;
        let loaded = slot.get_or_init(|| {
            fresh = true;
            read().map(Arc::new)
        });
        if fresh && let Ok(page) = loaded {
            self.state().hold(id, page.source().len() + page.len() * NODE, self.budget);
        }
        loaded.clone()
    }

    /// The same for the last time: it is not remembered any more, and takes the place of no other.
    pub(crate) fn load_last(&self, id: PageId, read: impl FnOnce() -> Result<Page, LoadError>) -> Result<Arc<Page>, LoadError> {
        let remembered = {
            let mut state = self.state();
            state.ever.insert(id);
            state.release(id)
        };
        remembered.unwrap_or_else(|| read().map(Arc::new))
    }

    /// How many pages were asked for, each counted once.
    pub(crate) fn loads(&self) -> usize {
        self.state().ever.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave the state half done: nothing is called while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What is remembered of a page; a page itself is let go, a failure stays.
    fn release(&mut self, id: PageId) -> Option<Result<Arc<Page>, LoadError>> {
        let loaded = self.slots.get(&id)?.get()?.clone();
        if loaded.is_ok() {
            self.slots.remove(&id);
            let held = self.held.iter().position(|(held, _)| *held == id);
            self.bytes -= held.and_then(|at| self.held.remove(at)).map_or(0, |(_, taken)| taken);
        }
        Some(loaded)
    }

    fn hold(&mut self, id: PageId, taken: usize, budget: usize) {
        self.held.push_back((id, taken));
        self.bytes += taken;
        while self.bytes > budget && self.held.len() > 1 {
            let Some((oldest, taken)) = self.held.pop_front() else { break };
            self.bytes -= taken;
            self.slots.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn pages_are_read_once_while_they_fit_and_counted_once_in_any_case() {
        let two = 2 * (5 + NODE * Page::parse("<p>aa").len());
        let cache = PageCache { budget: two, ..PageCache::default() };
        let reads = Cell::new(0);
        let load = |id: u32| {
            cache.load(PageId(id), || {
                reads.set(reads.get() + 1);
                Ok(Page::parse("<p>aa"))
            })
        };
        for id in [0, 0, 1, 0, 1] {
            load(id).unwrap();
        }
        assert_eq!((reads.get(), cache.loads()), (2, 2));
        load(2).unwrap(); // one too many: the first goes
        load(1).unwrap();
        assert_eq!(reads.get(), 3);
        load(0).unwrap();
        assert_eq!((reads.get(), cache.loads()), (4, 3));
    }

    #[test]
    fn a_failure_is_remembered() {
        let cache = PageCache::default();
        let gone = || LoadError::NotAPage { page: "a".into(), answer: "410 Gone".into() };
        assert_eq!(cache.load(PageId(7), || Err(gone())).unwrap_err(), gone());
        assert_eq!(cache.load(PageId(7), || unreachable!()).unwrap_err(), gone());
        assert_eq!(cache.loads(), 1);
    }

    #[test]
    fn a_page_that_is_asked_for_the_last_time_takes_no_place() {
        let two = 2 * (5 + NODE * Page::parse("<p>aa").len());
        let cache = PageCache { budget: two, ..PageCache::default() };
        let read = || Ok(Page::parse("<p>aa"));
        cache.load(PageId(0), read).unwrap();
        cache.load(PageId(1), read).unwrap();
        cache.load_last(PageId(2), read).unwrap();
        cache.load_last(PageId(0), || unreachable!("it is remembered, as is the other")).unwrap();
        cache.load(PageId(3), read).unwrap();
        cache.load_last(PageId(1), || unreachable!("there is room for two")).unwrap();
        let reads = Cell::new(0);
        cache.load_last(PageId(1), || read().inspect(|_| reads.set(1))).unwrap();
        assert_eq!((reads.get(), cache.loads()), (1, 4));
    }

    #[test]
    fn a_page_larger_than_the_budget_is_held_until_the_next() {
        let cache = PageCache { budget: 1, ..PageCache::default() };
        cache.load(PageId(0), || Ok(Page::parse("<p>long"))).unwrap();
        cache.load(PageId(0), || unreachable!()).unwrap();
    }
}
