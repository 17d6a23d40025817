//! LAMIS, link analysis for mining the informative structure: the index pages of a site and the articles they lead to.
//!
//! Hung-Yu Kao, Shian-Hua Lin, Jan-Ming Ho, Ming-Syan Chen: Mining web informative structures and contents based on entropy
//! analysis. TKDE 2004, as retold by T. Gottron (Content Extraction, 2008, section 3.3.7). A link weighs as much as its text is rare
//! over the pages (`feature_entropy`), pages are ranked with those weights (`hits`), and
//! the best hubs are the index pages. Articles are where links of the hubs' informative blocks ([`infodiscoverer`]) lead.
//!
//! As a technique it gives the informative blocks of the page, by the threshold found on the hubs, and says in a note what the page is in
//! that structure. How many pages are hubs is not published.

use crate::candidates::training_set::{Detector, Judgement, Settings, Trained, TrainingSet};
use crate::published::infodiscoverer::{self, COLUMNS, Discovery, PageBlocks};
use crate::registry::{SiteEntry, entry};
use crate::text::hits::{Ranking, WeightedLink, hits};
use crate::text::keywords::Keywords;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page, Site, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{Parameter, Parameters, parameters};

parameters! {
    /// How links are weighed and hubs chosen.
    pub struct Structure {
        /// How many pages, those of the highest hub value, are index pages.
        pub hubs: usize = 3,
        /// The weight (0 to 1) of links without a keyword, such as images.
        pub empty_anchor: f64 = 0.0,
    }
}

/// Parameters of LAMIS.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Params {
    /// Links and hubs.
    pub structure: Structure,
    /// Blocks and entropies.
    pub blocks: infodiscoverer::Params,
}

impl Parameters for Params {
    fn described(&self) -> Vec<Parameter> {
        [self.structure.described(), self.blocks.described()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        self.structure.set(name, value).or_else(|| self.blocks.set(name, value))
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Trained<Params>, Settings<Params>>(
    Params::NAME,
    BlockKind::Content,
    "blocks of rare words, by a threshold found on the index pages; says whether the page is an index or an article",
    "H.-Y. Kao, S.-H. Lin, J.-M. Ho, M.-S. Chen: Mining web informative structures and contents based on entropy analysis. TKDE 2004, \
     after T. Gottron: Content Extraction, 2008, section 3.3.7",
    "linear in the pages loaded, and sorting their words",
);

/// The informative structure of a set of pages, by their places in it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct InformativeStructure {
    /// What the pages are worth as hubs and authorities.
    pub ranking: Ranking,
    /// The index pages, best first.
    pub hubs: Vec<usize>,
    /// The articles that informative blocks of index pages lead to, in order.
    pub articles: Vec<usize>,
    /// The threshold of entropy found on the index pages.
    pub threshold: f64,
}

/// A link inside the set.
struct Link {
    node: NodeId,
    edge: WeightedLink,
}

impl Params {
    fn links(&self, set: &TrainingSet, site: &dyn Site, discovery: &Discovery) -> Vec<Vec<Link>> {
        let places = set.places();
        let mut keywords = Keywords::new(&self.blocks.stop_words, self.blocks.stemming);
        let mut features = Vec::new();
        let mut of_page = |(from, page): (usize, &Page)| -> Vec<Link> {
            let links = page.links().filter(|link| page.tag(link.node) == Tag::A);
            let edges = links.filter_map(|link| {
                let to = *places.get(&site.find(&link.url?)?)?;
                features.clear();
                for text in page.subtree(link.node).filter(|node| page.tag(*node) == Tag::Text) {
                    keywords.read(page.string(text), &mut features);
                }
                features.sort_unstable();
                features.dedup();
                let weight = discovery.entropies.mean(&features).map_or(self.structure.empty_anchor, |entropy| 1.0 - entropy);
                Some(Link { node: link.node, edge: WeightedLink { from, to, weight: weight.max(0.0) } })
            });
            edges.filter(|link| link.edge.to != from).collect()
        };
        set.pages().enumerate().map(&mut of_page).collect()
    }

    /// The informative structure of a set of pages.
    #[must_use]
    pub(crate) fn informative_structure(
        &self,
        set: &TrainingSet,
        site: &dyn Site,
        discovery: &Discovery,
    ) -> InformativeStructure {
        let links = self.links(set, site, discovery);
        let edges: Vec<WeightedLink> = links.iter().flatten().map(|link| link.edge).collect();
        let ranking = hits(set.len(), &edges);
        let mut hubs: Vec<usize> = (0..set.len()).filter(|page| ranking.hubs[*page] > 0.0).collect();
        // Rounding aside, equal hubs keep their order.
        let rank = |page: &usize| -(ranking.hubs[*page] * 1e9).round();
        hubs.order_by(|one, other| rank(one).total_cmp(&rank(other)));
        hubs.truncate(self.structure.hubs);
        let threshold = self.blocks.threshold(discovery.blocks(hubs.iter().copied()));
        let mut articles = Vec::new();
        for hub in &hubs {
            let informative = discovery.informative(*hub, threshold);
            let Some(page) = set.pages().nth(*hub) else { continue };
            let leads = links[*hub].iter().filter(|link| informative[block_of(page, &discovery.pages[*hub], link.node)]);
            articles.extend(leads.map(|link| link.edge.to));
        }
        articles.sort_unstable();
        articles.dedup();
        InformativeStructure { ranking, hubs, articles, threshold }
    }
}

/// The block a node is in.
fn block_of(page: &Page, blocks: &PageBlocks, node: NodeId) -> usize {
    page.ancestors(node).find_map(|above| blocks.elements.binary_search(&above).ok()).unwrap_or(0)
}

impl Detector for Params {
    const NAME: &'static str = "lamis";
    const KIND: BlockKind = BlockKind::Content;

    fn judge(&self, set: &TrainingSet, site: &dyn Site) -> Judgement {
        let page = set.page();
        if set.len() < 2 || page.body().is_none() {
            return Judgement::undecided(page, Self::KIND, COLUMNS);
        }
        let discovery = self.blocks.discover(set);
        let structure = self.informative_structure(set, site, &discovery);
        let role = match (structure.hubs.contains(&0), structure.articles.contains(&0)) {
            (true, _) => "an index page",
            (_, true) => "an article that index pages lead to",
            _ => "neither an index page nor an article that one leads to",
        };
        let notes = vec![
            format!(
                "the page is {role} (hub {:.3}, authority {:.3})",
                structure.ranking.hubs[0], structure.ranking.authorities[0]
            ),
            format!("blocks of an entropy above {} are redundant", structure.threshold),
        ];
        let chosen = discovery.informative(0, structure.threshold);
        infodiscoverer::Params::judgement(&discovery, page, &chosen, notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    use crate::candidates::training_set::tests::set_of;

    /// An index page 0, articles 1 and 2, and an advertisement 3 that all pages link to with the same words.
    fn site() -> LoadedSite {
        let menu = "<td><a href=/3>Buy shoes</a> <a href=/0>Start</a></td>";
        let page = |at: usize, cell: &str| {
            Parser::new()
                .url(&format!("https://example.org/{at}"))
                .parse(format!("<body><table><tr>{menu}<td>{cell}</td></tr></table></body>"))
        };
        LoadedSite::new([
            page(0, "<a href=/1>Flood warning</a> <a href=/2>Election results</a>"),
            page(1, "Rivers rose quickly overnight"),
            page(2, "Voters queued patiently everywhere"),
            page(3, "Shoes cheap leather rubber"),
        ])
    }

    #[test]
    fn the_index_page_is_the_hub_and_its_rare_links_lead_to_articles() {
        let site = site();
        let set = set_of(&site);
        let params = Params { structure: Structure { hubs: 1, ..Structure::default() }, ..Params::default() };
        let structure = params.informative_structure(&set, &site, &params.blocks.discover(&set));
        assert_eq!((structure.hubs, structure.articles), (vec![0], vec![1, 2]));
        let authorities = structure.ranking.authorities;
        assert!(authorities[1] > authorities[3] && authorities[2] > authorities[3], "{authorities:?}");
        let judgement = params.judge(&set, &site);
        assert!(judgement.notes[0].contains("an index page"), "{:?}", judgement.notes);
        let link = set.page().links().nth(2).unwrap().node;
        assert!(judgement.nodes.contains(link) && !judgement.nodes.contains(set.page().links().next().unwrap().node));
    }

    #[test]
    fn links_without_words_weigh_what_the_parameter_says() {
        let page = |at: usize, html: &str| Parser::new().url(&format!("https://example.org/{at}")).parse(html.to_owned());
        let site = LoadedSite::new([page(0, "<a href=/1><img></a>"), page(1, "text")]);
        let set = set_of(&site);
        let hub = |empty_anchor| {
            let params = Params { structure: Structure { empty_anchor, ..Structure::default() }, ..Params::default() };
            params.informative_structure(&set, &site, &params.blocks.discover(&set)).ranking.hubs[0]
        };
        assert_eq!((hub(0.0), hub(0.5)), (0.0, 1.0));
    }
}
