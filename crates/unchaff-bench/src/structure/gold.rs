//! Markdown that people wrote for a page, line by line.
//!
//! `page.md` beside `page.html` is how the page should come out. Lines that are not blank are aligned (longest common subsequence), so a line that is missing costs one line
//! and not all that follow it.

use super::{Share, shortened};
use std::path::{Path, PathBuf};
use unchaff::{Extractor, Page};

/// The Markdown that stands beside a page, if there is some.
#[must_use]
pub fn beside(page: &Path) -> Option<String> {
    std::fs::read_to_string(page.with_extension("md")).ok()
}

/// How many lines are those of the gold, of as many as the longer of both has. Lines that are not are named among the faults.
#[must_use]
pub fn compare(gold: &str, markdown: &str, faults: &mut Vec<String>) -> Share {
    let lines = |text: &'_ str| text.lines().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect();
    let (gold, written): (Vec<String>, Vec<String>) = (lines(gold), lines(markdown));
    // The lengths of common subsequences of all that comes after two places.
    let width = written.len() + 1;
    let mut common = vec![0_u32; (gold.len() + 1) * width];
    for (row, line) in gold.iter().enumerate().rev() {
        for (column, other) in written.iter().enumerate().rev() {
            let at = row * width + column;
            common[at] = match line == other {
                true => common[at + width + 1] + 1,
                false => common[at + width].max(common[at + 1]),
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < gold.len() || column < written.len() {
        let at = row * width + column;
        if row < gold.len() && column < written.len() && gold[row] == written[column] {
            (row, column) = (row + 1, column + 1);
        } else if column == written.len() || row < gold.len() && common[at + width] >= common[at + 1] {
            faults.push(format!("missing line: {}", shortened(&gold[row])));
            row += 1;
        } else {
            faults.push(format!("other line: {}", shortened(&written[column])));
            column += 1;
        }
    }
    Share { taken: gold.len().max(written.len()) as u32, right: common[0] }
}

/// The pages of a folder that have gold.
///
/// # Errors
/// If the folder cannot be read.
pub fn pages(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = super::page_files(&[folder.to_owned()])?;
    files.retain(|file| file.with_extension("md").is_file());
    Ok(files)
}

/// The mean share of right lines over pages with gold, which an extractor reaches; none if there are none.
///
/// # Errors
/// If a page cannot be read.
pub fn mean(files: &[PathBuf], extractor: &Extractor) -> std::io::Result<Option<f64>> {
    let mut sum = 0.0;
    for file in files {
        let page = Page::parse(std::fs::read(file)?);
        let gold = beside(file).unwrap_or_default();
        sum += compare(&gold, &extractor.extract(&page).markdown(), &mut Vec::new()).value().unwrap_or(1.0);
    }
    Ok((!files.is_empty()).then(|| sum / files.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_line_and_another_one_are_named_and_count_once() {
        let mut faults = Vec::new();
        let share = compare("# a\n\nb\nc\nd\n", "# a\n\nx\nc\nd\n", &mut faults);
        assert_eq!(share, Share { taken: 4, right: 3 });
        assert_eq!(faults, ["missing line: b", "other line: x"]);
        assert_eq!(compare("", "", &mut faults).value(), None);
        assert_eq!(compare("a\nb", "b", &mut Vec::new()), Share { taken: 2, right: 1 });
    }

    /// The gate holds the mean; here each page, so that a change says which line is another.
    #[test]
    fn pages_of_our_own_come_out_as_they_were_written_down() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/markdown");
        let files = pages(&folder).unwrap();
        assert!(files.len() >= 14, "{}", folder.display());
        let mut faults = Vec::new();
        for file in files {
            let page = Page::parse(std::fs::read(&file).unwrap());
            let mut found = Vec::new();
            let _ = compare(&beside(&file).unwrap(), &Extractor::new().extract(&page).markdown(), &mut found);
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
        }
        // What `auto` leaves out of these pages: a date of a thread.
        let known = ["thread: missing line: 4 April 2024, 07:45"];
        assert_eq!(faults, known);
    }
}
