//! The workbench: results that are sent and asked for, the report on them, and pages that people annotate.

use crate::client::{Reply, Running, options, start};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use unchaff_serve::Options;

/// A suite of one site with three pages of one template, of which nobody said anything yet.
fn suite() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("tea");
    std::fs::create_dir_all(site.join("pages")).unwrap();
    std::fs::write(site.join("site.json"), r#"{"id": "tea", "key_page": "index.html", "base_url": "https://tea.example/"}"#)
        .unwrap();
    for (name, text, paragraphs) in
        [("index", "Tea comes from a bush.", 2), ("green", "Green tea is steamed.", 4), ("black", "Black tea is rolled.", 3)]
    {
        let html = format!(
            "<!doctype html><html><head><title>{name}</title></head><body onload=\"hacked()\"><nav><ul><li><a href=index.html>Home</a></li><li><a href=green.html>Green</a></li></ul></nav>\
             <main><h1>{name}</h1>{}</main><script>hacked()</script><footer><p>Our tea shop since 1890.</p></footer></body></html>",
            format!("<p>{text} It is poured hot and drunk slowly by all who like it.</p>").repeat(paragraphs)
        );
        std::fs::write(site.join(format!("pages/{name}.html")), html).unwrap();
    }
    folder
}

fn serving(path: &Path) -> Running {
    start(Options { workbench: Some(path.to_owned()), ..options() })
}

fn put(service: &Running, path: &str, value: &Value) -> Reply {
    service.ask("PUT", path, &[("Content-Type", "application/json")], value.to_string().as_bytes())
}

fn experiment(item: &str, technique: &str, f1: f64) -> Value {
    json!({"suite": "tea-suite", "digest": "0123456789abcdef", "item": item, "bytes": 2000, "technique": technique, "kind": "page", "version": "1", "settings": {"c": 2},
           "compute_seconds": 0.01, "scores": [{"block": "content", "measure": "words", "retrieved": 4, "gold": 4, "common": 3, "recall": f1, "precision": f1, "f1": f1}]})
}

#[test]
fn results_are_entered_in_batches_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let service = serving(&folder.path().join("results.db"));
    let batch = json!([experiment("one", "ccb", 0.5), experiment("two", "ccb", 0.75), experiment("one", "dsc", 1.0)]);
    for _ in 0..2 {
        let entered = put(&service, "/v1/results", &batch);
        assert_eq!(
            (entered.status, entered.json()),
            (200, json!({"experiments": 3, "techniques": 2, "pages": 2})),
            "{}",
            entered.text()
        );
    }
    let found = |query: &str| {
        let reply = service.get(&format!("/v1/results{query}"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    };
    assert_eq!(found("")["experiments"].as_array().unwrap().len(), 3);
    assert_eq!(found("?technique=ccb")["experiments"].as_array().unwrap().len(), 2);
    assert_eq!(found("?page=one&suite=tea-suite&setting=c=2")["experiments"].as_array().unwrap().len(), 2);
    assert_eq!(found("?setting=c=3")["experiments"], json!([]));
    let first = found("?limit=2");
    assert_eq!((first["experiments"].as_array().unwrap().len(), &first["next"]), (2, &json!(2)));
    let rest = found("?limit=2&after=2");
    assert_eq!((rest["experiments"].as_array().unwrap().len(), &rest["next"]), (1, &Value::Null));
    // What is answered can be sent.
    assert_eq!(put(&service, "/v1/results", &first["experiments"]).status, 200);
    assert!(service.get("/v1/results?format=csv").text().starts_with("suite,digest,item,"));
    assert_eq!(found("/summary")["rows"].as_array().unwrap().len(), 2);
    // Lines, as `unchaff bench export` writes them.
    let lines = format!("{}\n{}\n", experiment("three", "ccb", 0.1), experiment("four", "ccb", 0.2));
    let sent = service.ask("PUT", "/v1/results", &[("Content-Type", "application/x-ndjson")], lines.as_bytes());
    assert_eq!((sent.status, &sent.json()["pages"]), (200, &json!(2)));

    let mut senseless = experiment("one", "ccb", 0.5);
    senseless["scores"][0]["f1"] = json!(3);
    for (body, status, says) in [
        (json!([experiment("five", "ccb", 0.5), senseless]), 400, "experiment 2 of the batch"),
        (json!({"experiments": []}), 400, "a batch is a list"),
        (json!([{"suite": "x"}]), 400, "missing field"),
        (json!(vec![json!(0); 3]), 400, "invalid type"),
    ] {
        let reply = put(&service, "/v1/results", &body);
        assert!(reply.status == status && reply.text().contains(says), "{}", reply.text());
    }
    assert_eq!(found("?page=five")["experiments"], json!([]));
    assert_eq!(service.ask("PUT", "/v1/results", &[("Content-Type", "text/html")], b"[]").status, 415);
    for query in ["?colour=red", "?limit=many", "?setting=c", "?format=xml"] {
        assert_eq!(service.get(&format!("/v1/results{query}")).status, 400, "{query}");
    }
    assert_eq!(service.get("/v1/annotation/pages").status, 404);
    service.ended();
    let service = start(options());
    for path in ["/v1/results", "/workbench/report", "/v1/annotation/pages"] {
        let reply = service.get(path);
        assert!(reply.status == 404 && reply.text().contains("--workbench"), "{path}: {}", reply.text());
    }
    service.ended();
}

#[test]
fn the_report_is_of_what_the_database_has_now() {
    let folder = suite();
    let service = serving(folder.path());
    let who = |who: &str| format!("/v1/annotation?site=tea&page=index.html&who={who}");
    // html 0, head 1, title 2, body 3, nav 4, ul 5, li 6, a 7, li 8, a 9, main 10, h1 11, p 12, p 13
    let said = json!({"content": [[10, 14]], "menu": 5});
    assert_eq!(put(&service, &who("anna"), &said).status, 204);
    assert_eq!(service.post_json("/v1/annotation/gold?site=tea&page=index.html", &json!({})).status, 200);
    // The suite that came of it is run, and its results are sent.
    let suites = unchaff_bench::suite::Suite::open(folder.path()).unwrap();
    let mut database = unchaff_bench::database::Database::in_memory().unwrap();
    let contenders =
        ["auto", "ccb"].iter().flat_map(|name| unchaff_bench::run::Contender::named(name, &[]).unwrap()).collect::<Vec<_>>();
    unchaff_bench::run::run(&mut database, &suites, &contenders, &unchaff_bench::run::Options::default(), &|_, _| ()).unwrap();
    let mut lines = Vec::new();
    unchaff_bench::export::export(&database, unchaff_bench::export::Form::JsonLines, &mut lines).unwrap();
    let sent = service.ask("PUT", "/v1/results", &[("Content-Type", "application/x-ndjson")], &lines);
    assert_eq!(sent.status, 200, "{}", sent.text());

    let report = service.get("/workbench/report");
    let policy = report.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'sha256-") && !policy.contains("script-src 'unsafe-inline'"), "{policy}");
    assert!(report.text().contains("table class='sorts figures'"));
    let link = report.text().split("<a href='pages?").nth(1).unwrap().split('\'').next().unwrap().replace("&amp;", "&");
    let pages = service.get(&format!("/workbench/pages?{link}"));
    assert!(pages.status == 200 && pages.text().contains("<th scope=row><a href='page?"), "{}", pages.text());
    let link = pages.text().split("<a href='page?").nth(1).unwrap().split('\'').next().unwrap().replace("&amp;", "&");
    let page = |view: &str| service.get(&format!("/workbench/page?{}", link.replace("view=over", &format!("view={view}"))));
    let over = page("over");
    assert!(over.text().contains("data-unchaff=right") && over.text().contains("sandbox=''"), "{}", over.text());
    let frame = |reply: &Reply| reply.text().split("srcdoc=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(frame(&page("original")).contains("Our tea shop") && !frame(&page("original")).contains(" data-unchaff=hidden"));
    // The one hides what the other shows.
    let (result, complement) = (frame(&page("result")), frame(&page("complement")));
    assert!(result.contains("&lt;main data-unchaff=none") || result.contains("&lt;main&gt;&lt;h1 data-unchaff=none"), "{result}");
    assert!(
        result.contains(" data-unchaff=hidden") && complement.contains(" data-unchaff=hidden") && complement != result,
        "{complement}"
    );
    for reply in [over, page("gold"), page("result")] {
        assert!(!reply.text().contains("hacked"), "{}", reply.text());
    }
    // New results are there at once.
    assert!(!service.get("/workbench/report").text().contains("tea-suite"));
    assert_eq!(put(&service, "/v1/results", &json!([experiment("one", "ccb", 0.5)])).status, 200);
    assert!(service.get("/workbench/report").text().contains("tea-suite"));
    // A page of a suite that is not ours is told of, and not shown.
    let alien = service.get("/workbench/page?suite=tea-suite&technique=ccb:c=2&block=content&measure=words&item=one");
    assert!(alien.status == 200 && alien.text().contains("cannot be opened again"), "{}", alien.text());
    assert_eq!(
        service.get("/workbench/page?suite=tea-suite&technique=ccb:c=2&block=content&measure=words&item=none").status,
        404
    );
    assert_eq!(service.get("/workbench/pages?suite=tea-suite").status, 400);
    service.ended();
}

#[test]
fn people_annotate_apart_and_what_holds_becomes_a_suite() {
    let folder = suite();
    let service = serving(folder.path());
    let pages = service.get("/v1/annotation/pages").json();
    let names: Vec<&str> = pages["pages"].as_array().unwrap().iter().map(|page| page["page"].as_str().unwrap()).collect();
    assert_eq!(names, ["index.html", "black.html", "green.html"]);
    let page = || service.get("/v1/annotation/page?site=tea&page=index.html").json();
    let html = page()["html"].as_str().unwrap().to_owned();
    assert!(html.contains("<main data-n=10>") && !html.contains("hacked") && !html.contains("<script"), "{html}");
    let save =
        |who: &str, said: &Value| put(&service, &format!("/v1/annotation?site=tea&page=index.html&who={who}"), said).status;
    let segments = json!([{"element": 4, "level": 1, "kind": "Menu"}, {"element": 10, "level": 1, "kind": "Main content"}]);
    assert_eq!(save("anna", &json!({"content": [[10, 14]], "menu": 5, "segments": segments})), 204);
    assert_eq!(page()["agreement"], Value::Null);
    assert_eq!(save("bo", &json!({"content": [[12, 14]], "menu": 5, "segments": segments})), 204);
    let about = page()["agreement"]["about"].clone();
    let content = about.as_array().unwrap().iter().find(|about| about["what"] == "content").unwrap().clone();
    // Seen are a, a, h1, p, p and the p of the footer; they differ about the heading: 5 of 6, and kappa (5/6 - 1/2) / (1/2).
    assert!((content["observed"].as_f64().unwrap() - 5.0 / 6.0).abs() < 1e-9, "{about}");
    assert!((content["kappa"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9, "{about}");
    let decide = |more: &str| service.post_json(&format!("/v1/annotation/gold?site=tea&page=index.html{more}"), &json!({}));
    let undecided = decide("").json();
    assert_eq!((&undecided["undecided"], &undecided["annotation"]["content"]), (&json!([10, 11]), &json!([[12, 14]])));
    assert_eq!(save("cy", &json!({"content": [[10, 14]], "menu": 5, "segments": segments})), 204);
    let by_most = decide("").json();
    assert_eq!((&by_most["undecided"], &by_most["annotation"]["content"]), (&json!([]), &json!([[10, 14]])));
    let judged = decide("&judge=bo").json();
    assert_eq!(judged["annotation"]["content"], json!([[10, 14]]), "the others agree");
    assert_eq!(decide("&judge=nobody").status, 404);
    assert_eq!(page()["gold"], judged["annotation"]);
    let mut suites = unchaff_bench::suite::Suite::open(folder.path()).unwrap();
    suites.iter_mut().for_each(unchaff_bench::suite::Suite::check);
    assert!(suites.iter().all(|suite| suite.items.len() == 1 && suite.problems.is_empty()), "{suites:?}");
    assert!(folder.path().join("segments/tea/index.html/index.blocks.html").is_file());

    // What was said of one page is proposed for the others of its template, and is nobody's opinion until it is saved.
    let similar = service.get("/v1/annotation/similar?site=tea&page=index.html").json();
    assert_eq!(similar["pages"].as_array().unwrap().len(), 2, "{similar}");
    let carried = service.get("/v1/annotation/carried?site=tea&page=green.html&from=index.html&who=anna").json();
    assert_eq!((&carried["same_template"], &carried["annotation"]["content"]), (&json!(true), &json!([[10, 16]])));
    assert_eq!(carried["annotation"]["segments"], segments);
    let green = service.get("/v1/annotation/page?site=tea&page=green.html").json();
    assert_eq!((&green["people"], &green["gold"]), (&json!([]), &Value::Null));

    for (path, body, status) in [
        ("/v1/annotation?site=tea&page=index.html&who=a/b", json!({}), 400),
        ("/v1/annotation?site=tea&page=index.html&who=gold", json!({}), 400),
        ("/v1/annotation?site=tea&page=index.html", json!({}), 400),
        ("/v1/annotation?site=tea&page=../site.json&who=anna", json!({}), 404),
        ("/v1/annotation?site=..&page=index.html&who=anna", json!({}), 404),
        ("/v1/annotation?site=tea&page=none.html&who=anna", json!({}), 404),
        ("/v1/annotation?site=tea&page=index.html&who=anna", json!({"content": [[10, 99]]}), 400),
        ("/v1/annotation?site=tea&page=index.html&who=anna", json!({"colour": 1}), 400),
        ("/v1/annotation?site=tea&page=index.html&who=anna", json!([]), 400),
    ] {
        let reply = put(&service, path, &body);
        assert_eq!(reply.status, status, "{path} {body}: {}", reply.text());
    }
    assert_eq!(service.post_json("/v1/annotation/gold?site=tea&page=green.html", &json!({})).status, 400);
    assert_eq!(service.post_json("/v1/annotation/pages", &json!({"url": "https://example.org/"})).status, 403);
    let forget = service.ask("DELETE", "/v1/annotation?site=tea&page=index.html&who=cy", &[], b"");
    assert_eq!(forget.status, 204);
    assert_eq!(page()["people"].as_array().unwrap().len(), 2);
    service.ended();
}

#[test]
fn nobody_without_the_token_sees_the_workbench_and_no_page_of_others_uses_it() {
    let folder = suite();
    let service = start(Options { workbench: Some(folder.path().to_owned()), token: Some("secret".to_owned()), ..options() });
    for path in ["/v1/results", "/workbench/report", "/workbench/pages", "/workbench/page", "/v1/annotation/pages"] {
        assert_eq!(service.get(path).status, 401, "{path}");
    }
    assert_eq!(service.get("/workbench").status, 200);
    let known = [("Authorization", "Bearer secret")];
    assert_eq!(service.ask("GET", "/v1/annotation/pages", &known, b"").status, 200);
    let alien = [("Authorization", "Bearer secret"), ("Origin", "https://evil.example"), ("Content-Type", "application/json")];
    assert_eq!(service.ask("PUT", "/v1/annotation?site=tea&page=index.html&who=anna", &alien, b"{}").status, 403);
    service.ended();
}

#[test]
fn a_workbench_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text: PathBuf = folder.path().join("notes.txt");
    std::fs::write(&text, "These are notes, and no database at all.").unwrap();
    let error = unchaff_serve::Server::bind(Options { workbench: Some(text), ..options() }).unwrap_err();
    assert!(error.to_string().contains("cannot be used as a database"), "{error}");
}

#[test]
fn pages_of_any_suite_are_annotated_with_their_looks_and_parts_of_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    };
    let html = "<!doctype html><html><head><link rel=stylesheet href=one.css><link rel=stylesheet href=https://evil.invalid/x.css></head><body><nav>Home</nav>\
                <main><p>Tea is green Share<img src=dot.png></p></main></body></html>";
    write("texts/meta.json", br#"{"items": {"one": {"url": "https://tea.example/one"}}}"#);
    write("texts/pages/one.html", html.as_bytes());
    write("texts/pages/one.css", b"p { color: green }");
    write("texts/pages/dot.png", b"\x89PNG\r\n\x1a\n");
    write("texts/gold/one.txt", b"Another text.");
    write("drawn/tea.example/tea.example/index.dom.html", html.as_bytes());
    write("alone/single.html", html.as_bytes());
    let service = serving(folder.path());
    let pages = service.get("/v1/annotation/pages").json();
    let names: Vec<String> = pages["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| format!("{}:{}", page["site"], page["page"]).replace('"', ""))
        .collect();
    assert_eq!(names, ["alone:single.html", "drawn:tea.example/tea.example/index.dom.html", "texts:one.html"]);
    let shown = |more: &str| {
        service.get(&format!("/v1/annotation/page?site=texts&page=one.html{more}")).json()["html"].as_str().unwrap().to_owned()
    };
    let page = shown("");
    assert!(page.contains("<style>p { color: green }</style>") && page.contains("src=\"data:image/png;base64,"), "{page}");
    assert!(!page.contains("evil"), "{page}");
    assert!(shown("&web=1").contains("href=\"https://evil.invalid/x.css\""));

    // html 0, head 1, link 2, link 3, body 4, nav 5, main 6, p 7
    let said = json!({"content": [[6, 9]], "texts": [{"element": 7, "from": 13, "to": 18, "is": "template"}]});
    for (site, page) in [("texts", "one.html"), ("alone", "single.html")] {
        let at = |path: &str| format!("/v1/annotation{path}?site={site}&page={page}");
        let saved = put(&service, &format!("{}&who=anna", at("")), &said);
        assert_eq!(saved.status, 204, "{}", saved.text());
        let read = service.get(&at("/page")).json();
        assert_eq!(read["people"][0]["annotation"]["texts"], said["texts"]);
        if site == "texts" {
            let refused = service.post_json(&at("/gold"), &json!({}));
            assert!(refused.status == 409 && refused.text().contains("replace=1"), "{}", refused.text());
        }
        let gold = service.post_json(&format!("{}&replace=1", at("/gold")), &json!({}));
        assert_eq!(gold.status, 200, "{}", gold.text());
    }
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap().trim().to_owned();
    assert_eq!((text("texts/gold/one.txt"), text("alone/single.txt")), ("Tea is green".to_owned(), "Tea is green".to_owned()));
    let suites = unchaff_bench::suite::Suite::open(folder.path()).unwrap();
    assert_eq!(
        suites.iter().map(|suite| (suite.layout.as_str(), suite.items.len())).collect::<Vec<_>>(),
        [("package", 1), ("texts", 1)]
    );
    for wrong in [
        json!({"texts": [{"element": 7, "from": 13, "to": 99, "is": "template"}]}),
        json!({"texts": [{"element": 7, "from": 0, "to": 3, "is": "nice"}]}),
        json!({"texts": [{"element": 700, "from": 0, "to": 3, "is": "ads"}]}),
    ] {
        assert_eq!(put(&service, "/v1/annotation?site=texts&page=one.html&who=anna", &wrong).status, 400, "{wrong}");
    }
    service.ended();
}
