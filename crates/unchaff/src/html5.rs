//! The page with the elements that HTML 5 has for its parts: `main`, `nav`, `header`, `footer` and `aside` written into an older one.
//!
//! The tags are put into the source, which stays as it is otherwise: a `div` gets the other name, what is no `div` gets an element around it. What would change
//! the tree besides (a misnested page) is left out. A page that declares its parts already is not changed.

use crate::landmarks::{Found, Landmark, Place, missing};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page};

/// A change of the source: what stands at a place for so many bytes.
struct Edit {
    at: usize,
    bytes: usize,
    text: String,
    /// Where several start at one place: closing tags first, then by the order of the tree.
    rank: (u8, u32),
}

/// Writes the page with the landmarks that it lacks.
pub(crate) fn html5(page: &Page) -> String {
    let planned = missing(page, &Found::of(page));
    let all = written(page, &planned);
    if is_same_text(page, &all) {
        return all;
    }
    // Some of them break a misnested page: those that do are left out.
    let mut kept: Vec<(Landmark, Place)> = Vec::new();
    for plan in planned {
        kept.push(plan);
        if !is_same_text(page, &written(page, &kept)) {
            kept.pop();
        }
    }
    written(page, &kept)
}

fn written(page: &Page, planned: &[(Landmark, Place)]) -> String {
    let mut edits: Vec<Edit> = Vec::new();
    for (landmark, place) in planned {
        match place {
            Place::Renamed(node) => edits.extend(renamed(page, *node, landmark.as_str()).into_iter().flatten()),
            Place::Around(first, last) => edits.extend(around(page, *first, *last, landmark.as_str())),
        }
    }
    edits.order_by_key(|edit| (edit.at, edit.rank));
    let source = page.source();
    let mut out = String::with_capacity(source.len() + edits.len() * 16);
    let mut at = 0;
    for edit in edits.iter().filter(|edit| edit.at <= source.len()) {
        if edit.at < at {
            continue;
        }
        out.push_str(&source[at..edit.at]);
        out.push_str(&edit.text);
        at = edit.at + edit.bytes;
    }
    out.push_str(&source[at..]);
    out
}

/// The two edits that give an element another name, if both of its tags are in the source.
fn renamed(page: &Page, node: NodeId, name: &str) -> Option<[Edit; 2]> {
    let (range, old) = (page.source_range(node), page.name(node).len());
    let source = &page.source()[range.clone()];
    let end = source.rfind("</")?;
    let is_tag = |at: usize| source.get(at..at + old).is_some_and(|tag| tag.eq_ignore_ascii_case(page.name(node)));
    if !source.starts_with('<') || !is_tag(1) || !is_tag(end + 2) || end < old {
        return None;
    }
    let edit = |at: usize| Edit { at: range.start + at, bytes: old, text: name.to_owned(), rank: (1, node.0) };
    Some([edit(1), edit(end + 2)])
}

fn around(page: &Page, first: NodeId, last: NodeId, name: &str) -> [Edit; 2] {
    let (start, end) = (page.source_range(first).start, page.source_range(last).end);
    [
        Edit { at: start, bytes: 0, text: format!("<{name}>"), rank: (1, first.0) },
        Edit { at: end, bytes: 0, text: format!("</{name}>"), rank: (0, u32::MAX - first.0) },
    ]
}

/// Whether a source has the same text and, but for the new ones, the same elements.
fn is_same_text(page: &Page, source: &str) -> bool {
    let other = Page::parse(source);
    let leaves = |page: &Page| page.nodes().filter(|node| page.is_element(*node) && page.end(*node).0 == node.0 + 1).count();
    page.text(page.root()) == other.text(other.root()) && leaves(page) == leaves(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<p>It rained all day and all night, and in the morning the river had come into the garden of the mill.</p>\
        <p>Nobody could remember such a flood, not even the miller, who was ninety and had seen many of them.</p>\
        <p>The fire brigade came with boats, and the children were carried over the bridge to the school.</p>";

    #[test]
    fn divs_get_the_names_of_what_they_are() {
        let html = format!(
            "<html><head><title>Flood</title><script>var a = 1;</script></head><body>\n\
             <div id=\"header\"><img src=logo.png><div id=\"menu\"><ul><li><a href=/a>News</a><li><a href=/b>Sport</a><li><a href=/c>Weather</a><li><a href=/d>Culture</a></ul></div></div>\n\
             <DIV class=text onclick='go()'><h1>Flood in the valley</h1>{TEXT}</DIV>\n\
             <div class=\"sidebar\"><h3>Read more</h3><ul><li><a href=/x>Older floods</a></ul></div>\n\
             <div id=footer>© 2009 The Valley Gazette</div></body></html>"
        );
        let page = Page::parse(html.as_str());
        let written = html5(&page);
        assert!(written.contains("<header id=\"header\">") && written.contains("</nav></header>"), "{written}");
        assert!(written.contains("<nav id=\"menu\"><ul>"), "{written}");
        assert!(written.contains("<main class=text onclick='go()'><h1>Flood") && written.contains("</p></main>"), "{written}");
        assert!(written.contains("<aside class=\"sidebar\">") && written.contains("<footer id=footer>© 2009"), "{written}");
        assert!(written.contains("<script>var a = 1;</script>"), "the source stays as it is");
        assert_eq!(html5(&Page::parse(written.as_str())), written, "a page with landmarks stays");
    }

    #[test]
    fn main_goes_around_an_article_and_never_into_it() {
        let html = format!("<body><div><article><h1>Flood in the valley</h1>{TEXT}</article></div></body>");
        let written = html5(&Page::parse(html.as_str()));
        assert!(written.contains("<main><article><h1>") && written.contains("</article></main>"), "{written}");
    }

    #[test]
    fn cells_of_a_layout_table_get_landmarks_inside() {
        let html = format!(
            "<body><table><tr><td><a href=/a>News</a><br><a href=/b>Sport</a><br><a href=/c>Weather</a><br><a href=/d>Culture</a></td>\
             <td><h1>Flood in the valley</h1>{TEXT}</td></tr></table></body>"
        );
        let written = html5(&Page::parse(html.as_str()));
        assert!(written.contains("<td><main><h1>Flood") && written.contains("</p></main></td>"), "{written}");
    }
}
