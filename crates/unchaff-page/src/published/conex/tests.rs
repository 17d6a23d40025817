//! Pages made by hand with what comes out for them, and what the switches do.

use super::*;
use proptest::prelude::*;
use unchaff_dom::select::Selector;

fn one_letter_words(number: usize) -> String {
    vec!["w"; number].join(" ")
}

/// A page made by hand, without white space between tags.
fn full_run() -> Page {
    Page::parse(format!(
        "<body><div id=\"wrap\"><div id=\"nav\"><ul><li><a>Home</a></li><li><a>News</a></li><li><a>Shop</a></li><li><a>About us</a></li></ul></div>\
         <div id=\"main\"><div id=\"content\"><h2>Big title here</h2><p>{}</p><p>{}</p><p>{}</p></div><div id=\"side\"><ul><li><a>One</a></li>\
         <li><a>Two</a></li></ul></div></div><div id=\"foot\"><p>Copyright notice</p></div></div></body>",
        one_letter_words(30),
        one_letter_words(20),
        one_letter_words(24)
    ))
}

fn find(page: &Page, selector: &str) -> NodeId {
    page.select(&Selector::parse(selector).unwrap()).next().unwrap()
}

fn content(page: &Page, params: Params) -> NodeSet {
    Conex::new(params).detect(page).blocks.remove(0).nodes
}

#[test]
fn d6_a_full_run_rates_and_selects_as_computed_by_hand() {
    let page = full_run();
    let analysis = Conex::default().analyse(&page);
    assert!(!analysis.wide_page);
    assert_eq!(analysis.rated.len(), 18);
    let expected = [
        ("#wrap", [19.916667, 0.166667, 1.0, 1.0], 4.1378),
        ("#nav", [0.0, 0.25, 0.0, 2.0], 2.1717),
        ("#nav ul", [0.0, 0.25, 1.0, 3.0], 2.9798),
        ("#nav li", [0.0, 1.0, 0.0, 3.0], 1.2584),
        ("#main", [25.666667, 0.5, 0.0, 2.0], 1.9510),
        ("#content", [38.5, 1.0, 1.0, 3.0], 3.3435),
        ("#content p", [30.0, 1.0, 0.0, 3.0], 1.9438),
        ("#content p + p", [20.0, 1.0, 0.0, 3.0], 1.3556),
        ("#content p + p + p", [24.0, 1.0, 0.0, 3.0], 1.5713),
        ("#side", [0.0, 0.5, 0.0, 3.0], 1.4014),
        ("#side ul", [0.0, 0.5, 0.0, 3.0], 1.4014),
        ("#side li", [0.0, 1.0, 0.0, 2.0], 1.4902),
        ("#foot", [1.0, 1.0, 0.0, 2.0], 1.4555),
        ("#foot p", [2.0, 1.0, 0.0, 3.0], 1.1795),
    ];
    for (selector, ratios, distance) in expected {
        let node = find(&page, selector);
        let rated = analysis.rated.iter().find(|rated| rated.node == node).unwrap();
        for (found, expected) in rated.ratios.iter().zip(ratios) {
            assert!((found - expected).abs() < 1e-6, "{selector}: {:?}", rated.ratios);
        }
        assert!((rated.distance - distance).abs() < 1e-4, "{selector}: {}", rated.distance);
    }
    assert_eq!(analysis.c_set, [find(&page, "#wrap"), find(&page, "#content"), find(&page, "#nav ul")]);
    assert_eq!(analysis.reduced, analysis.c_set);
    assert_eq!(analysis.roots, [find(&page, "#content")]);
    assert!(analysis.removed.is_empty());
}

#[test]
fn d7_a_page_as_wide_as_deep_is_content_as_a_whole() {
    let page = Page::parse("<body><h1>Title</h1><p>one two three</p><p>four</p><p>five<br></p>tail text</body>");
    let analysis = Conex::default().analyse(&page);
    assert!(analysis.wide_page);
    assert_eq!(analysis.roots.len(), 5);
    let off = Params { wide_page_rule: false, ..Params::default() };
    assert!(!Conex::new(off).analyse(&page).wide_page);
}

/// §6.2.2 lists the elements that are never rated; others can be named instead.
#[test]
fn which_elements_are_never_rated_can_be_said() {
    let page = Page::parse("<body><div><nav>one two<b>x</b></nav><my-box>three four five</my-box><x-y>six</x-y></div></body>");
    let rated = |excluded: &str| {
        let params = Params { excluded: excluded.to_owned(), wide_page_rule: false, ..Params::default() };
        let rated = Conex::new(params).analyse(&page).rated;
        rated.iter().map(|rated| page.name(rated.node).to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(rated(EXCLUDED), "div b my-box x-y");
    assert_eq!(rated("b MY-BOX"), "div nav x-y");
    assert_eq!(rated(""), "div nav b my-box x-y");
    // A page of sections is as wide as it is deep, unless they do not count.
    let page = Page::parse("<body><section>one</section><section>two</section></body>");
    let wide =
        |excluded: &str| Conex::new(Params { excluded: excluded.to_owned(), ..Params::default() }).analyse(&page).roots.len();
    assert_eq!(wide(EXCLUDED), 2);
}

#[test]
fn d8_nodes_that_repeat_an_ancestors_text_are_dropped() {
    let page = Page::parse("<body><div id=x><div id=y><p>same text</p></div> </div><div id=z>other</div></body>");
    let (x, y, z) = (find(&page, "#x"), find(&page, "#y"), find(&page, "#z"));
    assert_eq!(reduce(&page, &[y, x, z]), [x, z]);
    let page = Page::parse("<body><div id=x>same</div><div id=y>same</div></body>");
    let (x, y) = (find(&page, "#x"), find(&page, "#y"));
    assert_eq!(reduce(&page, &[x, y]), [x, y]);
}

#[test]
fn d9_the_densest_node_is_selected_with_its_siblings_and_ties() {
    let html = |x: usize, y: usize, z: usize| {
        let (x, y, z) = (one_letter_words(x), one_letter_words(y), one_letter_words(z));
        Page::parse(format!("<body><div><p id=x>{x}</p><p id=y>{y}</p></div><div><p id=z>{z}</p></div></body>"))
    };
    let select = |page: &Page| {
        let nodes = ["#x", "#y", "#z"].map(|selector| find(page, selector));
        let roots = Conex::default().select(page, &nodes);
        roots.iter().map(|root| page.attr(*root, "id").unwrap().to_owned()).collect::<String>()
    };
    assert_eq!(select(&html(10, 2, 6)), "xy");
    assert_eq!(select(&html(0, 0, 0)), "");
    let page = html(10, 2, 10);
    let (x, z) = (find(&page, "#x"), find(&page, "#z"));
    assert_eq!(Conex::default().select(&page, &[x, z]), [x, z]);
}

#[test]
fn d10_groups_of_short_links_are_removed_but_paragraphs_with_a_link_stay() {
    let page = Page::parse(
        "<body><div id=m><ul><li><a>Home</a></li><li><a>Section one page</a></li> <li><a>Here we are now</a></li></ul>\
         <p>text<a>x</a>text</p><p>text<a>y</a>text</p></div></body>",
    );
    let roots = [find(&page, "#m")];
    let removed =
        |params: Params| Conex::new(params).link_groups(&page, &roots).iter().map(|node| page.tag(*node)).collect::<Vec<_>>();
    assert_eq!(removed(Params::default()), [Tag::Li; 3]);
    let printed = Params { only_child: OnlyChild::Elements, ..Params::default() };
    assert_eq!(removed(printed), [Tag::Li, Tag::Li, Tag::Li, Tag::P, Tag::P]);
    assert!(removed(Params { max_words: 1, ..Params::default() }).is_empty());
    let page = Page::parse("<body><ul><li><a>a b c</a></li><li><a>d e f</a></li></ul></body>");
    assert!(Conex::default().link_groups(&page, &[find(&page, "ul")]).is_empty());
}

#[test]
fn switches_change_what_they_say() {
    let ratio = |html: &str, selector: &str, params: Params, axis: usize| {
        let page = Page::parse(html);
        let node = find(&page, selector);
        let params = Params { wide_page_rule: false, ..params };
        Conex::new(params).analyse(&page).rated.iter().find(|rated| rated.node == node).unwrap().ratios[axis]
    };
    // Link text by parent, as the formula has it, or by any ancestor, as the prose has it.
    let html = "<body><div id=x><a><span>one two</span></a></div></body>";
    assert!((ratio(html, "#x", Params::default(), 0) - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(ratio(html, "#x", Params { link_text: LinkText::Ancestor, ..Params::default() }, 0), 0.0);
    // White space counts as a child, or not.
    let html = "<body><ul id=x>\n<li>a</li>\n<li>b</li>\n</ul></body>";
    assert_eq!(ratio(html, "#x", Params::default(), 2), 1.0);
    assert_eq!(ratio(html, "#x", Params { child_count: ChildCount::Solid, ..Params::default() }, 2), 0.0);
    // An `a` without an address is a link, or not.
    let html = "<body><p id=x><a>1</a><a href=b>2</a><a>3</a></p></body>";
    assert!((ratio(html, "#x", Params::default(), 1) - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(ratio(html, "#x", Params { links: Links::Href, ..Params::default() }, 1), 1.0);
    // Chinese has one token here and seven words; text in noscript is not counted.
    let html = "<body><p id=x>今天下了一天雨<noscript>enable scripts</noscript></p></body>";
    assert_eq!(ratio(html, "#x", Params::default(), 0), 1.0);
    assert_eq!(ratio(html, "#x", Params { words: WordCount::Words, ..Params::default() }, 0), 7.0);
}

#[test]
fn d11_standardised_columns_have_mean_nothing_and_deviation_one() {
    let analysis = Conex::default().analyse(&full_run());
    let number = analysis.rated.len() as f64;
    for axis in 0..4 {
        let mean = analysis.rated.iter().map(|rated| rated.point[axis]).sum::<f64>() / number;
        let variance = analysis.rated.iter().map(|rated| rated.point[axis].powi(2)).sum::<f64>() / number;
        assert!(mean.abs() < 1e-9 && (variance - 1.0).abs() < 1e-9);
    }
}

#[test]
fn pages_without_text_or_body_have_an_answer() {
    for html in ["", "<frameset><frame></frameset>", "<body></body>", "<body><div><img></div></body>", "<p>one", "just text"] {
        let page = Page::parse(html);
        let nodes = content(&page, Params::default());
        assert!(nodes.len() <= page.len());
    }
    let page = Page::parse("<body><div><div><div><img><img><img></div></div></div></body>");
    assert!(content(&page, Params::default()).is_empty());
    assert!(!content(&page, Params { fallback: Fallback::Farthest, ..Params::default() }).is_empty());
}

proptest! {
    #[test]
    fn the_c_set_is_a_stable_sort_by_distance(distances in prop::collection::vec(0..6u8, 0..30), c in 1..10usize) {
        let rated: Vec<Rated> = distances.iter().enumerate()
            .map(|(at, distance)| Rated { node: NodeId(at as u32), ratios: [0.0; 4], point: [0.0; 4], distance: f64::from(*distance) })
            .collect();
        let mut sorted = rated.clone();
        sorted.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let expected: Vec<NodeId> = sorted.iter().take(c).map(|rated| rated.node).collect();
        prop_assert_eq!(c_set(&rated, c), expected);
    }

    #[test]
    fn the_result_is_part_of_the_body_and_the_same_every_time(words in prop::collection::vec("<(div|p|ul|li|a|span|b)>|</(div|p|ul|a)>|one two |three ", 0..60)) {
        let page = Page::parse(words.concat());
        let nodes = content(&page, Params::default());
        let body = page.body().unwrap();
        prop_assert!(nodes.iter().all(|node| page.is_ancestor(body, node)));
        prop_assert_eq!(&nodes, &content(&page, Params::default()));
    }
}
