//! How far boxes of Blitz agree with boxes of Chromium on the pages of a suite.
//!
//! `cargo run --release -p unchaff-render --features blitz --example agreement -- SUITE CHROMIUM BLITZ`
//!
//! SUITE is a folder of hosts, each with its `index.dom.html` somewhere below and its style sheets and images around it. The
//! boxes of both are kept in the folders CHROMIUM and BLITZ, under the names by which the example `segments` of
//! `unchaff-bench` finds them again, so that segmentation can be measured on either. Those of Chromium that are there are not
//! made again. `UNCHAFF_FONTS` is heeded.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use unchaff_dom::Page;
use unchaff_render::blitz::{self, Blitz};
use unchaff_render::chromium::{self, Chromium};
use unchaff_render::files::Files;
use unchaff_segment::layout::{BoxKind, Layout, RenderedBox};
use unchaff_segment::renderer::{PageToRender, Renderer};

/// Counts over text lines, in the order of [`COLUMNS`].
type Counts = [usize; 7];

const COLUMNS: [&str; 7] = ["texts", "in both", "same lines", "lines", "x, width", "y", "colour"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [suite, their_boxes, our_boxes] = &arguments[..] else { return Err("say SUITE CHROMIUM BLITZ".into()) };
    std::fs::create_dir_all(their_boxes)?;
    std::fs::create_dir_all(our_boxes)?;
    let time_limit = Duration::from_secs(120);
    let mut browser = Chromium::new(chromium::Options { time_limit, ..chromium::Options::default() });
    let fonts = std::env::var_os("UNCHAFF_FONTS").map(PathBuf::from);
    let mut engine = Blitz::new(blitz::Options { fonts, time_limit, ..blitz::Options::default() })?;
    let mut sum = Counts::default();
    let (mut shares, mut times) = (Vec::new(), Vec::new());
    println!("{:40}{}  {:>12} {:>12}", "", COLUMNS.map(|column| format!("{column:>11}")).concat(), "Chromium ms", "Blitz ms");
    for file in pages(suite)? {
        let inside = file.strip_prefix(suite)?;
        let host = inside.components().next().ok_or("a page is in no folder")?;
        let files = Files { root: suite.join(host), page: inside.strip_prefix(host)?.to_owned() };
        let page = Page::parse(std::fs::read(&file)?);
        let to_render = PageToRender::new(&page).with_subresources(Some(files));
        let id = host.as_os_str().to_string_lossy().into_owned();
        let start = Instant::now();
        let kept = their_boxes.join(format!("{id}.json"));
        let theirs = match std::fs::read(&kept) {
            Ok(json) => Layout::from_json(&json)?,
            Err(_) => browser.render(&to_render)?.layout,
        };
        let their_time = start.elapsed();
        std::fs::write(&kept, theirs.to_json())?;
        let start = Instant::now();
        let ours = match engine.render(&to_render) {
            Ok(rendering) => rendering.layout,
            Err(error) => {
                println!("{id:40}{error}");
                continue;
            }
        };
        let our_time = start.elapsed();
        std::fs::write(our_boxes.join(format!("{id}.json")), ours.to_json())?;
        let counts = compare(&theirs, &ours);
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        shares.push(of_lines(counts));
        times.push((their_time, our_time));
        let times = (their_time.as_millis(), our_time.as_millis());
        println!("{id:40}{}  {:12} {:12}", counts.map(|count| format!("{count:11}")).concat(), times.0, times.1);
    }
    let pages = times.len().max(1) as f64;
    let mean = |at: fn(&(Duration, Duration)) -> Duration| times.iter().map(at).sum::<Duration>().as_secs_f64() * 1000.0 / pages;
    println!(
        "{:40}{}  {:12.0} {:12.0}",
        "sum; mean time",
        sum.map(|count| format!("{count:11}")).concat(),
        mean(|time| time.0),
        mean(|time| time.1)
    );
    println!(
        "\nof texts seen by Chromium, seen in both: {:.3}; of these, as many lines: {:.3}",
        share(sum[1], sum[0]),
        share(sum[2], sum[1])
    );
    let [x, y, colour] = of_lines(sum);
    println!("of their lines: x and width within 3 px {x:.3}, y within 20 px {y:.3}, the same colour {colour:.3}");
    let mean = |at: usize| shares.iter().map(|shares| shares[at]).sum::<f64>() / pages;
    println!("means over pages: {:.3}, {:.3}, {:.3}", mean(0), mean(1), mean(2));
    Ok(())
}

/// The pages, by name.
fn pages(suite: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let (mut found, mut folders) = (Vec::new(), vec![suite.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() == "index.dom.html" {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Compares the lines of texts that both have, the first with the first and so on, if they are as many.
fn compare(theirs: &Layout, ours: &Layout) -> Counts {
    let (theirs, ours) = (lines(theirs), lines(ours));
    let mut counts = Counts::default();
    for (node, their_lines) in &theirs {
        counts[0] += 1;
        let Some(our_lines) = ours.get(node) else { continue };
        counts[1] += 1;
        counts[2] += usize::from(their_lines.len() == our_lines.len());
        for (their, our) in their_lines.iter().zip(our_lines) {
            let near = |a: i32, b: i32, limit: u32| a.abs_diff(b) <= limit;
            counts[3] += 1;
            let widths = (their.rect.width() as i32, our.rect.width() as i32);
            counts[4] += usize::from(near(their.rect.left, our.rect.left, 3) && near(widths.0, widths.1, 3));
            counts[5] += usize::from(near(their.rect.top, our.rect.top, 20));
            counts[6] += usize::from(their.color == our.color);
        }
    }
    counts
}

fn lines(layout: &Layout) -> BTreeMap<u32, Vec<&RenderedBox>> {
    let mut lines: BTreeMap<u32, Vec<&RenderedBox>> = BTreeMap::new();
    for found in layout.boxes.iter().filter(|found| found.kind == BoxKind::Text) {
        lines.entry(found.node.unwrap_or_default()).or_default().push(found);
    }
    lines
}

fn of_lines(counts: Counts) -> [f64; 3] {
    [share(counts[4], counts[3]), share(counts[5], counts[3]), share(counts[6], counts[3])]
}

fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}
