//! The benchmarks' work as UniFFI exports it: typed functions and records.

mod students;
mod values;

uniffi::setup_scaffolding!();

/// Two numbers.
#[derive(uniffi::Record)]
pub struct Pair {
    /// The first.
    pub a: i32,
    /// The second.
    pub b: i32,
}

/// What [`pod8`] makes of them.
#[derive(uniffi::Record)]
pub struct PairAnswer {
    /// Their sum.
    pub sum: i32,
    /// Their exclusive or.
    pub xor: i32,
}

/// A key to look up.
#[derive(uniffi::Record)]
pub struct Key {
    /// The key.
    pub key: String,
    /// The lowest bit says whether it's to be a hit.
    pub flags: u32,
}

/// What was found.
#[derive(uniffi::Record)]
pub struct Found {
    /// The value.
    pub value: String,
    /// How long it stays valid.
    pub ttl_seconds: u32,
    /// Whether it was there.
    pub cache_hit: bool,
}

/// Why a call failed; the host reads the text.
#[derive(Debug, thiserror::Error, uniffi::Error)]
#[uniffi(flat_error)]
pub enum Failure {
    /// As it was asked to.
    #[error("{0}")]
    Asked(String),
    /// The request is no JSON of the right form.
    #[error("no request of an echo")]
    Request,
    /// A divisor is 0.
    #[error("nothing can be divided by 0")]
    Zero,
}

/// Does nothing.
#[uniffi::export]
pub fn empty() {
    peer_work::void();
}

/// Sum and exclusive or.
#[uniffi::export]
pub fn pod8(pair: Pair) -> PairAnswer {
    let (sum, xor) = peer_work::pair(pair.a, pair.b);
    PairAnswer { sum, xor }
}

/// Looks a key up.
#[uniffi::export]
pub fn small(key: Key) -> Found {
    let (value, ttl_seconds, cache_hit) = peer_work::small(&key.key, key.flags);
    Found {
        value,
        ttl_seconds,
        cache_hit,
    }
}

/// A text of JSON to a text of JSON.
#[uniffi::export]
pub fn echo_json(request: &str) -> Result<String, Failure> {
    peer_work::echo_json(request).ok_or(Failure::Request)
}

/// The quotient as a double.
#[uniffi::export]
pub fn div(a: i64, b: i64) -> Result<f64, Failure> {
    let quotient = peer_work::div(&peer_work::Division { a, b });
    quotient.map(|answer| answer.quotient).ok_or(Failure::Zero)
}

/// Joins texts by commas.
#[uniffi::export]
pub fn join(parts: Vec<String>) -> String {
    peer_work::join(&peer_work::Parts { parts }).text
}

/// Adds numbers up.
#[uniffi::export]
pub fn sum(numbers: Vec<i64>) -> i64 {
    peer_work::sum_numbers(&numbers)
}

/// Fails with that message.
#[uniffi::export]
pub fn fail(message: String) -> Result<(), Failure> {
    Err(Failure::Asked(message))
}

/// Adds 41.
#[uniffi::export]
pub fn answer(value: i32) -> i32 {
    peer_work::answer(&peer_work::Value { value }).value
}

/// Adds 41, and is done when it's first polled.
#[uniffi::export]
pub async fn ready(value: i32) -> i32 {
    peer_work::answer(&peer_work::Value { value }).value
}

/// That many bytes.
#[uniffi::export]
pub fn blob(size: u32) -> Vec<u8> {
    peer_work::blob_bytes(size)
}
