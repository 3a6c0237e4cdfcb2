//! The default values of fields, in a form from which each language writes a literal.

use rustbridge_description::types::{Field, Shape, Table, TypeRef};

/// A default value that clients show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue<'f> {
    /// A boolean.
    Bool(bool),
    /// An integer of at most 64 bits.
    Integer(i128),
    /// A finite number.
    Float(f64),
    /// One character.
    Char(char),
    /// A text.
    Text(&'f str),
    /// No bytes.
    EmptyBytes,
    /// A list without items.
    EmptyList,
    /// A map without pairs.
    EmptyMap,
    /// A variant without content.
    Variant {
        /// The number of the enum's type.
        ty: u32,
        /// The position of the variant.
        place: usize,
        /// Whether no variant of the enum has content.
        is_plain: bool,
    },
}

impl<'f> DefaultValue<'f> {
    /// Returns the default value of a field, if clients know it.
    pub(crate) fn of(types: &Table, field: &'f Field) -> Option<DefaultValue<'f>> {
        let value = field.default_value.as_ref()?;
        Some(match &field.ty {
            TypeRef::Bool => DefaultValue::Bool(value.as_bool()?),
            TypeRef::Char => DefaultValue::Char(value.as_str()?.chars().next()?),
            TypeRef::F32 | TypeRef::F64 => DefaultValue::Float(value.as_f64()?),
            TypeRef::String => DefaultValue::Text(value.as_str()?),
            TypeRef::Bytes => DefaultValue::EmptyBytes,
            TypeRef::List(_) => DefaultValue::EmptyList,
            TypeRef::Map(..) => DefaultValue::EmptyMap,
            TypeRef::Ref(number) => {
                let Shape::Enum(shape) = &types.get(*number)?.shape else {
                    return None;
                };
                let name = value.as_str()?;
                let is_bare = |it: &rustbridge_description::types::Variant| {
                    it.tuple.is_none() && it.fields.is_none()
                };
                DefaultValue::Variant {
                    ty: *number,
                    place: shape.variants.iter().position(|it| it.name == name)?,
                    is_plain: shape.variants.iter().all(is_bare),
                }
            }
            _ => {
                let unsigned = value.as_u64().map(i128::from);
                DefaultValue::Integer(unsigned.or(value.as_i64().map(i128::from))?)
            }
        })
    }

    /// Returns the value for documentation, as authors write it.
    pub(crate) fn shown(&self, types: &Table) -> String {
        match self {
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Integer(value) => value.to_string(),
            DefaultValue::Float(value) => float(*value),
            DefaultValue::Char(value) => format!("{:?}", value.to_string()),
            DefaultValue::Text(text) => format!("{text:?}"),
            DefaultValue::EmptyBytes => "no bytes".to_owned(),
            DefaultValue::EmptyList => "an empty list".to_owned(),
            DefaultValue::EmptyMap => "an empty map".to_owned(),
            DefaultValue::Variant { ty, place, .. } => match types.get(*ty).map(|it| &it.shape) {
                Some(Shape::Enum(shape)) => shape
                    .variants
                    .get(*place)
                    .map_or_else(String::new, |variant| variant.name.to_string()),
                _ => String::new(),
            },
        }
    }
}

/// Returns a number as most languages write it: with a point, or with a point and an exponent.
pub(crate) fn float(value: f64) -> String {
    format!("{value:?}")
}

/// Returns the documentation of a field or parameter with a default value, which follows its own.
pub(crate) fn about_default(types: &Table, field: &Field) -> Option<String> {
    let value = DefaultValue::of(types, field)?;
    Some(format!("The default value is {}.", value.shown(types)))
}

#[cfg(test)]
mod tests {
    use rustbridge_description::types::Definition;
    use serde_json::json;

    use super::*;

    #[test]
    fn each_kind_of_value_is_read_and_shown() {
        let definitions: Vec<Definition> = serde_json::from_value(json!([
            { "name": "Settings", "record": [
                { "name": "a", "type": "bool", "default": true, "default_value": true },
                { "name": "b", "type": "i8", "default": true, "default_value": -3 },
                { "name": "c", "type": "u64", "default": true, "default_value": u64::MAX },
                { "name": "d", "type": "f32", "default": true, "default_value": 1.0 },
                { "name": "e", "type": "char", "default": true, "default_value": "x" },
                { "name": "f", "type": "string", "default": true, "default_value": "a\"b" },
                { "name": "g", "type": "bytes", "default": true, "default_value": [] },
                { "name": "h", "type": {"list": "u8"}, "default": true, "default_value": [] },
                { "name": "i", "type": {"map": ["u8", "u8"]}, "default": true, "default_value": {} },
                { "name": "j", "type": {"ref": 1}, "default": true, "default_value": "red" },
                { "name": "k", "type": "u8", "default": true },
            ] },
            { "name": "Colour", "enum": { "variants": [ { "name": "blue" }, { "name": "red" } ] } },
        ]))
        .unwrap();
        let types = Table::new(definitions).unwrap();
        let Shape::Record(fields) = &types.definitions()[0].shape else {
            panic!("not a record");
        };
        let shown: Vec<_> = fields
            .iter()
            .map(|field| DefaultValue::of(&types, field).map(|value| value.shown(&types)))
            .collect();
        let expected = [
            "true",
            "-3",
            "18446744073709551615",
            "1.0",
            "\"x\"",
            "\"a\\\"b\"",
            "no bytes",
            "an empty list",
            "an empty map",
            "red",
        ];
        let (last, known) = shown.split_last().unwrap();
        assert_eq!(*last, None);
        let known: Vec<_> = known.iter().flatten().map(String::as_str).collect();
        assert_eq!(known, expected);
        assert_eq!(
            DefaultValue::of(&types, &fields[9]),
            Some(DefaultValue::Variant {
                ty: 1,
                place: 1,
                is_plain: true
            })
        );
    }
}
