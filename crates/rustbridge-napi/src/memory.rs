//! The memory of typed arrays and buffers, and bytes that are handed to JavaScript.

use core::ffi::c_void;
use core::ptr;

use napi_sys::*;
use rustbridge_abi::Response;
use rustbridge_core::handles;

use crate::value::{made, throw};

/// Requests and responses up to this size are copied on the stack: that costs less than to find out whether others may
/// write to the memory, and whether it's still there afterwards.
pub(crate) const SMALL: usize = 256;

/// The memory of a typed array, as it is now. It's valid until JavaScript runs: it may be detached, or shrunk, then.
pub(crate) struct Memory {
    pub(crate) data: *mut u8,
    pub(crate) len: usize,
    view: napi_value,
}

impl Memory {
    /// That of a typed array; none, without an exception, for anything else. What isn't one becomes one in JavaScript.
    ///
    /// # Safety
    /// In a callback of the environment.
    #[inline(always)]
    pub(crate) unsafe fn of(env: napi_env, value: napi_value) -> Option<Memory> {
        let mut kind = -1;
        let mut len = 0;
        let mut data: *mut c_void = ptr::null_mut();
        // SAFETY: the places are ours. One that's detached or out of bounds has no length.
        unsafe {
            let status = napi_get_typedarray_info(
                env,
                value,
                &mut kind,
                &mut len,
                &mut data,
                ptr::null_mut(),
                ptr::null_mut(),
            );
            if status != Status::napi_ok {
                return None;
            }
        }
        let size = match kind {
            TypedarrayType::uint8_array
            | TypedarrayType::int8_array
            | TypedarrayType::uint8_clamped_array => 1,
            TypedarrayType::int16_array | TypedarrayType::uint16_array => 2,
            TypedarrayType::int32_array
            | TypedarrayType::uint32_array
            | TypedarrayType::float32_array => 4,
            TypedarrayType::float64_array
            | TypedarrayType::bigint64_array
            | TypedarrayType::biguint64_array => 8,
            _ => return None,
        };
        let len = len * size;
        Some(Memory {
            data: data.cast(),
            len: if data.is_null() { 0 } else { len },
            view: value,
        })
    }

    /// That of a `Uint8Array`, with a `TypeError` for anything but a typed array. One of another kind, which JavaScript never passes, is taken
    /// for as many bytes as it has elements, which are no more than there are: to ask for its kind would take as long as all the rest.
    ///
    /// # Safety
    /// In a callback of the environment.
    #[inline(always)]
    pub(crate) unsafe fn of_bytes(env: napi_env, view: napi_value) -> Option<Memory> {
        let mut len = 0;
        let mut data: *mut c_void = ptr::null_mut();
        // SAFETY: the places are ours. One that's detached or out of bounds has no length.
        unsafe {
            let status = napi_get_typedarray_info(
                env,
                view,
                ptr::null_mut(),
                &mut len,
                &mut data,
                ptr::null_mut(),
                ptr::null_mut(),
            );
            if status != Status::napi_ok {
                throw(env, c"expected a typed array");
                return None;
            }
        }
        Some(Memory {
            data: data.cast(),
            len: if data.is_null() { 0 } else { len },
            view,
        })
    }

    /// As [`of`](Memory::of), with a `TypeError` where there's none.
    ///
    /// # Safety
    /// In a callback of the environment.
    #[inline(always)]
    pub(crate) unsafe fn expect(env: napi_env, value: napi_value) -> Option<Memory> {
        // SAFETY: the caller's promise.
        unsafe {
            let memory = Memory::of(env, value);
            if memory.is_none() {
                throw(env, c"expected a typed array");
            }
            memory
        }
    }

    /// Whether other threads may write to it: it's a `SharedArrayBuffer`'s, which is no `ArrayBuffer`.
    ///
    /// # Safety
    /// In a callback of the environment.
    #[inline]
    pub(crate) unsafe fn is_shared(&self, env: napi_env) -> bool {
        let mut is_own = false;
        let mut buffer = ptr::null_mut();
        // SAFETY: the caller's promise. Where there's no buffer it isn't one.
        unsafe {
            napi_get_typedarray_info(
                env,
                self.view,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
                &mut buffer,
                ptr::null_mut(),
            );
            napi_is_arraybuffer(env, buffer, &mut is_own);
        }
        !is_own
    }

    pub(crate) fn overlaps(&self, other: &Memory) -> bool {
        let (this, that) = (self.data as usize, other.data as usize);
        this < that + other.len && that < this + self.len
    }

    /// Its bytes, copied.
    ///
    /// # Safety
    /// No JavaScript has run since it was read.
    pub(crate) unsafe fn to_vec(&self) -> Vec<u8> {
        // SAFETY: the caller's promise.
        unsafe { Memory::copied(self.data, self.len) }
    }

    /// A copy of bytes.
    ///
    /// # Safety
    /// There are as many.
    pub(crate) unsafe fn copied(data: *const u8, len: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len);
        // SAFETY: there's room. Others may write meanwhile, and any bytes will do.
        unsafe {
            ptr::copy_nonoverlapping(data, bytes.as_mut_ptr(), len);
            bytes.set_len(len);
        }
        bytes
    }
}

/// A `Uint8Array` of its own with a copy of the bytes.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn bytes(env: napi_env, bytes: &[u8]) -> napi_value {
    // SAFETY: `data` has as many bytes, unless it couldn't be made.
    unsafe {
        let mut data = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        if napi_create_arraybuffer(env, bytes.len(), &mut data, &mut buffer) != Status::napi_ok {
            return ptr::null_mut();
        }
        if !bytes.is_empty() && !data.is_null() {
            ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast::<u8>(), bytes.len());
        }
        made!(
            napi_create_typedarray,
            env,
            TypedarrayType::uint8_array,
            bytes.len(),
            buffer,
            0
        )
    }
}

/// The bytes of a response as a `Uint8Array`, and the response released.
///
/// # Safety
/// In a callback of the environment; the response is filled in.
pub(crate) unsafe fn taken(env: napi_env, response: &mut Response) -> napi_value {
    // SAFETY: the response's bytes are there until it's released.
    unsafe {
        let value = bytes(env, of(response));
        release(response);
        value
    }
}

/// The bytes of a response.
///
/// # Safety
/// The response is filled in, and used no longer than it isn't released.
pub(crate) unsafe fn of<'a>(response: &Response) -> &'a [u8] {
    if response.len == 0 || response.data.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(response.data, response.len) }
}

/// Releases a response that may have been handed over.
///
/// # Safety
/// The response is filled in.
#[inline]
pub(crate) unsafe fn release(response: &mut Response) {
    if response.release.is_some() {
        // SAFETY: the caller's promise.
        unsafe { handles::release(response) };
    }
}
