//! Measures every scenario of the Rust host, with criterion.

use std::path::Path;
use std::time::Duration;

use boundary::{DIRECT, Scenario, scenarios, singles};
use criterion::{BenchmarkId, Criterion, SamplingMode};
use regex::Regex;

/// Criterion's options that are followed by no value.
const FLAGS: [&str; 10] = [
    "--bench",
    "--exact",
    "--list",
    "--noplot",
    "--quick",
    "--quiet",
    "--test",
    "--verbose",
    "-n",
    "-v",
];

const SAMPLES: usize = 50;
const WARM_UP_MS: u64 = 300;
/// For what leaves something behind each time.
const LASTING: Duration = Duration::from_millis(200);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let filter = filter(&arguments);
    let filter = filter.map(|filter| Regex::new(filter).expect("a regular expression"));
    let wanted = |id: &str| filter.as_ref().is_none_or(|filter| filter.is_match(id));
    let scenarios = scenarios::all();
    if has("--list") {
        return list(&scenarios, wanted);
    }
    // Criterion's quick mode stops as soon as two samples agree, or after this time.
    let time = if has("--quick") { 250 } else { 1500 };
    let mut criterion = Criterion::default()
        .sample_size(SAMPLES)
        .warm_up_time(Duration::from_millis(WARM_UP_MS))
        .measurement_time(Duration::from_millis(time))
        .nresamples(2_000)
        .without_plots()
        .configure_from_args();
    for scenario in &scenarios {
        let id = |subject: &str, threads: usize| format!("{}/{subject}/{threads}", scenario.name);
        if scenario
            .measures()
            .any(|(subject, threads)| wanted(&id(subject, threads)))
        {
            measure(&mut criterion, scenario);
        }
    }
    criterion.final_summary();
    let measuring = has("--bench") && !has("--test") && !has("--profile-time");
    if let Some(folder) = std::env::var_os("RUSTBRIDGE_BENCH_ROWS").filter(|_| measuring) {
        let folder = Path::new(&folder);
        let written = singles::write(folder, &scenarios, wanted)
            .and_then(|()| std::fs::write(folder.join("method-criterion.txt"), method(&arguments)));
        written.expect("the folder of RUSTBRIDGE_BENCH_ROWS is writable");
    }
}

/// How it was measured, in words, for the run's file.
fn method(arguments: &[String]) -> String {
    let value = |option: &str| {
        let at = arguments.iter().position(|argument| argument == option)?;
        arguments.get(at + 1).cloned()
    };
    let samples = value("--sample-size").unwrap_or_else(|| SAMPLES.to_string());
    let warm_up = value("--warm-up-time").unwrap_or_else(|| (WARM_UP_MS as f64 / 1e3).to_string());
    format!("{samples} samples after {warm_up} s of warm-up, fewer of what takes milliseconds")
}

/// Criterion's positional argument, which it takes for a regular expression.
fn filter(arguments: &[String]) -> Option<&str> {
    let mut before = "";
    for argument in arguments {
        let is_value = before.starts_with('-') && !before.contains('=') && !FLAGS.contains(&before);
        if !argument.starts_with('-') && !is_value {
            return Some(argument);
        }
        before = argument;
    }
    None
}

fn list(scenarios: &[Scenario], wanted: impl Fn(&str) -> bool) {
    for scenario in scenarios {
        for (subject, threads) in scenario.measures() {
            if wanted(&format!("{}/{subject}/{threads}", scenario.name)) {
                let transport = if subject == DIRECT { "" } else { "core" };
                println!("{}\trust\t{transport}\t{subject}\t{threads}", scenario.name);
            }
        }
    }
}

fn measure(criterion: &mut Criterion, scenario: &Scenario) {
    let prepared = scenario.prepare();
    let mut group = criterion.benchmark_group(&scenario.name);
    if scenario.few {
        group.sample_size(10);
    }
    if scenario.lasting {
        group
            .sample_size(10)
            .sampling_mode(SamplingMode::Flat)
            .warm_up_time(LASTING / 10)
            .measurement_time(LASTING);
    }
    for (name, threads) in scenario.measures() {
        let subject = prepared
            .subjects
            .iter()
            .find(|(subject, _)| *subject == name);
        let (_, subject) = subject.expect("every subject is prepared");
        group.bench_function(BenchmarkId::new(name, threads), |bencher| {
            bencher.iter_custom(|iterations| subject.run(threads, iterations));
        });
    }
    group.finish();
}
