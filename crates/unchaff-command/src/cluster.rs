//! `unchaff cluster`: which pages of a site, or of a whole archive, share a template, as a table, JSON, or a report to look at
//! (`unchaff_job::SourcePages::clusters`).

use crate::arguments::cluster::{ClusterArguments, ClusterFormat};
use crate::arguments::settings;
use crate::output::write_or_print;
use crate::progress::Bar;
use anyhow::{Result, ensure};
use unchaff::compare::clustering::duplicates::{DuplicateOptions, Sameness};
use unchaff::compare::clustering::{ClusterOptions, Method};
use unchaff::compare::distances::{Distance, Measure};
use unchaff_bench::cluster_report::{ClusterReport, PageCard};
use unchaff_job::{SourcePages, Workers, write_file};

pub(crate) fn run(options: &ClusterArguments) -> Result<bool> {
    ensure!(
        options.k.is_none() || options.method != Method::Stream,
        "a stream cannot be told how many clusters to make; leave out --k"
    );
    ensure!(options.threshold.is_none() || options.k.is_none(), "--k and --threshold exclude each other; give one of them");
    let source = SourcePages {
        sources: &options.sources,
        base_urls: &options.base_url,
        limit: options.limit.map(|limit| limit as usize),
        allow_private: options.allow_private,
        reading: options.reader.reading(),
    };
    let workers = Workers::new(options.jobs.map(usize::from))?;
    match options.duplicates {
        Some(sameness) => find_duplicates(options, sameness, &source, &workers),
        None => find_clusters(options, &source, &workers),
    }
}

fn find_clusters(options: &ClusterArguments, source: &SourcePages<'_>, workers: &Workers) -> Result<bool> {
    let has_report = options.report.is_some() || options.format == ClusterFormat::Html;
    let usual = if options.kinds { Measure::OF_KINDS } else { Measure::TagShingles };
    let asked = ClusterOptions {
        distance: Distance::with_settings(options.distance.unwrap_or(usual), &settings(None, &options.set))?,
        method: options.method,
        threshold: options.threshold,
        kinds: options.kinds,
        clusters: options.k.map(|k| k as usize),
        exact: options.exact,
        map: has_report,
        ..ClusterOptions::default()
    };
    let bar = Bar::new();
    let found = source.clusters(&asked, options.truth.as_ref(), workers, &bar, |page, url, file| {
        if has_report { PageCard::of(page, url, file) } else { PageCard::default() }
    })?;
    bar.finish();
    let report = || ClusterReport { record: &found.record, found: &found.found, pages: &found.cards }.html();
    if let Some(path) = &options.report {
        write_file(path, report().as_bytes())?;
    }
    let text = match options.format {
        ClusterFormat::Table => found.record.table(),
        ClusterFormat::Json => serde_json::to_string_pretty(&found.record)? + "\n",
        ClusterFormat::Html => report(),
    };
    write_or_print(options.output.as_deref(), text.as_bytes())?;
    Ok(found.are_all)
}

fn find_duplicates(options: &ClusterArguments, sameness: Sameness, source: &SourcePages<'_>, workers: &Workers) -> Result<bool> {
    ensure!(options.format != ClusterFormat::Html, "copies are written as a table or as JSON (-f table, json)");
    let mut how = DuplicateOptions { sameness, ..DuplicateOptions::default() };
    // A distance is what two texts have not in common.
    how.resemblance = options.threshold.map_or(how.resemblance, |distance| 1.0 - distance);
    let bar = Bar::new();
    let (record, are_all) = source.copies(&how, options.of, workers, &bar)?;
    bar.finish();
    let text = match options.format {
        ClusterFormat::Json => serde_json::to_string(&record)? + "\n",
        _ => record.table(),
    };
    write_or_print(options.output.as_deref(), text.as_bytes())?;
    Ok(are_all)
}
