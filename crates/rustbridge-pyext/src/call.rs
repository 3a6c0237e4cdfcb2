//! The crossing itself: who holds the GIL meanwhile, where the response is written, and which object it becomes.

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

/// Responses up to this size are written to the stack and copied once into their object.
const STORAGE: usize = 4096;

impl MethodObject {
    /// Crosses, with the GIL held for a leaf and without it otherwise.
    ///
    /// # Safety
    /// The GIL is held. The request stays readable without it: the caller holds its object. `response` is valid.
    #[inline(always)]
    pub(crate) unsafe fn cross(
        &self,
        request: *const u8,
        len: usize,
        response: &mut Response,
    ) -> StatusCode {
        let (handle, entry) = (self.handle, self.entry);
        // SAFETY: the caller's promises are the ones `raw` asks for.
        unsafe {
            if self.leaf {
                handles::call(handle, entry | handles::ENTRY_LEAF, request, len, response)
            } else {
                without_gil(|| handles::call(handle, entry, request, len, response))
            }
        }
    }

    /// Calls and gives bytes.
    ///
    /// # Safety
    /// As for `cross`.
    #[inline(always)]
    pub(crate) unsafe fn call_bytes(&self, request: *const u8, len: usize) -> *mut PyObject {
        // SAFETY: a pod's response is written straight into a bytes object that nobody else has seen yet.
        unsafe {
            if self.pod {
                let bytes =
                    py::PyBytes_FromStringAndSize(ptr::null(), self.response_size as Py_ssize_t);
                if bytes.is_null() {
                    return bytes;
                }
                let mut response =
                    Response::with_storage(py::PyBytes_AsString(bytes).cast(), self.response_size);
                let status = self.cross(request, len, &mut response);
                if status == RB_OK
                    && response.release.is_none()
                    && response.len == self.response_size
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
            let mut storage = MaybeUninit::<[u8; STORAGE]>::uninit();
            let mut response = Response::with_storage(storage.as_mut_ptr().cast(), STORAGE);
            match self.cross(request, len, &mut response) {
                RB_OK => take_bytes(&mut response),
                status => raise(status, &mut response),
            }
        }
    }

    /// Calls and gives text.
    ///
    /// # Safety
    /// As for `cross`.
    #[inline(always)]
    pub(crate) unsafe fn call_text(&self, request: *const u8, len: usize) -> *mut PyObject {
        let mut storage = MaybeUninit::<[u8; STORAGE]>::uninit();
        let mut response = Response::with_storage(storage.as_mut_ptr().cast(), STORAGE);
        // SAFETY: the storage outlives the response, which is converted and released here.
        unsafe {
            match self.cross(request, len, &mut response) {
                RB_OK => take_text(&mut response),
                status => raise(status, &mut response),
            }
        }
    }

    /// Calls with the response going to `target`: its length, or all its bytes if it doesn't fit.
    ///
    /// # Safety
    /// The GIL is held; the target is writable.
    pub(crate) unsafe fn fill(&self, source: &Borrowed, target: &Borrowed) -> *mut PyObject {
        // SAFETY: what was handed over and fits doesn't overlap the target, which isn't the plugin's.
        unsafe {
            let mut response = Response::with_storage(target.data(), target.len());
            match self.cross(source.data(), source.len(), &mut response) {
                RB_OK => {}
                status => return raise(status, &mut response),
            }
            if response.release.is_some() {
                if response.len > target.len() {
                    return take_bytes(&mut response);
                }
                ptr::copy_nonoverlapping(response.data, target.data(), response.len);
            }
            let len = response.len;
            if response.release.is_some() {
                handles::release(&mut response);
            }
            py::PyLong_FromSize_t(len)
        }
    }
}
