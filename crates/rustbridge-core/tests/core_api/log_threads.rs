//! The few threads that deliver the records of all instances, and what is bounded where a sink doesn't return.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustbridge_core::{Encoding, Level, LogSink, Plugin, Record, Status, handles};

use crate::common::{in_subprocess, load_tiny, log, log_figure};

const LONG: Duration = Duration::from_secs(60);

/// A sink that sends on what it gets once it's let go, and the messages.
struct Held {
    let_go: Sender<()>,
    reached: Receiver<()>,
    messages: Receiver<String>,
}

fn held() -> (Box<dyn LogSink>, Held) {
    let (let_go, hold) = mpsc::channel::<()>();
    let (reaches, reached) = mpsc::channel();
    let (send, messages) = mpsc::channel();
    let sink = Box::new(move |record: &Record<'_>| {
        let _ = reaches.send(());
        let _ = hold.recv();
        let _ = send.send(record.message().to_owned());
    });
    (
        sink,
        Held {
            let_go,
            reached,
            messages,
        },
    )
}

#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_instances_that_log_share_a_few_threads() {
    if !in_subprocess("log_threads::ten_thousand_instances_that_log_share_a_few_threads") {
        return;
    }
    let records = Arc::new(AtomicUsize::new(0));
    let mut most = 0;
    let plugins: Vec<Plugin> = (0..10_000)
        .map(|number| {
            if number % 500 == 0 {
                most = most.max(threads());
            }
            let records = Arc::clone(&records);
            let sink = move |_: &Record<'_>| {
                records.fetch_add(1, Ordering::Relaxed);
            };
            load_tiny().log(Level::Info, Box::new(sink)).open().unwrap()
        })
        .collect();
    for plugin in &plugins {
        log(plugin, "1 x");
    }
    most = most.max(threads());
    for plugin in &plugins {
        plugin.flush_logs(LONG).unwrap();
    }
    assert_eq!(records.load(Ordering::Relaxed), 20_000);
    assert!(most.max(threads()) < 10, "{most} threads");
    drop(plugins);
    assert_eq!(records.load(Ordering::Relaxed), 30_000);
}

#[test]
fn who_logs_now_and_then_meets_the_same_thread() {
    if !in_subprocess("log_threads::who_logs_now_and_then_meets_the_same_thread") {
        return;
    }
    let (send, received) = mpsc::channel();
    let sink = move |_: &Record<'_>| send.send(thread::current().id()).unwrap();
    let plugin = load_tiny().log(Level::Info, Box::new(sink)).open().unwrap();
    let first = received.recv_timeout(LONG).unwrap();
    for _ in 0..1000 {
        log(&plugin, "1 x");
        plugin.flush_logs(LONG).unwrap();
        assert_eq!(received.try_recv(), Ok(first));
    }
}

#[test]
fn sinks_that_hang_delay_no_other_instance() {
    let (stuck, holds): (Vec<Plugin>, Vec<Held>) = (0..20)
        .map(|_| {
            let (sink, held) = held();
            let plugin = load_tiny().log(Level::Info, sink).open().unwrap();
            (plugin, held)
        })
        .unzip();
    for held in &holds {
        held.reached.recv_timeout(LONG).unwrap();
    }
    let (send, received) = mpsc::channel();
    let sink = move |record: &Record<'_>| send.send(record.message().to_owned()).unwrap();
    let other = load_tiny().log(Level::Info, Box::new(sink)).open().unwrap();
    for number in 0..1000 {
        log(&other, &format!("1 {number}"));
    }
    other.close(LONG).unwrap();
    let all: Vec<String> = received.iter().collect();
    assert_eq!(all.len(), 1002);
    for (number, message) in all[1..1001].iter().enumerate() {
        assert_eq!(*message, number.to_string());
    }
    for held in holds {
        drop(held.let_go);
    }
    for plugin in stuck {
        plugin.close(LONG).unwrap();
    }
}

#[test]
fn a_record_at_a_time_reaches_a_sink_whatever_thread_it_is_on() {
    let plugins: Vec<Plugin> = (0..20)
        .map(|_| {
            let (inside, next) = (AtomicBool::new(false), AtomicUsize::new(0));
            let sink = move |record: &Record<'_>| {
                assert!(!inside.swap(true, Ordering::SeqCst));
                if let Ok(number) = record.message().parse::<usize>() {
                    assert_eq!(next.fetch_add(1, Ordering::SeqCst), number);
                    if number.is_multiple_of(50) {
                        thread::sleep(Duration::from_millis(25));
                    }
                }
                inside.store(false, Ordering::SeqCst);
            };
            load_tiny().log(Level::Info, Box::new(sink)).open().unwrap()
        })
        .collect();
    for number in 0..200 {
        for plugin in &plugins {
            log(plugin, &format!("1 {number}"));
        }
    }
    for plugin in &plugins {
        plugin.flush_logs(LONG).unwrap();
        assert_eq!(log_figure(plugin, "sink_panics"), 0);
        assert_eq!(log_figure(plugin, "delivered"), 201);
    }
}

#[test]
fn sinks_that_replace_each_others_sink_do_not_wait_for_each_other() {
    if !in_subprocess("log_threads::sinks_that_replace_each_others_sink_do_not_wait_for_each_other")
    {
        return;
    }
    struct Drops(Arc<AtomicUsize>);
    impl Drop for Drops {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let both_inside = Arc::new(std::sync::Barrier::new(2));
    let handles = Arc::new(Mutex::new(Vec::new()));
    let load = |other: usize| {
        let (both_inside, handles) = (Arc::clone(&both_inside), Arc::clone(&handles));
        let dropped = Drops(Arc::clone(&drops));
        load_tiny()
            .log(
                Level::Info,
                Box::new(move |record: &Record<'_>| {
                    let _ = &dropped;
                    if record.message() == "created" {
                        return;
                    }
                    both_inside.wait();
                    let other = handles.lock().unwrap()[other];
                    handles::set_log_sink(other, None, Duration::MAX).unwrap();
                }),
            )
            .open()
            .unwrap()
    };
    let plugins = [load(1), load(0)];
    handles
        .lock()
        .unwrap()
        .extend(plugins.iter().map(Plugin::handle));
    for plugin in &plugins {
        log(plugin, "1 replace");
    }
    // Both before one is closed, which the other's sink would be told.
    for plugin in &plugins {
        plugin.flush_logs(LONG).unwrap();
    }
    for plugin in plugins {
        plugin.close(LONG).unwrap();
    }
    assert_eq!(drops.load(Ordering::SeqCst), 2);
}

#[test]
fn replacing_a_sink_that_does_not_return_takes_no_longer_than_it_may() {
    if !in_subprocess(
        "log_threads::replacing_a_sink_that_does_not_return_takes_no_longer_than_it_may",
    ) {
        return;
    }
    let (sink, old) = held();
    let plugin = load_tiny().log(Level::Info, sink).open().unwrap();
    old.reached.recv_timeout(LONG).unwrap();
    log(&plugin, "1 waits");
    let (send, new) = mpsc::channel();
    let sink = move |record: &Record<'_>| send.send(record.message().to_owned()).unwrap();
    let error = plugin
        .set_log_sink(Some(Box::new(sink)), Duration::from_millis(10))
        .unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
    assert_eq!(error.type_name(), "rustbridge.SinkBusy");
    log(&plugin, "1 after");
    assert_eq!(new.try_recv(), Err(mpsc::TryRecvError::Empty));
    drop(old.let_go);
    // All that the old one gets is what it was in, and then it's dropped.
    assert_eq!(old.messages.iter().collect::<Vec<_>>(), ["created"]);
    plugin.flush_logs(LONG).unwrap();
    assert_eq!(new.try_iter().collect::<Vec<_>>(), ["waits", "after"]);
    plugin.close(LONG).unwrap();
}

#[test]
fn removing_a_sink_that_never_returns_and_closing_come_to_an_end() {
    if !in_subprocess("log_threads::removing_a_sink_that_never_returns_and_closing_come_to_an_end")
    {
        return;
    }
    let (sink, held) = held();
    let plugin = load_tiny().log(Level::Info, sink).open().unwrap();
    held.reached.recv_timeout(LONG).unwrap();
    log(&plugin, "100 x");
    let short = Duration::from_millis(10);
    for _ in 0..2 {
        let error = plugin.set_log_sink(None, short).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.SinkBusy");
    }
    assert_eq!(log_figure(&plugin, "waiting"), 0);
    let handle = plugin.handle();
    let error = plugin.close(short).unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.SinkBusy");
    drop(held.let_go);
    handles::close(handle, LONG).unwrap();
    assert_eq!(held.messages.iter().collect::<Vec<_>>(), ["created"]);
}

#[test]
#[cfg(target_os = "linux")]
fn what_waits_for_a_sink_is_bounded_by_bytes_as_well() {
    if !in_subprocess("log_threads::what_waits_for_a_sink_is_bounded_by_bytes_as_well") {
        return;
    }
    let (sink, held) = held();
    let plugin = load_tiny().log(Level::Info, sink).open().unwrap();
    held.reached.recv_timeout(LONG).unwrap();
    log(&plugin, &format!("1500 {}", "x".repeat(1_000_000)));
    let waiting = log_figure(&plugin, "waiting");
    assert_eq!(waiting, 16);
    assert_eq!(log_figure(&plugin, "dropped"), 1500 - waiting);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes < 100_000, "{peak}");

    drop(held.let_go);
    plugin.flush_logs(LONG).unwrap();
    plugin.close(LONG).unwrap();
    let all: Vec<String> = held.messages.iter().collect();
    assert_eq!(all.len() as u64, 1 + waiting + 1 + 1);
    assert_eq!(all[1 + waiting as usize], "1484 records dropped");
}

#[test]
fn a_record_that_is_too_large_to_wait_is_dropped_and_told() {
    let (send, received) = mpsc::channel();
    let sink = move |record: &Record<'_>| send.send(record.message().len()).unwrap();
    let plugin = load_tiny().log(Level::Info, Box::new(sink)).open().unwrap();
    log(&plugin, &format!("1 {}", "x".repeat(15 << 20)));
    log(&plugin, &format!("1 {}", "x".repeat(17 << 20)));
    plugin.close(LONG).unwrap();
    assert_eq!(
        received.iter().collect::<Vec<_>>(),
        [
            "created".len(),
            15 << 20,
            "1 records dropped".len(),
            "destroyed".len()
        ]
    );
}

/// While it lives no thread can be made: there's no room for a stack.
#[cfg(target_os = "linux")]
struct NoThreads(libc::rlimit);

#[cfg(target_os = "linux")]
impl NoThreads {
    fn begin() -> NoThreads {
        let pages: u64 = std::fs::read_to_string("/proc/self/statm")
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let mut before = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the limits are readable and writable, and raised again.
        unsafe {
            assert_eq!(libc::getrlimit(libc::RLIMIT_AS, &mut before), 0);
            let limit = libc::rlimit {
                rlim_cur: pages * libc::sysconf(libc::_SC_PAGESIZE) as u64 + (1 << 20),
                ..before
            };
            assert_eq!(libc::setrlimit(libc::RLIMIT_AS, &limit), 0);
        }
        assert!(thread::Builder::new().spawn(|| ()).is_err());
        NoThreads(before)
    }
}

#[cfg(target_os = "linux")]
impl Drop for NoThreads {
    fn drop(&mut self) {
        // SAFETY: the limits are readable.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &self.0) };
    }
}

#[test]
#[cfg(target_os = "linux")]
fn records_outlast_a_lack_of_threads() {
    if !in_subprocess("log_threads::records_outlast_a_lack_of_threads") {
        return;
    }
    let load = || {
        let (send, received) = mpsc::channel();
        let sink = move |record: &Record<'_>| {
            let here = thread::current().id();
            send.send((record.message().to_owned(), here)).unwrap();
        };
        let plugin = load_tiny().log(Level::Info, Box::new(sink)).open().unwrap();
        (plugin, received)
    };
    let here = thread::current().id();
    let none = NoThreads::begin();
    let (flushed, from_flushed) = load();
    let (closed, from_closed) = load();
    let (waiting, from_waiting) = load();
    for plugin in [&flushed, &closed, &waiting] {
        assert_eq!(log_figure(plugin, "waiting"), 1);
        assert_eq!(log_figure(plugin, "dropped"), 0);
    }
    // Who waits for records delivers them.
    flushed.flush_logs(LONG).unwrap();
    assert_eq!(from_flushed.try_recv(), Ok(("created".to_owned(), here)));
    closed.close(LONG).unwrap();
    let messages: Vec<_> = from_closed.iter().collect();
    assert_eq!(
        messages,
        ["created", "destroyed"].map(|message| (message.to_owned(), here))
    );
    drop(none);
    // The next record finds a thread for all.
    log(&flushed, "1 x");
    for (received, message) in [(&from_flushed, "x"), (&from_waiting, "created")] {
        let (received, thread) = received.recv_timeout(LONG).unwrap();
        assert_eq!(received, message);
        assert_ne!(thread, here);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_panic_in_a_call_waits_for_no_sink() {
    if !in_subprocess("log_threads::a_panic_in_a_call_waits_for_no_sink") {
        return;
    }
    /// How often the calling thread has gone to sleep.
    fn slept() -> i64 {
        // SAFETY: all zeroes is one, and it's filled in.
        unsafe {
            let mut usage = std::mem::zeroed::<libc::rusage>();
            assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, &mut usage), 0);
            usage.ru_nvcsw
        }
    }
    let (sink, held) = held();
    let plugin = load_tiny().log(Level::Info, sink).open().unwrap();
    held.reached.recv_timeout(LONG).unwrap();
    let panic = plugin.method("panic", Encoding::Raw).unwrap();
    let before = slept();
    for _ in 0..100 {
        panic.call(b"").unwrap_err();
    }
    let times = slept() - before;
    assert!(
        times < 50,
        "a call that panics has waited {times} times in 100"
    );
    drop(held.let_go);
    plugin.close(LONG).unwrap();
    let panics = held.messages.iter().filter(|message| message == "boom");
    assert_eq!(panics.count(), 100);
}
