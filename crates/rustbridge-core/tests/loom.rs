//! The guard and a slot of the handle table, under every interleaving that loom finds.
//!
//! The very files the core is made of are compiled here a second time, over loom's atomics, so it's a program of its own. What is
//! modelled otherwise: the asymmetric fence is a real one on both sides, since loom knows no other; that is what `membarrier`
//! amounts to.
//!
//! Nothing in it is the system's, and on Windows with the GNU tools a panic can't leave the stacks that loom runs threads on.
#![cfg(not(all(windows, target_env = "gnu")))]

use std::cell::Cell;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

use guard::{Mark, NestingSlot, Place};
use slot::{HandleTarget, Slot};
use state::State;

#[path = "../src/registry/guard.rs"]
#[expect(dead_code, reason = "the model doesn't need all of it")]
mod guard;
#[path = "../src/registry/slot.rs"]
#[expect(dead_code, reason = "the model doesn't need all of it")]
mod slot;
#[path = "../src/state.rs"]
#[expect(dead_code, reason = "the model doesn't need all of it")]
mod state;

mod atomics {
    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

    macro_rules! constructor {
        ($(#[$attribute:meta])* $visibility:vis fn $name:ident() -> $type:ty $body:block) => {
            $(#[$attribute])*
            $visibility fn $name() -> $type $body
        };
    }
    pub(crate) use constructor;

    pub(crate) fn light_fence() {
        if super::FENCED.get() {
            fence(Ordering::SeqCst);
        }
    }
}

thread_local! {
    // loom runs all threads of a model on one thread of the system, so these are switches for one test.
    static FENCED: Cell<bool> = const { Cell::new(true) };
    static SWAPPED: Cell<bool> = const { Cell::new(false) };
}

const INDEX: u16 = 3;
const FIRST: u64 = (1 << 16) | INDEX as u64;
const SECOND: u64 = (2 << 16) | INDEX as u64;
const ELSEWHERE: u64 = (1 << 16) | (INDEX + 1) as u64;

/// A slot, the cells of two threads, and the instances of two generations: `true` while alive.
struct World {
    slot: Slot<Target>,
    nesting_slots: [NestingSlot; 2],
    instances: [UnsafeCell<bool>; 2],
    /// What was begun inside and has come out, as `async_call::pending_count` counts it.
    pending: AtomicU32,
}

// SAFETY: that the instances are used in order is what the model is there to find out; loom watches each access.
unsafe impl Sync for World {}
// SAFETY: as above.
unsafe impl Send for World {}

/// The generation that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target(u64);

impl HandleTarget for Target {
    const TABLE: u32 = 1;
    const NONE: Target = Target(0);
}

fn mark(handle: u64) -> Mark {
    Mark::new(Place::of::<Target>(handle), 0)
}

impl World {
    fn new() -> Arc<World> {
        let world = World {
            slot: Slot::new(),
            nesting_slots: [NestingSlot::idle(), NestingSlot::idle()],
            instances: [UnsafeCell::new(true), UnsafeCell::new(true)],
            pending: AtomicU32::new(0),
        };
        // SAFETY: nobody else has it yet.
        unsafe { world.slot.set_target(Target(1)) };
        world.slot.set_status(1, Some(State::Active));
        world.slot.open(FIRST);
        Arc::new(world)
    }

    /// What a call does inside: it must find its own generation's target, and the instance alive.
    fn inside(&self, generation: u64) {
        // SAFETY: inside, which is what the model checks.
        assert_eq!(*unsafe { self.slot.target() }, Target(generation));
        self.instances[generation as usize - 1].with(|alive| {
            // SAFETY: loom watches.
            assert!(unsafe { *alive }, "called after it was destroyed");
        });
    }

    fn call(&self, nesting_slot: usize, handle: u64) -> bool {
        let nesting_slot = &self.nesting_slots[nesting_slot];
        let entered = nesting_slot.enter(mark(handle), &self.slot, handle);
        if entered {
            self.inside(handle >> 16);
        }
        nesting_slot.leave();
        entered
    }

    fn call_counted(&self, handle: u64) -> bool {
        let entered = guard::enter_counted(&self.slot, handle);
        if entered {
            self.inside(handle >> 16);
        }
        guard::leave_counted(&self.slot);
        entered
    }

    /// A call that begins something: whoever ends it is in the instance still, on whatever thread.
    fn begin(world: &Arc<World>) {
        let nesting_slot = &world.nesting_slots[0];
        if nesting_slot.enter(mark(FIRST), &world.slot, FIRST) {
            world.pending.fetch_add(1, Ordering::Relaxed);
            let world = Arc::clone(world);
            thread::spawn(move || {
                world.inside(1);
                world.pending.fetch_sub(1, Ordering::Release);
            });
        }
        nesting_slot.leave();
    }

    /// Closes the first generation as `close.rs` does.
    fn close(&self) {
        assert!(
            self.slot
                .change_state(1, Some(State::Active), State::Closing)
                || self
                    .slot
                    .change_state(1, Some(State::Poisoned), State::Closing)
        );
        self.slot.shut(FIRST);
        atomics::fence(Ordering::SeqCst);
        let place = Place::of::<Target>(FIRST);
        let is_marked = |nesting_slot: &NestingSlot| {
            nesting_slot
                .running()
                .is_some_and(|mark| mark.place() == place)
        };
        let marked = || self.nesting_slots.iter().any(is_marked);
        let pending = || self.pending.load(Ordering::Acquire) != 0;
        let is_empty = || {
            if SWAPPED.get() {
                self.slot.is_empty(pending, marked)
            } else {
                self.slot.is_empty(marked, pending)
            }
        };
        while !is_empty() {
            thread::yield_now();
        }
        // SAFETY: loom watches.
        self.instances[0].with_mut(|alive| unsafe { *alive = false });
        self.slot.set_status(1, Some(State::Closed));
    }

    /// Gives the slot to the next generation.
    fn reuse(&self) {
        // SAFETY: drained by `close`; nobody else prepares it.
        unsafe { self.slot.set_target(Target(2)) };
        self.slot.set_status(2, Some(State::Active));
        self.slot.open(SECOND);
    }
}

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

fn close_against_a_call() {
    model(|| {
        let world = World::new();
        let caller = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.call(0, FIRST))
        };
        world.close();
        caller.join().unwrap();
        assert!(!world.call(1, FIRST), "closed is closed");
    });
}

#[test]
fn no_call_is_inside_when_the_instance_is_destroyed() {
    close_against_a_call();
}

#[test]
#[should_panic]
fn without_the_fence_the_model_finds_a_call_inside() {
    FENCED.set(false);
    close_against_a_call();
}

fn close_against_what_is_begun() {
    model(|| {
        let world = World::new();
        let caller = {
            let world = Arc::clone(&world);
            thread::spawn(move || World::begin(&world))
        };
        world.close();
        caller.join().unwrap();
    });
}

#[test]
fn what_was_begun_inside_is_waited_for() {
    close_against_what_is_begun();
}

#[test]
#[should_panic]
fn who_looks_at_what_is_pending_first_misses_it() {
    SWAPPED.set(true);
    close_against_what_is_begun();
}

#[test]
fn a_call_is_over_for_a_closer_that_finds_its_thread_in_the_next_one_elsewhere() {
    model(|| {
        let world = World::new();
        let caller = {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                world.call(0, FIRST);
                // Of a slot that this one isn't: what matters is the mark.
                let nesting_slot = &world.nesting_slots[0];
                assert!(!nesting_slot.enter(mark(ELSEWHERE), &world.slot, ELSEWHERE));
                nesting_slot.leave();
            })
        };
        world.close();
        caller.join().unwrap();
    });
}

#[test]
fn two_callers_one_of_them_counted_are_waited_for() {
    model(|| {
        let world = World::new();
        let marked = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.call(0, FIRST))
        };
        let counted = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.call_counted(FIRST))
        };
        world.close();
        marked.join().unwrap();
        counted.join().unwrap();
    });
}

#[test]
fn a_stale_handle_never_gets_into_the_next_generation() {
    model(|| {
        let world = World::new();
        let stale = {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                // Whatever the moment: its own generation or none, and the new handle the new one or none.
                world.call(0, FIRST);
                world.call(0, SECOND);
            })
        };
        world.close();
        world.reuse();
        assert!(world.call(1, SECOND));
        assert!(!world.call(1, FIRST));
        stale.join().unwrap();
        assert_eq!(world.slot.status(), (2, Some(State::Active)));
    });
}

#[test]
fn a_closer_that_comes_late_leaves_the_next_generation_alone() {
    model(|| {
        let world = World::new();
        let late = {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                // It has seen that the instance is closing; what happens until it shuts the slot is the question.
                if world.slot.status() == (1, Some(State::Closing)) {
                    world.slot.shut(FIRST);
                }
            })
        };
        world.close();
        world.reuse();
        late.join().unwrap();
        assert!(world.call(1, SECOND), "open, and shut by nobody");
    });
}

#[test]
fn a_closer_that_finds_the_slot_shut_waits_as_well_as_the_one_that_shut_it() {
    model(|| {
        let world = World::new();
        let other = {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                world
                    .slot
                    .change_state(1, Some(State::Active), State::Poisoned);
                world.slot.shut(FIRST);
            })
        };
        let caller = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.call(0, FIRST))
        };
        world.close();
        other.join().unwrap();
        caller.join().unwrap();
    });
}

#[test]
fn of_two_closers_one_closes() {
    model(|| {
        let world = World::new();
        let other = {
            let world = Arc::clone(&world);
            thread::spawn(move || {
                world
                    .slot
                    .change_state(1, Some(State::Active), State::Closing)
            })
        };
        let ours = world
            .slot
            .change_state(1, Some(State::Active), State::Closing);
        let theirs = other.join().unwrap();
        assert!(ours != theirs);
    });
}
