//! A bar that counts pages, on standard error; nothing if that is no terminal.

use crate::output::{inform, is_quiet};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use unchaff_job::Watch;

/// The bar, as a job sees it, and how many of the pages were known. Warnings go to standard error whether or not there is a bar.
pub(crate) struct Bar(ProgressBar, Arc<AtomicU64>);

impl Bar {
    pub(crate) fn new() -> Bar {
        if is_quiet() || !std::io::stderr().is_terminal() {
            return Bar(ProgressBar::hidden(), Arc::default());
        }
        let bar = ProgressBar::new_spinner();
        bar.set_style(style("{spinner} {human_pos} pages, {per_sec}"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar(bar, Arc::default())
    }

    pub(crate) fn hidden() -> Bar {
        Bar(ProgressBar::hidden(), Arc::default())
    }

    /// Says only what is being done.
    pub(crate) fn say(&self, what: &str) {
        self.0.set_style(style("{spinner} {msg} ({elapsed})"));
        self.0.set_message(what.to_owned());
    }

    /// Counts the total meanwhile.
    pub(crate) fn counting(self, count: impl FnOnce() -> u64 + Send + 'static) -> Bar {
        if !self.0.is_hidden() {
            let counted = Bar(self.0.clone(), Arc::clone(&self.1));
            std::thread::spawn(move || counted.total(count()));
        }
        self
    }

    /// So many of so many pages are done.
    pub(crate) fn at(&self, done: u64, all: u64) {
        if self.0.length() != Some(all) {
            self.total(all);
        }
        self.0.set_position(done);
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }

    /// Ends with a line that says what was done, if it was more than one page; on a terminal, so that scripts see nothing but what went wrong.
    pub(crate) fn finish_with(&self) {
        let (done, taken) = (self.0.position(), self.0.elapsed().as_secs_f64());
        self.finish();
        if !is_quiet() && std::io::stderr().is_terminal() && done > 1 {
            let known = match self.1.load(Relaxed) {
                0 => String::new(),
                known => format!("; {known} of them as they were, with the answer that the store has"),
            };
            inform(&format!("{done} pages in {taken:.1} s, {:.0} a second{known}", done as f64 / taken.max(0.001)));
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Watch for Bar {
    fn total(&self, pages: u64) {
        self.0.set_style(style("{wide_bar} {human_pos}/{human_len} pages, {per_sec}, {eta} left"));
        self.0.set_length(pages);
    }

    fn advance(&self, pages: u64) {
        self.0.inc(pages);
    }

    fn known(&self, pages: u64) {
        self.1.fetch_add(pages, Relaxed);
    }

    fn step(&self, what: &str) {
        self.say(what);
    }

    fn warn(&self, message: &str) {
        self.0.suspend(|| inform(message));
    }
}
