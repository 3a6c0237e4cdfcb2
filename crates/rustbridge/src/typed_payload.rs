//! The payload of an error in the wire format, as the host sends it.

use rustbridge_wire::{Decode, Reader};

/// An error's payload in the wire format.
pub(crate) struct TypedPayload<'p> {
    pub(crate) message: &'p str,
    pub(crate) type_name: &'p str,
    pub(crate) value: &'p [u8],
}

impl<'p> TypedPayload<'p> {
    /// Reads a payload; `None` if it isn't one in the wire format.
    pub(crate) fn read(payload: &'p [u8]) -> Option<TypedPayload<'p>> {
        /// The first number of such a payload.
        const TYPED: u32 = 1;

        let mut reader = Reader::new(payload);
        let mut number = || u32::get(&mut reader).ok();
        if number()? != TYPED {
            return None;
        }
        // The status, which came beside it as well.
        number()?;
        let (message, type_name) = (reader.string().ok()?, reader.string().ok()?);
        reader.pad().ok()?;
        Some(TypedPayload {
            message,
            type_name,
            value: reader.bytes(reader.left()).ok()?,
        })
    }
}
