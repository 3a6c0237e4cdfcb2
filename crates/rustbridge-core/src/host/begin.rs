//! Submits calls for futures and streams.

use std::marker::PhantomData;

use rustbridge_abi::{CallContext, Op, RB_OK, RB_PENDING, ReplyHeaders, Response, Status};

use super::method::Method;
use super::object::Object;
use super::reply::{INLINE, Reply};
use super::with::{Answer, With, answered_with_headers};
use crate::async_call::caller;
use crate::async_call::event;
use crate::call::submission::{Submission, To};
use crate::call::submit::submit;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::state::{STREAM_IN, STREAM_OUT};

/// How an answer becomes what the caller wants.
pub(super) struct Read<T> {
    /// With all that came with it.
    pub(super) whole: fn(Answer, &Method) -> Result<T, Error>,
    /// If its bytes are enough: then a short answer, with which nothing came, is read where it lies, and isn't moved about.
    pub(super) bytes: Option<ReadBytes<T>>,
}

/// How bytes become what the caller wants.
type ReadBytes<T> = fn(&[u8]) -> Result<T, Error>;

impl<T> Clone for Read<T> {
    fn clone(&self) -> Read<T> {
        *self
    }
}

impl<T> Copy for Read<T> {}

impl<T> Read<T> {
    pub(super) fn whole(whole: fn(Answer, &Method) -> Result<T, Error>) -> Read<T> {
        Read { whole, bytes: None }
    }
}

impl Read<Reply> {
    /// The response alone.
    pub(super) fn reply() -> Read<Reply> {
        Read::whole(|answer, _| Ok(answer.reply))
    }
}

/// A call that was begun.
pub(super) enum StartedCall<T> {
    /// It has ended already.
    Over(Result<T, Error>),
    /// Its end is told later.
    Pending(Op),
}

/// Begins a call of a method that is of this kind: `STREAM_IN`, `STREAM_OUT`, both or none.
#[inline]
pub(super) fn start_call<T>(
    with: &With,
    kind: u32,
    request: &[u8],
    read: Read<T>,
) -> StartedCall<T> {
    let With {
        method,
        options,
        objects,
    } = with;
    if method.flags() & (STREAM_IN | STREAM_OUT) != kind {
        return StartedCall::Over(Err(of_other_kind(method)));
    }
    let mut storage = [0; INLINE];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), INLINE);
    let mut beside = ReplyHeaders::empty();
    let said = options.header();
    let header = CallContext {
        flags: said.flags | options.headers_flag(),
        reply: (&raw mut beside).cast(),
        objects: objects.as_ptr(),
        object_count: objects.len() as u32,
        ..said
    };
    let submission = Submission {
        handle: method.handle(),
        entry: method.entry(),
        header: &raw const header,
        request: request.as_ptr(),
        request_len: request.len(),
        user_data: 0,
        // A stream's consumer says how much it takes when it first looks.
        demand: (0, 0),
        borrowed: PhantomData,
        offload: options.offload(),
    };
    // SAFETY: header, request and response are good until it returns, and no function is told.
    let (status, op) = unsafe { submit(submission, To::Task, &raw mut response) };
    if status == RB_PENDING {
        return StartedCall::Pending(op);
    }
    if status == RB_OK
        && let Some(bytes) = read.bytes
        && response.release.is_none()
        && is_empty(&beside.reply.trailers)
        && is_empty(&beside.reply.objects)
        && is_empty(&beside.headers)
    {
        return StartedCall::Over(bytes(&storage[..response.len.min(INLINE)]));
    }
    // SAFETY: filled in just now and checked, and nobody else's.
    let answer = unsafe { answered_with_headers(status, response, storage, beside) };
    StartedCall::Over(answer.and_then(|answer| (read.whole)(answer, method)))
}

fn is_empty(response: &Response) -> bool {
    response.len == 0 && response.release.is_none()
}

#[cold]
fn of_other_kind(method: &Method) -> Error {
    let (what, how) = match method.flags() & (STREAM_IN | STREAM_OUT) {
        0 => ("returns one response", "`call` or `call_async`"),
        STREAM_OUT => ("returns a stream", "`stream`"),
        STREAM_IN => ("takes a stream", "`send`"),
        _ => ("accepts and returns a stream", "`exchange`"),
    };
    Error::new(
        Status::Unimplemented,
        "OtherKind",
        format!("{} {what}: use {how}", method.name()),
    )
}

/// How an operation has ended, as a host in Rust sees it.
pub(super) fn ended(
    status: i32,
    response: event::Answer,
    trailers: &event::Answer<0>,
    objects: Vec<u64>,
) -> Result<Answer, Error> {
    // Owned from here on, so that those of an error are given back.
    let objects = objects.into_iter().map(Object::from_number).collect();
    let trailers = Metadata::from_bytes(trailers.bytes().to_vec());
    if status != RB_OK {
        return Err(Error::from_payload(status, response.bytes()).with_trailers(trailers));
    }
    let mut storage = [0; INLINE];
    // SAFETY: writable, and as long as it's said to be.
    let response = unsafe { response.into_response(storage.as_mut_ptr(), INLINE) };
    let reply = if response.release.is_none() {
        Reply::inline(response.len, storage)
    } else {
        // SAFETY: handed over just now, and given to nobody else.
        unsafe { Reply::lease(response) }
    };
    Ok(Answer {
        reply,
        headers: Metadata::default(),
        trailers,
        objects,
    })
}

/// Cancels a pending call, from any thread. See [`Pending::canceller`](crate::Pending::canceller).
///
/// It's a number, so it can be copied and kept. After the call has completed, it does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Canceller(pub(super) Op);

impl Canceller {
    /// Requests the cancellation of the call. The call still completes: with `CANCELLED`, or with the result that it
    /// had by then. Items of its stream that are still in the core are discarded.
    pub fn cancel(self) {
        // One that is over has nothing to end.
        release_objects(caller::cancel_and_discard(self.0));
    }
}

/// An operation that is given up when this is dropped.
#[derive(Debug)]
pub(super) struct DetachGuard(pub(super) Op);

impl Drop for DetachGuard {
    fn drop(&mut self) {
        // One that has ended meanwhile is over. What had come with items or an answer that nobody takes is given back.
        release_objects(caller::detach(self.0));
    }
}

/// Releases objects that nobody gets.
fn release_objects(objects: Result<Vec<u64>, Error>) {
    for object in objects.into_iter().flatten() {
        drop(Object::from_number(object));
    }
}

impl DetachGuard {
    /// Its end was told, so there's nothing to give up.
    pub(super) fn over(self) {
        std::mem::forget(self);
    }
}
