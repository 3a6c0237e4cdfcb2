//! What an instance may ask the core for: the tables that `Host::extension` gives.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use rustbridge_abi::{
    AsyncHost, Batch, CallHost, Op, RB_EXTENSION_ASYNC, RB_EXTENSION_CALL, RB_EXTENSION_SERVICES,
    RB_INVALID_ARGUMENT, RB_METADATA_LIMIT, RB_OK, RB_PANICKED, Reply, Response, StatusCode,
};

use super::inside::inside;
use super::poison::{end_pending, mark};
use super::services::call;
use crate::async_call::objects::DROPPING;
use crate::async_call::plugin;
use crate::async_call::returned_objects::discard_all;
use crate::current_call;
use crate::registry::table::Handle;

/// `Host::extension`.
pub(super) unsafe extern "C" fn extension(
    _context: *mut c_void,
    name: *const c_char,
) -> *const c_void {
    if name.is_null() {
        return ptr::null();
    }
    // SAFETY: not null, and terminated by the ABI.
    let name = unsafe { CStr::from_ptr(name) };
    if name == RB_EXTENSION_ASYNC {
        ptr::from_ref(&ASYNC).cast()
    } else if name == RB_EXTENSION_CALL {
        ptr::from_ref(&CALL).cast()
    } else if name == RB_EXTENSION_SERVICES {
        ptr::from_ref(&call::TABLE).cast()
    } else {
        ptr::null()
    }
}

/// Functions only, the same for every plugin, which may keep its address for good.
static ASYNC: AsyncHost = AsyncHost {
    complete: Some(complete),
    emit: Some(emit),
    demand: Some(demand),
    on_cancel: Some(on_cancel),
    ..AsyncHost::EMPTY
};

/// Likewise.
static CALL: CallHost = CallHost {
    current: Some(current_call::current),
    headers: Some(headers),
    ..CallHost::EMPTY
};

/// [`CallHost::headers`].
unsafe extern "C" fn headers(op: Op, pairs: *const u8, len: usize) -> StatusCode {
    if len > RB_METADATA_LIMIT || (pairs.is_null() && len != 0) {
        return RB_INVALID_ARGUMENT;
    }
    let pairs = if len == 0 {
        &[][..]
    } else {
        // SAFETY: not null, and readable by the ABI.
        unsafe { std::slice::from_raw_parts(pairs, len) }
    };
    plugin::headers(op, pairs)
}

/// [`AsyncHost::complete`].
pub(crate) unsafe extern "C" fn complete(
    op: Op,
    status: StatusCode,
    response: *mut Response,
    reply: *mut Reply,
) -> StatusCode {
    // Whoever is told of the panic finds the instance poisoned.
    let panicked = status >= 0 && status & RB_PANICKED != 0;
    let known = known(status);
    let poisoned = panicked
        .then(|| plugin::completable(op))
        .flatten()
        .filter(|&instance| mark(instance));
    // SAFETY: a plugin's, by the ABI.
    let completed = unsafe { plugin::complete(op, known, response, reply, drop_there) };
    if let Some(instance) = poisoned {
        end_pending(instance);
    }
    match completed {
        Ok(_) => RB_OK,
        Err(refused) => refused,
    }
}

/// Drops objects that come after the end of what they belong to. Those of an instance that is being closed, or was, are left: nobody
/// can say whether it's there.
pub(crate) fn drop_there(instance: Handle, addresses: &[u64]) {
    let _ = inside(instance, DROPPING, |_| {
        // SAFETY: inside, and the plugin gave them, by the ABI.
        unsafe { discard_all(instance, addresses) };
        Ok(())
    });
}

/// A status of the table, for whatever number a plugin gives.
fn known(status: StatusCode) -> StatusCode {
    match rustbridge_abi::Status::from_code(status) {
        // A panic bit on a success contradicts itself; the bit is what matters.
        rustbridge_abi::Status::Ok if status != RB_OK => rustbridge_abi::RB_INTERNAL,
        known => known.code(),
    }
}

unsafe extern "C" fn emit(op: Op, batch: *const Batch) -> StatusCode {
    if batch.is_null() || !batch.is_aligned() {
        return RB_INVALID_ARGUMENT;
    }
    // SAFETY: not null, aligned, and as long as it says.
    match unsafe { rustbridge_abi::read(batch) } {
        // SAFETY: what it points to is readable until we return, by the ABI.
        Ok(batch) => unsafe { plugin::emit(op, &batch, drop_there) },
        Err(_) => RB_INVALID_ARGUMENT,
    }
}

unsafe extern "C" fn demand(op: Op, items: u64, bytes: u64) -> StatusCode {
    plugin::demand(op, items, bytes)
}

unsafe extern "C" fn on_cancel(
    op: Op,
    wake: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> StatusCode {
    // SAFETY: for any thread until it's replaced, by the ABI.
    unsafe { plugin::on_cancel(op, wake, data) }
}
