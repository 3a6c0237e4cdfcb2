//! Types with the same layout in memory and on the wire: numbers, and structs of numbers without padding. A list of
//! them is copied at once.

use std::borrow::Cow;

use bytemuck::Pod;

use crate::read::{Fault, Reader};
use crate::write::Writer;

/// Writes values by copying them from memory.
///
/// # Safety
/// The writer has room for them.
#[inline(always)]
pub unsafe fn put_block<T: Pod>(items: &[T], writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe { writer.put_bytes(bytemuck::cast_slice(items)) };
}

/// Reads `count` values by copying them to memory.
///
/// # Errors
/// If fewer are left.
#[inline(always)]
pub fn get_block<T: Pod>(reader: &mut Reader<'_>, count: usize) -> Result<Vec<T>, Fault> {
    Ok(copied(block::<T>(reader, count)?, count))
}

/// Reads `count` values. They're borrowed if this machine's alignment and byte order allow it, and copied otherwise.
///
/// # Errors
/// If fewer are left.
#[inline(always)]
pub fn borrow_block<'de, T: Pod>(
    reader: &mut Reader<'de>,
    count: usize,
) -> Result<Cow<'de, [T]>, Fault> {
    let bytes = block::<T>(reader, count)?;
    Ok(match bytemuck::try_cast_slice(bytes) {
        Ok(items) => Cow::Borrowed(items),
        Err(_) => Cow::Owned(copied(bytes, count)),
    })
}

#[inline(always)]
fn block<'de, T>(reader: &mut Reader<'de>, count: usize) -> Result<&'de [u8], Fault> {
    reader.bytes(count.checked_mul(size_of::<T>()).ok_or(Fault)?)
}

#[inline(always)]
fn copied<T: Pod>(bytes: &[u8], count: usize) -> Vec<T> {
    assert_eq!(bytes.len(), count * size_of::<T>());
    let mut items = Vec::<T>::with_capacity(count);
    // SAFETY: the vector has room for `count` of them, which are as many bytes; any bytes are a `Pod`.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), items.as_mut_ptr().cast(), bytes.len());
        items.set_len(count);
    }
    items
}
