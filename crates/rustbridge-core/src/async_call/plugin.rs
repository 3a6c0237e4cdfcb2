//! What a plugin does with its calls: it completes them, sends items, demands items, and registers a hook for cancellation.

use std::ffi::c_void;

use rustbridge_abi::{
    Batch, Object, Op, RB_CANCELLED, RB_FAILED_PRECONDITION, RB_INVALID_ARGUMENT, RB_OK,
    RB_RESOURCE_EXHAUSTED, RB_UNIMPLEMENTED, Reply, Response, Status, StatusCode, check_metadata,
};

use super::atomics::{this_thread, yield_now};
use super::call_state::{CallState, Completion, Locked, Node, Outcome, Task};
use super::cancellation::Hook;
use super::flow::Items;
use super::message_resolution::{ConvertedBatch, convert_response};
use super::node_pool;
use super::objects;
use super::payload::Payload;
use super::returned_objects::take_later;
use super::run::{call_hook_and_run, run, unlocked};
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;
use crate::registry::table::Handle;
use crate::response::Offer;

/// The subject of error messages.
const PLUGIN: &str = "the plugin";

/// The instance of a call that its plugin hasn't completed yet.
pub(crate) fn completable(op: Op) -> Option<Handle> {
    let (_, state) = node_pool::find_call(op).ok()?;
    state.is_completable().then_some(state.info.instance)
}

/// Drops objects of an instance, if the instance still exists.
pub(crate) type DropThere = fn(instance: Handle, addresses: &[u64]);

/// Completes a call and returns its instance, or a status that says why not. The response and the reply are consumed in either case.
///
/// # Safety
/// The response and the reply are null or a plugin's, as [`rustbridge_abi::AsyncHost::complete`] says.
pub(crate) unsafe fn complete(
    op: Op,
    status: StatusCode,
    response: *mut Response,
    reply: *mut Reply,
    drop_there: DropThere,
) -> Result<Handle, StatusCode> {
    // SAFETY: the caller's promise.
    let mut payload = unsafe { take(response) };
    // SAFETY: as above.
    let trailers = unsafe { take_of(reply, |reply| &raw mut (*reply).trailers) };
    // SAFETY: as above.
    let objects = unsafe { take_of(reply, |reply| &raw mut (*reply).objects) };
    let (node, mut state) = node_pool::find_call(op).map_err(|missing| missing.status().code())?;
    if !state.is_completable() {
        let addresses = objects.as_ref().ok().and_then(|it| read_objects(it).ok());
        discard_objects(node, state, &addresses.unwrap_or_default(), drop_there);
        return Err(RB_FAILED_PRECONDITION);
    }
    // No other thread completes it, and its task isn't released meanwhile.
    state.completion = Completion::InProgress;
    let instance = state.info.instance;
    let is_wanted = !state.delivery.is_discard();
    let resolved = state.info.resolved;
    drop(state);
    let converted = match (resolved, &mut payload) {
        (Some(by), Ok(payload)) => convert_response(by, status, payload),
        _ => Ok(()),
    };
    let is_wanted = is_wanted && converted.is_ok();
    // SAFETY: a call that is being completed keeps its instance open. The objects are the plugin's by the caller's promise.
    let beside = unsafe { check_reply(instance, &payload, trailers, objects, is_wanted) };
    let beside = converted.and(beside);
    // The plugin may have forked, and this may be the child.
    let Some(mut state) = node.lock_again() else {
        return Err(RB_FAILED_PRECONDITION);
    };
    let timer = state.timer.take();
    // A payload that an error replaces is freed without the lock, because its memory is the plugin's.
    let mut replaced = None;
    // Written where it stays, because moving a response would cost more than the rest of this function.
    state.completion = Completion::Ready(match (payload, beside) {
        (Ok(payload), Ok((trailers, objects))) => Outcome {
            status,
            payload,
            trailers,
            objects,
        },
        (payload, Err(error)) => {
            replaced = Some(payload);
            Outcome::of_error(&error)
        }
        // An invalid payload has become an error above.
        (Err(_), Ok(_)) => Outcome::of_error(&invalid(String::new())),
    });
    if state.delivery.is_discard() {
        discard_result(node, state)?;
    } else {
        run(node, state);
    }
    drop((timer, replaced));
    Ok(instance)
}

/// Discards the result of an abandoned call, and its queued items.
#[cold]
fn discard_result(node: &'static Node, mut state: Locked) -> Result<(), StatusCode> {
    let outcome = state.completion.deliver();
    let queued = std::mem::take(&mut state.output.queued);
    let objects = outcome.iter().flat_map(|outcome| &outcome.objects);
    // Its objects are released while the call counts as pending, which ends with `run`.
    let state = release_all(node, state, objects.chain(queued.objects()));
    let Some(state) = state else {
        return Err(RB_FAILED_PRECONDITION);
    };
    run(node, state);
    Ok(())
}

/// Checks what accompanies a response, and issues numbers for its objects if the result is delivered.
///
/// # Safety
/// The caller is counted as running in the instance, whose plugin passed each of the objects once.
unsafe fn check_reply(
    instance: Handle,
    payload: &Result<Payload, Response>,
    trailers: Result<Payload<0>, Response>,
    objects: Result<Payload<0>, Response>,
    is_wanted: bool,
) -> Result<(Payload<0>, Vec<Object>), Error> {
    let broken = |response: &Response| Offer::NOTHING.broken("answer", response, PLUGIN);
    if let Err(response) = payload {
        return Err(broken(response));
    }
    let trailers = trailers.map_err(|response| broken(&response))?;
    let objects = objects.map_err(|response| broken(&response))?;
    let addresses = read_objects(&objects)?;
    let checked = check_metadata(trailers.bytes());
    let is_wanted = is_wanted && checked.is_ok();
    // SAFETY: the caller's promise.
    let objects = unsafe { take_later(instance, || PLUGIN.to_owned(), addresses, is_wanted) }?;
    match checked {
        Ok(()) => Ok((trailers, objects)),
        Err(problem) => Err(invalid(format!(
            "{PLUGIN} returned trailers that aren't valid metadata: {problem}"
        ))),
    }
}

/// Drops the objects of a refused completion or batch.
fn discard_objects(node: &'static Node, state: Locked, addresses: &[u64], drop_there: DropThere) {
    if addresses.is_empty() {
        return;
    }
    let instance = state.info.instance;
    if state.is_released() {
        // The call doesn't keep the instance from closing.
        drop(state);
        return drop_there(instance, addresses);
    }
    // SAFETY: the call keeps the instance open, because it's pending or `close_unstarted` waits for this. The objects are the
    // plugin's by the ABI.
    let discard = || unsafe { take_later(instance, String::new, addresses.to_vec(), false) };
    if let Some((state, _)) = unlocked(node, state, discard) {
        run(node, state);
    }
}

/// Releases numbered objects that aren't delivered, so that the plugin drops them. The call counts as pending until the returned state
/// is run. Returns `None` in a forked child.
fn release_all<'a>(
    node: &'static Node,
    state: Locked,
    objects: impl Iterator<Item = &'a Object>,
) -> Option<Locked> {
    let (state, ()) = unlocked(node, state, || {
        for &object in objects {
            if objects::release(object).is_ok() {
                // SAFETY: the call counts as pending in the instance of the objects.
                unsafe { objects::collect(object) };
            }
        }
    })?;
    Some(state)
}

/// The addresses of objects, as a plugin passes them.
fn read_objects<const ROOM: usize>(objects: &Payload<ROOM>) -> Result<Vec<u64>, Error> {
    let bytes = objects.bytes();
    if !bytes.len().is_multiple_of(8) {
        return Err(invalid(format!(
            "{PLUGIN} returned {} bytes of objects, expected 8 for each object",
            bytes.len()
        )));
    }
    Ok(bytes
        .chunks_exact(8)
        .map(|address| address.try_into().map_or(0, u64::from_ne_bytes))
        .collect())
}

#[cold]
fn invalid(message: String) -> Error {
    Error::new(Status::Internal, "InvalidResponse", message)
}

#[inline]
unsafe fn take<const ROOM: usize>(response: *mut Response) -> Result<Payload<ROOM>, Response> {
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
) -> Result<Payload<0>, Response> {
    if reply.is_null() {
        return Ok(Payload::EMPTY);
    }
    // SAFETY: not null, and the caller's promise.
    unsafe { take(part(reply)) }
}

/// Sends items of a call's output stream to its caller.
///
/// # Safety
/// As for [`Items::of`].
pub(crate) unsafe fn emit(op: Op, batch: &Batch, drop_there: DropThere) -> StatusCode {
    // SAFETY: the caller's promise.
    let Ok(sent) = (unsafe { Items::of(batch) }) else {
        return RB_INVALID_ARGUMENT;
    };
    let (node, state) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(missing) => return missing.status().code(),
    };
    let refusal = refuse_items(&state);
    let resolved = state.info.resolved;
    if refusal.is_none() && resolved.is_none() && sent.objects.is_empty() {
        return emit_items(node, state, sent, sent);
    }
    // Checked before the items are converted or their objects numbered.
    let refusal = match refusal {
        None if !state.output.accepts(&sent) => Some(RB_RESOURCE_EXHAUSTED),
        refusal => refusal,
    };
    match (refusal, resolved) {
        (Some(refusal), _) => {
            discard_objects(node, state, sent.objects, drop_there);
            refusal
        }
        (None, Some(by)) => emit_converted(node, state, by, sent, drop_there),
        (None, None) => emit_items(node, state, sent, sent),
    }
}

/// Why a call accepts no items, whatever its credit is.
fn refuse_items(state: &CallState) -> Option<StatusCode> {
    if state.completion.is_complete() || matches!(state.task, Task::Synchronous) {
        Some(RB_FAILED_PRECONDITION)
    } else if !state.output.exists {
        Some(RB_UNIMPLEMENTED)
    } else {
        state.discard_status()
    }
}

/// Converts items to the client's types, and queues them.
#[cold]
fn emit_converted(
    node: &'static Node,
    state: Locked,
    by: &'static ResolvedMethod,
    sent: Items<'_>,
    drop_there: DropThere,
) -> StatusCode {
    let converted = unlocked(node, state, || ConvertedBatch::of_plugin(by, &sent));
    let Some((state, converted)) = converted else {
        return RB_FAILED_PRECONDITION;
    };
    let refusal = match &converted {
        Err(_) => Some(RB_INVALID_ARGUMENT),
        Ok(_) => state.discard_status(),
    };
    if let Some(refusal) = refusal {
        if sent.objects.is_empty() {
            // The conversion counted as active, so there may be something to do.
            run(node, state);
        } else {
            discard_objects(node, state, sent.objects, drop_there);
        }
        return refusal;
    }
    match &converted {
        Ok(Some(batch)) => emit_items(node, state, batch.items(sent.objects), sent),
        _ => emit_items(node, state, sent, sent),
    }
}

/// Queues items for the caller, within the credit, which is counted in the bytes of `sent`.
fn emit_items(
    node: &'static Node,
    mut state: Locked,
    items: Items<'_>,
    sent: Items<'_>,
) -> StatusCode {
    if !items.objects.is_empty() {
        return emit_objects(node, state, items, sent);
    }
    if state.output.push(&items, &sent) {
        run(node, state);
        return RB_OK;
    }
    if state.info.resolved.is_some() {
        // The conversion counted as active, so there may be something to do.
        run(node, state);
    }
    RB_RESOURCE_EXHAUSTED
}

/// Queues items with objects, for which numbers are issued first.
fn emit_objects(
    node: &'static Node,
    state: Locked,
    items: Items<'_>,
    sent: Items<'_>,
) -> StatusCode {
    let instance = state.info.instance;
    // SAFETY: the call keeps the instance open, because it's pending or `close_unstarted` waits for this. The objects are the
    // plugin's by the ABI.
    let number =
        || unsafe { take_later(instance, || PLUGIN.to_owned(), items.objects.to_vec(), true) };
    let Some((mut state, numbered)) = unlocked(node, state, number) else {
        return RB_FAILED_PRECONDITION;
    };
    let Ok(numbers) = numbered else {
        run(node, state);
        return RB_INVALID_ARGUMENT;
    };
    // Meanwhile the caller may have cancelled or abandoned the call.
    let refusal = if let Some(refusal) = state.discard_status() {
        refusal
    } else if state.output.push(&items.with_objects(&numbers), &sent) {
        run(node, state);
        return RB_OK;
    } else {
        RB_RESOURCE_EXHAUSTED
    };
    match release_all(node, state, numbers.iter()) {
        Some(state) => {
            run(node, state);
            refusal
        }
        None => RB_FAILED_PRECONDITION,
    }
}

/// Demands items of a call's input stream.
pub(crate) fn demand(op: Op, items: u64, bytes: u64) -> StatusCode {
    let (node, mut state) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(missing) => return missing.status().code(),
    };
    if state.completion.is_complete() || matches!(state.task, Task::Synchronous) {
        RB_FAILED_PRECONDITION
    } else if !state.input.exists {
        RB_UNIMPLEMENTED
    } else if state.cancellation.reason().is_some() {
        RB_CANCELLED
    } else {
        state.input.add_demand(items, bytes);
        run(node, state);
        RB_OK
    }
}

/// Adds headers to a call that hasn't sent anything yet.
pub(crate) fn headers(op: Op, pairs: &[u8]) -> StatusCode {
    match node_pool::find_call(op) {
        Ok((_, mut state)) => match state.completion {
            Completion::Open => state.output.headers.append(pairs),
            _ => RB_FAILED_PRECONDITION,
        },
        Err(missing) => missing.status().code(),
    }
}

/// Registers a function to be called when the call is cancelled, or removes it. Afterwards the previous one doesn't run.
///
/// # Safety
/// `function` may be called with `data`, on any thread, until it's replaced.
pub(crate) unsafe fn on_cancel(
    op: Op,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> StatusCode {
    let (node, mut state) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(missing) => return missing.status().code(),
    };
    while let Some(thread) = state.cancellation.hook_thread {
        drop(state);
        if thread == this_thread() {
            // It would wait for itself.
            return RB_FAILED_PRECONDITION;
        }
        yield_now();
        match node_pool::find_call(op) {
            Ok((_, found)) => state = found,
            Err(missing) => return missing.status().code(),
        }
    }
    if state.completion.is_complete() {
        // Nothing is called any more, and the task may be released at any time.
        state.cancellation.hook = None;
        return if function.is_none() {
            RB_OK
        } else {
            RB_FAILED_PRECONDITION
        };
    }
    state.cancellation.hook = function.map(|function| Hook { function, data });
    if state.cancellation.reason().is_some() {
        call_hook_and_run(node, state);
    }
    RB_OK
}
