use super::*;
use crate::annotation::merging::merge;
use crate::annotation::text_mark::{TextLabel, TextMark};
use crate::suite::Suite;
use unchaff_page::BlockKind;

const PAGE: &str =
    "<!doctype html><html lang=en><body><nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>It is green.</p></main></body></html>";

fn project() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write_file(&folder.path().join(name), text.as_bytes()).unwrap();
    write("tea/site.json", r#"{"id": "tea", "key_page": "index.html", "base_url": "https://tea.example/", "category": "shop"}"#);
    write("tea/pages/index.html", PAGE);
    write("tea/pages/green/one.html", PAGE);
    write("tea/pages/style.css", "<html>");
    let project = Project::open(folder.path()).unwrap();
    (folder, project)
}

fn content(from: u32) -> Annotation {
    Annotation { content: vec![[from, 8]], ..Annotation::default() }
}

#[test]
fn people_say_things_apart_and_what_holds_is_a_suite() {
    let (folder, project) = project();
    let names: Vec<(String, bool)> = project.pages().into_iter().map(|entry| (entry.page, entry.key)).collect();
    assert_eq!(names, [("index.html".to_owned(), true), ("green/one.html".to_owned(), false)]);
    for page in ["index.html", "green/one.html"] {
        project.save("tea", page, "anna", &content(5)).unwrap();
        project.save("tea", page, "björn", &content(5)).unwrap();
        project.save("tea", page, "c-3", &content(6)).unwrap();
        let said: Vec<Annotation> = project.annotations("tea", page).unwrap().into_iter().map(|(_, said)| said).collect();
        assert_eq!(said, [content(5), content(5), content(6)]);
        let mut merged = merge(&project.page("tea", page).unwrap(), &said, None).annotation;
        merged.segments = vec![SegmentMark { element: 5, level: 1, kind: "Main".to_owned() }];
        project.save_gold("tea", page, &merged, false).unwrap();
        assert_eq!(project.annotation("tea", page, "gold").unwrap(), merged);
    }
    assert!(project.pages().iter().all(|entry| entry.gold && entry.annotators == ["anna", "björn", "c-3"]));
    let mut suites = Suite::open(folder.path()).unwrap();
    suites.iter_mut().for_each(Suite::check);
    let counts: Vec<(usize, usize)> = suites.iter().map(|suite| (suite.items.len(), suite.problems.len())).collect();
    assert_eq!(counts, [(1, 0), (2, 0)], "{:?}", suites[1].problems);
    let benchmark = suites[1].load(&suites[1].items[0]).unwrap();
    let words = unchaff_dom::emit::text(&benchmark.page, benchmark.gold.nodes(BlockKind::Content).unwrap());
    assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), "Tea It is green.");
    assert_eq!(suites[0].items[0].category.as_deref(), Some("shop"));
    let segments = Suite::open(&folder.path().join("segments")).unwrap();
    assert_eq!(segments[0].items.len(), 2);
    assert_eq!(segments[0].load(&segments[0].items[0]).unwrap().gold.segments[0].1, "Main");
    project.forget("tea", "index.html", "c-3").unwrap();
    assert!(matches!(project.forget("tea", "index.html", "c-3"), Err(ProjectError::Nothing { .. })));
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let (folder, project) = project();
    fs::write(folder.path().join("secret.txt"), PAGE).unwrap();
    for (site, page) in [
        ("tea", "../../secret.txt"),
        ("tea", "/etc/passwd"),
        ("..", "x"),
        ("tea/..", "secret.txt"),
        ("tea", ""),
        ("tea", "."),
        ("tea", ".hidden"),
        ("tea", "none.html"),
        ("coffee", "index.html"),
        ("tea/pages", "index.html"),
        ("", "secret.txt"),
        ("tea", "..\\..\\secret.txt"),
    ] {
        assert!(matches!(project.page(site, page), Err(ProjectError::NoPage { .. })), "{site} {page}");
        assert!(project.save(site, page, "anna", &content(5)).is_err(), "{site} {page}");
    }
    for who in ["", "..", "a/b", "a.b", "gold", &"x".repeat(41), "a b", "a\0"] {
        assert!(matches!(project.save("tea", "index.html", who, &content(5)), Err(ProjectError::Name)), "{who}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("tea/pages/linked.html")).unwrap();
        assert!(project.page("tea", "linked.html").is_err());
    }
    assert!(matches!(project.save("tea", "index.html", "anna", &content(6)), Ok(())));
    let wrong = Annotation { content: vec![[4, 99]], ..Annotation::default() };
    assert!(matches!(project.save("tea", "index.html", "anna", &wrong), Err(ProjectError::Label(_))));
}

#[test]
fn a_page_that_is_fetched_becomes_one_of_the_project() {
    let (_folder, project) = project();
    let url = |text: &str| Url::parse(text).unwrap();
    let page = Page::parse(b"<meta charset=windows-1252><p>caf\xe9".as_slice());
    let entry = project.add_page(&url("https://caf.example/menu?day=1"), &page).unwrap();
    assert_eq!((entry.site.as_str(), entry.page.as_str(), entry.key), ("caf.example", "menu@day=1.html", true));
    let again = project.page("caf.example", &entry.page).unwrap();
    assert_eq!(again.text(again.root()), "café");
    project.save("caf.example", &entry.page, "anna", &Annotation { content: vec![[2, 3]], ..Annotation::default() }).unwrap();
    let second = project.add_page(&url("https://caf.example/"), &page).unwrap();
    assert_eq!((second.page.as_str(), second.key), ("index.html", false));
    assert!(project.add_page(&url("https://[::1]:8080/a"), &page).is_ok());
}

fn says(content: [u32; 2], texts: Vec<TextMark>) -> Annotation {
    Annotation { content: vec![content], menu: Some(3), texts, ..Annotation::default() }
}

fn part(element: u32, from: u32, to: u32, is: TextLabel) -> TextMark {
    TextMark { element, from, to, is }
}

#[test]
fn pages_of_a_suite_of_texts_get_gold_texts() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write_file(&folder.path().join(name), text.as_bytes()).unwrap();
    write("news/meta.json", r#"{"items": {"one": {"url": "https://news.example/one", "type": "article"}}}"#);
    write("news/pages/one.html", PAGE);
    write("news/pages/two.html", PAGE);
    write("news/gold/one.txt", "Somebody wrote this.");
    let project = Project::open(folder.path()).unwrap();
    let listed: Vec<(String, String, bool)> =
        project.pages().into_iter().map(|entry| (entry.site, entry.page, entry.gold)).collect();
    assert_eq!(
        listed,
        [("news", "one.html", true), ("news", "two.html", false)].map(|(site, page, gold)| (
            site.to_owned(),
            page.to_owned(),
            gold
        ))
    );
    // Of the paragraph only "is green" is content.
    let said = says([5, 8], vec![part(7, 0, 3, TextLabel::Template), part(7, 11, 12, TextLabel::Template)]);
    for page in ["one.html", "two.html"] {
        project.save("news", page, "anna", &said).unwrap();
        assert_eq!(project.annotation("news", page, "anna").unwrap(), said);
    }
    assert_eq!(project.page("news", "one.html").unwrap().url().map(Url::as_str), Some("https://news.example/one"));
    assert!(matches!(project.save_gold("news", "one.html", &said, false), Err(ProjectError::OtherGold(_))));
    project.save_gold("news", "one.html", &said, true).unwrap();
    project.save_gold("news", "two.html", &said, false).unwrap();
    // What was made here is made anew without asking.
    project.save_gold("news", "two.html", &said, false).unwrap();
    assert_eq!(project.annotation("news", "two.html", "gold").unwrap(), said);
    let mut suites = Suite::open(folder.path()).unwrap();
    suites[0].check();
    assert_eq!((suites[0].items.len(), &suites[0].problems), (2, &Vec::new()));
    assert_eq!(suites[0].items[0].category.as_deref(), Some("article"));
    for item in &suites[0].items {
        let text = suites[0].load(item).unwrap().gold.text.unwrap();
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), "Tea is green");
    }
}

#[test]
fn single_pages_become_a_package() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.html", "two.html"] {
        fs::write(folder.path().join(name), PAGE).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    let pages =
        || project.pages().into_iter().map(|entry| format!("{}/{} {}", entry.site, entry.page, entry.gold)).collect::<Vec<_>>();
    assert_eq!(pages(), ["/one.html false", "/two.html false"]);
    let mut said = says([5, 7], vec![part(7, 6, 11, TextLabel::Content)]);
    said.segments = vec![SegmentMark { element: 5, level: 1, kind: "Main".to_owned() }];
    project.save("", "one.html", "anna", &said).unwrap();
    project.save_gold("", "one.html", &said, false).unwrap();
    assert_eq!(pages(), ["/one.html true", "/two.html false"]);
    let suites = Suite::open(folder.path()).unwrap();
    assert_eq!((suites[0].layout.as_str(), suites[0].items.len()), ("package", 1));
    let text = suites[0].load(&suites[0].items[0]).unwrap().gold.text.unwrap();
    assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), "Tea green");
    let segments = Suite::open(&folder.path().join("segments")).unwrap();
    assert_eq!(segments[0].load(&segments[0].items[0]).unwrap().gold.segments[0].1, "Main");
    let added = project.add_page(&Url::parse("https://tea.example/black/tea").unwrap(), &Page::parse(PAGE)).unwrap();
    assert_eq!((added.site.as_str(), added.page.as_str()), ("", "tea.example_black_tea.html"));
    assert_eq!(project.page("", &added.page).unwrap().url().map(Url::as_str), Some("https://tea.example/black/tea"));
}

#[test]
fn pages_of_a_suite_of_segments_get_segments() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write_file(&folder.path().join(name), text.as_bytes()).unwrap();
    for host in ["a.example", "b.example"] {
        write(&format!("drawn/{host}/{host}/index.dom.html"), PAGE);
    }
    write("drawn/a.example/a.example/index.blocks.html", &PAGE.replace("<main>", "<main data-block=1 data-block-type=Main>"));
    write("drawn/layouts/none.json", "{}");
    let project = Project::open(folder.path()).unwrap();
    let pages = || {
        project
            .pages()
            .into_iter()
            .map(|entry| format!("{} {} {:?}", entry.page, entry.gold, entry.annotators))
            .collect::<Vec<_>>()
    };
    assert_eq!(pages(), ["a.example/a.example/index.dom.html true []", "b.example/b.example/index.dom.html false []"]);
    let main = SegmentMark { element: 5, level: 1, kind: "Main".to_owned() };
    let gold = project.annotation("drawn", "a.example/a.example/index.dom.html", "gold").unwrap();
    assert_eq!(gold, Annotation { segments: vec![main.clone()], ..Annotation::default() });
    let before = Suite::open(&folder.path().join("drawn")).unwrap()[0].items[0].boxes_name().map(str::to_owned);
    let other = "b.example/b.example/index.dom.html";
    let said = Annotation { segments: vec![main], content: vec![[5, 8]], ..Annotation::default() };
    project.save("drawn", other, "anna", &said).unwrap();
    project.save_gold("drawn", other, &said, false).unwrap();
    assert_eq!(project.annotation("drawn", other, "gold").unwrap(), said);
    assert_eq!(pages()[1], "b.example/b.example/index.dom.html true [\"anna\"]");
    let mut suites = Suite::open(folder.path()).unwrap();
    suites[0].check();
    assert_eq!((suites.len(), suites[0].items.len(), &suites[0].problems), (1, 2, &Vec::new()));
    assert_eq!(suites[0].items[0].boxes_name(), before.as_deref(), "boxes are found again");
    assert!(matches!(project.page("drawn", "labels/anna/b.example/b.example/index.dom.html"), Err(ProjectError::NoPage { .. })));
}

#[test]
fn key_pages_of_teco_carry_their_gold() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write_file(&folder.path().join(name), text.as_bytes()).unwrap();
    write("teco/list.txt", "tea.example/index.html\n");
    write("teco/tea.example/index.html", &PAGE.replace("<main>", "<main class=\"TECO_mainContent TECO_notTemplate\">"));
    write("teco/tea.example/other.html", PAGE);
    let project = Project::open(folder.path()).unwrap();
    let listed: Vec<(String, String, bool)> =
        project.pages().into_iter().map(|entry| (entry.site, entry.page, entry.key)).collect();
    assert_eq!(listed[0], ("teco/tea.example".to_owned(), "index.html".to_owned(), true));
    assert!(!project.page("teco/tea.example", "index.html").unwrap().source().contains("TECO"));
    let gold = || project.annotation("teco/tea.example", "index.html", "gold").unwrap();
    assert_eq!(gold().content, [[5, 8]]);
    let said = Annotation { content: vec![[6, 8]], other: vec![[4, 5]], ..Annotation::default() };
    project.save("teco/tea.example", "index.html", "anna", &said).unwrap();
    let save = |page: &str, said: &Annotation, replaces| project.save_gold("teco/tea.example", page, said, replaces);
    assert!(matches!(save("index.html", &said, false), Err(ProjectError::OtherGold(_))));
    save("index.html", &said, true).unwrap();
    assert_eq!(gold(), said);
    assert!(matches!(save("other.html", &said, true), Err(ProjectError::NoKeyPage(_))));
    // A piece of template inside of content cannot be said there.
    assert!(matches!(
        save("index.html", &Annotation { content: vec![[5, 6]], ..Annotation::default() }, true),
        Err(ProjectError::Inherited)
    ));
    let suites = Suite::open(&folder.path().join("teco")).unwrap();
    let benchmark = suites[0].load(&suites[0].items[0]).unwrap();
    let words = unchaff_dom::emit::text(&benchmark.page, benchmark.gold.nodes(BlockKind::Content).unwrap());
    assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), "Tea It is green.");
}

#[test]
fn the_key_page_of_a_site_is_its_home_page() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("mirror");
    for name in ["a.html", "index.html", "news/index.html"] {
        write_file(&source.join(name), PAGE.as_bytes()).unwrap();
    }
    let base = Url::parse("https://tea.example/").unwrap();
    let site =
        unchaff_source::MirroredFolder::open(&source, std::slice::from_ref(&base), &unchaff_source::Reading::default()).unwrap();
    let suite = folder.path().join("suite");
    fs::create_dir(&suite).unwrap();
    let project = Project::open(&suite).unwrap();
    project.add_site("tea", &site, None).unwrap();
    let news = site.known().into_iter().map(|id| site.url(id)).find(|url| url.path().starts_with("/news")).unwrap();
    project.add_site("news", &site, Some(&news)).unwrap();
    let keys: Vec<String> =
        project.pages().into_iter().filter(|entry| entry.key).map(|entry| format!("{}/{}", entry.site, entry.page)).collect();
    assert_eq!(keys, ["news/news/index.html", "tea/index.html"]);
}
