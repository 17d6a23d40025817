//! An answer of a server that was read as bytes to its end: status, media type, and the body as it was before it was sent.

use crate::content_encoding::Bounds;
use crate::warc::{NotUnpacked, ResponseHead};
use thiserror::Error;

/// An answer over HTTP/1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainResponse {
    /// The status.
    pub status: u16,
    /// The media type in lower case and without parameters, if it was said.
    pub content_type: Option<String>,
    /// The charset, as written.
    pub charset: Option<String>,
    /// The body, without chunks and compression.
    pub bytes: Vec<u8>,
}

/// Why bytes are no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlainResponseError {
    /// The head has no end.
    #[error("the answer is no HTTP: its head has no end")]
    NoHead,
    /// The first line has no status.
    #[error("the answer is no HTTP: its first line has no status")]
    NoStatus,
    /// The body is too large.
    #[error("the answer has more than {most} bytes")]
    TooLarge {
        /// How many it may have.
        most: u64,
    },
    /// Unpacking the body takes too long.
    #[error("unpacking the answer takes too long")]
    Late,
    /// The body is packed in an unknown way.
    #[error("the answer is compressed by `{name}`, which is not known")]
    Encoding {
        /// The name of the way.
        name: String,
    },
}

impl PlainResponse {
    /// Takes an answer apart, whose body may have so many bytes.
    ///
    /// # Errors
    /// If it is no answer, or its body cannot be unpacked.
    pub fn read(mut bytes: Vec<u8>, most: u64) -> Result<PlainResponse, PlainResponseError> {
        let (end, gap) = head_end(&bytes).ok_or(PlainResponseError::NoHead)?;
        let body = bytes.split_off(end + gap);
        let head = ResponseHead::parse(&bytes[..end]).ok_or(PlainResponseError::NoStatus)?;
        let content_type = head.content_type();
        let unpacked = head.unpack(body, Bounds { most, deadline: None }).map_err(|error| match error {
            NotUnpacked::TooLarge => PlainResponseError::TooLarge { most },
            NotUnpacked::Late => PlainResponseError::Late,
            NotUnpacked::Encoding(name) => PlainResponseError::Encoding { name },
        })?;
        Ok(PlainResponse {
            status: head.status,
            content_type: content_type.essence,
            charset: content_type.charset,
            bytes: unpacked,
        })
    }
}

/// Where a head ends, and how long the blank line is that ends it.
fn head_end(bytes: &[u8]) -> Option<(usize, usize)> {
    let find = |mark: &[u8]| bytes.windows(mark.len()).position(|window| window == mark).map(|at| (at, mark.len()));
    let ends = [find(b"\r\n\r\n"), find(b"\n\n")];
    ends.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_apart() {
        let sent = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=latin1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n";
        let response = PlainResponse::read(sent.to_vec(), 100).unwrap();
        assert_eq!((response.status, response.bytes.as_slice()), (200, &b"<p>"[..]));
        assert_eq!((response.content_type.as_deref(), response.charset.as_deref()), (Some("text/html"), Some("latin1")));
        assert_eq!(PlainResponse::read(b"HTTP/1.0 404 No\n\nno".to_vec(), 100).unwrap().status, 404);
        assert!(PlainResponse::read(b"<p>hello".to_vec(), 100) == Err(PlainResponseError::NoHead));
        assert!(PlainResponse::read(b"SSH-2.0\r\n\r\n".to_vec(), 100) == Err(PlainResponseError::NoStatus));
        assert!(PlainResponse::read(b"HTTP/1.1 200 OK\r\n\r\nlong".to_vec(), 3) == Err(PlainResponseError::TooLarge { most: 3 }));
    }
}
