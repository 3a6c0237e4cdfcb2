//! Calls that end later, their streams and the queues that tell of them, with a plugin against the ABI alone.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls, everywhere here"
)]

#[allow(dead_code, reason = "what others use of it")]
#[path = "common/later.rs"]
mod later;

use std::collections::HashMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::*;
use rustbridge_core::operations::{self, Event, EventKind, Submission};
use rustbridge_core::{Encoding, Error, Handle, Load, OnPanic, Response, Status, handles};

const LONG: Duration = Duration::from_secs(30);

/// Tasks are counted for all, so tests that look at the count are alone.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Later {
    handle: Handle,
    queue: u64,
    _alone: MutexGuard<'static, ()>,
}

fn later() -> Later {
    let alone = alone();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(later::entry_point, "later") };
    Later {
        handle: handles::load(load).unwrap(),
        queue: operations::new_queue().unwrap(),
        _alone: alone,
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        let _ = operations::close_queue(self.queue);
        let _ = handles::close(self.handle, LONG);
        if !thread::panicking() {
            assert_eq!(
                later::TASKS.load(Ordering::SeqCst),
                0,
                "tasks that aren't released"
            );
        }
    }
}

impl Later {
    fn entry(&self, method: &str) -> u32 {
        handles::prepare(self.handle, method, Encoding::Raw)
            .unwrap()
            .entry
    }

    fn submit(&self, method: &str, request: &str) -> (i32, Op, Vec<u8>) {
        self.submit_with(method, request, (0, 0), 0)
    }

    fn submit_with(
        &self,
        method: &str,
        request: &str,
        demand: (u64, u64),
        user_data: u64,
    ) -> (i32, Op, Vec<u8>) {
        let mut response = Response::empty();
        let mut submission = Submission::of(self.handle, self.entry(method), request.as_bytes());
        submission.demand = demand;
        submission.user_data = user_data;
        let (status, op) = unsafe { operations::submit(self.queue, submission, &mut response) };
        (status, op, taken(&mut response))
    }

    fn pending(&self, method: &str, request: &str) -> Op {
        let (status, op, _) = self.submit(method, request);
        assert_eq!(status, RB_PENDING);
        assert_ne!(op, 0);
        op
    }

    fn next(&self) -> Event {
        self.within(LONG).expect("an event in time")
    }

    fn within(&self, timeout: Duration) -> Option<Event> {
        let mut found = None;
        operations::next(
            self.queue,
            1,
            timeout,
            |_| true,
            |event| found = Some(event),
        )
        .unwrap();
        found
    }
}

fn taken(response: &mut Response) -> Vec<u8> {
    let bytes = if response.len == 0 {
        Vec::new()
    } else {
        unsafe { std::slice::from_raw_parts(response.data, response.len) }.to_vec()
    };
    unsafe { handles::release(response) };
    bytes
}

fn done(event: &Event) -> (i32, String) {
    let EventKind::Done {
        status, response, ..
    } = &event.kind
    else {
        panic!("{event:?}");
    };
    (
        *status,
        String::from_utf8(response.bytes().to_vec()).unwrap(),
    )
}

#[test]
fn what_is_answered_at_once_is_no_event() {
    let later = later();
    for (method, answer) in [("ready", "ready"), ("plain", "plain")] {
        assert_eq!(
            later.submit(method, ""),
            (RB_OK, 0, answer.as_bytes().to_vec())
        );
    }
    assert!(later.within(Duration::ZERO).is_none());
}

#[test]
fn what_ends_later_is_told_once_by_its_number_and_user_data() {
    let later = later();
    let mut expected = HashMap::new();
    for number in 0..50_u64 {
        let wait = (number % 5).to_string();
        let (status, op, _) = later.submit_with("after", &wait, (0, 0), number);
        assert_eq!(status, RB_PENDING);
        assert!(
            expected
                .insert(op, (number, format!("after {wait}")))
                .is_none()
        );
    }
    while !expected.is_empty() {
        let event = later.next();
        let (number, answer) = expected.remove(&event.op).unwrap();
        assert_eq!(event.user_data, number);
        assert_eq!(done(&event), (RB_OK, answer));
    }
    assert!(later.within(Duration::from_millis(20)).is_none());
}

#[test]
fn an_end_that_comes_before_start_has_returned_is_told_all_the_same() {
    let later = later();
    for size in [0, 1, 256, 257, 100_000] {
        let op = later.pending("early", &size.to_string());
        let event = later.next();
        assert_eq!(event.op, op);
        let EventKind::Done { response, .. } = event.kind else {
            panic!()
        };
        assert_eq!(response.bytes(), vec![8; size]);
    }
}

#[test]
fn a_second_end_is_refused_and_not_told() {
    let later = later();
    later::AGAIN.store(0, Ordering::SeqCst);
    later.pending("twice", "1");
    // Before it's fetched, or there's no such operation any more.
    let until = Instant::now() + LONG;
    while later::AGAIN.load(Ordering::SeqCst) == 0 {
        assert!(Instant::now() < until);
        thread::yield_now();
    }
    assert_eq!(
        later::AGAIN.load(Ordering::SeqCst),
        RB_FAILED_PRECONDITION,
        "what the second end was answered"
    );
    assert_eq!(done(&later.next()).1, "after 1");
    assert!(later.within(Duration::from_millis(50)).is_none());
}

#[test]
fn cancelling_ends_it_early_or_comes_too_late() {
    let later = later();
    let op = later.pending("never", "");
    operations::cancel(op).unwrap();
    assert_eq!(
        done(&later.next()),
        (RB_CANCELLED, r#"{"message":"ended early"}"#.into())
    );
    assert_eq!(
        operations::cancel(op).unwrap_err().status(),
        Status::NotFound
    );
    // One that doesn't listen ends as it would have.
    let op = later.pending("deaf", "30");
    operations::cancel(op).unwrap();
    assert_eq!(done(&later.next()).0, RB_OK);
    for forged in [0, 1, op, op + (1 << 20), u64::MAX] {
        assert!(operations::cancel(forged).is_err(), "{forged:#x}");
        assert!(operations::detach(forged).is_err(), "{forged:#x}");
    }
}

#[test]
fn what_was_detached_is_swallowed_and_released() {
    let later = later();
    for (method, request) in [
        ("never", ""),
        ("deaf", "10"),
        ("early", "300"),
        ("after", "1"),
    ] {
        let op = later.pending(method, request);
        operations::detach(op).unwrap();
    }
    assert!(later.within(Duration::from_millis(100)).is_none());
    handles::close(later.handle, LONG).unwrap();
}

#[test]
fn a_closed_queue_detaches_what_it_was_for() {
    let later = later();
    for _ in 0..10 {
        later.pending("never", "");
    }
    operations::close_queue(later.queue).unwrap();
    let error = |result: Result<(), Error>| result.unwrap_err().status();
    assert_eq!(
        error(operations::close_queue(later.queue)),
        Status::InvalidArgument
    );
    assert_eq!(
        error(operations::wake_queue(later.queue)),
        Status::InvalidArgument
    );
    let (status, op, _) = later.submit("ready", "");
    assert_eq!((status, op), (RB_INVALID_ARGUMENT, 0));
    // All were cancelled, so nothing keeps the instance.
    handles::close(later.handle, LONG).unwrap();
}

#[test]
fn a_waiting_drainer_is_alone_and_returns_when_nudged_or_closed() {
    let later = later();
    let queue = later.queue;
    for close in [false, true] {
        let (began, begins) = mpsc::channel();
        let drainer = thread::spawn(move || {
            began.send(()).unwrap();
            loop {
                match operations::next(queue, 1, LONG, |_| true, |_| panic!("nothing comes")) {
                    // The other one was inside just then.
                    Err(error) if error.status() == Status::Aborted => {}
                    ended => return ended,
                }
            }
        });
        begins.recv_timeout(LONG).unwrap();
        let until = Instant::now() + LONG;
        // A second one is refused as soon as the first is inside.
        loop {
            match operations::next(queue, 1, Duration::ZERO, |_| true, |_| {}) {
                Err(error) => {
                    assert_eq!(error.status(), Status::Aborted);
                    break;
                }
                Ok(_) => assert!(Instant::now() < until),
            }
        }
        if close {
            operations::close_queue(queue).unwrap();
            assert_eq!(
                drainer.join().unwrap().unwrap_err().status(),
                Status::InvalidArgument
            );
        } else {
            operations::wake_queue(queue).unwrap();
            assert_eq!(drainer.join().unwrap().unwrap(), 0);
        }
    }
}

#[cfg(unix)]
#[test]
fn the_bell_rings_when_something_has_come() {
    let later = later();
    let descriptor = operations::queue_descriptor(later.queue).unwrap();
    let rings = |timeout: i32| {
        let mut poll = libc::pollfd {
            fd: descriptor as i32,
            events: libc::POLLIN,
            revents: 0,
        };
        unsafe { libc::poll(&mut poll, 1, timeout) == 1 }
    };
    assert!(!rings(0));
    for _ in 0..3 {
        later.pending("after", "5");
        assert!(rings(30_000));
        later.next();
        // Silent only when it was found empty.
        assert!(later.within(Duration::ZERO).is_none());
        assert!(!rings(0));
    }
}

#[test]
fn items_come_as_they_are_asked_for() {
    let later = later();
    let (status, op, _) = later.submit_with("count", "10", (3, 1000), 7);
    assert_eq!(status, RB_PENDING);
    let mut got = String::new();
    loop {
        let event = later.next();
        assert_eq!((event.op, event.user_data), (op, 7));
        match event.kind {
            EventKind::Items {
                count,
                bytes,
                flags,
                ..
            } => {
                assert!(count <= 3);
                assert_eq!(flags, 0);
                got += &String::from_utf8(bytes).unwrap();
                // The last ones are followed by the end.
                assert!(count < 3 || later.within(Duration::from_millis(5)).is_none());
                operations::demand(op, 3, 1000).unwrap();
            }
            EventKind::Done { status, .. } => {
                assert_eq!(status, RB_OK);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(got, "12345678910"[..9].to_owned() + "10");
}

#[test]
fn what_waits_is_one_batch_with_ends_where_lengths_differ() {
    let later = later();
    let (_, op, _) = later.submit_with("count", "11", (100, 1000), 0);
    let event = later.next();
    let EventKind::Items {
        count,
        bytes,
        flags,
        ..
    } = event.kind
    else {
        panic!()
    };
    assert_eq!((event.op, count, flags), (op, 11, RB_BATCH_ENDS));
    assert_eq!(&bytes[..13], b"1234567891011");
    let ends: Vec<u32> = bytes[13..]
        .chunks(4)
        .map(|end| u32::from_ne_bytes(end.try_into().unwrap()))
        .collect();
    assert_eq!(ends, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13]);
    assert_eq!(done(&later.next()).0, RB_OK);
}

#[test]
fn more_than_was_asked_for_is_refused_to_the_plugin() {
    let later = later();
    later::EXHAUSTED.store(0, Ordering::SeqCst);
    let (_, op, _) = later.submit_with("greedy", "5", (2, 1000), 0);
    let EventKind::Items { count, .. } = later.next().kind else {
        panic!()
    };
    assert_eq!((count, later::EXHAUSTED.load(Ordering::SeqCst)), (2, 1));
    operations::detach(op).unwrap();
}

#[test]
fn items_are_sent_as_they_are_asked_for() {
    let later = later();
    let op = later.pending("sum", "");
    let mut sent = 0_u64;
    let mut credit = 0;
    while sent < 100 {
        while credit == 0 {
            let EventKind::Demand { items, .. } = later.next().kind else {
                panic!()
            };
            credit = items;
        }
        let items = [1_u8, 2];
        let batch = Batch {
            data: items.as_ptr(),
            len: 2,
            count: 2,
            ..Batch::EMPTY
        };
        unsafe { operations::write(op, &batch) }.unwrap();
        sent += 2;
        credit = 0;
    }
    let many = [0_u8; 1000];
    let batch = Batch {
        data: many.as_ptr(),
        len: 1000,
        count: 1000,
        ..Batch::EMPTY
    };
    let error = unsafe { operations::write(op, &batch) }.unwrap_err();
    assert_eq!(error.status(), Status::ResourceExhausted);
    operations::end(op, RB_OK, b"").unwrap();
    let answer = loop {
        let event = later.next();
        if !matches!(event.kind, EventKind::Demand { .. }) {
            break done(&event);
        }
    };
    assert_eq!(answer, (RB_OK, "150".into()));
    assert!(operations::end(op, RB_OK, b"").is_err());
}

#[test]
fn closing_waits_for_what_is_pending_and_says_what() {
    let later = later();
    let op = later.pending("deaf", "200");
    let ready = later.entry("ready");
    let error = handles::close(later.handle, Duration::from_millis(10)).unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert!(error.message().contains("deaf (raw), pending"), "{error}");
    assert_eq!(
        error.details().unwrap()["pending"][0]["method"],
        "deaf (raw)"
    );
    handles::close(later.handle, LONG).unwrap();
    assert_eq!(later.next().op, op);
    let mut response = Response::empty();
    let submission = Submission::of(later.handle, ready, b"");
    let (status, _) = unsafe { operations::submit(later.queue, submission, &mut response) };
    taken(&mut response);
    assert_eq!(status, RB_UNAVAILABLE);
}

#[test]
fn closing_ends_streams_at_once_and_delivers_what_was_emitted() {
    let later = later();
    later.submit_with("count", "100", (2, 1000), 0);
    handles::close(later.handle, LONG).unwrap();
    let EventKind::Items { count: 2, .. } = later.next().kind else {
        panic!()
    };
    assert_eq!(done(&later.next()).0, RB_UNAVAILABLE);
}

#[test]
fn a_panic_poisons_and_cancels_the_others() {
    let _alone = alone();
    let load = unsafe { Load::linked(later::entry_point, "later") };
    let handle = handles::load(load.on_panic(OnPanic::Poison)).unwrap();
    let queue = operations::new_queue().unwrap();
    let begin = |method: &str| {
        let entry = handles::prepare(handle, method, Encoding::Raw)
            .unwrap()
            .entry;
        let mut response = Response::empty();
        unsafe { operations::submit(queue, Submission::of(handle, entry, b""), &mut response) }.1
    };
    let (never, panics) = (begin("never"), begin("panics"));
    let mut ends = HashMap::new();
    while ends.len() < 2 {
        operations::next(
            queue,
            2,
            LONG,
            |_| true,
            |event| {
                ends.insert(event.op, done(&event).0);
            },
        )
        .unwrap();
    }
    assert_eq!(
        ends,
        HashMap::from([(never, RB_FAILED_PRECONDITION), (panics, RB_INTERNAL)])
    );
    handles::close(handle, LONG).unwrap();
    operations::close_queue(queue).unwrap();
}

#[test]
fn a_function_is_told_and_may_not_close_but_a_drainer_may() {
    struct Seen(mpsc::Sender<(Op, Option<Status>)>, Handle);
    unsafe fn tell([data, _]: [*mut c_void; 2], event: Event) {
        let seen = unsafe { &*data.cast::<Seen>() };
        let closed = handles::close(seen.1, Duration::from_secs(1));
        seen.0
            .send((event.op, closed.err().map(|error| error.status())))
            .unwrap();
    }
    let later = later();
    let (sender, receiver) = mpsc::channel();
    let seen = Box::into_raw(Box::new(Seen(sender, later.handle)));
    let mut response = Response::empty();
    let submission = Submission::of(later.handle, later.entry("after"), b"5");
    let callback = operations::Callback::new(tell, [seen.cast(), ptr::null_mut()]);
    let (status, op) = unsafe { operations::start(callback, submission, &mut response) };
    assert_eq!(status, RB_PENDING);
    let told = receiver.recv_timeout(LONG).unwrap();
    assert_eq!(told, (op, Some(Status::FailedPrecondition)));
    later.pending("after", "5");
    operations::next(
        later.queue,
        1,
        LONG,
        |_| true,
        |_| {
            handles::close(later.handle, LONG).unwrap();
        },
    )
    .unwrap();
    drop(unsafe { Box::from_raw(seen) });
}

#[test]
fn what_wakes_a_plugin_is_inside_the_operation_until_it_returns() {
    let later = later();
    let op = later.pending("woken", "");
    operations::cancel(op).unwrap();
    assert_eq!(done(&later.next()).0, RB_CANCELLED);
    // It has ended the operation itself, and looked whether it was released meanwhile.
    assert!(!later::RELEASED_IN_WAKE.load(Ordering::SeqCst));
    // It can't wait for its own end.
    assert_eq!(
        later::ON_CANCEL_IN_WAKE.load(Ordering::SeqCst),
        RB_FAILED_PRECONDITION
    );
}

#[test]
fn a_function_that_panics_is_told_on_and_harms_nobody() {
    struct Panics(mpsc::Sender<bool>);
    unsafe fn tell([data, _]: [*mut c_void; 2], event: Event) {
        let panics = unsafe { &*data.cast::<Panics>() };
        let is_last = matches!(event.kind, EventKind::Done { .. });
        panics.0.send(is_last).unwrap();
        panic!("on purpose");
    }
    let later = later();
    let (sender, told) = mpsc::channel();
    let panics = Panics(sender);
    let data = [(&raw const panics).cast_mut().cast(), ptr::null_mut()];
    for (method, request, demand, events) in
        [("after", "1", (0, 0), 1), ("count", "3", (10, 1000), 4)]
    {
        let mut response = Response::empty();
        let mut submission = Submission::of(later.handle, later.entry(method), request.as_bytes());
        submission.demand = demand;
        let callback = operations::Callback::new(tell, data);
        let (status, _) = unsafe { operations::start(callback, submission, &mut response) };
        assert_eq!(status, RB_PENDING);
        let seen: Vec<bool> = (0..events)
            .map(|_| told.recv_timeout(LONG).unwrap())
            .collect();
        assert_eq!(seen.last(), Some(&true));
    }
    handles::close(later.handle, LONG).unwrap();
}

#[test]
fn a_drainer_that_panics_leaves_the_queue_as_it_is() {
    let later = later();
    let drain = |fits: fn(usize) -> bool, take: fn(Event)| {
        catch_unwind(AssertUnwindSafe(|| {
            operations::next(later.queue, 1, LONG, fits, take)
        }))
        .is_err()
    };
    later.pending("early", "3");
    assert!(drain(|_| panic!("on purpose"), |_| {}));
    assert_eq!(done(&later.next()).0, RB_OK);
    later.pending("early", "3");
    assert!(drain(|_| true, |_| panic!("on purpose")));
    later.pending("early", "3");
    assert_eq!(done(&later.next()).0, RB_OK);
    // Also one that is closed from inside.
    later.pending("early", "3");
    let closed = catch_unwind(AssertUnwindSafe(|| {
        operations::next(
            later.queue,
            1,
            LONG,
            |_| true,
            |_| {
                operations::close_queue(later.queue).unwrap();
                panic!("on purpose");
            },
        )
    }));
    assert!(closed.is_err());
    let [one, other] = [(); 2].map(|()| operations::new_queue().unwrap());
    assert_ne!(one & 0xffff, other & 0xffff, "one place for each");
    operations::close_queue(one).unwrap();
    operations::close_queue(other).unwrap();
}

#[test]
fn a_plain_method_runs_on_another_thread_if_asked() {
    let later = later();
    let entry = later.entry("plain");
    let queue = later.queue;
    for _ in 0..100 {
        let mut response = Response::empty();
        let mut submission = Submission::of(later.handle, entry, b"");
        submission.offload = true;
        let (status, op) = unsafe { operations::submit(queue, submission, &mut response) };
        assert_eq!(status, RB_PENDING);
        assert_ne!(op, 0);
    }
    for _ in 0..100 {
        assert_eq!(done(&later.next()), (RB_OK, "plain".into()));
    }
}

#[test]
fn closing_may_cancel_what_is_pending_after_a_while() {
    let later = later();
    later.pending("never", "");
    let after = Duration::from_millis(10);
    handles::close_with(later.handle, LONG, after).unwrap();
    assert_eq!(done(&later.next()).0, RB_CANCELLED);
}
