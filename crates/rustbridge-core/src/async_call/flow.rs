//! Credit, batches of items, and queued items: for both directions of a stream.

use rustbridge_abi::{Batch, RB_BATCH_ENDS};

/// How many more items and bytes the consumer accepts. An item may be sent while both are above zero, so the last one may exceed the
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Credit {
    pub(crate) items: u64,
    pub(crate) bytes: i64,
}

impl Credit {
    pub(crate) fn add(&mut self, items: u64, bytes: u64) {
        self.items = self.items.saturating_add(items);
        self.bytes = self
            .bytes
            .saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// Spends the credit for a batch, if it suffices.
    pub(crate) fn spend(&mut self, items: &Items<'_>) -> bool {
        let before_last = items.bytes.len().saturating_sub(items.last_len()) as i64;
        if items.count as u64 > self.items || self.bytes <= before_last {
            return false;
        }
        self.items -= items.count as u64;
        self.bytes = self.bytes.saturating_sub(items.bytes.len() as i64);
        true
    }
}

/// A valid batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items<'a> {
    pub(crate) count: usize,
    bytes: &'a [u8],
    /// The end of each item, unless all have the same length: four bytes each, perhaps unaligned.
    ends: Option<&'a [u8]>,
    pub(crate) objects: &'a [u64],
}

impl<'a> Items<'a> {
    /// Checks a batch. The error says what's wrong with it.
    ///
    /// # Safety
    /// `data` has `len` readable bytes, and `objects` has `object_count` elements, for `'a`.
    pub(crate) unsafe fn of(batch: &Batch) -> Result<Items<'a>, &'static str> {
        let count = batch.count as usize;
        if batch.flags & !RB_BATCH_ENDS != 0 {
            return Err("its flags have unknown bits, expected RB_BATCH_ bits");
        }
        if batch.len > isize::MAX as usize {
            return Err("its length is negative or above PTRDIFF_MAX");
        }
        if batch.data.is_null() && batch.len != 0 {
            return Err("its data is null, and its length isn't 0");
        }
        let all = if batch.len == 0 {
            &[][..]
        } else {
            // SAFETY: not null, and the caller's promise.
            unsafe { std::slice::from_raw_parts(batch.data, batch.len) }
        };
        let objects = if batch.object_count == 0 {
            &[][..]
        } else if batch.objects.is_null() || !batch.objects.is_aligned() {
            return Err("its objects are null, or not aligned");
        } else {
            // SAFETY: not null, aligned, and the caller's promise.
            unsafe { std::slice::from_raw_parts(batch.objects, batch.object_count as usize) }
        };
        if count == 0 {
            return if batch.len == 0 && objects.is_empty() {
                Ok(Items {
                    count,
                    bytes: &[],
                    ends: None,
                    objects,
                })
            } else {
                Err("it has bytes or objects but no items")
            };
        }
        if objects.len() % count != 0 {
            return Err("its objects can't be divided evenly among its items");
        }
        if batch.flags & RB_BATCH_ENDS == 0 {
            return if all.len() % count == 0 {
                Ok(Items {
                    count,
                    bytes: all,
                    ends: None,
                    objects,
                })
            } else {
                Err("its length can't be divided evenly among its items")
            };
        }
        let Some(len) = all.len().checked_sub(count.saturating_mul(4)) else {
            return Err("it's too short for the ends of its items");
        };
        let (bytes, ends) = all.split_at(len);
        let mut last = 0;
        for end in ends.chunks_exact(4) {
            let end = read_end(end);
            if end < last || end > bytes.len() {
                return Err(
                    "the ends of its items aren't in ascending order, or lie beyond its bytes",
                );
            }
            last = end;
        }
        if last != bytes.len() {
            return Err("its last item doesn't end at the end of its bytes");
        }
        Ok(Items {
            count,
            bytes,
            ends: Some(ends),
            objects,
        })
    }

    /// The same items with other objects, of the same number.
    pub(crate) fn with_objects<'b>(self, objects: &'b [u64]) -> Items<'b>
    where
        'a: 'b,
    {
        Items { objects, ..self }
    }

    /// The total size of the items in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    fn last_len(&self) -> usize {
        match self.ends {
            _ if self.count == 0 => 0,
            None => self.bytes.len() / self.count,
            Some(_) => self.bytes.len() - self.end(self.count.wrapping_sub(2)),
        }
    }

    /// The end of an item; 0 for the index before the first.
    fn end(&self, index: usize) -> usize {
        if index >= self.count {
            return 0;
        }
        match self.ends {
            None => self.bytes.len() / self.count * (index + 1),
            Some(ends) => read_end(&ends[index * 4..index * 4 + 4]),
        }
    }

    /// Items whose ends are in `ends`, in ascending order and within the bytes.
    pub(crate) fn of_parts(
        count: usize,
        bytes: &'a [u8],
        ends: &'a [u8],
        objects: &'a [u64],
    ) -> Items<'a> {
        Items {
            count,
            bytes,
            ends: Some(ends),
            objects,
        }
    }

    /// Each item's bytes.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.count)
            .map(move |index| &self.bytes[self.end(index.wrapping_sub(1))..self.end(index)])
    }
}

fn read_end(bytes: &[u8]) -> usize {
    bytes
        .try_into()
        .map_or(0, |bytes| u32::from_ne_bytes(bytes) as usize)
}

/// Items that the consumer hasn't received yet, as one batch.
#[derive(Debug, Default)]
pub(crate) struct QueuedItems {
    count: u32,
    bytes: Vec<u8>,
    /// The length of every item, as long as all have the same; then `ends` is empty.
    stride: usize,
    ends: Vec<u8>,
    objects: Vec<u64>,
}

/// Items in memory of their own.
#[derive(Debug, Default)]
pub(crate) struct OwnedBatch {
    pub(crate) count: u32,
    /// `RB_BATCH_` bits.
    pub(crate) flags: u32,
    /// As in a [`Batch`]: the items, followed by their ends if a flag says so.
    pub(crate) bytes: Vec<u8>,
    pub(crate) objects: Vec<u64>,
}

impl QueuedItems {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether it's empty and has no memory.
    pub(crate) fn is_untouched(&self) -> bool {
        self.count == 0
            && self.bytes.capacity() + self.ends.capacity() + self.objects.capacity() == 0
    }

    /// The size of the batch in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() + self.ends.len()
    }

    /// The objects of the items.
    pub(crate) fn objects(&self) -> &[u64] {
        &self.objects
    }

    /// The objects of the items, which are discarded.
    pub(crate) fn into_objects(self) -> Vec<u64> {
        self.objects
    }

    /// Adds items. Returns false if the ends would exceed 32 bits.
    pub(crate) fn add(&mut self, items: &Items<'_>) -> bool {
        if u32::try_from(self.bytes.len() + items.len()).is_err() {
            return false;
        }
        let Some(count) = u32::try_from(items.count)
            .ok()
            .and_then(|count| self.count.checked_add(count))
        else {
            return false;
        };
        let stride = items.bytes.len() / items.count.max(1);
        if items.count == 0 {
            return true;
        }
        let is_even = items.ends.is_none()
            && self.ends.is_empty()
            && (self.count == 0 || self.stride == stride);
        if is_even {
            self.stride = stride;
        } else {
            if self.ends.is_empty() {
                for index in 1..=self.count as usize {
                    self.push_end(self.stride * index);
                }
            }
            let before = self.bytes.len();
            for index in 0..items.count {
                self.push_end(before + items.end(index));
            }
        }
        self.bytes.extend_from_slice(items.bytes);
        self.objects.extend_from_slice(items.objects);
        self.count = count;
        true
    }

    fn push_end(&mut self, end: usize) {
        // The total size is within 32 bits.
        self.ends.extend_from_slice(&(end as u32).to_ne_bytes());
    }

    /// Takes all items.
    pub(crate) fn take(&mut self) -> OwnedBatch {
        let QueuedItems {
            count,
            mut bytes,
            ends,
            objects,
            ..
        } = std::mem::take(self);
        let flags = if ends.is_empty() { 0 } else { RB_BATCH_ENDS };
        bytes.extend_from_slice(&ends);
        OwnedBatch {
            count,
            flags,
            bytes,
            objects,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(items: &[&[u8]], with_ends: bool) -> (Vec<u8>, u32) {
        let mut bytes = items.concat();
        if with_ends {
            let mut end = 0_u32;
            for item in items {
                end += item.len() as u32;
                bytes.extend_from_slice(&end.to_ne_bytes());
            }
        }
        (bytes, if with_ends { RB_BATCH_ENDS } else { 0 })
    }

    fn items<'a>(bytes: &'a [u8], flags: u32, count: usize) -> Result<Items<'a>, &'static str> {
        let batch = Batch {
            flags,
            data: bytes.as_ptr(),
            len: bytes.len(),
            count: count as u32,
            ..Batch::EMPTY
        };
        // SAFETY: borrowed for as long.
        unsafe { Items::of(&batch) }
    }

    fn taken(waiting: &mut QueuedItems) -> Vec<Vec<u8>> {
        let taken = waiting.take();
        let items = items(&taken.bytes, taken.flags, taken.count as usize).unwrap();
        items.iter().map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn batches_that_wait_become_one() {
        let mut waiting = QueuedItems::default();
        let mut wanted: Vec<Vec<u8>> = Vec::new();
        for (list, with_ends) in [
            (&[&b"ab"[..], b"cd"][..], false),
            (&[b"ef"], false),
            (&[b"x", b"", b"long"], true),
            (&[b"gh"], false),
            (&[b""], false),
        ] {
            let (bytes, flags) = batch(list, with_ends);
            assert!(waiting.add(&items(&bytes, flags, list.len()).unwrap()));
            wanted.extend(list.iter().map(|item| item.to_vec()));
        }
        assert_eq!(taken(&mut waiting), wanted);
        assert!(waiting.is_empty());
        let (bytes, flags) = batch(&[b"ab", b"cd"], false);
        waiting.add(&items(&bytes, flags, 2).unwrap());
        assert_eq!(waiting.take().flags, 0);
    }

    #[test]
    fn a_batch_that_cannot_be_is_refused() {
        assert!(items(b"abc", 0, 2).is_err());
        assert!(items(b"abc", 0, 0).is_err());
        assert!(items(b"abc", RB_BATCH_ENDS, 1).is_err());
        for ends in [[1_u32, 4], [2, 1], [1, 1], [4, 2]] {
            let mut bytes = b"abc".to_vec();
            ends.iter()
                .for_each(|end| bytes.extend_from_slice(&end.to_ne_bytes()));
            assert!(items(&bytes, RB_BATCH_ENDS, 2).is_err(), "{ends:?}");
        }
        let null = Batch {
            len: 3,
            count: 1,
            ..Batch::EMPTY
        };
        // SAFETY: nothing is read.
        assert!(unsafe { Items::of(&null) }.is_err());
    }

    #[test]
    fn the_last_item_may_go_beyond_the_bytes() {
        let mut credit = Credit { items: 3, bytes: 4 };
        let (bytes, flags) = batch(&[b"abc", b"0123456789"], true);
        assert!(credit.spend(&items(&bytes, flags, 2).unwrap()));
        assert_eq!(
            credit,
            Credit {
                items: 1,
                bytes: -9
            }
        );
        let (bytes, flags) = batch(&[b"a"], false);
        assert!(!credit.spend(&items(&bytes, flags, 1).unwrap()));
        credit.add(0, 10);
        assert!(credit.spend(&items(&bytes, flags, 1).unwrap()));
        credit.add(0, u64::MAX);
        assert!(!credit.spend(&items(&bytes, flags, 1).unwrap()));
    }
}
