//! What the sources of a page offer for each field, before one is chosen.
//!
//! A candidate is the text as it stands in the page, with a rank within its source. Values are only read when a field is
//! decided, best candidate first, so a page pays for what is used. A weak candidate (rank from [`WEAK`]) comes after the
//! strong ones of all sources: a JSON-LD `WebPage` must not beat `og:title` with the name of the site in its title.

use super::{Found, Source};
use std::borrow::Cow;

/// Ranks from here on come after all sources' lower ones.
pub(super) const WEAK: u8 = 100;
/// Candidates kept for a field from one source.
const MOST: usize = 32;

/// The fields of [`Metadata`](super::Metadata).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Title,
    Author,
    Published,
    Modified,
    Language,
    SiteName,
    Description,
    Image,
    Canonical,
    Kind,
    Tags,
    Categories,
    Licence,
    Access,
}

const FIELDS: usize = Field::Access as usize + 1;
const SOURCES: usize = Source::Content as usize + 1;

impl Field {
    /// The sources of a field in the order of trust; see [the module](super) for why.
    fn order(self) -> &'static [Source] {
        use Source::*;
        match self {
            Field::Title | Field::Author | Field::Published | Field::Modified | Field::Description => {
                &[JsonLd, OpenGraph, Twitter, DublinCore, Microdata, Meta, Link, Html, Visible, Url]
            }
            Field::Language => &[Html, Meta, JsonLd, DublinCore, Microdata, OpenGraph],
            Field::SiteName => &[OpenGraph, JsonLd, DublinCore, Microdata, Meta, Html],
            Field::Image => &[OpenGraph, Twitter, JsonLd, Microdata, Link, Meta],
            Field::Canonical => &[Link, OpenGraph, JsonLd, Twitter, Meta, Microdata],
            Field::Kind => &[JsonLd, OpenGraph, Microdata, DublinCore, Meta],
            Field::Tags | Field::Categories => &[JsonLd, OpenGraph, DublinCore, Microdata, Link, Meta],
            Field::Licence => &[Link, JsonLd, DublinCore, Microdata, Meta],
            Field::Access => &[JsonLd, Microdata, OpenGraph],
        }
    }
}

#[derive(Clone, Debug)]
struct Candidate<'p> {
    rank: u8,
    text: Cow<'p, str>,
}

/// All candidates of a page.
#[derive(Debug, Default)]
pub(super) struct Candidates<'p> {
    lists: [[Vec<Candidate<'p>>; SOURCES]; FIELDS],
}

impl<'p> Candidates<'p> {
    pub(super) fn offer(&mut self, field: Field, source: Source, rank: u8, text: impl Into<Cow<'p, str>>) {
        let list = &mut self.lists[field as usize][source as usize];
        if list.len() < MOST {
            list.push(Candidate { rank, text: text.into() });
        }
    }

    /// Whether a source other than the visible page offers something.
    pub(super) fn has_declared(&self, field: Field) -> bool {
        let lists = self.lists[field as usize].iter().enumerate();
        lists.into_iter().any(|(source, list)| source != Source::Visible as usize && !list.is_empty())
    }

    /// The best candidate that can be read.
    pub(super) fn best<T>(&mut self, field: Field, mut read: impl FnMut(&str) -> Option<T>) -> Option<Found<T>> {
        self.in_order(field, |_, source, text| read(text).map(|value| Found { value, source }))
    }

    /// The best candidate of one source that can be read, given its rank too.
    pub(super) fn best_of<T>(
        &self,
        field: Field,
        source: Source,
        mut read: impl FnMut(u8, &str) -> Option<T>,
    ) -> Option<Found<T>> {
        let candidates = &self.lists[field as usize][source as usize];
        candidates.iter().find_map(|candidate| read(candidate.rank, &candidate.text).map(|value| Found { value, source }))
    }

    /// All values of the best source and rank that has any that can be read, each once.
    pub(super) fn all(&mut self, field: Field, mut read: impl FnMut(&str) -> Vec<String>) -> Vec<Found<String>> {
        let mut found: Vec<Found<String>> = Vec::new();
        let mut from = None;
        self.in_order(field, |rank, source, text| {
            if from.is_some_and(|from| from != (source, rank)) {
                return Some(());
            }
            for value in read(text) {
                from = Some((source, rank));
                if found.len() < MOST && !found.iter().any(|known| known.value == value) {
                    found.push(Found { value, source });
                }
            }
            None
        });
        found
    }

    fn in_order<T>(&mut self, field: Field, mut visit: impl FnMut(u8, Source, &str) -> Option<T>) -> Option<T> {
        let lists = &mut self.lists[field as usize];
        lists.iter_mut().for_each(|list| by_rank(list));
        [false, true].into_iter().find_map(|weak| {
            field.order().iter().find_map(|source| {
                let candidates = lists[*source as usize].iter().filter(|candidate| (candidate.rank >= WEAK) == weak);
                candidates.into_iter().find_map(|candidate| visit(candidate.rank, *source, &candidate.text))
            })
        })
    }
}

/// A function by itself, so that there is one for all that candidates are read as.
fn by_rank(list: &mut [Candidate<'_>]) {
    list.sort_by_key(|candidate| candidate.rank);
}
