//! The pairing is held to the definition, word for word, on random lists; and to the published examples.

use super::*;
use crate::mapping::equal_top_down::Pairing;
use crate::mapping::node_equality::Equality;
use crate::mapping::tree_view::TreeView;
use proptest::prelude::*;
use unchaff_dom::{NodeSet, Page};

fn rules_of(pairing: &Pairing) -> PairingRules {
    PairingRules {
        option: pairing.option,
        recount: pairing.recount,
        ties: pairing.ties,
        formula: pairing.position_formula,
        denominator: pairing.position_denominator,
    }
}

/// The children of the bodies of two pages.
fn children(shapes: &mut Shapes, page: &Page) -> Vec<Item> {
    let view = TreeView::new(page, NodeSet::new(page));
    let items = shapes.items(&view);
    page.children(page.body().unwrap()).map(|child| items[child.index()]).collect()
}

fn value(rules: &PairingRules, p: usize, q: usize, x: usize, y: usize) -> f64 {
    let position = Position { formula: rules.formula, denominator: rules.denominator, mirrored: false };
    let (p, q) = (p as i64, q as i64);
    position.value(p, q, position.counterparts(p, q, x as i64), y as i64)
}

/// The position of a pair after others were made (§8.3.1); none if it may not be made.
fn position(rules: &PairingRules, (p, q): (usize, usize), made: &[(usize, usize)], (i, j): (usize, usize)) -> Option<f64> {
    let crosses = made.iter().any(|(x, y)| (i < *x) != (j < *y));
    let left_of = |end: usize, paired: &dyn Fn(usize) -> bool| (0..end).filter(|at| !paired(*at)).count();
    let (in_a, in_b) = (|at: usize| made.iter().any(|(x, _)| *x == at), |at: usize| made.iter().any(|(_, y)| *y == at));
    match rules.option {
        PairingOption::Static => return Some(value(rules, p, q, i, j)),
        PairingOption::Ordered if crosses => return None,
        PairingOption::CrossingLast if crosses => return Some(0.0),
        _ => {}
    }
    if rules.recount == Recount::Block && rules.option != PairingOption::Crossing {
        let block = |at: usize, all: usize, paired: &dyn Fn(usize) -> bool| {
            let start = (0..at).rev().find(|other| paired(*other)).map_or(0, |other| other + 1);
            let end = (at..all).find(|other| paired(*other)).unwrap_or(all);
            (end - start, at - start)
        };
        let ((p, x), (q, y)) = (block(i, p, &in_a), block(j, q, &in_b));
        return Some(value(rules, p, q, x, y));
    }
    Some(value(rules, left_of(p, &in_a), left_of(q, &in_b), left_of(i, &in_a), left_of(j, &in_b)))
}

/// The definition, as we read it: all pairs again after each choice.
fn by_definition(shapes: &Shapes, rules: &PairingRules, a: &[Item], b: &[Item]) -> Vec<(usize, usize)> {
    let mut made: Vec<(usize, usize)> = Vec::new();
    loop {
        let mut best: Option<(Score, usize, usize)> = None;
        for i in (0..a.len()).filter(|i| made.iter().all(|(x, _)| x != i)) {
            for j in (0..b.len()).filter(|j| made.iter().all(|(_, y)| y != j)) {
                let Some(rule) = shapes.rule(a[i], b[j]) else { continue };
                let Some(position) = position(rules, (a.len(), b.len()), &made, (i, j)) else { continue };
                let score = rule.score(position);
                let better = |most: Score| if rules.ties == Ties::First { score > most } else { score >= most };
                if shapes.accepts(score) && best.is_none_or(|(most, ..)| better(most)) {
                    best = Some((score, i, j));
                }
            }
        }
        match best {
            Some((_, i, j)) => made.push((i, j)),
            None => return made,
        }
    }
}

fn paired(shapes: &Shapes, rules: PairingRules, a: &[Item], b: &[Item]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    SiblingPairing::new(rules).pair(shapes, a, b, |x, y| pairs.push((x, y)));
    pairs
}

/// An example of ours: positions after the pair (1, 3) was made among five and five.
#[test]
fn positions_after_a_pair_by_option() {
    let pairs = [(0, 4), (2, 1), (0, 0), (2, 4)];
    let expected = [
        (PairingOption::Ordered, [None, None, Some(1.0), Some(0.5)]),
        (PairingOption::CrossingLast, [Some(0.0), Some(0.0), Some(1.0), Some(0.5)]),
        (PairingOption::Crossing, [Some(0.25), Some(1.0), Some(1.0), Some(0.5)]),
        (PairingOption::Static, [Some(0.2), Some(0.8), Some(1.0), Some(0.6)]),
    ];
    for (option, values) in expected {
        let rules = rules_of(&Pairing { option, ..Pairing::default() });
        assert_eq!(pairs.map(|pair| position(&rules, (5, 5), &[(1, 3)], pair)), values, "{option}");
    }
}

/// Pages made by hand.
#[test]
fn what_crosses_is_kept_or_not_by_option() {
    let (key, other) = (
        Page::parse("<body><div class=a></div><div class=b></div>"),
        Page::parse("<body><div class=b></div><div class=a></div>"),
    );
    let mut shapes = Shapes::new(&Equality::m14());
    let (a, b) = (children(&mut shapes, &key), children(&mut shapes, &other));
    let pairs = |option| {
        let pairing = Pairing { option, ..Pairing::split_before_after() };
        paired(&shapes, rules_of(&pairing), &a, &b).len()
    };
    assert_eq!([PairingOption::Ordered, PairingOption::CrossingLast, PairingOption::Static].map(pairs), [1, 1, 2]);
}

fn some_children() -> impl Strategy<Value = String> {
    let child = (0usize..5, 0usize..4, 0usize..4).prop_map(|(tag, class, inside)| match tag {
        0 => "some text ".to_owned(),
        1 => "<img src=x>".to_owned(),
        _ => {
            let tag = ["p", "div"][tag % 2];
            let class = ["", " class=a", " class='a b'", " id=i title=t"][class];
            format!("<{tag}{class}>{}</{tag}>", "<b></b>".repeat(inside))
        }
    });
    prop::collection::vec(child, 0..9).prop_map(|children| format!("<body>{}</body>", children.concat()))
}

fn some_equality() -> impl Strategy<Value = Equality> {
    prop::sample::select(vec![
        Equality::default(),
        Equality { position: 0.0, attributes: 0.2, children: 0.7, threshold: 0.9, ..Equality::default() },
        Equality { class: 0.1, position: 0.6, attributes: 0.1, children: 0.2, threshold: 0.5, ..Equality::default() },
        Equality { class: 0.0, position: 1.0, attributes: 0.0, children: 0.0, threshold: 0.4, ..Equality::default() },
        Equality::m14(),
        Equality::release(),
        Equality::label_only(),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Along with it: where position has no weight, options 2 to 4 make the same pairs.
    #[test]
    fn the_pairs_are_those_of_the_definition(key in some_children(), other in some_children(), equality in some_equality()) {
        let (key, other) = (Page::parse(key), Page::parse(other));
        let mut shapes = Shapes::new(&equality);
        let (a, b) = (children(&mut shapes, &key), children(&mut shapes, &other));
        let mut by_option = Vec::new();
        for option in [PairingOption::Ordered, PairingOption::CrossingLast, PairingOption::Crossing, PairingOption::Static] {
            for recount in [Recount::Remaining, Recount::Block] {
                for ties in [Ties::First, Ties::Last] {
                    for formula in [PositionFormula::Interval, PositionFormula::MinEnd, PositionFormula::Printed] {
                        for denominator in [PositionDenominator::KeySide, PositionDenominator::Smaller] {
                            let rules = PairingRules { option, recount, ties, formula, denominator };
                            let pairs = paired(&shapes, rules, &a, &b);
                            prop_assert_eq!(&pairs, &by_definition(&shapes, &rules, &a, &b), "{:?}", rules);
                            if ties == Ties::First && option != PairingOption::Ordered {
                                by_option.push(pairs);
                            }
                        }
                    }
                }
            }
        }
        if equality.position == 0.0 {
            prop_assert!(by_option.iter().all(|pairs| *pairs == by_option[0]));
        }
    }
}
