//! Tables of types become schemas, fingerprints and plans: whatever a table has in it, it's refused, or what comes of it holds together.
//!
//! The input is the table, as a program that writes it: each byte chooses what comes next, and an input that has ended chooses zeros.
#![no_main]

use std::borrow::Cow;

use rustbridge_description::types::{
    Definition, Direction, Enum, Field, Plan, Shape, Table, Tag, TypeRef, Variant, compare,
    fingerprint, schema, with_schemas,
};
use rustbridge_description::{Description, Outline};
use serde_json::{Value, json};

/// Few, so that some are the same; and with what pointers of JSON and JSON itself have another word for.
const NAMES: [&str; 8] = ["a", "b", "T", "a/b", "~", "\"", "", "ä\u{0}"];

/// How deep types without names lie in each other at most: deeper than a table may have them.
const DEEPEST: usize = 70;

struct Program<'i>(&'i [u8]);

impl Program<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    fn name(&mut self) -> Cow<'static, str> {
        NAMES[usize::from(self.byte()) % NAMES.len()].into()
    }

    fn some<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.byte() % 4;
        (0..count).map(|_| one(self)).collect()
    }

    fn ty(&mut self, depth: usize) -> TypeRef {
        use TypeRef::*;
        const LEAVES: [TypeRef; 21] = [
            Unit, Bool, Char, U8, U16, U32, U64, U128, I8, I16, I32, I64, I128, F32, F64, String,
            Bytes, Timestamp, Duration, Uuid, Any,
        ];
        let choice = self.byte();
        match choice % 32 {
            leaf @ 0..21 => LEAVES[usize::from(leaf)].clone(),
            _ if depth >= DEEPEST => Bool,
            21 => Object(self.name()),
            22 => Array(
                self.ty(depth + 1).into(),
                u64::from(self.byte()) << (choice / 4),
            ),
            23 => Map(self.ty(depth + 1).into(), self.ty(depth + 1).into()),
            24 => Option(self.ty(depth + 1).into()),
            25 => Tuple(self.some(|it| it.ty(depth + 1))),
            26 => List(self.ty(depth + 1).into()),
            // What is deep is so by few bytes.
            27 => (0..self.byte() % 64).fold(Char, |ty, _| List(ty.into())),
            28 => (0..self.byte() % 32).fold(Char, |ty, _| Option(List(ty.into()).into())),
            _ => Ref(u32::from(self.byte() % 5)),
        }
    }

    fn field(&mut self) -> Field {
        let flags = self.byte();
        Field {
            name: self.name(),
            ty: self.ty(0),
            doc: if flags & 4 == 0 { "" } else { "Prose." }.into(),
            default: flags & 1 != 0,
            flatten: flags & 2 != 0,
        }
    }

    fn variant(&mut self) -> Variant {
        let kind = self.byte();
        Variant {
            name: self.name(),
            doc: if kind & 8 == 0 { "" } else { "Prose." }.into(),
            tuple: (kind % 4 == 1).then(|| self.some(|it| it.ty(0))),
            fields: (kind % 4 == 2).then(|| self.some(Self::field)),
        }
    }

    fn definition(&mut self) -> Definition {
        let shape = match self.byte() % 6 {
            0 => Shape::Record(self.some(Self::field)),
            1 => Shape::Pod(self.some(Self::field)),
            2 => Shape::Newtype(self.ty(0)),
            3 => Shape::Tuple(self.some(|it| it.ty(0))),
            _ => Shape::Enum(Enum {
                open: self.byte() % 2 != 0,
                tag: match self.byte() % 4 {
                    0 => Tag::Outside,
                    1 => Tag::Inside(self.name()),
                    2 => Tag::Beside(self.name(), self.name()),
                    _ => Tag::None,
                },
                variants: self.some(Self::variant),
            }),
        };
        Definition {
            name: self.name(),
            doc: "".into(),
            shape,
        }
    }
}

/// Whether everything that a schema refers to is in it.
fn is_whole(schema: &Value, part: &Value) -> bool {
    match part {
        Value::Array(items) => items.iter().all(|item| is_whole(schema, item)),
        Value::Object(fields) => fields.iter().all(|(name, value)| match value.as_str() {
            Some(reference) if name == "$ref" => {
                let pointer = reference.strip_prefix('#').expect("it refers to itself");
                schema.pointer(pointer).is_some()
            }
            _ => is_whole(schema, value),
        }),
        _ => true,
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut program = Program(input);
    let definitions = program.some(Program::definition);
    let ty = program.ty(0);
    let written = json!({
        "name": "fuzz",
        "types": definitions,
        "methods": [{"name": "m", "entries": [
            {"index": 0, "encoding": "json", "request": {"type": ty}, "response": {"type": ty}},
        ]}],
    });
    let text = written.to_string();
    let described = with_schemas(text.as_bytes());
    let Ok(table) = Table::new(definitions) else {
        assert!(described.is_err(), "there is one rule");
        return;
    };
    // Of the type of a message the table says as much as of its own.
    let Ok(described) = described else {
        return;
    };
    let described = described.expect("there was no schema");
    assert!(
        Outline::read(described.as_bytes()).is_ok(),
        "hosts are given what they can read"
    );
    assert_eq!(
        with_schemas(described.as_bytes()),
        Ok(None),
        "nothing is left to be made"
    );

    let made = schema(&table, &ty);
    assert!(is_whole(&made, &made));
    let read: Description<'_, Value> = Description::read(text.as_bytes()).expect("it was read");
    let again = Table::of(&read).expect("it was used");
    assert_eq!(again.definitions(), table.definitions());
    let types = [Some(&ty), None];
    assert!(fingerprint(&table, "", types) == fingerprint(&again, "", types));
    for direction in [Direction::Request, Direction::Response] {
        let (one, other) = ((&table, &ty), (&again, &ty));
        assert!(compare(one, other, direction).is_empty());
        assert!(matches!(Plan::new(one, other, direction), Ok(None)));
    }
});
