//! What is written of a page: the form, and what of it. The same for pages one by one and for whole sites.

use crate::{Destination, JobError};
use unchaff::{Extraction, Field, Flavour, Format, Links, Parts, TOKENS, Title, chunk_lines};

/// The form of what is written, and its choices.
#[derive(Clone, Debug)]
pub struct Rendering {
    /// The form.
    pub format: Format,
    /// Whether it is of everything but the block.
    pub complement: bool,
    /// The only fields of JSON, and the columns of tables, if any are named.
    pub fields: Vec<Field>,
    /// Whether Markdown begins with metadata.
    pub metadata: bool,
    /// Parts included and left out.
    pub parts: Parts,
    /// What becomes of the title.
    pub title: Title,
    /// What becomes of links.
    pub links: Links,
    /// For which readers Markdown is.
    pub flavour: Flavour,
    /// At how many characters paragraphs of text and Markdown are broken.
    pub width: Option<usize>,
    /// Most tokens of a chunk.
    pub max_tokens: usize,
}

impl Default for Rendering {
    fn default() -> Self {
        Rendering {
            format: Format::default(),
            complement: false,
            fields: Vec::new(),
            metadata: false,
            parts: Parts::default(),
            title: Title::default(),
            links: Links::default(),
            flavour: Flavour::default(),
            width: None,
            max_tokens: TOKENS,
        }
    }
}

impl Rendering {
    /// Whether the choices are some that the form has.
    ///
    /// # Errors
    /// If one of them is not.
    pub fn checked(self) -> Result<Rendering, JobError> {
        let misplaced = |choice: &'static str, formats: &'static str| Err(JobError::Misplaced { choice, formats });
        match self.format {
            Format::Json | Format::Csv => {}
            _ if !self.fields.is_empty() => return misplaced("fields", "json and csv"),
            _ => {}
        }
        match self.format {
            Format::Markdown => {}
            _ if self.metadata => return misplaced("metadata as a head", "markdown"),
            _ => {}
        }
        match self.format {
            Format::Text | Format::Markdown | Format::Json | Format::Csv | Format::Chunks => {}
            _ if self.width.is_some() => return misplaced("a width of lines", "text and markdown"),
            _ if self.flavour != Flavour::default() => return misplaced("a kind of Markdown", "markdown"),
            _ => {}
        }
        match self.format {
            Format::Chunks => {}
            _ if self.max_tokens != TOKENS => return misplaced("a number of tokens", "chunks"),
            _ => {}
        }
        Ok(self)
    }

    /// Whether this can go there: of many pages only lines can stand on one stream, and a table is one for all.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_destination(&self, destination: &Destination, is_many: bool) -> Result<(), JobError> {
        let is_lines = matches!(self.format, Format::Json | Format::Chunks | Format::Csv);
        match destination {
            Destination::Stream if is_many && !is_lines => Err(JobError::NoLines { format: self.format }),
            Destination::File(_) | Destination::Folder(_) if self.format == Format::Csv => Err(JobError::OneTable),
            _ => Ok(()),
        }
    }

    /// Whether it shows other blocks than the one that is asked for.
    #[must_use]
    pub fn has_all_blocks(&self) -> bool {
        match self.format {
            Format::Text | Format::Markdown | Format::Html | Format::Tei | Format::Csv | Format::Chunks | Format::Cleaneval => {
                false
            }
            Format::Json => self.fields.is_empty(),
            _ => true,
        }
    }

    /// What stands before all pages.
    #[must_use]
    pub fn head(&self) -> String {
        if self.format == Format::Csv { Field::csv_head(self.columns()) } else { String::new() }
    }

    /// The columns of a table.
    #[must_use]
    pub fn columns(&self) -> &[Field] {
        if self.fields.is_empty() { &Field::USUAL } else { &self.fields }
    }

    /// What is written of a page. `input` is what the caller calls it, `given` what was told with it, as a JSON object.
    #[must_use]
    pub fn write(&self, extraction: Extraction<'_>, input: Option<&str>, given: Option<&str>) -> String {
        let extraction = extraction.with_parts(&self.parts).with_title(self.title).with_links(self.links);
        let extraction = extraction.with_flavour(self.flavour).with_width(self.width);
        let extraction = if self.complement { extraction.complemented() } else { extraction };
        match self.format {
            Format::Json if !self.fields.is_empty() => extraction.json_of(&self.fields, input, given) + "\n",
            Format::Json => {
                let mut record = extraction.record(input);
                record.given = given.and_then(|given| serde_json::from_str(given).ok());
                record.json() + "\n"
            }
            Format::Csv => extraction.csv(self.columns(), input),
            Format::Chunks => chunk_lines(&extraction, input, given, self.max_tokens),
            Format::Annotated if let Some(page) = extraction.explained() => page,
            Format::Markdown if self.metadata => extraction.front_matter() + &extraction.markdown(),
            format => extraction.render(format),
        }
    }

    /// What tells these choices from others.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = format!("format={}", self.format);
        let fields: Vec<&str> = self.fields.iter().map(|field| field.as_str()).collect();
        let choices = [
            (!fields.is_empty()).then(|| format!("fields={}", fields.join(","))),
            self.complement.then(|| "complement".to_owned()),
            self.metadata.then(|| "metadata".to_owned()),
            (self.parts != Parts::default()).then(|| format!("parts={:?}", self.parts)),
            (self.title != Title::default()).then(|| format!("title={}", self.title)),
            (self.links != Links::default()).then(|| format!("links={}", self.links)),
            (self.flavour != Flavour::default()).then(|| format!("markdown={}", self.flavour)),
            self.width.map(|width| format!("width={width}")),
            (self.max_tokens != TOKENS).then(|| format!("tokens={}", self.max_tokens)),
        ];
        choices.into_iter().flatten().for_each(|choice| name = format!("{name} {choice}"));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_show_one_block_do_not_need_the_others() {
        let of = |format: Format| Rendering { format, ..Rendering::default() };
        assert!(!of(Format::Markdown).has_all_blocks() && !of(Format::Csv).has_all_blocks());
        assert!(
            of(Format::Json).has_all_blocks()
                && of(Format::Annotated).has_all_blocks()
                && of(Format::Restructured).has_all_blocks()
        );
        assert!(!Rendering { fields: vec![Field::Text], ..of(Format::Json) }.has_all_blocks());
    }
}
