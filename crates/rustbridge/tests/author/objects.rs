//! Objects: given, lent, dropped, through the table as the core does it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rustbridge::prelude::*;
use rustbridge_abi::{CallContext, ObjectsExtension, RB_EXTENSION_OBJECTS, Reply, Response};
use serde_json::json;

use crate::host::{Answer, Loaded, Options};

/// Counts its living.
struct Counter {
    number: AtomicI64,
    alive: Arc<AtomicI64>,
    panics: bool,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
        assert!(!self.panics, "the counter's destructor fails on purpose");
    }
}

#[derive(Message)]
struct Merge {
    other: Object<Counter>,
    times: i64,
}

#[derive(Message)]
struct Pair {
    name: String,
    both: Vec<Object<Counter>>,
    timer: Option<Object<Timer>>,
}

#[derive(Message, Pod)]
#[repr(C)]
struct Step {
    by: i64,
}

#[object]
impl Counter {
    /// What makes one is no method.
    pub fn new(alive: &Arc<AtomicI64>, number: i64) -> Counter {
        alive.fetch_add(1, Ordering::Relaxed);
        Counter {
            number: number.into(),
            alive: Arc::clone(alive),
            panics: false,
        }
    }

    /// Adds.
    pub fn add(&self, by: Step) -> Step {
        let by = by.by + self.number.fetch_add(by.by, Ordering::Relaxed);
        Step { by }
    }

    pub fn name(&self, prefix: &str) -> String {
        format!("{prefix}{}", self.number.load(Ordering::Relaxed))
    }

    #[method(takes_objects)]
    pub fn merge(&self, merge: Merge) -> i64 {
        let other = merge.other.number.load(Ordering::Relaxed);
        self.number
            .fetch_add(other * merge.times, Ordering::Relaxed)
            + other * merge.times
    }

    #[method(encodings(json, raw))]
    pub fn is(&self, other: Object<Counter>) -> String {
        std::ptr::eq(self, &*other).to_string()
    }

    pub fn split(&self) -> Vec<Object<Counter>> {
        let half = self.number.load(Ordering::Relaxed) / 2;
        (0..2)
            .map(|_| Object::new(Counter::new(&self.alive, half)))
            .collect()
    }
}

#[derive(Default)]
struct Timer;

#[object(name = "Clock")]
impl Timer {
    pub fn tick(&self) -> bool {
        true
    }
}

#[derive(Default)]
struct Counters {
    alive: Arc<AtomicI64>,
    kept: std::sync::Mutex<Option<Object<Counter>>>,
}

#[plugin(name = "counters", objects(Counter, Timer), export = false)]
impl Counters {
    #[method(encodings(json, raw))]
    pub fn open(&self) -> Object<Counter> {
        Object::new(Counter::new(&self.alive, 40))
    }

    #[method(returns_objects)]
    pub fn pair(&self, name: String) -> Result<Pair> {
        if name.is_empty() {
            return Err(Error::invalid_argument("no name"));
        }
        let one = self.open();
        Ok(Pair {
            name,
            both: vec![one.clone(), one],
            timer: Some(Object::default()),
        })
    }

    pub fn bomb(&self) -> Object<Counter> {
        let mut counter = Counter::new(&self.alive, 0);
        counter.panics = true;
        counter.into()
    }

    pub fn keep(&self, counter: Object<Counter>) {
        *self.kept.lock().unwrap() = Some(counter);
    }

    pub fn alive(&self) -> i64 {
        self.alive.load(Ordering::Relaxed)
    }

    /// Says nothing of the objects inside.
    pub fn unannounced(&self) -> Pair {
        Pair {
            name: String::new(),
            both: vec![self.open()],
            timer: None,
        }
    }

    pub fn unannounced_in(&self, _merge: Merge) {}
}

/// Calls with objects, and gives those that came back.
fn call(
    loaded: &Loaded,
    (method, encoding): (&str, Encoding),
    objects: &[u64],
    request: &[u8],
    room: usize,
) -> (Answer, Vec<u64>) {
    let mut storage = vec![0_u64; room];
    let mut reply = Reply::empty();
    reply.objects = Response::with_buffer(storage.as_mut_ptr().cast(), room * 8);
    let header = CallContext {
        objects: objects.as_ptr(),
        object_count: objects.len() as u32,
        reply: &raw mut reply,
        ..CallContext::EMPTY
    };
    let answer = loaded.call_with(loaded.entry(method, encoding), &header, request);
    let given = &mut reply.objects;
    let numbers = if given.len == 0 {
        Vec::new()
    } else {
        // SAFETY: by the rules of responses.
        unsafe { std::slice::from_raw_parts(given.data.cast::<u64>(), given.len / 8) }.to_vec()
    };
    if let Some(release) = given.release {
        // SAFETY: once.
        unsafe { release(given) };
    }
    (answer, numbers)
}

fn json(loaded: &Loaded, method: &str, objects: &[u64], request: &str) -> (Answer, Vec<u64>) {
    call(
        loaded,
        (method, Encoding::Json),
        objects,
        request.as_bytes(),
        4,
    )
}

fn drop_object(loaded: &Loaded, object: u64) {
    let table = loaded
        .extension(RB_EXTENSION_OBJECTS)
        .cast::<ObjectsExtension>();
    // SAFETY: the table is as its name says; each test drops once what it was given.
    unsafe { (*table).drop.unwrap()(loaded.instance(), object) };
}

fn alive(loaded: &Loaded) -> String {
    loaded.json("alive", "").text().to_owned()
}

#[test]
fn an_object_is_given_called_and_dropped() {
    let loaded = Loaded::new::<Counters>();
    for (encoding, payload) in [(Encoding::Json, "0"), (Encoding::Raw, "")] {
        for room in [4, 0] {
            let (answer, objects) = call(&loaded, ("open", encoding), &[], b"", room);
            assert_eq!((answer.status, answer.text()), (Status::Ok, payload));
            let [counter] = objects[..] else {
                panic!("{objects:?}")
            };
            assert_eq!(alive(&loaded), "1");
            let (answer, none) = json(&loaded, "Counter.add", &[counter], r#"{"by":2}"#);
            assert_eq!((answer.text(), &none[..]), (r#"{"by":42}"#, &[][..]));
            let step = 3_i64.to_ne_bytes();
            let (answer, _) = call(
                &loaded,
                ("Counter.add", Encoding::Pod),
                &[counter],
                &step,
                0,
            );
            assert_eq!(answer.bytes, 45_i64.to_ne_bytes());
            let (answer, _) = call(
                &loaded,
                ("Counter.name", Encoding::Raw),
                &[counter],
                b"no. ",
                0,
            );
            assert_eq!(answer.text(), "no. 45");
            drop_object(&loaded, counter);
            assert_eq!(alive(&loaded), "0");
        }
    }
}

#[test]
fn objects_are_named_by_their_position_anywhere_in_a_message() {
    let loaded = Loaded::new::<Counters>();
    let (answer, objects) = json(&loaded, "pair", &[], r#""two""#);
    assert_eq!(
        answer.json(),
        json!({"name": "two", "both": [0, 1], "timer": 2})
    );
    let [one, same, timer] = objects[..] else {
        panic!("{objects:?}")
    };
    assert_eq!(one, same);
    assert_eq!(alive(&loaded), "1");
    let (answer, _) = json(
        &loaded,
        "Counter.merge",
        &[one, same],
        r#"{"other":1,"times":2}"#,
    );
    assert_eq!(answer.text(), "120");
    let (answer, _) = json(&loaded, "Counter.merge", &[one], r#"{"other":0,"times":1}"#);
    assert_eq!(answer.text(), "240");
    assert_eq!(json(&loaded, "Clock.tick", &[timer], "").0.text(), "true");
    for encoding in [(Encoding::Json, "1"), (Encoding::Raw, "")] {
        let (answer, _) = call(
            &loaded,
            ("Counter.is", encoding.0),
            &[one, same],
            encoding.1.as_bytes(),
            0,
        );
        assert_eq!(
            answer.json(),
            if encoding.0 == Encoding::Json {
                json!("true")
            } else {
                json!(true)
            }
        );
    }
    let (answer, halves) = json(&loaded, "Counter.split", &[one], "");
    assert_eq!(
        (answer.text(), halves.len(), &*alive(&loaded)),
        ("[0,1]", 2, "3")
    );
    for object in [one, same, timer, halves[0], halves[1]] {
        drop_object(&loaded, object);
    }
    assert_eq!(alive(&loaded), "0");
}

#[test]
fn what_the_plugin_keeps_outlives_the_hosts_hold() {
    let loaded = Loaded::new::<Counters>();
    let counter = json(&loaded, "open", &[], "").1[0];
    assert_eq!(json(&loaded, "keep", &[counter], "0").0.status, Status::Ok);
    drop_object(&loaded, counter);
    assert_eq!(alive(&loaded), "1");
}

#[test]
fn whoever_has_no_place_for_objects_is_refused_before_the_handler_runs() {
    let loaded = Loaded::new::<Counters>();
    let without_reply = loaded.call_with(
        loaded.entry("open", Encoding::Json),
        &CallContext::EMPTY,
        b"",
    );
    for answer in [
        loaded.json("open", ""),
        loaded.call("open", Encoding::Raw, b""),
        without_reply,
    ] {
        assert_eq!(answer.status, Status::FailedPrecondition);
        assert_eq!(answer.json()["type"], "rustbridge.NoPlaceForObjects");
    }
    assert_eq!(alive(&loaded), "0");
}

#[test]
fn the_wrong_objects_are_refused() {
    let loaded = Loaded::new::<Counters>();
    let objects = json(&loaded, "pair", &[], r#""two""#).1;
    let [counter, _, timer] = objects[..] else {
        panic!("{objects:?}")
    };
    let refused = |method: &str, lent: &[u64], request: &str| {
        let (answer, _) = json(&loaded, method, lent, request);
        let error = answer.json();
        assert_eq!(alive(&loaded), "1");
        format!(
            "{} {} {}",
            answer.status,
            error["type"].as_str().unwrap(),
            error["message"].as_str().unwrap()
        )
    };
    assert_eq!(
        refused("Counter.add", &[], r#"{"by":1}"#),
        "FAILED_PRECONDITION rustbridge.NoReceiver `Counter.add` is a method of an object, but the call borrows none: put the `Counter` first in `objects` of the call context"
    );
    assert_eq!(
        loaded.json("Counter.add", "{}").status,
        Status::FailedPrecondition
    );
    assert_eq!(
        refused("Clock.tick", &[counter], ""),
        "INVALID_ARGUMENT rustbridge.WrongObject object 0 of the call of `Clock.tick` is a `Counter`, expected a `Clock`"
    );
    assert_eq!(
        refused("keep", &[timer], "0"),
        "INVALID_ARGUMENT rustbridge.InvalidRequest the json request of `keep` doesn't match the method's type: object 0 is a `Clock`, expected a `Counter`"
    );
    assert_eq!(
        refused("Counter.merge", &[counter], r#"{"other":1,"times":1}"#),
        "INVALID_ARGUMENT rustbridge.InvalidRequest the json request of `Counter.merge` doesn't match the method's type: object 1 is missing: the call borrows 1, and positions count from 0 at $.other"
    );
    assert!(refused("pair", &[], r#""""#).starts_with("INVALID_ARGUMENT"));
    for object in objects {
        drop_object(&loaded, object);
    }
}

#[test]
fn objects_in_a_message_that_nobody_announced_are_an_error() {
    let loaded = Loaded::new::<Counters>();
    let (answer, objects) = json(&loaded, "unannounced", &[], "");
    assert_eq!((answer.status, objects.len()), (Status::Internal, 0));
    assert!(
        answer.text().contains("returns_objects"),
        "{}",
        answer.text()
    );
    let counter = json(&loaded, "open", &[], "").1[0];
    let (answer, _) = json(
        &loaded,
        "unannounced_in",
        &[counter],
        r#"{"other":0,"times":1}"#,
    );
    assert_eq!(answer.status, Status::InvalidArgument);
    assert!(answer.text().contains("takes_objects"), "{}", answer.text());
    drop_object(&loaded, counter);
    assert_eq!(alive(&loaded), "0");
}

#[test]
fn a_panic_in_a_destructor_is_logged_and_harms_nobody() {
    let loaded = Loaded::with::<Counters>(&Options {
        linked: false,
        level: 1,
        ..Options::default()
    });
    let bomb = json(&loaded, "bomb", &[], "").1[0];
    drop_object(&loaded, bomb);
    let logged = loaded.logged();
    assert!(
        logged
            .iter()
            .any(|record| record.message.contains("on purpose")),
        "{logged:?}"
    );
    assert_eq!(alive(&loaded), "0");
}

#[test]
fn the_description_says_which_methods_have_objects() {
    let loaded = Loaded::new::<Counters>();
    let add = loaded.described("Counter.add", Encoding::Json).unwrap();
    assert_eq!(
        (&add["receiver"], &add["objects"]),
        (&json!("Counter"), &json!(null))
    );
    let split = loaded.described("Counter.split", Encoding::Json).unwrap();
    assert_eq!(
        (&split["receiver"], &split["objects"]),
        (&json!("Counter"), &json!(true))
    );
    assert_eq!(
        loaded.described("Clock.tick", Encoding::Json).unwrap()["receiver"],
        "Clock"
    );
    let open = loaded.described("open", Encoding::Json).unwrap();
    assert_eq!(
        (&open["receiver"], &open["objects"]),
        (&json!(null), &json!(true))
    );
    #[cfg(feature = "json_schema")]
    assert_eq!(open["response"]["schema"]["x-rustbridge-object"], "Counter");
    assert!(loaded.described("Counter.new", Encoding::Json).is_none());
}

#[test]
fn an_object_is_an_ordinary_value() {
    let counters = Counters::default();
    let counter = counters.open();
    assert_eq!(counter.add(Step { by: 2 }).by, 42);
    assert!(counter.same(&counter.clone()) && !counter.same(&counters.open()));
    assert!(
        serde_json::to_string(&counter)
            .unwrap_err()
            .to_string()
            .contains("answer")
    );
}
