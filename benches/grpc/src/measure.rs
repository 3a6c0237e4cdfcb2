//! Measuring one operation again and again, or on several threads at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
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

/// Runs one operation on each of several threads at once. A sample is the time of one operation on one thread, the mean
/// of all threads over some milliseconds.
pub fn together(effort: Effort, operations: Vec<Box<dyn FnMut() + Send>>) -> Vec<f64> {
    let round = effort.batch * 2;
    let rounds = (effort.measure.as_nanos() / round.as_nanos()).max(3);
    let stop = AtomicBool::new(false);
    let threads = operations.len();
    let barrier = Barrier::new(threads + 1);
    let counts = Mutex::new(Vec::new());
    let mut samples = Vec::new();
    thread::scope(|scope| {
        for mut operation in operations {
            let (stop, barrier, counts) = (&stop, &barrier, &counts);
            scope.spawn(move || {
                // The first round warms up.
                for _ in 0..=rounds {
                    barrier.wait();
                    let began = Instant::now();
                    let mut count = 0u32;
                    while count == 0 || !stop.load(Ordering::Relaxed) {
                        operation();
                        count += 1;
                    }
                    let mean = nanoseconds(began.elapsed()) / f64::from(count);
                    counts
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(mean);
                    barrier.wait();
                }
            });
        }
        for number in 0..=rounds {
            barrier.wait();
            thread::sleep(if number == 0 { effort.warm_up } else { round });
            stop.store(true, Ordering::Relaxed);
            barrier.wait();
            // Nobody calls now; all wait for the next round.
            stop.store(false, Ordering::Relaxed);
            let means = std::mem::take(&mut *counts.lock().unwrap_or_else(PoisonError::into_inner));
            if number > 0 {
                // What all threads did in that time, not what each of them thinks: the harmonic mean.
                let rate: f64 = means.iter().map(|mean| 1.0 / mean).sum();
                samples.push(means.len() as f64 / rate);
            }
        }
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
        assert!(samples.len() >= 3 && samples.iter().all(|&ns| ns >= 1e6));
    }
}
