//! Posts of a thread are whole: what somebody wrote is taken with its short lines, and what stands around it is not.
//!
//! Where half of what was written in a post is taken, all of it is, and a post of a thread nearly all of which is taken is taken too: *Thanks, that worked.*
//! Quotes in it are units of their own. Ranks, profiles, signatures and buttons, all that stands in a post outside its body
//! ([`posts`](crate::rules::posts)), are left out; the lines of its author and date are as likely as they were. Only forums and questions with answers are looked at, and what is taken
//! elsewhere on the page stays.

use super::comments::sign;
use super::view::View;
use crate::learned::name_families::{Family, families_at};
use crate::rules::comment_signs::Reading;
use crate::rules::comments::is_forum;
use crate::rules::posts::thread;
use crate::rules::who_and_when::{date, person};
use std::ops::Range;
use unchaff_dom::{NodeId, Tag};

/// The share of a post's words that must be taken for the rest to be.
const HALF: f32 = 0.5;
/// The share of a thread's words from which on all its posts are taken.
const NEARLY_ALL: f32 = 0.8;
/// A line with a name or a date has fewer words than this.
const SHORT_LINE: f32 = 10.0;
/// So many elements around a line may name a person or a moment.
const NEAR: usize = 3;
/// So many elements around a line are asked whether they are a quote.
const DEEPEST_QUOTE: usize = 8;

/// Takes the bodies of posts whole, given the threshold that the page is cut at, and leaves out what stands around them. Says whether the page is a thread.
pub(super) fn make_posts_whole(view: &View<'_>, words: &[f32], threshold: f32, p: &mut [f32]) -> bool {
    let page = view.page;
    let asked = sign(Family::Forum) | sign(Family::Review);
    let Some(root) = page.body().filter(|_| view.levels.all.iter().any(|level| level.signs & asked != 0)) else { return false };
    let is_answer = |node: NodeId| page.is_element(node) && page.attr(node, "id").is_some_and(|id| id.starts_with("answer"));
    if !is_forum(page, root, |node| families_at(page, node)) && !page.descendants(root).any(is_answer) {
        return false;
    }
    let reading = Reading::of(page, root);
    let within = |node: NodeId| -> Range<usize> {
        let at = |node: NodeId| view.blocks.partition_point(|block| block.first < node);
        at(node)..at(page.end(node))
    };
    // The words expected to be content before each block.
    let mut sums = vec![0.0_f32];
    for (p, words) in p.iter().zip(words) {
        sums.push(sums[sums.len() - 1] + p * words);
    }
    let expected = |node: NodeId| {
        let range = within(node);
        sums[range.end] - sums[range.start]
    };
    let posts = thread(&reading, root, expected);
    let is_signed = |node: NodeId| reading.signs(node).people > 0 && reading.signs(node).dates > 0;
    let signed = posts.iter().filter(|post| is_signed(post.root)).count();
    let bodies: Vec<(Range<usize>, Range<usize>)> = posts
        .iter()
        .filter_map(|post| Some((within(post.root), within(post.body?))))
        .filter(|(_, body)| !body.is_empty())
        .collect();
    if bodies.len() < 2 || 5 * signed < 4 * posts.len() {
        return false;
    }
    let taken = |range: Range<usize>| -> (f32, f32) {
        let sum = |range: &mut dyn Iterator<Item = usize>| range.map(|at| words[at]).sum::<f32>();
        (sum(&mut range.clone().filter(|at| p[*at] >= threshold)), sum(&mut range.clone()))
    };
    let shares: Vec<(f32, f32)> = bodies.iter().map(|(_, body)| taken(body.clone())).collect();
    let (some, all) = shares.iter().fold((0.0, 0.0), |(some, all), (taken, words)| (some + taken, all + words));
    let is_quote = |node: NodeId| {
        page.tag(node) == Tag::Blockquote || page.classes(node).any(|class| class.to_ascii_lowercase().contains("quote"))
    };
    let around = |at: usize, levels: usize| {
        let home = view.blocks[at].home;
        std::iter::once(home).chain(page.ancestors(home)).take(levels)
    };
    let is_signature_line = |at: usize| {
        let block = &view.blocks[at];
        let below = (block.start.0..=block.last.0).map(NodeId);
        let says = |node: NodeId| page.is_element(node) && (person(&reading, node).is_some() || date(page, node).is_some());
        words[at] < SHORT_LINE && around(at, NEAR).chain(below).any(says)
    };
    let mut end = 0;
    for ((root, body), (taken, words)) in bodies.into_iter().zip(shares) {
        // What stands in another post is a comment on it, which the thread can have without.
        let is_taken = taken >= HALF * words || root.start >= end && some >= NEARLY_ALL * all;
        end = end.max(root.end);
        for at in root {
            if !body.contains(&at) {
                if p[at] >= threshold && !is_signature_line(at) {
                    p[at] = threshold.next_down();
                }
            } else if is_taken && !around(at, DEEPEST_QUOTE).any(is_quote) {
                p[at] = p[at].max(threshold);
            }
        }
    }
    true
}
