//! Closing while others call, over and over, and handles that never were.

use std::ffi::c_void;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge_core::{Encoding, Method, Plugin, Response, Status, handles};

use crate::common::{load_tiny, rounds};

#[test]
fn close_while_two_threads_call_lets_no_call_through_to_a_dead_instance() {
    let calls = AtomicU64::new(0);
    for round in 0..rounds(1000) {
        let plugin = load_tiny().config("keep").open().unwrap();
        let small = plugin.method("small", Encoding::Pod).unwrap();
        let started = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    started.wait();
                    loop {
                        match small.call_pod::<[i32; 2], [i32; 2]>(&[1, 2]) {
                            Ok(sum) => assert_eq!(sum, [3, 1]),
                            Err(error) => {
                                assert_eq!(error.status(), Status::Unavailable, "{error}");
                                break;
                            }
                        }
                        calls.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            started.wait();
            // The closer comes at another moment each time, from before the first call to the middle of many.
            for _ in 0..(round % 50) * 20 {
                std::hint::spin_loop();
            }
            plugin.close(Duration::from_secs(60)).unwrap();
        });
    }
    assert!(calls.into_inner() > 0);
}

struct Nest {
    call_back: Method,
    left: usize,
    deepest: Result<(), Status>,
}

/// Calls the plugin again, which calls this again.
unsafe extern "C" fn nest(nest: *mut c_void) {
    // SAFETY: what `nested` passes.
    let nest_ref = unsafe { &mut *nest.cast::<Nest>() };
    if nest_ref.left == 0 {
        return;
    }
    nest_ref.left -= 1;
    let call_back = nest_ref.call_back;
    let result = nested(call_back, nest);
    // SAFETY: the nested call is over, so ours is the only reference again.
    let nest_ref = unsafe { &mut *nest.cast::<Nest>() };
    if let Err(status) = result {
        nest_ref.deepest = Err(status);
    }
}

fn nested(call_back: Method, argument: *mut c_void) -> Result<(), Status> {
    let mut request = [0; 16];
    request[..8].copy_from_slice(&(nest as *const () as usize).to_ne_bytes());
    request[8..].copy_from_slice(&(argument as usize).to_ne_bytes());
    call_back
        .call(&request)
        .map(drop)
        .map_err(|error| error.status())
}

#[test]
fn calls_nest_deeper_than_a_cell_has_levels_and_closing_still_waits_for_them() {
    for round in 0..100_u64 {
        let plugin = load_tiny().config("keep").open().unwrap();
        let call_back = plugin.method("call_back", Encoding::Raw).unwrap();
        thread::scope(|scope| {
            let caller = scope.spawn(move || {
                loop {
                    let mut state = Nest {
                        call_back,
                        left: 8,
                        deepest: Ok(()),
                    };
                    match nested(call_back, (&raw mut state).cast()).and(state.deepest) {
                        Ok(()) => assert_eq!(state.left, 0),
                        Err(status) => {
                            assert_eq!(status, Status::Unavailable);
                            break;
                        }
                    }
                }
            });
            for _ in 0..round * 20 {
                std::hint::spin_loop();
            }
            plugin.close(Duration::from_secs(60)).unwrap();
            caller.join().unwrap();
        });
    }
}

/// Calls nested to a depth, the innermost in an instance of its own, which closes that one from inside.
struct Descent {
    outer: Method,
    inner: Method,
    left: usize,
    closed: Option<Status>,
}

unsafe extern "C" fn descend(descent: *mut c_void) {
    // SAFETY: what `go_down` passes.
    let state = unsafe { &mut *descent.cast::<Descent>() };
    if state.left == 0 {
        let handle = state.inner.handle();
        let result = handles::close(handle, Duration::from_secs(20));
        state.closed = result.map_err(|error| error.status()).err();
        return;
    }
    state.left -= 1;
    let method = if state.left == 0 {
        state.inner
    } else {
        state.outer
    };
    go_down(method, descent);
}

fn go_down(method: Method, descent: *mut c_void) {
    let mut request = [0; 16];
    request[..8].copy_from_slice(&(descend as *const () as usize).to_ne_bytes());
    request[8..].copy_from_slice(&(descent as usize).to_ne_bytes());
    method.call(&request).unwrap();
}

#[test]
fn an_instance_cannot_be_closed_from_inside_its_own_call_however_deep() {
    let outer = load_tiny().open().unwrap();
    let inner = load_tiny().open().unwrap();
    let call_back = |plugin: &Plugin| plugin.method("call_back", Encoding::Raw).unwrap();
    for depth in 1..8 {
        let mut state = Descent {
            outer: call_back(&outer),
            inner: call_back(&inner),
            left: depth,
            closed: None,
        };
        go_down(state.outer, (&raw mut state).cast());
        assert_eq!(state.closed, Some(Status::FailedPrecondition), "{depth}");
    }
    inner.close(Duration::from_secs(60)).unwrap();
}

fn status_of_call(handle: u64, entry: u32) -> Status {
    let mut storage = [0_u8; 512];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
    let request = [0_u8; 8];
    // SAFETY: request and response are valid; the response is released once.
    unsafe {
        let status = handles::call(handle, entry, request.as_ptr(), 8, &mut response);
        let leaf = handles::call(
            handle,
            entry | handles::ENTRY_LEAF,
            request.as_ptr(),
            8,
            &mut response,
        );
        assert_eq!(status, leaf);
        handles::release(&mut response);
        Status::from_code(status)
    }
}

#[test]
fn handles_that_are_stale_or_made_up_get_a_status_from_every_function() {
    let plugin = load_tiny().open().unwrap();
    let live = plugin.handle();
    let entry = plugin.method("small", Encoding::Pod).unwrap().entry();
    let gone = load_tiny().open().unwrap();
    let stale = gone.handle();
    gone.close(Duration::from_secs(10)).unwrap();

    let mut handles = vec![
        (stale, Status::Unavailable),
        (0, Status::InvalidArgument),
        (1, Status::InvalidArgument),
        (0xffff, Status::InvalidArgument),
        (0xffff_ffff, Status::InvalidArgument),
        (u64::MAX, Status::InvalidArgument),
        (u64::MAX - 1, Status::InvalidArgument),
        (1 << 63, Status::InvalidArgument),
        (&raw const entry as u64, Status::InvalidArgument),
        (live & 0xffff, Status::InvalidArgument),
        (live | (1 << 63), Status::InvalidArgument),
        (live + (1 << 40), Status::InvalidArgument),
    ];
    for bit in 0..64 {
        handles.push((1 << bit, Status::InvalidArgument));
    }
    for (handle, expected) in handles {
        // Other tests of this binary use the low slots, so a handle of theirs can't be told from a made-up one.
        if (1..1000).contains(&(handle & 0xffff))
            && (1..100_000).contains(&(handle >> 16))
            && handle != stale
        {
            continue;
        }
        assert_eq!(status_of_call(handle, entry), expected, "call {handle:#x}");
        assert_eq!(status_of_call(handle, 0), expected, "call {handle:#x}");
        let statuses = [
            handles::prepare(handle, "small", Encoding::Pod).map(drop),
            handles::prepare_id(handle, 7, Encoding::Pod).map(drop),
            handles::describe(handle).map(drop),
            handles::close(handle, Duration::ZERO),
            handles::set_log_level(handle, rustbridge_core::Level::Info),
            handles::set_log_sink(handle, None, Duration::ZERO),
            handles::flush_logs(handle, Duration::ZERO).map(drop),
        ];
        for (which, result) in statuses.into_iter().enumerate() {
            assert_eq!(
                result.unwrap_err().status(),
                expected,
                "{which} {handle:#x}"
            );
        }
        match handles::state(handle) {
            Ok(state) => assert_eq!((handle, state.name()), (stale, "closed")),
            Err(error) => assert_eq!(error.status(), expected),
        }
    }
    assert_eq!(status_of_call(live, entry), Status::Ok);
}
