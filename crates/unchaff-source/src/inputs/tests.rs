use super::*;

/// A folder with these files in it (a name that ends in `/` is a folder).
fn folder(names: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for name in names {
        let path = root.path().join(name);
        if name.ends_with('/') {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "<p>").unwrap();
        }
    }
    root
}

fn relatives(inputs: Inputs) -> Vec<String> {
    inputs.map(|named| named.unwrap().relative.to_str().unwrap().replace('\\', "/")).collect()
}

#[test]
fn a_folder_gives_its_pages_by_name_and_leaves_out_the_rest() {
    let root = folder(&[
        "z.html",
        "a.html",
        "B.htm",
        "about",
        "m/index.php",
        "m/n/deep.xhtml",
        "m/a.jsp",
        "logo.png",
        "style.css",
        "app.js",
        ".hidden.html",
        ".git/index.html",
        "empty/",
    ]);
    let expected = ["B.htm", "a.html", "about", "m/a.jsp", "m/index.php", "m/n/deep.xhtml", "z.html"];
    assert_eq!(relatives(inputs(&[root.path()])), expected);
    let first = inputs(&[root.path()]).next().unwrap().unwrap();
    assert_eq!(first.input, Input::File(root.path().join("B.htm")));
}

#[test]
fn small_batches_give_the_same_as_one() {
    let names: Vec<String> = (0..97).map(|i| format!("{}/{}.html", i % 7, i * 31 % 97)).collect();
    let root = folder(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let whole = relatives(inputs(&[root.path()]));
    assert_eq!(whole.len(), 97);
    for batch in [1, 2, 5, 14] {
        let mut walk = inputs(&[root.path()]);
        walk.batch = batch;
        assert_eq!(relatives(walk), whole, "batches of {batch}");
    }
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed_and_links_to_files_are() {
    use std::os::unix::fs::symlink;
    let root = folder(&["a/page.html"]);
    symlink(root.path(), root.path().join("a/loop")).unwrap();
    symlink(root.path().join("a/page.html"), root.path().join("link.html")).unwrap();
    assert_eq!(relatives(inputs(&[root.path()])), ["a/page.html", "link.html"]);
    // The folder that is named may be a link.
    assert_eq!(relatives(inputs(&[root.path().join("a/loop")])), ["a/page.html", "link.html"]);
    symlink("nowhere", root.path().join("b.html")).unwrap();
    let results: Vec<_> = inputs(&[root.path()]).collect();
    assert!(matches!(&results[1], Err(InputError::DanglingLink { path }) if path.ends_with("b.html")));
    assert_eq!(results.len(), 3);
}

#[cfg(unix)]
#[test]
fn names_with_queries_and_odd_characters_are_kept() {
    let root = folder(&["index.php?id=3&x=a b", "style.css?v=1", "new\nline.html", "-", "--help", "日本.html"]);
    assert_eq!(relatives(inputs(&[root.path()])), ["-", "--help", "index.php?id=3&x=a b", "new\nline.html", "日本.html"]);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        fs::write(root.path().join(OsStr::from_bytes(b"caf\xe9.html")), "").unwrap();
        assert_eq!(inputs(&[root.path()]).filter(Result::is_ok).count(), 6);
    }
}

#[test]
fn a_file_that_is_named_is_taken_whatever_its_name() {
    let root = folder(&["logo.png", ".hidden"]);
    let (logo, hidden) = (root.path().join("logo.png"), root.path().join(".hidden"));
    let named: Vec<Named> = inputs(&[&logo, &hidden]).map(Result::unwrap).collect();
    assert_eq!(named[0], Named { input: Input::File(logo), relative: "logo.png".into(), given: None });
    assert_eq!(named[1], Named { input: Input::File(hidden), relative: ".hidden".into(), given: None });
}

#[test]
fn an_error_says_what_to_do_and_the_rest_goes_on() {
    let root = folder(&["page.html", "empty/logo.png"]);
    let arguments = [
        root.path().join("missing.html").into_os_string(),
        root.path().join("page.html/below").into_os_string(),
        root.path().join("empty").into_os_string(),
        "".into(),
        "ftp://example.org/".into(),
        "https://".into(),
        "-".into(),
        "-".into(),
        root.path().join("page.html").into_os_string(),
    ];
    let results: Vec<_> = inputs(&arguments).collect();
    assert_eq!(results.len(), arguments.len());
    let message = |at: usize| results[at].as_ref().unwrap_err().to_string();
    assert!(message(0).contains("missing.html`") && message(0).contains("https://"), "{}", message(0));
    assert!(matches!(results[1], Err(InputError::NotFound { .. })), "{}", message(1));
    assert!(matches!(&results[2], Err(InputError::NoPages { folder }) if folder.ends_with("empty")));
    assert!(matches!(results[3], Err(InputError::NotFound { .. })));
    assert!(message(4).contains("ftp://example.org/") && message(4).contains("only http and https"), "{}", message(4));
    assert!(matches!(results[5], Err(InputError::BadUrl { .. })));
    assert_eq!(results[6].as_ref().unwrap().input, Input::Stdin);
    assert!(matches!(results[7], Err(InputError::StdinTwice)));
    assert!(results[8].is_ok());
}

#[test]
fn addresses_are_normalised_and_shown_without_password() {
    let named = inputs(&["HTTPS://user:secret@Example.ORG/a b?q#top"]).next().unwrap().unwrap();
    assert_eq!(named.input, Input::Url("https://user:secret@example.org/a%20b?q#top".into()));
    assert_eq!(named.input.to_string(), "https://example.org/a%20b?q");
    assert_eq!(named.relative, Path::new("example.org/a b?q"));
}

#[test]
fn a_deep_folder_does_not_meet_the_call_stack() {
    let root = folder(&[&("d/".repeat(400) + "page.html")]);
    assert_eq!(relatives(inputs(&[root.path()])).len(), 1);
}
