//! Fetches one page from the web: one address in, bytes out, within a time and a size.
//!
//! Redirects are followed here rather than by the HTTP library, so that they are resolved like a browser does (`url`
//! crate), a circle is told from a long chain, and the body of a redirect is never read. A redirect from https to http
//! is followed: a page that only exists there is better than none, and nothing secret is sent. The first address may be one of a private
//! network or of this machine, since a person asked for it, and then so may all it leads to. One that is public leads to public ones only.
//! Where the address comes from someone else ([`Fetcher::fetch_for`]), it has to be public as well, and on the port of its scheme.

use std::time::{Duration, Instant};

use ureq::Body;
use ureq::http::{Response, StatusCode, header};
use url::Url;

use crate::client::{Client, Reach};
use crate::content_encoding::{self, Bounds};
use crate::content_type::ContentType;
use crate::error::FetchError;
use crate::read::read_limited;

/// What a server is told to prefer; the rest is refused when it comes.
pub(crate) const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1";

/// A longer time than any fetch needs; it keeps sums of times from overflowing.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// Why an address is refused that someone elsewhere asked for.
const OTHER_PORT: &str = "only the usual ports may be asked for, 80 for http and 443 for https";

/// Who asked for an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// The person at this machine.
    Here,
    /// Someone who is not at this machine.
    Elsewhere,
    /// A page that refers to it.
    ByPage,
}

/// How pages are fetched and how much of them is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    /// Time for the whole fetch, from looking up the name to the last byte, redirects included; at most a day.
    /// Default: 30 s, the patience of a browser's user with room to spare.
    pub timeout: Duration,
    /// Most bytes of a page, after decompression; also holds for files and standard input.
    /// Default: 64 MiB, many times the largest page a person would read.
    pub max_bytes: u64,
    /// Most redirects followed. Default: 10; real chains are shorter than five.
    pub max_redirects: u32,
    /// Value of the `User-Agent` header. Default: `unchaff/` and the version, so that a server's owner knows who asks.
    pub user_agent: String,
    /// Whether `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` of the environment are heeded. Default: yes.
    pub proxy_from_environment: bool,
    /// Whether a public address may lead to one of a private network or of this machine. Default: no.
    pub allow_private: bool,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            max_bytes: 64 << 20,
            max_redirects: 10,
            user_agent: concat!("unchaff/", env!("CARGO_PKG_VERSION")).to_owned(),
            proxy_from_environment: true,
            allow_private: false,
        }
    }
}

/// The bytes of a page, with what was said about them where they came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The page, decompressed, otherwise as sent.
    pub bytes: Vec<u8>,
    /// The address after redirects, without fragment and password; none for a file.
    pub url: Option<String>,
    /// The character set named by the server, as written there; it outranks what the page says of itself.
    pub charset: Option<String>,
    /// The media type named by the server, in lower case and without parameters.
    pub content_type: Option<String>,
}

/// A style sheet, image or font, with what decides on how it may be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resource {
    /// What is in it, decompressed.
    pub bytes: Vec<u8>,
    /// The `Content-Type` as it was sent.
    pub content_type: Option<String>,
    /// The `Access-Control-Allow-Origin` as it was sent: who may read it.
    pub allow_origin: Option<String>,
}

/// Fetches pages, one at a time or from several threads; connections are reused where servers allow it.
#[derive(Debug, Clone)]
pub struct Fetcher {
    options: FetchOptions,
    client: Client,
}

impl Default for Fetcher {
    fn default() -> Self {
        Self::new(FetchOptions::default())
    }
}

impl Fetcher {
    /// A fetcher with these options. Nothing is opened yet.
    pub fn new(mut options: FetchOptions) -> Self {
        options.timeout = options.timeout.min(LONGEST_TIMEOUT);
        let client = Client::new(&options.user_agent, options.timeout, options.proxy_from_environment);
        Self { client, options }
    }

    /// The options in use.
    pub fn options(&self) -> &FetchOptions {
        &self.options
    }

    /// Fetches the page at an http or https address, which the person at this machine asked for.
    pub fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        self.page(url, Asked::Here)
    }

    /// Fetches the page at an address that someone elsewhere asked for, as a service does. It and all it leads to have to be public and on the port
    /// of their scheme, unless the options allow private addresses.
    pub fn fetch_for(&self, url: &str) -> Result<Fetched, FetchError> {
        self.page(url, Asked::Elsewhere)
    }

    fn page(&self, url: &str, asked: Asked) -> Result<Fetched, FetchError> {
        let started = Instant::now();
        let here = parse_web_address(url).map_err(|reason| FetchError::BadUrl { url: url.to_owned(), reason })?;
        let (here, response) = self.follow(here, ACCEPT, started, asked)?;
        let url = shown(&here);
        let content_type = ContentType::parse(&text_of(&response, header::CONTENT_TYPE).unwrap_or_default());
        if !content_type.is_readable() {
            return Err(FetchError::ContentType { url, content_type: content_type.essence.unwrap_or_default() });
        }
        let bytes = self.receive(&url, response, started)?;
        Ok(Fetched { bytes, url: Some(url), charset: content_type.charset, content_type: content_type.essence })
    }

    /// Fetches what a page refers to. Nobody asked for its address but the page, so it has to be public, unless the options allow others.
    pub fn resource(&self, url: &Url, accept: &str) -> Result<Resource, FetchError> {
        let started = Instant::now();
        check_web_address(url).map_err(|reason| FetchError::BadUrl { url: shown(url), reason })?;
        let (here, response) = self.follow(url.clone(), accept, started, Asked::ByPage)?;
        let (content_type, allow_origin) =
            (text_of(&response, header::CONTENT_TYPE), text_of(&response, header::ACCESS_CONTROL_ALLOW_ORIGIN));
        Ok(Resource { bytes: self.receive(&shown(&here), response, started)?, content_type, allow_origin })
    }

    /// The last address and what its server answers, which is a success.
    fn follow(&self, mut here: Url, accept: &str, started: Instant, asked: Asked) -> Result<(Url, Response<Body>), FetchError> {
        here.set_fragment(None);
        let has_any_port = asked != Asked::Elsewhere || self.options.allow_private;
        if !has_any_port && here.port().is_some() {
            return Err(FetchError::BadUrl { url: shown(&here), reason: OTHER_PORT.to_owned() });
        }
        let mut visited = vec![here.clone()];
        let mut reach = Reach::of(self.options.allow_private);
        loop {
            let is_first = visited.len() == 1;
            let left = || (!is_first).then(|| self.options.timeout.saturating_sub(started.elapsed()));
            let mut response = self.client.get(&here, accept, reach, left());
            if is_first && asked == Asked::Here && matches!(response, Err(FetchError::Private { .. })) {
                reach = Reach::Anywhere;
                response = self.client.get(&here, accept, reach, left());
            }
            let response = response?;
            let Some(next) = redirect(&here, &response)? else {
                let status = response.status();
                return match status.is_success() {
                    true => Ok((here, response)),
                    false => Err(FetchError::Status { url: shown(&here), status: status.to_string() }),
                };
            };
            if !has_any_port && next.port().is_some() {
                return Err(FetchError::BadRedirect { url: shown(&here), location: shown(&next), reason: OTHER_PORT.to_owned() });
            }
            if visited.contains(&next) {
                return Err(FetchError::RedirectLoop { url: shown(&visited[0]), again: shown(&next) });
            }
            if visited.len() > self.options.max_redirects as usize {
                let limit = self.options.max_redirects;
                return Err(FetchError::TooManyRedirects { url: shown(&visited[0]), limit, last: shown(&next) });
            }
            visited.push(next.clone());
            here = next;
        }
    }

    /// What is in a response.
    fn receive(&self, url: &str, response: Response<Body>, started: Instant) -> Result<Vec<u8>, FetchError> {
        let layers = content_encoding::layers(&text_of(&response, header::CONTENT_ENCODING).unwrap_or_default())
            .map_err(|encoding| FetchError::ContentEncoding { url: url.to_owned(), encoding })?;
        let limit = self.options.max_bytes;
        let too_large = || FetchError::TooLarge { page: url.to_owned(), limit };
        if layers.is_empty() && response.body().content_length().is_some_and(|declared| declared > limit) {
            return Err(too_large());
        }
        let bounds = Bounds { most: limit, deadline: Some(started + self.options.timeout) };
        let body = response.into_body().into_reader();
        let received = content_encoding::undo(body, &layers, bounds).and_then(|mut stream| read_limited(&mut stream, bounds));
        match received {
            Ok(bytes) => bytes.ok_or_else(too_large),
            Err(cause) => Err(FetchError::receiving(url.to_owned(), self.options.timeout, limit, cause)),
        }
    }
}

/// Where a response redirects to, if it does. A 3xx without `Location` is no redirect but an unusable status.
fn redirect(here: &Url, response: &Response<Body>) -> Result<Option<Url>, FetchError> {
    let is_redirect = matches!(
        response.status(),
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    );
    let Some(location) = text_of(response, header::LOCATION).filter(|_| is_redirect) else { return Ok(None) };
    let next = here.join(&location).map_err(|error| error.to_string()).and_then(|next| check_web_address(&next).map(|()| next));
    match next {
        Ok(mut next) => {
            next.set_fragment(None);
            Ok(Some(next))
        }
        Err(reason) => Err(FetchError::BadRedirect { url: shown(here), location, reason }),
    }
}

fn text_of(response: &Response<Body>, name: header::HeaderName) -> Option<String> {
    response.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// An http or https address with a host, or what is wrong with it.
pub(crate) fn parse_web_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    check_web_address(&url)?;
    Ok(url)
}

pub(crate) fn check_web_address(url: &Url) -> Result<(), String> {
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(()),
        "http" | "https" => Err("there is no host".to_owned()),
        other => Err(format!("only http and https can be fetched, not {other}")),
    }
}

/// The address as a person may see it: without name, password and fragment.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Both fail only for addresses without a host, which never get here.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url.into()
}

#[cfg(test)]
mod tests;
