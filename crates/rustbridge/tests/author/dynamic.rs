//! Dynamic values that borrow from the request: the same on the way as those that don't.

use std::borrow::Cow;
use std::path::Path;
use std::{fs, thread};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use rustbridge::__private::wire::{Value, read, to_vec};
use rustbridge::Dynamic;
use rustbridge::prelude::*;
use serde_json::json;

use crate::host::Loaded;

/// Values with a name.
#[derive(Message, Debug, PartialEq)]
struct Named<'a> {
    name: &'a str,
    #[serde(borrow)]
    value: Dynamic<'a>,
}

#[derive(Default)]
struct Echo;

#[plugin(name = "echo", export = false)]
impl Echo {
    /// Gives back what it's sent.
    #[method(leaf)]
    pub fn any<'a>(&self, request: Dynamic<'a>) -> Dynamic<'a> {
        request
    }

    /// The value by itself.
    pub fn named<'a>(&self, request: Named<'a>) -> Dynamic<'a> {
        request.value
    }

    /// As those do that keep what they get.
    pub fn kept(&self, request: serde_json::Value) -> serde_json::Value {
        request
    }

    /// The first text, or nothing.
    pub fn first<'a>(&self, values: Vec<Dynamic<'a>>, otherwise: &'a str) -> Dynamic<'a> {
        let is_text = |value: &Dynamic<'_>| matches!(value, Dynamic::String(_));
        values.into_iter().find(is_text).unwrap_or(otherwise.into())
    }
}

fn wire(plugin: &Loaded, method: &str, request: &[u8]) -> (Status, Vec<u8>) {
    let answer = plugin.call(method, Encoding::Wire, request);
    (answer.status, answer.bytes)
}

#[test]
fn every_vector_of_a_dynamic_value_holds() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/wire/vectors.json");
    let vectors: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let plugin = Loaded::new::<Echo>();
    let (mut held, mut refused) = (0, 0);
    for vector in vectors["vectors"].as_array().unwrap() {
        if vector["method"] != "any" {
            continue;
        }
        let digits = vector["wire"].as_str().unwrap().as_bytes().chunks(2);
        let bytes: Vec<u8> = digits
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        let (status, answer) = wire(&plugin, "any", &bytes);
        let Some(text) = vector["json"].as_str() else {
            assert_eq!(status, Status::InvalidArgument, "{vector}");
            refused += 1;
            continue;
        };
        assert_eq!((status, answer), (Status::Ok, bytes.clone()), "{vector}");
        assert_eq!(plugin.json("any", text).text(), text);
        let value: Dynamic<'_> = read(&bytes).unwrap();
        assert_eq!(value, serde_json::from_str(text).unwrap());
        held += 1;
    }
    assert!(held > 0 && refused > 0, "{held}, {refused}");
}

#[test]
fn it_is_described_as_those_that_are_kept() {
    let plugin = Loaded::new::<Echo>();
    for encoding in [Encoding::Wire, Encoding::Json] {
        let described = |method| plugin.described(method, encoding).unwrap();
        for side in ["request", "response"] {
            assert_eq!(described("any")[side], described("kept")[side]);
            assert_eq!(described("any")[side]["type"], "any");
        }
    }
}

#[test]
fn texts_and_bytes_are_those_of_the_message() {
    fn is_inside(inner: &[u8], outer: &[u8]) -> bool {
        outer.as_ptr_range().contains(&inner.as_ptr())
    }
    let written = to_vec(&Value::Map(vec![
        ("text".to_owned(), Value::String("two".to_owned())),
        ("bytes".to_owned(), Value::Bytes(vec![1, 2])),
    ]));
    let bytes = written.unwrap();
    let Dynamic::Map(pairs) = read(&bytes).unwrap() else {
        panic!("a map was written");
    };
    let [(name, Dynamic::String(text)), (_, Dynamic::Bytes(inner))] = &*pairs else {
        panic!("{pairs:?}");
    };
    assert!(is_inside(name.as_bytes(), &bytes) && is_inside(text.as_bytes(), &bytes));
    assert!(is_inside(inner, &bytes));

    let json = r#"{"plain":"two","es\"caped":"t\two"}"#;
    let Dynamic::Map(pairs) = serde_json::from_str(json).unwrap() else {
        panic!("a map was written");
    };
    assert!(matches!(
        &*pairs,
        [
            (
                Cow::Borrowed("plain"),
                Dynamic::String(Cow::Borrowed("two"))
            ),
            (Cow::Owned(_), Dynamic::String(Cow::Owned(_)))
        ]
    ));
}

#[test]
fn an_answer_may_be_a_part_of_the_request() {
    let plugin = Loaded::new::<Echo>();
    let answer = plugin.json("named", r#"{"name":"a","value":["b",{"c":1.5}]}"#);
    assert_eq!(answer.text(), r#"["b",{"c":1.5}]"#);
    let answer = plugin.json("first", r#"{"values":[1,"two"],"otherwise":"none"}"#);
    assert_eq!(answer.text(), r#""two""#);
    let none: (Vec<Dynamic<'_>>, &str) = (vec![1.into(), Dynamic::Null], "none");
    let (status, answer) = wire(&plugin, "first", &to_vec(&none).unwrap());
    assert_eq!(status, Status::Ok);
    assert_eq!(read::<Dynamic<'_>>(&answer).unwrap(), "none".into());
}

#[test]
fn of_a_name_that_occurs_several_times_in_json_the_last_value_counts_as_in_a_value() {
    let plugin = Loaded::new::<Echo>();
    let answer = plugin.json("any", r#"{"a":1,"b":2,"a":3}"#);
    assert_eq!(answer.text(), r#"{"a":3,"b":2}"#);
    let many: Vec<String> = (0..40).map(|number| format!("\"{number}\":0")).collect();
    let text = format!("{{{}}}", many.join(","));
    assert_eq!(plugin.json("any", &text).text(), text);
    let twice = text.replace("\"39\":0", "\"7\":1");
    let once = text.replace("\"7\":0", "\"7\":1").replace(",\"39\":0", "");
    assert_eq!(plugin.json("any", &twice).text(), once);
    let by_value: serde_json::Value = serde_json::from_str(&twice).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&once).unwrap(),
        by_value
    );
}

#[test]
fn numbers_have_one_form_each() {
    assert_eq!(Dynamic::from(7_u64), Dynamic::Int(7));
    assert_eq!(Dynamic::from(u64::MAX), Dynamic::Uint(u64::MAX));
    assert_eq!(Dynamic::from(json!(u64::MAX)), Dynamic::Uint(u64::MAX));
    assert_eq!(Dynamic::from(json!(-1)), Dynamic::Int(-1));
    let bytes = to_vec(&Dynamic::Uint(7)).unwrap();
    assert_eq!(read::<Dynamic<'_>>(&bytes).unwrap(), Dynamic::Int(7));
}

#[test]
fn it_is_nested_no_deeper_than_there_is_room_for() {
    let run = || {
        let plugin = Loaded::new::<Echo>();
        for levels in [100, 129, 10_000] {
            let message = [[8_u8, 1, 0, 0, 0].repeat(levels), vec![0]].concat();
            let text = "[".repeat(levels) + &"]".repeat(levels);
            let (status, answer) = wire(&plugin, "any", &message);
            let in_json = plugin.json("any", &text);
            if levels > 128 {
                assert_eq!(status, Status::InvalidArgument, "{levels}");
                assert_eq!(in_json.status, Status::InvalidArgument);
            } else if status == Status::Ok {
                assert_eq!(answer, message);
            }
        }
    };
    // Where there's little, it may be refused sooner. Each way of ending is fine, but for the process's.
    for stack_size in [256 << 10, 8 << 20] {
        let thread = thread::Builder::new().stack_size(stack_size);
        thread.spawn(run).unwrap().join().unwrap();
    }
}

/// Any value, of all kinds that JSON has, if not `with_bytes`.
fn value(with_bytes: bool) -> impl Strategy<Value = Value> {
    let bytes = if with_bytes {
        any::<Vec<u8>>().prop_map(Value::Bytes).boxed()
    } else {
        Just(Value::Null).boxed()
    };
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (1 + i64::MAX as u64..).prop_map(Value::Uint),
        any::<f64>().prop_map(Value::Float),
        any::<String>().prop_map(Value::String),
        bytes,
    ];
    leaf.prop_recursive(4, 60, 20, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..20).prop_map(Value::List),
            btree_map(any::<String>(), inner, 0..20)
                .prop_map(|pairs| Value::Map(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn it_writes_what_it_read(value in value(true)) {
        let bytes = to_vec(&value).unwrap();
        let lent: Dynamic<'_> = read(&bytes).unwrap();
        prop_assert_eq!(&to_vec(&lent).unwrap(), &bytes);
        let owned = lent.clone().into_owned();
        prop_assert_eq!(&owned, &lent);
        drop(bytes);
        prop_assert_eq!(read::<Value>(&to_vec(&owned).unwrap()).unwrap(), value);
    }

    #[test]
    fn it_is_in_json_what_serde_json_makes_of_it(value in value(false)) {
        let bytes = to_vec(&value).unwrap();
        let kept: serde_json::Value = read(&bytes).unwrap();
        let lent: Dynamic<'_> = read(&bytes).unwrap();
        prop_assert_eq!(serde_json::to_value(&lent).unwrap(), kept.clone());
        let text = kept.to_string();
        prop_assert_eq!(serde_json::from_str::<Dynamic<'_>>(&text).unwrap(), Dynamic::from(kept));
    }

    #[test]
    fn it_is_refused_where_others_are(value in value(true), position: prop::sample::Index, byte: u8, cut: prop::sample::Index) {
        let mut bytes = to_vec(&value).unwrap();
        let position = position.index(bytes.len());
        bytes[position] = byte;
        bytes.truncate(1 + cut.index(2 * bytes.len()));
        match (read::<Value>(&bytes), read::<Dynamic<'_>>(&bytes)) {
            (Ok(value), Ok(lent)) => prop_assert_eq!(to_vec(&value).unwrap(), to_vec(&lent).unwrap()),
            (Err(one), Err(other)) => prop_assert_eq!(one.to_string(), other.to_string()),
            (one, other) => prop_assert!(false, "{:?}, {:?}", one, other),
        }
    }
}
