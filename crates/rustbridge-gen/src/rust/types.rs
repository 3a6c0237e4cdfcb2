//! Types in Rust: those of values, and those of parameters that lend them.

use rustbridge_description::types::{Shape, TypeRef};

use super::names::{Names, is_plain};

/// A value of more bytes isn't handed over by copying it.
const COPIED: u64 = 64;

/// How a method takes a value.
pub(super) struct ArgumentForm {
    /// The parameter's type.
    pub(super) ty: String,
    /// Whether that's a reference, which is what is sent; otherwise one is made.
    pub(super) is_reference: bool,
}

impl Names<'_> {
    /// A type that holds its value.
    pub(super) fn ty(&self, ty: &TypeRef) -> String {
        self.ty_in(ty, None)
    }

    /// The same in a definition, in which a type that has that one in itself is behind a pointer.
    pub(super) fn ty_in(&self, ty: &TypeRef, within: Option<u32>) -> String {
        match ty {
            TypeRef::Unit => "()".to_owned(),
            TypeRef::Bool => "bool".to_owned(),
            TypeRef::Char => "char".to_owned(),
            TypeRef::U8 => "u8".to_owned(),
            TypeRef::U16 => "u16".to_owned(),
            TypeRef::U32 => "u32".to_owned(),
            TypeRef::U64 => "u64".to_owned(),
            TypeRef::U128 => "u128".to_owned(),
            TypeRef::I8 => "i8".to_owned(),
            TypeRef::I16 => "i16".to_owned(),
            TypeRef::I32 => "i32".to_owned(),
            TypeRef::I64 => "i64".to_owned(),
            TypeRef::I128 => "i128".to_owned(),
            TypeRef::F32 => "f32".to_owned(),
            TypeRef::F64 => "f64".to_owned(),
            TypeRef::String => "String".to_owned(),
            TypeRef::Decimal => "typed::Decimal".to_owned(),
            TypeRef::Bytes => "Vec<u8>".to_owned(),
            TypeRef::Timestamp => "SystemTime".to_owned(),
            TypeRef::Duration => "Duration".to_owned(),
            TypeRef::Uuid => "typed::Uuid".to_owned(),
            TypeRef::Any => "typed::Value".to_owned(),
            TypeRef::List(item) => format!("Vec<{}>", self.ty(item)),
            TypeRef::Array(item, length) => format!("[{}; {length}]", self.ty_in(item, within)),
            TypeRef::Map(key, value) => format!("HashMap<{}, {}>", self.ty(key), self.ty(value)),
            TypeRef::Option(item) => format!("Option<{}>", self.ty_in(item, within)),
            TypeRef::Tuple(types) => {
                let inside: Vec<String> = types.iter().map(|ty| self.ty_in(ty, within)).collect();
                match &inside[..] {
                    [one] => format!("({one},)"),
                    several => format!("({})", several.join(", ")),
                }
            }
            TypeRef::Ref(number) => {
                let name = self.of(*number);
                let is_boxed = within.is_some_and(|it| it == *number || self.contains(*number, it));
                if is_boxed {
                    format!("Box<{name}>")
                } else {
                    name.to_owned()
                }
            }
            TypeRef::Object(name) => self.object(name).to_owned(),
        }
    }

    /// How a method takes a value.
    pub(super) fn lent(&self, ty: &TypeRef) -> ArgumentForm {
        let reference = |ty: String| ArgumentForm {
            ty,
            is_reference: true,
        };
        let value = |ty: String| ArgumentForm {
            ty,
            is_reference: false,
        };
        match ty {
            TypeRef::String => reference("&str".to_owned()),
            TypeRef::Bytes => reference("&[u8]".to_owned()),
            TypeRef::List(item) => reference(format!("&[{}]", self.ty(item))),
            _ if self.is_copied(ty) => value(self.ty(ty)),
            TypeRef::Option(item) => value(format!("Option<{}>", self.lent(item).ty)),
            _ => reference(format!("&{}", self.ty(ty))),
        }
    }

    fn is_copied(&self, ty: &TypeRef) -> bool {
        let inside = match ty {
            TypeRef::Option(inside) => inside,
            ty => ty,
        };
        self.is_copy(ty) && self.client_schema.types.least(inside) <= COPIED
    }

    /// Whether values are copied by themselves.
    pub(super) fn is_copy(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::String | TypeRef::Decimal | TypeRef::Bytes | TypeRef::Any => false,
            TypeRef::Object(_) | TypeRef::List(_) | TypeRef::Map(..) => false,
            TypeRef::Option(item) | TypeRef::Array(item, _) => self.is_copy(item),
            TypeRef::Tuple(types) => types.iter().all(|ty| self.is_copy(ty)),
            TypeRef::Ref(number) => self.is_copy_type(*number),
            _ => true,
        }
    }

    /// Whether a type with a name is copied by itself: those of which it's plain that it goes on to be so.
    pub(super) fn is_copy_type(&self, number: u32) -> bool {
        match self.shape(number) {
            Shape::Pod(_) => true,
            Shape::Newtype(inside) => !self.contains(number, number) && self.is_copy(inside),
            Shape::Enum(shape) => is_plain(shape),
            Shape::Record(_) | Shape::Tuple(_) => false,
        }
    }

    /// Whether values are equal to themselves, and can be keys.
    pub(super) fn is_key(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::F32 | TypeRef::F64 | TypeRef::Any | TypeRef::Object(_) => false,
            TypeRef::List(_) | TypeRef::Map(..) | TypeRef::Option(_) | TypeRef::Tuple(_) => false,
            TypeRef::Array(..) => false,
            TypeRef::Ref(number) => match self.shape(*number) {
                Shape::Newtype(inside) => !self.contains(*number, *number) && self.is_key(inside),
                Shape::Enum(shape) => is_plain(shape),
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether a type has another in itself where there's no list and no map between: then Rust wants a pointer there. What is to be looked at
    /// is in a list: types may lie in each other deeper than a stack is.
    fn contains(&self, number: u32, wanted: u32) -> bool {
        let mut seen = vec![false; self.client_schema.types.definitions().len()];
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            let mut inside: Vec<&TypeRef> = Vec::new();
            match self.shape(number) {
                Shape::Record(fields) | Shape::Pod(fields) => {
                    inside.extend(fields.iter().map(|field| &field.ty));
                }
                Shape::Newtype(ty) => inside.push(ty),
                Shape::Tuple(types) => inside.extend(types),
                Shape::Enum(shape) => {
                    for variant in &shape.variants {
                        inside.extend(variant.tuple.iter().flatten());
                        inside.extend(variant.fields.iter().flatten().map(|field| &field.ty));
                    }
                }
            }
            let before = open.len();
            inside.into_iter().for_each(|ty| named_in(ty, &mut open));
            if open[before..].contains(&wanted) {
                return true;
            }
        }
        false
    }
}

/// The types with names in a type, where there's no list and no map between.
fn named_in(ty: &TypeRef, found: &mut Vec<u32>) {
    match ty {
        TypeRef::Option(inside) | TypeRef::Array(inside, _) => named_in(inside, found),
        TypeRef::Tuple(inside) => inside.iter().for_each(|ty| named_in(ty, found)),
        TypeRef::Ref(number) => found.push(*number),
        _ => {}
    }
}
