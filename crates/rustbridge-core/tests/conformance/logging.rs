//! Logging from everywhere in a plugin: order, drops, re-entrance, and what a forgotten thread can do.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustbridge_core::{Level, Record, RecordKind, Status, handles};
use serde_json::{Value, json};

use crate::fault::{Events, LONG, fault, number};
use crate::subprocess::in_a_process_of_its_own;

#[test]
fn records_come_from_everywhere_in_the_order_they_were_made() {
    let events = Events::default();
    let plugin = fault(&json!({"log": true}))
        .log(Level::Info, events.sink())
        .open()
        .unwrap();
    plugin.call("log.everywhere", "").unwrap();
    plugin.close(LONG).unwrap();
    assert_eq!(
        events.messages(),
        [
            "in create",
            "in a call",
            "in a thread",
            "in a task",
            "after an await",
            "in destroy"
        ]
    );
}

#[test]
fn a_full_queue_drops_the_newest_and_says_how_many() {
    let (release, gate) = mpsc::channel::<()>();
    let seen = Arc::new(Mutex::new((Vec::new(), Vec::new())));
    let sink = {
        let seen = Arc::clone(&seen);
        let mut first = true;
        move |record: &Record<'_>| {
            if std::mem::take(&mut first) {
                gate.recv().expect("the test lets the sink go on");
            }
            let mut seen = seen.lock().unwrap();
            if record.target() == "rustbridge" {
                assert_eq!(record.level(), Level::Warn);
                seen.1.push(record.message().to_owned());
            } else {
                let fields: Value = serde_json::from_str(record.fields()).unwrap();
                seen.0.push(fields["n"].as_u64().unwrap());
            }
        }
    };
    let plugin = fault(&json!({}))
        .log(Level::Info, Box::new(sink))
        .log_capacity(16)
        .open()
        .unwrap();
    plugin.call("log.flood", r#"{"n":1000}"#).unwrap();
    let report = rustbridge_core::inspect();
    assert!(report.contains("dropped"), "{report}");
    release.send(()).unwrap();
    plugin.flush_logs(LONG).unwrap();
    plugin.close(LONG).unwrap();

    let (delivered, notes) = &*seen.lock().unwrap();
    assert!(delivered.is_sorted() && delivered[0] == 0, "{delivered:?}");
    assert!(
        delivered.len() >= 16 && delivered.len() < 1000,
        "{} delivered",
        delivered.len()
    );
    let dropped: u64 = notes
        .iter()
        .map(|note| -> u64 {
            let digits: String = note.chars().filter(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        })
        .sum();
    assert_eq!(delivered.len() as u64 + dropped, 1000, "{notes:?}");
}

#[test]
fn a_slow_sink_never_makes_a_call_wait() {
    let (release, gate) = mpsc::channel::<()>();
    let plugin = fault(&json!({}))
        .log(
            Level::Info,
            Box::new(move |_: &Record<'_>| {
                let _ = gate.recv();
            }),
        )
        .open()
        .unwrap();
    // If a call waited for the sink, this would never get to the release.
    for _ in 0..100 {
        plugin.call("log.flood", r#"{"n":100}"#).unwrap();
    }
    assert_eq!(number(&plugin, "count"), 1);
    drop(release);
    plugin.close(LONG).unwrap();
}

#[test]
fn a_sink_may_call_the_plugin_and_change_its_level_and_sink() {
    let counted = Arc::new(AtomicU64::new(0));
    let handle = Arc::new(AtomicU64::new(0));
    let replaced = Events::default();
    let sink = {
        let (counted, handle, replaced) =
            (Arc::clone(&counted), Arc::clone(&handle), replaced.clone());
        move |_: &Record<'_>| {
            let own = handle.load(Ordering::SeqCst);
            let mut response = rustbridge_core::Response::empty();
            let entry = handles::prepare(own, "count", rustbridge_core::Encoding::Json)
                .unwrap()
                .entry;
            // SAFETY: no request, and the response is released below.
            let status =
                unsafe { handles::call(own, entry, std::ptr::null(), 0, &raw mut response) };
            assert_eq!(status, 0);
            // SAFETY: filled in by the call.
            unsafe { handles::release(&raw mut response) };
            counted.fetch_add(1, Ordering::SeqCst);
            handles::set_log_level(own, Level::Trace).unwrap();
            handles::set_log_sink(own, Some(replaced.sink()), LONG).unwrap();
        }
    };
    let plugin = fault(&json!({}))
        .log(Level::Info, Box::new(sink))
        .open()
        .unwrap();
    handle.store(plugin.handle(), Ordering::SeqCst);
    plugin.call("log.flood", r#"{"n":5}"#).unwrap();
    plugin.flush_logs(LONG).unwrap();
    assert_eq!((counted.load(Ordering::SeqCst), replaced.len()), (1, 4));
    assert_eq!(number(&plugin, "count"), 2);
}

#[test]
fn a_sink_may_close_its_instance() {
    in_a_process_of_its_own("logging::a_sink_may_close_its_instance", || {
        let handle = Arc::new(AtomicU64::new(0));
        let (done, closed) = mpsc::channel();
        let sink = {
            let handle = Arc::clone(&handle);
            move |_: &Record<'_>| {
                let own = handle.load(Ordering::SeqCst);
                if own != 0 {
                    done.send(handles::close(own, LONG).map_err(|error| error.status()))
                        .unwrap();
                }
            }
        };
        let own = handles::load(fault(&json!({})).log(Level::Info, Box::new(sink))).unwrap();
        handle.store(own, Ordering::SeqCst);
        let flood = handles::prepare(own, "log.flood", rustbridge_core::Encoding::Json).unwrap();
        let mut response = rustbridge_core::Response::empty();
        let request = br#"{"n":1}"#;
        // SAFETY: the request is readable, and the response is released below.
        let status = unsafe {
            handles::call(
                own,
                flood.entry,
                request.as_ptr(),
                request.len(),
                &raw mut response,
            )
        };
        assert_eq!(status, 0);
        // SAFETY: filled in by the call.
        unsafe { handles::release(&raw mut response) };
        assert_eq!(closed.recv_timeout(LONG).unwrap(), Ok(()));
        assert_eq!(
            handles::close(own, LONG).unwrap_err().status(),
            Status::Unavailable
        );
    });
}

#[test]
fn a_sink_that_panics_gets_the_next_record_all_the_same() {
    in_a_process_of_its_own(
        "logging::a_sink_that_panics_gets_the_next_record_all_the_same",
        || {
            let seen = Arc::new(AtomicU64::new(0));
            let sink = {
                let seen = Arc::clone(&seen);
                move |_: &Record<'_>| {
                    assert!(
                        seen.fetch_add(1, Ordering::SeqCst) % 2 == 1,
                        "the sink panics at every other record"
                    );
                }
            };
            let plugin = fault(&json!({}))
                .log(Level::Info, Box::new(sink))
                .open()
                .unwrap();
            plugin.call("log.flood", r#"{"n":10}"#).unwrap();
            plugin.flush_logs(LONG).unwrap();
            assert_eq!(seen.load(Ordering::SeqCst), 10);
            plugin.close(LONG).unwrap();
        },
    );
}

#[test]
fn a_forgotten_thread_logs_into_nothing_once_its_instance_is_closed() {
    in_a_process_of_its_own(
        "logging::a_forgotten_thread_logs_into_nothing_once_its_instance_is_closed",
        || {
            let over = Arc::new(AtomicBool::new(false));
            let seen = Arc::new(AtomicU64::new(0));
            let sink = {
                let (over, seen) = (Arc::clone(&over), Arc::clone(&seen));
                move |record: &Record<'_>| {
                    if record.kind() == RecordKind::Event {
                        assert!(!over.load(Ordering::SeqCst), "a record after close");
                        seen.fetch_add(1, Ordering::SeqCst);
                    }
                }
            };
            let plugin = fault(&json!({}))
                .log(Level::Info, Box::new(sink))
                .open()
                .unwrap();
            plugin.call("leak.thread", r#"{"n":200}"#).unwrap();
            while seen.load(Ordering::SeqCst) == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            plugin.close(LONG).unwrap();
            over.store(true, Ordering::SeqCst);
            let at_close = seen.load(Ordering::SeqCst);
            // Another instance in the same place, while the thread still logs: its records aren't this one's.
            let events = Events::default();
            let next = fault(&json!({}))
                .log(Level::Info, events.sink())
                .open()
                .unwrap();
            thread::sleep(Duration::from_millis(300));
            next.flush_logs(LONG).unwrap();
            assert_eq!(events.messages(), Vec::<String>::new());
            assert_eq!(seen.load(Ordering::SeqCst), at_close);
        },
    );
}
