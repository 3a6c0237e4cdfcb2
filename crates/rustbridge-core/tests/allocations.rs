//! The call path allocates nothing. A program of its own with one test, because its allocator counts what all threads of the
//! process allocate.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use common::load_tiny;
use rustbridge_core::{Encoding, Load, Response, ResponseLocation, Status, handles};

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

/// What a thousand runs allocate. The harness's own thread allocates when it has started a test, which on a busy machine is
/// while the test runs: that adds to one count and never takes from it, so the least of three is ours.
fn allocations_of(run: impl Fn()) -> u64 {
    run();
    let count = || {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for _ in 0..1000 {
            run();
        }
        ALLOCATIONS.load(Ordering::Relaxed) - before
    };
    (0..3).map(|_| count()).min().unwrap_or(u64::MAX)
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
            ResponseLocation::Buffer(27)
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
        unsafe { handles::release_call_result(outcome) };
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
    futures_allocate_nothing();
    let other = load_tiny().open().unwrap();
    let closed = other.method("echo", Encoding::Json).unwrap();
    drop(other);
    let refused = allocations_of(|| {
        let mut storage = [0; 200];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
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

/// What is answered at once allocates nothing, and what ends later nothing once its node is there: the waker is the task's.
fn futures_allocate_nothing() {
    let plugin = load_tiny().open().unwrap();
    let raw = plugin.method("echo", Encoding::Raw).unwrap();
    let small = plugin.method("small", Encoding::Pod).unwrap();
    let mut context = Context::from_waker(Waker::noop());
    let mut at_once = Context::from_waker(Waker::noop());
    let at_once = std::cell::RefCell::new(&mut at_once);
    let inline = allocations_of(|| {
        let mut context = at_once.borrow_mut();
        let mut call = raw
            .call_async(b"hi")
            .timeout(Duration::from_secs(60))
            .begin();
        let Poll::Ready(reply) = Pin::new(&mut call).poll(&mut context) else {
            panic!()
        };
        assert_eq!(&*reply.unwrap(), b"hi");
        let mut call = small.call_pod_async::<_, [i32; 2]>(&[1, 2]).begin();
        let Poll::Ready(sum) = Pin::new(&mut call).poll(&mut context) else {
            panic!()
        };
        assert_eq!(sum.unwrap(), [3, 1]);
    });
    assert_eq!(inline, 0, "answered at once");

    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(silent::entry_point, "silent") }
        .open()
        .unwrap();
    let later = plugin.method("later", Encoding::Raw).unwrap();
    let dropped = allocations_of(|| drop(later.call_async(b"").begin()));
    assert_eq!(dropped, 0, "pending, and dropped");
    let context = std::cell::RefCell::new(&mut context);
    let pending = allocations_of(|| {
        let mut context = context.borrow_mut();
        let mut call = later.call_async(b"").begin();
        assert!(Pin::new(&mut call).poll(&mut context).is_pending());
        silent::end();
        let Poll::Ready(reply) = Pin::new(&mut call).poll(&mut context) else {
            panic!()
        };
        assert_eq!(&*reply.unwrap(), b"later");
    });
    assert_eq!(pending, 0, "pending, and answered");
    let waited = allocations_of(|| {
        let call = later.call_async(b"").begin();
        silent::end();
        assert_eq!(&*call.wait().unwrap(), b"later");
    });
    assert_eq!(waited, 0, "waited for by a thread");
}

/// A plugin whose one method ends when it's told to, or is cancelled, and that allocates nothing.
mod silent {
    use std::ffi::{CStr, c_char, c_void};
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

    use rustbridge_abi::*;

    static HOST: AtomicPtr<AsyncHost> = AtomicPtr::new(ptr::null_mut());
    static OP: AtomicU64 = AtomicU64::new(0);

    unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
        const TEXT: &str = r#"{"abi":"1.0","name":"silent","methods":[
            {"name":"later","entries":[{"index":0,"encoding":"raw","async":true}]}]}"#;
        unsafe extern "C" fn nothing(_: *mut Response) {}
        // SAFETY: the core's.
        let response = unsafe { &mut *response };
        response.data = TEXT.as_ptr().cast_mut();
        response.len = TEXT.len();
        response.release = Some(nothing);
        RB_OK
    }

    unsafe extern "C" fn create(
        _context: *mut c_void,
        host: *const Host,
        _: *const u8,
        _: usize,
        instance: *mut *mut c_void,
        _: *mut Response,
    ) -> StatusCode {
        // SAFETY: the core's.
        unsafe {
            let table = (*host).extension.unwrap()((*host).context, RB_EXTENSION_ASYNC.as_ptr());
            HOST.store(table.cast_mut().cast(), Ordering::SeqCst);
            instance.write(ptr::dangling_mut());
        }
        RB_OK
    }

    unsafe extern "C" fn destroy(_: *mut c_void, _: *mut Response) -> StatusCode {
        RB_OK
    }

    unsafe extern "C" fn call(
        _: *mut c_void,
        _: u32,
        _: *const CallContext,
        _: *const u8,
        _: usize,
        _: *mut Response,
    ) -> StatusCode {
        RB_UNIMPLEMENTED
    }

    unsafe extern "C" fn start(
        _: *mut c_void,
        _: u32,
        header: *const CallContext,
        _: *const u8,
        _: usize,
        _: *mut Response,
        task: *mut *mut c_void,
    ) -> StatusCode {
        // SAFETY: the core's.
        unsafe {
            OP.store((*header).op, Ordering::SeqCst);
            task.write(ptr::dangling_mut());
        }
        RB_PENDING
    }

    /// Ends what was begun last.
    pub fn end() {
        complete(RB_OK);
    }

    fn complete(status: StatusCode) {
        let answer = b"later";
        let mut response = Response {
            data: answer.as_ptr().cast_mut(),
            len: answer.len(),
            ..Response::empty()
        };
        // SAFETY: lives as long as the process; the answer is borrowed until it returns.
        unsafe {
            let host = &*HOST.load(Ordering::SeqCst);
            let op = OP.load(Ordering::SeqCst);
            host.complete.unwrap()(op, status, &mut response, ptr::null_mut());
        }
    }

    unsafe extern "C" fn cancel(_: *mut c_void, reason: StatusCode) {
        complete(reason);
    }

    unsafe extern "C" fn release(_: *mut c_void) {}

    unsafe extern "C" fn extension(_context: *mut c_void, name: *const c_char) -> *const c_void {
        static TABLE: AsyncExtension = AsyncExtension {
            start: Some(start),
            cancel: Some(cancel),
            release: Some(release),
            ..AsyncExtension::EMPTY
        };
        // SAFETY: terminated, by the ABI.
        if unsafe { CStr::from_ptr(name) } == RB_EXTENSION_ASYNC {
            ptr::from_ref(&TABLE).cast()
        } else {
            ptr::null()
        }
    }

    pub unsafe extern "C" fn entry_point(_: u32) -> *const PluginTable {
        static TABLE: PluginTable = PluginTable {
            describe: Some(describe),
            create: Some(create),
            call: Some(call),
            destroy: Some(destroy),
            extension: Some(extension),
            ..PluginTable::EMPTY
        };
        &TABLE
    }
}
