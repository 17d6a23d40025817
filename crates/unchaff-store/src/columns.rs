//! A template as it is written: its tree and paths as bytes, its blocks as JSON. The same in the file and in an export.

use serde::{Deserialize, Serialize};
use unchaff_site::carried_over::path_set::PathSet;
use unchaff_site::carried_over::pruned_dom::PrunedDom;
use unchaff_site::carried_over::templates::StoredTemplate;
use unchaff_site::carried_over::transfer::{MarkedBlock, TextPlace};

#[derive(Serialize, Deserialize)]
struct WrittenBlock {
    kind: String,
    elements: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<(u32, u32, u32)>,
    words: Option<u32>,
}

/// Paths as bytes, 8 each.
pub(crate) fn path_bytes(paths: &PathSet) -> Vec<u8> {
    paths.hashes().iter().flat_map(|path| path.to_le_bytes()).collect()
}

/// Blocks as JSON: each kind with its ranges of elements.
pub(crate) fn block_json(blocks: &[MarkedBlock]) -> String {
    let written: Vec<WrittenBlock> = blocks
        .iter()
        .map(|block| WrittenBlock {
            kind: block.kind.clone(),
            elements: block.elements.iter().map(|range| (range.start, range.end)).collect(),
            texts: block.texts.iter().map(|place| (place.element, place.position, place.siblings)).collect(),
            words: block.steady_words,
        })
        .collect();
    serde_json::to_string(&written).expect("blocks are plain data")
}

/// A template as it is written.
pub(crate) struct Columns<'c> {
    pub(crate) name: &'c str,
    pub(crate) site: &'c str,
    pub(crate) maker: &'c str,
    pub(crate) url: &'c str,
    pub(crate) tree: &'c [u8],
    pub(crate) paths: &'c [u8],
    pub(crate) blocks: &'c str,
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
        let written: Vec<WrittenBlock> = serde_json::from_str(self.blocks).ok()?;
        let mut blocks = Vec::with_capacity(written.len());
        for block in written {
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
            ripe: self.ripe,
            text: self.text,
            tried: self.tried,
            agreed: self.agreed,
        })
    }
}
