//! The variants of enums.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

use super::reader::{Doubt, Reader, Sure};

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
