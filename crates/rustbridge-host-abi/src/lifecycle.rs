//! The states of an instance, and closing it.

use std::time::Duration;

use rustbridge_abi::{Response, StatusCode, growing};
use rustbridge_core::handles::{self, State};

use crate::boundary::{self, Refusal};
use crate::load::Instance;

/// The instance accepts calls.
pub const RB_STATE_ACTIVE: u32 = 1;
/// A panic has poisoned the instance (`RB_LOAD_POISON`). It refuses calls and should be closed.
pub const RB_STATE_POISONED: u32 = 2;
/// `rb_close` was called. The instance refuses new calls; earlier calls still run.
pub const RB_STATE_CLOSING: u32 = 3;
/// The instance no longer exists.
pub const RB_STATE_CLOSED: u32 = 4;
/// The instance was loaded before this process was forked, and this is the child.
pub const RB_STATE_FORKED: u32 = 5;

const _: () = {
    assert!(RB_STATE_ACTIVE == State::Active as u32);
    assert!(RB_STATE_POISONED == State::Poisoned as u32);
    assert!(RB_STATE_CLOSING == State::Closing as u32);
    assert!(RB_STATE_CLOSED == State::Closed as u32);
    assert!(RB_STATE_FORKED == State::Forked as u32);
};

/// Writes the state of an instance, one of the `RB_STATE_` codes, to `*state`. Succeeds for every number that was ever issued.
///
/// Thread: any. State: any.
///
/// # Safety
/// `state` is writable, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_state(
    instance: Instance,
    state: *mut u32,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for `error`, and `state` is writable if it isn't null.
    unsafe {
        boundary::enter(error, || {
            if state.is_null() {
                return Err(Refusal::null("state").into());
            }
            state.write(0);
            state.write(handles::state(instance)? as u32);
            Ok(())
        })
    }
}

/// Closes an instance: refuses new calls at once, waits up to `timeout_ms` for running and pending calls, then destroys it.
///
/// A pending asynchronous call counts as running until it has completed and the plugin has released its task.
///
/// After `RB_OK`, no code of this instance runs any longer, its log records were delivered and its sink was dropped.
/// Callee-allocated responses stay valid until they are released.
///
/// If the function is called from the instance's own log sink, that record is the last one. Records that are waiting are
/// discarded, and the sink is dropped when it returns.
///
/// `RB_DEADLINE_EXCEEDED`: calls are still running; `report` lists them. The instance stays closing, and another `rb_close`
/// continues to wait. `UINT64_MAX` waits without a limit. `RB_FAILED_PRECONDITION`: the function was called inside a call of
/// the same instance, and would wait for itself. `RB_UNAVAILABLE`: the instance is closed already. `RB_INTERNAL`: its
/// destructor panicked; it is closed all the same.
///
/// Thread: any, also a log sink. State: active, poisoned, closing.
///
/// # Safety
/// `report` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_close(
    instance: Instance,
    timeout_ms: u64,
    report: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for `report`.
    unsafe {
        boundary::enter(report, || {
            Ok(handles::close(instance, duration(timeout_ms))?)
        })
    }
}

/// Options for closing an instance. Zero the struct, then set `size` and any other field you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CloseOptions {
    /// `sizeof(rb_close_options)`.
    pub size: u32,
    /// `RB_CLOSE_` bits.
    pub flags: u32,
    /// As for `rb_close`.
    pub timeout_ms: u64,
    /// With [`RB_CLOSE_CANCEL`]: how long pending calls may continue before they are cancelled.
    pub cancel_after_ms: u64,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Bit of [`CloseOptions::flags`]: pending calls are cancelled after `cancel_after_ms`.
pub const RB_CLOSE_CANCEL: u32 = 1;

growing!(CloseOptions, 24, flags: 0, timeout_ms: 0, cancel_after_ms: 0);

/// Closes an instance like `rb_close`. With `RB_CLOSE_CANCEL`, calls that are still pending after `cancel_after_ms` are
/// cancelled with `RB_CANCELLED`. Their events are delivered as usual.
///
/// Thread: any, also a log sink. State: active, poisoned, closing.
///
/// # Safety
/// `options` is readable, `report` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_close_with(
    instance: Instance,
    options: *const CloseOptions,
    report: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both.
    unsafe {
        boundary::enter(report, || {
            let options = boundary::read("options", "rb_close_options", options)?;
            if options.flags & !RB_CLOSE_CANCEL != 0 {
                return Err(Refusal::new(format!(
                    "options.flags is {:#x}, expected RB_CLOSE_ bits, {RB_CLOSE_CANCEL:#x} at most",
                    options.flags
                ))
                .into());
            }
            let timeout = duration(options.timeout_ms);
            if options.flags & RB_CLOSE_CANCEL == 0 {
                handles::close(instance, timeout)?;
            } else {
                handles::close_with(instance, timeout, duration(options.cancel_after_ms))?;
            }
            Ok(())
        })
    }
}

/// Converts a timeout; `UINT64_MAX` is no limit.
pub(crate) fn duration(timeout_ms: u64) -> Duration {
    match timeout_ms {
        u64::MAX => Duration::MAX,
        timeout_ms => Duration::from_millis(timeout_ms),
    }
}
