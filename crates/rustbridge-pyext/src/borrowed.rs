//! Any object's bytes through the buffer protocol, borrowed for the length of a call.

use core::ffi::c_int;
use core::mem::MaybeUninit;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

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
