//! CETR: lines of the source with much text and few tags, told from the others by clustering.
//!
//! T. Weninger, W. H. Hsu, J. Han: CETR – Content Extraction via Tag Ratios, WWW 2010. Scripts, styles, comments and lines that
//! are empty without them are removed. The ratio of a line is its characters of text per tag. Ratios are smoothed; how much
//! the next lines differ from a line on average is its second dimension. k-means with one centroid fixed at the origin puts the
//! lines into clusters; what is not at the origin is content. The paper's simpler variants cluster or cut the ratios alone.
//!
//! Ratio, second dimension, k and the fixed centroid are as in our notes on the method, which leave the smoothing open. The
//! simpler variants, their factor and the removal of empty lines are as generally told of the paper, whose text was not at hand.
//!
//! The method sees what the author's editor wrote: a page on one line is one cluster. `max_line` is our remedy, off by default.
//! A tag that goes over several lines belongs to its first; white space counts once between characters, not at the ends of
//! lines. A text node on several lines is content if at least half of its words stand on lines that are.

use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use std::ops::Range;
use unchaff_dom::{NodeId, NodeSet, Page, Tag, words};

choice! {
    /// How lines are told apart.
    pub enum Clustering {
        /// By ratio and change of ratio, one centroid fixed at the origin (CETR).
        Plane = "plane",
        /// By ratio alone; the cluster nearest to the origin is not content (CETR-KM).
        Ratio = "ratio",
        /// By a threshold: the standard deviation of the ratios times a factor (CETR-TM).
        Threshold = "threshold",
    }
}

choice! {
    /// How wide the smoothing is.
    pub enum Smoothing {
        /// As given by `sigma`.
        Fixed = "fixed",
        /// By the standard deviation of the ratios, up to 50 lines: our reading of a width derived from the data.
        Deviation = "deviation",
    }
}

parameters! {
    /// Parameters of CETR. The default is the published best setting as far as it is known.
    pub struct Params {
        /// How lines are told apart: in the plane, by ratio alone, or by a threshold.
        pub clustering: Clustering = Clustering::Plane,
        /// The number of clusters, the one at the origin included.
        pub k: usize = 3,
        /// Over how many of the next lines the change of the ratio is averaged.
        pub alpha: usize = 3,
        /// Whether the width of the smoothing is sigma, or the deviation of the ratios as the paper has it.
        pub smoothing: Smoothing = Smoothing::Fixed,
        /// The width of the smoothing in lines; 0 switches it off.
        pub sigma: f64 = 1.0,
        /// The factor of the threshold.
        pub lambda: f64 = 1.0,
        /// Break lines of more bytes at the next tag, for pages without line breaks; 0 leaves lines as they are.
        pub max_line: usize = 0,
    }
}

/// A line of the source that is not empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its place in the source.
    pub range: Range<usize>,
    /// Characters of text.
    pub chars: u32,
    /// Tags that start in it.
    pub tags: u32,
    /// Characters per tag.
    pub ratio: f64,
    /// The ratio, smoothed.
    pub smoothed: f64,
    /// How much the next lines differ, smoothed.
    pub change: f64,
    /// Whether it is content.
    pub content: bool,
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Cetr, Params>(
    "cetr",
    BlockKind::Content,
    "lines of the source with much text and few tags, clustered",
    "T. Weninger, W. H. Hsu, J. Han: CETR – Content Extraction via Tag Ratios. WWW 2010",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Cetr {
    params: Params,
}

impl From<Params> for Cetr {
    fn from(params: Params) -> Cetr {
        Cetr { params }
    }
}

impl PageTechnique for Cetr {
    fn name(&self) -> &'static str {
        "cetr"
    }

    fn detect(&self, page: &Page) -> Detection {
        let lines = self.lines(page.source());
        let Some(body) = page.body() else { return Detection::of(BlockKind::Content, NodeSet::new(page)) };
        let text = page.descendants(body).filter(|node| page.tag(*node) == Tag::Text && is_content(page, *node, &lines));
        let mut detection = Detection::of(BlockKind::Content, with_whole_elements(page, &NodeSet::from_nodes(page, text)));
        if lines.len() < 10 && self.params.max_line == 0 {
            detection
                .notes
                .push("the page has hardly any line breaks, which this technique lives on; max_line makes some".to_owned());
        }
        detection
    }

    fn explain(&self, page: &Page) -> Explanation {
        let lines = self.lines(page.source());
        let mut explanation = Explanation::new(&["tag ratio", "smoothed", "change"]).rated_by("smoothed", Likely::High);
        let text = page.nodes().filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).tokens > 0);
        for node in text {
            if let Some(line) = lines_of(page, node, &lines).next() {
                let remark = if is_content(page, node, &lines) { "content" } else { "" };
                explanation.push(node, &[line.ratio, line.smoothed, line.change], remark);
            }
        }
        explanation
    }
}

impl Cetr {
    /// The lines of a source, rated and told apart.
    #[must_use]
    pub fn lines(&self, source: &str) -> Vec<Line> {
        let mut lines = read_lines(source, self.params.max_line);
        let ratios: Vec<f64> = lines.iter().map(|line| line.ratio).collect();
        let sigma = match self.params.smoothing {
            Smoothing::Fixed => self.params.sigma,
            Smoothing::Deviation => deviation(&ratios).min(50.0),
        };
        let smoothed = smooth(&ratios, sigma);
        let changes = smooth(&changes(&smoothed, self.params.alpha), sigma);
        let content = match self.params.clustering {
            Clustering::Plane => {
                let points: Vec<[f64; 2]> = smoothed.iter().zip(&changes).map(|(ratio, change)| [*ratio, *change]).collect();
                not_at_origin(&points, self.params.k, true)
            }
            Clustering::Ratio => {
                not_at_origin(&smoothed.iter().map(|ratio| [*ratio, 0.0]).collect::<Vec<_>>(), self.params.k, false)
            }
            Clustering::Threshold => {
                let threshold = self.params.lambda * deviation(&smoothed);
                smoothed.iter().map(|ratio| *ratio > threshold).collect()
            }
        };
        for (at, line) in lines.iter_mut().enumerate() {
            (line.smoothed, line.change, line.content) = (smoothed[at], changes[at], content[at]);
        }
        lines
    }
}

/// The lines that a text node stands on, without its blank ends.
fn lines_of<'l>(page: &Page, node: NodeId, lines: &'l [Line]) -> impl Iterator<Item = &'l Line> + use<'l> {
    let range = page.source_range(node);
    let text = &page.source()[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    let end = range.start + text.trim_end().len();
    let first = lines.partition_point(|line| line.range.end <= start);
    lines[first..].iter().take_while(move |line| line.range.start < end)
}

fn is_content(page: &Page, node: NodeId, lines: &[Line]) -> bool {
    let mut over = lines_of(page, node, lines);
    let Some(first) = over.next() else { return false };
    if over.next().is_none() {
        return first.content;
    }
    let range = page.source_range(node);
    let (mut all, mut content) = (0, 0);
    for line in lines_of(page, node, lines) {
        let part = line.range.start.max(range.start)..line.range.end.min(range.end);
        let tokens = page.source().get(part).map_or(0, |text| words::count(text).tokens);
        all += tokens;
        content += if line.content { tokens } else { 0 };
    }
    all > 0 && 2 * content >= all
}

/// Lines that have text or tags.
fn read_lines(source: &str, max_line: usize) -> Vec<Line> {
    let bytes = source.as_bytes();
    let mut lines = Vec::new();
    let mut line = Line { range: 0..0, chars: 0, tags: 0, ratio: 0.0, smoothed: 0.0, change: 0.0, content: false };
    let mut end_line = |line: &mut Line, end: usize| {
        if line.chars > 0 || line.tags > 0 {
            let ratio = f64::from(line.chars) / f64::from(line.tags.max(1));
            lines.push(Line { range: line.range.start..end, ratio, ..line.clone() });
        }
        (line.range, line.chars, line.tags) = (end..end, 0, 0);
    };
    let (mut at, mut blank) = (0, false);
    while at < bytes.len() {
        if let Some((end, is_tag)) = markup(source, at) {
            if is_tag && max_line > 0 && at - line.range.start > max_line {
                end_line(&mut line, at);
            }
            line.tags += u32::from(is_tag);
            for newline in (at..end).filter(|newline| bytes[*newline] == b'\n') {
                end_line(&mut line, newline + 1);
            }
            at = end;
            continue;
        }
        let character = source[at..].chars().next().unwrap_or(' ');
        at += character.len_utf8();
        // A carriage return alone ended lines on old machines.
        if character == '\n' || (character == '\r' && bytes.get(at) != Some(&b'\n')) {
            end_line(&mut line, at);
            blank = false;
        } else if character.is_whitespace() {
            blank = line.chars > 0;
        } else {
            line.chars += 1 + u32::from(blank);
            blank = false;
        }
    }
    end_line(&mut line, bytes.len());
    lines
}

/// Where the markup that starts at a position ends, and whether it is a tag that counts. Scripts and styles are skipped as a
/// whole, with their tags. What is never closed goes to the end.
fn markup(source: &str, at: usize) -> Option<(usize, bool)> {
    let bytes = source.as_bytes();
    if bytes[at] != b'<' {
        return None;
    }
    let rest = &source[at..];
    let after = |pattern: &str| rest.find(pattern).map_or(source.len(), |found| at + found + pattern.len());
    match bytes.get(at + 1)? {
        b'!' if rest.starts_with("<!--") => Some((after("-->"), false)),
        b'!' | b'?' => Some((after(">"), false)),
        b'/' if bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic) => Some((after(">"), true)),
        letter if letter.is_ascii_alphabetic() => {
            let end = end_of_tag(bytes, at);
            let name = &bytes[at + 1..end];
            let is = |element: &[u8]| {
                name.get(..element.len()).is_some_and(|start| start.eq_ignore_ascii_case(element))
                    && !name.get(element.len()).is_some_and(u8::is_ascii_alphanumeric)
            };
            let Some(element) = [&b"script"[..], b"style"].into_iter().find(|element| is(element)) else {
                return Some((end, true));
            };
            let closes = |at: usize| {
                bytes[at..].starts_with(b"</")
                    && bytes[at + 2..].get(..element.len()).is_some_and(|name| name.eq_ignore_ascii_case(element))
            };
            let close = (end..bytes.len()).find(|at| bytes[*at] == b'<' && closes(*at)).unwrap_or(bytes.len());
            Some((bytes[close..].iter().position(|byte| *byte == b'>').map_or(bytes.len(), |found| close + found + 1), false))
        }
        _ => None,
    }
}

/// The position after a start tag; `>` in quoted values does not end it.
fn end_of_tag(bytes: &[u8], start: usize) -> usize {
    let mut quote = None;
    let mut before = b' ';
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match (quote, *byte) {
            (Some(open), byte) if byte == open => quote = None,
            (None, b'"' | b'\'') if before == b'=' => quote = Some(*byte),
            (None, b'>') => return at + 1,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = *byte;
        }
    }
    bytes.len()
}

fn deviation(values: &[f64]) -> f64 {
    let number = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / number;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / number).sqrt()
}

/// Averages each value with its neighbours by the weights of a bell curve, three deviations to either side.
fn smooth(values: &[f64], sigma: f64) -> Vec<f64> {
    if sigma <= 0.0 {
        return values.to_vec();
    }
    let radius = (3.0 * sigma).ceil().min(1000.0) as usize;
    let weights: Vec<f64> =
        (0..=radius).map(|distance| (-((distance * distance) as f64) / (2.0 * sigma * sigma)).exp()).collect();
    (0..values.len())
        .map(|at| {
            let near = at.saturating_sub(radius)..(at + radius + 1).min(values.len());
            let total: f64 = near.clone().map(|other| weights[at.abs_diff(other)]).sum();
            near.map(|other| weights[at.abs_diff(other)] * values[other]).sum::<f64>() / total
        })
        .collect()
}

/// How much the mean of the next values differs from each value.
fn changes(values: &[f64], alpha: usize) -> Vec<f64> {
    let alpha = alpha.min(values.len());
    (0..values.len())
        .map(|at| {
            let next = &values[at + 1..(at + 1 + alpha).min(values.len())];
            if next.is_empty() { 0.0 } else { (next.iter().sum::<f64>() / next.len() as f64 - values[at]).abs() }
        })
        .collect()
}

/// k-means from centroids evenly spaced between the origin and the farthest corner; whether each point is in another cluster than the
/// one nearest to the origin. If `pinned`, that one's centroid never moves. Of equally near centroids the first is taken.
fn not_at_origin(points: &[[f64; 2]], k: usize, pinned: bool) -> Vec<bool> {
    let most = |axis: usize| points.iter().map(|point| point[axis]).fold(0.0, f64::max);
    let corner = [most(0), most(1)];
    let steps = k.clamp(1, 100) - 1;
    let mut centroids: Vec<[f64; 2]> = (0..=steps).map(|step| corner.map(|x| x * step as f64 / steps.max(1) as f64)).collect();
    let squared = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    let nearest = |centroids: &[[f64; 2]], point: [f64; 2]| {
        let closer = |a: &usize, b: &usize| squared(centroids[*a], point).total_cmp(&squared(centroids[*b], point));
        (0..centroids.len()).min_by(closer).unwrap_or(0)
    };
    let mut clusters = vec![usize::MAX; points.len()];
    for _ in 0..100 {
        let mut moved = false;
        let mut sums = vec![[0.0; 3]; centroids.len()];
        for (point, cluster) in points.iter().zip(&mut clusters) {
            let found = nearest(&centroids, *point);
            moved |= found != *cluster;
            *cluster = found;
            let [x, y, number] = &mut sums[found];
            (*x, *y, *number) = (*x + point[0], *y + point[1], *number + 1.0);
        }
        if !moved {
            break;
        }
        for (centroid, [x, y, number]) in centroids.iter_mut().zip(sums).skip(usize::from(pinned)) {
            if number > 0.0 {
                *centroid = [x / number, y / number];
            }
        }
    }
    let origin = nearest(&centroids, [0.0, 0.0]);
    clusters.iter().map(|cluster| *cluster != origin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::emit;

    const PAGE: &str = "<html><head><title>Rain</title>\n<style>\np { color: red }\n</style></head>\n<body>\n<ul>\n<li><a href=1>Home</a></li>\n\
        <li><a href=2>News</a></li>\n<li><a href=3>Contact</a></li>\n</ul>\n<div>\n<div>\n\
        <p>It rained all day and all night, and nobody in the whole of the town went out for a walk.</p>\n\n\
        <p>Then the sun came out, and everybody danced in the streets, the old and the young alike.\n\
        It was a day that they remembered for as long as they lived, and some say even longer than that.</p>\n\
        </div>\n</div>\n<div>\n<ul>\n<li><a href=4>Imprint</a></li>\n<li><a href=5>Top</a></li>\n</ul>\n</div>\n</body></html>";

    fn text(html: &str, params: Params) -> String {
        let page = Page::parse(html);
        let detection = Cetr::from(params).detect(&page);
        emit::text(&page, detection.nodes(BlockKind::Content).unwrap())
    }

    #[test]
    fn lines_have_characters_per_tag_without_scripts_and_blank_lines() {
        let lines = read_lines("<p>a  b<b>c</b></p>\n \r\n<!-- x\n<i> -->\n<script>'<b>'\n</script>\nd <e title='>'\n>\rf", 0);
        let counted: Vec<(u32, u32)> = lines.iter().map(|line| (line.chars, line.tags)).collect();
        assert_eq!(counted, [(4, 4), (1, 1), (1, 0)]);
        assert_eq!(lines[0].ratio, 1.0);
    }

    #[test]
    fn each_way_of_clustering_tells_text_from_lists_of_links() {
        for clustering in [Clustering::Plane, Clustering::Ratio, Clustering::Threshold] {
            let found = text(PAGE, Params { clustering, ..Params::default() });
            assert!(found.contains("It rained") && found.contains("even longer"), "{clustering}: {found}");
            assert!(!found.contains("News") && !found.contains("Imprint"), "{clustering}: {found}");
        }
    }

    #[test]
    fn a_page_without_line_breaks_needs_max_line() {
        // Useless on pages whose source has few or no line breaks, as Alarte et al. (2016) remark.
        let page = PAGE.replace('\n', "");
        let found = text(&page, Params::default());
        assert!(found.is_empty() || found.contains("Imprint"), "{found}");
        let found = text(&page, Params { max_line: 60, sigma: 0.0, ..Params::default() });
        assert!(found.contains("Then the sun") && !found.contains("Home"), "{found}");
    }

    #[test]
    fn smoothing_spreads_and_keeps_the_mean_of_a_constant() {
        assert_eq!(smooth(&[0.0, 4.0, 0.0], 0.0), [0.0, 4.0, 0.0]);
        let smoothed = smooth(&[0.0, 4.0, 0.0], 1.0);
        assert!(smoothed[0] > 0.0 && smoothed[1] < 4.0 && smoothed[0] == smoothed[2]);
        assert!(smooth(&[3.0; 9], 2.0).iter().all(|value| (value - 3.0).abs() < 1e-12));
        let params = |smoothing| Params { smoothing, ..Params::default() };
        let most = |params: Params| Cetr::from(params).lines(PAGE).iter().map(|line| line.smoothed).fold(0.0, f64::max);
        assert!(most(params(Smoothing::Deviation)) < most(params(Smoothing::Fixed)));
    }

    #[test]
    fn change_is_the_mean_of_the_next_lines_less_the_line() {
        assert_eq!(changes(&[1.0, 2.0, 3.0, 7.0, 8.0], 3), [3.0, 4.0, 4.5, 1.0, 0.0]);
        assert_eq!(changes(&[1.0, 2.0], 0), [0.0, 0.0]);
    }

    #[test]
    fn points_at_the_pinned_origin_are_not_content_however_many_there_are() {
        let points = [[0.0, 0.0], [1.0, 0.5], [30.0, 2.0], [31.0, 1.0], [60.0, 9.0]];
        assert_eq!(not_at_origin(&points, 3, true), [false, false, true, true, true]);
        assert_eq!(not_at_origin(&points, 1, true), [false; 5]);
        assert_eq!(not_at_origin(&[[5.0, 0.0]; 3], 3, false), [true; 3]);
    }

    #[test]
    fn text_over_several_lines_goes_with_half_of_its_words() {
        let page = Page::parse("<body><p>one two\nthree four five</p></body>");
        let node = page.nodes().find(|node| page.tag(*node) == Tag::Text).unwrap();
        let mut lines = read_lines(page.source(), 0);
        lines[0].content = true;
        assert!(!is_content(&page, node, &lines));
        (lines[0].content, lines[1].content) = (false, true);
        assert!(is_content(&page, node, &lines));
    }

    proptest! {
        #[test]
        fn lines_are_in_order_and_hold_all_that_is_not_blank(source in "[a-z<>/=\"' \\r\\n!-]{0,80}") {
            let lines = Cetr::default().lines(&source);
            let mut before = 0;
            for line in &lines {
                prop_assert!(before <= line.range.start && line.range.start < line.range.end);
                prop_assert!(line.smoothed.is_finite() && line.change >= 0.0);
                before = line.range.end;
            }
            prop_assert_eq!(lines, Cetr::default().lines(&source));
        }
    }
}
