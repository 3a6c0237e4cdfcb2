//! The keys of a map, which are texts in JSON: numbers and truth values stand within quotes, and what has parts can't be one.

use rustbridge_wire::Writer;
use serde::ser::{Error as _, Impossible, Serialize, Serializer};
use serde_json::Error;

use super::json::{Sure, text};

/// Where one key goes, and the colon behind it.
pub(super) struct Key<'w> {
    writer: &'w mut Writer,
}

impl<'w> Key<'w> {
    #[inline(always)]
    pub(super) fn new(writer: &'w mut Writer) -> Self {
        Key { writer }
    }

    fn plain(self, text: &[u8]) -> Sure<()> {
        self.writer.push(b"\"");
        self.writer.push(text);
        self.writer.push(b"\":");
        Ok(())
    }

    fn float<T: Serialize>(self, value: T, is_finite: bool) -> Sure<()> {
        if !is_finite {
            return Err(Error::custom(
                "float key must be finite (got NaN or +/-inf)",
            ));
        }
        self.writer.push(b"\"");
        serde_json::to_writer(&mut *self.writer, &value)?;
        self.writer.push(b"\":");
        Ok(())
    }
}

#[cold]
fn no_text<T>() -> Sure<T> {
    Err(Error::custom("key must be a string"))
}

macro_rules! whole_keys {
    ($($method:ident: $ty:ty),+) => {
        $(
            fn $method(self, value: $ty) -> Sure<()> {
                self.plain(itoa::Buffer::new().format(value).as_bytes())
            }
        )+
    };
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    whole_keys!(
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    );

    #[inline]
    fn serialize_str(self, value: &str) -> Sure<()> {
        text(self.writer, value, [b':']);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Sure<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bool(self, value: bool) -> Sure<()> {
        self.plain(if value { b"true" } else { b"false" })
    }

    fn serialize_f32(self, value: f32) -> Sure<()> {
        self.float(value, value.is_finite())
    }

    fn serialize_f64(self, value: f64) -> Sure<()> {
        self.float(value, value.is_finite())
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Sure<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Sure<()> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Sure<()> {
        value.serialize(self)
    }

    fn serialize_bytes(self, _value: &[u8]) -> Sure<()> {
        no_text()
    }

    fn serialize_none(self) -> Sure<()> {
        no_text()
    }

    fn serialize_unit(self) -> Sure<()> {
        no_text()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Sure<()> {
        no_text()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Sure<()> {
        no_text()
    }

    fn serialize_seq(self, _len: Option<usize>) -> Sure<Self::SerializeSeq> {
        no_text()
    }

    fn serialize_tuple(self, _len: usize) -> Sure<Self::SerializeTuple> {
        no_text()
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Sure<Self::SerializeTupleStruct> {
        no_text()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Sure<Self::SerializeTupleVariant> {
        no_text()
    }

    fn serialize_map(self, _len: Option<usize>) -> Sure<Self::SerializeMap> {
        no_text()
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Sure<Self::SerializeStruct> {
        no_text()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Sure<Self::SerializeStructVariant> {
        no_text()
    }
}
