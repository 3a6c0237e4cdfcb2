//! The reader.
//!
//! It's strict where serde_json is, and stricter where it costs nothing: less deep, less patient with what is passed over. That's a [`Doubt`] then,
//! and serde_json's to decide.

mod compound;
mod keys;
mod numbers;
mod strings;

use std::fmt::{self, Display};

use serde::de::{Deserializer, Error, Visitor};
use serde_json::Number;

use self::compound::{Map, Seq, UnitVariant, Variant};

/// How many levels serde_json allows.
const MAX_DEPTH: u8 = 127;

/// What serde_json's `RawValue` is asked for by.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// Whether somebody in this program has serde_json keep numbers as texts, which only it can do. Its numbers have 16 bytes otherwise.
const NUMBERS_ARE_TEXTS: bool = size_of::<Number>() != 16;

/// That the reader hasn't read something. It doesn't say what or why: serde_json is asked for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt;

impl Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what serde_json has to decide")
    }
}

impl std::error::Error for Doubt {}

impl Error for Doubt {
    #[inline(always)]
    fn custom<T: Display>(_: T) -> Doubt {
        Doubt
    }
}

type Sure<T> = Result<T, Doubt>;

/// Reads JSON from bytes.
#[derive(Debug)]
pub struct Reader<'de> {
    bytes: &'de [u8],
    /// How many bytes have been read, never more than there are.
    at: usize,
    depth: u8,
}

impl<'de> Reader<'de> {
    /// One at the start of `bytes`.
    #[inline(always)]
    #[must_use]
    pub fn new(bytes: &'de [u8]) -> Reader<'de> {
        Reader {
            // Without bytes it has doubts about anything.
            bytes: if NUMBERS_ARE_TEXTS { &[] } else { bytes },
            at: 0,
            depth: 0,
        }
    }

    /// Looks whether nothing is left but white space.
    ///
    /// # Errors
    /// There is something.
    #[inline(always)]
    pub fn end(&mut self) -> Sure<()> {
        self.skip_space();
        if self.at == self.bytes.len() && !NUMBERS_ARE_TEXTS {
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    #[inline(always)]
    fn rest(&self) -> &'de [u8] {
        &self.bytes[self.at..]
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes the byte that was seen by [`peek`](Self::peek).
    #[inline(always)]
    fn take(&mut self) {
        debug_assert!(self.at < self.bytes.len());
        self.at += 1;
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// The next byte that isn't white space, which isn't taken.
    #[inline(always)]
    fn next(&mut self) -> Sure<u8> {
        match self.peek() {
            Some(byte) if byte > b' ' => Ok(byte),
            None => Err(Doubt),
            Some(_) => self.next_behind_space(),
        }
    }

    #[inline(never)]
    fn next_behind_space(&mut self) -> Sure<u8> {
        self.skip_space();
        self.peek().ok_or(Doubt)
    }

    /// Takes this byte, and the white space before it.
    #[inline(always)]
    fn expect(&mut self, wanted: u8) -> Sure<()> {
        if self.next()? == wanted {
            self.take();
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    #[inline(always)]
    fn word(&mut self, word: &[u8]) -> Sure<()> {
        if self.rest().starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    /// One level further down, whose bracket is the next byte.
    #[inline(always)]
    fn enter(&mut self) -> Sure<()> {
        self.take();
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            Ok(())
        } else {
            Err(Doubt)
        }
    }

    #[inline(always)]
    fn leave(&mut self, bracket: u8) -> Sure<()> {
        self.depth -= 1;
        self.expect(bracket)
    }

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

    /// Passes over a value. What it consists of is looked at, but a level takes a bit and no stack.
    fn pass(&mut self) -> Sure<()> {
        // Whether what lies around is an object, the innermost lowest; a one above them all.
        let mut around = 1_u64;
        loop {
            let next = self.next()?;
            match next {
                b'"' => self.pass_string()?,
                b'-' | b'0'..=b'9' => drop(self.number_token()?),
                b'n' => self.word(b"null")?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'[' | b'{' => {
                    if around >> 63 != 0 {
                        return Err(Doubt);
                    }
                    self.take();
                    let object = next == b'{';
                    around = around << 1 | u64::from(object);
                    let empty = self.next()? == if object { b'}' } else { b']' };
                    if !empty {
                        if object {
                            self.pass_key()?;
                        }
                        continue;
                    }
                }
                _ => return Err(Doubt),
            }
            // Behind a value, or before the end of what's empty.
            loop {
                if around == 1 {
                    return Ok(());
                }
                let object = around & 1 != 0;
                match self.next()? {
                    b',' => {
                        self.take();
                        if object {
                            self.next()?;
                            self.pass_key()?;
                        }
                        break;
                    }
                    b'}' if object => {
                        self.take();
                        around >>= 1;
                    }
                    b']' if !object => {
                        self.take();
                        around >>= 1;
                    }
                    _ => return Err(Doubt),
                }
            }
        }
    }

    #[inline(always)]
    fn pass_key(&mut self) -> Sure<()> {
        if self.peek() != Some(b'"') {
            return Err(Doubt);
        }
        self.pass_string()?;
        self.expect(b':')
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
