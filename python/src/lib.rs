//! The engine as a Python module, `unchaff._engine`; the package around it is in `../package/unchaff`.
//!
//! Thin: Python's values in, the engine's work with the interpreter's lock released, strings and JSON out, of which `_values.py`
//! makes Python's values. What can be seen of it is typed in `_engine.pyi`, and a test compares the two.

mod archive_pages;
mod document;
mod element;
mod errors;
mod extraction;
mod finder;
mod site_of_pages;
mod site_rows;
mod sites;
mod stream;
mod summaries;
mod values;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _engine {
    #[pymodule_export]
    use crate::archive_pages::ArchivePages;
    #[pymodule_export]
    use crate::element::{Element, PyPage};
    #[pymodule_export]
    use crate::extraction::{PyExtraction, restored};
    #[pymodule_export]
    use crate::finder::Extractor;
    #[pymodule_export]
    use crate::site_rows::{row, sample_order, site_of};
    #[pymodule_export]
    use crate::sites::{PySiteModel, cluster, learn};
    #[pymodule_export]
    use crate::stream::{Extractions, extract_many, read};
    #[pymodule_export]
    use crate::summaries::{command, segment, technique_list};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
