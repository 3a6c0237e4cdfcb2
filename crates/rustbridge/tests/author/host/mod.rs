//! A host of a few lines, which drives a plugin through its table just as the core does.

pub mod operations;

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rustbridge::{Encoding, Plugin, Status, entry_point};
use rustbridge_abi::{
    ABI_VERSION, CallContext, Host, LogExtension, LogRecord, PluginTable, RB_EXTENSION_ASYNC,
    RB_EXTENSION_LOG, RB_PANICKED, Response, Text,
};
use rustbridge_description::types::with_schemas;
use serde_json::Value;

/// A response, copied out and released.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: Status,
    pub panicked: bool,
    pub bytes: Vec<u8>,
    pub handed_over: bool,
}

impl Answer {
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }
}

/// A record as the host got it.
#[derive(Clone, Debug)]
pub struct Logged {
    pub level: u32,
    pub kind: u32,
    pub line: u32,
    pub duration_ns: u64,
    pub time_unix_ns: u64,
    pub target: String,
    pub message: String,
    pub fields: Value,
    pub spans: Value,
    pub file: String,
    pub thread: String,
    pub trace_id: [u8; 16],
    pub span_id: [u8; 8],
    pub parent_span_id: [u8; 8],
}

/// What an instance's host table points to.
pub struct Sink {
    level: AtomicU32,
    records: Mutex<Vec<Logged>>,
}

impl Sink {
    /// Takes what was logged so far.
    #[must_use]
    pub fn take(&self) -> Vec<Logged> {
        std::mem::take(&mut self.records.lock().unwrap())
    }
}

/// Where what is leaked lies, so that who looks for leaks finds none.
static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

unsafe extern "C" fn log(context: *mut c_void, record: *const LogRecord) {
    // SAFETY: the context is the leaked sink, the record is valid during the call.
    let (sink, record) = unsafe { (&*context.cast::<Sink>(), &*record) };
    let text = |text: Text| {
        // SAFETY: a record's texts are valid during the call.
        String::from_utf8(unsafe { text.as_bytes() }.to_vec()).unwrap()
    };
    let json = |json: Text| match text(json) {
        empty if empty.is_empty() => Value::Null,
        json => serde_json::from_str(&json).unwrap(),
    };
    sink.records.lock().unwrap().push(Logged {
        level: record.level,
        kind: record.kind,
        line: record.line,
        duration_ns: record.duration_ns,
        time_unix_ns: record.time_unix_ns,
        target: text(record.target),
        message: text(record.message),
        fields: json(record.fields),
        spans: json(record.spans),
        file: text(record.file),
        thread: text(record.thread),
        trace_id: record.trace_id,
        span_id: record.span_id,
        parent_span_id: record.parent_span_id,
    });
}

/// What the host offers beside logging: itself, by one name.
unsafe extern "C" fn extension(context: *mut c_void, name: *const c_char) -> *const c_void {
    // SAFETY: a plugin passes a terminated name.
    let name = unsafe { CStr::from_ptr(name) };
    if name == c"test.itself/1" {
        context
    } else if name == RB_EXTENSION_ASYNC {
        ptr::from_ref(&operations::TABLE).cast()
    } else {
        ptr::null()
    }
}

/// One instance of a plugin.
pub struct Loaded {
    table: &'static PluginTable,
    instance: *mut c_void,
    sink: &'static Sink,
    description: Value,
}

// SAFETY: the table's functions are for any thread.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

/// How to make an instance.
pub struct Options<'a> {
    /// Whether as a plugin that's part of the host's binary (as `Load::linked` does) or as a library that's loaded.
    pub linked: bool,
    pub config: &'a str,
    pub level: u32,
    pub flags: u32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            linked: true,
            config: "{}",
            level: 0,
            flags: 0,
        }
    }
}

#[must_use]
pub fn table<P: Plugin>() -> &'static PluginTable {
    // SAFETY: an entry point may be called at any time and returns a table that stays.
    unsafe { &*entry_point::<P>()(ABI_VERSION) }
}

/// Makes a call with `capacity` bytes of storage and copies out what comes back.
pub fn answer(capacity: usize, call: impl FnOnce(*mut Response) -> i32) -> Answer {
    let mut storage = vec![0_u8; capacity];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
    let raw = call(&raw mut response);
    let bytes = if response.len == 0 {
        Vec::new()
    } else {
        // SAFETY: the response describes `len` readable bytes.
        unsafe { std::slice::from_raw_parts(response.data, response.len) }.to_vec()
    };
    let handed_over = response.release.is_some();
    if let Some(release) = response.release {
        // SAFETY: called once.
        unsafe { release(&raw mut response) };
    }
    Answer {
        status: Status::from_code(raw),
        panicked: raw & RB_PANICKED != 0,
        bytes,
        handed_over,
    }
}

impl Loaded {
    pub fn try_new<P: Plugin>(options: &Options<'_>) -> Result<Loaded, Answer> {
        let table = if options.linked {
            table::<P>()
        } else {
            rustbridge::__private::Table::<P>::TABLE
        };
        // Leaked, because a host keeps the level readable and the function callable for good.
        let sink: &'static Sink = Box::leak(Box::new(Sink {
            level: AtomicU32::new(options.level),
            records: Mutex::new(Vec::new()),
        }));
        let host: &'static Host = Box::leak(Box::new(Host {
            context: ptr::from_ref(sink).cast_mut().cast(),
            flags: options.flags,
            instance_name: Text::new("under test"),
            plugin_path: Text::new("/plugins/libcounter.so"),
            log_level: sink.level.as_ptr(),
            log: Some(log),
            extension: Some(extension),
            ..Host::EMPTY
        }));
        KEPT.lock().unwrap().push(ptr::from_ref(host).addr());
        let mut instance = ptr::null_mut();
        let made = answer(0, |error| {
            // SAFETY: all pointers are valid during the call, the host table for good.
            unsafe {
                table.create.unwrap()(
                    table.context,
                    host,
                    options.config.as_ptr(),
                    options.config.len(),
                    &raw mut instance,
                    error,
                )
            }
        });
        if made.status != Status::Ok {
            return Err(made);
        }
        // SAFETY: the response is valid during the call.
        let described = answer(0, |response| unsafe {
            table.describe.unwrap()(table.context, response)
        });
        // As the core gives it to hosts.
        let description = match with_schemas(described.text().as_bytes()).unwrap() {
            Some(complete) => serde_json::from_str(&complete).unwrap(),
            None => described.json(),
        };
        Ok(Loaded {
            table,
            instance,
            sink,
            description,
        })
    }

    #[must_use]
    pub fn new<P: Plugin>() -> Loaded {
        Loaded::with::<P>(&Options::default())
    }

    #[must_use]
    pub fn with<P: Plugin>(options: &Options<'_>) -> Loaded {
        Loaded::try_new::<P>(options).unwrap_or_else(|answer| panic!("{}", answer.text()))
    }

    #[must_use]
    pub fn description(&self) -> &Value {
        &self.description
    }

    /// The description of one entry.
    #[must_use]
    pub fn described(&self, method: &str, encoding: Encoding) -> Option<&Value> {
        self.description["methods"]
            .as_array()?
            .iter()
            .find(|described| described["name"] == method)?["entries"]
            .as_array()?
            .iter()
            .find(|entry| entry["encoding"] == encoding.name())
    }

    #[must_use]
    pub fn entry(&self, method: &str, encoding: Encoding) -> u32 {
        let entry = self
            .described(method, encoding)
            .unwrap_or_else(|| panic!("{method} has no {encoding} in {}", self.description));
        entry["index"].as_u64().unwrap() as u32
    }

    /// Calls an entry with `capacity` bytes of storage.
    #[must_use]
    pub fn call_entry(&self, entry: u32, request: &[u8], capacity: usize) -> Answer {
        answer(capacity, |response| {
            // SAFETY: the instance is alive, the rest is valid during the call.
            unsafe {
                self.table.call.unwrap()(
                    self.instance,
                    entry,
                    ptr::null(),
                    request.as_ptr(),
                    request.len(),
                    response,
                )
            }
        })
    }

    /// Calls an entry with a header, whatever that is.
    #[must_use]
    pub fn call_with(&self, entry: u32, header: *const CallContext, request: &[u8]) -> Answer {
        answer(256, |response| {
            // SAFETY: the instance is alive, the rest is valid during the call.
            unsafe {
                self.table.call.unwrap()(
                    self.instance,
                    entry,
                    header,
                    request.as_ptr(),
                    request.len(),
                    response,
                )
            }
        })
    }

    /// What the functions of extensions take.
    #[must_use]
    pub fn instance(&self) -> *mut c_void {
        self.instance
    }

    /// Calls an entry with a response of the test's own, and gives the raw status.
    #[must_use]
    #[allow(dead_code, reason = "only the tests of `memory` use it")]
    pub fn call_into(&self, entry: u32, request: &[u8], response: &mut Response) -> i32 {
        // SAFETY: the instance is alive, the rest is valid during the call.
        unsafe {
            self.table.call.unwrap()(
                self.instance,
                entry,
                ptr::null(),
                request.as_ptr(),
                request.len(),
                response,
            )
        }
    }

    /// Calls a method in JSON with a header, whatever that is.
    #[must_use]
    pub fn json_with(&self, method: &str, header: *const CallContext, request: &str) -> Answer {
        let entry = self.entry(method, Encoding::Json);
        self.call_with(entry, header, request.as_bytes())
    }

    /// Calls an entry with a null response.
    #[must_use]
    pub fn call_without_response(&self, entry: u32) -> i32 {
        // SAFETY: the instance is alive; null is allowed for an empty request and for the response.
        unsafe {
            self.table.call.unwrap()(
                self.instance,
                entry,
                ptr::null(),
                ptr::null(),
                0,
                ptr::null_mut(),
            )
        }
    }

    #[must_use]
    pub fn call(&self, method: &str, encoding: Encoding, request: &[u8]) -> Answer {
        self.call_entry(self.entry(method, encoding), request, 256)
    }

    #[must_use]
    pub fn json(&self, method: &str, request: &str) -> Answer {
        self.call(method, Encoding::Json, request.as_bytes())
    }

    /// Changes the level as a host does.
    pub fn set_level(&self, level: u32) {
        self.sink.level.store(level, Ordering::Relaxed);
        // SAFETY: the name is terminated; the extension's table is as its name says; the instance is alive.
        unsafe {
            let extension =
                self.table.extension.unwrap()(self.table.context, RB_EXTENSION_LOG.as_ptr())
                    .cast::<LogExtension>();
            (*extension).level_changed.unwrap()(self.instance);
        }
    }

    /// Takes what was logged so far.
    #[must_use]
    pub fn logged(&self) -> Vec<Logged> {
        self.sink.take()
    }

    /// The sink, which outlives the instance.
    #[must_use]
    pub fn sink(&self) -> &'static Sink {
        self.sink
    }

    pub fn extension(&self, name: &CStr) -> *const c_void {
        // SAFETY: the name is terminated.
        unsafe { self.table.extension.unwrap()(self.table.context, name.as_ptr()) }
    }

    /// Ends the instance and says how that went.
    pub fn destroy(mut self) -> Answer {
        let instance = std::mem::replace(&mut self.instance, ptr::null_mut());
        // SAFETY: no call runs, because this value is owned; it's done once.
        answer(0, |error| unsafe {
            self.table.destroy.unwrap()(instance, error)
        })
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        if !self.instance.is_null() {
            // SAFETY: as in `destroy`.
            let _ = answer(0, |error| unsafe {
                self.table.destroy.unwrap()(self.instance, error)
            });
        }
    }
}
