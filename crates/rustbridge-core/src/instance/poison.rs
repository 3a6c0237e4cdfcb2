//! What follows a panic in a call.

use std::time::Duration;

use super::roster::find;
use super::target::INSTANCES;
use crate::handle::table::{self, Handle};
use crate::log::logger::is_log_thread;
use crate::state::{OnPanic, State};

/// What a panic in a call has for consequences: the instance is poisoned if it was asked for, and what the plugin logged
/// about it reaches the host before the host sees the failed call.
pub(crate) fn after_panic(handle: Handle, leaf: bool) {
    let Ok(instance) = find(handle) else { return };
    if instance.on_panic == OnPanic::Poison {
        let slot = INSTANCES.slot(handle);
        let generation = table::generation(handle);
        if slot.change_state(generation, Some(State::Active), State::Poisoned) {
            slot.shut(handle);
        }
    }
    // A leaf call may hold off the host's garbage collector, which the sink may need.
    if !leaf && !is_log_thread() {
        // What couldn't be delivered by then comes later; the call mustn't wait for a slow sink.
        let _ = instance.flush_logs(Duration::from_millis(50));
    }
}
