//! The state of an asynchronous call: which states it has, and what has to be done next in each of them.
//!
//! Two things happen to a call independently of each other, because a plugin may complete a call before `start` has returned:
//!
//! ```text
//! task         Starting ──────────► Running ─────────────────────────────► Releasing ──► Released
//!                 │      RB_PENDING            completed, nothing active
//!                 └──► over: `start` returned another status
//!
//! completion   Open ──► InProgress ──► Ready(result) ──► Delivered
//! ```
//!
//! A call is over when its task is released, its result delivered and nothing active. A synchronous call has neither: it's over when it returns.
//!
//! No lock is held while foreign code runs. The thread that changes a call's state then does what [`CallState::next_action`] says,
//! until there's nothing left to do: see `run`.

use std::ffi::c_void;
use std::task::Waker;
use std::time::Instant;

use rustbridge_abi::{AsyncExtension, Object, Op, RB_CANCELLED, StatusCode};

use super::borrowed::BorrowedObjects;
use super::cancellation::Cancellation;
use super::delivery::{Callback, Delivery};
use super::event::{Answer, Event, EventKind};
use super::flow::OwnedBatch;
use super::input_stream::InputStream;
use super::output_stream::OutputStream;
use super::payload::Payload;
use super::queue::Queue;
use super::timer::TimerHandle;
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;
use crate::registry::table::Handle;

/// The node of a call.
pub(crate) type Node = super::node::Node<CallState>;

/// The state of a call whose lock is held.
pub(super) type Locked = super::node::LockedState<'static, CallState>;

/// What doesn't change during a call.
#[derive(Clone, Copy, Default)]
pub(crate) struct CallInfo {
    pub(crate) instance: Handle,
    pub(crate) entry: u32,
    pub(crate) user_data: u64,
    /// For calls that the plugin makes during this one.
    pub(crate) deadline: Option<Instant>,
    /// The host's own number for the call, or 0.
    pub(crate) host_number: Op,
    pub(crate) plugin: Option<&'static AsyncExtension>,
    /// For a client whose types differ from the plugin's: the conversions.
    pub(crate) resolved: Option<&'static ResolvedMethod>,
}

/// What a call is opened with.
pub(crate) struct NewCall {
    pub(crate) info: CallInfo,
    pub(crate) delivery: Delivery,
    pub(crate) is_synchronous: bool,
    /// If the method returns a stream: the initial demand, in items and bytes.
    pub(crate) output: Option<(u64, u64)>,
    /// Whether the method accepts a stream.
    pub(crate) input: bool,
    /// Whether the caller accepts headers.
    pub(crate) headers: bool,
}

impl NewCall {
    /// A synchronous call that other threads can cancel.
    pub(crate) fn synchronous(info: CallInfo) -> NewCall {
        NewCall {
            info,
            delivery: Delivery::Discard,
            is_synchronous: true,
            output: None,
            input: false,
            headers: false,
        }
    }
}

/// The plugin's task, for which `start` returned `RB_PENDING`.
#[derive(Clone, Copy, Default)]
pub(super) enum Task {
    /// `start` hasn't returned.
    #[default]
    Starting,
    /// There's none: the call is synchronous.
    Synchronous,
    /// The plugin's functions may be called with it.
    Running(*mut c_void),
    /// The plugin's `release` runs.
    Releasing,
    Released,
}

/// How far the result of a call is.
#[derive(Default)]
#[expect(
    clippy::large_enum_variant,
    reason = "it's kept in a node, and a short response needs no allocation"
)]
pub(super) enum Completion {
    /// The plugin hasn't completed the call.
    #[default]
    Open,
    /// A thread is completing it, without the lock.
    InProgress,
    /// Completed. The result wasn't delivered yet.
    Ready(Outcome),
    /// Completed, and the result was received or discarded. No event follows.
    Delivered,
}

impl Completion {
    pub(super) fn is_complete(&self) -> bool {
        matches!(self, Completion::Ready(_) | Completion::Delivered)
    }

    fn is_ready(&self) -> bool {
        matches!(self, Completion::Ready(_))
    }

    pub(super) fn is_delivered(&self) -> bool {
        matches!(self, Completion::Delivered)
    }

    /// The result, if it's ready. It counts as delivered from now on.
    pub(super) fn deliver(&mut self) -> Option<Outcome> {
        if !self.is_ready() {
            return None;
        }
        match std::mem::replace(self, Completion::Delivered) {
            Completion::Ready(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// The result of a call.
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

/// The state of a call. Its node contains it, and locks it.
#[derive(Default)]
pub(crate) struct CallState {
    pub(crate) info: CallInfo,
    pub(super) task: Task,
    pub(super) completion: Completion,
    /// How many foreign functions run for this call now, without the lock. Until they have returned, the task isn't released and
    /// the node isn't used for another call.
    pub(super) active: u32,
    pub(super) cancellation: Cancellation,
    pub(super) delivery: Delivery,
    pub(super) output: OutputStream,
    pub(super) input: InputStream,
    pub(super) borrowed: BorrowedObjects,
    /// Cancels the call at its deadline, if the plugin doesn't watch that itself.
    pub(super) timer: Option<TimerHandle>,
}

// SAFETY: the task and the hook belong to the plugin, whose functions may run on any thread.
unsafe impl Send for CallState {}

/// What has to be done next, with the lock released.
pub(super) enum Action {
    /// Call the plugin's `cancel`.
    Cancel(*mut c_void, StatusCode),
    /// Call the plugin's `demand`, with items and bytes.
    Demand(*mut c_void, (u64, u64)),
    /// Call the plugin's `release`.
    Release(*mut c_void),
    /// Call the host's function with what [`CallState::take_event`] returns.
    Callback(Callback),
    /// Put the call's ID into the completion queue.
    Enqueue(&'static Queue, u64),
    /// Wake the host's task.
    Wake(Waker),
}

impl CallState {
    /// Whether the call has a stream, in either direction.
    pub(crate) fn has_stream(&self) -> bool {
        self.output.exists || self.input.exists
    }

    /// Whether it's a pending call of this instance, for reports. A synchronous call is reported as running.
    pub(crate) fn is_pending_in(&self, instance: Handle) -> bool {
        self.info.instance == instance && !matches!(self.task, Task::Synchronous | Task::Released)
    }

    /// Whether the task is released or about to be: from now on the call may stop keeping its instance open at any time.
    pub(super) fn is_released(&self) -> bool {
        matches!(self.task, Task::Releasing | Task::Released)
    }

    /// Whether the plugin may complete the call.
    pub(super) fn is_completable(&self) -> bool {
        matches!(self.completion, Completion::Open) && !matches!(self.task, Task::Synchronous)
    }

    /// Whether items are discarded.
    pub(super) fn discards_items(&self) -> bool {
        self.completion.is_complete()
            || self.cancellation.reason().is_some()
            || self.delivery.is_discard()
    }

    /// The status with which a plugin's items are refused if they're discarded: the reason why the call was cancelled, with which the
    /// plugin completes it. The plugin may not have been told yet.
    pub(super) fn discard_status(&self) -> Option<StatusCode> {
        self.discards_items()
            .then(|| self.cancellation.reason().unwrap_or(RB_CANCELLED))
    }

    /// Whether the call has ended on both sides, so that its node can be used for another one.
    ///
    /// A queue may still contain the ID of an abandoned call, and finds nothing by it. Callbacks and sends count as active.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.task, Task::Released) && self.completion.is_delivered() && self.active == 0
    }

    /// What has to be done next, if anything. The caller does it without the lock, and then asks again.
    pub(super) fn next_action(&mut self) -> Option<Action> {
        let task = match self.task {
            Task::Starting | Task::Synchronous => return None,
            Task::Running(task) => Some(task),
            Task::Releasing | Task::Released => None,
        };
        if let Some(task) = task
            && !self.completion.is_complete()
        {
            if let Some(reason) = self.cancellation.forward() {
                return Some(Action::Cancel(task, reason));
            }
            if self.cancellation.reason().is_none()
                && let Some(demand) = self.output.next_demand()
            {
                return Some(Action::Demand(task, demand));
            }
        }
        if let Some(action) = self.next_delivery() {
            return Some(action);
        }
        // Not while a callback runs, so that closing the instance waits for it.
        if let Some(task) = task
            && self.completion.is_complete()
            && self.active == 0
        {
            self.task = Task::Releasing;
            return Some(Action::Release(task));
        }
        None
    }

    /// How the caller learns about the events that there are.
    fn next_delivery(&mut self) -> Option<Action> {
        let is_for_receiver = !self.output.queued.is_empty() || self.completion.is_ready();
        if self.completion.is_delivered() || !(is_for_receiver || self.input.has_news) {
            return None;
        }
        match &mut self.delivery {
            Delivery::Discard => None,
            Delivery::Queue {
                is_listed: true, ..
            } => None,
            Delivery::Queue {
                queue,
                number,
                is_listed,
            } => {
                *is_listed = true;
                Some(Action::Enqueue(queue, *number))
            }
            Delivery::Tasks(wakers) => {
                // There's no event about credit for a task: the sender looks at the credit itself.
                let is_for_sender =
                    std::mem::take(&mut self.input.has_news) || self.completion.is_ready();
                let sender = wakers.sender.take_if(|_| is_for_sender);
                sender
                    .or_else(|| wakers.receiver.take_if(|_| is_for_receiver))
                    .map(Action::Wake)
            }
            Delivery::Callback {
                is_running: true, ..
            } => None,
            Delivery::Callback {
                callback,
                is_running,
            } => {
                *is_running = true;
                Some(Action::Callback(*callback))
            }
        }
    }

    /// Whether the call has started, so that its result is delivered as an event: otherwise `start` returns it.
    fn has_started(&self) -> bool {
        !matches!(self.task, Task::Starting | Task::Synchronous)
    }

    /// How many bytes of headers have to be delivered before the next event.
    pub(super) fn due_headers(&self) -> usize {
        let is_behind =
            !self.output.queued.is_empty() || self.has_started() && self.completion.is_ready();
        if is_behind {
            self.output.headers.len()
        } else {
            0
        }
    }

    /// How many bytes the payload of the next event has.
    pub(super) fn next_event_size(&self) -> usize {
        let headers = self.due_headers();
        if headers != 0 {
            return headers;
        }
        match &self.completion {
            Completion::Ready(outcome) if self.output.queued.is_empty() => outcome.payload.len(),
            _ => self.output.queued.len(),
        }
    }

    /// Whether there are further events for a completion queue.
    pub(super) fn has_more_events(&self) -> bool {
        !self.completion.is_delivered()
            && (!self.output.queued.is_empty() || self.input.has_news || self.completion.is_ready())
    }

    /// Takes the next event: headers that precede something, items, demand, and finally the result.
    pub(super) fn take_event(&mut self, op: Op) -> Option<Event> {
        let kind = if self.due_headers() != 0 {
            EventKind::Headers {
                headers: Answer::of_vec(self.output.headers.take()),
            }
        } else if !self.output.queued.is_empty() {
            let OwnedBatch {
                count,
                flags,
                bytes,
                objects,
            } = self.output.queued.take();
            EventKind::Items {
                count,
                flags,
                bytes,
                objects,
            }
        } else if !matches!(self.delivery, Delivery::Tasks(_))
            && std::mem::take(&mut self.input.has_news)
            && !self.completion.is_complete()
        {
            EventKind::demand(self.input.credit)
        } else if self.has_started()
            && let Some(outcome) = self.completion.deliver()
        {
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
            user_data: self.info.user_data,
            instance: self.info.instance,
            kind,
        })
    }
}
