//! A plugin that says of its answers what can't be true, and some things that are odd and yet true.
//!
//! Each method comes as `ok.NAME`, which succeeds, `error.NAME`, which fails with `NOT_FOUND`, and `panic.NAME`, which says that
//! it has panicked; each takes json, raw, and a pod of 8 bytes to one of 8 bytes. `CLAIMS` has the names. And the methods
//! `op.NAME` end later, and don't keep to what's agreed of that; `METHODS` in `operations` has them.

mod operations;

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{
    CallHeader, Host, PluginTable, RB_ABORTED, RB_EXTENSION_ASYNC, RB_INTERNAL, RB_NOT_FOUND,
    RB_OK, RB_PANICKED, Response, StatusCode,
};

/// Where the bytes are said to be.
#[derive(Clone, Copy)]
enum Place {
    Storage,
    Null,
    Own,
    /// An address at which there's nothing.
    Nowhere,
}

/// How many they are said to be.
#[derive(Clone, Copy)]
enum Len {
    Is(usize),
    /// So many more than the storage holds.
    Beyond(usize),
}

#[derive(Clone, Copy)]
enum Release {
    None,
    /// One that ends the process: nobody should call it.
    Fatal,
    /// One that's there to be called.
    Harmless,
}

const MOST: usize = isize::MAX as usize;

const CLAIMS: &[(&str, Place, Len, Release)] = &[
    ("one_beyond", Place::Storage, Len::Beyond(1), Release::None),
    (
        "million_beyond",
        Place::Storage,
        Len::Beyond(1_000_000),
        Release::None,
    ),
    ("most", Place::Storage, Len::Is(MOST), Release::None),
    ("negative", Place::Storage, Len::Is(MOST + 1), Release::None),
    (
        "all_ones",
        Place::Storage,
        Len::Is(usize::MAX),
        Release::None,
    ),
    ("null", Place::Null, Len::Is(8), Release::None),
    (
        "null_all_ones",
        Place::Null,
        Len::Is(usize::MAX),
        Release::None,
    ),
    ("null_released", Place::Null, Len::Is(8), Release::Fatal),
    ("constant", Place::Own, Len::Is(8), Release::None),
    ("nowhere", Place::Nowhere, Len::Is(8), Release::None),
    (
        "released_negative",
        Place::Own,
        Len::Is(MOST + 1),
        Release::Fatal,
    ),
    (
        "released_all_ones",
        Place::Own,
        Len::Is(usize::MAX),
        Release::Fatal,
    ),
    (
        "released_storage",
        Place::Storage,
        Len::Is(1),
        Release::Fatal,
    ),
    // What's true, if odd: no bytes, wherever they are.
    ("empty_null", Place::Null, Len::Is(0), Release::None),
    ("empty_nowhere", Place::Nowhere, Len::Is(0), Release::None),
    ("empty_released", Place::Null, Len::Is(0), Release::Harmless),
];

/// Bytes of its own, immutable, so right with any number of hosts.
static OWN: [u8; 8] = *b"constant";

/// After the claims: says nothing about its answer at all.
const SILENT: usize = CLAIMS.len();
/// After that: answers, as a number of 8 bytes, how often the thread has run that began when the library was loaded.
const TICKS: usize = SILENT + 1;
/// After that: an honest error with the status that the request's four bytes say.
const STATUS: usize = TICKS + 1;

const ENDS: [&str; 3] = ["ok", "error", "panic"];
const ENCODINGS: [&str; 3] = ["json", "raw", "pod"];
/// The first entry of the methods that end later.
const OPERATIONS: usize = (STATUS + 1) * ENDS.len() * ENCODINGS.len();

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

unsafe extern "C" fn harmless(_: *mut Response) {}

/// Answers honestly, in the storage or with what is there for good.
///
/// # Safety
/// `response` is null or writable, with its storage.
unsafe fn answer(response: *mut Response, bytes: &'static [u8]) {
    // SAFETY: the caller's promise.
    let Some(response) = (unsafe { response.as_mut() }) else {
        return;
    };
    response.len = bytes.len();
    if bytes.len() <= response.capacity {
        response.release = None;
        // SAFETY: the storage has room.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), response.data, bytes.len()) };
    } else {
        response.data = bytes.as_ptr().cast_mut();
        response.release = Some(harmless);
    }
}

unsafe extern "C" fn describe(response: *mut Response) -> StatusCode {
    // SAFETY: the host's response, null or writable.
    unsafe { answer(response, DESCRIPTION.as_bytes()) };
    RB_OK
}

unsafe extern "C" fn create(
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
    _: *const CallHeader,
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

unsafe extern "C" fn extension(name: *const c_char) -> *const c_void {
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
