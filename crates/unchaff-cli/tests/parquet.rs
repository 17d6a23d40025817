//! `--format parquet`: the same columns as `--format csv`, read back by the crate that other programs read with. Without the feature, the way to it.

use assert_cmd::Command;
use std::fs;

fn unchaff() -> Command {
    Command::new(env!("CARGO_BIN_EXE_unchaff"))
}

const PAGE: &str = "<html lang=en><head><title>Rain</title><meta name=author content='Ann Lee'><meta name=keywords content='rain, sea'></head><body><main><h1>Rain</h1>\
    <p>It rained all day long, and then it rained all night, and nobody came to the old harbour.</p>\
    <p>In the morning the boats lay dry, and the men went out again to look for the nets.</p></main></body></html>";

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("a.html");
    fs::write(&page, PAGE).unwrap();
    let output = unchaff().arg("extract").arg(&page).args(["-f", "parquet"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{said}");
    assert!(said.contains("--features parquet") && said.contains("csv"), "{said}");
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};
    use std::fs::File;
    use std::path::Path;

    fn rows(path: &Path) -> Vec<Row> {
        let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        file.get_row_iter(None).unwrap().map(Result::unwrap).collect()
    }

    fn cells(row: &Row) -> Vec<(String, String)> {
        let said = |field: &Field| match field {
            Field::Str(text) => text.clone(),
            Field::ListInternal(items) => {
                let said = |item: &Field| if let Field::Str(text) = item { text.clone() } else { format!("{item}") };
                items.elements().iter().map(said).collect::<Vec<_>>().join("; ")
            }
            Field::Null => String::new(),
            other => format!("{other}"),
        };
        row.get_column_iter().map(|(name, field)| (name.clone(), said(field))).collect()
    }

    #[test]
    fn a_table_has_the_cells_that_csv_has() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("pages");
        fs::create_dir(&pages).unwrap();
        fs::write(pages.join("a.html"), PAGE).unwrap();
        fs::write(pages.join("b.html"), PAGE.replace("rain, sea", "").replace("Ann Lee", "").replace("Rain", "Sun, \"bright\""))
            .unwrap();
        let fields = ["--fields", "title,author,tags,words,paywalled,text,url"];
        let table = folder.path().join("table.parquet");
        unchaff().arg("extract").arg(&pages).args(["-f", "parquet", "-o"]).arg(&table).args(fields).assert().success();
        let read: Vec<Vec<(String, String)>> = rows(&table).iter().map(cells).collect();
        let json = unchaff().arg("extract").arg(&pages).args(fields).output().unwrap();
        let json: Vec<serde_json::Value> =
            String::from_utf8(json.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read.len(), 2);
        for (read, page) in read.iter().zip(&json) {
            for (name, cell) in read {
                let expected = match &page[name.as_str()] {
                    serde_json::Value::Null => String::new(),
                    serde_json::Value::String(text) => text.clone(),
                    serde_json::Value::Array(items) => {
                        items.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join("; ")
                    }
                    other => other.to_string(),
                };
                assert_eq!(*cell, expected, "{name}");
            }
            assert_eq!(read.len(), 7);
        }
        assert_eq!(read[0][2], ("tags".to_owned(), "rain; sea".to_owned()));
        assert!(!folder.path().join("table.parquet.part").exists());
    }

    #[test]
    fn a_site_goes_to_standard_output_and_no_page_is_an_empty_table() {
        let folder = tempfile::tempdir().unwrap();
        let lines = folder.path().join("pages.jsonl");
        let line = |number: u32| serde_json::json!({"url": format!("https://example.org/{number}"), "html": PAGE}).to_string();
        fs::write(&lines, format!("{}\n{}\n", line(1), line(2))).unwrap();
        let out = unchaff().arg("site").arg(&lines).args(["-f", "parquet", "--fields", "url,title"]).output().unwrap();
        let table = folder.path().join("site.parquet");
        fs::write(&table, out.stdout).unwrap();
        assert_eq!(rows(&table).iter().map(|row| cells(row)[1].1.clone()).collect::<Vec<_>>(), ["Rain", "Rain"]);
        unchaff().arg("extract").arg(&lines).args(["-f", "parquet", "-o"]).arg(folder.path()).assert().code(2);
    }
}
