//! Plain: all text of the page is its content. What a page scores that nothing was taken from.
//!
//! Thomas Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, sections 5.4 and 6.4: the baseline of
//! every table there. Its recall is 1 unless the gold has words that the page has not; its precision is the share of content in the page, and an extractor
//! that does not beat its F1 does harm.

use crate::parameters::parameters;
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use unchaff_dom::{NodeSet, Page};

parameters! {
    /// It has none.
    pub struct Params {}
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Plain, Params>(
    "plain",
    BlockKind::Content,
    "all text of the page: the baseline that an extractor has to beat",
    "T. Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, 5.4",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Plain;

impl From<Params> for Plain {
    fn from(_: Params) -> Plain {
        Plain
    }
}

impl PageTechnique for Plain {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn detect(&self, page: &Page) -> Detection {
        Detection::of(BlockKind::Content, page.body().map_or_else(|| NodeSet::new(page), |body| page.subtree_set(body)))
    }

    fn explain(&self, _: &Page) -> Explanation {
        Explanation { notes: vec!["all text of the body is taken, whatever it is".to_owned()], ..Explanation::new(&[]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;

    #[test]
    fn all_text_is_content_and_nothing_else() {
        let page = Page::parse("<title>t</title><nav>a</nav><p>b<script>c</script><footer>d</footer>");
        let found = Plain.detect(&page);
        assert_eq!(emit::text(&page, found.nodes(BlockKind::Content).unwrap()), "a\n\nb\n\nd\n");
    }
}
