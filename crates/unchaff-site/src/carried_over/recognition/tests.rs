use super::*;
use crate::carried_over::memory_templates::MemoryTemplates;
use unchaff_dom::select::Selector;
use unchaff_dom::{NodeId, NodeSet, Parser};

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
         <article id=story><h2>Number {number}</h2>{text}</article><div id=end><small>All rights reserved.</small></div></div>"
    );
    Parser::new().url(&format!("https://example.org/new/{number}.html")).parse(html)
}

fn recognition(options: StreamOptions) -> Recognition<MemoryTemplates> {
    Recognition::new(MemoryTemplates::new(), "test", options)
}

fn first(page: &Page, selector: &str) -> Vec<NodeId> {
    page.select(&Selector::parse(selector).unwrap()).next().into_iter().collect()
}

/// What is said of a page: the block carried over to it, or none if it had to be analysed; and its template.
#[derive(Clone, PartialEq, Debug)]
struct Said {
    carried_over: Option<Vec<NodeId>>,
    template: Option<String>,
}

/// Settles a page whose analysis is one block, the first element that is selected.
fn settle(recognition: &Recognition<MemoryTemplates>, site: &str, page: &Page, look: Look, selector: &str) -> Said {
    let look = match recognition.settle(site, page, look).unwrap() {
        Settling::CarriedOver(template, transferred) => {
            let nodes = transferred.blocks[0].1.roots(page);
            return Said { carried_over: Some(nodes), template: Some(template) };
        }
        Settling::Unknown(look) => look,
    };
    let found = first(page, selector);
    let same = |transferred: &Transferred| {
        f64::from(u8::from(transferred.blocks[0].1 == NodeSet::from_roots(page, found.iter().copied())))
    };
    let lesson = Lesson { blocks: MarkedBlock::of_roots(page, [("block", &found[..])]), agreement: &same };
    Said { carried_over: None, template: recognition.learn(site, page, look, lesson).unwrap() }
}

fn process(recognition: &Recognition<MemoryTemplates>, site: &str, page: &Page, selector: &str) -> Said {
    settle(recognition, site, page, recognition.look(site, page).unwrap(), selector)
}

#[test]
fn what_is_known_is_carried_over_within_the_site() {
    let recognition = recognition(StreamOptions { trials: 0, ..StreamOptions::default() });
    let one = process(&recognition, "example.org", &article(0), "article");
    let page = article(7);
    let two = process(&recognition, "example.org", &page, "aside");
    assert_eq!((one.carried_over, two.carried_over), (None, Some(first(&page, "article"))));
    assert_eq!(one.template, two.template);
    assert_eq!(process(&recognition, "example.com", &article(3), "article").carried_over, None);
}

#[test]
fn what_would_be_carried_over_is_tried_first_and_given_up_if_it_never_agrees() {
    let recognition = recognition(StreamOptions { trials: 2, most_tries: 4, ..StreamOptions::default() });
    let transferred = |site: &str, selector: &dyn Fn(usize) -> &'static str| -> Vec<bool> {
        let is_transferred = |number| process(&recognition, site, &article(number), selector(number)).carried_over.is_some();
        (0..8).map(is_transferred).collect()
    };
    assert_eq!(transferred("a.example", &|_| "article"), [false, false, false, true, true, true, true, true]);
    // The second page contradicts the first; from then on all agree.
    let first_wrong = |number: usize| if number == 0 { "aside" } else { "article" };
    assert_eq!(transferred("b.example", &first_wrong), [false, false, false, false, true, true, true, true]);
    let never = |number: usize| if number.is_multiple_of(2) { "aside" } else { "article" };
    assert_eq!(transferred("c.example", &never), [false; 8]);
    let kept = recognition.finish().unwrap();
    let kept: Vec<_> = kept.templates().iter().filter(|kept| kept.template.site == "c.example").collect();
    assert_eq!((kept.len(), kept[0].pages, kept[0].template.ripe, kept[0].template.tried), (1, 8, false, 4));
}

#[test]
fn copies_of_a_page_prove_nothing() {
    let recognition = recognition(StreamOptions::default());
    let transferred = |number| process(&recognition, "example.org", &article(number), "article").carried_over.is_some();
    assert_eq!([0, 0, 0, 4, 8].map(transferred), [false, false, false, false, true]);
}

#[test]
fn after_a_redesign_old_templates_are_retired() {
    let options = StreamOptions { retire_after: 20, ..StreamOptions::default() };
    let before = recognition(options.clone());
    for number in 0..10 {
        process(&before, "example.org", &article(number), "article");
    }
    let kept = before.finish().unwrap();
    assert!(kept.templates().iter().all(|kept| !kept.is_retired));
    let after = Recognition::new(kept, "test", options);
    for number in 0..30 {
        let said = process(&after, "example.org", &redesigned(number), "article");
        assert_eq!(said.carried_over.is_some(), number >= 2, "{number}");
    }
    let kept = after.finish().unwrap();
    assert_eq!(kept.templates().iter().map(|kept| kept.is_retired).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn looking_ahead_changes_no_answer() {
    let pages: Vec<Page> = (0..24).map(|number| if number % 3 == 2 { redesigned(number) } else { article(number) }).collect();
    let run = |batch: usize| {
        let recognition = recognition(StreamOptions::default());
        let mut answers = Vec::new();
        for pages in pages.chunks(batch) {
            let looks: Vec<Look> = pages.iter().map(|page| recognition.look("example.org", page).unwrap()).collect();
            for (page, look) in pages.iter().zip(looks) {
                answers.push(settle(&recognition, "example.org", page, look, "article"));
            }
            recognition.flush().unwrap();
        }
        answers
    };
    assert_eq!(run(1), run(5));
    assert_eq!(run(1), run(24));
}

#[test]
fn pages_that_cannot_take_the_blocks_of_a_similar_one_stand_for_themselves() {
    let strict = Transfer { min_verified: 1.1, ..Transfer::default() };
    let recognition = recognition(StreamOptions { transfer: strict, trials: 0, ..StreamOptions::default() });
    let mut names = Vec::new();
    for number in [0, 1, 2] {
        let said = process(&recognition, "example.org", &article(number), "article");
        assert_eq!(said.carried_over, None);
        names.extend(said.template);
    }
    names.dedup();
    assert_eq!(names.len(), 3);
    assert_eq!(recognition.finish().unwrap().templates().iter().map(|kept| kept.missed).sum::<u64>(), 3);
}

#[test]
fn huge_pages_and_odd_ones_are_answered_and_huge_ones_not_stored() {
    let recognition = recognition(StreamOptions { max_elements: 20, ..StreamOptions::default() });
    assert_eq!(process(&recognition, "example.org", &article(1), "article").template, None);
    for html in ["", "<frameset><frame src=x></frameset>", "\u{0}", "<p>"] {
        process(&recognition, "example.org", &Page::parse(html), "p");
    }
    assert_eq!(recognition.finish().unwrap().pages("example.org", "test"), 5);
}

#[test]
fn options_are_set_by_name_and_the_published_way_has_its_own_limits() {
    let of = |settings: &[(&str, &str)]| StreamOptions::with_settings(settings);
    let published = of(&[("trials", "0"), ("min_steady", "0.2"), ("way", "published")]).unwrap();
    let transfer = Transfer { min_steady: 0.2, ..Transfer::published() };
    assert_eq!(published, StreamOptions { transfer, trials: 0, ..StreamOptions::default() });
    assert_eq!(of(&[]).unwrap(), StreamOptions::default());
    assert!(of(&[("sway", "1")]).unwrap_err().to_string().contains("it has way, subtree_similarity, min_verified"));
    assert!(of(&[("way", "mine")]).unwrap_err().to_string().contains("sibling-runs or published"));
    assert!(of(&[("similarity", "0.5")]).is_err());
}
