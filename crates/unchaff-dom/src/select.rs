//! CSS selectors on the frozen tree, by Servo's selector engine (the `selectors` crate).
//!
//! Everything that can be told from the tree alone is understood: types, ids, classes, attributes, combinators,
//! `:is`, `:where`, `:not`, `:has`, `:nth-*`, `:empty`, `:root`. What depends on a user (`:hover`) is an error.

use crate::{NodeId, Page, Tag};
use cssparser::ToCss;
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::ElementSelectorFlags;
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};
use selectors::{OpaqueElement, bloom::BloomFilter};
use std::fmt;

/// A selector that was understood and can be asked of any page.
///
/// ```
/// use unchaff_dom::{Page, select::Selector};
/// let page = Page::parse("<ul id=menu><li><a href=/>Home</a><li class=on>News</ul>");
/// let on = Selector::parse("#menu > li.on, nav").unwrap();
/// assert_eq!(page.select(&on).map(|node| page.text(node)).collect::<Vec<_>>(), ["News"]);
/// ```
#[derive(Clone, Debug)]
pub struct Selector(SelectorList<Css>);

/// Why a selector was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    selector: String,
    column: u32,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a CSS selector that can be asked of a page (at character {})", self.selector, self.column)
    }
}

impl std::error::Error for SelectorError {}

impl Selector {
    /// Reads a selector or a list of them, separated by commas. At most 10,000 bytes long.
    ///
    /// # Errors
    /// If it is no valid selector, or too long.
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        let error = |column| SelectorError { selector: text.chars().take(200).collect(), column };
        if text.len() > 10_000 {
            return Err(error(1));
        }
        let mut parser = cssparser::Parser::new(text);
        let list = SelectorList::parse(&CssParser, &mut parser, ParseRelative::No);
        list.map(Selector).map_err(|_| error(parser.current_source_location().column))
    }
}

impl Page {
    /// All elements that a selector matches, in document order.
    pub fn select<'p>(&'p self, selector: &'p Selector) -> impl Iterator<Item = NodeId> + 'p {
        self.select_in(self.root(), selector)
    }

    /// All elements below a node that a selector matches, in document order.
    pub fn select_in<'p>(&'p self, node: NodeId, selector: &'p Selector) -> impl Iterator<Item = NodeId> + 'p {
        let mut caches = SelectorCaches::default();
        self.descendants(node).filter(move |node| self.is_element(*node) && self.matches_with(*node, selector, &mut caches))
    }

    /// Whether a selector matches an element.
    #[must_use]
    pub fn matches(&self, node: NodeId, selector: &Selector) -> bool {
        self.is_element(node) && self.matches_with(node, selector, &mut SelectorCaches::default())
    }

    fn matches_with(&self, node: NodeId, selector: &Selector, caches: &mut SelectorCaches) -> bool {
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        selectors::matching::matches_selector_list(&selector.0, Element { page: self, node }, &mut context)
    }
}

/// The types the selector engine works with: plain strings.
#[derive(Clone, Debug)]
struct Css;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Name(String);

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name(text.to_owned())
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        self.0.bytes().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A kind of selector that no page can answer; it has no values.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Never {}

impl ToCss for Never {
    fn to_css<W: fmt::Write>(&self, _out: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl selectors::parser::NonTSPseudoClass for Never {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl selectors::parser::PseudoElement for Never {}

impl selectors::SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = Never;
    type PseudoElement = Never;
}

struct CssParser;

impl<'i> selectors::Parser<'i> for CssParser {
    type Impl = Css;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct Element<'p> {
    page: &'p Page,
    node: NodeId,
}

impl<'p> Element<'p> {
    fn at(self, node: NodeId) -> Element<'p> {
        Element { node, ..self }
    }

    fn is_foreign(self) -> bool {
        !self.page.tag(self.node).is_html()
    }
}

impl selectors::Element for Element<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.page.tags[self.node.index()])
    }

    fn parent_element(&self) -> Option<Self> {
        self.page.parent(self.node).filter(|parent| self.page.is_element(*parent)).map(|parent| self.at(parent))
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let mut sibling = self.page.previous_sibling(self.node);
        while let Some(node) = sibling.filter(|node| !self.page.is_element(*node)) {
            sibling = self.page.previous_sibling(node);
        }
        sibling.map(|node| self.at(node))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let mut sibling = self.page.next_sibling(self.node);
        while let Some(node) = sibling.filter(|node| !self.page.is_element(*node)) {
            sibling = self.page.next_sibling(node);
        }
        sibling.map(|node| self.at(node))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.page.element_children(self.node).next().map(|child| self.at(child))
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.page.name(self.node) == name
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.page.name(self.node) == self.page.name(other.node) && self.is_foreign() == other.is_foreign()
    }

    fn attr_matches(&self, _: &NamespaceConstraint<&Name>, name: &Name, operation: &AttrSelectorOperation<&Name>) -> bool {
        self.page.attr(self.node, &name.0).is_some_and(|value| operation.eval_str(value))
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.page.attr(self.node, "id").is_some_and(|value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        self.page.classes(self.node).any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
    }

    fn is_link(&self) -> bool {
        matches!(self.page.tag(self.node), Tag::A | Tag::Area) && self.page.attr(self.node, "href").is_some()
    }

    fn is_empty(&self) -> bool {
        self.page.children(self.node).all(|child| self.page.tag(child) == Tag::Comment)
    }

    fn is_root(&self) -> bool {
        self.page.html() == Some(self.node)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.is_foreign()
    }

    // What follows does not occur in a page without a browser: namespaces in selectors, shadow trees, pseudo-elements,
    // states and invalidation.

    fn has_namespace(&self, _: &str) -> bool {
        true
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn match_non_ts_pseudo_class(&self, class: &Never, _: &mut MatchingContext<'_, Css>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &Never, _: &mut MatchingContext<'_, Css>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _: &Name) -> bool {
        false
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str =
        "<body><div id=a class='x y'><p>1<p class=y>2<!-- c --><p lang=en-GB>3</div><div id=b><svg><a>s</a></svg><hr></div>";

    fn texts(selector: &str) -> Vec<String> {
        let page = Page::parse(HTML);
        let selector = Selector::parse(selector).unwrap();
        page.select(&selector).map(|node| page.text(node).to_owned()).collect()
    }

    #[test]
    fn selectors_find_what_css_says() {
        assert_eq!(texts("div.x > p:nth-of-type(2)"), ["2"]);
        assert_eq!(texts("p:not(.y)"), ["1", "3"]);
        assert_eq!(texts("p ~ p"), ["2", "3"]);
        assert_eq!(texts("p + p.y"), ["2"]);
        assert_eq!(texts("[lang|=en]"), ["3"]);
        assert_eq!(texts("div:has(> svg) a"), ["s"]);
        assert_eq!(texts("p:first-child, p:last-child"), ["1", "3"]);
        assert_eq!(texts(":is(#a, #b) > :nth-child(2 of p)"), ["2"]);
        assert_eq!(texts("hr:empty").len(), 1);
        assert_eq!(texts("DIV P.y"), ["2"]);
        assert_eq!(texts("body *").len(), 8);
    }

    #[test]
    fn what_is_no_selector_is_an_error_that_names_it() {
        for bad in ["", "div >", "..x", "a:hover", "p::before", "[", &"a ".repeat(6000)] {
            assert!(Selector::parse(bad).is_err(), "{bad}");
        }
        let error = Selector::parse("p::before").unwrap_err().to_string();
        assert!(error.contains("p::before") && error.contains("character"), "{error}");
    }
}
