//! Any object's bytes through the buffer protocol, borrowed for the length of a call.

use core::ffi::{CStr, c_int};
use core::mem::MaybeUninit;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_core::handles;

use crate::ending;
use crate::response;

/// The bytes of a contiguous buffer, held until this is dropped.
pub(crate) struct Borrowed {
    view: py::Py_buffer,
    /// [`handles::ENTRY_SHARED`], or 0 where nobody writes to the bytes: to be added to an entry.
    shared: u32,
}

impl Borrowed {
    /// Borrows the buffer of any object as a request, or leaves Python's exception set: `TypeError` when it has none,
    /// `BufferError` when it isn't contiguous. `unshared` is the caller's promise that nobody writes to it.
    ///
    /// # Safety
    /// The GIL is held, also when the result is dropped.
    pub(crate) unsafe fn request(object: *mut PyObject, unshared: bool) -> Option<Borrowed> {
        // SAFETY: the caller's promise.
        unsafe {
            let mut borrowed = Borrowed::new(object, py::PyBUF_SIMPLE)?;
            if !unshared && !is_immutable(object) {
                borrowed.shared = handles::ENTRY_SHARED;
            }
            Some(borrowed)
        }
    }

    /// Borrows a writable buffer, or leaves Python's exception set: `BufferError` when it isn't that.
    ///
    /// # Safety
    /// As for [`request`](Borrowed::request).
    pub(crate) unsafe fn target(object: *mut PyObject) -> Option<Borrowed> {
        // SAFETY: the caller's promise.
        unsafe { Borrowed::new(object, py::PyBUF_WRITABLE) }
    }

    /// Borrows the items of any object, as they are told apart by their format; or leaves Python's exception set.
    ///
    /// # Safety
    /// As for [`request`](Borrowed::request).
    pub(crate) unsafe fn items(object: *mut PyObject) -> Option<Borrowed> {
        // SAFETY: the caller's promise.
        unsafe { Borrowed::new(object, py::PyBUF_C_CONTIGUOUS | py::PyBUF_FORMAT) }
    }

    /// How many items there are, if they lie in one row. Not by `shape`: Python's own `PyBuffer_FillInfo`, as of a bytearray, has
    /// it point into the view that was filled in, which has been moved since.
    pub(crate) fn count(&self) -> Option<Py_ssize_t> {
        if self.view.ndim != 1 {
            return None;
        }
        self.view.len.checked_div(self.view.itemsize)
    }

    /// Of which format items are: bytes, if the exporter doesn't say.
    pub(crate) fn format(&self) -> &CStr {
        if self.view.format.is_null() {
            return c"B";
        }
        // SAFETY: the exporter keeps it as long as the view is held.
        unsafe { CStr::from_ptr(self.view.format) }
    }

    unsafe fn new(object: *mut PyObject, flags: c_int) -> Option<Borrowed> {
        let mut view = MaybeUninit::<py::Py_buffer>::uninit();
        // SAFETY: on success the view is initialised. It's moved, so what may point into it (shape and strides) isn't read; and
        // exporters find what they release by the object.
        unsafe {
            if ending::PyObject_GetBuffer(object, view.as_mut_ptr(), flags) != 0 {
                return None;
            }
            Some(Borrowed {
                view: view.assume_init(),
                shared: 0,
            })
        }
    }

    pub(crate) fn shared(&self) -> u32 {
        self.shared
    }

    pub(crate) fn data(&self) -> *mut u8 {
        self.view.buf.cast()
    }

    pub(crate) fn len(&self) -> usize {
        self.view.len as usize
    }

    pub(crate) fn overlaps(&self, other: &Borrowed) -> bool {
        let (this, that) = (self.data() as usize, other.data() as usize);
        this < that + other.len() && that < this + self.len()
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: the view was filled in by PyObject_GetBuffer and is released once, under the GIL by `new`'s contract.
        unsafe { ending::PyBuffer_Release(&mut self.view) }
    }
}

/// Whether nobody can write to an object's buffer, also not while the GIL is let go of: that of bytes, of a response, and of
/// a view of these. One that says it's read-only may be a view of what others write to, and a subclass of bytes may have a
/// buffer of its own.
///
/// # Safety
/// The GIL is held; the object has a buffer.
unsafe fn is_immutable(object: *mut PyObject) -> bool {
    // SAFETY: the object that a view is of lives as long as the view, which the caller holds.
    unsafe {
        let immutable =
            |object| py::PyBytes_CheckExact(object) != 0 || response::is_response(object);
        if py::PyMemoryView_Check(object) == 0 {
            return immutable(object);
        }
        let viewed = ending::PyObject_GetAttrString(object, c"obj".as_ptr());
        if viewed.is_null() {
            py::PyErr_Clear();
            return false;
        }
        let answer = immutable(viewed);
        py::Py_DECREF(viewed);
        answer
    }
}
