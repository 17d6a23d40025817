//! What can go wrong with a job as a whole. What goes wrong with one page is that page's affair.

use std::io;
use std::path::PathBuf;
use thiserror::Error;
use unchaff_source::{SiteError, Url};

/// Why a job cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A file cannot be written.
    #[error("cannot write {}: {cause}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// What is written cannot be handed on.
    #[error("cannot write the results: {0}")]
    Output(#[source] io::Error),
    /// The notes about finished sites are no such notes.
    #[error("{} is not what unchaff writes; name another folder, or remove it", .path.display())]
    ForeignNotes {
        /// The file.
        path: PathBuf,
    },
    /// The folder has results that are not those of this job.
    #[error("{} has results of something else ({differs}); name another folder, or replace them", .folder.display())]
    OtherResults {
        /// The folder.
        folder: PathBuf,
        /// What is different.
        differs: String,
    },
    /// A choice that the form of the output does not have.
    #[error("{choice} can be chosen for {formats} only")]
    Misplaced {
        /// What was chosen.
        choice: &'static str,
        /// The forms that have it.
        formats: &'static str,
    },
    /// The source cannot be opened, or has no such site.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// Several sources, of which one is no file of many pages.
    #[error("{} is a folder of pages, which is a site by itself; several sources have to be web archives or other files of many pages", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The source is on the web, where only single pages are looked at.
    #[error("{url} is on the web; fetch the site into an archive first")]
    OnTheWeb {
        /// The address.
        url: String,
    },
    /// What is known about sites cannot be kept or read.
    #[error(transparent)]
    Kept(Box<dyn std::error::Error + Send + Sync>),
    /// The first page of a site on the web cannot be had.
    #[error("{url} cannot be loaded: {why}")]
    FirstPage {
        /// Its address.
        url: Url,
        /// Why.
        why: String,
    },
    /// There is no such technique.
    #[error(transparent)]
    Technique(#[from] unchaff::UnknownTechnique),
    /// It has no such setting.
    #[error(transparent)]
    Setting(#[from] unchaff::SettingError),
    /// Somebody called it off.
    #[error("called off")]
    Cancelled,
}
