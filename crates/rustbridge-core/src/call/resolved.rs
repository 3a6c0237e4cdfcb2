//! Schema resolution of calls: for a client whose types differ from the plugin's, the request is converted before the call and the
//! response after it.

use rustbridge_abi::{Object, RB_PANICKED, Reply, Response, StatusCode};

use super::objects::release_object;
use crate::error::Error;
use crate::instance::refusal::Refusal;
use crate::instance::roster::find_instance;
use crate::library::describe::ENTRY_LEAF;
use crate::library::resolved_method::ResolvedMethod;
use crate::registry::table::Handle;
use crate::response::{Offer, bytes_of, is_bytes, release, write_bytes, write_error};

/// An entry and a request.
#[derive(Clone, Copy)]
pub(super) struct CallRequest {
    pub(super) entry: u32,
    pub(super) request: *const u8,
    pub(super) request_len: usize,
    /// For a client of other types: the conversions. The entry is the plugin's.
    pub(super) resolved: Option<&'static ResolvedMethod>,
}

/// An attempt to call an entry with a request.
pub(super) type Attempt<'a> = dyn FnMut(CallRequest) -> Result<Option<StatusCode>, Refusal> + 'a;

/// Attempts a call for a client of other types: finds the plugin's entry for the client's one, and converts request and response.
///
/// # Safety
/// The request is readable, if it's valid. `reply` is null or the call's. The attempt fills in both, and their buffers are as
/// [`call`](super::sync::call) says.
#[cold]
#[inline(never)]
pub(super) unsafe fn attempt(
    attempt: &mut Attempt<'_>,
    handle: Handle,
    sent: CallRequest,
    reply: *mut Reply,
    response: *mut Response,
) -> Result<Option<StatusCode>, Refusal> {
    let Ok(instance) = find_instance(handle) else {
        return Err(Refusal::Shut);
    };
    let plugin = instance.plugin;
    let Some(resolved) = plugin.resolved(sent.entry & !ENTRY_LEAF) else {
        return Err(Refusal::Entry);
    };
    if sent.entry & ENTRY_LEAF != 0 {
        return Err(Refusal::NotLeaf);
    }
    drop(instance);
    if !is_bytes(sent.request, sent.request_len) {
        return Err(Refusal::Request);
    }
    let request = if sent.request_len == 0 {
        &[]
    } else {
        // SAFETY: not null, and the caller's promise.
        unsafe { std::slice::from_raw_parts(sent.request, sent.request_len) }
    };
    let own = match resolved.request(request) {
        Ok(own) => own,
        // SAFETY: the caller's promise about the response.
        Err(error) => return Ok(Some(unsafe { write_error(&error, response) })),
    };
    let (request, request_len) = match &own {
        Some(own) => (own.as_ptr(), own.len()),
        None => (sent.request, sent.request_len),
    };
    // SAFETY: the caller's promise.
    let offer = unsafe { Offer::of(response) };
    let objects = match reply.is_null() {
        true => Offer::NOTHING,
        // SAFETY: as above.
        false => unsafe { Offer::of(&raw mut (*reply).objects) },
    };
    let attempted = attempt(CallRequest {
        entry: plugin.base() | u32::from(resolved.index),
        request,
        request_len,
        resolved: Some(resolved),
    })?;
    Ok(attempted.map(|status| {
        // SAFETY: the attempt has filled in and checked them. Their buffers are those of the offer.
        unsafe { convert_response(resolved, status, (reply, objects), response, offer) }
    }))
}

/// Converts a response to the client's types.
///
/// # Safety
/// As for [`attempt`], after it.
unsafe fn convert_response(
    resolved: &ResolvedMethod,
    status: StatusCode,
    (reply, objects): (*mut Reply, Offer),
    response: *mut Response,
    offer: Offer,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        // The caller doesn't want the response.
        return status;
    };
    // SAFETY: as above. It's released after it was read.
    let converted = resolved.answer(status, unsafe { bytes_of(place) });
    let converted = match converted {
        Ok(None) => return status,
        Ok(Some(bytes)) => Ok(bytes),
        Err(error) => Err(error),
    };
    // SAFETY: filled in by the plugin or by the core, released once.
    unsafe { release(place) };
    *place = offer.response();
    // SAFETY: the caller's buffer.
    unsafe {
        match converted {
            Ok(bytes) => {
                write_bytes(bytes, place);
                status
            }
            Err(error) => {
                release_reply_objects(reply, objects);
                refuse(&error, status, place)
            }
        }
    }
}

/// Writes an error in place of the plugin's response. A panic keeps its consequences.
///
/// # Safety
/// As for [`write_error`].
unsafe fn refuse(error: &Error, status: StatusCode, response: *mut Response) -> StatusCode {
    // SAFETY: the caller's promise.
    let refused = unsafe { write_error(error, response) };
    refused | if status >= 0 { status & RB_PANICKED } else { 0 }
}

/// Releases the objects of a discarded response.
///
/// # Safety
/// `reply` is null or the call's. The buffer of its objects is that of the offer.
unsafe fn release_reply_objects(reply: *mut Reply, offer: Offer) {
    // SAFETY: the caller's promise.
    let Some(reply) = (unsafe { reply.as_mut() }) else {
        return;
    };
    // SAFETY: the core wrote numbers there, or nothing.
    let numbers: Vec<Object> = unsafe { bytes_of(&reply.objects) }
        .chunks_exact(8)
        .map(|number| number.try_into().map_or(0, u64::from_ne_bytes))
        .collect();
    for number in numbers {
        // An object ends with its instance.
        let _ = release_object(number);
    }
    // SAFETY: as above, once.
    unsafe { release(&raw mut reply.objects) };
    reply.objects = offer.response();
}
