//! What a request or a config may look like, and what is said of one that's wrong: the place in words of the caller's.

use std::collections::BTreeMap;

use rustbridge::prelude::{Encoding, Message, Status, plugin};
use serde_json::Value;

use crate::host::{Loaded, Options};

#[derive(Message, Clone)]
struct Person {
    name: String,
    #[serde(default)]
    age: u8,
}

/// A struct whose serde implementations are serde's own.
#[derive(serde::Serialize, serde::Deserialize, Clone)]
#[cfg_attr(feature = "json_schema", derive(schemars::JsonSchema))]
struct Plain {
    width: u32,
}

#[derive(Message, Clone)]
struct Place(f64, f64);

#[derive(Message, Clone)]
enum Shape {
    Circle { radius: f64 },
    Pair(u8, u8),
}

#[derive(Message, Clone)]
#[message(json_only)]
struct Group {
    people: Vec<Person>,
    #[serde(default)]
    by_key: BTreeMap<String, Option<Box<Person>>>,
    #[serde(default)]
    plain: Option<Plain>,
    #[serde(default)]
    places: Vec<Place>,
    #[serde(default)]
    tuple: Option<(u8, Person)>,
    #[serde(default)]
    shapes: Vec<Shape>,
}

#[derive(Message)]
struct Config {
    #[serde(default)]
    size: u32,
    #[serde(default)]
    pools: Vec<Person>,
}

struct Office;

#[plugin(
    name = "office",
    export = false,
    encodings(json, raw, pod, msgpack, bincode, postcard, wire)
)]
impl Office {
    pub fn create(config: Config) -> Self {
        let _ = (config.size, config.pools);
        Office
    }

    pub fn greet(&self, request: &Person) -> String {
        format!("{} of {}", request.name, request.age)
    }

    pub fn group(&self, request: Group) -> Group {
        request
    }

    pub fn nothing(&self) -> u32 {
        7
    }
}

fn office() -> Loaded {
    Loaded::with::<Office>(&Options::default())
}

/// What is said of a request that's refused, behind the name of the method.
fn refusal(method: &str, request: &str) -> (String, Value) {
    let answer = office().json(method, request);
    assert_eq!(
        answer.status,
        Status::InvalidArgument,
        "{method} {request}: {}",
        answer.text()
    );
    let payload = answer.json();
    assert_eq!(payload["type"], "rustbridge.InvalidRequest");
    let message = payload["message"].as_str().unwrap();
    let (_, problem) = message
        .split_once("doesn't match the method's type: ")
        .unwrap_or_else(|| panic!("{message}"));
    (problem.to_owned(), payload["details"]["path"].clone())
}

fn config_refusal(config: &str) -> (String, Value) {
    let options = Options {
        config,
        ..Options::default()
    };
    let answer = Loaded::try_new::<Office>(&options)
        .err()
        .unwrap_or_else(|| panic!("{config} is taken"));
    assert_eq!(answer.status, Status::InvalidArgument);
    let payload = answer.json();
    assert_eq!(payload["type"], "rustbridge.InvalidConfig");
    let message = payload["message"].as_str().unwrap();
    let (_, problem) = message
        .split_once("doesn't match the plugin's type: ")
        .unwrap_or_else(|| panic!("{message}"));
    (problem.to_owned(), payload["details"]["path"].clone())
}

#[test]
fn a_struct_is_an_object_and_never_an_array_at_any_depth() {
    let found = "expected an object, found an array";
    assert_eq!(refusal("greet", r#"["Ada"]"#), (found.into(), Value::Null));
    for (path, request) in [
        ("$.people[1]", r#"{"people":[{"name":"Ada"},["Bob"]]}"#),
        (
            "$.by_key.x",
            r#"{"people":[],"by_key":{"w":null,"x":["Ada",3]}}"#,
        ),
        (
            r#"$.by_key["a b\"c"]"#,
            r#"{"people":[],"by_key":{"a b\"c":[]}}"#,
        ),
        ("$.plain", r#"{"people":[],"plain":[1]}"#),
        ("$.tuple[1]", r#"{"people":[],"tuple":[1,["Ada"]]}"#),
        (
            "$.shapes[0].Circle",
            r#"{"people":[],"shapes":[{"Circle":[1.5]}]}"#,
        ),
    ] {
        assert_eq!(
            refusal("group", request),
            (format!("{found} at {path}"), Value::from(path)),
            "{request}"
        );
    }
    assert_eq!(config_refusal("[77]"), (found.into(), Value::Null));
    assert_eq!(
        config_refusal(r#"{"pools":[["x"]]}"#),
        (format!("{found} at $.pools[0]"), "$.pools[0]".into())
    );
}

#[test]
fn tuples_and_tuple_structs_are_arrays() {
    let request = r#"{"people":[],"by_key":{},"plain":null,"places":[[1.0,2.0]],"tuple":[1,{"name":"Ada","age":3}],"shapes":[{"Pair":[1,2]}]}"#;
    let answer = office().json("group", request);
    assert_eq!(answer.status, Status::Ok, "{}", answer.text());
    assert_eq!(answer.text(), request);
}

#[test]
fn an_error_names_the_place_by_its_path() {
    for (path, problem, request) in [
        (None, "missing field `name`", "{}"),
        (
            Some("$.name"),
            "invalid type: integer `1`, expected a string",
            r#"{"name":1}"#,
        ),
        (
            Some("$.age"),
            "invalid value: integer `256`, expected u8",
            r#"{"name":"x","age":256}"#,
        ),
    ] {
        let suffix = path.map(|path| format!(" at {path}")).unwrap_or_default();
        assert_eq!(
            refusal("greet", request),
            (format!("{problem}{suffix}"), path.into()),
            "{request}"
        );
    }
    assert_eq!(
        refusal(
            "group",
            r#"{"people":[{"name":"a"},{"name":"b"},{"age":1}]}"#
        ),
        (
            "missing field `name` at $.people[2]".into(),
            "$.people[2]".into()
        )
    );
    assert_eq!(
        config_refusal(r#"{"size":"many"}"#),
        (
            r#"invalid type: string "many", expected u32 at $.size"#.into(),
            "$.size".into()
        )
    );
}

#[test]
fn text_that_is_not_json_is_told_by_line_and_column() {
    assert_eq!(
        refusal("greet", "{\n \"name\": x}").0,
        "expected value at line 2 column 10"
    );
    assert_eq!(
        refusal("greet", r#"{"name":"x"} y"#).0,
        "trailing characters at line 1 column 14"
    );
    assert_eq!(
        config_refusal("{").0,
        "EOF while parsing an object at line 1 column 1"
    );
}

#[test]
fn a_method_without_a_request_takes_nothing_null_or_an_empty_object_alone() {
    let office = office();
    for request in ["", "null", " null\n", "{}", "{ }"] {
        let answer = office.json("nothing", request);
        assert_eq!(answer.text(), "7", "{request}");
    }
    for request in [
        r#"{"name":"Ada"}"#,
        "[]",
        "[1]",
        "1",
        "0",
        "false",
        r#""""#,
        "{} {}",
        "nul",
        " ",
    ] {
        let answer = office.json("nothing", request);
        assert_eq!(answer.status, Status::InvalidArgument, "{request:?}");
    }
    assert_eq!(
        refusal("nothing", r#"{"name":"Ada"}"#).0,
        "found an object with fields, expected nothing, `null` or `{}`, because the method takes no request"
    );
    for (request, status) in [
        (&b""[..], Status::Ok),
        (b"\xc0", Status::Ok),
        (b"\x80", Status::Ok),
        (b"\x81\xa1a\x01", Status::InvalidArgument),
        (b"\x90", Status::InvalidArgument),
        (b"\x01", Status::InvalidArgument),
    ] {
        let answer = office.call("nothing", Encoding::Msgpack, request);
        assert_eq!(answer.status, status, "{request:?}");
    }
}
