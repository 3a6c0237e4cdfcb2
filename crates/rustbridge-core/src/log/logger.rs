//! One instance's queue of records, and the turns in which they are delivered.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{mem, ptr};

use rustbridge_abi::{Level, LogRecord};

use super::pool::{After, POOL, Work};
use super::record::{OwnedRecord, QUEUE_BYTES, RecordRefusal};
use super::sink::LogSink;
use crate::error::forget_panic;
use crate::registry::table::Handle;
use crate::state::Deadline;

/// How much is delivered in one turn at most, before other instances have theirs.
const TURN_RECORDS: usize = 256;
const TURN_TIME: Duration = Duration::from_millis(10);

/// How long somebody waits until it looks again whether it has to deliver itself, because no thread can be made.
const LOOK: Duration = Duration::from_millis(100);

/// One instance's queue. Who delivers is a thread of the pool, which the first record asks for; a logger is in the pool's line
/// or has a turn, never both.
pub(crate) struct Logger {
    instance: String,
    handle: Handle,
    capacity: usize,
    shared: Mutex<LoggerState>,
    /// Records were delivered, or a sink dropped.
    progress: Condvar,
}

#[derive(Default)]
struct LoggerState {
    queue: VecDeque<OwnedRecord>,
    /// What the queue's records take, in bytes.
    bytes: usize,
    /// Where records go. Out of its place while it's in use.
    sink: Option<Box<dyn LogSink>>,
    /// Counts the sinks there have been, so that a turn sees that its sink was replaced while it was out.
    sink_number: u64,
    /// The number of the sink that is in use or being dropped.
    in_use: Option<u64>,
    has_sink: bool,
    level: u32,
    enqueued: u64,
    delivered: u64,
    /// What was taken out of the queue without being delivered, because nobody wants it any more.
    discarded: u64,
    dropped: u64,
    dropped_unreported: u64,
    sink_panics: u64,
    at: LoggerStage,
    /// Whether the pool counts it.
    is_member: bool,
    stopping: bool,
    /// The sink is dropped, and nobody will be at this logger again.
    stopped: bool,
}

/// Who is at a logger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LoggerStage {
    /// Nobody, for there's nothing to do.
    #[default]
    Rest,
    /// It waits for a turn.
    Line,
    /// A thread has its turn, or ends it.
    Turn,
}

/// How stopping went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Everything was delivered and the sink is dropped.
    Done,
    /// We are called by the sink itself: the record that it's in is its last, and it's dropped when it returns.
    AfterThisRecord,
    /// The sink hasn't returned in time.
    TimedOut {
        /// Records that were not delivered yet.
        waiting: usize,
    },
}

/// How replacing the sink went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SinkReplacement {
    /// The old one isn't called any more, and is dropped unless it's on a log thread that this was asked for.
    Done,
    /// The same, but the old one hasn't returned from its last record in time. It's dropped when it does.
    OldIsBusy,
    /// There'll be no more records, and the new one is dropped.
    Stopping,
}

/// Numbers for `inspect`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) level: u32,
    pub(crate) delivered: u64,
    pub(crate) waiting: usize,
    pub(crate) dropped: u64,
    pub(crate) sink_panics: u64,
}

/// Marks the calling thread as being in a logger's turn. One inside the other: a sink may close another instance, whose sink
/// is dropped there.
///
/// Invariant: while one is in [`INSIDE`] it's alive, where it was put in.
struct Inside {
    logger: *const Logger,
    outer: *const Inside,
}

thread_local! {
    // The innermost mark of this thread, of whatever instance.
    static INSIDE: Cell<*const Inside> = const { Cell::new(ptr::null()) };
}

/// Takes a mark away, also if what ran under it has panicked.
struct Unmark(*const Inside);

impl Drop for Unmark {
    fn drop(&mut self) {
        INSIDE.set(self.0);
    }
}

fn marked<T>(logger: &Logger, run: impl FnOnce() -> T) -> T {
    let inside = Inside {
        logger,
        outer: INSIDE.get(),
    };
    let _unmark = Unmark(inside.outer);
    INSIDE.set(&raw const inside);
    run()
}

/// Whether the calling thread delivers records, of whatever instance: such a thread must not wait for records.
pub(crate) fn is_log_thread() -> bool {
    !INSIDE.get().is_null()
}

impl Logger {
    pub(crate) fn new(
        instance: String,
        handle: Handle,
        capacity: usize,
        level: Level,
        sink: Option<Box<dyn LogSink>>,
    ) -> Logger {
        Logger {
            instance,
            handle,
            capacity: capacity.max(1),
            shared: Mutex::new(LoggerState {
                has_sink: sink.is_some(),
                sink,
                level: level.code(),
                ..LoggerState::default()
            }),
            progress: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, LoggerState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the calling thread is in this logger's sink, however many others it's in.
    fn is_inside(&self) -> bool {
        let mut at = INSIDE.get();
        // SAFETY: by the invariant of `Inside`, which holds for the outer ones too: they go later.
        while let Some(inside) = unsafe { at.as_ref() } {
            if ptr::eq(inside.logger, self) {
                return true;
            }
            at = inside.outer;
        }
        false
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

    /// Copies a record into the queue; never waits for the sink. What doesn't fit is dropped and counted.
    ///
    /// # Safety
    /// The record is as long as it says, and its texts are readable, as `Text` promises.
    pub(crate) unsafe fn take(self: &Arc<Self>, record: *const LogRecord) {
        // SAFETY: the caller's promise.
        match unsafe { OwnedRecord::copy(record) } {
            Ok(record) => self.enqueue(Some(record)),
            Err(RecordRefusal::TooLarge | RecordRefusal::Malformed) => self.enqueue(None),
            Err(RecordRefusal::UnknownKind) => {}
        }
    }

    /// `None` is a record that can't be had.
    /// Takes a record of the core's own.
    pub(crate) fn tell(self: &Arc<Self>, level: Level, message: &str) {
        if level.code() <= self.effective_level() {
            self.enqueue(Some(OwnedRecord::ours(level, message, "")));
        }
    }

    fn enqueue(self: &Arc<Self>, record: Option<OwnedRecord>) {
        let mut shared = self.lock();
        if shared.stopping || !shared.has_sink {
            return;
        }
        let record = record.filter(|record| {
            shared.queue.len() < self.capacity
                && shared.bytes.saturating_add(record.size()) <= QUEUE_BYTES
        });
        if let Some(record) = record {
            // The report stands where the dropped records would have stood.
            if let Some(report) = shared.take_drop_report() {
                shared.push(report);
            }
            shared.push(record);
        } else {
            shared.dropped += 1;
            shared.dropped_unreported += 1;
        }
        let rests = shared.at == LoggerStage::Rest;
        if rests {
            shared.at = LoggerStage::Line;
        }
        let is_new = !mem::replace(&mut shared.is_member, true);
        drop(shared);
        if rests {
            POOL.push(Arc::clone(self) as Arc<dyn Work>, is_new);
        } else if POOL.is_short() {
            POOL.attend();
        }
    }

    /// Replaces the sink. Waits until the old one is dropped; not on a log thread, since sinks that replace each other's would
    /// wait for each other.
    pub(crate) fn set_sink(
        &self,
        sink: Option<Box<dyn LogSink>>,
        deadline: Deadline,
    ) -> SinkReplacement {
        let mut shared = self.lock();
        if shared.stopping {
            drop(shared);
            drop_quietly(sink);
            return SinkReplacement::Stopping;
        }
        shared.has_sink = sink.is_some();
        if sink.is_none() {
            shared.discard();
            self.progress.notify_all();
        }
        let old = mem::replace(&mut shared.sink, sink);
        shared.sink_number += 1;
        let number = shared.sink_number;
        let mut replaced = SinkReplacement::Done;
        while !is_log_thread() && shared.in_use.is_some_and(|in_use| in_use < number) {
            match self.wait_until(shared, deadline) {
                Ok(guard) => shared = guard,
                Err(guard) => {
                    shared = guard;
                    replaced = SinkReplacement::OldIsBusy;
                    break;
                }
            }
        }
        drop(shared);
        drop_quietly(old);
        replaced
    }

    /// Waits until what is queued now is delivered, and with it the report of what is missing until now. `false` when the time is
    /// over first, or on a log thread.
    pub(crate) fn flush(self: &Arc<Self>, deadline: Deadline) -> bool {
        let mut shared = self.lock();
        let goal = shared.enqueued + u64::from(shared.dropped_unreported > 0);
        if is_log_thread() {
            return shared.gone() >= goal;
        }
        while shared.gone() < goal && !shared.stopped {
            match self.deliver_or_wait(shared, deadline) {
                Ok(guard) => shared = guard,
                Err(_) => return false,
            }
        }
        true
    }

    /// Takes no more records, delivers those that are queued and drops the sink. May be repeated.
    pub(crate) fn stop(self: &Arc<Self>, deadline: Deadline) -> Stop {
        let mut shared = self.lock();
        shared.stopping = true;
        if self.is_inside() {
            // Who has closed an instance doesn't expect to hear of it again.
            shared.discard();
            self.progress.notify_all();
            return Stop::AfterThisRecord;
        }
        if shared.at == LoggerStage::Rest && !shared.stopped {
            shared.at = LoggerStage::Turn;
            drop(shared);
            marked(self, || self.end());
            shared = self.lock();
        }
        while !shared.stopped {
            let waiting = shared.queue.len() + usize::from(shared.in_use.is_some());
            match self.deliver_or_wait(shared, deadline) {
                Ok(guard) => shared = guard,
                Err(_) => return Stop::TimedOut { waiting },
            }
        }
        drop(shared);
        POOL.join_ended();
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

    /// Delivers one record. `None` in the child of a fork that the sink has made: what is ours there may be locked by a thread
    /// that doesn't exist.
    fn deliver<'a>(
        &'a self,
        mut shared: MutexGuard<'a, LoggerState>,
        record: &OwnedRecord,
    ) -> Option<MutexGuard<'a, LoggerState>> {
        if let Some(mut sink) = shared.sink.take() {
            let number = shared.sink_number;
            shared.in_use = Some(number);
            drop(shared);
            let forks = POOL.forks();
            let panicked = panics(|| sink.log(&record.for_sink(&self.instance, self.handle)));
            if POOL.forks() != forks {
                mem::forget(sink);
                return None;
            }
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
        Some(shared)
    }

    fn deliver_some(&self) -> After {
        let began = Instant::now();
        let mut shared = self.lock();
        shared.at = LoggerStage::Turn;
        for _ in 0..TURN_RECORDS {
            let Some(record) = shared.next() else { break };
            shared = match self.deliver(shared, &record) {
                Some(shared) => shared,
                None => return After::Idle,
            };
            if began.elapsed() >= TURN_TIME {
                break;
            }
        }
        if shared.stopping && !shared.has_more() {
            drop(shared);
            self.end();
            POOL.is_done();
            return After::Idle;
        }
        POOL.is_done();
        if shared.has_more() {
            shared.at = LoggerStage::Line;
            return After::More;
        }
        shared.at = LoggerStage::Rest;
        After::Idle
    }

    /// The last of what a logger does, on the thread that is at it.
    fn end(&self) {
        let mut shared = self.lock();
        let sink = shared.sink.take();
        let is_member = shared.is_member;
        drop(shared);
        drop_quietly(sink);
        if is_member {
            POOL.leave();
        }
        self.lock().stopped = true;
        self.progress.notify_all();
    }

    /// Waits for progress, or makes some where there's no thread that would. The time limits what is waited for, not a sink
    /// that is called here. `Err` when the time is over.
    fn deliver_or_wait<'a>(
        self: &'a Arc<Self>,
        mut shared: MutexGuard<'a, LoggerState>,
        deadline: Deadline,
    ) -> Result<MutexGuard<'a, LoggerState>, MutexGuard<'a, LoggerState>> {
        if shared.at == LoggerStage::Line && POOL.is_short() && !deadline.is_over() {
            let gone = shared.gone();
            drop(shared);
            POOL.attend();
            if POOL.take(Arc::as_ptr(self).cast()) {
                let forks = POOL.forks();
                let again = self.turn() == After::More;
                if POOL.forks() != forks {
                    // A child, where the turn is the parent's and hasn't ended.
                    return Err(self.lock());
                }
                POOL.after_turn(again.then(|| Arc::clone(self) as Arc<dyn Work>));
                return Ok(self.lock());
            }
            shared = self.lock();
            if shared.at != LoggerStage::Line || shared.gone() != gone {
                return Ok(shared);
            }
        }
        self.wait_until(shared, deadline)
    }

    /// Waits for progress, or for a look at how things are; `Err` when the time is over.
    fn wait_until<'a>(
        &self,
        shared: MutexGuard<'a, LoggerState>,
        deadline: Deadline,
    ) -> Result<MutexGuard<'a, LoggerState>, MutexGuard<'a, LoggerState>> {
        let left = deadline.left().map_or(LOOK, |left| left.min(LOOK));
        if left.is_zero() {
            return Err(shared);
        }
        let (shared, _) = self
            .progress
            .wait_timeout(shared, left)
            .unwrap_or_else(PoisonError::into_inner);
        Ok(shared)
    }
}

impl Work for Logger {
    fn turn(&self) -> After {
        marked(self, || self.deliver_some())
    }
}

impl LoggerState {
    fn push(&mut self, record: OwnedRecord) {
        self.bytes += record.size();
        self.queue.push_back(record);
        self.enqueued += 1;
    }

    /// What is to be delivered next.
    fn next(&mut self) -> Option<OwnedRecord> {
        if let Some(record) = self.queue.pop_front() {
            self.bytes -= record.size();
            return Some(record);
        }
        let report = self.take_drop_report();
        self.enqueued += u64::from(report.is_some());
        report
    }

    fn has_more(&self) -> bool {
        !self.queue.is_empty() || self.dropped_unreported > 0
    }

    /// Forgets what is queued, the report of what is missing included: it may be waited for.
    fn discard(&mut self) {
        let report = u64::from(mem::take(&mut self.dropped_unreported) > 0);
        self.enqueued += report;
        self.discarded += self.queue.len() as u64 + report;
        self.bytes = 0;
        self.queue.clear();
    }

    /// How many have left the queue for good.
    fn gone(&self) -> u64 {
        self.delivered + self.discarded
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
    catch_unwind(AssertUnwindSafe(run))
        .map_err(forget_panic)
        .is_err()
}
