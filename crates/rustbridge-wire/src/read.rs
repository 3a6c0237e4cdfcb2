//! Reading: what can be wrong is found without being told, and told by going through the bytes once more.

use std::marker::PhantomData;
use std::{ptr, slice, str};

use crate::limits::{TooDeep, UNASKED, too_deep};
use crate::problem::Problem;
use crate::types::Typed;

/// A type that can be read.
///
/// Not for safe code to implement, which could take more bytes than it has said, and those behind it are read without looking:
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
/// If the type is [exact](Typed::EXACT), [`get`](Self::get) and [`get_exact`](Self::get_exact) take no more than
/// [`LEAST`](Typed::LEAST) bytes. If [`get_all`](Self::get_all) is its own, it takes no more than so many times that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire form",
    label = "can't be part of a typed message",
    note = "derive `rustbridge::Message` for it, or convert a type of another crate by `#[message(via = T)]` above the field. The types of chrono 0.4, jiff 1, time 0.3 and uuid 1 are supported by rustbridge's features of these names; other versions have other types",
    note = "if the message is for JSON alone, write `#[message(json_only)]` above it"
)]
pub unsafe trait Decode<'de>: Typed + Sized {
    /// Reads one.
    ///
    /// # Errors
    /// If the bytes don't hold one. [`check`](crate::check) says then what is wrong with them, unless the type has told the reader
    /// itself, by [`Reader::refuse`].
    fn get(reader: &mut Reader<'de>) -> Result<Self, Fault>;

    /// Reads one without looking whether there are enough bytes.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    ///
    /// # Safety
    /// The type is [exact](Typed::EXACT), and as many bytes as it takes are left.
    #[inline(always)]
    unsafe fn get_exact(reader: &mut Reader<'de>) -> Result<Self, Fault> {
        Self::get(reader)
    }

    /// Reads so many of them.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    #[inline(always)]
    fn get_all(reader: &mut Reader<'de>, count: usize) -> Result<Vec<Self>, Fault> {
        get_each(reader, count)
    }
}

/// Texts up to this many bytes are looked at for ASCII first.
const SHORT: usize = 32;

/// That the bytes are wrong: what about them is found out by who has to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault;

/// Bytes that are being read.
///
/// Invariant: from `at` to `end` are readable bytes, the last of the message that begins at `start`.
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
    /// Reads these bytes, of which the first is where the message begins.
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

    /// One that reads the same bytes again.
    pub(crate) fn copy(&self) -> Reader<'de> {
        Reader {
            refusal: None,
            ..*self
        }
    }

    /// How many bytes are left.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> usize {
        self.end.addr() - self.at.addr()
    }

    /// How many bytes were read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at.addr() - self.start.addr()
    }

    /// Looks whether so many bytes are left.
    ///
    /// # Errors
    /// If they aren't.
    #[inline(always)]
    pub fn need(&self, bytes: usize) -> Result<(), Fault> {
        if bytes <= self.left() {
            Ok(())
        } else {
            Err(Fault)
        }
    }

    /// Takes so many bytes.
    ///
    /// # Errors
    /// If they aren't left.
    #[inline(always)]
    pub fn bytes(&mut self, count: usize) -> Result<&'de [u8], Fault> {
        self.need(count)?;
        // SAFETY: they are left, and readable by the invariant.
        let bytes = unsafe { slice::from_raw_parts(self.at, count) };
        // SAFETY: as above.
        self.at = unsafe { self.at.add(count) };
        Ok(bytes)
    }

    /// Takes so many bytes as an array, without looking.
    ///
    /// # Safety
    /// So many are left.
    #[inline(always)]
    pub unsafe fn take<const N: usize>(&mut self) -> [u8; N] {
        debug_assert!(N <= self.left());
        // SAFETY: the caller's promise.
        let bytes = unsafe { ptr::read(self.at.cast::<[u8; N]>()) };
        // SAFETY: as above.
        self.at = unsafe { self.at.add(N) };
        bytes
    }

    /// Takes a count.
    ///
    /// # Errors
    /// If it isn't there.
    #[inline(always)]
    pub fn count(&mut self) -> Result<usize, Fault> {
        self.need(4)?;
        // SAFETY: they are there.
        Ok(u32::from_le_bytes(unsafe { self.take() }) as usize)
    }

    /// Takes a count of things that take at least so many bytes each.
    ///
    /// # Errors
    /// If it isn't there, or what's left can't hold as many.
    #[inline(always)]
    pub fn count_of(&mut self, least: usize) -> Result<usize, Fault> {
        let count = self.count()?;
        // Of 32 bits times the size of a type: no overflow where `usize` has 64.
        self.need(count.checked_mul(least).ok_or(Fault)?)?;
        Ok(count)
    }

    /// Takes the zeros up to a multiple of 8.
    ///
    /// # Errors
    /// If they aren't there, or not zeros.
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

    /// Takes UTF-8 with its count.
    ///
    /// # Errors
    /// If it isn't there, or not UTF-8.
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

    /// Takes one byte that says no or yes.
    ///
    /// # Errors
    /// If it isn't there, or says something else.
    #[inline(always)]
    pub fn flag(&mut self) -> Result<bool, Fault> {
        self.need(1)?;
        // SAFETY: it's there.
        let [byte] = unsafe { self.take() };
        if byte > 1 { Err(Fault) } else { Ok(byte == 1) }
    }

    /// Reads what is inside a type with a name.
    ///
    /// # Errors
    /// If it's too deep, or as `inside` says.
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

    /// Looks whether there may be one level more.
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

    /// For how many of a list of so many items room is made before they come. Deep down each level claims for itself what is left, so
    /// together they could want many times that.
    #[inline(always)]
    pub(crate) fn room(&self, count: usize) -> usize {
        if self.depth < UNASKED {
            count
        } else {
            count.min(64)
        }
    }

    /// Says what is wrong with a value whose bytes are right.
    #[cold]
    pub fn refuse(&mut self, why: String) -> Fault {
        let position = self.position();
        self.refusal
            .get_or_insert_with(|| Box::new(Problem::new(String::new(), position, why)));
        Fault
    }

    /// What a type has said itself.
    #[cold]
    pub(crate) fn into_refusal(self) -> Option<Box<Problem>> {
        self.refusal
    }
}

/// Reads so many, one after the other.
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
