//! Where an article would be: a score of containers as in Readability, and the densest stretch of blocks.
//!
//! Every paragraph-like block gives points to the level around it (one, one for each comma, up to three for length), half of
//! them to the one above, a quarter and an eighth further up; a container's points count as far as its text is not links
//! (Arc90 Readability, 2009, as its successors have it). The stretch is the run of blocks with the largest sum of words less
//! a price for each block, links counting against it (as in Pasternack & Roth: Extracting Article Text from the Web with
//! Maximum Subsequence Segmentation, WWW 2009). Neither decides anything here: both are signs among others.

use super::view::{View, ratio};

/// The price of a block in the stretch, in words.
const BLOCK_PRICE: f32 = 6.0;

/// Where an article would be.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    /// Points of each level as a share of the best one's.
    pub score: Vec<f32>,
    /// The level with most points, if one has any.
    pub top: Option<u32>,
    /// Levels up from each level to the first that holds the best one.
    pub to_top: Vec<u32>,
    /// Levels up from each level to the first that holds the block most like the title.
    pub to_title: Vec<u32>,
    /// The densest stretch of blocks: first and end.
    pub stretch: (u32, u32),
}

impl Candidate {
    /// Scores the containers of a page.
    #[must_use]
    pub fn of(view: &View<'_>) -> Candidate {
        let levels = &view.levels;
        let mut score = vec![0.0_f32; levels.all.len()];
        for at in (0..view.blocks.len()).filter(|at| view.is_paragraph[*at]) {
            let signs = &view.signs[at];
            let length = (signs.chars as f32 + 2.0 * signs.ideographs as f32) / 100.0;
            let mut points = 1.0 + signs.commas as f32 + length.min(3.0);
            let mut level = levels.around(at);
            for _ in 0..4 {
                score[level as usize] += points;
                let parent = levels.all[level as usize].parent;
                if parent == level {
                    break;
                }
                level = parent;
                points /= 2.0;
            }
        }
        let mut top: Option<u32> = None;
        for level in 0..score.len() {
            score[level] *= 1.0 - ratio(view.level_sum(level as u32).links, view.level_sum(level as u32).weight).max(0.0);
            if score[level] > top.map_or(0.0, |top| score[top as usize]) {
                top = Some(level as u32);
            }
        }
        let most = top.map_or(1.0, |top| score[top as usize]);
        for points in &mut score {
            *points /= most;
        }
        let top_range = top.map(|top| (levels.all[top as usize].start, levels.all[top as usize].end));
        Candidate {
            score,
            top,
            to_top: steps_to(view, top_range),
            to_title: steps_to(view, view.title.or(view.first_h1).map(|title| (title, title + 1))),
            stretch: stretch(view),
        }
    }
}

/// Levels up from each level to the first that holds a range of blocks; the number of all above it if there is none.
fn steps_to(view: &View<'_>, range: Option<(u32, u32)>) -> Vec<u32> {
    let levels = &view.levels.all;
    let (start, end) = range.unwrap_or((0, u32::MAX));
    let mut steps: Vec<u32> = Vec::with_capacity(levels.len());
    for level in levels {
        let holds = level.start <= start && end <= level.end;
        steps.push(if holds { 0 } else { steps.get(level.parent as usize).map_or(0, |steps| steps + 1) });
    }
    steps
}

fn stretch(view: &View<'_>) -> (u32, u32) {
    let (mut best, mut range) = (0.0, (0, 0));
    let (mut sum, mut start) = (0.0, 0);
    for at in 0..view.blocks.len() {
        let block = view.sum(at, at + 1);
        sum += block.weight - 2.0 * block.links - BLOCK_PRICE;
        if sum <= 0.0 {
            (sum, start) = (0.0, at + 1);
        } else if sum > best {
            (best, range) = (sum, (start as u32, at as u32 + 1));
        }
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Page;

    const PAGE: &str = "<nav><a href=1>Home</a><a href=2>All of the news</a></nav><div id=m><p>It rained all day, all night, and nobody went out into the wet streets of the town.</p>\
        <p>Then the sun came out, people danced, and all of them were glad that it was over at last.</p></div><footer>Imprint</footer>";

    #[test]
    fn the_best_container_is_the_one_around_the_paragraphs() {
        let page = Page::parse(PAGE);
        let view = View::of(&page);
        let top = view.candidate.top.unwrap();
        assert_eq!(page.attr(view.levels.all[top as usize].top, "id"), Some("m"));
        assert_eq!(view.candidate.score[top as usize], 1.0);
        assert_eq!(view.candidate.stretch, (1, 3));
        assert_eq!(view.candidate.to_top[view.levels.of_block[1] as usize], 1);
    }

    #[test]
    fn a_page_without_paragraphs_has_no_candidate() {
        let page = Page::parse("<a href=1>one</a>");
        let view = View::of(&page);
        assert_eq!((view.candidate.top, view.candidate.stretch), (None, (0, 0)));
    }
}
