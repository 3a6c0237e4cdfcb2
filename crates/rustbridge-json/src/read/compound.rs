//! The parts of lists and objects.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::keys::Key;
use super::reader::{Doubt, Reader, Sure};

/// Whether another part comes in a list or an object that ends with `bracket`: it's at its first byte then. The end isn't taken.
#[inline(always)]
fn has_next(reader: &mut Reader<'_>, first: &mut bool, bracket: u8) -> Sure<bool> {
    let next = reader.next()?;
    if next == bracket {
        return Ok(false);
    }
    if *first {
        *first = false;
        return Ok(true);
    }
    if next != b',' {
        return Err(Doubt);
    }
    reader.take();
    if reader.next()? == bracket {
        // A comma before the end.
        return Err(Doubt);
    }
    Ok(true)
}

/// The elements of a list.
pub(super) struct Seq<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
}

impl<'a, 'de> Seq<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Self {
        Seq {
            reader,
            first: true,
        }
    }
}

impl<'de> SeqAccess<'de> for Seq<'_, 'de> {
    type Error = Doubt;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Sure<Option<S::Value>> {
        if has_next(self.reader, &mut self.first, b']')? {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// The fields of an object.
pub(super) struct Map<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
}

impl<'a, 'de> Map<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Self {
        Map {
            reader,
            first: true,
        }
    }
}

impl<'de> MapAccess<'de> for Map<'_, 'de> {
    type Error = Doubt;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Sure<Option<S::Value>> {
        if !has_next(self.reader, &mut self.first, b'}')? {
            return Ok(None);
        }
        if self.reader.peek() != Some(b'"') {
            return Err(Doubt);
        }
        seed.deserialize(Key::new(self.reader)).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Sure<S::Value> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}
