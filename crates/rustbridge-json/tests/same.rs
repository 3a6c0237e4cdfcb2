//! Reading and writing are serde_json's: the same values, the same texts, the same errors.

mod types;

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use rustbridge_json::{Reader, from_slice, to_vec};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use types::{
    Every, New, Shape, Strict, Tagged, Two, Unit, Untagged, all_same, read_same, write_same,
};

/// Reads it without asking serde_json. A doubt that another test shows meanwhile makes the reader doubt this, too, so it's tried again.
fn surely<T: DeserializeOwned>(text: &str) -> T {
    for _ in 0..1000 {
        let mut reader = Reader::new(text.as_bytes());
        let read = T::deserialize(&mut reader).ok();
        if let (Some(value), Ok(())) = (read, reader.end()) {
            return value;
        }
    }
    panic!("a doubt about {text}");
}

fn every() -> Every {
    Every {
        flag: true,
        i8: i8::MIN,
        i16: i16::MIN,
        i32: i32::MIN,
        i64: i64::MIN,
        i128: i128::MIN,
        u8: u8::MAX,
        u16: u16::MAX,
        u32: u32::MAX,
        u64: u64::MAX,
        u128: u128::MAX,
        f32: 0.1,
        f64: -1.25e-300,
        letter: '\u{1d11e}',
        text: "\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}\u{e9}\u{20ac}\u{1d11e} and some more plain text"
            .into(),
        maybe: Some(Box::default()),
        // `null`, so that it's read as none.
        unit: None,
        new: Some(New("new".into())),
        two: Some(Two(-5, '"')),
        tuple: (7, "tuple".into(), None),
        doubles: vec![
            0.0,
            -0.0,
            1.5,
            1e22,
            1e23,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            0.3,
        ],
        wholes: vec![0, -1, i64::MAX],
        shapes: vec![
            Shape::Nothing,
            Shape::Circle(2.0),
            Shape::Pair(-1, 1),
            Shape::Named {
                label: "l".into(),
                sides: None,
            },
        ],
        tagged: Some(Tagged::Node {
            children: vec![Tagged::Leaf],
            weight: 16_777_217.0,
        }),
        untagged: Some(Untagged::Table(BTreeMap::from([
            (
                "a".into(),
                Untagged::List(vec![Untagged::Flag(false), Untagged::Whole(-3)]),
            ),
            ("b".into(), Untagged::Number(0.5)),
        ]))),
        of_numbers: BTreeMap::from([(-7, 1), (8, 2)]),
        of_flags: BTreeMap::from([(true, Value::Null), (false, "x".into())]),
        of_letters: BTreeMap::from([('\n', ()), ('z', ())]),
        value: serde_json::json!({"a": [1, 2.5, null, true, {"": ""}], "b": -1}),
        named: Some("named".into()),
        rest: BTreeMap::from([("more".into(), serde_json::json!([{}, []]))]),
        ..Every::default()
    }
}

#[test]
fn a_value_of_every_kind_is_written_as_serde_json_does_and_read_without_a_doubt() {
    let value = every();
    let text = String::from_utf8(write_same(&value).unwrap()).unwrap();
    assert_eq!(surely::<Every>(&text), value);
    assert_eq!(
        surely::<Every>(&serde_json::to_string_pretty(&value).unwrap()),
        value
    );
    all_same(text.as_bytes());
}

#[test]
fn whatever_one_byte_is_changed_to_both_say_the_same() {
    whatever_is_changed(
        r#"{"u128":5,"text":"x\u00e9","list":[1,2],"shape":{"Pair":[1,2]},"why":300,"up_to":[[1],[300]],"without":[1,"x",3],"any":[{}],"flag":true}"#,
    );
    whatever_is_changed(
        r#"{"flag":true,"i8":-1,"f64":1.5e3,"text":"a\n\u00e9\ud834\udd1e","two":[1,"x"],"shapes":["Nothing",{"Pair":[1,2]}],"of_numbers":{"1":2},"x":{"y":[null,{}]}}"#,
    );
}

fn whatever_is_changed(text: &str) {
    all_same(text.as_bytes());
    for place in 0..text.len() {
        for byte in *b"\"\\{}[]:,0-.eEtfnu \n\0\x1f\x80\xc3/9+" {
            let mut changed = text.as_bytes().to_vec();
            changed[place] = byte;
            all_same(&changed);
        }
        let mut shorter = text.as_bytes().to_vec();
        shorter.remove(place);
        all_same(&shorter);
        all_same(&text.as_bytes()[..place]);
    }
}

#[test]
fn who_goes_on_after_an_error_comes_to_where_serde_json_comes() {
    for text in [
        r#"[1,"x",3]"#,
        "[1,true,3]",
        "[[1],[300],[2]]",
        r#"["Nothing","x",{"Pair":[1,300]},{"Circle":1}]"#,
        "[01]",
        "[1,01]",
        "[-]",
        "[1e]",
        "[1,",
        "[",
        r#"{"u128":-5,"flag":true}"#,
        r#"{"u128":1.5,"flag":true}"#,
        r#"{"i128":1.5,"flag":true}"#,
        r#"{"f32":-,"flag":true}"#,
        r#"{"any":01,"flag":true}"#,
        r#"{"any":[01}"#,
        r#"{"text":"\ud800}"#,
        r#"{"text":"\u}    "#,
        r#"{"tuple":[1,2,"flag":true}"#,
        r#"{"why":300}"#,
        r#"{"why_map":{"a":300,"b":"x"}}"#,
        r#"{"up_to":[[1],[300],[2]],"without":[1,"x",3,null,4],"without_texts":["a",1,"b"],"without_shapes":["Nothing",{"Circle":1},"D"]}"#,
        r#"{"owned":"a\n"}"#,
        r#"{"owned":"a"}"#,
        r#"{"inner":{"why":-1,"list":[1,2,300]},"map":{"1":300},"shape":{"Pair":[1]}}"#,
    ] {
        all_same(text.as_bytes());
    }
    all_same(b"{\"bytes\":\"\xff\",\"flag\":true}");
    let deep = "[".repeat(128) + &"]".repeat(127);
    all_same(deep.as_bytes());
    all_same(format!("{{\"up_to_values\":{deep}}}").as_bytes());
    all_same(format!("[{}1", r#"{"A":300},"#.repeat(300)).as_bytes());
}

#[test]
fn numbers_are_read_alike_up_to_their_limits() {
    for text in [
        "0",
        "-0",
        "00",
        "-",
        "-01",
        "1.",
        ".5",
        "1.5",
        "-1.5",
        "1e5",
        "1E+5",
        "1e-5",
        "1e",
        "1e+",
        "0e0",
        "-0.0",
        "0.1",
        "1e400",
        "-1e400",
        "1e-400",
        "9007199254740992.5",
        "9007199254740993",
        "9007199254740993.0",
        "123456789012345678.9",
        "1234567890123456789.5",
        "0.1234567890123456789",
        "0.30000000000000004",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "-18446744073709551615",
        "-18446744073709551616",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999",
        "340282366920938463463374607431768211455",
        "-170141183460469231731687303715884105728",
        "16777217",
        "16777217.0",
        "16777216.99999999999999999999",
        "3.4028235e38",
        "3.4028236e38",
        "1e39",
        "7.006492321624085e-46",
        "8.5e-45",
        "2.2250738585072011e-308",
        "1.7976931348623159e308",
        "0.000000000000000000000000000001",
        "100000000000000000000000000000.0",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0e99999999999999999999",
    ] {
        for text in [
            text.to_owned(),
            format!(" {text}\n"),
            format!("[{text}, {text}]"),
            format!("{{\"1\": {text}}}"),
        ] {
            all_same(text.as_bytes());
            let bytes = text.as_bytes();
            read_same::<f32>(bytes);
            read_same::<f64>(bytes);
            read_same::<i8>(bytes);
            read_same::<u32>(bytes);
            read_same::<i64>(bytes);
            read_same::<u64>(bytes);
            read_same::<i128>(bytes);
            read_same::<u128>(bytes);
            read_same::<(f32, f32)>(bytes);
            read_same::<Vec<i128>>(bytes);
            read_same::<Vec<u64>>(bytes);
            read_same::<BTreeMap<u8, f32>>(bytes);
        }
        read_same::<BTreeMap<i64, ()>>(format!("{{\"{text}\": null}}").as_bytes());
        read_same::<BTreeMap<u128, ()>>(format!("{{\"{text}\": null}}").as_bytes());
        read_same::<BTreeMap<i32, ()>>(format!("{{\" {text}\": null}}").as_bytes());
        read_same::<BTreeMap<i32, ()>>(format!("{{\"{text} \": null}}").as_bytes());
    }
}

#[test]
fn texts_are_read_alike() {
    for text in [
        r#""""#,
        r#""a"#,
        r#"""#,
        r#""\""#,
        r#""\"""#,
        r#""\x""#,
        r#""\u12""#,
        r#""\u12g4""#,
        r#""\u+123""#,
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud800\ud800""#,
        r#""\ud800\n""#,
        r#""\uD834\uDD1E""#,
        r#""\ud834\udd1""#,
        r#""\u0000""#,
        r#""\/\b\f\n\r\t""#,
        "\"\u{1f}\"",
        "\"\n\"",
        "\"\u{7f}\u{20ac}\"",
        r#""0123456789abcdef0123456789abcdef\u00e9""#,
    ] {
        all_same(text.as_bytes());
        all_same(format!("{{{text}: {text}, \"text\": {text}, \"plain\": {text}}}").as_bytes());
        read_same::<char>(text.as_bytes());
        read_same::<types::Bytes>(text.as_bytes());
    }
    for bad in [
        &b"\"\xff\""[..],
        b"\"\xc3\"",
        b"\"\xed\xa0\x80\"",
        b"\"\\n\xff\"",
        b"\"0123456789abcde\xe2\x82\"",
        b"[\"\xff\"]",
        b"{\"x\":\"\xff\"}",
    ] {
        all_same(bad);
        read_same::<types::Bytes>(bad);
    }
}

#[test]
fn nesting_ends_where_it_does_in_serde_json() {
    for depth in [1, 60, 62, 63, 64, 65, 126, 127, 128, 129, 10_000] {
        let lists = "[".repeat(depth) + &"]".repeat(depth);
        let objects = "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
        let mixed = "[{\"a\":".repeat(depth / 2) + "1" + &"}]".repeat(depth / 2);
        for text in [&lists, &objects, &mixed] {
            read_same::<IgnoredAny>(text.as_bytes());
            read_same::<Value>(text.as_bytes());
            read_same::<types::One>(format!("{{\"x\": {text}, \"one\": 1}}").as_bytes());
            read_same::<IgnoredAny>(&text.as_bytes()[..text.len() - 1]);
        }
    }
    surely::<Value>(&("[".repeat(127) + &"]".repeat(127)));
}

#[test]
fn what_is_passed_over_is_looked_at() {
    for text in [
        "[]",
        "{}",
        "[1]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\":1,}",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{1:2}",
        "[}",
        "{]",
        "[{]}",
        "[1}",
        "{\"a\":1]",
        "[[],{},[[]],{\"a\":{}}]",
        " [ 1 , { \"a\" : [ ] } ] ",
        "nul",
        "null",
        "nullx",
        "truefalse",
        "[true,false,null]",
        "\"\\u00zz\"",
        "\"\\ud800\"",
        "[1.]",
        "[01]",
        "[-]",
        "[1e]",
        "]",
        "}",
        ",",
        "1,2",
        "",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,\"a\":2}",
        "[1]]",
        "[[1]",
        "{\"a\":[1,{\"b\":2},3],\"c\":\"d\"}",
    ] {
        read_same::<IgnoredAny>(text.as_bytes());
        read_same::<types::One>(format!("{{\"x\":{text}}}").as_bytes());
        all_same(text.as_bytes());
    }
    surely::<IgnoredAny>(
        " [ 1 , { \"a\" : [ ] , \"b\\n\": \"\u{20ac}\" } , -1.5e3 , null , true , false ] ",
    );
}

#[test]
fn raw_values_and_keys_that_are_no_texts_are_what_they_are_to_serde_json() {
    write_same(&HashMap::from([(1.5_f64.to_bits(), 1)]));
    write_same(&BTreeMap::from([(Some("some"), 1)]));
    write_same(&BTreeMap::from([(None::<&str>, 1)]));
    write_same(&BTreeMap::from([((1, 2), 1)]));
    write_same(&BTreeMap::from([(vec![1], 1)]));
    write_same(&BTreeMap::from([((), 1)]));
    write_same(&Unit);
    write_same(&BTreeMap::from([(u128::MAX, i128::MIN)]));

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    enum Key {
        Unit,
        Newtype(u8),
        Struct { a: u8 },
    }
    write_same(&BTreeMap::from([(Key::Unit, 1)]));
    write_same(&BTreeMap::from([(Key::Newtype(1), 1)]));
    write_same(&BTreeMap::from([(Key::Struct { a: 1 }, 1)]));

    struct Floats(f64, f32);
    impl Serialize for Floats {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([(self.0, self.1)])
        }
    }
    for value in [1.0, 0.1, f64::NAN, f64::INFINITY] {
        write_same(&Floats(value, value as f32));
        write_same(&value);
        write_same(&(value as f32));
    }

    /// What serde_json's own type does.
    struct Raw(&'static str);
    impl Serialize for Raw {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeStruct as _;
            let mut text = serializer.serialize_struct("$serde_json::private::RawValue", 1)?;
            text.serialize_field("$serde_json::private::RawValue", self.0)?;
            text.end()
        }
    }
    assert_eq!(
        to_vec(&vec![Raw("{\"a\": 1}"), Raw("[]")]).unwrap(),
        b"[{\"a\": 1},[]]"
    );
}

#[test]
fn an_error_of_the_value_itself_is_said_as_it_is() {
    #[derive(Debug)]
    struct Never;
    impl Serialize for Never {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("never"))
        }
    }
    impl<'de> Deserialize<'de> for Never {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Never, D::Error> {
            IgnoredAny::deserialize(deserializer)?;
            Err(serde::de::Error::custom("not now"))
        }
    }
    assert_eq!(to_vec(&[Never]).unwrap_err().to_string(), "never");
    let error = from_slice::<Vec<Never>>(b"[1]").unwrap_err();
    assert_eq!(error.to_string(), "not now at line 1 column 3");
    assert_eq!(
        from_slice::<Strict>(br#"{"message": "m", "size": 1}"#)
            .unwrap_err()
            .to_string(),
        "unknown field `size`, expected `message` or `length` at line 1 column 23"
    );
}

/// Documents as a program would make them, and some that are nearly that.
fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1000_i64..1000).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-100_000_i64..100_000, 0..6)
            .prop_map(|(digits, places)| Value::from(digits as f64 / 10_f64.powi(places))),
        ".{0,40}".prop_map(Value::from),
        "[ -~]{0,40}".prop_map(Value::from),
        prop::collection::vec(any::<char>(), 0..40)
            .prop_map(|letters| Value::from(String::from_iter(letters))),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map(
                prop_oneof![
                    "[a-z_]{0,12}",
                    ".{0,20}",
                    "f64|f32|u128|text|value|flag|u8|maybe|shape|shapes|doubles|message|length|one|list|tuple|any|why|why_map|up_to|without|without_texts"
                ],
                inner,
                0..8
            )
            .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// As many as usual, or as many times that as a soak says.
fn cases() -> u32 {
    256 * std::env::var("RUSTBRIDGE_SOAK").map_or(1, |factor| factor.parse::<u32>().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn documents_are_read_and_written_alike(document in documents()) {
        let text = String::from_utf8(write_same(&document).unwrap()).unwrap();
        prop_assert_eq!(&surely::<Value>(&text), &document);
        prop_assert_eq!(&surely::<Value>(&serde_json::to_string_pretty(&document).unwrap()), &document);
        all_same(text.as_bytes());
    }

    #[test]
    fn broken_documents_are_refused_alike(document in documents(), place in any::<prop::sample::Index>(), byte in any::<u8>(), how in 0..3) {
        let mut bytes = serde_json::to_vec(&document).unwrap();
        let place = place.index(bytes.len());
        match how {
            0 => bytes[place] = byte,
            1 => bytes.insert(place, byte),
            _ => bytes.truncate(place),
        }
        all_same(&bytes);
    }

    #[test]
    fn any_double_is_read_as_it_was_written(bits in any::<u64>(), precision in 0_usize..20) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        for text in [format!("{value}"), format!("{value:e}"), format!("{value:.precision$e}"), format!("{:.precision$}", value % 1e9)] {
            read_same::<f64>(text.as_bytes());
            read_same::<f32>(text.as_bytes());
        }
    }
}
