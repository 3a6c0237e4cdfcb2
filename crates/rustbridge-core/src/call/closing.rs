//! Operations that were begun while their queue or their instance was being shut.

use std::sync::atomic::{Ordering, fence};

use rustbridge_abi::Op;

use super::objects::release_object;
use super::submission::To;
use crate::async_call::caller;
use crate::instance::close::end_begun_late;
use crate::instance::target::INSTANCES;
use crate::registry::table::Handle;

/// Ends an operation that was begun while its queue or its instance was being shut.
///
/// Whoever shuts one of them looks at the operations afterwards, and we look at both after beginning one: with a full fence in
/// between on both sides, one of the two sees the other, or both do.
pub(super) fn look_again(handle: Handle, op: Op, to: To, streams: bool) {
    fence(Ordering::SeqCst);
    if let To::Queue(queue, number) = to
        && !queue.is_open(number)
    {
        for object in caller::detach(op).into_iter().flatten() {
            let _ = release_object(object);
        }
    }
    if !INSTANCES.slot(handle).is_open_for(handle) {
        end_begun_late(handle, op, streams);
    }
}
