//! Operations and queues under every interleaving that loom finds.
//!
//! The very files that operations are made of are compiled here a second time, over loom's atomics, locks and conditions. What is
//! modelled otherwise: where nodes and queues are found by their numbers (there are a few, made anew for each run), the count
//! of what is pending, the bell, which is a flag, and waiting for a time, which is waiting for good.
//!
//! As in `loom.rs` there's nothing of the system's in it.
#![cfg(not(all(windows, target_env = "gnu")))]

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc as StdArc;
use std::task::{Wake, Waker};
use std::time::Duration;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use loom::thread;
use rustbridge_abi::*;

use operation::event::{Event, EventKind};
use operation::life::{self, Begin, Teller};
use operation::queue::Queue;
use operation::{caller, nodes, pending, plugin};
use state::Deadline;

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

mod handle {
    pub(crate) mod table {
        pub(crate) type Handle = u64;
    }
    pub(crate) mod atomics {
        pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
        pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
        pub(crate) use loom::thread::{ThreadId, yield_now};

        pub(crate) fn this_thread() -> ThreadId {
            loom::thread::current().id()
        }
    }
}

#[path = "../src/operation"]
#[allow(dead_code, unused_imports, reason = "the model doesn't need all of it")]
mod operation {
    pub(crate) mod asked;
    pub(crate) mod caller;
    pub(crate) mod event;
    pub(crate) mod flow;
    pub(crate) mod free;
    pub(crate) mod life;
    pub(crate) mod node;
    pub(crate) mod payload;
    pub(crate) mod plugin;
    pub(crate) mod queue;

    use crate::handle::atomics;

    pub(crate) mod nodes {
        use rustbridge_abi::{Op, Status};

        use super::atomics::MutexGuard;
        use super::free::Free;
        use super::life::Life;
        use super::node::{INDEX_BITS, Missing, Node};
        use crate::error::Error;
        use crate::world;

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

        pub(crate) fn give_back(node: &'static Node) {
            FREE(|free| free.push(node.index, &node.next));
        }

        pub(crate) fn find(op: Op) -> Result<(&'static Node, MutexGuard<'static, Life>), Missing> {
            let index = (op & ((1 << INDEX_BITS) - 1)) as usize;
            let node = world().nodes.get(index).ok_or(Missing::Unknown)?;
            Ok((node, node.find(op)?))
        }

        pub(crate) fn was_issued(op: Op) -> bool {
            let index = (op & ((1 << INDEX_BITS) - 1)) as usize;
            let node = world().nodes.get(index);
            node.is_some_and(|node| node.was_used(op >> INDEX_BITS))
        }

        pub(crate) fn for_each(mut look: impl FnMut(Op, &'static Node, MutexGuard<'static, Life>)) {
            super::atomics::fence(super::atomics::Ordering::SeqCst);
            for node in &world().nodes {
                let op = node.op();
                if op != 0
                    && let Ok((node, life)) = find(op)
                {
                    look(op, node, life);
                }
            }
        }
    }

    // No object is lent or given in the model.
    pub(crate) mod lent {
        pub(crate) struct Lent;

        impl Lent {
            pub(crate) fn none() -> Lent {
                Lent
            }
        }
    }

    pub(crate) mod answered {
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

    pub(crate) mod queues {
        use super::atomics::Ordering;
        use crate::world;

        pub(crate) fn give_back(_: usize) {
            world().queues_back.fetch_add(1, Ordering::SeqCst);
        }
    }

    pub(crate) mod pending {
        use super::atomics::Ordering;
        use crate::world;

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

    pub(crate) mod bell {
        use super::atomics::Ordering;
        use crate::error::Error;
        use crate::world;

        #[derive(Debug)]
        pub(crate) struct Bell;

        impl Bell {
            pub(crate) fn new() -> Result<Bell, Error> {
                Ok(Bell)
            }

            pub(crate) fn descriptor(&self) -> isize {
                0
            }

            pub(crate) fn ring(&self) {
                world().bell.store(1, Ordering::SeqCst);
            }

            pub(crate) fn silence(&self) {
                world().bell.store(0, Ordering::SeqCst);
            }
        }
    }
}

/// What is static elsewhere, and what the plugin does.
struct World {
    nodes: Vec<operation::node::Node>,
    free: operation::free::Free,
    queue: Queue,
    queues_back: AtomicU32,
    pending: AtomicU32,
    bell: AtomicU32,
    task: Task,
}

/// The plugin's side of one operation.
struct Task {
    op: AtomicU64,
    /// Whoever swaps it completes the operation.
    completed: AtomicBool,
    released: AtomicU32,
    inside: AtomicU32,
    cancelled: AtomicU32,
    woken: AtomicU32,
    /// Whether what is woken may be.
    wakeable: AtomicBool,
    demanding: AtomicBool,
    emitted: AtomicU32,
    freed: AtomicU32,
}

thread_local! {
    // loom runs all threads of a model on one thread of the system.
    static WORLD: std::cell::Cell<*const World> = const { std::cell::Cell::new(ptr::null()) };
}

fn world() -> &'static World {
    // SAFETY: set for as long as a model runs.
    unsafe { &*WORLD.get() }
}

const INSTANCE: u64 = 1 << 16;
const FOREVER: Duration = Duration::MAX;

fn model(run: impl Fn(u64) + Send + Sync + 'static) {
    model_bounded(3, run);
}

/// `run` gets the number of an open queue. Afterwards nothing may be pending.
fn model_bounded(preemptions: usize, run: impl Fn(u64) + Send + Sync + 'static) {
    let run = StdArc::new(run);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(move || {
        let nodes: Vec<_> = (0..3).map(operation::node::Node::new).collect();
        let world = Box::new(World {
            nodes,
            free: operation::free::Free::new(AtomicU64::new(0)),
            queue: Queue::new(1),
            queues_back: AtomicU32::new(0),
            pending: AtomicU32::new(0),
            bell: AtomicU32::new(0),
            task: Task {
                op: AtomicU64::new(0),
                completed: AtomicBool::new(false),
                released: AtomicU32::new(0),
                inside: AtomicU32::new(0),
                cancelled: AtomicU32::new(0),
                woken: AtomicU32::new(0),
                wakeable: AtomicBool::new(true),
                demanding: AtomicBool::new(false),
                emitted: AtomicU32::new(0),
                freed: AtomicU32::new(0),
            },
        });
        let world = Box::into_raw(world);
        WORLD.set(world);
        // Index 0 isn't used.
        for node in &crate::world().nodes[1..] {
            nodes::give_back(node);
        }
        let queue = crate::world().queue.open();
        let run = StdArc::clone(&run);
        spawn(move || run(queue)).join().unwrap();
        assert_eq!(pending::count(INSTANCE), 0, "pending");
        let back = std::iter::from_fn(|| nodes::take().ok()).count();
        assert_eq!(back, 2, "nodes given back");
        WORLD.set(ptr::null());
        // SAFETY: all threads of the run are joined.
        drop(unsafe { Box::from_raw(world) });
    });
}

static ACTIVE: AsyncExtension = TABLE;

const TABLE: AsyncExtension = AsyncExtension {
    cancel: Some(cancel),
    demand: Some(demand),
    release: Some(release),
    ..AsyncExtension::EMPTY
};

unsafe extern "C" fn cancel(_: *mut c_void, _: StatusCode) {
    let task = &world().task;
    task.enter();
    task.cancelled.fetch_add(1, Ordering::SeqCst);
    task.complete(RB_CANCELLED);
    task.leave();
}

unsafe extern "C" fn demand(_: *mut c_void, items: u64, _: u64) {
    let task = &world().task;
    task.enter();
    assert!(
        !task.demanding.swap(true, Ordering::SeqCst),
        "one at a time"
    );
    for _ in 0..items {
        assert_eq!(emit(), RB_OK, "within what was asked for");
        task.emitted.fetch_add(1, Ordering::SeqCst);
    }
    task.demanding.store(false, Ordering::SeqCst);
    task.leave();
}

unsafe extern "C" fn release(_: *mut c_void) {
    let task = &world().task;
    assert_eq!(
        task.inside.load(Ordering::SeqCst),
        0,
        "released with one inside"
    );
    assert!(task.completed.load(Ordering::SeqCst));
    assert_ne!(
        pending::count(INSTANCE),
        0,
        "released behind a closer's back"
    );
    assert_eq!(
        task.released.fetch_add(1, Ordering::SeqCst),
        0,
        "released twice"
    );
}

unsafe extern "C" fn wake(_: *mut c_void) {
    let task = &world().task;
    task.enter();
    assert!(
        task.wakeable.load(Ordering::SeqCst),
        "woken after it was taken back"
    );
    task.woken.fetch_add(1, Ordering::SeqCst);
    thread::yield_now();
    assert!(
        task.wakeable.load(Ordering::SeqCst),
        "taken back while it's woken"
    );
    task.leave();
}

/// A thread with more of a stack than loom's own have, which debug builds need.
fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> thread::JoinHandle<T> {
    let builder = thread::Builder::new().stack_size(1 << 16);
    builder.spawn(work).unwrap()
}

fn emit() -> StatusCode {
    let batch = Batch {
        data: b"x".as_ptr(),
        len: 1,
        count: 1,
        ..Batch::EMPTY
    };
    // SAFETY: it's readable.
    unsafe { plugin::emit(world().task.op.load(Ordering::SeqCst), &batch) }
}

unsafe extern "C" fn freed(response: *mut Response) {
    world().task.freed.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the core's copy of ours.
    unsafe { *response = Response::empty() };
}

static ANSWER: [u8; 300] = [7; 300];

impl Task {
    fn enter(&self) {
        assert_eq!(
            self.released.load(Ordering::SeqCst),
            0,
            "used when released"
        );
        self.inside.fetch_add(1, Ordering::SeqCst);
    }

    fn leave(&self) {
        assert_eq!(
            self.released.load(Ordering::SeqCst),
            0,
            "released while used"
        );
        self.inside.fetch_sub(1, Ordering::SeqCst);
    }

    /// Completes the operation unless it was, with an answer that somebody has to free.
    fn complete(&self, status: StatusCode) {
        if !self.completed.swap(true, Ordering::SeqCst) {
            let mut response = Response {
                data: ANSWER.as_ptr().cast_mut(),
                len: ANSWER.len(),
                release: Some(freed),
                ..Response::empty()
            };
            let op = self.op.load(Ordering::SeqCst);
            // SAFETY: handed over.
            unsafe { plugin::complete(op, status, &mut response, ptr::null_mut()) }.unwrap();
        }
    }

    /// It has ended, and all that belongs to it.
    fn assert_over(&self) {
        assert_eq!(self.released.load(Ordering::SeqCst), 1, "released");
        assert_eq!(self.freed.load(Ordering::SeqCst), 1, "its answer freed");
    }
}

/// Emits and ends on a thread of its own.
static PASSIVE: AsyncExtension = AsyncExtension {
    demand: None,
    ..TABLE
};

type Begun = (&'static operation::node::Node, Op);

fn begin(teller: Teller, blocking: bool, demand: (u64, u64)) -> Begun {
    begin_with(&ACTIVE, teller, blocking, demand)
}

fn begin_with(
    table: &'static AsyncExtension,
    teller: Teller,
    blocking: bool,
    demand: (u64, u64),
) -> Begun {
    let (node, op) = life::begin(Begin {
        instance: INSTANCE,
        entry: 0,
        plugin: Some(table),
        teller,
        user_data: 7,
        deadline: None,
        demand,
        blocking,
        gives: true,
        takes: true,
    })
    .unwrap();
    world().task.op.store(op, Ordering::SeqCst);
    (node, op)
}

fn pending_for(queue: u64) -> Op {
    let (node, op) = begin(Teller::Queue(&world().queue, queue), false, (0, 0));
    life::started(node, ptr::null_mut(), operation::lent::Lent);
    op
}

fn drain(queue: u64, timeout: Duration) -> Vec<Event> {
    let mut events = Vec::new();
    let _ = world().queue.next(
        queue,
        usize::MAX,
        Deadline::after(timeout),
        |_| true,
        |event| events.push(event),
    );
    events
}

/// The one event that says that it has ended.
fn the_end(events: &[Event], op: Op) -> StatusCode {
    let [
        Event {
            op: told,
            user_data: 7,
            kind: EventKind::Done { status, .. },
        },
    ] = events
    else {
        panic!("{events:?}");
    };
    assert_eq!(*told, op);
    *status
}

#[test]
fn completed_and_cancelled_while_start_returns_it_ends_once() {
    model_bounded(2, |queue| {
        let (node, op) = begin(Teller::Queue(&world().queue, queue), false, (0, 0));
        let completer = spawn(|| world().task.complete(RB_OK));
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        life::started(node, ptr::null_mut(), operation::lent::Lent);
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
        let (node, op) = begin(Teller::Queue(&world().queue, 0), false, (0, 0));
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        // Misbehaves: completes and answers.
        let completer = spawn(move || {
            // SAFETY: without a response.
            let _ = unsafe { plugin::complete(op, RB_OK, ptr::null_mut(), ptr::null_mut()) };
        });
        life::ended_at_once(node);
        canceller.join().unwrap();
        completer.join().unwrap();
        assert_eq!(
            world().task.cancelled.load(Ordering::SeqCst),
            0,
            "there's no task"
        );
        assert_eq!(world().task.released.load(Ordering::SeqCst), 0);
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
fn what_is_woken_is_in_the_operation_and_not_the_next_one_there() {
    model_bounded(2, |queue| {
        let op = pending_for(queue);
        // SAFETY: the task lives for the run.
        assert_eq!(
            unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) },
            RB_OK
        );
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        world().task.complete(RB_OK);
        drop(drain(queue, Duration::ZERO));
        canceller.join().unwrap();
        drop(drain(queue, Duration::ZERO));
        world().task.assert_over();
    });
}

#[test]
fn a_call_that_blocks_takes_its_wake_back_before_it_returns() {
    model(|_| {
        let (node, op) = begin(Teller::Nobody, true, (0, 0));
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        // SAFETY: until it's taken back, or the operation ends.
        unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) };
        // SAFETY: takes it back.
        unsafe { plugin::on_cancel(op, None, ptr::null_mut()) };
        let task = &world().task;
        task.wakeable.store(false, Ordering::SeqCst);
        life::ended_at_once(node);
        let found = canceller.join().unwrap();
        assert!(found || task.woken.load(Ordering::SeqCst) == 0);
    });
}

#[test]
fn a_call_that_ends_waits_for_who_wakes_it() {
    model(|_| {
        let (node, op) = begin(Teller::Nobody, true, (0, 0));
        // SAFETY: until the operation ends.
        unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) };
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        life::ended_at_once(node);
        world().task.wakeable.store(false, Ordering::SeqCst);
        let found = canceller.join().unwrap();
        assert_eq!(world().task.woken.load(Ordering::SeqCst), u32::from(found));
    });
}

#[test]
fn a_drainer_that_sleeps_is_woken_by_what_comes() {
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
fn a_drainer_that_sleeps_is_woken_by_closing_and_its_queue_is_given_back_once() {
    model(|queue| {
        let drainer = spawn(move || drain(queue, FOREVER).len());
        world().queue.close(queue).unwrap();
        assert_eq!(drainer.join().unwrap(), 0);
        assert_eq!(world().queues_back.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_queue_that_is_closed_as_its_drainer_returns_is_given_back_once() {
    model(|queue| {
        let drainer = spawn(move || drain(queue, Duration::ZERO).len());
        world().queue.close(queue).unwrap();
        drainer.join().unwrap();
        assert_eq!(world().queues_back.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn the_bell_rings_for_what_comes_after_it_was_found_empty() {
    model(|queue| {
        let op = pending_for(queue);
        world().queue.descriptor(queue).unwrap();
        // Once before, so that it's armed again.
        assert_eq!(plugin::want(op, 1, 1), RB_OK);
        assert_eq!(world().bell.load(Ordering::SeqCst), 1);
        assert_eq!(drain(queue, Duration::ZERO).len(), 1);
        assert_eq!(world().bell.load(Ordering::SeqCst), 0);
        let completer = spawn(|| world().task.complete(RB_OK));
        let mut events = drain(queue, Duration::ZERO);
        completer.join().unwrap();
        if events.is_empty() {
            assert_eq!(world().bell.load(Ordering::SeqCst), 1, "nobody would look");
            events = drain(queue, Duration::ZERO);
        }
        the_end(&events, op);
        drop(events);
        drain(queue, Duration::ZERO);
        assert_eq!(
            world().bell.load(Ordering::SeqCst),
            0,
            "silent when there's nothing"
        );
    });
}

#[test]
fn the_bell_rings_for_what_came_while_it_was_asked_for() {
    model(|queue| {
        pending_for(queue);
        let completer = spawn(|| world().task.complete(RB_OK));
        world().queue.descriptor(queue).unwrap();
        completer.join().unwrap();
        assert_eq!(world().bell.load(Ordering::SeqCst), 1);
        drop(drain(queue, Duration::ZERO));
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
        // What a drainer that was in it has put back, for who has it next.
        assert!(matches!(
            caller::fetch(
                world().task.op.load(Ordering::SeqCst),
                queue + (1 << 16),
                |_| true
            ),
            caller::Fetched::Nothing
        ));
        closer.join().unwrap();
        world().task.assert_over();
    });
}

#[test]
fn what_two_ask_for_comes_and_no_more() {
    model_bounded(2, |queue| {
        let (node, op) = begin(Teller::Queue(&world().queue, queue), false, (1, 100));
        let other = spawn(move || caller::demand(op, 1, 100).unwrap());
        life::started(node, ptr::null_mut(), operation::lent::Lent);
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
            Teller::Queue(&world().queue, queue),
            false,
            (2, 100),
        );
        let emitter = spawn(move || {
            assert_eq!(emit(), RB_OK);
            assert_eq!(emit(), RB_OK);
            world().task.complete(RB_OK);
        });
        life::started(node, ptr::null_mut(), operation::lent::Lent);
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
        let (node, op) = begin(Teller::Task(life::Watchers::default()), false, (0, 0));
        life::started(node, ptr::null_mut(), operation::lent::Lent);
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
                let Ok((node, op)) = nodes::take() else {
                    continue;
                };
                let of = &used[(op & 0xfffff) as usize - 1];
                assert!(!of.swap(true, Ordering::SeqCst), "it's another's");
                assert_ne!(op >> 20, 0);
                of.store(false, Ordering::SeqCst);
                nodes::give_back(node);
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
