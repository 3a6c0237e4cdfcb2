//! The places for the response of a task, as its own body finds them.

use std::ptr::NonNull;
#[cfg(feature = "async")]
use std::time::Instant;

use rustbridge_abi as abi;
#[cfg(feature = "async")]
use rustbridge_abi::Response;

use super::Head;
use crate::response::Reply;

/// The places to which a task's own body writes the response.
#[derive(Clone, Copy)]
pub(crate) struct Target(pub(super) NonNull<Head>);

// SAFETY: it's used by the body alone, on whichever thread that is.
unsafe impl Send for Target {}
// SAFETY: as above; nothing can be done with a shared one but to copy it.
unsafe impl Sync for Target {}

impl Target {
    /// # Safety
    /// It's called from the body's poll, once in the life of the task.
    pub(crate) unsafe fn reply(self) -> Reply {
        // SAFETY: the task is there as long as its body.
        unsafe { self.0.as_ref().reply() }
    }

    /// Returns the place for trailers and objects, if there is one.
    ///
    /// # Safety
    /// As for [`reply`](Self::reply).
    pub(crate) unsafe fn beside(self) -> *mut abi::Reply {
        // SAFETY: the task is there as long as its body.
        unsafe { *self.0.as_ref().place.get() }
    }

    /// Returns the response itself, for an entry.
    ///
    /// # Safety
    /// As for [`reply`](Self::reply).
    #[cfg(feature = "async")]
    pub(crate) unsafe fn response(self) -> *mut Response {
        // SAFETY: the task is there as long as its body.
        unsafe { *self.0.as_ref().target.get() }
    }

    /// Returns the call context for an entry, with the place for trailers and objects.
    ///
    /// # Safety
    /// It's called from the body's poll, and isn't used after that poll.
    #[cfg(feature = "async")]
    pub(crate) unsafe fn header(self) -> Option<abi::CallContext> {
        // SAFETY: the task is there as long as its body, and the context goes after that.
        unsafe {
            let this = self.0.as_ref();
            let context = (*this.context.get()).as_ref()?;
            let mut header = abi::CallContext {
                reply: this.beside.get(),
                ..*context.header()
            };
            // Its time went on while it waited for the thread.
            if let Some(deadline) = this.deadline {
                let left = deadline.saturating_duration_since(Instant::now());
                header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
            }
            Some(header)
        }
    }
}
