//! `auto`: the content of any page, by a model that has seen pages with their content marked.
//!
//! The page is cut into blocks, lines of text as readers see them (`blocks`). Each block is described by numbers that need no
//! language: its text, the elements above it and what their names say, its neighbours, what the page says of itself, where
//! an article would be (`features`). Boosted trees turn them into the probability that the block is content
//! (`oblivious_trees`). Blocks of one kind are drawn towards each other (`alike`), all blocks of a table, a listing, a formula, a list, a figure or a quote (`units`) get the same probability, comments
//! below an article a lower one (`comments`), each page is cut where the expected F1 is best (`cut`), and posts of a thread are made whole (`whole_posts`). After Kohlschütter et al. (WSDM 2010) and Vogels et al.: Web2Text (ECIR 2018),
//! with trees in place of networks. `training/` has all that makes the models.

pub mod alike;
mod block_features;
pub mod blocks;
pub mod candidate;
pub mod comments;
pub mod cut;
pub mod features;
mod group_features;
mod labels;
mod lead_pictures;
mod left_out;
mod level_features;
pub mod levels;
pub mod oblivious_trees;
mod page_features;
mod reasons;
pub mod self_description;
pub mod tables;
pub mod text_signs;
pub mod view;
mod whole_posts;

use crate::learned::name_families::NameFamilies;
use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::views::units::{self, Kind, Unit};
use crate::views::whole_elements::with_whole_elements_among;
use crate::{Block, BlockKind, Detection, Explanation, Likely, PageTechnique};
use blocks::Block as TextBlock;
use cut::{Cut, cut};
use features::Source;
use oblivious_trees::ObliviousTrees;
use std::ops::Range;
use std::sync::LazyLock;
use unchaff_dom::metadata::{embedded_text, is_json, metadata, state_text};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use view::View;

/// Pages with fewer words than this have hardly any text of their own.
const FEW_WORDS: f32 = 40.0;
/// Pages with fewer words than this may be the frame of what a script draws.
const FRAME_WORDS: f32 = 120.0;
/// Text in the state of such a page is at least so long.
const LEAST_STATE: usize = 400;
/// Embedded data of fewer bytes does not hold the text of a page.
const MUCH_DATA: usize = 4000;

/// The share of a page's words up to which code belongs to the text around it.
const MOST_BELONGING: f32 = 0.2;
/// Lines of fewer words beside code (`Example:`, `Select all`) do not tell whether it belongs there,
const SHORT_LINE: f32 = 6.0;
/// if a longer one is among so many.
const NEAR_LINES: usize = 3;

choice! {
    /// What a mistake costs.
    pub enum Favor {
        /// Rather leave something out.
        Precision = "precision",
        /// Both mistakes the same.
        Balanced = "balanced",
        /// Rather have too much.
        Recall = "recall",
    }
}

impl Favor {
    /// The words that are demanded for each word expected to be content.
    fn demand(self) -> f32 {
        match self {
            Favor::Precision => 0.6,
            Favor::Balanced => 1.0,
            Favor::Recall => 1.8,
        }
    }
}

parameters! {
    /// Parameters of `auto`.
    pub struct Params {
        /// What to favour where it is not clear how much is content: precision, recall or the balance of both.
        pub favor: Favor = Favor::Balanced,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Auto, Params>(
    "auto",
    BlockKind::Content,
    "blocks of text rated by boosted trees that were trained on pages of all kinds; each page cut at its best expected F1",
    "unchaff, after C. Kohlschütter et al., WSDM 2010, and T. Vogels et al.: Web2Text, ECIR 2018",
    "linear in the page",
);

/// The columns of the model: names, and where they come from.
#[must_use]
pub fn columns() -> Vec<(String, Source)> {
    features::columns().into_iter().map(|(feature, source)| (feature.name, source)).collect()
}

/// The model that `training/train` wrote.
static MODEL: LazyLock<ObliviousTrees> = LazyLock::new(|| {
    ObliviousTrees::read(include_bytes!("auto/model.bin"), &columns())
        .unwrap_or_else(|error| unreachable!("a test reads the model of this program: {error}"))
});

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Auto {
    params: Params,
}

impl From<Params> for Auto {
    fn from(params: Params) -> Self {
        Auto { params }
    }
}

/// What was computed for a page.
#[derive(Debug)]
pub struct Analysis<'p> {
    /// The page as its blocks see it.
    pub view: View<'p>,
    /// What is content as a whole or not at all.
    pub units: Vec<Unit>,
    /// The probability of each block to be content.
    pub p: Vec<f32>,
    /// Where the page is cut.
    pub cut: Cut,
    /// Which blocks are likely enough,
    likely: Vec<bool>,
    /// and which of them are left out though: they are of no page, or were said before.
    left_out: Vec<bool>,
    /// Whether it is a thread, whose posts were made whole.
    pub is_thread: bool,
}

impl Auto {
    /// Rates all blocks of a page.
    #[must_use]
    pub fn analyse<'p>(&self, page: &'p Page) -> Analysis<'p> {
        self.rate(View::of(page))
    }

    /// The same for a page whose names were read already.
    #[must_use]
    pub fn analyse_named<'p>(&self, page: &'p Page, names: &NameFamilies) -> Analysis<'p> {
        self.rate(View::with_names(page, Some(names)))
    }

    fn rate<'p>(&self, view: View<'p>) -> Analysis<'p> {
        let p = MODEL.probabilities(&view);
        Analysis::of(view, p, self.params.favor)
    }
}

/// The words of each block.
fn words(view: &View<'_>) -> Vec<f32> {
    view.signs.iter().map(|signs| signs.words as f32).collect()
}

impl<'p> Analysis<'p> {
    /// What the ratings of single blocks make of a page: blocks of one kind decide alike, units are whole, comments are left out.
    #[must_use]
    pub fn of(view: View<'p>, mut p: Vec<f32>, favor: Favor) -> Analysis<'p> {
        let words = words(&view);
        alike::decide_alike(&view.of_group, &words, &mut p);
        let is_comment = comments::comment_blocks(&view);
        let (units, cut) = (units::units(view.page), Cut::default());
        let mut analysis = Analysis { view, units, p, cut, likely: Vec::new(), left_out: Vec::new(), is_thread: true };
        analysis.make_units_whole(&words);
        comments::leave_out(&is_comment, &words, &mut analysis.p);
        analysis.cut_again(favor);
        analysis
    }
}

impl Analysis<'_> {
    /// Finds the best cut for probabilities that have changed, and what goes with what is taken then, or does not.
    pub fn cut_again(&mut self, favor: Favor) {
        let words = words(&self.view);
        self.make_units_whole(&words);
        self.cut = cut(&self.p, &words, favor.demand());
        self.take_headings();
        // What was no thread before is none now.
        self.is_thread = self.is_thread && whole_posts::make_posts_whole(&self.view, &words, self.cut.threshold, &mut self.p);
        let likely: Vec<bool> = (0..self.p.len()).map(|at| self.is_likely(at)).collect();
        // Often the same blocks are likely as before.
        if self.likely != likely || self.left_out.is_empty() {
            self.left_out = left_out::left_out(&self.view, &self.units, |at| likely[at]);
            self.likely = likely;
        }
    }

    fn make_units_whole(&mut self, words: &[f32]) {
        if self.units.is_empty() {
            return;
        }
        let blocks: Vec<(NodeId, NodeId)> = self.view.blocks.iter().map(|block| (block.first, block.last)).collect();
        level(&units::ranges(self.view.page, &self.units, &blocks), words, &mut self.p);
    }

    /// Takes the headings of units that are taken, where they stand right above them: a list without its heading does not say what it is of.
    fn take_headings(&mut self) {
        let page = self.view.page;
        let first = (0..self.p.len()).find(|at| self.is_likely(*at)).unwrap_or(self.p.len());
        let (mut at, mut last) = (0, None);
        for unit in &self.units {
            while self.view.blocks.get(at).is_some_and(|block| block.first < unit.root) {
                at += 1;
            }
            // Of units in units that begin with the same block the outermost stands below the heading.
            if last.replace(at) == Some(at) {
                continue;
            }
            let is_taken = self.view.blocks.get(at).is_some_and(|block| block.last < page.end(unit.root)) && self.is_likely(at);
            let (mut below, mut level) = (unit.root, u8::MAX);
            for heading in (first..at).rev().take_while(|_| is_taken) {
                let between = (self.view.blocks[heading].last.0..below.0).map(NodeId);
                if !(2..level).contains(&self.view.heading[heading]) || between.into_iter().any(|node| page.tag(node) == Tag::Img)
                {
                    break;
                }
                self.p[heading] = self.p[heading].max(self.cut.threshold);
                (below, level) = (self.view.blocks[heading].first, self.view.heading[heading]);
            }
        }
    }

    /// The blocks that are taken, as content.
    #[must_use]
    pub fn detection(&self) -> Detection {
        let block = Block {
            confidence: Some(self.cut.expected_f1),
            ratings: self.ratings(),
            ..Block::of(BlockKind::Content, self.nodes())
        };
        let (embedded, notes) = self.beyond_the_page();
        Detection { blocks: vec![block], embedded, notes, ..Detection::default() }
    }

    /// The probability of every block.
    #[must_use]
    pub fn explanation(&self) -> Explanation {
        let mut explanation = Explanation::new(&["p", "words", "links"]).rated_by("p", Likely::High);
        explanation.notes.push(format!(
            "blocks of at least {:.3} are content; the F1 expected of that is {:.3}",
            self.cut.threshold, self.cut.expected_f1
        ));
        explanation.notes.extend(self.beyond_the_page().1);
        explanation.threshold = Some(f64::from(self.cut.threshold));
        explanation.rows.reserve_exact(self.view.blocks.len());
        for (at, block) in self.view.blocks.iter().enumerate() {
            let sums = self.view.sum(at, at + 1);
            let values = [self.p[at], sums.weight, sums.link_density()].map(f64::from);
            explanation.push(block.first, &values, if self.takes(at) { "content" } else { "" });
        }
        reasons::reasons(&MODEL, &self.view, |block, why| explanation.rows[block].why = why);
        explanation
    }

    fn is_likely(&self, block: usize) -> bool {
        self.p[block] >= self.cut.threshold
    }

    /// Whether a block is taken.
    #[must_use]
    pub fn takes(&self, block: usize) -> bool {
        self.is_likely(block) && !self.left_out[block]
    }

    /// The nodes of the blocks that are taken, with what stands between them.
    #[must_use]
    pub fn nodes(&self) -> NodeSet {
        let page = self.view.page;
        let mut counted = NodeSet::new(page);
        let mut texts = NodeSet::new(page);
        let mut between: Vec<NodeId> = Vec::new();
        let mut last: Option<&TextBlock> = None;
        for (at, block) in self.view.blocks.iter().enumerate() {
            block.texts(page).for_each(|text| counted.insert(text));
            if !self.takes(at) {
                last = None;
                continue;
            }
            block.texts(page).for_each(|text| texts.insert(text));
            if let Some(last) = last.replace(block) {
                between.extend(roots_between(page, last.last, block.first));
            }
        }
        let mut nodes = with_whole_elements_among(page, |node| counted.contains(node), &texts);
        // So do the spaces between its words.
        for block in self.view.blocks.iter().enumerate().filter(|(at, _)| self.takes(*at)).map(|(_, block)| block) {
            let blank = |node: &NodeId| page.tag(*node) == Tag::Text && !counted.contains(*node);
            (block.first.0..block.last.0).map(NodeId).filter(blank).for_each(|text| nodes.insert(text));
        }
        // Pictures and rules between two blocks of the content belong to it, and pictures and buttons that it begins with.
        between.extend(lead_pictures::lead_pictures(&self.view, |at| self.takes(at)));
        between.extend(labels::labels(&self.view, |at| self.takes(at)));
        between.into_iter().for_each(|root| nodes.insert_subtree(page, root));
        nodes
    }

    /// The probability of each piece of text to be content.
    fn ratings(&self) -> Vec<(NodeId, f32)> {
        let blocks = self.view.blocks.iter().zip(&self.p);
        blocks.flat_map(|(block, p)| block.texts(self.view.page).map(|text| (text, *p))).collect()
    }

    /// The content that the page carries in JSON-LD or in the state that its scripts draw it from, if that is more than all that it shows, and what is to be said where it
    /// shows hardly any.
    fn beyond_the_page(&self) -> (Option<String>, Vec<String>) {
        let (page, weight) = (self.view.page, self.view.total().weight);
        if self.view.known.data_bytes == 0 && weight >= FRAME_WORDS {
            return (None, Vec::new());
        }
        let bytes: usize =
            self.view.blocks.iter().flat_map(|block| block.texts(page)).map(|text| page.string(text).trim().len()).sum();
        // A copy without the page's markup is somewhat longer for its own reasons: numbers of lines, descriptions of pictures.
        let much_more = bytes + bytes / 2;
        let from = |source: &str| vec![format!("the page itself has little of its text; it was taken from {source}")];
        if self.view.known.data_bytes > much_more
            && let Some(text) = embedded_text(page, much_more)
        {
            return (Some(text), from("its JSON-LD"));
        }
        if weight < FRAME_WORDS
            && let Some(text) = state_text(page, much_more.max(LEAST_STATE))
        {
            return (Some(text), from("the JSON that its scripts draw it from"));
        }
        let size = if weight < FEW_WORDS { embedded_data(page) } else { None };
        let said =
            |size| format!("the page itself has hardly any text; it may be in the JSON that the page embeds ({size} bytes)");
        let mut notes: Vec<String> = size.map(said).into_iter().collect();
        let is_drawn = || page.nodes().any(|node| matches!(page.tag(node), Tag::Script | Tag::Link));
        if weight > 0.0 || !is_drawn() {
            return (None, notes);
        }
        let text = described(page);
        notes.insert(
            0,
            match text {
                Some(_) => "the page itself has no text, its scripts draw it; this is how it describes itself".to_owned(),
                None => "the page itself has no text; its scripts may draw it".to_owned(),
            },
        );
        (text, notes)
    }
}

/// Gives all blocks of a unit one probability, the mean over its words. Code and formulas belong to the text that they stand in: unless they
/// are most of the page, they are no less likely than the text before and after them.
pub fn level(ranges: &[(Range<usize>, &Unit)], words: &[f32], p: &mut [f32]) {
    let total: f32 = words.iter().sum();
    for (range, unit) in ranges {
        let weight = |at: usize| words[at].max(0.5);
        let weights = range.clone().map(weight).sum::<f32>();
        let mean = range.clone().map(|at| p[at] * weight(at)).sum::<f32>() / weights;
        let before = (range.start.saturating_sub(NEAR_LINES)..range.start).rev();
        let after = range.end..(range.end + NEAR_LINES).min(p.len());
        let around = beside(before, words, p).min(beside(after, words, p));
        let belongs = matches!(unit.kind, Kind::Code | Kind::Formula) && weights <= MOST_BELONGING * total;
        p[range.clone()].fill(if belongs { mean.max(around) } else { mean });
    }
}

/// The probability of the text beside a unit, by the lines there, the nearest first.
fn beside(mut lines: impl Iterator<Item = usize> + Clone, words: &[f32], p: &[f32]) -> f32 {
    let text = lines.clone().find(|at| words[*at] >= SHORT_LINE);
    text.or_else(|| lines.next()).map_or(0.0, |at| p[at])
}

/// The outermost elements that stand wholly between two nodes.
fn roots_between(page: &Page, from: NodeId, to: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let mut next = NodeId(from.0 + 1);
    std::iter::from_fn(move || {
        while next < to {
            let node = next;
            if page.end(node) <= to {
                next = page.end(node);
                if page.is_element(node) {
                    return Some(node);
                }
            } else {
                next.0 += 1;
            }
        }
        None
    })
}

/// What a page says it is about, as HTML: all that is left of one that shows nothing.
fn described(page: &Page) -> Option<String> {
    const LEAST_WORDS: usize = 12;
    let metadata = metadata(page);
    let description = metadata.description?.value;
    description.split_whitespace().nth(LEAST_WORDS - 1)?;
    let mut html = String::new();
    for (tag, text) in metadata.title.iter().map(|title| ("h1", &title.value)).chain([("p", &description)]) {
        html.extend(["<", tag, ">", &text.replace('&', "&amp;").replace('<', "&lt;"), "</", tag, ">\n"]);
    }
    Some(html)
}

/// The size of the largest script that is JSON, if it is large enough to hold a page's text.
fn embedded_data(page: &Page) -> Option<usize> {
    let size = |node: NodeId| page.descendants(node).map(|raw| page.string(raw).len()).sum();
    page.nodes().filter(|node| is_json(page, *node)).map(size).max().filter(|size| *size >= MUCH_DATA)
}

impl PageTechnique for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn detect(&self, page: &Page) -> Detection {
        self.analyse(page).detection()
    }

    fn explain(&self, page: &Page) -> Explanation {
        self.analyse(page).explanation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    #[test]
    fn code_belongs_to_the_text_around_it_also_behind_a_short_line() {
        let page = Page::parse("<p>a</p><pre>b</pre>");
        let units = units::units(&page);
        let levelled = |words: [f32; 5]| {
            let mut p = [0.9, 0.1, 0.2, 0.8, 0.1];
            level(&[(2..3, &units[0])], &words, &mut p);
            p[2]
        };
        assert_eq!(levelled([40.0, 1.0, 5.0, 40.0, 9.0]), 0.8, "`Example:` does not tell");
        assert_eq!(levelled([40.0, 9.0, 5.0, 40.0, 9.0]), 0.2);
        assert_eq!(levelled([1.0, 1.0, 50.0, 40.0, 9.0]), 0.2, "it is most of the page");
    }

    #[test]
    fn labels_of_advertisements_are_left_out_with_their_pictures() {
        let paragraph = "<p>It rained all day and all night, and in the morning the river had come into the garden.</p>";
        let advertisement = "<p>Advertisement<a href=https://ads.example/><img src=ad.png></a></p>";
        let page = Page::parse(format!("<h1>Rain</h1>{paragraph}{advertisement}<p>It came back.</p>{paragraph}"));
        let detection = Auto::default().detect(&page);
        let markdown = emit::markdown(&page, detection.nodes(BlockKind::Content).unwrap());
        assert!(
            markdown.contains("It came back.") && !markdown.contains("Advertisement") && !markdown.contains("ad.png"),
            "{markdown}"
        );
    }

    #[test]
    fn the_model_is_for_the_features_of_this_program() {
        assert!(!MODEL.columns().is_empty());
    }

    #[test]
    fn an_empty_page_has_no_content() {
        let page = Page::parse("");
        assert!(Auto::default().detect(&page).nodes(BlockKind::Content).unwrap().is_empty());
    }

    #[test]
    fn a_frame_without_text_gives_the_text_that_its_scripts_would_draw() {
        let body = "<p>It rained all day, all night, and nobody went out into the wet streets of the old town.</p>".repeat(5);
        let state = format!(
            "<script id=__NEXT_DATA__ type='application/json'>{{\"props\": {{\"post\": {{\"title\": \"Rain\", \"html\": \"{body}\"}}}}}}</script>"
        );
        let frame = "<nav><a href=/>Home</a></nav><div id=__next></div>";
        let found = Auto::default().detect(&Page::parse(format!("{frame}{state}")));
        assert_eq!(found.embedded, Some(format!("<h1>Rain</h1>\n<div>{body}</div>\n")));
        assert!(found.notes[0].contains("the JSON that its scripts draw it from"), "{:?}", found.notes);
        // A page that shows its text is content enough.
        let found = Auto::default().detect(&Page::parse(format!("{frame}{}{state}", body.repeat(2))));
        assert_eq!((found.embedded, found.notes), (None, Vec::new()));
    }

    #[test]
    fn a_page_without_any_text_gives_what_it_says_of_itself() {
        let about = "It rained all day & all night, and nobody went out into the wet streets of the old town.";
        let head = |about: &str| format!("<head><title>Rain</title><meta name=description content='{about}'></head>");
        let empty = "<script src=draw.js></script><div id=main></div>";
        let found = Auto::default().detect(&Page::parse(head(&about.replace('&', "&amp;")) + empty));
        assert_eq!(found.embedded, Some(format!("<h1>Rain</h1>\n<p>{}</p>\n", about.replace('&', "&amp;"))));
        assert!(found.notes[0].contains("no text"), "{:?}", found.notes);
        let found = Auto::default().detect(&Page::parse(head("Rain.") + empty));
        assert_eq!((found.embedded, found.notes.len()), (None, 1));
        for shown in [head(about) + "<p>It rained.</p>", head(about)] {
            let found = Auto::default().detect(&Page::parse(shown));
            assert_eq!((found.embedded, found.notes), (None, Vec::new()));
        }
    }

    #[test]
    fn what_stands_between_two_blocks_of_the_content_is_found_as_whole_elements() {
        let page = Page::parse("<div><p>a</p><figure><img></figure></div><hr><p>b</p>");
        let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
        let found: Vec<Tag> = roots_between(&page, texts[0], texts[1]).map(|node| page.tag(node)).collect();
        assert_eq!(found, [Tag::Figure, Tag::Hr]);
    }

    proptest! {
        #[test]
        fn any_page_is_rated_the_same_twice_and_written_by_its_blocks(
            parts in prop::collection::vec("<(div|p|ul|li|a href=x|br|td|table|h1|main|button|noscript)>|</(div|p|ul|a|button)>|one, two. |中文。|three ", 0..80),
        ) {
            let page = Page::parse(parts.concat());
            let auto = Auto::default();
            let analysis = auto.analyse(&page);
            prop_assert!(analysis.p.iter().all(|p| (0.0..=1.0).contains(p)));
            let detection = auto.detect(&page);
            prop_assert_eq!(&detection, &auto.detect(&page));
            let taken = (0..analysis.p.len()).filter(|at| analysis.takes(*at));
            let texts = taken.flat_map(|at| analysis.view.blocks[at].texts(&page).collect::<Vec<_>>());
            let words = |nodes: &NodeSet| emit::text(&page, nodes).split_whitespace().filter(|word| *word != "-").collect::<String>();
            // Buttons that head blocks are none.
            let mut content = detection.nodes(BlockKind::Content).unwrap().clone();
            page.nodes().filter(|node| page.tag(*node) == Tag::Button).for_each(|button| content.remove_subtree(&page, button));
            prop_assert_eq!(words(&content), words(&NodeSet::from_nodes(&page, texts)));
        }
    }
}
