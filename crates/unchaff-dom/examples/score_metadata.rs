//! Scores the metadata of pages against gold: for each field how many pages are right, wrong or without an answer.
//!
//! ```sh
//! cargo run --release -p unchaff-dom --example score_metadata -- FOLDER [ANSWERS.json]... [--wrong]
//! ```
//!
//! FOLDER has `gold.json` (`{"page.html": {"url", "date", "title", "author"}}`, each as far as known) and `pages/`. ANSWERS are
//! those of other extractors in the same form; `benches/peers/metadata` writes some. A date is right if the day is, or the moment. Titles
//! and authors are compared without regard to case, white space and the form of quotes; authors as one list, in any order.
//! `--wrong` lists what is not right.

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use serde_json::{Map, Value};
use std::path::Path;
use unchaff_dom::{Document, metadata::metadata};

const FIELDS: [&str; 3] = ["date", "title", "author"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let lists = options.iter().any(|option| option == "--wrong");
    let [folder, others @ ..] = paths.as_slice() else { return Err("FOLDER [ANSWERS.json]... [--wrong]".into()) };
    let folder = Path::new(folder);
    let gold = read(&folder.join("gold.json"))?;
    let mut answers = vec![("unchaff".to_owned(), ours(folder, &gold)?)];
    for path in others {
        let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        answers.push((name, read(Path::new(path))?));
    }
    println!("{:<16} {:<7} {:>6} {:>6} {:>6} {:>6} {:>8}", "", "field", "gold", "right", "wrong", "none", "right %");
    for field in FIELDS {
        for (name, answers) in &answers {
            score(name, field, &gold, answers, lists && name == "unchaff");
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Map<String, Value>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// What unchaff says of the pages that the gold names.
fn ours(folder: &Path, gold: &Map<String, Value>) -> Result<Map<String, Value>, Box<dyn std::error::Error>> {
    let mut answers = Map::new();
    for (name, known) in gold {
        let url = known.get("url").and_then(Value::as_str).map(str::to_owned);
        let bytes = std::fs::read(folder.join("pages").join(name))?;
        let found = metadata(&Document { bytes, url, charset: None }.page());
        let authors: Vec<String> = found.author.into_iter().map(|author| author.value).collect();
        let mut answer = Map::new();
        let mut say = |field: &str, value: Option<String>| value.map(|value| answer.insert(field.to_owned(), value.into()));
        let source = found.published.as_ref().map(|date| date.source.to_string());
        say("date", found.published.map(|date| date.value));
        say("date source", source);
        let source = found.title.as_ref().map(|title| title.source.to_string());
        say("title", found.title.map(|title| title.value));
        say("title source", source);
        say("author", Some(authors.join("; ")).filter(|authors| !authors.is_empty()));
        answers.insert(name.clone(), answer.into());
    }
    Ok(answers)
}

fn score(name: &str, field: &str, gold: &Map<String, Value>, answers: &Map<String, Value>, lists: bool) {
    let (mut right, mut wrong, mut none, mut unknown) = (0, 0, 0, 0);
    let said =
        |values: Option<&Value>, field: &str| values?.get(field)?.as_str().map(str::to_owned).filter(|said| !said.is_empty());
    for (page, known) in gold {
        let answer = said(answers.get(page), field);
        let Some(known) = said(Some(known), field) else {
            unknown += usize::from(answer.is_some());
            continue;
        };
        let is_right = answer.as_ref().is_some_and(|answer| {
            let same_moment = field == "date" && moment(answer).is_some() && moment(answer) == moment(&known);
            same_moment || comparable(field, answer) == comparable(field, &known)
        });
        match () {
            () if is_right => right += 1,
            () if answer.is_some() => wrong += 1,
            () => none += 1,
        }
        if lists && !is_right {
            let source = said(answers.get(page), &format!("{field} source")).unwrap_or_default();
            println!("{page}\t{field}\t{known}\t{}\t{source}", answer.unwrap_or_default());
        }
    }
    let all = right + wrong + none;
    let share = 100.0 * f64::from(right) / f64::from(all.max(1));
    println!("{name:<16} {field:<7} {all:>6} {right:>6} {wrong:>6} {none:>6} {share:>8.1}   ({unknown} on pages without gold)");
}

/// The minute of a date with a time and an offset, in UTC and of a month of 31 days: enough to see whether two are the same.
fn moment(iso: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| iso.get(range)?.parse::<i64>().ok();
    let days = (number(0..4)? * 12 + number(5..7)?) * 31 + number(8..10)?;
    let minutes = (days * 24 + number(11..13)?) * 60 + number(14..16)?;
    let end = iso.get(iso.len() - 6..)?;
    match end.as_bytes()[0] {
        _ if iso.ends_with('Z') => Some(minutes),
        sign @ (b'+' | b'-') => {
            let offset = end[1..3].parse::<i64>().ok()? * 60 + end[4..].parse::<i64>().ok()?;
            Some(if sign == b'+' { minutes - offset } else { minutes + offset })
        }
        _ => None,
    }
}

/// What an answer and the gold are compared by.
fn comparable(field: &str, text: &str) -> Vec<String> {
    let plain = |text: &str| {
        let quotes = |character| match character {
            '‘' | '’' | '`' | '´' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            '–' | '—' => '-',
            other => other,
        };
        text.to_lowercase().chars().map(quotes).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    match field {
        "date" => vec![text.chars().take(10).collect()],
        "author" => {
            let text = text.replace(" and ", ";").replace(',', ";");
            let mut names: Vec<String> = text.split(';').map(plain).filter(|name| !name.is_empty()).collect();
            names.sort();
            names
        }
        _ => vec![plain(text)],
    }
}
