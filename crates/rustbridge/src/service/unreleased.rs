//! The release of objects of the host, by a service.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustbridge_abi::{RB_OK, RB_PENDING, Response, ServiceHost, StatusCode};

use super::answer::{bytes, release as discard};
use crate::Error;

/// The numbers of objects that the host couldn't release yet, because the thread that dropped the last reference couldn't call a service: it was
/// in a leaf method, or too deep in nested calls.
#[derive(Debug, Default)]
pub(super) struct Unreleased(Mutex<Vec<u64>>);

impl Unreleased {
    /// Has the host release its object. Also tries again for those that couldn't be released before.
    pub(super) fn release(
        &self,
        context: *mut c_void,
        table: &ServiceHost,
        service: u32,
        object: u64,
    ) {
        if !release(context, table, service, object) {
            self.list().push(object);
            return;
        }
        // This thread can call services, so it tries those that other threads couldn't release. Not inside the lock, because the host's
        // function may drop another object.
        let mut left = std::mem::take(&mut *self.list());
        left.retain(|&object| !release(context, table, service, object));
        if !left.is_empty() {
            self.list().append(&mut left);
        }
    }

    fn list(&self) -> MutexGuard<'_, Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether the host was called. Doesn't wait, because the calling thread may be the one that the host needs.
fn release(context: *mut c_void, table: &ServiceHost, service: u32, object: u64) -> bool {
    let Some(start) = table.start else {
        return true;
    };
    let request = object.to_le_bytes();
    let mut response = Response::empty();
    let mut call = 0;
    // SAFETY: the host's own function with the context of its table; what's passed is borrowed until it returns, and `released` needs no
    // data.
    let status = unsafe {
        start(
            context,
            service,
            std::ptr::null(),
            request.as_ptr(),
            request.len(),
            &raw mut response,
            Some(released),
            std::ptr::null_mut(),
            &raw mut call,
        )
    };
    if matches!(status, RB_OK | RB_PENDING) {
        discard(&mut response);
        return true;
    }
    let error = Error::from_payload(status, bytes(&response));
    discard(&mut response);
    !NOT_CALLED.contains(&error.type_name())
}

/// The errors by which the core refuses a service call on this thread, at this moment.
const NOT_CALLED: [&str; 3] = [
    "rustbridge.ServiceInLeaf",
    "rustbridge.NestedTooDeep",
    "rustbridge.StackExhausted",
];

unsafe extern "C" fn released(_data: *mut c_void, _status: StatusCode, response: *mut Response) {
    // SAFETY: null, or a response that is ours from here on, by the ABI.
    if let Some(response) = unsafe { response.as_mut() } {
        discard(response);
    }
}
