//! The settings that a sweep tries: a grid, all of it or a random part, with sums that must come out.
//!
//! `c=1..5:1` and `c=1,2,3` are the values of one parameter; the grid is their product. `w_a+w_b=1` keeps those
//! settings whose values add up, as weights do. A random part is drawn without repetition from a seed, so that the same
//! command tries the same settings.

use crate::run::RunError;
use std::collections::BTreeSet;

/// The most settings that are looked at one by one; a grid with a sum is.
const MOST_SETTINGS: u128 = 50_000_000;

/// The values of one parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// The parameter.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// Parameters whose values must add up.
#[derive(Clone, PartialEq, Debug)]
pub struct Sum {
    /// The parameters.
    pub names: Vec<String>,
    /// What they must add up to.
    pub total: f64,
}

/// A part of a grid that is tried instead of all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many settings.
    pub size: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Axis {
    /// Reads `NAME=FROM..TO:STEP`, `NAME=FROM..TO` for whole numbers, or `NAME=A,B,C`.
    ///
    /// # Errors
    /// If the text is of another form.
    pub fn read(text: &str) -> Result<Axis, RunError> {
        let wrong = || {
            RunError::Sweep(format!(
                "`{text}` is not a range of values; write PARAMETER=FROM..TO:STEP, PARAMETER=FROM..TO for whole numbers, or PARAMETER=A,B,C"
            ))
        };
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        let values: Vec<String> = match values.split_once("..") {
            None => values.split(',').map(|value| value.trim().to_owned()).collect(),
            Some((from, rest)) => {
                let (to, step) = rest.split_once(':').map_or((rest, None), |(to, step)| (to, Some(step)));
                let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
                let (from, to) = (number(from)?, number(to)?);
                let step = match step {
                    Some(step) => number(step)?,
                    None if from.fract() == 0.0 && to.fract() == 0.0 => 1.0,
                    None => return Err(wrong()),
                };
                let steps = ((to - from) / step + 1e-9).floor();
                if step <= 0.0 || !(0.0..10_000_000.0).contains(&steps) {
                    return Err(wrong());
                }
                // Rounded, for 0.1 three times is 0.30000000000000004.
                (0..=steps as u64).map(|at| rounded(from + at as f64 * step).to_string()).collect()
            }
        };
        if name.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Axis { name: name.trim().to_owned(), values })
    }
}

fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e10).round() / 1e10;
    // No negative zero.
    rounded + 0.0
}

impl Sum {
    /// Reads `A+B+C=TOTAL`.
    ///
    /// # Errors
    /// If the text is of another form.
    pub fn read(text: &str) -> Result<Sum, RunError> {
        let wrong = || RunError::Sweep(format!("`{text}` is not a sum; write it like w_class+w_pos=1"));
        let (names, total) = text.split_once('=').ok_or_else(wrong)?;
        let total = total.trim().parse().ok().filter(|total: &f64| total.is_finite()).ok_or_else(wrong)?;
        let names: Vec<String> = names.split('+').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Sum { names, total })
    }

    /// For each parameter of the sum, its axis and the numbers there.
    fn on<'a>(&'a self, axes: &[Axis]) -> Result<SumOnGrid, RunError> {
        let number = |value: &String| value.parse::<f64>().ok();
        let column = |name: &'a String| {
            let at = axes.iter().position(|axis| axis.name == *name);
            let values = at.and_then(|at| axes[at].values.iter().map(number).collect::<Option<Vec<f64>>>());
            at.zip(values).ok_or_else(|| {
                RunError::Sweep(format!("`{name}` is in a sum, so give it a range of numbers: --sweep {name}=FROM..TO:STEP"))
            })
        };
        let columns = self.names.iter().map(column).collect::<Result<_, RunError>>()?;
        Ok(SumOnGrid { columns, total: self.total })
    }
}

struct SumOnGrid {
    columns: Vec<(usize, Vec<f64>)>,
    total: f64,
}

impl SumOnGrid {
    fn holds(&self, point: &[usize]) -> bool {
        let sum: f64 = self.columns.iter().map(|(axis, values)| values[point[*axis]]).sum();
        (sum - self.total).abs() < 1e-9
    }
}

/// All settings to try, in the order of the grid: the last parameter changes fastest.
///
/// # Errors
/// If the axes and sums do not fit together, or there are too many settings.
pub fn settings(axes: &[Axis], sums: &[Sum], sample: Option<Sample>) -> Result<Vec<Vec<(String, String)>>, RunError> {
    if let Some(twice) = axes.iter().enumerate().find(|(at, axis)| axes[..*at].iter().any(|other| other.name == axis.name)) {
        return Err(RunError::Sweep(format!("`{}` is swept twice; give all its values at once", twice.1.name)));
    }
    let sums = sums.iter().map(|sum| sum.on(axes)).collect::<Result<Vec<_>, RunError>>()?;
    let size: u128 = axes.iter().fold(1, |size: u128, axis| size.saturating_mul(axis.values.len() as u128));
    let point = |at: u128| {
        let mut rest = at;
        let mut point = vec![0; axes.len()];
        for (place, axis) in point.iter_mut().zip(axes).rev() {
            let values = axis.values.len() as u128;
            *place = (rest % values) as usize;
            rest /= values;
        }
        point
    };
    let setting = |at: u128| {
        axes.iter().zip(point(at)).map(|(axis, place)| (axis.name.clone(), axis.values[place].clone())).collect::<Vec<_>>()
    };
    let too_many = || {
        RunError::Sweep(format!(
            "the grid has {size} settings, and {MOST_SETTINGS} is the limit; take larger steps{}",
            if sums.is_empty() { ", or --random N of them" } else { "" }
        ))
    };
    if let (Some(sample), []) = (sample, &sums[..]) {
        return Ok(draw(size, sample).into_iter().map(setting).collect());
    }
    if size > MOST_SETTINGS {
        return Err(too_many());
    }
    let all: Vec<u128> = (0..size).filter(|at| sums.is_empty() || sums.iter().all(|sum| sum.holds(&point(*at)))).collect();
    if all.is_empty() {
        return Err(RunError::Sweep("no setting of the grid has the sum that is asked for; check ranges and steps".to_owned()));
    }
    match sample {
        None => Ok(all.into_iter().map(setting).collect()),
        Some(sample) => Ok(draw(all.len() as u128, sample).into_iter().map(|at| setting(all[at as usize])).collect()),
    }
}

/// Distinct numbers below `size`, in ascending order; all if the sample is as large.
fn draw(size: u128, sample: Sample) -> BTreeSet<u128> {
    if sample.size as u128 >= size {
        return (0..size).collect();
    }
    // Floyd's method: each number is drawn once, and each part of this size is as likely as any other.
    let mut state = sample.seed;
    let mut drawn = BTreeSet::new();
    for last in size - sample.size as u128..size {
        let number = (u128::from(split_mix(&mut state)) << 64 | u128::from(split_mix(&mut state))) % (last + 1);
        if !drawn.insert(number) {
            drawn.insert(last);
        }
    }
    drawn
}

/// SplitMix64 (Steele, Lea, Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn axis(text: &str) -> Axis {
        Axis::read(text).unwrap()
    }

    fn texts(settings: &[Vec<(String, String)>]) -> Vec<String> {
        let text = |(name, value): &(String, String)| format!("{name}={value}");
        settings.iter().map(|pairs| pairs.iter().map(text).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn ranges_have_round_values_and_both_ends() {
        assert_eq!(axis("t=0..0.5:0.1").values, ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(axis("c=1..4").values, ["1", "2", "3", "4"]);
        assert_eq!(axis("c=1..4:2").values, ["1", "3"]);
        assert_eq!(axis("t=-0.1..0.1:0.1").values, ["-0.1", "0", "0.1"]);
        assert_eq!(axis("words=tokens,words").values, ["tokens", "words"]);
        assert_eq!(axis("c = 3 ").values, ["3"]);
        for wrong in
            ["c", "c=", "=1,2", "c=1..", "c=1..0.5", "c=0..1:0", "c=0..1:-1", "c=2..1:1", "c=a..b:1", "c=1,,2", "c=0..1e300:1e-9"]
        {
            assert!(Axis::read(wrong).unwrap_err().to_string().contains("FROM..TO:STEP"), "{wrong}");
        }
    }

    #[test]
    fn a_grid_is_the_product_of_its_axes() {
        let grid = settings(&[axis("a=1,2"), axis("b=x,y")], &[], None).unwrap();
        assert_eq!(texts(&grid), ["a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"]);
        assert_eq!(settings(&[], &[], None).unwrap(), [vec![]]);
        assert!(settings(&[axis("a=1"), axis("a=2")], &[], None).unwrap_err().to_string().contains("twice"));
        let large: Vec<Axis> = (0..20).map(|at| axis(&format!("p{at}=0..9"))).collect();
        assert!(settings(&large, &[], None).unwrap_err().to_string().contains("--random"));
    }

    #[test]
    fn sums_keep_the_weights_that_add_up() {
        let axes = ["a=0..1:0.1", "b=0..1:0.1", "c=0..1:0.1"].map(axis);
        let sum = Sum::read("a+b + c=1").unwrap();
        // As many as there are ways to share out ten tenths among three.
        assert_eq!(settings(&axes, std::slice::from_ref(&sum), None).unwrap().len(), 66);
        let few = settings(&axes, std::slice::from_ref(&sum), Some(Sample { size: 5, seed: 1 })).unwrap();
        assert_eq!(few.len(), 5);
        assert!(settings(&axes[..2], &[sum], None).unwrap_err().to_string().contains("--sweep c="));
        assert!(settings(&axes, &[Sum::read("a+b=7").unwrap()], None).unwrap_err().to_string().contains("no setting"));
        assert!(Sum::read("a+b").is_err() && Sum::read("a+=1").is_err() && Sum::read("a+b=x").is_err());
    }

    #[test]
    fn a_random_part_of_a_grid_of_any_size_depends_on_the_seed_only() {
        let large: Vec<Axis> = (0..20).map(|at| axis(&format!("p{at}=0..9"))).collect();
        let part = |seed| settings(&large, &[], Some(Sample { size: 100, seed })).unwrap();
        assert_eq!(part(7), part(7));
        assert_ne!(part(7), part(8));
        assert_eq!(part(7).len(), 100);
        assert_eq!(settings(&[axis("a=1..3")], &[], Some(Sample { size: 9, seed: 0 })).unwrap().len(), 3);
    }

    proptest! {
        #[test]
        fn a_random_part_has_the_size_asked_for_and_no_setting_twice(size in 1u128..500, wanted in 0usize..600, seed: u64) {
            let drawn = draw(size, Sample { size: wanted, seed });
            prop_assert_eq!(drawn.len() as u128, size.min(wanted as u128));
            prop_assert!(drawn.iter().all(|number| *number < size));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a-c0-9.,:=+e-]{0,20}") {
            let _ = Axis::read(&text);
            let _ = Sum::read(&text);
        }
    }
}
