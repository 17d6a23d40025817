//! Making gold: a page with labels in the notation of TeCo, from selectors.
//!
//! The labels are written into the source of the page, so that it keeps its elements. What is content or a comment is not
//! template either; what a selector for the template names is template and nothing else, whatever it stands in. Labels
//! that the page has already are replaced.

use crate::gold::{
    ADS, COMMENTS, MAIN_CONTENT, MAIN_MENU, NOT_TEMPLATE, Notation, OtherElements, same_elements, strip, with_classes,
};
use thiserror::Error;
use unchaff_dom::select::{Selector, SelectorError};
use unchaff_dom::{NodeId, NodeSet, Page, emit};

/// What is what on a page, as CSS selectors. A selector stands for the elements it matches and everything in them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selectors {
    /// What the page is about.
    pub content: Vec<String>,
    /// Pieces of template inside of what is not.
    pub template: Vec<String>,
    /// What is of this page alone but not its content.
    pub not_template: Vec<String>,
    /// The main menu: one element.
    pub menu: Option<String>,
    /// What readers wrote.
    pub comments: Vec<String>,
    /// Advertisements. They are template or not as the rest says.
    pub ads: Vec<String>,
}

/// Why a page cannot be labelled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LabelError {
    /// A selector is not understood.
    #[error("{0}")]
    Selector(#[from] SelectorError),
    /// A selector matches nothing.
    #[error("`{0}` matches no element of the page's body; see the page's elements with `unchaff extract --format annotated`")]
    NoMatch(String),
    /// A selector for the menu matches many elements.
    #[error(
        "`{selector}` matches {count} elements, but a page has one main menu; make it more exact, for example with :nth-child()"
    )]
    ManyMenus {
        /// The selector.
        selector: String,
        /// How many elements it matches.
        count: usize,
    },
    /// The page without its old labels, or with its new ones, would be another page.
    #[error("labels cannot be written into this page: it would have {0}")]
    Elements(#[from] OtherElements),
}

/// Writes a labelled page: the page of these bytes with the classes of TeCo on every element concerned.
///
/// # Errors
/// If a selector is not understood or does not match as it should.
pub fn label(bytes: &[u8], selectors: &Selectors) -> Result<Vec<u8>, LabelError> {
    let given = Page::parse(bytes);
    let page = Page::parse(strip(&given, Notation::default())?);
    let content = subtrees(&page, &selectors.content)?;
    let comments = subtrees(&page, &selectors.comments)?;
    let template = subtrees(&page, &selectors.template)?;
    let mut not_template = subtrees(&page, &selectors.not_template)?;
    not_template.union(&content);
    not_template.union(&comments);
    let mut blocks = [
        (NOT_TEMPLATE, not_template),
        (MAIN_CONTENT, content),
        (COMMENTS, comments),
        (MAIN_MENU, NodeSet::new(&page)),
        (ADS, NodeSet::new(&page)),
    ];
    for (_, nodes) in &mut blocks {
        nodes.difference(&template);
    }
    blocks[4].1 = subtrees(&page, &selectors.ads)?;
    if let Some(selector) = &selectors.menu {
        let found = select(&page, selector)?;
        if found.len() > 1 {
            return Err(LabelError::ManyMenus { selector: selector.clone(), count: found.len() });
        }
        blocks[3].1 = NodeSet::from_nodes(&page, found);
    }
    let marks: Vec<(&str, &NodeSet)> = blocks.iter().map(|(name, nodes)| (*name, nodes)).collect();
    let labelled = with_classes(&emit::annotated(&page, &marks)).into_bytes();
    same_elements(&page, &Page::parse(labelled.clone()))?;
    Ok(labelled)
}

fn subtrees(page: &Page, selectors: &[String]) -> Result<NodeSet, LabelError> {
    let mut nodes = NodeSet::new(page);
    for selector in selectors {
        for root in select(page, selector)? {
            nodes.insert_subtree(page, root);
        }
    }
    Ok(nodes)
}

fn select(page: &Page, selector: &str) -> Result<Vec<NodeId>, LabelError> {
    let parsed = Selector::parse(selector)?;
    let found: Vec<NodeId> = page.body().map(|body| page.select_in(body, &parsed).collect()).unwrap_or_default();
    if found.is_empty() { Err(LabelError::NoMatch(selector.to_owned())) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_page::BlockKind;

    const PAGE: &str = "<body><ul id=menu class=nav><li><a href=/>Home</a></ul><main class='m'><h1>Tea</h1><div class=share>share</div>\
                        <table><tr><td>green</table></main><ol><li>nice</ol><time>today</time><div class=ad>Buy tea</div></body>";

    fn selectors() -> Selectors {
        let list = |selector: &str| vec![selector.to_owned()];
        Selectors {
            content: list("main"),
            template: list(".share"),
            not_template: list("time"),
            menu: Some("#menu".to_owned()),
            comments: list("ol"),
            ads: list(".ad"),
        }
    }

    #[test]
    fn a_labelled_page_reads_back_as_it_was_labelled() {
        let labelled = label(PAGE.as_bytes(), &selectors()).unwrap();
        let html = String::from_utf8(labelled.clone()).unwrap();
        assert!(html.contains("<ul id=menu class=\"TECO_mainMenu nav\">"), "{html}");
        assert!(html.contains("<tbody class=\"TECO_notTemplate TECO_mainContent\">"), "{html}");
        let page = Page::parse(labelled.clone());
        let blocks = Notation::default().read(&page).blocks(&page);
        let words = |kind: BlockKind| {
            let nodes = &blocks.iter().find(|(known, _)| *known == kind).unwrap().1;
            emit::text(&page, nodes).split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(BlockKind::Content), "Tea green");
        assert_eq!(words(BlockKind::Template), "- Home share Buy tea");
        assert_eq!(words(BlockKind::Ads), "Buy tea");
        assert_eq!(words(BlockKind::Comments), "1. nice");
        assert_eq!(words(BlockKind::Menu), "- Home");
        // Labelling again replaces the labels.
        assert_eq!(label(&labelled, &selectors()).unwrap(), labelled);
    }

    #[test]
    fn selectors_that_do_not_fit_are_told() {
        let with = |change: fn(&mut Selectors)| {
            let mut selectors = selectors();
            change(&mut selectors);
            label(PAGE.as_bytes(), &selectors).unwrap_err().to_string()
        };
        assert!(with(|s| s.content = vec!["#nothing".into()]).contains("`#nothing` matches no element"));
        assert!(with(|s| s.menu = Some("li".into())).contains("matches 2 elements"));
        assert!(with(|s| s.comments = vec!["p[".into()]).contains("is not a CSS selector"));
    }
}
