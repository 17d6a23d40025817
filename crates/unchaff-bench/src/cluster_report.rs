//! The report on clusters of pages: a map, how clusters and pages are related, how far they are apart, and what each cluster looks like. One file that
//! loads nothing.

mod clusters;
mod dendrogram;
mod distances;
mod map;

use crate::report::{SCRIPT, STYLE, escape};
use std::fmt::Write;
use unchaff::{ClusterRecord, Page};
use unchaff_dom::Tag;
use unchaff_dom::links::shown;
use unchaff_dom::order::InOrder;
use unchaff_site::clustering::PageClusters;
use unchaff_site::clustering::skeleton::Skeleton;

const OWN_STYLE: &str = "
:root { --light: 52%; --strong: .15; }
@media (prefers-color-scheme: dark) { :root { --light: 74%; --strong: .13; } }
h2 { text-transform: none; }
.cluster { color: oklch(var(--light) var(--strong) var(--h)); }
.map { border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
.map circle { fill: currentColor; fill-opacity: .55; stroke: var(--raised); stroke-width: .75; }
.map circle:hover { fill-opacity: 1; stroke: var(--ink); }
.map .alone circle { fill-opacity: .12; stroke: currentColor; }
.map .cluster.lit circle { fill-opacity: 1; }
.map:has(.cluster.lit) .cluster:not(.lit) { opacity: .25; }
.map .number { font-weight: 700; fill: var(--ink); paint-order: stroke; stroke: var(--raised); stroke-width: 3; pointer-events: none; }
.tree .branch { stroke: var(--soft); fill: none; }
.tree .cut { stroke: var(--c2); stroke-dasharray: 4 3; }
.tree .cut-label { fill: var(--c2); }
.tree text { fill: var(--ink); }
.tree text tspan { fill: var(--soft); }
.tree .lit text { font-weight: 700; }
.dot { display: inline-block; width: .75em; height: .75em; border-radius: 99px; background: currentColor; margin-right: .5em; }
td.page { text-align: left; white-space: normal; overflow-wrap: anywhere; max-width: 40rem; }
summary { overflow-wrap: anywhere; }
td.look { padding: .3rem .6rem; } td.look svg { display: block; }
.page b { font-weight: 600; } .page small { display: block; color: var(--soft); }
.skeleton { background: var(--raised); border: 1px solid var(--line); border-radius: 3px; }
.skeleton .text { stroke: var(--soft); opacity: .7; } .skeleton .link { stroke: var(--accent); } .skeleton .heading { stroke: var(--ink); }
.skeleton .picture { stroke: var(--c3); opacity: .45; } .skeleton .field { stroke: var(--c2); opacity: .7; } .skeleton path { fill: none; }
.matrix { max-width: 40rem; } .matrix path { fill: var(--ink); } .matrix .edge { fill: none; stroke: var(--c2); stroke-width: .4; }
.bars .within { fill: var(--accent); } .bars .between { fill: var(--c6); opacity: .6; } .bars .cut { stroke: var(--c2); stroke-dasharray: 4 3; fill: none; }
.bars .gap { fill: var(--c2); opacity: .12; } .bars .cut-label { fill: var(--c2); }
.tree .leaf { fill: var(--soft); }
details ul { columns: 24rem; padding-left: 1.2rem; font-size: .875rem; overflow-wrap: anywhere; }
";

/// What a report shows of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PageCard {
    /// Its address.
    pub url: String,
    /// Where a reader of the report finds it, if not at its address: its file.
    pub file: Option<String>,
    /// Its title, or what stands for one.
    pub title: String,
    /// What it looks like.
    pub skeleton: Skeleton,
}

/// Titles are cut here.
const MOST_OF_TITLE: usize = 120;

impl PageCard {
    /// What is shown of a page.
    #[must_use]
    pub fn of(page: &Page, url: &str, file: Option<String>) -> PageCard {
        let named = |wanted: Tag| page.nodes().find(|node| page.tag(*node) == wanted);
        // The text of a title is raw: it stands in no body.
        let inside = |node| page.descendants(node).map(|text| page.string(text)).collect::<String>();
        let titles = [Tag::Title, Tag::H1].into_iter().filter_map(named).map(inside);
        let words = |title: String| title.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_OF_TITLE).collect();
        let title = titles.map(words).find(|title: &String| !title.is_empty()).unwrap_or_default();
        PageCard { url: shown(url).into_owned(), file, title, skeleton: Skeleton::of(page) }
    }

    /// Its title, or its address if it has none.
    fn name(&self) -> &str {
        if self.title.is_empty() { &self.url } else { &self.title }
    }

    /// Its name as a link that leads to it, if it is a file or on the web.
    fn link(&self) -> String {
        let name = escape(self.name());
        let is_web = self.url.starts_with("http://") || self.url.starts_with("https://");
        match self.file.as_deref().or(Some(self.url.as_str()).filter(|_| is_web)) {
            Some(target) => format!("<a href='{}' rel='noreferrer nofollow'>{name}</a>", escape(target)),
            None => name,
        }
    }
}

/// What a report is of.
#[derive(Clone, Copy, Debug)]
pub struct ClusterReport<'r> {
    /// The clusters as a value.
    pub record: &'r ClusterRecord,
    /// The same as they were found, with places and a picture.
    pub found: &'r PageClusters,
    /// The pages, in their order.
    pub pages: &'r [PageCard],
}

/// The clusters by size, as the record numbers them.
struct Ranked<'r> {
    report: ClusterReport<'r>,
    /// The pages of each cluster, the largest first.
    members: Vec<Vec<usize>>,
    /// The page that stands for each.
    representatives: Vec<usize>,
    /// Where each cluster that was found stands among them.
    rank: Vec<usize>,
}

impl ClusterReport<'_> {
    /// The report as a page.
    #[must_use]
    pub fn html(&self) -> String {
        let members = self.found.clustering.members();
        let mut by_size: Vec<usize> = (0..members.len()).collect();
        by_size.order_by_key(|cluster| std::cmp::Reverse(members[*cluster].len()));
        let mut rank = vec![0; members.len()];
        by_size.iter().enumerate().for_each(|(at, cluster)| rank[*cluster] = at);
        let ranked = Ranked {
            report: *self,
            members: by_size.iter().map(|cluster| members[*cluster].clone()).collect(),
            representatives: by_size.iter().map(|cluster| self.found.representatives[*cluster]).collect(),
            rank,
        };
        let mut out = String::new();
        let title = format!("Templates of {}", escape(self.record.source.as_deref().unwrap_or("these pages")));
        let truth = self.record.agreement.as_ref().map_or(String::new(), |agreement| format!("; {}", agreement.summary()));
        let _ = write!(
            out,
            "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'>\
             <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
             base-uri 'none'; form-action 'none'\"><title>{title}</title><style>{STYLE}{OWN_STYLE}</style></head><body>\
             <a class=skip href='#main'>Skip to the clusters</a><header><h1>{title}</h1><p class=lead>{}{}.</p></header><main id=main>",
            escape(&self.record.summary()),
            escape(&truth)
        );
        out += &ranked.map();
        out += &ranked.clusters();
        out += &ranked.dendrogram();
        out += &ranked.histogram();
        out += &ranked.matrix();
        let _ = writeln!(
            out,
            "</main><footer><p>Pages are compared by their structure, never by their words. The report holds all it shows and loads nothing.\
             </p></footer><script>{SCRIPT}</script></body></html>"
        );
        out
    }
}

/// Colours that are far apart for clusters that follow each other, however many there are.
fn hue(rank: usize) -> f64 {
    (150.0 + rank as f64 * 137.508) % 360.0
}

/// The first letters of a text, with an ellipsis if there are more.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_site::clustering::{ClusterOptions, cluster};

    const ARTICLE: &str =
        "<title>News & more</title><header><h1>Daily</h1></header><article><h2>x</h2><p>one</p><p>two</p></article>";
    const LIST: &str = "<table><tr><td><a href=1>one</a></td><td><form><input></form></td></tr></table>";

    /// A report on so many pages of two templates, some of them files.
    fn report(count: usize) -> String {
        let options = ClusterOptions { map: true, ..ClusterOptions::default() };
        let page = |at: usize| Page::parse([ARTICLE, LIST][at % 2]);
        let url = |at: usize| format!("https://example.org/<{}>/{at}", ["news", "lists"][at % 2]);
        let cards: Vec<PageCard> =
            (0..count).map(|at| PageCard::of(&page(at), &url(at), (at == 0).then(|| "file:///a%20b.html".to_owned()))).collect();
        let reduced: Vec<_> = (0..count).map(|at| options.distance.reduce(&page(at))).collect();
        let found = cluster(&reduced, &options).unwrap();
        let urls: Vec<String> = cards.iter().map(|card| card.url.clone()).collect();
        let record = ClusterRecord::of(&urls, &options, &found);
        ClusterReport { record: &record, found: &found, pages: &cards }.html()
    }

    #[test]
    fn pages_have_titles_skeletons_and_links_and_loads_nothing() {
        let html = report(5);
        assert!(html.contains("<a href='file:///a%20b.html' rel='noreferrer nofollow'>News &amp; more</a>"), "{html}");
        assert!(html.contains("href='https://example.org/&lt;lists&gt;/1'") && !html.contains("<lists>"));
        assert_eq!(html.matches("<tr data-t=").count(), 2);
        assert_eq!(html.matches("class='skeleton'").count(), 2);
        for outside in ["src=", "url(", "@import", "<link"] {
            assert!(!html.contains(outside), "{outside}");
        }
    }

    #[test]
    fn every_cluster_is_labelled_and_the_dendrogram_reaches_the_pages() {
        let html = report(6);
        for number in ["1", "2"] {
            assert!(html.contains(&format!(">{number}</text>")), "{number} stands on the map");
        }
        assert!(html.contains("aria-label='Dendrogram of pages and clusters'"));
        assert_eq!(html.matches("class=leaf").count(), 6, "each page is a leaf");
        assert!(html.contains("aria-label='Histogram of distances'") && html.contains("aria-label='Matrix of distances'"));
        assert!(html.contains("example.org/&lt;news&gt;/…"), "what the addresses of a cluster share");
    }

    #[test]
    fn few_and_many_pages_have_a_report() {
        for count in [0, 1, 2, 300] {
            let html = report(count);
            let body = html.split_once("<body>").and_then(|(_, body)| body.split_once("<script>")).map(|(body, _)| body).unwrap();
            assert!(html.ends_with("</html>\n") && !body.contains("NaN") && !body.contains("inf"), "{count}");
        }
    }
}
