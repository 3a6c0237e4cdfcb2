//! The call path as the bindings use it: raw handles, entry tokens and responses, statuses as plain integers.
//!
//! Nothing here panics, unwinds, locks or allocates as long as calls succeed. Every handle and every entry token may be
//! made up: both are checked. What can't be checked is the memory behind pointers, hence `unsafe`.
//!
//! ```
//! use rustbridge_core::{Encoding, Load, Response, raw};
//! # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
//!
//! // SAFETY: a plugin of ours, whose entry point follows the ABI.
//! let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
//! let echo = rustbridge_core::instance::prepare(plugin.handle(), "echo", Encoding::Raw)?;
//!
//! let mut storage = [0_u8; 64];
//! let mut response = Response::with_storage(storage.as_mut_ptr(), storage.len());
//! // SAFETY: request and response are valid for the call, and the response is released once.
//! unsafe {
//!     let status = raw::call(plugin.handle(), echo.entry, b"hi".as_ptr(), 2, &mut response);
//!     assert_eq!((status, response.len), (0, 2));
//!     raw::release(&mut response);
//! }
//! assert_eq!(&storage[..2], b"hi");
//! # Ok::<(), rustbridge_core::Error>(())
//! ```

use std::ffi::c_void;
use std::ptr;

use rustbridge_abi::{RB_OK, RB_PANICKED, RB_UNKNOWN, Response, Status, StatusCode};

use crate::cells::{self, Cell};
use crate::describe::{ENTRY_LEAF, FLAG_LEAF, INDEX_BITS};
use crate::error::Error;
use crate::guard::{self, Mark};
use crate::slot::{CallFn, Condition, Slot};
use crate::table::{self, Handle};
use crate::{fence, instance, tls};

pub use crate::into::{Outcome, call_into, call_into_leaf, release_outcome};

/// Calls an entry of an instance and gives the status, one of the `RB_` codes.
///
/// On `RB_OK` the response holds the answer, otherwise the error payload; both by the rules of [`Response`], so
/// [`release`] must follow once. Takes any thread, any number of calls at once, also from inside a call.
///
/// The refusals of our own: a handle or `entry` that isn't valid, a null `request` with a length, a length above
/// `isize::MAX`. A null `response` means that the payload isn't wanted.
///
/// # Safety
/// `request` points to `request_len` readable bytes that don't change during the call, or that length is 0. `response`
/// is null, or points to a response whose `data` is null with `capacity` 0 or points to `capacity` writable bytes;
/// its other fields may hold anything.
#[inline]
pub unsafe fn call(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises are the same.
    unsafe { call_as::<false>(handle, entry, request, request_len, response) }
}

/// [`call`] for a method that its author declared leaf: short, not blocking, not calling back.
///
/// Any other entry is refused with `RB_FAILED_PRECONDITION`, so that a host can use the cheap kind of foreign call its
/// runtime has for such functions (one that holds off the garbage collector, say) without having to trust anybody.
///
/// # Safety
/// As for [`call`].
#[inline]
pub unsafe fn call_leaf(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises are the same.
    unsafe { call_as::<true>(handle, entry, request, request_len, response) }
}

/// # Safety
/// As for [`call`].
#[inline(always)]
pub(crate) unsafe fn call_as<const LEAF: bool>(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let slot = table::slot(handle);
    if let Some(cell) = tls::cell()
        && cell.levels[0].is_idle()
    {
        let level = &cell.levels[0];
        if level.enter(Mark::new(table::index(handle), entry), slot, handle)
            // SAFETY: we are inside.
            && let Some(ready) = unsafe { admit::<LEAF>(slot, entry, request, request_len) }
        {
            // SAFETY: we are inside; request and response are the caller's promise.
            let status = unsafe { ready.run(request, request_len, response) };
            level.leave();
            return if status as u32 <= LAST_STATUS {
                status
            } else {
                settle(status, handle, LEAF)
            };
        }
        level.leave();
        // SAFETY: the caller's promise about the response.
        return unsafe { refuse(LEAF, handle, entry, request, request_len, response) };
    }
    // SAFETY: the caller's promises are the same.
    unsafe { call_slowly(LEAF, handle, entry, request, request_len, response) }
}

/// The largest status of the table.
const LAST_STATUS: u32 = Status::ALL[Status::ALL.len() - 1].code() as u32;

/// A call that may be made.
#[derive(Clone, Copy)]
struct Ready {
    call: CallFn,
    instance: *mut c_void,
    index: u32,
}

/// Checks what remains to be checked once inside: the entry and the request.
///
/// # Safety
/// The calling thread is inside `slot`.
#[inline(always)]
unsafe fn admit<const LEAF: bool>(
    slot: &Slot,
    entry: u32,
    request: *const u8,
    request_len: usize,
) -> Option<Ready> {
    // SAFETY: we are inside.
    let target = unsafe { slot.target() };
    // The tag and the range in one comparison: under another tag the difference is at least 0x10000.
    let index = (entry & !ENTRY_LEAF).wrapping_sub(target.base);
    if index >= target.count || !is_readable(request, request_len) {
        return None;
    }
    // SAFETY: `flags` has `count` bytes and lives as long as the mapping, that is for good.
    if LEAF && unsafe { *target.flags.add(index as usize) } & FLAG_LEAF == 0 {
        return None;
    }
    Some(Ready {
        call: target.call?,
        instance: target.instance,
        index,
    })
}

impl Ready {
    /// # Safety
    /// The calling thread is still inside the slot that admitted it; request and response as for [`call`].
    #[inline(always)]
    unsafe fn run(
        self,
        request: *const u8,
        request_len: usize,
        response: *mut Response,
    ) -> StatusCode {
        // SAFETY: function and instance belong together and live until we leave; the header may be null; request and
        // response are as the ABI asks, by the caller's promise.
        unsafe {
            (self.call)(
                self.instance,
                self.index,
                ptr::null(),
                request,
                request_len,
                response,
            )
        }
    }
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
    leaf: bool,
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let slot = table::slot(handle);
    let run_inside = || {
        // SAFETY: run only after a successful `enter` below; the rest is the caller's promise.
        unsafe {
            let ready = if leaf {
                admit::<true>(slot, entry, request, request_len)
            } else {
                admit::<false>(slot, entry, request, request_len)
            };
            ready.map(|ready| ready.run(request, request_len, response))
        }
    };
    let free_level = |cell: &'static Cell| cell.levels.iter().find(|level| level.is_idle());
    let status = if let Some(level) = cells::own().and_then(free_level) {
        let mark = Mark::new(table::index(handle), entry);
        let inside = if fence::is_asymmetric() {
            level.enter(mark, slot, handle)
        } else {
            level.enter_with_full_fence(mark, slot, handle)
        };
        let status = if inside { run_inside() } else { None };
        level.leave();
        status
    } else {
        let inside = guard::enter_counted(slot, handle);
        let status = if inside {
            cells::unmarked_call(table::index(handle), run_inside)
        } else {
            None
        };
        guard::leave_counted(slot);
        status
    };
    match status {
        Some(status) if status as u32 <= LAST_STATUS => status,
        Some(status) => settle(status, handle, leaf),
        // SAFETY: the caller's promise about the response.
        None => unsafe { refuse(leaf, handle, entry, request, request_len, response) },
    }
}

/// What a status outside the table means: a panic, or a number the plugin made up.
#[cold]
#[inline(never)]
fn settle(status: StatusCode, handle: Handle, leaf: bool) -> StatusCode {
    if status & RB_PANICKED != 0 && status >= 0 {
        instance::after_panic(handle, leaf);
    }
    match Status::from_code(status) {
        // A panic bit on a success contradicts itself; the bit is what matters.
        Status::Ok => Status::Internal.code(),
        Status::Unknown => RB_UNKNOWN,
        known => known.code(),
    }
}

/// Answers a call that wasn't let in.
///
/// # Safety
/// As for [`call`] about `response`.
#[cold]
#[inline(never)]
unsafe fn refuse(
    leaf: bool,
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let error = refusal(leaf, handle, entry, request, request_len);
    // SAFETY: the caller's promise about the response.
    unsafe { write_error(&error, response) }
}

/// Finds out why `enter` or `admit` refused.
#[cold]
fn refusal(
    leaf: bool,
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
) -> Error {
    let condition = table::condition(handle);
    if condition != Condition::Active {
        return table::refusal(handle, condition);
    }
    if request_len as isize <= -1 {
        return Error::new(
            Status::InvalidArgument,
            "InvalidRequest",
            format!(
                "the request's length is {request_len}, but no request is longer than {} bytes: a negative length, or one cut from a wider type?",
                isize::MAX
            ),
        );
    }
    if request.is_null() && request_len != 0 {
        return Error::new(
            Status::InvalidArgument,
            "InvalidRequest",
            format!(
                "the request is null but {request_len} bytes long: pass its address, or length 0"
            ),
        );
    }
    match instance::entry_refusal(handle, entry & INDEX_BITS, entry >> 16, leaf) {
        Some(error) => error,
        // The handle and the entry are fine by now, so a `close` got in between.
        None => table::refusal(handle, Condition::Closed),
    }
}

/// Gives back what a response holds, and makes the struct empty. Does nothing to one that holds nothing, or to null.
///
/// # Safety
/// `response` is null or points to a response that a function of this crate or a plugin has filled in (or that is
/// [`Response::empty`]), and nobody uses its bytes any more.
#[inline]
pub unsafe fn release(response: *mut Response) {
    // SAFETY: null or valid, by the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        return;
    };
    let mut taken = std::mem::replace(place, Response::empty());
    if let Some(release) = taken.release {
        // SAFETY: the callee set `release` for exactly this; `taken` is the bitwise copy the ABI asks for, and the
        // struct was emptied first, so it happens once.
        unsafe { release(&mut taken) };
    }
}

/// Answers with an error of this crate as a plugin would, and gives its status: into the caller's storage where the
/// payload fits, else handed over. For bindings that have errors of [`instance`] to hand on.
///
/// # Safety
/// As for [`call`] about `response`.
pub unsafe fn write_error(error: &Error, response: *mut Response) -> StatusCode {
    // SAFETY: the caller's promise.
    unsafe { write_bytes(error.to_json().into_bytes(), response) };
    error.status().code()
}

/// Answers with these bytes: into the caller's storage where they fit, else handed over.
///
/// # Safety
/// As for [`call`] about `response`.
pub unsafe fn write_bytes(bytes: Vec<u8>, response: *mut Response) -> StatusCode {
    // SAFETY: null or valid, by the caller's promise.
    let Some(response) = (unsafe { response.as_mut() }) else {
        return RB_OK;
    };
    response.len = bytes.len();
    response.release = None;
    if bytes.len() <= response.capacity && !response.data.is_null() {
        // SAFETY: the caller's storage has `capacity` writable bytes, and a fresh `Vec` doesn't overlap it.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), response.data, bytes.len()) };
    } else if !bytes.is_empty() {
        let boxed = Box::into_raw(bytes.into_boxed_slice());
        response.data = boxed.cast();
        response.capacity = response.len;
        response.owner = boxed.cast();
        response.release = Some(release_boxed);
    }
    RB_OK
}

unsafe extern "C" fn release_boxed(response: *mut Response) {
    // SAFETY: the ABI passes a copy of the struct that `write_bytes` filled in, once.
    unsafe {
        let response = &mut *response;
        drop(Box::from_raw(ptr::slice_from_raw_parts_mut(
            response.owner.cast::<u8>(),
            response.len,
        )));
    }
}
