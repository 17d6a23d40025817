//! The forms in which an extraction can be written.

use std::fmt;
use std::str::FromStr;

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// Plain text.
    Text,
    /// CommonMark with tables.
    #[default]
    Markdown,
    /// Content markup only, safe attributes, absolute addresses.
    Html,
    /// One line of JSON: metadata, blocks, text and Markdown.
    Json,
    /// The whole page, in which every element of a block carries `data-unchaff`.
    Annotated,
    /// The page with everything taken out that is not of the block: of a template, the empty form.
    Skeleton,
    /// Lines of JSON, one for each piece of the Markdown that a language model takes at a time.
    Chunks,
    /// A line of a table with the [usual](crate::Field::USUAL) columns, after the line that names them.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Text,
        Format::Markdown,
        Format::Html,
        Format::Json,
        Format::Annotated,
        Format::Skeleton,
        Format::Chunks,
        Format::Csv,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Json => "json",
            Format::Annotated => "annotated",
            Format::Skeleton => "skeleton",
            Format::Chunks => "chunks",
            Format::Csv => "csv",
        }
    }

    /// The usual ending of a file of this format.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Format::Text => "txt",
            Format::Markdown => "md",
            Format::Html | Format::Annotated | Format::Skeleton => "html",
            Format::Json => "json",
            Format::Chunks => "jsonl",
            Format::Csv => "csv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no format's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no format `{}`; there are {}", self.0, Format::ALL.map(Format::as_str).join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.as_str() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}
