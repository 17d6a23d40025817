use super::*;
use crate::Document;
use crate::emit::ranges;
use crate::select::Selector;

const PAGE: &str = "<!DOCTYPE html><html lang=en><head><title>Rain</title><meta http-equiv=refresh content=5><meta charset=latin1>\
    <style>p { color: red }</style><script>alert('head')</script></head>\
    <body onload='go()'><header>Site <b>name</b></header><nav id=menu><a href=/a>One</a> <a href=/b>Two</a></nav>\
    <div class=page id=page>bare before<main><p id=x onclick=\"steal()\">It <i>rained</i> &amp; rained.</p></main>bare after \
    <a href='java\nscript:x()'>run</a></div>\
    <table><tr><td>left</td><td>middle <em>kept</em></td><td>right</td></tr></table>\
    <noscript><img src=lazy.png alt=''></noscript><script src=x.js>if (a < b) c();</script>\
    <select><option>1</option></select><pre>\n\n  code</pre><footer>Imprint</footer></body></html>";

fn page() -> Page {
    Page::parse(PAGE)
}

fn select(page: &Page, selector: &str) -> Vec<NodeId> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn content(page: &Page) -> NodeSet {
    NodeSet::from_roots(page, select(page, "main, em"))
}

/// The words of the body that are not below one of the elements selected.
fn words_without(page: &Page, selector: &str) -> Vec<String> {
    let gone = NodeSet::from_roots(page, select(page, selector));
    let texts = page.descendants(page.body().unwrap()).filter(|node| page.tag(*node) == Tag::Text && !gone.contains(*node));
    texts.flat_map(|node| page.string(node).split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn words(page: &Page) -> Vec<String> {
    words_without(page, "no-such-element")
}

/// Nothing in a written page runs, reloads or forbids our style.
fn assert_inert(written: &str) {
    let page = Page::parse(written);
    for node in page.nodes().filter(|node| page.is_element(*node)) {
        let bad = page.attrs(node).find(|(name, value)| {
            name.starts_with("on")
                || *name == "srcdoc"
                || !name.starts_with("data-") && value.replace('\n', "").starts_with("javascript:")
        });
        assert_eq!(bad, None);
        if page.tag(node) == Tag::Script {
            assert_eq!(page.attr(node, "type"), Some("text/plain"));
            assert_eq!(page.attr(node, "src"), None);
        }
    }
    let policies = select(&page, "meta[http-equiv]");
    assert_eq!(policies.len(), 1, "ours alone");
    assert!(page.attr(policies[0], "content").unwrap().contains("script-src 'none'"));
    assert_eq!(page.attr(select(&page, "meta[charset]")[0], "charset"), Some("utf-8"));
}

#[test]
fn hidden_keeps_everything_and_shows_the_set_alone() {
    let page = page();
    let written = hidden(&page, &content(&page));
    assert_inert(&written);
    let again = Page::parse(written.as_str());
    assert_eq!(words_without(&again, "[data-unchaff-hidden]"), ["It", "rained", "&", "rained.", "kept"]);
    assert_eq!(words(&again), words(&page), "what is hidden is still there");
    // Cells stay cells, so that the table keeps its columns; bare text gets an element; what holds the set is not hidden.
    assert!(
        written.contains(
            "<td data-unchaff-hidden=\"\">left</td><td><span data-unchaff-hidden=\"\">middle </span><em>kept</em></td>"
        )
    );
    assert!(written.contains("<div class=\"page\" id=\"page\"><span data-unchaff-hidden=\"\">bare before</span><main>"));
    assert!(written.contains("<header data-unchaff-hidden=\"\">Site <b>name</b></header>"));
    assert!(written.contains("p { color: red }") && written.contains("{display:none!important}"));
}

#[test]
fn replaced_keeps_lengths_and_elements() {
    let page = page();
    for filler in [Filler::Blank, Filler::Character('x')] {
        let written = replaced(&page, &content(&page), filler);
        assert_inert(&written);
        let again = Page::parse(written.as_str());
        let characters = |page: &Page| page.text(page.body().unwrap()).trim_end_matches('\n').chars().count();
        assert_eq!(characters(&again), characters(&page));
        assert_eq!(again.counts(again.body().unwrap()).anchors, page.counts(page.body().unwrap()).anchors);
    }
    assert!(replaced(&page, &content(&page), Filler::Character('x')).contains("<header>xxxx <b>xxxx</b></header>"));
    assert!(replaced(&page, &content(&page), Filler::Blank).contains("<td>\u{a0}\u{a0}\u{a0}\u{a0}</td>"));
    assert!(replaced(&page, &content(&page), Filler::Ellipsis).contains("<div class=\"page\" id=\"page\">…<main>"));
    let placeholder = replaced(&page, &content(&page), Filler::Placeholder);
    assert!(placeholder.contains("[11 characters]<main>") && placeholder.contains("<option>[1 character]</option>"));
    assert!(placeholder.contains("It <i>rained</i> &amp; rained."));
}

#[test]
fn deleted_leaves_the_elements_and_the_text_of_the_set() {
    let page = page();
    let written = deleted(&page, &content(&page));
    assert_inert(&written);
    let again = Page::parse(written.as_str());
    assert_eq!(words(&again), ["It", "rained", "&", "rained.", "kept"]);
    assert!(written.contains("<nav id=\"menu\"><a href=\"/a\"></a> <a href=\"/b\"></a></nav>"));
    assert!(written.contains("<td></td><td><em>kept</em></td><td></td>"));
    assert!(written.contains("<title>Rain</title>"), "the head stays");
}

#[test]
fn restructured_has_every_word_once_in_the_new_order_and_no_identifier_twice() {
    let page = page();
    let menu = NodeSet::from_roots(&page, select(&page, "nav"));
    let written = restructured(&page, &content(&page), &menu);
    assert_inert(&written);
    let again = Page::parse(written.as_str());
    let new = words(&again);
    assert_eq!(new[..5], ["It", "rained", "&", "rained.", "kept"]);
    assert_eq!(new[new.len() - 2..], ["One", "Two"]);
    let sorted = |mut words: Vec<String>| {
        words.sort();
        words
    };
    assert_eq!(sorted(new), sorted(words(&page)));
    assert_eq!(select(&again, "#page").len(), 1);
    assert_eq!(select(&again, "body script").len(), 0, "scripts of the body go");
    let parts: Vec<&str> =
        select(&again, "[data-unchaff-part]").iter().map(|part| again.attr(*part, "data-unchaff-part").unwrap()).collect();
    assert_eq!(parts, ["first", "rest", "last"]);
}

#[test]
fn highlighted_marks_the_tops_of_blocks_and_bare_texts() {
    let page = page();
    let content = content(&page);
    let mut rest = page.subtree_set(select(&page, "#page")[0]);
    rest.difference(&content.with_ancestors(&page));
    let written = highlighted(&page, &[("content", &content), ("not-content", &rest)]);
    assert_inert(&written);
    assert_eq!(words(&Page::parse(written.as_str())), words(&page));
    assert!(written.contains("<main data-unchaff=\"content\"><p id=\"x\""));
    assert!(written.contains("<span data-unchaff=\"not-content\">bare before</span>"));
    assert!(written.contains("[data-unchaff~=content]{outline-color"));
}

#[test]
fn a_page_of_which_nothing_changes_parses_to_the_same_text() {
    for html in [
        PAGE,
        "<p>a<table>b<tr><td>c</table>d",
        "<svg><text>a</text></svg><plaintext>b</p>",
        "<frameset><frame src=a></frameset>",
        "",
    ] {
        let page = Page::parse(html);
        let all = page.subtree_set(page.root());
        for written in [hidden(&page, &all), replaced(&page, &all, Filler::Blank), deleted(&page, &all)] {
            let again = Page::parse(written.as_str());
            let text = |page: &Page| page.body().map(|body| page.text(body).trim_end().to_owned());
            assert_eq!(text(&again), text(&page), "{written}");
        }
    }
}

#[test]
fn the_address_is_known_to_a_written_page_and_standards_mode_is_the_page_s_own() {
    let document = Document { url: Some("https://example.org/news/1".to_owned()), ..Document::new("<base href=../img/><p>a") };
    let page = document.page();
    let written = deleted(&page, &NodeSet::new(&page));
    assert!(written.starts_with("<html><head>"), "a page without a doctype has none after");
    assert!(written.contains("<base href=\"https://example.org/img/\">"));
    assert!(deleted(&self::page(), &NodeSet::new(&page)).starts_with("<!DOCTYPE html>"));
}

#[test]
fn ranges_are_the_characters_of_the_source() {
    let html = "<p>Grüße <b>aus</b></p><p>Köln &amp; Bonn";
    let page = Page::parse(html);
    let found = ranges(&page, &page.subtree_set(page.root()));
    let piece = |(first, last): &(usize, usize)| html.chars().skip(first - 1).take(last - first + 1).collect::<String>();
    assert_eq!(found.iter().map(piece).collect::<Vec<_>>(), ["Grüße ", "aus", "Köln &amp; Bonn"]);
    assert!(ranges(&page, &NodeSet::new(&page)).is_empty());
}
