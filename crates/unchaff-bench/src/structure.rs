//! Structure: whether what comes out of a page is still the table, the code, the heading that the page has.
//!
//! Word measures do not see a price in another product's column. So the Markdown that an extractor writes is read back, and its tables,
//! code blocks, headings, lists, figures, quotes, links, images and formulas are compared with those of the page's own tree. No gold is needed: only what was taken
//! is judged, and a part was taken if half of its words, lines or cells came out, of those that the page says nowhere else.
//!
//! The page is read here independently of the engine's output: cells are placed by their spans, code is the text of a plain `pre`.
//!
//! Where Markdown that people wrote stands beside a page (`page.md` beside `page.html`), lines are compared with it too ([`gold`]).

mod expected;
pub mod gold;
mod written;

use expected::Expected;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use thiserror::Error;
use unchaff::{Extractor, Page, SettingError, UnknownTechnique};
use unchaff_dom::order::InOrder;
use unchaff_job::external::{self, External, Printed};
use unchaff_job::{ExternalError, ExternalTechnique, Watch};
use written::Written;

/// Letters from which a cell or a line is hardly found elsewhere by chance.
const LONG: usize = 8;
/// The share of a part's words from which it was taken.
const TAKEN_WORDS: f64 = 0.5;

/// How many were taken, and how many of them came out right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Taken.
    pub taken: u32,
    /// Right.
    pub right: u32,
}

impl Share {
    fn add(&mut self, is_right: bool) {
        self.taken += 1;
        self.right += u32::from(is_right);
    }

    /// Right ones among those taken; none if nothing was.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.taken > 0).then(|| f64::from(self.right) / f64::from(self.taken))
    }
}

/// What came out whole of one page or of many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// Tables of data with all their cells, each in its row and column.
    pub tables: Share,
    /// Cells of those tables that stand in their row and column.
    pub cells: Share,
    /// Code blocks, byte by byte.
    pub code: Share,
    /// Headings that are headings of the same level.
    pub headings: Share,
    /// Items of lists that are items.
    pub items: Share,
    /// Lists, also of definitions, with all their items.
    pub lists: Share,
    /// Figures with their picture and their caption.
    pub figures: Share,
    /// Quotes that are quotes.
    pub quotes: Share,
    /// Links that lead where they do on the page.
    pub links: Share,
    /// Images of the page.
    pub images: Share,
    /// Formulas with TeX sources that came out as such.
    pub formulas: Share,
    /// Lines that are those of Markdown written by people; taken are all lines of the longer of both.
    pub lines: Share,
}

impl Structure {
    /// The names of the measures.
    pub const NAMES: [&str; 12] =
        ["tables", "cells", "code", "headings", "items", "lists", "figures", "quotes", "links", "images", "formulas", "lines"];

    /// The measures in the order of their names.
    #[must_use]
    pub fn shares(&self) -> [Share; 12] {
        [
            self.tables,
            self.cells,
            self.code,
            self.headings,
            self.items,
            self.lists,
            self.figures,
            self.quotes,
            self.links,
            self.images,
            self.formulas,
            self.lines,
        ]
    }

    /// Adds another page.
    pub fn add(&mut self, other: &Structure) {
        let all = [
            &mut self.tables,
            &mut self.cells,
            &mut self.code,
            &mut self.headings,
            &mut self.items,
            &mut self.lists,
            &mut self.figures,
            &mut self.quotes,
            &mut self.links,
            &mut self.images,
            &mut self.formulas,
            &mut self.lines,
        ];
        for (mine, theirs) in all.into_iter().zip(other.shares()) {
            mine.taken += theirs.taken;
            mine.right += theirs.right;
        }
    }

    /// Compares Markdown with the page that it was made of.
    #[must_use]
    pub fn of(page: &Page, markdown: &str) -> Structure {
        Structure::with_faults(page, markdown, &mut Vec::new())
    }

    /// The same, with the tables, code blocks and formulas that did not come out whole.
    #[must_use]
    pub fn with_faults(page: &Page, markdown: &str, faults: &mut Vec<String>) -> Structure {
        let expected = Expected::of(page);
        let written = Written::of(markdown);
        let mut structure = Structure::default();
        structure.compare_tables(&expected, &written, faults);
        for code in expected.code.iter().filter(|code| written.has_most_of(&code.lines) > 0) {
            let is_there = written.code.contains(&code.part);
            structure.code.add(is_there);
            if !is_there {
                faults.push(format!("code: {}", shortened(&code.part)));
            }
        }
        let headings: HashSet<(u8, &str)> = written.headings.iter().map(|(level, text)| (*level, text.as_str())).collect();
        for (level, text) in expected.headings.iter().filter(|(_, text)| written.has_line(text)) {
            // The title of the page is of the first level, whatever the page made it.
            structure.headings.add(headings.contains(&(*level, text)) || headings.contains(&(1, text)));
        }
        let items: HashSet<&str> = written.items.iter().map(String::as_str).collect();
        for item in expected.items.iter().filter(|item| written.has_line(item)) {
            structure.items.add(items.contains(item.as_str()));
        }
        structure.compare_lists(&expected, &written, faults);
        structure.compare_figures(&expected, &written, faults);
        for quote in expected.quotes.iter().filter(|quote| written.has_line(quote)) {
            structure.quotes.add(written.quotes.contains(quote.as_str()));
        }
        // A bare `#` leads nowhere, whether it is written or not.
        for (text, address) in written.links.iter().filter(|(_, address)| address != "#") {
            let is_media = || expected.media.contains(address);
            structure.links.add(expected.links.contains(&(text.clone(), address.clone())) || is_media());
        }
        for address in &written.images {
            structure.images.add(expected.images.contains(address));
        }
        for tex in expected.formulas.iter().filter(|tex| written.has_most(tex)) {
            structure
                .formulas
                .add(written.source.contains(&format!("${tex}$")) || written.source.contains(&format!("$$\n{tex}\n$$")));
        }
        structure
    }

    /// A list was taken if half of its items came out, and at least two.
    fn compare_lists(&mut self, expected: &Expected, written: &Written, faults: &mut Vec<String>) {
        for list in &expected.lists {
            let there = list.iter().filter(|item| written.has_line(item)).count();
            if there < 2 || (there as f64) < TAKEN_WORDS * list.len() as f64 {
                continue;
            }
            self.lists.add(there == list.len());
            if let Some(missing) = list.iter().find(|item| !written.has_line(item)) {
                faults.push(format!("list: {there} of {} items, not {}", list.len(), shortened(missing)));
            }
        }
    }

    /// A figure was taken if its picture or its caption came out.
    fn compare_figures(&mut self, expected: &Expected, written: &Written, faults: &mut Vec<String>) {
        for (images, caption) in &expected.figures {
            let has_image = written.images.iter().any(|address| images.contains(address));
            let has_caption = written.has_line(caption);
            if has_image || has_caption {
                self.figures.add(has_image && has_caption);
            }
            if has_image != has_caption {
                let lacks = if has_image { "its caption" } else { "its picture" };
                faults.push(format!("figure: without {lacks}, {}", shortened(caption)));
            }
        }
    }

    fn compare_tables(&mut self, expected: &Expected, written: &Written, faults: &mut Vec<String>) {
        for table in &expected.tables {
            let cells: Vec<(usize, usize, &str)> = filled(&table.part);
            if written.has_most_of(&table.lines) < 2 {
                continue;
            }
            let right = written.tables.iter().map(|other| right_cells(&cells, other)).max().unwrap_or(0);
            self.tables.add(right == cells.len());
            if right < cells.len() {
                let first = cells.iter().map(|(_, _, text)| *text).take(12).collect::<Vec<_>>().join(" | ");
                faults.push(format!("table: {right} of {} cells of {}", cells.len(), shortened(&first)));
            }
            self.cells.taken += cells.len() as u32;
            self.cells.right += right as u32;
        }
    }
}

/// The cells of a table that say something, with their row and column.
fn filled(table: &[Vec<String>]) -> Vec<(usize, usize, &str)> {
    let rows = table.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).enumerate();
    rows.flat_map(|(row, cells)| {
        cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).map(move |(column, cell)| (row, column, cell.as_str()))
    })
    .collect()
}

fn right_cells(cells: &[(usize, usize, &str)], other: &[Vec<String>]) -> usize {
    let rows: Vec<&Vec<String>> = other.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    let is_there =
        |row: usize, column: usize, text: &str| rows.get(row).and_then(|row| row.get(column)).is_some_and(|cell| cell == text);
    cells.iter().filter(|(row, column, text)| is_there(*row, *column, text)).count()
}

/// Who makes Markdown of a page.
pub enum Writer {
    /// A technique of ours.
    Technique(Extractor),
    /// A command that reads a page and prints Markdown.
    External(External),
}

/// Why writers cannot be judged.
#[derive(Debug, Error)]
pub enum StructureError {
    /// Pages cannot be found.
    #[error("a folder cannot be read")]
    Folder(#[from] std::io::Error),
    /// There is no such technique.
    #[error(transparent)]
    Technique(#[from] UnknownTechnique),
    /// It has no defaults.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A command is not of the right form.
    #[error(transparent)]
    External(#[from] ExternalError),
}

impl Writer {
    /// The techniques of these names, and these commands, with their names; `auto` if no technique is named.
    ///
    /// # Errors
    /// If there is no such technique, or a command is not of the right form.
    pub fn all(techniques: &[String], commands: &[String]) -> Result<Vec<(String, Writer)>, StructureError> {
        let usual = ["auto".to_owned()];
        let techniques = if techniques.is_empty() { &usual } else { techniques };
        let mut writers = Vec::new();
        for name in techniques {
            let extractor = Extractor::with_settings(Extractor::entry(name)?, &[])?;
            writers.push((name.clone(), Writer::Technique(extractor)));
        }
        for text in commands {
            let command = ExternalTechnique::read(text, external::TIME_LIMIT)?;
            writers.push((command.name, Writer::External(command.external)));
        }
        Ok(writers)
    }

    fn markdown(&self, bytes: &[u8], page: &Page) -> Result<String, String> {
        match self {
            Writer::Technique(extractor) => Ok(extractor.extract(page).markdown()),
            Writer::External(command) => match command.run(bytes, None).map_err(|error| error.to_string())?.0 {
                Printed::Text(markdown) => Ok(markdown),
                Printed::Annotated(_) => Err("the command printed a page instead of Markdown".to_owned()),
            },
        }
    }
}

/// The start of a text, on one line.
fn shortened(text: &str) -> String {
    plain(text).chars().take(100).collect()
}

/// What came of judging writers.
#[derive(Debug, Default)]
pub struct Judged {
    /// Each writer with what came out whole.
    pub writers: Vec<(String, Structure)>,
    /// What did not come out whole, by writer and file.
    pub faults: Vec<String>,
    /// Pages and writers that failed.
    pub problems: Vec<String>,
}

impl Judged {
    /// A table of the writers for people, with what did not come out whole below it if that is wanted.
    #[must_use]
    pub fn write(&self, with_faults: bool) -> String {
        let mut text = table(&self.writers);
        if with_faults {
            text.extend(self.faults.iter().flat_map(|fault| [fault, "\n"]));
        }
        text
    }
}

/// Judges what writers make of pages: those that are named, and those of folders, at most so many.
///
/// # Errors
/// If a folder cannot be read.
pub fn judge(
    pages: &[PathBuf],
    limit: Option<usize>,
    writers: &[(String, Writer)],
    watch: &dyn Watch,
) -> Result<Judged, StructureError> {
    let files = spread(page_files(pages)?, limit.unwrap_or(usize::MAX));
    watch.total(files.len() as u64);
    let one = |file: &PathBuf| {
        let (mut problems, mut faults) = (Vec::new(), Vec::new());
        let mut found = vec![Structure::default(); writers.len()];
        match std::fs::read(file) {
            Ok(bytes) => {
                let page = Page::parse(bytes.clone());
                let gold = gold::beside(file);
                for ((name, writer), structure) in writers.iter().zip(&mut found) {
                    match writer.markdown(&bytes, &page) {
                        Ok(markdown) => {
                            let mut found = Vec::new();
                            *structure = Structure::with_faults(&page, &markdown, &mut found);
                            if let Some(gold) = &gold {
                                structure.lines = gold::compare(gold, &markdown, &mut found);
                            }
                            faults.extend(found.into_iter().map(|fault| format!("{name} on {}: {fault}", file.display())));
                        }
                        Err(error) => problems.push(format!("{name} on {}: {error}", file.display())),
                    }
                }
            }
            Err(error) => problems.push(format!("{}: {error}", file.display())),
        }
        watch.advance(1);
        (found, faults, problems)
    };
    let none = writers.iter().map(|(name, _)| (name.clone(), Structure::default())).collect();
    let mut judged = Judged { writers: none, ..Judged::default() };
    for (found, faults, problems) in files.par_iter().map(one).collect::<Vec<_>>() {
        judged.writers.iter_mut().zip(&found).for_each(|((_, sum), page)| sum.add(page));
        judged.faults.extend(faults);
        judged.problems.extend(problems);
    }
    Ok(judged)
}

/// A table of many extractors for people.
fn table(all: &[(String, Structure)]) -> String {
    let width = all.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(9);
    let mut out = format!("{:width$}", "extractor");
    for name in Structure::NAMES {
        let _ = write!(out, " {name:>15}");
    }
    for (name, structure) in all {
        let _ = write!(out, "\n{name:width$}");
        for share in structure.shares() {
            let shown = share.value().map_or_else(|| "–".to_owned(), |value| format!("{value:.3} of {}", share.taken));
            let _ = write!(out, " {shown:>15}");
        }
    }
    out.push('\n');
    out
}

/// The letters and digits of a text: marks, spaces and quotes differ between extractors that are all right.
fn letters(text: &str) -> String {
    let ordinary = |character: char| match character {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰'..='⁹' => char::from_digit(character as u32 - '⁰' as u32, 10).unwrap_or(character),
        '₀'..='₉' => char::from_digit(character as u32 - '₀' as u32, 10).unwrap_or(character),
        character => character,
    };
    text.chars().map(ordinary).filter(|character| character.is_alphanumeric()).collect()
}

/// Text on one line.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// So many of the pages, spread evenly over all.
fn spread(files: Vec<PathBuf>, limit: usize) -> Vec<PathBuf> {
    let all = files.len();
    if all <= limit {
        return files;
    }
    (0..limit).map(|at| files[at * all / limit].clone()).collect()
}

/// All pages that are named: files, and what ends in `.html` or `.htm` somewhere in folders.
///
/// # Errors
/// If a folder cannot be read.
pub fn page_files(named: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), named.to_vec());
    while let Some(path) = folders.pop() {
        if path.is_dir() {
            let inside = std::fs::read_dir(&path)?.collect::<std::io::Result<Vec<_>>>()?.into_iter().map(|entry| entry.path());
            folders
                .extend(inside.filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "html" || end == "htm")));
        } else {
            files.push(path);
        }
    }
    files.order();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;

    const PAGE: &str = "<h1>Tea</h1><p>Kinds of <a href=https://e.org/tea>tea</a> and what they cost in the shop.</p>\
        <table><tr><th>Kind<th>Price<tr><td>green tea<td>4.20<tr><td>black tea<td>3.10<tr><td>white tea, rare<td>9.90</table>\
        <pre>fn brew(t: Tea) {\n    pour(t);\n}</pre><ul><li>hot water, not boiling<li>a cup</ul><img src=https://e.org/t.png alt=cup>";

    #[test]
    fn our_own_markdown_is_whole() {
        let page = Page::parse(PAGE);
        let structure = Structure::of(&page, &emit::markdown(&page, &page.subtree_set(page.root())));
        let one = Share { taken: 1, right: 1 };
        assert_eq!(structure.shares()[..3], [one, Share { taken: 8, right: 8 }, one]);
        assert_eq!((structure.headings, structure.items), (one, one));
        assert_eq!((structure.links, structure.images), (one, one));
    }

    #[test]
    fn items_behind_letters_are_items_and_links_lead_to_videos_but_not_to_a_bare_sign() {
        let page = Page::parse(
            "<ol type=a><li>hot water, not boiling<li>a cup that is warm</ol><iframe src=https://v.example/1 title=Brewing></iframe><a href=#>More</a>",
        );
        let structure = Structure::of(&page, &emit::markdown(&page, &page.subtree_set(page.root())));
        assert_eq!((structure.items, structure.links), (Share { taken: 2, right: 2 }, Share { taken: 1, right: 1 }));
        let structure = Structure::of(&page, "- A hot water, not boiling\n\n[More](#)\n\n[Brewing](https://v.example/2)");
        assert_eq!((structure.items, structure.links), (Share { taken: 1, right: 0 }, Share { taken: 1, right: 0 }));
    }

    #[test]
    fn a_cell_that_moved_and_a_brace_that_is_gone_are_seen() {
        let page = Page::parse(PAGE);
        let torn = "# Tea\n\n| Kind | Price |\n| --- | --- |\n| 4.20 |  |\n| black tea | 3.10 |\n| white tea, rare | 9.90 |\n\n```\nfn brew(t: Tea) {\npour(t);\n```\n\nhot water, not boiling\n\n[tea](https://e.org/coffee)\n";
        let structure = Structure::of(&page, torn);
        assert_eq!(structure.tables, Share { taken: 1, right: 0 });
        assert_eq!(structure.cells, Share { taken: 8, right: 6 });
        assert_eq!(structure.code, Share { taken: 1, right: 0 });
        assert_eq!(structure.items, Share { taken: 1, right: 0 });
        assert_eq!(structure.links, Share { taken: 1, right: 0 });
    }

    #[test]
    fn an_item_that_the_page_says_elsewhere_too_is_not_judged() {
        let page = Page::parse("<ul><li>What tea costs in the shop</ul><h2>What tea costs in the shop</h2><p>Little.</p>");
        assert_eq!(Structure::of(&page, "## What tea costs in the shop\n\nLittle.").items, Share::default());
    }

    #[test]
    fn pages_of_a_sample_are_spread_over_all() {
        let files: Vec<PathBuf> = (0..10).map(|at| PathBuf::from(at.to_string())).collect();
        assert_eq!(spread(files.clone(), 3), [0, 3, 6].map(|at: usize| files[at].clone()));
        assert_eq!(spread(files.clone(), 20), files);
    }

    #[test]
    fn lists_figures_and_quotes_that_were_torn_are_seen() {
        let page = Page::parse(
            "<ul><li>hot water, not boiling<li>two leaves of mint<li>honey from the garden</ul>\
             <dl><dt>Green tea<dd>steamed or roasted leaves<dt>Black tea<dd>leaves that were left to wither</dl>\
             <figure><img src=https://e.org/t.png><figcaption>A cup on the table</figcaption></figure>\
             <blockquote>Tea is liquid wisdom.</blockquote>",
        );
        let one = |right| Share { taken: 1, right };
        let whole = Structure::of(&page, &emit::markdown(&page, &page.subtree_set(page.root())));
        assert_eq!((whole.lists, whole.figures, whole.quotes), (Share { taken: 2, right: 2 }, one(1), one(1)));
        let torn = "- hot water, not boiling\n- two leaves of mint\n\nA cup on the table\n\nTea is liquid wisdom.";
        let torn = Structure::of(&page, torn);
        assert_eq!((torn.lists, torn.figures, torn.quotes), (one(0), one(0), one(0)));
    }

    #[test]
    fn what_was_not_taken_is_not_judged() {
        let page = Page::parse(PAGE);
        assert_eq!(Structure::of(&page, "Kinds of tea and what they cost in the shop."), Structure::default());
        assert!(table(&[("a".to_owned(), Structure::default())]).contains('–'));
    }
}
