//! Values that say themselves what they are.

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// What stands in front of a dynamic value.
pub(crate) mod tag {
    pub const NULL: u8 = 0;
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const I64: u8 = 3;
    pub const U64: u8 = 4;
    pub const F64: u8 = 5;
    pub const STRING: u8 = 6;
    pub const BYTES: u8 = 7;
    pub const LIST: u8 = 8;
    pub const MAP: u8 = 9;
}

/// A value that says itself what it is: what JSON can hold, and bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// An integer that an `i64` holds.
    Int(i64),
    /// An integer above those.
    Uint(u64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Values one after the other.
    List(Vec<Value>),
    /// Values by name, in the order in which they came. Reading refuses a name that is there twice.
    Map(Vec<(String, Value)>),
}

macro_rules! typed {
    ($type:ty) => {
        impl Typed for $type {
            const TYPE: Type = Type::Any;
            const LEAST: usize = 1;
            const EXACT: bool = false;
        }
    };
}

typed!(Value);

// SAFETY: each is measured as it's written.
unsafe impl Encode for Value {
    fn measure(&self, measure: &mut Measure) {
        measure.add(1);
        match self {
            Value::Null | Value::Bool(_) => {}
            Value::Int(_) | Value::Uint(_) | Value::Float(_) => measure.add(8),
            Value::String(text) => text.measure(measure),
            Value::Bytes(bytes) => bytes.measure(measure),
            Value::List(items) => measure.inside(|measure| items.measure(measure)),
            Value::Map(pairs) => measure.inside(|measure| pairs.measure(measure)),
        }
    }

    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Value::Null => writer.put([tag::NULL]),
                Value::Bool(value) => writer.put([tag::FALSE + u8::from(*value)]),
                Value::Int(value) => put(tag::I64, value, writer),
                // One form for one value.
                Value::Uint(value) => match i64::try_from(*value) {
                    Ok(value) => put(tag::I64, &value, writer),
                    Err(_) => put(tag::U64, value, writer),
                },
                Value::Float(value) => put(tag::F64, value, writer),
                Value::String(value) => put(tag::STRING, value, writer),
                Value::Bytes(value) => put(tag::BYTES, value, writer),
                Value::List(value) => put(tag::LIST, value, writer),
                Value::Map(value) => put(tag::MAP, value, writer),
            }
        }
    }
}

/// # Safety
/// There's room for both.
#[inline(always)]
unsafe fn put<T: Encode>(tag: u8, value: &T, writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe {
        writer.put([tag]);
        value.put(writer);
    }
}

// SAFETY: not exact.
unsafe impl<'de> Decode<'de> for Value {
    fn get(reader: &mut Reader<'de>) -> Result<Value, Fault> {
        Ok(match u8::get(reader)? {
            tag::NULL => Value::Null,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::I64 => Value::Int(i64::get(reader)?),
            tag::U64 => Value::Uint(above(reader)?),
            tag::F64 => Value::Float(f64::get(reader)?),
            tag::STRING => Value::String(String::get(reader)?),
            tag::BYTES => Value::Bytes(Vec::get(reader)?),
            tag::LIST => Value::List(reader.inside(Vec::get)?),
            tag::MAP => Value::Map(reader.inside(pairs)?),
            _ => return Err(Fault),
        })
    }
}

/// An integer that no `i64` holds: the others have one form alone.
pub(crate) fn above(reader: &mut Reader<'_>) -> Result<u64, Fault> {
    let value = u64::get(reader)?;
    if value > i64::MAX as u64 {
        Ok(value)
    } else {
        Err(Fault)
    }
}

fn pairs(reader: &mut Reader<'_>) -> Result<Vec<(String, Value)>, Fault> {
    let pairs = Vec::<(String, Value)>::get(reader)?;
    if twice(&pairs) { Err(Fault) } else { Ok(pairs) }
}

/// Whether a name is there twice.
fn twice(pairs: &[(String, Value)]) -> bool {
    // Few are compared with each other, many sorted.
    if pairs.len() <= 16 {
        return (1..pairs.len()).any(|at| pairs[..at].iter().any(|(name, _)| *name == pairs[at].0));
    }
    let mut names: Vec<&str> = pairs.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    names.windows(2).any(|two| two[0] == two[1])
}

#[cfg(feature = "json")]
mod json {
    use serde_json::{Map, Number, Value};

    use super::{above, put, tag};
    use crate::read::{Decode, Fault, Reader};
    use crate::types::{Type, Typed};
    use crate::write::{Encode, Measure, Writer};

    typed!(Value);

    // SAFETY: each is measured as it's written.
    unsafe impl Encode for Value {
        // Values that hold no others are most of them: they're handled where the list is walked, without a call for each.
        #[inline(always)]
        fn measure(&self, measure: &mut Measure) {
            measure.add(1);
            match self {
                Value::Null | Value::Bool(_) => {}
                Value::Number(_) => measure.add(8),
                Value::String(text) => text.measure(measure),
                Value::Array(items) => measure_list(items, measure),
                Value::Object(fields) => measure_fields(fields, measure),
            }
        }

        #[inline(always)]
        unsafe fn put(&self, writer: &mut Writer) {
            // SAFETY: the caller's promise.
            unsafe {
                match self {
                    Value::Null => writer.put([tag::NULL]),
                    Value::Bool(value) => writer.put([tag::FALSE + u8::from(*value)]),
                    Value::Number(number) => put_number(number, writer),
                    Value::String(value) => put(tag::STRING, value, writer),
                    Value::Array(items) => put_list(items, writer),
                    Value::Object(fields) => put_fields(fields, writer),
                }
            }
        }
    }

    #[inline(never)]
    fn measure_list(items: &Vec<Value>, measure: &mut Measure) {
        measure.inside(|measure| items.measure(measure));
    }

    #[inline(never)]
    fn measure_fields(fields: &Map<String, Value>, measure: &mut Measure) {
        measure.inside(|measure| {
            measure.add(4);
            for (name, value) in fields {
                name.measure(measure);
                value.measure(measure);
            }
        });
    }

    /// # Safety
    /// There's room for all of it.
    #[inline(never)]
    unsafe fn put_list(items: &Vec<Value>, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { put(tag::LIST, items, writer) }
    }

    /// # Safety
    /// There's room for all of it.
    #[inline(never)]
    unsafe fn put_fields(fields: &Map<String, Value>, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe {
            writer.put([tag::MAP]);
            writer.put_count(fields.len());
            for (name, value) in fields {
                name.put(writer);
                value.put(writer);
            }
        }
    }

    /// # Safety
    /// There's room for nine bytes.
    unsafe fn put_number(number: &Number, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(value) = number.as_i64() {
                put(tag::I64, &value, writer);
            } else if let Some(value) = number.as_u64() {
                put(tag::U64, &value, writer);
            } else {
                // What no number of JSON's is can't be in one.
                put(tag::F64, &number.as_f64().unwrap_or(f64::NAN), writer);
            }
        }
    }

    // SAFETY: not exact.
    unsafe impl<'de> Decode<'de> for Value {
        #[inline(always)]
        fn get(reader: &mut Reader<'de>) -> Result<Value, Fault> {
            Ok(match u8::get(reader)? {
                tag::NULL => Value::Null,
                tag::FALSE => Value::Bool(false),
                tag::TRUE => Value::Bool(true),
                tag::I64 => Value::Number(i64::get(reader)?.into()),
                tag::U64 => Value::Number(above(reader)?.into()),
                tag::F64 => {
                    let value = f64::get(reader)?;
                    Value::Number(
                        Number::from_f64(value)
                            .ok_or_else(|| no_json(reader, &value.to_string()))?,
                    )
                }
                tag::STRING => Value::String(String::get(reader)?),
                tag::BYTES => return Err(no_json(reader, "bytes")),
                tag::LIST => Value::Array(list(reader)?),
                tag::MAP => Value::Object(reader.inside(fields)?),
                _ => return Err(Fault),
            })
        }
    }

    #[cold]
    fn no_json(reader: &mut Reader<'_>, what: &str) -> Fault {
        reader.refuse(format!(
            "JSON has no {what}, and the plugin reads this as JSON"
        ))
    }

    #[inline(never)]
    fn list(reader: &mut Reader<'_>) -> Result<Vec<Value>, Fault> {
        reader.inside(Vec::get)
    }

    #[inline(never)]
    fn fields(reader: &mut Reader<'_>) -> Result<Map<String, Value>, Fault> {
        let count = reader.count_of(String::LEAST + Value::LEAST)?;
        let mut fields = Map::new();
        for _ in 0..count {
            let name = String::get(reader)?;
            if fields
                .insert(name, <Value as Decode>::get(reader)?)
                .is_some()
            {
                return Err(Fault);
            }
        }
        Ok(fields)
    }
}
