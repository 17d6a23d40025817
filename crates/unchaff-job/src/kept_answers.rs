//! Answers that were given before, kept with what is known about sites.
//!
//! A page that comes again as it was gets the answer that it got, unless something has changed that the answer depends on: the program, what is asked
//! for, the model of its site. If all pages of a sample are as they were when a model was learned from them, it need not be learned again. Nothing is carried
//! over from one page to another, so a run with what is known writes what a run without it writes.

use crate::JobError;
use crate::known_sites::KnownSites;
use crate::site_overview::Listed;
use lz4_flex::block::{compress_prepend_size, decompress_size_prepended, uncompressed_size};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::UNIX_EPOCH;
use unchaff::SiteModel;
use unchaff::dom::{PageId, Site, links};
use unchaff_site::carried_over::templates::{Digest, KeptAnswer, Templates};

/// What is packed has at least this share of its length; what says less was written by somebody else.
const TIGHTEST: usize = 256;

/// What was done with a page.
#[derive(Debug)]
pub(crate) struct Done {
    /// Its template.
    pub(crate) template: Option<String>,
    /// What is written of it.
    pub(crate) text: String,
    /// What of it stands in a list.
    pub(crate) listed: Option<Listed>,
}

impl Done {
    /// A line with the small things, then the text; packed.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&(&self.template, &self.listed)).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(self.text.as_bytes());
        compress_prepend_size(&bytes)
    }

    /// What was written; none if it is something else.
    fn from_bytes(packed: &[u8]) -> Option<Done> {
        let (length, _) = uncompressed_size(packed).ok()?;
        let mut bytes = if length <= TIGHTEST * packed.len() { decompress_size_prepended(packed).ok()? } else { return None };
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (template, listed) = serde_json::from_slice(&bytes[..end]).ok()?;
        bytes.drain(..=end);
        Some(Done { template, listed, text: String::from_utf8(bytes).ok()? })
    }
}

/// The program: its version and the file it is, which is another one when it was built again.
static PROGRAM: LazyLock<String> = LazyLock::new(|| {
    let file = std::env::current_exe().and_then(std::fs::metadata).ok();
    let changed = file.as_ref().and_then(|file| file.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    format!("{} {:?} {changed:?}", env!("CARGO_PKG_VERSION"), file.map(|file| file.len()))
});

/// Parts stand behind their lengths, so that no two lists of them are the same.
fn digest(parts: &[&[u8]]) -> Digest {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn model_digest(model: &SiteModel) -> Digest {
    digest(&[&model.to_bytes()])
}

/// What a page is read from; none if the site cannot tell.
fn source(site: &dyn Site, page: PageId) -> Option<Digest> {
    let mut hasher = Sha256::new();
    site.tell_source(page, &mut |bytes| hasher.update(bytes)).then(|| hasher.finalize().into())
}

/// The answers of one site.
pub(crate) struct KeptAnswers<'k, T> {
    known: &'k KnownSites<T>,
    /// Under which site they are kept.
    site: String,
    /// What is asked for.
    settings: String,
    /// The sources of the pages of the sample.
    sample: HashMap<PageId, Digest>,
    /// What the answers depend on besides their pages.
    model: Digest,
}

/// A question about a page, and what the answer depends on.
type Question = (Digest, Digest);

/// A page that was asked for.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The question, if it can be told whether the page is as it was.
    pub(crate) question: Option<Question>,
    /// The answer that is kept, if it is.
    pub(crate) answer: Option<Done>,
}

impl<'k, T: Templates + Send> KeptAnswers<'k, T> {
    /// Those of a site, if all of its pages are of one.
    pub(crate) fn of(known: &'k KnownSites<T>, site: &dyn Site, settings: String) -> Option<KeptAnswers<'k, T>> {
        let mut names = site.known().into_iter().map(|page| links::site(&site.url(page)).filter(|name| !name.is_empty()));
        let name = names.next().flatten().filter(|name| !name.ends_with(".invalid"))?;
        let is_one = names.all(|other| other.as_ref() == Some(&name));
        is_one.then(|| KeptAnswers { known, site: name, settings, sample: HashMap::new(), model: Digest::default() })
    }

    /// The question for the model that is learned from these pages; none if a page cannot be told.
    pub(crate) fn about_sample(&mut self, site: &dyn Site, sample: &[PageId]) -> Option<Question> {
        let sources: Option<Vec<Digest>> = sample.par_iter().map(|page| source(site, *page)).collect();
        let sources = sources?;
        let state = digest(&[PROGRAM.as_bytes(), sources.as_flattened()]);
        self.sample = sample.iter().copied().zip(sources).collect();
        Some((digest(&[b"model", self.site.as_bytes()]), state))
    }

    /// The model that is kept, if it has learned from the sample already.
    pub(crate) fn model(&mut self, (question, state): &Question) -> Result<Option<Arc<SiteModel>>, JobError> {
        let kept = self.known.answers(&[*question])?.pop().flatten();
        let Some(kept) = kept.filter(|kept| kept.state == *state) else { return Ok(None) };
        let Some(model) = self.known.model(&self.site)? else { return Ok(None) };
        // Others may have learned since.
        self.model = model_digest(&model);
        if kept.bytes != self.model {
            return Ok(None);
        }
        // Nothing is new, but the site was asked for.
        self.known.keep_answers(&self.site, &[])?;
        Ok(Some(model))
    }

    /// Notes that this model has learned from the sample.
    pub(crate) fn learned(&mut self, question: Option<Question>, model: &SiteModel) -> Result<(), JobError> {
        self.model = model_digest(model);
        let answer = |(question, state)| (question, KeptAnswer { state, bytes: self.model.to_vec() });
        self.known.keep_answers(&self.site, &Vec::from_iter(question.map(answer)))
    }

    /// What is kept of some pages.
    pub(crate) fn ask(&self, site: &dyn Site, pages: &[PageId]) -> Result<Vec<Asked>, JobError> {
        let about = |page: &PageId| {
            let source = self.sample.get(page).copied().or_else(|| source(site, *page))?;
            let url = site.url(*page);
            let question = digest(&[b"page", self.site.as_bytes(), self.settings.as_bytes(), url.as_str().as_bytes()]);
            Some((question, digest(&[PROGRAM.as_bytes(), &source, &self.model])))
        };
        let questions: Vec<Option<Question>> = pages.par_iter().map(about).collect();
        let asked: Vec<Digest> = questions.iter().flatten().map(|(question, _)| *question).collect();
        let mut answers = self.known.answers(&asked)?.into_iter();
        let answered = questions.into_iter().map(|question| {
            let kept = question.and_then(|(_, state)| answers.next()?.filter(|kept| kept.state == state));
            Asked { question, answer: kept.and_then(|kept| Done::from_bytes(&kept.bytes)) }
        });
        Ok(answered.collect())
    }

    /// Keeps what was answered now.
    pub(crate) fn keep<'d>(&self, done: impl Iterator<Item = (Question, &'d Done)>) -> Result<(), JobError> {
        let new: Vec<_> =
            done.map(|((question, state), done)| (question, KeptAnswer { state, bytes: done.to_bytes() })).collect();
        if new.is_empty() { Ok(()) } else { self.known.keep_answers(&self.site, &new) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quiet, Rendering, Sites, WholeSites, Workers};
    use unchaff::BlockKind;
    use unchaff_source::{Reading, Url};
    use unchaff_store::TemplateStore;

    #[test]
    fn what_was_done_comes_back_whole() {
        let done = Done { template: Some("a\nb".to_owned()), text: "It rained.\n\nAgain.\n".to_owned(), listed: None };
        let again = Done::from_bytes(&done.to_bytes()).unwrap();
        assert_eq!((again.template, again.text), (done.template, done.text));
        let packed = compress_prepend_size;
        for foreign in [packed(b"no line"), packed(b"[\nx"), b"[]\nx".to_vec(), vec![255; 20], Vec::new()] {
            assert!(Done::from_bytes(&foreign).is_none(), "{foreign:?}");
        }
    }

    #[test]
    fn a_site_that_comes_again_as_it_was_is_not_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), format!("<nav>Home</nav><main><h1>{name}</h1><p>{text}</main>")).unwrap();
        };
        ["monday", "tuesday", "friday"]
            .iter()
            .for_each(|day| write(&format!("{day}.html"), &format!("On {day} it rained all day long.")));
        let known = KnownSites::new(TemplateStore::in_memory().unwrap());
        let workers = Workers::new(Some(2)).unwrap();
        let run = |known| {
            let base = [Url::parse("https://example.org/").unwrap()];
            let sites = Sites::open(&[folder.path().into()], &base, &Reading::default()).unwrap();
            let job = WholeSites {
                workers: &workers,
                watch: &Quiet,
                rendering: Rendering::default(),
                technique: None,
                shows: BlockKind::Content,
                sample: 64,
                known,
                overwrite: false,
                overview: false,
            };
            let mut out = Vec::new();
            assert_eq!(job.stream(&sites, &|_| true, &mut out).unwrap(), 0);
            (String::from_utf8(out).unwrap(), sites.any().unwrap().loads())
        };
        let (first, loads) = run(Some(&known));
        assert!(first.contains("On monday it rained all day long.") && loads >= 3);
        assert_eq!(run(Some(&known)), (first.clone(), 0));
        write("friday.html", "On friday the sun shone.");
        // What is learned has changed, and with it what all answers depend on.
        let (changed, loads) = run(Some(&known));
        assert!(changed != first && loads >= 3);
        assert_eq!(run(Some(&known)), (run(None).0, 0));
    }

    #[test]
    fn lists_of_parts_are_told_apart() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
    }
}
