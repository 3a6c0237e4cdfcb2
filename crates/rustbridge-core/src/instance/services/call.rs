//! Service calls: what a plugin asks for through the host's table, and how it's answered.

use std::cell::OnceCell;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    CallContext, EncodingCode, RB_INVALID_ARGUMENT, RB_NOT_FOUND, RB_OK, RB_PENDING,
    RB_UNIMPLEMENTED, Response, ServiceDone, ServiceHost, Status, StatusCode, Text,
};

use super::context::{context, numbered};
use super::deferred::{self, Answer, Done, Pending};
use super::expired;
use super::gate::{self, Inside, MOST_NESTED, Outside};
use super::own_thread;
use super::refusal::{
    given_up, has_stack, in_leaf, no_done, no_number, no_stack, no_such, refused, too_deep,
    unreadable,
};
use super::registered::{RegisteredService, ServiceCall, Services};
use super::resolving_service;
use crate::async_call::objects::DROPPING;
use crate::current_call::CurrentCall;
use crate::error::Error;
use crate::library::describe::{ENTRY_LEAF, FLAG_LEAF};
use crate::library::token;
use crate::registry::table::Handle;
use crate::response::{Offer, release, write_bytes, write_error};

/// How long a thread waits for a service that answers later, unless the call says.
const PATIENCE: Duration = Duration::from_secs(30);

/// What an instance gets under `rb.services/1`.
pub(crate) static TABLE: ServiceHost = ServiceHost {
    find: Some(find_service),
    call: Some(call),
    start: Some(start),
    cancel: Some(cancel),
    ..ServiceHost::EMPTY
};

unsafe extern "C" fn find_service(
    context: *mut c_void,
    name: Text,
    encoding: EncodingCode,
    service: *mut u32,
) -> StatusCode {
    let handle = context as Handle;
    if service.is_null() || (name.data.is_null() && name.len != 0) || name.len as isize <= -1 {
        return RB_INVALID_ARGUMENT;
    }
    // SAFETY: the text is readable until we return, by the ABI.
    let name = unsafe { name.as_bytes() };
    let found = gate::within(handle, 0, u32::MAX, |inside| {
        let mut named = inside
            .services
            .list
            .iter()
            .enumerate()
            .filter(|(_, service)| service.name.as_bytes() == name)
            .peekable();
        if named.peek().is_none() {
            return Err(RB_NOT_FOUND);
        }
        named
            .find(|(_, service)| service.encoding.code() == encoding)
            .map(|(position, _)| position as u32)
            .ok_or(RB_UNIMPLEMENTED)
    });
    match found {
        Ok(Ok(position)) => {
            // SAFETY: not null, and writable by the ABI.
            unsafe { service.write(position) };
            RB_OK
        }
        Ok(Err(status)) => status,
        Err(outside) => refused(handle, outside).status().code(),
    }
}

/// What a plugin asks for.
#[derive(Clone, Copy)]
struct PluginRequest {
    handle: Handle,
    service: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    /// Whether the calling thread waits for the answer.
    waits: bool,
}

unsafe extern "C" fn call(
    context: *mut c_void,
    service: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let asked = PluginRequest {
        handle: context as Handle,
        service,
        header,
        request,
        request_len,
        waits: true,
    };
    // SAFETY: the plugin's promises, by the ABI.
    unsafe {
        with_response(response, |response| {
            answered(asked, response, |pending, seen, service| {
                let limit = seen.timeout().unwrap_or(PATIENCE);
                let answer = pending.wait(limit, seen.op, |is_cancelled| {
                    given_up(service, is_cancelled, limit)
                });
                Some(answer)
            })
        })
    }
}

unsafe extern "C" fn start(
    context: *mut c_void,
    service: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    done: ServiceDone,
    data: *mut c_void,
    call: *mut u64,
) -> StatusCode {
    let asked = PluginRequest {
        handle: context as Handle,
        service,
        header,
        request,
        request_len,
        waits: false,
    };
    // SAFETY: the plugin's promises, by the ABI.
    unsafe {
        with_response(response, |response| {
            let Some(function) = done else {
                return write_error(&no_done(), response);
            };
            answered(asked, response, |pending, seen, _| {
                if !call.is_null() {
                    // Before the end can be told, which frees what this may be part of.
                    call.write(pending.number);
                }
                let time = seen.timeout();
                let timer = time.and_then(|time| expired::end_after(time, pending.number));
                pending.tell_later(Done { function, data }, timer)
            })
        })
    }
}

unsafe extern "C" fn cancel(context: *mut c_void, call: u64) -> StatusCode {
    let handle = context as Handle;
    let cancelled = of_instance(handle, call).and_then(|pending| {
        gate::within(handle, pending.service, u32::MAX, |inside| {
            let why = Error::new(
                Status::Cancelled,
                "Cancelled",
                "the plugin has cancelled the service call",
            );
            // As for calls: a leaf method may be called in a way in which the host can't be entered.
            let may_enter = has_stack()
                && !inside
                    .entry
                    .is_some_and(|entry| is_leaf(inside.services, entry));
            // SAFETY: inside, so the instance is alive.
            unsafe {
                if may_enter {
                    pending.cancel(why)
                } else {
                    pending
                        .cancel_untold(why)
                        .map(|()| expired::tell(pending.number))
                }
            }
        })
        .unwrap_or_else(|outside| Err(refused(handle, outside)))
    });
    cancelled.map_or_else(|error| error.status().code(), |()| RB_OK)
}

/// A call by its number, if it's one of the instance's.
fn of_instance(handle: Handle, call: u64) -> Result<Arc<Pending>, Error> {
    deferred::find_deferred(call).and_then(|pending| {
        if pending.handle == handle {
            Ok(pending)
        } else {
            Err(deferred::over(call))
        }
    })
}

/// Answers a service call that was to be answered later, as [`handles::service_reply`](crate::handles::service_reply) says.
pub(crate) fn reply(call: u64, status: StatusCode, payload: Vec<u8>) -> Result<(), Error> {
    let pending = deferred::find_deferred(call)?;
    let status = match Status::from_code(status) {
        Status::Ok => RB_OK,
        known => known.code(),
    };
    gate::within(pending.handle, pending.service, u32::MAX, |inside| {
        let answer = Answer { status, payload };
        let service = inside.services.list.get(pending.service as usize);
        let answer = match service.and_then(|service| service.resolved.as_deref()) {
            Some(by) => resolving_service::late(by, answer),
            None => answer,
        };
        // SAFETY: inside, so the instance is alive.
        unsafe { pending.end(answer) }
    })
    .unwrap_or_else(|outside| match outside {
        Outside::Shut => Err(deferred::over(call)),
        Outside::TooDeep => Err(too_deep()),
    })
}

/// The same for Rust.
pub(crate) fn reply_result(call: u64, answer: Result<Vec<u8>, Error>) -> Result<(), Error> {
    let Answer { status, payload } = match answer {
        Ok(payload) => Answer {
            status: RB_OK,
            payload,
        },
        Err(error) => error.for_plugin().into(),
    };
    reply(call, status, payload)
}

/// Ends what an instance has to do with services, once nothing that is drained can call them: no further call is let in, and
/// those that are pending get UNAVAILABLE. [`gate::is_empty`] says when nobody is inside any more.
pub(crate) fn end_services(handle: Handle) {
    // Whoever is inside keeps the instance from being destroyed while its functions are called here.
    let _ = gate::within(handle, u32::MAX, u32::MAX, |inside| {
        gate::shut(handle);
        inside.services.is_ended.store(true, Ordering::Relaxed);
        for pending in deferred::of(handle) {
            let why = Error::new(
                Status::Unavailable,
                "Closed",
                format!(
                    "the instance is closing, and {} hasn't answered",
                    inside.services.name_of(pending.service)
                ),
            );
            // One that is over needs nothing.
            // SAFETY: inside.
            let _ = unsafe { pending.cancel(why) };
        }
    });
    gate::shut(handle);
    gate::settle();
}

/// Replaces a null response by one that is thrown away.
///
/// # Safety
/// `response` is null or a response of the plugin's.
#[inline(always)]
unsafe fn with_response(
    response: *mut Response,
    answer: impl FnOnce(*mut Response) -> StatusCode,
) -> StatusCode {
    if !response.is_null() {
        return answer(response);
    }
    let mut unwanted = Response::empty();
    let status = answer(&raw mut unwanted);
    // SAFETY: filled in by us, and nobody has seen it.
    unsafe { release(&raw mut unwanted) };
    status
}

/// Calls the service. `later` takes a call that's answered later, and may have the answer.
///
/// # Safety
/// As `ServiceHost::call` says; the response isn't null.
#[inline(always)]
unsafe fn answered(
    asked: PluginRequest,
    response: *mut Response,
    later: impl FnOnce(&Arc<Pending>, &ServiceCall<'_>, &RegisteredService) -> Option<Answer>,
) -> StatusCode {
    let result = gate::within(asked.handle, asked.service, MOST_NESTED, |inside| {
        // SAFETY: the caller's promises, and inside.
        unsafe { run(asked, inside, response, later) }
    });
    match result {
        Ok(Ok(status)) => status,
        // SAFETY: the plugin's response.
        Ok(Err(error)) => unsafe { write_error(&error, response) },
        // SAFETY: as above.
        Err(outside) => unsafe { write_error(&refused(asked.handle, outside), response) },
    }
}

/// # Safety
/// As for [`answered`], and the thread is inside the gate.
#[inline(always)]
unsafe fn run(
    asked: PluginRequest,
    inside: Inside<'_>,
    response: *mut Response,
    later: impl FnOnce(&Arc<Pending>, &ServiceCall<'_>, &RegisteredService) -> Option<Answer>,
) -> Result<StatusCode, Error> {
    let services = inside.services;
    let Some(service) = services.list.get(asked.service as usize) else {
        return Err(no_such(services, asked.service));
    };
    if let Some(entry) = inside.entry
        && is_leaf(services, entry)
    {
        return Err(in_leaf(services, service, entry));
    }
    if !has_stack() {
        return Err(no_stack(service));
    }
    if !crate::response::is_bytes(asked.request, asked.request_len) {
        return Err(unreadable(service, asked.request_len));
    }
    let request = if asked.request_len == 0 {
        &[]
    } else {
        // SAFETY: checked as far as can be; the rest is the plugin's promise.
        unsafe { std::slice::from_raw_parts(asked.request, asked.request_len) }
    };
    let copy;
    let (header, op) = if asked.header.is_null() {
        let number = if inside.carries {
            CurrentCall::number_for_service(asked.handle)
        } else {
            0
        };
        match number {
            0 => (None, 0),
            number => {
                copy = numbered(number);
                (Some(&copy), 0)
            }
        }
    } else {
        // SAFETY: the plugin's promise.
        let (header, op) = unsafe { context(asked.header, asked.handle, service) }?;
        copy = header;
        (Some(&copy), op)
    };
    let seen = ServiceCall {
        services,
        handle: asked.handle,
        number: asked.service,
        header,
        op,
        request,
        pending: OnceCell::new(),
        waits: asked.waits,
    };
    // When the answer would come too late: what answers later is waited for no longer than that.
    let until = seen
        .timeout()
        .and_then(|timeout| Instant::now().checked_add(timeout));
    // SAFETY: the plugin's response.
    let offer = unsafe { Offer::of(response) };
    let status = if !asked.waits && service.may_block && !inside.waits() {
        // SAFETY: the header was looked at, and the rest is the plugin's promise.
        unsafe { own_thread::run_on_thread(services, service, &seen) }?;
        RB_PENDING
    } else {
        service.service.call(&seen, response)
    };
    // SAFETY: as above.
    if status == RB_OK && seen.pending.get().is_none() && unsafe { offer.is_filled(response) } {
        return match until {
            // SAFETY: as above.
            Some(until) => unsafe { in_time(until, service, response, offer) },
            None => Ok(RB_OK),
        };
    }
    // SAFETY: as above; the storage is what was offered.
    unsafe {
        let status = settle(status, &seen, service, response, offer, later)?;
        match until {
            Some(until) if status == RB_OK => in_time(until, service, response, offer),
            _ => Ok(status),
        }
    }
}

/// Whether an answer has come in time: who asked has none to wait for it any more. An error counts as it is.
///
/// # Safety
/// The response is filled in, and its storage is what was offered.
#[cold]
unsafe fn in_time(
    until: Instant,
    service: &RegisteredService,
    response: *mut Response,
    offer: Offer,
) -> Result<StatusCode, Error> {
    if Instant::now() < until {
        return Ok(RB_OK);
    }
    // SAFETY: the caller's promise.
    unsafe {
        release(response);
        *response = offer.response();
    }
    Err(expired::over(&format!("service `{}`", service.name)))
}

/// The end of a call that isn't answered at once, in the storage and well.
///
/// # Safety
/// As for [`run`]; `offer` is the response's.
#[inline(never)]
unsafe fn settle(
    status: StatusCode,
    seen: &ServiceCall<'_>,
    service: &RegisteredService,
    response: *mut Response,
    offer: Offer,
    later: impl FnOnce(&Arc<Pending>, &ServiceCall<'_>, &RegisteredService) -> Option<Answer>,
) -> Result<StatusCode, Error> {
    if status == RB_PENDING
        && let Some(pending) = seen.pending.get()
    {
        // SAFETY: the plugin's response, which holds nothing.
        unsafe { *response = offer.response() };
        return Ok(match later(pending, seen, service) {
            None => RB_PENDING,
            Some(Answer { status, payload }) => {
                // SAFETY: as above.
                unsafe { write_bytes(payload, response) };
                status
            }
        });
    }
    if let Some(pending) = seen.pending.get() {
        pending.withdraw();
    }
    // SAFETY: the plugin's response.
    let filled = unsafe { &mut *response };
    if !offer.is_kept(filled) {
        let error = offer.broken("response", filled, &format!("service `{}`", service.name));
        *filled = offer.response();
        return Err(error);
    }
    offer.restore(filled);
    if status == RB_PENDING {
        return Err(no_number(service));
    }
    Ok(Status::from_code(status).code())
}

fn is_leaf(services: &Services, entry: u32) -> bool {
    // No method, though it has all bits.
    if entry == DROPPING {
        return false;
    }
    let flags = &services.plugin.description.flags;
    entry & ENTRY_LEAF != 0
        || flags
            .get(usize::from(token::index(entry)))
            .is_some_and(|flags| flags & FLAG_LEAF != 0)
}
