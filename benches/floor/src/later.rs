//! Calls that end later by hand: a task of a runtime, and a callback at its end.

use std::ffi::c_void;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;

use crate::{INVALID_ARGUMENT, OK, request_bytes};

/// Whom to tell of an end: what `handle` points to in calls that end later.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Callback {
    /// Told once, on whatever thread; `status` is 0, or 1 if the task was aborted.
    done: unsafe extern "C" fn(data: *mut c_void, status: i32, value: i32),
    /// Passed back as it is.
    data: *mut c_void,
}

// SAFETY: who gives one lets it be called on any thread.
unsafe impl Send for Callback {}

impl Callback {
    fn tell(self, status: i32, value: i32) {
        // SAFETY: who gave it vouches for function and data until it was told.
        unsafe { (self.done)(self.data, status, value) };
    }
}

/// The runtime that a library has which does this by hand. Of one worker, as an instance of ours has.
fn runtime() -> Option<&'static Runtime> {
    // One per process, as by hand; its thread begins with the first call, on the processors that the caller has then.
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let build = || Builder::new_multi_thread().worker_threads(1).build().ok();
    RUNTIME.get_or_init(build).as_ref()
}

/// Says that it was aborted unless it's told otherwise.
struct Ending(Callback);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.tell(1, 0);
    }
}

/// `{value: i32}` → 41 more, told by the callback after the task has let others run once, as `later` of bench-plugin.
///
/// # Safety
/// `handle` points to a [`Callback`] that may be told on any thread, `request` to `len` readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_later(
    handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    _response: *mut u8,
    _capacity: usize,
    _response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for both.
    let (callback, request) = unsafe {
        (
            handle.cast::<Callback>().read(),
            request_bytes(request, len),
        )
    };
    let (Some(value), Some(runtime)) = (request.first_chunk(), runtime()) else {
        return INVALID_ARGUMENT;
    };
    let value = i32::from_ne_bytes(*value);
    runtime.spawn(async move {
        tokio::task::yield_now().await;
        callback.tell(0, value.wrapping_add(41));
    });
    OK
}

/// Begins a task that never ends by itself, as `never` of bench-plugin; the response is what [`floor_abort`] takes.
///
/// # Safety
/// `handle` points to a [`Callback`] that may be told on any thread, `response` to `capacity` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_never(
    handle: *mut u8,
    _id: u32,
    _request: *const u8,
    _len: usize,
    response: *mut u8,
    capacity: usize,
    _response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for it.
    let callback = unsafe { handle.cast::<Callback>().read() };
    let Some(runtime) = runtime().filter(|_| capacity == size_of::<usize>()) else {
        return INVALID_ARGUMENT;
    };
    // Made here: a task may be aborted before it was ever polled.
    let ending = Ending(callback);
    let task = runtime.spawn(async move {
        let _ending = ending;
        std::future::pending::<()>().await;
    });
    let abort = Box::into_raw(Box::new(task.abort_handle()));
    // SAFETY: there is room for one.
    unsafe { response.cast::<*mut AbortHandle>().write_unaligned(abort) };
    OK
}

/// Aborts a task, whose callback is then told.
///
/// # Safety
/// `handle` is what [`floor_never`] has given, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_abort(
    handle: *mut u8,
    _id: u32,
    _request: *const u8,
    _len: usize,
    _response: *mut u8,
    _capacity: usize,
    _response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { Box::from_raw(handle.cast::<AbortHandle>()) }.abort();
    OK
}

#[cfg(test)]
mod tests {
    use std::ptr::{null, null_mut};
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    unsafe extern "C" fn tell(data: *mut c_void, status: i32, value: i32) {
        // SAFETY: the test passes a sender that is never dropped.
        let sender = unsafe { &*data.cast::<Sender<(i32, i32)>>() };
        sender.send((status, value)).expect("the test waits");
    }

    #[test]
    fn what_ends_later_is_told_once() {
        let (sender, told) = channel();
        // Never dropped: who has sent may still be inside `send` when what was sent is here.
        let sender: &Sender<_> = Box::leak(Box::new(sender));
        let mut callback = Callback {
            done: tell,
            data: (&raw const *sender).cast_mut().cast(),
        };
        let handle = (&raw mut callback).cast();
        let request = 23i32.to_ne_bytes();
        let mut task: *mut u8 = null_mut();
        // SAFETY: callback, request and response live until the function that takes them has returned.
        unsafe {
            let started = floor_later(handle, 1, request.as_ptr(), 4, null_mut(), 0, null_mut());
            assert_eq!(started, OK);
            assert_eq!(told.recv_timeout(LIMIT), Ok((0, 64)));
            let response = (&raw mut task).cast();
            let started = floor_never(handle, 1, null(), 0, response, 8, null_mut());
            assert_eq!(started, OK);
            floor_abort(task, 1, null(), 0, null_mut(), 0, null_mut());
            assert_eq!(told.recv_timeout(LIMIT), Ok((1, 0)));
        }
    }
}
