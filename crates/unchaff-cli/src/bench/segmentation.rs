//! `unchaff bench segmentation`.

use super::write_or_print;
use crate::bench_arguments::Segmentation;
use crate::extract::base_urls;
use crate::output::tell;
use anyhow::Result;
use unchaff_bench::gold::Notation;
use unchaff_bench::run::{self, Contender, Options};
use unchaff_bench::segmentation::{Study, gain, growth, stability, tried, write};
use unchaff_bench::suite::{Layout, Suite};
use unchaff_job::Sites;
use unchaff_render::chromium::{self, Chromium};
use unchaff_render::files::Files;

pub(super) fn study(options: &Segmentation) -> Result<()> {
    let mut study = Study::default();
    if !options.suites.is_empty() {
        let mut suites = Suite::open_all(&options.suites, Notation::TECO)?;
        suites.retain(|suite| suite.layout == Layout::Segments);
        anyhow::ensure!(!suites.is_empty(), "none of these suites has segments; see docs/workbench.md for what one looks like");
        if let Some(folder) = &options.layouts {
            suites.iter_mut().for_each(|suite| suite.keep_boxes_in(folder));
        }
        let how = Options { limit: Some(options.limit), ..Options::default() };
        let contenders = options.tried.iter().map(|text| tried(text)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        run::render_missing(&suites, &contenders.collect::<Vec<_>>(), &how, &mut |told| tell(told))?;
        for suite in &suites {
            study.stability.extend(stability(suite, &options.tried, &how)?);
        }
    }
    if !options.sources.is_empty() {
        of_sites(options, &mut study)?;
    }
    write_or_print(options.output.as_deref(), write(&study, options.format).as_bytes())
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
