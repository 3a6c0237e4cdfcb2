//! What a plugin does with its operations: ends them, sends their items, asks for more, and has itself woken.

use std::ffi::c_void;
use std::thread;

use rustbridge_abi::{
    Batch, Op, RB_CANCELLED, RB_FAILED_PRECONDITION, RB_INVALID_ARGUMENT, RB_OK,
    RB_RESOURCE_EXHAUSTED, Reply, Response, Status, StatusCode,
};

use super::flow::{Items, Waiting};
use super::given::Given;
use super::life::{Outcome, Stage, Teller, Wake, call_wake, run};
use super::node::{self, Missing};
use super::objects;
use super::payload::Payload;
use crate::error::Error;
use crate::handle::table::Handle;
use crate::response::Offer;

/// Completes an operation. What is handed over is ours whatever comes of it.
///
/// # Safety
/// The response and the reply are null or a plugin's, as [`rustbridge_abi::AsyncHost::complete`] says.
pub(crate) unsafe fn complete(
    op: Op,
    status: StatusCode,
    response: *mut Response,
    reply: *mut Reply,
    whose: impl Fn() -> String,
) -> Result<Handle, Missing> {
    // SAFETY: the caller's promise.
    let (payload, trailers, objects) = unsafe {
        (
            take(response),
            take_of(reply, |reply| &raw mut (*reply).trailers),
            take_of(reply, |reply| &raw mut (*reply).objects),
        )
    };
    let (node, mut life) = node::find(op)?;
    if life.completed || life.stage == Stage::Blocking {
        drop(life);
        drop((payload, trailers, objects));
        return Err(Missing::Unknown);
    }
    life.completed = true;
    let instance = life.instance;
    // Numbered under the lock, which calls nobody: from here on they can be given back whatever becomes of the operation.
    let numbered = |objects: &Payload| number(instance, objects.bytes(), &whose);
    let outcome = match (payload, trailers, objects) {
        (Ok(payload), Ok(trailers), Ok(objects)) => match numbered(&objects) {
            Ok(objects) => Outcome {
                status,
                payload,
                trailers,
                objects,
            },
            Err(error) => Outcome::of_error(&error),
        },
        (Err(broken), _, _) | (_, Err(broken), _) | (_, _, Err(broken)) => {
            Outcome::of_error(&Offer::NOTHING.broken("response", &broken, &whose()))
        }
    };
    let (outcome, given) = if status == RB_OK {
        (outcome, Given::default())
    } else {
        // An error has none.
        let objects = Given::default();
        let given = outcome.objects;
        (Outcome { objects, ..outcome }, given)
    };
    let (unwanted, waiting) = if matches!(life.teller, Teller::Nobody) {
        life.told = true;
        (Some(outcome), std::mem::take(&mut life.waiting))
    } else {
        life.outcome = Some(outcome);
        (None, Waiting::default())
    };
    run(node, life);
    drop((unwanted, waiting, given));
    Ok(instance)
}

/// Issues numbers for the objects that a plugin says, eight bytes each.
fn number(instance: Handle, objects: &[u8], whose: &impl Fn() -> String) -> Result<Given, Error> {
    let (addresses, rest) = objects.as_chunks();
    if !rest.is_empty() {
        return Err(Error::new(
            Status::Internal,
            "InvalidResponse",
            format!(
                "{} says that its objects are {} bytes, expected 8 for each",
                whose(),
                objects.len()
            ),
        ));
    }
    let addresses: Vec<u64> = addresses.iter().copied().map(u64::from_ne_bytes).collect();
    objects::issue_all(instance, &addresses, whose).map(Given::of)
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
    if !credit.spend(&items) {
        return RB_RESOURCE_EXHAUSTED;
    }
    let whose = || "the plugin".to_owned();
    let numbers = match objects::issue_all(life.instance, items.objects, whose) {
        Ok(numbers) => numbers,
        Err(error) if error.status() == Status::ResourceExhausted => return RB_RESOURCE_EXHAUSTED,
        Err(_) => return RB_INVALID_ARGUMENT,
    };
    let items = items.with_objects(&numbers);
    if !life.waiting.add(&items) {
        // Nothing was taken, so they are the plugin's again.
        objects::revoke_all(&numbers);
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
