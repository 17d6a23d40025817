//! Pages one by one: content, menus or templates of whatever pages somebody names.
//!
//! Pages are worked on in parallel, in batches, so that memory is bounded by the pages in flight; results leave in the
//! order of the inputs, whatever the number of threads. What goes wrong with a page is told, and the others are done.

use crate::external::{ExternalError, SiteFiles};
use crate::finder::{Finder, WithModel};
use crate::{JobError, Panicked, Rendering, Watch, Workers, guarded, site_of, write_file};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use unchaff::dom::{LoadError, Site};
use unchaff::{BlockKind, Document, Extraction, Format, Page, SITE, SiteModel};
use unchaff_site::carried_over::templates::Templates;
use unchaff_source::{FetchError, Fetcher, Input, InputError, Named, OutputNames, Reading, SiteError, inputs, pages, read};

/// With a store, pages are learned from so many at a time, whatever the number of threads, so that answers do not depend on it.
const LEARNED_AT_A_TIME: usize = 64;

/// Why there is nothing of a page.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PageError {
    /// What was named is nothing that can be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] FetchError),
    /// The site has no such page.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// A page of the site cannot be loaded.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// A page of a site that has no name there.
    #[error("a page of a site has to be named: a file of the folder, or its address")]
    Nameless,
    /// A command failed on it.
    #[error("{input}")]
    External {
        /// What the page is called.
        input: String,
        /// What went wrong.
        #[source]
        cause: ExternalError,
    },
    /// We failed on it.
    #[error("{input}")]
    Panicked {
        /// What the page is called.
        input: String,
        /// What went wrong.
        #[source]
        cause: Panicked,
    },
    /// What was found cannot be written, or what was learned cannot be kept.
    #[error("{0}")]
    Job(#[from] JobError),
}

/// A page that somebody named, or what is wrong with the name.
type NamedPage = Result<Named, InputError>;

/// The pages that somebody named, and whether they are many, which is known before the first is read.
pub struct NamedPages {
    first: Option<NamedPage>,
    rest: std::iter::Peekable<Box<dyn Iterator<Item = NamedPage>>>,
    /// Whether there is more than one.
    pub is_many: bool,
    /// Whether they are in a file that holds pages.
    pub is_opened: bool,
}

impl NamedPages {
    /// Pages of a site are named one by one; otherwise files that hold many pages are opened.
    #[must_use]
    pub fn open(arguments: &[OsString], are_of_a_site: bool, reading: Reading) -> NamedPages {
        let named: Box<dyn Iterator<Item = NamedPage>> =
            if are_of_a_site { Box::new(inputs(arguments)) } else { Box::new(pages(arguments, reading)) };
        let mut rest = named.peekable();
        let first = rest.next();
        let is_opened = matches!(&first, Some(Ok(Named { input: Input::Held(_), .. })));
        NamedPages { is_many: is_opened || rest.peek().is_some(), is_opened, first, rest }
    }
}

impl Iterator for NamedPages {
    type Item = NamedPage;

    fn next(&mut self) -> Option<NamedPage> {
        self.first.take().or_else(|| self.rest.next())
    }
}

/// Where results go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// All to one stream.
    Stream,
    /// The one to a file.
    File(PathBuf),
    /// Each to a file of its own.
    Folder(PathBuf),
}

impl Destination {
    /// A path that is named, if one is: a folder if there are many pages, or if it looks like one.
    ///
    /// # Errors
    /// If there are many pages and it is a file.
    pub fn of(path: Option<&Path>, is_many: bool) -> Result<Destination, JobError> {
        let Some(path) = path else { return Ok(Destination::Stream) };
        let is_folder = is_many || path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
        match is_folder {
            true if path.is_file() => Err(JobError::IsFile { path: path.to_owned() }),
            true => Ok(Destination::Folder(path.to_owned())),
            false => Ok(Destination::File(path.to_owned())),
        }
    }
}

/// Finds blocks of pages, and writes them.
pub struct EachPage<'j, T> {
    /// The threads.
    pub workers: &'j Workers,
    /// Whoever watches.
    pub watch: &'j dyn Watch,
    /// How blocks are found.
    pub finder: Finder<T>,
    /// Which block is asked for.
    pub kind: BlockKind,
    /// Whether what led to the result is shown too.
    pub explain: bool,
    /// What is written of a page.
    pub rendering: Rendering,
    /// The address of the page, if there is but one and somebody knows.
    pub url: Option<String>,
    /// How pages are read.
    pub reading: Reading,
    /// Who fetches those of the web.
    pub fetcher: Fetcher,
    /// Where results go.
    pub destination: Destination,
    /// What is noted about a page without an address, of whose site nothing kept can be told; in the caller's words.
    pub unaddressed: &'j str,
}

/// What became of the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PagesDone {
    /// How many there were.
    pub pages: u64,
    /// Of how many there is nothing.
    pub failed: u64,
    /// How many had no address, so that what is kept neither helped nor learned.
    pub nameless: u64,
}

/// A page that is to be done, and the name of its file.
type Task = (NamedPage, PathBuf);

impl<T: Templates + Send> EachPage<'_, T> {
    /// Does all pages. What goes to a stream goes to this one; each page that fails is told.
    ///
    /// # Errors
    /// If the site cannot be learned, or the stream takes no more.
    pub fn run(
        &self,
        named: impl Iterator<Item = NamedPage>,
        stream: &mut (dyn Write + Send),
        failed: &mut dyn FnMut(PageError),
    ) -> Result<PagesDone, JobError> {
        if let Finder::Model(with) = &self.finder {
            self.workers.install(|| with.learn())?;
        }
        stream.write_all(self.rendering.head().as_bytes()).map_err(JobError::Output)?;
        let mut names = OutputNames::new(self.rendering.format.extension());
        let tasks = named.map(|named| {
            let path = named.as_ref().map(|named| names.name(named)).unwrap_or_default();
            (named, path)
        });
        let mut done = PagesDone::default();
        let mut nameless = 0;
        let take = |result: Result<String, PageError>| {
            done.pages += 1;
            self.watch.advance(1);
            match result {
                Ok(text) => stream.write_all(text.as_bytes()).map_err(JobError::Output),
                Err(error) => {
                    done.failed += 1;
                    failed(error);
                    Ok(())
                }
            }
        };
        match &self.finder {
            Finder::Model(with) if with.known.is_some() && with.site.is_none() => {
                nameless = self.learn_on_the_way(with, tasks, take)?;
            }
            _ => self.workers.in_order(tasks, |task| self.page(task), take)?,
        }
        Ok(PagesDone { nameless, ..done })
    }

    /// Finds the blocks of one page; returns what goes to the stream, which is nothing if it went to a file.
    fn page(&self, (named, path): Task) -> Result<String, PageError> {
        let named = named?;
        let text = guarded(|| self.found(&named)).map_err(|cause| PageError::panicked(&named, cause))?;
        Ok(self.deliver(text?, &path)?)
    }

    /// What is written of a page.
    fn found(&self, named: &Named) -> Result<String, PageError> {
        let external = |cause| PageError::External { input: input_name(&named.input), cause };
        match &self.finder {
            Finder::Page(extractor) => {
                let page = self.read(named)?;
                Ok(self.write(named, if self.explain { extractor.explain(&page) } else { extractor.extract(&page) }))
            }
            Finder::External(command, None) => {
                Ok(self.write(named, command.extract(&self.read(named)?, None).map_err(external)?))
            }
            Finder::External(command, Some((site, base))) => {
                let key = site.find_page(page_name(&named.input)?)?;
                let files = SiteFiles::of(site, key, base.as_ref());
                Ok(self.write(named, command.extract(&*site.load(key)?, files.as_ref()).map_err(external)?))
            }
            Finder::Technique(extractor, site) => {
                let key = site.find_page(page_name(&named.input)?)?;
                let page = site.load(key)?;
                let found =
                    if self.explain { extractor.explain(&**site, key, &page) } else { extractor.extract(&**site, key, &page) };
                Ok(self.write(named, found?))
            }
            Finder::Model(with) => {
                let (page, model) = match &with.site {
                    None => (Arc::new(self.read(named)?), Arc::default()),
                    Some(site) => {
                        let key = site.find_page(page_name(&named.input)?)?;
                        let page = site.load(key)?;
                        let model = with.model(site, key, &page)?;
                        (page, model)
                    }
                };
                Ok(self.write(named, self.known(&page, &model)))
            }
        }
    }

    /// What is found on a page by what is known about its site: of all blocks the one that is asked for.
    fn known<'p>(&self, page: &'p Page, model: &SiteModel) -> Extraction<'p> {
        Extraction::of(page, self.kind, SITE, model.detect_only(page, self.kind))
    }

    /// Pages whose sites nobody named: some are read, their sites learn from them, and then their blocks are found. Says how many have no address.
    fn learn_on_the_way(
        &self,
        with: &WithModel<T>,
        tasks: impl Iterator<Item = Task>,
        mut take: impl FnMut(Result<String, PageError>) -> Result<(), JobError>,
    ) -> Result<u64, JobError> {
        let mut nameless = 0;
        let mut tasks = tasks.peekable();
        while tasks.peek().is_some() {
            let batch: Vec<Task> = tasks.by_ref().take(LEARNED_AT_A_TIME).collect();
            let seen: Vec<Result<_, PageError>> = self.workers.all(batch, |(named, path)| {
                let named = named?;
                let read = guarded(|| {
                    let page = self.read(&named)?;
                    let learned = site_of(&page).map(|site| (site, SiteModel::learn([&page])));
                    Ok::<_, PageError>((page, learned))
                });
                let (page, learned) = read.map_err(|cause| PageError::panicked(&named, cause))??;
                Ok((named, path, page, learned))
            });
            nameless += seen.iter().flatten().filter(|(_, _, _, learned)| learned.is_none()).count() as u64;
            let mut learned: BTreeMap<String, SiteModel> = BTreeMap::new();
            for (site, model) in seen.iter().flatten().filter_map(|(_, _, _, learned)| learned.as_ref()) {
                learned.entry(site.clone()).or_default().merge(model.clone());
            }
            let mut models: BTreeMap<String, Arc<SiteModel>> = BTreeMap::new();
            for (site, model) in learned {
                if let Some(known) = &with.known {
                    let merged = known.learn(&site, model)?;
                    models.insert(site, merged);
                }
            }
            let written = self.workers.all(seen, |seen| {
                let (named, path, page, learned) = seen?;
                let text = guarded(|| {
                    let model = learned.as_ref().and_then(|(site, _)| models.get(site));
                    let nothing = SiteModel::default();
                    let mut found = self.known(&page, model.map_or(&nothing, |model| model));
                    if model.is_none() {
                        found = found.with_note(self.unaddressed);
                    }
                    self.write(&named, found)
                });
                let text = text.map_err(|cause| PageError::panicked(&named, cause))?;
                Ok(self.deliver(text, &path)?)
            });
            written.into_iter().try_for_each(&mut take)?;
        }
        Ok(nameless)
    }

    /// Writes a result to where it belongs; returns what goes to the stream.
    fn deliver(&self, text: String, path: &Path) -> Result<String, JobError> {
        match &self.destination {
            Destination::Stream => return Ok(text),
            Destination::File(path) => write_file(path, text.as_bytes())?,
            Destination::Folder(folder) => write_file(&folder.join(path), text.as_bytes())?,
        }
        Ok(String::new())
    }

    fn read(&self, named: &Named) -> Result<Page, FetchError> {
        let document = Document::from(read(&named.input, &self.fetcher)?);
        let url = self.url.clone().or_else(|| document.url.clone());
        Ok(self.reading.page(Document { url, ..document }))
    }

    fn write(&self, named: &Named, extraction: Extraction<'_>) -> String {
        if self.explain && !matches!(self.rendering.format, Format::Json | Format::Annotated) {
            return extraction.table();
        }
        self.rendering.write(extraction, Some(&input_name(&named.input)), named.given.as_deref())
    }
}

impl PageError {
    fn panicked(named: &Named, cause: Panicked) -> PageError {
        PageError::Panicked { input: input_name(&named.input), cause }
    }
}

/// How an input names a page of a site.
fn page_name(input: &Input) -> Result<&OsStr, PageError> {
    match input {
        Input::File(path) => Ok(path.as_os_str()),
        Input::Url(url) => Ok(OsStr::new(url)),
        Input::Stdin | Input::Held(_) => Err(PageError::Nameless),
    }
}

/// What a page is called in what is written of it.
#[must_use]
pub fn input_name(input: &Input) -> String {
    match input {
        Input::Stdin => "-".to_owned(),
        input => input.to_string(),
    }
}
