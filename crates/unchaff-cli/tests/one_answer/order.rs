//! The order in which pages come, and where they were learned, changes nothing.

use crate::{Answers, BASE, Place, answers, article, assert_has_words, assert_same, ok, sentence, write_articles};
use serde_json::Value;
use std::fs;

/// More than a site learns from, so that it matters which pages it takes.
const PAGES: usize = 90;

fn site(source: &str, more: &[&str]) -> Answers {
    answers(&ok(&[&["site", source], more].concat()))
}

#[test]
fn a_site_in_any_order_has_the_same_answers() {
    let place = Place::of_articles(PAGES);
    let folder = site(&place.path("pages"), &["--base-url", BASE]);
    assert_has_words(&folder);
    assert!((0..PAGES).all(|number| folder[&format!("{BASE}{number:03}.html")].text.contains(&sentence(number))));
    write_articles(&place.folder.path().join("again"), (0..PAGES).rev());
    assert_same(&site(&place.path("again"), &["--base-url", BASE]), &folder, "written the other way round");
    let line = |number: usize| format!("{BASE}{number:03}.html\tpages/{number:03}.html\n");
    let orders: [(&str, String); 3] = [
        ("listed", (0..PAGES).map(line).collect()),
        ("listed the other way round", (0..PAGES).rev().map(line).collect()),
        ("listed crosswise", (0..PAGES).map(|at| line(at * 37 % PAGES)).collect()),
    ];
    for (order, lines) in orders {
        let list = place.write("list.tsv", lines);
        assert_same(&site(&list, &[]), &folder, order);
        assert_same(&site(&list, &["-j", "1"]), &folder, order);
    }
}

/// What a store exports of the model of the one site, without the times.
fn model(store: &str) -> Value {
    let lines = ok(&["store", "export", store]);
    let model: Value = serde_json::from_str(lines.trim_end()).unwrap();
    assert_eq!(model["schema"], "unchaff/model/1");
    serde_json::json!({ "site": model["site"], "pages": model["pages"], "model": model["model"] })
}

#[test]
fn what_two_machines_learn_of_halves_of_a_site_is_what_one_learns_of_it() {
    let place = Place::of_articles(PAGES);
    write_articles(&place.folder.path().join("half-a"), (0..PAGES).filter(|number| number % 3 == 0));
    write_articles(&place.folder.path().join("half-b"), (0..PAGES).filter(|number| number % 3 != 0));
    let learn = |pages: &str, store: &str| {
        let store = place.path(store);
        (site(&place.path(pages), &["--base-url", BASE, "--store", &store]), store)
    };
    let ((_, a), (_, b), (direct, whole)) = (learn("half-a", "a.db"), learn("half-b", "b.db"), learn("pages", "whole.db"));
    let lines = place.write("lines.jsonl", ok(&["store", "export", &a]));
    assert_ne!(model(&b), model(&whole));
    let imported = crate::unchaff(&["store", "import", &b, &lines]);
    assert_eq!((imported.code, imported.err.as_str()), (0, "1 models and 0 templates imported, 0 were there already\n"));
    assert_eq!(model(&b), model(&whole));
    for number in [0, 1, 2, 50, PAGES + 7] {
        let (page, url) = (place.write("page.html", article(number)), format!("{BASE}{number:03}.html"));
        let extract = |store: &str| {
            // So that what is learned from the page does not stay.
            let copy = place.path("copy.db");
            fs::copy(store, &copy).unwrap();
            ok(&["extract", &page, "--url", &url, "--store", &copy, "-f", "json"])
        };
        let extracted = extract(&b);
        assert_eq!(extracted, extract(&whole));
        let record = answers(&extracted).remove(&url).unwrap();
        assert!(record.text.contains(&sentence(number)) && !record.text.contains("Gazette"), "{}", record.text);
        if let Some(direct) = direct.get(&url) {
            assert_eq!((&record.text, &record.markdown, &record.template), (&direct.text, &direct.markdown, &direct.template));
            assert_eq!(record.blocks, direct.blocks[..1]);
        }
    }
    assert_same(&learn("pages", "b.db").0, &direct, "with the halves together");
}
