//! Objects that plugins give to their hosts: lent, released, refused, and dropped once whatever happens.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    CallContext, RB_CANCELLED, RB_CONTEXT_TIMEOUT, RB_FAILED_PRECONDITION, RB_NOT_FOUND, RB_OK,
    RB_PENDING, RB_RESOURCE_EXHAUSTED, RB_UNIMPLEMENTED, Response,
};
use rustbridge_core::operations::{self, EventKind, Submission};
use rustbridge_core::{
    Encoding, EntryPoint, Error, Load, Method, Object, OnPanic, Plugin, Status, handles, inspect,
};
use rustbridge_description::Description;
use rustbridge_description::types::{Signature, Table};
use serde_json::Value;

#[cfg(unix)]
use crate::common::in_subprocess;
use crate::giver::{self, Ledger, Shared};

const LONG: Duration = Duration::from_secs(10);

struct Giver {
    plugin: Plugin,
    ledger: &'static Shared,
}

impl Giver {
    fn new() -> Giver {
        Giver::with(giver::entry_point, |load| load)
    }

    fn with(entry_point: EntryPoint, more: impl FnOnce(Load<'static>) -> Load<'static>) -> Giver {
        let ledger: &'static Shared = Box::leak(Box::default());
        let config = std::ptr::from_ref(ledger).addr().to_string();
        // SAFETY: a plugin of ours, whose entry point follows the ABI.
        let load = unsafe { Load::linked(entry_point, "giver") }.config(config);
        Giver {
            plugin: more(load).open().unwrap(),
            ledger,
        }
    }

    fn method(&self, name: &str) -> Method {
        self.plugin.method(name, Encoding::Raw).unwrap()
    }

    fn give(&self, count: u64) -> Vec<Object> {
        let answer = self
            .method("give")
            .with()
            .call(count.to_string().as_bytes());
        answer.unwrap().objects
    }

    fn use_of(&self, objects: &[&Object]) -> Result<String, Error> {
        let mut with = self.method("use").with();
        for object in objects {
            with = with.object(object);
        }
        with.call(b"")
            .map(|answer| String::from_utf8(answer.reply.to_vec()).unwrap())
    }

    fn ledger(&self) -> std::sync::MutexGuard<'static, Ledger> {
        self.ledger.lock().unwrap()
    }

    /// How many objects the core says that there are.
    fn listed(&self) -> u64 {
        let ledger: Value = serde_json::from_str(&inspect()).unwrap();
        let instances = ledger["instances"].as_array().unwrap();
        let own = instances
            .iter()
            .find(|one| one["handle"] == self.plugin.handle());
        own.unwrap()["objects"].as_u64().unwrap()
    }
}

#[test]
fn objects_are_lent_by_their_numbers_and_dropped_when_they_are_released() {
    let giver = Giver::new();
    let one = giver.give(1).remove(0);
    // More than fit into any storage on the way.
    let many = giver.give(100);
    assert_eq!((many.len(), giver.listed()), (100, 101));
    assert_eq!(giver.use_of(&[]).unwrap(), "[]");
    assert_eq!(giver.use_of(&[&one]).unwrap(), "[1]");
    assert_eq!(
        giver.use_of(&[&many[7], &one, &many[7]]).unwrap(),
        "[9, 1, 9]"
    );
    let all: Vec<&Object> = many.iter().collect();
    assert_eq!(
        giver.use_of(&all).unwrap(),
        format!("{:?}", (2..102).collect::<Vec<u64>>())
    );
    drop(one);
    assert_eq!((&*giver.ledger().dropped, giver.listed()), (&[1][..], 100));
    drop(many);
    assert_eq!((giver.ledger().dropped.len(), giver.listed()), (101, 0));
}

#[test]
fn what_is_given_twice_is_dropped_twice() {
    let giver = Giver::new();
    let twice = giver.method("same").with().call(b"").unwrap().objects;
    let [first, second] = &twice[..] else {
        panic!("{twice:?}")
    };
    assert_ne!(first.number(), second.number());
    assert_eq!(giver.use_of(&[first, second]).unwrap(), "[1, 1]");
    drop(twice);
    assert_eq!(giver.ledger().dropped, [1, 1]);
}

#[test]
fn stale_made_up_and_foreign_objects_are_refused() {
    let (giver, other) = (Giver::new(), Giver::new());
    let object = giver.give(1).remove(0);
    let refused = |object: &Object| {
        let own = giver.give(1).remove(0);
        let error = giver.use_of(&[&own, object]).unwrap_err();
        assert_eq!(error.details().unwrap()["position"], 1);
        (error.status(), error.type_name().to_owned())
    };
    let foreign = other.give(1).remove(0);
    assert_eq!(
        refused(&foreign),
        (
            Status::InvalidArgument,
            "rustbridge.ForeignObject".to_owned()
        )
    );
    for made_up in [0, 7, u64::MAX, foreign.number() + (1 << 60)] {
        let made_up = Object::from_number(made_up);
        assert_eq!(
            refused(&made_up),
            (
                Status::InvalidArgument,
                "rustbridge.InvalidObject".to_owned()
            )
        );
        let error = handles::release_object(made_up.number()).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
    }
    let stale = Object::from_number(object.number());
    drop(object);
    assert_eq!(
        refused(&stale),
        (Status::NotFound, "rustbridge.ObjectReleased".to_owned())
    );
    let again = handles::release_object(stale.number()).unwrap_err();
    assert_eq!(again.type_name(), "rustbridge.ObjectReleased");
    assert_eq!(other.use_of(&[&foreign]).unwrap(), "[1]");
    // Those that were lent beside it were given back.
    assert_eq!(giver.listed(), 0);
}

unsafe extern "C" fn release(number: *mut c_void) {
    handles::release_object(number as u64).unwrap();
    handles::release_object(number as u64).unwrap_err();
}

#[test]
fn what_is_released_while_it_is_lent_is_dropped_after_the_call() {
    let giver = Giver::new();
    let object = giver.give(1).remove(0);
    let mut request = (release as *const () as usize).to_ne_bytes().to_vec();
    request.extend(object.number().to_ne_bytes());
    // The plugin looks whether it's dropped already.
    let call = giver.method("use").with().object(&object).call(&request);
    assert_eq!(call.unwrap().reply.as_slice(), b"[1]");
    assert_eq!((giver.ledger().dropped.len(), giver.listed()), (1, 0));
}

#[test]
fn objects_end_with_their_instance_before_it_is_destroyed() {
    let giver = Giver::new();
    let objects = giver.give(3);
    let ledger = giver.ledger;
    giver.plugin.close(LONG).unwrap();
    assert_eq!(ledger.lock().unwrap().dropped.len(), 3);
    assert_eq!(ledger.lock().unwrap().at_end, Some(3));
    for object in objects {
        let error = handles::release_object(object.into_number()).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.ObjectReleased");
    }
    assert_eq!(ledger.lock().unwrap().dropped.len(), 3);
}

#[test]
fn a_poisoned_instance_keeps_its_objects_until_it_is_closed() {
    let giver = Giver::with(giver::entry_point, |load| load.on_panic(OnPanic::Poison));
    let mut objects = giver.give(2);
    let error = giver.method("panic").with().call(b"").unwrap_err();
    assert_eq!(error.status(), Status::Internal);
    // Its own are given up, since an error has none.
    assert_eq!(giver.ledger().dropped, [3]);
    let error = giver.use_of(&[&objects[0]]).unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.Poisoned");
    handles::release_object(objects.remove(0).into_number()).unwrap();
    assert_eq!((giver.ledger().dropped.len(), giver.listed()), (1, 2));
    giver.plugin.close(LONG).unwrap();
    // In the order of their places, which other tests take and give back meanwhile.
    let mut dropped = giver.ledger.lock().unwrap().dropped.clone();
    dropped[1..].sort_unstable();
    assert_eq!(dropped, [3, 1, 2]);
}

#[test]
fn what_a_plugin_says_of_its_objects_and_cannot_be_is_an_error() {
    let giver = Giver::new();
    let said = |method: &str| {
        let error = giver.method(method).with().call(b"3").unwrap_err();
        assert_eq!(giver.listed(), 0);
        format!("{} {}", error.type_name(), error.message())
    };
    assert_eq!(
        said("odd"),
        "rustbridge.InvalidResponse `odd (raw)` of plugin `giver` returned 23 bytes of objects, expected 8 for each object"
    );
    assert_eq!(
        said("null"),
        "rustbridge.InvalidResponse `null (raw)` of plugin `giver` returned 0 as an object, expected another number"
    );
    assert_eq!(giver.ledger().dropped, [5, 6]);
    assert!(said("bad_trailers").contains("trailers"));
    assert_eq!(giver.ledger().dropped, [5, 6, 7, 8, 9]);
    let error = giver.method("fail").with().call(b"1").unwrap_err();
    assert_eq!(
        (error.status(), giver.ledger().dropped.len()),
        (Status::Aborted, 6)
    );

    let ledger: &'static Shared = Box::leak(Box::default());
    let config = std::ptr::from_ref(ledger).addr().to_string();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let careless = unsafe { Load::linked(giver::careless, "careless") }
        .config(config)
        .open()
        .unwrap();
    let error = careless
        .method("give", Encoding::Raw)
        .unwrap()
        .with()
        .call(b"")
        .unwrap_err();
    assert!(error.message().contains("rb.objects/1"), "{error}");
}

#[test]
fn each_object_is_dropped_once_whoever_releases_it_and_whenever_it_closes() {
    let rounds = if cfg!(miri) { 3 } else { 60 };
    for round in 0..rounds {
        let giver = Giver::new();
        let shared: Arc<[AtomicU64; 4]> = Arc::default();
        let stop = Arc::new(AtomicBool::new(false));
        let threads: Vec<_> = (0..2_usize)
            .map(|me| {
                let (give, using) = (giver.method("give"), giver.method("use"));
                let (shared, stop) = (Arc::clone(&shared), Arc::clone(&stop));
                thread::spawn(move || {
                    let mut turn = me;
                    while !stop.load(Ordering::Relaxed) {
                        turn += 1;
                        let Ok(answer) = give.with().call(b"2") else {
                            return;
                        };
                        for object in answer.objects {
                            let number = object.into_number();
                            let old = shared[turn % 4].swap(number, Ordering::AcqRel);
                            let other =
                                Object::from_number(shared[(turn + 1) % 4].load(Ordering::Acquire));
                            let _ = using.with().object(&other).call(b"");
                            let _ = other.into_number();
                            drop(Object::from_number(old));
                        }
                    }
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(2 + round % 5));
        handles::close(giver.plugin.handle(), LONG).unwrap();
        stop.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().unwrap();
        }
        let mut ledger = giver.ledger();
        assert_eq!(ledger.at_end, Some(ledger.dropped.len()));
        ledger.dropped.sort_unstable();
        assert!(
            ledger.dropped.iter().copied().eq(1..=ledger.given),
            "{ledger:?}"
        );
    }
}

/// A queue of its own, and what's submitted to it.
fn submit(giver: &Giver, name: &str, request: &[u8], lent: &[u64]) -> (u64, u64) {
    let queue = operations::new_queue().unwrap();
    let header = CallContext {
        objects: lent.as_ptr(),
        object_count: lent.len() as u32,
        ..CallContext::EMPTY
    };
    let method = giver.method(name);
    let mut submission = Submission::of(method.handle(), method.entry(), request).header(&header);
    if name == "items" {
        submission.demand = (2, 2);
    }
    // SAFETY: all of it is good until this returns.
    let (status, op) = unsafe { operations::submit(queue, submission, &mut Response::empty()) };
    assert_eq!(status, RB_PENDING);
    (queue, op)
}

fn next(queue: u64) -> EventKind {
    let mut found = None;
    operations::next(
        queue,
        1,
        LONG,
        || usize::MAX,
        |event| found = Some(event.kind),
    )
    .unwrap();
    found.unwrap()
}

#[test]
fn a_completion_gives_objects_and_those_that_nobody_fetches_are_dropped() {
    let giver = Giver::new();
    let (queue, _) = submit(&giver, "later", b"", &[]);
    let EventKind::Done { objects, .. } = next(queue) else {
        panic!()
    };
    let objects: Vec<Object> = objects.into_iter().map(Object::from_number).collect();
    assert_eq!(giver.use_of(&[&objects[1], &objects[0]]).unwrap(), "[2, 1]");
    drop(objects);
    assert_eq!(giver.ledger().dropped, [1, 2]);

    // Waits in its queue to the end.
    submit(&giver, "later", b"", &[]);
    // Never fetched: the queue is closed.
    let (queue, _) = submit(&giver, "later", b"", &[]);
    operations::close_queue(queue).unwrap();
    assert_eq!(giver.ledger().dropped, [1, 2, 5, 6]);
    // Nobody wants to know any more when it completes.
    let (_, op) = submit(&giver, "later", b"when it's cancelled", &[]);
    operations::detach(op).unwrap();
    assert_eq!(giver.ledger().dropped, [1, 2, 5, 6, 7, 8]);
    // What still waits in a queue ends with the instance.
    assert_eq!(giver.listed(), 2);
    giver.plugin.close(LONG).unwrap();
    assert_eq!(giver.ledger.lock().unwrap().dropped.len(), 8);
}

#[test]
fn objects_that_come_after_the_end_are_dropped() {
    let giver = Giver::new();
    let shared = giver.ledger;
    // Before it has begun, or when it was released and its end isn't fetched.
    let (queue, op) = submit(&giver, "later", b"twice", &[]);
    assert_eq!(giver.ledger().dropped, [3, 4, 5, 6]);
    assert_eq!(giver::later::again(op, shared), RB_FAILED_PRECONDITION);
    assert_eq!(giver.ledger().dropped, [3, 4, 5, 6, 7, 8, 9, 10]);
    let EventKind::Done { objects, .. } = next(queue) else {
        panic!()
    };
    assert_eq!(objects.len(), 2);
    // Whose they are nobody knows of an operation that is over.
    assert_eq!(giver::later::again(op, shared), RB_NOT_FOUND);
    drop(Vec::from_iter(objects.into_iter().map(Object::from_number)));
    assert_eq!((giver.ledger().dropped.len(), giver.listed()), (10, 0));
    operations::close_queue(queue).unwrap();

    // A closed instance has none any more.
    let (queue, op) = submit(&giver, "later", b"", &[]);
    giver.plugin.close(LONG).unwrap();
    let dropped = shared.lock().unwrap().dropped.len();
    assert_eq!(giver::later::again(op, shared), RB_FAILED_PRECONDITION);
    assert_eq!(shared.lock().unwrap().dropped.len(), dropped);
    operations::close_queue(queue).unwrap();
}

#[test]
fn what_is_lent_to_a_pending_call_is_dropped_when_that_is_over() {
    let giver = Giver::new();
    let object = giver.give(1).remove(0);
    let (queue, op) = submit(&giver, "later", b"when it's cancelled", &[object.number()]);
    drop(object);
    assert!(giver.ledger().dropped.is_empty());
    operations::cancel(op).unwrap();
    assert_eq!(giver.ledger().dropped, [1]);
    operations::close_queue(queue).unwrap();
    assert_eq!((giver.ledger().dropped.len(), giver.listed()), (3, 0));
}

#[test]
fn items_bring_objects_and_those_that_nobody_fetches_are_dropped() {
    let giver = Giver::new();
    let (queue, op) = submit(&giver, "items", b"when it's cancelled", &[]);
    let EventKind::Items { count, objects, .. } = next(queue) else {
        panic!()
    };
    let objects: Vec<Object> = objects.into_iter().map(Object::from_number).collect();
    assert_eq!((count, objects.len()), (2, 2));
    assert_eq!(giver.use_of(&[&objects[1]]).unwrap(), "[2]");
    drop(objects);
    operations::demand(op, 2, 2).unwrap();
    assert_eq!(giver.listed(), 2);
    operations::close_queue(queue).unwrap();
    // Those of the completion, which has come since, among them, and of items that were refused.
    assert_eq!((giver.ledger().dropped.len(), giver.listed()), (8, 0));
}

#[test]
fn objects_of_items_that_nobody_takes_are_dropped_whatever_emitting_is_answered() {
    let giver = Giver::new();
    let (queue, op) = submit(&giver, "items", b"when it's cancelled", &[]);
    // More than was asked for.
    operations::demand(op, 1, 2).unwrap();
    assert_eq!(giver.ledger().dropped, [3, 4]);
    // Those that come when it's cancelled are refused, and those that wait are discarded.
    operations::cancel(op).unwrap();
    assert_eq!(
        giver.ledger().emitted,
        [RB_OK, RB_RESOURCE_EXHAUSTED, RB_CANCELLED]
    );
    assert_eq!(giver.ledger().dropped, [3, 4, 5, 6, 1, 2]);
    let EventKind::Done { objects, .. } = next(queue) else {
        panic!()
    };
    drop(Vec::from_iter(objects.into_iter().map(Object::from_number)));
    assert_eq!(giver.ledger().dropped, [3, 4, 5, 6, 1, 2, 7, 8]);
    assert_eq!(giver.listed(), 0);
    // Of a method that has no stream.
    let (queue, op) = submit(&giver, "later", b"emits, too", &[]);
    operations::cancel(op).unwrap();
    operations::close_queue(queue).unwrap();
    assert_eq!(giver.ledger().emitted.last(), Some(&RB_UNIMPLEMENTED));
    assert_eq!(giver.listed(), 0);
    assert_eq!(giver.ledger().dropped.len(), 12);
}

#[cfg(unix)]
#[test]
fn in_a_forked_child_objects_are_refused_and_new_instances_have_their_own() {
    if !in_subprocess(
        "objects::in_a_forked_child_objects_are_refused_and_new_instances_have_their_own",
    ) {
        return;
    }
    let giver = Giver::new();
    let object = giver.give(1).remove(0);
    let with = giver.method("use").with().object(&object);
    child_process::ForkedChild::start(|| {
        let error = handles::release_object(object.number()).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.Forked");
        assert_eq!(with.call(b"").unwrap_err().type_name(), "rustbridge.Forked");
        assert!(giver.ledger().dropped.is_empty());
        let own = Giver::with(giver::of_a_child, |load| load);
        let new = own.give(1).remove(0);
        assert_ne!(new.number(), object.number());
        assert_eq!(
            own.use_of(&[&object]).unwrap_err().type_name(),
            "rustbridge.ForeignObject"
        );
        drop(new);
        assert_eq!(own.ledger().dropped, [1]);
        own.plugin.close(LONG).unwrap();
    })
    .ends_well(LONG);
    drop(object);
    assert_eq!(giver.ledger().dropped, [1]);
}

#[cfg(unix)]
#[test]
fn in_a_forked_child_time_passes_for_its_own_operations_alone() {
    if !in_subprocess("objects::in_a_forked_child_time_passes_for_its_own_operations_alone") {
        return;
    }
    let until = |giver: &Giver, timeout: Duration| {
        let queue = operations::new_queue().unwrap();
        let header = CallContext {
            flags: RB_CONTEXT_TIMEOUT,
            timeout_ns: timeout.as_nanos() as u64,
            ..CallContext::EMPTY
        };
        let method = giver.method("later");
        let request = b"when it's cancelled";
        let submission = Submission::of(method.handle(), method.entry(), request).header(&header);
        // SAFETY: all of it is good until this returns.
        let (status, _) = unsafe { operations::submit(queue, submission, &mut Response::empty()) };
        assert_eq!(status, RB_PENDING);
        queue
    };
    let giver = Giver::new();
    let queue = until(&giver, Duration::from_millis(300));
    child_process::ForkedChild::start(|| {
        let before = giver.ledger().given;
        let own = Giver::with(giver::of_a_child, |load| load);
        for _ in 0..2 {
            let queue = until(&own, Duration::from_millis(1));
            assert!(matches!(next(queue), EventKind::Done { .. }));
        }
        // The parent's isn't ended here.
        thread::sleep(Duration::from_millis(500));
        assert_eq!(giver.ledger().given, before);
    })
    .ends_well(LONG);
    assert!(matches!(next(queue), EventKind::Done { .. }));
}

#[test]
fn an_answer_that_cannot_be_resolved_gives_its_objects_back() {
    let giver = Giver::new();
    let (one, other) = (
        r#"{"name":"one","type":"u8"}"#,
        r#"{"name":"other","type":"string"}"#,
    );
    // A client that knows the fields in another order. What the plugin answers is neither.
    let text = giver::description();
    let schema = text.replace(&format!("{one},{other}"), &format!("{other},{one}"));
    assert_ne!(schema, text);
    let described: Description<'_, Value> = Description::read(schema.as_bytes()).unwrap();
    let types = Table::of(&described).unwrap();
    for name in ["wire", "wire_later"] {
        let mut methods = described.methods.iter();
        let known = methods.find(|method| method.name == name).unwrap();
        let signature = Signature::of(&types, &known.entries[0]).unwrap();
        let fingerprint = signature.fingerprint(&types).to_string();
        let method = giver.plugin.typed_method(name, &fingerprint, &schema);
        let method = method.unwrap();
        for error in [
            method.with().call(&[]).map(drop).unwrap_err(),
            method.with().call_async(&[]).wait().map(drop).unwrap_err(),
        ] {
            assert_eq!(error.status(), Status::Internal, "{error}");
            assert_eq!(error.type_name(), "rustbridge.InvalidResponse");
        }
    }
    let start = Instant::now();
    let is_back = || {
        let ledger = giver.ledger.lock().unwrap();
        ledger.dropped.len() as u64 == ledger.given
    };
    while !is_back() && start.elapsed() < LONG {
        thread::sleep(Duration::from_millis(1));
    }
    assert!(giver.ledger().given >= 4);
    assert!(is_back());
}
