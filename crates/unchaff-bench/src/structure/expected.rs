//! What a page has: tables with their cells placed, code, headings, links, images and formulas, read from its tree.

use super::{LONG, letters, plain};
use std::collections::HashSet;
use unchaff_dom::{NodeId, Page, Tag, emit};

/// A grid never gets wider than this.
const MOST_COLUMNS: usize = 64;

/// The parts of a page.
pub(super) struct Expected {
    /// Tables of data: rows of cells.
    pub(super) tables: Vec<Own<Vec<Vec<String>>>>,
    /// The text of plain `pre` elements.
    pub(super) code: Vec<Own<String>>,
    /// Headings with their levels.
    pub(super) headings: Vec<(u8, String)>,
    /// Items of lists that hold one line of text, which the page says nowhere else.
    pub(super) items: Vec<String>,
    /// The items of each list, or the lines of each list of definitions, that the page says nowhere else; lists of two and more.
    pub(super) lists: Vec<Vec<String>>,
    /// Figures: the addresses that their picture may have, and their caption.
    pub(super) figures: Vec<(HashSet<String>, String)>,
    /// Quotes of one paragraph.
    pub(super) quotes: Vec<String>,
    /// Links: text and address.
    pub(super) links: HashSet<(String, String)>,
    /// Addresses of what plays, and of frames.
    pub(super) media: HashSet<String>,
    /// Addresses of images.
    pub(super) images: HashSet<String>,
    /// TeX sources of MathML.
    pub(super) formulas: Vec<String>,
}

/// A part of a page, and the lines of it by which it is known to have come out: long enough to be found by no chance, and said nowhere else on the page.
pub(super) struct Own<T> {
    pub(super) part: T,
    pub(super) lines: Vec<String>,
}

impl Expected {
    pub(super) fn of(page: &Page) -> Expected {
        let mut expected = Expected {
            tables: Vec::new(),
            code: Vec::new(),
            headings: Vec::new(),
            items: Vec::new(),
            lists: Vec::new(),
            figures: Vec::new(),
            quotes: Vec::new(),
            links: HashSet::new(),
            media: HashSet::new(),
            images: HashSet::new(),
            formulas: Vec::new(),
        };
        let all = page.subtree_set(page.root());
        let (mut tables, mut code): (Vec<Vec<Vec<String>>>, Vec<String>) = (Vec::new(), Vec::new());
        let mut node = page.root();
        while node < page.end(page.root()) {
            let tag = page.tag(node);
            if matches!(tag, Tag::Iframe | Tag::Video | Tag::Audio) {
                expected.media.extend(page.subtree(node).flat_map(|below| addresses(page, below)));
            }
            if tag.is_element() && tag != Tag::Html && emit::is_never_written(page, node) {
                node = page.end(node);
                continue;
            }
            match tag {
                Tag::Table if emit::is_data_table(page, &all, node) => tables.push(cells(page, node)),
                Tag::Pre => code.extend(plain_code(page, node)),
                Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                    let text = written(page, node);
                    if (2..=120).contains(&text.chars().count()) && is_one_line(page, node) {
                        expected.headings.push((tag.heading_level().unwrap_or(6), text));
                    }
                }
                Tag::Li if is_one_line(page, node) => {
                    let text = written(page, node);
                    let is_in_cell = page.ancestors(node).any(|above| matches!(page.tag(above), Tag::Td | Tag::Th | Tag::Pre));
                    if (LONG..=400).contains(&text.chars().count()) && !is_in_cell {
                        expected.items.push(text);
                    }
                }
                Tag::A => {
                    let href = page.attr(node, "href").unwrap_or_default().trim();
                    let address = page.resolve(href).map_or_else(|| href.to_owned(), String::from);
                    let text = written(page, node);
                    expected.links.insert((text.clone(), address));
                    expected.links.insert((text, href.to_owned()));
                }
                Tag::Img => {
                    expected.images.extend(addresses(page, node));
                }
                Tag::Ul | Tag::Ol => {
                    let items = page.element_children(node).filter(|item| page.tag(*item) == Tag::Li);
                    expected.lists.extend(lines(page, items));
                }
                Tag::Dl => {
                    let is_line = |below: &NodeId| matches!(page.tag(*below), Tag::Dt | Tag::Dd);
                    expected.lists.extend(lines(page, page.descendants(node).filter(is_line)));
                }
                Tag::Figure => expected.figures.extend(figure(page, node)),
                Tag::Blockquote => {
                    let paragraphs: Vec<NodeId> = page.element_children(node).collect();
                    let line = match paragraphs.as_slice() {
                        [only] if page.tag(*only) == Tag::P => *only,
                        _ => node,
                    };
                    let text = written(page, node);
                    if is_one_line(page, line) && text == written(page, line) && (LONG..=400).contains(&text.chars().count()) {
                        expected.quotes.push(text);
                    }
                }
                Tag::Math => expected.formulas.extend(tex(page, node)),
                _ => {}
            }
            node = NodeId(node.0 + 1);
        }
        // What the page says elsewhere too (a table of contents repeats the headings) may have come out from there.
        let text = written(page, page.root());
        let is_once = |line: &String| text.match_indices(line.as_str()).take(2).count() == 1;
        expected.items.retain(is_once);
        expected.quotes.retain(is_once);
        expected.figures.retain(|(_, caption)| is_once(caption));
        expected.lists.iter_mut().for_each(|list| list.retain(is_once));
        expected.lists.retain(|list| list.len() >= 2);
        let is_own = |line: &String| line.chars().count() >= LONG && is_once(line);
        for part in tables {
            let lines = part.iter().flatten().filter(|cell| is_own(cell)).cloned().collect();
            expected.tables.push(Own { part, lines });
        }
        for part in code {
            let lines = part.lines().map(letters).filter(is_own).collect();
            expected.code.push(Own { part, lines });
        }
        expected
    }
}

/// The addresses that an image may be loaded from.
fn addresses(page: &Page, image: NodeId) -> HashSet<String> {
    let sources = page.attrs(image).filter(|(name, _)| name.contains("src") || *name == "data-original");
    let parts = sources.flat_map(|(_, value)| value.split_ascii_whitespace().map(|part| part.trim_end_matches(',')));
    parts.map(|address| page.resolve(address).map_or_else(|| address.to_owned(), String::from)).collect()
}

/// The picture and the caption of a figure that has one of each.
fn figure(page: &Page, figure: NodeId) -> Option<(HashSet<String>, String)> {
    let below = |tag: Tag| page.descendants(figure).filter(move |node| page.tag(*node) == tag);
    let mut captions = below(Tag::Figcaption);
    let caption = captions.next().filter(|caption| captions.next().is_none() && is_one_line(page, *caption))?;
    // A pixel, or data that a script replaces, stands for a picture that the page does not have.
    let is_small = |size: &str| matches!(size.trim().trim_end_matches("px"), "0" | "1" | "2");
    let is_pixel = |image: &NodeId| ["width", "height"].iter().any(|name| page.attr(*image, name).is_some_and(is_small));
    let pictures = below(Tag::Img).filter(|image| !is_pixel(image)).flat_map(|image| addresses(page, image));
    let images: HashSet<String> = pictures.filter(|address| !address.starts_with("data:")).collect();
    let text = written(page, caption);
    (!images.is_empty() && (LONG..=400).contains(&text.chars().count())).then_some((images, text))
}

/// The lines of a list, if each of its items is one, outside of tables and code.
fn lines(page: &Page, mut items: impl Iterator<Item = NodeId>) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let is_in_cell = |node| page.ancestors(node).any(|above| matches!(page.tag(above), Tag::Td | Tag::Th | Tag::Pre));
    items
        .all(|item| {
            lines.push(written(page, item));
            is_one_line(page, item) && (lines.len() > 1 || !is_in_cell(item))
        })
        .then_some(())?;
    lines.retain(|line| (LONG..=400).contains(&line.chars().count()));
    Some(lines)
}

/// The letters and digits of an element.
fn written(page: &Page, node: NodeId) -> String {
    let mut text = String::new();
    let mut at = NodeId(node.0 + 1);
    while at < page.end(node) {
        let tag = page.tag(at);
        if tag.is_element() && emit::is_never_written(page, at) {
            at = page.end(at);
            continue;
        }
        if tag == Tag::Text {
            text.push_str(page.string(at));
        }
        at = NodeId(at.0 + 1);
    }
    letters(&text)
}

fn is_one_line(page: &Page, node: NodeId) -> bool {
    page.descendants(node).all(|below| {
        let tag = page.tag(below);
        !tag.is_element() || !(tag.is_block() || matches!(tag, Tag::Br | Tag::Math | Tag::Ruby))
    })
}

/// The text of a `pre` in which there are only inline elements and breaks.
fn plain_code(page: &Page, pre: NodeId) -> Option<String> {
    let mut code = String::new();
    for below in page.descendants(pre) {
        match page.tag(below) {
            Tag::Text => code.push_str(page.string(below)),
            Tag::Br => code.push('\n'),
            Tag::Span | Tag::Code | Tag::A | Tag::B | Tag::I | Tag::Em | Tag::Strong if page.attr(below, "style").is_none() => {
                let is_marked = page
                    .classes(below)
                    .any(|class| class.contains("line") || class.starts_with("ln") || class.contains("gutter"));
                if is_marked {
                    return None;
                }
            }
            _ => return None,
        }
    }
    let code = code.replace("\r\n", "\n").replace('\r', "\n");
    let body = code.trim_end();
    let blank = body.len() - body.trim_start().len();
    let start = body[..blank].rfind('\n').map_or(0, |at| at + 1);
    (body.len() - start >= 8).then(|| body[start..].to_owned())
}

/// The TeX that a formula carries.
fn tex(page: &Page, math: NodeId) -> Option<String> {
    let annotation = page.descendants(math).find(|node| {
        page.is_element(*node)
            && page.name(*node) == "annotation"
            && page.attr(*node, "encoding").is_some_and(|kind| kind.contains("tex"))
    })?;
    let tex = plain(&page.descendants(annotation).map(|text| page.string(text)).collect::<String>());
    let bare = tex.strip_prefix("{\\displaystyle ").and_then(|tex| tex.strip_suffix('}'));
    Some(bare.map_or(tex.as_str(), str::trim).to_owned()).filter(|tex| !tex.is_empty())
}

/// The cells of a table in their rows and columns, by the standard's way of placing them.
fn cells(page: &Page, table: NodeId) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    let is_row = |node: &NodeId| page.tag(*node) == Tag::Tr;
    for row in page.descendants(table).filter(is_row) {
        let mut line: Vec<String> = Vec::new();
        let all: Vec<NodeId> = page.element_children(row).filter(|cell| matches!(page.tag(*cell), Tag::Td | Tag::Th)).collect();
        for cell in &all {
            while taken.get(line.len()).is_some_and(|rows| *rows > 0) {
                taken[line.len()] -= 1;
                line.push(String::new());
            }
            // A cell that is alone in its row has no neighbours to keep apart.
            let span =
                |name| page.attr(*cell, name).and_then(|value| value.trim().parse().ok()).unwrap_or(1_usize).clamp(1, 1000);
            let (wide, high) = if all.len() > 1 { (span("colspan").min(16), span("rowspan")) } else { (1, 1) };
            for column in 0..wide.min(MOST_COLUMNS) {
                if taken.len() <= line.len() {
                    taken.resize(line.len() + 1, 0);
                }
                taken[line.len()] = high - 1;
                line.push(if column == 0 { written(page, *cell) } else { String::new() });
            }
        }
        for rows in taken.iter_mut().skip(line.len()) {
            *rows = rows.saturating_sub(1);
        }
        rows.push(line);
    }
    rows
}
