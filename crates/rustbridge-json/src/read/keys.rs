//! The names of an object's fields, which are texts whatever is wanted: numbers and `true` and `false` lie within the quotes.

use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::reader::{Doubt, Reader, Sure};
use super::variants::UnitVariant;

/// What serde_json's `RawValue` is asked for by.
pub(super) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// A name, whose quote is the next byte.
pub(super) struct Key<'a, 'de> {
    reader: &'a mut Reader<'de>,
}

impl<'a, 'de> Key<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Reader<'de>) -> Self {
        Key { reader }
    }

    /// Reads what lies within the quotes, by a reader that is at its first byte.
    #[inline(always)]
    fn within<T>(self, read: impl FnOnce(&mut Reader<'de>) -> Sure<T>) -> Sure<T> {
        self.reader.surely(|reader| {
            reader.take();
            match reader.peek() {
                // No white space before it.
                Some(b'-' | b'0'..=b'9' | b't' | b'f') => {}
                _ => return Err(Doubt),
            }
            let value = read(reader)?;
            if reader.peek() == Some(b'"') {
                reader.take();
                Ok(value)
            } else {
                Err(Doubt)
            }
        })
    }
}

macro_rules! within {
    ($($method:ident),+) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
                self.within(|reader| reader.$method(visitor))
            }
        )+
    };
}

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = Doubt;

    within!(
        deserialize_bool,
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_i128,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64,
        deserialize_u128,
        deserialize_f32,
        deserialize_f64
    );

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.reader.surely(|reader| reader.string(visitor))
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Sure<V::Value> {
        if name == RAW_VALUE {
            return Err(self.reader.doubt());
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Sure<V::Value> {
        visitor.visit_enum(UnitVariant::new(self.reader))
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.reader.surely(|reader| reader.string_as_bytes(visitor))
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.reader.surely(|reader| reader.string_as_bytes(visitor))
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
