//! Rendering the pages of a suite of segments, each once.

use super::{Item, Place, Suite, SuiteError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;
use unchaff_segment::chromium::{BrowserError, Chromium, Options};
use unchaff_segment::files::Files;

/// How long a page may take. Saved pages with all their images are slow where other programs run too.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The name of what renders, in the names of files.
const BACKEND: &str = "chromium";

/// Why pages have no boxes.
#[derive(Debug, Error)]
pub enum RenderError {
    /// There is no browser to render them.
    #[error("{pages} pages of {suite} have no boxes: {cause}; boxes that were made elsewhere can be used too (--layouts DIR)")]
    Browser {
        /// The suite.
        suite: String,
        /// How many pages.
        pages: usize,
        /// Why there is none.
        cause: BrowserError,
    },
    /// Boxes cannot be kept.
    #[error("cannot write {}: {cause}; name another folder (--layouts)", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
}

/// The name of the file with the boxes of a page that has this digest.
pub(super) fn file_name(digest: &str) -> String {
    let (width, height) = Options::default().viewport;
    format!("{digest}-{width}x{height}-{BACKEND}.json")
}

impl Suite {
    /// Looks for the boxes of pages in this folder, and keeps them there.
    pub fn keep_boxes_in(&mut self, folder: &Path) {
        for item in &mut self.items {
            if let Place::Segments(place) = &mut item.place {
                place.boxes.folders = vec![folder.to_owned()];
            }
        }
    }

    /// Renders those of the pages of which no boxes are kept, and keeps them. `told` hears a sentence on each, also if it could not be
    /// rendered, which leaves it without boxes.
    ///
    /// # Errors
    /// If there is no browser, or if boxes cannot be kept.
    pub fn render_missing(&self, items: &[&Item], told: &mut dyn FnMut(&str)) -> Result<(), RenderError> {
        let missing: Vec<(&Item, PathBuf)> = items
            .iter()
            .filter_map(|item| match &item.place {
                Place::Segments(place) if place.boxes.file().is_none() => {
                    Some((*item, place.boxes.folders.last()?.join(&place.boxes.name)))
                }
                _ => None,
            })
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let no_browser = |cause, pages| RenderError::Browser { suite: self.name.clone(), pages, cause };
        let options = Options { time_limit: TIME_LIMIT, ..Options::default() };
        let mut browser = Chromium::new(options).map_err(|cause| no_browser(cause, missing.len()))?;
        for (at, (item, file)) in missing.iter().enumerate() {
            let start = std::time::Instant::now();
            match self.render(item, &mut browser) {
                Ok((json, boxes)) => {
                    write(file, json.as_bytes())?;
                    told(&format!("{}: {boxes} boxes in {:.1} s", item.id, start.elapsed().as_secs_f64()));
                }
                Err(Unrendered::Browser(
                    cause @ (BrowserError::Missing(_) | BrowserError::TooOld { .. } | BrowserError::Start { .. }),
                )) => {
                    return Err(no_browser(cause, missing.len() - at));
                }
                Err(Unrendered::Browser(error)) => told(&format!("{}: no boxes: {error}", item.id)),
                Err(Unrendered::Page(error)) => told(&format!("{}: no boxes: {error}", item.id)),
            }
        }
        Ok(())
    }

    fn render(&self, item: &Item, browser: &mut Chromium) -> Result<(String, usize), Unrendered> {
        let benchmark = self.load(item)?;
        // The files of a page are in the folder of its host.
        let below = item.page_file().and_then(|page| page.strip_prefix(&self.root).ok());
        let files = below.and_then(|below| {
            let host = below.components().next()?;
            Some(Files { root: self.root.join(host), page: below.strip_prefix(host).ok()?.to_owned() })
        });
        let layout = browser.render(&benchmark.page, files.as_ref(), false)?.layout;
        Ok((layout.to_json(), layout.boxes.len()))
    }
}

/// Why one page has no boxes.
#[derive(Debug, Error)]
enum Unrendered {
    #[error(transparent)]
    Browser(#[from] BrowserError),
    #[error(transparent)]
    Page(#[from] SuiteError),
}

/// Writes a file that is there as a whole or not at all, for other runs may look for it.
fn write(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let failed = |cause| RenderError::Write { path: path.to_owned(), cause };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let unfinished = path.with_extension(format!("json-{}", std::process::id()));
    std::fs::write(&unfinished, bytes).map_err(failed)?;
    std::fs::rename(&unfinished, path).map_err(failed)
}
