//! Being inside an instance for calls that aren't in a hurry: marked as the hot path's, so that closing waits for them.

use super::refusal::Refusal;
use super::target::{INSTANCES, Target};
use crate::registry::guard::{self, Mark, Place, ThreadSlot};
use crate::registry::slot::Slot;
use crate::registry::table::Handle;
use crate::registry::{fence, thread_slots, tls};

#[inline(always)]
pub(crate) fn mark(handle: Handle, entry: u32) -> Mark {
    Mark::new(Place::of::<Target>(handle), entry)
}

/// Runs `work` inside the slot of an instance, if that lets calls in; `entry` names what runs in reports.
#[inline(always)]
pub(crate) fn inside<R>(
    handle: Handle,
    entry: u32,
    work: impl FnOnce(&'static Slot<Target>) -> Result<R, Refusal>,
) -> Result<R, Refusal> {
    if let Some(cell) = tls::cell()
        && cell.nesting_slots[0].is_idle()
    {
        let nesting_slot = &cell.nesting_slots[0];
        let slot = INSTANCES.slot(handle);
        let result = if nesting_slot.enter(mark(handle, entry), slot, handle) {
            work(slot)
        } else {
            Err(Refusal::Shut)
        };
        nesting_slot.leave();
        return result;
    }
    let mut work = Some(work);
    let mut result = Err(Refusal::Shut);
    inside_slowly(handle, entry, &mut |slot| {
        if let Some(work) = work.take() {
            result = work(slot);
        }
    });
    result
}

/// The same for a thread that has no cell yet or is in a call already, or whose process has no asymmetric fence. `work` isn't
/// run unless it's let in.
#[cold]
#[inline(never)]
fn inside_slowly(handle: Handle, entry: u32, work: &mut dyn FnMut(&'static Slot<Target>)) {
    let slot = INSTANCES.slot(handle);
    let cell = tls::cell().or_else(thread_slots::own);
    if let Some(nesting_slot) = cell.and_then(ThreadSlot::idle_nesting_slot) {
        let is_inside = if fence::is_asymmetric() {
            nesting_slot.enter(mark(handle, entry), slot, handle)
        } else {
            nesting_slot.enter_with_full_fence(mark(handle, entry), slot, handle)
        };
        if is_inside {
            work(slot);
        }
        nesting_slot.leave();
        return;
    }
    if guard::enter_counted(slot, handle) {
        thread_slots::unmarked_call(mark(handle, entry), || work(slot));
    }
    guard::leave_counted(slot);
}

/// Runs what belongs to a call of an instance with the thread marked as inside it, whether or not that lets calls in: what an
/// operation tells of keeps its instance from being destroyed anyway.
pub(crate) fn marked(handle: Handle, entry: u32, work: &mut dyn FnMut()) {
    match thread_slots::own().and_then(ThreadSlot::idle_nesting_slot) {
        Some(nesting_slot) => {
            let _ = nesting_slot.enter(mark(handle, entry), INSTANCES.slot(handle), handle);
            work();
            nesting_slot.leave();
        }
        None => thread_slots::unmarked_call(mark(handle, entry), work),
    }
}
