//! A plugin that misbehaves on request, for the tests of hosts.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustbridge::prelude::*;

/// How often any instance was made: global state, which rustbridge can't isolate among the instances of one mapping.
/// `fault.created` shows it; an instance with a copy of its own counts from one.
static CREATED: AtomicU64 = AtomicU64::new(0);

/// What goes wrong with an instance.
#[derive(Message, Clone, Debug, Default)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// In `create`.
    pub create: Fault,
    /// In the instance's destructor.
    pub destroy: Fault,
    /// How long a hanging `create` or destructor takes.
    pub hang_ms: u64,
    /// Whether `create` and the destructor log.
    pub log: bool,
}

/// A way of going wrong.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It doesn't.
    #[default]
    None,
    /// A panic.
    Panic,
    /// An error. A destructor has none, so there it is nothing.
    Error,
    /// It takes long.
    Hang,
}

/// What this plugin fails with.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum FaultError {
    /// `create` was told to.
    #[error("create was told to fail")]
    #[status(UNAVAILABLE)]
    Create {
        /// Always 7.
        code: u32,
    },
    /// A call was told to.
    #[error("{message}")]
    #[status(DATA_LOSS)]
    Call {
        /// The request's.
        message: String,
        /// As many as the request says.
        bytes: Vec<u8>,
    },
}

/// One instance.
pub struct Faulty {
    config: Config,
    host: Host,
    calls: AtomicU64,
    gate: Mutex<Gate>,
    moved: Condvar,
}

/// Where calls of `hang.until` wait.
#[derive(Default)]
struct Gate {
    waiting: u64,
    open: bool,
}

/// A panic's payload whose own destructor panics.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the payload's destructor panicked");
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        if self.config.log {
            info!("in destroy");
        }
        match self.config.destroy {
            Fault::Panic => panic!("destroy was told to panic"),
            Fault::Hang => thread::sleep(Duration::from_millis(self.config.hang_ms)),
            Fault::None | Fault::Error => {}
        }
    }
}

/// Misbehaves on request.
#[plugin(name = "fault")]
impl Faulty {
    /// Does what the config says.
    pub fn create(config: Config, host: Host) -> Result<Self, FaultError> {
        CREATED.fetch_add(1, Ordering::Relaxed);
        if config.log {
            info!("in create");
        }
        match config.create {
            Fault::Panic => panic!("create was told to panic"),
            Fault::Error => return Err(FaultError::Create { code: 7 }),
            Fault::Hang => thread::sleep(Duration::from_millis(config.hang_ms)),
            Fault::None => {}
        }
        Ok(Faulty {
            config,
            host,
            calls: AtomicU64::new(0),
            gate: Mutex::default(),
            moved: Condvar::new(),
        })
    }

    /// Counts the calls of this method on this instance.
    #[method(name = "count", leaf)]
    pub fn count(&self) -> Count {
        Count {
            n: self.calls.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    /// How many instances this copy of the library has made.
    #[method(name = "created")]
    pub fn created(&self) -> Count {
        Count {
            n: CREATED.load(Ordering::Relaxed),
        }
    }

    /// Panics.
    #[method(name = "panic.call")]
    pub fn panic_call(&self, request: Words) {
        panic!("{}", request.message);
    }

    /// Panics in a leaf method.
    #[method(name = "panic.leaf", leaf)]
    pub fn panic_leaf(&self, request: Words) {
        panic!("{}", request.message);
    }

    /// Panics with a payload whose destructor panics again.
    #[method(name = "panic.bomb")]
    pub fn panic_bomb(&self) {
        std::panic::panic_any(Bomb);
    }

    /// Panics while a lock is held, which the next caller finds poisoned and takes over.
    #[method(name = "panic.lock")]
    pub fn panic_lock(&self, request: Words) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        panic!("{}", request.message);
    }

    /// Panics in an async handler, after an await.
    #[method(name = "panic.async")]
    pub async fn panic_async(&self, request: Words) {
        tokio::task::yield_now().await;
        panic!("{}", request.message);
    }

    /// Panics in a task of the runtime; the handler that waits for it says so.
    #[method(name = "panic.task")]
    pub async fn panic_task(&self, request: Words) -> Result<()> {
        tokio::spawn(async move { panic!("{}", request.message) })
            .await
            .map_err(|problem| Error::new(Status::Aborted, problem.to_string()))
    }

    /// Panics in a thread of the plugin's own; the handler that waits for it says so.
    #[method(name = "panic.thread")]
    pub fn panic_thread(&self, request: Words) -> Result<()> {
        let host = self.host.clone();
        thread::spawn(move || host.in_scope(|| panic!("{}", request.message)))
            .join()
            .map_err(|_| Error::new(Status::Aborted, "the thread panicked"))
    }

    /// Fails with that message and a detail of so many bytes.
    #[method(name = "error.call")]
    pub fn error_call(&self, request: Weight) -> Result<(), FaultError> {
        Err(FaultError::Call {
            message: request.message,
            bytes: vec![1; request.bytes as usize],
        })
    }

    /// Takes a decimal number in ASCII and answers that many bytes, all `x`.
    #[method(name = "raw.fill")]
    pub fn raw_fill(&self, request: &str) -> Result<Vec<u8>> {
        let n: usize = request
            .parse()
            .map_err(|_| Error::invalid_argument(format!("`{request}` is no number of bytes")))?;
        Ok(vec![b'x'; n])
    }

    /// Answers with the bytes it was sent.
    #[method(name = "raw.echo")]
    pub fn raw_echo(&self, request: &[u8]) -> Vec<u8> {
        request.to_vec()
    }

    /// Answers no bytes.
    #[method(name = "raw.empty")]
    pub fn raw_empty(&self, _request: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    /// Blocks the caller's thread.
    #[method(name = "hang.for")]
    pub fn hang_for(&self, request: Pause) -> Pause {
        thread::sleep(Duration::from_millis(request.ms));
        request
    }

    /// Blocks the caller's thread until `hang.release`.
    #[method(name = "hang.until")]
    pub fn hang_until(&self) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        gate.waiting += 1;
        self.moved.notify_all();
        while !gate.open {
            gate = self
                .moved
                .wait(gate)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until so many calls hang in `hang.until` or `hang.file`, so that a test needn't guess when.
    #[method(name = "hang.await")]
    pub fn hang_await(&self, request: Count) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while gate.waiting < request.n {
            gate = self
                .moved
                .wait(gate)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets the calls that hang in `hang.until` go, now and later.
    #[method(name = "hang.release")]
    pub fn hang_release(&self) {
        self.gate
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .open = true;
        self.moved.notify_all();
    }

    /// Blocks the caller's thread until there is a file of that name, which the test makes when it wants. For a call that
    /// outlasts `close`: `hang.release` would be refused by then.
    #[method(name = "hang.file")]
    pub fn hang_file(&self, request: FileName) {
        {
            let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
            gate.waiting += 1;
            self.moved.notify_all();
        }
        while !Path::new(&request.path).exists() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Hangs for so long in an async handler.
    #[method(name = "hang.async")]
    pub async fn hang_async(&self, request: Pause) -> Pause {
        tokio::time::sleep(Duration::from_millis(request.ms)).await;
        request
    }

    /// Leaves a task on the runtime that never ends.
    #[method(name = "leak.task")]
    pub async fn leak_task(&self) {
        tokio::spawn(std::future::pending::<()>());
    }

    /// Leaks so many bytes.
    #[method(name = "leak.memory")]
    pub fn leak_memory(&self, request: Count) {
        Box::leak(vec![1_u8; request.n as usize].into_boxed_slice());
    }

    /// Leaves a thread behind that logs `from a forgotten thread` about every millisecond, so many times, whether or not
    /// the instance lives.
    #[method(name = "leak.thread")]
    pub fn leak_thread(&self, request: Count) {
        let host = self.host.clone();
        thread::spawn(move || {
            for n in 0..request.n {
                host.in_scope(|| info!(n, "from a forgotten thread"));
                thread::sleep(Duration::from_millis(1));
            }
        });
    }

    /// Logs so many records, `n` from 0, as fast as it can.
    #[method(name = "log.flood")]
    pub fn log_flood(&self, request: Count) {
        for n in 0..request.n {
            info!(n, "flood");
        }
    }

    /// Logs in the call, in a thread, in a task of the runtime, and in an async handler, in this order.
    #[method(name = "log.everywhere")]
    pub async fn log_everywhere(&self) -> Result<()> {
        info!("in a call");
        let host = self.host.clone();
        thread::spawn(move || host.in_scope(|| info!("in a thread")))
            .join()
            .map_err(|_| Error::internal("the thread panicked"))?;
        tokio::spawn(async { info!("in a task") })
            .await
            .map_err(|problem| Error::internal(problem.to_string()))?;
        tokio::task::yield_now().await;
        info!("after an await");
        Ok(())
    }
}

macro_rules! small {
    ($($(#[doc = $doc:literal])+ $name:ident { $($field:ident: $type:ty),+ })+) => {
        $($(#[doc = $doc])+
        #[derive(Message, Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "the method's doc comment says it")]
        pub struct $name { $(pub $field: $type),+ })+
    };
}

small! {
    /// A message to panic with.
    Words { message: String }
    /// A message to fail with, and how much to send along.
    Weight { message: String, bytes: u32 }
    /// A number of something.
    Count { n: u64 }
    /// Where a file is to appear.
    FileName { path: String }
    /// How long to hang.
    Pause { ms: u64 }
}
