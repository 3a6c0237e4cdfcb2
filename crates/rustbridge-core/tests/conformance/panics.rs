//! Panics and errors in every place of a plugin: the host gets a status, and goes on.

use rustbridge_core::{Encoding, Error, Level, OnPanic, Plugin, State, Status};
use serde_json::json;

use crate::fault::{Events, LONG, fault, number, well};
use crate::subprocess::in_a_process_of_its_own;

fn is_panic(error: &Error, message: &str) {
    assert_eq!(error.status(), Status::Internal, "{error:?}");
    assert_eq!((error.type_name(), error.message()), ("panic", message));
    let details = error.details().expect("a panic has a place");
    assert!(
        details["file"]
            .as_str()
            .is_some_and(|file| file.ends_with("lib.rs")),
        "{details}"
    );
    assert!(
        details["line"].as_u64().is_some_and(|line| line > 0),
        "{details}"
    );
}

fn words(message: &str) -> String {
    json!({ "message": message }).to_string()
}

#[test]
fn a_panic_in_create_is_reported_and_leaves_nothing_behind() {
    in_a_process_of_its_own(
        "panics::a_panic_in_create_is_reported_and_leaves_nothing_behind",
        || {
            for _ in 0..100 {
                let error = fault(&json!({"create": "panic"})).open().unwrap_err();
                is_panic(&error, "create was told to panic");
            }
            assert_eq!(number(&well(), "count"), 1);
        },
    );
}

#[test]
fn an_error_of_create_keeps_its_type_and_fields() {
    let error = fault(&json!({"create": "error"})).open().unwrap_err();
    assert_eq!(error.status(), Status::Unavailable);
    assert_eq!(error.type_name(), "FaultError.Create");
    assert_eq!(error.details(), Some(&json!({"code": 7})));
}

#[test]
fn what_a_failing_create_logged_arrives() {
    for create in ["panic", "error"] {
        let events = Events::default();
        let result = fault(&json!({"create": create, "log": true}))
            .log(Level::Info, events.sink())
            .open();
        assert!(result.is_err());
        let messages = events.messages();
        assert_eq!(messages[0], "in create");
        assert_eq!(
            messages.len(),
            if create == "panic" { 2 } else { 1 },
            "{messages:?}"
        );
    }
}

#[test]
fn a_panic_in_destroy_is_reported_and_the_instance_is_closed_all_the_same() {
    in_a_process_of_its_own(
        "panics::a_panic_in_destroy_is_reported_and_the_instance_is_closed_all_the_same",
        || {
            let plugin = fault(&json!({"destroy": "panic"})).open().unwrap();
            let handle = plugin.handle();
            is_panic(
                &plugin.close(LONG).unwrap_err(),
                "destroy was told to panic",
            );
            assert_eq!(
                rustbridge_core::handles::state(handle).unwrap(),
                State::Closed
            );
            // Dropped without being asked: nobody to tell, and nothing worse.
            drop(fault(&json!({"destroy": "panic"})).open().unwrap());
            assert_eq!(number(&well(), "count"), 1);
        },
    );
}

#[test]
fn a_panic_in_a_call_is_reported_and_the_instance_goes_on() {
    in_a_process_of_its_own(
        "panics::a_panic_in_a_call_is_reported_and_the_instance_goes_on",
        || {
            let plugin = well();
            for method in ["panic.call", "panic.leaf", "panic.lock", "panic.async"] {
                for round in 0..50 {
                    let message = format!("{method} {round}");
                    is_panic(&plugin.call(method, words(&message)).unwrap_err(), &message);
                }
            }
            assert_eq!(plugin.state(), State::Active);
            // The lock that was held is poisoned, and the next call takes it over.
            plugin.call("hang.release", "").unwrap();
            assert_eq!(number(&plugin, "count"), 1);
        },
    );
}

#[test]
fn a_panic_whose_payload_panics_again_is_survived() {
    in_a_process_of_its_own(
        "panics::a_panic_whose_payload_panics_again_is_survived",
        || {
            let plugin = well();
            for _ in 0..10 {
                let error = plugin.call("panic.bomb", "").unwrap_err();
                assert_eq!(
                    (error.status(), error.type_name()),
                    (Status::Internal, "panic")
                );
            }
            assert_eq!(number(&plugin, "count"), 1);
        },
    );
}

#[test]
fn a_panic_in_a_thread_or_task_of_the_plugins_ends_only_that() {
    in_a_process_of_its_own(
        "panics::a_panic_in_a_thread_or_task_of_the_plugins_ends_only_that",
        || {
            let plugin = fault(&json!({})).on_panic(OnPanic::Poison).open().unwrap();
            for method in ["panic.thread", "panic.task"] {
                let error = plugin.call(method, words("elsewhere")).unwrap_err();
                assert_eq!(error.status(), Status::Aborted, "{method}: {error:?}");
            }
            // No entry panicked, so nothing is poisoned.
            assert_eq!(plugin.state(), State::Active);
            assert_eq!(number(&plugin, "count"), 1);
        },
    );
}

#[test]
fn a_poisoned_instance_refuses_calls_and_its_neighbour_does_not() {
    let poisonable = || fault(&json!({})).on_panic(OnPanic::Poison).open().unwrap();
    for method in ["panic.call", "panic.leaf", "panic.async", "panic.bomb"] {
        let (plugin, neighbour) = (poisonable(), poisonable());
        let count = plugin.method("count", Encoding::Json).unwrap();
        count.call(b"").unwrap();
        let request = if method == "panic.bomb" {
            String::new()
        } else {
            words("x")
        };
        assert_eq!(
            plugin.call(method, request).unwrap_err().status(),
            Status::Internal
        );
        assert_eq!(plugin.state(), State::Poisoned, "{method}");
        let refused = count.call(b"").unwrap_err();
        assert_eq!(refused.status(), Status::FailedPrecondition);
        assert!(
            refused.type_name().starts_with("rustbridge."),
            "{refused:?}"
        );
        assert_eq!(number(&neighbour, "count"), 1);
        plugin.close(LONG).unwrap();
    }
}

#[test]
fn a_panic_is_logged_before_the_call_returns() {
    let events = Events::default();
    let plugin = fault(&json!({}))
        .log(Level::Error, events.sink())
        .open()
        .unwrap();
    plugin
        .call("panic.call", words("seen by the log"))
        .unwrap_err();
    // The core flushes after a panic, for at most 50 ms; this waits for what a busy machine didn't manage.
    plugin.flush_logs(LONG).unwrap();
    assert_eq!(events.messages(), ["seen by the log"]);
}

#[test]
fn a_backtrace_comes_only_when_it_was_asked_for() {
    let with = fault(&json!({})).backtrace(true).open().unwrap();
    let error = with.call("panic.call", words("x")).unwrap_err();
    let backtrace = error.backtrace().expect("it was asked for");
    assert!(backtrace.lines().count() > 3, "{backtrace}");
    let without: Plugin = well();
    assert_eq!(
        without
            .call("panic.call", words("x"))
            .unwrap_err()
            .backtrace(),
        None
    );
}

#[test]
fn an_error_of_any_size_arrives_whole() {
    let plugin = well();
    for bytes in [0, 1, 100, 1_000_000] {
        let request = json!({"message": "größer", "bytes": bytes}).to_string();
        let error = plugin.call("error.call", request).unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::DataLoss, "größer")
        );
        assert_eq!(error.type_name(), "FaultError.Call");
        let details = error.details().expect("it has fields");
        assert_eq!(details["bytes"].as_array().map(Vec::len), Some(bytes));
    }
}
