//! Why a site cannot be opened or a page cannot be found in it, said so that a person knows what to do.

use std::io;
use std::path::PathBuf;

/// What is wrong with a source of pages. The message is complete: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// Nothing has this name.
    #[error("no such file or folder: `{}`; check the name (a web address starts with https://)", .path.display())]
    NotFound {
        /// What was named.
        path: PathBuf,
    },
    /// A file or folder cannot be read.
    #[error("cannot read {}: {cause}; check that it is there and that you may read it", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A folder was expected.
    #[error("{} is not a folder; give the folder in which the pages of the site lie", .path.display())]
    NotAFolder {
        /// What was given.
        path: PathBuf,
    },
    /// Nothing in it is a page.
    #[error("no pages in {}: {wanted}", .path.display())]
    NoPages {
        /// The source.
        path: PathBuf,
        /// What would have been a page.
        wanted: &'static str,
    },
    /// The file is not one of the pages.
    #[error("{} is not a page of the site: {reason}", .path.display())]
    NotAPage {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// An archive without the site that is wanted.
    #[error("{} has no pages of the site {name}; it has {known}", .path.display())]
    NoSuchSite {
        /// The archive.
        path: PathBuf,
        /// The site that is wanted.
        name: String,
        /// Some that it has.
        known: String,
    },
    /// A line of a URL list that is none.
    #[error("{}, line {line}: {reason}; each line is an address, a tab and a file, or JSON with \"url\" and \"file\"", .path.display())]
    BadLine {
        /// The list.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Not an address that can be fetched.
    #[error("not a web address: `{url}` ({reason}); write it like https://example.org/")]
    BadUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An archive of which it is not clear what is wanted.
    #[error("{0} has {sites} sites; say which, as in {0}#{example}", .path.display())]
    ManySites {
        /// The archive.
        path: PathBuf,
        /// How many it has.
        sites: usize,
        /// One of them.
        example: String,
    },
    /// A file of another kind.
    #[error(
        "{} is neither a web archive nor a list of addresses; give a folder of pages, a .warc or .warc.gz, \
         a list with an address, a tab and a file on each line, or a web address",
        .path.display()
    )]
    NotASite {
        /// The file.
        path: PathBuf,
    },
}
