//! boilerpipe: text blocks classified by words and links of a block and its neighbours, then repaired by rules of thumb.
//!
//! C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate Detection using Shallow Text Features, WSDM 2010 (the two decision
//! trees), and what the filters do and in which order from the authors' program of the same name. Each
//! extractor is a chain of filters over one list of blocks; filters mark blocks as content or not, fuse neighbours or drop
//! blocks.
//!
//! Two things to know. Fusing at distance 1 lets a block of content swallow the block before it, content or not: that is how
//! headlines get in. And in the default extractor it stands before the classification, when nothing is content yet, so that
//! it does nothing there; it is kept because it is published so.

use crate::parameters::{choice, parameters};
use crate::published::boilerpipe_filters::{Document, is_content_by_density, is_content_by_words};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use std::marker::PhantomData;
use unchaff_dom::{NodeSet, Page};

choice! {
    /// Which elements separate blocks.
    pub enum Separators {
        /// All that the program does not know as inline, `br` and `img` included.
        Program = "program",
        /// Those that start on a line of their own in browsers, and `br`.
        Browsers = "browsers",
    }
}

choice! {
    /// What a word is.
    pub enum Words {
        /// What stands between white space and has a letter or digit in it (the program).
        Spaces = "spaces",
        /// The same, but ideographs and kana count one by one.
        Ideographs = "ideographs",
    }
}

parameters! {
    /// Parameters of the boilerpipe extractors. The default is the program's setting; thresholds that an extractor's chain does not
    /// use have no effect on it.
    pub struct Params {
        /// Which elements separate blocks: as in the program, or as in browsers.
        pub separators: Separators = Separators::Program,
        /// What a word is: between white space, or ideographs one by one.
        pub words: Words = Words::Spaces,
        /// A mark of the article's end counts after this many words of full text.
        pub min_words_before_end: u32 = 60,
        /// Words of a block beside the largest one, at its level, that make it content too.
        pub min_words_beside_largest: u32 = 150,
        /// Words of a block anywhere at the level of the largest one that make it content too.
        pub min_words_same_level: u32 = 100,
    }
}

/// An extractor's chain of filters.
pub trait Chain: Send + Sync + 'static {
    /// The extractor's name in the registry.
    const NAME: &'static str;

    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn run(document: &mut Document, page: &Page, params: &Params);
}

/// For any page.
#[derive(Clone, Copy, Debug)]
pub struct General;

/// For news articles.
#[derive(Clone, Copy, Debug)]
pub struct Article;

/// For the one largest piece of text.
#[derive(Clone, Copy, Debug)]
pub struct Largest;

#[allow(private_interfaces)]
impl Chain for General {
    const NAME: &'static str = "boilerpipe-default";

    fn run(document: &mut Document, _: &Page, _: &Params) {
        document.fuse_equal_density();
        document.fuse_neighbours();
        document.classify(is_content_by_density);
    }
}

#[allow(private_interfaces)]
impl Chain for Article {
    const NAME: &'static str = "boilerpipe-article";

    fn run(document: &mut Document, page: &Page, params: &Params) {
        document.find_end_marks(page);
        document.find_title(page);
        document.classify(is_content_by_words);
        document.cut_after_end_mark(params.min_words_before_end);
        document.drop_trailing_headlines();
        document.fuse_neighbours();
        document.retain(|fused| fused.content || fused.title);
        document.fuse_content_of_same_level();
        document.keep_largest(Some(params.min_words_beside_largest));
        document.expand_title_to_content();
        document.add_large_of_same_level(params.min_words_same_level);
        document.add_lists_at_end();
    }
}

#[allow(private_interfaces)]
impl Chain for Largest {
    const NAME: &'static str = "boilerpipe-largest";

    fn run(document: &mut Document, _: &Page, _: &Params) {
        document.classify(is_content_by_words);
        document.fuse_neighbours();
        document.keep_largest(None);
    }
}

const SOURCE: &str = "C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate Detection using Shallow Text Features. WSDM 2010; filters as in the program boilerpipe";

const fn entry<C: Chain>(summary: &'static str) -> Entry {
    Entry::new::<Boilerpipe<C>, Params>(C::NAME, BlockKind::Content, summary, SOURCE, "linear in the page")
}

/// What the registry knows of the three extractors.
pub(crate) const DEFAULT_ENTRY: Entry =
    entry::<General>("blocks of text by words per line and links of a block and its neighbours");
/// See [`DEFAULT_ENTRY`].
pub(crate) const ARTICLE_ENTRY: Entry =
    entry::<Article>("blocks of text by words and links, then the largest with title and lists; for news");
/// See [`DEFAULT_ENTRY`].
pub(crate) const LARGEST_ENTRY: Entry = entry::<Largest>("blocks of text by words and links, then the one largest");

/// A boilerpipe extractor; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Boilerpipe<C> {
    params: Params,
    chain: PhantomData<C>,
}

impl<C> From<Params> for Boilerpipe<C> {
    fn from(params: Params) -> Self {
        Boilerpipe { params, chain: PhantomData }
    }
}

impl<C: Chain> Boilerpipe<C> {
    fn run(&self, page: &Page) -> Document {
        let mut document = Document::new(page, &self.params);
        C::run(&mut document, page, &self.params);
        document
    }
}

impl<C: Chain> PageTechnique for Boilerpipe<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn detect(&self, page: &Page) -> Detection {
        let document = self.run(page);
        let text_nodes = document.content_blocks().flat_map(|block| block.text_nodes(page));
        let nodes = NodeSet::from_nodes(page, text_nodes);
        Detection::of(BlockKind::Content, with_whole_elements(page, &nodes))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let document = self.run(page);
        let mut explanation = Explanation::new(&["words", "link density", "text density", "level"]);
        for (block, place) in document.blocks.iter().zip(&document.places) {
            let remark = document.list.get(*place).map_or_else(
                || "dropped".to_owned(),
                |fused| {
                    let labels = [
                        (fused.content, "content"),
                        (fused.title, "title"),
                        (fused.end_mark, "end mark"),
                        (fused.largest, "largest"),
                    ];
                    labels.iter().filter(|(is, _)| *is).map(|(_, says)| *says).collect::<Vec<_>>().join(", ")
                },
            );
            let values = [f64::from(block.words), block.link_density(), block.text_density(), f64::from(block.level)];
            explanation.push(block.first, &values, &remark);
        }
        explanation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;

    fn words(number: usize) -> String {
        vec!["word"; number].join(" ")
    }

    fn text<C: Chain>(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        let detection = Boilerpipe::<C>::from(params).detect(&page);
        emit::text(&page, detection.nodes(BlockKind::Content).unwrap()).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn article() -> String {
        format!(
            "<head><title>Rain in May - The Paper</title></head><body><ul><li><a href=1>Home</a></li><li><a href=2>News</a></li></ul>\
             <div><h1>Rain in May</h1><p><a href=3>By line</a></p><p>First {}</p><p>Second {}</p><h2>Trailing</h2></div>\
             <div>12 comments</div><div><p>Reader {}</p></div></body>",
            words(40),
            words(40),
            words(30)
        )
    }

    #[test]
    fn the_article_starts_at_its_title_and_ends_at_the_end_mark() {
        let found = text::<Article>(&article(), Params::default());
        assert!(found.contains("First") && found.contains("Second"), "{found}");
        assert!(!found.contains("Reader") && !found.contains("Home") && !found.contains("Trailing"), "{found}");
        let found = text::<Article>(&article(), Params { min_words_before_end: 1000, ..Params::default() });
        assert!(found.contains("Reader"), "{found}");
    }

    #[test]
    fn large_blocks_at_the_level_of_the_largest_are_content_too() {
        let html = format!(
            "<body><div><p>First {}</p></div><ul><li><a href=1>{}</a></li><li><a href=2>{}</a></li><li><a href=3>x</a></li></ul><div><p>Second {}</p></div></body>",
            words(200),
            words(10),
            words(10),
            words(120)
        );
        assert!(text::<Article>(&html, Params::default()).contains("Second"));
        assert!(!text::<Article>(&html, Params { min_words_same_level: 500, ..Params::default() }).contains("Second"));
        let beside = Params { min_words_same_level: 500, min_words_beside_largest: 100, ..Params::default() };
        assert!(text::<Article>(&html, beside).contains("Second"));
        assert!(!text::<Largest>(&html, Params::default()).contains("Second"));
        assert!(text::<General>(&html, Params::default()).contains("First"));
    }
}
