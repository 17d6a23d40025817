//! What can go wrong between a name and its bytes, said so that a person knows what to do.

use std::fmt;
use std::io;
use std::time::Duration;

use unchaff_dom::LoadError;

/// Why a page could not be read. The message is complete: what, where, and what to do.
///
/// Addresses are as anyone may see them: without the password they may carry (but for [`BadUrl`](Self::BadUrl), which
/// repeats what was given). Causes are part of the message and
/// therefore not repeated as [`source`](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Not an address that can be fetched.
    #[error("not a web address: `{url}` ({reason}); write it like https://example.org/page")]
    BadUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The server could not be reached, or what it sent is not HTTP, or the connection is not secure.
    #[error("could not get {url}: {cause}; check the address and the network")]
    Connection {
        /// The address, after redirects.
        url: String,
        /// What the system or the protocol says.
        cause: io::Error,
    },
    /// An address that is not one of the open internet, and that nobody asked for by name.
    #[error("{url} is not fetched: {reason}; allow private addresses if it is yours")]
    Private {
        /// The address.
        url: String,
        /// Which address its name leads to.
        reason: String,
    },
    /// The whole fetch, redirects included, took too long.
    #[error("{url} did not arrive within {} s; allow more time", .limit.as_secs_f64())]
    Timeout {
        /// The address, after redirects.
        url: String,
        /// The time it had.
        limit: Duration,
    },
    /// A redirect leads back to an address already visited.
    #[error("{url} redirects in a circle, back to {again}; it may want cookies: save the page in a browser and give the file")]
    RedirectLoop {
        /// The address asked for.
        url: String,
        /// The address met twice.
        again: String,
    },
    /// More redirects than allowed.
    #[error("{url} redirects more than {limit} times, last to {last}; start from an address closer to the page")]
    TooManyRedirects {
        /// The address asked for.
        url: String,
        /// How many are allowed.
        limit: u32,
        /// Where the next one would lead.
        last: String,
    },
    /// A redirect to something that is no web address.
    #[error("{url} redirects to `{location}`, which cannot be fetched ({reason}); open it in a browser to see what it is")]
    BadRedirect {
        /// The address that redirects.
        url: String,
        /// Where it redirects to.
        location: String,
        /// What is wrong with that.
        reason: String,
    },
    /// The server answered, but not with a page.
    #[error("the server answered {status} for {url}; check in a browser that the page is there for everyone")]
    Status {
        /// The address, after redirects.
        url: String,
        /// Number and name of the status, such as `404 Not Found`.
        status: String,
    },
    /// The document is of another kind.
    #[error("{url} is {content_type}, not a web page; give the address of an HTML, XML or plain text document")]
    ContentType {
        /// The address, after redirects.
        url: String,
        /// The media type the server names.
        content_type: String,
    },
    /// Compressed in a way that was not asked for.
    #[error("{url} is sent with the content encoding `{encoding}`, which unchaff cannot undo; save the page and give the file")]
    ContentEncoding {
        /// The address, after redirects.
        url: String,
        /// The encoding that is not known.
        encoding: String,
    },
    /// More bytes than allowed, counted after decompression.
    #[error("{page} is larger than {}; raise the limit", Size(*.limit))]
    TooLarge {
        /// Address or file.
        page: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// A file of another kind.
    #[error("{page} is {what}, not a web page")]
    Foreign {
        /// The file.
        page: String,
        /// What it is.
        what: &'static str,
    },
    /// The end is missing.
    #[error("{page} ends before it is complete; get it again")]
    Truncated {
        /// Address or file.
        page: String,
    },
    /// Compressed data that cannot be decompressed.
    #[error("{page} is compressed, and the compressed data is damaged ({cause}); get it again")]
    Damaged {
        /// Address or file.
        page: String,
        /// What the decompressor says.
        cause: io::Error,
    },
    /// A file or standard input could not be read.
    #[error("could not read {page}: {cause}; check that it is there and that you may read it")]
    Read {
        /// The file.
        page: String,
        /// What the system says.
        cause: io::Error,
    },
}

impl FetchError {
    /// The error of reading a file or standard input.
    pub(crate) fn reading(page: String, cause: io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated { page },
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Self::Damaged { page, cause },
            _ => Self::Read { page, cause },
        }
    }

    /// The error of talking to a server or of reading what it sends.
    pub(crate) fn fetching(url: String, limit: Duration, cause: ureq::Error) -> Self {
        match cause {
            ureq::Error::Timeout(_) => Self::Timeout { url, limit },
            cause => Self::Connection { url, cause: cause.into_io() },
        }
    }

    /// The error of reading the body of a response, which may come from the connection, from a decompressor or from the limits.
    pub(crate) fn receiving(url: String, limit: Duration, most: u64, cause: io::Error) -> Self {
        match ureq::Error::from(cause) {
            ureq::Error::Io(cause) => match cause.kind() {
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::Timeout { url, limit },
                io::ErrorKind::FileTooLarge => Self::TooLarge { page: url, limit: most },
                io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                    Self::reading(url, cause)
                }
                _ => Self::Connection { url, cause },
            },
            cause => Self::fetching(url, limit, cause),
        }
    }
}

impl From<FetchError> for LoadError {
    fn from(error: FetchError) -> LoadError {
        match error {
            FetchError::TooLarge { page, limit } => LoadError::TooLarge { page, limit },
            FetchError::Timeout { url, limit } => LoadError::Late { page: url, limit },
            FetchError::Private { url, reason } => LoadError::Private { page: url, reason },
            FetchError::Truncated { ref page }
            | FetchError::Damaged { ref page, .. }
            | FetchError::Foreign { ref page, .. }
            | FetchError::Read { ref page, .. } => LoadError::NotFetched { page: page.clone(), reason: error.to_string() },
            FetchError::BadUrl { ref url, .. }
            | FetchError::Connection { ref url, .. }
            | FetchError::RedirectLoop { ref url, .. }
            | FetchError::TooManyRedirects { ref url, .. }
            | FetchError::BadRedirect { ref url, .. }
            | FetchError::Status { ref url, .. }
            | FetchError::ContentType { ref url, .. }
            | FetchError::ContentEncoding { ref url, .. } => {
                LoadError::NotFetched { page: url.clone(), reason: error.to_string() }
            }
        }
    }
}

/// A number of bytes in the largest unit that divides it.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes > 0 && bytes.is_multiple_of(1 << 20) => write!(formatter, "{} MiB", bytes >> 20),
            bytes if bytes > 0 && bytes.is_multiple_of(1 << 10) => write!(formatter, "{} KiB", bytes >> 10),
            bytes => write!(formatter, "{bytes} bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_shown_in_the_unit_it_was_meant_in() {
        assert_eq!(Size(64 << 20).to_string(), "64 MiB");
        assert_eq!(Size(1536).to_string(), "1536 bytes");
        assert_eq!(Size(2048).to_string(), "2 KiB");
        assert_eq!(Size(0).to_string(), "0 bytes");
    }
}
