//! The recipe: content, template and menu of a page, given what is known about its site.
//!
//! Our own, and the only one: the command, the library, the store and the workbench all come here, so that they agree. The
//! template is what recurs on similar pages ([`comparison`](crate::learned::comparison)), the content what the page and its site tell
//! together ([`auto_with_site`](crate::learned::auto_with_site)), the menu what the page itself shows. What is content is not template. Where
//! no page that was learned resembles this one, it is judged alone, and a note says so.

use crate::learned::auto_with_site::{self, AutoWithSite};
use crate::learned::comparison::{Applied, Company, Comparison};
use crate::learned::page_keys::PageKeys;
use crate::learned::site_model::SiteModel;
use unchaff_dom::Page;
use unchaff_page::learned::auto::{self, Auto};
use unchaff_page::learned::menu_auto::MenuAuto;
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::learned::template_page::TemplatePage;
use unchaff_page::{Block, BlockKind, Detection, PageTechnique};

pub(crate) const NO_HELP: &str = "no other page of the site resembles this one; the page was judged alone";

/// The recipe with its settings; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct WithSite {
    /// How content is found.
    pub content: auto_with_site::Params,
    /// With which pages a page is compared, and how.
    pub company: Company,
}

/// A page beside its site: what all techniques that use a model start from.
pub(crate) struct Beside<'m> {
    pub(crate) keys: PageKeys,
    names: NameFamilies,
    pub(crate) comparison: Comparison<'m>,
    pub(crate) applied: Applied,
    template: Option<String>,
}

impl WithSite {
    pub(crate) fn beside<'m>(&self, model: &'m SiteModel, page: &Page) -> Beside<'m> {
        let keys = PageKeys::of(page);
        let comparison = model.compare(page, &keys, &self.company);
        let names = NameFamilies::of(page);
        let applied = comparison.apply(page, &keys, &names, self.company.min_confidence);
        let template = model.template(&keys);
        Beside { keys, names, comparison, applied, template }
    }

    /// Content, template and menu of a page.
    #[must_use]
    pub fn detect(&self, model: &SiteModel, page: &Page) -> Detection {
        self.conclude(page, &self.beside(model, page))
    }

    /// The same, of a page that stands beside its site already.
    pub(crate) fn conclude(&self, page: &Page, beside: &Beside<'_>) -> Detection {
        let analysis = Auto::from(auto::Params { favor: self.content.favor }).analyse(page);
        let mut detection = AutoWithSite::from(self.content.clone()).content(analysis, beside);
        let template = match beside.comparison.is_known() {
            true => {
                let nodes = beside.applied.nodes.clone();
                Block { confidence: Some(beside.applied.confidence as f32), ..Block::of(BlockKind::Template, nodes) }
            }
            false => alone(TemplatePage::default().detect(page)),
        };
        detection.blocks.push(template);
        detection.blocks.push(alone(MenuAuto::default().detect_named(page, &beside.names)));
        without_content(&mut detection);
        detection.template.clone_from(&beside.template);
        detection.notes.push(beside.note());
        detection
    }
}

impl Beside<'_> {
    /// How far the site could help.
    pub(crate) fn note(&self) -> String {
        let Applied { used, similarity, .. } = self.applied;
        match used {
            0 => NO_HELP.to_owned(),
            1 => format!("compared with one page of the site, which shares {:.0} % of its structure", 100.0 * similarity),
            _ => format!(
                "compared with {used} pages of the site; the most similar shares {:.0} % of its structure",
                100.0 * similarity
            ),
        }
    }
}

/// The block that a technique of pages finds.
fn alone(mut detection: Detection) -> Block {
    detection.blocks.remove(0)
}

/// What is content is not template.
fn without_content(detection: &mut Detection) {
    let content = detection.nodes(BlockKind::Content).cloned();
    for block in detection.blocks.iter_mut().filter(|block| block.kind == BlockKind::Template) {
        content.iter().for_each(|content| block.nodes.difference(content));
    }
}
