//! serde's protocol for a value.

use serde::de::{Deserializer, Visitor};

use super::compound::{Map, Seq, Variant};
use super::keys::RAW_VALUE;
use super::reader::{Doubt, Reader, Sure};
use super::variants::UnitVariant;

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
                self.0.number(visitor)
            }
        )+
    };
}

macro_rules! strings {
    ($($method:ident),+) => {
        $(
            #[inline(always)]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
                match self.0.next()? {
                    b'"' => self.0.string(visitor),
                    _ => Err(Doubt),
                }
            }
        )+
    };
}

/// Reads a value, and doesn't care what it leaves behind when it fails.
struct One<'a, 'de>(&'a mut Reader<'de>);

impl<'de> Deserializer<'de> for One<'_, 'de> {
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
        match self.0.next()? {
            b'"' => self.0.string(visitor),
            b'{' => self.0.map(visitor),
            b'[' => self.0.seq(visitor),
            b'-' | b'0'..=b'9' => self.0.number(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.0.next()? {
            b't' => {
                self.0.word(b"true")?;
                visitor.visit_bool(true)
            }
            b'f' => {
                self.0.word(b"false")?;
                visitor.visit_bool(false)
            }
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.0.single(visitor)
    }

    #[inline]
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        let value = self.0.integer()?;
        visitor.visit_i128(value)
    }

    #[inline]
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        let value = self.0.integer()?;
        visitor.visit_u128(value)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.0.next()? {
            b'"' => self.0.string_as_bytes(visitor),
            b'[' => self.0.seq(visitor),
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.0.next()? {
            b'n' => {
                self.0.word(b"null")?;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self.0),
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.0.next()?;
        self.0.word(b"null")?;
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
        visitor.visit_newtype_struct(self.0)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        match self.0.next()? {
            b'[' => self.0.seq(visitor),
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
        match self.0.next()? {
            b'{' => self.0.map(visitor),
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
        match self.0.next()? {
            b'{' => self.0.map(visitor),
            b'[' => self.0.seq(visitor),
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
        match self.0.next()? {
            b'"' => visitor.visit_enum(UnitVariant::new(self.0)),
            b'{' => {
                self.0.enter()?;
                let value = visitor.visit_enum(Variant::new(self.0))?;
                self.0.leave(b'}')?;
                Ok(value)
            }
            _ => Err(Doubt),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Sure<V::Value> {
        self.0.pass()?;
        visitor.visit_unit()
    }
}

macro_rules! surely {
    ($($method:ident($($argument:ident: $ty:ty),*)),+ $(,)?) => {
        $(
            #[inline(always)]
            fn $method<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Sure<V::Value> {
                self.surely(|reader| One(reader).$method($($argument,)* visitor))
            }
        )+
    };
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Doubt;

    surely! {
        deserialize_any(),
        deserialize_bool(),
        deserialize_i8(),
        deserialize_i16(),
        deserialize_i32(),
        deserialize_i64(),
        deserialize_i128(),
        deserialize_u8(),
        deserialize_u16(),
        deserialize_u32(),
        deserialize_u64(),
        deserialize_u128(),
        deserialize_f32(),
        deserialize_f64(),
        deserialize_char(),
        deserialize_str(),
        deserialize_string(),
        deserialize_bytes(),
        deserialize_byte_buf(),
        deserialize_option(),
        deserialize_unit(),
        deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str),
        deserialize_seq(),
        deserialize_tuple(len: usize),
        deserialize_tuple_struct(name: &'static str, len: usize),
        deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
        deserialize_identifier(),
        deserialize_ignored_any(),
    }
}
