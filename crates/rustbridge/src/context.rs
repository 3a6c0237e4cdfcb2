//! What a call carries beside its request, for as long as whoever serves it needs it.

use std::cell::Cell;
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
#[cfg(feature = "async")]
use std::task::Waker;
use std::time::{Duration, Instant};
use std::{ptr, slice};

use rustbridge_abi::{
    self as abi, CallContext, RB_CONTEXT_HEADERS, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE,
    RB_FAILED_PRECONDITION, RB_METADATA_LIMIT, RB_RESOURCE_EXHAUSTED, Response, Status, Text,
    is_metadata_key,
};

use crate::alarm::{Alarm, Token};
use crate::logging::span::{self, SpanContext};
use crate::response::Reply;
use crate::{Error, Host, Metadata, Result, Trace};

/// What a call carries, and what it gives back beside its response.
///
/// Invariant: the header is one of this version, and what it points to is readable and doesn't change as long as this value
/// lives, but for `cancelled`, which others set, and `reply`, which nobody uses here.
pub(crate) struct Context {
    /// Where the header is: the host's, as long as it's borrowed, then a place of the task's; or below.
    at: Cell<*const CallContext>,
    deadline: Option<Instant>,
    reply: *mut abi::Reply,
    trailers: Mutex<Vec<u8>>,
    /// Made by the first who waits for the cancellation.
    alarm: OnceLock<Arc<Alarm>>,
    /// In a test, in place of the host.
    token: Option<Token>,
    /// The header and what it points to, from a `Box`; null where that's borrowed. As a pointer, since a box that is moved
    /// counts as one that nobody else points into.
    owned: *mut OwnedContext,
}

struct OwnedContext {
    header: CallContext,
    bytes: Box<[u8]>,
    objects: Box<[u64]>,
    /// In a test, in place of the host.
    headers: Option<Mutex<Vec<u8>>>,
}

// SAFETY: what the header points to is only read, by the invariant of `Context`, and the flag is an atomic.
unsafe impl Send for Context {}
// SAFETY: as above; what changes is behind locks, but for where the header is, which `keep` changes while nobody looks.
unsafe impl Sync for Context {}

impl Context {
    /// What a header says, borrowed. One that's null, or shorter than any version's, says nothing.
    ///
    /// The time begins to run here, so it's to be called where the call begins.
    ///
    /// # Safety
    /// `header` is null, or a header by the rules of [`CallContext`] that is good, with its pointers, for as long as the result is
    /// used.
    #[inline(always)]
    pub(crate) unsafe fn borrow(header: *const CallContext) -> Option<Context> {
        if header.is_null() {
            return None;
        }
        // SAFETY: not null, and as long as it says.
        unsafe {
            if !is_whole(header) {
                return Context::of_shorter(header);
            }
            Some(Context::at(header, (*header).reply))
        }
    }

    /// A header of a host that knows an earlier version.
    #[cold]
    unsafe fn of_shorter(header: *const CallContext) -> Option<Context> {
        // SAFETY: the caller's promise.
        let header = unsafe { abi::read(header) }.ok()?;
        let owned = OwnedContext {
            header,
            bytes: Box::default(),
            objects: Box::default(),
            headers: None,
        };
        Some(Context::of(owned, header.reply))
    }

    /// What a header says, for a task that may go on when `start` has returned: what it points to is copied, and it itself is
    /// borrowed until [`keep`](Self::keep), which most don't come to. Only the flag at `cancelled` stays the host's. There's no place
    /// for a reply here: the completion has one of its own.
    ///
    /// # Safety
    /// As for [`borrow`](Self::borrow), but for the pointers, of which only `cancelled` has to be good for that long, and the
    /// header itself until then.
    #[inline(always)]
    pub(crate) unsafe fn of_task(header: *const CallContext) -> Option<Context> {
        // SAFETY: the caller's promise.
        unsafe {
            let is_simple = !header.is_null()
                && is_whole(header)
                && (*header).metadata_len == 0
                && (*header).trace_state.len == 0
                && (*header).object_count == 0;
            if is_simple {
                Some(Context::at(header, ptr::null_mut()))
            } else {
                Context::copy(header)
            }
        }
    }

    /// Has a header that was borrowed by [`begin`](Self::begin) be at a place of the task's from here on.
    ///
    /// # Safety
    /// The place is there as long as this value, and nobody else looks at either meanwhile.
    pub(crate) unsafe fn keep(&self, place: *mut CallContext) {
        if self.owned.is_null() {
            // SAFETY: the caller's promise; borrowed until now.
            unsafe { place.write(*self.at.get()) };
            self.at.set(place);
        }
    }

    /// What a header says, copied with all it points to, as [`begin`](Self::begin) says.
    ///
    /// # Safety
    /// As for `begin`.
    #[cold]
    pub(crate) unsafe fn copy(header: *const CallContext) -> Option<Context> {
        // SAFETY: the caller's promise; good for as long as this function uses it.
        let borrowed = unsafe { Context::borrow(header) }?;
        let (metadata, state) = (borrowed.metadata_bytes(), borrowed.state_bytes());
        let bytes = [metadata, state].concat().into();
        let mut context = Context::of(
            OwnedContext {
                header: *borrowed.header(),
                bytes,
                objects: borrowed.objects().into(),
                headers: None,
            },
            ptr::null_mut(),
        );
        // SAFETY: of this value's own, and nobody else looks yet.
        let OwnedContext {
            header,
            bytes,
            objects,
            ..
        } = unsafe { &mut *context.owned };
        let (metadata, state) = bytes.split_at(metadata.len());
        header.metadata = metadata.as_ptr();
        // As long as what was copied: a length that makes no sense beside its pointer counts as 0.
        header.metadata_len = metadata.len();
        header.trace_state = Text {
            data: state.as_ptr().cast(),
            len: state.len(),
        };
        header.objects = objects.as_ptr();
        header.object_count = objects.len() as u32;
        context.deadline = borrowed.deadline;
        Some(context)
    }

    /// For tests: the flag is the token's, and the rest is copied.
    ///
    /// # Safety
    /// As for [`copy`](Self::copy).
    pub(crate) unsafe fn under_test(header: &CallContext, token: Option<Token>) -> Option<Context> {
        let header = CallContext {
            cancelled: token.as_ref().map_or(ptr::null(), Token::flag),
            ..*header
        };
        // SAFETY: the caller's promise; the token is kept beside the header that points to its flag.
        let mut context = unsafe { Context::copy(&raw const header) }?;
        context.token = token;
        // SAFETY: a copy is owned, and nobody else looks yet.
        unsafe { (*context.owned).headers = Some(Mutex::default()) };
        Some(context)
    }

    /// # Safety
    /// As for [`borrow`](Self::borrow), and it's whole.
    #[inline(always)]
    unsafe fn at(header: *const CallContext, reply: *mut abi::Reply) -> Context {
        // SAFETY: the caller's promise.
        let (flags, timeout_ns) = unsafe { ((*header).flags, (*header).timeout_ns) };
        Context {
            at: Cell::new(header),
            deadline: deadline(flags, timeout_ns),
            reply,
            trailers: Mutex::new(Vec::new()),
            alarm: OnceLock::new(),
            token: None,
            owned: ptr::null_mut(),
        }
    }

    fn of(owned: OwnedContext, reply: *mut abi::Reply) -> Context {
        let deadline = deadline(owned.header.flags, owned.header.timeout_ns);
        let owned = Box::into_raw(Box::new(owned));
        Context {
            // SAFETY: from a box, whose header is there as long as this value.
            at: Cell::new(unsafe { &raw const (*owned).header }),
            deadline,
            reply,
            trailers: Mutex::default(),
            alarm: OnceLock::new(),
            token: None,
            owned,
        }
    }

    /// What it says, which points to what this keeps, if not to what is borrowed.
    #[inline]
    pub(crate) fn header(&self) -> &CallContext {
        // SAFETY: borrowed by the promise of who made this, or as long as this.
        unsafe { &*self.at.get() }
    }

    /// The operation that the call is, or 0.
    pub(crate) fn op(&self) -> abi::Op {
        self.header().op
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Why the call is to end early, if it is to.
    pub(crate) fn end(&self) -> Option<Status> {
        // SAFETY: null, or valid and aligned by the invariant.
        let flag = unsafe { self.header().cancelled.cast::<AtomicU32>().as_ref() };
        match flag.map_or(0, |flag| flag.load(Ordering::Relaxed)) {
            0 => {
                let is_over = |deadline| Instant::now() >= deadline;
                self.deadline
                    .is_some_and(is_over)
                    .then_some(Status::DeadlineExceeded)
            }
            // The status that the call is to end with. A host may as well say no more than that it is to.
            reason => match Status::from_code(i32::try_from(reason).unwrap_or(i32::MAX)) {
                Status::Unknown => Some(Status::Cancelled),
                known => Some(known),
            },
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        // SAFETY: null, or valid and aligned by the invariant.
        let flag = unsafe { self.header().cancelled.cast::<AtomicU32>().as_ref() };
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed) != 0)
    }

    /// The error with which a call ends that's to end early.
    pub(crate) fn check(&self) -> Result<()> {
        match self.end() {
            None => Ok(()),
            Some(status) => Err(ended(status)),
        }
    }

    /// Has `waker` woken when the call is cancelled, at once if it is already. Where the host has no way to tell, never.
    #[cfg(feature = "async")]
    pub(crate) fn on_cancel(&self, host: &Host, waker: &Waker) {
        self.alarm(host).add(waker);
        // Whoever cancels sets the flag and then rings, so a waker that was added too late for the ringing sees it.
        if self.is_cancelled() {
            waker.wake_by_ref();
        }
    }

    /// Whether somebody has waited to be told of its end.
    pub(crate) fn is_awaited(&self) -> bool {
        self.alarm.get().is_some()
    }

    /// Waits so long, or until the call is to end, which is the error then.
    pub(crate) fn sleep(&self, host: &Host, time: Duration) -> Result<()> {
        let until = Instant::now().checked_add(time);
        let until = match (until, self.deadline) {
            (Some(until), Some(deadline)) => Some(until.min(deadline)),
            (until, deadline) => until.or(deadline),
        };
        let alarm = self.alarm(host);
        let is_notified =
            self.header().cancelled.is_null() || self.token.is_some() || alarm.is_known_to_host();
        alarm.wait(until, is_notified, || self.is_cancelled());
        self.check()
    }

    fn alarm(&self, host: &Host) -> &Alarm {
        let alarm = self.alarm.get_or_init(Arc::default);
        let can_end = !self.header().cancelled.is_null();
        match &self.token {
            Some(token) => token.tell(alarm),
            None if can_end => alarm.connect(host, self.header().op),
            None => {}
        }
        alarm
    }

    pub(crate) fn trace(&self) -> Option<Trace<'_>> {
        (self.header().flags & RB_CONTEXT_TRACE != 0).then(|| {
            Trace::new(
                self.header().trace_id,
                self.header().span_id,
                self.header().trace_flags,
                std::str::from_utf8(self.state_bytes()).unwrap_or_default(),
            )
        })
    }

    /// Has what this thread logs be part of the call's trace, until the result is dropped: around each poll of a task.
    pub(crate) fn enter(&self) -> span::Scope {
        span::Scope::enter(self.trace().as_ref().map(SpanContext::of))
    }

    pub(crate) fn metadata(&self) -> Metadata<'_> {
        Metadata::new(self.metadata_bytes())
    }

    /// The metadata as the header has it.
    pub(crate) fn metadata_bytes(&self) -> &[u8] {
        // SAFETY: the invariant.
        unsafe { borrowed(self.header().metadata, self.header().metadata_len) }
    }

    fn state_bytes(&self) -> &[u8] {
        let Text { data, len } = self.header().trace_state;
        // SAFETY: the invariant.
        unsafe { borrowed(data.cast(), len) }
    }

    /// The objects that are lent to the call.
    pub(crate) fn objects(&self) -> &[u64] {
        // SAFETY: the invariant.
        unsafe { borrowed(self.header().objects, self.header().object_count as usize) }
    }

    /// Where trailers and objects of a call's answer go that ends before its function returns; null if there's no place, as
    /// for a task.
    pub(crate) fn reply(&self) -> *mut abi::Reply {
        self.reply
    }

    /// Adds to the headers: the host has them, as soon as they are said.
    #[cold]
    pub(crate) fn append_header(&self, host: &Host, key: &str, value: &[u8]) -> Result<()> {
        if let Some(headers) = self.test_headers() {
            let mut headers = headers.lock().unwrap_or_else(PoisonError::into_inner);
            check_pair("header", key, value, headers.len())?;
            push_pair(&mut headers, key, value);
            return Ok(());
        }
        let CallContext { flags, op, .. } = *self.header();
        if flags & RB_CONTEXT_HEADERS == 0 || op == 0 {
            return Ok(());
        }
        let mut pair = Vec::new();
        push_pair(&mut pair, key, value);
        match host.add_headers(op, &pair) {
            Some(RB_FAILED_PRECONDITION) => Err(Error::new(
                Status::FailedPrecondition,
                format!("the header `{key}` is too late: the first item was already sent, or the call has completed"),
            )
            .with_type("rustbridge.HeadersSent")),
            Some(RB_RESOURCE_EXHAUSTED) => Err(Error::new(
                Status::ResourceExhausted,
                format!(
                    "with `{key}` the headers of this call have more than {RB_METADATA_LIMIT} bytes, which is the limit"
                ),
            )
            .with_type("rustbridge.InvalidMetadata")),
            // Taken, or there's nobody any more who would: the call was given up, or the host knows of no headers.
            _ => Ok(()),
        }
    }

    /// The headers so far, in a test.
    pub(crate) fn headers_under_test(&self) -> Vec<u8> {
        let headers = self.test_headers().map(Mutex::lock);
        headers.map_or_else(Vec::new, |headers| {
            headers.unwrap_or_else(PoisonError::into_inner).clone()
        })
    }

    fn test_headers(&self) -> Option<&Mutex<Vec<u8>>> {
        // SAFETY: null, or from a box that is there as long as this.
        unsafe { self.owned.as_ref() }?.headers.as_ref()
    }

    /// Adds to the trailers.
    pub(crate) fn append(&self, key: &str, value: &[u8]) -> Result<()> {
        let mut trailers = self.lock();
        check_pair("trailer", key, value, trailers.len())?;
        push_pair(&mut trailers, key, value);
        Ok(())
    }

    /// The trailers so far, as they cross the boundary; empty if there are none.
    pub(crate) fn trailers(&self) -> Vec<u8> {
        self.lock().clone()
    }

    /// Writes the trailers to where they go, unless there are none. Once, when nobody adds to them any more.
    ///
    /// # Safety
    /// `response` is a response that the caller owns, by the rules of [`Response`].
    pub(crate) unsafe fn write_trailers(&self, response: *mut Response) {
        let trailers = mem::take(&mut *self.lock());
        if !trailers.is_empty() {
            // SAFETY: the caller's promise.
            unsafe { Reply::new(response) }.vec(trailers);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        // Pairs are checked before, so nothing is left half done.
        self.trailers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a header is as long as this version's.
///
/// # Safety
/// It's as long as it says.
#[inline(always)]
unsafe fn is_whole(header: *const CallContext) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (*header).size as usize >= size_of::<CallContext>() }
}

/// When time is over that begins now.
#[inline(always)]
fn deadline(flags: u32, timeout_ns: u64) -> Option<Instant> {
    if flags & RB_CONTEXT_TIMEOUT == 0 {
        return None;
    }
    // A time that no clock can show is none.
    Instant::now().checked_add(Duration::from_nanos(timeout_ns))
}

impl Drop for Context {
    fn drop(&mut self) {
        // Before the flag and the waiting may be gone.
        if let Some(alarm) = self.alarm.get() {
            alarm.disconnect();
        }
        if !self.owned.is_null() {
            // SAFETY: from a box, and nobody looks at it any more.
            drop(unsafe { Box::from_raw(self.owned) });
        }
    }
}

/// # Safety
/// `data` is null, `len` is 0, or there are so many values at it, readable and unchanged for `'a`.
unsafe fn borrowed<'a, T>(data: *const T, len: usize) -> &'a [T] {
    if data.is_null() || len == 0 || len > isize::MAX as usize / size_of::<T>() {
        &[]
    } else {
        // SAFETY: the caller's promise.
        unsafe { slice::from_raw_parts(data, len) }
    }
}

/// The error of a call that ends early.
#[cold]
pub(crate) fn ended(status: Status) -> Error {
    match status {
        Status::DeadlineExceeded => Error::new(
            Status::DeadlineExceeded,
            "the deadline of the call has passed",
        )
        .with_type("rustbridge.DeadlineExceeded"),
        Status::Cancelled => Error::new(Status::Cancelled, "the call was cancelled")
            .with_type("rustbridge.Cancelled"),
        other => Error::new(other, "the host ended the call").with_type("rustbridge.Cancelled"),
    }
}

/// Whether a pair may be added to headers or trailers of `len` bytes.
pub(crate) fn check_pair(what: &str, key: &str, value: &[u8], len: usize) -> Result<()> {
    if !is_metadata_key(key.as_bytes()) {
        return Err(Error::invalid_argument(format!(
            "{key:?} can't be the key of a {what}: keys are visible ASCII without capitals, and not empty"
        ))
        .with_type("rustbridge.InvalidMetadata"));
    }
    let after = len.max(4) + 8 + key.len() + value.len();
    if after > RB_METADATA_LIMIT {
        return Err(Error::new(
            Status::ResourceExhausted,
            format!(
                "with `{key}` the {what}s of this call have {after} bytes, expected {RB_METADATA_LIMIT} at most"
            ),
        )
        .with_type("rustbridge.InvalidMetadata"));
    }
    Ok(())
}

/// Adds a pair to metadata as it crosses the boundary.
pub(crate) fn push_pair(bytes: &mut Vec<u8>, key: &str, value: &[u8]) {
    let count = match bytes.first_chunk() {
        Some(count) => u32::from_ne_bytes(*count),
        None => {
            bytes.extend([0; 4]);
            0
        }
    };
    bytes[..4].copy_from_slice(&(count + 1).to_ne_bytes());
    for len in [key.len(), value.len()] {
        // Below the limit, which the caller has checked.
        bytes.extend((len as u32).to_ne_bytes());
    }
    bytes.extend(key.as_bytes());
    bytes.extend(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_as_long_as_what_was_there() {
        let header = CallContext {
            metadata_len: 500,
            object_count: 300,
            ..CallContext::EMPTY
        };
        // SAFETY: what's null isn't read, whatever its length.
        let context = unsafe { Context::of_task(&raw const header) }.unwrap();
        assert!(context.metadata_bytes().is_empty() && context.objects().is_empty());
    }
}
