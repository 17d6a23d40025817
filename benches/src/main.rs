//! Benchmarks: unchaff beside others, on the same pages, in one run.
//!
//! ```sh
//! cargo run --release -p unchaff-benches            # on pages it generates
//! cargo run --release -p unchaff-benches -- FOLDER  # and on all .html files below a folder
//! ```
//!
//! After the parsers come whole sites, beside their pages each alone, and the techniques: the speed of each beyond parsing, and
//! how its cost grows with the page.
//!
//! Every contender runs over all pages in turn, round after round, so that whatever else the machine does hits all of
//! them; the best round counts. Figures are CPU-bound, from memory, one thread unless said otherwise.

mod generate;
mod memory;
mod sites;
mod techniques;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use markup5ever_rcdom::RcDom;
use rayon::prelude::*;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use unchaff::{Extractor, Format, Page};
use unchaff_dom::{Document, Limits};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

const ROUNDS: usize = 5;

/// A contender: its name and what it does with one page.
type Contender<'c> = (&'c str, Box<dyn Fn(&[u8]) + Sync + 'c>);

fn main() {
    let folders: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    report("generated pages", &generate::pages());
    techniques::growth();
    for folder in folders {
        let pages = read_folder(Path::new(&folder));
        if pages.is_empty() {
            eprintln!("no .html file below {folder}: name a folder that has some");
            std::process::exit(2);
        }
        report(&folder, &pages);
    }
}

fn report(what: &str, pages: &[Vec<u8>]) {
    let bytes: usize = pages.iter().map(Vec::len).sum();
    println!("\n{what}: {} pages, {:.1} MB\n", pages.len(), bytes as f64 / 1e6);
    let extractor = Extractor::new();
    let contenders: Vec<Contender<'_>> = vec![
        ("unchaff: decode, parse, freeze", Box::new(|page| drop(black_box(Page::parse(page))))),
        ("html5ever 0.39 into rcdom", Box::new(|page| drop(black_box(rcdom(page))))),
        ("scraper 0.29", Box::new(|page| drop(black_box(scraper::Html::parse_document(&String::from_utf8_lossy(page)))))),
        (
            "unchaff: extract to Markdown",
            Box::new(|page| drop(black_box(extractor.extract(&Page::parse(page)).render(Format::Markdown)))),
        ),
        (
            "unchaff: extract to JSON",
            Box::new(|page| drop(black_box(extractor.extract(&Page::parse(page)).render(Format::Json)))),
        ),
    ];
    let mut best = vec![Duration::MAX; contenders.len()];
    for _ in 0..ROUNDS {
        for (time, (_, run)) in best.iter_mut().zip(&contenders) {
            let start = Instant::now();
            pages.iter().for_each(|page| run(page));
            *time = start.elapsed().min(*time);
        }
    }
    let baseline = best[1];
    println!("{:34} {:>8} {:>22}", "", "MB/s", "times html5ever+rcdom");
    for ((name, _), time) in contenders.iter().zip(&best) {
        println!("{name:34} {:8.0} {:22.2}", rate(bytes, *time), baseline.as_secs_f64() / time.as_secs_f64());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let run = &contenders[3].1;
    let two =
        (0..ROUNDS).map(|_| timed(|| pool.install(|| pages.par_iter().for_each(|page| run(page))))).min().unwrap_or_default();
    println!(
        "{:34} {:8.0} {:>22.2}",
        "the same to Markdown, two threads",
        rate(bytes, two),
        baseline.as_secs_f64() / two.as_secs_f64()
    );
    steps(pages);
    peak(pages);
    sites::speed(pages);
    techniques::speed(pages);
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

/// What the steps from bytes to a page cost.
fn steps(pages: &[Vec<u8>]) {
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        let mut sum = [Duration::ZERO; 3];
        for page in pages {
            let (document, mut last) = (Document::new(page.clone()), Instant::now());
            let page = document.page_in_steps(Limits::default(), |step| {
                sum[step as usize] += last.elapsed();
                last = Instant::now();
            });
            drop(black_box(page));
        }
        best.iter_mut().zip(sum).for_each(|(best, sum)| *best = sum.min(*best));
    }
    let [decode, parse, freeze] = best.map(|time| time.as_secs_f64());
    println!("\ndecode {:.0} %, freeze {:.0} % of the time of the parse", 100.0 * decode / parse, 100.0 * freeze / parse);
}

/// The most memory that reading a page takes, as a multiple of the page (input included), over pages of 20 kB and more.
fn peak(pages: &[Vec<u8>]) {
    let mut ratios: Vec<f64> = Vec::new();
    for page in pages.iter().filter(|page| page.len() >= 20_000) {
        let before = memory::reset_peak();
        drop(black_box(Page::parse(page.clone())));
        ratios.push((memory::peak() - before) as f64 / page.len() as f64);
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(median), Some(most)) = (ratios.get(ratios.len() / 2), ratios.last()) {
        let high = ratios[ratios.len() * 95 / 100];
        println!(
            "peak memory as a multiple of the page, itself included: median {median:.1}, 95th percentile {high:.1}, most {most:.1}"
        );
    }
}

fn rcdom(page: &[u8]) -> RcDom {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = html5ever::ParseOpts { tree_builder, ..html5ever::ParseOpts::default() };
    html5ever::parse_document(RcDom::default(), options).from_utf8().one(page)
}

fn read_folder(folder: &Path) -> Vec<Vec<u8>> {
    let mut pages = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html")
                && let Ok(bytes) = std::fs::read(&path)
            {
                pages.push(bytes);
            }
        }
    }
    pages
}
