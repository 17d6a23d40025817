//! Tests of [TEI](super): what elements become, and that the result is what TEI P5 allows.

use crate::{BlockKind, Detection, Extraction, Page};

fn tei(html: &str) -> String {
    let page = Page::parse(html);
    let detection = Detection::of(BlockKind::Content, page.subtree_set(page.root()));
    Extraction::of(&page, BlockKind::Content, "test", detection).tei()
}

fn body(html: &str) -> String {
    let tei = tei(html);
    let start = tei.find("<body>\n").unwrap() + 7;
    tei[start..tei.find("</body>\n</text>").unwrap()].replace('\n', "")
}

#[test]
fn headings_open_divisions_by_their_levels() {
    assert_eq!(
        body("<p>a<h1>b</h1><p>c<h3>d</h3><p>e<h2>f</h2><p>g<h1>h</h1>"),
        "<p>a</p><div type=\"section\" n=\"1\"><head>b</head><p>c</p><div type=\"section\" n=\"3\"><head>d</head><p>e</p></div>\
         <div type=\"section\" n=\"2\"><head>f</head><p>g</p></div></div><div type=\"section\" n=\"1\"><head>h</head><p/></div>"
    );
    assert_eq!(body(""), "<p/>");
}

#[test]
fn every_element_gets_its_place() {
    let cases = [
        (
            "<ul><li>a<ul><li>b</ul></ul>",
            "<list rend=\"bulleted\"><item>a<list rend=\"bulleted\"><item>b</item></list></item></list>",
        ),
        (
            "<dl><dt>a<dt>b<dd>c<dd>d<dt>e</dl>",
            "<list type=\"gloss\"><label>a</label><item/><label>b</label><item>c</item><label/><item>d</item><label>e</label><item/></list>",
        ),
        (
            "<figure><a href=https://e.org/><img src=https://e.org/i></a></figure>",
            "<figure><graphic url=\"https://e.org/i\"/></figure><p/>",
        ),
        ("<dl><dt>a<dd>b</dl>", "<list type=\"gloss\"><label>a</label><item>b</item></list>"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td></table>",
            "<table><row><cell role=\"label\">a</cell><cell role=\"label\">b</cell></row><row><cell>c</cell><cell></cell></row></table>",
        ),
        (
            "<figure><img src=https://e.org/i alt='x &amp; y'><figcaption>c</figcaption></figure>",
            "<figure><graphic url=\"https://e.org/i\"/><figDesc>x &amp; y</figDesc><p>c</p></figure><p/>",
        ),
        (
            "<pre><code class=language-rust>a &lt; b</code></pre>",
            "<ab type=\"code\" xml:space=\"preserve\"><code lang=\"rust\">a &lt; b</code></ab>",
        ),
        (
            "<p>a<br><i>b</i> <a href='https://e.org/?a=1&amp;b'>c</a> 10<sup>6</sup>",
            "<p>a<lb/><hi rend=\"italic\">b</hi> <ref target=\"https://e.org/?a=1&amp;b\">c</ref> 10<hi rend=\"superscript\">6</hi></p>",
        ),
        ("<blockquote><p>a<h2>b</h2></blockquote>", "<quote><p>a</p><ab type=\"head\">b</ab></quote>"),
        (
            "<math><semantics><mi>x</mi><annotation encoding=application/x-tex>x^2</annotation></semantics></math>",
            "<p><formula notation=\"TeX\">x^2</formula></p>",
        ),
        ("<p>a\u{1}b\u{ffff}", "<p>ab</p>"),
    ];
    for (html, expected) in cases {
        assert_eq!(body(html), expected, "{html}");
    }
}

/// What may stand in an element, as P5 has it: other elements, and whether text. `#phrase` and `#block` stand for groups.
fn allowed(name: &str) -> (&'static str, bool) {
    const PHRASE: &str = " hi ref code term abbr q del add date seg lb formula figure milestone ";
    const INTER: &str = " hi ref code term abbr q del add date seg lb formula figure milestone list quote table floatingText ";
    const ALL: &str = " hi ref code term abbr q del add date seg lb formula figure milestone list quote table floatingText p ab ";
    match name {
        "TEI" => (" teiHeader text ", false),
        "teiHeader" => (" fileDesc encodingDesc profileDesc revisionDesc ", false),
        "fileDesc" => (" titleStmt publicationStmt sourceDesc ", false),
        "titleStmt" => (" title author ", false),
        "publicationStmt" => (" publisher availability date ", false),
        "availability" => (" licence ", false),
        "licence" | "abstract" => (" p ", false),
        "sourceDesc" => (" bibl ", false),
        "bibl" => (" title ref ", false),
        "encodingDesc" => (" appInfo ", false),
        "appInfo" => (" application ", false),
        "application" => (" label ", false),
        "profileDesc" => (" abstract langUsage textClass ", false),
        "langUsage" => (" language ", false),
        "textClass" => (" keywords ", false),
        "keywords" => (" term ", false),
        "revisionDesc" => (" change ", false),
        "text" | "floatingText" => (" body ", false),
        "body" | "div" => (" head div p ab list quote table floatingText figure milestone lb ", false),
        "p" | "head" | "hi" | "ref" | "del" | "add" | "seg" => (INTER, true),
        "ab" => (INTER, true),
        "item" | "cell" | "q" => (ALL, true),
        "quote" => (ALL, true),
        "label" | "term" | "abbr" | "date" => (PHRASE, true),
        "figure" => (" graphic figDesc p ab list quote table floatingText head milestone formula lb figure ", false),
        "list" => (" item label ", false),
        "table" => (" head row ", false),
        "row" => (" cell ", false),
        "lb" | "milestone" | "graphic" => ("", false),
        _ => ("", true),
    }
}

/// Reads XML as strictly as its standard: every tag is closed where it should be, and every element holds what it may.
fn check(tei: &str) {
    let mut open: Vec<(String, Vec<String>)> = Vec::new();
    let mut ids = std::collections::HashSet::new();
    let mut rest = tei.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        let is_blank = text.trim().is_empty();
        match open.last() {
            Some((name, _)) => assert!(is_blank || allowed(name).1, "text in {name}: {text:?}\n{tei}"),
            None => assert!(is_blank, "{text:?}\n{tei}"),
        }
        assert!(!text.contains('>'), "{text:?}");
        for entity in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;", "#13;"].iter().any(|known| entity.starts_with(known)), "{entity:?}");
        }
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let (last, children) = open.pop().unwrap();
            assert_eq!(last, name, "{tei}");
            let count = |child: &str| children.iter().filter(|own| *own == child).count();
            let first_division = children.iter().position(|child| child == "div").unwrap_or(children.len());
            match name {
                "div" | "body" => {
                    assert!(children[first_division..].iter().all(|child| child == "div"), "{children:?}\n{tei}");
                    let held = children.iter().any(|child| !matches!(child.as_str(), "head" | "figure" | "milestone" | "lb"));
                    assert!(held, "{name} with {children:?}\n{tei}");
                }
                "list" if count("label") > 0 => {
                    assert!(children.chunks(2).all(|pair| pair == ["label", "item"]), "{children:?}\n{tei}");
                }
                "list" | "table" | "row" => assert!(!children.is_empty(), "{name} is empty\n{tei}"),
                _ => {}
            }
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap().to_owned();
        if let Some(id) = tag.split("xml:id=\"").nth(1) {
            assert!(ids.insert(id.split('"').next().unwrap().to_owned()), "{tag} twice\n{tei}");
        }
        if let Some((above, children)) = open.last_mut() {
            assert!(allowed(above).0.contains(&format!(" {name} ")), "{name} in {above}\n{tei}");
            children.push(name.clone());
        }
        if !tag.ends_with('/') {
            open.push((name, Vec::new()));
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
}

#[test]
fn running_text_holds_no_blocks_and_code_nothing_but_text() {
    let cases = [
        ("<p>x <code>a <b>b</b></code>", "<p>x <code>a b</code></p>"),
        ("<details><summary><h3>a</h3></summary><p>b</details>", "<hi rend=\"head\">a</hi>"),
        ("<dl><dt><h3>a</h3><p>b<dd>c</dl>", "<item>c</item>"),
        ("<dl><dt><pre>a <dt>b</pre></dl>", "<list type=\"gloss\">"),
    ];
    for (html, expected) in cases {
        let tei = tei(html);
        check(&tei);
        assert!(tei.contains(expected), "{tei}");
    }
}

#[test]
fn pages_of_our_own_are_valid() {
    macro_rules! pages {
        ($($name:literal)*) => { [$(include_str!(concat!("../../../../suite/markdown/", $name, ".html"))),*] };
    }
    for html in pages!["code" "definitions" "figures" "footnotes" "formulas" "lists" "quotes" "recipe" "ruby" "tables" "thread"] {
        check(&tei(html));
        check(&crate::Extractor::new().extract(&Page::parse(html)).tei());
    }
}

proptest::proptest! {
    #[test]
    fn any_page_is_valid(
        parts in proptest::collection::vec("<(div|p|ul|ol|li|dl|dt|dd|a href=x|b|code|pre|br|hr|td|tr|table|caption|h1|h3|figure|figcaption|img src=y alt=z|blockquote|details|summary|q|ruby|rt|math|time|sup)( id=i)?>|</(div|p|ul|a|b|table|dl|figure|pre|code)>|one, |two & <3 ", 0..60),
    ) {
        check(&tei(&parts.concat()));
    }
}

#[test]
fn the_header_says_what_the_page_says_about_itself() {
    let html = "<html lang=en><title>Rain &amp; sun</title><meta name=author content='Ann Lee'><meta name=keywords content='rain, sun'>\
        <meta property=article:published_time content=2021-03-20><p>a";
    let tei = tei(html);
    for expected in [
        "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\" xml:lang=\"en\">",
        "<title>Rain &amp; sun</title>\n<author>Ann Lee</author>",
        "<date when=\"2021-03-20\">2021-03-20</date>",
        "<term>rain</term>",
    ] {
        assert!(tei.contains(expected), "{expected}\n{tei}");
    }
    assert!(super::is_date("2024-03-03T10:00:00Z") && super::is_date("2024-03-03T10:00:00+02:00"));
    assert!(!super::is_date("2024-03-03T10:00") && !super::is_date("yesterday"));
}
