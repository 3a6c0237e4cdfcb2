//! What a plugin does with its operations: ends them, sends their items, asks for more, and has itself woken.

use std::ffi::c_void;

use rustbridge_abi::{
    Batch, Object, Op, RB_CANCELLED, RB_FAILED_PRECONDITION, RB_INVALID_ARGUMENT, RB_OK,
    RB_RESOURCE_EXHAUSTED, RB_UNIMPLEMENTED, Reply, Response, Status, StatusCode, check_metadata,
};

use super::atomics::{this_thread, yield_now};
use super::call_state::{CallState, Delivery, Node, Outcome, Stage, Task, Wake};
use super::flow::Items;
use super::message_resolution::{self, ConvertedBatch};
use super::node::LockedState;
use super::node_pool;
use super::objects;
use super::payload::Payload;
use super::returned_objects::take_later;
use super::run::{run, wake_and_run};
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;
use crate::registry::table::Handle;
use crate::response::Offer;

/// The instance of an operation that hasn't completed yet.
pub(crate) fn completable(op: Op) -> Option<Handle> {
    let (_, life) = node_pool::find_call(op).ok()?;
    let is_over = life.completed || life.completing || life.stage == Stage::Blocking;
    (!is_over).then_some(life.instance)
}

/// Drops objects of an instance that isn't known to be there still, if it is.
pub(crate) type DropThere = fn(instance: Handle, addresses: &[u64]);

/// Completes an operation and gives its instance, or a status that says why not. What is handed over is ours whatever comes of it.
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
    let whose = || "the plugin".to_owned();
    let (node, mut life) = node_pool::find_call(op).map_err(|missing| missing.status().code())?;
    if life.completed || life.completing || life.stage == Stage::Blocking {
        // Its memory is the plugin's, to be given back without the lock.
        let objects = objects.ok();
        let addresses = objects.as_ref().map(|objects| read_objects(objects, whose));
        refuse_objects(node, life, addresses.and_then(Result::ok), drop_there);
        return Err(RB_FAILED_PRECONDITION);
    }
    // Nobody else completes it, and until it's completed it counts as running.
    life.completing = true;
    let instance = life.instance;
    let wanted = !matches!(life.delivery, Delivery::Nobody);
    let resolving = life.resolving.as_ref().map(|resolving| resolving.by);
    drop(life);
    let refused = match (resolving, &mut payload) {
        (Some(by), Ok(payload)) => message_resolution::answer(by, status, payload).err(),
        _ => None,
    };
    let wanted = wanted && refused.is_none();
    // SAFETY: the operation counts as running, and the objects are the plugin's by the caller's promise.
    let mut beside = unsafe { beside(instance, &payload, trailers, objects, wanted) };
    if let Some(error) = refused {
        beside = Err(error);
    }
    // Foreign code may have forked meanwhile, and this be the child.
    let Some(mut life) = node.again() else {
        return Err(RB_FAILED_PRECONDITION);
    };
    life.completed = true;
    let timer = life.timer.take();
    // What is given up is the plugin's memory, to be given back without the lock.
    let mut given_up = None;
    // Written where it stays: an answer is large, and to move it about costs more than all else here.
    life.outcome = Some(match (payload, beside) {
        (Ok(payload), Ok((trailers, objects))) => Outcome {
            status,
            payload,
            trailers,
            objects,
        },
        (payload, Err(error)) => {
            given_up = Some(payload);
            Outcome::of_error(&error)
        }
        // What can't be true is an error by then.
        (Err(_), Ok(_)) => Outcome::of_error(&invalid(String::new())),
    });
    let unwanted = if matches!(life.delivery, Delivery::Nobody) {
        life.told = true;
        life.outcome
            .take()
            .map(|outcome| (outcome, std::mem::take(&mut life.waiting)))
    } else {
        None
    };
    if let Some((outcome, waiting)) = &unwanted {
        // Given up while they were numbered, and while the operation counts as running: `run` is what ends that.
        let objects = outcome.objects.iter().chain(waiting.objects());
        match release_all(node, life, objects) {
            Some(again) => life = again,
            None => return Err(RB_FAILED_PRECONDITION),
        }
    }
    run(node, life);
    drop((unwanted, timer, given_up));
    Ok(instance)
}

/// What comes with an answer, checked, and its objects numbered if anybody wants them.
///
/// # Safety
/// The caller is counted as running in the instance, whose plugin gave the objects once.
unsafe fn beside(
    instance: Handle,
    payload: &Result<Payload, Response>,
    trailers: Result<Payload<0>, Response>,
    objects: Result<Payload<0>, Response>,
    wanted: bool,
) -> Result<(Payload<0>, Vec<Object>), Error> {
    let whose = || "the plugin".to_owned();
    let broken = |broken: &Response| Offer::NOTHING.broken("answer", broken, &whose());
    if let Err(response) = payload {
        return Err(broken(response));
    }
    let trailers = trailers.map_err(|response| broken(&response))?;
    let objects = objects.map_err(|response| broken(&response))?;
    let addresses = read_objects(&objects, whose)?;
    let trailers_are = check_metadata(trailers.bytes());
    // SAFETY: the caller's promise.
    let objects =
        unsafe { take_later(instance, whose, addresses, wanted && trailers_are.is_ok()) }?;
    if let Err(problem) = trailers_are {
        return Err(invalid(format!(
            "{} returned trailers that aren't valid metadata: {problem}",
            whose()
        )));
    }
    Ok((trailers, objects))
}

/// Drops the objects of what comes after an operation's end.
fn refuse_objects(
    node: &'static Node,
    mut life: LockedState<'static, CallState>,
    addresses: Option<Vec<u64>>,
    drop_there: DropThere,
) {
    let Some(addresses) = addresses.filter(|addresses| !addresses.is_empty()) else {
        return;
    };
    let instance = life.instance;
    if life.task_state != Task::Ours {
        // It doesn't count as running any more, or won't in a moment.
        drop(life);
        return drop_there(instance, &addresses);
    }
    life.inside += 1;
    drop(life);
    // SAFETY: the operation counts as running, and the objects are the plugin's by the ABI.
    let _ = unsafe { take_later(instance, String::new, addresses, false) };
    let Some(mut life) = node.again() else { return };
    life.inside -= 1;
    run(node, life);
}

/// Releases objects of an operation that nobody gets, without its lock: the plugin drops them. The operation counts as running,
/// and does until the life that this gives is run. `None` in a forked child.
fn release_all<'a>(
    node: &'static Node,
    mut life: LockedState<'static, CallState>,
    objects: impl Iterator<Item = &'a Object>,
) -> Option<LockedState<'static, CallState>> {
    life.inside += 1;
    drop(life);
    for &object in objects {
        if objects::release(object).is_ok() {
            // SAFETY: the operation counts as running in the objects' instance.
            unsafe { objects::collect(object) };
        }
    }
    let mut life = node.again()?;
    life.inside -= 1;
    Some(life)
}

/// The addresses of objects, as a plugin gives them.
fn read_objects<const ROOM: usize>(
    objects: &Payload<ROOM>,
    whose: impl Fn() -> String,
) -> Result<Vec<u64>, Error> {
    let bytes = objects.bytes();
    if !bytes.len().is_multiple_of(8) {
        return Err(invalid(format!(
            "{} returned {} bytes of objects, expected 8 for each object",
            whose(),
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

/// Takes items of an operation's stream.
///
/// # Safety
/// As for [`Items::of`].
pub(crate) unsafe fn emit(op: Op, batch: &Batch, drop_there: DropThere) -> StatusCode {
    // SAFETY: the caller's promise.
    let Ok(items) = (unsafe { Items::of(batch) }) else {
        return RB_INVALID_ARGUMENT;
    };
    let (node, life) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(missing) => return missing.status().code(),
    };
    let refused = if life.completed || life.stage == Stage::Blocking {
        Some(RB_FAILED_PRECONDITION)
    } else if !life.gives {
        Some(RB_UNIMPLEMENTED)
    } else if life.takes_no_items() {
        Some(RB_CANCELLED)
    } else if !life.credit.clone().spend(&items) {
        Some(RB_RESOURCE_EXHAUSTED)
    } else {
        None
    };
    if let Some(status) = refused
        && life.task_state != Task::Ours
    {
        refuse_objects(node, life, Some(items.objects.to_vec()), drop_there);
        return status;
    }
    if refused.is_none()
        && let Some(resolving) = &life.resolving
    {
        let by = resolving.by;
        return emit_resolved(node, life, by, items, drop_there);
    }
    if !items.objects.is_empty() {
        return emit_objects(node, life, items, items, refused);
    }
    match refused {
        Some(status) => status,
        None => take_items(node, life, &items, &items),
    }
}

/// Takes items within the credit, in the words of a client of other types.
#[cold]
fn emit_resolved(
    node: &'static Node,
    mut life: LockedState<'static, CallState>,
    by: &'static ResolvedMethod,
    sent: Items<'_>,
    drop_there: DropThere,
) -> StatusCode {
    // Keeps the operation counted as running, without its lock meanwhile.
    life.inside += 1;
    drop(life);
    let batched = ConvertedBatch::given(by, &sent);
    let Some(mut life) = node.again() else {
        return RB_FAILED_PRECONDITION;
    };
    life.inside -= 1;
    let refused = life.takes_no_items().then_some(RB_CANCELLED);
    let items = match &batched {
        Ok(Some(batched)) => batched.items(sent.objects),
        Ok(None) => sent,
        Err(_) => {
            if sent.objects.is_empty() {
                run(node, life);
            } else {
                refuse_objects(node, life, Some(sent.objects.to_vec()), drop_there);
            }
            return RB_INVALID_ARGUMENT;
        }
    };
    if !items.objects.is_empty() {
        return emit_objects(node, life, items, sent, refused);
    }
    match refused {
        Some(status) => {
            run(node, life);
            status
        }
        None => take_items(node, life, &items, &sent),
    }
}

/// Takes items, within the credit, which is spent by those as the plugin has sent them.
fn take_items(
    node: &'static Node,
    mut life: LockedState<'static, CallState>,
    items: &Items<'_>,
    sent: &Items<'_>,
) -> StatusCode {
    if !life.take_items(items, sent) {
        return RB_RESOURCE_EXHAUSTED;
    }
    // Inside `start` there's nobody yet who knows the operation.
    run(node, life);
    RB_OK
}

/// Takes items with objects, which get their numbers first. Those of items that were refused are dropped.
fn emit_objects(
    node: &'static Node,
    mut life: LockedState<'static, CallState>,
    items: Items<'_>,
    sent: Items<'_>,
    refused: Option<StatusCode>,
) -> StatusCode {
    let instance = life.instance;
    // Keeps the operation counted as running.
    life.inside += 1;
    drop(life);
    let whose = || "the plugin".to_owned();
    // SAFETY: the operation counts as running, and the objects are the plugin's by the ABI.
    let numbered =
        unsafe { take_later(instance, whose, items.objects.to_vec(), refused.is_none()) };
    let Some(mut life) = node.again() else {
        return RB_FAILED_PRECONDITION;
    };
    life.inside -= 1;
    let (status, numbers) = match (refused, numbered) {
        (Some(status), _) => (status, Vec::new()),
        (None, Err(_)) => (RB_INVALID_ARGUMENT, Vec::new()),
        // Nobody takes any more what was detached or cancelled meanwhile.
        (None, Ok(numbers)) if life.takes_no_items() => (RB_CANCELLED, numbers),
        (None, Ok(numbers)) => {
            let items = items.with_objects(&numbers);
            if life.take_items(&items, &sent) {
                run(node, life);
                return RB_OK;
            }
            (RB_RESOURCE_EXHAUSTED, numbers)
        }
    };
    let Some(life) = release_all(node, life, numbers.iter()) else {
        return RB_FAILED_PRECONDITION;
    };
    run(node, life);
    status
}

/// The plugin asks for items of its caller's stream.
pub(crate) fn want(op: Op, items: u64, bytes: u64) -> StatusCode {
    match node_pool::find_call(op) {
        Ok((_, life)) if life.completed || life.stage == Stage::Blocking => RB_FAILED_PRECONDITION,
        Ok((_, life)) if !life.takes => RB_UNIMPLEMENTED,
        Ok((_, life)) if life.cancel.is_some() => RB_CANCELLED,
        Ok((node, mut life)) => {
            let bytes = match &mut life.resolving {
                Some(resolving) => resolving.taken.ask(bytes),
                None => bytes,
            };
            life.wanted.add(items, bytes);
            life.wanted_news = true;
            run(node, life);
            RB_OK
        }
        Err(missing) => missing.status().code(),
    }
}

/// Adds headers to an operation, unless something has come of it already.
pub(crate) fn headers(op: Op, pairs: &[u8]) -> StatusCode {
    match node_pool::find_call(op) {
        Ok((_, life)) if life.completed || life.completing => RB_FAILED_PRECONDITION,
        Ok((_, mut life)) => life.headers.append(pairs),
        Err(missing) => missing.status().code(),
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
    let (node, mut life) = match node_pool::find_call(op) {
        Ok(found) => found,
        Err(missing) => return missing.status().code(),
    };
    while let Some(thread) = life.waking {
        drop(life);
        if thread == this_thread() {
            // From inside what we would wait for.
            return RB_FAILED_PRECONDITION;
        }
        yield_now();
        match node_pool::find_call(op) {
            Ok((_, found)) => life = found,
            Err(missing) => return missing.status().code(),
        }
    }
    if life.completed {
        // Nothing is woken any more, and its task may be released at any moment.
        life.wake = None;
        return if wake.is_none() {
            RB_OK
        } else {
            RB_FAILED_PRECONDITION
        };
    }
    life.wake = wake.map(|wake| Wake { wake, data });
    if life.cancel.is_some() {
        wake_and_run(node, life);
    }
    RB_OK
}
