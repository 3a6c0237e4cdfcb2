//! Functions of the host's that an `async fn` awaits, which may block, and calls of which nothing runs on the thread that begins them.
#![cfg(feature = "async")]

use std::future::Future;
use std::pin::pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread::{self, ThreadId};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_core::{
    CallOptions, Encoding as Codec, Load, Plugin as Loaded, ServiceCall, handles,
};

const LIMIT: Duration = Duration::from_secs(30);

#[service]
pub trait Rates: Send {
    #[service(encoding = "raw")]
    fn rate(&self, name: Vec<u8>) -> Result<Vec<u8>>;
    #[service(encoding = "raw")]
    async fn awaited(&self, name: Vec<u8>) -> Result<Vec<u8>>;
}

#[derive(Debug, thiserror::Error, StatusError)]
enum ConvertError {
    #[error("nothing to convert")]
    #[status(INVALID_ARGUMENT)]
    Nothing,
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

struct Converter {
    rates: RatesClient,
}

#[plugin(name = "converter", services(Rates), export = false)]
impl Converter {
    pub fn create(host: Host) -> Result<Converter> {
        Ok(Converter {
            rates: host.service()?,
        })
    }

    #[method(encodings(raw))]
    pub async fn convert(&self, name: Vec<u8>, call: &Call<'_>) -> Result<Vec<u8>> {
        self.rates.within(call).awaited(name).await
    }

    /// On the runtime.
    #[method(encodings(raw), spawn)]
    pub async fn convert_there(&self, name: Vec<u8>) -> Result<Vec<u8>> {
        self.rates.awaited(name).await
    }

    #[method(encodings(raw))]
    pub fn typed(&self, name: Vec<u8>, call: &Call<'_>) -> Result<Vec<u8>, ConvertError> {
        Ok(self.rates.within(call).rate(name)?)
    }

    #[method(encodings(raw))]
    pub fn plain(&self, name: Vec<u8>, call: &Call<'_>) -> Result<Vec<u8>> {
        self.rates.within(call).rate(name)
    }

    /// Computes, and doesn't wait.
    #[method(encodings(raw))]
    pub async fn compute(&self) -> Vec<u8> {
        thread_name()
    }

    /// Says where it's made, and where its first item is.
    pub fn stream(&self) -> impl Stream<Item = Result<String>> {
        let made = name();
        let mut left = vec![None, Some(made)];
        stream(move || left.pop().map(|made| made.unwrap_or_else(name)))
    }

    pub fn iterate(&self) -> impl Iterator<Item = String> {
        let made = name();
        std::iter::once(made).chain(std::iter::once_with(name))
    }
}

fn stream(mut next: impl FnMut() -> Option<String>) -> impl Stream<Item = Result<String>> {
    futures_util::stream::poll_fn(move |_| Poll::Ready(next().map(Ok)))
}

fn name() -> String {
    thread::current().name().unwrap_or_default().to_owned()
}

fn thread_name() -> Vec<u8> {
    name().into_bytes()
}

/// Where the function was called, and what lets it return.
type Asked = (ThreadId, Sender<()>);

fn blocking(asked: Sender<Asked>) -> impl Fn(&[u8], &ServiceCall<'_>) -> CoreResult {
    let asked = Mutex::new(asked);
    move |request, _| {
        let (released, release) = mpsc::channel();
        let told = (thread::current().id(), released);
        asked.lock().unwrap().send(told).unwrap();
        // An error means that the test has failed.
        let _ = release.recv_timeout(LIMIT);
        Ok(request.to_vec())
    }
}

fn linked() -> Load<'static> {
    // SAFETY: a plugin of ours.
    unsafe { Load::linked(rustbridge::entry_point::<Converter>(), "converter") }
}

fn load() -> (Load<'static>, Receiver<Asked>) {
    let (sender, asked) = mpsc::channel();
    let load = linked()
        .service("rates.rate", Codec::Raw, blocking(sender.clone()))
        .service("rates.awaited", Codec::Raw, blocking(sender));
    (load, asked)
}

fn method(plugin: &Loaded, name: &str) -> rustbridge_core::Method {
    plugin.method(name, Codec::Raw).unwrap()
}

fn ended<T>(future: impl IntoFuture<Output = T>) -> T {
    struct Unpark(thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future.into_future());
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park_timeout(LIMIT),
        }
    }
}

#[test]
fn a_function_that_blocks_keeps_no_thread_that_has_begun_a_call() {
    let (load, asked) = load();
    let plugin = load.open().unwrap();
    for name in ["convert", "convert_there"] {
        let method = method(&plugin, name);
        let mut call = pin!(method.call_async(b"eur").into_future());
        let mut context = Context::from_waker(Waker::noop());
        // It returns before the function does.
        assert!(call.as_mut().poll(&mut context).is_pending());
        let (thread, release) = asked.recv_timeout(LIMIT).unwrap();
        assert_ne!(thread, thread::current().id());
        assert!(call.as_mut().poll(&mut context).is_pending());
        release.send(()).unwrap();
        assert_eq!(&*ended(call).unwrap(), b"eur");
    }
    plugin.close(LIMIT).unwrap();
}

#[test]
fn functions_that_block_run_at_once_however_few_workers_there_are() {
    const CALLS: usize = 40;
    let (load, asked) = load();
    let plugin = load.open().unwrap();
    for name in ["convert", "convert_there"] {
        let method = method(&plugin, name);
        let mut calls: Vec<_> = (0..CALLS)
            .map(|_| Box::pin(method.call_async(b"eur").into_future()))
            .collect();
        let mut context = Context::from_waker(Waker::noop());
        for call in &mut calls {
            assert!(call.as_mut().poll(&mut context).is_pending());
        }
        // All are inside before one returns.
        let inside: Vec<_> = (0..CALLS)
            .map(|_| asked.recv_timeout(LIMIT).unwrap())
            .collect();
        for (_, release) in inside {
            release.send(()).unwrap();
        }
        for call in calls {
            assert_eq!(&*ended(call).unwrap(), b"eur");
        }
    }
}

#[test]
fn no_more_functions_run_than_loading_allows() {
    let (load, asked) = load();
    let plugin = load.threads(2).open().unwrap();
    let method = method(&plugin, "convert");
    let mut calls: Vec<_> = (0..6)
        .map(|_| Box::pin(method.call_async(b"eur").into_future()))
        .collect();
    for call in &mut calls {
        let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending());
    }
    for _ in 0..3 {
        let two = [(); 2].map(|()| asked.recv_timeout(LIMIT).unwrap());
        assert!(asked.try_recv().is_err());
        for (_, release) in two {
            release.send(()).unwrap();
        }
    }
    for call in calls {
        assert_eq!(&*ended(call).unwrap(), b"eur");
    }
}

#[test]
fn where_the_caller_waits_the_function_runs_on_its_thread() {
    let (load, asked) = load();
    let plugin = load.open().unwrap();
    let here = thread::current().id();
    let releaser = thread::spawn(move || {
        for (thread, release) in asked {
            assert_eq!(thread, here);
            release.send(()).unwrap();
        }
    });
    for name in ["convert", "plain"] {
        assert_eq!(&*method(&plugin, name).call(b"eur").unwrap(), b"eur");
    }
    plugin.close(LIMIT).unwrap();
    releaser.join().unwrap();
}

#[test]
fn a_short_function_runs_on_the_thread_that_asks() {
    let here = thread::current().id();
    let plugin = linked()
        .service("rates.rate", Codec::Raw, blocking(mpsc::channel().0))
        .service_short(
            "rates.awaited",
            Codec::Raw,
            move |request: &[u8], _: &ServiceCall<'_>| {
                assert_eq!(thread::current().id(), here);
                Ok(request.to_vec())
            },
        )
        .open()
        .unwrap();
    let method = method(&plugin, "convert");
    let mut call = pin!(method.call_async(b"eur").into_future());
    // It's over at once.
    match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => assert_eq!(&*answer.unwrap(), b"eur"),
        Poll::Pending => panic!("it's pending"),
    }
}

#[test]
fn a_function_that_blocks_is_waited_for_when_its_call_was_given_up() {
    let (load, asked) = load();
    let plugin = load.open().unwrap();
    let method = method(&plugin, "convert");
    let mut call = Box::pin(method.call_async(b"eur").into_future());
    let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
    let (_, release) = asked.recv_timeout(LIMIT).unwrap();
    drop(call);
    let handle = plugin.handle();
    let error = plugin.close(Duration::from_millis(20)).unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.StillRunning");
    assert!(error.message().contains("rates.awaited"), "{error}");
    release.send(()).unwrap();
    handles::close(handle, LIMIT).unwrap();
}

#[test]
fn what_a_function_calls_inherits_the_time_of_its_call() {
    let (sender, seen) = mpsc::channel();
    let sender = Mutex::new(sender);
    let plugin = linked()
        .service("rates.rate", Codec::Raw, blocking(mpsc::channel().0))
        .service(
            "rates.awaited",
            Codec::Raw,
            move |request: &[u8], call: &ServiceCall<'_>| {
                sender.lock().unwrap().send(call.timeout()).unwrap();
                Ok(request.to_vec())
            },
        )
        .open()
        .unwrap();
    let method = method(&plugin, "convert");
    let options = CallOptions::new().timeout(Duration::from_secs(100));
    let answer = ended(method.with().options(options.clone()).call_async(b"eur")).unwrap();
    assert_eq!(&*answer.reply, b"eur");
    let left = seen.recv_timeout(LIMIT).unwrap().unwrap();
    assert!(left <= Duration::from_secs(100) && left > Duration::from_secs(50));
}

type CoreResult = std::result::Result<Vec<u8>, rustbridge_core::Error>;

/// The number of each call that a service answered, and the user that its metadata name.
type Told = Receiver<(u64, Option<String>)>;

/// A service that tells of the number and the metadata of its calls.
fn telling() -> (impl Fn(&[u8], &ServiceCall<'_>) -> CoreResult + Clone, Told) {
    let (sender, told) = mpsc::channel();
    let sender = Arc::new(Mutex::new(sender));
    let service = move |request: &[u8], call: &ServiceCall<'_>| {
        let user = call.metadata().get_text("user").map(str::to_owned);
        sender.lock().unwrap().send((call.number(), user)).unwrap();
        Ok(request.to_vec())
    };
    (service, told)
}

#[test]
fn a_service_has_the_number_and_the_metadata_of_its_call() {
    let (service, told) = telling();
    let plugin = linked()
        .service("rates.rate", Codec::Raw, service.clone())
        .service("rates.awaited", Codec::Raw, service)
        .open()
        .unwrap();
    let next = || told.recv_timeout(LIMIT).unwrap();
    let of_ada = (7, Some("ada".to_owned()));
    let options = CallOptions::new().number(7).metadata("user", "ada");
    for name in ["plain", "convert"] {
        let method = method(&plugin, name);
        method.with().options(options.clone()).call(b"eur").unwrap();
        assert_eq!(next(), of_ada, "{name}, blocking");
        let with = || method.with().options(options.clone());
        ended(with().call_async(b"eur")).unwrap();
        assert_eq!(next(), of_ada, "{name}, asynchronous");
        ended(with().offloaded().call_async(b"eur")).unwrap();
        assert_eq!(next(), of_ada, "{name}, offloaded");
        // Nothing of it stays.
        method.call(b"eur").unwrap();
        assert_eq!(next(), (0, None));
        ended(method.call_async(b"eur")).unwrap();
        assert_eq!(next(), (0, None));
    }
    // Alone, and where the plugin doesn't say for which call it asks: the thread of a blocking call knows.
    let there = method(&plugin, "convert_there");
    let numbered = CallOptions::new().number(9);
    let plain = method(&plugin, "plain");
    plain.with().options(numbered.clone()).call(b"eur").unwrap();
    assert_eq!(next(), (9, None));
    ended(there.with().options(numbered).call_async(b"eur")).unwrap();
    assert_eq!(next(), (0, None));
}

#[test]
fn what_a_function_calls_has_no_number_but_its_own() {
    let (service, told) = telling();
    let inner = linked()
        .service("rates.rate", Codec::Raw, service.clone())
        .service("rates.awaited", Codec::Raw, service)
        .open()
        .unwrap();
    let asked = method(&inner, "plain");
    let calls = move |request: &[u8], call: &ServiceCall<'_>| {
        asked.call(request)?;
        let own = CallOptions::new().number(call.number() + 1);
        asked.with().options(own).call(request)?;
        Ok(request.to_vec())
    };
    let outer = linked()
        .service("rates.rate", Codec::Raw, calls)
        .service("rates.awaited", Codec::Raw, calls)
        .open()
        .unwrap();
    let options = CallOptions::new().number(20);
    for name in ["plain", "convert"] {
        ended(
            method(&outer, name)
                .with()
                .options(options.clone())
                .call_async(b"eur"),
        )
        .unwrap();
        let numbers = [(); 2].map(|()| told.recv_timeout(LIMIT).unwrap().0);
        assert_eq!(numbers, [0, 21], "{name}");
    }
}

#[test]
fn the_error_of_a_call_has_the_hosts_own_error_behind_it() {
    let missing = |_: &[u8], _: &ServiceCall<'_>| {
        let none = std::io::Error::other("no rates file");
        let error = rustbridge_core::Error::failure(Status::Unavailable, "no rates");
        Err::<Vec<u8>, _>(error.with_source(none))
    };
    let plugin = linked()
        .service("rates.rate", Codec::Raw, missing)
        .service("rates.awaited", Codec::Raw, missing)
        .open()
        .unwrap();
    for name in ["plain", "convert", "typed"] {
        let method = method(&plugin, name);
        let called = method.call(b"eur").unwrap_err();
        let awaited = ended(method.call_async(b"eur")).unwrap_err();
        for error in [called, awaited] {
            assert_eq!(error.message(), "no rates");
            let source = std::error::Error::source(&error).unwrap();
            let source = source.downcast_ref::<std::io::Error>().unwrap();
            assert_eq!(source.to_string(), "no rates file");
        }
    }
}

#[test]
fn an_answer_that_comes_too_late_is_none() {
    let (load, asked) = load();
    let plugin = load.open().unwrap();
    let releaser = thread::spawn(move || {
        for (_, release) in asked {
            // Longer than each call has.
            thread::sleep(Duration::from_millis(30));
            let _ = release.send(());
        }
    });
    let options = CallOptions::new().timeout(Duration::from_millis(20));
    for name in ["plain", "convert"] {
        let method = method(&plugin, name);
        let error = method
            .with()
            .options(options.clone())
            .call(b"eur")
            .unwrap_err();
        assert_eq!(error.status(), Status::DeadlineExceeded, "{name}");
        let error = ended(method.with().options(options.clone()).call_async(b"eur")).unwrap_err();
        assert_eq!(error.status(), Status::DeadlineExceeded, "{name}");
        // One without an end isn't late.
        assert_eq!(&*method.call(b"eur").unwrap(), b"eur");
    }
    plugin.close(LIMIT).unwrap();
    releaser.join().unwrap();
}

#[test]
fn nothing_of_an_offloaded_call_runs_where_it_is_begun() {
    let (load, _asked) = load();
    let plugin = load.open().unwrap();
    let here = name();
    let compute = method(&plugin, "compute");
    let begun_here = ended(compute.call_async(b"")).unwrap();
    assert_eq!(&*begun_here, here.as_bytes());
    let answer = ended(compute.with().offloaded().call_async(b"")).unwrap();
    assert_eq!(&*answer.reply, b"converter-async");
    for name in ["stream", "iterate"] {
        let method = plugin.method(name, Codec::Json).unwrap();
        let mut items = method.with().offloaded().stream(b"null").iterate();
        for _ in 0..2 {
            let item = items.next().unwrap().unwrap();
            assert_eq!(&*item, br#""converter-async""#, "{name}");
        }
    }
}
