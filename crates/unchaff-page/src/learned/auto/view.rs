//! A page as its blocks see it: everything that features are computed from, in flat arrays.
//!
//! Sums over any range of blocks are differences of two prefix sums. A block is **paragraph-like** if it has twelve words or
//! more, few of them in links, and punctuation. Lengths are weights ([`TextSigns::weight`]), so that they mean the same in
//! all scripts.

use super::blocks::{Block, blocks};
use super::candidate::Candidate;
use super::levels::{Levels, PageMap};
use super::self_description::SelfDescription;
use super::text_signs::TextSigns;
use crate::learned::name_families::NameFamilies;
use unchaff_dom::{Page, Tag};

/// The weight from which a block may be paragraph-like.
const PARAGRAPH_WEIGHT: f32 = 12.0;
/// The share of words in links up to which a block may be paragraph-like.
const PARAGRAPH_LINKS: f32 = 0.35;
/// Blocks longer than this are not compared with the title.
const MOST_TITLE_WORDS: u32 = 40;

/// What is summed over ranges of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Blocks.
    pub blocks: f32,
    /// Weight of all text.
    pub weight: f32,
    /// Weight of text in links.
    pub links: f32,
    /// Weight of paragraph-like blocks.
    pub prose: f32,
    /// Paragraph-like blocks.
    pub paragraphs: f32,
    /// Commas and ends of sentences.
    pub marks: f32,
    /// Headings.
    pub headings: f32,
    /// Digits.
    pub digits: f32,
    /// Signs of currencies.
    pub currencies: f32,
}

impl Sums {
    #[inline]
    pub(super) fn plus(self, other: Sums) -> Sums {
        self.combine(other, |mine, theirs| mine + theirs)
    }

    #[inline]
    fn minus(self, other: Sums) -> Sums {
        self.combine(other, |mine, theirs| mine - theirs)
    }

    #[inline]
    fn combine(self, other: Sums, apply: impl Fn(f32, f32) -> f32) -> Sums {
        Sums {
            blocks: apply(self.blocks, other.blocks),
            weight: apply(self.weight, other.weight),
            links: apply(self.links, other.links),
            prose: apply(self.prose, other.prose),
            paragraphs: apply(self.paragraphs, other.paragraphs),
            marks: apply(self.marks, other.marks),
            headings: apply(self.headings, other.headings),
            digits: apply(self.digits, other.digits),
            currencies: apply(self.currencies, other.currencies),
        }
    }

    /// The share of text in links; -1 where there is no text.
    #[must_use]
    pub fn link_density(&self) -> f32 {
        ratio(self.links, self.weight)
    }

    /// The share of text in paragraph-like blocks; -1 where there is no text.
    #[must_use]
    pub fn prose_share(&self) -> f32 {
        ratio(self.prose, self.weight)
    }

    /// Weight per block; -1 where there is none.
    #[must_use]
    pub fn mean_weight(&self) -> f32 {
        ratio(self.weight, self.blocks)
    }
}

/// A part of a whole; -1 if there is no whole.
pub(super) fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { -1.0 }
}

/// Blocks whose home and the level around it are of the same kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Group {
    /// What its blocks sum up to.
    pub sums: Sums,
    /// Its first block.
    pub first: u32,
    /// Its last block.
    pub last: u32,
}

/// Levels of the same kind, side by side or all over the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alike {
    /// What they sum up to, those that stand in others counted twice.
    pub sums: Sums,
    /// How many there are.
    pub levels: f32,
}

/// A page as its blocks see it; see the [module](self).
#[derive(Debug)]
pub struct View<'p> {
    /// The page.
    pub page: &'p Page,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// What their text says.
    pub signs: Vec<TextSigns>,
    /// What stands above them.
    pub levels: Levels,
    /// What the page says of itself.
    pub known: SelfDescription,
    /// Sums over all blocks before each one, and over all at the end.
    pub sums: Vec<Sums>,
    /// Whether each block is paragraph-like.
    pub is_paragraph: Vec<bool>,
    /// The level of the heading that each block is, or 0.
    pub heading: Vec<u8>,
    /// The last heading at or before each block.
    pub heading_before: Vec<Option<u32>>,
    /// The first heading after each block; the number of blocks if there is none.
    pub heading_after: Vec<u32>,
    /// The last paragraph-like block before each one.
    pub paragraph_before: Vec<Option<u32>>,
    /// The first paragraph-like block after each one.
    pub paragraph_after: Vec<Option<u32>>,
    /// The block most like the title.
    pub title: Option<u32>,
    /// The first `h1`.
    pub first_h1: Option<u32>,
    /// Levels of one kind side by side, by [`region`](super::levels::Level::region).
    pub alike: Vec<Alike>,
    /// Levels of one kind all over the page, by [`kind`](super::levels::Level::kind).
    pub kinds: Vec<Alike>,
    /// Groups of blocks of the same kind.
    pub groups: Vec<Group>,
    /// The group of each block.
    pub of_group: Vec<u32>,
    /// How many blocks have the same text.
    pub same_text: Vec<u32>,
    /// Where the content is by a score for articles.
    pub candidate: Candidate,
}

impl<'p> View<'p> {
    /// Looks at a page.
    #[must_use]
    pub fn of(page: &'p Page) -> View<'p> {
        View::with_names(page, None)
    }

    /// Looks at a page whose names may have been read already.
    #[must_use]
    pub fn with_names(page: &'p Page, names: Option<&NameFamilies>) -> View<'p> {
        let blocks = blocks(page);
        let known = SelfDescription::of(page);
        let signs: Vec<TextSigns> = blocks.iter().map(|block| TextSigns::of(page, block, &known)).collect();
        let levels = Levels::of(page, &blocks, names);
        let count = blocks.len();
        let mut view = View {
            page,
            signs,
            known,
            sums: Vec::with_capacity(count + 1),
            is_paragraph: Vec::with_capacity(count),
            heading: Vec::with_capacity(count),
            heading_before: Vec::with_capacity(count),
            heading_after: vec![count as u32; count],
            paragraph_before: Vec::with_capacity(count),
            paragraph_after: vec![None; count],
            title: None,
            first_h1: None,
            alike: vec![Alike::default(); levels.regions],
            kinds: vec![Alike::default(); levels.kinds],
            groups: Vec::new(),
            of_group: Vec::with_capacity(count),
            same_text: Vec::with_capacity(count),
            candidate: Candidate::default(),
            levels,
            blocks,
        };
        view.add_up();
        view.find_neighbours();
        view.find_title();
        view.find_groups();
        view.add_up_levels();
        view.candidate = Candidate::of(&view);
        view
    }

    /// Sums over a range of blocks; what of it lies beyond the page counts for nothing.
    #[must_use]
    pub fn sum(&self, from: usize, to: usize) -> Sums {
        let most = self.blocks.len();
        self.sums[to.min(most)].minus(self.sums[from.min(most).min(to)])
    }

    /// Sums over a level.
    #[must_use]
    pub fn level_sum(&self, level: u32) -> Sums {
        let level = &self.levels.all[level as usize];
        self.sum(level.start as usize, level.end as usize)
    }

    /// Sums over the page.
    #[must_use]
    pub fn total(&self) -> Sums {
        self.sum(0, self.blocks.len())
    }

    fn add_up(&mut self) {
        let mut sum = Sums::default();
        for (at, block) in self.blocks.iter().enumerate() {
            self.sums.push(sum);
            let signs = &self.signs[at];
            let counts = block.counts(self.page);
            let weight = signs.weight();
            let links = weight * ratio(counts.link_words as f32, counts.words as f32).max(0.0);
            let marks = signs.commas + signs.ends;
            let is_paragraph = weight >= PARAGRAPH_WEIGHT && links < PARAGRAPH_LINKS * weight && marks > 0;
            let heading = self.heading_of(block);
            self.is_paragraph.push(is_paragraph);
            self.heading.push(heading);
            if heading == 1 && self.first_h1.is_none() {
                self.first_h1 = Some(at as u32);
            }
            sum = sum.plus(Sums {
                blocks: 1.0,
                weight,
                links,
                prose: if is_paragraph { weight } else { 0.0 },
                paragraphs: f32::from(u8::from(is_paragraph)),
                marks: marks as f32,
                headings: f32::from(u8::from(heading > 0)),
                digits: signs.digits as f32,
                currencies: signs.currencies as f32,
            });
        }
        self.sums.push(sum);
    }

    fn add_up_levels(&mut self) {
        for level in 0..self.levels.all.len() as u32 {
            let sums = self.level_sum(level);
            let level = &self.levels.all[level as usize];
            for alike in [&mut self.alike[level.region as usize], &mut self.kinds[level.kind as usize]] {
                *alike = Alike { sums: alike.sums.plus(sums), levels: alike.levels + 1.0 };
            }
        }
    }

    /// The level of the heading around a block, where that is no more than the block's line.
    fn heading_of(&self, block: &Block) -> u8 {
        let around = std::iter::once(block.home).chain(self.page.ancestors(block.home)).take(6);
        around.take_while(|node| *node >= block.start).find_map(|node| self.page.tag(node).heading_level()).unwrap_or(0)
    }

    fn find_neighbours(&mut self) {
        let (mut heading, mut paragraph) = (None, None);
        for at in 0..self.blocks.len() {
            if self.heading[at] > 0 {
                heading = Some(at as u32);
            }
            self.heading_before.push(heading);
            self.paragraph_before.push(paragraph);
            if self.is_paragraph[at] {
                paragraph = Some(at as u32);
            }
        }
        let (mut heading, mut paragraph) = (self.blocks.len() as u32, None);
        for at in (0..self.blocks.len()).rev() {
            self.heading_after[at] = heading;
            self.paragraph_after[at] = paragraph;
            if self.heading[at] > 0 {
                heading = at as u32;
            }
            if self.is_paragraph[at] {
                paragraph = Some(at as u32);
            }
        }
    }

    fn find_title(&mut self) {
        let mut best = 0.0;
        for (at, signs) in self.signs.iter().enumerate() {
            if signs.in_title == 0 || signs.words > MOST_TITLE_WORDS {
                continue;
            }
            let (shared, words) = (signs.in_title as f32, signs.words as f32);
            let likeness =
                2.0 * shared / (words + self.known.title_words as f32) + 0.1 * f32::from(u8::from(self.heading[at] > 0));
            if likeness > best && shared >= 2.0 {
                best = likeness;
                self.title = Some(at as u32);
            }
        }
    }

    fn find_groups(&mut self) {
        let mut ids: PageMap<u64, u32> = PageMap::default();
        let mut texts: PageMap<u64, u32> = PageMap::with_capacity_and_hasher(self.blocks.len(), Default::default());
        for at in 0..self.blocks.len() {
            let home = &self.levels.all[self.levels.of_block[at] as usize];
            let around = &self.levels.all[home.parent as usize];
            let inner = self.page.tag(self.blocks[at].home) as u64;
            let key = home.key.wrapping_mul(3).wrapping_add(around.key.rotate_left(17)).wrapping_add(inner << 56);
            let next = self.groups.len() as u32;
            let group = *ids.entry(key).or_insert(next);
            if group == next {
                self.groups.push(Group { first: at as u32, ..Group::default() });
            }
            let sums = self.sum(at, at + 1);
            let entry = &mut self.groups[group as usize];
            entry.last = at as u32;
            entry.sums = entry.sums.plus(sums);
            self.of_group.push(group);
            *texts.entry(self.signs[at].hash).or_default() += 1;
        }
        self.same_text.extend(self.signs.iter().map(|signs| texts[&signs.hash]));
    }

    /// The tag of a block's home.
    #[must_use]
    pub fn tag(&self, block: usize) -> Tag {
        self.page.tag(self.blocks[block].home)
    }
}
