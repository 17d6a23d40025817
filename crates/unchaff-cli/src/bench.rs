//! `unchaff bench`: the workbench on the command line.

use crate::bench_arguments::{
    Agree, Bench, Bundle, Compare, Curves, Export, Gate, Label, MakeSuite, Merge, Package, Report, Run, Segmentation, Selected,
    Structure, SuiteFrom, Suites,
};
use crate::extract::base_urls;
use crate::output::{print, tell, write_or_print};
use crate::progress::Bar;
use anyhow::{Context, Result, bail};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use unchaff::Extractor;
use unchaff_bench::annotation::agreement::agreement;
use unchaff_bench::annotation::carrying::carry_over;
use unchaff_bench::annotation::merging;
use unchaff_bench::annotation::project::{Made, Project};
use unchaff_bench::annotation::text_mark::TextLabel;
use unchaff_bench::bundle;
use unchaff_bench::curves;
use unchaff_bench::database::Database;
use unchaff_bench::export::{Form as Lines, export};
use unchaff_bench::form::Form;
use unchaff_bench::gate::Floors;
use unchaff_bench::gold::Notation;
use unchaff_bench::label::{Selectors, label, read_copies, unlabelled};
use unchaff_bench::landmarks::GoldExtractor;
use unchaff_bench::package;
use unchaff_bench::report::{self, ReportOptions};
use unchaff_bench::run::{self, Contender, HttpOptions, Options};
use unchaff_bench::run_times;
use unchaff_bench::segmentation::{self, OnSites, OnSuites, Study};
use unchaff_bench::structure;
use unchaff_bench::suite::{Split, Suite};
use unchaff_bench::summary::Selection;
use unchaff_bench::sweep::{Axis, Keep, Sample, Sum, Sweep, Swept, sweep};
use unchaff_bench::timing::Protocol;
use unchaff_job::external::{self, ExternalTechnique};
use unchaff_job::{Sites, Watch, write_file};

/// Does what is asked; says whether all went well.
pub(crate) fn run(command: &Bench) -> Result<bool> {
    match command {
        Bench::Suites(options) => list_suites(options),
        Bench::Run(options) => run_techniques(options).map(|()| true),
        Bench::Report(options) => write_report(options).map(|()| true),
        Bench::Bundle(options) => write_bundle(options).map(|()| true),
        Bench::Package(options) => write_package(options),
        Bench::Times(options) => {
            if options.modules {
                let modules = run_times::modules(Database::open_existing(&options.db)?.connection())?;
                return print(run_times::write_modules(&modules, options.format).as_bytes()).map(|()| true);
            }
            let drivers = run_times::drivers(Database::open_existing(&options.db)?.connection())?;
            print(run_times::write(&drivers, options.format).as_bytes()).map(|()| true)
        }
        Bench::Curves(options) => draw_curves(options).map(|()| true),
        Bench::Compare(options) => compare(options).map(|()| true),
        Bench::Export(options) => export_results(options).map(|()| true),
        Bench::Gate(options) => check_gate(options),
        Bench::Structure(options) => judge_structure(options),
        Bench::Segmentation(options) => study_segmentation(options).map(|()| true),
        Bench::Label(options) => write_labels(options).map(|()| true),
        Bench::Agree(options) => agree(options).map(|()| true),
        Bench::Merge(options) => merge(options).map(|()| true),
        Bench::Suite(MakeSuite::From(options)) => make_suite(options),
    }
}

fn list_suites(options: &Suites) -> Result<bool> {
    let mut suites = Suite::open_all(&options.folders, options.labels.notation())?;
    suites.iter_mut().for_each(Suite::check);
    let all_well = suites.iter().all(|suite| suite.problems.is_empty());
    let overviews: Vec<_> = suites.iter().map(Suite::overview).collect();
    let text = match options.format.as_str() {
        "json" => format!("{:#}\n", serde_json::to_value(&overviews)?),
        _ => overviews.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    print(text.as_bytes())?;
    Ok(all_well)
}

fn judge_structure(options: &Structure) -> Result<bool> {
    let files = structure::page_files(&options.pages).context("a folder cannot be read")?;
    let files = structure::spread(files, options.limit.map_or(usize::MAX, |limit| limit as usize));
    let names = if options.technique.is_empty() { vec!["auto".to_owned()] } else { options.technique.clone() };
    let mut writers = Vec::new();
    for name in names {
        let extractor = Extractor::with_settings(Extractor::entry(&name)?, &[])?;
        writers.push((name, structure::Writer::Technique(extractor)));
    }
    for text in &options.external {
        let command = ExternalTechnique::read(text, external::TIME_LIMIT)?;
        writers.push((command.name, structure::Writer::External(command.external)));
    }
    let bar = Bar::new();
    bar.total(files.len() as u64);
    let judged = structure::judge(&files, &writers, || bar.advance(1));
    bar.finish();
    judged.problems.iter().for_each(|problem| eprintln!("{problem}"));
    let mut text = structure::table(&judged.writers);
    if options.list {
        text.extend(judged.faults.iter().flat_map(|fault| [fault, "\n"]));
    }
    print(text.as_bytes())?;
    Ok(judged.problems.is_empty())
}

fn run_techniques(options: &Run) -> Result<()> {
    let mut suites = Suite::open_all(&options.suites, options.labels.notation())?;
    if let Some(folder) = &options.layouts {
        suites.iter_mut().for_each(|suite| suite.keep_boxes_in(folder));
    }
    let limit = Duration::from_secs(options.timeout);
    let mut contenders = run::contenders(&options.techniques, &options.settings, &options.externals, limit, &suites)?;
    if !options.http.http.is_empty() {
        let how = HttpOptions::new(limit, options.http.http_anywhere, options.http.replay.as_deref())?;
        let systems = options.http.http.iter().map(|text| Contender::http(text, &how)).collect::<Result<Vec<_>, _>>()?;
        run::check_applicable(&systems, &suites)?;
        contenders.extend(systems);
    }
    let mut database = match &options.db {
        Some(path) => Database::open(path)?,
        None => Database::in_memory()?,
    };
    let how = run_options(options);
    run::render_missing(&suites, &contenders, &how, &mut |told| eprintln!("{told}"))?;
    let bar = Bar::new();
    let progress = |done: u64, all: u64| bar.at(done, all);
    if !options.sweeps.is_empty() {
        let plan = sweep_of(options)?;
        let swept = contenders.iter().map(|base| sweep(&mut database, &suites, base, &plan, &how, &progress));
        let swept = swept.collect::<Result<Vec<_>, _>>()?;
        bar.finish();
        swept.iter().for_each(|one| eprintln!("{}", one.done));
        return print(Swept::write(&swept, options.format.unwrap_or(Form::Table)).as_bytes());
    }
    let done = run::run(&mut database, &suites, &contenders, &how, &progress)?;
    bar.finish();
    eprintln!("{done}");
    let Some(form) = options.format else { return write_export(&database, Lines::Csv) };
    let selection = Selection {
        techniques: contenders.iter().map(|contender| contender.name.clone()).collect(),
        suites: suites.iter().map(|suite| suite.digest.clone()).collect(),
        split: options.split.clone(),
        beta: options.beta,
        ..Selection::default()
    };
    print(report::write(&database, &ReportOptions { selection, ..ReportOptions::default() }, form)?.as_bytes())
}

fn draw_curves(options: &Curves) -> Result<()> {
    let suites = Suite::open_all(&options.suites, options.labels.notation())?;
    let contenders = run::contenders(&options.techniques, &options.settings, &[], external::TIME_LIMIT, &suites)?;
    let how = Options {
        split: split_of(options.split.as_deref()),
        limit: options.limit,
        jobs: usize::from(options.jobs.unwrap_or(0)),
        ..Options::default()
    };
    let drawn = curves::curves(&suites, &contenders, &how, &mut |said| tell(&format!("unchaff: {said}")))?;
    if drawn.is_empty() {
        bail!("none of these techniques rates what it looks at; auto, cectd-ds, lqf and template-auto are some that do");
    }
    write_or_print(options.output.as_deref(), curves::write(&drawn, options.format).as_bytes())
}

fn split_of(name: Option<&str>) -> Option<Split> {
    name.map(|split| if split == "train" { Split::Train } else { Split::Eval })
}

fn run_options(options: &Run) -> Options {
    let mut how = Options {
        split: split_of(options.split.as_deref()),
        limit: options.limit,
        jobs: usize::from(options.jobs.unwrap_or(0)),
        protocol: options.time.then(|| Protocol { most: usize::from(options.repeat), ..Protocol::default() }),
        fresh: options.fresh,
        ..Options::default()
    };
    how.measures = options.measures.chosen();
    how.measures.subsequences = !options.without_lcs;
    how
}

fn sweep_of(options: &Run) -> Result<Sweep> {
    if options.format.is_none() {
        bail!("a sweep prints table, markdown or json; for CSV, keep it with --db and use `unchaff bench export`");
    }
    Ok(Sweep {
        axes: options.sweeps.iter().map(|text| Axis::read(text)).collect::<Result<_, _>>()?,
        sums: options.sums.iter().map(|text| Sum::read(text)).collect::<Result<_, _>>()?,
        sample: options.random.map(|size| Sample { size: size as usize, seed: options.seed }),
        keep: if options.keep == "best" { Keep::Best } else { Keep::All },
        measure: options.measure.clone(),
        top: options.top,
    })
}

fn selection(selected: &Selected, techniques: &[String]) -> Selection {
    Selection {
        techniques: techniques.to_vec(),
        suites: selected.suites.clone(),
        blocks: selected.blocks.clone(),
        measures: selected.measures.clone(),
        split: selected.split.clone(),
        beta: selected.beta,
    }
}

fn write_report(options: &Report) -> Result<()> {
    let database = Database::open_existing(&options.selected.db)?;
    let mut shown = ReportOptions { selection: selection(&options.selected, &options.techniques), ..ReportOptions::default() };
    if let Some(title) = &options.title {
        shown.title.clone_from(title);
    }
    if let Some([first, second]) = options.compare.as_deref() {
        shown.compare = Some((first.clone(), second.clone()));
    }
    shown.layouts.clone_from(&options.layouts);
    shown.worst = options.worst.unwrap_or(shown.worst);
    let text = report::write(&database, &shown, options.format)?;
    write_or_print(options.output.as_deref(), text.as_bytes())
}

fn write_bundle(options: &Bundle) -> Result<()> {
    let database = Database::open_existing(&options.selected.db)?;
    let shown = ReportOptions { selection: selection(&options.selected, &[]), ..ReportOptions::default() };
    Ok(bundle::write(&database, &shown, &options.output)?)
}

fn write_package(options: &Package) -> Result<bool> {
    let mut refused = 0;
    let documents = match &options.landmarks {
        None => package::documents(&Suite::open_all(&options.sources, Notation::TECO)?)?,
        Some(path) => {
            let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let mut tell = |said: String| {
                refused += 1;
                eprintln!("{said}");
            };
            GoldExtractor::read(&text)?.documents(&structure::page_files(&options.sources)?, &mut tell)?
        }
    };
    let name = options.output.file_stem().unwrap_or_default().to_string_lossy();
    write_file(&options.output, &package::zipped(&name, &documents)?)?;
    eprintln!("{} documents", documents.len());
    Ok(refused == 0)
}

fn compare(options: &Compare) -> Result<()> {
    let database = Database::open_existing(&options.selected.db)?;
    let comparison = report::compare(&database, &options.first, &options.second, &selection(&options.selected, &[]))?;
    print(comparison.write(options.format).as_bytes())
}

fn export_results(options: &Export) -> Result<()> {
    let form = if options.format == "jsonl" { Lines::JsonLines } else { Lines::Csv };
    write_export(&Database::open_existing(&options.db)?, form)
}

fn write_export(database: &Database, form: Lines) -> Result<()> {
    Ok(export(database, form, &mut BufWriter::new(std::io::stdout().lock()))?)
}

fn check_gate(options: &Gate) -> Result<bool> {
    let mut floors = Floors::read(&options.floors)?;
    let jobs = usize::from(options.jobs.unwrap_or(0));
    let verdicts = if options.update {
        let (changed, verdicts) = floors.update(&options.floors, jobs)?;
        writeln!(std::io::stderr(), "{changed} of {} floors changed", floors.floors.len())?;
        verdicts
    } else {
        floors.check(options.floors.parent().unwrap_or(Path::new("")), jobs)?
    };
    print(floors.write(&verdicts, options.format).as_bytes())?;
    let failed = verdicts.iter().filter(|verdict| !verdict.passes()).count();
    if failed > 0 {
        writeln!(
            std::io::stderr(),
            "unchaff: {failed} of {} floors are not met; a floor is lowered by hand, in {}",
            verdicts.len(),
            options.floors.display()
        )?;
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
        let sites = Sites::open(&options.sources, &base_urls(&options.base_url)?, &options.reader.reading()?)?;
        sites.warnings().iter().for_each(|warning| tell(warning));
        let carrying = crate::segment::carrying(&options.carry_over)?;
        let how = OnSites { sites: &sites, gain, carrying, similarity: *similarity, limit: *limit };
        study.on_sites(&how, &mut |said| tell(&format!("unchaff: {said}")))?;
    }
    write_or_print(options.output.as_deref(), segmentation::write(&study, options.format).as_bytes())
}

fn write_labels(options: &Label) -> Result<()> {
    let bytes = std::fs::read(&options.page).with_context(|| format!("cannot read {}", options.page.display()))?;
    let selectors = Selectors {
        content: options.content.clone(),
        template: options.template.clone(),
        not_template: options.not_template.clone(),
        menu: options.menu.clone(),
        comments: options.comments.clone(),
        ads: options.ads.clone(),
        segments: options.segment.clone(),
        texts: text_labels(&options.text)?,
    };
    if let Some(labelled) = &options.like {
        let (from, said) = read_copies(&read_all(std::slice::from_ref(labelled))?)?;
        let page = unlabelled(&bytes)?;
        let carried = carry_over(&from, &said[0], &page);
        if !carried.same_template {
            let percent = (carried.similarity * 100.0).round();
            tell(&format!("unchaff: the pages are only {percent} % alike, so they hardly share a template"));
        }
        return write_or_print(options.output.as_deref(), &carried.annotation.write(&page)?);
    }
    write_or_print(options.output.as_deref(), &label(&bytes, &selectors)?)
}

/// Labels of parts of texts: three words each.
fn text_labels(words: &[String]) -> Result<Vec<(TextLabel, String, String)>> {
    let label = |name: &String| {
        let known = || TextLabel::ALL.map(TextLabel::as_str).join(", ");
        TextLabel::from_name(name).with_context(|| format!("a part of a text is one of {}, not {name}", known()))
    };
    words.chunks_exact(3).map(|three| Ok((label(&three[0])?, three[1].clone(), three[2].clone()))).collect()
}

fn read_all(files: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    files.iter().map(|file| std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))).collect()
}

fn agree(options: &Agree) -> Result<()> {
    let (page, annotations) = read_copies(&read_all(&options.files)?)?;
    let agreement = agreement(&page, &annotations).context("there is nothing on the page to agree about")?;
    let text = if options.format == "json" { format!("{:#}\n", serde_json::to_value(&agreement)?) } else { agreement.table() };
    print(text.as_bytes())
}

fn merge(options: &Merge) -> Result<()> {
    let files: Vec<PathBuf> = options.files.iter().chain(&options.judge).cloned().collect();
    let (page, mut said) = read_copies(&read_all(&files)?)?;
    let judge = options.judge.as_ref().and_then(|_| said.pop());
    let merged = merging::merge(&page, &said, judge.as_ref());
    if !merged.undecided.is_empty() {
        let count = merged.undecided.len();
        tell(&format!(
            "unchaff: {count} elements have as many votes for one thing as for another, and are template; --judge decides"
        ));
    }
    write_or_print(options.output.as_deref(), &merged.annotation.write(&page)?)
}

fn make_suite(options: &SuiteFrom) -> Result<bool> {
    let sites = Sites::open(&options.sources, &base_urls(&options.base_url)?, &options.reader.reading()?)?;
    sites.warnings().iter().for_each(|warning| tell(warning));
    let Made { sites: made, problems } = Project::of_sites(&sites, &options.output, options.key.as_ref())?;
    problems.iter().for_each(|problem| tell(problem));
    let lines = made.iter().map(|(site, pages)| format!("{}: {pages} pages\n", options.output.join(site).display()));
    print(lines.collect::<String>().as_bytes())?;
    tell(&format!("unchaff: label them with `unchaff serve --workbench {}`", options.output.display()));
    Ok(problems.is_empty() && !sites.is_damaged())
}
