//! What is static elsewhere, made anew for each run, and a plugin that notices what it may not be done.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc as StdArc;
use std::time::Duration;

use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use loom::thread;
use rustbridge_abi::*;

use crate::async_call::call_state::{CallInfo, NewCall, Node};
use crate::async_call::delivery::Delivery;
use crate::async_call::event::{Event, EventKind};
use crate::async_call::queue::Queue;
use crate::async_call::{borrowed, free, node_pool, pending_count, plugin, run};
use crate::state::Deadline;

/// What is static elsewhere, and the plugin's one task.
pub(crate) struct World {
    pub(crate) nodes: Vec<Node>,
    pub(crate) free: free::Free,
    pub(crate) queue: Queue,
    pub(crate) queues_back: AtomicU32,
    pub(crate) pending: AtomicU32,
    pub(crate) wakeup: AtomicU32,
    pub(crate) task: Task,
}

/// The plugin's side of one operation.
pub(crate) struct Task {
    pub(crate) op: AtomicU64,
    /// Whoever swaps it completes the operation.
    pub(crate) completed: AtomicBool,
    pub(crate) released: AtomicU32,
    pub(crate) inside: AtomicU32,
    pub(crate) cancelled: AtomicU32,
    pub(crate) woken: AtomicU32,
    /// Whether what is woken may be.
    pub(crate) wakeable: AtomicBool,
    pub(crate) demanding: AtomicBool,
    pub(crate) emitted: AtomicU32,
    pub(crate) freed: AtomicU32,
}

/// Nobody waits in a service call, but one may be looked for.
pub(crate) mod waiters {
    use std::cell::Cell;

    thread_local! {
        // loom's threads all run on the test's own.
        pub(crate) static ARE_LOOKED_FOR: Cell<bool> = const { Cell::new(false) };
    }

    pub(crate) fn are_there() -> bool {
        ARE_LOOKED_FOR.get()
    }

    pub(crate) fn wake(_: u64) {}
}

/// Time doesn't pass.
pub(crate) mod timer {
    pub(crate) struct TimerHandle;

    pub(crate) fn at(_: std::time::Instant, _: fn(u64), _: u64) -> Option<TimerHandle> {
        None
    }
}

thread_local! {
    // loom runs all threads of a model on one thread of the system.
    static WORLD: std::cell::Cell<*const World> = const { std::cell::Cell::new(ptr::null()) };
}

pub(crate) fn world() -> &'static World {
    // SAFETY: set for as long as a model runs.
    unsafe { &*WORLD.get() }
}

pub(crate) const INSTANCE: u64 = 1 << 16;
pub(crate) const FOREVER: Duration = Duration::MAX;

pub(crate) fn model(work: impl Fn(u64) + Send + Sync + 'static) {
    model_bounded(3, work);
}

/// `work` gets the number of an open queue. Afterwards nothing may be pending.
pub(crate) fn model_bounded(preemptions: usize, work: impl Fn(u64) + Send + Sync + 'static) {
    let work = StdArc::new(work);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(move || {
        let nodes: Vec<_> = (0..3).map(Node::new).collect();
        let made = Box::new(World {
            nodes,
            free: free::Free::new(AtomicU64::new(0)),
            queue: Queue::new(1),
            queues_back: AtomicU32::new(0),
            pending: AtomicU32::new(0),
            wakeup: AtomicU32::new(0),
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
        let made = Box::into_raw(made);
        WORLD.set(made);
        // Index 0 isn't used.
        for node in &world().nodes[1..] {
            node_pool::recycle(node);
        }
        let queue = world().queue.open();
        let work = StdArc::clone(&work);
        spawn(move || work(queue)).join().unwrap();
        assert_eq!(pending_count::count(INSTANCE), 0, "pending");
        let back = std::iter::from_fn(|| node_pool::take().ok()).count();
        assert_eq!(back, 2, "nodes given back");
        WORLD.set(ptr::null());
        // SAFETY: all threads of the run are joined.
        drop(unsafe { Box::from_raw(made) });
    });
}

pub(crate) static ACTIVE: AsyncExtension = TABLE;

pub(crate) const TABLE: AsyncExtension = AsyncExtension {
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
        pending_count::count(INSTANCE),
        0,
        "released behind a closer's back"
    );
    assert_eq!(
        task.released.fetch_add(1, Ordering::SeqCst),
        0,
        "released twice"
    );
}

/// What is woken when the operation is to end early.
pub(crate) unsafe extern "C" fn wake(_: *mut c_void) {
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
pub(crate) fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> thread::JoinHandle<T> {
    let builder = thread::Builder::new().stack_size(1 << 16);
    builder.spawn(work).unwrap()
}

pub(crate) fn emit() -> StatusCode {
    let batch = Batch {
        data: b"x".as_ptr(),
        len: 1,
        count: 1,
        ..Batch::EMPTY
    };
    // SAFETY: it's readable.
    unsafe { plugin::emit(world().task.op.load(Ordering::SeqCst), &batch, |_, _| {}) }
}

unsafe extern "C" fn freed(response: *mut Response) {
    world().task.freed.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the core's copy of ours.
    unsafe { *response = Response::empty() };
}

pub(crate) static ANSWER: [u8; 300] = [7; 300];

impl Task {
    pub(crate) fn enter(&self) {
        assert_eq!(
            self.released.load(Ordering::SeqCst),
            0,
            "used when released"
        );
        self.inside.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn leave(&self) {
        assert_eq!(
            self.released.load(Ordering::SeqCst),
            0,
            "released while used"
        );
        self.inside.fetch_sub(1, Ordering::SeqCst);
    }

    /// Completes the operation unless it was, with an answer that somebody has to free.
    pub(crate) fn complete(&self, status: StatusCode) {
        if !self.completed.swap(true, Ordering::SeqCst) {
            let mut response = Response {
                data: ANSWER.as_ptr().cast_mut(),
                len: ANSWER.len(),
                release: Some(freed),
                ..Response::empty()
            };
            let op = self.op.load(Ordering::SeqCst);
            // SAFETY: handed over.
            unsafe { plugin::complete(op, status, &mut response, ptr::null_mut(), |_, _| {}) }
                .unwrap();
        }
    }

    /// It has ended, and all that belongs to it.
    pub(crate) fn assert_over(&self) {
        assert_eq!(self.released.load(Ordering::SeqCst), 1, "released");
        assert_eq!(self.freed.load(Ordering::SeqCst), 1, "its answer freed");
    }
}

/// Emits and ends on a thread of its own.
pub(crate) static PASSIVE: AsyncExtension = AsyncExtension {
    demand: None,
    ..TABLE
};

pub(crate) type OpenedCall = (&'static Node, Op);

pub(crate) fn open_call(delivery: Delivery, blocking: bool, demand: (u64, u64)) -> OpenedCall {
    begin_with(&ACTIVE, delivery, blocking, demand)
}

pub(crate) fn begin_with(
    table: &'static AsyncExtension,
    delivery: Delivery,
    blocking: bool,
    demand: (u64, u64),
) -> OpenedCall {
    let (node, op) = run::open_call(NewCall {
        info: CallInfo {
            instance: INSTANCE,
            plugin: Some(table),
            user_data: 7,
            ..CallInfo::default()
        },
        delivery,
        is_synchronous: blocking,
        output: Some(demand),
        input: true,
        headers: false,
    })
    .unwrap();
    world().task.op.store(op, Ordering::SeqCst);
    (node, op)
}

pub(crate) fn pending_for(queue: u64) -> Op {
    let (node, op) = open_call(Delivery::to_queue(&world().queue, queue), false, (0, 0));
    run::start(node, ptr::null_mut(), borrowed::BorrowedObjects);
    op
}

pub(crate) fn drain(queue: u64, timeout: Duration) -> Vec<Event> {
    let mut events = Vec::new();
    let _ = world().queue.next(
        queue,
        usize::MAX,
        Deadline::after(timeout),
        || usize::MAX,
        |event| events.push(event),
    );
    events
}

/// The one event that says that it has ended.
pub(crate) fn the_end(events: &[Event], op: Op) -> StatusCode {
    let [
        Event {
            op: told,
            user_data: 7,
            instance: _,
            kind: EventKind::Done { status, .. },
        },
    ] = events
    else {
        panic!("{events:?}");
    };
    assert_eq!(*told, op);
    *status
}
