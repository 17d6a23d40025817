//! What the users of a page should know about how it was read.

use std::fmt;

/// Something about a page that its user should know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warning {
    /// Bytes that are no characters in the page's charset were replaced.
    Malformed,
    /// The page was longer than [`Limits::bytes`](crate::Limits::bytes); the rest was not read.
    Truncated,
    /// Elements nested deeper than [`Limits::depth`](crate::Limits::depth) became siblings.
    Depth,
    /// Tags beyond [`Limits::nodes`](crate::Limits::nodes) were skipped; their text was kept.
    Nodes,
    /// Attributes beyond [`Limits::attributes`](crate::Limits::attributes) were dropped.
    Attributes,
    /// Formatting elements that were never closed were not all opened again ([`Limits::formatting`](crate::Limits::formatting)).
    Formatting,
    /// A `title` that is never closed would have swallowed the page; its tag was ignored.
    UnclosedTitle,
    /// Something in a `noscript` that is not closed would have swallowed what follows; it ends with the `noscript`, as where scripts are run.
    UnclosedInNoscript,
    /// What was given as the page's address is none.
    Address,
    /// What was given as the page's charset is none.
    Charset,
    /// What addresses are resolved against is too long for so many of them ([`links`](crate::links)); they were left as they are.
    Base,
}

impl Warning {
    /// A short, stable name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Warning::Malformed => "malformed-characters",
            Warning::Truncated => "truncated",
            Warning::Depth => "depth-limit",
            Warning::Nodes => "node-limit",
            Warning::Attributes => "attribute-limit",
            Warning::Formatting => "formatting-limit",
            Warning::UnclosedTitle => "unclosed-title",
            Warning::UnclosedInNoscript => "unclosed-in-noscript",
            Warning::Address => "address",
            Warning::Charset => "charset",
            Warning::Base => "base-limit",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Warning::Malformed => "some bytes are no characters in the page's charset and were replaced",
            Warning::Truncated => "the page is longer than the limit and was cut",
            Warning::Depth => "elements nested too deep were flattened, as browsers do",
            Warning::Nodes => "the page has too many nodes; further tags were skipped, their text was kept",
            Warning::Attributes => "an element has too many attributes; the rest was dropped",
            Warning::Formatting => "too many formatting tags were never closed; not all were carried on",
            Warning::UnclosedTitle => "the title is never closed; its tag was ignored so that the page is not lost in it",
            Warning::UnclosedInNoscript => {
                "an element in a noscript is never closed; it ends with that so that the page is not lost in it"
            }
            Warning::Address => "what was given as the address of the page is no absolute address and was left out",
            Warning::Charset => "what was given as the charset of the page is not known and was left out",
            Warning::Base => "the base address is too long for so many links; they were left as they stand in the page",
        })
    }
}
