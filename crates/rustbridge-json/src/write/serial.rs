//! serde's protocol for a value.

use std::fmt::{Display, Write as _};

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::Error;

use super::compound::{Fields, Items};
use super::json::{Json, QuotedWriter, Sure, text};

/// By which serde_json's `RawValue` and numbers that are kept as texts say that their text is JSON already.
const TEXTS: [&str; 2] = [
    "$serde_json::private::RawValue",
    "$serde_json::private::Number",
];

macro_rules! integers {
    ($($method:ident: $ty:ty),+) => {
        $(
            #[inline]
            fn $method(self, value: $ty) -> Sure<()> {
                self.writer.push(itoa::Buffer::new().format(value).as_bytes());
                Ok(())
            }
        )+
    };
}

impl<'w> Serializer for Json<'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'w>;
    type SerializeTuple = Items<'w>;
    type SerializeTupleStruct = Items<'w>;
    type SerializeTupleVariant = Items<'w>;
    type SerializeMap = Fields<'w>;
    type SerializeStruct = Fields<'w>;
    type SerializeStructVariant = Fields<'w>;

    integers!(
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    );

    #[inline]
    fn serialize_bool(self, value: bool) -> Sure<()> {
        self.writer.push(if value { b"true" } else { b"false" });
        Ok(())
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Sure<()> {
        serde_json::to_writer(self.writer, &value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Sure<()> {
        serde_json::to_writer(self.writer, &value)
    }

    #[inline]
    fn serialize_char(self, value: char) -> Sure<()> {
        text(self.writer, value.encode_utf8(&mut [0; 4]), []);
        Ok(())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Sure<()> {
        text(self.writer, value, []);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Sure<()> {
        self.collect_seq(value)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Sure<()> {
        self.writer.push(b"\"");
        write!(QuotedWriter(&mut *self.writer), "{value}").map_err(Error::custom)?;
        self.writer.push(b"\"");
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Sure<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Sure<()> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Sure<()> {
        self.writer.push(b"null");
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _name: &'static str) -> Sure<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Sure<()> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Sure<()> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Sure<()> {
        self.writer.push(b"{");
        text(self.writer, variant, [b':']);
        value.serialize(Json {
            writer: &mut *self.writer,
        })?;
        self.writer.push(b"}");
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _len: Option<usize>) -> Sure<Items<'w>> {
        Ok(Items::new(self.writer, "]"))
    }

    #[inline]
    fn serialize_tuple(self, _len: usize) -> Sure<Items<'w>> {
        Ok(Items::new(self.writer, "]"))
    }

    #[inline]
    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Sure<Items<'w>> {
        Ok(Items::new(self.writer, "]"))
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Sure<Items<'w>> {
        self.writer.push(b"{");
        text(self.writer, variant, [b':']);
        Ok(Items::new(self.writer, "]}"))
    }

    #[inline]
    fn serialize_map(self, _len: Option<usize>) -> Sure<Fields<'w>> {
        Ok(Fields::new(self.writer, "}"))
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _len: usize) -> Sure<Fields<'w>> {
        if name.starts_with("$serde_json") && TEXTS.contains(&name) {
            return Ok(Fields::of_text(self.writer));
        }
        Ok(Fields::new(self.writer, "}"))
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Sure<Fields<'w>> {
        self.writer.push(b"{");
        text(self.writer, variant, [b':']);
        Ok(Fields::new(self.writer, "}}"))
    }
}
