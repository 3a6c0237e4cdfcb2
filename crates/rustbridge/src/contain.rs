//! Runs the author's code in places where a panic can't be returned to a caller. The panic hook still logs it.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body` and catches panics.
pub(crate) fn contained(body: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        // What it is of an author's own could panic in turn when it's dropped; a text can't.
        if !payload.is::<&'static str>() && !payload.is::<String>() {
            mem::forget(payload);
        }
    }
}
