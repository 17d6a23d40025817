//! The experiments one after the other: on suites whose segments are known, then on the pages of sites.

use super::fitting::fitted;
use super::{Comparison, DrawnPage, Study, TECHNIQUES, compare, gain, growth, stability, tried};
use crate::gold::Notation;
use crate::run::{self, Contender, Options, RunError};
use crate::suite::{Layout, MissingBoxes, Suite, SuiteError};
use std::path::{Path, PathBuf};
use thiserror::Error;
use unchaff_job::{JobError, Sites};
use unchaff_render::chromium::{self, Chromium};
use unchaff_render::files::Files;
use unchaff_segment::segment_stream::StreamOptions;
use unchaff_segment::segments_auto::Model;

/// What is tried at ten settings each, as in the thesis, unless something else is asked for.
const TRIED: [&str; 2] = ["bcs:ct=0.1..1:0.1", "vips:pdoc=1..10"];

/// Why there is no study.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A suite cannot be opened.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// None has segments.
    #[error("none of these suites has segments; see docs/workbench.md for what one looks like")]
    NoSegments,
    /// Boxes are missing.
    #[error(transparent)]
    Boxes(#[from] MissingBoxes),
    /// A technique cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A site cannot be opened.
    #[error(transparent)]
    Job(#[from] JobError),
}

/// What is studied on suites.
#[derive(Clone, Copy, Debug)]
pub struct OnSuites<'s> {
    /// Folders of suites.
    pub suites: &'s [PathBuf],
    /// Techniques, at several settings where stability is studied; those of the thesis, or for a comparison all, if none is named.
    pub tried: &'s [String],
    /// At most so many pages of each suite.
    pub limit: usize,
    /// Where boxes are kept.
    pub layouts: Option<&'s Path>,
}

impl OnSuites<'_> {
    /// Suites of pages with segments, with boxes for the techniques that need some.
    fn opened(
        &self,
        folders: &[PathBuf],
        contenders: &[Contender],
        tell: &mut dyn FnMut(&str),
    ) -> Result<(Vec<Suite>, Options), StudyError> {
        let mut suites = Suite::open_all(folders, Notation::TECO)?;
        suites.retain(|suite| suite.layout == Layout::Segments);
        if suites.is_empty() {
            return Err(StudyError::NoSegments);
        }
        if let Some(folder) = self.layouts {
            suites.iter_mut().for_each(|suite| suite.keep_boxes_in(folder));
        }
        let options = Options { limit: Some(self.limit), ..Options::default() };
        run::render_missing(&suites, contenders, &options, tell)?;
        Ok((suites, options))
    }
}

fn at_settings(asked: &[String]) -> Result<Vec<Contender>, StudyError> {
    Ok(asked.iter().map(|text| tried(text)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// What is studied on sites.
#[derive(Clone, Debug)]
pub struct OnSites<'s> {
    /// The sites.
    pub sites: &'s Sites,
    /// Techniques with and without templates.
    pub gain: &'s [String],
    /// How segments are carried over.
    pub carrying: StreamOptions,
    /// How similar pages of one template are at least.
    pub similarity: f64,
    /// At most so many pages of each site.
    pub limit: usize,
}

impl Study {
    /// Adds the experiments on suites, and tells what is going on.
    ///
    /// # Errors
    /// If a suite cannot be used, or a technique cannot be run.
    pub fn on_suites(&mut self, how: &OnSuites<'_>, tell: &mut dyn FnMut(&str)) -> Result<(), StudyError> {
        let asked = if how.tried.is_empty() { TRIED.map(str::to_owned).to_vec() } else { how.tried.to_vec() };
        let (suites, options) = how.opened(how.suites, &at_settings(&asked)?, tell)?;
        for suite in &suites {
            self.stability.extend(stability(suite, &asked, &options)?);
        }
        Ok(())
    }

    /// Adds the comparison of techniques on suites, `segments-auto` by cross-validation, fitted to the pages of further suites too. Returns the model that is fitted to all of them.
    ///
    /// # Errors
    /// If a suite cannot be used, or a technique cannot be run.
    pub fn compare(&mut self, how: &OnSuites<'_>, also_fit: &[PathBuf], tell: &mut dyn FnMut(&str)) -> Result<Model, StudyError> {
        let contenders = match how.tried {
            [] => TECHNIQUES.iter().map(|text| Contender::one(text, &[])).collect::<Result<Vec<_>, _>>()?,
            asked => at_settings(asked)?,
        };
        let boxes = [Contender::one("segments-auto", &[])?];
        let (mut pages, mut measured) = (Vec::new(), Vec::new());
        for suite in how.opened(how.suites, &boxes, tell)?.0 {
            pages.extend(DrawnPage::all(&suite, true)?);
            measured.push(format!("{} {}", suite.name, suite.digest));
        }
        if !also_fit.is_empty() {
            for suite in how.opened(also_fit, &boxes, tell)?.0 {
                pages.extend(DrawnPage::all(&suite, false)?);
            }
        }
        self.comparison = Some(Comparison { suites: measured, ..compare(&pages, &contenders) });
        Ok(fitted(&pages.iter().collect::<Vec<_>>()))
    }

    /// Adds the experiments on sites, and tells what is going on.
    ///
    /// # Errors
    /// If a site cannot be opened, or a technique cannot be run.
    pub fn on_sites(&mut self, how: &OnSites<'_>, tell: &mut dyn FnMut(String)) -> Result<(), StudyError> {
        let techniques = how.gain.iter().map(|text| Contender::one(text, &[])).collect::<Result<Vec<_>, _>>()?;
        let mut renderer = Chromium::new(chromium::Options::default());
        let files = |id| {
            let (root, page) = how.sites.any()?.file(id)?;
            Some(Files { root: root.to_owned(), page: page.to_owned() })
        };
        for (name, _) in how.sites.names() {
            how.sites.with(&name, |site| -> Result<(), StudyError> {
                self.growth.push(growth(&name, site, how.limit, how.similarity));
                for technique in &techniques {
                    let found = gain((&name, site, &files), how.limit, technique, &how.carrying, &mut renderer, tell)?;
                    self.gain.push(found);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
