//! The line of a comment that says who wrote it and when, where no name in the markup does: *by Ann on May 23, 2011 at 12:12 am.*, *Ann says:*, *Posted October 28, 2012 | Permalink*.
//!
//! A line is one if hardly anything is left of it without its date, the writer and the words that stand around them. So what a reader writes about a day is none.

use crate::rules::comment_signs::is_dated;
use unchaff_dom::{Page, metadata};

/// A line of more words than this is no byline.
const MOST_WORDS: usize = 18;
/// A name has no more words than this.
const MOST_NAME_WORDS: usize = 5;
/// The share of words with digits in what is left of a line, from which that is a date.
const DIGITS: f64 = 0.6;

/// Words around writer and date.
const FURNITURE: &[&str] = &[
    "says",
    "said",
    "wrote",
    "writes",
    "posted",
    "commented",
    "comment",
    "on",
    "at",
    "by",
    "permalink",
    "link",
    "reply",
    "am",
    "pm",
    "a.m",
    "p.m",
    "est",
    "pst",
    "gmt",
    "utc",
    "edited",
    "report",
    "share",
    "the",
    "of",
    "schrieb",
    "sagt",
    "schreibt",
    "um",
    "uhr",
    "von",
    "vom",
    "le",
    "à",
    "par",
    "dit",
    "el",
    "las",
    "los",
    "a",
    "dice",
    "dijo",
    "escribió",
    "de",
    "il",
    "alle",
    "ha",
    "scritto",
    "op",
    "om",
    "schreef",
    "в",
    "пишет",
];
/// Words before a writer.
const BEFORE: &[&str] = &["by", "from", "von", "par", "por", "de", "di", "da", "door", "av", "af"];
/// Words after a writer.
const AFTER: &[&str] = &[
    "says",
    "said",
    "wrote",
    "writes",
    "on",
    "at",
    "posted",
    "commented",
    "sagt",
    "schrieb",
    "schreibt",
    "am",
    "dice",
    "dijo",
    "dit",
    "le",
    "scrive",
    "il",
    "schreef",
    "op",
    "пишет",
];
/// Words that end a line which names its writer and says no more.
const SAYS: &[&str] =
    &["says", "said", "wrote", "writes", "sagt", "schrieb", "schreibt", "dice", "dijo", "scrive", "schreef", "пишет"];

/// What a line says of a comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Byline {
    pub(crate) author: Option<String>,
    pub(crate) date: Option<String>,
}

/// A word without the marks around it, in lower case.
fn bare(word: &str) -> String {
    word.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase()
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Reads a line as a byline, if it is one.
pub(crate) fn byline(page: &Page, line: &str) -> Option<Byline> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() || words.len() > MOST_WORDS {
        return None;
    }
    if let [name @ .., last] = words.as_slice()
        && SAYS.contains(&bare(last).as_str())
        && is_name(name)
        && (name.len() == 1 || name.iter().all(|word| !word.starts_with(char::is_lowercase)))
    {
        return Some(Byline { author: cleaned(&name.join(" ")), date: None });
    }
    let date = metadata::date_in(page, line)?;
    let (author, rest) = writer(&words);
    let left: Vec<String> =
        rest.iter().map(|word| bare(word)).filter(|word| !word.is_empty() && !FURNITURE.contains(&word.as_str())).collect();
    let digits = left.iter().filter(|word| has_digit(word)).count();
    (!left.is_empty() && digits as f64 >= DIGITS * left.len() as f64).then_some(Byline { author, date: Some(date) })
}

/// Who a line begins with, and the rest of it.
fn writer<'w>(words: &'w [&'w str]) -> (Option<String>, &'w [&'w str]) {
    let furniture = |word: &&&str| FURNITURE.contains(&bare(word).as_str());
    let by = words.iter().take(4).position(|word| BEFORE.contains(&bare(word).as_str()));
    let is_led = |at: &usize| words[..*at].iter().all(|word| furniture(&word) || bare(word).is_empty());
    let from = by.filter(is_led).map_or(0, |at| at + 1);
    // Behind *by*, a mark ends a name too: by Ann » 3 May 2012.
    let ends = |word: &&str| AFTER.contains(&bare(word).as_str()) || from > 0 && bare(word).is_empty();
    let Some(length) = words[from..].iter().position(ends) else { return (None, words) };
    let name = &words[from..from + length];
    match is_name(name) && !is_dated(&name.join(" ")) {
        true => (cleaned(&name.join(" ")), &words[from + length..]),
        false => (None, words),
    }
}

fn is_name(words: &[&str]) -> bool {
    (1..=MOST_NAME_WORDS).contains(&words.len())
        && words.iter().any(|word| word.chars().any(char::is_alphabetic))
        && !words.iter().all(|word| FURNITURE.contains(&bare(word).as_str()))
}

/// A name without what stands around it; none if nothing is left.
pub(crate) fn cleaned(text: &str) -> Option<String> {
    let mut name = String::with_capacity(text.len());
    // Some pages write markup where a name belongs.
    let mut is_tag = false;
    for character in text.chars() {
        match character {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            _ if is_tag => {}
            character => name.push(character),
        }
    }
    let ends = [':', ',', '·', '|', '–', '—', '-', '•'];
    let mut name = name.trim().trim_matches(ends).trim();
    loop {
        let words: Vec<&str> = name.split_whitespace().collect();
        match words.as_slice() {
            [first, ..] if matches!(bare(first).as_str(), "by" | "posted" | "written") => name = name[first.len()..].trim_start(),
            [.., last] if words.len() > 1 && SAYS.contains(&bare(last).as_str()) => {
                name = name[..name.len() - last.len()].trim_end();
            }
            _ => break,
        }
    }
    let name = name.trim_matches(ends).trim();
    // A name for people and the same for machines.
    let twice = [" – ", " - ", " "].iter().find_map(|between| {
        let middle = name.len().checked_sub(between.len()).filter(|rest| rest % 2 == 0)? / 2;
        let (first, second) = (name.get(..middle)?, name.get(middle + between.len()..)?);
        (first == second && name.get(middle..middle + between.len()) == Some(*between)).then_some(first)
    });
    let name = twice.unwrap_or(name);
    name.chars().any(char::is_alphanumeric).then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A comment without lines before and after it that say nothing: a number, *says*, *Permalink*.
pub(crate) fn without_furniture(text: &str) -> &str {
    let says_nothing = |line: &str| {
        line.split_whitespace().map(bare).all(|word| word.is_empty() || FURNITURE.contains(&word.as_str()))
            || line.trim().trim_matches(['#', '.', ')', '(']).bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut rest = text.trim();
    loop {
        let shorter = match rest.split_once('\n') {
            Some((first, after)) if says_nothing(first) => after.trim_start(),
            _ => match rest.rsplit_once('\n') {
                Some((before, last)) if says_nothing(last) => before.trim_end(),
                _ => return rest,
            },
        };
        if shorter.is_empty() {
            return rest;
        }
        rest = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bylines_tell_writer_and_date_and_what_readers_write_is_none() {
        let page = Page::parse("<html lang=en>");
        let read =
            |line: &str| byline(&page, line).map(|found| (found.author.unwrap_or_default(), found.date.unwrap_or_default()));
        let is = |author: &str, date: &str| Some((author.to_owned(), date.to_owned()));
        assert_eq!(read("by Andrew on May 23, 2011 at 12:12 am. #"), is("Andrew", "2011-05-23T00:12"));
        assert_eq!(read("Heather on October 23rd, 2012 1:37 pm"), is("Heather", "2012-10-23T13:37"));
        assert_eq!(read("Posted October 28, 2012 at 10:31 pm | Permalink"), is("", "2012-10-28T22:31"));
        assert_eq!(read("Meg B says:"), is("Meg B", ""));
        for line in
            ["I was there in May 2012.", "As the old man says:", "May 2012 was the month in which I said so", "Nothing", ""]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn names_are_written_once_and_without_what_stands_around_them() {
        let is = |name: &str| Some(name.to_owned());
        assert_eq!(cleaned("Joe – Joe"), is("Joe"));
        assert_eq!(cleaned("<span>Dianna Caldwell</span>"), is("Dianna Caldwell"));
        assert_eq!(cleaned("Posted by: Ann Lee says:"), is("Ann Lee"));
        assert_eq!((cleaned("Posted by:"), cleaned("–"), cleaned("")), (None, None, None));
        assert_eq!((cleaned("De Niro"), cleaned("van Dyck")), (is("De Niro"), is("van Dyck")));
    }

    #[test]
    fn lines_that_say_nothing_go_unless_they_are_all_there_is() {
        assert_eq!(without_furniture("1\nSays:\n\nWe had rain.\n\n2 boats sank.\n#"), "We had rain.\n\n2 boats sank.");
        assert_eq!(without_furniture("42"), "42");
        assert_eq!(without_furniture("on\n\nat"), "at");
    }
}
