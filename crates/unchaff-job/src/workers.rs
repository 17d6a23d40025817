//! Threads that work on a stream of things, some at a time, and hand the results on in their order.

use crate::JobError;
use rayon::prelude::*;

/// So many things a thread are taken from a stream at a time: enough that no thread waits long, few enough to hold.
const EACH: usize = 8;

/// Some threads.
#[derive(Debug)]
pub struct Workers {
    pool: rayon::ThreadPool,
}

impl Workers {
    /// So many threads; one for each core if nobody says.
    ///
    /// # Errors
    /// If they cannot be started.
    pub fn new(threads: Option<usize>) -> Result<Workers, JobError> {
        Ok(Workers { pool: rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()? })
    }

    /// Does some work among these threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Has some work done by one of these threads, whenever one is free.
    pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        self.pool.spawn(work);
    }

    /// How many things are worked on at a time.
    #[must_use]
    pub fn at_a_time(&self) -> usize {
        self.pool.current_num_threads() * EACH
    }

    /// Works on all things and returns the results in their order.
    pub fn all<T: Send, R: Send>(&self, things: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
        self.pool.install(|| things.into_par_iter().map(work).collect())
    }

    /// Works on the things of a stream of any length and hands the results on in their order, until one is refused.
    ///
    /// # Errors
    /// What `take` refuses a result with.
    pub fn in_order<T: Send, R: Send, E>(
        &self,
        things: impl Iterator<Item = T>,
        work: impl Fn(T) -> R + Sync + Send,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut things = things.peekable();
        while things.peek().is_some() {
            let batch: Vec<T> = things.by_ref().take(self.at_a_time()).collect();
            self.all(batch, &work).into_iter().try_for_each(&mut take)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_a_refusal_ends_it() {
        for threads in [1, 3] {
            let workers = Workers::new(Some(threads)).unwrap();
            let mut seen = Vec::new();
            let done: Result<(), u32> = workers.in_order(
                0..,
                |number: u32| number * 2,
                |double| {
                    seen.push(double);
                    if double == 400 { Err(double) } else { Ok(()) }
                },
            );
            assert_eq!(done, Err(400));
            assert_eq!(seen, (0..=200).map(|number| number * 2).collect::<Vec<_>>());
        }
    }
}
