use super::*;
use crate::SiteTechnique;
use crate::learned::auto_with_site::AutoWithSite;
use crate::learned::template_auto::TemplateAuto;
use crate::learned::template_auto::tests::{articles, find};
use proptest::prelude::*;
use std::sync::Arc;
use unchaff_dom::Parser;
use unchaff_page::learned::auto::Auto;
use unchaff_page::{BlockKind, PageTechnique};

fn pages(number: usize) -> Vec<Arc<Page>> {
    let site = articles(number);
    site.known().into_iter().map(|id| site.load(id).unwrap()).collect()
}

fn learn(pages: &[Arc<Page>]) -> SiteModel {
    SiteModel::learn(pages.iter().map(|page| &**page))
}

#[test]
fn every_page_gets_its_three_blocks_also_those_not_learned_from() {
    let pages = pages(8);
    let model = learn(&pages[..5]);
    for page in &pages {
        let detection = model.detect(page);
        let in_block = |kind, selector| detection.nodes(kind).unwrap().contains(find(page, selector));
        assert!(in_block(BlockKind::Template, "nav a") && !in_block(BlockKind::Template, "article p"));
        assert!(in_block(BlockKind::Content, "article p") && !in_block(BlockKind::Content, "nav a"));
        assert!(in_block(BlockKind::Menu, "nav a") && !in_block(BlockKind::Menu, "aside a"));
        assert_eq!(detection.template, model.detect(&pages[0]).template);
        assert!(detection.template.is_some());
    }
}

#[test]
fn a_page_like_no_other_is_judged_alone_and_has_a_template_all_the_same() {
    let page = Page::parse(
        "<table class=odd><tr><td><a href=/1>One</a> <a href=/2>Two</a> <a href=/3>Three</a></table>\
         <center><font>One long sentence that nobody else has, with a comma, and then another. It goes on for a while.</font></center>",
    );
    let alone = SiteModel::default().detect(&page);
    let mut strange = learn(&pages(4)).detect(&page);
    assert_eq!((strange.template.take(), strange), (None, alone.clone()));
    assert_eq!(alone.nodes(BlockKind::Content), Auto::default().detect(&page).nodes(BlockKind::Content));
    assert_eq!(alone.notes, [crate::learned::with_site::NO_HELP]);
    assert!(!alone.nodes(BlockKind::Template).unwrap().is_empty());
    for kind in [BlockKind::Content, BlockKind::Template, BlockKind::Menu] {
        assert_eq!(SiteModel::default().detect_only(&page, kind), alone.clone().only(kind));
    }
}

#[test]
fn techniques_by_name_give_what_the_model_gives() {
    let site = articles(7);
    let model = learn(&pages(7));
    for id in site.known() {
        let whole = model.detect(&site.load(id).unwrap());
        let content = AutoWithSite::default().detect(&site, id).unwrap();
        let template = TemplateAuto::default().detect(&site, id).unwrap();
        assert_eq!(content, whole.clone().only(BlockKind::Content));
        assert_eq!(template, whole.only(BlockKind::Template));
    }
}

#[test]
fn the_page_itself_and_copies_of_it_are_no_witnesses() {
    let pages = pages(4);
    let page = &pages[2];
    let (keys, how) = (PageKeys::of(page), Company::default());
    assert_eq!(learn(&pages).compare(&keys, &how).ranked.len(), 3);
    let spelled = Parser::new().url("https://example.org/other/spelling").parse(page.source());
    let changed = Parser::new().url("https://example.org/2.html#top").parse("<article class=post><h1>x</h1><p>y</p></article>");
    let mut model = learn(&pages[..2]);
    model.add(&spelled);
    model.add(&changed);
    let comparison = model.compare(&keys, &how);
    assert_eq!(comparison.ranked.len(), 2, "same bytes, or same address: no witness");
    assert!(!learn(&pages[2..3]).compare(&keys, &how).is_known());
}

#[test]
fn a_stream_of_any_length_is_a_model_of_so_many_pages() {
    let page = |at: usize| Parser::new().url(&format!("https://example.org/{at}")).parse(format!("<p class=c{at}>x"));
    let many: Vec<Page> = (0..300).map(page).collect();
    let model = SiteModel::learn(&many);
    assert_eq!(model.pages(), MOST_PAGES);
    assert_eq!(SiteModel::learn(many.iter().rev()), model);
}

#[test]
fn a_sample_can_be_chosen_by_addresses_alone() {
    let pages = pages(20);
    let mut by_order = pages.clone();
    by_order.sort_by_key(|page| SiteModel::order(page.url().unwrap()));
    let mut model = learn(&pages);
    model.keep(7);
    assert_eq!(model, learn(&by_order[..7]));
    for (at, page) in by_order.iter().enumerate() {
        assert_eq!(model.wants_address(page.url().unwrap(), 7), at < 7);
        assert!(model.wants_address(page.url().unwrap(), 8) && !model.wants_address(page.url().unwrap(), 0));
    }
    model.keep(20);
    assert_eq!(model.pages(), 7);
}

#[test]
fn bytes_that_are_no_model_are_refused() {
    let bytes = learn(&pages(3)).to_bytes();
    assert_eq!(SiteModel::from_bytes(b"something else"), Err(ModelError::Foreign));
    assert_eq!(SiteModel::from_bytes(b""), Err(ModelError::Foreign));
    for end in (8..bytes.len()).step_by(97) {
        assert_eq!(SiteModel::from_bytes(&bytes[..end]), Err(ModelError::Damaged), "{end}");
    }
    let mut later = bytes.clone();
    later[8] = 9;
    assert_eq!(SiteModel::from_bytes(&later), Err(ModelError::Version(9)));
    let mut long = bytes;
    long.push(0);
    assert_eq!(SiteModel::from_bytes(&long), Err(ModelError::Damaged));
}

proptest! {
    #[test]
    fn any_pages_can_be_learned_in_any_order_and_in_parts(
        htmls in prop::collection::vec("(<(div|p|a href=x|ul|li|b|img src=y)( class=[ab])?>|</(div|p|ul|a)>|one |2 ){0,30}", 1..12),
        addresses in prop::collection::vec(0..8usize, 12),
        at in 0..12usize,
        seed in any::<u64>(),
    ) {
        let parse = |(number, html): (usize, &String)| {
            // Some have no address, some share one.
            let parser = if addresses[number] == 0 { Parser::new() } else { Parser::new().url(&format!("https://example.org/{}", addresses[number])) };
            parser.parse(html.as_str())
        };
        let pages: Vec<Page> = htmls.iter().enumerate().map(parse).collect();
        let all = SiteModel::learn(&pages);
        let mut shuffled: Vec<&Page> = pages.iter().collect();
        shuffled.sort_by_key(|page| crate::learned::page_keys::mix(seed, std::ptr::from_ref(*page) as u64));
        prop_assert_eq!(&SiteModel::learn(shuffled), &all);
        let (one, other) = pages.split_at(at.min(pages.len()));
        let mut merged = SiteModel::learn(one);
        merged.merge(SiteModel::learn(other));
        prop_assert_eq!(&merged, &all);
        let bytes = all.to_bytes();
        let read = SiteModel::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read, &all);
        prop_assert_eq!(read.to_bytes(), bytes);
        for page in &pages {
            let detection = all.detect(page);
            prop_assert_eq!(&read.detect(page), &detection);
            let content = detection.nodes(BlockKind::Content).unwrap();
            let template = detection.nodes(BlockKind::Template).unwrap();
            prop_assert!(content.iter().all(|node| !template.contains(node)), "what is content is not template");
        }
    }

    #[test]
    fn any_bytes_are_a_model_or_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..200), starts_right in any::<bool>()) {
        if starts_right {
            bytes.splice(..0, [&MAGIC[..], &SiteModel::VERSION.to_le_bytes(), &[1]].concat());
        }
        if let Ok(model) = SiteModel::from_bytes(&bytes) {
            let _ = model.detect(&Page::parse("<p>one</p>"));
        }
    }
}
