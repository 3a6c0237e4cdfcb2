//! The types of a plugin's messages, as its description has them.

use std::collections::HashMap;
use std::marker::PhantomData;

use rustbridge_description::types::{self as described, Text, TypeRef};
use rustbridge_wire::{
    Content, Definition, Fault, Field, Number, Reader, Shape, Tag, Type, Writer, derive,
};

use crate::Pod;

/// The table as it grows: each type with a name gets a number when it's first met.
#[derive(Debug, Default)]
pub(crate) struct Types {
    definitions: Vec<Option<described::Definition>>,
    /// The number of each, by where it's from and what stands for its parameters: a constant's address isn't the same everywhere.
    numbers: HashMap<(&'static str, Vec<TypeRef>), u32>,
}

impl Types {
    /// The whole table, unless there's nothing in it.
    pub(crate) fn into_table(self) -> Option<Vec<described::Definition>> {
        // Each has its content by now.
        let table: Vec<_> = self.definitions.into_iter().flatten().collect();
        (!table.is_empty()).then_some(table)
    }

    pub(crate) fn reference(&mut self, ty: &'static Type) -> TypeRef {
        match ty {
            Type::Unit => TypeRef::Unit,
            Type::Bool => TypeRef::Bool,
            Type::Char => TypeRef::Char,
            Type::Number(number) => of_number(*number),
            Type::String => TypeRef::String,
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
        let mut name = definition.name.to_owned();
        for argument in &arguments {
            self.append_name(&mut name, argument);
        }
        let number = self.definitions.len() as u32;
        match self.numbers.entry((definition.path, arguments)) {
            std::collections::hash_map::Entry::Occupied(known) => {
                return TypeRef::Ref(*known.get());
            }
            std::collections::hash_map::Entry::Vacant(place) => place.insert(number),
        };
        // In its place before what it consists of, which may refer to it.
        self.definitions.push(Some(described::Definition {
            name: name.into(),
            doc: Text::Borrowed(definition.doc),
            shape: described::Shape::Tuple(Vec::new()),
        }));
        let shape = self.shape(&definition.shape);
        if let Some(Some(made)) = self.definitions.get_mut(number as usize) {
            made.shape = shape;
        }
        TypeRef::Ref(number)
    }

    /// `Page<User>` is `PageUser`.
    fn append_name(&self, name: &mut String, argument: &TypeRef) {
        let inside = match argument {
            TypeRef::Ref(number) => {
                if let Some(Some(definition)) = self.definitions.get(*number as usize) {
                    name.push_str(&definition.name);
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
            self.append_name(name, ty);
        }
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
            flatten: field.flatten,
        });
        fields.collect()
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

/// Tells whether a message is plain old data as well, at compile time: see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct PodProbe<T>(PhantomData<T>);

/// The answers for what isn't.
pub trait NotPod<T> {
    /// Whether it is.
    const IS_POD: bool = false;

    /// Isn't called.
    ///
    /// # Safety
    /// None.
    unsafe fn put_all(_items: &[T], _writer: &mut Writer) {}

    /// Isn't called.
    ///
    /// # Errors
    /// Always.
    fn get_all(_reader: &mut Reader<'_>, _count: usize) -> Result<Vec<T>, Fault> {
        Err(Fault)
    }
}

impl<T> NotPod<T> for PodProbe<T> {}

impl<T: Pod> PodProbe<T> {
    /// Whether it is.
    pub const IS_POD: bool = true;

    /// Writes them as they lie in memory.
    ///
    /// # Safety
    /// There's room for them.
    #[inline(always)]
    pub unsafe fn put_all(items: &[T], writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { derive::put_block(items, writer) };
    }

    /// Reads them as they lie in memory.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline(always)]
    pub fn get_all(reader: &mut Reader<'_>, count: usize) -> Result<Vec<T>, Fault> {
        derive::get_block(reader, count)
    }
}
