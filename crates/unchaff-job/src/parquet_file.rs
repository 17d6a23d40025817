//! The fields of all pages as one Parquet file, for tools that read tables.
//!
//! Pages come as the JSON lines that are written with the same fields, so that both say the same. Rows are gathered and written a row group at a time, which
//! bounds memory. Lists (authors, tags, categories, warnings) are lists; a comment is a piece of JSON in its list. Everything may be missing. The crate `parquet` is linked with the feature of that name only: it takes
//! long to build.

use std::fmt;
use std::str::FromStr;
use unchaff::{Format, UnknownFormat};

/// What a person can ask for: a form of a page, or a table of all pages that is no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each page in a form.
    Page(Format),
    /// All pages in one Parquet file.
    Parquet,
}

impl Form {
    /// The form in which pages come to whoever writes this.
    #[must_use]
    pub fn of_pages(self) -> Format {
        match self {
            Form::Page(format) => format,
            Form::Parquet => Format::Json,
        }
    }
}

impl FromStr for Form {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Form, UnknownFormat> {
        if name == "parquet" { Ok(Form::Parquet) } else { name.parse().map(Form::Page) }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Page(format) => format.fmt(f),
            Form::Parquet => f.write_str("parquet"),
        }
    }
}

#[cfg(not(feature = "parquet"))]
pub use absent::ParquetFile;
#[cfg(feature = "parquet")]
pub use present::ParquetFile;

#[cfg(not(feature = "parquet"))]
mod absent {
    use crate::JobError;
    use std::io::{self, Write};
    use std::path::Path;
    use unchaff::Field;

    /// What a program without the feature has in its place.
    #[derive(Debug)]
    pub enum ParquetFile {}

    impl ParquetFile {
        /// There is none.
        ///
        /// # Errors
        /// Always.
        pub fn create(_: &Path, _: &[Field]) -> Result<ParquetFile, JobError> {
            Err(JobError::NoParquet)
        }

        /// There is none.
        ///
        /// # Errors
        /// Always.
        pub fn over(_: Box<dyn Write + Send>, _: &[Field]) -> Result<ParquetFile, JobError> {
            Err(JobError::NoParquet)
        }

        /// There is nothing to end.
        ///
        /// # Errors
        /// Never.
        pub fn finish(self) -> Result<(), JobError> {
            match self {}
        }
    }

    impl Write for ParquetFile {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            match *self {}
        }

        fn flush(&mut self) -> io::Result<()> {
            match *self {}
        }
    }
}

#[cfg(feature = "parquet")]
mod present {
    use crate::JobError;
    use parquet::basic::Compression;
    use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use serde_json::Value;
    use std::fs::File;
    use std::io::{self, BufWriter, Write};
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use unchaff::Field;

    /// A row group has no more pages than this.
    const MOST_ROWS: usize = 10_000;
    /// Nor more bytes of JSON than this.
    const MOST_BYTES: usize = 64 << 20;

    /// A Parquet file that is being written from lines of JSON.
    pub struct ParquetFile {
        writer: SerializedFileWriter<Box<dyn Write + Send>>,
        columns: Vec<(Field, Kind)>,
        rows: Vec<Value>,
        /// Bytes of the rows that are held.
        held: usize,
        /// A line that has not ended yet.
        line: Vec<u8>,
        /// What the file is called until it is whole, and then.
        names: Option<(PathBuf, PathBuf)>,
    }

    /// What a column holds.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Kind {
        Text,
        List,
        Whole,
        Number,
        Truth,
    }

    impl Kind {
        fn of(field: Field) -> Kind {
            match field {
                Field::Author
                | Field::Tags
                | Field::Categories
                | Field::Warnings
                | Field::Comments
                | Field::Posts
                | Field::Additional => Kind::List,
                Field::Words | Field::ReadingMinutes => Kind::Whole,
                Field::Confidence => Kind::Number,
                Field::Paywalled => Kind::Truth,
                _ => Kind::Text,
            }
        }

        fn schema(self, name: &str) -> String {
            match self {
                Kind::Text => format!("optional binary {name} (STRING);"),
                Kind::List => {
                    format!("required group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}")
                }
                Kind::Whole => format!("optional int64 {name};"),
                Kind::Number => format!("optional double {name};"),
                Kind::Truth => format!("optional boolean {name};"),
            }
        }
    }

    impl ParquetFile {
        /// A file with these columns. It has its name when it is whole.
        ///
        /// # Errors
        /// If it cannot be written.
        pub fn create(path: &Path, fields: &[Field]) -> Result<ParquetFile, JobError> {
            let mut part = path.as_os_str().to_owned();
            part.push(".part");
            let part = PathBuf::from(part);
            let file = File::create(&part).map_err(|cause| JobError::Write { path: part.clone(), cause })?;
            let mut table = ParquetFile::over(Box::new(BufWriter::new(file)), fields)?;
            table.names = Some((part, path.to_owned()));
            Ok(table)
        }

        /// A table with these columns on a stream.
        ///
        /// # Errors
        /// If it cannot be written.
        pub fn over(out: Box<dyn Write + Send>, fields: &[Field]) -> Result<ParquetFile, JobError> {
            let columns: Vec<(Field, Kind)> = fields.iter().map(|field| (*field, Kind::of(*field))).collect();
            let schema: String = columns.iter().map(|(field, kind)| kind.schema(field.as_str())).collect();
            let schema = parse_message_type(&format!("message page {{ {schema} }}"))?;
            let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
            let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
            Ok(ParquetFile { writer, columns, rows: Vec::new(), held: 0, line: Vec::new(), names: None })
        }

        /// Writes what is left and ends the file.
        ///
        /// # Errors
        /// If it cannot be written.
        pub fn finish(mut self) -> Result<(), JobError> {
            self.write_rows()?;
            self.writer.finish()?;
            self.writer.inner_mut().flush().map_err(JobError::Output)?;
            if let Some((part, path)) = &self.names {
                std::fs::rename(part, path).map_err(|cause| JobError::Write { path: path.clone(), cause })?;
            }
            Ok(())
        }

        fn take_line(&mut self) -> Result<(), JobError> {
            if !self.line.is_empty() {
                let row = serde_json::from_slice(&self.line).map_err(|error| JobError::Table(error.into()))?;
                self.rows.push(row);
                self.held += self.line.len();
                self.line.clear();
            }
            if self.rows.len() >= MOST_ROWS || self.held >= MOST_BYTES { self.write_rows() } else { Ok(()) }
        }

        fn write_rows(&mut self) -> Result<(), JobError> {
            let rows = std::mem::take(&mut self.rows);
            self.held = 0;
            if rows.is_empty() {
                return Ok(());
            }
            let mut group = self.writer.next_row_group()?;
            for (field, kind) in &self.columns {
                let Some(mut column) = group.next_column()? else { break };
                let cells = || rows.iter().map(|row| &row[field.as_str()]);
                let is_there = |found: bool| i16::from(found);
                match kind {
                    Kind::Text => {
                        let values: Vec<ByteArray> = cells().filter_map(Value::as_str).map(ByteArray::from).collect();
                        let there: Vec<i16> = cells().map(|cell| is_there(cell.is_string())).collect();
                        column.typed::<ByteArrayType>().write_batch(&values, Some(&there), None)?;
                    }
                    Kind::Whole => {
                        let values: Vec<i64> = cells().filter_map(Value::as_i64).collect();
                        let there: Vec<i16> = cells().map(|cell| is_there(cell.as_i64().is_some())).collect();
                        column.typed::<Int64Type>().write_batch(&values, Some(&there), None)?;
                    }
                    Kind::Number => {
                        let values: Vec<f64> = cells().filter_map(Value::as_f64).collect();
                        let there: Vec<i16> = cells().map(|cell| is_there(cell.as_f64().is_some())).collect();
                        column.typed::<DoubleType>().write_batch(&values, Some(&there), None)?;
                    }
                    Kind::Truth => {
                        let values: Vec<bool> = cells().filter_map(Value::as_bool).collect();
                        let there: Vec<i16> = cells().map(|cell| is_there(cell.is_boolean())).collect();
                        column.typed::<BoolType>().write_batch(&values, Some(&there), None)?;
                    }
                    Kind::List => {
                        let (mut values, mut there, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
                        for cell in cells() {
                            let items = cell.as_array().map(Vec::as_slice).unwrap_or_default();
                            for (at, item) in items.iter().enumerate() {
                                let said = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                                values.push(ByteArray::from(said.into_bytes()));
                                there.push(1);
                                repeats.push(i16::from(at > 0));
                            }
                            if items.is_empty() {
                                there.push(0);
                                repeats.push(0);
                            }
                        }
                        column.typed::<ByteArrayType>().write_batch(&values, Some(&there), Some(&repeats))?;
                    }
                }
                column.close()?;
            }
            group.close()?;
            Ok(())
        }
    }

    impl From<ParquetError> for JobError {
        fn from(error: ParquetError) -> JobError {
            JobError::Table(error.into())
        }
    }

    impl Drop for ParquetFile {
        fn drop(&mut self) {
            if let Some((part, _)) = &self.names {
                // Gone already if the file is whole.
                let _ = std::fs::remove_file(part);
            }
        }
    }

    /// Takes lines of JSON, in pieces of any size.
    impl Write for ParquetFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            for (at, piece) in bytes.split(|byte| *byte == b'\n').enumerate() {
                if at > 0 {
                    self.take_line().map_err(io::Error::other)?;
                }
                self.line.extend_from_slice(piece);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
