//! Copies of pages as a value: the JSON of `unchaff cluster --duplicates`, and its list.

use serde::{Deserialize, Serialize};
use unchaff_dom::links::shown;
use unchaff_site::clustering::Clustering;

/// Groups of pages whose text is the same, or nearly.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DuplicateRecord {
    /// How many pages are copies of another.
    pub copies: usize,
    /// The groups, by the addresses of their pages.
    pub groups: Vec<Vec<String>>,
    /// By what they were found.
    pub method: String,
    /// Whether content was compared, or all text of the page.
    pub of: String,
    /// How many pages there are.
    pub pages: usize,
}

impl DuplicateRecord {
    /// What was found of pages with these addresses.
    #[must_use]
    pub fn of(urls: &[String], method: String, of: String, found: &Clustering) -> DuplicateRecord {
        let members = found.members().into_iter().filter(|members| members.len() > 1);
        let groups: Vec<Vec<String>> =
            members.map(|members| members.into_iter().map(|at| shown(&urls[at]).into_owned()).collect()).collect();
        let copies = groups.iter().map(|group| group.len() - 1).sum();
        DuplicateRecord { copies, groups, method, of, pages: urls.len() }
    }

    /// A list for the terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let DuplicateRecord { copies, groups, method, of, pages } = self;
        let mut table = format!("# {pages} pages, {copies} of them copies ({method}, of the {of})\n");
        for (first, copies) in groups.iter().filter_map(|group| group.split_first()) {
            table += &format!("{first}\n");
            copies.iter().for_each(|copy| table += &format!("  = {copy}\n"));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stand_below_the_page_that_they_are_of() {
        let urls = ["a", "b", "c", "d"].map(str::to_owned);
        let record = DuplicateRecord::of(&urls, "exact".to_owned(), "page".to_owned(), &Clustering::new([0, 1, 0, 0]));
        assert_eq!(record.table(), "# 4 pages, 2 of them copies (exact, of the page)\na\n  = c\n  = d\n");
    }
}
