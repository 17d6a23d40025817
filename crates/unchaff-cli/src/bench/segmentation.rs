//! `unchaff bench segmentation`.

use super::write_or_print;
use crate::bench_arguments::Segmentation;
use crate::extract::base_urls;
use crate::output::tell;
use anyhow::Result;
use std::path::PathBuf;
use unchaff_bench::gold::Notation;
use unchaff_bench::run::{self, Contender, Options};
use unchaff_bench::segmentation::fitting::fitted;
use unchaff_bench::segmentation::{Comparison, DrawnPage, Study, TECHNIQUES, compare, gain, growth, stability, tried, write};
use unchaff_bench::suite::{Layout, Suite};
use unchaff_job::Sites;
use unchaff_render::chromium::{self, Chromium};
use unchaff_render::files::Files;

/// What is tried at ten settings each, as in the thesis, unless something else is asked for.
const TRIED: [&str; 2] = ["bcs:ct=0.1..1:0.1", "vips:pdoc=1..10"];

pub(super) fn study(options: &Segmentation) -> Result<()> {
    let mut study = Study::default();
    if options.tables {
        study.comparison = Some(tables(options)?);
    } else if !options.suites.is_empty() {
        let asked = if options.tried.is_empty() { TRIED.map(str::to_owned).to_vec() } else { options.tried.clone() };
        let (suites, how) = suites(options, &options.suites, &techniques(&asked)?)?;
        for suite in &suites {
            study.stability.extend(stability(suite, &asked, &how)?);
        }
    }
    if !options.sources.is_empty() {
        of_sites(options, &mut study)?;
    }
    write_or_print(options.output.as_deref(), write(&study, options.format).as_bytes())
}

fn techniques(asked: &[String]) -> Result<Vec<Contender>> {
    Ok(asked.iter().map(|text| tried(text)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Suites of pages with segments, with boxes for the techniques that need some.
fn suites(options: &Segmentation, folders: &[PathBuf], contenders: &[Contender]) -> Result<(Vec<Suite>, Options)> {
    let mut suites = Suite::open_all(folders, Notation::TECO)?;
    suites.retain(|suite| suite.layout == Layout::Segments);
    anyhow::ensure!(!suites.is_empty(), "none of these suites has segments; see docs/workbench.md for what one looks like");
    if let Some(folder) = &options.layouts {
        suites.iter_mut().for_each(|suite| suite.keep_boxes_in(folder));
    }
    let how = Options { limit: Some(options.limit), ..Options::default() };
    run::render_missing(&suites, contenders, &how, &mut |told| tell(told))?;
    Ok((suites, how))
}

fn tables(options: &Segmentation) -> Result<Comparison> {
    let contenders = match &options.tried[..] {
        [] => TECHNIQUES.iter().map(|text| Contender::one(text, &[])).collect::<Result<Vec<_>, _>>()?,
        asked => techniques(asked)?,
    };
    let boxes = [Contender::one("segments-auto", &[])?];
    let (mut pages, mut measured) = (Vec::new(), Vec::new());
    for suite in suites(options, &options.suites, &boxes)?.0 {
        pages.extend(DrawnPage::all(&suite, true)?);
        measured.push(format!("{} {}", suite.name, suite.digest));
    }
    if !options.also_fit.is_empty() {
        for suite in suites(options, &options.also_fit, &boxes)?.0 {
            pages.extend(DrawnPage::all(&suite, false)?);
        }
    }
    let comparison = Comparison { suites: measured, ..compare(&pages, &contenders) };
    if let Some(file) = &options.write_model {
        let model = fitted(&pages.iter().collect::<Vec<_>>());
        let remark = "# Fitted by `unchaff bench segmentation --tables --write-model`: a line a tree.";
        write_or_print(Some(file), format!("{remark}\n{}", model.lines()).as_bytes())?;
    }
    Ok(comparison)
}

fn of_sites(options: &Segmentation, study: &mut Study) -> Result<()> {
    let sites = Sites::open(&options.sources, &base_urls(&options.base_url)?, &options.reader.reading()?)?;
    sites.warnings().iter().for_each(|warning| tell(warning));
    let techniques = options.gain.iter().map(|text| Contender::one(text, &[])).collect::<Result<Vec<_>, _>>()?;
    let carrying = crate::segment::carrying(&options.carry_over)?;
    let mut renderer = Chromium::new(chromium::Options::default());
    let files = |id| {
        let (root, page) = sites.any()?.file(id)?;
        Some(Files { root: root.to_owned(), page: page.to_owned() })
    };
    for (name, _) in sites.names() {
        sites.with(&name, |site| -> Result<()> {
            study.growth.push(growth(&name, site, options.limit, options.similarity));
            for technique in &techniques {
                let mut told = |said: String| tell(&format!("unchaff: {said}"));
                study.gain.push(gain((&name, site, &files), options.limit, technique, &carrying, &mut renderer, &mut told)?);
            }
            Ok(())
        })?;
    }
    Ok(())
}
