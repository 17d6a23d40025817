//! Three tests of samples, by their published algorithms: rank correlation, and two for whether values are normally distributed.
//!
//! Alarte (2023, chapters 5, 6, 9 and 10) asks which properties of a page drive run time: none of the variables is normal by Kolmogorov–Smirnov and
//! Shapiro–Wilk, so correlation is Spearman's. Here as there. Spearman with mean ranks for ties, its significance by Student's t; Kolmogorov–Smirnov against the normal
//! distribution with mean and deviation of the sample, its significance after H. W. Lilliefors in the formula of G. E. Dallal and L. Wilkinson (The American Statistician 40(4),
//! 1986); Shapiro–Wilk after P. Royston: Remark AS R94 (Applied Statistics 44(4), 1995), for 4 to 5,000 values.

use std::f64::consts::{FRAC_1_SQRT_2, PI};
use unchaff_dom::order::InOrder;

/// A test: its statistic, and how likely one as extreme is by chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Test {
    /// The statistic.
    pub statistic: f64,
    /// Its significance.
    pub p: f64,
}

/// Spearman's rank correlation of pairs; none for fewer than three, or where one side does not vary.
#[must_use]
pub fn spearman(pairs: &[(f64, f64)]) -> Option<Test> {
    let count = pairs.len() as f64;
    let [first, second] = [ranks(pairs.iter().map(|pair| pair.0)), ranks(pairs.iter().map(|pair| pair.1))];
    let mean = f64::midpoint(count, 1.0);
    let product =
        |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| (one - mean) * (other - mean)).sum::<f64>();
    let below = (product(&first, &first) * product(&second, &second)).sqrt();
    if pairs.len() < 3 || below <= 0.0 {
        return None;
    }
    let rho = (product(&first, &second) / below).clamp(-1.0, 1.0);
    let freedom = count - 2.0;
    let p = if rho.abs() >= 1.0 { 0.0 } else { incomplete_beta(freedom / 2.0, 0.5, 1.0 - rho * rho) };
    Some(Test { statistic: rho, p })
}

/// The ranks of values, from 1; equal ones share the mean of theirs.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.order_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|one, other| values[*one] == values[*other]) {
        let rank = before as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|at| ranks[*at] = rank);
        before += equal.len();
    }
    ranks
}

/// Whether values are normal, by the largest distance between their distribution and the normal one; none for fewer than five, or if all are equal. The
/// significance is approximate, and between .1 and 1 only told to be at least .1.
#[must_use]
pub fn kolmogorov_smirnov(values: &[f64]) -> Option<Test> {
    let (sorted, mean, deviation) = moments(values)?;
    let count = sorted.len() as f64;
    if sorted.len() < 5 {
        return None;
    }
    let distance = sorted.iter().enumerate().map(|(at, value)| {
        let normal = normal_below((value - mean) / deviation);
        (normal - at as f64 / count).max((at as f64 + 1.0) / count - normal)
    });
    let distance = distance.fold(0.0, f64::max);
    // For more than a hundred values, the distance that a hundred would have.
    let (d, n) = if count > 100.0 { (distance * (count / 100.0).powf(0.49), 100.0) } else { (distance, count) };
    let p =
        (-7.01256 * d * d * (n + 2.78019) + 2.99587 * d * (n + 2.78019).sqrt() - 0.122_119 + 0.974_598 / n.sqrt() + 1.67997 / n)
            .exp();
    Some(Test { statistic: distance, p: p.clamp(0.0, 1.0) })
}

/// Whether values are normal, by the squared correlation of their order with that of normal values; none for fewer than four or more than 5,000, or if all are
/// equal.
#[must_use]
pub fn shapiro_wilk(values: &[f64]) -> Option<Test> {
    let (sorted, mean, _) = moments(values)?;
    let (size, count) = (sorted.len(), sorted.len() as f64);
    if !(4..=5000).contains(&size) {
        return None;
    }
    let expected: Vec<f64> = (1..=size).map(|at| normal_quantile((at as f64 - 0.375) / (count + 0.25))).collect();
    let squares: f64 = expected.iter().map(|value| value * value).sum();
    let root = 1.0 / count.sqrt();
    let polynomial =
        |coefficients: &[f64], at: f64| coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * at + coefficient);
    let mut weights: Vec<f64> = expected.iter().map(|value| value / squares.sqrt()).collect();
    let last = weights[size - 1] + polynomial(&[0.0, 0.221_157, -0.147_981, -2.071_190, 4.434_685, -2.706_056], root);
    let (fixed, scale) = if size > 5 {
        let second = weights[size - 2] + polynomial(&[0.0, 0.042_981, -0.293_762, -1.752_461, 5.682_633, -3.582_633], root);
        let left = squares - 2.0 * expected[size - 1].powi(2) - 2.0 * expected[size - 2].powi(2);
        (vec![last, second], left / (1.0 - 2.0 * last * last - 2.0 * second * second))
    } else {
        (vec![last], (squares - 2.0 * expected[size - 1].powi(2)) / (1.0 - 2.0 * last * last))
    };
    for (weight, value) in weights.iter_mut().zip(&expected) {
        *weight = value / scale.sqrt();
    }
    for (at, value) in fixed.into_iter().enumerate() {
        (weights[size - 1 - at], weights[at]) = (value, -value);
    }
    let along: f64 = weights.iter().zip(&sorted).map(|(weight, value)| weight * value).sum();
    let spread: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
    let w = (along * along / spread).min(1.0);
    let log = count.ln();
    let (centre, deviation, transformed) = if size < 12 {
        let gamma = polynomial(&[-2.273, 0.459], count);
        let centre = polynomial(&[0.5440, -0.39978, 0.025_054, -6.714e-4], count);
        let deviation = polynomial(&[1.3822, -0.77857, 0.062_767, -0.002_032_2], count).exp();
        (centre, deviation, -(gamma - (1.0 - w).max(1e-300).ln()).max(1e-300).ln())
    } else {
        let centre = polynomial(&[-1.5861, -0.31082, -0.083_751, 0.003_891_5], log);
        let deviation = polynomial(&[-0.4803, -0.082_676, 0.003_030_2], log).exp();
        (centre, deviation, (1.0 - w).max(1e-300).ln())
    };
    Some(Test { statistic: w, p: 1.0 - normal_below((transformed - centre) / deviation) })
}

/// Values in order, their mean and the deviation of the sample; none if there are not two different ones.
fn moments(values: &[f64]) -> Option<(Vec<f64>, f64, f64)> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let mean = sorted.iter().sum::<f64>() / count;
    let deviation = (sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
    (sorted.len() > 1 && deviation > 0.0).then_some((sorted, mean, deviation))
}

/// The share of normal values below one, by the error function as a regularised incomplete gamma function.
fn normal_below(value: f64) -> f64 {
    let x = value * FRAC_1_SQRT_2;
    let upper = 0.5 * incomplete_gamma_above(x * x);
    if value > 0.0 { 1.0 - upper } else { upper }
}

/// The regularised incomplete gamma function Q(1/2, x): by its series below 1.5, else by its continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31).
fn incomplete_gamma_above(x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (-x).exp() * x.sqrt() / PI.sqrt();
    if x < 1.5 {
        let (mut term, mut sum, mut a) = (2.0, 2.0, 0.5);
        while term > sum * 1e-17 {
            a += 1.0;
            term *= x / a;
            sum += term;
        }
        return 1.0 - scale * sum;
    }
    let mut b = x + 0.5;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..500 {
        let an = -f64::from(i) * (f64::from(i) - 0.5);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    scale * h
}

/// The value below which a share of normal values is, by bisection.
fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if normal_below(middle) < share { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun, 26.5.8) with Lentz's method.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let (mut c, mut d) = (1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)));
    let mut h = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / (1.0 + term * d);
            c = 1.0 + term / c;
            change = d * c;
            h *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    front * h
}

/// The logarithm of the gamma function, by Stirling's series after a shift.
fn log_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let square = x * x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    // Weights of eleven men in pounds, from Shapiro and Wilk (Biometrika 52, 1965, section 4): W = 0.79.
    const WEIGHTS: [f64; 11] = [148.0, 154.0, 158.0, 160.0, 161.0, 162.0, 166.0, 170.0, 182.0, 195.0, 236.0];

    #[test]
    fn shapiro_wilk_as_in_the_first_paper() {
        let test = shapiro_wilk(&WEIGHTS).unwrap();
        assert!((test.statistic - 0.79).abs() < 0.005, "{test:?}");
        // R gives 0.006704 for these.
        assert!((test.p - 0.0067).abs() < 0.0005, "{test:?}");
        assert_eq!((shapiro_wilk(&[1.0; 9]), shapiro_wilk(&[1.0, 2.0])), (None, None));
    }

    #[test]
    fn values_from_a_normal_distribution_are_normal_and_powers_are_not() {
        let normal: Vec<f64> = (1..=60).map(|at| normal_quantile((f64::from(at) - 0.5) / 60.0)).collect();
        let powers: Vec<f64> = normal.iter().map(|value| (2.0 * value).exp()).collect();
        for test in [shapiro_wilk, kolmogorov_smirnov] {
            assert!(test(&normal).unwrap().p > 0.2 && test(&powers).unwrap().p < 0.001);
        }
        assert!(kolmogorov_smirnov(&normal).unwrap().statistic < 0.02);
    }

    // The IQ of ten people and their hours of television, the example of many textbooks: rho = -29/165, p = 0.627188.
    #[test]
    fn spearman_of_the_textbook() {
        let pairs = [
            (106.0, 7.0),
            (100.0, 27.0),
            (86.0, 2.0),
            (101.0, 50.0),
            (99.0, 28.0),
            (103.0, 29.0),
            (97.0, 20.0),
            (113.0, 12.0),
            (112.0, 6.0),
            (110.0, 17.0),
        ];
        let test = spearman(&pairs).unwrap();
        assert!((test.statistic + 29.0 / 165.0).abs() < 1e-12 && (test.p - 0.627_188).abs() < 1e-5, "{test:?}");
        assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(spearman(&[(1.0, 5.0), (2.0, 6.0), (3.0, 9.0)]).unwrap(), Test { statistic: 1.0, p: 0.0 });
    }

    // Tables of the normal distribution and of Student's t.
    #[test]
    fn distributions_are_those_of_the_tables() {
        for (value, below) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.96, 0.024_997_895), (3.0, 0.998_650_102)] {
            assert!((normal_below(value) - below).abs() < 1e-9, "{value}: {}", normal_below(value));
        }
        assert!((normal_quantile(0.975) - 1.959_963_985).abs() < 1e-8);
        // t of 2.228139 at ten degrees of freedom is the five per cent point.
        let t = 2.228_139_f64;
        assert!((incomplete_beta(5.0, 0.5, 10.0 / (10.0 + t * t)) - 0.05).abs() < 1e-6);
        assert!((log_gamma(10.0) - 362_880_f64.ln()).abs() < 1e-10);
    }
}
