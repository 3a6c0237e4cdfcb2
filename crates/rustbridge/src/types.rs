//! The types of a plugin's messages, for its description.

use std::collections::HashMap;
use std::marker::PhantomData;

use rustbridge_description::types::{self as described, Text, TypeRef};
use rustbridge_wire::{
    Content, DefaultValue, Definition, Fault, Field, Number, Reader, Shape, Tag, Type, Writer,
    derive,
};
use serde_json::Value;

use crate::Pod;

/// The table while it's built: a named type gets a number when it's first used.
#[derive(Debug, Default)]
pub(crate) struct Types {
    definitions: Vec<Option<described::Definition>>,
    /// The definition and type arguments of each.
    origins: Vec<(&'static Definition, Vec<TypeRef>)>,
    /// The number of each, by its path and type arguments. Its address can't be the key, because a constant may have several addresses.
    numbers: HashMap<(&'static str, Vec<TypeRef>), u32>,
}

impl Types {
    /// Returns the whole table, unless it's empty.
    pub(crate) fn into_table(self) -> Option<Vec<described::Definition>> {
        let names = self.names();
        // Each has its content by now.
        let mut table: Vec<_> = self.definitions.into_iter().flatten().collect();
        for (definition, name) in table.iter_mut().zip(names) {
            definition.name = name.into();
        }
        (!table.is_empty()).then_some(table)
    }

    /// Returns the names: those of the source, or, if several types have the same name, with the names of their modules in front.
    fn names(&self) -> Vec<String> {
        let mut paths: HashMap<&str, Vec<&'static str>> = HashMap::new();
        for (definition, _) in &self.origins {
            let known = paths.entry(definition.name).or_default();
            if !known.contains(&definition.path) {
                known.push(definition.path);
            }
        }
        let mut names = Vec::new();
        for (definition, arguments) in &self.origins {
            let among = paths.get(definition.name).map_or(&[][..], |it| it);
            let mut name = qualified(definition, among);
            for argument in arguments {
                append_name(&names, &mut name, argument);
            }
            names.push(name);
        }
        names
    }

    pub(crate) fn reference(&mut self, ty: &'static Type) -> TypeRef {
        match ty {
            Type::Unit => TypeRef::Unit,
            Type::Bool => TypeRef::Bool,
            Type::Char => TypeRef::Char,
            Type::Number(number) => of_number(*number),
            Type::String => TypeRef::String,
            Type::Decimal => TypeRef::Decimal,
            Type::Bytes => TypeRef::Bytes,
            Type::Timestamp => TypeRef::Timestamp,
            Type::Duration => TypeRef::Duration,
            Type::Uuid => TypeRef::Uuid,
            Type::Any => TypeRef::Any,
            Type::Object(name) => TypeRef::Object(Text::Borrowed(name)),
            Type::List(item) => TypeRef::List(Box::new(self.reference(item))),
            Type::Array(item, count) => {
                TypeRef::Array(Box::new(self.reference(item)), *count as u64)
            }
            Type::Map(key, value) => TypeRef::Map(
                Box::new(self.reference(key)),
                Box::new(self.reference(value)),
            ),
            Type::Option(value) => TypeRef::Option(Box::new(self.reference(value))),
            Type::Tuple(types) => TypeRef::Tuple(self.references(types)),
            Type::Named(definition) => self.definition(definition()),
        }
    }

    fn references(&mut self, types: &'static [Type]) -> Vec<TypeRef> {
        types.iter().map(|ty| self.reference(ty)).collect()
    }

    fn definition(&mut self, definition: &'static Definition) -> TypeRef {
        let arguments = self.references(definition.arguments);
        let number = self.definitions.len() as u32;
        match self.numbers.entry((definition.path, arguments.clone())) {
            std::collections::hash_map::Entry::Occupied(known) => {
                return TypeRef::Ref(*known.get());
            }
            std::collections::hash_map::Entry::Vacant(place) => place.insert(number),
        };
        self.origins.push((definition, arguments));
        // In its place before what it consists of, which may refer to it.
        self.definitions.push(Some(described::Definition {
            name: Text::Borrowed(definition.name),
            doc: Text::Borrowed(definition.doc),
            status: Text::Borrowed(definition.status),
            shape: described::Shape::Tuple(Vec::new()),
        }));
        let shape = self.shape(&definition.shape);
        if let Some(Some(made)) = self.definitions.get_mut(number as usize) {
            made.shape = shape;
        }
        TypeRef::Ref(number)
    }

    fn shape(&mut self, shape: &'static Shape) -> described::Shape {
        match shape {
            Shape::Record(fields) => described::Shape::Record(self.fields(fields)),
            Shape::Pod(fields) => described::Shape::Pod(self.fields(fields)),
            Shape::Newtype(ty) => described::Shape::Newtype(self.reference(ty)),
            Shape::Tuple(types) => described::Shape::Tuple(self.references(types)),
            Shape::Enum(shape) => {
                let variants = shape.variants.iter().map(|variant| {
                    let (tuple, fields) = match &variant.content {
                        Content::Unit => (None, None),
                        Content::Tuple(types) => (Some(self.references(types)), None),
                        Content::Fields(fields) => (None, Some(self.fields(fields))),
                    };
                    described::Variant {
                        name: Text::Borrowed(variant.name),
                        doc: Text::Borrowed(variant.doc),
                        status: Text::Borrowed(variant.status),
                        tuple,
                        fields,
                    }
                });
                described::Shape::Enum(described::Enum {
                    variants: variants.collect(),
                    open: shape.open,
                    tag: match shape.tag {
                        Tag::Outside => described::Tag::Outside,
                        Tag::Inside(tag) => described::Tag::Inside(tag.into()),
                        Tag::Beside(tag, content) => {
                            described::Tag::Beside(tag.into(), content.into())
                        }
                        Tag::None => described::Tag::None,
                    },
                })
            }
        }
    }

    fn fields(&mut self, fields: &'static [Field]) -> Vec<described::Field> {
        let fields = fields.iter().map(|field| described::Field {
            name: Text::Borrowed(field.name),
            ty: self.reference(&field.ty),
            doc: Text::Borrowed(field.doc),
            default: field.default,
            default_value: field
                .default_value
                .and_then(|value| default_value(&field.ty, value)),
            flatten: field.flatten,
        });
        fields.collect()
    }
}

/// Returns a default value as JSON has it.
fn default_value(ty: &Type, value: DefaultValue) -> Option<Value> {
    Some(match value {
        DefaultValue::Bool(value) => value.into(),
        DefaultValue::Integer(value) => match u64::try_from(value) {
            Ok(value) => value.into(),
            Err(_) => i64::try_from(value).ok()?.into(),
        },
        DefaultValue::Float(value) => value.into(),
        DefaultValue::Text(text) => text.into(),
        DefaultValue::EmptyList => Value::Array(Vec::new()),
        DefaultValue::EmptyMap => Value::Object(serde_json::Map::new()),
        DefaultValue::Variant(number) => {
            let Type::Named(definition) = ty else {
                return None;
            };
            let Shape::Enum(shape) = &definition().shape else {
                return None;
            };
            shape.variants.get(usize::from(number()))?.name.into()
        }
    })
}

/// Returns the name of a type that shares it with types at these paths: preceded by as many of its modules as distinguish it from the
/// others.
fn qualified(definition: &Definition, among: &[&'static str]) -> String {
    let own = modules(definition.path);
    let front = |modules: &[&str], count: usize| -> String {
        let kept = &modules[modules.len() - count.min(modules.len())..];
        kept.iter().map(|module| capitals(module)).collect()
    };
    let is_alone = |count: &usize| {
        let name = front(&own, *count);
        let mut others = among.iter().filter(|path| **path != definition.path);
        others.all(|path| front(&modules(path), *count) != name)
    };
    // None tells two that a function or a macro has in one module from each other: who writes clients says so.
    let count = (0..=own.len()).find(is_alone).unwrap_or(0);
    format!("{}{}", front(&own, count), definition.name)
}

/// Returns the modules of a path in the source, below the crate: `shop`, `billing` of `plugin::shop::billing::Item:12:10`.
fn modules(path: &'static str) -> Vec<&'static str> {
    let (before, _) = path.rsplit_once("::").unwrap_or_default();
    before.split("::").skip(1).collect()
}

/// Converts `line_items` to `LineItems`.
fn capitals(module: &str) -> String {
    let mut written = String::new();
    for word in module.split('_') {
        let mut letters = word.chars();
        written.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        written.push_str(letters.as_str());
    }
    written
}

/// Appends a type argument to a name: `Page<User>` is `PageUser`. `names` are those of the types before.
fn append_name(names: &[String], name: &mut String, argument: &TypeRef) {
    let inside = match argument {
        TypeRef::Ref(number) => {
            if let Some(known) = names.get(*number as usize) {
                name.push_str(known);
            }
            return;
        }
        TypeRef::List(item) => ("List", vec![&**item]),
        TypeRef::Array(item, _) => ("Array", vec![&**item]),
        TypeRef::Option(value) => ("Optional", vec![&**value]),
        TypeRef::Map(key, value) => ("Map", vec![&**key, &**value]),
        TypeRef::Tuple(types) => ("Tuple", types.iter().collect()),
        TypeRef::Object(of) => {
            name.push_str(of);
            return;
        }
        plain => {
            // What a description calls it, with a capital in front.
            let text = serde_json::to_value(plain).unwrap_or_default();
            let mut letters = text.as_str().unwrap_or_default().chars();
            name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            name.push_str(letters.as_str());
            return;
        }
    };
    name.push_str(inside.0);
    for ty in inside.1 {
        append_name(names, name, ty);
    }
}

fn of_number(number: Number) -> TypeRef {
    match number {
        Number::U8 => TypeRef::U8,
        Number::U16 => TypeRef::U16,
        Number::U32 => TypeRef::U32,
        Number::U64 => TypeRef::U64,
        Number::U128 => TypeRef::U128,
        Number::I8 => TypeRef::I8,
        Number::I16 => TypeRef::I16,
        Number::I32 => TypeRef::I32,
        Number::I64 => TypeRef::I64,
        Number::I128 => TypeRef::I128,
        Number::F32 => TypeRef::F32,
        Number::F64 => TypeRef::F64,
    }
}

/// Detects at compile time whether a message is also plain old data; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct PodProbe<T>(PhantomData<T>);

/// The results for types that aren't.
pub trait NotPod<T> {
    /// Whether it's plain old data.
    const IS_POD: bool = false;

    /// Never called.
    ///
    /// # Safety
    /// None.
    unsafe fn put_all(_items: &[T], _writer: &mut Writer) {}

    /// Never called.
    ///
    /// # Errors
    /// Always.
    fn get_all(_reader: &mut Reader<'_>, _count: usize) -> Result<Vec<T>, Fault> {
        Err(Fault)
    }
}

impl<T> NotPod<T> for PodProbe<T> {}

impl<T: Pod> PodProbe<T> {
    /// Whether it's plain old data.
    pub const IS_POD: bool = true;

    /// Writes values by copying them from memory.
    ///
    /// # Safety
    /// The writer has room for them.
    #[inline(always)]
    pub unsafe fn put_all(items: &[T], writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { derive::put_block(items, writer) };
    }

    /// Reads `count` values by copying them to memory.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline(always)]
    pub fn get_all(reader: &mut Reader<'_>, count: usize) -> Result<Vec<T>, Fault> {
        derive::get_block(reader, count)
    }
}
