//! Labels on a tree: how probable it is that each node has a label, when neighbours tend to agree.
//!
//! Every node has evidence of its own for or against the label; a child that differs from its parent has a price, one for
//! each direction. The exact marginal of each node over all labellings takes one pass up and one down (Pearl's belief
//! propagation, 1982). Detectors of templates stand on it: single elements say little, the tree says much.

/// The probability of "yes" for every node of a tree of two labels each: `evidence` is the log-odds of a node on its own,
/// `leave` is added where the child of a "yes" is "no", `back` where the child of a "no" is "yes". Parents come before their
/// children, and the root first.
#[must_use]
pub fn marginals(parents: &[u32], evidence: &[f64], leave: f64, back: f64) -> Vec<f64> {
    let (leave, back) = (leave.exp(), back.exp());
    // Odds that are greater would be infinite.
    let odds_of = |log_odds: f64| log_odds.clamp(-300.0, 300.0).exp();
    // Upwards: the log-odds of each root of a subtree, by all that is in it.
    let mut subtree = evidence.to_vec();
    // Of a child below a "yes" and below a "no", the probability that it is "yes" itself.
    let mut below = vec![[0.0; 2]; evidence.len()];
    for node in (1..evidence.len()).rev() {
        let odds = odds_of(subtree[node]);
        let (stays, returns) = (odds + leave, odds * back + 1.0);
        below[node] = [odds / stays, odds * back / returns];
        subtree[parents[node] as usize] += (stays / returns).ln();
    }
    // Downwards: the probability of each label follows from that of the parent's.
    let mut probability = vec![0.0; evidence.len()];
    for node in 0..evidence.len() {
        probability[node] = if node == 0 {
            1.0 - 1.0 / (1.0 + odds_of(subtree[0]))
        } else {
            let parent = probability[parents[node] as usize];
            parent * below[node][0] + (1.0 - parent) * below[node][1]
        };
    }
    probability
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn marginals_are_those_of_all_labellings(
            tree in prop::collection::vec((0..100u32, -3.0..3.0f64), 1..10), leave in -4.0..1.0f64, back in -4.0..1.0f64,
        ) {
            let parents: Vec<u32> = tree.iter().enumerate().map(|(at, (parent, _))| if at == 0 { 0 } else { parent % at as u32 }).collect();
            let evidence: Vec<f64> = tree.iter().map(|(_, evidence)| *evidence).collect();
            let mut all = 0.0;
            let mut with = vec![0.0; tree.len()];
            for labels in 0..1u32 << tree.len() {
                let is = |node: usize| labels >> node & 1 == 1;
                let weight = (0..tree.len()).map(|node| {
                    let own = if is(node) { evidence[node] } else { 0.0 };
                    let tie = match (node > 0).then(|| (is(parents[node] as usize), is(node))) {
                        Some((true, false)) => leave,
                        Some((false, true)) => back,
                        _ => 0.0,
                    };
                    own + tie
                }).sum::<f64>().exp();
                all += weight;
                for (_, sum) in with.iter_mut().enumerate().filter(|(node, _)| is(*node)) {
                    *sum += weight;
                }
            }
            for (found, expected) in marginals(&parents, &evidence, leave, back).iter().zip(with) {
                prop_assert!((found - expected / all).abs() < 1e-9);
            }
        }
    }
}
