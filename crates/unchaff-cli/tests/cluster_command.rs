//! `unchaff cluster` on the websites of our own suite, mixed together.

mod running;

use running::unchaff;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut rest = vec![folder.to_owned()];
    while let Some(path) = rest.pop() {
        if path.is_dir() {
            rest.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A list of all pages of some sites of the suite, in turn, with the name of the site as their host.
fn mixed(folder: &Path, sites: &[&str]) -> (String, usize) {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sites").canonicalize().unwrap();
    let pages: Vec<Vec<PathBuf>> = sites.iter().map(|site| files(&suite.join(site).join("pages"))).collect();
    let longest = pages.iter().map(Vec::len).max().unwrap();
    let mut list = String::new();
    for at in 0..longest {
        for (site, pages) in sites.iter().zip(&pages) {
            if let Some(page) = pages.get(at) {
                let name = page.file_stem().unwrap().to_str().unwrap();
                writeln!(list, "https://{site}.example/{at}/{name}\t{}", page.display()).unwrap();
            }
        }
    }
    let path = folder.join("pages.tsv");
    fs::write(&path, &list).unwrap();
    (path.to_str().unwrap().to_owned(), list.lines().count())
}

const SITES: [&str; 3] = ["cocina-blog", "tidewire-docs", "harbour-news"];

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let done = unchaff(arguments);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    serde_json::from_str(&done.out).unwrap()
}

/// The sites whose pages are in each cluster.
fn hosts(document: &Value) -> Vec<Vec<String>> {
    let of = |cluster: &Value| {
        let urls = cluster["urls"].as_array().unwrap().iter();
        let mut hosts: Vec<String> = urls.map(|url| host(url.as_str().unwrap()).to_owned()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    };
    document["clusters"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn no_cluster_mixes_sites_whatever_the_distance() {
    let folder = tempfile::tempdir().unwrap();
    let (list, count) = mixed(folder.path(), &SITES);
    for distance in
        ["tag-shingles", "class-paths", "common-paths", "path-shingles", "id-paths", "rtdm", "tag-sequence", "bag-of-paths"]
    {
        let document = json(&["cluster", &list, "-f", "json", "--distance", distance]);
        assert_eq!(document["pages"].as_u64().unwrap() as usize, count, "{distance}");
        assert!(hosts(&document).iter().all(|hosts| hosts.len() == 1), "{distance}: {:?}", hosts(&document));
        let clusters = document["clusters"].as_array().unwrap();
        assert_eq!(document["merges"].as_array().unwrap().len(), clusters.len() - 1, "{distance}");
        let sizes: Vec<u64> = clusters.iter().map(|cluster| cluster["pages"].as_u64().unwrap()).collect();
        assert!(sizes.is_sorted_by(|one, other| one >= other) && sizes.iter().sum::<u64>() as usize == count, "{distance}");
        for cluster in clusters {
            assert!(cluster["urls"].as_array().unwrap().contains(&cluster["representative"]), "{distance}");
        }
    }
}

#[test]
fn every_method_answers_and_jobs_do_not_change_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (list, _) = mixed(folder.path(), &SITES);
    for method in
        [vec!["--k", "3"], vec!["--method", "k-median", "--k", "3"], vec!["--method", "stream"], vec!["--threshold", "0.5"]]
    {
        let run = |jobs: &str| json(&[&["cluster", &list, "-f", "json", "-j", jobs], &method[..]].concat());
        let document = run("1");
        assert_eq!(document, run("3"), "{method:?}");
        if method.contains(&"--k") {
            assert_eq!(document["clusters"].as_array().unwrap().len(), 3);
            assert!(document["threshold"].is_null());
        }
    }
}

#[test]
fn the_table_and_the_report_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (list, count) = mixed(folder.path(), &SITES);
    let report = folder.path().join("out/report.html");
    let done = unchaff(&["cluster", &list, "--report", report.to_str().unwrap()]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.starts_with(&format!("{count} pages in ")), "{}", done.out);
    let html = fs::read_to_string(&report).unwrap();
    assert_eq!(html.matches("<circle cx=").count(), count, "a dot for each page");
    assert!(html.contains("aria-label='Dendrogram of pages and clusters'") && html.contains("prefers-color-scheme: dark"));
    for outside in ["src=", "url(", "@import", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let rows = done.out.lines().filter(|line| line.contains("https://")).count();
    assert_eq!(html.matches("<tr data-t=").count(), rows);
    assert_eq!(unchaff(&["cluster", &list, "-f", "html"]).out, html);
}

/// What kind of page each is on five sites of the suite, by its address.
fn kinds(list: &str) -> String {
    let kind = |url: &str| {
        let (site, page) = (host(url), url.splitn(5, '/').nth(4).unwrap());
        let is = |names: &[&str]| names.contains(&page);
        let kind = match site {
            "harbour-news.example" if is(&["index"]) => "list",
            "harbour-news.example" if is(&["about"]) => "about",
            "tidewire-docs.example" if is(&["index"]) => "home",
            "grib-forum.example" => page.split(".php").next().unwrap(),
            "lampen-shop.example" if is(&["index", "sortiment"]) => "list",
            "lampen-shop.example" if is(&["versand", "werkstatt"]) => "about",
            _ => "page",
        };
        format!("{site} {kind}")
    };
    list.lines()
        .map(|line| line.split('\t').next().unwrap())
        .fold(String::new(), |all, url| format!("{all}{url}\t{}\n", kind(url)))
}

#[test]
fn kinds_of_pages_fall_apart_and_agreement_with_the_truth_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (list, count) = mixed(folder.path(), &["harbour-news", "grib-forum", "lampen-shop", "tidewire-docs"]);
    let truth = folder.path().join("truth.tsv");
    fs::write(&truth, kinds(&fs::read_to_string(&list).unwrap())).unwrap();
    let truth = truth.to_str().unwrap();
    let agreement = |more: &[&str]| json(&[&["cluster", &list, "-f", "json"], more].concat())["agreement"].clone();
    let sites = agreement(&["--truth", "site"]);
    assert_eq!((sites["pages"].as_u64(), sites["classes"].as_u64()), (Some(count as u64), Some(4)), "{sites}");
    assert_eq!((sites["rand"].as_f64(), sites["purity"].as_f64()), (Some(1.0), Some(1.0)), "sites are told apart");
    let (coarse, fine) = (agreement(&["--truth", truth]), agreement(&["--truth", truth, "--kinds"]));
    let adjusted = |agreement: &Value| agreement["adjusted_rand"].as_f64().unwrap();
    assert!(adjusted(&fine) > 0.8 && adjusted(&fine) > adjusted(&coarse) + 0.1, "{coarse} {fine}");
    let table = unchaff(&["cluster", &list, "--truth", truth, "--kinds"]).out;
    assert!(table.lines().nth(1).unwrap().starts_with("against the truth ("), "{table}");
}

#[test]
fn kinds_are_told_by_paths_unless_another_distance_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (list, _) = mixed(folder.path(), &["harbour-news"]);
    let told = |more: &[&str]| {
        let found = json(&[&["cluster", &list, "-f", "json"], more].concat());
        (found["distance"].as_str().unwrap().to_owned(), found["threshold"].as_f64().unwrap())
    };
    assert_eq!(told(&[]), ("tag-shingles".to_owned(), 0.7));
    assert_eq!(told(&["--kinds"]), ("common-paths".to_owned(), 0.2));
    assert_eq!(told(&["--kinds", "--distance", "class-paths"]), ("class-paths".to_owned(), 0.2));
}

#[test]
fn parameters_of_distances_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let (list, _) = mixed(folder.path(), &SITES);
    let clusters = |set: &str| json(&["cluster", &list, "-f", "json", "--set", set])["clusters"].as_array().unwrap().len();
    assert!(clusters("tag_shingle=40") > clusters("tag_shingle=2"));
    for (set, expected) in
        [("letters=1", "path_shingle, tag_shingle"), ("tag_shingle=many", "a whole number from 0"), ("x", "PARAMETER=VALUE")]
    {
        let done = unchaff(&["cluster", &list, "--set", set]);
        assert!(done.code == 2 && done.err.contains(expected), "{set}: {}", done.err);
    }
}

#[test]
fn links_of_the_report_lead_to_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a b.html"), "<title>One page</title><p>one").unwrap();
    fs::write(folder.path().join("c.html"), "<p>two").unwrap();
    let html = unchaff(&["cluster", folder.path().to_str().unwrap(), "-f", "html"]).out;
    assert!(html.contains("/a%20b.html' rel='noreferrer nofollow'>One page</a>") && html.contains("href='file:///"), "{html}");
    assert!(!html.contains("site.invalid"), "{html}");
}

#[test]
fn files_of_a_folder_are_called_by_their_names_and_known_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    fs::create_dir(&pages).unwrap();
    for (name, text) in [("a b.html", "<p>one"), ("c.html", "<p>one"), ("ü.html", "<table><tr><td>two")] {
        fs::write(pages.join(name), text).unwrap();
    }
    let source = pages.to_str().unwrap();
    let truth = folder.path().join("truth.tsv");
    fs::write(&truth, "a b.html\ttext\nc.html\ttext\nü.html\ttable\n").unwrap();
    let document = json(&["cluster", source, "-f", "json", "--truth", truth.to_str().unwrap()]);
    assert_eq!(document["clusters"][0]["urls"], serde_json::json!(["a b.html", "c.html"]));
    assert_eq!(document["clusters"][1]["representative"], "ü.html");
    assert_eq!(
        (&document["agreement"]["pages"], &document["agreement"]["purity"]),
        (&serde_json::json!(3), &serde_json::json!(1.0))
    );
    let copies = json(&["cluster", source, "-f", "json", "--duplicates", "exact", "--of", "page"]);
    assert_eq!(copies["groups"], serde_json::json!([["a b.html", "c.html"]]));
}

#[test]
fn markup_in_an_address_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.html"), "<p>one").unwrap();
    fs::write(folder.path().join("<b onclick=x>'.html"), "<table><tr><td>two").unwrap();
    let done = unchaff(&["cluster", folder.path().to_str().unwrap(), "-f", "html"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.out.contains("<b onclick"), "{}", done.out);
}

#[test]
fn a_limit_takes_pages_from_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (list, _) = mixed(folder.path(), &SITES);
    let document = json(&["cluster", &list, "-f", "json", "--limit", "7"]);
    assert_eq!(document["pages"], 7);
    let one = json(&["cluster", &list, "-f", "json", "--limit", "1"]);
    assert_eq!((one["clusters"].as_array().unwrap().len(), one["merges"].as_array().unwrap().len()), (1, 0));
}

#[test]
fn what_cannot_be_done_is_said_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let (list, _) = mixed(folder.path(), &SITES[..1]);
    let cases: [(&[&str], &str); 6] = [
        (&["--distance", "letters"], "tag-shingles"),
        (&["--method", "k-median"], "give their number"),
        (&["--method", "stream", "--k", "3"], "leave out --k"),
        (&["--method", "stream", "--distance", "rtdm"], "use common-paths"),
        (&["--threshold", "2"], "from 0 to 1"),
        (&["--threshold", "0.5", "--k", "2"], "exclude each other"),
    ];
    for (arguments, expected) in cases {
        let done = unchaff(&[&["cluster", &list], arguments].concat());
        assert!(done.code == 2 && done.err.contains(expected), "{arguments:?}: {}", done.err);
    }
    let missing = unchaff(&["cluster", "no/such/folder"]);
    assert!(missing.code == 2 && missing.err.contains("no such file or folder"), "{}", missing.err);
}

#[test]
fn copies_of_a_page_are_found_by_their_content_whatever_is_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = |last: &str| {
        format!(
            "<h1>Flood</h1><p>It rained all day and all night, and in the morning the river had come into the garden of the mill.</p>\
             <p>Nobody could remember such a flood, not even the miller, who was ninety and had seen many of them.</p><p>{last}</p>"
        )
    };
    let other = "<h1>Fair</h1><p>The fair begins on Friday with a procession of children and ends on Sunday with fireworks over the lake.</p>\
                 <p>Whoever comes by train gets a lantern, and whoever comes on foot gets two.</p>";
    for (name, html) in [
        ("a.html", format!("<nav><a href=/>Home</a></nav><main>{}</main>", text("The bridge is closed."))),
        (
            "b.html",
            format!("<header>Another paper</header><article>{}</article><footer>© them</footer>", text("The bridge is shut.")),
        ),
        ("c.html", format!("<main>{other}</main>")),
    ] {
        fs::write(folder.path().join(name), html).unwrap();
    }
    let source = folder.path().to_str().unwrap();
    let found = json(&["cluster", source, "--duplicates", "shingles", "--threshold", "0.3", "-f", "json"]);
    assert_eq!((found["pages"].as_u64(), found["copies"].as_u64()), (Some(3), Some(1)), "{found}");
    let group: Vec<&str> = found["groups"][0].as_array().unwrap().iter().map(|url| url.as_str().unwrap()).collect();
    assert!(group[0].ends_with("a.html") && group[1].ends_with("b.html"), "{found}");
    assert_eq!(json(&["cluster", source, "--duplicates", "exact", "-f", "json"])["copies"], 0);
    let table = unchaff(&["cluster", source, "--duplicates", "shingles", "--threshold", "0.3"]).out;
    assert!(table.starts_with("# 3 pages, 1 of them copies") && table.contains("  = "), "{table}");
}
