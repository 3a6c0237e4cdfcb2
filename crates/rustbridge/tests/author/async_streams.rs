//! Streams that a runtime polls, and the runtime itself.
#![cfg(feature = "async")]

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_abi::{RB_CANCELLED, RB_INTERNAL, RB_OK};
use serde_json::json;

use crate::host::Loaded;
use crate::host::operations::How;

const ALL: u64 = 1 << 40;

/// Some items at once and then, after a while, some more.
struct Bursts<T> {
    bursts: VecDeque<Vec<T>>,
    now: VecDeque<T>,
    timer: Pin<Box<tokio::time::Sleep>>,
    dropped: Arc<AtomicUsize>,
}

impl<T> Bursts<T> {
    fn of(bursts: impl IntoIterator<Item = Vec<T>>, dropped: &Arc<AtomicUsize>) -> Bursts<T> {
        Bursts {
            bursts: bursts.into_iter().collect(),
            now: VecDeque::new(),
            timer: Box::pin(tokio::time::sleep(Duration::from_millis(1))),
            dropped: dropped.clone(),
        }
    }
}

impl<T> Unpin for Bursts<T> {}

impl<T> Stream for Bursts<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        loop {
            if let Some(item) = self.now.pop_front() {
                return Poll::Ready(Some(item));
            }
            if self.bursts.is_empty() {
                return Poll::Ready(None);
            }
            std::task::ready!(self.timer.as_mut().poll(context));
            self.now = self.bursts.pop_front().unwrap_or_default().into();
            self.timer = Box::pin(tokio::time::sleep(Duration::from_millis(1)));
        }
    }
}

impl<T> Drop for Bursts<T> {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Default)]
struct Streams {
    dropped: Arc<AtomicUsize>,
    is_open: AtomicBool,
}

#[derive(Message, Pod)]
#[repr(C)]
struct Number {
    value: u64,
}

#[plugin(name = "streams", export = false)]
impl Streams {
    pub fn ticks(&self, upto: &Number) -> impl Stream<Item = Number> {
        let upto = upto.value;
        let bursts = (0..upto)
            .map(move |first| vec![Number { value: first }, Number { value: 100 + first }]);
        Bursts::of(bursts, &self.dropped)
    }

    pub fn fails(&self, text: String) -> Result<impl Stream<Item = Result<String>>> {
        if text.is_empty() {
            return Err(Error::invalid_argument("no text"));
        }
        let items = vec![
            Ok(text),
            Err(Error::new(Status::DataLoss, "it broke")),
            Ok("never".into()),
        ];
        Ok(Bursts::of([items], &self.dropped))
    }

    pub fn panics(&self) -> impl Stream<Item = u32> {
        struct Panics(u32);

        impl Stream for Panics {
            type Item = u32;

            fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u32>> {
                self.0 += 1;
                assert!(self.0 < 3, "boom, in the stream");
                Poll::Ready(Some(self.0))
            }
        }

        Panics(0)
    }

    pub fn endless(&self) -> impl Stream<Item = u64> {
        struct Endless(u64);

        impl Stream for Endless {
            type Item = u64;

            fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u64>> {
                self.0 += 1;
                Poll::Ready(Some(self.0))
            }
        }

        Endless(0)
    }

    pub async fn sum(
        &self,
        start: Number,
        mut items: Items<Number>,
        call: &Call<'_>,
    ) -> Result<Number> {
        let mut value = start.value;
        while let Some(item) = items.next().await {
            assert_eq!(call.method(), "sum");
            value += item?.value;
        }
        Ok(Number { value })
    }

    /// A stream is a stream both ways.
    pub fn echo(&self, items: Items<String>) -> impl Stream<Item = Result<String>> {
        items
    }

    pub async fn open(&self) {
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.is_open.store(true, Ordering::SeqCst);
    }

    pub async fn waits(&self) -> bool {
        while !self.is_open.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        true
    }
}

#[test]
fn a_stream_is_polled_while_there_is_credit_and_sends_what_is_ready_at_once() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin.start_json("ticks", r#"{"value":3}"#).pending();
    stream.demand(1, ALL);
    assert_eq!(stream.items(1), [r#"{"value":0}"#]);
    stream.demand(ALL, ALL);
    assert_eq!(stream.wait().status, Status::Ok);
    let (items, batches) = stream.so_far();
    assert_eq!(items.len(), 6);
    // Each burst is one batch, unless credit came between; two may be one that were ready at once.
    assert!(batches <= 4, "{batches}");
    let pods = plugin
        .start("ticks", Encoding::Pod, &2_u64.to_ne_bytes())
        .pending();
    pods.demand(ALL, ALL);
    assert_eq!(pods.wait().status, Status::Ok);
    assert_eq!(pods.so_far().0[3], 101_u64.to_ne_bytes());
    let entry = plugin.described("ticks", Encoding::Pod).unwrap();
    assert_eq!(entry["kind"], "server_stream");
}

#[test]
fn an_error_in_the_middle_ends_it_and_so_does_a_panic() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin.start_json("fails", r#""first""#).pending();
    stream.demand(ALL, ALL);
    assert_eq!(stream.wait().status, Status::DataLoss);
    assert_eq!(stream.items(1), [r#""first""#]);
    assert_eq!(
        plugin.start_json("fails", r#""""#).over().status,
        Status::InvalidArgument
    );
    let stream = plugin.start_json("panics", "").pending();
    stream.demand(ALL, ALL);
    assert!(stream.wait().panicked);
    assert_eq!(stream.items(2), ["1", "2"]);
}

#[test]
fn a_stream_that_is_always_ready_lets_others_have_the_thread() {
    let plugin = Loaded::new::<Streams>();
    let stream = plugin.start_json("endless", "").pending();
    stream.demand(ALL, ALL);
    assert_eq!(
        plugin.start_json("open", "").pending().wait().status,
        Status::Ok
    );
    stream.refuse(RB_CANCELLED);
    assert_eq!(stream.wait().status, Status::Cancelled);
    let stream = plugin.start_json("endless", "").pending();
    stream.demand(ALL, ALL);
    stream.cancel(RB_CANCELLED);
    assert_eq!(stream.wait().status, Status::Cancelled);
}

#[test]
fn a_stream_ends_when_its_time_is_over_whether_or_not_anybody_asks() {
    let plugin = Loaded::new::<Streams>();
    let how = How {
        timeout: Some(Duration::from_millis(5)),
        ..How::default()
    };
    let stream = plugin
        .start_with("ticks", r#"{"value":1000}"#, how)
        .pending();
    assert_eq!(stream.wait().status, Status::DeadlineExceeded);
    let stream = plugin.start_with("endless", "", how).pending();
    stream.demand(ALL, ALL);
    assert_eq!(stream.wait().status, Status::DeadlineExceeded);
}

#[test]
fn an_async_handler_takes_items_as_they_come() {
    let plugin = Loaded::new::<Streams>();
    let sum = plugin.start_json("sum", r#"{"value":5}"#).pending();
    for value in 0..100 {
        sum.push(&[format!(r#"{{"value":{value}}}"#).as_bytes()]);
    }
    sum.push_end(RB_OK, b"");
    assert_eq!(sum.wait().json(), json!({"value": 4955}));
    assert!(sum.asked().0 >= 64 + 96);
    let broken = plugin.start_json("sum", r#"{"value":5}"#).pending();
    broken.push_end(RB_INTERNAL, b"gone");
    assert_eq!(broken.wait().json()["message"], "gone");
    let cancelled = plugin.start_json("sum", r#"{"value":5}"#).pending();
    cancelled.cancel(RB_CANCELLED);
    assert_eq!(cancelled.wait().status, Status::Cancelled);
    cancelled.push(&[b"late"]);
    let wrong = plugin.start_json("sum", "5").over();
    assert_eq!(wrong.status, Status::InvalidArgument);
}

#[test]
fn a_stream_is_a_stream_both_ways() {
    let plugin = Loaded::new::<Streams>();
    let echo = plugin.start_json("echo", "").pending();
    echo.demand(3, ALL);
    echo.push(&[br#""a""#, br#""b""#]);
    assert_eq!(echo.items(2), [r#""a""#, r#""b""#]);
    echo.push(&[br#""c""#, br#""d""#]);
    assert_eq!(echo.items(3).len(), 3);
    echo.push_end(RB_OK, b"");
    echo.demand(2, 0);
    assert_eq!(echo.wait().status, Status::Ok);
    assert_eq!(echo.items(4).len(), 4);
}

#[test]
fn pushes_demands_and_cancels_race_and_nothing_is_lost_or_told_twice() {
    let plugin = Loaded::new::<Streams>();
    for round in 0..60_u64 {
        let echo = plugin.start_json("echo", "").pending();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..20 {
                    echo.push(&[br#""x""#]);
                }
                echo.push_end(RB_OK, b"");
            });
            scope.spawn(|| {
                for _ in 0..21 {
                    echo.demand(1, 100);
                }
            });
            if round % 2 == 0 {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_micros(round * 10));
                    echo.cancel(RB_CANCELLED);
                });
            }
        });
        let status = echo.wait().status;
        if round % 2 == 1 {
            assert_eq!(status, Status::Ok);
            assert_eq!(echo.items(20).len(), 20);
        }
    }
}

/// One that calls itself, as a service would: the worker that waits is the only one.
#[derive(Default)]
struct Nested {
    itself: OnceLock<usize>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

#[plugin(name = "nested", export = false, workers = 1)]
impl Nested {
    // On the worker from its first poll on.
    #[method(spawn)]
    pub async fn outer(&self) -> Result<String> {
        let _ = self.itself.get();
        let answer = LOADED.get().map(|loaded| loaded.json("inner", ""));
        Ok(answer
            .map(|answer| answer.text().to_owned())
            .unwrap_or_default())
    }

    pub async fn inner(&self) -> Result<u32> {
        let task = tokio::spawn(async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            7
        });
        task.await
            .map_err(|error| Error::internal(error.to_string()))
    }
}

#[test]
fn a_wait_on_the_only_worker_lets_another_take_over() {
    let plugin = LOADED.get_or_init(Loaded::new::<Nested>);
    let outer = plugin.start_json("outer", "").pending();
    assert_eq!(outer.wait().json(), json!("7"));
}

#[derive(Default)]
struct Several;

#[plugin(name = "several", export = false, workers = 3)]
impl Several {
    pub async fn workers(&self) -> usize {
        tokio::runtime::Handle::current().metrics().num_workers()
    }
}

struct Brings {
    runtime: tokio::runtime::Runtime,
}

#[plugin(name = "brings", export = false, runtime = Self::handle)]
impl Brings {
    pub fn create() -> Result<Brings> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let builder = builder.worker_threads(2).thread_name("brought");
        let runtime = builder.enable_all().build();
        Ok(Brings {
            runtime: runtime.map_err(|error| Error::internal(error.to_string()))?,
        })
    }

    fn handle(&self) -> tokio::runtime::Handle {
        self.runtime.handle().clone()
    }

    #[method(spawn)]
    pub async fn thread(&self) -> String {
        std::thread::current().name().unwrap_or_default().to_owned()
    }

    pub async fn never(&self) {
        std::future::pending::<()>().await;
    }
}

#[test]
fn an_author_says_how_many_workers_or_brings_a_runtime() {
    let plugin = Loaded::new::<Several>();
    assert_eq!(plugin.start_json("workers", "").over().json(), json!(3));
    let plugin = Loaded::new::<Brings>();
    let thread = plugin.start_json("thread", "").pending();
    assert_eq!(thread.wait().json(), json!("brought"));
    let never = plugin.start_json("never", "").pending();
    never.cancel(RB_CANCELLED);
    assert_eq!(never.wait().status, Status::Cancelled);
}

#[test]
fn handlers_are_tested_as_what_they_are() {
    fn ready<F: Future>(future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        match future
            .as_mut()
            .poll(&mut Context::from_waker(std::task::Waker::noop()))
        {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("not ready"),
        }
    }
    let streams = Streams::default();
    let items = Items::from_iter([Number { value: 1 }, Number { value: 2 }]);
    let call = rustbridge::testing::call().method("sum").build();
    let sum = ready(streams.sum(Number { value: 3 }, items, &call));
    assert_eq!(sum.unwrap().value, 6);
    let mut echo = std::pin::pin!(streams.echo(Items::from_iter(["a".to_owned()])));
    let next = std::future::poll_fn(|context| echo.as_mut().poll_next(context));
    assert_eq!(ready(next).unwrap().unwrap(), "a");
}
