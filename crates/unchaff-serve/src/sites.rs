//! What is known about sites, by the names that those who ask give them: a model each, a bounded number, within a bounded size.
//!
//! They are kept in memory. Whoever wants to keep one longer downloads it and uploads it again, here or elsewhere.

use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unchaff::SiteModel;
use unchaff_job::guarded;
use unchaff_source::WarcReader;

/// A site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SiteRecord {
    /// Its name.
    pub(crate) name: String,
    /// How many pages it is known by; at most 64.
    pub(crate) pages: usize,
    /// The size of its model.
    pub(crate) bytes: usize,
}

/// All sites.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SiteList {
    pub(crate) sites: Vec<SiteRecord>,
}

/// What was learned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LearnedRecord {
    /// What is known about the site now.
    pub(crate) site: SiteRecord,
    /// How many pages were read now.
    pub(crate) read: usize,
    /// What was wrong with the archive, if something was.
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug)]
struct Known {
    model: Arc<SiteModel>,
    bytes: usize,
}

/// Models by name.
#[derive(Debug)]
pub(crate) struct Sites {
    known: Mutex<BTreeMap<String, Known>>,
    most: usize,
    most_bytes: usize,
}

impl Sites {
    pub(crate) fn new(most: usize, most_bytes: usize) -> Sites {
        Sites { known: Mutex::default(), most, most_bytes }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are, and how many bytes they take.
    pub(crate) fn size(&self) -> (usize, usize) {
        let known = self.known();
        (known.len(), known.values().map(|known| known.bytes).sum())
    }

    pub(crate) fn list(&self) -> SiteList {
        SiteList { sites: self.known().iter().map(|(name, known)| record(name, known)).collect() }
    }

    pub(crate) fn get(&self, name: &str) -> Result<SiteRecord, Problem> {
        self.known().get(name).map(|known| record(name, known)).ok_or_else(|| missing(name))
    }

    pub(crate) fn model(&self, name: &str) -> Result<Arc<SiteModel>, Problem> {
        self.known().get(name).map(|known| Arc::clone(&known.model)).ok_or_else(|| missing(name))
    }

    pub(crate) fn delete(&self, name: &str) -> Result<(), Problem> {
        self.known().remove(name).map(drop).ok_or_else(|| missing(name))
    }

    /// Adds what was learned to what is known.
    pub(crate) fn learn(&self, name: &str, learned: SiteModel) -> Result<SiteRecord, Problem> {
        let mut known = self.known();
        let mut model = known.get(name).map(|known| SiteModel::clone(&known.model)).unwrap_or_default();
        model.merge(learned);
        self.keep(&mut known, name, model)
    }

    /// Puts a model in the place of what is known.
    pub(crate) fn put(&self, name: &str, model: SiteModel) -> Result<SiteRecord, Problem> {
        self.keep(&mut self.known(), name, model)
    }

    fn keep(&self, known: &mut BTreeMap<String, Known>, name: &str, model: SiteModel) -> Result<SiteRecord, Problem> {
        let is_new = !known.contains_key(name);
        if is_new && known.len() >= self.most {
            return Err(Problem::full(format!("{} sites are known, and there is no room for another; delete one", self.most)));
        }
        let bytes = model.to_bytes().len();
        let others: usize = known.iter().filter(|(other, _)| *other != name).map(|(_, known)| known.bytes).sum();
        if others + bytes > self.most_bytes {
            let detail = format!(
                "what is known about sites may take {} bytes, and there is no room for this; delete one",
                self.most_bytes
            );
            return Err(Problem::full(detail));
        }
        let kept = Known { model: Arc::new(model), bytes };
        let record = record(name, &kept);
        known.insert(name.to_owned(), kept);
        Ok(record)
    }
}

fn record(name: &str, known: &Known) -> SiteRecord {
    SiteRecord { name: name.to_owned(), pages: known.model.pages(), bytes: known.bytes }
}

fn missing(name: &str) -> Problem {
    Problem::not_found(format!("nothing is known about a site `{name}`; teach it with POST /v1/sites/{name}/pages"))
}

/// A name that can be one: it stands in addresses.
pub(crate) fn check_name(name: &str) -> Result<(), Problem> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    match !name.is_empty() && name.len() <= 100 && name.chars().all(is_fine) {
        true => Ok(()),
        false => {
            Err(Problem::bad("the name of a site has 1 to 100 letters, digits, dots, hyphens and underscores, like example.org"))
        }
    }
}

/// What the pages of an archive teach, as many as can be read in time, and how many these are.
pub(crate) fn learn_archive(
    archive: impl Read,
    max_bytes: u64,
    timeout: Duration,
) -> Result<(SiteModel, usize, Vec<String>), Problem> {
    let start = Instant::now();
    let archive = WarcReader::new(archive).map_err(|error| Problem::bad(format!("this is no web archive: {error}")))?;
    let mut archive = archive.max_bytes(max_bytes).timeout(timeout);
    let (mut model, mut read, mut warnings) = (SiteModel::default(), 0, Vec::new());
    for page in archive.by_ref() {
        let learned = guarded(|| SiteModel::learn([&page.parse()]));
        match learned {
            Ok(learned) => model.merge(learned),
            Err(panicked) => warnings.push(panicked.to_string()),
        }
        read += 1;
        if start.elapsed() > timeout {
            warnings.push(format!("after {} s the rest of the archive is left out; send it in parts", timeout.as_secs_f64()));
            break;
        }
    }
    warnings.extend(archive.warnings().iter().cloned());
    if read == 0 {
        return Err(Problem::bad(format!(
            "there is no page in this archive{}",
            warnings.iter().map(|said| format!("; {said}")).collect::<String>()
        )));
    }
    Ok((model, read, warnings))
}
