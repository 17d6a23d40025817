//! The title of a page at the head of its Markdown.
//!
//! Techniques leave the headline out as often as they take it, and pages give it any level. Who reads the Markdown wants it once, as `# `. It is the
//! heading that says what the page's `title` says, whole or without the name of the site, or else the one that the metadata has as the title, so that Markdown and JSON agree.

use std::fmt;
use std::str::FromStr;
use unchaff_dom::emit::{Flavour, LinkStyle, MarkdownStyle};
use unchaff_dom::metadata::page_title;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};

/// What becomes of the title in Markdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Title {
    /// It stands once, as a heading of the first level.
    #[default]
    Once,
    /// It is part of the content or not, as the technique found it.
    Found,
    /// It is left out, of all formats.
    Drop,
}

impl Title {
    /// All of them.
    pub const ALL: [Title; 3] = [Title::Once, Title::Found, Title::Drop];

    /// The name: `once`, `found`, `drop`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Title::Once => "once",
            Title::Found => "found",
            Title::Drop => "drop",
        }
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that does not say what becomes of the title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTitle(String);

impl fmt::Display for UnknownTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a title can be {}, but not `{}`", Title::ALL.map(Title::as_str).join(", "), self.0)
    }
}

impl std::error::Error for UnknownTitle {}

impl FromStr for Title {
    type Err = UnknownTitle;

    fn from_str(name: &str) -> Result<Title, UnknownTitle> {
        Title::ALL.into_iter().find(|title| title.as_str() == name).ok_or_else(|| UnknownTitle(name.to_owned()))
    }
}

/// Markdown of a set with the title of the page once, as its first heading. A picture that the content begins with comes behind that.
pub(crate) fn once(page: &Page, nodes: &NodeSet, markdown: String, flavour: Flavour) -> String {
    let (pictures, rest) = split_pictures(&markdown);
    if pictures.is_empty() || rest.is_empty() {
        return titled(page, nodes, markdown, flavour);
    }
    let titled = titled(page, nodes, rest.to_owned(), flavour);
    match titled.split_once('\n') {
        Some((title, below)) if title.starts_with("# ") => format!("{title}\n\n{pictures}\n{below}"),
        _ => format!("{pictures}\n\n{titled}"),
    }
}

/// The paragraphs of pictures alone that Markdown begins with, and the rest.
fn split_pictures(markdown: &str) -> (&str, &str) {
    let (mut at, mut end) = (0, 0);
    for line in markdown.split_inclusive('\n').take_while(|line| line.trim().is_empty() || is_of_pictures(line.trim())) {
        at += line.len();
        // Text in the line below is of the same paragraph.
        if line.trim().is_empty() {
            end = at;
        }
    }
    let (pictures, rest) = markdown.split_at(end);
    (pictures.trim(), rest)
}

/// Whether all of a line is in the brackets of pictures, and of links around them.
fn is_of_pictures(line: &str) -> bool {
    let mut depth = 0_usize;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => _ = characters.next(),
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            '!' | ' ' => {}
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    line.starts_with("![") || line.starts_with("[![")
}

/// The same of Markdown that begins with no picture.
fn titled(page: &Page, nodes: &NodeSet, markdown: String, flavour: Flavour) -> String {
    // What begins with a heading of the first level has its title, whatever the metadata say.
    let heading = if markdown.starts_with("# ") { like_the_title(page) } else { heading(page) };
    if markdown.is_empty() {
        return markdown;
    }
    let Some(heading) = heading else { return raised(page, markdown, None) };
    let style = MarkdownStyle { flavour, links: LinkStyle::Dropped, width: None };
    let line = emit::markdown_as(page, &page.subtree_set(heading), style);
    let line = line.trim_end();
    let Some((_, text)) = line.split_once(' ').filter(|(marks, _)| marks.bytes().all(|byte| byte == b'#')) else {
        return markdown;
    };
    let is_there = nodes.iter_below(page, heading).any(|node| page.tag(node) == Tag::Text && page.counts(node).chars > 0);
    let titled = if is_there { raised(page, markdown, Some(line)) } else { format!("# {text}\n\n{markdown}") };
    // Some pages print it twice, once for each width of the screen.
    let mut lines = titled.splitn(4, '\n');
    match (lines.next(), lines.next(), lines.next(), lines.next()) {
        (Some(first), Some(""), Some(second), Some(rest))
            if is_line_of_its_own(second, rest) && says_same(first, line) && says_same(second, first) =>
        {
            format!("# {text}\n{rest}")
        }
        _ => titled,
    }
}

/// Markdown that begins with the title, in a heading of any level, begins with it in one of the first, unless that comes later. Pages have their headline
/// in `h3` and in links to themselves too.
fn raised(page: &Page, markdown: String, title: Option<&str>) -> String {
    let (first, rest) = markdown.split_once('\n').unwrap_or((&markdown, ""));
    let text = first.trim_start_matches('#');
    let level = first.len() - text.len();
    let is_title = || {
        title.is_some_and(|title| says_same(first, title)) || page_title(page).is_some_and(|title| says_same(first, &title.value))
    };
    if (2..=6).contains(&level) && text.starts_with(' ') && !has_first_level(rest) && is_title() {
        return format!("#{text}\n{rest}");
    }
    markdown
}

/// The heading that says what the page's `title` says; if it is none of the first level, rather the one that says the title that the metadata has: many pages have one title for
/// search engines and another for readers.
pub(crate) fn heading(page: &Page) -> Option<NodeId> {
    let like_the_title = like_the_title(page);
    match like_the_title {
        Some(heading) if page.tag(heading) == Tag::H1 => like_the_title,
        _ => like_the_metadata(page).or(like_the_title),
    }
}

fn title_element(page: &Page) -> Option<NodeId> {
    page.descendants(page.head()?).find(|node| page.tag(*node) == Tag::Title)
}

fn like_the_metadata(page: &Page) -> Option<NodeId> {
    let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let level =
        |node: &NodeId| page.tag(*node).heading_level().filter(|level| *level <= 2 && page.counts(*node).chars <= LONGEST);
    // Most pages without a heading like their title have none at all.
    page.nodes().find(|node| level(node).is_some())?;
    let title = letters(&page_title(page)?.value);
    // What ends a longer `title` is the name of the site more often than a headline.
    let whole = letters(title_element(page).map_or("", |title| page.text(title)));
    let is_site = whole.ends_with(&title) && whole != title;
    let says_it = |node: &NodeId| {
        !is_site && letters(&emit::text(page, &page.subtree_set(*node))) == title && !emit::is_never_written(page, *node)
    };
    page.nodes().filter(|node| level(node).is_some()).filter(says_it).min_by_key(level)
}

fn like_the_title(page: &Page) -> Option<NodeId> {
    let title = plain(page.text(title_element(page)?));
    let mut best: Option<(usize, NodeId)> = None;
    for node in page.nodes() {
        let Some(level @ 1..=2) = page.tag(node).heading_level() else { continue };
        let is_other = || page.descendants(node).any(|text| says_more(page, node, text, &title));
        if page.counts(node).chars > LONGEST || is_other() || emit::is_never_written(page, node) {
            continue;
        }
        // As it is written, without a link to itself.
        let said = plain(&emit::text(page, &page.subtree_set(node)));
        if says(&title, &said) {
            // The longest says most; of equals the first, and of the first level rather than the second.
            let length = 2 * said.len() + usize::from(level == 1);
            if best.is_none_or(|(longest, _)| length > longest) {
                best = Some((length, node));
            }
        }
    }
    best.map(|(_, node)| node)
}

/// Whether Markdown has a heading of the first level; what looks like one in code is none.
fn has_first_level(markdown: &str) -> bool {
    let mut code: Option<&str> = None;
    for line in markdown.lines() {
        let start = line.trim_start();
        let mark = if start.starts_with('~') { '~' } else { '`' };
        let fence = &start[..start.len() - start.trim_start_matches(mark).len()];
        match code {
            Some(open) if fence.starts_with(open) && start.trim_end() == fence => code = None,
            None if fence.len() >= 3 => code = Some(fence),
            None if line.starts_with("# ") => return true,
            _ => {}
        }
    }
    false
}

/// Whether a line of Markdown is a paragraph or a heading by itself, and no item, row, quote or first line of more.
fn is_line_of_its_own(line: &str, rest: &str) -> bool {
    let is_numbered = || line.trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with(['.', ')']);
    let is_marked = ["- ", "* ", "+ ", ">", "|", "```", "~~~", "    "].iter().any(|mark| line.starts_with(mark));
    (rest.is_empty() || rest.starts_with('\n'))
        && !is_marked
        && (!line.starts_with(|first: char| first.is_ascii_digit()) || !is_numbered())
}

/// Whether two lines of Markdown have the same words, whatever their marks and wherever their links lead.
fn says_same(one: &str, other: &str) -> bool {
    let words = |line: &str| {
        let mut said = String::new();
        for (at, part) in line.split(']').enumerate() {
            let part = match part.strip_prefix('(') {
                _ if at == 0 => part,
                Some(address) => address.split_once(')').map_or("", |(_, rest)| rest),
                // The label of an address that stands elsewhere.
                None if part.starts_with('[') => "",
                None => part,
            };
            said.extend(part.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase));
        }
        said
    };
    let said = words(one);
    !one.contains("![") && !said.is_empty() && said == words(other)
}

/// Headings of more characters are no title.
const LONGEST: u32 = 300;

/// Titles of so many bytes are looked through for what headings say.
const MOST_LOOKED_THROUGH: usize = 600;

/// Whether a piece of a heading is written wherever the heading is, and the title does not have it. That rules out nearly all headings before they are
/// written. Links of a few characters, and those that start with a digit, may lead to the heading itself or number a line; what becomes of a sigma depends
/// on what follows it.
fn says_more(page: &Page, heading: NodeId, text: NodeId, title: &str) -> bool {
    let is_written =
        |parent: NodeId| parent == heading || matches!(page.tag(parent), Tag::A | Tag::B | Tag::Strong | Tag::Em | Tag::I);
    let said = page.string(text).trim();
    page.tag(text) == Tag::Text
        // Looking through a long title for every heading would take longer than to write them.
        && title.len() <= MOST_LOOKED_THROUGH
        && said.len() > 4
        && !said.starts_with(|first: char| first.is_ascii_digit())
        && page.ancestors(text).take_while(|above| *above >= heading).all(is_written)
        && !said.contains('Σ')
        && !title.contains(&plain(said))
}

/// Whether a title says what a heading says: all of it, or all but the name of the site that stands before or after.
fn says(title: &str, heading: &str) -> bool {
    if heading.len() < 3 || title == heading {
        return title == heading && !heading.is_empty();
    }
    let is_apart = |rest: &str| rest.trim().starts_with(SEPARATORS) || rest.trim().ends_with(SEPARATORS);
    match (title.strip_prefix(heading), title.strip_suffix(heading)) {
        (Some(rest), _) => is_apart(rest),
        // The name of the site stands at the end more often than a headline does.
        (None, Some(rest)) => is_apart(rest) && 3 * rest.len() < heading.len(),
        (None, None) => false,
    }
}

const SEPARATORS: [char; 11] = ['-', '–', '—', '|', '·', '•', ':', '»', '«', '/', '_'];

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockKind, Detection, Extraction};
    use unchaff_dom::select::Selector;

    fn written(html: &str, chosen: &str, title: Title) -> String {
        let page = Page::parse(html);
        let roots = page.select(&Selector::parse(chosen).unwrap()).collect::<Vec<_>>();
        let detection = Detection::of(BlockKind::Content, NodeSet::from_roots(&page, roots));
        Extraction::of(&page, BlockKind::Content, "test", detection).with_title(title).markdown()
    }

    const PAGE: &str = "<title>Rain *again* – The Daily</title><h1>The Daily</h1><h2>Rain <a href=x>*again*</a></h2><p>It rained.</p><h3>Why</h3>";

    #[test]
    fn the_title_stands_once_at_the_head() {
        assert_eq!(written(PAGE, "p", Title::Once), "# Rain \\*again\\*\n\nIt rained.\n");
        assert_eq!(written(PAGE, "p", Title::Found), "It rained.\n");
        let found = written(PAGE, "h2, p, h3", Title::Found);
        assert!(found.starts_with("## Rain [\\*again\\*](x)\n\n"), "{found}");
        assert_eq!(written(PAGE, "h2, p", Title::Drop), "It rained.\n");
        assert_eq!(written(PAGE, "nothing", Title::Once), "");
    }

    #[test]
    fn a_heading_that_is_there_already_is_raised_and_not_repeated() {
        let page = "<title>Rain | The Daily</title><h2>Rain<a href=#rain>¶</a></h2><p>It rained.</p><h3>Why</h3>";
        assert_eq!(written(page, "h2, p, h3", Title::Once), "# Rain\n\nIt rained.\n\n### Why\n");
        let page = "<title>Rain</title><p>Lead.</p><h1>Rain</h1><p>It rained.</p>";
        assert_eq!(written(page, "h1, p", Title::Once), "Lead.\n\n# Rain\n\nIt rained.\n");
        let page = "<title>Rain</title><h1 class=wide>Rain</h1><h1 class=narrow>Rain</h1><p>It rained.</p>";
        for again in ["<h3>RAIN&#8203;</h3>", "<h2><a href=/rain>Rain</a></h2>", "<p><b>Rain</b></p>"] {
            let page = format!("<title>Rain</title><h1>Rain</h1><main>{again}<p>It rained.</p></main>");
            assert_eq!(written(&page, "main", Title::Once), "# Rain\n\nIt rained.\n", "{again}");
        }
        for chosen in [".narrow, p", "h1, p", "p"] {
            assert_eq!(written(page, chosen, Title::Once), "# Rain\n\nIt rained.\n", "{chosen}");
        }
    }

    #[test]
    fn the_heading_that_the_metadata_has_as_title_is_the_title() {
        let page = "<title>10 days of rain, no end (2026)</title><h2>News</h2><main><h1>Ten days of rain, and no end</h1><p>It rained.</p></main>";
        assert_eq!(page_title(&Page::parse(page)).unwrap().value, "Ten days of rain, and no end");
        assert_eq!(written(page, "p", Title::Once), "# Ten days of rain, and no end\n\nIt rained.\n");
        assert_eq!(written(page, "h1, p", Title::Drop), "It rained.\n");
        let below =
            "<title>Rain for ten days: 2026</title><h1>Rain for ten days of 2026</h1><p>It rained.</p><h2>Rain for ten days</h2>";
        assert_eq!(written(below, "p, h2", Title::Once), "# Rain for ten days of 2026\n\nIt rained.\n\n## Rain for ten days\n");
        let dashes = "<title>Tools - A comparison - The Daily</title><h1>Tools – A comparison</h1><p>It rained.</p>";
        assert_eq!(written(dashes, "p", Title::Once), "# Tools – A comparison\n\nIt rained.\n");
    }

    #[test]
    fn the_title_is_raised_from_any_level_and_in_a_link() {
        for (heading, wanted) in [
            ("<h2><a href=/rain>Rain</a></h2>", "# [Rain](/rain)"),
            ("<h3>Rain</h3>", "# Rain"),
            ("<h5><a href=/rain>Rain</a></h5>", "# [Rain](/rain)"),
        ] {
            let page = format!("<title>Rain</title><main>{heading}<p>It rained.</p><pre># no heading\n</pre><h4>Why</h4></main>");
            let found = written(&page, "main", Title::Once);
            assert_eq!(found, format!("{wanted}\n\nIt rained.\n\n```\n# no heading\n```\n\n#### Why\n"), "{heading}");
        }
        let other = "<title>Rain</title><main><h3>Snow</h3><p>It rained.</p></main>";
        assert_eq!(written(other, "main", Title::Once), "### Snow\n\nIt rained.\n");
        let later = "<title>Rain</title><main><h3>Rain</h3><p>It rained.</p><h1>Snow</h1></main>";
        assert_eq!(written(later, "main", Title::Once), "### Rain\n\nIt rained.\n\n# Snow\n");
    }

    #[test]
    fn a_picture_that_the_content_begins_with_comes_behind_the_title() {
        for (article, wanted) in [
            ("<img src=/a.jpg alt=Clouds><h1>Rain</h1><p>It rained.</p>", "# Rain\n\n![Clouds](/a.jpg)\n\nIt rained.\n"),
            (
                "<p><img src=/a.jpg><img src=/b.jpg></p><h3>Rain</h3><p>It rained.</p>",
                "# Rain\n\n![](/a.jpg)![](/b.jpg)\n\nIt rained.\n",
            ),
            ("<img src=/a.jpg alt=Clouds><p>It rained.</p>", "![Clouds](/a.jpg)\n\nIt rained.\n"),
            ("<p><img src=/a.jpg alt=Clouds> Clouds (grey)</p><h1>Rain</h1>", "![Clouds](/a.jpg) Clouds (grey)\n\n# Rain\n"),
            ("<p><img src=/a.jpg><br>It rained.</p><h1>Rain</h1>", "![](/a.jpg)\\\nIt rained.\n\n# Rain\n"),
            ("<img src=/a.jpg alt=Clouds>", "![Clouds](/a.jpg)\n"),
        ] {
            let page = format!("<title>Rain</title><main>{article}</main>");
            assert_eq!(written(&page, "main", Title::Once), wanted, "{article}");
        }
        let elsewhere = "<title>Rain</title><h1>Rain</h1><main><img src=/a.jpg><p>It rained.</p></main>";
        assert_eq!(written(elsewhere, "main", Title::Once), "# Rain\n\n![](/a.jpg)\n\nIt rained.\n");
    }

    #[test]
    fn what_says_the_title_but_is_part_of_more_stays() {
        for (part, wanted) in [
            ("<ul><li>Rain<li>Snow</ul>", "- Rain\n- Snow\n\n"),
            ("<ul><li>Rain</ul>", "- Rain\n\n"),
            ("<ol><li>Rain</ol>", "1. Rain\n\n"),
            ("<blockquote><p>Rain</blockquote>", "> Rain\n\n"),
            ("<table><tr><th>Rain<tr><td>much</table>", "| Rain |\n| --- |\n| much |\n\n"),
        ] {
            let page = format!("<title>Rain</title><h1>Rain</h1><main>{part}<p>It rained.</p></main>");
            assert_eq!(written(&page, "main", Title::Once), format!("# Rain\n\n{wanted}It rained.\n"), "{part}");
        }
        let verse = "<title>Rain</title><h1>Rain</h1><main><p>Rain<br>fell on the town.</p></main>";
        let found = written(verse, "main", Title::Once);
        assert!(found.starts_with("# Rain\n\nRain") && found.contains("fell on the town."), "{found}");
        assert!(says_same("# [Rain][L1]", "Rain") && says_same("## [Rain](/a)", "# Rain") && !says_same("# ***", "* * *"));
    }

    #[test]
    fn the_name_of_the_site_is_no_title() {
        let page = "<title>Rain – The Daily Post</title><h1>The Daily Post</h1><p>It rained.</p>";
        assert_eq!(written(page, "p", Title::Once), "It rained.\n");
        assert!("always".parse::<Title>().unwrap_err().to_string().contains("once, found, drop"));
    }
}
