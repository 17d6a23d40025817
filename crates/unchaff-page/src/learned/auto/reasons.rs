//! Why a block was rated as it was, in words: the quantities that moved its rating most.
//!
//! In an oblivious tree every question can be answered the other way: half of what that would change is the pull of the question's column. Pulls
//! are summed over all trees. They say what the model looked at, not what would happen if the page were another.

use super::features::{self, Source};
use super::oblivious_trees::ObliviousTrees;
use super::view::View;
use unchaff_dom::order::InOrder;

/// So many quantities are named that speak for a block, and so many that speak against it.
const NAMED: usize = 2;
/// Less than this, in log-odds, is not worth a word.
const LEAST: f32 = 0.15;

/// Says for each block what speaks for it and what against it, the strongest first.
pub(super) fn reasons(model: &ObliviousTrees, view: &View<'_>, mut say: impl FnMut(usize, String)) {
    let known = features::columns();
    let meaning =
        |source: Source| known.iter().find(|(_, own)| *own == source).map_or("", |(feature, _)| feature.meaning.as_str());
    let meanings: Vec<&str> = model.columns().iter().map(|source| meaning(*source)).collect();
    model.pulls(view, |block, pulls| {
        let mut places: Vec<usize> = (0..pulls.len()).filter(|at| pulls[*at].abs() >= LEAST).collect();
        places.order_by(|one, other| pulls[*other].abs().total_cmp(&pulls[*one].abs()));
        let named = |speaks: fn(f32) -> bool| {
            let named = places.iter().filter(|at| speaks(pulls[**at])).take(NAMED);
            let said = |at: &usize| format!("{} ({:+.1})", meanings[*at].trim_end_matches('.'), pulls[*at]);
            named.map(said).collect::<Vec<_>>().join("; ")
        };
        let sides = [("for it: ", named(|pull| pull > 0.0)), ("against it: ", named(|pull| pull < 0.0))];
        let sides = sides.iter().filter(|(_, said)| !said.is_empty()).map(|(side, said)| format!("{side}{said}"));
        say(block, sides.collect::<Vec<_>>().join(". "));
    });
}
