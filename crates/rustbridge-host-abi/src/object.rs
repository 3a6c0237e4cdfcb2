//! Objects that came with an answer.

use rustbridge_abi::{Object, StatusCode};
use rustbridge_core::handles;

use crate::boundary;

/// Releases an object: the plugin drops it, at once, or when it's no longer lent to a call.
///
/// Each number that came with an answer is yours and is to be released once, also if the plugin has given the same thing twice.
/// What is lent to a call (`objects` of `rb_call_context`) stays yours, and may be released while it's lent. Objects end with
/// their instance: those of a closed one needn't be released.
///
/// The plugin's destructor runs inside this, or inside the end of the call that it's lent to, and may call services.
///
/// `RB_NOT_FOUND`: it was released before, or went with its instance. `RB_INVALID_ARGUMENT`: no such number was ever given.
/// `RB_FAILED_PRECONDITION`: it lives on in the parent of this process only.
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
