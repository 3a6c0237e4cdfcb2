//! serde's protocol for a value.

use serde::de::{Deserializer, Visitor};

use super::compound::{Map, Seq};
use super::keys::RAW_VALUE;
use super::reader::{Doubt, Reader, Sure};
use super::variants::{UnitVariant, Variant};

impl<'de> Reader<'de> {
    #[inline(always)]
    fn seq<V: Visitor<'de>>(&mut self, visitor: V) -> Sure<V::Value> {
        self.enter()?;
        let value = visitor.visit_seq(Seq::new(self))?;
        self.leave(b']')?;
        Ok(value)
    }

    #[inline(always)]
    fn map<V: Visitor<'de>>(&mut self, visitor: V) -> Sure<V::Value> {
        self.enter()?;
        let value = visitor.visit_map(Map::new(self))?;
        self.leave(b'}')?;
        Ok(value)
    }
}

macro_rules! numbers {
    ($($method:ident),+) => {
        $(
            #[inline(always)]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
                self.number(visitor)
            }
        )+
    };
}

macro_rules! strings {
    ($($method:ident),+) => {
        $(
            #[inline(always)]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
                match self.next()? {
                    b'"' => self.string(visitor),
                    _ => Err(Doubt),
                }
            }
        )+
    };
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Doubt;

    numbers!(
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64,
        deserialize_f64
    );

    strings!(
        deserialize_char,
        deserialize_str,
        deserialize_string,
        deserialize_identifier
    );

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.next()? {
            b'"' => self.string(visitor),
            b'{' => self.map(visitor),
            b'[' => self.seq(visitor),
            b'-' | b'0'..=b'9' => self.number(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.next()? {
            b't' => {
                self.word(b"true")?;
                visitor.visit_bool(true)
            }
            b'f' => {
                self.word(b"false")?;
                visitor.visit_bool(false)
            }
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.single(visitor)
    }

    #[inline]
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        let value = self.integer()?;
        visitor.visit_i128(value)
    }

    #[inline]
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        let value = self.integer()?;
        visitor.visit_u128(value)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.next()? {
            b'"' => self.string_as_bytes(visitor),
            b'[' => self.seq(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.next()? {
            b'n' => {
                self.word(b"null")?;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.next()?;
        self.word(b"null")?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Sure<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Sure<V::Value> {
        if name == RAW_VALUE {
            return Err(Doubt);
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.next()? {
            b'[' => self.seq(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Sure<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Sure<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.next()? {
            b'{' => self.map(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Sure<V::Value> {
        match self.next()? {
            b'{' => self.map(visitor),
            b'[' => self.seq(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Sure<V::Value> {
        match self.next()? {
            b'"' => visitor.visit_enum(UnitVariant::new(self)),
            b'{' => {
                self.enter()?;
                let value = visitor.visit_enum(Variant::new(self))?;
                self.leave(b'}')?;
                Ok(value)
            }
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.pass()?;
        visitor.visit_unit()
    }
}
