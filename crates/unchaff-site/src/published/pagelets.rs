//! Pagelets that recur: parts of pages whose shingles are found on other pages too, in pages that hang together by links.
//!
//! Ziv Bar-Yossef, Sridhar Rajagopalan: Template detection via data mining and its applications. WWW 2002, as retold by
//! T. Gottron (Content Extraction, 2008, section 3.3.1). Pagelets are those of [`largest_pagelet`],
//! with three links. Two are identical if their sets of shingles are equal. *Local* detection calls
//! every group of identical pagelets of two pages a template; *global* detection asks that their pages be
//! connected by links, whatever the direction. One word more makes another pagelet, which defeats the purpose of shingles; resemblance
//! and minima are the ways out. The length of shingles is not published.

use crate::candidates::training_set::{Detector, Judgement, Part, Settings, Trained, TrainingSet};
use crate::registry::{SiteEntry, entry};
use crate::text::connected_components::Components;
use crate::text::hits::{WeightedLink, hits};
use crate::text::shingles::{SetIndex, minima, read_words, resemblance, sequence_hash, shingles};
use std::collections::{BTreeMap, HashMap, HashSet};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Site};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{choice, parameters};
use unchaff_page::published::largest_pagelet::{self, LargestPagelet};
use unchaff_page::published::link_quota::Links;

choice! {
    /// When two pagelets are the same.
    pub enum Identity {
        /// If their sets of shingles are equal (as printed).
        ExactSets = "exact-sets",
        /// If their sets of shingles resemble each other enough, directly or by way of others.
        Resemblance = "resemblance",
        /// If the minima of their shingles under some orders are equal.
        MinHash = "min-hash",
    }
}

choice! {
    /// Which groups of identical pagelets are templates.
    pub enum Detection {
        /// All of two pages or more; for small collections.
        Local = "local",
        /// Those whose pages are connected by links.
        Global = "global",
    }
}

parameters! {
    /// Parameters of the detector. The default is the published setting where there is one.
    pub struct Params {
        /// Groups of identical pagelets of two pages are templates, or only if the pages are connected by links.
        pub detection: Detection = Detection::Local,
        /// An element is divided if a child has this many links.
        pub k: u32 = 3,
        /// How many words a shingle has.
        pub shingle: usize = 4,
        /// When two pagelets are the same: by equal sets of shingles, by their resemblance, or by some minima.
        pub identity: Identity = Identity::ExactSets,
        /// How much pagelets must resemble each other (0 to 1), if that decides.
        pub min_resemblance: f64 = 0.9,
        /// Under how many orders the minima must be equal, if they decide.
        pub minima: usize = 4,
        /// Whether the elements around a pagelet of the template belong to the template.
        pub frame: bool = true,
        /// Which `a` elements are links: those with an href, or all.
        pub links: Links = Links::Href,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Trained<Params>, Settings<Params>>(
    Params::NAME,
    BlockKind::Template,
    "parts between lists of links whose words, as sets of shingles, are found on another page too",
    "Z. Bar-Yossef, S. Rajagopalan: Template detection via data mining and its applications. WWW 2002, \
     after T. Gottron: Content Extraction, 2008, section 3.3.1",
    "linear in the pages loaded",
);

/// A pagelet of a page of the set, with a number that identical ones share.
#[derive(Clone, Copy, Debug)]
struct Pagelet {
    page: usize,
    root: NodeId,
    words: usize,
    signature: u64,
}

impl Params {
    /// The pagelets of a page's body, in document order.
    #[must_use]
    pub(crate) fn partition(&self, page: &Page) -> Vec<NodeId> {
        let Some(body) = page.body() else { return Vec::new() };
        let params = largest_pagelet::Params { k: self.k, links: self.links, ..largest_pagelet::Params::default() };
        let mut pagelets = LargestPagelet::from(params).pagelets(page);
        if pagelets.iter().any(|pagelet| page.is_ancestor(*pagelet, body)) {
            return vec![body];
        }
        pagelets.retain(|pagelet| page.range(body).contains(&pagelet.index()));
        pagelets
    }

    /// The pagelets of all pages that have a word in them: without one, there is nothing to compare.
    fn pagelets(&self, set: &TrainingSet) -> Vec<Pagelet> {
        let (mut pagelets, mut sets): (Vec<Pagelet>, Vec<Vec<u64>>) = (Vec::new(), Vec::new());
        let mut known: HashMap<u64, usize> = HashMap::new();
        let mut words = Vec::new();
        for (at, page) in set.pages().enumerate() {
            for root in self.partition(page) {
                read_words(page, root, &mut words);
                if words.is_empty() {
                    continue;
                }
                let shingles = shingles(&words, self.shingle);
                let signature = match self.identity {
                    Identity::MinHash => sequence_hash(&minima(&shingles, self.minima)),
                    Identity::ExactSets | Identity::Resemblance => sequence_hash(&shingles),
                };
                pagelets.push(Pagelet { page: at, root, words: words.len(), signature });
                if self.identity == Identity::Resemblance && !known.contains_key(&signature) {
                    known.insert(signature, sets.len());
                    sets.push(shingles);
                }
            }
        }
        if self.identity == Identity::Resemblance {
            let mut groups = self.resembling(&sets);
            for pagelet in &mut pagelets {
                pagelet.signature = groups.first(known[&pagelet.signature]) as u64;
            }
        }
        pagelets
    }

    fn resembling(&self, sets: &[Vec<u64>]) -> Components {
        let index = SetIndex::new(sets.iter().map(Vec::as_slice));
        let mut groups = Components::new(sets.len());
        for (at, set) in sets.iter().enumerate() {
            for other in index.candidates(set, self.min_resemblance) {
                if (other as usize) < at && resemblance(set, &sets[other as usize]) >= self.min_resemblance {
                    groups.join(at, other as usize);
                }
            }
        }
        groups
    }

    /// The templates of a collection: the pagelets of each, as the page's place in the set and the root.
    #[must_use]
    pub(crate) fn templates(&self, set: &TrainingSet, site: &dyn Site) -> Vec<Vec<(usize, NodeId)>> {
        let connected = if self.detection == Detection::Global { Some(set.links(site)) } else { None };
        let templates = self.group(&self.pagelets(set), connected.as_deref());
        templates.into_iter().map(|group| group.into_iter().map(|pagelet| (pagelet.page, pagelet.root)).collect()).collect()
    }

    /// What the pages of a set are worth as authorities (`hits`), where pagelets link instead of pages and those of templates do not: Clever on pagelets.
    #[must_use]
    pub(crate) fn authorities(&self, set: &TrainingSet, site: &dyn Site) -> Vec<f64> {
        let templates: HashSet<(usize, NodeId)> = self.templates(set, site).into_iter().flatten().collect();
        let places = set.places();
        let mut links = Vec::new();
        let mut hubs = set.len();
        for (at, page) in set.pages().enumerate() {
            // Pagelets do not overlap, so links come in the order of pagelets.
            let mut all = page.links().peekable();
            for root in self.partition(page) {
                while all.next_if(|link| link.node < root).is_some() {}
                hubs += 1;
                while let Some(link) = all.next_if(|link| link.node < page.end(root)) {
                    let to = link.url.and_then(|url| places.get(&site.find(&url)?).copied());
                    if let Some(to) = to.filter(|to| *to != at && !templates.contains(&(at, root))) {
                        links.push(WeightedLink { from: hubs - 1, to, weight: 1.0 });
                    }
                }
            }
        }
        let mut authorities = hits(hubs, &links).authorities;
        authorities.truncate(set.len());
        authorities
    }

    /// Groups of identical pagelets of two pages or more; with links, one group for each component of their pages.
    fn group(&self, pagelets: &[Pagelet], links: Option<&[Vec<usize>]>) -> Vec<Vec<Pagelet>> {
        let mut identical: BTreeMap<u64, Vec<Pagelet>> = BTreeMap::new();
        for pagelet in pagelets {
            identical.entry(pagelet.signature).or_default().push(*pagelet);
        }
        let mut templates: Vec<Vec<Pagelet>> = Vec::new();
        for group in identical.into_values().filter(|group| group[0].page != group[group.len() - 1].page) {
            let Some(links) = links else {
                templates.push(group);
                continue;
            };
            let mut components = Components::new(links.len());
            let has = |page: &usize| group.binary_search_by_key(page, |pagelet| pagelet.page).is_ok();
            for page in group.iter().map(|pagelet| pagelet.page) {
                links[page].iter().filter(|to| has(to)).for_each(|to| components.join(page, *to));
            }
            let mut parts: BTreeMap<usize, Vec<Pagelet>> = BTreeMap::new();
            for pagelet in group {
                parts.entry(components.first(pagelet.page)).or_default().push(pagelet);
            }
            templates.extend(parts.into_values().filter(|part| part[0].page != part[part.len() - 1].page));
        }
        templates.order_by_key(|template| (template[0].page, template[0].root));
        templates
    }
}

/// How many pages a template is on.
fn pages_of(template: &[Pagelet]) -> usize {
    template.chunk_by(|one, next| one.page == next.page).count()
}

impl Detector for Params {
    const NAME: &'static str = "pagelets";
    const KIND: BlockKind = BlockKind::Template;

    fn judge(&self, set: &TrainingSet, site: &dyn Site) -> Judgement {
        let columns = ["words", "pages"];
        if set.len() < 2 {
            return Judgement::undecided(set.page(), Self::KIND, columns);
        }
        let page = set.page();
        let pagelets = self.pagelets(set);
        let links = (self.detection == Detection::Global).then(|| set.links(site));
        let mut pages: HashMap<NodeId, usize> = HashMap::new();
        for template in self.group(&pagelets, links.as_deref()) {
            let number = pages_of(&template);
            pages.extend(template.iter().filter(|pagelet| pagelet.page == 0).map(|pagelet| (pagelet.root, number)));
        }
        let mut nodes = NodeSet::from_roots(page, pages.keys().copied());
        if self.frame && !nodes.is_empty() {
            let body = page.body().unwrap_or(page.root());
            nodes = nodes.with_ancestors(page);
            page.ancestors(body).for_each(|above| nodes.remove(above));
        }
        let parts = pagelets.iter().filter(|pagelet| pagelet.page == 0).map(|pagelet| {
            let number = pages.get(&pagelet.root);
            let values = [pagelet.words as f64, *number.unwrap_or(&1) as f64];
            Part { node: pagelet.root, values, chosen: number.is_some() }
        });
        Judgement { nodes, columns, parts: parts.collect(), notes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::training_set::tests::{found, linked, set_of};
    use proptest::prelude::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    #[test]
    fn pages_are_partitioned_at_lists_of_links() {
        // A page made by hand.
        let page = Page::parse(
            "<body><ul><li><a href=1>h</a></li><li><a href=2>n</a></li><li><a href=3>s</a></li></ul><div><h1>T</h1><p>text<a href=4>x</a>more</p><p>text2<a href=5>y</a></p></div><div><a href=6>c</a></div></body>",
        );
        let names = |k| {
            let pagelets = Params { k, ..Params::default() }.partition(&page);
            pagelets.into_iter().map(|node| format!("{} {}", page.name(node), page.text(node))).collect::<Vec<_>>()
        };
        let three = ["ul hns", "div Ttextxmoretext2y", "div c"];
        assert_eq!(names(7), ["body hnsTtextxmoretext2yc"]);
        assert_eq!(names(4), ["body hnsTtextxmoretext2yc"]);
        assert_eq!(names(3), three);
        assert_eq!(names(2), three);
        assert_eq!(names(1), ["a h", "a n", "a s", "h1 T", "#text text", "a x", "#text more", "#text text2", "a y", "a c"]);
    }

    /// Pages of which each has some texts as pagelets, between lists of links, and links to some others.
    fn graph(pages: &[(&[&str], &[usize])]) -> LoadedSite {
        LoadedSite::new(pages.iter().enumerate().map(|(at, (texts, links))| {
            let texts: String = texts.iter().map(|text| format!("<p>{text}</p>")).collect();
            let menu = format!("<div>{}</div>", format!("<a href=https://{at}.example/></a>").repeat(3));
            let links: String = links.iter().map(|to| format!("<i><a href=/{to}></a></i>")).collect();
            Parser::new().url(&format!("https://example.org/{at}")).parse(format!("<body>{menu}{texts}{links}</body>"))
        }))
    }

    #[test]
    fn global_templates_are_connected_by_links() {
        // After figure 3.3 of Gottron's thesis; the links are ours.
        let site =
            graph(&[(&["p1", "p2"], &[1]), (&["p1", "p4"], &[]), (&["p1"], &[1]), (&["p2", "p3"], &[4]), (&["p3", "p4"], &[])]);
        let set = set_of(&site);
        let texts = |detection| {
            let templates = Params { detection, ..Params::default() }.templates(&set, &site);
            let name = |(page, root): (usize, NodeId)| set.pages().nth(page).unwrap().text(root).to_owned();
            let mut names: Vec<(String, usize)> = templates.iter().map(|group| (name(group[0]), group.len())).collect();
            names.sort();
            names
        };
        let named = |names: &[(&str, usize)]| names.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect::<Vec<_>>();
        assert_eq!(texts(Detection::Local), named(&[("p1", 3), ("p2", 2), ("p3", 2), ("p4", 2)]));
        assert_eq!(texts(Detection::Global), named(&[("p1", 3), ("p3", 2)]));
    }

    const MENU: &str = "<ul><li><a href=/x>Home</a><li><a href=/y>News</a><li><a href=/z>About</a></ul>";

    #[test]
    fn what_another_page_has_too_is_template() {
        let bodies = [
            &*format!("{MENU}<div>It rained.</div><p>Made by us in 2024</p>"),
            &*format!("{MENU}<div>Then the sun came.</div><p>Made by us in 2024</p>"),
        ];
        assert_eq!(found(&Params::default(), &bodies), "Home News About Made by us in 2024");
        assert_eq!(found(&Params::default(), &bodies[..1]), "");
        let site = linked(&bodies);
        let judge = |frame| Params { frame, ..Params::default() }.judge(&set_of(&site), &site);
        let body = site.load(unchaff_dom::PageId(0)).unwrap().body().unwrap();
        assert!(judge(true).nodes.contains(body) && !judge(false).nodes.contains(body));
    }

    #[test]
    fn one_word_more_makes_another_pagelet_unless_resemblance_decides() {
        // By the letter of section 3.3.1, sets of shingles must be equal.
        let words = (0..90).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let bodies = [&*format!("{MENU}<p>{words}</p>"), &*format!("{MENU}<p>{words} more</p>")];
        let has = |params: Params| found(&params, &bodies).contains("87 88 89");
        assert!(!has(Params::default()));
        assert!(has(Params { identity: Identity::Resemblance, ..Params::default() }));
        assert!(!has(Params { identity: Identity::Resemblance, min_resemblance: 0.99, ..Params::default() }));
        assert!(has(Params { identity: Identity::MinHash, minima: 1, ..Params::default() }));
    }

    proptest! {
        #[test]
        fn identical_by_sets_is_identical_by_any_measure(
            pages in prop::collection::vec("(<p>|<ul>|<li>|</ul>|<a href=[xyz]>|</a>|one |two |three ){0,30}", 2..4),
        ) {
            let bodies: Vec<&str> = pages.iter().map(String::as_str).collect();
            let site = linked(&bodies);
            let set = set_of(&site);
            let exact = Params::default().judge(&set, &site);
            prop_assert_eq!(&exact, &Params::default().judge(&set, &site));
            for identity in [Identity::Resemblance, Identity::MinHash] {
                let other = Params { identity, ..Params::default() }.judge(&set, &site);
                prop_assert!(exact.nodes.iter().all(|node| other.nodes.contains(node)));
            }
            let global = Params { detection: Detection::Global, ..Params::default() }.judge(&set, &site);
            prop_assert_eq!(&global.nodes, &exact.nodes, "all pages link to each other");
        }
    }
}
