//! A stored template, and the form in which it leaves a store and comes into another: one JSON object on a line.

use crate::StoreError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use unchaff_site::carried_over::path_set::PathSet;
use unchaff_site::carried_over::pruned_dom::PrunedDom;
use unchaff_site::carried_over::transfer::{MarkedBlock, TextPlace};
use unchaff_site::learned::learned_template::LearnedTemplate;

/// The maker of content, template and menu.
pub const BLOCKS: &str = "blocks";

/// A template: the page that stands for it, which of its elements are what, and what was learned from its first pages.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredTemplate {
    /// Its name, the same wherever it is made ([`StoredTemplate::name_for`]); it stays when another page comes to stand for it.
    pub name: String,
    /// The site: a registrable domain, as a rule.
    pub site: String,
    /// Who says what its elements are: [`BLOCKS`], or a technique of segmentation with everything that its segments depend on. What
    /// one maker keeps, no other gets (spec 40, T-30).
    pub maker: String,
    /// The address of the page that stands for it; empty if it has none.
    pub url: String,
    /// The pruned tree of that page.
    pub dom: PrunedDom,
    /// Its paths.
    pub paths: PathSet,
    /// What its elements are.
    pub blocks: Vec<MarkedBlock>,
    /// What its first pages have in common.
    pub learned: LearnedTemplate,
    /// Whether its blocks are carried over. Until then its pages are analysed and learned from.
    pub ripe: bool,
    /// A hash of the text of the page's content, by which copies of it are known. They prove nothing.
    pub text: u64,
    /// On how many pages it was tried what would be carried over, beside their analysis.
    pub tried: u32,
    /// On how many of them in a row both agreed.
    pub agreed: u32,
}

impl StoredTemplate {
    /// A name for the template of a page: a digest of site, maker, address and paths.
    #[must_use]
    pub fn name_for(site: &str, maker: &str, url: &str, paths: &PathSet) -> String {
        let mut digest = Sha256::new();
        // Blocks were there first, and their templates keep their names.
        let maker = Some(maker).filter(|maker| *maker != BLOCKS);
        for text in [site, url].into_iter().chain(maker) {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        paths.hashes().iter().for_each(|path| digest.update(path.to_le_bytes()));
        hex(&digest.finalize()[..8])
    }

    /// The paths as bytes, 8 each.
    pub(crate) fn path_bytes(&self) -> Vec<u8> {
        self.paths.hashes().iter().flat_map(|path| path.to_le_bytes()).collect()
    }

    /// The blocks as JSON: each kind with its ranges of elements.
    pub(crate) fn block_json(&self) -> String {
        let blocks: Vec<ExportedBlock> = self
            .blocks
            .iter()
            .map(|block| ExportedBlock {
                kind: block.kind.clone(),
                elements: block.elements.iter().map(|range| (range.start, range.end)).collect(),
                texts: block.texts.iter().map(|place| (place.element, place.position, place.siblings)).collect(),
                words: block.steady_words,
            })
            .collect();
        serde_json::to_string(&blocks).expect("blocks are plain data")
    }
}

#[derive(Serialize, Deserialize)]
struct ExportedBlock {
    kind: String,
    elements: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<(u32, u32, u32)>,
    words: Option<u32>,
}

/// The columns of a template, as they are stored.
pub(crate) struct Columns<'c> {
    pub(crate) name: &'c str,
    pub(crate) site: &'c str,
    pub(crate) maker: &'c str,
    pub(crate) url: &'c str,
    pub(crate) tree: &'c [u8],
    pub(crate) paths: &'c [u8],
    pub(crate) blocks: &'c str,
    pub(crate) learned: &'c [u8],
    pub(crate) ripe: bool,
    pub(crate) text: u64,
    pub(crate) tried: u32,
    pub(crate) agreed: u32,
}

impl Columns<'_> {
    /// The template, if nothing is wrong with it.
    pub(crate) fn read(&self) -> Option<StoredTemplate> {
        let dom = PrunedDom::from_bytes(self.tree).ok()?;
        let (paths, []) = self.paths.as_chunks::<8>() else { return None };
        let exported: Vec<ExportedBlock> = serde_json::from_str(self.blocks).ok()?;
        let mut blocks = Vec::with_capacity(exported.len());
        for block in exported {
            let ascend = block.elements.iter().all(|(start, end)| start < end && *end as usize <= dom.len())
                && block.elements.windows(2).all(|pair| pair[0].1 < pair[1].0);
            let places = block.texts.iter().all(|(element, at, of)| (*element as usize) < dom.len() && at < of)
                && block.texts.is_sorted_by(|one, other| one < other);
            if !ascend || !places {
                return None;
            }
            let elements = block.elements.into_iter().map(|(start, end)| start..end).collect();
            let texts = block.texts.into_iter();
            let texts = texts.map(|(element, position, siblings)| TextPlace { element, position, siblings }).collect();
            blocks.push(MarkedBlock { kind: block.kind, elements, texts, steady_words: block.words });
        }
        Some(StoredTemplate {
            name: self.name.to_owned(),
            site: self.site.to_owned(),
            maker: self.maker.to_owned(),
            url: self.url.to_owned(),
            dom,
            paths: PathSet::from_hashes(paths.iter().map(|path| u64::from_le_bytes(*path)).collect()),
            blocks,
            learned: LearnedTemplate::from_bytes(self.learned).ok()?,
            ripe: self.ripe,
            text: self.text,
            tried: self.tried,
            agreed: self.agreed,
        })
    }
}

/// A template as a line of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExportedTemplate {
    /// What this is: `unchaff/template/2`; `unchaff/template/1` had no maker.
    pub schema: String,
    /// The template's name.
    pub template: String,
    /// Its site.
    pub site: String,
    /// Who says what its elements are.
    #[serde(default = "blocks")]
    pub maker: String,
    /// The page that stands for it.
    pub url: String,
    /// The pruned tree, in hexadecimal digits.
    pub tree: String,
    /// The paths, in hexadecimal digits.
    pub paths: String,
    /// The blocks, as JSON in a string.
    pub blocks: String,
    /// What was learned, in hexadecimal digits.
    pub learned: String,
    /// Whether its blocks are carried over.
    pub ripe: bool,
    /// A hash of the text of the page's content.
    pub text: u64,
    /// On how many pages it was tried.
    pub tried: u32,
    /// On how many of them in a row it agreed with their analysis.
    pub agreed: u32,
    /// How many pages were recognised.
    pub pages: u64,
    /// When it was first stored.
    pub created: String,
    /// When a page was recognised last.
    pub matched: Option<String>,
    /// Since when it is not used any more.
    pub retired: Option<String>,
}

fn blocks() -> String {
    BLOCKS.to_owned()
}

/// The schema of a line.
pub(crate) const EXPORT_SCHEMA: &str = "unchaff/template/2";

/// The one before, in which all templates were of blocks.
const FIRST_EXPORT_SCHEMA: &str = "unchaff/template/1";

impl ExportedTemplate {
    /// Reads a line of an export.
    ///
    /// # Errors
    /// If it is something else, of a later version, or damaged; the message says which.
    pub fn parse(line: &str) -> Result<(ExportedTemplate, StoredTemplate), StoreError> {
        let told = |why: String| StoreError::Import { why };
        let value: serde_json::Value = serde_json::from_str(line).map_err(|error| told(format!("it is no JSON ({error})")))?;
        match value["schema"].as_str() {
            Some(EXPORT_SCHEMA | FIRST_EXPORT_SCHEMA) => {}
            Some(other) => return Err(told(format!("it is of {other}, and this unchaff reads {EXPORT_SCHEMA}"))),
            None => return Err(told(format!("it is no line of an export ({EXPORT_SCHEMA})"))),
        }
        let exported: ExportedTemplate = serde_json::from_value(value).map_err(|error| told(error.to_string()))?;
        let damaged = || told("the template in it is damaged".to_owned());
        let bytes = |text: &str| unhex(text).ok_or_else(damaged);
        let (tree, paths, learned) = (bytes(&exported.tree)?, bytes(&exported.paths)?, bytes(&exported.learned)?);
        let ExportedTemplate { template: name, site, maker, url, blocks, ripe, text, tried, agreed, .. } = &exported;
        let (tree, paths, learned) = (&tree[..], &paths[..], &learned[..]);
        let (ripe, text, tried, agreed) = (*ripe, *text, *tried, *agreed);
        let columns = Columns { name, site, maker, url, tree, paths, blocks, learned, ripe, text, tried, agreed };
        let template = columns.read().ok_or_else(damaged)?;
        Ok((exported, template))
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
