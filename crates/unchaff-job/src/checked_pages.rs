//! Where the markup of pages and what is found on them differ, page by page.

use crate::{PageError, guarded, input_name};
use unchaff::{Check, Document};
use unchaff_source::{Fetcher, InputError, Named, Reading, read};

/// Checks pages one after the other; each has its name.
pub fn checked_pages(
    named: impl Iterator<Item = Result<Named, InputError>>,
    reading: &Reading,
) -> impl Iterator<Item = Result<(String, Check), PageError>> {
    let fetcher = Fetcher::new(reading.fetch_options(false));
    named.map(move |named| {
        let input = named?.input;
        let name = input_name(&input);
        let page = reading.page(Document::from(read(&input, &fetcher)?));
        match guarded(|| unchaff::check(&page)) {
            Ok(check) => Ok((name, check)),
            Err(cause) => Err(PageError::Panicked { input: name, cause }),
        }
    })
}
