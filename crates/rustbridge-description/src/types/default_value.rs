//! Default values of fields: the check against the field's type, and their wire format.

use serde_json::{Map, Value};

use super::{Definition, Field, Shape, TypeRef};

/// The largest number of bytes of a text that is a default value. The macros of `rustbridge` have the same limit.
pub const MAX_DEFAULT_TEXT: usize = 1024;

/// Returns the reason why a field can't have its default value, as a clause. `ty` is the name of the field's type.
pub(super) fn problem(definitions: &[Definition], field: &Field, ty: &str) -> Option<String> {
    let value = field.default_value.as_ref()?;
    if !field.default {
        return Some("it has a `default_value`, and no `default`".to_owned());
    }
    if is_of_unknown_kind(definitions, field) {
        return None;
    }
    if let Some(text) = value.as_str()
        && text.len() > MAX_DEFAULT_TEXT
    {
        return Some(format!(
            "its `default_value` has {} bytes, and can have {MAX_DEFAULT_TEXT}",
            text.len()
        ));
    }
    match encoded(definitions, &field.ty, value) {
        Some(_) => None,
        None => Some(format!(
            "its `default_value` {value} isn't a value of {ty} that clients can show"
        )),
    }
}

/// Reports whether a field's default value is of a kind that this version doesn't know. Such a value is ignored, so that plugins built with
/// a later version can be loaded; the field then has a default that clients don't know.
pub(super) fn is_of_unknown_kind(definitions: &[Definition], field: &Field) -> bool {
    let Some(value) = &field.default_value else {
        return false;
    };
    !match &field.ty {
        TypeRef::Bool => value.is_boolean(),
        TypeRef::Char | TypeRef::String => value.is_string(),
        TypeRef::F32 | TypeRef::F64 => value.is_number(),
        TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => {
            value.is_number()
        }
        TypeRef::I8 | TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => {
            value.is_number()
        }
        TypeRef::List(_) | TypeRef::Bytes => value.as_array().is_some_and(Vec::is_empty),
        TypeRef::Map(..) => value.as_object().is_some_and(Map::is_empty),
        TypeRef::Ref(number) => match definitions.get(*number as usize).map(|it| &it.shape) {
            Some(Shape::Enum(_)) => value.is_string(),
            _ => false,
        },
        _ => false,
    }
}

/// Returns the first bytes of a default value in the wire format, which no other value of the type has. Nothing but padding follows them.
pub(super) fn encoded(definitions: &[Definition], ty: &TypeRef, value: &Value) -> Option<Vec<u8>> {
    match ty {
        TypeRef::Bool => Some(vec![u8::from(value.as_bool()?)]),
        TypeRef::Char => {
            let mut letters = value.as_str()?.chars();
            let letter = letters.next()?;
            let is_one = letters.next().is_none();
            is_one.then(|| u32::from(letter).to_le_bytes().into())
        }
        TypeRef::F32 => {
            let number = value.as_f64()? as f32;
            number.is_finite().then(|| number.to_le_bytes().into())
        }
        TypeRef::F64 => Some(value.as_f64()?.to_le_bytes().into()),
        TypeRef::String => {
            let text = value.as_str()?;
            let count = u32::try_from(text.len()).ok()?;
            Some([&count.to_le_bytes(), text.as_bytes()].concat())
        }
        TypeRef::List(_) | TypeRef::Bytes if value.as_array()?.is_empty() => Some(vec![0; 4]),
        TypeRef::Map(..) if value.as_object()?.is_empty() => Some(vec![0; 4]),
        TypeRef::Ref(number) => {
            let Shape::Enum(shape) = &definitions.get(*number as usize)?.shape else {
                return None;
            };
            let name = value.as_str()?;
            let place = shape.variants.iter().position(|it| it.name == name)?;
            let variant = &shape.variants[place];
            let is_unit = variant.tuple.is_none() && variant.fields.is_none();
            let number = u16::try_from(place).ok()?;
            is_unit.then(|| number.to_le_bytes().into())
        }
        integer => of_integer(integer, value),
    }
}

fn of_integer(ty: &TypeRef, value: &Value) -> Option<Vec<u8>> {
    let number = match (value.as_u64(), value.as_i64()) {
        (Some(number), _) => i128::from(number),
        (None, Some(number)) => i128::from(number),
        (None, None) => return None,
    };
    Some(match ty {
        TypeRef::U8 => u8::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::U16 => u16::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::U32 => u32::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::U64 => u64::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::U128 => u128::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::I8 => i8::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::I16 => i16::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::I32 => i32::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::I64 => i64::try_from(number).ok()?.to_le_bytes().into(),
        TypeRef::I128 => number.to_le_bytes().into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Definition, Shape, TypeRef, encoded};
    use crate::types::Table;

    fn table(ty: &Value, default: bool, value: &Value) -> Result<Table, String> {
        let definitions = json!([
            { "name": "Settings", "record": [
                { "name": "a", "type": ty, "default": default, "default_value": value },
            ] },
            { "name": "Colour", "enum": { "variants": [
                { "name": "red" }, { "name": "green" }, { "name": "mixed", "tuple": ["u8"] },
            ] } },
            { "name": "Id", "newtype": "u8" },
        ]);
        let definitions: Vec<Definition> = serde_json::from_value(definitions).unwrap();
        Table::new(definitions).map_err(|error| error.to_string())
    }

    #[test]
    fn a_default_value_of_each_kind_is_accepted_and_encoded() {
        for (ty, value, bytes) in [
            (json!("bool"), json!(true), vec![1]),
            (json!("u8"), json!(200), vec![200]),
            (json!("i16"), json!(-2), vec![0xfe, 0xff]),
            (json!("u64"), json!(u64::MAX), vec![0xff; 8]),
            (json!("i128"), json!(-1), vec![0xff; 16]),
            (json!("f32"), json!(0.5), 0.5_f32.to_le_bytes().into()),
            (json!("f64"), json!(2.0), 2_f64.to_le_bytes().into()),
            (json!("char"), json!("ß"), vec![0xdf, 0, 0, 0]),
            (json!("string"), json!("en"), vec![2, 0, 0, 0, b'e', b'n']),
            (json!("bytes"), json!([]), vec![0; 4]),
            (json!({"list": "u64"}), json!([]), vec![0; 4]),
            (json!({"map": ["string", "u8"]}), json!({}), vec![0; 4]),
            (json!({"ref": 1}), json!("green"), vec![1, 0]),
        ] {
            let table = table(&ty, true, &value).unwrap();
            let ty: TypeRef = serde_json::from_value(ty).unwrap();
            assert_eq!(
                encoded(table.definitions(), &ty, &value),
                Some(bytes),
                "{value}"
            );
        }
    }

    #[test]
    fn a_default_value_that_does_not_fit_its_type_is_refused() {
        for (ty, value) in [
            (json!("u8"), json!(256)),
            (json!("u8"), json!(-1)),
            (json!("i8"), json!(1.5)),
            (json!("i64"), json!(u64::MAX)),
            (json!("f32"), json!(1e39)),
            (json!("char"), json!("ab")),
            (json!("char"), json!("")),
            (json!({"ref": 1}), json!("blue")),
            (json!({"ref": 1}), json!("mixed")),
        ] {
            let error = table(&ty, true, &value).unwrap_err();
            assert!(
                error.contains("`Settings.a`") && error.contains("isn't a value of"),
                "{ty} {value}: {error}"
            );
        }
        let error = table(&json!("u8"), false, &json!(1)).unwrap_err();
        assert!(error.contains("and no `default`"), "{error}");
        let error = table(&json!("string"), true, &json!("x".repeat(1025))).unwrap_err();
        assert!(error.contains("1025 bytes, and can have 1024"), "{error}");
    }

    #[test]
    fn a_default_value_of_a_kind_of_a_later_version_is_ignored() {
        for (ty, value) in [
            (json!("bool"), json!({"const": "ON"})),
            (
                json!("u128"),
                json!("340282366920938463463374607431768211455"),
            ),
            (json!("f64"), json!("NaN")),
            (json!("string"), json!({"env": "HOME"})),
            (json!("bytes"), json!("AAEC")),
            (json!({"list": "u8"}), json!([1])),
            (json!({"map": ["string", "u8"]}), json!({"a": 1})),
            (json!({"array": ["u8", 2]}), json!([1, 2])),
            (json!({"tuple": ["u8", "u8"]}), json!([1, 2])),
            (json!({"ref": 1}), json!({"mixed": [1]})),
            (json!({"ref": 2}), json!(1)),
            (json!({"option": "u8"}), json!(1)),
            (json!("timestamp"), json!("2026-11-30T00:00:00Z")),
            (json!("unit"), json!([])),
        ] {
            let table = table(&ty, true, &value).unwrap();
            let Shape::Record(fields) = &table.definitions()[0].shape else {
                panic!("not a record");
            };
            assert_eq!(fields[0].default_value, None, "{ty} {value}");
            assert!(fields[0].has_unknown_default(), "{ty} {value}");
        }
        let error = table(&json!({"list": "u8"}), false, &json!([1])).unwrap_err();
        assert!(error.contains("and no `default`"), "{error}");
    }

    #[test]
    fn a_field_without_a_default_value_has_none_in_its_json() {
        let table = table(&json!("u8"), true, &Value::Null).unwrap();
        let text = serde_json::to_string(&table).unwrap();
        assert!(!text.contains("default_value"), "{text}");
    }
}
