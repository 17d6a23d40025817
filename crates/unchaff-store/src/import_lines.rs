//! All lines of an export into a store, with where it went wrong if it did.

use crate::{Exported, ImportError, StoreError, TemplateStore};
use std::fmt;
use std::io::{self, BufRead};
use thiserror::Error;

/// What was in the lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Models that had something new.
    pub models: usize,
    /// Templates that had something new.
    pub templates: usize,
    /// What was there already.
    pub known: usize,
    /// Templates of blocks, which are not carried over any more.
    pub blocks: usize,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Imported { models, templates, known, blocks } = self;
        write!(f, "{models} models and {templates} templates imported, {known} were there already")?;
        match blocks {
            0 => Ok(()),
            _ => write!(
                f,
                "; {blocks} templates of blocks left out, which are not carried over any more: their sites are learned again"
            ),
        }
    }
}

/// A line that could not be imported; those before it are.
#[derive(Debug, Error)]
#[error("line {line}: {cause}")]
pub struct LineError {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong.
    #[source]
    pub cause: LineFault,
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineFault {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It is no model and no template.
    #[error(transparent)]
    Parse(#[from] ImportError),
    /// It cannot be stored.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl TemplateStore {
    /// Stores what all lines of an export hold.
    ///
    /// # Errors
    /// At the first line that cannot be read, understood or stored.
    pub fn import_lines(&mut self, lines: impl BufRead) -> Result<Imported, LineError> {
        let mut imported = Imported::default();
        for (line, text) in (1..).zip(lines.lines()) {
            let done = text.map_err(LineFault::Read).and_then(|text| self.import_line(&text, &mut imported));
            done.map_err(|cause| LineError { line, cause })?;
        }
        Ok(imported)
    }

    fn import_line(&mut self, line: &str, imported: &mut Imported) -> Result<(), LineFault> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let exported = match Exported::parse(line) {
            Err(ImportError::Blocks { .. }) => {
                imported.blocks += 1;
                return Ok(());
            }
            parsed => parsed?,
        };
        *match &exported {
            _ if !self.import(&exported)? => &mut imported.known,
            Exported::Model(_) => &mut imported.models,
            Exported::Template(_) => &mut imported.templates,
        } += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_site::SiteModel;
    use unchaff_site::carried_over::templates::Templates;

    #[test]
    fn lines_are_counted_and_a_broken_one_is_named() {
        let page = Parser::new().url("https://example.org/monday").parse("<nav>Home</nav><p>It rained.</p>");
        let mut store = TemplateStore::in_memory().unwrap();
        store.learn("example.org", SiteModel::learn([&page])).unwrap();
        let mut lines = String::from("\n");
        let exported = store.export(|exported| -> Result<(), StoreError> {
            lines.push_str(&(exported.to_json() + "\n"));
            Ok(())
        });
        exported.unwrap();
        let mut other = TemplateStore::in_memory().unwrap();
        assert_eq!(other.import_lines(lines.as_bytes()).unwrap(), Imported { models: 1, ..Imported::default() });
        assert_eq!(other.import_lines(lines.as_bytes()).unwrap(), Imported { known: 1, ..Imported::default() });
        lines += "{}\n";
        let error = other.import_lines(lines.as_bytes()).unwrap_err();
        assert!(error.line == 3 && matches!(error.cause, LineFault::Parse(ImportError::NoSchema)), "{error:?}");
    }
}
