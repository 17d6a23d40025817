//! Clusters of pages as a value: the JSON of `unchaff cluster`, which `docs/clustering.md` describes, and its table.

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;
use unchaff_dom::links::shown;
use unchaff_dom::order::InOrder;
use unchaff_site::clustering::quality::Contingency;
use unchaff_site::clustering::{ClusterOptions, Clustering, PageClusters};

/// How many pages that are alone in their cluster a table has.
const ALONE: usize = 20;

/// Which pages share a template.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClusterRecord {
    /// Where the pages come from, if the caller says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How many pages there are.
    pub pages: usize,
    /// How many could not be read, if the caller read them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// What of two pages was compared.
    pub distance: String,
    /// How pages were put together.
    pub method: String,
    /// The distance up to which pages belong together; none if the number of clusters was given.
    pub threshold: Option<f64>,
    /// Whether all pairs were compared.
    pub exact: bool,
    /// The Dunn index of the result, if it was computed.
    pub dunn: Option<f64>,
    /// How far the clusters agree with the truth, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// The clusters, the largest first.
    pub clusters: Vec<OneCluster>,
    /// How far clusters are apart, the nearest first.
    pub merges: Vec<NearClusters>,
}

/// Pages that share a template.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OneCluster {
    /// Its number, from 1.
    pub cluster: usize,
    /// How many pages it has.
    pub pages: usize,
    /// The page that stands for it, by its address, or by its file in a folder that stands for no address.
    pub representative: String,
    /// What the addresses of its pages have in common.
    pub label: String,
    /// The mean distance of its pages to that page.
    pub spread: f64,
    /// Its pages, in the same way.
    pub urls: Vec<String>,
}

/// Two clusters and how far they are apart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NearClusters {
    /// The number of one.
    pub one: usize,
    /// The number of the other.
    pub other: usize,
    /// Their distance.
    pub distance: f64,
}

/// How far clusters agree with what is known of the pages (Gottron 2008, section 7.1.3). 1 is best for all but the mutual information.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// Of how many pages the truth is known.
    pub pages: usize,
    /// How many different things they are.
    pub classes: usize,
    /// The share of pairs of pages that both put together or both keep apart.
    pub rand: f64,
    /// The same less what chance gives.
    pub adjusted_rand: f64,
    /// The share of pages that are what most pages of their cluster are.
    pub purity: f64,
    /// What the cluster of a page tells about its class, in nats.
    pub mutual_information: f64,
    /// The same as a share of the mean entropy of clusters and classes.
    pub normalised_information: f64,
}

/// What pages are known to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Pages of one host are alike.
    Host,
    /// Pages of one first folder of the address are alike.
    Folder,
    /// What is told of an address.
    Told(HashMap<String, String>),
}

impl Truth {
    /// Lines of an address, a tab, and what the page is.
    #[must_use]
    pub fn told(lines: &str) -> Truth {
        let pairs = lines.lines().filter_map(|line| line.split_once('\t'));
        Truth::Told(pairs.map(|(url, class)| (url.to_owned(), class.trim().to_owned())).collect())
    }

    /// What each of these pages is, as far as it is known.
    #[must_use]
    pub fn of<'t>(&'t self, urls: &'t [String]) -> Vec<Option<&'t str>> {
        let part = |url: &'t String, number| url.splitn(5, '/').nth(number);
        let class = |url: &'t String| match self {
            Truth::Host => part(url, 2),
            Truth::Folder => part(url, 3),
            Truth::Told(told) => told.get(url).or_else(|| told.get(&*shown(url))).map(String::as_str),
        };
        urls.iter().map(class).collect()
    }
}

impl Agreement {
    /// Compares clusters with what is known of each page; none if nothing is known of any.
    #[must_use]
    pub fn of(clusters: &Clustering, truth: &[Option<&str>]) -> Option<Agreement> {
        let known: Vec<(usize, &str)> = truth.iter().enumerate().filter_map(|(page, class)| Some((page, (*class)?))).collect();
        let mut names: Vec<&str> = known.iter().map(|(_, class)| *class).collect();
        names.sort_unstable();
        names.dedup();
        let found = Clustering::new(known.iter().map(|(page, _)| clusters.of(*page)));
        let classes = Clustering::new(known.iter().map(|(_, class)| names.partition_point(|name| name < class)));
        let both = Contingency::new(&found, &classes);
        (!known.is_empty()).then(|| Agreement {
            pages: known.len(),
            classes: names.len(),
            rand: rounded(both.rand()),
            adjusted_rand: rounded(both.adjusted_rand()),
            purity: rounded(both.purity()),
            mutual_information: rounded(both.mutual_information()),
            normalised_information: rounded(both.normalised_information()),
        })
    }

    /// In a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let Agreement { pages, classes, rand, adjusted_rand, purity, mutual_information, normalised_information } = self;
        format!(
            "against the truth ({} of {}): Rand {rand:.3}, adjusted {adjusted_rand:.3}, purity {purity:.3}, mutual information {mutual_information:.3} \
             nats, as a share of the mean entropy {normalised_information:.3}",
            plural(*classes, "class", "classes"),
            plural(*pages, "page", "pages")
        )
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What addresses have in common: whole parts from their start, without the scheme.
fn common_address(urls: &[&str]) -> String {
    let plain = |url: &&str| url.split_once("://").map_or(*url, |(_, rest)| rest).to_owned();
    let Some(first) = urls.first().map(plain) else { return String::new() };
    let mut common = first.len();
    for url in &urls[1..] {
        let other = plain(url);
        common = first
            .char_indices()
            .zip(other.chars())
            .find(|((_, one), other)| one != other)
            .map_or(first.len().min(other.len()), |((at, _), _)| at)
            .min(common);
    }
    if urls.iter().all(|url| plain(url) == first) {
        return first;
    }
    let end = first[..common].rfind(['/', '?', '=', '&']).map_or(0, |at| at + 1);
    format!("{}…", &first[..end])
}

/// A number without the digits that are not meant.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

impl ClusterRecord {
    /// What was found of pages with these addresses, and what was asked for.
    #[must_use]
    pub fn of(urls: &[String], asked: &ClusterOptions, found: &PageClusters) -> ClusterRecord {
        let urls: Vec<String> = urls.iter().map(|url| shown(url).into_owned()).collect();
        let members = found.clustering.members();
        let mut by_size: Vec<usize> = (0..members.len()).collect();
        by_size.order_by_key(|cluster| Reverse(members[*cluster].len()));
        let mut number = vec![0; members.len()];
        by_size.iter().enumerate().for_each(|(rank, cluster)| number[*cluster] = rank + 1);
        let clusters = by_size.into_iter().map(|cluster| OneCluster {
            cluster: number[cluster],
            pages: members[cluster].len(),
            representative: urls[found.representatives[cluster]].clone(),
            label: common_address(&members[cluster].iter().map(|page| urls[*page].as_str()).collect::<Vec<_>>()),
            spread: rounded(found.spread[cluster]),
            urls: members[cluster].iter().map(|page| urls[*page].clone()).collect(),
        });
        let merges = found.tree.merges.iter().map(|merge| NearClusters {
            one: number[merge.one as usize],
            other: number[merge.other as usize],
            distance: rounded(f64::from(merge.distance)),
        });
        ClusterRecord {
            source: None,
            pages: urls.len(),
            failed: None,
            distance: asked.distance.measure.to_string(),
            method: asked.method.to_string(),
            threshold: found.threshold,
            exact: found.exact,
            dunn: found.dunn.map(rounded),
            agreement: None,
            clusters: clusters.collect(),
            merges: merges.collect(),
        }
    }

    /// What was done, in a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let threshold = self.threshold.map_or(String::new(), |threshold| format!(" up to {threshold}"));
        let pairs = if self.exact || self.method == "stream" { "" } else { "; not all pairs were compared" };
        let (pages, clusters) = (plural(self.pages, "page", "pages"), plural(self.clusters.len(), "cluster", "clusters"));
        format!("{pages} in {clusters} ({}, {}{threshold}{pairs})", self.method, self.distance)
    }

    /// The cluster that is nearest to another, and how far it is.
    #[must_use]
    pub fn nearest(&self, cluster: usize) -> Option<(usize, f64)> {
        let of = self.merges.iter().find(|merge| merge.one == cluster || merge.other == cluster)?;
        Some((if of.one == cluster { of.other } else { of.one }, of.distance))
    }

    /// A table for the terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let mut out = format!("{}\n", self.summary());
        self.agreement.iter().for_each(|agreement| out += &format!("{}\n", agreement.summary()));
        out += "\ncluster   pages  share  spread  nearest         representative\n";
        let together = self.clusters.iter().filter(|cluster| cluster.pages > 1).count();
        for OneCluster { cluster, pages, spread, representative, .. } in self.clusters.iter().take(together + ALONE) {
            let nearest =
                self.nearest(*cluster).map_or("–".to_owned(), |(other, distance)| format!("{distance:.2} to {other}"));
            let share = 100.0 * *pages as f64 / self.pages as f64;
            // What could steer the terminal is a question mark.
            let plain: String = representative.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
            let _ = writeln!(out, "{cluster:>7} {pages:>7} {share:>5.1}% {spread:>7.2}  {nearest:<14}  {plain}");
        }
        if self.clusters.len() > together + ALONE {
            let more = self.clusters.len() - together - ALONE;
            let _ = writeln!(out, "and {more} more pages that are alone in their cluster; JSON has them all");
        }
        out + "\nspread: mean distance to the representative; nearest: distance to the nearest other cluster, and which it is\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_what_addresses_share_in_whole_parts() {
        let label = |urls: &[&str]| common_address(urls);
        assert_eq!(label(&["https://a.example/news/1.html", "https://a.example/news/12.html"]), "a.example/news/…");
        assert_eq!(label(&["https://a.example/?t=14", "https://a.example/?t=15"]), "a.example/?t=…");
        assert_eq!(label(&["https://a.example/x", "https://b.example/x"]), "…");
        assert_eq!(label(&["https://a.example/über", "https://a.example/ünter"]), "a.example/…");
        assert_eq!(label(&["https://a.example/x"]), "a.example/x");
        assert_eq!(label(&["a/1.html", "a/2.html"]), "a/…", "files of a folder");
        assert_eq!(label(&["https://a.example/x", "https://a.example/x/y"]), "a.example/…");
    }

    #[test]
    fn agreement_counts_the_pages_whose_truth_is_known() {
        let clusters = Clustering::new([0, 0, 1, 1, 2]);
        let agreement = Agreement::of(&clusters, &[Some("a"), Some("a"), Some("b"), Some("b"), None]).unwrap();
        assert_eq!((agreement.pages, agreement.classes, agreement.adjusted_rand, agreement.purity), (4, 2, 1.0, 1.0));
        assert_eq!(Agreement::of(&clusters, &[None; 5]), None);
        assert!(agreement.summary().starts_with("against the truth (2 classes of 4 pages): Rand 1.000"));
    }
}
