//! How work and memory grow with a page. See `run`, beside this.

mod cases;
mod counters;
mod memory;
mod shapes;

use cases::{Subject, cases};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1)).cloned();
    let sizes: Vec<usize> =
        option("--sizes").unwrap_or("250,500,1000".into()).split(',').map(|size| size.parse::<usize>().unwrap() * 1000).collect();
    let only = option("--only");
    let shape_only = option("--shape");
    let cases = cases();
    for shape in shapes::SHAPES {
        if shape_only.as_ref().is_some_and(|only| only != shape.name) {
            continue;
        }
        let before = memory::reset_peak();
        let subjects: Vec<Subject> = sizes.iter().map(|size| Subject::new(shape.make, *size)).collect();
        let _ = before;
        for case in &cases {
            if only.as_ref().is_some_and(|only| !case.name.contains(only.as_str())) {
                continue;
            }
            let mut counts: Vec<u64> = Vec::new();
            let mut times = Vec::new();
            let mut peak = 0.0f64;
            for subject in &subjects {
                if let [.., one, other] = counts[..] && other as f64 / one as f64 > 3.0 && times.last() > Some(&2.0) { break; }
                if times.last() > Some(&8.0) { break; }
                let before = memory::reset_peak();
                let start = Instant::now();
                let (_, count) = counters::counted(|| std::hint::black_box((case.run)(subject)));
                times.push(start.elapsed().as_secs_f64());
                peak = peak.max((memory::peak() - before) as f64 / subject.html.len() as f64);
                counts.push(count);
            }
            let ratio = counts.windows(2).map(|pair| pair[1] as f64 / pair[0] as f64).fold(0.0, f64::max);
            let tratio = times.windows(2).map(|pair| pair[1] / pair[0]).fold(0.0, f64::max);
            println!(
                "{ratio:6.2} {tratio:6.2} {peak:7.1} {:9.3} {:9.1} {:12} {} {counts:?}",
                times.last().unwrap(),
                *counts.last().unwrap() as f64 / subjects[counts.len() - 1].html.len() as f64,
                shape.name, case.name
            );
        }
    }
}
