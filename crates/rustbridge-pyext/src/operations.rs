//! Calls that end later, and those that carry something: each function reads its arguments, lets go of the GIL, and calls the
//! host ABI. Whom an end is told to, and what it means, is Python's.

use core::mem::MaybeUninit;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{Batch, RB_OK, RB_PENDING, Response, StatusCode};
use rustbridge_host_abi as abi;

use crate::convert::none;
use crate::error::{fail, raise};
use crate::gil::without_gil;
use crate::header::{CallData, bytes, number};

/// What most answers fit in, on the stack.
const STORAGE: usize = 4096;

/// So many arguments, all of them numbers; no value with an exception.
///
/// # Safety
/// The GIL is held; the arguments are those of a fast call.
pub(crate) unsafe fn numbers<const N: usize>(
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> Option<[u64; N]> {
    // SAFETY: there are `count` arguments.
    unsafe {
        if !takes(N, count) {
            return None;
        }
        let mut found = [0; N];
        for (index, place) in found.iter_mut().enumerate() {
            *place = number(*arguments.add(index))?;
        }
        Some(found)
    }
}

unsafe fn takes(expected: usize, count: Py_ssize_t) -> bool {
    if expected as Py_ssize_t != count {
        // SAFETY: the GIL is held, as by whoever asks.
        unsafe {
            fail(
                &raw mut py::PyExc_TypeError,
                c"wrong number of arguments for a function of rustbridge._native",
            )
        };
        return false;
    }
    true
}

/// None, or what the function left in its error.
///
/// # Safety
/// The GIL is held; `run` touches no Python object.
unsafe fn finish(run: impl FnOnce(&mut Response) -> StatusCode) -> *mut PyObject {
    let mut error = Response::empty();
    // SAFETY: the caller's promise. Without the GIL: a plugin's code may run, which logs.
    unsafe {
        match without_gil(|| run(&mut error)) {
            RB_OK => none(),
            status => raise(status, &mut error),
        }
    }
}

/// Runs a function of one number.
///
/// # Safety
/// The GIL is held; `run` touches no Python object.
pub(crate) unsafe fn with_number(
    object: *mut PyObject,
    run: impl FnOnce(u64, &mut Response) -> StatusCode,
) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        match number(object) {
            Some(number) => finish(|error| run(number, error)),
            None => ptr::null_mut(),
        }
    }
}

/// `submit(queue, handle, entry, request, flags, header, items, bytes)`: the operation's number if it's pending, and otherwise
/// what [`call_with`] gives.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn submit(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: the request and what the header has are borrowed from objects that the caller holds.
    unsafe {
        if !takes(8, count) {
            return ptr::null_mut();
        }
        let at = |index: usize| *arguments.add(index);
        let (Some(queue), Some(instance), Some(entry), Some(request), Some(flags)) = (
            number(at(0)),
            number(at(1)),
            number(at(2)),
            bytes(at(3)),
            number(at(4)),
        ) else {
            return ptr::null_mut();
        };
        let (Some(mut carried), Some(items), Some(most)) =
            (CallData::read(at(5)), number(at(6)), number(at(7)))
        else {
            return ptr::null_mut();
        };
        let mut storage = MaybeUninit::<[u8; STORAGE]>::uninit();
        let mut submission = abi::Submission {
            instance,
            entry: entry as u32,
            flags: flags as u32,
            call_context: carried.pointer(),
            request: request.as_ptr(),
            request_len: request.len(),
            response: Response::with_buffer(storage.as_mut_ptr().cast(), STORAGE),
            demand_items: items,
            demand_bytes: most,
            ..abi::Submission::EMPTY
        };
        let refused = without_gil(|| abi::rb_submit(queue, &mut submission, 1));
        if refused != RB_OK {
            return fail(
                &raw mut py::PyExc_RuntimeError,
                c"rustbridge._native couldn't begin a call",
            );
        }
        if submission.status == RB_PENDING {
            return py::PyLong_FromUnsignedLongLong(submission.op);
        }
        carried.answer(submission.status, &mut submission.response)
    }
}

/// `call_with(handle, entry, request, header) -> bytes | (status, payload, trailers, objects, headers)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn call_with(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: as in `submit`.
    unsafe {
        if !takes(4, count) {
            return ptr::null_mut();
        }
        match CallData::read(*arguments.add(3)) {
            Some(carried) => called(arguments, carried),
            None => ptr::null_mut(),
        }
    }
}

/// `call_lending(handle, entry, request, object)`: [`call_with`] an object's number in place of a header, which is all that most
/// calls carry that carry something.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn call_lending(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: as in `submit`.
    unsafe {
        if !takes(4, count) {
            return ptr::null_mut();
        }
        match number(*arguments.add(3)) {
            Some(object) => called(arguments, CallData::lending(&[object])),
            None => ptr::null_mut(),
        }
    }
}

/// Calls a handle's entry with a request, which are the first three arguments.
///
/// # Safety
/// The GIL is held; there are as many arguments, and what is carried stays where it is meanwhile.
unsafe fn called(arguments: *mut *mut PyObject, mut carried: CallData) -> *mut PyObject {
    // SAFETY: as in `submit`.
    unsafe {
        let at = |index: usize| *arguments.add(index);
        let (Some(instance), Some(entry), Some(request)) =
            (number(at(0)), number(at(1)), bytes(at(2)))
        else {
            return ptr::null_mut();
        };
        let mut storage = MaybeUninit::<[u8; STORAGE]>::uninit();
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), STORAGE);
        let header = carried.pointer();
        let status = without_gil(|| {
            abi::rb_call_with(
                instance,
                entry as u32,
                header,
                ptr::null_mut(),
                request.as_ptr(),
                request.len(),
                &mut response,
            )
        });
        carried.answer(status, &mut response)
    }
}

/// `op_cancel(op)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn cancel(_: *mut PyObject, op: *mut PyObject) -> *mut PyObject {
    // SAFETY: the place is ours.
    unsafe { with_number(op, |op, error| abi::rb_op_cancel(op, error)) }
}

/// `op_detach(op)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn detach(_: *mut PyObject, op: *mut PyObject) -> *mut PyObject {
    // SAFETY: the place is ours.
    unsafe { with_number(op, |op, error| abi::rb_op_detach(op, error)) }
}

/// `op_demand(op, items, bytes)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn demand(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: the arguments are the caller's.
    unsafe {
        let Some([op, items, most]) = numbers(arguments, count) else {
            return ptr::null_mut();
        };
        finish(|error| abi::rb_op_demand(op, items, most, error))
    }
}

/// `op_write(op, data, count, flags)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn write(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: the bytes are borrowed from an object that the caller holds.
    unsafe {
        if !takes(4, count) {
            return ptr::null_mut();
        }
        let at = |index: usize| *arguments.add(index);
        let (Some(op), Some(data), Some(items), Some(flags)) =
            (number(at(0)), bytes(at(1)), number(at(2)), number(at(3)))
        else {
            return ptr::null_mut();
        };
        let batch = Batch {
            flags: flags as u32,
            data: data.as_ptr(),
            len: data.len(),
            count: items as u32,
            ..Batch::EMPTY
        };
        finish(|error| abi::rb_op_write(op, &batch, error))
    }
}

/// `op_end(op, status, payload)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn end(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: as in `write`.
    unsafe {
        ended(arguments, count, |number, status, payload, error| {
            abi::rb_op_end(number, status, payload.as_ptr(), payload.len(), error)
        })
    }
}

/// `service_reply(number, status, payload)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn reply(
    _: *mut PyObject,
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: as in `write`.
    unsafe {
        ended(arguments, count, |number, status, payload, error| {
            abi::rb_service_reply(number, status, payload.as_ptr(), payload.len(), error)
        })
    }
}

/// # Safety
/// The GIL is held; the arguments are those of a fast call.
unsafe fn ended(
    arguments: *mut *mut PyObject,
    count: Py_ssize_t,
    run: impl FnOnce(u64, StatusCode, &[u8], &mut Response) -> StatusCode,
) -> *mut PyObject {
    // SAFETY: the bytes are borrowed from an object that the caller holds.
    unsafe {
        if !takes(3, count) {
            return ptr::null_mut();
        }
        let at = |index: usize| *arguments.add(index);
        let (Some(this), Some(status), Some(payload)) =
            (number(at(0)), number(at(1)), bytes(at(2)))
        else {
            return ptr::null_mut();
        };
        finish(|error| run(this, status as StatusCode, payload, error))
    }
}

/// `object_release(object) -> status`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn release_object(
    _: *mut PyObject,
    object: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: without the GIL, because the plugin's destructor may run.
    unsafe {
        let Some(object) = number(object) else {
            return ptr::null_mut();
        };
        let status = without_gil(|| abi::rb_object_release(object));
        py::PyLong_FromLong(status.into())
    }
}
