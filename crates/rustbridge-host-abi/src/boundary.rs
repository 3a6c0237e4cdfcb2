//! Everything that isn't the hot path comes in and goes out here: pointers become slices, errors and panics become
//! payloads, and payloads become responses.

use std::any::Any;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{mem, slice, str};

use rustbridge_abi::{
    Growing, RB_INTERNAL, RB_INVALID_ARGUMENT, RB_OK, Response, StatusCode, Text,
};
use rustbridge_core::{Error, handles};

/// What the caller passed makes no sense; the message names the parameter.
#[derive(Debug)]
pub(crate) struct Refusal {
    message: String,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Refusal {
        Refusal {
            message: message.into(),
        }
    }

    pub(crate) fn null(parameter: &str) -> Refusal {
        Refusal::new(format!("{parameter} is null, expected a valid pointer"))
    }
}

/// Why a function fails, before it is a payload.
#[derive(Debug)]
pub(crate) enum Failure {
    Refused(Refusal),
    Core(Error),
    Panicked(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Failure::Refused(_) => RB_INVALID_ARGUMENT,
            Failure::Core(error) => error.status().code(),
            Failure::Panicked(_) => RB_INTERNAL,
        }
    }

    fn payload(&self) -> Vec<u8> {
        match self {
            Failure::Refused(refusal) => own_payload(
                "INVALID_ARGUMENT",
                "rustbridge.InvalidArgument",
                &refusal.message,
            ),
            Failure::Core(error) => error.to_json().into(),
            Failure::Panicked(message) => own_payload("INTERNAL", "panic", message),
        }
    }
}

/// Runs `body`; its failure, or panic, becomes the status and the payload in `error`, which success leaves empty.
///
/// # Safety
/// `error` is null or a response.
pub(crate) unsafe fn enter(
    error: *mut Response,
    body: impl FnOnce() -> Result<(), Failure>,
) -> StatusCode {
    match caught(body) {
        Ok(()) => {
            // SAFETY: the caller vouches for `error`.
            unsafe { put(error, Vec::new()) };
            RB_OK
        }
        // SAFETY: as above.
        Err(failure) => unsafe { fail(error, &failure) },
    }
}

/// Runs `body` and puts the text that it gives into `response`.
///
/// # Safety
/// `response` is null or a response.
pub(crate) unsafe fn answer<T: AsRef<str>>(
    response: *mut Response,
    body: impl FnOnce() -> Result<T, Failure>,
) -> StatusCode {
    if response.is_null() {
        return RB_INVALID_ARGUMENT;
    }
    match caught(body) {
        Ok(text) => {
            // SAFETY: the caller vouches for `response`.
            unsafe { put(response, text.as_ref().into()) };
            RB_OK
        }
        // SAFETY: as above.
        Err(failure) => unsafe { fail(response, &failure) },
    }
}

fn caught<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What a panic leaves half done here is dropped with it; the core guards its own state.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let message = panic_message(&*panic);
        // Its destructor could panic once more, and nothing would be left to catch that.
        mem::forget(panic);
        Err(Failure::Panicked(message))
    })
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

/// # Safety
/// `error` is null or a response.
unsafe fn fail(error: *mut Response, failure: &Failure) -> StatusCode {
    if !error.is_null() {
        // SAFETY: the caller vouches for `error`.
        unsafe { put(error, failure.payload()) };
    }
    failure.status()
}

/// Answers with `bytes`: copied into the caller's storage where they fit, handed over where not. Storage that makes no
/// sense counts as none.
///
/// # Safety
/// `response` is null or a response.
unsafe fn put(response: *mut Response, bytes: Vec<u8>) {
    if response.is_null() {
        return;
    }
    // SAFETY: not null, so a response, and after this one that the core may write to.
    unsafe {
        if (*response).data.is_null() || (*response).capacity > isize::MAX as usize {
            *response = Response::empty();
        }
        handles::write_bytes(bytes, response);
    }
}

/// A struct that leads with its size, or why it can't be read. `name` is C's for its type.
///
/// # Safety
/// `at` is null, or as long as the struct at it says.
pub(crate) unsafe fn read<T: Growing>(
    parameter: &str,
    name: &str,
    at: *const T,
) -> Result<T, Refusal> {
    // SAFETY: the caller's promise.
    unsafe { check(parameter, name, at)? };
    // SAFETY: not null, aligned, and the caller vouches for the length.
    unsafe { rustbridge_abi::read(at) }.map_err(|size| too_short::<T>(parameter, name, size))
}

/// Whether such a struct can be written, by what it says of itself.
///
/// # Safety
/// `at` is null, or as long as the struct at it says.
#[inline(always)]
pub(crate) unsafe fn check<T: Growing>(
    parameter: &str,
    name: &str,
    at: *const T,
) -> Result<(), Refusal> {
    if at.is_null() {
        return Err(Refusal::null(parameter));
    }
    if !at.is_aligned() {
        return Err(misaligned::<T>(parameter));
    }
    // SAFETY: not null, aligned, and every such struct has its size in front.
    let size = unsafe { at.cast::<u32>().read() } as usize;
    if size < T::SIZE_1_0 {
        return Err(too_short::<T>(parameter, name, size));
    }
    Ok(())
}

#[cold]
fn misaligned<T>(parameter: &str) -> Refusal {
    Refusal::new(format!(
        "{parameter} isn't aligned to {} bytes, expected the address of a struct",
        align_of::<T>()
    ))
}

#[cold]
fn too_short<T: Growing>(parameter: &str, name: &str, size: usize) -> Refusal {
    Refusal::new(format!(
        "{parameter}.size is {size}, expected sizeof({name}), at least {}",
        T::SIZE_1_0
    ))
}

/// The bytes of a parameter, or why they can't be.
///
/// # Safety
/// `data` is null or points to `len` bytes that stay readable and unchanged for `'a`.
pub(crate) unsafe fn bytes<'a>(
    parameter: &str,
    data: *const u8,
    len: usize,
) -> Result<&'a [u8], Refusal> {
    if len > isize::MAX as usize {
        Err(Refusal::new(format!(
            "the length of {parameter} is {len}, expected PTRDIFF_MAX at most"
        )))
    } else if len == 0 {
        Ok(&[])
    } else if data.is_null() {
        Err(Refusal::new(format!(
            "{parameter} is null and its length {len}, expected 0"
        )))
    } else {
        // SAFETY: not null, not too long, and the caller vouches for the rest.
        Ok(unsafe { slice::from_raw_parts(data, len) })
    }
}

/// The text of a parameter, or why it isn't one.
///
/// # Safety
/// As for [`bytes`].
pub(crate) unsafe fn text<'a>(parameter: &str, text: Text) -> Result<&'a str, Refusal> {
    // SAFETY: the caller vouches for it.
    let bytes = unsafe { bytes(parameter, text.data.cast(), text.len)? };
    str::from_utf8(bytes).map_err(|error| {
        Refusal::new(format!(
            "{parameter} isn't UTF-8 from byte {} on",
            error.valid_up_to()
        ))
    })
}

fn own_payload(code: &str, kind: &str, message: &str) -> Vec<u8> {
    let mut json = format!("{{\"code\":\"{code}\",\"message\":\"");
    for character in message.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            character if character < ' ' => {
                let _ = write!(json, "\\u{:04x}", character as u32);
            }
            character => json.push(character),
        }
    }
    let _ = write!(json, "\",\"type\":\"{kind}\"}}");
    json.into_bytes()
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    fn text_of(response: &Response) -> &str {
        // SAFETY: filled by `put`.
        str::from_utf8(unsafe { slice::from_raw_parts(response.data, response.len) }).unwrap()
    }

    #[test]
    fn a_payload_that_fits_is_written_into_the_callers_storage() {
        let mut storage = [0_u8; 256];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        // SAFETY: a response.
        let status = unsafe { enter(&raw mut response, || Err(Refusal::null("x").into())) };
        assert_eq!(status, RB_INVALID_ARGUMENT);
        assert!(response.release.is_none());
        assert_eq!(response.data, storage.as_mut_ptr());
        assert_eq!(
            text_of(&response),
            r#"{"code":"INVALID_ARGUMENT","message":"x is null, expected a valid pointer","type":"rustbridge.InvalidArgument"}"#
        );
    }

    #[test]
    fn a_payload_that_does_not_fit_is_handed_over_and_can_be_released() {
        let mut storage = [7_u8; 4];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        // SAFETY: a response.
        let status = unsafe { answer(&raw mut response, || Ok("more than four".to_owned())) };
        assert_eq!(status, RB_OK);
        assert_eq!(text_of(&response), "more than four");
        assert_eq!(storage, [7; 4]);
        let release = response.release.unwrap();
        // SAFETY: once, with what came back.
        unsafe { release(&raw mut response) };
    }

    #[test]
    fn storage_that_makes_no_sense_is_not_written_to() {
        for (data, capacity) in [(ptr::null_mut(), 100), (ptr::dangling_mut(), usize::MAX)] {
            let mut response = Response::with_buffer(data, capacity);
            // SAFETY: a response whose storage `put` must not believe in.
            unsafe { answer(&raw mut response, || Ok("text")) };
            assert_eq!(text_of(&response), "text");
            // SAFETY: once, with what came back.
            unsafe { response.release.unwrap()(&raw mut response) };
        }
    }

    #[test]
    fn a_panic_becomes_a_status_and_its_message_is_valid_json() {
        let mut response = Response::empty();
        // SAFETY: a response.
        let status = unsafe { enter(&raw mut response, || panic!("a \"quoted\"\nline \\ end")) };
        assert_eq!(status, RB_INTERNAL);
        assert_eq!(
            text_of(&response),
            r#"{"code":"INTERNAL","message":"a \"quoted\"\u000aline \\ end","type":"panic"}"#
        );
        // SAFETY: once, with what came back.
        unsafe { response.release.unwrap()(&raw mut response) };
    }

    #[test]
    fn text_that_is_not_utf_8_says_where() {
        let bytes = b"ab\xffc";
        let name = Text {
            data: bytes.as_ptr().cast(),
            len: bytes.len(),
        };
        // SAFETY: readable.
        let refusal = unsafe { text("method", name) }.unwrap_err();
        assert_eq!(refusal.message, "method isn't UTF-8 from byte 2 on");
    }
}
