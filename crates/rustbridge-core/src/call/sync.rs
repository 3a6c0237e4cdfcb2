//! Synchronous calls: a handle, an entry and a request in, a status and a response out, on the calling thread.
//!
//! Nothing here panics, unwinds, locks or allocates as long as calls succeed. Handles and entries may have any value, and both are
//! checked. The memory behind pointers can't be checked, which is why the functions are `unsafe`.

use std::ffi::c_void;
use std::ptr;

use rustbridge_abi::{CallContext, RB_PANICKED, RB_UNKNOWN, Response, Status, StatusCode};

use super::inside::{inside, mark};
use super::resolved::{self, CallRequest};
use super::shared::with_copy;
use crate::instance::poison::after_panic;
use crate::instance::refusal::{AttemptedCall, Refusal};
use crate::instance::roster::find_instance;
use crate::instance::target::{INSTANCES, Target};
use crate::library::describe::FLAG_LEAF;
use crate::library::negotiate::CallFn;
use crate::library::token;
use crate::registry::guard::NestingSlot;
use crate::registry::slot::Slot;
use crate::registry::table::Handle;
use crate::registry::tls;
use crate::response::{Offer, write_error, write_text};

/// Calls an entry of an instance and returns the status, one of the `RB_` codes.
///
/// On `RB_OK` the response contains the result, otherwise the error payload. Both follow the rules of [`Response`], so
/// [`release`](crate::handles::release) must follow once. Any number of calls may run at once, on any threads, also inside a call.
///
/// An entry with [`ENTRY_LEAF`](crate::handles::ENTRY_LEAF) is refused with `RB_FAILED_PRECONDITION` unless the author has declared the
/// method leaf: short, non-blocking and free of callbacks. So a host can use the cheapest kind of foreign call of its runtime (one
/// during which the garbage collector has to wait, say) without checking the method itself.
///
/// For an entry with [`ENTRY_SHARED`](crate::handles::ENTRY_SHARED), the plugin receives a copy of the request: for memory that other
/// threads may write to during the call. The copy is on the stack up to 512 bytes, and up to 256 KiB in memory that the thread keeps.
/// Without memory for the copy, the call is refused with `RB_RESOURCE_EXHAUSTED`. Both bits can be combined.
///
/// Refused are an invalid handle or `entry`, a null `request` with a length, and a length above `isize::MAX`. If `response` is null, the
/// payload is discarded.
///
/// # Safety
/// `request` points to `request_len` readable bytes that don't change during the call, unless the entry says
/// that they may, or that length is 0. `response` is null, or points to a response whose `data` is null with `capacity` 0 or points to `capacity` writable bytes;
/// its other fields may hold anything.
#[inline(always)]
pub unsafe fn call(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let slot = INSTANCES.slot(handle);
    if let Some(cell) = tls::cell()
        && cell.nesting_slots[0].is_idle()
    {
        let nesting_slot = &cell.nesting_slots[0];
        let refusal = if nesting_slot.enter(mark(handle, entry), slot, handle) {
            // SAFETY: we are inside.
            match unsafe { admit(slot, entry, request, request_len) } {
                Ok(ready) => {
                    // SAFETY: we are inside; request and response are the caller's promise.
                    unsafe {
                        let offer = Offer::of(response);
                        let status = ready.run(ptr::null(), request, request_len, response);
                        if offer.is_filled(response) && status as u32 <= LAST_STATUS {
                            nesting_slot.leave();
                            return status;
                        }
                        return conclude(nesting_slot, status, response, offer);
                    }
                }
                Err(refusal) => refusal,
            }
        } else {
            Refusal::Shut
        };
        nesting_slot.leave();
        // Each reason has a way out of its own, known when this is compiled: one for all would cost the calls that are let in
        // an instruction at each check, to note what to say if it failed.
        // SAFETY: the caller's promise about the response.
        return unsafe {
            match refusal {
                Refusal::Shut => refuse(|| Refusal::Shut, handle, entry, request_len, response),
                Refusal::Request => {
                    refuse(|| Refusal::Request, handle, entry, request_len, response)
                }
                Refusal::Entry => copy_or_refuse(handle, entry, request, request_len, response),
                other => refuse(|| other, handle, entry, request_len, response),
            }
        };
    }
    // SAFETY: the caller's promises are the same.
    unsafe { call_slowly(handle, entry, request, request_len, response) }
}

/// The largest known status.
pub(super) const LAST_STATUS: u32 = Status::ALL[Status::ALL.len() - 1].code() as u32;

/// An admitted call.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    pub(super) call: CallFn,
    pub(super) instance: *mut c_void,
    pub(super) index: u32,
}

/// Checks the entry and the request, inside the instance.
///
/// # Safety
/// The calling thread is inside `slot`.
#[inline(always)]
pub(super) unsafe fn admit(
    slot: &Slot<Target>,
    entry: u32,
    request: *const u8,
    request_len: usize,
) -> Result<Ready, Refusal> {
    // SAFETY: we are inside.
    let target = unsafe { slot.target() };
    if !is_readable(request, request_len) {
        return Err(Refusal::Request);
    }
    // One comparison checks the tag, the range, and that the leaf bit is clear.
    let mut index = token::distance(entry, target.base);
    if index >= target.count {
        index = token::leaf_index(index);
        if index >= target.count {
            return Err(Refusal::Entry);
        }
        // SAFETY: `flags` has `count` bytes and lives as long as the mapping, that is for good.
        let flags = unsafe { *target.flags.add(index as usize) };
        if flags & FLAG_LEAF == 0 {
            return Err(Refusal::NotLeaf);
        }
    }
    Ok(Ready {
        call: target.call.ok_or(Refusal::Shut)?,
        instance: target.instance,
        index,
    })
}

impl Ready {
    /// Calls the plugin. The response has to be checked before it's read.
    ///
    /// # Safety
    /// The calling thread is still inside the slot that admitted it; request and response as for [`call`]; the header is null
    /// or one that the core has made for the plugin.
    #[inline(always)]
    pub(super) unsafe fn run(
        self,
        header: *const CallContext,
        request: *const u8,
        request_len: usize,
        response: *mut Response,
    ) -> StatusCode {
        // SAFETY: function and instance belong together and live until we leave; header, request and response are as the
        // ABI asks, by the caller's promise.
        unsafe {
            (self.call)(
                self.instance,
                self.index,
                header,
                request,
                request_len,
                response,
            )
        }
    }
}

/// Ends a call whose response isn't in the caller's buffer, or whose status is unknown.
///
/// A single function, called last, so that an ordinary call keeps no register for it: the instance and the entry are in the mark.
///
/// # Safety
/// As for [`call`] about the response, whose buffer is that of the offer.
#[inline(never)]
unsafe fn conclude(
    nesting_slot: &NestingSlot,
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let status = unsafe { checked_status(status, response, offer, || asked(nesting_slot)) };
    if status as u32 <= LAST_STATUS {
        nesting_slot.leave();
        return status;
    }
    let (handle, _) = asked(nesting_slot);
    nesting_slot.leave();
    settle(status, handle)
}

/// The handle and the entry of the marked call. It's still inside, so no other instance uses the slot.
#[cold]
fn asked(nesting_slot: &NestingSlot) -> (Handle, u32) {
    nesting_slot.running().map_or((0, 0), |mark| {
        (INSTANCES.latest(mark.place().slot()), mark.entry())
    })
}

/// Checks a response. Returns the plugin's status if it's valid; otherwise replaces it by an error. `asked` returns the handle and the
/// entry.
///
/// # Safety
/// As for [`call`] about the response, whose buffer is that of the offer.
#[inline(always)]
pub(super) unsafe fn checked_status(
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
    asked: impl FnOnce() -> (Handle, u32),
) -> StatusCode {
    // SAFETY: the caller's promise.
    match unsafe { response.as_mut() } {
        None => return status,
        Some(response) if offer.is_kept(response) => {
            offer.restore(response);
            return status;
        }
        Some(_) => {}
    }
    let (handle, entry) = asked();
    // SAFETY: as above, and not null.
    unsafe { replace_invalid(status, response, offer, handle, entry) }
}

/// Replaces an invalid response by an error.
///
/// # Safety
/// `response` is writable, and its buffer is that of the offer.
#[cold]
#[inline(never)]
unsafe fn replace_invalid(
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
    handle: Handle,
    entry: u32,
) -> StatusCode {
    let whose = whose(handle, entry);
    // SAFETY: the caller's promise.
    unsafe {
        let error = offer.broken("response", &*response, &whose);
        *response = offer.response();
        // A panic keeps its consequences.
        write_error(&error, response) | if status >= 0 { status & RB_PANICKED } else { 0 }
    }
}

/// Names the plugin and the method, for a message.
#[cold]
pub(super) fn whose(handle: Handle, entry: u32) -> String {
    find_instance(handle).map_or_else(
        |_| "the plugin".to_owned(),
        |instance| {
            let plugin = instance.plugin;
            plugin.whose(&plugin.name_of(entry))
        },
    )
}

#[inline(always)]
pub(crate) fn is_readable(request: *const u8, request_len: usize) -> bool {
    (!request.is_null() || request_len == 0) && request_len as isize >= 0
}

/// A call on a thread that has no slot yet or is inside a call, or in a process without an asymmetric fence.
///
/// # Safety
/// As for [`call`].
#[cold]
#[inline(never)]
unsafe fn call_slowly(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises.
    let status = unsafe { attempt(handle, entry, ptr::null(), request, request_len, response) };
    match status {
        Ok(status) if status as u32 <= LAST_STATUS => status,
        Ok(status) => settle(status, handle),
        // SAFETY: the caller's promises.
        Err(Refusal::Entry) => unsafe {
            copy_or_refuse(handle, entry, request, request_len, response)
        },
        // SAFETY: the caller's promise about the response.
        Err(refusal) => unsafe { refuse(|| refusal, handle, entry, request_len, response) },
    }
}

/// Makes a call on any thread, or returns why it's refused. The response is checked; the status is the plugin's.
///
/// # Safety
/// As for [`call`]; the header is null or one that the core has made for the plugin.
#[inline(always)]
pub(super) unsafe fn attempt(
    handle: Handle,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> Result<StatusCode, Refusal> {
    inside(handle, entry, |slot| {
        // SAFETY: we are inside; the rest is the caller's promise.
        unsafe {
            admit(slot, entry, request, request_len).map(|ready| {
                let offer = Offer::of(response);
                let status = ready.run(header, request, request_len, response);
                checked_status(status, response, offer, || (handle, entry))
            })
        }
    })
}

/// Interprets an unknown status: a panic, or an invalid number.
#[cold]
#[inline(never)]
pub(super) fn settle(status: StatusCode, handle: Handle) -> StatusCode {
    if status & RB_PANICKED != 0 && status >= 0 {
        after_panic(handle);
    }
    match Status::from_code(status) {
        // A panic bit on a success contradicts itself; the bit is what matters.
        Status::Ok => Status::Internal.code(),
        Status::Unknown => RB_UNKNOWN,
        known => known.code(),
    }
}

/// Makes a call whose entry isn't one of the plugin's: with a copy of the request, if the entry has the shared bit; or for a client of
/// other types. Other calls don't pay for these checks.
///
/// # Safety
/// As for [`call`].
#[cold]
#[inline(never)]
unsafe fn copy_or_refuse(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let why = if token::is_shared(entry) {
        let entry = token::unshared(entry);
        // SAFETY: the caller's promises. The request may change during the call, and the copy doesn't.
        let called = unsafe {
            with_copy(request, request_len, |copy| {
                call(handle, entry, copy, request_len, response)
            })
        };
        match called {
            Some(status) => return status,
            None => Refusal::Memory,
        }
    } else {
        let sent = CallRequest {
            entry,
            request,
            request_len,
            resolved: None,
        };
        let mut attempt = |sent: CallRequest| {
            let CallRequest {
                entry,
                request,
                request_len,
                ..
            } = sent;
            // SAFETY: the caller's promises, and a request that is readable as long.
            Ok(Some(unsafe {
                call(handle, entry, request, request_len, response)
            }))
        };
        // SAFETY: the caller's promises.
        let called =
            unsafe { resolved::attempt(&mut attempt, handle, sent, ptr::null_mut(), response) };
        match called {
            Ok(Some(status)) => return status,
            Ok(None) => Refusal::Entry,
            Err(why) => why,
        }
    };
    // SAFETY: the caller's promise about the response.
    unsafe { refuse(|| why, handle, entry, request_len, response) }
}

/// Writes the error of a refused call.
///
/// # Safety
/// As for [`call`] about `response`.
#[cold]
#[inline(never)]
pub(super) unsafe fn refuse(
    why: impl FnOnce() -> Refusal,
    handle: Handle,
    entry: u32,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let refusal = why();
    let mut asked = AttemptedCall {
        handle,
        entry,
        len: request_len,
        plugin: None,
    };
    if refusal.names_plugin() {
        match find_instance(handle) {
            Ok(instance) => asked.plugin = Some(instance.plugin),
            // It was closed in between.
            // SAFETY: the caller's promise about the response.
            Err(gone) => return unsafe { write_error(&gone, response) },
        }
    }
    let (status, write) = refusal.answer(&asked);
    // SAFETY: the caller's promise about the response.
    unsafe { write_text(response, write) };
    status.code()
}
