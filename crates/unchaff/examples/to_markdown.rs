//! The seconds that the engine takes from bytes to Markdown for the pages of a folder, of each page the best of some rounds: what a door is
//! measured against (`python/benches/speed.py`).

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example reads files, and takes the time")]

use std::error::Error;
use std::time::{Duration, Instant};
use unchaff::{Extractor, Page};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder")?;
    let rounds: usize = arguments.next().map_or(Ok(1), |rounds| rounds.parse())?;
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        pages.push((std::fs::read(entry?.path())?, Duration::MAX));
    }
    let extractor = Extractor::new();
    let mut bytes = 0;
    for _ in 0..rounds {
        for (page, best) in &mut pages {
            let start = Instant::now();
            bytes += extractor.extract(&Page::parse(page.clone())).markdown().len();
            *best = start.elapsed().min(*best);
        }
    }
    eprintln!("{} pages, {bytes} bytes of Markdown", pages.len());
    println!("{}", pages.iter().map(|(_, best)| best.as_secs_f64()).sum::<f64>());
    Ok(())
}
