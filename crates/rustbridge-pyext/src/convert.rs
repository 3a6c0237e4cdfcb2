//! Between Python objects and pointers.

use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{Response, StatusCode, Text};
use rustbridge_core::handles;

/// Makes an exception of a status and an error payload; a Python function, set once by the package. One for the
/// process is right because the module refuses to be imported by a second interpreter.
static ERROR_FACTORY: AtomicPtr<PyObject> = AtomicPtr::new(ptr::null_mut());

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
        let arguments = py::PyTuple_New(2);
        if arguments.is_null() {
            py::Py_DECREF(payload);
            return ptr::null_mut();
        }
        py::PyTuple_SetItem(arguments, 0, py::PyLong_FromLong(status.into()));
        py::PyTuple_SetItem(arguments, 1, payload);
        let error = py::PyObject_CallObject(factory, arguments);
        py::Py_DECREF(arguments);
        if !error.is_null() {
            py::PyErr_SetObject(py::Py_TYPE(error).cast(), error);
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
    unsafe { py::PyErr_SetString(*kind, message.as_ptr()) };
    ptr::null_mut()
}

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

/// Runs something without the GIL, so that other Python threads go on, and callbacks may take it.
///
/// # Safety
/// The GIL is held; `run` touches no Python object.
#[inline]
pub(crate) unsafe fn without_gil<T>(run: impl FnOnce() -> T) -> T {
    // SAFETY: the thread state that was saved is the one that's restored, on the same thread; `run` doesn't unwind, as
    // none of the functions of the host ABI does.
    unsafe {
        let state = py::PyEval_SaveThread();
        let result = run();
        py::PyEval_RestoreThread(state);
        result
    }
}

/// The bytes of a contiguous buffer, held until this is dropped.
pub(crate) struct Borrowed(py::Py_buffer);

impl Borrowed {
    /// Borrows the buffer of any object, or leaves Python's exception set: `TypeError` when it has none, `BufferError`
    /// when it isn't contiguous, or not writable with `PyBUF_WRITABLE`.
    ///
    /// # Safety
    /// The GIL is held, also when the result is dropped.
    pub(crate) unsafe fn new(object: *mut PyObject, flags: c_int) -> Option<Borrowed> {
        let mut view = MaybeUninit::<py::Py_buffer>::uninit();
        // SAFETY: on success the view is initialised; it isn't moved to where its exporter would look for it, because
        // exporters of simple buffers keep nothing that points into the struct.
        unsafe {
            if py::PyObject_GetBuffer(object, view.as_mut_ptr(), flags) != 0 {
                return None;
            }
            Some(Borrowed(view.assume_init()))
        }
    }

    pub(crate) fn data(&self) -> *mut u8 {
        self.0.buf.cast()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len as usize
    }

    pub(crate) fn overlaps(&self, other: &Borrowed) -> bool {
        let (this, that) = (self.data() as usize, other.data() as usize);
        this < that + other.len() && that < this + self.len()
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: the view was filled in by PyObject_GetBuffer and is released once, under the GIL by `new`'s contract.
        unsafe { py::PyBuffer_Release(&mut self.0) }
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
