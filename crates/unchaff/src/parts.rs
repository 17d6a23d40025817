//! Parts of the content that users want or do not want, whatever the technique says: comments, tables, images, links.

use std::fmt;
use std::str::FromStr;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, emit};
use unchaff_page::rules::comments::Comments;
use unchaff_page::{BlockKind, Detection, PageTechnique};

/// A kind of part that can be included or excluded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// What readers say, as the technique `comments` finds it.
    Comments,
    /// Tables of data; a table that only lays the page out is none.
    Tables,
    /// Pictures, and figures with their captions.
    Images,
    /// Links: included, those that stand among the content; excluded, where they lead, while their text stays.
    Links,
}

impl Part {
    /// All kinds.
    pub const ALL: [Part; 4] = [Part::Comments, Part::Tables, Part::Images, Part::Links];

    /// The name: `comments`, `tables`, `images`, `links`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Comments => "comments",
            Part::Tables => "tables",
            Part::Images => "images",
            Part::Links => "links",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no part's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPart(String);

impl fmt::Display for UnknownPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no part of a page; there are comments, tables, images and links", self.0)
    }
}

impl std::error::Error for UnknownPart {}

impl FromStr for Part {
    type Err = UnknownPart;

    fn from_str(name: &str) -> Result<Part, UnknownPart> {
        Part::ALL.into_iter().find(|part| part.as_str() == name).ok_or_else(|| UnknownPart(name.to_owned()))
    }
}

/// What users want beside the technique's answer; by default nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// Taken even if the technique leaves them out: comments anywhere, the others where they stand among the content.
    pub include: Vec<Part>,
    /// Left out even if the technique takes them.
    pub exclude: Vec<Part>,
}

/// A part that is wanted and not wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContradictoryPart(pub Part);

impl fmt::Display for ContradictoryPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be both included and excluded; leave one of them away", self.0)
    }
}

impl std::error::Error for ContradictoryPart {}

impl Parts {
    /// Parts that are wanted, and others that are not.
    ///
    /// # Errors
    /// If a part is among both.
    pub fn new(include: Vec<Part>, exclude: Vec<Part>) -> Result<Parts, ContradictoryPart> {
        match include.iter().find(|part| exclude.contains(part)) {
            Some(part) => Err(ContradictoryPart(*part)),
            None => Ok(Parts { include, exclude }),
        }
    }

    pub(crate) fn apply(&self, page: &Page, detection: &mut Detection) {
        let Some(block) = detection.blocks.iter_mut().find(|block| block.kind == BlockKind::Content) else { return };
        let about = |part: Part| self.include.contains(&part) || self.exclude.contains(&part);
        let comments = about(Part::Comments).then(|| Comments::beside_content().detect(page));
        let comments = comments.as_ref().and_then(|found| found.nodes(BlockKind::Comments));
        let among = among(page, &block.nodes);
        for part in &self.include {
            match part {
                Part::Comments => comments.into_iter().for_each(|comments| block.nodes.union(comments)),
                part => roots(page, among.clone(), *part).for_each(|root| block.nodes.insert_subtree(page, root)),
            }
        }
        for part in &self.exclude {
            match part {
                Part::Comments => {
                    let comments = comments.filter(|comments| leaves_enough(page, &block.nodes, comments));
                    comments.into_iter().for_each(|comments| block.nodes.difference(comments));
                }
                Part::Links => {}
                part => {
                    roots(page, page.root()..page.end(page.root()), *part)
                        .for_each(|root| block.nodes.remove_subtree(page, root));
                }
            }
        }
    }

    pub(crate) fn has_links(&self) -> bool {
        !self.exclude.contains(&Part::Links)
    }
}

/// Whether the content is more than its comments: if not, what was found is the content itself, which may be named so (*Commentary*).
fn leaves_enough(page: &Page, content: &NodeSet, comments: &NodeSet) -> bool {
    let (mut all, mut left) = (0, 0);
    for text in content.iter().filter(|node| page.tag(*node) == Tag::Text) {
        let words = page.counts(text).words;
        all += words;
        left += if comments.contains(text) { 0 } else { words };
    }
    left >= LEFT_WORDS || (left >= FEW_WORDS && 10 * left >= all)
}

/// So many words are an article, however many comments it has.
const LEFT_WORDS: u32 = 80;
/// Fewer are a title.
const FEW_WORDS: u32 = 15;

/// From the first to the last node of a set.
fn among(page: &Page, nodes: &NodeSet) -> std::ops::Range<NodeId> {
    let first = nodes.iter().next().unwrap_or(page.root());
    let last = nodes.iter().last().map_or(first, |last| page.end(last));
    first..last
}

/// The outermost elements of a kind that stand wholly in a range.
fn roots(page: &Page, range: std::ops::Range<NodeId>, part: Part) -> impl Iterator<Item = NodeId> + '_ {
    let all = page.subtree_set(page.root());
    let mut next = range.start;
    std::iter::from_fn(move || {
        while next < range.end {
            let node = next;
            let is_part = page.end(node) <= range.end && is_part(page, &all, node, part);
            next = if is_part || emit::is_never_written(page, node) { page.end(node) } else { NodeId(node.0 + 1) };
            if is_part {
                return Some(node);
            }
        }
        None
    })
}

fn is_part(page: &Page, all: &NodeSet, node: NodeId, part: Part) -> bool {
    match (part, page.tag(node)) {
        (Part::Tables, Tag::Table) => emit::is_data_table(page, all, node),
        (Part::Images, Tag::Img | Tag::Picture | Tag::Svg) => true,
        (Part::Images, Tag::Figure) => {
            let has = |tags: &[Tag]| page.descendants(node).any(|below| tags.contains(&page.tag(below)));
            has(&[Tag::Img, Tag::Picture, Tag::Svg]) && !has(&[Tag::Table, Tag::Pre, Tag::Blockquote])
        }
        (Part::Links, Tag::A) => page.attr(node, "href").is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{ContradictoryPart, Extraction, Part, Parts};
    use unchaff_dom::{NodeSet, Page, select::Selector};
    use unchaff_page::{BlockKind, Detection};

    const PAGE: &str = "<main><h1>Rain</h1><p id=one>It <a href=https://example.org/>rained</a>.</p>\
        <table><tr><th>Day<th>Rain<tr><td>Monday<td>4</table><figure><img src=/a.png alt=drops><figcaption>Drops.</figcaption></figure>\
        <ul><li><a href=/b>Snow</a></ul><p id=two>Then it stopped, and everybody who had stayed at home all week long went out into the park again.</p></main>\
        <section id=comments class=comments><h2>2 comments</h2><ol class=comment-list>\
        <li class=comment><cite>Ann</cite> <time datetime=2021-03-02>2 March 2021</time><p>Nice rain, really, I have to say.</p>\
        <li class=comment><cite>Bob</cite> <time datetime=2021-03-03>3 March 2021</time><p>Not here, not at all, not a drop.</p></ol></section>";

    fn written(chosen: &str, include: &[Part], exclude: &[Part]) -> String {
        let page = Page::parse(PAGE);
        let roots = page.select(&Selector::parse(chosen).unwrap()).collect::<Vec<_>>();
        let detection = Detection::of(BlockKind::Content, NodeSet::from_roots(&page, roots));
        let parts = Parts { include: include.to_vec(), exclude: exclude.to_vec() };
        Extraction::of(&page, BlockKind::Content, "test", detection).with_parts(&parts).markdown()
    }

    #[test]
    fn what_is_excluded_goes_and_the_text_of_links_stays() {
        let all = written("main", &[], &[]);
        for piece in ["[rained](https://example.org/)", "| Monday | 4 |", "![drops]", "Drops."] {
            assert!(all.contains(piece), "{piece} in {all}");
        }
        assert!(!written("main", &[], &[Part::Tables]).contains("Monday"));
        let without_images = written("main", &[], &[Part::Images]);
        assert!(!without_images.contains("drops") && !without_images.contains("Drops"), "{without_images}");
        let without_links = written("main", &[], &[Part::Links]);
        assert!(
            without_links.contains("It rained.") && without_links.contains("Snow") && !without_links.contains("example.org"),
            "{without_links}"
        );
        assert!(!written("main, section", &[], &[Part::Comments]).contains("Nice"));
    }

    #[test]
    fn what_is_included_comes_from_among_the_content() {
        let chosen = "#one, #two";
        assert!(!written(chosen, &[], &[]).contains("Monday"));
        assert!(written(chosen, &[Part::Tables], &[]).contains("| Monday | 4 |"));
        assert!(written(chosen, &[Part::Images], &[]).contains("![drops]"));
        assert!(written(chosen, &[Part::Links], &[]).contains("Snow"));
        assert!(written(chosen, &[Part::Comments], &[]).contains("Nice rain"));
        assert!(!written("#two", &[Part::Tables, Part::Images, Part::Links], &[]).contains("Monday"));
    }

    #[test]
    fn an_article_that_is_named_after_commentary_is_not_emptied() {
        let said = "What the council wants is clear by now, and why nobody asked the people who live there is not. ".repeat(8);
        let page = Page::parse(format!(
            "<main><h1>Streets</h1><div class=commentary id=commentary><p><cite>Ann Ott</cite> <time datetime=2021-03-02>2 March 2021</time>\
             <p>{said}<p>{said}<a href=/reply>Reply</a></div></main>"
        ));
        let content = NodeSet::from_roots(&page, page.select(&Selector::parse("main").unwrap()).collect::<Vec<_>>());
        let parts = Parts { include: Vec::new(), exclude: vec![Part::Comments] };
        let detection = Detection::of(BlockKind::Content, content);
        let text = Extraction::of(&page, BlockKind::Content, "test", detection).with_parts(&parts).text();
        assert!(text.contains("What the council wants"), "{text}");
    }

    #[test]
    fn a_part_is_wanted_or_not() {
        let (links, tables) = (vec![Part::Links], vec![Part::Tables, Part::Links]);
        assert_eq!(Parts::new(links.clone(), tables), Err(ContradictoryPart(Part::Links)));
        assert!(Parts::new(links, vec![Part::Tables]).is_ok());
    }

    #[test]
    fn a_wrong_name_is_told_the_right_ones() {
        let error = "pictures".parse::<Part>().unwrap_err().to_string();
        assert!(error.contains("`pictures`") && error.contains("images"), "{error}");
        assert!(Part::ALL.iter().all(|part| part.to_string().parse() == Ok(*part)));
    }
}
