//! The crossing itself: who holds the GIL meanwhile, where the response is written, and which object it becomes.

use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};
use rustbridge_abi::{RB_OK, Response, StatusCode};
use rustbridge_core::handles;

use crate::borrowed::Borrowed;
use crate::convert::{take_bytes, take_text};
use crate::error::raise;
use crate::gil::without_gil;
use crate::method::MethodObject;

/// Storage up to this size lies on the stack. The core's advice for a first call is a page, and a page of stack costs
/// nothing; larger storage is worth an allocation that the thread keeps.
const STACK: usize = 4096;

thread_local! {
    /// Storage above [`STACK`] that this thread lends to one call at a time.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl MethodObject {
    /// Crosses: with the GIL held for a leaf whose request and storage are short, and without it otherwise. `shared` is
    /// added to the entry: [`handles::ENTRY_SHARED`], or 0 where nobody writes to the request.
    ///
    /// # Safety
    /// The GIL is held. The request stays readable without it: the caller holds its object. `response` is valid.
    #[inline(always)]
    pub(crate) unsafe fn cross(
        &self,
        request: *const u8,
        len: usize,
        shared: u32,
        response: &mut Response,
    ) -> StatusCode {
        let (handle, entry) = (self.handle, self.entry | shared);
        // SAFETY: the caller's promises are the ones `call` asks for.
        unsafe {
            if len.max(response.capacity) < self.leaf_below {
                handles::call(handle, entry | handles::ENTRY_LEAF, request, len, response)
            } else {
                without_gil(|| handles::call(handle, entry, request, len, response))
            }
        }
    }

    /// Calls with storage of ours and makes an object of the response.
    ///
    /// # Safety
    /// As for `cross`; `take` releases the response.
    #[inline(always)]
    unsafe fn call_with_buffer(
        &self,
        request: *const u8,
        len: usize,
        shared: u32,
        take: impl FnOnce(&mut Response) -> *mut PyObject,
    ) -> *mut PyObject {
        // SAFETY: the storage outlives the response, which is converted and released in `finish`.
        unsafe {
            let wanted = self.storage.get();
            if wanted > STACK {
                return self.call_with_scratch(wanted, request, len, shared, take);
            }
            let mut storage = MaybeUninit::<[u8; STACK]>::uninit();
            let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), wanted);
            let status = self.cross(request, len, shared, &mut response);
            self.finish(status, response, take)
        }
    }

    /// # Safety
    /// As for `call_with_buffer`.
    #[inline(never)]
    unsafe fn call_with_scratch(
        &self,
        wanted: usize,
        request: *const u8,
        len: usize,
        shared: u32,
        take: impl FnOnce(&mut Response) -> *mut PyObject,
    ) -> *mut PyObject {
        // A call inside this one finds none and allocates its own.
        let mut scratch = SCRATCH.try_with(Cell::take).unwrap_or_default();
        scratch.reserve(wanted);
        let mut response = Response::with_buffer(scratch.as_mut_ptr(), wanted);
        // SAFETY: `wanted` bytes are reserved, and stay where they are until the response is converted.
        let object = unsafe {
            let status = self.cross(request, len, shared, &mut response);
            self.finish(status, response, take)
        };
        let _ = SCRATCH.try_with(|place| place.set(scratch));
        object
    }

    /// # Safety
    /// The response is that of a call, and its storage, if any, still there.
    #[inline(always)]
    unsafe fn finish(
        &self,
        status: StatusCode,
        mut response: Response,
        take: impl FnOnce(&mut Response) -> *mut PyObject,
    ) -> *mut PyObject {
        // SAFETY: the caller's promise.
        unsafe {
            if status != RB_OK {
                return raise(status, &mut response);
            }
            if response.release.is_some() {
                self.grow(response.len);
            }
            take(&mut response)
        }
    }

    /// Offers more storage to the next call, by the core's rule, after a response that didn't fit.
    #[cold]
    fn grow(&self, len: usize) {
        let larger = len
            .checked_next_power_of_two()
            .filter(|size| *size <= self.buffer_limit);
        if let Some(larger) = larger {
            self.storage.set(larger.max(self.storage.get()));
        }
    }

    /// Calls and gives bytes.
    ///
    /// # Safety
    /// As for `cross`.
    #[inline(always)]
    pub(crate) unsafe fn call_bytes(
        &self,
        request: *const u8,
        len: usize,
        shared: u32,
    ) -> *mut PyObject {
        // SAFETY: a pod's response is written straight into a bytes object that nobody else has seen yet.
        unsafe {
            if self.pod {
                let bytes =
                    py::PyBytes_FromStringAndSize(ptr::null(), self.response_size as Py_ssize_t);
                if bytes.is_null() {
                    return bytes;
                }
                let storage = py::PyBytes_AsString(bytes).cast();
                let mut response = Response::with_buffer(storage, self.response_size);
                let status = self.cross(request, len, shared, &mut response);
                if status == RB_OK
                    && response.release.is_none()
                    && response.len == self.response_size
                    && response.data == storage
                {
                    return bytes;
                }
                // Unusual: an error, or a plugin that answers otherwise than it has described.
                let answer = if status == RB_OK {
                    take_bytes(&mut response)
                } else {
                    raise(status, &mut response)
                };
                py::Py_DECREF(bytes);
                return answer;
            }
            if self.repeats.get() {
                return self.call_as_before(request, len, shared);
            }
            self.call_with_buffer(request, len, shared, |response| self.take_noted(response))
        }
    }

    /// Makes bytes of a response, and notes how long it is if it's long: many methods answer alike each time, with an image of
    /// one size or rows of one number.
    ///
    /// # Safety
    /// As for [`take_bytes`].
    #[inline(always)]
    unsafe fn take_noted(&self, response: &mut Response) -> *mut PyObject {
        let len = response.len;
        let is_long = len > STACK;
        self.repeats.set(is_long && len == self.last_long.get());
        self.last_long.set(if is_long { len } else { 0 });
        // SAFETY: the caller's promise.
        unsafe { take_bytes(response) }
    }

    /// Calls with bytes as storage that nobody else has seen yet, as long as the last two responses: one like them is written
    /// where it stays.
    ///
    /// # Safety
    /// As for `cross`.
    #[inline(never)]
    unsafe fn call_as_before(&self, request: *const u8, len: usize, shared: u32) -> *mut PyObject {
        // SAFETY: the storage is the bytes object's, which outlives the response: that is converted and released before.
        unsafe {
            let expected = self.last_long.get();
            let bytes = py::PyBytes_FromStringAndSize(ptr::null(), expected as Py_ssize_t);
            if bytes.is_null() {
                // What it answers may be short by now.
                py::PyErr_Clear();
                self.repeats.set(false);
                return self
                    .call_with_buffer(request, len, shared, |response| self.take_noted(response));
            }
            let storage = py::PyBytes_AsString(bytes).cast();
            let mut response = Response::with_buffer(storage, expected);
            let status = self.cross(request, len, shared, &mut response);
            let is_whole = response.release.is_none() && response.data == storage;
            if status == RB_OK && is_whole && response.len == expected {
                return bytes;
            }
            // Also if it has failed: what comes next may be anything.
            self.repeats.set(false);
            self.last_long.set(0);
            let answer = if status == RB_OK {
                take_bytes(&mut response)
            } else {
                raise(status, &mut response)
            };
            py::Py_DECREF(bytes);
            answer
        }
    }

    /// Calls and gives text.
    ///
    /// # Safety
    /// As for `cross`.
    #[inline(always)]
    pub(crate) unsafe fn call_text(
        &self,
        request: *const u8,
        len: usize,
        shared: u32,
    ) -> *mut PyObject {
        // SAFETY: the caller's promise.
        unsafe { self.call_with_buffer(request, len, shared, |response| take_text(response)) }
    }

    /// Calls with bytes that nobody else writes to, and makes an object of the response, which `take` releases.
    ///
    /// # Safety
    /// As for `cross`.
    #[inline(always)]
    pub(crate) unsafe fn call_taking(
        &self,
        request: *const u8,
        len: usize,
        take: impl FnOnce(&mut Response) -> *mut PyObject,
    ) -> *mut PyObject {
        // SAFETY: the caller's promise.
        unsafe { self.call_with_buffer(request, len, 0, take) }
    }

    /// Calls with the response going to `target`: its length, or all its bytes if it doesn't fit.
    ///
    /// # Safety
    /// The GIL is held; the target is writable.
    pub(crate) unsafe fn fill(&self, source: &Borrowed, target: &Borrowed) -> *mut PyObject {
        // SAFETY: what was handed over and fits doesn't overlap the target, which isn't the plugin's.
        unsafe {
            let mut response = Response::with_buffer(target.data(), target.len());
            match self.cross(source.data(), source.len(), source.shared(), &mut response) {
                RB_OK => {}
                status => return raise(status, &mut response),
            }
            // Elsewhere, whether or not there's something to release.
            if response.data != target.data() && response.len != 0 {
                if response.len > target.len() {
                    return take_bytes(&mut response);
                }
                ptr::copy(response.data, target.data(), response.len);
            }
            let len = response.len;
            if response.release.is_some() {
                handles::release(&mut response);
            }
            py::PyLong_FromSize_t(len)
        }
    }
}
