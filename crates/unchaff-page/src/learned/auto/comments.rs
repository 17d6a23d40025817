//! What readers say is no content where an article is: sets of pages agree on that, but the model, which has seen forums too, can be
//! unsure of it.
//!
//! Comments are known by the names around them: a level that is named after comments, on a page that is not about what people say, is less likely to be content by `LESS`,
//! provided that enough is left without them. So a page that consists of comments, or a site that is called *Commentary*, keeps its
//! text.

use super::cut::cut;
use super::levels::ELEMENT_SIGNS;
use super::view::View;
use crate::learned::name_families::Family;

/// By how much comments are less likely, in log-odds.
const LESS: f32 = 2.0;
/// The share of what would be taken that must be something else.
const LEFT_SHARE: f32 = 0.1;
/// The words of it that must be something else.
const LEFT_WORDS: f32 = 80.0;
/// A page with more than this share of its words in places named after a forum, or after reviews and questions, is about what people say.
const SAID_SHARE: f32 = 0.3;

pub(super) fn sign(family: Family) -> u64 {
    1 << (ELEMENT_SIGNS.len() + family as usize)
}

/// Whether each block stands in comments; none does on a page that is about what people say.
#[must_use]
pub fn comment_blocks(view: &View<'_>) -> Vec<bool> {
    let comment = sign(Family::Comment);
    let levels = &view.levels;
    if levels.all.iter().all(|level| level.signs & comment == 0) {
        return vec![false; view.blocks.len()];
    }
    let mut signs: Vec<u64> = Vec::with_capacity(levels.all.len());
    for (at, level) in levels.all.iter().enumerate() {
        let above = if at == 0 { 0 } else { signs[level.parent as usize] };
        signs.push(level.signs | above);
    }
    let has = |block: usize, sign: u64| signs[levels.of_block[block] as usize] & sign != 0;
    let weight = |block: usize| view.signs[block].words as f32;
    let blocks = 0..view.blocks.len();
    let all: f32 = blocks.clone().map(weight).sum();
    let is_about = |family| blocks.clone().filter(|block| has(*block, sign(family))).map(weight).sum::<f32>() > SAID_SHARE * all;
    let is_article = !is_about(Family::Forum) && !is_about(Family::Review);
    blocks.clone().map(|block| is_article && has(block, comment)).collect()
}

/// Makes comments less likely, if enough is left without them.
pub fn leave_out(is_comment: &[bool], words: &[f32], p: &mut [f32]) {
    if !is_comment.contains(&true) {
        return;
    }
    let threshold = cut(p, words, 1.0).threshold;
    let (mut taken, mut left) = (0.0, 0.0);
    for (at, words) in words.iter().enumerate().filter(|(at, _)| p[*at] >= threshold) {
        taken += words;
        left += if is_comment[at] { 0.0 } else { *words };
    }
    if left < LEFT_WORDS || left < LEFT_SHARE * taken {
        return;
    }
    let factor = (-LESS).exp();
    for (p, _) in p.iter_mut().zip(is_comment).filter(|(_, is_comment)| **is_comment) {
        // The odds by a factor.
        *p = *p * factor / (1.0 - *p + *p * factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Page;

    fn marked(html: &str) -> Vec<bool> {
        let page = Page::parse(html);
        comment_blocks(&View::of(&page))
    }

    #[test]
    fn comments_are_known_by_the_names_around_them_unless_the_page_is_a_forum() {
        assert_eq!(marked("<main><p>a b c</p><div class=comments><p>d</p><p>e</p></div></main>"), [false, true, true]);
        assert_eq!(marked("<main><p>a b c</p><p>d</p></main>"), [false, false]);
        assert_eq!(marked("<div class=forum><p>a b c</p><div class=comments><p>d</p></div></div>"), [false, false]);
    }

    #[test]
    fn comments_are_less_likely_where_an_article_is_left() {
        let (words, mut p) = ([200.0, 100.0], [0.9, 0.6]);
        leave_out(&[false, true], &words, &mut p);
        assert!((p[0], p[1] < 0.2) == (0.9, true), "{p:?}");
    }

    #[test]
    fn where_little_but_comments_would_be_taken_they_stay() {
        for words in [[50.0, 100.0], [100.0, 2000.0]] {
            let mut p = [0.9, 0.9];
            leave_out(&[false, true], &words, &mut p);
            assert_eq!(p, [0.9, 0.9]);
        }
        // A site that is called after comments has nothing else.
        let mut p = [0.9, 0.8];
        leave_out(&[true, true], &[300.0, 400.0], &mut p);
        assert_eq!(p, [0.9, 0.8]);
    }
}
