//! A message that is read.

use core::ffi::c_char;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::Py_ssize_t;

use super::limits::{Bottom, Unfit};
use crate::object::Owned;

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
    pub(super) fn deeper(&mut self, depth: usize) -> Result<usize, Unfit> {
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
    pub(super) fn take(&mut self, count: usize) -> Result<&'m [u8], Unfit> {
        let (taken, _) = self.bytes[self.at..].split_at_checked(count).ok_or(Unfit)?;
        self.at += count;
        Ok(taken)
    }

    #[inline(always)]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Unfit> {
        self.take(N)?.try_into().map_err(|_| Unfit)
    }

    /// The count of things that take at least so many bytes each.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, Unfit> {
        let count = u32::from_le_bytes(self.array()?) as usize;
        let bytes = count.checked_mul(least).ok_or(Unfit)?;
        if bytes > self.left() {
            return Err(Unfit);
        }
        Ok(count)
    }

    /// Goes to a multiple of 8.
    pub(super) fn align(&mut self) -> Result<(), Unfit> {
        let padding = self.take(self.at.wrapping_neg() % 8)?;
        if padding.iter().any(|byte| *byte != 0) {
            return Err(Unfit);
        }
        Ok(())
    }

    pub(super) fn bool(&mut self) -> Result<bool, Unfit> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(Unfit),
        }
    }

    /// # Safety
    /// The GIL is held. This goes for all that make objects.
    #[inline(always)]
    pub(super) unsafe fn text(&mut self) -> Result<Owned, Unfit> {
        let count = self.count(1)?;
        let text = self.take(count)?;
        // SAFETY: the bytes are copied.
        unsafe {
            Owned::new(py::PyUnicode_DecodeUTF8(
                text.as_ptr().cast(),
                text.len() as Py_ssize_t,
                ptr::null(),
            ))
            .ok_or(Unfit)
        }
    }

    /// # Safety
    /// As for `text`.
    pub(super) unsafe fn bytes(&mut self) -> Result<Owned, Unfit> {
        let count = self.count(1)?;
        // SAFETY: the bytes are copied.
        unsafe { bytes(self.take(count)?) }
    }
}

pub(super) unsafe fn bytes(bytes: &[u8]) -> Result<Owned, Unfit> {
    // SAFETY: the bytes are copied.
    unsafe {
        Owned::new(py::PyBytes_FromStringAndSize(
            bytes.as_ptr().cast::<c_char>(),
            bytes.len() as Py_ssize_t,
        ))
        .ok_or(Unfit)
    }
}
