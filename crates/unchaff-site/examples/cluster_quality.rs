//! How well each distance tells websites apart whose pages are mixed: the tables of docs/clustering.md.
//!
//! `cargo run --release -p unchaff-site --example cluster_quality -- FOLDER [MEASURE…]`: every folder in FOLDER is a website, every file
//! below it (below its folder `pages`, if it has one) a page of it. The truth is the website. Printed as Markdown.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example reads files, and takes the time")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use unchaff_dom::Page;
use unchaff_page::parameters::ParameterValue;
use unchaff_site::clustering::k_median::{KMedian, Start};
use unchaff_site::clustering::quality::{Contingency, dunn};
use unchaff_site::clustering::single_linkage::Dendrogram;
use unchaff_site::clustering::{ClusterOptions, Clustering, Method, cluster};
use unchaff_site::distances::matrix::DistanceMatrix;
use unchaff_site::distances::{Distance, Measure, ReducedPage};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut rest = vec![folder.to_owned()];
    while let Some(path) = rest.pop() {
        if path.is_dir() {
            let mut below: Vec<PathBuf> = fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            below.sort();
            rest.extend(below.into_iter().rev());
        } else {
            found.push(path);
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else { panic!("name the folder of the websites") };
    let named: Vec<Measure> = arguments.filter_map(|name| Measure::read(&name)).collect();
    let measures = if named.is_empty() { Measure::ALL.to_vec() } else { named };
    let mut sites: Vec<PathBuf> = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    sites.sort();
    let (mut pages, mut labels) = (Vec::new(), Vec::new());
    for (label, site) in sites.iter().filter(|path| path.is_dir()).enumerate() {
        let mut found = Vec::new();
        let below = site.join("pages");
        files(if below.is_dir() { &below } else { site }, &mut found);
        for path in found {
            pages.push(Page::parse(fs::read(&path).unwrap_or_default()));
            labels.push(label);
        }
    }
    let truth = Clustering::new(labels);
    println!("{} pages of {} websites\n", truth.pages(), truth.len());
    println!(
        "| measure | µs/page | µs/pair | Dunn | method | clusters | Rand | adj. Rand | purity | mean purity | MI (norm.) | MI (printed) |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for measure in measures {
        let distance = Distance { measure, ..Distance::default() };
        let start = Instant::now();
        let reduced: Vec<ReducedPage> = pages.iter().map(|page| distance.reduce(page)).collect();
        let reducing = start.elapsed().as_secs_f64() * 1e6 / pages.len() as f64;
        let some = (1..pages.len()).flat_map(|one| (0..one).map(move |other| (one, other))).step_by(101);
        let start = Instant::now();
        let sum: f64 = some.clone().map(|(one, other)| distance.between(&reduced[one].features, &reduced[other].features)).sum();
        let pairs = some.count() as f64;
        let comparing = start.elapsed().as_secs_f64() * 1e6 / pairs;
        eprintln!("{measure}: mean distance {:.3}", sum / pairs);
        let matrix =
            DistanceMatrix::new(pages.len(), |one, other| distance.between(&reduced[one].features, &reduced[other].features));
        let index = dunn(&truth, |one, other| matrix.at(one, other)).unwrap_or(0.0);
        let row = |method: &str, clusters: &Clustering| {
            let table = Contingency::new(clusters, &truth);
            println!(
                "| {measure} | {reducing:.0} | {comparing:.2} | {index:.3} | {method} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.4} |",
                clusters.len(),
                table.rand(),
                table.adjusted_rand(),
                table.purity(),
                table.mean_purity(),
                table.normalised_information(),
                table.printed_information()
            );
        };
        let linked = Dendrogram::new(pages.len(), |one, other| matrix.at(one, other));
        row("single linkage, k", &linked.cut_to(truth.len()));
        let at = |threshold: f64| Contingency::new(&linked.cut_at(threshold), &truth).adjusted_rand();
        let thresholds = (1..100).map(|step| f64::from(step) / 100.0 * if measure == Measure::TagFrequency { 0.02 } else { 1.0 });
        let best = thresholds.max_by(|one, other| at(*one).total_cmp(&at(*other))).unwrap_or(0.5);
        row(&format!("single linkage, best {best:.3}"), &linked.cut_at(best));
        for threshold in [Some(measure.threshold()), measure.published_threshold()].into_iter().flatten() {
            row(&format!("single linkage, {threshold}"), &linked.cut_at(threshold));
        }
        for start in [Start::Assignment, Start::Spread] {
            row(&format!("k-median, {start}"), &KMedian { start, ..KMedian::default() }.cluster(&matrix, truth.len()).0);
        }
        if measure.is_overlap() {
            for threshold in [Some(measure.threshold()), measure.published_threshold()].into_iter().flatten() {
                let options = ClusterOptions {
                    distance: distance.clone(),
                    method: Method::Stream,
                    threshold: Some(threshold),
                    ..Default::default()
                };
                if let Ok(found) = cluster(&reduced, &options) {
                    row(&format!("stream, {threshold}"), &found.clustering);
                }
            }
        }
        let sketched = ClusterOptions { distance, matrix_pages: 10, ..Default::default() };
        if let Ok(found) = cluster(&reduced, &sketched) {
            row("sketches", &found.clustering);
            let table = Contingency::new(&found.clustering, &linked.cut_at(measure.threshold()));
            eprintln!("{measure}: sketches and all pairs agree by adjusted Rand {:.4}", table.adjusted_rand());
        }
    }
}
