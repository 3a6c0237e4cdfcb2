//! What all peers call behind their own boundary, so that they differ in the boundary and in nothing else.
//!
//! Most of it is the crate `work` of the benchmarks. The rest does what three methods of hello-plugin and
//! conformance-plugin do, which take a plugin to call; the Python tests check the answers.

#![deny(missing_docs)]

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use work::*;

#[derive(Deserialize)]
struct Echo<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
}

#[derive(Serialize)]
struct Echoed<'a> {
    message: Cow<'a, str>,
    length: usize,
}

/// Sum and exclusive or of two numbers, as `pod.add32` of conformance-plugin.
#[must_use]
pub fn pair(a: i32, b: i32) -> (i32, i32) {
    (a.wrapping_add(b), a ^ b)
}

/// The value of a key, how long it stays valid, and whether it was there, as `bench.small` of hello-plugin.
#[must_use]
pub fn small(key: &str, flags: u32) -> (String, u32, bool) {
    const PREFIX: &str = "value_for_";
    let mut value = String::with_capacity(PREFIX.len() + key.len());
    value.push_str(PREFIX);
    value.push_str(key);
    (value, 3600, flags & 1 != 0)
}

/// `{"message"}` to `{"message","length"}`, as `echo` of hello-plugin; no answer to anything else.
#[must_use]
pub fn echo_json(request: &str) -> Option<String> {
    let Echo { message } = serde_json::from_str(request).ok()?;
    let length = message.len();
    serde_json::to_string(&Echoed { message, length }).ok()
}

/// The bytes of a blob, or none above the largest.
#[must_use]
pub fn blob_bytes(size: u32) -> Vec<u8> {
    work::blob(size).map_or_else(Vec::new, |blob| blob.to_vec())
}
