//! Any bytes are a page: decoded, parsed, extracted and written in every form, without a panic, and annotated so that
//! it parses to the same elements.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unchaff::{Extractor, Format, Page, Parser};

fuzz_target!(|bytes: &[u8]| {
    let page = Parser::new().url("https://example.org/a/b").parse(bytes);
    let extraction = Extractor::new().extract(&page);
    for format in Format::ALL {
        let _ = extraction.render(format);
    }
    let everything = page.subtree_set(page.root());
    let _ = unchaff::dom::emit::text(&page, &everything);
    let _ = unchaff::dom::emit::markdown(&page, &everything);
    let _ = unchaff::dom::emit::html(&page, &everything);
    let _ = unchaff::dom::metadata::metadata(&page);
    let annotated = Page::parse(unchaff::dom::emit::annotated(&page, &[("content", &everything)]));
    assert_eq!(names(&page), names(&annotated));
    for node in page.nodes() {
        assert_eq!(page.at_path(&page.path(node)), Some(node));
    }
});

fn names(page: &Page) -> Vec<&str> {
    page.nodes().filter(|node| page.is_element(*node)).map(|node| page.name(node)).collect()
}
