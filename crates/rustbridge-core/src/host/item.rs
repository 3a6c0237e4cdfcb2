//! Items of a stream, for hosts in Rust.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use bytemuck::Pod;
use rustbridge_abi::RB_BATCH_ENDS;
use serde::de::DeserializeOwned;

use super::object::Object;
use super::values::{from_json, from_pod};
use crate::error::Error;

/// Items up to this size are kept in the [`Item`] itself: copying so much costs less than counting who shares a batch.
const INLINE: usize = 30;

/// An item of a stream. It dereferences to its bytes.
///
/// Items arrive in batches. A small item contains its bytes. Larger items share the memory of their batch, which is
/// released with the last of them.
pub struct Item {
    place: Place,
    objects: Vec<Object>,
}

enum Place {
    Inline(u8, [u8; INLINE]),
    Shared(Arc<Vec<u8>>, u32, u32),
}

impl Item {
    /// Returns the bytes, like dereferencing.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        let bytes = match &self.place {
            Place::Inline(len, bytes) => bytes.get(..usize::from(*len)),
            Place::Shared(batch, start, end) => batch.get(*start as usize..*end as usize),
        };
        bytes.unwrap_or_default()
    }

    /// Returns the item's objects, in the order in which the item refers to them.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Returns the item's objects, and their ownership.
    #[must_use]
    pub fn into_objects(self) -> Vec<Object> {
        self.objects
    }

    /// Decodes the item as JSON.
    ///
    /// # Errors
    /// `INTERNAL`: it can't be decoded as `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        from_json(self, || "a stream".to_owned())
    }

    /// Reads the item as a plain struct.
    ///
    /// # Errors
    /// `INTERNAL`: its size isn't that of `T`.
    #[inline]
    pub fn pod<T: Pod>(&self) -> Result<T, Error> {
        from_pod(self)
    }
}

impl Deref for Item {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Item {
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Item").field("len", &self.len()).finish()
    }
}

/// A batch of which items are taken one after the other.
#[derive(Debug, Default)]
pub(super) struct BatchReader {
    bytes: Vec<u8>,
    /// The same, once an item shares them.
    shared: Option<Arc<Vec<u8>>>,
    count: usize,
    next: usize,
    start: usize,
    /// The length of each, or else their ends are behind so many bytes.
    stride: Option<usize>,
    body: usize,
    /// Those of the items that weren't taken yet, each has as many as any other.
    objects: std::vec::IntoIter<Object>,
    objects_each: usize,
}

impl BatchReader {
    /// A batch that the core has looked at.
    pub(super) fn new(count: u32, flags: u32, bytes: Vec<u8>, objects: Vec<u64>) -> BatchReader {
        let count = count as usize;
        let objects: Vec<Object> = objects.into_iter().map(Object::from_number).collect();
        let has_ends = flags & RB_BATCH_ENDS != 0;
        BatchReader {
            count,
            stride: (!has_ends).then(|| bytes.len() / count.max(1)),
            body: bytes.len().saturating_sub(count * 4),
            bytes,
            objects_each: objects.len() / count.max(1),
            objects: objects.into_iter(),
            ..BatchReader::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.next == self.count
    }

    /// The bytes of the next item, where they lie. Its objects, if it has any, are let go of.
    #[inline]
    pub(super) fn next_bytes(&mut self) -> Option<&[u8]> {
        let (start, end) = self.advance()?;
        for object in self.objects.by_ref().take(self.objects_each) {
            drop(object);
        }
        self.all().get(start..end)
    }

    #[inline]
    fn all(&self) -> &[u8] {
        self.shared.as_deref().unwrap_or(&self.bytes)
    }

    /// Goes past the next item, and says where it begins and ends.
    #[inline]
    fn advance(&mut self) -> Option<(usize, usize)> {
        if self.is_empty() {
            return None;
        }
        let start = self.start;
        let end = match self.stride {
            Some(stride) => start + stride,
            None => {
                let at = self.body + self.next * 4;
                u32::from_ne_bytes(*self.all().get(at..)?.first_chunk()?) as usize
            }
        };
        self.next += 1;
        self.start = end;
        Some((start, end))
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<Item> {
        let (start, end) = self.advance()?;
        let objects = if self.objects_each == 0 {
            Vec::new()
        } else {
            self.objects.by_ref().take(self.objects_each).collect()
        };
        let all = self.all();
        let item = all.get(start..end)?;
        if item.len() <= INLINE {
            let mut bytes = [0; INLINE];
            match all.get(start..start + INLINE) {
                // A copy whose length is known beforehand; what's behind the item isn't looked at.
                Some(more) => bytes.copy_from_slice(more),
                None => bytes[..item.len()].copy_from_slice(item),
            }
            let place = Place::Inline(item.len() as u8, bytes);
            return Some(Item { place, objects });
        }
        let shared = match &self.shared {
            Some(shared) => Arc::clone(shared),
            None => {
                let shared = Arc::new(std::mem::take(&mut self.bytes));
                Arc::clone(self.shared.insert(shared))
            }
        };
        // A batch is within what a `u32` can say.
        let place = Place::Shared(shared, start as u32, end as u32);
        Some(Item { place, objects })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_small() {
        assert_eq!(size_of::<Place>(), 32);
        assert_eq!(size_of::<Option<Item>>(), 56);
    }

    #[test]
    fn a_batch_is_unpacked_whatever_the_lengths() {
        let texts: Vec<Vec<u8>> = [0, 1, 30, 31, 1000, 0]
            .map(|len| vec![len as u8; len])
            .into();
        let mut bytes = texts.concat();
        let mut end = 0;
        for text in &texts {
            end += text.len() as u32;
            bytes.extend(end.to_ne_bytes());
        }
        let mut batch = BatchReader::new(texts.len() as u32, RB_BATCH_ENDS, bytes, vec![]);
        let items: Vec<Item> = std::iter::from_fn(|| batch.next()).collect();
        assert!(items.iter().map(|item| item.to_vec()).eq(texts));

        let mut batch = BatchReader::new(3, 0, b"aabbcc".to_vec(), vec![]);
        let items: Vec<Item> = std::iter::from_fn(|| batch.next()).collect();
        assert!(items.iter().map(Item::as_slice).eq([b"aa", b"bb", b"cc"]));
        let mut batch = BatchReader::new(2, 0, b"aabb".to_vec(), vec![]);
        assert_eq!(batch.next_bytes(), Some(&b"aa"[..]));
        assert_eq!(batch.next().as_deref(), Some(&b"bb"[..]));
        assert_eq!(batch.next_bytes(), None);
        assert!(BatchReader::default().next().is_none());
    }
}
