//! The gates: whether an instance may call services, for each slot of the table of instances.
//!
//! A gate is a slot of its own, so that what is true of calls is true of service calls: a thread marks itself before it looks
//! whether the gate is open, and whoever shuts one sees who is inside. It's open for longer than the instance's slot is, from
//! before `create` until `destroy` begins, since work that's being drained may still call.

use std::cell::Cell as LocalCell;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use super::registered::Services;
use crate::instance::target::INSTANCES;
use crate::library::token;
use crate::registry::fence;
use crate::registry::fork::{self, OverFork};
use crate::registry::guard::{self, Mark, Place, ThreadSlot};
use crate::registry::slot::{HandleTarget, Slot};
use crate::registry::table::{self, Handle};
use crate::registry::thread_slots;
use crate::registry::tls;

/// How many service calls of a thread there can be one inside the other.
pub(crate) const MOST_NESTED: u32 = 64;

/// What is behind a gate.
///
/// Invariant: null, or the services of the instance that the gate is open for, which live until it was shut and nobody was
/// inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind(*const Services);

// SAFETY: services are used by any thread.
unsafe impl Send for Behind {}
// SAFETY: as above.
unsafe impl Sync for Behind {}

impl HandleTarget for Behind {
    const TABLE: u32 = 2;
    const NONE: Behind = Behind(ptr::null());
}

struct Gates {
    slots: [Slot<Behind>; 1 << 16],
    /// The highest that was ever used.
    used: AtomicU32,
}

/// The gates of all instances that this copy of the library made. Zero pages until used.
static GATES: Gates = Gates {
    slots: [const { Slot::new() }; 1 << 16],
    used: AtomicU32::new(0),
};

impl OverFork for Gates {
    type Held = ();

    fn hold(&'static self) {}

    fn in_child(&'static self, (): &mut ()) {
        for index in 0..=self.used.load(Ordering::Relaxed) {
            let handle = INSTANCES.latest(index as u16);
            self.slots[index as usize].shut(handle);
        }
    }
}

fn gate(handle: Handle) -> &'static Slot<Behind> {
    &GATES.slots[usize::from(table::index(handle))]
}

fn mark(handle: Handle, service: u32) -> Mark {
    Mark::new(place(handle), service)
}

/// What marks of service calls of this instance have.
pub(crate) fn place(handle: Handle) -> Place {
    Place::of::<Behind>(handle)
}

/// Lets an instance that is being made call services.
///
/// # Safety
/// The handle was reserved by the caller and its gate isn't open; `services` live until [`is_empty`] said so after the gate was
/// shut.
pub(crate) unsafe fn open(handle: Handle, services: &Services) {
    fork::watch(&GATES);
    GATES
        .used
        .fetch_max(u32::from(table::index(handle)), Ordering::Relaxed);
    let gate = gate(handle);
    // SAFETY: not open, and nobody is inside since whoever had it before was told so.
    unsafe { gate.set_target(Behind(services)) };
    gate.open(handle);
}

/// Keeps further service calls out, once whoever is inside has been found: those go on.
pub(crate) fn shut(handle: Handle) {
    gate(handle).shut(handle);
}

/// Has every thread that came in before the gate was shut be seen by [`is_empty`].
pub(crate) fn settle() {
    fence::heavy();
}

/// Whether nobody is inside; of a gate that was shut, after [`settle`].
pub(crate) fn is_empty(handle: Handle) -> bool {
    gate(handle).counted().load(Ordering::Acquire) == 0 && !thread_slots::is_marked(place(handle))
}

/// How many are inside that no cell marks.
pub(crate) fn counted(handle: Handle) -> u32 {
    gate(handle).counted().load(Ordering::Acquire)
}

/// A thread that is inside, as the one who came in sees it.
#[derive(Clone, Copy)]
pub(crate) struct Inside<'a> {
    pub(crate) services: &'a Services,
    /// The entry of the innermost call of the same instance that the thread is in, as it's marked.
    pub(crate) entry: Option<u32>,
    /// Whether the thread is in a call that carries anything.
    pub(crate) carries: bool,
}

impl Inside<'_> {
    /// Whether the thread is in a call of the same instance that its caller waits for, so that it's kept anyway.
    pub(crate) fn waits(&self) -> bool {
        self.entry.is_some_and(|entry| !token::is_begun(entry))
    }
}

/// Why nobody was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    Shut,
    TooDeep,
}

/// How many service calls the thread is in, one inside the other.
pub(crate) fn depth() -> u32 {
    thread_slots::existing().map_or_else(
        || UPCALLS.get(),
        |cell| cell.upcalls.load(Ordering::Relaxed),
    )
}

/// As [`within`], for a call that another thread has asked for, which was so deep then: this thread goes on counting there.
pub(crate) fn within_for<R>(
    depth: u32,
    handle: Handle,
    service: u32,
    run: impl FnOnce(Inside<'_>) -> R,
) -> Result<R, Outside> {
    let cell = thread_slots::own();
    let set_depth = |depth: u32| match cell {
        Some(cell) => cell.upcalls.swap(depth, Ordering::Relaxed),
        None => UPCALLS.replace(depth),
    };
    let before = set_depth(depth);
    let result = within_slowly(handle, service, u32::MAX, run);
    set_depth(before);
    result
}

/// Runs `run` inside the gate: the instance isn't destroyed meanwhile, and its services stay. `run` doesn't unwind. Nobody is
/// let in whose thread is inside `most_nested` times already.
#[inline(always)]
pub(crate) fn within<R>(
    handle: Handle,
    service: u32,
    most_nested: u32,
    run: impl FnOnce(Inside<'_>) -> R,
) -> Result<R, Outside> {
    // With the last nesting_slot idle there's no call of the thread's that no nesting slot marks.
    let Some(cell) =
        tls::cell().filter(|cell| cell.nesting_slots[guard::NESTING_SLOTS - 1].is_idle())
    else {
        return within_slowly(handle, service, most_nested, run);
    };
    let Some(nesting_slot) = cell.idle_nesting_slot() else {
        return within_slowly(handle, service, most_nested, run);
    };
    let entry = cell.innermost(calls(handle));
    let depth = cell.upcalls.load(Ordering::Relaxed);
    if depth >= most_nested {
        return Err(Outside::TooDeep);
    }
    let gate = gate(handle);
    let result = if nesting_slot.enter(mark(handle, service), gate, handle) {
        cell.upcalls.store(depth + 1, Ordering::Relaxed);
        // SAFETY: inside, so the services live, by the invariant.
        let result = run(unsafe { inside(gate, entry, carries(cell)) });
        cell.upcalls.store(depth, Ordering::Relaxed);
        Ok(result)
    } else {
        Err(Outside::Shut)
    };
    nesting_slot.leave();
    result
}

/// Where an instance's calls are marked.
#[inline(always)]
fn calls(handle: Handle) -> Place {
    Place::of::<crate::instance::target::Target>(handle)
}

/// # Safety
/// The calling thread is inside the gate until `'a` ends.
#[inline(always)]
unsafe fn inside<'a>(gate: &Slot<Behind>, entry: Option<u32>, carries: bool) -> Inside<'a> {
    Inside {
        // SAFETY: inside, and by the invariant of `Behind`.
        services: unsafe { &*gate.target().0 },
        entry,
        carries,
    }
}

#[inline(always)]
fn carries(cell: &ThreadSlot) -> bool {
    !cell.carried.load(Ordering::Relaxed).is_null()
}

thread_local! {
    // Of each thread of this copy of the library: as `Cell::upcalls`, for when the cell is gone. Without a destructor, so it
    // can be used then.
    static UPCALLS: LocalCell<u32> = const { LocalCell::new(0) };
}

/// For a thread that has no cell yet or whose nesting slots are taken, and where there's no asymmetric fence.
#[cold]
#[inline(never)]
fn within_slowly<R>(
    handle: Handle,
    service: u32,
    most_nested: u32,
    run: impl FnOnce(Inside<'_>) -> R,
) -> Result<R, Outside> {
    let gate = gate(handle);
    let cell = thread_slots::own();
    let entry = thread_slots::innermost(cell, calls(handle));
    let depth = cell.map_or_else(
        || UPCALLS.get(),
        |cell| cell.upcalls.load(Ordering::Relaxed),
    );
    if depth >= most_nested {
        return Err(Outside::TooDeep);
    }
    let set_depth = |depth: u32| match cell {
        Some(cell) => cell.upcalls.store(depth, Ordering::Relaxed),
        None => UPCALLS.set(depth),
    };
    let run_inside = || {
        set_depth(depth + 1);
        // SAFETY: called only once inside.
        let result = run(unsafe { inside(gate, entry, cell.is_some_and(carries)) });
        set_depth(depth);
        result
    };
    let mark = mark(handle, service);
    if let Some(nesting_slot) = cell.and_then(ThreadSlot::idle_nesting_slot) {
        let is_inside = if fence::is_asymmetric() {
            nesting_slot.enter(mark, gate, handle)
        } else {
            nesting_slot.enter_with_full_fence(mark, gate, handle)
        };
        let result = if is_inside {
            Ok(run_inside())
        } else {
            Err(Outside::Shut)
        };
        nesting_slot.leave();
        result
    } else {
        let result = if guard::enter_counted(gate, handle) {
            Ok(thread_slots::unmarked_call(mark, run_inside))
        } else {
            Err(Outside::Shut)
        };
        guard::leave_counted(gate);
        result
    }
}
