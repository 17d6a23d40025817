//! Addresses as most links have them, resolved without the URL parser.
//!
//! Links of a page are resolved by the thousand, and nearly all are plain: ASCII that needs no escape, a host of small letters, no
//! port. Such an address is put together from pieces of the base. Everything else is left to [`Page::resolve`], with which
//! this agrees on all that it takes on.

use crate::Page;
use crate::links::{Destination, destination, normalize, site};
use foldhash::{HashMap, HashMapExt};
use url::{Host, Position, Url};

/// What a byte is in an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It may stand there, is written as it is, and means nothing.
    Plain,
    /// The same, but it may tell parts from each other.
    Mark,
    Other,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b'#' | b'?' | b':' | b'.' => Kind::Mark,
            b'-' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b'@' | b'/' => Kind::Plain,
            byte if byte.is_ascii_alphanumeric() => Kind::Plain,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// An address in its parts, if all of it is plain.
#[derive(Clone, Copy)]
struct Parts<'a> {
    /// All before the query: scheme and host, if there are, and path.
    rest: &'a str,
    query: Option<&'a str>,
    fragment: &'a str,
    /// Whether a dot may stand at the start of a segment of the path.
    may_have_dots: bool,
    has_colon: bool,
}

impl Parts<'_> {
    fn of(address: &str) -> Option<Parts<'_>> {
        let (mut query, mut fragment) = (address.len(), address.len());
        let (mut may_have_dots, mut has_colon) = (false, false);
        let bytes = address.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            match KINDS[usize::from(*byte)] {
                Kind::Plain => continue,
                Kind::Other => return None,
                Kind::Mark => {}
            }
            match byte {
                b'#' => fragment = fragment.min(at),
                b'?' => query = query.min(at),
                b':' => has_colon |= at < query,
                _ => may_have_dots |= at == 0 || bytes[at - 1] == b'/',
            }
        }
        let query = query.min(fragment);
        Some(Parts {
            rest: &address[..query],
            query: (query < fragment).then(|| &address[query + 1..fragment]),
            fragment: address.get(fragment + 1..).unwrap_or_default(),
            may_have_dots,
            has_colon,
        })
    }
}

/// Whether an address of the web is plain and as [`Page::resolve`] would give it.
pub(crate) fn is_resolved(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")) else { return false };
    let Some(parts) = Parts::of(rest) else { return false };
    let Some((host, path)) = parts.rest.split_once('/') else { return false };
    let ends = parts.rest.len() + parts.query.map_or(0, |query| query.len() + 1);
    let has_fragment = rest.len() > ends;
    is_plain_host(host)
        && !(parts.may_have_dots && (path.starts_with('.') || path.contains("/.")))
        && parts.query != Some("")
        && !(has_fragment && parts.fragment.is_empty())
}

/// Resolves plain addresses of one page; keeps its buffer from one to the next.
#[derive(Debug)]
pub struct PlainAddresses<'p> {
    base: Option<PlainBase<'p>>,
    buffer: String,
}

/// What addresses are put together from.
#[derive(Debug)]
struct PlainBase<'p> {
    scheme: &'p str,
    /// All before the path.
    root: &'p str,
    /// The path, if it is plain.
    path: Option<&'p str>,
    /// The query, if it is plain; empty if there is none.
    query: Option<&'p str>,
}

/// An address that was resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainAddress<'b> {
    /// As [`Page::resolve`] gives it.
    pub text: &'b str,
    /// Where its host starts.
    host: usize,
    /// Where its path starts.
    path: usize,
}

impl<'b> PlainAddress<'b> {
    /// The host.
    #[must_use]
    pub fn host(&self) -> &'b str {
        &self.text[self.host..self.path]
    }

    /// All from the path on.
    #[must_use]
    pub fn from_path(&self) -> &'b str {
        &self.text[self.path..]
    }

    fn without_fragment(&self) -> &'b str {
        self.text.split('#').next().unwrap_or_default()
    }
}

impl<'p> PlainAddresses<'p> {
    /// Those of a page.
    #[must_use]
    pub fn of(page: &'p Page) -> PlainAddresses<'p> {
        let is_plain = |text: &&str| text.bytes().all(|byte| KINDS[usize::from(byte)] != Kind::Other);
        let base = page.base().filter(|base| {
            let is_web = matches!(base.scheme(), "http" | "https");
            is_web && matches!(base.host(), Some(Host::Domain(host)) if base[..Position::BeforePath].strip_prefix(base.scheme()) == Some(&format!("://{host}")) && !host.ends_with('.'))
        });
        let base = base.map(|base| PlainBase {
            scheme: base.scheme(),
            root: &base[..Position::BeforePath],
            path: Some(base.path()).filter(is_plain),
            query: Some(base.query().unwrap_or_default()).filter(is_plain),
        });
        PlainAddresses { base, buffer: String::new() }
    }

    /// What [`Page::resolve`] gives; none where that has to be asked.
    pub fn resolve(&mut self, address: &str) -> Option<PlainAddress<'_>> {
        let base = self.base.as_ref()?;
        let Parts { rest, query, fragment, may_have_dots, has_colon } = Parts::of(address.trim())?;
        let out = &mut self.buffer;
        out.clear();
        let absolute = rest.strip_prefix("https://").map(|rest| ("https", rest));
        let absolute = absolute.or_else(|| rest.strip_prefix("http://").map(|rest| ("http", rest)));
        let absolute = absolute.or_else(|| rest.strip_prefix("//").map(|rest| (base.scheme, rest)));
        let (scheme, path, mut own_query) = if let Some((scheme, rest)) = absolute {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_plain_host(host) {
                return None;
            }
            out.extend([scheme, "://", host]);
            let start = out.len();
            push_path(out, start, path, may_have_dots);
            (scheme, start, query)
        } else {
            out.push_str(base.root);
            let start = out.len();
            if rest.starts_with('/') {
                push_path(out, start, rest, may_have_dots);
            } else if has_colon {
                return None;
            } else if rest.is_empty() {
                out.push_str(base.path?);
            } else {
                let path = base.path?;
                out.push_str(&path[..=path.rfind('/')?]);
                push_path(out, start, rest, may_have_dots);
            }
            (base.scheme, start, query)
        };
        if rest.is_empty() && query.is_none() {
            own_query = Some(base.query?);
        }
        for (mark, part) in [('?', own_query.unwrap_or_default()), ('#', fragment)] {
            if !part.is_empty() {
                out.push(mark);
                out.push_str(part);
            }
        }
        Some(PlainAddress { text: out, host: scheme.len() + 3, path })
    }
}

/// Appends a path to what stands from `start` on, which is nothing or ends with a slash; dots lead up as far as there.
fn push_path(out: &mut String, start: usize, path: &str, may_have_dots: bool) {
    let path = if out.len() == start {
        out.push('/');
        path.strip_prefix('/').unwrap_or(path)
    } else {
        path
    };
    if !may_have_dots {
        return out.push_str(path);
    }
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." => {}
            ".." => {
                let above = out[start..out.len() - 1].rfind('/').map_or(start, |at| start + at);
                out.truncate(above + 1);
            }
            _ => {
                out.push_str(segment);
                if segments.peek().is_some() {
                    out.push('/');
                }
            }
        }
    }
}

/// Whether a host is a name in small letters that the URL parser takes as it is.
fn is_plain_host(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..64).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // One that ends in a number is an IP address.
    host.len() < 254
        && last.starts_with(|first: char| first.is_ascii_lowercase())
        && !host.contains("--")
        && host.split('.').all(is_label)
}

/// A link: where it leads, and what can be said of its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target<'b> {
    /// The address, normalised; none if it cannot be resolved.
    pub address: Option<&'b str>,
    /// Where it leads.
    pub destination: Destination,
    /// Whether it is the start page of a host.
    pub is_root: bool,
}

/// Where the links of a page lead: what [`Page::links`] says, for those who need no [`Url`].
#[derive(Debug)]
pub struct Targets<'p> {
    page: &'p Page,
    plain: PlainAddresses<'p>,
    here: Option<Url>,
    /// The page's own address without fragment, and its site.
    own: String,
    own_site: Option<String>,
    /// Whether hosts that were met are of the page's site.
    hosts: HashMap<String, bool>,
    other: String,
}

impl<'p> Targets<'p> {
    /// Those of a page.
    #[must_use]
    pub fn of(page: &'p Page) -> Targets<'p> {
        let here = page.url().cloned().map(normalize);
        let own = here.as_ref().map_or("", |here| here.as_str().split('#').next().unwrap_or_default()).to_owned();
        let own_site = here.as_ref().and_then(site);
        Targets { page, plain: PlainAddresses::of(page), here, own, own_site, hosts: HashMap::new(), other: String::new() }
    }

    /// Where a link with this `href` leads.
    pub fn target(&mut self, href: &str) -> Target<'_> {
        let plain = if self.here.is_some() { self.plain.resolve(href) } else { None };
        if let Some(found) = plain {
            let destination = if found.without_fragment() == self.own {
                Destination::SamePage
            } else {
                let is_own = match self.hosts.get(found.host()) {
                    Some(known) => *known,
                    None => {
                        let url = Url::parse(&found.text[..found.path]).ok();
                        let is_own = self.own_site.is_some() && url.as_ref().and_then(site) == self.own_site;
                        self.hosts.insert(found.host().to_owned(), is_own);
                        is_own
                    }
                };
                if is_own { Destination::SameSite } else { Destination::Elsewhere }
            };
            let is_root = found.from_path() == "/" || found.from_path().starts_with("/#");
            return Target { address: Some(found.text), destination, is_root };
        }
        let url = self.page.resolve(href);
        let destination = match (&url, &self.here) {
            (Some(url), Some(here)) => destination(here, url),
            (Some(_), None) => Destination::Elsewhere,
            (None, _) => crate::links::relative_destination(href),
        };
        let is_root = url.as_ref().is_some_and(|url| url.has_host() && url.path() == "/" && url.query().is_none());
        let address = url.map(|url| {
            self.other = url.into();
            &*self.other
        });
        Target { address, destination, is_root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;
    use proptest::prelude::*;

    #[test]
    fn what_links_have_is_plain() {
        let page = Parser::new().url("https://www.example.org/a/b.html?c=d#e").parse("");
        let mut plain = PlainAddresses::of(&page);
        let cases = [
            ("", "https://www.example.org/a/b.html?c=d"),
            ("#top", "https://www.example.org/a/b.html?c=d#top"),
            ("?x=1", "https://www.example.org/a/b.html?x=1"),
            (" c/d?e=f&g#h ", "https://www.example.org/a/c/d?e=f&g#h"),
            ("../../c", "https://www.example.org/c"),
            ("./", "https://www.example.org/a/"),
            ("/", "https://www.example.org/"),
            ("//e.net", "https://e.net/"),
            ("http://e.net?q", "http://e.net/?q"),
        ];
        for (address, expected) in cases {
            assert_eq!(plain.resolve(address).map(|found| found.text), Some(expected), "{address}");
        }
        assert!(is_resolved("https://www.example.org/a.b?c#d") && is_resolved("http://e.net/"));
        for address in ["https://e.net", "https://e.net/?", "https://e.net/#", "https://e.net/./", "https://E.net/", "/a"] {
            assert!(!is_resolved(address), "{address}");
        }
        for address in ["a b", "é", "%41", "mailto:a@example.org", "http://1.2.3.4/", "http://E.org/", "http://e.org:80/", "a'b"]
        {
            assert_eq!(plain.resolve(address), None, "{address}");
        }
    }

    proptest! {
        #[test]
        fn plain_addresses_are_what_the_parser_makes_of_them(
            base in "(https?://([a-z]{1,3}\\.)?(e|1|x-y|xn--a)\\.(org|co\\.uk|1|)(:80)?(/[a.%]{0,3}){0,3}(\\?[b%]{0,2})?(#f)?|file:///a|)",
            parts in prop::collection::vec("[a-z]|\\.|/|//|:|\\?|#|\\.\\./|\\./|https?:|//e\\.org|www\\.|%2e|=|&|é| |@|A|0|,|\\\\|'", 0..8),
        ) {
            let page = Parser::new().url(&base).parse("");
            let address = parts.concat();
            if is_resolved(&address) {
                let url = page.resolve(&address);
                prop_assert_eq!(url.as_ref().map(Url::as_str), Some(&*address));
            }
            if let Some(found) = PlainAddresses::of(&page).resolve(&address) {
                let url = page.resolve(&address);
                prop_assert_eq!(url.as_ref().map(Url::as_str), Some(found.text));
                prop_assert_eq!(url.as_ref().and_then(Url::host_str), Some(found.host()));
                prop_assert_eq!(url.as_ref().map(|url| &url[Position::BeforePath..]), Some(found.from_path()));
            }
        }

        #[test]
        fn targets_are_what_links_say(
            base in "(https?://(www\\.)?e\\.(org|co\\.uk)/(a/)?(\\?b)?|)",
            hrefs in prop::collection::vec("(https?://((www|w)\\.)?(e|f)\\.(org|co\\.uk)|//e\\.org|mailto:|)(/|a|\\.\\.|%41|\\?b|#){0,3}", 0..12),
        ) {
            let html: String = hrefs.iter().map(|href| format!("<a href='{href}'>x</a>")).collect();
            let page = Parser::new().url(&base).parse(html);
            let mut targets = Targets::of(&page);
            for (link, href) in page.links().zip(&hrefs) {
                let found = targets.target(href);
                prop_assert_eq!(found.address, link.url.as_ref().map(Url::as_str));
                prop_assert_eq!(found.destination, link.destination);
                let is_root = link.url.is_some_and(|url| url.has_host() && url.path() == "/" && url.query().is_none());
                prop_assert_eq!(found.is_root, is_root);
            }
        }
    }
}
