//! Types where they are used: what Go calls them, and how they lie in its memory.

use rustbridge_description::types::{Field, Shape, TypeRef};

use super::names::{Names, TypeNames, is_interface, is_package};
use super::text::{Column, columns};
use crate::client_schema::Import;
use crate::error::Error;
use crate::source::Source;

/// The most values of a tuple without a name.
const LONGEST: usize = 12;

impl Names<'_> {
    /// A type in Go.
    pub(super) fn ty(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Unit => "struct{}".to_owned(),
            TypeRef::Bool => "bool".to_owned(),
            TypeRef::Char => "rune".to_owned(),
            TypeRef::U8 => "uint8".to_owned(),
            TypeRef::U16 => "uint16".to_owned(),
            TypeRef::U32 => "uint32".to_owned(),
            TypeRef::U64 => "uint64".to_owned(),
            TypeRef::U128 => "wire.Uint128".to_owned(),
            TypeRef::I8 => "int8".to_owned(),
            TypeRef::I16 => "int16".to_owned(),
            TypeRef::I32 => "int32".to_owned(),
            TypeRef::I64 => "int64".to_owned(),
            TypeRef::I128 => "wire.Int128".to_owned(),
            TypeRef::F32 => "float32".to_owned(),
            TypeRef::F64 => "float64".to_owned(),
            TypeRef::String => "string".to_owned(),
            TypeRef::Bytes => "[]byte".to_owned(),
            TypeRef::Timestamp => "time.Time".to_owned(),
            TypeRef::Duration => "time.Duration".to_owned(),
            TypeRef::Decimal => "wire.Decimal".to_owned(),
            TypeRef::Uuid => "wire.UUID".to_owned(),
            TypeRef::Any => "any".to_owned(),
            TypeRef::List(item) => format!("[]{}", self.ty(item)),
            TypeRef::Array(item, length) => format!("[{length}]{}", self.ty(item)),
            TypeRef::Map(key, value) => format!("map[{}]{}", self.ty(key), self.ty(value)),
            TypeRef::Option(item) => self.optional(item),
            TypeRef::Tuple(types) if types.is_empty() => "struct{}".to_owned(),
            TypeRef::Tuple(types) => {
                let inside: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
                format!("wire.Tuple{}[{}]", types.len(), inside.join(", "))
            }
            TypeRef::Ref(number) => self.of(*number).name.clone(),
            TypeRef::Object(name) => match self.callback(name) {
                Some(callback) => callback.interface.clone(),
                None => format!("*{}", self.object(name)),
            },
        }
    }

    /// Other names of the types of another client's package.
    ///
    /// # Errors
    /// If its path can't be one.
    pub(super) fn aliases(&self, out: &mut Source, import: &Import) -> Result<(), Error> {
        let path = &import.namespace;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
        let mut parts = path.split('/');
        let is_package = parts.next_back().is_some_and(is_package);
        if !is_package || !parts.all(|part| !part.is_empty() && part.chars().all(is_letter)) {
            return Err(Error::new(format_args!(
                "`{path}` can't be the path of a package in Go"
            )));
        }
        let of = self.qualifier(import);
        for &number in import.types.keys() {
            let TypeNames { name, variants } = self.of(number);
            out.gap();
            out.line(format_args!("// {name} is the type of the package {path}."));
            out.line(format_args!("type {name} = {of}.{name}"));
            match self.shape(number) {
                Shape::Enum(shape) if !is_interface(shape) && !variants.is_empty() => {
                    out.gap();
                    out.line("const (");
                    let constants = variants.iter().map(|it| Column {
                        doc: String::new(),
                        name: it.clone(),
                        ty: format!("= {of}.{it}"),
                        tag: String::new(),
                    });
                    let constants: Vec<Column> = constants.collect();
                    out.indented(|out| columns(out, &constants));
                    out.line(")");
                }
                _ => {
                    for variant in variants {
                        out.gap();
                        out.line(format_args!("// {variant} is a variant of [{name}]."));
                        out.line(format_args!("type {variant} = {of}.{variant}"));
                    }
                }
            }
        }
        Ok(())
    }

    /// A type of what may be absent: nil is absent.
    pub(super) fn optional(&self, ty: &TypeRef) -> String {
        match self.is_nilable(ty) {
            true => self.ty(ty),
            false => format!("*{}", self.ty(ty)),
        }
    }

    /// The type of a field.
    pub(super) fn field(&self, field: &Field) -> String {
        match field.default {
            true => self.optional(&field.ty),
            false => self.ty(&field.ty),
        }
    }

    /// Whether nil is none of a type's values, and yet can stand in its place.
    pub(super) fn is_nilable(&self, ty: &TypeRef) -> bool {
        let mut ty = ty;
        // New types may lie in each other.
        for _ in 0..=self.client_schema.types.definitions().len() {
            match ty {
                TypeRef::Bytes | TypeRef::List(_) | TypeRef::Map(..) | TypeRef::Object(_) => {
                    return true;
                }
                TypeRef::Ref(number) => match self.shape(*number) {
                    Shape::Enum(shape) => return is_interface(shape),
                    Shape::Newtype(inside) => ty = inside,
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Whether it's a number, or made of such, and lies in Go's memory as on the wire.
    pub(super) fn is_in_memory(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => true,
            TypeRef::I8 | TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => true,
            TypeRef::F32 | TypeRef::F64 => true,
            TypeRef::Array(item, _) => self.is_in_memory(item),
            TypeRef::Ref(number) => match self.shape(*number) {
                Shape::Pod(fields) => self.laid_out(fields).is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    /// How large fields are one after the other, and what they are aligned to, if Go leaves no gaps between them or behind them. Where
    /// numbers of eight bytes are aligned to four, there's none either.
    fn laid_out(&self, fields: &[Field]) -> Option<(u64, u64)> {
        let (mut end, mut whole) = (0, 1);
        for field in fields {
            let (size, align) = self.layout(&field.ty)?;
            if end % align != 0 {
                return None;
            }
            end += size;
            whole = whole.max(align);
        }
        (end % whole == 0).then_some((end, whole))
    }

    fn layout(&self, ty: &TypeRef) -> Option<(u64, u64)> {
        match ty {
            TypeRef::Array(item, length) => {
                let (size, align) = self.layout(item)?;
                Some((size * length, align))
            }
            TypeRef::Ref(number) => match self.shape(*number) {
                Shape::Pod(fields) => self.laid_out(fields),
                _ => None,
            },
            ty if self.is_in_memory(ty) => {
                let size = self.client_schema.types.exact(ty)?;
                // The two kinds of 128 bits are structs of two numbers.
                Some((size, size.min(8)))
            }
            _ => None,
        }
    }

    /// Looks at all types that are written without a name.
    ///
    /// # Errors
    /// If a tuple has more values than there are types for.
    pub(super) fn check(&self, tuples: impl Iterator<Item = usize>) -> Result<(), Error> {
        for count in tuples {
            if count > LONGEST {
                return Err(Error::new(format_args!(
                    "a tuple of {count} values is too long for Go, where they have {LONGEST} at most: make it a struct in the plugin"
                )));
            }
        }
        Ok(())
    }
}

/// A value as one of another type with the same memory.
pub(super) fn converted(to: &str, value: &str) -> String {
    match to.starts_with('*') {
        true => format!("({to})({value})"),
        false => format!("{to}({value})"),
    }
}
