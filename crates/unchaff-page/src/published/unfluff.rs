//! Unfluff: paragraphs with stop words vote for the element they are in.
//!
//! Albert Geitgey: unfluff, an automatic web page content extractor, 2014, after Goose (Gravity Labs), by the rules that Alarte's
//! comparison (2023, chapter 12) rests on. Prose has words such as *the* and *of*, menus have not. A paragraph with enough of them and few
//! links gives its score to its parent and half of it to its grandparent; the parent with most is the content. What is in it and is
//! no paragraph goes if it is mostly links or has little score; paragraphs beside it come in if they are like its own.
//!
//! Stop words depend on the language (`views/stop_words.rs`). Languages without one find nothing; a list of one's own can be given. Removing comments, footers and the like
//! by name before all that, as the program does, is not part of the published rules.

use crate::parameters::parameters;
use crate::registry::Entry;
use crate::views::stop_words::stop_words_of;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use std::collections::HashSet;
use unchaff_dom::words::words;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

parameters! {
    /// Parameters of Unfluff; the defaults are its own.
    pub struct Params {
        /// A paragraph counts if it has more stop words than this.
        pub stop_words_needed: u32 = 2,
        /// A paragraph is boosted if one of the three before it has more stop words than this.
        pub boosting: u32 = 5,
        /// The first boost; the second is half, the third a third of it, and so on.
        pub boost: f64 = 50.0,
        /// From more paragraphs than this on, the last quarter loses score.
        pub many: usize = 15,
        /// Links are too dense if their number times their share of the words is at least this.
        pub link_density: f64 = 1.0,
        /// Parts of the content that are no paragraphs need this share of its score.
        pub part: f64 = 0.08,
        /// Paragraphs beside the content need this share of the mean score of those in it.
        pub beside: f64 = 0.3,
        /// The stop words, with spaces between; "auto" takes the list of the page's language.
        pub stop_words: String = "auto".to_owned(),
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Unfluff, Params>(
    "unfluff",
    BlockKind::Content,
    "the element around most paragraphs with stop words and few links",
    "A. Geitgey: unfluff, an automatic web page content extractor for node.js, 2014",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Unfluff {
    params: Params,
}

impl From<Params> for Unfluff {
    fn from(params: Params) -> Unfluff {
        Unfluff { params }
    }
}

/// What was computed for a page.
struct Analysis {
    /// Stop words before each node, and of all.
    stop_words: Vec<u32>,
    /// What paragraphs gave to each node.
    scores: Vec<f64>,
    /// The paragraphs that count.
    paragraphs: Vec<NodeId>,
    best: Option<NodeId>,
}

impl Analysis {
    fn stop_words_in(&self, page: &Page, node: NodeId) -> u32 {
        self.stop_words[page.end(node).index()] - self.stop_words[node.index()]
    }
}

impl Unfluff {
    fn list(&self, page: &Page) -> HashSet<&str> {
        if self.params.stop_words != "auto" {
            return self.params.stop_words.split_whitespace().collect();
        }
        stop_words_of(page)
    }

    /// Stop words before each node, and of all.
    fn stop_words(&self, page: &Page) -> Vec<u32> {
        let list = self.list(page);
        let mut sums = Vec::with_capacity(page.len() + 1);
        let (mut total, mut folded) = (0, String::new());
        for node in page.nodes() {
            sums.push(total);
            if page.tag(node) == Tag::Text {
                total += words(page.string(node))
                    .filter(|word| {
                        folded.clear();
                        folded.extend(word.chars().flat_map(char::to_lowercase));
                        list.contains(&*folded)
                    })
                    .count() as u32;
            }
        }
        sums.push(total);
        sums
    }

    fn has_dense_links(&self, page: &Page, node: NodeId) -> bool {
        let counts = page.counts(node);
        counts.links > 0
            && f64::from(counts.link_words) * f64::from(counts.links) >= self.params.link_density * f64::from(counts.words)
    }

    fn analyse(&self, page: &Page) -> Analysis {
        let mut analysis =
            Analysis { stop_words: self.stop_words(page), scores: vec![0.0; page.len()], paragraphs: Vec::new(), best: None };
        let Some(body) = page.body() else { return analysis };
        let is_candidate = |node: &NodeId| {
            matches!(page.tag(*node), Tag::P | Tag::Pre | Tag::Td)
                && analysis.stop_words_in(page, *node) > self.params.stop_words_needed
                && !self.has_dense_links(page, *node)
        };
        let paragraphs: Vec<NodeId> = page.descendants(body).filter(is_candidate).collect();
        let boosted = self.boosted(page, &analysis, &paragraphs);
        let last = paragraphs.len() / 4;
        let mut boosts = 0.0;
        for (at, node) in paragraphs.iter().enumerate() {
            let mut boost = 0.0;
            if boosted[at] {
                boosts += 1.0;
                boost = self.params.boost / boosts;
            }
            if paragraphs.len() > self.params.many && paragraphs.len() - at <= last {
                let penalty = ((last - (paragraphs.len() - at)) as f64).powi(2);
                // What would lose very much is taken for a page of short paragraphs, and gains a little.
                boost = if penalty > 40.0 { 5.0 } else { -penalty };
            }
            let score = (f64::from(analysis.stop_words_in(page, *node)) + boost).floor();
            let mut above = page.ancestors(*node).take_while(|above| *above >= body);
            for (share, above) in [1.0, 0.5].into_iter().zip(&mut above) {
                analysis.scores[above.index()] += score * share;
            }
        }
        let parents = page.subtree(body).filter(|node| analysis.scores[node.index()] > 0.0);
        analysis.best =
            parents.reduce(|best, node| if analysis.scores[node.index()] > analysis.scores[best.index()] { node } else { best });
        analysis.paragraphs = paragraphs;
        analysis
    }

    /// Whether one of the three paragraphs (`p`) before each paragraph, under the same parent, has many stop words.
    fn boosted(&self, page: &Page, analysis: &Analysis, paragraphs: &[NodeId]) -> Vec<bool> {
        // For each parent, how many `p` ago the last rich one was; one pass in document order.
        let mut since = vec![u8::MAX; page.len()];
        let mut boosted = Vec::with_capacity(paragraphs.len());
        let mut next = paragraphs.iter().peekable();
        for node in page.nodes() {
            let Some(parent) = page.parent(node) else { continue };
            if next.next_if_eq(&&node).is_some() {
                boosted.push(since[parent.index()] < 3);
            }
            if page.tag(node) == Tag::P {
                let is_rich = analysis.stop_words_in(page, node) > self.params.boosting;
                since[parent.index()] = if is_rich { 0 } else { since[parent.index()].saturating_add(1) };
            }
        }
        boosted
    }

    /// The content: the best element without parts that are not like it, with paragraphs beside it that are.
    fn content(&self, page: &Page, analysis: &Analysis) -> NodeSet {
        let Some(best) = analysis.best else { return NodeSet::new(page) };
        let mut content = page.subtree_set(best);
        let score = |node: NodeId| analysis.scores[node.index()];
        let has_paragraph =
            |node: NodeId| page.subtree(node).any(|below| page.tag(below) == Tag::P && page.counts(below).chars >= 25);
        for child in page.element_children(best).filter(|child| page.tag(*child) != Tag::P) {
            let is_cell = page.tag(child) == Tag::Td;
            let is_unlike = score(child) < score(best) * self.params.part || !has_paragraph(child);
            if self.has_dense_links(page, child) || is_unlike && !is_cell {
                content.remove_subtree(page, child);
            }
        }
        let first = analysis.paragraphs.partition_point(|paragraph| *paragraph < best);
        let last = analysis.paragraphs.partition_point(|paragraph| *paragraph < page.end(best));
        let own = &analysis.paragraphs[first..last];
        let sum: u32 = own.iter().map(|node| analysis.stop_words_in(page, *node)).sum();
        let bar = self.params.beside * f64::from(sum) / own.len().max(1) as f64;
        let Some(parent) = page.parent(best).filter(|parent| Some(*parent) >= page.body()) else { return content };
        let is_like = |node: &NodeId| {
            page.tag(*node) == Tag::P
                && f64::from(analysis.stop_words_in(page, *node)) > bar
                && !self.has_dense_links(page, *node)
        };
        for beside in page.element_children(parent).filter(|beside| *beside != best) {
            for paragraph in page.subtree(beside).filter(is_like) {
                content.insert_subtree(page, paragraph);
            }
        }
        content
    }
}

impl PageTechnique for Unfluff {
    fn name(&self) -> &'static str {
        "unfluff"
    }

    fn detect(&self, page: &Page) -> Detection {
        let analysis = self.analyse(page);
        let mut detection = Detection::of(BlockKind::Content, self.content(page, &analysis));
        if analysis.best.is_none() {
            detection.notes.push("no paragraph has enough stop words; `stop_words` takes a list for another language".to_owned());
        }
        detection
    }

    fn explain(&self, page: &Page) -> Explanation {
        let analysis = self.analyse(page);
        let mut explanation = Explanation::new(&["stop words", "score"]).rated_by("score", Likely::High);
        for node in page.nodes().filter(|node| page.is_element(*node)) {
            let is_paragraph = analysis.paragraphs.binary_search(&node).is_ok();
            let remark = match analysis.best == Some(node) {
                true => "content",
                false if is_paragraph => "paragraph",
                false => "",
            };
            if is_paragraph || analysis.scores[node.index()] != 0.0 {
                let values = [f64::from(analysis.stop_words_in(page, node)), analysis.scores[node.index()]];
                explanation.push(node, &values, remark);
            }
        }
        explanation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;
    use unchaff_dom::select::Selector;

    fn find(page: &Page, selector: &str) -> NodeId {
        page.select(&Selector::parse(selector).unwrap()).next().unwrap()
    }

    /// A text of so many stop words, each with a word after it.
    fn prose(stop_words: usize) -> String {
        "the rain ".repeat(stop_words)
    }

    /// Worked by hand: a (6 stop words) is not boosted, b (3) is, by 50, c (3) by 25, since a is two before it; d has too few.
    #[test]
    fn scores_go_to_parent_and_grandparent() {
        let page = Page::parse(format!(
            "<html lang=en><body><div id=g><div id=p><p>{}</p><p>{}</p><p>{}</p><p>{}</p></div></div></body>",
            prose(6),
            prose(3),
            prose(3),
            prose(2)
        ));
        let analysis = Unfluff::default().analyse(&page);
        let score = |selector: &str| analysis.scores[find(&page, selector).index()];
        assert_eq!([score("#p"), score("#g"), score("body")], [6.0 + 53.0 + 28.0, 43.5, 0.0]);
        assert_eq!(analysis.best, Some(find(&page, "#p")));
        assert_eq!(analysis.paragraphs.len(), 3);
    }

    /// Of 16 paragraphs the last four lose (4-4)², … (4-1)²: 0, 1, 4, 9; each has 3 stop words, and none boosts.
    #[test]
    fn the_last_quarter_of_many_paragraphs_loses() {
        let page =
            |number: usize| Page::parse(format!("<body><div>{}</div></body>", format!("<p>{}</p>", prose(3)).repeat(number)));
        let score = |page: &Page| Unfluff::default().analyse(page).scores[find(page, "div").index()];
        assert_eq!(score(&page(15)), 45.0);
        assert_eq!(score(&page(16)), 48.0 - 1.0 - 4.0 - 9.0);
        // Of 40 the last ten would lose 0, 1, … 81; what is above 40 gains 5 instead: 0+1+4+9+16+25+36 and three times 5.
        assert_eq!(score(&page(40)), 120.0 - 91.0 + 15.0);
    }

    #[test]
    fn links_and_parts_without_paragraphs_go_and_like_paragraphs_beside_come() {
        let links = "<a href=x>the one</a> <a href=y>of two</a> ".repeat(3);
        let page = Page::parse(format!(
            "<html lang=en><body><div id=a><p id=beside>{}</p><div id=b><h2>Heading</h2><p id=first>{}</p><p>{links}</p><ul><li>{links}</ul>\
             <p>{}</p></div><div><p id=few>the</p></div></div></body>",
            prose(4),
            prose(8),
            prose(8)
        ));
        let content = Unfluff::default().detect(&page).blocks.remove(0).nodes;
        let is_in = |selector: &str| content.contains(find(&page, selector));
        assert!(is_in("#first") && is_in("#beside"));
        assert!(!is_in("ul") && !is_in("h2") && !is_in("#few"));
    }

    #[test]
    fn the_language_is_the_pages_or_that_of_its_words() {
        let text = |html: &str, params: Params| {
            let page = Page::parse(html);
            emit::text(&page, &Unfluff::from(params).detect(&page).blocks.remove(0).nodes).trim().to_owned()
        };
        let german = "<p>Der Regen fiel auf die Stadt und das Land, aber nicht auf uns.</p>";
        for page in [format!("<body><div>{german}</div>"), format!("<html lang=de-AT><body><div>{german}</div>")] {
            assert!(text(&page, Params::default()).starts_with("Der Regen"), "{page}");
        }
        assert_eq!(text(&format!("<html lang=en><body><div>{german}</div>"), Params::default()), "");
        let own = Params { stop_words: "kala on ja".to_owned(), ..Params::default() };
        assert_eq!(text("<body><div><p>Kala on ja kala on.</p></div>", own), "Kala on ja kala on.");
    }
}
