//! Services that answer later, and what closing, poisoning and forking do to service calls.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "what is passed to a plugin of the tests' own is borrowed for the call"
)]

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::*;
use rustbridge_core::{Encoding, Error, OnPanic, ServiceCall, ServiceReply, State, handles};

use crate::asker::*;
use crate::common::rounds;

#[test]
fn a_service_that_answers_later_answers_once() {
    let (sender, calls) = mpsc::channel::<(Vec<u8>, ServiceReply)>();
    let sender = Mutex::new(sender);
    let plugin = load()
        .service_async("later", Encoding::Raw, move |request, _, later| {
            sender
                .lock()
                .unwrap()
                .send((request.to_vec(), later))
                .unwrap();
        })
        .service_async("at_once", Encoding::Raw, |_, _, later| {
            later.answer(Ok("at once")).unwrap();
        })
        .service_async("dropped", Encoding::Raw, |_, _, later| drop(later))
        .service_async("panics", Encoding::Raw, |_, _, _| panic!("boom"))
        .open()
        .unwrap();
    let answerer = thread::spawn(move || {
        for (request, later) in calls {
            let answer = match &request[..] {
                b"fail" => Err(Error::failure(Status::Aborted, "later")),
                _ => Ok(request.repeat(2)),
            };
            thread::sleep(Duration::from_millis(5));
            later.answer(answer).unwrap();
        }
    });
    for how in ["ask", "start"] {
        assert_eq!(ask_of(&plugin, how, "later ab").unwrap(), b"abab");
        let error = ask_of(&plugin, how, "later fail").unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::Aborted, "later")
        );
        assert_eq!(ask_of(&plugin, how, "at_once").unwrap(), b"at once");
        let error = ask_of(&plugin, how, "dropped").unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.Unanswered");
        let error = ask_of(&plugin, how, "panics").unwrap_err();
        assert_eq!((error.type_name(), error.message()), ("panic", "boom"));
    }
    plugin.close(LIMIT).unwrap();
    answerer.join().unwrap();
}

#[test]
fn numbers_that_are_over_or_never_were_get_a_status() {
    let (load, kept) = keeps();
    let plugin = load.open().unwrap();
    let error = ask_of(&plugin, "start_and_cancel", "kept").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.Cancelled");
    let late = kept.recv_timeout(LIMIT).unwrap().answer(Ok("late"));
    assert_eq!(late.unwrap_err().type_name(), "rustbridge.ServiceCallOver");
    for number in [0, u64::MAX] {
        let error = handles::service_reply(number, RB_OK, Vec::new()).unwrap_err();
        assert_eq!(error.status(), Status::NotFound);
    }
    let error = handles::service_reply(1, RB_OK, Vec::new()).unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
}

#[test]
fn a_call_whose_time_is_over_is_not_begun_and_one_that_waits_is_given_up() {
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "left",
            Encoding::Raw,
            |_: &[u8], call: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                Ok(call.timeout().unwrap().as_nanos().to_string().into())
            },
        )
        .open()
        .unwrap();
    assert_eq!(
        ask_of(&plugin, "ask_with_timeout", "70000000000 left").unwrap(),
        b"70000000000"
    );
    let error = ask_of(&plugin, "ask_with_timeout", "0 left").unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    let error = ask_of(&plugin, "ask_with_timeout", "5000000 kept").unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert!(error.message().contains("`kept`"), "{error}");
    assert!(kept.recv().unwrap().answer(Ok("late")).is_err());
}

#[test]
fn closing_ends_what_is_pending_and_what_the_plugins_threads_do() {
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "any",
            Encoding::Raw,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> { Ok(Vec::new()) },
        )
        .open()
        .unwrap();
    let pending = ask_of(&plugin, "leave_pending", "kept").unwrap();
    // SAFETY: what the plugin has leaked.
    let pending = unsafe {
        Box::from_raw(usize::from_ne_bytes(pending.try_into().unwrap()) as *mut mpsc::Receiver<Told>)
    };
    let ended = background(&plugin, "any");
    plugin.close(LIMIT).unwrap();
    assert_eq!(pending.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
    assert_eq!(end_of(&ended), RB_UNAVAILABLE);
    assert!(kept.recv().unwrap().answer(Ok("late")).is_err());
}

#[test]
fn a_call_that_is_drained_still_calls_and_the_report_names_the_service() {
    let (entered, is_inside) = mpsc::channel();
    let (go, may_go) = mpsc::channel::<()>();
    let (entered, may_go) = (Mutex::new(entered), Mutex::new(may_go));
    let plugin = with("slow", move |_, _| {
        entered.lock().unwrap().send(()).unwrap();
        may_go.lock().unwrap().recv_timeout(LIMIT).unwrap();
        Ok(b"done".to_vec())
    })
    .open()
    .unwrap();
    let handle = plugin.handle();
    thread::scope(|scope| {
        let caller = scope.spawn(|| ask_of(&plugin, "ask", "slow"));
        is_inside.recv_timeout(LIMIT).unwrap();
        let error = handles::close(handle, Duration::from_millis(5)).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.StillRunning");
        assert!(
            error.message().contains("service slow on thread"),
            "{error}"
        );
        assert!(error.message().contains("ask (raw) on thread"), "{error}");
        go.send(()).unwrap();
        assert_eq!(caller.join().unwrap().unwrap(), b"done");
    });
    handles::close(handle, LIMIT).unwrap();
}

#[test]
fn a_poisoned_instance_calls_no_services() {
    let (load, kept) = keeps();
    let plugin = load.on_panic(OnPanic::Poison).open().unwrap();
    let pending = ask_of(&plugin, "leave_pending", "kept").unwrap();
    // SAFETY: what the plugin has leaked.
    let pending = unsafe {
        Box::from_raw(usize::from_ne_bytes(pending.try_into().unwrap()) as *mut mpsc::Receiver<Told>)
    };
    assert!(ask_of(&plugin, "panic", "").is_err());
    assert_eq!(plugin.state(), State::Poisoned);
    assert_eq!(pending.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
    assert!(kept.recv().unwrap().answer(Ok("late")).is_err());
    plugin.close(LIMIT).unwrap();
}

#[test]
fn create_may_call_services_and_one_that_fails_gives_them_back() {
    struct Dropped(Arc<AtomicU32>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let drops = Arc::new(AtomicU32::new(0));
    let make = |fails: bool| {
        let dropped = Dropped(Arc::clone(&drops));
        with("\"ready\"", move |_, _| {
            let _ = &dropped;
            if fails {
                Err(Error::failure(Status::Aborted, "not ready"))
            } else {
                Ok(Vec::new())
            }
        })
    };
    let plugin = make(false).config("\"ready\"").open().unwrap();
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    plugin.close(LIMIT).unwrap();
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    let error = make(true).config("\"ready\"").open().unwrap_err();
    assert_eq!(error.status(), Status::Aborted);
    assert_eq!(drops.load(Ordering::Relaxed), 2);
}

/// Shows it, and asserts nothing of it: `RUSTBRIDGE_TURNS=20000000 cargo test --release -p rustbridge-core --test core_api --
/// --nocapture what_a_service_call_costs`.
#[test]
fn what_a_service_call_costs() {
    extern "C" fn nothing(_: *mut c_void) {}

    struct Plain;
    impl handles::CancelListener for Plain {}
    // SAFETY: answers nothing.
    unsafe impl handles::RawService for Plain {
        fn call(&self, _: &ServiceCall<'_>, _: *mut Response) -> StatusCode {
            RB_OK
        }
    }
    let plugin = load()
        .service_raw("raw", Encoding::Raw, Arc::new(Plain))
        .service(
            "rust",
            Encoding::Raw,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> { Ok(Vec::new()) },
        )
        .open()
        .unwrap();
    let turns: u64 = std::env::var("RUSTBRIDGE_TURNS").map_or(100, |turns| turns.parse().unwrap());
    let best = |run: &mut dyn FnMut()| {
        (0..5)
            .map(|_| {
                let begin = Instant::now();
                run();
                begin.elapsed().as_nanos() as f64 / turns as f64
            })
            .fold(f64::MAX, f64::min)
    };
    let function: extern "C" fn(*mut c_void) = std::hint::black_box(nothing);
    let bare = best(&mut || {
        for _ in 0..turns {
            std::hint::black_box(function)(ptr::null_mut());
        }
    });
    println!("a bare upcall: {bare:.1} ns");
    let find = plugin.method("find", Encoding::Raw).unwrap();
    let mut storage = [0_u8; 64];
    let call = best(&mut || {
        for _ in 0..turns {
            find.call_into(b"raw", &mut storage).unwrap();
        }
    });
    println!("a call that finds a service: {call:.1} ns");
    for (name, number) in [("raw", 0_u32), ("rust", 1)] {
        for inside in [false, true] {
            COST.with(|cost| cost.set(Some((number, turns))));
            let taken = best(&mut || {
                if inside {
                    ask_of(&plugin, "ask_many_times", &number.to_string()).unwrap();
                } else {
                    many_times(plugin.handle() as *mut c_void, number);
                }
            });
            println!("a service call ({name}, inside a call: {inside}): {taken:.1} ns");
        }
    }
}

#[test]
fn a_service_call_has_the_time_and_the_cancellation_of_its_operation() {
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "left",
            Encoding::Raw,
            |_: &[u8], call: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                assert!(!call.is_cancelled() && call.header().unwrap().op == 0);
                Ok(call.timeout().unwrap().as_secs().to_string().into())
            },
        )
        .open()
        .unwrap();
    let method = plugin.method("ask_for_operation", Encoding::Raw).unwrap();
    let op = AtomicU64::new(0);
    let ask = |timeout: u64, request: &str| {
        let header = CallContext {
            flags: RB_CONTEXT_TIMEOUT,
            timeout_ns: timeout * 1_000_000_000,
            ..CallContext::EMPTY
        };
        let mut response = Response::empty();
        unsafe {
            let status = handles::call_with(
                plugin.handle(),
                method.entry(),
                &raw const header,
                op.as_ptr(),
                request.as_ptr(),
                request.len(),
                &raw mut response,
            );
            let bytes = std::slice::from_raw_parts(response.data, response.len).to_vec();
            handles::release(&raw mut response);
            (status, String::from_utf8(bytes).unwrap())
        }
    };
    // The sooner of both: the plugin itself says a thousand seconds.
    let left: u64 = ask(500, "left").1.parse().unwrap();
    assert!((400..=500).contains(&left), "{left}");
    assert_eq!(ask(5000, "left"), (RB_OK, "1000".to_owned()));

    // One that waits, or is about to, is woken by the cancellation of what it works for.
    let kept = Mutex::new(kept);
    for round in 0..rounds(300) {
        op.store(0, Ordering::Release);
        let (begun, kept) = (&op, &kept);
        thread::scope(|scope| {
            let canceller = scope.spawn(move || {
                let later = kept.lock().unwrap().recv_timeout(LIMIT).unwrap();
                if round % 3 == 0 {
                    thread::sleep(Duration::from_micros(300));
                }
                rustbridge_core::operations::cancel(begun.load(Ordering::Acquire)).unwrap();
                later
            });
            let (status, payload) = ask(20, "kept");
            assert_eq!(status, RB_CANCELLED, "{payload}");
            drop(canceller.join());
        });
    }
    plugin.close(LIMIT).unwrap();
}

/// One that can't bear to be told.
struct Touchy;

impl handles::CancelListener for Touchy {
    fn cancelled(&self, _: handles::Handle, _: u64) {
        panic!("the host's own, about a call");
    }
}

unsafe impl handles::RawService for Touchy {
    fn call(&self, call: &ServiceCall<'_>, _: *mut Response) -> StatusCode {
        call.later().map_or(RB_INTERNAL, |_| RB_PENDING)
    }
}

#[test]
fn a_panic_of_who_is_told_that_nobody_waits_is_nobodys() {
    let plugin = load()
        .service_raw("touchy", Encoding::Raw, Arc::new(Touchy))
        .open()
        .unwrap();
    let ends = |method: &str, request: &str| ask_of(&plugin, method, request).unwrap_err().status();
    assert_eq!(ends("start_and_cancel", "touchy"), Status::Cancelled);
    let waits = ends("ask_with_timeout", "5000000 touchy");
    assert_eq!(waits, Status::DeadlineExceeded);
    let pending = ask_of(&plugin, "leave_pending", "touchy").unwrap();
    let pending = unsafe {
        Box::from_raw(usize::from_ne_bytes(pending.try_into().unwrap()) as *mut mpsc::Receiver<Told>)
    };
    plugin.close(LIMIT).unwrap();
    assert_eq!(pending.recv_timeout(LIMIT).unwrap().0, RB_UNAVAILABLE);
}

/// Answers that can't be true, as a binding could give them.
struct Lies;

impl handles::CancelListener for Lies {}

// SAFETY: none of what it says is believed.
unsafe impl handles::RawService for Lies {
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        unsafe {
            match call.request() {
                b"long" => (*response).len = 1 << 40,
                b"null" => {
                    (*response).data = ptr::null_mut();
                    (*response).len = 5;
                    (*response).release = Some(release);
                }
                b"pending" => return RB_PENDING,
                b"status" => return 99,
                b"both" => {
                    call.later().unwrap();
                }
                _ => {}
            }
        }
        RB_OK
    }
}

#[test]
fn what_can_not_be_true_of_an_answer_is_internal() {
    let plugin = load()
        .service_raw("lies", Encoding::Raw, Arc::new(Lies))
        .open()
        .unwrap();
    for lie in ["long", "null", "pending"] {
        let error = ask_of(&plugin, "ask", &format!("lies {lie}")).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.InvalidResponse", "{lie}");
        assert!(error.message().contains("service `lies`"), "{error}");
    }
    let error = ask_of(&plugin, "ask", "lies status").unwrap_err();
    assert_eq!(error.status(), Status::Unknown);
    for how in ["ask", "start"] {
        assert_eq!(ask_of(&plugin, how, "lies both").unwrap(), b"");
    }
}

#[test]
fn threads_that_call_services_while_their_instance_closes_come_out() {
    for _ in 0..rounds(200) {
        let plugin = with("any", |request, _| Ok(request.to_vec()))
            .open()
            .unwrap();
        let ended = [background(&plugin, "any"), background(&plugin, "any")];
        let handle = plugin.handle();
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        match ask_by_handle(handle, "ask", "any") {
                            RB_OK => {}
                            RB_UNAVAILABLE => return,
                            status => panic!("{status}"),
                        }
                    }
                });
            }
            plugin.close(LIMIT).unwrap();
        });
        for ended in ended {
            assert_eq!(end_of(&ended), RB_UNAVAILABLE);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_forked_child_calls_and_answers_nothing() {
    if !crate::common::in_subprocess("services_lifetime::a_forked_child_calls_and_answers_nothing")
    {
        return;
    }
    let (load, kept) = keeps();
    let plugin = load
        .service(
            "any",
            Encoding::Raw,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                // A fork from inside.
                child_process::ForkedChild::start(|| {}).ends_well(LIMIT);
                Ok(Vec::new())
            },
        )
        .open()
        .unwrap();
    ask_of(&plugin, "leave_pending", "kept").unwrap();
    let later = Mutex::new(Some(kept.recv().unwrap()));
    // What the plugin was given, as a child's code may still have it.
    let context = plugin.handle() as *mut c_void;
    let table = SERVICES.lock().unwrap().unwrap();
    child_process::ForkedChild::start(|| {
        let mut number = 0;
        let mut response = Response::empty();
        unsafe {
            let found =
                table.find.unwrap()(context, Text::new("any"), RB_ENCODING_RAW, &raw mut number);
            assert_eq!(found, RB_FAILED_PRECONDITION);
            let status =
                table.call.unwrap()(context, 1, ptr::null(), ptr::null(), 0, &raw mut response);
            assert_eq!(status, RB_FAILED_PRECONDITION);
            assert_eq!(table.cancel.unwrap()(context, 1), RB_FAILED_PRECONDITION);
        }
        let late = later.lock().unwrap().take().unwrap().answer(Ok(""));
        assert_eq!(late.unwrap_err().type_name(), "rustbridge.Forked");
        // What the child loads itself is its own.
        let Ok(plugin) = with("own", |_, _| Ok(Vec::new())).open() else {
            return;
        };
        ask_of(&plugin, "ask", "own").unwrap();
    })
    .ends_well(LIMIT);
    ask_of(&plugin, "ask", "any").unwrap();
    plugin.close(LIMIT).unwrap();
}
