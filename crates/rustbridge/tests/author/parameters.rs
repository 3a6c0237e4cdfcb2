//! Methods that take several parameters: a record on the way.

use rustbridge::__private::wire::to_vec;
use rustbridge::prelude::*;
use rustbridge_abi::RB_OK;
use serde_json::{Value, json};

use crate::host::Loaded;

#[derive(Message, Clone, Debug, PartialEq)]
struct Person<'a> {
    #[serde(borrow)]
    name: std::borrow::Cow<'a, str>,
    age: u32,
}

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }

    /// Whether what is lent lies in the request itself.
    pub fn lent(&self, text: &str, numbers: &[u32], bytes: &[u8], call: &Call<'_>) -> Value {
        let _ = call.check();
        json!({"text": text, "numbers": numbers, "bytes": bytes})
    }

    pub fn named(&self, r#type: u8, person: &Person<'_>, mut other: Person<'_>) -> String {
        other.age += 1;
        format!("{} {} {} {}", r#type, person.name, other.name, other.age)
    }

    /// Given back from the request's own bytes.
    pub fn first<'r>(
        &self,
        one: std::borrow::Cow<'r, str>,
        _other: u8,
    ) -> std::borrow::Cow<'r, str> {
        one
    }

    pub fn optional(&self, must: u8, may: Option<u8>) -> Vec<u8> {
        [Some(must), may].into_iter().flatten().collect()
    }

    #[method(encodings(json))]
    pub fn plain(&self, a: serde_json::Number, b: u8) -> String {
        format!("{a} {b}")
    }

    /// Lent as the whole request.
    pub fn total(&self, numbers: &[i32]) -> i64 {
        numbers.iter().copied().map(i64::from).sum()
    }

    pub fn count(&self, from: u32, to: u32) -> impl Iterator<Item = u32> {
        from..to
    }

    pub fn sum(&self, start: i64, factor: i64, items: Items<i64>) -> Result<i64> {
        let mut sum = start;
        for item in items {
            sum += factor * item?;
        }
        Ok(sum)
    }
}

#[test]
fn numbers_alone_are_lent_as_well() {
    let loaded = Loaded::new::<Hello>();
    assert_eq!(loaded.json("total", "[1,2,-5]").json(), -2);
    let sent = to_vec(&vec![1_i32, 2, -5]).unwrap();
    let answer = loaded.call("total", Encoding::Wire, &sent);
    assert_eq!(
        (answer.status, &*answer.bytes),
        (Status::Ok, &to_vec(&-2_i64).unwrap()[..])
    );
}

#[test]
fn in_json_they_are_a_record_by_name() {
    let loaded = Loaded::new::<Hello>();
    assert_eq!(loaded.json("add", r#"{"b":3,"a":-1}"#).json(), 2);
    assert_eq!(
        loaded
            .json("lent", r#"{"text":"\u00e4\n","numbers":[1],"bytes":[2,3]}"#)
            .json(),
        json!({"text": "ä\n", "numbers": [1], "bytes": [2, 3]}),
    );
    let named = r#"{"type":1,"person":{"name":"A\n","age":2},"other":{"name":"B","age":3}}"#;
    assert_eq!(loaded.json("named", named).json(), "1 A\n B 4");
    assert_eq!(loaded.json("first", r#"{"one":"1","other":2}"#).json(), "1");
    assert_eq!(loaded.json("optional", r#"{"must":1}"#).json(), json!([1]));
    assert_eq!(loaded.json("plain", r#"{"a":1,"b":2}"#).json(), "1 2");
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let loaded = Loaded::new::<Hello>();
    for (request, named) in [
        (r#"{"a":1}"#, "`b`"),
        (r#"{"a":1,"b":"x"}"#, "b"),
        ("[]", "an object"),
        ("3", "an object"),
    ] {
        let answer = loaded.json("add", request);
        assert_eq!(answer.status, Status::InvalidArgument, "{request}");
        assert!(answer.text().contains(named), "{}", answer.text());
    }
}

#[test]
fn in_the_wire_form_they_stand_one_behind_the_other() {
    let loaded = Loaded::new::<Hello>();
    let answer = loaded.call("add", Encoding::Wire, &to_vec(&(2_i64, 3_i64)).unwrap());
    assert_eq!(
        (answer.status, &*answer.bytes),
        (Status::Ok, &to_vec(&5_i64).unwrap()[..])
    );

    let sent = to_vec(&("ä", vec![7_u32, 8], vec![9_u8])).unwrap();
    let answer = loaded.call("lent", Encoding::Wire, &sent);
    assert_eq!(answer.status, Status::Ok, "{}", answer.text());

    let answer = loaded.call("add", Encoding::Wire, &[0; 15]);
    assert_eq!(answer.status, Status::InvalidArgument);
    let answer = loaded.call("add", Encoding::Wire, &[0; 17]);
    assert_eq!(answer.status, Status::InvalidArgument);
}

#[test]
fn streams_take_several_parameters_as_well() {
    let loaded = Loaded::new::<Hello>();
    let counted = loaded.start_json("count", r#"{"from":3,"to":5}"#).pending();
    counted.demand(9, 1 << 40);
    assert_eq!(counted.items(2), ["3", "4"]);
    assert_eq!(counted.wait().status, Status::Ok);

    let sum = loaded
        .start_json("sum", r#"{"start":1,"factor":10}"#)
        .pending();
    sum.push(&[b"2", b"3"]);
    sum.push_end(RB_OK, b"");
    assert_eq!(sum.wait().json(), 51);
}

#[test]
fn the_description_says_that_they_are_parameters() {
    let loaded = Loaded::new::<Hello>();
    let wire = loaded.described("add", Encoding::Wire).unwrap();
    assert_eq!(wire["arguments"], true);
    let number = wire["request"]["type"]["ref"].as_u64().unwrap() as usize;
    let definition = &loaded.description()["types"][number];
    assert_eq!(definition["name"], "AddParameters");
    let names: Vec<_> = definition["record"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(
        loaded.described("add", Encoding::Json).unwrap()["arguments"],
        true
    );
    assert!(loaded.described("plain", Encoding::Wire).is_none());
}

#[derive(Message, Debug, Default)]
#[serde(default)]
struct Filter {
    name: Option<String>,
}

/// Methods to which optional parameters were added.
#[derive(Default)]
struct Growing;

#[plugin(export = false)]
impl Growing {
    pub fn reset(&self, force: Option<bool>) -> String {
        format!("{force:?}")
    }

    pub fn commit(&self, pause_ms: u32, trial: Option<bool>) -> String {
        format!("{pause_ms} {trial:?}")
    }

    pub fn purge(&self, filter: Option<Filter>, limit: Option<u32>) -> String {
        let filter = filter.map(|it| it.name);
        format!("{filter:?} {limit:?}")
    }
}

#[test]
fn callers_that_know_fewer_parameters_go_on_and_wrong_requests_stay_wrong() {
    let loaded = Loaded::new::<Growing>();
    for (method, request, answer) in [
        ("reset", "", Some("None")),
        ("reset", "null", Some("None")),
        ("reset", "true", Some("Some(true)")),
        ("reset", "5", None),
        ("commit", "7", Some("7 None")),
        (
            "commit",
            r#"{"pause_ms":7,"trial":true}"#,
            Some("7 Some(true)"),
        ),
        ("commit", r#"{"pause_ms":7}"#, Some("7 None")),
        ("commit", r#"{"trial":true}"#, None),
        ("commit", r#"{"pause_ms":"7"}"#, None),
        ("commit", "-7", None),
        ("commit", "", None),
        ("purge", "", Some("None None")),
        ("purge", "{}", Some("None None")),
        (
            "purge",
            r#"{"filter":{"name":"a"},"limit":3}"#,
            Some("Some(Some(\"a\")) Some(3)"),
        ),
        // It names a parameter, so it isn't the first alone.
        ("purge", r#"{"limit":-1}"#, None),
        ("purge", r#"{"filter":5}"#, None),
    ] {
        let told = loaded.json(method, request);
        match answer {
            Some(answer) => assert_eq!(told.json(), answer, "{method} {request}"),
            None => assert_eq!(told.status, Status::InvalidArgument, "{method} {request}"),
        }
    }
}

#[test]
fn the_name_of_an_only_parameter_is_described() {
    let loaded = Loaded::new::<Growing>();
    let entry = loaded.described("reset", Encoding::Wire).unwrap();
    assert_eq!(entry["parameter"], "force");
    let entry = loaded.described("commit", Encoding::Wire).unwrap();
    assert_eq!(entry.get("parameter"), None);
}
