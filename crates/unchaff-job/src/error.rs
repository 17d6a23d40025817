//! What can go wrong with a job as a whole. What goes wrong with one page is that page's affair.

use std::io;
use std::path::PathBuf;
use thiserror::Error;
use unchaff::compare::clustering::ClusterError;
use unchaff::{BlockKind, Format};
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
    /// A table was asked for that this program cannot write.
    #[error("this program was built without Parquet")]
    NoParquet,
    /// A table cannot be written.
    #[error("cannot write the table: {0}")]
    Table(#[source] Box<dyn std::error::Error + Send + Sync>),
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
    /// There is no page in it.
    #[error("{source_name} has no page that can be read")]
    NoPage {
        /// What the source is called.
        source_name: String,
    },
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
    /// A command asks where the pages of a site lie, and no site was named.
    #[error("{name} asks for {{pages}}, {{key}} or {{base}}: name the folder of the site")]
    NoFolder {
        /// The name of the command.
        name: String,
    },
    /// No technique that compares pages finds it.
    #[error("the {kind} is what the page alone tells")]
    PageAlone {
        /// What is looked for.
        kind: BlockKind,
    },
    /// Many pages on one stream, in a form that cannot be told apart there.
    #[error("many pages on one stream are JSON lines or a table, and {format} is neither")]
    NoLines {
        /// The form.
        format: Format,
    },
    /// A table that would be taken apart.
    #[error("a table is one for all pages")]
    OneTable,
    /// What many results are to go to is a file.
    #[error("{} is a file; many inputs need a folder to write to", .path.display())]
    IsFile {
        /// The file.
        path: PathBuf,
    },
    /// What all results are to go to in one file is a folder.
    #[error("{} is a folder; a table is one file for all pages", .path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A technique or a form of output needs boxes, and there are none.
    #[error(
        "{technique} and {form} need the boxes of the page; say where they come from, or use a technique that needs none (block-fusion, dom-blocks) with json"
    )]
    NoBoxes {
        /// The technique.
        technique: &'static str,
        /// The form.
        form: crate::SegmentForm,
    },
    /// A picture in pixels, where the browser does not render.
    #[error("a picture in pixels is drawn by Chromium")]
    NoPixels,
    /// What pages look like, where those of a known template are not rendered.
    #[error("boxes and pictures are of rendered pages, but pages of a known template are not rendered")]
    Unrendered,
    /// Pages cannot be put into clusters.
    #[error(transparent)]
    Clusters(#[from] ClusterError),
    /// What is known of pages is known of none of these.
    #[error("the truth names none of the pages; each line is an address, a tab, and what the page is")]
    NoTruth,
    /// There is no such technique.
    #[error("{0}")]
    Technique(#[from] unchaff::UnknownTechnique),
    /// It has no such setting.
    #[error(transparent)]
    Setting(#[from] unchaff::SettingError),
    /// Somebody called it off.
    #[error("called off")]
    Cancelled,
}
