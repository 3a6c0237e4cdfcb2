//! Forks under fire: the children of a process whose threads call, log and load can do all of it anew.
#![cfg(unix)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use child_process::ForkedChild;
use rustbridge_core::{Level, Plugin};
use serde_json::json;

use crate::fault::{Events, LONG, fault, number, well};
use crate::subprocess::in_a_process_of_its_own;

/// What a child may take; one that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(30);

/// Loads, calls and closes the same plugin, in a child.
fn use_plugin() {
    let events = Events::default();
    let plugin = fault(&json!({}))
        .log(Level::Trace, events.sink())
        .open()
        .unwrap();
    assert_eq!(number(&plugin, "count"), 1);
    plugin.call("log.flood", r#"{"n":10}"#).unwrap();
    plugin.flush_logs(LONG).unwrap();
    assert!(events.len() >= 10);
    plugin.close(LONG).unwrap();
}

fn logging() -> Plugin {
    fault(&json!({}))
        .log(Level::Trace, Events::default().sink())
        .open()
        .unwrap()
}

#[test]
fn children_of_a_process_whose_threads_log_can_load_the_same_plugin() {
    in_a_process_of_its_own(
        "forking::children_of_a_process_whose_threads_log_can_load_the_same_plugin",
        || {
            let plugin = logging();
            let over = AtomicBool::new(false);
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        while !over.load(Ordering::Relaxed) {
                            plugin.call("log.flood", r#"{"n":50}"#).unwrap();
                        }
                    });
                }
                let forks = catch_unwind(AssertUnwindSafe(|| {
                    for _ in 0..60 {
                        ForkedChild::start(use_plugin).ends_well(LIMIT);
                    }
                }));
                over.store(true, Ordering::Relaxed);
                forks.unwrap();
            });
            plugin.close(LONG).unwrap();
        },
    );
}

/// What a thread's first call asks of the kernel takes it tens of milliseconds, once a second thread lives.
#[test]
fn children_that_are_forked_while_the_first_call_begins_can_call() {
    in_a_process_of_its_own(
        "forking::children_that_are_forked_while_the_first_call_begins_can_call",
        || {
            let plugin = well();
            let calls = thread::spawn(move || number(&plugin, "count"));
            let children: Vec<ForkedChild> = (0..12)
                .map(|_| {
                    thread::sleep(Duration::from_millis(2));
                    ForkedChild::start(use_plugin)
                })
                .collect();
            for child in children {
                child.ends_well(LIMIT);
            }
            assert_eq!(calls.join().unwrap(), 1);
        },
    );
}

#[test]
fn a_childs_code_is_its_own_and_its_statics_are_fresh() {
    in_a_process_of_its_own(
        "forking::a_childs_code_is_its_own_and_its_statics_are_fresh",
        || {
            let plugin = well();
            let mappings = |of: &str| {
                let report: serde_json::Value =
                    serde_json::from_str(&rustbridge_core::inspect()).unwrap();
                let all = report["mappings"].as_array().unwrap().clone();
                all.iter()
                    .filter(|mapping| {
                        mapping["plugin"] == "fault" && mapping["inherited"] == (of == "parent")
                    })
                    .count()
            };
            assert_eq!((mappings("parent"), mappings("child")), (0, 1));
            ForkedChild::start(|| {
                assert_eq!((mappings("parent"), mappings("child")), (1, 0));
                let [one, two] = [well(), well()];
                assert_eq!((mappings("parent"), mappings("child")), (1, 1));
                assert_eq!((number(&one, "count"), number(&two, "count")), (1, 1));
                // And so is that of a child's child.
                ForkedChild::start(|| {
                    well();
                    assert_eq!((mappings("parent"), mappings("child")), (2, 1));
                })
                .ends_well(LIMIT);
            })
            .ends_well(LIMIT);
            assert_eq!((mappings("parent"), mappings("child")), (0, 1));
            assert_eq!(number(&plugin, "count"), 1);
        },
    );
}
