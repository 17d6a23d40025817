//! Segments: saved pages, each with `index.dom.html` (what is measured on) and `index.blocks.html` (the same with
//! `data-block` and `data-block-type` on the elements that people saw as blocks), somewhere below one folder a host. The folder
//! `layouts`, if there is one, has boxes of the pages.

use super::kept_boxes::{KeptBoxes, cache};
use super::render::file_name;
use super::{Benchmark, Item, Layout, Place as AnyPlace, Problem, Split, Suite, SuiteError, files};
use crate::digest::{digest, digest_of_bytes};
use crate::gold::{Gold, segments};
use std::path::{Path, PathBuf};
use unchaff_dom::{Page, Parser};

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) page: PathBuf,
    gold: PathBuf,
    url: String,
    pub(super) boxes: KeptBoxes,
}

impl Place {
    pub(super) fn load(&self, notes: &mut Vec<String>) -> Result<Benchmark, SuiteError> {
        let source = files::read(&self.page)?;
        let page = Parser::new().url(&self.url).parse(source.clone());
        let (mut segments, lost) = segments(&Page::parse(files::read(&self.gold)?), &page);
        if lost > segments.len() {
            notes.push(format!(
                "{lost} of {} segments are not found in index.dom.html, so it is another page, and nothing is measured on it",
                segments.len() + lost
            ));
            segments.clear();
        } else if lost > 0 {
            notes.push(format!("{lost} of {} segments are not found in index.dom.html", segments.len() + lost));
        } else if segments.is_empty() {
            notes.push("no element of index.blocks.html has a data-block".to_owned());
        }
        let boxes = self.boxes.read(&page)?;
        let mut benchmark = Benchmark::new(source, page, Gold { segments, ..Gold::default() });
        benchmark.boxes = Some(boxes);
        Ok(benchmark)
    }
}

/// The folders of hosts, if most folders of a folder have pages with such a file.
pub(super) fn hosts(dir: &Path, file: &str) -> Result<Option<Vec<PathBuf>>, SuiteError> {
    // Pages lie at most a few folders deep, and a folder that is no such suite must not be walked through.
    let is_host = |folder: &PathBuf| {
        let below = files::folders(folder).unwrap_or_default();
        [folder].into_iter().chain(&below).any(|folder| folder.join(file).is_file())
    };
    let mut folders = files::folders(dir)?;
    // Boxes, and what each person said.
    folders.retain(|folder| !folder.ends_with("layouts") && !folder.ends_with("labels"));
    // Most of its folders: one that holds such a suite beside others must not be taken for it.
    let hosts = folders.iter().filter(|folder| is_host(folder)).count();
    Ok((hosts > 0 && 2 * hosts >= folders.len()).then_some(folders))
}

/// Opens a suite of segments, if the folder is one.
pub(super) fn open(dir: &Path) -> Result<Option<Suite>, SuiteError> {
    let Some(folders) = hosts(dir, "index.blocks.html")? else { return Ok(None) };
    let layouts = dir.join("layouts");
    let (mut items, mut problems, mut belonging) = (Vec::new(), Vec::new(), files::all_files(&layouts));
    for folder in &folders {
        let all = files::all_files(folder);
        let host = files::name(folder);
        let rendered: Vec<PathBuf> = all.iter().filter(|file| !file.ends_with("index.blocks.html")).cloned().collect();
        let rendered = digest(folder, &rendered);
        let labelled: Vec<&PathBuf> = all.iter().filter(|file| file.ends_with("index.blocks.html")).collect();
        if labelled.is_empty() {
            problems.push(Problem { item: Some(host.clone()), what: "there is no index.blocks.html".to_owned() });
        }
        for gold in &labelled {
            let page = gold.with_file_name("index.dom.html");
            let at = gold.parent().and_then(|parent| parent.strip_prefix(folder).ok()).unwrap_or(Path::new(""));
            let id = if labelled.len() == 1 { host.clone() } else { format!("{host}/{}", at.display()) };
            if !page.is_file() {
                problems.push(Problem { item: Some(id), what: "there is no index.dom.html beside index.blocks.html".to_owned() });
                continue;
            }
            items.push(Item {
                split: Some(Split::of(&host)),
                id,
                category: None,
                language: None,
                bytes: files::size(&page),
                place: AnyPlace::Segments(Place {
                    page,
                    gold: (*gold).clone(),
                    url: format!("http://{host}/"),
                    boxes: KeptBoxes {
                        name: file_name(&digest_of_bytes(format!("{rendered} {}", at.display()).as_bytes())),
                        folders: vec![layouts.clone(), cache()],
                    },
                }),
            });
        }
        belonging.extend(all);
    }
    Ok(Some(Suite {
        name: files::name(dir),
        root: dir.to_owned(),
        layout: Layout::Segments,
        digest: digest(dir, &belonging),
        items,
        problems,
    }))
}
