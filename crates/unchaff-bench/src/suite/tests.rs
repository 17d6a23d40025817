//! Small suites of every layout, with everything wrong that can be.

use super::*;
use std::fs;
use std::io::Write;
use tempfile::TempDir;
use unchaff_dom::emit;
use unchaff_page::BlockKind;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn open_one(folder: &TempDir) -> Suite {
    let mut suites = Suite::open(folder.path()).unwrap();
    assert_eq!(suites.len(), 1);
    suites.remove(0)
}

fn problems(suite: &Suite) -> Vec<String> {
    suite.problems.iter().map(ToString::to_string).collect()
}

fn words(benchmark: &Benchmark, kind: BlockKind) -> String {
    let text = emit::text(&benchmark.page, benchmark.gold.nodes(kind).unwrap());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn texts() {
    let meta = r#"{"items": {
        "b": {"url": "https://example.org/b", "type": "forum", "lang": "en", "split": "eval", "with": ["Tea is good."], "without": ["Home"]},
        "a": {}, "no-gold": {}, "no-page": {}, "empty": {}, "../out": {}}}"#;
    let folder = folder(&[
        ("meta.json", meta),
        ("pages/a.html", "<p>a"),
        ("gold/a.txt", "a"),
        ("pages/b.html", "<p>b"),
        ("gold/b.txt", "b\n"),
        ("pages/no-gold.html", "<p>c"),
        ("gold/no-page.txt", "d"),
        ("pages/empty.html", ""),
        ("gold/empty.txt", " – "),
        ("pages/unlisted.html", "<p>e"),
    ]);
    let mut suite = open_one(&folder);
    assert_eq!(suite.layout, Layout::Texts);
    assert_eq!(suite.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["a", "b", "empty"]);
    let item = &suite.items[1];
    assert_eq!((item.category.as_deref(), item.language.as_deref(), item.split), (Some("forum"), Some("en"), Some(Split::Eval)));
    let benchmark = suite.load(item).unwrap();
    assert_eq!(benchmark.source, b"<p>b");
    assert_eq!(benchmark.page.url().unwrap().as_str(), "https://example.org/b");
    assert_eq!(benchmark.gold.text.as_deref(), Some("b\n"));
    assert_eq!(
        (benchmark.gold.must.as_slice(), benchmark.gold.must_not.as_slice()),
        (&["Tea is good.".to_owned()][..], &["Home".to_owned()][..])
    );
    suite.check();
    assert_eq!(
        problems(&suite),
        [
            "../out: the name leads out of the folder",
            "no-gold: gold/no-gold.txt is missing",
            "no-page: pages/no-page.html is missing",
            "unlisted: meta.json does not name this page",
            "empty: the page has no words",
            "empty: the gold has no words, so the page is left out of all figures about words",
        ]
    );
    let overview = suite.overview();
    assert_eq!((overview.pages, overview.train + overview.eval), (3, 3));
    assert!(overview.to_string().contains(&suite.digest), "{overview}");
    assert_eq!(serde_json::to_value(&overview).unwrap()["problems"][1]["item"], "no-gold");
}

const KEY: &str = "<body><ul><li><a href='../index.html'>Home</a></ul><main class=m>Tea</main><p>Nice</p><footer>f</footer>";
const GOLD: &str = "<body><ul class=TECO_mainMenu><li><a href='../index.html'>Home</a></ul>\
    <main class='TECO_mainContent TECO_notTemplate m'>Tea</main><p class='TECO_comments TECO_notTemplate'>Nice</p><footer>f</footer>";

#[test]
fn sites() {
    let json = r#"{"key_page": "tea/green.html", "base_url": "https://tea.example/", "category": "shop", "language": "en", "split": "dev"}"#;
    let other = r#"{"key_page": "gone.html"}"#;
    let folder = folder(&[
        ("one/site.json", json),
        ("one/gold.html", GOLD),
        ("one/pages/tea/green.html", KEY),
        ("one/pages/index.html", "<a href=tea/green.html>Tea</a>"),
        ("changed/site.json", json),
        ("changed/gold.html", "<body><div class=TECO_maincontent>x</div>"),
        ("changed/pages/tea/green.html", KEY),
        ("misspelt/site.json", json),
        ("misspelt/gold.html", &KEY.replace("class=m", "class=TECO_maincontent")),
        ("misspelt/pages/tea/green.html", KEY),
        ("no-key/site.json", other),
        ("no-key/gold.html", GOLD),
        ("no-gold/site.json", json),
        ("no-gold/pages/tea/green.html", KEY),
        ("broken/site.json", "{"),
    ]);
    let mut suite = open_one(&folder);
    assert_eq!(suite.layout, Layout::Sites);
    let item = suite.items.iter().find(|item| item.id == "one").unwrap().clone();
    assert_eq!((item.category.as_deref(), item.split), (Some("shop"), Some(Split::of("one"))));
    assert_eq!(item.base_url().unwrap().as_str(), "https://tea.example/");
    let benchmark = suite.load(&item).unwrap();
    assert_eq!(benchmark.source, KEY.as_bytes());
    assert_eq!(benchmark.page.url().unwrap().as_str(), "https://tea.example/tea/green.html");
    assert_eq!(words(&benchmark, BlockKind::Content), "Tea");
    assert_eq!(words(&benchmark, BlockKind::Template), "- Home f");
    assert_eq!(words(&benchmark, BlockKind::Menu), "- Home");
    assert_eq!(words(&benchmark, BlockKind::Comments), "Nice");
    let (site, key) = (benchmark.site.unwrap(), benchmark.key.unwrap());
    let home = site.find(&benchmark.page.links().next().unwrap().url.unwrap()).unwrap();
    let link = site.load(home).unwrap().links().next().unwrap().url.unwrap();
    assert_eq!((site.find(&link), site.loads()), (Some(key), 1));
    suite.check();
    let found = problems(&suite).join("\n");
    for expected in [
        "no-key: the page pages/gone.html that site.json names is not there",
        "no-gold: the gold gold.html is missing",
        "misspelt: class TECO_maincontent is no label",
        "misspelt: no element has class TECO_mainContent",
        "gold.html has other elements than the page: 1 below body instead of 6",
    ] {
        assert!(found.contains(expected), "{expected}\nis not in\n{found}");
    }
    assert!(found.contains("broken: ") && found.contains("it is no JSON"), "{found}");
}

#[test]
fn sites_with_gold_for_more_pages_are_two_suites() {
    let json =
        r#"{"key_page": "a.html", "gold_pages": {"a.html": "gold.html", "b.html": "gold/b.html", "c.html": "gold/c.html"}}"#;
    let folder = folder(&[
        ("s/site.json", json),
        ("s/gold.html", "<p class='TECO_mainContent TECO_notTemplate'>a"),
        ("s/gold/b.html", "<p class='TECO_mainContent TECO_notTemplate'>b"),
        ("s/pages/a.html", "<p>a"),
        ("s/pages/b.html", "<p>b"),
    ]);
    let suites = Suite::open(folder.path()).unwrap();
    let ids = |suite: &Suite| suite.items.iter().map(|item| item.id.clone()).collect::<Vec<_>>();
    assert_eq!((ids(&suites[0]), ids(&suites[1])), (vec!["s".to_owned()], vec!["s/a.html".to_owned(), "s/b.html".to_owned()]));
    assert_eq!(suites[1].name, format!("{}-pages", suites[0].name));
    assert_ne!(suites[0].digest, suites[1].digest);
    assert_eq!(words(&suites[1].load(&suites[1].items[1]).unwrap(), BlockKind::Content), "b");
    assert_eq!(problems(&suites[1]), ["s/c.html: the page pages/c.html that site.json names is not there"]);
}

#[test]
fn teco_as_distributed() {
    let labelled = "<body><ul class='TECO_mainMenu nav'><li><a href=index.html>Home</a></ul><div class=\"TECO_notTemplate TECO_mainContent\"><p>Tea</p></div>f";
    let folder = folder(&[
        (
            "Companies.txt",
            "Key pages of this archive\n149\twww.crypto.ch/en/about.html\n2\ttea.example/lost page.html\n3;blog.example/visitor\n",
        ),
        ("www.crypto.ch/en/about.html", labelled),
        ("www.crypto.ch/en/index.html", "<a href=about.html>About</a>"),
        ("blog.example/visitor", labelled),
        ("blog.example/index.html", "<a href=visitor>Key</a>"),
        ("tea.example/deep/page?x=1.html", labelled),
        ("tea.example/index.html", "<p>TECO_ is only text here"),
        ("empty.example/index.html", "<p>x"),
    ]);
    let mut suite = open_one(&folder);
    assert_eq!(suite.layout, Layout::Teco);
    let ids: Vec<_> = suite.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["blog.example/visitor", "tea.example/deep/page?x=1.html", "www.crypto.ch/en/about.html"]);
    assert_eq!((suite.items[2].category.as_deref(), suite.items[2].split), (Some("company"), Some(Split::Eval)));
    for item in &suite.items {
        let benchmark = suite.load(item).unwrap();
        assert_eq!(words(&benchmark, BlockKind::Content), "Tea");
        assert_eq!(words(&benchmark, BlockKind::Template), "- Home f");
        // No label is left anywhere a technique could see it.
        let (site, key) = (benchmark.site.unwrap(), benchmark.key.unwrap());
        for page in [benchmark.page, site.load(key).unwrap()] {
            assert!(!page.source().contains("TECO_"), "{}", page.source());
            assert_eq!(page.nodes().filter_map(|node| page.attr(node, "class")).collect::<Vec<_>>(), ["nav"]);
        }
        assert!(!String::from_utf8(benchmark.source).unwrap().contains("TECO_"));
        assert_eq!(site.find(&site.url(key)), Some(key));
        assert_eq!(site.loads(), 1);
    }
    suite.check();
    assert_eq!(
        problems(&suite),
        [
            "tea.example/lost page.html: the key page that Companies.txt names is not there",
            "empty.example: no list names its key page, and no page in it has labels",
        ]
    );
}

const PACKAGE: &[(&str, &str)] = &[
    ("package.json", r#"{"name": "p", "documents": ["0001", "0002", "../0003"]}"#),
    ("0001.html", "<p>Tea"),
    ("0001.txt", "Tea"),
    ("0001.meta.json", r#"{"url": "https://tea.example/1", "language": "de"}"#),
    ("0002.html", "<p>x"),
    ("stray.html", "<p>y"),
];

#[test]
fn packages_in_folders_and_zipped() {
    let unpacked = folder(PACKAGE);
    let suite = open_one(&unpacked);
    assert_eq!(
        problems(&suite),
        [
            "../0003: a name of a document has no folders in it",
            "0002: 0002.txt is missing",
            "0002.html belongs to no document of package.json",
            "stray.html belongs to no document of package.json",
        ]
    );
    let zipped = unpacked.path().join("p.zip");
    let mut archive = zip::ZipWriter::new(fs::File::create(&zipped).unwrap());
    for (name, text) in PACKAGE {
        archive.start_file(format!("p/{name}"), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    let from_zip = Suite::open(&zipped).unwrap().remove(0);
    assert_eq!(from_zip.problems.len(), 2);
    for suite in [&suite, &from_zip] {
        assert_eq!((suite.layout, suite.items.len()), (Layout::Package, 1));
        let item = &suite.items[0];
        assert_eq!((item.id.as_str(), item.language.as_deref(), item.bytes), ("0001", Some("de"), 6));
        let benchmark = suite.load(item).unwrap();
        assert_eq!(benchmark.gold.text.as_deref(), Some("Tea"));
        assert_eq!(benchmark.page.url().unwrap().as_str(), "https://tea.example/1");
    }
    let mut archive = zip::ZipWriter::new(fs::File::create(&zipped).unwrap());
    archive.start_file("package.json", zip::write::SimpleFileOptions::default()).unwrap();
    (0..65).for_each(|_| archive.write_all(&vec![b' '; 1 << 20]).unwrap());
    archive.finish().unwrap();
    let error = Suite::open(&zipped).unwrap_err().to_string();
    assert!(error.contains("package.json has more than 67108864 bytes"), "{error}");
    fs::write(&zipped, "no archive").unwrap();
    assert!(Suite::open(&zipped).unwrap_err().to_string().contains("no zip archive"));
}

#[test]
fn segments() {
    let folder = folder(&[
        ("tea.example/tea.example/index.dom.html", "<div id=m>m</div><p>a</p>"),
        ("tea.example/tea.example/index.blocks.html", "<div id=m data-block=1 data-block-type=Menu>m</div><p>a</p>"),
        ("tea.example/style.css", "p {}"),
        ("no.example/index.html", "<p>x"),
    ]);
    let suite = open_one(&folder);
    assert_eq!((suite.layout, suite.items[0].id.as_str()), (Layout::Segments, "tea.example"));
    let benchmark = suite.load(&suite.items[0]).unwrap();
    let (level, kind, node) = &benchmark.gold.segments[0];
    assert_eq!((*level, kind.as_str(), benchmark.page.text(*node)), (1, "Menu", "m"));
    assert_eq!(problems(&suite), ["no.example: there is no index.blocks.html"]);
}

#[test]
fn the_gold_of_another_page_is_none() {
    let folder = folder(&[
        ("tea.example/index.dom.html", "<div id=m>m</div><p>a</p>"),
        (
            "tea.example/index.blocks.html",
            "<div id=m data-block=1>m</div><p class=a data-block=1>a</p><p class=b data-block=2>b</p>",
        ),
    ]);
    let mut suite = open_one(&folder);
    assert!(suite.load(&suite.items[0]).unwrap().gold.segments.is_empty());
    suite.check();
    assert_eq!(problems(&suite).len(), 1);
    assert!(problems(&suite)[0].starts_with("tea.example: 2 of 3 segments are not found"), "{:?}", problems(&suite));
}

#[test]
fn boxes_are_kept_by_what_is_rendered() {
    let boxes = r#"{"width":9,"height":9,"boxes":[{"rect":[0,0,5,5],"kind":"text","node":5}]}"#;
    let folder = folder(&[
        ("tea.example/index.dom.html", "<div>m</div><p>a</p>"),
        ("tea.example/index.blocks.html", "<div data-block=1>m</div><p>a</p>"),
        ("tea.example/style.css", "p {}"),
        ("layouts/none.json", boxes),
    ]);
    let name = |suite: &Suite| suite.items[0].boxes_name().unwrap().to_owned();
    let suite = open_one(&folder);
    assert!(problems(&suite).is_empty());
    let before = suite.load(&suite.items[0]).unwrap();
    // What stands in the place of boxes is one for each text.
    assert!(!before.is_rendered());
    assert_eq!(before.boxes.as_ref().unwrap().layout.boxes.len(), 2);

    fs::write(folder.path().join("layouts").join(name(&suite)), boxes).unwrap();
    let with_boxes = open_one(&folder);
    assert_ne!(with_boxes.digest, suite.digest);
    let mut told = Vec::new();
    with_boxes.render_missing(&[&with_boxes.items[0]], &mut |text| told.push(text.to_owned())).unwrap();
    assert!(told.is_empty(), "no browser is needed: {told:?}");
    assert!(with_boxes.load(&with_boxes.items[0]).unwrap().is_rendered());
    // Labels change nothing of the rendering; a style sheet does.
    fs::write(folder.path().join("tea.example/index.blocks.html"), "<div>m</div><p data-block=1>a</p>").unwrap();
    assert_eq!(name(&open_one(&folder)), name(&suite));
    fs::write(folder.path().join("tea.example/style.css"), "p { color: red }").unwrap();
    assert_ne!(name(&open_one(&folder)), name(&suite));

    let elsewhere = tempfile::tempdir().unwrap();
    let mut suite = with_boxes;
    suite.keep_boxes_in(elsewhere.path());
    assert!(!suite.load(&suite.items[0]).unwrap().is_rendered());
    fs::write(elsewhere.path().join(name(&suite)), "{").unwrap();
    let said = suite.load(&suite.items[0]).unwrap_err().to_string();
    assert!(said.contains("delete it"), "{said}");
}

#[test]
fn folders_of_suites_and_of_none() {
    let suites = folder(&[
        ("pages/b/meta.json", r#"{"items": {"1": {}}}"#),
        ("pages/b/pages/1.html", "x"),
        ("pages/b/gold/1.txt", "x"),
        ("pages/a/meta.json", r#"{"items": {}}"#),
        ("pages/a/pages/1.html", "x"),
        ("notes.txt", "nothing"),
        ("segments/tea/index.blocks.html", "<p data-block=1>x"),
        ("segments/tea/index.dom.html", "<p>x"),
        ("other/nothing.txt", "nothing"),
    ]);
    let names: Vec<_> = Suite::open(suites.path()).unwrap().into_iter().map(|suite| suite.name).collect();
    assert_eq!(names, ["a", "b", "segments"]);
    let none = folder(&[("x/y.html", "<p>z")]);
    assert!(Suite::open(none.path()).unwrap_err().to_string().contains("is no suite and holds none"));
    assert!(Suite::open(&none.path().join("gone")).unwrap_err().to_string().contains("cannot read"));
}

#[test]
fn the_digest_is_of_what_belongs_to_the_suite() {
    let files = [("meta.json", r#"{"items": {"1": {}}}"#), ("pages/1.html", "x"), ("gold/1.txt", "x")];
    let (one, other) = (folder(&files), folder(&files));
    let digest = open_one(&one).digest;
    assert_eq!((digest.len(), &digest), (16, &open_one(&other).digest));
    fs::write(other.path().join("results.db"), "y").unwrap();
    assert_eq!(open_one(&other).digest, digest);
    fs::write(other.path().join("gold/1.txt"), "y").unwrap();
    assert_ne!(open_one(&other).digest, digest);
}

#[test]
fn splits_keep_sites_together_and_halve_them() {
    let train = (0..1000).filter(|site| Split::of(&format!("site-{site}.example")) == Split::Train).count();
    assert!((400..600).contains(&train), "{train}");
    let split = |url: &str| layout_texts::split(&serde_json::json!({ "url": url }), "id");
    assert_eq!(split("https://www.tea.example/a"), split("http://tea.example/b"));
}
