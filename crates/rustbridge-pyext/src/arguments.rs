//! What `call_raw` makes of its arguments where they aren't one request, and the way back to Python for what is said there.

use core::ffi::CStr;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::error::fail;

/// Sorts out positional and named arguments; None with a `TypeError`. `into` is null if it isn't there.
///
/// # Safety
/// The arguments are those of a vectorcall.
#[cold]
pub(crate) unsafe fn request_and_into(
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> Option<(*mut PyObject, *mut PyObject)> {
    // SAFETY: `count` positional arguments are followed by one for each name.
    unsafe {
        let named = if names.is_null() {
            0
        } else {
            py::PyTuple_Size(names)
        };
        let mut found = [ptr::null_mut(); 2];
        if count > 2 {
            fail(
                &raw mut py::PyExc_TypeError,
                c"call_raw takes a request and, optionally, `into`",
            );
            return None;
        }
        for index in 0..count {
            found[index as usize] = *arguments.offset(index);
        }
        for index in 0..named {
            let name = py::PyTuple_GetItem(names, index);
            let place = if py::PyUnicode_CompareWithASCIIString(name, c"request".as_ptr()) == 0 {
                0
            } else if py::PyUnicode_CompareWithASCIIString(name, c"into".as_ptr()) == 0 {
                1
            } else {
                fail(
                    &raw mut py::PyExc_TypeError,
                    c"call_raw knows the arguments `request` and `into` only",
                );
                return None;
            };
            if !found[place].is_null() {
                fail(
                    &raw mut py::PyExc_TypeError,
                    c"call_raw got an argument twice",
                );
                return None;
            }
            found[place] = *arguments.offset(count + index);
        }
        if found[0].is_null() {
            fail(
                &raw mut py::PyExc_TypeError,
                c"call_raw is missing its request",
            );
            return None;
        }
        Some((found[0], found[1]))
    }
}

/// Lets a method written in Python go on.
///
/// # Safety
/// The GIL is held.
#[cold]
pub(crate) unsafe fn delegate(
    object: *mut PyObject,
    name: &CStr,
    arguments: &[*mut PyObject],
) -> *mut PyObject {
    // SAFETY: the tuple gets a reference of its own to each argument.
    unsafe {
        let method = py::PyObject_GetAttrString(object, name.as_ptr());
        if method.is_null() {
            return method;
        }
        let tuple = py::PyTuple_New(arguments.len() as Py_ssize_t);
        if tuple.is_null() {
            py::Py_DECREF(method);
            return tuple;
        }
        for (index, argument) in arguments.iter().enumerate() {
            py::PyTuple_SetItem(tuple, index as Py_ssize_t, py::Py_NewRef(*argument));
        }
        let result = py::PyObject_CallObject(method, tuple);
        py::Py_DECREF(tuple);
        py::Py_DECREF(method);
        result
    }
}
