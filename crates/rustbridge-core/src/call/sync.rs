//! The call path: a handle, an entry token and a response in, a status out, on the thread that asks.
//!
//! Nothing here panics, unwinds, locks or allocates as long as calls succeed. Every handle and every entry token may be
//! made up: both are checked. What can't be checked is the memory behind pointers, hence `unsafe`.

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

/// Calls an entry of an instance and gives the status, one of the `RB_` codes.
///
/// On `RB_OK` the response holds the answer, otherwise the error payload; both by the rules of [`Response`], so
/// [`release`](crate::handles::release) must follow once. Takes any thread, any number of calls at once, also from inside a call.
///
/// With [`ENTRY_LEAF`](crate::handles::ENTRY_LEAF) added to it an entry is refused with `RB_FAILED_PRECONDITION` unless its
/// author declared the method leaf: short, not blocking, not calling back. So a host can use the cheap kind of foreign call
/// that its runtime has for such functions (one that holds off the garbage collector, say) without having to trust anybody.
///
/// With [`ENTRY_SHARED`](crate::handles::ENTRY_SHARED) added to it the request is copied first, and the plugin sees the copy:
/// for memory that others may write to while the call runs. Up to 512 bytes that's on the stack, up to 256 KiB in memory that
/// the thread keeps for it; without memory for the copy it's `RB_RESOURCE_EXHAUSTED`. It goes together with leaf.
///
/// The refusals of our own: a handle or `entry` that isn't valid, a null `request` with a length, a length above
/// `isize::MAX`. A null `response` means that the payload isn't wanted.
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

/// The largest status of the table.
pub(super) const LAST_STATUS: u32 = Status::ALL[Status::ALL.len() - 1].code() as u32;

/// A call that may be made.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    pub(super) call: CallFn,
    pub(super) instance: *mut c_void,
    pub(super) index: u32,
}

/// Checks what remains to be checked once inside: the entry and the request.
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
    // The tag, the range and that nobody relies on a leaf, in one comparison.
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
    /// Calls the plugin. What it says of its answer is to be looked at before anybody reads that.
    ///
    /// # Safety
    /// The calling thread is still inside the slot that admitted it; request and response as for [`call`]; the header is null
    /// or one for plugins.
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

/// The end of a call that is marked, whose answer isn't in the storage or whose status isn't in the table.
///
/// One function for all of that, and the last that such a call does, so that the usual one keeps no register for it: who was
/// asked for what is in the mark.
///
/// # Safety
/// As for [`call`] about the response, whose storage is what was offered.
#[inline(never)]
unsafe fn conclude(
    nesting_slot: &NestingSlot,
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let status = unsafe { looked_at(status, response, offer, || asked(nesting_slot)) };
    if status as u32 <= LAST_STATUS {
        nesting_slot.leave();
        return status;
    }
    let (handle, _) = asked(nesting_slot);
    nesting_slot.leave();
    settle(status, handle)
}

/// The handle and the entry of the call that is marked here, which is still inside, so that its slot is no other
/// instance's.
#[cold]
fn asked(nesting_slot: &NestingSlot) -> (Handle, u32) {
    nesting_slot.running().map_or((0, 0), |mark| {
        (INSTANCES.latest(mark.place().slot()), mark.entry())
    })
}

/// The plugin's own status if what it says of its answer can be true. If it can't, this answers in its place. `asked` says
/// who was asked for what.
///
/// # Safety
/// As for [`call`] about the response, whose storage is what was offered.
#[inline(always)]
pub(super) unsafe fn looked_at(
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
    unsafe { give_up(status, response, offer, handle, entry) }
}

/// Answers in place of a plugin that said of its answer what can't be true.
///
/// # Safety
/// `response` is writable, and its storage what was offered.
#[cold]
#[inline(never)]
unsafe fn give_up(
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
        // What a panic has for consequences it has all the same.
        write_error(&error, response) | if status >= 0 { status & RB_PANICKED } else { 0 }
    }
}

/// Names the plugin and what it was asked, for a message.
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

/// A call whose thread has no cell yet or is in a call already, or whose process has no asymmetric fence.
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

/// Makes a call from wherever the thread is, or says why not. What the plugin says of its answer has been looked at; the status is
/// still as it gave it.
///
/// # Safety
/// As for [`call`]; the header is null or one for plugins.
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
                looked_at(status, response, offer, || (handle, entry))
            })
        }
    })
}

/// What a status outside the table means: a panic, or a number the plugin made up.
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

/// What an entry means that isn't one as it stands: with the shared bit, the same call with a copy of the request. So
/// those that need no copy don't pay for the question.
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
        // SAFETY: the caller's promises: here the request may change, and the copy doesn't.
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

/// Answers a call that wasn't let in.
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
