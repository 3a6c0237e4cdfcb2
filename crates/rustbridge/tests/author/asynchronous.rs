//! Async handlers.
#![cfg(feature = "async")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_abi::RB_LOG_INFO;
use serde_json::json;

use crate::host::{Loaded, Options};

#[derive(Default)]
struct Later {
    released: AtomicBool,
}

#[derive(Message, Pod)]
#[repr(C)]
struct Number {
    value: u64,
}

#[plugin(name = "later", export = false)]
impl Later {
    pub async fn double(&self, request: &Number) -> Number {
        tokio::time::sleep(Duration::from_millis(1)).await;
        Number {
            value: request.value * 2,
        }
    }

    pub async fn spawned(&self, call: &Call<'_>) -> Result<Vec<String>> {
        let name = || std::thread::current().name().unwrap_or_default().to_owned();
        info!("before");
        let task = tokio::spawn(async move {
            info!("in a task");
            name()
        });
        let worker = task
            .await
            .map_err(|error| Error::internal(error.to_string()))?;
        info!("after");
        Ok(vec![worker, call.method().to_owned()])
    }

    pub async fn waits(&self) {
        while !self.released.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    pub fn release(&self) {
        self.released.store(true, Ordering::Relaxed);
    }

    pub async fn boom(&self) {
        tokio::task::yield_now().await;
        panic!("boom, later")
    }

    pub async fn boom_in_task(&self) -> Result<()> {
        let task = tokio::spawn(async { panic!("boom, in a task") });
        task.await
            .map_err(|error| Error::new(Status::Aborted, error.to_string()))
    }

    pub async fn abandon(&self) {
        tokio::spawn(std::future::pending::<()>());
        tokio::task::spawn_blocking(|| std::thread::sleep(Duration::from_millis(20)));
    }
}

fn later() -> Loaded {
    Loaded::with::<Later>(&Options {
        level: RB_LOG_INFO,
        ..Options::default()
    })
}

#[test]
fn an_async_handler_answers_in_every_encoding() {
    let later = later();
    assert_eq!(
        later.json("double", r#"{"value":21}"#).json(),
        json!({"value": 42})
    );
    let answer = later.call("double", Encoding::Pod, &21_u64.to_ne_bytes());
    assert_eq!(answer.bytes, 42_u64.to_ne_bytes());
    assert_eq!(
        later.described("double", Encoding::Json).unwrap()["async"],
        true
    );
    assert_eq!(
        later.described("release", Encoding::Json).unwrap()["async"],
        false
    );
}

#[test]
fn what_a_task_says_is_the_instances_and_so_is_its_thread() {
    let (later, other) = (later(), later());
    assert_eq!(
        later.json("spawned", "").json(),
        json!(["later-async", "spawned"])
    );
    let logged = later.logged();
    let messages: Vec<_> = logged
        .iter()
        .map(|record| record.message.as_str())
        .collect();
    assert_eq!(messages, ["before", "in a task", "after"]);
    assert_eq!(logged[1].thread, "later-async");
    assert!(other.logged().is_empty());
}

#[test]
fn async_calls_run_side_by_side() {
    let later = later();
    std::thread::scope(|scope| {
        let waiting: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| later.json("waits", "")))
            .collect();
        let _ = later.json("release", "");
        for call in waiting {
            assert_eq!(call.join().unwrap().status, Status::Ok);
        }
    });
}

#[test]
fn a_panic_after_an_await_is_a_response() {
    let later = later();
    let answer = later.json("boom", "");
    assert!(answer.panicked);
    assert_eq!(answer.json()["message"], "boom, later");
    assert_eq!(later.logged()[0].target, "later::panic");
    assert_eq!(
        later.json("double", r#"{"value":1}"#).json(),
        json!({"value": 2})
    );
}

#[test]
fn a_panic_in_a_task_is_logged_and_the_handlers_to_answer() {
    let later = later();
    let answer = later.json("boom_in_task", "");
    assert_eq!((answer.status, answer.panicked), (Status::Aborted, false));
    let logged = later.logged();
    assert_eq!(
        (logged[0].message.as_str(), logged[0].thread.as_str()),
        ("boom, in a task", "later-async")
    );
}

#[test]
fn an_async_handler_runs_and_an_instance_ends_inside_another_runtime_too() {
    let later = later();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (answer, destroyed) = runtime.block_on(async {
        let answer = later.json("double", r#"{"value":4}"#);
        (answer, later.destroy())
    });
    assert_eq!(answer.json(), json!({"value": 8}));
    assert_eq!(destroyed.status, Status::Ok);
}

#[test]
fn abandoned_tasks_end_with_their_instance() {
    let later = later();
    assert_eq!(later.json("abandon", "").status, Status::Ok);
    assert_eq!(later.destroy().status, Status::Ok);
}

#[test]
fn an_async_handler_is_tested_without_an_abi() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let doubled = runtime.block_on(Later::default().double(&Number { value: 5 }));
    assert_eq!(doubled.value, 10);
}
