//! Measuring one operation again and again, or on several threads at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bench_report::results::{Single, quantile, thin};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Before anything counts.
    warm_up: Duration,
    /// For each measure.
    measure: Duration,
    /// How many operations at least, however long they take.
    least: usize,
    /// A sample is the mean of as many operations as fill this.
    batch: Duration,
}

impl Effort {
    /// For a claim.
    pub const FULL: Effort = Effort {
        warm_up: Duration::from_millis(200),
        measure: Duration::from_millis(800),
        least: 200,
        batch: Duration::from_millis(10),
    };
    /// For a look.
    pub const QUICK: Effort = Effort {
        warm_up: Duration::from_millis(40),
        measure: Duration::from_millis(80),
        least: 10,
        batch: Duration::from_millis(5),
    };
}

/// Runs an operation for as long as the effort says. Every operation is timed by itself, since even the shortest takes
/// some hundred times as long as reading the clock; the samples are means of operations one after another.
pub fn alone(effort: Effort, operation: &mut dyn FnMut()) -> (Vec<f64>, Single) {
    let began = Instant::now();
    while began.elapsed() < effort.warm_up {
        operation();
    }
    let mut times: Vec<f64> = Vec::new();
    let mut samples = Vec::new();
    let began = Instant::now();
    while began.elapsed() < effort.measure || times.len() < effort.least {
        let first = times.len();
        let mut batch = 0.0;
        while batch < nanoseconds(effort.batch) {
            let before = Instant::now();
            operation();
            let time = nanoseconds(before.elapsed());
            times.push(time);
            batch += time;
        }
        samples.push(batch / (times.len() - first) as f64);
    }
    (thin(&samples), single(times))
}

/// Runs one operation on each of several threads at once. A sample is the time of one operation on one thread, over some
/// milliseconds of all of them.
///
/// # Panics
/// When an operation does; the other threads are stopped then.
pub fn together(effort: Effort, operations: Vec<Box<dyn FnMut() + Send>>) -> Vec<f64> {
    let number = operations.len() as f64;
    let stop = AtomicBool::new(false);
    let count = AtomicU64::new(0);
    let mut samples = Vec::new();
    thread::scope(|scope| {
        let spawn = |mut operation: Box<dyn FnMut() + Send>| {
            let (stop, count) = (&stop, &count);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    operation();
                    count.fetch_add(1, Ordering::Relaxed);
                }
            })
        };
        let threads: Vec<_> = operations.into_iter().map(spawn).collect();
        thread::sleep(effort.warm_up);
        let began = Instant::now();
        let (mut before, mut done) = (began, count.load(Ordering::Relaxed));
        let failed = || threads.iter().any(|thread| thread.is_finished());
        while before - began < effort.measure && !failed() {
            thread::sleep(effort.batch * 2);
            let (now, sum) = (Instant::now(), count.load(Ordering::Relaxed));
            if sum > done {
                samples.push(nanoseconds(now - before) * number / (sum - done) as f64);
                (before, done) = (now, sum);
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    thin(&samples)
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_nanos() as f64
}

fn single(times: Vec<f64>) -> Single {
    let at = |share| quantile(&times, share);
    Single {
        count: times.len() as u64,
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        p999: at(0.999),
        clock: clock(),
    }
}

/// What two adjacent readings of the clock differ by, median.
fn clock() -> f64 {
    let readings: Vec<f64> = (0..1_001)
        .map(|_| nanoseconds(Instant::now().elapsed()))
        .collect();
    quantile(&readings, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRIEF: Effort = Effort {
        warm_up: Duration::from_millis(1),
        measure: Duration::from_millis(20),
        least: 5,
        batch: Duration::from_millis(2),
    };

    #[test]
    fn a_slow_operation_is_measured_as_slow_as_it_is() {
        let pause = Duration::from_millis(1);
        let (samples, single) = alone(BRIEF, &mut || thread::sleep(pause));
        assert!(samples.iter().all(|&ns| ns >= 1e6));
        assert!(single.count >= 5 && single.p50 >= 1e6 && single.clock < single.p50);
    }

    #[test]
    fn threads_that_do_not_hinder_each_other_take_no_longer_together() {
        let sleeper =
            || -> Box<dyn FnMut() + Send> { Box::new(|| thread::sleep(Duration::from_millis(1))) };
        let samples = together(BRIEF, vec![sleeper(), sleeper()]);
        // Half of what each takes at least: on a busy machine a sleep that ended in one sample is counted in the next.
        assert!(!samples.is_empty() && quantile(&samples, 0.5) >= 5e5);
    }

    #[test]
    fn a_thread_that_fails_ends_the_measurement_of_all() {
        let fine: Box<dyn FnMut() + Send> = Box::new(|| thread::sleep(Duration::from_millis(1)));
        let failing: Box<dyn FnMut() + Send> = Box::new(|| panic!("a call failed"));
        let measured = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            together(BRIEF, vec![fine, failing])
        }));
        assert!(measured.is_err());
    }
}
