//! The features of a page's blocks, put into bins.
//!
//! Trees only ask whether a number is above a threshold, so the place of a number among the thresholds, a byte, says all that
//! they can learn from it. Each quantity is measured and placed once for each block, level or group, and columns are read
//! from these tables, sixteen blocks side by side, as the trees want them.

use super::features::{LEVELS, Source};
use super::levels::SIGNS_ROW;
use super::view::View;
use super::{block_features, group_features, level_features, page_features};

/// Blocks that are rated side by side.
pub const LANES: usize = 16;

/// One feature of the blocks of a batch.
pub type Lanes = [u8; LANES];

/// The most thresholds of a quantity.
pub const MOST_BORDERS: usize = 63;

/// The thresholds of one quantity in rising order, filled up with infinity.
#[derive(Clone, Copy, Debug)]
pub struct Borders([f32; MOST_BORDERS + 1]);

impl Borders {
    /// Thresholds in rising order; none if there are too many or they do not rise.
    #[must_use]
    pub fn new(borders: &[f32]) -> Option<Borders> {
        let mut all = [f32::INFINITY; MOST_BORDERS + 1];
        all[..MOST_BORDERS].get_mut(..borders.len())?.copy_from_slice(borders);
        borders.is_sorted_by(|a, b| a < b).then_some(Borders(all))
    }

    /// How many thresholds a value is above.
    #[must_use]
    #[inline]
    pub fn bin(&self, value: f32) -> u8 {
        let mut at = 0_usize;
        // Always six steps without a branch: most quantities have nearly all thresholds.
        for step in [32, 16, 8, 4, 2, 1] {
            at |= if value > self.0[at | (step - 1)] { step } else { 0 };
        }
        at as u8
    }
}

const BLOCK: usize = block_features::FEATURES.len();
const LEVEL: usize = level_features::FEATURES.len();
const GROUP: usize = group_features::FEATURES.len();
const PAGE: usize = page_features::FEATURES.len();

/// Rows are filled up to eights, which are turned into columns together.
const LEVEL_ROW: usize = LEVEL.next_multiple_of(8);
const GROUP_ROW: usize = GROUP.next_multiple_of(8);

/// How many quantities there are.
pub const QUANTITIES: usize = BLOCK + LEVEL + GROUP + PAGE;

/// The number of the quantity that a column reads; none for signs.
#[must_use]
pub fn quantity(column: Source) -> Option<usize> {
    match column {
        Source::Block(_, at) => Some(at),
        Source::Level(_, at) => Some(BLOCK + at),
        Source::Group(at) => Some(BLOCK + LEVEL + at),
        Source::Page(at) => Some(BLOCK + LEVEL + GROUP + at),
        Source::Sign(_) => None,
    }
}

/// All quantities of a page: as bins in use, as numbers where thresholds are chosen.
#[derive(Clone, Debug)]
pub struct Tables<T> {
    blocks: Columns<T>,
    levels: Vec<[T; LEVEL_ROW]>,
    groups: Vec<[T; GROUP_ROW]>,
    page: [T; PAGE],
}

/// Quantities of all blocks, quantity by quantity: of blocks that follow each other each one is a slice.
#[derive(Clone, Debug)]
struct Columns<T> {
    values: Vec<T>,
    blocks: usize,
}

/// Columns have so many defaults before the first block, and enough for a batch behind the last: what neighbours beyond the page have.
const MARGIN: usize = 3;

impl<T: Copy + Default> Columns<T> {
    fn of(blocks: usize, row: impl Fn(usize) -> [T; BLOCK]) -> Columns<T> {
        let mut columns = Columns { values: Vec::new(), blocks };
        columns.values.resize(columns.length() * BLOCK, T::default());
        let length = columns.length();
        for start in (0..blocks).step_by(LANES) {
            let mut rows = [[T::default(); BLOCK]; LANES];
            rows.iter_mut().zip(start..blocks).for_each(|(own, block)| *own = row(block));
            for (at, column) in columns.values.chunks_exact_mut(length).enumerate() {
                let lanes = &mut column[MARGIN + start..][..LANES];
                lanes.iter_mut().zip(&rows).for_each(|(lane, row)| *lane = row[at]);
            }
        }
        columns
    }

    fn length(&self) -> usize {
        MARGIN + self.blocks + MARGIN + LANES
    }

    /// A quantity of all blocks, of each that of the one so many steps after it.
    #[inline]
    fn column(&self, steps: isize, at: usize) -> &[T] {
        let own = &self.values[at * self.length()..][..self.length()];
        &own[MARGIN.saturating_add_signed(steps)..]
    }

    fn get(&self, block: usize, at: usize) -> Option<T> {
        (block < self.blocks).then(|| self.column(0, at)[block])
    }
}

impl Tables<f32> {
    /// Measures a page.
    #[must_use]
    pub fn measured(view: &View<'_>) -> Tables<f32> {
        Tables::of(view, |_, value| value)
    }
}

impl Tables<u8> {
    /// Measures a page and puts all quantities into their bins, given the thresholds of all in order.
    #[must_use]
    pub fn binned(view: &View<'_>, borders: &[Borders; QUANTITIES]) -> Tables<u8> {
        Tables::of(view, |quantity, value| borders[quantity].bin(value))
    }

    /// Reads columns of up to sixteen blocks; what is read for lanes beyond them means nothing.
    pub fn read(&self, view: &View<'_>, asked: &Asked, wanted: &[u32], batch: &mut Batch) {
        let Some(last) = wanted.len().checked_sub(1) else { return };
        let wanted: [usize; LANES] = std::array::from_fn(|lane| wanted[lane.min(last)] as usize);
        let is_run = wanted[..=last].iter().enumerate().all(|(lane, block)| *block == wanted[0] + lane);
        let mut above = wanted.map(|block| view.levels.of_block[block]);
        let Batch { columns, turned } = batch;
        turn(&self.groups, &wanted.map(|block| view.of_group[block]), &mut turned.groups);
        turn(&view.levels.distances, &above, &mut turned.signs);
        for columns in &mut turned.levels {
            turn(&self.levels, &above, columns);
            above = above.map(|level| view.levels.all[level as usize].parent);
        }
        for (place, source) in &asked.signs {
            columns[usize::from(*place)] = turned.signs[usize::from(*source) % SIGNS_ROW];
        }
        for (place, source) in &asked.levels {
            columns[usize::from(*place)] = turned.levels.as_flattened()[usize::from(*source) % (LEVELS * LEVEL_ROW)];
        }
        for (place, source) in &asked.groups {
            columns[usize::from(*place)] = turned.groups[usize::from(*source) % GROUP_ROW];
        }
        for (place, source) in &asked.page {
            columns[usize::from(*place)] = [self.page[usize::from(*source) % PAGE]; LANES];
        }
        for (place, steps, at) in &asked.blocks {
            let (lanes, column) = (&mut columns[usize::from(*place)], self.blocks.column(*steps, *at));
            if is_run && let Some(run) = column[wanted[0]..].first_chunk() {
                *lanes = *run;
            } else {
                lanes.iter_mut().zip(wanted).for_each(|(lane, block)| *lane = column[block]);
            }
        }
    }
}

/// Columns that are read together: their places in a batch, and where each stands in its table.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    blocks: Vec<(u16, isize, usize)>,
    levels: Vec<(u16, u16)>,
    groups: Vec<(u16, u16)>,
    page: Vec<(u16, u16)>,
    signs: Vec<(u16, u16)>,
}

impl Asked {
    /// The columns at these places of all columns.
    #[must_use]
    pub fn of(columns: &[Source], places: impl IntoIterator<Item = u16>) -> Asked {
        let mut asked = Asked::default();
        for place in places {
            match columns[usize::from(place)] {
                Source::Block(steps, at) => asked.blocks.push((place, steps, at)),
                Source::Level(steps, at) => asked.levels.push((place, (steps * LEVEL_ROW + at) as u16)),
                Source::Group(at) => asked.groups.push((place, at as u16)),
                Source::Page(at) => asked.page.push((place, at as u16)),
                Source::Sign(at) => asked.signs.push((place, at as u16)),
            }
        }
        asked
    }
}

/// The columns of some blocks, side by side.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The columns that were read.
    pub columns: Vec<Lanes>,
    turned: Box<Turned>,
}

/// All that the tables say of them.
#[derive(Clone, Debug)]
struct Turned {
    levels: [[Lanes; LEVEL_ROW]; LEVELS],
    groups: [Lanes; GROUP_ROW],
    signs: [Lanes; SIGNS_ROW],
}

impl Batch {
    /// A batch of so many columns.
    #[must_use]
    pub fn new(columns: usize) -> Batch {
        const NONE: Lanes = [0; LANES];
        let turned = Turned { levels: [[NONE; LEVEL_ROW]; LEVELS], groups: [NONE; GROUP_ROW], signs: [NONE; SIGNS_ROW] };
        Batch { columns: vec![NONE; columns], turned: Box::new(turned) }
    }
}

/// Turns the rows of these numbers into columns, eight at a time: the bytes of eight rows change places in eight numbers, two such eights side by side.
#[inline]
fn turn<const N: usize>(table: &[[u8; N]], numbers: &[u32; LANES], columns: &mut [Lanes; N]) {
    const EIGHT: usize = LANES / 2;
    // Neighbours have much in common.
    if numbers.iter().all(|number| *number == numbers[0]) {
        *columns = table[numbers[0] as usize].map(|value| [value; LANES]);
        return;
    }
    let rows = numbers.map(|number| table[number as usize].as_chunks::<EIGHT>().0);
    for (chunk, columns) in columns.as_chunks_mut::<EIGHT>().0.iter_mut().enumerate() {
        let mut turned = [[0_u64; 2]; EIGHT];
        for lane in 0..EIGHT {
            turned[lane] = [rows[lane][chunk], rows[EIGHT + lane][chunk]].map(u64::from_le_bytes);
        }
        swap::<4>(&mut turned, 0x0000_0000_ffff_ffff);
        swap::<2>(&mut turned, 0x0000_ffff_0000_ffff);
        swap::<1>(&mut turned, 0x00ff_00ff_00ff_00ff);
        for (column, halves) in columns.iter_mut().zip(turned) {
            column.copy_from_slice(halves.map(u64::to_le_bytes).as_flattened());
        }
    }
}

/// Swaps the bytes outside a mask with those inside it of the row so far below.
#[inline]
fn swap<const APART: usize>(rows: &mut [[u64; 2]; LANES / 2], mask: u64) {
    for at in (0..rows.len()).filter(|at| at & APART == 0) {
        let (mut upper, mut lower) = (rows[at], rows[at + APART]);
        for (upper, lower) in upper.iter_mut().zip(&mut lower) {
            let swapped = (*upper >> (8 * APART) ^ *lower) & mask;
            *upper ^= swapped << (8 * APART);
            *lower ^= swapped;
        }
        (rows[at], rows[at + APART]) = (upper, lower);
    }
}

impl<T: Copy + Default> Tables<T> {
    fn of(view: &View<'_>, make: impl Fn(usize, f32) -> T) -> Tables<T> {
        let total = view.total();
        Tables {
            blocks: Columns::of(view.blocks.len(), |at| row(block_features::write(view, at, total), 0, &make)),
            levels: (0..view.levels.all.len())
                .map(|at| row(level_features::write(view, at as u32, total), BLOCK, &make))
                .collect(),
            groups: view.groups.iter().map(|group| row(group_features::write(group, total), BLOCK + LEVEL, &make)).collect(),
            page: row(page_features::write(view, total), BLOCK + LEVEL + GROUP, &make),
        }
    }

    /// What a column reads of a block; none for signs, which are bins themselves, and for neighbours beyond the page.
    #[must_use]
    pub fn value(&self, view: &View<'_>, column: Source, block: usize) -> Option<T> {
        match column {
            Source::Block(steps, at) => self.blocks.get(block.checked_add_signed(steps)?, at),
            Source::Level(steps, at) => Some(self.levels[view.levels.above(view.levels.of_block[block], steps) as usize][at]),
            Source::Group(at) => Some(self.groups[view.of_group[block] as usize][at]),
            Source::Page(at) => Some(self.page[at]),
            Source::Sign(_) => None,
        }
    }
}

#[inline]
fn row<T: Copy + Default, const N: usize, const M: usize>(
    values: [f32; N],
    first: usize,
    make: &impl Fn(usize, f32) -> T,
) -> [T; M] {
    let mut row = [T::default(); M];
    for (at, (own, value)) in row.iter_mut().zip(values).enumerate() {
        *own = make(first + at, value);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::auto::features::{columns, quantities};
    use proptest::prelude::*;
    use unchaff_dom::Page;

    #[test]
    fn borders_that_do_not_rise_are_refused() {
        assert!(Borders::new(&[1.0, 1.0]).is_none() && Borders::new(&[f32::NAN, 1.0]).is_none());
        assert!(Borders::new(&[0.0; MOST_BORDERS + 1]).is_none());
        assert_eq!(QUANTITIES, quantities().len());
    }

    proptest! {
        #[test]
        fn rows_are_turned_into_columns(table in prop::collection::vec(prop::array::uniform24(any::<u8>()), 1..20), numbers in prop::array::uniform16(0_u32..400)) {
            let numbers = numbers.map(|number| number % table.len() as u32);
            let mut columns = [[0; LANES]; 24];
            turn(&table, &numbers, &mut columns);
            for (at, column) in columns.into_iter().enumerate() {
                prop_assert_eq!(column, numbers.map(|number| table[number as usize][at]));
            }
        }

        #[test]
        fn a_bin_is_the_number_of_borders_below(mut borders in prop::collection::vec(-50_i16..50, 0..=MOST_BORDERS), value in -60_i16..60) {
            borders.sort_unstable();
            borders.dedup();
            let floats: Vec<f32> = borders.iter().map(|border| f32::from(*border)).collect();
            let bin = Borders::new(&floats).unwrap().bin(f32::from(value));
            prop_assert_eq!(usize::from(bin), borders.iter().filter(|border| **border < value).count());
        }

        #[test]
        fn any_page_has_finite_quantities_and_columns_read_their_bins(parts in prop::collection::vec("<(div|p|ul|li|a href=x|br|td|table|h1|main)>|</(div|p|ul|a)>|one, two. |中文。", 0..60)) {
            let page = Page::parse(parts.concat());
            let view = View::of(&page);
            let sources: Vec<Source> = columns().into_iter().map(|(_, source)| source).collect();
            let borders = [Borders::new(&[-1.0, 0.0, 0.5, 1.0, 2.0, 7.0]).unwrap(); QUANTITIES];
            let (measured, binned) = (Tables::measured(&view), Tables::binned(&view, &borders));
            let mut batch = Batch::new(sources.len());
            let all: Vec<u32> = (0..view.blocks.len() as u32).rev().collect();
            let asked = Asked::of(&sources, 0..sources.len() as u16);
            for blocks in all.chunks(LANES) {
                binned.read(&view, &asked, blocks, &mut batch);
                for (lane, block) in blocks.iter().enumerate() {
                    for (source, lanes) in sources.iter().zip(&batch.columns) {
                        if let Some((number, value)) = quantity(*source).zip(measured.value(&view, *source, *block as usize)) {
                            prop_assert!(value.is_finite());
                            prop_assert_eq!(lanes[lane], borders[number].bin(value));
                        }
                    }
                }
            }
        }
    }
}
