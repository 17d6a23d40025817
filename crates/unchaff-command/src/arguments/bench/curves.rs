//! What can be asked of `unchaff bench curves`, and its help.

use super::TecoLabels;
use crate::arguments::{Setting, one_of, setting, value};
use clap::Args;
use std::path::PathBuf;
use unchaff_bench::form::Form;
use unchaff_bench::suite::Split;

pub(super) const EXAMPLES: &str = "\
Examples:
  unchaff bench curves --suite data/pages -t auto -t cectd-ds -t lqf
  unchaff bench curves --suite data/sites -t template-auto temex -f html -o curves.html";

#[derive(Args, Debug)]
pub(crate) struct Curves {
    /// The suites to take: folders that are some, or hold some; can be repeated.
    #[arg(short, long = "suite", value_name = "SUITE", required = true, num_args = 1..)]
    pub(crate) suites: Vec<PathBuf>,

    /// The technique, one that rates, also with settings, or all; can be repeated.
    #[arg(short, long = "technique", value_name = "NAME", num_args = 1.., required = true)]
    pub(crate) techniques: Vec<String>,

    /// Set a parameter of the technique, of all that are named; can be repeated.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<Setting>,

    /// Only the pages of this split.
    #[arg(long, value_name = "SPLIT", value_parser = one_of::<Split>(["train", "eval"]))]
    pub(crate) split: Option<Split>,

    /// Take at most so many pages, of each suite the first.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// What to write: table, json, markdown or html; html draws the curves, json has their points.
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = value::<Form>)]
    pub(crate) format: Form,

    /// Where to write: a file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) labels: TecoLabels,
}
