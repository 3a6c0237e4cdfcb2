//! A plugin by hand that gives objects, and that lies about them.
//!
//! Its objects are numbers from 1 on; what became of each is in the ledger whose address is its config.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "what it's given is valid by the ABI, and one note in `call` says so for all of it"
)]

pub mod later;

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Mutex;

use rustbridge_abi::{
    CallContext, Host, ObjectsExtension, PluginTable, RB_ABORTED, RB_EXTENSION_ASYNC,
    RB_EXTENSION_OBJECTS, RB_INTERNAL, RB_OK, RB_PANICKED, Response, StatusCode,
};

/// What became of an instance's objects.
#[derive(Debug, Default)]
pub struct Ledger {
    /// How many were given. Their numbers are those up to this.
    pub given: u64,
    /// Those that were dropped, in order.
    pub dropped: Vec<u64>,
    /// What emitting was answered.
    pub emitted: Vec<StatusCode>,
    /// How many had been dropped when the instance was destroyed.
    pub at_end: Option<usize>,
}

pub type Shared = Mutex<Ledger>;

const METHODS: [&str; 12] = [
    "give",
    "use",
    "odd",
    "null",
    "fail",
    "panic",
    "bad_trailers",
    "same",
    "later",
    "items",
    "wire",
    "wire_later",
];

pub fn description() -> String {
    let methods: Vec<String> = METHODS
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let more = match *name {
                "use" => r#","receiver":"Thing""#,
                "later" => r#","objects":true,"async":true"#,
                "items" => r#","objects":true,"kind":"server_stream""#,
                "wire_later" => r#","objects":true,"async":true"#,
                _ => r#","objects":true"#,
            };
            // What these two answer isn't of its type.
            let (encoding, types) = match name.starts_with("wire") {
                true => (
                    "wire",
                    r#","response":{"type":{"ref":0}}"#,
                ),
                false => ("raw", ""),
            };
            format!(r#"{{"name":"{name}","entries":[{{"index":{index},"encoding":"{encoding}"{more}{types}}}]}}"#)
        })
        .collect();
    format!(
        r#"{{"abi":"1.0","name":"giver","methods":[{}],"types":[{{"name":"Pair","record":[{{"name":"one","type":"u8"}},{{"name":"other","type":"string"}}]}}]}}"#,
        methods.join(",")
    )
}

/// # Safety
/// `response` is null or valid.
unsafe fn answer(bytes: &[u8], response: *mut Response) {
    // SAFETY: the caller's promise.
    unsafe { rustbridge_core::handles::write_bytes(bytes.to_vec(), response) };
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
    _error: *mut Response,
) -> StatusCode {
    // SAFETY: valid by the ABI.
    unsafe {
        let asked = (*host).extension.unwrap()((*host).context, RB_EXTENSION_ASYNC.as_ptr());
        later::HOST.get_or_init(|| &*asked.cast());
        let config = std::slice::from_raw_parts(config, config_len);
        let address: usize = std::str::from_utf8(config).unwrap().parse().unwrap();
        *instance = address as *mut c_void;
    }
    RB_OK
}

fn shared<'a>(instance: *mut c_void) -> &'a Shared {
    // SAFETY: what the config said, which tests leak.
    unsafe { &*instance.cast::<Shared>() }
}

unsafe extern "C" fn call(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY (of all that's unsafe below): valid by the ABI.
    let request = unsafe {
        if request_len == 0 {
            &[]
        } else {
            std::slice::from_raw_parts(request, request_len)
        }
    };
    // A function of the host's and what it's given.
    if METHODS[entry as usize] == "use" {
        let lent = unsafe {
            if (*header).object_count == 0 {
                &[]
            } else {
                std::slice::from_raw_parts((*header).objects, (*header).object_count as usize)
            }
        };
        if request.len() == 16 {
            let word = |at: usize| usize::from_ne_bytes(request[at..at + 8].try_into().unwrap());
            let function: unsafe extern "C" fn(*mut c_void) =
                unsafe { std::mem::transmute(word(0)) };
            unsafe { function(word(8) as *mut c_void) };
        }
        let dropped = &shared(instance).lock().unwrap().dropped;
        let used_after = lent
            .iter()
            .any(|object| dropped.contains(object) && !dropped.is_empty());
        if used_after && request.len() == 16 {
            return RB_INTERNAL;
        }
        unsafe { answer(format!("{lent:?}").as_bytes(), response) };
        return RB_OK;
    }
    let count = std::str::from_utf8(request)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut ledger = shared(instance).lock().unwrap();
    let first = ledger.given + 1;
    let mut objects: Vec<u64> = (first..first + count).collect();
    ledger.given += count;
    drop(ledger);
    let mut bytes: Vec<u8> = objects
        .iter()
        .flat_map(|object| object.to_ne_bytes())
        .collect();
    let reply = unsafe {
        if header.is_null() {
            ptr::null_mut()
        } else {
            (*header).reply
        }
    };
    let Some(reply) = (unsafe { reply.as_mut() }) else {
        return RB_ABORTED;
    };
    let status = match METHODS[entry as usize] {
        "odd" => {
            bytes.pop();
            RB_OK
        }
        "null" => {
            bytes[..8].fill(0);
            RB_OK
        }
        "fail" => RB_ABORTED,
        "panic" => RB_INTERNAL | RB_PANICKED,
        "bad_trailers" => {
            unsafe { answer(b"no metadata", &mut reply.trailers) };
            RB_OK
        }
        "same" => {
            objects.push(first);
            bytes.extend(first.to_ne_bytes());
            RB_OK
        }
        _ => RB_OK,
    };
    unsafe { answer(&bytes, &mut reply.objects) };
    unsafe { answer(b"{}", response) };
    status
}

unsafe extern "C" fn destroy(instance: *mut c_void, _error: *mut Response) -> StatusCode {
    let mut ledger = shared(instance).lock().unwrap();
    ledger.at_end = Some(ledger.dropped.len());
    RB_OK
}

unsafe extern "C" fn drop_object(instance: *mut c_void, object: u64) {
    shared(instance).lock().unwrap().dropped.push(object);
}

static OBJECTS: ObjectsExtension = ObjectsExtension {
    drop: Some(drop_object),
    ..ObjectsExtension::EMPTY
};

unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
    // SAFETY: terminated, by the ABI.
    let name = unsafe { CStr::from_ptr(name) };
    if name == RB_EXTENSION_OBJECTS {
        (&raw const OBJECTS).cast()
    } else if name == RB_EXTENSION_ASYNC {
        (&raw const later::ASYNC).cast()
    } else {
        ptr::null()
    }
}

unsafe extern "C" fn no_extension(_context: *mut c_void, _name: *const c_char) -> *const c_void {
    ptr::null()
}

static PLUGIN: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

static CARELESS: PluginTable = PluginTable {
    extension: Some(no_extension),
    ..PLUGIN
};

pub unsafe extern "C" fn entry_point(_host_abi_version: u32) -> *const PluginTable {
    &PLUGIN
}

/// The same without the function that drops objects.
pub unsafe extern "C" fn careless(_host_abi_version: u32) -> *const PluginTable {
    &CARELESS
}

static OF_A_CHILD: PluginTable = PLUGIN;

/// The same once more: a forked child can't load what its parent has linked and loaded.
pub unsafe extern "C" fn of_a_child(_host_abi_version: u32) -> *const PluginTable {
    &OF_A_CHILD
}
