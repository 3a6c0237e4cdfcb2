//! The call path as the bindings use it: raw handles, entry tokens and responses, statuses as plain integers.
//!
//! Nothing here panics, unwinds, locks or allocates as long as calls succeed. Every handle and every entry token may be
//! made up: both are checked. What can't be checked is the memory behind pointers, hence `unsafe`.
//!
//! ```
//! use rustbridge_core::{Encoding, Load, Response, raw};
//! # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
//!
//! let plugin = Load::linked(my_plugin::entry_point, "tiny").open()?;
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

use std::ptr;

use rustbridge_abi::{RB_OK, RB_PANICKED, RB_UNKNOWN, RawStatus, Response, Status};

use crate::cells::{self, Cell};
use crate::describe::{ENTRY_LEAF, FLAG_LEAF, INDEX_BITS};
use crate::error::Error;
use crate::guard::{self, Mark};
use crate::slot::{Condition, Slot};
use crate::table::{self, Handle};
use crate::{fence, instance, tls};

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
) -> RawStatus {
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
) -> RawStatus {
    // SAFETY: the caller's promises are the same.
    unsafe { call_as::<true>(handle, entry, request, request_len, response) }
}

/// # Safety
/// As for [`call`].
#[inline(always)]
unsafe fn call_as<const LEAF: bool>(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> RawStatus {
    let slot = table::slot(handle);
    let Some(cell) = tls::cell() else {
        // SAFETY: the caller's promises are the same.
        return unsafe { call_slowly(LEAF, handle, entry, request, request_len, response) };
    };
    let level = &cell.levels[0];
    if !level.is_idle() {
        // SAFETY: the caller's promises are the same.
        return unsafe { call_slowly(LEAF, handle, entry, request, request_len, response) };
    }
    let status = if level.enter(Mark::new(table::index(handle), entry), slot, handle) {
        // SAFETY: we are inside; the rest is the caller's promise.
        unsafe { run::<LEAF>(slot, entry, request, request_len, response) }
    } else {
        REFUSED
    };
    level.leave();
    if status as u64 <= LAST_STATUS {
        status as RawStatus
    } else {
        // SAFETY: the caller's promise about the response.
        unsafe { settle(LEAF, status, handle, entry, request, request_len, response) }
    }
}

/// The largest status of the table.
const LAST_STATUS: u64 = Status::ALL[Status::ALL.len() - 1].raw() as u64;

/// A plugin's status, widened without its sign, or `REFUSED`: a place beside all the numbers a plugin can answer.
type Outcome = i64;

/// The plugin wasn't called.
const REFUSED: Outcome = -1;

/// Checks what remains to be checked and calls the plugin, or answers `REFUSED`.
///
/// # Safety
/// The calling thread is inside `slot`; the rest as for [`call`].
#[inline(always)]
unsafe fn run<const LEAF: bool>(
    slot: &Slot,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> Outcome {
    // SAFETY: we are inside.
    let target = unsafe { slot.target() };
    // The tag and the range in one comparison: under another tag the difference is at least 0x10000.
    let index = (entry & !ENTRY_LEAF).wrapping_sub(target.base);
    if index >= target.count || !is_readable(request, request_len) {
        return REFUSED;
    }
    // SAFETY: `flags` has `count` bytes and lives as long as the mapping, that is for good.
    if LEAF && unsafe { *target.flags.add(index as usize) } & FLAG_LEAF == 0 {
        return REFUSED;
    }
    let Some(call) = target.call else {
        return REFUSED;
    };
    // SAFETY: `call` and `instance` belong to a live instance, which stays alive until we leave; the header may be null;
    // request and response are as the ABI asks, by the caller's promise.
    let status = unsafe {
        call(
            target.instance,
            index,
            ptr::null(),
            request,
            request_len,
            response,
        )
    };
    Outcome::from(status as u32)
}

#[inline(always)]
fn is_readable(request: *const u8, request_len: usize) -> bool {
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
) -> RawStatus {
    let slot = table::slot(handle);
    let run_inside = || {
        // SAFETY: run only after a successful `enter` below; the rest is the caller's promise.
        unsafe {
            if leaf {
                run::<true>(slot, entry, request, request_len, response)
            } else {
                run::<false>(slot, entry, request, request_len, response)
            }
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
        let status = if inside { run_inside() } else { REFUSED };
        level.leave();
        status
    } else {
        let inside = guard::enter_counted(slot, handle);
        let status = if inside { run_inside() } else { REFUSED };
        guard::leave_counted(slot);
        status
    };
    if status as u64 <= LAST_STATUS {
        status as RawStatus
    } else {
        // SAFETY: the caller's promise about the response.
        unsafe { settle(leaf, status, handle, entry, request, request_len, response) }
    }
}

/// What a status outside the table means: refused by us, a panic, or a number the plugin made up.
///
/// # Safety
/// As for [`call`].
#[cold]
#[inline(never)]
unsafe fn settle(
    leaf: bool,
    status: Outcome,
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> RawStatus {
    if status == REFUSED {
        let error = refusal(leaf, handle, entry, request, request_len);
        // SAFETY: the caller's promise about the response.
        return unsafe { write_error(&error, response) };
    }
    let status = status as RawStatus;
    if status & RB_PANICKED != 0 && status >= 0 {
        instance::after_panic(handle, leaf);
    }
    match Status::from_raw(status) {
        // A panic bit on a success contradicts itself; the bit is what matters.
        Status::Ok => Status::Internal.raw(),
        Status::Unknown => RB_UNKNOWN,
        known => known.raw(),
    }
}

/// Finds out why `run` or `enter` refused.
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
pub unsafe fn write_error(error: &Error, response: *mut Response) -> RawStatus {
    // SAFETY: the caller's promise.
    unsafe { write_bytes(error.to_json().into_bytes(), response) };
    error.status().raw()
}

/// Answers with these bytes: into the caller's storage where they fit, else handed over.
///
/// # Safety
/// As for [`call`] about `response`.
pub unsafe fn write_bytes(bytes: Vec<u8>, response: *mut Response) -> RawStatus {
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
