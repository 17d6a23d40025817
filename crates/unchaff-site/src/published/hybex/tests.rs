//! HybEx on small sites: what is taken out never comes back.

use super::*;
use crate::published::temex::Temex;
use proptest::prelude::*;
use unchaff_dom::Parser;
use unchaff_dom::site::LoadedSite;

fn site_of(bodies: &[String]) -> LoadedSite {
    let menu: String = (0..bodies.len()).map(|at| format!("<li><a href=/{at}>menu</a></li>")).collect();
    LoadedSite::new(bodies.iter().enumerate().map(|(at, body)| {
        let html = format!("<body><div><ul>{menu}</ul></div>{body}<div><p>foot</p></div></body>");
        Parser::new().url(&format!("https://example.org/{at}")).parse(html)
    }))
}

/// Alarte 2023, chapter 11: paragraphs that TemEx takes for template are content to ConEx.
#[test]
fn content_that_other_pages_have_is_no_template() {
    let article = |text: &str| {
        format!(
            "<div id=page><div><div id=article>{}</div></div></div>",
            format!("<p>{text} with more words than anything else here</p>").repeat(4)
        )
    };
    let site = site_of(&["one", "two", "three", "four"].map(article));
    let page = site.load(PageId(0)).unwrap();
    let nodes =
        |technique: &dyn SiteTechnique| technique.detect(&site, PageId(0)).unwrap().nodes(BlockKind::Template).unwrap().clone();
    let (temex, hybex) = (nodes(&Temex::from(temex::Params::default())), nodes(&Hybex::default()));
    let paragraph = page.nodes().find(|node| page.text(*node).starts_with("one with") && page.name(*node) == "p").unwrap();
    assert!(temex.contains(paragraph) && !hybex.contains(paragraph));
    assert!(page.nodes().filter(|node| page.name(*node) == "li").all(|node| hybex.contains(node)));
    let explanation = Hybex::default().explain(&site, PageId(0)).unwrap();
    assert!(explanation.rows.iter().any(|row| row.node == paragraph && row.remark == "content, taken out"));
}

proptest! {
    /// The content is taken out before the template is looked for (Alarte 2023, §11.2).
    #[test]
    fn nothing_taken_out_is_returned_and_without_it_hybex_is_temex(bodies in prop::collection::vec(prop::collection::vec(prop::sample::select(vec!["<div>", "</div>", "<p>", "many more words ", "<b>", "</b>"]), 0..20), 2..5)) {
        let bodies: Vec<String> = bodies.iter().map(|pieces| pieces.concat()).collect();
        let site = site_of(&bodies);
        let page = site.load(PageId(0)).unwrap();
        let removed = Params::default().removed(&page);
        let template = |technique: &dyn SiteTechnique| technique.detect(&site, PageId(0)).unwrap().nodes(BlockKind::Template).unwrap().clone();
        let hybex = template(&Hybex::default());
        prop_assert!(removed.iter().all(|node| !hybex.contains(node)));
        if removed.is_empty() {
            prop_assert_eq!(hybex, template(&Temex::from(temex::Params::default())));
        }
    }
}
