use super::*;
use unchaff_dom::Parser;
use unchaff_dom::select::Selector;
use unchaff_site::carried_over::transfer::Transfer;

const WORDS: &[&str] =
    &["river", "bridge", "mayor", "harbour", "market", "winter", "station", "garden", "school", "theatre", "mountain", "island"];

fn prose(number: usize, paragraph: usize) -> String {
    (0..25)
        .map(|at| WORDS[(number * 7 + paragraph * 5 + at * (number + 3) + at * at) % WORDS.len()])
        .collect::<Vec<_>>()
        .join(" ")
}

/// Articles in one frame, of two to five paragraphs.
fn article(number: usize) -> Page {
    let menu: String = WORDS.iter().take(6).map(|word| format!("<li><a href=/{word}>Section {word}</a></li>")).collect();
    let text: String = (0..2 + number % 4).map(|paragraph| format!("<p>{}.</p>", prose(number, paragraph))).collect();
    let html = format!(
        "<title>{number}</title><body><header id=top><a class=logo href=/>The Daily</a><nav class=menu><ul>{menu}</ul></nav></header>\
         <article class=post><h1>About number {number}</h1>{text}</article>\
         <aside class=side><h3>Follow us</h3><ul><li><a href=https://a.example/>On A</a></ul></aside><footer><p>© The Daily. All rights reserved.</p></footer>"
    );
    Parser::new().url(&format!("https://example.org/{number}.html")).parse(html)
}

/// The same articles after a redesign.
fn redesigned(number: usize) -> Page {
    let text: String =
        (0..2 + number % 3).map(|paragraph| format!("<section><div>{}.</div></section>", prose(number, paragraph))).collect();
    let html = format!(
        "<title>{number}</title><body><div id=page><div id=bar><span><a href=/>Daily</a></span><span><a href=/new>New</a></span></div>\
         <div id=story><h2>Number {number}</h2>{text}</div><div id=end><small>All rights reserved.</small></div></div>"
    );
    Parser::new().url(&format!("https://example.org/new/{number}.html")).parse(html)
}

fn stream(options: StreamOptions) -> TemplateStream {
    TemplateStream::new(TemplateStore::in_memory().unwrap(), options)
}

fn alone(_: &Page) -> Option<Detection> {
    None
}

fn contains(page: &Page, detection: &Detection, kind: BlockKind, selector: &str) -> bool {
    let node = page.select(&Selector::parse(selector).unwrap()).next().unwrap();
    detection.nodes(kind).is_some_and(|nodes| nodes.contains(node))
}

#[test]
fn a_template_is_learned_from_its_first_pages_and_carried_over_to_the_rest() {
    let stream = stream(StreamOptions { ripe_pages: 4, ..StreamOptions::default() });
    for number in 0..12 {
        let page = article(number);
        let recognised = stream.process("example.org", &page, &alone).unwrap();
        let expected = match number {
            0 => Origin::Alone,
            1..4 => Origin::Learned,
            _ => Origin::Transferred,
        };
        assert_eq!(recognised.origin, expected, "{number}: {:?}", recognised.detection.notes);
        if number > 0 {
            let inside = |kind, selector| contains(&page, &recognised.detection, kind, selector);
            assert!(inside(BlockKind::Content, "article p") && !inside(BlockKind::Content, "nav a"), "{number}");
            assert!(inside(BlockKind::Template, "footer p") && !inside(BlockKind::Template, "article p:last-child"), "{number}");
            assert!(recognised.detection.nodes(BlockKind::Menu).is_some());
        }
    }
    let list = stream.finish().unwrap().list(None).unwrap();
    assert_eq!((list.len(), list[0].pages, list[0].ripe), (1, 12, true));
}

#[test]
fn what_a_teacher_says_is_carried_over_at_once() {
    let stream = stream(StreamOptions { trials: 0, ..StreamOptions::default() });
    let teach = |page: &Page| {
        let nodes = NodeSet::from_roots(page, page.select(&Selector::parse("article").unwrap()).next());
        Some(Detection::of(BlockKind::Content, nodes))
    };
    let first = stream.process("example.org", &article(0), &teach).unwrap();
    let page = article(7);
    let second = stream.process("example.org", &page, &|_| panic!("it is known")).unwrap();
    assert_eq!((first.origin, second.origin, first.template), (Origin::Taught, Origin::Transferred, second.template));
    assert!(contains(&page, &second.detection, BlockKind::Content, "article p:last-child"));
    // Other sites know nothing of it.
    assert_eq!(stream.process("example.com", &article(3), &alone).unwrap().origin, Origin::Alone);
}

#[test]
fn what_would_be_carried_over_is_tried_first_and_given_up_if_it_never_agrees() {
    let by = |selector: &str, page: &Page| {
        let selector = Selector::parse(selector).unwrap();
        Some(Detection::of(BlockKind::Content, NodeSet::from_roots(page, page.select(&selector).next())))
    };
    let stream = stream(StreamOptions { trials: 2, most_tries: 4, ..StreamOptions::default() });
    let origins = |site: &str, teach: &dyn Fn(&Page, usize) -> Option<Detection>| -> Vec<bool> {
        let process = |number| stream.process(site, &article(number), &|page| teach(page, number)).unwrap();
        (0..8).map(|number| process(number).origin == Origin::Transferred).collect()
    };
    assert_eq!(origins("a.example", &|page, _| by("article", page)), [false, false, false, true, true, true, true, true]);
    // The second page contradicts the first; from then on all agree.
    let first_wrong = |page: &Page, number: usize| by(if number == 0 { "aside" } else { "article" }, page);
    assert_eq!(origins("b.example", &first_wrong), [false, false, false, false, true, true, true, true]);
    let never = |page: &Page, number: usize| by(if number.is_multiple_of(2) { "aside" } else { "article" }, page);
    assert_eq!(origins("c.example", &never), [false; 8]);
    let list = stream.finish().unwrap().list(Some("c.example")).unwrap();
    assert_eq!((list.len(), list[0].pages, list[0].ripe), (1, 8, false));
}

#[test]
fn copies_of_a_page_prove_nothing() {
    let stream = stream(StreamOptions::default());
    let teach = |page: &Page| Some(stream.blocks().alone(page));
    let origin = |number| stream.process("example.org", &article(number), &teach).unwrap().origin;
    assert_eq!(
        [0, 0, 0, 4, 8].map(origin),
        [Origin::Taught, Origin::Taught, Origin::Taught, Origin::Taught, Origin::Transferred]
    );
}

/// T-30: after a redesign the old templates stop matching and are retired; the new ones take their place.
#[test]
fn after_a_redesign_old_templates_are_retired() {
    let options = StreamOptions { ripe_pages: 3, retire_after: 20, ..StreamOptions::default() };
    let stream = stream(options.clone());
    for number in 0..10 {
        stream.process("example.org", &article(number), &alone).unwrap();
    }
    let store = stream.finish().unwrap();
    assert!(store.list(None).unwrap().iter().all(|template| template.retired.is_none()));
    let stream = TemplateStream::new(store, options);
    for number in 0..30 {
        let recognised = stream.process("example.org", &redesigned(number), &alone).unwrap();
        assert_eq!(recognised.origin == Origin::Transferred, number >= 3, "{number}");
    }
    let list = stream.finish().unwrap().list(None).unwrap();
    assert_eq!(list.iter().map(|template| template.retired.is_some()).collect::<Vec<_>>(), [true, false]);
}

/// Whatever was looked at beforehand and how many pages at a time, the answers are those of one page after the other.
#[test]
fn looking_ahead_changes_no_answer() {
    let pages: Vec<Page> = (0..24).map(|number| if number % 3 == 2 { redesigned(number) } else { article(number) }).collect();
    let run = |batch: usize| {
        let stream = stream(StreamOptions { ripe_pages: 3, ..StreamOptions::default() });
        let mut answers = Vec::new();
        for pages in pages.chunks(batch) {
            let looks: Vec<Look> = pages.iter().map(|page| stream.look("example.org", page).unwrap()).collect();
            for (page, look) in pages.iter().zip(looks) {
                let recognised = stream.settle("example.org", page, look, &alone).unwrap();
                answers.push((recognised.template, recognised.origin, recognised.detection));
            }
            stream.flush().unwrap();
        }
        answers
    };
    assert_eq!(run(1), run(5));
    assert_eq!(run(1), run(24));
}

#[test]
fn pages_that_cannot_take_the_blocks_of_a_similar_one_stand_for_themselves() {
    let strict = Transfer { min_verified: 1.1, ..Transfer::default() };
    let stream = stream(StreamOptions { transfer: strict, trials: 0, ..StreamOptions::default() });
    let mut templates = Vec::new();
    for number in [0, 1, 2] {
        let recognised = stream.process("example.org", &article(number), &|page| Some(stream.blocks().alone(page))).unwrap();
        assert_eq!(recognised.origin, Origin::Taught);
        templates.extend(recognised.template);
    }
    templates.dedup();
    assert_eq!(templates.len(), 3);
    let list = stream.finish().unwrap().list(None).unwrap();
    assert_eq!(list.iter().map(|template| template.missed).sum::<u64>(), 3);
}

#[test]
fn huge_pages_and_odd_ones_are_answered_and_huge_ones_not_stored() {
    let stream = stream(StreamOptions { max_elements: 20, ..StreamOptions::default() });
    assert_eq!(stream.process("example.org", &article(1), &alone).unwrap().template, None);
    for html in ["", "<frameset><frame src=x></frameset>", "\u{0}", "<p>"] {
        stream.process("example.org", &Page::parse(html), &alone).unwrap();
    }
    let store = stream.finish().unwrap();
    let pages: u64 = store.connection().query_row("SELECT pages FROM site", [], |row| row.get(0)).unwrap();
    assert_eq!(pages, 5);
}
