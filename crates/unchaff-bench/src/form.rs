//! The forms in which results are shown: for people at a terminal, in Markdown, for programs, or as one page to read.

use serde_json::Value;
use unchaff_page::parameters::choice;

choice! {
    /// How results are written.
    pub enum Form {
        /// Tables for the terminal.
        Table = "table",
        /// JSON.
        Json = "json",
        /// Tables in Markdown.
        Markdown = "markdown",
        /// One HTML file that needs nothing else, where there is one.
        Html = "html",
    }
}

impl Form {
    /// The one of three ways of writing something that this form is; tables where it would be HTML.
    pub fn write(
        self,
        table: impl FnOnce() -> String,
        markdown: impl FnOnce() -> String,
        json: impl FnOnce() -> Value,
    ) -> String {
        match self {
            Form::Table | Form::Html => table(),
            Form::Markdown => markdown(),
            Form::Json => format!("{:#}\n", json()),
        }
    }
}
