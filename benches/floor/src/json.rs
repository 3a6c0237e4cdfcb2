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
    // SAFETY: the caller vouches for the request.
    let request = unsafe { request_bytes(request, len) };
    // SAFETY: the caller vouches for the response.
    let response = unsafe { slice::from_raw_parts_mut(response, capacity) };
    match echo(request, response) {
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
    let capacity = response.len();
    let mut rest: &mut [u8] = response;
    serde_json::to_writer(&mut rest, &Echoed { message, length }).ok()?;
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
    fn what_is_no_json_or_does_not_fit_is_refused() {
        assert_eq!(echo(b"{", &mut [0; 64]), None);
        assert_eq!(echo(b"{\"message\":\"long\"}", &mut [0; 8]), None);
    }
}
