//! What becomes of links.

use std::fmt;
use std::str::FromStr;

/// Where links of the content say where they lead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Links {
    /// Where they stand.
    #[default]
    Inline,
    /// At the end of the Markdown, each address once; HTML has them where they stand.
    References,
    /// Nowhere: only their text stays.
    None,
}

impl Links {
    /// All of them.
    pub const ALL: [Links; 3] = [Links::Inline, Links::References, Links::None];

    /// The name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Links::Inline => "inline",
            Links::References => "references",
            Links::None => "none",
        }
    }
}

impl fmt::Display for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is none of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLinks(String);

impl fmt::Display for UnknownLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "links cannot be `{}`; they are {}", self.0, Links::ALL.map(Links::as_str).join(", "))
    }
}

impl std::error::Error for UnknownLinks {}

impl FromStr for Links {
    type Err = UnknownLinks;

    fn from_str(name: &str) -> Result<Links, UnknownLinks> {
        Links::ALL.into_iter().find(|links| links.as_str() == name).ok_or_else(|| UnknownLinks(name.to_owned()))
    }
}
