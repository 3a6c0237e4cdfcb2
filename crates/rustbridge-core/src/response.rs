//! Responses as they cross the boundary: how one is read, answered into and released, whoever filled it in.

use std::ptr;

use rustbridge_abi::{RB_OK, Response, StatusCode};

use crate::error::Error;

/// Gives back what a response holds, and makes the struct empty. Does nothing to one that holds nothing, or to null.
///
/// # Safety
/// `response` is null or points to a response that a function of this crate or a plugin has filled in (or that is
/// [`Response::empty`]), and nobody uses its bytes any more.
#[inline]
pub unsafe fn release(response: *mut Response) {
    // SAFETY: null or valid, by the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        return;
    };
    let mut taken = std::mem::replace(place, Response::empty());
    if let Some(release) = taken.release {
        // SAFETY: the callee set `release` for exactly this; `taken` is the bitwise copy the ABI asks for, and the
        // struct was emptied first, so it happens once.
        unsafe { release(&mut taken) };
    }
}

/// Answers with an error of this crate as a plugin would, and gives its status: into the caller's storage where the
/// payload fits, else handed over. For bindings that have errors to hand on.
///
/// # Safety
/// `response` is null, or points to a response whose `data` is null with `capacity` 0 or points to `capacity` writable
/// bytes; its other fields may hold anything.
pub unsafe fn write_error(error: &Error, response: *mut Response) -> StatusCode {
    // SAFETY: the caller's promise.
    unsafe { write_bytes(error.to_json().into_bytes(), response) };
    error.status().code()
}

/// Answers with these bytes: into the caller's storage where they fit, else handed over.
///
/// # Safety
/// `response` is null, or points to a response whose `data` is null with `capacity` 0 or points to `capacity` writable
/// bytes; its other fields may hold anything.
pub unsafe fn write_bytes(bytes: Vec<u8>, response: *mut Response) -> StatusCode {
    // SAFETY: null or valid, by the caller's promise.
    let Some(response) = (unsafe { response.as_mut() }) else {
        return RB_OK;
    };
    response.len = bytes.len();
    response.release = None;
    if bytes.len() <= response.capacity && !response.data.is_null() {
        // SAFETY: the caller's storage has `capacity` writable bytes, and a fresh `Vec` doesn't overlap it.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), response.data, bytes.len()) };
    } else if !bytes.is_empty() {
        let boxed = Box::into_raw(bytes.into_boxed_slice());
        response.data = boxed.cast();
        response.capacity = response.len;
        response.owner = boxed.cast();
        response.release = Some(release_boxed);
    }
    RB_OK
}

unsafe extern "C" fn release_boxed(response: *mut Response) {
    // SAFETY: the ABI passes a copy of the struct that `write_bytes` filled in, once.
    unsafe {
        let response = &mut *response;
        drop(Box::from_raw(ptr::slice_from_raw_parts_mut(
            response.owner.cast::<u8>(),
            response.len,
        )));
    }
}

/// Runs a function of the plugin's that answers into a response, and takes the answer.
///
/// # Safety
/// `function` follows the rules of [`Response`].
pub(crate) unsafe fn ask(function: impl FnOnce(*mut Response) -> i32) -> Result<Vec<u8>, Error> {
    let mut response = Response::empty();
    let status = function(&mut response);
    // SAFETY: by the rules, `len` bytes at `data` are readable until the release.
    let bytes = unsafe { bytes_of(&response) }.to_vec();
    // SAFETY: filled in by the function, released once.
    unsafe { release(&mut response) };
    if status == RB_OK {
        Ok(bytes)
    } else {
        Err(Error::from_payload(status, &bytes))
    }
}

/// The bytes a response holds.
///
/// # Safety
/// A plugin filled the response in, by the rules, and it isn't released for `'a`.
pub(crate) unsafe fn bytes_of<'a>(response: &Response) -> &'a [u8] {
    if response.data.is_null() || response.len == 0 {
        &[]
    } else {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(response.data, response.len) }
    }
}
