//! Events of asynchronous calls and services.

use rustbridge_abi::{Object, Op, Response, StatusCode};

use super::flow::Credit;
use super::payload::{INLINE, Payload};
use super::service_request::ServiceRequest;
use crate::registry::table::Handle;

/// An event of an asynchronous call, or of a service.
#[derive(Debug)]
pub struct Event {
    /// The call's ID; of a service, the number of the service call.
    pub op: Op,
    /// The `user_data` of its submission, or of the registration of the service.
    pub user_data: u64,
    /// The instance that was called; of a service call, the calling instance.
    pub instance: Handle,
    /// What has happened.
    pub kind: EventKind,
}

/// What has happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// Headers have arrived, before anything else. Only for callers that accept them.
    Headers {
        /// The metadata, in the format of the boundary.
        headers: Answer<0>,
    },
    /// Items of the output stream have arrived.
    Items {
        /// The number of items.
        count: u32,
        /// `RB_BATCH_` bits.
        flags: u32,
        /// As in a [`Batch`](rustbridge_abi::Batch): the items, followed by their ends if a flag says so.
        bytes: Vec<u8>,
        /// The objects of the items, the same number for each. Each must be released once.
        objects: Vec<Object>,
    },
    /// The plugin accepts items of the input stream.
    Demand {
        /// How many items may be sent.
        items: u64,
        /// How many bytes may be sent; the last item may exceed them.
        bytes: u64,
    },
    /// The call has completed. No event follows.
    Done {
        /// The status.
        status: StatusCode,
        /// The response, or the error payload.
        response: Answer,
        /// The trailers.
        trailers: Answer<0>,
        /// The objects of the response. Each must be released once.
        objects: Vec<Object>,
    },
    /// A plugin calls a service that was registered with this queue. It must be answered once, by
    /// [`service_reply`](crate::handles::service_reply) with the number `op`.
    Service {
        /// The request.
        asked: ServiceRequest,
    },
    /// The result of an earlier [service call](EventKind::Service) isn't needed any more: the call was cancelled, its deadline has passed,
    /// or its instance is closing. A later answer is refused and does no harm.
    ServiceCancel,
}

/// Bytes of a response, released on drop. Up to `ROOM` bytes are stored inside.
pub struct Answer<const ROOM: usize = INLINE>(pub(crate) Payload<ROOM>);

impl<const ROOM: usize> Answer<ROOM> {
    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Converts it to a response: in `storage` if it fits, otherwise callee-allocated.
    ///
    /// # Safety
    /// `storage` is null or has `room` writable bytes.
    #[must_use]
    pub unsafe fn into_response(self, storage: *mut u8, room: usize) -> Response {
        // SAFETY: the caller's promise.
        unsafe { self.0.into_response(storage, room) }
    }

    /// Bytes of the host.
    #[must_use]
    pub fn of_vec(bytes: Vec<u8>) -> Answer<ROOM> {
        Answer(Payload::of_vec(bytes))
    }
}

impl<const ROOM: usize> std::fmt::Debug for Answer<ROOM> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answer")
            .field("len", &self.bytes().len())
            .finish()
    }
}

/// The result of fetching an event.
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time is on the stack, and a short answer is carried without an allocation"
)]
pub(crate) enum FetchResult {
    /// There's no event: the call is over or was abandoned.
    Nothing,
    /// The payload doesn't fit; the event was left.
    TooLarge,
    Event {
        event: Event,
        /// Whether there are further events, so that the ID has to be enqueued again, at the front.
        has_more: bool,
    },
}

impl EventKind {
    pub(crate) fn demand(credit: Credit) -> EventKind {
        EventKind::Demand {
            items: credit.items,
            bytes: u64::try_from(credit.bytes).unwrap_or(0),
        }
    }
}
