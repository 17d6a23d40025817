//! How long a technique takes, by the protocol of the thesis.
//!
//! Alarte (2023), chapter 12: the first run is always discarded; runs are repeated until, in a window of ten consecutive ones,
//! the standard deviation is below a tenth of the mean; the mean of that window is the time. The thesis has no limit
//! on the runs; ours has, and says when the times did not settle. Then the median of all runs but the first is the time.

use std::time::Duration;

/// When to stop repeating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Protocol {
    /// How many consecutive runs must agree.
    pub window: usize,
    /// How far they may be apart: the standard deviation as a share of the mean.
    pub spread: f64,
    /// The most runs, without the first.
    pub most: usize,
}

impl Default for Protocol {
    fn default() -> Self {
        Protocol { window: 10, spread: 0.1, most: 50 }
    }
}

/// The time of a technique on a page.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// The time of one run.
    pub seconds: f64,
    /// How many runs it was taken from, without the first.
    pub repetitions: u32,
    /// Whether the runs of a window agreed.
    pub steady: bool,
}

impl Protocol {
    /// Repeats `run`, which says how long it took, until its times agree.
    ///
    /// # Errors
    /// The first error of `run`.
    pub fn time<E>(&self, mut run: impl FnMut() -> Result<Duration, E>) -> Result<Timing, E> {
        run()?;
        let mut seconds: Vec<f64> = Vec::new();
        while seconds.len() < self.most.max(1) {
            seconds.push(run()?.as_secs_f64());
            if let Some(mean) = self.settled(&seconds) {
                return Ok(Timing { seconds: mean, repetitions: seconds.len() as u32, steady: true });
            }
        }
        let repetitions = seconds.len() as u32;
        Ok(Timing { seconds: median(seconds), repetitions, steady: false })
    }

    /// The mean of the last window, if its runs agree.
    fn settled(&self, seconds: &[f64]) -> Option<f64> {
        let window = seconds.len().checked_sub(self.window.max(2)).map(|from| &seconds[from..])?;
        let mean = window.iter().sum::<f64>() / window.len() as f64;
        let variance = window.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (window.len() - 1) as f64;
        (variance.sqrt() < self.spread * mean || mean == 0.0).then_some(mean)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(milliseconds: impl IntoIterator<Item = u64>) -> Timing {
        let mut times = milliseconds.into_iter();
        Protocol::default().time(|| Ok::<_, ()>(Duration::from_millis(times.next().unwrap()))).unwrap()
    }

    // The protocol of the thesis; the times are made up.
    #[test]
    fn the_first_run_is_discarded_and_ten_that_agree_are_enough() {
        let timing = time([500, 100, 105, 95, 100, 105, 95, 100, 105, 95, 100]);
        assert_eq!((timing.repetitions, timing.steady), (10, true));
        assert!((timing.seconds - 0.1).abs() < 1e-12);
    }

    // The limit on the runs is ours.
    #[test]
    fn times_that_never_agree_end_and_say_so() {
        let timing = time([500].into_iter().chain([50, 150].into_iter().cycle()));
        assert_eq!((timing.repetitions, timing.steady), (50, false));
        assert!((timing.seconds - 0.1).abs() < 1e-12);
    }

    #[test]
    fn the_window_slides_past_a_slow_start() {
        let timing = time([500, 300, 250].into_iter().chain([100; 10]));
        assert_eq!((timing.repetitions, timing.steady), (12, true));
        assert!((timing.seconds - 0.1).abs() < 1e-12);
    }

    #[test]
    fn an_error_ends_it() {
        let mut runs = 0;
        let failed = Protocol::default().time(|| {
            runs += 1;
            if runs < 3 { Ok(Duration::from_millis(1)) } else { Err("broken") }
        });
        assert_eq!((failed, runs), (Err("broken"), 3));
    }

    #[test]
    fn fewer_runs_than_a_window_give_their_median() {
        let mut times = [9, 1, 3, 2].into_iter();
        let protocol = Protocol { most: 3, ..Protocol::default() };
        let timing = protocol.time(|| Ok::<_, ()>(Duration::from_secs(times.next().unwrap()))).unwrap();
        assert_eq!(timing, Timing { seconds: 2.0, repetitions: 3, steady: false });
    }
}
