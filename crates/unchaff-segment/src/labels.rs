//! What segments are for, as far as there is evidence: by the techniques that look at one page, by tags, links and place.
//!
//! A segment is what most of its text is found to be (content, menu, comments, advertisement). Failing that, it is a header or footer
//! if it stands in an element of that name, or at the top or bottom of the page; failing that, a list of links if most of its text is
//! links. Who knows the site of the page can say what its content, menu and template are ([`label_with`]); what is template and nothing
//! else is then called so. Often there is no evidence, and no kind.

use crate::layout::Layout;
use crate::segmentation::{Segment, SegmentKind, Segmentation};
use std::collections::BTreeSet;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use unchaff_page::{BlockKind, Detection, registry};

/// How much of a segment must be of a kind.
const MOST: f64 = 0.5;

/// The share of a page's height that is its head, and its foot.
const EDGE: f64 = 0.12;

/// Gives every segment that its technique left without one a kind where there is evidence on the page; menus, comments and advertisements are called so whatever
/// the technique says, if they have no parts.
pub fn label(page: &Page, layout: &Layout, segmentation: &mut Segmentation) {
    label_with(page, layout, &Detection::default(), segmentation);
}

/// Gives every segment that its technique left without one a kind where there is evidence in the blocks of the page, as far as they are known; the others are looked for.
pub fn label_with(page: &Page, layout: &Layout, known: &Detection, segmentation: &mut Segmentation) {
    let found: Vec<(SegmentKind, NodeSet)> = [
        (SegmentKind::Advertisement, BlockKind::Ads),
        (SegmentKind::Comments, BlockKind::Comments),
        (SegmentKind::Menu, BlockKind::Menu),
        (SegmentKind::Content, BlockKind::Content),
    ]
    .into_iter()
    .filter_map(|(kind, block)| {
        if let Some(nodes) = known.nodes(block) {
            return Some((kind, nodes.clone()));
        }
        let technique = registry::find(registry::default_for(block))?.default_technique();
        technique.detect(page).nodes(block).map(|nodes| (kind, nodes.clone()))
    })
    .collect();
    let template = known.nodes(BlockKind::Template);
    let wholes: BTreeSet<u32> = segmentation.segments.iter().filter_map(|segment| segment.parent).collect();
    for (at, segment) in (0..).zip(&mut segmentation.segments) {
        let evidence = kind_of(page, layout, segment, &found, template);
        // Who finds menus, comments and advertisements knows more of them than where they stand; but what holds one besides other parts is none.
        let is_plain = matches!(evidence, Some(SegmentKind::Menu | SegmentKind::Comments | SegmentKind::Advertisement));
        if segment.kind.is_none() || is_plain && !wholes.contains(&at) {
            segment.kind = evidence;
        }
    }
}

fn kind_of(
    page: &Page,
    layout: &Layout,
    segment: &Segment,
    found: &[(SegmentKind, NodeSet)],
    template: Option<&NodeSet>,
) -> Option<SegmentKind> {
    let texts = || segment.nodes.iter().flat_map(|node| page.subtree(*node)).filter(|node| page.tag(*node) == Tag::Text);
    let weight = |node: NodeId| f64::from(page.counts(node).chars);
    let all: f64 = texts().map(weight).sum();
    // What has no text, such as a banner, is what its elements are.
    let nodes = || segment.nodes.iter().flat_map(|node| page.subtree(*node));
    let share = |set: &NodeSet| {
        if all > 0.0 {
            texts().filter(|node| set.contains(*node)).map(weight).sum::<f64>() / all
        } else {
            nodes().filter(|node| set.contains(*node)).count() as f64 / nodes().count().max(1) as f64
        }
    };
    if let Some((kind, _)) = found.iter().find(|(_, set)| share(set) > MOST) {
        return Some(*kind);
    }
    let stands_in = |tag: Tag| {
        let inside = |node: &NodeId| std::iter::once(*node).chain(page.ancestors(*node)).any(|above| page.tag(above) == tag);
        !segment.nodes.is_empty() && segment.nodes.iter().all(inside)
    };
    let height = f64::from(layout.height);
    let above = segment.rect.is_some_and(|rect| f64::from(rect.bottom) <= EDGE * height);
    let below = segment.rect.is_some_and(|rect| f64::from(rect.top) >= (1.0 - EDGE) * height);
    if stands_in(Tag::Footer) || below {
        return Some(SegmentKind::Footer);
    }
    if stands_in(Tag::Header) && !stands_in(Tag::Article) || above {
        return Some(SegmentKind::Header);
    }
    let (links, link_chars) = segment
        .nodes
        .iter()
        .map(|node| page.counts(*node))
        .fold((0, 0.0), |(links, chars), counts| (links + counts.links, chars + f64::from(counts.link_chars)));
    if links >= 3 && link_chars > MOST * all {
        return Some(SegmentKind::Links);
    }
    template.is_some_and(|template| share(template) > MOST).then_some(SegmentKind::Template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use crate::segmentation::Group;
    use unchaff_page::Block;

    #[test]
    fn segments_are_named_where_there_is_evidence() {
        let long = "It rained all day and all night, and then the sun came out over the hills again. ".repeat(4);
        let menu: String = ["Home", "News", "Sport", "Culture", "Contact"]
            .iter()
            .map(|name| format!("<li><a href=/{name}>{name}</a></li>"))
            .collect();
        let html = format!(
            "<body><nav><ul>{menu}</ul></nav><main><h1>Rain</h1><p>{long}</p><p>{long}</p><p>{long}</p></main><footer><p>Imprint and more</p></footer></body>"
        );
        let page = Page::parse(html);
        let layout = Layout::default();
        let mut found = registry::find("dom-blocks").unwrap().technique(&[("most", "0.5")]).unwrap().segment(&page, &layout);
        label(&page, &layout, &mut found);
        let kinds: Vec<Option<SegmentKind>> = found.segments.iter().map(|segment| segment.kind).collect();
        assert_eq!(kinds.first(), Some(&Some(SegmentKind::Menu)), "{found:?}");
        assert!(kinds.contains(&Some(SegmentKind::Content)));
        assert_eq!(kinds.last(), Some(&Some(SegmentKind::Footer)));
    }

    #[test]
    fn a_kind_of_the_technique_stays_unless_it_is_a_menu_for_certain() {
        let page = Page::parse("<body><ul><li>One</li></ul><p>Two</p><p>Three</p></body>");
        let layout = Layout::default();
        let roots: Vec<NodeId> = page.nodes().filter(|node| matches!(page.name(*node), "ul" | "p" | "li")).collect();
        let group =
            |at: usize, parent| Group { nodes: vec![roots[at]], parent, kind: Some(SegmentKind::Header), coherence: None };
        let mut found =
            Segmentation::from_groups(&page, &layout, vec![group(0, None), group(1, Some(0)), group(2, None), group(3, None)]);
        let block = |kind, root| Block::of(kind, NodeSet::from_roots(&page, [root]));
        let blocks =
            vec![block(BlockKind::Menu, roots[0]), block(BlockKind::Content, roots[2]), block(BlockKind::Comments, roots[3])];
        label_with(&page, &layout, &Detection { blocks, ..Detection::default() }, &mut found);
        let kinds: Vec<Option<SegmentKind>> = found.segments.iter().map(|segment| segment.kind).collect();
        let told = [SegmentKind::Header, SegmentKind::Menu, SegmentKind::Header, SegmentKind::Comments];
        assert_eq!(kinds, told.map(Some));
    }

    #[test]
    fn what_is_known_of_the_site_comes_first() {
        let page = Page::parse("<body><p>It rains today</p><p>Follow our news</p></body>");
        let paragraphs: Vec<NodeId> = page.nodes().filter(|node| page.name(*node) == "p").collect();
        let layout = Layout::default();
        let mut found = Segmentation::from_nodes(&page, &layout, paragraphs.iter().map(|node| vec![*node]).collect());
        let block = |kind, at: usize| Block::of(kind, NodeSet::from_roots(&page, [paragraphs[at]]));
        let known =
            Detection { blocks: vec![block(BlockKind::Content, 0), block(BlockKind::Template, 1)], ..Detection::default() };
        label_with(&page, &layout, &known, &mut found);
        let kinds: Vec<Option<SegmentKind>> = found.segments.iter().map(|segment| segment.kind).collect();
        assert_eq!(kinds, [Some(SegmentKind::Content), Some(SegmentKind::Template)]);
        assert!(kinds.iter().flatten().all(|kind| SegmentKind::named(kind.as_str()) == Some(*kind)));
        assert_eq!(SegmentKind::named("segment"), None);
    }
}
