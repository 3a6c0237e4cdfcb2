//! Items on their way out: many in one batch, as far as the consumer's credit goes.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use std::{mem, slice};

use rustbridge_abi::{
    Batch, RB_BATCH_ENDS, RB_CANCELLED, RB_DEADLINE_EXCEEDED, RB_FAILED_PRECONDITION, RB_OK,
    RB_UNAVAILABLE, Response, Status, StatusCode,
};

use super::credit::Room;
use super::task::Head;
use crate::context;
use crate::object::Address;
use crate::response::Reply;
use crate::{Error, Result, panics};

/// A batch has this many bytes or is about to.
const FULL: usize = 64 << 10;
/// An item may be this large: where it ends takes 32 bits.
const LARGEST: usize = u32::MAX as usize - FULL;
/// What there is room for at least when an item is written.
const SPARE: usize = 256;

/// Writes one item.
pub(crate) type Write<T> = fn(T, Reply, &mut Vec<Address>) -> StatusCode;

/// What a source of items says when it's asked for one.
pub(crate) enum NextItem<T> {
    Item(Result<T>),
    /// It was the last.
    Over,
    /// It has none now, and will tell when it has.
    #[cfg_attr(
        not(feature = "async"),
        expect(dead_code, reason = "iterators always have one")
    )]
    NotYet,
}

/// Why a batch isn't made longer.
enum Stop {
    Full,
    NotYet,
    Over,
    Failed(Error),
    /// An item couldn't be written: the status, and what was written in its place.
    Unwritten(StatusCode, Vec<u8>),
    Panicked(Box<dyn Any + Send>),
}

/// Sends what `next` gives, one batch after the other, as long as `room` says that there's room. At the end, which may be an
/// error, the answer is written.
///
/// # Safety
/// The caller has the body of `head`.
pub(crate) unsafe fn send<T>(
    head: &Head,
    write: Write<T>,
    mut room: impl FnMut() -> Option<Room>,
    mut next: impl FnMut() -> NextItem<T>,
) -> Poll<StatusCode> {
    loop {
        // One that waits for room may wait until the time is over. Whoever is cancelled meanwhile is looked after by who polls.
        let room = if head.is_late() { None } else { room() };
        let Some(room) = room else {
            if head.is_late() {
                // SAFETY: the caller's promise, once because it's the end.
                let reply = unsafe { head.reply() };
                return Poll::Ready(reply.error(&context::ended(Status::DeadlineExceeded)));
            }
            return Poll::Pending;
        };
        let mut sending = BatchBuilder::new(head, room);
        let filled = catch_unwind(AssertUnwindSafe(|| {
            while sending.has_room() && !head.is_cancelled() {
                match next() {
                    NextItem::Item(Ok(item)) => {
                        // SAFETY: the caller has the body, and with it the buffers.
                        if let Err(stop) = unsafe { sending.push(item, write) } {
                            return stop;
                        }
                    }
                    NextItem::Item(Err(error)) => return Stop::Failed(error),
                    NextItem::Over => return Stop::Over,
                    NextItem::NotYet => return Stop::NotYet,
                }
            }
            Stop::Full
        }));
        let stop = filled.unwrap_or_else(Stop::Panicked);
        // SAFETY: as above; the answer is written once because it's the end.
        unsafe {
            match sending.flush() {
                RB_OK => {}
                // The reason for which the call was cancelled, which the plugin may hear here first.
                reason @ (RB_CANCELLED
                | RB_DEADLINE_EXCEEDED
                | RB_UNAVAILABLE
                | RB_FAILED_PRECONDITION) => {
                    let reason = Status::from_code(reason);
                    return Poll::Ready(head.reply().error(&context::ended(reason)));
                }
                other => return Poll::Ready(head.reply().error(&refused(other))),
            }
            return Poll::Ready(match stop {
                Stop::Full if head.is_cancelled() => return Poll::Pending,
                Stop::Full => continue,
                Stop::NotYet => return Poll::Pending,
                Stop::Over => head.reply().bytes(&[]),
                Stop::Failed(error) => head.reply().error(&error),
                Stop::Unwritten(status, payload) => {
                    head.reply().vec(payload);
                    status
                }
                Stop::Panicked(payload) => panics::report(payload, head.reply()),
            });
        }
    }
}

#[cold]
fn refused(status: StatusCode) -> Error {
    Error::internal(format!(
        "the host refused the items of a stream: {}",
        Status::from_code(status)
    ))
    .with_type("rustbridge.StreamRefused")
}

/// One batch while it's made.
struct BatchBuilder<'a> {
    head: &'a Head,
    room: Room,
    count: u64,
    bytes: usize,
    /// How long the first is.
    length: usize,
    /// Whether all are so long.
    same: bool,
    /// The objects in them, each with as many as the first.
    objects: Vec<Address>,
    objects_each: usize,
}

/// A response that is released in any case.
struct ResponseGuard(Response);

impl Drop for ResponseGuard {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: what was handed over is released once, here.
            unsafe { release(&raw mut self.0) };
        }
    }
}

impl ResponseGuard {
    fn bytes(&self) -> &[u8] {
        if self.0.len == 0 {
            &[]
        } else {
            // SAFETY: a response has so many readable bytes.
            unsafe { slice::from_raw_parts(self.0.data, self.0.len) }
        }
    }
}

impl<'a> BatchBuilder<'a> {
    fn new(head: &'a Head, room: Room) -> BatchBuilder<'a> {
        BatchBuilder {
            head,
            room,
            count: 0,
            bytes: 0,
            length: 0,
            same: true,
            objects: Vec::new(),
            objects_each: 0,
        }
    }

    fn has_room(&self) -> bool {
        self.bytes < FULL
            && self.count < self.room.items.min(FULL as u64)
            && i64::try_from(self.bytes).is_ok_and(|bytes| bytes < self.room.bytes)
    }

    /// # Safety
    /// The caller has the body.
    unsafe fn push<T>(&mut self, item: T, write: Write<T>) -> Result<(), Stop> {
        // SAFETY: the caller's promise, and the only reference while this runs: writing an item has none.
        let buffers = unsafe { self.head.buffers() };
        let batch = &mut buffers.batch;
        if batch.capacity() - batch.len() < SPARE {
            batch.reserve(SPARE.max(batch.len()));
        }
        let spare = batch.spare_capacity_mut();
        let mut written = ResponseGuard(Response::with_buffer(
            spare.as_mut_ptr().cast(),
            spare.len(),
        ));
        // SAFETY: the response is ours, and its storage the room behind the items.
        let reply = unsafe { Reply::new(&raw mut written.0) };
        let before = self.objects.len();
        let status = write(item, reply, &mut self.objects);
        let objects = self.objects.len() - before;
        if status != RB_OK {
            return Err(Stop::Unwritten(status, written.bytes().to_vec()));
        }
        let length = written.0.len;
        if length > LARGEST {
            return Err(Stop::Failed(too_large(length)));
        }
        if self.count == 0 {
            self.length = length;
            self.objects_each = objects;
        } else if objects != self.objects_each {
            let found = (self.objects_each, objects);
            self.objects.truncate(before);
            return Err(Stop::Failed(uneven(found)));
        }
        if written.0.release.is_some() {
            batch.extend_from_slice(written.bytes());
        } else {
            // SAFETY: they were written there, and no more than there's room for.
            unsafe { batch.set_len(batch.len() + length) };
        }
        self.same &= length == self.length;
        self.count += 1;
        self.bytes += length;
        buffers.ends.push(self.bytes as u32);
        Ok(())
    }

    /// Sends it.
    ///
    /// # Safety
    /// The caller has the body.
    unsafe fn flush(mut self) -> StatusCode {
        if self.count == 0 {
            return RB_OK;
        }
        // SAFETY: the caller's promise. The host may call `demand` and `push` meanwhile, which don't touch them.
        let buffers = unsafe { self.head.buffers() };
        if !self.same {
            for end in &buffers.ends {
                buffers.batch.extend_from_slice(&end.to_ne_bytes());
            }
        }
        // The host's from here on, whatever it answers.
        let objects: Vec<u64> = mem::take(&mut self.objects)
            .into_iter()
            .map(Address::into_number)
            .collect();
        let batch = Batch {
            object_count: objects.len() as u32,
            objects: objects.as_ptr(),
            flags: if self.same { 0 } else { RB_BATCH_ENDS },
            data: buffers.batch.as_ptr(),
            len: buffers.batch.len(),
            // At most as many as `FULL` has bytes.
            count: self.count as u32,
            ..Batch::EMPTY
        };
        // Before they go, so that what the host pays back meanwhile is on top.
        self.head.credit.spend(self.count, self.bytes);
        let status = match self.head.host().emit {
            // SAFETY: the batch is readable until this returns.
            Some(emit) => unsafe { emit(self.head.op(), &raw const batch) },
            None => rustbridge_abi::RB_UNIMPLEMENTED,
        };
        buffers.batch.clear();
        buffers.ends.clear();
        status
    }
}

#[cold]
fn uneven((first, other): (usize, usize)) -> Error {
    Error::internal(format!(
        "all items of a stream must have the same number of objects, but these have {first} and {other}"
    ))
    .with_type("rustbridge.InvalidResponse")
}

#[cold]
fn too_large(length: usize) -> Error {
    Error::new(
        Status::ResourceExhausted,
        format!("an item of a stream has {length} bytes, expected {LARGEST} at most"),
    )
    .with_type("rustbridge.ItemTooLarge")
}
