//! What can be asked of `unchaff bench`, and its help.

mod curves;
mod examples;
mod http_systems;
mod segmentation;

pub(crate) use curves::Curves;
pub(crate) use http_systems::HttpSystems;
pub(crate) use segmentation::Segmentation;

use super::{Reader, base_url, one_of, setting, value};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use unchaff_bench::export::Form as Lines;
use unchaff_bench::form::Form;
use unchaff_bench::gold::Notation;
use unchaff_bench::measure::{Empty, Measures, NodeRule, WordRule};
use unchaff_bench::suite::Split;
use unchaff_bench::summary::Selection;
use unchaff_bench::sweep::Keep;
use unchaff_source::Url;

#[derive(Subcommand, Debug)]
pub(crate) enum Bench {
    /// Say what suites a folder holds, and what is wrong with them.
    #[command(after_help = examples::SUITES_EXAMPLES)]
    Suites(Suites),
    /// Run techniques on suites, measure them, and keep the results.
    ///
    /// With --sweep, look for the best settings of a technique on the training pages and evaluate them on the others.
    #[command(after_help = examples::RUN_EXAMPLES)]
    Run(Box<Run>),
    /// Write a report on the results in a database.
    #[command(after_help = examples::REPORT_EXAMPLES)]
    Report(Report),
    /// Write a bundle with all that is needed to repeat the experiments of a database.
    ///
    /// A report to read, every experiment with its scores, all parameters with the values they had, and a description: machine, parser, node rule, averages, suites with
    /// their digests, how times were taken.
    #[command(after_help = examples::BUNDLE_EXAMPLES)]
    Bundle(Bundle),
    /// Say how well techniques put the blocks of pages in order: ROC, lift, precision among the first.
    ///
    /// Every cut of a rating is judged, not the one that a technique takes, so it is for techniques that rate what they look at. Figures are means over pages.
    #[command(after_help = curves::EXAMPLES)]
    Curves(Curves),
    /// Compare two techniques page by page, with an interval for the difference.
    #[command(after_help = examples::COMPARE_EXAMPLES)]
    Compare(Compare),
    /// Write all experiments with their scores, for other programs.
    #[command(after_help = examples::EXPORT_EXAMPLES)]
    Export(Export),
    /// Check pinned floors: fail if a figure has fallen.
    #[command(after_help = examples::GATE_EXAMPLES)]
    Gate(Gate),
    /// Say how whole tables, code, headings, lists, links and formulas come out as Markdown; needs pages only, no gold.
    ///
    /// The Markdown is read back and compared with the tree of the page. Of what was taken, the table shows the share that came out whole: tables with every
    /// cell in its row and column, code byte by byte, headings of the same level, items, links, images, formulas. Where Markdown written by people stands beside a
    /// page (page.md beside page.html), lines are those that are the same.
    #[command(after_help = examples::STRUCTURE_EXAMPLES)]
    Structure(Structure),
    /// Write an evaluation package (zip) of the pages of any suites, or of pages whose gold is told by landmarks.
    ///
    /// With --landmarks, the pages are files and folders of one site, and a JSON file says between which marks of the source, and in which elements, the content is, and what is to be left
    /// out of it: {"between": [{"start": …, "end": …}], "elements": [SELECTOR], "without_between": […], "without": [SELECTOR]}. Pages that lack a mark are named and left out.
    #[command(after_help = examples::PACKAGE_EXAMPLES)]
    Package(Package),
    /// Say what drives run time: its rank correlation with properties of the pages, and tests for normality.
    ///
    /// With --modules, the mean time of each part of the work: link analysis, looking for pages that link to each other, reading and parsing, detection.
    #[command(after_help = examples::TIMES_EXAMPLES)]
    Times(Times),
    /// Study segmentation and templates: accuracy and stability over settings, growth of templates with pages, what carrying segments over saves.
    ///
    /// The experiments of Zelený's thesis (2017, chapter 9). With --suite, techniques are measured at several settings on pages whose segments are known. Of the pages of each SOURCE templates are counted as they
    /// come, and the techniques of --gain are run with templates and without, each part of the work by itself.
    #[command(after_help = segmentation::EXAMPLES)]
    Segmentation(Segmentation),
    /// Write a page with labels, to build a suite of your own.
    #[command(after_help = examples::LABEL_EXAMPLES)]
    Label(Label),
    /// Say how far people agree who labelled copies of one page: Cohen's kappa of two, Fleiss' of more.
    #[command(after_help = examples::MERGE_EXAMPLES)]
    Agree(Agree),
    /// Write the page with the labels that most people gave it, or a judge where they differ.
    #[command(after_help = examples::MERGE_EXAMPLES)]
    Merge(Merge),
    /// Make a suite of a site that was crawled, to be labelled.
    #[command(subcommand)]
    Suite(MakeSuite),
}

#[derive(Subcommand, Debug)]
pub(crate) enum MakeSuite {
    /// A folder for each site of a source, with its pages and what is known about it; `unchaff serve --workbench` labels them.
    #[command(after_help = examples::SUITE_EXAMPLES)]
    From(SuiteFrom),
}

/// A form, or none for CSV, which is no report.
pub(crate) type FormOrCsv = Option<Form>;

fn form_or_csv(text: &str) -> Result<FormOrCsv, String> {
    if text == "csv" { Ok(None) } else { value(text).map(Some) }
}

fn beta(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|beta: &f64| beta.is_finite() && *beta > 0.0).ok_or_else(|| "it takes a number above 0".to_owned())
}

/// How the labels of TeCo are read.
#[derive(Args, Debug)]
pub(crate) struct TecoLabels {
    /// Labels of other versions of the TeCo suite: version-1.0 (notTemplate and mainContent without prefix), numbered (TECO_notTemplate2 and 3).
    #[arg(long = "teco-labels", value_name = "WHICH,…", value_delimiter = ',', value_parser = ["version-1.0", "numbered"])]
    teco_labels: Vec<String>,
}

impl TecoLabels {
    pub(crate) fn notation(&self) -> Notation {
        let has = |name: &str| self.teco_labels.iter().any(|label| label == name);
        Notation { numbered: has("numbered"), unprefixed: has("version-1.0"), ..Notation::TECO }
    }
}

/// By which conventions answers are measured. A database keeps to those of its first run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Conventions")]
pub(crate) struct Conventions {
    /// Which nodes count: elements (below the body), from-body (the body and all nodes below it, text and comments too) or without-scripts (these without
    /// script, style and iframe, as the published detectors see a page).
    #[arg(long, value_name = "RULE", default_value = "elements", value_parser = value::<NodeRule>)]
    node_rule: NodeRule,

    /// What a word is: letters (runs of letters and digits in lower case, ideographs one by one) or white-space (what stands between it).
    #[arg(long, value_name = "RULE", default_value = "letters", value_parser = value::<WordRule>)]
    word_rule: WordRule,

    /// What the precision of nothing and the recall of no gold are: zero, or one (Gottron 2008).
    #[arg(long, value_name = "WHAT", default_value = "zero", value_parser = value::<Empty>)]
    empty: Empty,

    /// Take further measures: accuracy, blocks, aligned blocks, edit distance of words (CLEANEVAL). With --fresh, for pages that were done without.
    #[arg(long)]
    more_measures: bool,
}

impl Conventions {
    pub(crate) fn chosen(&self) -> Measures {
        Measures {
            words: self.word_rule,
            empty: self.empty,
            nodes: self.node_rule,
            more: self.more_measures,
            ..Measures::default()
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Suites {
    /// Folders that are suites or hold some, or zipped packages.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,

    /// What to write: table or json.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = one_of::<Form>(["table", "json"]))]
    pub(crate) format: Form,

    #[command(flatten)]
    pub(crate) labels: TecoLabels,
}

#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The suites to take: folders that are suites or hold some; can be repeated.
    #[arg(short, long = "suite", value_name = "SUITE", required = true, num_args = 1..)]
    pub(crate) suites: Vec<PathBuf>,

    /// The technique, also with settings (conex-page:c=2,max_words=4), or all; can be repeated.
    ///
    /// Techniques that find segments can be taken together: vips:pdoc=5+vips:pdoc=8.
    /// `unchaff techniques` lists them. Of all, those for whose block no suite has a gold standard stay out.
    #[arg(short, long = "technique", value_name = "NAME", num_args = 1.., required_unless_present_any = ["externals", "http"])]
    pub(crate) techniques: Vec<String>,

    /// Set a parameter of the technique, of all that are named; can be repeated. PARAMETER=@FILE reads the value from a file.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<super::Setting>,

    /// A command in the place of a technique; can be repeated.
    ///
    /// It reads a page on standard input and prints the text of its content, or the page with the attribute data-unchaff on
    /// each element of a block. NAME:BLOCK=COMMAND names another block than the content. In the command {pages} stands
    /// for the folder of the site's pages, {key} for the file of the page and {base} for the address of the folder.
    #[arg(long = "external", value_name = "NAME=COMMAND")]
    pub(crate) externals: Vec<String>,

    #[command(flatten)]
    pub(crate) http: HttpSystems,

    /// Seconds after which the command is given up for a page, with all it started; a system behind HTTP too.
    #[arg(long = "external-timeout", alias = "timeout", value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,

    /// The file of results (SQLite), made if it is not there; what it has already is not repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Run again what the database has already, for example after a change of a technique.
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Only the pages of this split.
    #[arg(long, value_name = "SPLIT", value_parser = one_of::<Split>(["train", "eval"]))]
    pub(crate) split: Option<Split>,

    /// Take at most so many pages, the first of each suite.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) labels: TecoLabels,

    /// Leave out the measures by common subsequences, which take far longer than all others. Sweeps do so by themselves.
    #[arg(long)]
    pub(crate) without_lcs: bool,

    /// How many pages to work on at a time. Default: one per core, 1 with --time.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// Take times: repeat each technique on each page until ten runs in a row agree within a tenth.
    ///
    /// The first run is discarded. The time is the mean of the ten, or the median of all if they never agree.
    #[arg(long)]
    pub(crate) time: bool,

    /// The most repetitions for a time.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "time", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeat: u16,

    /// Where boxes of pages with segments are kept, once a browser has made them.
    ///
    /// Default: the folder layouts of the suite, then unchaff/layouts in the user's cache folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) layouts: Option<PathBuf>,

    /// What to write: table, json, markdown or csv, a line for each score of each page, of all that the database has.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = form_or_csv)]
    pub(crate) format: FormOrCsv,

    #[command(flatten)]
    pub(crate) measures: Conventions,

    /// Show F and E with recall weighed so many times as much as precision, too.
    #[arg(long, value_name = "BETA", value_parser = beta)]
    pub(crate) beta: Option<f64>,

    /// Try these values of a parameter; several parameters make a grid.
    ///
    /// FROM..TO:STEP, FROM..TO for whole numbers, or A,B,C.
    #[arg(long = "sweep", value_name = "PARAMETER=VALUES", conflicts_with_all = ["split", "externals", "time"], help_heading = "Sweeps")]
    pub(crate) sweeps: Vec<String>,

    /// Of the grid, only the settings in which these parameters add up (w_class+w_pos=1); can be repeated.
    #[arg(long = "sweep-sum", value_name = "A+B=TOTAL", requires = "sweeps", help_heading = "Sweeps")]
    pub(crate) sums: Vec<String>,

    /// Of the grid, only so many settings, drawn at random.
    #[arg(long, value_name = "N", requires = "sweeps", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Sweeps")]
    pub(crate) random: Option<u32>,

    /// Where the random numbers start.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "random", help_heading = "Sweeps")]
    pub(crate) seed: u64,

    /// The measure, whose F1 decides. Default: word-bag for texts; on labelled pages words of content, nodes of templates,
    /// links of menus; f-1 for segments.
    #[arg(long, value_name = "NAME", requires = "sweeps", help_heading = "Sweeps")]
    pub(crate) measure: Option<String>,

    /// What the database keeps of the training: all experiments, or those of the best settings. A sweep of which not all is
    /// kept starts afresh when it was stopped.
    #[arg(long, value_name = "WHAT", default_value = "all", value_parser = one_of::<Keep>(["all", "best"]), requires = "sweeps", help_heading = "Sweeps")]
    pub(crate) keep: Keep,

    /// How many of the best settings to show.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "sweeps", help_heading = "Sweeps")]
    pub(crate) top: usize,
}

/// What of a database is looked at.
#[derive(Args, Debug)]
pub(crate) struct Selected {
    /// The file of results.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) db: PathBuf,

    /// The suites to take, by name or digest; can be repeated. Default: all.
    #[arg(short, long = "suite", value_name = "SUITE")]
    pub(crate) suites: Vec<String>,

    /// Only these blocks; can be repeated.
    #[arg(long = "block", value_name = "NAME")]
    pub(crate) blocks: Vec<String>,

    /// The measure; can be repeated. Default: all.
    #[arg(long = "measure", value_name = "NAME")]
    pub(crate) measures: Vec<String>,

    /// Only the pages of this split.
    #[arg(long, value_name = "SPLIT", value_parser = ["train", "eval"])]
    pub(crate) split: Option<String>,

    /// Show F and E with recall weighed so many times as much as precision, too.
    #[arg(long, value_name = "BETA", value_parser = beta)]
    pub(crate) beta: Option<f64>,
}

impl Selected {
    pub(crate) fn selection(self, techniques: Vec<String>) -> Selection {
        let Selected { suites, blocks, measures, split, beta, .. } = self;
        Selection { techniques, suites, blocks, measures, split, beta }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) selected: Selected,

    /// The technique, by name; can be repeated. Default: all of the database.
    #[arg(short, long = "technique", value_name = "NAME")]
    pub(crate) techniques: Vec<String>,

    /// What to write: html, one file that needs nothing else, markdown, table or json.
    #[arg(short, long, value_name = "FORMAT", default_value = "html", value_parser = value::<Form>)]
    pub(crate) format: Form,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The title of the report.
    #[arg(long = "heading", alias = "title", value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Compare these two techniques instead of the best two.
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    pub(crate) compare: Option<Vec<String>>,

    /// Where boxes of pages with segments are kept, as for `unchaff bench run`.
    #[arg(long, value_name = "DIR")]
    pub(crate) layouts: Option<PathBuf>,

    /// How many pages to show of the best techniques, the worst ones.
    #[arg(long, value_name = "N")]
    pub(crate) worst: Option<usize>,
}

#[derive(Args, Debug)]
pub(crate) struct Bundle {
    #[command(flatten)]
    pub(crate) selected: Selected,

    /// Where to write: a zip archive or a folder.
    #[arg(short, long, value_name = "ZIP|DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Package {
    /// Folders that are suites or hold some, or packages; with --landmarks, pages and folders of pages.
    #[arg(value_name = "SUITE|PAGE", required = true)]
    pub(crate) sources: Vec<PathBuf>,

    /// Where the content of the pages stands (JSON).
    #[arg(long, value_name = "FILE")]
    pub(crate) landmarks: Option<PathBuf>,

    /// Where to write: the package.
    #[arg(short, long, value_name = "ZIP")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Times {
    /// The file of results.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) db: PathBuf,

    /// What to write: table, json or markdown.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = value::<Form>)]
    pub(crate) format: Form,

    /// Print the mean time of each part of the work instead.
    #[arg(long)]
    pub(crate) modules: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Compare {
    /// A technique, by name, or with its settings as the tables show it.
    #[arg(value_name = "A")]
    pub(crate) first: String,

    /// Another.
    #[arg(value_name = "B")]
    pub(crate) second: String,

    #[command(flatten)]
    pub(crate) selected: Selected,

    /// What to write: table, json or markdown.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = value::<Form>)]
    pub(crate) format: Form,
}

#[derive(Args, Debug)]
pub(crate) struct Export {
    /// The file of results.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) db: PathBuf,

    /// What to write: csv, or jsonl for JSON lines.
    #[arg(short, long, value_name = "FORMAT", default_value = "csv", value_parser = one_of::<Lines>(["csv", "jsonl"]))]
    pub(crate) format: Lines,
}

#[derive(Args, Debug)]
pub(crate) struct Gate {
    /// The file of floors.
    #[arg(long, value_name = "FILE", default_value = "suite/floors.json")]
    pub(crate) floors: PathBuf,

    /// Raise the floors to what is reached now, and fill in the digests of suites that have changed. Nothing is lowered.
    #[arg(long)]
    pub(crate) update: bool,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// What to write: table, json or markdown.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = value::<Form>)]
    pub(crate) format: Form,
}

#[derive(Args, Debug)]
pub(crate) struct Structure {
    /// Pages: files, or folders with .html and .htm files somewhere in them.
    #[arg(value_name = "PAGE|FOLDER", required = true)]
    pub(crate) pages: Vec<PathBuf>,

    /// The technique; can be repeated. Default: auto.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) technique: Vec<String>,

    /// A command in the place of a technique, which reads a page on standard input and prints Markdown; can be repeated.
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) external: Vec<String>,

    /// Name the tables, code blocks, formulas and lines that did not come out whole.
    #[arg(long)]
    pub(crate) list: bool,

    /// Take at most so many pages, spread evenly over all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
}

/// Selectors are CSS; one stands for the elements it matches and everything in them.
#[derive(Args, Debug)]
pub(crate) struct Label {
    /// The page.
    #[arg(value_name = "PAGE")]
    pub(crate) page: PathBuf,

    /// What the page is about; can be repeated.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) content: Vec<String>,

    /// Pieces of template inside of what is not; can be repeated.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) template: Vec<String>,

    /// What is of this page alone but not its content; can be repeated.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) not_template: Vec<String>,

    /// The main menu: one element.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) menu: Option<String>,

    /// What readers wrote; can be repeated.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) comments: Vec<String>,

    /// Advertisements; can be repeated.
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) ads: Vec<String>,

    /// A segment for each element that matches, with its level (1 is the coarsest) and kind; can be repeated.
    #[arg(long, value_name = "LEVEL:KIND=SELECTOR", value_parser = segment)]
    pub(crate) segment: Vec<(u8, String, String)>,

    /// A part of the text that stands directly in the elements that match: what it is (content, template, comments, other, ads) and its words; can be repeated.
    #[arg(long, value_names = ["LABEL", "WORDS", "SELECTOR"], num_args = 3)]
    pub(crate) text: Vec<String>,

    /// Carry labels over from another page of the same template, labelled before; look at what comes of it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["content", "template", "not_template", "menu", "comments", "ads", "segment", "text"])]
    pub(crate) like: Option<PathBuf>,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

fn segment(text: &str) -> Result<(u8, String, String), String> {
    let parts = text.split_once(':').and_then(|(level, rest)| Some((level, rest.split_once('=')?)));
    let (level, (kind, selector)) = parts.ok_or("it is not of the form LEVEL:KIND=SELECTOR, like 1:Menu=nav")?;
    let level = level.trim().parse().map_err(|_| format!("{level} is no level; 1 is the coarsest"))?;
    Ok((level, kind.trim().to_owned(), selector.trim().to_owned()))
}

#[derive(Args, Debug)]
pub(crate) struct Agree {
    /// Labelled copies of one page.
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    pub(crate) files: Vec<PathBuf>,

    /// What to write: table or json.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = one_of::<Form>(["table", "json"]))]
    pub(crate) format: Form,
}

#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// Labelled copies of one page.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// A copy whose labels count where the others differ; without, most votes do, and what has as many for as against is template.
    #[arg(long, value_name = "FILE")]
    pub(crate) judge: Option<PathBuf>,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct SuiteFrom {
    /// A mirrored folder, a list of files with their addresses, or web archives, as for `unchaff site`.
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<std::ffi::OsString>,

    /// Where to write: the folder of the suite, made if it is not there.
    #[arg(short, long, value_name = "DIR", required = true)]
    pub(crate) output: PathBuf,

    /// The address that a mirrored folder stands for; can be repeated if it has several.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(crate) base_url: Vec<Url>,

    /// The page that the site is in the suite for. Default: that of the shortest address.
    #[arg(long, value_name = "URL")]
    pub(crate) key: Option<Url>,

    #[command(flatten)]
    pub(crate) reader: Reader,
}
