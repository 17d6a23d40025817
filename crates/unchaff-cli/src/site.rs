//! `unchaff site`: a whole site, or all sites of a web archive, at once.
//!
//! Each site is read twice: a sample of its pages to learn its templates from, then every page, to which they are applied
//! at about the cost of parsing. Results leave in the order of the pages. What is done stays done: a site that is
//! finished is noted in `sites.jsonl` and skipped the next time, an unfinished one goes on after its last whole line.

use crate::extract::{base_urls, page_bar, set_total};
use crate::output::{print, write_file};
use crate::with_store::{open_stream, site_of};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use unchaff::compare::LearnedSite;
use unchaff::dom::{PageId, Site};
use unchaff::{Detection, Extraction, Format, Page};
use unchaff_source::{AnySite, Input, Named, OutputNames, PoliteOptions, Url, WarcSites, open_site};
use unchaff_store::TemplateStream;

const EXAMPLES: &str = "\
Examples:
  unchaff site mirror/ -o result/ --base-url https://example.org/
  unchaff site crawl.warc.gz -o result/           every site of a web archive
  unchaff site crawl.warc.gz -o result/ -f markdown --only example.org
  unchaff site crawl.warc.gz -o result/ --store templates.db     with templates of earlier runs
  unchaff site mirror/ > pages.jsonl              one site, JSON lines";

/// What `unchaff site` is asked.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SiteOptions {
    /// A mirrored folder, a list of files with their addresses, or a WARC, which may hold many sites.
    #[arg(value_name = "SOURCE")]
    source: OsString,

    /// The folder to write to: for each site its pages, and sites.jsonl with a line about each finished site.
    ///
    /// With --format json, SITE.jsonl has a line for each page: its template group and the blocks content, template and
    /// menu, in the form of docs/json.md. With other formats, the folder SITE has a file for each page. A run that was
    /// stopped goes on where it was. Without this, the JSON lines of the one site go to standard output.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// What to write: json (lines), text, markdown, html, annotated or skeleton.
    #[arg(short, long, value_name = "FORMAT", value_parser = clap::value_parser!(Format), default_value = "json")]
    format: Format,

    /// Only these sites of an archive, by name; can be repeated.
    #[arg(long, value_name = "SITE")]
    only: Vec<String>,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL")]
    base_url: Vec<String>,

    /// From how many pages of a site to learn, spread evenly over it.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    sample: u32,

    /// A file in which templates are kept, made if it is not there: pages of a known template get their blocks from it.
    ///
    /// Only the other pages are analysed, and their templates stored; the sample is not read if there is none. The field template
    /// of a page is then its template's name in the store. Several processes can share it; `unchaff store` shows what is in it.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// What is noted about a finished site.
#[derive(Serialize)]
struct Finished<'s> {
    site: &'s str,
    pages: usize,
    failed: usize,
    templates: Vec<TemplateNote>,
}

#[derive(Serialize)]
struct TemplateNote {
    template: TemplateName,
    pages: usize,
    example: String,
}

/// What a template is called: a number of this run, or its name in the store.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
enum TemplateName {
    Number(usize),
    Stored(String),
}

pub(crate) fn run(options: &SiteOptions) -> Result<bool> {
    let store = options.store.as_deref().map(open_stream).transpose()?;
    let all_well = run_with(options, store.as_ref())?;
    if let Some(store) = store {
        store.finish()?;
    }
    Ok(all_well)
}

fn run_with(options: &SiteOptions, store: Option<&TemplateStream>) -> Result<bool> {
    let sites = Sites::open(&options.source, &base_urls(&options.base_url)?)?;
    for warning in sites.warnings() {
        let _ = writeln!(std::io::stderr(), "unchaff: {warning}");
    }
    let mut names = sites.names();
    if let Some(unknown) = options.only.iter().find(|only| names.iter().all(|(name, _)| name != *only)) {
        let known: Vec<&str> = names.iter().take(8).map(|(name, _)| name.as_str()).collect();
        bail!("--only {unknown}: there is no such site in {}; there are {}", options.source.display(), known.join(", "));
    }
    names.retain(|(name, _)| options.only.is_empty() || options.only.contains(name));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(options.jobs.unwrap_or(0)))
        .build()
        .context("cannot start threads; try a smaller --jobs")?;
    let Some(folder) = &options.output else {
        ensure!(names.len() == 1, "there are {} sites; name a folder to write to (-o DIR)", names.len());
        ensure!(options.format == Format::Json, "{} needs a folder to write to (-o DIR)", options.format);
        let name = &names[0].0;
        let hidden = ProgressBar::hidden();
        let done = pool.install(|| sites.with(name, |site| one_site(site, options, store, name, &mut Lines::Stdout, &hidden)))?;
        return Ok(done.failed == 0);
    };
    ensure!(!folder.is_file(), "{} is a file; -o names a folder", folder.display());
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let noted = folder.join("sites.jsonl");
    let finished = finished_sites(&noted)?;
    names.retain(|(name, _)| !finished.contains(name));
    let bar = page_bar();
    set_total(&bar, names.iter().map(|(_, pages)| *pages as u64).sum());
    let note = Mutex::new(open_lines(&noted)?.0);
    let failed = AtomicUsize::new(0);
    let work = |(name, _): &(String, usize)| -> Result<()> {
        let mut lines = Lines::of(folder, name, options.format)?;
        let done = sites.with(name, |site| one_site(site, options, store, name, &mut lines, &bar))?;
        failed.fetch_add(done.failed, Ordering::Relaxed);
        let line = serde_json::to_string(&done)? + "\n";
        let mut note = note.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        note.write_all(line.as_bytes()).and_then(|()| note.flush()).context("cannot write sites.jsonl")
    };
    let errors: Vec<String> = pool.install(|| {
        names.par_iter().filter_map(|named| work(named).err().map(|error| format!("{}: {error:#}", named.0))).collect()
    });
    bar.finish_and_clear();
    for error in &errors {
        let _ = writeln!(std::io::stderr(), "unchaff: {error}");
    }
    Ok(errors.is_empty() && failed.into_inner() == 0)
}

/// What is worked on: one site, or the many of an archive.
pub(crate) enum Sites {
    One(String, Box<AnySite>),
    Archive(WarcSites),
}

impl Sites {
    pub(crate) fn open(source: &OsStr, base_urls: &[Url]) -> Result<Sites> {
        let path = Path::new(source);
        if let Some(url) = source.to_str().filter(|source| source.contains("://")) {
            bail!("{url} is on the web; fetch the site first: unchaff crawl {url} -o site.warc.gz");
        }
        if base_urls.is_empty()
            && let Ok(archive) = WarcSites::open(path)
        {
            return Ok(Sites::Archive(archive));
        }
        let site = open_site(source, base_urls, PoliteOptions::default())?;
        let name = base_urls.first().and_then(|url| url.host_str().map(str::to_owned));
        let folder = path.canonicalize().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        Ok(Sites::One(name.or(folder).unwrap_or_else(|| "site".to_owned()), Box::new(site)))
    }

    /// The one site, unless it is an archive of many.
    pub(crate) fn any(&self) -> Option<&AnySite> {
        match self {
            Sites::One(_, site) => Some(site),
            Sites::Archive(_) => None,
        }
    }

    pub(crate) fn warnings(&self) -> &[String] {
        match self {
            Sites::One(_, site) => match &**site {
                AnySite::Folder(folder) => folder.warnings(),
                _ => &[],
            },
            Sites::Archive(archive) => archive.warnings(),
        }
    }

    /// The names of the sites, with the number of pages of each.
    pub(crate) fn names(&self) -> Vec<(String, usize)> {
        match self {
            Sites::One(name, site) => vec![(name.clone(), site.known().len())],
            Sites::Archive(archive) => archive.sites().map(|(name, pages)| (name.to_owned(), pages)).collect(),
        }
    }

    pub(crate) fn with<T>(&self, name: &str, work: impl FnOnce(&dyn Site) -> Result<T>) -> Result<T> {
        match self {
            Sites::One(_, site) => work(&**site),
            Sites::Archive(archive) => work(&archive.site(name)?),
        }
    }
}

/// Where the results of a site go.
enum Lines {
    Stdout,
    /// A file of lines, and how many there were already.
    File(File, usize),
    /// A folder with a file for each page.
    Folder(PathBuf),
}

impl Lines {
    fn of(folder: &Path, site: &str, format: Format) -> Result<Lines> {
        if format != Format::Json {
            return Ok(Lines::Folder(folder.join(site)));
        }
        let (file, lines) = open_lines(&folder.join(format!("{site}.jsonl")))?;
        Ok(Lines::File(file, lines))
    }

    fn done(&self) -> usize {
        if let Lines::File(_, lines) = self { *lines } else { 0 }
    }
}

/// Learns the templates of a site and applies them to all of its pages.
fn one_site<'s>(
    site: &dyn Site,
    options: &SiteOptions,
    store: Option<&TemplateStream>,
    name: &'s str,
    lines: &mut Lines,
    progress: &ProgressBar,
) -> Result<Finished<'s>> {
    let pages = site.known();
    let finder = Finder { site, name, sample: sample(&pages, options.sample as usize), learned: OnceLock::new(), store };
    let mut templates: Vec<TemplateNote> = Vec::new();
    let mut failed = 0;
    let mut names = OutputNames::new(options.format.extension());
    // Groups are counted over all pages, also those that an earlier run has written.
    let mut left = lines.done();
    for batch in pages.chunks(rayon::current_num_threads() * 16) {
        for (id, result) in finder.find(batch, options.format, progress)? {
            let (template, text) = match result {
                Ok(done) => done,
                Err(error) => {
                    failed += 1;
                    progress.suspend(|| drop(writeln!(std::io::stderr(), "unchaff: {error:#}")));
                    continue;
                }
            };
            if let Some(template) = template {
                match templates.iter_mut().find(|note| note.template == template) {
                    Some(note) => note.pages += 1,
                    None => templates.push(TemplateNote { template, pages: 1, example: site.url(id).to_string() }),
                }
            }
            if left > 0 {
                left -= 1;
                continue;
            }
            match lines {
                Lines::Stdout => print(text.as_bytes())?,
                Lines::File(file, _) => file.write_all(text.as_bytes()).with_context(|| format!("cannot write {name}.jsonl"))?,
                Lines::Folder(folder) => {
                    write_file(&folder.join(names.name(&named(&site.url(id)))), text.as_bytes())?;
                }
            }
        }
    }
    templates.sort_by(|one, other| one.template.cmp(&other.template));
    Ok(Finished { site: name, pages: pages.len(), failed, templates })
}

/// The template of a page, and what is written of it.
type PageResult = (Option<TemplateName>, String);

/// How blocks of a site's pages are found: by what a sample teaches, which is read when it is needed first, and what a store
/// knows.
struct Finder<'s> {
    site: &'s dyn Site,
    name: &'s str,
    sample: Vec<PageId>,
    learned: OnceLock<LearnedSite>,
    store: Option<&'s TemplateStream>,
}

impl Finder<'_> {
    fn learned(&self) -> &LearnedSite {
        self.learned.get_or_init(|| LearnedSite::learn(self.site, &self.sample))
    }

    /// The results for some pages, in their order.
    fn find(&self, pages: &[PageId], format: Format, progress: &ProgressBar) -> Result<Vec<(PageId, Result<PageResult>)>> {
        let write = |page: &Page, template: Option<TemplateName>, detection: Detection| -> Result<PageResult> {
            let mut text = Extraction::of(page, "site", detection).render(format);
            if format == Format::Json {
                text = format!("{{\"template\":{},{}\n", serde_json::to_string(&template)?, text.trim_start_matches('{'));
            }
            progress.inc(1);
            Ok((template, text))
        };
        let Some(store) = self.store else {
            let learned = self.learned();
            let results = pages.par_iter().map(|id| {
                let result = self.site.load(*id).map_err(Into::into).and_then(|page| {
                    let (template, detection) = learned.detect(&page);
                    write(&page, template.map(TemplateName::Number), detection)
                });
                (*id, result)
            });
            return Ok(results.collect());
        };
        // Looked at and written in parallel, settled in order: the answers do not depend on the number of threads.
        let seen: Vec<Result<_>> = pages
            .par_iter()
            .map(|id| {
                let page = self.site.load(*id)?;
                let site = site_of(&page).unwrap_or_else(|| self.name.to_owned());
                let look = store.look(&site, &page)?;
                Ok((page, site, look))
            })
            .collect();
        let teach = |page: &Page| {
            let (group, detection) = self.learned().detect(page);
            group.map(|_| detection)
        };
        let settled: Vec<Result<_>> = seen
            .into_iter()
            .map(|seen| seen.and_then(|(page, site, look)| Ok((store.settle(&site, &page, look, &teach)?, page))))
            .collect();
        store.flush()?;
        let results = pages.par_iter().zip(settled).map(|(id, settled)| {
            let result =
                settled.and_then(|(found, page)| write(&page, found.template.map(TemplateName::Stored), found.detection));
            (*id, result)
        });
        Ok(results.collect())
    }
}

/// What a page is called in the folder of its site.
pub(crate) fn named(url: &Url) -> Named {
    Named {
        input: Input::Url(url.to_string()),
        relative: PathBuf::from(
            url.path().trim_start_matches('/').to_owned() + url.query().map(|query| format!("?{query}")).as_deref().unwrap_or(""),
        ),
    }
}

/// At most so many pages, spread evenly.
pub(crate) fn sample(pages: &[PageId], most: usize) -> Vec<PageId> {
    let count = pages.len().min(most);
    (0..count).map(|at| pages[at * pages.len() / count]).collect()
}

/// Opens a file of lines to go on with it: half a line at its end is cut off. Also says how many lines it has.
fn open_lines(path: &Path) -> Result<(File, usize)> {
    let said = || format!("cannot write {}", path.display());
    let file = OpenOptions::new().create(true).truncate(false).read(true).append(true).open(path).with_context(said)?;
    let (mut lines, mut whole) = (0, 0u64);
    let mut reader = BufReader::new(&file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).with_context(said)? > 0 {
        if line.ends_with(b"\n") {
            lines += 1;
            whole += line.len() as u64;
        }
        line.clear();
    }
    file.set_len(whole).with_context(said)?;
    Ok((file, lines))
}

/// The sites that an earlier run has finished.
fn finished_sites(path: &Path) -> Result<HashSet<String>> {
    let Ok(text) = fs::read_to_string(path) else { return Ok(HashSet::new()) };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| {
            let note: serde_json::Value =
                serde_json::from_str(line).with_context(|| format!("{} is not what unchaff writes", path.display()))?;
            Ok(note["site"].as_str().unwrap_or_default().to_owned())
        })
        .collect()
}
