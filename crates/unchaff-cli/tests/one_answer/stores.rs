//! Pages one by one, with a store that remembers their sites.

use crate::{BASE, MENU, Place, answers, article, ok, sentence, unchaff};
use std::fs;
use unchaff::ExtractionRecord;

fn record(line: &str) -> ExtractionRecord {
    serde_json::from_str(line).unwrap()
}

fn notes(record: &ExtractionRecord) -> String {
    record.warnings.iter().map(|warning| format!("{}\n", warning.message)).collect()
}

#[test]
fn every_page_helps_those_after_it() {
    let place = Place::of_articles(6);
    for (command, store) in [("extract", "extract.db"), ("template", "template.db"), ("menu", "menu.db")] {
        let store = place.path(store);
        let one_by_one: Vec<ExtractionRecord> = (0..6)
            .map(|number| {
                let (page, url) = (place.path(&format!("pages/{number:03}.html")), format!("{BASE}{number:03}.html"));
                record(&ok(&[command, &page, "--url", &url, "--store", &store, "-f", "json"]))
            })
            .collect();
        assert!(notes(&one_by_one[0]).contains("judged alone"), "{}", notes(&one_by_one[0]));
        assert!(notes(&one_by_one[1]).contains("compared with one page"), "{}", notes(&one_by_one[1]));
        assert!(notes(&one_by_one[5]).contains("compared with 5 pages"), "{}", notes(&one_by_one[5]));
        for (number, record) in one_by_one.iter().enumerate() {
            let has_menu = MENU.iter().all(|label| record.text.contains(label));
            assert_eq!((has_menu, record.text.contains(&sentence(number))), (command != "extract", command == "extract"));
        }
        // By now all are known, as if the site had been given.
        let (page, url) = (place.path("pages/005.html"), format!("{BASE}005.html"));
        let with_site = ok(&[command, &page, "--site", &place.path("pages"), "--base-url", BASE, "-f", "json"]);
        assert_eq!(ok(&[command, &page, "--url", &url, "--store", &store, "-f", "json"]), with_site);
        let kept = ok(&["store", "list", &store, "-f", "json"]);
        assert!(kept.contains("\"site\":\"gazette.example\",\"pages\":6"), "{kept}");
    }
}

#[test]
fn a_page_without_an_address_has_an_answer_and_is_told_about_url() {
    let place = Place::of_articles(2);
    let (store, page) = (place.path("kept.db"), place.path("pages/000.html"));
    // Told in the answer and, for who reads only Markdown, beside it.
    let told = |arguments: &[&str], which: &str| {
        let done = unchaff(arguments);
        assert!(done.code == 0 && done.err.contains(which) && done.err.contains("--url"), "{arguments:?}: {}", done.err);
        done.out
    };
    let said = record(&told(&["extract", &page, "--store", &store, "-f", "json"], "1 of 1 pages have no address"));
    assert!(notes(&said).contains("--url"), "{}", notes(&said));
    assert!(said.text.contains(&sentence(0)));
    assert_eq!(said.text, record(&ok(&["extract", &page, "-f", "json"])).text);
    assert_eq!(ok(&["store", "list", &store]), "nothing is kept\n");
    // Many at once, which cannot have --url.
    let many = told(&["extract", &place.path("pages"), "--store", &store], "2 of 2 pages have no address");
    assert!(many.lines().count() == 2 && many.lines().all(|line| notes(&record(line)).contains("--url")), "{many}");
}

#[test]
fn a_store_goes_with_no_technique_and_no_settings() {
    let place = Place::of_articles(1);
    let (store, page) = (place.path("kept.db"), place.path("pages/000.html"));
    for more in [&["--technique", "conex-page"][..], &["--set", "c=1"], &["--favor", "recall"], &["--explain"], &["--bootstrap"]]
    {
        let refused = unchaff(&[&["extract", &page, "--store", &store], more].concat());
        assert!(refused.code == 2 && refused.out.is_empty(), "{more:?}");
        assert!(refused.err.contains("--store") && refused.err.contains(more[0]), "{}", refused.err);
    }
    assert!(!fs::exists(&store).unwrap());
}

/// A page whose text stands in JSON-LD alone, for a program to show.
fn scripted() -> String {
    let body: String = (0..70).map(|part| format!("{} ", sentence(part * 3))).collect();
    assert!(body.len() > 4000);
    let menu: String = MENU.iter().map(|label| format!("<a href=/{label}.html>{label}</a> ")).collect();
    let said = serde_json::json!({ "@context": "https://schema.org", "@type": "Article", "headline": "The long story", "articleBody": body });
    format!(
        "<!DOCTYPE html><title>The long story</title><body><nav>{menu}</nav><div id=root>Loading</div><script type=application/ld+json>{said}</script>"
    )
}

#[test]
fn text_that_only_json_ld_has_and_confidences_are_the_same_with_a_store() {
    let place = Place::of_articles(5);
    let (page, url) = (place.write("pages/scripted.html", scripted()), format!("{BASE}scripted.html"));
    let alone = record(&ok(&["extract", &page, "--url", &url, "-f", "json"]));
    assert!(alone.text.contains("The long story") && alone.text.contains(&sentence(207)), "{}", alone.text);
    let store = place.path("kept.db");
    let first = record(&ok(&["extract", &page, "--url", &url, "--store", &store, "-f", "json"]));
    let (pages, base) = (place.path("pages"), ["--base-url", BASE]);
    let site = answers(&ok(&[&["site", &pages, "--store", &store], &base[..]].concat())).remove(&url).unwrap();
    let again = record(&ok(&["extract", &page, "--url", &url, "--store", &store, "-f", "json"]));
    let with_site = record(&ok(&[&["extract", &page, "--site", &pages, "-f", "json"], &base[..]].concat()));
    for record in [&first, &site, &again, &with_site] {
        assert_eq!((&record.text, &record.markdown, &record.embedded), (&alone.text, &alone.markdown, &alone.embedded));
        assert_eq!(record.blocks[0].confidence, alone.blocks[0].confidence);
        assert!(notes(record).contains("JSON-LD"), "{}", notes(record));
    }
    ok(&[&["site", &pages, "--store", &store, "-f", "text", "-o", &place.path("out")], &base[..]].concat());
    assert_eq!(place.read("out/gazette.example/scripted.txt"), alone.text);
    // Of an article on the page itself, too.
    let (page, url) = (place.write("alone/007.html", article(7)), "https://elsewhere.example/7");
    let one = |more: &[&str]| record(&ok(&[&["extract", &page, "--url", url, "-f", "json"], more].concat()));
    let (without, with) = (one(&[]), one(&["--store", &store]));
    assert!(with.text.contains(&sentence(7)) && with.text == without.text && with.blocks == without.blocks);
    assert!(with.blocks[0].confidence.is_some() && with.blocks[0].nodes[0].confidence.is_some());
}
