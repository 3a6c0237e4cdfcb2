//! What the answer of a raw method becomes.

/// What a raw method's answer becomes: `Vec<u8>`, `String`, or nothing.
pub trait RawAnswer: Sized {
    /// Takes the bytes of an answer. `None` if they aren't of this type.
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
