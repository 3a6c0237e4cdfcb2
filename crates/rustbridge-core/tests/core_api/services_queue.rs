//! Services that go to a queue: who drains it answers, and nobody waits for good.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "what is passed to a plugin of the tests' own is borrowed for the call"
)]

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use rustbridge_abi::*;
use rustbridge_core::operations::{self, Event, EventKind};
use rustbridge_core::{Encoding, Error, Load, OnPanic, Plugin, State, handles};

use crate::asker::*;
use crate::common::rounds;

fn queued(queue: u64) -> Load<'static> {
    load().service_queue("queued", Encoding::Raw, queue, 77)
}

fn loaded() -> (u64, Plugin) {
    let queue = operations::new_queue().unwrap();
    (queue, queued(queue).open().unwrap())
}

/// The next event, if one comes in time.
fn next(queue: u64, wait: Duration) -> Option<Event> {
    let mut found = None;
    operations::next(queue, 1, wait, || usize::MAX, |event| found = Some(event)).unwrap();
    found
}

/// The number and the request of the call that comes next.
fn asked(queue: u64) -> (u64, Vec<u8>) {
    let event = next(queue, LIMIT).unwrap();
    assert_eq!(event.user_data, 77);
    let EventKind::Service { asked, .. } = event.kind else {
        panic!("{event:?}");
    };
    (event.op, asked.request().to_vec())
}

fn is_cancelled(event: Option<Event>, number: u64) -> bool {
    event.is_some_and(|event| {
        (event.op, event.user_data) == (number, 77)
            && event.instance != 0
            && matches!(event.kind, EventKind::ServiceCancel)
    })
}

fn reply(number: u64, answer: Result<&str, Error>) -> Result<(), Error> {
    match answer {
        Ok(text) => handles::service_reply(number, RB_OK, text.into()),
        Err(error) => handles::service_reply(number, error.status().code(), error.to_json().into()),
    }
}

/// A call that stays pending, and where its end is told.
fn pending(plugin: &Plugin, request: &str) -> Box<mpsc::Receiver<Told>> {
    let end = ask_of(plugin, "leave_pending", request).unwrap();
    // SAFETY: what the plugin has leaked.
    unsafe {
        Box::from_raw(usize::from_ne_bytes(end.try_into().unwrap()) as *mut mpsc::Receiver<Told>)
    }
}

/// Cancels a call as the plugin that made it.
fn cancel(plugin: &Plugin, number: u64) -> StatusCode {
    let table = SERVICES.lock().unwrap().unwrap();
    unsafe { table.cancel.unwrap()(plugin.handle() as *mut c_void, number) }
}

#[test]
fn who_drains_the_queue_answers_who_waits_and_who_does_not() {
    let (queue, plugin) = loaded();
    let handle = plugin.handle();
    let poller = thread::spawn(move || {
        loop {
            let event = next(queue, LIMIT);
            assert!(event.as_ref().is_none_or(|event| event.instance == handle));
            let (number, request) = match event.map(|event| (event.op, event.kind)) {
                Some((number, EventKind::Service { asked })) => {
                    assert!(asked.header().is_none() && asked.timeout().is_none());
                    (number, asked.request().to_vec())
                }
                other => panic!("{other:?}"),
            };
            match &request[..] {
                b"stop" => return reply(number, Ok("")).unwrap(),
                b"fail" => reply(
                    number,
                    Err(Error::failure(Status::Aborted, "not now")
                        .with_details(serde_json::json!({"id": 7}))),
                )
                .unwrap(),
                request => {
                    let text = std::str::from_utf8(request).unwrap().repeat(2);
                    reply(number, Ok(&text)).unwrap();
                }
            }
            let again = reply(number, Ok("again")).unwrap_err();
            assert_eq!(again.type_name(), "rustbridge.ServiceCallOver");
        }
    });
    for how in ["ask", "start"] {
        for text in ["", "ab", &"long".repeat(10_000)] {
            let answer = ask_of(&plugin, how, &format!("queued {text}")).unwrap();
            assert_eq!(answer, text.repeat(2).as_bytes());
        }
        let error = ask_of(&plugin, how, "queued fail").unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::Aborted, "not now")
        );
        assert_eq!(error.details().unwrap()["id"], 7);
    }
    ask_of(&plugin, "ask", "queued stop").unwrap();
    poller.join().unwrap();
    for forged in [0, u64::MAX, 1 << 40] {
        let error = reply(forged, Ok("")).unwrap_err();
        assert_eq!(error.status(), Status::NotFound);
    }
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}

#[test]
fn a_cancelled_call_is_told_of_if_it_was_fetched() {
    let (queue, plugin) = loaded();
    let error = ask_of(&plugin, "start_and_cancel", "queued").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.Cancelled");
    assert!(next(queue, Duration::ZERO).is_none());

    let end = pending(&plugin, "queued this");
    let (number, request) = asked(queue);
    assert_eq!(request, b"this");
    assert_eq!(cancel(&plugin, number), RB_OK);
    assert_eq!(end.recv_timeout(LIMIT).unwrap().0, RB_CANCELLED);
    assert!(is_cancelled(next(queue, LIMIT), number));
    let late = reply(number, Ok("late")).unwrap_err();
    assert_eq!(late.type_name(), "rustbridge.ServiceCallOver");
    assert_eq!(cancel(&plugin, number), RB_FAILED_PRECONDITION);
    assert!(next(queue, Duration::ZERO).is_none());
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}

#[test]
fn who_waits_is_given_up_when_its_time_is_over() {
    let (queue, plugin) = loaded();
    thread::scope(|scope| {
        // Fetched by another thread, which never answers.
        let fetched = scope.spawn(|| {
            let event = next(queue, LIMIT).unwrap();
            let EventKind::Service { asked, .. } = event.kind else {
                panic!("{:?}", event.kind);
            };
            let left = asked.timeout().unwrap();
            assert!(left > Duration::ZERO && left <= Duration::from_secs(1));
            assert_eq!(asked.header().unwrap().timeout_ns, left.as_nanos() as u64);
            assert!(is_cancelled(next(queue, LIMIT), event.op));
            let late = reply(event.op, Ok("late")).unwrap_err();
            assert_eq!(late.type_name(), "rustbridge.ServiceCallOver");
        });
        let error = ask_of(&plugin, "ask_with_timeout", "1000000000 queued").unwrap_err();
        assert_eq!(error.status(), Status::DeadlineExceeded);
        fetched.join().unwrap();
    });
    // Never fetched: nothing is told.
    let error = thread::scope(|scope| {
        let caller = scope.spawn(|| ask_of(&plugin, "ask_with_timeout", "1000000 queued"));
        caller.join().unwrap().unwrap_err()
    });
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert!(next(queue, Duration::ZERO).is_none());
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}

/// Begins a call without waiting, with a header.
fn start_with(plugin: &Plugin, header: &CallContext, ends: &mpsc::Sender<Told>) -> StatusCode {
    unsafe extern "C" fn done(data: *mut c_void, status: StatusCode, response: *mut Response) {
        unsafe {
            let ends = Box::from_raw(data.cast::<mpsc::Sender<Told>>());
            let bytes = match (*response).len {
                0 => Vec::new(),
                len => std::slice::from_raw_parts((*response).data, len).to_vec(),
            };
            handles::release(response);
            ends.send((status, bytes)).unwrap();
        }
    }
    let table = SERVICES.lock().unwrap().unwrap();
    let mut response = Response::empty();
    let data = Box::into_raw(Box::new(ends.clone())).cast();
    unsafe {
        let status = table.start.unwrap()(
            plugin.handle() as *mut c_void,
            0,
            header,
            b"?".as_ptr(),
            1,
            &raw mut response,
            Some(done),
            data,
            ptr::null_mut(),
        );
        if status != RB_PENDING {
            done(data, status, &raw mut response);
        }
        status
    }
}

#[test]
fn what_comes_with_a_call_is_copied_and_one_whose_time_is_over_is_not_told_of() {
    let (queue, plugin) = loaded();
    let (ends, end) = mpsc::channel();
    {
        let metadata = b"\x01\0\0\0\x01\0\0\0\x02\0\0\0k\xff\xfe".to_vec();
        let state = "vendor=1".to_owned();
        let header = CallContext {
            flags: RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE,
            timeout_ns: 1_000_000_000_000,
            trace_id: [7; 16],
            span_id: [8; 8],
            trace_flags: 1,
            trace_state: Text::new(&state),
            metadata: metadata.as_ptr(),
            metadata_len: metadata.len(),
            ..CallContext::EMPTY
        };
        assert_eq!(start_with(&plugin, &header, &ends), RB_PENDING);
    }
    let event = next(queue, LIMIT).unwrap();
    let EventKind::Service { asked, .. } = event.kind else {
        panic!("{:?}", event.kind);
    };
    let header = asked.header().unwrap();
    assert_eq!((header.trace_id, header.span_id), ([7; 16], [8; 8]));
    assert!(header.timeout_ns > 0 && header.timeout_ns <= 1_000_000_000_000);
    assert!(header.cancelled.is_null() && header.reply.is_null() && header.op == 0);
    let (state, metadata) = asked.beside();
    assert_eq!(
        (state, metadata),
        (
            &b"vendor=1"[..],
            &b"\x01\0\0\0\x01\0\0\0\x02\0\0\0k\xff\xfe"[..]
        )
    );
    assert_eq!(header.metadata, metadata.as_ptr());
    reply(event.op, Ok("!")).unwrap();
    assert_eq!(end.recv_timeout(LIMIT).unwrap(), (RB_OK, b"!".to_vec()));

    let header = CallContext {
        flags: RB_CONTEXT_TIMEOUT,
        timeout_ns: 1,
        ..CallContext::EMPTY
    };
    // On a slow machine its time is over before it's begun.
    let mut status = start_with(&plugin, &header, &ends);
    if status == RB_PENDING {
        thread::sleep(Duration::from_millis(1));
        assert!(next(queue, Duration::ZERO).is_none());
        status = end.recv_timeout(LIMIT).unwrap().0;
    }
    assert_eq!(status, RB_DEADLINE_EXCEEDED);

    // One that was fetched, and isn't answered in time.
    let header = CallContext {
        timeout_ns: 20_000_000,
        ..header
    };
    assert_eq!(start_with(&plugin, &header, &ends), RB_PENDING);
    let mut fetched = 0;
    if let Some(event) = next(queue, Duration::ZERO) {
        fetched = event.op;
    }
    let (status, payload) = end.recv_timeout(LIMIT).unwrap();
    assert_eq!(status, RB_DEADLINE_EXCEEDED);
    if fetched != 0 {
        let payload = String::from_utf8(payload).unwrap();
        assert!(payload.contains("service queued"), "{payload}");
        assert!(is_cancelled(next(queue, LIMIT), fetched));
        let late = reply(fetched, Ok("late")).unwrap_err();
        assert_eq!(late.status(), Status::FailedPrecondition);
    }

    let header = CallContext {
        trace_state: Text {
            data: ptr::null(),
            len: 5,
        },
        ..CallContext::EMPTY
    };
    assert_eq!(start_with(&plugin, &header, &ends), RB_INVALID_ARGUMENT);
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}

#[test]
fn closing_the_queue_fails_the_calls_that_wait_and_those_to_come() {
    let (queue, plugin) = loaded();
    let never_fetched = pending(&plugin, "queued 1");
    thread::scope(|scope| {
        let (number, _) = asked(queue);
        let fetched = pending(&plugin, "queued 2");
        let (second, _) = asked(queue);
        assert_ne!(number, second);
        let waits = scope.spawn(|| ask_of(&plugin, "ask", "queued 3"));
        let (third, _) = asked(queue);
        operations::close_queue(queue).unwrap();
        let error = waits.join().unwrap().unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.QueueClosed");
        assert!(error.message().contains("service queued"), "{error}");
        for end in [&never_fetched, &fetched] {
            assert_eq!(end.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
        }
        for number in [number, second, third] {
            assert!(reply(number, Ok("late")).is_err());
        }
    });
    for how in ["ask", "start"] {
        let error = ask_of(&plugin, how, "queued").unwrap_err();
        assert_eq!(error.status(), Status::Unavailable);
    }
    plugin.close(LIMIT).unwrap();
    let error = queued(queue).open().unwrap_err();
    assert_eq!(
        (error.status(), error.type_name()),
        (Status::InvalidArgument, "rustbridge.InvalidService")
    );
    assert!(error.message().contains("`queued`"), "{error}");
}

#[test]
fn the_thread_that_drains_the_queue_does_not_wait_for_itself() {
    let (queue, plugin) = loaded();
    let refused = || {
        let error = ask_of(&plugin, "ask", "queued").unwrap_err();
        assert_eq!(
            (error.status(), error.type_name()),
            (Status::FailedPrecondition, "rustbridge.WaitsForItself")
        );
        assert!(error.message().contains("`queued`"), "{error}");
    };
    assert!(next(queue, Duration::ZERO).is_none());
    refused();
    // From inside what is told of an event, too. Without waiting it may ask itself.
    let end = pending(&plugin, "queued this");
    let mut number = 0;
    let take = |event: Event| {
        number = event.op;
        refused();
    };
    operations::next(queue, 1, LIMIT, || usize::MAX, take).unwrap();
    reply(number, Ok("itself")).unwrap();
    assert_eq!(end.recv_timeout(LIMIT).unwrap().1, b"itself");
    assert!(next(queue, Duration::ZERO).is_none());
    // Another thread is the poller now, so this one may wait.
    thread::scope(|scope| {
        let (ready, is_ready) = mpsc::channel();
        scope.spawn(move || {
            assert!(next(queue, Duration::ZERO).is_none());
            ready.send(()).unwrap();
            let (number, _) = asked(queue);
            reply(number, Ok("other")).unwrap();
        });
        is_ready.recv_timeout(LIMIT).unwrap();
        assert_eq!(ask_of(&plugin, "ask", "queued").unwrap(), b"other");
    });
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}

#[test]
fn the_end_of_the_instance_ends_its_calls_and_gives_the_owner_back_last() {
    struct Dropped(Arc<AtomicU32>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    for poison in [false, true] {
        let drops = Arc::new(AtomicU32::new(0));
        let queue = operations::new_queue().unwrap();
        let owner = Arc::new(Dropped(Arc::clone(&drops)));
        let plugin = load()
            .service_queue_owned("queued", Encoding::Raw, queue, 77, owner)
            .on_panic(OnPanic::Poison)
            .open()
            .unwrap();
        let fetched = pending(&plugin, "queued 1");
        let (number, _) = asked(queue);
        let never_fetched = pending(&plugin, "queued 2");
        let mut plugin = Some(plugin);
        if poison {
            assert!(ask_of(plugin.as_ref().unwrap(), "panic", "").is_err());
            assert_eq!(plugin.as_ref().unwrap().state(), State::Poisoned);
        } else {
            plugin.take().unwrap().close(LIMIT).unwrap();
        }
        for end in [&fetched, &never_fetched] {
            assert_eq!(end.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
        }
        assert!(reply(number, Ok("late")).is_err());
        if let Some(plugin) = plugin {
            plugin.close(LIMIT).unwrap();
        }
        assert_eq!(drops.load(Ordering::Relaxed), 0);
        // The call that wasn't fetched is none any more.
        assert!(is_cancelled(next(queue, LIMIT), number));
        assert!(next(queue, Duration::ZERO).is_none());
        assert_eq!(drops.load(Ordering::Relaxed), 1);
        operations::close_queue(queue).unwrap();
    }
}

#[test]
fn a_request_that_does_not_fit_waits_for_the_next_time() {
    let (queue, plugin) = loaded();
    let end = pending(&plugin, &format!("queued {}", "x".repeat(1000)));
    let take = |_: Event| panic!("it doesn't fit");
    let count = operations::next(queue, 8, LIMIT, || 999, take).unwrap();
    assert_eq!(count, 0);
    let (number, request) = asked(queue);
    assert_eq!(request.len(), 1000);
    reply(number, Ok("")).unwrap();
    assert_eq!(end.recv_timeout(LIMIT).unwrap().0, RB_OK);
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}

#[test]
fn a_queue_that_is_closed_while_it_is_asked_lets_all_go_on() {
    for _ in 0..rounds(200) {
        let (queue, plugin) = loaded();
        let ended = [background(&plugin, "queued"), background(&plugin, "queued")];
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut numbers = Vec::new();
                loop {
                    let take = |event: Event| numbers.push(event.op);
                    if operations::next(queue, 8, LIMIT, || usize::MAX, take).is_err() {
                        return;
                    }
                    for number in numbers.drain(..) {
                        let _ = reply(number, Ok(""));
                    }
                }
            });
            thread::yield_now();
            operations::close_queue(queue).unwrap();
        });
        for ended in ended {
            assert_eq!(end_of(&ended), RB_UNAVAILABLE);
        }
        plugin.close(LIMIT).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn a_forked_child_has_no_calls_of_the_parents_queue() {
    if !crate::common::in_subprocess(
        "services_queue::a_forked_child_has_no_calls_of_the_parents_queue",
    ) {
        return;
    }
    let (queue, plugin) = loaded();
    let end = pending(&plugin, "queued 1");
    let (number, _) = asked(queue);
    let never_fetched = pending(&plugin, "queued 2");
    child_process::ForkedChild::start(|| {
        let late = reply(number, Ok("")).unwrap_err();
        assert_eq!(late.type_name(), "rustbridge.Forked");
        let take = |event: Event| panic!("{event:?}");
        let error = operations::next(queue, 1, LIMIT, || usize::MAX, take).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.Forked");
        let error = operations::close_queue(queue).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.Forked");
        // What the child makes itself is its own.
        let load = |queue| {
            // SAFETY: a plugin of ours, which the parent hasn't loaded.
            unsafe { Load::linked(needy, "needy") }
                .service_queue("prices.get", Encoding::Json, queue, 0)
                .service_queue("prices.all", Encoding::Pod, queue, 0)
                .open()
        };
        let error = load(queue).unwrap_err();
        assert_eq!(error.status(), Status::FailedPrecondition);
        assert!(error.message().contains("`prices.get`"), "{error}");
        load(operations::new_queue().unwrap()).unwrap();
    })
    .ends_well(LIMIT);
    // The parent doesn't notice.
    reply(number, Ok("1")).unwrap();
    assert_eq!(end.recv_timeout(LIMIT).unwrap().1, b"1");
    let (number, _) = asked(queue);
    reply(number, Ok("2")).unwrap();
    assert_eq!(never_fetched.recv_timeout(LIMIT).unwrap().1, b"2");
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}
