//! `unchaff bench`: the workbench on the command line.

use crate::arguments::bench::{
    Agree, Bench, Compare, Curves, Gate, Label, MakeSuite, Merge, Report, Run, Segmentation, Structure, SuiteFrom,
};
use crate::arguments::settings;
use crate::output::{inform, print, read_file, tell, write_or_print};
use crate::progress::Bar;
use anyhow::{Context, Result, ensure};
use std::io::BufWriter;
use std::path::Path;
use std::time::Duration;
use unchaff_bench::annotation::agreement::agreement;
use unchaff_bench::annotation::carrying::carry_over;
use unchaff_bench::annotation::merging;
use unchaff_bench::annotation::project::{Made, Project};
use unchaff_bench::database::Database;
use unchaff_bench::export::{Form as Lines, export};
use unchaff_bench::gate::Judged;
use unchaff_bench::label::{Selectors, label, read_copies, unlabelled};
use unchaff_bench::report::{self, ReportOptions};
use unchaff_bench::run::{Entrants, Options, Plan};
use unchaff_bench::segmentation::{self, OnSites, OnSuites, Study};
use unchaff_bench::structure::{self, Writer};
use unchaff_bench::suite::Overviews;
use unchaff_bench::sweep::{Axis, Sample, Sum, Sweep};
use unchaff_bench::timing::Protocol;
use unchaff_bench::{bundle, curves, package, run_times};
use unchaff_segment::segment_stream::StreamOptions;

/// Does what is asked; says whether all went well.
pub(crate) fn run(command: Bench) -> Result<bool> {
    match command {
        Bench::Suites(options) => {
            let suites = Overviews::of(&options.folders, options.labels.notation())?;
            print(suites.write(options.format).as_bytes())?;
            return Ok(suites.are_well());
        }
        Bench::Run(options) => run_techniques(*options),
        Bench::Report(options) => write_report(options),
        Bench::Bundle(options) => {
            let database = Database::open_existing(&options.selected.db)?;
            let shown = ReportOptions { selection: options.selected.selection(Vec::new()), ..ReportOptions::default() };
            Ok(bundle::write(&database, &shown, &options.output)?)
        }
        Bench::Package(options) => {
            let packed = package::write(&options.sources, options.landmarks.as_deref(), &options.output)?;
            packed.problems.iter().for_each(|problem| tell(problem));
            tell(&format!("{} documents", packed.documents));
            return Ok(packed.problems.is_empty());
        }
        Bench::Times(options) => {
            let database = Database::open_existing(&options.db)?;
            print(run_times::report(&database, options.modules, options.format)?.as_bytes())
        }
        Bench::Curves(options) => draw_curves(options),
        Bench::Compare(options) => compare(options),
        Bench::Export(options) => write_export(&Database::open_existing(&options.db)?, options.format),
        Bench::Gate(options) => return check_gate(&options),
        Bench::Structure(options) => return judge_structure(&options),
        Bench::Segmentation(options) => study_segmentation(&options),
        Bench::Label(options) => write_labels(options),
        Bench::Agree(options) => agree(&options),
        Bench::Merge(options) => merge(options),
        Bench::Suite(MakeSuite::From(options)) => return make_suite(&options),
    }
    .map(|()| true)
}

fn judge_structure(options: &Structure) -> Result<bool> {
    let writers = Writer::all(&options.technique, &options.external)?;
    let bar = Bar::new();
    let judged = structure::judge(&options.pages, options.limit.map(|limit| limit as usize), &writers, &bar)?;
    bar.finish();
    judged.problems.iter().for_each(|problem| tell(problem));
    print(judged.write(options.list).as_bytes())?;
    Ok(judged.problems.is_empty())
}

fn run_techniques(options: Run) -> Result<()> {
    let (format, beta) = (options.format, options.beta);
    let plan = options.plan()?;
    let bar = Bar::new();
    let ran = plan.run(&mut |told| tell(told), &|done, all| bar.at(done, all))?;
    bar.finish();
    ran.done().iter().for_each(|done| tell(&done.to_string()));
    match format {
        Some(form) => print(ran.write(form, beta)?.as_bytes()),
        None => write_export(&ran.database, Lines::Csv),
    }
}

impl Run {
    /// What is to be run, without a word left to read but names of techniques.
    fn plan(self) -> Result<Plan> {
        let mut measures = self.measures.chosen();
        measures.subsequences = !self.without_lcs;
        let sweep = Sweep {
            axes: self.sweeps.iter().map(|text| Axis::read(text)).collect::<Result<_, _>>()?,
            sums: self.sums.iter().map(|text| Sum::read(text)).collect::<Result<_, _>>()?,
            sample: self.random.map(|size| Sample { size: size as usize, seed: self.seed }),
            keep: self.keep,
            measure: self.measure,
            top: self.top,
        };
        ensure!(
            sweep.axes.is_empty() || self.format.is_some(),
            "a sweep prints table, markdown or json; for CSV, keep it with --db and use `unchaff bench export`"
        );
        Ok(Plan {
            suites: self.suites,
            notation: self.labels.notation(),
            layouts: self.layouts,
            entrants: Entrants {
                techniques: self.techniques,
                settings: self.settings,
                commands: self.externals,
                systems: self.http.http,
                limit: Duration::from_secs(self.timeout),
                anywhere: self.http.http_anywhere,
                replay: self.http.replay,
            },
            options: Options {
                split: self.split,
                limit: self.limit,
                jobs: usize::from(self.jobs.unwrap_or(0)),
                protocol: self.time.then(|| Protocol { most: usize::from(self.repeat), ..Protocol::default() }),
                fresh: self.fresh,
                measures,
            },
            sweep: (!sweep.axes.is_empty()).then_some(sweep),
            database: self.db,
        })
    }
}

fn draw_curves(options: Curves) -> Result<()> {
    let Curves { suites, techniques, settings, split, limit, .. } = options;
    let plan = Plan {
        suites,
        notation: options.labels.notation(),
        entrants: Entrants { techniques, settings, ..Entrants::default() },
        options: Options { split, limit, jobs: usize::from(options.jobs.unwrap_or(0)), ..Options::default() },
        ..Plan::default()
    };
    let (suites, contenders) = plan.opened()?;
    let drawn = curves::curves(&suites, &contenders, &plan.options, &mut |said| inform(&said))?;
    write_or_print(options.output.as_deref(), curves::write(&drawn, options.format).as_bytes())
}

fn write_report(options: Report) -> Result<()> {
    let database = Database::open_existing(&options.selected.db)?;
    let usual = ReportOptions::default();
    let shown = ReportOptions {
        selection: options.selected.selection(options.techniques),
        title: options.title.unwrap_or(usual.title),
        compare: options.compare.and_then(|named| <[String; 2]>::try_from(named).ok()).map(Into::into),
        layouts: options.layouts,
        worst: options.worst.unwrap_or(usual.worst),
        ..usual
    };
    write_or_print(options.output.as_deref(), report::write(&database, &shown, options.format)?.as_bytes())
}

fn compare(options: Compare) -> Result<()> {
    let Compare { first, second, selected, format } = options;
    let database = Database::open_existing(&selected.db)?;
    print(report::compare(&database, &first, &second, &selected.selection(Vec::new()))?.write(format).as_bytes())
}

fn write_export(database: &Database, form: Lines) -> Result<()> {
    Ok(export(database, form, &mut BufWriter::new(std::io::stdout().lock()))?)
}

fn check_gate(options: &Gate) -> Result<bool> {
    let judged = Judged::of(&options.floors, options.update, usize::from(options.jobs.unwrap_or(0)))?;
    let (all, failed) = (judged.verdicts.len(), judged.failed());
    if let Some(changed) = judged.changed {
        tell(&format!("{changed} of {all} floors changed"));
    }
    print(judged.write(options.format).as_bytes())?;
    if failed > 0 {
        let file = options.floors.display();
        inform(&format!("{failed} of {all} floors are not met; a floor is lowered by hand, in {file}"));
    }
    Ok(failed == 0)
}

fn study_segmentation(options: &Segmentation) -> Result<()> {
    let Segmentation { suites, tried, limit, similarity, gain, .. } = options;
    let mut study = Study::default();
    let how = OnSuites { suites, tried, limit: *limit, layouts: options.layouts.as_deref() };
    if options.tables {
        let model = study.compare(&how, &options.also_fit, &mut |told| tell(told))?;
        if let Some(file) = &options.write_model {
            let remark = "# Fitted by `unchaff bench segmentation --tables --write-model`: a line a tree.";
            write_or_print(Some(file), format!("{remark}\n{}", model.lines()).as_bytes())?;
        }
    } else if !suites.is_empty() {
        study.on_suites(&how, &mut |told| tell(told))?;
    }
    if !options.sources.is_empty() {
        let sites = options.reader.sites(&options.sources, &options.base_url)?;
        let carrying = StreamOptions::with_settings(&settings(None, &options.carry_over)).context("--carry-over")?;
        let how = OnSites { sites: &sites, gain, carrying, similarity: *similarity, limit: *limit };
        study.on_sites(&how, &mut |said| inform(&said))?;
    }
    write_or_print(options.output.as_deref(), segmentation::write(&study, options.format).as_bytes())
}

fn write_labels(options: Label) -> Result<()> {
    let bytes = read_file(&options.page)?;
    if let Some(labelled) = &options.like {
        let (from, said) = read_copies(&[read_file(labelled)?])?;
        let page = unlabelled(&bytes)?;
        let carried = carry_over(&from, &said[0], &page);
        if !carried.same_template {
            let percent = (carried.similarity * 100.0).round();
            inform(&format!("the pages are only {percent} % alike, so they hardly share a template"));
        }
        return write_or_print(options.output.as_deref(), &carried.annotation.write(&page)?);
    }
    let text = |three: &[String]| Ok((three[0].parse()?, three[1].clone(), three[2].clone()));
    let Label { content, template, not_template, menu, comments, ads, segment: segments, .. } = options;
    let texts = options.text.chunks_exact(3).map(text).collect::<Result<_>>()?;
    let selectors = Selectors { content, template, not_template, menu, comments, ads, segments, texts };
    write_or_print(options.output.as_deref(), &label(&bytes, &selectors)?)
}

fn agree(options: &Agree) -> Result<()> {
    let copies = options.files.iter().map(|file| read_file(file)).collect::<Result<Vec<_>>>()?;
    let (page, annotations) = read_copies(&copies)?;
    let agreement = agreement(&page, &annotations).context("there is nothing on the page to agree about")?;
    let text = options.format.write(|| agreement.table(), || agreement.table(), || serde_json::json!(agreement));
    print(text.as_bytes())
}

fn merge(options: Merge) -> Result<()> {
    let copies = options.files.iter().chain(&options.judge).map(|file| read_file(file)).collect::<Result<Vec<_>>>()?;
    let (page, mut said) = read_copies(&copies)?;
    let judge = options.judge.and_then(|_| said.pop());
    let merged = merging::merge(&page, &said, judge.as_ref());
    if !merged.undecided.is_empty() {
        let count = merged.undecided.len();
        inform(&format!("{count} elements have as many votes for one thing as for another, and are template; --judge decides"));
    }
    write_or_print(options.output.as_deref(), &merged.annotation.write(&page)?)
}

fn make_suite(options: &SuiteFrom) -> Result<bool> {
    let folder: &Path = &options.output;
    let sites = options.reader.sites(&options.sources, &options.base_url)?;
    let Made { sites: made, problems } = Project::of_sites(&sites, folder, options.key.as_ref())?;
    problems.iter().for_each(|problem| tell(problem));
    let lines = made.iter().map(|(site, pages)| format!("{}: {pages} pages\n", folder.join(site).display()));
    print(lines.collect::<String>().as_bytes())?;
    inform(&format!("label them with `unchaff serve --workbench {}`", folder.display()));
    Ok(problems.is_empty() && !sites.is_damaged())
}
