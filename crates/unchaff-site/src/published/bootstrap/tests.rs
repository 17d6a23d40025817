use super::*;
use proptest::prelude::*;
use unchaff_dom::Parser;
use unchaff_dom::emit;
use unchaff_dom::site::LoadedSite;

/// Articles 0 to 3, the fourth of which says what the first does, and a list page 4, all linked from page 0.
fn site(pages: usize) -> LoadedSite {
    let texts = ["It rained all day.", "Then the sun came.", "Nobody knew why.", "Snow fell at night.", ""];
    LoadedSite::new((0..pages).map(|at| {
        let menu: String = (0..pages).map(|to| format!("<li><a href=/{to}>Section {to}</a></li>")).collect();
        let body = match at {
            4 => "<table><tr><td>1</td><th>2</th></tr></table><form><input><select></select><textarea></textarea></form><dl><dt>x<dd>y</dl>".to_owned(),
            _ => format!("<nav><ul>{menu}</ul></nav><article><h1>{at}</h1><p>{}</p></article><footer><p>All rights reserved.</p></footer>", texts[at]),
        };
        Parser::new().url(&format!("https://example.org/{at}")).parse(format!("<body>{body}</body>"))
    }))
}

fn text(site: &LoadedSite, params: Params) -> (String, Vec<String>) {
    let detection = Bootstrap::from(params).detect(site, PageId(0)).unwrap();
    let text = emit::text(&site.load(PageId(0)).unwrap(), detection.nodes(BlockKind::Content).unwrap());
    (text, detection.notes)
}

#[test]
fn linked_pages_of_the_same_structure_show_what_recurs() {
    let site = site(5);
    for detector in [Method::DfFilter, Method::Pagelets, Method::Contentextractor, Method::Learned] {
        let (text, notes) = text(&site, Params { detector, ..Params::default() });
        assert!(text.contains("It rained") && !text.contains("Section") && !text.contains("rights"), "{detector}: {text}");
        let account = "4 of 4 linked pages were loaded, and 3 of them share the structure of the page";
        assert!(notes.iter().any(|note| note == account), "{notes:?}");
    }
}

#[test]
fn loading_stops_at_the_limit_or_when_there_is_enough() {
    let gathered = |params: Params| {
        let site = site(5);
        let page = site.load(PageId(0)).unwrap();
        let gathering = Bootstrap::from(params).gather(&site, PageId(0), &page);
        (gathering.followed, gathering.set.len())
    };
    assert_eq!(gathered(Params::default()), (4, 4));
    assert_eq!(gathered(Params { loads: 2, ..Params::default() }), (2, 3));
    assert_eq!(gathered(Params { enough: 2, ..Params::default() }), (1, 2));
    assert_eq!(gathered(Params { threshold: 1.0, ..Params::default() }), (4, 5));
    assert_eq!(gathered(Params { threshold: 0.05, order: Order::Document, ..Params::default() }), (4, 4));
}

#[test]
fn a_page_with_too_few_like_it_is_judged_alone() {
    // Of two pages, the filter would keep nothing: every text is on more than a third of them.
    for pages in [1, 2] {
        let (text, notes) = text(&site(pages), Params { fallback: "lsi".to_owned(), ..Params::default() });
        assert!(text.contains("It rained"), "{text}");
        assert!(notes.iter().any(|note| note.contains("judged alone, by `lsi`")), "{notes:?}");
    }
    let (text, notes) = text(&site(1), Params { fallback: "temex".to_owned(), ..Params::default() });
    assert!(text.contains("It rained") && notes.iter().any(|note| note.contains("no page-level technique `temex`")));
}

#[test]
fn copies_do_not_raise_frequencies() {
    let page = |at: usize, text: &str| {
        let links: String = (0..6).map(|to| format!("<a href=/{to}></a>")).collect();
        Parser::new()
            .url(&format!("https://example.org/{at}"))
            .parse(format!("<!--{at}--><body><p>{text}</p><p>Same</p>{links}</body>"))
    };
    let texts = ["Rain", "Rain", "Rain", "Sun", "Snow", "Hail"];
    let site = LoadedSite::new(texts.iter().enumerate().map(|(at, text)| page(at, text)));
    assert_eq!(text(&site, Params::default()).0.trim(), "Rain");
    assert_eq!(text(&site, Params { copy: 2.0, ..Params::default() }).0.trim(), "");
}

#[test]
fn the_preset_learns_from_eight_pages() {
    let entry = crate::registry::find("bootstrap-learned").unwrap();
    let default = |name: &str| entry.parameters().into_iter().find(|known| known.name == name).unwrap().default;
    assert_eq!((default("detector"), default("enough")), ("learned".to_owned(), "8".to_owned()));
    assert_eq!(entry.default_technique().name(), entry.name);
}

proptest! {
    #[test]
    fn any_pages_have_an_answer_and_always_the_same(
        pages in prop::collection::vec("(<(div|p|a href=[0-3]|ul|li)>|</(div|p|ul|a)>|one |two ){0,25}", 1..5), enough in 0..3usize,
    ) {
        let site = LoadedSite::new(pages.iter().enumerate().map(|(at, html)| {
            Parser::new().url(&format!("https://example.org/{at}")).parse(html.as_str())
        }));
        for detector in [Method::DfFilter, Method::Infodiscoverer, Method::Learned] {
            let technique = Bootstrap::from(Params { detector, enough, fallback: "lsi".to_owned(), ..Params::default() });
            let detection = technique.detect(&site, PageId(0)).unwrap();
            prop_assert!(detection.nodes(BlockKind::Content).is_some());
            prop_assert_eq!(detection, technique.detect(&site, PageId(0)).unwrap());
        }
    }
}
