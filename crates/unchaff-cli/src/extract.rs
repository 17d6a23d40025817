//! `unchaff extract`, `unchaff menu` and `unchaff template`: pages in, content, menus or templates out.
//!
//! Pages are worked on in parallel, in batches, so that memory is bounded by the pages in flight; results leave in the
//! order of the inputs, whatever the number of jobs.

use crate::arguments::{OfContent, Pages};
use crate::output::{print, said, tell};
use crate::parquet::{Form, ParquetFile};
use crate::progress::Bar;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::compare::registry as compare;
use unchaff::dom::{PageId, Site};
use unchaff::{BlockKind, Document, Extraction, Extractor, Format, Page, SITE, SiteExtractor, SiteModel, registry};
use unchaff_job::external::SiteFiles;
use unchaff_job::{ExternalTechnique, KnownSites, Rendering, Watch, Workers, guarded, learn_site, site_of, write_file};
use unchaff_source::{
    AnySite, Fetcher, Input, InputError, Named, OutputNames, PoliteOptions, Reading, Url, inputs, open_site, pages, read,
};
use unchaff_store::TemplateStore;

/// With a store, pages are learned from so many at a time, whatever the number of jobs, so that answers do not depend on it.
const LEARNED_AT_A_TIME: usize = 64;

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

/// Where results go.
enum Output {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// How blocks are found.
enum Finder {
    /// On the page alone.
    Page(Extractor),
    /// By a command, which may want to know where the pages of the site lie.
    External(ExternalTechnique, Option<(Box<AnySite>, Option<Url>)>),
    /// By a technique that compares pages.
    Technique(SiteExtractor, Box<AnySite>),
    /// By what is known about the site: what its pages teach, and what is kept.
    Model(Box<WithModel>),
}

/// Pages with what is known about their sites.
struct WithModel {
    /// The site of the pages, if it is given.
    site: Option<Box<AnySite>>,
    /// Its model, where the site knows its pages.
    learned: OnceLock<Arc<SiteModel>>,
    /// What is kept.
    known: Option<KnownSites<TemplateStore>>,
}

/// Everything that is the same for all pages.
struct Job {
    finder: Finder,
    kind: BlockKind,
    explain: bool,
    rendering: Rendering,
    url: Option<String>,
    reading: Reading,
    fetcher: Fetcher,
    output: Output,
    /// Whether all pages make one Parquet file, and where.
    parquet: Option<Option<PathBuf>>,
}

/// A page that is to be done, and the name of its file.
type Task = (Result<Named, InputError>, PathBuf);

/// Finds blocks of a kind on all inputs; says whether all went well.
pub(crate) fn run(options: &Pages, content: &OfContent, kind: BlockKind) -> Result<bool> {
    let arguments = inputs_or_stdin(options)?;
    // With a site, what is named are pages of it; otherwise files that hold many pages are opened.
    let named: Box<dyn Iterator<Item = Result<Named, InputError>>> = match &options.site {
        Some(_) => Box::new(inputs(&arguments)),
        None => Box::new(pages(&arguments, options.reader.reading()?)),
    };
    let (first, rest) = split_first(named);
    let is_opened = matches!(first.as_slice(), [Ok(Named { input: Input::Held(_), .. })]);
    let is_many = rest.is_some() || is_opened;
    let job = Job::new(options, content, kind, is_many)?;
    let workers = Workers::new(options.jobs.map(usize::from))?;
    if let Finder::Model(with) = &job.finder {
        workers.install(|| with.learn())?;
    }
    let named = first.into_iter().chain(rest.into_iter().flatten());
    let bar = match is_many {
        true if is_opened => Bar::new(),
        true => Bar::new().counting(move || inputs(&arguments).count() as u64),
        false => Bar::hidden(),
    };
    job.run(named, &workers, &bar)
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
    fn new(options: &Pages, content: &OfContent, kind: BlockKind, is_many: bool) -> Result<Job> {
        let parquet = (options.format == Some(Form::Parquet)).then(|| options.output.clone());
        let output = match &options.output {
            None => Output::Stdout,
            Some(path) if parquet.is_some() => {
                ensure!(!path.is_dir(), "{} is a folder; a table is one file for all pages (-o FILE)", path.display());
                Output::Stdout
            }
            Some(path) if is_many || path.is_dir() || ends_in_slash(path) => {
                ensure!(!path.is_file(), "{} is a file; many inputs need a folder to write to (-o DIR)", path.display());
                Output::Folder(path.clone())
            }
            Some(path) => Output::File(path.clone()),
        };
        let on_one_stream = is_many && matches!(output, Output::Stdout);
        let usual = if on_one_stream { Format::Json } else { Format::default() };
        let format = options.format.map_or(usual, Form::of_pages);
        let mut rendering = content.looks.rendering(format, &options.fields, options.complement)?;
        if parquet.is_some() {
            ensure!(!options.explain, "what led to a result is no column of a table; leave --explain away");
            rendering.fields = rendering.columns().to_vec();
        }
        if on_one_stream && !rendering.is_lines() {
            bail!(
                "many inputs on standard output are JSON lines or a table (--format json, chunks, csv, parquet); for {format}, name a folder to write to (-o DIR)"
            );
        }
        ensure!(
            format != Format::Csv || matches!(output, Output::Stdout),
            "a table is one for all pages: write it with > FILE instead of -o"
        );
        ensure!(!(is_many && options.url.is_some()), "--url is the address of one page, but there are many inputs");
        if let Some(url) = &options.url {
            ensure!(
                Url::parse(url).is_ok_and(|url| url.has_host()),
                "--url {url} is not an absolute address; write it like https://example.org/page"
            );
        }
        let reading = options.reader.reading()?;
        Ok(Job {
            finder: finder(options, content, kind, &reading)?,
            kind,
            explain: options.explain,
            rendering,
            url: options.url.clone(),
            fetcher: Fetcher::new(reading.fetch_options(options.allow_private)),
            reading,
            output,
            parquet,
        })
    }

    fn run(&self, named: impl Iterator<Item = Result<Named, InputError>>, workers: &Workers, bar: &Bar) -> Result<bool> {
        print(self.rendering.head().as_bytes())?;
        let create = |path: &Option<PathBuf>| ParquetFile::create(path.as_deref(), &self.rendering.fields);
        let mut table = self.parquet.as_ref().map(create).transpose()?;
        let mut names = OutputNames::new(self.rendering.format.extension());
        let tasks = named.map(|named| {
            let path = named.as_ref().map(|named| names.name(named)).unwrap_or_default();
            (named, path)
        });
        let (mut failed, mut done) = (0u64, 0u64);
        let take = |result: Result<String>| {
            done += 1;
            bar.advance(1);
            let written = result.and_then(|text| match &mut table {
                _ if text.is_empty() => Ok(()),
                Some(table) => Ok(table.write_all(text.as_bytes())?),
                None => print(text.as_bytes()),
            });
            match written {
                Err(error) if crate::output::is_closed_pipe(&error) => Err(error),
                Err(error) => {
                    failed += 1;
                    bar.warn(&said(&error));
                    Ok(())
                }
                Ok(()) => Ok(()),
            }
        };
        match &self.finder {
            Finder::Model(with) if with.known.is_some() && with.site.is_none() => {
                self.learn_on_the_way(with, tasks, workers, take)?;
            }
            _ => workers.in_order(tasks, |task| self.page(task), take)?,
        }
        table.map_or(Ok(()), ParquetFile::finish)?;
        bar.finish_with();
        if done > 1 && failed > 0 {
            tell(&format!("unchaff: {failed} of {done} inputs failed"));
        }
        Ok(failed == 0)
    }

    /// Finds the blocks of one page; returns what goes to standard output, which is nothing if it went to a file.
    fn page(&self, (named, path): Task) -> Result<String> {
        let named = named?;
        let text = guarded(|| match &self.finder {
            Finder::Page(extractor) => {
                let page = self.read(&named)?;
                Ok(self.write(&named, if self.explain { extractor.explain(&page) } else { extractor.extract(&page) }))
            }
            Finder::External(command, None) => {
                Ok(self.write(&named, command.extract(&self.read(&named)?, None).with_context(|| input_name(&named.input))?))
            }
            Finder::External(command, Some((site, base))) => {
                let key = site.find_page(page_name(&named.input)?)?;
                let files = SiteFiles::of(site, key, base.as_ref());
                Ok(self
                    .write(&named, command.extract(&*site.load(key)?, files.as_ref()).with_context(|| input_name(&named.input))?))
            }
            Finder::Technique(extractor, site) => {
                let key = site.find_page(page_name(&named.input)?)?;
                let page = site.load(key)?;
                let found =
                    if self.explain { extractor.explain(&**site, key, &page) } else { extractor.extract(&**site, key, &page) };
                Ok(self.write(&named, found?))
            }
            Finder::Model(with) => {
                let (page, model) = match &with.site {
                    None => (Arc::new(self.read(&named)?), Arc::default()),
                    Some(site) => {
                        let key = site.find_page(page_name(&named.input)?)?;
                        let page = site.load(key)?;
                        let model = with.model(site, key, &page)?;
                        (page, model)
                    }
                };
                Ok(self.write(&named, self.known(&page, &model)))
            }
        });
        let text: Result<String> = text.with_context(|| input_name(&named.input))?;
        self.deliver(text?, &path)
    }

    /// What is found on a page by what is known about its site: of all blocks the one that is asked for.
    fn known<'p>(&self, page: &'p Page, model: &SiteModel) -> Extraction<'p> {
        Extraction::of(page, self.kind, SITE, model.detect(page).only(self.kind))
    }

    /// Pages whose sites nobody named: some are read, their sites learn from them, and then their blocks are found.
    fn learn_on_the_way(
        &self,
        with: &WithModel,
        tasks: impl Iterator<Item = Task>,
        workers: &Workers,
        mut take: impl FnMut(Result<String>) -> Result<()>,
    ) -> Result<()> {
        let (mut nameless, mut all) = (0, 0);
        let mut tasks = tasks.peekable();
        while tasks.peek().is_some() {
            let batch: Vec<Task> = tasks.by_ref().take(LEARNED_AT_A_TIME).collect();
            let seen: Vec<Result<_>> = workers.all(batch, |(named, path)| {
                let named = named?;
                let read = guarded(|| {
                    let page = self.read(&named)?;
                    let learned = site_of(&page).map(|site| (site, SiteModel::learn([&page])));
                    Ok::<_, anyhow::Error>((page, learned))
                });
                let (page, learned) = read.with_context(|| input_name(&named.input))??;
                Ok((named, path, page, learned))
            });
            all += seen.len();
            nameless += seen.iter().flatten().filter(|(_, _, _, learned)| learned.is_none()).count();
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
            let written = workers.all(seen, |seen| {
                let (named, path, page, learned) = seen?;
                let text = guarded(|| {
                    let model = learned.as_ref().and_then(|(site, _)| models.get(site));
                    let nothing = SiteModel::default();
                    let mut found = self.known(&page, model.map_or(&nothing, |model| model));
                    if model.is_none() {
                        found = found.with_note("the page has no address (--url), so what is kept of its site cannot be told");
                    }
                    self.write(&named, found)
                });
                self.deliver(text.with_context(|| input_name(&named.input))?, &path)
            });
            written.into_iter().try_for_each(&mut take)?;
        }
        if nameless > 0 {
            tell(&format!(
                "unchaff: {nameless} of {all} pages have no address, so the store neither knows their site nor learned from them; --url gives the address of one page"
            ));
        }
        Ok(())
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

    fn read(&self, named: &Named) -> Result<Page> {
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

impl WithModel {
    /// Learns the site, where it knows its pages.
    fn learn(&self) -> Result<()> {
        if let Some(site) = self.site.as_deref().filter(|site| !matches!(site, AnySite::Live(_))) {
            let (learned, kept_as, _) = learn_site(site, MOST_PAGES);
            let model = self.kept(learned, kept_as)?;
            self.learned.get_or_init(|| model);
        }
        Ok(())
    }

    /// What was learned, with what is kept.
    fn kept(&self, learned: SiteModel, kept_as: Option<String>) -> Result<Arc<SiteModel>> {
        Ok(match (&self.known, kept_as) {
            (Some(known), Some(site)) => known.learn(&site, learned)?,
            _ => Arc::new(learned),
        })
    }

    /// The model that serves a page: of the site as a whole, or, on the web, of what the page links to.
    fn model(&self, site: &AnySite, key: PageId, page: &Page) -> Result<Arc<SiteModel>> {
        match self.learned.get() {
            Some(learned) => Ok(Arc::clone(learned)),
            None => self.kept(SiteModel::of_site(site, key, page, MOST_PAGES), site_of(page)),
        }
    }
}

/// The technique that is named, or the default for the kind of block.
fn finder(options: &Pages, content: &OfContent, kind: BlockKind, reading: &Reading) -> Result<Finder> {
    let settings = settings(content.favor.as_deref(), &options.settings)?;
    let named = options.technique.as_deref().or(content.bootstrap.then_some("bootstrap-learned"));
    let site = options.site.as_ref().or(bootstrapped(options, content)?);
    ensure!(site.is_none() || options.url.is_none(), "--url is for pages without a site; for a mirrored folder say --base-url");
    let open = |site: &OsString| -> Result<Box<AnySite>> {
        let polite = PoliteOptions { allow_private: options.allow_private, ..PoliteOptions::default() };
        Ok(Box::new(open_site(site, &base_urls(&options.base_url)?, polite, reading)?))
    };
    if let Some(command) = options.external.technique(kind)? {
        ensure!(
            !options.explain && !content.bootstrap,
            "a command tells nothing of how it came to its result; leave --explain and --bootstrap away"
        );
        ensure!(
            site.is_some() || !command.external.needs_site(),
            "{} asks for {{pages}}, {{key}} or {{base}}: name the folder of the site with --site",
            command.name
        );
        let site = site
            .map(open)
            .transpose()?
            .map(|site| (site, base_urls(&options.base_url).ok().and_then(|urls| urls.into_iter().next())));
        return Ok(Finder::External(command, site));
    }
    let by_default = named.is_none() && settings.is_empty() && !options.explain;
    if options.store.is_some() || (site.is_some() && by_default) {
        let site = site.map(open).transpose()?;
        let known = options.store.as_deref().map(crate::store::open).transpose()?.map(KnownSites::new);
        return Ok(Finder::Model(Box::new(WithModel { site, learned: OnceLock::new(), known })));
    }
    let Some(site) = site else {
        let entry = Extractor::entry(named.unwrap_or(registry::default_for(kind)))?;
        return Ok(Finder::Page(Extractor::with_settings(entry, &settings)?));
    };
    let Some(name) = named.or(compare::default_for(kind)) else {
        bail!("the {kind} is what the page alone tells; leave --site away for --set and --explain, or name a technique with -t");
    };
    let extractor = SiteExtractor::with_settings(SiteExtractor::entry(name)?, &settings)?;
    Ok(Finder::Technique(extractor, open(site)?))
}

/// What parameters of a technique are set to.
pub(crate) fn settings<'o>(favor: Option<&'o str>, given: &'o [String]) -> Result<Vec<(&'o str, &'o str)>> {
    let mut settings: Vec<(&str, &str)> = favor.into_iter().map(|favor| ("favor", favor)).collect();
    for setting in given {
        let Some(pair) = setting.split_once('=') else { bail!("--set {setting} is not of the form PARAMETER=VALUE") };
        settings.push(pair);
    }
    Ok(settings)
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

/// How an input names a page of a site.
fn page_name(input: &Input) -> Result<&OsStr> {
    match input {
        Input::File(path) => Ok(path.as_os_str()),
        Input::Url(url) => Ok(OsStr::new(url)),
        Input::Stdin | Input::Held(_) => bail!("with --site, name the page: a file of the folder, or its address"),
    }
}

fn input_name(input: &Input) -> String {
    match input {
        Input::Stdin => "-".to_owned(),
        input => input.to_string(),
    }
}
