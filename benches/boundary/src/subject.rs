//! One way of doing a scenario's work, and how it is timed with one thread and with several.

use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// One way of doing a scenario's work, ready to be measured.
pub struct Subject {
    /// That many operations on each of that many threads; the time until the last thread is done.
    run: Box<dyn Fn(usize, u64) -> Duration>,
    /// The nanoseconds of each of that many single operations.
    single: Box<dyn Fn(u64) -> Vec<u64>>,
    /// The response, where all subjects of a scenario give the same bytes.
    answer: Option<Vec<u8>>,
}

impl Subject {
    /// Each thread makes an operation of its own, with its own storage, before the clock starts.
    pub fn new<Operation: FnMut()>(make: impl Fn() -> Operation + Sync + 'static) -> Subject {
        let make = Arc::new(make);
        let single = Arc::clone(&make);
        Subject {
            run: Box::new(move |threads, iterations| on_threads(threads, iterations, &*make)),
            single: Box::new(move |count| one_by_one(count, single())),
            answer: None,
        }
    }

    /// For operations that are done many at a time: each thread's function does as many as it's told, at most `most`.
    pub fn grouped<Group: FnMut(u64)>(
        most: u64,
        make: impl Fn() -> Group + Sync + 'static,
    ) -> Subject {
        let make = Arc::new(make);
        let single = Arc::clone(&make);
        Subject {
            run: Box::new(move |_, iterations| {
                let mut group = make();
                let start = Instant::now();
                let mut left = iterations;
                while left > 0 {
                    let count = left.min(most);
                    group(count);
                    left -= count;
                }
                start.elapsed()
            }),
            single: Box::new(move |count| {
                let mut group = single();
                one_by_one(count, move || group(1))
            }),
            answer: None,
        }
    }

    /// For operations that have to do something between them that isn't timed: `time` does and times one.
    pub fn timed(time: impl Fn() -> Duration + 'static) -> Subject {
        let time = Arc::new(time);
        let single = Arc::clone(&time);
        Subject {
            run: Box::new(move |_, iterations| (0..iterations).map(|_| time()).sum()),
            single: Box::new(move |count| (0..count).map(|_| nanoseconds(single())).collect()),
            answer: None,
        }
    }

    /// With what it answers.
    #[must_use]
    pub fn answering(mut self, answer: Vec<u8>) -> Subject {
        self.answer = Some(answer);
        self
    }

    /// What it answers, if it can be compared.
    #[must_use]
    pub fn answer(&self) -> Option<&[u8]> {
        self.answer.as_deref()
    }

    /// Runs `iterations` operations on each of `threads` threads at once and gives the time until the last one ended.
    #[must_use]
    pub fn run(&self, threads: usize, iterations: u64) -> Duration {
        (self.run)(threads, iterations)
    }

    /// Times `count` operations one by one, in nanoseconds.
    #[must_use]
    pub fn single(&self, count: u64) -> Vec<u64> {
        (self.single)(count)
    }
}

fn on_threads<Operation: FnMut()>(
    threads: usize,
    iterations: u64,
    make: &(impl Fn() -> Operation + Sync),
) -> Duration {
    let repeat = |mut operation: Operation| {
        let start = Instant::now();
        for _ in 0..iterations {
            operation();
        }
        (start, Instant::now())
    };
    if threads == 1 {
        let (start, end) = repeat(make());
        return end - start;
    }
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let operation = make();
                    barrier.wait();
                    repeat(operation)
                })
            })
            .collect();
        let times = workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker panicked"));
        // From the first thread's beginning to the last one's end: where there are more threads than cores, some begin
        // late, which the time of each by itself would leave out.
        let whole = times.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        whole.map_or(Duration::ZERO, |(start, end)| end - start)
    })
}

fn one_by_one(count: u64, mut operation: impl FnMut()) -> Vec<u64> {
    for _ in 0..count / 10 {
        operation();
    }
    let mut time = || {
        let start = Instant::now();
        operation();
        nanoseconds(start.elapsed())
    };
    (0..count).map(|_| time()).collect()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn every_thread_does_all_iterations() {
        let count = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&count);
        let subject = Subject::new(move || {
            let counted = Arc::clone(&counted);
            move || {
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        let _ = (subject.run(1, 10), subject.run(4, 100));
        assert_eq!(count.load(Ordering::Relaxed), 410);
        assert_eq!(subject.single(100).len(), 100);
        assert_eq!(count.load(Ordering::Relaxed), 520);
    }

    #[test]
    fn groups_together_do_all_iterations() {
        let groups = Arc::new(Mutex::new(Vec::new()));
        let done = Arc::clone(&groups);
        let subject = Subject::grouped(64, move || {
            let done = Arc::clone(&done);
            move |count| done.lock().unwrap().push(count)
        });
        let _ = subject.run(1, 130);
        assert_eq!(*groups.lock().unwrap(), [64, 64, 2]);
    }
}
