//! References that are given up in the end.

use core::ops::Deref;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ending;

/// A reference of ours.
pub(crate) struct OwnedRef(*mut PyObject);

impl OwnedRef {
    /// Takes a new reference, if there is one.
    ///
    /// # Safety
    /// The reference is nobody else's. The GIL is held, also when it's dropped.
    pub(crate) unsafe fn new(object: *mut PyObject) -> Option<OwnedRef> {
        // Lazily: one of null would be dropped.
        (!object.is_null()).then(|| OwnedRef(object))
    }

    /// Adds a reference to what is borrowed.
    ///
    /// # Safety
    /// The object lives. The GIL is held, also when it's dropped.
    pub(crate) unsafe fn of(object: *mut PyObject) -> OwnedRef {
        // SAFETY: the caller's promise.
        unsafe { py::Py_INCREF(object) };
        OwnedRef(object)
    }

    /// Hands the reference over.
    pub(crate) fn give(self) -> *mut PyObject {
        let object = self.0;
        core::mem::forget(self);
        object
    }
}

impl Deref for OwnedRef {
    type Target = *mut PyObject;

    fn deref(&self) -> &*mut PyObject {
        &self.0
    }
}

impl Drop for OwnedRef {
    fn drop(&mut self) {
        // SAFETY: it's ours, and the GIL is held by `new`'s contract. If it's the last one, code of a user's may run.
        unsafe {
            if py::Py_REFCNT(self.0) > 1 {
                py::Py_DECREF(self.0);
            } else {
                ending::Py_DecRef(self.0);
            }
        }
    }
}

/// Calls with one argument; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held; both live as long as the call.
pub(crate) unsafe fn call_one(callable: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    // SAFETY: the tuple gets a reference of its own.
    unsafe {
        let arguments = ending::PyTuple_New(1);
        if arguments.is_null() {
            return arguments;
        }
        py::PyTuple_SetItem(arguments, 0, py::Py_NewRef(argument));
        let answer = ending::PyObject_CallObject(callable, arguments);
        ending::Py_DecRef(arguments);
        answer
    }
}
