//! Threads for tasks that wait: those of the runtime for such work, or without the feature `async` one for each task.

use std::ptr::NonNull;
use std::task::{Context, Waker};

use super::task::Head;
use super::task::new_task::NewTask;
use crate::Result;
use crate::instance::Core;

/// Gives a task to a thread.
pub(crate) fn spawn(begun: NewTask, core: &Core) -> Result<NonNull<Head>> {
    #[cfg(feature = "async")]
    let dropped = rustbridge_abi::RB_ABORTED;
    #[cfg(not(feature = "async"))]
    let dropped = rustbridge_abi::RB_RESOURCE_EXHAUSTED;
    // It's started before there's a task, since it can't always be.
    #[cfg(feature = "async")]
    let runtime = crate::runtime::of(core.host())?;
    let held = begun.held(dropped);
    let head = begun.pending();
    let run = move || {
        held.turn(&mut Context::from_waker(Waker::noop()));
    };
    // From here on the core has to hear of the task. tokio panics where the system has no thread, and may have taken it all the same: it
    // ends here unless a thread has begun it.
    #[cfg(feature = "async")]
    {
        let mut is_given = false;
        crate::contain::contained(|| {
            drop(runtime.spawn_blocking(run));
            is_given = true;
        });
        if !is_given {
            // SAFETY: the core releases it after `start` has returned.
            unsafe { super::task::end_early(head, rustbridge_abi::RB_RESOURCE_EXHAUSTED) };
        }
    }
    #[cfg(not(feature = "async"))]
    {
        let host = core.host().clone();
        let builder = std::thread::Builder::new().name(format!("{}-call", host.plugin_name()));
        // If there's no thread, the closure is dropped, and with it the hold, which ends the task.
        drop(builder.spawn(move || host.in_scope(run)));
    }
    Ok(head)
}
