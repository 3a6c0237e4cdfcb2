//! The call path allocates nothing: counted by the allocator of this binary, in which nothing else runs.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use common::load_tiny;
use rustbridge_core::{Encoding, Response, Status, Written, handles};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of(run: impl Fn()) -> u64 {
    run();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..1000 {
        run();
    }
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

// One test, because the harness allocates when a test ends, and would be counted by another one.
#[test]
fn calls_allocate_nothing_once_warm() {
    let plugin = load_tiny().open().unwrap();
    let small = plugin.method("small", Encoding::Pod).unwrap();
    let json = plugin.method("echo", Encoding::Json).unwrap();
    let raw = plugin.method("echo", Encoding::Raw).unwrap();

    let pod = allocations_of(|| {
        assert_eq!(
            small.call_pod::<[i32; 2], [i32; 2]>(&[1, 2]).unwrap(),
            [3, 1]
        );
    });
    assert_eq!(pod, 0, "pod");
    let request = br#"{"message":"Hello, World!"}"#;
    let echo = allocations_of(|| assert_eq!(&*json.call(request).unwrap(), request));
    assert_eq!(echo, 0, "small JSON");
    let by_name = allocations_of(|| {
        assert_eq!(&*plugin.call("echo", request).unwrap(), request);
    });
    assert_eq!(by_name, 0, "small JSON, looked up by name");
    let into = allocations_of(|| {
        let mut storage = [0; 64];
        assert!(matches!(
            raw.call_into(request, &mut storage).unwrap(),
            Written::Here(27)
        ));
    });
    assert_eq!(into, 0, "into the caller's storage");
    let raw_into = |entry: u32, request: &[u8], storage: &mut [u8]| {
        // SAFETY: request and storage are slices.
        unsafe {
            handles::call_into(
                plugin.handle(),
                entry,
                request.as_ptr(),
                request.len(),
                storage.as_mut_ptr(),
                storage.len(),
            )
        }
    };
    let as_argument = allocations_of(|| {
        assert_eq!(raw_into(raw.entry(), request, &mut [0; 64]), 27);
        assert_eq!(raw_into(raw.entry(), b"", &mut []), 0);
    });
    assert_eq!(as_argument, 0, "with the storage as an argument");
    let outcome = allocations_of(|| {
        let outcome = handles::Outcome::of(raw_into(raw.entry(), request, &mut []));
        // SAFETY: once.
        unsafe { handles::release_outcome(outcome) };
    });
    assert_eq!(outcome, 2000, "the plugin's, and the outcome");
    let large = vec![b'x'; 100_000];
    let mut storage = vec![0; large.len()];
    for (len, what) in [(512, "stack"), (large.len(), "the thread's memory")] {
        let shared = std::cell::RefCell::new(&mut storage);
        let copied = allocations_of(|| {
            let entry = raw.entry() | handles::ENTRY_SHARED;
            let result = raw_into(entry, &large[..len], &mut shared.borrow_mut());
            assert_eq!(result, len as i64);
        });
        assert_eq!(copied, 0, "a copy of the request in {what}");
    }
    let other = load_tiny().open().unwrap();
    let closed = other.method("echo", Encoding::Json).unwrap();
    drop(other);
    let refused = allocations_of(|| {
        let mut storage = [0; 200];
        let mut response = Response::with_storage(storage.as_mut_ptr(), storage.len());
        // SAFETY: the request is empty, the storage an array.
        let status = unsafe {
            let (handle, entry) = (closed.handle(), closed.entry());
            handles::call(handle, entry, std::ptr::null(), 0, &raw mut response)
        };
        assert_eq!(Status::from_code(status), Status::Unavailable);
        assert!(response.release.is_none());
    });
    assert_eq!(refused, 0, "a call of what is closed");
    // So that the counter is known to count: what doesn't fit is the plugin's one allocation.
    let lease = allocations_of(|| assert!(raw.call(&[0; 257]).unwrap().is_lease()));
    assert_eq!(lease, 1000);
}
