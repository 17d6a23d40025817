use super::*;
use proptest::prelude::*;
use unchaff_dom::select::Selector;

/// A page made by hand, without white space between tags.
fn full_rating() -> Page {
    Page::parse(format!(
        "<body><div id=\"top\"><h1>Site</h1><ul class=\"menu\"><li><a>Home</a></li><li><a>News</a></li><li><a>About</a></li>\
         <li><a>Help</a></li></ul></div><div id=\"main\"><p>{}</p><p>{}<a>more</a>{}</p></div></body>",
        "a".repeat(50),
        "b".repeat(30),
        "c".repeat(16)
    ))
}

fn find(page: &Page, selector: &str) -> NodeId {
    page.select(&Selector::parse(selector).unwrap()).next().unwrap()
}

/// The properties of the first node that a selector finds.
fn properties(html: &str, selector: &str, params: Params) -> [f64; 6] {
    let page = Page::parse(html);
    let node = find(&page, selector);
    params.rate(&page).iter().find(|rated| rated.node == node).unwrap().properties
}

#[test]
fn d1_d2_link_ratio_and_amplitude() {
    let ratio = |links: usize, others: usize| {
        let html = format!("<body><div>{}{}</div></body>", "<a></a>".repeat(links), "<i></i>".repeat(others));
        let [amplitude, link, ..] = properties(&html, "div", Params::default());
        (amplitude, (link * 1e6).round() / 1e6)
    };
    let vectors = [(0, 5, 0.0), (1, 3, 0.0), (2, 2, 1.0), (2, 4, 0.75), (2, 6, 0.666_667), (4, 12, 0.666_667), (10, 100, 0.55)];
    for (links, descendants, expected) in vectors {
        assert_eq!(ratio(links, descendants - links).1, expected);
    }
    for (children, expected) in [(1, 0.0), (2, 0.5), (4, 0.75), (10, 0.9)] {
        assert_eq!(ratio(0, children).0, expected);
    }
}

#[test]
fn d3_a_full_run_rates_and_selects_as_computed_by_hand() {
    let page = full_rating();
    let analysis = Menex::default().analyse(&page);
    let expected = [
        ("body", [0.5, 0.604_167, -9.0, 0.0, 0.0, 0.96], -0.479_792),
        ("#top", [0.5, 0.633_333, 0.6, 0.0, 0.0, 0.92], 0.471_667),
        ("h1", [0.0, 0.0, 0.6, 0.0, 0.0, 0.88], 0.28),
        ("ul", [0.75, 0.666_667, 1.0, 1.0, 1.0, 0.8], 0.858_333),
        ("li", [0.0, 0.0, 1.0, 0.0, 0.0, 0.76], 0.29),
        ("li + li + li + li", [0.0, 0.0, 1.0, 0.0, 0.0, 0.4], 0.2),
        ("li a", [0.0, 0.0, 1.0, 0.0, 0.0, 0.72], 0.28),
        ("#main", [0.5, 0.0, -8.6, 0.0, 0.0, 0.28], -0.64),
        ("p", [0.0, 0.0, -4.0, 0.0, 0.0, 0.24], -0.34),
        ("p + p", [0.666_667, 0.0, -3.6, 0.0, 0.0, 0.16], -0.12),
        ("p a", [0.0, 0.0, 1.0, 0.0, 0.0, 0.08], 0.12),
    ];
    assert_eq!(analysis.rated.len(), 16);
    for (selector, properties, weight) in expected {
        let node = find(&page, selector);
        let rated = analysis.rated.iter().find(|rated| rated.node == node).unwrap();
        let is_near = rated.properties.iter().zip(properties).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(is_near, "{selector}: {:?}", rated.properties);
        assert!((rated.weight - weight).abs() < 1e-6, "{selector}: {}", rated.weight);
    }
    let menu = find(&page, "ul");
    assert_eq!(analysis.candidates, [(menu, menu)]);
    assert_eq!(analysis.menu, Some(menu));
}

/// The root reached from `#cand`, with weights given by the attribute `w`.
fn climb(second: f64) -> String {
    let page = Page::parse(format!(
        "<body><div id=top><div id=dash w=.40><ul id=dark w=.85><li w=.80><ul id=cand w=.87><li>x</ul><li w={second}>x<li w=.80>x<li w=.50>x</ul></div>\
         <p w=.30>x</p></div></body>"
    ));
    let weighted = page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?)));
    let root = Weights::new(&page, weighted).root(find(&page, "#cand"), 0.9);
    page.attr(root, "id").unwrap().to_owned()
}

#[test]
fn d4_the_root_is_reached_through_a_majority_of_heavy_siblings() {
    assert_eq!(climb(0.79), "dark");
    assert_eq!(climb(0.70), "cand");
    let page = Page::parse("<body>x</body>");
    let body = page.body().unwrap();
    assert_eq!(Weights::new(&page, [(body, 1.0)].into_iter()).root(body, 0.9), body);
}

#[test]
fn d5_the_menu_has_the_heaviest_heavy_nodes() {
    let page = Page::parse(
        "<body><ul id=one w=.90><li>x</ul><ul id=two w=.60><li w=.95>x<li w=.97>x</ul><ul id=like w=.88><li>x</ul></body>",
    );
    let weighted = page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?)));
    let weights = Weights::new(&page, weighted);
    let [one, two, like] = ["#one", "#two", "#like"].map(|selector| find(&page, selector));
    for menu_scope in [Scope::Subtree, Scope::Descendants, Scope::Children] {
        let params = Params { menu_scope, ..Params::default() };
        assert_eq!(params.menu(&weights, &[(one, one), (two, two)], 1.0), Some(two));
    }
    let params = Params { menu_scope: Scope::Children, ..Params::default() };
    assert_eq!(params.menu(&weights, &[(like, like), (one, one)], 1.0), Some(one), "the root of the heaviest candidate");
    // Against the heaviest weight, even the light page has heavy nodes; against one (Alg. 2 as printed), it has none.
    assert_eq!(Params::default().menu(&weights, &[(like, like), (two, two)], 0.9), Some(two));
    let absolute = Params { menu_reference: Reference::One, menu_threshold: 0.99, ..Params::default() };
    assert_eq!(absolute.menu(&weights, &[(one, one), (two, two)], 0.9), Some(one));
}

/// §5.2.4 says once that the root with most heavy nodes wins; its algorithm says the heaviest on average.
#[test]
fn the_menu_can_be_the_root_with_most_heavy_nodes() {
    let page = Page::parse("<body><ul id=few><li w=.97>x</ul><ul id=many><li w=.90>x<li w=.91>x</ul></body>");
    let weighted = page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?)));
    let weights = Weights::new(&page, weighted);
    let [few, many] = ["#few", "#many"].map(|selector| find(&page, selector));
    let menu = |menu_by| Params { menu_by, ..Params::default() }.menu(&weights, &[(few, few), (many, many)], 1.0);
    assert_eq!((menu(MenuBy::Average), menu(MenuBy::Count)), (Some(few), Some(many)));
}

/// §5.2 in outline: a node gives way to an ancestor that is heavier. Alg. 1 asks for a majority of heavy siblings.
#[test]
fn the_root_can_be_the_heaviest_ancestor() {
    let page = Page::parse("<body><div id=top w=.7><ul id=menu w=.9><li id=item w=.8>x<li w=.1>x</ul></div></body>");
    let weighted = page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?)));
    let weights = Weights::new(&page, weighted);
    let [item, menu] = ["#item", "#menu"].map(|selector| find(&page, selector));
    assert_eq!((weights.root(item, 0.9), weights.heaviest_above(item)), (item, menu));
    assert_eq!(weights.heaviest_above(menu), menu);
}

/// §5.3.1 speaks of a threshold of 0.85, §5.2.2 of 0.85 of the heaviest weight.
#[test]
fn the_threshold_of_candidates_can_be_absolute() {
    let page = full_rating();
    let candidates = |candidate_factor, candidate_reference| {
        let params = Params { candidate_factor, candidate_reference, ..Params::default() };
        Menex::new(params).analyse(&page).candidates.len()
    };
    // The weights are 0.858 (the ul), 0.472, 0.29 and less.
    assert_eq!((candidates(0.54, Reference::MaxWeight), candidates(0.54, Reference::One)), (2, 1));
    assert_eq!(candidates(0.9, Reference::One), 1, "the heaviest is always one");
}

#[test]
fn switches_change_what_they_say() {
    // White space counts as a child, or not.
    let html = "<body><ul>\n<li>a</li>\n<li>b</li>\n<!-- c --></ul></body>";
    assert!((properties(html, "ul", Params::default())[0] - 5.0 / 6.0).abs() < 1e-9);
    assert_eq!(properties(html, "ul", Params { child_count: ChildCount::Solid, ..Params::default() })[0], 0.5);
    // An `a` without an address is a link, or not, with its text.
    let html = "<body><p><a>123</a><a href=b>4</a><a>5</a></p></body>";
    assert_eq!(properties(html, "p", Params::default())[1..3], [0.75, 1.0]);
    assert_eq!(properties(html, "p", Params { links: Links::Href, ..Params::default() })[1..3], [0.0, -1.0]);
    // The text ratio (Def. 5.2.1): three formulas, and none below 0.
    let html = format!("<body><p>{}</p><div>{}</div></body>", "a".repeat(36), "b".repeat(64));
    let text = |text_formula, clamp_text| properties(&html, "p", Params { text_formula, clamp_text, ..Params::default() })[2];
    assert!((text(TextFormula::RootOfPage, false) + 2.6).abs() < 1e-9);
    assert_eq!(text(TextFormula::RootOfPage, true), 0.0);
    assert!((text(TextFormula::Share, false) - 0.64).abs() < 1e-9);
    assert!((text(TextFormula::RootOfShare, false) - 0.4).abs() < 1e-9);
    // White space between tags and words is text, or not: 8 of 9 characters are.
    let html = "<body>\n\n<p>a</p>\n\n\n\n\n\n</body>";
    assert_eq!(properties(html, "body", Params::default())[2], 0.0);
    assert!((properties(html, "body", Params { white_space: true, ..Params::default() })[2] - (1.0 - 3.0)).abs() < 1e-9);
    // One of the classes, as we read the prose, or the whole attribute, as the formula has it; never a part of a name.
    let named = |html: &str, class_match| properties(html, "div", Params { class_match, ..Params::default() })[4];
    assert_eq!(named("<body><div class='x menu'>a</div></body>", ClassMatch::Tokens), 1.0);
    assert_eq!(named("<body><div class='x menu'>a</div></body>", ClassMatch::Equals), 0.0);
    assert_eq!(named("<body><div id=nav>a</div></body>", ClassMatch::Equals), 1.0);
    assert_eq!(named("<body><div class=main-menu id=navbar>a</div></body>", ClassMatch::Tokens), 0.0);
    // A node without links is a menu, or not: Def. 4.3.1 asks for two links, MenEx for none.
    let page = Page::parse("<body><ul class=menu><li>one<li>two</ul><p><a>1</a><a>2</a></p></body>");
    assert_eq!(Menex::default().analyse(&page).menu, Some(find(&page, "ul")));
    assert_eq!(Menex::new(Params { min_links: 2, ..Params::default() }).analyse(&page).menu, None);
}

proptest! {
    #[test]
    fn properties_and_weights_keep_their_bounds(words in prop::collection::vec("<(div|p|ul|li|nav|ul class=menu)>|<a href=x>|</(div|ul|a)>|one |two ", 0..60)) {
        let page = Page::parse(words.concat());
        let analysis = Menex::default().analyse(&page);
        for Rated { properties: [amplitude, link, text, ul, representative, position], weight, .. } in &analysis.rated {
            prop_assert!((0.0..1.0).contains(amplitude) && (0.0..1.0).contains(position) && *text <= 1.0);
            prop_assert!(*link == 0.0 || (*link > 0.5 && *link <= 1.0));
            // Ceilings that follow from the weights of Table 5.1.
            prop_assert!(*weight < 0.70 + 0.15 * ul + 0.15 * representative);
        }
        prop_assert_eq!(analysis.menu.is_none(), analysis.rated.is_empty());
        let Some(menu) = analysis.menu else { return Ok(()) };
        prop_assert!(analysis.candidates.iter().any(|(_, root)| *root == menu));
        prop_assert!(menu >= page.body().unwrap());
    }

    #[test]
    fn the_root_is_the_one_reached_by_counting_heavy_children_at_every_step(
        parts in prop::collection::vec("<(div|p|ul)( w=[0-9])?>|</(div|ul)>|x", 1..60), threshold in 0..12u8,
    ) {
        let page = Page::parse(parts.concat());
        let weighted: Vec<(NodeId, f64)> =
            page.nodes().filter_map(|node| Some((node, page.attr(node, "w")?.parse().ok()?))).collect();
        let weights = Weights::new(&page, weighted.iter().copied());
        let threshold = f64::from(threshold) / 10.0;
        for (candidate, weight) in &weighted {
            let bar = threshold * weight;
            let (mut root, mut current) = (*candidate, *candidate);
            while let Some(parent) = page.parent(current).filter(|_| Some(current) != page.body()) {
                let children = page.element_children(parent).count();
                let heavy = page.element_children(parent).filter(|child| weights.of(*child).is_some_and(|weight| weight > bar));
                if 2 * heavy.count() <= children {
                    break;
                }
                current = parent;
                if children > 1 {
                    root = parent;
                }
            }
            prop_assert_eq!(weights.root(*candidate, threshold), root);
        }
    }
}
