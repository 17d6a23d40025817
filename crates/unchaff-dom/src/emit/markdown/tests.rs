//! What Markdown must come out for small pages.
