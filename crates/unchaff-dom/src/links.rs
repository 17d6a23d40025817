//! Links: resolved against the page's `base` and address, normalised, and classified by where they lead.
//!
//! A site is a registrable domain (`example.co.uk`, by the public suffix list), or a host where there is none, such as an IP
//! address. Two addresses are the same page if they differ in the fragment alone.
//!
//! A resolved address repeats the base, so a long base and many links would make megabytes of a small page. A base is used only if what all
//! addresses of the page could come to is bounded ([`BASE_BYTES`], [`RESOLVED`]); else they stay as they stand in the page, with a warning.

use crate::{NodeId, Page, Tag};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use url::{Host, Url};

/// The longest base that addresses are resolved against: servers take no longer ones.
pub const BASE_BYTES: usize = 8192;

/// What the bases in all resolved addresses of a page may come to, as a multiple of the page, and [`RESOLVED_AT_LEAST`].
pub const RESOLVED: usize = 4;

/// What they may come to on any page: 20,000 links on a page at an address of fifty bytes.
pub const RESOLVED_AT_LEAST: usize = 1_000_000;

/// Where a link leads, seen from its page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Destination {
    /// To the page itself, or a place in it.
    SamePage,
    /// To another page of the same site.
    SameSite,
    /// To another site, or to what is no page (`mailto:`, `javascript:`).
    Elsewhere,
}

/// A link of a page.
#[derive(Clone, Debug)]
pub struct Link {
    /// The `a` or `area` element.
    pub node: NodeId,
    /// The address, normalised; none if it cannot be resolved.
    pub url: Option<Url>,
    /// Where it leads. A relative link on a page without an address leads to the same site.
    pub destination: Destination,
}

impl Page {
    /// What relative addresses are resolved against: `base href`, itself resolved against the page's address, or that.
    #[must_use]
    pub fn base(&self) -> Option<&Url> {
        self.base.as_ref()
    }

    /// The base, and whether there is one that is not used because it is too long for the page.
    pub(crate) fn find_base(&self) -> (Option<Url>, bool) {
        let given = self.head.and_then(|head| {
            let base = self.descendants(head).find(|node| self.tag(*node) == Tag::Base && self.attr(*node, "href").is_some())?;
            let href = self.attr(base, "href")?.trim();
            match &self.url {
                Some(url) => url.join(href).ok(),
                None => Url::parse(href).ok(),
            }
        });
        let base = given.filter(|base| !base.cannot_be_a_base()).or_else(|| self.url.clone());
        let is_too_long = base.as_ref().is_some_and(|base| self.is_too_long(base.as_str().len()));
        (base.filter(|_| !is_too_long), is_too_long)
    }

    /// Whether a base of so many bytes could make too much of the page's addresses.
    fn is_too_long(&self, base: usize) -> bool {
        let most = RESOLVED * self.source.len() + RESOLVED_AT_LEAST;
        // Attributes are at hand; which of them are addresses is looked up only where it matters.
        let exceeds = |addresses: usize| base.saturating_mul(addresses) > most;
        base > BASE_BYTES
            || exceeds(self.attrs.len()) && exceeds(self.nodes().flat_map(|node| self.attrs(node)).filter(is_address).count())
    }

    /// An address as it stands in the page, made absolute and [normalised](normalize).
    #[must_use]
    pub fn resolve(&self, address: &str) -> Option<Url> {
        let address = address.trim();
        let url = match &self.base {
            Some(base) => base.join(address).ok()?,
            // The address of another host lacks no more than how to get there.
            None if address.starts_with("//") => Url::parse(&format!("https:{address}")).ok()?,
            None => Url::parse(address).ok()?,
        };
        Some(normalize(url))
    }

    /// The same for readers: none if it leads [nowhere](NOWHERE), so that it is shown as it stands.
    #[must_use]
    pub fn resolve_to_show(&self, address: &str) -> Option<Url> {
        self.resolve(address).filter(|url| !leads_nowhere(url.as_str()))
    }

    /// The page's own address for readers: none if it leads [nowhere](NOWHERE).
    #[must_use]
    pub fn url_to_show(&self) -> Option<&Url> {
        self.url().filter(|url| !leads_nowhere(url.as_str()))
    }

    /// All links in document order: `a` and `area` with an `href`.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        let here = self.url.clone().map(normalize);
        self.nodes().filter(|node| matches!(self.tag(*node), Tag::A | Tag::Area)).filter_map(move |node| {
            let href = self.attr(node, "href")?;
            let url = self.resolve(href);
            let destination = match (&url, &here) {
                (Some(url), Some(here)) => destination(here, url),
                (Some(_), None) => Destination::Elsewhere,
                (None, _) => relative_destination(href),
            };
            Some(Link { node, url, destination })
        })
    }
}

/// What a folder stands for if nobody says: an address that no real page has (RFC 2606). It tells pages apart, and is nothing that a reader could follow.
pub const NOWHERE: &str = "http://site.invalid/";

/// Whether an address is below [`NOWHERE`].
#[must_use]
pub fn leads_nowhere(address: &str) -> bool {
    address.starts_with(NOWHERE)
}

/// What readers are told a page is called: its address, or in a folder that stands for none the name of its file there.
#[must_use]
pub fn shown(address: &str) -> Cow<'_, str> {
    address.strip_prefix(NOWHERE).map_or(Cow::Borrowed(address), |file| percent_decode_str(file).decode_utf8_lossy())
}

/// Whether an attribute may hold an address that is resolved: `href` and `cite`, and `src` under all its names.
fn is_address((name, _): &(&str, &str)) -> bool {
    matches!(*name, "href" | "cite" | "poster") || name.contains("src") || *name == "data-original"
}

/// What can be said of an address that cannot be made absolute because the page has none.
pub(crate) fn relative_destination(href: &str) -> Destination {
    match href.trim() {
        "" => Destination::SamePage,
        href if href.starts_with('#') => Destination::SamePage,
        href if href.starts_with("//") => Destination::Elsewhere,
        _ => Destination::SameSite,
    }
}

/// Where `to` leads, seen from the page at `from`.
#[must_use]
pub fn destination(from: &Url, to: &Url) -> Destination {
    let without_fragment = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    if without_fragment(from) == without_fragment(to) {
        Destination::SamePage
    } else if matches!(to.scheme(), "http" | "https" | "file") && site(from).is_some() && site(from) == site(to) {
        Destination::SameSite
    } else {
        Destination::Elsewhere
    }
}

/// The part of a host that somebody registered (`example.co.uk` of `www.example.co.uk`), if it has one. The list of suffixes is code, half a megabyte
/// wherever it is inlined: so it is asked here and nowhere else.
#[inline(never)]
pub(crate) fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// The site of an address: its registrable domain, or its host if there is none. Files are one site.
#[must_use]
pub fn site(url: &Url) -> Option<String> {
    match url.host() {
        Some(Host::Domain(domain)) => Some(registrable(domain).unwrap_or(domain).to_owned()),
        Some(host) => Some(host.to_string()),
        None => (url.scheme() == "file").then(String::new),
    }
}

/// One spelling for one address: what the URL standard does not settle but servers treat alike. The fragment stays;
/// trailing dots of the host, an empty query and an empty fragment go; percent signs have upper-case digits and no
/// longer stand for letters, digits, `-`, `.`, `_` and `~`.
#[must_use]
pub fn normalize(mut url: Url) -> Url {
    if url.query() == Some("") {
        url.set_query(None);
    }
    if url.fragment() == Some("") {
        url.set_fragment(None);
    }
    if let Some(host) = url.host_str().filter(|host| host.ends_with('.')).map(|host| host.trim_end_matches('.').to_owned()) {
        let _ = url.set_host(Some(&host));
    }
    if url.path().contains('%') {
        let path = normalize_percent(url.path());
        url.set_path(&path);
    }
    if url.query().is_some_and(|query| query.contains('%')) {
        let query = url.query().map(normalize_percent);
        url.set_query(query.as_deref());
    }
    url
}

fn normalize_percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let Some(byte) = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            out.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push_str(&rest[at..at + 3].to_ascii_uppercase());
        }
        rest = &rest[at + 3..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parser, Warning};

    fn links(url: &str, html: &str) -> Vec<(String, Destination)> {
        let page = Parser::new().url(url).parse(html);
        page.links().map(|link| (link.url.map_or_else(String::new, String::from), link.destination)).collect()
    }

    #[test]
    fn links_are_resolved_against_the_address_and_classified() {
        use Destination::*;
        let html = "<a href='../b?'>1</a><a href=#top>2</a><a href=//shop.example.co.uk/x>3</a><a href=https://example.com/>4</a>\
                    <a name=x>no link</a><a href=mailto:a@example.co.uk>5</a><a href='  /c d '>6</a><a href=javascript:void(0)>7</a>";
        let expected = [
            ("https://www.example.co.uk/b", SameSite),
            ("https://www.example.co.uk/a/#top", SamePage),
            ("https://shop.example.co.uk/x", SameSite),
            ("https://example.com/", Elsewhere),
            ("mailto:a@example.co.uk", Elsewhere),
            ("https://www.example.co.uk/c%20d", SameSite),
            ("javascript:void(0)", Elsewhere),
        ];
        let found = links("https://www.example.co.uk/a/", html);
        assert_eq!(found, expected.map(|(url, destination)| (url.to_owned(), destination)));
    }

    #[test]
    fn base_changes_what_links_are_resolved_against_but_not_what_the_page_is() {
        let found = links("https://a.example/x/y", "<base href=/z/><a href=p>1</a><a href=#t>2</a>");
        assert_eq!(found[0], ("https://a.example/z/p".to_owned(), Destination::SameSite));
        assert_eq!(found[1], ("https://a.example/z/#t".to_owned(), Destination::SameSite));
    }

    #[test]
    fn a_base_is_left_out_where_it_would_make_too_much_of_a_page() {
        let page = |base: usize, links: usize| {
            let html = format!("<base href=\"/{}/\">{}", "b".repeat(base), "<a href=x>1</a>".repeat(links));
            Parser::new().url("https://e.org/").parse(html)
        };
        for (base, links, is_used) in
            [(8000, 100, true), (8000, 200, false), (9000, 1, false), (200, 4000, true), (400, 4000, false)]
        {
            let page = page(base, links);
            assert_eq!(page.base().is_some(), is_used, "{base} {links}");
            assert_eq!(page.warnings().contains(&Warning::Base), !is_used);
            assert_eq!(page.links().next().unwrap().url.is_some(), is_used);
            assert!(page.links().filter_map(|link| link.url).map(|url| url.as_str().len()).sum::<usize>() < 1_200_000);
            assert!(page.links().all(|link| link.destination == Destination::SameSite));
        }
        // Attributes that are no addresses do not count, and neither does a long address of a page without links.
        let html = format!("<a href=x>1</a>{}", "<p title=y>2</p>".repeat(4000));
        assert!(Parser::new().url(&format!("https://e.org/{}", "b".repeat(400))).parse(html).warnings().is_empty());
        let long = format!("https://e.org/{}", "b".repeat(400));
        assert!(Parser::new().url(&long).parse("<a href=x>1</a>".repeat(4000)).warnings().contains(&Warning::Base));
    }

    #[test]
    fn without_an_address_relative_links_still_have_a_destination() {
        let page = Page::parse("<a href=b.html>1</a><a href=#x>2</a><a href=http://e.org/>3</a>");
        let found: Vec<_> = page.links().map(|link| link.destination).collect();
        assert_eq!(found, [Destination::SameSite, Destination::SamePage, Destination::Elsewhere]);
    }

    #[test]
    fn a_site_is_a_registrable_domain_or_a_host() {
        let site_of = |url: &str| site(&Url::parse(url).unwrap());
        assert_eq!(site_of("https://a.b.example.co.uk/").as_deref(), Some("example.co.uk"));
        assert_eq!(site_of("http://192.0.2.7:80/").as_deref(), Some("192.0.2.7"));
        assert_eq!(site_of("http://[2001:db8::1]/").as_deref(), Some("[2001:db8::1]"));
        assert_eq!(site_of("http://localhost/").as_deref(), Some("localhost"));
        assert_ne!(site_of("https://one.github.io/"), site_of("https://two.github.io/"));
    }

    #[test]
    fn addresses_that_servers_treat_alike_have_one_spelling() {
        let one = |url: &str| normalize(Url::parse(url).unwrap()).to_string();
        assert_eq!(one("HTTP://Example.ORG..:80/%7euser/%e4%2f?#"), "http://example.org/~user/%E4%2F");
        assert_eq!(one("http://example.org/%zz%4"), "http://example.org/%zz%4");
        assert_eq!(one("http://example.org/?q=%c3%a9%41"), "http://example.org/?q=%C3%A9A");
    }
}
