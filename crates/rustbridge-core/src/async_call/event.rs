//! What is told of an operation.

use rustbridge_abi::{Object, Op, Response, StatusCode};

use super::flow::Credit;
use super::payload::{INLINE, Payload};
use super::service_request::ServiceRequest;
use crate::registry::table::Handle;

/// What is told of an operation.
#[derive(Debug)]
pub struct Event {
    /// The operation; of a service, the number of its call.
    pub op: Op,
    /// The `user_data` of its submission, or of the registration of the service.
    pub user_data: u64,
    /// The instance that was called; of a service call, the instance that calls.
    pub instance: Handle,
    /// What has happened.
    pub kind: EventKind,
}

/// What has happened to an operation.
#[derive(Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// Its headers have come, before anything else: metadata. Told to who takes them, if there are any.
    Headers {
        /// As they cross the boundary.
        headers: Answer<0>,
    },
    /// Items of its stream have come.
    Items {
        /// How many.
        count: u32,
        /// `RB_BATCH_` bits.
        flags: u32,
        /// As in a [`Batch`](rustbridge_abi::Batch): the items, and their ends if a flag says so.
        bytes: Vec<u8>,
        /// The objects that come with them, each item as many as any other, each to be released once.
        objects: Vec<Object>,
    },
    /// It takes items of its caller's stream.
    Demand {
        /// How many may be sent from now on.
        items: u64,
        /// How many bytes; the last item may go beyond them.
        bytes: u64,
    },
    /// It has ended, and nothing is told of it any more.
    Done {
        /// How.
        status: StatusCode,
        /// The answer, or an error's payload.
        response: Answer,
        /// Metadata at the end.
        trailers: Answer<0>,
        /// The answer's objects, each to be released once.
        objects: Vec<Object>,
    },
    /// A plugin calls a service that goes to this queue: to be answered once by
    /// [`service_reply`](crate::handles::service_reply), to which `op` is its number.
    Service {
        /// What it asks.
        asked: ServiceRequest,
    },
    /// The answer of a service call, of which an event told before, isn't needed any more: the call was cancelled, its deadline has passed,
    /// or its instance is closing. An answer after that is refused and does no harm.
    ServiceCancel,
}

/// Bytes of an answer, which are let go of when this is dropped; up to `ROOM` of them are in here.
pub struct Answer<const ROOM: usize = INLINE>(pub(crate) Payload<ROOM>);

impl<const ROOM: usize> Answer<ROOM> {
    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// As a response: in the storage where it fits, else handed over.
    ///
    /// # Safety
    /// `storage` is null or has `room` writable bytes.
    #[must_use]
    pub unsafe fn into_response(self, storage: *mut u8, room: usize) -> Response {
        // SAFETY: the caller's promise.
        unsafe { self.0.into_response(storage, room) }
    }

    /// Bytes of a host's own.
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

/// What fetching from an operation, or from other news, finds.
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time is on the stack, and a short answer is carried without an allocation"
)]
pub(crate) enum FetchResult {
    /// It's over, or was detached.
    Nothing,
    /// It was left where it is.
    TooLarge,
    Event {
        event: Event,
        /// The number belongs at the front of the queue again.
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
