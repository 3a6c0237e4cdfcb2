//! Tuples in which Python describes what is made of them.

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use crate::ending;
use crate::object::{OwnedRef, call_one};

/// A tuple that describes something.
#[derive(Clone, Copy)]
pub(super) struct Parts(*mut PyObject);

impl Parts {
    /// # Safety
    /// The GIL is held; the object lives as long as what is made of it.
    pub(super) unsafe fn of(object: *mut PyObject) -> Option<Parts> {
        // SAFETY: the caller's promise.
        unsafe { (py::PyTuple_CheckExact(object) != 0).then_some(Parts(object)) }
    }

    /// # Safety
    /// As for `of`; this goes for all of them.
    pub(super) unsafe fn len(self) -> usize {
        // SAFETY: it's a tuple.
        unsafe { py::PyTuple_Size(self.0) as usize }
    }

    pub(super) unsafe fn get(self, index: usize) -> Option<*mut PyObject> {
        // SAFETY: the index is one of the tuple's.
        unsafe { (index < self.len()).then(|| py::PyTuple_GetItem(self.0, index as Py_ssize_t)) }
    }

    pub(super) unsafe fn parts(self, index: usize) -> Option<Parts> {
        // SAFETY: the tuple holds it.
        unsafe { Parts::of(self.get(index)?) }
    }

    pub(super) unsafe fn number(self, index: usize) -> Option<usize> {
        // SAFETY: it's an int, and what doesn't fit leaves an exception, which is cleared.
        unsafe {
            let number = self.get(index)?;
            if py::PyLong_CheckExact(number) == 0 {
                return None;
            }
            let number = py::PyLong_AsSsize_t(number);
            if number < 0 {
                py::PyErr_Clear();
                return None;
            }
            Some(number as usize)
        }
    }

    pub(super) unsafe fn is_true(self, index: usize) -> Option<bool> {
        // SAFETY: True lives as long as Python.
        unsafe { Some(self.get(index)? == py::Py_True()) }
    }

    pub(super) unsafe fn is_none(self, index: usize) -> Option<bool> {
        // SAFETY: None lives as long as Python.
        unsafe { Some(self.get(index)? == py::Py_None()) }
    }

    pub(super) unsafe fn each<T>(self, each: impl Fn(Parts, usize) -> Option<T>) -> Option<Vec<T>> {
        // SAFETY: the caller's promise.
        (0..unsafe { self.len() })
            .map(|index| each(self, index))
            .collect()
    }

    /// A class that is made in Python, of which objects may be made without asking it: its base has nothing to say. Objects of
    /// classes that are made in C have more to them than a base knows, and Python refuses to make them by that.
    pub(super) unsafe fn class(
        self,
        index: usize,
        base: *mut PyTypeObject,
    ) -> Option<*mut PyTypeObject> {
        // SAFETY: the object is looked at before it's taken for a class, which the tuple holds while its `__new__` is asked.
        unsafe {
            let class = self.get(index)?;
            if py::PyType_Check(class) == 0 {
                return None;
            }
            let class: *mut PyTypeObject = class.cast();
            let is_made = py::PyType_GetFlags(class) & py::Py_TPFLAGS_HEAPTYPE != 0;
            let is_of_base = py::PyType_GetSlot(class, py::Py_tp_base) == base.cast();
            if !is_made || !is_of_base {
                return None;
            }
            let new = OwnedRef::new(ending::PyObject_GetAttrString(
                base.cast(),
                c"__new__".as_ptr(),
            ));
            let one = new.and_then(|new| OwnedRef::new(call_one(*new, class.cast())));
            if one.is_none() {
                py::PyErr_Clear();
            }
            one.map(|_| class)
        }
    }
}
