//! What a call carries beside its request, and what comes back beside its answer, between tuples of Python's and the ABI.

use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{CallContext, ReplyHeaders, Response, StatusCode, Text};
use rustbridge_core::handles;

use crate::convert::{self, none, take_bytes};
use crate::ending;
use crate::error::fail;

/// Bytes of a trace as Python gives it: its id, the span's, and the flags.
const TRACE: usize = 28;

/// What one call carries, and room for what comes back.
pub(crate) struct CallData {
    header: CallContext,
    objects: Vec<u64>,
    reply: ReplyHeaders,
    given: bool,
}

impl CallData {
    /// Reads `None`, or `(flags, timeout_ns, trace, state, metadata, objects, number)`: two numbers, bytes, each of which may be
    /// empty, and the number of the caller's context, 0 for none. No value with an exception.
    ///
    /// # Safety
    /// The GIL is held; what's read is borrowed from `object`.
    pub(crate) unsafe fn read(object: *mut PyObject) -> Option<CallData> {
        let mut carried = CallData {
            header: CallContext::EMPTY,
            objects: Vec::new(),
            reply: ReplyHeaders::empty(),
            given: false,
        };
        // SAFETY: each item is looked at before it's used as what it has to be.
        unsafe {
            if object == py::Py_None() {
                return Some(carried);
            }
            if py::PyTuple_Check(object) == 0 || py::PyTuple_Size(object) != 7 {
                return refuse();
            }
            let header = &mut carried.header;
            header.flags = number(py::PyTuple_GetItem(object, 0))? as u32;
            header.timeout_ns = number(py::PyTuple_GetItem(object, 1))?;
            let trace = bytes(py::PyTuple_GetItem(object, 2))?;
            if trace.len() == TRACE {
                header.trace_id.copy_from_slice(&trace[..16]);
                header.span_id.copy_from_slice(&trace[16..24]);
                let mut flags = [0; 4];
                flags.copy_from_slice(&trace[24..]);
                header.trace_flags = u32::from_ne_bytes(flags);
            } else if !trace.is_empty() {
                return refuse();
            }
            let state = bytes(py::PyTuple_GetItem(object, 3))?;
            header.trace_state = Text {
                data: state.as_ptr().cast(),
                len: state.len(),
            };
            let metadata = bytes(py::PyTuple_GetItem(object, 4))?;
            if !metadata.is_empty() {
                header.metadata = metadata.as_ptr();
                header.metadata_len = metadata.len();
            }
            for one in bytes(py::PyTuple_GetItem(object, 5))?.chunks_exact(8) {
                let mut word = [0; 8];
                word.copy_from_slice(one);
                carried.objects.push(u64::from_ne_bytes(word));
            }
            header.op = number(py::PyTuple_GetItem(object, 6))?;
            header.object_count = carried.objects.len() as u32;
            header.objects = carried.objects.as_ptr();
            carried.given = true;
        }
        Some(carried)
    }

    /// One that lends objects and says nothing else; they have to stay where they are as long as this is used.
    pub(crate) fn lending(objects: &[u64]) -> CallData {
        CallData {
            header: CallContext {
                objects: objects.as_ptr(),
                object_count: objects.len() as u32,
                ..CallContext::EMPTY
            },
            objects: Vec::new(),
            reply: ReplyHeaders::empty(),
            given: true,
        }
    }

    /// The header, or null; valid while this stays where it is.
    pub(crate) fn pointer(&mut self) -> *const CallContext {
        if !self.given {
            return ptr::null();
        }
        // The place for headers is there whether the flags speak of it or not.
        self.header.reply = (&raw mut self.reply).cast();
        &self.header
    }

    /// `(status, payload, trailers, objects, headers)` of a call that's over, or just bytes where there's nothing else to say.
    ///
    /// # Safety
    /// The GIL is held; the response is that of the call, and released here.
    pub(crate) unsafe fn answer(
        &mut self,
        status: StatusCode,
        response: &mut Response,
    ) -> *mut PyObject {
        let ReplyHeaders { reply, headers } = &mut self.reply;
        let said = reply.trailers.len | reply.objects.len | headers.len;
        // SAFETY: the caller's promise.
        unsafe {
            if status == 0 && said == 0 {
                release(&mut reply.trailers);
                release(&mut reply.objects);
                release(headers);
                return take_bytes(response);
            }
            tuple([
                py::PyLong_FromLong(status.into()),
                take_bytes(response),
                bytes_or_none(&mut reply.trailers),
                objects(&mut reply.objects),
                bytes_or_none(headers),
            ])
        }
    }
}

#[cold]
unsafe fn refuse<T>() -> Option<T> {
    // SAFETY: the GIL is held, as by whoever reads.
    unsafe {
        fail(
            &raw mut py::PyExc_TypeError,
            c"a header is None, or a tuple of two numbers, four bytes objects and a number",
        )
    };
    None
}

/// A number; no value with an exception.
///
/// # Safety
/// The GIL is held; `object` is one.
#[inline]
pub(crate) unsafe fn number(object: *mut PyObject) -> Option<u64> {
    // SAFETY: the caller's promise. The number that tells of a failure may be one that's meant.
    unsafe {
        let number = py::PyLong_AsUnsignedLongLong(object);
        (number != u64::MAX || py::PyErr_Occurred().is_null()).then_some(number)
    }
}

/// The content of a bytes object; no value with an exception.
///
/// # Safety
/// The GIL is held; the content is used no longer than the object lives.
#[inline]
pub(crate) unsafe fn bytes<'a>(object: *mut PyObject) -> Option<&'a [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyBytes_Check(object) == 0 {
            fail(&raw mut py::PyExc_TypeError, c"expected a bytes object");
            return None;
        }
        let (data, len) = convert::bytes(object);
        Some(core::slice::from_raw_parts(data, len))
    }
}

/// A tuple of new references, which it takes over; null with an exception where one of them is null.
///
/// # Safety
/// The GIL is held.
pub(crate) unsafe fn tuple<const N: usize>(items: [*mut PyObject; N]) -> *mut PyObject {
    // SAFETY: each reference is handed to the tuple, or given up.
    unsafe {
        let tuple = if items.iter().any(|item| item.is_null()) {
            ptr::null_mut()
        } else {
            ending::PyTuple_New(N as Py_ssize_t)
        };
        if tuple.is_null() {
            for item in items {
                py::Py_XDECREF(item);
            }
            return tuple;
        }
        for (index, item) in items.into_iter().enumerate() {
            py::PyTuple_SetItem(tuple, index as Py_ssize_t, item);
        }
        tuple
    }
}

/// The bytes of a response, which is released, or None where there are none.
///
/// # Safety
/// The GIL is held; the response is filled in.
pub(crate) unsafe fn bytes_or_none(response: &mut Response) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        if response.len == 0 {
            release(response);
            return none();
        }
        take_bytes(response)
    }
}

/// The numbers of objects as a tuple, or None; the response is released.
///
/// # Safety
/// The GIL is held; the response is filled in.
pub(crate) unsafe fn objects(response: &mut Response) -> *mut PyObject {
    // SAFETY: `len` bytes are readable, of any alignment.
    unsafe {
        let count = response.len / 8;
        if count == 0 {
            release(response);
            return none();
        }
        let tuple = ending::PyTuple_New(count as Py_ssize_t);
        if !tuple.is_null() {
            for index in 0..count {
                let number = response.data.cast::<u64>().add(index).read_unaligned();
                let number = py::PyLong_FromUnsignedLongLong(number);
                py::PyTuple_SetItem(tuple, index as Py_ssize_t, number);
            }
        }
        release(response);
        tuple
    }
}

/// Releases a response that may have been handed over.
///
/// # Safety
/// The response is filled in.
pub(crate) unsafe fn release(response: &mut Response) {
    if response.release.is_some() {
        // SAFETY: the caller's promise.
        unsafe { handles::release(response) };
    }
}
