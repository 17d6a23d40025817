//! What techniques cost beyond parsing.

use crate::generate;
use std::hint::black_box;
use std::time::{Duration, Instant};
use unchaff::page::PageTechnique;
use unchaff::{Page, registry};

/// At most so many bytes of pages are held parsed.
const MOST: usize = 60_000_000;

/// The speed of each technique on pages that are parsed already, and its cost as a share of the parse.
pub fn speed(pages: &[Vec<u8>]) {
    let mut bytes = 0;
    let chosen: Vec<&Vec<u8>> = pages
        .iter()
        .step_by(pages.len() / 1000 + 1)
        .take_while(|page| {
            bytes += page.len();
            bytes < MOST
        })
        .collect();
    let bytes: usize = chosen.iter().map(|page| page.len()).sum();
    let parsing = best(|| chosen.iter().for_each(|page| drop(black_box(Page::parse(page.as_slice())))));
    let parsed: Vec<Page> = chosen.iter().map(|page| Page::parse(page.as_slice())).collect();
    println!("\ntechniques beyond parsing, on {} of the pages ({:.1} MB)\n", parsed.len(), bytes as f64 / 1e6);
    println!("{:20} {:>8} {:>22}", "", "MB/s", "% of the parse");
    for entry in registry::all() {
        let technique = entry.default_technique();
        let time = best(|| parsed.iter().for_each(|page| drop(black_box(technique.detect(page)))));
        let share = 100.0 * time.as_secs_f64() / parsing.as_secs_f64();
        println!("{:20} {:8.0} {share:22.0}", entry.name, bytes as f64 / 1e6 / time.as_secs_f64());
    }
}

/// How the time per byte grows when a page doubles: 1.0 is linear, 2.0 quadratic.
pub fn growth() {
    const SIZES: [usize; 5] = [250_000, 500_000, 1_000_000, 2_000_000, 4_000_000];
    let pages: Vec<Page> = SIZES.iter().map(|size| Page::parse(generate::page_of(*size))).collect();
    println!("\ntime per byte when a page doubles, from {} kB to {} kB (1.0 is linear)\n", SIZES[0] / 1000, SIZES[4] / 1000);
    for entry in registry::all() {
        let technique = entry.default_technique();
        let per_byte: Vec<f64> = pages.iter().map(|page| time_of(&*technique, page) / page.source().len() as f64).collect();
        let ratios: Vec<String> = per_byte.windows(2).map(|pair| format!("{:5.2}", pair[1] / pair[0])).collect();
        println!("{:20} {}", entry.name, ratios.join(" "));
    }
}

fn time_of(technique: &dyn PageTechnique, page: &Page) -> f64 {
    best(|| drop(black_box(technique.detect(page)))).as_secs_f64()
}

fn best(mut run: impl FnMut()) -> Duration {
    let timed = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(timed).min().unwrap_or_default()
}
