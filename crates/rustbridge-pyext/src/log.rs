//! Log records on their way to a Python callable, and the functions that change level and sink.

use core::ffi::{c_uint, c_ulonglong, c_void};
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{LogRecord, RB_OK, Response, StatusCode, Text};
use rustbridge_host_abi as abi;

use crate::convert::none;
use crate::ending;
use crate::error::raise;
use crate::gil::without_gil;
use crate::upcall::Target;

/// A sink that calls `callable`, and holds a reference to it until it's dropped; no sink for None.
///
/// # Safety
/// The GIL is held.
pub(crate) unsafe fn sink(callable: *mut PyObject) -> abi::LogSink {
    // SAFETY: the caller's promise.
    let target = unsafe {
        if callable == py::Py_None() {
            return abi::LogSink::EMPTY;
        }
        Box::new(Target::new(callable))
    };
    abi::LogSink {
        log: Some(deliver),
        user_data: Box::into_raw(target).cast(),
        drop: Some(drop_sink),
        ..abi::LogSink::EMPTY
    }
}

/// Called by the core, on one of its log threads, with no GIL held.
///
/// # Safety
/// `user_data` is what `sink` made; `record` is valid until this returns.
unsafe extern "C" fn deliver(user_data: *mut c_void, record: *const LogRecord) {
    // SAFETY: the target lives until `drop_sink`, which isn't called while this runs.
    unsafe { (*user_data.cast::<Target>()).call(|| arguments(&*record)) }
}

/// The fields of a record as a tuple, in the order of `rustbridge._logging.Record`.
///
/// # Safety
/// The GIL is held; the record is valid.
unsafe fn arguments(record: &LogRecord) -> *mut PyObject {
    // SAFETY: each item is a new reference that the tuple takes over, or null, which is looked for at the end.
    unsafe {
        let items = [
            py::PyLong_FromUnsignedLong(record.level.into()),
            py::PyLong_FromUnsignedLong(record.kind.into()),
            py::PyLong_FromUnsignedLong(record.line.into()),
            py::PyLong_FromUnsignedLongLong(record.time_unix_ns),
            py::PyLong_FromUnsignedLongLong(record.duration_ns),
            text(record.target),
            text(record.message),
            text(record.fields),
            text(record.spans),
            text(record.file),
            text(record.thread),
            text(record.instance),
        ];
        let tuple = ending::PyTuple_New(items.len() as Py_ssize_t);
        if tuple.is_null() || items.iter().any(|item| item.is_null()) {
            for item in items {
                py::Py_XDECREF(item);
            }
            py::Py_XDECREF(tuple);
            return ptr::null_mut();
        }
        for (index, item) in items.into_iter().enumerate() {
            py::PyTuple_SetItem(tuple, index as Py_ssize_t, item);
        }
        tuple
    }
}

/// # Safety
/// The GIL is held; the text is valid.
unsafe fn text(text: Text) -> *mut PyObject {
    // SAFETY: the bytes are valid while the record is. What isn't UTF-8 is replaced: a log must not fail for it.
    unsafe {
        let bytes = text.as_bytes();
        py::PyUnicode_DecodeUTF8(
            bytes.as_ptr().cast(),
            bytes.len() as Py_ssize_t,
            c"replace".as_ptr(),
        )
    }
}

/// Called by the core once the sink isn't used any more, on any thread, with or without the GIL.
///
/// # Safety
/// `user_data` is what `sink` made, and isn't used any more.
unsafe extern "C" fn drop_sink(user_data: *mut c_void) {
    // SAFETY: the box of `sink`, dropped once.
    drop(unsafe { Box::from_raw(user_data.cast::<Target>()) });
}

/// None, or what the function left in its error.
///
/// # Safety
/// The GIL is held; `run` touches no Python object.
unsafe fn finish(run: impl FnOnce(&mut Response) -> StatusCode) -> *mut PyObject {
    let mut error = Response::empty();
    // SAFETY: the caller's promise; the error is empty unless the function has failed.
    unsafe {
        match without_gil(|| run(&mut error)) {
            RB_OK => none(),
            status => raise(status, &mut error),
        }
    }
}

/// `set_log_level(handle, level) -> None`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn set_log_level(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let mut handle: c_ulonglong = 0;
    let mut level: c_uint = 0;
    // SAFETY: the format matches the places.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"KI:set_log_level".as_ptr(),
            &mut handle as *mut c_ulonglong,
            &mut level as *mut c_uint,
        ) == 0
        {
            return ptr::null_mut();
        }
        finish(|error| abi::rb_log_set_level(handle, level, error))
    }
}

/// `set_log_sink(handle, log | None, timeout_ms) -> None`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn set_log_sink(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let (mut handle, mut timeout): (c_ulonglong, c_ulonglong) = (0, 0);
    let mut callable = ptr::null_mut();
    // SAFETY: the format matches the places. Without the GIL, because it waits for the old sink, which may want it.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"KOK:set_log_sink".as_ptr(),
            &mut handle as *mut c_ulonglong,
            &mut callable as *mut *mut PyObject,
            &mut timeout as *mut c_ulonglong,
        ) == 0
        {
            return ptr::null_mut();
        }
        let sink = sink(callable);
        finish(|error| abi::rb_log_set_sink(handle, &sink, timeout, error))
    }
}

/// `flush_logs(handle, timeout_ms) -> None`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn flush_logs(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let (mut handle, mut timeout): (c_ulonglong, c_ulonglong) = (0, 0);
    // SAFETY: the format matches the places. Without the GIL, because delivering needs it.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"KK:flush_logs".as_ptr(),
            &mut handle as *mut c_ulonglong,
            &mut timeout as *mut c_ulonglong,
        ) == 0
        {
            return ptr::null_mut();
        }
        finish(|error| abi::rb_log_flush(handle, timeout, error))
    }
}
