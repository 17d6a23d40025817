//! The recipe: content, template and menu of a page, given what is known about its site.
//!
//! Our own, and the only one: the command, the library, the store and the workbench all come here, so that they agree. The
//! template is what recurs on similar pages ([`comparison`](crate::learned::comparison)), the content what the page and its site tell
//! together ([`auto_with_site`]), the menu what the page itself shows, unless no similar page has its links ([`menu_with_site`]). No node is both content and template. Where
//! no page that was learned resembles this one, it is judged alone, and a note says so.

use crate::carried_over::transfer::words;
use crate::learned::auto_with_site::{self, AutoWithSite};
use crate::learned::belonging::take_what_belongs;
use crate::learned::comparison::{Applied, Company, Comparison};
use crate::learned::menu_with_site;
use crate::learned::own_lines::taken_alone;
use crate::learned::page_facts::PageFacts;
use crate::learned::page_keys::PageKeys;
use crate::learned::site_model::SiteModel;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::learned::auto::{self, Analysis, Auto};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::learned::template_page::TemplatePage;
use unchaff_page::views::units::make_whole;
use unchaff_page::{Block, BlockKind, Detection, PageTechnique};

pub(crate) const NO_HELP: &str = "no other page of the site resembles this one; the page was judged alone";

/// The recipe with its settings; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct WithSite {
    /// How content is found.
    pub content: auto_with_site::Params,
    /// With which pages a page is compared, and how.
    pub company: Company,
    /// The one kind of block that is asked for, if it is one: what it does not depend on is not looked for then.
    pub only: Option<BlockKind>,
}

/// A page beside its site: what all techniques that use a model start from.
pub(crate) struct Beside<'m> {
    pub(crate) keys: PageKeys,
    pub(crate) names: NameFamilies,
    pub(crate) comparison: Comparison<'m>,
    pub(crate) applied: Applied,
    template: Option<String>,
}

impl WithSite {
    pub(crate) fn beside<'m>(&self, model: &'m SiteModel, page: &Page) -> Beside<'m> {
        self.beside_facts(model, page, PageFacts::of(page))
    }

    fn beside_facts<'m>(&self, model: &'m SiteModel, page: &Page, facts: PageFacts) -> Beside<'m> {
        let PageFacts { names, keys } = facts;
        let comparison = model.compare(&keys, &self.company);
        let applied = comparison.apply(page, &keys, &names, self.company.min_confidence);
        let template = comparison.template();
        Beside { keys, names, comparison, applied, template }
    }

    /// Content, template and menu of a page.
    #[must_use]
    pub fn detect(&self, model: &SiteModel, page: &Page) -> Detection {
        if self.only == Some(BlockKind::Content) && model.pages() == 0 {
            return self.content_alone(page);
        }
        self.detect_facts(model, page, PageFacts::of(page))
    }

    /// The content where there is no other page: nothing need be found out that would be compared.
    fn content_alone(&self, page: &Page) -> Detection {
        let analysis = Auto::from(auto::Params { favor: self.content.favor }).analyse(page);
        let mut detection = analysis.detection();
        detection.blocks.iter_mut().for_each(|block| make_whole(page, &analysis.units, &mut block.nodes));
        detection.notes.push(NO_HELP.to_owned());
        detection
    }

    /// The same, given what was found out before.
    #[must_use]
    pub fn detect_facts(&self, model: &SiteModel, page: &Page, facts: PageFacts) -> Detection {
        self.conclude(page, &self.beside_facts(model, page, facts))
    }

    /// The same, of a page that stands beside its site already.
    pub(crate) fn conclude(&self, page: &Page, beside: &Beside<'_>) -> Detection {
        let mut analysis = Auto::from(auto::Params { favor: self.content.favor }).analyse_named(page, &beside.names);
        let by_itself = taken_alone(&analysis);
        let mut detection = AutoWithSite::from(self.content.clone()).content(&mut analysis, beside);
        let is_asked_for = |kind| self.only.is_none_or(|only| only == kind);
        if beside.comparison.is_known() {
            let nodes = beside.applied.nodes.clone();
            let confidence = Some(beside.applied.confidence as f32);
            detection.blocks.push(Block { confidence, ..Block::of(BlockKind::Template, nodes) });
        } else if is_asked_for(BlockKind::Template) {
            // A mere guess, which the content does not depend on.
            detection.blocks.push(alone(TemplatePage::default().detect(page)));
        }
        if is_asked_for(BlockKind::Menu) {
            detection.blocks.push(menu_with_site::menu(page, &beside.names, &beside.keys, &beside.comparison));
        }
        settle(&analysis, &by_itself, &mut detection, beside, self.content.sure);
        detection.template.clone_from(&beside.template);
        detection.notes.push(beside.note());
        match self.only {
            Some(kind) => detection.only(kind),
            None => detection,
        }
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

/// If less than this share of its words remained, the content keeps what both claim.
const MIN_LEFT: f64 = 0.25;

/// What is content is not template, and what is template is not content. Where both claim a node, the template gets elements without text of their
/// own, and text that it is sure of and that is more likely no content than content, if the content keeps enough of what it has; else the
/// content does. Then comes what is of this page alone ([`own_lines`](crate::learned::own_lines)), what belongs to the content though it recurs ([`belonging`](crate::learned::belonging)), and tables, listings and formulas are made whole. On news pages a template that is sure takes lines of the article as well: word F1 .963 on daniel if it always got them, .968 so.
fn settle(analysis: &Analysis<'_>, alone: &[f32], detection: &mut Detection, beside: &Beside<'_>, sure: f64) {
    let page = analysis.view.page;
    let template = detection.nodes(BlockKind::Template).cloned().unwrap_or_default();
    let mut content = NodeSet::new(page);
    for block in detection.blocks.iter_mut().filter(|block| block.kind == BlockKind::Content) {
        let mut lost = claimed(page, block, &template, beside, sure);
        lost.intersection(&block.nodes);
        if !lost.is_empty() {
            let mut rest = block.nodes.clone();
            rest.difference(&lost);
            let left = words(page, &rest);
            if f64::from(left) >= MIN_LEFT * f64::from(left + words(page, &lost)) {
                block.nodes = rest;
            }
        }
        if beside.comparison.is_known() {
            take_what_belongs(analysis, alone, beside, &mut block.nodes);
        }
        make_whole(page, &analysis.units, &mut block.nodes);
        content.union(&block.nodes);
    }
    for block in detection.blocks.iter_mut().filter(|block| block.kind == BlockKind::Template) {
        block.nodes.difference(&content);
    }
}

/// What the template claims of the content. The page alone only guesses at its template, so that claims nothing.
fn claimed(page: &Page, content: &Block, template: &NodeSet, beside: &Beside<'_>, sure: f64) -> NodeSet {
    let mut claimed = NodeSet::new(page);
    if !beside.comparison.is_known() {
        return claimed;
    }
    let likely = content.ratings.iter().filter(|(_, rating)| *rating >= 0.5).map(|(node, _)| *node);
    let likely = NodeSet::from_nodes(page, likely);
    let is_content = |text: NodeId| likely.contains(text);
    for (at, (node, probability)) in beside.keys.nodes.iter().zip(&beside.applied.probabilities).enumerate() {
        let own = || page.children(*node).filter(|child| !page.is_element(*child));
        let has_text = beside.keys.words[at] > 0;
        let is_claimed = || !has_text || (*probability >= sure && !own().any(is_content));
        if template.contains(*node) && is_claimed() {
            claimed.insert(*node);
            own().for_each(|child| claimed.insert(child));
        }
    }
    claimed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_any_other_page_the_short_way_says_the_same_as_the_long_one() {
        let text = "<p>It rained all day, and in the evening the river had come as far as the gardens behind the old mill.</p>";
        for html in [
            format!(
                "<nav><a href=/>Home</a> <a href=/b>News</a></nav><main><h1>Rain</h1>{text}<table><tr><th>Day<th>mm<tr><td>1<td>20</table>{text}</main><footer>Imprint</footer>"
            ),
            format!("<title>Rain</title><ul><li><a href=/a>a</a><li>{text}</ul>"),
            String::new(),
        ] {
            let page = Page::parse(html);
            let (recipe, model) = (WithSite { only: Some(BlockKind::Content), ..WithSite::default() }, SiteModel::default());
            assert_eq!(recipe.detect(&model, &page), recipe.detect_facts(&model, &page, PageFacts::of(&page)));
        }
    }
}
