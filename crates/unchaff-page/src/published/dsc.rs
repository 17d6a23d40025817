//! Document slope curves: where the running count of tags climbs slowly, there is content.
//!
//! D. Pinto, M. Branstein, R. Coleman, W. B. Croft, M. King, W. Li, X. Wei: QuASM: a system for question answering using
//! semi-structured data. JCDL 2002; as restated in T. Gottron: Content Extraction. PhD thesis, Mainz 2008, §3.2.3. A
//! window slides over tags and words by half its length; it is low where the curve climbs less than half as fast as over the
//! whole page. Three low windows open a region, three that are not low close it, and what is in regions is content.
//!
//! The thesis has two readings. Its algorithm (`dsc`) opens a region with the third low window and closes it with the
//! third that is not: the start of the text is lost, a little too much stands at its end. Its prose (`dsc-text`) has the
//! opening windows inside and the closing ones outside. `dsc-quasm` is the test for which the curve was invented: whether
//! a page is an article at all; it returns the regions of those that are, and nothing of the others.
//!
//! Slopes are compared in whole numbers; windows of length 2600 and 5000 come out wrong otherwise.

use crate::parameters::choice;
use crate::registry::Entry;
use crate::views::text_selection::TextSelection;
use crate::views::token_stream::{TokenStream, Unit, token_parameters};
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use std::ops::Range;
use unchaff_dom::Page;

choice! {
    /// Which of the two readings of a region is taken.
    pub enum Reading {
        /// From the third low window to the third that is not (the algorithm).
        Algorithm = "algorithm",
        /// From the first low window to the first that is not (the prose).
        Text = "text",
    }
}

token_parameters! {
    /// Parameters of DSC.
    pub struct Params {
        /// Of the page's slope in percent, what a window's must be less than to be low.
        pub low_slope: u32 = 50,
        /// How many windows in a row open and close a region.
        pub windows: usize = 3,
    }
}

token_parameters! {
    /// Parameters of the test for articles.
    pub struct QuasmParams {
        /// Of the page's slope in percent, what a window's must be less than to be low.
        pub low_slope: u32 = 50,
        /// How many windows in a row open and close a region.
        pub windows: usize = 3,
        /// Of the page's tokens in percent, what must be in regions for an article.
        pub article: u32 = 10,
        /// Which reading of a region is taken.
        pub reading: Reading = Reading::Text,
    }
}

const SOURCE: &str = "D. Pinto et al.: QuASM: a system for question answering using semi-structured data. JCDL, 2002";

/// What the registry knows of the reading of the algorithm.
pub(crate) const ENTRY: Entry = Entry::new::<Dsc, Params>(
    "dsc",
    BlockKind::Content,
    "stretches in which tags are rarer than in the page by half (as the algorithm is printed)",
    SOURCE,
    "linear in the page",
);

/// What the registry knows of the reading of the prose.
pub(crate) const TEXT_ENTRY: Entry = Entry::new::<DscText, Params>(
    "dsc-text",
    BlockKind::Content,
    "stretches in which tags are rarer than in the page by half (as its text describes them)",
    SOURCE,
    "linear in the page",
);

/// What the registry knows of the test for articles.
pub(crate) const QUASM_ENTRY: Entry = Entry::new::<Quasm, QuasmParams>(
    "dsc-quasm",
    BlockKind::Content,
    "stretches with few tags, if they make the page an article; nothing otherwise",
    SOURCE,
    "linear in the page",
);

/// What the windows of a page say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Curve {
    /// The length of the window.
    pub window: usize,
    /// Where each window starts, the tags it climbs, and whether it is low.
    pub windows: Vec<(usize, u32, bool)>,
    /// The regions of low slope, as ranges of tokens.
    pub regions: Vec<Range<u32>>,
    /// How many windows were seen while a region was open, those that opened it included, and the tags they climb.
    pub in_regions: (u64, u64),
    /// The tags that the whole page climbs.
    pub climb: u32,
}

/// The length of the window: 8 tokens up to 200, 50 from 5000, in proportion between.
#[must_use]
pub fn window_length(tokens: usize) -> usize {
    match tokens {
        ..200 => 8,
        200..=5000 => (7 * tokens + 5000).div_ceil(800),
        _ => 50,
    }
}

/// The curve and its regions. `low_slope` is in percent.
#[must_use]
pub fn curve(tags: &[u8], reading: Reading, low_slope: u32, windows: usize) -> Curve {
    let size = tags.len();
    let Some(first_tag) = tags.first() else { return Curve::default() };
    let slopes: Vec<u32> = tags
        .iter()
        .scan(0, |sum, tag| {
            *sum += u32::from(*tag);
            Some(*sum)
        })
        .collect();
    let is_text = reading == Reading::Text;
    let window = window_length(size);
    let climb = slopes[size - 1] - if is_text { u32::from(*first_tag) } else { 0 };
    let mut curve = Curve { window, climb, ..Curve::default() };
    // The algorithm leaves out a window that ends with the page, the prose does not.
    let ends = if is_text { size + 1 } else { size }.saturating_sub(window);
    // How many windows in a row were low, or were not; where a region began and where it may end.
    let (mut low, mut high) = ((0, 0u64), (0, 0u64));
    let mut open: Option<u32> = None;
    let mut low_from = 0;
    let mut high_from = 0;
    for at in (0..ends).step_by(window / 2) {
        let climbed = slopes[at + window - 1] - slopes[at];
        let is_low = 100 * size as u64 * u64::from(climbed) < u64::from(low_slope) * window as u64 * u64::from(climb);
        curve.windows.push((at, climbed, is_low));
        let place = at as u32;
        if is_low {
            low_from = if low.0 == 0 { place } else { low_from };
            (low, high) = ((low.0 + 1, low.1 + u64::from(climbed)), (0, 0));
        } else {
            high_from = if high.0 == 0 { place } else { high_from };
            (low, high) = ((0, 0), (high.0 + 1, high.1 + u64::from(climbed)));
        }
        match open {
            None if low.0 >= windows.max(1) => {
                open = Some(if is_text { low_from } else { place });
                curve.in_regions.0 += low.0 as u64;
                curve.in_regions.1 += low.1;
            }
            Some(start) if high.0 >= windows.max(1) => {
                curve.regions.push(start..if is_text { high_from } else { place });
                open = None;
            }
            Some(_) => {
                curve.in_regions.0 += 1;
                curve.in_regions.1 += u64::from(climbed);
            }
            None => {}
        }
    }
    if let (Some(start), Some((last, ..))) = (open, curve.windows.last()) {
        curve.regions.push(start..if is_text { size } else { last + window } as u32);
    }
    curve
}

/// The test for articles: a share of the tokens in regions, and a slope in them that is low on the whole.
#[must_use]
pub fn is_article(curve: &Curve, tokens: usize, low_slope: u32, article: u32) -> bool {
    let inside: u64 = curve.regions.iter().map(|region| u64::from(region.end - region.start)).sum();
    let (windows, climbed) = (u128::from(curve.in_regions.0), u128::from(curve.in_regions.1));
    let (size, window) = (tokens as u128, curve.window as u128);
    let mean_is_low = 100 * climbed * size < u128::from(low_slope) * u128::from(curve.climb) * windows * window;
    tokens > 0 && inside * 100 >= u64::from(article) * tokens as u64 && mean_is_low
}

/// The technique as the algorithm has it; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Dsc {
    params: Params,
}

/// The technique as the prose has it; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct DscText {
    params: Params,
}

/// The test for articles, and their regions; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Quasm {
    params: QuasmParams,
}

/// Everything that is computed for a page.
struct Analysis {
    stream: TokenStream,
    curve: Curve,
    selection: TextSelection,
    note: Option<&'static str>,
}

impl Analysis {
    fn detection(self, page: &Page) -> Detection {
        let mut detection = Detection::of(BlockKind::Content, self.selection.nodes(page));
        detection.notes.extend(self.note.map(str::to_owned));
        detection
    }

    fn explanation(self, page: &Page) -> Explanation {
        let mut explanation = Explanation::new(&["first_token", "words", "inside", "low_windows"]);
        let Curve { window, windows, regions, climb, .. } = &self.curve;
        explanation.notes.push(format!("windows of {window} tokens; {climb} tags in the page"));
        explanation.notes.extend(regions.iter().map(|region| format!("low from token {} to {}", region.start, region.end - 1)));
        explanation.notes.extend(self.note.map(str::to_owned));
        // A token is in at most a few windows; each adds to the node of the words it starts before.
        let mut spans = vec![(u32::MAX, 0); page.len()];
        for (token, place) in self.stream.places(Unit::Tokens) {
            if let Some(node) = token.text {
                let span = &mut spans[node.index()];
                *span = (span.0.min(place.start), span.1.max(place.end));
            }
        }
        for node in self.selection.texts() {
            let (first, end) = spans[node.index()];
            let from = windows.partition_point(|(at, ..)| at + window <= first as usize);
            let around = windows[from..].iter().take_while(|(at, ..)| *at < end as usize);
            let low = around.filter(|(.., is_low)| *is_low).count() as f64;
            let (total, selected) = (self.selection.total[node.index()], self.selection.selected[node.index()]);
            let remark = if self.selection.has(node) { "content" } else { "" };
            explanation.push(node, &[f64::from(first), f64::from(total), f64::from(selected), low], remark);
        }
        explanation
    }
}

fn analyse(page: &Page, params: &Params, reading: Reading) -> Analysis {
    let stream = TokenStream::read(page, params.rules());
    let curve = curve(&stream.tag_vector(), reading, params.low_slope, params.windows);
    let selection = TextSelection::of(page, &stream, Unit::Tokens, &curve.regions);
    Analysis { stream, curve, selection, note: None }
}

impl Quasm {
    fn analyse(&self, page: &Page) -> Analysis {
        let QuasmParams { low_slope, windows, article, reading, .. } = self.params;
        let stream = TokenStream::read(page, self.params.rules());
        let tags = stream.tag_vector();
        let curve = curve(&tags, reading, low_slope, windows);
        let (regions, note) = match is_article(&curve, tags.len(), low_slope, article) {
            true => (&*curve.regions, "the page is an article"),
            false => (&[][..], "the page is no article"),
        };
        let selection = TextSelection::of(page, &stream, Unit::Tokens, regions);
        Analysis { stream, curve, selection, note: Some(note) }
    }
}

macro_rules! technique {
    ($type:ident, $params:ident, $name:literal, |$self:ident, $page:ident| $analyse:expr) => {
        impl PageTechnique for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn detect(&self, page: &Page) -> Detection {
                let ($self, $page) = (self, page);
                $analyse.detection(page)
            }

            fn explain(&self, page: &Page) -> Explanation {
                let ($self, $page) = (self, page);
                $analyse.explanation(page)
            }
        }

        impl From<$params> for $type {
            fn from(params: $params) -> $type {
                $type { params }
            }
        }
    };
}

technique!(Dsc, Params, "dsc", |dsc, page| analyse(page, &dsc.params, Reading::Algorithm));
technique!(DscText, Params, "dsc-text", |dsc, page| analyse(page, &dsc.params, Reading::Text));
technique!(Quasm, QuasmParams, "dsc-quasm", |quasm, page| quasm.analyse(page));

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // Lists of ranges, with one range in them.
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    /// As many tags, words and tags.
    fn plateau(before: usize, words: usize, after: usize) -> Vec<u8> {
        [vec![1; before], vec![0; words], vec![1; after]].concat()
    }

    fn regions(tags: &[u8], reading: Reading) -> Vec<Range<u32>> {
        curve(tags, reading, 50, 3).regions
    }

    /// Algorithm 3.2 (Gottron 2008, §3.2.3) word for word: the marks of all tokens.
    fn printed_algorithm(tags: &[u8]) -> Vec<bool> {
        let size = tags.len();
        let slopes: Vec<usize> = (0..size).map(|at| tags[..=at].iter().map(|tag| usize::from(*tag)).sum()).collect();
        let window = window_length(size);
        let mut marks = vec![false; size];
        let (mut history, mut is_open, mut at) = ([false; 2], false, 0);
        while at + window < size {
            let is_low = 2 * size * (slopes[at + window - 1] - slopes[at]) < window * slopes[size - 1];
            if !is_open {
                is_open = is_low && history == [true, true];
            } else if !is_low && history == [false, false] {
                is_open = false;
            }
            marks[at..at + window].fill(is_open);
            history = [is_low, history[0]];
            at += window / 2;
        }
        marks
    }

    /// The formula of Gottron (2008, §3.2.3), in whole numbers.
    #[test]
    fn windows_grow_with_the_page_without_rounding_errors() {
        let expected = [
            (1, 8),
            (100, 8),
            (199, 8),
            (200, 8),
            (201, 9),
            (250, 9),
            (314, 9),
            (315, 10),
            (400, 10),
            (1000, 15),
            (1001, 16),
            (2500, 29),
            (2600, 29),
            (4999, 50),
            (5000, 50),
            (5001, 50),
            (9000, 50),
        ];
        for (tokens, window) in expected {
            assert_eq!(window_length(tokens), window, "{tokens}");
        }
    }

    /// The curves are made by hand.
    #[test]
    fn a_plateau_is_a_region_in_both_readings() {
        let tags = plateau(12, 28, 20);
        let found = curve(&tags, Reading::Algorithm, 50, 3);
        let climbs: Vec<u32> = found.windows.iter().map(|window| window.1).collect();
        assert_eq!(climbs, [7, 7, 3, 0, 0, 0, 0, 0, 0, 4, 7, 7, 7]);
        let low: Vec<usize> = found.windows.iter().filter(|window| window.2).map(|window| window.0).collect();
        assert_eq!(low, [12, 16, 20, 24, 28, 32]);
        assert_eq!((found.window, found.regions), (8, vec![20..44]));
        assert_eq!(regions(&tags, Reading::Text), [12..36]);
        let tags = plateau(10, 40, 30);
        assert_eq!(regions(&tags, Reading::Algorithm), [16..52]);
        assert_eq!(regions(&tags, Reading::Text), [8..44]);
        // A slope of exactly half the page's is not low.
        let at_44 = curve(&tags, Reading::Algorithm, 50, 3).windows[11];
        assert_eq!(at_44, (44, 2, false));
        let more = curve(&tags, Reading::Algorithm, 51, 3).windows[11];
        assert_eq!(more, (44, 2, true));
    }

    /// What follows from algorithm 3.2, and our reading of the prose: a region that is still open goes on to the last token.
    #[test]
    fn ends_of_pages_differ_between_the_readings() {
        assert!(regions(&[], Reading::Algorithm).is_empty());
        assert!(regions(&[0; 8], Reading::Algorithm).is_empty());
        let tags = plateau(30, 30, 0);
        assert_eq!(regions(&tags, Reading::Algorithm), [36..56]);
        assert_eq!(regions(&tags, Reading::Text), [28..60]);
    }

    #[test]
    fn fewer_windows_open_and_close_a_region_sooner() {
        let found = curve(&plateau(12, 28, 20), Reading::Algorithm, 50, 1);
        assert_eq!(found.regions, [12..36]);
    }

    /// The test of QuASM, as in Gottron 2008, §3.2.3.
    #[test]
    fn an_article_has_a_tenth_of_its_tokens_in_regions() {
        let test = |tags: &[u8], article| is_article(&curve(tags, Reading::Text, 50, 3), tags.len(), 50, article);
        assert!(test(&plateau(12, 28, 20), 10));
        assert!(!test(&plateau(12, 28, 20), 41));
        assert!(
            !test(&plateau(130, 12, 57), 10) && test(&plateau(130, 12, 57), 6) && !test(&plateau(30, 0, 30), 10) && !test(&[], 0)
        );
    }

    /// The figures printed for QuASM (Gottron 2008, §3.2.3) fit these counts.
    #[test]
    fn the_published_quality_of_the_test_is_consistent() {
        let (found, missed, wrong) = (75.0, 12.0, 34.0);
        let (recall, precision): (f64, f64) = (found / (found + missed), found / (found + wrong));
        assert!((recall - 0.862).abs() < 5e-4 && (precision - 0.688).abs() < 5e-4);
    }

    fn news(paragraph: usize) -> Page {
        let menu = "<ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li><li><a href=/s>Sport</a></li></ul>".repeat(4);
        let text = (0..paragraph).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
        Page::parse(format!("<body>{menu}<div><p>{text}</p></div>{menu}</body>"))
    }

    #[test]
    fn a_page_with_an_article_gives_its_text() {
        let page = news(100);
        for technique in [&Dsc::default() as &dyn PageTechnique, &DscText::default(), &Quasm::default()] {
            let detection = technique.detect(&page);
            let text = emit::text(&page, &detection.blocks[0].nodes);
            assert!(text.starts_with("w0 w1 ") && text.contains("w99\n"), "{}: {text}", technique.name());
            let explanation = technique.explain(&page);
            assert!(explanation.rows.iter().any(|row| row.remark == "content" && row.values[3] > 3.0), "{}", technique.name());
        }
        assert_eq!(Quasm::default().detect(&page).notes, ["the page is an article"]);
        let page = news(5);
        let detection = Quasm::default().detect(&page);
        assert!(detection.blocks[0].nodes.is_empty() && detection.notes == ["the page is no article"]);
    }

    proptest! {
        #[test]
        fn regions_are_what_the_printed_algorithm_marks(runs in prop::collection::vec((0..2u8, 1..40usize), 0..30)) {
            let tags: Vec<u8> = runs.iter().flat_map(|(tag, len)| vec![*tag; *len]).collect();
            let mut marks = vec![false; tags.len()];
            for region in regions(&tags, Reading::Algorithm) {
                marks[region.start as usize..region.end as usize].fill(true);
            }
            prop_assert_eq!(marks, printed_algorithm(&tags));
        }

        #[test]
        fn regions_are_in_order_and_apart(tags in prop::collection::vec(0..2u8, 0..400)) {
            for reading in [Reading::Algorithm, Reading::Text] {
                let regions = regions(&tags, reading);
                prop_assert!(regions.iter().all(|region| region.start < region.end && region.end as usize <= tags.len()));
                prop_assert!(regions.windows(2).all(|pair| pair[0].end <= pair[1].start));
            }
        }
    }
}
