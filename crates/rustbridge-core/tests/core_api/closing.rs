//! What closing waits for, what it says when it waited in vain, and from where it may be called.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use rustbridge_core::Load;
use rustbridge_core::{Encoding, Error, Level, Record, State, Status, handles};

use crate::common::{in_subprocess, load_tiny};

fn in_flight(handle: u64) -> u64 {
    let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    let instances = report["instances"].as_array().unwrap();
    let ours = instances
        .iter()
        .find(|instance| instance["handle"] == handle);
    ours.unwrap()["in_flight"].as_u64().unwrap()
}

#[test]
fn a_close_that_timed_out_says_what_runs_and_can_be_repeated() {
    let plugin = load_tiny().name("sleepy").open().unwrap();
    let handle = plugin.handle();
    let sleep = plugin.method("sleep", Encoding::Raw).unwrap();
    let echo = plugin.method("echo", Encoding::Raw).unwrap();
    thread::scope(|scope| {
        let sleeper = thread::Builder::new()
            .name("sleeper".to_owned())
            .spawn_scoped(scope, || sleep.call(b"1500").map(drop))
            .unwrap();
        while in_flight(handle) != 1 {
            thread::yield_now();
        }
        let error = handles::close(handle, Duration::from_millis(20)).unwrap_err();
        assert_eq!(error.status(), Status::DeadlineExceeded);
        for part in ["sleepy", "sleep (raw)", "sleeper", "1 call"] {
            assert!(error.message().contains(part), "{part}: {error}");
        }
        let running = &error.details().unwrap()["running"][0];
        assert_eq!(running["method"], "sleep (raw)");
        assert_eq!(plugin.state(), State::Closing);
        for error in [
            echo.call(b"").unwrap_err(),
            plugin.method("echo", Encoding::Raw).unwrap_err(),
            handles::describe(handle).unwrap_err(),
        ] {
            assert_eq!(error.status(), Status::Unavailable, "{error}");
        }
        // What was running is not cut off, and closing again waits for it.
        handles::close(handle, Duration::MAX).unwrap();
        sleeper.join().unwrap().unwrap();
    });
    assert_eq!(plugin.state(), State::Closed);
}

struct Closer {
    handle: u64,
    result: Option<Result<(), Error>>,
}

unsafe extern "C" fn close_it(closer: *mut c_void) {
    // SAFETY: what the tests pass.
    let closer = unsafe { &mut *closer.cast::<Closer>() };
    closer.result = Some(handles::close(closer.handle, Duration::from_secs(60)));
}

fn request(closer: &mut Closer) -> Vec<u8> {
    let function = close_it as *const () as usize;
    let argument = (&raw mut *closer) as usize;
    [function.to_ne_bytes(), argument.to_ne_bytes()].concat()
}

#[test]
fn an_instance_cannot_be_closed_from_inside_its_own_call_but_another_can() {
    let plugin = load_tiny().open().unwrap();
    let other = load_tiny().open().unwrap();
    let call_back = plugin.method("call_back", Encoding::Raw).unwrap();

    let mut own = Closer {
        handle: plugin.handle(),
        result: None,
    };
    call_back.call(&request(&mut own)).unwrap();
    let error = own.result.unwrap().unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert!(error.message().contains("inside"));
    assert_eq!(plugin.state(), State::Active);

    let mut foreign = Closer {
        handle: other.handle(),
        result: None,
    };
    call_back.call(&request(&mut foreign)).unwrap();
    foreign.result.unwrap().unwrap();
    assert_eq!(other.state(), State::Closed);
}

#[test]
fn of_two_threads_that_close_one_closes_and_the_other_is_told() {
    for _ in 0..200 {
        let plugin = load_tiny().open().unwrap();
        let handle = plugin.handle();
        let (one, two) = thread::scope(|scope| {
            let close = move || handles::close(handle, Duration::from_secs(60));
            let one = scope.spawn(close);
            let two = scope.spawn(close);
            (one.join().unwrap(), two.join().unwrap())
        });
        assert!(one.is_ok() != two.is_ok());
        let loser = one.and(two).unwrap_err();
        assert_eq!(loser.status(), Status::Unavailable);
    }
}

#[test]
fn a_close_that_comes_late_does_not_wait_for_the_calls_of_the_slots_next_instance() {
    unsafe extern "C" fn wait(until: *mut c_void) {
        // SAFETY: what is passed below, alive until the call returns.
        let until = unsafe { &*until.cast::<mpsc::Receiver<()>>() };
        until.recv_timeout(Duration::from_secs(20)).unwrap();
    }
    if !in_subprocess(
        "closing::a_close_that_comes_late_does_not_wait_for_the_calls_of_the_slots_next_instance",
    ) {
        return;
    }
    // Whether the late one looks again only when the next call is inside is a matter of luck.
    for _ in 0..20 {
        let handle = handles::load(load_tiny()).unwrap();
        let sleep = handles::prepare(handle, "sleep", Encoding::Raw).unwrap();
        thread::scope(|scope| {
            let sleeper = scope.spawn(move || {
                let mut response = rustbridge_core::Response::empty();
                // SAFETY: request and response are valid, and the response is released.
                unsafe {
                    let request = b"40";
                    handles::call(handle, sleep.entry, request.as_ptr(), 2, &mut response);
                    handles::release(&mut response);
                }
            });
            // On a machine with other things to do, the call may be over before anybody looks.
            while in_flight(handle) != 1 && !sleeper.is_finished() {
                thread::yield_now();
            }
            let (done, late_is_done) = mpsc::channel();
            scope.spawn(move || {
                let _ = handles::close(handle, Duration::MAX);
                done.send(()).unwrap();
            });
            let _ = handles::close(handle, Duration::MAX);
            let next = load_tiny().open().unwrap();
            let call_back = next.method("call_back", Encoding::Raw).unwrap();
            let function = wait as *const () as usize;
            let argument = (&raw const late_is_done) as usize;
            let request = [function.to_ne_bytes(), argument.to_ne_bytes()].concat();
            call_back.call(&request).unwrap();
        });
    }
}

#[test]
fn whoever_closes_the_sink_is_dropped_when_close_has_succeeded() {
    struct Slow(Arc<AtomicBool>);
    impl Drop for Slow {
        fn drop(&mut self) {
            thread::sleep(Duration::from_millis(100));
            self.0.store(true, Ordering::Release);
        }
    }
    // With a log thread, and without one.
    for level in [Level::Info, Level::Off] {
        let dropped = Arc::new(AtomicBool::new(false));
        let slow = Slow(Arc::clone(&dropped));
        let handle = handles::load(load_tiny().log(
            level,
            Box::new(move |_: &Record<'_>| {
                let _ = &slow;
            }),
        ))
        .unwrap();
        let close = || {
            handles::close(handle, Duration::from_secs(60))
                .is_err()
                .then_some(())
                .or_else(|| dropped.load(Ordering::Acquire).then_some(()))
        };
        thread::scope(|scope| {
            let other = scope.spawn(close);
            thread::sleep(Duration::from_millis(20));
            assert!(close().is_some(), "{level}: closed, but not dropped");
            assert!(
                other.join().unwrap().is_some(),
                "{level}: closed, but not dropped"
            );
        });
    }
}

#[test]
fn a_sink_whose_destructor_closes_its_instance_waits_for_nobody() {
    struct Closing(mpsc::Receiver<u64>);
    impl Drop for Closing {
        fn drop(&mut self) {
            let _ = handles::close(self.0.recv().unwrap(), Duration::from_secs(3600));
        }
    }
    for level in [Level::Info, Level::Off] {
        let (send, handle) = mpsc::channel();
        let closing = Closing(handle);
        let handle = handles::load(load_tiny().log(
            level,
            Box::new(move |_: &Record<'_>| {
                let _ = &closing;
            }),
        ))
        .unwrap();
        send.send(handle).unwrap();
        let _ = handles::close(handle, Duration::from_secs(3600));
        assert_eq!(handles::state(handle).unwrap(), State::Closed);
    }
}

#[test]
fn a_sink_that_closes_its_instance_gets_nothing_more_and_is_dropped_when_it_returns() {
    struct Dropped(mpsc::Sender<String>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            let _ = self.0.send("dropped".to_owned());
        }
    }
    let (send, received) = mpsc::channel();
    let dropped = Dropped(send.clone());
    let (handle_to_sink, handle_in_sink) = mpsc::channel();
    let mut handle_in_sink = Some(handle_in_sink);
    let plugin = load_tiny()
        .log(
            Level::Info,
            Box::new(move |record: &Record<'_>| {
                let _ = &dropped;
                send.send(record.message().to_owned()).unwrap();
                if let Some(handle) = handle_in_sink.take() {
                    handles::close(handle.recv().unwrap(), Duration::from_secs(60)).unwrap();
                    send.send("closed".to_owned()).unwrap();
                }
            }),
        )
        .open()
        .unwrap();
    plugin
        .method("log", Encoding::Raw)
        .unwrap()
        .call(b"10 waits")
        .unwrap();
    handle_to_sink.send(plugin.handle()).unwrap();
    let all: Vec<String> = received.iter().collect();
    assert_eq!(all, ["created", "closed", "dropped"]);
    assert_eq!(plugin.state(), State::Closed);
}

#[test]
fn a_sink_that_hangs_lets_close_time_out_and_close_again() {
    let (let_go, hold) = mpsc::channel::<()>();
    let plugin = load_tiny()
        .log(
            Level::Info,
            Box::new(move |_: &Record<'_>| {
                let _ = hold.recv();
            }),
        )
        .open()
        .unwrap();
    let handle = plugin.handle();
    let error = handles::close(handle, Duration::from_millis(30)).unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert!(error.message().contains("sink"), "{error}");
    assert_eq!(plugin.state(), State::Closing);
    drop(let_go);
    handles::close(handle, Duration::from_secs(60)).unwrap();
    assert_eq!(plugin.state(), State::Closed);
}

/// What must not grow: resident pages, mappings, descriptors, threads. Pages of files are left out, since more and more of this program
/// is read in while it runs.
#[cfg(target_os = "linux")]
fn usage() -> (usize, usize, usize, usize) {
    const PAGE: usize = 4;
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let status = read("/proc/self/status");
    let kilobytes = |name: &str| -> usize {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.unwrap().trim().trim_end_matches(" kB");
        number.parse().unwrap()
    };
    let resident = (kilobytes("RssAnon:") + kilobytes("RssShmem:")) / PAGE;
    let maps = read("/proc/self/maps").lines().count();
    let count = |path: &str| std::fs::read_dir(path).unwrap().count();
    (
        resident,
        maps,
        count("/proc/self/fd"),
        count("/proc/self/task"),
    )
}

#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_loads_and_closes_leave_nothing_behind() {
    if !in_subprocess("closing::ten_thousand_loads_and_closes_leave_nothing_behind") {
        return;
    }
    let path = crate::common::library();
    let cycle = |round: usize| {
        let mut load = Load::path(&path);
        // A tenth of them with a log thread of their own.
        if round.is_multiple_of(10) {
            load = load.log(Level::Info, Box::new(|_: &Record<'_>| {}));
        }
        let plugin = load.open().unwrap();
        assert_eq!(&*plugin.call("echo", "1").unwrap(), b"1");
        plugin.close(Duration::from_secs(60)).unwrap();
    };
    (0..500).for_each(cycle);
    let before = usage();
    (0..10_000).for_each(cycle);
    let after = usage();
    // The allocator may keep a few pages, and the thread stacks' cache a mapping or two; a leak of one page or one
    // mapping in a hundred cycles would be a hundred.
    assert!(after.0 <= before.0 + 64, "resident: {before:?} {after:?}");
    assert!(after.1 <= before.1 + 8, "mappings: {before:?} {after:?}");
    assert_eq!(
        (after.2, after.3),
        (before.2, before.3),
        "{before:?} {after:?}"
    );
}

#[test]
fn the_handle_table_says_when_it_is_full_and_goes_on_after_a_close() {
    if !in_subprocess("closing::the_handle_table_says_when_it_is_full_and_goes_on_after_a_close") {
        return;
    }
    let mut handles = Vec::new();
    let error = loop {
        match handles::load(load_tiny()) {
            Ok(handle) => handles.push(handle),
            Err(error) => break error,
        }
    };
    assert_eq!(error.status(), Status::ResourceExhausted);
    assert_eq!(handles.len(), 65_534);
    handles::close(handles[100], Duration::from_secs(60)).unwrap();
    let again = handles::load(load_tiny()).unwrap();
    assert_eq!(again & 0xffff, handles[100] & 0xffff);
    assert_ne!(again, handles[100]);
    assert_eq!(handles::state(handles[100]).unwrap(), State::Closed);
}

#[test]
#[cfg(target_os = "linux")]
fn a_forked_child_is_told_so_and_can_load_anew() {
    if !in_subprocess("closing::a_forked_child_is_told_so_and_can_load_anew") {
        return;
    }
    let path = crate::common::library();
    let plugin = Load::path(&path)
        .log(Level::Info, Box::new(|_: &Record<'_>| {}))
        .open()
        .unwrap();
    let echo = plugin.method("echo", Encoding::Raw).unwrap();
    echo.call(b"x").unwrap();
    // Others are busy in all of our locks while the process forks.
    thread::scope(|scope| {
        let (stop, stopped) = mpsc::channel::<()>();
        let busy = scope.spawn({
            let path = &path;
            move || {
                while stopped.try_recv() == Err(mpsc::TryRecvError::Empty) {
                    let other = Load::path(path)
                        .log(Level::Info, Box::new(|_: &Record<'_>| {}))
                        .open()
                        .unwrap();
                    other.call("echo", "1").unwrap();
                    assert!(!rustbridge_core::inspect().is_empty());
                }
            }
        });
        for _ in 0..20 {
            // SAFETY: the child only does what this test is about, and leaves by `_exit`.
            let child = unsafe { libc::fork() };
            if child == 0 {
                let check = || {
                    let error = echo.call(b"x").unwrap_err();
                    assert_eq!(error.status(), Status::FailedPrecondition);
                    assert_eq!(error.type_name(), "rustbridge.Forked");
                    assert_eq!(plugin.state(), State::Forked);
                    for result in [
                        handles::close(plugin.handle(), Duration::from_secs(1)),
                        plugin.set_log_level(Level::Trace),
                        plugin.set_log_sink(None, Duration::from_secs(1)),
                    ] {
                        assert_eq!(result.unwrap_err().status(), Status::FailedPrecondition);
                    }
                    let another = Load::path(&path)
                        .log(Level::Info, Box::new(|_: &Record<'_>| {}))
                        .open()
                        .unwrap();
                    assert_eq!(&*another.call("echo", "1").unwrap(), b"1");
                    another.flush_logs(Duration::from_secs(10)).unwrap();
                    another.close(Duration::from_secs(10)).unwrap();
                };
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
                // SAFETY: ends the child at once.
                unsafe { libc::_exit(i32::from(result.is_err())) };
            }
            let mut status = 0;
            // SAFETY: `status` is writable.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            assert_eq!(status, 0, "the child's checks");
        }
        drop(stop);
        busy.join().unwrap();
    });
    // The parent hasn't noticed anything.
    assert_eq!(&*echo.call(b"x").unwrap(), b"x");
    assert_eq!(plugin.state(), State::Active);
}

/// A plugin whose `create` forks, as one may do that starts a helper process.
#[cfg(target_os = "linux")]
mod forking {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicI32, Ordering};

    use rustbridge_abi::{Host, PluginTable, Response};

    use crate::common::tiny;

    pub static CHILD: AtomicI32 = AtomicI32::new(-1);

    unsafe extern "C" fn create(
        _context: *mut c_void,
        host: *const Host,
        config: *const u8,
        config_len: usize,
        instance: *mut *mut c_void,
        error: *mut Response,
    ) -> i32 {
        // SAFETY: the child goes on as the test says, and leaves by `_exit`.
        CHILD.store(unsafe { libc::fork() }, Ordering::Relaxed);
        // SAFETY: passed on as it came.
        unsafe {
            let tiny = &*tiny::entry_point(rustbridge_abi::ABI_VERSION);
            tiny.create.unwrap()(tiny.context, host, config, config_len, instance, error)
        }
    }

    pub unsafe extern "C" fn entry_point(version: u32) -> *const PluginTable {
        // SAFETY: the tiny plugin's table is valid for good.
        let table = unsafe { *tiny::entry_point(version) };
        Box::leak(Box::new(PluginTable {
            create: Some(create),
            ..table
        }))
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_instance_whose_create_forked_is_the_parents_alone() {
    if !in_subprocess("closing::an_instance_whose_create_forked_is_the_parents_alone") {
        return;
    }
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let loaded = unsafe { Load::linked(forking::entry_point, "forking") }.open();
    let child = forking::CHILD.load(Ordering::Relaxed);
    if child == 0 {
        let told = loaded.is_err_and(|error| error.type_name() == "rustbridge.Forked");
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(!told)) };
    }
    let mut status = 0;
    // SAFETY: `status` is writable.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child is told");
    assert_eq!(&*loaded.unwrap().call("echo", "1").unwrap(), b"1");
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_that_a_sink_has_forked_ends_when_the_sink_returns() {
    use std::time::Instant;

    if !in_subprocess("closing::a_child_that_a_sink_has_forked_ends_when_the_sink_returns") {
        return;
    }
    let (send, received) = mpsc::channel();
    let sink = move |record: &Record<'_>| {
        let message = record.message().to_owned();
        // SAFETY: the child does nothing but to go back to where it was called.
        let child = unsafe { libc::fork() };
        if child != 0 {
            send.send((message, child)).unwrap();
        }
    };
    let plugin = load_tiny().log(Level::Info, Box::new(sink)).open().unwrap();
    plugin
        .method("log", Encoding::Raw)
        .unwrap()
        .call(b"3 x")
        .unwrap();
    plugin.close(Duration::from_secs(60)).unwrap();
    for (_, child) in received {
        let limit = Instant::now() + Duration::from_secs(60);
        let mut status = 0;
        // SAFETY: the status is writable.
        while unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == 0 {
            if Instant::now() > limit {
                // SAFETY: a child of ours.
                unsafe { libc::kill(child, libc::SIGKILL) };
                panic!("the child hasn't ended");
            }
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(status, 0);
    }
}
