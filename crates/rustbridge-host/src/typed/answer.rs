//! Conversion of the responses of raw methods.

/// A type to which a raw method's response is converted: `Vec<u8>`, `String`, or `()`.
pub trait RawAnswer: Sized {
    /// Converts the bytes of a response. Returns `None` if they aren't a value of this type.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

impl RawAnswer for Vec<u8> {
    fn from_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.to_vec())
    }
}

impl RawAnswer for String {
    fn from_bytes(bytes: &[u8]) -> Option<String> {
        std::str::from_utf8(bytes).ok().map(str::to_owned)
    }
}

impl RawAnswer for () {
    fn from_bytes(bytes: &[u8]) -> Option<()> {
        bytes.is_empty().then_some(())
    }
}
