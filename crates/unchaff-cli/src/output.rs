//! What reaches standard output and standard error.

use anyhow::Result;
use std::io::{self, Write};
use unchaff::UnknownTechnique;
use unchaff::dom::LoadError;
use unchaff_job::JobError;
use unchaff_render::files::FilesError;
use unchaff_segment::renderer::RenderError;
use unchaff_source::FetchError;

/// Writes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Whether the reader of our output has gone away, which is no fault of ours (`unchaff … | head`).
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// An error in the words of the command: what the library says, and the option that is the way out.
pub(crate) fn said(error: &anyhow::Error) -> String {
    let hint = error.chain().find_map(|cause| {
        if let Some(unknown) = cause.downcast_ref::<UnknownTechnique>() {
            return Some(match unknown {
                UnknownTechnique::NeedsSite { .. } => "say where the pages are with --site FOLDER, WARC or URL",
                UnknownTechnique::NeedsNoSite { .. } => "leave --site away, or name one of these",
                _ => "see `unchaff techniques`",
            });
        }
        if let Some(fetch) = cause.downcast_ref::<FetchError>() {
            return match fetch {
                FetchError::Timeout { .. } => Some("with --timeout SECONDS"),
                FetchError::TooLarge { .. } => Some("with --max-bytes BYTES"),
                _ => None,
            };
        }
        if let Some(LoadError(why)) = cause.downcast_ref() {
            // Where a page of a site was to come from is known to the site alone, which says it in words.
            let ways = [
                ("allow private addresses", "--allow-private does that"),
                ("the limit for a page", "--max-bytes BYTES raises it"),
                ("raise the limit", "--max-bytes BYTES does that"),
                ("allow more time", "--timeout SECONDS does that"),
            ];
            return ways.iter().find(|(said, _)| why.contains(said)).map(|(_, way)| *way);
        }
        if let Some(render) = cause.downcast_ref::<RenderError>() {
            return match render {
                RenderError::Missing { .. } => Some("see --boxes and --technique"),
                RenderError::Late { .. } => Some("see --timeout and --boxes"),
                RenderError::Failed { .. } => Some("see --layout and --technique"),
                RenderError::Start { .. } | RenderError::Ended { .. } => None,
            };
        }
        if let Some(FilesError::Outside { .. }) = cause.downcast_ref() {
            return Some("with --root DIR");
        }
        match cause.downcast_ref::<JobError>()? {
            JobError::OnTheWeb { .. } => Some("unchaff crawl URL -o site.warc.gz does that"),
            JobError::Threads(_) => Some("try a smaller --jobs"),
            JobError::ForeignNotes { .. } => Some("-o DIR says which"),
            _ => None,
        }
    });
    match hint {
        Some(hint) => format!("{error:#}; {hint}"),
        None => format!("{error:#}"),
    }
}
