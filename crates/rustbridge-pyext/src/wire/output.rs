//! A message that is written, and numbers of Python's for it.

use core::ffi::c_int;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::limits::{Done, MAX_BYTES, Unfit};
use super::nodes::Number;
use crate::borrowed::Borrowed;
use crate::convert;

/// A message that is written.
pub(super) struct Out<'m>(pub(super) &'m mut Vec<u8>);

impl Out<'_> {
    #[inline(always)]
    pub(super) fn put(&mut self, bytes: &[u8]) -> Done {
        self.room(bytes.len())?;
        // SAFETY: there's room, and who has the bytes can't have this vector's.
        unsafe { self.append(bytes) };
        Ok(())
    }

    /// Puts bytes where there is room for them: of a number that's one instruction, since nothing is looked at again.
    ///
    /// # Safety
    /// There's room for so many.
    #[inline(always)]
    unsafe fn append(&mut self, bytes: &[u8]) {
        let len = self.0.len();
        debug_assert!(self.0.capacity() - len >= bytes.len());
        // SAFETY: the caller's promise; a slice that's borrowed is none of a vector that's borrowed to be changed.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.as_mut_ptr().add(len), bytes.len());
            self.0.set_len(len + bytes.len());
        }
    }

    /// Sees to it that so many more bytes fit.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> Done {
        if self.0.capacity() - self.0.len() >= count {
            return Ok(());
        }
        self.grow(count)
    }

    #[cold]
    fn grow(&mut self, count: usize) -> Done {
        if count > MAX_BYTES - self.0.len().min(MAX_BYTES) {
            return Err(Unfit);
        }
        self.0.try_reserve(count).map_err(|_| Unfit)
    }

    pub(super) fn count(&mut self, count: usize) -> Done {
        let count = u32::try_from(count).map_err(|_| Unfit)?;
        self.put(&count.to_le_bytes())
    }

    /// Fills up to a multiple of 8.
    pub(super) fn align(&mut self) -> Done {
        let padding = self.0.len().wrapping_neg() % 8;
        self.put(&[0; 8][..padding])
    }

    /// A number that is exactly an int, or for a float also that.
    ///
    /// # Safety
    /// The GIL is held; the object lives.
    #[inline(always)]
    pub(super) unsafe fn number(&mut self, number: Number, value: *mut PyObject) -> Done {
        // SAFETY: the caller's promise.
        unsafe {
            match number {
                Number::F64 => self.put(&float(value)?.to_le_bytes()),
                Number::F32 => {
                    let value = float(value)?;
                    let short = value as f32;
                    if short.is_infinite() && value.is_finite() {
                        return Err(Unfit);
                    }
                    self.put(&short.to_le_bytes())
                }
                Number::U64 => self.put(&unsigned(value)?.to_le_bytes()),
                Number::I64 => self.put(&int(value)?.to_le_bytes()),
                Number::U32 => self.put(&fitting::<u32>(value)?.to_le_bytes()),
                Number::I32 => self.put(&fitting::<i32>(value)?.to_le_bytes()),
                Number::U16 => self.put(&fitting::<u16>(value)?.to_le_bytes()),
                Number::I16 => self.put(&fitting::<i16>(value)?.to_le_bytes()),
                Number::U8 => self.put(&fitting::<u8>(value)?.to_le_bytes()),
                Number::I8 => self.put(&fitting::<i8>(value)?.to_le_bytes()),
            }
        }
    }

    /// A str, with its length.
    ///
    /// # Safety
    /// As for `number`.
    #[inline(always)]
    pub(super) unsafe fn text(&mut self, value: *mut PyObject) -> Done {
        // SAFETY: the text is used while the object lives, which the caller promises.
        unsafe {
            if py::PyUnicode_CheckExact(value) == 0 {
                return Err(Unfit);
            }
            let text = convert::text(value).ok_or(Unfit)?;
            let count = u32::try_from(text.len).map_err(|_| Unfit)?;
            self.room(text.len.checked_add(size_of_val(&count)).ok_or(Unfit)?)?;
            self.append(&count.to_le_bytes());
            self.append(core::slice::from_raw_parts(text.data.cast(), text.len));
            Ok(())
        }
    }

    /// Bytes, or another buffer's, with their length.
    ///
    /// # Safety
    /// As for `number`.
    pub(super) unsafe fn bytes(&mut self, value: *mut PyObject) -> Done {
        // SAFETY: the bytes are copied while the object, or the view of it, lives.
        unsafe {
            if py::PyBytes_CheckExact(value) != 0 {
                let (data, len) = convert::bytes(value);
                self.count(len)?;
                return self.put(core::slice::from_raw_parts(data, len));
            }
            let view = Borrowed::request(value, true).ok_or(Unfit)?;
            self.count(view.len())?;
            self.copy(&view)
        }
    }

    /// The bytes of a view, which others may write to meanwhile, as they may where Python copies them.
    pub(super) fn copy(&mut self, view: &Borrowed) -> Done {
        self.room(view.len())?;
        let len = self.0.len();
        // SAFETY: there's room for so many bytes behind those that are there, and the view is held.
        unsafe {
            ptr::copy_nonoverlapping(view.data(), self.0.as_mut_ptr().add(len), view.len());
            self.0.set_len(len + view.len());
        }
        Ok(())
    }
}

/// An int that 64 bits hold.
///
/// # Safety
/// The GIL is held; the object lives.
#[inline(always)]
pub(super) unsafe fn int(value: *mut PyObject) -> Result<i64, Unfit> {
    let mut overflow: c_int = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Unfit);
        }
        let number = py::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        if overflow == 0 {
            Ok(number)
        } else {
            Err(Unfit)
        }
    }
}

/// # Safety
/// As for [`int`].
#[inline(always)]
unsafe fn fitting<N: TryFrom<i64>>(value: *mut PyObject) -> Result<N, Unfit> {
    // SAFETY: the caller's promise.
    N::try_from(unsafe { int(value)? }).map_err(|_| Unfit)
}

/// # Safety
/// As for [`int`].
#[inline(always)]
pub(super) unsafe fn unsigned(value: *mut PyObject) -> Result<u64, Unfit> {
    let mut overflow: c_int = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Unfit);
        }
        let number = py::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        if overflow == 0 {
            return u64::try_from(number).map_err(|_| Unfit);
        }
        let number = py::PyLong_AsUnsignedLongLong(value);
        if number == u64::MAX && !py::PyErr_Occurred().is_null() {
            return Err(Unfit);
        }
        Ok(number)
    }
}

/// # Safety
/// As for [`int`].
#[inline(always)]
unsafe fn float(value: *mut PyObject) -> Result<f64, Unfit> {
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyFloat_CheckExact(value) != 0 {
            return Ok(py::PyFloat_AsDouble(value));
        }
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Unfit);
        }
        let number = py::PyLong_AsDouble(value);
        if number == -1.0 && !py::PyErr_Occurred().is_null() {
            return Err(Unfit);
        }
        Ok(number)
    }
}
