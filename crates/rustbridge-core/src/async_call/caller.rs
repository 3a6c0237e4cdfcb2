//! What a host does with its operations: ends them early, gives them up, asks for items and sends some, and fetches what they
//! tell of.

use std::task::Waker;
use std::time::Instant;

use rustbridge_abi::{Batch, Object, Op, RB_CANCELLED, RB_DEADLINE_EXCEEDED, Status, StatusCode};

use super::atomics::Ordering;
use super::call_state::{CallState, Delivery, Node, Stage, Watchers};
use super::event::{Event, FetchResult};
use super::flow::{Credit, Items};
use super::message_resolution::ConvertedBatch;
use super::node::LockedState;
use super::node::NoSuchCall;
use super::node_pool;
use super::run::{run, unguarded, wake_and_run};
use super::timer;
use super::waiters;
use crate::error::Error;
use crate::registry::table::Handle;

/// Why an operation that there is can't do what it's asked to.
fn over(op: Op) -> Error {
    NoSuchCall::Ended.error(op)
}

/// Asks an operation to end early, with a status that says why. What was emitted is told all the same.
pub(crate) fn cancel(op: Op, reason: StatusCode) -> Result<(), Error> {
    let (node, life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    if life.completed {
        return Err(over(op));
    }
    cancel_found(node, life, reason);
    Ok(())
}

/// Has an operation be cancelled when its time is over, unless it has ended by then: for one whose plugin doesn't do so itself.
pub(crate) fn cancel_at(op: Op, deadline: Instant) {
    let armed = timer::at(
        deadline,
        |op| {
            // One that has ended needs nothing.
            let _ = cancel(op, RB_DEADLINE_EXCEEDED);
        },
        op,
    );
    // It's known to nobody else yet.
    if let Ok((_, mut life)) = node_pool::find_call(op) {
        life.timer = armed;
    }
}

/// Whether an operation that isn't over is to end early.
pub(crate) fn is_cancelled(op: Op) -> bool {
    node_pool::find_call(op).is_ok_and(|(_, life)| life.cancel.is_some())
}

/// As [`cancel`], for a consumer that takes no more: what waits to be fetched is discarded. Gives objects as [`detach`] does.
pub(crate) fn cancel_and_discard(op: Op) -> Result<Vec<Object>, Error> {
    let (node, mut life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    if life.completed {
        return Err(over(op));
    }
    let waiting = std::mem::take(&mut life.waiting);
    cancel_found(node, life, RB_CANCELLED);
    Ok(waiting.into_objects())
}

fn cancel_found(
    node: &'static Node,
    mut life: LockedState<'static, CallState>,
    reason: StatusCode,
) {
    if life.cancel.is_some() {
        return run(node, life);
    }
    life.cancel = Some(reason);
    node.cancelled
        .store(reason.unsigned_abs().max(1), Ordering::Release);
    // Who waits until it may send waits no more.
    life.wanted_news |= matches!(life.delivery, Delivery::Task(_));
    if waiters::are_there() {
        // Before the plugin hears of it, which may wait for the thread that waits.
        let op = node.op();
        drop(life);
        waiters::wake(op);
        match node_pool::find_call(op) {
            Ok((_, again)) => life = again,
            Err(_) => return,
        }
        if life.completed {
            // Meanwhile: its task may have been released, and what wakes it with it.
            return run(node, life);
        }
    }
    wake_and_run(node, life);
}

/// Cancels every operation of an instance; of those with a stream only, if so asked.
pub(crate) fn cancel_all(instance: Handle, reason: StatusCode, which: impl Fn(&CallState) -> bool) {
    node_pool::for_each(|_, node, life| {
        if life.instance == instance && !life.completed && which(&life) {
            cancel_found(node, life, reason);
        }
    });
}

/// The host doesn't care for an operation any more: it's cancelled, and what still comes is swallowed.
///
/// Gives the objects that came with what is given up, to be released by one who is inside their instance.
pub(crate) fn detach(op: Op) -> Result<Vec<Object>, Error> {
    let (node, life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    if life.told {
        return Err(over(op));
    }
    Ok(detach_found(node, life))
}

fn detach_found(node: &'static Node, mut life: LockedState<'static, CallState>) -> Vec<Object> {
    let outcome = life.outcome.take();
    let waiting = std::mem::take(&mut life.waiting);
    let delivery = std::mem::replace(&mut life.delivery, Delivery::Nobody);
    // A queue that finds its number finds nothing.
    life.linked = false;
    if life.completed {
        life.told = true;
        run(node, life);
    } else {
        cancel_found(node, life, RB_CANCELLED);
    }
    // Without the lock: an answer is the plugin's to free, and a waker the host's.
    if let Delivery::Task(Watchers { answer, demand }) = delivery {
        drop(answer);
        // Who waits until it may send waits no more.
        if let Some(sender) = demand {
            unguarded(|| sender.wake());
        }
    }
    let mut objects = waiting.into_objects();
    if let Some(outcome) = outcome {
        objects.extend_from_slice(&outcome.objects);
    }
    objects
}

/// Detaches all operations whose events go to this queue. Gives objects as [`detach`] does.
pub(crate) fn detach_all(number: u64) -> Vec<Object> {
    let mut objects = Vec::new();
    node_pool::for_each(|_, node, life| {
        if matches!(&life.delivery, Delivery::Queue(_, to) if *to == number) && !life.told {
            objects.append(&mut detach_found(node, life));
        }
    });
    objects
}

/// The consumer takes so many items and bytes more.
///
/// Nothing is wrong if it's over: its end may be among the events that the consumer has fetched and not looked at.
pub(crate) fn demand(op: Op, items: u64, bytes: u64) -> Result<(), Error> {
    let (node, mut life) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(NoSuchCall::Unknown) if node_pool::was_issued(op) => return Ok(()),
        Err(missing) => return Err(missing.error(op)),
    };
    if life.completed {
        // What has been sent is on its way; nothing more will be.
        return Ok(());
    }
    if !life.gives {
        return Err(no_stream(op, "returns"));
    }
    let bytes = match &mut life.resolving {
        Some(resolving) => resolving.given.ask(bytes),
        None => bytes,
    };
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
    // A host's are numbers, and the plugin would take them for addresses.
    if !items.objects.is_empty() {
        return Err(Error::new(
            Status::InvalidArgument,
            "InvalidBatch",
            "the batch has objects, but items sent by a caller can't have any: pass the objects to the call itself",
        ));
    }
    let (mut node, mut life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    check_sendable(op, &life)?;
    // Costs no credit, so there would be no end of what the plugin has to keep of it.
    if items.count == 0 {
        return Ok(());
    }
    let Some(push) = life.plugin.and_then(|plugin| plugin.push) else {
        return Err(no_stream(op, "accepts"));
    };
    let mut batched = None;
    if let Some(resolving) = &life.resolving {
        let by = resolving.by;
        drop(life);
        batched = match ConvertedBatch::taken(by, &items) {
            Ok(batched) => batched,
            Err(error) => {
                // The plugin can't get this item, so the stream isn't whole. If it waited for more, so would the host for its answer.
                let _ = end_sending(op, error.status().code(), error.to_json().as_bytes());
                return Err(error);
            }
        };
        (node, life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
        check_sendable(op, &life)?;
    }
    let mut wanted = life.wanted;
    if !wanted.spend(&items) {
        let error = Error::new(
            Status::ResourceExhausted,
            "NoDemand",
            format!(
                "call {op:#x} accepts {} more items and {} more bytes, but the batch has {} items of {} bytes: wait for the next RB_EVENT_DEMAND",
                life.wanted.items,
                life.wanted.bytes.max(0),
                items.count,
                items.len(),
            ),
        );
        // Who was told before the last batch went is told anew: the plugin sees no reason to ask while some may come.
        if life.wanted.items > 0 && life.wanted.bytes > 0 {
            life.wanted_news = true;
            run(node, life);
        }
        return Err(error);
    }
    life.wanted = wanted;
    let own = batched.as_ref().map(ConvertedBatch::batch);
    if let (Some(batched), Some(resolving)) = (&batched, &mut life.resolving) {
        let more = resolving.taken.went(items.len(), batched.len());
        if more > 0 {
            life.wanted.add(0, more);
            life.wanted_news = true;
        }
    }
    life.pushing = true;
    life.inside += 1;
    let task = life.task;
    drop(life);
    // SAFETY: the task isn't released while we are inside, and the batch is borrowed, or our own, until this returns.
    unsafe { push(task, own.as_ref().unwrap_or(batch)) };
    pushed(node);
    Ok(())
}

/// Says that no more items come: all is said with `RB_OK`, otherwise why not.
pub(crate) fn end_sending(op: Op, status: StatusCode, payload: &[u8]) -> Result<(), Error> {
    let (node, mut life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    check_sendable(op, &life)?;
    let Some(push_end) = life.plugin.and_then(|plugin| plugin.push_end) else {
        return Err(no_stream(op, "accepts"));
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
    let Some(mut life) = node.again() else { return };
    life.pushing = false;
    life.inside -= 1;
    run(node, life);
}

fn check_sendable(op: Op, life: &CallState) -> Result<(), Error> {
    if life.completed || life.stage != Stage::Pending {
        return Err(over(op));
    }
    if !life.takes {
        return Err(no_stream(op, "accepts"));
    }
    if life.pushed_end {
        return Err(Error::new(
            Status::FailedPrecondition,
            "StreamEnded",
            format!("the input stream of call {op:#x} has already ended"),
        ));
    }
    if life.pushing {
        return Err(Error::new(
            Status::Aborted,
            "ConcurrentSend",
            format!("another thread is sending to call {op:#x}: send from one thread at a time"),
        ));
    }
    Ok(())
}

fn no_stream(op: Op, does: &str) -> Error {
    Error::new(
        Status::Unimplemented,
        "NoStream",
        format!("the method of call {op:#x} {does} no stream of items"),
    )
}

/// Which of those who watch an operation looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watch {
    Answer,
    Demand,
}

/// Looks for something, and if it isn't there, has this waker woken when to look again. What the host has in its wakers isn't run
/// under the lock.
fn watch<T>(
    op: Op,
    which: Watch,
    waker: &Waker,
    mut look: impl FnMut(&mut CallState) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let mut ours = None;
    loop {
        let (node, mut life) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
        let found = look(&mut life);
        let is_over = life.told;
        let Delivery::Task(watchers) = &mut life.delivery else {
            run(node, life);
            return found;
        };
        let place = match which {
            Watch::Answer => &mut watchers.answer,
            Watch::Demand => &mut watchers.demand,
        };
        let is_set = place.as_ref().is_some_and(|known| known.will_wake(waker));
        let before = if is_over {
            place.take()
        } else if is_set || !matches!(found, Ok(None)) {
            None
        } else if let Some(ours) = ours.take() {
            place.replace(ours)
        } else {
            drop(life);
            ours = Some(waker.clone());
            continue;
        };
        run(node, life);
        drop(before);
        return found;
    }
}

/// Looks for an event, for who watches the operation by a waker: what there is, or else the waker is woken when to look again.
pub(crate) fn poll(op: Op, waker: &Waker) -> Result<Option<Event>, Error> {
    watch(op, Watch::Answer, waker, |life| Ok(life.take_event(op)))
}

/// Whether an item may be sent, for who sends: how many may, and how many bytes, or else the waker is woken when to look again.
pub(crate) fn poll_demand(op: Op, waker: &Waker) -> Result<Option<Credit>, Error> {
    watch(op, Watch::Demand, waker, |life| {
        check_sendable(op, life)?;
        if let Some(reason) = life.cancel {
            return Err(Error::new(
                Status::from_code(reason),
                "EndedEarly",
                format!("call {op:#x} was cancelled, and accepts no more items"),
            ));
        }
        let is_wanted = life.wanted.items > 0 && life.wanted.bytes > 0;
        Ok(is_wanted.then_some(life.wanted))
    })
}

/// Takes an event for a queue that found the operation's number: with what it's for, and whether there's more. Items and
/// answers of more bytes than there's room for are left. The queue's own number tells it from an earlier one in the
/// same place, whose operations are being detached still.
pub(crate) fn fetch(op: Op, queue: u64, room: usize) -> FetchResult {
    let Ok((node, mut life)) = node_pool::find_call(op) else {
        return FetchResult::Nothing;
    };
    if !life.linked || !matches!(&life.delivery, Delivery::Queue(_, to) if *to == queue) {
        return FetchResult::Nothing;
    }
    let size = if life.headers.len() != 0 && life.is_behind_headers() {
        life.headers.len()
    } else if life.waiting.is_empty() {
        life.outcome
            .as_ref()
            .map_or(0, |outcome| outcome.payload.len())
    } else {
        life.waiting.len()
    };
    if size > room {
        return FetchResult::TooLarge;
    }
    let event = life.take_event(op);
    let has_more =
        !life.told && (!life.waiting.is_empty() || life.wanted_news || life.outcome.is_some());
    life.linked = has_more;
    run(node, life);
    match event {
        Some(event) => FetchResult::Event { event, has_more },
        None => FetchResult::Nothing,
    }
}

/// The entries of an instance's operations that are pending, for reports.
pub(crate) fn pending_entries(instance: Handle) -> Vec<u32> {
    let mut entries = Vec::new();
    node_pool::for_each(|_, _, life| {
        if life.is_pending_in(instance) {
            entries.push(life.entry);
        }
    });
    entries
}
