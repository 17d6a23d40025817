//! Fourier encoding: a page as a signal, compared by its spectrum.
//!
//! S. Flesca, G. Manco, E. Masciari, L. Pontieri, A. Pugliese: Detecting Structural Similarities between XML Documents, 2002;
//! Gottron, 2008, §3.5. Each tag is a number, an end tag its negative, the page the sequence of them. The magnitude of its
//! spectrum says which structures repeat and how densely, whatever their place. The encodings are not published in detail; a tag's
//! number is its place in the table of tags, and the spectrum is taken at the same frequencies for every page, so that
//! pages of different length can be compared.

use super::structure::symbol_parts;

/// No more frequencies are looked at: each costs a pass over the page.
const MOST_FREQUENCIES: usize = 4096;

/// The magnitudes of a sequence of tags at so many frequencies, 4,096 at most, between 0 and half a turn a tag.
#[must_use]
pub(crate) fn spectrum(sequence: &[u16], frequencies: usize) -> Vec<f32> {
    let frequencies = frequencies.min(MOST_FREQUENCIES);
    let signal: Vec<f64> = sequence
        .iter()
        .map(|symbol| {
            let (is_end, number) = symbol_parts(*symbol);
            // Names that HTML does not define are numbered without meaning; they share the number after the last.
            let number = f64::from(number.min(256)) + 1.0;
            if is_end { -number } else { number }
        })
        .collect();
    let magnitude = |frequency: usize| {
        let turn = std::f64::consts::PI * frequency as f64 / frequencies as f64;
        // Goertzel's recurrence: one multiplication a tag.
        let double = 2.0 * turn.cos();
        let (last, before) = signal.iter().fold((0.0, 0.0), |(last, before), value| (value + double * last - before, last));
        (last * last + before * before - double * last * before).max(0.0).sqrt()
    };
    (0..frequencies).map(|frequency| magnitude(frequency) as f32).collect()
}

/// The Euclidean distance of two spectra.
#[must_use]
pub(crate) fn euclidean(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(one, other)| f64::from(one - other).powi(2)).sum::<f64>().sqrt()
}

/// The Euclidean distance as a share of both lengths.
#[must_use]
pub(crate) fn distance(one: &[f32], other: &[f32]) -> f64 {
    let length = |spectrum: &[f32]| spectrum.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    let lengths = length(one) + length(other);
    if lengths == 0.0 { 0.0 } else { (euclidean(one, other) / lengths).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::super::structure::tests::tree;
    use super::*;

    #[test]
    fn the_recurrence_agrees_with_the_transform() {
        let sequence = tree("html(body(div(h1,p,p,br),ul(li,li,li(a))))").tag_sequence();
        let found = spectrum(&sequence, 16);
        for (frequency, magnitude) in found.iter().enumerate() {
            let turn = std::f64::consts::PI * frequency as f64 / 16.0;
            let (mut real, mut imaginary) = (0.0, 0.0);
            for (at, symbol) in sequence.iter().enumerate() {
                let (is_end, number) = symbol_parts(*symbol);
                let value = (f64::from(number) + 1.0) * if is_end { -1.0 } else { 1.0 };
                real += value * (turn * at as f64).cos();
                imaginary += value * (turn * at as f64).sin();
            }
            assert!((f64::from(*magnitude) - real.hypot(imaginary)).abs() < 1e-2, "{frequency}");
        }
    }

    #[test]
    fn equal_pages_have_no_distance_and_an_empty_one_is_far() {
        let spectrum = |text: &str| spectrum(&tree(text).tag_sequence(), 32);
        let (one, other) = (spectrum("html(body(p,p,p))"), spectrum("html(body(table(tr(td,td))))"));
        assert_eq!(distance(&one, &one), 0.0);
        assert!(distance(&one, &other) > 0.1);
        assert_eq!(distance(&spectrum(""), &one), 1.0);
        assert_eq!(distance(&spectrum(""), &spectrum("")), 0.0);
    }
}
