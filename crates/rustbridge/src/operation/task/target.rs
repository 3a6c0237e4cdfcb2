//! Where a task's own body finds what the answer goes to.

use std::ptr::NonNull;
#[cfg(feature = "async")]
use std::time::Instant;

use rustbridge_abi as abi;
#[cfg(feature = "async")]
use rustbridge_abi::Response;

use super::Head;
use crate::response::Reply;

/// Where the answer of a task is written by its own body.
#[derive(Clone, Copy)]
pub(crate) struct Target(pub(super) NonNull<Head>);

// SAFETY: it's used by the body alone, on whichever thread that is.
unsafe impl Send for Target {}
// SAFETY: as above; nothing can be done with a shared one but to copy it.
unsafe impl Sync for Target {}

impl Target {
    /// # Safety
    /// Called from inside the body's poll, once in the task's life.
    pub(crate) unsafe fn reply(self) -> Reply {
        // SAFETY: the task is there as long as its body.
        unsafe { self.0.as_ref().reply() }
    }

    /// Where what comes back beside the answer goes, if there's a place.
    ///
    /// # Safety
    /// As for [`reply`](Self::reply).
    pub(crate) unsafe fn beside(self) -> *mut abi::Reply {
        // SAFETY: the task is there as long as its body.
        unsafe { *self.0.as_ref().place.get() }
    }

    /// The response itself, for an entry.
    ///
    /// # Safety
    /// As for [`reply`](Self::reply).
    #[cfg(feature = "async")]
    pub(crate) unsafe fn response(self) -> *mut Response {
        // SAFETY: the task is there as long as its body.
        unsafe { *self.0.as_ref().target.get() }
    }

    /// The header of the call, for an entry, with the place for what comes back beside the answer.
    ///
    /// # Safety
    /// Called from inside the body's poll, whose end is the last at which it's used.
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
