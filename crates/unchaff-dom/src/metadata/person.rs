//! Names of authors, from fields that are meant to hold them and from lines that readers see.
//!
//! A field may hold several names (`A and B`, `A; B`), an address or a handle instead of a name, or what a content system
//! writes when it knows none (`admin`). A visible line holds more than the name: `By A, Science Editor | 20 March`. It is
//! read up to the first mark or number, and what is left must look like a name: few words, none of them a verb of menus,
//! written with capitals where the script has them.

use super::{Found, value};

/// Words before a name.
const BY: [&str; 47] = [
    "by",
    "by:",
    "written by",
    "posted by",
    "published by",
    "story by",
    "words by",
    "reported by",
    "submitted by",
    "author",
    "author:",
    "authors:",
    "written by:",
    "posted by:",
    "article by",
    "text by",
    "created by",
    "from",
    "von",
    "von:",
    "autor",
    "autor:",
    "autorin:",
    "geschrieben von",
    "verfasst von",
    "text:",
    "text von",
    "par",
    "par:",
    "publié par",
    "écrit par",
    "auteur",
    "auteur:",
    "por",
    "por:",
    "publicado por",
    "escrito por",
    "di",
    "a cura di",
    "door",
    "autorka:",
    "автор",
    "автор:",
    "текст:",
    "作者：",
    "作者:",
    "文／",
];
/// What is no name although it stands where names do, in lower case.
const NOBODY: [&str; 24] = [
    "admin",
    "administrator",
    "webmaster",
    "root",
    "user",
    "guest",
    "anonymous",
    "unknown",
    "author",
    "authors",
    "none",
    "staff",
    "editor",
    "default",
    "wordpress",
    "website",
    "super user",
    "byline",
    "share",
    "follow",
    "login",
    "register",
    "view all posts",
    "n/a",
];
/// Words of which one tells that a part of a line is an office, not a name.
const OFFICES: [&str; 33] = [
    "president",
    "founder",
    "officer",
    "expert",
    "dietitian",
    "attorney",
    "dealer",
    "journalism",
    "consultant",
    "professor",
    "author",
    "editor",
    "writer",
    "reporter",
    "correspondent",
    "staff",
    "contributor",
    "columnist",
    "news",
    "editorial",
    "journalist",
    "manager",
    "director",
    "phd",
    "md",
    "associate",
    "blogger",
    "analyst",
    "redakteur",
    "journaliste",
    "redaktion",
    "redactie",
    "ceo",
];

/// The names in a field that is meant to hold them.
pub(super) fn declared(raw: &str) -> Vec<String> {
    let Some(text) = value::text(raw, 4 * value::LONGEST_NAME) else { return Vec::new() };
    parts(without_by(&text)).into_iter().filter_map(|part| person(part, value::LONGEST_NAME)).collect()
}

/// The names in a line that readers see; its parts are joined by `|` where blocks end.
pub(super) fn visible(line: &str) -> Vec<String> {
    let Some(text) = value::text(line, 4 * value::LONGEST_NAME) else { return Vec::new() };
    let text = without_by(text.trim_start_matches(['|', ' ', '-', '–', '—', '•', '·', '/']));
    let end = text.find(|character: char| character.is_numeric() || "|·•()[]{}/\\:!?»«<>@…\"“”".contains(character));
    let mut line = &text[..end.unwrap_or(text.len())];
    for mark in [" - ", " – ", " — ", " on ", " in ", " for ", " at ", " am ", " le ", " el ", " il "] {
        line = line.split(mark).next().unwrap_or(line);
    }
    let people = parts(line).into_iter().filter_map(|part| person(part, 50));
    people.filter(|name| looks_like_a_name(name)).take(8).collect()
}

/// A name without the word for those who work for it: `Daily Planet Staff`.
pub(super) fn without_staff(name: &str) -> Option<&str> {
    let (rest, last) = name.rsplit_once(' ')?;
    let is_staff =
        ["staff", "editors", "team", "desk", "newsroom", "redaktion", "editorial"].contains(&last.to_lowercase().as_str());
    is_staff.then_some(rest)
}

/// Leaves out of several authors the handle of one that is named too, and companies among people.
pub(super) fn leave_out_doubles(authors: &mut Vec<Found<String>>) {
    const COMPANIES: [&str; 10] = ["inc", "ltd", "llc", "gmbh", "ag", "corp", "co", "plc", "sa", "bv"];
    if authors.len() < 2 {
        return;
    }
    let names: Vec<String> = authors.iter().map(|author| value::folded(&author.value)).collect();
    let is_handle = |at: usize, name: &str| {
        !name.contains(' ') && authors.iter().zip(&names).any(|(other, folded)| other.value.contains(' ') && *folded == names[at])
    };
    let is_company = |name: &str| {
        let last = name.rsplit_once(' ').map(|(_, last)| last.trim_end_matches('.').to_lowercase());
        last.is_some_and(|last| COMPANIES.contains(&last.as_str()))
    };
    let keep: Vec<bool> =
        authors.iter().enumerate().map(|(at, author)| !is_handle(at, &author.value) && !is_company(&author.value)).collect();
    if keep.contains(&true) {
        let mut keep = keep.into_iter();
        authors.retain(|_| keep.next().unwrap_or(true));
    }
}

/// Whether a text is, or starts with, a word that announces a name, as the line under a headline does.
pub(super) fn is_by(text: &str) -> bool {
    let text = text.trim();
    // These also stand before other things.
    let is_vague =
        ["from", "di", "created by"].iter().any(|by| text.get(..by.len()).is_some_and(|start| start.eq_ignore_ascii_case(by)));
    !is_vague && text.len() <= 4 * value::LONGEST_NAME && without_by(text).len() < text.len()
}

fn without_by(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..3 {
        let first = text.chars().next().and_then(|first| first.to_lowercase().next());
        let rest = BY.iter().filter(|by| by.chars().next() == first).filter_map(|by| {
            let start = text.get(..by.len()).filter(|start| start.to_lowercase() == *by)?;
            let rest = &text[start.len()..];
            (rest.is_empty() || rest.starts_with([' ', ':', '\u{a0}', '|']) || by.ends_with([':', '：', '／'])).then_some(rest)
        });
        match rest.min_by_key(|rest| rest.len()) {
            Some(rest) => text = rest.trim_start_matches([' ', ':', '|']),
            None => break,
        }
    }
    text
}

/// Splits a list of names. A comma parts names only if none of the parts is a single word: `Smith, John` is one name.
fn parts(text: &str) -> Vec<&str> {
    const AND: [&str; 9] = [" and ", " & ", " und ", " et ", " y ", " e ", " en ", " i ", " и "];
    let words = |part: &str| part.split_whitespace().count();
    let by_comma = |part| {
        let names: Vec<&str> = str::split(part, ',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let is_list = names.iter().all(|name| (2..=8).contains(&words(name))) || names.iter().skip(1).any(|name| is_office(name));
        if is_list {
            names.into_iter().enumerate().filter(|(at, name)| *at == 0 || !is_office(name)).map(|(_, name)| name).collect()
        } else {
            vec![part]
        }
    };
    // Below a name stands what its owner does.
    let lines = text.split([';', '、', '|']).enumerate().filter(|(at, part)| *at == 0 || !is_office(part));
    let mut parts: Vec<&str> = lines.flat_map(|(_, part)| by_comma(part)).collect();
    for and in AND {
        let is_list = |part: &str| {
            // A name with one of these words is that of an institution.
            let is_one = [" for ", " of "].iter().any(|word| part.contains(word));
            part.contains(and) && !is_one && part.split(and).all(|name| words(name) > 1 || and == " and ")
        };
        parts = parts.into_iter().flat_map(|part| if is_list(part) { part.split(and).collect() } else { vec![part] }).collect();
    }
    parts
}

fn is_office(part: &str) -> bool {
    let lower = part.to_lowercase();
    lower.split(|character: char| !character.is_alphanumeric()).any(|word| OFFICES.contains(&word))
}

fn person(part: &str, longest: usize) -> Option<String> {
    let name = part.trim_matches(|character: char| character.is_whitespace() || ",;:|-–—•·*\"“”".contains(character));
    let name = without_by(name);
    let is_address = name.contains("://")
        || name.starts_with("www.")
        || name.starts_with('@')
        || name.starts_with("http")
        || name.contains('@');
    // Addresses of offices, credits and sentences are put into this field too.
    let is_prose = name.contains([':', '，', '。', '！', '？', '：'])
        || (name.contains(' ') && name.contains(|digit: char| digit.is_ascii_digit()));
    let is_nobody = NOBODY.iter().any(|nobody| name.to_lowercase() == *nobody);
    let fits = !is_address
        && !is_prose
        && !is_nobody
        && name.contains(char::is_alphabetic)
        && name.chars().count() <= longest
        && !name.ends_with(".html");
    // One letter is a name in Chinese only.
    (fits && (name.chars().nth(1).is_some())).then(|| name.to_owned())
}

fn looks_like_a_name(name: &str) -> bool {
    const SMALL: [&str; 20] = [
        "de", "van", "von", "der", "den", "la", "le", "da", "di", "del", "dos", "du", "el", "al", "bin", "ibn", "ter", "ten",
        "zu", "af",
    ];
    const MENU: [&str; 35] = [
        "δημοσιεύτηκε",
        "фото",
        "опубликовано",
        "дата",
        "veröffentlicht",
        "updated",
        "published",
        "posted",
        "written",
        "by",
        "home",
        "topic",
        "reviewed",
        "wellness",
        "field",
        "the",
        "your",
        "our",
        "this",
        "more",
        "about",
        "read",
        "view",
        "all",
        "posts",
        "post",
        "comments",
        "comment",
        "search",
        "share",
        "click",
        "here",
        "sign",
        "subscribe",
        "profile",
    ];
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_capital = |word: &str| word.chars().next().is_some_and(|first| !first.is_lowercase()) || SMALL.contains(&word);
    (1..=5).contains(&words.len())
        && words.iter().all(|word| is_capital(word) && !MENU.contains(&word.to_lowercase().as_str()))
        && !is_office(name)
        && words.last().is_some_and(|last| !is_of_date(last))
}

/// Whether a word is the name of a month or a day, where a line goes on with a date.
fn is_of_date(word: &str) -> bool {
    const DAYS: [&str; 14] = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
    ];
    let word = word.trim_end_matches(['.', ',']);
    super::month::month(word).is_some() || DAYS.iter().any(|day| word.eq_ignore_ascii_case(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_one_name_or_several() {
        let cases: [(&str, &[&str]); 20] = [
            ("Jane Doe", &["Jane Doe"]),
            ("By Jane Doe", &["Jane Doe"]),
            ("By: Jane Doe", &["Jane Doe"]),
            ("Von Max Müller", &["Max Müller"]),
            ("Автор: Иван Иванов", &["Иван Иванов"]),
            ("作者：王小明", &["王小明"]),
            ("Jane Doe and John Smith", &["Jane Doe", "John Smith"]),
            ("Jane Doe, John Smith & Ann Lee", &["Jane Doe", "John Smith", "Ann Lee"]),
            ("Jane Doe; John Smith", &["Jane Doe", "John Smith"]),
            ("Jane Doe and John", &["Jane Doe", "John"]),
            ("Center for Weather and Research", &["Center for Weather and Research"]),
            ("Jane Doe | Vice President of Rain", &["Jane Doe"]),
            ("Smith, John", &["Smith, John"]),
            ("Jane Doe, Science Editor", &["Jane Doe"]),
            ("Jane Doe, PhD", &["Jane Doe"]),
            ("https://facebook.com/jane", &[]),
            ("@jane", &[]),
            ("Tel: 01243 779777", &[]),
            ("admin", &[]),
            ("", &[]),
        ];
        for (raw, expected) in cases {
            assert_eq!(declared(raw), expected, "{raw}");
        }
        assert_eq!(declared("Byron Smith"), ["Byron Smith"]);
        assert!(declared(&"x".repeat(10_000)).is_empty());
    }

    #[test]
    fn handles_and_companies_go_where_people_are_named() {
        let left = |names: &[&str]| {
            let found = |name: &&str| Found { value: (*name).to_owned(), source: crate::metadata::Source::Meta };
            let mut authors: Vec<_> = names.iter().map(found).collect();
            leave_out_doubles(&mut authors);
            authors.into_iter().map(|author| author.value).collect::<Vec<_>>()
        };
        assert_eq!(left(&["janedoe", "Jane Doe", "Lamps Inc."]), ["Jane Doe"]);
        assert_eq!(left(&["Lamps Inc."]), ["Lamps Inc."]);
        assert_eq!(left(&["Lamps Inc.", "Wicks Ltd"]), ["Lamps Inc.", "Wicks Ltd"]);
        assert_eq!(without_staff("Daily Planet Staff"), Some("Daily Planet"));
        assert_eq!(without_staff("Jane Doe"), None);
    }

    #[test]
    fn visible_lines_are_read_up_to_what_is_no_name() {
        let cases: [(&str, &[&str]); 17] = [
            ("By Jane Doe | 20 March 2021", &["Jane Doe"]),
            ("Jane Doe|March 20, 2021", &["Jane Doe"]),
            ("|By| Jane van Doe, BBC News", &["Jane van Doe"]),
            ("Posted by Jane Doe on Monday", &["Jane Doe"]),
            ("by Jane Doe and John Smith", &["Jane Doe", "John Smith"]),
            ("JANE DOE", &["JANE DOE"]),
            ("王小明", &["王小明"]),
            ("Read more about the author", &[]),
            ("View all posts", &[]),
            ("20 March 2021", &[]),
            ("March 20, 2021", &[]),
            ("Sat Dec. 5", &[]),
            ("Monday, November 12", &[]),
            ("Jane Doe, Home & Security Expert", &["Jane Doe"]),
            ("staff reporter", &[]),
            ("the quick brown fox", &[]),
            ("", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(visible(line), expected, "{line}");
        }
    }
}
