//! What a crawl has come to, as a value and as a line.

use std::fmt;

/// What a crawl has come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrawlReport {
    /// Pages that were fetched now.
    pub pages: usize,
    /// Pages that an earlier run had archived.
    pub archived: usize,
    /// Addresses that were no pages: redirects, other documents, errors such as 404.
    pub others: usize,
    /// Addresses that `robots.txt` keeps from us, and private ones.
    pub forbidden: usize,
    /// Of those, addresses of private networks and this machine, which are fetched if the options allow it.
    pub private: usize,
    /// Addresses that could not be fetched; a later run tries them again.
    pub failed: usize,
    /// Addresses known but not fetched when the crawl ended.
    pub left: usize,
    /// Sites that were begun, the first one included.
    pub sites: usize,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// What was refused or failed, the first hundred.
    pub messages: Vec<String>,
}

impl fmt::Display for CrawlReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} pages", self.pages + self.archived)?;
        if self.sites > 1 {
            write!(formatter, " of {} sites", self.sites)?;
        }
        for (count, what) in
            [(self.archived, "from before"), (self.others, "no pages"), (self.forbidden, "not allowed"), (self.failed, "failed")]
        {
            if count > 0 {
                write!(formatter, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_was_none_of_is_not_told() {
        let report = CrawlReport { pages: 3, archived: 2, sites: 1, failed: 1, ..CrawlReport::default() };
        assert_eq!(report.to_string(), "5 pages, 2 from before, 1 failed");
        assert_eq!(CrawlReport { pages: 1, sites: 2, ..CrawlReport::default() }.to_string(), "1 pages of 2 sites");
    }
}
