//! Units: parts of a page that only make sense whole.
//!
//! A price without the cell before it stands in another product's column, and code without its braces is no code. So a table of data, a
//! listing and a formula are content as a whole or not at all, whatever a technique says of the lines in them.

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
    let mut all: Option<NodeSet> = None;
    let mut found = Vec::new();
    let end = page.end(page.root());
    let mut node = page.root();
    while node < end {
        let tag = page.tag(node);
        let kind = match tag {
            Tag::Math => Some(Kind::Formula),
            _ if tag.is_element() && emit::is_listing(page, node) => Some(Kind::Code),
            Tag::Table => {
                let all = all.get_or_insert_with(|| page.subtree_set(page.root()));
                emit::is_data_table(page, all, node).then_some(Kind::Table)
            }
            _ => None,
        };
        found.extend(kind.map(|kind| Unit { root: node, kind }));
        node = if kind.is_some() { page.end(node) } else { NodeId(node.0 + 1) };
    }
    found
}

/// Takes a unit whole into a set if the set has half of its words or more, and takes it out otherwise.
pub fn make_whole(page: &Page, units: &[Unit], nodes: &mut NodeSet) {
    for unit in units {
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
    }
}
