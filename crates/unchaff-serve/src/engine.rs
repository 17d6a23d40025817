//! The engine behind the service: work on pages, on threads of its own, as many at a time as there are cores.
//!
//! Work that is under way cannot be stopped, so whoever waits too long is told so while the work keeps its place until it is done. A panic is the
//! problem of the request it happened for, and of no other.

use crate::problem::Problem;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use unchaff_job::guarded;

/// Places at which work is done.
#[derive(Debug)]
pub(crate) struct Engine {
    places: Arc<Semaphore>,
    timeout: Duration,
}

impl Engine {
    pub(crate) fn new(places: usize, timeout: Duration) -> Engine {
        Engine { places: Arc::new(Semaphore::new(places)), timeout }
    }

    /// Does some work when a place is free.
    ///
    /// # Errors
    /// The problem that the work ends with, or that it takes too long or panics.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let late =
            || Problem::busy(format!("no answer within {} s; try again later, or a smaller page", self.timeout.as_secs_f64()));
        let done = async {
            let place = Arc::clone(&self.places).acquire_owned().await;
            let place = place.map_err(|_| Problem::busy("the service ends"))?;
            let done = tokio::task::spawn_blocking(move || {
                let _place = place;
                guarded(work)
            });
            done.await.map_err(|error| Problem::internal(error.to_string()))??
        };
        tokio::time::timeout(self.timeout, done).await.map_err(|_| late())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse;

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn a_panic_is_the_problem_of_its_request_alone() {
        run(async {
            let engine = Engine::new(1, Duration::from_secs(60));
            let problem = engine.work(|| -> Result<(), Problem> { panic!("this page") }).await.unwrap_err();
            assert!(problem.detail().contains("this page"), "{}", problem.detail());
            assert_eq!(problem.into_response().status(), 500);
            assert_eq!(engine.work(|| Ok(7)).await.unwrap(), 7);
        });
    }

    #[test]
    fn whoever_waits_too_long_is_told_and_the_place_is_kept() {
        run(async {
            let engine = Engine::new(1, Duration::from_millis(50));
            let (done, wait) = std::sync::mpsc::channel::<()>();
            let late = engine.work(move || wait.recv().map_err(|_| Problem::internal("nobody"))).await;
            assert_eq!(late.unwrap_err().into_response().status(), 503);
            assert!(engine.work(|| Ok(())).await.is_err(), "the place is taken");
            done.send(()).unwrap();
            while engine.work(|| Ok(())).await.is_err() {}
        });
    }
}
