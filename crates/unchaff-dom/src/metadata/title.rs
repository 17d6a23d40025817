//! The title without the name of the site around it.
//!
//! Titles are written `Headline | Section | Site`, in any order and with many marks. A part at either end goes if it plainly
//! is the site: its letters are those of the site's name, of the host, or their initials are the host's (`World Health
//! Organization`, who.int). If one part is what a heading of the page says, that part is the title; so is the headline where
//! the title starts or ends with it and a mark (`Blog: Headline`, `Headline_Section`). Sections stay where no heading
//! helps: nothing tells them from the title's own words.

use super::value::folded;
use crate::links::registrable;
use std::collections::HashSet;
use std::ops::Range;
use url::Url;

/// What stands between the parts of a title.
const MARKS: [&str; 13] = [" | ", " : ", " - ", " – ", " — ", " :: ", " » ", " « ", " · ", " • ", " › ", " // ", " ― "];

/// Marks that part a title from the rest where the headline is known.
const LOOSE_MARKS: [char; 18] = ['|', '-', '–', '—', ':', '»', '«', '·', '•', '›', '/', '_', '●', '⋆', '~', '―', '：', '｜'];

/// What the headings of a page say.
#[derive(Debug, Default)]
pub(super) struct Headings {
    /// The text of the headline; empty if there is none.
    pub(super) headline: String,
    /// The texts of all headings, [folded].
    pub(super) folded: Vec<String>,
    /// Those of every `h1` that is no link, folded: a link leads elsewhere, as a rule to the start of the site.
    pub(super) headlines: Vec<String>,
    /// The same as they are written.
    pub(super) printed: Vec<String>,
}

/// The names a site goes by, folded to letters and digits.
#[derive(Debug, Default)]
pub(super) struct SiteNames {
    names: Vec<String>,
    hosts: Vec<String>,
}

impl SiteNames {
    pub(super) fn new(site_name: Option<&str>, url: Option<&Url>) -> SiteNames {
        let names = site_name.map(folded).into_iter().filter(|name| !name.is_empty()).collect();
        let host = url.and_then(Url::domain).unwrap_or_default();
        let host = host.strip_prefix("www.").unwrap_or(host);
        let domain = registrable(host).unwrap_or(host);
        let label = domain.split('.').next().unwrap_or_default();
        let hosts = [host, domain, label].map(folded).into_iter().filter(|name| name.len() > 1).collect();
        SiteNames { names, hosts }
    }

    /// Whether a part of a title is the site's name.
    pub(super) fn name(&self, part: &str) -> bool {
        let whole = folded(part);
        let short = whole.strip_prefix("the").unwrap_or(&whole);
        let without_the = |name: &str| name.strip_prefix("the").unwrap_or(name) == short;
        !short.is_empty() && self.names.iter().any(|name| without_the(name)) || self.is_host(part)
    }

    /// Whether a part of a title is the host in words.
    pub(super) fn is_host(&self, part: &str) -> bool {
        let whole = folded(part);
        let short = whole.strip_prefix("the").unwrap_or(&whole);
        let initials: String =
            part.split_whitespace().filter_map(|word| word.chars().next()).flat_map(char::to_lowercase).collect();
        self.hosts.iter().any(|host| *host == whole || host == short || (initials.len() > 2 && *host == initials))
    }
}

/// Where the parts of a title are, in a text with single spaces.
fn parts(title: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(space) = title[at..].find(' ').map(|found| at + found) {
        match MARKS.iter().find(|mark| title[space..].starts_with(**mark)) {
            Some(mark) => {
                parts.push(start..space);
                start = space + mark.len();
                at = start;
            }
            None => at = space + 1,
        }
    }
    parts.push(start..title.len());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A title without the site's name. Only the `title` element has the site's name before a colon (`Blog: Headline`);
/// elsewhere what stands there is part of the headline.
pub(super) fn bare(title: &str, is_element: bool, site: &SiteNames, headings: &Headings) -> String {
    let title = without_marks(title);
    if let Some(part) = part_in_headings(title, site, headings) {
        return part.to_owned();
    }
    let (starts, ends) = starts_or_ends_with(title, &headings.headline);
    if (starts || (ends && (is_element || !title.contains(": ")))) && !site.name(&headings.headline) {
        return headings.headline.clone();
    }
    let parts = parts(title);
    let names = |part: &Range<usize>| site.name(&title[part.clone()]);
    let (mut first, mut last) = (0, parts.len());
    while last - first > 1 && names(&parts[last - 1]) {
        last -= 1;
    }
    while last - first > 1 && names(&parts[first]) {
        first += 1;
    }
    let bare = if last == 0 { title } else { &title[parts[first].start..parts[last - 1].end] };
    // Where no spaces are written, none stand around marks.
    let site_behind = bare.rsplit_once(['：', '｜', '|']).filter(|(start, name)| !start.trim().is_empty() && site.name(name));
    site_behind.map_or(bare, |(start, _)| start.trim()).to_owned()
}

/// The part of a title that a heading says. The first of several, as sites stand last, but not one word if there is more:
/// that is a section. A part that is neither the first nor the longest may be a section or a blog, whose names are headings too; it counts if it is
/// the text of an `h1`.
pub(super) fn part_in_headings<'t>(title: &'t str, site: &SiteNames, headings: &Headings) -> Option<&'t str> {
    let parts: Vec<&str> = parts(title).into_iter().map(|part| &title[part]).collect();
    if parts.len() < 2 {
        return None;
    }
    let length = |part: &str| part.chars().count();
    let longest = parts.iter().filter(|part| !site.name(part)).map(|part| length(part)).max()?;
    let is_title = |at: usize, part: &str| {
        let folded = folded(part);
        let is_said = headings.folded.contains(&folded) && !site.name(part);
        is_said && (at == 0 || length(part) == longest || headings.headlines.contains(&folded))
    };
    let said = || parts.iter().enumerate().filter(|(at, part)| is_title(*at, part)).map(|(_, part)| *part);
    said().find(|part| part.contains(' ')).or_else(|| said().next())
}

/// The `h1` that says a title in other words: what is declared for search and for sharing is often a shorter or a louder form of what is
/// printed (`… (Published 2016)`). Both have most of their pairs of letters in common, and neither is less than half of the other.
pub(super) fn printed<'h>(title: &str, headings: &'h Headings) -> Option<&'h str> {
    // Shorter ones are alike by chance.
    const SHORTEST: usize = 12;
    const ALIKE: f64 = 0.6;
    let own = folded(title);
    if headings.folded.contains(&own) {
        return None;
    }
    let pairs = |text: &str| -> HashSet<(char, char)> { text.chars().zip(text.chars().skip(1)).collect() };
    let own_pairs = pairs(&own);
    let alike = |other: &str| {
        let other_pairs = pairs(other);
        let (short, long) = (own.len().min(other.len()), own.len().max(other.len()));
        let fewer = own_pairs.len().min(other_pairs.len());
        let common = own_pairs.intersection(&other_pairs).count();
        (short >= SHORTEST && 2 * short >= long).then(|| common as f64 / fewer as f64).filter(|share| *share >= ALIKE)
    };
    let rated = headings.headlines.iter().zip(&headings.printed).filter_map(|(folded, text)| Some((alike(folded)?, text)));
    rated.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, text)| text.as_str())
}

/// Whether a headline stands at the start of a title and a mark after it, or at its end and a mark before it. A colon is a
/// mark at the end only; after a headline, its own words follow.
pub(super) fn starts_or_ends_with(title: &str, headline: &str) -> (bool, bool) {
    // Shorter ones may be any word.
    const SHORTEST: usize = 10;
    let rest = |rest: Option<&str>| rest.filter(|_| headline.len() >= SHORTEST).map(|rest| rest.trim().to_owned());
    let starts = rest(title.strip_prefix(headline)).is_some_and(|rest| rest.starts_with(LOOSE_MARKS) && !rest.starts_with(':'));
    let ends = rest(title.strip_suffix(headline)).is_some_and(|rest| rest.ends_with(LOOSE_MARKS));
    (starts, ends)
}

/// Without marks that are left at the end where a name was empty.
fn without_marks(title: &str) -> &str {
    let mut bare = title;
    while let Some(rest) = bare.strip_suffix(LOOSE_MARKS).and_then(|rest| rest.strip_suffix(' ')) {
        bare = rest;
    }
    bare
}

/// The part at either end of a title that says the host in words: the site's name where nothing else tells it.
pub(super) fn site_name<'t>(title: &'t str, site: &SiteNames) -> Option<&'t str> {
    let parts = parts(title);
    let [first, .., last] = parts.as_slice() else { return None };
    [&title[last.clone()], &title[first.clone()]].into_iter().find(|part| site.is_host(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bared(title: &str, site_name: Option<&str>, url: &str, headings: &[&str]) -> String {
        let site = SiteNames::new(site_name, Url::parse(url).ok().as_ref());
        let folded: Vec<String> = headings.iter().map(|heading| folded(heading)).collect();
        let headline = headings.last().copied().unwrap_or_default().to_owned();
        bare(title, true, &site, &Headings { headline, headlines: folded.clone(), folded, ..Headings::default() })
    }

    #[test]
    fn the_name_of_the_site_goes_where_it_plainly_is_one() {
        let url = "https://www.example-news.co.uk/a";
        let cases = [
            ("It rained | Example News", "It rained"),
            ("It rained - example-news.co.uk", "It rained"),
            ("Example News :: It rained", "It rained"),
            ("It rained – all day — The Example News", "It rained – all day"),
            ("It rained | Weather", "It rained | Weather"),
            ("Example News", "Example News"),
            ("Example News | Example News", "Example News"),
            ("Well-known", "Well-known"),
        ];
        for (title, expected) in cases {
            assert_eq!(bared(title, None, url, &[]), expected, "{title}");
        }
        assert_eq!(bared("It rained | The Gazette", Some("Gazette"), url, &[]), "It rained");
        assert_eq!(bared("Cholera - World Health Organization", None, "https://www.who.int/", &[]), "Cholera");
    }

    #[test]
    fn a_part_that_a_heading_says_is_the_title() {
        let url = "https://example.org/";
        assert_eq!(bared("News | It rained | Site", None, url, &["Menu", "It Rained"]), "It rained");
        assert_eq!(bared("It rained | Example", None, url, &["Example"]), "It rained");
        assert_eq!(bared("My Blog: It rained all day", None, url, &["It rained all day"]), "It rained all day");
        assert_eq!(bared("今天下雨了吗_天气_网站", None, url, &["今天下雨了吗"]), "今天下雨了吗");
        assert_eq!(bared("It rained all day long", None, url, &["It rained all day"]), "It rained all day long");
        assert_eq!(bared("It rained: a report", None, url, &["It rained"]), "It rained: a report");
        assert_eq!(bared("Rain and sun | The Long Name", None, url, &["The Long Name", "Rain and sun"]), "Rain and sun");
        assert_eq!(bared("Weather | Rain and sun", None, url, &["Weather", "Rain and sun"]), "Rain and sun");
        assert_eq!(bared("It rained ⋆", None, url, &[]), "It rained");
    }

    #[test]
    fn the_headline_that_says_a_title_in_other_words_is_the_title() {
        let printed_as = |title: &str, headline: &str| {
            let texts = vec![headline.to_owned()];
            let folds: Vec<String> = texts.iter().map(|text| folded(text)).collect();
            let headings = Headings { folded: folds.clone(), headlines: folds, printed: texts, ..Headings::default() };
            printed(title, &headings).map(str::to_owned)
        };
        let headline = "The lamp that would not go out burned for forty years";
        assert_eq!(printed_as("The lamp that burned for forty years (Published 2016)", headline).as_deref(), Some(headline));
        assert_eq!(printed_as("The Lamp That Would Not Go Out Burned for Forty Years", headline), None, "it is printed");
        assert_eq!(printed_as("Ten ways to trim a wick without a knife", headline), None);
        assert_eq!(printed_as("The lamp", headline), None);
        assert_eq!(printed_as("How the keepers of the western light kept their lamp going", "The western light"), None);
    }

    #[test]
    fn the_site_is_named_by_the_part_that_is_its_host() {
        let site = SiteNames::new(None, Url::parse("https://www.example-news.co.uk/a").ok().as_ref());
        assert_eq!(site_name("It rained | Example News", &site), Some("Example News"));
        assert_eq!(site_name("It rained | Other", &site), None);
        assert_eq!(site_name("Example News", &site), None);
    }
}
