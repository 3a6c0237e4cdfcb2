//! Being inside an instance without a call: what a close waits for all the same.

use crate::handle::cells;
use crate::handle::fence;
use crate::handle::guard::{self, Cell, Mark, Place};
use crate::handle::table::Handle;
use crate::instance::target::{INSTANCES, Target};

/// Runs something inside an instance, so that it isn't destroyed meanwhile. Nothing if it lets nobody in. `entry` is what a
/// close that waits for it names.
pub(crate) fn inside<R>(handle: Handle, entry: u32, run: impl FnOnce() -> R) -> Option<R> {
    let slot = INSTANCES.slot(handle);
    let place = Place::of::<Target>(handle);
    if let Some(rung) = cells::own().and_then(Cell::idle_rung) {
        let mark = Mark::new(place, entry);
        let is_inside = if fence::is_asymmetric() {
            rung.enter(mark, slot, handle)
        } else {
            rung.enter_with_full_fence(mark, slot, handle)
        };
        // Doesn't unwind: a plugin's functions are `extern "C"`.
        let result = is_inside.then(run);
        rung.leave();
        result
    } else {
        let is_inside = guard::enter_counted(slot, handle);
        let result = is_inside.then(|| cells::unmarked_call(place, run));
        guard::leave_counted(slot);
        result
    }
}
