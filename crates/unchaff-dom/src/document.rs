//! A page as it came: its bytes, and what was said about them where they came from.
//!
//! Every loader, whatever it loads from, ends here, so that address, charset and limits mean the same to all of them. What is wrong
//! about them is no reason to have no page: it becomes a [warning](Warning) in the page.

use crate::decode::{decode_at, is_known};
use crate::parse::Limits;
use crate::{Page, Warning};
use url::Url;

/// A page before it is read; see the [module](self).
///
/// ```
/// use unchaff_dom::Document;
///
/// let page = Document::new("<p>Hello <b>world</b>").at("https://example.org/a/").page();
/// assert_eq!(page.text(page.root()), "Hello world");
/// let lost = Document::new("<p>Hello").at("somewhere").page();
/// assert_eq!(lost.warnings()[0].code(), "address");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// The page, without compression, otherwise as it came.
    pub bytes: Vec<u8>,
    /// Its address, against which links are resolved. What is no absolute URL is left out, with a warning.
    pub url: Option<String>,
    /// The charset as told by the server, or by someone who knows better. A name that is not known is left out, with a warning.
    pub charset: Option<String>,
}

impl Document {
    /// A page of which nothing is known but its bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Document {
        Document { bytes: bytes.into(), ..Document::default() }
    }

    /// The same at an address.
    #[must_use]
    pub fn at(self, url: impl Into<String>) -> Document {
        Document { url: Some(url.into()), ..self }
    }

    /// The same in a charset.
    #[must_use]
    pub fn in_charset(self, charset: impl Into<String>) -> Document {
        Document { charset: Some(charset.into()), ..self }
    }

    /// Reads the page. Any bytes are one.
    #[must_use]
    pub fn page(self) -> Page {
        self.page_within(Limits::default())
    }

    /// Reads the page within other limits than the default.
    #[must_use]
    pub fn page_within(self, limits: Limits) -> Page {
        self.page_in_steps(limits, |_| ())
    }

    /// Reads the page and tells after each step that it is done. For benchmarks: nothing here knows a clock.
    #[doc(hidden)]
    pub fn page_in_steps(self, limits: Limits, mut done: impl FnMut(Step)) -> Page {
        let Document { bytes, url, charset } = self;
        let known = charset.as_deref().filter(|charset| is_known(charset));
        let address = url.as_deref().map(Url::parse);
        let host = address.as_ref().and_then(|url| url.as_ref().ok()).and_then(Url::domain);
        let decoded = decode_at(bytes, known, host);
        done(Step::Decoded);
        let mut page = Page::of_source(decoded.text, address.as_ref().and_then(|url| url.clone().ok()), limits, done);
        page.charset = decoded.charset;
        page.charset_source = decoded.source;
        page.offsets_match = decoded.offsets_match;
        let said = [
            (decoded.malformed, Warning::Malformed),
            (matches!(address, Some(Err(_))), Warning::Address),
            (charset.is_some() && known.is_none(), Warning::Charset),
        ];
        page.warnings.extend(said.into_iter().filter(|(is, _)| *is).map(|(_, warning)| warning));
        page
    }
}

/// A step of reading a page.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Bytes are text.
    Decoded,
    /// Text is a tree.
    Parsed,
    /// The tree is a page.
    Frozen,
}
