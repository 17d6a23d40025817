//! Where what is written of many pages goes: to a stream as it is, or into a table.

use crate::{Form, JobError, ParquetFile};
use std::io::{self, Write};
use std::path::Path;
use unchaff::Field;

/// A stream, or a table that takes the same lines.
pub enum Sink<W> {
    /// The lines as they are.
    Stream(W),
    /// A table of them.
    Table(Box<ParquetFile>),
}

impl<W: Write + Send + 'static> Sink<W> {
    /// What a form needs: a table with these columns, in a file if one is named; or the stream.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn open(form: Form, file: Option<&Path>, columns: &[Field], stream: W) -> Result<Sink<W>, JobError> {
        match (form, file) {
            (Form::Parquet, Some(file)) if file.is_dir() => Err(JobError::IsFolder { path: file.to_owned() }),
            (Form::Parquet, Some(file)) => Ok(Sink::Table(Box::new(ParquetFile::create(file, columns)?))),
            (Form::Parquet, None) => Ok(Sink::Table(Box::new(ParquetFile::over(Box::new(stream), columns)?))),
            _ => Ok(Sink::Stream(stream)),
        }
    }

    /// Ends the table, if it is one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), JobError> {
        match self {
            Sink::Stream(_) => Ok(()),
            Sink::Table(table) => table.finish(),
        }
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stream(stream) => stream.write(bytes),
            Sink::Table(table) => table.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stream(stream) => stream.flush(),
            Sink::Table(table) => table.flush(),
        }
    }
}
