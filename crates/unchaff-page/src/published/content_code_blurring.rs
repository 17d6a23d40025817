//! Content code blurring: text is content where, blurred over its neighbourhood, there is more of it than of code.
//!
//! T. Gottron: Content Code Blurring: a new approach to content extraction. DEXA 2008; Content Extraction. PhD thesis, Mainz
//! 2008, §6.4. The source becomes a vector with 1 for content and 0 for code, which is [blurred](crate::published::blurring) until
//! what it would extract hardly changes. A run of content between two tags is extracted if one of its entries is above the
//! threshold. `ccb` counts characters; `accb` ("adapted") does too, but does not see the tags of `a`, so that prose full of
//! links stays prose; `tccb` counts tags and words, and does not see those tags either.
//!
//! The thesis gives no number for the end of the iteration and no rule for the ends of the vector; both are parameters.
//! Blurring on to the end would make everything the same, so iterations are bounded.

use crate::parameters::{choice, parameters};
use crate::published::blurring::{Blurred, Border};
use crate::registry::Entry;
use crate::views::text_selection::TextSelection;
use crate::views::token_stream::{Rules, TokenStream, Unit, WhiteSpace};
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use std::ops::Range;
use unchaff_dom::Page;

choice! {
    /// When to stop blurring.
    pub enum Stop {
        /// When an iteration changes so little of what is extracted.
        ExtractChange = "extract-change",
        /// When an iteration changes no ratio by more.
        RatioChange = "ratio-change",
        /// After `max_iterations`.
        Fixed = "fixed",
    }
}

choice! {
    /// What stands beyond the ends of the page.
    pub enum Ends {
        /// Nothing: values near them are means of the neighbours that exist.
        Renormalised = "renormalised",
        /// Code.
        Zero = "zero",
    }
}

macro_rules! blurring_parameters {
    ($(#[$doc:meta])* $name:ident, $range:literal) => {
        parameters! {
            $(#[$doc])*
            pub struct $name {
                /// How far an entry is blurred over its neighbours, on each side; at most 1000.
                pub range: usize = $range,
                /// The content code ratio above which content is extracted.
                pub threshold: f64 = 0.75,
                /// Whether one entry above the threshold takes all content up to the next tags with it.
                pub extend_runs: bool = true,
                /// When to stop blurring: by what is extracted, by the ratios, or after a fixed number of iterations.
                pub stop: Stop = Stop::ExtractChange,
                /// The share of content, or the difference of ratios, below which a change is little.
                pub little_change: f64 = 0.02,
                /// How many iterations there are at most, or exactly; at least 1.
                pub max_iterations: usize = 50,
                /// What stands beyond the ends of the page: nothing, or code.
                pub ends: Ends = Ends::Renormalised,
                /// What counts as white space: HTML's, with the no-break space, or Unicode's.
                pub white_space: WhiteSpace = WhiteSpace::Html,
                /// Whether doctypes and processing instructions are code.
                pub declarations: bool = true,
                /// Whether the text of the title is content.
                pub title: bool = true,
                /// Whether what is in noscript counts.
                pub noscript: bool = true,
                /// Whether every ideograph is a word, where words are counted and not characters.
                pub ideographs: bool = false,
            }
        }
    };
}

blurring_parameters! {
    /// Parameters of CCB and ACCB. The default is the published best setting, where there is one.
    Params, 40
}

blurring_parameters! {
    /// Parameters of TCCB. The default is the published best setting, where there is one.
    TokenParams, 25
}

impl From<TokenParams> for Params {
    fn from(params: TokenParams) -> Params {
        Params {
            range: params.range,
            threshold: params.threshold,
            extend_runs: params.extend_runs,
            stop: params.stop,
            little_change: params.little_change,
            max_iterations: params.max_iterations,
            ends: params.ends,
            white_space: params.white_space,
            declarations: params.declarations,
            title: params.title,
            noscript: params.noscript,
            ideographs: params.ideographs,
        }
    }
}

const SOURCE: &str = "T. Gottron: Content Code Blurring: a new approach to content extraction. DEXA, 2008";

/// What the registry knows of CCB.
pub(crate) const CCB_ENTRY: Entry = Entry::new::<Ccb, Params>(
    "ccb",
    BlockKind::Content,
    "text where, blurred over its neighbourhood, text is more than markup, by characters",
    SOURCE,
    "linear in the page times the iterations, with its runs of text in reach of each other",
);

/// What the registry knows of ACCB.
pub(crate) const ACCB_ENTRY: Entry = Entry::new::<Accb, Params>(
    "accb",
    BlockKind::Content,
    "content code blurring by characters that does not see the tags of links",
    SOURCE,
    "linear in the page times the iterations, with its runs of text in reach of each other",
);

/// What the registry knows of TCCB.
pub(crate) const TCCB_ENTRY: Entry = Entry::new::<Tccb, TokenParams>(
    "tccb",
    BlockKind::Content,
    "content code blurring by words and tags that does not see the tags of links",
    SOURCE,
    "linear in the page's words and tags times the iterations and the range",
);

/// What sets the three techniques apart.
#[derive(Clone, Copy)]
struct Variant {
    unit: Unit,
    anchor_tags: bool,
}

const CCB: Variant = Variant { unit: Unit::Characters, anchor_tags: true };
const ACCB: Variant = Variant { unit: Unit::Characters, anchor_tags: false };
const TCCB: Variant = Variant { unit: Unit::Tokens, anchor_tags: false };

/// Everything that is computed for a page.
struct Analysis {
    variant: Variant,
    stream: TokenStream,
    blurred: Blurred,
    iterations: usize,
    extracted: Vec<Range<u32>>,
}

impl Analysis {
    fn of(page: &Page, variant: Variant, params: &Params) -> Analysis {
        let rules = Rules {
            end_tags: true,
            anchor_tags: variant.anchor_tags,
            script_tags: false,
            comments: false,
            declarations: params.declarations,
            title: params.title,
            noscript: params.noscript,
            tags_split_words: true,
            white_space: params.white_space,
            ideographs: params.ideographs,
        };
        let stream = TokenStream::read(page, rules);
        let mut blurred = content_code_vector(&stream, variant.unit, params);
        let (iterations, extracted) = extract(&mut blurred, params);
        Analysis { variant, stream, blurred, iterations, extracted }
    }

    fn selection(&self, page: &Page) -> TextSelection {
        TextSelection::of(page, &self.stream, self.variant.unit, &self.extracted)
    }

    fn detection(&self, page: &Page) -> Detection {
        Detection::of(BlockKind::Content, self.selection(page).nodes(page))
    }

    fn explanation(&self, page: &Page) -> Explanation {
        let mut explanation =
            Explanation::new(&["entries", "extracted", "highest_ratio"]).rated_by("highest_ratio", Likely::High);
        let (content, size) = (self.blurred.content(), self.blurred.size());
        explanation.notes.push(format!("{} iterations; {content} of {size} entries are content", self.iterations));
        let mut highest = vec![0.0; page.len()];
        for (token, place) in self.stream.places(self.variant.unit) {
            if let Some(node) = token.text {
                self.blurred.ratios(place, |_, ratio| highest[node.index()] = f64::max(highest[node.index()], ratio));
            }
        }
        let selection = self.selection(page);
        for node in selection.texts() {
            let at = node.index();
            let values = [f64::from(selection.total[at]), f64::from(selection.selected[at]), highest[at]];
            explanation.push(node, &values, if selection.has(node) { "content" } else { "" });
        }
        explanation
    }
}

/// The vector of a page, as its runs of content: what stands between two tags, whatever is ignored in between.
fn content_code_vector(stream: &TokenStream, unit: Unit, params: &Params) -> Blurred {
    const WIDEST: usize = 1000;
    let mut runs: Vec<Range<u32>> = Vec::new();
    let mut size = 0;
    for (token, place) in stream.places(unit) {
        size = size.max(place.end);
        if token.text.is_some() {
            match runs.last_mut() {
                Some(run) if run.end >= place.start => run.end = run.end.max(place.end),
                _ => runs.push(place),
            }
        }
    }
    let border = match params.ends {
        Ends::Renormalised => Border::Renormalised,
        Ends::Zero => Border::Zero,
    };
    Blurred::new(runs, size as usize, params.range.min(WIDEST), border)
}

/// Blurs until the rule says stop; how often that was, and what is extracted then.
fn extract(blurred: &mut Blurred, params: &Params) -> (usize, Vec<Range<u32>>) {
    let last = params.max_iterations.max(1);
    let mut before: Option<Vec<Range<u32>>> = None;
    let mut ratios_before = if params.stop == Stop::RatioChange { all_ratios(blurred) } else { Vec::new() };
    let mut iterations = 0;
    loop {
        blurred.iterate();
        iterations += 1;
        match params.stop {
            Stop::Fixed if iterations < last => continue,
            Stop::Fixed => return (iterations, blurred.above(params.threshold, params.extend_runs)),
            Stop::ExtractChange => {
                let now = blurred.above(params.threshold, params.extend_runs);
                let content = blurred.content().max(1) as f64;
                let is_little = before.is_some_and(|before| difference(&before, &now) as f64 / content <= params.little_change);
                if is_little || iterations == last {
                    return (iterations, now);
                }
                before = Some(now);
            }
            Stop::RatioChange => {
                let ratios = all_ratios(blurred);
                let change = ratios.iter().zip(&ratios_before).map(|(now, before)| (now - before).abs()).fold(0.0, f64::max);
                if change <= params.little_change || iterations == last {
                    return (iterations, blurred.above(params.threshold, params.extend_runs));
                }
                ratios_before = ratios;
            }
        }
    }
}

fn all_ratios(blurred: &Blurred) -> Vec<f64> {
    let mut ratios = Vec::with_capacity(blurred.size());
    blurred.ratios(0..blurred.size() as u32, |_, ratio| ratios.push(ratio));
    ratios
}

/// How many entries are in one of two lists of ranges but not in both.
fn difference(one: &[Range<u32>], other: &[Range<u32>]) -> u64 {
    let size = |ranges: &[Range<u32>]| ranges.iter().map(|range| u64::from(range.end - range.start)).sum::<u64>();
    let mut common = 0;
    let (mut at, mut beside) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(at), other.get(beside)) {
        common += u64::from(a.end.min(b.end).saturating_sub(a.start.max(b.start)));
        if a.end <= b.end {
            at += 1;
        } else {
            beside += 1;
        }
    }
    size(one) + size(other) - 2 * common
}

macro_rules! technique {
    ($(#[$doc:meta])* $type:ident, $params:ident, $name:literal, $variant:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        pub struct $type {
            params: Params,
        }

        impl PageTechnique for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn detect(&self, page: &Page) -> Detection {
                Analysis::of(page, $variant, &self.params).detection(page)
            }

            fn explain(&self, page: &Page) -> Explanation {
                Analysis::of(page, $variant, &self.params).explanation(page)
            }
        }

        impl From<$params> for $type {
            fn from(params: $params) -> $type {
                $type { params: params.into() }
            }
        }
    };
}

technique! {
    /// Content code blurring by characters; see the [module](self).
    Ccb, Params, "ccb", CCB
}

technique! {
    /// Adapted content code blurring: by characters, without the tags of links; see the [module](self).
    Accb, Params, "accb", ACCB
}

technique! {
    /// Token-based content code blurring; see the [module](self).
    Tccb, TokenParams, "tccb", TCCB
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // Lists of ranges, with one range in them.
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    fn token_params() -> Params {
        TokenParams::default().into()
    }

    /// The vector as digits, a group for each token.
    fn vector(html: &str, variant: Variant, params: &Params) -> String {
        let analysis = Analysis::of(&Page::parse(html), variant, params);
        let digit = |text: bool| if text { "1" } else { "0" };
        let places = analysis.stream.places(variant.unit);
        places.map(|(token, place)| digit(token.text.is_some()).repeat(place.len())).collect::<Vec<_>>().join(" ")
    }

    fn ones_and_zeros(vector: &str) -> (usize, usize) {
        (vector.matches('1').count(), vector.matches('0').count())
    }

    /// How many entries are extracted after each of the first iterations.
    fn by_iteration(page: &Page, variant: Variant, params: &Params) -> [usize; 6] {
        std::array::from_fn(|at| {
            let fixed = Params { stop: Stop::Fixed, max_iterations: at + 1, ..params.clone() };
            Analysis::of(page, variant, &fixed).extracted.iter().map(ExactSizeIterator::len).sum()
        })
    }

    /// Gottron 2008, §6.4.1; the fragments are made by hand.
    #[test]
    fn vectors_are_those_of_the_thesis_rules() {
        let params = Params::default();
        assert_eq!(vector("<p>Hi <b>you</b>, ok</p>", CCB, &params), "000 11 000 111 0000 1 11 0000");
        let html = "<p>Go <a href=\"x y\">to</a>  it&amp;me</p><!-- c --><script>var a=1;</script>";
        assert_eq!(ones_and_zeros(&vector(html, CCB, &params)), (9, 23));
        assert_eq!(ones_and_zeros(&vector(html, ACCB, &params)), (9, 7));
        assert_eq!(Analysis::of(&Page::parse(html), ACCB, &params).blurred.peaks().count(), 1);
        assert_eq!(vector(html, TCCB, &token_params()), "0 1 1 1 0");
        assert_eq!(vector("&lt;b&gt;x", CCB, &params), "1111");
        for html in [" \n ", "<!-- only -->"] {
            assert_eq!(vector(html, CCB, &params), "");
            assert!(Ccb::default().detect(&Page::parse(html)).blocks[0].nodes.is_empty());
        }
    }

    /// What the thesis (§6.4.1) leaves open.
    #[test]
    fn the_no_break_space_and_declarations_are_switches() {
        let params = Params::default();
        assert_eq!(vector("a&nbsp;b", CCB, &params), "111");
        assert_eq!(vector("a&nbsp;b", CCB, &Params { white_space: WhiteSpace::Nbsp, ..params.clone() }), "1 1");
        assert_eq!(vector("<!doctype html><?x?>a", CCB, &params), "00000000000000 00000 1");
        assert_eq!(vector("<!doctype html><?x?>a", CCB, &Params { declarations: false, ..params.clone() }), "1");
        assert_eq!(vector("<title>t</title><noscript>n</noscript>", TCCB, &params), "0 1 0 0 1 0");
        let without = Params { title: false, noscript: false, ..params };
        assert_eq!(vector("<title>t</title><noscript>n</noscript>", TCCB, &without), "0 0 0 0");
        let ideographs = Params { ideographs: true, ..without };
        assert_eq!(vector("<p>今天下雨", TCCB, &ideographs), "0 1 1 1 1");
        assert_eq!(Analysis::of(&Page::parse("<p>今天下雨"), CCB, &ideographs).blurred.size(), 7);
    }

    /// A posting in the manner of figure 6.1 of the thesis, in our words.
    fn posting() -> Page {
        Page::parse(
            "<div class=\"details\"><b>Posted by <a href=\"http://example.org/index.pl?node_id=322\">Ada</a> on Monday, 09:12</b><br><br></div>\n\
             <div class=\"body\">\n\
             <div class=\"topic\"><a href=\"http://example.org/search.pl?tid=95\"><img src=\"http://example.org/i/95.png\" width=\"60\" \
             height=\"40\" alt=\"Search\"></a></div>\n\
             <div class=\"intro\"><a href=\"http://www.example.com/\" rel=\"nofollow\">Someone</a> writes \n\
             <i>A consultant has put together a long list of <a href=\"http://www.example.com/archives/list_of_search_engines.php\">one hundred \
             lesser known engines</a>.\n\
             The list covers clustering tools, recommendation services, meta search sites and quite a few other things that hardly anybody has \
             heard of so far.\n\
             Nearly all queries go to four big sites, yet the author claims that the small remainder holds the most inventive ideas of the whole \
             field and deserves a much closer look.</i></div></div>\n\
             <div id=\"tagbox-1134241\" class=\"tags\">\n\
             <div id=\"tagbox-title-1134241\" class=\"tagtitleclosed\"><a href=\"/login.pl\"><span class=\"tagsheader\" \
             id=\"toggletags-button-1134241\">[+]</span></a> <i><a href=\"/faq/tags.shtml\">tagging beta</a></i></div></div>",
        )
    }

    /// The thesis says so of its figure 6.1; the counts are our own.
    #[test]
    fn the_paragraph_of_a_posting_is_its_content() {
        let page = posting();
        let (params, tokens) = (Params::default(), token_params());
        let zero = |params: &Params| Params { ends: Ends::Zero, ..params.clone() };
        for (variant, params, size, content, iterations) in
            [(CCB, &params, 1015, 380, 3), (ACCB, &params, 738, 380, 2), (TCCB, &tokens, 104, 81, 2)]
        {
            let analysis = Analysis::of(&page, variant, params);
            assert_eq!((analysis.blurred.size(), analysis.blurred.content(), analysis.iterations), (size, content, iterations));
        }
        let lossy = [328, 292, 292, 264, 264, 264];
        assert_eq!([by_iteration(&page, CCB, &params), by_iteration(&page, CCB, &zero(&params))], [lossy; 2]);
        assert_eq!([by_iteration(&page, ACCB, &params), by_iteration(&page, ACCB, &zero(&params))], [[328; 6]; 2]);
        assert_eq!(by_iteration(&page, TCCB, &tokens), [70, 70, 70, 70, 72, 75]);
        assert_eq!(by_iteration(&page, TCCB, &zero(&tokens)), [70; 6]);
        for technique in [&Accb::default() as &dyn PageTechnique, &Tccb::from(TokenParams::default())] {
            let text = emit::text(&page, &technique.detect(&page).blocks[0].nodes);
            assert!(text.starts_with("A consultant") && text.ends_with("closer look.\n"), "{}: {text}", technique.name());
        }
    }

    /// Why `accb` is better on wikis (Gottron 2008, §6.5.2); the page is made by hand.
    #[test]
    fn prose_full_of_links_is_content_only_without_their_tags() {
        let links: String = (0..40)
            .map(|at| {
                format!("plainword{at} <a href=\"http://example.org/wiki/Some_rather_long_article_name_{at:04}\">linked{at}</a> ")
            })
            .collect();
        let page = Page::parse(format!(
            "<html><head></head><body><div class=\"nav\"><ul><li><b>x</b></li><li><b>y</b></li></ul></div><p>{links}</p>\
             <div class=\"foot\"><b>z</b></div></body></html>"
        ));
        let params = Params::default();
        let once = Analysis::of(&page, CCB, &Params { stop: Stop::Fixed, max_iterations: 1, ..params.clone() }).blurred;
        let mut highest = 0.0;
        once.ratios(0..once.size() as u32, |_, ratio| highest = f64::max(highest, ratio));
        assert_eq!((once.size(), once.content()), (3762, 743));
        assert!((highest - 0.3712).abs() < 5e-5, "{highest}");
        assert_eq!(by_iteration(&page, CCB, &params), [0; 6]);
        assert_eq!(Analysis::of(&page, ACCB, &params).blurred.size(), 882);
        assert_eq!(by_iteration(&page, ACCB, &params), [740; 6]);
    }

    #[test]
    fn without_extension_runs_lose_their_ends() {
        let page =
            Page::parse(format!("{}{}{}", "<br class=abcdef>".repeat(30), "w".repeat(100), "<br class=abcdef>".repeat(30)));
        let once = Params { stop: Stop::Fixed, max_iterations: 1, ..Params::default() };
        let bare = Analysis::of(&page, CCB, &Params { extend_runs: false, ..once.clone() }).extracted;
        // Of a run of 100, places 13 to 86 are above the threshold.
        assert_eq!(bare, [480 + 13..480 + 87]);
        assert_eq!(Analysis::of(&page, CCB, &once).extracted, [480..580]);
    }

    #[test]
    fn ratios_that_hardly_change_stop_the_iteration_too() {
        let page = posting();
        let until = |little_change| {
            Analysis::of(&page, ACCB, &Params { stop: Stop::RatioChange, little_change, ..Params::default() }).iterations
        };
        assert_eq!(until(1.0), 1);
        assert!(until(0.05) < until(0.01) && until(0.01) < 50);
        assert_eq!(until(0.0), 50);
    }

    #[test]
    fn explanations_have_the_ratios_of_texts() {
        let explanation = Accb::default().explain(&posting());
        assert_eq!(explanation.notes, ["2 iterations; 380 of 738 entries are content"]);
        let highest = |remark: &str| {
            explanation.rows.iter().filter(|row| row.remark == remark).map(|row| row.values[2]).fold(0.0, f64::max)
        };
        assert!(highest("content") > 0.99 && highest("") < 0.75);
    }

    proptest! {
        #[test]
        fn differences_are_those_of_sets(one in prop::collection::btree_set(0..40u32, 0..30), other in prop::collection::btree_set(0..40u32, 0..30)) {
            let ranges = |set: &std::collections::BTreeSet<u32>| set.iter().map(|at| *at..at + 1).collect::<Vec<_>>();
            prop_assert_eq!(difference(&ranges(&one), &ranges(&other)), one.symmetric_difference(&other).count() as u64);
        }

        #[test]
        fn no_settings_break_on_any_page(
            pieces in prop::collection::vec("<(div|p|ul|li|a|span|b)>|</(div|p|ul|a)>|one two |three ", 0..60),
            range in 0..60usize, threshold in -0.5..1.5f64, iterations in 0..5usize, extend_runs in any::<bool>(),
        ) {
            let page = Page::parse(pieces.concat());
            for variant in [CCB, ACCB, TCCB] {
                let params = Params { range, threshold, max_iterations: iterations, extend_runs, ..Params::default() };
                let analysis = Analysis::of(&page, variant, &params);
                prop_assert!(analysis.extracted.windows(2).all(|pair| pair[0].end <= pair[1].start));
                let extracted: usize = analysis.extracted.iter().map(ExactSizeIterator::len).sum();
                prop_assert!(extracted <= analysis.blurred.content());
                if threshold < 0.0 {
                    prop_assert_eq!(extracted, analysis.blurred.content());
                }
                if threshold >= 1.0 {
                    prop_assert_eq!(extracted, 0);
                }
            }
        }
    }
}
