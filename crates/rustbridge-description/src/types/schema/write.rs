//! What messages look like in JSON: a JSON Schema, from their types.

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::types::{Definition, Enum, Field, Shape, Table, Tag, TypeRef, Variant};

/// The JSON Schema of a message, of draft 2020-12: what a plugin reads or writes.
///
/// It accepts what the plugin reads or writes, and may accept more: a table doesn't say what a plugin refuses besides, nor whether it leaves
/// fields out that it may leave out.
#[must_use]
pub fn schema(table: &Table, ty: &TypeRef) -> Value {
    let mut schemas = Schemas {
        table,
        root: None,
        seen: HashSet::new(),
        next: Vec::new(),
    };
    let mut root = match ty {
        TypeRef::Ref(number) => {
            schemas.root = Some(*number);
            table.get(*number).map_or_else(anything, |definition| {
                let mut schema = schemas.definition(definition);
                schema.insert("title".to_owned(), definition.name.as_ref().into());
                schema
            })
        }
        ty => schemas.ty(ty),
    };
    let mut definitions = Map::new();
    while let Some(number) = schemas.next.pop() {
        if let Some(definition) = table.get(number) {
            let schema = schemas.definition(definition);
            definitions.insert(definition.name.to_string(), schema.into());
        }
    }
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), definitions.into());
    }
    root.into()
}

type Schema = Map<String, Value>;

struct Schemas<'t> {
    table: &'t Table,
    /// The type of the whole message, if it has a name.
    root: Option<u32>,
    /// The types with names that are among the definitions, or will be.
    seen: HashSet<u32>,
    /// Those which aren't yet.
    next: Vec<u32>,
}

impl Schemas<'_> {
    fn definition(&mut self, definition: &Definition) -> Schema {
        let schema = match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => self.fields(fields),
            Shape::Newtype(ty) => self.ty(ty),
            Shape::Tuple(types) => self.tuple(types),
            Shape::Enum(shape) => self.variants(shape),
        };
        described(schema, &definition.doc)
    }

    fn ty(&mut self, ty: &TypeRef) -> Schema {
        match ty {
            TypeRef::Unit => of(json!({"type": "null"})),
            TypeRef::Bool => of(json!({"type": "boolean"})),
            TypeRef::Char => of(json!({"type": "string", "minLength": 1, "maxLength": 1})),
            TypeRef::U8 => {
                of(json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": u8::MAX}))
            }
            TypeRef::U16 => of(
                json!({"type": "integer", "format": "uint16", "minimum": 0, "maximum": u16::MAX}),
            ),
            TypeRef::U32 => of(json!({"type": "integer", "format": "uint32", "minimum": 0})),
            TypeRef::U64 => of(json!({"type": "integer", "format": "uint64", "minimum": 0})),
            TypeRef::U128 => of(json!({"type": "integer", "format": "uint128", "minimum": 0})),
            TypeRef::I8 => of(
                json!({"type": "integer", "format": "int8", "minimum": i8::MIN, "maximum": i8::MAX}),
            ),
            TypeRef::I16 => of(
                json!({"type": "integer", "format": "int16", "minimum": i16::MIN, "maximum": i16::MAX}),
            ),
            TypeRef::I32 => of(json!({"type": "integer", "format": "int32"})),
            TypeRef::I64 => of(json!({"type": "integer", "format": "int64"})),
            TypeRef::I128 => of(json!({"type": "integer", "format": "int128"})),
            // JSON has no words for what isn't finite: it's written as null.
            TypeRef::F32 => of(json!({"type": "number", "format": "float"})),
            TypeRef::F64 => of(json!({"type": "number", "format": "double"})),
            TypeRef::String => of(json!({"type": "string"})),
            // Written as digits with a point; also read as a number, with a plus or an exponent, and with digits on one side of the point.
            TypeRef::Decimal => of(json!({
                "type": ["string", "number"],
                "pattern": "^[-+]?[0-9_]*\\.?[0-9_]*([eE][-+]?[0-9]+)?$",
            })),
            TypeRef::Bytes => self.list(&TypeRef::U8),
            // The standard library's, or as the crates have it that know of calendars.
            TypeRef::Timestamp => of(json!({"anyOf": [
                {"type": "object", "required": ["secs_since_epoch", "nanos_since_epoch"], "properties": {
                    "secs_since_epoch": {"type": "integer", "format": "uint64", "minimum": 0},
                    "nanos_since_epoch": {"type": "integer", "format": "uint32", "minimum": 0},
                }},
                {"type": "string", "format": "date-time"},
                {"type": "array"},
            ]})),
            TypeRef::Duration => of(json!({"anyOf": [
                {"type": "object", "required": ["secs", "nanos"], "properties": {
                    "secs": {"type": "integer", "format": "uint64", "minimum": 0},
                    "nanos": {"type": "integer", "format": "uint32", "minimum": 0},
                }},
                {"type": "string", "format": "duration"},
                {"type": "array"},
            ]})),
            TypeRef::Uuid => of(json!({"type": "string", "format": "uuid"})),
            TypeRef::Any => anything(),
            TypeRef::Object(name) => of(json!({
                "description": format!("The position of a `{name}` among the accompanying objects."),
                "type": "integer", "format": "uint32", "minimum": 0,
                "x-rustbridge-object": name,
            })),
            TypeRef::List(item) => self.list(item),
            TypeRef::Array(item, count) => {
                let mut list = self.list(item);
                list.insert("minItems".to_owned(), (*count).into());
                list.insert("maxItems".to_owned(), (*count).into());
                list
            }
            TypeRef::Map(key, value) => {
                let value = self.ty(value);
                let mut map = of(json!({"type": "object", "additionalProperties": value}));
                if let Some(names) = self.key(key) {
                    map.insert("propertyNames".to_owned(), names.into());
                }
                map
            }
            TypeRef::Option(inside) => {
                let inside = self.ty(inside);
                if inside.is_empty() {
                    return inside;
                }
                of(json!({"anyOf": [inside, {"type": "null"}]}))
            }
            TypeRef::Tuple(types) => self.tuple(types),
            TypeRef::Ref(number) => self.reference(*number),
        }
    }

    fn reference(&mut self, number: u32) -> Schema {
        if self.root == Some(number) {
            return of(json!({"$ref": "#"}));
        }
        let Some(definition) = self.table.get(number) else {
            return anything();
        };
        if self.seen.insert(number) {
            self.next.push(number);
        }
        of(json!({"$ref": format!("#/$defs/{}", pointer(&definition.name))}))
    }

    fn list(&mut self, item: &TypeRef) -> Schema {
        let item = self.ty(item);
        of(json!({"type": "array", "items": item}))
    }

    fn tuple(&mut self, types: &[TypeRef]) -> Schema {
        let items: Vec<Schema> = types.iter().map(|ty| self.ty(ty)).collect();
        let mut tuple =
            of(json!({"type": "array", "minItems": items.len(), "maxItems": items.len()}));
        if !items.is_empty() {
            tuple.insert("prefixItems".to_owned(), items.into());
        }
        tuple
    }

    /// What the names in a map are, which JSON writes all as text. Nothing if they are just text.
    fn key(&mut self, key: &TypeRef) -> Option<Schema> {
        match key {
            TypeRef::Bool => Some(of(json!({"enum": ["true", "false"]}))),
            TypeRef::Char => Some(of(json!({"minLength": 1, "maxLength": 1}))),
            TypeRef::Uuid => Some(of(json!({"format": "uuid"}))),
            TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => {
                Some(of(json!({"pattern": "^\\d+$"})))
            }
            TypeRef::I8 | TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => {
                Some(of(json!({"pattern": "^-?\\d+$"})))
            }
            TypeRef::Ref(number) => match &self.table.get(*number)?.shape {
                Shape::Newtype(inside) => self.key(&inside.clone()),
                _ => Some(self.reference(*number)),
            },
            _ => None,
        }
    }

    fn fields(&mut self, fields: &[Field]) -> Schema {
        let mut properties = Map::new();
        let (mut required, mut others) = (Vec::new(), Vec::new());
        for field in fields {
            let ty = self.ty(&field.ty);
            if field.flatten {
                // Whether one that needn't be there is there isn't told by any field of its own.
                if let TypeRef::Ref(_) = field.ty {
                    others.push(ty);
                }
                continue;
            }
            if !field.default && !matches!(field.ty, TypeRef::Option(_)) {
                required.push(field.name.to_string());
            }
            let mut property = described(ty, &field.doc);
            if let Some(value) = self.default_value(field) {
                property.insert("default".to_owned(), value);
            }
            properties.insert(field.name.to_string(), property.into());
        }
        let mut record = of(json!({"type": "object"}));
        if !properties.is_empty() {
            record.insert("properties".to_owned(), properties.into());
        }
        if !required.is_empty() {
            record.insert("required".to_owned(), required.into());
        }
        if !others.is_empty() {
            record.insert("allOf".to_owned(), others.into());
        }
        record
    }

    /// The default value as JSON messages have it: a variant's name may be inside an object.
    fn default_value(&self, field: &Field) -> Option<Value> {
        let value = field.default_value.clone()?;
        let TypeRef::Ref(number) = field.ty else {
            return Some(value);
        };
        let Shape::Enum(shape) = &self.table.get(number)?.shape else {
            return Some(value);
        };
        match &shape.tag {
            Tag::Outside => Some(value),
            Tag::Inside(tag) | Tag::Beside(tag, _) => Some(json!({ tag.as_ref(): value })),
            // Without a tag, such a variant is null.
            Tag::None => Some(Value::Null),
        }
    }

    fn variants(&mut self, shape: &Enum) -> Schema {
        let names = |variants: &[Variant]| -> Vec<Value> {
            let names = variants.iter().map(|variant| variant.name.as_ref().into());
            names.collect()
        };
        let are_bare = shape
            .variants
            .iter()
            .all(|variant| is_bare(variant) && variant.doc.is_empty());
        if shape.tag == Tag::Outside && are_bare && !shape.variants.is_empty() {
            return of(json!({"type": "string", "enum": names(&shape.variants)}));
        }
        let mut forms: Vec<Schema> = Vec::new();
        for variant in &shape.variants {
            let form = self.variant(variant, &shape.tag);
            forms.push(described(form, &variant.doc));
        }
        // Those that don't say which they are may be alike.
        let keyword = if shape.tag == Tag::None {
            "anyOf"
        } else {
            "oneOf"
        };
        if forms.is_empty() {
            // Nobody has a value of it.
            return of(json!({"not": {}}));
        }
        of(json!({keyword: forms}))
    }

    fn variant(&mut self, variant: &Variant, tag: &Tag) -> Schema {
        let name = variant.name.as_ref();
        match tag {
            Tag::Outside if is_bare(variant) => of(json!({"type": "string", "const": name})),
            Tag::Outside => {
                let content = self.content(variant);
                of(json!({
                    "type": "object",
                    "properties": {name: content},
                    "required": [name],
                    "additionalProperties": false,
                }))
            }
            Tag::Inside(tag) => {
                let inside = self.content(variant);
                let mut form = of(json!({
                    "type": "object",
                    "properties": {tag.as_ref(): {"type": "string", "const": name}},
                    "required": [tag],
                }));
                if !is_bare(variant) {
                    form.insert("allOf".to_owned(), vec![inside].into());
                }
                form
            }
            Tag::Beside(tag, content) => {
                let mut form = of(json!({
                    "type": "object",
                    "properties": {tag.as_ref(): {"type": "string", "const": name}},
                    "required": [tag],
                }));
                if !is_bare(variant) {
                    let inside = self.content(variant);
                    form["properties"][content.as_ref()] = inside.into();
                    form["required"] = json!([tag, content]);
                }
                form
            }
            Tag::None => self.content(variant),
        }
    }

    /// What a variant has.
    fn content(&mut self, variant: &Variant) -> Schema {
        match (&variant.tuple, &variant.fields) {
            (Some(types), _) => match &types[..] {
                [one] => self.ty(one),
                types => self.tuple(types),
            },
            (None, Some(fields)) => self.fields(fields),
            (None, None) => of(json!({"type": "null"})),
        }
    }
}

/// Whether a variant has nothing.
fn is_bare(variant: &Variant) -> bool {
    variant.tuple.is_none() && variant.fields.is_none()
}

/// What accepts anything.
fn anything() -> Schema {
    Map::new()
}

/// The fields of an object that is written here.
fn of(value: Value) -> Schema {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn described(mut schema: Schema, doc: &str) -> Schema {
    if !doc.is_empty() {
        schema.insert("description".to_owned(), doc.into());
    }
    schema
}

/// A name as a JSON pointer in a URI has it.
fn pointer(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'~' => text.push_str("~0"),
            b'/' => text.push_str("~1"),
            b'-' | b'.' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                text.push(char::from(byte));
            }
            byte => {
                // Writing to a string doesn't fail.
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
