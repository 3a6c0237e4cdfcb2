//! `_native.Response`: memory of the plugin's behind a lease, seen through the buffer protocol.

use core::ffi::{c_int, c_uint, c_void};
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};
use rustbridge_abi::Response;
use rustbridge_core::handles;

use crate::convert::none;
use crate::error::fail;

/// The object. `exports` counts the views; the memory is given back when it's 0 and somebody asks, or when the object
/// dies, which no view lets it. The GIL guards both fields.
#[repr(C)]
pub(crate) struct ResponseObject {
    base: PyObject,
    response: Response,
    exports: usize,
}

/// Wraps a response that was handed over; null with an exception, and the response released, when there's no memory.
///
/// # Safety
/// The GIL is held; `kind` is the type that [`make_type`] made; the response is this object's from now on.
pub(crate) unsafe fn wrap(kind: *mut PyTypeObject, mut response: Response) -> *mut PyObject {
    // SAFETY: a fresh object of that type has room for the struct, and is nobody else's yet.
    unsafe {
        let object = py::PyType_GenericAlloc(kind, 0);
        if object.is_null() {
            handles::release(&mut response);
            return object;
        }
        let this: *mut ResponseObject = object.cast();
        (&raw mut (*this).response).write(response);
        (*this).exports = 0;
        object
    }
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: Python calls it once, when nothing refers to the object: no view does either.
    unsafe {
        let this: *mut ResponseObject = object.cast();
        handles::release(&raw mut (*this).response);
        let kind = py::Py_TYPE(object);
        let free: py::freefunc = core::mem::transmute(py::PyType_GetSlot(kind, py::Py_tp_free));
        free(object.cast());
        py::Py_DECREF(kind.cast());
    }
}

unsafe extern "C" fn get_buffer(
    object: *mut PyObject,
    view: *mut py::Py_buffer,
    flags: c_int,
) -> c_int {
    // SAFETY: Python passes an object of ours and a view to fill in; the view's reference keeps the object alive.
    unsafe {
        let this: *mut ResponseObject = object.cast();
        let data = if (*this).response.len == 0 {
            c"".as_ptr().cast_mut().cast()
        } else {
            (*this).response.data
        };
        let result = py::PyBuffer_FillInfo(
            view,
            object,
            data.cast(),
            (*this).response.len as Py_ssize_t,
            1,
            flags,
        );
        if result == 0 {
            (*this).exports += 1;
        }
        result
    }
}

unsafe extern "C" fn release_buffer(object: *mut PyObject, _: *mut py::Py_buffer) {
    // SAFETY: Python calls it once for each view that `get_buffer` made.
    unsafe { (*object.cast::<ResponseObject>()).exports -= 1 }
}

/// `view() -> memoryview`.
unsafe extern "C" fn view(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: the memoryview goes through `get_buffer`.
    unsafe { py::PyMemoryView_FromObject(object) }
}

/// `release()`.
unsafe extern "C" fn release(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: no view exists when the memory is given back, and the struct is empty afterwards.
    unsafe {
        let this: *mut ResponseObject = object.cast();
        if (*this).exports != 0 {
            return fail(
                &raw mut py::PyExc_BufferError,
                c"the lease can't be released: a view of it is still in use",
            );
        }
        handles::release(&raw mut (*this).response);
        none()
    }
}

/// Makes the type; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held. Called once, while the module is made.
pub(crate) unsafe fn make_type() -> *mut PyObject {
    let methods = Box::leak(Box::new([
        py::PyMethodDef {
            ml_name: c"view".as_ptr(),
            ml_meth: py::PyMethodDefPointer { PyCFunction: view },
            ml_flags: py::METH_NOARGS,
            ml_doc: c"view($self, /)\n--\n\nGive a read-only view that keeps the memory alive.".as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"release".as_ptr(),
            ml_meth: py::PyMethodDefPointer { PyCFunction: release },
            ml_flags: py::METH_NOARGS,
            ml_doc: c"release($self, /)\n--\n\nFree the memory, or raise BufferError while views of it exist.".as_ptr(),
        },
        py::PyMethodDef::zeroed(),
    ]));
    let mut slots = [
        py::PyType_Slot {
            slot: py::Py_tp_dealloc,
            pfunc: dealloc as *mut c_void,
        },
        py::PyType_Slot {
            slot: py::Py_bf_getbuffer,
            pfunc: get_buffer as *mut c_void,
        },
        py::PyType_Slot {
            slot: py::Py_bf_releasebuffer,
            pfunc: release_buffer as *mut c_void,
        },
        py::PyType_Slot {
            slot: py::Py_tp_methods,
            pfunc: methods.as_mut_ptr().cast(),
        },
        py::PyType_Slot {
            slot: py::Py_tp_doc,
            pfunc: c"Memory of a plugin's behind a lease."
                .as_ptr()
                .cast_mut()
                .cast(),
        },
        py::PyType_Slot {
            slot: 0,
            pfunc: ptr::null_mut(),
        },
    ];
    let mut spec = py::PyType_Spec {
        name: c"rustbridge._native.Response".as_ptr(),
        basicsize: size_of::<ResponseObject>() as c_int,
        itemsize: 0,
        flags: (py::Py_TPFLAGS_DEFAULT
            | py::Py_TPFLAGS_DISALLOW_INSTANTIATION
            | py::Py_TPFLAGS_IMMUTABLETYPE) as c_uint,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the slots describe functions of the signatures Python expects, and the method table lives for good.
    unsafe { py::PyType_FromSpec(&mut spec) }
}
