//! Operations and queues under every interleaving that loom finds.
//!
//! The very files that operations are made of are compiled here a second time, over loom's atomics, locks and conditions, at the
//! places where they look for each other, so it's a program of its own. What is modelled otherwise: where nodes and queues are
//! found by their numbers (there are a few, created for each run), the count of what is pending, the wakeup, which is a flag, and
//! waiting with a timeout, which waits without one.
//!
//! As in `loom.rs` there's nothing of the system's in it.
#![cfg(not(all(windows, target_env = "gnu")))]

use std::ptr;
use std::sync::Arc as StdArc;
use std::task::{Wake, Waker};
use std::time::Duration;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};
use rustbridge_abi::*;

use async_call::delivery::{Delivery, Wakers};
use async_call::event::{Event, EventKind};
use async_call::{caller, node_pool, plugin, run};
use model::*;

#[path = "loom_operations/library.rs"]
mod library;
#[path = "loom_operations/model.rs"]
mod model;
#[path = "loom_operations/wakeups.rs"]
mod wakeups;
#[path = "loom_operations/waking.rs"]
mod waking;

#[path = "../src/error.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the model doesn't need all of it"
)]
mod error;
#[path = "../src/metadata.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the model doesn't need all of it"
)]
mod metadata;
#[path = "../src/response.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the model doesn't need all of it"
)]
mod response;
#[path = "../src/state.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the model doesn't need all of it"
)]
mod state;

/// Nobody's error is kept here.
mod causes {
    pub(crate) type Source = std::sync::Arc<dyn std::error::Error + Send + Sync>;

    pub(crate) fn keep(_: Source) -> String {
        String::new()
    }

    pub(crate) fn take(_: &str) -> Option<Source> {
        None
    }
}

mod registry {
    pub(crate) mod table {
        pub(crate) type Handle = u64;
    }
    pub(crate) mod atomics {
        pub(crate) use loom::cell::UnsafeCell;
        pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
        pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
        pub(crate) use loom::thread::{ThreadId, yield_now};

        pub(crate) fn this_thread() -> ThreadId {
            loom::thread::current().id()
        }
    }
}

#[path = "../src/async_call"]
#[allow(dead_code, unused_imports, reason = "the model doesn't need all of it")]
mod async_call {
    pub(crate) mod call_state;
    pub(crate) mod caller;
    mod cancellation;
    pub(crate) mod delivery;
    pub(crate) mod event;
    pub(crate) mod flow;
    pub(crate) mod free;
    pub(crate) mod headers;
    mod input_stream;
    mod message_resolution;
    pub(crate) mod node;
    mod output_stream;
    pub(crate) mod payload;
    pub(crate) mod plugin;
    pub(crate) mod poll;
    pub(crate) mod queue;
    mod remains;
    pub(crate) mod run;
    pub(crate) mod service_request;
    pub(crate) mod wakeup_state;

    use crate::model::{timer, waiters};
    use crate::registry::atomics;

    pub(crate) mod node_pool {
        use rustbridge_abi::{Op, Status};

        use super::call_state::{CallState, Node};
        use super::free::Free;
        use super::node::{INDEX_BITS, LockedState, NoSuchCall};
        use crate::error::Error;
        use crate::model::world;

        pub(crate) fn take() -> Result<(&'static Node, Op), Error> {
            let node = FREE(|free| free.pop(|index| Some(&world().nodes[index as usize].next)));
            let node = node.ok_or_else(|| Error::new(Status::ResourceExhausted, "None", ""))?;
            let node = &world().nodes[node as usize];
            Ok((node, node.number_next()))
        }

        #[expect(non_snake_case, reason = "in the place of a static")]
        fn FREE<R>(with: impl FnOnce(&Free) -> R) -> R {
            with(&world().free)
        }

        pub(crate) fn recycle(node: &'static Node) {
            FREE(|free| free.push(node.index, &node.next));
        }

        pub(crate) fn find_call(
            op: Op,
        ) -> Result<(&'static Node, LockedState<'static, CallState>), NoSuchCall> {
            let index = (op & ((1 << INDEX_BITS) - 1)) as usize;
            let node = world().nodes.get(index).ok_or(NoSuchCall::Unknown)?;
            Ok((node, node.find(op)?))
        }

        pub(crate) fn was_issued(op: Op) -> bool {
            let index = (op & ((1 << INDEX_BITS) - 1)) as usize;
            let node = world().nodes.get(index);
            node.is_some_and(|node| node.was_used(op >> INDEX_BITS))
        }

        pub(crate) fn for_each(
            mut look: impl FnMut(Op, &'static Node, LockedState<'static, CallState>),
        ) {
            super::atomics::fence(super::atomics::Ordering::SeqCst);
            for node in &world().nodes {
                let op = node.op();
                if op != 0
                    && let Ok((node, life)) = find_call(op)
                {
                    look(op, node, life);
                }
            }
        }
    }

    // No object is lent or given in the model.
    pub(crate) mod borrowed {
        pub(crate) struct BorrowedObjects;

        impl Drop for BorrowedObjects {
            fn drop(&mut self) {}
        }

        impl Default for BorrowedObjects {
            fn default() -> BorrowedObjects {
                BorrowedObjects
            }
        }

        impl BorrowedObjects {
            pub(crate) fn len(&self) -> usize {
                0
            }
        }
    }

    pub(crate) mod returned_objects {
        use crate::error::Error;

        pub(crate) unsafe fn take_later(
            _: u64,
            _: impl Fn() -> String,
            addresses: Vec<u64>,
            _: bool,
        ) -> Result<Vec<u64>, Error> {
            Ok(addresses)
        }
    }

    pub(crate) mod objects {
        pub(crate) fn release(_: u64) -> Result<(), ()> {
            Err(())
        }

        pub(crate) unsafe fn collect(_: u64) {}
    }

    pub(crate) mod queue_table {
        use super::atomics::Ordering;
        use crate::model::world;

        pub(crate) fn recycle(_: usize) {
            world().queues_back.fetch_add(1, Ordering::SeqCst);
        }
    }

    pub(crate) mod pending_count {
        use super::atomics::Ordering;
        use crate::model::world;

        pub(crate) fn add(_: u64) {
            world().pending.fetch_add(1, Ordering::Relaxed);
        }

        pub(crate) fn remove(_: u64) {
            world().pending.fetch_sub(1, Ordering::Release);
        }

        pub(crate) fn count(_: u64) -> u32 {
            world().pending.load(Ordering::Acquire)
        }
    }

    pub(crate) mod wakeup {
        use super::atomics::Ordering;
        use super::wakeup_state::Signals;
        use crate::error::Error;
        use crate::model::world;

        pub(crate) struct Wakeup(Signals);

        impl Wakeup {
            pub(crate) fn new() -> Result<Wakeup, Error> {
                Ok(Wakeup(Signals::new()))
            }

            pub(crate) fn descriptor(&self) -> isize {
                0
            }

            pub(crate) fn signal(&self) {
                let ring = || world().wakeup.store(1, Ordering::SeqCst);
                self.0.around(ring);
            }

            pub(crate) fn is_signaled(&self) -> bool {
                self.0.is_any()
            }

            pub(crate) fn reset(&self) {
                let silence = || world().wakeup.store(0, Ordering::SeqCst);
                self.0.reset(silence);
            }
        }
    }
}

#[test]
fn completed_and_cancelled_while_start_returns_it_ends_once() {
    model_bounded(2, |queue| {
        let (node, op) = open_call(Delivery::to_queue(&world().queue, queue), false, (0, 0));
        let completer = spawn(|| world().task.complete(RB_OK));
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        run::start(node, ptr::null_mut(), async_call::borrowed::BorrowedObjects);
        completer.join().unwrap();
        let was_cancelled = canceller.join().unwrap();
        let events = drain(queue, Duration::ZERO);
        let status = the_end(&events, op);
        assert!(status == RB_OK || was_cancelled);
        drop(events);
        world().task.assert_over();
        assert!(caller::cancel(op, RB_CANCELLED).is_err());
    });
}

#[test]
fn what_start_answers_wins_over_what_it_was_completed_with() {
    model(|_| {
        let (node, op) = open_call(Delivery::to_queue(&world().queue, 0), false, (0, 0));
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        // Misbehaves: completes and answers.
        let completer = spawn(move || {
            // SAFETY: without a response.
            let _ =
                unsafe { plugin::complete(op, RB_OK, ptr::null_mut(), ptr::null_mut(), |_, _| {}) };
        });
        run::close_unstarted(node);
        canceller.join().unwrap();
        completer.join().unwrap();
        assert_eq!(
            world().task.cancelled.load(Ordering::SeqCst),
            0,
            "there's no task"
        );
        assert_eq!(world().task.released.load(Ordering::SeqCst), 0);
        // Nothing of it is left for the next one there.
        let (node, op) = open_call(Delivery::to_queue(&world().queue, 0), false, (0, 0));
        assert!(caller::cancel(op, RB_CANCELLED).is_ok());
        run::close_unstarted(node);
    });
}

#[test]
fn detached_while_it_ends_and_is_fetched_it_is_told_at_most_once() {
    model_bounded(2, |queue| {
        let op = pending_for(queue);
        let completer = spawn(|| world().task.complete(RB_OK));
        let detacher = spawn(move || caller::detach(op).is_ok());
        let mut events = drain(queue, Duration::ZERO);
        completer.join().unwrap();
        let was_detached = detacher.join().unwrap();
        events.extend(drain(queue, Duration::ZERO));
        assert_eq!(events.is_empty(), was_detached, "{events:?}");
        drop(events);
        world().task.assert_over();
    });
}

#[test]
fn a_call_that_blocks_takes_its_wake_back_before_it_returns() {
    model(|_| {
        let (node, op) = open_call(Delivery::Discard, true, (0, 0));
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        // SAFETY: until it's taken back, or the operation ends.
        unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) };
        // SAFETY: takes it back.
        unsafe { plugin::on_cancel(op, None, ptr::null_mut()) };
        let task = &world().task;
        task.wakeable.store(false, Ordering::SeqCst);
        run::close_unstarted(node);
        let found = canceller.join().unwrap();
        assert!(found || task.woken.load(Ordering::SeqCst) == 0);
    });
}

#[test]
fn a_call_that_ends_waits_for_who_wakes_it() {
    model(|_| {
        let (node, op) = open_call(Delivery::Discard, true, (0, 0));
        // SAFETY: until the operation ends.
        unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) };
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        run::close_unstarted(node);
        world().task.wakeable.store(false, Ordering::SeqCst);
        let found = canceller.join().unwrap();
        assert_eq!(world().task.woken.load(Ordering::SeqCst), u32::from(found));
    });
}

#[test]
fn a_poller_that_sleeps_is_woken_by_what_comes() {
    model(|queue| {
        let op = pending_for(queue);
        let completer = spawn(|| world().task.complete(RB_OK));
        // Would wait for good.
        assert_eq!(the_end(&drain(queue, FOREVER), op), RB_OK);
        completer.join().unwrap();
        world().task.assert_over();
    });
}

#[test]
fn a_poller_that_sleeps_is_woken_by_closing_and_its_queue_is_given_back_once() {
    model(|queue| {
        let poller = spawn(move || drain(queue, FOREVER).len());
        world().queue.close(queue).unwrap();
        assert_eq!(poller.join().unwrap(), 0);
        assert_eq!(world().queues_back.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_queue_that_is_closed_as_its_poller_returns_is_given_back_once() {
    model(|queue| {
        let poller = spawn(move || drain(queue, Duration::ZERO).len());
        world().queue.close(queue).unwrap();
        poller.join().unwrap();
        assert_eq!(world().queues_back.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn what_is_begun_for_a_queue_that_closes_is_detached_by_one_of_the_two() {
    model(|queue| {
        let submitter = spawn(move || {
            let op = pending_for(queue);
            // As in `call/submit.rs`.
            fence(Ordering::SeqCst);
            if !world().queue.is_open(queue) {
                let _ = caller::detach(op);
            }
        });
        world().queue.close(queue).unwrap();
        submitter.join().unwrap();
        assert_eq!(world().task.cancelled.load(Ordering::SeqCst), 1);
        world().task.assert_over();
    });
}

#[test]
fn an_event_is_not_taken_for_the_next_queue_in_the_same_place() {
    model(|queue| {
        pending_for(queue);
        world().task.complete(RB_OK);
        let closer = spawn(move || world().queue.close(queue).unwrap());
        // What a poller that was in it has put back, for who has it next.
        assert!(matches!(
            caller::fetch(
                world().task.op.load(Ordering::SeqCst),
                queue + (1 << 16),
                usize::MAX
            ),
            async_call::event::FetchResult::Nothing
        ));
        closer.join().unwrap();
        world().task.assert_over();
    });
}

#[test]
fn what_two_ask_for_comes_and_no_more() {
    model_bounded(2, |queue| {
        let (node, op) = open_call(Delivery::to_queue(&world().queue, queue), false, (1, 100));
        let other = spawn(move || caller::demand(op, 1, 100).unwrap());
        run::start(node, ptr::null_mut(), async_call::borrowed::BorrowedObjects);
        caller::demand(op, 1, 100).unwrap();
        other.join().unwrap();
        assert_eq!(
            world().task.emitted.load(Ordering::SeqCst),
            3,
            "nothing asked for is lost"
        );
        assert_eq!(emit(), RB_RESOURCE_EXHAUSTED);
        let events = drain(queue, Duration::ZERO);
        let [
            Event {
                kind: EventKind::Items { count: 3, .. },
                ..
            },
        ] = &events[..]
        else {
            panic!("{events:?}");
        };
        world().task.complete(RB_OK);
        the_end(&drain(queue, Duration::ZERO), op);
        world().task.assert_over();
    });
}

#[test]
fn items_that_are_fetched_while_others_come_are_neither_lost_nor_told_after_the_end() {
    model(|queue| {
        let (node, _) = begin_with(
            &PASSIVE,
            Delivery::to_queue(&world().queue, queue),
            false,
            (2, 100),
        );
        let emitter = spawn(move || {
            assert_eq!(emit(), RB_OK);
            assert_eq!(emit(), RB_OK);
            world().task.complete(RB_OK);
        });
        run::start(node, ptr::null_mut(), async_call::borrowed::BorrowedObjects);
        let (mut items, mut ended) = (0, false);
        while !ended {
            for event in drain(queue, FOREVER) {
                assert!(!ended, "nothing after the end");
                match event.kind {
                    EventKind::Items { count, .. } => items += count,
                    EventKind::Done { .. } => ended = true,
                    _ => panic!("{event:?}"),
                }
            }
        }
        assert_eq!(items, 2);
        emitter.join().unwrap();
        world().task.assert_over();
    });
}

struct Flag(AtomicU32);

impl Wake for Flag {
    fn wake(self: StdArc<Flag>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn who_is_told_to_wait_is_woken() {
    model(|_| {
        let (node, op) = open_call(Delivery::Tasks(Wakers::default()), false, (0, 0));
        run::start(node, ptr::null_mut(), async_call::borrowed::BorrowedObjects);
        let completer = spawn(|| world().task.complete(RB_OK));
        let flag = StdArc::new(Flag(AtomicU32::new(0)));
        let waker = Waker::from(StdArc::clone(&flag));
        let mut event = caller::poll(op, &waker).unwrap();
        completer.join().unwrap();
        if event.is_none() {
            assert_eq!(flag.0.load(Ordering::SeqCst), 1, "woken");
            event = caller::poll(op, &waker).unwrap();
        }
        the_end(&[event.unwrap()], op);
        world().task.assert_over();
    });
}

#[test]
fn a_free_node_is_one_thread_s() {
    model(|_| {
        let used = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let turn = |used: &[AtomicBool; 2]| {
            for _ in 0..2 {
                let Ok((node, op)) = node_pool::take() else {
                    continue;
                };
                let of = &used[(op & 0xfffff) as usize - 1];
                assert!(!of.swap(true, Ordering::SeqCst), "it's another's");
                assert_ne!(op >> 20, 0);
                of.store(false, Ordering::SeqCst);
                node_pool::recycle(node);
            }
        };
        let other = {
            let used = Arc::clone(&used);
            spawn(move || turn(&used))
        };
        turn(&used);
        other.join().unwrap();
    });
}
