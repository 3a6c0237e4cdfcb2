//! Records that a plugin hands over wrongly: what can't be read is counted and told of.

use std::ffi::c_void;
use std::sync::mpsc;
use std::time::Duration;

use rustbridge_abi::{
    ABI_VERSION, Growing, Host, LogRecord, PluginTable, RB_LOG_INFO, RB_LOG_OFF, Response,
    StatusCode, Text,
};
use rustbridge_core::{Level, Load, Record};

use crate::common::{in_subprocess, log, log_figure, tiny};

const LONG: Duration = Duration::from_secs(60);

/// The tiny plugin, which keeps what the last `create` on this thread was given.
mod kept {
    use super::*;

    thread_local! {
        pub static HOST: std::cell::Cell<Option<Host>> = const { std::cell::Cell::new(None) };
    }

    unsafe extern "C" fn create(
        _context: *mut c_void,
        host: *const Host,
        config: *const u8,
        config_len: usize,
        instance: *mut *mut c_void,
        error: *mut Response,
    ) -> StatusCode {
        // SAFETY: passed on as it came.
        unsafe {
            HOST.set(Some(*host));
            let tiny = *tiny::entry_point(ABI_VERSION);
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
fn an_absurd_length_in_a_record_costs_that_record() {
    if !in_subprocess("log_records::an_absurd_length_in_a_record_costs_that_record") {
        return;
    }
    let (send, received) = mpsc::channel();
    let sink = move |record: &Record<'_>| send.send(record.message().to_owned()).unwrap();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(kept::entry_point, "kept") }
        .log(Level::Info, Box::new(sink))
        .open()
        .unwrap();
    let host = kept::HOST.take().unwrap();
    let lengths = [
        usize::MAX,
        usize::MAX / 2 + 1,
        isize::MAX as usize,
        1 << 40,
        (16 << 20) + 1,
    ];
    let text = |len| Text {
        data: c"text".as_ptr(),
        len,
    };
    for len in lengths {
        let record = LogRecord {
            level: RB_LOG_INFO,
            message: text(len),
            ..LogRecord::EMPTY
        };
        let fields = LogRecord {
            fields: text(len),
            thread: text(len),
            message: Text::new("short"),
            ..record
        };
        for record in [record, fields] {
            // SAFETY: what the core was given; it believes no length beyond its bound.
            unsafe { host.log.unwrap()(host.context, &record) };
        }
    }
    assert_eq!(log_figure(&plugin, "dropped"), 2 * lengths.len() as u64);
    log(&plugin, "1 whole");
    plugin.close(LONG).unwrap();
    let all: Vec<String> = received.iter().collect();
    assert_eq!(
        (&*all[0], &*all[all.len() - 2], &*all[all.len() - 1]),
        ("created", "whole", "destroyed")
    );
    let told: usize = all[1..all.len() - 2]
        .iter()
        .map(|report| report.split(' ').next().unwrap().parse::<usize>().unwrap())
        .sum();
    assert_eq!(told, 2 * lengths.len());
}

#[test]
fn a_record_that_is_too_short_or_has_no_level_is_counted_and_one_of_a_later_kind_is_skipped() {
    if !in_subprocess(
        "log_records::a_record_that_is_too_short_or_has_no_level_is_counted_and_one_of_a_later_kind_is_skipped",
    ) {
        return;
    }
    let (send, received) = mpsc::channel();
    let sink = move |record: &Record<'_>| send.send(record.message().to_owned()).unwrap();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(kept::entry_point, "kept") }
        .log(Level::Info, Box::new(sink))
        .open()
        .unwrap();
    let host = kept::HOST.take().unwrap();
    let whole = LogRecord {
        level: RB_LOG_INFO,
        message: Text::new("whole"),
        ..LogRecord::EMPTY
    };
    let take = |record: LogRecord| {
        // SAFETY: what the core was given, and a record whose texts are readable.
        unsafe { host.log.unwrap()(host.context, &record) };
        plugin.flush_logs(LONG).unwrap();
    };
    take(LogRecord { kind: 77, ..whole });
    assert_eq!(log_figure(&plugin, "dropped"), 0);
    take(LogRecord {
        size: LogRecord::SIZE_1_0 as u32 - 16,
        ..whole
    });
    assert_eq!(log_figure(&plugin, "dropped"), 1);
    take(LogRecord {
        level: RB_LOG_OFF,
        ..whole
    });
    assert_eq!(log_figure(&plugin, "dropped"), 2);
    take(whole);
    plugin.close(LONG).unwrap();
    let all: Vec<String> = received.iter().collect();
    assert_eq!(
        all.iter().filter(|message| **message == "whole").count(),
        1,
        "{all:?}"
    );
    let told: usize = all
        .iter()
        .filter_map(|message| message.strip_suffix(" records dropped"))
        .map(|count| count.parse::<usize>().unwrap())
        .sum();
    assert_eq!(told, 2, "{all:?}");
}

/// A plugin whose queue of one is full and has dropped `9`, whose sink is let go by a sender's end and takes its time
/// to tell what is missing.
fn flooded() -> (
    rustbridge_core::Plugin,
    mpsc::Sender<()>,
    mpsc::Receiver<String>,
) {
    let (let_go, hold) = mpsc::channel::<()>();
    let (reached, reaches) = mpsc::channel();
    let (send, received) = mpsc::channel();
    let sink = move |record: &Record<'_>| {
        let _ = reached.send(());
        let _ = hold.recv();
        if record.level() == Level::Warn {
            std::thread::sleep(Duration::from_millis(200));
        }
        let _ = send.send(record.message().to_owned());
    };
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(tiny::entry_point, "tiny") }
        .log_capacity(1)
        .log(Level::Info, Box::new(sink))
        .open()
        .unwrap();
    reaches.recv_timeout(LONG).unwrap();
    log(&plugin, "10 x");
    (plugin, let_go, received)
}

#[test]
fn a_flush_waits_for_the_report_of_what_is_missing() {
    let (plugin, let_go, received) = flooded();
    drop(let_go);
    plugin.flush_logs(LONG).unwrap();
    let all: Vec<String> = received.try_iter().collect();
    assert_eq!(all, ["created", "x", "9 records dropped"]);
}

#[test]
fn a_flush_doesnt_wait_for_a_report_that_nobody_wants_any_more() {
    let (plugin, let_go, _received) = flooded();
    std::thread::scope(|scope| {
        let flush = scope.spawn(|| plugin.flush_logs(LONG));
        // Whether the flush began before or after, it must end.
        std::thread::sleep(Duration::from_millis(50));
        let replaced = scope.spawn(|| plugin.set_log_sink(None, LONG));
        std::thread::sleep(Duration::from_millis(50));
        drop(let_go);
        flush.join().unwrap().unwrap();
        replaced.join().unwrap().unwrap();
    });
}
