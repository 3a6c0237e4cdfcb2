//! What it gives later: with a completion, or beside items.

use std::ffi::c_void;
use std::sync::OnceLock;

use rustbridge_abi::{
    AsyncExtension, AsyncHost, Batch, CallContext, Op, RB_FAILED_PRECONDITION, RB_OK, RB_PENDING,
    Reply, Response, StatusCode,
};

use super::{Shared, answer};

/// The host's table, which is the same for all instances.
pub static HOST: OnceLock<&'static AsyncHost> = OnceLock::new();

struct Task {
    op: Op,
    shared: &'static Shared,
    /// It has a stream.
    emits: bool,
}

pub static ASYNC: AsyncExtension = AsyncExtension {
    start: Some(start),
    cancel: Some(cancel),
    demand: Some(demand),
    release: Some(release),
    ..AsyncExtension::EMPTY
};

/// Two objects.
fn two(shared: &Shared) -> [u64; 2] {
    let mut ledger = shared.lock().unwrap();
    ledger.given += 2;
    [ledger.given - 1, ledger.given]
}

/// Ends what has ended, and sends more items, with objects each time.
pub fn again(op: Op, shared: &'static Shared) -> StatusCode {
    let task = Task {
        op,
        shared,
        emits: true,
    };
    emit(&task);
    complete(&task, &two(shared))
}

fn complete(task: &Task, objects: &[u64]) -> StatusCode {
    let bytes: Vec<u8> = objects
        .iter()
        .flat_map(|object| object.to_ne_bytes())
        .collect();
    let (mut response, mut reply) = (Response::empty(), Reply::empty());
    // SAFETY: responses of our own, which the host takes over.
    unsafe {
        answer(&bytes, &raw mut reply.objects);
        HOST.get().unwrap().complete.unwrap()(task.op, RB_OK, &raw mut response, &raw mut reply)
    }
}

unsafe extern "C" fn start(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    _request: *const u8,
    request_len: usize,
    _response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode {
    // SAFETY: valid by the ABI.
    unsafe {
        let new = Box::new(Task {
            op: (*header).op,
            shared: super::shared(instance),
            emits: super::METHODS[entry as usize] == "items" || request_len == b"emits, too".len(),
        });
        // A request has it end when it's cancelled, otherwise it ends before it has begun.
        if request_len == 0 {
            complete(&new, &two(new.shared));
        } else if request_len == b"twice".len() {
            complete(&new, &two(new.shared));
            assert_eq!(again(new.op, new.shared), RB_FAILED_PRECONDITION);
        }
        *task = Box::into_raw(new).cast();
    }
    RB_PENDING
}

unsafe extern "C" fn cancel(task: *mut c_void, _reason: StatusCode) {
    // SAFETY: a task that isn't released.
    let task = unsafe { &*task.cast::<Task>() };
    if task.emits {
        emit(task);
    }
    complete(task, &two(task.shared));
}

unsafe extern "C" fn demand(task: *mut c_void, _items: u64, _bytes: u64) {
    // SAFETY: a task that isn't released.
    emit(unsafe { &*task.cast::<Task>() });
}

/// Two items with an object each.
fn emit(task: &Task) {
    let objects = two(task.shared);
    let batch = Batch {
        data: b"ab".as_ptr(),
        len: 2,
        count: 2,
        objects: objects.as_ptr(),
        object_count: 2,
        ..Batch::EMPTY
    };
    // SAFETY: good until it returns.
    let status = unsafe { HOST.get().unwrap().emit.unwrap()(task.op, &raw const batch) };
    task.shared.lock().unwrap().emitted.push(status);
}

unsafe extern "C" fn release(task: *mut c_void) {
    // SAFETY: once.
    drop(unsafe { Box::from_raw(task.cast::<Task>()) });
}
