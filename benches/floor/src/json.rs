//! Calls with JSON by hand: serde_json from the request to the caller's buffer.

use std::borrow::Cow;
use std::slice;

use serde::{Deserialize, Serialize};

use crate::{INVALID_ARGUMENT, OK, request_bytes};

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

#[derive(Deserialize)]
struct Small<'a> {
    #[serde(borrow)]
    key: Cow<'a, str>,
    flags: u32,
}

#[derive(Serialize)]
struct Found {
    value: String,
    ttl_seconds: u32,
    cache_hit: bool,
}

#[derive(Deserialize)]
struct Parts {
    parts: Vec<String>,
}

#[derive(Serialize)]
struct Joined {
    text: String,
}

/// `{"message"}` → `{"message","length"}`: serde_json into a struct, and straight into the caller's buffer.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_echo_json(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, echo) }
}

/// `{"key","flags"}` → `{"value","ttl_seconds","cache_hit"}`, as `bench.small` of hello-plugin in JSON.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_small_json(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, small) }
}

/// `{"parts"}` → `{"text"}`, the parts with commas in between, as `join` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_join(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, join) }
}

/// Has `work` read the request and write the response; it gives the response's length.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[inline(always)]
unsafe fn answer(
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
    work: impl FnOnce(&[u8], &mut [u8]) -> Option<usize>,
) -> i32 {
    // SAFETY: the caller vouches for the request.
    let request = unsafe { request_bytes(request, len) };
    // SAFETY: the caller vouches for the response.
    let response = unsafe { slice::from_raw_parts_mut(response, capacity) };
    match work(request, response) {
        Some(written) => {
            // SAFETY: the caller vouches for it.
            unsafe { response_len.write(written) };
            OK
        }
        None => INVALID_ARGUMENT,
    }
}

fn echo(request: &[u8], response: &mut [u8]) -> Option<usize> {
    let Echo { message } = serde_json::from_slice(request).ok()?;
    let length = message.len();
    write(&Echoed { message, length }, response)
}

fn small(request: &[u8], response: &mut [u8]) -> Option<usize> {
    const PREFIX: &str = "value_for_";
    let Small { key, flags } = serde_json::from_slice(request).ok()?;
    let mut value = String::with_capacity(PREFIX.len() + key.len());
    value.push_str(PREFIX);
    value.push_str(&key);
    let found = Found {
        value,
        ttl_seconds: 3600,
        cache_hit: flags & 1 != 0,
    };
    write(&found, response)
}

fn join(request: &[u8], response: &mut [u8]) -> Option<usize> {
    let Parts { parts } = serde_json::from_slice(request).ok()?;
    let text = parts.join(",");
    write(&Joined { text }, response)
}

fn write(value: &impl Serialize, response: &mut [u8]) -> Option<usize> {
    let capacity = response.len();
    let mut rest: &mut [u8] = response;
    serde_json::to_writer(&mut rest, value).ok()?;
    Some(capacity - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_gives_the_message_and_its_length_in_bytes() {
        let mut response = [0; 64];
        let len = echo("{\"message\":\"h\u{e9}\"}".as_bytes(), &mut response).expect("it is JSON");
        assert_eq!(
            &response[..len],
            "{\"message\":\"h\u{e9}\",\"length\":3}".as_bytes()
        );
    }

    #[test]
    fn a_key_gives_its_value_in_json_too() {
        let mut response = [0; 128];
        let len = small(br#"{"key":"abc","flags":1}"#, &mut response).expect("it is JSON");
        assert_eq!(
            &response[..len],
            br#"{"value":"value_for_abc","ttl_seconds":3600,"cache_hit":true}"#
        );
    }

    #[test]
    fn texts_are_joined_by_commas() {
        let mut response = [0; 64];
        let len = join(br#"{"parts":["hello","world"]}"#, &mut response).expect("it is JSON");
        assert_eq!(&response[..len], br#"{"text":"hello,world"}"#);
    }

    #[test]
    fn what_is_no_json_or_does_not_fit_is_refused() {
        assert_eq!(echo(b"{", &mut [0; 64]), None);
        assert_eq!(echo(b"{\"message\":\"long\"}", &mut [0; 8]), None);
    }
}
