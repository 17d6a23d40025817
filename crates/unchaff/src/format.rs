//! The forms in which an extraction can be written.

use std::fmt;
use std::str::FromStr;
use unchaff_dom::emit::Filler;

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
    /// XML as the Text Encoding Initiative (P5) has it: metadata in the header, the content as divisions by heading.
    Tei,
    /// One line of JSON: metadata, blocks, text and Markdown.
    Json,
    /// The whole page, in which every element of a block carries `data-unchaff`.
    Annotated,
    /// The page with everything taken out that is not of the block: of a template, the empty form.
    Skeleton,
    /// Lines of JSON, one for each piece of the Markdown that a language model takes at a time.
    Chunks,
    /// The whole page, in which everything that is not of the block is hidden by style. This and the next four are for a browser: scripts do not run.
    Hidden,
    /// The page with other characters for the texts that are not of the block.
    Replaced(Filler),
    /// The page without the texts that are not of the block; elements stay.
    Deleted,
    /// The page with the block first, then the rest, and navigation last.
    Restructured,
    /// The whole page with its blocks in colours.
    Highlighted,
    /// The page with the elements of HTML 5 for its parts (`main`, `nav`, `header`, `footer`, `aside`), where it has none.
    Html5,
    /// Where in the page as text the texts of the block are: a line with the first and the last character of each piece, from 1.
    Ranges,
    /// Lines of text that start with `<h>`, `<p>` or `<l>`: the marks of the CLEANEVAL task.
    Cleaneval,
    /// A line of a table with the [usual](crate::Field::USUAL) columns, after the line that names them.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 17] = [
        Format::Text,
        Format::Markdown,
        Format::Html,
        Format::Tei,
        Format::Json,
        Format::Annotated,
        Format::Skeleton,
        Format::Chunks,
        Format::Hidden,
        Format::Replaced(Filler::Blank),
        Format::Deleted,
        Format::Restructured,
        Format::Highlighted,
        Format::Html5,
        Format::Ranges,
        Format::Cleaneval,
        Format::Csv,
    ];

    /// The name on the command line, without what may come after it (`replaced:x`).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Tei => "tei",
            Format::Json => "json",
            Format::Annotated => "annotated",
            Format::Skeleton => "skeleton",
            Format::Chunks => "chunks",
            Format::Hidden => "hidden",
            Format::Replaced(_) => "replaced",
            Format::Deleted => "deleted",
            Format::Restructured => "restructured",
            Format::Highlighted => "highlighted",
            Format::Html5 => "html5",
            Format::Ranges => "ranges",
            Format::Cleaneval => "cleaneval",
            Format::Csv => "csv",
        }
    }

    /// The usual ending of a file of this format.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Format::Text | Format::Cleaneval => "txt",
            Format::Markdown => "md",
            Format::Html | Format::Annotated | Format::Skeleton => "html",
            Format::Hidden
            | Format::Replaced(_)
            | Format::Deleted
            | Format::Restructured
            | Format::Highlighted
            | Format::Html5 => "html",
            Format::Tei => "xml",
            Format::Ranges => "tsv",
            Format::Json => "json",
            Format::Chunks => "jsonl",
            Format::Csv => "csv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        match self {
            Format::Replaced(Filler::Character(c)) => write!(f, ":{c}"),
            Format::Replaced(Filler::Ellipsis) => f.write_str(":ellipsis"),
            Format::Replaced(Filler::Placeholder) => f.write_str(":placeholder"),
            _ => Ok(()),
        }
    }
}

/// A name that is no format's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Format::ALL.map(Format::as_str).join(", ");
        write!(
            f,
            "there is no format `{}`; there are {known}, and replaced:X with X a character, ellipsis or placeholder",
            self.0
        )
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let unknown = || UnknownFormat(name.to_owned());
        if let Some(filler) = name.strip_prefix("replaced:") {
            return filled_with(filler).map(Format::Replaced).ok_or_else(unknown);
        }
        Format::ALL.into_iter().find(|format| format.as_str() == name).ok_or_else(unknown)
    }
}

/// What stands for text, by what is said after `replaced:`.
fn filled_with(name: &str) -> Option<Filler> {
    let mut characters = name.chars();
    match (name, characters.next(), characters.next()) {
        ("blank", ..) => Some(Filler::Blank),
        ("ellipsis", ..) => Some(Filler::Ellipsis),
        ("placeholder", ..) => Some(Filler::Placeholder),
        (_, Some(c), None) if !c.is_control() => Some(Filler::Character(c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_read_as_it_is_written() {
        let fillers = [Filler::Ellipsis, Filler::Placeholder, Filler::Character('…'), Filler::Character(':')];
        for format in Format::ALL.into_iter().chain(fillers.map(Format::Replaced)) {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("replaced:".parse::<Format>().is_err());
        assert!("replaced:dots".parse::<Format>().unwrap_err().to_string().contains("ellipsis or placeholder"));
    }
}
