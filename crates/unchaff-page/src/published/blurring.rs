//! Blurring a vector of content (1) and code (0) with a Gaussian, again and again, without ever writing it down.
//!
//! T. Gottron: Content Extraction. PhD thesis, Mainz 2008, §6.4. The plain way costs the vector's length times the width of
//! the kernel, for every iteration. But the vector starts as a few runs of equal values, and blurring *n* times is
//! blurring once with the kernel folded *n* times with itself: a value after *n* iterations is the sum, over the runs of
//! content within reach, of two looked-up sums of that kernel. That holds wherever the vector's ends are out of reach;
//! near them the plain way is gone, on a strip at each end. Where runs are so many that this would not pay, as when every
//! entry is a token, the strip is the whole vector.

use std::ops::Range;

/// What stands beyond the ends of the vector. The thesis does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Border {
    /// Nothing: a value is the mean of the neighbours that exist.
    Renormalised,
    /// Code.
    Zero,
}

/// The weights of the neighbours at distance 0, 1 and so on up to `range`: a Gaussian of half the range's deviation, cut
/// off there. Their sum over both sides is 1, as a mean asks; the thesis implies that and does not write it.
#[must_use]
pub fn kernel(range: usize) -> Vec<f64> {
    if range == 0 {
        return vec![1.0];
    }
    let deviation = range as f64 / 2.0;
    let weights: Vec<f64> = (0..=range).map(|at| (-(at as f64).powi(2) / (2.0 * deviation * deviation)).exp()).collect();
    let sum = 2.0 * weights.iter().sum::<f64>() - weights[0];
    weights.iter().map(|weight| weight / sum).collect()
}

/// One iteration in the plain way.
#[must_use]
pub fn blur(values: &[f64], kernel: &[f64], border: Border) -> Vec<f64> {
    let (size, range) = (values.len(), kernel.len() - 1);
    let mut padded = vec![0.0; size + 2 * range];
    padded[range..range + size].copy_from_slice(values);
    let mut blurred: Vec<f64> = values.iter().map(|value| value * kernel[0]).collect();
    for (offset, weight) in kernel.iter().enumerate().skip(1) {
        let (before, after) = (&padded[range - offset..], &padded[range + offset..]);
        for ((value, before), after) in blurred.iter_mut().zip(before).zip(after) {
            *value += weight * (before + after);
        }
    }
    if border == Border::Renormalised {
        for (at, value) in blurred.iter_mut().enumerate().filter(|(at, _)| *at < range || at + range >= size) {
            let (before, after) = (at.min(range), (size - 1 - at).min(range));
            *value /= kernel[..=before].iter().chain(&kernel[1..=after]).sum::<f64>();
        }
    }
    // Rounding must not lift a mean of ones above 1.
    for value in &mut blurred {
        *value = value.min(1.0);
    }
    blurred
}

/// A vector as the ranges of its content, and how often it was blurred.
#[derive(Clone, Debug)]
pub struct Blurred {
    runs: Vec<Range<u32>>,
    size: usize,
    content: usize,
    border: Border,
    kernel: Vec<f64>,
    iterations: usize,
    /// The kernel folded with itself, both sides.
    folded: Vec<f64>,
    /// Its sums from the left, up to each place.
    sums: Vec<f64>,
    /// The first values of the vector; all of them if it is as long.
    head: Vec<f64>,
    /// The last values, the last one first.
    tail: Vec<f64>,
}

impl Blurred {
    /// A vector before the first iteration: the ranges of its content, in order and apart.
    #[must_use]
    pub fn new(runs: Vec<Range<u32>>, size: usize, range: usize, border: Border) -> Blurred {
        let content = runs.iter().map(|run| (run.end - run.start) as usize).sum();
        let kernel = kernel(range);
        let mut new = Blurred {
            runs,
            size,
            content,
            border,
            kernel,
            iterations: 0,
            folded: vec![1.0],
            sums: vec![0.0, 1.0],
            head: Vec::new(),
            tail: Vec::new(),
        };
        new.start_strips(8 * range);
        new
    }

    /// How far content reaches after so many iterations.
    fn reach(&self) -> usize {
        self.iterations * (self.kernel.len() - 1)
    }

    fn is_plain(&self) -> bool {
        self.head.len() == self.size
    }

    /// Makes the strips so long and blurs them as often as the vector was.
    fn start_strips(&mut self, len: usize) {
        let len = if 2 * len >= self.size { self.size } else { len };
        let (mut head, mut tail) = (vec![0.0; len], vec![0.0; if len == self.size { 0 } else { len }]);
        for run in &self.runs {
            let (start, end) = (run.start as usize, run.end as usize);
            head[start.min(len)..end.min(len)].fill(1.0);
            if !tail.is_empty() {
                tail[(self.size - end).min(len)..(self.size - start).min(len)].fill(1.0);
            }
        }
        for _ in 0..self.iterations {
            head = blur(&head, &self.kernel, self.border);
            tail = blur(&tail, &self.kernel, self.border);
        }
        (self.head, self.tail) = (head, tail);
    }

    /// Whether looking up all runs within reach of all content would cost more than the plain way.
    fn runs_are_dense(&self) -> bool {
        let runs_in_reach = 2.0 * self.reach() as f64 * self.runs.len() as f64 / self.size as f64;
        runs_in_reach * 4.0 * self.content as f64 > self.size as f64 * self.kernel.len() as f64
    }

    /// Blurs once more.
    pub fn iterate(&mut self) {
        self.iterations += 1;
        if self.is_plain() {
            self.head = blur(&self.head, &self.kernel, self.border);
            return;
        }
        if self.runs_are_dense() {
            return self.start_strips(self.size);
        }
        // The inner end of a strip is wrong as far as content reaches, the outer end is needed as far.
        match 2 * self.reach() > self.head.len() {
            true => self.start_strips(4 * self.reach()),
            false => {
                self.head = blur(&self.head, &self.kernel, self.border);
                self.tail = blur(&self.tail, &self.kernel, self.border);
            }
        }
        if !self.is_plain() {
            self.fold();
        }
    }

    fn fold(&mut self) {
        let range = self.kernel.len() - 1;
        let mut folded = vec![0.0; self.folded.len() + 2 * range];
        for (offset, weight) in (0..=2 * range).map(|at| (at, self.kernel[at.abs_diff(range)])) {
            for (sum, value) in folded[offset..].iter_mut().zip(&self.folded) {
                *sum += weight * value;
            }
        }
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        for value in &folded {
            sum += value;
            self.sums.push(sum);
        }
        // What is within content as far as anything reaches is content, whatever rounding says.
        if let Some(last) = self.sums.last_mut() {
            *last = 1.0;
        }
        self.folded = folded;
    }

    /// The content code ratios of a part of the vector, handed over in order.
    pub fn ratios(&self, part: Range<u32>, mut each: impl FnMut(u32, f64)) {
        let reach = self.reach();
        let mut first = self.runs.partition_point(|run| run.end as usize + reach <= part.start as usize);
        for place in part {
            let at = place as usize;
            if self.is_plain() || at < reach {
                each(place, self.head[at]);
                continue;
            }
            if at + reach >= self.size {
                each(place, self.tail[self.size - 1 - at]);
                continue;
            }
            while self.runs.get(first).is_some_and(|run| run.end as usize + reach <= at) {
                first += 1;
            }
            let sum_up_to = |end: u32| self.sums[(end as usize + reach).saturating_sub(at).min(2 * reach + 1)];
            let in_reach = self.runs[first..].iter().take_while(|run| run.start as usize <= at + reach);
            each(place, in_reach.map(|run| sum_up_to(run.end) - sum_up_to(run.start)).sum::<f64>().min(1.0));
        }
    }

    /// The largest ratio of each run of content.
    pub fn peaks(&self) -> impl Iterator<Item = (Range<u32>, f64)> + '_ {
        self.runs.iter().map(|run| {
            // In the middle of a run that is longer than anything reaches, nothing but content is seen.
            let is_out_of_reach = (run.end - run.start) as usize > 2 * self.reach();
            let mut peak = 0.0;
            if is_out_of_reach {
                peak = 1.0;
            } else {
                self.ratios(run.clone(), |_, ratio| peak = f64::max(peak, ratio));
            }
            (run.clone(), peak)
        })
    }

    /// The entries of content with a ratio above a threshold, or whole runs with such an entry.
    #[must_use]
    pub fn above(&self, threshold: f64, whole_runs: bool) -> Vec<Range<u32>> {
        if whole_runs {
            return self.peaks().filter(|(_, peak)| *peak > threshold).map(|(run, _)| run).collect();
        }
        let mut above: Vec<Range<u32>> = Vec::new();
        for run in &self.runs {
            self.ratios(run.clone(), |at, ratio| {
                if ratio > threshold {
                    match above.last_mut() {
                        Some(last) if last.end == at => last.end += 1,
                        _ => above.push(at..at + 1),
                    }
                }
            });
        }
        above
    }

    /// How many entries are content.
    #[must_use]
    pub fn content(&self) -> usize {
        self.content
    }

    /// How many entries there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // Lists of ranges, with one range in them.
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn runs_of(values: &[f64]) -> Vec<Range<u32>> {
        let mut runs: Vec<Range<u32>> = Vec::new();
        for at in (0..values.len() as u32).filter(|at| values[*at as usize] > 0.0) {
            match runs.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => runs.push(at..at + 1),
            }
        }
        runs
    }

    fn all_ratios(blurred: &Blurred) -> Vec<f64> {
        let mut ratios = Vec::new();
        blurred.ratios(0..blurred.size as u32, |_, ratio| ratios.push(ratio));
        ratios
    }

    fn close(one: &[f64], other: &[f64], within: f64) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| (a - b).abs() < within)
    }

    /// Gottron 2008, §6.4.2: a Gaussian with half the range as its deviation. The numbers follow from that.
    #[test]
    fn kernels_have_the_published_weights_and_sum_up_to_one() {
        assert!(close(&kernel(2), &[0.402620, 0.244201, 0.054489], 1e-6));
        for (range, first, second, last, deviation) in [
            (2, 0.402620, 0.244201, 0.054489, 0.9614),
            (25, 0.033290, 0.033184, 0.004505, 11.0971),
            (40, 0.020840, 0.020814, 0.002820, 17.6950),
        ] {
            let kernel = kernel(range);
            assert!(close(&[kernel[0], kernel[1], kernel[range]], &[first, second, last], 1e-6));
            assert!((2.0 * kernel.iter().sum::<f64>() - kernel[0] - 1.0).abs() < 1e-12);
            let variance: f64 = kernel.iter().enumerate().map(|(at, weight)| 2.0 * (at * at) as f64 * weight).sum();
            assert!((variance.sqrt() - deviation).abs() < 1e-4);
        }
    }

    /// The vector is made by hand.
    #[test]
    fn a_short_vector_is_blurred_as_computed_by_hand() {
        let start = [1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let zero = [
            [0.7013, 0.8910, 0.7013, 0.3532, 0.2987, 0.4026, 0.2442, 0.1090, 0.2442, 0.4026],
            [0.5382, 0.7205, 0.6407, 0.4569, 0.3563, 0.3199, 0.2528, 0.2070, 0.2366, 0.2277],
            [0.4275, 0.6029, 0.5942, 0.4841, 0.3818, 0.3137, 0.2628, 0.2327, 0.2152, 0.1607],
        ];
        let renormalised = [
            [1.0000, 0.9424, 0.7013, 0.3532, 0.2987, 0.4026, 0.2442, 0.1090, 0.2583, 0.5741],
            [0.9567, 0.8610, 0.6695, 0.4597, 0.3563, 0.3199, 0.2536, 0.2198, 0.3005, 0.4280],
            [0.9011, 0.8132, 0.6636, 0.4999, 0.3841, 0.3148, 0.2697, 0.2646, 0.3099, 0.3674],
        ];
        for (border, expected) in [(Border::Zero, zero), (Border::Renormalised, renormalised)] {
            let mut blurred = Blurred::new(runs_of(&start), start.len(), 2, border);
            for values in expected {
                blurred.iterate();
                assert!(close(&all_ratios(&blurred), &values, 6e-5), "{border:?}");
            }
        }
    }

    /// Peak, and first and last place above 0.75, by iteration.
    #[test]
    fn runs_between_markup_have_the_computed_peaks() {
        type Row = (u32, [(f64, Option<(u32, u32)>); 6]);
        let some = |peak, first, last| (peak, Some((first, last)));
        let none = |peak| (peak, None);
        let rows: [Row; 6] = [
            (40, [none(0.7131), none(0.5605), none(0.4762), none(0.3816), none(0.2772), none(0.1988)]),
            (60, [some(0.9051, 13, 46), some(0.7587, 25, 34), none(0.6632), none(0.5458), none(0.4055), none(0.2943)]),
            (90, [some(1.0, 13, 76), some(0.9288, 18, 71), some(0.8547, 22, 67), none(0.7402), none(0.5758), none(0.4291)]),
            (
                100,
                [some(1.0, 13, 86), some(0.9576, 17, 82), some(0.8960, 22, 77), some(0.7902, 33, 66), none(0.6257), none(0.4711)],
            ),
            (
                200,
                [
                    some(1.0, 13, 186),
                    some(1.0, 17, 182),
                    some(0.9997, 21, 178),
                    some(0.9901, 27, 172),
                    some(0.9262, 38, 161),
                    some(0.7928, 65, 134),
                ],
            ),
            (
                400,
                [
                    some(1.0, 13, 386),
                    some(1.0, 17, 382),
                    some(1.0, 21, 378),
                    some(1.0, 27, 372),
                    some(0.9998, 38, 361),
                    some(0.9889, 54, 345),
                ],
            ),
        ];
        for (len, columns) in rows {
            let mut blurred = Blurred::new(vec![400..400 + len], 800 + len as usize, 40, Border::Renormalised);
            for (iterations, (peak, above)) in [1, 2, 3, 5, 10, 20].into_iter().zip(columns) {
                while blurred.iterations < iterations {
                    blurred.iterate();
                }
                assert!((blurred.peaks().next().unwrap().1 - peak).abs() < 6e-5, "{len} {iterations}");
                let places = above.map(|(first, last)| 400 + first..401 + last);
                assert_eq!(blurred.above(0.75, false), places.into_iter().collect::<Vec<_>>(), "{len} {iterations}");
                assert_eq!(blurred.above(0.75, true).len(), usize::from(above.is_some()));
            }
        }
    }

    proptest! {
        #[test]
        fn sums_over_runs_equal_the_plain_way(
            lens in prop::collection::vec(1..90usize, 1..60), range in 1..30usize, iterations in 1..8usize, zero in any::<bool>(),
        ) {
            let border = if zero { Border::Zero } else { Border::Renormalised };
            let mut values: Vec<f64> = lens.iter().enumerate().flat_map(|(at, len)| vec![(at % 2) as f64; *len]).collect();
            let mut blurred = Blurred::new(runs_of(&values), values.len(), range, border);
            let kernel = kernel(range);
            for _ in 0..iterations {
                values = blur(&values, &kernel, border);
                blurred.iterate();
                prop_assert!(close(&all_ratios(&blurred), &values, 1e-9));
                // A weighted mean of ratios is a ratio.
                prop_assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
                for (run, peak) in blurred.peaks() {
                    let highest = values[run.start as usize..run.end as usize].iter().copied().fold(0.0, f64::max);
                    prop_assert!((peak - highest).abs() < 1e-9);
                }
            }
        }

        /// What is all content or all code stays so (Gottron 2008, §6.4.2); the rest follows from a kernel that is symmetric.
        #[test]
        fn reversing_the_vector_reverses_the_result_and_constants_stay(values in prop::collection::vec(0..2u8, 1..200), range in 1..20usize) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let backwards: Vec<f64> = values.iter().rev().copied().collect();
            let kernel = kernel(range);
            let mut result = blur(&backwards, &kernel, Border::Renormalised);
            result.reverse();
            prop_assert!(close(&result, &blur(&values, &kernel, Border::Renormalised), 1e-12));
            let constant = vec![values[0]; values.len()];
            prop_assert!(close(&blur(&constant, &kernel, Border::Renormalised), &constant, 1e-12));
        }
    }
}
