//! The request of a service call that goes to a queue, with its context, copied.

use std::fmt;
use std::ptr;
use std::time::Duration;

use rustbridge_abi::{CallContext, RB_CONTEXT_TIMEOUT, Text};

/// The request of a service call that goes to a queue. It's a copy: nothing of it belongs to the plugin.
pub struct ServiceRequest {
    request: Vec<u8>,
    carried: Option<OwnedContext>,
}

/// A call context whose pointers are null, and what they pointed to.
struct OwnedContext {
    header: CallContext,
    trace_state: Vec<u8>,
    metadata: Vec<u8>,
}

// SAFETY: the header has no pointers of its own.
unsafe impl Send for OwnedContext {}

impl ServiceRequest {
    /// Copies a context, without its objects, its reply and its cancellation flag.
    ///
    /// # Safety
    /// What the header points to is readable.
    pub(crate) unsafe fn copy_of(request: &[u8], header: Option<&CallContext>) -> ServiceRequest {
        ServiceRequest {
            request: request.to_vec(),
            carried: header.map(|header| {
                let state = header.trace_state;
                // SAFETY: the caller's promise.
                unsafe {
                    OwnedContext {
                        trace_state: copied(state.data.cast(), state.len),
                        metadata: copied(header.metadata, header.metadata_len),
                        header: CallContext {
                            flags: header.flags,
                            timeout_ns: header.timeout_ns,
                            op: header.op,
                            trace_id: header.trace_id,
                            span_id: header.span_id,
                            trace_flags: header.trace_flags,
                            ..CallContext::EMPTY
                        },
                    }
                }
            }),
        }
    }

    /// Updates how much time is left.
    pub(crate) fn set_left(&mut self, left: Duration) {
        if let Some(carried) = &mut self.carried {
            carried.header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        }
    }

    /// The request.
    #[must_use]
    pub fn request(&self) -> &[u8] {
        &self.request
    }

    /// How much time was left when the event was received, if there's a deadline.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        let header = &self.carried.as_ref()?.header;
        (header.flags & RB_CONTEXT_TIMEOUT != 0).then(|| Duration::from_nanos(header.timeout_ns))
    }

    /// The call context, if there was one. Valid as long as this is.
    #[must_use]
    pub fn header(&self) -> Option<CallContext> {
        let carried = self.carried.as_ref()?;
        let mut header = carried.header;
        header.trace_state = Text {
            data: carried.trace_state.as_ptr().cast(),
            len: carried.trace_state.len(),
        };
        if !carried.metadata.is_empty() {
            header.metadata = carried.metadata.as_ptr();
            header.metadata_len = carried.metadata.len();
        }
        Some(header)
    }

    /// The bytes of the trace state and of the metadata.
    #[must_use]
    pub fn beside(&self) -> (&[u8], &[u8]) {
        self.carried.as_ref().map_or((&[][..], &[][..]), |carried| {
            (&carried.trace_state[..], &carried.metadata[..])
        })
    }

    /// How many bytes it takes in one block of memory of any alignment.
    pub(crate) fn size(&self) -> usize {
        let (state, metadata) = self.beside();
        let header = match self.carried {
            Some(_) => size_of::<CallContext>() + align_of::<CallContext>(),
            None => 0,
        };
        header + state.len() + metadata.len() + self.request.len()
    }
}

/// # Safety
/// `data` is null or readable for `len` bytes.
unsafe fn copied(data: *const u8, len: usize) -> Vec<u8> {
    if data.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { &*ptr::slice_from_raw_parts(data, len) }.to_vec()
}

impl fmt::Debug for ServiceRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked")
            .field("len", &self.request.len())
            .field("timeout", &self.timeout())
            .finish_non_exhaustive()
    }
}
