//! How the module's types are made, and what those share whose objects keep the tuple that they were made of.

use core::ffi::{CStr, c_int, c_uint, c_ulong, c_void};
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ending;

/// Something of a type: which, and the function or table.
pub(crate) type Slot = (c_int, *mut c_void);

/// Makes a type whose objects are `T`s and that nobody changes; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held; `T` begins with an object's head; the slots are functions of the signatures that Python expects, and tables
/// that live for good.
pub(crate) unsafe fn make<T>(
    name: &'static CStr,
    doc: &'static CStr,
    flags: c_ulong,
    slots: &[Slot],
) -> *mut PyObject {
    let more = [
        (py::Py_tp_doc, doc.as_ptr().cast_mut().cast()),
        (0, ptr::null_mut()),
    ];
    let mut slots: Vec<_> = slots
        .iter()
        .chain(&more)
        .map(|&(slot, pfunc)| py::PyType_Slot { slot, pfunc })
        .collect();
    let mut spec = py::PyType_Spec {
        name: name.as_ptr(),
        basicsize: size_of::<T>() as c_int,
        itemsize: 0,
        flags: (py::Py_TPFLAGS_DEFAULT | py::Py_TPFLAGS_IMMUTABLETYPE | flags) as c_uint,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the caller's promise.
    unsafe { py::PyType_FromSpec(&mut spec) }
}

/// Frees an object, when what it had is given up, and gives up its type.
///
/// # Safety
/// The GIL is held. Called once, by what Python calls when nothing refers to the object, as the last.
pub(crate) unsafe fn free(object: *mut PyObject) {
    // SAFETY: the caller's promise; an object holds its type.
    unsafe {
        let kind = py::Py_TYPE(object);
        let free: py::freefunc = core::mem::transmute(py::PyType_GetSlot(kind, py::Py_tp_free));
        free(object.cast());
        py::Py_DECREF(kind.cast());
    }
}

/// An object that keeps alive what it points to by the tuple that it was made of. One reference to a tuple is all there is to give up
/// in the end, because a tuple counts how deep such ends lie in each other, which nobody else does in the stable ABI.
///
/// # Safety
/// It's `repr(C)` and begins with an object's head; zeros behind that are one which isn't filled in yet.
pub(crate) unsafe trait Keeps {
    /// The tuple; null before the object is filled in.
    fn arguments(&self) -> *mut PyObject;

    /// Gives up what isn't Python's, if there's any.
    ///
    /// # Safety
    /// Called once, at the end. The object may not be filled in.
    unsafe fn give_up(&mut self) {}
}

/// [`make`] for objects that keep their tuple, which the garbage collector is told of.
///
/// # Safety
/// As for [`make`].
pub(crate) unsafe fn make_keeping<T: Keeps>(
    name: &'static CStr,
    doc: &'static CStr,
    flags: c_ulong,
    slots: &[Slot],
) -> *mut PyObject {
    let ends: [Slot; 2] = [
        (py::Py_tp_traverse, traverse::<T> as *mut c_void),
        (py::Py_tp_dealloc, dealloc::<T> as *mut c_void),
    ];
    // SAFETY: the caller's promise.
    unsafe {
        make::<T>(
            name,
            doc,
            flags | py::Py_TPFLAGS_HAVE_GC,
            &[slots, &ends].concat(),
        )
    }
}

unsafe extern "C" fn traverse<T: Keeps>(
    object: *mut PyObject,
    visit: py::visitproc,
    with: *mut c_void,
) -> c_int {
    // SAFETY: Python calls it with an object of this type, which may not be filled in yet.
    unsafe {
        let of_type = visit(py::Py_TYPE(object).cast(), with);
        let arguments = (*object.cast::<T>()).arguments();
        if of_type != 0 || arguments.is_null() {
            return of_type;
        }
        visit(arguments, with)
    }
}

unsafe extern "C" fn dealloc<T: Keeps>(object: *mut PyObject) {
    // SAFETY: Python calls it once, when nothing refers to the object.
    unsafe {
        py::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<T>();
        let arguments = (*this).arguments();
        (*this).give_up();
        free(object);
        // None, where there was no memory for more than the object.
        if !arguments.is_null() {
            ending::Py_DecRef(arguments);
        }
    }
}
