//! Labels on a tree: how probable it is that each node has a label, when neighbours tend to agree.
//!
//! Every node has evidence of its own for or against the label; a child that differs from its parent has a price, one for
//! each direction. The exact marginal of each node over all labellings takes one pass up and one down (Pearl's belief
//! propagation, 1982). Detectors of templates stand on it: single elements say little, the tree says much.

/// Logarithm of the sum of two numbers given by their logarithms, and the share of the first in it.
fn log_sum(one: f64, other: f64) -> (f64, f64) {
    let (most, least) = if one > other { (one, other) } else { (other, one) };
    let ratio = (least - most).exp();
    let own = if one > other { 1.0 } else { ratio };
    // Below this the lesser one is lost beside the other.
    (if least - most < -40.0 { most } else { most + (1.0 + ratio).ln() }, own / (1.0 + ratio))
}

/// The probability of "yes" for every node of a tree of two labels each: `evidence` is the log-odds of a node on its own,
/// `leave` is added where the child of a "yes" is "no", `back` where the child of a "no" is "yes". Parents come before their
/// children, and the root first.
#[must_use]
pub fn marginals(parents: &[u32], evidence: &[f64], leave: f64, back: f64) -> Vec<f64> {
    // Upwards: the weight of each subtree, by the label of its root and by that of the parent above it.
    let mut yes: Vec<f64> = evidence.to_vec();
    let mut no = vec![0.0; evidence.len()];
    // Of a child below a "yes" and below a "no", the probability that it is "yes" itself.
    let mut stays = vec![0.0; evidence.len()];
    let mut returns = vec![0.0; evidence.len()];
    for node in (1..evidence.len()).rev() {
        let (below_yes, below_no);
        (below_yes, stays[node]) = log_sum(yes[node], no[node] + leave);
        (below_no, returns[node]) = log_sum(yes[node] + back, no[node]);
        let parent = parents[node] as usize;
        yes[parent] += below_yes;
        no[parent] += below_no;
    }
    // Downwards: the probability of each label follows from that of the parent's.
    let mut probability = vec![0.0; evidence.len()];
    for node in 0..evidence.len() {
        probability[node] = if node == 0 {
            log_sum(yes[0], no[0]).1
        } else {
            let parent = probability[parents[node] as usize];
            parent * stays[node] + (1.0 - parent) * returns[node]
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
