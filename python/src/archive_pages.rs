//! The pages of a web archive that Python has opened, wherever it lies.

use crate::errors::Class;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};
use unchaff_source::{WarcPage, WarcReader};

/// A stream of Python: anything with `read(count)` that returns bytes.
struct PyStream(Py<PyAny>);

impl Read for PyStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = Python::attach(|py| -> PyResult<Option<usize>> {
            let bytes = self.0.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = bytes.cast::<PyBytes>()?.as_bytes();
            let Some(place) = buffer.get_mut(..bytes.len()) else { return Ok(None) };
            place.copy_from_slice(bytes);
            Ok(Some(bytes.len()))
        });
        match read {
            Ok(Some(count)) => Ok(count),
            Ok(None) => Err(io::Error::other("read() of the stream returned more than was asked for")),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }
}

/// The pages of a web archive (WARC) in a stream of bytes, packed or not: address, charset and bytes of each. Behind them, `warnings` tells
/// what was wrong with it.
#[pyclass(frozen, module = "unchaff._engine")]
pub(crate) struct ArchivePages {
    reader: Mutex<WarcReader<PyStream>>,
}

type Row<'py> = (String, Option<String>, Bound<'py, PyBytes>);

#[pymethods]
impl ArchivePages {
    #[new]
    #[pyo3(signature = (stream, max_bytes))]
    fn new(py: Python<'_>, stream: Py<PyAny>, max_bytes: u64) -> PyResult<ArchivePages> {
        let reader = py.detach(|| WarcReader::new(PyStream(stream))).map_err(|error| Class::Source.error(py, error))?;
        Ok(ArchivePages { reader: Mutex::new(reader.max_bytes(max_bytes)) })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Option<Row<'py>> {
        let page = py.detach(|| self.reader.lock().unwrap_or_else(PoisonError::into_inner).next());
        page.map(|WarcPage { url, charset, bytes }| (url.into(), charset, PyBytes::new(py, &bytes)))
    }

    /// What was wrong so far.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.reader.lock().unwrap_or_else(PoisonError::into_inner).warnings().to_vec())
    }

    /// How many records of any kind have been met so far.
    #[getter]
    fn records(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.reader.lock().unwrap_or_else(PoisonError::into_inner).records())
    }
}
