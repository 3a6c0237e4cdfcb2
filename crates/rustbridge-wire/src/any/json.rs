//! Dynamic values as `serde_json` keeps them.

use serde_json::{Map, Number, Value};

use super::{above, put, tag};
use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

impl Typed for Value {
    const TYPE: Type = Type::Any;
    const LEAST: usize = 1;
    const EXACT: bool = false;
}

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
                    Number::from_f64(value).ok_or_else(|| no_json(reader, &value.to_string()))?,
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
        "JSON can't represent {what}, but the plugin reads this value as JSON"
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
