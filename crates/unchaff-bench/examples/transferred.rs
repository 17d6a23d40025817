//! What carrying segments over is worth: on how many pages of a site it can be done, how far the segments agree with those found directly,
//! and how much time it saves.
//!
//! `cargo run --release -p unchaff-bench --example transferred -- FOLDER TECHNIQUE[:PARAMETER=VALUE,…] [published] [untried] [layouts=FOLDER] [sites=A,B,…]`,
//! where FOLDER has a folder for each site with `site.json` and `pages/`. Pages go through a new store for each site in their order, and
//! each is segmented directly too. Techniques that need boxes have all pages rendered; `layouts` keeps the boxes for the next time.
//! `published`: carried over as in the thesis; `untried`: without trying on a second page. Items are texts and images.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use unchaff_bench::measure::segments::{bcubed, box_scores, whole_segments};
use unchaff_dom::{NodeId, Page, PageId, Site, Tag};
use unchaff_page::parameters::setting;
use unchaff_render::chromium::{Chromium, Options};
use unchaff_render::files::Files;
use unchaff_segment::labels;
use unchaff_segment::layout::Layout;
use unchaff_segment::registry::{self, SegmentEntry};
use unchaff_segment::renderer::{PageToRender, Renderer};
use unchaff_segment::segment_stream::{SegmentStream, StreamOptions};
use unchaff_segment::segmentation::{SegmentKind, SegmentTechnique, Segmentation, group_of_nodes};
use unchaff_site::carried_over::transfer::Transfer;
use unchaff_source::{AnySite, PoliteOptions, Url, open_site};
use unchaff_store::{StoreError, TemplateStore};

const COLUMNS: [&str; 6] = ["F", "ARI", "b3-items", "b3-chars", "near", "kinds"];

#[derive(Default)]
struct Figures {
    pages: usize,
    templates: usize,
    transferred: usize,
    /// Segments of the pages that were carried over to: found directly, and carried over.
    segments: [usize; 2],
    scores: Vec<[f64; 6]>,
    /// Time of the pages with boxes, of segmentation, of kinds, of looking up, of carrying over.
    rendering: (Duration, usize),
    segmenting: Duration,
    naming: Duration,
    looking: Duration,
    carrying: Duration,
}

impl Figures {
    fn add(&mut self, other: Figures) {
        self.pages += other.pages;
        self.templates += other.templates;
        self.transferred += other.transferred;
        (0..2).for_each(|at| self.segments[at] += other.segments[at]);
        self.scores.extend(other.scores);
        self.rendering = (self.rendering.0 + other.rendering.0, self.rendering.1 + other.rendering.1);
        self.segmenting += other.segmenting;
        self.naming += other.naming;
        self.looking += other.looking;
        self.carrying += other.carrying;
    }

    fn line(&self, name: &str) -> String {
        let mean = |at: usize| self.scores.iter().fold(0.0, |sum, scores| sum + scores[at]) / self.scores.len().max(1) as f64;
        let scores: String = (0..COLUMNS.len()).map(|at| format!("{:>10.3}", mean(at))).collect();
        let share = 100.0 * self.transferred as f64 / self.pages.max(1) as f64;
        format!("{name:24}{:>7}{:>10}{share:>12.1}{scores}", self.pages, self.templates)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, technique, rest @ ..] = &arguments[..] else { return Err("say FOLDER TECHNIQUE".into()) };
    let has = |word: &str| rest.iter().any(|argument| argument == word);
    let value = |name: &str| rest.iter().find_map(|argument| argument.strip_prefix(name)?.strip_prefix('='));
    let (name, settings) = technique.split_once(':').unwrap_or((technique, ""));
    let settings = settings.split(',').filter(|setting| !setting.is_empty()).map(setting);
    let settings: Vec<(&str, &str)> = settings.collect::<Result<_, _>>()?;
    let entry = registry::find(name).ok_or_else(|| format!("there is no technique {name}"))?;
    let mut options = StreamOptions::default();
    if has("published") {
        options.transfer = Transfer::published();
    }
    if has("untried") {
        options.trials = 0;
    }
    let mut run = Run {
        entry,
        technique: entry.technique(&settings)?,
        maker: entry.described(&settings),
        options,
        layouts: value("layouts").map(ToOwned::to_owned),
        renderer: Box::new(Chromium::new(Options { time_limit: Duration::from_secs(60), ..Options::default() })),
    };
    println!(
        "{:24}{:>7}{:>10}{:>12}{}",
        "",
        "pages",
        "templates",
        "carried %",
        COLUMNS.map(|name| format!("{name:>10}")).concat()
    );
    let mut all = Figures::default();
    let mut sites: Vec<_> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    sites.sort();
    for site in sites.iter().filter(|site| site.join("site.json").is_file()) {
        let name = site.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if value("sites").is_some_and(|sites| sites.split(',').all(|wanted| wanted != name)) {
            continue;
        }
        let figures = run.site(site, &name)?;
        println!("{}", figures.line(&name));
        all.add(figures);
    }
    println!("{}", all.line("all"));
    println!("segments of pages carried over to: {} directly, {} carried over", all.segments[0], all.segments[1]);
    let each = |time: Duration, count: usize| 1e3 * time.as_secs_f64() / count.max(1) as f64;
    println!(
        "ms a page: rendering {:.1}, segmentation {:.2}, kinds {:.2}, looking up {:.2}, carrying over, all in all {:.2}",
        each(all.rendering.0, all.rendering.1),
        each(all.segmenting, all.pages),
        each(all.naming, all.pages),
        each(all.looking, all.pages),
        each(all.carrying, all.transferred)
    );
    Ok(())
}

struct Run {
    entry: &'static SegmentEntry,
    technique: Box<dyn SegmentTechnique>,
    maker: String,
    options: StreamOptions,
    layouts: Option<String>,
    renderer: Box<dyn Renderer>,
}

impl Run {
    fn site(&mut self, folder: &Path, name: &str) -> Result<Figures, Box<dyn Error>> {
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("site.json"))?)?;
        let bases: Vec<Url> =
            about["base_urls"].as_array().into_iter().flatten().filter_map(|url| Url::parse(url.as_str()?).ok()).collect();
        let site =
            open_site(folder.join("pages").as_os_str(), &bases, PoliteOptions::default(), &unchaff_source::Reading::default())?;
        let stream = SegmentStream::new(TemplateStore::in_memory()?, &self.maker, self.options.clone());
        let mut figures = Figures::default();
        for id in site.known() {
            let Ok(page) = site.load(id) else { continue };
            figures.pages += 1;
            let layout = self.layout(&site, id, &page, name, &mut figures)?;
            let start = Instant::now();
            let mut direct = self.technique.segment(&page, &layout);
            figures.segmenting += start.elapsed();
            let start = Instant::now();
            labels::label(&page, &layout, &mut direct);
            figures.naming += start.elapsed();
            let start = Instant::now();
            let look = stream.look(name, &page)?;
            figures.looking += start.elapsed();
            let found = stream.settle(name, &page, look, |_| Ok::<_, StoreError>(direct.clone()))?;
            if found.is_transferred {
                figures.carrying += start.elapsed();
                figures.transferred += 1;
                figures.segments[0] += direct.segments.len();
                figures.segments[1] += found.segmentation.segments.len();
                figures.scores.push(scores(&page, &layout, &found.segmentation, &direct));
            }
        }
        figures.templates = stream.finish()?.list(None)?.templates.len();
        Ok(figures)
    }

    fn layout(
        &mut self,
        site: &AnySite,
        id: PageId,
        page: &Page,
        name: &str,
        figures: &mut Figures,
    ) -> Result<Layout, Box<dyn Error>> {
        if !self.entry.kind.needs_layout() {
            return Ok(Layout::default());
        }
        let kept = self.layouts.as_ref().map(|folder| Path::new(folder).join(format!("{name}-{}.json", id.0)));
        if let Some(json) = kept.as_ref().and_then(|kept| std::fs::read(kept).ok()) {
            return Ok(Layout::from_json(&json)?);
        }
        let files = site.file(id).map(|(root, page)| Files { root: root.to_owned(), page: page.to_owned() });
        let start = Instant::now();
        let rendering = self.renderer.render(&PageToRender::new(page).with_subresources(files))?;
        figures.rendering = (figures.rendering.0 + start.elapsed(), figures.rendering.1 + 1);
        if let Some(kept) = kept {
            std::fs::create_dir_all(kept.parent().unwrap_or(Path::new(".")))?;
            std::fs::write(kept, rendering.layout.to_json())?;
        }
        Ok(rendering.layout)
    }
}

/// How far two segmentations agree over the texts and images that are seen, or that could be if the page was not rendered.
fn scores(page: &Page, layout: &Layout, found: &Segmentation, direct: &Segmentation) -> [f64; 6] {
    let mut seen = vec![layout.boxes.is_empty(); page.len()];
    for at in layout.content() {
        layout.boxes[at as usize].node.into_iter().for_each(|node| seen[node as usize] = true);
    }
    let is_item = |node: &NodeId| match page.tag(*node) {
        Tag::Text => page.counts(*node).chars > 0,
        tag => matches!(tag, Tag::Img | Tag::Svg | Tag::Video | Tag::Iframe),
    };
    let items: Vec<NodeId> = page.nodes().filter(|node| seen[node.index()] && is_item(node)).collect();
    let segments = |segmentation: &Segmentation| -> (Vec<Vec<u32>>, Vec<Option<&'static str>>) {
        let owners = group_of_nodes(page, segmentation.segments.iter().map(|segment| &segment.nodes[..]));
        let mut segments = vec![Vec::new(); segmentation.segments.len()];
        let mut kinds = Vec::new();
        for (item, node) in (0..).zip(&items) {
            let owner = owners[node.index()].map(|owner| owner as usize);
            owner.into_iter().for_each(|owner| segments[owner].push(item));
            kinds.push(owner.and_then(|owner| segmentation.segments[owner].kind).map(SegmentKind::as_str));
        }
        segments.retain(|segment: &Vec<u32>| !segment.is_empty());
        (segments, kinds)
    };
    let ((found, found_kinds), (direct, direct_kinds)) = (segments(found), segments(direct));
    if items.is_empty() || direct.is_empty() && found.is_empty() {
        return [1.0; 6];
    }
    let (score, ari) = box_scores(&found, &direct);
    let chars: Vec<f64> = items.iter().map(|node| f64::from(page.counts(*node).chars)).collect();
    let same = (0..items.len()).filter(|at| found_kinds[*at] == direct_kinds[*at]);
    [
        score.f1,
        ari,
        bcubed(&vec![1.0; items.len()], &found, &direct).f1,
        bcubed(&chars, &found, &direct).f1,
        whole_segments(&chars, &found, &direct, 0.8).f1,
        same.map(|at| chars[at]).sum::<f64>() / chars.iter().sum::<f64>().max(1.0),
    ]
}
