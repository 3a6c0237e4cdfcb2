//! Log records from a plugin that keeps to no rule but valid memory: any size, level and kind, bytes that are no text.
//!
//! The first bytes of the input are the record's numbers and where to cut; the rest is cut into the six texts.
#![no_main]

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use rustbridge_abi::{CallContext, Host, LogRecord, PluginTable, Response, StatusCode, Text};
use rustbridge_core::{Level, Load, LogSink, Plugin, Record};

/// Bytes of the input that are numbers: 24 of the record, 8 that are unused, 6 lengths.
const NUMBERS: usize = 38;
const DESCRIPTION: &[u8] = br#"{"abi":"1.0","name":"chatty","version":"0.1.0","methods":[]}"#;

/// What the core gave to the one instance there is.
static HOST: AtomicPtr<Host> = AtomicPtr::new(std::ptr::null_mut());

static TABLE: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

unsafe extern "C" fn entry_point(_host_abi_version: u32) -> *const PluginTable {
    &TABLE
}

unsafe extern "C" fn keep(_response: *mut Response) {}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: the host's response is live. The bytes are static, so that there is nothing to release.
    unsafe {
        (*response).data = DESCRIPTION.as_ptr().cast_mut();
        (*response).len = DESCRIPTION.len();
        (*response).release = Some(keep);
    }
    0
}

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    _config: *const u8,
    _config_len: usize,
    _instance: *mut *mut c_void,
    _error: *mut Response,
) -> StatusCode {
    HOST.store(host.cast_mut(), Ordering::Relaxed);
    0
}

unsafe extern "C" fn call(
    _instance: *mut c_void,
    _entry: u32,
    _header: *const CallContext,
    _request: *const u8,
    _request_len: usize,
    _response: *mut Response,
) -> StatusCode {
    0
}

unsafe extern "C" fn destroy(_instance: *mut c_void, _error: *mut Response) -> StatusCode {
    0
}

unsafe extern "C" fn extension(_context: *mut c_void, _name: *const c_char) -> *const c_void {
    std::ptr::null()
}

/// Reads all there is to read of each record, on the log's thread.
struct Reader;

impl LogSink for Reader {
    fn log(&mut self, record: &Record<'_>) {
        assert_ne!(record.level(), Level::Off, "a record has a level");
        for text in [
            record.target(),
            record.message(),
            record.fields(),
            record.spans(),
            record.file(),
            record.thread(),
        ] {
            assert!(
                std::str::from_utf8(text.as_bytes()).is_ok(),
                "a sink gets UTF-8"
            );
        }
        std::hint::black_box((record.time(), record.duration(), record.line()));
    }
}

fn plugin() -> &'static Plugin {
    // One instance for the whole search, so that records and not loads are what is tried.
    static PLUGIN: OnceLock<Plugin> = OnceLock::new();
    PLUGIN.get_or_init(|| {
        // SAFETY: a plugin of ours, whose entry point follows the ABI.
        unsafe { Load::linked(entry_point, "chatty") }
            .log(Level::Trace, Box::new(Reader))
            .open()
            .expect("it keeps to the ABI")
    })
}

fn word(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u32::from(*byte))
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let plugin = plugin();
    let Some((numbers, mut rest)) = input.split_at_checked(NUMBERS) else {
        return;
    };
    let long = |at: usize| {
        u64::from(word(&numbers[at..at + 4])) | u64::from(word(&numbers[at + 4..at + 8])) << 32
    };
    let mut cuts = numbers[32..38].iter();
    let mut text = || {
        let cut = usize::from(*cuts.next().expect("six texts")).min(rest.len());
        let (text, after) = rest.split_at(cut);
        rest = after;
        Text {
            data: text.as_ptr().cast(),
            len: text.len(),
        }
    };
    let record = LogRecord {
        // A short table comes up often enough when the upper bytes are left out.
        size: word(&numbers[..2]),
        level: word(&numbers[2..3]) % 8,
        kind: word(&numbers[3..4]) % 4,
        line: word(&numbers[4..8]),
        time_unix_ns: long(8),
        duration_ns: long(16),
        target: text(),
        message: text(),
        fields: text(),
        spans: text(),
        file: text(),
        thread: text(),
        ..LogRecord::EMPTY
    };
    // SAFETY: the host's table is valid while the instance lives, which is for good.
    let host = unsafe { &*HOST.load(Ordering::Relaxed) };
    let log = host.log.expect("the host offers a log");
    // SAFETY: a context of this host, and a record whose texts are readable.
    unsafe { log(host.context, &record) };
    if plugin.flush_logs(Duration::from_secs(10)).is_err() {
        panic!("the record was not delivered within ten seconds");
    }
});
