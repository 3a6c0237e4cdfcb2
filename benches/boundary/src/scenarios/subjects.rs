//! What the groups have in common: the plugins that they call, and a call's ways as subjects to measure.

use std::hint::black_box;

use rustbridge_core::{Method, ResponseLocation};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Subject;
use crate::floor::Floor;

pub const HELLO: &str = "hello_plugin";
pub const CONFORMANCE: &str = "conformance_plugin";
pub const BENCH: &str = "bench_plugin";

/// Bytes to bytes in the caller's storage, which has been written before: touching it for the first time may cost more
/// than the call.
pub fn into_storage(method: Method, request: Vec<u8>, capacity: usize) -> Subject {
    let mut storage = vec![1; capacity];
    let answer = ours(method, &request, &mut storage).to_vec();
    let make = move || {
        let (request, mut storage) = (request.clone(), vec![1; capacity]);
        move || {
            black_box(ours(method, black_box(&request), &mut storage));
        }
    };
    Subject::new(make).answering(answer)
}

/// What [`into_storage`] does, by hand.
pub fn floor_into_storage(floor: Floor, request: Vec<u8>, capacity: usize) -> Subject {
    let mut storage = vec![1; capacity];
    let len = floor.call(&request, &mut storage);
    storage.truncate(len);
    let make = move || {
        let (request, mut storage) = (request.clone(), vec![1; capacity]);
        move || {
            let len = floor.call(black_box(&request), &mut storage);
            black_box(&storage[..len]);
        }
    };
    Subject::new(make).answering(storage)
}

/// One call whose response fits the storage.
///
/// # Panics
/// When the call fails or the response doesn't fit: a benchmark of failures would flatter us.
#[inline(always)]
pub fn ours<'s>(method: Method, request: &[u8], storage: &'s mut [u8]) -> &'s [u8] {
    match method.call_into(request, storage) {
        Ok(ResponseLocation::Buffer(len)) => &storage[..len],
        Ok(ResponseLocation::Lease(_)) => panic!("the response doesn't fit"),
        Err(error) => panic!("{error}"),
    }
}

/// From a value to a value, with JSON in between.
pub fn typed<Request: Serialize, Response: DeserializeOwned>(
    method: Method,
    request: &Request,
) -> Response {
    let request = serde_json::to_vec(request).expect("messages can be written");
    let reply = method.call(&request).expect("the call works");
    serde_json::from_slice(&reply).expect("the response is of that type")
}

/// A function that the compiler can't see through, as a call from another crate without inlining.
pub fn opaque<Function>(function: Function) -> Function {
    black_box(function)
}
