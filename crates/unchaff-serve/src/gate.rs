//! Who may ask, and how much at a time; and a line for each request in the log.
//!
//! A service on this machine can be reached by the pages that a browser on it shows. So it answers to its own names only, which a name that is made to
//! lead here (DNS rebinding) is not, and refuses what pages of others send. Refused is before what is sent is read.

use crate::problem::Problem;
use crate::routes::App;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// How many requests of each address are worked on.
#[derive(Debug, Default)]
pub(crate) struct Clients(Mutex<HashMap<IpAddr, usize>>);

/// One of the requests of an address.
struct OneOf<'c> {
    clients: &'c Clients,
    client: IpAddr,
}

impl Clients {
    fn enter(&self, client: IpAddr, most: usize) -> Option<OneOf<'_>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(OneOf { clients: self, client })
    }
}

impl Drop for OneOf<'_> {
    fn drop(&mut self) {
        let mut counts = self.clients.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

/// What a token is compared by: comparing two digests tells nothing about either text by the time it takes.
pub(crate) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Compares all of both, whatever is found on the way.
fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
}

/// Lets a request in or not, and tells of it.
pub(crate) async fn gate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let client = request.extensions().get::<Client>().map(|client| client.0);
    let method = request.method().clone();
    // Without the query, which tells what someone reads.
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let mut response = pass(&app, client, request, next).await;
    secure(response.headers_mut());
    let (status, time) = (response.status().as_u16(), start.elapsed());
    app.metrics.answered(&route, status, time);
    if !app.options.quiet {
        let client = client.map_or("-".to_owned(), |client| client.to_string());
        let path: String = path.chars().take(200).flat_map(char::escape_default).collect();
        eprintln!("{client} {method} {path} {status} {:.1} ms", time.as_secs_f64() * 1e3);
    }
    response
}

async fn pass(app: &App, client: Option<IpAddr>, request: Request, next: Next) -> Response {
    if let Err(problem) = check(app, &request) {
        return problem.into_response();
    }
    let (_request, now) = app.metrics.request();
    if now > app.options.requests {
        return Problem::busy("too many requests at a time; try again in a moment").into_response();
    }
    let one = client.map(|client| app.clients.enter(client, app.options.per_client));
    if let Some(None) = one {
        return Problem::too_many(app.options.per_client).into_response();
    }
    next.run(request).await
}

/// Whether a request may come in, by its head.
fn check(app: &App, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if app.options.is_local() && !is_here(host, &app.options.hosts) {
        return Err(Problem::misdirected(host));
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or("null");
        if origin.split_once("://").map(|(_, host)| host) != Some(host) {
            return Err(Problem::foreign_origin(origin));
        }
    }
    // A picture or a frame in a page of others; one may follow a link to us.
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if said("sec-fetch-site") == Some("cross-site") && said("sec-fetch-mode") != Some("navigate") {
        return Err(Problem::foreign_origin("another site"));
    }
    if let Some(token) = &app.token
        && is_for_those_who_know(request.uri().path())
        && !given(headers).is_some_and(|given| is_same(&digest(&given), token))
    {
        return Err(Problem::no_token());
    }
    Ok(())
}

/// Whether a path needs the token: all but the page itself, which has nothing of its own to tell, and what says that we are alive.
fn is_for_those_who_know(path: &str) -> bool {
    path.starts_with("/v1/") || path.starts_with("/workbench/") || path == "/read" || path == "/metrics"
}

/// The token that is given: as a bearer's, or as the password that a browser asks for.
fn given(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, value) = value.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(value.trim().to_owned());
    }
    let decoded = base64::engine::general_purpose::STANDARD.decode(value.trim()).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    let password = text.split_once(':')?.1;
    scheme.eq_ignore_ascii_case("basic").then(|| password.to_owned())
}

/// Whether a host is this machine by one of the names that cannot be anyone else's, or one of those that it was given.
fn is_here(host: &str, given: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let is_name = |own: &str| name.eq_ignore_ascii_case(own);
    is_name("localhost")
        || given.iter().any(|own| is_name(own))
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// What browsers are told about every answer.
fn secure(headers: &mut HeaderMap) {
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let alone = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(alone);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_here() {
        for here in ["localhost", "localhost:8017", "LocalHost:1", "127.0.0.1", "127.0.0.1:80", "[::1]:8017", "[::1]"] {
            assert!(is_here(here, &[]), "{here}");
        }
        for elsewhere in
            ["", "example.org", "localhost.example.org:8017", "127.0.0.1.example.org", "10.0.0.1", "[fe80::1]", "evil:127.0.0.1"]
        {
            assert!(!is_here(elsewhere, &[]), "{elsewhere}");
        }
    }

    #[test]
    fn a_web_server_in_front_has_a_name_too() {
        let given = ["pages.example".to_owned()];
        assert!(is_here("Pages.example:443", &given) && is_here("localhost", &given));
        assert!(!is_here("pages.example.org", &given) && !is_here("", &given));
    }

    #[test]
    fn requests_of_an_address_are_counted_as_long_as_they_last() {
        let (clients, client) = (Clients::default(), IpAddr::from([192, 0, 2, 1]));
        let first = clients.enter(client, 2);
        let second = clients.enter(client, 2);
        assert!(first.is_some() && second.is_some() && clients.enter(client, 2).is_none());
        drop(first);
        assert!(clients.enter(client, 2).is_some());
        drop(second);
        assert!(clients.0.lock().unwrap().is_empty());
    }
}
