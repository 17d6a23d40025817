//! Prints the names of all elements of pages in document order, a line for each page: how unchaff numbers them.
//!
//! ```sh
//! cargo run --release -p unchaff-dom --example elements -- examples/lighthouse.html
//! ```

#![allow(clippy::disallowed_methods, reason = "an example reads files")]

use unchaff_dom::Page;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let page = Page::parse(std::fs::read(path)?);
        let names: Vec<&str> = page.nodes().filter(|node| page.is_element(*node)).map(|node| page.name(node)).collect();
        println!("{}", names.join(" "));
    }
    Ok(())
}
