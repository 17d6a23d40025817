//! What carrying segments over saves (Zelený 2017, 9.3.3): the work on all pages of a site with templates and without, part by part.

use crate::run::{Contender, RunError};
use std::time::{Duration, Instant};
use unchaff_dom::{Page, PageId, Parser, Site};
use unchaff_render::files::Files;
use unchaff_segment::layout::Layout;
use unchaff_segment::renderer::{PageToRender, RenderError, Renderer};
use unchaff_segment::segment_stream::{SegmentStream, StreamOptions, agreement};
use unchaff_segment::segmentation::Segmentation;
use unchaff_site::carried_over::memory_templates::MemoryTemplates;
use unchaff_site::carried_over::path_set::{PathSet, PathToken};
use unchaff_site::carried_over::pruned_dom::{PrunedDom, Pruning};

/// Times are in seconds, for all pages.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gain {
    /// The site.
    pub site: String,
    /// The technique, with its settings.
    pub technique: String,
    /// How many pages were looked at.
    pub pages: usize,
    /// How many of them got segments from their template.
    pub carried: usize,
    /// How far these agree with those found directly (BCubed F1 over texts and images), on average.
    pub agreement: Option<f64>,
    /// Parsing.
    pub parsing: f64,
    /// Pruning the tree and collecting its paths, which is part of looking up.
    pub pruning: f64,
    /// Looking for a template, carrying over, verifying.
    pub looking: f64,
    /// Rendering all pages.
    pub layout: f64,
    /// Segmenting all pages.
    pub segmentation: f64,
    /// Rendering the pages that got nothing from a template.
    pub layout_of_misses: f64,
    /// Segmenting them.
    pub segmentation_of_misses: f64,
}

impl Gain {
    /// The time without templates, without reading.
    #[must_use]
    pub fn without(&self) -> f64 {
        self.layout + self.segmentation
    }

    /// The time with them.
    #[must_use]
    pub fn with(&self) -> f64 {
        self.looking + self.layout_of_misses + self.segmentation_of_misses
    }

    /// The share of the time that is saved; below 0 if templates cost more than they give.
    #[must_use]
    pub fn saved(&self) -> f64 {
        if self.without() > 0.0 { 1.0 - self.with() / self.without() } else { 0.0 }
    }
}

/// The files of a page and what it refers to, if there are some.
pub type FilesOf<'f> = &'f dyn Fn(PageId) -> Option<Files>;

/// Works on the pages of a site, up to so many, with templates and without. Pages that cannot be rendered are told and left out.
///
/// # Errors
/// If the technique finds no segments, or nothing can render.
pub fn gain(
    (name, site, files): (&str, &dyn Site, FilesOf<'_>),
    most: usize,
    contender: &Contender,
    options: &StreamOptions,
    renderer: &mut dyn Renderer,
    tell: &mut dyn FnMut(String),
) -> Result<Gain, RunError> {
    let stream = SegmentStream::new(MemoryTemplates::new(), &contender.label(), options.clone());
    let mut gain = Gain { site: name.to_owned(), technique: contender.label(), ..Gain::default() };
    let mut agreed = 0.0;
    for id in site.known().into_iter().take(most) {
        let Ok(page) = site.load(id) else { continue };
        // Again, since a site remembers what it has loaded.
        let (_, parsing) = timed(|| Parser::new().parse_text(page.source()));
        let start = Instant::now();
        let layout = match layout_of(&page, contender, files(id), renderer) {
            Ok(layout) => layout,
            Err(error @ (RenderError::Missing { .. } | RenderError::Start { .. })) => {
                return Err(RunError::Nothing(format!("{} needs boxes: {error}", contender.label())));
            }
            Err(error) => {
                tell(format!("{}: {error}", site.url(id)));
                continue;
            }
        };
        let rendering = start.elapsed();
        let (direct, segmenting) = timed(|| contender.segment(&page, &layout));
        let direct = direct.ok_or_else(|| RunError::Nothing(format!("{} finds no segments", contender.label())))?;
        let (_, pruning) = timed(|| PathSet::of(&PrunedDom::of(&page, &Pruning::for_templates()), PathToken::NameAndId));
        let start = Instant::now();
        let Ok(look) = stream.look(name, &page);
        let Ok(found) = stream.settle(name, &page, look, |_| Ok::<Segmentation, std::convert::Infallible>(direct.clone()));
        let looking = start.elapsed();
        gain.pages += 1;
        gain.parsing += parsing.as_secs_f64();
        gain.pruning += pruning.as_secs_f64();
        gain.looking += looking.as_secs_f64();
        gain.layout += rendering.as_secs_f64();
        gain.segmentation += segmenting.as_secs_f64();
        if found.is_transferred {
            gain.carried += 1;
            agreed += agreement(&page, &found.segmentation, &direct);
        } else {
            gain.layout_of_misses += rendering.as_secs_f64();
            gain.segmentation_of_misses += segmenting.as_secs_f64();
        }
    }
    gain.agreement = (gain.carried > 0).then(|| agreed / gain.carried as f64);
    Ok(gain)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

fn layout_of(
    page: &Page,
    contender: &Contender,
    files: Option<Files>,
    renderer: &mut dyn Renderer,
) -> Result<Layout, RenderError> {
    if !contender.needs_boxes() {
        return Ok(Layout::default());
    }
    Ok(renderer.render(&PageToRender::new(page).with_subresources(files))?.layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;
    use unchaff_render::chromium::Chromium;

    fn site() -> LoadedSite {
        let page = |at: usize| {
            let html = format!(
                "<nav><a href=/>Home</a></nav><main><h1>Day {at}</h1><p>It rained {at} hours.</p></main><footer><p>Ours</p></footer>"
            );
            Parser::new().url(&format!("https://example.org/{at}")).parse(html)
        };
        LoadedSite::new((0..12).map(page))
    }

    fn of(settings: &[(&str, &str)], technique: &str) -> Result<Gain, RunError> {
        let contender = Contender::one(technique, &[]).unwrap();
        let options = StreamOptions::with_settings(settings).unwrap();
        // Nothing is rendered for a technique without boxes.
        let mut renderer = Chromium::new(unchaff_render::chromium::Options::default());
        gain(("example.org", &site(), &|_| None), 10, &contender, &options, &mut renderer, &mut |_| {})
    }

    #[test]
    fn all_but_the_first_pages_of_a_template_get_its_segments() {
        let found = of(&[], "dom-blocks").unwrap();
        assert_eq!((found.pages, found.carried), (10, 8));
        assert_eq!(found.agreement, Some(1.0));
        assert!(found.segmentation > found.segmentation_of_misses && found.with() > found.segmentation_of_misses);
        let published = of(&[("way", "published"), ("trials", "0")], "dom-blocks").unwrap();
        assert_eq!((published.pages, published.carried), (10, 9));
    }

    #[test]
    fn what_finds_no_segments_is_refused() {
        assert!(of(&[], "auto").unwrap_err().to_string().contains("auto finds no segments"));
    }
}
