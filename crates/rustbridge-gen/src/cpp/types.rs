//! Types where they are used: what C++ calls them.

use rustbridge_description::types::{Shape, TypeRef};

use super::names::{Names, is_plain};

impl Names<'_> {
    /// A type in C++.
    pub(super) fn ty(&self, ty: &TypeRef) -> String {
        self.ty_within(ty, None)
    }

    /// A type as a part of that type, which may be a part of it in turn.
    pub(super) fn ty_within(&self, ty: &TypeRef, within: Option<u32>) -> String {
        match ty {
            TypeRef::Unit => "std::monostate".to_owned(),
            TypeRef::Bool => "bool".to_owned(),
            TypeRef::Char => "char32_t".to_owned(),
            TypeRef::U8 => "std::uint8_t".to_owned(),
            TypeRef::U16 => "std::uint16_t".to_owned(),
            TypeRef::U32 => "std::uint32_t".to_owned(),
            TypeRef::U64 => "std::uint64_t".to_owned(),
            TypeRef::U128 => "rustbridge::U128".to_owned(),
            TypeRef::I8 => "std::int8_t".to_owned(),
            TypeRef::I16 => "std::int16_t".to_owned(),
            TypeRef::I32 => "std::int32_t".to_owned(),
            TypeRef::I64 => "std::int64_t".to_owned(),
            TypeRef::I128 => "rustbridge::I128".to_owned(),
            TypeRef::F32 => "float".to_owned(),
            TypeRef::F64 => "double".to_owned(),
            TypeRef::String => "std::string".to_owned(),
            TypeRef::Decimal => "rustbridge::Decimal".to_owned(),
            TypeRef::Bytes => "std::vector<std::byte>".to_owned(),
            TypeRef::Timestamp => "rustbridge::Timestamp".to_owned(),
            TypeRef::Duration => "rustbridge::Duration".to_owned(),
            TypeRef::Uuid => "rustbridge::Uuid".to_owned(),
            TypeRef::Any => "rustbridge::Dynamic".to_owned(),
            TypeRef::List(item) => format!("std::vector<{}>", self.ty(item)),
            TypeRef::Array(item, length) => {
                format!("std::array<{}, {length}>", self.ty_within(item, within))
            }
            TypeRef::Map(key, value) => {
                format!("std::map<{}, {}>", self.ty(key), self.ty(value))
            }
            TypeRef::Option(item) => format!("std::optional<{}>", self.ty_within(item, within)),
            TypeRef::Tuple(types) => {
                let types: Vec<String> =
                    types.iter().map(|ty| self.ty_within(ty, within)).collect();
                format!("std::tuple<{}>", types.join(", "))
            }
            TypeRef::Ref(number) => {
                let name = &self.of(*number).name;
                match within {
                    Some(within) if self.order.is_boxed(*number, within) => {
                        format!("rustbridge::Box<{name}>")
                    }
                    _ => name.clone(),
                }
            }
            TypeRef::Object(name) => self.object(name),
        }
    }

    /// A parameter's type: what is lent to the call, in the form that takes most.
    pub(super) fn parameter(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::String => "std::string_view".to_owned(),
            TypeRef::Bytes => "std::span<const std::byte>".to_owned(),
            TypeRef::List(item) if self.is_in_memory(item) => {
                format!("std::span<const {}>", self.ty(item))
            }
            TypeRef::Option(item) if self.is_small(item) => self.ty(ty),
            ty if self.is_small(ty) => self.ty(ty),
            ty => format!("const {}&", self.ty(ty)),
        }
    }

    /// Whether values lie in C++'s memory as they cross: what `is_plain` is of their codecs.
    fn is_in_memory(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Ref(number) => matches!(self.shape(*number), Some(Shape::Pod(_))),
            TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => true,
            TypeRef::I8 | TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => true,
            TypeRef::F32 | TypeRef::F64 | TypeRef::Uuid => true,
            TypeRef::Array(item, _) => self.is_in_memory(item),
            _ => false,
        }
    }

    /// Whether a copy is no more than what refers to it.
    fn is_small(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Ref(number) => {
                matches!(self.shape(*number), Some(Shape::Enum(shape)) if is_plain(shape))
            }
            TypeRef::Bool | TypeRef::Char | TypeRef::Timestamp | TypeRef::Duration => true,
            TypeRef::Array(..) => false,
            ty => self.is_in_memory(ty),
        }
    }

    /// What a method gives.
    pub(super) fn answer(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Unit => "void".to_owned(),
            ty => self.ty(ty),
        }
    }

    pub(super) fn shape(&self, number: u32) -> Option<&Shape> {
        self.client_schema.types.get(number).map(|it| &it.shape)
    }
}
