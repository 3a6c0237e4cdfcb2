//! The parts of lists, of objects, and of enums that are objects.

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::keys::Key;
use super::reader::{Doubt, Reader, Sure};

/// Whether another part comes in a list or an object that ends with `bracket`: it's at its first byte then. The end isn't taken.
#[inline(always)]
fn has_next(reader: &mut Reader<'_>, first: &mut bool, bracket: u8) -> Sure<bool> {
    let next = match reader.next() {
        Ok(next) => next,
        // Who goes on after an error comes to an end.
        Err(Doubt) if reader.doubts() => return Ok(false),
        Err(Doubt) => return Err(Doubt),
    };
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
        let first = &mut self.first;
        self.reader.surely(|reader| {
            if has_next(reader, first, b']')? {
                seed.deserialize(reader).map(Some)
            } else {
                Ok(None)
            }
        })
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
        let first = &mut self.first;
        self.reader.surely(|reader| {
            if !has_next(reader, first, b'}')? {
                return Ok(None);
            }
            if reader.peek() != Some(b'"') {
                return Err(Doubt);
            }
            seed.deserialize(Key::new(reader)).map(Some)
        })
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Sure<S::Value> {
        self.reader.surely(|reader| {
            reader.expect(b':')?;
            seed.deserialize(reader)
        })
    }
}

/// A variant as an object of one field.
pub(super) struct Variant<'a, 'de> {
    reader: &'a mut Reader<'de>,
}

impl<'a, 'de> Variant<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Self {
        Variant { reader }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Doubt;
    type Variant = Self;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Sure<(S::Value, Self)> {
        let variant = self.reader.surely(|reader| {
            if reader.next()? != b'"' {
                return Err(Doubt);
            }
            let variant = seed.deserialize(Key::new(reader))?;
            reader.expect(b':')?;
            Ok(variant)
        })?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Doubt;

    #[inline]
    fn unit_variant(self) -> Sure<()> {
        self.reader
            .surely(|reader| Deserialize::deserialize(reader))
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Sure<S::Value> {
        self.reader.surely(|reader| seed.deserialize(reader))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Sure<V::Value> {
        self.reader.deserialize_seq(visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Sure<V::Value> {
        self.reader.deserialize_struct("", fields, visitor)
    }
}
