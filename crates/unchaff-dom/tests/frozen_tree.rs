//! What the frozen tree promises, checked on random pages against naive walks over it.

use proptest::prelude::*;
use unchaff_dom::select::Selector;
use unchaff_dom::{Counts, Limits, NodeId, NodeSet, Page, Parser, Tag, Warning, emit, words};

/// Pages of random elements, text in several scripts, links, scripts and comments, well nested or not.
fn pages() -> impl Strategy<Value = String> {
    let pieces = [
        "<div>",
        "</div>",
        "<p class='x y' id=i1>",
        "</p>",
        "<ul>",
        "<li>",
        "</ul>",
        "<a href=/x>",
        "<a>",
        "</a>",
        "<b>",
        "</b>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<span id=i2>",
        "</span>",
        "<script>if (a<b) c</script>",
        "<!-- comment -->",
        "<img src=i alt='a'>",
        "<br>",
        "<svg><title>t</title><a>",
        "</svg>",
        "<template>",
        "</template>",
        "<x-y>",
        "</x-y>",
        "one two ",
        "three",
        "\n  ",
        "naïve café ",
        "中文字",
        "&amp; &lt;b&gt; ",
        "\u{a0}",
        "<noscript>",
        "</noscript>",
        "<select><option>",
        "</select>",
        "<pre>\n a\n",
        "</pre>",
        "<h2>",
        "</h2>",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
}

fn naive_counts(page: &Page, root: NodeId) -> Counts {
    let mut counts = Counts::default();
    for node in page.nodes().filter(|node| *node == root || page.ancestors(*node).any(|ancestor| ancestor == root)) {
        let is_link = |node: NodeId| page.tag(node) == Tag::A && page.attr(node, "href").is_some();
        counts.leaves += u32::from(!page.nodes().any(|other| page.parent(other) == Some(node)));
        counts.elements += u32::from(page.is_element(node));
        counts.anchors += u32::from(page.tag(node) == Tag::A);
        counts.links += u32::from(is_link(node));
        if page.tag(node) == Tag::Text {
            let text = words::count(page.string(node));
            counts.text_nodes += 1;
            counts.text_bytes += page.string(node).len() as u32;
            counts.chars += text.chars;
            counts.tokens += text.tokens;
            counts.words += text.words;
            if page.ancestors(node).any(is_link) {
                counts.link_chars += text.chars;
                counts.link_words += text.words;
            }
        }
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_from_prefix_sums_equal_naive_counts(html in pages()) {
        let page = Page::parse(html);
        for node in page.nodes() {
            prop_assert_eq!(page.counts(node), naive_counts(&page, node));
        }
    }

    #[test]
    fn the_arrays_agree_with_each_other(html in pages()) {
        let page = Page::parse(html);
        for node in page.nodes() {
            let children: Vec<NodeId> = page.nodes().filter(|other| page.parent(*other) == Some(node)).collect();
            prop_assert_eq!(&page.children(node).collect::<Vec<_>>(), &children);
            for pair in children.windows(2) {
                prop_assert_eq!(page.next_sibling(pair[0]), Some(pair[1]));
                prop_assert_eq!(page.previous_sibling(pair[1]), Some(pair[0]));
            }
            prop_assert_eq!(children.first().and_then(|first| page.previous_sibling(*first)), None);
            prop_assert_eq!(page.depth(node), page.ancestors(node).count());
            let text: String = page.subtree(node).filter(|node| page.tag(*node) == Tag::Text).map(|node| page.string(node)).collect();
            prop_assert_eq!(page.text(node), text);
            let range = page.source_range(node);
            prop_assert!(range.start <= range.end && range.end <= page.source().len());
        }
    }

    #[test]
    fn addresses_find_their_node_again(html in pages()) {
        let page = Page::parse(html);
        let css = page.css_paths();
        let mut number = 0;
        for node in page.nodes() {
            prop_assert_eq!(page.at_path(&page.path(node)), Some(node));
            if page.is_element(node) {
                let selector = Selector::parse(&css.of(node)).unwrap();
                prop_assert_eq!(page.select(&selector).collect::<Vec<_>>(), [node], "{}", css.of(node));
                prop_assert_eq!(page.element_number(node), number);
                prop_assert_eq!(page.element_at(number), Some(node));
                number += 1;
            }
        }
        prop_assert_eq!(page.element_at(number), None);
    }

    #[test]
    fn node_sets_are_sets(html in pages(), picks in prop::collection::vec(any::<(u32, u32)>(), 0..8)) {
        let page = Page::parse(html);
        let pick = |seed: u32| NodeId(seed % page.len() as u32);
        let a = NodeSet::from_roots(&page, picks.iter().map(|pair| pick(pair.0)));
        let b = NodeSet::from_nodes(&page, picks.iter().map(|pair| pick(pair.1)));
        let combined = |apply: fn(&mut NodeSet, &NodeSet)| { let mut set = a.clone(); apply(&mut set, &b); set };
        for node in page.nodes() {
            prop_assert_eq!(combined(NodeSet::union).contains(node), a.contains(node) || b.contains(node));
            prop_assert_eq!(combined(NodeSet::difference).contains(node), a.contains(node) && !b.contains(node));
            prop_assert_eq!(combined(NodeSet::intersection).contains(node), a.contains(node) && b.contains(node));
            let above = page.nodes().any(|other| b.contains(other) && (other == node || page.is_ancestor(node, other)));
            prop_assert_eq!(b.with_ancestors(&page).contains(node), above);
        }
        prop_assert_eq!(NodeSet::from_roots(&page, a.roots(&page)), a.clone());
        prop_assert_eq!(a.iter().count(), a.len());
        let naive: Vec<NodeId> = b.iter().filter(|node| !page.ancestors(*node).any(|ancestor| b.contains(ancestor))).collect();
        prop_assert_eq!(b.roots(&page), naive);
    }

    #[test]
    fn annotated_pages_parse_to_the_same_elements_with_the_marks_of_the_set(html in pages(), picks in prop::collection::vec(any::<u32>(), 0..4)) {
        let page = Page::parse(html);
        let set = NodeSet::from_roots(&page, picks.iter().map(|seed| NodeId(seed % page.len() as u32)));
        let annotated = emit::annotated(&page, &[("content", &set)]);
        let again = Page::parse(annotated.clone());
        let elements = |page: &Page| page.nodes().filter(|node| page.is_element(*node)).collect::<Vec<_>>();
        let names = |page: &Page| elements(page).iter().map(|node| page.name(*node).to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(names(&page), names(&again), "{}", annotated);
        prop_assert_eq!(page.text(page.root()), again.text(again.root()));
        for (before, after) in elements(&page).iter().zip(elements(&again)) {
            // Elements copied from one misnested tag share its mark.
            let copies = elements(&page).iter().filter(|other| page.source_range(**other).start == page.source_range(*before).start).count();
            let at_end = page.source_range(*before).start == page.source().len();
            let marked = again.attr(after, "data-unchaff");
            if page.tag(*before) == Tag::B && marked.is_none() {
                // Not marked where more than three alike were open.
                continue;
            }
            if copies == 1 && !at_end {
                prop_assert_eq!(marked, set.contains(*before).then_some("content"), "{}", annotated);
            }
        }
    }

    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let page = Page::parse(bytes);
        let all = page.subtree_set(page.root());
        let _ = (emit::text(&page, &all), emit::markdown(&page, &all), emit::html(&page, &all), emit::annotated(&page, &[("content", &all)]));
        prop_assert!(page.body().is_some());
    }
}

#[test]
fn bare_text_is_marked_by_its_place_in_the_element_around_it() {
    let page =
        Page::parse("<div><a href=/>Home</a><br>It rained.<br>It poured.<br> <a href=/x>More</a><br>The end</div><p>x</p>");
    let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
    let set =
        |pieces: &[&str]| NodeSet::from_nodes(&page, texts.iter().copied().filter(|text| pieces.contains(&page.string(*text))));
    let (content, menu) = (set(&["It rained.", "It poured.", "x"]), set(&["The end"]));
    let annotated = emit::annotated(&page, &[("content", &content), ("menu", &menu)]);
    assert!(annotated.starts_with("<div data-unchaff-text=\"content:0,1;menu:3\">"), "{annotated}");
    assert!(annotated.ends_with("<p data-unchaff-text=\"content:0\">x</p>"), "{annotated}");
    let again = Page::parse(annotated);
    for (name, nodes) in [("content", &content), ("menu", &menu), ("ads", &NodeSet::new(&page))] {
        let is_in: Vec<bool> = texts.iter().map(|text| nodes.contains(*text)).collect();
        assert_eq!(emit::marked_texts(&again, name), is_in, "{name}");
    }
}

#[test]
fn implied_elements_are_marked_by_writing_their_tags() {
    let page = Page::parse("text<table><tr><td>x</table></p><image>");
    let annotated = emit::annotated(&page, &[("content", &page.subtree_set(page.root()))]);
    let mark = r#" data-unchaff="content""#;
    let expected = format!(
        "<html{mark}><head{mark}><body{mark}>text<table{mark}><tbody{mark}><tr{mark}><td{mark}>x</table><p{mark}></p><image{mark}>"
    );
    assert_eq!(annotated, expected);
}

#[test]
fn marks_do_not_bring_back_white_space_that_the_standard_drops() {
    let page = Page::parse("\n  text<table> <td>x</table>");
    let annotated = emit::annotated(&page, &[("content", &page.subtree_set(page.root()))]);
    assert!(annotated.starts_with("\n  <html data-unchaff"), "{annotated}");
    let again = Page::parse(annotated);
    assert_eq!(again.text(again.root()), page.text(page.root()));
}

#[test]
fn several_blocks_give_several_words_and_other_charsets_a_byte_order_mark() {
    let page = Page::parse(&b"<meta charset=windows-1252><body><p>caf\xe9</p>"[..]);
    let all = page.subtree_set(page.body().unwrap());
    let annotated = emit::annotated(&page, &[("template", &all), ("menu", &all)]);
    assert_eq!(
        annotated,
        "\u{feff}<meta charset=windows-1252><body data-unchaff=\"template menu\"><p data-unchaff=\"template menu\">café</p>"
    );
    assert_eq!(Page::parse(annotated).text(page.root()), "café");
}

#[test]
fn hostile_pages_have_an_answer_in_bounded_time_and_memory() {
    let many = 50_000;
    let attributes: String = (0..many).map(|at| format!(" a{at}=1")).collect();
    let distinct: String = (0..20_000).map(|at| format!("<b id={at}><p>")).collect();
    let cases = [
        ("nested divs", "<div>".repeat(1_000_000), Some(Warning::Depth)),
        ("nested spans with text", "<span>x".repeat(many), Some(Warning::Depth)),
        ("misnested", "<b><table><form><i></b></form>".repeat(100_000), None),
        ("unclosed formatting", distinct, Some(Warning::Formatting)),
        ("closing tags", "</p></div></b></table>".repeat(many), None),
        ("only attributes", format!("<div{attributes}>x"), Some(Warning::Attributes)),
        ("bodies", "<body a=1 b=2>".repeat(many), None),
        ("nested tables", "<table><tr><td>".repeat(many), Some(Warning::Depth)),
        ("tables with text between", "<table>x<tr>y".repeat(many), None),
        ("nested lists", "<ul><li>".repeat(many), Some(Warning::Depth)),
        ("nested svg", "<svg><desc><math><mi>".repeat(many), Some(Warning::Depth)),
        ("nested templates", "<template>".repeat(many), Some(Warning::Depth)),
        ("selects", "<select><option>x".repeat(many), None),
        ("forms", "<form><div></form>".repeat(many), Some(Warning::Depth)),
        ("anchors", "<a href=x><div>".repeat(many), None),
        ("ignored end tags between text", "x</nothing>".repeat(many), None),
        ("open comment", format!("<p>x<!--{}", "<!--".repeat(many)), None),
        ("open script", format!("<p>x<script>{}", "</scr<!--".repeat(many)), None),
        ("nul bytes", "\0<p\0>".repeat(many), None),
        ("ampersands", "&am&#x".repeat(many), None),
        ("headings", "<h1><h2></h1>".repeat(many), None),
        ("nobr", "<nobr><div>".repeat(many), None),
        ("dd and dt", "<dl><dd><dt>".repeat(many), Some(Warning::Depth)),
        ("ruby", "<ruby><rt><rtc>".repeat(many), Some(Warning::Depth)),
        ("frames", "<frameset><frame>".repeat(many), None),
        ("custom elements", "<x-y></z-w>".repeat(many), Some(Warning::Depth)),
    ];
    for (what, html, warning) in cases {
        let size = html.len();
        let page = Page::parse(html);
        let all = page.subtree_set(page.root());
        let output = emit::text(&page, &all).len()
            + emit::markdown(&page, &all).len()
            + emit::annotated(&page, &[("content", &all)]).len();
        assert!(output < 60 * size + 1000, "{what}: {output}");
        assert!(page.len() <= size + 10_100, "{what}: {} nodes from {size} bytes", page.len());
        if let Some(warning) = warning {
            assert!(page.warnings().contains(&warning), "{what}: {:?}", page.warnings());
        }
    }
}

#[test]
fn limits_simplify_and_warn_but_keep_the_text() {
    let html = "<p>one <b>two</b> <script>no()</script><i>three</i>".repeat(50);
    let page = Parser::new().limits(Limits { nodes: 40, ..Limits::default() }).parse(html.clone());
    assert!(page.len() <= 60 && page.warnings() == [Warning::Nodes], "{}", page.len());
    assert_eq!(page.counts(page.root()).words, 150);
    let page = Parser::new().limits(Limits { bytes: 103, ..Limits::default() }).parse(html);
    assert!(page.source().len() <= 103 && page.warnings() == [Warning::Truncated]);
    let page = Parser::new().limits(Limits { depth: 10, ..Limits::default() }).parse("<div>a".repeat(30));
    assert_eq!(page.warnings(), [Warning::Depth]);
    assert!(page.nodes().all(|node| page.depth(node) <= 11));
    assert_eq!(page.text(page.root()), "a".repeat(30));
}

#[test]
fn a_frame_in_a_noscript_that_is_never_closed_does_not_swallow_the_page() {
    for unclosed in ["<iframe src=x />", "<style>a {}", "<textarea>"] {
        let page = Page::parse(format!("<p>Snow.<noscript>{unclosed}</noscript><p>It rained.</p><iframe></iframe>"));
        assert_eq!(page.warnings(), [Warning::UnclosedInNoscript], "{unclosed}");
        assert!(page.text(page.body().unwrap()).contains("It rained."), "{unclosed}");
    }
    let page = Page::parse("<noscript><iframe>a</noscript>b</iframe></noscript><p>It rained.</p>");
    assert_eq!(page.warnings(), [Warning::UnclosedInNoscript]);
    let page = Page::parse("<noscript><iframe></iframe></noscript><iframe></noscript></iframe><p>It rained.</p>");
    assert!(page.warnings().is_empty() && page.text(page.root()).contains("It rained."));
}

#[test]
fn a_title_that_is_never_closed_does_not_swallow_the_page() {
    let page = Page::parse("<head><title>News<body><p>It rained.</p>");
    assert_eq!(page.warnings(), [Warning::UnclosedTitle]);
    assert!(page.text(page.body().unwrap()).contains("It rained."));
    // Nor does an end tag whose name only starts like it close it.
    let page = Page::parse("<head><title>News<body><p>It rained.</p></titlevalue>");
    assert_eq!(page.warnings(), [Warning::UnclosedTitle]);
    assert!(page.text(page.body().unwrap()).contains("It rained."));
}
