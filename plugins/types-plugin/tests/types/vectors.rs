//! `conformance/wire/vectors.json`: the bytes that the page of the wire form says, against what the derive makes.

use std::fmt::Debug;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustbridge_wire::{Decode, Encode, check, read, to_vec};
use serde::Deserialize;
use serde_json::Value;
use types_plugin::messages::*;

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    method: String,
    wire: String,
    json: Option<String>,
    #[serde(default)]
    filled: bool,
    path: Option<String>,
}

impl Vector {
    fn bytes(&self) -> Vec<u8> {
        let digits: Vec<char> = self.wire.chars().collect();
        let byte = |pair: &[char]| u8::from_str_radix(&String::from_iter(pair), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }

    /// Reads it as that type, and writes it.
    fn hold<T>(&self)
    where
        T: Encode + for<'r> Decode<'r> + for<'de> Deserialize<'de> + PartialEq + Debug,
    {
        let (name, bytes) = (&self.name, self.bytes());
        let Some(json) = &self.json else {
            let problem = read::<T>(&bytes).expect_err(name);
            assert_eq!(
                check(&T::TYPE, &bytes).as_ref(),
                Err(&problem),
                "{name}: both ways of reading"
            );
            if let Some(path) = &self.path {
                assert_eq!(problem.path(), path, "{name}: {problem}");
            }
            return;
        };
        let value: T = read(&bytes).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        assert_eq!(check(&T::TYPE, &bytes), Ok(()), "{name}");
        let said: T = serde_json::from_str(json).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(value, said, "{name}");
        for value in [value, said] {
            assert_eq!(to_vec(&value).unwrap() == bytes, !self.filled, "{name}");
        }
    }
}

#[test]
fn every_vector_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/wire/vectors.json");
    let file: File = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(file.vectors.len() > 50);
    for vector in &file.vectors {
        match vector.method.as_str() {
            "numbers" => vector.hold::<Numbers>(),
            "texts" => vector.hold::<Texts>(),
            "times" => vector.hold::<Times>(),
            "lists" => vector.hold::<Lists>(),
            "pairs" => vector.hold::<Pairs>(),
            "person" => vector.hold::<Person>(),
            "people" => vector.hold::<Page<Person>>(),
            "shape" => vector.hold::<Shape>(),
            "color" => vector.hold::<Color>(),
            "tagged" => vector.hold::<Tagged>(),
            "untagged" => vector.hold::<Untagged>(),
            "expr" => vector.hold::<Expr>(),
            "tree" => vector.hold::<Tree>(),
            "samples" => vector.hold::<Samples>(),
            "point" => vector.hold::<Point>(),
            "celsius" => vector.hold::<Celsius>(),
            "bounded" => vector.hold::<Bounded>(),
            "unit" => vector.hold::<Unit>(),
            "defaults" => vector.hold::<Defaults>(),
            "renamed" => vector.hold::<Renamed>(),
            "any" => vector.hold::<Value>(),
            "doubles" => vector.hold::<Vec<f64>>(),
            "map" => vector.hold::<std::collections::BTreeMap<String, Person>>(),
            "maybe" => vector.hold::<Option<Person>>(),
            "tuple" => vector.hold::<(u8, String, Option<bool>)>(),
            "duration" => vector.hold::<Duration>(),
            "timestamp" => vector.hold::<SystemTime>(),
            other => panic!("{}: no type is known of {other}", vector.name),
        }
    }
}
