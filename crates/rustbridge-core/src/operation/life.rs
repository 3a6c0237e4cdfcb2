//! The life of an operation: begun, pending, completed, told, released; and what each side may do meanwhile.
//!
//! ```text
//!           start answers a status                                   ┌─ told: fetched, called back, or detached
//! begun ──────────────────────────────► over                        │
//!   │ start answers RB_PENDING            completed ────────────────┤                       ──► over
//!   └──────────────► pending ────────────►  (once)                  └─ released: when no function of the task is inside
//! ```
//!
//! No lock is held over foreign code: whoever changes a life then does what it asks for, one thing after the other, in [`run`].

use std::ffi::c_void;
use std::sync::MutexGuard;
use std::sync::atomic::Ordering;
use std::task::Waker;
use std::thread;
use std::time::Instant;

use rustbridge_abi::{
    AsyncExtension, Batch, Op, RB_CANCELLED, RB_FAILED_PRECONDITION, RB_INVALID_ARGUMENT, RB_OK,
    RB_RESOURCE_EXHAUSTED, Reply, Response, Status, StatusCode,
};

use super::event::{Answer, Event, EventKind};
use super::flow::{Credit, Items, Taken, Waiting};
use super::node::{self, Missing, Node};
use super::payload::Payload;
use super::pending;
use super::queue::Queue;
use crate::error::Error;
use crate::handle::table::Handle;

/// Whom an operation's events go to.
pub(crate) enum Teller {
    /// Nobody: it was detached, or is a call that blocks.
    Nobody,
    /// A queue.
    Queue(&'static Queue, u64),
    /// A task of a host in Rust, which looks for itself.
    Waker(Option<Waker>),
    /// A function, on the thread on which it happens.
    Function(Callback),
}

/// A function that is told of events, one at a time, on whatever thread they happen.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    pub(crate) tell: unsafe fn(data: *mut c_void, event: Event),
    pub(crate) data: *mut c_void,
    /// Runs something with the thread marked as inside an instance.
    pub(crate) within: fn(instance: Handle, entry: u32, work: &mut dyn FnMut()),
}

// SAFETY: whoever registers one says that it's for any thread.
unsafe impl Send for Callback {}

/// How an operation has ended.
struct Outcome {
    status: StatusCode,
    payload: Payload,
    trailers: Payload,
    /// The plugin's addresses of objects.
    objects: Payload,
}

impl Outcome {
    fn of_error(error: &Error) -> Outcome {
        Outcome {
            status: error.status().code(),
            payload: Payload::of_vec(error.to_json().into_bytes()),
            trailers: Payload::EMPTY,
            objects: Payload::EMPTY,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// `start` hasn't returned.
    Begun,
    /// `start` has answered that it's pending.
    Pending,
    /// A call that blocks: it has no task, and ends when the call returns.
    Blocking,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Some function of it may be called.
    Ours,
    /// `release` runs.
    Releasing,
    Released,
}

/// What wakes a plugin's thread that waits in a call.
struct Wake {
    wake: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
}

/// An operation, as its node has it.
pub(crate) struct Life {
    pub(crate) instance: Handle,
    pub(crate) entry: u32,
    pub(crate) user_data: u64,
    /// When its time is over, for what it calls in turn.
    pub(crate) deadline: Option<Instant>,
    plugin: Option<&'static AsyncExtension>,
    task: *mut c_void,
    stage: Stage,
    task_state: Task,
    /// How many of the task's functions run.
    inside: u32,
    /// The status with which it's to end early, and whether the plugin was told.
    cancel: Option<StatusCode>,
    cancel_told: bool,
    outcome: Option<Outcome>,
    completed: bool,
    teller: Teller,
    /// Its end was told, or nobody wants to know.
    told: bool,
    /// Its number is in its queue.
    linked: bool,
    /// Its function is being told of something.
    telling: bool,
    /// It has a stream, in either direction.
    pub(crate) streams: bool,
    // From the plugin to its consumer.
    credit: Credit,
    waiting: Waiting,
    more: (u64, u64),
    demanding: bool,
    // From the caller to the plugin.
    wanted: Credit,
    wanted_news: bool,
    pushing: bool,
    pushed_end: bool,
    wake: Option<Wake>,
    waking: bool,
}

// SAFETY: the task is the plugin's, whose functions are for any thread, and so is what it's woken by.
unsafe impl Send for Life {}

/// What an operation begins with.
pub(crate) struct Begin {
    pub(crate) instance: Handle,
    pub(crate) entry: u32,
    pub(crate) plugin: Option<&'static AsyncExtension>,
    pub(crate) teller: Teller,
    pub(crate) user_data: u64,
    pub(crate) deadline: Option<Instant>,
    /// How many items, and bytes, its consumer takes at first.
    pub(crate) demand: (u64, u64),
    pub(crate) blocking: bool,
    /// Whether it has a stream, in either direction.
    pub(crate) streams: bool,
}

impl Life {
    pub(crate) fn new() -> Life {
        Life {
            instance: 0,
            entry: 0,
            user_data: 0,
            deadline: None,
            plugin: None,
            task: std::ptr::null_mut(),
            stage: Stage::Begun,
            task_state: Task::Ours,
            inside: 0,
            cancel: None,
            cancel_told: false,
            outcome: None,
            completed: false,
            teller: Teller::Nobody,
            told: false,
            linked: false,
            telling: false,
            streams: false,
            credit: Credit::default(),
            waiting: Waiting::default(),
            more: (0, 0),
            demanding: false,
            wanted: Credit::default(),
            wanted_news: false,
            pushing: false,
            pushed_end: false,
            wake: None,
            waking: false,
        }
    }

    /// Back to what a node has that nobody uses.
    pub(crate) fn reset(&mut self) {
        *self = Life::new();
    }

    /// Whether it is one of this instance's that has a task, for reports.
    pub(crate) fn is_pending_in(&self, instance: Handle) -> bool {
        self.instance == instance && self.task_state != Task::Released
    }
}

/// Begins an operation: it has a number, and counts as running in its instance. The calling thread is inside the instance.
pub(crate) fn begin(begin: Begin) -> Result<(&'static Node, Op), Error> {
    let (node, op) = node::take()?;
    pending::add(begin.instance);
    let mut life = node.lock();
    life.instance = begin.instance;
    life.entry = begin.entry;
    life.user_data = begin.user_data;
    life.deadline = begin.deadline;
    life.plugin = begin.plugin;
    life.teller = begin.teller;
    life.more = begin.demand;
    life.streams = begin.streams;
    life.credit.add(begin.demand.0, begin.demand.1);
    life.stage = if begin.blocking {
        Stage::Blocking
    } else {
        Stage::Begun
    };
    drop(life);
    node.open(op);
    Ok((node, op))
}

/// The operation has ended with what `start`, or the call, answered. What the plugin may have completed it with is given up.
pub(crate) fn ended_at_once(node: &'static Node) {
    let mut life = node.lock();
    let instance = life.instance;
    // Whoever wakes is waited for: what it's given may be on the stack of who is about to return.
    while life.waking {
        drop(life);
        thread::yield_now();
        life = node.lock();
    }
    let outcome = life.outcome.take();
    node.give_back(life);
    drop(outcome);
    pending::remove(instance);
}

/// `start` has answered that it's pending, with this task.
pub(crate) fn started(node: &'static Node, task: *mut c_void) {
    let mut life = node.lock();
    life.task = task;
    life.stage = Stage::Pending;
    run(node, life);
}

/// What a life asks for, to be done without its lock.
enum Act {
    Cancel(StatusCode),
    Demand(u64, u64),
    Release,
    Tell(Callback, Event),
    Ring(&'static Queue, u64),
    Wake(Waker),
}

/// Does what a life asks for, until it asks for nothing.
fn run(node: &'static Node, mut life: MutexGuard<'static, Life>) {
    let op = node.op();
    loop {
        let Some(act) = life.next_act(op) else {
            if life.is_over() {
                node.give_back(life);
            }
            return;
        };
        let (plugin, task) = (life.plugin, life.task);
        let (instance, entry) = (life.instance, life.entry);
        drop(life);
        // SAFETY: the table is the plugin's, and the task one that it gave and that isn't released: a release waits for what is
        // inside, by `next_act`.
        unsafe {
            match &act {
                Act::Cancel(reason) => {
                    if let Some(cancel) = plugin.and_then(|plugin| plugin.cancel) {
                        cancel(task, *reason);
                    }
                }
                Act::Demand(items, bytes) => {
                    if let Some(demand) = plugin.and_then(|plugin| plugin.demand) {
                        demand(task, *items, *bytes);
                    }
                }
                Act::Release => {
                    if let Some(release) = plugin.and_then(|plugin| plugin.release) {
                        release(task);
                    }
                }
                _ => {}
            }
        }
        let done = match act {
            Act::Cancel(_) => Done::Cancel,
            Act::Demand(..) => Done::Demand,
            Act::Release => Done::Release,
            Act::Tell(callback, event) => {
                let mut event = Some(event);
                (callback.within)(instance, entry, &mut || {
                    if let Some(event) = event.take() {
                        // SAFETY: whoever registered the function promised so.
                        unsafe { (callback.tell)(callback.data, event) };
                    }
                });
                Done::Tell
            }
            Act::Ring(queue, number) => {
                queue.push(number, op);
                Done::Nothing
            }
            Act::Wake(waker) => {
                waker.wake();
                Done::Nothing
            }
        };
        if matches!(done, Done::Release) {
            // The node is still ours: only who finds it released and told gives it back.
            pending::remove(instance);
        }
        // What was told of an operation that is over may have had it fetched, and its node be another's by now.
        if matches!(done, Done::Nothing) {
            match node::find(op) {
                Ok((_, found)) => life = found,
                Err(_) => return,
            }
        } else {
            life = node.lock();
            life.has_done(&done);
        }
    }
}

enum Done {
    Cancel,
    Demand,
    Release,
    Tell,
    Nothing,
}

impl Life {
    fn next_act(&mut self, op: Op) -> Option<Act> {
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
        if let Some(act) = self.news(op) {
            return Some(act);
        }
        if self.completed && self.inside == 0 && self.task_state == Task::Ours {
            self.task_state = Task::Releasing;
            return Some(Act::Release);
        }
        None
    }

    /// How the one who is told gets to know of what there is.
    fn news(&mut self, op: Op) -> Option<Act> {
        let has_news =
            !self.told && (!self.waiting.is_empty() || self.wanted_news || self.outcome.is_some());
        if !has_news {
            return None;
        }
        match &mut self.teller {
            Teller::Nobody => None,
            Teller::Queue(queue, number) => {
                if self.linked {
                    return None;
                }
                self.linked = true;
                Some(Act::Ring(queue, *number))
            }
            Teller::Waker(waker) => waker.take().map(Act::Wake),
            Teller::Function(callback) => {
                let callback = *callback;
                // One event at a time, in order, whoever's thread it is.
                if self.telling {
                    return None;
                }
                let event = self.take_event(op)?;
                self.telling = true;
                Some(Act::Tell(callback, event))
            }
        }
    }

    fn has_done(&mut self, done: &Done) {
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

    /// What there is to tell of, in order: items, what may be sent, and at last how it ended.
    fn take_event(&mut self, op: Op) -> Option<Event> {
        let kind = if !self.waiting.is_empty() {
            let Taken {
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
        } else if std::mem::take(&mut self.wanted_news) && !self.completed {
            EventKind::demand(self.wanted)
        } else if self.stage == Stage::Pending
            && let Some(outcome) = self.outcome.take()
        {
            self.told = true;
            EventKind::Done {
                status: outcome.status,
                response: Answer(outcome.payload),
                trailers: Answer(outcome.trailers),
                objects: Answer(outcome.objects),
            }
        } else {
            return None;
        };
        Some(Event {
            op,
            user_data: self.user_data,
            kind,
        })
    }

    fn is_over(&self) -> bool {
        self.stage == Stage::Pending
            && self.task_state == Task::Released
            && self.told
            && !self.linked
            && !self.telling
            && !self.pushing
    }
}

// ---- What the plugin does ----

/// Completes an operation. What is handed over is ours whatever comes of it.
///
/// # Safety
/// The response and the reply are null or a plugin's, as [`rustbridge_abi::AsyncHost::complete`] says.
pub(crate) unsafe fn complete(
    op: Op,
    status: StatusCode,
    response: *mut Response,
    reply: *mut Reply,
    whose: impl FnOnce() -> String,
) -> Result<Handle, Missing> {
    // SAFETY: the caller's promise.
    let (payload, trailers, objects) = unsafe {
        (
            take(response),
            take_of(reply, |reply| &raw mut (*reply).trailers),
            take_of(reply, |reply| &raw mut (*reply).objects),
        )
    };
    let outcome = match (payload, trailers, objects) {
        (Ok(payload), Ok(trailers), Ok(objects)) if objects.len().is_multiple_of(8) => Outcome {
            status,
            payload,
            trailers,
            objects,
        },
        (Err(broken), _, _) | (_, Err(broken), _) | (_, _, Err(broken)) => Outcome::of_error(
            &crate::response::Offer::NOTHING.broken("response", &broken, &whose()),
        ),
        _ => Outcome::of_error(&Error::new(
            Status::Internal,
            "InvalidResponse",
            format!(
                "{} says that its answer has objects of other than 8 bytes each",
                whose()
            ),
        )),
    };
    let (node, mut life) = node::find(op)?;
    if life.completed || life.stage == Stage::Blocking {
        drop(life);
        drop(outcome);
        return Err(Missing::Unknown);
    }
    life.completed = true;
    let instance = life.instance;
    let unwanted = if matches!(life.teller, Teller::Nobody) {
        life.told = true;
        life.waiting = Waiting::default();
        Some(outcome)
    } else {
        life.outcome = Some(outcome);
        None
    };
    run(node, life);
    drop(unwanted);
    Ok(instance)
}

unsafe fn take(response: *mut Response) -> Result<Payload, Response> {
    // SAFETY: the caller's promise.
    match unsafe { response.as_mut() } {
        // SAFETY: as above.
        Some(response) => unsafe { Payload::take(response) },
        None => Ok(Payload::EMPTY),
    }
}

unsafe fn take_of(
    reply: *mut Reply,
    part: impl FnOnce(*mut Reply) -> *mut Response,
) -> Result<Payload, Response> {
    if reply.is_null() {
        return Ok(Payload::EMPTY);
    }
    // SAFETY: not null, and the caller's promise.
    unsafe { take(part(reply)) }
}

/// Takes items of an operation's stream.
///
/// # Safety
/// As for [`Items::of`].
pub(crate) unsafe fn emit(op: Op, batch: &Batch) -> StatusCode {
    // SAFETY: the caller's promise.
    let Ok(items) = (unsafe { Items::of(batch) }) else {
        return RB_INVALID_ARGUMENT;
    };
    let (node, mut life) = match node::find(op) {
        Ok(found) => found,
        Err(missing) => return missing.error(op).status().code(),
    };
    if life.completed || life.stage == Stage::Blocking {
        return RB_FAILED_PRECONDITION;
    }
    if life.cancel.is_some() || matches!(life.teller, Teller::Nobody) {
        return RB_CANCELLED;
    }
    let mut credit = life.credit;
    if !credit.spend(&items) || !life.waiting.add(&items) {
        return RB_RESOURCE_EXHAUSTED;
    }
    life.credit = credit;
    // Inside `start` there's nobody yet who knows the operation.
    run(node, life);
    RB_OK
}

/// The plugin asks for items of its caller's stream.
pub(crate) fn want(op: Op, items: u64, bytes: u64) -> StatusCode {
    match node::find(op) {
        Ok((_, life)) if life.completed || life.stage == Stage::Blocking => RB_FAILED_PRECONDITION,
        Ok((_, life)) if life.cancel.is_some() => RB_CANCELLED,
        Ok((node, mut life)) => {
            life.wanted.add(items, bytes);
            life.wanted_news = true;
            run(node, life);
            RB_OK
        }
        Err(missing) => missing.error(op).status().code(),
    }
}

/// Sets what is called when the operation is to end early, or takes it back; then the one before doesn't run and won't.
///
/// # Safety
/// `wake` may be called with `data`, from any thread, until it's replaced.
pub(crate) unsafe fn on_cancel(
    op: Op,
    wake: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> StatusCode {
    let (node, mut life) = match node::find(op) {
        Ok(found) => found,
        Err(missing) => return missing.error(op).status().code(),
    };
    while life.waking {
        drop(life);
        thread::yield_now();
        match node::find(op) {
            Ok((_, found)) => life = found,
            Err(missing) => return missing.error(op).status().code(),
        }
    }
    life.wake = wake.map(|wake| Wake { wake, data });
    if life.cancel.is_some() {
        drop(call_wake(node, life));
    }
    RB_OK
}

/// Calls what is to be woken, and gives the life back.
fn call_wake(
    node: &'static Node,
    mut life: MutexGuard<'static, Life>,
) -> MutexGuard<'static, Life> {
    let Some(Wake { wake, data }) = life.wake.take() else {
        return life;
    };
    life.waking = true;
    drop(life);
    // SAFETY: by the promise of `on_cancel`, which waits while this is said to run.
    unsafe { wake(data) };
    let mut life = node.lock();
    life.waking = false;
    life
}

// ---- What the host does ----

/// Why an operation that there is can't do what it's asked to.
fn over(op: Op) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "OperationOver",
        format!("operation {op:#x} has ended: what it answered is on its way, or taken"),
    )
}

/// Asks an operation to end early, with a status that says why.
pub(crate) fn cancel(op: Op, reason: StatusCode) -> Result<(), Error> {
    let (node, life) = node::find(op).map_err(|missing| missing.error(op))?;
    if life.completed {
        return Err(over(op));
    }
    cancel_found(node, life, reason);
    Ok(())
}

fn cancel_found(node: &'static Node, mut life: MutexGuard<'static, Life>, reason: StatusCode) {
    if life.cancel.is_none() {
        life.cancel = Some(reason);
        node.cancelled.store(1, Ordering::Release);
        life = call_wake(node, life);
    }
    run(node, life);
}

/// Cancels every operation of an instance; of those with a stream only, if so asked.
pub(crate) fn cancel_all(instance: Handle, reason: StatusCode, which: impl Fn(&Life) -> bool) {
    node::for_each(|_, node, life| {
        if life.instance == instance && !life.completed && which(&life) {
            cancel_found(node, life, reason);
        }
    });
}

/// The host doesn't care for an operation any more: it's cancelled, and what still comes is swallowed.
pub(crate) fn detach(op: Op) -> Result<(), Error> {
    let (node, life) = node::find(op).map_err(|missing| missing.error(op))?;
    if life.told {
        return Err(over(op));
    }
    detach_found(node, life);
    Ok(())
}

fn detach_found(node: &'static Node, mut life: MutexGuard<'static, Life>) {
    let outcome = life.outcome.take();
    let waiting = std::mem::take(&mut life.waiting);
    life.teller = Teller::Nobody;
    // A queue that finds its number finds nothing.
    life.linked = false;
    if life.completed {
        life.told = true;
        run(node, life);
    } else {
        cancel_found(node, life, RB_CANCELLED);
    }
    drop((outcome, waiting));
}

/// Detaches all operations whose events go to this queue.
pub(crate) fn detach_all(number: u64) {
    node::for_each(|_, node, life| {
        if matches!(&life.teller, Teller::Queue(_, to) if *to == number) && !life.told {
            detach_found(node, life);
        }
    });
}

/// The consumer takes so many items and bytes more.
pub(crate) fn demand(op: Op, items: u64, bytes: u64) -> Result<(), Error> {
    let (node, mut life) = node::find(op).map_err(|missing| missing.error(op))?;
    if life.completed {
        // What has been sent is on its way; nothing more will be.
        return Ok(());
    }
    life.credit.add(items, bytes);
    life.more.0 = life.more.0.saturating_add(items);
    life.more.1 = life.more.1.saturating_add(bytes);
    run(node, life);
    Ok(())
}

/// Sends items to the plugin, within what it has asked for.
///
/// # Safety
/// As for [`Items::of`].
pub(crate) unsafe fn write(op: Op, batch: &Batch) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let items = unsafe { Items::of(batch) }.map_err(|problem| {
        Error::new(
            Status::InvalidArgument,
            "InvalidBatch",
            format!("the batch can't be read: {problem}"),
        )
    })?;
    let (node, mut life) = node::find(op).map_err(|missing| missing.error(op))?;
    check_sendable(op, &life)?;
    let Some(push) = life.plugin.and_then(|plugin| plugin.push) else {
        return Err(takes_none(op));
    };
    let mut wanted = life.wanted;
    if !wanted.spend(&items) {
        return Err(Error::new(
            Status::ResourceExhausted,
            "NoDemand",
            format!(
                "operation {op:#x} takes {} items and {} bytes more, and these are {} items of {} bytes: wait for the event that says it takes more",
                life.wanted.items,
                life.wanted.bytes.max(0),
                items.count,
                items.len(),
            ),
        ));
    }
    life.wanted = wanted;
    life.pushing = true;
    life.inside += 1;
    let task = life.task;
    drop(life);
    // SAFETY: the task isn't released while we are inside, and the batch is borrowed until this returns.
    unsafe { push(task, batch) };
    pushed(node);
    Ok(())
}

/// Says that no more items come: all is said with `RB_OK`, otherwise why not.
pub(crate) fn end(op: Op, status: StatusCode, payload: &[u8]) -> Result<(), Error> {
    let (node, mut life) = node::find(op).map_err(|missing| missing.error(op))?;
    check_sendable(op, &life)?;
    let Some(push_end) = life.plugin.and_then(|plugin| plugin.push_end) else {
        return Err(takes_none(op));
    };
    life.pushed_end = true;
    life.pushing = true;
    life.inside += 1;
    let task = life.task;
    drop(life);
    // SAFETY: as in `write`.
    unsafe { push_end(task, status, payload.as_ptr(), payload.len()) };
    pushed(node);
    Ok(())
}

fn pushed(node: &'static Node) {
    let mut life = node.lock();
    life.pushing = false;
    life.inside -= 1;
    run(node, life);
}

fn check_sendable(op: Op, life: &Life) -> Result<(), Error> {
    if life.completed || life.stage != Stage::Pending {
        return Err(over(op));
    }
    if life.pushed_end {
        return Err(Error::new(
            Status::FailedPrecondition,
            "StreamEnded",
            format!("the stream into operation {op:#x} was ended before"),
        ));
    }
    if life.pushing {
        return Err(Error::new(
            Status::Aborted,
            "SentAtOnce",
            format!("another thread is sending to operation {op:#x}: send from one at a time"),
        ));
    }
    Ok(())
}

fn takes_none(op: Op) -> Error {
    Error::new(
        Status::Unimplemented,
        "NoStream",
        format!("operation {op:#x} takes no stream of items"),
    )
}

/// Looks for an event, for who watches the operation by a waker: what there is, or when to look again.
pub(crate) fn poll(op: Op, waker: &Waker) -> Result<Option<Event>, Error> {
    let (node, mut life) = node::find(op).map_err(|missing| missing.error(op))?;
    let event = life.take_event(op);
    if event.is_none()
        && let Teller::Waker(place) = &mut life.teller
        && !place.as_ref().is_some_and(|known| known.will_wake(waker))
    {
        let before = place.replace(waker.clone());
        drop(life);
        // Its destructor is the host's.
        drop(before);
        return Ok(None);
    }
    run(node, life);
    Ok(event)
}

/// Takes an event for a queue that found the operation's number: with what it's for, and whether there's more. Items and
/// answers beyond `room` bytes are left if they may be.
pub(crate) fn fetch(op: Op, may_take: impl FnOnce(usize) -> bool) -> Fetched {
    let Ok((node, mut life)) = node::find(op) else {
        return Fetched::Nothing;
    };
    if !life.linked {
        return Fetched::Nothing;
    }
    let size = if life.waiting.is_empty() {
        life.outcome
            .as_ref()
            .map_or(0, |outcome| outcome.payload.len())
    } else {
        life.waiting.len()
    };
    if !may_take(size) {
        return Fetched::TooLarge;
    }
    let event = life.take_event(op);
    let has_more =
        !life.told && (!life.waiting.is_empty() || life.wanted_news || life.outcome.is_some());
    life.linked = has_more;
    run(node, life);
    match event {
        Some(event) => Fetched::Event { event, has_more },
        None => Fetched::Nothing,
    }
}

/// What [`fetch`] found.
pub(crate) enum Fetched {
    /// It's over, or was detached.
    Nothing,
    /// It was left where it is.
    TooLarge,
    Event {
        event: Event,
        /// The number belongs at the front of the queue again.
        has_more: bool,
    },
}

/// The entries of an instance's operations that are pending, for reports.
pub(crate) fn pending_entries(instance: Handle) -> Vec<u32> {
    let mut entries = Vec::new();
    node::for_each(|_, _, life| {
        if life.is_pending_in(instance) {
            entries.push(life.entry);
        }
    });
    entries
}
