//! What a call allocates once it's warm: nothing but what the handler's own types need.

use std::borrow::Cow;
use std::ptr;

use rustbridge::__private::wire;
use rustbridge::prelude::{Bytes, Call, Encoding, Message, Pod, plugin};
use rustbridge_abi::Response;

use crate::{COUNT, LARGE, host};

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

struct Frugal {
    kept: Bytes,
}

impl Default for Frugal {
    fn default() -> Frugal {
        Frugal {
            kept: vec![7; 4 << 20].into(),
        }
    }
}

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

    /// Where the bytes lie that came beside the name, and what it keeps beside them.
    pub fn beside(&self, name: &str, data: &[u8]) -> (u64, Bytes) {
        assert_eq!(name, "large");
        (data.as_ptr().addr() as u64, self.kept.clone())
    }

    pub fn reverse<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        request
    }

    pub fn length(&self, request: &[u8]) -> [u8; 8] {
        (request.len() as u64).to_le_bytes()
    }
}

/// Allocations of one warm call with storage of `capacity` bytes.
fn allocations(method: &str, encoding: Encoding, request: &[u8], capacity: usize) -> usize {
    let frugal = host::Loaded::new::<Frugal>();
    let entry = frugal.entry(method, encoding);
    let mut storage = vec![0_u8; capacity];
    let mut call = || {
        let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
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
    assert_eq!(allocations("length", Encoding::Raw, &[7; 1000], 8), 0);
    assert_eq!(allocations("length", Encoding::Raw, &[7; 1000], 7), 1);
}

#[test]
fn a_response_that_does_not_fit_takes_one_allocation() {
    assert_eq!(allocations("swap", Encoding::Pod, &[1; 16], 15), 1);
    assert_eq!(allocations("reverse", Encoding::Raw, &[7; 1000], 999), 1);
}

#[cfg(feature = "async")]
mod started {
    use std::ptr;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, PoisonError};

    use rustbridge::prelude::*;
    use rustbridge_abi::{AsyncExtension, CallContext, RB_EXTENSION_ASYNC, RB_PENDING, Response};

    use super::{Echo, Pair};
    use crate::{COUNT, host};

    #[derive(Default)]
    struct Later;

    static OPEN: AtomicBool = AtomicBool::new(false);

    /// Tasks of one size take their memory from one pool, where another test's would be in the way.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    /// How many calls are looked at. What has ended gives its memory back a moment later, when its thread gets to it: a call
    /// that comes before takes other memory, which isn't warm yet.
    const CALLS: usize = 20;

    #[plugin(name = "later", export = false)]
    impl Later {
        pub async fn swap(&self, request: &Pair) -> Pair {
            Pair {
                a: request.b,
                b: request.a,
            }
        }

        pub async fn echo<'r>(&self, request: Echo<'r>, call: &Call<'_>) -> Echo<'r> {
            assert_eq!(call.method(), "echo");
            request
        }

        pub async fn pends(&self, request: &[u8]) -> String {
            std::future::poll_fn(|context| {
                context.waker().wake_by_ref();
                if OPEN.load(Ordering::Relaxed) {
                    std::task::Poll::Ready(())
                } else {
                    std::task::Poll::Pending
                }
            })
            .await;
            let _ = request.len();
            String::new()
        }
    }

    /// Allocations of this thread in a warm start, and in the release of its task: the fewest of some.
    fn allocations(method: &str, encoding: Encoding, request: &[u8], capacity: usize) -> usize {
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let later = host::Loaded::new::<Later>();
        let entry = later.entry(method, encoding);
        // SAFETY: the table is as its name says.
        let table = unsafe { &*later.extension(RB_EXTENSION_ASYNC).cast::<AsyncExtension>() };
        let mut storage = vec![0_u8; capacity];
        let mut fewest = usize::MAX;
        for _ in 0..CALLS {
            OPEN.store(false, Ordering::Relaxed);
            let op = host::operations::begin();
            let header = CallContext {
                op,
                ..CallContext::EMPTY
            };
            let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
            let mut task = ptr::null_mut();
            let before = COUNT.get();
            // SAFETY: the instance is alive, the rest is valid during the call.
            let status = unsafe {
                table.start.unwrap()(
                    later.instance(),
                    entry,
                    &raw const header,
                    request.as_ptr(),
                    request.len(),
                    &raw mut response,
                    &raw mut task,
                )
            };
            let mut count = COUNT.get() - before;
            OPEN.store(true, Ordering::Relaxed);
            if status == RB_PENDING {
                host::operations::wait(op);
                let before = COUNT.get();
                // SAFETY: it has ended, and nothing else is called any more.
                unsafe { table.release.unwrap()(task) };
                count += COUNT.get() - before;
            } else {
                assert!(response.release.is_none());
            }
            fewest = fewest.min(count);
        }
        fewest
    }

    #[test]
    fn a_call_that_is_ready_at_once_allocates_nothing() {
        assert_eq!(allocations("swap", Encoding::Pod, &[1; 16], 16), 0);
        let request = br#"{"message":"Hello, World!"}"#;
        assert_eq!(allocations("echo", Encoding::Json, request, 64), 0);
    }

    #[test]
    fn a_call_that_is_pending_allocates_the_runtimes_task_and_nothing_of_ours() {
        assert_eq!(allocations("pends", Encoding::Raw, &[7; 5000], 16), 1);
    }
}

#[test]
fn bytes_beside_other_values_are_lent_and_written_once() {
    let frugal = host::Loaded::new::<Frugal>();
    let entry = frugal.entry("beside", Encoding::Wire);
    let request = wire::to_vec(&("large", vec![1_u8; 4 << 20])).unwrap();
    let mut storage = [0_u8; 64];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
    let before = LARGE.get();
    assert_eq!(frugal.call_into(entry, &request, &mut response), 0);
    // That of the answer, which doesn't fit the storage.
    assert_eq!(LARGE.get() - before, 1);
    // SAFETY: the response describes `len` readable bytes.
    let answer = unsafe { std::slice::from_raw_parts(response.data, response.len) };
    let (address, bytes): (u64, &[u8]) = wire::read(answer).unwrap();
    let lent = request.as_ptr_range();
    assert_eq!(address, (lent.end.addr() - (4 << 20)) as u64);
    assert_eq!((bytes.len(), bytes[0]), (4 << 20, 7));
    // SAFETY: called once, with the struct itself.
    unsafe { response.release.unwrap()(ptr::from_mut(&mut response)) };
}
