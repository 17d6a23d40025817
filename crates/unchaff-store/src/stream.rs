//! What pages go through to get their blocks: recognised, given the blocks of their template, or analysed and learned from.
//!
//! After Zelený (2017), Alg. 3 ([`StreamOptions`] has what can be chosen). What analyses the pages that are not recognised is not his affair nor
//! ours: a teacher that knows the site, or else the template itself, which learns from its first pages ([`LearnedTemplate`]).

use crate::recognition::{Lesson, Look, Recognition, Settling, StreamOptions, text_hash};
use crate::{BLOCKS, StoreError, TemplateStore};
use unchaff_dom::{NodeSet, Page};
use unchaff_page::{Block, BlockKind, Detection};
use unchaff_site::carried_over::transfer::{MarkedBlock, Transferred, words};
use unchaff_site::learned::learned_template::{Application, LearnedTemplate};
use unchaff_site::learned::page_blocks::PageBlocks;
use unchaff_site::learned::page_keys::PageKeys;

/// Where the blocks of a page come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Carried over from a stored template.
    Transferred,
    /// From what the stored template has learned.
    Learned,
    /// From whoever knows the site.
    Taught,
    /// From the page alone.
    Alone,
}

/// What is said of a page.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// Content, template and menu, with a note on where they come from.
    pub detection: Detection,
    /// Where they come from.
    pub origin: Origin,
    /// The name of its template in the store, if it has one there.
    pub template: Option<String>,
    /// How much of what was carried over is verified; 0 if nothing was.
    pub verified: f64,
}

/// Pages through a store; see the [module](self). It can be shared by threads.
pub struct TemplateStream {
    recognition: Recognition,
    blocks: PageBlocks,
}

impl std::fmt::Debug for TemplateStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TemplateStream").field("options", &self.recognition.options).finish_non_exhaustive()
    }
}

impl TemplateStream {
    /// A stream of pages through a store.
    #[must_use]
    pub fn new(store: TemplateStore, options: StreamOptions) -> TemplateStream {
        TemplateStream { recognition: Recognition::new(store, BLOCKS, options), blocks: PageBlocks::default() }
    }

    /// What analyses pages, for teachers.
    #[must_use]
    pub fn blocks(&self) -> &PageBlocks {
        &self.blocks
    }

    /// Looks a page up and carries blocks over to it, if that can be verified. Changes nothing.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn look(&self, site: &str, page: &Page) -> Result<Look, StoreError> {
        self.recognition.look(site, page)
    }

    /// Settles a page that was looked at: if no blocks could be carried over, it is analysed and learned from. Pages are to
    /// come in their order.
    ///
    /// `teach` is asked first; it answers if it knows the site of the page, by other means, well enough to tell template from
    /// content.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn settle(
        &self,
        site: &str,
        page: &Page,
        look: Look,
        teach: &dyn Fn(&Page) -> Option<Detection>,
    ) -> Result<Recognised, StoreError> {
        let look = match self.recognition.settle(site, page, look)? {
            Settling::CarriedOver(template, transferred) => return Ok(carried_over(template, transferred)),
            Settling::Unknown(look) => look,
        };
        let (mut detection, origin, keys) = match teach(page) {
            Some(taught) => (taught, Origin::Taught, None),
            None => {
                let keys = PageKeys::of(page);
                let (detection, origin) = self.analyse(page, &keys, look.learned());
                (detection, origin, Some(keys))
            }
        };
        let lesson = Lesson {
            blocks: marked(page, &detection),
            text: text_hash(page, detection.nodes(BlockKind::Content).into_iter().flat_map(NodeSet::iter)),
            origin,
            keys: keys.as_ref(),
            agreement: &|transferred| agrees(page, transferred, &detection),
        };
        let template = self.recognition.learn(site, page, look, &lesson)?;
        detection.notes.push(match origin {
            Origin::Learned => "the page is of a template that the store is still learning".to_owned(),
            Origin::Taught => "the page is of a template that was not in the store".to_owned(),
            _ => "the store knows no template like this page's; it was judged alone".to_owned(),
        });
        Ok(Recognised { detection, origin, template, verified: 0.0 })
    }

    /// Looks at a page and settles it.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn process(&self, site: &str, page: &Page, teach: &dyn Fn(&Page) -> Option<Detection>) -> Result<Recognised, StoreError> {
        self.settle(site, page, self.look(site, page)?, teach)
    }

    fn analyse(&self, page: &Page, keys: &PageKeys, known: Option<&LearnedTemplate>) -> (Detection, Origin) {
        let applied = known.map(|learned| learned.apply_to(page, keys, &Application::default()));
        match applied.filter(PageBlocks::believes) {
            Some(applied) => (self.blocks.with_hint(page, applied.nodes), Origin::Learned),
            None => (self.blocks.alone(page), Origin::Alone),
        }
    }

    /// Notes in the store how many pages were recognised. To be called now and then, and at the end.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.recognition.flush()
    }

    /// Notes what is not noted yet, and retires the templates of the sites seen that no page comes to any more.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn finish(self) -> Result<TemplateStore, StoreError> {
        self.recognition.finish()
    }
}

/// The blocks of a page as they are stored.
fn marked(page: &Page, detection: &Detection) -> Vec<MarkedBlock> {
    let marked = |block: &Block| {
        let marked = MarkedBlock::of(block.kind.as_str(), page, &block.nodes);
        if block.kind == BlockKind::Template { marked.steady(page, &block.nodes) } else { marked }
    };
    detection.blocks.iter().map(marked).collect()
}

/// How far what is carried over agrees with an analysis: the worst F1 of a block, over words and elements.
fn agrees(page: &Page, transferred: &Transferred, detection: &Detection) -> f64 {
    let elements = |nodes: &NodeSet| nodes.iter().filter(|node| page.is_element(*node)).count();
    let weight = |nodes: &NodeSet| f64::from(words(page, nodes)) + elements(nodes) as f64;
    let of_block = |(name, carried): &(String, NodeSet)| {
        let found = detection.blocks.iter().find(|block| block.kind.as_str() == name)?;
        let mut common = carried.clone();
        common.intersection(&found.nodes);
        let all = weight(carried) + weight(&found.nodes);
        Some(if all == 0.0 { 1.0 } else { 2.0 * weight(&common) / all })
    };
    transferred.blocks.iter().filter_map(of_block).fold(1.0, f64::min)
}

fn carried_over(template: String, transferred: Transferred) -> Recognised {
    let verified = transferred.verified;
    let kinds = [BlockKind::Content, BlockKind::Template, BlockKind::Menu, BlockKind::Comments, BlockKind::Ads];
    let blocks = transferred.blocks.into_iter().filter_map(|(name, nodes)| {
        let kind = kinds.into_iter().find(|kind| kind.as_str() == name)?;
        Some(Block::of(kind, nodes))
    });
    let note = format!("carried over from a stored template; {:.0} % of the page's structure is verified", 100.0 * verified);
    let detection = Detection { blocks: blocks.collect(), notes: vec![note], ..Detection::default() };
    Recognised { detection, origin: Origin::Transferred, template: Some(template), verified }
}

#[cfg(test)]
mod tests;
