//! What a queue tells of, as tuples: each begins with its kind and the number of what it's about.

use core::mem::MaybeUninit;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{CallContext, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_OK, Response};
use rustbridge_host_abi as abi;

use crate::convert::{none, take_bytes};
use crate::ending;
use crate::error::raise;
use crate::gil::without_gil;
use crate::header::{bytes_or_none, number, objects, release, tuple};

/// How many events are fetched at once, and how many bytes of payloads go with them; larger ones are handed over.
const EVENTS: usize = 64;
const ARENA: usize = 4096;

/// `queue_poll(queue, timeout_ms) -> tuple of events`. Waits without the GIL, and doesn't let go of it if it doesn't wait:
/// whoever completes holds the queue's lock for a few instructions, and runs nothing of ours.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn next(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: the arguments are the caller's. What was fetched lies in memory of this function's, whoever runs meanwhile.
    unsafe {
        let [queue, timeout] = match crate::operations::numbers(arguments, count) {
            Some(numbers) => numbers,
            None => return ptr::null_mut(),
        };
        let mut events = MaybeUninit::<[abi::Event; EVENTS]>::uninit();
        let first: *mut abi::Event = events.as_mut_ptr().cast();
        (&raw mut (*first).size).write(size_of::<abi::Event>() as u32);
        let mut arena = MaybeUninit::<[u64; ARENA]>::uninit();
        let arena: *mut u8 = arena.as_mut_ptr().cast();
        let mut fetched = 0;
        let mut error = Response::empty();
        let mut fetch = || {
            abi::rb_queue_poll(
                queue,
                first,
                EVENTS,
                arena,
                ARENA * size_of::<u64>(),
                timeout,
                &mut fetched,
                &mut error,
            )
        };
        let status = if timeout == 0 {
            fetch()
        } else {
            without_gil(fetch)
        };
        if status != RB_OK {
            return raise(status, &mut error);
        }
        let told = ending::PyTuple_New(fetched as Py_ssize_t);
        let mut failed = told.is_null();
        for index in 0..fetched {
            // All of them, so that each is released.
            let one = of(&mut *first.add(index));
            if one.is_null() || failed {
                py::Py_XDECREF(one);
                failed = true;
            } else {
                py::PyTuple_SetItem(told, index as Py_ssize_t, one);
            }
        }
        if failed {
            py::Py_XDECREF(told);
            return ptr::null_mut();
        }
        told
    }
}

/// # Safety
/// The GIL is held; the event was fetched, and what's in it is still there. It's released here.
unsafe fn of(event: &mut abi::Event) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        let kind = py::PyLong_FromUnsignedLong(event.kind.into());
        let op = py::PyLong_FromUnsignedLongLong(event.op);
        match event.kind {
            abi::RB_EVENT_DONE => tuple([
                kind,
                op,
                py::PyLong_FromLong(event.status.into()),
                take_bytes(&mut event.response),
                bytes_or_none(&mut event.reply.trailers),
                objects(&mut event.reply.objects),
            ]),
            abi::RB_EVENT_ITEMS => tuple([
                kind,
                op,
                py::PyLong_FromUnsignedLong(event.count.into()),
                py::PyLong_FromUnsignedLong(event.flags.into()),
                take_bytes(&mut event.response),
                objects(&mut event.reply.objects),
            ]),
            abi::RB_EVENT_HEADERS => tuple([kind, op, take_bytes(&mut event.response)]),
            abi::RB_EVENT_DEMAND => tuple([
                kind,
                op,
                py::PyLong_FromUnsignedLongLong(event.items),
                py::PyLong_FromUnsignedLongLong(event.bytes),
            ]),
            abi::RB_EVENT_SERVICE => tuple([
                kind,
                op,
                py::PyLong_FromUnsignedLongLong(event.user_data),
                // Before the request, with which its memory goes.
                beside(event.call_context),
                take_bytes(&mut event.response),
            ]),
            abi::RB_EVENT_SERVICE_CANCEL => {
                tuple([kind, op, py::PyLong_FromUnsignedLongLong(event.user_data)])
            }
            // No other kind is told by the library of this version.
            _ => {
                release(&mut event.response);
                tuple([kind, op])
            }
        }
    }
}

/// What came with a service's call: None, or `(timeout_ns | None, trace | None, state, metadata, number)`.
///
/// # Safety
/// The GIL is held; `header` is null, or valid.
pub(crate) unsafe fn beside(header: *const CallContext) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(header) = header.as_ref() else {
            return none();
        };
        let timeout = if header.flags & RB_CONTEXT_TIMEOUT == 0 {
            none()
        } else {
            py::PyLong_FromUnsignedLongLong(header.timeout_ns)
        };
        let trace = if header.flags & RB_CONTEXT_TRACE == 0 {
            none()
        } else {
            let mut trace = [0; 28];
            trace[..16].copy_from_slice(&header.trace_id);
            trace[16..24].copy_from_slice(&header.span_id);
            trace[24..].copy_from_slice(&header.trace_flags.to_ne_bytes());
            bytes(trace.as_ptr(), trace.len())
        };
        tuple([
            timeout,
            trace,
            bytes(header.trace_state.data.cast(), header.trace_state.len),
            bytes(header.metadata, header.metadata_len),
            py::PyLong_FromUnsignedLongLong(header.op),
        ])
    }
}

/// # Safety
/// The GIL is held; the bytes are readable.
pub(crate) unsafe fn bytes(data: *const u8, len: usize) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        let data = if len == 0 { c"".as_ptr() } else { data.cast() };
        py::PyBytes_FromStringAndSize(data, len as Py_ssize_t)
    }
}

/// `queue_new() -> int`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn new(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    let mut queue = 0;
    let mut error = Response::empty();
    // SAFETY: the places are ours.
    unsafe {
        match abi::rb_queue_new(&mut queue, &mut error) {
            RB_OK => py::PyLong_FromUnsignedLongLong(queue),
            status => raise(status, &mut error),
        }
    }
}

/// `queue_fd(queue) -> int`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn fd(_: *mut PyObject, queue: *mut PyObject) -> *mut PyObject {
    let mut descriptor = -1;
    let mut error = Response::empty();
    // SAFETY: the places are ours.
    unsafe {
        let Some(queue) = number(queue) else {
            return ptr::null_mut();
        };
        match abi::rb_queue_fd(queue, &mut descriptor, &mut error) {
            RB_OK => py::PyLong_FromSsize_t(descriptor),
            status => raise(status, &mut error),
        }
    }
}

/// `queue_wake(queue)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn wake(_: *mut PyObject, queue: *mut PyObject) -> *mut PyObject {
    // SAFETY: the place is ours.
    unsafe {
        crate::operations::with_number(queue, |queue, error| abi::rb_queue_wake(queue, error))
    }
}

/// `queue_close(queue)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn close(_: *mut PyObject, queue: *mut PyObject) -> *mut PyObject {
    // SAFETY: the place is ours.
    unsafe {
        crate::operations::with_number(queue, |queue, error| abi::rb_queue_close(queue, error))
    }
}
