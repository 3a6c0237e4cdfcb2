//! Destructors of the author's that panic behind the response: the answer is the panic, whose it is stays clear, nothing leaks.

use std::sync::Once;
use std::{panic, ptr, slice};

use rustbridge::prelude::{Bytes, Encoding, Message, Status, plugin};
use rustbridge_abi::{RB_OK, RB_PANICKED, Response};

use crate::host::Loaded;
use crate::{LIVE, LONG};

#[derive(Message)]
struct Loud {
    length: usize,
}

impl Drop for Loud {
    fn drop(&mut self) {
        panic!("a request of {} panics on its way out", self.length);
    }
}

#[derive(Message)]
struct LoudText {
    text: String,
}

impl Drop for LoudText {
    fn drop(&mut self) {
        panic!("a response of {} panics on its way out", self.text.len());
    }
}

struct LoudOwner(Vec<u8>);

impl AsRef<[u8]> for LoudOwner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for LoudOwner {
    fn drop(&mut self) {
        panic!("an owner panics on its way out");
    }
}

#[derive(Default)]
struct Drops;

#[plugin(name = "drops", export = false)]
impl Drops {
    /// Its request is dropped when the response is written.
    #[method(name = "request", encodings(json))]
    pub fn request(&self, request: &Loud) -> String {
        "x".repeat(request.length)
    }

    #[method(name = "response", encodings(json))]
    pub fn response(&self, request: usize) -> LoudText {
        LoudText {
            text: "x".repeat(request),
        }
    }

    pub fn owner(&self, request: &[u8]) -> Bytes {
        Bytes::from_owner(LoudOwner(request.to_vec()))
    }
}

/// A plugin whose panics print no backtrace: what the first one reads to name its frames is kept for good, and would be counted.
fn load() -> Loaded {
    // The hook is the process's, and the plugin's own hands on to what it finds.
    static ONCE: Once = Once::new();
    ONCE.call_once(|| panic::set_hook(Box::new(|info| eprintln!("{info}"))));
    Loaded::new::<Drops>()
}

#[test]
fn a_destructor_that_panics_behind_the_response_leaves_one_response_and_no_leak() {
    let drops = load();
    for (method, request) in [
        ("request", format!(r#"{{"length":{LONG}}}"#)),
        ("response", LONG.to_string()),
        ("request", r#"{"length":3}"#.to_owned()),
        ("response", "3".to_owned()),
    ] {
        let entry = drops.entry(method, Encoding::Json);
        for capacity in [0, 7, 300, 2 * LONG] {
            let mut storage = vec![0_u8; capacity];
            let before = LIVE.get();
            let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
            let status = drops.call_into(entry, request.as_bytes(), &mut response);
            let what = format!("{method} {request} into {capacity}");
            assert_eq!(Status::from_code(status), Status::Internal, "{what}");
            assert_ne!(status & RB_PANICKED, 0, "{what}");
            // SAFETY: the response describes `len` readable bytes.
            let bytes = unsafe { slice::from_raw_parts(response.data, response.len) };
            let payload: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            assert_eq!(payload["type"], "panic", "{what}");
            assert!(
                payload["message"]
                    .as_str()
                    .unwrap()
                    .ends_with("panics on its way out"),
                "{payload}"
            );
            match response.release {
                None => assert_eq!(
                    (response.data, response.capacity),
                    (storage.as_mut_ptr(), capacity),
                    "{what}"
                ),
                // SAFETY: called once, with the struct itself.
                Some(release) => unsafe {
                    assert_ne!(response.data, storage.as_mut_ptr(), "{what}");
                    release(&raw mut response);
                },
            }
            assert_eq!(LIVE.get(), before, "{what}");
        }
    }
}

#[test]
fn what_a_host_leaves_in_the_response_is_not_called() {
    unsafe extern "C" fn not_yours(_response: *mut Response) {
        panic!("called what was there before");
    }
    let drops = load();
    let entry = drops.entry("request", Encoding::Json);
    let mut storage = [0_u8; 512];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
    response.release = Some(not_yours);
    let status = drops.call_into(entry, br#"{"length":3}"#, &mut response);
    assert_ne!(status & RB_PANICKED, 0);
    assert_eq!(response.data, storage.as_mut_ptr());
    assert!(response.release.is_none());
}

#[test]
fn an_owner_of_bytes_that_panics_when_they_are_released_harms_nobody() {
    let drops = load();
    let entry = drops.entry("owner", Encoding::Raw);
    let mut response = Response::with_buffer(ptr::null_mut(), 0);
    assert_eq!(drops.call_into(entry, b"bytes", &mut response), RB_OK);
    // SAFETY: called once, with the struct itself.
    unsafe { response.release.unwrap()(&raw mut response) };
}
