//! `unchaff extract` and `unchaff menu`: pages in, content or menus out.
//!
//! Pages are worked on in parallel, in batches, so that memory is bounded by the pages in flight; results leave in the
//! order of the inputs, whatever the number of jobs.

use crate::arguments::Pages;
use crate::output::{print, write_file};
use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use unchaff::{Extractor, Format, Parser};
use unchaff_source::{FetchOptions, Fetcher, Input, InputError, Named, OutputNames, inputs, read};

/// Where results go.
enum Output {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// Everything that is the same for all pages.
struct Job {
    extractor: Extractor,
    explain: bool,
    url: Option<String>,
    charset: Option<String>,
    fetcher: Fetcher,
    format: Format,
    output: Output,
}

/// Extracts from all inputs, by `technique` if none is named; says whether all went well.
pub(crate) fn run(options: &Pages, technique: &str) -> Result<bool> {
    let arguments = inputs_or_stdin(options)?;
    let (first, rest) = split_first(inputs(&arguments));
    let is_many = rest.is_some();
    let job = Job::new(options, technique, is_many)?;
    let jobs = usize::from(options.jobs.unwrap_or(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("cannot start threads; try a smaller --jobs")?;
    let named = first.into_iter().chain(rest.into_iter().flatten());
    let progress = if is_many { progress_bar(arguments) } else { ProgressBar::hidden() };
    job.run(named, &pool, progress)
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
    fn new(options: &Pages, technique: &str, is_many: bool) -> Result<Job> {
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
            extractor: extractor(options, technique)?,
            explain: options.explain,
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
            let results: Vec<Result<String>> = pool.install(|| {
                batch
                    .into_par_iter()
                    .map(|(named, path)| {
                        let result = named.map_err(Into::into).and_then(|named| self.extract(&named, &path));
                        progress.inc(1);
                        result
                    })
                    .collect()
            });
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

    /// Extracts one page; returns what goes to standard output, which is nothing if it went to a file.
    fn extract(&self, named: &Named, path: &Path) -> Result<String> {
        let fetched = read(&named.input, &self.fetcher)?;
        let mut parser = Parser::new();
        if let Some(url) = self.url.as_ref().or(fetched.url.as_ref()) {
            parser = parser.url(url);
        }
        if let Some(charset) = self.charset.as_ref().or(fetched.charset.as_ref()) {
            parser = parser.charset(charset);
        }
        let page = parser.parse(fetched.bytes);
        let extraction = if self.explain { self.extractor.explain(&page) } else { self.extractor.extract(&page) };
        let mut text = match self.format {
            Format::Json => extraction.json(Some(&input_name(&named.input))),
            Format::Annotated => extraction.annotated(),
            _ if self.explain => extraction.table(),
            format => extraction.render(format),
        };
        if self.format == Format::Json {
            text.push('\n');
        }
        match &self.output {
            Output::Stdout => return Ok(text),
            Output::File(path) => write_file(path, text.as_bytes())?,
            Output::Folder(folder) => write_file(&folder.join(path), text.as_bytes())?,
        }
        Ok(String::new())
    }
}

fn extractor(options: &Pages, technique: &str) -> Result<Extractor> {
    let entry = Extractor::entry(options.technique.as_deref().unwrap_or(technique))?;
    let mut settings = Vec::new();
    for setting in &options.settings {
        let Some(pair) = setting.split_once('=') else { bail!("--set {setting} is not of the form PARAMETER=VALUE") };
        settings.push(pair);
    }
    Ok(Extractor::with_settings(entry, &settings)?)
}

fn ends_in_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn input_name(input: &Input) -> String {
    match input {
        Input::Stdin => "-".to_owned(),
        input => input.to_string(),
    }
}

/// Pages done, their rate and the time left, on standard error; nothing if that is no terminal.
fn progress_bar(arguments: Vec<OsString>) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = |template: &str| ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style("{spinner} {human_pos} pages, {per_sec}"));
    bar.enable_steady_tick(Duration::from_millis(200));
    // Inputs are a stream; how many there are is counted meanwhile.
    let counted = bar.clone();
    std::thread::spawn(move || {
        let total = inputs(&arguments).count() as u64;
        counted.set_style(style("{wide_bar} {human_pos}/{human_len} pages, {per_sec}, {eta} left"));
        counted.set_length(total);
    });
    bar
}
