//! Calling a prepared method, with its arguments one by one or in one block.

use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary::{self, Refusal};
use crate::load::Instance;

/// Added to an entry: the caller calls in a way that only a leaf method allows, so any other is refused with
/// `RB_FAILED_PRECONDITION` and not called.
///
/// It's for your language's cheapest kind of call (`critical` in Java, `SuppressGCTransition` in C#, keeping the GIL in
/// Python): such calls may not block or call back, and here the promise is checked.
pub const RB_ENTRY_LEAF: u32 = 0x8000;

/// Added to an entry: others may write to the request's memory while the call runs. The library copies the request before
/// the plugin sees it, so what the plugin has checked stays so: a text that was valid and is another one by the time it's
/// used is undefined behaviour.
///
/// For memory of your language's that other threads can reach and safe code can write to: arrays, buffers, memory mapped
/// from files. Without it the request must stay as it is until the function returns. A copy of up to 512 bytes is on the
/// stack, one of up to 256 KiB in memory that the thread keeps for it. `RB_RESOURCE_EXHAUSTED`: there's no memory for it.
pub const RB_ENTRY_SHARED: u32 = 0x4000;

const _: () =
    assert!(RB_ENTRY_LEAF == handles::ENTRY_LEAF && RB_ENTRY_SHARED == handles::ENTRY_SHARED);

/// The arguments and results of a call in one block, for languages in which each argument costs.
///
/// It never grows: what it's for is being prepared once and read at each call. What else a call may carry has a block of
/// its own.
#[repr(C)]
#[derive(Debug)]
pub struct CallArgs {
    /// In: the instance.
    pub instance: Instance,
    /// In: the entry of a prepared method, with or without `RB_ENTRY_LEAF` and `RB_ENTRY_SHARED`.
    pub entry: u32,
    /// Out: what the function returned, too.
    pub status: StatusCode,
    /// In: the request.
    pub request: *const u8,
    /// In: its length.
    pub request_len: usize,
    /// In and out: as for `rb_call`. Unless the response was handed over, `data` and `capacity` are left as they were, for the
    /// next call.
    pub response: Response,
}

/// Calls a prepared method: `request_len` bytes at `request` go in, `response` comes out, on the caller's thread.
///
/// Nothing is allocated, locked or looked up by name on the way. Whatever the plugin returns is passed on, its panics
/// as `RB_INTERNAL`, and so is what it says of its response and can't be true (`rustbridge.InvalidResponse`). `RB_NOT_FOUND`: no such entry, or one of another plugin. `RB_FAILED_PRECONDITION`: the entry has
/// [`RB_ENTRY_LEAF`] added and its method isn't leaf.
///
/// Thread: any, also inside another call. State: active.
///
/// # Safety
/// `request` is readable and nobody changes it meanwhile unless the entry has [`RB_ENTRY_SHARED`] added, or its length
/// is 0; `response` is a response.
/// Its storage doesn't overlap the request: a plugin may still read the one when it writes the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_call(
    instance: Instance,
    entry: u32,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers, and what can be checked has been.
    unsafe {
        if unusable(response) {
            return refuse(response);
        }
        handles::call(instance, entry, request, request_len, response)
    }
}

/// As `rb_call`, with everything in one block. Returns the status and stores it in `args->status`.
///
/// Thread: any, each with its own block. State: active.
///
/// # Safety
/// `args` is readable and writable; what it points to is as for `rb_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_call_block(args: *mut CallArgs) -> StatusCode {
    if args.is_null() {
        return rustbridge_abi::RB_INVALID_ARGUMENT;
    }
    // SAFETY: not null, and the caller vouches for the rest.
    unsafe {
        let status = rb_call(
            (*args).instance,
            (*args).entry,
            (*args).request,
            (*args).request_len,
            &raw mut (*args).response,
        );
        (*args).status = status;
        status
    }
}

/// Frees a response that was handed over and resets the struct to null and 0. Does nothing to a response that is in your
/// own storage, to one released before, and to null. So: once after each call, and no telling apart.
///
/// Thread: any. State: any; also after the instance was closed.
///
/// # Safety
/// `response` is null or what a function of this header, or a previous release, left in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_response_release(response: *mut Response) {
    // SAFETY: not null, and the caller vouches for the rest.
    unsafe {
        if !response.is_null() && (*response).release.is_some() {
            handles::release(response);
        }
    }
}

/// What no plugin should have to defend itself against; the core looks at the request. On the hot path.
///
/// # Safety
/// `response` is null or readable.
#[inline(always)]
pub(crate) unsafe fn unusable(response: *const Response) -> bool {
    // SAFETY: readable if it isn't null.
    unsafe { response.is_null() || ((*response).data.is_null() && (*response).capacity != 0) }
}

/// # Safety
/// `response` is null or a response.
#[cold]
pub(crate) unsafe fn refuse(response: *mut Response) -> StatusCode {
    let refusal = if response.is_null() {
        Refusal::null("response")
    } else {
        Refusal::new(
            "response.data is null and response.capacity isn't 0, expected storage, or null and 0",
        )
    };
    // SAFETY: the caller vouches for `response`.
    unsafe { boundary::enter(response, || Err(refusal.into())) }
}
