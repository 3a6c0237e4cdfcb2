//! A message that is written, and numbers of Python's for it.

use core::cell::Cell;
use core::ffi::c_int;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::limits::{Bottom, Done, Fallback, MAX_BYTES};
use super::nodes::Number;
use crate::borrowed::Borrowed;
use crate::convert;

/// How much room for messages a thread keeps at most.
const KEPT: usize = 64 * 1024;

/// Messages up to this length are written on the stack, where a small one costs no look at what the thread keeps.
const SHORT: usize = 512;

thread_local! {
    /// Room that this thread lends to one long message at a time; one inside of another finds none, and makes its own.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Where short messages are written: where a plugin may take a list of numbers for one of its own, which it copies otherwise.
#[repr(align(16))]
pub(super) struct Room(MaybeUninit<[u8; SHORT]>);

impl Room {
    #[inline(always)]
    pub(super) fn new() -> Room {
        Room(MaybeUninit::uninit())
    }
}

/// A message that is written.
pub(super) struct OutputBuffer<'m> {
    /// Where its bytes are, how many there are, and for how many there is room: in what `new` was given, or in `long`.
    data: *mut u8,
    len: usize,
    capacity: usize,
    /// Without a capacity as long as the message is short. Its own length says nothing.
    long: Vec<u8>,
    bottom: Bottom,
    room: PhantomData<&'m mut Room>,
}

impl<'m> OutputBuffer<'m> {
    #[inline(always)]
    pub(super) fn new(room: &'m mut Room) -> OutputBuffer<'m> {
        OutputBuffer {
            data: room.0.as_mut_ptr().cast(),
            len: 0,
            capacity: SHORT,
            long: Vec::new(),
            bottom: Bottom::UNASKED,
            room: PhantomData,
        }
    }
}

impl Drop for OutputBuffer<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.long.capacity() > 0 {
            let mut long = core::mem::take(&mut self.long);
            if long.capacity() <= KEPT {
                long.clear();
                let _ = ROOM.try_with(|place| place.set(long));
            }
        }
    }
}

impl OutputBuffer<'_> {
    /// What has been written.
    #[inline(always)]
    pub(super) fn message(&self) -> &[u8] {
        // SAFETY: so many bytes have been written there.
        unsafe { core::slice::from_raw_parts(self.data, self.len) }
    }

    /// Room is made for more than is asked for, and what fits there isn't looked at again.
    pub(super) fn checked(&self) -> Done {
        if self.len > MAX_BYTES {
            return Err(Fallback);
        }
        Ok(())
    }

    /// Whether it may go one deeper.
    #[inline(always)]
    pub(super) fn deeper(&mut self, depth: usize) -> Result<usize, Fallback> {
        self.bottom.deeper(depth)
    }

    #[inline(always)]
    pub(super) fn put(&mut self, bytes: &[u8]) -> Done {
        self.room(bytes.len())?;
        // SAFETY: there's room.
        unsafe { self.append(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }

    /// Puts bytes where there is room for them: of a number that's one instruction, since nothing is looked at again.
    ///
    /// # Safety
    /// There's room for so many, and they can be read.
    #[inline(always)]
    unsafe fn append(&mut self, bytes: *const u8, count: usize) {
        debug_assert!(self.capacity - self.len >= count);
        // SAFETY: the caller's promise. Nobody else has the room behind what has been written.
        unsafe { ptr::copy_nonoverlapping(bytes, self.data.add(self.len), count) };
        self.len += count;
    }

    /// Sees to it that so many more bytes fit.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> Done {
        if self.capacity - self.len >= count {
            return Ok(());
        }
        self.grow(count)
    }

    #[cold]
    fn grow(&mut self, count: usize) -> Done {
        if count > MAX_BYTES - self.len.min(MAX_BYTES) {
            return Err(Fallback);
        }
        let is_first = self.long.capacity() == 0;
        if is_first {
            self.long = ROOM.try_with(Cell::take).unwrap_or_default();
        }
        // SAFETY: whatever was written in here is so long, and nothing is before the first time.
        unsafe { self.long.set_len(if is_first { 0 } else { self.len }) };
        let more = if is_first { self.len + count } else { count };
        if self.long.try_reserve(more).is_err() {
            // What has been written stays where it is.
            return Err(Fallback);
        }
        if is_first {
            // SAFETY: as for `message`; the vector is elsewhere.
            let written = unsafe { core::slice::from_raw_parts(self.data, self.len) };
            self.long.extend_from_slice(written);
        }
        self.data = self.long.as_mut_ptr();
        self.capacity = self.long.capacity();
        Ok(())
    }

    pub(super) fn count(&mut self, count: usize) -> Done {
        let count = u32::try_from(count).map_err(|_| Fallback)?;
        self.put(&count.to_le_bytes())
    }

    /// Fills up to a multiple of 8.
    pub(super) fn align(&mut self) -> Done {
        let padding = self.len.wrapping_neg() % 8;
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
                        return Err(Fallback);
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
                return Err(Fallback);
            }
            let text = convert::text(value).ok_or(Fallback)?;
            let count = u32::try_from(text.len).map_err(|_| Fallback)?;
            self.room(text.len.checked_add(size_of_val(&count)).ok_or(Fallback)?)?;
            self.append(count.to_le_bytes().as_ptr(), size_of_val(&count));
            self.append(text.data.cast(), text.len);
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
            let view = Borrowed::request(value, true).ok_or(Fallback)?;
            self.count(view.len())?;
            self.copy(&view)
        }
    }

    /// The bytes of a view, which others may write to meanwhile, as they may where Python copies them.
    pub(super) fn copy(&mut self, view: &Borrowed) -> Done {
        self.room(view.len())?;
        // SAFETY: there's room, and the view is held.
        unsafe { self.append(view.data(), view.len()) };
        Ok(())
    }
}

/// An int that 64 bits hold.
///
/// # Safety
/// The GIL is held; the object lives.
#[inline(always)]
pub(super) unsafe fn int(value: *mut PyObject) -> Result<i64, Fallback> {
    let mut overflow: c_int = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Fallback);
        }
        let number = py::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        if overflow == 0 {
            Ok(number)
        } else {
            Err(Fallback)
        }
    }
}

/// # Safety
/// As for [`int`].
#[inline(always)]
unsafe fn fitting<N: TryFrom<i64>>(value: *mut PyObject) -> Result<N, Fallback> {
    // SAFETY: the caller's promise.
    N::try_from(unsafe { int(value)? }).map_err(|_| Fallback)
}

/// # Safety
/// As for [`int`].
#[inline(always)]
pub(super) unsafe fn unsigned(value: *mut PyObject) -> Result<u64, Fallback> {
    let mut overflow: c_int = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Fallback);
        }
        let number = py::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        if overflow == 0 {
            return u64::try_from(number).map_err(|_| Fallback);
        }
        let number = py::PyLong_AsUnsignedLongLong(value);
        if number == u64::MAX && !py::PyErr_Occurred().is_null() {
            return Err(Fallback);
        }
        Ok(number)
    }
}

/// # Safety
/// As for [`int`].
#[inline(always)]
unsafe fn float(value: *mut PyObject) -> Result<f64, Fallback> {
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyFloat_CheckExact(value) != 0 {
            return Ok(py::PyFloat_AsDouble(value));
        }
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Fallback);
        }
        let number = py::PyLong_AsDouble(value);
        if number == -1.0 && !py::PyErr_Occurred().is_null() {
            return Err(Fallback);
        }
        Ok(number)
    }
}
