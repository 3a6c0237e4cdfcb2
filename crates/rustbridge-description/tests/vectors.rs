//! The vectors that the readers of every language hold to, and what holds for any text.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rustbridge_description::{Description, Entry, Error, MAX_INDEX, Method, Outline, UNARY};
use serde_json::{Value, json};

/// Each vector as file and name, the bytes given, and what is wanted.
fn vectors() -> Vec<(String, Vec<u8>, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/descriptions");
    let mut vectors = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for vector in file["vectors"].as_array().unwrap() {
            let given = if let Some(text) = vector["text"].as_str() {
                text.as_bytes().to_vec()
            } else if let Some(hex) = vector["hex"].as_str() {
                bytes(hex)
            } else {
                vector["description"].to_string().into_bytes()
            };
            let name = format!("{}: {}", path.display(), vector["name"]);
            vectors.push((name, given, vector.clone()));
        }
    }
    assert!(vectors.len() > 70, "only {} vectors", vectors.len());
    vectors
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

/// What a reader holds after passing over the entries that it can't call.
fn answer(description: &Description<'_>) -> Value {
    let mut callable = description.clone();
    for method in &mut callable.methods {
        method.entries.retain(|entry| entry.callable().is_some());
    }
    let mut answer = serde_json::to_value(&callable).unwrap();
    answer.as_object_mut().unwrap().remove("rustbridge");
    answer
}

#[test]
fn every_vector_is_read_as_it_says() {
    for (name, given, vector) in vectors() {
        let read = Description::<'_, Value>::read(&given);
        let outline = Outline::read(&given).map(|outline| outline.methods.len());
        match vector.get("refused") {
            Some(refused) => {
                let error = read.expect_err(&name);
                for says in refused["says"].as_array().unwrap() {
                    let says = says.as_str().unwrap();
                    assert!(error.to_string().contains(says), "{name}: {error}");
                }
                assert_eq!(outline, Err(error), "{name}");
            }
            None => {
                let description = read.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(answer(&description), vector["answer"], "{name}");
                assert_eq!(outline, Ok(description.methods.len()), "{name}");
                let absent = description
                    .methods
                    .iter()
                    .flat_map(|method| &method.entries);
                let absent: Vec<u32> = absent
                    .filter(|entry| entry.callable().is_none())
                    .map(|entry| entry.index)
                    .collect();
                let wanted = vector.get("absent").cloned().unwrap_or_else(|| json!([]));
                assert_eq!(json!(absent), wanted, "{name}");
            }
        }
    }
}

#[test]
fn what_is_read_is_written_as_the_same_description() {
    for (name, given, vector) in vectors() {
        if vector.get("refused").is_none() {
            let read = Description::<'_, Value>::read(&given).unwrap();
            let written = serde_json::to_vec(&read).unwrap();
            assert_eq!(Description::read(&written).unwrap(), read, "{name}");
        }
    }
}

#[test]
fn text_without_escapes_is_borrowed() {
    let description = Outline::read(br#"{"name":"p","version":"1","methods":[{"name":"m","entries":[{"index":0,"encoding":"raw","kind":"later"}]}]}"#).unwrap();
    let method = &description.methods[0];
    let entry = &method.entries[0];
    for text in [
        &description.name,
        &description.version,
        &method.name,
        &entry.encoding,
        &entry.kind,
    ] {
        assert!(matches!(text, std::borrow::Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn a_refusal_says_who_has_to_mend_what() {
    let error: Error =
        Outline::read(br#"{"name":"p","methods":[{"name":"m"},{"name":"m"}]}"#).unwrap_err();
    assert_eq!(error.what(), "two methods are called `m`");
    assert_eq!(
        error.to_string(),
        "the plugin's description can't be used: two methods are called `m`; this has to be mended in the plugin"
    );
}

#[test]
fn an_entry_is_named_with_its_kind_where_that_is_unusual() {
    let named = |kind: &'static str| {
        let entry: Entry<'_> = Entry {
            index: 0,
            kind: kind.into(),
            encoding: "json".into(),
            leaf: false,
            is_async: false,
            request: Default::default(),
            response: Default::default(),
            items: None,
            objects: false,
            arguments: false,
            parameter: "".into(),
            error: None,
            receiver: "".into(),
            class: "".into(),
            constructor: false,
            property: "".into(),
            implements: "".into(),
        };
        entry.to_string()
    };
    assert_eq!(named(UNARY), "json");
    assert_eq!(named("later"), "later in json");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        let _ = Description::<'_, Value>::read(&bytes);
    }

    #[test]
    fn a_text_with_any_one_byte_changed_gets_the_same_answer_from_both_readers(at: prop::sample::Index, byte: u8) {
        let mut text = br#"{"name":"p","later":[[{}]],"methods":[{"name":"m","id":1,"entries":[{"index":0,"encoding":"pod","leaf":true,"request":{"layout":{"size":8}}}]}]}"#.to_vec();
        let at = at.index(text.len());
        text[at] = byte;
        let whole = Description::<'_, Value>::read(&text).map(|read| answer(&read)["methods"].clone());
        let outline = Outline::read(&text);
        prop_assert_eq!(whole.is_ok(), outline.is_ok());
    }

    #[test]
    fn what_is_written_is_read_again(indexes in prop::collection::btree_map(0..=MAX_INDEX, any::<(bool, bool, String)>(), 0..40)) {
        let methods = indexes.iter().map(|(&index, (leaf, is_async, text))| Method {
            name: format!("{text}{index}").into(),
            id: Some(index),
            doc: text.into(),
            entries: vec![Entry {
                index,
                kind: UNARY.into(),
                encoding: "raw".into(),
                leaf: *leaf,
                is_async: *is_async,
                request: Default::default(),
                response: Default::default(),
                items: None,
                objects: false,
                arguments: false,
                parameter: "".into(),
                error: None,
                receiver: "".into(),
                class: "".into(),
                constructor: false,
                property: "".into(),
                implements: "".into(),
            }],
        });
        let description: Description<'_> = Description {
            abi: "1.0".into(),
            name: "p".into(),
            version: "".into(),
            description: "".into(),
            rustbridge: "".into(),
            debug: false,
            config: None,
            config_type: None,
            methods: methods.collect(),
            services: Vec::new(),
            types: None,
        };
        let text = serde_json::to_vec(&description).unwrap();
        prop_assert_eq!(Description::read(&text).unwrap(), description);
    }
}
