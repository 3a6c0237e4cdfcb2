//! `_native.Response`: memory of the plugin's behind a lease, seen through the buffer protocol.

use core::ffi::{c_int, c_ulonglong, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};
use rustbridge_abi::Response;
use rustbridge_core::handles;

use crate::class;
use crate::convert::none;
use crate::ending;
use crate::error::fail;

/// The object. `exports` counts the views; the memory is given back when it's 0 and somebody asks, or when the object
/// dies, which no view lets it. The GIL guards both fields.
#[repr(C)]
pub(crate) struct ResponseObject {
    base: PyObject,
    response: Response,
    exports: usize,
    released: bool,
}

/// The type, made with the module and kept for good. One for the process is right because the module works in one
/// interpreter.
static TYPE: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// How many bytes all responses hold. One for the process, as the collector that's asked to free them is.
static LEASED: AtomicUsize = AtomicUsize::new(0);

/// How many they may hold before [`RELIEF`] is called.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Frees what was forgotten and gives the next limit; a Python function, set once by the package.
static RELIEF: AtomicPtr<PyObject> = AtomicPtr::new(ptr::null_mut());

/// `leased() -> int`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn leased(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: the GIL is held.
    unsafe { py::PyLong_FromSize_t(LEASED.load(Ordering::Relaxed)) }
}

/// `set_relief(relieve, limit) -> None`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn set_relief(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let mut relieve = ptr::null_mut();
    let mut limit: c_ulonglong = 0;
    // SAFETY: the format matches the places; the reference taken here is kept for good.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"OK:set_relief".as_ptr(),
            &mut relieve as *mut *mut PyObject,
            &mut limit as *mut c_ulonglong,
        ) == 0
        {
            return ptr::null_mut();
        }
        py::Py_INCREF(relieve);
        let previous = RELIEF.swap(relieve, Ordering::AcqRel);
        py::Py_XDECREF(previous);
        LIMIT.store(limit as usize, Ordering::Relaxed);
        none()
    }
}

/// Forgets the function of a Python that was ended: there's nobody to give its reference up to.
pub(crate) fn forget_relief() {
    RELIEF.store(ptr::null_mut(), Ordering::Release);
    LIMIT.store(usize::MAX, Ordering::Relaxed);
}

/// Has forgotten responses freed. The answer is false with an exception.
///
/// # Safety
/// The GIL is held.
#[cold]
unsafe fn relieve() -> bool {
    // A destructor that runs meanwhile may lease, too.
    let before = LIMIT.swap(usize::MAX, Ordering::Relaxed);
    // SAFETY: the function is kept for good.
    unsafe {
        let limit = ending::PyObject_CallObject(RELIEF.load(Ordering::Acquire), ptr::null_mut());
        let next = if limit.is_null() {
            usize::MAX
        } else {
            let next = py::PyLong_AsSize_t(limit);
            py::Py_DECREF(limit);
            next
        };
        let went_well = py::PyErr_Occurred().is_null();
        // What has raised is a Ctrl-C, say, and those who lease after it are asked again.
        LIMIT.store(if went_well { next } else { before }, Ordering::Relaxed);
        went_well
    }
}

/// Whether an object is one of these.
///
/// # Safety
/// The GIL is held.
pub(crate) unsafe fn is_response(object: *mut PyObject) -> bool {
    // SAFETY: any object has a type. This one has no subclasses.
    unsafe { py::Py_TYPE(object) == TYPE.load(Ordering::Acquire) }
}

/// Wraps a response that was handed over; null with an exception, and the response released, when there's no memory.
///
/// # Safety
/// The GIL is held; [`make_type`] was called; the response is this object's from now on.
pub(crate) unsafe fn wrap(mut response: Response) -> *mut PyObject {
    // SAFETY: a fresh object of that type has room for the struct, and is nobody else's yet.
    unsafe {
        let object = ending::PyType_GenericAlloc(TYPE.load(Ordering::Acquire), 0);
        if object.is_null() {
            handles::release(&mut response);
            return object;
        }
        let this: *mut ResponseObject = object.cast();
        let len = response.len;
        (&raw mut (*this).response).write(response);
        (*this).exports = 0;
        (*this).released = false;
        let leased = LEASED.fetch_add(len, Ordering::Relaxed) + len;
        if leased > LIMIT.load(Ordering::Relaxed) && !relieve() {
            py::Py_DECREF(object);
            return ptr::null_mut();
        }
        object
    }
}

/// Gives the memory back, once; no view may exist.
///
/// # Safety
/// The GIL is held; `this` is one of these objects.
unsafe fn release_response(this: *mut ResponseObject) {
    // SAFETY: a response that was released is empty.
    unsafe {
        LEASED.fetch_sub((*this).response.len, Ordering::Relaxed);
        handles::release(&raw mut (*this).response);
    }
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: Python calls it once, when nothing refers to the object: no view does either.
    unsafe {
        release_response(object.cast());
        class::free(object);
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
        if (*this).released {
            // As the buffer protocol asks of whoever fails.
            (*view).obj = ptr::null_mut();
            fail(
                &raw mut py::PyExc_ValueError,
                c"the lease has been released: its memory belongs to the plugin again",
            );
            return -1;
        }
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
    unsafe { ending::PyMemoryView_FromObject(object) }
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
        (*this).released = true;
        release_response(this);
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
    // SAFETY: the slots describe functions of the signatures Python expects, and the method table lives for good.
    let kind = unsafe {
        class::make::<ResponseObject>(
            c"rustbridge._native.Response",
            c"Memory of a plugin's behind a lease.",
            py::Py_TPFLAGS_DISALLOW_INSTANTIATION,
            &[
                (py::Py_tp_dealloc, dealloc as *mut c_void),
                (py::Py_bf_getbuffer, get_buffer as *mut c_void),
                (py::Py_bf_releasebuffer, release_buffer as *mut c_void),
                (py::Py_tp_methods, methods.as_mut_ptr().cast()),
            ],
        )
    };
    TYPE.store(kind.cast(), Ordering::Release);
    kind
}
