//! `_native.Method`: a prepared method, its type, and what its functions make of their arguments.

use core::cell::Cell;
use core::ffi::{c_uint, c_ulonglong, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};
use rustbridge_abi::{Encoding, RB_OK, Response};

use crate::arguments::{Arguments, delegate, of_call_raw};
use crate::borrowed::Borrowed;
use crate::class;
use crate::convert;
use crate::ending;
use crate::error::{fail, raise};
use crate::response;

/// The object. Immutable once made, but for `storage` and what's known of long responses, which the GIL guards.
#[repr(C)]
pub(crate) struct MethodObject {
    base: PyObject,
    pub(crate) handle: u64,
    pub(crate) entry: u32,
    /// Request and storage are both shorter when the GIL is kept; 0 unless the method is leaf.
    pub(crate) leaf_below: usize,
    /// How much storage to offer the next call.
    pub(crate) storage: Cell<usize>,
    /// How much storage to offer at most.
    pub(crate) buffer_limit: usize,
    /// How long the last response was that became bytes and didn't fit on the stack.
    pub(crate) last_long: Cell<usize>,
    /// Whether the one before it was as long: then the next one goes into bytes of that length at once.
    pub(crate) repeats: Cell<bool>,
    json: bool,
    pub(crate) pod: bool,
    pub(crate) response_size: usize,
}

/// The type, made with the module and kept for good.
static TYPE: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

impl MethodObject {
    /// The method that an object is, if it's one.
    ///
    /// # Safety
    /// The GIL is held; the method is used no longer than the object lives.
    #[inline(always)]
    pub(crate) unsafe fn of<'a>(object: *mut PyObject) -> Option<&'a MethodObject> {
        // SAFETY: an object of a subclass begins as one of the type.
        unsafe {
            let is_one = py::PyType_IsSubtype(py::Py_TYPE(object), TYPE.load(Ordering::Acquire));
            (is_one != 0).then(|| &*object.cast())
        }
    }
}

/// `call_json(text)`.
unsafe extern "C" fn call_json(object: *mut PyObject, text: *mut PyObject) -> *mut PyObject {
    // SAFETY: the descriptor has checked `object`; `text` is the caller's and lives as long as the call.
    unsafe {
        let this = &*object.cast::<MethodObject>();
        if !this.json {
            return delegate(object, c"_refuse_json", &[]);
        }
        if py::PyUnicode_Check(text) != 0 {
            let Some(text) = convert::text(text) else {
                return ptr::null_mut();
            };
            return this.call_text(text.data.cast(), text.len, 0);
        }
        if py::PyBytes_Check(text) != 0 {
            let (data, len) = convert::bytes(text);
            return this.call_text(data, len, 0);
        }
        if py::PyObject_CheckBuffer(text) == 0 {
            return delegate(object, c"_refuse_text", &[text]);
        }
        match Borrowed::request(text, false) {
            Some(text) => this.call_text(text.data(), text.len(), text.shared()),
            None => ptr::null_mut(),
        }
    }
}

/// `call_raw(request, into=None)`.
unsafe extern "C" fn call_raw(
    object: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the descriptor has checked `object`; the arguments are the caller's and live as long as the call.
    unsafe {
        let this = &*object.cast::<MethodObject>();
        if count == 1 && names.is_null() {
            let request = *arguments;
            if py::PyBytes_CheckExact(request) != 0 {
                let (data, len) = convert::bytes(request);
                return this.call_bytes(data, len, 0);
            }
            return match Borrowed::request(request, false) {
                Some(request) => this.call_bytes(request.data(), request.len(), request.shared()),
                None => ptr::null_mut(),
            };
        }
        let Some(arguments) = of_call_raw(arguments, count, names) else {
            return ptr::null_mut();
        };
        let Arguments {
            request,
            into,
            unshared,
        } = arguments;
        if into.is_null() || into == py::Py_None() {
            return match Borrowed::request(request, unshared) {
                Some(request) => this.call_bytes(request.data(), request.len(), request.shared()),
                None => ptr::null_mut(),
            };
        }
        // A type to be made, a wrong size: what to say about those is written once, in Python.
        if py::PyType_Check(into) == 0 {
            let Some(target) = Borrowed::target(into) else {
                return ptr::null_mut();
            };
            if !this.pod || this.response_size <= target.len() {
                let Some(source) = Borrowed::request(request, unshared) else {
                    return ptr::null_mut();
                };
                if !source.overlaps(&target) {
                    return fill_borrowed(this, &source, &target, object);
                }
            }
        }
        let unshared = if unshared {
            py::Py_True()
        } else {
            py::Py_False()
        };
        delegate(object, c"_call_into", &[request, into, unshared])
    }
}

/// Calls with the response going to `target`: its length; or if it doesn't fit, what Python makes of its bytes.
///
/// # Safety
/// The GIL is held; the buffers don't overlap.
unsafe fn fill_borrowed(
    this: &MethodObject,
    source: &Borrowed,
    target: &Borrowed,
    object: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the target is writable and held.
    unsafe {
        let answer = this.fill(source, target);
        if answer.is_null() || py::PyBytes_Check(answer) == 0 {
            return answer;
        }
        let capacity = py::PyLong_FromSize_t(target.len());
        let raised = if capacity.is_null() {
            capacity
        } else {
            delegate(object, c"_refuse_size", &[answer, capacity])
        };
        py::Py_XDECREF(capacity);
        py::Py_DECREF(answer);
        raised
    }
}

/// `_fill(request, target, unshared)`: the primitive under `_call_into`.
unsafe extern "C" fn fill_method(
    object: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: as for `call_raw`.
    unsafe {
        if count != 3 {
            return fail(
                &raw mut py::PyExc_TypeError,
                c"_fill takes a request, a writable buffer, and whether the request is unshared",
            );
        }
        let this = &*object.cast::<MethodObject>();
        let unshared = *arguments.add(2) == py::Py_True();
        let Some(source) = Borrowed::request(*arguments, unshared) else {
            return ptr::null_mut();
        };
        let Some(target) = Borrowed::target(*arguments.add(1)) else {
            return ptr::null_mut();
        };
        this.fill(&source, &target)
    }
}

/// `_lease(request, unshared)`: the response stays in the plugin's memory.
unsafe extern "C" fn lease(
    object: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: without storage of ours, whatever isn't empty is handed over; the new object takes it.
    unsafe {
        if count != 2 {
            return fail(
                &raw mut py::PyExc_TypeError,
                c"_lease takes a request and whether it is unshared",
            );
        }
        let this = &*object.cast::<MethodObject>();
        let unshared = *arguments.add(1) == py::Py_True();
        let Some(request) = Borrowed::request(*arguments, unshared) else {
            return ptr::null_mut();
        };
        let mut answer = Response::empty();
        match this.cross(request.data(), request.len(), request.shared(), &mut answer) {
            RB_OK => response::wrap(answer),
            status => raise(status, &mut answer),
        }
    }
}

/// `Method(handle, entry, encoding, response_size, leaf_limit, storage, buffer_limit)`. A made-up handle or entry is
/// harmless: the core checks both at each call, and also that a method called with the GIL held is a leaf.
unsafe extern "C" fn new(
    kind: *mut PyTypeObject,
    arguments: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    let (mut handle, mut response_size, mut buffer_limit): (c_ulonglong, c_ulonglong, c_ulonglong) =
        (0, 0, 0);
    let (mut entry, mut encoding, mut leaf_limit, mut storage): (c_uint, c_uint, c_uint, c_uint) =
        (0, 0, 0, 0);
    // SAFETY: the format matches the places; a fresh object of this type has room for the struct.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"KIIKIIK:Method".as_ptr(),
            &mut handle as *mut c_ulonglong,
            &mut entry as *mut c_uint,
            &mut encoding as *mut c_uint,
            &mut response_size as *mut c_ulonglong,
            &mut leaf_limit as *mut c_uint,
            &mut storage as *mut c_uint,
            &mut buffer_limit as *mut c_ulonglong,
        ) == 0
        {
            return ptr::null_mut();
        }
        if response_size > Py_ssize_t::MAX as u64 / 2 {
            return fail(
                &raw mut py::PyExc_OverflowError,
                c"no response is that large",
            );
        }
        let object = ending::PyType_GenericAlloc(kind, 0);
        if !object.is_null() {
            let this: *mut MethodObject = object.cast();
            (*this).handle = handle;
            (*this).entry = entry;
            (*this).leaf_below = match leaf_limit {
                0 => 0,
                limit => limit as usize + 1,
            };
            (*this).storage.set(storage as usize);
            (*this).buffer_limit = buffer_limit as usize;
            (*this).json = encoding == Encoding::Json.code();
            (*this).pod = encoding == Encoding::Pod.code();
            (*this).response_size = response_size as usize;
        }
        object
    }
}

/// Makes the type; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held. Called once, while the module is made.
pub(crate) unsafe fn make_type() -> *mut PyObject {
    let methods = Box::leak(Box::new([
        py::PyMethodDef {
            ml_name: c"call_json".as_ptr(),
            ml_meth: py::PyMethodDefPointer { PyCFunction: call_json },
            ml_flags: py::METH_O,
            ml_doc: c"call_json($self, text, /)\n--\n\nCall with JSON text and return JSON text.".as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"call_raw".as_ptr(),
            ml_meth: py::PyMethodDefPointer { PyCFunctionFastWithKeywords: call_raw },
            ml_flags: py::METH_FASTCALL | py::METH_KEYWORDS,
            ml_doc: c"call_raw($self, request, into=None, *, unshared=False)\n--\n\nCall with the bytes of any contiguous buffer.".as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"_fill".as_ptr(),
            ml_meth: py::PyMethodDefPointer { PyCFunctionFast: fill_method },
            ml_flags: py::METH_FASTCALL,
            ml_doc: c"_fill($self, request, target, unshared, /)\n--\n\nCall with the response going to a buffer.".as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"_lease".as_ptr(),
            ml_meth: py::PyMethodDefPointer { PyCFunctionFast: lease },
            ml_flags: py::METH_FASTCALL,
            ml_doc: c"_lease($self, request, unshared, /)\n--\n\nCall and leave the response with the plugin.".as_ptr(),
        },
        py::PyMethodDef::zeroed(),
    ]));
    // SAFETY: the slots describe functions of the signatures Python expects, and the method table lives for good.
    let kind = unsafe {
        class::make::<MethodObject>(
            c"rustbridge._native.Method",
            c"A prepared method.",
            py::Py_TPFLAGS_BASETYPE,
            &[
                (py::Py_tp_new, new as *mut c_void),
                (py::Py_tp_methods, methods.as_mut_ptr().cast()),
            ],
        )
    };
    TYPE.store(kind.cast(), Ordering::Release);
    kind
}
