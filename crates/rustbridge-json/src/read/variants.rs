//! The variants of enums that are texts.

use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

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
        let variant = self
            .reader
            .surely(|reader| seed.deserialize(&mut *reader))?;
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
        Err(self.reader.doubt())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Sure<V::Value> {
        Err(self.reader.doubt())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Sure<V::Value> {
        Err(self.reader.doubt())
    }
}
