//! The parts of lists, objects and enums.

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::keys::Key;
use super::{Doubt, Reader, Sure};

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

/// A variant as text, which has nothing in it.
pub(super) struct UnitVariant<'a, 'de> {
    reader: &'a mut Reader<'de>,
}

impl<'a, 'de> UnitVariant<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Self {
        UnitVariant { reader }
    }
}

impl<'de> EnumAccess<'de> for UnitVariant<'_, 'de> {
    type Error = Doubt;
    type Variant = Self;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Sure<(S::Value, Self)> {
        let variant = seed.deserialize(&mut *self.reader)?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for UnitVariant<'_, 'de> {
    type Error = Doubt;

    #[inline]
    fn unit_variant(self) -> Sure<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _seed: S) -> Sure<S::Value> {
        Err(Doubt)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Sure<V::Value> {
        Err(Doubt)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Sure<V::Value> {
        Err(Doubt)
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
        if self.reader.next()? != b'"' {
            return Err(Doubt);
        }
        let variant = seed.deserialize(&mut *self.reader)?;
        self.reader.expect(b':')?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Doubt;

    #[inline]
    fn unit_variant(self) -> Sure<()> {
        Deserialize::deserialize(self.reader)
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Sure<S::Value> {
        seed.deserialize(self.reader)
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
