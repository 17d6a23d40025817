//! The seconds that the engine takes from bytes to Markdown for the pages of a folder: what a door is measured against.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example reads files, and takes the time")]

use std::error::Error;
use std::time::Instant;
use unchaff::{Extractor, Page};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        pages.push(std::fs::read(entry?.path())?);
    }
    let start = Instant::now();
    let mut bytes = 0;
    for page in &pages {
        bytes += Extractor::new().extract(&Page::parse(page.clone())).markdown().len();
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{} pages, {bytes} bytes of Markdown", pages.len());
    println!("{seconds}");
    Ok(())
}
