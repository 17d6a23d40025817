//! A report that is served: the pages of a technique on a suite in a table, and each page with what was found on it.
//!
//! The documents lie beside each other as `report`, `pages` and `page`, which the links between them rely on.

use super::comparison::find;
use super::document::{cell, closing, escape, opening};
use super::overlay::{Suites, View};
use super::table::share;
use super::{ReportError, ReportOptions};
use crate::database::Database;
use crate::summary::{PageScore, Results, Selection, SuiteState};
use std::fmt::Write;
use unchaff_dom::order::InOrder;

/// Where a figure is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The suite, by digest or name.
    pub suite: String,
    /// The technique, as tables show it.
    pub technique: String,
    /// The block.
    pub block: String,
    /// The measure.
    pub measure: String,
}

/// The ways to look at a page: what they are called in addresses, and on the page.
const VIEWS: [(&str, &str, Option<View>); 5] = [
    ("over", "gold over result", None),
    ("original", "original", Some(View::Original)),
    ("gold", "gold alone", Some(View::Gold)),
    ("result", "result alone", Some(View::Result)),
    ("complement", "complement", Some(View::Complement)),
];

impl Place {
    fn query(&self) -> url::form_urlencoded::Serializer<'_, String> {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let fields = [("suite", &self.suite), ("technique", &self.technique), ("block", &self.block), ("measure", &self.measure)];
        query.extend_pairs(fields);
        query
    }

    /// The address of its pages.
    pub(super) fn pages(&self) -> String {
        format!("pages?{}", self.query().finish())
    }

    fn page(&self, item: &str, view: &str) -> String {
        format!("page?{}", self.query().append_pair("item", item).append_pair("view", view).finish())
    }

    /// The scores in question, the worst first.
    fn scores<'db>(&self, database: &'db Database) -> Result<(Results<'db>, usize, Vec<PageScore>), ReportError> {
        let selection = Selection {
            suites: vec![self.suite.clone()],
            blocks: vec![self.block.clone()],
            measures: vec![self.measure.clone()],
            ..Selection::default()
        };
        let results = Results::read(database.connection(), selection)?;
        let technique = find(&results, &self.technique)?;
        let mut scores = results.scores(technique)?;
        scores.order_by(|a, b| a.f1.total_cmp(&b.f1).then(a.page.cmp(&b.page)));
        Ok((results, technique, scores))
    }
}

/// The pages of a suite on which a technique was measured, the worst first.
///
/// # Errors
/// If the database cannot be read, or has no such technique.
pub fn pages(database: &Database, place: &Place) -> Result<String, ReportError> {
    let (results, technique, scores) = place.scores(database)?;
    let label = &results.techniques[technique].label;
    let mut html = opening(&format!("{label}, page by page"));
    let suite = results.suites.first().map_or_else(|| place.suite.clone(), SuiteState::title);
    write!(
        html,
        "<p class=lead>{} in {} on {}. <a href='report'>The whole report</a></p></header><main id=main><div class=scroll>\
         <table class='sorts figures'><thead><tr><th class=t>page<th>F1<th>recall<th>precision<th>kB<th class=t>category<th class=t>language<th class=t>split\
         </tr></thead><tbody>",
        escape(&place.block),
        escape(&place.measure),
        escape(&suite)
    )
    .ok();
    for score in &scores {
        let page = &results.pages[score.page];
        let address = escape(&place.page(&page.item, "over"));
        write!(html, "<tr><th scope=row><a href='{address}'>{}</a>", escape(&page.item)).ok();
        for value in [score.f1, score.recall, score.precision] {
            html += &cell(Some(value), &share(value));
        }
        let kilobytes = page.bytes as f64 / 1000.0;
        html += &cell(Some(kilobytes), &format!("{kilobytes:.1}"));
        for name in [&page.category, &page.language, &page.split] {
            write!(html, "<td class=t>{}", escape(name.as_deref().unwrap_or("–"))).ok();
        }
        html += "</tr>";
    }
    if scores.is_empty() {
        html += "<tr><td class=t colspan=8>There is no page with such a score.</tr>";
    }
    html += "</tbody></table></div></main>";
    Ok(html + &closing())
}

/// A page with what was found on it. `view` is over, original, gold, result or complement.
///
/// # Errors
/// If the database cannot be read, or has no such technique or page.
pub fn page(database: &Database, place: &Place, item: &str, view: &str, options: &ReportOptions) -> Result<String, ReportError> {
    let (results, technique, scores) = place.scores(database)?;
    let technique = &results.techniques[technique];
    let at = results.pages.iter().position(|page| page.item == item);
    let at = at.ok_or_else(|| ReportError::UnknownPage { suite: place.suite.clone(), item: item.to_owned() })?;
    let seen = VIEWS.iter().find(|(name, ..)| *name == view).unwrap_or(&VIEWS[0]);
    let mut suites = Suites::new(options.layouts.clone());
    let score = scores.iter().find(|score| score.page == at);
    let shown = match (score, seen.2) {
        (Some(score), view) if score.failed && view != Some(View::Original) => {
            Err("The technique failed on this page.".to_owned())
        }
        (_, None) => suites.overlay(&results, technique, &place.block, at, options.page_bytes),
        (_, Some(view)) => suites.view(&results, technique, &place.block, at, view),
    };
    let mut html = opening(item);
    let told = score.map_or(String::new(), |score| {
        format!("F1 {}, recall {}, precision {}", share(score.f1), share(score.recall), share(score.precision))
    });
    write!(
        html,
        "<p class=lead>{}: {} in {}. {told}</p></header><nav aria-label=Views><ul>",
        escape(&technique.label),
        escape(&place.block),
        escape(&place.measure)
    )
    .ok();
    for (name, told, _) in VIEWS {
        let current = if name == seen.0 { " aria-current=page" } else { "" };
        write!(html, "<li><a href='{}'{current}>{told}</a></li>", escape(&place.page(item, name))).ok();
    }
    // The pages before and after it in the table.
    let here = scores.iter().position(|score| score.page == at).unwrap_or(0);
    let beside = [("worse page", here.checked_sub(1)), ("better page", Some(here + 1))];
    for (told, other) in beside {
        if let Some(other) = other.and_then(|other| scores.get(other)) {
            write!(html, "<li><a href='{}'>{told}</a></li>", escape(&place.page(&results.pages[other.page].item, seen.0))).ok();
        }
    }
    write!(html, "<li><a href='{}'>all pages</a></li></ul></nav><main id=main><div class='page alone'>", escape(&place.pages()))
        .ok();
    html += &shown.unwrap_or_else(|why| format!("<p class=note>{}</p>", escape(&why)));
    html += "</div></main>";
    Ok(html + &closing())
}
