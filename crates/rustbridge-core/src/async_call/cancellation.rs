//! The cancellation of an asynchronous call, and what it calls in the plugin.

use std::ffi::c_void;

use rustbridge_abi::StatusCode;

use super::atomics::ThreadId;

/// The cancellation of a call.
#[derive(Default)]
pub(super) struct Cancellation {
    request: Request,
    /// What the plugin registered to be called at a cancellation.
    pub(super) hook: Option<Hook>,
    /// The thread on which the hook runs now.
    pub(super) hook_thread: Option<ThreadId>,
}

/// Whether the call was cancelled. The status is the reason: the call ends with it.
#[derive(Clone, Copy, Default)]
enum Request {
    #[default]
    None,
    Requested(StatusCode),
    /// The plugin's `cancel` was called.
    Forwarded(StatusCode),
}

/// A function of the plugin that wakes its thread, which waits inside the call.
pub(super) struct Hook {
    pub(super) function: unsafe extern "C" fn(*mut c_void),
    pub(super) data: *mut c_void,
}

impl Cancellation {
    /// Why the call was cancelled, if it was.
    pub(super) fn reason(&self) -> Option<StatusCode> {
        match self.request {
            Request::None => None,
            Request::Requested(reason) | Request::Forwarded(reason) => Some(reason),
        }
    }

    /// Records the reason. The caller has checked that there's none yet, because the first one counts.
    pub(super) fn request(&mut self, reason: StatusCode) {
        self.request = Request::Requested(reason);
    }

    /// The reason, once, for the plugin's `cancel`.
    pub(super) fn forward(&mut self) -> Option<StatusCode> {
        let Request::Requested(reason) = self.request else {
            return None;
        };
        self.request = Request::Forwarded(reason);
        Some(reason)
    }
}
