//! The serializer, which writes what serde_json does: compact, floats as short as they can be, what is no number as `null`.

mod compound;
mod json;
mod keys;
mod serial;

use rustbridge_wire::{Writer, WriterOutput};
use serde::Serialize;
use serde_json::Error;

use self::json::Json;

/// Writes a value as JSON behind what was written before.
///
/// # Errors
/// The value says so, or it has a key that is no text. What the writer holds is then of no use.
#[inline(always)]
pub fn write<T: Serialize + ?Sized>(value: &T, writer: &mut Writer) -> Result<(), Error> {
    value.serialize(Json { writer })
}

/// A value as JSON.
///
/// # Errors
/// Those of [`write`](fn@write).
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::new();
    write(value, &mut writer)?;
    Ok(match writer.finish() {
        WriterOutput::Spilled(vec) => vec,
        WriterOutput::Stored(_) => Vec::new(),
    })
}
