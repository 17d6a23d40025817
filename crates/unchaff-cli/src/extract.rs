//! `unchaff extract`, `unchaff menu` and `unchaff template`: pages in, content, menus or templates out.
//!
//! Pages are worked on in parallel, in batches, so that memory is bounded by the pages in flight; results leave in the
//! order of the inputs, whatever the number of jobs.

use crate::arguments::Pages;
use crate::output::{print, write_file};
use crate::with_store::WithStore;
use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use unchaff::compare::registry as compare;
use unchaff::dom::Site;
use unchaff::{BlockKind, Extraction, Extractor, Format, Page, Parser, Parts, SiteExtractor, registry};
use unchaff_source::{
    AnySite, FetchOptions, Fetcher, Input, InputError, Named, OutputNames, PoliteOptions, Url, inputs, open_site, read,
};

/// Where results go.
enum Output {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// How blocks are found: on the page alone, with the pages of its site, or with templates that are kept.
enum Finder {
    Page(Extractor),
    Site(SiteExtractor, Box<AnySite>),
    Store(Box<WithStore>),
}

/// Everything that is the same for all pages.
struct Job {
    finder: Finder,
    explain: bool,
    parts: Parts,
    url: Option<String>,
    charset: Option<String>,
    fetcher: Fetcher,
    format: Format,
    output: Output,
}

/// Finds blocks of a kind on all inputs; says whether all went well.
pub(crate) fn run(options: &Pages, kind: BlockKind) -> Result<bool> {
    let arguments = inputs_or_stdin(options)?;
    let (first, rest) = split_first(inputs(&arguments));
    let is_many = rest.is_some();
    let job = Job::new(options, kind, is_many)?;
    let jobs = usize::from(options.jobs.unwrap_or(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("cannot start threads; try a smaller --jobs")?;
    let named = first.into_iter().chain(rest.into_iter().flatten());
    let progress = if is_many { progress_bar(arguments) } else { ProgressBar::hidden() };
    let all_well = job.run(named, &pool, progress)?;
    if let Finder::Store(store) = job.finder {
        store.finish()?;
    }
    Ok(all_well)
}

fn inputs_or_stdin(options: &Pages) -> Result<Vec<OsString>> {
    if !options.inputs.is_empty() {
        return Ok(options.inputs.clone());
    }
    ensure!(
        !std::io::stdin().is_terminal(),
        "nothing to read: name a file, a folder or a web address, or pipe a page in; `unchaff extract --help` shows examples"
    );
    Ok(vec!["-".into()])
}

/// The first item, and the iterator if there are more.
fn split_first<I: Iterator>(items: I) -> (Vec<I::Item>, Option<std::iter::Peekable<I>>) {
    let mut items = items.peekable();
    let first: Vec<I::Item> = items.next().into_iter().collect();
    let more = items.peek().is_some();
    (first, more.then_some(items))
}

impl Job {
    fn new(options: &Pages, kind: BlockKind, is_many: bool) -> Result<Job> {
        let output = match &options.output {
            None => Output::Stdout,
            Some(path) if is_many || path.is_dir() || ends_in_slash(path) => {
                ensure!(!path.is_file(), "{} is a file; many inputs need a folder to write to (-o DIR)", path.display());
                Output::Folder(path.clone())
            }
            Some(path) => Output::File(path.clone()),
        };
        let on_one_stream = is_many && matches!(output, Output::Stdout);
        let format = options.format.unwrap_or(if on_one_stream { Format::Json } else { Format::default() });
        if on_one_stream && format != Format::Json {
            bail!(
                "many inputs on standard output are JSON lines (--format json); for {format}, name a folder to write to (-o DIR)"
            );
        }
        ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
        if let Some(url) = &options.url {
            ensure!(url.contains("://"), "--url {url} is not an absolute address; write it like https://example.org/page");
        }
        if let Some(charset) = &options.charset {
            ensure!(
                unchaff::dom::decode::is_known(charset),
                "--charset {charset} is not a charset of the web; names are like utf-8, windows-1252, shift_jis, gb18030"
            );
        }
        let fetch = FetchOptions {
            timeout: Duration::from_secs(options.timeout),
            max_bytes: options.max_bytes,
            ..FetchOptions::default()
        };
        Ok(Job {
            finder: finder(options, kind)?,
            explain: options.explain,
            parts: parts(options, kind)?,
            url: options.url.clone(),
            charset: options.charset.clone(),
            fetcher: Fetcher::new(fetch),
            format,
            output,
        })
    }

    fn run(
        &self,
        named: impl Iterator<Item = Result<Named, InputError>>,
        pool: &rayon::ThreadPool,
        progress: ProgressBar,
    ) -> Result<bool> {
        let mut names = OutputNames::new(self.format.extension());
        let mut failed = 0u64;
        let mut done = 0u64;
        let mut named = named.peekable();
        while named.peek().is_some() {
            let batch: Vec<(Result<Named, InputError>, PathBuf)> = named
                .by_ref()
                .take(pool.current_num_threads() * 16)
                .map(|named| {
                    let path = named.as_ref().map(|named| names.name(named)).unwrap_or_default();
                    (named, path)
                })
                .collect();
            let results: Vec<Result<String>> = match &self.finder {
                Finder::Store(store) => self.extract_with(store, batch, pool, &progress)?,
                _ => pool.install(|| {
                    batch
                        .into_par_iter()
                        .map(|(named, path)| {
                            let result = named.map_err(Into::into).and_then(|named| self.extract(&named, &path));
                            progress.inc(1);
                            result
                        })
                        .collect()
                }),
            };
            for result in results {
                done += 1;
                let written = result.and_then(|text| if text.is_empty() { Ok(()) } else { print(text.as_bytes()) });
                if let Err(error) = written {
                    if crate::output::is_closed_pipe(&error) {
                        return Err(error);
                    }
                    failed += 1;
                    progress.suspend(|| drop(writeln!(std::io::stderr(), "unchaff: {error:#}")));
                }
            }
        }
        progress.finish_and_clear();
        if done > 1 && failed > 0 {
            let _ = writeln!(std::io::stderr(), "unchaff: {failed} of {done} inputs failed");
        }
        Ok(failed == 0)
    }

    /// Finds the blocks of one page; returns what goes to standard output, which is nothing if it went to a file.
    fn extract(&self, named: &Named, path: &Path) -> Result<String> {
        let text = match &self.finder {
            Finder::Page(extractor) => {
                let page = self.parse(named)?;
                self.write(named, if self.explain { extractor.explain(&page) } else { extractor.extract(&page) })
            }
            Finder::Site(extractor, site) => {
                let key = site.find_page(page_name(&named.input)?)?;
                let page = site.load(key)?;
                let found =
                    if self.explain { extractor.explain(&**site, key, &page) } else { extractor.extract(&**site, key, &page) };
                self.write(named, found?)
            }
            Finder::Store(_) => unreachable!("a store takes pages in their order"),
        };
        self.deliver(text, path)
    }

    /// Finds the blocks of some pages with a store: looked at and written in parallel, settled in their order.
    fn extract_with(
        &self,
        store: &WithStore,
        batch: Vec<(Result<Named, InputError>, PathBuf)>,
        pool: &rayon::ThreadPool,
        progress: &ProgressBar,
    ) -> Result<Vec<Result<String>>> {
        let look = |named: &Named| match &store.site {
            None => store.look(Arc::new(self.parse(named)?), None),
            Some(site) => {
                let key = site.find_page(page_name(&named.input)?)?;
                store.look(site.load(key)?, Some(key))
            }
        };
        let seen: Vec<Result<_>> = pool.install(|| {
            let seen = batch.into_par_iter().map(|(named, path)| {
                let named = named?;
                let seen = look(&named)?;
                Ok((named, path, seen))
            });
            seen.collect()
        });
        let settled: Vec<Result<_>> =
            seen.into_iter().map(|seen| seen.and_then(|(named, path, seen)| Ok((named, path, store.settle(seen)?)))).collect();
        store.flush()?;
        Ok(pool.install(|| {
            let written = settled.into_par_iter().map(|settled| {
                progress.inc(1);
                let (named, path, (page, detection)) = settled?;
                self.deliver(self.write(&named, Extraction::of(&page, "store", detection)), &path)
            });
            written.collect()
        }))
    }

    /// Writes a result to where it belongs; returns what goes to standard output.
    fn deliver(&self, text: String, path: &Path) -> Result<String> {
        match &self.output {
            Output::Stdout => return Ok(text),
            Output::File(path) => write_file(path, text.as_bytes())?,
            Output::Folder(folder) => write_file(&folder.join(path), text.as_bytes())?,
        }
        Ok(String::new())
    }

    fn parse(&self, named: &Named) -> Result<Page> {
        let fetched = read(&named.input, &self.fetcher)?;
        let mut parser = Parser::new();
        if let Some(url) = self.url.as_ref().or(fetched.url.as_ref()) {
            parser = parser.url(url);
        }
        if let Some(charset) = self.charset.as_ref().or(fetched.charset.as_ref()) {
            parser = parser.charset(charset);
        }
        Ok(parser.parse(fetched.bytes))
    }

    fn write(&self, named: &Named, extraction: Extraction<'_>) -> String {
        let extraction = extraction.with_parts(&self.parts);
        match self.format {
            Format::Json => extraction.json(Some(&input_name(&named.input))) + "\n",
            Format::Annotated => extraction.annotated(),
            _ if self.explain => extraction.table(),
            format => extraction.render(format),
        }
    }
}

/// What is to be included and excluded.
fn parts(options: &Pages, kind: BlockKind) -> Result<Parts> {
    let parts = Parts { include: options.include.clone(), exclude: options.exclude.clone() };
    ensure!(
        kind == BlockKind::Content || parts == Parts::default(),
        "--include and --exclude are about the parts of the content; use them with `unchaff extract`"
    );
    if let Some(part) = parts.include.iter().find(|part| parts.exclude.contains(part)) {
        bail!("{part} cannot be both included and excluded; leave one of them away");
    }
    Ok(parts)
}

/// The technique that is named, or the default for the kind of block.
fn finder(options: &Pages, kind: BlockKind) -> Result<Finder> {
    let mut settings: Vec<(&str, &str)> = options.favor.iter().map(|favor| ("favor", favor.as_str())).collect();
    for setting in &options.settings {
        let Some(pair) = setting.split_once('=') else { bail!("--set {setting} is not of the form PARAMETER=VALUE") };
        settings.push(pair);
    }
    let named = options.technique.as_deref().or(options.bootstrap.then_some("bootstrap-learned"));
    ensure!(!options.bootstrap || kind == BlockKind::Content, "--bootstrap finds the content; use it with `unchaff extract`");
    if let Some(store) = &options.store {
        ensure!(
            options.site.is_none() || options.url.is_none(),
            "--url is for pages without a site; for a mirrored folder say --base-url"
        );
        let site = options.site.as_ref().map(|site| open(options, site)).transpose()?;
        return Ok(Finder::Store(Box::new(WithStore::open(store, site, kind)?)));
    }
    let Some(site) = options.site.as_ref().or(bootstrapped(options)?) else {
        let entry = Extractor::entry(named.unwrap_or(registry::default_for(kind)))?;
        return Ok(Finder::Page(Extractor::with_settings(entry, &settings)?));
    };
    ensure!(options.url.is_none(), "--url is for pages without a site; for a mirrored folder say --base-url");
    let entry = SiteExtractor::entry(named.unwrap_or(compare::default_for(kind).unwrap_or(compare::DEFAULT)))?;
    let extractor = SiteExtractor::with_settings(entry, &settings)?;
    Ok(Finder::Site(extractor, open(options, site)?))
}

fn open(options: &Pages, site: &OsStr) -> Result<Box<AnySite>> {
    let polite = PoliteOptions { allow_private: options.allow_private, ..PoliteOptions::default() };
    Ok(Box::new(open_site(site, &base_urls(&options.base_url)?, polite)?))
}

/// The page from whose links a site is learned, if it is to be.
fn bootstrapped(options: &Pages) -> Result<Option<&OsString>> {
    if !options.bootstrap || options.site.is_some() {
        return Ok(None);
    }
    let is_address =
        |input: &OsString| input.to_str().is_some_and(|input| input.starts_with("http://") || input.starts_with("https://"));
    match options.inputs.as_slice() {
        [page] if is_address(page) => Ok(Some(page)),
        _ => bail!(
            "--bootstrap follows the links of one page on the web: name its address, or say with --site where the other pages are"
        ),
    }
}

/// The addresses that a folder stands for.
pub(crate) fn base_urls(given: &[String]) -> Result<Vec<Url>> {
    let read = |text: &String| {
        Url::parse(text).with_context(|| format!("--base-url {text} is not an address; write it like https://example.org/"))
    };
    given.iter().map(read).collect()
}

fn ends_in_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// How an input names a page of a site.
fn page_name(input: &Input) -> Result<&OsStr> {
    match input {
        Input::File(path) => Ok(path.as_os_str()),
        Input::Url(url) => Ok(OsStr::new(url)),
        Input::Stdin => bail!("with --site, name the page: a file of the folder, or its address"),
    }
}

fn input_name(input: &Input) -> String {
    match input {
        Input::Stdin => "-".to_owned(),
        input => input.to_string(),
    }
}

/// Pages done, their rate and the time left, on standard error; nothing if that is no terminal.
fn progress_bar(arguments: Vec<OsString>) -> ProgressBar {
    let bar = page_bar();
    if !bar.is_hidden() {
        // Inputs are a stream; how many there are is counted meanwhile.
        let counted = bar.clone();
        std::thread::spawn(move || set_total(&counted, inputs(&arguments).count() as u64));
    }
    bar
}

/// A bar that counts pages; hidden if standard error is no terminal.
pub(crate) fn page_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    bar.set_style(bar_style("{spinner} {human_pos} pages, {per_sec}"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Tells a bar how many pages there are.
pub(crate) fn set_total(bar: &ProgressBar, total: u64) {
    bar.set_style(bar_style("{wide_bar} {human_pos}/{human_len} pages, {per_sec}, {eta} left"));
    bar.set_length(total);
}

pub(crate) fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
