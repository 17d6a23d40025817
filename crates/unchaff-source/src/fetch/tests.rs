use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::*;
use crate::content_encoding::tests::{brotli, gzip};
use crate::inputs::Input;
use crate::test_network;

/// A server for at most this many requests, each on a connection of its own; `answer` is given the path that is asked for.
struct Server {
    address: String,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<String>>,
}

impl Server {
    fn new(requests: usize, answer: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").unwrap(), requests, answer)
    }

    fn on(
        listener: TcpListener,
        requests: usize,
        answer: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + 'static,
    ) -> Self {
        let address = format!("http://{}", listener.local_addr().unwrap());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut heads = Vec::new();
            while heads.len() < requests {
                let (mut stream, _) = listener.accept().unwrap();
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let mut head = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
                let Some(path) = head.split(' ').nth(1).map(str::to_owned) else { continue };
                heads.push(head);
                // A client that has seen enough hangs up; that is its right.
                let _ = answer(&path, &mut stream);
            }
            heads
        });
        Self { address, stop, thread }
    }

    /// Ends the server, also if it still waits for a request, and tells what it was asked.
    fn finish(self) -> Vec<String> {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes it up; refused if it has ended by itself.
        let _ = TcpStream::connect(self.address.trim_start_matches("http://"));
        self.thread.join().unwrap()
    }

    /// A server that answers one request with these headers (lines) and this body, and then hangs up.
    fn once(status: &'static str, headers: &'static str, body: Vec<u8>) -> Self {
        Self::new(1, move |_, stream| {
            write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n")?;
            stream.write_all(&body)
        })
    }

    /// What the fetcher makes of it, and what it asked.
    fn fetch_with(self, options: FetchOptions, path: &str) -> (Result<Fetched, FetchError>, Vec<String>) {
        let fetched = fetcher(options).fetch(&format!("{}{path}", self.address));
        (fetched, self.finish())
    }

    fn fetch(self) -> Result<Fetched, FetchError> {
        self.fetch_with(FetchOptions::default(), "/").0
    }

    fn fetch_within(self, max_bytes: u64) -> Result<Fetched, FetchError> {
        self.fetch_with(FetchOptions { max_bytes, ..FetchOptions::default() }, "/").0
    }
}

/// A fetcher that no proxy keeps from reaching the test's own server.
fn fetcher(options: FetchOptions) -> Fetcher {
    Fetcher::new(FetchOptions { proxy_from_environment: false, ..options })
}

fn redirect_to(location: &str, stream: &mut TcpStream) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
}

fn page(body: &str, stream: &mut TcpStream) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n{body}")
}

#[test]
fn a_page_comes_with_its_charset_type_and_address() {
    let server =
        Server::once("200 OK", "Content-Type: Text/HTML; charset=\"ISO-8859-2\"\r\nContent-Length: 4\r\n", b"<p>\xb1".to_vec());
    let address = server.address.clone();
    let (fetched, heads) = server.fetch_with(FetchOptions::default(), "/a%20b?q=1#top");
    assert_eq!(
        fetched.unwrap(),
        Fetched {
            bytes: b"<p>\xb1".to_vec(),
            url: Some(format!("{address}/a%20b?q=1")),
            charset: Some("ISO-8859-2".into()),
            content_type: Some("text/html".into()),
        }
    );
    let head = heads[0].to_ascii_lowercase();
    assert!(head.starts_with("get /a%20b?q=1 http/1.1\r\n"), "{head}");
    assert!(head.contains(concat!("user-agent: unchaff/", env!("CARGO_PKG_VERSION"), "\r\n")), "{head}");
    assert!(head.contains("accept-encoding: gzip, deflate, br\r\n"), "{head}");
}

#[test]
fn a_server_that_names_no_type_may_send_a_page() {
    let fetched = Server::once("200 OK", "", b"<p>".to_vec()).fetch().unwrap();
    assert_eq!((fetched.bytes, fetched.content_type, fetched.charset), (b"<p>".to_vec(), None, None));
}

#[test]
fn redirects_are_followed_to_the_final_address() {
    let server = Server::new(4, |path, stream| match path {
        "/a/start" => redirect_to("next?x=1#part", stream),
        "/a/next?x=1" => redirect_to("/three words", stream),
        "/three%20words" => redirect_to("./b/../end", stream),
        _ => page("end", stream),
    });
    let address = server.address.clone();
    let (fetched, _) = server.fetch_with(FetchOptions::default(), "/a/start");
    let fetched = fetched.unwrap();
    assert_eq!((fetched.bytes, fetched.url), (b"end".to_vec(), Some(format!("{address}/end"))));
}

#[test]
fn ten_redirects_are_fine_and_eleven_are_not() {
    let count = |path: &str, stream: &mut TcpStream| match path[1..].parse::<u32>().unwrap() {
        0 => page("arrived", stream),
        left => redirect_to(&format!("/{}", left - 1), stream),
    };
    let (fetched, heads) = Server::new(11, count).fetch_with(FetchOptions::default(), "/10");
    let fetched = fetched.unwrap();
    assert_eq!((fetched.bytes, heads.len()), (b"arrived".to_vec(), 11));
    assert!(fetched.url.unwrap().ends_with("/0"));
    let (fetched, _) = Server::new(11, count).fetch_with(FetchOptions::default(), "/11");
    let error = fetched.unwrap_err();
    assert!(matches!(&error, FetchError::TooManyRedirects { limit: 10, last, .. } if last.ends_with("/0")), "{error}");
}

#[test]
fn a_circle_of_redirects_is_named_as_such() {
    let server = Server::new(2, |path, stream| redirect_to(if path == "/" { "/there" } else { "/" }, stream));
    let address = server.address.clone();
    let error = server.fetch().unwrap_err();
    assert!(matches!(&error, FetchError::RedirectLoop { again, .. } if *again == format!("{address}/")), "{error}");
}

#[test]
fn a_redirect_without_a_usable_address_is_an_error() {
    let error = Server::once("302 Found", "Location: ftp://example.org/\r\n", Vec::new()).fetch().unwrap_err();
    assert!(matches!(&error, FetchError::BadRedirect { location, .. } if location == "ftp://example.org/"), "{error}");
    let error = Server::once("302 Found", "Content-Length: 0\r\n", Vec::new()).fetch().unwrap_err();
    assert!(matches!(&error, FetchError::Status { status, .. } if status == "302 Found"), "{error}");
}

#[test]
fn a_name_and_password_in_the_address_are_sent_but_not_shown() {
    let server = Server::once("200 OK", "", b"<p>".to_vec());
    let address = server.address.replace("http://", "http://me:secret@");
    let fetched = fetcher(FetchOptions::default()).fetch(&address).unwrap();
    assert_eq!(fetched.url, Some(format!("{}/", server.address)));
    let head = server.finish()[0].to_ascii_lowercase();
    assert!(head.contains("authorization: basic"), "{head}");
}

#[test]
fn compressed_pages_are_decompressed() {
    let fetched = Server::once("200 OK", "Content-Encoding: gzip\r\n", gzip(b"<p>gzip")).fetch();
    assert_eq!(fetched.unwrap().bytes, b"<p>gzip");
    let fetched = Server::once("200 OK", "Content-Encoding: br\r\n", brotli(b"<p>brotli")).fetch();
    assert_eq!(fetched.unwrap().bytes, b"<p>brotli");
    let error = Server::once("200 OK", "Content-Encoding: zstd\r\n", Vec::new()).fetch().unwrap_err();
    assert!(matches!(&error, FetchError::ContentEncoding { encoding, .. } if encoding == "zstd"), "{error}");
}

#[test]
fn a_page_over_the_limit_is_refused_declared_or_not() {
    let error = Server::once("200 OK", "Content-Length: 3000000\r\n", Vec::new()).fetch_within(1 << 20).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { limit: 0x10_0000, .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("1 MiB") && message.contains("raise the limit"), "{message}");

    let error = Server::once("200 OK", "", vec![b'a'; 3000]).fetch_within(2999).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    assert_eq!(Server::once("200 OK", "", vec![b'a'; 3000]).fetch_within(3000).unwrap().bytes.len(), 3000);
}

#[test]
fn a_body_without_end_stops_at_the_limit() {
    let server = Server::new(1, |_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
        loop {
            write!(stream, "8\r\n<p>more \r\n")?;
        }
    });
    assert!(matches!(server.fetch_within(100_000), Err(FetchError::TooLarge { .. })));
}

#[test]
fn a_gzip_bomb_stops_at_the_limit() {
    let bomb = gzip(&vec![0; 20 << 20]);
    assert!(bomb.len() < 100_000);
    let error = Server::once("200 OK", "Content-Encoding: gzip\r\n", bomb.clone()).fetch_within(1 << 20).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    let nested = gzip(&bomb);
    let error = Server::once("200 OK", "Content-Encoding: gzip, gzip\r\n", nested).fetch_within(1 << 20).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
}

#[test]
fn a_slow_server_runs_out_of_time() {
    let options = FetchOptions { timeout: Duration::from_millis(300), ..FetchOptions::default() };
    // Says nothing at all, until the client hangs up.
    let silent = Server::new(1, |_, stream| std::io::Read::read(stream, &mut [0]).map(drop));
    let (fetched, _) = silent.fetch_with(options.clone(), "/");
    let error = fetched.unwrap_err();
    assert!(matches!(error, FetchError::Timeout { .. }), "{error}");
    assert!(error.to_string().contains("0.3 s") && error.to_string().contains("more time"), "{error}");
    // Sends a little now and then, so that no single wait is long.
    let trickle = Server::new(1, |_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\n\r\n")?;
        for _ in 0..1000 {
            stream.write_all(b"<p>")?;
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    });
    let (fetched, _) = trickle.fetch_with(options.clone(), "/");
    assert!(matches!(fetched, Err(FetchError::Timeout { .. })), "{fetched:?}");
    // The time is for all redirects together.
    let redirects = Server::new(2, |_, stream| {
        std::thread::sleep(Duration::from_millis(200));
        redirect_to("/again", stream)
    });
    let (fetched, _) = redirects.fetch_with(options, "/");
    assert!(matches!(fetched, Err(FetchError::Timeout { .. })), "{fetched:?}");
}

#[test]
fn what_is_not_a_page_is_refused_by_name() {
    let error = Server::once("200 OK", "Content-Type: image/png\r\n", b"\x89PNG".to_vec()).fetch().unwrap_err();
    assert!(matches!(&error, FetchError::ContentType { content_type, .. } if content_type == "image/png"), "{error}");
    for status in ["404 Not Found", "500 Internal Server Error", "304 Not Modified"] {
        let error = Server::once(status, "Content-Type: text/html\r\n", b"<p>".to_vec()).fetch().unwrap_err();
        assert!(error.to_string().contains(status), "{error}");
    }
}

#[test]
fn a_body_that_is_cut_off_is_an_error() {
    for headers in ["Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"] {
        let error = Server::once("200 OK", headers, b"10\r\n<p>".to_vec()).fetch().unwrap_err();
        assert!(matches!(error, FetchError::Truncated { .. }), "{headers}{error:?}");
    }
    // Behind a decompressor, too, it is the connection that is to blame.
    let headers = "Content-Length: 1000\r\nContent-Encoding: br\r\n";
    let error = Server::once("200 OK", headers, brotli(&[b'a'; 900])[..500].to_vec()).fetch().unwrap_err();
    assert!(matches!(error, FetchError::Truncated { .. }), "{error:?}");
    let mut cut = gzip(b"<p>It rained all day, and then it rained all night.");
    cut.truncate(30);
    let error = Server::once("200 OK", "Content-Encoding: gzip\r\n", cut).fetch().unwrap_err();
    assert!(matches!(error, FetchError::Truncated { .. }), "{error:?}");
}

#[test]
fn compressed_data_that_is_damaged_is_an_error() {
    let mut wrong = gzip(b"<p>It rained all day, and then it rained all night.");
    let end = wrong.len();
    wrong[end - 6] ^= 1; // in the check sum
    let error = Server::once("200 OK", "Content-Encoding: gzip\r\n", wrong).fetch().unwrap_err();
    assert!(matches!(error, FetchError::Damaged { .. }), "{error:?}");
    let error = Server::once("200 OK", "Content-Encoding: br\r\n", vec![0xff; 100]).fetch().unwrap_err();
    assert!(matches!(error, FetchError::Damaged { .. }), "{error:?}");
}

#[test]
fn what_is_no_address_is_said_before_anything_is_opened() {
    let fetcher = Fetcher::default();
    for bad in ["", "page.html", "http://", "ftp://example.org/", "https://exa mple.org/", "http://[::1", "javascript:alert(1)"] {
        let error = fetcher.fetch(bad).unwrap_err();
        assert!(matches!(&error, FetchError::BadUrl { url, .. } if url == bad), "{bad}: {error}");
    }
}

#[test]
fn a_refused_connection_names_the_address() {
    // A port below those that are given out, so that no other test's server gets it.
    let address = "http://127.0.0.1:1/";
    let error = fetcher(FetchOptions::default()).fetch(address).unwrap_err();
    assert!(matches!(&error, FetchError::Connection { url, .. } if url == address), "{error}");
}

#[test]
fn what_is_not_http_is_an_error() {
    let server = Server::new(1, |_, stream| stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"));
    assert!(matches!(server.fetch(), Err(FetchError::Connection { .. })));
    let server = Server::new(1, |_, _| Ok(()));
    assert!(matches!(server.fetch(), Err(FetchError::Connection { .. })));
}

#[test]
fn a_server_that_does_not_speak_tls_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}/", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        // Until the client hangs up, so that what was sent arrives.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
    let error = fetcher(FetchOptions::default()).fetch(&address).unwrap_err();
    assert!(matches!(&error, FetchError::Connection { url, .. } if *url == address), "{error}");
    thread.join().unwrap();
}

#[test]
fn a_user_agent_that_is_no_header_is_an_error_and_not_a_panic() {
    let options = FetchOptions { user_agent: "a\r\nb".into(), ..FetchOptions::default() };
    assert!(matches!(Fetcher::new(options).fetch("http://127.0.0.1:9/"), Err(FetchError::Connection { .. })));
}

#[test]
fn an_address_is_read_like_any_other_input() {
    let server = Server::once("200 OK", "", b"<p>".to_vec());
    let fetched = crate::read(&Input::Url(server.address.clone()), &fetcher(FetchOptions::default())).unwrap();
    assert_eq!(fetched.bytes, b"<p>");
    server.finish();
}

/// Serves on an address of the test network: on `/` a redirect elsewhere, on anything else a page.
fn serve(address: &str, requests: usize, elsewhere: String) -> Server {
    let listener = TcpListener::bind((address, 0)).unwrap();
    Server::on(listener, requests, move |path, stream| match path {
        "/" => redirect_to(&elsewhere, stream),
        _ => page(path, stream),
    })
}

#[test]
fn a_public_address_leads_to_no_private_one_unless_that_is_allowed() {
    if !test_network::is_inside("fetch::tests::a_public_address_leads_to_no_private_one_unless_that_is_allowed") {
        return;
    }
    let allowed = || fetcher(FetchOptions { allow_private: true, ..FetchOptions::default() });
    let private = serve("127.0.0.1", 3, "/there".into());
    let secret = format!("{}/secret", private.address);
    let public = serve(test_network::PUBLIC, 2, secret.clone());
    let error = fetcher(FetchOptions::default()).fetch(&public.address).unwrap_err();
    assert!(matches!(&error, FetchError::Private { url, .. } if *url == secret), "{error}");
    assert!(error.to_string().contains("127.0.0.1, which is not a public address"), "{error}");
    assert_eq!(allowed().fetch(&public.address).unwrap().bytes, b"/secret");
    // A name for this machine is no way around it.
    let by_name = secret.replace("127.0.0.1", "localhost");
    let named = serve(test_network::PUBLIC, 1, by_name.clone());
    let error = fetcher(FetchOptions::default()).fetch(&named.address).unwrap_err();
    assert!(matches!(&error, FetchError::Private { url, .. } if *url == by_name), "{error}");
    // Whoever asks for a private address asks for where it leads, too.
    assert_eq!(fetcher(FetchOptions::default()).fetch(&private.address).unwrap().bytes, b"/there");
    let asked = private.finish();
    assert_eq!(asked.iter().filter(|head| head.starts_with("GET /secret")).count(), 1, "{asked:?}");
    // What a page refers to is asked for by the page alone.
    let private = serve("127.0.0.1", 1, "/there".into());
    let address = Url::parse(&private.address).unwrap();
    let refused = fetcher(FetchOptions::default()).resource(&address.join("/logo.png").unwrap(), "image/*").unwrap_err();
    assert!(matches!(refused, FetchError::Private { .. }), "{refused}");
    assert_eq!(allowed().resource(&address.join("/logo.png").unwrap(), "image/*").unwrap().bytes, b"/logo.png");
    for server in [public, named, private] {
        server.finish();
    }
}

#[test]
fn layers_of_nothing_end_with_the_time_and_the_size() {
    let nothing = crate::content_encoding::tests::empty_members(200_000, 3);
    let headers = "Content-Encoding: gzip, gzip, gzip\r\n";
    let error = Server::once("200 OK", headers, nothing.clone()).fetch_within(1 << 20).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    let options = FetchOptions { timeout: Duration::from_millis(300), max_bytes: u64::MAX, ..FetchOptions::default() };
    let nothing = gzip(&nothing.repeat(40));
    let (fetched, _) = Server::once("200 OK", headers, nothing).fetch_with(options, "/");
    assert!(matches!(fetched, Err(FetchError::Timeout { .. } | FetchError::TooLarge { .. })), "{fetched:?}");
}

#[test]
fn whoever_asks_from_elsewhere_gets_public_addresses_on_usual_ports_only() {
    if !test_network::is_inside("fetch::tests::whoever_asks_from_elsewhere_gets_public_addresses_on_usual_ports_only") {
        return;
    }
    let fetch = |url: &str| fetcher(FetchOptions { proxy_from_environment: false, ..FetchOptions::default() }).fetch_for(url);
    for private in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0.0.0.0/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://192.0.0.170/",
        "http://198.18.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[ff02::1]/",
        "http://localhost/",
        "http://user:secret@127.0.0.1/",
    ] {
        let error = fetch(private).unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{private}: {error}");
    }
    for wrong in
        ["http://93.184.215.14:22/", "https://93.184.215.14:80/", "ftp://93.184.215.14/", "file:///etc/passwd", "gopher://a/"]
    {
        let error = fetch(wrong).unwrap_err();
        assert!(matches!(error, FetchError::BadUrl { .. }), "{wrong}: {error}");
    }
    let to = |location: &'static str| {
        let listener = TcpListener::bind((test_network::PUBLIC, 80)).unwrap();
        let public = Server::on(listener, 1, move |_, stream| {
            write!(stream, "HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: {location}\r\n\r\n")
        });
        let error = fetch("http://93.184.215.14/").unwrap_err();
        public.finish();
        error
    };
    for location in ["http://127.0.0.1/", "http://[::1]/", "http://localhost/", "//10.0.0.1/"] {
        let error = to(location);
        assert!(matches!(error, FetchError::Private { .. }), "{location}: {error}");
    }
    for location in ["http://93.184.215.14:8080/", "file:///etc/passwd"] {
        let error = to(location);
        assert!(matches!(error, FetchError::BadRedirect { .. }), "{location}: {error}");
    }
}
