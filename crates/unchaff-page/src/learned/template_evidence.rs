//! What single elements say for or against being template, for [`template_page`](crate::learned::template_page).
//!
//! Each element has a row of plain facts; the sum of its facts times their weights is its evidence, in log-odds (positive
//! speaks for template). The weights, with the two prices of changing between parent and child, are those of a
//! conditional random field on the tree of elements, fitted to the labelled pages of 40 sites with a quadratic penalty.
//! Which facts are worth having was decided in groups, by cross-validation over sites.

use crate::learned::inside::Inside;
use crate::learned::name_families::{Families, Family, NameFamilies};
use crate::learned::small_logs::{ln, ln_1p};
use crate::published::conex::Analysis;
use foldhash::{HashMap, HashMapExt};
use unchaff_dom::words::hash_words;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// Log-odds of a child that is no template below a parent that is, all evidence aside.
pub(crate) const LEAVE: f64 = -2.73;
/// Log-odds of a child that is template below a parent that is none.
pub(crate) const BACK: f64 = -5.45;

macro_rules! facts {
    ($($name:ident $text:literal $weight:literal,)*) => {
        #[derive(Clone, Copy)]
        enum Fact { $($name),* }

        /// The facts with their names and weights.
        pub(crate) const FACTS: [(&str, f64); [$($text),*].len()] = [$(($text, $weight)),*];
    };
}

facts! {
    Always "any element" 0.08,
    Field "form field" 0.96,
    Hidden "script or style" 0.72,
    H1 "h1" -1.33,
    NamedNavigation "named navigation" 0.53,
    NamedHead "named head" -0.03,
    NamedFoot "named foot" 0.21,
    NamedSide "named side" 0.08,
    NamedShare "named share" 0.39,
    NamedRelated "named related" -0.14,
    NamedContent "named content" 0.67,
    NamedPost "named post" -0.15,
    NamedBrand "named brand" 0.39,
    NamedPager "named pager" 0.45,
    NamedBreadcrumb "named breadcrumb" 0.61,
    NamedComment "named comment" -0.15,
    InArticle "in an article" -0.34,
    InContent "in named content" -0.12,
    InNavigation "in navigation" 0.20,
    InHead "in a head" 0.30,
    InFoot "in a foot" 0.20,
    InSide "beside the content" 0.26,
    InForm "in a form" 0.40,
    InRelated "in named related" 0.16,
    InShare "in named share" 0.74,
    InnerLandmark "landmark inside a post" 0.74,
    OwnWords "own words" -0.03,
    OwnProse "own prose" -0.42,
    NoText "without text" 0.14,
    LinkDensity "link density" 0.21,
    InConex "content by ConEx" -0.05,
    AboveConex "around content by ConEx" 0.32,
    Start "start of the page" 0.67,
    End "end of the page" 0.75,
    Depth "depth" -0.67,
    Siblings "like its siblings" 0.01,
    Repeated "text repeats" -0.63,
    HoldsH1 "holds the h1" 1.19,
    TitleWords "words of the title" -0.95,
    AfterH1 "after the h1" 0.14,
}

/// The facts about one element.
pub(crate) type Facts = [f32; FACTS.len()];

/// The evidence that facts add up to.
pub(crate) fn evidence(facts: &Facts) -> f64 {
    facts.iter().zip(FACTS).map(|(fact, (_, weight))| f64::from(*fact) * weight).sum()
}

/// The fact that weighs most, either way, apart from what all elements have.
pub(crate) fn weightiest(facts: &Facts) -> &'static str {
    let weigh = |at: usize| (f64::from(facts[at]) * FACTS[at].1).abs();
    let most = (1..FACTS.len()).max_by(|one, other| weigh(*one).total_cmp(&weigh(*other)));
    most.map_or("", |at| FACTS[at].0)
}

/// What has to be known of a page before its elements can be described.
struct Survey<'p> {
    page: &'p Page,
    body: NodeId,
    names: &'p NameFamilies,
    first_h1: Option<NodeId>,
    elements: Elements,
    /// What the text says that stands directly in each element.
    own: Vec<OwnText>,
    /// How many children of its parent have the tag and class of each element.
    alike: Vec<u32>,
    /// Outermost nodes around what ConEx takes for content, and that content; empty if ConEx took all of the page.
    around: NodeSet,
    content: NodeSet,
}

/// Prose is text of at least so many words outside links.
const PROSE: u32 = 8;

/// Numbers for keys as they come, and how often each came.
struct Numbers<K> {
    known: HashMap<K, u32>,
    times: Vec<u32>,
}

impl<K: Eq + std::hash::Hash> Numbers<K> {
    fn with_capacity(number: usize) -> Numbers<K> {
        Numbers { known: HashMap::with_capacity(number), times: Vec::with_capacity(number) }
    }

    fn add(&mut self, key: K) -> u32 {
        let number = *self.known.entry(key).or_insert(self.times.len() as u32);
        match self.times.get_mut(number as usize) {
            Some(times) => *times += 1,
            None => self.times.push(1),
        }
        number
    }
}

impl<'p> Survey<'p> {
    fn of(page: &'p Page, body: NodeId, conex: &Analysis, names: &'p NameFamilies) -> Survey<'p> {
        let title = page.head().and_then(|head| page.descendants(head).find(|node| page.tag(*node) == Tag::Title));
        let title = TitleWords::of(title.map_or("", |title| page.text(title)));
        let count = page.counts(body).elements as usize;
        let mut elements = Elements { nodes: Vec::with_capacity(count), parents: Vec::with_capacity(count) };
        let mut places = vec![0u32; page.range(body).len()];
        let mut texts: Numbers<&str> = Numbers::with_capacity(count / 2);
        let mut kinds: Numbers<(u32, u32, Tag)> = Numbers::with_capacity(count / 2);
        let mut own: Vec<OwnText> = Vec::with_capacity(count);
        let (mut kind_of, mut text_in): (Vec<u32>, Vec<(u32, u32)>) = (Vec::with_capacity(count), Vec::new());
        let mut first_h1 = None;
        for node in page.subtree(body) {
            let tag = page.tag(node);
            let parent =
                if node == body { 0 } else { page.parent(node).map_or(0, |parent| places[parent.index() - body.index()]) };
            if tag.is_element() {
                // The body has no parent here, and so nothing beside it.
                let above = if node == body { u32::MAX } else { parent };
                places[node.index() - body.index()] = elements.nodes.len() as u32;
                elements.nodes.push(node);
                elements.parents.push(parent);
                kind_of.push(kinds.add((above, names.class(node), tag)));
                own.push(OwnText::default());
                if tag == Tag::H1 && node != body {
                    first_h1 = first_h1.or(Some(node));
                }
            } else if tag == Tag::Text {
                let counts = page.counts(node);
                if counts.words > 0 {
                    let text = page.text(node).trim();
                    text_in.push((parent, texts.add(text)));
                    own[parent as usize].add(text, counts.words, counts.link_words, &title);
                }
            }
        }
        for (place, text) in text_in {
            own[place as usize].repeated |= texts.times[text as usize] > 1;
        }
        let decided = if conex.wide_page { &[][..] } else { &conex.roots[..] };
        let mut content = NodeSet::from_roots(page, decided.iter().copied());
        let mut around = NodeSet::from_nodes(page, decided.iter().copied()).with_ancestors(page);
        around.difference(&content);
        for removed in &conex.removed {
            content.remove_subtree(page, *removed);
        }
        let alike = kind_of.iter().map(|kind| kinds.times[*kind as usize]).collect();
        Survey { page, body, names, first_h1, elements, own, alike, around, content }
    }

    fn describe(&self, place: usize, above: Inside) -> (Facts, Inside) {
        let page = self.page;
        let node = self.elements.nodes[place];
        let tag = page.tag(node);
        let names = if node == self.body { Families::default() } else { self.names.at(node) };
        let inside = Inside::of(page, node, names, above);
        let counts = page.counts(node);
        let text = self.own[place];
        let position = (node.0 - self.body.0) as f32 / page.range(self.body).len() as f32;
        let mut facts: Facts = [0.0; FACTS.len()];
        let mut set = |fact: Fact, value: f32| facts[fact as usize] = value;
        let yes = |is: bool| f32::from(u8::from(is));
        use Tag::*;
        set(Fact::Always, 1.0);
        set(Fact::Field, yes(matches!(tag, Form | Input | Select | Textarea | Button | Label | Fieldset | Option)));
        set(Fact::Hidden, yes(matches!(tag, Script | Style | Link | Meta | Noscript | Template)));
        set(Fact::H1, yes(tag == H1));
        set(Fact::NamedNavigation, yes(names.has(Family::Navigation)));
        set(Fact::NamedHead, yes(names.has(Family::Head)));
        set(Fact::NamedFoot, yes(names.has(Family::Foot)));
        set(Fact::NamedSide, yes(names.has(Family::Side)));
        set(Fact::NamedShare, yes(names.has(Family::Share)));
        set(Fact::NamedRelated, yes(names.has(Family::Related)));
        set(Fact::NamedContent, yes(names.has(Family::Content)));
        set(Fact::NamedPost, yes(names.has(Family::Post)));
        set(Fact::NamedBrand, yes(names.has(Family::Brand)));
        set(Fact::NamedPager, yes(names.has(Family::Pager)));
        set(Fact::NamedBreadcrumb, yes(names.has(Family::Breadcrumb)));
        set(Fact::NamedComment, yes(names.has(Family::Comment)));
        set(Fact::InArticle, yes(inside.has(Inside::ARTICLE)));
        set(Fact::InContent, yes(inside.has(Inside::CONTENT)));
        set(Fact::InNavigation, yes(inside.has(Inside::NAVIGATION)));
        set(Fact::InHead, yes(inside.has(Inside::HEAD)));
        set(Fact::InFoot, yes(inside.has(Inside::FOOT)));
        set(Fact::InSide, yes(inside.has(Inside::SIDE)));
        set(Fact::InForm, yes(inside.has(Inside::FORM)));
        set(Fact::InRelated, yes(inside.has(Inside::RELATED)));
        set(Fact::InShare, yes(inside.has(Inside::SHARE)));
        set(Fact::InnerLandmark, yes(inside.has(Inside::INNER_LANDMARK)));
        set(Fact::OwnWords, ln_1p(text.words));
        set(Fact::OwnProse, ln_1p(text.prose));
        set(Fact::NoText, yes(counts.words == 0));
        set(Fact::LinkDensity, counts.link_chars as f32 / counts.chars.max(1) as f32);
        set(Fact::InConex, yes(self.content.contains(node)));
        set(Fact::AboveConex, yes(self.around.contains(node)));
        set(Fact::Start, (1.0 - 8.0 * position).max(0.0));
        set(Fact::End, (8.0 * position - 7.0).max(0.0));
        set(Fact::Depth, (page.depth(node) - page.depth(self.body)).min(20) as f32 / 20.0);
        set(Fact::Siblings, ln(self.alike[place]));
        set(Fact::Repeated, yes(text.repeated));
        set(Fact::HoldsH1, yes(self.first_h1.is_some_and(|h1| page.is_ancestor(node, h1))));
        set(Fact::TitleWords, text.title);
        set(Fact::AfterH1, yes(self.first_h1.is_some_and(|h1| node >= h1)));
        (facts, inside)
    }
}

/// What the text says that stands directly in an element.
#[derive(Clone, Copy, Default)]
struct OwnText {
    words: u32,
    prose: u32,
    repeated: bool,
    title: f32,
}

impl OwnText {
    fn add(&mut self, text: &str, words: u32, link_words: u32, title: &TitleWords) {
        self.words += words;
        self.prose += if words >= PROSE && link_words == 0 { words } else { 0 };
        if (2..30).contains(&words) && !title.hashes.is_empty() {
            let common = title.count_in(text) as f32;
            self.title = self.title.max(common / words as f32 * (common / title.hashes.len() as f32).sqrt());
        }
    }
}

/// Hashes of the words of the title, so that a word of the page is compared with all of them at once.
struct TitleWords {
    hashes: Vec<u64>,
    /// A bit for each by its upper digits, which most other words do not have.
    bits: u64,
}

impl TitleWords {
    fn of(title: &str) -> TitleWords {
        let mut hashes = Vec::new();
        hash_words(title, |hash| hashes.push(hash));
        hashes.truncate(40);
        let bits = hashes.iter().fold(0, |bits, hash| bits | 1 << (hash >> 58));
        TitleWords { hashes, bits }
    }

    fn count_in(&self, text: &str) -> u32 {
        let mut common = 0;
        hash_words(text, |hash| {
            common += u32::from(self.bits >> (hash >> 58) & 1 == 1 && self.hashes.contains(&hash));
        });
        common
    }
}

/// The elements of a page from `body` on, in document order, with the place of each one's parent among them.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    /// The elements.
    pub(crate) nodes: Vec<NodeId>,
    /// Where each one's parent stands among them.
    pub(crate) parents: Vec<u32>,
}

/// Visits all elements with the facts about them.
pub(crate) fn survey(
    page: &Page,
    body: NodeId,
    conex: &Analysis,
    names: &NameFamilies,
    mut visit: impl FnMut(NodeId, &Facts),
) -> Elements {
    let survey = Survey::of(page, body, conex, names);
    let mut insides: Vec<Inside> = Vec::with_capacity(survey.elements.nodes.len());
    for (place, (node, parent)) in survey.elements.nodes.iter().zip(&survey.elements.parents).enumerate() {
        let above = insides.get(*parent as usize).copied().unwrap_or_default();
        let (facts, inside) = survey.describe(place, above);
        visit(*node, &facts);
        insides.push(inside);
    }
    survey.elements
}
