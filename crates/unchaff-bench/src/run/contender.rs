//! Who takes part in a run: a technique with settings, or an external command.
//!
//! Settings are kept in one canonical form, in which what equals the default is left out and numbers are numbers. So
//! `conex-page`, `conex-page:c=3` and `conex-page:c=03` are one technique in the database.
//!
//! Techniques that find segments can be joined by `+`, for gold with segments in segments: all that any of them finds is found.

use super::RunError;
use super::http_system::{HttpOptions, HttpSystem};
use crate::database::TechniqueRecord;
use crate::measure::SEGMENTS;
use crate::suite::{Benchmark, Layout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, Page};
use unchaff_job::external::External;
use unchaff_job::{ExternalError, ExternalTechnique};
use unchaff_page::parameters::{Parameter, setting};
use unchaff_page::registry::{self, Entry};
use unchaff_page::{BlockKind, PageTechnique};
use unchaff_segment::layout::Layout as Boxes;
use unchaff_segment::registry::{self as segment_registry, SegmentEntry};
use unchaff_segment::segmentation::{SegmentTechnique, Segmentation};
use unchaff_site::SiteTechnique;
use unchaff_site::registry::{self as site_registry, SiteEntry};

/// Settings by name, in canonical form.
pub type Settings = BTreeMap<String, Value>;

/// A technique with settings, ready to run.
pub struct Contender {
    /// Its name in the registry, or the one given to a command.
    pub name: String,
    /// The block it looks for; none if it looks for segments.
    pub block: Option<BlockKind>,
    /// Settings other than the defaults.
    pub settings: Settings,
    pub(super) technique: Technique,
}

pub(super) enum Technique {
    Page(Box<dyn PageTechnique>),
    Site(Box<dyn SiteTechnique>),
    Segment(Vec<Box<dyn SegmentTechnique>>),
    External(External),
    Http(HttpSystem),
}

/// An entry of one of the registries.
#[derive(Clone, Copy)]
enum Known {
    Page(&'static Entry),
    Site(&'static SiteEntry),
    Segment(&'static SegmentEntry),
}

impl Contender {
    /// The techniques that a text names: `all`, a name, or a name with settings (`conex-page:c=2,max_words=4`); several
    /// of these with `+` between them if they find segments. To these come the settings that hold for all techniques of the run.
    ///
    /// # Errors
    /// If there is no such technique or a setting is wrong.
    pub fn named(text: &str, settings: &[(String, String)]) -> Result<Vec<Contender>, RunError> {
        if text == "all" {
            return Known::all().map(|known| known.contender(settings)).collect();
        }
        Ok(vec![Contender::one(text, settings)?])
    }

    /// The one technique that a text names; as [`Contender::named`], without `all`.
    ///
    /// # Errors
    /// If there is no such technique or a setting is wrong.
    pub fn one(text: &str, settings: &[(String, String)]) -> Result<Contender, RunError> {
        let parts: Vec<&str> = text.split('+').collect();
        let name = |part: &str| segment_registry::find(part.split_once(':').map_or(part, |(name, _)| name)).is_some();
        if parts.len() > 1 && parts.iter().all(|part| name(part)) {
            return Contender::joined(&parts, settings);
        }
        let (name, own) = text.split_once(':').unwrap_or((text, ""));
        let mut all = settings.to_vec();
        all.extend(inline_settings(own)?);
        Known::find(name)?.contender(&all)
    }

    /// Several techniques that find segments, as one.
    fn joined(parts: &[&str], settings: &[(String, String)]) -> Result<Contender, RunError> {
        let (mut techniques, mut labels) = (Vec::new(), Vec::new());
        for part in parts {
            let one = Contender::one(part, settings)?;
            labels.push(one.label());
            if let Technique::Segment(found) = one.technique {
                techniques.extend(found);
            }
        }
        // Settings have their place in the name: two techniques may differ in nothing else.
        Ok(Contender {
            name: labels.join("+"),
            block: None,
            settings: Settings::new(),
            technique: Technique::Segment(techniques),
        })
    }

    /// An external command, from `name=command` or, if it looks for another block than the content, `name:block=command`.
    ///
    /// # Errors
    /// If the text is of another form.
    pub fn external(text: &str, limit: Duration) -> Result<Contender, RunError> {
        let ExternalTechnique { name, block, external } = ExternalTechnique::read(text, limit)?;
        if segment_registry::find(&name).is_some() {
            return Err(ExternalError::Form { text: text.to_owned() }.into());
        }
        Ok(Contender {
            name,
            block: Some(block.unwrap_or(BlockKind::Content)),
            settings: Settings::from([("command".to_owned(), Value::from(external.command.as_str()))]),
            technique: Technique::External(external),
        })
    }

    /// A system behind HTTP, from `name=address` or `name:block=address`; see [`HttpOptions`]. The address is `proxy+http://…` if it is a proxy, has `{url}` in the place of the page's
    /// address, or is sent the page.
    ///
    /// # Errors
    /// If the text is of another form, or the address is on another machine and that is not wanted.
    pub fn http(text: &str, options: &HttpOptions) -> Result<Contender, RunError> {
        let form = |_| RunError::Http {
            text: text.to_owned(),
            reason: "it is not of the form NAME=ADDRESS or NAME:BLOCK=ADDRESS, with a name that no technique of ours has"
                .to_owned(),
        };
        let contender = Contender::external(text, options.limit).map_err(form)?;
        let Technique::External(external) = &contender.technique else { return Ok(contender) };
        let system = HttpSystem::read(&external.command, options)?;
        let settings = Settings::from([("address".to_owned(), Value::from(external.command.as_str()))]);
        Ok(Contender { technique: Technique::Http(system), settings, ..contender })
    }

    /// All parameters of a technique, with their defaults; none for commands and what is not known.
    #[must_use]
    pub fn parameters(name: &str) -> Vec<Parameter> {
        Known::find(name).map(Known::parameters).unwrap_or_default()
    }

    /// The same technique with further settings.
    ///
    /// # Errors
    /// If a setting is wrong, or if this is an external command, which has none, or several techniques joined.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Contender, RunError> {
        if matches!(&self.technique, Technique::Segment(joined) if joined.len() > 1) {
            let what = "is several techniques, and it is not clear whose settings are meant; try the settings of one at a time";
            return Err(RunError::Sweep(format!("{} {what}", self.name)));
        }
        let known = Known::find(&self.name)?;
        let mut all: Vec<(String, String)> =
            self.settings.iter().map(|(name, value)| (name.clone(), plain(value).into_owned())).collect();
        all.extend_from_slice(settings);
        known.contender(&all)
    }

    /// Whether the suites of a layout have a gold standard for it.
    #[must_use]
    pub fn applies_to(&self, layout: Layout) -> bool {
        match layout {
            Layout::Texts | Layout::Package => {
                self.block == Some(BlockKind::Content)
                    && match &self.technique {
                        Technique::Page(_) | Technique::Http(_) => true,
                        Technique::Site(_) | Technique::Segment(_) => false,
                        Technique::External(external) => !external.needs_site(),
                    }
            }
            Layout::Sites => self.block.is_some(),
            // The pages on disk carry the labels, which nobody may see.
            Layout::Teco => {
                let reads_files = matches!(&self.technique, Technique::External(external) if external.needs_site());
                self.block.is_some() && !reads_files
            }
            Layout::Segments => self.block.is_none(),
        }
    }

    /// What it looks for: the name of its block, or [`SEGMENTS`].
    #[must_use]
    pub fn looks_for(&self) -> &'static str {
        self.block.map_or(SEGMENTS, BlockKind::as_str)
    }

    /// Whether it can do nothing on a page that was not rendered.
    #[must_use]
    pub fn needs_boxes(&self) -> bool {
        let Technique::Segment(techniques) = &self.technique else { return false };
        let mut entries = techniques.iter().filter_map(|technique| segment_registry::find(technique.name()));
        entries.any(|entry| entry.kind.needs_layout())
    }

    /// The segments of a page, by each of its techniques; none if it looks for something else, or the page is of a suite of something
    /// else.
    pub(crate) fn segments(&self, benchmark: &Benchmark) -> Option<Vec<Segmentation>> {
        let (Technique::Segment(techniques), Some(boxes)) = (&self.technique, &benchmark.boxes) else { return None };
        Some(techniques.iter().map(|technique| technique.segment(&benchmark.page, &boxes.layout)).collect())
    }

    /// The segments of a page that is of no suite, by its first technique; none if it looks for something else.
    pub(crate) fn segment(&self, page: &Page, layout: &Boxes) -> Option<Segmentation> {
        let Technique::Segment(techniques) = &self.technique else { return None };
        techniques.first().map(|technique| technique.segment(page, layout))
    }

    /// How it rates the nodes of a page, in document order, the higher the likelier: by the probabilities of its answer, else by its explanation. Nothing if it does not rate.
    pub(crate) fn ratings(&self, benchmark: &Benchmark) -> Result<Vec<(NodeId, f64)>, String> {
        let (detection, explanation) = match (&self.technique, &benchmark.site, benchmark.key) {
            (Technique::Page(technique), ..) => (technique.detect(&benchmark.page), technique.explain(&benchmark.page)),
            (Technique::Site(technique), Some(site), Some(key)) => {
                let said = |error: unchaff_dom::LoadError| error.to_string();
                (technique.detect(&**site, key).map_err(said)?, technique.explain(&**site, key).map_err(said)?)
            }
            _ => return Ok(Vec::new()),
        };
        let own = detection.blocks.iter().find(|block| Some(block.kind) == self.block && !block.ratings.is_empty());
        let mut ratings: Vec<(NodeId, f64)> = match own {
            Some(block) => block.ratings.iter().map(|(node, rating)| (*node, f64::from(*rating))).collect(),
            None => explanation.ratings().collect(),
        };
        ratings.order_by_key(|(node, _)| *node);
        Ok(ratings)
    }

    /// What the database knows of it.
    #[must_use]
    pub fn record(&self) -> TechniqueRecord {
        let (kind, version) = match &self.technique {
            Technique::Page(_) => ("page", env!("CARGO_PKG_VERSION")),
            Technique::Site(_) => ("site", env!("CARGO_PKG_VERSION")),
            Technique::Segment(_) => ("segment", env!("CARGO_PKG_VERSION")),
            Technique::External(_) | Technique::Http(_) => ("external", ""),
        };
        TechniqueRecord {
            name: self.name.clone(),
            kind: kind.into(),
            block: self.looks_for().into(),
            settings: settings_json(&self.settings),
            version: version.to_owned(),
        }
    }

    /// Its name with its settings, in the form in which they can be given again.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.technique {
            Technique::External(_) | Technique::Http(_) => self.name.clone(),
            _ if self.settings.is_empty() => self.name.clone(),
            _ => format!("{}:{}", self.name, settings_text(&self.settings)),
        }
    }
}

impl Known {
    fn all() -> impl Iterator<Item = Known> {
        let of_pages = registry::all().iter().map(Known::Page).chain(site_registry::all().iter().map(Known::Site));
        of_pages.chain(segment_registry::all().iter().map(Known::Segment))
    }

    fn find(name: &str) -> Result<Known, RunError> {
        Known::all().find(|known| known.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Known::all().map(Known::name).collect();
            RunError::UnknownTechnique { name: name.to_owned(), known: names.join(", ") }
        })
    }

    fn name(self) -> &'static str {
        match self {
            Known::Page(entry) => entry.name,
            Known::Site(entry) => entry.name,
            Known::Segment(entry) => entry.name,
        }
    }

    fn parameters(self) -> Vec<Parameter> {
        match self {
            Known::Page(entry) => entry.parameters(),
            Known::Site(entry) => entry.parameters(),
            Known::Segment(entry) => (entry.parameters)(),
        }
    }

    fn contender(self, settings: &[(String, String)]) -> Result<Contender, RunError> {
        let pairs: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (block, technique) = match self {
            Known::Page(entry) => (Some(entry.kind), Technique::Page(entry.technique(&pairs)?)),
            Known::Site(entry) => (Some(entry.kind), Technique::Site(entry.technique(&pairs)?)),
            Known::Segment(entry) => (None, Technique::Segment(vec![entry.technique(&pairs)?])),
        };
        let mut canonical: Settings = settings.iter().map(|(name, value)| (name.clone(), value_of(value))).collect();
        for parameter in self.parameters() {
            if canonical.get(parameter.name) == Some(&value_of(&parameter.default)) {
                canonical.remove(parameter.name);
            }
        }
        Ok(Contender { name: self.name().to_owned(), block, settings: canonical, technique })
    }
}

/// `a=1,b=2` as pairs. A piece without `=` belongs to the value before it, for values may have commas.
fn inline_settings(text: &str) -> Result<Vec<(String, String)>, RunError> {
    let mut settings: Vec<(String, String)> = Vec::new();
    for piece in text.split(',').filter(|_| !text.is_empty()) {
        match (setting(piece), settings.last_mut()) {
            (Ok((name, value)), _) => settings.push((name.trim().to_owned(), value.trim().to_owned())),
            (Err(_), Some((_, value))) => *value = format!("{value},{piece}"),
            (Err(error), None) => return Err(error.into()),
        }
    }
    Ok(settings)
}

/// A value in canonical form: a whole number, another number, a truth value, or text.
fn value_of(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>() {
        return Value::from(number);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number.fract() == 0.0 && number.abs() < 1e15 => Value::from(number as i64),
        Ok(number) if number.is_finite() => Value::from(number),
        _ => text.parse::<bool>().map_or_else(|_| Value::from(text), Value::from),
    }
}

fn plain(value: &Value) -> std::borrow::Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// Settings as people write them: `c=2,max_words=4`.
#[must_use]
pub fn settings_text(settings: &Settings) -> String {
    let pairs: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
    pairs.join(",")
}

/// Settings as the database has them: a JSON object with sorted names.
#[must_use]
pub fn settings_json(settings: &Settings) -> String {
    let pairs: Vec<String> = settings.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
    format!("{{{}}}", pairs.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Contender {
        Contender::one(text, &[]).unwrap()
    }

    #[test]
    fn settings_have_one_form() {
        for text in ["conex-page", "conex-page:c=3", "conex-page:min_text_share=0.0", "conex-page:wide_page_rule=true,c=03"] {
            assert_eq!(one(text).record().settings, "{}", "{text}");
            assert_eq!(one(text).label(), "conex-page");
        }
        let set = one("conex-page:min_text_share=0.50,density=chars,c=2");
        assert_eq!(set.record().settings, r#"{"c":2,"density":"chars","min_text_share":0.5}"#);
        assert_eq!(set.label(), "conex-page:c=2,density=chars,min_text_share=0.5");
        assert_eq!(one(&set.label()).record(), set.record());
        assert_eq!(set.with(&[("c".to_owned(), "3".to_owned())]).unwrap().label(), "conex-page:density=chars,min_text_share=0.5");
    }

    #[test]
    fn settings_for_all_give_way_to_those_of_a_technique() {
        let both =
            Contender::named("conex-page:c=5", &[("c".to_owned(), "4".to_owned()), ("max_words".to_owned(), "0".to_owned())]);
        assert_eq!(both.unwrap()[0].label(), "conex-page:c=5,max_words=0");
    }

    #[test]
    fn all_are_those_of_the_registries() {
        let all = Contender::named("all", &[]).unwrap();
        assert_eq!(all.len(), registry::all().len() + site_registry::all().len() + segment_registry::all().len());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = |text: &str| Contender::named(text, &[]).err().unwrap().to_string();
        assert!(said("conex").contains("conex-page"));
        assert!(said("conex-page:d=1").contains("max_words"));
        assert!(said("conex-page:c").contains("PARAMETER=VALUE"));
        let external = |text: &str| Contender::external(text, Duration::from_secs(1));
        assert!(external("cat").is_err() && external("=cat").is_err() && external("x:nonsense=cat").is_err());
        assert!(external("conex-page=cat").err().unwrap().to_string().contains("name"));
    }

    #[test]
    fn a_command_is_known_by_its_name_and_itself() {
        let menu = Contender::external("ours:menu=unchaff menu -f annotated --set a=b", Duration::from_secs(1)).unwrap();
        assert_eq!((menu.label(), menu.block), ("ours".to_owned(), Some(BlockKind::Menu)));
        assert_eq!(menu.record().settings, r#"{"command":"unchaff menu -f annotated --set a=b"}"#);
        assert!(!menu.applies_to(Layout::Texts) && menu.applies_to(Layout::Sites));
        let site = Contender::external("x=cmd {key}", Duration::from_secs(1)).unwrap();
        assert!(!site.applies_to(Layout::Texts) && site.applies_to(Layout::Sites) && !site.applies_to(Layout::Teco));
    }

    #[test]
    fn techniques_that_find_segments_can_be_joined() {
        let both = one("visual-blocks:most=0.70+dom-blocks");
        assert_eq!(both.label(), "visual-blocks:most=0.7+dom-blocks");
        assert_eq!(one(&both.label()).record(), both.record());
        assert!(both.needs_boxes() && !one("dom-blocks+block-fusion").needs_boxes());
        assert!(both.applies_to(Layout::Segments) && !both.applies_to(Layout::Texts) && !both.applies_to(Layout::Sites));
        let said = both.with(&[("most".to_owned(), "0.5".to_owned())]).err().unwrap().to_string();
        assert!(said.contains("several techniques"), "{said}");
        // A plus in the value of a setting is no joint.
        assert!(Contender::one("conex-page+dom-blocks", &[]).err().unwrap().to_string().contains("there is no technique"));
    }
}
