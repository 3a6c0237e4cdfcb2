//! Values by names, their wire form by a table, and what becomes of them on the other side: worked out value by value, without a plan.

use std::collections::HashSet;

use super::rng::{Rng, dynamic};
use crate::types::{Direction, Field, Shape, Table, TypeRef, UNKNOWN_VARIANT};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// What has the same bytes everywhere.
    Bytes(Vec<u8>),
    Text(String),
    Option(Option<Box<Value>>),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Tuple(Vec<Value>),
    /// Each field, absent or there.
    Record(Vec<(String, Option<Value>)>),
    /// A variant's name and what it has; no name is one that isn't known.
    Variant(Option<String>, Option<Box<Value>>),
}

/// The width of what is a number or alike.
fn fixed(ty: &TypeRef) -> Option<usize> {
    Some(match ty {
        TypeRef::Unit => 0,
        TypeRef::U8 | TypeRef::I8 => 1,
        TypeRef::U16 | TypeRef::I16 => 2,
        TypeRef::U32 | TypeRef::I32 | TypeRef::F32 | TypeRef::Object(_) => 4,
        TypeRef::U64 | TypeRef::I64 | TypeRef::F64 => 8,
        TypeRef::U128 | TypeRef::I128 | TypeRef::Uuid => 16,
        _ => return None,
    })
}

/// Some value of a type; with `absent` fields with a default may be.
pub(super) fn some(table: &Table, ty: &TypeRef, rng: &mut Rng, absent: bool, fuel: u32) -> Value {
    let count = |rng: &mut Rng| if fuel == 0 { 0 } else { rng.below(4) };
    let less = fuel.saturating_sub(1);
    if let Some(width) = fixed(ty) {
        return Value::Bytes(rng.bytes(width));
    }
    match ty {
        TypeRef::Bool => Value::Bytes(vec![rng.below(2) as u8]),
        TypeRef::Char => Value::Bytes(
            u32::from(['a', 'ß', '猫'][rng.below(3)])
                .to_le_bytes()
                .into(),
        ),
        TypeRef::String => {
            Value::Text(["", "a", "grün", "much longer than that"][rng.below(4)].into())
        }
        TypeRef::Decimal => {
            Value::Text(["0", "-1.50", "12345678901234567890.5"][rng.below(3)].into())
        }
        TypeRef::Bytes => {
            let count = rng.below(9);
            Value::Text(String::from_utf8(vec![b'x'; count]).unwrap())
        }
        TypeRef::Timestamp | TypeRef::Duration => {
            let mut bytes = rng.bytes(8);
            bytes.extend_from_slice(&(rng.below(1_000_000_000) as u32).to_le_bytes());
            Value::Bytes(bytes)
        }
        TypeRef::Any => Value::Bytes(dynamic(rng, fuel)),
        TypeRef::List(item) => Value::List(
            (0..count(rng))
                .map(|_| some(table, item, rng, absent, less))
                .collect(),
        ),
        TypeRef::Array(item, length) => Value::List(
            (0..*length)
                .map(|_| some(table, item, rng, absent, less))
                .collect(),
        ),
        TypeRef::Map(key, value) => {
            let mut pairs: Vec<(Value, Value)> = Vec::new();
            for _ in 0..count(rng) {
                let key = some(table, key, rng, absent, less);
                if pairs.iter().all(|(other, _)| *other != key) {
                    pairs.push((key, some(table, value, rng, absent, less)));
                }
            }
            Value::Map(pairs)
        }
        TypeRef::Option(inside) => Value::Option(
            (fuel > 0 && !rng.one_in(3)).then(|| Box::new(some(table, inside, rng, absent, less))),
        ),
        TypeRef::Tuple(types) => tuple(table, types, rng, absent, fuel),
        TypeRef::Ref(number) => match &table.get(*number).unwrap().shape {
            Shape::Newtype(inside) => some(table, inside, rng, absent, fuel),
            Shape::Record(fields) | Shape::Pod(fields) => record(table, fields, rng, absent, fuel),
            Shape::Tuple(types) => tuple(table, types, rng, absent, fuel),
            Shape::Enum(shape) => {
                // Without fuel one that ends, if there's any: the first, as the tables are made.
                let chosen = if fuel == 0 {
                    0
                } else {
                    rng.below(shape.variants.len())
                };
                let variant = &shape.variants[chosen];
                let inside = match (&variant.tuple, &variant.fields) {
                    (Some(types), _) => Some(tuple(table, types, rng, absent, less)),
                    (_, Some(fields)) => Some(record(table, fields, rng, absent, less)),
                    _ => None,
                };
                Value::Variant(Some(variant.name.to_string()), inside.map(Box::new))
            }
        },
        _ => unreachable!(),
    }
}

fn tuple(table: &Table, types: &[TypeRef], rng: &mut Rng, absent: bool, fuel: u32) -> Value {
    let values = types.iter().map(|ty| some(table, ty, rng, absent, fuel));
    Value::Tuple(values.collect())
}

fn record(table: &Table, fields: &[Field], rng: &mut Rng, absent: bool, fuel: u32) -> Value {
    let values = fields.iter().map(|field| {
        let is_there = !(field.default && absent && (fuel == 0 || rng.one_in(2)));
        let value = is_there.then(|| match default_of(field) {
            Some(value) if rng.one_in(2) => value,
            _ => some(table, &field.ty, rng, absent, fuel),
        });
        (field.name.to_string(), value)
    });
    Value::Record(values.collect())
}

/// The default value of a field, if clients know it.
fn default_of(field: &Field) -> Option<Value> {
    let value = field.default_value.as_ref()?;
    Some(match &field.ty {
        TypeRef::Bool => Value::Bytes(vec![u8::from(value.as_bool()?)]),
        TypeRef::Char => Value::Bytes(
            u32::from(value.as_str()?.chars().next()?)
                .to_le_bytes()
                .into(),
        ),
        TypeRef::F64 => Value::Bytes(value.as_f64()?.to_le_bytes().into()),
        TypeRef::String | TypeRef::Bytes => Value::Text(value.as_str().unwrap_or_default().into()),
        TypeRef::List(_) => Value::List(Vec::new()),
        TypeRef::Map(..) => Value::Map(Vec::new()),
        // Those of the tables are small.
        number => Value::Bytes(i128::from(value.as_i64()?).to_le_bytes()[..fixed(number)?].into()),
    })
}

/// A value's bytes.
pub(super) fn put(table: &Table, ty: &TypeRef, value: &Value, out: &mut Vec<u8>) {
    let count =
        |out: &mut Vec<u8>, count: usize| out.extend_from_slice(&(count as u32).to_le_bytes());
    match (ty, value) {
        (TypeRef::Ref(number), _) => match (&table.get(*number).unwrap().shape, value) {
            (Shape::Newtype(inside), _) => put(table, inside, value, out),
            (Shape::Record(fields) | Shape::Pod(fields), value) => {
                put_record(table, fields, value, out)
            }
            (Shape::Tuple(types), value) => put(table, &TypeRef::Tuple(types.clone()), value, out),
            (Shape::Enum(shape), Value::Variant(name, inside)) => {
                let Some(name) = name else {
                    return out.extend_from_slice(&UNKNOWN_VARIANT.to_le_bytes());
                };
                let number = shape
                    .variants
                    .iter()
                    .position(|it| it.name == *name)
                    .unwrap();
                out.extend_from_slice(&(number as u16).to_le_bytes());
                let variant = &shape.variants[number];
                match (&variant.tuple, &variant.fields, inside) {
                    (Some(types), _, Some(inside)) => {
                        put(table, &TypeRef::Tuple(types.clone()), inside, out)
                    }
                    (_, Some(fields), Some(inside)) => put_record(table, fields, inside, out),
                    _ => assert!(inside.is_none()),
                }
            }
            other => panic!("{other:?}"),
        },
        (TypeRef::Bytes | TypeRef::String | TypeRef::Decimal, Value::Text(text)) => {
            count(out, text.len());
            out.extend_from_slice(text.as_bytes());
        }
        (TypeRef::List(item), Value::List(items)) => {
            count(out, items.len());
            if table.is_aligned(item) {
                out.resize(out.len().next_multiple_of(8), 0);
            }
            items.iter().for_each(|value| put(table, item, value, out));
        }
        (TypeRef::Array(item, _), Value::List(items)) => {
            items.iter().for_each(|value| put(table, item, value, out));
        }
        (TypeRef::Map(key, inside), Value::Map(pairs)) => {
            count(out, pairs.len());
            for (one, value) in pairs {
                put(table, key, one, out);
                put(table, inside, value, out);
            }
        }
        (TypeRef::Option(inside), Value::Option(value)) => {
            out.push(u8::from(value.is_some()));
            if let Some(value) = value {
                put(table, inside, value, out);
            }
        }
        (TypeRef::Tuple(types), Value::Tuple(values)) => {
            for (ty, value) in types.iter().zip(values) {
                put(table, ty, value, out);
            }
        }
        (_, Value::Bytes(bytes)) => out.extend_from_slice(bytes),
        other => panic!("{other:?}"),
    }
}

fn put_record(table: &Table, fields: &[Field], value: &Value, out: &mut Vec<u8>) {
    let Value::Record(values) = value else {
        panic!("{value:?}")
    };
    for field in fields {
        let (_, value) = values.iter().find(|(name, _)| *name == field.name).unwrap();
        if field.default {
            out.push(u8::from(value.is_some()));
        }
        if let Some(value) = value {
            put(table, &field.ty, value, out);
        }
    }
}

/// A value in the other side's words; `None` if it has none.
pub(super) fn convert(
    from: (&Table, &TypeRef),
    to: (&Table, &TypeRef),
    direction: Direction,
    value: &Value,
) -> Option<Value> {
    fn shape((table, ty): (&Table, &TypeRef)) -> Option<Shape> {
        match ty {
            TypeRef::Ref(number) => Some(table.get(*number).unwrap().shape.clone()),
            _ => None,
        }
    }
    let inside = |one: &TypeRef, other: &TypeRef, value: &Value| {
        convert((from.0, one), (to.0, other), direction, value)
    };
    let many = |ones: &[TypeRef], others: &[TypeRef], values: &[Value]| {
        let all = ones.iter().zip(others).zip(values);
        all.map(|((one, other), value)| inside(one, other, value))
            .collect::<Option<Vec<_>>>()
    };
    match (shape(from), shape(to)) {
        (Some(Shape::Newtype(one)), _) => return convert((from.0, &one), to, direction, value),
        (_, Some(Shape::Newtype(other))) => return convert(from, (to.0, &other), direction, value),
        (
            Some(Shape::Record(one) | Shape::Pod(one)),
            Some(Shape::Record(other) | Shape::Pod(other)),
        ) => {
            return convert_record((from.0, &one), (to.0, &other), direction, value);
        }
        (Some(Shape::Tuple(one)), Some(Shape::Tuple(other))) => {
            let Value::Tuple(values) = value else {
                panic!("{value:?}")
            };
            return Some(Value::Tuple(many(&one, &other, values)?));
        }
        (Some(Shape::Enum(one)), Some(Shape::Enum(other))) => {
            let Value::Variant(Some(name), content) = value else {
                panic!("{value:?}")
            };
            let one = one.variants.iter().find(|it| it.name == *name).unwrap();
            let Some(other) = other.variants.iter().find(|it| it.name == *name) else {
                let is_told = other.open && direction == Direction::Response;
                return is_told.then_some(Value::Variant(None, None));
            };
            let content = match content.as_deref() {
                None => None,
                Some(Value::Tuple(values)) => Some(Value::Tuple(many(
                    one.tuple.as_ref()?,
                    other.tuple.as_ref()?,
                    values,
                )?)),
                Some(record) => Some(convert_record(
                    (from.0, one.fields.as_ref()?),
                    (to.0, other.fields.as_ref()?),
                    direction,
                    record,
                )?),
            };
            return Some(Value::Variant(Some(name.clone()), content.map(Box::new)));
        }
        (None, None) => {}
        other => panic!("{other:?}"),
    }
    Some(match (from.1, to.1, value) {
        (TypeRef::List(one), TypeRef::List(other), Value::List(items))
        | (TypeRef::Array(one, _), TypeRef::Array(other, _), Value::List(items)) => {
            let items = items.iter().map(|item| inside(one, other, item));
            Value::List(items.collect::<Option<_>>()?)
        }
        (TypeRef::Map(key, one), TypeRef::Map(other_key, other), Value::Map(pairs)) => {
            let pairs = pairs.iter().map(|(name, value)| {
                Some((inside(key, other_key, name)?, inside(one, other, value)?))
            });
            Value::Map(pairs.collect::<Option<_>>()?)
        }
        (TypeRef::Option(one), TypeRef::Option(other), Value::Option(Some(value))) => {
            Value::Option(Some(Box::new(inside(one, other, value)?)))
        }
        (TypeRef::Tuple(one), TypeRef::Tuple(other), Value::Tuple(values)) => {
            Value::Tuple(many(one, other, values)?)
        }
        _ => value.clone(),
    })
}

fn convert_record(
    from: (&Table, &[Field]),
    to: (&Table, &[Field]),
    direction: Direction,
    value: &Value,
) -> Option<Value> {
    let Value::Record(values) = value else {
        panic!("{value:?}")
    };
    // What only the client knows goes to the plugin as long as it isn't set, or has its default value.
    let is_unset = |name: &str, value: &Option<Value>| {
        let field = from.1.iter().find(|field| field.name == *name);
        matches!(value, None | Some(Value::Option(None))) || *value == field.and_then(default_of)
    };
    let is_known = |name: &str| to.1.iter().any(|field| field.name == *name);
    let mut unknown = values.iter().filter(|(name, _)| !is_known(name));
    if direction == Direction::Request && !unknown.all(|(name, value)| is_unset(name, value)) {
        return None;
    }
    let fields = to.1.iter().map(|field| {
        let known = from.1.iter().find(|it| it.name == field.name);
        let value = match known {
            Some(known) => {
                let (_, value) = values.iter().find(|(name, _)| *name == field.name)?;
                match value {
                    Some(value) => Some(convert(
                        (from.0, &known.ty),
                        (to.0, &field.ty),
                        direction,
                        value,
                    )?),
                    None if field.default => None,
                    None => return None,
                }
            }
            None if field.default && direction == Direction::Response => default_of(field),
            None if field.default => None,
            None => Some(Value::Option(None)),
        };
        Some((field.name.to_string(), value))
    });
    Some(Value::Record(fields.collect::<Option<_>>()?))
}

/// Reads a value, as slowly and simply as can be; `None` for bytes that aren't one.
pub(super) struct Reader<'a> {
    pub(super) table: &'a Table,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) depth: u32,
}

impl Reader<'_> {
    pub(super) fn whole(mut self, ty: &TypeRef) -> Option<Value> {
        let value = self.value(ty)?;
        (self.at == self.bytes.len()).then_some(value)
    }

    fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(bytes.to_vec())
    }

    fn count(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.take(1)?[0] {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<String> {
        let count = self.count()?;
        String::from_utf8(self.take(count)?).ok()
    }

    fn value(&mut self, ty: &TypeRef) -> Option<Value> {
        if let Some(width) = fixed(ty) {
            return Some(Value::Bytes(self.take(width)?));
        }
        Some(match ty {
            TypeRef::Bool => Value::Bytes(vec![u8::from(self.flag()?)]),
            TypeRef::Char => {
                let bytes = self.take(4)?;
                char::from_u32(u32::from_le_bytes(bytes.clone().try_into().ok()?))?;
                Value::Bytes(bytes)
            }
            // Bytes are made of text here alone; what isn't is told from it by a mark that no text has.
            TypeRef::Bytes => {
                let count = self.count()?;
                let bytes = self.take(count)?;
                Value::Text(
                    String::from_utf8(bytes).unwrap_or_else(|bad| {
                        bad.into_bytes().into_iter().map(char::from).collect()
                    }),
                )
            }
            TypeRef::String => Value::Text(self.text()?),
            TypeRef::Decimal => {
                let text = self.text()?;
                let parts: Vec<&str> = text.trim_start_matches('-').split('.').collect();
                let is_digits = |part: &&str| part.parse::<u128>().is_ok() && !part.contains('+');
                let is_decimal = parts.len() <= 2 && parts.iter().all(is_digits);
                if !is_decimal || text.starts_with("--") {
                    return None;
                }
                Value::Text(text)
            }
            TypeRef::Timestamp | TypeRef::Duration => {
                let bytes = self.take(12)?;
                let nanos = u32::from_le_bytes(bytes[8..].try_into().ok()?);
                if nanos >= 1_000_000_000 {
                    return None;
                }
                Value::Bytes(bytes)
            }
            TypeRef::Any => {
                let from = self.at;
                self.dynamic()?;
                Value::Bytes(self.bytes[from..self.at].to_vec())
            }
            TypeRef::List(item) => {
                let count = self.count()?;
                if self.table.is_aligned(item) {
                    while self.at % 8 != 0 {
                        if self.take(1)? != [0] {
                            return None;
                        }
                    }
                }
                let mut items = Vec::new();
                for _ in 0..count {
                    items.push(self.value(item)?);
                }
                Value::List(items)
            }
            TypeRef::Array(item, count) => {
                let items = (0..*count).map(|_| self.value(item));
                Value::List(items.collect::<Option<_>>()?)
            }
            TypeRef::Map(key, value) => {
                let count = self.count()?;
                let mut pairs: Vec<(Value, Value)> = Vec::new();
                for _ in 0..count {
                    let key = self.value(key)?;
                    if pairs.iter().any(|(other, _)| *other == key) {
                        return None;
                    }
                    pairs.push((key, self.value(value)?));
                }
                Value::Map(pairs)
            }
            TypeRef::Option(inside) => Value::Option(match self.flag()? {
                true => Some(Box::new(self.value(inside)?)),
                false => None,
            }),
            TypeRef::Tuple(types) => {
                let values = types.iter().map(|ty| self.value(ty));
                Value::Tuple(values.collect::<Option<_>>()?)
            }
            TypeRef::Ref(number) => {
                let shape = self.table.get(*number)?.shape.clone();
                let is_deep = self.table.exact(ty).is_none();
                if is_deep && self.depth == 128 {
                    return None;
                }
                self.depth += u32::from(is_deep);
                let value = self.shape(&shape)?;
                self.depth -= u32::from(is_deep);
                value
            }
            _ => unreachable!(),
        })
    }

    fn shape(&mut self, shape: &Shape) -> Option<Value> {
        match shape {
            Shape::Newtype(inside) => self.value(inside),
            Shape::Record(fields) | Shape::Pod(fields) => self.record(fields),
            Shape::Tuple(types) => self.value(&TypeRef::Tuple(types.clone())),
            Shape::Enum(shape) => {
                let number = u16::from_le_bytes(self.take(2)?.try_into().ok()?);
                let variant = shape.variants.get(usize::from(number))?;
                let inside = match (&variant.tuple, &variant.fields) {
                    (Some(types), _) => Some(self.value(&TypeRef::Tuple(types.clone()))?),
                    (_, Some(fields)) => Some(self.record(fields)?),
                    _ => None,
                };
                Some(Value::Variant(
                    Some(variant.name.to_string()),
                    inside.map(Box::new),
                ))
            }
        }
    }

    fn record(&mut self, fields: &[Field]) -> Option<Value> {
        let values = fields.iter().map(|field| {
            let is_there = !field.default || self.flag()?;
            let value = match is_there {
                true => Some(self.value(&field.ty)?),
                false => None,
            };
            Some((field.name.to_string(), value))
        });
        Some(Value::Record(values.collect::<Option<_>>()?))
    }

    fn dynamic(&mut self) -> Option<()> {
        match self.take(1)?[0] {
            0..=2 => {}
            3 | 5 => drop(self.take(8)?),
            4 => {
                let value = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
                if value <= i64::MAX as u64 {
                    return None;
                }
            }
            6 => drop(self.text()?),
            7 => {
                let count = self.count()?;
                self.take(count)?;
            }
            kind @ (8 | 9) => {
                if self.depth == 128 {
                    return None;
                }
                self.depth += 1;
                let mut names = HashSet::new();
                for _ in 0..self.count()? {
                    if kind == 9 && !names.insert(self.text()?) {
                        return None;
                    }
                    self.dynamic()?;
                }
                self.depth -= 1;
            }
            _ => return None,
        }
        Some(())
    }
}
