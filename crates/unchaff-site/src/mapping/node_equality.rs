//! Equality of nodes of two pages: the same tag and enough in common.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, §8.2.1.
//! Nodes are equal if a weighted sum of four similarities (classes, attributes, number of children, position among their
//! siblings) reaches a threshold. Text plays no part unless asked for. The earlier relation (master thesis, 2014) and that of
//! the published browser extension are other settings of the same: what two nodes without classes have in common, whether
//! an id alone decides.
//!
//! Everything but position and children is the same for nodes of one *shape*; pages have few, so shapes are compared,
//! and equal ones are known by their number.

use crate::mapping::tree_view::TreeView;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use unchaff_dom::Tag;
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// What of an attribute must agree.
    pub enum AttributeMode {
        /// Its name.
        Names = "names",
        /// Its name and its value (the release); links that are relative to different folders then differ.
        NamesAndValues = "names-and-values",
    }
}

choice! {
    /// Which attributes count.
    pub enum AttributeSet {
        /// All.
        All = "all",
        /// All but `class`, which has a weight of its own.
        NoClass = "no-class",
        /// All but `class` and `id` (the master thesis and the release).
        NoClassNoId = "no-class-no-id",
    }
}

choice! {
    /// What shared classes or attributes are a share of.
    pub enum Overlap {
        /// Those of the key page's node (the examples of the thesis).
        KeyNode = "key-node",
        /// Those of both nodes together (the master thesis and the release).
        Union = "union",
        /// Those of the node that has more.
        Larger = "larger",
    }
}

choice! {
    /// Whether the text of text nodes is compared.
    pub enum TextMode {
        /// It is not (all published versions).
        Ignore = "ignore",
        /// Text nodes are equal only if their text is.
        Equal = "equal",
        /// The same, but any white space is as good as any other.
        EqualNormalised = "equal-normalised",
        /// Equal text adds 0.1 to the sum, other text takes it away (computed but left out in the release).
        Bonus = "bonus",
    }
}

parameters! {
    /// When nodes are equal. The default is the published best setting for templates.
    pub struct Equality {
        /// Weight of common class names.
        pub class: f64 = 0.1,
        /// Weight of the position among siblings.
        pub position: f64 = 0.1,
        /// Weight of common attributes.
        pub attributes: f64 = 0.5,
        /// Weight of a similar number of children.
        pub children: f64 = 0.3,
        /// The sum from which on nodes are equal.
        pub threshold: f64 = 0.7,
        /// Whether the sum must be above the threshold rather than at it (the master thesis).
        pub strict: bool = false,
        /// What may be missing to the threshold: 0.7 and 0.2 are less than 0.9 for a computer.
        pub tolerance: f64 = 1e-9,
        /// What of an attribute must agree: its name, or its value as well.
        pub attribute_mode: AttributeMode = AttributeMode::Names,
        /// Which attributes count.
        pub attribute_set: AttributeSet = AttributeSet::All,
        /// What shared classes and attributes are a share of.
        pub overlap: Overlap = Overlap::KeyNode,
        /// What nodes without classes have in common as to classes.
        pub no_class: f64 = 1.0,
        /// What nodes without attributes have in common as to attributes.
        pub no_attributes: f64 = 1.0,
        /// What nodes without children have in common as to children.
        pub no_children: f64 = 1.0,
        /// Whether nodes with the same id are equal whatever else they are.
        pub id_decides: bool = false,
        /// Whether nodes with the same classes and attributes are equal wherever they are (the release).
        pub alike_decides: bool = false,
        /// Whether and how the text of text nodes is compared.
        pub text: TextMode = TextMode::Ignore,
    }
}

/// How much two nodes have in common, in billionths of a thousandth, so that sums that are equal on paper are equal.
pub(crate) type Score = i64;

fn score(value: f64) -> Score {
    (value * 1e12).round() as Score
}

/// A score that depends on the position alone, which grows with it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rule {
    base: f64,
    position: f64,
    /// Added where the position is the best.
    in_place: f64,
}

impl Rule {
    /// The score for a position between 0 and 1.
    #[must_use]
    pub(crate) fn score(&self, position: f64) -> Score {
        score(self.base + self.position * position + if position >= 1.0 { self.in_place } else { 0.0 })
    }
}

/// What a node is to its siblings' comparison. Equal items have the same score with everything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Item {
    tag: u64,
    shape: u32,
    children: u32,
}

#[derive(Clone, Debug)]
struct Shape {
    id: u64,
    text: u64,
    classes: Range<usize>,
    attributes: Range<usize>,
}

/// The shapes of the nodes of several pages.
#[derive(Debug)]
pub(crate) struct Shapes {
    equality: Equality,
    shapes: Vec<Shape>,
    /// Hashes of classes and attributes, ascending for each shape.
    sets: Vec<u64>,
    numbers: HashMap<u64, u32>,
}

impl Shapes {
    /// No shapes yet.
    #[must_use]
    pub(crate) fn new(equality: &Equality) -> Shapes {
        Shapes { equality: equality.clone(), shapes: Vec::new(), sets: Vec::new(), numbers: HashMap::new() }
    }

    /// What each visible node of a page is, by node; others have the item of a group.
    pub(crate) fn items(&mut self, view: &TreeView) -> Vec<Item> {
        let mut items = vec![self.group(0); view.page.len()];
        for node in view.nodes() {
            items[node.index()] = self.item(view, node);
        }
        items
    }

    /// The item of a group of so many siblings: that of an element without attributes.
    pub(crate) fn group(&mut self, children: u32) -> Item {
        let start = self.sets.len();
        Item { tag: 0, shape: self.intern(0, 0, start, start), children }
    }

    fn item(&mut self, view: &TreeView, node: unchaff_dom::NodeId) -> Item {
        let page = view.page;
        let tag = match page.tag(node) {
            Tag::Custom | Tag::Foreign => hash(&(page.tag(node) as u8, page.name(node))),
            // Text that is not for readers is text to a browser.
            Tag::Raw => Tag::Text as u64 + 1,
            tag => tag as u64 + 1,
        };
        let start = self.sets.len();
        let (mut id, mut text) = (0, 0);
        if page.is_element(node) {
            self.sets.extend(page.classes(node).map(|class| hash(&class)));
        } else {
            text = match self.equality.text {
                TextMode::Ignore => 0,
                TextMode::Equal | TextMode::Bonus => hash(&page.string(node)),
                TextMode::EqualNormalised => normalised(page.string(node)),
            };
        }
        let middle = self.sort(start);
        for (name, value) in page.attrs(node) {
            if name == "id" && self.equality.id_decides && !value.is_empty() {
                id = hash(&value);
            }
            let counts = match self.equality.attribute_set {
                AttributeSet::All => true,
                AttributeSet::NoClass => name != "class",
                AttributeSet::NoClassNoId => name != "class" && name != "id",
            };
            if counts {
                self.sets.push(match self.equality.attribute_mode {
                    AttributeMode::Names => hash(&name),
                    AttributeMode::NamesAndValues => hash(&(name, value)),
                });
            }
        }
        self.sort(middle);
        Item { tag, shape: self.intern(id, text, start, middle), children: view.child_count(node) }
    }

    /// Makes a set of what was pushed from a position on, and tells its end.
    fn sort(&mut self, start: usize) -> usize {
        self.sets[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.sets.len() {
            if at == start || self.sets[at] != self.sets[kept - 1] {
                self.sets[kept] = self.sets[at];
                kept += 1;
            }
        }
        self.sets.truncate(kept);
        kept
    }

    fn intern(&mut self, id: u64, text: u64, start: usize, middle: usize) -> u32 {
        let end = self.sets.len();
        let key = hash(&(id, text, middle - start, &self.sets[start..end]));
        let number = self.shapes.len() as u32;
        let known = *self.numbers.entry(key).or_insert(number);
        if known == number {
            self.shapes.push(Shape { id, text, classes: start..middle, attributes: middle..end });
        } else {
            self.sets.truncate(start);
        }
        known
    }

    /// The score of two nodes by their position; none if they cannot be equal at any.
    #[must_use]
    pub(crate) fn rule(&self, key: Item, other: Item) -> Option<Rule> {
        let equality = &self.equality;
        if key.tag != other.tag {
            return None;
        }
        let (one, two) = (&self.shapes[key.shape as usize], &self.shapes[other.shape as usize]);
        if one.text != two.text && matches!(equality.text, TextMode::Equal | TextMode::EqualNormalised) {
            return None;
        }
        // What decides alone is above any sum.
        if one.id != 0 && one.id == two.id {
            return Some(Rule { base: 3.0, position: 0.0, in_place: 0.0 });
        }
        let classes = self.common(&one.classes, &two.classes, equality.no_class);
        let attributes = self.common(&one.attributes, &two.attributes, equality.no_attributes);
        if equality.alike_decides && classes >= 1.0 && attributes >= 1.0 {
            return Some(Rule { base: 1.0, position: 0.0, in_place: 1.0 });
        }
        let children = match (key.children, other.children) {
            (0, 0) => equality.no_children,
            (one, two) => f64::from(one.min(two)) / f64::from(one.max(two)),
        };
        let text = match equality.text {
            TextMode::Bonus if one.text == two.text && one.text != 0 => 0.1,
            TextMode::Bonus if one.text != two.text => -0.1,
            _ => 0.0,
        };
        let base = equality.class * classes + equality.attributes * attributes + equality.children * children + text;
        let rule = Rule { base, position: equality.position, in_place: 0.0 };
        self.accepts(rule.score(1.0)).then_some(rule)
    }

    fn common(&self, one: &Range<usize>, two: &Range<usize>, of_none: f64) -> f64 {
        let (one, two) = (&self.sets[one.clone()], &self.sets[two.clone()]);
        let (mut shared, mut rest) = (0, two);
        for item in one {
            let before = rest.iter().take_while(|other| *other < item).count();
            rest = &rest[before..];
            shared += usize::from(rest.first() == Some(item));
        }
        let all = match self.equality.overlap {
            Overlap::KeyNode => one.len(),
            Overlap::Union => one.len() + two.len() - shared,
            Overlap::Larger => one.len().max(two.len()),
        };
        if all == 0 { of_none } else { shared as f64 / all as f64 }
    }

    /// Whether a score is enough.
    #[must_use]
    pub(crate) fn accepts(&self, found: Score) -> bool {
        let threshold = score(self.equality.threshold);
        if self.equality.strict { found > threshold } else { found + score(self.equality.tolerance) >= threshold }
    }

    /// A score that no pair without a rule above all sums exceeds, whatever its position adds to it.
    #[must_use]
    pub(crate) fn is_perfect(&self, rule: &Rule) -> bool {
        let equality = &self.equality;
        let best = |weight: f64, of_none: f64| (weight * of_none).max(weight).max(0.0);
        let most = best(equality.class, equality.no_class)
            + best(equality.attributes, equality.no_attributes)
            + best(equality.children, equality.no_children);
        let sums_only = !equality.id_decides && !equality.alike_decides && equality.text != TextMode::Bonus;
        sums_only && score(rule.base) == score(most)
    }
}

/// The hash of a text without regard to how its words are separated.
pub(crate) fn normalised(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.split_whitespace().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::{NodeSet, Page};

    fn first_items(equality: &Equality, key: &str, other: &str) -> (Shapes, Item, Item) {
        let mut shapes = Shapes::new(equality);
        let mut first = |html: &str| {
            let page = Page::parse(format!("<body>{html}</body>"));
            let view = TreeView::new(&page, NodeSet::new(&page));
            let items = shapes.items(&view);
            items[page.children(page.body().unwrap()).next().unwrap().index()]
        };
        let (a, b) = (first(key), first(other));
        (shapes, a, b)
    }

    /// The score of the first nodes of two bodies, at a position; none if they are not equal there.
    fn compared(equality: &Equality, key: &str, other: &str, position: f64) -> Option<f64> {
        let (shapes, a, b) = first_items(equality, key, other);
        let score = shapes.rule(a, b)?.score(position);
        shapes.accepts(score).then_some(score as f64 / 1e12)
    }

    fn parent_of(children: usize) -> String {
        format!("<div id=i class=c>{}</div>", "<b></b>".repeat(children))
    }

    fn conex() -> Equality {
        Equality { position: 0.0, attributes: 0.2, children: 0.7, threshold: 0.9, ..Equality::default() }
    }

    /// Sums at the thresholds 0.7 and 0.9 are equal although floating point says less.
    #[test]
    fn scores_of_the_constructed_examples_and_at_the_threshold() {
        let expected = [
            (3, 10, Some(0.79), None),
            (5, 7, Some(0.7 + 0.3 * 5.0 / 7.0), None),
            (6, 7, Some(0.7 + 0.3 * 6.0 / 7.0), Some(0.9)),
            (0, 4, Some(0.7), None),
        ];
        let near = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
            (found, expected) => found == expected,
        };
        for (key, other, temex, content) in expected {
            let (key, other) = (parent_of(key), parent_of(other));
            assert!(near(compared(&Equality::default(), &key, &other, 1.0), temex));
            assert!(near(compared(&conex(), &key, &other, 1.0), content));
        }
        let exact = Equality { tolerance: 0.0, ..conex() };
        assert!(compared(&exact, &parent_of(6), &parent_of(7), 1.0).is_some(), "sums are rounded");
        let lenient = Equality { tolerance: 0.1, ..conex() };
        assert!(compared(&lenient, &parent_of(5), &parent_of(7), 1.0).is_some());
    }

    /// Consequences of the best settings (Alarte 2023, Tables 8.5 and 10.2).
    #[test]
    fn what_the_published_settings_make_equal() {
        let temex = Equality::default();
        let equal = |equality: &Equality, key: &str, other: &str, position| compared(equality, key, other, position).is_some();
        let children = |number: usize| "<b></b>".repeat(number);
        let plain = |number| format!("<div>{}</div>", children(number));
        assert!(equal(&temex, &plain(0), &plain(9), 1.0));
        assert!(equal(&temex, &plain(1), &plain(3), 0.0) && !equal(&temex, &plain(1), &plain(4), 0.0));
        let half = |number| format!("<div a b>{}</div>", children(number));
        let other = |number| format!("<div a>{}</div>", children(number));
        assert!(equal(&temex, &half(5), &other(6), 1.0) && !equal(&temex, &half(4), &other(5), 1.0));
        assert!(equal(&conex(), &half(2), &other(2), 1.0) && !equal(&conex(), &half(6), &other(7), 1.0));
        assert!(!equal(&temex, "<div></div>", "<p></p>", 1.0), "tags differ");
        assert!(!equal(&temex, "<x-a></x-a>", "<x-b></x-b>", 1.0), "names of custom elements differ");
        assert!(equal(&temex, "one text", "another", 0.5), "text is not compared");
    }

    /// What §8.2.1 leaves open: whether values count, whether `class` is an attribute, and of what a share is taken.
    #[test]
    fn readings_of_classes_and_attributes() {
        let only = |equality: Equality| Equality {
            class: 0.0,
            position: 0.0,
            attributes: 1.0,
            children: 0.0,
            threshold: 0.0,
            ..equality
        };
        let attributes = |equality: Equality, key: &str, other: &str| compared(&only(equality), key, other, 1.0).unwrap();
        let with = |overlap| Equality { overlap, ..Equality::default() };
        let (key, other) = ("<a href=1 title=t>", "<a href=2>");
        assert_eq!(attributes(with(Overlap::KeyNode), key, other), 0.5);
        assert_eq!(attributes(with(Overlap::KeyNode), other, key), 1.0);
        assert_eq!(attributes(with(Overlap::Union), other, key), 0.5);
        assert_eq!(attributes(with(Overlap::Larger), "<a x y z>", "<a x y w>"), 0.666_666_666_667);
        let values = Equality { attribute_mode: AttributeMode::NamesAndValues, ..Equality::default() };
        assert_eq!(attributes(values, key, other), 0.0);
        let set = |attribute_set| Equality { attribute_set, ..Equality::default() };
        let (key, other) = ("<p class=c id=i>", "<p>");
        assert_eq!(
            [AttributeSet::All, AttributeSet::NoClass, AttributeSet::NoClassNoId].map(|all| attributes(set(all), key, other)),
            [0.0, 0.0, 1.0]
        );
        let classes =
            Equality { class: 1.0, position: 0.0, attributes: 0.0, children: 0.0, threshold: 0.0, ..Equality::default() };
        assert_eq!(compared(&classes, "<p class='a b'>", "<p class='b c'>", 1.0), Some(0.5));
    }

    /// Neither thesis compares it.
    #[test]
    fn text_is_compared_if_asked_for() {
        let equal = |text, key: &str, other: &str| compared(&Equality { text, ..Equality::default() }, key, other, 1.0);
        assert_eq!(equal(TextMode::Equal, "a b", "a b"), Some(1.0));
        assert_eq!([equal(TextMode::Equal, "a b", "a  b"), equal(TextMode::Equal, "a", "b")], [None, None]);
        assert_eq!(equal(TextMode::EqualNormalised, "a b", "a\n b "), Some(1.0));
        assert_eq!(equal(TextMode::Bonus, "a", "b"), Some(0.9));
        assert_eq!(equal(TextMode::Bonus, "a", "a"), Some(1.1));
        assert_eq!(equal(TextMode::Equal, "<p>a</p>", "<p>b</p>"), Some(1.0), "elements are not text");
    }

    /// Definition 3.2.2 on nodes made by hand, and Example 3.2.5.
    #[test]
    fn the_relation_of_the_master_thesis() {
        let m14 = Equality::m14();
        assert!(compared(&m14, "<div id=x class=a>", "<div id=x class=b>", 0.0).is_some());
        assert_eq!(compared(&m14, "<div class=a>", "<div class=b>", 1.0), None);
        assert_eq!(compared(&m14, "<div id='' class=a>", "<div id='' class=b>", 1.0), None);
        assert_eq!(compared(&m14, "<span></span>", "<span></span>", 1.0), Some(0.75));
        let with = |no_class| Equality { no_class, ..Equality::m14() };
        assert_eq!(compared(&with(0.75), "<span></span>", "<span></span>", 1.0), Some(0.725));
        assert_eq!(compared(&with(0.7), "<span></span>", "<span></span>", 1.0), None, "above the threshold, not at it");
        assert_eq!(compared(&Equality { strict: false, ..with(0.7) }, "<span></span>", "<span></span>", 1.0), Some(0.7));
        let first = Equality { class: 0.4, position: 0.4, attributes: 0.1, children: 0.1, ..Equality::m14() };
        let (key, other) =
            ("<div class=Author a=1 b=2 c=3><b></b><b></b></div>", "<div class=Author a=1 b=2 c=4><b></b><b></b><b></b></div>");
        let score = |equality: &Equality| compared(equality, key, other, 0.95).unwrap();
        assert!((score(&first) - 0.896_666_666_667).abs() < 1e-9);
        let names = Equality { attribute_mode: AttributeMode::Names, ..first.clone() };
        assert!((score(&names) - 0.946_666_666_667).abs() < 1e-9);
        let larger = Equality { overlap: Overlap::Larger, ..first };
        assert!((score(&larger) - 0.913_333_333_333).abs() < 1e-9);
    }

    /// The order of decisions in the published browser extension.
    #[test]
    fn in_the_release_ids_and_equal_attributes_decide_alone() {
        let release = Equality::release();
        let id = compared(&release, "<div id=x>", "<div id=x class=c><b></b></div>", 0.0).unwrap();
        let in_place = compared(&release, "<div class=c a=1>", "<div class=c a=1><b></b></div>", 1.0).unwrap();
        let elsewhere = compared(&release, "<div class=c a=1>", "<div class=c a=1><b></b></div>", 0.5).unwrap();
        assert!(id > in_place && in_place > elsewhere);
        assert_eq!(compared(&release, "<div>", "<div><b></b></div>", 0.5), None);
        assert_eq!(compared(&release, "<li></li>", "<li></li>", 0.75), Some(0.9));
    }
}
