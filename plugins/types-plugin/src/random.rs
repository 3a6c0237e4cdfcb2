//! Values of the plugin's types, at random.

#![allow(
    missing_docs,
    reason = "each function gives values of the type that it's called after"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddrV4;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, TimeDelta};
use proptest::collection::{btree_map, btree_set, hash_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::foreign::Foreign;
use crate::messages::*;

/// The first second that every language and this system have: the year 1, and on Windows, whose clocks begin there, 1601.
pub const EARLIEST: i64 = if cfg!(windows) {
    -11_644_473_600
} else {
    -62_135_596_800
};

pub fn numbers() -> impl Strategy<Value = Numbers> {
    let small = any::<(u8, u16, u32, u64, u128)>();
    let signed = any::<(i8, i16, i32, i64, i128)>();
    (small, signed, any::<(f32, f64, bool, char)>(), any::<u32>()).prop_map(
        |((u8, u16, u32, u64, u128), (i8, i16, i32, i64, i128), (f32, f64, bool, char), size)| {
            Numbers {
                u8,
                u16,
                u32,
                u64,
                u128,
                i8,
                i16,
                i32,
                i64,
                i128,
                f32,
                f64,
                bool,
                char,
                size: size as usize,
                unit: (),
            }
        },
    )
}

pub fn texts() -> impl Strategy<Value = Texts> {
    any::<(String, String, Vec<u8>, Option<String>, Option<Vec<u8>>)>().prop_map(
        |(text, boxed, bytes, maybe, maybe_bytes)| Texts {
            text,
            boxed: boxed.into(),
            bytes,
            maybe,
            maybe_bytes,
        },
    )
}

pub fn time() -> impl Strategy<Value = SystemTime> {
    (-900_000_000_000_i64..900_000_000_000, 0_u32..1_000_000_000).prop_map(|(seconds, nanos)| {
        let span = Duration::from_secs(seconds.unsigned_abs());
        let second = if seconds < 0 {
            UNIX_EPOCH
                .checked_sub(span)
                .unwrap_or(UNIX_EPOCH - Duration::from_secs(EARLIEST.unsigned_abs()))
        } else {
            UNIX_EPOCH + span
        };
        second + Duration::from_nanos(nanos.into())
    })
}

pub fn times() -> impl Strategy<Value = Times> {
    (time(), any::<Duration>(), option::of(time())).prop_map(|(at, lasts, ends)| Times {
        at,
        lasts,
        ends,
    })
}

pub fn person() -> impl Strategy<Value = Person> {
    any::<(String, u32, Option<String>)>().prop_map(|(name, age, email)| Person {
        name,
        age,
        email,
    })
}

pub fn point() -> impl Strategy<Value = Point> {
    any::<(f64, f64)>().prop_map(|(x, y)| Point { x, y })
}

pub fn sample() -> impl Strategy<Value = Sample> {
    any::<(u64, f32, u16, [u8; 2])>().prop_map(|(time, value, channel, flags)| Sample {
        time,
        value,
        channel,
        flags,
    })
}

pub fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::Red), Just(Color::Green), Just(Color::DarkBlue)]
}

pub fn mood() -> impl Strategy<Value = Mood> {
    prop_oneof![Just(Mood::Calm), Just(Mood::Glad)]
}

pub fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Came),
        (vec(person(), 0..4), mood()).prop_map(|(others, mood)| Event::Met { others, mood }),
        any::<String>().prop_map(Event::Said),
    ]
}

pub fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Nothing),
        any::<f64>().prop_map(|radius| Shape::Circle { radius }),
        vec(point(), 0..6).prop_map(Shape::Polygon),
    ]
}

pub fn tagged() -> impl Strategy<Value = Tagged> {
    prop_oneof![
        any::<u64>().prop_map(|at_second| Tagged::Started { at_second }),
        (point(), any::<Option<f32>>())
            .prop_map(|(to_place, how_fast)| Tagged::Moved { to_place, how_fast }),
        Just(Tagged::Stopped),
    ]
}

pub fn untagged() -> impl Strategy<Value = Untagged> {
    prop_oneof![
        any::<i64>().prop_map(Untagged::Number),
        any::<String>().prop_map(Untagged::Text),
        any::<(i64, String)>().prop_map(|(number, text)| Untagged::Both(number, text)),
    ]
}

pub fn expr() -> impl Strategy<Value = Expr> {
    let leaf = any::<f64>().prop_map(Expr::Number);
    leaf.prop_recursive(8, 64, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| Expr::Negated(Box::new(one))),
            (inner.clone(), inner.clone())
                .prop_map(|(one, other)| Expr::Sum(Box::new(one), Box::new(other))),
            (any::<String>(), vec(inner, 0..4))
                .prop_map(|(name, arguments)| Expr::Call { name, arguments }),
        ]
    })
}

pub fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<String>().prop_map(|name| Tree {
        name,
        children: Vec::new(),
    });
    leaf.prop_recursive(6, 40, 4, |inner| {
        (any::<String>(), vec(inner, 0..4)).prop_map(|(name, children)| Tree { name, children })
    })
}

pub fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..6).prop_map(|map| json!(map)),
        ]
    })
}

pub fn lists() -> impl Strategy<Value = Lists> {
    let plain = (
        any::<Vec<u8>>(),
        any::<Vec<i8>>(),
        vec(any::<u32>(), 0..20),
        vec(any::<f64>(), 0..20),
        vec(any::<i128>(), 0..5),
        any::<Vec<bool>>(),
        vec(any::<String>(), 0..6),
        vec(vec(any::<u16>(), 0..5), 0..5),
    );
    let fixed = any::<([u32; 3], [[f64; 2]; 2], [String; 2])>();
    let others = (
        btree_set(any::<u32>(), 0..9),
        vec(person(), 0..5),
        vec(point(), 0..5),
        any::<(Vec<u32>, Vec<f32>, Vec<char>, Vec<Option<u8>>)>(),
        vec(any::<(u8, u32)>(), 0..9),
    );
    (plain, fixed, others).prop_map(
        |(
            (bytes, small, numbers, doubles, large, bools, texts, nested),
            (fixed, matrix, names),
            (set, people, points, (sizes, boxes, chars, options), tuples),
        )| Lists {
            bytes,
            small,
            numbers,
            doubles,
            large,
            bools,
            texts,
            nested,
            fixed,
            matrix,
            names,
            set: BTreeSet::from_iter(set),
            people,
            points,
            sizes: sizes.into_iter().map(|size| size as usize).collect(),
            boxes: boxes.into_iter().map(Box::new).collect(),
            chars,
            options,
            tuples,
        },
    )
}

pub fn pairs() -> impl Strategy<Value = Pairs> {
    (
        btree_map(any::<String>(), any::<u32>(), 0..6),
        btree_map(any::<i64>(), any::<String>(), 0..6),
        btree_map(any::<char>(), any::<Vec<u8>>(), 0..3),
        btree_map(color(), person(), 0..3),
        hash_map(any::<u16>(), any::<Option<f32>>(), 0..6),
        btree_map(
            any::<String>(),
            btree_map(any::<u8>(), any::<bool>(), 0..4),
            0..4,
        ),
    )
        .prop_map(
            |(by_name, by_number, by_char, by_color, hashed, nested)| Pairs {
                by_name,
                by_number,
                by_char,
                by_color: BTreeMap::from_iter(by_color),
                hashed,
                nested,
            },
        )
}

pub fn samples() -> impl Strategy<Value = Samples> {
    (
        any::<String>(),
        sample(),
        vec(sample(), 0..6),
        [point(), point()],
    )
        .prop_map(|(name, first, all, pair)| Samples {
            name,
            first,
            all,
            pair,
        })
}

pub fn defaults() -> impl Strategy<Value = Defaults> {
    any::<(u32, String, Vec<u8>, Option<u64>)>().prop_map(|(count, name, list, maybe)| Defaults {
        count,
        name,
        list,
        maybe,
        ..Defaults::default()
    })
}

pub fn renamed() -> impl Strategy<Value = Renamed> {
    (any::<String>(), color(), any::<u8>(), person()).prop_map(
        |(first_name, r#type, class, person)| Renamed {
            first_name,
            r#type,
            class,
            person,
        },
    )
}

pub fn bounded() -> impl Strategy<Value = Bounded> {
    let percent = || (0_u8..=100).prop_map(|value| Percent::new(value).unwrap());
    (percent(), vec(percent(), 0..9)).prop_map(|(share, all)| Bounded { share, all })
}

/// A second that `jiff` has, too, and microseconds.
fn moment() -> impl Strategy<Value = (i64, u32)> {
    (EARLIEST..253_402_207_200, 0_u32..1_000_000)
        .prop_map(|(second, micros)| (second, micros * 1_000))
}

fn span() -> impl Strategy<Value = (i64, i32)> {
    (0_i64..900_000_000_000, 0_i32..1_000_000)
        .prop_map(|(seconds, micros)| (seconds, micros * 1_000))
}

pub fn foreign() -> impl Strategy<Value = Foreign> {
    let id = || any::<u128>().prop_map(Uuid::from_u128);
    let address = || any::<(u32, u16)>().prop_map(|(ip, port)| SocketAddrV4::new(ip.into(), port));
    let ids = (
        id(),
        option::of(id()),
        btree_map(id(), any::<String>(), 0..5),
    );
    let times = (
        moment().prop_map(|(second, nanos)| DateTime::from_timestamp(second, nanos).unwrap()),
        span().prop_map(|(seconds, nanos)| TimeDelta::new(seconds, nanos as u32).unwrap()),
        moment().prop_map(|(second, nanos)| {
            let second = time::OffsetDateTime::from_unix_timestamp(second).unwrap();
            second.replace_nanosecond(nanos).unwrap()
        }),
        vec(
            span().prop_map(|(seconds, nanos)| time::Duration::new(seconds, nanos)),
            0..4,
        ),
        option::of(
            moment()
                .prop_map(|(second, nanos)| jiff::Timestamp::new(second, nanos as i32).unwrap()),
        ),
        span().prop_map(|(seconds, nanos)| jiff::SignedDuration::new(seconds, nanos)),
    );
    let addresses = (
        address(),
        btree_map(any::<String>(), vec(address(), 0..3), 0..4),
    );
    (ids, times, addresses).prop_map(
        |((id, parent, names), (made, took, seen, waits, ends, lasts), (at, others))| Foreign {
            id,
            parent,
            names,
            made,
            took,
            seen,
            waits,
            ends,
            lasts,
            at,
            others,
        },
    )
}

pub fn page<T: std::fmt::Debug>(item: impl Strategy<Value = T>) -> impl Strategy<Value = Page<T>> {
    (vec(item, 0..6), any::<u64>()).prop_map(|(items, total)| Page { items, total })
}

pub fn every() -> impl Strategy<Value = Every> {
    let plain = (numbers(), texts(), times(), lists(), pairs(), foreign());
    let pages = (page(person()), page(any::<String>()));
    let enums = (color(), shape(), tagged(), untagged(), expr(), tree());
    let others = (samples(), any::<f64>(), defaults(), renamed(), json_value());
    (
        plain,
        pages,
        enums,
        others,
        any::<(u8, String, Option<bool>)>(),
    )
        .prop_map(
            |(
                (numbers, texts, times, lists, pairs, foreign),
                (people, words),
                (color, shape, tagged, untagged, expr, tree),
                (samples, celsius, defaults, renamed, any),
                tuple,
            )| Every {
                numbers,
                texts,
                times,
                lists,
                pairs,
                foreign,
                people,
                words,
                color,
                shape,
                tagged,
                untagged,
                expr,
                tree,
                samples,
                celsius: Celsius(celsius),
                unit: Unit,
                defaults,
                renamed,
                any,
                tuple,
            },
        )
}
