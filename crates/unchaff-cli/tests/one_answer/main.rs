//! Whoever asks, and however: a page has one answer. The words that come out are read, as a user reads them.

mod files;
mod hostile_archive;
mod limits;
mod order;
#[path = "../running/mod.rs"]
mod running;
mod stores;
mod suite;

use running::unchaff;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use unchaff::ExtractionRecord;

fn ok(arguments: &[&str]) -> String {
    let done = unchaff(arguments);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{arguments:?}: {}", done.out);
    done.out
}

/// What came out, by the address of the page; what the input was called does not matter.
type Answers = BTreeMap<String, ExtractionRecord>;

fn answers(lines: &str) -> Answers {
    let read = |line: &str| {
        let record: ExtractionRecord = serde_json::from_str(line).unwrap();
        (record.url.clone().unwrap(), ExtractionRecord { input: None, ..record })
    };
    let answers: Answers = lines.lines().map(read).collect();
    assert_eq!(answers.len(), lines.lines().count(), "an address twice");
    answers
}

/// Page by page, so that a difference can be read.
fn assert_same(one: &Answers, other: &Answers, what: &str) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{what}");
    for (url, record) in one {
        assert_eq!(record, &other[url], "{what}: {url}");
    }
}

/// Text and Markdown of the content, without which there is no answer to compare.
fn assert_has_words(answers: &Answers) {
    let letters: usize = answers.values().map(|record| record.text.chars().count()).sum();
    assert!(letters > 100 * answers.len(), "{letters} letters on {} pages", answers.len());
    assert!(answers.values().all(|record| record.text.is_empty() == record.markdown.is_empty()));
}

const MENU: [&str; 5] = ["Frontpage", "Harbourside", "Letterbox", "Classifieds", "Imprint"];

/// What page `number` says and no other does.
fn sentence(number: usize) -> String {
    const WHO: [&str; 7] =
        ["the baker", "a sailor", "the mayor", "an old teacher", "her neighbour", "the beekeeper", "a young clerk"];
    const WHAT: [&str; 11] = [
        "mended the roof of",
        "painted the door of",
        "sold the keys to",
        "slept soundly beside",
        "counted the windows of",
        "wrote a song about",
        "borrowed money for",
        "planted apples behind",
        "lost a glove near",
        "told a long story of",
        "drew a careful map of",
    ];
    const WHERE: [&str; 5] = ["the mill", "the ferry house", "the chapel", "the railway bridge", "the salt store"];
    format!("In year {} {} {} {}.", 1700 + number, WHO[number % 7], WHAT[number % 11], WHERE[number % 5])
}

/// What an article is called, as no other of the same site.
fn headline(number: usize) -> String {
    let sentence = sentence(number);
    let words: Vec<&str> = sentence.trim_end_matches('.').split(' ').skip(3).collect();
    format!("News of {} ({number})", words.join(" "))
}

/// A page of a small paper: an article in a frame with a menu, an aside and a footer.
fn article(number: usize) -> String {
    let menu: String = MENU.iter().map(|label| format!("<li><a href=/{label}.html>{label}</a></li>")).collect();
    let text: String = (0..3 + number % 3)
        .map(|part| format!("<p>{} {}</p>", sentence(number), sentence(number * 13 + part * 7 + 200)))
        .collect();
    let headline = headline(number);
    format!(
        "<!DOCTYPE html><title>{headline}</title><body><header><a class=logo href=/>The Quayside Gazette</a>\
         <nav class=menu><ul>{menu}</ul></nav></header><main><article><h1>{headline}</h1>{text}</article></main>\
         <footer><p>Printed weekly by the Quayside Press. All rights reserved.</p></footer>"
    )
}

/// A folder with articles of these numbers.
fn write_articles(folder: &Path, numbers: impl IntoIterator<Item = usize>) {
    fs::create_dir_all(folder).unwrap();
    for number in numbers {
        fs::write(folder.join(format!("{number:03}.html")), article(number)).unwrap();
    }
}

const BASE: &str = "https://gazette.example/";

/// A folder with room for a site, a store and what comes out.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    /// With articles in `pages`.
    fn of_articles(pages: usize) -> Place {
        let place = Place::new();
        write_articles(&place.folder.path().join("pages"), 0..pages);
        place
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}
