//! A system behind HTTP in the place of a technique: a proxy that alters what passes through it, a service that is given an address, or one that is sent the page.
//!
//! T. Gottron: *Content Extraction* (PhD thesis, Mainz 2008), 5.3.1: so any system can be evaluated as a black box, whatever it is written in and wherever it runs. The document comes from a server
//! of ours that has nothing else ([`super::one_document_server`]), and the time is taken from its last byte there to the last byte of the answer. An answer may be HTML, of
//! which all text counts, or the elements that carry `data-unchaff`; plain text; or JSON with a `text`.

use super::RunError;
use super::one_document_server::Served;
use crate::suite::Benchmark;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use unchaff_dom::{Parser, emit};
use unchaff_job::external::Printed;
use unchaff_source::PlainResponse;
use url::Url;

/// The most bytes of an answer.
const LONGEST_ANSWER: u64 = 256 << 20;

/// How systems are asked.
#[derive(Clone, Debug, Default)]
pub struct HttpOptions {
    /// How long one may take for a page.
    pub limit: Duration,
    /// Whether systems on other machines may be asked, which get the pages to see.
    pub anywhere: bool,
    /// Where we are the upstream proxy of systems, if we are: then pages have their own addresses and those of their sites can be had.
    pub replay: Option<Arc<Mutex<TcpListener>>>,
}

impl HttpOptions {
    /// Options with a replay of the web at `replay`, as `127.0.0.1:8090`.
    ///
    /// # Errors
    /// If nothing can listen there, or if it is an address that others reach and that is not wanted.
    pub fn new(limit: Duration, anywhere: bool, replay: Option<&str>) -> Result<HttpOptions, RunError> {
        let refused = |reason: String| RunError::Http { text: replay.unwrap_or_default().to_owned(), reason };
        let open = |text: &str| {
            let address: SocketAddr = text.parse().map_err(|_| refused("it is not of the form ADDRESS:PORT".to_owned()))?;
            if !anywhere && !address.ip().is_loopback() {
                return Err(refused(ELSEWHERE.to_owned()));
            }
            let listener = TcpListener::bind(address).map_err(|error| refused(format!("nothing can listen there: {error}")))?;
            Ok(Arc::new(Mutex::new(listener)))
        };
        Ok(HttpOptions { limit, anywhere, replay: replay.map(open).transpose()? })
    }
}

const ELSEWHERE: &str = "it is not on this machine, and whoever is there would see the pages; --http-anywhere allows it";

/// How a system is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Way {
    /// It is a proxy.
    Proxy(Url),
    /// It gets the address of the page in this address, in the place of `{url}`.
    Get(String),
    /// It gets the page.
    Post(Url),
}

/// A system and how it is asked.
#[derive(Debug)]
pub(super) struct HttpSystem {
    way: Way,
    options: HttpOptions,
}

impl HttpSystem {
    /// Reads `http://…/{url}`, `http://…` or `proxy+http://…`.
    pub(super) fn read(text: &str, options: &HttpOptions) -> Result<HttpSystem, RunError> {
        let refused = |reason: &str| RunError::Http { text: text.to_owned(), reason: reason.to_owned() };
        let url = |text: &str| {
            let url = Url::parse(text).ok().filter(|url| url.scheme() == "http" && url.has_host());
            url.ok_or_else(|| refused("it is no address that begins with http:// or proxy+http://"))
        };
        let way = match text.strip_prefix("proxy+") {
            Some(proxy) => Way::Proxy(url(proxy)?),
            None if text.contains("{url}") => Way::Get(text.to_owned()),
            None => Way::Post(url(text)?),
        };
        let system = HttpSystem { way, options: options.clone() };
        let asked = match &system.way {
            Way::Proxy(address) | Way::Post(address) => address.clone(),
            Way::Get(template) => url(&template.replace("{url}", "x"))?,
        };
        system.addresses(&asked).map_err(|reason| refused(&reason))?;
        Ok(system)
    }

    /// Where a system listens.
    fn addresses(&self, url: &Url) -> Result<Vec<SocketAddr>, String> {
        let found = (url.host_str().unwrap_or_default().trim_matches(['[', ']']), url.port_or_known_default().unwrap_or(80));
        let found: Vec<SocketAddr> = found.to_socket_addrs().map_err(|error| error.to_string())?.collect();
        if !self.options.anywhere && !found.iter().all(|address| address.ip().is_loopback()) {
            return Err(ELSEWHERE.to_owned());
        }
        Ok(found)
    }

    /// What the system makes of a page, and how long it took.
    pub(super) fn ask(&self, benchmark: &Benchmark) -> Result<(Printed, Duration), String> {
        if let Way::Post(url) = &self.way {
            let body = &benchmark.source;
            let head = format!(
                "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n",
                target(url),
                host(url),
                body.len()
            );
            let (answer, sent, received) = self.exchange(url, &head, body)?;
            return Ok((printed(answer)?, received.saturating_duration_since(sent)));
        }
        match &self.options.replay {
            // One page at a time: there is one address, and what it answers depends on the page.
            Some(listener) => self.through(benchmark, &listener.lock().unwrap_or_else(PoisonError::into_inner), true),
            None => {
                let listener =
                    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| format!("cannot serve the page: {error}"))?;
                self.through(benchmark, &listener, false)
            }
        }
    }

    /// Has the system fetch the page from us.
    fn through(&self, benchmark: &Benchmark, listener: &TcpListener, replay: bool) -> Result<(Printed, Duration), String> {
        let here = listener.local_addr().map_err(|error| error.to_string())?;
        let document = if replay { own_address(benchmark)? } else { parsed(&format!("http://{here}/page.html"))? };
        let served = Served::new(benchmark, document.clone(), replay);
        let answered = std::thread::scope(|threads| {
            threads.spawn(|| served.serve(listener));
            let answered = match &self.way {
                Way::Proxy(proxy) => {
                    self.exchange(proxy, &format!("GET {document} HTTP/1.1\r\nHost: {}\r\n", host(&document)), b"")
                }
                Way::Get(template) => {
                    let escaped: String = url::form_urlencoded::byte_serialize(document.as_str().as_bytes()).collect();
                    parsed(&template.replace("{url}", &escaped)).and_then(|url| {
                        self.exchange(&url, &format!("GET {} HTTP/1.1\r\nHost: {}\r\n", target(&url), host(&url)), b"")
                    })
                }
                Way::Post(_) => Err("it is sent the page".to_owned()),
            };
            let wake = if here.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { here.ip() };
            served.end(SocketAddr::new(wake, here.port()));
            answered
        });
        let (answer, _, received) = answered?;
        let printed = printed(answer)?;
        let finished = *served.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let finished = finished.ok_or("it answered without having asked for the page")?;
        // One that streams may answer before it has the whole page.
        Ok((printed, received.saturating_duration_since(finished)))
    }

    /// Sends a request and reads the answer to its end; says when the one was sent and the other was read.
    fn exchange(&self, url: &Url, head: &str, body: &[u8]) -> Result<(PlainResponse, Instant, Instant), String> {
        let deadline = Instant::now() + self.options.limit;
        let late = || format!("no answer within {} s", self.options.limit.as_secs_f64());
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => late(),
            _ => format!("{}: {error}", host(url)),
        };
        let addresses = self.addresses(url)?;
        let address = addresses.first().ok_or("its name has no address")?;
        let mut connection = TcpStream::connect_timeout(address, self.options.limit).map_err(failed)?;
        connection.set_write_timeout(Some(self.options.limit)).map_err(failed)?;
        let accept =
            "Accept: text/plain, text/html;q=0.9, application/json;q=0.8\r\nUser-Agent: unchaff\r\nConnection: close\r\n\r\n";
        connection.write_all(&[head.as_bytes(), accept.as_bytes(), body].concat()).map_err(failed)?;
        let sent = Instant::now();
        let (mut bytes, mut part) = (Vec::new(), vec![0; 64 << 10]);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(late());
            }
            connection.set_read_timeout(Some(left)).map_err(failed)?;
            match connection.read(&mut part) {
                Ok(0) => break,
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Some close without ceremony once all is sent.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset && !bytes.is_empty() => break,
                Err(error) => return Err(failed(error)),
            }
            if bytes.len() as u64 > LONGEST_ANSWER {
                return Err(format!("the answer has more than {} MB", LONGEST_ANSWER >> 20));
            }
        }
        let received = Instant::now();
        let answer = PlainResponse::read(bytes, LONGEST_ANSWER).map_err(|error| error.to_string())?;
        Ok((answer, sent, received))
    }
}

fn parsed(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|error| format!("{text} is no address: {error}"))
}

/// The address of a page on the web, as plain HTTP; one that no real page has if it is not known.
fn own_address(benchmark: &Benchmark) -> Result<Url, String> {
    let known = match (&benchmark.site, benchmark.key) {
        (Some(site), Some(key)) => Some(site.url(key)),
        _ => benchmark.page.url().cloned(),
    };
    let mut url = known.map_or_else(|| parsed("http://site.invalid/page.html"), Ok)?;
    url.set_fragment(None);
    url.set_scheme("http").map_err(|()| format!("{url} cannot be asked for over HTTP"))?;
    Ok(url)
}

fn target(url: &Url) -> &str {
    &url[url::Position::BeforePath..url::Position::AfterQuery]
}

fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

/// What an answer says.
fn printed(answer: PlainResponse) -> Result<Printed, String> {
    let PlainResponse { status, content_type, charset, bytes } = answer;
    if !(200..300).contains(&status) {
        return Err(format!("it answered with status {status}"));
    }
    let kind = content_type.as_deref().unwrap_or("text/html");
    if kind.ends_with("json") {
        let read: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| format!("its JSON is broken: {error}"))?;
        let text = ["text", "content"].iter().find_map(|name| read.get(*name)?.as_str());
        return text.map(|text| Printed::Text(text.to_owned())).ok_or_else(|| "its JSON has no `text`".to_owned());
    }
    if !kind.contains("html") {
        return Ok(Printed::Text(String::from_utf8_lossy(&bytes).into_owned()));
    }
    // Copied, since only the parser knows the charset.
    match Printed::read(bytes.clone()) {
        Printed::Text(_) => {
            let parser = charset.map_or_else(Parser::new, |charset| Parser::new().charset(&charset));
            let page = parser.parse(bytes);
            let text = page.body().map_or_else(String::new, |body| emit::text(&page, &page.subtree_set(body)));
            Ok(Printed::Text(text))
        }
        marked => Ok(marked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::Gold;
    use unchaff_dom::Page;

    fn options() -> HttpOptions {
        HttpOptions::new(Duration::from_secs(10), false, None).unwrap()
    }

    fn benchmark() -> Benchmark {
        let html = "<nav>Home</nav><p>It rained.</p>";
        Benchmark::new(html.as_bytes().to_vec(), Page::parse(html), Gold::default())
    }

    /// A system that reads one request, answers it by what `make` makes of its first line and body, and ends.
    fn system(make: impl FnOnce(String, Vec<u8>) -> String + Send + 'static) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut bytes = Vec::new();
            let mut part = [0; 4096];
            let body = loop {
                let count = connection.read(&mut part).unwrap();
                bytes.extend_from_slice(&part[..count]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let length =
                    text.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse::<usize>().ok()).unwrap_or(0);
                if let Some(end) = text.find("\r\n\r\n").filter(|end| bytes.len() >= end + 4 + length) {
                    break bytes[end + 4..].to_vec();
                }
            };
            let first = String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().to_owned();
            connection.write_all(make(first, body).as_bytes()).unwrap();
        });
        address
    }

    fn get(url: &str) -> String {
        let url = Url::parse(url).unwrap();
        let mut connection = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).unwrap();
        write!(connection, "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", target(&url), host(&url)).unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).unwrap();
        text
    }

    fn ask(text: &str) -> Result<Printed, String> {
        HttpSystem::read(text, &options()).unwrap().ask(&benchmark()).map(|(printed, _)| printed)
    }

    #[test]
    fn a_service_gets_the_page_and_its_text_counts() {
        let address = system(|first, body| {
            assert_eq!(first, "POST /extract?x=1 HTTP/1.1");
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}",
                String::from_utf8(body).unwrap().replace("<nav>Home</nav>", "")
            )
        });
        assert_eq!(ask(&format!("http://{address}/extract?x=1")), Ok(Printed::Text("It rained.\n".to_owned())));
        let address = system(|_, _| "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"text\": \"rain\"}".to_owned());
        assert_eq!(ask(&format!("http://{address}/")), Ok(Printed::Text("rain".to_owned())));
        let address =
            system(|_, _| "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p data-unchaff=content>It rained.".to_owned());
        assert!(matches!(ask(&format!("http://{address}/")), Ok(Printed::Annotated(_))));
        let address = system(|_, _| "HTTP/1.1 500 No\r\n\r\n".to_owned());
        assert_eq!(ask(&format!("http://{address}/")), Err("it answered with status 500".to_owned()));
    }

    #[test]
    fn a_service_that_gets_an_address_fetches_that_page_and_finds_nothing_else() {
        let address = system(|first, _| {
            let query = first.strip_prefix("GET /read?page=").unwrap().strip_suffix(" HTTP/1.1").unwrap();
            let page = url::form_urlencoded::parse(format!("a={query}").as_bytes()).next().unwrap().1.into_owned();
            assert!(get(Url::parse(&page).unwrap().join("/favicon.ico").unwrap().as_str()).starts_with("HTTP/1.1 404"));
            let fetched = get(&page);
            let body = fetched.split_once("\r\n\r\n").unwrap().1.to_uppercase();
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{body}")
        });
        let found = ask(&format!("http://{address}/read?page={{url}}"));
        assert_eq!(found, Ok(Printed::Text("<NAV>HOME</NAV><P>IT RAINED.</P>".to_owned())));
        let address = system(|_, _| "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nI know".to_owned());
        assert!(ask(&format!("http://{address}/{{url}}")).unwrap_err().contains("without having asked"));
    }

    #[test]
    fn a_proxy_is_asked_for_the_address_of_the_page_and_has_us_upstream() {
        let options = HttpOptions::new(Duration::from_secs(10), false, Some("127.0.0.1:0")).unwrap();
        let upstream = options.replay.as_ref().unwrap().lock().unwrap().local_addr().unwrap();
        let proxy = system(move |first, _| {
            assert_eq!(first, "GET http://site.invalid/page.html HTTP/1.1");
            let mut connection = TcpStream::connect(upstream).unwrap();
            write!(connection, "{first}\r\nHost: site.invalid\r\n\r\n").unwrap();
            let mut text = String::new();
            connection.read_to_string(&mut text).unwrap();
            text.replace("<nav>Home</nav>", "").replace("Content-Length", "X-Length")
        });
        let system = HttpSystem::read(&format!("proxy+http://{proxy}"), &options).unwrap();
        assert_eq!(system.ask(&benchmark()).unwrap().0, Printed::Text("It rained.\n".to_owned()));
    }

    #[test]
    fn other_machines_are_asked_only_if_that_is_wanted() {
        let said = |text: &str| HttpSystem::read(text, &options()).unwrap_err().to_string();
        assert!(said("http://192.0.2.1/x").contains("--http-anywhere"));
        assert!(said("proxy+http://192.0.2.1:3128").contains("--http-anywhere"));
        assert!(said("https://127.0.0.1/").contains("http://") && said("nonsense").contains("http://"));
        let anywhere = HttpOptions { anywhere: true, ..options() };
        assert!(HttpSystem::read("http://192.0.2.1/x", &anywhere).is_ok());
        assert!(HttpOptions::new(Duration::ZERO, false, Some("0.0.0.0:0")).unwrap_err().to_string().contains("--http-anywhere"));
        assert!(HttpOptions::new(Duration::ZERO, false, Some("here")).unwrap_err().to_string().contains("ADDRESS:PORT"));
    }

    #[test]
    fn one_that_does_not_answer_is_given_up() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let options = HttpOptions { limit: Duration::from_millis(100), ..options() };
        let system = HttpSystem::read(&format!("http://{}/", listener.local_addr().unwrap()), &options).unwrap();
        assert_eq!(system.ask(&benchmark()).unwrap_err(), "no answer within 0.1 s");
    }
}
