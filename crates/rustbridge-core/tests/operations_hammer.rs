//! Operations that are begun, cancelled, given up and fetched on two threads while queues and instances come and go: each ends
//! once, for the one who began it, and nothing stays behind.
//!
//! A program of its own, because its allocator counts what all threads of the process have allocated.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls, everywhere here"
)]

mod common;
#[path = "common/storm.rs"]
mod storm;

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use common::rounds;
use rustbridge_abi::*;
use rustbridge_core::operations::{self, Event, EventKind, Submission};
use rustbridge_core::{Encoding, Handle, Load, OnPanic, Response, handles};
use storm::Way;

/// Counts the bytes that are allocated.
struct Counting;

static LIVE: AtomicI64 = AtomicI64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time, since tasks and bytes are counted for all.
static ALONE: Mutex<()> = Mutex::new(());

const LONG: Duration = Duration::from_secs(60);
/// How many operations a thread has pending at most.
const WINDOW: usize = 64;

fn load(poison: bool) -> (Handle, u32, u32) {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let mut load = unsafe { Load::linked(storm::entry_point, "storm") };
    if poison {
        load = load.on_panic(OnPanic::Poison);
    }
    let handle = handles::load(load).unwrap();
    let entry = |name| handles::prepare(handle, name, Encoding::Raw).unwrap().entry;
    (handle, entry("any"), entry("count"))
}

fn request(way: u8, answer: u64) -> [u8; 16] {
    let mut request = [0; 16];
    request[0] = way;
    request[8..].copy_from_slice(&answer.to_ne_bytes());
    request
}

/// Xorshift: what happens when is another each time, and the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// The instance that both threads call, in turn replaced by either.
struct Current(Mutex<(Handle, u32)>);

impl Current {
    fn get(&self) -> (Handle, u32) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts another in its place and closes it, unless the other thread was faster.
    fn replace(&self, old: Handle, poison: bool) {
        let mut current = self.0.lock().unwrap();
        if current.0 == old {
            let (handle, entry, _) = load(poison);
            *current = (handle, entry);
            drop(current);
            handles::close(old, LONG).unwrap();
        }
    }
}

struct Pending {
    id: u64,
    way: Way,
    cancelled: bool,
}

/// One thread's part.
struct Beater<'a> {
    current: &'a Current,
    dice: Dice,
    queue: u64,
    pending: HashMap<Op, Pending>,
    /// Numbers of operations that are over.
    stale: Vec<Op>,
    next: u64,
    ended: u64,
    told: u64,
}

impl Beater<'_> {
    fn beat(&mut self) {
        let (handle, entry) = self.current.get();
        let way = Way::ALL[self.dice.below(Way::ALL.len() as u64) as usize];
        let way = if way == Way::Panics && self.dice.below(50) != 0 {
            Way::Later
        } else {
            way
        };
        self.next += 1;
        let id = self.next;
        let request = request(way as u8, id);
        let mut storage = [0_u8; 512];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        let mut submission = Submission::of(handle, entry, &request);
        submission.user_data = id;
        let (status, op) = unsafe { operations::submit(self.queue, submission, &mut response) };
        let answer =
            (response.len == 8).then(|| unsafe { response.data.cast::<u64>().read_unaligned() });
        unsafe { handles::release(&mut response) };
        if status == RB_PENDING {
            assert!(!matches!(way, Way::AtOnce | Way::AtOnceAndLater));
            let before = self.pending.insert(
                op,
                Pending {
                    id,
                    way,
                    cancelled: false,
                },
            );
            assert!(before.is_none(), "a number is given twice");
        } else {
            assert_eq!(op, 0);
            match status {
                RB_OK => {
                    assert!(matches!(way, Way::AtOnce | Way::AtOnceAndLater));
                    assert_eq!(answer, Some(id));
                }
                // Closed by the other thread, or poisoned.
                RB_UNAVAILABLE | RB_FAILED_PRECONDITION => {
                    self.end_all();
                    let poison = self.dice.below(4) == 0;
                    self.current.replace(handle, poison);
                }
                status => panic!("{status} {way:?}"),
            }
            self.ended += 1;
        }
        self.disturb(handle);
        while self.pending.len() >= WINDOW {
            self.drain(Duration::from_millis(1));
            self.cancel_some(16);
        }
        if self.dice.below(8) == 0 {
            self.drain(Duration::ZERO);
        }
    }

    fn disturb(&mut self, handle: Handle) {
        match self.dice.below(5000) {
            0 => {
                self.end_all();
                let poison = self.dice.below(4) == 0;
                self.current.replace(handle, poison);
            }
            1..10 => {
                // Detaches them all.
                operations::close_queue(self.queue).unwrap();
                self.ended += self.pending.len() as u64;
                self.stale.extend(self.pending.drain().map(|(op, _)| op));
                self.queue = operations::new_queue().unwrap();
            }
            10..500 => {
                if let Some(op) = self.any() {
                    let is_told = operations::detach(op).is_err();
                    assert!(!is_told, "nobody else fetches its end");
                    self.pending.remove(&op);
                    self.stale.push(op);
                    self.ended += 1;
                }
            }
            500..1500 => self.cancel_some(1),
            1500..2000 => {
                // None of these may touch another.
                if let Some(&op) = self.stale.get(self.dice.below(1000) as usize) {
                    let _ = operations::demand(op, 1, 1);
                    let _ = operations::end_sending(op, RB_OK, b"");
                    assert!(operations::cancel(op ^ (1 << 40)).is_err());
                }
                self.stale.truncate(1000);
            }
            _ => {}
        }
    }

    fn any(&mut self) -> Option<Op> {
        let at = self.dice.below(self.pending.len().max(1) as u64);
        self.pending.keys().nth(at as usize).copied()
    }

    fn cancel_some(&mut self, most: usize) {
        for _ in 0..most {
            if let Some(op) = self.any() {
                // Refused if it has ended, and its event is on its way.
                let _ = operations::cancel(op);
                self.pending.get_mut(&op).unwrap().cancelled = true;
            }
        }
    }

    fn drain(&mut self, timeout: Duration) {
        let mut events = Vec::new();
        operations::next(
            self.queue,
            16,
            timeout,
            || usize::MAX,
            |event| events.push(event),
        )
        .unwrap();
        for event in events {
            self.check(&event);
        }
    }

    fn check(&mut self, event: &Event) {
        let Some(begun) = self.pending.remove(&event.op) else {
            panic!("{event:?} is of nothing that is pending here");
        };
        assert_eq!(event.user_data, begun.id);
        let EventKind::Done {
            status, response, ..
        } = &event.kind
        else {
            panic!("{event:?}");
        };
        let answer = response.bytes();
        assert_eq!(answer[..8], begun.id.to_ne_bytes(), "another's answer");
        let size = if begun.way == Way::LaterAndLarge {
            storm::LARGE
        } else {
            8
        };
        assert_eq!(answer.len(), size);
        match *status {
            RB_OK => assert!(begun.way.ends()),
            RB_INTERNAL => assert_eq!(begun.way, Way::Panics),
            // Who is woken doesn't know why.
            RB_CANCELLED => assert!(begun.cancelled || begun.way == Way::WhenWoken),
            // Of an instance that was poisoned.
            RB_FAILED_PRECONDITION => {}
            status => panic!("{status}"),
        }
        self.stale.push(event.op);
        self.ended += 1;
        self.told += 1;
    }

    /// Until nothing of this thread's is pending, or another's closing would wait for that.
    fn end_all(&mut self) {
        let ops: Vec<Op> = self.pending.keys().copied().collect();
        for op in ops {
            let _ = operations::cancel(op);
            self.pending.get_mut(&op).unwrap().cancelled = true;
        }
        let until = Instant::now() + LONG;
        while !self.pending.is_empty() {
            assert!(Instant::now() < until, "{} never end", self.pending.len());
            self.drain(Duration::from_millis(10));
        }
    }
}

fn settled() -> i64 {
    // What was detached ends on the plugin's threads.
    let until = Instant::now() + LONG;
    while storm::TASKS.load(Ordering::SeqCst) != 0 || storm::ANSWERS.load(Ordering::SeqCst) != 0 {
        assert!(Instant::now() < until, "tasks or answers stay behind");
        thread::yield_now();
    }
    LIVE.load(Ordering::Relaxed)
}

/// Beats with two threads, and gives how many events they were told of.
fn storm_of(submissions: u64, seed: u64) -> u64 {
    let (handle, entry, _) = load(false);
    let current = Current(Mutex::new((handle, entry)));
    let told = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..2 {
            let (current, told) = (&current, &told);
            scope.spawn(move || {
                let mut beater = Beater {
                    current,
                    dice: Dice((seed + thread).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
                    queue: operations::new_queue().unwrap(),
                    pending: HashMap::new(),
                    stale: Vec::new(),
                    next: 0,
                    ended: 0,
                    told: 0,
                };
                for _ in 0..submissions / 2 {
                    beater.beat();
                }
                beater.end_all();
                assert_eq!(beater.ended, submissions / 2, "each has ended once");
                told.fetch_add(beater.told, Ordering::Relaxed);
                operations::close_queue(beater.queue).unwrap();
            });
        }
    });
    handles::close(current.get().0, LONG).unwrap();
    told.into_inner()
}

#[test]
fn each_operation_ends_once_and_for_the_one_who_began_it() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let each = 10_000;
    storm_of(each, 1);
    let before = settled();
    for round in 0..rounds(10) {
        let told = storm_of(each, 2 + round * 2);
        assert!(told > each / 4, "{told}");
        let more = settled() - before;
        assert!(more < 1 << 20, "{more} bytes stay behind");
    }
}

#[test]
fn items_of_a_slow_consumer_wait_within_its_credit_and_none_is_lost() {
    const CREDIT: u64 = 100;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (handle, _, count) = load(false);
    let last = rounds(10_000);
    let queue = operations::new_queue().unwrap();
    let request = request(0, last);
    let mut submission = Submission::of(handle, count, &request);
    submission.demand = (CREDIT, CREDIT * 8);
    let mut response = Response::empty();
    let (status, op) = unsafe { operations::submit(queue, submission, &mut response) };
    assert_eq!(status, RB_PENDING);
    let (mut got, mut most) = (0, 0);
    let mut dice = Dice(7);
    let before = LIVE.load(Ordering::Relaxed);
    loop {
        let mut events = Vec::new();
        operations::next(queue, 1, LONG, || usize::MAX, |event| events.push(event)).unwrap();
        match events.remove(0).kind {
            EventKind::Items { count, bytes, .. } => {
                assert!(u64::from(count) <= CREDIT);
                for item in bytes.chunks_exact(8) {
                    assert_eq!(u64::from_ne_bytes(item.try_into().unwrap()), got);
                    got += 1;
                }
                most = most.max(LIVE.load(Ordering::Relaxed) - before);
                // Slow, and in portions that are no multiples of anything.
                if dice.below(100) == 0 {
                    thread::sleep(Duration::from_micros(200));
                }
                let mut left = u64::from(count);
                while left > 0 {
                    let portion = 1 + dice.below(left);
                    operations::demand(op, portion, portion * 8).unwrap();
                    left -= portion;
                }
            }
            EventKind::Done { status, .. } => {
                assert_eq!(status, RB_OK);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(got, last);
    assert!(most < 64 << 10, "{most} bytes for {CREDIT} items");
    operations::close_queue(queue).unwrap();
    handles::close(handle, LONG).unwrap();
    settled();
}

struct Told {
    items: AtomicU64,
    ended: Mutex<Sender<u64>>,
    op: AtomicU64,
}

#[test]
fn a_function_that_asks_for_more_from_inside_is_told_in_order_and_one_at_a_time() {
    unsafe fn tell([data, _]: [*mut c_void; 2], event: Event) {
        static INSIDE: AtomicU64 = AtomicU64::new(0);
        assert_eq!(INSIDE.fetch_add(1, Ordering::SeqCst), 0);
        let told = unsafe { &*data.cast::<Told>() };
        let is_over = match event.kind {
            EventKind::Items { count, bytes, .. } => {
                for item in bytes.chunks_exact(8) {
                    let at = told.items.fetch_add(1, Ordering::SeqCst);
                    assert_eq!(u64::from_ne_bytes(item.try_into().unwrap()), at);
                }
                operations::demand(event.op, u64::from(count), u64::from(count) * 8).unwrap();
                false
            }
            EventKind::Done { .. } => true,
            other => panic!("{other:?}"),
        };
        INSIDE.fetch_sub(1, Ordering::SeqCst);
        if is_over {
            let ended = told.ended.lock().unwrap().clone();
            ended.send(told.items.load(Ordering::SeqCst)).unwrap();
        }
    }
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (handle, _, count) = load(false);
    let last = rounds(10_000);
    let (sender, ended) = channel();
    let told = Told {
        items: AtomicU64::new(0),
        ended: Mutex::new(sender),
        op: AtomicU64::new(0),
    };
    let request = request(0, last);
    let mut submission = Submission::of(handle, count, &request);
    submission.demand = (10, 80);
    let data = [(&raw const told).cast_mut().cast(), std::ptr::null_mut()];
    let mut response = Response::empty();
    let callback = operations::Callback::new(tell, data);
    let (status, op) = unsafe { operations::start(callback, submission, &mut response) };
    assert_eq!(status, RB_PENDING);
    told.op.store(op, Ordering::SeqCst);
    assert_eq!(ended.recv_timeout(LONG).unwrap(), last);
    handles::close(handle, LONG).unwrap();
    settled();
}

#[test]
fn a_queue_that_is_closed_under_its_poller_is_one_place_still() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..rounds(500) {
        let queue = operations::new_queue().unwrap();
        let start = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                start.wait();
                while operations::next(queue, 1, Duration::ZERO, || usize::MAX, |_| {}).is_ok() {}
            });
            start.wait();
            operations::close_queue(queue).unwrap();
        });
        let [one, other] = [(); 2].map(|()| operations::new_queue().unwrap());
        assert_ne!(one & 0xffff, other & 0xffff);
        operations::close_queue(one).unwrap();
        operations::close_queue(other).unwrap();
    }
}
