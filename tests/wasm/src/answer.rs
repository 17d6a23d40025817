//! Requests and their answers: a page alone, a page with others of its site, or pages to cluster.

use serde::{Deserialize, Serialize};
use unchaff::compare::clustering::{ClusterOptions, cluster};
use unchaff::compare::distances::{Distance, Measure, ReducedPage};
use unchaff::page::parameters::ParameterValue;
use unchaff::{BlockKind, Document, ExtractionRecord, Extractor, Page, SiteModel, extract_with_site};

/// A page as it is given. Text is UTF-8, whatever it says of itself; in `bytes`, every character from U+0000 to U+00FF is a byte, so that
/// pages in other charsets can be given as they are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    html: Option<String>,
    bytes: Option<String>,
    url: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    page: Option<Given>,
    siblings: Option<Vec<Given>>,
    cluster: Option<Vec<Given>>,
    /// What clusters are made by, if not by the default.
    distance: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum Answer {
    /// Of a page alone.
    Alone { markdown: String, record: ExtractionRecord },
    /// Of a page and its site: the blocks, shown in turn.
    OfSite { content: ExtractionRecord, template: ExtractionRecord, menu: ExtractionRecord },
    /// The largest cluster first.
    Clusters { clusters: Vec<Cluster>, threshold: Option<f64>, dunn: Option<f64> },
    /// What is wrong with the request.
    Error(String),
}

#[derive(Serialize)]
struct Cluster {
    representative: String,
    spread: f64,
    urls: Vec<String>,
}

/// Answers JSON with JSON.
pub(crate) fn answer(request: &[u8]) -> String {
    let answer = serde_json::from_slice(request).map_err(|error| error.to_string()).and_then(answered);
    serde_json::to_string(&answer.unwrap_or_else(Answer::Error)).expect("strings and numbers are always JSON")
}

fn answered(request: Request) -> Result<Answer, String> {
    match request {
        Request { page: Some(page), siblings: None, cluster: None, distance: None } => alone(page),
        Request { page: Some(page), siblings: Some(siblings), cluster: None, distance: None } => of_site(page, siblings),
        Request { page: None, siblings: None, cluster: Some(pages), distance } => clusters(pages, distance.as_deref()),
        _ => Err("a request is a page, a page with siblings, or pages to cluster".to_owned()),
    }
}

fn read(given: Given) -> Result<Page, String> {
    let document = match (given.html, given.bytes) {
        (Some(html), None) => Document::new(html).in_charset("utf-8"),
        (None, Some(bytes)) => {
            let bytes: Result<Vec<u8>, _> = bytes.chars().map(u8::try_from).collect();
            Document::new(bytes.map_err(|_| "bytes are characters up to U+00FF")?)
        }
        _ => return Err("a page has either html or bytes".to_owned()),
    };
    Ok(document.at(given.url).page())
}

fn alone(page: Given) -> Result<Answer, String> {
    let page = read(page)?;
    let found = Extractor::new().extract(&page);
    Ok(Answer::Alone { markdown: found.markdown(), record: found.record(None) })
}

/// The page is one of those that are learned from, as it is where a whole site is worked on.
fn of_site(page: Given, siblings: Vec<Given>) -> Result<Answer, String> {
    let page = read(page)?;
    let siblings: Vec<Page> = siblings.into_iter().map(read).collect::<Result<_, _>>()?;
    let model = SiteModel::learn(siblings.iter().chain([&page]));
    let record = |shows| extract_with_site(&model, &page, shows).record(None);
    Ok(Answer::OfSite {
        content: record(BlockKind::Content),
        template: record(BlockKind::Template),
        menu: record(BlockKind::Menu),
    })
}

fn clusters(given: Vec<Given>, named: Option<&str>) -> Result<Answer, String> {
    let mut distance = Distance::default();
    if let Some(name) = named {
        distance.measure = Measure::read(name).ok_or_else(|| format!("a distance is {}", Measure::takes()))?;
    }
    let urls: Vec<String> = given.iter().map(|page| page.url.clone()).collect();
    let reduced = given.into_iter().map(|page| read(page).map(|page| distance.reduce(&page)));
    let pages: Vec<ReducedPage> = reduced.collect::<Result<_, _>>()?;
    let options = ClusterOptions { distance, ..ClusterOptions::default() };
    let found = cluster(&pages, &options).map_err(|error| error.to_string())?;
    let members = found.clustering.members().into_iter().zip(found.representatives).zip(found.spread);
    let mut clusters: Vec<Cluster> = members
        .map(|((members, representative), spread)| Cluster {
            representative: urls[representative].clone(),
            spread,
            urls: members.into_iter().map(|page| urls[page].clone()).collect(),
        })
        .collect();
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.urls.len()));
    Ok(Answer::Clusters { clusters, threshold: found.threshold, dunn: found.dunn })
}
