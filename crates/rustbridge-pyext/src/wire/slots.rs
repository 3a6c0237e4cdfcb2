//! Where an object keeps what is in its slots.

use core::ffi::c_void;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use crate::ending;
use crate::object::OwnedRef;

/// How far into the objects of a class the slots lie that descriptors are of. A slot is one reference, for as long as the class
/// lives, but the stable ABI has no name for where: so it's looked for, in an object that nobody else has, where a reference
/// turns up that its descriptor puts there. None if a descriptor is no slot's, or isn't found to be.
///
/// # Safety
/// The GIL is held. The class is made in Python and its base is `object`, so all of an object behind its head is slots.
pub(super) unsafe fn offsets(
    class: *mut PyTypeObject,
    count: usize,
    descriptor: impl Fn(usize) -> Option<*mut PyObject>,
) -> Option<Vec<usize>> {
    // SAFETY: what's new is checked and held; only words within the object are looked at, and only as numbers.
    unsafe {
        let size = size_of_objects(class)?;
        let object = OwnedRef::new(ending::PyType_GenericAlloc(class, 0))?;
        let words = (*object).cast::<usize>();
        let head = size_of::<PyObject>() / size_of::<usize>();
        let found = (0..count)
            .map(|index| {
                let mark = OwnedRef::new(ending::PyList_New(0))?;
                put(descriptor(index)?, *object, *mark)?;
                let mut places =
                    (head..size / size_of::<usize>()).filter(|at| *words.add(*at) == mark.addr());
                let (place, more) = (places.next()?, places.next());
                more.is_none().then_some(place * size_of::<usize>())
            })
            .collect::<Option<Vec<_>>>();
        if found.is_none() {
            py::PyErr_Clear();
        }
        found
    }
}

/// Puts something into a slot, by its descriptor.
///
/// # Safety
/// The GIL is held, and all of them live.
unsafe fn put(
    descriptor: *mut PyObject,
    object: *mut PyObject,
    value: *mut PyObject,
) -> Option<()> {
    // SAFETY: the descriptor is looked at before it's used as such, and checks itself whose object it is.
    unsafe {
        let kind = py::Py_TYPE(descriptor);
        let set = py::PyType_GetSlot(kind, py::Py_tp_descr_set);
        // Those of slots, which run no code of a user's.
        if set.is_null() || kind != &raw mut py::PyMemberDescr_Type {
            return None;
        }
        let set = core::mem::transmute::<*mut c_void, py::descrsetfunc>(set);
        (ending::put(set, descriptor, object, value) == 0).then_some(())
    }
}

/// How many bytes an object of a class has. None for one whose metaclass may say what it likes.
///
/// # Safety
/// The GIL is held, and the class lives.
unsafe fn size_of_objects(class: *mut PyTypeObject) -> Option<usize> {
    // SAFETY: the attribute is `type`'s own, before any that the class has; an exception is cleared.
    unsafe {
        if py::Py_TYPE(class.cast()) != &raw mut py::PyType_Type {
            return None;
        }
        let size = OwnedRef::new(ending::PyObject_GetAttrString(
            class.cast(),
            c"__basicsize__".as_ptr(),
        ));
        let size = size.map_or(-1, |size| py::PyLong_AsSsize_t(*size));
        if size < 0 {
            py::PyErr_Clear();
        }
        usize::try_from(size).ok()
    }
}

/// The place of a slot's reference.
///
/// # Safety
/// The offset is one of the object's class.
#[inline(always)]
unsafe fn place(object: *mut PyObject, offset: usize) -> *mut *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { object.byte_add(offset).cast() }
}

/// What's in a slot, borrowed; null if that's nothing.
///
/// # Safety
/// The GIL is held; the object lives, and the offset is one of its class.
#[inline(always)]
pub(super) unsafe fn get(object: *mut PyObject, offset: usize) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { *place(object, offset) }
}

/// Fills a slot of an object that is being made.
///
/// # Safety
/// As for [`get`].
#[inline(always)]
pub(super) unsafe fn fill(object: *mut PyObject, offset: usize, value: OwnedRef) {
    // SAFETY: the caller's promise. Whatever somebody may have put there already, who has found the object, is given up.
    unsafe {
        let before = ptr::replace(place(object, offset), value.give());
        if !before.is_null() {
            drop(OwnedRef::new(before));
        }
    }
}
