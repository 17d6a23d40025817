//! Boxes that are kept, so that a browser renders a page once: as JSON (`unchaff_segment::layout`), in a file that is named by the digest
//! of the page with all that lies beside it, the viewport, and who rendered it.
//!
//! A suite can bring them in its folder `layouts`; they are then part of its digest. Others are in a folder that is given, or in
//! the user's cache. Which fonts there are decides on boxes too, so figures from boxes of another machine can be others.

use super::{SuiteError, files};
use std::path::PathBuf;
use unchaff_dom::{NodeId, Page, Tag};
use unchaff_segment::layout::{BoxKind, Layout, RenderedBox};
use unchaff_segment::rect::Rect;

/// The boxes of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Boxes {
    /// The boxes; if the page was not rendered, one for each text and image, without a place, for techniques that need none.
    pub layout: Layout,
    /// Whether they come from a browser.
    pub rendered: bool,
}

impl Boxes {
    /// Boxes in the place of those of a page that was not rendered: what techniques that look at the tree alone put into segments.
    fn unrendered(page: &Page) -> Boxes {
        let kind = |node: NodeId| match page.tag(node) {
            Tag::Text if page.counts(node).chars > 0 => Some(BoxKind::Text),
            Tag::Img => Some(BoxKind::Image),
            _ => None,
        };
        let place = Rect::from([0, 0, 1, 1]);
        let rendered = |node: NodeId| Some(RenderedBox { node: Some(node.0), ..RenderedBox::new(kind(node)?, place) });
        let below = page.body().map(|body| page.subtree(body));
        let boxes = below.into_iter().flatten().filter_map(rendered).collect();
        Boxes { layout: Layout { width: 1, height: 1, boxes }, rendered: false }
    }
}

/// Where the boxes of a page are kept.
#[derive(Clone, Debug)]
pub(super) struct KeptBoxes {
    /// The name of the file.
    pub(super) name: String,
    /// The folders where it can be, in this order; it is written into the last.
    pub(super) folders: Vec<PathBuf>,
}

impl KeptBoxes {
    /// The file, if it is there.
    pub(super) fn file(&self) -> Option<PathBuf> {
        self.folders.iter().map(|folder| folder.join(&self.name)).find(|file| file.is_file())
    }

    /// The boxes, or those of a page that was not rendered.
    pub(super) fn read(&self, page: &Page) -> Result<Boxes, SuiteError> {
        let Some(path) = self.file() else { return Ok(Boxes::unrendered(page)) };
        let layout = Layout::from_json(&files::read(&path)?).map_err(|error| SuiteError::Broken {
            what: format!("{error}; delete it, so that the page is rendered again"),
            path,
        })?;
        Ok(Boxes { layout, rendered: true })
    }
}

/// The folder for boxes of pages whose suites do not bring them.
pub(super) fn cache() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let cache = folder("XDG_CACHE_HOME").or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("unchaff").join("layouts")
}
