use std::fs;

use proptest::prelude::*;

use super::*;

/// A folder with these files, each with its own name as text.
fn folder(names: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for name in names {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("<p>{name}")).unwrap();
    }
    root
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn open(root: &tempfile::TempDir, bases: &[&str]) -> MirroredFolder {
    MirroredFolder::open(root.path(), &bases.iter().map(|base| url(base)).collect::<Vec<_>>(), &Reading::default()).unwrap()
}

/// The file an address finds.
fn found(site: &MirroredFolder, address: &str) -> Option<String> {
    site.find(&url(address)).map(|id| site.files[id.index()].to_str().unwrap().to_owned())
}

#[test]
fn addresses_find_files_as_download_tools_name_them() {
    let root = folder(&[
        "index.html",
        "about",
        "blog/index.html",
        "blog/a b.html",
        "shop/index.php",
        "page?x=1",
        "list.php?p=2.html",
        "view?u=%2Fa%2Fb.html",
        "blog/index.html?p=3",
        "old%3Fid=7.html",
        "other.php@id=4.html",
        "post.html",
        "日本.html",
    ]);
    let site = open(&root, &["https://example.org/"]);
    for (address, file) in [
        ("https://example.org/", Some("index.html")),
        ("https://example.org", Some("index.html")),
        ("https://example.org/index.html#top", Some("index.html")),
        ("https://example.org/about", Some("about")),
        ("https://example.org/blog/", Some("blog/index.html")),
        ("https://example.org/blog", Some("blog/index.html")),
        ("https://example.org/blog/../blog/a%20b.html", Some("blog/a b.html")),
        ("https://example.org/shop/", Some("shop/index.php")),
        ("https://example.org/page?x=1", Some("page?x=1")),
        ("https://example.org/page%3Fx=1", Some("page?x=1")),
        ("https://example.org/list.php?p=2", Some("list.php?p=2.html")),
        ("https://example.org/list.php%3Fp=2.html", Some("list.php?p=2.html")),
        ("https://example.org/view?u=/a/b", Some("view?u=%2Fa%2Fb.html")),
        ("https://example.org/blog/?p=3", Some("blog/index.html?p=3")),
        ("https://example.org/blog?p=3", Some("blog/index.html?p=3")),
        ("https://example.org/old?id=7", Some("old%3Fid=7.html")),
        ("https://example.org/old%3Fid=7.html", Some("old%3Fid=7.html")),
        ("https://example.org/other.php?id=4", Some("other.php@id=4.html")),
        ("https://example.org/post", Some("post.html")),
        ("https://example.org/%E6%97%A5%E6%9C%AC.html", Some("日本.html")),
        ("https://example.org/post.html?x=2", Some("post.html")),
        ("https://example.org/shop/index.php?x=2", None),
        ("https://example.org/blog/?p=4", None),
        ("https://example.org/page?x=2", None),
        ("https://example.org/page", None),
        ("https://example.org/Blog/", None),
        ("https://example.org/missing.html", None),
        ("https://example.com/", None),
        ("https://example.org:8080/", None),
        ("ftp://example.org/", None),
        ("mailto:a@example.org", None),
        ("https://example.org/..%2F..%2Fetc/passwd", None),
    ] {
        assert_eq!(found(&site, address).as_deref(), file, "{address}");
    }
}

#[test]
fn without_a_base_url_links_resolve_inside_the_folder() {
    let root = folder(&["a/b.html", "c.html"]);
    fs::write(root.path().join("a/b.html"), "<a href=../c.html#x>c</a><a href=/c.html>c</a><a href=gone.html>d</a>").unwrap();
    let site = open(&root, &[]);
    let key = site.find_file(Path::new("a/b.html")).unwrap();
    assert_eq!(site.url(key).as_str(), "http://site.invalid/a/b.html");
    assert_eq!(site.loads(), 0);
    let page = site.load(key).unwrap();
    let links: Vec<_> = page.links().map(|link| site.find(&link.url.unwrap())).collect();
    let c = site.find_file(&root.path().join("c.html")).unwrap();
    assert_eq!(links, [Some(c), Some(c), None]);
    site.load(key).unwrap();
    assert_eq!(site.loads(), 1);
    assert_eq!(site.known(), [key, c]);
}

#[test]
fn base_urls_are_taken_off_the_front_longest_first() {
    let root = folder(&["index.html", "post/index.html", "blog/other.html"]);
    let site = open(&root, &["https://example.org/", "https://example.org/blog", "http://mirror.example.net/x/?q#f"]);
    for (address, file) in [
        ("https://example.org/blog/post/", Some("post/index.html")),
        ("http://www.example.org/blog/post/", Some("post/index.html")),
        ("https://example.org/post/", Some("post/index.html")),
        ("https://example.org/blog/other.html", Some("blog/other.html")),
        ("https://example.org/blog", Some("index.html")),
        ("https://mirror.example.net/x/blog/other.html", Some("blog/other.html")),
        ("https://mirror.example.net/post/", None),
        ("https://example.org/blogger/", None),
    ] {
        assert_eq!(found(&site, address).as_deref(), file, "{address}");
    }
    assert_eq!(site.url(site.find_file(Path::new("post/index.html")).unwrap()).as_str(), "https://example.org/post/index.html");
}

#[test]
fn an_address_made_for_a_page_finds_that_page() {
    let names = [
        "index.html",
        "blog/index.html",
        "a%3Fb",
        "a?b",
        "a%2541",
        "100%.html",
        "x#y.html",
        "q?a=b?c#d%.html",
        "back\\slash",
        "e'\"<>^|`{}.html",
    ];
    let root = folder(&names);
    for bases in [&[][..], &["https://example.org/"], &["https://example.org/", "https://example.org/blog/"]] {
        let site = open(&root, bases);
        assert_eq!(site.known().len(), names.len());
        for id in site.known() {
            assert_eq!(site.find(&site.url(id)), Some(id), "{} {}", site.files[id.index()].display(), site.url(id));
            assert_eq!(site.find_file(&site.files[id.index()]).unwrap(), id);
        }
    }
}

proptest! {
    #[test]
    fn no_address_panics_and_what_is_found_has_one_address(path in "[a-z%?#./ 0-9é]{0,20}", query in "[ -~é]{0,10}") {
        let root = folder(&["index.html", "a/index.html", "a?b.html", "b%20c.html"]);
        let site = open(&root, &["https://example.org/"]);
        if let Ok(url) = Url::parse(&format!("https://example.org/{path}?{query}")) && let Some(id) = site.find(&url) {
            prop_assert_eq!(site.find(&site.url(id)), Some(id));
        }
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused_and_links_inside_are_other_names() {
    use std::os::unix::fs::symlink;
    let outside = folder(&["secret.html", "sub/page.html"]);
    let root = folder(&["a/page.html", "turned.html"]);
    symlink(outside.path().join("secret.html"), root.path().join("leak.html")).unwrap();
    symlink(outside.path().join("sub"), root.path().join("sub")).unwrap();
    symlink(root.path(), root.path().join("a/loop")).unwrap();
    symlink("self.html", root.path().join("self.html")).unwrap();
    symlink("a/page.html", root.path().join("again.html")).unwrap();
    symlink("nowhere.html", root.path().join("dangling.html")).unwrap();
    let site = open(&root, &[]);
    assert_eq!(site.known().len(), 2);
    let page = site.find_file(Path::new("a/page.html")).unwrap();
    assert_eq!(site.find(&url("http://site.invalid/again.html")), Some(page));
    assert_eq!(site.find_file(&root.path().join("again.html")).unwrap(), page);
    assert_eq!(site.url(page).as_str(), "http://site.invalid/a/page.html");
    assert_eq!(found(&site, "http://site.invalid/leak.html"), None);
    assert_eq!(found(&site, "http://site.invalid/sub/page.html"), None);
    assert_eq!(found(&site, "http://site.invalid/a/loop/a/page.html"), None);
    assert!(
        site.warnings().iter().any(|warning| warning.contains("leak.html") && warning.contains("outside")),
        "{:?}",
        site.warnings()
    );
    let message = site.find_file(&root.path().join("leak.html")).unwrap_err().to_string();
    assert!(message.contains("outside"), "{message}");
    // A file that turns into a link after the folder was opened.
    let turned = site.find_file(Path::new("turned.html")).unwrap();
    fs::remove_file(root.path().join("turned.html")).unwrap();
    symlink(outside.path().join("secret.html"), root.path().join("turned.html")).unwrap();
    let message = site.load(turned).unwrap_err().to_string();
    assert!(message.contains("turned.html") && message.contains("outside"), "{message}");
}

#[test]
fn what_is_no_folder_of_pages_is_said() {
    let root = folder(&["logo.png", "x/style.css"]);
    let message = |path: &Path| MirroredFolder::open(path, &[], &Reading::default()).unwrap_err().to_string();
    assert!(message(root.path()).contains("no pages in"), "{}", message(root.path()));
    assert!(message(&root.path().join("logo.png")).contains("not a folder"));
    assert!(message(&root.path().join("nothing")).contains("no such file or folder"));
    let root = folder(&["a.html", "logo.png"]);
    let site = open(&root, &[]);
    assert!(site.find_file(Path::new("logo.png")).unwrap_err().to_string().contains("not a page"));
    assert!(site.find_file(Path::new("b.html")).unwrap_err().to_string().contains("no such file"));
}

#[test]
fn pages_of_any_charset_are_read_and_a_page_that_went_away_is_an_error() {
    let root = folder(&["a.html", "b.html"]);
    fs::write(root.path().join("a.html"), b"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2").unwrap();
    let site = open(&root, &[]);
    let page = site.load(PageId(0)).unwrap();
    assert_eq!(page.text(page.body().unwrap()), "Привет");
    fs::remove_file(root.path().join("b.html")).unwrap();
    let message = site.load(PageId(1)).unwrap_err().to_string();
    assert!(message.contains("b.html") && message.contains("still there"), "{message}");
    assert_eq!(site.loads(), 2);
}

#[test]
fn a_page_with_100_000_links_is_a_page() {
    let root = folder(&["target.html"]);
    let html: String = (0..100_000).map(|i| format!("<a href='target?{i}#x'>{i}</a><a href=target.html#{i}>t</a>")).collect();
    fs::write(root.path().join("hub.html"), html).unwrap();
    let site = open(&root, &[]);
    let hub = site.load(site.find_file(Path::new("hub.html")).unwrap()).unwrap();
    let leading = hub.links().filter(|link| link.url.as_ref().and_then(|url| site.find(url)).is_some()).count();
    assert_eq!(leading, 100_000);
}
