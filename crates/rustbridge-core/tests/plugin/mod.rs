// A plugin written against the plugin ABI alone, for this crate's tests, benches and examples. It is included rather
// than imported: into tests as a linked plugin, into `examples/tiny_plugin.rs` as a library to load.

use std::ffi::{c_char, c_void};
use std::panic::catch_unwind;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustbridge_abi::*;

/// What `create` makes.
struct Tiny {
    host: Host,
    calls: AtomicU64,
    level_changes: AtomicU64,
    panic_in_destroy: bool,
    /// Destroying marks the instance instead of freeing it, so that a call that comes too late is seen.
    keep: bool,
    destroyed: AtomicBool,
}

/// Entry index, method, encoding, leaf, fixed sizes.
type Entry = (
    u32,
    &'static str,
    &'static str,
    bool,
    Option<(usize, usize)>,
);

const ENTRIES: &[Entry] = &[
    (0, "echo", "json", false, None),
    (1, "echo", "raw", true, None),
    (2, "add", "pod", true, Some((16, 8))),
    (3, "sleep", "raw", false, None),
    (4, "panic", "raw", false, None),
    (5, "log", "raw", false, None),
    (6, "call_back", "raw", false, None),
    (7, "count", "raw", true, None),
    (8, "level_changes", "raw", true, None),
    (9, "version", "raw", true, None),
    (10, "weird_status", "raw", false, None),
    (11, "small", "pod", true, Some((8, 8))),
    (14, "after_a_gap", "raw", true, None),
    (15, "look_twice", "raw", true, None),
    (16, "backtrace", "raw", false, None),
    (17, "path", "raw", true, None),
];

/// Tests make another version of the library by changing these bytes in the file.
const VERSION: &str = "tiny-version-1";

fn description() -> String {
    let mut methods = String::new();
    for name in ENTRIES
        .iter()
        .map(|entry| entry.1)
        .fold(Vec::new(), |mut names, name| {
            if !names.contains(&name) {
                names.push(name);
            }
            names
        })
    {
        let entries: Vec<String> = ENTRIES
            .iter()
            .filter(|entry| entry.1 == name)
            .map(|(index, _, encoding, leaf, sizes)| {
                let side = |size: usize| {
                    format!(r#"{{"layout":{{"type":"T","size":{size},"align":8,"fields":[]}}}}"#)
                };
                let (request, response) = sizes.map_or((String::from("{}"), String::from("{}")), |sizes| {
                    (side(sizes.0), side(sizes.1))
                });
                format!(
                    r#"{{"index":{index},"encoding":"{encoding}","leaf":{leaf},"async":false,"request":{request},"response":{response}}}"#
                )
            })
            .collect();
        let id = if name == "add" { "7" } else { "null" };
        if !methods.is_empty() {
            methods.push(',');
        }
        methods.push_str(&format!(
            r#"{{"name":"{name}","id":{id},"doc":"","entries":[{}]}}"#,
            entries.join(",")
        ));
    }
    // What a later version may describe.
    methods.push_str(
        r#",{"name":"later","entries":[{"index":12,"encoding":"raw","kind":"of_a_later_version"}]}"#,
    );
    format!(
        r#"{{"abi":"1.0","name":"tiny","version":"{VERSION}","description":"","rustbridge":"0.1.0","config":{{}},"methods":[{methods}]}}"#
    )
}

unsafe extern "C" fn release(response: *mut Response) {
    // SAFETY: a copy of what `answer` filled in, once.
    unsafe {
        let response = &*response;
        drop(Vec::from_raw_parts(
            response.owner.cast::<u8>(),
            response.len,
            response.capacity,
        ));
    }
}

/// Writes into the caller's storage, or hands a copy over.
///
/// # Safety
/// `response` is null or valid.
unsafe fn answer(bytes: &[u8], response: *mut Response) {
    // SAFETY: null or valid; its storage has `capacity` bytes.
    unsafe {
        let Some(response) = response.as_mut() else {
            return;
        };
        response.len = bytes.len();
        response.release = None;
        if bytes.len() <= response.capacity {
            if !bytes.is_empty() {
                ptr::copy_nonoverlapping(bytes.as_ptr(), response.data, bytes.len());
            }
        } else {
            let mut copy = std::mem::ManuallyDrop::new(bytes.to_vec());
            response.data = copy.as_mut_ptr();
            response.owner = response.data.cast();
            response.capacity = copy.capacity();
            response.release = Some(release);
        }
    }
}

unsafe fn fail(
    status: StatusCode,
    kind: &str,
    message: &str,
    response: *mut Response,
) -> StatusCode {
    let code = Status::from_code(status).name();
    // SAFETY: the caller's promise.
    unsafe {
        answer(
            format!(r#"{{"code":"{code}","message":"{message}","type":"{kind}"}}"#).as_bytes(),
            response,
        );
    }
    status
}

fn log(host: &Host, level: u32, message: &str) {
    // SAFETY: the host's table is valid while the instance is.
    unsafe {
        let wanted = &*host.log_level.cast::<AtomicU32>();
        if level > wanted.load(Ordering::Relaxed) {
            return;
        }
        let record = LogRecord {
            level,
            kind: RB_RECORD_EVENT,
            line: line!(),
            time_unix_ns: 1_700_000_000_000_000_000,
            duration_ns: 0,
            target: Text::new("tiny::log"),
            message: Text::new(message),
            fields: Text::new(r#"{"answer":42}"#),
            spans: Text::empty(),
            file: Text::new(file!()),
            thread: Text::empty(),
            ..LogRecord::EMPTY
        };
        if let Some(log) = host.log {
            log(host.context, &record);
        }
    }
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: null or valid, by the ABI.
    unsafe { answer(description().as_bytes(), response) };
    RB_OK
}

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    config: *const u8,
    config_len: usize,
    instance: *mut *mut c_void,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: valid by the ABI.
    let (host, config) = unsafe {
        let config = if config.is_null() {
            &b"{}"[..]
        } else {
            std::slice::from_raw_parts(config, config_len)
        };
        (*host, std::str::from_utf8(config).unwrap_or("not UTF-8"))
    };
    if config.contains("bad") {
        log(&host, RB_LOG_ERROR, "bad config");
        // SAFETY: valid by the ABI.
        return unsafe {
            fail(
                RB_INVALID_ARGUMENT,
                "ConfigError",
                "config: missing field `name`",
                error,
            )
        };
    }
    if config.contains("panic_in_create") {
        // SAFETY: valid by the ABI.
        return unsafe { fail(RB_INTERNAL | RB_PANICKED, "panic", "boom in create", error) };
    }
    log(&host, RB_LOG_INFO, "created");
    let tiny = Box::new(Tiny {
        host,
        calls: AtomicU64::new(0),
        level_changes: AtomicU64::new(0),
        panic_in_destroy: config.contains("panic_in_destroy"),
        keep: config.contains("keep"),
        destroyed: AtomicBool::new(false),
    });
    // SAFETY: writable by the ABI.
    unsafe { *instance = Box::into_raw(tiny).cast() };
    RB_OK
}

/// Tests look for its own name in it.
#[inline(never)]
fn tiny_backtrace() -> String {
    std::backtrace::Backtrace::force_capture().to_string()
}

unsafe extern "C" fn call(
    instance: *mut c_void,
    entry: u32,
    _header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: valid by the ABI.
    let (tiny, request) = unsafe {
        let request = if request.is_null() {
            &[][..]
        } else {
            std::slice::from_raw_parts(request, request_len)
        };
        (&*instance.cast::<Tiny>(), request)
    };
    if tiny.destroyed.load(Ordering::Relaxed) {
        return RB_DATA_LOSS;
    }
    // SAFETY (of every answer and failure below): the response is null or valid, by the ABI.
    match entry {
        0 | 1 | 14 => unsafe { answer(request, response) },
        2 => {
            let Ok(request) = <[u8; 16]>::try_from(request) else {
                return unsafe {
                    fail(
                        RB_INVALID_ARGUMENT,
                        "rustbridge.InvalidRequest",
                        "add takes 16 bytes",
                        response,
                    )
                };
            };
            let number =
                |at: usize| i64::from_ne_bytes(request[at..at + 8].try_into().unwrap_or_default());
            unsafe { answer(&number(0).wrapping_add(number(8)).to_ne_bytes(), response) };
        }
        // SAFETY: the host's text is readable as long as the instance lives.
        17 => unsafe { answer(tiny.host.plugin_path.as_bytes(), response) },
        3 => {
            let millis = std::str::from_utf8(request)
                .ok()
                .and_then(|text| text.parse().ok());
            std::thread::sleep(Duration::from_millis(millis.unwrap_or(0)));
        }
        4 => {
            let caught = catch_unwind(|| std::panic::resume_unwind(Box::new("boom")));
            assert!(caught.is_err());
            log(&tiny.host, RB_LOG_ERROR, "boom");
            return unsafe { fail(RB_INTERNAL | RB_PANICKED, "panic", "boom", response) };
        }
        5 => {
            let text = String::from_utf8_lossy(request);
            let (count, message) = text.split_once(' ').unwrap_or(("1", &text));
            for _ in 0..count.parse().unwrap_or(1) {
                log(&tiny.host, RB_LOG_INFO, message);
            }
        }
        6 => {
            // The request is a function of the host's and its argument.
            let word = |at: usize| {
                usize::from_ne_bytes(request[at..at + 8].try_into().unwrap_or_default())
            };
            // SAFETY: the test passes such a function.
            unsafe {
                let function: unsafe extern "C" fn(*mut c_void) = std::mem::transmute(word(0));
                function(word(8) as *mut c_void);
            }
        }
        7 => {
            let calls = tiny.calls.fetch_add(1, Ordering::Relaxed) + 1;
            unsafe { answer(&calls.to_ne_bytes(), response) };
        }
        8 => {
            let changes = tiny.level_changes.load(Ordering::Relaxed);
            unsafe { answer(&changes.to_ne_bytes(), response) };
        }
        // Opaque, so that it is read from the bytes that tests change.
        9 => unsafe { answer(std::hint::black_box(VERSION).as_bytes(), response) },
        10 => {
            unsafe { answer(b"whatever", response) };
            let text = std::str::from_utf8(request).unwrap_or_default();
            return text.parse().unwrap_or(RB_UNKNOWN);
        }
        11 => {
            // What the floors measure: two numbers in, two numbers out, nothing else.
            if request.len() != 8 {
                return RB_INVALID_ARGUMENT;
            }
            // SAFETY: checked, or vouched for by the ABI.
            unsafe {
                let number = |at: usize| request.as_ptr().add(at).cast::<i32>().read_unaligned();
                let (a, b) = (number(0), number(4));
                let response = &mut *response;
                response.len = 8;
                response.release = None;
                response
                    .data
                    .cast::<i32>()
                    .write_unaligned(a.wrapping_add(b));
                response.data.add(4).cast::<i32>().write_unaligned(a);
            }
        }
        15 => {
            // A text, checked and then used: what somebody else wrote in between shows.
            let look = || -> Vec<u8> {
                // SAFETY: of a slice.
                let byte = |at: &u8| unsafe { ptr::read_volatile(at) };
                request.iter().map(byte).collect()
            };
            let checked = look();
            if std::str::from_utf8(&checked).is_err() {
                return RB_INVALID_ARGUMENT;
            }
            if look() != checked {
                return RB_DATA_LOSS;
            }
            unsafe { answer(&request.as_ptr().addr().to_ne_bytes(), response) };
        }
        16 => {
            unsafe { answer(tiny_backtrace().as_bytes(), response) };
        }
        _ => {
            return unsafe {
                fail(
                    RB_NOT_FOUND,
                    "rustbridge.UnknownEntry",
                    "no such entry",
                    response,
                )
            };
        }
    }
    RB_OK
}

unsafe extern "C" fn destroy(instance: *mut c_void, error: *mut Response) -> StatusCode {
    // SAFETY: what `create` made, once.
    let tiny = unsafe { Box::from_raw(instance.cast::<Tiny>()) };
    log(&tiny.host, RB_LOG_INFO, "destroyed");
    if tiny.keep {
        tiny.destroyed.store(true, Ordering::Relaxed);
        Box::leak(tiny);
        return RB_OK;
    }
    if tiny.panic_in_destroy {
        // SAFETY: null or valid, by the ABI.
        return unsafe { fail(RB_INTERNAL | RB_PANICKED, "panic", "boom in destroy", error) };
    }
    RB_OK
}

unsafe extern "C" fn level_changed(instance: *mut c_void) {
    // SAFETY: alive, by the ABI.
    let tiny = unsafe { &*instance.cast::<Tiny>() };
    tiny.level_changes.fetch_add(1, Ordering::Relaxed);
}

static LOG: LogExtension = LogExtension {
    level_changed: Some(level_changed),
    ..LogExtension::EMPTY
};

unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
    // SAFETY: NUL-terminated, by the ABI.
    if unsafe { std::ffi::CStr::from_ptr(name) } == RB_EXTENSION_LOG {
        (&raw const LOG).cast()
    } else {
        ptr::null()
    }
}

static PLUGIN: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

/// What `rustbridge_plugin` is in a library.
///
/// # Safety
/// None is needed; the type asks for it.
pub unsafe extern "C" fn entry_point(_host_abi_version: u32) -> *const PluginTable {
    &PLUGIN
}
