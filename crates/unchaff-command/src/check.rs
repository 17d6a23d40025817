//! `unchaff check`: where the markup of pages and what is found on them differ, for their authors.

use crate::arguments::TextOrJson;
use crate::arguments::check::CheckOptions;
use crate::extract::inputs_or_stdin;
use crate::output::{inform, print, said};
use crate::progress::Bar;
use anyhow::{Result, ensure};
use unchaff::Level;
use unchaff_job::{Watch, checked_pages};
use unchaff_source::inputs;

pub(crate) fn run(options: &CheckOptions) -> Result<bool> {
    let named = inputs_or_stdin(&options.inputs, "`unchaff check --help` shows examples")?;
    let worst = if options.strict { Level::Warning } else { Level::Error };
    let (mut is_well, mut unread) = (true, 0u32);
    let bar = Bar::hidden();
    for checked in checked_pages(inputs(&named), &options.reader.reading()) {
        bar.advance(1);
        match checked {
            Err(error) => {
                unread += 1;
                inform(&said(&error.into()));
            }
            Ok((name, mut check)) => {
                is_well &= check.at_least(worst) == 0;
                if options.format == TextOrJson::Text {
                    print(check.text(&name).as_bytes())?;
                } else {
                    check.input = Some(name);
                    print((check.json() + "\n").as_bytes())?;
                }
            }
        }
    }
    bar.finish_with();
    ensure!(unread == 0, "{unread} pages could not be read");
    Ok(is_well)
}
