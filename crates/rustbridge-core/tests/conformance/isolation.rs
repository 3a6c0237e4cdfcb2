//! Plugins and instances side by side: they share nothing mutable.

use std::thread;

use rustbridge_conformance::libraries;
use rustbridge_core::{Encoding, Level, Load, Response, State, Status, handles};
use serde_json::{Value, json};

use crate::fault::{Events, LONG, fault, number, well};

fn hello() -> rustbridge_core::Plugin {
    Load::path(libraries::path("hello-plugin"))
        .open()
        .expect("hello-plugin loads")
}

#[test]
fn two_instances_count_by_themselves_from_any_thread() {
    let plugins = [well(), well()];
    thread::scope(|scope| {
        for (plugin, times) in plugins.iter().zip([1000, 300]) {
            for _ in 0..2 {
                scope.spawn(move || {
                    for _ in 0..times {
                        plugin.call("count", "").unwrap();
                    }
                });
            }
        }
    });
    assert_eq!(number(&plugins[0], "count"), 2001);
    assert_eq!(number(&plugins[1], "count"), 601);
}

#[test]
fn two_plugins_at_once_answer_each_for_itself() {
    let (hello, fault) = (hello(), well());
    let name = |plugin: &rustbridge_core::Plugin| {
        let description: Value = serde_json::from_str(plugin.describe()).unwrap();
        description["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (name(&hello).as_str(), name(&fault).as_str()),
        ("hello", "fault")
    );
    assert_eq!(
        hello.call("count", "").unwrap_err().status(),
        Status::NotFound
    );
    assert_eq!(
        fault.call("greet", r#"{"name":"x"}"#).unwrap_err().status(),
        Status::NotFound
    );
    // A panic of one is nothing to the other.
    fault.call("panic.call", r#"{"message":"x"}"#).unwrap_err();
    assert_eq!(
        &*hello.call("math.add", r#"{"a":1,"b":2}"#).unwrap(),
        br#"{"result":3}"#
    );
    fault.close(LONG).unwrap();
    assert_eq!(hello.state(), State::Active);
}

#[test]
fn an_entry_works_with_any_instance_of_its_plugin_and_no_other() {
    let (one, two, other) = (well(), well(), hello());
    let entry = one.method("count", Encoding::Json).unwrap().entry();
    let call = |handle: u64, entry: u32| {
        let mut response = Response::empty();
        // SAFETY: no request, and the response is released below.
        let status =
            unsafe { handles::call(handle, entry, std::ptr::null(), 0, &raw mut response) };
        // SAFETY: filled in by the call.
        unsafe { handles::release(&raw mut response) };
        Status::from_code(status)
    };
    assert_eq!(call(one.handle(), entry), Status::Ok);
    assert_eq!(call(two.handle(), entry), Status::Ok);
    assert_eq!(call(other.handle(), entry), Status::NotFound);
    for made_up in [
        0,
        1,
        0x7fff,
        0x8000,
        0xffff,
        0xfffe_0000,
        u32::MAX,
        entry ^ 0x1_0000,
        entry | 0x7fff,
    ] {
        assert_eq!(
            call(one.handle(), made_up),
            Status::NotFound,
            "{made_up:#x}"
        );
    }
    for made_up in [
        0,
        1,
        2,
        0xffff,
        u64::MAX,
        u64::MAX - 1,
        one.handle() ^ (1 << 63),
        one.handle() + (1 << 20),
    ] {
        assert_eq!(
            call(made_up, entry),
            Status::InvalidArgument,
            "{made_up:#x}"
        );
    }
    let stale = two.handle();
    two.close(LONG).unwrap();
    assert_eq!(call(stale, entry), Status::Unavailable);
    assert_eq!(
        handles::close(stale, LONG).unwrap_err().status(),
        Status::Unavailable
    );
    // Its place may be taken by now; the old handle is the old instance's all the same.
    let next: Vec<_> = (0..100).map(|_| well()).collect();
    assert_eq!(call(stale, entry), Status::Unavailable);
    drop(next);
    assert_eq!(call(stale, entry), Status::Unavailable);
}

#[test]
fn an_instance_with_a_copy_of_its_own_has_globals_of_its_own() {
    let shared = [well(), well()];
    let own = fault(&json!({})).own_copy(true).open().unwrap();
    assert!(number(&shared[0], "created") >= 2);
    assert_eq!(number(&own, "created"), 1);
}

#[test]
fn sinks_and_levels_are_each_instances_own() {
    let (a, b) = (Events::default(), Events::default());
    let one = fault(&json!({})).log(Level::Info, a.sink()).open().unwrap();
    let two = fault(&json!({}))
        .log(Level::Error, b.sink())
        .open()
        .unwrap();
    let flood = |plugin: &rustbridge_core::Plugin, n: u64| {
        plugin
            .call("log.flood", json!({ "n": n }).to_string())
            .unwrap();
        plugin.flush_logs(LONG).unwrap();
    };
    flood(&one, 10);
    flood(&two, 20);
    assert_eq!((a.len(), b.len()), (10, 0));
    one.set_log_level(Level::Off).unwrap();
    two.set_log_level(Level::Info).unwrap();
    flood(&one, 10);
    flood(&two, 20);
    assert_eq!((a.len(), b.len()), (10, 20));
    // At once, from several threads.
    one.set_log_level(Level::Trace).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| flood(&one, 100));
            scope.spawn(|| flood(&two, 50));
        }
    });
    assert_eq!((a.len(), b.len()), (410, 220));
    one.close(LONG).unwrap();
    flood(&two, 1);
    assert_eq!((a.len(), b.len()), (410, 221));
}
