//! Errors in Python's words. The classes are those of `_errors.py`, so that they have the bases that Python's users expect.

use pyo3::prelude::*;
use pyo3::types::PyType;
use std::fmt::Display;
use unchaff::{SettingError, UnknownTechnique};
use unchaff_job::guarded;

/// The classes of `unchaff._errors`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// An argument has a value that makes no sense.
    Option,
    /// Bytes are no model of a site.
    Model,
    /// Pages cannot be read from where they are said to be.
    Source,
    /// A single page cannot be worked on.
    Page,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Option => "OptionError",
            Class::Model => "ModelError",
            Class::Source => "SourceError",
            Class::Page => "PageError",
        }
    }

    /// An exception of this class.
    pub(crate) fn error(self, py: Python<'_>, message: impl Display) -> PyErr {
        let class = py.import("unchaff._errors").and_then(|module| module.getattr(self.name()));
        match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
            Ok(class) => PyErr::from_type(class, message.to_string()),
            Err(error) => error,
        }
    }
}

/// A name that is no technique's.
pub(crate) fn unknown_technique(py: Python<'_>, error: &UnknownTechnique) -> PyErr {
    let hint = match error {
        UnknownTechnique::NeedsSite { .. } => "; give them as site",
        UnknownTechnique::NeedsNoSite { .. } => "; leave site away, or name one of these",
        _ => "; unchaff.techniques() tells about each",
    };
    Class::Option.error(py, format!("{error}{hint}"))
}

/// A setting that a technique does not take.
pub(crate) fn setting(py: Python<'_>, error: &SettingError) -> PyErr {
    Class::Option.error(py, error)
}

/// Does some work of the engine while other threads of Python run. A panic becomes an exception like others.
pub(crate) fn engine<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| guarded(work)).map_err(|panicked| Class::Page.error(py, panicked))
}
