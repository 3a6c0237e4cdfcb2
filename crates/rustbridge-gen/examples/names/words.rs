//! The names that are tried.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::positions::{of_traits, with};
use crate::{LANGUAGES, client};

/// What languages keep for themselves.
const KEPT: &str = include_str!("words.txt");

/// What a name of the sample has in it, and nothing else has.
const MARK: &str = "zq";

/// All of them, one for each way to say it: `to_string` and `toString` are one name in most languages.
pub(crate) fn all() -> Result<Vec<String>, rustbridge_gen::Error> {
    let kept = KEPT.lines().filter(|line| !line.starts_with('#'));
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |word: &str| {
        let word = word.trim_matches('_');
        let is_name = word.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if is_name {
            let one = word.replace('_', "").to_lowercase();
            words.entry(one).or_insert_with(|| word.to_owned());
        }
    };
    kept.for_each(&mut add);
    for (name, language) in LANGUAGES {
        for file in client(&sample(), language, &format!("{name}_{MARK}"))? {
            identifiers(&file.text).iter().for_each(|word| add(word));
        }
    }
    Ok(words.into_values().collect())
}

/// What a client calls its own: the names in it that aren't the sample's. Prose has names in it, too, which does no harm.
fn identifiers(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| !word.to_lowercase().contains(MARK))
        .collect()
}

/// A plugin that has one of everything.
fn sample() -> serde_json::Value {
    let reference = |number: u32| json!({"type": {"ref": number}});
    let fields = json!([
        {"name": "byte_zq", "type": "u8"}, {"name": "lists_zq", "type": {"option": {"list": "string"}}},
        {"name": "map_zq", "type": {"map": ["string", "f64"]}}, {"name": "tuple_zq", "type": {"tuple": ["u8", "string"]}},
        {"name": "array_zq", "type": {"array": ["u8", 3]}}, {"name": "bytes_zq", "type": "bytes"}, {"name": "any_zq", "type": "any"},
        {"name": "time_zq", "type": "timestamp"}, {"name": "long_zq", "type": "duration"}, {"name": "uuid_zq", "type": "uuid"},
        {"name": "char_zq", "type": "char"}, {"name": "wide_zq", "type": "i128"}, {"name": "left_zq", "type": "u16", "default": true}]);
    let data = json!([{"name": "EmptyZq"}, {"name": "FieldsZq", "fields": [{"name": "one_zq", "type": "u8"}]},
        {"name": "TupleZq", "tuple": ["u8", {"ref": 3}]}]);
    let method = |name: &str, entry: serde_json::Value| json!({"name": name, "entries": [entry]});
    let entry = |index: u32, request: u32, response: u32, kind: &str| json!({"index": index, "encoding": "wire", "kind": kind, "request": reference(request), "response": reference(response)});
    let with = |entry: serde_json::Value, more: serde_json::Value| with(entry, &more);
    let mut methods = json!([
        method(
            "fails_zq",
            with(entry(0, 0, 1, "unary"), json!({"error": reference(6)}))
        ),
        method(
            "later_zq",
            with(entry(1, 1, 2, "unary"), json!({"async": true}))
        ),
        method(
            "taken_zq",
            with(entry(2, 4, 5, "unary"), json!({"arguments": true}))
        ),
        method("pod_zq", entry(3, 7, 7, "unary")),
        method("gives_zq", entry(4, 0, 1, "server_stream")),
        method(
            "takes_zq",
            with(
                entry(5, 0, 1, "client_stream"),
                json!({"items": reference(0)})
            )
        ),
        method(
            "both_zq",
            with(
                entry(6, 0, 1, "bidi_stream"),
                json!({"items": reference(0)})
            )
        ),
        method(
            "makes_zq",
            json!({"index": 7, "encoding": "wire", "response": {"type": {"object": "ThingZq"}}})
        ),
        method(
            "ThingZq.does_zq",
            with(entry(8, 0, 1, "unary"), json!({"receiver": "ThingZq"}))
        ),
        method(
            "ThingZq.new",
            json!({"index": 9, "encoding": "wire", "class": "ThingZq", "constructor": true, "response": {"type": {"object": "ThingZq"}}})
        ),
        method(
            "ThingZq.says_zq",
            with(
                entry(10, 0, 1, "unary"),
                json!({"class": "ThingZq", "async": true})
            )
        ),
        method(
            "ThingZq.value_zq",
            json!({"index": 11, "encoding": "wire", "receiver": "ThingZq", "property": "get", "response": reference(0)})
        ),
        method(
            "ThingZq.set_value_zq",
            json!({"index": 12, "encoding": "wire", "receiver": "ThingZq", "property": "set", "request": reference(0)})
        ),
    ]);
    if let Some(methods) = methods.as_array_mut() {
        for ((name, entry), index) in of_traits("ThingZq").into_iter().zip(13..) {
            let entry = with(entry, json!({"index": index, "encoding": "wire"}));
            methods.push(method(&name, entry));
        }
    }
    json!({"name": "plugin_zq", "version": "1", "methods": methods,
    "services": [{"name": "group_zq.get_zq", "encoding": "wire", "request": reference(0), "response": reference(1)}],
    "types": [
        {"name": "RecordZq", "record": fields},
        {"name": "ChoiceZq", "enum": {"open": true, "variants": data}},
        {"name": "PlainZq", "enum": {"open": true, "variants": [{"name": "AZq"}, {"name": "BZq"}]}},
        {"name": "InsideZq", "newtype": "string"},
        {"name": "TakenZq", "record": [{"name": "left_zq", "type": "u8"}, {"name": "right_zq", "type": "string"}]},
        {"name": "TwoZq", "tuple": ["u8", "u8"]},
        {"name": "FailZq", "enum": {"variants": data}},
        {"name": "PodZq", "pod": [{"name": "one_zq", "type": "u32"}, {"name": "array_zq", "type": {"array": ["u32", 3]}}]},
    ]})
}
