//! Calls that end later, driven by a host of a few lines.
#![cfg(feature = "async")]

use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_abi::{RB_CANCELLED, RB_DEADLINE_EXCEEDED, RB_UNAVAILABLE};
use serde_json::json;

use crate::host::Loaded;
use crate::host::operations::How;

#[derive(Default)]
struct Later {
    is_open: AtomicBool,
    held: Arc<AtomicBool>,
    dropped: Arc<AtomicUsize>,
    said: Mutex<Vec<String>>,
}

#[derive(Message, Pod)]
#[repr(C)]
struct Number {
    value: u64,
}

#[derive(Message)]
struct Text<'a> {
    #[serde(borrow)]
    text: std::borrow::Cow<'a, str>,
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A lock whose guard goes from thread to thread.
struct Lock(Arc<AtomicBool>);

impl Lock {
    async fn of(held: &Arc<AtomicBool>) -> Lock {
        while held.swap(true, Ordering::AcqRel) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Lock(held.clone())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("boom, when dropped");
    }
}

#[plugin(name = "later", export = false)]
impl Later {
    pub async fn at_once(&self, request: &Number) -> Number {
        Number {
            value: request.value * 2,
        }
    }

    pub async fn sleeps(&self, request: Number) -> Result<Number> {
        // However slow this thread is, the first poll is pending.
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        if request.value == 0 {
            return Err(Error::invalid_argument("nothing to double").with_type("Zero"));
        }
        Ok(Number {
            value: request.value * 2,
        })
    }

    /// What's borrowed from the request must be there after the first poll.
    pub async fn borrows<'r>(&self, request: Text<'r>, call: &Call<'_>) -> Text<'r> {
        while !self.is_open.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(call.method(), "borrows");
        request
    }

    pub async fn raw<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        tokio::task::yield_now().await;
        request
    }

    pub fn open(&self) {
        self.is_open.store(true, Ordering::Relaxed);
    }

    pub async fn holds(&self) {
        let _counted = Counted(self.dropped.clone());
        let _held = Lock::of(&self.held).await;
        pending::<()>().await;
    }

    pub fn is_free(&self) -> bool {
        !self.held.load(Ordering::Relaxed)
    }

    pub async fn boom(&self) {
        tokio::task::yield_now().await;
        panic!("boom, later")
    }

    pub async fn boom_when_dropped(&self) {
        let _value = PanicsWhenDropped;
        pending::<()>().await;
    }

    pub async fn large(&self) -> Vec<u32> {
        tokio::task::yield_now().await;
        vec![7; 1000]
    }

    #[method(spawn)]
    pub async fn spawned(&self) -> String {
        std::thread::current().name().unwrap_or_default().to_owned()
    }

    pub fn plain(&self, request: &Number) -> String {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        self.said.lock().unwrap().push(name.clone());
        format!("{} {name}", request.value)
    }
}

#[test]
fn what_is_ready_at_once_is_answered_by_start() {
    let later = Loaded::new::<Later>();
    let answer = later.start_json("at_once", r#"{"value":21}"#).over();
    assert_eq!(answer.json(), json!({"value": 42}));
    let answer = later
        .start("at_once", Encoding::Pod, &21_u64.to_ne_bytes())
        .over();
    assert_eq!(answer.bytes, 42_u64.to_ne_bytes());
    let answer = later.start_json("at_once", "21").over();
    assert_eq!(answer.status, Status::InvalidArgument);
    assert_eq!(answer.json()["type"], "rustbridge.InvalidRequest");
    assert_eq!(
        later.start("at_once", Encoding::Pod, b"1").over().json()["message"],
        "the pod request of `at_once` must be 8 bytes, but got 1"
    );
}

#[test]
fn what_is_pending_ends_later_in_every_encoding() {
    let later = Loaded::new::<Later>();
    let json = later.start_json("sleeps", r#"{"value":21}"#).pending();
    let pod = later
        .start("sleeps", Encoding::Pod, &4_u64.to_ne_bytes())
        .pending();
    assert_eq!(json.wait().json(), json!({"value": 42}));
    assert_eq!(pod.wait().bytes, 8_u64.to_ne_bytes());
    let raw = later.start("raw", Encoding::Raw, b"bytes").pending();
    assert_eq!(raw.wait().bytes, b"bytes");
    let failed = later.start_json("sleeps", r#"{"value":0}"#).pending();
    assert_eq!(failed.wait().json()["type"], "Zero");
    assert_eq!(failed.wait().status, Status::InvalidArgument);
    let large = later.start_json("large", "").pending();
    assert_eq!(large.wait().json().as_array().unwrap().len(), 1000);
}

#[test]
fn what_is_borrowed_from_the_request_stays() {
    let later = Loaded::new::<Later>();
    let waiting: Vec<_> = (0..20)
        .map(|index| {
            let request = format!(r#"{{"text":"number {index}"}}"#);
            later.start_json("borrows", &request).pending()
        })
        .collect();
    assert_eq!(later.start_json("open", "").over().status, Status::Ok);
    for (index, pending) in waiting.iter().enumerate() {
        assert_eq!(
            pending.wait().json(),
            json!({"text": format!("number {index}")})
        );
    }
}

#[test]
fn a_cancelled_future_is_dropped_and_lets_its_lock_go() {
    let later = Loaded::new::<Later>();
    for (reason, status) in [
        (RB_CANCELLED, Status::Cancelled),
        (RB_UNAVAILABLE, Status::Unavailable),
        (0, Status::Cancelled),
    ] {
        let holder = later.start_json("holds", "").pending();
        let next = later.start_json("holds", "").pending();
        assert_eq!(later.json("is_free", "").text(), "false");
        holder.cancel(reason);
        assert_eq!(holder.wait().status, status);
        next.cancel(RB_CANCELLED);
        next.cancel(RB_DEADLINE_EXCEEDED);
        assert_eq!(next.wait().json()["type"], "rustbridge.Cancelled");
        assert_eq!(later.json("is_free", "").text(), "true");
    }
}

#[test]
fn a_future_is_dropped_when_its_time_is_over() {
    let later = Loaded::new::<Later>();
    let how = How {
        timeout: Some(Duration::from_millis(5)),
        ..How::default()
    };
    let holder = later.start_with("holds", "", how).pending();
    let answer = holder.wait();
    assert_eq!(answer.status, Status::DeadlineExceeded);
    assert_eq!(answer.json()["type"], "rustbridge.DeadlineExceeded");
    assert_eq!(later.json("is_free", "").text(), "true");
    let how = How {
        timeout: Some(Duration::from_secs(1000)),
        ..How::default()
    };
    let done = later.start_with("sleeps", r#"{"value":1}"#, how).pending();
    assert_eq!(done.wait().json(), json!({"value": 2}));
}

#[test]
fn a_panic_in_a_poll_is_the_end_and_one_in_a_drop_changes_nothing() {
    let later = Loaded::new::<Later>();
    let boom = later.start_json("boom", "").pending();
    assert!(boom.wait().panicked);
    assert_eq!(boom.wait().json()["message"], "boom, later");
    let boom = later.start_json("boom_when_dropped", "").pending();
    boom.cancel(RB_CANCELLED);
    assert_eq!(boom.wait().status, Status::Cancelled);
    assert_eq!(
        later.start_json("at_once", r#"{"value":1}"#).over().json(),
        json!({"value": 2})
    );
}

#[test]
fn one_that_is_spawned_is_not_polled_here() {
    let later = Loaded::new::<Later>();
    let spawned = later.start_json("spawned", "").pending();
    assert_eq!(spawned.wait().json(), json!("later-async"));
}

#[test]
fn a_plain_method_runs_here_unless_it_is_to_run_elsewhere() {
    let later = Loaded::new::<Later>();
    let here = std::thread::current().name().unwrap().to_owned();
    let answer = later.start_json("plain", r#"{"value":3}"#).over();
    assert_eq!(answer.json(), json!(format!("3 {here}")));
    let elsewhere = How {
        offload: true,
        ..How::default()
    };
    let pending = later
        .start_with("plain", r#"{"value":3}"#, elsewhere)
        .pending();
    assert_eq!(pending.wait().json(), json!("3 later-async"));
    let wrong = later.start_with("plain", "3", elsewhere).pending();
    assert_eq!(wrong.wait().status, Status::InvalidArgument);
    let unknown = later.start_entry(4711, b"", How::default()).over();
    assert_eq!(unknown.status, Status::NotFound);
}

#[test]
fn cancels_race_with_ends_and_each_operation_ends_once() {
    let later = Loaded::new::<Later>();
    for round in 0..300_u64 {
        let pending = later
            .start_json("sleeps", &format!(r#"{{"value":{}}}"#, round + 1))
            .pending();
        std::thread::scope(|scope| {
            for reason in [RB_CANCELLED, RB_UNAVAILABLE] {
                let pending = &pending;
                scope.spawn(move || {
                    if round % 3 == 0 {
                        std::thread::sleep(Duration::from_micros(900 + round));
                    }
                    pending.cancel(reason);
                });
            }
        });
        let status = pending.wait().status;
        assert!([Status::Ok, Status::Cancelled, Status::Unavailable].contains(&status));
    }
}

#[test]
fn an_instance_may_go_as_soon_as_all_is_released() {
    for _ in 0..50 {
        let later = Loaded::new::<Later>();
        let pending: Vec<_> = (0..4)
            .map(|_| later.start_json("holds", "").pending())
            .collect();
        for pending in pending {
            pending.cancel(RB_CANCELLED);
        }
        assert_eq!(later.destroy().status, Status::Ok);
    }
}
