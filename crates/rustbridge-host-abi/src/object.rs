//! Objects that a plugin has returned.

use rustbridge_abi::{Object, StatusCode};
use rustbridge_core::handles;

use crate::boundary;

/// Releases an object. The plugin drops it at once, or when no call borrows it any longer.
///
/// You own each number that came with a response and must release it once, even if the plugin returned the same object twice.
/// Passing an object to a call (`objects` of `rb_call_context`) does not change its owner, and you may release it while a call
/// borrows it. Objects end with their instance; objects of a closed instance need not be released.
///
/// The plugin's destructor runs inside this function, or at the end of the call that borrows the object. It may call services.
///
/// `RB_NOT_FOUND`: the object was released before, or its instance was closed. `RB_INVALID_ARGUMENT`: the number was never
/// issued. `RB_FAILED_PRECONDITION`: the object belongs to the parent of this forked process.
///
/// Thread: any, also inside a call. State: any.
#[unsafe(no_mangle)]
pub extern "C" fn rb_object_release(object: Object) -> StatusCode {
    // SAFETY: null is allowed there.
    unsafe {
        boundary::enter(std::ptr::null_mut(), || {
            handles::release_object(object).map_err(Into::into)
        })
    }
}
