//! Fields and parameters with default values.

use std::collections::BTreeMap;

use rustbridge::__private::wire::to_vec;
use rustbridge::prelude::*;
use serde_json::{Value, json};

use crate::host::Loaded;

#[derive(Clone, Copy, Debug, Default, PartialEq, Message)]
#[serde(rename_all = "snake_case")]
enum Colour {
    #[default]
    Red,
    DeepBlue,
}

#[derive(Clone, Debug, PartialEq, Message)]
#[serde(tag = "kind")]
enum Target {
    Screen,
    File {
        #[default("out.txt")]
        path: String,
    },
}

#[derive(Clone, Debug, PartialEq, Message)]
struct Layout<'a> {
    title: String,
    #[default(80)]
    width: u16,
    #[default(-9223372036854775808)]
    offset: i64,
    #[default(0.1)]
    zoom: f32,
    #[default(true)]
    numbered: bool,
    #[serde(borrow)]
    #[default("en")]
    language: std::borrow::Cow<'a, str>,
    #[default('-')]
    bullet: char,
    #[default(Colour::DeepBlue)]
    colour: Colour,
    #[default(Target::Screen)]
    target: Target,
    #[default([])]
    tags: Vec<String>,
    #[default({})]
    notes: BTreeMap<String, u32>,
    #[default(None)]
    author: Option<String>,
    #[default]
    copies: u32,
}

/// Its fields are in JSON alone.
#[derive(Debug, Message)]
#[message(json_only)]
struct Plain {
    #[default(7)]
    number: u32,
}

#[derive(Default)]
struct Printer;

#[plugin(export = false)]
impl Printer {
    pub fn layout(&self, layout: Layout<'_>) -> String {
        format!("{layout:?}")
    }

    pub fn cut(&self, text: &str, #[default(5)] limit: u32, #[default("...")] end: &str) -> String {
        let kept: String = text.chars().take(limit as usize).collect();
        kept + end
    }

    pub fn countdown(&self, #[default(3)] from: u32) -> Vec<u32> {
        (1..=from).rev().collect()
    }

    pub fn note(&self, #[default] text: Option<u32>) -> Option<u32> {
        text
    }

    pub fn plain(&self, plain: Plain) -> u32 {
        plain.number
    }
}

/// The fields of a record, by their names.
fn fields(loaded: &Loaded, name: &str) -> BTreeMap<String, Value> {
    let description = loaded.description();
    let types = description["types"].as_array().unwrap();
    let named = types.iter().find(|it| it["name"] == name).unwrap();
    let fields = named["record"].as_array().unwrap().iter();
    fields
        .map(|field| (field["name"].as_str().unwrap().to_owned(), field.clone()))
        .collect()
}

#[test]
fn absent_fields_have_the_values_that_the_author_wrote() {
    let loaded = Loaded::new::<Printer>();
    let expected = format!(
        "{:?}",
        Layout {
            title: "A".into(),
            width: 80,
            offset: i64::MIN,
            zoom: 0.1,
            numbered: true,
            language: "en".into(),
            bullet: '-',
            colour: Colour::DeepBlue,
            target: Target::Screen,
            tags: Vec::new(),
            notes: BTreeMap::new(),
            author: None,
            copies: 0,
        }
    );
    assert_eq!(loaded.json("layout", r#"{"title":"A"}"#).json(), expected);
    let mut sent = to_vec(&"A".to_owned()).unwrap();
    // The option has no byte of its own besides that of the option.
    sent.resize(sent.len() + 12, 0);
    let answer = loaded.call("layout", Encoding::Wire, &sent);
    assert_eq!(answer.status, Status::Ok, "{}", answer.text());
    assert_eq!(answer.bytes[4..], *expected.as_bytes());
    let file = r#"{"title":"A","target":{"kind":"File"},"colour":"red"}"#;
    let answer = loaded.json("layout", file);
    let text = answer.text();
    assert!(text.contains("out.txt") && text.contains("Red"), "{text}");
    assert_eq!(loaded.json("plain", "{}").json(), 7);
}

#[test]
fn parameters_may_be_absent_in_every_form_of_a_request() {
    let loaded = Loaded::new::<Printer>();
    for (request, expected) in [
        (r#"{"text":"abcdefgh"}"#, "abcde..."),
        (r#"{"text":"abcdefgh","limit":2}"#, "ab..."),
        (r#"{"text":"abcdefgh","end":"!"}"#, "abcde!"),
        // A caller that knows only the first parameter.
        (r#""abcdefgh""#, "abcde..."),
    ] {
        assert_eq!(loaded.json("cut", request).json(), expected, "{request}");
    }
    for (request, expected) in [
        ("{}", json!([3, 2, 1])),
        ("", json!([3, 2, 1])),
        ("null", json!([3, 2, 1])),
        (r#"{"from":2}"#, json!([2, 1])),
        ("1", json!([1])),
    ] {
        assert_eq!(
            loaded.json("countdown", request).json(),
            expected,
            "{request}"
        );
    }
    for (sent, expected) in [
        (vec![0], vec![3_u32, 2, 1]),
        (vec![1, 2, 0, 0, 0], vec![2, 1]),
    ] {
        let answer = loaded.call("countdown", Encoding::Wire, &sent);
        assert_eq!(answer.status, Status::Ok, "{}", answer.text());
        assert_eq!(*answer.bytes, to_vec(&expected).unwrap());
    }
}

#[test]
fn the_description_has_the_values() {
    let loaded = Loaded::new::<Printer>();
    let layout = fields(&loaded, "Layout");
    for (name, value) in [
        ("width", json!(80)),
        ("offset", json!(i64::MIN)),
        ("zoom", json!(0.1)),
        ("numbered", json!(true)),
        ("language", json!("en")),
        ("bullet", json!("-")),
        ("colour", json!("deep_blue")),
        ("target", json!("Screen")),
        ("tags", json!([])),
        ("notes", json!({})),
        ("copies", json!(0)),
    ] {
        assert_eq!(layout[name]["default"], true, "{name}");
        assert_eq!(layout[name]["default_value"], value, "{name}");
    }
    // An option is absent without one.
    assert_eq!(
        layout["author"],
        json!({"name": "author", "type": {"option": "string"}})
    );
    assert_eq!(
        fields(&loaded, "CutParameters")["end"]["default_value"],
        "..."
    );
    let countdown = loaded.described("countdown", Encoding::Wire).unwrap();
    assert_eq!(countdown["arguments"], true);
    let note = loaded.described("note", Encoding::Wire).unwrap();
    assert_eq!(note["request"]["type"], json!({"option": "u32"}));
}
