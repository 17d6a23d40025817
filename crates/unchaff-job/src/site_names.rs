//! What the files of a site are called. Names of sites come from other people's archives (`..`, `sites`, `con`), so nothing in them is trusted.

use std::path::{Path, PathBuf};
use unchaff_source::{Input, Named, OutputNames, Url};

/// What our own notes in the folder are called; no site is.
pub(crate) const NOTES: &str = "sites.jsonl";

/// What the file that says what the results are of is called; no folder of a site is.
pub(crate) const ORIGIN: &str = "sites.origin";

/// Names for the sites of a source, all different, none of which leaves its folder or is our own.
#[derive(Debug)]
pub struct SiteNames {
    names: OutputNames,
}

impl Default for SiteNames {
    fn default() -> Self {
        let mut names = OutputNames::new("jsonl");
        for ours in ["sites", ORIGIN] {
            names.name(&named(format!("{ours}.html")));
        }
        SiteNames { names }
    }
}

impl SiteNames {
    /// The file of lines of the next site; without its extension, its folder. The same sites in the same order get the same names.
    pub fn lines(&mut self, site: &str) -> PathBuf {
        // Not a path: whatever stands between slashes is part of one name. A folder must not end like a file of lines.
        let end = if site.to_ascii_lowercase().ends_with(".jsonl") { "_" } else { "" };
        // The extension keeps the end of the name from being taken for one.
        self.names.name(&named(format!("{}{end}.html", site.replace(['/', '\\'], "_"))))
    }

    /// The folder of pages that goes with a file of lines.
    #[must_use]
    pub fn folder(lines: &Path) -> PathBuf {
        lines.with_extension("")
    }
}

fn named(relative: String) -> Named {
    Named { input: Input::Stdin, relative: PathBuf::from(relative), given: None }
}

/// What a page is called in the folder of its site.
#[must_use]
pub fn page_name(url: &Url) -> Named {
    let query = url.query().map(|query| format!("?{query}"));
    named(url.path().trim_start_matches('/').to_owned() + query.as_deref().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::path::Component;

    /// Whether Windows takes a name for itself: no device, no character that means something else, nothing at the end that it drops.
    fn is_a_name_on_windows(name: &Path) -> bool {
        let name = name.to_str().unwrap().to_lowercase();
        let device = name.split('.').next().unwrap().trim_end();
        let numbered = ["com", "lpt"].iter().any(|port| device.len() == 4 && device.starts_with(port));
        let is_device = numbered || ["con", "prn", "aux", "nul"].contains(&device);
        let means_more = name.chars().any(|c| c.is_control() || "<>:\"/\\|?*".contains(c));
        !(is_device || means_more || name.ends_with(['.', ' ']))
    }

    #[test]
    fn hostile_names_stay_in_their_folder_and_apart() {
        let mut hostile: Vec<String> = [
            "..",
            ".",
            "",
            "sites",
            "Sites",
            "SITES.jsonl",
            "con",
            "nul.html",
            "a/../../b",
            "/etc",
            "C:",
            "c:\\x",
            "a\0b",
            "a\nb",
            "%2e%2e",
            "~",
            "-rf",
            "sites.origin",
            "Sites.Origin",
            "CON",
            "PRN",
            "AUX",
            "NUL",
            "aux.",
            "aux.example",
            "com1",
            "LPT9.jsonl",
            "con .x",
            "trailing.",
            "trailing...",
            "trailing ",
            "trailing. .",
            "a:b",
            "a:stream:$DATA",
            "..\\..\\b",
            "\\\\server\\share",
            "\\\\?\\C:\\x",
            "a<b>c|d?e*f\"g",
            "\u{7f}\u{85}\u{202e}",
        ]
        .map(str::to_owned)
        .to_vec();
        let paths: Vec<String> = hostile.iter().map(|name| format!("https://example.org/{name}/{name}")).collect();
        hostile.extend((0..200).map(|at| format!("{}{}", "../".repeat(at % 5), "x".repeat(at * 7))));
        let mut names = SiteNames::default();
        let mut seen = HashSet::from(["sites.jsonl", "sites", ORIGIN].map(str::to_owned));
        for site in &hostile {
            let lines = names.lines(site);
            assert!(matches!(lines.components().collect::<Vec<_>>()[..], [Component::Normal(_)]), "{site:?}: {lines:?}");
            let folder = SiteNames::folder(&lines);
            assert!(matches!(folder.components().collect::<Vec<_>>()[..], [Component::Normal(_)]), "{site:?}: {folder:?}");
            assert!(seen.insert(lines.to_str().unwrap().to_lowercase()), "{site:?}: {lines:?}");
            assert!(seen.insert(folder.to_str().unwrap().to_lowercase()), "{site:?}: {folder:?}");
            assert!(folder.as_os_str().len() < 255);
            assert!(is_a_name_on_windows(&lines) && is_a_name_on_windows(&folder), "{site:?}: {lines:?}");
        }
        let mut pages = OutputNames::new("md");
        for url in paths.iter().filter_map(|path| Url::parse(path).ok()) {
            let file = pages.name(&page_name(&url));
            for part in file.components() {
                let Component::Normal(part) = part else { panic!("{url}: {file:?}") };
                assert!(is_a_name_on_windows(Path::new(part)), "{url}: {file:?}");
            }
        }
        let mut again = SiteNames::default();
        assert_eq!(again.lines("example.org"), Path::new("example.org.jsonl"));
        assert_eq!(SiteNames::folder(Path::new("example.org.jsonl")), Path::new("example.org"));
    }
}
