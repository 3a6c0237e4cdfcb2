//! What a call allocates once it's warm: nothing but what the handler's own types need.

#[expect(dead_code, reason = "every test file uses another part of the host")]
mod host;

use std::alloc::{GlobalAlloc, Layout, System};
use std::borrow::Cow;
use std::cell::Cell;
use std::ptr;

use rustbridge::prelude::{Call, Encoding, Message, Pod, plugin};
use rustbridge_abi::Response;

/// Counts the allocations of each thread apart, so that other tests and the harness don't disturb.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count() {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's conditions are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's conditions are the same.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's conditions are the same.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[derive(Message)]
struct Echo<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
}

#[derive(Message)]
struct Owned {
    message: String,
}

#[derive(Message, Pod)]
#[repr(C)]
struct Pair {
    a: u64,
    b: u64,
}

#[derive(Default)]
struct Frugal;

#[plugin(name = "frugal", export = false)]
impl Frugal {
    pub fn echo<'r>(&self, request: Echo<'r>, _call: &Call) -> Echo<'r> {
        request
    }

    pub fn owned(&self, request: Owned) -> Owned {
        request
    }

    pub fn swap(&self, request: &Pair) -> Pair {
        Pair {
            a: request.b,
            b: request.a,
        }
    }

    pub fn reverse<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        request
    }
}

/// Allocations of one warm call with storage of `capacity` bytes.
fn allocations(method: &str, encoding: Encoding, request: &[u8], capacity: usize) -> usize {
    let frugal = host::Loaded::new::<Frugal>();
    let entry = frugal.entry(method, encoding);
    let mut storage = vec![0_u8; capacity];
    let mut call = || {
        let mut response = Response::with_storage(storage.as_mut_ptr(), capacity);
        assert_eq!(frugal.call_into(entry, request, &mut response), 0);
        if let Some(release) = response.release {
            // SAFETY: called once, with the struct itself.
            unsafe { release(ptr::from_mut(&mut response)) };
        }
    };
    call();
    let before = COUNT.get();
    call();
    COUNT.get() - before
}

#[test]
fn a_pod_call_allocates_nothing() {
    assert_eq!(allocations("swap", Encoding::Pod, &[1; 16], 16), 0);
    assert_eq!(allocations("swap", Encoding::Pod, &[1; 16], 64), 0);
}

#[test]
fn a_json_call_allocates_nothing_of_ours() {
    let request = br#"{"message":"Hello, World!"}"#;
    assert_eq!(allocations("echo", Encoding::Json, request, 64), 0);
    assert_eq!(allocations("owned", Encoding::Json, request, 64), 1);
}

#[test]
fn a_raw_call_allocates_nothing() {
    assert_eq!(allocations("reverse", Encoding::Raw, &[7; 1000], 1000), 0);
}

#[test]
fn a_response_that_does_not_fit_takes_one_allocation() {
    assert_eq!(allocations("swap", Encoding::Pod, &[1; 16], 15), 1);
    assert_eq!(allocations("reverse", Encoding::Raw, &[7; 1000], 999), 1);
}
