//! Single facts of an extraction by name: for lines and tables with nothing else in them, and for the head of a Markdown file.

use crate::{CommentRecord, Extraction, TextFacts};
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;
use unchaff_dom::metadata::{Found, Metadata};

/// A fact of an extraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// What the caller calls the page.
    Input,
    /// Its address.
    Url,
    /// The title.
    Title,
    /// The authors, a list.
    Author,
    /// When it was published or, if that is not known, last changed.
    Date,
    /// When it was published.
    Published,
    /// When it was last changed.
    Modified,
    /// The language.
    Language,
    /// The name of the site.
    SiteName,
    /// The description.
    Description,
    /// The address of the picture that stands for it.
    Image,
    /// The address that it calls its own.
    Canonical,
    /// What kind of page it says it is.
    Kind,
    /// Key words, a list.
    Tags,
    /// Sections of the site, a list.
    Categories,
    /// The licence.
    Licence,
    /// Whether some of it is for subscribers.
    Paywalled,
    /// How many words the text has.
    Words,
    /// How many minutes it takes to read.
    ReadingMinutes,
    /// A fingerprint of its words.
    Fingerprint,
    /// How far to trust it.
    Confidence,
    /// The technique.
    Technique,
    /// The name of the page's template.
    Template,
    /// What the user should know, a list.
    Warnings,
    /// The block as text.
    Text,
    /// As Markdown.
    Markdown,
    /// As HTML.
    Html,
    /// What readers wrote, a list of objects with author, date, text and depth.
    Comments,
    /// The posts of a thread, or a question and its answers, as comments are.
    Posts,
    /// What is not content, a list of objects with kind, text and why.
    Additional,
}

impl Field {
    /// All fields, with their names.
    pub const ALL: [(Field, &'static str); 30] = [
        (Field::Input, "input"),
        (Field::Url, "url"),
        (Field::Title, "title"),
        (Field::Author, "author"),
        (Field::Date, "date"),
        (Field::Published, "published"),
        (Field::Modified, "modified"),
        (Field::Language, "language"),
        (Field::SiteName, "site_name"),
        (Field::Description, "description"),
        (Field::Image, "image"),
        (Field::Canonical, "canonical"),
        (Field::Kind, "kind"),
        (Field::Tags, "tags"),
        (Field::Categories, "categories"),
        (Field::Licence, "licence"),
        (Field::Paywalled, "paywalled"),
        (Field::Words, "words"),
        (Field::ReadingMinutes, "reading_minutes"),
        (Field::Fingerprint, "fingerprint"),
        (Field::Confidence, "confidence"),
        (Field::Technique, "technique"),
        (Field::Template, "template"),
        (Field::Warnings, "warnings"),
        (Field::Text, "text"),
        (Field::Markdown, "markdown"),
        (Field::Html, "html"),
        (Field::Comments, "comments"),
        (Field::Posts, "posts"),
        (Field::Additional, "additional"),
    ];

    /// The columns of a table if none are named.
    pub const USUAL: [Field; 9] = [
        Field::Input,
        Field::Url,
        Field::Title,
        Field::Author,
        Field::Published,
        Field::Language,
        Field::Words,
        Field::Confidence,
        Field::Text,
    ];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Field::ALL[self as usize].1
    }

    /// The first line of a table with these columns.
    #[must_use]
    pub fn csv_head(fields: &[Field]) -> String {
        csv_line(fields.iter().map(|field| field.as_str().to_owned()))
    }
}

/// A name that is no field's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownField(String);

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no field `{}`; there are {}", self.0, Field::ALL.map(|(_, name)| name).join(", "))
    }
}

impl std::error::Error for UnknownField {}

impl FromStr for Field {
    type Err = UnknownField;

    fn from_str(name: &str) -> Result<Field, UnknownField> {
        let found = Field::ALL.iter().find(|(_, known)| *known == name).map(|(field, _)| *field);
        found.ok_or_else(|| UnknownField(name.to_owned()))
    }
}

/// What several fields need is found out once.
struct Facts<'e, 'p> {
    extraction: &'e Extraction<'p>,
    text: Option<String>,
    metadata: Option<Metadata>,
    counted: Option<TextFacts>,
}

impl Facts<'_, '_> {
    fn text(&mut self) -> &str {
        self.text.get_or_insert_with(|| self.extraction.text())
    }

    fn metadata(&mut self) -> &Metadata {
        if self.metadata.is_none() {
            let extraction = self.extraction;
            self.metadata = Some(extraction.metadata_with(|| self.text().to_owned()));
        }
        self.metadata.get_or_insert_default()
    }

    fn counted(&mut self) -> TextFacts {
        match self.counted {
            Some(counted) => counted,
            None => *self.counted.insert(TextFacts::of(self.text.get_or_insert_with(|| self.extraction.text()))),
        }
    }

    fn value(&mut self, field: Field, input: Option<&str>) -> Value {
        let one = |found: &Option<Found<String>>| found.as_ref().map(|found| found.value.clone()).into();
        let list = |found: &[Found<String>]| found.iter().map(|found| found.value.clone()).collect();
        match field {
            Field::Input => input.into(),
            Field::Url => self.extraction.page().url_to_show().map(ToString::to_string).into(),
            Field::Title => one(&self.metadata().title),
            Field::Author => list(&self.metadata().author),
            Field::Date => self.metadata().date().map(|found| found.value.clone()).into(),
            Field::Published => one(&self.metadata().published),
            Field::Modified => one(&self.metadata().modified),
            Field::Language => one(&self.metadata().language),
            Field::SiteName => one(&self.metadata().site_name),
            Field::Description => one(&self.metadata().description),
            Field::Image => one(&self.metadata().image),
            Field::Canonical => one(&self.metadata().canonical),
            Field::Kind => one(&self.metadata().kind),
            Field::Tags => list(&self.metadata().tags),
            Field::Categories => list(&self.metadata().categories),
            Field::Licence => one(&self.metadata().licence),
            Field::Paywalled => self.metadata().paywalled.as_ref().map(|found| found.value).into(),
            Field::Words => self.counted().words.into(),
            Field::ReadingMinutes => self.counted().reading_minutes.into(),
            Field::Fingerprint => self.counted().fingerprint.map(|fingerprint| fingerprint.to_string()).into(),
            Field::Confidence => self.extraction.confidence().into(),
            Field::Technique => self.extraction.technique().into(),
            Field::Template => self.extraction.detection().template.clone().into(),
            Field::Warnings => self.extraction.warnings().into_iter().map(|warning| warning.message).collect(),
            Field::Text => self.text().into(),
            Field::Markdown => self.extraction.markdown().into(),
            Field::Html => self.extraction.html().into(),
            Field::Additional => {
                let parts = self.extraction.additional().into_iter();
                parts.map(|part| json!({"kind": part.kind.as_str(), "text": part.text, "why": part.why})).collect()
            }
            Field::Posts => self.extraction.posts().into_iter().map(|post| json!(CommentRecord::from(post))).collect(),
            Field::Comments => {
                self.extraction.comments().into_iter().map(|comment| json!(CommentRecord::from(comment))).collect()
            }
        }
    }
}

impl Extraction<'_> {
    /// These facts and no others, in their order. `input` is what the caller calls the page.
    ///
    /// ```
    /// use unchaff::{Extractor, Field, Page};
    ///
    /// let page = Page::parse("<title>Rain</title><p>It rained all day long, and then it rained all night, and nobody came.</p>");
    /// let fields = Extractor::new().extract(&page).fields(&[Field::Words, Field::Title], None);
    /// assert_eq!(fields, [("words", 14.into()), ("title", "Rain".into())]);
    /// ```
    #[must_use]
    pub fn fields(&self, wanted: &[Field], input: Option<&str>) -> Vec<(&'static str, Value)> {
        let mut facts = Facts { extraction: self, text: None, metadata: None, counted: None };
        wanted.iter().map(|field| (field.as_str(), facts.value(*field, input))).collect()
    }

    /// The same as a JSON object, with what is given besides at its end.
    #[must_use]
    pub fn json_of(&self, wanted: &[Field], input: Option<&str>, given: Option<&str>) -> String {
        let own = self.fields(wanted, input).into_iter().map(|(name, value)| format!("\"{name}\":{value}"));
        let all: Vec<String> = own.chain(given.map(|given| format!("\"given\":{given}"))).collect();
        format!("{{{}}}", all.join(","))
    }

    /// The same as a line of a table (RFC 4180). Items of a list are divided by `; `.
    #[must_use]
    pub fn csv(&self, wanted: &[Field], input: Option<&str>) -> String {
        let cell = |(_, value): (&'static str, Value)| match value {
            Value::Null => String::new(),
            Value::String(text) => text,
            Value::Array(items) => {
                let said = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                items.iter().map(said).collect::<Vec<_>>().join("; ")
            }
            other => other.to_string(),
        };
        csv_line(self.fields(wanted, input).into_iter().map(cell))
    }

    /// What the page says about itself as the head of a Markdown file: YAML between lines of three dashes.
    #[must_use]
    pub fn front_matter(&self) -> String {
        const HEAD: [Field; 11] = [
            Field::Title,
            Field::Author,
            Field::Published,
            Field::Modified,
            Field::Url,
            Field::SiteName,
            Field::Description,
            Field::Language,
            Field::Tags,
            Field::Categories,
            Field::Licence,
        ];
        let mut out = "---\n".to_owned();
        for (name, value) in self.fields(&HEAD, None) {
            let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            if !is_empty {
                // Strings and lists of JSON are YAML as well, whatever is in them.
                out.push_str(&format!("{name}: {value}\n"));
            }
        }
        out + "---\n\n"
    }
}

/// A line of a table. What could be taken for the end of a cell is put in quotes.
fn csv_line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extractor, Page};

    const PAGE: &str = "<html lang=en><head><title>Rain, \"heavy\"</title><meta name=author content='Ann Lee'>\
        <meta name=keywords content='rain, sea'></head><body><main><h1>Rain, \"heavy\"</h1>\
        <p>It rained all day long, and then it rained all night, and nobody came to the old harbour.</p>\
        <p>In the morning the boats lay dry, and the men went out again to look for the nets.</p></main></body></html>";

    #[test]
    fn names_and_fields_belong_to_each_other() {
        for (number, (field, name)) in Field::ALL.into_iter().enumerate() {
            assert_eq!((field as usize, field.as_str(), name.parse()), (number, name, Ok(field)));
        }
        let error = "titel".parse::<Field>().unwrap_err().to_string();
        assert!(error.contains("`titel`") && error.contains("title, author"), "{error}");
    }

    #[test]
    fn fields_are_those_of_the_record_and_come_in_the_order_asked_for() {
        let page = Page::parse(PAGE);
        let extraction = Extractor::new().extract(&page);
        let record = serde_json::to_value(extraction.record(Some("a.html"))).unwrap();
        let wanted = [Field::Text, Field::Input, Field::Title, Field::Author, Field::Words, Field::Fingerprint, Field::Tags];
        let fields = extraction.fields(&wanted, Some("a.html"));
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["text", "input", "title", "author", "words", "fingerprint", "tags"]);
        let line = extraction.json_of(&wanted, Some("a.html"), Some(r#"{"id":7}"#));
        assert!(line.starts_with(r#"{"text":"#) && line.ends_with(r#","tags":["rain","sea"],"given":{"id":7}}"#), "{line}");
        let fields: Value = serde_json::from_str(&line).unwrap();
        for name in ["text", "input", "words", "fingerprint"] {
            assert_eq!(fields[name], record[name], "{name}");
        }
        assert_eq!(fields["title"], record["metadata"]["title"]["value"]);
        assert_eq!((&fields["author"], &fields["tags"]), (&serde_json::json!(["Ann Lee"]), &serde_json::json!(["rain", "sea"])));
    }

    #[test]
    fn the_date_is_that_of_publication_or_of_the_last_change() {
        let date = |head: &str| {
            let page = Page::parse(format!("{head}<p>It rained all day."));
            Extractor::new().extract(&page).fields(&[Field::Date], None).remove(0).1
        };
        let changed = "<meta property=article:modified_time content=2024-03-05>";
        assert_eq!(date(changed), "2024-03-05");
        assert_eq!(date(&format!("{changed}<meta property=article:published_time content=2024-03-01>")), "2024-03-01");
        assert_eq!(date(""), Value::Null);
    }

    #[test]
    fn a_table_has_quotes_where_a_cell_needs_them() {
        let page = Page::parse(PAGE);
        let extraction = Extractor::new().extract(&page);
        let columns = [Field::Title, Field::Tags, Field::Url, Field::Words];
        assert_eq!(Field::csv_head(&columns), "title,tags,url,words\r\n");
        let words = extraction.facts().words;
        assert_eq!(extraction.csv(&columns, None), format!("\"Rain, \"\"heavy\"\"\",rain; sea,,{words}\r\n"));
    }

    #[test]
    fn the_head_of_a_file_is_yaml() {
        let page = Page::parse(PAGE);
        let head = Extractor::new().extract(&page).front_matter();
        assert_eq!(
            head,
            "---\ntitle: \"Rain, \\\"heavy\\\"\"\nauthor: [\"Ann Lee\"]\nlanguage: \"en\"\ntags: [\"rain\",\"sea\"]\n---\n\n"
        );
    }
}
