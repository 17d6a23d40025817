//! What can be asked of `unchaff bench curves`, and its help.

use super::{TecoLabels, value};
use clap::Args;
use std::path::PathBuf;
use unchaff_bench::form::Form;

pub(super) const EXAMPLES: &str = "\
Examples:
  unchaff bench curves --suite data/pages -t auto -t cectd-ds -t lqf
  unchaff bench curves --suite data/sites -t template-auto temex -f html -o curves.html";

#[derive(Args, Debug)]
pub(crate) struct Curves {
    /// A folder that is a suite or holds some; can be repeated.
    #[arg(short, long = "suite", value_name = "DIR", required = true, num_args = 1..)]
    pub(crate) suites: Vec<PathBuf>,

    /// A technique that rates, also with settings, or all; can be repeated.
    #[arg(short, long = "technique", value_name = "NAME", num_args = 1.., required = true)]
    pub(crate) techniques: Vec<String>,

    /// Set a parameter of all techniques that are named; can be repeated.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = crate::arguments::setting)]
    pub(crate) settings: Vec<String>,

    /// Only the pages of this split.
    #[arg(long, value_name = "SPLIT", value_parser = ["train", "eval"])]
    pub(crate) split: Option<String>,

    /// Only the first pages of each suite.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// How many pages to work on at a time. Default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,

    /// How to print the figures; html draws the curves, json has their points.
    #[arg(short, long, value_name = "table|json|markdown|html", default_value = "table", value_parser = value::<Form>)]
    pub(crate) format: Form,

    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) labels: TecoLabels,
}
