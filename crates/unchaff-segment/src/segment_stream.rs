//! What pages go through to get their segments: those of a known template get them from it, and only the others are rendered.
//!
//! After Zelený (2017), chapter 7: segmentation is dear because a page has to be rendered for it, so one page of a template is
//! segmented, and the nodes of its segments are located in the others. Here every segment is a block of its own, of whole subtrees
//! and single texts, with its kind and level as its name ([`MarkedBlock::of_roots`]); [`recognition`](unchaff_site::carried_over::recognition)
//! decides when what is carried over is believed. It has nodes and a kind but no boxes, which belong to the stored page.
//!
//! Areas that the site puts around its content have a name, the same on all pages ([`Segment::name`]), whether they were found on the page or carried over.
//!
//! Segments depend on the technique, its settings and the window, so templates are kept for each of these apart: whoever makes
//! the stream says what its segments depend on.

mod site_names;

use crate::segmentation::{Segment, SegmentKind, Segmentation, group_of_nodes};
use site_names::SiteNames;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use unchaff_dom::order::InOrder;
use unchaff_dom::{Page, Tag};
use unchaff_site::carried_over::recognition::{Lesson, Recognition, Settling};
pub use unchaff_site::carried_over::recognition::{Look, StreamOptions};
use unchaff_site::carried_over::templates::Templates;
use unchaff_site::carried_over::transfer::{MarkedBlock, Transferred};

/// What a segment is called of which nobody knows what it is for.
const NO_KIND: &str = "segment";

/// So many sites have their names remembered; then they are learned anew.
const MOST_SITES: usize = 256;

/// The segments of a page, and where they come from.
#[derive(Clone, PartialEq, Debug)]
pub struct Segmented {
    /// The segments; without boxes if they were carried over.
    pub segmentation: Segmentation,
    /// Whether they were carried over from a stored template.
    pub is_transferred: bool,
    /// The name of the page's template, if it is kept.
    pub template: Option<String>,
    /// How much of what was carried over is verified; 0 if nothing was.
    pub verified: f64,
}

/// Pages through what is kept about sites; see the [module](self). It can be shared by threads.
///
/// ```
/// use unchaff_dom::Parser;
/// use unchaff_segment::segment_stream::{SegmentStream, StreamOptions};
/// use unchaff_segment::{layout::Layout, registry};
/// use unchaff_site::carried_over::memory_templates::MemoryTemplates;
///
/// let entry = registry::find("dom-blocks").unwrap();
/// let technique = entry.default_technique();
/// let stream = SegmentStream::new(MemoryTemplates::new(), &entry.described(&[]), StreamOptions::default());
/// let mut transferred = Vec::new();
/// for number in 0..4 {
///     let html = format!("<nav><a href=/>Home</a></nav><main><h1>Day {number}</h1><p>It rained {number} hours.</p></main>");
///     let page = Parser::new().url("https://example.org/").parse(html);
///     let look = stream.look("example.org", &page)?;
///     let segment = |page: &_| Ok::<_, std::convert::Infallible>(technique.segment(page, &Layout::default()));
///     transferred.push(stream.settle("example.org", &page, look, segment)?.is_transferred);
/// }
/// assert_eq!(transferred, [false, false, true, true]);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug)]
pub struct SegmentStream<T> {
    recognition: Recognition<T>,
    /// What the areas of each site are called.
    names: Mutex<BTreeMap<String, SiteNames>>,
}

impl<T: Templates> SegmentStream<T> {
    /// A stream of pages through what is kept about sites. `maker` says all that the segments of a page depend on: technique, settings, window.
    #[must_use]
    pub fn new(templates: T, maker: &str, options: StreamOptions) -> SegmentStream<T> {
        SegmentStream { recognition: Recognition::new(templates, maker, options), names: Mutex::default() }
    }

    /// Looks a page up and carries segments over to it, if that can be verified. Changes nothing.
    ///
    /// # Errors
    /// If templates cannot be read.
    pub fn look(&self, site: &str, page: &Page) -> Result<Look, T::Error> {
        self.recognition.look(site, page)
    }

    /// Settles a page that was looked at: if no segments could be carried over, `segment` is asked for them, and the template learns them.
    /// Pages are to come in their order.
    ///
    /// # Errors
    /// If templates cannot be read or written, or `segment` fails; nothing is learned then.
    pub fn settle<E: From<T::Error>>(
        &self,
        site: &str,
        page: &Page,
        look: Look,
        segment: impl FnOnce(&Page) -> Result<Segmentation, E>,
    ) -> Result<Segmented, E> {
        let look = match self.recognition.settle(site, page, look)? {
            Settling::CarriedOver(template, transferred) => {
                let (segmentation, verified) = (carried_over(page, &transferred), transferred.verified);
                self.names(site, |names| names.note(page, &segmentation));
                return Ok(Segmented { segmentation, is_transferred: true, template: Some(template), verified });
            }
            Settling::Unknown(look) => look,
        };
        let mut segmentation = segment(page)?;
        self.names(site, |names| names.name(page, &mut segmentation));
        let segments = &segmentation.segments;
        let names: Vec<String> =
            segments.iter().zip(segmentation.depths()).map(|(segment, depth)| stored_as(segment, depth)).collect();
        let named = names.iter().map(String::as_str).zip(segments.iter().map(|segment| &segment.nodes[..]));
        let lesson = Lesson {
            blocks: MarkedBlock::of_roots(page, named),
            agreement: &|transferred| agreement(page, &carried_over(page, transferred), &segmentation),
        };
        let template = self.recognition.learn(site, page, look, lesson)?;
        Ok(Segmented { segmentation, is_transferred: false, template, verified: 0.0 })
    }

    fn names(&self, site: &str, work: impl FnOnce(&mut SiteNames)) {
        let mut sites = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if sites.len() >= MOST_SITES && !sites.contains_key(site) {
            sites.clear();
        }
        work(sites.entry(site.to_owned()).or_default());
    }

    /// Notes how many pages were recognised. To be called now and then, and at the end.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn flush(&self) -> Result<(), T::Error> {
        self.recognition.flush()
    }

    /// Notes what is not noted yet, and retires the templates of the sites seen that no page comes to any more.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn finish(self) -> Result<T, T::Error> {
        self.recognition.finish()
    }
}

/// What a segment is called in the store: its kind, then its depth in the tree if it is no area or has a name, then the name.
fn stored_as(segment: &Segment, depth: u32) -> String {
    let kind = segment.kind.map_or(NO_KIND, SegmentKind::as_str);
    match &segment.name {
        Some(name) => format!("{kind} {depth} {name}"),
        None if depth > 1 => format!("{kind} {depth}"),
        None => kind.to_owned(),
    }
}

/// The segments that have a place in the page, in the order of the stored page. A segment is a part of the innermost one above its level that holds it;
/// if there is none, the whole was not carried over, and the part stands for itself.
fn carried_over(page: &Page, transferred: &Transferred) -> Segmentation {
    let mut found: Vec<(u32, Segment)> = Vec::new();
    for (stored_as, nodes) in &transferred.blocks {
        let mut said = stored_as.splitn(3, ' ');
        let kind = said.next().and_then(SegmentKind::named);
        let level = said.next().and_then(|level| level.parse().ok()).unwrap_or(1);
        let (nodes, name) = (nodes.roots(page), said.next().map(str::to_owned));
        if !nodes.is_empty() {
            found.push((level, Segment { nodes, kind, name, ..Segment::default() }));
        }
    }
    // Wholes before their parts; the order is kept otherwise.
    let deepest = found.iter().map(|(level, _)| *level).max().unwrap_or(1);
    if deepest > 1 {
        found.order_by_key(|(level, _)| *level);
        let mut holders: Vec<Option<u32>> = vec![None; page.len()];
        let mut from = 0;
        while from < found.len() {
            let to = from + found[from..].partition_point(|(level, _)| *level == found[from].0);
            for (_, segment) in &mut found[from..to] {
                segment.parent = segment.nodes.first().and_then(|node| holders[node.index()]);
            }
            for (at, (_, segment)) in (0..).zip(&found).skip(from).take(to - from) {
                segment.nodes.iter().for_each(|root| holders[page.range(*root)].fill(Some(at)));
            }
            from = to;
        }
    }
    Segmentation { segments: found.into_iter().map(|(_, segment)| segment).collect(), ..Segmentation::default() }.ordered()
}

/// How far two segmentations of a page agree, 0 to 1: BCubed F1 over its nodes, texts weighing their words and elements one.
#[must_use]
pub fn agreement(page: &Page, one: &Segmentation, other: &Segmentation) -> f64 {
    let (one, other) = (owners(page, one), owners(page, other));
    let mut common: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    let (mut of_one, mut of_other): (BTreeMap<u32, f64>, BTreeMap<u32, f64>) = Default::default();
    for node in page.nodes() {
        let weight = match page.tag(node) {
            Tag::Text => f64::from(page.counts(node).words),
            _ => f64::from(u8::from(page.is_element(node))),
        };
        let (one, other) = (one[node.index()], other[node.index()]);
        one.into_iter().for_each(|one| *of_one.entry(one).or_default() += weight);
        other.into_iter().for_each(|other| *of_other.entry(other).or_default() += weight);
        if let (Some(one), Some(other)) = (one, other) {
            *common.entry((one, other)).or_default() += weight;
        }
    }
    // The mean over the nodes of a side of how much of their segment is in one of the other side with them.
    let share = |of: &BTreeMap<u32, f64>, side: &dyn Fn(&(u32, u32)) -> u32| {
        let all: f64 = of.values().sum();
        let met: f64 = common.iter().map(|(pair, weight)| weight * weight / of[&side(pair)].max(1e-9)).sum();
        if all > 0.0 { met / all } else { 1.0 }
    };
    let (precision, recall) = (share(&of_one, &|pair| pair.0), share(&of_other, &|pair| pair.1));
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

/// The segment of each node.
fn owners(page: &Page, segmentation: &Segmentation) -> Vec<Option<u32>> {
    group_of_nodes(page, segmentation.segments.iter().map(|segment| &segment.nodes[..]))
}

#[cfg(test)]
mod tests;
