//! The whole page with marks: every element of a block carries `data-unchaff` with the block's name.
//!
//! Text that is in a block while the element around it is not (bare text between `br`) has no tag of its own to mark. Then the element
//! around it says which of the texts directly in it are meant, by their places among these, from 0:
//! `data-unchaff-text="content:0,2,3"`, blocks divided by semicolons.
//!
//! The page is not written anew from the tree, because no serialisation of a misnested page parses back to the same
//! tree. Instead the marks are put into the source, at the tags the elements come from; everything else stays as it is,
//! so the result parses to the same elements. Elements that the standard implies (`tbody`, `body`, …) get the tag they
//! lack where they are marked, unless the page's end implies them, where there is nothing in them. A misnested formatting tag stands for all elements copied from it, so it is marked if
//! most of them are. Where more than three alike were open at a time (`<b><b><b><b>`), the standard keeps three, by their
//! attributes; such a tag is not marked on that page, because the marks would change what is kept.
//!
//! The result is UTF-8. It starts with a byte order mark unless the page is plain ASCII or declares UTF-8 itself, because
//! a charset that the page declares would otherwise be believed.

use crate::decode::{CharsetSource, decode};
use crate::order::InOrder;
use crate::{NodeId, NodeSet, Page, Tag};
use std::collections::HashMap;

/// The name of the attribute that carries the marks.
pub const ATTRIBUTE: &str = "data-unchaff";

/// The name of the attribute that tells which texts of an element are in a block that the element is not in.
pub const TEXT_ATTRIBUTE: &str = "data-unchaff-text";

/// Which blocks a node is in, by their places in the list of names, ascending.
trait Blocks: Fn(NodeId, &mut Vec<usize>) {}

impl<F: Fn(NodeId, &mut Vec<usize>)> Blocks for F {}

/// The page's source with marks: `blocks` are pairs of a block's name and its nodes. Where blocks overlap, an element
/// carries several names, in the order given.
#[must_use]
pub fn annotated(page: &Page, blocks: &[(&str, &NodeSet)]) -> String {
    write(page, &names(blocks), of_sets(blocks), |_| None)
}

/// The same of blocks that are told by node: `of` adds the places in `names` of those that a node is in, ascending. So many blocks cost
/// no more than few.
#[must_use]
pub fn annotated_by(page: &Page, names: &[&str], of: impl Fn(NodeId, &mut Vec<usize>)) -> String {
    write(page, names, of, |_| None)
}

fn names<'b>(blocks: &[(&'b str, &NodeSet)]) -> Vec<&'b str> {
    blocks.iter().map(|(name, _)| *name).collect()
}

fn of_sets(blocks: &[(&str, &NodeSet)]) -> impl Blocks {
    |node, found| found.extend((0..blocks.len()).filter(|at| blocks[*at].1.contains(node)))
}

/// What is said of an element of an annotated page for people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remark {
    /// What is shown where the pointer rests.
    pub said: String,
    /// How sure it is, from 0 (surely not of the block) over 5 (just in) to 9.
    pub shade: Option<u8>,
}

/// The annotated page for people: blocks have coloured frames, elements with a remark show it where the pointer rests, and those with a shade are the greener the
/// surer they are in, and the redder the surer they are out.
#[must_use]
pub fn explained(page: &Page, blocks: &[(&str, &NodeSet)], remark: impl Fn(NodeId) -> Option<Remark>) -> String {
    const STYLE: &str = "\n<style>[data-unchaff] { outline: 1px dashed #888 } [data-unchaff~=content] { outline-color: #2a2 } \
        [data-unchaff~=template] { outline-color: #aaa } [data-unchaff~=menu] { outline-color: #28d } \
        [data-unchaff~=comments] { outline-color: #d82 } [data-unchaff~=ads] { outline-color: #d22 } \
        [data-unchaff-shade] { color: #111 !important } \
        [data-unchaff-why]:hover { outline: 3px solid #06c !important }";
    let mut style = STYLE.to_owned();
    for (shade, colour) in SHADES.iter().enumerate() {
        style += &format!(" [data-unchaff-shade=\"{shade}\"] {{ background: {colour} !important }}");
    }
    let attributes = |node| {
        let Remark { said, shade } = remark(node)?;
        let said = said.replace('&', "&amp;").replace('"', "&quot;");
        let shade = shade.map_or(String::new(), |shade| format!(" {ATTRIBUTE}-shade=\"{}\"", shade.min(9)));
        Some(format!(" {ATTRIBUTE}-why=\"{said}\" title=\"{said}\"{shade}"))
    };
    write(page, &names(blocks), of_sets(blocks), attributes) + &style + "</style>\n"
}

/// Colours from surely out to surely in.
pub const SHADES: [&str; 10] =
    ["#f3b8b0", "#f6c6bf", "#f9d5d0", "#fbe3e0", "#fdf0ee", "#eef8ee", "#dff2df", "#cdebcd", "#b9e3b9", "#a3daa3"];

/// The page's source in which every element carries its position in document order in `data-unchaff-node`, for who renders
/// it. Elements that come from one misnested formatting tag all carry that of the first.
#[must_use]
pub fn numbered(page: &Page) -> String {
    write(page, &[], |_, _| (), |node| Some(format!(" {ATTRIBUTE}-node=\"{}\"", node.0)))
}

fn write(page: &Page, names: &[&str], of: impl Blocks, more: impl Fn(NodeId) -> Option<String>) -> String {
    let source = page.source();
    let mut bare = bare_texts(page, names, &of);
    // Elements by their place in the source. Those that lack a tag come before the one whose tag is there.
    let elements = page.nodes().filter(|node| page.is_element(*node) && !page.alike.contains(&page.tag(*node)));
    let places = elements.map(|node| (page.source_range(node).start as u32, has_tag(page, node), node));
    let mut places: Vec<(u32, bool, NodeId)> = places.filter(|place| (place.0 as usize) < source.len()).collect();
    places.order_by_key(|(start, has_tag, _)| (*start, *has_tag));
    // What is written of a tag: the blocks that most of the elements from it are in, and what else there is.
    let mut found: Vec<usize> = Vec::new();
    let mut attributes = |elements: &[(u32, bool, NodeId)]| {
        found.clear();
        elements.iter().for_each(|(_, _, node)| of(*node, &mut found));
        found.sort_unstable();
        let is_most = |votes: &&[usize]| votes.len() * 2 >= elements.len();
        let marked: Vec<&str> = found.chunk_by(|one, other| one == other).filter(is_most).map(|votes| names[votes[0]]).collect();
        let mut attributes = String::new();
        if !marked.is_empty() {
            attributes = format!(" {ATTRIBUTE}=\"{}\"", marked.join(" "));
        }
        // Of several copies of a tag, which is meant could not be told.
        if let [(_, _, only)] = elements
            && let Some(texts) = bare.remove(only)
        {
            attributes += &format!(" {TEXT_ATTRIBUTE}=\"{texts}\"");
        }
        attributes + &more(elements[0].2).unwrap_or_default()
    };
    let mut out = String::with_capacity(source.len() + source.len() / 8);
    if !source.is_ascii() && !declares_utf8(source) {
        out.push('\u{feff}');
    }
    let mut written = 0;
    for elements in places.chunk_by(|one, other| one.1 && other.1 && one.0 == other.0) {
        let (at, has_tag, node) = (elements[0].0 as usize, elements[0].1, elements[0].2);
        let attributes = attributes(elements);
        if attributes.is_empty() {
            continue;
        }
        if has_tag {
            let after_name = at + 1 + name_length(&source[at + 1..]);
            out.push_str(&source[written..after_name]);
            written = after_name;
            out.push_str(&attributes);
        } else {
            out.push_str(&source[written..at]);
            written = at;
            out.push_str(&format!("<{}{attributes}>", page.tag(node).name()));
            if page.tag(node) == Tag::Br {
                // The page has `</br>` here, which stands for `<br>`: one of the two is enough.
                written = source[at..].find('>').map_or(source.len(), |end| at + end + 1);
            }
        }
    }
    out.push_str(&source[written..]);
    out
}

/// For elements with texts in a block that they are not in themselves: which.
fn bare_texts(page: &Page, names: &[&str], of: &impl Blocks) -> HashMap<NodeId, String> {
    let mut bare: HashMap<NodeId, String> = HashMap::new();
    let mut places: HashMap<NodeId, u32> = HashMap::new();
    if names.is_empty() {
        return bare;
    }
    let mut found: Vec<(usize, NodeId, u32)> = Vec::new();
    let (mut of_text, mut of_parent) = (Vec::new(), Vec::new());
    for text in page.nodes().filter(|node| page.tag(*node) == Tag::Text) {
        let Some(parent) = page.parent(text) else { continue };
        let place = places.entry(parent).or_default();
        let at = *place;
        *place += 1;
        if page.string(text).trim_ascii().is_empty() {
            continue;
        }
        of_text.clear();
        of_parent.clear();
        of(text, &mut of_text);
        of(parent, &mut of_parent);
        found.extend(of_text.iter().filter(|block| !of_parent.contains(*block)).map(|block| (*block, parent, at)));
    }
    found.sort_unstable();
    let mut last = None;
    for (block, parent, at) in found {
        let said = bare.entry(parent).or_default();
        if last == Some((block, parent)) {
            *said += &format!(",{at}");
        } else {
            *said += &format!("{}{}:{at}", if said.is_empty() { "" } else { ";" }, names[block]);
        }
        last = Some((block, parent));
    }
    bare
}

/// For each text of an annotated page whether its own mark says that it is in a block.
#[must_use]
pub fn marked_texts(annotated: &Page, block: &str) -> Vec<bool> {
    let mut places: HashMap<NodeId, u32> = HashMap::new();
    let mut marked = Vec::new();
    for text in annotated.nodes().filter(|node| annotated.tag(*node) == Tag::Text) {
        let Some(parent) = annotated.parent(text) else { continue };
        let place = places.entry(parent).or_default();
        let at = place.to_string();
        *place += 1;
        let said = annotated.attr(parent, TEXT_ATTRIBUTE).unwrap_or_default();
        let of_block = said.split(';').filter_map(|said| said.split_once(':')).filter(|(name, _)| *name == block);
        marked.push(of_block.flat_map(|(_, places)| places.split(',')).any(|place| place == at));
    }
    marked
}

/// Whether a start tag in the source stands for the element.
fn has_tag(page: &Page, node: NodeId) -> bool {
    let Some(rest) = page.source()[page.source_range(node).start..].strip_prefix('<') else { return false };
    let written = &rest[..name_length(rest)];
    written.eq_ignore_ascii_case(page.name(node))
        || page.tag(node) == Tag::Img && written.eq_ignore_ascii_case("image")
        || written.contains('\0') && written.replace('\0', "\u{fffd}").eq_ignore_ascii_case(page.name(node))
}

fn name_length(tag: &str) -> usize {
    tag.find(['\t', '\n', '\x0c', '\r', ' ', '/', '>']).unwrap_or(tag.len())
}

fn declares_utf8(source: &str) -> bool {
    let start = &source[..source.floor_char_boundary(1024)];
    // A byte that is no UTF-8 keeps the bytes themselves from deciding.
    let decoded = decode([start.as_bytes(), &[0xff]].concat(), None);
    decoded.source == CharsetSource::Meta && decoded.charset == "UTF-8"
}
