//! `unchaff site`: a whole site, or all sites of a web archive, at once (`unchaff_job::WholeSites`).

use crate::arguments::settings;
use crate::arguments::site::SiteOptions;
use crate::output::{inform, print, sink};
use crate::progress::Bar;
use anyhow::{Result, bail, ensure};
use unchaff::compare::published::site_structure::StructureOptions;
use unchaff::{Field, Format, StructureRecord};
use unchaff_job::{Destination, Form, KnownSites, Named, Sites, WholeSites, Workers};

pub(crate) fn run(options: &SiteOptions) -> Result<bool> {
    let form = options.format;
    let rendering = options.looks.rendering(form, &options.fields, options.complement)?;
    let settings = settings(options.favor.as_deref(), &options.settings);
    let technique = match options.external.technique(options.show)? {
        Some(command) => Some(Named::command(command)?),
        None => options.technique.as_ref().map(|name| Named::find(name, &settings)).transpose()?,
    };
    ensure!(!options.llms || form == Form::Page(Format::Markdown), "--llms lists files of Markdown; add --format markdown");
    let destination = Destination::of(options.output.as_deref(), true)?;
    if options.structure {
        let is_known = matches!(form, Form::Page(Format::Json | Format::Text));
        ensure!(is_known, "--structure is written as json or text, not as {form}");
    } else {
        rendering.check_destination(&destination, true)?;
    }
    if options.output.is_some() {
        ensure!(form != Form::Parquet, "a table is one for all pages: write it with > FILE instead of -o");
        ensure!(
            options.fields.is_empty() || options.fields.contains(&Field::Url),
            "with -o, --fields has to name url, by which a run that was stopped knows what is done"
        );
    }
    let sites = options.reader.sites(&options.sources, &options.base_url)?;
    let names = sites.names();
    if let Some(unknown) = options.only.iter().find(|only| names.iter().all(|(name, _)| name != *only)) {
        let known: Vec<&str> = names.iter().take(8).map(|(name, _)| name.as_str()).collect();
        bail!("--only {unknown}: there is no such site; there are {}", known.join(", "));
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    if options.structure {
        return structure(&sites, wanted, form, options.base_url.is_empty());
    }
    let bar = if options.output.is_some() { Bar::new() } else { Bar::hidden() };
    let known = options.store.as_deref().map(crate::store::open).transpose()?.map(KnownSites::new);
    let job = WholeSites {
        workers: &Workers::new(options.jobs.map(usize::from))?,
        watch: &bar,
        rendering,
        technique,
        shows: options.show,
        sample: options.sample as usize,
        known: known.as_ref(),
        overwrite: options.overwrite,
        overview: options.llms,
    };
    let all_well = if let Some(folder) = &options.output {
        job.run(&sites, &wanted, folder)?
    } else {
        let mut sink = sink(form, None, &job.rendering.fields)?;
        let failed = job.stream(&sites, &wanted, &mut sink)?;
        sink.finish()?;
        failed == 0
    };
    bar.finish_with();
    Ok(all_well && !sites.is_damaged())
}

/// Tells the structure of each site.
fn structure(sites: &Sites, wanted: impl Fn(&str) -> bool, form: Form, is_nowhere: bool) -> Result<bool> {
    let mut failed = 0;
    for (name, _) in sites.names().iter().filter(|(name, _)| wanted(name)) {
        let record = sites.with(name, |site| anyhow::Ok(StructureRecord::of(name, site, &StructureOptions::default())))?;
        failed += record.failed;
        if is_nowhere && record.pages > 1 && record.is_unlinked() {
            inform(&format!(
                "{name}: no page leads to another; if its links have a host, --base-url says which one the folder stands for"
            ));
        }
        let is_text = form == Form::Page(Format::Text);
        print(if is_text { record.to_string() } else { serde_json::to_string(&record)? + "\n" }.as_bytes())?;
    }
    Ok(failed == 0 && !sites.is_damaged())
}
