//! Work on a stream whose reader asks for one result after the other: threads are some things ahead, and results come in their order.
//!
//! [`Workers::in_order`] drives a stream to its end by itself; here the caller does, so that it can be an iterator. While it is
//! busy with one result the threads go on with the next.

use crate::guard::guarded;
use crate::{JobError, Workers};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Threads, and what they are working on. What is not done when it is dropped is not begun any more.
#[derive(Debug)]
pub struct InFlight<R> {
    workers: Workers,
    /// What was begun, in order: where its result arrives, and how much it weighs.
    begun: VecDeque<(Receiver<R>, usize)>,
    weight: usize,
    most_weight: usize,
    is_called_off: Arc<AtomicBool>,
}

/// What there is at the moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next<R> {
    /// The result of what was begun first. There is none if the work panicked or was called off.
    Ready(Option<R>),
    /// It is still being worked on.
    NotYet,
    /// Nothing is being worked on.
    Idle,
}

impl<R: Send + 'static> InFlight<R> {
    /// So many threads, one for each core if nobody says. What is worked on at a time weighs no more than this, unless it is a single thing.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(threads: Option<usize>, most_weight: usize) -> Result<InFlight<R>, JobError> {
        let workers = Workers::new(threads)?;
        Ok(InFlight { workers, begun: VecDeque::new(), weight: 0, most_weight, is_called_off: Arc::default() })
    }

    /// Whether another thing may be begun.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.begun.is_empty() || (self.begun.len() < self.workers.at_a_time() && self.weight < self.most_weight)
    }

    /// Begins to work on a thing of this weight.
    pub fn begin(&mut self, weight: usize, work: impl FnOnce() -> R + Send + 'static) {
        let (done, arrives) = channel();
        let is_called_off = Arc::clone(&self.is_called_off);
        self.workers.spawn(move || {
            if !is_called_off.load(Ordering::Relaxed)
                && let Ok(result) = guarded(work)
            {
                // Nobody waits for it if all was called off meanwhile.
                let _ = done.send(result);
            }
        });
        self.begun.push_back((arrives, weight));
        self.weight += weight;
    }

    /// The next result, waited for at most so long.
    pub fn next(&mut self, patience: Duration) -> Next<R> {
        let Some((arrives, weight)) = self.begun.front() else { return Next::Idle };
        let result = match arrives.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => return Next::NotYet,
            Err(RecvTimeoutError::Disconnected) => None,
            Ok(result) => Some(result),
        };
        self.weight -= weight;
        self.begun.pop_front();
        Next::Ready(result)
    }
}

impl<R> Drop for InFlight<R> {
    fn drop(&mut self) {
        self.is_called_off.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn results_come_in_the_order_in_which_things_were_begun() {
        for threads in [1, 3] {
            let mut flight = InFlight::new(Some(threads), usize::MAX).unwrap();
            let (mut begun, mut done) = (0u32, Vec::new());
            while done.len() < 500 {
                while begun < 500 && flight.has_room() {
                    let number = begun;
                    flight.begin(1, move || number * 2);
                    begun += 1;
                }
                assert!(begun as usize - done.len() <= 8 * threads, "no more than some things a thread are held");
                let Next::Ready(Some(result)) = flight.next(LONG) else { panic!("something is always begun") };
                done.push(result);
            }
            assert_eq!(done, (0..500).map(|number| number * 2).collect::<Vec<_>>());
            assert_eq!(flight.next(LONG), Next::Idle);
        }
    }

    #[test]
    fn a_panic_costs_one_result() {
        let mut flight = InFlight::new(Some(1), usize::MAX).unwrap();
        flight.begin(1, || if true { panic!("on purpose") } else { 1 });
        flight.begin(1, || 2);
        assert_eq!([flight.next(LONG), flight.next(LONG)], [Next::Ready(None), Next::Ready(Some(2))]);
    }

    #[test]
    fn a_heavy_thing_goes_alone_and_a_slow_one_is_waited_for_in_turns() {
        let mut flight = InFlight::new(Some(2), 100).unwrap();
        let (go, wait) = channel::<()>();
        flight.begin(1000, move || wait.recv().is_ok());
        assert!(!flight.has_room());
        assert_eq!(flight.next(Duration::from_millis(1)), Next::NotYet);
        go.send(()).unwrap();
        assert_eq!(flight.next(LONG), Next::Ready(Some(true)));
        assert!(flight.has_room());
    }
}
