//! The structure of a site as a value: the JSON and the text of `unchaff site --structure`, which `docs/sites.md` describes.

use serde::{Deserialize, Serialize};
use std::fmt;
use unchaff_dom::Site;
use unchaff_dom::links::shown;
use unchaff_site::published::site_structure::{RankedPage, StructureOptions, site_structure};

/// Index pages, articles and the share of template of a site.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StructureRecord {
    /// The name of the site.
    pub site: String,
    /// How many pages were looked at.
    pub pages: usize,
    /// How many were left out because another one has the same text.
    pub copies: usize,
    /// How many could not be read.
    pub failed: usize,
    /// The share of the characters of text that is template (Gibson et al. 2005); none if there are not two pages.
    pub template_text: Option<f64>,
    /// The share of the bytes of markup that is template.
    pub template_bytes: Option<f64>,
    /// Index pages, the best hubs first (LAMIS, Kao et al. 2004).
    pub index_pages: Vec<RankedAddress>,
    /// Articles that index pages lead to, the best authorities first.
    pub articles: Vec<RankedAddress>,
    /// The best authorities by links outside the template (Bar-Yossef and Rajagopalan 2002).
    pub authorities: Vec<RankedAddress>,
}

/// A page of a ranking.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankedAddress {
    /// Its address; in a folder that stands for none, below the folder.
    pub url: String,
    /// What it is worth, from 0 to 1.
    pub value: f64,
}

impl StructureRecord {
    /// Finds out about a site, which is called so.
    #[must_use]
    pub fn of(name: &str, site: &dyn Site, options: &StructureOptions) -> StructureRecord {
        let structure = site_structure(site, options);
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let addresses = |ranked: &[RankedPage]| {
            let address = |ranked: &RankedPage| RankedAddress {
                url: shown(site.url(ranked.page).as_str()).into_owned(),
                value: round(ranked.value),
            };
            ranked.iter().map(address).collect()
        };
        StructureRecord {
            site: name.to_owned(),
            pages: structure.pages,
            copies: structure.copies,
            failed: structure.failed,
            template_text: structure.template_text.map(round),
            template_bytes: structure.template_bytes.map(round),
            index_pages: addresses(&structure.index_pages),
            articles: addresses(&structure.articles),
            authorities: addresses(&structure.authorities),
        }
    }
}

impl StructureRecord {
    /// Whether no page of the site leads to another, outside the template.
    #[must_use]
    pub fn is_unlinked(&self) -> bool {
        self.index_pages.is_empty() && self.articles.is_empty() && self.authorities.is_empty()
    }
}

impl fmt::Display for StructureRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} pages", self.site, self.pages)?;
        for (count, what) in [(self.copies, "copies"), (self.failed, "failed")] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        writeln!(f)?;
        match (self.template_text, self.template_bytes) {
            (Some(text), Some(bytes)) => {
                writeln!(f, "  template: {:.0} % of the text, {:.0} % of the markup", text * 100.0, bytes * 100.0)?;
            }
            _ => writeln!(f, "  template: two pages are needed")?,
        }
        for (what, pages) in [
            ("index pages", &self.index_pages),
            ("articles they lead to", &self.articles),
            ("most linked to outside the template", &self.authorities),
        ] {
            writeln!(f, "  {what}: {}", pages.len())?;
            for page in pages {
                writeln!(f, "    {:.3}  {}", page.value, page.url)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    #[test]
    fn a_structure_is_shown_and_read_back() {
        let page = |url: &str, text: &str| {
            let html = format!(
                "<body><div><a href=/>Start</a></div><div>{text}</div><p>The Example Herald, every day of the year</p></body>"
            );
            Parser::new().url(&format!("https://example.org{url}")).parse(html)
        };
        let site = LoadedSite::new([
            page("/", "<a href=/1>Flood warning</a> <a href=/2>Election results</a>"),
            page("/1", "Rivers rose quickly overnight"),
            page("/2", "Voters queued patiently everywhere"),
        ]);
        let record = StructureRecord::of("example.org", &site, &StructureOptions::default());
        let text = record.to_string();
        assert!(text.starts_with("example.org: 3 pages\n  template: "), "{text}");
        assert!(text.contains("  index pages: 1\n    1.000  https://example.org/\n"), "{text}");
        assert!(text.contains("https://example.org/1\n") && text.contains("https://example.org/2\n"), "{text}");
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<StructureRecord>(&json).unwrap(), record);
        let empty = StructureRecord::of("none", &LoadedSite::new([]), &StructureOptions::default());
        assert!(empty.to_string().contains("two pages are needed"));
    }
}
