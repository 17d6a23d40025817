//! Many pages: some are worked on ahead of the loop that asks for them, their results come in order, and nothing grows with their number.

use crate::document::{address, one_of_many};
use crate::errors::Class;
use crate::extraction::{Prepared, PyExtraction};
use crate::finder::{Extractor, Failed, Plan};
use crate::site_of_pages::path;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;
use unchaff::dom::{PageId, Site};
use unchaff::{Document, Extraction};
use unchaff_job::{InFlight, JobError, Next, guarded};
use unchaff_source::{
    AnySite, Fetcher, Input, InputError, Pages, PoliteOptions, Reading, SiteError, Url, WarcReader, holds_pages, open_site,
    pages, read as read_input,
};

/// Pages in flight weigh no more than this, unless it is a single one.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// How long the interpreter waits before it looks for signals, such as Ctrl-C.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// What is made of each page ahead of time, so that threads share the work.
#[derive(Clone, Copy, Default)]
struct Formats {
    markdown: bool,
    text: bool,
    html: bool,
    metadata: bool,
}

impl Formats {
    fn named(py: Python<'_>, names: &[String]) -> PyResult<Formats> {
        let mut formats = Formats::default();
        for name in names {
            match name.as_str() {
                "markdown" => formats.markdown = true,
                "text" => formats.text = true,
                "html" => formats.html = true,
                "metadata" => formats.metadata = true,
                other => {
                    let why = format!("there is no format `{other}`; there are markdown, text, html and metadata");
                    return Err(Class::Option.error(py, why));
                }
            }
        }
        Ok(formats)
    }

    fn prepare(self, found: &Extraction<'_>) -> Prepared {
        Prepared {
            markdown: self.markdown.then(|| found.markdown()),
            text: self.text.then(|| found.text()),
            html: self.html.then(|| found.html()),
            metadata: self.metadata.then(|| found.metadata()),
        }
    }
}

/// Where pages come from.
enum Source {
    /// An iterator of Python, and the charset of its pages.
    Python(Py<PyIterator>, Option<String>),
    /// An archive, read as it goes.
    Archive(Box<WarcReader<File>>, Reading),
    /// Files, folders, single addresses, and the pages of archives and of JSON lines among them.
    Inputs(Box<Pages>, Arc<Fetcher>, Reading),
    /// Pages that are known by number.
    Site(Arc<AnySite>, std::vec::IntoIter<PageId>),
    /// There are no more.
    Ended,
}

/// How one page gets here, what it is called, and about how much it weighs.
struct Task {
    load: Box<dyn FnOnce() -> Result<Arc<unchaff::Page>, Failed> + Send>,
    input: Option<String>,
    url: Option<String>,
    given: Option<Arc<str>>,
    weight: usize,
}

impl Task {
    fn of(document: Document, input: Option<String>, reading: Reading) -> Task {
        Task {
            input,
            url: document.url.clone(),
            given: None,
            weight: document.bytes.len(),
            load: Box::new(move || Ok(Arc::new(reading.page(document)))),
        }
    }

    fn failed(failed: Failed, input: Option<String>, url: Option<String>) -> Task {
        Task { load: Box::new(|| Err(failed)), input, url, given: None, weight: 0 }
    }
}

impl Source {
    /// The next page; none after the last.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Task>> {
        let task = match self {
            Source::Python(iterator, charset) => {
                let Some(item) = iterator.bind(py).clone().next() else { return Ok(None) };
                Some(from_python(&item?, charset.clone())?)
            }
            Source::Archive(archive, reading) => py.detach(|| archive.next()).map(|page| {
                let input = page.url.to_string();
                Task::of(page.into(), Some(input), reading.clone())
            }),
            Source::Inputs(inputs, fetcher, reading) => py.detach(|| inputs.next()).map(|named| match named {
                Err(error) => Task::failed(Failed::Said(Class::Source, error.to_string()), input_of(&error), None),
                Ok(named) => {
                    let (fetcher, reading, input) = (Arc::clone(fetcher), reading.clone(), input_name(&named.input));
                    let (url, weight) = match &named.input {
                        Input::Held(page) => (page.url.clone(), page.bytes.len()),
                        _ => (None, 1 << 20),
                    };
                    let given = named.given.clone();
                    let load = move || {
                        let read = read_input(&named.input, &fetcher);
                        let read = read.map_err(|error| Failed::Said(Class::Source, error.to_string()))?;
                        Ok(Arc::new(reading.page(read.into())))
                    };
                    Task { load: Box::new(load), input: Some(input), url, given, weight }
                }
            }),
            Source::Site(site, pages) => pages.next().map(|id| {
                let (site, url) = (Arc::clone(site), site.url(id).to_string());
                let load = move || site.load(id).map_err(|error| Failed::Said(Class::Source, error.to_string()));
                Task { load: Box::new(load), input: Some(url.clone()), url: Some(url), given: None, weight: 1 << 20 }
            }),
            Source::Ended => None,
        };
        if task.is_none() {
            self.end(py)?;
        }
        Ok(task)
    }

    /// Says what was wrong with the source as a whole.
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        if let Source::Archive(archive, _) = self {
            let warn = py.import("warnings")?.getattr("warn")?;
            for warning in archive.warnings() {
                warn.call1((warning,))?;
            }
        }
        *self = Source::Ended;
        Ok(())
    }
}

/// A page from Python; what is no page is a page that failed.
fn from_python(item: &Bound<'_, PyAny>, charset: Option<String>) -> PyResult<Task> {
    match one_of_many(item, charset) {
        Ok(document) => Ok(Task::of(document, None, Reading::default())),
        Err(error) if error.is_instance_of::<PyTypeError>(item.py()) => {
            let url = item.cast::<PyTuple>().ok().and_then(|pair| pair.get_item(0).ok());
            let url = url.filter(|url| !url.is_none()).and_then(|url| address(&url).ok());
            Ok(Task::failed(Failed::Raised(error), None, url))
        }
        Err(error) => Err(error),
    }
}

fn input_of(error: &InputError) -> Option<String> {
    match error {
        InputError::NotFound { path } | InputError::Inaccessible { path, .. } | InputError::DanglingLink { path } => {
            Some(path.display().to_string())
        }
        InputError::NoPages { folder } => Some(folder.display().to_string()),
        InputError::BadUrl { url, .. } => Some(url.clone()),
        InputError::Foreign { name, .. }
        | InputError::Unreadable { name, .. }
        | InputError::Damaged { name, .. }
        | InputError::Line { name, .. } => Some(name.clone()),
        _ => None,
    }
}

fn input_name(input: &Input) -> String {
    match input {
        Input::Stdin => "-".to_owned(),
        input => input.to_string(),
    }
}

/// What comes out of a thread.
struct Done {
    found: Result<(Extraction<'static>, Prepared), Failed>,
    input: Option<String>,
    url: Option<String>,
    given: Option<Arc<str>>,
}

/// The extractions of a stream of pages, in order.
#[pyclass(frozen, module = "unchaff")]
pub(crate) struct Extractions {
    stream: Mutex<Stream>,
    process: u32,
}

struct Stream {
    source: Source,
    plan: Arc<Plan>,
    formats: Formats,
    flight: InFlight<Done>,
    /// What the source raised, told when everything before it is done.
    raised: Option<PyErr>,
}

impl Extractions {
    fn new(
        py: Python<'_>,
        source: Source,
        extractor: &Extractor,
        formats: &[String],
        jobs: Option<usize>,
    ) -> PyResult<Extractions> {
        let flight = in_flight(py, jobs)?;
        let formats = Formats::named(py, formats)?;
        let stream = Stream { source, plan: extractor.plan(), formats, flight, raised: None };
        Ok(Extractions { stream: Mutex::new(stream), process: std::process::id() })
    }
}

impl Stream {
    fn begin(&mut self, task: Task) {
        let (plan, formats) = (Arc::clone(&self.plan), self.formats);
        let Task { load, input, url, given, weight } = task;
        self.flight.begin(weight, move || {
            let found = plan.extract_page(load).and_then(|found| {
                let prepared = guarded(|| formats.prepare(&found)).map_err(Failed::page)?;
                Ok((found, prepared))
            });
            Done { found, input, url, given }
        });
    }

    /// The next extraction; none after the last.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<PyExtraction>> {
        loop {
            let mut next = Next::Idle;
            while self.raised.is_none() && !matches!(self.source, Source::Ended) && self.flight.has_room() {
                match self.source.next(py) {
                    Ok(Some(task)) => self.begin(task),
                    Ok(None) => self.source = Source::Ended,
                    // Ctrl-C and the like are no errors of the source.
                    Err(error) if !error.is_instance_of::<PyException>(py) => return Err(error),
                    Err(error) => self.raised = Some(error),
                }
                // A source may be slow: what is done is handed on before it is asked for more.
                next = self.flight.next(Duration::ZERO);
                if matches!(next, Next::Ready(_)) {
                    break;
                }
            }
            if !matches!(next, Next::Ready(_)) {
                let flight = &mut self.flight;
                next = py.detach(|| flight.next(PATIENCE));
            }
            match next {
                Next::Ready(Some(Done { found, input, url, given })) => {
                    return Ok(Some(match found {
                        Ok((found, prepared)) => PyExtraction::live(found, input).prepared(prepared).with_given(given),
                        Err(failed) => PyExtraction::failed(py, failed, input, url),
                    }));
                }
                Next::Ready(None) => {
                    return Ok(Some(PyExtraction::failed(py, Failed::page("the work on this page ended early"), None, None)));
                }
                Next::NotYet => py.check_signals()?,
                Next::Idle => {
                    return self.raised.take().map_or(Ok(None), |error| {
                        self.source = Source::Ended;
                        Err(error)
                    });
                }
            }
        }
    }
}

#[pymethods]
impl Extractions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyExtraction>> {
        if self.process != std::process::id() {
            // Threads do not survive a fork, and nobody would ever answer.
            return Err(Class::Option.error(py, "these extractions were begun in another process; begin them in this one"));
        }
        match self.stream.try_lock() {
            Ok(mut stream) => stream.next(py),
            Err(TryLockError::Poisoned(stream)) => stream.into_inner().next(py),
            // As with generators.
            Err(TryLockError::WouldBlock) => {
                Err(PyValueError::new_err("these extractions are being asked for by another thread"))
            }
        }
    }
}

/// Threads for a stream.
pub(crate) fn in_flight<R: Send + 'static>(py: Python<'_>, jobs: Option<usize>) -> PyResult<InFlight<R>> {
    if jobs == Some(0) {
        return Err(Class::Option.error(py, "jobs is the number of threads, which is one at least"));
    }
    InFlight::new(jobs, MOST_BYTES).map_err(|error: JobError| Class::Page.error(py, error))
}

/// Finds the blocks of many pages.
#[pyfunction]
#[pyo3(signature = (extractor, pages, charset, formats, jobs))]
pub(crate) fn extract_many(
    py: Python<'_>,
    extractor: &Bound<'_, Extractor>,
    pages: &Bound<'_, PyAny>,
    charset: Option<String>,
    formats: Vec<String>,
    jobs: Option<usize>,
) -> PyResult<Extractions> {
    if path(pages)?.is_some() {
        return Err(PyTypeError::new_err(
            "many pages are an iterable of pages; for one page there is unchaff.extract(), for files and archives unchaff.read()",
        ));
    }
    let iterator = pages.try_iter()?.unbind();
    Extractions::new(py, Source::Python(iterator, charset), extractor.get(), &formats, jobs)
}

/// Finds the blocks of the pages of files, folders, lists, archives and addresses.
#[pyfunction]
#[pyo3(signature = (extractor, source, base_url, charset, max_bytes, timeout, formats, jobs, archive))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn read(
    py: Python<'_>,
    extractor: &Bound<'_, Extractor>,
    source: &Bound<'_, PyAny>,
    base_url: Option<&Bound<'_, PyAny>>,
    charset: Option<String>,
    max_bytes: u64,
    timeout: f64,
    formats: Vec<String>,
    jobs: Option<usize>,
    archive: bool,
) -> PyResult<Extractions> {
    let timeout = Duration::try_from_secs_f64(timeout).map_err(|error| Class::Option.error(py, error))?;
    let reading = Reading { charset, max_bytes, timeout, ..Reading::default() };
    let source = match path(source)? {
        Some(source) if archive => {
            py.detach(|| open_archive(&source, &reading)).map_err(|error| Class::Source.error(py, error))?
        }
        Some(source) => {
            let base_url = base_url.map(address).transpose()?;
            let base_url =
                base_url.map(|url| Url::parse(&url).map_err(|error| Class::Option.error(py, format!("base_url {url}: {error}"))));
            let base_url = base_url.transpose()?;
            py.detach(|| open_any(&source, base_url, &reading)).map_err(|error| Class::Source.error(py, error))?
        }
        None => {
            let sources: Vec<PathBuf> = source.try_iter()?.map(|source| source?.extract()).collect::<PyResult<_>>()?;
            inputs(&sources, &reading)
        }
    };
    Extractions::new(py, source, extractor.get(), &formats, jobs)
}

fn open_archive(source: &OsString, reading: &Reading) -> Result<Source, SiteError> {
    let path = Path::new(source);
    let archive = WarcReader::open(path).map_err(|cause| SiteError::Read { path: path.to_owned(), cause })?;
    Ok(Source::Archive(Box::new(archive.max_bytes(reading.max_bytes)), reading.clone()))
}

/// Inputs, with archives and JSON lines opened.
fn inputs<S: AsRef<OsStr>>(sources: &[S], reading: &Reading) -> Source {
    let fetcher = Arc::new(Fetcher::new(reading.fetch_options(false)));
    Source::Inputs(Box::new(pages(sources, reading.clone())), fetcher, reading.clone())
}

/// Opens what one name stands for.
fn open_any(source: &OsString, base_url: Option<Url>, reading: &Reading) -> Result<Source, SiteError> {
    // A list of addresses with files is known by its lines, a mirrored folder by the address that it stands for.
    let may_be_list = Path::new(source).is_file() && !holds_pages(Path::new(source));
    if may_be_list || base_url.is_some() {
        let base_urls: Vec<Url> = base_url.into_iter().collect();
        match open_site(source, &base_urls, PoliteOptions::default(), reading) {
            Ok(site) => {
                let pages = site.known().into_iter();
                return Ok(Source::Site(Arc::new(site), pages));
            }
            // A file that is no site is a page.
            Err(SiteError::NotASite { .. } | SiteError::ManySites { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(inputs(&[source], reading))
}
