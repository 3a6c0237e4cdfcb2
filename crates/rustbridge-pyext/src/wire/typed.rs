//! `_native.Typed`: what writes and reads the values of one method, and calls it.

use core::ffi::c_void;
use core::ptr;
use core::slice;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};
use rustbridge_abi::Response;
use rustbridge_core::handles;

use super::input::In;
use super::limits::{Done, Fallback};
use super::nodes::{Node, Place};
use super::output::{OutputBuffer, Room};
use super::plan::{Plan, PlanObject};
use super::read::number;
use crate::arguments::call_with_all;
use crate::class::{self, Keeps};
use crate::convert::take_bytes;
use crate::ending;
use crate::error::fail;
use crate::method::MethodObject;
use crate::object::{OwnedRef, call_one};

/// The object. Immutable once made.
#[repr(C)]
struct TypedObject {
    base: PyObject,
    /// The tuple that keeps alive what is pointed to below.
    arguments: *mut PyObject,
    plan: *const Plan,
    request: Place,
    response: Place,
    /// What it calls, or null.
    called: *const MethodObject,
    /// What Python makes of a value, and of bytes, that the plan isn't for; and of a call with such a value.
    encode: *mut PyObject,
    decode: *mut PyObject,
    call: *mut PyObject,
    /// What gives an exception in the place of what a call has failed with, or None.
    raising: *mut PyObject,
}

// SAFETY: it's `repr(C)`, with the head first; without a tuple nothing is looked at.
unsafe impl Keeps for TypedObject {
    fn arguments(&self) -> *mut PyObject {
        self.arguments
    }
}

impl TypedObject {
    /// # Safety
    /// The object is made.
    unsafe fn plan(&self) -> &Plan {
        // SAFETY: the arguments hold the plan.
        unsafe { &*self.plan }
    }

    /// Writes a value of the request's type.
    ///
    /// # Safety
    /// The GIL is held; the object is made; the value lives as long as the call.
    #[inline(always)]
    unsafe fn write(&self, value: *mut PyObject, out: &mut OutputBuffer<'_>) -> Done {
        // SAFETY: the place was looked at when this was made.
        unsafe {
            match &self.plan().nodes[self.request] {
                // By itself a number is the smallest of calls, of which going through all that a value could be is a part.
                Node::Number(number) => return out.number(*number, value),
                _ => self.plan().write(self.request, value, out, 0)?,
            }
        }
        out.checked()
    }

    /// Writes a tuple of the request's type, whose values come one by one.
    ///
    /// # Safety
    /// As for `write`; there are as many values as places, which are the plan's.
    unsafe fn write_several(
        &self,
        places: &[Place],
        depth: usize,
        values: *const *mut PyObject,
        out: &mut OutputBuffer<'_>,
    ) -> Done {
        // SAFETY: the caller's promise.
        unsafe {
            let plan = self.plan();
            for (index, place) in places.iter().enumerate() {
                plan.write_part(*place, *values.add(index), out, depth)?;
            }
        }
        out.checked()
    }

    /// Reads a value of the response's type.
    ///
    /// # Safety
    /// As for `plan`.
    #[inline(always)]
    unsafe fn read(&self, bytes: &[u8]) -> Result<OwnedRef, Fallback> {
        // SAFETY: the place was looked at when this was made.
        unsafe {
            let mut input = In::new(bytes);
            let value = match &self.plan().nodes[self.response] {
                Node::Number(kind) => {
                    OwnedRef::new(number(*kind, input.take(kind.size())?)).ok_or(Fallback)?
                }
                _ => self.plan().read(self.response, &mut input, 0)?,
            };
            if input.is_at_end() {
                Ok(value)
            } else {
                Err(Fallback)
            }
        }
    }
}

/// Whether Python is to try what the plan isn't for: not if there's a Ctrl-C or the like to be raised.
///
/// # Safety
/// The GIL is held.
#[cold]
unsafe fn may_try() -> bool {
    // SAFETY: the exceptions live as long as the interpreter.
    unsafe {
        if py::PyErr_Occurred().is_null() {
            return true;
        }
        if py::PyErr_ExceptionMatches(py::PyExc_Exception) == 0 {
            return false;
        }
        py::PyErr_Clear();
        true
    }
}

/// Lets Python try.
///
/// # Safety
/// The GIL is held; both live as long as the call.
#[cold]
unsafe fn try_python(callable: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        if may_try() {
            call_one(callable, argument)
        } else {
            ptr::null_mut()
        }
    }
}

/// `call(request, options=None)`.
unsafe extern "C" fn call(
    object: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the descriptor has checked `object`; the arguments are the caller's and live as long as the call.
    unsafe {
        let this = &*object.cast::<TypedObject>();
        let is_plain =
            names.is_null() && (count == 1 || count == 2 && *arguments.add(1) == py::Py_None());
        let (Some(method), true) = (this.called.as_ref(), is_plain) else {
            return pass_on(this, arguments, count, names);
        };
        call_plain(this, method, *arguments)
    }
}

/// `call_single(request, *, options=None)`, of a method of a client.
unsafe extern "C" fn call_single(
    object: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as for `call`.
    unsafe {
        let this = &*object.cast::<TypedObject>();
        if let (Some(method), 1, true) = (this.called.as_ref(), count, names.is_null()) {
            return call_plain(this, method, *arguments);
        }
        pass_on(this, arguments, count, names)
    }
}

/// `call_bare(*, options=None)`, of a method whose request is nothing. Arguments are for the Python function, which accepts no request.
unsafe extern "C" fn call_bare(
    object: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as for `call`.
    unsafe {
        let this = &*object.cast::<TypedObject>();
        if let (Some(method), 0, true) = (this.called.as_ref(), count, names.is_null()) {
            return call_plain(this, method, py::Py_None());
        }
        pass_on(this, arguments, count, names)
    }
}

/// `call_several(*values, options=None)`, of a method whose request is a tuple: with its values one by one.
unsafe extern "C" fn call_several(
    object: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as for `call`.
    unsafe {
        let this = &*object.cast::<TypedObject>();
        let several = this.plan().values_of(this.request);
        if let (Some(method), Some((items, depth)), true) =
            (this.called.as_ref(), several, names.is_null())
            && count == items.len() as Py_ssize_t
        {
            let mut room = Room::new();
            let mut out = OutputBuffer::new(&mut room);
            if this
                .write_several(items, depth, arguments, &mut out)
                .is_ok()
            {
                return call_written(this, method, &out);
            }
            drop(out);
            if !may_try() {
                return ptr::null_mut();
            }
        }
        pass_on(this, arguments, count, names)
    }
}

/// Calls with nothing beside a request.
///
/// # Safety
/// The GIL is held; the request lives as long as the call.
#[inline(always)]
unsafe fn call_plain(
    this: &TypedObject,
    method: &MethodObject,
    request: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the message stays where it is until the call is over.
    unsafe {
        let mut room = Room::new();
        let mut out = OutputBuffer::new(&mut room);
        if this.write(request, &mut out).is_err() {
            drop(out);
            return try_python(this.call, request);
        }
        call_written(this, method, &out)
    }
}

/// Calls with what is written.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
unsafe fn call_written(
    this: &TypedObject,
    method: &MethodObject,
    out: &OutputBuffer<'_>,
) -> *mut PyObject {
    let message = out.message();
    // SAFETY: the message stays where it is until the call is over.
    unsafe {
        let value = method.call_taking(message.as_ptr(), message.len(), |response| {
            answer(this, response)
        });
        if value.is_null() { raise(this) } else { value }
    }
}

/// Puts the client's own exception in the place of what a call has failed with. Always null.
///
/// # Safety
/// The GIL is held, and there's an exception.
#[cold]
unsafe fn raise(this: &TypedObject) -> *mut PyObject {
    // SAFETY: the exceptions live as long as the interpreter; what is fetched belongs to this, and is given up.
    unsafe {
        if this.raising == py::Py_None() || py::PyErr_ExceptionMatches(py::PyExc_Exception) == 0 {
            return ptr::null_mut();
        }
        let [mut kind, mut failed, mut trace] = [ptr::null_mut(); 3];
        py::PyErr_Fetch(&mut kind, &mut failed, &mut trace);
        py::PyErr_NormalizeException(&mut kind, &mut failed, &mut trace);
        let error = call_one(this.raising, failed);
        if error.is_null() {
            // Out of memory, or a Ctrl-C meanwhile.
            py::Py_XDECREF(kind);
            py::Py_XDECREF(failed);
            py::Py_XDECREF(trace);
        } else if error == failed {
            py::Py_DECREF(error);
            py::PyErr_Restore(kind, failed, trace);
        } else {
            ending::PyErr_SetObject(py::Py_TYPE(error).cast(), error);
            py::Py_DECREF(error);
            py::Py_XDECREF(kind);
            py::Py_XDECREF(failed);
            py::Py_XDECREF(trace);
        }
        ptr::null_mut()
    }
}

/// What there is to be said beside a request, and arguments by their names, are for Python.
#[cold]
unsafe fn pass_on(
    this: &TypedObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    unsafe { call_with_all(this.call, arguments, count, names) }
}

/// Makes a value of a response, and releases it.
///
/// # Safety
/// The GIL is held; the response is filled in.
#[inline(always)]
unsafe fn answer(this: &TypedObject, response: &mut Response) -> *mut PyObject {
    // SAFETY: a filled-in response has `len` readable bytes at `data`, which may be null only for none.
    unsafe {
        let bytes = if response.len == 0 {
            &[]
        } else {
            slice::from_raw_parts(response.data, response.len)
        };
        match this.read(bytes) {
            Ok(value) => {
                if response.release.is_some() {
                    handles::release(response);
                }
                value.give()
            }
            Err(Fallback) => {
                let may_try = may_try();
                let bytes = take_bytes(response);
                if !may_try || bytes.is_null() {
                    py::Py_XDECREF(bytes);
                    return ptr::null_mut();
                }
                let answer = call_one(this.decode, bytes);
                py::Py_DECREF(bytes);
                answer
            }
        }
    }
}

/// `encode(value)`.
unsafe extern "C" fn encode(object: *mut PyObject, value: *mut PyObject) -> *mut PyObject {
    // SAFETY: the descriptor has checked `object`; the value is the caller's.
    unsafe {
        let this = &*object.cast::<TypedObject>();
        let mut room = Room::new();
        let mut out = OutputBuffer::new(&mut room);
        if this.write(value, &mut out).is_err() {
            drop(out);
            return try_python(this.encode, value);
        }
        let message = out.message();
        py::PyBytes_FromStringAndSize(message.as_ptr().cast(), message.len() as Py_ssize_t)
    }
}

/// `decode(data)`.
unsafe extern "C" fn decode(object: *mut PyObject, data: *mut PyObject) -> *mut PyObject {
    // SAFETY: the descriptor has checked `object`; the bytes are the caller's, and nobody changes them.
    unsafe {
        let this = &*object.cast::<TypedObject>();
        if py::PyBytes_CheckExact(data) == 0 {
            return try_python(this.decode, data);
        }
        let (bytes, len) = crate::convert::bytes(data);
        match this.read(slice::from_raw_parts(bytes, len)) {
            Ok(value) => value.give(),
            Err(Fallback) => try_python(this.decode, data),
        }
    }
}

/// `Typed(plan, request, response, encode, decode, method, call, raising=None)`: places of the plan, and what Python does instead.
unsafe extern "C" fn new(
    kind: *mut PyTypeObject,
    arguments: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    let [mut plan, mut encode, mut decode, mut method, mut call] = [ptr::null_mut(); 5];
    let (mut request, mut response): (Py_ssize_t, Py_ssize_t) = (0, 0);
    // SAFETY: None lives as long as the interpreter; the format matches the places; a fresh object of this type has room for the struct, and keeps the tuple.
    unsafe {
        let mut raising = py::Py_None();
        if py::PyArg_ParseTuple(
            arguments,
            c"OnnOOOO|O:Typed".as_ptr(),
            &mut plan as *mut *mut PyObject,
            &mut request as *mut Py_ssize_t,
            &mut response as *mut Py_ssize_t,
            &mut encode as *mut *mut PyObject,
            &mut decode as *mut *mut PyObject,
            &mut method as *mut *mut PyObject,
            &mut call as *mut *mut PyObject,
            &mut raising as *mut *mut PyObject,
        ) == 0
        {
            return ptr::null_mut();
        }
        let known = PlanObject::of(plan).filter(|plan| {
            [request, response]
                .iter()
                .all(|place| usize::try_from(*place).is_ok_and(|place| place < plan.nodes.len()))
        });
        let Some(known) = known else {
            return fail(
                &raw mut py::PyExc_TypeError,
                c"Typed takes a plan, and two places in it",
            );
        };
        let object = ending::PyType_GenericAlloc(kind, 0);
        if !object.is_null() {
            let this: *mut TypedObject = object.cast();
            (*this).arguments = py::Py_NewRef(arguments);
            (*this).plan = ptr::from_ref(known);
            (*this).request = request as Place;
            (*this).response = response as Place;
            (*this).called = MethodObject::of(method).map_or(ptr::null(), ptr::from_ref);
            (*this).encode = encode;
            (*this).decode = decode;
            (*this).call = call;
            (*this).raising = raising;
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
            ml_name: c"call".as_ptr(),
            ml_meth: py::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: call,
            },
            ml_flags: py::METH_FASTCALL | py::METH_KEYWORDS,
            ml_doc:
                c"call($self, request, options=None)\n--\n\nCall with a value and give a value."
                    .as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"call_single".as_ptr(),
            ml_meth: py::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: call_single,
            },
            ml_flags: py::METH_FASTCALL | py::METH_KEYWORDS,
            ml_doc: c"call_single($self, request, *, options=None)\n--\n\nCall with a value and give a value."
                .as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"call_bare".as_ptr(),
            ml_meth: py::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: call_bare,
            },
            ml_flags: py::METH_FASTCALL | py::METH_KEYWORDS,
            ml_doc: c"call_bare($self, /, *, options=None)\n--\n\nCall with nothing and give a value."
                .as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"call_several".as_ptr(),
            ml_meth: py::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: call_several,
            },
            ml_flags: py::METH_FASTCALL | py::METH_KEYWORDS,
            ml_doc: c"call_several($self, /, *values, **options)\n--\n\nCall with a tuple's values one by one and give a value."
                .as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"encode".as_ptr(),
            ml_meth: py::PyMethodDefPointer {
                PyCFunction: encode,
            },
            ml_flags: py::METH_O,
            ml_doc: c"encode($self, value, /)\n--\n\nWrite a request.".as_ptr(),
        },
        py::PyMethodDef {
            ml_name: c"decode".as_ptr(),
            ml_meth: py::PyMethodDefPointer {
                PyCFunction: decode,
            },
            ml_flags: py::METH_O,
            ml_doc: c"decode($self, data, /)\n--\n\nRead a response.".as_ptr(),
        },
        py::PyMethodDef::zeroed(),
    ]));
    // SAFETY: the slots describe functions of the signatures Python expects, and the method table lives for good.
    unsafe {
        class::make_keeping::<TypedObject>(
            c"rustbridge._native.Typed",
            c"The values of a method, and how it is called.",
            0,
            &[
                (py::Py_tp_new, new as *mut c_void),
                (py::Py_tp_methods, methods.as_mut_ptr().cast()),
            ],
        )
    }
}
