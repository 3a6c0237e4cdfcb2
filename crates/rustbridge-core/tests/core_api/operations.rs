//! Calls that end later, with a plugin against the ABI alone: how they end, and what that may meet.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls, everywhere here"
)]

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::*;
use rustbridge_core::operations::{self, Event, EventKind, Offload, Submission};
use rustbridge_core::{Encoding, Handle, Load, OnPanic, Response, State, Status, handles};
use serde_json::json;

use crate::later;
use crate::submitted::{LONG, alone, done, later, taken};

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
    assert_eq!(
        later::LATE_ON_CANCEL.load(Ordering::SeqCst),
        RB_FAILED_PRECONDITION,
        "what was answered to who wanted to be woken after the end"
    );
    assert_eq!(done(&later.next()).1, "after 1");
    assert!(later.within(Duration::from_millis(50)).is_none());
}

#[test]
fn what_is_given_up_is_released_where_its_plugin_may_ask_back() {
    let later = later();
    let before = later::ASKED_BACK.load(Ordering::SeqCst);
    let op = later.pending("asks_back", "");
    let event = later.next();
    assert_eq!((event.op, done(&event).0), (op, RB_INTERNAL));
    // By the thread that completes, which may be about to.
    let until = Instant::now() + LONG;
    while later::ASKED_BACK.load(Ordering::SeqCst) == before {
        assert!(Instant::now() < until);
        thread::yield_now();
    }
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
fn closing_counts_the_pending_calls_of_a_method() {
    let later = later();
    for _ in 0..100 {
        later.pending("deaf", "200");
    }
    let error = handles::close(later.handle, Duration::from_millis(1)).unwrap_err();
    let message = error.message();
    assert!(message.contains("runs 100 calls after"), "{error}");
    assert!(message.contains(": 100 of deaf (raw), pending;"), "{error}");
    assert_eq!(
        error.details().unwrap()["pending"],
        json!([{"method": "deaf (raw)", "count": 100}])
    );
    handles::close(later.handle, LONG).unwrap();
}

#[test]
fn closing_waits_for_what_is_pending_and_says_what() {
    let later = later();
    let op = later.pending("deaf", "200");
    let ready = later.entry("ready");
    let error = handles::close(later.handle, Duration::from_millis(10)).unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert!(error.message().contains("runs 1 call after"), "{error}");
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
            || usize::MAX,
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
fn a_function_is_told_and_may_not_close_but_a_poller_may() {
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
        || usize::MAX,
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
fn a_plain_method_runs_on_another_thread_if_asked() {
    let later = later();
    let entry = later.entry("plain");
    let queue = later.queue;
    for _ in 0..100 {
        let mut response = Response::empty();
        let mut submission = Submission::of(later.handle, entry, b"");
        submission.offload = Offload::Everything;
        let (status, op) = unsafe { operations::submit(queue, submission, &mut response) };
        assert_eq!(status, RB_PENDING);
        assert_ne!(op, 0);
    }
    for _ in 0..100 {
        assert_eq!(done(&later.next()), (RB_OK, "plain".into()));
    }
}

#[test]
fn a_plain_method_on_another_thread_is_part_of_what_its_caller_carries() {
    let later = later();
    let run = |flags: u32, timeout_ns: u64| {
        let header = CallContext {
            flags,
            timeout_ns,
            trace_id: [1; 16],
            span_id: [2; 8],
            ..CallContext::EMPTY
        };
        let mut response = Response::empty();
        let mut submission = Submission::of(later.handle, later.entry("plain"), b"inside");
        submission.header = &raw const header;
        submission.offload = Offload::Everything;
        let (status, _) = unsafe { operations::submit(later.queue, submission, &mut response) };
        assert_eq!(status, RB_PENDING);
        done(&later.next())
    };
    assert_eq!(run(0, 0), (RB_OK, "none".into()));
    let both = RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE;
    assert_eq!(run(both, 3_600_000_000_000), (RB_OK, "timed".into()));
}

#[test]
fn a_panic_on_another_thread_has_poisoned_before_anybody_is_told() {
    let _alone = alone();
    let queue = operations::new_queue().unwrap();
    for _ in 0..20 {
        let load = unsafe { Load::linked(later::entry_point, "later") };
        let handle = handles::load(load.on_panic(OnPanic::Poison)).unwrap();
        let entry = handles::prepare(handle, "plain", Encoding::Raw)
            .unwrap()
            .entry;
        let mut response = Response::empty();
        let mut submission = Submission::of(handle, entry, b"panic");
        submission.offload = Offload::Everything;
        let (status, _) = unsafe { operations::submit(queue, submission, &mut response) };
        assert_eq!(status, RB_PENDING);
        let mut seen = None;
        operations::next(
            queue,
            1,
            LONG,
            || usize::MAX,
            |event| seen = Some((done(&event).0, handles::state(handle).ok())),
        )
        .unwrap();
        assert_eq!(seen, Some((RB_INTERNAL, Some(State::Poisoned))));
        handles::close(handle, LONG).unwrap();
    }
    operations::close_queue(queue).unwrap();
}

#[test]
fn closing_may_cancel_what_is_pending_after_a_while() {
    let later = later();
    later.pending("never", "");
    let after = Duration::from_millis(10);
    handles::close_with(later.handle, LONG, after).unwrap();
    assert_eq!(done(&later.next()).0, RB_CANCELLED);
}
