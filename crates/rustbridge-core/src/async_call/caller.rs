//! What a host does with its calls: it cancels and abandons them, demands and sends items, and receives events.

use std::ffi::c_void;
use std::task::Waker;
use std::time::Instant;

use rustbridge_abi::{Batch, Object, Op, RB_CANCELLED, RB_DEADLINE_EXCEEDED, Status, StatusCode};

use super::atomics::Ordering;
use super::call_state::{CallState, Locked, Node, Task};
use super::delivery::{Delivery, Wakers};
use super::event::{Event, FetchResult};
use super::flow::{Credit, Items};
use super::input_stream::no_stream;
use super::message_resolution::ConvertedBatch;
use super::node::NoSuchCall;
use super::node_pool;
use super::run::{call_hook_and_run, catch_panic, run, unlocked};
use super::timer;
use super::waiters;
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;
use crate::registry::table::Handle;

/// The error for a call that has completed.
fn over(op: Op) -> Error {
    NoSuchCall::Ended.error(op)
}

/// Cancels a call with a status that says why. Items that the plugin has sent are delivered nevertheless.
pub(crate) fn cancel(op: Op, reason: StatusCode) -> Result<(), Error> {
    let (node, state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    if state.completion.is_complete() {
        return Err(over(op));
    }
    cancel_found(node, state, reason);
    Ok(())
}

/// Has a call be cancelled at its deadline, if its plugin doesn't watch that itself.
pub(crate) fn cancel_at(op: Op, deadline: Instant) {
    let armed = timer::at(
        deadline,
        |op| {
            // A call that has completed needs no cancellation.
            let _ = cancel(op, RB_DEADLINE_EXCEEDED);
        },
        op,
    );
    // No other thread knows the call yet.
    if let Ok((_, mut state)) = node_pool::find_call(op) {
        state.timer = armed;
    }
}

/// Whether a call that isn't over was cancelled.
pub(crate) fn is_cancelled(op: Op) -> bool {
    node_pool::find_call(op).is_ok_and(|(_, state)| state.cancellation.reason().is_some())
}

/// As [`cancel`], for a caller that accepts no more items: the queued ones are discarded. Returns objects as [`detach`] does.
pub(crate) fn cancel_and_discard(op: Op) -> Result<Vec<Object>, Error> {
    let (node, mut state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    if state.completion.is_complete() {
        return Err(over(op));
    }
    let queued = std::mem::take(&mut state.output.queued);
    cancel_found(node, state, RB_CANCELLED);
    Ok(queued.into_objects())
}

fn cancel_found(node: &'static Node, mut state: Locked, reason: StatusCode) {
    if state.cancellation.reason().is_some() {
        return run(node, state);
    }
    state.cancellation.request(reason);
    node.cancelled
        .store(reason.unsigned_abs().max(1), Ordering::Release);
    // A task that waits until it may send is woken.
    state.input.has_news |= matches!(state.delivery, Delivery::Tasks(_));
    if waiters::are_there() {
        // Before the plugin's functions run, because they may wait for the thread that waits in the service call.
        let op = node.op();
        drop(state);
        waiters::wake(op);
        match node_pool::find_call(op) {
            Ok((_, again)) => state = again,
            Err(_) => return,
        }
        if state.completion.is_complete() {
            // Completed meanwhile: its task may have been released, and the data of its hook with it.
            return run(node, state);
        }
    }
    call_hook_and_run(node, state);
}

/// Cancels all calls of an instance for which `which` is true.
pub(crate) fn cancel_all(instance: Handle, reason: StatusCode, which: impl Fn(&CallState) -> bool) {
    node_pool::for_each(|_, node, state| {
        if state.info.instance == instance && !state.completion.is_complete() && which(&state) {
            cancel_found(node, state, reason);
        }
    });
}

/// Abandons a call: it's cancelled, and everything that still arrives is discarded.
///
/// Returns the objects of the discarded items and result. The caller releases them inside their instance.
pub(crate) fn detach(op: Op) -> Result<Vec<Object>, Error> {
    let (node, state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    if state.completion.is_delivered() {
        return Err(over(op));
    }
    Ok(detach_found(node, state))
}

fn detach_found(node: &'static Node, mut state: Locked) -> Vec<Object> {
    let outcome = state.completion.deliver();
    let queued = std::mem::take(&mut state.output.queued);
    // A queue that still contains the ID finds nothing to fetch.
    let delivery = std::mem::take(&mut state.delivery);
    if state.completion.is_complete() {
        run(node, state);
    } else {
        cancel_found(node, state, RB_CANCELLED);
    }
    // Without the lock: the plugin frees a response, and the host a waker.
    if let Delivery::Tasks(Wakers { receiver, sender }) = delivery {
        drop(receiver);
        // A task that waits until it may send is woken.
        if let Some(sender) = sender {
            catch_panic(|| sender.wake());
        }
    }
    let mut objects = queued.into_objects();
    if let Some(outcome) = outcome {
        objects.extend_from_slice(&outcome.objects);
    }
    objects
}

/// Abandons all calls whose events go to this queue. Returns objects as [`detach`] does.
pub(crate) fn detach_all(number: u64) -> Vec<Object> {
    let mut objects = Vec::new();
    node_pool::for_each(|_, node, state| {
        let is_to_queue =
            matches!(&state.delivery, Delivery::Queue { number: to, .. } if *to == number);
        if is_to_queue && !state.completion.is_delivered() {
            objects.append(&mut detach_found(node, state));
        }
    });
    objects
}

/// Demands items of a call's output stream.
///
/// It's no error if the call is over: the caller may have received the result and not processed it yet.
pub(crate) fn demand(op: Op, items: u64, bytes: u64) -> Result<(), Error> {
    let (node, mut state) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(NoSuchCall::Unknown) if node_pool::was_issued(op) => return Ok(()),
        Err(missing) => return Err(missing.error(op)),
    };
    if state.completion.is_complete() {
        // The plugin sends nothing more.
        return Ok(());
    }
    if !state.output.exists {
        return Err(no_stream(op, "returns"));
    }
    state.output.add_demand(items, bytes);
    run(node, state);
    Ok(())
}

/// Sends items to the plugin, within the credit.
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
    // A host's objects are numbers, and the plugin would take them for addresses.
    if !items.objects.is_empty() {
        return Err(Error::new(
            Status::InvalidArgument,
            "InvalidBatch",
            "the batch has objects, but items sent by a caller can't have any: pass the objects to the call itself",
        ));
    }
    let (mut node, mut state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    check_sendable(op, &state)?;
    // An empty batch costs no credit, so a caller could send any number of them.
    if items.count == 0 {
        return Ok(());
    }
    let Some(push) = state.info.plugin.and_then(|plugin| plugin.push) else {
        return Err(no_stream(op, "accepts"));
    };
    let mut converted = None;
    if let Some(by) = state.info.resolved {
        drop(state);
        converted = convert(op, by, &items)?;
        (node, state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
        check_sendable(op, &state)?;
    }
    if let Err(error) = state.input.spend(op, &items) {
        if state.input.has_news {
            run(node, state);
        }
        return Err(error);
    }
    if let Some(converted) = &converted {
        state.input.account(items.len(), converted.len());
    }
    let own = converted.as_ref().map(ConvertedBatch::batch);
    send(node, state, |task| {
        // SAFETY: the task isn't released while this runs, and the batch is readable until it returns.
        unsafe { push(task, own.as_ref().unwrap_or(batch)) };
    });
    Ok(())
}

/// Converts items to the plugin's types.
#[cold]
fn convert(
    op: Op,
    by: &ResolvedMethod,
    items: &Items<'_>,
) -> Result<Option<ConvertedBatch>, Error> {
    ConvertedBatch::of_client(by, items).inspect_err(|error| {
        // The plugin can't receive this item, so its stream is incomplete. If the stream stayed open, the plugin would wait for
        // more, and the host for the response.
        let _ = end_sending(op, error.status().code(), error.to_json().as_bytes());
    })
}

/// Ends the input stream: with `RB_OK` if all items were sent, otherwise with a status and an error payload that say why not.
pub(crate) fn end_sending(op: Op, status: StatusCode, payload: &[u8]) -> Result<(), Error> {
    let (node, mut state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
    check_sendable(op, &state)?;
    let Some(push_end) = state.info.plugin.and_then(|plugin| plugin.push_end) else {
        return Err(no_stream(op, "accepts"));
    };
    state.input.has_ended = true;
    send(node, state, |task| {
        // SAFETY: as in `write`.
        unsafe { push_end(task, status, payload.as_ptr(), payload.len()) };
    });
    Ok(())
}

/// Calls the plugin's function that receives what is sent. Meanwhile other threads are refused.
fn send(node: &'static Node, mut state: Locked, push: impl FnOnce(*mut c_void)) {
    let Task::Running(task) = state.task else {
        return;
    };
    state.input.is_sending = true;
    if let Some((mut state, ())) = unlocked(node, state, || push(task)) {
        state.input.is_sending = false;
        run(node, state);
    }
}

fn check_sendable(op: Op, state: &CallState) -> Result<(), Error> {
    // A call that hasn't completed is neither released nor about to be.
    if state.completion.is_complete() || !matches!(state.task, Task::Running(_)) {
        return Err(over(op));
    }
    state.input.check(op)
}

/// The two kinds of tasks that poll a call.
#[derive(Clone, Copy)]
enum Poller {
    Receiver,
    Sender,
}

/// Polls a call with `look`. If that finds nothing, the waker is registered to be woken when to poll again. The waker's own code
/// runs without the lock.
fn poll_with<T>(
    op: Op,
    poller: Poller,
    waker: &Waker,
    mut look: impl FnMut(&mut CallState) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let mut ours = None;
    loop {
        let (node, mut state) = node_pool::find_call(op).map_err(|missing| missing.error(op))?;
        let found = look(&mut state);
        let is_over = state.completion.is_delivered();
        let Delivery::Tasks(wakers) = &mut state.delivery else {
            run(node, state);
            return found;
        };
        let place = match poller {
            Poller::Receiver => &mut wakers.receiver,
            Poller::Sender => &mut wakers.sender,
        };
        let is_set = place.as_ref().is_some_and(|known| known.will_wake(waker));
        let before = if is_over {
            place.take()
        } else if is_set || !matches!(found, Ok(None)) {
            None
        } else if let Some(ours) = ours.take() {
            place.replace(ours)
        } else {
            drop(state);
            ours = Some(waker.clone());
            continue;
        };
        run(node, state);
        drop(before);
        return found;
    }
}

/// Polls for an event. Without one, the waker is woken when to poll again.
pub(crate) fn poll(op: Op, waker: &Waker) -> Result<Option<Event>, Error> {
    poll_with(
        op,
        Poller::Receiver,
        waker,
        |state| Ok(state.take_event(op)),
    )
}

/// Polls for the credit of the input stream. Without any, the waker is woken when to poll again.
pub(crate) fn poll_demand(op: Op, waker: &Waker) -> Result<Option<Credit>, Error> {
    poll_with(op, Poller::Sender, waker, |state| {
        check_sendable(op, state)?;
        if let Some(reason) = state.cancellation.reason() {
            return Err(Error::new(
                Status::from_code(reason),
                "EndedEarly",
                format!("call {op:#x} was cancelled, and accepts no more items"),
            ));
        }
        Ok(state.input.is_open().then_some(state.input.credit))
    })
}

/// Takes an event for a queue that contains the call's ID. Leaves it if its payload has more than `room` bytes. `queue` is the
/// queue's number, which distinguishes it from an earlier queue in the same memory, whose calls are still being abandoned.
pub(crate) fn fetch(op: Op, queue: u64, room: usize) -> FetchResult {
    let Ok((node, mut state)) = node_pool::find_call(op) else {
        return FetchResult::Nothing;
    };
    if !state.delivery.is_listed_in(queue) {
        return FetchResult::Nothing;
    }
    if state.next_event_size() > room {
        return FetchResult::TooLarge;
    }
    let event = state.take_event(op);
    let has_more = state.has_more_events();
    if let Delivery::Queue { is_listed, .. } = &mut state.delivery {
        *is_listed = has_more;
    }
    run(node, state);
    match event {
        Some(event) => FetchResult::Event { event, has_more },
        None => FetchResult::Nothing,
    }
}

/// The entries of an instance's pending calls, for reports.
pub(crate) fn pending_entries(instance: Handle) -> Vec<u32> {
    let mut entries = Vec::new();
    node_pool::for_each(|_, _, state| {
        if state.is_pending_in(instance) {
            entries.push(state.info.entry);
        }
    });
    entries
}
