//! Single operations, each timed by itself: what a mean of millions doesn't tell.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

use serde::Serialize;

use crate::{DIRECT, Scenario};

/// The file that [`write()`] writes.
pub const FILE: &str = "singles-criterion.json";

/// Percentiles of one subject, as they are merged with its other times.
#[derive(Serialize)]
struct Timed {
    scenario: String,
    host: &'static str,
    /// Empty for direct calls, which stand beside all lanes of the host.
    transport: &'static str,
    subject: &'static str,
    single: Percentiles,
}

/// Nanoseconds, with the time in them that it takes to read the clock.
#[derive(Serialize)]
struct Percentiles {
    count: u64,
    p50: f64,
    p90: f64,
    p99: f64,
    p999: f64,
    /// What reading the clock twice takes, median.
    clock: f64,
}

/// Times single operations of the scenarios that ask for it and of which `wanted` approves. When there are none, the file
/// of another run, on other threads, stays as it is.
///
/// # Errors
/// When the file can't be written.
pub fn write(
    folder: &Path,
    scenarios: &[Scenario],
    wanted: impl Fn(&str) -> bool,
) -> io::Result<()> {
    let clock = clock();
    let mut timed = Vec::new();
    for scenario in scenarios.iter().filter(|scenario| scenario.single) {
        let id = |subject: &str| format!("{}/{subject}/1", scenario.name);
        if !scenario.measures().any(|(subject, _)| wanted(&id(subject))) {
            continue;
        }
        for (subject, operation) in scenario.prepare().subjects {
            if !wanted(&id(subject)) {
                continue;
            }
            let count = count(operation.run(1, 20) / 20);
            timed.push(Timed {
                scenario: scenario.name.clone(),
                host: "rust",
                transport: if subject == DIRECT { "" } else { "core" },
                subject,
                single: percentiles(operation.single(count), clock),
            });
        }
    }
    if timed.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    let text = serde_json::to_string_pretty(&timed).map_err(io::Error::other)?;
    fs::write(folder.join(FILE), text + "\n")
}

/// 10,000, or as many as take a second, but no less than 200.
fn count(one: Duration) -> u64 {
    let in_a_second = 1_000_000_000 / one.as_nanos().max(1);
    u64::try_from(in_a_second)
        .unwrap_or(u64::MAX)
        .clamp(200, 10_000)
}

fn clock() -> f64 {
    let time = || Instant::now().elapsed();
    let times = (0..10_001).map(|_| time().as_nanos() as u64).collect();
    percentiles(times, 0.0).p50
}

fn percentiles(mut times: Vec<u64>, clock: f64) -> Percentiles {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize] as f64;
    Percentiles {
        count: times.len() as u64,
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        p999: at(0.999),
        clock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let found = percentiles((1..=1001).rev().collect(), 30.0);
        assert_eq!((found.count, found.p50, found.p90), (1001, 501.0, 901.0));
        assert_eq!((found.p99, found.p999, found.clock), (991.0, 1000.0, 30.0));
    }

    #[test]
    fn slow_operations_are_timed_less_often() {
        assert_eq!(count(Duration::from_nanos(0)), 10_000);
        assert_eq!(count(Duration::from_micros(100)), 10_000);
        assert_eq!(count(Duration::from_millis(1)), 1_000);
        assert_eq!(count(Duration::from_secs(1)), 200);
    }
}
