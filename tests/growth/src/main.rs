//! How work and memory grow with a page, for every technique and every way of writing, on pages that are hard in one way each.
//!
//! A case is measured on pages of three sizes, each twice the one before. Work that grows more than [`GROWTH`] times with the last doubling is
//! measured again on twice and four times the page, because a step (a limit that is met, a table that grows) is no growth; if it grows as much again, it is
//! on its way to quadratic. Memory is bounded by a multiple of the page and of its nodes. Techniques that are quadratic as published have a limit of
//! ours instead ([`LIMITED`]), beyond which they grow like the others. See `run`, beside this.

mod cases;
mod counters;
mod memory;
mod shapes;

use cases::{Case, Subject, cases};
use shapes::{SHAPES, Shape};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// How much more work twice the page may be: sorting makes it a little more than two.
const GROWTH: f64 = 2.3;

/// Work below so much a byte is not looked at: counts of almost nothing grow by chance.
const FLOOR: f64 = 4.0;

/// Bytes that may be allocated at a time for a byte of the page, with the page itself, for a node of it, and in any case.
const PER_BYTE: usize = 12;
const PER_NODE: usize = 320;
/// An explanation has a row of numbers for a node, as values and as text, and a sentence that says why.
const PER_NODE_EXPLAINED: usize = 1120;
/// Clusters of boxes have their neighbours and what they were merged of.
const PER_NODE_CLUSTERED: usize = 460;
const ANYWAY: usize = 8 << 20;

/// Steps that a technique with a limit may take for a byte of the page: beyond its limit it grows like the others.
const WORK_PER_BYTE: u64 = 250;

/// Techniques that are quadratic as published, and what limits them.
struct Limited {
    names: &'static [&'static str],
    /// The work that the limit allows, besides [`WORK_PER_BYTE`].
    work: u64,
    /// The memory that it allows.
    memory: usize,
    what: &'static str,
}

const LIMITED: &[Limited] = &[
    Limited {
        names: &["rtdm-td", "rtdm-news"],
        work: 1_500_000_000,
        memory: 200 << 20,
        what: "alignments of children: `cells`, 4,000,000 for two pages",
    },
    Limited {
        names: &["m14", "m14-listing", "m14-best-f1", "p16", "wwv13-menu", "prole14-simple"],
        work: 1_000_000_000,
        memory: 64 << 20,
        what: "pairs of siblings: `group_from`, 2,000 children of one node",
    },
    Limited {
        names: &["temex", "t23", "hybex", "release-build", "conex-site"],
        work: 100_000_000,
        memory: 16 << 20,
        what: "pairs of siblings: `group_from`, 200 or 300 children of one node",
    },
];

fn limit_of(case: &str) -> Option<&'static Limited> {
    let name = case.split(' ').next().unwrap_or(case);
    LIMITED.iter().find(|limited| limited.names.contains(&name))
}

/// The worst that was seen of a case, over all shapes.
#[derive(Default)]
struct Worst {
    growth: (f64, &'static str),
    work: (f64, &'static str),
    memory: (f64, &'static str),
    faults: Vec<String>,
}

fn raise(worst: &mut (f64, &'static str), value: f64, shape: &'static str) {
    if value > worst.0 {
        *worst = (value, shape);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().position(|found| found == name).and_then(|at| arguments.get(at + 1));
    let sizes = option("--sizes").map_or("30,60,120", |sizes| sizes);
    let sizes: Vec<usize> = sizes.split(',').filter_map(|size| size.parse::<usize>().ok()).map(|size| size * 1000).collect();
    let (only, only_shape) = (option("--only"), option("--shape"));
    let is_asked = |asked: Option<&String>, name: &str| asked.is_none_or(|asked| name.contains(asked.as_str()));
    let is_full = sizes.last().is_some_and(|last| *last > 500_000);
    let all = cases();
    let cases: Vec<_> = all.iter().filter(|case| is_asked(only, &case.name)).collect();
    let mut worst: Vec<Worst> = cases.iter().map(|_| Worst::default()).collect();
    for shape in SHAPES.iter().filter(|shape| is_asked(only_shape, shape.name)) {
        let subjects: Vec<Subject> = sizes.iter().map(|size| Subject::new(shape.make, *size)).collect();
        for (case, worst) in cases.iter().zip(&mut worst) {
            let limit = limit_of(&case.name);
            let mut measures: Vec<Measure> = Vec::new();
            for subject in &subjects {
                // What has met its limit does not grow further; that it does not is for the full sizes to see.
                if measures.last().is_none_or(|last| limit.is_none() || is_full || last.work < 50_000_000) {
                    measures.push(Measure::of(case, subject));
                }
            }
            judge(case, shape, &measures, worst);
        }
    }
    print(&cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), &worst)
}

/// What one run of a case took.
struct Measure {
    size: usize,
    nodes: usize,
    work: u64,
    /// The most that was allocated at a time, with the page.
    memory: usize,
}

impl Measure {
    fn of(case: &Case, subject: &Subject) -> Measure {
        let before = memory::reset_peak();
        let (_, work) = counters::counted(|| std::hint::black_box((case.run)(subject)));
        let memory = memory::peak() - before + subject.held;
        Measure { size: subject.html.len(), nodes: subject.page.len(), work, memory }
    }

    /// How much more work this is than a smaller page's, for a page twice as long.
    fn growth(&self, smaller: &Measure) -> f64 {
        let times = self.work as f64 / smaller.work.max(1) as f64;
        times * 2.0 * smaller.size as f64 / self.size as f64
    }

    fn is_worth_looking(&self) -> bool {
        self.work as f64 >= FLOOR * self.size as f64
    }
}

fn judge(case: &Case, shape: &Shape, measures: &[Measure], worst: &mut Worst) {
    let (name, limit) = (&case.name, limit_of(&case.name));
    for Measure { size, nodes, work, memory } in measures {
        raise(&mut worst.work, *work as f64 / *size as f64, shape.name);
        raise(&mut worst.memory, *memory as f64 / *size as f64, shape.name);
        let per_node = match name {
            _ if name.ends_with("--explain") => PER_NODE_EXPLAINED,
            _ if name.starts_with("segment bcs") => PER_NODE_CLUSTERED,
            _ => PER_NODE,
        };
        let most = PER_BYTE * size + per_node * nodes + ANYWAY + limit.map_or(0, |limit| limit.memory);
        if *memory > most {
            let times = memory / size;
            worst
                .faults
                .push(format!("{name}: {memory} bytes for a page {}, {times} times the page; {most} are allowed", shape.name));
        }
        if limit.is_some_and(|limit| *work > limit.work + WORK_PER_BYTE * *size as u64) {
            worst.faults.push(format!("{name}: {work} steps for a page {}, more than its limit should allow", shape.name));
        }
    }
    let [.., smaller, last] = measures else { return };
    let mut growth = last.growth(smaller);
    if growth > GROWTH && last.is_worth_looking() && limit.is_none() {
        // A step is no growth, nor are two that follow each other.
        let twice = Measure::of(case, &Subject::new(shape.make, 2 * last.size));
        growth = twice.growth(last);
        if growth > GROWTH {
            growth = Measure::of(case, &Subject::new(shape.make, 4 * last.size)).growth(&twice);
        }
        if growth > GROWTH {
            worst.faults.push(format!("{name}: {growth:.2} times the work for twice the page {}", shape.name));
        }
    }
    if last.is_worth_looking() {
        raise(&mut worst.growth, growth, shape.name);
    }
}

fn print(cases: &[&str], worst: &[Worst]) -> ExitCode {
    let cell = |(value, shape): (f64, &str)| format!("{value:8.2} {shape:12}");
    println!("{:40} {:21}  {:21}  {:21}  limit", "", "growth a doubling", "work a byte", "memory a byte");
    for (case, worst) in cases.iter().zip(worst) {
        let limit = limit_of(case).map_or("", |limit| limit.what);
        println!("{case:40} {}  {}  {}  {limit}", cell(worst.growth), cell(worst.work), cell(worst.memory));
    }
    let faults: Vec<&String> = worst.iter().flat_map(|worst| &worst.faults).collect();
    for fault in &faults {
        println!("FAULT {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
