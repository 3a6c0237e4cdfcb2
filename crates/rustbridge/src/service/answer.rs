//! Responses of the host's services as they cross the boundary.

use std::mem;
use std::slice;

use rustbridge_abi::{RB_OK, Response, StatusCode};

use crate::Error;

/// Returns the bytes of a response. It follows the rules for responses, because the host's side checks responses of
/// services.
#[inline(always)]
pub(super) fn bytes(response: &Response) -> &[u8] {
    if response.len == 0 || response.data.is_null() {
        &[]
    } else {
        // SAFETY: by the rules, `len` bytes are readable until the release.
        unsafe { slice::from_raw_parts(response.data, response.len) }
    }
}

/// Releases a response, once.
#[inline(always)]
pub(super) fn release(response: &mut Response) {
    if response.release.is_some() {
        released(response);
    }
}

#[cold]
fn released(response: &mut Response) {
    let mut taken = mem::replace(response, Response::empty());
    if let Some(release) = taken.release {
        // SAFETY: it was filled in for this, and the struct was emptied first, so it happens once.
        unsafe { release(&raw mut taken) };
    }
}

/// Converts a status and its bytes to a result.
#[inline(always)]
pub(super) fn read<T>(
    status: StatusCode,
    bytes: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> Result<T, Error> {
    if status == RB_OK {
        read(bytes)
    } else {
        Err(Error::from_payload(status, bytes))
    }
}
