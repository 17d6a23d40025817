//! What a page is found by where its address is written in several ways: the address without what does not matter.

use unchaff_dom::site::without_fragment;
use url::Url;

/// The normalised address without scheme, `www.` and fragment. Sites answer to all of these alike, and their own links
/// mix them.
pub(crate) fn address_key(url: &Url) -> String {
    let url = without_fragment(url);
    let rest = &url[url::Position::BeforeHost..];
    rest.strip_prefix("www.").unwrap_or(rest).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_has_one_key() {
        let key = |url: &str| address_key(&Url::parse(url).unwrap());
        assert_eq!(key("http://www.Example.org:80/%7ea?b#c"), "example.org/~a?b");
        assert_eq!(key("https://me:secret@example.org:443/~a?b"), "example.org/~a?b");
        assert_eq!(key("https://example.org:8080"), "example.org:8080/");
        assert_eq!(key("mailto:a@example.org"), "a@example.org");
    }
}
