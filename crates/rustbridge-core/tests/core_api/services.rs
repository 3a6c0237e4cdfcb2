//! Services: what a plugin gets that calls its host.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "what is passed to a plugin of the tests' own is borrowed for the call"
)]

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use rustbridge_abi::*;
use rustbridge_core::{Encoding, Error, Load, ServiceCall, State, handles, service_fn};

use crate::asker::*;

#[test]
fn a_service_answers_bytes_however_many() {
    let plugin = with("twice", |request, call| {
        assert_eq!((call.name(), call.encoding()), ("twice", Encoding::Raw));
        assert_eq!((call.timeout(), call.is_cancelled()), (None, false));
        Ok(request.repeat(2))
    })
    .open()
    .unwrap();
    for request in ["", "a", &"long".repeat(10_000)] {
        let answer = ask_of(&plugin, "ask", &format!("twice {request}")).unwrap();
        assert_eq!(answer, request.repeat(2).as_bytes());
        let answer = ask_of(&plugin, "start", &format!("twice {request}")).unwrap();
        assert_eq!(answer, request.repeat(2).as_bytes());
    }
    let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    let instances = report["instances"].as_array().unwrap();
    let own = instances
        .iter()
        .find(|instance| instance["handle"] == plugin.handle());
    assert_eq!(own.unwrap()["services"][0]["name"], "twice");
    plugin.close(LIMIT).unwrap();
}

#[test]
fn an_error_keeps_status_message_type_and_details() {
    let plugin = with("fail", |_, _| {
        Err(Error::failure(Status::NotFound, "no \"price\"")
            .with_type("PriceError.Unknown")
            .with_details(serde_json::json!({"id": 7})))
    })
    .open()
    .unwrap();
    let error = ask_of(&plugin, "ask", "fail").unwrap_err();
    assert_eq!(
        (error.status(), error.message(), error.type_name()),
        (Status::NotFound, "no \"price\"", "PriceError.Unknown")
    );
    assert_eq!(error.details().unwrap()["id"], 7);
}

#[test]
fn a_panic_of_a_service_is_the_plugins_internal() {
    let plugin = with("panics", |_, _| panic!("boom in the host"))
        .open()
        .unwrap();
    let error = ask_of(&plugin, "ask", "panics").unwrap_err();
    assert_eq!(
        (error.status(), error.message(), error.type_name()),
        (Status::Internal, "boom in the host", "panic")
    );
    assert_eq!(plugin.state(), State::Active);
}

#[test]
fn a_typed_service_speaks_json() {
    let price = service_fn(|id: u64, _: &ServiceCall<'_>| match id {
        1 => Ok(serde_json::json!({"price": 2.5})),
        _ => Err(Error::failure(Status::NotFound, format!("no {id}"))),
    });
    let plugin = load()
        .service("price", Encoding::Raw, price)
        .open()
        .unwrap();
    assert_eq!(
        ask_of(&plugin, "ask", "price 1").unwrap(),
        br#"{"price":2.5}"#
    );
    let error = ask_of(&plugin, "ask", "price 2").unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::NotFound, "no 2")
    );
    let error = ask_of(&plugin, "ask", "price x").unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(error.message().contains("`price`"), "{error}");
}

#[test]
fn what_is_not_there_is_not_found() {
    let plugin = with("there", |_, _| Ok(Vec::new()))
        .service(
            "there.too",
            Encoding::Json,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> { Ok(Vec::new()) },
        )
        .open()
        .unwrap();
    let status = |name: &str| ask_of(&plugin, "find", name).unwrap_err().status();
    assert_eq!(
        ask_of(&plugin, "find", "there").unwrap(),
        0_u32.to_ne_bytes()
    );
    assert_eq!(status("not.there"), Status::NotFound);
    assert_eq!(status("there.too"), Status::Unimplemented);
    let error = ask_of(&plugin, "ask_for_number", "2").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoSuchService");
    let error = ask_of(&plugin, "ask_for_number", "4294967295").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoSuchService");

    let without = load().open().unwrap();
    let error = ask_of(&without, "ask_for_number", "0").unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    assert!(
        error.message().contains("no services were registered"),
        "{error}"
    );
}

#[test]
fn a_plugin_that_lacks_services_is_refused_before_it_is_created() {
    fn nothing(_: &[u8], _: &ServiceCall<'_>) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
    // SAFETY: a plugin of ours.
    let load = || unsafe { Load::linked(needy, "needy") };
    let created = CREATED.load(Ordering::Relaxed);
    let error = load()
        .service("prices.all", Encoding::Json, nothing)
        .open()
        .unwrap_err();
    assert_eq!(
        (error.status(), error.type_name()),
        (Status::FailedPrecondition, "rustbridge.MissingService")
    );
    for said in [
        "`needy`",
        "`prices.get` (json)",
        "`prices.all` (pod)",
        "`prices.all` (json)",
    ] {
        assert!(error.message().contains(said), "{error}");
    }
    assert!(!error.message().contains("extra"), "{error}");
    assert_eq!(
        error.details().unwrap()["missing"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let error = load()
        .service("prices.get", Encoding::Json, nothing)
        .service("prices.all", Encoding::Pod, nothing)
        .service("prices.get", Encoding::Json, nothing)
        .open()
        .unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.DuplicateService");
    let error = load()
        .service("", Encoding::Json, nothing)
        .open()
        .unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.InvalidService");
    load()
        .service("prices.get", Encoding::Json, nothing)
        .service("prices.all", Encoding::Pod, nothing)
        .service("prices.all", Encoding::Json, nothing)
        .open()
        .unwrap();
    assert!(CREATED.load(Ordering::Relaxed) > created);
}

#[test]
fn a_leaf_method_calls_no_services() {
    let plugin = with("any", |_, _| Ok(Vec::new())).open().unwrap();
    for leaf in [0, handles::ENTRY_LEAF, handles::ENTRY_SHARED] {
        let entry = handles::prepare(plugin.handle(), "ask_in_leaf", Encoding::Raw).unwrap();
        let mut response = Response::empty();
        unsafe {
            let entry = entry.entry | leaf;
            let status = handles::call(
                plugin.handle(),
                entry,
                b"any".as_ptr(),
                3,
                &raw mut response,
            );
            let payload = std::slice::from_raw_parts(response.data, response.len);
            let error = Error::from_payload(status, payload);
            handles::release(&raw mut response);
            assert_eq!(error.type_name(), "rustbridge.ServiceInLeaf");
            assert!(error.message().contains("`ask_in_leaf (raw)`"), "{error}");
        }
    }
    ask_of(&plugin, "ask", "any").unwrap();
}

#[test]
fn sixty_four_service_calls_go_one_inside_the_other() {
    static HANDLE: AtomicU64 = AtomicU64::new(0);
    static DEEPEST: AtomicU32 = AtomicU32::new(0);
    let plugin = with("deeper", |request, _| {
        let depth: u32 = std::str::from_utf8(request).unwrap().parse().unwrap();
        DEEPEST.fetch_max(depth, Ordering::Relaxed);
        let handle = HANDLE.load(Ordering::Relaxed);
        // A leaf is told so however deep it is.
        assert_eq!(
            ask_by_handle(handle, "ask_in_leaf", "deeper 0"),
            if depth < 64 {
                RB_FAILED_PRECONDITION
            } else {
                RB_RESOURCE_EXHAUSTED
            }
        );
        let error = handles::close(handle, Duration::ZERO).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.CloseInsideCall");
        match ask_by_handle(handle, "ask", &format!("deeper {}", depth + 1)) {
            RB_OK => Ok(Vec::new()),
            status => Err(Error::failure(Status::from_code(status), "deeper")),
        }
    })
    .open()
    .unwrap();
    HANDLE.store(plugin.handle(), Ordering::Relaxed);
    for _ in 0..2 {
        let error = ask_of(&plugin, "ask", "deeper 1").unwrap_err();
        assert_eq!(error.status(), Status::ResourceExhausted);
        assert_eq!(DEEPEST.load(Ordering::Relaxed), 64);
    }
    plugin.close(LIMIT).unwrap();
}

#[test]
fn who_has_hardly_any_stack_left_gets_an_error_and_not_an_overflow() {
    static HANDLE: AtomicU64 = AtomicU64::new(0);
    static DEEPEST: AtomicU32 = AtomicU32::new(0);
    let plugin = with("deeper", |request, _| {
        // As much as a level of another language's may take.
        let frame = std::hint::black_box([0_u8; 16 << 10]);
        let depth: u32 = std::str::from_utf8(request).unwrap().parse().unwrap();
        DEEPEST.fetch_max(depth, Ordering::Relaxed);
        let status = ask_by_handle(
            HANDLE.load(Ordering::Relaxed),
            "ask",
            &format!("deeper {}", depth + 1),
        );
        assert_eq!(std::hint::black_box(frame)[1], 0);
        match status {
            RB_OK => Ok(Vec::new()),
            status => Err(Error::failure(Status::from_code(status), "deeper")),
        }
    })
    .open()
    .unwrap();
    HANDLE.store(plugin.handle(), Ordering::Relaxed);
    let asked = thread::scope(|scope| {
        let small = thread::Builder::new().stack_size(1 << 20);
        let asking = small.spawn_scoped(scope, || ask_of(&plugin, "ask", "deeper 1"));
        asking.unwrap().join().unwrap()
    });
    assert_eq!(asked.unwrap_err().status(), Status::ResourceExhausted);
    let deepest = DEEPEST.load(Ordering::Relaxed);
    assert!((2..60).contains(&deepest), "{deepest}");
    plugin.close(LIMIT).unwrap();
}

/// Answers later, and says who told it that nobody waits any more.
struct Noted {
    numbers: mpsc::Sender<u64>,
    told: mpsc::Sender<(u64, thread::ThreadId)>,
}

impl handles::CancelListener for Noted {
    fn cancelled(&self, _: handles::Handle, call: u64) {
        self.told.send((call, thread::current().id())).unwrap();
    }
}

// SAFETY: it answers later, and by nothing.
unsafe impl handles::RawService for Noted {
    fn call(&self, call: &ServiceCall<'_>, _: *mut Response) -> StatusCode {
        self.numbers.send(call.later().unwrap()).unwrap();
        RB_PENDING
    }
}

#[test]
fn a_call_cancelled_in_a_leaf_method_ends_there_and_its_host_is_told_elsewhere() {
    let (numbers, number) = mpsc::channel();
    let (told, heard) = mpsc::channel();
    let plugin = load()
        .service_raw("noted", Encoding::Raw, Arc::new(Noted { numbers, told }))
        .open()
        .unwrap();
    for method in ["cancel_in_leaf", "close"] {
        let end = ask_of(&plugin, "leave_pending", "noted").unwrap();
        let number = number.recv_timeout(LIMIT).unwrap();
        // SAFETY: what the plugin has leaked.
        let end = unsafe {
            let address = usize::from_ne_bytes(end.try_into().unwrap());
            Box::from_raw(address as *mut mpsc::Receiver<(StatusCode, Vec<u8>)>)
        };
        if method == "close" {
            plugin.close(LIMIT).unwrap();
            assert_eq!(heard.recv_timeout(LIMIT).unwrap().0, number);
            return;
        }
        ask_of(&plugin, method, &number.to_string()).unwrap();
        assert_eq!(end.recv_timeout(LIMIT).unwrap().0, RB_CANCELLED);
        let (call, thread) = heard.recv_timeout(LIMIT).unwrap();
        assert_eq!(call, number);
        assert_ne!(thread, thread::current().id());
        let error = handles::service_reply(number, RB_OK, Vec::new()).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.ServiceCallOver");
    }
}
