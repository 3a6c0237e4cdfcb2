//! How failures become Python exceptions.

use core::ffi::CStr;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::PyObject;
use rustbridge_abi::{Response, StatusCode};

use crate::convert::{none, take_bytes};
use crate::ending;

/// Makes an exception of a status and an error payload; a Python function, set once by the package. One for the
/// process is right because the module refuses to be imported by a second interpreter.
static ERROR_FACTORY: AtomicPtr<PyObject> = AtomicPtr::new(ptr::null_mut());

/// Forgets a factory of a Python that was ended: there's nobody to give its reference up to.
pub(crate) fn forget_factory() {
    ERROR_FACTORY.store(ptr::null_mut(), Ordering::Release);
}

/// `set_error_factory(factory)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn set_error_factory(
    _: *mut PyObject,
    factory: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: `factory` is borrowed from the caller; the reference taken here is kept for good.
    unsafe {
        py::Py_INCREF(factory);
        let previous = ERROR_FACTORY.swap(factory, Ordering::AcqRel);
        py::Py_XDECREF(previous);
        none()
    }
}

/// Raises what a failed function left in `response`, and releases it. Always null, to be returned to Python.
///
/// # Safety
/// The GIL is held; `response` is filled in.
#[cold]
#[inline(never)]
pub(crate) unsafe fn raise(status: StatusCode, response: &mut Response) -> *mut PyObject {
    // SAFETY: the response is valid until `take_bytes` has released it; every new reference is given up below.
    unsafe {
        let payload = take_bytes(response);
        if payload.is_null() {
            return ptr::null_mut();
        }
        let factory = ERROR_FACTORY.load(Ordering::Acquire);
        if factory.is_null() {
            py::Py_DECREF(payload);
            return fail(
                &raw mut py::PyExc_RuntimeError,
                c"rustbridge._native was used before set_error_factory",
            );
        }
        let arguments = ending::PyTuple_New(2);
        if arguments.is_null() {
            py::Py_DECREF(payload);
            return ptr::null_mut();
        }
        py::PyTuple_SetItem(arguments, 0, py::PyLong_FromLong(status.into()));
        py::PyTuple_SetItem(arguments, 1, payload);
        let error = ending::PyObject_CallObject(factory, arguments);
        py::Py_DECREF(arguments);
        if !error.is_null() {
            ending::PyErr_SetObject(py::Py_TYPE(error).cast(), error);
            py::Py_DECREF(error);
        }
        ptr::null_mut()
    }
}

/// Raises a builtin exception. Always null.
///
/// # Safety
/// The GIL is held; `kind` is one of Python's exceptions.
#[cold]
pub(crate) unsafe fn fail(kind: *mut *mut PyObject, message: &CStr) -> *mut PyObject {
    // SAFETY: the exceptions live as long as the interpreter.
    unsafe { ending::PyErr_SetString(*kind, message.as_ptr()) };
    ptr::null_mut()
}
