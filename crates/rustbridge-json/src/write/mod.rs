//! The serializer, which writes what serde_json does: compact, floats as short as they can be, what is no number as `null`.

mod compound;
mod keys;

use rustbridge_wire::{Writer, Written};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::Error;

pub(crate) use self::compound::{Fields, Items};
use crate::text::copy_plain;

/// By which serde_json's `RawValue` and numbers that are kept as texts say that their text is JSON already.
const TEXTS: [&str; 2] = [
    "$serde_json::private::RawValue",
    "$serde_json::private::Number",
];

type Sure<T> = Result<T, Error>;

/// Writes a value as JSON behind what was written before.
///
/// # Errors
/// The value says so, or it has a key that is no text. What the writer holds is then of no use.
#[inline(always)]
pub fn write<T: Serialize + ?Sized>(value: &T, writer: &mut Writer) -> Sure<()> {
    value.serialize(Json { writer })
}

/// A value as JSON.
///
/// # Errors
/// Those of [`write`].
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Sure<Vec<u8>> {
    let mut writer = Writer::new();
    write(value, &mut writer)?;
    Ok(match writer.finish() {
        Written::Spilled(vec) => vec,
        Written::Stored(_) => Vec::new(),
    })
}

/// Where one value goes.
pub(crate) struct Json<'w> {
    pub(crate) writer: &'w mut Writer,
}

/// Writes a text with its quotes, and what stands behind them.
#[inline(always)]
fn text<const N: usize>(writer: &mut Writer, text: &str, behind: [u8; N]) {
    let bytes = text.as_bytes();
    writer.room(bytes.len() + 2 + N);
    // SAFETY: there's room for it.
    unsafe { writer.put([b'"']) };
    // SAFETY: there's room for all of them, and the writer's bytes are its own.
    let plain = unsafe { copy_plain(bytes, writer.end()) };
    // SAFETY: so many were written.
    unsafe { writer.advance(plain) };
    if plain < bytes.len() {
        escaped(writer, &bytes[plain..]);
        writer.room(1 + N);
    }
    // SAFETY: there's room for both.
    unsafe {
        writer.put([b'"']);
        writer.put(behind);
    }
}

/// Writes the rest of a text, whose first byte has to be escaped.
#[inline(never)]
fn escaped(writer: &mut Writer, mut rest: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    while let Some((&byte, behind)) = rest.split_first() {
        let letter = match byte {
            b'"' | b'\\' => byte,
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => b'u',
        };
        writer.push(&[b'\\', letter]);
        if letter == b'u' {
            let digits = [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ];
            writer.push(&[b'0', b'0', digits[0], digits[1]]);
        }
        writer.room(behind.len());
        // SAFETY: there's room for all of them, and the writer's bytes are its own.
        let plain = unsafe { copy_plain(behind, writer.end()) };
        // SAFETY: so many were written.
        unsafe { writer.advance(plain) };
        rest = &behind[plain..];
    }
}

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
        write(value, self.writer)?;
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

/// Writes the text of a value that is JSON already.
fn as_it_is<T: Serialize + ?Sized>(value: &T, writer: &mut Writer) -> Sure<()> {
    match serde_json::to_value(value)? {
        serde_json::Value::String(text) => {
            writer.push(text.as_bytes());
            Ok(())
        }
        _ => Err(Error::custom("expected RawValue")),
    }
}
