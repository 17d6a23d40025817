//! The job of a crawl: every site of a source, its model learned from a sample, then applied to all of its pages.
//!
//! Results leave in the order of the pages. What is done stays done: a site that is finished is noted, after its results are
//! written, and skipped the next time; of an unfinished one, pages that have a whole line are not written again. A site of which a page
//! failed is noted too, and tried again. What the results are of is noted first, so that those of different sources or settings do not mix.

use crate::files::open_lines;
use crate::guard::guarded;
use crate::kept_answers::{Asked, Done, KeptAnswers};
use crate::known_sites::{KnownPages, KnownSites, learn_site};
use crate::site_names::{NOTES, ORIGIN, SiteNames, page_name};
use crate::site_overview::{self, Listed, SiteOverview};
use crate::{ExternalError, ExternalTechnique, JobError, Rendering, Sites, Watch, Workers, write_file};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use unchaff::compare::learned::page_facts::PageFacts;
use unchaff::compare::learned::site_model::MOST_PAGES;
use unchaff::compare::learned::with_site::WithSite;
use unchaff::dom::links::{leads_nowhere, shown};
use unchaff::dom::order::InOrder;
use unchaff::dom::{PageId, Site};
use unchaff::{BlockKind, Extractor, Format, SiteExtractor, SiteModel, extract_with_facts};
use unchaff_site::carried_over::templates::{MOST_ANSWERS, Templates};
use unchaff_source::{OutputNames, Url};

/// What is noted about a finished site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FinishedSite {
    /// Its name.
    pub site: String,
    /// How many pages it has.
    pub pages: usize,
    /// How many of them could not be done.
    pub failed: usize,
    /// The templates of its pages.
    pub templates: Vec<TemplateNote>,
}

/// A template of a site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TemplateNote {
    /// Its name.
    pub template: String,
    /// How many pages have it.
    pub pages: usize,
    /// One of them.
    pub example: String,
}

/// A technique that was asked for.
#[derive(Debug)]
pub struct Named {
    /// Its name and settings.
    pub name: String,
    /// The technique.
    pub technique: SiteOrPage,
}

impl Named {
    /// The technique of a name with settings, of those that compare pages or look at one.
    ///
    /// # Errors
    /// If there is none, or if it has no such settings.
    pub fn find(name: &str, settings: &[(&str, &str)]) -> Result<Named, JobError> {
        let technique = match SiteExtractor::entry(name) {
            Ok(entry) => SiteOrPage::Site(SiteExtractor::with_settings(entry, settings)?),
            Err(_) => SiteOrPage::Page(Extractor::with_settings(Extractor::entry(name)?, settings)?),
        };
        Ok(Named { name: format!("{name} {settings:?}"), technique })
    }

    /// A command, which sees each page alone.
    ///
    /// # Errors
    /// If it asks where the pages of the site lie.
    pub fn command(command: ExternalTechnique) -> Result<Named, ExternalError> {
        if command.external.needs_site() {
            return Err(ExternalError::Placeholders { name: command.name });
        }
        Ok(Named { name: format!("{} {}", command.name, command.external.command), technique: SiteOrPage::External(command) })
    }
}

/// A technique that looks at a page alone, or one that compares pages.
#[derive(Debug)]
pub enum SiteOrPage {
    /// The page alone.
    Page(Extractor),
    /// With others of its site.
    Site(SiteExtractor),
    /// A command, on the page alone.
    External(ExternalTechnique),
}

/// Every site of a source: its model learned from a sample, then applied to all of its pages; what is done stays done.
pub struct WholeSites<'j, T> {
    /// The threads.
    pub workers: &'j Workers,
    /// Whoever watches.
    pub watch: &'j dyn Watch,
    /// What is written of a page.
    pub rendering: Rendering,
    /// The technique, if it is not what is known about the site.
    pub technique: Option<Named>,
    /// The block that text and Markdown are of.
    pub shows: BlockKind,
    /// From how many pages of a site is learned, 64 at most.
    pub sample: usize,
    /// What is known about sites from earlier, and kept for later.
    pub known: Option<&'j KnownSites<T>>,
    /// Whether results of another source, or of other settings, are replaced.
    pub overwrite: bool,
    /// Whether a site with a file for each page gets a list of them too, `llms.txt`.
    pub overview: bool,
}

/// What the results in a folder are of.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Origin {
    source: String,
    settings: String,
}

/// Of the line of a page, what tells which page it is.
#[derive(Deserialize)]
struct Written {
    url: Option<String>,
    input: Option<String>,
}

/// Where the results of a site go.
pub enum Output<'o> {
    /// One after the other.
    Stream(&'o mut (dyn Write + Send)),
    /// To a file of lines, which has those of some pages already, by address.
    Lines(File, PathBuf, HashSet<String>),
    /// To a folder, a file for each page.
    Folder(PathBuf),
}

impl Output<'_> {
    /// To a file of lines, after those that an earlier run has written.
    fn after(path: &Path) -> Result<Output<'static>, JobError> {
        let mut written = HashSet::new();
        let file = open_lines(path, |line| {
            written.extend(serde_json::from_slice::<Written>(line).ok().and_then(|line| line.url.or(line.input)));
        })?;
        Ok(Output::Lines(file, path.to_owned(), written))
    }

    fn has(&self, url: &Url) -> bool {
        matches!(self, Output::Lines(_, _, written) if written.contains(&*shown(url.as_str())))
    }

    /// Writes what was found on a page; returns the name of its file, if it has one.
    fn write(&mut self, names: &mut OutputNames, url: &Url, text: &str) -> Result<Option<PathBuf>, JobError> {
        match self {
            Output::Stream(stream) => stream.write_all(text.as_bytes()).map_err(JobError::Output).map(|()| None),
            Output::Lines(file, path, _) => {
                file.write_all(text.as_bytes()).map_err(|cause| JobError::Write { path: path.clone(), cause }).map(|()| None)
            }
            Output::Folder(folder) => {
                let name = names.name(&page_name(url));
                write_file(&folder.join(&name), text.as_bytes()).map(|()| Some(name))
            }
        }
    }
}

impl<T: Templates + Send> WholeSites<'_, T> {
    /// Does all these sites of a source, and writes to a folder. Says whether all pages could be done.
    ///
    /// # Errors
    /// If the folder cannot be written to, or has notes of someone else. What goes wrong with one site is said, and the others are done.
    pub fn run(&self, sites: &Sites, wanted: &dyn Fn(&str) -> bool, folder: &Path) -> Result<bool, JobError> {
        fs::create_dir_all(folder).map_err(|cause| JobError::Write { path: folder.to_owned(), cause })?;
        let notes = folder.join(NOTES);
        let mut names = SiteNames::default();
        // All sites are named, also those that are not done now, so that names are the same in every run.
        let named: Vec<(String, usize, PathBuf)> =
            sites.names().into_iter().map(|(site, pages)| (site.clone(), pages, names.lines(&site))).collect();
        let origin = Origin { source: sites.fingerprint()?, settings: self.settings() };
        self.claim(folder, &origin, named.iter().map(|(_, _, lines)| lines.as_path()))?;
        let finished = self.finished_sites(&notes, wanted)?;
        let mut todo: Vec<(String, usize, PathBuf)> = Vec::new();
        for (site, pages, lines) in named {
            if wanted(&site) && !finished.contains(&site) {
                todo.push((site, pages, folder.join(lines)));
            }
        }
        self.watch.total(todo.iter().map(|(_, pages, _)| *pages as u64).sum());
        let note = Mutex::new(open_lines(&notes, |_| ())?);
        let work = |(site, _, lines): &(String, usize, PathBuf)| -> Result<bool, JobError> {
            let mut output = match self.rendering.format {
                Format::Json => Output::after(lines)?,
                _ => Output::Folder(SiteNames::folder(lines)),
            };
            let done = sites.with(site, |opened| self.site(opened, site, &mut output))?;
            let line = serde_json::to_string(&done).unwrap_or_default() + "\n";
            let mut note = note.lock().unwrap_or_else(PoisonError::into_inner);
            append(&mut note, line.as_bytes()).map_err(|cause| JobError::Write { path: notes.clone(), cause })?;
            Ok(done.failed == 0)
        };
        let results: Vec<bool> = self.workers.install(|| {
            let each = todo.par_iter().map(|named| {
                work(named).unwrap_or_else(|error| {
                    self.watch.warn(&format!("{}: {error}", named.0));
                    false
                })
            });
            each.collect()
        });
        Ok(results.into_iter().all(|all_well| all_well))
    }

    /// Does all these sites one after the other, and writes to a stream. Says how many pages could not be done.
    ///
    /// # Errors
    /// If a site cannot be opened, or the stream takes no more.
    pub fn stream(
        &self,
        sites: &Sites,
        wanted: &dyn Fn(&str) -> bool,
        stream: &mut (dyn Write + Send),
    ) -> Result<usize, JobError> {
        stream.write_all(self.rendering.head().as_bytes()).map_err(JobError::Output)?;
        let mut failed = 0;
        for (name, _) in sites.names().iter().filter(|(name, _)| wanted(name)) {
            let done = sites.with(name, |site| self.site(site, name, &mut Output::Stream(&mut *stream)))?;
            failed += done.failed;
        }
        Ok(failed)
    }

    /// Does one site: learns its model, and applies it to all of its pages.
    ///
    /// # Errors
    /// If what is found cannot be written, or what is known about the site cannot be kept.
    pub fn site(&self, site: &dyn Site, name: &str, output: &mut Output<'_>) -> Result<FinishedSite, JobError> {
        self.workers.install(|| self.site_here(site, name, output))
    }

    fn site_here(&self, site: &dyn Site, name: &str, output: &mut Output<'_>) -> Result<FinishedSite, JobError> {
        let pages = site.known();
        let mut kept = self.kept_answers(site);
        let (model, known) = self.model(site, &mut kept)?;
        let known = Mutex::new(known);
        let mut finished = FinishedSite { site: name.to_owned(), pages: pages.len(), failed: 0, templates: Vec::new() };
        let mut names = OutputNames::new(self.rendering.format.extension());
        let mut overview = SiteOverview::default();
        for (number, batch) in pages.chunks(self.workers.at_a_time()).enumerate() {
            // Pages beyond those that answers are kept of would be read twice for nothing.
            if number * self.workers.at_a_time() >= MOST_ANSWERS {
                kept = None;
            }
            if self.watch.is_cancelled() {
                return Err(JobError::Cancelled);
            }
            let asked = kept.as_ref().map(|kept| kept.ask(site, batch)).transpose()?.unwrap_or_default();
            let asked = asked.into_iter().chain(std::iter::repeat_with(Asked::default)).take(batch.len());
            let asked: Vec<_> = batch.iter().copied().zip(asked).collect();
            let done: Vec<_> = asked
                .into_par_iter()
                .map(|(id, Asked { question, answer })| match answer {
                    Some(answer) => {
                        self.watch.advance(1);
                        self.watch.known(1);
                        (id, None, Ok(answer))
                    }
                    None => (id, question, self.page(site, id, &model, &known)),
                })
                .collect();
            if let Some(kept) = &kept {
                kept.keep(done.iter().filter_map(|(_, question, done)| Some(((*question)?, done.as_ref().ok()?))))?;
            }
            for (id, _, result) in done {
                let Done { template, text, listed } = match result {
                    Ok(done) => done,
                    Err(why) => {
                        finished.failed += 1;
                        self.watch.warn(&why);
                        continue;
                    }
                };
                let url = site.url(id);
                // Templates are counted over all pages, also those that an earlier run has written.
                if let Some(template) = template {
                    finished.count(template, &url);
                }
                if !output.has(&url)
                    && let (Some(file), Some(listed)) = (output.write(&mut names, &url, &text)?, listed)
                {
                    overview.add(url, file, listed);
                }
            }
        }
        if let (Output::Folder(folder), true) = (&*output, self.overview) {
            write_file(&folder.join(site_overview::FILE), overview.text(name).as_bytes())?;
        }
        finished.templates.order_by(|one, other| one.template.cmp(&other.template));
        Ok(finished)
    }

    /// What is known about a site: learned from a sample of its pages, and from what is kept; and what was found out about these pages.
    fn model(&self, site: &dyn Site, kept: &mut Option<KeptAnswers<'_, T>>) -> Result<(Arc<SiteModel>, KnownPages), JobError> {
        let sample = SiteModel::sample(site);
        let sample = &sample[..sample.len().min(self.sample.min(MOST_PAGES))];
        let question = kept.as_mut().and_then(|kept| kept.about_sample(site, sample));
        if let (Some(kept), Some(question)) = (&mut *kept, &question)
            && let Some(model) = kept.model(question)?
        {
            return Ok((model, KnownPages::new()));
        }
        let (model, kept_as, pages) = learn_site(site, self.sample);
        let model = match (self.known, kept_as) {
            (Some(known), Some(site)) => known.learn(&site, model)?,
            _ => Arc::new(model),
        };
        if let Some(kept) = kept {
            kept.learned(question, &model)?;
        }
        Ok((model, pages))
    }

    /// The answers that are kept of a site. Those of a technique that was asked for are its own affair.
    fn kept_answers(&self, site: &dyn Site) -> Option<KeptAnswers<'_, T>> {
        let known = self.known.filter(|_| self.technique.is_none())?;
        KeptAnswers::of(known, site, self.settings())
    }

    /// What is found on a page.
    fn page(&self, site: &dyn Site, id: PageId, model: &SiteModel, known: &Mutex<KnownPages>) -> Result<Done, String> {
        // A technique that compares comes back to its pages.
        let compares = matches!(self.technique, Some(Named { technique: SiteOrPage::Site(_), .. }));
        let page = if compares { site.load(id) } else { site.load_last(id) }.map_err(|error| error.to_string())?;
        let url = site.url(id);
        let file = leads_nowhere(url.as_str()).then(|| shown(url.as_str()));
        let facts = known.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        let done = guarded(|| {
            let tells_all = self.overview || self.rendering.has_all_blocks();
            let recipe = WithSite { only: (!tells_all).then_some(self.shows), ..WithSite::default() };
            let extraction = match self.technique.as_ref().map(|named| &named.technique) {
                None => {
                    let facts = facts.unwrap_or_else(|| PageFacts::of(&page));
                    extract_with_facts(&recipe, model, &page, facts, self.shows)
                }
                Some(SiteOrPage::Page(extractor)) => extractor.extract(&page),
                Some(SiteOrPage::External(command)) => command.extract(&page, None).map_err(|error| error.to_string())?,
                Some(SiteOrPage::Site(extractor)) => extractor.extract(site, id, &page).map_err(|error| error.to_string())?,
            };
            let listed = self.overview.then(|| Listed::of(&page, &extraction));
            let template = extraction.detection().template.clone();
            Ok(Done { template, text: self.rendering.write(extraction, file.as_deref(), None), listed })
        });
        self.watch.advance(1);
        done.unwrap_or_else(|error| Err(error.to_string())).map_err(|error| format!("{}: {error}", shown(url.as_str())))
    }
}

impl FinishedSite {
    fn count(&mut self, template: String, url: &Url) {
        match self.templates.iter_mut().find(|note| note.template == template) {
            Some(note) => note.pages += 1,
            None => self.templates.push(TemplateNote { template, pages: 1, example: shown(url.as_str()).into_owned() }),
        }
    }
}

/// Appends a line as a whole, or not at all if the disk is full.
fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let end = file.seek(SeekFrom::End(0))?;
    file.write_all(line).inspect_err(|_| drop(file.set_len(end)))
}

fn remove_if_there(path: &Path) -> Result<(), JobError> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(JobError::Write { path: path.to_owned(), cause }),
        _ => Ok(()),
    }
}

impl<T> WholeSites<'_, T> {
    /// What results depend on besides the source.
    fn settings(&self) -> String {
        let technique = self.technique.as_ref().map_or(String::new(), |named| format!(" technique={}", named.name));
        let overview = if self.overview { " overview" } else { "" };
        format!("{} show={} sample={}{technique}{overview}", self.rendering.name(), self.shows, self.sample)
    }

    /// Makes sure that the results in the folder are of this origin, or that there are none.
    fn claim<'n>(&self, folder: &Path, origin: &Origin, lines: impl Iterator<Item = &'n Path>) -> Result<(), JobError> {
        let path = folder.join(ORIGIN);
        let there: Option<Origin> = match fs::read(&path) {
            Ok(bytes) => Some(serde_json::from_slice(&bytes).map_err(|_| JobError::ForeignNotes { path: path.clone() })?),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => None,
            Err(cause) => return Err(JobError::Write { path, cause }),
        };
        if there.as_ref() == Some(origin) {
            return Ok(());
        }
        let notes = folder.join(NOTES);
        if there.is_some() || notes.exists() {
            if !self.overwrite {
                let differs = match &there {
                    Some(there) if there.source == origin.source => format!("{}, not {}", there.settings, origin.settings),
                    _ => "another source, or one that has changed since".to_owned(),
                };
                return Err(JobError::OtherResults { folder: folder.to_owned(), differs });
            }
            // The origin goes last: until then the results are known to be of another.
            lines.map(|lines| folder.join(lines)).chain([notes]).try_for_each(|path| remove_if_there(&path))?;
        }
        write_file(&path, &serde_json::to_vec(origin).unwrap_or_default())
    }

    /// The sites that an earlier run has finished. Those of which pages failed are tried again, and their notes are gone.
    fn finished_sites(&self, path: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<HashSet<String>, JobError> {
        let foreign = || JobError::ForeignNotes { path: path.to_owned() };
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| foreign())?,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(HashSet::new()),
            Err(cause) => return Err(JobError::Write { path: path.to_owned(), cause }),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let (mut finished, mut kept, mut again) = (HashSet::new(), String::new(), false);
        for line in whole.lines() {
            let note: FinishedSite = serde_json::from_str(line).map_err(|_| foreign())?;
            if note.failed > 0 && wanted(&note.site) {
                again = true;
                continue;
            }
            kept += line;
            kept.push('\n');
            finished.insert(note.site);
        }
        if again {
            write_file(path, kept.as_bytes())?;
        }
        Ok(finished)
    }
}
