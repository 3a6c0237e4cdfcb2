//! The benchmarks' work as BoltFFI exports it: typed functions and records.

mod students;
mod values;

use boltffi::{data, error, export};

boltffi::scaffolding!();

/// Two numbers.
#[data]
#[derive(Clone, Copy)]
pub struct Pair {
    /// The first.
    pub a: i32,
    /// The second.
    pub b: i32,
}

/// What [`pod8`] makes of them.
#[data]
#[derive(Clone, Copy)]
pub struct PairAnswer {
    /// Their sum.
    pub sum: i32,
    /// Their exclusive or.
    pub xor: i32,
}

/// A key to look up.
#[data]
#[derive(Clone)]
pub struct Wanted {
    /// The key.
    pub key: String,
    /// The lowest bit says whether it's to be a hit.
    pub flags: u32,
}

/// What was found.
#[data]
#[derive(Clone)]
pub struct Found {
    /// The value.
    pub value: String,
    /// How long it stays valid.
    pub ttl_seconds: u32,
    /// Whether it was there.
    pub cache_hit: bool,
}

/// Why a call failed; the host reads the text.
#[error]
#[derive(Debug, Clone)]
pub struct Failure {
    /// In words.
    pub reason: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Failure {}

fn failure(reason: &str) -> Failure {
    Failure {
        reason: reason.to_owned(),
    }
}

/// Does nothing.
#[export]
pub fn empty() {
    peer_work::void();
}

/// Sum and exclusive or.
#[export]
pub fn pod8(pair: Pair) -> PairAnswer {
    let (sum, xor) = peer_work::pair(pair.a, pair.b);
    PairAnswer { sum, xor }
}

/// Looks a key up.
#[export]
pub fn small(key: Wanted) -> Found {
    let (value, ttl_seconds, cache_hit) = peer_work::small(&key.key, key.flags);
    Found {
        value,
        ttl_seconds,
        cache_hit,
    }
}

/// A text of JSON to a text of JSON.
#[export]
pub fn echo_json(request: &str) -> Result<String, Failure> {
    peer_work::echo_json(request).ok_or_else(|| failure("no request of an echo"))
}

/// The quotient as a double.
#[export]
pub fn div(a: i64, b: i64) -> Result<f64, Failure> {
    let quotient = peer_work::div(&peer_work::Division { a, b });
    quotient
        .map(|answer| answer.quotient)
        .ok_or_else(|| failure("nothing can be divided by 0"))
}

/// Joins texts by commas.
#[export]
pub fn join(parts: Vec<String>) -> String {
    peer_work::join(&peer_work::Parts { parts }).text
}

/// Adds numbers up.
#[export]
pub fn sum(numbers: Vec<i64>) -> i64 {
    peer_work::sum_numbers(&numbers)
}

/// Fails with that message.
#[export]
pub fn fail(message: String) -> Result<(), Failure> {
    Err(Failure { reason: message })
}

/// Adds 41.
#[export]
pub fn answer(value: i32) -> i32 {
    peer_work::answer(&peer_work::Value { value }).value
}

/// Adds 41, and is done when it's first polled.
#[export]
pub async fn ready(value: i32) -> i32 {
    peer_work::answer(&peer_work::Value { value }).value
}

/// That many bytes.
#[export]
pub fn blob(size: u32) -> Vec<u8> {
    peer_work::blob_bytes(size)
}
