//! Every type there is, through the wire form: to the plugin and back, and with bytes that are wrong.

use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::prelude::*;
use rustbridge_core::{Encoding, Load, Plugin};
use rustbridge_wire::{Decode, Encode, check, read, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use types_plugin::echoes;
use types_plugin::messages::*;
use types_plugin::random as values;

fn types() -> Plugin {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") }
        .open()
        .unwrap()
}

fn call<Q: Encode, A: for<'r> Decode<'r>>(plugin: &Plugin, method: &str, request: &Q) -> A {
    let method = plugin.method(method, Encoding::Wire).unwrap();
    let response = method.call(&to_vec(request).unwrap()).unwrap();
    read(&response).unwrap()
}

fn error<Q: Encode>(plugin: &Plugin, method: &str, request: &Q) -> String {
    let method = plugin.method(method, Encoding::Wire).unwrap();
    let error = method.call(&to_vec(request).unwrap()).unwrap_err();
    error.to_string()
}

/// To the plugin and back; and the two ways of reading agree on it.
fn there_and_back<T>(plugin: &Plugin, method: &str, value: &T)
where
    T: Encode + for<'r> Decode<'r> + PartialEq + Debug,
{
    let bytes = to_vec(value).unwrap();
    check(&T::TYPE, &bytes).unwrap();
    let method = plugin.method(method, Encoding::Wire).unwrap();
    let response = method.call(&bytes).unwrap();
    assert_eq!(&read::<T>(&response).unwrap(), value);
}

/// What JSON has of a message is the same value, for who reads it here and for the plugin's method in JSON.
fn the_same_in_json<T>(plugin: &Plugin, method: &str, value: &T)
where
    T: Encode + for<'r> Decode<'r> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let Some(json) = echoes::to_json(method, &to_vec(value).unwrap()).unwrap() else {
        // A time before 1970, which is in no other type.
        assert!(matches!(method, "every" | "times" | "timestamp"));
        return;
    };
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value, "{json}");
    let prepared = plugin.method(method, Encoding::Json).unwrap();
    let response = prepared.call(json.as_bytes()).unwrap();
    let response = std::str::from_utf8(&response).unwrap();
    let message = echoes::from_json(method, response).unwrap();
    assert_eq!(&read::<T>(&message).unwrap(), value, "{json}");
}

/// How often a test repeats something: `usual` times, or as many times that as `cargo xtask soak` says.
fn cases(usual: u32) -> ProptestConfig {
    let soak = std::env::var("RUSTBRIDGE_SOAK").map_or(1, |text| text.parse().unwrap());
    ProptestConfig::with_cases(usual * soak)
}

/// Each of the types, beside the method that gives it back.
macro_rules! each_type {
    ($($method:ident: $values:expr;)+) => {
        proptest! {
            #![proptest_config(cases(100))]
            $(
                #[test]
                fn $method(value in $values) {
                    let plugin = types();
                    there_and_back(&plugin, stringify!($method), &value);
                    the_same_in_json(&plugin, stringify!($method), &value);
                }
            )+
        }

        #[test]
        fn none_is_left_out() {
            let walked = BTreeSet::from([$(stringify!($method)),+]);
            assert_eq!(walked, echoes::NAMES.iter().copied().collect());
        }
    };
}

mod each {
    use super::*;

    each_type! {
        every: values::every();
        numbers: values::numbers();
        texts: values::texts();
        times: values::times();
        lists: values::lists();
        pairs: values::pairs();
        foreign: values::foreign();
        person: values::person();
        people: values::page(values::person());
        shape: values::shape();
        color: values::color();
        mood: values::mood();
        events: proptest::collection::vec(values::event(), 0..6);
        tagged: values::tagged();
        untagged: values::untagged();
        expr: values::expr();
        tree: values::tree();
        samples: values::samples();
        point: values::point();
        celsius: prop::num::f64::NORMAL.prop_map(Celsius);
        bounded: values::bounded();
        unit: Just(Unit);
        defaults: values::defaults();
        renamed: values::renamed();
        any: values::json_value();
        doubles: prop::collection::vec(proptest::arbitrary::any::<f64>(), 0..20);
        map: prop::collection::btree_map(proptest::arbitrary::any::<String>(), values::person(), 0..6);
        maybe: proptest::option::of(values::person());
        tuple: proptest::arbitrary::any::<(u8, String, Option<bool>)>();
        duration: proptest::arbitrary::any::<std::time::Duration>();
        timestamp: values::time();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is done to a message: both ways of reading agree whether it's right, and a fault has a place in it.
    #[test]
    fn bytes_that_are_wrong_are_refused_by_both_ways_of_reading(
        value in values::every(),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let whole = to_vec(&value).unwrap();
        let mut bytes = whole.clone();
        for (at, with) in flips {
            let at = at.index(bytes.len());
            bytes[at] = with;
        }
        agree(&bytes);
        agree(&whole[..cut.index(whole.len())]);
        let mut longer = whole;
        longer.push(0);
        prop_assert!(read::<Every>(&longer).is_err());
    }

    #[test]
    fn any_bytes_do_no_harm(bytes in any::<Vec<u8>>()) {
        agree(&bytes);
        let _ = read::<Expr>(&bytes);
        let _ = read::<Tree>(&bytes);
        let _ = read::<serde_json::Value>(&bytes);
        let _ = read::<rustbridge_wire::Value>(&bytes);
        let _ = read::<Borrowed<'_>>(&bytes);
    }
}

fn agree(bytes: &[u8]) {
    let checked = check(&<Every as rustbridge_wire::Typed>::TYPE, bytes);
    match read::<Every>(bytes) {
        Ok(_) => assert_eq!(checked, Ok(())),
        Err(problem) => {
            assert!(problem.position() <= bytes.len());
            // What a type refuses whose bytes are right, only the type knows; it may do so before what else is wrong.
            if let Err(found) = checked {
                assert!(found == problem || problem.position() <= found.position());
            }
        }
    }
}

/// Whoever walks the echoes walks every method that gives back what it gets.
#[test]
fn the_echoes_are_all_that_the_plugin_has() {
    let description: serde_json::Value = serde_json::from_str(types().describe()).unwrap();
    let echo = |method: &serde_json::Value| {
        let entries = method["entries"].as_array().unwrap();
        let entry = entries.iter().find(|entry| entry["encoding"] == "wire")?;
        let gives_back = entry["request"] == entry["response"]
            && entry["request"]["type"] != "unit"
            && entry["kind"].as_str().is_none_or(|kind| kind == "unary")
            && entry["arguments"] != true
            && entry["receiver"].is_null();
        gives_back.then(|| method["name"].as_str().unwrap().to_owned())
    };
    let methods = description["methods"].as_array().unwrap();
    let mut found: BTreeSet<String> = methods.iter().filter_map(echo).collect();
    // `person` from an `async fn`, which refuses some.
    assert!(found.remove("later"));
    assert_eq!(
        found,
        echoes::NAMES.iter().copied().map(String::from).collect()
    );
    let random = echoes::NAMES.iter().map(|name| echoes::message(name, 1));
    assert!(random.into_iter().all(|message| message.is_ok()));
    assert!(echoes::message("later", 1).is_err());
}

#[test]
fn numbers_that_arent_finite_cross_in_the_wire_form_alone() {
    let plugin = types();
    for number in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let back: Vec<f64> = call(&plugin, "doubles", &[number].as_slice());
        assert_eq!(back[0].to_bits(), number.to_bits());
        let message = to_vec(&Celsius(number)).unwrap();
        let json = echoes::to_json("celsius", &message).unwrap().unwrap();
        assert_eq!(json, "null");
        assert!(echoes::from_json("celsius", &json).is_err());
    }
}

#[test]
fn methods_do_their_work() {
    let plugin = types();
    assert_eq!(call::<_, u64>(&plugin, "length", &"häuser"), 6);
    let person = |name: &str, age| Person {
        name: name.to_owned(),
        age,
        email: None,
    };
    let people = Page {
        items: vec![person("Ada", 36), person("Grace", 85)],
        total: 2,
    };
    let oldest: Option<Person> = call(&plugin, "oldest", &people);
    assert_eq!(oldest, Some(person("Grace", 85)));
    let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(|(x, y)| Point { x, y });
    let area: f64 = call(&plugin, "area", &Shape::Polygon(square.to_vec()));
    assert_eq!(area, 4.0);
    assert!(error(&plugin, "area", &Shape::Nothing).contains("nothing has no area"));
}

#[test]
fn what_validates_in_json_validates_here() {
    let plugin = types();
    // A `Percent` is written as its byte.
    let bytes = to_vec(&(7_u8, vec![50_u8, 101])).unwrap();
    let method = plugin.method("bounded", Encoding::Wire).unwrap();
    let error = method.call(&bytes).unwrap_err();
    assert!(
        error
            .message()
            .contains("a percentage is at most 100, and 101 was found"),
        "{error}"
    );
    assert_eq!(error.details().unwrap()["path"], "all[1]");
}

#[test]
fn a_fault_is_told_with_its_place() {
    let plugin = types();
    let value = Page {
        items: vec![Person::default(), Person::default()],
        total: 1,
    };
    let mut bytes = to_vec(&value).unwrap();
    // The second person's email: behind two counts and a number.
    let at = 4 + 9 + 8;
    assert_eq!(bytes[at], 0);
    bytes[at] = 2;
    let method = plugin.method("people", Encoding::Wire).unwrap();
    let error = method.call(&bytes).unwrap_err();
    assert_eq!(error.details().unwrap()["path"], "items[1].email");
    assert_eq!(
        error.message(),
        "the wire request of `people` doesn't match the method's type: byte 21: expected 0 or 1 for an option, found 2 (items[1].email)"
    );
}

#[test]
fn what_is_left_out_has_the_plugins_default() {
    let plugin = types();
    // Four fields, none of them there.
    let method = plugin.method("defaults", Encoding::Wire).unwrap();
    let response = method.call(&[0; 4]).unwrap();
    let defaults: Defaults = read(&response).unwrap();
    assert_eq!(
        defaults,
        Defaults {
            list: vec![1, 2, 3],
            ..Defaults::default()
        }
    );
}

#[test]
fn nothing_is_allocated_on_a_claim() {
    // A list of 2^32 - 1 trees, and nothing behind it.
    let mut bytes = to_vec(&"").unwrap();
    bytes.extend(u32::MAX.to_le_bytes());
    assert!(read::<Tree>(&bytes).is_err());
    assert!(read::<Vec<f64>>(&u32::MAX.to_le_bytes()).is_err());
    assert!(read::<std::collections::BTreeMap<String, u8>>(&u32::MAX.to_le_bytes()).is_err());
}

fn chain(depth: usize) -> Expr {
    (1..depth).fold(Expr::Number(1.0), |inner, _| Expr::Negated(Box::new(inner)))
}

#[test]
fn what_is_nested_too_deep_is_neither_written_nor_read() {
    let bytes = to_vec(&chain(128)).unwrap();
    assert_eq!(read::<Expr>(&bytes).unwrap(), chain(128));
    assert_eq!(
        to_vec(&chain(129)).unwrap_err(),
        rustbridge_wire::Unwritable::TooDeep
    );
    let mut deeper = 1_u16.to_le_bytes().to_vec();
    deeper.extend(&bytes);
    let problem = read::<Expr>(&deeper).unwrap_err();
    assert!(problem.message().contains("deeper than 128"), "{problem}");
    // A long way down there's nothing to be feared.
    let endless = [1_u8, 0].repeat(1_000_000);
    assert!(read::<Expr>(&endless).is_err());
}

#[test]
fn what_lies_as_it_should_is_borrowed() {
    let borrowed = Borrowed {
        text: "text".into(),
        plain: "plain",
        bytes: b"bytes".into(),
        doubles: (&[1.0, 2.0][..]).into(),
    };
    let bytes = to_vec(&borrowed).unwrap();
    // At an address that doubles may have, whatever the vector's is.
    let mut aligned = vec![0_u64; bytes.len() / 8 + 1];
    // SAFETY: so many bytes are there.
    let room =
        unsafe { std::slice::from_raw_parts_mut(aligned.as_mut_ptr().cast::<u8>(), bytes.len()) };
    room.copy_from_slice(&bytes);
    let read_back: Borrowed<'_> = read(room).unwrap();
    assert_eq!(read_back, borrowed);
    assert!(matches!(read_back.text, std::borrow::Cow::Borrowed(_)));
    assert!(matches!(read_back.bytes, std::borrow::Cow::Borrowed(_)));
    assert!(matches!(read_back.doubles, std::borrow::Cow::Borrowed(_)));
    // Anywhere else they are copied.
    let mut shifted = vec![0_u64; bytes.len() / 8 + 2];
    // SAFETY: so many bytes are there.
    let room = unsafe {
        std::slice::from_raw_parts_mut(shifted.as_mut_ptr().cast::<u8>().add(1), bytes.len())
    };
    room.copy_from_slice(&bytes);
    let read_back: Borrowed<'_> = read(room).unwrap();
    assert_eq!(read_back, borrowed);
    assert!(matches!(read_back.doubles, std::borrow::Cow::Owned(_)));
}
