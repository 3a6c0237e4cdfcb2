//! Functions that read and write whole messages.

use std::mem::MaybeUninit;
use std::slice;

use crate::check::{self, is_as_described};
use crate::problem::Problem;
use crate::read::{Decode, Fault, Reader};
use crate::types::Type;
use crate::write::{Encode, Unwritable, Writer, WriterOutput};

/// Returns a value as a message.
///
/// # Errors
/// See [`Unwritable`].
pub fn to_vec<T: Encode + ?Sized>(value: &T) -> Result<Vec<u8>, Unwritable> {
    debug_assert!(is_as_described::<T>());
    let mut writer = Writer::new();
    writer.message(value)?;
    Ok(writer.into_vec())
}

/// Replaces the contents of a buffer by a message. The buffer grows if necessary, so a buffer that is reused avoids allocations.
///
/// ```
/// let mut buffer = Vec::with_capacity(64);
/// assert_eq!(rustbridge_wire::write_into("Ada", &mut buffer)?, [3, 0, 0, 0, b'A', b'd', b'a']);
/// # Ok::<(), rustbridge_wire::Unwritable>(())
/// ```
///
/// # Errors
/// See [`Unwritable`].
#[inline]
pub fn write_into<'b, T: Encode + ?Sized>(
    value: &T,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], Unwritable> {
    debug_assert!(is_as_described::<T>());
    buffer.clear();
    // SAFETY: the buffer's memory, which is borrowed for as long as the writer lives.
    let mut writer = unsafe { Writer::over(buffer.as_mut_ptr(), buffer.capacity()) };
    writer.message(value)?;
    match writer.finish() {
        // SAFETY: so many bytes of it are written.
        WriterOutput::Stored(len) => unsafe { buffer.set_len(len) },
        WriterOutput::Spilled(larger) => *buffer = larger,
    }
    Ok(buffer)
}

/// Writes a message to the start of a buffer. Returns `None`, and writes nothing, if the message doesn't fit.
///
/// ```
/// use std::mem::MaybeUninit;
///
/// let mut buffer = [MaybeUninit::uninit(); 8];
/// assert_eq!(rustbridge_wire::write_to(&7_u32, &mut buffer)?, Some(&[7, 0, 0, 0][..]));
/// assert_eq!(rustbridge_wire::write_to("too long for it", &mut buffer)?, None);
/// # Ok::<(), rustbridge_wire::Unwritable>(())
/// ```
///
/// # Errors
/// See [`Unwritable`].
#[inline(always)]
pub fn write_to<'b, T: Encode + ?Sized>(
    value: &T,
    buffer: &'b mut [MaybeUninit<u8>],
) -> Result<Option<&'b [u8]>, Unwritable> {
    debug_assert!(is_as_described::<T>());
    if T::EXACT && T::LEAST > buffer.len() {
        return Ok(None);
    }
    let start = buffer.as_mut_ptr().cast::<u8>();
    // SAFETY: the buffer's memory, which is borrowed for as long as the writer lives.
    let mut writer = unsafe { Writer::over(start, buffer.len()) };
    writer.message(value)?;
    match writer.finish() {
        // SAFETY: so many bytes of it are written, and borrowed as long.
        WriterOutput::Stored(len) => Ok(Some(unsafe { slice::from_raw_parts(start, len) })),
        WriterOutput::Spilled(_) => Ok(None),
    }
}

/// Reads a whole message.
///
/// # Errors
/// If the bytes aren't exactly one `T`. The error describes the first problem and its position.
#[inline(always)]
pub fn read<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T, Box<Problem>> {
    debug_assert!(is_as_described::<T>());
    let mut reader = Reader::new(bytes);
    let value = if T::EXACT {
        if bytes.len() == T::LEAST {
            // SAFETY: it's exact, and so many are left.
            unsafe { T::get_exact(&mut reader) }
        } else {
            Err(Fault)
        }
    } else {
        T::get(&mut reader)
    };
    match value {
        Ok(value) if reader.left() == 0 => Ok(value),
        // What was read is dropped behind the report.
        _ => Err(report(&T::TYPE, bytes, reader)),
    }
}

/// Returns the problem of bytes from which a value couldn't be read.
#[cold]
#[inline(never)]
fn report(ty: &Type, bytes: &[u8], reader: Reader<'_>) -> Box<Problem> {
    check::report(ty, bytes, reader.into_refusal())
}

/// Returns the number of an enum's variant.
#[must_use]
pub fn variant_number<T: Encode>(value: &T) -> u16 {
    match to_vec(value).as_deref() {
        Ok([low, high, ..]) => u16::from_le_bytes([*low, *high]),
        _ => u16::MAX,
    }
}
