//! What it costs to learn the template of a site and judge its pages by it, beside its pages each alone.

use crate::{ROUNDS, rate, timed};
use std::hint::black_box;
use unchaff::compare::learned::page_facts::PageFacts;
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::compare::learned::with_site::WithSite;
use unchaff::{BlockKind, Document, Extractor, Format, Page, SiteModel, extract_with_facts};

/// Pages that stand together are taken for a site, as many as a model learns from.
pub fn speed(pages: &[Vec<u8>]) {
    let bytes: usize = pages.iter().map(Vec::len).sum();
    let sites = || pages.chunks(MOST_PAGES);
    let whole = || sites().for_each(whole_site);
    let alone = || sites().for_each(pages_alone);
    // In turn, so that whatever else the machine does hits both.
    let times: Vec<_> = (0..ROUNDS).map(|_| (timed(alone), timed(whole))).collect();
    let alone = times.iter().map(|(alone, _)| *alone).min().unwrap_or_default();
    let whole = times.iter().map(|(_, whole)| *whole).min().unwrap_or_default();
    println!(
        "\nwhole sites to JSON, learning included: {:.0} MB/s, {:.2} times the time of their pages alone",
        rate(bytes, whole),
        whole.as_secs_f64() / alone.as_secs_f64()
    );
}

fn parsed(pages: &[Vec<u8>]) -> impl Iterator<Item = Page> {
    let page = |(at, page): (usize, &Vec<u8>)| Document::new(page.clone()).at(format!("https://example.org/{at}")).page();
    pages.iter().enumerate().map(page)
}

fn pages_alone(pages: &[Vec<u8>]) {
    let extractor = Extractor::new();
    parsed(pages).for_each(|page| drop(black_box(extractor.extract(&page).render(Format::Json))));
}

fn whole_site(pages: &[Vec<u8>]) {
    let mut model = SiteModel::default();
    let learned: Vec<(Page, PageFacts)> = parsed(pages)
        .map(|page| {
            let facts = PageFacts::of(&page);
            model.add_facts(&facts);
            (page, facts)
        })
        .collect();
    let recipe = WithSite::default();
    for (page, facts) in learned {
        drop(black_box(extract_with_facts(&recipe, &model, &page, facts, BlockKind::Content).render(Format::Json)));
    }
}
