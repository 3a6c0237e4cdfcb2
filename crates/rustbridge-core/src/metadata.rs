//! Metadata, as a host in Rust sees it.

use std::fmt;

use rustbridge_abi::MetadataPairs;

/// Key-value pairs, in order. Keys are visible ASCII without capitals. Values are any bytes. A key may repeat.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    bytes: Vec<u8>,
}

impl Metadata {
    /// As it crosses the boundary: of the right layout, or nothing.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Metadata {
        Metadata { bytes }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds a pair. Whether the key can be one, and all of them together aren't too long, is checked where it's used.
    pub(crate) fn push(&mut self, key: &str, value: &[u8]) {
        let bytes = &mut self.bytes;
        let count = match bytes.first_chunk() {
            Some(count) => u32::from_ne_bytes(*count),
            None => {
                bytes.extend([0; 4]);
                0
            }
        };
        bytes[..4].copy_from_slice(&(count + 1).to_ne_bytes());
        for len in [key.len(), value.len()] {
            // What is longer is refused as longer than metadata can be, whatever is written here.
            bytes.extend((len as u32).to_ne_bytes());
        }
        bytes.extend(key.as_bytes());
        bytes.extend(value);
    }

    /// Returns the pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        MetadataPairs::new(&self.bytes)
    }

    /// Returns the first value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.iter()
            .find_map(|(other, value)| (other == key).then_some(value))
    }

    /// Returns the first value of a key, if it's text.
    #[must_use]
    pub fn get_text(&self, key: &str) -> Option<&str> {
        str::from_utf8(self.get(key)?).ok()
    }

    /// Returns whether there are no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl fmt::Debug for Metadata {
    /// The keys alone: values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(|(key, _)| key))
            .finish()
    }
}
