//! Hubs and authorities: pages that link to good pages, and pages that good hubs link to.
//!
//! Jon Kleinberg: Authoritative sources in a hyperlinked environment. Journal of the ACM 46(5), 1999, with weights on the
//! links as in LAMIS (T. Gottron: Content Extraction, 2008, section 3.3.7). Weights keep a page that every page links to, an
//! advertisement for one, from being the best of all.

/// A link from one page to another, by number, with its weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WeightedLink {
    /// The page it is on.
    pub from: usize,
    /// The page it leads to.
    pub to: usize,
    /// Its weight; the weights of parallel links add up.
    pub weight: f64,
}

/// What pages are worth; both lists have length 1 as vectors, or are all 0 if no link has a weight.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ranking {
    /// As authorities.
    pub authorities: Vec<f64>,
    /// As hubs.
    pub hubs: Vec<f64>,
}

/// Values that change less than this have settled.
const SETTLED: f64 = 1e-9;

/// How often values are computed anew at most.
const ROUNDS: usize = 200;

/// Ranks so many pages by the links between them.
#[must_use]
pub(crate) fn hits(pages: usize, links: &[WeightedLink]) -> Ranking {
    let mut ranking = Ranking { authorities: vec![1.0; pages], hubs: vec![1.0; pages] };
    for _ in 0..ROUNDS {
        let mut next = Ranking { authorities: vec![0.0; pages], hubs: vec![0.0; pages] };
        for link in links {
            next.authorities[link.to] += link.weight * ranking.hubs[link.from];
        }
        normalise(&mut next.authorities);
        for link in links {
            next.hubs[link.from] += link.weight * next.authorities[link.to];
        }
        normalise(&mut next.hubs);
        let changes = |old: &[f64], new: &[f64]| old.iter().zip(new).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        let change = changes(&ranking.authorities, &next.authorities).max(changes(&ranking.hubs, &next.hubs));
        ranking = next;
        if change < SETTLED {
            break;
        }
    }
    ranking
}

fn normalise(values: &mut [f64]) {
    let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|value| *value /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weights_keep_the_rank_from_drifting_to_the_advertisement() {
        // Made by hand: an index page 0, its articles 1 and 2, an advertisement 3.
        let links = |to_ad: f64| {
            let pairs = [(0, 1, 1.0), (0, 2, 1.0), (0, 3, to_ad), (1, 3, to_ad), (2, 3, to_ad)];
            pairs.map(|(from, to, weight)| WeightedLink { from, to, weight })
        };
        let close = |values: &[f64], expected: [f64; 4]| {
            assert!(values.iter().zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-6), "{values:?}");
        };
        close(&hits(4, &links(1.0)).authorities, [0.0, 0.408_248, 0.408_248, 0.816_497]);
        let weighted = hits(4, &links(0.0));
        let half = 0.5f64.sqrt();
        close(&weighted.authorities, [0.0, half, half, 0.0]);
        close(&weighted.hubs, [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn without_links_nothing_is_worth_anything() {
        assert_eq!(hits(2, &[]), Ranking { authorities: vec![0.0; 2], hubs: vec![0.0; 2] });
        assert!(hits(0, &[]).hubs.is_empty());
    }

    proptest! {
        #[test]
        fn parallel_links_add_up(pairs in prop::collection::vec((0..4usize, 0..4usize, 0.1..1.0f64), 1..8)) {
            let links: Vec<WeightedLink> = pairs.iter().map(|(from, to, weight)| WeightedLink { from: *from, to: *to, weight: *weight }).collect();
            let halves: Vec<WeightedLink> =
                links.iter().flat_map(|link| [WeightedLink { weight: link.weight / 2.0, ..*link }; 2]).collect();
            let (whole, halved) = (hits(4, &links), hits(4, &halves));
            for (one, other) in whole.authorities.iter().zip(&halved.authorities).chain(whole.hubs.iter().zip(&halved.hubs)) {
                prop_assert!((0.0..=1.0 + 1e-9).contains(one) && (one - other).abs() < 1e-6);
            }
        }
    }
}
