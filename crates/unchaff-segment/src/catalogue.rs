//! The techniques of all three registries in one form, for doors that list them: those that look at a page, those that compare the pages of a
//! site, those that find segments.

use crate::registry as segments;
use unchaff_page::parameters::Parameter;
use unchaff_page::{BlockKind, registry as pages};
use unchaff_site::registry as sites;

/// What a technique has to be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LooksAt {
    /// A page.
    Page,
    /// The pages of a site.
    Site,
    /// A page and its boxes.
    Boxes,
}

impl LooksAt {
    /// In a word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LooksAt::Page => "page",
            LooksAt::Site => "site",
            LooksAt::Boxes => "boxes",
        }
    }
}

/// What is known about a technique.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Technique {
    /// Its name.
    pub name: &'static str,
    /// The block it finds; none if it finds segments.
    pub block: Option<BlockKind>,
    /// What it has to be given.
    pub looks_at: LooksAt,
    /// What it looks at of that, in a word, so that a long list can be shown in parts.
    pub family: &'static str,
    /// Whether it is used where none is named.
    pub is_default: bool,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// How its cost grows.
    pub cost: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

impl Technique {
    /// What it finds, in a word.
    #[must_use]
    pub fn finds(&self) -> &'static str {
        self.block.map_or("segments", BlockKind::as_str)
    }

    fn of<T: ?Sized, K>(
        entry: &pages::Entry<T, K>,
        block: Option<BlockKind>,
        looks_at: LooksAt,
        family: &'static str,
    ) -> Technique {
        let default = match (block, looks_at) {
            (None, _) => Some(segments::DEFAULT),
            (Some(block), LooksAt::Site) => sites::default_for(block),
            (Some(block), _) => Some(pages::default_for(block)),
        };
        Technique {
            name: entry.name,
            block,
            looks_at,
            family,
            is_default: default == Some(entry.name),
            summary: entry.summary,
            source: entry.source,
            cost: entry.cost,
            parameters: (entry.parameters)(),
        }
    }
}

/// All techniques: of pages, of sites, of segments.
#[must_use]
pub fn all() -> Vec<Technique> {
    let of_pages = pages::all().iter().map(|one| Technique::of(one, Some(one.kind), LooksAt::Page, pages::family(one.name)));
    let of_sites = sites::all().iter().map(|one| Technique::of(one, Some(one.kind), LooksAt::Site, sites::family(one.name)));
    let of_segments = segments::all().iter().map(|one| match one.kind.needs_layout() {
        true => Technique::of(one, None, LooksAt::Boxes, "boxes"),
        false => Technique::of(one, None, LooksAt::Page, "tree"),
    });
    of_pages.chain(of_sites).chain(of_segments).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_technique_is_listed_once_and_each_block_has_a_default() {
        let all = all();
        let names: BTreeSet<&str> = all.iter().map(|one| one.name).collect();
        assert_eq!(names.len(), all.len());
        let finds: BTreeSet<&str> = all.iter().map(Technique::finds).collect();
        let defaults: BTreeSet<&str> = all.iter().filter(|one| one.is_default).map(Technique::finds).collect();
        assert_eq!(finds, defaults);
        assert_eq!(all.iter().filter(|one| one.is_default && one.finds() == "segments").count(), 1);
    }
}
