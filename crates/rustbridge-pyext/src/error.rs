//! How failures become Python exceptions.

use core::ffi::CStr;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};
use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::convert::{none, take_bytes};
use crate::ending;
use crate::object::OwnedRef;

/// A pair: what makes an exception of a status and an error payload, a Python function; and a tuple that has, at the place of
/// each status, the class of its exceptions and the status as Python knows it. Set once by the package. One for the process is
/// right because the module refuses to be imported by a second interpreter.
static FACTORY: AtomicPtr<PyObject> = AtomicPtr::new(ptr::null_mut());

/// Forgets a factory of a Python that was ended: there's nobody to give its reference up to.
pub(crate) fn forget_factory() {
    FACTORY.store(ptr::null_mut(), Ordering::Release);
}

/// `set_error_factory(factory, classes)`.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn set_error_factory(
    _: *mut PyObject,
    arguments: *mut PyObject,
) -> *mut PyObject {
    let (mut factory, mut classes) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the format matches the places; the reference to the arguments that is taken here is kept for good.
    unsafe {
        if py::PyArg_ParseTuple(
            arguments,
            c"OO:set_error_factory".as_ptr(),
            &mut factory as *mut *mut PyObject,
            &mut classes as *mut *mut PyObject,
        ) == 0
        {
            return ptr::null_mut();
        }
        let previous = FACTORY.swap(py::Py_NewRef(arguments), Ordering::AcqRel);
        py::Py_XDECREF(previous);
        none()
    }
}

/// Raises what a failed function left in `response`, and releases it. Always null, to be returned to Python.
///
/// # Safety
/// The GIL is held; `response` is filled in.
#[cold]
#[inline(never)]
pub(crate) unsafe fn raise(status: StatusCode, response: &mut Response) -> *mut PyObject {
    // SAFETY: the response is valid until it's released; every new reference is given up below.
    unsafe {
        let factory = FACTORY.load(Ordering::Acquire);
        if factory.is_null() {
            released(response);
            return fail(
                &raw mut py::PyExc_RuntimeError,
                c"rustbridge._native was used before set_error_factory",
            );
        }
        let mut error = ptr::null_mut();
        if response.len > 0 {
            let payload = core::slice::from_raw_parts(response.data, response.len);
            if let Some(fields) = Fields::of(payload) {
                error = fields.error(status, py::PyTuple_GetItem(factory, 1));
            }
        }
        if error.is_null() {
            error = made_by_python(py::PyTuple_GetItem(factory, 0), status, response);
        } else {
            released(response);
        }
        if !error.is_null() {
            ending::PyErr_SetObject(py::Py_TYPE(error).cast(), error);
            py::Py_DECREF(error);
        }
        ptr::null_mut()
    }
}

/// # Safety
/// The response is filled in, and not looked at any more.
unsafe fn released(response: &mut Response) {
    if response.release.is_some() {
        // SAFETY: the caller's promise.
        unsafe { handles::release(response) };
    }
}

/// Has the factory make an exception, and releases the response. Null with another exception if it can't.
///
/// # Safety
/// As for [`raise`]; the factory lives.
unsafe fn made_by_python(
    factory: *mut PyObject,
    status: StatusCode,
    response: &mut Response,
) -> *mut PyObject {
    // SAFETY: `take_bytes` releases the response; the tuple takes the new references.
    unsafe {
        // What hasn't come about without it isn't to be told.
        py::PyErr_Clear();
        let payload = take_bytes(response);
        if payload.is_null() {
            return ptr::null_mut();
        }
        let arguments = ending::PyTuple_New(2);
        if arguments.is_null() {
            py::Py_DECREF(payload);
            return ptr::null_mut();
        }
        py::PyTuple_SetItem(arguments, 0, py::PyLong_FromLong(status.into()));
        py::PyTuple_SetItem(arguments, 1, payload);
        let error = ending::PyObject_CallObject(factory, arguments);
        py::Py_DECREF(arguments);
        error
    }
}

/// What most payloads say, in the words in which the core writes them: `{"code":..,"message":..,"type":..}`, without anything
/// that would have to be unescaped. All else is Python's to read.
struct Fields<'p> {
    message: &'p [u8],
    type_name: &'p [u8],
}

impl<'p> Fields<'p> {
    fn of(payload: &'p [u8]) -> Option<Fields<'p>> {
        let (_, rest) = text(payload.strip_prefix(br#"{"code":""#)?)?;
        let (message, rest) = text(rest.strip_prefix(br#","message":""#)?)?;
        let (type_name, rest) = text(rest.strip_prefix(br#","type":""#)?)?;
        (rest == b"}").then_some(Fields { message, type_name })
    }

    /// Makes an exception, without its `__init__`. Null, perhaps with an exception, if that can't be done.
    ///
    /// # Safety
    /// The GIL is held; the classes live.
    unsafe fn error(&self, status: StatusCode, classes: *mut PyObject) -> *mut PyObject {
        // SAFETY: each new reference is held or given to the tuple; what's borrowed is held by the classes.
        unsafe {
            let class = match class(classes, status) {
                Some(class) => class,
                None => return ptr::null_mut(),
            };
            let Some(arguments) = OwnedRef::new(ending::PyTuple_New(5)) else {
                return ptr::null_mut();
            };
            let parts = [
                py::Py_NewRef(class.status),
                decoded(self.message),
                decoded(self.type_name),
                none(),
                none(),
            ];
            let is_whole = parts.iter().all(|part| !part.is_null());
            for (index, part) in (0..).zip(parts) {
                py::PyTuple_SetItem(*arguments, index, part);
            }
            if is_whole {
                class.made(*arguments)
            } else {
                ptr::null_mut()
            }
        }
    }
}

/// The inside of a JSON string up to its end, if it's as it stands there; and what is behind.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = end_of_plain(bytes)?;
    (bytes[end] == b'"').then(|| (&bytes[..end], &bytes[end + 1..]))
}

/// Where the first byte is that doesn't stand for itself in a JSON string: eight at a time, of which the lowest that is marked
/// is one, whatever the marks above it say.
fn end_of_plain(bytes: &[u8]) -> Option<usize> {
    const EACH: u64 = u64::MAX / 0xFF;
    let (words, rest) = bytes.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let below = |word: u64, limit: u64| word.wrapping_sub(EACH * limit) & !word;
        let is = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
        let marks = (below(word, 0x20) | is(b'"') | is(b'\\')) & (EACH << 7);
        if marks != 0 {
            return Some(index * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\\' | ..=0x1F);
    let end = rest.iter().position(is_end)?;
    Some(bytes.len() - rest.len() + end)
}

/// # Safety
/// The GIL is held.
unsafe fn decoded(text: &[u8]) -> *mut PyObject {
    // SAFETY: the bytes are copied.
    unsafe { py::PyUnicode_DecodeUTF8(text.as_ptr().cast(), text.len() as Py_ssize_t, ptr::null()) }
}

/// A class of exceptions, and what status they have.
struct Class {
    class: *mut PyTypeObject,
    status: *mut PyObject,
}

/// The class of a status, if there's one.
///
/// # Safety
/// The GIL is held. What is given is borrowed from the classes.
unsafe fn class(classes: *mut PyObject, status: StatusCode) -> Option<Class> {
    // SAFETY: each is looked at before it's used as what it has to be.
    unsafe {
        let index = Py_ssize_t::try_from(status).ok()?;
        if py::PyTuple_Check(classes) == 0 || !(0..py::PyTuple_Size(classes)).contains(&index) {
            return None;
        }
        let pair = py::PyTuple_GetItem(classes, index);
        if py::PyTuple_Check(pair) == 0 || py::PyTuple_Size(pair) != 2 {
            return None;
        }
        let class = py::PyTuple_GetItem(pair, 0);
        if py::PyExceptionClass_Check(class) == 0 {
            return None;
        }
        Some(Class {
            class: class.cast(),
            status: py::PyTuple_GetItem(pair, 1),
        })
    }
}

impl Class {
    /// An exception of the class, with these as its `args`. Null with an exception if that fails.
    ///
    /// # Safety
    /// The GIL is held, and all of them live.
    unsafe fn made(&self, arguments: *mut PyObject) -> *mut PyObject {
        // SAFETY: each class of exceptions has a function that makes one, of this signature.
        unsafe {
            let new: py::newfunc =
                core::mem::transmute(py::PyType_GetSlot(self.class, py::Py_tp_new));
            let error = ending::made(new, self.class, arguments, ptr::null_mut());
            // That of `OSError` leaves what it's given to an `__init__`.
            let leaves_them = py::PyType_IsSubtype(self.class, py::PyExc_OSError.cast()) != 0;
            if !error.is_null()
                && leaves_them
                && ending::PyObject_SetAttrString(error, c"args".as_ptr(), arguments) != 0
            {
                py::Py_DECREF(error);
                return ptr::null_mut();
            }
            error
        }
    }
}

/// Raises a builtin exception. Always null.
///
/// # Safety
/// The GIL is held; `kind` is one of Python's exceptions.
#[cold]
pub(crate) unsafe fn fail(kind: *mut *mut PyObject, message: &CStr) -> *mut PyObject {
    // SAFETY: the exceptions live as long as the interpreter.
    unsafe { ending::PyErr_SetString(*kind, message.as_ptr()) };
    ptr::null_mut()
}
