//! What a whole site is written to: the words in each file.

use crate::{BASE, MENU, Place, article, headline, ok, sentence};
use std::fs;
use unchaff::{BlockKind, Document, SiteModel, extract_with_site};

fn write_site(place: &Place, format: &str) {
    ok(&["site", &place.path("pages"), "--base-url", BASE, "-f", format, "-o", &place.path(format)]);
}

fn extract(place: &Place, number: usize, format: &str) -> String {
    let page = place.path(&format!("pages/{number:03}.html"));
    ok(&["extract", &page, "--site", &place.path("pages"), "--base-url", BASE, "-f", format])
}

#[test]
fn each_file_of_a_site_has_the_article_and_nothing_of_the_menu() {
    let place = Place::of_articles(6);
    for (format, extension) in [("markdown", "md"), ("text", "txt"), ("html", "html")] {
        write_site(&place, format);
        for number in 0..6 {
            let written = place.read(&format!("{format}/gazette.example/{number:03}.{extension}"));
            assert!(written.contains(&sentence(number)), "{written}");
            assert!(written.contains(&headline(number)), "{written}");
            for other in MENU.iter().chain(&["Gazette", "Printed weekly"]) {
                assert!(!written.contains(other), "{format} {number}: {other} in {written}");
            }
            assert_eq!(written, extract(&place, number, format), "{format} {number}");
        }
        assert_eq!(fs::read_dir(place.path(&format!("{format}/gazette.example"))).unwrap().count(), 6);
    }
}

#[test]
fn what_is_asked_for_is_what_the_files_show() {
    let place = Place::of_articles(6);
    for (command, shown) in [("menu", "menu"), ("template", "template")] {
        ok(&["site", &place.path("pages"), "--base-url", BASE, "-f", "markdown", "--show", shown, "-o", &place.path(shown)]);
        for number in 0..6 {
            let written = place.read(&format!("{shown}/gazette.example/{number:03}.md"));
            assert!(MENU.iter().all(|label| written.contains(label)), "{written}");
            assert!(!written.contains(&sentence(number)), "{written}");
            let page = place.path(&format!("pages/{number:03}.html"));
            assert_eq!(written, ok(&[command, &page, "--site", &place.path("pages"), "--base-url", BASE]));
        }
    }
}

#[test]
fn an_annotated_file_is_the_page_with_all_blocks_marked() {
    let place = Place::of_articles(6);
    write_site(&place, "annotated");
    let parse = |number: usize| Document::new(article(number)).at(format!("{BASE}{number:03}.html")).page();
    let pages: Vec<_> = (0..6).map(parse).collect();
    let model = SiteModel::learn(&pages);
    for (number, page) in pages.iter().enumerate() {
        let written = place.read(&format!("annotated/gazette.example/{number:03}.html"));
        assert_eq!(written, extract_with_site(&model, page, BlockKind::Content).annotated());
        assert!(written.contains(&format!("<p data-unchaff=\"content\">{}", sentence(number))), "{written}");
        assert!(written.contains("<ul data-unchaff=\"template menu\">"), "{written}");
        assert!(written.contains("<p data-unchaff=\"template\">Printed weekly"), "{written}");
        // `extract` is about the content, and marks nothing else.
        let content = extract(&place, number, "annotated");
        assert!(content.contains(&format!("<p data-unchaff=\"content\">{}", sentence(number))), "{content}");
        assert!(!content.contains("template") && !content.contains("\"menu\""), "{content}");
    }
}

#[test]
fn the_skeleton_is_the_frame_without_the_article() {
    let place = Place::of_articles(6);
    let page = place.path("pages/002.html");
    let skeleton = ok(&["template", &page, "--site", &place.path("pages"), "--base-url", BASE, "-f", "skeleton"]);
    assert!(MENU.iter().all(|label| skeleton.contains(label)) && !skeleton.contains(&sentence(2)), "{skeleton}");
}

/// A page that has nothing in common with the articles but that it is one.
const ODD: &str = "<!DOCTYPE html><title>Odd</title><body><center><table id=bar><tr><td><a href=/x>Looms</a> <a href=/y>Spindles</a> \
    <a href=/z>Dyes</a> <a href=/w>Shears</a></table><table id=text><tr><td><blockquote>The weavers of the upper valley never sold a \
    single blanket before the first snow had fallen.<br><br>They said that wool remembers the summer, and that whoever buys it too \
    early buys a draught with it.</blockquote></table></center>";

#[test]
fn a_page_like_no_other_has_a_template_and_a_note_says_that_it_is_a_guess() {
    let place = Place::of_articles(6);
    let odd = place.write("pages/odd.html", ODD);
    let site = ["--site", &place.path("pages"), "--base-url", BASE];
    let json = |command: &str, page: &str| -> serde_json::Value {
        serde_json::from_str(&ok(&[&[command, page, "-f", "json"], &site[..]].concat())).unwrap()
    };
    let said = |json: &serde_json::Value| json["warnings"].to_string().contains("judged alone");
    let template = json("template", &odd);
    assert!(template["text"].as_str().unwrap().contains("Spindles"), "{template}");
    assert!(!template["text"].as_str().unwrap().contains("weavers"), "{template}");
    let content = json("extract", &odd);
    assert!(content["text"].as_str().unwrap().starts_with("The weavers"), "{content}");
    assert!(!content["text"].as_str().unwrap().contains("Spindles"), "{content}");
    assert!(said(&template) && said(&content), "{}", template["warnings"]);
    let like = json("template", &place.path("pages/001.html"));
    assert!(!said(&like) && like["warnings"].to_string().contains("compared with 5 pages"), "{}", like["warnings"]);
}
