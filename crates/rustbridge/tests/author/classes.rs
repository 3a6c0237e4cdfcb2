//! Constructors, associated functions and properties of objects.

use std::sync::atomic::{AtomicU32, Ordering};

use rustbridge::prelude::*;
use rustbridge_core::{Encoding as Codec, Load, Object as HostReference, Plugin};
use serde_json::{Value, json};

pub struct Counter(AtomicU32);

#[object]
impl Counter {
    #[constructor]
    pub fn new(first: u32) -> Self {
        Counter(first.into())
    }

    /// Fails for odd numbers.
    #[constructor]
    #[method(name = "even")]
    pub fn new_even(first: u32, _why: &str) -> Result<Counter> {
        match first % 2 {
            0 => Ok(Counter::new(first)),
            _ => Err(Error::invalid_argument("it's odd")),
        }
    }

    #[constructor]
    pub fn like(other: Object<Counter>) -> Object<Self> {
        Object::new(Counter::new(other.value()))
    }

    /// Bytes and text are in the wire format, as for any other response that is a message.
    #[constructor]
    pub fn parse(text: &str) -> Result<Counter> {
        let first = text.parse();
        first
            .map(Counter::new)
            .map_err(|_| Error::invalid_argument("no number"))
    }

    #[method]
    pub fn largest(call: &Call<'_>) -> Result<u32> {
        call.check()?;
        Ok(u32::MAX)
    }

    #[getter]
    pub fn value(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    #[setter]
    pub fn set_value(&self, value: u32) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// For the plugin alone.
    pub fn of_nothing() -> Counter {
        Counter::new(0)
    }
}

#[derive(Default)]
pub struct Counters;

#[plugin(name = "counters", objects(Counter), export = false)]
impl Counters {
    pub fn none(&self) -> u32 {
        Counter::of_nothing().value()
    }
}

fn load() -> Load<'static> {
    // SAFETY: a plugin of ours.
    unsafe { Load::linked(rustbridge::entry_point::<Counters>(), "counters") }
}

fn made(plugin: &Plugin, name: &str, request: &str) -> HostReference {
    let method = plugin.method(name, Codec::Json).unwrap();
    let mut answer = method.with().call(request.as_bytes()).unwrap();
    answer.objects.remove(0)
}

fn value(plugin: &Plugin, counter: &HostReference) -> u32 {
    let method = plugin.method("Counter.value", Codec::Json).unwrap();
    let answer = method.with().object(counter).call(b"").unwrap();
    answer.reply.json().unwrap()
}

#[test]
fn constructors_and_associated_functions_need_no_object() {
    let plugin = load().open().unwrap();
    let counter = made(&plugin, "Counter.new", "7");
    assert_eq!(value(&plugin, &counter), 7);
    let even = made(&plugin, "Counter.even", r#"{"first": 8, "why": "so"}"#);
    assert_eq!(value(&plugin, &even), 8);
    let refused = plugin.method("Counter.even", Codec::Json).unwrap();
    let refused = refused.with().call(br#"{"first": 9, "why": "so"}"#);
    assert_eq!(refused.unwrap_err().message(), "it's odd");
    let like = plugin.method("Counter.like", Codec::Json).unwrap();
    let like = like.with().object(&even).call(b"0").unwrap();
    let set = plugin.method("Counter.set_value", Codec::Json).unwrap();
    set.with().object(&even).call(b"5").unwrap();
    assert_eq!(value(&plugin, &even), 5);
    assert_eq!(value(&plugin, &like.objects[0]), 8);
    let parse = plugin.method("Counter.parse", Codec::Wire).unwrap();
    let parsed = parse.with().call(b"\x02\0\0\0\x31\x32").unwrap();
    assert_eq!(value(&plugin, &parsed.objects[0]), 12);
    let refused = parse.with().call(b"\x01\0\0\0x").unwrap_err();
    assert_eq!(refused.message(), "no number");
    assert_eq!(&*plugin.call("Counter.largest", "").unwrap(), b"4294967295");
    assert!(plugin.method("Counter.of_nothing", Codec::Json).is_err());
}

#[test]
fn the_description_has_their_class_and_their_role() {
    let text = load().describe().unwrap();
    let description: Value = serde_json::from_str(&text).unwrap();
    let told = |name: &str| {
        let methods = description["methods"].as_array().unwrap();
        let mut named = methods.iter().filter(|method| method["name"] == name);
        let entries = named.next().unwrap()["entries"].as_array().unwrap();
        let entry = entries.iter().find(|it| it["encoding"] == "wire").unwrap();
        let parts = ["class", "constructor", "property", "receiver"];
        Value::Array(parts.map(|part| entry[part].clone()).into())
    };
    for name in ["new", "even", "like", "parse"] {
        let name = format!("Counter.{name}");
        assert_eq!(told(&name), json!(["Counter", true, null, null]));
    }
    assert_eq!(
        told("Counter.largest"),
        json!(["Counter", null, null, null])
    );
    assert_eq!(told("Counter.value"), json!([null, null, "get", "Counter"]));
    assert_eq!(
        told("Counter.set_value"),
        json!([null, null, "set", "Counter"])
    );
}
