//! A small suite for tests, on which the answers are known.
//!
//! Its pages have a menu that is nothing but links and a paragraph that is links in part. The paragraph is the content, so
//! the link quota filter is right with a threshold between the two quotas, finds nothing below and too much above.

use crate::suite::Suite;
use serde_json::{Map, json};
use std::fs;
use std::path::Path;

/// Writes the suite with so many pages, every other one for training, and opens it.
pub(crate) fn write(folder: &Path, pages: usize) -> Suite {
    fs::create_dir_all(folder.join("pages")).unwrap();
    fs::create_dir_all(folder.join("gold")).unwrap();
    let mut items = Map::new();
    for at in 0..pages {
        let text = "It rained all day and the river rose, so the old mill";
        let html = format!(
            "<body><div><a href=/>Home page</a> <a href=/all>All other pages</a></div>\n\
             <p>{text} <a href=/{at}>was closed for the night number {at}</a></p></body>"
        );
        fs::write(folder.join(format!("pages/{at}.html")), html).unwrap();
        fs::write(folder.join(format!("gold/{at}.txt")), format!("{text} was closed for the night number {at}\n")).unwrap();
        items.insert(at.to_string(), json!({"split": if at % 2 == 0 { "train" } else { "eval" }, "lang": "en"}));
    }
    fs::write(folder.join("meta.json"), json!({ "items": items }).to_string()).unwrap();
    Suite::open(folder).unwrap().remove(0)
}
