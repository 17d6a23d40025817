//! Segments of pages one by one: a technique with its settings, where its boxes come from, and in which form the segments leave.
//!
//! Pages are rendered one after the other, by one browser or by another renderer; with a store of templates only those of which the
//! template is not known. [`SegmentedSite`](crate::SegmentedSite) does the same for the pages of a site.

use crate::{Destination, JobError, Watch, input_name, site_of, write_file};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;
use unchaff::page::parameters::choice;
use unchaff::{Detection, Document, Page};
use unchaff_render::chromium::Chromium;
use unchaff_render::files::{Files, FilesError};
use unchaff_segment::document::{SegmentDocument, annotated};
use unchaff_segment::layout::Layout;
use unchaff_segment::registry::SegmentEntry;
use unchaff_segment::renderer::{PageToRender, RenderError, Renderer, Rendering};
use unchaff_segment::segment_stream::{Look, SegmentStream, Segmented};
use unchaff_segment::segmentation::{SegmentTechnique, Segmentation};
use unchaff_segment::{labels, picture};
use unchaff_site::carried_over::templates::Templates;
use unchaff_source::{FetchError, Fetcher, Input, InputError, Named, OutputNames, Reading, read};

/// Why a page has no segments.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// What was named is nothing that can be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] FetchError),
    /// A page of the site cannot be loaded.
    #[error("{0}")]
    Load(#[from] unchaff::dom::LoadError),
    /// What it refers to cannot be found.
    #[error("{0}")]
    Files(#[from] FilesError),
    /// It cannot be rendered.
    #[error("{0}")]
    Render(#[from] RenderError),
    /// What is kept about templates cannot be read or written.
    #[error(transparent)]
    Kept(Box<dyn std::error::Error + Send + Sync>),
    /// A number that has no JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// What was found cannot be written.
    #[error("{0}")]
    Job(#[from] JobError),
    /// One of these, at a page.
    #[error("{page}")]
    At {
        /// What the page is called.
        page: String,
        /// What went wrong.
        #[source]
        cause: Box<SegmentError>,
    },
}

impl SegmentError {
    pub(crate) fn kept(error: impl std::error::Error + Send + Sync + 'static) -> SegmentError {
        SegmentError::Kept(Box::new(error))
    }

    pub(crate) fn at(self, page: impl ToString) -> SegmentError {
        SegmentError::At { page: page.to_string(), cause: Box::new(self) }
    }

    /// Whether there is nothing that could render any page.
    pub(crate) fn is_without_renderer(&self) -> bool {
        match self {
            SegmentError::Render(RenderError::Missing { .. }) => true,
            SegmentError::At { cause, .. } => cause.is_without_renderer(),
            _ => false,
        }
    }
}

/// Of two errors, where one kind is not known here.
enum Either<K> {
    Kept(K),
    Page(SegmentError),
}

impl<K> From<K> for Either<K> {
    fn from(kept: K) -> Either<K> {
        Either::Kept(kept)
    }
}

/// Where boxes come from.
#[derive(Debug)]
pub enum BoxesFrom {
    /// The browser.
    Browser,
    /// Another renderer.
    Renderer(Box<dyn Renderer>),
    /// They are here.
    Given(Layout),
    /// Nowhere; for techniques that need none.
    Nowhere,
}

choice! {
    /// In which form segments leave.
    pub enum SegmentForm {
        /// The segments as a line of JSON: box, nodes, text, kind.
        Json = "json",
        /// The page with the number and kind of its segment on every element.
        Annotated = "annotated",
        /// A picture of the page with the segments drawn over it.
        Svg = "svg",
        /// The same, as pixels.
        Png = "png",
        /// The boxes of the page.
        Boxes = "boxes",
    }
}

impl SegmentForm {
    /// What names of files end in.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            SegmentForm::Json | SegmentForm::Boxes => "json",
            SegmentForm::Annotated => "html",
            SegmentForm::Svg => "svg",
            SegmentForm::Png => "png",
        }
    }

    /// Whether it shows what the page looks like.
    #[must_use]
    pub fn is_picture(self) -> bool {
        matches!(self, SegmentForm::Svg | SegmentForm::Png)
    }

    /// Whether a page has to have boxes for it.
    #[must_use]
    pub fn needs_boxes(self) -> bool {
        self.is_picture() || self == SegmentForm::Boxes
    }
}

/// A cut through the tree of segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cut {
    /// The segments of a level.
    Level(u32),
    /// From the top, those that are at least so coherent.
    Coherence(f64),
    /// From the top, those that cover no more than this share of the page.
    Share(f64),
}

/// The segments of a page, and how they came about.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) segmentation: Segmentation,
    pub(crate) rendering: Rendering,
    /// What a store says of the page, if there is one; the segments are above.
    pub(crate) stored: Option<Segmented>,
}

/// A technique with its settings, where its boxes come from, and what is wanted of it.
pub struct Segmenter {
    /// In which form segments leave.
    pub form: SegmentForm,
    /// The cut that is taken of the tree, if one is.
    pub cut: Option<Cut>,
    technique: Box<dyn SegmentTechnique>,
    boxes: BoxesFrom,
    /// Renders, and draws pictures whoever rendered.
    browser: Chromium,
    maker: String,
    pub(crate) layout_time: Duration,
    pub(crate) segment_time: Duration,
}

impl Segmenter {
    /// A technique of the registry with settings.
    ///
    /// # Errors
    /// If it has no such settings, or needs boxes where there are none.
    pub fn new(
        entry: &SegmentEntry,
        settings: &[(&str, &str)],
        boxes: BoxesFrom,
        browser: Chromium,
        form: SegmentForm,
    ) -> Result<Segmenter, JobError> {
        match boxes {
            BoxesFrom::Nowhere if Segmenter::needs_boxes(entry, form) => {
                return Err(JobError::NoBoxes { technique: entry.name, form });
            }
            BoxesFrom::Renderer(_) if form == SegmentForm::Png => return Err(JobError::NoPixels),
            _ => {}
        }
        let mut segmenter = Segmenter {
            form,
            cut: None,
            technique: entry.technique(settings)?,
            maker: entry.described(settings),
            boxes,
            browser,
            layout_time: Duration::ZERO,
            segment_time: Duration::ZERO,
        };
        if let Some(conditions) = segmenter.renderer().map(|renderer| renderer.conditions()) {
            segmenter.maker += &format!(" {conditions}");
        }
        Ok(segmenter)
    }

    /// Whether a technique, or the form in which its segments leave, needs boxes.
    #[must_use]
    pub fn needs_boxes(entry: &SegmentEntry, form: SegmentForm) -> bool {
        entry.kind.needs_layout() || form.needs_boxes()
    }

    /// Whether pages can leave without having been rendered, as those of a known template do.
    ///
    /// # Errors
    /// If what leaves shows how they look.
    pub fn check_unrendered(&self) -> Result<(), JobError> {
        if self.form.needs_boxes() { Err(JobError::Unrendered) } else { Ok(()) }
    }

    /// All that segments depend on.
    #[must_use]
    pub fn maker(&self) -> &str {
        &self.maker
    }

    /// Who renders pages, if anyone does.
    fn renderer(&mut self) -> Option<&mut dyn Renderer> {
        match &mut self.boxes {
            BoxesFrom::Browser => Some(&mut self.browser),
            BoxesFrom::Renderer(renderer) => Some(&mut **renderer),
            BoxesFrom::Given(_) | BoxesFrom::Nowhere => None,
        }
    }

    /// The segments of a page that was looked up: those of its template if it is known, else as [`direct`](Self::direct), to be learned.
    pub(crate) fn with_store<T: Templates>(
        &mut self,
        stream: &SegmentStream<T>,
        site: &str,
        page: &Page,
        look: Look,
        files: Option<&Files>,
        known: &mut dyn FnMut(&Page) -> Option<Detection>,
    ) -> Result<Found, SegmentError> {
        let mut rendering = Rendering::default();
        let stored = stream.settle(site, page, look, |page| -> Result<Segmentation, Either<T::Error>> {
            let found = self.direct(page, files, known);
            found.map_err(Either::Page).map(|found| {
                rendering = found.rendering;
                found.segmentation
            })
        });
        let mut stored = stored.map_err(|error| match error {
            Either::Kept(error) => SegmentError::kept(error),
            Either::Page(error) => error,
        })?;
        Ok(Found { segmentation: std::mem::take(&mut stored.segmentation), rendering, stored: Some(stored) })
    }

    /// The segments of a page, which is rendered if need be; `known` may tell its blocks, by which segments are named.
    fn direct(
        &mut self,
        page: &Page,
        files: Option<&Files>,
        known: &mut dyn FnMut(&Page) -> Option<Detection>,
    ) -> Result<Found, SegmentError> {
        let start = Instant::now();
        let rendering = self.render(page, files)?;
        self.layout_time += start.elapsed();
        if self.form == SegmentForm::Boxes {
            return Ok(Found { segmentation: Segmentation::default(), rendering, stored: None });
        }
        let known = known(page).unwrap_or_default();
        let start = Instant::now();
        let mut segmentation = self.technique.tree(page, &rendering.layout);
        labels::label_with(page, &rendering.layout, &known, &mut segmentation);
        self.segment_time += start.elapsed();
        Ok(Found { segmentation, rendering, stored: None })
    }

    fn render(&mut self, page: &Page, files: Option<&Files>) -> Result<Rendering, RenderError> {
        if let BoxesFrom::Given(layout) = &self.boxes {
            return Ok(layout.clone().into());
        }
        let is_picture = self.form.is_picture();
        let Some(renderer) = self.renderer() else { return Ok(Rendering::default()) };
        renderer.render(&PageToRender::new(page).with_subresources(files.cloned()).with_screenshot(is_picture))
    }

    /// The cut through the tree of segments that was asked for, if one was.
    pub(crate) fn cut(&self, page: &Page, mut found: Found) -> Found {
        let (tree, layout) = (&found.segmentation, &found.rendering.layout);
        found.segmentation = match self.cut {
            Some(Cut::Level(level)) => tree.level(page, layout, level),
            Some(Cut::Coherence(least)) => tree.coherent(page, layout, least),
            Some(Cut::Share(most)) => tree.no_larger(page, layout, most),
            None => return found,
        };
        found
    }

    /// What is written of a page.
    pub(crate) fn write(&mut self, page: &Page, found: &Found, input: String) -> Result<Vec<u8>, SegmentError> {
        let Rendering { layout, screenshot, .. } = &found.rendering;
        let svg = || picture::svg(layout, &found.segmentation, screenshot.as_deref());
        Ok(match self.form {
            SegmentForm::Boxes => layout.to_json().into_bytes(),
            SegmentForm::Annotated => annotated(page, &found.segmentation).into_bytes(),
            SegmentForm::Svg => svg().into_bytes(),
            SegmentForm::Png => self.browser.draw(&svg())?,
            SegmentForm::Json => {
                let mut document = SegmentDocument::new(self.technique.name(), page, &found.segmentation, &found.rendering);
                document.input = Some(input);
                if let Some(stored) = &found.stored {
                    document = document.with_template(stored);
                }
                document.to_json()?.into_bytes()
            }
        })
    }
}

/// Segments the pages that somebody names, one after the other.
pub struct SegmentedPages<'j, T> {
    /// How.
    pub segmenter: &'j mut Segmenter,
    /// What is kept about templates, if anything is.
    pub templates: Option<&'j SegmentStream<T>>,
    /// The address of the page, if there is but one and somebody knows.
    pub url: Option<String>,
    /// The folder above all files of a page, if it is not that of the page.
    pub root: Option<PathBuf>,
    /// How pages are read.
    pub reading: Reading,
    /// Who fetches those of the web.
    pub fetcher: Fetcher,
    /// Where results go.
    pub destination: Destination,
    /// What is noted about a page without an address, whose site cannot be told; in the caller's words.
    pub unaddressed: &'j str,
}

impl<T: Templates> SegmentedPages<'_, T> {
    /// Does all pages. What goes to a stream goes to this one; `failed` is told of each page that fails, and may end it. Says how many failed.
    ///
    /// # Errors
    /// If the stream takes no more, and what `failed` ends it with.
    pub fn run<E: From<JobError>>(
        &mut self,
        named: impl IntoIterator<Item = Result<Named, InputError>>,
        watch: &dyn Watch,
        stream: &mut dyn Write,
        failed: &mut dyn FnMut(SegmentError) -> Result<(), E>,
    ) -> Result<usize, E> {
        if self.templates.is_some() {
            self.segmenter.check_unrendered()?;
        }
        let mut names = OutputNames::new(self.segmenter.form.extension());
        let mut failures = 0;
        for named in named {
            watch.advance(1);
            let found = named.map_err(SegmentError::Input).and_then(|named| {
                let path = names.name(&named);
                let bytes = self.page(&named)?;
                match &self.destination {
                    Destination::Stream => return Ok(bytes),
                    Destination::File(file) => write_file(file, &bytes)?,
                    Destination::Folder(folder) => write_file(&folder.join(path), &bytes)?,
                }
                Ok(Vec::new())
            });
            match found {
                Ok(bytes) => stream.write_all(&bytes).map_err(JobError::Output)?,
                Err(error) => {
                    failures += 1;
                    failed(error)?;
                }
            }
        }
        Ok(failures)
    }

    /// What is written of a page.
    fn page(&mut self, named: &Named) -> Result<Vec<u8>, SegmentError> {
        let document = Document::from(read(&named.input, &self.fetcher)?);
        let url = self.url.clone().or(document.url);
        let page = self.reading.page(Document { url, ..document });
        let files = match &named.input {
            Input::File(file) if self.segmenter.renderer().is_some() => Some(Files::around(file, self.root.as_deref())?),
            _ => None,
        };
        let files = files.as_ref();
        let found = match (self.templates, site_of(&page)) {
            (Some(templates), Some(site)) => {
                let look = templates.look(&site, &page).map_err(SegmentError::kept)?;
                self.segmenter.with_store(templates, &site, &page, look, files, &mut |_| None)
            }
            (templates, _) => self.segmenter.direct(&page, files, &mut |_| None).map(|mut found| {
                found.rendering.notes.extend(templates.map(|_| self.unaddressed.to_owned()));
                found
            }),
        };
        let found = self.segmenter.cut(&page, found.map_err(|error| error.at(&named.input))?);
        self.segmenter.write(&page, &found, input_name(&named.input))
    }
}
