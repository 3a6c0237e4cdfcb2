//! A client of a newer version than the plugin: what only it has fails when it's used.

use rustbridge::__private::wire::{read, to_vec};
use rustbridge::Message;
use rustbridge_core::{Method, Status};
use serde_json::{Value, json};

use crate::resolved::{Client, known};

/// A person as a newer client knows them.
#[derive(Message, Debug, PartialEq)]
struct NewerPerson {
    nickname: Option<String>,
    age: u32,
    name: String,
}

#[derive(Message)]
enum NewerShape {
    Square(f64),
    Nothing,
}

#[test]
fn what_only_a_newer_client_has_is_absent_in_answers_and_fails_when_it_is_sent() {
    let client = Client::of(|text| {
        let mut newer: Value = serde_json::from_str(&known(text)).unwrap();
        for definition in newer["types"].as_array_mut().unwrap() {
            if definition["name"] == "Person" {
                let fields = definition["record"].as_array_mut().unwrap();
                fields.insert(0, json!({"name": "nickname", "type": {"option": "string"}}));
            }
            if definition["name"] == "EveryShape" {
                let variants = json!([{"name": "Square", "tuple": ["f64"]}, {"name": "Nothing"}]);
                definition["enum"]["variants"] = variants;
            }
        }
        newer.to_string()
    });
    let refused = |method: &Method, request: &[u8], path: &str| {
        let error = method.call(request).unwrap_err();
        assert_eq!(error.status(), Status::Unimplemented, "{error}");
        assert_eq!(error.type_name(), "rustbridge.NotInPlugin", "{error}");
        assert!(error.message().contains("older than the client"), "{error}");
        assert!(error.message().contains(path), "{error}");
    };
    let person = |nickname: Option<&str>| NewerPerson {
        nickname: nickname.map(str::to_owned),
        age: 36,
        name: "Ada".to_owned(),
    };
    let echo = client.method("person");
    let answer = echo.call(&to_vec(&person(None)).unwrap()).unwrap();
    assert_eq!(read::<NewerPerson>(&answer).unwrap(), person(None));
    refused(&echo, &to_vec(&person(Some("A"))).unwrap(), "nickname");

    let (mut sender, pending) = client.method("collect").send(&to_vec(&1_u64).unwrap());
    sender.send_wait(to_vec(&person(None)).unwrap()).unwrap();
    let item = to_vec(&person(Some("A"))).unwrap();
    let at_once = sender.send_wait(item).unwrap_err();
    // Neither finished nor dropped: it ends all the same.
    let answer = pending.wait().unwrap_err();
    for error in [at_once, answer] {
        assert_eq!(error.status(), Status::Unimplemented, "{error}");
        assert_eq!(error.type_name(), "rustbridge.NotInPlugin", "{error}");
        assert!(error.message().contains("nickname"), "{error}");
    }

    let shape = client.method("shape");
    assert!(shape.call(&to_vec(&NewerShape::Nothing).unwrap()).is_ok());
    refused(&shape, &to_vec(&NewerShape::Square(1.0)).unwrap(), "Square");
}
