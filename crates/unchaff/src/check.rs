//! Where an author's markup and what is found on the page differ: the elements that HTML 5 has for the parts of a page, held against the
//! content, the menu, comments and advertisements that are found in it (Gottron 2008, section 8.4).
//!
//! Readers' modes, screen readers and search engines rely on these elements; who writes them sees no difference on the screen, so mistakes
//! stay. Each finding says where (line and column), what is wrong, and what would mend it.

use crate::landmarks::{Found, Landmark, declared};
use serde::Serialize;
use unchaff_dom::address::bounded::Addresses;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};

/// The name and version of the schema of a check's JSON.
pub const CHECK_SCHEMA: &str = "unchaff/check/1";

/// Of pieces of a kind, so many of the largest are listed.
const LISTED: usize = 5;

/// Pieces of fewer words are not worth a finding.
const WORDS: u32 = 8;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Note,
    /// Markup could say more, or what is found may be wrong.
    Warning,
    /// Markup says something else than the page shows.
    Error,
}

impl Level {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// A difference between markup and what is found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Its short name, which stays the same.
    pub rule: &'static str,
    /// How bad it is.
    pub level: Level,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The tag, or the start of the text, that it is about.
    pub element: String,
    /// A selector for the element; empty if there is none.
    pub css: String,
    /// How many words it is about.
    pub words: u32,
    /// What is wrong.
    pub message: String,
    /// What would mend it.
    pub advice: &'static str,
}

/// What the check of a page says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Check {
    /// [`CHECK_SCHEMA`].
    pub schema: &'static str,
    /// What the caller calls the page, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// How far `main` and the content found have the same words: F1, 0 to 1. None without `main`.
    pub agreement: Option<f64>,
    /// Words of the content found.
    pub content_words: u32,
    /// Words in `main`.
    pub main_words: u32,
    /// The findings, in the order of the page.
    pub findings: Vec<Finding>,
}

impl Check {
    /// How many findings are at least so bad.
    #[must_use]
    pub fn at_least(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level >= level).count()
    }

    /// For people and editors: `page.html:12:3: error: what is wrong [rule]`, and what would mend it on the line after.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        let mut out = String::new();
        for finding in &self.findings {
            let Finding { line, column, message, rule, advice, element, .. } = finding;
            out += &format!("{name}:{line}:{column}: {}: {message} [{rule}]\n", finding.level.as_str());
            out += &format!("    {element}\n    = {advice}\n");
        }
        let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (errors, warnings) = (self.at_least(Level::Error), self.at_least(Level::Warning));
        out += &format!("{name}: {}, {}", plural(errors, "error"), plural(warnings - errors, "warning"));
        if let Some(agreement) = self.agreement {
            out += &format!("; <main> and the content found agree in {:.0} % of their words", agreement * 100.0);
        }
        out + "\n"
    }

    /// JSON on one line.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Checks the markup of a page against what is found on it.
///
/// ```
/// let page = unchaff::Page::parse("<body><div>Home</div><p>It rained all day, and all night too.</p></body>");
/// assert!(unchaff::check(&page).findings.iter().any(|finding| finding.rule == "no-main"));
/// ```
#[must_use]
pub fn check(page: &Page) -> Check {
    let found = Found::of(page);
    let mut checker = Checker { page, found: &found, declared: declared(page), findings: Vec::new() };
    let content_words = words(page, &found.content);
    let mut check =
        Check { schema: CHECK_SCHEMA, input: None, agreement: None, content_words, main_words: 0, findings: Vec::new() };
    match checker.mains().as_slice() {
        [] => checker.without_main(),
        mains => {
            let main = NodeSet::from_roots(page, mains.iter().copied());
            check.main_words = words(page, &main);
            let mut both = main.clone();
            both.intersection(&found.content);
            let (shared, all) = (words(page, &both), check.main_words + content_words);
            check.agreement = (all > 0).then(|| 2.0 * f64::from(shared) / f64::from(all));
            checker.against_main(mains, &main);
        }
    }
    checker.content_in_other_parts();
    checker.menu();
    checker.parts_for_themselves();
    checker.findings.order_by_key(|(node, finding)| (*node, finding.rule));
    // Addresses cost as much as the page is deep: they are made for what is reported alone.
    let (addresses, lines) = (Addresses::new(page, 1), Lines::of(page.source()));
    for (node, mut finding) in checker.findings {
        (finding.line, finding.column) = lines.place(page.source(), page.source_range(node).start);
        let element = if page.is_element(node) { Some(node) } else { page.parent(node) };
        finding.css = element.map(|element| addresses.css(element)).unwrap_or_default();
        check.findings.push(finding);
    }
    check
}

struct Checker<'p> {
    page: &'p Page,
    found: &'p Found,
    declared: Vec<(Landmark, NodeId)>,
    findings: Vec<(NodeId, Finding)>,
}

impl Checker<'_> {
    fn say(&mut self, node: NodeId, level: Level, rule: &'static str, message: String, advice: &'static str) {
        let words = self.page.counts(node).words;
        let element = shown(self.page, node);
        let (line, column, css) = (0, 0, String::new());
        self.findings.push((node, Finding { rule, level, line, column, element, css, words, message, advice }));
    }

    fn mains(&self) -> Vec<NodeId> {
        self.of(Landmark::Main)
    }

    fn of(&self, landmark: Landmark) -> Vec<NodeId> {
        self.declared.iter().filter(|(known, _)| *known == landmark).map(|(_, node)| *node).collect()
    }

    fn without_main(&mut self) {
        let page = self.page;
        let words = words(page, &self.found.content);
        let Some(first) = self.found.content.roots(page).into_iter().find(|root| page.counts(*root).words > 0) else {
            let Some(body) = page.body() else { return };
            let message = "no content was found on this page, and it has no <main>".to_owned();
            self.say(body, Level::Note, "no-content", message, "nothing to do if the page is all navigation");
            return;
        };
        let message = format!("the page has no <main>; its content ({words} words) begins here");
        self.say(first, Level::Error, "no-main", message, "put the content into <main>; `unchaff extract -f html5` writes it");
    }

    fn against_main(&mut self, mains: &[NodeId], main: &NodeSet) {
        let page = self.page;
        for second in &mains[1..] {
            let message = "a page has one <main> that is shown; this is another".to_owned();
            self.say(
                *second,
                Level::Error,
                "many-mains",
                message,
                "keep one <main>, or hide all but one with the attribute hidden",
            );
        }
        for main in mains {
            let misplaced = |above: &NodeId| {
                matches!(page.tag(*above), Tag::Article | Tag::Aside | Tag::Footer | Tag::Header | Tag::Nav | Tag::Main)
            };
            if let Some(above) = page.ancestors(*main).find(misplaced) {
                let message = format!("<main> stands inside <{}>", page.name(above));
                self.say(
                    *main,
                    Level::Error,
                    "main-inside",
                    message,
                    "<main> stands in the body or in a <div>; put the other inside of it",
                );
            }
        }
        // Content that main does not hold.
        let mut outside = self.found.content.clone();
        outside.difference(main);
        let all = words(page, &self.found.content);
        let left_out = words(page, &outside);
        if left_out >= WORDS {
            let level = if left_out * 5 > all { Level::Error } else { Level::Warning };
            let pieces = self.pieces(&outside, |_| true);
            for (node, words, _) in pieces {
                let message = format!("{words} words of the content found are not in <main>");
                self.say(
                    node,
                    level,
                    "content-outside-main",
                    message,
                    "put them into <main>, or mark them as what they are: <aside>, <nav>, <footer>",
                );
            }
        }
        // What main holds and is no content.
        let mut other = main.clone();
        other.difference(&self.found.content.with_ancestors(page));
        let is_marked = |node: NodeId| {
            page.ancestors(node).chain([node]).any(|above| {
                let is_part = matches!(
                    page.tag(above),
                    Tag::Nav | Tag::Aside | Tag::Header | Tag::Footer | Tag::Form | Tag::Search | Tag::Dialog
                );
                is_part && main.contains(above)
            })
        };
        let taken = NodeSet::from_nodes(page, other.iter().filter(|node| is_marked(*node)));
        other.difference(&taken);
        for (node, words, end) in self.pieces(&other, |node| page.tag(node).heading_level().is_none()) {
            let counts = page.counts_between(node, end);
            let (rule, level, what, advice) = if self.found.ads.contains(node) {
                ("ads-in-main", Level::Warning, "that look like an advertisement", "put advertisements into <aside>")
            } else if self.found.comments.contains(node) {
                (
                    "comments-in-main",
                    Level::Note,
                    "that readers wrote",
                    "fine inside the <article> they are about, each an <article> of its own",
                )
            } else if counts.links > 2 && counts.link_words * 2 > counts.words {
                ("links-in-main", Level::Warning, "that are mostly links", "put links to other pages into <nav>, or into <aside>")
            } else {
                (
                    "other-in-main",
                    Level::Warning,
                    "that do not look like content",
                    "put what the page is not about into <aside>, or outside of <main>",
                )
            };
            self.say(node, level, rule, format!("<main> has {words} words {what}"), advice);
        }
    }

    /// Content in elements that say it is none.
    fn content_in_other_parts(&mut self) {
        let page = self.page;
        let all = words(page, &self.found.content);
        for (landmark, node) in self.declared.clone() {
            if !matches!(landmark, Landmark::Nav | Landmark::Aside | Landmark::Header | Landmark::Footer) {
                continue;
            }
            let mut inside = page.subtree_set(node);
            inside.intersection(&self.found.content);
            let words = words(page, &inside);
            if words >= WORDS && words * 10 > all {
                let name = landmark.as_str();
                let message = format!("{words} words of the content found stand in <{name}>");
                let advice = "what the page is about does not belong there: put it into <main>";
                self.say(node, Level::Error, "content-in-other-part", message, advice);
            }
        }
    }

    fn menu(&mut self) {
        let page = self.page;
        let navs = NodeSet::from_roots(page, self.of(Landmark::Nav));
        let mut outside = self.found.menu.clone();
        outside.difference(&navs);
        let links = |nodes: &NodeSet| nodes.iter().filter(|node| page.tag(*node) == Tag::A).count();
        if let Some(root) = outside.roots(page).first().copied().filter(|_| links(&outside) * 2 > links(&self.found.menu)) {
            let message = format!("the main menu ({} links) is not in <nav>", links(&self.found.menu));
            self.say(root, Level::Error, "menu-outside-nav", message, "put it into <nav>");
        }
        for nav in self.of(Landmark::Nav) {
            if page.counts(nav).links < 2 {
                let count = page.counts(nav).links;
                let message = format!("<nav> has {}", if count == 0 { "no links" } else { "one link" });
                self.say(nav, Level::Note, "nav-without-links", message, "<nav> is for blocks of links; a <div> does for others");
            }
        }
    }

    /// What can be said of the elements themselves.
    fn parts_for_themselves(&mut self) {
        let page = self.page;
        for article in self.of(Landmark::Article) {
            let has_heading = page.descendants(article).any(|node| page.tag(node).heading_level().is_some());
            let is_nested = page.ancestors(article).any(|above| page.tag(above) == Tag::Article);
            if !has_heading && !is_nested && page.counts(article).words >= WORDS {
                let message = "<article> has no heading".to_owned();
                self.say(
                    article,
                    Level::Note,
                    "article-without-heading",
                    message,
                    "give it one, so that it can be told from others in a list",
                );
            }
        }
        let Some(body) = page.body() else { return };
        let has_first = page.descendants(body).any(|node| page.tag(node) == Tag::H1);
        if !has_first && words(page, &self.found.content) > 0 {
            let message = "the page has no <h1>".to_owned();
            self.say(body, Level::Note, "no-h1", message, "make the title of the content an <h1>");
        }
    }

    /// The largest pieces of a set that are worth a finding: the first node, the words, and the first node after it.
    fn pieces(&self, nodes: &NodeSet, is_meant: impl Fn(NodeId) -> bool) -> Vec<(NodeId, u32, NodeId)> {
        let page = self.page;
        // Pieces beside each other are one, at the first of them.
        let mut pieces: Vec<(NodeId, u32, NodeId)> = Vec::new();
        for root in nodes.roots(page).into_iter().filter(|root| is_meant(*root)) {
            let words = page.counts(root).words;
            match pieces.last_mut() {
                Some((first, sum, end)) if *end == root && page.parent(*first) == page.parent(root) => {
                    *sum += words;
                    *end = page.end(root);
                }
                _ => pieces.push((root, words, page.end(root))),
            }
        }
        pieces.retain(|(_, words, _)| *words >= WORDS);
        pieces.order_by_key(|(node, words, _)| (std::cmp::Reverse(*words), *node));
        pieces.truncate(LISTED);
        pieces
    }
}

/// The words of the texts of a set.
fn words(page: &Page, nodes: &NodeSet) -> u32 {
    nodes.iter().filter(|node| page.tag(*node) == Tag::Text).map(|node| page.counts(node).words).sum()
}

/// An element by its tag and first words, text by its start.
fn shown(page: &Page, node: NodeId) -> String {
    const LENGTH: usize = 60;
    let text = emit::text(page, &page.subtree_set(node));
    let words = text.split_whitespace().filter(|word| *word != "-").take(12);
    let text = words.collect::<Vec<_>>().join(" ");
    let start: String = text.chars().take(LENGTH).collect();
    let dots = if start.len() < text.len() || page.counts(node).tokens > 12 { " …" } else { "" };
    if !page.is_element(node) {
        return format!("{start}{dots}");
    }
    let names = ["id", "class", "role"].into_iter().filter_map(|name| Some((name, page.attr(node, name)?)));
    let short = |value: &str| value.chars().take(30).collect::<String>();
    let attributes: String = names.map(|(name, value)| format!(" {name}=\"{}\"", short(value))).collect();
    format!("<{}{attributes}> {start}{dots}", page.name(node))
}

/// Where lines start.
struct Lines(Vec<usize>);

impl Lines {
    fn of(source: &str) -> Lines {
        Lines(
            std::iter::once(0)
                .chain(source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
                .collect(),
        )
    }

    /// Line and character of a byte, from 1.
    fn place(&self, source: &str, at: usize) -> (usize, usize) {
        let line = self.0.partition_point(|start| *start <= at);
        let start = self.0[line - 1];
        (line, source.get(start..at).map_or(0, |before| before.chars().count()) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<h1>Flood in the valley</h1>\n<p>It rained all day and all night, and in the morning the river had come into the garden of the mill.</p>\n\
        <p>Nobody could remember such a flood, not even the miller, who was ninety and had seen many of them.</p>\n\
        <p>The fire brigade came with boats, and the children were carried over the bridge to the school.</p>\n";
    const MENU: &str = "<ul id=menu class=main-menu><li><a href=/a>News</a></li><li><a href=/b>Sport</a></li><li><a href=/c>Weather</a></li><li><a href=/d>Culture</a></li></ul>";

    fn rules(html: &str) -> Vec<(&'static str, Level, usize, usize)> {
        let check = check(&Page::parse(html));
        check.findings.iter().map(|finding| (finding.rule, finding.level, finding.line, finding.column)).collect()
    }

    #[test]
    fn a_page_whose_markup_says_what_it_shows_has_no_findings() {
        let html =
            format!("<body><header><nav>{MENU}</nav></header>\n<main>{TEXT}</main>\n<footer>© 2009 The Gazette</footer></body>");
        let check = check(&Page::parse(html.as_str()));
        assert_eq!(check.findings, [], "{}", check.text("page.html"));
        assert!(check.agreement.unwrap() > 0.99);
        assert_eq!(
            check.text("a.html"),
            "a.html: 0 errors, 0 warnings; <main> and the content found agree in 100 % of their words\n"
        );
    }

    #[test]
    fn a_page_without_landmarks_is_told_where_they_would_be() {
        let html = format!("<body>\n<div>{MENU}</div>\n  <div class=text>{TEXT}</div>\n<div>© 2009 The Gazette</div></body>");
        let found = rules(&html);
        assert!(found.contains(&("menu-outside-nav", Level::Error, 2, 6)), "{found:?}");
        assert!(
            found.iter().any(|(rule, level, line, _)| *rule == "no-main" && *level == Level::Error && *line == 3),
            "{found:?}"
        );
    }

    #[test]
    fn content_outside_of_main_and_in_aside_is_an_error() {
        let html = format!("<body><nav>{MENU}</nav><main><p>Welcome.</p></main>\n<aside>\n<div>{TEXT}</div></aside></body>");
        let found = rules(&html);
        assert!(found.iter().any(|(rule, level, ..)| *rule == "content-outside-main" && *level == Level::Error), "{found:?}");
        assert!(found.contains(&("content-in-other-part", Level::Error, 2, 1)), "{found:?}");
    }

    #[test]
    fn links_in_main_and_a_second_main_are_told() {
        let links: String = (0..12).map(|at| format!("<li><a href=/{at}>Other story number {at}</a></li>")).collect();
        let html = format!(
            "<body><nav>{MENU}</nav><article><main>{TEXT}<div class=related><h3>More stories</h3><ul>{links}</ul></div></main></article><main>second</main></body>"
        );
        let found = rules(&html);
        for rule in ["links-in-main", "many-mains", "main-inside"] {
            assert!(found.iter().any(|(known, ..)| *known == rule), "{rule} in {found:?}");
        }
        assert_eq!(rules("<p>"), [("no-content", Level::Note, 1, 1)]);
    }
}
