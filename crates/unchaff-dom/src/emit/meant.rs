//! What an element is meant to be, where attributes say more than its name: a `div` in the role of a heading, a `span` in bold type, a `b` that style
//! makes plain, as pages pasted together from documents have them. Buttons that are written are what they head.

use super::disclosure::{heading_around, heading_inside};
use super::shape::is_heading;
use crate::{NodeId, Page, Tag};

/// So many elements around one a heading or a cell that it is part of is looked for.
const NEAR: usize = 4;

/// The element as which one is written.
#[inline]
pub(super) fn meant(page: &Page, node: NodeId, tag: Tag) -> Tag {
    match tag {
        Tag::Div | Tag::P | Tag::Custom => heading(page, node).unwrap_or(tag),
        Tag::Span if let Some(heading) = heading(page, node) => heading,
        Tag::Span | Tag::Font | Tag::B | Tag::Strong | Tag::I | Tag::Em => styled(page, node, tag),
        Tag::Button if heading_around(page, node).is_some() => Tag::Span,
        Tag::Button if heading_inside(page, node).is_some() => Tag::Div,
        Tag::Button => Tag::Summary,
        // Only one that is the shadow of an element is written.
        Tag::Template => Tag::Div,
        _ => tag,
    }
}

/// The heading whose role an element has; of the second level if it says none.
fn heading(page: &Page, node: NodeId) -> Option<Tag> {
    const TAGS: [Tag; 6] = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];
    page.attr(node, "role").filter(|role| role.trim().eq_ignore_ascii_case("heading"))?;
    let level: usize = page.attr(node, "aria-level").and_then(|level| level.trim().parse().ok()).unwrap_or(2);
    let is_other = |tag: Tag| tag.heading_level().is_some() || matches!(tag, Tag::Td | Tag::Th | Tag::Caption);
    let is_in_other = page.ancestors(node).take(NEAR).any(|above| is_other(page.tag(above)));
    (!is_in_other && is_heading(page, node)).then(|| TAGS[level.clamp(1, TAGS.len()) - 1])
}

/// What an element within a line is by its style.
fn styled(page: &Page, node: NodeId, tag: Tag) -> Tag {
    let Some(style) = page.attr(node, "style") else { return tag };
    let (mut bold, mut italic, mut struck) = (None, None, false);
    for (property, value) in style.split(';').filter_map(|declaration| declaration.split_once(':')) {
        let value = value.trim().trim_end_matches("!important").trim_end().to_ascii_lowercase();
        match property.trim().to_ascii_lowercase().as_str() {
            "font-weight" => bold = value.parse().map_or(Some(value.starts_with("bold")), |weight: f32| Some(weight >= 600.0)),
            "font-style" => italic = Some(value.starts_with("italic") || value.starts_with("oblique")),
            "text-decoration" | "text-decoration-line" => struck |= value.contains("line-through"),
            _ => {}
        }
    }
    match tag {
        Tag::B | Tag::Strong if bold == Some(false) => Tag::Span,
        Tag::I | Tag::Em if italic == Some(false) => Tag::Span,
        Tag::Span | Tag::Font if struck => Tag::Del,
        Tag::Span | Tag::Font if bold == Some(true) => Tag::Strong,
        Tag::Span | Tag::Font if italic == Some(true) => Tag::Em,
        _ => tag,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    /// All of a page, as Markdown and as HTML.
    fn written(html: &str) -> [String; 2] {
        let page = Page::parse(html);
        let all = page.subtree_set(page.root());
        [emit::markdown(&page, &all), emit::html(&page, &all)]
    }

    #[test]
    fn what_has_the_role_of_a_heading_is_one() {
        for (html, markdown, as_html) in [
            (
                "<div role=heading aria-level=3>Rain</div><p>It rained.",
                "### Rain\n\nIt rained.\n",
                "<h3>Rain</h3>\n<p>It rained.</p>\n",
            ),
            (
                "<p role=' Heading '><b>Rain</b></p>It rained.",
                "## Rain\n\nIt rained.\n",
                "<h2><b>Rain</b></h2>\n<p>It rained.</p>\n",
            ),
            (
                "<x-title role=heading aria-level=9>Rain</x-title>It rained.",
                "###### Rain\n\nIt rained.\n",
                "<h6>Rain</h6>\n<p>It rained.</p>\n",
            ),
            ("<span role=heading>Rain</span><p>It rained.", "## Rain\n\nIt rained.\n", "<h2>Rain</h2>\n<p>It rained.</p>\n"),
            (
                "<a href=https://e.org/><span role=heading><span>The</span> rain</span></a><p>It rained.",
                "## [The rain](https://e.org/)\n\nIt rained.\n",
                "<h2><a href=\"https://e.org/\">The rain</a></h2>\n<p>It rained.</p>\n",
            ),
            ("<div role=heading><p>Rain</p><p>It rained.</div>", "Rain\n\nIt rained.\n", "<p>Rain</p>\n<p>It rained.</p>\n"),
            (
                "<h4><div role=heading aria-level=2>Rain</div></h4>It rained.",
                "#### Rain\n\nIt rained.\n",
                "<h4>Rain</h4>\n<p>It rained.</p>\n",
            ),
        ] {
            assert_eq!(written(html), [markdown, as_html], "{html}");
        }
    }

    #[test]
    fn type_that_style_makes_bold_or_struck_is_and_what_it_makes_plain_is_not() {
        for (html, markdown) in [
            ("It <span style='color:red; FONT-WEIGHT: Bold'>rained</span> all day.", "It **rained** all day.\n"),
            ("It <font style='font-weight:700 !important'>rained</font> all day.", "It **rained** all day.\n"),
            ("It <span style='font-weight:400'>rained</span> all day.", "It rained all day.\n"),
            ("It <span style='font-style:italic'>rained</span> all day.", "It *rained* all day.\n"),
            ("It <span style='font-weight:bold;text-decoration:line-through'>rained</span> all day.", "It ~~rained~~ all day.\n"),
            ("<b style='font-weight:normal' id=docs><p>It <b>rained</b> all day.</p></b>", "It **rained** all day.\n"),
            (
                "It <em style='font-style:normal'>rained</em> all <b><span style='font-weight:bold'>day</span></b>.",
                "It rained all **day**.\n",
            ),
        ] {
            assert_eq!(written(html)[0], markdown, "{html}");
        }
    }
}
