//! A message that is read.

use core::ffi::c_char;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::Py_ssize_t;

use super::limits::{Bottom, Fallback};
use crate::object::OwnedRef;

/// A message that is read.
pub(super) struct In<'m> {
    bytes: &'m [u8],
    at: usize,
    bottom: Bottom,
}

impl<'m> In<'m> {
    pub(super) fn new(bytes: &'m [u8]) -> In<'m> {
        In {
            bytes,
            at: 0,
            bottom: Bottom::UNASKED,
        }
    }

    /// Whether it may go one deeper.
    #[inline(always)]
    pub(super) fn deeper(&mut self, depth: usize) -> Result<usize, Fallback> {
        self.bottom.deeper(depth)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// How many bytes haven't been read yet.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) -> Result<&'m [u8], Fallback> {
        let (taken, _) = self.bytes[self.at..]
            .split_at_checked(count)
            .ok_or(Fallback)?;
        self.at += count;
        Ok(taken)
    }

    #[inline(always)]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fallback> {
        self.take(N)?.try_into().map_err(|_| Fallback)
    }

    /// The count of things that take at least so many bytes each.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, Fallback> {
        let count = u32::from_le_bytes(self.array()?) as usize;
        let bytes = count.checked_mul(least).ok_or(Fallback)?;
        if bytes > self.left() {
            return Err(Fallback);
        }
        Ok(count)
    }

    /// Takes a count and so many bytes behind it, together.
    pub(super) fn counted(&mut self) -> Result<&'m [u8], Fallback> {
        let from = self.at;
        let count = self.count(1)?;
        self.take(count)?;
        Ok(&self.bytes[from..self.at])
    }

    /// Goes to a multiple of 8.
    pub(super) fn align(&mut self) -> Result<(), Fallback> {
        let padding = self.take(self.at.wrapping_neg() % 8)?;
        if padding.iter().any(|byte| *byte != 0) {
            return Err(Fallback);
        }
        Ok(())
    }

    pub(super) fn bool(&mut self) -> Result<bool, Fallback> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(Fallback),
        }
    }

    /// # Safety
    /// The GIL is held. This goes for all that make objects.
    #[inline(always)]
    pub(super) unsafe fn text(&mut self) -> Result<OwnedRef, Fallback> {
        let count = self.count(1)?;
        let text = self.take(count)?;
        // SAFETY: the bytes are copied.
        unsafe {
            OwnedRef::new(py::PyUnicode_DecodeUTF8(
                text.as_ptr().cast(),
                text.len() as Py_ssize_t,
                ptr::null(),
            ))
            .ok_or(Fallback)
        }
    }

    /// # Safety
    /// As for `text`.
    pub(super) unsafe fn bytes(&mut self) -> Result<OwnedRef, Fallback> {
        let count = self.count(1)?;
        // SAFETY: the bytes are copied.
        unsafe { bytes(self.take(count)?) }
    }
}

pub(super) unsafe fn bytes(bytes: &[u8]) -> Result<OwnedRef, Fallback> {
    // SAFETY: the bytes are copied.
    unsafe {
        OwnedRef::new(py::PyBytes_FromStringAndSize(
            bytes.as_ptr().cast::<c_char>(),
            bytes.len() as Py_ssize_t,
        ))
        .ok_or(Fallback)
    }
}
