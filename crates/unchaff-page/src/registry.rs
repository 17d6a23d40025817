//! All techniques by name: what they find, where they come from, their parameters.
//!
//! A new technique is one new file and one line here; the command line and the documentation read this list.

use crate::learned::{auto, menu_auto, template_page};
use crate::parameters::{Parameter, Parameters};
use crate::published::{
    boilerpipe, bte, cetd, cetr, conex, content_code_blurring, crunch, dsc, eiisa, feature_extractor, largest_pagelet,
    largest_size_increase, link_lists, link_quota, menex, menex_euclid, plain, unfluff, word_leaf, xwrap,
};
#[cfg(feature = "sequence-models")]
use crate::published::{victor, web2text};
use crate::rules::{ads, comments};
use crate::{BlockKind, PageTechnique};
use std::fmt::{self, Write};
use thiserror::Error;

static ENTRIES: &[Entry] = &[
    // The content, learned.
    auto::ENTRY,
    // The content, from the tree.
    conex::ENTRY,
    word_leaf::ENTRY,
    largest_size_increase::ENTRY,
    largest_pagelet::ENTRY,
    xwrap::TAG_COUNT_ENTRY,
    xwrap::FANOUT_ENTRY,
    crunch::ENTRY,
    link_quota::ENTRY,
    link_lists::ENTRY,
    feature_extractor::ENTRY,
    feature_extractor::CLUSTER_ENTRY,
    // The content, from the page as a stream.
    bte::ENTRY,
    dsc::ENTRY,
    dsc::TEXT_ENTRY,
    dsc::QUASM_ENTRY,
    content_code_blurring::CCB_ENTRY,
    content_code_blurring::ACCB_ENTRY,
    content_code_blurring::TCCB_ENTRY,
    // The content, from text and its density.
    cetr::ENTRY,
    cetd::CETD_DS_ENTRY,
    cetd::CECTD_S_ENTRY,
    cetd::CECTD_DS_ENTRY,
    boilerpipe::ARTICLE_ENTRY,
    boilerpipe::DEFAULT_ENTRY,
    boilerpipe::LARGEST_ENTRY,
    unfluff::ENTRY,
    eiisa::ENTRY,
    plain::ENTRY,
    // The content, from texts in sequence.
    #[cfg(feature = "sequence-models")]
    victor::ENTRY,
    #[cfg(feature = "sequence-models")]
    web2text::ENTRY,
    // The menu.
    menex::ENTRY,
    menex_euclid::ENTRY,
    menu_auto::ENTRY,
    // What is neither.
    template_page::ENTRY,
    comments::ENTRY,
    ads::ENTRY,
];

/// What techniques look at, and which do, so that a long list can be shown in parts.
static FAMILIES: &[(&str, &[&str])] = &[
    ("learned", &["auto", "menu-auto", "template-page"]),
    (
        "tree",
        &[
            "conex-page",
            "word-leaf",
            "lsi",
            "lp",
            "tag-count",
            "fanout",
            "crunch",
            "lqf",
            "lqf-mantratzis",
            "fe",
            "kfe",
            "menex",
            "menex-euclid",
        ],
    ),
    ("stream", &["bte", "dsc", "dsc-text", "dsc-quasm", "ccb", "accb", "tccb"]),
    (
        "text",
        &[
            "cetr",
            "cetd-ds",
            "cectd-s",
            "cectd-ds",
            "boilerpipe-article",
            "boilerpipe-default",
            "boilerpipe-largest",
            "unfluff",
            "eiisa",
            "plain",
        ],
    ),
    ("sequence", &["victor", "web2text"]),
    ("rules", &["comments", "ads"]),
];

/// What a technique looks at, in a word: `learned` (many features, weighed by a model), `tree`, `stream` (the source as a sequence), `text`
/// (its density), `sequence` (texts labelled one after the other), `rules` (written by hand); `other` for a name that is not here.
#[must_use]
pub fn family(name: &str) -> &'static str {
    FAMILIES.iter().find(|(_, names)| names.contains(&name)).map_or("other", |(family, _)| family)
}

/// The technique used when none is named: of those here, the one that is best over pages of all kinds and languages and
/// keeps whole elements together (`docs/techniques.md` has the figures).
pub const DEFAULT: &str = "auto";

/// The technique used for menus when none is named.
pub const DEFAULT_MENU: &str = "menu-auto";

/// The technique used for templates when none is named and there is but one page.
pub const DEFAULT_TEMPLATE: &str = "template-page";

/// The technique used for a kind of block when none is named.
#[must_use]
pub fn default_for(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Content => DEFAULT,
        BlockKind::Template => DEFAULT_TEMPLATE,
        BlockKind::Menu => DEFAULT_MENU,
        BlockKind::Comments => "comments",
        BlockKind::Ads => "ads",
    }
}

/// Makes a technique with settings; or says which of them is refused.
pub type Build<T> = fn(&[(&str, &str)]) -> Result<Box<T>, usize>;

/// What is known about a technique: one that looks at a page, or, in the list of another crate, of another kind `T`, in which techniques
/// are told apart by something else (`K`).
pub struct Entry<T: ?Sized + 'static = dyn PageTechnique, K = BlockKind> {
    /// The name.
    pub name: &'static str,
    /// The block it finds; in a list of techniques that all find the same, what they are told apart by.
    pub kind: K,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// How its cost grows.
    pub cost: &'static str,
    /// Lists its parameters.
    pub parameters: fn() -> Vec<Parameter>,
    /// Makes it.
    pub build: Build<T>,
}

impl<T: ?Sized, K: Copy> Clone for Entry<T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized, K: Copy> Copy for Entry<T, K> {}

impl<T: ?Sized, K: fmt::Debug> fmt::Debug for Entry<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Why a setting was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingError {
    /// The technique has no such parameter.
    #[error("{technique} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The technique.
        technique: &'static str,
        /// The name that was given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The parameter does not take this value.
    #[error("`{value}` is not a value of {technique}'s `{name}`, which takes {takes}")]
    Value {
        /// The technique.
        technique: &'static str,
        /// The parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// What the parameter takes.
        takes: String,
    },
}

impl Entry {
    /// The entry of a technique `T` that is made from its parameters `P`.
    pub(crate) const fn new<T: PageTechnique + From<P> + 'static, P: Parameters>(
        name: &'static str,
        kind: BlockKind,
        summary: &'static str,
        source: &'static str,
        cost: &'static str,
    ) -> Entry {
        Entry {
            name,
            kind,
            summary,
            source,
            cost,
            parameters: P::list,
            build: |settings| Ok(Box::new(T::from(read::<P>(settings)?))),
        }
    }
}

impl<T: ?Sized, K> Entry<T, K> {
    /// Its parameters.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }

    /// The technique with its default parameters.
    #[must_use]
    pub fn default_technique(&self) -> Box<T> {
        match self.technique(&[]) {
            Ok(technique) => technique,
            Err(_) => unreachable!("no setting can be wrong when there is none"),
        }
    }

    /// The technique with some parameters set to other values.
    ///
    /// # Errors
    /// If a parameter does not exist or does not take its value.
    pub fn technique(&self, settings: &[(&str, &str)]) -> Result<Box<T>, SettingError> {
        (self.build)(settings).map_err(|wrong| SettingError::of(self.name, &self.parameters(), settings[wrong]))
    }

    /// The technique as it is with these settings, in words: its name and the value of every parameter. Two that find different
    /// things have different ones.
    #[must_use]
    pub fn described(&self, settings: &[(&str, &str)]) -> String {
        let mut text = self.name.to_owned();
        for Parameter { name, default, .. } in self.parameters() {
            let value = settings.iter().rev().find(|(setting, _)| *setting == name).map_or(default.as_str(), |(_, value)| value);
            // `0.30` is `0.3`.
            let value = value.parse::<f64>().map_or_else(|_| value.to_owned(), |number| number.to_string());
            let _ = write!(text, " {name}={value}");
        }
        text
    }
}

impl SettingError {
    /// Why something with these parameters refuses a setting.
    #[must_use]
    pub fn of(technique: &'static str, parameters: &[Parameter], (name, value): (&str, &str)) -> SettingError {
        let (name, value) = (name.to_owned(), value.to_owned());
        match parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) => SettingError::Value { technique, name, value, takes: parameter.takes.clone() },
            None => {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                SettingError::Unknown { technique, name, known }
            }
        }
    }
}

/// Parameters with settings applied one by one; the position of the first that is refused otherwise.
///
/// # Errors
/// If a name or a value is wrong.
pub fn read<P: Parameters>(settings: &[(&str, &str)]) -> Result<P, usize> {
    read_over(P::default(), settings)
}

/// The same over parameters of which some are not the defaults.
///
/// # Errors
/// If a name or a value is wrong.
pub fn read_over<P: Parameters>(mut params: P, settings: &[(&str, &str)]) -> Result<P, usize> {
    for (at, (name, value)) in settings.iter().enumerate() {
        params.set(name, value).ok_or(at)?;
    }
    Ok(params)
}

/// All techniques.
#[must_use]
pub fn all() -> &'static [Entry] {
    ENTRIES
}

/// The technique of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Page;

    #[test]
    fn every_entry_builds_with_each_of_its_documented_defaults() {
        for entry in all() {
            assert_eq!(entry.default_technique().name(), entry.name);
            assert_ne!(family(entry.name), "other", "{}", entry.name);
            for parameter in entry.parameters() {
                entry.technique(&[(parameter.name, &parameter.default)]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        for kind in [BlockKind::Content, BlockKind::Template, BlockKind::Menu, BlockKind::Comments, BlockKind::Ads] {
            assert_eq!(find(default_for(kind)).unwrap().kind, kind);
        }
    }

    #[test]
    fn a_wrong_setting_is_refused_with_what_would_be_right() {
        let conex = find("conex-page").unwrap();
        let unknown = conex.technique(&[("c", "2"), ("d", "1")]).err().unwrap().to_string();
        assert!(unknown.contains("`d`") && unknown.contains("max_words"), "{unknown}");
        let value = conex.technique(&[("c", "many")]).err().unwrap().to_string();
        assert!(value.contains("`many`") && value.contains("`c`") && value.contains("whole number"), "{value}");
    }

    /// Pages at the edge of what a page can be; every technique answers and explains, twice the same.
    #[test]
    fn every_technique_has_an_answer_for_odd_pages() {
        let giant = format!("<body><p>{}</p></body>", "word ".repeat(20_000));
        let many = format!("<body>{}</body>", "<div><a href=/x>link</a><p>Some text, with a comma.</p></div>".repeat(500));
        let nested = format!("{}text{}", "<div>".repeat(600), "</div>".repeat(600));
        let odd = [
            "",
            " ",
            "only text, no tag",
            "<frameset><frame src=a></frameset>",
            "<body></body>",
            "<body><script>code()</script></body>",
            "<body><p>No links here. Not one.</p><p>And no more than two paragraphs.</p></body>",
            "<body><a href=/1>one</a><a href=/2>two</a></body>",
            "<body dir=rtl><nav><ul><li><a href=/>الرئيسية</a></ul></nav><p>هطل المطر طوال اليوم، ثم أشرقت الشمس.</p></body>",
            "<body><div><a href=/>首页</a></div><p>今天下了一整天的雨，然后太阳出来了。孩子们在街上玩耍。</p></body>",
            "<table><tr><td>a<td><table><tr><td>b</table></table>",
            "<body><img src=a><img src=b></body>",
            "<body>\u{0}\u{fffd}&#0;</body>",
        ];
        let pages: Vec<Page> = odd.into_iter().chain([&*giant, &many, &nested]).map(Page::parse).collect();
        for entry in all() {
            let technique = entry.default_technique();
            for page in &pages {
                let detection = technique.detect(page);
                assert_eq!(detection, technique.detect(page), "{}", entry.name);
                assert!(detection.nodes(entry.kind).is_some(), "{}", entry.name);
                assert!(
                    detection.blocks.iter().all(|block| block.nodes.iter().all(|node| node.index() < page.len())),
                    "{}",
                    entry.name
                );
                let explanation = technique.explain(page);
                assert!(explanation.rows.iter().all(|row| row.values.len() == explanation.columns.len()), "{}", entry.name);
            }
        }
    }
}
