//! Features: what the model knows of a block, one number each.
//!
//! A feature is written down once, with its name, its meaning and how it is computed (`feature_group!`); the names are the list
//! that both the model file and the training read. Groups: the block itself, what stands above it, what is around it, the
//! page. All numbers are finite; -1 or a large distance stands for "there is none".

use super::levels::sign_names;
use super::view::View;
use super::{ancestor_features, block_features, page_features, surrounding_features};

/// A feature by name and meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feature {
    /// Its name in model files.
    pub name: String,
    /// What it is.
    pub meaning: String,
}

/// Declares a group of features: names, meanings and values in one place.
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
        pub(super) fn $write($($argument: $type,)* row: &mut Vec<f32>) {
            $(let $given = $from;)*
            row.extend_from_slice(&[$($value as f32),*]);
        }
    };
}

pub(super) use feature_group;

/// The features of all blocks of a page.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// Numbers of one row.
    pub width: usize,
    /// The rows, one a block, one after the other.
    pub values: Vec<f32>,
}

impl Matrix {
    /// The row of a block.
    #[must_use]
    pub fn row(&self, block: usize) -> &[f32] {
        &self.values[block * self.width..(block + 1) * self.width]
    }
}

/// All features in order.
#[must_use]
pub fn features() -> Vec<Feature> {
    let mut all = Vec::new();
    let mut add = |prefix: &str, group: &[(&str, &str)], place: &str| {
        all.extend(
            group.iter().map(|(name, meaning)| Feature { name: format!("{prefix}{name}"), meaning: format!("{meaning}{place}") }),
        );
    };
    add("", block_features::FEATURES, "");
    for steps in 0..ancestor_features::LEVELS {
        add(&format!("level{steps}_"), ancestor_features::FEATURES, &format!(", {steps} levels up"));
    }
    add("", surrounding_features::FEATURES, "");
    add("page_", page_features::FEATURES, "");
    all.extend(
        sign_names()
            .into_iter()
            .map(|name| Feature { meaning: format!("Levels up to the nearest sign `{name}`."), name: format!("to_{name}") }),
    );
    all
}

/// Computes the features of all blocks.
#[must_use]
pub fn matrix(view: &View<'_>) -> Matrix {
    let width = width();
    let mut values = Vec::with_capacity(width * view.blocks.len());
    let mut page = Vec::new();
    page_features::write(view, &mut page);
    let page_total = view.total();
    for at in 0..view.blocks.len() {
        block_features::write(view, at, &mut values);
        let mut level = view.levels.of_block[at];
        for _ in 0..ancestor_features::LEVELS {
            ancestor_features::write(view, at, level, page_total, &mut values);
            level = view.levels.all[level as usize].parent;
        }
        surrounding_features::write(view, at, &mut values);
        values.extend_from_slice(&page);
        values.extend(view.levels.distances[view.levels.of_block[at] as usize].iter().map(|distance| f32::from(*distance)));
    }
    Matrix { width, values }
}

/// How many features there are.
#[must_use]
pub fn width() -> usize {
    block_features::FEATURES.len()
        + ancestor_features::FEATURES.len() * ancestor_features::LEVELS
        + surrounding_features::FEATURES.len()
        + page_features::FEATURES.len()
        + super::levels::SIGNS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Page;

    #[test]
    fn every_feature_has_a_name_of_its_own_and_a_meaning() {
        let all = features();
        assert_eq!(all.len(), width());
        let mut names: Vec<&str> = all.iter().map(|feature| &*feature.name).collect();
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        assert!(all.iter().all(|feature| !feature.meaning.is_empty()));
    }

    proptest! {
        #[test]
        fn any_page_has_finite_features(parts in prop::collection::vec("<(div|p|ul|li|a href=x|br|td|table|h1|main)>|</(div|p|ul|a)>|one, two. |中文。", 0..60)) {
            let page = Page::parse(parts.concat());
            let view = View::of(&page);
            let matrix = matrix(&view);
            prop_assert_eq!(matrix.values.len(), matrix.width * view.blocks.len());
            prop_assert!(matrix.values.iter().all(|value| value.is_finite()));
        }
    }
}
