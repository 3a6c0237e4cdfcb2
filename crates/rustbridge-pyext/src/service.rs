//! Services: what plugins ask. A call goes to a queue, unless the thread that asks began in Python: then Python's function
//! runs on it at once.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::PyObject;
use rustbridge_abi::{RB_INTERNAL, RB_PENDING, RB_RESOURCE_EXHAUSTED, Response, StatusCode, Text};
use rustbridge_host_abi as abi;

use crate::convert::{self, none};
use crate::ending;
use crate::error::fail;
use crate::events::beside;
use crate::header::{self, number, tuple};
use crate::upcall;

/// Answers a service's call; a Python function, set once by the package. One for the process is right because the module
/// works in one interpreter.
static ANSWER: AtomicPtr<PyObject> = AtomicPtr::new(ptr::null_mut());

/// Forgets the function of a Python that was ended: there's nobody to give its reference up to.
pub(crate) fn forget_answer() {
    ANSWER.store(ptr::null_mut(), Ordering::Release);
}

/// `set_service_answer(answer)`: `answer(number, header, request)` gives a status and bytes, or None for the queue.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn set_answer(
    _: *mut PyObject,
    answer: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: `answer` is borrowed from the caller; the reference taken here is kept for good.
    unsafe {
        py::Py_INCREF(answer);
        let previous = ANSWER.swap(answer, Ordering::AcqRel);
        py::Py_XDECREF(previous);
        none()
    }
}

/// Reads what's to be registered: tuples of a name, an encoding, a queue and the number that events have. No value with an
/// exception.
///
/// # Safety
/// The GIL is held; the names are borrowed from `services`.
pub(crate) unsafe fn read(services: *mut PyObject) -> Option<Vec<abi::Service>> {
    // SAFETY: each item is looked at before it's used as what it has to be.
    unsafe {
        if py::PyTuple_Check(services) == 0 {
            fail(
                &raw mut py::PyExc_TypeError,
                c"services are a tuple of tuples",
            );
            return None;
        }
        let mut read = Vec::new();
        for index in 0..py::PyTuple_Size(services) {
            let one = py::PyTuple_GetItem(services, index);
            if py::PyTuple_Check(one) == 0 || py::PyTuple_Size(one) != 4 {
                fail(
                    &raw mut py::PyExc_TypeError,
                    c"a service is a name, an encoding, a queue and a number",
                );
                return None;
            }
            let name: Text = convert::text(py::PyTuple_GetItem(one, 0))?;
            read.push(abi::Service {
                encoding: number(py::PyTuple_GetItem(one, 1))? as u32,
                name,
                call: Some(ask),
                queue: number(py::PyTuple_GetItem(one, 2))?,
                user_data: ptr::without_provenance_mut(
                    number(py::PyTuple_GetItem(one, 3))? as usize
                ),
                ..abi::Service::EMPTY
            });
        }
        Some(read)
    }
}

/// What a plugin receives if Python's recursion limit keeps a service from running. A plugin releases objects again later.
const TOO_DEEP: &[u8] = br#"{"code":"RESOURCE_EXHAUSTED","message":"the recursion limit of Python is reached","type":"rustbridge.StackExhausted"}"#;

/// Asked before the queue, on the thread that the plugin asks on.
///
/// # Safety
/// `user_data` is a number; `call` and `response` are valid until this returns.
unsafe extern "C" fn ask(
    user_data: *mut c_void,
    call: *const abi::ServiceCall,
    response: *mut Response,
) -> StatusCode {
    if !upcall::began_in_python() {
        return RB_PENDING;
    }
    let mut status = RB_PENDING;
    // SAFETY: no exception is left behind, and each reference is given up.
    unsafe {
        upcall::with_gil(|| {
            let call = &*call;
            let arguments = tuple([
                py::PyLong_FromSize_t(user_data.addr()),
                beside(call.call_context),
                crate::events::bytes(call.request, call.request_len),
            ]);
            let arguments_missing = arguments.is_null();
            let answer = if arguments_missing {
                ptr::null_mut()
            } else {
                ending::PyObject_CallObject(ANSWER.load(Ordering::Acquire), arguments)
            };
            if !arguments_missing {
                ending::Py_DecRef(arguments);
            }
            if answer.is_null() {
                let is_interrupt = py::PyErr_ExceptionMatches(py::PyExc_KeyboardInterrupt) != 0;
                let is_too_deep = py::PyErr_ExceptionMatches(py::PyExc_RecursionError) != 0;
                if is_interrupt {
                    // The main thread raises it when it's back in Python, after the plugin.
                    py::PyErr_Clear();
                    py::PyErr_SetInterrupt();
                } else {
                    ending::PyErr_WriteUnraisable(ANSWER.load(Ordering::Acquire));
                }
                if is_too_deep {
                    status = RB_RESOURCE_EXHAUSTED;
                    abi::rb_respond(response, TOO_DEEP.as_ptr(), TOO_DEEP.len());
                } else if !arguments_missing {
                    // It has run, so it mustn't once more from the queue.
                    status = RB_INTERNAL;
                }
                return;
            }
            if py::PyTuple_Check(answer) != 0
                && let Some(found) = number(py::PyTuple_GetItem(answer, 0))
                && let Some(payload) = header::bytes(py::PyTuple_GetItem(answer, 1))
            {
                status = found as StatusCode;
                abi::rb_respond(response, payload.as_ptr(), payload.len());
            }
            ending::Py_DecRef(answer);
        });
    }
    status
}
