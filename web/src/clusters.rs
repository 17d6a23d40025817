//! Pages that are built alike. Pages come one by one, and what is compared of them is kept under a number.

use crate::finding::page;
use crate::frame::{Answer, Given, Request};
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use unchaff::ClusterRecord;
use unchaff::compare::clustering::{ClusterOptions, Method, cluster};
use unchaff::compare::distances::{Distance, Measure, ReducedPage};
use unchaff::page::parameters::ParameterValue;

/// What is kept of pages, with their addresses.
#[derive(Default)]
struct Reduced {
    urls: Vec<String>,
    pages: Vec<ReducedPage>,
}

thread_local! {
    static JOBS: RefCell<BTreeMap<u32, Reduced>> = const { RefCell::new(BTreeMap::new()) };
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Add {
    job: u32,
    page: Given,
    distance: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finish {
    job: u32,
    distance: Option<String>,
    method: Option<String>,
    threshold: Option<f64>,
    k: Option<usize>,
    #[serde(default)]
    exact: bool,
}

fn named<T: ParameterValue>(what: &str, name: Option<&str>, default: T) -> Result<T, String> {
    let Some(name) = name else { return Ok(default) };
    T::read(name).ok_or_else(|| format!("`{name}` is no {what}; there is {}", T::takes()))
}

fn distance(name: Option<&str>) -> Result<Distance, String> {
    Ok(Distance { measure: named("distance", name, Measure::TagShingles)?, ..Distance::default() })
}

pub(crate) fn add(request: &Request<'_>) -> Result<Answer, String> {
    let Add { job, page: given, distance: name } = request.options()?;
    let distance = distance(name.as_deref())?;
    let page = page(request, given)?;
    let reduced = distance.reduce(&page);
    JOBS.with_borrow_mut(|jobs| {
        let job = jobs.entry(job).or_default();
        let number = job.pages.len();
        job.urls.push(page.url().map_or_else(|| number.to_string(), ToString::to_string));
        job.pages.push(reduced);
    });
    Ok(Answer::of(Vec::new()))
}

pub(crate) fn finish(request: &Request<'_>) -> Result<Answer, String> {
    let asked: Finish = request.options()?;
    let Reduced { urls, pages } = JOBS.with_borrow_mut(|jobs| jobs.remove(&asked.job)).unwrap_or_default();
    let method = named("method", asked.method.as_deref(), Method::SingleLinkage)?;
    if asked.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return Err("threshold is a distance, a number from 0 to 1".to_owned());
    }
    if asked.k.is_some() && (asked.threshold.is_some() || method == Method::Stream) {
        return Err("k is the number of clusters, which neither a threshold nor a stream is told".to_owned());
    }
    if asked.k == Some(0) {
        return Err("k is the number of clusters, at least 1".to_owned());
    }
    let options = ClusterOptions {
        distance: distance(asked.distance.as_deref())?,
        method,
        threshold: asked.threshold,
        clusters: asked.k,
        exact: asked.exact,
        ..ClusterOptions::default()
    };
    let found = cluster(&pages, &options).map_err(|error| error.to_string())?;
    Answer::json(&ClusterRecord::of(&urls, &options, &found))
}
