//! Operations that don't keep to what's agreed: each is a method `op.NAME` in raw bytes, by its place in `METHODS`.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{
    AsyncExtension, AsyncHost, Batch, CallContext, Host, Op, RB_ABORTED, RB_CANCELLED,
    RB_EXTENSION_ASYNC, RB_OK, RB_PANICKED, RB_PENDING, RB_UNIMPLEMENTED, Response, StatusCode,
};

use crate::answer::answer;
use crate::claims::OPERATIONS;

/// The names of the methods, and whether each is a stream.
pub(crate) const METHODS: &[(&str, bool)] = &[
    // Takes a while, whatever it's told meanwhile.
    ("op.stubborn", false),
    // Completes three times, with another answer each.
    ("op.twice", false),
    // Completes before `start` returns that it's pending.
    ("op.early", false),
    // Completes, and then answers otherwise from `start`.
    ("op.both", false),
    // Answers, and completes a moment later.
    ("op.late", false),
    // Completes operations that aren't, before its own.
    ("op.forged", false),
    // Cancelled, it blocks for a while.
    ("op.slow_cancel", false),
    // Completes with a status that is none.
    ("op.odd_status", false),
    // Completes with a response that can't be.
    ("op.odd_response", false),
    // Completes as if it had panicked.
    ("op.panicked", false),
    // Sends ten items at once, whatever is asked for, and how many were taken.
    ("op.beyond", true),
    // Sends what can't be read, then an item, then ends.
    ("op.odd_batch", true),
    // Sends items after its end.
    ("op.after_end", true),
    // Isn't a stream, and sends an item.
    ("op.no_stream", false),
];

/// An honest payload.
const CANCELLED: &[u8] = br#"{"code":"CANCELLED","message":"it was cancelled","type":"Cancelled"}"#;

/// What it knows of its host.
pub(crate) struct Instance {
    host: *const AsyncHost,
}

/// A call that's pending.
struct Task {
    op: Op,
    kind: usize,
    host: AsyncHost,
    has_begun: AtomicBool,
}

/// Immutable, so right with any number of hosts.
pub(crate) static TABLE: AsyncExtension = AsyncExtension {
    start: Some(start),
    cancel: Some(cancel),
    demand: Some(demand),
    release: Some(release),
    ..AsyncExtension::EMPTY
};

impl Instance {
    /// # Safety
    /// The host follows the ABI.
    pub(crate) unsafe fn of(host: *const Host) -> Instance {
        // SAFETY: the host's table and its function, by the ABI.
        let table = unsafe {
            host.as_ref()
                .and_then(|host| Some(host.extension?(host.context, RB_EXTENSION_ASYNC.as_ptr())))
        };
        Instance {
            host: table.unwrap_or(ptr::null()).cast(),
        }
    }
}

/// Completes an operation with a status and bytes that are there for good.
fn complete(host: &AsyncHost, op: Op, status: StatusCode, bytes: &'static [u8]) -> StatusCode {
    let mut response = Response::empty();
    response.data = bytes.as_ptr().cast_mut();
    response.len = bytes.len();
    let Some(complete) = host.complete else {
        return RB_UNIMPLEMENTED;
    };
    // SAFETY: the bytes are borrowed until this returns, and there's no reply.
    unsafe { complete(op, status, &raw mut response, ptr::null_mut()) }
}

fn emit(host: &AsyncHost, op: Op, batch: &Batch) -> StatusCode {
    match host.emit {
        // SAFETY: the batch's bytes are there for good.
        Some(emit) => unsafe { emit(op, batch) },
        None => RB_UNIMPLEMENTED,
    }
}

/// One item of one byte.
fn item(digit: usize) -> Batch {
    const DIGITS: &[u8] = b"0123456789";
    Batch {
        data: &raw const DIGITS[digit],
        len: 1,
        count: 1,
        ..Batch::EMPTY
    }
}

/// Runs on a thread of its own; the host stays as long as the operation does, and so does its table.
fn later(ms: u64, work: impl FnOnce() + Send + 'static) {
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(ms));
        work();
    });
}

unsafe extern "C" fn start(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    _: *const u8,
    _: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode {
    // SAFETY: what `create` made, and the host's header and table, by the ABI.
    let (host, op) = unsafe { (*(*instance.cast::<Instance>()).host, (*header).op) };
    let kind = entry as usize - OPERATIONS;
    let name = METHODS[kind].0;
    match name {
        "op.both" => {
            complete(&host, op, RB_ABORTED, b"{}");
            // SAFETY: the host's response.
            unsafe { answer(response, b"started") };
            return RB_OK;
        }
        "op.late" => {
            later(1, move || {
                complete(&host, op, RB_ABORTED, b"{}");
            });
            // SAFETY: the host's response.
            unsafe { answer(response, b"in time") };
            return RB_OK;
        }
        _ => {}
    }
    let made = Box::new(Task {
        op,
        kind,
        host,
        has_begun: AtomicBool::new(false),
    });
    // SAFETY: the ABI says that it's writable.
    unsafe { task.write(Box::into_raw(made).cast()) };
    match name {
        "op.stubborn" => later(300, move || {
            complete(&host, op, RB_OK, b"at last");
        }),
        "op.twice" => later(1, move || {
            complete(&host, op, RB_OK, b"first");
            complete(&host, op, RB_OK, b"second");
            complete(&host, op, RB_ABORTED, b"{}");
        }),
        "op.early" => {
            complete(&host, op, RB_OK, b"early");
        }
        "op.forged" => later(1, move || {
            for forged in [0, op + (1 << 40), op ^ 0x8000_0000, u64::MAX] {
                complete(&host, forged, RB_OK, b"forged");
                emit(&host, forged, &item(0));
            }
            complete(&host, op, RB_OK, b"its own");
        }),
        "op.odd_status" => later(1, move || {
            let payload = br#"{"code":"UNKNOWN","message":"odd","type":"Odd"}"#;
            complete(&host, op, 99, payload);
        }),
        "op.odd_response" => later(1, move || {
            let mut response = Response::empty();
            response.len = 8;
            if let Some(complete) = host.complete {
                // SAFETY: none: that's what the host has to find out before it reads anything.
                unsafe { complete(op, RB_OK, &raw mut response, ptr::null_mut()) };
            }
        }),
        "op.panicked" => later(1, move || {
            let payload = br#"{"code":"INTERNAL","message":"boom","type":"panic"}"#;
            complete(
                &host,
                op,
                rustbridge_abi::RB_INTERNAL | RB_PANICKED,
                payload,
            );
        }),
        "op.no_stream" => later(1, move || {
            let was_refused = emit(&host, op, &item(0)) != RB_OK;
            let said: &[u8] = if was_refused { b"refused" } else { b"taken" };
            complete(&host, op, RB_OK, said);
        }),
        // The others wait to be asked, or to be cancelled.
        _ => {}
    }
    RB_PENDING
}

/// The task behind the pointer.
///
/// # Safety
/// It's one that `start` made, and wasn't released.
unsafe fn of<'a>(task: *mut c_void) -> &'a Task {
    // SAFETY: the caller's promise.
    unsafe { &*task.cast::<Task>() }
}

unsafe extern "C" fn cancel(task: *mut c_void, _: StatusCode) {
    // SAFETY: the host's promise.
    let task = unsafe { of(task) };
    match METHODS[task.kind].0 {
        "op.slow_cancel" => {
            thread::sleep(Duration::from_millis(50));
            complete(&task.host, task.op, RB_CANCELLED, CANCELLED);
        }
        "op.beyond" | "op.odd_batch" | "op.after_end" => {
            complete(&task.host, task.op, RB_CANCELLED, CANCELLED);
        }
        _ => {}
    }
}

unsafe extern "C" fn demand(task: *mut c_void, items: u64, _: u64) {
    // SAFETY: the host's promise.
    let task = unsafe { of(task) };
    let (host, op) = (task.host, task.op);
    if items == 0 || task.has_begun.swap(true, Ordering::Relaxed) {
        return;
    }
    match METHODS[task.kind].0 {
        "op.beyond" => {
            let taken = (0..10).filter(|&digit| emit(&host, op, &item(digit)) == RB_OK);
            let said: &[u8] = if taken.count() == 2 {
                b"two"
            } else {
                b"another number"
            };
            complete(&host, op, RB_OK, said);
        }
        "op.odd_batch" => {
            for (len, count, flags) in [(5, 0, 0), (5, 2, 0), (3, 1, 1), (8, 3, 1), (5, 1, 77)] {
                let batch = Batch {
                    data: b"12345678".as_ptr(),
                    len,
                    count,
                    flags,
                    ..Batch::EMPTY
                };
                if emit(&host, op, &batch) == RB_OK {
                    complete(&host, op, RB_ABORTED, b"{}");
                    return;
                }
            }
            emit(&host, op, &item(7));
            complete(&host, op, RB_OK, b"");
        }
        "op.after_end" => {
            emit(&host, op, &item(1));
            complete(&host, op, RB_OK, b"");
            emit(&host, op, &item(2));
            complete(&host, op, RB_ABORTED, b"{}");
        }
        _ => {}
    }
}

unsafe extern "C" fn release(task: *mut c_void) {
    // SAFETY: made by `start`, and released once.
    drop(unsafe { Box::from_raw(task.cast::<Task>()) });
}
