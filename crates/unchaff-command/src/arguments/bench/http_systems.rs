//! How systems behind HTTP take part in a run.

use clap::Args;

#[derive(Args, Debug)]
#[command(next_help_heading = "Systems behind HTTP")]
pub(crate) struct HttpSystems {
    /// A system behind HTTP in the place of a technique; can be repeated.
    ///
    /// http://127.0.0.1:8080/extract is sent the page (POST); with {url} in the address, the system gets there the address of a page that we serve; proxy+http://127.0.0.1:3128 is a proxy, through which the
    /// page is asked for. It answers with text, JSON with a `text`, HTML of which all text counts, or the page with data-unchaff on the elements of a block. NAME:BLOCK=ADDRESS names another block than the content.
    #[arg(long = "http", value_name = "NAME=ADDRESS")]
    pub(crate) http: Vec<String>,

    /// Be the upstream proxy of these systems here: pages have their own addresses, those of their site can be had, and everything else is 404.
    ///
    /// One page is worked on at a time.
    #[arg(long, value_name = "ADDRESS:PORT", requires = "http")]
    pub(crate) replay: Option<String>,

    /// Ask systems on other machines too, which get to see the pages.
    #[arg(long, requires = "http")]
    pub(crate) http_anywhere: bool,
}
