//! Files that name pages of the web: plain lists, sitemaps (sitemaps.org) and feeds (RSS, Atom, RDF).
//!
//! XML is looked through for the tags that hold addresses rather than parsed: feeds in the wild are rarely well-formed.

use url::Url;

/// What kind of file names addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// One address a line.
    List,
    /// A sitemap, or one that names other sitemaps.
    Sitemap,
    /// RSS, Atom or RDF.
    Feed,
}

/// Most addresses taken from a file: as many as a sitemap may have.
pub(crate) const MOST: usize = 50_000;

/// What kind of file begins like this, if it is one of these.
pub(crate) fn naming(first: &[u8]) -> Option<Naming> {
    let text = String::from_utf8_lossy(&first[..first.len().min(2048)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') {
        return root_of(text).and_then(|root| match root.rsplit(':').next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "urlset" | "sitemapindex" => Some(Naming::Sitemap),
            "rss" | "feed" | "rdf" => Some(Naming::Feed),
            _ => None,
        });
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let address = lines.next()?.split('\t').next()?;
    let is_address = (address.starts_with("http://") || address.starts_with("https://")) && !address.contains(' ');
    is_address.then_some(Naming::List)
}

/// The name of the first element.
fn root_of(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')? + 1..];
        rest = match rest.as_bytes().first()? {
            b'?' => &rest[rest.find("?>")?..],
            b'!' if rest.starts_with("!--") => &rest[rest.find("-->")?..],
            b'!' => &rest[rest.find('>')?..],
            _ => return rest.split([' ', '\t', '\r', '\n', '>', '/']).next(),
        };
    }
}

/// The addresses that a file names, in order, each once; relative ones by its own address.
pub(crate) fn addresses(naming: Naming, bytes: &[u8], base: Option<&Url>) -> Vec<Url> {
    let text = String::from_utf8_lossy(bytes);
    let found: Vec<String> = match naming {
        Naming::List => text.lines().map(|line| line.split('\t').next().unwrap_or_default().trim().to_owned()).collect(),
        Naming::Sitemap => elements(&text).filter(|tag| tag.name == "loc").map(|tag| tag.text()).collect(),
        Naming::Feed => of_feed(&text),
    };
    let mut seen = std::collections::HashSet::new();
    let absolute = |address: String| match base {
        Some(base) => base.join(&address).ok(),
        None => Url::parse(&address).ok(),
    };
    let urls = found.into_iter().filter(|address| !address.is_empty() && !address.starts_with('#')).filter_map(absolute);
    urls.filter(|url| matches!(url.scheme(), "http" | "https") && seen.insert(url.clone())).take(MOST).collect()
}

/// Links of entries, and not those of the feed itself.
fn of_feed(text: &str) -> Vec<String> {
    let (mut in_entry, mut found) = (false, Vec::new());
    for tag in elements(text) {
        match tag.name.as_str() {
            "item" | "entry" => in_entry = true,
            "/item" | "/entry" => in_entry = false,
            "link" if in_entry => match tag.attribute("href") {
                Some(_) if tag.attribute("rel").is_some_and(|rel| rel != "alternate") => {}
                Some(href) => found.push(href),
                None => found.push(tag.text()),
            },
            _ => {}
        }
    }
    found
}

/// A tag and what comes after it.
struct Element<'t> {
    /// Without prefix, in lower case; end tags begin with a slash.
    name: String,
    inside: &'t str,
    after: &'t str,
}

fn elements(text: &str) -> impl Iterator<Item = Element<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('<')? + 1..];
            if rest.starts_with("!--") {
                rest = rest.find("-->").map_or("", |end| &rest[end..]);
                continue;
            }
            if rest.starts_with("![CDATA[") {
                rest = rest.find("]]>").map_or("", |end| &rest[end..]);
                continue;
            }
            let end = rest.find('>')?;
            let (inside, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            let name = inside.split([' ', '\t', '\r', '\n']).next().unwrap_or_default();
            let (slash, name) = name.strip_prefix('/').map_or(("", name), |name| ("/", name));
            let name = name.trim_end_matches('/').rsplit(':').next().unwrap_or_default().to_ascii_lowercase();
            return Some(Element { name: format!("{slash}{name}"), inside, after });
        }
    })
}

impl Element<'_> {
    /// The text up to the next tag.
    fn text(&self) -> String {
        let text = self.after.trim_start();
        match text.strip_prefix("<![CDATA[") {
            Some(text) => text[..text.find("]]>").unwrap_or(text.len())].trim().to_owned(),
            None => decoded(text[..text.find('<').unwrap_or(text.len())].trim()),
        }
    }

    fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.inside;
        while let Some(at) = rest.find(name) {
            let is_begin = rest[..at].ends_with([' ', '\t', '\r', '\n']);
            rest = &rest[at + name.len()..];
            let value = rest.trim_start().strip_prefix('=').map(str::trim_start);
            if let (true, Some(value)) = (is_begin, value) {
                let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
                return value[1..].split(quote).next().map(decoded);
            }
        }
        None
    }
}

fn decoded(text: &str) -> String {
    let named =
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&#38;", "&");
    named.replace("&#x26;", "&").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let base = Url::parse("https://example.org/feeds/x").unwrap();
        let naming = naming(text.as_bytes()).expect("it names addresses");
        addresses(naming, text.as_bytes(), Some(&base)).into_iter().map(String::from).collect()
    }

    #[test]
    fn lists_sitemaps_and_feeds_name_their_pages_once() {
        assert_eq!(
            found("# pages\nhttps://a.example/1\n\nhttps://a.example/2\tfile.html\nhttps://a.example/1\n"),
            ["https://a.example/1", "https://a.example/2"]
        );
        assert_eq!(
            found(
                "<?xml version='1.0'?><!-- <loc>no</loc> --><urlset xmlns='x'><url><loc> https://a.example/?a=1&amp;b=2 </loc>\
                 <image:image><image:title>t</image:title></image:image></url><url><loc><![CDATA[https://a.example/c]]></loc></url></urlset>"
            ),
            ["https://a.example/?a=1&b=2", "https://a.example/c"]
        );
        assert_eq!(
            found(
                "<rss version='2.0'><channel><link>https://a.example/</link><item><title>One</title><link>/one</link></item>\
                 <item><description><![CDATA[<link>no</link>]]></description><link>https://a.example/two</link></item></channel></rss>"
            ),
            ["https://example.org/one", "https://a.example/two"]
        );
        assert_eq!(
            found(
                "<feed xmlns='x'><link href='https://a.example/'/><entry><link rel='self' href='/self'/><link rel=\"alternate\" \
                 href=\"/entry\"/></entry><entry><link href='/plain'/></entry></feed>"
            ),
            ["https://example.org/entry", "https://example.org/plain"]
        );
    }

    #[test]
    fn pages_and_other_xml_name_none() {
        for text in ["<!doctype html><p>x", "<html>", "<svg xmlns='x'>", "https://a.example/ is a page", "", "<", "<?xml", "text"]
        {
            assert_eq!(naming(text.as_bytes()), None, "{text}");
        }
    }
}
