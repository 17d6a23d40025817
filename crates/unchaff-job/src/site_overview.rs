//! What a site has, in one file for assistants and people: `llms.txt` (llmstxt.org), a title, a sentence, and a list of its pages in sections, each a link to
//! the Markdown file that was written of the page.
//!
//! Sections are those of the site: the folders of its addresses, called and ordered as the site's menu has them where it leads to them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use unchaff::dom::Page;
use unchaff::dom::order::InOrder;
use unchaff::{BlockKind, Extraction};
use unchaff_source::Url;

/// What the file is called.
pub(crate) const FILE: &str = "llms.txt";

/// Most characters that are told of a page.
const LONGEST: usize = 200;

/// Most links of a menu that are looked at.
const MOST_LINKS: usize = 200;

/// A page of the list.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Listed {
    title: String,
    description: String,
    site_name: String,
    /// Where the menu leads, with what it says: folders of the site.
    menu: Vec<(String, String)>,
}

impl Listed {
    pub(crate) fn of(page: &Page, extraction: &Extraction<'_>) -> Listed {
        let metadata = extraction.metadata();
        let one_line =
            |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect::<String>();
        let menu = extraction.detection().nodes(BlockKind::Menu);
        let links = menu.into_iter().flat_map(unchaff::NodeSet::iter).filter(|node| page.name(*node) == "a").take(MOST_LINKS);
        let folders = links.filter_map(|link| {
            let url = page.resolve(page.attr(link, "href")?)?;
            let is_here = page.base().is_none_or(|base| base.host_str() == url.host_str());
            let text = one_line(page.text(link).to_owned());
            let folder = folder_of(&url).or_else(|| sole_name(&url)).filter(|_| is_here && !text.is_empty())?;
            // What lies deeper in the folder does not name it.
            (url.path().trim_matches('/').split('/').filter(|part| !part.starts_with("index.")).count() < 2)
                .then_some((folder, text))
        });
        Listed {
            menu: folders.collect(),
            title: metadata.title.map(|title| one_line(title.value)).unwrap_or_default(),
            description: metadata.description.map(|told| one_line(told.value)).unwrap_or_default(),
            site_name: metadata.site_name.map(|name| one_line(name.value)).unwrap_or_default(),
        }
    }
}

/// The first folder of an address, if it has one.
fn folder_of(url: &Url) -> Option<String> {
    let (folder, _) = url.path().trim_start_matches('/').split_once('/')?;
    (!folder.is_empty()).then(|| folder.to_owned())
}

/// `news` of `/news` and `/news.html`, which may be the page of a folder.
fn sole_name(url: &Url) -> Option<String> {
    let name = url.path().trim_start_matches('/');
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    (!name.is_empty() && !name.contains('/')).then(|| name.to_owned())
}

/// All pages of a site.
#[derive(Debug, Default)]
pub(crate) struct SiteOverview {
    pages: Vec<(Url, PathBuf, Listed)>,
}

impl SiteOverview {
    /// Adds a page, whose file is at a path from where the list will be.
    pub(crate) fn add(&mut self, url: Url, file: PathBuf, listed: Listed) {
        self.pages.push((url, file, listed));
    }

    /// The file.
    pub(crate) fn text(&self, site: &str) -> String {
        let length = |url: &Url| url.path().trim_end_matches("index.html").len() + url.query().map_or(0, |query| query.len() + 1);
        let home = self.pages.iter().min_by_key(|(url, ..)| length(url)).map(|(.., listed)| listed);
        let named = home.map(|home| &home.site_name).filter(|name| !name.is_empty());
        let name =
            named.cloned().unwrap_or_else(|| most_frequent(self.pages.iter().map(|(.., listed)| listed.site_name.as_str())));
        let mut out = format!("# {}\n", text(if name.is_empty() { site } else { &name }));
        if let Some(told) = home.map(|home| &home.description).filter(|told| !told.is_empty()) {
            write!(out, "\n> {}\n", text(told)).ok();
        }
        let mut folders: BTreeMap<Option<String>, Vec<&(Url, PathBuf, Listed)>> = BTreeMap::new();
        self.pages.iter().for_each(|page| folders.entry(folder_of(&page.0)).or_default().push(page));
        // The folder of one page is no section, as where each page is the index of its own.
        let alone = folders.extract_if(.., |folder, pages| folder.is_some() && pages.len() < 2);
        let alone: Vec<_> = alone.flat_map(|(_, pages)| pages).collect();
        if !alone.is_empty() {
            folders.entry(None).or_default().extend(alone);
        }
        let menu = home
            .filter(|home| !home.menu.is_empty())
            .or_else(|| self.pages.iter().map(|(.., page)| page).find(|page| !page.menu.is_empty()));
        let in_menu = |folder: &str| menu.and_then(|page| page.menu.iter().position(|(known, _)| known == folder));
        let mut sections: Vec<_> = folders.into_iter().collect();
        sections.order_by_key(|(folder, _)| folder.as_deref().map(|folder| in_menu(folder).unwrap_or(usize::MAX)));
        for (folder, pages) in sections {
            let heading = match &folder {
                None => "Pages".to_owned(),
                Some(folder) => match (in_menu(folder), menu) {
                    (Some(at), Some(page)) => page.menu[at].1.clone(),
                    _ => spoken(folder),
                },
            };
            write!(out, "\n## {}\n\n", text(&heading)).ok();
            for (url, file, listed) in pages {
                let title = if listed.title.is_empty() { url.path() } else { &listed.title };
                write!(out, "- [{}]({})", text(title), address(file)).ok();
                if !listed.description.is_empty() && listed.description != listed.title {
                    write!(out, ": {}", text(&listed.description)).ok();
                }
                out.push('\n');
            }
        }
        out
    }
}

/// The name that most pages have; of equals the first.
fn most_frequent<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    names.filter(|name| !name.is_empty()).for_each(|name| *counts.entry(name).or_default() += 1);
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(name, _)| name.to_owned()).unwrap_or_default()
}

/// A folder of an address as one would say it.
fn spoken(folder: &str) -> String {
    let decoded = percent_decoded(folder).replace(['-', '_', '+'], " ");
    let mut letters = decoded.trim().chars();
    letters.next().map_or_else(|| folder.to_owned(), |first| first.to_uppercase().chain(letters).collect())
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut left = text.as_bytes();
    while let [first, rest @ ..] = left {
        let code = rest.get(..2).and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => (bytes.push(code), left = &rest[2..]).1,
            None => (bytes.push(*first), left = rest).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Text that is nothing but text in Markdown.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '#') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// The address of a file beside this one.
fn address(file: &Path) -> String {
    let mut out = String::new();
    for byte in file.to_string_lossy().replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            byte => drop(write!(out, "%{byte:02X}")),
        }
    }
    // What is before a colon in the first part would be a scheme, but colons are written otherwise.
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overview(pages: &[(&str, &str, &str)], menu: &[(&str, &str)]) -> String {
        let mut overview = SiteOverview::default();
        for (path, title, told) in pages {
            let url = Url::parse(&format!("https://tea.example{path}")).unwrap();
            let file = PathBuf::from(format!("{}.md", path.trim_start_matches('/')));
            let menu = menu.iter().map(|(folder, text)| ((*folder).to_owned(), (*text).to_owned())).collect();
            let (title, description) = ((*title).to_owned(), (*told).to_owned());
            overview.add(url, file, Listed { title, description, site_name: "Tea & Co.".to_owned(), menu });
        }
        overview.text("tea.example")
    }

    #[test]
    fn pages_stand_in_the_sections_of_the_site() {
        let pages = [
            ("/green/sencha", "Sencha [new]", ""),
            ("/about", "About", "Who we are"),
            ("/black/assam", "Assam", ""),
            ("/index", "Tea", "All about tea"),
            ("/green/ma cha (fine)", "", ""),
            ("/gift-cards/one", "One", "One"),
            ("/gift-cards/two", "Two", ""),
            ("/black/ceylon", "Ceylon", ""),
            ("/shop/all", "Shop", ""),
        ];
        let text = overview(&pages, &[("black", "Black tea"), ("about", "Us"), ("green", "Green tea")]);
        let expected = "# Tea & Co.\n\n> Who we are\n\n## Pages\n\n- [About](about.md): Who we are\n- [Tea](index.md): All about tea\n- [Shop](shop/all.md)\n\n\
            ## Black tea\n\n- [Assam](black/assam.md)\n- [Ceylon](black/ceylon.md)\n\n## Green tea\n\n- [Sencha \\[new\\]](green/sencha.md)\n\
            - [/green/ma%20cha%20(fine)](green/ma%20cha%20%28fine%29.md)\n\n## Gift cards\n\n- [One](gift-cards/one.md)\n- [Two](gift-cards/two.md)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_site_without_folders_is_one_list() {
        let text = overview(&[("/a/1", "A", ""), ("/b/1", "B", "")], &[]);
        assert_eq!(text, "# Tea & Co.\n\n## Pages\n\n- [A](a/1.md)\n- [B](b/1.md)\n");
        assert_eq!(SiteOverview::default().text("tea.example"), "# tea.example\n");
    }

    #[test]
    fn nothing_in_a_title_is_markup() {
        let text = overview(&[("/x", "a\n# b](http://evil.invalid) <img> `c`", "\u{1b}[2J")], &[]);
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 2, "{text}");
        assert!(text.contains("- [a \\# b\\](http://evil.invalid) \\<img> \\`c\\`](x.md):  \\[2J"), "{text}");
    }
}
