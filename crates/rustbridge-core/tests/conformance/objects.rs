//! Objects from the author's macros to a host's values: what each side sees, with plain, async and streaming methods.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_abi::{CallContext, RB_PENDING, Response};
use rustbridge_core::operations::{self, EventKind, Submission};
use rustbridge_core::{Load, Plugin as Loaded, handles};

const LONG: Duration = Duration::from_secs(30);

/// Of all instances: each test that looks at it has its own kind of object.
static ALIVE: AtomicI64 = AtomicI64::new(0);

struct Counter {
    number: AtomicI64,
    alive: &'static AtomicI64,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
        assert!(
            self.number.load(Ordering::SeqCst) != -1,
            "dropped on purpose"
        );
    }
}

#[object]
impl Counter {
    /// Adds.
    pub fn add(&self, number: i64) -> i64 {
        self.number.fetch_add(number, Ordering::SeqCst) + number
    }

    /// Adds after a while.
    pub async fn add_later(&self, number: i64) -> Result<i64> {
        tokio::task::yield_now().await;
        Ok(self.add(number))
    }

    /// Counts up from where it is.
    pub fn ticks(&self, count: i64) -> impl Iterator<Item = Result<i64>> + Send + use<> {
        let first = self.number.load(Ordering::SeqCst);
        (first..first + count).map(Ok)
    }

    /// Another one, later.
    pub async fn fork(&self) -> Object<Counter> {
        tokio::task::yield_now().await;
        opened(self.alive, self.number.load(Ordering::SeqCst))
    }

    /// Adds another one's number.
    pub fn join(&self, other: Object<Counter>) -> i64 {
        self.add(other.number.load(Ordering::SeqCst))
    }
}

fn opened(alive: &'static AtomicI64, number: i64) -> Object<Counter> {
    alive.fetch_add(1, Ordering::SeqCst);
    Object::new(Counter {
        number: number.into(),
        alive,
    })
}

#[derive(Default)]
struct Counters {
    kept: std::sync::Mutex<Option<Object<Counter>>>,
}

#[plugin(name = "counters", objects(Counter), export = false)]
impl Counters {
    /// A counter.
    pub fn open(&self, number: i64) -> Object<Counter> {
        opened(&ALIVE, number)
    }

    /// Several.
    pub fn open_all(&self, numbers: Vec<i64>) -> Vec<Object<Counter>> {
        numbers
            .into_iter()
            .map(|number| self.open(number))
            .collect()
    }

    /// Keeps one.
    pub fn keep(&self, counter: Object<Counter>) {
        *self.kept.lock().unwrap() = Some(counter);
    }
}

fn load() -> Loaded {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<Counters>(), "counters") }
        .open()
        .unwrap()
}

fn json(
    plugin: &Loaded,
    method: &str,
    objects: &[&rustbridge_core::Object],
    request: &str,
) -> rustbridge_core::Answer {
    let mut with = plugin.method(method, Encoding::Json).unwrap().with();
    for object in objects {
        with = with.object(object);
    }
    with.call(request.as_bytes()).unwrap()
}

fn number(answer: &rustbridge_core::Answer) -> i64 {
    serde_json::from_slice(&answer.reply).unwrap()
}

/// Submits, and gives each event of it to its end.
fn events(plugin: &Loaded, method: &str, object: u64, request: &str) -> Vec<EventKind> {
    let queue = operations::new_queue().unwrap();
    let entry = handles::prepare(plugin.handle(), method, Encoding::Json)
        .unwrap()
        .entry;
    let header = CallContext {
        objects: &raw const object,
        object_count: 1,
        ..CallContext::EMPTY
    };
    let mut submission = Submission::of(plugin.handle(), entry, request.as_bytes()).header(&header);
    submission.demand = (100, 10_000);
    let mut response = Response::empty();
    // SAFETY: all of it is good until this returns.
    let (status, _) = unsafe { operations::submit(queue, submission, &mut response) };
    // SAFETY: filled in just now; nobody reads it.
    unsafe { handles::release(&mut response) };
    assert_eq!(status, RB_PENDING);
    let mut events = Vec::new();
    while !matches!(events.last(), Some(EventKind::Done { .. })) {
        operations::next(
            queue,
            8,
            LONG,
            || usize::MAX,
            |event| events.push(event.kind),
        )
        .unwrap();
    }
    operations::close_queue(queue).unwrap();
    events
}

// One test, because it counts all objects of the process.
#[test]
fn objects_live_as_long_as_somebody_has_a_hold_of_them() {
    let plugin = load();
    let mut opened = json(&plugin, "open", &[], "40").objects;
    let counter = opened.remove(0);
    assert_eq!(number(&json(&plugin, "Counter.add", &[&counter], "2")), 42);
    let all = json(&plugin, "open_all", &[], "[1,2,3,4,5,6,7,8,9,10]");
    assert_eq!(&*all.reply, b"[0,1,2,3,4,5,6,7,8,9]");
    assert_eq!((all.objects.len(), ALIVE.load(Ordering::SeqCst)), (10, 11));
    assert_eq!(
        number(&json(
            &plugin,
            "Counter.join",
            &[&counter, &all.objects[7]],
            "1"
        )),
        50
    );
    drop(all);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 1);

    // Async methods, both ways of calling them.
    assert_eq!(
        number(&json(&plugin, "Counter.add_later", &[&counter], "1")),
        51
    );
    let done = events(&plugin, "Counter.add_later", counter.number(), "1").remove(0);
    let EventKind::Done { response, .. } = done else {
        panic!("{done:?}")
    };
    assert_eq!(response.bytes(), b"52");
    let fork = json(&plugin, "Counter.fork", &[&counter], "")
        .objects
        .remove(0);
    assert_eq!(number(&json(&plugin, "Counter.add", &[&fork], "0")), 52);
    let done = events(&plugin, "Counter.fork", fork.number(), "").remove(0);
    let EventKind::Done { objects, .. } = done else {
        panic!("{done:?}")
    };
    assert_eq!(ALIVE.load(Ordering::SeqCst), 3);
    for object in objects {
        handles::release_object(object).unwrap();
    }
    drop(fork);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 1);

    // A stream.
    let told = events(&plugin, "Counter.ticks", counter.number(), "3");
    let bytes: Vec<u8> = told
        .iter()
        .filter_map(|event| match event {
            EventKind::Items { bytes, .. } => Some(bytes.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert!(bytes.starts_with(b"525354"), "{told:?}");

    // What the plugin keeps stays, and goes with it.
    json(&plugin, "keep", &[&counter], "0");
    drop(counter);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 1);
    // A panic in a destructor harms nobody else.
    let bad = json(&plugin, "open", &[], "-1").objects.remove(0);
    let left = json(&plugin, "open", &[], "7").objects.remove(0);
    drop(bad);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 2);
    assert_eq!(number(&json(&plugin, "Counter.add", &[&left], "1")), 8);
    plugin.close(LONG).unwrap();
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
    drop(left);
}

/// What a plugin-wide `Arc` is for: shared state that each object reaches.
#[test]
fn the_same_methods_are_called_without_any_of_this() {
    static OWN: AtomicI64 = AtomicI64::new(0);
    let shared = Arc::new(opened(&OWN, 1));
    assert_eq!(shared.add(1), 2);
    assert_eq!(
        shared.ticks(2).map(Result::unwrap).collect::<Vec<_>>(),
        [2, 3]
    );
    drop(shared);
    assert_eq!(OWN.load(Ordering::SeqCst), 0);
}
