//! Streams that need no runtime: iterators out, items in.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustbridge::prelude::*;
use rustbridge_abi::{
    RB_CANCELLED, RB_DATA_LOSS, RB_DEADLINE_EXCEEDED, RB_FAILED_PRECONDITION, RB_OK, RB_UNAVAILABLE,
};
use serde_json::json;

use crate::host::Loaded;
use crate::host::operations::{How, Pending};

#[derive(Default)]
struct Streams {
    pulled: Arc<AtomicUsize>,
    dropped: Arc<AtomicUsize>,
}

#[derive(Message, Pod)]
#[repr(C)]
struct Number {
    value: u64,
}

#[derive(Message)]
struct Words<'a> {
    #[serde(borrow)]
    text: std::borrow::Cow<'a, str>,
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[plugin(name = "streams", export = false)]
impl Streams {
    /// Counts down.
    pub fn countdown(&self, from: &Number) -> impl Iterator<Item = Number> {
        let counted = Counted(self.dropped.clone());
        let pulled = self.pulled.clone();
        (0..from.value).rev().map(move |value| {
            let _ = &counted;
            pulled.fetch_add(1, Ordering::SeqCst);
            Number { value }
        })
    }

    /// Borrows from the request and from the plugin.
    pub fn words<'r>(
        &'r self,
        request: Words<'r>,
    ) -> Result<impl Iterator<Item = Result<String>> + 'r> {
        if request.text.is_empty() {
            return Err(Error::invalid_argument("no words").with_type("NoWords"));
        }
        let words: Vec<String> = request.text.split(' ').map(str::to_owned).collect();
        Ok(words.into_iter().map(|word| {
            if word == "bad" {
                Err(Error::new(Status::DataLoss, "a bad word").with_type("BadWord"))
            } else {
                assert!(word != "boom", "boom, in the middle");
                Ok(word)
            }
        }))
    }

    /// Bytes.
    pub fn chunks(&self, request: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        request.chunks(3).map(<[u8]>::to_vec)
    }

    /// Large ones.
    pub fn large(&self, call: &Call<'_>) -> impl Iterator<Item = String> {
        assert_eq!(call.method(), "large");
        std::iter::repeat_n("x".repeat(10_000), 100)
    }

    /// Adds.
    pub fn sum(&self, start: Number, items: Items<Number>) -> Result<Number> {
        let mut value = start.value;
        for item in items {
            value += item?.value;
        }
        Ok(Number { value })
    }

    /// Joins bytes.
    pub fn join(&self, items: Items<Bytes>) -> Result<Vec<u8>> {
        let items: Vec<Bytes> = items.into_iter().collect::<Result<_>>()?;
        Ok(items.join(&b'-'))
    }

    /// Both ways.
    pub fn double(&self, items: Items<u64>) -> impl Iterator<Item = Result<u64>> {
        items.into_iter().map(|item| Ok(item? * 2))
    }
}

const ALL: u64 = 1 << 40;

fn texts(pending: &Pending) -> Vec<String> {
    let (items, _) = pending.so_far();
    items
        .into_iter()
        .map(|item| String::from_utf8(item).unwrap())
        .collect()
}

#[test]
fn a_stream_is_described_and_cant_be_called() {
    let streams = Loaded::new::<Streams>();
    let entry = streams.described("countdown", Encoding::Json).unwrap();
    assert_eq!(entry["kind"], "server_stream");
    assert_eq!(entry["response"]["schema"]["title"], "Number");
    assert_eq!(entry.get("items"), None);
    let entry = streams.described("sum", Encoding::Pod).unwrap();
    assert_eq!(entry["kind"], "client_stream");
    assert_eq!(entry["items"]["layout"]["type"], "Number");
    let entry = streams.described("double", Encoding::Json).unwrap();
    assert_eq!(entry["kind"], "bidi_stream");
    assert_eq!(entry["items"]["schema"]["format"], "uint64");
    let entry = streams.described("join", Encoding::Raw).unwrap();
    assert_eq!(entry["items"], json!({"type": "bytes"}));
    assert_eq!(streams.described("join", Encoding::Json), None);
    let answer = streams.json("countdown", r#"{"value":3}"#);
    assert_eq!(answer.status, Status::Unimplemented);
    assert_eq!(answer.json()["type"], "rustbridge.StreamOnly");
    let message = answer.json()["message"].to_string();
    assert!(
        message.contains("`countdown` (json) is a stream"),
        "{message}"
    );
    let answer = streams.call("sum", Encoding::Pod, &[0; 8]);
    let message = answer.json()["message"].to_string();
    assert!(message.contains("`sum` (pod) is a stream"), "{message}");
}

#[test]
fn an_iterator_is_pulled_as_far_as_the_credit_goes() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin.start_json("countdown", r#"{"value":5}"#).pending();
    assert_eq!(stream.so_far().1, 0);
    stream.demand(2, ALL);
    assert_eq!(texts(&stream), [r#"{"value":4}"#, r#"{"value":3}"#]);
    assert_eq!(stream.so_far().1, 1);
    stream.demand(3, 0);
    assert!(!stream.has_ended());
    stream.demand(1, 0);
    assert_eq!(stream.wait().status, Status::Ok);
    assert_eq!(stream.so_far().0.len(), 5);
    assert_eq!(stream.so_far().1, 2);
}

#[test]
fn one_item_may_go_beyond_the_bytes() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin.start_json("large", "").pending();
    stream.demand(ALL, 15_000);
    assert_eq!(stream.so_far().0.len(), 2);
    stream.demand(0, 5_000);
    assert_eq!(stream.so_far().0.len(), 2);
    stream.demand(0, 5_000);
    assert_eq!(stream.so_far().0.len(), 3);
    stream.demand(0, ALL);
    assert_eq!(stream.wait().status, Status::Ok);
    let (items, batches) = stream.so_far();
    assert_eq!(items.len(), 100);
    // Seven of them are 64 KiB.
    assert!(batches < 20, "{batches}");
}

#[test]
fn pods_and_bytes_are_items_too() {
    let plugin = Loaded::new::<Streams>();
    let pods = plugin
        .start("countdown", Encoding::Pod, &1000_u64.to_ne_bytes())
        .pending();
    pods.demand(ALL, ALL);
    assert_eq!(pods.wait().status, Status::Ok);
    let (items, batches) = pods.so_far();
    assert_eq!((items.len(), batches), (1000, 1));
    assert_eq!(items[1], 998_u64.to_ne_bytes());
    let raw = plugin.start("chunks", Encoding::Raw, b"abcdefgh").pending();
    raw.demand(ALL, ALL);
    assert_eq!(raw.wait().status, Status::Ok);
    assert_eq!(texts(&raw), ["abc", "def", "gh"]);
}

#[test]
fn what_came_before_an_error_or_a_panic_is_delivered() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin
        .start_json("words", r#"{"text":"one two bad three"}"#)
        .pending();
    stream.demand(ALL, ALL);
    assert_eq!(stream.wait().status, Status::DataLoss);
    assert_eq!(stream.wait().json()["type"], "BadWord");
    assert_eq!(texts(&stream), [r#""one""#, r#""two""#]);
    let stream = plugin
        .start_json("words", r#"{"text":"one boom two"}"#)
        .pending();
    stream.demand(ALL, ALL);
    assert!(stream.wait().panicked);
    assert_eq!(texts(&stream), [r#""one""#]);
    let none = plugin.start_json("words", r#"{"text":""}"#).over();
    assert_eq!(none.json()["type"], "NoWords");
    let none = plugin.start_json("words", r#"{"text":1}"#).over();
    assert_eq!(none.json()["type"], "rustbridge.InvalidRequest");
}

#[test]
fn either_side_may_end_it_early_and_the_iterator_is_dropped() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin
        .start_json("countdown", r#"{"value":1000000}"#)
        .pending();
    stream.demand(3, ALL);
    stream.cancel(RB_CANCELLED);
    assert_eq!(stream.wait().status, Status::Cancelled);
    stream.demand(3, ALL);
    assert_eq!(stream.so_far().0.len(), 3);
    // The refusal of an item says why, before the plugin is told.
    for reason in [
        RB_CANCELLED,
        RB_DEADLINE_EXCEEDED,
        RB_UNAVAILABLE,
        RB_FAILED_PRECONDITION,
    ] {
        let stream = plugin
            .start_json("countdown", r#"{"value":1000000}"#)
            .pending();
        stream.demand(3, ALL);
        stream.refuse(reason);
        stream.demand(ALL, ALL);
        assert_eq!(stream.wait().status, Status::from_code(reason));
    }
    let never = plugin.start_json("countdown", r#"{"value":1}"#).pending();
    never.cancel(RB_UNAVAILABLE);
    assert_eq!(never.wait().status, Status::Unavailable);
}

#[test]
fn cancels_and_demands_race_and_the_stream_ends_once() {
    let plugin = Loaded::new::<Streams>();
    for round in 0..100 {
        let stream = plugin
            .start_json("countdown", r#"{"value":100000}"#)
            .pending();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..round {
                    stream.demand(50, ALL);
                }
            });
            scope.spawn(|| stream.cancel(RB_CANCELLED));
        });
        assert_eq!(stream.wait().status, Status::Cancelled);
    }
}

#[test]
fn a_plain_fn_waits_for_items_and_more_are_asked_for_as_they_are_taken() {
    let plugin = Loaded::new::<Streams>();
    let sum = plugin.start_json("sum", r#"{"value":1000}"#).pending();
    assert_eq!(sum.asked(), (64, 1 << 20));
    for value in 0..32 {
        sum.push(&[format!(r#"{{"value":{value}}}"#).as_bytes()]);
    }
    sum.until_asked(96);
    sum.push(&[br#"{"value":1}"#, br#"{"value":2}"#]);
    sum.push_end(RB_OK, b"");
    assert_eq!(sum.wait().json(), json!({"value": 1000 + 31 * 16 + 3}));
    let join = plugin.start("join", Encoding::Raw, b"").pending();
    join.push(&[b"a", b"", b"bc"]);
    join.push_end(RB_OK, b"");
    assert_eq!(join.wait().bytes, b"a--bc");
}

#[test]
fn items_that_are_wrong_and_streams_that_break_are_errors() {
    let plugin = Loaded::new::<Streams>();
    let sum = plugin.start_json("sum", r#"{"value":1}"#).pending();
    sum.push(&[br#"{"value":"x"}"#]);
    assert_eq!(sum.wait().status, Status::InvalidArgument);
    // What still comes is for nobody.
    sum.push(&[br#"{"value":1}"#]);
    sum.push_end(RB_OK, b"");
    let sum = plugin.start_json("sum", r#"{"value":1}"#).pending();
    let payload = br#"{"code":"DATA_LOSS","message":"the wire broke","type":"Wire"}"#;
    sum.push_end(RB_DATA_LOSS, payload);
    assert_eq!(sum.wait().status, Status::DataLoss);
    assert_eq!(sum.wait().json()["type"], "Wire");
}

#[test]
fn one_that_waits_hears_of_the_cancellation_and_of_the_end_of_its_time() {
    let plugin = Loaded::new::<Streams>();
    let sum = plugin.start_json("sum", r#"{"value":1}"#).pending();
    sum.cancel(RB_CANCELLED);
    assert_eq!(sum.wait().status, Status::Cancelled);
    let how = How {
        timeout: Some(std::time::Duration::from_millis(5)),
        ..How::default()
    };
    let sum = plugin.start_with("sum", r#"{"value":1}"#, how).pending();
    assert_eq!(sum.wait().status, Status::DeadlineExceeded);
    let both = plugin.start_json("double", "").pending();
    both.cancel(RB_CANCELLED);
    assert_eq!(both.wait().status, Status::Cancelled);
    let both = plugin.start_with("double", "", how).pending();
    assert_eq!(both.wait().status, Status::DeadlineExceeded);
}

#[test]
fn items_go_both_ways() {
    let plugin = Loaded::new::<Streams>();
    let both = plugin.start_json("double", "").pending();
    both.demand(2, ALL);
    both.push(&[b"1", b"2", b"3"]);
    assert_eq!(both.items(2), ["2", "4"]);
    both.push_end(RB_OK, b"");
    assert!(!both.has_ended());
    both.demand(10, ALL);
    assert_eq!(both.wait().status, Status::Ok);
    assert_eq!(both.items(3), ["2", "4", "6"]);
}

#[test]
fn a_handler_is_tested_without_any_of_it() {
    let streams = Streams::default();
    let values: Vec<_> = streams
        .countdown(&Number { value: 3 })
        .map(|number| number.value)
        .collect();
    assert_eq!(values, [2, 1, 0]);
    let items = Items::from_iter([Number { value: 1 }, Number { value: 2 }]);
    assert_eq!(streams.sum(Number { value: 4 }, items).unwrap().value, 7);
    let items = Items::from_results([Ok(1), Err(Error::internal("broken"))]);
    assert_eq!(
        streams.double(items).map(Result::ok).collect::<Vec<_>>(),
        [Some(2), None]
    );
}
