//! Reading. The fast path only detects that something is wrong; a second pass over the bytes finds and reports the cause.

use std::marker::PhantomData;
use std::{ptr, slice, str};

use crate::limits::{TooDeep, UNASKED, too_deep};
use crate::problem::Problem;
use crate::types::Typed;

/// A type that can be read.
///
/// The trait is unsafe to implement: a type that reads more bytes than it declares would make unchecked reads of the following values
/// unsound.
///
/// ```compile_fail,E0200
/// use rustbridge_wire::{Decode, Fault, Reader, Type, Typed};
///
/// struct Greedy;
///
/// impl Typed for Greedy {
///     const TYPE: Type = Type::Unit;
///     const LEAST: usize = 0;
///     const EXACT: bool = true;
/// }
///
/// impl<'de> Decode<'de> for Greedy {
///     fn get(reader: &mut Reader<'de>) -> Result<Greedy, Fault> {
///         reader.bytes(8).map(|_| Greedy)
///     }
/// }
/// ```
///
/// # Safety
/// If the type is [exact](Typed::EXACT), [`get`](Self::get) and [`get_exact`](Self::get_exact) read at most [`LEAST`](Typed::LEAST)
/// bytes. If the type implements [`get_all`](Self::get_all) itself, that reads at most `count` times as many.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be encoded in the wire format",
    label = "can't be part of a typed message",
    note = "derive `rustbridge::Message` for it, or convert a type of another crate by `#[message(via = T)]` above the field. The types of chrono 0.4, jiff 1, rust_decimal 1, time 0.3 and uuid 1 are supported by rustbridge's features of these names; other versions have other types",
    note = "if the message is for JSON alone, write `#[message(json_only)]` above it"
)]
pub unsafe trait Decode<'de>: Typed + Sized {
    /// Reads one value.
    ///
    /// # Errors
    /// If the bytes aren't such a value. [`check`](crate::check) then finds the problem, unless the type itself reported it with
    /// [`Reader::refuse`].
    fn get(reader: &mut Reader<'de>) -> Result<Self, Fault>;

    /// Reads one value without checking the number of bytes.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    ///
    /// # Safety
    /// The type is [exact](Typed::EXACT), and at least as many bytes as a value takes are left.
    #[inline(always)]
    unsafe fn get_exact(reader: &mut Reader<'de>) -> Result<Self, Fault> {
        Self::get(reader)
    }

    /// Reads `count` values.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    #[inline(always)]
    fn get_all(reader: &mut Reader<'de>, count: usize) -> Result<Vec<Self>, Fault> {
        get_each(reader, count)
    }
}

/// Texts of at most this many bytes are first checked for ASCII.
const SHORT: usize = 32;

/// The error of invalid bytes, without details; [`check`](crate::check) finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault;

/// A reader of a message's bytes.
///
/// Invariant: the bytes from `at` to `end` are readable and the last of the message that begins at `start`.
#[derive(Debug)]
pub struct Reader<'de> {
    at: *const u8,
    end: *const u8,
    start: *const u8,
    depth: u32,
    refusal: Option<Box<Problem>>,
    bytes: PhantomData<&'de [u8]>,
}

impl<'de> Reader<'de> {
    /// Creates a reader of a message that begins with the first of these bytes.
    #[inline(always)]
    #[must_use]
    pub const fn new(bytes: &'de [u8]) -> Reader<'de> {
        let range = bytes.as_ptr_range();
        Reader {
            at: range.start,
            end: range.end,
            start: range.start,
            depth: 0,
            refusal: None,
            bytes: PhantomData,
        }
    }

    /// Returns a reader of the same bytes.
    pub(crate) fn copy(&self) -> Reader<'de> {
        Reader {
            refusal: None,
            ..*self
        }
    }

    /// Returns the number of bytes that are left.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> usize {
        self.end.addr() - self.at.addr()
    }

    /// Returns the number of bytes that were read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at.addr() - self.start.addr()
    }

    /// Checks that at least `bytes` bytes are left.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline(always)]
    pub fn need(&self, bytes: usize) -> Result<(), Fault> {
        if bytes <= self.left() {
            Ok(())
        } else {
            Err(Fault)
        }
    }

    /// Reads `count` bytes.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline(always)]
    pub fn bytes(&mut self, count: usize) -> Result<&'de [u8], Fault> {
        self.need(count)?;
        // SAFETY: they are left, and readable by the invariant.
        let bytes = unsafe { slice::from_raw_parts(self.at, count) };
        // SAFETY: as above.
        self.at = unsafe { self.at.add(count) };
        Ok(bytes)
    }

    /// Reads `N` bytes as an array, without a check.
    ///
    /// # Safety
    /// At least `N` bytes are left.
    #[inline(always)]
    pub unsafe fn take<const N: usize>(&mut self) -> [u8; N] {
        debug_assert!(N <= self.left());
        // SAFETY: the caller's promise.
        let bytes = unsafe { ptr::read(self.at.cast::<[u8; N]>()) };
        // SAFETY: as above.
        self.at = unsafe { self.at.add(N) };
        bytes
    }

    /// Reads a count.
    ///
    /// # Errors
    /// If fewer than four bytes are left.
    #[inline(always)]
    pub fn count(&mut self) -> Result<usize, Fault> {
        self.need(4)?;
        // SAFETY: they are there.
        Ok(u32::from_le_bytes(unsafe { self.take() }) as usize)
    }

    /// Reads the count of values that take at least `least` bytes each.
    ///
    /// # Errors
    /// If the count isn't complete, or the remaining bytes can't hold as many values.
    #[inline(always)]
    pub fn count_of(&mut self, least: usize) -> Result<usize, Fault> {
        let count = self.count()?;
        // Of 32 bits times the size of a type: no overflow where `usize` has 64.
        self.need(count.checked_mul(least).ok_or(Fault)?)?;
        Ok(count)
    }

    /// Reads zeros up to a position that is a multiple of 8.
    ///
    /// # Errors
    /// If they aren't all there, or not all zero.
    #[inline(always)]
    pub fn pad(&mut self) -> Result<(), Fault> {
        let padding = self.position().wrapping_neg() % 8;
        let bytes = self.bytes(padding)?;
        if bytes.iter().all(|byte| *byte == 0) {
            Ok(())
        } else {
            Err(Fault)
        }
    }

    /// Reads a count and as many bytes of UTF-8.
    ///
    /// # Errors
    /// If too few bytes are left, or they aren't UTF-8.
    #[inline(always)]
    pub fn string(&mut self) -> Result<&'de str, Fault> {
        let count = self.count()?;
        let bytes = self.bytes(count)?;
        // Short texts are mostly names, for which the general way takes longer to begin than to go.
        if bytes.len() <= SHORT && bytes.is_ascii() {
            // SAFETY: ASCII is UTF-8.
            return Ok(unsafe { str::from_utf8_unchecked(bytes) });
        }
        str::from_utf8(bytes).map_err(|_| Fault)
    }

    /// Reads one byte as a boolean.
    ///
    /// # Errors
    /// If no byte is left, or it's neither 0 nor 1.
    #[inline(always)]
    pub fn flag(&mut self) -> Result<bool, Fault> {
        self.need(1)?;
        // SAFETY: it's there.
        let [byte] = unsafe { self.take() };
        if byte > 1 { Err(Fault) } else { Ok(byte == 1) }
    }

    /// Reads the contents of a named type.
    ///
    /// # Errors
    /// If it's nested too deep, or with the error of `inside`.
    #[inline(always)]
    pub fn inside<T>(
        &mut self,
        inside: impl FnOnce(&mut Reader<'de>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.depth >= UNASKED {
            self.deeper()?;
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }

    /// Checks that one more level is allowed.
    #[cold]
    #[inline(never)]
    fn deeper(&mut self) -> Result<(), Fault> {
        match too_deep(self.depth, 0) {
            None => Ok(()),
            // Who looks for it sees as much.
            Some(TooDeep::Levels) => Err(Fault),
            Some(why @ TooDeep::Stack) => Err(self.refuse(why.to_string())),
        }
    }

    /// Returns for how many of `count` items memory is allocated in advance. At greater depths the number is limited: each level
    /// could claim all remaining bytes, and together they could claim many times that.
    #[inline(always)]
    pub(crate) fn room(&self, count: usize) -> usize {
        if self.depth < UNASKED {
            count
        } else {
            count.min(64)
        }
    }

    /// Reports a problem with a value whose bytes are valid.
    #[cold]
    pub fn refuse(&mut self, why: String) -> Fault {
        let position = self.position();
        self.refusal
            .get_or_insert_with(|| Box::new(Problem::new(String::new(), position, why)));
        Fault
    }

    /// Returns the problem that a type reported itself.
    #[cold]
    pub(crate) fn into_refusal(self) -> Option<Box<Problem>> {
        self.refusal
    }
}

/// Reads `count` values, one after the other.
///
/// # Errors
/// As for [`Decode::get`].
#[inline(always)]
pub fn get_each<'de, T: Decode<'de>>(
    reader: &mut Reader<'de>,
    count: usize,
) -> Result<Vec<T>, Fault> {
    // What's claimed was compared with what's left.
    let mut items = Vec::with_capacity(reader.room(count));
    for _ in 0..count {
        let item = if T::EXACT {
            // SAFETY: it's exact, and the count was compared with what's left.
            unsafe { T::get_exact(reader) }
        } else {
            T::get(reader)
        };
        items.push(item?);
    }
    Ok(items)
}
