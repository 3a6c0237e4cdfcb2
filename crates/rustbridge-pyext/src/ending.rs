//! Python's end, as threads meet it that Python hasn't waited for.
//!
//! Up to 3.13 Python ends a thread that wants the GIL too late by unwinding its stack (`pthread_exit`), and stacks of ours
//! must not be unwound: the thread's destructors would run without the GIL, and a frame that's said not to unwind ends the
//! process. From 3.14 on Python hangs such a thread for good, which is what's done here for all versions: [`stop_if_late`]
//! before the GIL is asked for, and for a thread that waits for it already when Python begins to end, or that runs Python's
//! code on top of ours, [`Hang`] in the functions here. Every function of the C API that may run code of a user's is called
//! by its name here: that code is where a thread lets go of the GIL.
//!
//! To stop threads earlier isn't an answer, though Python says when it's about to end (`atexit`): a program's own handlers
//! for that may still wait for threads which are in a call.

use core::ffi::{c_char, c_int};
use core::mem;
use core::ptr;
use std::thread;

use pyo3_ffi as py;
use pyo3_ffi::{Py_buffer, Py_ssize_t, PyGILState_STATE, PyObject, PyTypeObject};

/// Whether Python runs: it says no from the moment on from which it gives the GIL to nobody but the thread that ends it.
#[inline]
pub(crate) fn runs() -> bool {
    // SAFETY: may be asked at any time.
    unsafe { py::Py_IsInitialized() != 0 }
}

/// Hangs the thread if Python wouldn't give it the GIL any more. Not for one that had it when Python didn't run: that's the
/// one which ends Python, and may have it to the last.
#[inline]
pub(crate) fn stop_if_late() {
    if !runs() {
        drop(Hang);
    }
}

/// Hangs the thread when it's dropped.
struct Hang;

impl Drop for Hang {
    #[cold]
    fn drop(&mut self) {
        loop {
            thread::park();
        }
    }
}

macro_rules! may_end {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        /// Python's function of this name, in which a thread may end.
        ///
        /// # Safety
        /// As for Python's.
        #[expect(non_snake_case, reason = "Python's name")]
        pub(crate) unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: the function itself, said to unwind, which it does when the thread ends there; and the caller's
            // promise.
            unsafe {
                let function = mem::transmute::<
                    unsafe extern "C" fn($($type),*) $(-> $result)?,
                    unsafe extern "C-unwind" fn($($type),*) $(-> $result)?,
                >(py::$name);
                // Read as something that may have changed, or the compiler sees which function it is, that its
                // declaration says that it doesn't unwind, and leaves out what `hang` is for.
                let function = ptr::read_volatile(&function);
                let hang = Hang;
                let result = function($($argument),*);
                mem::forget(hang);
                result
            }
        }
    )*};
}

may_end! {
    fn PyObject_CallObject(callable: *mut PyObject, arguments: *mut PyObject) -> *mut PyObject;
    fn PyObject_Call(
        callable: *mut PyObject,
        arguments: *mut PyObject,
        named: *mut PyObject
    ) -> *mut PyObject;
    fn PyObject_IsTrue(object: *mut PyObject) -> c_int;
    fn PyObject_GetAttrString(object: *mut PyObject, name: *const c_char) -> *mut PyObject;
    fn PyObject_GetAttr(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject;
    fn PyObject_GetBuffer(object: *mut PyObject, view: *mut Py_buffer, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut Py_buffer);
    fn PyErr_WriteUnraisable(object: *mut PyObject);
    fn PyGILState_Release(state: PyGILState_STATE);
    fn PyObject_Size(object: *mut PyObject) -> Py_ssize_t;
    // Keys have a hash of their own.
    fn PyDict_SetItem(dict: *mut PyObject, key: *mut PyObject, value: *mut PyObject) -> c_int;
    // Making an object that the garbage collector knows may have it run, and with it destructors.
    fn PyTuple_New(len: Py_ssize_t) -> *mut PyObject;
    fn PyList_New(len: Py_ssize_t) -> *mut PyObject;
    fn PyDict_New() -> *mut PyObject;
    fn PyType_GenericAlloc(kind: *mut PyTypeObject, items: Py_ssize_t) -> *mut PyObject;
    fn PyMemoryView_FromObject(object: *mut PyObject) -> *mut PyObject;
    fn PyErr_SetObject(kind: *mut PyObject, value: *mut PyObject);
    fn PyObject_SetAttrString(
        object: *mut PyObject,
        name: *const c_char,
        value: *mut PyObject
    ) -> c_int;
    fn PyErr_SetString(kind: *mut PyObject, message: *const c_char);
    // As functions: the macros' own calls can't be guarded.
    fn Py_DecRef(object: *mut PyObject);
}

macro_rules! may_end_in {
    ($($(#[$about:meta])* fn $name:ident($function:ident: $kind:ty, $($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        $(#[$about])*
        ///
        /// # Safety
        /// As for Python's functions of that type; it's that object's.
        pub(crate) unsafe fn $name($function: $kind, $($argument: $type),*) -> $result {
            // SAFETY: the function itself, said to unwind, which it does when the thread ends there; and the caller's promise.
            unsafe {
                let function = mem::transmute::<
                    $kind,
                    unsafe extern "C-unwind" fn($($type),*) -> $result,
                >($function);
                let hang = Hang;
                let result = function($($argument),*);
                mem::forget(hang);
                result
            }
        }
    )*};
}

may_end_in! {
    /// Makes an object by its class's own function, in which a thread may end as well.
    fn made(
        new: py::newfunc,
        class: *mut PyTypeObject,
        arguments: *mut PyObject,
        named: *mut PyObject
    ) -> *mut PyObject;
    /// Gets what a descriptor makes of itself, by its class's own function.
    fn got(
        get: py::descrgetfunc,
        descriptor: *mut PyObject,
        object: *mut PyObject,
        class: *mut PyObject
    ) -> *mut PyObject;
    /// Has a descriptor put something into an object, by its class's own function.
    fn put(
        set: py::descrsetfunc,
        descriptor: *mut PyObject,
        object: *mut PyObject,
        value: *mut PyObject
    ) -> c_int;
}
