//! Requests that another thread writes to while a call reads them.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;

use rustbridge_core::{Encoding, Response, Status, handles};

use crate::common::{load_tiny, rounds};

/// A text of letters of one and of two bytes, which another thread turns into each other.
struct Changing {
    bytes: Box<[AtomicU8]>,
    over: AtomicBool,
}

impl Changing {
    fn new(len: usize) -> Changing {
        Changing {
            bytes: (0..len).map(|_| AtomicU8::new(b'a')).collect(),
            over: AtomicBool::new(false),
        }
    }

    fn change(&self) {
        while !self.over.load(Ordering::Relaxed) {
            for text in ["aa", "é"] {
                for pair in self.bytes.chunks_exact(2) {
                    pair[0].store(text.as_bytes()[0], Ordering::Relaxed);
                    pair[1].store(text.as_bytes()[1], Ordering::Relaxed);
                }
            }
        }
    }
}

/// Has the other thread end, also when a check fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a call fared, with the flags added to its entry.
fn call(method: &rustbridge_core::Method, flags: u32, request: &Changing) -> Status {
    let mut at = [0; size_of::<usize>()];
    let mut response = Response::with_buffer(at.as_mut_ptr(), at.len());
    // SAFETY: the entry says that others write to the request; the response's storage is an array.
    let status = unsafe {
        handles::call(
            method.handle(),
            method.entry() | flags,
            request.bytes.as_ptr().cast(),
            request.bytes.len(),
            &raw mut response,
        )
    };
    assert!(response.release.is_none());
    if status == 0 {
        let at = usize::from_ne_bytes(at);
        assert!(at.is_multiple_of(16), "{at:#x}");
        assert_ne!(at, request.bytes.as_ptr().addr());
    }
    Status::from_code(status)
}

fn nothing_changes_in_a_copy(len: usize, calls: u64, flags: u32) {
    let plugin = load_tiny().open().unwrap();
    let look_twice = plugin.method("look_twice", Encoding::Raw).unwrap();
    let request = Changing::new(len);
    let mut good = 0;
    thread::scope(|scope| {
        scope.spawn(|| request.change());
        let _over = Over(&request.over);
        for _ in 0..calls {
            match call(&look_twice, flags | handles::ENTRY_SHARED, &request) {
                Status::Ok => good += 1,
                // What was copied was no text.
                Status::InvalidArgument => {}
                other => panic!("{other}"),
            }
        }
    });
    assert!(good > 0, "none of {calls} copies was a text");
}

#[test]
fn a_small_request_that_changes_is_copied_to_the_stack() {
    nothing_changes_in_a_copy(200, rounds(100_000), 0);
    nothing_changes_in_a_copy(500, rounds(10_000), handles::ENTRY_LEAF);
}

#[test]
fn a_large_request_that_changes_is_copied_to_memory_of_the_threads() {
    nothing_changes_in_a_copy(5000, rounds(2000), 0);
    nothing_changes_in_a_copy(300_000, rounds(20), handles::ENTRY_LEAF);
}

#[test]
fn a_request_that_memory_has_no_room_for_is_refused_and_not_read() {
    let plugin = load_tiny().open().unwrap();
    let echo = plugin.method("echo", Encoding::Raw).unwrap();
    let mut storage = [0; 512];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
    // SAFETY: no memory holds that much, so nothing is read; the response's storage is an array.
    let status = unsafe {
        handles::call(
            plugin.handle(),
            echo.entry() | handles::ENTRY_SHARED,
            storage.as_ptr(),
            isize::MAX as usize,
            &raw mut response,
        )
    };
    assert_eq!(Status::from_code(status), Status::ResourceExhausted);
    let said = std::str::from_utf8(&storage[..response.len]).unwrap();
    assert!(said.contains("rustbridge.OutOfMemory"), "{said}");
}
