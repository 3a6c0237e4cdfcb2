//! A plugin that says of its answers what can't be true, and some things that are odd and yet true.
//!
//! Each method comes as `ok.NAME`, which succeeds, `error.NAME`, which fails with `NOT_FOUND`, and `panic.NAME`, which says that
//! it has panicked; each takes json, raw, and a pod of 8 bytes to one of 8 bytes. `CLAIMS` in `claims` has the names. And
//! the methods `op.NAME` end later, and don't keep to what's agreed of that; `METHODS` in `operations` has them.

mod answer;
mod claims;
mod operations;

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{
    CallContext, Host, PluginTable, RB_ABORTED, RB_EXTENSION_ASYNC, RB_INTERNAL, RB_NOT_FOUND,
    RB_OK, RB_PANICKED, Response, StatusCode,
};

use crate::answer::{answer, harmless};
use crate::claims::{
    CLAIMS, ENCODINGS, ENDS, Len, OPERATIONS, Place, Release, SILENT, STATUS, TICKS,
};

/// Bytes of its own, immutable, so right with any number of hosts.
static OWN: [u8; 8] = *b"constant";

/// What it says of itself, written once; right with any number of instances, since it's the library that's described.
static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
    let mut methods = Vec::new();
    let odd = ["silent", "ticks", "status"];
    let names = CLAIMS.iter().map(|claim| claim.0).chain(odd);
    for (claim, name) in names.enumerate() {
        for (end, prefix) in ENDS.iter().enumerate() {
            let entries: Vec<String> = ENCODINGS
                .iter()
                .enumerate()
                .map(|(encoding, encoding_name)| {
                    let index = (claim * ENDS.len() + end) * ENCODINGS.len() + encoding;
                    let side = if *encoding_name == "pod" {
                        r#"{"layout":{"type":"Eight","size":8,"align":8,"fields":[]}}"#
                    } else {
                        "{}"
                    };
                    format!(
                        r#"{{"index":{index},"encoding":"{encoding_name}","leaf":true,"async":false,"request":{side},"response":{side}}}"#
                    )
                })
                .collect();
            methods.push(format!(
                r#"{{"name":"{prefix}.{name}","doc":"","entries":[{}]}}"#,
                entries.join(",")
            ));
        }
    }
    for (number, (name, streams)) in operations::METHODS.iter().enumerate() {
        let index = OPERATIONS + number;
        let kind = if *streams { "server_stream" } else { "unary" };
        methods.push(format!(
            r#"{{"name":"{name}","doc":"","entries":[{{"index":{index},"encoding":"raw","kind":"{kind}","leaf":false,"async":true,"request":{{}},"response":{{}}}}]}}"#
        ));
    }
    format!(
        r#"{{"abi":"1.0","name":"lying","version":"0.1.0","description":"","rustbridge":"","config":{{}},"methods":[{}]}}"#,
        methods.join(",")
    )
});

/// How often the library's own thread has run. Of the library and no instance's, as that thread is.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// The thread that begins with the library and never ends; one for each mapping.
static THREAD: LazyLock<()> = LazyLock::new(|| {
    let run = || {
        loop {
            RUNS.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
        }
    };
    // Without one it's a plugin like others.
    let _ = thread::Builder::new().spawn(run);
});

/// What every host gets: immutable, so right with any number of them.
static TABLE: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

unsafe extern "C" fn fatal(_: *mut Response) {
    eprintln!("the release of a lie was called");
    std::process::abort();
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: the host's response, null or writable.
    unsafe { answer(response, DESCRIPTION.as_bytes()) };
    RB_OK
}

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    _: *const u8,
    _: usize,
    instance: *mut *mut c_void,
    _: *mut Response,
) -> StatusCode {
    // SAFETY: the host follows the ABI, which says that the place is writable.
    unsafe {
        let made = Box::new(operations::Instance::of(host));
        instance.write(Box::into_raw(made).cast());
    }
    RB_OK
}

unsafe extern "C" fn call(
    _: *mut c_void,
    entry: u32,
    _: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let method = entry as usize / ENCODINGS.len();
    let status = [RB_OK, RB_NOT_FOUND, RB_INTERNAL | RB_PANICKED][method % ENDS.len()];
    // SAFETY: the host's response, null or writable.
    let Some(to) = (unsafe { response.as_mut() }) else {
        return status;
    };
    match method / ENDS.len() {
        SILENT => status,
        TICKS => {
            // Not before it has run, which is at once.
            while RUNS.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            // SAFETY: as above.
            unsafe { answer(response, b"\x01\0\0\0\0\0\0\0") };
            status
        }
        STATUS if request_len == 4 => {
            // SAFETY: as above, and four bytes of the request are readable, at whatever address.
            unsafe {
                let status = StatusCode::from_le_bytes(request.cast::<[u8; 4]>().read_unaligned());
                let payload: &[u8] = if status & RB_PANICKED != 0 && status >= 0 {
                    br#"{"code":"INTERNAL","message":"odd","type":"Odd"}"#
                } else {
                    br#"{"code":"UNKNOWN","message":"odd","type":"Odd"}"#
                };
                answer(response, payload);
                status
            }
        }
        claim => {
            let Some(&(_, place, len, release)) = CLAIMS.get(claim) else {
                return RB_ABORTED;
            };
            to.len = match len {
                Len::Is(len) => len,
                Len::Beyond(more) => to.capacity + more,
            };
            match place {
                Place::Storage => {}
                Place::Null => to.data = ptr::null_mut(),
                Place::Own => to.data = OWN.as_ptr().cast_mut(),
                Place::Nowhere => to.data = ptr::without_provenance_mut(1),
            }
            to.release = match release {
                Release::None => None,
                Release::Fatal => Some(fatal),
                Release::Harmless => Some(harmless),
            };
            status
        }
    }
}

unsafe extern "C" fn destroy(instance: *mut c_void, _: *mut Response) -> StatusCode {
    // SAFETY: made by `create`, and destroyed once.
    drop(unsafe { Box::from_raw(instance.cast::<operations::Instance>()) });
    RB_OK
}

unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
    // SAFETY: a text that ends with a zero, by the ABI.
    if unsafe { CStr::from_ptr(name) } == RB_EXTENSION_ASYNC {
        (&raw const operations::TABLE).cast()
    } else {
        ptr::null()
    }
}

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const PluginTable {
    LazyLock::force(&THREAD);
    &raw const TABLE
}
