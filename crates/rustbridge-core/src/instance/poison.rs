//! What follows a panic in a call.

use rustbridge_abi::RB_FAILED_PRECONDITION;

use super::names;
use super::roster::find;
use super::services::call as services;
use super::target::INSTANCES;
use crate::handle::table::{self, Handle};
use crate::operation::caller;
use crate::state::{OnPanic, State};

/// What a panic in a call has for consequences: the instance is poisoned if it was asked for.
///
/// What the plugin has logged about it isn't waited for, although it would be good to have where the host goes on to end
/// itself: then every call that panics would take as long as a slow sink lets it. Such a host flushes, or closes the instance.
pub(crate) fn after_panic(handle: Handle) {
    let Ok(instance) = find(handle) else { return };
    if instance.on_panic == OnPanic::Poison {
        let slot = INSTANCES.slot(handle);
        let generation = table::generation(handle);
        if slot.change_state(generation, Some(State::Active), State::Poisoned) {
            names::remember(handle, &instance.name);
            slot.shut(handle);
            if instance.lock_services().is_some() {
                services::end(handle);
            }
            caller::cancel_all(handle, RB_FAILED_PRECONDITION, |_| true);
        }
    }
}
