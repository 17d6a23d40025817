//! What led to a result, written for people.

use std::collections::HashMap;
use unchaff_dom::address::bounded::Addresses;
use unchaff_dom::emit::Remark;
use unchaff_dom::{NodeId, Page};
use unchaff_page::{Explanation, Row};

/// A number with as many digits as tell something.
pub(crate) fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e9 { format!("{value}") } else { format!("{value:.4}") }
}

/// What is to be said of each element: its own values, and those of the text right inside it.
pub(crate) fn remarks(page: &Page, explanation: &Explanation) -> HashMap<NodeId, Remark> {
    let mut remarks: HashMap<NodeId, Remark> = HashMap::new();
    for row in &explanation.rows {
        let element = if page.is_element(row.node) { Some(row.node) } else { page.parent(row.node) };
        let Some(element) = element else { continue };
        let remark = remarks.entry(element).or_default();
        if !remark.said.is_empty() {
            remark.said.push('\n');
        }
        remark.said.push_str(&self::remark(explanation, row));
        remark.shade = remark.shade.max(shade(explanation, row));
    }
    remarks
}

/// How far above or below the threshold a node is, from 0 to 9; from 5 on it is taken.
pub(crate) fn shade(explanation: &Explanation, row: &Row) -> Option<u8> {
    let (threshold, value) = (explanation.threshold?, *row.values.first()?);
    let part =
        if value >= threshold { 5.0 + 5.0 * (value - threshold) / (1.0 - threshold).max(1e-6) } else { 5.0 * value / threshold };
    Some(part.clamp(0.0, if value >= threshold { 9.0 } else { 4.0 }) as u8)
}

/// The values of one node on a line, and why on another.
fn remark(explanation: &Explanation, row: &Row) -> String {
    let values = explanation.columns.iter().zip(&row.values).map(|(column, value)| format!("{column} {}", number(*value)));
    let remark = Some(row.remark.clone()).filter(|remark| !remark.is_empty());
    let line = values.chain(remark).collect::<Vec<_>>().join(", ");
    if row.why.is_empty() { line } else { format!("{line}\n{}", row.why) }
}

/// All nodes with their values, a line each, and the notes.
pub(crate) fn table(page: &Page, explanation: &Explanation) -> String {
    let addresses = Addresses::new(page, 8);
    let mut out = String::new();
    for note in &explanation.notes {
        out += &format!("# {note}\n");
    }
    if explanation.rows.is_empty() {
        return out + "# no node of the page came into question\n";
    }
    let cells = |row: &Row| row.values.iter().map(|value| number(*value)).collect::<Vec<_>>();
    let mut widths: Vec<usize> = explanation.columns.iter().map(|column| column.len()).collect();
    for row in &explanation.rows {
        for (width, cell) in widths.iter_mut().zip(cells(row)) {
            *width = (*width).max(cell.len());
        }
    }
    let mut line = |cells: &[String], remark: &str, place: &str| {
        let aligned: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        out += format!("{}  {remark:24}  {place}", aligned.join("  ")).trim_end();
        out.push('\n');
    };
    let heads: Vec<String> = explanation.columns.iter().map(ToString::to_string).collect();
    line(&heads, "", "node");
    for row in &explanation.rows {
        let text = if page.is_element(row.node) { String::new() } else { format!(" {}", page.name(row.node)) };
        let place = Some(addresses.css(row.node)).filter(|place| !place.is_empty());
        let place = place.unwrap_or_else(|| format!("at byte {}", page.source_range(row.node).start));
        line(&cells(row), &row.remark, &format!("{place}{text}"));
    }
    if let Some((_, warning)) = addresses.warning() {
        out += &format!("# {warning}\n");
    }
    out
}
