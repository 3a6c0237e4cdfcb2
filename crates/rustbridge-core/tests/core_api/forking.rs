//! Forks beside loads: who waits for whom, and which children are refused. What happens in children of a process whose
//! threads log is in the conformance tests, which have a plugin that does.
#![cfg(unix)]

use std::cell::Cell;
use std::ptr;
use std::thread;
use std::time::Duration;

use child_process::ForkedChild;
use rustbridge_abi::PluginTable;
use rustbridge_core::{Encoding, Load, Status};

use crate::common::{in_subprocess, library, load_tiny};
use crate::later;

const LIMIT: Duration = Duration::from_secs(30);

fn loads_and_calls() {
    let plugin = Load::path(library()).open().unwrap();
    assert_eq!(&*plugin.call("echo", "1").unwrap(), b"1");
    plugin.close(LIMIT).unwrap();
}

/// Starts a thread that forks, and waits for it, as an initialiser may do that runs while its library is loaded.
unsafe extern "C" fn joins_a_thread_that_forks(_: u32) -> *const PluginTable {
    thread::spawn(|| ForkedChild::start(loads_and_calls).ends_well(LIMIT))
        .join()
        .unwrap();
    ptr::null()
}

#[test]
fn a_fork_that_a_load_waits_for_goes_on_and_the_child_can_load() {
    if !in_subprocess("forking::a_fork_that_a_load_waits_for_goes_on_and_the_child_can_load") {
        return;
    }
    // SAFETY: a plugin of ours, which refuses every host.
    let refused = unsafe { Load::linked(joins_a_thread_that_forks, "forks") }.open();
    assert_eq!(refused.unwrap_err().type_name(), "rustbridge.NullTable");
    loads_and_calls();
}

/// Forks on the thread that loads; the child goes on with the load.
unsafe extern "C" fn forks(_: u32) -> *const PluginTable {
    thread_local! {
        // Of the thread that runs this test.
        static FORKED: Cell<bool> = const { Cell::new(false) };
    }
    assert!(!FORKED.replace(true));
    ForkedChild::start(|| {
        let error = Load::path(library()).open().unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.LoadInLoad");
        thread::spawn(|| assert!(!rustbridge_core::inspect().is_empty()))
            .join()
            .unwrap();
    })
    .ends_well(LIMIT);
    ptr::null()
}

#[test]
fn a_load_may_fork() {
    if !in_subprocess("forking::a_load_may_fork") {
        return;
    }
    // SAFETY: a plugin of ours, which refuses every host.
    let refused = unsafe { Load::linked(forks, "forks") }.open();
    assert_eq!(refused.unwrap_err().type_name(), "rustbridge.NullTable");
    loads_and_calls();
}

unsafe extern "C" fn loads(_: u32) -> *const PluginTable {
    let error = Load::path(library()).open().unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert_eq!(error.type_name(), "rustbridge.LoadInLoad");
    ptr::null()
}

#[test]
fn a_load_inside_a_load_is_refused_instead_of_waiting_for_itself() {
    if !in_subprocess("forking::a_load_inside_a_load_is_refused_instead_of_waiting_for_itself") {
        return;
    }
    // SAFETY: a plugin of ours, which refuses every host.
    let refused = unsafe { Load::linked(loads, "loads") }.open();
    assert_eq!(refused.unwrap_err().type_name(), "rustbridge.NullTable");
    loads_and_calls();
}

/// What a child finds of a fork that had begun before the handlers were there is what it finds when none are called.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn a_child_that_came_about_without_our_knowing_is_told_so() {
    if !in_subprocess("forking::a_child_that_came_about_without_our_knowing_is_told_so") {
        return;
    }
    loads_and_calls();
    // SAFETY: the child does what a forked child may, and leaves by `_exit`. No other thread has a lock of the allocator's.
    let id = unsafe { libc::syscall(libc::SYS_fork) };
    ForkedChild::of(id as libc::pid_t, || {
        let error = Load::path(library()).open().unwrap_err();
        assert_eq!(error.status(), Status::FailedPrecondition);
        assert_eq!(error.type_name(), "rustbridge.ForkedUnseen");
    })
    .ends_well(LIMIT);
}

#[test]
fn a_linked_plugin_of_before_the_fork_is_refused_and_one_of_after_it_loads() {
    if !in_subprocess(
        "forking::a_linked_plugin_of_before_the_fork_is_refused_and_one_of_after_it_loads",
    ) {
        return;
    }
    let load = || load_tiny().open();
    ForkedChild::start(|| {
        load().unwrap();
        ForkedChild::start(|| {
            let error = load().unwrap_err();
            assert_eq!(error.status(), Status::FailedPrecondition);
            assert_eq!(error.type_name(), "rustbridge.Inherited");
            assert!(error.message().contains("`tiny`"), "{error}");
        })
        .ends_well(LIMIT);
    })
    .ends_well(LIMIT);
    load().unwrap();
}

#[test]
fn what_a_parent_began_is_refused_to_its_child_and_ends_in_the_parent() {
    let name = "forking::what_a_parent_began_is_refused_to_its_child_and_ends_in_the_parent";
    if !in_subprocess(name) {
        return;
    }
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(later::entry_point, "later") }
        .open()
        .unwrap();
    let method = |name| plugin.method(name, Encoding::Raw).unwrap();
    let (kept, count, sum) = (method("kept"), method("count"), method("sum"));
    let mut call = kept.call_async(b"").begin();
    let mut items = count.stream(b"5").window(1, 1).iterate();
    assert_eq!(&*items.next().unwrap().unwrap(), b"1");
    let (mut sender, total) = sum.send(b"");
    // All of it is the child's, too, by the fork; there it's dropped.
    let begun = std::cell::RefCell::new((&mut call, &mut items, &mut sender));
    ForkedChild::start(|| {
        let mut begun = begun.borrow_mut();
        let (call, items, sender) = &mut *begun;
        let refused = [
            call.wait_timeout(LIMIT).unwrap().err(),
            // What has come already is here.
            items.by_ref().find_map(Result::err),
            sender.send_wait([1]).err(),
            kept.call_async(b"").begin().wait().err(),
        ];
        for error in refused {
            assert_eq!(error.unwrap().status(), Status::FailedPrecondition);
        }
    })
    .ends_well(LIMIT);
    later::end_kept();
    assert_eq!(&*call.wait().unwrap(), b"kept");
    assert_eq!(items.count(), 4);
    sender.send_wait([7]).unwrap();
    sender.finish();
    assert_eq!(&*total.wait().unwrap(), b"7");
    plugin.close(LIMIT).unwrap();
}
