//! Running what the author wrote where nobody can be told of a panic but the log, by the hook.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body` and lets no panic out.
pub(crate) fn contained(body: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        // What it is of an author's own could panic in turn when it's dropped; a text can't.
        if !payload.is::<&'static str>() && !payload.is::<String>() {
            mem::forget(payload);
        }
    }
}
