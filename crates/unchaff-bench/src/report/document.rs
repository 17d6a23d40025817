//! The HTML report: sections by block, in each the ranking, then suite by suite everything that is known.

use super::charts::{self, Point, Times};
use super::comparison::{Comparison, compare_in, find};
use super::overlay::Suites;
use super::table::{number, share};
use super::{NOTHING, Place, Primary, ReportError, ReportOptions, by_technique, measure_rank, parts, primary_groups};
use crate::figures::{Figures, Grouping};
use crate::summary::{PageScore, Results, Row, Summary};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use unchaff_dom::order::InOrder;

/// How many techniques a chart of time has: as many as there are colours.
const COLOURS: usize = 6;

/// Text as it stands in HTML, in attributes too.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // What XML and HTML have no character for, and what turns the direction of all text after it.
            '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

struct Document<'a> {
    results: &'a Results<'a>,
    summary: &'a Summary,
    primary: Primary<'a>,
    options: &'a ReportOptions,
    /// Scores of the techniques that are drawn.
    scores: BTreeMap<usize, Vec<PageScore>>,
    suites: Suites,
    html: String,
}

pub(super) fn write(results: &Results, summary: &Summary, options: &ReportOptions) -> Result<String, ReportError> {
    let mut document = Document {
        results,
        summary,
        primary: Primary::of(summary),
        options,
        scores: BTreeMap::new(),
        suites: Suites::new(options.layouts.clone()),
        html: String::new(),
    };
    document.head();
    let blocks: BTreeSet<&str> = summary.rows.iter().map(|row| &*row.block).collect();
    for block in &blocks {
        document.block(block)?;
    }
    if let Some((first, second)) = &options.compare {
        let comparison = compare_in(results, find(results, first)?, find(results, second)?, |_| true)?;
        document.push("<h2 id=comparison>Comparison</h2>");
        document.comparison(&comparison, true);
    }
    document.unscored();
    document.push(
        "</main><footer><p>F1 is the mean of the pages' F1. A page on which a technique failed counts as zero. Time is that of computing, \
         without loading. The report holds all it shows and loads nothing.</p></footer>",
    );
    document.html += &closing();
    Ok(document.html)
}

/// A document up to its title, within the header.
pub(super) fn opening(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
         img-src data:; base-uri 'none'; form-action 'none'\"><title>{title}</title><style>{}</style></head><body>\
         <a class=skip href='#main'>Skip to the results</a><header><h1>{title}</h1>",
        super::STYLE
    )
}

/// What a document ends with.
pub(super) fn closing() -> String {
    format!("<script>{}</script></body></html>\n", super::SCRIPT)
}

impl Document<'_> {
    fn push(&mut self, html: &str) {
        self.html.push_str(html);
    }

    fn head(&mut self) {
        let results = self.results;
        let experiments: usize = self.summary.rows.iter().filter(|row| self.primary.has(row)).map(|row| row.figures.pages).sum();
        self.html += &opening(&self.options.title);
        let plural = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        write!(
            self.html,
            "<p class=lead>{} on {} of {}; {} scored.</p></header>",
            plural(results.techniques.len(), "technique", "techniques"),
            plural(results.pages.len(), "page", "pages"),
            plural(results.suites.len(), "suite", "suites"),
            plural(experiments, "experiment", "experiments")
        )
        .ok();
        let mut names: BTreeSet<&str> = self.summary.rows.iter().map(|row| &*row.block).collect();
        names.extend(self.options.compare.as_ref().map(|_| "comparison"));
        self.push("<nav aria-label=Sections><ul><li><a href='#suites'>suites</a></li>");
        for name in names {
            let name = escape(name);
            write!(self.html, "<li><a href='#{name}'>{name}</a></li>").ok();
        }
        self.push("</ul></nav><main id=main>");
        if self.summary.rows.is_empty() {
            write!(self.html, "<p>{}</p>", escape(NOTHING)).ok();
        }
        self.suites_table();
    }

    fn suites_table(&mut self) {
        let results = self.results;
        self.push(
            "<h2 id=suites>Suites</h2><p>A figure belongs to a suite in one state of its files, which its digest names. Figures with different \
             digests cannot be compared.</p><div class=scroll><table><thead><tr><th class=t>suite<th class=t>digest<th>pages<th>median kB\
             <th class=t>languages<th class=t>categories</tr></thead><tbody>",
        );
        for suite in &results.suites {
            let pages = &results.pages[suite.pages.clone()];
            let mut sizes: Vec<u64> = pages.iter().map(|page| page.bytes).collect();
            sizes.sort_unstable();
            let median = sizes.get(sizes.len() / 2).map(|bytes| *bytes as f64 / 1000.0);
            let names = |by: Grouping| {
                let names: BTreeSet<&str> = pages.iter().filter_map(|page| by.group(page)).collect();
                let shown: Vec<&str> = names.iter().take(8).copied().collect();
                let more =
                    if names.len() > shown.len() { format!(" and {} more", names.len() - shown.len()) } else { String::new() };
                if shown.is_empty() { "–".to_owned() } else { escape(&shown.join(", ")) + &more }
            };
            write!(
                self.html,
                "<tr><th scope=row>{}<td class=t><code>{}</code><td>{}<td>{}<td class=t>{}<td class=t>{}</tr>",
                escape(&suite.name),
                escape(&suite.digest),
                pages.len(),
                number(median),
                names(Grouping::Language),
                names(Grouping::Category)
            )
            .ok();
        }
        self.push("</tbody></table></div>");
    }

    /// The scores of a technique on a suite in one measure.
    fn scores(&mut self, row: &Row) -> Result<Vec<PageScore>, ReportError> {
        if !self.scores.contains_key(&row.technique) {
            self.scores.insert(row.technique, self.results.scores(row.technique)?);
        }
        let pages = &self.results.suites[row.suite].pages;
        let wanted = |score: &&PageScore| pages.contains(&score.page) && score.block == row.block && score.measure == row.measure;
        Ok(self.scores[&row.technique].iter().filter(wanted).cloned().collect())
    }

    fn block(&mut self, block: &str) -> Result<(), ReportError> {
        write!(self.html, "<section><h2 id='{0}'>{0}</h2>", escape(block)).ok();
        let summary = self.summary;
        let mut measures: Vec<&[Row]> = parts(&summary.rows).filter(|rows| *rows[0].block == *block).collect();
        measures.order_by_key(|rows| (rows[0].suite, measure_rank(block, &rows[0].measure), Arc::clone(&rows[0].measure)));
        let primary: Vec<&[Row]> = measures.iter().filter(|rows| self.primary.has(&rows[0])).copied().collect();
        self.overall(&primary);
        for suite in measures.chunk_by(|a, b| a[0].suite == b[0].suite) {
            self.suite(suite)?;
        }
        self.push("</section>");
        Ok(())
    }

    /// Techniques by suites, if there are several of these.
    fn overall(&mut self, primary: &[&[Row]]) {
        if primary.len() < 2 {
            return;
        }
        let mut lines: BTreeMap<usize, Vec<Option<&Row>>> = BTreeMap::new();
        for (at, rows) in primary.iter().enumerate() {
            for row in *rows {
                lines.entry(row.technique).or_insert_with(|| vec![None; primary.len()])[at] = Some(row);
            }
        }
        // Who was not run everywhere has no mean that could be compared, and stands below.
        let mut ranked: Vec<_> = lines
            .into_iter()
            .map(|(technique, cells): (usize, Vec<Option<&Row>>)| {
                let whole = cells.iter().all(Option::is_some);
                let mean = cells.iter().flatten().map(|row| row.figures.f1).sum::<f64>() / cells.len() as f64;
                (whole.then_some(mean), technique, cells)
            })
            .collect();
        ranked.order_by(|a, b| b.0.unwrap_or(-1.0).total_cmp(&a.0.unwrap_or(-1.0)).then(a.1.cmp(&b.1)));
        let heads: String = primary
            .iter()
            .map(|rows| {
                let suite = &self.results.suites[rows[0].suite];
                format!("<th>{}<br><code>{}</code><br>{}", escape(&suite.name), escape(&suite.digest), escape(&rows[0].measure))
            })
            .collect();
        write!(
            self.html,
            "<h3>All suites</h3><p class=note>Mean F1 of each suite in the measure that says most about it, and the mean of the suites for \
             techniques that were run on all of them.</p><div class=scroll><table class=sorts><thead><tr><th>#<th class=t>technique<th>mean{heads}\
             </tr></thead><tbody>"
        )
        .ok();
        let shown = ranked.len().min(self.options.techniques);
        let columns: Vec<Vec<f64>> = (0..primary.len())
            .map(|at| ranked[..shown].iter().filter_map(|(.., cells)| cells[at].map(|row| row.figures.f1)).collect())
            .collect();
        let means: Vec<f64> = ranked[..shown].iter().filter_map(|(mean, ..)| *mean).collect();
        for (at, (mean, technique, cells)) in ranked[..shown].iter().enumerate() {
            let label = escape(&self.results.techniques[*technique].label);
            let mean = heat(*mean, &means);
            let cells: String =
                cells.iter().zip(&columns).map(|(row, column)| heat(row.map(|row| row.figures.f1), column)).collect();
            write!(
                self.html,
                "<tr data-t={technique}><td class=rank data-v={0}>{0}<th scope=row>{label}{mean}{cells}</tr>",
                at + 1
            )
            .ok();
        }
        self.push("</tbody></table></div>");
        self.left_out(ranked.len() - shown);
    }

    fn left_out(&mut self, count: usize) {
        if count > 0 {
            write!(self.html, "<p class=note>{count} more with a lower F1 are left out here.</p>").ok();
        }
    }

    /// Everything on one suite; the first measure is the one that says most.
    fn suite(&mut self, measures: &[&[Row]]) -> Result<(), ReportError> {
        let rows = measures[0];
        let suite = &self.results.suites[rows[0].suite];
        let (block, measure) = (escape(&rows[0].block), escape(&rows[0].measure));
        write!(
            self.html,
            "<h3 id='{block}-{}'>{} <code>{}</code></h3><p class=note>{measure}, mean over pages</p>",
            rows[0].suite,
            escape(&suite.name),
            escape(&suite.digest)
        )
        .ok();
        let shown = &rows[..rows.len().min(self.options.techniques)];
        let points: Vec<Point> = shown
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let Figures { recall, precision, f1, .. } = row.figures;
                let label = &self.results.techniques[row.technique].label;
                Point { technique: row.technique, rank: at + 1, label, recall, precision, f1 }
            })
            .collect();
        let scatter = charts::scatter(&points);
        write!(
            self.html,
            "<div class=charts><figure>{scatter}<figcaption>Precision and recall. Each dot is a technique with its rank; a hollow one lies \
             outside.</figcaption></figure>"
        )
        .ok();
        self.times(shown)?;
        self.push("</div>");
        self.figures(shown, true)?;
        self.left_out(rows.len() - shown.len());
        for other in &measures[1..] {
            write!(self.html, "<details><summary>By {}</summary><div>", escape(&other[0].measure)).ok();
            self.figures(&other[..other.len().min(self.options.techniques)], false)?;
            self.push("</div></details>");
        }
        self.groups(rows);
        self.worst_pages(shown)?;
        if let ([best, second, ..], None) = (rows, &self.options.compare) {
            let pages = &suite.pages;
            let wanted =
                |score: &PageScore| pages.contains(&score.page) && score.block == best.block && score.measure == best.measure;
            let comparison = compare_in(self.results, best.technique, second.technique, wanted)?;
            self.push("<h4>The best two</h4>");
            self.comparison(&comparison, false);
        }
        Ok(())
    }

    /// A table of all figures.
    fn figures(&mut self, rows: &[Row], with_distribution: bool) -> Result<(), ReportError> {
        let distribution = if with_distribution { "<th class=t>F1 of pages, 0 to 1" } else { "" };
        write!(
            self.html,
            "<div class=scroll><table class='sorts figures' data-suite='{}' data-block='{}' data-measure='{}'><thead><tr><th>#<th class=t>technique\
             <th>F1<th>recall<th>precision{distribution}<th>median<th>deviation<th>F1 of means<th>pages<th>failures<th>loads<th>ms<th>ms/kB</tr></thead><tbody>",
            escape(&self.results.suites[rows[0].suite].title()),
            escape(&rows[0].block),
            escape(&rows[0].measure)
        )
        .ok();
        let column = |pick: fn(&Figures) -> f64| rows.iter().map(|row| pick(&row.figures)).collect::<Vec<f64>>();
        let columns = [column(|figures| figures.f1), column(|figures| figures.recall), column(|figures| figures.precision)];
        for (at, row) in rows.iter().enumerate() {
            let figures = &row.figures;
            let label = escape(&self.results.techniques[row.technique].label);
            let name = self.linked(row, &label);
            let shares: String = [figures.f1, figures.recall, figures.precision]
                .into_iter()
                .zip(&columns)
                .map(|(value, column)| heat(Some(value), column))
                .collect();
            write!(
                self.html,
                "<tr data-t={}><td class=rank data-v={1}>{1}<th scope=row title='{label}'>{name}{shares}",
                row.technique,
                at + 1
            )
            .ok();
            if with_distribution {
                let f1s: Vec<f64> = self.scores(row)?.iter().map(|score| score.f1).collect();
                write!(self.html, "<td class=spreads data-v={}>{}", figures.median, charts::distribution(&f1s, figures.f1)).ok();
            }
            let failed = if figures.failures > 0 { " class=bad" } else { "" };
            for (value, text) in [
                (Some(figures.median), share(figures.median)),
                (figures.deviation, figures.deviation.map_or_else(|| "–".to_owned(), share)),
                (Some(figures.f1_of_means), share(figures.f1_of_means)),
                (Some(figures.pages as f64), figures.pages.to_string()),
            ] {
                self.push(&cell(value, &text));
            }
            write!(self.html, "<td{failed} data-v={0}>{0}", figures.failures).ok();
            for value in [figures.loads, figures.compute_ms, figures.ms_per_kb] {
                self.push(&cell(value, &number(value)));
            }
            self.push("</tr>");
        }
        self.push("</tbody></table></div>");
        Ok(())
    }

    /// The name of a technique, which leads to its pages where there are any to lead to.
    fn linked(&self, row: &Row, label: &str) -> String {
        if !self.options.links {
            return label.to_owned();
        }
        let place = Place {
            suite: self.results.suites[row.suite].digest.clone(),
            technique: self.results.techniques[row.technique].label.clone(),
            block: row.block.to_string(),
            measure: row.measure.to_string(),
        };
        format!("<a href='{}'>{label}</a>", escape(&place.pages()))
    }

    /// F1 by category, language, size and split.
    fn groups(&mut self, rows: &[Row]) {
        let summary = self.summary;
        let same = |group: &Row| group.suite == rows[0].suite && group.block == rows[0].block;
        self.push("<div class=groups>");
        for (by, columns, groups) in primary_groups(summary, &self.primary).into_iter().filter(|(.., groups)| same(groups[0])) {
            let pages = |column: &str| {
                let in_group = |row: &&&Row| row.group.as_ref().is_some_and(|(_, group)| group == column);
                groups.iter().filter(in_group).map(|row| row.figures.pages).max().unwrap_or(0)
            };
            let heads: String =
                columns.iter().map(|column| format!("<th>{}<br><code>{} pages</code>", escape(column), pages(column))).collect();
            write!(
                self.html,
                "<details open><summary>F1 by {}</summary><div class=scroll><table class=sorts><thead><tr><th class=t>technique{heads}</tr></thead><tbody>",
                by.as_str()
            )
            .ok();
            let mut lines = by_technique(&groups, &columns);
            let all = lines.len();
            lines.truncate(self.options.techniques);
            let values: Vec<Vec<f64>> = (0..columns.len())
                .map(|at| lines.iter().filter_map(|(_, cells)| cells[at].map(|row| row.figures.f1)).collect())
                .collect();
            for (technique, cells) in &lines {
                let label = escape(&self.results.techniques[*technique].label);
                let cells: String =
                    cells.iter().zip(&values).map(|(row, column)| heat(row.map(|row| row.figures.f1), column)).collect();
                write!(self.html, "<tr data-t={technique}><th scope=row>{label}{cells}</tr>").ok();
            }
            self.push("</tbody></table></div>");
            self.left_out(all - lines.len());
            self.push("</details>");
        }
        self.push("</div>");
    }

    fn times(&mut self, rows: &[Row]) -> Result<(), ReportError> {
        let mut techniques = Vec::new();
        for row in &rows[..rows.len().min(COLOURS)] {
            let done = self.scores(row)?.into_iter().filter(|score| !score.failed);
            let time = |score: PageScore| Some((self.results.pages[score.page].bytes as f64, score.seconds? * 1000.0));
            let pages: Vec<(f64, f64)> = done.filter_map(time).filter(|(bytes, ms)| *bytes > 0.0 && *ms > 0.0).collect();
            if !pages.is_empty() {
                techniques.push(Times { technique: row.technique, label: &self.results.techniques[row.technique].label, pages });
            }
        }
        let Some(chart) = charts::time_by_size(&techniques) else { return Ok(()) };
        write!(self.html, "<figure>{chart}<figcaption>Time by size of the page, for the best: a dot for each page, a line through the medians.<ul class=key>").ok();
        for (at, times) in techniques.iter().enumerate() {
            write!(
                self.html,
                "<li class=c{} data-t={}><i></i><span>{}</span></li>",
                at + 1,
                times.technique,
                escape(times.label)
            )
            .ok();
        }
        self.push("</ul></figcaption></figure>");
        Ok(())
    }

    fn worst_pages(&mut self, rows: &[Row]) -> Result<(), ReportError> {
        for row in &rows[..rows.len().min(self.options.shown)] {
            let mut scores = self.scores(row)?;
            scores.order_by(|a, b| a.f1.total_cmp(&b.f1).then(a.page.cmp(&b.page)));
            let technique = &self.results.techniques[row.technique];
            if self.options.worst > 0 && !scores.is_empty() {
                write!(self.html, "<h4>The worst pages of {}</h4>", escape(&technique.label)).ok();
            }
            for score in scores.iter().take(self.options.worst) {
                let page = &self.results.pages[score.page];
                let shown = if score.failed {
                    Err("The technique failed on this page.".to_owned())
                } else {
                    self.suites.overlay(self.results, technique, &row.block, score.page, self.options.page_bytes)
                };
                let shown = shown.unwrap_or_else(|why| format!("<p class=note>{}</p>", escape(&why)));
                let facts: Vec<String> = [
                    page.category.clone(),
                    page.language.clone(),
                    Some(format!("{} kB", number(Some(page.bytes as f64 / 1000.0)))),
                ]
                .into_iter()
                .flatten()
                .collect();
                write!(
                    self.html,
                    "<details class=page><summary><b>F1 {}</b>{} <small>recall {}, precision {} · {}</small></summary>{shown}</details>",
                    share(score.f1),
                    escape(&page.item),
                    share(score.recall),
                    share(score.precision),
                    escape(&facts.join(" · "))
                )
                .ok();
            }
        }
        Ok(())
    }

    /// Two techniques side by side.
    fn comparison(&mut self, comparison: &Comparison, headings: bool) {
        let (first, second) = (escape(&comparison.first), escape(&comparison.second));
        if comparison.parts.is_empty() {
            write!(self.html, "<p>{first} and {second} have no page with scores in common.</p>").ok();
        }
        for part in &comparison.parts {
            let paired = &part.paired;
            if headings {
                let (suite, digest) = (escape(&part.suite), escape(&part.digest));
                write!(
                    self.html,
                    "<h3>{suite} <code>{digest}</code></h3><p class=note>{}, {}</p>",
                    escape(&part.block),
                    escape(&part.measure)
                )
                .ok();
            }
            write!(
                self.html,
                "<p class=verdict>{}</p><p>Mean F1 {} against {}: a difference of <b>{:+.4}</b>, 95 % interval {:+.4} to {:+.4} (paired bootstrap over pages, \
                 {} resamples). {first} is better on {} pages, {second} on {}; {} are the same.</p>",
                escape(&paired.verdict(&comparison.first, &comparison.second)),
                share(part.means.0),
                share(part.means.1),
                paired.difference,
                paired.interval.0,
                paired.interval.1,
                crate::bootstrap::RESAMPLES,
                paired.wins,
                paired.losses,
                paired.ties
            )
            .ok();
            let chart = charts::differences(&part.pairs);
            write!(
                self.html,
                "<figure>{chart}<figcaption>F1 of {first} less that of {second}, page by page in order.</figcaption></figure>"
            )
            .ok();
            if !part.largest.is_empty() {
                write!(self.html, "<div class=scroll><table><thead><tr><th class=t>largest differences<th>{first}<th>{second}<th>difference</tr></thead><tbody>").ok();
                for (item, one, other) in &part.largest {
                    let difference = one - other;
                    write!(
                        self.html,
                        "<tr><th scope=row>{}<td>{}<td>{}<td>{difference:+.3}</tr>",
                        escape(item),
                        share(*one),
                        share(*other)
                    )
                    .ok();
                }
                self.push("</tbody></table></div>");
            }
        }
    }

    fn unscored(&mut self) {
        if self.summary.unscored.is_empty() {
            return;
        }
        self.push(
            "<h2 id=unscored>Without a score</h2><div class=scroll><table><thead><tr><th class=t>technique<th class=t>suite<th class=t>digest\
             <th>pages<th>failures<th class=t>first error</tr></thead><tbody>",
        );
        for without in &self.summary.unscored {
            write!(
                self.html,
                "<tr><th scope=row>{}<td class=t>{}<td class=t><code>{}</code><td>{}<td>{}<td class=t>{}</tr>",
                escape(&without.technique),
                escape(&without.suite),
                escape(&without.digest),
                without.pages,
                without.failures,
                escape(without.error.as_deref().unwrap_or("–"))
            )
            .ok();
        }
        self.push("</tbody></table></div>");
    }
}

pub(super) fn cell(value: Option<f64>, text: &str) -> String {
    match value {
        Some(value) => format!("<td data-v={value}>{text}"),
        None => format!("<td>{text}"),
    }
}

/// A share, with a colour by its place between the lower quartile and the highest of its column; the highest in bold.
fn heat(value: Option<f64>, column: &[f64]) -> String {
    let Some(value) = value else { return cell(None, "–") };
    let mut sorted = column.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted[sorted.len() / 4], sorted[sorted.len() - 1]);
    let place = if high > low { ((value - low) / (high - low)).max(0.0) } else { 0.5 };
    let best = if value == high && column.len() > 1 { " best" } else { "" };
    format!("<td class='heat{best}' style='--v:{place:.2}' data-v={value}>{}", share(value))
}
