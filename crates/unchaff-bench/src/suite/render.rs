//! Rendering the pages of a suite of segments, each once.

use super::{Item, Place, Suite, SuiteError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;
use unchaff_render::chromium::{Chromium, Options};
use unchaff_render::files::Files;
use unchaff_segment::renderer::{PageToRender, RenderError, Renderer};

/// How long a page may take. Saved pages with all their images are slow where other programs run too.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Why pages have no boxes.
#[derive(Debug, Error)]
pub enum MissingBoxes {
    /// There is nothing on this machine to render them.
    #[error("{pages} pages of {suite} have no boxes: {cause}; boxes that were made elsewhere can be used too (--layouts DIR)")]
    Renderer {
        /// The suite.
        suite: String,
        /// How many pages.
        pages: usize,
        /// Why there is nothing.
        cause: RenderError,
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

/// How pages are rendered.
fn options() -> Options {
    Options { time_limit: TIME_LIMIT, ..Options::default() }
}

/// The name of the file with the boxes of a page that has this digest: with all that they depend on.
pub(super) fn file_name(digest: &str) -> String {
    let conditions = options().conditions();
    format!("{digest}-{}-{}.json", conditions.window, conditions.renderer)
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
    pub fn render_missing(&self, items: &[&Item], told: &mut dyn FnMut(&str)) -> Result<(), MissingBoxes> {
        self.render_missing_with(&mut Chromium::new(options()), items, told)
    }

    fn render_missing_with(
        &self,
        renderer: &mut dyn Renderer,
        items: &[&Item],
        told: &mut dyn FnMut(&str),
    ) -> Result<(), MissingBoxes> {
        let missing: Vec<(&Item, PathBuf)> = items
            .iter()
            .filter_map(|item| match &item.place {
                Place::Segments(place) if place.boxes.file().is_none() => {
                    Some((*item, place.boxes.folders.last()?.join(&place.boxes.name)))
                }
                _ => None,
            })
            .collect();
        for (at, (item, file)) in missing.iter().enumerate() {
            let start = std::time::Instant::now();
            match self.render(item, renderer) {
                Ok((json, boxes)) => {
                    write(file, json.as_bytes())?;
                    told(&format!("{}: {boxes} boxes in {:.1} s", item.id, start.elapsed().as_secs_f64()));
                }
                // So it would be with all the others.
                Err(Unrendered::Renderer(cause @ (RenderError::Missing { .. } | RenderError::Start { .. }))) => {
                    return Err(MissingBoxes::Renderer { suite: self.name.clone(), pages: missing.len() - at, cause });
                }
                Err(error) => told(&format!("{}: no boxes: {error}", item.id)),
            }
        }
        Ok(())
    }

    fn render(&self, item: &Item, renderer: &mut dyn Renderer) -> Result<(String, usize), Unrendered> {
        let benchmark = self.load(item)?;
        // The files of a page are in the folder of its host.
        let below = item.page_file().and_then(|page| page.strip_prefix(&self.root).ok());
        let files = below.and_then(|below| {
            let host = below.components().next()?;
            Some(Files { root: self.root.join(host), page: below.strip_prefix(host).ok()?.to_owned() })
        });
        let layout = renderer.render(&PageToRender::new(&benchmark.page).with_subresources(files))?.layout;
        Ok((layout.to_json(), layout.boxes.len()))
    }
}

/// Why one page has no boxes.
#[derive(Debug, Error)]
enum Unrendered {
    #[error(transparent)]
    Renderer(#[from] RenderError),
    #[error(transparent)]
    Page(#[from] SuiteError),
}

/// Writes a file that is there as a whole or not at all, for other runs may look for it.
fn write(path: &Path, bytes: &[u8]) -> Result<(), MissingBoxes> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let failed = |cause| MissingBoxes::Write { path: path.to_owned(), cause };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let unfinished = path.with_extension(format!("json-{}", std::process::id()));
    std::fs::write(&unfinished, bytes).map_err(failed)?;
    std::fs::rename(&unfinished, path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_segment::layout::Layout;
    use unchaff_segment::renderer::{Conditions, Rendering, Window};

    /// Has an empty layout of each page with a style sheet, as long as it lasts.
    #[derive(Debug)]
    struct Fake {
        pages: usize,
    }

    impl Renderer for Fake {
        fn conditions(&self) -> Conditions {
            Conditions { renderer: "fake", window: Window::default(), more: Vec::new() }
        }

        fn render(&mut self, page: &PageToRender<'_>) -> Result<Rendering, RenderError> {
            let renderer = "fake";
            self.pages = self.pages.checked_sub(1).ok_or(RenderError::Start { renderer, reason: "it is worn out".to_owned() })?;
            let files = page.subresources.as_ref().ok_or(RenderError::Ended { renderer })?;
            let has_style = files.has(&files.address().join("style.css").unwrap());
            if has_style { Ok(Layout::default().into()) } else { Err(RenderError::Ended { renderer }) }
        }
    }

    #[test]
    fn pages_without_boxes_are_rendered_until_nothing_can_render_any() {
        let folder = tempfile::tempdir().unwrap();
        for host in ["a.example", "b.example", "c.example", "d.example"] {
            std::fs::create_dir(folder.path().join(host)).unwrap();
            std::fs::write(folder.path().join(host).join("index.dom.html"), format!("<p>{host}</p>")).unwrap();
            std::fs::write(folder.path().join(host).join("index.blocks.html"), format!("<p data-block=1>{host}</p>")).unwrap();
            if host != "b.example" {
                std::fs::write(folder.path().join(host).join("style.css"), "").unwrap();
            }
        }
        let kept = tempfile::tempdir().unwrap();
        let mut suite = Suite::open(folder.path()).unwrap().remove(0);
        suite.keep_boxes_in(kept.path());
        let items: Vec<&Item> = suite.items.iter().collect();
        let mut told = Vec::new();
        let error =
            suite.render_missing_with(&mut Fake { pages: 3 }, &items, &mut |text| told.push(text.to_owned())).unwrap_err();
        assert!(error.to_string().starts_with("1 pages of ") && error.to_string().contains("it is worn out"), "{error}");
        assert!(told[1].contains("b.example: no boxes: fake ended") && told[2].contains("c.example: 0 boxes"), "{told:?}");
        assert_eq!(std::fs::read_dir(kept.path()).unwrap().count(), 2);
        let is_rendered: Vec<bool> = items.iter().map(|item| suite.load(item).unwrap().is_rendered()).collect();
        assert_eq!(is_rendered, [true, false, true, false]);
    }
}
