//! Python's values for what the engine says: `_values.py` makes them from JSON, so that each is described once.

use pyo3::prelude::*;
use serde::Serialize;

/// What a function of `unchaff._values` makes of a value.
pub(crate) fn value<'py>(py: Python<'py>, function: &str, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_string(value).unwrap_or_else(|_| unreachable!("strings and numbers are always JSON"));
    value_of_json(py, function, &json)
}

/// The same of what is JSON already.
pub(crate) fn value_of_json<'py>(py: Python<'py>, function: &str, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("unchaff._values")?.getattr(function)?.call1((json,))
}
