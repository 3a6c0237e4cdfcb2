//! Lists and objects. A comma stands behind each part, and the last one makes way for the end.

use rustbridge_wire::Writer;
use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
};
use serde_json::Error;

use super::json::{Json, Sure, text};
use super::keys::Key;

#[inline(always)]
fn write<T: Serialize + ?Sized>(value: &T, writer: &mut Writer) -> Sure<()> {
    value.serialize(Json { writer })
}

/// The elements of a list.
pub(super) struct Items<'w> {
    writer: &'w mut Writer,
    end: &'static str,
    empty: bool,
}

impl<'w> Items<'w> {
    /// Writes the bracket before them.
    #[inline(always)]
    pub(super) fn new(writer: &'w mut Writer, end: &'static str) -> Self {
        writer.push(b"[");
        Items {
            writer,
            end,
            empty: true,
        }
    }

    #[inline(always)]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Sure<()> {
        write(value, self.writer)?;
        self.writer.push(b",");
        self.empty = false;
        Ok(())
    }

    #[inline(always)]
    fn finish(self) -> Sure<()> {
        close(self.writer, self.empty, self.end)
    }
}

/// Writes the end of a list or an object, in place of the last comma if there's any.
#[inline(always)]
fn close(writer: &mut Writer, empty: bool, end: &str) -> Sure<()> {
    if !empty {
        writer.take_back();
    }
    writer.push(end.as_bytes());
    Ok(())
}

/// The fields of an object, or the one text that is JSON already.
pub(super) struct Fields<'w> {
    writer: &'w mut Writer,
    end: &'static str,
    empty: bool,
}

impl<'w> Fields<'w> {
    /// Writes the brace before them.
    #[inline(always)]
    pub(super) fn new(writer: &'w mut Writer, end: &'static str) -> Self {
        writer.push(b"{");
        Fields {
            writer,
            end,
            empty: true,
        }
    }

    /// For a text that is written as it is.
    pub(super) fn of_text(writer: &'w mut Writer) -> Self {
        Fields {
            writer,
            end: "",
            empty: true,
        }
    }

    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Sure<()> {
        if self.end.is_empty() {
            return as_it_is(value, self.writer);
        }
        text(self.writer, name, [b':']);
        self.value(value)
    }

    #[inline(always)]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Sure<()> {
        write(value, self.writer)?;
        self.writer.push(b",");
        self.empty = false;
        Ok(())
    }

    #[inline(always)]
    fn finish(self) -> Sure<()> {
        close(self.writer, self.empty, self.end)
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

impl SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Sure<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Sure<()> {
        self.finish()
    }
}

impl SerializeTuple for Items<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Sure<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Sure<()> {
        self.finish()
    }
}

macro_rules! fields {
    ($($of:ident for $ty:ident: $($name:ident: $name_ty:ty)? => $method:ident),+ $(,)?) => {
        $(
            impl $of for $ty<'_> {
                type Ok = ();
                type Error = Error;

                #[inline]
                fn serialize_field<T: Serialize + ?Sized>(&mut self, $($name: $name_ty,)? value: &T) -> Sure<()> {
                    self.$method($($name,)? value)
                }

                #[inline]
                fn end(self) -> Sure<()> {
                    self.finish()
                }
            }
        )+
    };
}

fields! {
    SerializeTupleStruct for Items: => item,
    SerializeTupleVariant for Items: => item,
    SerializeStruct for Fields: name: &'static str => field,
    SerializeStructVariant for Fields: name: &'static str => field,
}

impl SerializeMap for Fields<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Sure<()> {
        key.serialize(Key::new(self.writer))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Sure<()> {
        self.value(value)
    }

    #[inline]
    fn end(self) -> Sure<()> {
        self.finish()
    }
}
