//! The JSON Schemas that types make accept what the plugin reads and writes, and refuse what lacks a field that it needs.

use std::fmt::Debug;

use jsonschema::Validator;
use proptest::prelude::*;
use rustbridge_core::{Encoding, Load};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use types_plugin::messages::*;
use types_plugin::random as values;

fn description() -> Value {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") };
    serde_json::from_str(&load.describe().unwrap()).unwrap()
}

/// An entry of a method, as hosts are told of it.
fn entry(description: &Value, method: &str, encoding: Encoding) -> Value {
    let methods = description["methods"].as_array().unwrap();
    let method = methods.iter().find(|it| it["name"] == method).unwrap();
    let entries = method["entries"].as_array().unwrap();
    let entry = entries.iter().find(|it| it["encoding"] == encoding.name());
    entry.unwrap().clone()
}

/// Everything in a value that is named, by its place: what may be left out or mayn't.
fn named(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => (0..)
            .zip(items)
            .flat_map(|(place, item)| below(&place.to_string(), item))
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| {
                let step = name.replace('~', "~0").replace('/', "~1");
                let mut all = below(&step, value);
                all.push(format!("/{step}"));
                all
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn below(step: &str, value: &Value) -> Vec<String> {
    let inside = named(value);
    inside.iter().map(|path| format!("/{step}{path}")).collect()
}

/// What's left of a value without what lies there.
fn without(value: &Value, path: &str) -> Value {
    let mut value = value.clone();
    let (of, name) = path.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/").replace("~0", "~");
    let fields = value.pointer_mut(of).and_then(Value::as_object_mut);
    fields.unwrap().remove(&name).unwrap();
    value
}

fn holds<T: Serialize + DeserializeOwned + Debug>(method: &str, schema: &Validator, value: &T) {
    // What no number of JSON's holds isn't written.
    let Ok(json) = serde_json::to_value(value) else {
        return;
    };
    assert!(schema.is_valid(&json), "{method}: {json}");
    for path in named(&json) {
        let rest = without(&json, &path);
        let read = serde_json::from_value::<T>(rest.clone());
        let said = schema.is_valid(&rest);
        assert_eq!(
            said,
            read.is_ok(),
            "{method} without {path}: {rest}: {read:?}"
        );
    }
}

macro_rules! each_type {
    ($($method:ident: $values:expr;)+) => {
        $(
            #[test]
            fn $method() {
                let entry = entry(&description(), stringify!($method), Encoding::Json);
                let schema = &entry["request"]["schema"];
                assert_eq!(schema, &entry["response"]["schema"]);
                let schema = jsonschema::validator_for(schema).unwrap();
                proptest!(ProptestConfig::with_cases(50), |(value in $values)| {
                    holds(stringify!($method), &schema, &value);
                });
            }
        )+
    };
}

mod each {
    use super::*;

    each_type! {
        numbers: values::numbers();
        texts: values::texts();
        times: values::times();
        lists: values::lists();
        pairs: values::pairs();
        person: values::person();
        people: values::page(values::person());
        shape: values::shape();
        color: values::color();
        tagged: values::tagged();
        untagged: values::untagged();
        expr: values::expr();
        tree: values::tree();
        samples: values::samples();
        point: values::point();
        defaults: values::defaults();
        renamed: values::renamed();
        any: values::json_value();
        unit: Just(Unit);
    }
}

#[test]
fn what_a_type_is_can_be_read_off_its_schema() {
    let description = description();
    let of =
        |method: &str| entry(&description, method, Encoding::Json)["request"]["schema"].clone();
    assert_eq!(
        of("person"),
        json!({
            "title": "Person",
            "description": "Somebody.",
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "What they are called."},
                "age": {"type": "integer", "format": "uint32", "minimum": 0, "description": "In years."},
                "email": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "description": "Where they can be reached.",
                },
            },
            "required": ["name", "age"],
        })
    );
    let people = of("people");
    assert_eq!(
        people["properties"]["items"]["items"]["$ref"],
        "#/$defs/Person"
    );
    assert_eq!(
        people["$defs"]["Person"]["required"],
        json!(["name", "age"])
    );
    let tree = of("tree").to_string();
    assert!(tree.contains(r##""$ref":"#""##), "{tree}");
    let wrong = |method: &str, value: Value| {
        let schema = jsonschema::validator_for(&of(method)).unwrap();
        assert!(!schema.is_valid(&value), "{method}: {value}");
    };
    wrong("person", json!({"name": 1, "age": 1}));
    wrong("person", json!({"name": "", "age": -1}));
    wrong("color", json!("blue"));
    wrong("shape", json!({"Circle": {"radius": "1"}}));
    wrong("shape", json!({"Square": {}}));
    wrong("maybe", json!(7));
    wrong("tuple", json!([1, ""]));
    wrong("map", json!({"a": {}}));
}

#[test]
fn the_wire_form_has_types_and_nothing_else() {
    let entry = entry(&description(), "person", Encoding::Wire);
    assert_eq!(entry["request"].get("schema"), None);
    assert!(entry["request"]["type"].is_object());
}
