//! The states of an instance, and closing it.

use std::time::Duration;

use rustbridge_abi::{Response, StatusCode, growing};
use rustbridge_core::handles::{self, State};

use crate::boundary::{self, Refusal};
use crate::load::Instance;

/// The instance takes calls.
pub const RB_STATE_ACTIVE: u32 = 1;
/// A panic has poisoned it (`RB_LOAD_POISON`); it takes no calls and is to be closed.
pub const RB_STATE_POISONED: u32 = 2;
/// `rb_close` has begun; it takes no new calls, and some still run.
pub const RB_STATE_CLOSING: u32 = 3;
/// It is gone.
pub const RB_STATE_CLOSED: u32 = 4;
/// This process was forked since it was loaded, and this is the child.
pub const RB_STATE_FORKED: u32 = 5;

const _: () = {
    assert!(RB_STATE_ACTIVE == State::Active as u32);
    assert!(RB_STATE_POISONED == State::Poisoned as u32);
    assert!(RB_STATE_CLOSING == State::Closing as u32);
    assert!(RB_STATE_CLOSED == State::Closed as u32);
    assert!(RB_STATE_FORKED == State::Forked as u32);
};

/// Tells the state of an instance, one of the `RB_STATE_` codes. `RB_OK` for every number that was ever issued.
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

/// Closes an instance: refuses new calls at once, waits up to `timeout_ms` for those that run, then ends it.
///
/// Operations that were begun and whose end wasn't told yet count as calls that run.
///
/// After `RB_OK` no code of this instance runs any more, its log has been delivered and the sink dropped. Responses that
/// were handed over stay valid until they are released.
///
/// Called from the instance's own sink, it can't wait for that: the record that the sink is in is its last, those that wait
/// are discarded, and it's dropped when it returns.
///
/// `RB_DEADLINE_EXCEEDED`: calls still run, and `report` says which; the instance stays closing, and calling
/// `rb_close` again goes on waiting. `UINT64_MAX` waits for good. `RB_FAILED_PRECONDITION`: called from inside a call
/// of the same instance, which would wait for itself. `RB_UNAVAILABLE`: it's closed already. `RB_INTERNAL`: its
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

/// How to close an instance. Zero it, then set `size` and what else you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CloseOptions {
    /// `sizeof(rb_close_options)`.
    pub size: u32,
    /// `RB_CLOSE_` bits.
    pub flags: u32,
    /// As for `rb_close`.
    pub timeout_ms: u64,
    /// With [`RB_CLOSE_CANCEL`]: for how long what is pending may go on before it's asked to end early.
    pub cancel_after_ms: u64,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Bit of [`CloseOptions::flags`]: what is pending is cancelled after `cancel_after_ms`.
pub const RB_CLOSE_CANCEL: u32 = 1;

growing!(CloseOptions, 24, flags: 0, timeout_ms: 0, cancel_after_ms: 0);

/// Closes an instance as `rb_close` does. With `RB_CLOSE_CANCEL` what is pending is asked to end early after a time of its own, with
/// `RB_CANCELLED`; its events come all the same.
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

/// `UINT64_MAX` is for good.
pub(crate) fn duration(timeout_ms: u64) -> Duration {
    match timeout_ms {
        u64::MAX => Duration::MAX,
        timeout_ms => Duration::from_millis(timeout_ms),
    }
}
