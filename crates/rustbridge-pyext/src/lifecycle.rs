//! The functions that aren't calls: each parses its arguments, lets go of the GIL, and calls the host ABI.

use core::ffi::{c_uint, c_ulonglong};
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;
use rustbridge_abi::{Encoding, RB_OK, Response, StatusCode, Text};
use rustbridge_host_abi as abi;

use crate::convert::{self, none, take_bytes};
use crate::ending;
use crate::error::{fail, raise};
use crate::gil::without_gil;
use crate::header::number;
use crate::log;
use crate::service;

/// Bytes, or nothing for None; no value, with a `TypeError`, for anything else.
///
/// # Safety
/// The GIL is held; the bytes are used no longer than `object` lives.
unsafe fn bytes_or_none(object: *mut PyObject) -> Option<(*const u8, usize)> {
    // SAFETY: the caller's promise.
    unsafe {
        if object == py::Py_None() {
            Some((ptr::null(), 0))
        } else if py::PyBytes_Check(object) != 0 {
            Some(convert::bytes(object))
        } else {
            fail(
                &raw mut py::PyExc_TypeError,
                c"the path and the image of a library are bytes or None",
            );
            None
        }
    }
}

/// `load(path | None, image | None, config, name, flags, level, capacity, log, services, client_schema, threads) -> handle`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn load(_: *mut PyObject, arguments: *mut PyObject) -> *mut PyObject {
    let (mut path, mut image, mut config, mut name, mut sink, mut services, mut client_schema) = (
        ptr::null_mut(),
        ptr::null_mut(),
        ptr::null_mut(),
        ptr::null_mut(),
        ptr::null_mut(),
        ptr::null_mut(),
        ptr::null_mut(),
    );
    let (mut flags, mut level, mut capacity, mut threads): (c_uint, c_uint, c_uint, c_uint) =
        (0, 0, 0, 0);
    // SAFETY: the format matches the places; what's borrowed lives in `arguments`, hence as long as this call.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"OOSUIIIOOUI:load".as_ptr(),
            &mut path as *mut *mut PyObject,
            &mut image as *mut *mut PyObject,
            &mut config as *mut *mut PyObject,
            &mut name as *mut *mut PyObject,
            &mut flags as *mut c_uint,
            &mut level as *mut c_uint,
            &mut capacity as *mut c_uint,
            &mut sink as *mut *mut PyObject,
            &mut services as *mut *mut PyObject,
            &mut client_schema as *mut *mut PyObject,
            &mut threads as *mut c_uint,
        ) == 0
        {
            return ptr::null_mut();
        }
        let (Some((path, path_len)), Some((image, image_len)), Some(name), Some(client_schema)) = (
            bytes_or_none(path),
            bytes_or_none(image),
            convert::text(name),
            convert::text(client_schema),
        ) else {
            return ptr::null_mut();
        };
        let (config, config_len) = convert::bytes(config);
        let Some(services) = service::read(services) else {
            return ptr::null_mut();
        };
        let sink = log::sink(sink);
        let options = abi::LoadOptions {
            flags,
            path: Text {
                data: path.cast(),
                len: path_len,
            },
            image,
            image_len,
            config,
            config_len,
            name,
            log_level: level,
            log_capacity: capacity,
            log: &sink,
            services: services.as_ptr(),
            service_count: services.len(),
            client_schema,
            threads,
            ..abi::LoadOptions::EMPTY
        };
        let mut handle = 0;
        let mut error = Response::empty();
        match without_gil(|| abi::rb_load(&options, &mut handle, &mut error)) {
            RB_OK => py::PyLong_FromUnsignedLongLong(handle),
            status => raise(status, &mut error),
        }
    }
}

/// `describe(handle) -> bytes`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn describe(_: *mut PyObject, handle: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { said(handle, abi::rb_describe) }
}

/// `name(handle) -> bytes`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn name(_: *mut PyObject, handle: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { said(handle, abi::rb_name) }
}

/// What a function says of an instance, as bytes.
///
/// # Safety
/// Called with the GIL held. The function takes any handle and a response.
unsafe fn said(
    handle: *mut PyObject,
    function: unsafe extern "C" fn(u64, *mut Response) -> StatusCode,
) -> *mut PyObject {
    // SAFETY: the conversions leave an exception where they fail; the response is ours.
    unsafe {
        let handle = py::PyLong_AsUnsignedLongLong(handle);
        if !py::PyErr_Occurred().is_null() {
            return ptr::null_mut();
        }
        let mut response = Response::empty();
        match without_gil(|| function(handle, &mut response)) {
            RB_OK => take_bytes(&mut response),
            status => raise(status, &mut response),
        }
    }
}

/// `prepare(handle, name | id, encoding) -> (entry, flags, encoding, request_size, response_size, leaf_limit,
/// storage, buffer_limit)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn prepare(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let mut handle: c_ulonglong = 0;
    let mut method = ptr::null_mut();
    let mut encoding: c_uint = Encoding::Json.code();
    // SAFETY: as in `load`.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"KOI:prepare".as_ptr(),
            &mut handle as *mut c_ulonglong,
            &mut method as *mut *mut PyObject,
            &mut encoding as *mut c_uint,
        ) == 0
        {
            return ptr::null_mut();
        }
        let mut out = abi::Method::EMPTY;
        let mut error = Response::empty();
        let status = if py::PyLong_Check(method) != 0 {
            let id = py::PyLong_AsUnsignedLongLong(method);
            if !py::PyErr_Occurred().is_null() {
                return ptr::null_mut();
            }
            let Ok(id) = u32::try_from(id) else {
                return fail(
                    &raw mut py::PyExc_OverflowError,
                    c"a method's numeric id must be below 2**32",
                );
            };
            without_gil(|| abi::rb_prepare_id(handle, id, encoding, &mut out, &mut error))
        } else {
            let Some(name) = convert::text(method) else {
                return ptr::null_mut();
            };
            without_gil(|| abi::rb_prepare(handle, name, encoding, &mut out, &mut error))
        };
        prepared(status, &out, &mut error)
    }
}

/// `prepare_typed(handle, name, fingerprint, client_schema)`: as [`prepare`].
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn prepare_typed(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let mut handle: c_ulonglong = 0;
    let mut given = [ptr::null_mut(); 3];
    // SAFETY: as in `load`; the texts live as long as the arguments.
    unsafe {
        let [method, fingerprint, client_schema] = &mut given;
        if py::PyArg_ParseTuple(
            arguments,
            c"KOOO:prepare_typed".as_ptr(),
            &mut handle as *mut c_ulonglong,
            method as *mut *mut PyObject,
            fingerprint as *mut *mut PyObject,
            client_schema as *mut *mut PyObject,
        ) == 0
        {
            return ptr::null_mut();
        }
        let [Some(method), Some(fingerprint), Some(client_schema)] =
            given.map(|object| convert::text(object))
        else {
            return ptr::null_mut();
        };
        let mut out = abi::Method::EMPTY;
        let mut error = Response::empty();
        let status = without_gil(|| {
            abi::rb_prepare_typed(
                handle,
                method,
                fingerprint,
                client_schema,
                &mut out,
                &mut error,
            )
        });
        prepared(status, &out, &mut error)
    }
}

/// What a method was prepared as, a tuple, or the exception for why it wasn't.
///
/// # Safety
/// The GIL is held; `error` is filled in if the status isn't `RB_OK`.
unsafe fn prepared(status: StatusCode, out: &abi::Method, error: &mut Response) -> *mut PyObject {
    // SAFETY: the GIL is held, says the caller.
    unsafe {
        if status != RB_OK {
            return raise(status, error);
        }
        let values = [
            out.entry.into(),
            out.flags.into(),
            out.encoding.into(),
            out.request_size,
            out.response_size,
            out.leaf_limit.into(),
            out.buffer_size.into(),
            out.buffer_limit,
        ];
        let tuple = ending::PyTuple_New(values.len() as py::Py_ssize_t);
        if tuple.is_null() {
            return ptr::null_mut();
        }
        for (index, value) in values.into_iter().enumerate() {
            py::PyTuple_SetItem(
                tuple,
                index as py::Py_ssize_t,
                py::PyLong_FromUnsignedLongLong(value),
            );
        }
        tuple
    }
}

/// `state(handle) -> int`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn state(_: *mut PyObject, handle: *mut PyObject) -> *mut PyObject {
    // SAFETY: as in `describe`.
    unsafe {
        let handle = py::PyLong_AsUnsignedLongLong(handle);
        if !py::PyErr_Occurred().is_null() {
            return ptr::null_mut();
        }
        let mut state = 0;
        let mut error = Response::empty();
        match without_gil(|| abi::rb_state(handle, &mut state, &mut error)) {
            RB_OK => py::PyLong_FromUnsignedLong(state.into()),
            status => raise(status, &mut error),
        }
    }
}

/// `close(handle, timeout_ms, cancel_after_ms | None)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn close(_: *mut PyObject, arguments: *mut PyObject) -> *mut PyObject {
    let (mut handle, mut timeout): (c_ulonglong, c_ulonglong) = (0, 0);
    let mut cancel_after = ptr::null_mut();
    // SAFETY: as in `load`. Without the GIL, because the calls it waits for may need it to return.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"KKO:close".as_ptr(),
            &mut handle as *mut c_ulonglong,
            &mut timeout as *mut c_ulonglong,
            &mut cancel_after as *mut *mut PyObject,
        ) == 0
        {
            return ptr::null_mut();
        }
        let mut options = abi::CloseOptions {
            timeout_ms: timeout,
            ..abi::CloseOptions::EMPTY
        };
        if cancel_after != py::Py_None() {
            let Some(after) = number(cancel_after) else {
                return ptr::null_mut();
            };
            options.flags = abi::RB_CLOSE_CANCEL;
            options.cancel_after_ms = after;
        }
        let mut report = Response::empty();
        match without_gil(|| abi::rb_close_with(handle, &options, &mut report)) {
            RB_OK => {
                abi::rb_response_release(&mut report);
                none()
            }
            status => raise(status, &mut report),
        }
    }
}

/// `inspect() -> bytes`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn inspect(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    let mut response = Response::empty();
    // SAFETY: the response is ours.
    unsafe {
        match without_gil(|| abi::rb_inspect(&mut response)) {
            RB_OK => take_bytes(&mut response),
            status => raise(status, &mut response),
        }
    }
}

/// `version() -> str`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn version(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: the version is a NUL-terminated constant.
    unsafe { py::PyUnicode_FromString(abi::rb_version()) }
}
