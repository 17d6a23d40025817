//! `unchaff extract`, `unchaff menu` and `unchaff template`: pages in, content, menus or templates out (`unchaff_job::EachPage`).

use crate::arguments::{OfContent, Pages, settings};
use crate::output::{Sink, said, tell};
use crate::progress::Bar;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;
use unchaff::{BlockKind, Format};
use unchaff_job::{Destination, EachPage, Finder, Form, NamedPages, Wanted, Watch, Workers};
use unchaff_source::{AnySite, Fetcher, PoliteOptions, Reading, Url, inputs, open_site};
use unchaff_store::TemplateStore;

/// How pages are read; the same for every command that reads any.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reader {
    /// The charset of the pages, if what they say themselves is not to be believed.
    #[arg(long, value_name = "NAME")]
    charset: Option<String>,

    /// Seconds after which a page is given up that is fetched.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,

    /// The most bytes a page may have, unpacked.
    #[arg(long, value_name = "BYTES", default_value_t = 512_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_bytes: u64,
}

impl Reader {
    pub(crate) fn reading(&self) -> Result<Reading> {
        if let Some(charset) = &self.charset {
            ensure!(
                unchaff::dom::decode::is_known(charset),
                "--charset {charset} is not a charset of the web; names are like utf-8, windows-1252, shift_jis, gb18030"
            );
        }
        Ok(Reading {
            charset: self.charset.clone(),
            timeout: Duration::from_secs(self.timeout),
            max_bytes: self.max_bytes,
            ..Reading::default()
        })
    }
}

/// Finds blocks of a kind on all inputs; says whether all went well.
pub(crate) fn run(options: &Pages, content: &OfContent, kind: BlockKind) -> Result<bool> {
    let arguments = inputs_or_stdin(&options.inputs, "`unchaff extract --help` shows examples")?;
    let reading = options.reader.reading()?;
    let named = NamedPages::open(&arguments, options.site.is_some(), reading.clone());
    let (is_many, is_opened) = (named.is_many, named.is_opened);
    ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
    if let Some(url) = &options.url {
        ensure!(
            Url::parse(url).is_ok_and(|url| url.has_host()),
            "--url {url} is not an absolute address; write it like https://example.org/page"
        );
    }
    let form = options.format;
    let destination = destination(options, is_many)?;
    let usual = if is_many && destination == Destination::Stream { Format::Json } else { Format::default() };
    let format = form.map_or(usual, Form::of_pages);
    let mut rendering = content.looks.rendering(format, &options.fields, options.complement)?;
    if form == Some(Form::Parquet) {
        ensure!(!options.explain, "what led to a result is no column of a table; leave --explain away");
        rendering.fields = rendering.columns().to_vec();
    }
    ensure!(
        !is_many || destination != Destination::Stream || rendering.is_lines(),
        "many inputs on standard output are JSON lines or a table (--format json, chunks, csv, parquet); for {format}, name a folder to write to (-o DIR)"
    );
    ensure!(
        format != Format::Csv || destination == Destination::Stream,
        "a table is one for all pages: write it with > FILE instead of -o"
    );
    let bar = match is_many {
        true if is_opened => Bar::new(),
        true => Bar::new().counting(move || inputs(&arguments).count() as u64),
        false => Bar::hidden(),
    };
    let job = EachPage {
        workers: &Workers::new(options.jobs.map(usize::from))?,
        watch: &bar,
        finder: finder(options, content, kind, &reading)?,
        kind,
        explain: options.explain,
        rendering,
        url: options.url.clone(),
        fetcher: Fetcher::new(reading.fetch_options(options.allow_private)),
        reading,
        destination,
        unaddressed: "the page has no address (--url), so what is kept of its site cannot be told",
    };
    let mut sink = Sink::open(form, options.output.as_deref(), &job.rendering.fields)?;
    let done = job.run(named, &mut sink, &mut |error| bar.warn(&said(&error.into())))?;
    sink.finish()?;
    bar.finish_with();
    if done.nameless > 0 {
        tell(&format!(
            "unchaff: {} of {} pages have no address, so the store neither knows their site nor learned from them; --url gives the address of one page",
            done.nameless, done.pages
        ));
    }
    if done.pages > 1 && done.failed > 0 {
        tell(&format!("unchaff: {} of {} inputs failed", done.failed, done.pages));
    }
    Ok(done.failed == 0)
}

/// The inputs that were named, or standard input if something comes in there.
pub(crate) fn inputs_or_stdin(inputs: &[OsString], more: &str) -> Result<Vec<OsString>> {
    if !inputs.is_empty() {
        return Ok(inputs.to_vec());
    }
    ensure!(
        !std::io::stdin().is_terminal(),
        "nothing to read: name a file, a folder or a web address, or pipe a page in; {more}"
    );
    Ok(vec!["-".into()])
}

/// Where results go. A table takes all of them.
fn destination(options: &Pages, is_many: bool) -> Result<Destination> {
    let is_table = options.format == Some(Form::Parquet);
    let Some(path) = &options.output else { return Ok(Destination::Stream) };
    ensure!(!(is_table && path.is_dir()), "{} is a folder; a table is one file for all pages (-o FILE)", path.display());
    if is_table {
        return Ok(Destination::Stream);
    }
    if is_many || path.is_dir() || ends_in_slash(path) {
        ensure!(!path.is_file(), "{} is a file; many inputs need a folder to write to (-o DIR)", path.display());
        return Ok(Destination::Folder(path.clone()));
    }
    Ok(Destination::File(path.clone()))
}

/// The technique that is named, or the default for the kind of block.
fn finder(options: &Pages, content: &OfContent, kind: BlockKind, reading: &Reading) -> Result<Finder<TemplateStore>> {
    let site = options.site.as_ref().or(bootstrapped(options, content)?);
    ensure!(site.is_none() || options.url.is_none(), "--url is for pages without a site; for a mirrored folder say --base-url");
    let command = options.external.technique(kind)?;
    ensure!(
        command.is_none() || !(options.explain || content.bootstrap),
        "a command tells nothing of how it came to its result; leave --explain and --bootstrap away"
    );
    let base_urls = base_urls(&options.base_url)?;
    let open = |site: &OsString| -> Result<Box<AnySite>> {
        let polite = PoliteOptions { allow_private: options.allow_private, ..PoliteOptions::default() };
        Ok(Box::new(open_site(site, &base_urls, polite, reading)?))
    };
    Ok(Finder::of(Wanted {
        kind,
        technique: options.technique.as_deref().or(content.bootstrap.then_some("bootstrap-learned")),
        settings: &settings(content.favor.as_deref(), &options.settings),
        explain: options.explain,
        command,
        site: site.map(open).transpose()?,
        base: base_urls.first().cloned(),
        kept: options.store.as_deref().map(crate::store::open).transpose()?,
    })?)
}

/// The page from whose links a site is learned, if it is to be.
fn bootstrapped<'o>(options: &'o Pages, content: &OfContent) -> Result<Option<&'o OsString>> {
    if !content.bootstrap || options.site.is_some() {
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
