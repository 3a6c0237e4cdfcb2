//! Bytes and text between Python objects and pointers: borrowed on the way in, copied on the way out.

use core::ffi::c_char;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{Response, Text};
use rustbridge_core::handles;

/// None, as a new reference.
///
/// # Safety
/// The GIL is held.
pub(crate) unsafe fn none() -> *mut PyObject {
    // SAFETY: None lives as long as the interpreter.
    unsafe { py::Py_NewRef(py::Py_None()) }
}

/// Turns a response into bytes and releases it. Null with an exception when there's no memory.
///
/// # Safety
/// The GIL is held; `response` is filled in.
#[inline]
pub(crate) unsafe fn take_bytes(response: &mut Response) -> *mut PyObject {
    // SAFETY: a filled-in response has `len` readable bytes at `data`, which may be null only for none.
    unsafe {
        let data: *const c_char = if response.len == 0 {
            c"".as_ptr()
        } else {
            response.data.cast()
        };
        let bytes = py::PyBytes_FromStringAndSize(data, response.len as Py_ssize_t);
        if response.release.is_some() {
            handles::release(response);
        }
        bytes
    }
}

/// Turns a response into text and releases it. Null with a `UnicodeDecodeError` when it isn't UTF-8.
///
/// # Safety
/// The GIL is held; `response` is filled in.
#[inline]
pub(crate) unsafe fn take_text(response: &mut Response) -> *mut PyObject {
    // SAFETY: as for `take_bytes`.
    unsafe {
        let data: *const c_char = if response.len == 0 {
            c"".as_ptr()
        } else {
            response.data.cast()
        };
        let text = py::PyUnicode_DecodeUTF8(data, response.len as Py_ssize_t, ptr::null());
        if response.release.is_some() {
            handles::release(response);
        }
        text
    }
}

/// The UTF-8 of a str, borrowed from it; None with an exception when it isn't one or holds lone surrogates.
///
/// # Safety
/// The GIL is held; the text is used no longer than `object` lives.
#[inline]
pub(crate) unsafe fn text(object: *mut PyObject) -> Option<Text> {
    let mut len: Py_ssize_t = 0;
    // SAFETY: `object` is a live object; anything but a str is refused by the function.
    let data = unsafe { py::PyUnicode_AsUTF8AndSize(object, &mut len) };
    if data.is_null() {
        return None;
    }
    Some(Text {
        data,
        len: len as usize,
    })
}

/// The content of a bytes object, borrowed from it.
///
/// # Safety
/// `object` is a bytes object, and lives as long as the result is used.
#[inline]
pub(crate) unsafe fn bytes(object: *mut PyObject) -> (*const u8, usize) {
    // SAFETY: the caller says it is bytes.
    unsafe {
        (
            py::PyBytes_AsString(object).cast(),
            py::PyBytes_Size(object) as usize,
        )
    }
}
