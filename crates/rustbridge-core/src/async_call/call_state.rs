//! The life of an operation: begun, pending, completed, told, released; and what each side may do meanwhile.
//!
//! ```text
//!           start answers a status                                   ┌─ told: fetched, called back, or detached
//! begun ──────────────────────────────► over                        │
//!   │ start answers RB_PENDING            completed ────────────────┤                       ──► over
//!   └──────────────► pending ────────────►  (once)                  └─ released: when no function of the task is inside
//! ```
//!
//! No lock is held over foreign code: whoever changes a life then does what it asks for, one thing after the other: see `run`.

use std::ffi::c_void;
use std::task::Waker;
use std::time::Instant;

use rustbridge_abi::{AsyncExtension, Object, Op, StatusCode};

use super::atomics::ThreadId;
use super::borrowed::BorrowedObjects;
use super::event::{Answer, Event, EventKind};
use super::flow::{Credit, Items, OwnedBatch, QueuedItems};
use super::headers::Headers;
use super::message_resolution::MessageResolution;
use super::payload::Payload;
use super::queue::Queue;
use super::timer::TimerHandle;
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;
use crate::registry::table::Handle;

/// Whom an operation's events go to.
pub(crate) enum Delivery {
    /// Nobody: it was detached, or is a call that blocks.
    Nobody,
    /// A queue.
    Queue(&'static Queue, u64),
    /// Tasks of a host in Rust, which look for themselves.
    Task(Watchers),
    /// A function, on the thread on which it happens.
    Function(Callback),
}

impl Delivery {
    /// Whether a task waits to be woken.
    pub(super) fn is_waited_for(&self) -> bool {
        matches!(self, Delivery::Task(Watchers { answer, demand }) if answer.is_some() || demand.is_some())
    }
}

/// Who is woken to look at an operation: one task may wait for what it answers, and another one until it takes more items.
#[derive(Default)]
pub(crate) struct Watchers {
    pub(super) answer: Option<Waker>,
    pub(super) demand: Option<Waker>,
}

/// A function that is told of events, one at a time, on whatever thread they happen.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    pub(crate) tell: unsafe fn(data: [*mut c_void; 2], event: Event),
    pub(crate) data: [*mut c_void; 2],
    /// Runs something with the thread marked as inside an instance.
    pub(crate) within: fn(instance: Handle, entry: u32, work: &mut dyn FnMut()),
}

// SAFETY: whoever registers one says that it's for any thread.
unsafe impl Send for Callback {}

/// How an operation has ended.
pub(super) struct Outcome {
    pub(super) status: StatusCode,
    pub(super) payload: Payload,
    pub(super) trailers: Payload<0>,
    pub(super) objects: Vec<Object>,
}

impl Outcome {
    pub(super) fn of_error(error: &Error) -> Outcome {
        Outcome {
            status: error.status().code(),
            payload: Payload::of_vec(error.to_json().into_bytes()),
            trailers: Payload::EMPTY,
            objects: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// `start` hasn't returned.
    Begun,
    /// `start` has answered that it's pending.
    Pending,
    /// A call that blocks: it has no task, and ends when the call returns.
    Blocking,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Some function of it may be called.
    Ours,
    /// `release` runs.
    Releasing,
    Released,
}

/// What wakes a plugin's thread that waits in a call.
pub(super) struct Wake {
    pub(super) wake: unsafe extern "C" fn(*mut c_void),
    pub(super) data: *mut c_void,
}

/// An operation, as its node has it.
pub(crate) struct CallState {
    pub(crate) instance: Handle,
    pub(crate) entry: u32,
    pub(crate) user_data: u64,
    /// When its time is over, for what it calls in turn.
    pub(crate) deadline: Option<Instant>,
    /// The host's own number for the call, or 0.
    pub(crate) host_number: Op,
    pub(super) plugin: Option<&'static AsyncExtension>,
    /// For a client of other types.
    pub(super) resolving: Option<MessageResolution>,
    pub(super) task: *mut c_void,
    /// The objects that are lent to it.
    pub(super) lent: BorrowedObjects,
    pub(super) stage: Stage,
    pub(super) task_state: Task,
    /// How many of the task's functions run.
    pub(super) inside: u32,
    /// The status with which it's to end early, and whether the plugin was told.
    pub(super) cancel: Option<StatusCode>,
    pub(super) cancel_told: bool,
    pub(super) outcome: Option<Outcome>,
    /// Somebody is about to complete it.
    pub(super) completing: bool,
    pub(super) completed: bool,
    pub(super) delivery: Delivery,
    /// Its end was told, or nobody wants to know.
    pub(super) told: bool,
    /// Its number is in its queue.
    pub(super) linked: bool,
    /// Its function is being told of something.
    pub(super) telling: bool,
    /// It has a stream from the plugin.
    pub(super) gives: bool,
    /// It has a stream to the plugin.
    pub(super) takes: bool,
    // From the plugin to its consumer.
    pub(super) credit: Credit,
    pub(super) waiting: QueuedItems,
    pub(super) more: (u64, u64),
    pub(super) demanding: bool,
    pub(super) headers: Headers,
    // From the caller to the plugin.
    pub(super) wanted: Credit,
    pub(super) wanted_news: bool,
    pub(super) pushing: bool,
    pub(super) pushed_end: bool,
    pub(super) wake: Option<Wake>,
    /// On which thread that is called just now.
    pub(super) waking: Option<ThreadId>,
    /// What ends it when its time is over, if its plugin doesn't.
    pub(super) timer: Option<TimerHandle>,
}

// SAFETY: the task is the plugin's, whose functions are for any thread, and so is what it's woken by.
unsafe impl Send for CallState {}

/// What an operation is kept in.
pub(crate) type Node = super::node::Node<CallState>;

/// What an operation begins with.
pub(crate) struct NewCall {
    pub(crate) instance: Handle,
    pub(crate) entry: u32,
    pub(crate) plugin: Option<&'static AsyncExtension>,
    /// For a client of other types: what becomes of its messages.
    pub(crate) resolved: Option<&'static ResolvedMethod>,
    pub(crate) delivery: Delivery,
    pub(crate) user_data: u64,
    pub(crate) deadline: Option<Instant>,
    /// The host's own number for the call, or 0.
    pub(crate) host_number: Op,
    /// How many items, and bytes, its consumer takes at first.
    pub(crate) demand: (u64, u64),
    pub(crate) blocking: bool,
    /// Whether it has a stream from the plugin.
    pub(crate) gives: bool,
    /// Whether it has a stream to the plugin.
    pub(crate) takes: bool,
    /// Whether its caller takes headers.
    pub(crate) headers: bool,
}

impl NewCall {
    /// A call that blocks, and that others may cancel.
    pub(crate) fn blocking(instance: Handle, entry: u32) -> NewCall {
        NewCall {
            instance,
            entry,
            plugin: None,
            resolved: None,
            delivery: Delivery::Nobody,
            user_data: 0,
            deadline: None,
            host_number: 0,
            demand: (0, 0),
            blocking: true,
            gives: false,
            takes: false,
            headers: false,
        }
    }
}

impl Default for CallState {
    fn default() -> CallState {
        CallState {
            instance: 0,
            entry: 0,
            user_data: 0,
            deadline: None,
            host_number: 0,
            plugin: None,
            resolving: None,
            task: std::ptr::null_mut(),
            lent: BorrowedObjects::none(),
            stage: Stage::Begun,
            task_state: Task::Ours,
            inside: 0,
            cancel: None,
            cancel_told: false,
            outcome: None,
            completing: false,
            completed: false,
            delivery: Delivery::Nobody,
            told: false,
            linked: false,
            telling: false,
            gives: false,
            takes: false,
            credit: Credit::default(),
            waiting: QueuedItems::default(),
            more: (0, 0),
            demanding: false,
            headers: Headers::default(),
            wanted: Credit::default(),
            wanted_news: false,
            pushing: false,
            pushed_end: false,
            wake: None,
            waking: None,
            timer: None,
        }
    }
}

impl CallState {
    /// Whether it has a stream, in either direction.
    pub(crate) fn streams(&self) -> bool {
        self.gives || self.takes
    }

    /// Whether nobody takes its items any more.
    pub(super) fn takes_no_items(&self) -> bool {
        self.completed || self.cancel.is_some() || matches!(self.delivery, Delivery::Nobody)
    }

    /// Has items wait to be taken, if they are within the credit.
    pub(super) fn take_items(&mut self, items: &Items<'_>, sent: &Items<'_>) -> bool {
        let mut credit = self.credit;
        let is_taken = credit.spend(sent) && self.waiting.add(items);
        if is_taken {
            self.headers.seal();
            self.credit = credit;
            if let Some(resolving) = &mut self.resolving {
                let more = resolving.given.went(sent.len(), items.len());
                self.credit.add(0, more);
                self.more.1 = self.more.1.saturating_add(more);
            }
        }
        is_taken
    }

    /// Whether it is one of this instance's that has a task, for reports.
    pub(crate) fn is_pending_in(&self, instance: Handle) -> bool {
        // A call that blocks is there as one that runs.
        self.instance == instance
            && self.task_state != Task::Released
            && self.stage != Stage::Blocking
    }
}

/// What a life asks for, to be done without its lock.
pub(super) enum Act {
    Cancel(StatusCode),
    Demand(u64, u64),
    Release,
    /// Of what [`take_event`](Life::take_event) gives.
    Tell(Callback),
    Ring(&'static Queue, u64),
    Wake(Waker),
}

/// What was done of what a life asked for.
pub(super) enum Done {
    Cancel,
    Demand,
    Release,
    Tell,
    Nothing,
}

impl CallState {
    /// What it asks for next. Whoever does it then says so, with [`has_done`](Life::has_done).
    pub(super) fn next_act(&mut self) -> Option<Act> {
        if self.stage != Stage::Pending {
            return None;
        }
        if self.task_state == Task::Ours && !self.completed {
            if let Some(reason) = self.cancel
                && !self.cancel_told
            {
                self.cancel_told = true;
                self.inside += 1;
                return Some(Act::Cancel(reason));
            }
            if self.more != (0, 0) && !self.demanding && self.cancel.is_none() {
                self.demanding = true;
                self.inside += 1;
                let (items, bytes) = std::mem::take(&mut self.more);
                return Some(Act::Demand(items, bytes));
            }
        }
        if let Some(act) = self.news() {
            return Some(act);
        }
        // Not before its function has been told, so that closing waits for that, too.
        let is_quiet = self.inside == 0 && !self.telling;
        if self.completed && is_quiet && self.task_state == Task::Ours {
            self.task_state = Task::Releasing;
            return Some(Act::Release);
        }
        None
    }

    /// How the one who is told gets to know of what there is.
    fn news(&mut self) -> Option<Act> {
        let has_come = !self.waiting.is_empty() || self.outcome.is_some();
        if self.told || !(has_come || self.wanted_news) {
            return None;
        }
        match &mut self.delivery {
            Delivery::Nobody => None,
            Delivery::Task(watchers) => {
                // Who sends looks at what is wanted, and isn't told.
                let is_for_sender = std::mem::take(&mut self.wanted_news) || self.outcome.is_some();
                let sender = if is_for_sender {
                    watchers.demand.take()
                } else {
                    None
                };
                let waker = sender.or_else(|| {
                    if has_come {
                        watchers.answer.take()
                    } else {
                        None
                    }
                });
                waker.map(Act::Wake)
            }
            Delivery::Queue(queue, number) => {
                if self.linked {
                    return None;
                }
                self.linked = true;
                Some(Act::Ring(queue, *number))
            }
            Delivery::Function(callback) => {
                let callback = *callback;
                // One event at a time, in order, whoever's thread it is.
                if self.telling || !self.has_event() {
                    return None;
                }
                self.telling = true;
                Some(Act::Tell(callback))
            }
        }
    }

    /// It was done.
    pub(super) fn has_done(&mut self, done: &Done) {
        match done {
            Done::Cancel => self.inside -= 1,
            Done::Demand => {
                self.inside -= 1;
                self.demanding = false;
            }
            Done::Release => self.task_state = Task::Released,
            Done::Tell => self.telling = false,
            Done::Nothing => {}
        }
    }

    /// Whether there's anything to tell of.
    fn has_event(&self) -> bool {
        !self.waiting.is_empty()
            || self.wanted_news && !self.completed
            || self.stage == Stage::Pending && self.outcome.is_some()
    }

    /// Whether there's something that headers come before.
    pub(super) fn is_behind_headers(&self) -> bool {
        !self.waiting.is_empty() || self.stage == Stage::Pending && self.outcome.is_some()
    }

    /// What there is to tell of, in order: headers with what they come before, items, what may be sent, and at last how it ended.
    pub(super) fn take_event(&mut self, op: Op) -> Option<Event> {
        let kind = if self.headers.len() != 0 && self.is_behind_headers() {
            EventKind::Headers {
                headers: Answer::of_vec(self.headers.take()),
            }
        } else if !self.waiting.is_empty() {
            let OwnedBatch {
                count,
                flags,
                bytes,
                objects,
            } = self.waiting.take();
            EventKind::Items {
                count,
                flags,
                bytes,
                objects,
            }
        } else if !matches!(self.delivery, Delivery::Task(_))
            && std::mem::take(&mut self.wanted_news)
            && !self.completed
        {
            EventKind::demand(self.wanted)
        } else if self.stage == Stage::Pending
            && let Some(outcome) = self.outcome.take()
        {
            self.told = true;
            EventKind::Done {
                status: outcome.status,
                response: Answer(outcome.payload),
                trailers: Answer(outcome.trailers),
                objects: outcome.objects,
            }
        } else {
            return None;
        };
        Some(Event {
            op,
            user_data: self.user_data,
            instance: self.instance,
            kind,
        })
    }

    /// Whether nobody has anything to do with it any more, so that its node may be another's.
    pub(super) fn is_over(&self) -> bool {
        self.stage == Stage::Pending
            && self.task_state == Task::Released
            && self.told
            && !self.linked
            && !self.telling
            && !self.pushing
            && self.inside == 0
    }
}
