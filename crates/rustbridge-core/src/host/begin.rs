//! Begins a call that may end later, for futures and streams.

use std::marker::PhantomData;

use rustbridge_abi::{CallHeader, Op, RB_OK, RB_PENDING, Reply as Beside, Response, Status};

use super::method::Method;
use super::object::Object;
use super::reply::{INLINE, Reply};
use super::with::{Answer, With, answered};
use crate::call::submission::{Submission, To};
use crate::call::submit::submit;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::operation::caller;
use crate::operation::event;
use crate::state::{STREAM_IN, STREAM_OUT};

/// A call that was begun.
#[expect(
    clippy::large_enum_variant,
    reason = "the large one is the usual one, and boxing it would allocate"
)]
pub(super) enum Begun {
    /// It has ended already.
    Over(Result<Answer, Error>),
    /// Its end is told later.
    Pending(Op),
}

/// Begins a call of a method that is of this kind: `STREAM_IN`, `STREAM_OUT`, both or none.
pub(super) fn begin(with: &With, kind: u32, request: &[u8]) -> Begun {
    let With {
        method,
        options,
        objects,
    } = with;
    if method.flags() & (STREAM_IN | STREAM_OUT) != kind {
        return Begun::Over(Err(of_other_kind(method)));
    }
    let mut storage = [0; INLINE];
    let mut response = Response::with_storage(storage.as_mut_ptr(), INLINE);
    let mut beside = Beside::empty();
    let header = CallHeader {
        reply: &raw mut beside,
        objects: objects.as_ptr(),
        object_count: objects.len() as u32,
        ..options.header()
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
        offload: false,
    };
    // SAFETY: header, request and response are good until it returns, and no function is told.
    let (status, op) = unsafe { submit(submission, To::Task, &raw mut response) };
    if status == RB_PENDING {
        return Begun::Pending(op);
    }
    // SAFETY: filled in just now and checked, and nobody else's.
    Begun::Over(unsafe { answered(status, response, storage, beside) })
}

#[cold]
fn of_other_kind(method: &Method) -> Error {
    let (what, how) = match method.flags() & (STREAM_IN | STREAM_OUT) {
        0 => ("is answered once", "`call` or `call_async`"),
        STREAM_OUT => ("answers with a stream", "`stream`"),
        STREAM_IN => ("takes a stream", "`send`"),
        _ => ("takes a stream and answers with one", "`exchange`"),
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
    trailers: &event::Answer,
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
        trailers,
        objects,
    })
}

/// Cancels a call that was begun, from anywhere: see [`Pending::canceller`](crate::Pending::canceller).
///
/// A number, so it may be copied and kept; once the call is over it does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Canceller(pub(super) Op);

impl Canceller {
    /// Asks the call to end early. Its answer comes all the same: `CANCELLED`, or what it had done by then. Items of its stream
    /// that the core has still are discarded.
    pub fn cancel(self) {
        // One that is over has nothing to end.
        give_back(caller::cancel_and_discard(self.0));
    }
}

/// An operation that is given up when this is dropped.
#[derive(Debug)]
pub(super) struct Owned(pub(super) Op);

impl Drop for Owned {
    fn drop(&mut self) {
        // One that has ended meanwhile is over. What had come with items or an answer that nobody takes is given back.
        give_back(caller::detach(self.0));
    }
}

/// Releases objects that nobody gets.
fn give_back(objects: Result<Vec<u64>, Error>) {
    for object in objects.into_iter().flatten() {
        drop(Object::from_number(object));
    }
}

impl Owned {
    /// Its end was told, so there's nothing to give up.
    pub(super) fn over(self) {
        std::mem::forget(self);
    }
}
