//! Pages to clusters: the method that is asked for, in the way that the number of pages allows.
//!
//! Up to some thousand pages all pairs are compared. Beyond, single linkage looks at pairs that [sketches](super::sketched) find, or, if it is to
//! be exact, at all pairs without keeping them; k-median works on a sample and puts every page with the nearest median (L. Kaufman,
//! P. Rousseeuw: Finding Groups in Data, 1990, CLARA). Every cluster has a representative, and the clusters a dendrogram of their own.

use super::k_median::{KMedian, Start};
use super::picture::DistancePicture;
use super::quality::dunn;
use super::single_linkage::Dendrogram;
use super::sketched::components;
use super::stream::TemplateStream;
use super::{Clustering, medoid, scaling};
use crate::carried_over::path_set::PathSet;
use crate::distances::matrix::DistanceMatrix;
use crate::distances::sketch::rows_for;
use crate::distances::{Distance, Features, ReducedPage};
use crate::learned::page_keys::mix;
use crate::parallel;
use thiserror::Error;
use unchaff_page::parameters::choice;

choice! {
    /// How pages are put together.
    pub enum Method {
        /// By their nearest neighbours, up to a distance or to a number of clusters.
        SingleLinkage = "single-linkage",
        /// Around a given number of medians.
        KMedian = "k-median",
        /// One after another, each with the first page it is like.
        Stream = "stream",
    }
}

/// What is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterOptions {
    /// How far pages are apart.
    pub distance: Distance,
    /// How they are put together.
    pub method: Method,
    /// The distance up to which pages belong together; if none is given, that of the measure, in a stream the published one.
    pub threshold: Option<f64>,
    /// If no threshold is given: keep kinds of pages of one site apart, such as articles and sections.
    pub kinds: bool,
    /// How many clusters there are to be; as the threshold gives if none is given. Needed for k-median.
    pub clusters: Option<usize>,
    /// Compare all pairs, whatever their number.
    pub exact: bool,
    /// Up to how many pages all pairs are compared anyway.
    pub matrix_pages: usize,
    /// How medians are searched for.
    pub search: KMedian,
    /// Place the pages on a plane, and make a picture of their distances.
    pub map: bool,
}

impl Default for ClusterOptions {
    fn default() -> ClusterOptions {
        ClusterOptions {
            distance: Distance::default(),
            method: Method::SingleLinkage,
            threshold: None,
            kinds: false,
            clusters: None,
            exact: false,
            matrix_pages: 2000,
            search: KMedian { start: Start::Spread, ..KMedian::default() },
            map: false,
        }
    }
}

/// Why pages cannot be clustered as asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClusterError {
    /// k-median was asked for without a number of clusters.
    #[error("k-median must be told how many clusters there are; give their number, or use single-linkage, which finds it")]
    NoNumber,
    /// The distance does not compare sets.
    #[error(
        "pages in a stream are compared by sets of paths or pieces, and {0} compares none; use common-paths, id-paths, class-paths, \
         path-shingles, tag-shingles or bottom-up, or another method"
    )]
    NotASet(String),
    /// All pairs do not fit into memory.
    #[error("all pairs of {pages} pages do not fit into memory for k-median; leave out exact, or take at most {most} pages")]
    TooMany {
        /// How many pages there are.
        pages: usize,
        /// How many are possible.
        most: usize,
    },
}

/// Most pages in a matrix: four hundred megabytes.
const MOST_IN_MATRIX: usize = 14_000;

/// How many pages of a cluster are compared to find its representative.
const MOST_FOR_MEDOID: usize = 150;

/// Clusters of pages.
#[derive(Clone, PartialEq, Debug)]
pub struct PageClusters {
    /// Which page is in which.
    pub clustering: Clustering,
    /// The page that stands for each cluster: nearest to its others, or, in a stream, its first.
    pub representatives: Vec<usize>,
    /// The mean distance of the pages of each cluster to its representative.
    pub spread: Vec<f64>,
    /// How far the clusters are apart, as merges of clusters.
    pub tree: Dendrogram,
    /// How far the pages are apart, if all pairs were linked.
    pub of_pages: Option<Dendrogram>,
    /// The threshold that was used; none if the number of clusters was given.
    pub threshold: Option<f64>,
    /// Whether all pairs were compared.
    pub exact: bool,
    /// Dunn's index of the clusters, if all pairs were compared and kept.
    pub dunn: Option<f64>,
    /// A place in a plane for each page, if asked for.
    pub places: Vec<[f32; 2]>,
    /// A picture of their distances, if asked for.
    pub picture: Option<DistancePicture>,
}

/// Puts pages into clusters.
///
/// # Errors
/// If the method cannot work with what it is given.
pub fn cluster(pages: &[ReducedPage], options: &ClusterOptions) -> Result<PageClusters, ClusterError> {
    let between = |one: usize, other: usize| options.distance.between(&pages[one].features, &pages[other].features);
    let is_small = pages.len() <= options.matrix_pages;
    let keeps = is_small || (options.exact && options.method == Method::KMedian);
    if keeps && pages.len() > MOST_IN_MATRIX.max(options.matrix_pages) {
        return Err(ClusterError::TooMany { pages: pages.len(), most: MOST_IN_MATRIX });
    }
    let matrix = (keeps && options.method != Method::Stream).then(|| DistanceMatrix::new(pages.len(), between));
    let distance = |one: usize, other: usize| match &matrix {
        Some(matrix) => f64::from(matrix.at(one, other)),
        None if one == other => 0.0,
        None => between(one, other),
    };
    let threshold = options.threshold.unwrap_or_else(|| {
        let measure = options.distance.measure;
        let published = measure.published_threshold().filter(|_| options.method == Method::Stream);
        match options.kinds {
            true => measure.kind_threshold(),
            false => published.unwrap_or(measure.threshold()),
        }
    });
    let mut found = match options.method {
        Method::SingleLinkage if is_small || options.exact => linked(pages.len(), options.clusters, threshold, distance),
        Method::SingleLinkage => sketched(pages, options, threshold, distance),
        Method::KMedian => {
            let k = options.clusters.ok_or(ClusterError::NoNumber)?;
            let (clustering, representatives) = match &matrix {
                Some(matrix) => options.search.cluster(matrix, k),
                None => by_sample(pages.len(), k, options, between),
            };
            let tree = tree_of(&representatives, distance);
            Found { clustering, representatives, tree, of_pages: None }
        }
        Method::Stream => {
            let mut stream = TemplateStream::new(1.0 - threshold);
            let mut first = Vec::new();
            let mut labels = Vec::with_capacity(pages.len());
            for (at, page) in pages.iter().enumerate() {
                let Features::Set(members) = &page.features else { return Err(not_a_set(options)) };
                if !options.distance.measure.is_overlap() {
                    return Err(not_a_set(options));
                }
                let template = stream.add(PathSet::from_hashes(members.clone()));
                if template == first.len() {
                    first.push(at);
                }
                labels.push(template);
            }
            let tree = tree_of(&first, distance);
            Found { clustering: Clustering::new(labels), representatives: first, tree, of_pages: None }
        }
    };
    let members = found.clustering.members();
    if found.representatives.is_empty() {
        found.representatives = representatives(&members, distance);
    }
    let mean = |cluster: usize| {
        let (members, representative) = (&members[cluster], found.representatives[cluster]);
        members.iter().map(|page| distance(*page, representative)).sum::<f64>() / members.len().max(1) as f64
    };
    let spread = parallel::map(members.len().min(found.representatives.len()), mean);
    Ok(PageClusters {
        spread,
        threshold: (options.clusters.is_none()).then_some(threshold),
        exact: options.method != Method::Stream && (is_small || options.exact),
        dunn: matrix.as_ref().and_then(|matrix| dunn(&found.clustering, |one, other| matrix.at(one, other))),
        places: if options.map { scaling::plane(pages.len(), |one, other| distance(one, other) as f32) } else { Vec::new() },
        picture: options.map.then(|| DistancePicture::of(&found.clustering, distance, matrix.is_some())),
        clustering: found.clustering,
        representatives: found.representatives,
        tree: found.tree,
        of_pages: found.of_pages,
    })
}

fn not_a_set(options: &ClusterOptions) -> ClusterError {
    ClusterError::NotASet(options.distance.measure.to_string())
}

struct Found {
    clustering: Clustering,
    /// Empty if they are still to be found.
    representatives: Vec<usize>,
    tree: Dendrogram,
    of_pages: Option<Dendrogram>,
}

fn tree_of(representatives: &[usize], distance: impl Fn(usize, usize) -> f64 + Sync) -> Dendrogram {
    Dendrogram::new(representatives.len(), |one, other| distance(representatives[one], representatives[other]) as f32)
}

/// Single linkage over all pairs.
fn linked(pages: usize, clusters: Option<usize>, threshold: f64, distance: impl Fn(usize, usize) -> f64 + Sync) -> Found {
    let dendrogram = Dendrogram::new(pages, |one, other| distance(one, other) as f32);
    let clustering = clusters.map_or_else(|| dendrogram.cut_at(threshold), |clusters| dendrogram.cut_to(clusters));
    Found { tree: dendrogram.above(&clustering), representatives: Vec::new(), clustering, of_pages: Some(dendrogram) }
}

/// Single linkage over the pairs that sketches find; a smaller number of clusters by merging these by their representatives.
fn sketched(
    pages: &[ReducedPage],
    options: &ClusterOptions,
    threshold: f64,
    distance: impl Fn(usize, usize) -> f64 + Sync,
) -> Found {
    let least = options.distance.least_similarity(threshold);
    let sketches = pages.iter().map(|page| &page.sketch);
    // An estimate is hardly ever wrong by half, and costs much less than the distance.
    let may_be_near = |one: usize, other: usize| pages[one].sketch.similarity(&pages[other].sketch) >= least / 2.0;
    let parts = components(sketches, rows_for(least), |one, other| may_be_near(one, other) && distance(one, other) <= threshold);
    let representatives = representatives(&parts.members(), &distance);
    let tree = tree_of(&representatives, distance);
    match options.clusters.filter(|clusters| *clusters < parts.len()) {
        None => Found { clustering: parts, representatives, tree, of_pages: None },
        Some(clusters) => {
            let merged = tree.cut_to(clusters);
            let clustering = Clustering::new((0..pages.len()).map(|page| merged.of(parts.of(page))));
            Found { clustering, representatives: Vec::new(), tree: tree.above(&merged), of_pages: None }
        }
    }
}

/// Medians of a sample that is spread evenly over the pages, and every page with the nearest of them.
fn by_sample(
    pages: usize,
    k: usize,
    options: &ClusterOptions,
    distance: impl Fn(usize, usize) -> f64 + Sync,
) -> (Clustering, Vec<usize>) {
    let sample = spread_evenly(pages, options.matrix_pages.max(k));
    let matrix = DistanceMatrix::new(sample.len(), |one, other| distance(sample[one], sample[other]));
    let medians: Vec<usize> = options.search.cluster(&matrix, k).1.into_iter().map(|at| sample[at]).collect();
    let nearest = |page: usize| {
        let far = medians.iter().map(|median| if *median == page { 0.0 } else { distance(page, *median) }).enumerate();
        far.reduce(|best, next| if next.1 < best.1 { next } else { best }).map_or(0, |(cluster, _)| cluster)
    };
    let labels: Vec<usize> = parallel::map(pages, nearest);
    let clustering = Clustering::new(labels.iter().copied());
    let mut ordered = vec![0; clustering.len()];
    labels.iter().enumerate().for_each(|(page, label)| ordered[clustering.of(page)] = medians[*label]);
    (clustering, ordered)
}

/// The page nearest to the others of its cluster; of large clusters, to some of them.
fn representatives(members: &[Vec<usize>], distance: impl Fn(usize, usize) -> f64 + Sync) -> Vec<usize> {
    let find = |members: &Vec<usize>| {
        let some: Vec<usize> = spread_evenly(members.len(), MOST_FOR_MEDOID).into_iter().map(|at| members[at]).collect();
        medoid(&some, &distance).unwrap_or(0)
    };
    parallel::map(members.len(), |at| find(&members[at]))
}

/// At most so many places of so many: one drawn from each of as many equal parts, because pages may come in turns.
pub(super) fn spread_evenly(all: usize, most: usize) -> Vec<usize> {
    let count = all.min(most);
    let part = |at: usize| at * all / count..(at + 1) * all / count;
    let drawn = |at: usize| part(at).start + (mix(at as u64 + 1, all as u64) % part(at).len() as u64) as usize;
    (0..count).map(drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::Measure;
    use unchaff_dom::Page;

    /// Pages of three templates in turn, with lists of different lengths.
    fn pages(count: usize, distance: &Distance) -> Vec<ReducedPage> {
        let page = |at: usize| {
            let items = "<li><a href=x>x</a></li>".repeat(at % 5 + 1);
            let extra = ["<b>x</b>", "<em>x</em>", "<i>x</i>", "<u>x</u>"][at / 3 % 4];
            let html = match at % 3 {
                0 => format!(
                    "<nav><ul>{items}</ul></nav><main><article><h1>x</h1><p>{extra}</p><aside><p>x</p></aside></article></main><footer><p>x</p></footer>"
                ),
                1 => format!(
                    "<table><tbody><tr><td><ul>{items}</ul></td><td><form><input><select><option>x</select>{extra}</form></td></tr></tbody></table>"
                ),
                _ => format!(
                    "<div><section><header><h2>x</h2></header><figure><img><figcaption>{extra}</figcaption></figure><dl><dt>x</dt><dd><ol>{items}</ol></dd></dl></section></div>"
                ),
            };
            distance.reduce(&Page::parse(html))
        };
        (0..count).map(page).collect()
    }

    fn options(measure: Measure, method: Method) -> ClusterOptions {
        let distance = Distance { measure, ..Distance::default() };
        ClusterOptions { distance, method, clusters: (method == Method::KMedian).then_some(3), map: true, ..Default::default() }
    }

    #[test]
    fn every_method_finds_three_templates() {
        for method in [Method::SingleLinkage, Method::KMedian, Method::Stream] {
            let options = ClusterOptions { threshold: Some(0.6), ..options(Measure::CommonPaths, method) };
            let found = cluster(&pages(30, &options.distance), &options).unwrap();
            assert_eq!(found.clustering, Clustering::new((0..30).map(|at| at % 3)), "{method}");
            assert_eq!((found.representatives.len(), found.tree.merges.len(), found.places.len()), (3, 2, 30), "{method}");
            for (cluster, representative) in found.representatives.iter().enumerate() {
                assert_eq!(found.clustering.of(*representative), cluster, "{method}");
                assert!(found.spread[cluster] < 0.6);
            }
        }
    }

    #[test]
    fn many_pages_are_clustered_like_few_and_like_all_pairs() {
        for measure in [Measure::CommonPaths, Measure::ClassPaths, Measure::TagShingles, Measure::BagOfPaths] {
            for method in [Method::SingleLinkage, Method::KMedian] {
                let small = ClusterOptions { threshold: Some(0.6), ..options(measure, method) };
                let pages = pages(60, &small.distance);
                let few = cluster(&pages, &small).unwrap();
                let many = cluster(&pages, &ClusterOptions { matrix_pages: 20, ..small.clone() }).unwrap();
                let exact = cluster(&pages, &ClusterOptions { matrix_pages: 20, exact: true, ..small }).unwrap();
                assert_eq!(few.clustering, exact.clustering, "{measure} {method}");
                assert_eq!(few.clustering, many.clustering, "{measure} {method}");
                assert!(few.exact && exact.exact && !many.exact);
            }
        }
    }

    /// Measures that compare no sets are sketched by path shingles: near pages are found if they have some in common.
    #[test]
    fn many_pages_are_found_by_their_paths_where_no_sets_are_compared() {
        let small = ClusterOptions { threshold: Some(0.01), ..options(Measure::TagVector, Method::SingleLinkage) };
        let pages = pages(60, &small.distance);
        let many = cluster(&pages, &ClusterOptions { matrix_pages: 20, ..small.clone() }).unwrap();
        assert_eq!(cluster(&pages, &small).unwrap().clustering, many.clustering);
    }

    #[test]
    fn a_number_of_clusters_can_be_asked_for() {
        for matrix_pages in [10, 100] {
            let options =
                ClusterOptions { clusters: Some(2), matrix_pages, ..options(Measure::CommonPaths, Method::SingleLinkage) };
            let found = cluster(&pages(40, &options.distance), &options).unwrap();
            assert_eq!((found.clustering.len(), found.threshold), (2, None), "{matrix_pages}");
            assert_eq!(found.representatives.len(), 2);
        }
    }

    #[test]
    fn what_cannot_be_done_is_said_with_the_way_out() {
        let without = ClusterOptions { clusters: None, ..options(Measure::CommonPaths, Method::KMedian) };
        assert!(cluster(&[], &without).unwrap_err().to_string().contains("give their number"));
        let tree = options(Measure::Rtdm, Method::Stream);
        assert!(cluster(&pages(3, &tree.distance), &tree).unwrap_err().to_string().contains("use common-paths"));
        let bags = options(Measure::BagOfPaths, Method::Stream);
        assert!(cluster(&pages(3, &bags.distance), &bags).is_err());
    }

    #[test]
    fn no_pages_have_no_clusters_and_threads_do_not_matter() {
        for method in [Method::SingleLinkage, Method::KMedian, Method::Stream] {
            let options = options(Measure::CommonPaths, method);
            assert!(cluster(&[], &options).unwrap().clustering.is_empty());
            #[cfg(feature = "threads")]
            let pages = pages(50, &options.distance);
            #[cfg(feature = "threads")]
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| cluster(&pages, &ClusterOptions { matrix_pages: 20, ..options.clone() }).unwrap())
            };
            #[cfg(feature = "threads")]
            assert_eq!(on(1), on(4), "{method}");
        }
    }
}
