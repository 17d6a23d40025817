//! Pages with the help of a template store (`--store`): what is known is carried over, the rest is analysed and learned.
//!
//! Pages are looked at in parallel and settled in their order (see `unchaff_store`), so that the answers do not depend on the
//! number of jobs.

use anyhow::Result;
use std::path::Path;
use std::sync::Arc;
use unchaff::compare::learned::page_blocks::PageBlocks;
use unchaff::compare::learned::template_auto::TemplateAuto;
use unchaff::dom::{PageId, links};
use unchaff::{BlockKind, Detection, NodeSet, Page};
use unchaff_source::AnySite;
use unchaff_store::{Look, StreamOptions, TemplateStore, TemplateStream};

/// Opens a store for a stream of pages.
pub(crate) fn open_stream(path: &Path) -> Result<TemplateStream> {
    Ok(TemplateStream::new(TemplateStore::open(path)?, StreamOptions::default()))
}

/// The site under which templates of a page are kept, if its address tells: its registrable domain.
pub(crate) fn site_of(page: &Page) -> Option<String> {
    // Folders that stand for no address have one that no real page has.
    links::site(page.url()?).filter(|site| !site.is_empty() && !site.ends_with(".invalid"))
}

/// Finds blocks of one kind with a store, and with the site of the pages if it is given.
pub(crate) struct WithStore {
    stream: TemplateStream,
    pub(crate) site: Option<Box<AnySite>>,
    kind: BlockKind,
}

/// A page that was looked at.
pub(crate) struct Seen {
    page: Arc<Page>,
    key: Option<PageId>,
    look: Option<(String, Look)>,
}

impl WithStore {
    pub(crate) fn open(path: &Path, site: Option<Box<AnySite>>, kind: BlockKind) -> Result<WithStore> {
        Ok(WithStore { stream: open_stream(path)?, site, kind })
    }

    /// Looks at a page; `key` is its number in the site.
    pub(crate) fn look(&self, page: Arc<Page>, key: Option<PageId>) -> Result<Seen> {
        let look = match site_of(&page) {
            Some(site) => {
                let look = self.stream.look(&site, &page)?;
                Some((site, look))
            }
            None => None,
        };
        Ok(Seen { page, key, look })
    }

    /// Settles a page: its block, with notes on where it comes from.
    pub(crate) fn settle(&self, seen: Seen) -> Result<(Arc<Page>, Detection)> {
        let Seen { page, key, look } = seen;
        let teach = |page: &Page| {
            let (_, _, applied) = TemplateAuto::default().analyse(&**self.site.as_ref()?, key?, page);
            PageBlocks::believes(&applied).then(|| self.stream.blocks().with_template(page, applied))
        };
        let whole = match look {
            Some((site, look)) => self.stream.settle(&site, &page, look, &teach)?.detection,
            None => {
                let mut alone = teach(&page).unwrap_or_else(|| self.stream.blocks().alone(&page));
                alone.notes.push("the page has no address (--url, --base-url), so the store cannot tell its site".to_owned());
                alone
            }
        };
        let nodes = whole.nodes(self.kind).cloned().unwrap_or_else(|| NodeSet::new(&page));
        Ok((page, Detection { notes: whole.notes, ..Detection::of(self.kind, nodes) }))
    }

    /// Notes in the store what went by.
    pub(crate) fn flush(&self) -> Result<()> {
        Ok(self.stream.flush()?)
    }

    /// Closes the store.
    pub(crate) fn finish(self) -> Result<()> {
        self.stream.finish()?;
        Ok(())
    }
}
