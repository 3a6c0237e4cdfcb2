//! Calls that end later, and streams.

use std::future::{self, Future};
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use bytemuck::{bytes_of, bytes_of_mut, cast_slice};
use rustbridge_core::Encoding::{Json, Pod, Raw};
use rustbridge_core::Status;
use tokio::sync::oneshot;
use work::{Tick, Value};

use super::subjects::BENCH;
use crate::executor::{Executor, runtime};
use crate::floor::Floor;
use crate::scenario::method;
use crate::{FLOOR, Scenario, Subject};

/// How many items a stream has, and how many of them may be on their way.
const ITEMS: u64 = 100_000;
const WINDOW: u64 = 1024;
const WINDOW_BYTES: u64 = 1 << 20;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        plain(),
        ready().single(),
        pending("pending alone", 1).single(),
        pending("pending 64 in flight", 64),
        cancel().single(),
        pods(),
        objects(),
    ]
}

/// The bare function, which never waits.
fn answer_by_hand(floor: Floor) -> Subject {
    Subject::new(move || {
        move || {
            let mut answer = 0i32;
            floor.call(bytes_of(&black_box(23i32)), bytes_of_mut(&mut answer));
            assert_eq!(answer, 64);
        }
    })
}

fn plain() -> Scenario {
    Scenario::new("plain call", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "plain", Pod);
            Subject::new(move || {
                move || {
                    let answer = method.call_pod::<i32, i32>(&black_box(23));
                    assert_eq!(answer.expect("the call works"), 64);
                }
            })
        })
        .floor("answer", answer_by_hand)
}

fn ready() -> Scenario {
    Scenario::new("ready", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "ready", Pod);
            Subject::new(move || {
                let mut context = Context::from_waker(Waker::noop());
                move || {
                    let request = black_box(23);
                    let mut call = method.call_pod_async::<i32, i32>(&request).begin();
                    match Pin::new(&mut call).poll(&mut context) {
                        Poll::Ready(answer) => assert_eq!(answer.expect("the call works"), 64),
                        Poll::Pending => panic!("it waits"),
                    }
                }
            })
        })
        .floor("answer", answer_by_hand)
}

/// So many begun, and then awaited one after the other.
fn pending(name: &'static str, most: u64) -> Scenario {
    Scenario::new(name, BENCH)
        .ours(move |plugin| {
            let method = method(plugin, "later", Pod);
            Subject::grouped(most, move || {
                let (executor, mut calls) = (Executor::new(), Vec::with_capacity(most as usize));
                move |count| {
                    let begin = || method.call_pod_async::<i32, i32>(&black_box(23)).begin();
                    calls.extend((0..count).map(|_| begin()));
                    for call in calls.drain(..) {
                        assert_eq!(executor.block_on(call).expect("the call works"), 64);
                    }
                }
            })
        })
        .with(FLOOR, move |_| {
            Subject::grouped(most, move || {
                let (executor, mut calls) = (Executor::new(), Vec::with_capacity(most as usize));
                move |count| {
                    calls.extend((0..count).map(|_| spawned(black_box(23))));
                    for call in calls.drain(..) {
                        assert_eq!(executor.block_on(call).expect("the task ends"), 64);
                    }
                }
            })
        })
}

/// By hand it's a task, and a channel for its answer.
fn spawned(value: i32) -> oneshot::Receiver<i32> {
    let (sender, receiver) = oneshot::channel();
    runtime().spawn(async move {
        tokio::task::yield_now().await;
        // Somebody waits for it, or nobody cares.
        let _ = sender.send(work::answer(&Value { value }).value);
    });
    receiver
}

fn cancel() -> Scenario {
    Scenario::new("cancel", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "never", Raw);
            Subject::new(move || {
                let executor = Executor::new();
                move || {
                    let call = method.call_async(b"").begin();
                    call.canceller().cancel();
                    let error = executor.block_on(call).expect_err("it never ends");
                    assert_eq!(error.status(), Status::Cancelled);
                }
            })
        })
        .with(FLOOR, |_| {
            Subject::new(|| {
                let executor = Executor::new();
                move || {
                    let task = runtime().spawn(future::pending::<()>());
                    task.abort();
                    let error = executor.block_on(task).expect_err("it never ends");
                    assert!(error.is_cancelled());
                }
            })
        })
}

/// By hand a batch is fetched a call, of as many items as ours may be on their way.
fn pods() -> Scenario {
    Scenario::new("stream of pods", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "count", Pod);
            Subject::grouped(ITEMS, move || {
                move |count| {
                    let items = method.stream(bytes_of(&count));
                    let mut next = 0;
                    let items = items.window(WINDOW, WINDOW_BYTES).iterate();
                    for number in items.pods::<u64>() {
                        assert_eq!(number.expect("it's whole"), next);
                        next += 1;
                    }
                    assert_eq!(next, count);
                }
            })
        })
        .floor("count", |floor| {
            Subject::grouped(ITEMS, move || {
                let mut storage = [0u64; WINDOW as usize];
                move |count| {
                    let mut next = 0;
                    while next < count {
                        let storage: &mut [u8] = bytemuck::cast_slice_mut(&mut storage);
                        let len = floor.call(bytes_of(&[next, count]), storage);
                        for number in cast_slice::<u8, u64>(&storage[..len]) {
                            assert_eq!(*number, next);
                            next += 1;
                        }
                    }
                }
            })
        })
}

/// By hand an item is fetched a call.
fn objects() -> Scenario {
    Scenario::new("stream of JSON", BENCH)
        .ours(|plugin| {
            let method = method(plugin, "ticks", Json);
            Subject::grouped(ITEMS, move || {
                move |count| {
                    let items = method.stream(count.to_string().as_bytes());
                    let mut next = 0;
                    for item in items.window(WINDOW, WINDOW_BYTES).iterate() {
                        let tick: Tick = item.and_then(|item| item.json()).expect("it's whole");
                        assert_eq!(black_box(tick).number, next);
                        next += 1;
                    }
                    assert_eq!(next, count);
                }
            })
        })
        .floor("ticks", |floor| {
            Subject::grouped(ITEMS, move || {
                let mut storage = [0; 128];
                move |count| {
                    for next in 0..count {
                        let len = floor.call(bytes_of(&[next, count]), &mut storage);
                        let tick: Tick = serde_json::from_slice(&storage[..len]).expect("JSON");
                        assert_eq!(black_box(tick).number, next);
                    }
                }
            })
        })
}
