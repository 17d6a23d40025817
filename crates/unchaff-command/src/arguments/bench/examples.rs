//! Examples at the end of the help of `unchaff bench`.

pub(super) const MERGE_EXAMPLES: &str = "\
Examples:
  unchaff bench agree anna.html bo.html
  unchaff bench merge anna.html bo.html cy.html -o gold.html              what most say
  unchaff bench merge anna.html bo.html --judge dee.html -o gold.html     where they differ, what a fourth says

Files are copies of one page, as `unchaff bench label` and `unchaff serve --workbench` write them.";

pub(super) const SUITE_EXAMPLES: &str = "\
Examples:
  unchaff bench suite from crawl.warc.gz -o suites/mine
  unchaff bench suite from mirror/ -o suites/mine --base-url https://example.org/
  unchaff serve --workbench suites/mine";

pub(super) const STRUCTURE_EXAMPLES: &str = "\
Examples:
  unchaff bench structure data/pages/ --limit 400
  unchaff bench structure suite/markdown --list          pages with Markdown written by people
  unchaff bench structure page.html -t auto -t cectd-ds --external \"trafilatura=trafilatura --markdown\"";

pub(super) const SUITES_EXAMPLES: &str = "\
Examples:
  unchaff bench suites data/                     all suites below a folder
  unchaff bench suites data/pages -f json

Exit code: 0 if nothing is wrong, 1 if something is, 2 if there is no suite.";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  unchaff bench run --suite data/pages --technique all
  unchaff bench run --suite data/pages -t conex-page -t conex-page:c=2 --db results.db
  unchaff bench run --suite data/pages -t cectd-ds --external \"trafilatura=trafilatura\"
  unchaff bench run --suite data/sites --external \"ours:template=my-tool {pages} {key} --base {base}\"
  unchaff bench run --suite data/pages -t auto --http 'other=http://127.0.0.1:8080/read?url={url}'
  unchaff bench run --suite data/pages -t conex-page --sweep c=1..8 --sweep max_words=0..6 --db results.db
  unchaff bench run --suite data/sites -t menex --random 500 --sweep amplitude=0..0.4:0.05 --sweep text=0..0.4:0.05 \\
      --sweep-sum amplitude+text=0.4
  unchaff bench run --suite data/pages -t all --time
  unchaff bench run --suite data/segments -t visual-blocks bcs:ct=0.5 vips:pdoc=8 --layouts boxes/

A run that was stopped is taken up by giving the same command again, with the same --db. A technique that fails on a
page gets a row with the error there, and scores zero.";

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  unchaff bench report --db results.db -o report.html
  unchaff bench report --db results.db -f table --block content --measure words
  unchaff bench report --db results.db -f json";

pub(super) const BUNDLE_EXAMPLES: &str = "\
Examples:
  unchaff bench bundle --db results.db -o results.zip
  unchaff bench bundle --db results.db -o results/           as a folder";

pub(super) const PACKAGE_EXAMPLES: &str = "\
Examples:
  unchaff bench package suite/ours more/ -o all.zip
  unchaff bench package mirror/ --landmarks news.json -o news.zip

Exit code: 0 if all went well, 1 if pages lack a landmark, 2 if nothing could be done.";

pub(super) const TIMES_EXAMPLES: &str = "\
Examples:
  unchaff bench run --suite pages/ -t auto -t conex-page --time --db results.db
  unchaff bench times --db results.db
  unchaff bench run --suite sites/ -t temex -t sst --time --db sites.db
  unchaff bench times --db sites.db --modules";

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  unchaff bench compare conex-page cectd-ds --db results.db
  unchaff bench compare conex-page cectd-ds --db results.db --suite cleaneval -f json";

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  unchaff bench export --db results.db > results.csv        a line for each score
  unchaff bench export --db results.db -f jsonl             a line for each experiment";

pub(super) const GATE_EXAMPLES: &str = "\
Examples:
  unchaff bench gate
  unchaff bench gate --floors suite/floors.json --update

The file of floors is JSON; the path of a suite is relative to it:
  {\"floors\": [{\"technique\": \"conex-page\", \"settings\": {\"c\": 2}, \"suite\": \"pages\", \"digest\": \"0123456789abcdef\",
               \"block\": \"content\", \"measure\": \"words\", \"minimum\": 0.9}]}

Exit code: 0 if all floors are met or skipped, 1 if one is missed or a suite is another, 2 if nothing could be done.";

pub(super) const LABEL_EXAMPLES: &str = "\
Examples:
  unchaff bench label page.html --content article --menu 'nav > ul' -o gold.html
  unchaff bench label page.html --content main --template 'main .share' --comments '#comments'
  unchaff bench label page.html --segment '1:Menu=nav' --segment '2:Article=main > article' -o index.blocks.html
  unchaff bench label page.html --content main --text template 'Share this' 'main .byline'
  unchaff bench label other.html --like gold.html                          what holds of another page of its template";
