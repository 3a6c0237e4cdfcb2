//! The author's operations as the core drives them: a plugin that's linked in, and a queue.
#![cfg(feature = "async")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls, everywhere here"
)]

use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_abi::{
    Batch, CallContext, Op, RB_CANCELLED, RB_CONTEXT_TIMEOUT, RB_DEADLINE_EXCEEDED, RB_OK,
    RB_PENDING, Response, StatusCode,
};
use rustbridge_core::operations::{self, Event, EventKind, Submission};
use rustbridge_core::{Handle, Load, handles};

const LONG: Duration = Duration::from_secs(30);

#[derive(Default)]
struct Counter(std::sync::atomic::AtomicU64);

#[object]
impl Counter {
    pub async fn add(&self, number: u64) -> u64 {
        tokio::task::yield_now().await;
        self.0
            .fetch_add(number, std::sync::atomic::Ordering::Relaxed)
            + number
    }

    pub fn upto(&self, end: u64) -> impl Iterator<Item = u64> {
        let start = self.0.load(std::sync::atomic::Ordering::Relaxed);
        start..end
    }
}

#[derive(Default)]
struct Works;

#[plugin(name = "works", objects(Counter), export = false)]
impl Works {
    pub async fn later(&self, text: String, call: &Call<'_>) -> String {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let _ = call.trailers().append("how", "late");
        format!("{text}, later")
    }

    pub async fn now(&self, text: String) -> String {
        text
    }

    pub async fn never(&self) {
        std::future::pending::<()>().await;
    }

    pub async fn boom(&self) {
        tokio::task::yield_now().await;
        panic!("boom, later");
    }

    pub fn countdown(&self, from: u64) -> impl Iterator<Item = u64> {
        (0..from).rev()
    }

    pub async fn sum(&self, mut items: Items<u64>) -> Result<u64> {
        let mut sum = 0;
        while let Some(item) = items.next().await {
            sum += item?;
        }
        Ok(sum)
    }

    pub fn double(&self, items: Items<u64>) -> impl Stream<Item = Result<u64>> {
        struct Double(Items<u64>);

        impl Stream for Double {
            type Item = Result<u64>;

            fn poll_next(
                mut self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Option<Result<u64>>> {
                let next = std::pin::Pin::new(&mut self.0).poll_next(context);
                next.map(|item| item.map(|item| item.map(|number| number * 2)))
            }
        }

        Double(items)
    }

    pub async fn open(&self) -> Object<Counter> {
        tokio::task::yield_now().await;
        Object::default()
    }

    pub fn counters(&self, count: u64) -> impl Iterator<Item = Object<Counter>> {
        (0..count).map(|_| Object::default())
    }
}

struct Loaded {
    handle: Handle,
    queue: u64,
}

fn works() -> Loaded {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Works>(), "works") };
    Loaded {
        handle: handles::load(load).unwrap(),
        queue: operations::new_queue().unwrap(),
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let _ = operations::close_queue(self.queue);
        let closed = handles::close(self.handle, LONG);
        if !std::thread::panicking() {
            closed.unwrap();
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

impl Loaded {
    fn submit_with(
        &self,
        method: &str,
        request: &str,
        demand: (u64, u64),
        header: Option<&CallContext>,
    ) -> (StatusCode, Op, String) {
        let entry = handles::prepare(self.handle, method, Encoding::Json)
            .unwrap()
            .entry;
        let mut submission = Submission::of(self.handle, entry, request.as_bytes());
        submission.demand = demand;
        if let Some(header) = header {
            submission = submission.header(header);
        }
        let mut response = Response::empty();
        let (status, op) = unsafe { operations::submit(self.queue, submission, &mut response) };
        let bytes = if response.len == 0 {
            String::new()
        } else {
            text(unsafe { std::slice::from_raw_parts(response.data, response.len) })
        };
        unsafe { handles::release(&mut response) };
        (status, op, bytes)
    }

    fn pending(&self, method: &str, request: &str) -> Op {
        let (status, op, text) = self.submit_with(method, request, (1000, 1 << 20), None);
        assert_eq!(status, RB_PENDING, "{text}");
        op
    }

    fn next(&self) -> Event {
        let mut found = None;
        operations::next(
            self.queue,
            1,
            LONG,
            || usize::MAX,
            |event| found = Some(event),
        )
        .unwrap();
        found.expect("an event in time")
    }

    /// The end of the one that's pending, with the items before it, and what objects came.
    fn end(&self) -> (StatusCode, String, Vec<String>, Vec<u64>) {
        let mut items = Vec::new();
        let mut objects = Vec::new();
        loop {
            match self.next().kind {
                EventKind::Items {
                    count,
                    flags,
                    bytes,
                    objects: with,
                } => {
                    items.extend(split(count, flags, &bytes));
                    objects.extend(with);
                }
                EventKind::Done {
                    status,
                    response,
                    objects: with,
                    ..
                } => {
                    objects.extend(with);
                    return (status, text(response.bytes()), items, objects);
                }
                _ => {}
            }
        }
    }

    fn write(&self, op: Op, item: &str) {
        let batch = Batch {
            data: item.as_ptr(),
            len: item.len(),
            count: 1,
            ..Batch::EMPTY
        };
        loop {
            match unsafe { operations::write(op, &batch) } {
                Ok(()) => return,
                // It's asked for when the plugin has taken what was before.
                Err(error) if error.status() == Status::ResourceExhausted => {
                    std::thread::yield_now();
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn split(count: u32, flags: u32, bytes: &[u8]) -> Vec<String> {
    let count = count as usize;
    if flags == 0 {
        let length = bytes.len() / count;
        return bytes.chunks(length.max(1)).map(text).collect();
    }
    let (items, ends) = bytes.split_at(bytes.len() - 4 * count);
    let mut at = 0;
    let ends = ends.chunks_exact(4);
    ends.map(|end| {
        let end = u32::from_ne_bytes(end.try_into().unwrap()) as usize;
        let item = text(&items[at..end]);
        at = end;
        item
    })
    .collect()
}

#[test]
fn an_async_handler_is_answered_at_once_or_later() {
    let works = works();
    let (status, op, answer) = works.submit_with("now", r#""x""#, (0, 0), None);
    assert_eq!((status, op, &*answer), (RB_OK, 0, r#""x""#));
    works.pending("later", r#""x""#);
    let event = works.next();
    let EventKind::Done {
        status,
        response,
        trailers,
        ..
    } = event.kind
    else {
        panic!("{event:?}")
    };
    assert_eq!((status, &*text(response.bytes())), (RB_OK, r#""x, later""#));
    assert!(!trailers.bytes().is_empty());
    works.pending("boom", "");
    let (status, answer, ..) = works.end();
    assert_eq!(Status::from_code(status), Status::Internal);
    assert!(answer.contains("boom, later"), "{answer}");
}

#[test]
fn one_that_never_ends_is_cancelled_or_late_or_detached() {
    let works = works();
    let op = works.pending("never", "");
    operations::cancel(op).unwrap();
    assert_eq!(works.end().0, RB_CANCELLED);
    let header = CallContext {
        flags: RB_CONTEXT_TIMEOUT,
        timeout_ns: 5_000_000,
        ..CallContext::EMPTY
    };
    let (status, ..) = works.submit_with("never", "", (0, 0), Some(&header));
    assert_eq!(status, RB_PENDING);
    assert_eq!(works.end().0, RB_DEADLINE_EXCEEDED);
    for _ in 0..10 {
        operations::detach(works.pending("never", "")).unwrap();
    }
}

#[test]
fn streams_go_out_in_and_both_ways() {
    let works = works();
    works.pending("countdown", "4");
    let (status, _, items, _) = works.end();
    assert_eq!(
        (status, items),
        (
            RB_OK,
            vec!["3".to_owned(), "2".into(), "1".into(), "0".into()]
        )
    );
    let op = works.pending("countdown", "100000000");
    operations::cancel(op).unwrap();
    assert_eq!(works.end().0, RB_CANCELLED);

    let op = works.pending("sum", "");
    for number in 0..300 {
        works.write(op, &number.to_string());
    }
    operations::end_sending(op, RB_OK, b"").unwrap();
    let (status, sum, ..) = works.end();
    assert_eq!((status, &*sum), (RB_OK, "44850"));

    let op = works.pending("double", "");
    for number in 0..300 {
        works.write(op, &number.to_string());
    }
    operations::end_sending(op, RB_OK, b"").unwrap();
    let (status, _, items, _) = works.end();
    assert_eq!(status, RB_OK);
    assert_eq!(items.len(), 300);
    assert_eq!(items[299], "598");
}

#[test]
fn objects_come_with_answers_and_items_and_have_methods_that_end_later() {
    let works = works();
    works.pending("open", "");
    let (status, answer, _, objects) = works.end();
    assert_eq!((status, &*answer, objects.len()), (RB_OK, "0", 1));
    let header = CallContext {
        objects: objects.as_ptr(),
        object_count: 1,
        ..CallContext::EMPTY
    };
    let (status, _, answer) = works.submit_with("Counter.add", "5", (0, 0), Some(&header));
    assert_eq!(status, RB_PENDING, "{answer}");
    assert_eq!(works.end().1, "5");
    let (status, _, answer) = works.submit_with("Counter.upto", "8", (9, 99), Some(&header));
    assert_eq!(status, RB_PENDING, "{answer}");
    assert_eq!(works.end().2, ["5", "6", "7"]);
    works.pending("counters", "3");
    let (status, _, items, objects) = works.end();
    assert_eq!((status, items.len(), objects.len()), (RB_OK, 3, 3));
}

#[test]
fn closing_waits_for_what_is_pending() {
    let works = works();
    works.pending("later", r#""x""#);
    assert_eq!(works.end().0, RB_OK);
    let op = works.pending("never", "");
    assert!(handles::close(works.handle, Duration::from_millis(20)).is_err());
    operations::cancel(op).unwrap();
    assert_eq!(works.end().0, RB_CANCELLED);
}
