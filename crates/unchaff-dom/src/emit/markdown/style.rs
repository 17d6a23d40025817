//! How Markdown is written: for which readers, with links where, in lines how wide.

use std::fmt;
use std::str::FromStr;

/// Which readers the Markdown is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Flavour {
    /// GitHub's: tables, struck text, notes (`[^1]`), and a tag of HTML where no mark will do.
    #[default]
    Gfm,
    /// CommonMark alone, and no HTML: rows of tables are items with their cells divided by `|`, notes are blocks that their marks lead to, what is raised is `x^(2a)`.
    CommonMark,
}

impl Flavour {
    /// All of them.
    pub const ALL: [Flavour; 2] = [Flavour::Gfm, Flavour::CommonMark];

    /// The name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Flavour::Gfm => "gfm",
            Flavour::CommonMark => "commonmark",
        }
    }
}

impl fmt::Display for Flavour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no flavour's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFlavour(String);

impl fmt::Display for UnknownFlavour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no Markdown `{}`; there are {}", self.0, Flavour::ALL.map(Flavour::as_str).join(", "))
    }
}

impl std::error::Error for UnknownFlavour {}

impl FromStr for Flavour {
    type Err = UnknownFlavour;

    fn from_str(name: &str) -> Result<Flavour, UnknownFlavour> {
        Flavour::ALL.into_iter().find(|flavour| flavour.as_str() == name).ok_or_else(|| UnknownFlavour(name.to_owned()))
    }
}

/// Where links say where they lead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LinkStyle {
    /// Where they stand.
    #[default]
    Inline,
    /// At the end: `[text][L1]`, and a line `[L1]: <address>` for each address.
    References,
    /// Nowhere: only their text is written.
    Dropped,
}

/// How Markdown is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MarkdownStyle {
    /// For which readers.
    pub flavour: Flavour,
    /// Where links say where they lead.
    pub links: LinkStyle,
    /// At how many characters paragraphs are broken, where there are spaces; by default they are one line.
    pub width: Option<usize>,
}
