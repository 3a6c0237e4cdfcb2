//! Writing. A value is measured first, then memory is reserved once, and then the value is written without bounds checks.

use std::mem::ManuallyDrop;
use std::{fmt, io, ptr, slice};

use crate::limits::{MAX_BYTES, MAX_DEPTH, UNASKED, WRITING, too_deep};
use crate::types::Typed;

/// A type that can be written.
///
/// # Safety
/// [`put`](Self::put) writes at most as many bytes as [`measure`](Self::measure) counted for the same value, or reserves room
/// itself with [`Writer::reserve`]. The value doesn't change between the two calls. If the type is [exact](Typed::EXACT),
/// [`LEAST`](Typed::LEAST) replaces the measured number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be encoded in the wire format",
    label = "can't be part of a typed message",
    note = "derive `rustbridge::Message` for it, or convert a type of another crate by `#[message(via = T)]` above the field. The types of chrono 0.4, jiff 1, rust_decimal 1, time 0.3 and uuid 1 are supported by rustbridge's features of these names; other versions have other types",
    note = "if the message is for JSON alone, write `#[message(json_only)]` above it"
)]
pub unsafe trait Encode: Typed {
    /// Counts at least as many bytes as [`put`](Self::put) writes.
    fn measure(&self, measure: &mut Measure);

    /// Writes the value.
    ///
    /// # Safety
    /// The writer has room for the bytes that [`measure`](Self::measure) counted.
    unsafe fn put(&self, writer: &mut Writer);

    /// Calls [`measure`](Self::measure) for each item of a list, without the list's count.
    #[inline(always)]
    fn measure_all(items: &[Self], measure: &mut Measure)
    where
        Self: Sized,
    {
        if Self::EXACT {
            measure.add(items.len().saturating_mul(Self::LEAST));
        } else {
            for item in items {
                item.measure(measure);
            }
        }
    }

    /// Calls [`put`](Self::put) for each item of a list, without the list's count.
    ///
    /// # Safety
    /// The writer has room for the bytes that [`measure_all`](Self::measure_all) counted.
    #[inline(always)]
    unsafe fn put_all(items: &[Self], writer: &mut Writer)
    where
        Self: Sized,
    {
        for item in items {
            // SAFETY: the caller's promise.
            unsafe { item.put(writer) };
        }
    }
}

/// An upper bound of the size of a value in bytes.
#[derive(Debug, Default)]
pub struct Measure {
    bytes: usize,
    depth: u32,
    too_deep: bool,
}

impl Measure {
    /// Adds a number of bytes.
    #[inline(always)]
    pub fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Measures the contents of a named type. Contents that are nested too deep aren't measured.
    #[inline(always)]
    pub fn inside(&mut self, inside: impl FnOnce(&mut Measure)) {
        if self.depth >= UNASKED && too_deep(self.depth, WRITING).is_some() {
            self.too_deep = true;
            return;
        }
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }
}

/// The reason why a value can't be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// It would take more than [`MAX_BYTES`].
    TooLarge,
    /// More than [`MAX_DEPTH`] named types are nested, or more than this thread's stack has room for.
    TooDeep,
    /// The type itself refused it, for this reason.
    Refused(&'static str),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::TooLarge => write!(f, "it exceeds the limit of {MAX_BYTES} bytes"),
            Unwritable::TooDeep => write!(
                f,
                "it's nested deeper than {MAX_DEPTH} levels, or too deep for this thread's stack"
            ),
            Unwritable::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unwritable {}

/// A writer into the caller's buffer and, as soon as that is full, into its own `Vec`.
///
/// Invariant: `start` is valid for `capacity` bytes, of which the first `len` are written. If `spilled` is false, they are the
/// buffer's, which outlives the writer. If it's true, they are the parts of a `Vec<u8>` that this value owns. Both cases share
/// one hot path, a bounds check and a copy.
#[derive(Debug)]
pub struct Writer {
    start: *mut u8,
    len: usize,
    capacity: usize,
    /// The length up to which room was promised to unchecked writes.
    reserved: usize,
    spilled: bool,
    refused: Option<&'static str>,
    /// The number of conversions around the value that is being written.
    converted: u32,
}

/// The result of a writer.
#[derive(Debug)]
pub enum WriterOutput {
    /// The message is in the caller's buffer, and has this length.
    Stored(usize),
    /// The message didn't fit into the caller's buffer.
    Spilled(Vec<u8>),
}

impl Default for Writer {
    fn default() -> Writer {
        Writer::new()
    }
}

impl Writer {
    /// Creates a writer without a buffer.
    #[must_use]
    pub const fn new() -> Writer {
        // SAFETY: no bytes.
        unsafe { Writer::over(ptr::null_mut(), 0) }
    }

    /// Creates a writer into a buffer, which may be null if `capacity` is 0.
    ///
    /// # Safety
    /// While the writer lives, `start` is valid for writes of `capacity` bytes, and no one else uses them.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn over(start: *mut u8, capacity: usize) -> Writer {
        Writer {
            start,
            len: 0,
            capacity,
            reserved: 0,
            spilled: false,
            refused: None,
            converted: 0,
        }
    }

    /// Writes a whole message. Bytes that were written before aren't part of it, but blocks are aligned relative to the first
    /// of them.
    ///
    /// # Errors
    /// See [`Unwritable`]. After an error, discard the contents of the writer.
    #[inline(always)]
    pub fn message<T: Encode + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        if T::EXACT {
            self.reserve(T::LEAST);
        } else {
            let mut measure = Measure::default();
            value.measure(&mut measure);
            if measure.too_deep || measure.bytes > MAX_BYTES {
                return Err(too_much(&measure));
            }
            self.reserve(measure.bytes);
        }
        // SAFETY: room was made for what it measures.
        unsafe { value.put(self) };
        match self.refused {
            None => Ok(()),
            Some(why) => Err(Unwritable::Refused(why)),
        }
    }

    /// Writes a value that was created by a conversion, so it hasn't been measured yet.
    #[inline]
    pub fn put_converted<T: Encode>(&mut self, value: &T) {
        // Where a type has itself in it by way of conversions, none of them sees the whole: so each counts as a level.
        let mut measure = Measure {
            depth: self.converted,
            ..Measure::default()
        };
        if T::EXACT {
            measure.add(T::LEAST);
        } else {
            value.measure(&mut measure);
        }
        if measure.too_deep || self.len.saturating_add(measure.bytes) > MAX_BYTES {
            self.refuse("a value that another was converted to is too large or too deep");
            return;
        }
        // Not exactly: a list of such makes room again and again.
        self.make_room(measure.bytes, false);
        self.converted += 1;
        // SAFETY: room was made for what it measures.
        unsafe { value.put(self) };
        self.converted -= 1;
    }

    /// Reserves room for `bytes` more bytes than were reserved before.
    #[inline(always)]
    pub fn reserve(&mut self, bytes: usize) {
        self.make_room(bytes, true);
    }

    #[inline(always)]
    fn make_room(&mut self, bytes: usize, exactly: bool) {
        let reserved = self.reserved.max(self.len).saturating_add(bytes);
        if reserved > self.capacity {
            self.grow(reserved - self.len, exactly);
        }
        self.reserved = reserved;
    }

    /// Reports that the value can't be written.
    #[cold]
    pub fn refuse(&mut self, why: &'static str) {
        self.refused.get_or_insert(why);
    }

    /// Writes bytes without a bounds check.
    ///
    /// # Safety
    /// The writer has room for them.
    #[inline(always)]
    pub unsafe fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        debug_assert!(N <= self.capacity - self.len);
        // SAFETY: the caller's promise.
        unsafe { self.start.add(self.len).cast::<[u8; N]>().write(bytes) };
        self.len += N;
    }

    /// Writes bytes without a bounds check.
    ///
    /// # Safety
    /// The writer has room for them.
    #[inline(always)]
    pub unsafe fn put_bytes(&mut self, bytes: &[u8]) {
        debug_assert!(bytes.len() <= self.capacity - self.len);
        // SAFETY: the caller's promise. They can't overlap, because the storage is exclusively ours.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(self.len), bytes.len()) };
        self.len += bytes.len();
    }

    /// Writes a count. [`Measure`] has limited it to 32 bits.
    ///
    /// # Safety
    /// The writer has room for four bytes.
    #[inline(always)]
    pub unsafe fn put_count(&mut self, count: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.put((count as u32).to_le_bytes()) };
    }

    /// Writes zeros up to a position that is a multiple of 8.
    ///
    /// # Safety
    /// The writer has room for seven bytes.
    #[inline(always)]
    pub unsafe fn pad(&mut self) {
        let padded = self.len.next_multiple_of(8);
        debug_assert!(padded <= self.capacity);
        // SAFETY: the caller's promise.
        unsafe { ptr::write_bytes(self.start.add(self.len), 0, padded - self.len) };
        self.len = padded;
    }

    /// Writes bytes, and grows if necessary.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len());
        // SAFETY: there's room now.
        unsafe { self.put_bytes(bytes) };
    }

    /// Makes room for `bytes` unchecked bytes.
    #[inline(always)]
    pub fn room(&mut self, bytes: usize) {
        if bytes > self.capacity - self.len {
            self.grow(bytes, false);
        }
    }

    /// Returns the address of the next byte, for a caller that writes without bounds checks and then
    /// [advances](Self::advance).
    #[inline(always)]
    pub fn end(&mut self) -> *mut u8 {
        self.start.wrapping_add(self.len)
    }

    /// Counts `bytes` bytes at the [end](Self::end) as written.
    ///
    /// # Safety
    /// The writer has room for them, and they are initialized.
    #[inline(always)]
    pub unsafe fn advance(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.capacity - self.len);
        self.len += bytes;
    }

    /// Removes the last byte, if there is one.
    #[inline(always)]
    pub fn take_back(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// Returns the written bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the invariant.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// Finishes writing, and returns the result.
    #[inline(always)]
    #[must_use]
    pub fn finish(self) -> WriterOutput {
        let this = ManuallyDrop::new(self);
        if this.spilled {
            // SAFETY: the invariant for `spilled`; nobody drops it besides.
            WriterOutput::Spilled(unsafe {
                Vec::from_raw_parts(this.start, this.len, this.capacity)
            })
        } else {
            WriterOutput::Stored(this.len)
        }
    }

    /// Returns the written bytes in a `Vec`.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        if self.spilled {
            match self.finish() {
                WriterOutput::Spilled(vec) => vec,
                WriterOutput::Stored(_) => Vec::new(),
            }
        } else {
            self.as_slice().to_vec()
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize, exactly: bool) {
        // Nobody drops it: should reserving panic, the parts are still this value's.
        let mut vec = ManuallyDrop::new(if self.spilled {
            // SAFETY: the invariant for `spilled`.
            unsafe { Vec::from_raw_parts(self.start, self.len, self.capacity) }
        } else {
            self.as_slice().to_vec()
        });
        if exactly {
            vec.reserve_exact(additional);
        } else {
            // Twice what there was: those who push, push small pieces, and `reserve` alone would start from the exact length.
            let more = additional.max(vec.len()).max(128);
            vec.reserve(more);
        }
        self.start = vec.as_mut_ptr();
        self.capacity = vec.capacity();
        self.spilled = true;
    }
}

#[cold]
fn too_much(measure: &Measure) -> Unwritable {
    if measure.too_deep {
        Unwritable::TooDeep
    } else {
        Unwritable::TooLarge
    }
}

impl Drop for Writer {
    #[inline]
    fn drop(&mut self) {
        if self.spilled {
            // SAFETY: the invariant for `spilled`.
            drop(unsafe { Vec::from_raw_parts(self.start, self.len, self.capacity) });
        }
    }
}

impl io::Write for Writer {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    #[inline(always)]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.push(bytes);
        Ok(())
    }

    #[inline(always)]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
