//! The queues that tell of operations: who fetches from them, when they ring, and how they are closed.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls, everywhere here"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::*;
use rustbridge_core::operations::{self, Event};
use rustbridge_core::{Error, Status, handles, inspect};
use serde_json::{Value, json};

use crate::submitted::{LONG, done, later};

#[test]
fn a_closed_queue_detaches_what_it_was_for() {
    let later = later();
    for _ in 0..10 {
        later.pending("never", "");
    }
    let report = |what: &str| {
        let report: Value = serde_json::from_str(&inspect()).unwrap();
        let instances = report["instances"].as_array().unwrap();
        let own = instances.iter().find(|one| one["handle"] == later.handle);
        own.unwrap()[what].clone()
    };
    assert_eq!(report("in_flight"), 10);
    assert_eq!(
        report("pending"),
        json!([{"method": "never (raw)", "calls": 10}])
    );
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
    let until = Instant::now() + LONG;
    while report("in_flight") != 0 {
        assert!(Instant::now() < until);
        thread::yield_now();
    }
    assert_eq!(report("pending"), json!([]));
    handles::close(later.handle, LONG).unwrap();
}

#[test]
fn a_waiting_poller_is_alone_and_returns_when_nudged_or_closed() {
    let later = later();
    let queue = later.queue;
    for close in [false, true] {
        let (began, begins) = mpsc::channel();
        let poller = thread::spawn(move || {
            began.send(()).unwrap();
            // Refused itself where the other one below was there first.
            loop {
                match operations::next(queue, 1, LONG, || usize::MAX, |_| panic!("nothing comes")) {
                    Err(error) if error.status() == Status::Aborted => {}
                    ended => return ended,
                }
            }
        });
        begins.recv_timeout(LONG).unwrap();
        let until = Instant::now() + LONG;
        // A second one is refused as soon as the first is inside.
        loop {
            match operations::next(queue, 1, Duration::ZERO, || usize::MAX, |_| {}) {
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
                poller.join().unwrap().unwrap_err().status(),
                Status::InvalidArgument
            );
        } else {
            operations::wake_queue(queue).unwrap();
            assert_eq!(poller.join().unwrap().unwrap(), 0);
        }
    }
}

#[cfg(unix)]
#[test]
fn the_wakeup_is_signaled_when_something_has_come() {
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
fn a_poller_that_panics_leaves_the_queue_as_it_is() {
    let later = later();
    let drain = |room: fn() -> usize, take: fn(Event)| {
        catch_unwind(AssertUnwindSafe(|| {
            operations::next(later.queue, 1, LONG, room, take)
        }))
        .is_err()
    };
    later.pending("early", "3");
    assert!(drain(|| panic!("on purpose"), |_| {}));
    assert_eq!(done(&later.next()).0, RB_OK);
    later.pending("early", "3");
    assert!(drain(|| usize::MAX, |_| panic!("on purpose")));
    later.pending("early", "3");
    assert_eq!(done(&later.next()).0, RB_OK);
    // What says how much room there is may use the operation and the queue.
    let op = later.pending("early", "300");
    let room = || {
        assert!(operations::cancel(op).is_err());
        operations::demand(op, 1, 1).unwrap();
        operations::wake_queue(later.queue).unwrap();
        299
    };
    let take = |_| panic!("it doesn't fit");
    assert_eq!(
        operations::next(later.queue, 1, LONG, room, take).unwrap(),
        0
    );
    assert_eq!(done(&later.next()).0, RB_OK);
    // Also one that is closed from inside.
    later.pending("early", "3");
    let closed = catch_unwind(AssertUnwindSafe(|| {
        operations::next(
            later.queue,
            1,
            LONG,
            || usize::MAX,
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
