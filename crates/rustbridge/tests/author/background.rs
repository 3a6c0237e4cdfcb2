//! Tasks that belong to no call.
#![cfg(feature = "async")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_abi::RB_LOG_INFO;
use serde_json::json;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::host::{Loaded, Options};

/// No test waits longer for what comes at once.
const LONG: Duration = Duration::from_secs(60);

/// Counts in the background, and reports that its task was dropped.
struct Ticker {
    host: Host,
    ticks: Arc<AtomicU64>,
}

struct OnDrop(Arc<AtomicU64>);

/// What `dropped` is after the task was dropped.
const DROPPED: u64 = 1 << 32;

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.fetch_add(DROPPED, Ordering::SeqCst);
    }
}

fn ticking(host: &Host) -> Arc<AtomicU64> {
    let ticks = Arc::new(AtomicU64::new(0));
    let dropped = OnDrop(Arc::clone(&ticks));
    host.spawn(async move {
        info!("begun");
        loop {
            dropped.0.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .unwrap();
    ticks
}

#[plugin(name = "ticker", export = false)]
impl Ticker {
    pub fn create(host: &Host) -> Ticker {
        Ticker {
            host: host.clone(),
            ticks: ticking(host),
        }
    }

    /// Waits until the task of `create` has run.
    pub fn first(&self) {
        while self.ticks.load(Ordering::SeqCst) == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Starts one in a handler that isn't asynchronous, and waits for it.
    pub fn once(&self) -> Result<String> {
        let (send, receive) = mpsc::channel();
        self.host.spawn(async move {
            tokio::task::yield_now().await;
            let thread = std::thread::current().name().unwrap_or_default().to_owned();
            let _ = send.send(thread);
        })?;
        receive
            .recv_timeout(LONG)
            .map_err(|error| Error::internal(error.to_string()))
    }

    /// Starts one that panics, and then many that end at once.
    pub fn many(&self) -> Result<String> {
        self.host.spawn(async { panic!("in the background") })?;
        for _ in 0..1000 {
            self.host.spawn(async {})?;
        }
        self.once()
    }
}

fn loaded() -> Loaded {
    Loaded::with::<Ticker>(&Options {
        level: RB_LOG_INFO,
        ..Options::default()
    })
}

#[test]
fn tasks_begin_in_create_and_in_handlers_and_end_with_the_instance() {
    let ticker = loaded();
    assert_eq!(ticker.json("first", "").status, Status::Ok);
    assert_eq!(ticker.json("once", "").json(), json!("ticker-async"));
    assert_eq!(ticker.json("many", "").json(), json!("ticker-async"));
    let records = ticker.logged();
    assert!(records.iter().any(|record| record.message == "begun"));
    let panic = records
        .iter()
        .find(|record| record.message.contains("in the background"))
        .unwrap();
    let location = panic.fields["location"].as_str().unwrap();
    assert!(location.starts_with(&panic.file), "{location}");
    assert!(
        location.contains(&format!(":{}:", panic.line)),
        "{location}"
    );
    assert_eq!(ticker.destroy().status, Status::Ok);
}

#[test]
fn a_task_is_dropped_before_destroy_returns() {
    /// Where the test finds its ticks.
    static TICKS: std::sync::OnceLock<Arc<AtomicU64>> = std::sync::OnceLock::new();

    struct Watched;

    #[plugin(name = "watched", export = false)]
    impl Watched {
        pub fn create(host: &Host) -> Watched {
            let _ = TICKS.set(ticking(host));
            Watched
        }
    }

    let watched = Loaded::with::<Watched>(&Options::default());
    assert_eq!(watched.destroy().status, Status::Ok);
    let ticks = TICKS.get().unwrap().load(Ordering::SeqCst);
    assert!(ticks >= DROPPED, "{ticks}");
}

#[test]
fn a_task_of_a_create_that_fails_never_begins() {
    static TICKS: std::sync::OnceLock<Arc<AtomicU64>> = std::sync::OnceLock::new();

    struct Failing;

    #[plugin(name = "failing", export = false)]
    impl Failing {
        pub fn create(host: &Host) -> Result<Failing> {
            let _ = TICKS.set(ticking(host));
            Err(Error::new(Status::Unavailable, "on purpose"))
        }
    }

    assert_eq!(
        Loaded::try_new::<Failing>(&Options::default())
            .err()
            .map(|answer| answer.status),
        Some(Status::Unavailable)
    );
    assert_eq!(TICKS.get().unwrap().load(Ordering::SeqCst), DROPPED);
}

#[test]
fn tasks_run_on_the_runtime_that_the_author_brings_and_end_there_too() {
    struct Brought {
        runtime: Runtime,
        host: Host,
    }

    #[plugin(name = "brought", runtime = Self::handle, export = false)]
    impl Brought {
        pub fn create(host: &Host) -> Result<Brought> {
            let runtime = Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("of-the-author")
                .enable_time()
                .build()
                .map_err(|error| Error::internal(error.to_string()))?;
            Ok(Brought {
                runtime,
                host: host.clone(),
            })
        }

        fn handle(&self) -> Handle {
            self.runtime.handle().clone()
        }

        pub fn once(&self) -> Result<String> {
            let (send, receive) = mpsc::channel();
            self.host.spawn(async move {
                info!("there");
                let thread = std::thread::current().name().unwrap_or_default().to_owned();
                let _ = send.send(thread);
                std::future::pending::<()>().await;
            })?;
            receive
                .recv_timeout(LONG)
                .map_err(|error| Error::internal(error.to_string()))
        }
    }

    let brought = Loaded::with::<Brought>(&Options {
        level: RB_LOG_INFO,
        ..Options::default()
    });
    assert_eq!(brought.json("once", "").json(), json!("of-the-author"));
    assert!(
        brought
            .logged()
            .iter()
            .any(|record| record.message == "there")
    );
    assert_eq!(brought.destroy().status, Status::Ok);
}

#[test]
fn a_detached_host_uses_the_tests_runtime_or_starts_one() {
    let (send, receive) = mpsc::channel();
    let host = Host::detached();
    let task = send.clone();
    host.spawn(async move {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let _ = task.send("its own");
    })
    .unwrap();
    assert_eq!(receive.recv_timeout(LONG), Ok("its own"));
    drop(host);

    let runtime = Builder::new_current_thread().build().unwrap();
    let said = runtime.block_on(async {
        let (send, receive) = mpsc::channel();
        Host::detached()
            .spawn(async move {
                let _ = send.send("the test's");
            })
            .unwrap();
        tokio::task::yield_now().await;
        receive.try_recv()
    });
    assert_eq!(said, Ok("the test's"));
}
