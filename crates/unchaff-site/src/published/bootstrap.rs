//! Bootstrapped template detection: from one page to a training set of its own template, by following its links.
//!
//! Thomas Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 7.2. Every page that the
//! page links to is loaded, one step away and no farther; pages are clustered by structure (single linkage, cut at a distance); the
//! pages in the cluster of the page are the training set for any detector that compares pages. The thesis uses the document
//! frequency filter on text nodes. What it proposes for practice is here too: copies do not count, loading stops at a limit or
//! when enough pages were found, likely links are followed first, and a page-level technique answers if the cluster is too small.
//!
//! How far two structures are apart is measured by [`distances`](crate::distances), as published by common paths, path shingles
//! or tag shingles, which come to the same quality there; common paths are the fastest.

use crate::candidates::hyperlink_distance::LastSegment;
use crate::candidates::link_order::{FirstPick, LinkOrder, TieReference, linked_pages};
use crate::candidates::training_set::{Copies, Detector, Judgement, Part, TrainingSet, explanation, nodes_of_texts};
use crate::distances::{Distance, Measure};
use crate::learned::content_site::ContentSite;
use crate::learned::site_model::SiteModel;
use crate::learned::with_site::WithSite;
use crate::registry::{SiteEntry, entry};
use crate::text::connected_components::Components;
use crate::{SiteTechnique, published::contentextractor, published::df_filter, published::infodiscoverer, published::pagelets};
use std::sync::Arc;
use unchaff_dom::{LoadError, Page, PageId, Site};
use unchaff_page::parameters::{Parameters, choice, parameters};
use unchaff_page::{BlockKind, Detection, Explanation, registry};

choice! {
    /// What finds the content, once there is a training set.
    pub enum Method {
        /// Text nodes that at most a third of the pages have (as published).
        DfFilter = "df-filter",
        /// All but pagelets that recur.
        Pagelets = "pagelets",
        /// InfoDiscoverer.
        Infodiscoverer = "infodiscoverer",
        /// ContentExtractor.
        Contentextractor = "contentextractor",
        /// The template learned as `template-auto` does, and the content as `content-site` does; ours.
        Learned = "learned",
    }
}

choice! {
    /// Which links are followed first.
    pub enum Order {
        /// In the order of the page (as published, where all are followed).
        Document = "document",
        /// Near in the site first, far apart in the page first.
        Near = "near",
    }
}

parameters! {
    /// Parameters of the bootstrap. The default is the published setting, with limits.
    pub struct Params {
        /// What finds the content, once there is a training set.
        pub detector: Method = Method::DfFilter,
        /// By what the structures of pages are compared.
        pub measure: Measure = Measure::CommonPaths,
        /// Pages no farther apart than this (0 to 1) share a template, directly or by way of others; 0 is the published value of the measure.
        pub threshold: f64 = 0.0,
        /// How many linked pages are loaded at most. The thesis loads all of them.
        pub loads: usize = 60,
        /// Loading stops when so many pages, the page itself included, share its template; 0 is never, as in the thesis.
        pub enough: usize = 12,
        /// Which links are followed first: as they stand, or those near in the site.
        pub order: Order = Order::Near,
        /// Pages that resemble an earlier one at least this much (0 to 1) are copies and are left out; 1 is the same text, more keeps all.
        pub copy: f64 = 1.0,
        /// With fewer pages of its template, the page itself included, a page is judged alone.
        pub min_pages: usize = 3,
        /// The page-level technique that judges a page alone. The thesis proposes `accb` or `dsc`.
        pub fallback: String = "auto".to_owned(),
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Bootstrap, Params>(
    "bootstrap",
    BlockKind::Content,
    "text that is rare among the linked pages of the same structure",
    "T. Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 7.2",
    "linear in the pages loaded, and their paths times their number",
);

/// What the registry knows of the preset with a detector of ours.
pub(crate) const LEARNED_ENTRY: SiteEntry = SiteEntry {
    name: "bootstrap-learned",
    summary: "what content-site finds with linked pages of the same structure, for a page whose site is not at hand",
    source: "unchaff's own, on the training set of T. Gottron: Content Extraction, 2008, section 7.2",
    parameters: || Params::learned().described(),
    build: |settings| {
        let mut params = Params::learned();
        for (at, (name, value)) in settings.iter().enumerate() {
            params.set(name, value).ok_or(at)?;
        }
        Ok(Box::new(Bootstrap { name: "bootstrap-learned", params }))
    },
    ..ENTRY
};

impl Params {
    /// With a detector of ours, for which eight pages are enough.
    #[must_use]
    pub(crate) fn learned() -> Params {
        Params { detector: Method::Learned, enough: 8, ..Params::default() }
    }
}

/// A linked page that was loaded.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    /// The page.
    pub id: PageId,
    /// Its distance from the page in question.
    pub distance: f64,
    /// Whether it is in the cluster of the page in question.
    pub alike: bool,
}

/// The pages around a page, and those of them that share its template.
#[derive(Clone, Debug)]
pub(crate) struct Gathering {
    /// The page itself and those of its cluster, in the order in which they were loaded.
    pub set: TrainingSet,
    /// All linked pages that were loaded, without copies.
    pub gathered: Vec<Gathered>,
    /// How many pages the page links to.
    pub links: usize,
    /// How many links were followed.
    pub followed: usize,
    /// How many pages could not be loaded.
    pub failed: usize,
}

/// The technique; see the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Bootstrap {
    name: &'static str,
    params: Params,
}

impl From<Params> for Bootstrap {
    fn from(params: Params) -> Bootstrap {
        Bootstrap { name: ENTRY.name, params }
    }
}

impl Bootstrap {
    /// Follows the links of a page and keeps the pages that share its template.
    #[must_use]
    pub(crate) fn gather(&self, site: &dyn Site, key: PageId, page: &Arc<Page>) -> Gathering {
        let links = self.links(site, key, page);
        let mut copies = Copies::new(self.params.copy);
        copies.is_new(page);
        let mut pages = vec![(key, Arc::clone(page))];
        let Params { measure, threshold, .. } = self.params;
        let published = || measure.published_threshold().unwrap_or(measure.threshold());
        let threshold = if threshold > 0.0 { threshold } else { published() };
        let distance = Distance { measure, ..Distance::default() };
        let mut structures = vec![distance.reduce(page).features];
        let mut distances = vec![0.0];
        let mut clusters = Components::new(links.len().min(self.params.loads) + 1);
        let (mut followed, mut failed, mut alike) = (0, 0, vec![0]);
        for link in links.iter().take(self.params.loads) {
            followed += 1;
            let Ok(other) = site.load(*link) else {
                failed += 1;
                continue;
            };
            if !copies.is_new(&other) {
                continue;
            }
            let own = distance.reduce(&other).features;
            for (at, before) in structures.iter().enumerate() {
                let far = distance.between(&own, before);
                if at == 0 {
                    distances.push(far);
                }
                if far <= threshold {
                    clusters.join(at, structures.len());
                }
            }
            structures.push(own);
            pages.push((*link, other));
            // The page itself is the first of its cluster.
            alike = (0..pages.len()).filter(|at| clusters.first(*at) == 0).collect();
            if self.params.enough > 0 && alike.len() >= self.params.enough {
                break;
            }
        }
        let gathered = (1..pages.len()).map(|at| Gathered {
            id: pages[at].0,
            distance: distances[at],
            alike: alike.binary_search(&at).is_ok(),
        });
        let gathered = gathered.collect();
        let set = TrainingSet::of(alike.iter().map(|at| pages[*at].clone()).collect());
        Gathering { set, gathered, links: links.len(), followed, failed }
    }

    fn links(&self, site: &dyn Site, key: PageId, page: &Page) -> Vec<PageId> {
        let links = linked_pages(site, key, page);
        match self.params.order {
            Order::Document => links.into_iter().map(|(page, _)| page).collect(),
            Order::Near => {
                let order = LinkOrder {
                    last_segment: LastSegment::Resource,
                    first_pick: FirstPick::DocumentOrder,
                    tie_reference: TieReference::Group,
                    seed: 0,
                };
                order.sort(site, key, page, &links).into_iter().map(|link| link.page).collect()
            }
        }
    }

    /// What the detector says, with content as the block.
    fn judge(&self, set: &TrainingSet, site: &dyn Site) -> Judgement {
        let page = set.page();
        match self.params.detector {
            Method::DfFilter => df_filter::Params::text_nodes().judge(set, site),
            Method::Infodiscoverer => infodiscoverer::Params::default().judge(set, site),
            Method::Contentextractor => contentextractor::Params::default().judge(set, site),
            Method::Pagelets => {
                let judgement = pagelets::Params { frame: false, ..pagelets::Params::default() }.judge(set, site);
                let nodes = nodes_of_texts(page, |node| !judgement.nodes.contains(node));
                let parts = judgement.parts.iter().map(|part| Part { chosen: !part.chosen, ..*part });
                Judgement { nodes, parts: parts.collect(), ..judgement }
            }
            Method::Learned => {
                let model = SiteModel::learn(set.pages().skip(1));
                let beside = WithSite::default().beside(&model, page);
                let nodes = ContentSite::default().content(page, &beside.applied.nodes);
                let values = beside.applied.evidence.iter().zip(&beside.applied.probabilities);
                let parts = beside.keys.nodes.iter().zip(values).map(|(node, (evidence, probability))| Part {
                    node: *node,
                    values: [*evidence, *probability],
                    chosen: nodes.contains(*node),
                });
                let (parts, notes) = (parts.collect(), vec![beside.note()]);
                Judgement { nodes, columns: ["evidence", "template"], parts, notes }
            }
        }
    }

    /// The page as a page-level technique sees it.
    fn alone(&self, page: &Page) -> Detection {
        let found = registry::find(&self.params.fallback).filter(|entry| entry.kind == BlockKind::Content);
        let unknown = found.is_none().then(|| {
            format!("no page-level technique `{}` finds content; `{}` was used", self.params.fallback, registry::DEFAULT)
        });
        let entry = found.or_else(|| registry::find(registry::DEFAULT));
        let mut detection = entry.map(|entry| entry.default_technique().detect(page)).unwrap_or_default();
        detection.blocks.retain(|block| block.kind == BlockKind::Content);
        detection.notes.extend(unknown);
        detection
    }

    fn remarks(&self, gathering: &Gathering) -> Vec<String> {
        let mut remarks = vec![format!(
            "{} of {} linked pages were loaded, and {} of them share the structure of the page",
            gathering.followed - gathering.failed,
            gathering.links,
            gathering.set.len() - 1
        )];
        if gathering.failed > 0 {
            remarks.push(format!("{} linked pages could not be loaded", gathering.failed));
        }
        if gathering.set.len() < self.params.min_pages {
            remarks.push(format!("too few to compare with: the page was judged alone, by `{}`", self.params.fallback));
        }
        remarks
    }
}

impl SiteTechnique for Bootstrap {
    fn name(&self) -> &'static str {
        self.name
    }

    fn detect_among(&self, site: &dyn Site, key: PageId) -> Result<Detection, LoadError> {
        let page = site.load(key)?;
        let gathering = self.gather(site, key, &page);
        let mut detection = if gathering.set.len() < self.params.min_pages {
            self.alone(&page)
        } else {
            let Judgement { nodes, notes, .. } = self.judge(&gathering.set, site);
            Detection { notes, ..Detection::of(BlockKind::Content, nodes) }
        };
        detection.notes.extend(self.remarks(&gathering));
        Ok(detection)
    }

    fn explain_among(&self, site: &dyn Site, key: PageId) -> Result<Explanation, LoadError> {
        let page = site.load(key)?;
        let gathering = self.gather(site, key, &page);
        let mut notes: Vec<String> = gathering
            .gathered
            .iter()
            .map(|Gathered { id, distance, alike }| {
                let remark = if *alike { ", learned from" } else { "" };
                format!("{} at a distance of {distance:.3}{remark}", site.url(*id))
            })
            .collect();
        notes.extend(self.remarks(&gathering));
        if gathering.set.len() < self.params.min_pages {
            return Ok(Explanation { notes, ..Explanation::default() });
        }
        Ok(explanation(self.judge(&gathering.set, site), notes, BlockKind::Content))
    }
}

#[cfg(test)]
mod tests;
