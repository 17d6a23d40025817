//! A page as Python has it: text, or anything that is bytes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString, PyTuple};
use unchaff::Document;

/// What a string says. Surrogates that stand alone, which are no characters, become U+FFFD.
pub(crate) fn text(string: &Bound<'_, PyString>) -> PyResult<String> {
    if let Ok(text) = string.to_str() {
        return Ok(text.to_owned());
    }
    let utf16: Vec<u8> = string.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    let units: Vec<u16> = utf16.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    Ok(String::from_utf16_lossy(&units))
}

/// What an address says: a string, or whatever turns into one, as the address types of HTTP clients do.
pub(crate) fn address(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text(&value.str()?)
}

/// The bytes of a page, and whether they were text: then no charset that the page names can be true.
fn bytes(html: &Bound<'_, PyAny>) -> PyResult<(Vec<u8>, bool)> {
    if let Ok(string) = html.cast::<PyString>() {
        return Ok((text(string)?.into_bytes(), true));
    }
    if let Ok(bytes) = html.cast::<PyBytes>() {
        return Ok((bytes.as_bytes().to_vec(), false));
    }
    if let Ok(bytes) = html.cast::<PyByteArray>() {
        return Ok((bytes.to_vec(), false));
    }
    let view = html.py().import("builtins")?.getattr("memoryview")?.call1((html,)).map_err(|_| {
        let found = html.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "a page is str or bytes, not {found}; to read files, folders and archives there is unchaff.read()"
        ))
    })?;
    Ok((view.call_method0("tobytes")?.extract()?, false))
}

/// A page with what is known about it.
pub(crate) fn document(html: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyAny>>, charset: Option<String>) -> PyResult<Document> {
    let (bytes, was_text) = bytes(html)?;
    let charset = if was_text { Some("utf-8".to_owned()) } else { charset };
    Ok(Document { bytes, url: url.map(address).transpose()?, charset })
}

/// One of many pages: its HTML, or a pair of address (or None) and HTML.
pub(crate) fn one_of_many(item: &Bound<'_, PyAny>, charset: Option<String>) -> PyResult<Document> {
    let Ok(pair) = item.cast::<PyTuple>() else { return document(item, None, charset) };
    let (url, html): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().map_err(|_| {
        PyTypeError::new_err(format!("a page is str, bytes or a pair of address and page, not a tuple of {}", pair.len()))
    })?;
    document(&html, Some(&url).filter(|url| !url.is_none()), charset)
}
