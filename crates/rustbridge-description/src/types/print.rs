//! Types as people read them: in the words of Rust.

use super::{Table, TypeRef};

impl Table {
    /// A type for people: `list of Person`, say, is `Vec<Person>`.
    #[must_use]
    pub fn show(&self, ty: &TypeRef) -> String {
        let simple = match ty {
            TypeRef::Unit => "()",
            TypeRef::Bool => "bool",
            TypeRef::Char => "char",
            TypeRef::U8 => "u8",
            TypeRef::U16 => "u16",
            TypeRef::U32 => "u32",
            TypeRef::U64 => "u64",
            TypeRef::U128 => "u128",
            TypeRef::I8 => "i8",
            TypeRef::I16 => "i16",
            TypeRef::I32 => "i32",
            TypeRef::I64 => "i64",
            TypeRef::I128 => "i128",
            TypeRef::F32 => "f32",
            TypeRef::F64 => "f64",
            TypeRef::String => "String",
            TypeRef::Decimal => "Decimal",
            TypeRef::Bytes => "bytes",
            TypeRef::Timestamp => "timestamp",
            TypeRef::Duration => "Duration",
            TypeRef::Uuid => "Uuid",
            TypeRef::Any => "any",
            TypeRef::Object(name) => return format!("Object<{name}>"),
            TypeRef::List(item) => return format!("Vec<{}>", self.show(item)),
            TypeRef::Array(item, count) => return format!("[{}; {count}]", self.show(item)),
            TypeRef::Map(key, value) => {
                return format!("Map<{}, {}>", self.show(key), self.show(value));
            }
            TypeRef::Option(item) => return format!("Option<{}>", self.show(item)),
            TypeRef::Tuple(types) => {
                let types: Vec<String> = types.iter().map(|ty| self.show(ty)).collect();
                return match &*types {
                    [one] => format!("({one},)"),
                    types => format!("({})", types.join(", ")),
                };
            }
            TypeRef::Ref(number) => match self.get(*number) {
                Some(definition) => &definition.name,
                None => "?",
            },
        };
        simple.to_owned()
    }
}
