//! Functions that call a prepared method.

use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary::{self, Refusal};
use crate::load::Instance;

/// Flag to add to an entry: the call is made in a way that only a leaf method allows. If the method is not leaf, the call is
/// refused with `RB_FAILED_PRECONDITION`.
///
/// Set it when you use your language's cheapest kind of foreign call (`critical` in Java, `SuppressGCTransition` in C#,
/// keeping the GIL in Python). Such calls must not block or call back; this flag has the library check that.
pub const RB_ENTRY_LEAF: u32 = 0x8000;

/// Flag to add to an entry: other threads may write to the request's memory while the call runs. The library then copies the
/// request before the plugin sees it, so that a value which the plugin has checked cannot change afterwards.
///
/// Set it for memory that safe code in other threads can write to: arrays, buffers, memory-mapped files. Without the flag, the
/// request must not change until the function returns. Copies of up to 512 bytes are on the stack. Copies of up to 256 KiB
/// use memory that the thread keeps for this purpose. `RB_RESOURCE_EXHAUSTED`: there is no memory for the copy.
pub const RB_ENTRY_SHARED: u32 = 0x4000;

const _: () =
    assert!(RB_ENTRY_LEAF == handles::ENTRY_LEAF && RB_ENTRY_SHARED == handles::ENTRY_SHARED);

/// The arguments and results of a call in one block, for languages in which each argument of a foreign call has a cost.
///
/// This struct never grows, because it is read on every call. Optional data has a struct of its own (`rb_call_context`).
#[repr(C)]
#[derive(Debug)]
pub struct CallArgs {
    /// In: the instance.
    pub instance: Instance,
    /// In: the entry of a prepared method, with or without `RB_ENTRY_LEAF` and `RB_ENTRY_SHARED`.
    pub entry: u32,
    /// Out: the status, which the function also returns.
    pub status: StatusCode,
    /// In: the request.
    pub request: *const u8,
    /// In: number of bytes at `request`.
    pub request_len: usize,
    /// In and out: as for `rb_call`. If the response is in your buffer, `data` and `capacity` are unchanged, ready for the next
    /// call.
    pub response: Response,
}

/// Calls a prepared method on the calling thread. The request is `request_len` bytes at `request`.
///
/// The call itself allocates nothing, takes no lock and looks up no name. The plugin's status and response are passed on. A
/// panic of the plugin is reported as `RB_INTERNAL`. An inconsistent response is reported as `RB_INTERNAL` with the error
/// type `rustbridge.InvalidResponse`.
///
/// `RB_NOT_FOUND`: the plugin has no such entry. `RB_FAILED_PRECONDITION`: the entry has [`RB_ENTRY_LEAF`] added and its
/// method is not leaf.
///
/// Thread: any, also inside another call. State: active.
///
/// # Safety
/// `request` is readable and, unless the entry has [`RB_ENTRY_SHARED`] added, does not change during the call; or its length
/// is 0. `response` is a response. Its buffer does not overlap the request, because the plugin may write one while it
/// reads the other.
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

/// Like `rb_call`, with all arguments in one block. Returns the status and stores it in `args->status`.
///
/// Thread: any, each with a block of its own. State: active.
///
/// # Safety
/// `args` is readable and writable. Its pointers are as for `rb_call`.
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

/// Frees a callee-allocated response and sets the struct to null and 0. Does nothing if the response is in your buffer, if it
/// was released before, or if `response` is null. So call it once after each call, without distinguishing these cases.
///
/// Thread: any. State: any; also after the instance was closed.
///
/// # Safety
/// `response` is null, or was filled in by a function of this header or by a previous release.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_response_release(response: *mut Response) {
    // SAFETY: not null, and the caller vouches for the rest.
    unsafe {
        if !response.is_null() && (*response).release.is_some() {
            handles::release(response);
        }
    }
}

/// Reports whether a response can't be used at all; the core checks the request. On the hot path.
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
            "response.data is null and response.capacity isn't 0, expected a buffer, or null and 0",
        )
    };
    // SAFETY: the caller vouches for `response`.
    unsafe { boundary::enter(response, || Err(refusal.into())) }
}
