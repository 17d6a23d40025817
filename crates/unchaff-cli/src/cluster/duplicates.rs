//! `unchaff cluster --duplicates`: groups of pages whose text is the same, or nearly.

use super::{ClusterArguments, ClusterFormat, read};
use crate::output::print;
use anyhow::{Result, ensure};
use unchaff::compare::clustering::duplicates::{DuplicateOptions, Sameness, duplicates};
use unchaff::dom::emit;
use unchaff::{Extractor, Page};
use unchaff_job::{Workers, write_file};

pub(super) fn run(options: &ClusterArguments, sameness: Sameness, workers: &Workers) -> Result<bool> {
    ensure!(options.format != ClusterFormat::Html, "copies are written as a table or as JSON (-f table, json)");
    let how = DuplicateOptions { sameness, ..DuplicateOptions::default() };
    // A distance is what two texts have not in common.
    let how = DuplicateOptions { resemblance: options.threshold.map_or(how.resemblance, |distance| 1.0 - distance), ..how };
    let extractor = Extractor::new();
    let text = |page: &Page| match options.of.as_str() {
        "page" => page.body().map(|body| emit::text(page, &page.subtree_set(body))).unwrap_or_default(),
        _ => extractor.extract(page).text(),
    };
    let reduced = read(options, workers, |page, _, _| how.reduce(&text(page)))?;
    ensure!(!reduced.pages.is_empty(), "{} has no page that can be read", super::shown(&options.sources));
    let found = workers.install(|| duplicates(&reduced.pages, &how));
    let groups: Vec<Vec<&str>> = found
        .members()
        .into_iter()
        .filter(|members| members.len() > 1)
        .map(|members| members.into_iter().map(|at| reduced.urls[at].as_str()).collect())
        .collect();
    let copies: usize = groups.iter().map(|group| group.len() - 1).sum();
    let written = match options.format {
        ClusterFormat::Json => {
            let document = serde_json::json!({
                "method": sameness.to_string(),
                "of": options.of,
                "pages": reduced.urls.len(),
                "copies": copies,
                "groups": groups,
            });
            format!("{document}\n")
        }
        _ => {
            let mut table =
                format!("# {} pages, {copies} of them copies ({sameness}, of the {})\n", reduced.urls.len(), options.of);
            for group in &groups {
                table += &format!("{}\n", group[0]);
                group[1..].iter().for_each(|copy| table += &format!("  = {copy}\n"));
            }
            table
        }
    };
    match &options.output {
        Some(path) => write_file(path, written.as_bytes())?,
        None => print(written.as_bytes())?,
    }
    Ok(reduced.failed == 0 && reduced.is_whole)
}
