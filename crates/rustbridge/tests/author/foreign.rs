//! Types of other crates in messages, each behind the feature of the crate's name.

#![cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "rust_decimal",
    feature = "time",
    feature = "uuid"
))]
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each feature has tests of its own, which use some of it"
)]

use std::fmt::Debug;

use proptest::prelude::*;
use rustbridge::__private::wire::{Decode, Encode, Type, Typed, Unwritable, read, to_vec};
use rustbridge::Message;
use serde_json::{Value, json};

use crate::host::Loaded;

/// The same through the wire form and through JSON.
fn same<T>(value: &T) -> Value
where
    T: Message + Encode + for<'de> Decode<'de> + Debug + PartialEq,
{
    assert_eq!(&read::<T>(&to_vec(value).unwrap()).unwrap(), value);
    let json = serde_json::to_value(value).unwrap();
    assert_eq!(&serde_json::from_value::<T>(json.clone()).unwrap(), value);
    json
}

/// The schema of a message's field.
fn schema<T: Message>(field: &str) -> Value {
    let schema = schemars_of::<T>();
    schema["properties"][field].clone()
}

fn schemars_of<T: Message>() -> Value {
    rustbridge::__private::incoming_schema::<T>()
}

/// Seconds and nanoseconds as they lie on the wire.
fn parts(seconds: i64, nanos: u32) -> Vec<u8> {
    [&seconds.to_le_bytes()[..], &nanos.to_le_bytes()].concat()
}

/// Reading ends so, whatever is in the bytes.
fn refusal<T: for<'de> Decode<'de> + Debug>(bytes: &[u8]) -> (String, String) {
    let problem = read::<T>(bytes).unwrap_err();
    (problem.path().to_owned(), problem.message().to_owned())
}

#[cfg(feature = "rust_decimal")]
mod decimals {
    use rust_decimal::Decimal;

    use super::*;

    #[derive(Message, Clone, Debug, PartialEq)]
    struct Prices {
        one: Decimal,
        maybe: Option<Decimal>,
        all: Vec<Decimal>,
    }

    proptest! {
        #[test]
        fn numbers_keep_their_digits(mantissa in -(1_i128 << 96) + 1..1_i128 << 96, scale in 0..=28_u32) {
            let number = Decimal::from_i128_with_scale(mantissa, scale);
            let written = to_vec(&number).unwrap();
            prop_assert_eq!(&written, &to_vec(&number.to_string()).unwrap());
            let back = read::<Decimal>(&written).unwrap();
            prop_assert_eq!((back, back.scale()), (number, number.scale()));
            same(&Prices { one: number, maybe: Some(-number), all: vec![number, Decimal::ZERO] });
        }
    }

    #[test]
    fn what_it_cannot_hold_is_refused() {
        for (text, expected) in [
            ("0.12345678901234567890123456789", "at most 28 digits"),
            ("79228162514264337593543950336", "at most 28 digits"),
            ("1e3", "consists of digits"),
            ("", "consists of digits"),
        ] {
            let (_, message) = refusal::<Decimal>(&to_vec(text).unwrap());
            assert!(message.contains(expected), "{message}");
        }
        let prices = to_vec(&("1".to_owned(), Option::<String>::None, vec!["2", "x"])).unwrap();
        assert_eq!(refusal::<Prices>(&prices).0, "all[1]");
    }

    #[test]
    fn it_is_described() {
        assert!(matches!(<Decimal as Typed>::TYPE, Type::Decimal));
        let written = serde_json::to_value(Decimal::new(-1250, 2)).unwrap();
        assert_eq!(written, json!("-12.50"));
    }

    #[cfg(any(feature = "bincode", feature = "postcard"))]
    #[test]
    fn encodings_that_do_not_tell_types_have_them() {
        let prices = Prices {
            one: Decimal::new(-1250, 2),
            maybe: Some(Decimal::ONE),
            all: vec![Decimal::MAX],
        };
        #[cfg(feature = "bincode")]
        {
            let config = bincode::config::standard();
            let written = bincode::serde::encode_to_vec(&prices, config).unwrap();
            let (back, _) =
                bincode::serde::decode_from_slice::<Prices, _>(&written, config).unwrap();
            assert_eq!(back, prices);
        }
        #[cfg(feature = "postcard")]
        {
            let written = postcard::to_stdvec(&prices).unwrap();
            assert_eq!(postcard::from_bytes::<Prices>(&written).unwrap(), prices);
        }
        // Numbers of JSON's are doubles, which would change their digits.
        assert!(serde_json::from_str::<Decimal>("12345678901234567.89").is_err());
    }
}

#[cfg(feature = "uuid")]
mod uuids {
    use std::collections::{BTreeMap, HashMap};

    use uuid::Uuid;

    use super::*;

    #[derive(Message, Clone, Debug, PartialEq)]
    struct Ids {
        id: Uuid,
        maybe: Option<Uuid>,
        all: Vec<Uuid>,
        by_id: BTreeMap<Uuid, u8>,
        hashed: HashMap<Uuid, String>,
    }

    proptest! {
        #[test]
        fn ids_are_what_they_were(
            id: u128,
            maybe: Option<u128>,
            all: Vec<u128>,
            by_id: BTreeMap<u128, u8>,
            hashed: HashMap<u128, String>,
        ) {
            let ids = Ids {
                id: Uuid::from_u128(id),
                maybe: maybe.map(Uuid::from_u128),
                all: all.into_iter().map(Uuid::from_u128).collect(),
                by_id: by_id.into_iter().map(|(id, it)| (Uuid::from_u128(id), it)).collect(),
                hashed: hashed.into_iter().map(|(id, it)| (Uuid::from_u128(id), it)).collect(),
            };
            let json = same(&ids);
            prop_assert_eq!(&json["id"], &json!(ids.id.to_string()));
        }
    }

    #[test]
    fn an_id_lies_as_it_is_printed() {
        let id = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);
        assert!(matches!(Uuid::TYPE, Type::Uuid));
        assert_eq!(to_vec(&id).unwrap(), (0..16).collect::<Vec<u8>>());
        assert_eq!(
            schema::<Ids>("id"),
            json!({"type": "string", "format": "uuid"})
        );
    }
}

/// Types of points in time, by how many seconds from 1970 they reach in both directions.
macro_rules! timestamps {
    ($name:ident: $type:ty, $(#[$via:meta])? [$least:expr, $most:expr], |$seconds:ident, $nanos:ident| $make:expr, $json:literal) => {
        mod $name {
            use super::*;

            #[derive(Message, Clone, Debug, PartialEq)]
            struct At {
                $(#[$via])?
                at: $type,
                $(#[$via])?
                others: Vec<$type>,
            }

            fn make($seconds: i64, $nanos: u32) -> $type {
                $make
            }

            proptest! {
                #[test]
                fn it_is_what_it_was(seconds in $least..=$most, nanos in 0_u32..1_000_000_000) {
                    let at = make(seconds, nanos);
                    prop_assert_eq!(to_vec(&at).unwrap(), parts(seconds, nanos));
                    same(&At { at, others: vec![make(0, 0), at] });
                }

                #[test]
                fn any_bytes_are_read_or_refused(seconds: i64, nanos: u32) {
                    let bytes = parts(seconds, nanos);
                    match read::<$type>(&bytes) {
                        Ok(at) => prop_assert_eq!(to_vec(&at).unwrap(), bytes),
                        Err(_) => prop_assert!(
                            nanos >= 1_000_000_000 || !($least..=$most).contains(&seconds)
                        ),
                    }
                }
            }

            #[test]
            fn it_ends_where_it_ends() {
                assert!(matches!(<$type>::TYPE, Type::Timestamp));
                for (second, nanos) in [($least, 0), ($most, 999_999_999), (-1, 1)] {
                    let at = make(second, nanos);
                    same(&At { at, others: Vec::new() });
                }
                for second in [$least - 1, $most + 1, i64::MIN, i64::MAX] {
                    let bytes = [parts(0, 0), vec![1, 0, 0, 0], parts(second, 0)].concat();
                    let (path, message) = refusal::<At>(&bytes);
                    assert_eq!(path, "others[0]", "{message}");
                    assert!(message.contains(&second.to_string()), "{message}");
                }
                let (path, _) = refusal::<At>(&parts(0, 1_000_000_000));
                assert_eq!(path, "at");
            }

            #[test]
            fn in_json_it_is_a_text() {
                let at = At { at: make(1_795_602_600, 500_000_000), others: Vec::new() };
                assert_eq!(same(&at), json!({"at": $json, "others": []}));
                assert_eq!(schema::<At>("at"), json!({"type": "string", "format": "date-time"}));
                let elsewhere = json!({"at": "2026-11-25T11:00:00.5+00:30", "others": []});
                assert_eq!(serde_json::from_value::<At>(elsewhere).unwrap(), at);
            }
        }
    };
}

#[cfg(feature = "chrono")]
timestamps! {
    chrono_timestamps: chrono::DateTime<chrono::Utc>,
    [chrono::DateTime::<chrono::Utc>::MIN_UTC.timestamp(), chrono::DateTime::<chrono::Utc>::MAX_UTC.timestamp()],
    |seconds, nanos| chrono::DateTime::from_timestamp(seconds, nanos).unwrap(),
    "2026-11-25T10:30:00.500Z"
}

#[cfg(feature = "jiff")]
timestamps! {
    jiff_timestamps: jiff::Timestamp, #[message(via = rustbridge::via::Timestamp)]
    [jiff::Timestamp::MIN.as_second(), jiff::Timestamp::MAX.as_second()],
    |seconds, nanos| jiff::Timestamp::new(seconds, nanos as i32).unwrap(),
    "2026-11-25T10:30:00.5Z"
}

#[cfg(feature = "time")]
timestamps! {
    time_timestamps: time::OffsetDateTime, #[message(via = rustbridge::via::Timestamp)]
    [
        time::Date::MIN.midnight().assume_utc().unix_timestamp(),
        time::Date::MAX.midnight().assume_utc().unix_timestamp() + 86_399
    ],
    |seconds, nanos| {
        let second = time::OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        second.replace_nanosecond(nanos).unwrap()
    },
    "2026-11-25T10:30:00.5Z"
}

#[cfg(feature = "time")]
timestamps! {
    utc_timestamps: time::UtcDateTime, #[message(via = rustbridge::via::Timestamp)]
    [time::UtcDateTime::MIN.unix_timestamp(), time::UtcDateTime::MAX.unix_timestamp()],
    |seconds, nanos| {
        let second = time::UtcDateTime::from_unix_timestamp(seconds).unwrap();
        second.replace_nanosecond(nanos).unwrap()
    },
    "2026-11-25T10:30:00.5Z"
}

/// Types of spans of time, by how many seconds they hold.
macro_rules! durations {
    ($name:ident: $type:ty, $(#[$via:meta])? [$most:expr], |$seconds:ident, $nanos:ident| $make:expr, $json:expr, $schema:literal) => {
        mod $name {
            use super::*;

            #[derive(Message, Clone, Debug, PartialEq)]
            struct Lasts {
                name: String,
                $(#[$via])?
                lasts: $type,
            }

            fn make($seconds: i64, $nanos: i32) -> $type {
                $make
            }

            fn lasts(lasts: $type) -> Lasts {
                Lasts { name: "a".to_owned(), lasts }
            }

            proptest! {
                #[test]
                fn it_is_what_it_was(seconds in 0..=$most, nanos in 0_i32..1_000_000_000) {
                    let bytes = parts(seconds, nanos as u32);
                    prop_assert_eq!(to_vec(&make(seconds, nanos)).unwrap(), bytes);
                    same(&lasts(make(seconds, nanos)));
                }
            }

            #[test]
            fn what_it_doesnt_hold_is_refused() {
                assert!(matches!(<$type>::TYPE, Type::Duration));
                let head = [1, 0, 0, 0, b'a'];
                for seconds in [$most as u64 + 2, u64::MAX] {
                    let bytes = [&head[..], &parts(seconds as i64, 0)].concat();
                    let (path, message) = refusal::<Lasts>(&bytes);
                    assert_eq!(path, "lasts", "{message}");
                    assert!(message.contains(&seconds.to_string()), "{message}");
                }
                let (path, _) = refusal::<Lasts>(&[&head[..], &parts(0, 1_000_000_000)].concat());
                assert_eq!(path, "lasts");
            }

            #[test]
            fn what_is_negative_isnt_written() {
                for (seconds, nanos) in [(-1, 0), (0, -1), (-5, -999_999_999)] {
                    let written = to_vec(&lasts(make(seconds, nanos)));
                    assert!(
                        matches!(written, Err(Unwritable::Refused(why)) if why.contains("negative")),
                        "{written:?}"
                    );
                    let alone = to_vec(&make(seconds, nanos));
                    assert!(
                        matches!(alone, Err(Unwritable::Refused(why)) if why.contains("negative")),
                        "{alone:?}"
                    );
                }
            }

            #[test]
            fn in_json_it_is_as_described() {
                assert_eq!(
                    same(&lasts(make(2, 500_000_000))),
                    json!({"name": "a", "lasts": $json})
                );
                let schema = schemars_of::<Lasts>().to_string();
                assert!(schema.contains($schema), "{schema}");
            }
        }
    };
}

#[cfg(feature = "chrono")]
durations! {
    chrono_durations: chrono::TimeDelta,
    // The last second isn't whole.
    [i64::MAX / 1000 - 1],
    |seconds, nanos| chrono::TimeDelta::seconds(seconds) + chrono::TimeDelta::nanoseconds(nanos.into()),
    json!([2, 500_000_000]),
    r#""type":"array""#
}

#[cfg(feature = "jiff")]
durations! {
    jiff_durations: jiff::SignedDuration, #[message(via = rustbridge::via::Duration)]
    [i64::MAX],
    |seconds, nanos| jiff::SignedDuration::new(seconds, nanos),
    json!({"secs": 2, "nanos": 500_000_000}),
    r#""secs""#
}

#[cfg(feature = "time")]
durations! {
    time_durations: time::Duration, #[message(via = rustbridge::via::Duration)]
    [i64::MAX],
    |seconds, nanos| time::Duration::new(seconds, nanos),
    json!({"secs": 2, "nanos": 500_000_000}),
    r#""secs""#
}

#[cfg(feature = "chrono")]
#[test]
fn a_leap_second_isnt_written() {
    let leap = chrono::DateTime::from_timestamp(1_483_228_799, 1_500_000_000).unwrap();
    let written = to_vec(&leap);
    assert!(
        matches!(written, Err(Unwritable::Refused(why)) if why.contains("leap second")),
        "{written:?}"
    );
}

#[cfg(feature = "time")]
mod through_a_plugin {
    use rustbridge::prelude::*;
    use rustbridge::via;

    use super::*;

    #[derive(Message)]
    struct Visit {
        #[message(via = via::Timestamp)]
        at: time::OffsetDateTime,
        #[message(via = via::Duration)]
        #[serde(default)]
        lasts: time::Duration,
    }

    #[derive(Default)]
    struct Visits;

    #[plugin(name = "visits", export = false)]
    impl Visits {
        /// The visit before.
        pub fn before(&self, visit: Visit) -> Visit {
            Visit {
                at: visit.at - visit.lasts,
                lasts: -visit.lasts,
            }
        }
    }

    #[test]
    fn what_cant_be_read_or_written_is_told() {
        let plugin = Loaded::new::<Visits>();
        let call = |request: Value| {
            let entry = plugin.entry("before", Encoding::Json);
            plugin.call_entry(entry, request.to_string().as_bytes(), 512)
        };
        let answer = call(json!({"at": "2026-11-25T10:30:00Z"}));
        assert_eq!(
            answer.json(),
            json!({"at": "2026-11-25T10:30:00Z", "lasts": {"secs": 0, "nanos": 0}})
        );
        for far in ["+010000-01-01T00:00:00Z", "2026-02-29T00:00:00Z", "today"] {
            let answer = call(json!({"at": far}));
            assert_eq!(answer.status, Status::InvalidArgument);
            assert_eq!(answer.json()["details"]["path"], "$.at", "{far}");
        }
        let answer = call(json!({"at": "2026-11-25T10:30:00Z", "lasts": {"secs": 1, "nanos": 0}}));
        assert_eq!(answer.status, Status::Internal);
        assert!(answer.text().contains("negative"), "{}", answer.text());
    }
}
