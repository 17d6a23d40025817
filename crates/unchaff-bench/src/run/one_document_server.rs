//! A minimal web server that has one document, and, as the upstream of a proxy, the pages of its site.
//!
//! After T. Gottron: *Content Extraction* (PhD thesis, Mainz 2008), 5.3.3 and 7.2.3: a system under test fetches the document from the evaluator, which notes when it had
//! it all; as an upstream proxy the evaluator answers from what the suite has and says 404 of everything else, so that all systems see the same web. Requests for anything
//! else (icons, HEAD) get 404 and do not end the service.

use crate::suite::Benchmark;
use std::borrow::Cow;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unchaff_dom::site::without_fragment;
use url::Url;

/// The most bytes of a request.
const LONGEST_REQUEST: usize = 64 << 10;

/// How long a connection may stay silent.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is served, and when it was.
pub(super) struct Served<'a> {
    benchmark: &'a Benchmark,
    /// The address of the document.
    document: Url,
    /// Whether other pages of its site are there too.
    site: bool,
    /// When the document had been sent to its end, the first time.
    pub(super) finished: Mutex<Option<Instant>>,
    over: AtomicBool,
}

impl<'a> Served<'a> {
    /// The document of a benchmark at an address; with its site, if there is one and all of it is wanted.
    pub(super) fn new(benchmark: &'a Benchmark, document: Url, site: bool) -> Served<'a> {
        Served {
            benchmark,
            document: without_fragment(&document),
            site,
            finished: Mutex::default(),
            over: AtomicBool::new(false),
        }
    }

    /// Answers requests until [`Served::end`].
    pub(super) fn serve(&self, listener: &TcpListener) {
        std::thread::scope(|threads| {
            for connection in listener.incoming() {
                if self.over.load(Ordering::SeqCst) {
                    return;
                }
                if let Ok(connection) = connection {
                    // A system that goes away in the middle is not our trouble.
                    threads.spawn(move || self.answer(connection).ok());
                }
            }
        });
    }

    /// Ends the service at this address.
    pub(super) fn end(&self, address: SocketAddr) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the listener, which looks up then.
        drop(TcpStream::connect_timeout(&address, PATIENCE));
    }

    fn answer(&self, mut connection: TcpStream) -> std::io::Result<()> {
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        let asked = read_head(&mut connection)?;
        let address = address(&asked);
        let Some((charset, body)) = address.as_ref().and_then(|address| self.page(address)) else {
            connection.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
            return connection.shutdown(Shutdown::Write);
        };
        let length = body.len();
        write!(
            connection,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        )?;
        connection.write_all(&body)?;
        connection.flush()?;
        if address.is_some_and(|address| self.is_document(&address)) {
            self.finished.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert_with(Instant::now);
        }
        connection.shutdown(Shutdown::Write)
    }

    fn is_document(&self, address: &Url) -> bool {
        let place = |url: &Url| (url.host_str().map(str::to_owned), url.path().to_owned(), url.query().map(str::to_owned));
        // Systems ask for http what a page calls https.
        place(address) == place(&self.document)
    }

    /// What to say of the charset, and the bytes of the page at an address.
    fn page(&self, address: &Url) -> Option<(&'static str, Cow<'a, [u8]>)> {
        if self.is_document(address) {
            return Some(("", Cow::Borrowed(&self.benchmark.source)));
        }
        let site = self.benchmark.site.as_ref().filter(|_| self.site)?;
        let mut secure = address.clone();
        let page = site.find(address).or_else(|| {
            secure.set_scheme("https").ok()?;
            site.find(&secure)
        })?;
        let page = site.load(page).ok()?;
        Some(("; charset=utf-8", Cow::Owned(page.source().as_bytes().to_vec())))
    }
}

/// The head of a request, whatever follows.
fn read_head(connection: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") && bytes.len() < LONGEST_REQUEST {
        match connection.read(&mut part)? {
            0 => break,
            count => bytes.extend_from_slice(&part[..count]),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The address that a request gets: in full, as proxies are asked, or by path and host. None if it gets nothing.
fn address(head: &str) -> Option<Url> {
    let mut lines = head.lines();
    let mut words = lines.next()?.split_ascii_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    if method != "GET" {
        return None;
    }
    if target.starts_with('/') {
        let host = lines.find_map(|line| line.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("host")))?.1;
        return Url::parse(&format!("http://{}{target}", host.trim())).ok();
    }
    Url::parse(target).ok().map(|url| without_fragment(&url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::Gold;
    use unchaff_dom::site::LoadedSite;
    use unchaff_dom::{Page, PageId, Parser};

    #[test]
    fn requests_of_clients_and_of_proxies_name_an_address() {
        let of = |head: &str| address(head).map(|url| url.to_string());
        assert_eq!(of("GET /a?b HTTP/1.1\r\nhost: example.org:81\r\n\r\n").unwrap(), "http://example.org:81/a?b");
        assert_eq!(of("GET http://example.org/a#x HTTP/1.1\r\nHost: b\r\n\r\n").unwrap(), "http://example.org/a");
        for nothing in
            ["", "GET", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\n\r\n"]
        {
            assert_eq!(of(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn the_site_is_there_where_it_is_wanted_and_nothing_else() {
        let pages = ["https://example.org/", "https://example.org/a"]
            .map(|url| Parser::new().url(url).parse(format!("<p>The page at {url}")));
        let mut benchmark = Benchmark::new(b"<p>The key".to_vec(), Page::parse("<p>The key"), Gold::default());
        benchmark.site = Some(Box::new(LoadedSite::new(pages)));
        benchmark.key = Some(PageId(0));
        let url = |text: &str| Url::parse(text).unwrap();
        let served = Served::new(&benchmark, url("https://example.org/"), true);
        let of =
            |served: &Served<'_>, text: &str| served.page(&url(text)).map(|(_, bytes)| String::from_utf8(bytes.into()).unwrap());
        assert_eq!(of(&served, "http://example.org/").unwrap(), "<p>The key");
        assert_eq!(of(&served, "http://example.org/a").unwrap(), "<p>The page at https://example.org/a");
        assert_eq!((of(&served, "http://example.org/icon"), of(&served, "http://example.com/")), (None, None));
        let alone = Served::new(&benchmark, url("https://example.org/"), false);
        assert_eq!(of(&alone, "http://example.org/a"), None);
    }
}
