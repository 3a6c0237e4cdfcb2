//! A plugin with every feature, for the conformance cases in `conformance/`.
//!
//! The doc comment of each method is the specification the cases are written against.

mod errors;
mod messages;
mod pods;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

use rustbridge::prelude::*;

pub use crate::errors::*;
pub use crate::messages::*;
pub use crate::pods::*;

/// What `raw.blob` lends. Immutable, so right with any number of instances.
static BLOB: LazyLock<Bytes> = LazyLock::new(|| vec![0; 16 << 20].into());

/// Target of the records that `log.emit` writes.
const CASES: &str = "conformance::cases";

/// One instance: its config and a running total that no other instance sees.
pub struct Conformance {
    config: Config,
    host: Host,
    total: AtomicI64,
}

/// Every feature of rustbridge once, for tests.
#[plugin(
    name = "conformance",
    encodings(json, raw, pod, msgpack, bincode, postcard, wire)
)]
impl Conformance {
    /// Refuses the label `refuse` with an error of its own, whatever else is right.
    pub fn create(config: Config, host: Host) -> Result<Self, CreateError> {
        if config.label == "refuse" {
            return Err(CreateError::Refused {
                label: config.label,
            });
        }
        Ok(Conformance {
            config,
            host,
            total: AtomicI64::new(0),
        })
    }

    /// Answers with what it was sent: numbers of every width, a char, a text.
    #[method(name = "types.scalars")]
    pub fn scalars(&self, request: Scalars) -> Scalars {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "types.options")]
    pub fn options(&self, request: Options) -> Options {
        request
    }

    /// Answers with what it was sent, left-out fields filled in.
    #[method(name = "types.defaults", encodings(json))]
    pub fn defaults(&self, request: Defaults) -> Defaults {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "types.collections")]
    pub fn collections(&self, request: Collections) -> Collections {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "types.nested")]
    pub fn nested(&self, request: Outer) -> Outer {
        request
    }

    /// Answers with what it was sent: enums as serde writes them by default.
    #[method(name = "types.enums")]
    pub fn enums(&self, request: Enums) -> Enums {
        request
    }

    /// Answers with what it was sent: the tagged and untagged representations, which need a self-describing encoding.
    #[method(name = "types.tagged", encodings(json, msgpack))]
    pub fn tagged(&self, request: Tagged) -> Tagged {
        request
    }

    /// Reverses a list of bytes.
    #[method(name = "types.bytes")]
    pub fn bytes(&self, mut request: ByteList) -> ByteCount {
        request.data.reverse();
        ByteCount {
            length: request.data.len() as u64,
            data: request.data,
        }
    }

    /// Takes null, answers null.
    #[method(name = "types.unit", encodings(json))]
    pub fn unit(&self, _request: ()) {}

    /// Takes nothing, answers null.
    #[method(name = "types.nothing", encodings(json))]
    pub fn nothing(&self) {}

    /// Answers with what it was sent: any JSON value.
    #[method(name = "types.value", encodings(json))]
    pub fn value(&self, request: serde_json::Value) -> serde_json::Value {
        request
    }

    /// Counts a tree's nodes, its levels, and adds its values up.
    #[method(name = "types.tree")]
    pub fn tree(&self, request: Tree) -> TreeCount {
        request.count()
    }

    /// Answers with what it was sent.
    #[method(name = "number.u8", encodings(json))]
    pub fn number_u8(&self, request: Number<u8>) -> Number<u8> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.i8", encodings(json))]
    pub fn number_i8(&self, request: Number<i8>) -> Number<i8> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.u16", encodings(json))]
    pub fn number_u16(&self, request: Number<u16>) -> Number<u16> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.i16", encodings(json))]
    pub fn number_i16(&self, request: Number<i16>) -> Number<i16> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.u32", encodings(json))]
    pub fn number_u32(&self, request: Number<u32>) -> Number<u32> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.i32", encodings(json))]
    pub fn number_i32(&self, request: Number<i32>) -> Number<i32> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.u64", encodings(json))]
    pub fn number_u64(&self, request: Number<u64>) -> Number<u64> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.i64", encodings(json))]
    pub fn number_i64(&self, request: Number<i64>) -> Number<i64> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.f32", encodings(json))]
    pub fn number_f32(&self, request: Number<f32>) -> Number<f32> {
        request
    }

    /// Answers with what it was sent.
    #[method(name = "number.f64", encodings(json))]
    pub fn number_f64(&self, request: Number<f64>) -> Number<f64> {
        request
    }

    /// A name that isn't ASCII.
    #[method(name = "name.größe 🦀", encodings(json))]
    pub fn unicode_name(&self, request: Number<i64>) -> Number<i64> {
        request
    }

    /// A name of 205 bytes.
    #[method(
        name = "name.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        encodings(json)
    )]
    pub fn long_name(&self, request: Number<i64>) -> Number<i64> {
        request
    }

    /// The lowest id.
    #[method(name = "id.zero", id = 0, encodings(json))]
    pub fn id_zero(&self, request: Number<i64>) -> Number<i64> {
        request
    }

    /// The highest id.
    #[method(name = "id.highest", id = 4294967295, encodings(json))]
    pub fn id_highest(&self, request: Number<i64>) -> Number<i64> {
        request
    }

    /// Public, yet no method.
    #[method(skip)]
    pub fn skipped(&self) -> &Host {
        &self.host
    }

    /// A leaf method that isn't a pod's. Answers with what it was sent.
    #[method(name = "leaf.json", leaf, encodings(json))]
    pub fn leaf_json(&self, request: Number<i64>) -> Number<i64> {
        request
    }

    /// One of two handlers that share a name: answers `{"from":"json"}`.
    #[method(name = "split.answer", encodings(json))]
    pub fn split_json(&self, _request: Number<i64>) -> Answerer {
        Answerer {
            from: "json".to_owned(),
        }
    }

    /// The other: answers `raw`.
    #[method(name = "split.answer")]
    pub fn split_raw(&self, _request: &[u8]) -> Vec<u8> {
        b"raw".to_vec()
    }

    /// What the call knows of itself.
    #[method(name = "call.info", encodings(json))]
    pub fn call_info(&self, call: &Call) -> CallInfo {
        CallInfo {
            method: call.method().to_owned(),
            encoding: call.encoding().name().to_owned(),
        }
    }

    /// Answers with the bytes it was sent, in memory of its own that is handed over when it doesn't fit.
    #[method(name = "raw.echo")]
    pub fn raw_echo(&self, request: &[u8]) -> Vec<u8> {
        request.to_vec()
    }

    /// As `raw.echo`, by the type that shares memory.
    #[method(name = "raw.shared")]
    pub fn raw_shared(&self, request: Bytes) -> Bytes {
        request
    }

    /// Takes a size as a little-endian u32 and answers that many zeros, at most 16 MiB, out of memory made once and shared
    /// by every answer: what a lease costs when nothing is copied.
    #[method(name = "raw.blob")]
    pub fn raw_blob(&self, request: &[u8]) -> Result<Bytes> {
        let size = request
            .try_into()
            .map(u32::from_le_bytes)
            .map_err(|_| Error::invalid_argument("expected a size of 4 bytes"))?;
        if size as usize > BLOB.len() {
            return Err(Error::new(
                Status::OutOfRange,
                format!("{size} bytes are more than the {} there are", BLOB.len()),
            ));
        }
        Ok(BLOB.slice(..size as usize))
    }

    /// As `raw.echo`, and leaf; the response is copied straight from the request.
    #[method(name = "raw.leaf", leaf)]
    pub fn raw_leaf<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        request
    }

    /// Takes a decimal number in ASCII and answers that many bytes; byte `i` is `i` mod 251, so that a shifted copy shows.
    #[method(name = "raw.fill")]
    pub fn raw_fill(&self, request: &str) -> Result<Vec<u8>> {
        let n: usize = request.parse().map_err(|problem| {
            Error::invalid_argument(format!("`{request}` is no number of bytes: {problem}"))
        })?;
        let mut bytes = Vec::with_capacity(n);
        let pattern: Vec<u8> = (0..251).collect();
        while bytes.len() < n {
            let rest = n - bytes.len();
            bytes.extend_from_slice(&pattern[..rest.min(pattern.len())]);
        }
        Ok(bytes)
    }

    /// Answers 16 bytes: the request's length and the sum of its bytes, each a little-endian u64.
    #[method(name = "raw.sum")]
    pub fn raw_sum(&self, request: &[u8]) -> [u8; 16] {
        // A request of gigabytes is zeros, which are compared at once: without optimisation to add them takes minutes.
        const ZEROS: [u8; 4096] = [0; 4096];
        let others = request
            .chunks(ZEROS.len())
            .filter(|chunk| *chunk != &ZEROS[..chunk.len()]);
        let sum: u64 = others.flatten().map(|&byte| u64::from(byte)).sum();
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(request.len() as u64).to_le_bytes());
        bytes[8..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Answers no bytes to any.
    #[method(name = "raw.empty")]
    pub fn raw_empty(&self, _request: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    /// Reverses a text by its chars; what isn't UTF-8 is refused before.
    #[method(name = "raw.text")]
    pub fn raw_text(&self, request: &str) -> String {
        request.chars().rev().collect()
    }

    /// Fails with `ABORTED` and the request as its message.
    #[method(name = "raw.fail")]
    pub fn raw_fail(&self, request: &str) -> Result<Vec<u8>> {
        Err(Error::new(Status::Aborted, request.to_owned()))
    }

    /// 8 → 8 bytes: the wrapping sum and the exclusive or of two numbers. What benchmarks call `pod8`.
    #[method(name = "pod.add32", leaf)]
    pub fn add32(&self, request: &PairPod) -> SumXor {
        SumXor {
            sum: request.a.wrapping_add(request.b),
            xor: request.a ^ request.b,
        }
    }

    /// 268 → 272 bytes: each of 66 numbers plus the tag, wrapping. What benchmarks call `big`.
    #[method(name = "pod.big", leaf)]
    pub fn big(&self, request: &Big) -> BigAnswer {
        BigAnswer {
            tag: request.tag,
            count: request.values.len() as u32,
            values: request.values.map(|value| value.wrapping_add(request.tag)),
        }
    }

    /// Answers with what it was sent, bit for bit.
    #[method(name = "pod.scalars")]
    pub fn pod_scalars(&self, request: ScalarsPod) -> ScalarsPod {
        request
    }

    /// Reverses five bytes: an odd size, alignment 1.
    #[method(name = "pod.odd", leaf)]
    pub fn odd(&self, request: &Odd) -> Odd {
        let mut bytes = request.bytes;
        bytes.reverse();
        Odd { bytes }
    }

    /// Swaps x and y of each point: structs and arrays of structs inside a struct.
    #[method(name = "pod.nested")]
    pub fn pod_nested(&self, request: &Shape) -> Shape {
        Shape {
            origin: request.origin.swapped(),
            corners: request.corners.map(PointPod::swapped),
            id: request.id,
        }
    }

    /// Sum and difference in every encoding but raw; `OUT_OF_RANGE` when either overflows.
    #[method(name = "pod.mixed", leaf)]
    pub fn mixed(&self, request: &Mixed) -> Result<MixedAnswer> {
        let overflow = |what: &str| {
            Error::new(
                Status::OutOfRange,
                format!("{what} of {} and {} overflows", request.a, request.b),
            )
        };
        Ok(MixedAnswer {
            sum: request
                .a
                .checked_add(request.b)
                .ok_or_else(|| overflow("the sum"))?,
            difference: request
                .a
                .checked_sub(request.b)
                .ok_or_else(|| overflow("the difference"))?,
        })
    }

    /// Fails with the status of that name; `OK` succeeds with null.
    #[method(name = "status.fail", encodings(json))]
    pub fn status_fail(&self, request: Failure) -> Result<()> {
        match Status::from_name(&request.status) {
            Some(Status::Ok) => Ok(()),
            Some(status) => Err(Error::new(status, request.message)),
            None => Err(Error::invalid_argument(format!(
                "`{}` is no status",
                request.status
            ))),
        }
    }

    /// Fails with the variant of [`CaseError`] that was asked for.
    #[method(name = "error.typed", encodings(json))]
    pub fn error_typed(&self, request: Kind) -> Result<(), CaseError> {
        fail(&request)
    }

    /// Fails with type and details put together by hand.
    #[method(name = "error.details", encodings(json))]
    pub fn error_details(&self, request: Retry) -> Result<()> {
        Err(Error::new(Status::Unavailable, "try later")
            .with_type("Retry")
            .with_detail("retry_after_ms", request.retry_after_ms)
            .with_detail("hint", "größer"))
    }

    /// Panics with that message.
    #[method(name = "panic.now", encodings(json))]
    pub fn panic_now(&self, request: Words) {
        panic!("{}", request.message);
    }

    /// Reads past the end of three numbers.
    #[method(name = "panic.index", encodings(json))]
    pub fn panic_index(&self, request: Index) -> i32 {
        [1, 2, 3][request.index as usize]
    }

    /// Panics with a value that is no text.
    #[method(name = "panic.value", encodings(json))]
    pub fn panic_value(&self) {
        std::panic::panic_any(42);
    }

    /// Panics in a leaf method.
    #[method(name = "panic.leaf", leaf, encodings(json))]
    pub fn panic_leaf(&self, request: Words) {
        panic!("{}", request.message);
    }

    /// Panics while the response is written.
    #[method(name = "panic.serialize", encodings(json))]
    pub fn panic_serialize(&self) -> Formless {
        Formless
    }

    /// Panics while the request is read.
    #[method(name = "panic.deserialize", encodings(json))]
    pub fn panic_deserialize(&self, _request: Formless) {}

    /// Panics with the request as its message.
    #[method(name = "panic.raw")]
    pub fn panic_raw(&self, request: &str) -> Vec<u8> {
        panic!("{request}");
    }

    /// Adds to this instance's total and answers it.
    #[method(name = "state.add", encodings(json))]
    pub fn state_add(&self, request: Addend) -> Total {
        Total {
            total: self.total.fetch_add(request.n, Ordering::Relaxed) + request.n,
        }
    }

    /// The config this instance was made with.
    #[method(name = "state.config", encodings(json))]
    pub fn state_config(&self) -> Config {
        self.config.clone()
    }

    /// The name the host gave this instance.
    #[method(name = "state.name", encodings(json))]
    pub fn state_name(&self) -> String {
        self.host.instance_name().to_owned()
    }

    /// Writes `count` records of that level and message, with the fields `n` (from 0), `flag` (whether n is even) and `text`.
    #[method(name = "log.emit", encodings(json))]
    pub fn log_emit(&self, request: Emit) -> Result<()> {
        let Emit {
            level,
            message,
            count,
        } = request;
        let text = "größer 🦀";
        for n in 0..count {
            let flag = n % 2 == 0;
            match level.as_str() {
                "ERROR" => error!(target: CASES, n, flag, text, "{message}"),
                "WARN" => warn!(target: CASES, n, flag, text, "{message}"),
                "INFO" => info!(target: CASES, n, flag, text, "{message}"),
                "DEBUG" => debug!(target: CASES, n, flag, text, "{message}"),
                "TRACE" => trace!(target: CASES, n, flag, text, "{message}"),
                other => return Err(Error::invalid_argument(format!("`{other}` is no level"))),
            }
        }
        Ok(())
    }

    /// Writes the record `innermost` inside the span `inner` inside the span `outer`.
    #[method(name = "log.spans", encodings(json))]
    pub fn log_spans(&self, request: Spans) {
        let outer = tracing::info_span!("outer", name = request.outer);
        let _outer = outer.enter();
        let inner = tracing::info_span!("inner", number = request.inner);
        let _inner = inner.enter();
        info!("innermost");
    }

    /// Writes one record from a thread of the plugin's own, and waits for it.
    #[method(name = "log.thread", encodings(json))]
    pub fn log_thread(&self, request: Words) -> Result<()> {
        let host = self.host.clone();
        thread::spawn(move || host.in_scope(|| info!("{}", request.message)))
            .join()
            .map_err(|_| Error::internal("the thread panicked"))
    }

    /// Writes one record before and one after an await.
    #[method(name = "log.awaited", encodings(json))]
    pub async fn log_awaited(&self, request: Around) {
        info!("{}", request.before);
        tokio::time::sleep(Duration::from_millis(1)).await;
        info!("{}", request.after);
    }

    /// Which levels are on.
    #[method(name = "log.enabled", encodings(json))]
    pub fn log_enabled(&self) -> Enabled {
        Enabled {
            error: self.host.log_enabled(Level::Error),
            warn: self.host.log_enabled(Level::Warn),
            info: self.host.log_enabled(Level::Info),
            debug: self.host.log_enabled(Level::Debug),
            trace: self.host.log_enabled(Level::Trace),
        }
    }

    /// Answers with what it was sent.
    #[method(name = "async.echo", encodings(json))]
    pub async fn async_echo(&self, request: Note) -> Note {
        tokio::task::yield_now().await;
        request
    }

    /// Sleeps, and answers for how long it was told to.
    #[method(name = "async.sleep", encodings(json))]
    pub async fn async_sleep(&self, request: Pause) -> Pause {
        tokio::time::sleep(Duration::from_millis(request.ms)).await;
        request
    }

    /// Spawns tasks that answer their number, and adds the answers up.
    #[method(name = "async.join", encodings(json))]
    pub async fn async_join(&self, request: Tasks) -> Result<TaskSum> {
        let mut tasks = Vec::new();
        for number in 0..request.tasks {
            tasks.push(tokio::spawn(async move { number }));
        }
        let mut sum = 0;
        for task in tasks {
            sum += task
                .await
                .map_err(|problem| Error::internal(problem.to_string()))?;
        }
        Ok(TaskSum { sum })
    }

    /// As `error.typed`, after an await.
    #[method(name = "async.fail", encodings(json))]
    pub async fn async_fail(&self, request: Kind) -> Result<(), CaseError> {
        tokio::task::yield_now().await;
        fail(&request)
    }

    /// Panics after an await.
    #[method(name = "async.panic", encodings(json))]
    pub async fn async_panic(&self, request: Words) {
        tokio::task::yield_now().await;
        panic!("{}", request.message);
    }

    /// Adds to the same total as `state.add`.
    #[method(name = "async.add", encodings(json))]
    pub async fn async_add(&self, request: Addend) -> Total {
        tokio::task::yield_now().await;
        self.state_add(request)
    }

    /// Counts elements that take no bytes in an encoding without names.
    #[method(name = "types.weightless")]
    pub fn weightless(&self, request: Weightless) -> WeightlessCount {
        WeightlessCount {
            list: request.list.len() as u64,
            set: request.set.len() as u64,
        }
    }
}
