//! Pages that are fetched for those who ask: by the interface, and by the reading proxy.

use crate::client::{options, start};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use unchaff_serve::Options;

/// A site on this machine: each page has a menu, a text of its own, and scripts.
fn web() -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            seen.lock().unwrap().push(head);
            let text = match path.as_str() {
                "/elsewhere" => {
                    let _ =
                        write!(stream, "HTTP/1.1 302 Found\r\nLocation: /rain\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                    continue;
                }
                "/rain" => "It rained all day in the lower town, and the keeper of the log wrote down every hour of it.",
                "/snow" => "Snow fell on the upper town until the doors of the houses could not be opened any more.",
                "/sun" => "The sun came out at noon, and all who had stayed at home went to the river together.",
                _ => "There is nothing here that anyone would want to read for longer than a moment or two.",
            };
            let html = format!(
                "<!doctype html><html><head><title>{path}</title><script>top.hacked = 1</script></head><body onload=\"top.hacked=2\"><nav><ul><li><a href=/rain>Rain</a><li><a href=/snow>Snow</a><li><a href=/sun>Sun</a><li><a href=/wind>Wind</a></ul></nav>\
                 <article><h1>News of {path}</h1><p>{text} <a href=\"sun?x=1&amp;y=2\">More</a> <img src=/p.png></p></article><p>Printed with care by the harbour press since 1890.</p></body></html>"
            );
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: a=b\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{html}",
                html.len()
            );
        }
    });
    (address, asked)
}

#[test]
fn an_address_is_fetched_where_that_is_allowed() {
    let (web, asked) = web();
    let service = start(Options { fetch: true, fetch_private: true, ..options() });
    let url = format!("http://{web}/elsewhere");
    let reply = service.post_json("/v1/extract", &json!({"url": url}));
    let record = reply.json();
    assert_eq!(
        (reply.status, record["url"].as_str(), record["input"].as_str()),
        (200, Some(format!("http://{web}/rain").as_str()), Some(url.as_str()))
    );
    assert!(record["text"].as_str().unwrap().contains("keeper of the log"));
    // Looked at in another way a moment later, it is not fetched again.
    assert_eq!(service.post_json("/v1/menu", &json!({"url": url})).status, 200);
    assert_eq!(asked.lock().unwrap().len(), 2);
    let learned = service.post_json("/v1/sites/here/pages", &json!({"url": format!("http://{web}/snow")}));
    assert_eq!((learned.status, learned.json()["site"]["pages"].as_u64()), (200, Some(1)));
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(service.post_json("/v1/extract", &json!({"url": format!("http://{nobody}/")})).status, 502);
    assert_eq!(service.post_json("/v1/extract", &json!({"url": "nowhere"})).status, 400);
    service.ended();
}

#[test]
fn no_address_that_is_not_public_is_fetched_for_a_stranger() {
    let (web, asked) = web();
    let service = start(Options { fetch: true, ..options() });
    for (url, status) in [
        ("http://127.0.0.1/", 403),
        ("http://127.1/", 403),
        ("http://0x7f.1/", 403),
        ("http://2130706433/", 403),
        ("http://localhost/", 403),
        ("http://0/", 403),
        ("http://10.1.2.3/", 403),
        ("http://169.254.169.254/latest/meta-data/", 403),
        ("http://[::1]/", 403),
        ("http://[::ffff:127.0.0.1]/", 403),
        ("http://[fd00::1]/", 403),
        (&format!("http://{web}/rain"), 400),
        (&format!("http://localhost:{}/rain", web.port()), 400),
        ("https://127.0.0.1:22/", 400),
        ("file:///etc/passwd", 400),
        ("ftp://127.0.0.1/", 400),
        ("http:///", 400),
    ] {
        let reply = service.post_json("/v1/extract", &json!({"url": url}));
        assert_eq!(reply.status, status, "{url}: {}", reply.text());
        let read =
            service.get(&format!("/read?url={}", url::form_urlencoded::byte_serialize(url.as_bytes()).collect::<String>()));
        assert_eq!(read.status, status, "{url}: {}", read.text());
    }
    // Which address a name leads to is not told.
    assert!(!service.post_json("/v1/extract", &json!({"url": "http://localhost/"})).text().contains("127.0.0.1"));
    assert!(asked.lock().unwrap().is_empty());
    service.ended();
}

#[test]
fn one_reads_on_through_the_proxy_and_it_learns_the_site() {
    let (web, asked) = web();
    let service = start(Options { fetch: true, fetch_private: true, ..options() });
    let read = |path: &str, more: &str| service.get(&format!("/read?url=http%3A%2F%2F{web}{path}{more}"));
    let first = read("/rain", "");
    assert_eq!((first.status, first.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = first.header("content-security-policy").unwrap();
    assert!(policy.starts_with("sandbox allow-popups; default-src 'none';") && !policy.contains("script-src"), "{policy}");
    assert!(first.header("set-cookie").is_none() && !first.text().contains("hacked"));
    let encoded = |path: &str| url::form_urlencoded::byte_serialize(format!("http://{web}{path}").as_bytes()).collect::<String>();
    let on = format!("/read?url={}&amp;mode=html", encoded("/sun?x=1&y=2"));
    assert!(first.text().contains(&on), "{on} in {}", first.text());
    assert!(first.text().contains(&format!("src=\"http://{web}/p.png\"")), "{}", first.text());
    read("/snow", "");
    let third = read("/sun", "");
    assert!(third.text().contains("The sun came out") && !third.text().contains("harbour press"), "{}", third.text());
    // The whole page, marked: scripts are there and cannot run, and its links lead through us in the same way.
    let marked = read("/rain", "&mode=annotated");
    assert!(
        marked.text().contains("data-unchaff=\"content")
            && marked.text().contains(&format!("{}&amp;mode=annotated", encoded("/snow"))),
        "{}",
        marked.text()
    );
    assert!(marked.text().contains("[data-unchaff]{outline:"), "{}", marked.text());
    assert!(read("/rain", "&mode=skeleton&technique=ccb").status == 200);
    assert!(read("/rain", "&show=menu").text().contains("Snow"));
    for (more, says) in
        [("&mode=json", "annotated"), ("&technique=nobody", "nobody"), ("&show=all", "show"), ("&colour=red", "colour")]
    {
        let reply = read("/rain", more);
        assert!(reply.status == 400 && reply.text().contains(says), "{more}: {}", reply.text());
    }
    assert_eq!(service.get("/read").status, 400);
    assert!(
        asked
            .lock()
            .unwrap()
            .iter()
            .all(|head| !head.to_ascii_lowercase().contains("cookie") && !head.to_ascii_lowercase().contains("referer"))
    );
    service.ended();
    let service = start(options());
    assert_eq!(service.get("/read?url=https://example.org/").status, 403);
    service.ended();
}

/// What docs/views.md says of each mode, of the page as it is read through the proxy.
#[test]
fn every_mode_shows_through_the_proxy_what_it_shows_of_a_file() {
    let (web, _) = web();
    let service = start(Options { fetch: true, fetch_private: true, ..options() });
    let read = |more: &str| {
        let reply = service.get(&format!("/read?url=http%3A%2F%2F{web}%2Frain&technique=auto&mode={more}"));
        assert_eq!(reply.status, 200, "{more}: {}", reply.text());
        assert!(reply.header("content-security-policy").unwrap().starts_with("sandbox"), "{more}");
        // What stands in the bar of ours is not of the page.
        let text = reply.text().to_owned();
        let (before, rest) = text.split_once("<nav aria-label=\"unchaff\"").expect("a bar");
        before.to_owned() + rest.split_once("</nav>").expect("a bar that ends").1
    };
    let (inside, around) = ("keeper of the log", "harbour press");
    let has = |html: &str| (html.contains(inside), html.contains(around));
    assert_eq!(has(&read("html")), (true, false));
    assert_eq!(has(&read("html&complement=1")), (false, true));
    let hidden = read("hidden");
    assert!(has(&hidden) == (true, true) && hidden.contains("<p data-unchaff-hidden"), "{hidden}");
    let other = read("hidden&complement=1");
    assert!(
        has(&other) == (true, true) && other.contains("<h1 data-unchaff-hidden") | other.contains("<article data-unchaff-hidden"),
        "{other}"
    );
    assert_eq!(has(&read("replaced")), (true, false));
    assert_eq!(has(&read("replaced&complement=1")), (false, true));
    assert!(read("replaced:placeholder").contains("characters]"));
    assert!(read("replaced:ellipsis").contains('…'));
    assert!(read("replaced:x").contains("xxxxxxx xxxx xxxx"));
    let deleted = read("deleted");
    assert!(has(&deleted) == (true, false) && deleted.contains("<nav"), "{deleted}");
    let restructured = read("restructured");
    assert!(has(&restructured) == (true, true), "{restructured}");
    let at = |piece: &str| restructured.find(piece).unwrap_or_else(|| panic!("no {piece} in {restructured}"));
    assert!(at(inside) < at(around) && at(inside) < at(">Snow<"), "{restructured}");
    let highlighted = read("highlighted");
    assert!(has(&highlighted) == (true, true) && highlighted.contains("data-unchaff"), "{highlighted}");
    assert_eq!(has(&read("annotated")), (true, true));
    assert_eq!(has(&read("skeleton")), (true, false));
    // Nothing of the page acts in those that are for a browser, and its links go on through us.
    for mode in ["hidden", "replaced", "deleted", "restructured", "highlighted"] {
        let html = read(mode);
        assert!(!html.contains("<script>") && !html.contains(" onload="), "{mode}: {html}");
        assert!(
            html.contains(&format!("/read?url=http%3A%2F%2F127.0.0.1%3A{}%2Fsnow&amp;mode={mode}", web.port())),
            "{mode}: {html}"
        );
    }
    service.ended();
}
