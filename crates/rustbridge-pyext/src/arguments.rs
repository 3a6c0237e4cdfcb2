//! What `call_raw` makes of its arguments where they aren't one request, and the way back to Python for what is said there or
//! to others.

use core::ffi::CStr;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::ending;
use crate::error::fail;
use crate::object::OwnedRef;

/// The arguments of `call_raw`.
pub(crate) struct Arguments {
    pub(crate) request: *mut PyObject,
    /// Null if it isn't there.
    pub(crate) into: *mut PyObject,
    pub(crate) unshared: bool,
}

/// How many arguments of a vectorcall come by their names.
///
/// # Safety
/// The names are those of a vectorcall: a tuple, or null for none.
pub(crate) unsafe fn named(names: *mut PyObject) -> Py_ssize_t {
    if names.is_null() {
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { py::PyTuple_Size(names) }
}

/// Sorts out positional and named arguments; None with a `TypeError`.
///
/// # Safety
/// The arguments are those of a vectorcall.
#[cold]
pub(crate) unsafe fn of_call_raw(
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> Option<Arguments> {
    const NAMES: [&CStr; 3] = [c"request", c"into", c"unshared"];
    // SAFETY: `count` positional arguments are followed by one for each name.
    unsafe {
        let named = named(names);
        let mut found = [ptr::null_mut(); 3];
        if count > 2 {
            fail(
                &raw mut py::PyExc_TypeError,
                c"call_raw accepts a request and optionally `into`; pass `unshared` by name",
            );
            return None;
        }
        for index in 0..count {
            found[index as usize] = *arguments.offset(index);
        }
        for index in 0..named {
            let name = py::PyTuple_GetItem(names, index);
            let place = NAMES
                .iter()
                .position(|known| py::PyUnicode_CompareWithASCIIString(name, known.as_ptr()) == 0);
            let Some(place) = place else {
                fail(
                    &raw mut py::PyExc_TypeError,
                    c"call_raw accepts only the arguments `request`, `into` and `unshared`",
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
        let [request, into, unshared] = found;
        if request.is_null() {
            fail(
                &raw mut py::PyExc_TypeError,
                c"call_raw is missing its request",
            );
            return None;
        }
        let unshared = if unshared.is_null() {
            0
        } else {
            ending::PyObject_IsTrue(unshared)
        };
        (unshared >= 0).then_some(Arguments {
            request,
            into,
            unshared: unshared > 0,
        })
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
        let method = ending::PyObject_GetAttrString(object, name.as_ptr());
        if method.is_null() {
            return method;
        }
        let tuple = ending::PyTuple_New(arguments.len() as Py_ssize_t);
        if tuple.is_null() {
            py::Py_DECREF(method);
            return tuple;
        }
        for (index, argument) in arguments.iter().enumerate() {
            py::PyTuple_SetItem(tuple, index as Py_ssize_t, py::Py_NewRef(*argument));
        }
        let result = ending::PyObject_CallObject(method, tuple);
        ending::Py_DecRef(tuple);
        py::Py_DECREF(method);
        result
    }
}

/// Calls with the same arguments, by a tuple and a dictionary, which is what the stable ABI has for it.
///
/// # Safety
/// The GIL is held; the arguments are those of a vectorcall, and live as long as the call.
#[cold]
pub(crate) unsafe fn call_with_all(
    callable: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: `count` positional arguments are followed by one for each name. The tuple gets a reference of its own to each.
    unsafe {
        let Some(tuple) = OwnedRef::new(ending::PyTuple_New(count)) else {
            return ptr::null_mut();
        };
        for index in 0..count {
            py::PyTuple_SetItem(*tuple, index, py::Py_NewRef(*arguments.offset(index)));
        }
        let Some(named) = OwnedRef::new(ending::PyDict_New()) else {
            return ptr::null_mut();
        };
        for index in 0..self::named(names) {
            let name = py::PyTuple_GetItem(names, index);
            if ending::PyDict_SetItem(*named, name, *arguments.offset(count + index)) != 0 {
                return ptr::null_mut();
            }
        }
        ending::PyObject_Call(callable, *tuple, *named)
    }
}
