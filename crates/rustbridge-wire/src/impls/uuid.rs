//! UUIDs, as their sixteen bytes.

use std::fmt;

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// A UUID: its 16 bytes, in the order in which it's printed.
///
/// ```
/// let id = rustbridge_wire::Uuid([0xab; 16]);
/// assert_eq!(id.to_string(), "abababab-abab-abab-abab-abababababab");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, byte) in self.0.iter().enumerate() {
            if matches!(position, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl Typed for Uuid {
    const TYPE: Type = Type::Uuid;
    const LEAST: usize = 16;
    const EXACT: bool = true;
}

// SAFETY: sixteen bytes.
unsafe impl Encode for Uuid {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        measure.add(16);
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { writer.put(self.0) };
    }
}

// SAFETY: sixteen bytes.
unsafe impl<'de> Decode<'de> for Uuid {
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<Uuid, Fault> {
        reader.need(16)?;
        // SAFETY: they are left.
        Ok(Uuid(unsafe { reader.take() }))
    }
}
