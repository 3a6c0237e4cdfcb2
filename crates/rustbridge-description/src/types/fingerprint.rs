//! Fingerprints: whether two sides have the same types, by sixteen bytes.

use std::collections::HashMap;
use std::fmt;

use sha2::{Digest, Sha256};

use super::{Field, Shape, Table, TypeRef, Variant};

/// Says in which way the bytes below are made. Goes up when they're made in another.
const VERSION: u8 = 1;

/// What two shapes have in common exactly if their messages are laid out alike and their fields and variants have the same names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// From 32 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Fingerprint> {
        let mut bytes = [0; 16];
        if text.len() != 32 {
            return None;
        }
        for (byte, digits) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = (digit(digits[0])? * 16 + digit(digits[1])?) as u8;
        }
        Some(Fingerprint(bytes))
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The fingerprint of types that go together, in this order: a method's request, response and items, say. `what` is what they are together.
///
/// SHA-256 over what `docs/wire.md` says, cut to its first half: the types' structure, and the names of fields and variants in JSON. Not
/// in it are names of types, prose, how JSON says which variant it is, and the plugin's defaults.
#[must_use]
pub fn fingerprint<'t>(
    table: &'t Table,
    what: &str,
    types: impl IntoIterator<Item = Option<&'t TypeRef>>,
) -> Fingerprint {
    let mut canonical = Canonical {
        table,
        bytes: vec![VERSION],
        seen: HashMap::new(),
        next: Vec::new(),
    };
    canonical.text(what);
    for ty in types {
        match ty {
            Some(ty) => canonical.whole(ty),
            None => canonical.bytes.push(b'-'),
        }
    }
    let digest = Sha256::digest(&canonical.bytes);
    let mut half = [0; 16];
    half.copy_from_slice(&digest[..16]);
    Fingerprint(half)
}

/// What the digest is taken of.
struct Canonical<'t> {
    table: &'t Table,
    bytes: Vec<u8>,
    /// Types with names that have been written, in the order in which they came: the next time it's their place there.
    seen: HashMap<u32, usize>,
    /// What comes next, the last first: types may lie in each other as deep as there are types, and a stack isn't.
    next: Vec<Next<'t>>,
}

/// What is yet to be written.
enum Next<'t> {
    Type(&'t TypeRef),
    Field(&'t Field),
    Variant(&'t Variant),
}

impl<'t> Canonical<'t> {
    /// Writes a type and all that is in it.
    fn whole(&mut self, ty: &'t TypeRef) {
        self.next.push(Next::Type(ty));
        while let Some(next) = self.next.pop() {
            match next {
                Next::Type(ty) => self.ty(ty),
                Next::Field(field) => {
                    self.text(&field.name);
                    self.bytes.push(u8::from(field.default));
                    self.next.push(Next::Type(&field.ty));
                }
                Next::Variant(variant) => self.variant(variant),
            }
        }
    }

    fn ty(&mut self, ty: &'t TypeRef) {
        let letter = match ty {
            TypeRef::Unit => b'n',
            TypeRef::Bool => b'b',
            TypeRef::Char => b'c',
            TypeRef::U8 => b'0',
            TypeRef::U16 => b'1',
            TypeRef::U32 => b'2',
            TypeRef::U64 => b'3',
            TypeRef::U128 => b'4',
            TypeRef::I8 => b'5',
            TypeRef::I16 => b'6',
            TypeRef::I32 => b'7',
            TypeRef::I64 => b'8',
            TypeRef::I128 => b'9',
            TypeRef::F32 => b'f',
            TypeRef::F64 => b'd',
            TypeRef::String => b's',
            TypeRef::Decimal => b'x',
            TypeRef::Bytes => b'y',
            TypeRef::Timestamp => b't',
            TypeRef::Duration => b'u',
            TypeRef::Uuid => b'i',
            TypeRef::Any => b'*',
            TypeRef::Object(_) => b'o',
            TypeRef::List(_) => b'L',
            TypeRef::Array(..) => b'A',
            TypeRef::Map(..) => b'M',
            TypeRef::Option(_) => b'O',
            TypeRef::Tuple(_) => b'T',
            TypeRef::Ref(_) => b'R',
        };
        self.bytes.push(letter);
        match ty {
            TypeRef::Object(name) => self.text(name),
            TypeRef::List(item) | TypeRef::Option(item) => self.next.push(Next::Type(item)),
            TypeRef::Array(item, count) => {
                self.bytes.extend(count.to_le_bytes());
                self.next.push(Next::Type(item));
            }
            TypeRef::Map(key, value) => {
                self.next.push(Next::Type(value));
                self.next.push(Next::Type(key));
            }
            TypeRef::Tuple(types) => self.types(types),
            TypeRef::Ref(number) => self.named(*number),
            _ => {}
        }
    }

    fn named(&mut self, number: u32) {
        let first = self.seen.len();
        let place = *self.seen.entry(number).or_insert(first);
        self.count(place);
        if place < first {
            return;
        }
        let table = self.table;
        let Some(definition) = table.get(number) else {
            return;
        };
        match &definition.shape {
            Shape::Record(fields) => {
                self.bytes.push(b'r');
                self.fields(fields);
            }
            Shape::Pod(fields) => {
                self.bytes.push(b'p');
                self.fields(fields);
            }
            Shape::Newtype(ty) => {
                self.bytes.push(b'w');
                self.next.push(Next::Type(ty));
            }
            Shape::Tuple(types) => {
                self.bytes.push(b't');
                self.types(types);
            }
            Shape::Enum(shape) => {
                self.bytes.push(b'e');
                self.count(shape.variants.len());
                self.next
                    .extend(shape.variants.iter().rev().map(Next::Variant));
            }
        }
    }

    fn variant(&mut self, variant: &'t Variant) {
        self.text(&variant.name);
        match (&variant.tuple, &variant.fields) {
            (Some(types), _) => {
                self.bytes.push(b't');
                self.types(types);
            }
            (None, Some(fields)) => {
                self.bytes.push(b'r');
                self.fields(fields);
            }
            (None, None) => self.bytes.push(b'n'),
        }
    }

    fn fields(&mut self, fields: &'t [Field]) {
        self.count(fields.len());
        self.next.extend(fields.iter().rev().map(Next::Field));
    }

    fn types(&mut self, types: &'t [TypeRef]) {
        self.count(types.len());
        self.next.extend(types.iter().rev().map(Next::Type));
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.bytes.extend((count as u64).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Definition;

    fn table(text: &str) -> Table {
        let definitions: Vec<Definition> = serde_json::from_str(text).unwrap();
        Table::new(definitions).unwrap()
    }

    fn of(text: &str, number: u32) -> Fingerprint {
        fingerprint(&table(text), "unary", [Some(&TypeRef::Ref(number))])
    }

    #[test]
    fn types_in_each_other_take_no_stack() {
        let types = 50_000;
        let definitions = (0..types).map(|number| {
            let inside = (number + 1) % types;
            format!(
                r#"{{"name":"A","record":[{{"name":"a","type":{{"option":{{"ref":{inside}}}}}}}]}}"#
            )
        });
        let definitions: Vec<String> = definitions.collect();
        let text = format!("[{}]", definitions.join(","));
        // Of a ring, each is the beginning as well as any.
        assert_eq!(of(&text, 0), of(&text, 1));
    }

    #[test]
    fn it_is_the_same_for_what_changes_no_message() {
        let one = of(
            r#"[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":{"list":{"ref":0}}}]}]"#,
            0,
        );
        let same = of(
            r#"[{"name":"Other","doc":"Prose.","record":[{"name":"a","type":"u8","doc":"x"},{"name":"b","type":{"list":{"ref":0}}}]}]"#,
            0,
        );
        assert_eq!(same, one);
        // Its place in the table says nothing.
        let moved = of(
            r#"[{"name":"B","newtype":"u8"},{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":{"list":{"ref":1}}}]}]"#,
            1,
        );
        assert_eq!(moved, one);
    }

    #[test]
    fn it_is_another_for_what_changes_a_message_or_a_name() {
        let mut seen = std::collections::HashSet::new();
        for text in [
            r#"[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":"u8"}]}]"#,
            r#"[{"name":"A","record":[{"name":"b","type":"u8"},{"name":"a","type":"u8"}]}]"#,
            r#"[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":"i8"}]}]"#,
            r#"[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":"u8","default":true}]}]"#,
            r#"[{"name":"A","pod":[{"name":"a","type":"u8"},{"name":"b","type":"u8"}]}]"#,
            r#"[{"name":"A","record":[{"name":"a","type":"u8"}]}]"#,
            r#"[{"name":"A","record":[{"name":"a","type":{"array":["u8",2]}}]}]"#,
            r#"[{"name":"A","record":[{"name":"a","type":{"array":["u8",3]}}]}]"#,
            r#"[{"name":"A","tuple":["u8","u8"]}]"#,
            r#"[{"name":"A","newtype":{"tuple":["u8","u8"]}}]"#,
            r#"[{"name":"A","enum":{"variants":[{"name":"a"},{"name":"b"}]}}]"#,
            r#"[{"name":"A","enum":{"variants":[{"name":"b"},{"name":"a"}]}}]"#,
            r#"[{"name":"A","enum":{"variants":[{"name":"a","tuple":["u8"]},{"name":"b"}]}}]"#,
            r#"[{"name":"A","enum":{"variants":[{"name":"a","fields":[{"name":"x","type":"u8"}]},{"name":"b"}]}}]"#,
        ] {
            assert!(seen.insert(of(text, 0)), "{text}");
        }
        let table = table("[]");
        let (one, other) = (TypeRef::U8, TypeRef::String);
        assert_ne!(
            fingerprint(&table, "unary", [Some(&one), Some(&other)]),
            fingerprint(&table, "unary", [Some(&other), Some(&one)])
        );
        assert_ne!(
            fingerprint(&table, "unary", [Some(&one), None]),
            fingerprint(&table, "unary", [Some(&one)])
        );
    }

    #[test]
    fn it_is_what_it_was_and_written_as_it_is_read() {
        let known = of(
            r#"[{"name":"A","record":[{"name":"a","type":{"option":"string"}}]}]"#,
            0,
        );
        assert_eq!(
            Fingerprint::parse(known.to_string().as_bytes()),
            Some(known)
        );
        // 5 `unary` `R` 0 `r` 1, 1 `a` 0 `O` `s` behind the version, by another program.
        assert_eq!(known.to_string(), "f3ae74bbb4e2418006b2dca62e14948d");
        assert_eq!(Fingerprint::parse(b"0123"), None);
        assert_eq!(Fingerprint::parse(&[b'g'; 32]), None);
    }
}
