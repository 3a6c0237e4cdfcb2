//! `#[derive(Message)]` does what serde's and schemars' own derives do, with the feature `json_schema`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use rustbridge::Message;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The same type twice: once by our derive, once by those it stands for.
macro_rules! twins {
    ($($item:item)+) => {
        mod ours {
            use super::*;
            $(#[derive(Message, Debug, PartialEq)] $item)+
        }
        mod theirs {
            use super::*;
            $(#[derive(Serialize, Deserialize, JsonSchema, Debug, PartialEq)] $item)+
        }
    };
}

twins! {
    /// A unit.
    pub struct Unit;

    pub struct Tuple(pub u8, pub String);

    #[serde(transparent)]
    pub struct Wrapper(pub Vec<u8>);

    /// Named fields with attributes.
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Named {
        /// A number.
        #[serde(alias = "old_number")]
        pub first_number: i64,
        #[serde(default)]
        pub has_default: bool,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        pub maybe: Option<String>,
        #[schemars(range(min = 1, max = 9))]
        pub bounded: u8,
        #[serde(rename = "type")]
        pub r#type: String,
        #[serde(skip)]
        pub skipped: u32,
    }

    #[serde(default)]
    pub struct Defaults {
        pub a: u32,
        pub b: String,
    }

    #[serde(tag = "kind", rename_all = "snake_case")]
    pub enum Tagged {
        First { a: u32 },
        SecondOne { b: String },
        Third,
    }

    #[serde(untagged)]
    pub enum Untagged {
        Number(u64),
        Text(String),
    }

    pub enum External {
        Unit,
        New(u32),
        Pair(u32, u32),
        Named { map: BTreeMap<String, u32> },
    }

    pub struct Known {
        pub known: u32,
    }

    #[serde(rename = "Renamed")]
    pub struct WithName {
        #[serde(flatten)]
        pub rest: Known,
    }

    pub struct Page<T> {
        pub items: Vec<T>,
        pub next: Option<Box<Page<T>>>,
    }

    pub struct Borrowed<'a> {
        #[serde(borrow)]
        pub text: Cow<'a, str>,
        pub plain: &'a str,
    }
}

impl Default for ours::Defaults {
    fn default() -> Self {
        ours::Defaults {
            a: 7,
            b: "seven".into(),
        }
    }
}

impl Default for theirs::Defaults {
    fn default() -> Self {
        theirs::Defaults {
            a: 7,
            b: "seven".into(),
        }
    }
}

/// Reads `json` as either twin and checks that they agree on what it is, how it's written, or why it isn't one.
fn agree<'a, A, B>(json: &'a str)
where
    A: Serialize + Deserialize<'a> + JsonSchema + Debug,
    B: Serialize + Deserialize<'a> + JsonSchema + Debug,
{
    match (
        serde_json::from_str::<A>(json),
        serde_json::from_str::<B>(json),
    ) {
        (Ok(a), Ok(b)) => {
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            assert_eq!(
                serde_json::to_string(&a).unwrap(),
                serde_json::to_string(&b).unwrap()
            );
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        (a, b) => panic!("{json}: {a:?} and {b:?}"),
    }
    let schema =
        |make: fn(SchemaGenerator) -> schemars::Schema| make(SchemaGenerator::default()).to_value();
    assert_eq!(
        schema(SchemaGenerator::into_root_schema_for::<A>),
        schema(SchemaGenerator::into_root_schema_for::<B>)
    );
}

#[test]
fn structs_and_enums_of_every_kind_are_read_written_and_described_alike() {
    agree::<ours::Unit, theirs::Unit>("null");
    agree::<ours::Unit, theirs::Unit>("1");
    agree::<ours::Tuple, theirs::Tuple>(r#"[1, "x"]"#);
    agree::<ours::Tuple, theirs::Tuple>("[1]");
    agree::<ours::Wrapper, theirs::Wrapper>("[1, 2]");
    for named in [
        r#"{"firstNumber": 1, "bounded": 2, "type": "t"}"#,
        r#"{"old_number": 1, "hasDefault": true, "maybe": "m", "bounded": 2, "type": "t"}"#,
        r#"{"firstNumber": 1, "bounded": 2}"#,
        r#"{"firstNumber": 1, "bounded": 2, "type": "t", "more": 1}"#,
        "[]",
    ] {
        agree::<ours::Named, theirs::Named>(named);
    }
    agree::<ours::Defaults, theirs::Defaults>("{}");
    agree::<ours::Defaults, theirs::Defaults>(r#"{"b": "x"}"#);
    for tagged in [
        r#"{"kind": "first", "a": 1}"#,
        r#"{"kind": "second_one", "b": "x"}"#,
        r#"{"kind": "third"}"#,
        r#"{"kind": "4"}"#,
    ] {
        agree::<ours::Tagged, theirs::Tagged>(tagged);
    }
    for untagged in ["1", r#""x""#, "[]"] {
        agree::<ours::Untagged, theirs::Untagged>(untagged);
    }
    for external in [
        r#""Unit""#,
        r#"{"New": 1}"#,
        r#"{"Pair": [1, 2]}"#,
        r#"{"Named": {"map": {"a": 1}}}"#,
        r#"{"New": "x"}"#,
        r#""Other""#,
    ] {
        agree::<ours::External, theirs::External>(external);
    }
    agree::<ours::WithName, theirs::WithName>(r#"{"known": 1}"#);
    agree::<ours::WithName, theirs::WithName>(r#"{"unknown": 1}"#);
}

#[test]
fn generic_and_borrowing_types_are_messages_too() {
    let page = r#"{"items": [1, 2], "next": {"items": [], "next": null}}"#;
    agree::<ours::Page<u32>, theirs::Page<u32>>(page);
    agree::<ours::Borrowed<'_>, theirs::Borrowed<'_>>(r#"{"text": "a", "plain": "b"}"#);
    agree::<ours::Borrowed<'_>, theirs::Borrowed<'_>>(r#"{"text": "a\n", "plain": "b\n"}"#);
    let borrowed: ours::Borrowed<'_> =
        serde_json::from_str(r#"{"text": "a", "plain": "b"}"#).unwrap();
    assert!(matches!(borrowed.text, Cow::Borrowed("a")));
}

#[test]
fn doc_comments_are_the_descriptions() {
    let schema: Value = SchemaGenerator::default()
        .into_root_schema_for::<ours::Named>()
        .to_value();
    assert_eq!(schema["description"], "Named fields with attributes.");
    assert_eq!(
        schema["properties"]["firstNumber"]["description"],
        "A number."
    );
    assert_eq!(schema["properties"]["bounded"]["maximum"], json!(9));
}
