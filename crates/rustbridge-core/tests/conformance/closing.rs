//! Closing while calls run, leases that outlive their instance, and requests and responses of any size.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, process, thread};

use rustbridge_core::{Encoding, State, Status, handles};
use serde_json::json;

use crate::fault::{LONG, fault, number, well};
use crate::subprocess::in_a_process_of_its_own;

#[test]
fn closing_waits_for_running_calls_and_says_which_still_run() {
    let plugin = well();
    let handle = plugin.handle();
    let sign = env::temp_dir().join(format!("rustbridge-sign-{}", process::id()));
    let request = json!({"path": sign}).to_string();
    let hang = plugin.method("hang.file", Encoding::Json).unwrap();
    let running = thread::spawn(move || hang.call(request.as_bytes()).map(|reply| reply.to_vec()));
    plugin.call("hang.await", r#"{"n":1}"#).unwrap();

    let report = handles::close(handle, Duration::from_millis(20)).unwrap_err();
    assert_eq!(report.status(), Status::DeadlineExceeded);
    assert!(report.to_json().contains("hang.file"), "{report:?}");
    assert_eq!(handles::state(handle).unwrap(), State::Closing);
    let refused = hang.call(b"{}").unwrap_err();
    assert_eq!(refused.status(), Status::Unavailable);
    // Asked again it goes on waiting.
    let again = handles::close(handle, Duration::ZERO).unwrap_err();
    assert_eq!(again.status(), Status::DeadlineExceeded);

    fs::write(&sign, "").unwrap();
    assert_eq!(running.join().unwrap().unwrap(), b"null");
    handles::close(handle, LONG).unwrap();
    assert_eq!(handles::state(handle).unwrap(), State::Closed);
    fs::remove_file(&sign).unwrap();
}

#[test]
fn an_instance_closed_under_two_callers_answers_or_refuses() {
    in_a_process_of_its_own(
        "closing::an_instance_closed_under_two_callers_answers_or_refuses",
        || {
            for round in 0..1000 {
                let plugin = well();
                let count = plugin.method("count", Encoding::Json).unwrap();
                let closed = AtomicBool::new(false);
                thread::scope(|scope| {
                    for _ in 0..2 {
                        scope.spawn(|| {
                            loop {
                                // Read before the call: what begins after close returned is always refused.
                                let over = closed.load(Ordering::SeqCst);
                                match count.call(b"") {
                                    Ok(_) => assert!(!over, "round {round}: answered after close"),
                                    Err(error) => {
                                        assert_eq!(
                                            error.status(),
                                            Status::Unavailable,
                                            "{error:?}"
                                        );
                                        if over {
                                            break;
                                        }
                                    }
                                }
                            }
                        });
                    }
                    plugin.close(LONG).unwrap();
                    closed.store(true, Ordering::SeqCst);
                });
            }
        },
    );
}

#[test]
fn a_lease_outlives_its_instance_and_ends_on_any_thread() {
    let plugin = well();
    let fill = plugin.method("raw.fill", Encoding::Raw).unwrap();
    let leases: Vec<_> = (0..20).map(|_| fill.call(b"1000000").unwrap()).collect();
    assert!(leases.iter().all(rustbridge_core::Reply::is_lease));
    plugin.close(LONG).unwrap();
    for lease in leases {
        thread::spawn(move || {
            assert_eq!(lease.len(), 1_000_000);
            assert!(lease.iter().all(|&byte| byte == b'x'));
        })
        .join()
        .unwrap();
    }
}

#[test]
fn a_hundred_megabytes_go_there_and_back() {
    let plugin = well();
    let echo = plugin.method("raw.echo", Encoding::Raw).unwrap();
    let mut request = vec![0_u8; 100_000_000];
    for (index, byte) in request.iter_mut().enumerate() {
        *byte = (index % 251) as u8;
    }
    let reply = echo.call(&request).unwrap();
    assert!(reply.is_lease());
    assert!(*reply == *request);
    let mut storage = vec![0_u8; request.len()];
    let written = echo.call_into(&request, &mut storage).unwrap();
    assert!(matches!(written, rustbridge_core::ResponseLocation::Buffer(n) if n == request.len()));
    assert!(storage == request);
}

#[test]
fn no_bytes_are_a_request_and_a_response_too() {
    let plugin = well();
    let empty = plugin.method("raw.empty", Encoding::Raw).unwrap();
    for request in [&b""[..], b"x", &[0; 10_000]] {
        assert_eq!(&*empty.call(request).unwrap(), b"");
    }
}

#[test]
fn a_hanging_create_and_destroy_delay_only_whom_they_concern() {
    let slow = thread::spawn(|| {
        let plugin = fault(&json!({"create": "hang", "destroy": "hang", "hang_ms": 100}))
            .open()
            .unwrap();
        plugin.close(LONG)
    });
    for _ in 0..20 {
        assert_eq!(number(&well(), "count"), 1);
    }
    slow.join().unwrap().unwrap();
}

#[test]
fn what_an_async_handler_leaves_behind_does_not_keep_an_instance_open() {
    let plugin = well();
    for _ in 0..10 {
        plugin.call("leak.task", "").unwrap();
    }
    assert_eq!(
        &*plugin.call("hang.async", r#"{"ms":1}"#).unwrap(),
        br#"{"ms":1}"#
    );
    plugin.close(LONG).unwrap();
}

#[test]
fn memory_a_plugin_leaks_is_its_own_affair() {
    let plugin = well();
    for _ in 0..10 {
        plugin.call("leak.memory", r#"{"n":100000}"#).unwrap();
    }
    plugin.close(LONG).unwrap();
    assert_eq!(number(&well(), "count"), 1);
}

#[test]
fn loading_and_closing_again_and_again_maps_the_library_once() {
    // Other tests load libraries at the same time.
    in_a_process_of_its_own(
        "closing::loading_and_closing_again_and_again_maps_the_library_once",
        || {
            let mappings = || {
                let report: serde_json::Value =
                    serde_json::from_str(&rustbridge_core::inspect()).unwrap();
                report["mappings"].as_array().unwrap().len()
            };
            drop(well());
            let before = mappings();
            for _ in 0..500 {
                let plugin = well();
                assert_eq!(number(&plugin, "count"), 1);
                plugin.close(LONG).unwrap();
            }
            assert_eq!(mappings(), before);
        },
    );
}
