//! Calls that are submitted while their completion queue or their instance is being closed.

use std::sync::atomic::{Ordering, fence};

use rustbridge_abi::Op;

use super::objects::release_object;
use super::submission::To;
use crate::async_call::caller;
use crate::instance::close::end_begun_late;
use crate::instance::target::INSTANCES;
use crate::registry::table::Handle;

/// Ends a call that has just started, if its queue or its instance was closed meanwhile.
///
/// A closing thread marks the queue or instance as closed and then ends the calls that it finds. The submitting thread starts the call
/// and then looks at both. Each has a full fence in between, so at least one of them sees what the other did.
pub(super) fn end_if_closing(handle: Handle, op: Op, to: To, has_stream: bool) {
    fence(Ordering::SeqCst);
    if let To::Queue(queue, number) = to
        && !queue.is_open(number)
    {
        for object in caller::detach(op).into_iter().flatten() {
            let _ = release_object(object);
        }
    }
    if !INSTANCES.slot(handle).is_open_for(handle) {
        end_begun_late(handle, op, has_stream);
    }
}
