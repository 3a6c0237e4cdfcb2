//! One instance's queue of records and the thread that delivers them.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, ThreadId};
use std::{mem, ptr};

use rustbridge_abi::Level;

use super::record::OwnedRecord;
use super::sink::LogSink;
use crate::state::Deadline;

/// One instance's queue and log thread. The thread is started by the first record, so an instance that logs nothing has
/// none.
pub(crate) struct Logger {
    instance: String,
    capacity: usize,
    shared: Mutex<Shared>,
    /// There is something to do for the thread.
    work: Condvar,
    /// The thread has done something.
    progress: Condvar,
}

#[derive(Default)]
struct Shared {
    queue: VecDeque<OwnedRecord>,
    /// Where records go. Out of its place while the thread is using it.
    sink: Option<Box<dyn LogSink>>,
    /// Counts the sinks there have been, so that the thread sees that its sink was replaced while it was out.
    sink_number: u64,
    /// The number of the sink that the thread is using or dropping.
    in_use: Option<u64>,
    has_sink: bool,
    level: u32,
    enqueued: u64,
    delivered: u64,
    dropped: u64,
    dropped_unreported: u64,
    sink_panics: u64,
    thread: Option<JoinHandle<()>>,
    stopping: bool,
    /// Who drops the sink in the end where there is no thread that does.
    ended_by: Option<ThreadId>,
    /// The sink is dropped and the thread, if there was one, is on its way out.
    stopped: bool,
}

/// How stopping went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Everything was delivered and the sink is dropped.
    Done,
    /// We are called by the sink itself: when it returns, what is queued is delivered and the sink dropped.
    AfterThisRecord,
    /// The sink hasn't returned in time.
    TimedOut {
        /// Records that were not delivered yet.
        waiting: usize,
    },
}

/// Numbers for the ledger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) level: u32,
    pub(crate) delivered: u64,
    pub(crate) waiting: usize,
    pub(crate) dropped: u64,
    pub(crate) sink_panics: u64,
}

thread_local! {
    // The logger whose thread this is.
    static LOGGER_OF_THREAD: Cell<*const Logger> = const { Cell::new(ptr::null()) };
}

/// Whether the calling thread delivers records, of whatever instance: such a thread must not wait for records.
pub(crate) fn is_log_thread() -> bool {
    !LOGGER_OF_THREAD.get().is_null()
}

impl Logger {
    pub(crate) fn new(
        instance: String,
        capacity: usize,
        level: Level,
        sink: Option<Box<dyn LogSink>>,
    ) -> Logger {
        Logger {
            instance,
            capacity: capacity.max(1),
            shared: Mutex::new(Shared {
                has_sink: sink.is_some(),
                sink,
                level: level.code(),
                ..Shared::default()
            }),
            work: Condvar::new(),
            progress: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_own_thread(&self) -> bool {
        ptr::eq(LOGGER_OF_THREAD.get(), self)
    }

    /// The level a plugin should log at: what was asked for, or nothing while nobody listens.
    pub(crate) fn effective_level(&self) -> u32 {
        let shared = self.lock();
        if shared.has_sink {
            shared.level
        } else {
            Level::Off.code()
        }
    }

    pub(crate) fn set_level(&self, level: Level) {
        self.lock().level = level.code();
    }

    /// Queues a record; never waits for the sink. A full queue drops it and counts.
    pub(crate) fn enqueue(self: &Arc<Self>, record: OwnedRecord) {
        let mut shared = self.lock();
        if shared.stopping || !shared.has_sink {
            return;
        }
        if shared.queue.len() >= self.capacity || !self.ensure_thread(&mut shared) {
            shared.dropped += 1;
            shared.dropped_unreported += 1;
            return;
        }
        // The report stands where the dropped records would have stood.
        if let Some(report) = shared.take_drop_report() {
            shared.push(report);
        }
        shared.push(record);
        drop(shared);
        self.work.notify_one();
    }

    fn ensure_thread(self: &Arc<Self>, shared: &mut Shared) -> bool {
        if shared.thread.is_none() {
            let logger = Arc::clone(self);
            shared.thread = thread::Builder::new()
                // No system has thread names with a NUL in them, but an instance's name may have one.
                .name(format!("rb-log-{}", self.instance.replace('\0', " ")))
                .spawn(move || logger.deliver_all())
                .ok();
        }
        shared.thread.is_some()
    }

    /// Replaces the sink. Returns when the old one is dropped, except on the log thread, where that happens when the
    /// running sink returns. `Err` gives the new sink back if there'll be no more records.
    pub(crate) fn set_sink(
        &self,
        sink: Option<Box<dyn LogSink>>,
    ) -> Result<(), Option<Box<dyn LogSink>>> {
        let mut shared = self.lock();
        if shared.stopping {
            return Err(sink);
        }
        shared.has_sink = sink.is_some();
        let old = mem::replace(&mut shared.sink, sink);
        shared.sink_number += 1;
        let number = shared.sink_number;
        if !self.is_own_thread() {
            while shared.in_use.is_some_and(|in_use| in_use < number) {
                shared = self.wait(&self.progress, shared);
            }
        }
        drop(shared);
        drop_quietly(old);
        Ok(())
    }

    /// Waits until what is queued now is delivered. `false` when the time is over first, or on a log thread.
    pub(crate) fn flush(&self, deadline: Deadline) -> bool {
        let mut shared = self.lock();
        let goal = shared.enqueued;
        if is_log_thread() {
            return shared.delivered >= goal;
        }
        while shared.delivered < goal && !shared.stopped {
            match self.wait_until(shared, deadline) {
                Ok(guard) => shared = guard,
                Err(()) => return false,
            }
        }
        true
    }

    /// Takes no more records, delivers those that are queued, drops the sink and ends the thread. May be repeated.
    pub(crate) fn stop(&self, deadline: Deadline) -> Stop {
        let mut shared = self.lock();
        shared.stopping = true;
        self.work.notify_one();
        if self.is_own_thread() {
            return Stop::AfterThisRecord;
        }
        let this_thread = Some(thread::current().id());
        if shared.ended_by == this_thread {
            return Stop::AfterThisRecord;
        }
        if shared.thread.is_none() && shared.ended_by.is_none() && !shared.stopped {
            shared.ended_by = this_thread;
            let sink = shared.sink.take();
            drop(shared);
            drop_quietly(sink);
            self.lock().stopped = true;
            self.progress.notify_all();
            return Stop::Done;
        }
        while !shared.stopped {
            let waiting = shared.queue.len() + usize::from(shared.in_use.is_some());
            match self.wait_until(shared, deadline) {
                Ok(guard) => shared = guard,
                Err(()) => return Stop::TimedOut { waiting },
            }
        }
        let thread = shared.thread.take();
        drop(shared);
        if let Some(thread) = thread {
            // A sink's panic is caught, so the thread ends in order; and there's nothing left for it to wait for.
            let _ = thread.join();
        }
        Stop::Done
    }

    pub(crate) fn figures(&self) -> Figures {
        let shared = self.lock();
        Figures {
            level: shared.level,
            delivered: shared.delivered,
            waiting: shared.queue.len(),
            dropped: shared.dropped,
            sink_panics: shared.sink_panics,
        }
    }

    /// The thread.
    fn deliver_all(&self) {
        LOGGER_OF_THREAD.set(self);
        let mut shared = self.lock();
        loop {
            let record = match shared.queue.pop_front() {
                Some(record) => record,
                None => match shared.take_drop_report() {
                    Some(report) => {
                        shared.enqueued += 1;
                        report
                    }
                    None if shared.stopping => break,
                    None => {
                        shared = self.wait(&self.work, shared);
                        continue;
                    }
                },
            };
            if let Some(mut sink) = shared.sink.take() {
                let number = shared.sink_number;
                shared.in_use = Some(number);
                drop(shared);
                let panicked = panics(|| sink.log(&record.for_sink(&self.instance)));
                shared = self.lock();
                shared.sink_panics += u64::from(panicked);
                if shared.sink_number == number {
                    shared.sink = Some(sink);
                } else {
                    drop(shared);
                    drop_quietly(Some(sink));
                    shared = self.lock();
                }
                shared.in_use = None;
            }
            shared.delivered += 1;
            self.progress.notify_all();
        }
        let sink = shared.sink.take();
        drop(shared);
        drop_quietly(sink);
        self.lock().stopped = true;
        self.progress.notify_all();
    }

    fn wait<'a>(
        &self,
        condition: &Condvar,
        shared: MutexGuard<'a, Shared>,
    ) -> MutexGuard<'a, Shared> {
        condition
            .wait(shared)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for progress; `Err` when the deadline is over.
    fn wait_until<'a>(
        &self,
        shared: MutexGuard<'a, Shared>,
        deadline: Deadline,
    ) -> Result<MutexGuard<'a, Shared>, ()> {
        let Some(left) = deadline.left() else {
            return Ok(self.wait(&self.progress, shared));
        };
        if left.is_zero() {
            return Err(());
        }
        let (shared, _) = self
            .progress
            .wait_timeout(shared, left)
            .unwrap_or_else(PoisonError::into_inner);
        Ok(shared)
    }
}

impl Shared {
    fn push(&mut self, record: OwnedRecord) {
        self.queue.push_back(record);
        self.enqueued += 1;
    }

    /// What tells the host that records are missing, whatever its level: a gap nobody hears of is worse than a warning.
    fn take_drop_report(&mut self) -> Option<OwnedRecord> {
        let count = mem::take(&mut self.dropped_unreported);
        (count > 0).then(|| {
            OwnedRecord::ours(
                Level::Warn,
                &format!("{count} records dropped"),
                &format!("{{\"dropped\":{count}}}"),
            )
        })
    }
}

/// Drops a sink of the host's, whose destructor may panic.
fn drop_quietly(sink: Option<Box<dyn LogSink>>) {
    panics(|| drop(sink));
}

/// Runs code of the host's and says whether it panicked.
fn panics(run: impl FnOnce()) -> bool {
    // The payload is forgotten: it is the host's as well, and its destructor could panic once more.
    catch_unwind(AssertUnwindSafe(run))
        .map_err(mem::forget)
        .is_err()
}
