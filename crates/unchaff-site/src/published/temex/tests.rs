//! Votes on published examples and on some made by hand, and TemEx on small sites.

use super::*;
use crate::candidates::choice::Selector;
use crate::mapping::sibling_pairing::PairingOption;
use crate::mapping::votes::{Aggregation, FewPages, best_votes};
use proptest::prelude::*;
use unchaff_dom::Parser;
use unchaff_dom::site::LoadedSite;

fn count(params: &Params, key: &Page, pages: &[Page]) -> Tally {
    Tally::count(key, NodeSet::new(key), pages, &params.equality, &params.pairing, params.voting.aggregation)
}

/// Names or classes of the elements with so many votes.
fn template(params: &Params, key: &str, pages: &[&str], votes: u32) -> String {
    let key = Page::parse(key);
    let pages: Vec<Page> = pages.iter().map(|page| Page::parse(*page)).collect();
    let voting = Voting { votes, few_pages: FewPages::Same, ..params.voting.clone() };
    let nodes = count(params, &key, &pages).template(&key, &voting, pages.len());
    let elements = nodes.iter().filter(|node| key.is_element(*node));
    elements.map(|node| key.attr(node, "class").unwrap_or(key.name(node)).to_owned()).collect::<Vec<_>>().join(" ")
}

/// After Alarte 2023, Example 9.2.3, with equality by tag alone.
#[test]
fn pages_that_share_different_parts_both_contribute() {
    let params = Params { equality: Equality::label_only(), ..Params::default() };
    let key = "<body><div><a></a><a></a></div><ul><li></li></ul><p>text</p>";
    let pages = ["<body><div><a></a><a></a></div>", "<body><ul><li></li></ul>"];
    assert_eq!(template(&params, key, &pages, 2), "body");
    assert_eq!(template(&params, key, &pages, 1), "body div a a ul li");
}

fn page_of(paragraphs: usize) -> String {
    let menu = "<li><a href=x>menu</a></li>".repeat(3);
    let text = "<p>text</p>".repeat(paragraphs);
    format!("<body><nav id=n><ul>{menu}</ul></nav><div id=c class=content>{text}</div><footer class=foot>foot</footer></body>")
}

/// Text is not compared, so that paragraphs are taken for template.
#[test]
fn votes_of_the_constructed_page() {
    let key = Page::parse(page_of(5));
    let pages = [2, 9, 3].map(|paragraphs| Page::parse(page_of(paragraphs)));
    let tally = count(&Params::default(), &key, &pages);
    let votes = |name: &str| {
        key.nodes().filter(|node| key.name(*node) == name).map(|node| tally.occurrences[node.index()]).collect::<Vec<_>>()
    };
    assert_eq!(votes("p"), [3, 3, 2, 1, 1]);
    assert_eq!([votes("body"), votes("nav"), votes("div"), votes("footer")].concat(), [3; 4]);
    assert_eq!(tally.template(&key, &Voting::default(), 3).len(), 21);
}

/// The first pages are after Alarte, Insa, Silva, Tamarit 2016, Example 2; the others are made by hand.
#[test]
fn votes_intersection_and_few_pages() {
    let m14 = Params::m14();
    let key = "<body><div class=hd></div><div class=art></div><div class=ft></div>";
    let pages = ["<body><div class=hd></div><div class=list></div>", "<body><div class=gal></div><div class=ft></div>"];
    assert_eq!(template(&m14, key, &pages, 1), "body hd ft");
    assert_eq!(template(&m14, key, &pages, 2), "body");
    let key = "<body><div><p class=x></p></div>";
    let pages = ["<body><div><p class=y></p></div>", "<body><div><div class=x></div></div>"];
    assert_eq!(template(&m14, key, &pages, 2), "body div");
    assert_eq!(template(&Params::m14_listing(), key, &pages, 2), "body");
    let key = Page::parse("<body><p>text</p>");
    let tally = count(&Params::default(), &key, &[Page::parse("<body><p>text</p>")]);
    let found = |few_pages, copies_raise_votes| {
        tally.template(&key, &Voting { few_pages, copies_raise_votes, ..Voting::default() }, 3).len()
    };
    assert_eq!([found(FewPages::Same, false), found(FewPages::AllOfThem, false), found(FewPages::Best, false)], [0, 3, 3]);
    assert_eq!(found(FewPages::AllOfThem, true), 0, "a copy of the page says nothing about its template");
}

/// Alarte 2023, Table 8.4.
#[test]
fn the_best_number_of_votes() {
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(best_votes), [1, 2, 2, 2, 3, 3, 4, 4]);
    assert_eq!([best_votes(0), best_votes(11)], [1, 6]);
}

#[test]
fn elements_whose_own_text_differs_are_no_template_if_asked_for() {
    let params = Params { voting: Voting { own_text: true, ..Voting::default() }, ..Params::default() };
    let page =
        |text: &str| format!("<body><div><ul><li>Home</li></ul></div><main><p>{text}</p><p>{text} again</p></main><img src=x>");
    let (one, two) = (page("one"), page("two"));
    assert_eq!(template(&params, &page("key"), &[&one, &two], 2), "body div ul li img");
    assert_eq!(template(&Params::default(), &page("key"), &[&one, &two], 2), "body div ul li main p p img");
}

/// A site of three sections whose pages all have the menu; the last page is linked from none.
fn small_site() -> LoadedSite {
    let page = |url: &str, text: &str| {
        let menu: String = ["/", "/a/", "/b/", "/c/"].map(|link| format!("<li><a href={link}>menu</a></li>")).concat();
        let html = format!("<body><ul>{menu}</ul><div class=text>{text}</div></body>");
        Parser::new().url(&format!("https://example.org{url}")).parse(html)
    };
    LoadedSite::new([
        page("/a/article.html", "<h1>Article</h1><p>one</p><p>two</p><table><tr><td>three</table>"),
        page("/", ""),
        page("/a/", "<em>a</em>"),
        page("/b/", "<em>b</em>"),
        page("/c/", "<em>c</em>"),
        page("/lonely", "never loaded"),
    ])
}

#[test]
fn the_template_of_a_small_site() {
    let site = small_site();
    let technique = Temex::from(Params::default());
    let detection = technique.detect(&site, PageId(0)).unwrap();
    assert!(detection.notes.is_empty(), "{:?}", detection.notes);
    assert_eq!(site.loads(), 4);
    let page = site.load(PageId(0)).unwrap();
    let nodes = detection.nodes(BlockKind::Template).unwrap();
    let names: Vec<&str> = nodes.iter().filter(|node| page.is_element(*node)).map(|node| page.name(node)).collect();
    assert_eq!(names, "body ul li a li a li a li a div".split(' ').collect::<Vec<_>>());
    let explanation = technique.explain(&site, PageId(0)).unwrap();
    assert!(
        explanation.notes[0].contains("https://example.org/a/ (hyperlink distance +0, DOM distance none), compared with"),
        "{:?}",
        explanation.notes
    );
    assert!(explanation.notes[1].contains("hyperlink distance -1"));
    assert!(explanation.notes.iter().any(|note| note.starts_with("4 pages loaded")));
    assert_eq!(explanation.rows[0].values[0], 3.0);
}

#[test]
fn every_selector_finds_pages_and_a_site_that_is_of_no_help_is_told() {
    for selector in [Selector::Cs, Selector::MenuFirst, Selector::Menu, Selector::Directory, Selector::First, Selector::Random] {
        let site = small_site();
        let candidates = Candidates { selector, n: 1, ..Candidates::default() };
        let detection = Temex::from(Params { candidates, ..Params::default() }).detect(&site, PageId(0)).unwrap();
        assert!(detection.notes.is_empty(), "{selector}: {:?}", detection.notes);
        assert_eq!(site.loads(), 2, "{selector}");
    }
    let notes = |selector, n, max_loads| {
        let candidates = Candidates { selector, n, max_loads, ..Candidates::default() };
        Temex::from(Params { candidates, ..Params::default() }).detect(&small_site(), PageId(0)).unwrap().notes.join("; ")
    };
    assert!(notes(Selector::NotMenu, 3, 0).contains("links to no other page"));
    assert!(notes(Selector::Cs, 9, 0).contains("only 4 of 9"));
    assert!(notes(Selector::Cs, 9, 3).contains("max_loads"));
    let alone = LoadedSite::new([Parser::new().url("https://example.org/").parse("<p>text")]);
    let detection = Temex::from(Params::default()).detect(&alone, PageId(0)).unwrap();
    assert!(detection.nodes(BlockKind::Template).unwrap().is_empty());
    assert!(detection.notes[0].contains("nothing to compare"));
    let unlike = LoadedSite::new([
        Parser::new().url("https://example.org/").parse("<body a b c><a href=/b>b</a>"),
        Parser::new().url("https://example.org/b").parse("<body><p>text"),
    ]);
    let detection = Temex::from(Params::default()).detect(&unlike, PageId(0)).unwrap();
    assert!(detection.notes.iter().any(|note| note.contains("https://example.org/b is unlike")), "{:?}", detection.notes);
}

/// A section has its menu under the heading, elsewhere it stands above it: from the top down, it is not found.
#[test]
fn parts_that_stand_elsewhere_can_be_found() {
    let menu: String = ["/", "/a/", "/b/", "/c/"].map(|link| format!("<li><a href={link}>{link}</a></li>")).concat();
    let page = |url: &str, html: &str| Parser::new().url(&format!("https://example.org{url}")).parse(html);
    let of = |url: &str| page(url, &format!("<body><table><tr><td><ul>{menu}</ul></table><div><p>text of {url}</div></body>"));
    let key = page("/a/1.html", &format!("<body><div><h1>Title</h1><section><ul>{menu}</ul></section><p>own text</div></body>"));
    let site = LoadedSite::new([key, of("/"), of("/a/"), of("/b/"), of("/c/")]);
    let page = site.load(PageId(0)).unwrap();
    let found = |moved| {
        let params = Params { announced: Announced { moved, ..Announced::default() }, ..Params::default() };
        let detection = Temex::from(params).detect(&site, PageId(0)).unwrap();
        let nodes = detection.nodes(BlockKind::Template).unwrap();
        let names: Vec<&str> = nodes.iter().filter(|node| page.is_element(*node)).map(|node| page.name(node)).collect();
        (names.join(" "), detection.notes)
    };
    assert_eq!(found(0).0, "body div p");
    let (names, notes) = found(5);
    assert_eq!(names, "body div section ul li a li a li a li a p");
    assert_eq!(notes, ["1 parts stand in another place on other pages"]);
    assert_eq!(found(50).0, "body div p", "the list has 13 nodes");
}

/// Three pages have the frame of the page, the first one that is found has not.
#[test]
fn a_page_unlike_the_others_can_be_replaced() {
    let menu: String = ["/a/", "/b/", "/c/", "/d/"].map(|link| format!("<li><a href={link}>{link}</a></li>")).concat();
    let page = |url: &str, html: String| Parser::new().url(&format!("https://example.org{url}")).parse(html);
    let of = |url: &str| {
        page(
            url,
            format!("<body><ul>{menu}</ul><form><input><input><b>Search</b></form><footer><i>End</i></footer><p>{url}</body>"),
        )
    };
    let odd = page("/a/", format!("<body><ul>{menu}</ul></body>"));
    let site = LoadedSite::new([of("/"), odd, of("/b/"), of("/c/"), of("/d/")]);
    let votes = |atypical| {
        let params = Params { announced: Announced { atypical, ..Announced::default() }, ..Params::default() };
        let technique = Temex::from(params);
        let explanation = technique.explain(&site, PageId(0)).unwrap();
        let key = site.load(PageId(0)).unwrap();
        let footer = explanation.rows.iter().find(|row| key.name(row.node) == "footer").unwrap();
        (footer.values[0], technique.detect(&site, PageId(0)).unwrap().notes)
    };
    assert_eq!(votes(0.0), (2.0, vec![]));
    assert_eq!(votes(0.3), (3.0, vec!["https://example.org/a/ lacks what the other pages share, and was replaced".to_owned()]));
    assert_eq!(votes(0.9).0, 2.0);
}

/// The menu's pages come first, then the others in order; with enough of them, nothing else is loaded.
#[test]
fn links_of_the_menu_can_come_first() {
    let links = |targets: &[&str]| targets.iter().map(|to| format!("<li><a href={to}>x</a>")).collect::<String>();
    let menu = ["/m/1", "/m/2", "/m/3"];
    let page = |url: &str| {
        let own = if url == "/n/key" { links(&["/n/1", "/n/2", "/n/3"]) } else { String::new() };
        let html = format!(
            "<body><ul class=menu>{}</ul><div><p>Text that stands before the list, at some length.</p><ol>{own}</ol></div>",
            links(&menu)
        );
        Parser::new().url(&format!("https://example.org{url}")).parse(html)
    };
    let urls = ["/n/key", "/n/1", "/n/2", "/n/3", "/m/1", "/m/2", "/m/3"];
    let selected = |selector| {
        let site = LoadedSite::new(urls.map(page));
        let key = site.load(PageId(0)).unwrap();
        let selection = Candidates { selector, ..Candidates::default() }.select(&site, PageId(0), &key);
        (selection.search.loads(), selection.pages.len(), selection.links.len())
    };
    assert_eq!(selected(Selector::Cs), (7, 3, 6));
    assert_eq!(selected(Selector::MenuFirst), (4, 3, 6));
    assert_eq!(selected(Selector::Menu), (4, 3, 3));
}

/// After Alarte 2023, Example 7.2.3: from an article, the pages of its section come before those of the main menu.
#[test]
fn an_article_is_compared_with_its_section() {
    let (black, grey) = (["/", "/a/", "/b/"], ["/a/x/", "/a/y/", "/a/z/"]);
    let page = |url: &str| {
        let link = |to: &&str| format!("<li><a href={to}>{to}</a></li>");
        let own: String = if url.starts_with("/a/") { grey.iter().map(link).collect() } else { String::new() };
        let html = format!("<body><ul>{}</ul><ol>{own}</ol>", black.iter().map(link).collect::<String>());
        Parser::new().url(&format!("https://example.org{url}")).parse(html)
    };
    let site = LoadedSite::new(["/a/x/1.html"].iter().chain(&black).chain(&grey).map(|url| page(url)));
    let key = site.load(PageId(0)).unwrap();
    let selection = Candidates::default().select(&site, PageId(0), &key);
    let paths: Vec<String> = selection.links.iter().map(|link| site.url(link.page).path().to_owned()).collect();
    assert_eq!(paths[0], "/a/x/");
    assert_eq!(selection.links.iter().map(|link| link.hyperlink_distance).collect::<Vec<_>>(), [0, -1, -1, -1, -2, -2]);
    assert_eq!(selection.pages.len(), 3);
    assert_eq!(selection.search.loads(), 4);
}

fn some_page() -> impl Strategy<Value = Page> {
    let pieces =
        prop::sample::select(vec!["<div>", "<div class=a>", "</div>", "<ul>", "<li>", "</ul>", "text ", "other ", "<b>", "</b>"]);
    prop::collection::vec(pieces, 0..30).prop_map(|pieces| Page::parse(format!("<body>{}", pieces.concat())))
}

proptest! {
    /// Counting equals the union over all subsets (Alarte 2023, Algorithm 10), and more votes give less template.
    #[test]
    fn counting_votes_equals_uniting_subsets(key in some_page(), pages in prop::collection::vec(some_page(), 3)) {
        let params = Params { pairing: Pairing { option: PairingOption::Static, ..Pairing::default() }, ..Params::default() };
        let tally = count(&params, &key, &pages);
        let alone: Vec<Tally> = pages.iter().map(|page| count(&params, &key, std::slice::from_ref(page))).collect();
        let template = |votes| tally.template(&key, &Voting { votes, ..Voting::default() }, 3);
        for votes in 1..=3u32 {
            let subsets = (0u32..8).filter(|subset| subset.count_ones() == votes);
            let mut united = NodeSet::new(&key);
            for subset in subsets {
                let members = || alone.iter().enumerate().filter(move |(at, _)| subset >> at & 1 == 1);
                key.nodes().filter(|node| members().all(|(_, tally)| tally.occurrences[node.index()] == 1)).for_each(|node| united.insert(node));
            }
            prop_assert_eq!(&template(votes), &united);
            let mut more = template(votes + 1);
            more.difference(&united);
            prop_assert!(more.is_empty());
        }
        for node in key.descendants(key.body().unwrap()) {
            prop_assert!(tally.occurrences[key.parent(node).unwrap().index()] >= tally.occurrences[node.index()]);
        }
        let all = Voting { aggregation: Aggregation::IntersectAll, ..Voting::default() };
        let count = |pages: &[Page]| {
            Tally::count(&key, NodeSet::new(&key), pages, &params.equality, &params.pairing, all.aggregation)
        };
        // Page upon page takes away what it does not have, and brings nothing back.
        let (fewer, more) = (count(&pages[..2]), count(&pages));
        if fewer.voters() > 0 {
            let mut more = more.template(&key, &all, 3);
            more.difference(&fewer.template(&key, &all, 3));
            prop_assert!(more.is_empty());
        }
    }
}
