//! Units: parts of a page that only make sense whole.
//!
//! A price without the cell before it stands in another product's column, and code without its braces is no code. So a table of data, a
//! listing and a formula are content as a whole or not at all, whatever a technique says of the lines in them. So are, where lines are rated, lists whose items
//! are lines, single ingredients of recipes, lists of definitions, figures with their captions, and quotes: an item is as much content as its list. Lists of records (a
//! title, a teaser, a date) are none, for their parts are of different kinds.

use std::ops::Range;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A table of data.
    Table,
    /// A listing.
    Code,
    /// A formula.
    Formula,
    /// A list whose items are lines, or lists of such.
    List,
    /// A list of definitions.
    Definitions,
    /// A figure with a picture and a caption.
    Figure,
    /// A quote.
    Quote,
}

impl Kind {
    /// Whether a part of it says something else than the whole.
    #[must_use]
    pub fn is_false_in_part(self) -> bool {
        matches!(self, Kind::Table | Kind::Code | Kind::Formula)
    }
}

/// A part of a page that only makes sense whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The element that holds all of it.
    pub root: NodeId,
    /// What it is.
    pub kind: Kind,
}

/// The units of a page in document order; none stands in another.
#[must_use]
pub fn units(page: &Page) -> Vec<Unit> {
    find(page, page.root(), &mut None, |_| true)
}

/// The outermost units at or below a node that are wanted. `all` is the set of all nodes, made where it is needed.
fn find(page: &Page, root: NodeId, all: &mut Option<NodeSet>, wants: impl Fn(Kind) -> bool) -> Vec<Unit> {
    // Lists and figures that are open and were looked through for nothing: what stands deep in others is not looked at, so that a page is read a few times at most.
    const MOST_OPEN: usize = 4;
    let mut open: Vec<NodeId> = Vec::new();
    let mut found = Vec::new();
    let end = page.end(root);
    let mut node = root;
    while node < end {
        let tag = page.tag(node);
        let kind = match tag {
            Tag::Text => None,
            Tag::Math => Some(Kind::Formula),
            _ if tag.is_element() && emit::is_listing(page, node) => Some(Kind::Code),
            Tag::Table => {
                let all = all.get_or_insert_with(|| page.subtree_set(page.root()));
                emit::is_data_table(page, all, node).then_some(Kind::Table)
            }
            Tag::Ul | Tag::Ol | Tag::Figure if wants(Kind::List) => {
                while open.pop_if(|end| *end <= node).is_some() {}
                let kind = if open.len() < MOST_OPEN { list_or_figure(page, node, tag) } else { None };
                if kind.is_none() {
                    open.push(page.end(node));
                }
                kind
            }
            Tag::Li | Tag::Div | Tag::P if wants(Kind::List) => emit::is_ingredient(page, node).then_some(Kind::List),
            Tag::Dl => is_part(page, node).then_some(Kind::Definitions),
            Tag::Blockquote => is_part(page, node).then_some(Kind::Quote),
            _ => None,
        };
        let kind = kind.filter(|kind| wants(*kind));
        found.extend(kind.map(|kind| Unit { root: node, kind }));
        node = if kind.is_some() { page.end(node) } else { NodeId(node.0 + 1) };
    }
    found
}

fn list_or_figure(page: &Page, node: NodeId, tag: Tag) -> Option<Kind> {
    let has = |tag: Tag| page.descendants(node).any(|below| page.tag(below) == tag);
    match tag {
        Tag::Figure => (has(Tag::Figcaption) && has(Tag::Img)).then_some(Kind::Figure),
        _ => is_list_of_lines(page, node).then_some(Kind::List),
    }
}

/// Whether an element has no more than half of the page's words: some pages are one quote, or one list of definitions, by their markup.
fn is_part(page: &Page, node: NodeId) -> bool {
    2 * page.counts(node).words < page.counts(page.root()).words
}

/// Whether a list has two items or more, and each is one line of text or a list of such.
fn is_list_of_lines(page: &Page, list: NodeId) -> bool {
    // Inline elements do not nest deep; where they do, it costs a guess and not time.
    const DEEPEST: usize = 12;
    let (mut items, mut lines) = (0, 0);
    let mut last = None;
    let mut ingredient_end = list;
    for below in page.descendants(list) {
        match page.tag(below) {
            Tag::Li => {
                items += 1;
                if emit::is_ingredient(page, below) {
                    lines += 1;
                    ingredient_end = page.end(below);
                }
            }
            // One that holds something else is left at the first.
            _ if items == 0 && page.is_element(below) => return false,
            Tag::Ul | Tag::Ol | Tag::P | Tag::Div => {}
            _ if below < ingredient_end => {}
            Tag::Text if page.counts(below).tokens > 0 => {
                let line = page.ancestors(below).take(DEEPEST).find(|above| page.tag(*above).is_block());
                lines += u32::from(line != last);
                last = line;
            }
            tag if tag.is_element() && tag.is_block() => return false,
            _ => {}
        }
    }
    items >= 2 && lines <= items
}

/// Takes what is false in part, of units or in them, whole into a set if the set has half of its words or more, and takes it out otherwise.
pub fn make_whole(page: &Page, units: &[Unit], nodes: &mut NodeSet) {
    let mut all = None;
    let mut in_unit = |unit: &Unit| match unit.kind.is_false_in_part() {
        true => vec![*unit],
        false => find(page, unit.root, &mut all, Kind::is_false_in_part),
    };
    let has_some = |unit: &&Unit| nodes.iter_below(page, unit.root).next().is_some();
    let touched: Vec<&Unit> = units.iter().filter(has_some).collect();
    for unit in touched.into_iter().flat_map(&mut in_unit) {
        let mut words = 0;
        for text in nodes.iter_below(page, unit.root).filter(|node| page.tag(*node) == Tag::Text) {
            words += page.counts(text).words;
        }
        if words == 0 {
            continue;
        }
        if 2 * words >= page.counts(unit.root).words {
            nodes.insert_subtree(page, unit.root);
        } else {
            nodes.remove_subtree(page, unit.root);
        }
    }
}

/// The blocks that stand wholly in each unit that has any, as ranges; the blocks are given by their first and last node, in document order.
pub fn ranges<'u>(page: &Page, units: &'u [Unit], blocks: &[(NodeId, NodeId)]) -> Vec<(Range<usize>, &'u Unit)> {
    let mut at = 0;
    let mut found = Vec::new();
    for unit in units {
        while blocks.get(at).is_some_and(|(first, _)| *first < unit.root) {
            at += 1;
        }
        let start = at;
        while blocks.get(at).is_some_and(|(_, last)| *last < page.end(unit.root)) {
            at += 1;
        }
        if start < at {
            found.push((start..at, unit));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::select::Selector;

    fn kinds(html: &str) -> Vec<Kind> {
        units(&Page::parse(html)).iter().map(|unit| unit.kind).collect()
    }

    #[test]
    fn tables_of_data_code_and_formulas_are_units() {
        let data = "<table><tr><th>a<th>b<tr><td>1<td>2</table>";
        assert_eq!(kinds(&format!("<p>x {data}<pre>c</pre><math><mi>x</mi></math>")), [Kind::Table, Kind::Code, Kind::Formula]);
        assert_eq!(kinds(&format!("<table><tr><td>{data}<td>x</table>")), [Kind::Table]);
        assert!(kinds("<table><tr><td><p>a<p>b<td><code>x</code></table>").is_empty());
    }

    #[test]
    fn lists_of_lines_definitions_figures_and_quotes_are_units() {
        let text = "<p>one two three four five six seven eight</p>";
        assert_eq!(kinds("<ul><li>a <b>b</b><li><p>c</p><ul><li>d</ul></ul>"), [Kind::List]);
        assert!(kinds("<ul><li><h3>a</h3><p>b</p><li><h3>c</h3><p>d</p></ul><ul><li>a</ul>").is_empty(), "records, and one item");
        assert!(kinds("<ul><li><p>a</p><p>b</p><li>c</ul>").is_empty());
        let parts = |class: &str| format!("<ul class={class}><li><p>2</p><p>eggs</p><li>salt</ul>");
        assert!(kinds(&parts("x")).is_empty() && kinds(&parts("ingredients")) == [Kind::List]);
        assert_eq!(kinds("<div class=ingredient><div>2</div><div>eggs</div></div>"), [Kind::List]);
        assert_eq!(kinds(&format!("{text}<dl><dt>a<dd>b</dl><blockquote>q</blockquote>")), [Kind::Definitions, Kind::Quote]);
        assert!(kinds("<blockquote><p>all of it</blockquote>").is_empty());
        assert_eq!(kinds("<figure><img src=a><figcaption>a</figcaption></figure>"), [Kind::Figure]);
        assert!(kinds("<figure><img src=a></figure>").is_empty());
    }

    #[test]
    fn a_unit_is_in_with_half_of_its_words_and_out_with_less() {
        let page = Page::parse("<p>p</p><table><tr><th id=a>a a<th id=b>b<tr><td id=c>c<td></table><p>q</p>");
        let find = |selector: &str| page.select(&Selector::parse(selector).unwrap()).next().unwrap();
        let whole = |selectors: &str| {
            let mut set = NodeSet::from_roots(&page, page.select(&Selector::parse(selectors).unwrap()).collect::<Vec<_>>());
            make_whole(&page, &units(&page), &mut set);
            (set.contains(find("#a")), set.contains(find("#c")), set.contains(find("p")))
        };
        assert_eq!(whole("#a, p"), (true, true, true));
        assert_eq!(whole("#b, p"), (false, false, true));
        assert_eq!(whole("#b, #c"), (true, true, false));
        let page = Page::parse(
            "<p>one two three four five six<blockquote><p>a<table><tr><th id=a>b b<th>c<tr><td>d<td>e</table></blockquote>",
        );
        let find = |selector: &str| page.select(&Selector::parse(selector).unwrap()).next().unwrap();
        let mut set = NodeSet::from_roots(&page, [find("p"), find("#a"), find("td")]);
        make_whole(&page, &units(&page), &mut set);
        assert!(
            set.contains(find("table")) && !set.contains(find("blockquote p")),
            "a table in a quote is whole, the quote need not be"
        );
    }
}
