//! Streams in every encoding that serde writes: request, items both ways, and the answer.

use rustbridge::prelude::*;
use rustbridge_abi::RB_OK;
use rustbridge_wire::{Decode, Encode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::host::{Answer, Loaded};

#[derive(Message, Clone, Debug, PartialEq)]
struct Reading {
    sensor: String,
    value: f64,
    note: Option<String>,
}

#[derive(Message, Debug, PartialEq)]
struct Scale {
    factor: f64,
}

#[derive(Message, Debug, PartialEq)]
struct Total {
    count: u32,
    sum: f64,
}

#[derive(Default)]
struct Sensors;

#[plugin(
    name = "sensors",
    export = false,
    encodings(json, raw, pod, msgpack, bincode, postcard, wire)
)]
impl Sensors {
    pub fn readings(&self, request: Scale) -> impl Iterator<Item = Reading> {
        (0..300).map(move |number| reading(number, request.factor))
    }

    pub fn total(&self, request: Scale, items: Items<Reading>) -> Result<Total> {
        let mut total = Total { count: 0, sum: 0.0 };
        for item in items {
            total.count += 1;
            total.sum += item?.value * request.factor;
        }
        Ok(total)
    }

    pub fn scaled(
        &self,
        request: Scale,
        items: Items<Reading>,
    ) -> impl Iterator<Item = Result<Reading>> {
        items.into_iter().map(move |item| {
            let item = item?;
            let value = item.value * request.factor;
            Ok(Reading { value, ..item })
        })
    }
}

/// Of different lengths, so that a batch says where each ends.
fn reading(number: u32, factor: f64) -> Reading {
    Reading {
        sensor: "s".repeat(number as usize % 7),
        value: f64::from(number) * factor,
        note: (number % 3 == 0).then(|| format!("number {number}")),
    }
}

const ALL: u64 = 1 << 40;

const ENCODINGS: &[Encoding] = &[
    Encoding::Json,
    Encoding::Msgpack,
    Encoding::Bincode,
    Encoding::Postcard,
    Encoding::Wire,
];

fn written<T: Serialize + Encode>(encoding: Encoding, value: &T) -> Vec<u8> {
    match encoding {
        Encoding::Json => serde_json::to_vec(value).unwrap(),
        Encoding::Msgpack => rmp_serde::to_vec_named(value).unwrap(),
        Encoding::Bincode => {
            bincode::serde::encode_to_vec(value, bincode::config::standard()).unwrap()
        }
        Encoding::Postcard => postcard::to_stdvec(value).unwrap(),
        Encoding::Wire => rustbridge_wire::to_vec(value).unwrap(),
        other => panic!("{other}"),
    }
}

fn read<T: DeserializeOwned + for<'r> Decode<'r>>(encoding: Encoding, bytes: &[u8]) -> T {
    match encoding {
        Encoding::Json => serde_json::from_slice(bytes).unwrap(),
        Encoding::Msgpack => rmp_serde::from_slice(bytes).unwrap(),
        Encoding::Bincode => {
            let config = bincode::config::standard();
            bincode::serde::decode_from_slice(bytes, config).unwrap().0
        }
        Encoding::Postcard => postcard::from_bytes(bytes).unwrap(),
        Encoding::Wire => rustbridge_wire::read(bytes).unwrap(),
        other => panic!("{other}"),
    }
}

fn all_read(encoding: Encoding, items: &[Vec<u8>]) -> Vec<Reading> {
    items.iter().map(|item| read(encoding, item)).collect()
}

/// Sends these items to a method, and takes all that it sends.
fn sent(
    plugin: &Loaded,
    method: &str,
    encoding: Encoding,
    items: &[Vec<u8>],
) -> (Answer, Vec<Vec<u8>>) {
    let request = written(encoding, &Scale { factor: 2.0 });
    let pending = plugin.start(method, encoding, &request).pending();
    pending.demand(ALL, ALL);
    let items: Vec<&[u8]> = items.iter().map(Vec::as_slice).collect();
    pending.push(&items);
    pending.push_end(RB_OK, &[]);
    let answer = pending.wait();
    let (items, _) = pending.so_far();
    (answer, items)
}

#[test]
fn each_stream_has_every_encoding_of_its_features() {
    let plugin = Loaded::new::<Sensors>();
    for method in ["readings", "total", "scaled"] {
        for &encoding in Encoding::ALL {
            let is_there = plugin.described(method, encoding).is_some();
            assert_eq!(is_there, ENCODINGS.contains(&encoding), "{encoding}");
        }
    }
}

#[test]
fn items_come_out_in_every_encoding() {
    let plugin = Loaded::new::<Sensors>();
    for &encoding in ENCODINGS {
        let request = written(encoding, &Scale { factor: 0.5 });
        let stream = plugin.start("readings", encoding, &request).pending();
        stream.demand(ALL, ALL);
        assert_eq!(stream.wait().status, Status::Ok, "{encoding}");
        let (items, _) = stream.so_far();
        let expected: Vec<Reading> = (0..300).map(|number| reading(number, 0.5)).collect();
        assert_eq!(all_read(encoding, &items), expected, "{encoding}");
    }
}

#[test]
fn items_go_in_and_both_ways_in_every_encoding() {
    let plugin = Loaded::new::<Sensors>();
    for &encoding in ENCODINGS {
        let items: Vec<Vec<u8>> = (0..20)
            .map(|number| written(encoding, &reading(number, 1.0)))
            .collect();
        let (answer, _) = sent(&plugin, "total", encoding, &items);
        let total: Total = read(encoding, &answer.bytes);
        let (count, sum) = (20, 380.0);
        assert_eq!(total, Total { count, sum }, "{encoding}");

        let (answer, scaled) = sent(&plugin, "scaled", encoding, &items);
        assert_eq!(answer.status, Status::Ok, "{encoding}");
        let expected: Vec<Reading> = (0..20).map(|number| reading(number, 2.0)).collect();
        assert_eq!(all_read(encoding, &scaled), expected, "{encoding}");
    }
}

#[test]
fn an_item_that_cant_be_read_ends_the_stream_and_says_which_encoding() {
    let plugin = Loaded::new::<Sensors>();
    for &encoding in ENCODINGS {
        let good = written(encoding, &reading(1, 1.0));
        let cut_off = good[..good.len() - 1].to_vec();
        let (answer, scaled) = sent(&plugin, "scaled", encoding, &[good, cut_off]);
        assert_eq!(answer.status, Status::InvalidArgument, "{encoding}");
        let message = answer.text();
        assert!(
            message.contains(&format!("the {encoding} item of `scaled`")),
            "{message}"
        );
        assert_eq!(all_read(encoding, &scaled), [reading(1, 2.0)], "{encoding}");
    }
}
