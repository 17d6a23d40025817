//! The service, asked over connections as anyone would ask it.

mod api;
mod client;
mod fetching;
mod limits;
mod openapi;
mod sites;
mod workbench;

/// Pages of the suite, which are our own.
fn pages() -> Vec<(String, Vec<u8>)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders = vec![root.join("suite/sites"), root.join("suite/pages"), root.join("examples"), root.join("tests/pages")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 50, "{} pages", found.len());
    found
}

const LIGHTHOUSE: &[u8] = include_bytes!("../../../../examples/lighthouse.html");
