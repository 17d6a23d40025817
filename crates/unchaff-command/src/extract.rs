//! `unchaff extract`, `unchaff menu` and `unchaff template`: pages in, content, menus or templates out (`unchaff_job::EachPage`).

use crate::arguments::{OfContent, Pages, settings};
use crate::output::{inform, said, sink};
use crate::progress::Bar;
use anyhow::{Result, bail, ensure};
use std::ffi::OsString;
use std::io::IsTerminal;
use unchaff::{BlockKind, Format};
use unchaff_job::{Destination, EachPage, Finder, Form, NamedPages, Wanted, Watch, Workers};
use unchaff_source::{AnySite, Fetcher, PoliteOptions, Reading, inputs, open_site};
use unchaff_store::TemplateStore;

/// Finds blocks of a kind on all inputs; says whether all went well.
pub(crate) fn run(options: &Pages, content: &OfContent, kind: BlockKind) -> Result<bool> {
    let arguments = inputs_or_stdin(&options.inputs, "`unchaff extract --help` shows examples")?;
    let reading = options.reader.reading();
    let named = NamedPages::open(&arguments, options.site.is_some(), reading.clone());
    let (is_many, is_opened) = (named.is_many, named.is_opened);
    ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
    let is_table = options.format == Some(Form::Parquet);
    ensure!(!(is_table && options.explain), "what led to a result is no column of a table; leave --explain away");
    let destination = Destination::of(options.output.as_deref().filter(|_| !is_table), is_many)?;
    let is_json = !options.fields.is_empty() || is_many && destination == Destination::Stream;
    let usual = if is_json { Format::Json } else { Format::default() };
    let form = options.format.unwrap_or(Form::Page(usual));
    let rendering = content.looks.rendering(form, &options.fields, options.complement)?;
    rendering.check_destination(&destination, is_many)?;
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
    let mut sink = sink(form, options.output.as_deref(), &job.rendering.fields)?;
    let done = job.run(named, &mut sink, &mut |error| bar.warn(&said(&error.into())))?;
    sink.finish()?;
    bar.finish_with();
    if done.nameless > 0 {
        inform(&format!(
            "{} of {} pages have no address, so the store neither knows their site nor learned from them; --url gives the address of one page",
            done.nameless, done.pages
        ));
    }
    if done.pages > 1 && done.failed > 0 {
        inform(&format!("{} of {} inputs failed", done.failed, done.pages));
    }
    Ok(done.failed == 0)
}

/// The inputs that were named, or standard input if something comes in there.
pub(crate) fn inputs_or_stdin(inputs: &[OsString], more: &str) -> Result<Vec<OsString>> {
    ensure!(
        !(inputs.is_empty() && std::io::stdin().is_terminal()),
        "nothing to read: name a file, a folder or a web address, or pipe a page in; {more}"
    );
    Ok(if inputs.is_empty() { vec!["-".into()] } else { inputs.to_vec() })
}

/// The technique that is named, or the default for the kind of block.
fn finder(options: &Pages, content: &OfContent, kind: BlockKind, reading: &Reading) -> Result<Finder<TemplateStore>> {
    let site = match &options.site {
        None if content.bootstrap => Some(bootstrapped(&options.inputs)?),
        site => site.as_ref(),
    };
    ensure!(site.is_none() || options.url.is_none(), "--url is for pages without a site; for a mirrored folder say --base-url");
    let command = options.external.technique(kind)?;
    ensure!(
        command.is_none() || !(options.explain || content.bootstrap),
        "a command tells nothing of how it came to its result; leave --explain and --bootstrap away"
    );
    let open = |site: &OsString| -> Result<Box<AnySite>> {
        let polite = PoliteOptions { allow_private: options.allow_private, ..PoliteOptions::default() };
        Ok(Box::new(open_site(site, &options.base_url, polite, reading)?))
    };
    Ok(Finder::of(Wanted {
        kind,
        technique: options.technique.as_deref().or(content.bootstrap.then_some("bootstrap-learned")),
        settings: &settings(content.favor.as_deref(), &options.settings),
        explain: options.explain,
        command,
        site: site.map(open).transpose()?,
        base: options.base_url.first().cloned(),
        kept: options.store.as_deref().map(crate::store::open).transpose()?,
    })?)
}

/// The page from whose links a site is learned.
fn bootstrapped(inputs: &[OsString]) -> Result<&OsString> {
    let is_address =
        |page: &OsString| page.to_str().is_some_and(|page| page.starts_with("http://") || page.starts_with("https://"));
    match inputs {
        [page] if is_address(page) => Ok(page),
        _ => bail!(
            "--bootstrap follows the links of one page on the web: name its address, or say with --site where the other pages are"
        ),
    }
}
