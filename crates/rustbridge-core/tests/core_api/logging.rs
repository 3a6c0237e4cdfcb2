//! Log records on their way from a plugin to a host.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use rustbridge_core::{
    Encoding, Level, Load, LogSink, Plugin, Record, RecordKind, Status, handles,
};

use crate::common::{load_tiny, log, log_figure};

const LONG: Duration = Duration::from_secs(60);

/// A sink that sends the messages on.
fn sending() -> (Box<dyn LogSink>, Receiver<String>) {
    let (send, received) = mpsc::channel();
    (sink(send), received)
}

fn sink(send: Sender<String>) -> Box<dyn LogSink> {
    Box::new(move |record: &Record<'_>| {
        let _ = send.send(record.message().to_owned());
    })
}

fn level_changes(plugin: &Plugin) -> u64 {
    let changes = plugin.method("level_changes", Encoding::Raw).unwrap();
    u64::from_ne_bytes(changes.call(b"").unwrap()[..].try_into().unwrap())
}

#[test]
fn a_record_arrives_whole() {
    let (send, received) = mpsc::channel();
    let told = Arc::new(AtomicU64::new(0));
    let number = Arc::clone(&told);
    let plugin = load_tiny()
        .name("whole")
        .log(
            Level::Info,
            Box::new(move |record: &Record<'_>| {
                assert!(thread::current().name().unwrap().starts_with("rb-log-"));
                let raw = record.to_abi();
                assert_eq!(raw.level, record.level().code());
                // SAFETY: the record borrows from the one we're given.
                let (message, instance) =
                    unsafe { (raw.message.as_bytes(), raw.instance.as_bytes()) };
                assert_eq!(message, record.message().as_bytes());
                assert_eq!(instance, record.instance().as_bytes());
                assert_eq!(raw.instance_number, record.instance_number());
                number.store(raw.instance_number, Ordering::Relaxed);
                let _ = send.send((
                    record.level(),
                    record.kind(),
                    record.target().to_owned(),
                    record.message().to_owned(),
                    record.fields().to_owned(),
                    record.time().duration_since(UNIX_EPOCH).unwrap().as_secs(),
                    record.file().to_owned(),
                    record.instance().to_owned(),
                ));
            }),
        )
        .open()
        .unwrap();
    let (level, kind, target, message, fields, time, file, instance) =
        received.recv_timeout(LONG).unwrap();
    assert_eq!((level, kind), (Level::Info, RecordKind::Event));
    assert_eq!(
        (target.as_str(), message.as_str()),
        ("tiny::log", "created")
    );
    assert_eq!((fields.as_str(), time), (r#"{"answer":42}"#, 1_700_000_000));
    assert!(file.ends_with("mod.rs"));
    assert_eq!(instance, "whole");
    assert_eq!(told.load(Ordering::Relaxed), plugin.handle());
    drop(plugin);
}

#[test]
fn records_arrive_in_order_and_close_delivers_the_rest() {
    let (sink, received) = sending();
    let plugin = load_tiny().log(Level::Info, sink).open().unwrap();
    for number in 0..1000 {
        log(&plugin, &format!("1 {number}"));
    }
    plugin.close(LONG).unwrap();
    let all: Vec<String> = received.try_iter().collect();
    assert_eq!(all.len(), 1002);
    assert_eq!(
        (all[0].as_str(), all[1001].as_str()),
        ("created", "destroyed")
    );
    for (number, message) in all[1..1001].iter().enumerate() {
        assert_eq!(*message, number.to_string());
    }
}

#[test]
fn level_and_sink_can_be_changed_while_it_runs_and_belong_to_one_instance() {
    let (sink_a, received_a) = sending();
    let (sink_b, received_b) = sending();
    let a = load_tiny().log(Level::Warn, sink_a).open().unwrap();
    let b = load_tiny().log(Level::Info, sink_b).open().unwrap();
    log(&a, "1 unheard");
    assert_eq!(level_changes(&a), 0);
    a.set_log_level(Level::Info).unwrap();
    assert_eq!((level_changes(&a), level_changes(&b)), (1, 0));
    log(&a, "1 heard");
    a.flush_logs(LONG).unwrap();
    assert_eq!(received_a.try_iter().collect::<Vec<_>>(), ["heard"]);

    let (sink_c, received_c) = sending();
    a.set_log_sink(Some(sink_c), LONG).unwrap();
    // The old sink is dropped, so its channel is at an end.
    assert_eq!(received_a.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    log(&a, "1 other");
    a.flush_logs(LONG).unwrap();
    assert_eq!(received_c.try_iter().collect::<Vec<_>>(), ["other"]);

    // Without a sink the plugin needn't make records, and it's told so.
    a.set_log_sink(None, LONG).unwrap();
    assert_eq!(level_changes(&a), 2);
    log(&a, "1 nobody");
    a.flush_logs(LONG).unwrap();
    assert_eq!(log_figure(&a, "waiting"), 0);
    assert_eq!(received_c.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    b.flush_logs(LONG).unwrap();
    assert_eq!(received_b.try_iter().collect::<Vec<_>>(), ["created"]);
}

#[test]
fn a_slow_sink_blocks_no_call_and_what_is_dropped_is_counted_and_told() {
    let (let_go, hold) = mpsc::channel::<()>();
    let (reached, reaches) = mpsc::channel();
    let (send, received) = mpsc::channel();
    let plugin = load_tiny()
        .log_capacity(10)
        .log(
            Level::Info,
            Box::new(move |record: &Record<'_>| {
                let _ = reached.send(());
                let _ = hold.recv();
                let _ = send.send((record.level(), record.message().to_owned()));
            }),
        )
        .open()
        .unwrap();
    // `created` is with the sink, and ten fit into the queue behind it.
    reaches.recv_timeout(LONG).unwrap();
    log(&plugin, "100 x");
    let dropped = log_figure(&plugin, "dropped");
    assert_eq!(dropped, 90);
    assert_eq!(
        plugin
            .flush_logs(Duration::from_millis(10))
            .unwrap_err()
            .status(),
        Status::DeadlineExceeded
    );
    // Another instance isn't held up.
    let (other_sink, other_received) = sending();
    let other = load_tiny().log(Level::Info, other_sink).open().unwrap();
    other.flush_logs(LONG).unwrap();
    assert_eq!(other_received.try_iter().count(), 1);

    drop(let_go);
    plugin.flush_logs(LONG).unwrap();
    log(&plugin, "1 after");
    plugin.close(LONG).unwrap();
    let all: Vec<(Level, String)> = received.iter().collect();
    let report = all
        .iter()
        .position(|(level, message)| {
            *level == Level::Warn && *message == format!("{dropped} records dropped")
        })
        .unwrap();
    let after = all
        .iter()
        .position(|(_, message)| message == "after")
        .unwrap();
    assert!(report < after);
    assert_eq!(all.len() as u64, 1 + (100 - dropped) + 1 + 1 + 1);
}

#[test]
fn a_sink_that_panics_is_called_again() {
    let (send, received) = mpsc::channel();
    let plugin = load_tiny()
        .log(
            Level::Info,
            Box::new(move |record: &Record<'_>| {
                send.send(record.message().to_owned()).unwrap();
                if record.message() == "created" {
                    std::panic::resume_unwind(Box::new("the sink's"));
                }
            }),
        )
        .open()
        .unwrap();
    log(&plugin, "1 after");
    plugin.flush_logs(LONG).unwrap();
    assert_eq!(log_figure(&plugin, "sink_panics"), 1);
    assert_eq!(
        received.try_iter().collect::<Vec<_>>(),
        ["created", "after"]
    );
}

#[test]
fn a_panic_in_a_call_is_logged() {
    let (sink, received) = sending();
    let plugin = load_tiny().log(Level::Error, sink).open().unwrap();
    let panic = plugin.method("panic", Encoding::Raw).unwrap();
    panic.call(b"").unwrap_err();
    assert_eq!(received.recv_timeout(LONG).unwrap(), "boom");
}

#[test]
fn a_failed_create_has_delivered_its_records() {
    let (sink, received) = sending();
    load_tiny()
        .config("bad")
        .log(Level::Error, sink)
        .open()
        .unwrap_err();
    assert_eq!(received.iter().collect::<Vec<_>>(), ["bad config"]);
}

#[test]
fn a_sink_may_call_the_plugin_and_change_itself() {
    let (send, received) = mpsc::channel();
    let plugin = Arc::new(Mutex::new(None::<Arc<Plugin>>));
    let in_sink = Arc::clone(&plugin);
    let (wait_until_open, is_open) = mpsc::channel::<()>();
    let opened = load_tiny()
        .log(
            Level::Info,
            Box::new(move |record: &Record<'_>| {
                let _ = is_open.recv();
                let plugin = in_sink.lock().unwrap().clone().unwrap();
                send.send(record.message().to_owned()).unwrap();
                if record.message() == "created" {
                    log(&plugin, "1 from the sink");
                    assert!(
                        plugin
                            .flush_logs(LONG)
                            .unwrap_err()
                            .message()
                            .contains("wait for itself")
                    );
                } else {
                    plugin.set_log_level(Level::Warn).unwrap();
                    let send = send.clone();
                    plugin
                        .set_log_sink(
                            Some(Box::new(move |record: &Record<'_>| {
                                let _ = send.send(format!("new sink: {}", record.message()));
                            })),
                            LONG,
                        )
                        .unwrap();
                }
            }),
        )
        .open()
        .unwrap();
    let opened = Arc::new(opened);
    *plugin.lock().unwrap() = Some(Arc::clone(&opened));
    drop(wait_until_open);
    assert_eq!(received.recv_timeout(LONG).unwrap(), "created");
    assert_eq!(received.recv_timeout(LONG).unwrap(), "from the sink");
    opened.flush_logs(LONG).unwrap();
    log(&opened, "1 below the level");
    opened.set_log_level(Level::Info).unwrap();
    log(&opened, "1 heard");
    assert_eq!(received.recv_timeout(LONG).unwrap(), "new sink: heard");
    *plugin.lock().unwrap() = None;
}

#[test]
fn replacing_a_sink_that_is_busy_waits_until_it_is_dropped() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    for round in 0..200 {
        let counted = Counted(Arc::clone(&drops));
        let plugin = load_tiny()
            .log(
                Level::Info,
                Box::new(move |_: &Record<'_>| {
                    let _ = &counted;
                    thread::yield_now();
                }),
            )
            .open()
            .unwrap();
        log(&plugin, "20 x");
        plugin.set_log_sink(None, LONG).unwrap();
        assert_eq!(drops.load(Ordering::SeqCst), round + 1);
    }
}

#[test]
fn an_instance_that_logs_nothing_has_no_thread() {
    let (sink, _received) = sending();
    let plugin = load_tiny()
        .name("quiet")
        .log(Level::Warn, sink)
        .open()
        .unwrap();
    plugin.call("echo", "1").unwrap();
    #[cfg(target_os = "linux")]
    for task in std::fs::read_dir("/proc/self/task").unwrap().flatten() {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        assert_ne!(name.trim(), "rb-log-quiet");
    }
    assert_eq!(log_figure(&plugin, "delivered"), 0);
}

#[cfg(feature = "tracing")]
#[test]
fn the_tracing_sink_forwards_level_target_message_and_fields() {
    use std::fmt::Debug;

    use rustbridge_core::TracingSink;
    use tracing::field::{Field, Visit};
    use tracing_subscriber::Layer;
    use tracing_subscriber::layer::{Context, SubscriberExt};

    struct Collect(Mutex<Sender<Vec<String>>>);
    struct Fields(Vec<String>);
    impl Visit for Fields {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            self.0.push(format!("{field}={value:?}"));
        }
    }
    impl<S: tracing::Subscriber> Layer<S> for Collect {
        fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
            let metadata = event.metadata();
            let mut fields = Fields(vec![
                metadata.level().to_string(),
                metadata.target().to_owned(),
            ]);
            event.record(&mut fields);
            self.0.lock().unwrap().send(fields.0).unwrap();
        }
    }

    let (send, received) = mpsc::channel();
    let subscriber = tracing_subscriber::registry().with(Collect(Mutex::new(send)));
    let dispatch = tracing::Dispatch::new(subscriber);
    let plugin = load_tiny()
        .name("traced")
        .log(Level::Info, Box::new(TracingSink::with_dispatch(dispatch)))
        .open()
        .unwrap();
    let event = received.recv_timeout(LONG).unwrap();
    for expected in [
        "INFO",
        "rustbridge::plugin",
        "message=created",
        "instance=\"traced\"",
        "plugin.target=\"tiny::log\"",
        "plugin.fields=\"{\\\"answer\\\":42}\"",
    ] {
        assert!(
            event.iter().any(|field| field == expected),
            "{expected}: {event:?}"
        );
    }
    drop(plugin);
}

#[test]
fn an_instance_whose_name_no_thread_can_have_logs_all_the_same() {
    let (sink, received) = sending();
    let plugin = load_tiny()
        .name("nul\0inside")
        .log(Level::Info, sink)
        .open()
        .unwrap();
    assert_eq!(received.recv_timeout(LONG).unwrap(), "created");
    plugin.close(LONG).unwrap();
}

#[test]
fn a_panic_whose_payload_panics_when_it_is_dropped_ends_no_log_thread() {
    struct Vicious;
    impl Drop for Vicious {
        fn drop(&mut self) {
            panic!("and once more");
        }
    }
    let (send, received) = mpsc::channel();
    let plugin = load_tiny()
        .log(
            Level::Info,
            Box::new(move |record: &Record<'_>| {
                let _ = send.send(record.message().to_owned());
                std::panic::panic_any(Vicious);
            }),
        )
        .open()
        .unwrap();
    log(&plugin, "second");
    plugin.flush_logs(LONG).unwrap();
    assert_eq!(log_figure(&plugin, "sink_panics"), 2);
    plugin.close(LONG).unwrap();
    assert_eq!(
        received.iter().collect::<Vec<_>>(),
        ["created", "second", "destroyed"]
    );
}

/// A plugin that does what a test says while it's created and destroyed, when nobody can call it.
mod interrupted {
    use std::ffi::c_void;
    use std::sync::Mutex;

    use rustbridge_abi::{ABI_VERSION, Host, PluginTable, Response};

    use crate::common::tiny;

    type Interruption = Mutex<Option<Box<dyn FnOnce(u64) + Send>>>;

    /// One test has both.
    pub static IN_CREATE: Interruption = Mutex::new(None);
    pub static IN_DESTROY: Interruption = Mutex::new(None);

    fn interrupt(by: &Interruption, handle: u64) {
        if let Some(run) = by.lock().unwrap().take() {
            run(handle);
        }
    }

    unsafe extern "C" fn create(
        _context: *mut c_void,
        host: *const Host,
        config: *const u8,
        config_len: usize,
        instance: *mut *mut c_void,
        error: *mut Response,
    ) -> i32 {
        // SAFETY: passed on as it came.
        unsafe {
            interrupt(&IN_CREATE, (*host).context as u64);
            let tiny = *tiny::entry_point(ABI_VERSION);
            tiny.create.unwrap()(tiny.context, host, config, config_len, instance, error)
        }
    }

    unsafe extern "C" fn destroy(instance: *mut c_void, error: *mut Response) -> i32 {
        interrupt(&IN_DESTROY, 0);
        // SAFETY: passed on as it came.
        unsafe { (*tiny::entry_point(ABI_VERSION)).destroy.unwrap()(instance, error) }
    }

    pub unsafe extern "C" fn entry_point(version: u32) -> *const PluginTable {
        // SAFETY: the tiny plugin's table is valid for good.
        let table = unsafe { *tiny::entry_point(version) };
        Box::leak(Box::new(PluginTable {
            create: Some(create),
            destroy: Some(destroy),
            ..table
        }))
    }
}

#[test]
fn a_sink_that_comes_before_its_instance_is_refused_and_one_at_its_end_is_taken() {
    let early = Arc::new(Mutex::new(None));
    *interrupted::IN_CREATE.lock().unwrap() = Some(Box::new({
        let early = Arc::clone(&early);
        move |handle| {
            let (sink, received) = sending();
            let refused = handles::set_log_sink(handle, Some(sink), LONG).unwrap_err();
            let level = handles::set_log_level(handle, Level::Trace).unwrap_err();
            *early.lock().unwrap() = Some((refused, level, received.try_recv()));
        }
    }));
    let (first, received) = sending();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(interrupted::entry_point, "interrupted") }
        .log(Level::Info, first)
        .open()
        .unwrap();
    let (refused, level, dropped) = early.lock().unwrap().take().unwrap();
    for error in [refused, level] {
        assert_eq!(error.type_name(), "rustbridge.Starting");
    }
    assert_eq!(dropped, Err(mpsc::TryRecvError::Disconnected));
    log(&plugin, "1 heard");
    plugin.flush_logs(LONG).unwrap();
    assert_eq!(
        received.try_iter().collect::<Vec<_>>(),
        ["created", "heard"]
    );

    let handle = plugin.handle();
    let late = Arc::new(Mutex::new(None));
    *interrupted::IN_DESTROY.lock().unwrap() = Some(Box::new({
        let late = Arc::clone(&late);
        move |_| {
            let (sink, received) = sending();
            let answer = handles::set_log_sink(handle, Some(sink), LONG);
            *late.lock().unwrap() = Some((answer, received.try_recv(), received));
        }
    }));
    plugin.close(LONG).unwrap();
    let (answer, then, received) = late.lock().unwrap().take().unwrap();
    // Taken, so it hears what is left to be heard and is dropped with the others.
    assert_eq!(answer.map_err(|error| error.to_string()), Ok(()));
    assert_eq!(then, Err(mpsc::TryRecvError::Empty));
    assert_eq!(received.try_recv(), Ok("destroyed".to_owned()));
    assert_eq!(received.try_recv(), Err(mpsc::TryRecvError::Disconnected));
}
