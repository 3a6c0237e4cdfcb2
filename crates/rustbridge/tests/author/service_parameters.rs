//! Services with several parameters, in JSON and in the wire format.

use std::sync::{Arc, Mutex};

use rustbridge::prelude::*;
use rustbridge_core::{Encoding as Codec, Load, ServiceCall};
use serde_json::{Value, json};

#[derive(Clone, Debug, Message)]
pub struct Person {
    pub name: String,
}

/// In JSON.
#[service(optional)]
#[allow(dead_code, reason = "two are only described")]
pub trait Notes {
    fn write(&self, to: &Person, _lines: &[String], copies: Option<u8>) -> Result<u32>;
    fn read(&self, from: &Person) -> Result<Vec<String>>;
    fn clear(&self) -> Result<()>;
}

/// In the wire format.
#[service(encoding = "wire", optional)]
pub trait Sums {
    fn sum(&self, numbers: &[f64], name: &str, from: (u8, u8)) -> Result<f64>;
}

pub struct Writer {
    notes: NotesClient,
    sums: SumsClient,
}

#[plugin(name = "writer", services(Notes, Sums), export = false)]
impl Writer {
    pub fn create(host: Host) -> Result<Writer> {
        Ok(Writer {
            notes: host.service()?,
            sums: host.service()?,
        })
    }

    pub fn write(&self) -> Result<u32> {
        let ada = Person {
            name: "Ada".to_owned(),
        };
        self.notes.write(&ada, &["one".to_owned()], Some(2))
    }

    pub fn sum(&self) -> Result<f64> {
        self.sums.sum(&[1.5, 2.0], "some", (0, 2))
    }
}

type Heard = Arc<Mutex<Vec<Vec<u8>>>>;

fn heard(
    heard: &Heard,
    answer: &'static [u8],
) -> impl Fn(&[u8], &ServiceCall<'_>) -> Answer + use<> {
    let heard = Arc::clone(heard);
    move |request, _| {
        heard.lock().unwrap().push(request.to_vec());
        Ok(answer.to_vec())
    }
}

type Answer = std::result::Result<Vec<u8>, rustbridge_core::Error>;

fn load() -> Load<'static> {
    // SAFETY: a plugin of ours.
    unsafe { Load::linked(rustbridge::entry_point::<Writer>(), "writer") }
}

#[test]
fn in_json_they_are_an_object_by_their_names() {
    let requests = Heard::default();
    let plugin = load()
        .service("notes.write", Codec::Json, heard(&requests, b"7"))
        .open()
        .unwrap();
    assert_eq!(&*plugin.call("write", "").unwrap(), b"7");
    let request: Value = serde_json::from_slice(&requests.lock().unwrap()[0]).unwrap();
    assert_eq!(
        request,
        json!({"to": {"name": "Ada"}, "lines": ["one"], "copies": 2})
    );
}

#[test]
fn in_the_wire_format_they_are_a_record() {
    let requests = Heard::default();
    let answer = const { &4.5_f64.to_le_bytes() };
    let plugin = load()
        .service("sums.sum", Codec::Wire, heard(&requests, answer))
        .open()
        .unwrap();
    assert_eq!(&*plugin.call("sum", "").unwrap(), b"4.5");
    let mut expected = vec![2, 0, 0, 0, 0, 0, 0, 0];
    expected.extend([1.5_f64.to_le_bytes(), 2_f64.to_le_bytes()].concat());
    expected.extend(*b"\x04\0\0\0some\0\x02");
    assert_eq!(requests.lock().unwrap()[0], expected);
}

#[test]
fn the_description_has_them_as_a_record_or_as_its_schema() {
    let text = load().describe().unwrap();
    let description: Value = serde_json::from_str(&text).unwrap();
    let service = |name: &str| {
        let services = description["services"].as_array().unwrap();
        let mut named = services.iter().filter(|service| service["name"] == name);
        named.next().unwrap().clone()
    };
    let write = service("notes.write");
    assert_eq!(write["arguments"], true);
    let schema = &write["request"]["schema"];
    if cfg!(feature = "json_schema") {
        assert_eq!(schema["required"], json!(["to", "lines", "copies"]));
    } else {
        assert_eq!(schema, true);
    }
    assert_eq!(service("notes.read").get("arguments"), None);
    assert_eq!(service("notes.clear").get("arguments"), None);
    let sum = service("sums.sum");
    assert_eq!(sum["arguments"], true);
    let number = sum["request"]["type"]["ref"].as_u64().unwrap() as usize;
    let record = &description["types"][number];
    assert_eq!(record["name"], "SumsSumRequest");
    let names = record["record"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["numbers", "name", "from"]);
}
