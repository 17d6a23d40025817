//! Where each element of a page comes from in a stored page of its template: siblings are paired by what they are.
//!
//! Our own, because the published location of nodes ([`locate_node`](crate::carried_over::locate_node)) loses a node with the first
//! sibling that is added. From the root down, the children of two paired elements are paired by name, `id` and classes,
//! then, of what is left, by name alone; the first of a kind with the first, the second with the second, and so on. If
//! the page has more of a kind (rows, paragraphs, comments), the rest is paired with the last one stored. So every element of
//! the page has one counterpart or none, and a stored element may have many. What has none takes after the sibling before it.
//! Where the page has more or fewer of a kind, which is whose counterpart is a guess, and said to be one.
//! It costs sorting the children of each element.

use crate::carried_over::pruned_dom::PrunedDom;
use crate::learned::page_keys::mix;

/// No counterpart.
const NONE: u32 = u32::MAX;

/// The elements of a page beside those of a stored page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Counterparts {
    of: Vec<u32>,
    takes_after: Vec<u32>,
    guessed: Vec<bool>,
}

impl Counterparts {
    /// Pairs the elements of a page with those of a stored page.
    #[must_use]
    pub(crate) fn find(stored: &PrunedDom, page: &PrunedDom) -> Counterparts {
        let mut of = vec![NONE; page.len()];
        of[0] = 0;
        let mut pairing = Pairing { guessed: vec![false; page.len()], ..Pairing::default() };
        for node in 0..page.len() as u32 {
            if of[node as usize] != NONE && page.end(node) > node + 1 {
                pairing.pair((stored, of[node as usize]), (page, node), &mut of);
            }
        }
        let takes_after = takes_after(page, &of);
        Counterparts { of, takes_after, guessed: pairing.guessed }
    }

    /// The counterpart of an element.
    #[must_use]
    pub(crate) fn of(&self, element: u32) -> Option<u32> {
        Some(self.of[element as usize]).filter(|counterpart| *counterpart != NONE)
    }

    /// Whether another sibling of its kind could as well be the counterpart of an element.
    #[must_use]
    pub(crate) fn is_guessed(&self, element: u32) -> bool {
        self.guessed[element as usize]
    }

    /// The stored element that an element takes after: its counterpart; else that of the nearest sibling, rather before it than
    /// after; else what its parent takes after.
    #[must_use]
    pub(crate) fn takes_after(&self, element: u32) -> u32 {
        self.takes_after[element as usize]
    }
}

fn takes_after(page: &PrunedDom, of: &[u32]) -> Vec<u32> {
    let mut takes_after = of.to_vec();
    let mut children = Vec::new();
    for node in 0..page.len() as u32 {
        let inherited = takes_after[node as usize];
        children.clear();
        children.extend(page.children(node));
        let mut last = NONE;
        for child in &children {
            let own = &mut takes_after[*child as usize];
            if *own == NONE {
                *own = last;
            } else {
                last = *own;
            }
        }
        // Those before the first that has one.
        let mut next = inherited;
        for child in children.iter().rev() {
            let own = &mut takes_after[*child as usize];
            if *own == NONE {
                *own = next;
            } else {
                next = *own;
            }
        }
    }
    takes_after
}

/// Memory for the children of two elements, so that none is taken for each.
#[derive(Default)]
struct Pairing {
    stored: Vec<(u64, u32)>,
    page: Vec<(u64, u32)>,
    guessed: Vec<bool>,
}

/// What a node is: a hash of name, `id` and classes.
pub(crate) fn kind(dom: &PrunedDom, node: u32) -> u64 {
    let (label, id, classes) = dom.hashes(node);
    mix(mix(label, id), classes)
}

impl Pairing {
    fn pair(&mut self, stored: (&PrunedDom, u32), page: (&PrunedDom, u32), of: &mut [u32]) {
        let name = |dom: &PrunedDom, node: u32| dom.hashes(node).0;
        self.stored.clear();
        self.stored.extend(stored.0.children(stored.1).map(|child| (kind(stored.0, child), child)));
        self.page.clear();
        self.page.extend(page.0.children(page.1).map(|child| (kind(page.0, child), child)));
        self.join(of, true);
        self.stored.iter_mut().for_each(|(kind, child)| *kind = name(stored.0, *child));
        self.page.iter_mut().for_each(|(kind, child)| *kind = name(page.0, *child));
        self.join(of, false);
    }

    /// Pairs those of a kind and leaves the others. With `runs`, the page may have more of a kind.
    fn join(&mut self, of: &mut [u32], runs: bool) {
        self.stored.sort_unstable();
        self.page.sort_unstable();
        for of_kind in self.page.chunk_by(|one, other| one.0 == other.0) {
            let kind = of_kind[0].0;
            let from = self.stored.partition_point(|(stored, _)| *stored < kind);
            let stored = self.stored[from..].iter().take_while(|(stored, _)| *stored == kind).count();
            if stored != of_kind.len() {
                of_kind.iter().for_each(|(_, child)| self.guessed[*child as usize] = true);
            }
        }
        let (mut paired_stored, mut paired_page) = (Vec::new(), Vec::new());
        let mut from = 0;
        let mut last: Option<(u64, u32)> = None;
        for (at, (kind, child)) in self.page.iter().enumerate() {
            while from < self.stored.len() && self.stored[from].0 < *kind {
                from += 1;
            }
            if from < self.stored.len() && self.stored[from].0 == *kind {
                last = Some(self.stored[from]);
                paired_stored.push(from);
                from += 1;
            } else if !runs || last.is_none_or(|(known, _)| known != *kind) {
                continue;
            }
            if let Some((_, counterpart)) = last {
                of[*child as usize] = counterpart;
                paired_page.push(at);
            }
        }
        remove_at(&mut self.stored, &paired_stored);
        remove_at(&mut self.page, &paired_page);
    }
}

/// Removes the items at these places, which ascend.
fn remove_at<T>(items: &mut Vec<T>, places: &[usize]) {
    let (mut places, mut at) = (places.iter().peekable(), 0);
    items.retain(|_| {
        let gone = places.next_if_eq(&&at).is_some();
        at += 1;
        !gone
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carried_over::pruned_dom::Pruning;
    use proptest::prelude::*;
    use unchaff_dom::Page;

    fn dom(body: &str) -> PrunedDom {
        PrunedDom::of(&Page::parse(body), &Pruning::for_templates())
    }

    fn written(stored: &str, page: &str) -> Vec<String> {
        let (stored, page) = (dom(stored), dom(page));
        let found = Counterparts::find(&stored, &page);
        // From below the body on.
        (3..page.len() as u32)
            .map(|node| {
                let to = |node: u32| format!("{}{}", stored.token(node), node - 2);
                match found.of(node) {
                    Some(counterpart) => to(counterpart),
                    None => format!("?{}", to(found.takes_after(node))),
                }
            })
            .collect()
    }

    #[test]
    fn more_of_a_kind_are_paired_with_the_last_stored() {
        assert_eq!(
            written("<h1></h1><p></p><p></p><hr>", "<h1></h1><p></p><p></p><p></p><p></p><hr>"),
            ["h11", "p2", "p3", "p3", "p3", "hr4"]
        );
    }

    #[test]
    fn classes_come_before_places_and_names_alone_come_last() {
        assert_eq!(
            written("<div class=a></div><div class=b></div>", "<div class=b></div><div class=a></div>"),
            ["div.b2", "div.a1"]
        );
        assert_eq!(written("<div class=a></div><p></p>", "<div class=c></div><div class=d></div>"), ["div.a1", "?div.a1"]);
    }

    #[test]
    fn what_is_new_takes_after_its_neighbour_and_its_inside_with_it() {
        assert_eq!(written("<h1></h1><p></p>", "<ul><li></li></ul><h1></h1><table></table>"), ["?h11", "?h11", "h11", "?h11"]);
        assert_eq!(written("<h1></h1>", "<ul></ul>"), ["?body0"]);
    }

    #[test]
    fn where_numbers_differ_counterparts_are_guesses() {
        let (stored, page) = (dom("<h1></h1><p></p><p></p>"), dom("<h1></h1><p></p>"));
        let found = Counterparts::find(&stored, &page);
        assert_eq!((3..5).map(|node| found.is_guessed(node)).collect::<Vec<_>>(), [false, true]);
    }

    proptest! {
        #[test]
        fn a_page_is_its_own_counterpart_and_any_two_can_be_paired(
            one in "(<(div|p|ul|li|b)( id=[a-c]| class=[a-c])?>|</(div|p|ul|b)>|t){0,40}",
            other in "(<(div|p|ul|li|b)( id=[a-c]| class=[a-c])?>|</(div|p|ul|b)>|t){0,40}",
        ) {
            let (one, other) = (dom(&one), dom(&other));
            let itself = Counterparts::find(&one, &one);
            for node in 0..one.len() as u32 {
                prop_assert_eq!(itself.of(node), Some(node));
            }
            let found = Counterparts::find(&one, &other);
            for node in 1..other.len() as u32 {
                let (above, own) = (found.of(other.parent(node).unwrap()), found.of(node));
                prop_assert!(own.is_none() || own.and_then(|own| one.parent(own)) == above);
                prop_assert!((found.takes_after(node) as usize) < one.len());
            }
        }
    }
}
