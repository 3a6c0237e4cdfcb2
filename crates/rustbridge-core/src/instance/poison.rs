//! What follows a panic in a call.

use rustbridge_abi::RB_FAILED_PRECONDITION;

use super::names;
use super::roster::find_instance;
use super::services::call as services;
use super::target::INSTANCES;
use crate::async_call::caller;
use crate::registry::table::{self, Handle};
use crate::state::{OnPanic, State};

/// What a panic in a call has for consequences: the instance is poisoned if it was asked for.
///
/// What the plugin has logged about it isn't waited for, although it would be good to have where the host goes on to end
/// itself: then every call that panics would take as long as a slow sink lets it. Such a host flushes, or closes the instance.
pub(crate) fn after_panic(handle: Handle) {
    if mark(handle) {
        end_pending(handle);
    }
}

/// Poisons the instance, if it was asked for and nobody has yet: before whoever made the call is told, so that it finds it so.
pub(crate) fn mark(handle: Handle) -> bool {
    let Ok(instance) = find_instance(handle) else {
        return false;
    };
    if instance.on_panic != OnPanic::Poison {
        return false;
    }
    let slot = INSTANCES.slot(handle);
    let generation = table::generation(handle);
    let is_ours = slot.change_state(generation, Some(State::Active), State::Poisoned);
    if is_ours {
        names::remember(handle, &instance.name);
        slot.shut(handle);
    }
    is_ours
}

/// Ends what is pending in an instance that has just been poisoned.
pub(crate) fn end_pending(handle: Handle) {
    let Ok(instance) = find_instance(handle) else {
        return;
    };
    if instance.lock_services().is_some() {
        services::end_services(handle);
    }
    caller::cancel_all(handle, RB_FAILED_PRECONDITION, |_| true);
}
