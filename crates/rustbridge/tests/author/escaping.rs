//! What a safe author can do with what a handler is given, and is not expected to: hand it on, forget it, break it, panic with it.
//! Each call ends all the same, once, and nothing hangs. What is forgotten is leaked on purpose, as a leak checker will tell.
#![cfg(feature = "async")]

use std::future::{Future, pending, poll_fn};
use std::panic::panic_any;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_core::{Load, Plugin as Loaded, ServiceCall, ServiceReply};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How long a test waits for anything.
const LONG: Duration = Duration::from_secs(30);

/// What was read where the handler wasn't.
static READ: Mutex<Vec<std::sync::mpsc::Receiver<Vec<String>>>> = Mutex::new(Vec::new());

#[derive(Default)]
struct Escapes;

fn shown(item: Result<u64>) -> String {
    item.map_or_else(
        |error| error.type_name().to_owned(),
        |item| item.to_string(),
    )
}

#[plugin(name = "escapes", export = false)]
impl Escapes {
    /// Has a thread read, and doesn't wait for it.
    pub fn to_thread(&self, items: Items<u64>) -> u32 {
        let (send, read) = std::sync::mpsc::channel();
        std::thread::spawn(move || send.send(items.into_iter().map(shown).collect()));
        READ.lock().unwrap().push(read);
        1
    }

    /// Has a task read, and doesn't wait for it.
    pub async fn to_task(&self, mut items: Items<u64>) -> u32 {
        let (send, read) = std::sync::mpsc::channel();
        tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(item) = items.next().await {
                all.push(shown(item));
            }
            send.send(all)
        });
        READ.lock().unwrap().push(read);
        2
    }

    pub async fn forgets(&self, items: Items<u64>) -> u32 {
        std::mem::forget(items);
        tokio::time::sleep(Duration::from_millis(1)).await;
        3
    }
}

fn load<P: Plugin>(name: &str) -> Loaded {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(rustbridge::entry_point::<P>(), name) };
    load.open().unwrap()
}

#[test]
fn items_that_are_read_elsewhere_end_with_the_call() {
    let plugin = load::<Escapes>("escapes");
    for method in ["to_thread", "to_task", "forgets"] {
        let method = plugin.method(method, Encoding::Json).unwrap();
        let (sender, mut answer) = method.send(b"");
        let answer = answer.wait_timeout(LONG).expect("an answer in time");
        answer.unwrap();
        drop(sender);
    }
    plugin.close(LONG).unwrap();
    let read = std::mem::take(&mut *READ.lock().unwrap());
    assert_eq!(read.len(), 2);
    for read in read {
        assert_eq!(read.recv_timeout(LONG).unwrap(), ["rustbridge.CallOver"]);
    }
}

#[service]
trait Ears {
    fn hear(&self, what: String) -> Result<u32>;
    async fn think(&self, what: String) -> Result<u32>;
}

/// Says so when it goes.
struct Loud(EarsClient);

#[object]
impl Loud {}

impl Drop for Loud {
    fn drop(&mut self) {
        let heard = self.0.hear("gone".to_owned());
        SAID.lock()
            .unwrap()
            .push(heard.map_err(|error| error.status()));
    }
}

/// What those heard who went.
static SAID: Mutex<Vec<std::result::Result<u32, Status>>> = Mutex::new(Vec::new());

struct Asks {
    ears: EarsClient,
}

#[plugin(name = "asks", services(Ears), objects(Loud), export = false)]
impl Asks {
    pub fn create(host: Host) -> Result<Asks> {
        Ok(Asks {
            ears: host.service()?,
        })
    }

    pub fn loud(&self) -> Object<Loud> {
        Object::new(Loud(self.ears.clone()))
    }

    /// Begins calls and neither awaits nor drops them.
    pub async fn forgets(&self) -> u32 {
        for _ in 0..3 {
            let mut thinking = Box::pin(self.ears.think("?".to_owned()));
            let is_pending =
                poll_fn(|context| Poll::Ready(thinking.as_mut().poll(context).is_pending()));
            assert!(is_pending.await);
            std::mem::forget(thinking);
        }
        4
    }

    /// Takes one along that outlives the call, in a task.
    pub async fn leaves(&self) -> u32 {
        let thinking = self.ears.clone();
        tokio::spawn(async move {
            let _ = thinking.think("?".to_owned()).await;
        });
        5
    }
}

fn asks() -> (Loaded, std::sync::mpsc::Receiver<ServiceReply>) {
    let (send, kept) = std::sync::mpsc::channel();
    let send = Mutex::new(send);
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Asks>(), "asks") };
    let plugin = load
        .service(
            "ears.hear",
            Encoding::Json,
            |_: &[u8], _: &ServiceCall<'_>| Ok("1"),
        )
        .service_async(
            "ears.think",
            Encoding::Json,
            move |_: &[u8], _: &ServiceCall<'_>, later| {
                send.lock().unwrap().send(later).unwrap();
            },
        )
        .open()
        .unwrap();
    (plugin, kept)
}

#[test]
fn a_destructor_of_an_object_calls_services_until_its_instance_is_closed() {
    let (plugin, _kept) = asks();
    let give = || {
        let with = plugin.method("loud", Encoding::Json).unwrap().with();
        with.call(b"").unwrap().objects
    };
    drop(give());
    assert_eq!(std::mem::take(&mut *SAID.lock().unwrap()), [Ok(1)]);
    let left = give();
    plugin.close(LONG).unwrap();
    drop(left);
    let said = std::mem::take(&mut *SAID.lock().unwrap());
    assert_eq!(said, [Err(Status::Unavailable)]);
}

#[test]
fn service_calls_that_are_forgotten_end_with_their_instance() {
    let (plugin, kept) = asks();
    for method in ["forgets", "leaves"] {
        let method = plugin.method(method, Encoding::Json).unwrap();
        method
            .call_async(b"")
            .begin()
            .wait_timeout(LONG)
            .unwrap()
            .unwrap();
    }
    let later: Vec<ServiceReply> = (0..4).map(|_| kept.recv_timeout(LONG).unwrap()).collect();
    let mut later = later.into_iter();
    later.next().unwrap().answer(Ok("1")).unwrap();
    plugin.close(LONG).unwrap();
    for later in later {
        assert!(later.answer(Ok("1")).is_err());
    }
}

/// A runtime that's gone as soon as a handler says so.
struct Homeless {
    runtime: Mutex<Option<tokio::runtime::Runtime>>,
    handle: tokio::runtime::Handle,
}

#[plugin(name = "homeless", export = false, runtime = Self::handle)]
impl Homeless {
    pub fn create() -> Result<Homeless> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| Error::internal(error.to_string()))?;
        Ok(Homeless {
            handle: runtime.handle().clone(),
            runtime: Mutex::new(Some(runtime)),
        })
    }

    fn handle(&self) -> tokio::runtime::Handle {
        self.handle.clone()
    }

    pub async fn never(&self) {
        pending::<()>().await;
    }

    #[method(spawn)]
    pub async fn spawned(&self) -> u32 {
        6
    }

    pub fn stream(&self) -> impl Stream<Item = u32> {
        Never
    }

    pub fn waits(&self, items: Items<u32>) -> u32 {
        items.into_iter().count() as u32
    }

    /// Takes the ground from under its own feet, and then waits.
    pub async fn leaves_home(&self) {
        if let Some(runtime) = self.runtime.lock().unwrap().take() {
            runtime.shutdown_background();
        }
        // One that waits ends at once when its runtime is shut down, as if its time were over.
        loop {
            tokio::time::sleep(LONG).await;
        }
    }
}

struct Never;

impl Stream for Never {
    type Item = u32;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u32>> {
        Poll::Pending
    }
}

#[test]
fn calls_end_whose_runtime_is_dropped_inside_a_handler() {
    let plugin = load::<Homeless>("homeless");
    let method = |name: &str| plugin.method(name, Encoding::Json).unwrap();
    let before = method("never").call_async(b"").begin();
    let mut stream = method("stream").stream(b"").iterate();
    let ended = |mut call: rustbridge_core::Pending| {
        let error = call
            .wait_timeout(LONG)
            .expect("an end in time")
            .unwrap_err();
        (error.status(), error.type_name().to_owned())
    };
    let gone = (Status::Aborted, "rustbridge.RuntimeGone".to_owned());
    // A sleep that begins panics if its runtime is being shut down.
    let (status, _) = ended(method("leaves_home").call_async(b"").begin());
    assert!(
        [Status::Aborted, Status::Internal].contains(&status),
        "{status}"
    );
    assert_eq!(ended(before), gone);
    let item = stream.next_timeout(LONG).unwrap().unwrap_err();
    assert_eq!(item.type_name(), gone.1);
    // Those that come later find no other.
    assert_eq!(ended(method("never").call_async(b"").begin()), gone);
    assert_eq!(ended(method("spawned").call_async(b"").begin()), gone);
    assert_eq!(ended(method("waits").send(b"").1), gone);
    plugin.close(LONG).unwrap();
}

/// Its destructor panics as well.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("in the payload's drop");
        }
    }
}

/// Panics wherever it's told to.
#[derive(Message)]
#[message(json_only)]
struct Touchy {
    #[serde(serialize_with = "write", deserialize_with = "read")]
    text: String,
}

fn touchy(text: &str) -> Touchy {
    Touchy {
        text: text.to_owned(),
    }
}

fn write<S: Serializer>(text: &str, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    if text == "written" {
        panic_any(Payload);
    }
    text.serialize(serializer)
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text == "read" {
        panic_any(Payload);
    }
    Ok(text)
}

impl Drop for Touchy {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
        if self.text == "dropped" && !std::thread::panicking() {
            panic_any(Payload);
        }
    }
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Several(Vec<Touchy>);

impl Iterator for Several {
    type Item = Touchy;

    fn next(&mut self) -> Option<Touchy> {
        let next = self.0.pop();
        if next.as_ref().is_some_and(|next| next.text == "next") {
            panic_any(Payload);
        }
        next
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        panic_any(Payload)
    }
}

impl Drop for Several {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic_any(Payload);
        }
    }
}

thread_local! {
    /// Whether this thread's context may be left entered: it's the test's, and ends with it.
    static IS_SPOILED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

static WAKERS: Mutex<Vec<Waker>> = Mutex::new(Vec::new());

#[derive(Default)]
struct Panics;

#[plugin(name = "panics", export = false)]
impl Panics {
    pub async fn later(&self, request: Touchy) -> Touchy {
        tokio::time::sleep(Duration::from_millis(1)).await;
        touchy(&request.text)
    }

    pub fn items(&self, request: Touchy) -> impl Iterator<Item = Touchy> {
        Several(vec![touchy(&request.text), touchy("first")])
    }

    pub async fn takes(&self, mut items: Items<Touchy>) -> u32 {
        let mut count = 0;
        while let Some(Ok(_)) = items.next().await {
            count += 1;
        }
        count
    }

    /// Has its waker kept by others.
    pub async fn kept(&self) {
        poll_fn(|context| {
            WAKERS.lock().unwrap().push(context.waker().clone());
            Poll::<()>::Pending
        })
        .await;
    }

    /// Leaves its thread in a context, and goes on elsewhere.
    pub async fn enters(&self) -> u32 {
        std::mem::forget(tokio::runtime::Handle::current().enter());
        tokio::time::sleep(Duration::from_millis(5)).await;
        7
    }

    /// Its destructor leaves the context entered, on the test's own thread. On a thread of the runtime, tokio itself would abort the
    /// process when the runtime stops.
    pub async fn entered(&self) {
        struct Enters;

        impl Drop for Enters {
            fn drop(&mut self) {
                if IS_SPOILED.get() {
                    std::mem::forget(tokio::runtime::Handle::current().enter());
                }
            }
        }

        let _enters = Enters;
        pending::<()>().await;
    }
}

#[test]
fn a_panic_anywhere_in_an_authors_types_ends_that_call_alone() {
    let plugin = load::<Panics>("panics");
    let method = |name: &str| plugin.method(name, Encoding::Json).unwrap();
    let request = |what: &str| format!(r#"{{"text":"{what}"}}"#).into_bytes();
    for what in ["read", "written", "dropped"] {
        let mut later = method("later").call_async(&request(what)).begin();
        let answer = later.wait_timeout(LONG).expect("an end in time");
        assert_eq!(answer.unwrap_err().type_name(), "panic", "{what}");
        let mut items = method("items").stream(&request(what)).iterate();
        let mut last = None;
        while let Some(item) = items.next_timeout(LONG) {
            last = Some(item.map_err(|error| error.type_name().to_owned()));
        }
        assert_eq!(last.unwrap().unwrap_err(), "panic", "{what}");
        let (mut sender, mut answer) = method("takes").send(b"");
        let _ = sender.send_wait(request(what));
        sender.finish();
        let answer = answer.wait_timeout(LONG).expect("an end in time");
        if what != "written" {
            assert_eq!(answer.unwrap_err().type_name(), "panic", "{what}");
        }
    }
    let mut items = method("items").stream(&request("next")).iterate();
    assert!(items.next_timeout(LONG).unwrap().is_ok());
    assert!(items.next_timeout(LONG).unwrap().is_err());
    let answer = method("later").call(&request("well")).unwrap();
    assert_eq!(&*answer, request("well"));
    plugin.close(LONG).unwrap();
    assert!(DROPPED.load(Ordering::SeqCst) > 0);
}

#[test]
fn wakers_that_are_kept_wake_nothing_when_their_call_is_over() {
    let plugin = load::<Panics>("panics");
    let kept = plugin.method("kept", Encoding::Json).unwrap();
    let wake = |wakers: &[Waker]| wakers.iter().for_each(Waker::wake_by_ref);
    for _ in 0..20 {
        let mut call = kept.call_async(b"").begin();
        let canceller = call.canceller();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let wakers = WAKERS.lock().unwrap().clone();
                        wake(&wakers);
                    }
                });
            }
            scope.spawn(move || canceller.cancel());
        });
        let ended = call.wait_timeout(LONG).expect("an end in time");
        assert_eq!(ended.unwrap_err().status(), Status::Cancelled);
    }
    plugin.close(LONG).unwrap();
    let wakers = std::mem::take(&mut *WAKERS.lock().unwrap());
    wake(&wakers);
}

#[test]
fn a_destructor_that_leaves_a_runtimes_context_behind_ends_nothing_but_its_call() {
    let plugin = load::<Panics>("panics");
    let entered = plugin.method("entered", Encoding::Json).unwrap();
    let enters = plugin.method("enters", Encoding::Json).unwrap();
    // On a thread of its own, whose context is spoilt.
    std::thread::spawn(move || {
        IS_SPOILED.set(true);
        let mut call = entered.call_async(b"").begin();
        call.canceller().cancel();
        let ended = call.wait_timeout(LONG).expect("an end in time");
        assert_eq!(ended.unwrap_err().status(), Status::Cancelled);
        let mut call = enters.call_async(b"").begin();
        let answer = call.wait_timeout(LONG).expect("an end in time");
        assert_eq!(&*answer.unwrap(), b"7");
        assert_eq!(&*enters.call(b"").unwrap(), b"7");
    })
    .join()
    .unwrap();
    plugin.close(LONG).unwrap();
}
