//! The sites of a source: the one of a folder or a list, or the many of an archive.

use crate::JobError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use unchaff::dom::Site;
use unchaff_source::{AnySite, PoliteOptions, Reading, Url, WarcSites, is_web_archive, open_site};

/// What is worked on.
#[derive(Debug)]
pub enum Sites {
    /// One site and its name.
    One(String, Box<AnySite>),
    /// The sites of an archive.
    Archive(WarcSites),
}

impl Sites {
    /// Opens a source on disk: one of any kind, or several archives.
    ///
    /// # Errors
    /// If it cannot be opened, or is on the web.
    pub fn open(sources: &[OsString], base_urls: &[Url], reading: &Reading) -> Result<Sites, JobError> {
        if let Some(url) = sources.iter().filter_map(|source| source.to_str()).find(|source| source.contains("://")) {
            return Err(JobError::OnTheWeb { url: url.to_owned() });
        }
        let mut archives = Vec::new();
        for source in sources {
            match archives_of(Path::new(source)) {
                found if found.is_empty() && sources.len() > 1 && Path::new(source).is_dir() => {
                    return Err(JobError::Folder { path: source.into() });
                }
                found if found.is_empty() => archives.push(source.into()),
                found => archives.extend(found),
            }
        }
        let [source] = sources else { return Ok(Sites::Archive(WarcSites::open_all(archives, reading)?)) };
        let path = Path::new(source);
        if archives.len() > 1 || archives.first().is_some_and(|archive| archive != path) {
            return Ok(Sites::Archive(WarcSites::open_all(archives, reading)?));
        }
        if base_urls.is_empty()
            && path.is_file()
            && let Ok(archive) = WarcSites::open(path, reading)
        {
            return Ok(Sites::Archive(archive));
        }
        let site = open_site(source, base_urls, PoliteOptions::default(), reading)?;
        let name = base_urls.first().and_then(|url| url.host_str().map(str::to_owned));
        let folder = path.canonicalize().ok().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        Ok(Sites::One(name.or(folder).unwrap_or_else(|| "site".to_owned()), Box::new(site)))
    }

    /// The one site, unless it is an archive of many.
    #[must_use]
    pub fn any(&self) -> Option<&AnySite> {
        match self {
            Sites::One(_, site) => Some(site),
            Sites::Archive(_) => None,
        }
    }

    /// What was wrong with the source, one message each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        match self {
            Sites::One(_, site) => match &**site {
                AnySite::Folder(folder) => folder.warnings(),
                _ => &[],
            },
            Sites::Archive(archive) => archive.warnings(),
        }
    }

    /// Whether some of the source could not be read, so that pages may be missing.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        matches!(self, Sites::Archive(archive) if !archive.warnings().is_empty())
    }

    /// What tells this source from others, and from itself after it has changed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn fingerprint(&self) -> Result<String, JobError> {
        Ok(match self {
            Sites::One(_, site) => site.fingerprint(),
            Sites::Archive(archive) => archive.fingerprint()?,
        })
    }

    /// The names of the sites, with the number of pages of each.
    #[must_use]
    pub fn names(&self) -> Vec<(String, usize)> {
        match self {
            Sites::One(name, site) => vec![(name.clone(), site.known().len())],
            Sites::Archive(archive) => archive.sites().map(|(name, pages)| (name.to_owned(), pages)).collect(),
        }
    }

    /// Works on one of the sites.
    ///
    /// # Errors
    /// If there is none of that name, and what the work fails with.
    pub fn with<T, E: From<JobError>>(&self, name: &str, work: impl FnOnce(&dyn Site) -> Result<T, E>) -> Result<T, E> {
        match self {
            Sites::One(_, site) => work(&**site),
            Sites::Archive(archive) => work(&archive.site(name).map_err(JobError::Site)?),
        }
    }
}

/// The web archives that lie in a folder, by name.
fn archives_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.path().is_file() && is_web_archive(&entry.file_name().to_string_lossy()));
    let mut found: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    found.sort();
    found
}
