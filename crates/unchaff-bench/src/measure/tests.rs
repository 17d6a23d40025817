//! Vectors published and made by hand, agreement with the scorers on pages of ours, and what must always hold.

use super::*;
use crate::gold::{Gold, Notation, strip};
use proptest::prelude::*;
use unchaff_dom::{NodeSet, Page};

/// A page of ours with labels, and an answer about it.
const LABELLED: &str = r#"<!DOCTYPE html><meta charset=utf-8><title>Tea</title><body>Loose words<div id=top class=bar><ul id=menu class=TECO_mainMenu><li><a href=/>Home</a><li><a href=/tea>Tea</a><li><a name=x>no link</a><li><a href=/more>More</a></ul></div>
<main class='TECO_notTemplate TECO_mainContent'><h1 class='TECO_notTemplate TECO_mainContent'>Green Tea 緑茶</h1><p class='TECO_notTemplate TECO_mainContent'>Tea is green, tea is <b class='TECO_notTemplate TECO_mainContent'>good</b>.<script>var tea = 1;</script><p class='TECO_notTemplate TECO_mainContent'>Σίσυφος drinks ΤΣΑΪ; İs it 3.5 or ½?<noscript class='TECO_notTemplate TECO_mainContent'>Turn <i>tea</i> on</noscript><table><tr><td>one<td>two</table>
<template class='TECO_notTemplate TECO_mainContent'><p class='TECO_mainContent TECO_notTemplate'>hidden tea</p></template><svg class='TECO_mainContent TECO_notTemplate'><title class='TECO_mainContent TECO_notTemplate'>pot</title><a href=#x>x</a></svg></main>
<div class='talk TECO_notTemplate'><p>Nice tea!<p>Bad tea!</div><footer><a href=/imprint>Imprint</a> tea</footer>"#;
const ANNOTATED: &str = r#"<!DOCTYPE html><meta charset=utf-8><title>Tea</title><body>Loose words<div data-unchaff='menu template' id=top class=bar><ul id=menu><li><a href=/>Home</a><li><a href=/tea>Tea</a><li><a name=x>no link</a><li><a href=/more>More</a></ul></div>
<main data-unchaff=content><h1 data-unchaff='template content'>Green Tea 緑茶</h1><p data-unchaff='content'>Tea is green, tea is <b>good</b>.<script>var tea = 1;</script><p data-unchaff='x content'>Σίσυφος drinks ΤΣΑΪ; İs it 3.5 or ½?<noscript data-unchaff=content>Turn <i>tea</i> on</noscript><table data-unchaff='content'><tr><td data-unchaff='content'>one<td>two</table>
<template><p data-unchaff=content>hidden tea</p></template><svg><title data-unchaff=content>pot</title><a href=#x>x</a></svg></main>
<div class=talk><p data-unchaff='content'>Nice tea!<p>Bad tea!</div><footer data-unchaff=template><a data-unchaff=menu href=/imprint>Imprint</a> tea</footer>"#;

fn labelled() -> Benchmark {
    let page = Page::parse(LABELLED);
    let source = strip(&page, Notation::default()).unwrap();
    let bare = Page::parse(source.clone());
    let gold = Gold { blocks: Notation::default().read(&page).blocks(&bare), ..Gold::default() };
    Benchmark::new(source, bare, gold)
}

fn with_text(html: &str, text: &str) -> Benchmark {
    Benchmark::new(html.into(), Page::parse(html), Gold { text: Some(text.to_owned()), ..Gold::default() })
}

fn figures(scores: &[Score]) -> Vec<String> {
    let figure = |score: &Score| {
        let Score { measure, recall, precision, f1, .. } = score;
        format!("{measure} R {recall:.6} P {precision:.6} F1 {f1:.6}")
    };
    scores.iter().map(figure).collect()
}

#[test]
fn labelled_pages_score_as_by_the_scorer() {
    // Expected: score_sites.score(block, LABELLED, ANNOTATED).
    let benchmark = labelled();
    let score_of = |kind| figures(&score(&benchmark, kind, &Answer::Annotated(ANNOTATED.as_bytes())));
    assert_eq!(score_of(BlockKind::Template), ["nodes R 0.090909 P 0.666667 F1 0.160000"]);
    assert_eq!(
        score_of(BlockKind::Content),
        ["nodes R 0.700000 P 0.700000 F1 0.700000", "words R 0.960000 P 0.888889 F1 0.923077"]
    );
    assert_eq!(score_of(BlockKind::Menu), ["links R 1.000000 P 0.750000 F1 0.857143"]);
    assert!(score_of(BlockKind::Comments).is_empty(), "nothing is labelled so");
}

#[test]
fn nodes_score_as_the_page_annotated_with_them() {
    let benchmark = labelled();
    for kind in [BlockKind::Template, BlockKind::Content, BlockKind::Menu] {
        let nodes = emit::marked_nodes(&benchmark.page, ANNOTATED.as_bytes(), kind.as_str()).unwrap();
        let annotated = emit::annotated(&benchmark.page, &[(kind.as_str(), &nodes)]);
        let detection = Detection::of(kind, nodes);
        let direct = score(&benchmark, kind, &Answer::Nodes(&detection));
        assert_eq!(direct, score(&benchmark, kind, &Answer::Annotated(annotated.as_bytes())));
        assert_eq!(direct, score(&benchmark, kind, &Answer::Annotated(ANNOTATED.as_bytes())));
    }
}

#[test]
fn copies_of_a_misnested_tag_stand_together() {
    let page = Page::parse("<p>a<b>b<p>c<p>d</b><i>e</i>");
    let copies: Vec<_> = page.nodes().filter(|node| page.name(*node) == "b").collect();
    let italic = page.nodes().find(|node| page.name(*node) == "i").unwrap();
    let gold = Gold { blocks: vec![(BlockKind::Content, NodeSet::from_nodes(&page, copies.iter().copied()))], ..Gold::default() };
    let benchmark = Benchmark::new(Vec::new(), page, gold);
    let recall = |nodes: &[unchaff_dom::NodeId]| {
        let nodes = NodeSet::from_nodes(&benchmark.page, nodes.iter().copied().chain([italic]));
        let annotated = emit::annotated(&benchmark.page, &[("content", &nodes)]);
        let detection = Detection::of(BlockKind::Content, nodes);
        let scores = score(&benchmark, BlockKind::Content, &Answer::Nodes(&detection));
        assert_eq!(scores, score(&benchmark, BlockKind::Content, &Answer::Annotated(annotated.as_bytes())));
        (scores[0].recall, scores[0].precision)
    };
    assert_eq!(copies.len(), 3);
    assert_eq!(recall(&copies[..1]), (0.0, 0.0));
    assert_eq!(recall(&copies[1..]), (1.0, 0.75));
}

#[test]
fn text_counts_against_labelled_words() {
    let benchmark = labelled();
    let text = figures(&score(&benchmark, BlockKind::Content, &Answer::Text("green tea, unheard-of")));
    assert_eq!(text, ["words R 0.080000 P 0.500000 F1 0.137931"]);
    assert!(score(&benchmark, BlockKind::Template, &Answer::Text("x")).is_empty());
}

#[test]
fn marking_the_root_of_a_menu_is_marking_all_of_it() {
    let benchmark = labelled();
    let page = &benchmark.page;
    let root = benchmark.gold.nodes(BlockKind::Menu).unwrap().roots(page)[0];
    for nodes in [NodeSet::from_nodes(page, [root]), page.subtree_set(root)] {
        let detection = Detection::of(BlockKind::Menu, nodes);
        assert_eq!(
            figures(&score(&benchmark, BlockKind::Menu, &Answer::Nodes(&detection))),
            ["links R 1.000000 P 1.000000 F1 1.000000"]
        );
    }
}

#[test]
fn other_elements_are_an_error_and_score_zero() {
    let benchmark = labelled();
    let answer = Answer::Annotated(b"<p data-unchaff=content>x");
    let error = try_score(&benchmark, BlockKind::Content, &answer, &Measures::default()).unwrap_err();
    assert!(error.to_string().contains("other elements than the page"), "{error}");
    let zero = figures(&score(&benchmark, BlockKind::Content, &answer));
    assert_eq!(zero, ["nodes R 0.000000 P 0.000000 F1 0.000000", "words R 0.000000 P 0.000000 F1 0.000000"]);
}

#[test]
fn nodes_can_be_counted_by_other_rules() {
    // Tables 9.1 and 13.7 of Alarte (2023) count differently, so both counts are given.
    let page = Page::parse("<body><p>a<!--c--><script>s</script></p>b</body>");
    let gold = Gold { blocks: vec![(BlockKind::Content, page.subtree_set(page.root()))], ..Gold::default() };
    let benchmark = Benchmark::new(Vec::new(), page, gold);
    let nothing = Detection::of(BlockKind::Content, NodeSet::new(&benchmark.page));
    let gold = |nodes| {
        let measures = Measures { nodes, ..Measures::default() };
        try_score(&benchmark, BlockKind::Content, &Answer::Nodes(&nothing), &measures).unwrap()[0].gold
    };
    assert_eq!(gold(NodeRule::ElementsBelowBody), 2.0);
    assert_eq!(gold(NodeRule::NodesFromBody), 7.0);
    assert_eq!(gold(NodeRule::NodesWithoutScripts), 5.0);
}

#[test]
fn texts_score_as_by_the_scorer() {
    // Expected: tokens and prf of score_pages.py.
    let gold = "Green Tea 緑茶\nTea is green, tea is good.\nΣίσυφος drinks ΤΣΑΪ; İs it 3.5 or ½?\n";
    let text = "Home Tea\n\nGreen tea 緑  is green_tea. ΣΊΣΥΦΟΣ drinks τσαϊ: is it 3,5?\n";
    let score = &score(&with_text("<p>x", gold), BlockKind::Content, &Answer::Text(text))[0];
    assert_eq!((score.measure, score.retrieved, score.gold, score.common), ("word-bag", 14.0, 20.0, 12.0));
    assert_eq!(figures(std::slice::from_ref(score)), ["word-bag R 0.600000 P 0.857143 F1 0.705882"]);
}

#[test]
fn nodes_are_measured_by_their_text_where_the_gold_is_text() {
    let benchmark = with_text("<p>one two</p><p>three</p>", "one two three");
    let first = benchmark.page.element_children(benchmark.page.body().unwrap()).next().unwrap();
    let detection = Detection::of(BlockKind::Content, benchmark.page.subtree_set(first));
    let scores = score(&benchmark, BlockKind::Content, &Answer::Nodes(&detection));
    assert_eq!(scores, score(&benchmark, BlockKind::Content, &Answer::Text("one two\n")));
    assert_eq!(
        scores,
        score(&benchmark, BlockKind::Content, &Answer::Annotated(b"<p data-unchaff='content'>one two</p><p>three</p>"))
    );
    assert_eq!(scores.len(), 4);
    assert!(score(&benchmark, BlockKind::Menu, &Answer::Text("one")).is_empty());
    let menu = Detection::of(BlockKind::Menu, NodeSet::new(&benchmark.page));
    assert!(score(&benchmark, BlockKind::Content, &Answer::Nodes(&menu)).is_empty(), "it did not look for content");
}

#[test]
fn sentences_that_must_and_must_not_be_there() {
    let gold = Gold {
        text: Some("Tea is good. Rain is wet.".to_owned()),
        must: ["Tea is good.", "“Rain”\nis wet", "The sun!", "…"].map(str::to_owned).to_vec(),
        must_not: ["Home", "Buy now"].map(str::to_owned).to_vec(),
        ..Gold::default()
    };
    let benchmark = Benchmark::new(Vec::new(), Page::parse("<p>x"), gold);
    let scores = score(&benchmark, BlockKind::Content, &Answer::Text("Homely. HOME - tea is good\n- rain is wet"));
    let sentences = scores.last().unwrap();
    assert_eq!((sentences.measure, sentences.retrieved, sentences.gold, sentences.common), ("sentences", 3.0, 3.0, 2.0));
    let only_wrong = |empty| text::sentence_score(&[], &["Home".to_owned()], "x", empty).map(|score| score.f1);
    assert_eq!((only_wrong(Empty::Zero), only_wrong(Empty::One)), (None, Some(1.0)));
}

/// Recall, precision and F1 of the four models in Gottron's order: characters, word sequence, bag, set.
fn four_models(gold: &str, text: &str) -> [[f64; 3]; 4] {
    let scores = text_scores(gold, text, &Measures::gottron());
    ["character-lcs", "word-lcs", "word-bag", "word-set"].map(|name| {
        let score = scores.iter().find(|score| score.measure == name).unwrap();
        [score.recall, score.precision, score.f1].map(|value| (value * 1e6).round() / 1e6)
    })
}

#[test]
fn models_of_gottron() {
    // Gottron 2008, 5.2.2; the texts are made by hand.
    let gold = "the cat sat on the mat";
    assert_eq!(
        four_models(gold, "home the cat sat on the mat login"),
        [[1.0, 0.666_667, 0.8], [1.0, 0.75, 0.857_143], [1.0, 0.75, 0.857_143], [1.0, 0.714_286, 0.833_333]]
    );
    assert_eq!(
        four_models(gold, "cat sat on a mat"),
        [[0.681_818, 0.9375, 0.789_474], [0.666_667, 0.8, 0.727_273], [0.666_667, 0.8, 0.727_273], [0.8, 0.8, 0.8]]
    );
    assert_eq!(four_models(gold, "on the mat the cat sat"), [[0.590_909; 3], [0.5; 3], [1.0; 3], [1.0; 3]]);
    assert_eq!(
        four_models(gold, "the the the the"),
        [[0.5, 0.733_333, 0.594_595], [0.333_333, 0.5, 0.4], [0.333_333, 0.5, 0.4], [0.2, 1.0, 0.333_333]]
    );
    assert_eq!(four_models("extraction", "extract"), [[0.7, 1.0, 0.823_529], [0.0; 3], [0.0; 3], [0.0; 3]]);
    assert_eq!(four_models("alpha", "beta gamma")[0], [0.4, 0.2, 0.266_667]);
    assert_eq!(four_models("one two three", "three two one"), [[0.538_462; 3], [0.333_333; 3], [1.0; 3], [1.0; 3]]);
    assert_eq!(
        four_models(gold, "the mat the cat"),
        [[0.590_909, 0.866_667, 0.702_703], [0.333_333, 0.5, 0.4], [0.666_667, 1.0, 0.8], [0.6, 1.0, 0.75]]
    );
    // Halves that change places cost sequences something, and bags nothing.
    assert!(four_models("a b c d", "c d a b")[1][2] < 1.0);
    assert_eq!(four_models("a b c d", "c d a b")[2], [1.0; 3]);
}

#[test]
fn empty_texts() {
    // Gottron 2008, 2.2.4 and 5.2.2.
    assert_eq!(four_models("", ""), [[1.0; 3]; 4]);
    assert_eq!(four_models("", "x"), [[1.0, 0.0, 0.0]; 4]);
    assert_eq!(four_models("x", ""), [[0.0, 1.0, 0.0]; 4]);
    assert_eq!(four_models("x", "y"), [[0.0; 3]; 4]);
    // The scorers: an empty answer has no precision, and a page without words in its gold is left out.
    let default = |gold, text| figures(&text_scores(gold, text, &Measures { subsequences: false, ..Measures::default() }));
    assert_eq!(default("x", ""), ["word-bag R 0.000000 P 0.000000 F1 0.000000", "word-set R 0.000000 P 0.000000 F1 0.000000"]);
    assert!(default("—", "x").is_empty());
}

#[test]
fn quotients() {
    // Gottron 2008, table 5.1.
    let score = Score::new(BlockKind::Content, "nodes", [4, 5, 4], Empty::Zero);
    assert_eq!((score.recall, score.precision), (0.8, 1.0));
    let f = |beta| (f_measure(0.8, 1.0, beta) * 1e6).round() / 1e6;
    assert_eq!([f(0.5), f(1.0), f(2.0)], [0.952_381, 0.888_889, 0.833_333]);
    // F1 is taken of each page, then averaged (Alarte 2023, 12.4).
    let pages = [[1, 1, 0], [1, 1, 1]].map(|amounts| Score::new(BlockKind::Content, "nodes", amounts, Empty::Zero).f1);
    assert_eq!(pages.iter().sum::<f64>() / 2.0, 0.5);
    assert!((f_measure(0.5, 1.0, 1.0) - 0.6667).abs() < 1e-4);
}

#[test]
fn spread_over_documents() {
    // By the formula of Gottron (2008, 5.2.2).
    assert!((spread(&[0.9, 0.8, 1.0, 0.7]).unwrap() - 0.129_099).abs() < 1e-6);
    assert!((spread(&[0.9, 0.8, 1.0]).unwrap() - 0.1).abs() < 1e-12);
    assert_eq!(spread(&[0.5]), None);
    assert_eq!(spread(&[]), None);
}

proptest! {
    // What follows from the definitions (Gottron 2008, 5.2.2).
    #[test]
    fn scores_keep_their_order(gold in "[ab ]{0,30}", text in "[ab ]{0,30}") {
        let (forth, back) = (four_models(&gold, &text), four_models(&text, &gold));
        for ([recall, precision, f1], [back_recall, back_precision, back_f1]) in forth.into_iter().zip(back) {
            prop_assert!([recall, precision, f1].iter().all(|value| (0.0..=1.0).contains(value)));
            prop_assert_eq!((recall, precision, f1), (back_precision, back_recall, back_f1));
        }
        prop_assert!(forth[1][2] <= forth[2][2]);
        prop_assert_eq!(four_models(&text, &text), [[1.0; 3]; 4]);
    }

    #[test]
    fn any_answer_has_a_score(html in "[a-z<>/ =\"]{0,60}") {
        let benchmark = labelled();
        for kind in [BlockKind::Template, BlockKind::Content, BlockKind::Menu] {
            for value in score(&benchmark, kind, &Answer::Annotated(html.as_bytes())) {
                prop_assert!((0.0..=1.0).contains(&value.f1));
            }
        }
    }
}

/// Of "Tea is green Share Print" the first three words are content, though the element is template; of the other paragraph all but the last word.
#[test]
fn words_of_parts_of_texts_count_as_they_are_labelled() {
    let html = "<body><p id=a>Tea is green Share Print</p><p id=b>Black tea too more</p></body>";
    let labelled = html
        .replace("<p id=a", "<p data-label-text=content:0-12 id=a")
        .replace("<p id=b", "<p class='TECO_mainContent TECO_notTemplate' data-label-text=template:14-18 id=b");
    let page = Page::parse(html);
    let gold = Gold::of_labels(&Notation::default().read(&Page::parse(labelled)), &page);
    let benchmark = Benchmark::new(html.into(), Page::parse(html), gold);
    let words = |text: &str| {
        let scores = score(&benchmark, BlockKind::Content, &Answer::Text(text));
        let words = scores.iter().find(|score| score.measure == "words").unwrap();
        (words.gold, words.common)
    };
    assert_eq!(words("Tea is green Black tea too"), (6.0, 6.0));
    assert_eq!(words("Share Print more"), (6.0, 0.0));
    // As nodes, a text is what most of it is.
    let texts: Vec<bool> = page
        .nodes()
        .filter(|node| page.tag(*node) == unchaff_dom::Tag::Text)
        .map(|node| benchmark.gold.nodes(BlockKind::Content).unwrap().contains(node))
        .collect();
    assert_eq!(texts, [false, true]);
}
