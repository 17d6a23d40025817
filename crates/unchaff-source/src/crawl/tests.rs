use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::*;

/// A server on this machine that answers each path with what a function says.
pub(crate) struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub(crate) fn new(answer: impl Fn(&str) -> String + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (noted, stopped) = (Arc::clone(&asked), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(mut stream) = stream else { continue };
                let mut head = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
                let Some(path) = head.split(' ').nth(1) else { continue };
                noted.lock().unwrap().push(path.to_owned());
                // A client that has seen enough hangs up; that is its right.
                let _ = stream.write_all(answer(path).as_bytes());
            }
        });
        Server { address, asked, stop, thread: Some(thread) }
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("{}{path}", self.address)).unwrap()
    }

    /// The paths asked for so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn forget(&self) {
        self.asked.lock().unwrap().clear();
    }

    pub(crate) fn page(html: &str) -> String {
        Server::document("text/html", html)
    }

    fn document(content_type: &str, body: &str) -> String {
        format!(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    pub(crate) fn status(status: &str) -> String {
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address.trim_start_matches("http://"));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) fn redirect_to(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
}

/// Without pauses, and with this machine allowed.
pub(crate) fn polite() -> PoliteOptions {
    PoliteOptions { delay: Duration::ZERO, max_delay: Duration::ZERO, allow_private: true, ..PoliteOptions::default() }
}

struct Crawled {
    report: CrawlReport,
    /// Paths of the pages in the archive.
    pages: Vec<String>,
}

fn run(start: &Url, folder: &tempfile::TempDir, options: CrawlOptions) -> Crawled {
    let archive = folder.path().join("site.warc.gz");
    let was_there = archive.exists();
    let report = crawl(std::slice::from_ref(start), &archive, &options, &Arc::default(), &mut |_| {}).unwrap();
    if report.pages + report.archived == 0 {
        assert_eq!(archive.exists(), was_there, "an archive without pages");
        return Crawled { report, pages: Vec::new() };
    }
    let mut reader = WarcReader::open(&archive).unwrap();
    let pages = reader.by_ref().map(|page| page.url[url::Position::BeforePath..].to_owned()).collect();
    assert!(reader.warnings().is_empty(), "{:?}", reader.warnings());
    Crawled { report, pages }
}

fn options() -> CrawlOptions {
    CrawlOptions { polite: polite(), ..CrawlOptions::default() }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A site of eight pages in three levels, with what real sites have besides.
fn small_site() -> Server {
    Server::new(|path| match path {
        "/robots.txt" => Server::document("text/plain", "User-agent: unchaff\nDisallow: /private\n"),
        "/" => Server::page(
            "<a href=/a>a</a><a href=/b#x>b</a><a href=/a#y>a</a><a href=/private/x>p</a><a href=/logo.png>l</a>\
             <a href=/paper>paper</a><a href=/missing>m</a><a href=/old>o</a><a href=/loop>l</a>\
             <a rel='external nofollow' href=/calendar>c</a><a href=https://example.org/>elsewhere</a><a href=mailto:a@b>mail</a>",
        ),
        "/a" => Server::page("<a href=/>home</a><a href=/c?x=1>c</a>"),
        "/b" => Server::page("<meta name=ROBOTS content='noindex, NoFollow'><a href=/hidden>h</a>"),
        "/c?x=1" => Server::page("<a href=/d>d</a>"),
        "/d" => Server::page("<frameset><frame src=/e></frameset>"),
        "/e" | "/new" | "/calendar" | "/hidden" => Server::page("<p>end"),
        "/old" => redirect_to("/new"),
        "/loop" => redirect_to("/loop2"),
        "/loop2" => redirect_to("/loop"),
        "/paper" => Server::document("application/pdf", "%PDF"),
        _ => Server::status("404 Not Found"),
    })
}

#[test]
fn a_site_is_crawled_level_by_level_within_its_rules() {
    let server = small_site();
    let folder = folder();
    let Crawled { report, pages } = run(&server.url("/#top"), &folder, options());
    assert_eq!(pages, ["/", "/a", "/b", "/new", "/c?x=1", "/d", "/e"]);
    assert_eq!((report.pages, report.archived, report.forbidden, report.failed, report.left), (7, 0, 1, 0, 0));
    // The paper, the missing page, the redirect, and the two of the loop.
    assert_eq!(report.others, 5);
    assert!(report.messages[0].contains("/private/x") && report.messages[0].contains("robots.txt"), "{:?}", report.messages);
    let asked = server.asked();
    assert_eq!(asked[0], "/robots.txt");
    assert_eq!(asked.len(), 13, "{asked:?}");
    assert!(!asked.iter().any(|path| path.contains("private") || path.contains("logo") || path.contains("calendar")));
}

#[test]
fn the_mark_nofollow_can_be_passed_over() {
    let server = small_site();
    let Crawled { pages, .. } = run(&server.url("/"), &folder(), CrawlOptions { follow_nofollow: true, ..options() });
    assert!(pages.contains(&"/calendar".to_owned()) && pages.contains(&"/hidden".to_owned()), "{pages:?}");
}

#[test]
fn pages_and_depth_are_limited() {
    let server = small_site();
    let limited = |max_pages, depth| {
        let Crawled { report, pages } = run(&server.url("/"), &folder(), CrawlOptions { max_pages, depth, ..options() });
        (pages, report.left > 0)
    };
    assert_eq!(limited(2, None), (vec!["/".into(), "/a".into()], true));
    assert_eq!(limited(0, None), (vec![], true));
    assert_eq!(limited(100, Some(0)), (vec!["/".into()], false));
    assert_eq!(limited(100, Some(1)).0, ["/", "/a", "/b", "/new"]);
}

#[test]
fn a_second_run_goes_on_where_the_first_ended() {
    let server = small_site();
    let folder = folder();
    run(&server.url("/"), &folder, CrawlOptions { max_pages: 3, ..options() });
    // As if killed while a record was written.
    let archive = folder.path().join("site.warc.gz");
    let mut bytes = std::fs::read(&archive).unwrap();
    bytes.truncate(bytes.len() - 10);
    std::fs::write(&archive, bytes).unwrap();
    server.forget();
    let Crawled { report, pages } = run(&server.url("/"), &folder, options());
    assert_eq!((report.archived, report.pages), (2, 5));
    assert_eq!(pages, ["/", "/a", "/b", "/new", "/c?x=1", "/d", "/e"]);
    assert!(!server.asked().contains(&"/a".to_owned()), "{:?}", server.asked());
    server.forget();
    let Crawled { report, pages } = run(&server.url("/"), &folder, options());
    assert_eq!((report.archived, report.pages, pages.len()), (7, 0, 7));
    // What robots.txt forbids is looked up again; nothing else is.
    assert_eq!(server.asked(), ["/robots.txt"]);
}

#[test]
fn private_addresses_are_refused_also_behind_a_redirect() {
    let server = small_site();
    let not_private = CrawlOptions { polite: PoliteOptions { allow_private: false, ..polite() }, ..options() };
    let Crawled { report, pages } = run(&server.url("/"), &folder(), not_private.clone());
    assert!(pages.is_empty() && server.asked().is_empty());
    assert!(report.messages[0].contains("not a public address"), "{:?}", report.messages);
    let named = Url::parse(&server.url("/").as_str().replace("127.0.0.1", "localhost")).unwrap();
    assert_eq!(run(&named, &folder(), not_private.clone()).report.forbidden, 1);
    // A public page that redirected here in an earlier run.
    let folder = folder();
    let public = Url::parse("http://public.example/").unwrap();
    let mut writer = WarcWriter::open(&folder.path().join("site.warc.gz")).unwrap();
    let headers = [("Location".to_owned(), server.url("/").to_string())];
    let time = std::time::SystemTime::now();
    let moved =
        CapturedResponse { url: &public, status: 301, reason: "Moved", headers: &headers, body: b"", complete: true, time };
    writer.write_response(&moved).unwrap();
    drop(writer);
    assert_eq!(run(&public, &folder, not_private).report.forbidden, 1);
    assert!(server.asked().is_empty());
}

#[test]
fn a_first_page_that_redirects_to_another_site_takes_the_crawl_there() {
    let other = Server::new(|path| match path {
        "/" => Server::page("<a href=/a>a</a>"),
        "/a" => Server::page("<p>a"),
        _ => Server::status("404 Not Found"),
    });
    let there = other.url("/").as_str().replace("127.0.0.1", "localhost");
    let server = Server::new(move |_| redirect_to(&there));
    assert_eq!(run(&server.url("/"), &folder(), options()).pages, ["/", "/a"]);
}

/// Two sites on this machine by its two names: an address and a word are not the same site.
#[test]
fn a_crawl_goes_on_to_other_sites_when_one_is_done() {
    let other = Server::new(|path| match path {
        "/start" => Server::page("<a href=/more>more</a><a href=http://third.invalid/>third</a>"),
        "/more" => Server::page("<a href=/most>most</a>"),
        "/most" => Server::page("<p>most"),
        _ => Server::status("404 Not Found"),
    });
    let there = other.url("/start").as_str().replace("127.0.0.1", "localhost");
    let server = Server::new(move |path| match path {
        "/" => Server::page(&format!("<a href={there}>there</a><a href={there}?again>again</a><a href=/a>a</a>")),
        "/a" => Server::page("<a href=/b>b</a>"),
        "/b" => Server::page("<p>b"),
        _ => Server::status("404 Not Found"),
    });
    let crawled = |follow_sites, site_pages| {
        let crawled = run(&server.url("/"), &folder(), CrawlOptions { follow_sites, site_pages, ..options() });
        (crawled.pages.join(" "), crawled.report.sites)
    };
    assert_eq!(crawled(0, None), ("/ /a /b".to_owned(), 1));
    assert_eq!(crawled(1, None), ("/ /a /b /start /more /most".to_owned(), 2));
    assert_eq!(crawled(1, Some(2)), ("/ /a /start /more".to_owned(), 2));
    // A second run goes the same way and adds nothing.
    let folder = folder();
    let options = CrawlOptions { follow_sites: 1, depth: Some(1), ..options() };
    assert_eq!(run(&server.url("/"), &folder, options.clone()).pages, ["/", "/a", "/start", "/more"]);
    let again = run(&server.url("/"), &folder, options);
    assert_eq!((again.report.pages, again.report.archived, again.report.sites), (0, 4, 2));
}

#[test]
fn redirects_without_end_end() {
    let server = Server::new(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(number) => redirect_to(&format!("/{}", number + 1)),
        Err(_) => Server::status("404 Not Found"),
    });
    let report = run(&server.url("/0"), &folder(), options()).report;
    assert_eq!((report.pages, report.others), (0, 11));
}

#[test]
fn a_server_that_asks_for_time_gets_it_and_one_that_asks_for_much_is_left_alone() {
    let tries = Mutex::new(0);
    let server = Server::new(move |path| match path {
        "/" => {
            let mut tries = tries.lock().unwrap();
            *tries += 1;
            if *tries < 3 { Server::status("503 Service Unavailable\r\nRetry-After: 0") } else { Server::page("<p>here") }
        }
        _ => Server::status("404 Not Found"),
    });
    assert_eq!(run(&server.url("/"), &folder(), options()).pages, ["/"]);

    let busy = Server::new(|path| match path {
        "/" => Server::page("<a href=/1>1</a><a href=/2>2</a>"),
        "/robots.txt" => Server::status("404 Not Found"),
        _ => Server::status("429 Too Many Requests\r\nRetry-After: 86400"),
    });
    let report = run(&busy.url("/"), &folder(), options()).report;
    assert_eq!((report.pages, report.failed, busy.asked()), (1, 2, vec!["/robots.txt".into(), "/".into(), "/1".into()]));
}

#[test]
fn a_host_that_fails_again_and_again_is_left_alone_and_tried_again_by_the_next_run() {
    let links: String = (0..20).map(|i| format!("<a href=/{i}>{i}</a>")).collect();
    let server = Server::new(move |path| match path {
        "/" => Server::page(&links),
        "/robots.txt" => Server::status("404 Not Found"),
        _ => Server::status("500 Internal Server Error"),
    });
    let folder = folder();
    let report = run(&server.url("/"), &folder, options()).report;
    assert_eq!((report.pages, report.failed, server.asked().len()), (1, 20, 2 + 5));
    server.forget();
    let report = run(&server.url("/"), &folder, options()).report;
    assert_eq!((report.archived, report.failed, server.asked().len()), (1, 20, 1 + 5));
}

#[test]
fn without_readable_rules_nothing_is_fetched() {
    let server = Server::new(|path| if path == "/robots.txt" { Server::status("500 Oops") } else { Server::page("<p>") });
    let report = run(&server.url("/"), &folder(), options()).report;
    assert_eq!((report.pages, server.asked()), (0, vec!["/robots.txt".into()]));
    assert!(report.messages[0].contains("cannot be read"), "{:?}", report.messages);
}

#[test]
fn rules_may_lie_behind_a_redirect() {
    let server = Server::new(|path| match path {
        "/robots.txt" => redirect_to("/rules/robots.txt"),
        "/rules/robots.txt" => Server::document("text/plain", "User-agent: *\nDisallow: /"),
        _ => Server::page("<p>"),
    });
    assert_eq!(run(&server.url("/"), &folder(), options()).report.forbidden, 1);
}

#[test]
fn the_pause_between_requests_is_kept() {
    let server = small_site();
    let started = Instant::now();
    let polite = PoliteOptions { delay: Duration::from_millis(50), ..polite() };
    run(&server.url("/"), &folder(), CrawlOptions { polite, depth: Some(1), ..options() });
    // A lower bound, which holds on any machine.
    assert!(started.elapsed() >= Duration::from_millis(50) * (server.asked().len() as u32 - 1));
}

#[test]
fn a_crawl_can_be_stopped_and_its_archive_is_valid() {
    let server = Server::new(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(number) => Server::page(&format!("<a href=/{}>next</a>", number + 1)),
        Err(_) => Server::status("404 Not Found"),
    });
    let folder = folder();
    let archive = folder.path().join("site.warc.gz");
    let stop = Arc::new(AtomicBool::new(false));
    let until_three = |report: &CrawlReport| stop.store(report.pages >= 3, Ordering::Relaxed);
    let report = crawl(&[server.url("/0")], &archive, &options(), &stop, &mut { until_three }).unwrap();
    assert!(report.stopped && report.left > 0);
    assert_eq!((report.pages, WarcReader::open(&archive).unwrap().count()), (3, 3));
}

#[test]
fn a_page_with_100_000_links_and_one_that_is_too_large_do_no_harm() {
    let links: String = (0..100_000).map(|i| format!("<a href=/{i}>{i}</a>")).collect();
    let server = Server::new(move |path| if path == "/" { Server::page(&links) } else { Server::page(&"a".repeat(3000)) });
    let report = run(&server.url("/"), &folder(), CrawlOptions { max_pages: 3, ..options() }).report;
    assert_eq!((report.pages, report.left), (3, MAX_LINKS - 2));
    let polite = PoliteOptions { max_bytes: 2999, ..polite() };
    let report = run(&server.url("/1"), &folder(), CrawlOptions { polite, ..options() }).report;
    assert_eq!((report.pages, report.others), (0, 1));
}

#[test]
fn what_cannot_begin_says_why() {
    let folder = folder();
    let path = folder.path().join("notes");
    std::fs::write(&path, "my notes").unwrap();
    let start = |url: &str, path: &Path| {
        crawl(&[Url::parse(url).unwrap()], path, &options(), &Arc::default(), &mut |_| {}).unwrap_err().to_string()
    };
    assert!(start("https://example.org/", &path).contains("give another name"));
    assert!(start("ftp://example.org/", &path).contains("not a web address"));
    assert!(start("https://example.org/", &folder.path().join("no/such/folder.warc.gz")).contains("cannot write"));
}

#[test]
fn rules_that_are_padded_or_lie_elsewhere_are_heeded() {
    let rules = || format!("User-agent: *\nDisallow: /\n{}", "# nothing\n".repeat(300_000));
    let server = Server::new(move |path| match path {
        "/robots.txt" => redirect_to("/rules"),
        "/rules" => Server::document("text/plain", &rules()),
        _ => Server::page("<p>page"),
    });
    let tight = PoliteOptions { max_bytes: 100, ..polite() };
    for polite in [polite(), tight] {
        let folder = folder();
        let Crawled { report, pages } = run(&server.url("/"), &folder, CrawlOptions { polite, ..options() });
        assert_eq!((report.forbidden, report.pages, pages.len()), (1, 0, 0), "{report:?}");
    }
    assert!(server.asked().iter().all(|path| path != "/"));
}

#[test]
fn a_sitemap_or_a_feed_names_the_first_pages() {
    let server = Server::new(|path| match path {
        "/sitemap.xml" => Server::document(
            "application/xml",
            "<sitemapindex><sitemap><loc>/pages.xml</loc></sitemap><sitemap><loc>https://elsewhere.org/x.xml</loc></sitemap></sitemapindex>",
        ),
        "/pages.xml" => Server::document("text/xml", "<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>"),
        "/feed" => {
            Server::document("application/rss+xml", "<rss><channel><link>/</link><item><link>/b</link></item></channel></rss>")
        }
        "/a" => Server::page("<a href=/c>c</a> <a href=/feed>feed</a>"),
        "/b" | "/c" => Server::page("<p>page"),
        _ => Server::status("404 Not Found"),
    });
    let folder = folder();
    let Crawled { report, pages } = run(&server.url("/sitemap.xml"), &folder, CrawlOptions { depth: Some(0), ..options() });
    assert_eq!((pages, report.others), (vec!["/a".to_owned(), "/b".to_owned()], 2));
    // The archive is enough to go on, and the feed that a page links to is no page.
    let Crawled { report, pages } = run(&server.url("/sitemap.xml"), &folder, options());
    assert_eq!((pages.len(), report.pages, report.archived), (3, 1, 2), "{report:?}");
    assert_eq!(run(&server.url("/feed"), &self::folder(), options()).pages, ["/b"]);
}
