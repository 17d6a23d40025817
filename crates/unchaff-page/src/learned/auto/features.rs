//! What the model knows of a block, one small number each.
//!
//! A **quantity** is measured once for each thing that has it: a block, a level, a group of blocks of one kind, the page. It is
//! written down in one place with its name, its meaning and how it is computed (`feature_group!`). A **column** is what the
//! model asks of a block: a quantity of the block, of a neighbour, of one of the levels above it, of its group, of the page, or
//! the distance to a sign. So what many blocks share is measured and put into its bin only once ([`super::tables`]).
//! All quantities are finite; -1 or a large distance stands for "there is none".

use super::levels::sign_names;
use super::{block_features, group_features, level_features, page_features};

/// How many levels above a block are looked at.
pub const LEVELS: usize = 6;

/// Neighbours of a block of which these quantities are looked at, by steps.
const NEIGHBOURS: [(isize, &[&str]); 6] = [
    (-3, &["weight"]),
    (-2, &["weight", "link_density"]),
    (-1, &["weight", "link_density", "tag", "heading", "same_text", "candidate_around", "ends_sentence"]),
    (1, &["weight", "link_density", "tag", "heading", "same_text", "candidate_around", "ends_sentence"]),
    (2, &["weight", "link_density"]),
    (3, &["weight"]),
];

/// A quantity, a column: its name in model files and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feature {
    /// Its name in model files.
    pub name: String,
    /// What it is.
    pub meaning: String,
}

/// Where a column reads its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A quantity of the block, or of the one so many steps after it.
    Block(isize, usize),
    /// A quantity of the level so many steps up.
    Level(usize, usize),
    /// A quantity of the group.
    Group(usize),
    /// A quantity of the page.
    Page(usize),
    /// The levels up to a sign.
    Sign(usize),
}

/// Declares a group of quantities: names, meanings and values in one place.
macro_rules! feature_group {
    (
        $(#[$doc:meta])*
        fn $write:ident($($argument:ident: $type:ty),*) { $(let $given:pat = $from:expr;)* }
        $($name:ident = $value:expr, $meaning:literal;)*
    ) => {
        /// The names and meanings of the group.
        pub(super) const FEATURES: &[(&str, &str)] = &[$((stringify!($name), $meaning)),*];

        $(#[$doc])*
        // Counts of all sizes are written by one rule.
        #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
        pub(super) fn $write($($argument: $type),*) -> [f32; FEATURES.len()] {
            $(let $given = $from;)*
            [$($value as f32),*]
        }
    };
}

pub(super) use feature_group;

/// All quantities: of blocks, of levels, of groups, of the page.
#[must_use]
pub fn quantities() -> Vec<Feature> {
    let groups = [
        ("", block_features::FEATURES),
        ("level_", level_features::FEATURES),
        ("group_", group_features::FEATURES),
        ("page_", page_features::FEATURES),
    ];
    let feature = |prefix: &str, (name, meaning): &(&str, &str)| Feature {
        name: format!("{prefix}{name}"),
        meaning: (*meaning).to_owned(),
    };
    groups.iter().flat_map(|(prefix, group)| group.iter().map(|own| feature(prefix, own))).collect()
}

/// All columns in order, with where they come from.
#[must_use]
pub fn columns() -> Vec<(Feature, Source)> {
    let mut all = Vec::new();
    let mut add = |name: String, meaning: String, source| all.push((Feature { name, meaning }, source));
    for (at, (name, meaning)) in block_features::FEATURES.iter().enumerate() {
        add((*name).to_owned(), (*meaning).to_owned(), Source::Block(0, at));
    }
    for (steps, wanted) in NEIGHBOURS {
        for (at, (name, meaning)) in block_features::FEATURES.iter().enumerate().filter(|(_, (name, _))| wanted.contains(name)) {
            let (place, count) = (if steps < 0 { "before" } else { "after" }, steps.abs());
            add(format!("{place}{count}_{name}"), format!("{meaning} Of the block {count} {place}."), Source::Block(steps, at));
        }
    }
    for steps in 0..LEVELS {
        for (at, (name, meaning)) in level_features::FEATURES.iter().enumerate() {
            add(format!("level{steps}_{name}"), format!("{meaning} Of the level {steps} up."), Source::Level(steps, at));
        }
    }
    for (at, (name, meaning)) in group_features::FEATURES.iter().enumerate() {
        add(format!("group_{name}"), (*meaning).to_owned(), Source::Group(at));
    }
    for (at, (name, meaning)) in page_features::FEATURES.iter().enumerate() {
        add(format!("page_{name}"), (*meaning).to_owned(), Source::Page(at));
    }
    for (at, name) in sign_names().into_iter().enumerate() {
        add(format!("to_{name}"), format!("Levels up to the nearest sign `{name}`."), Source::Sign(at));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_a_name_of_its_own_and_a_meaning() {
        for all in [quantities(), columns().into_iter().map(|(feature, _)| feature).collect()] {
            let mut names: Vec<&str> = all.iter().map(|feature| &*feature.name).collect();
            names.sort_unstable();
            assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
            assert!(all.iter().all(|feature| !feature.meaning.is_empty()));
        }
    }

    #[test]
    fn neighbours_are_asked_for_quantities_that_are_there() {
        let names: Vec<&str> = block_features::FEATURES.iter().map(|(name, _)| *name).collect();
        assert!(NEIGHBOURS.iter().all(|(_, wanted)| wanted.iter().all(|name| names.contains(name))));
    }
}
