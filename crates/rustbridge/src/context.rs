//! The data of a call in addition to its request, available as long as the call needs it.

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

/// The data that a call carries, and the data that it returns in addition to its response.
///
/// Invariant: the call context is of this version. As long as this value lives, the call context's pointers refer to readable memory
/// that doesn't change. Exceptions are `cancelled`, which others set, and `reply`, which this value doesn't use.
pub(crate) struct Context {
    /// The address of the call context: the host's while it's borrowed, later a field of the task, or `owned`.
    at: Cell<*const CallContext>,
    deadline: Option<Instant>,
    reply: *mut abi::Reply,
    trailers: Mutex<Vec<u8>>,
    /// Created by the first waiter for the cancellation.
    alarm: OnceLock<Arc<Alarm>>,
    /// Replaces the host in a test.
    token: Option<Token>,
    /// The call context and the data it points to, from a `Box`; null if they're borrowed. It's a raw pointer because moving a box
    /// would invalidate the other pointers into it.
    owned: *mut OwnedContext,
}

struct OwnedContext {
    header: CallContext,
    bytes: Box<[u8]>,
    objects: Box<[u64]>,
    /// Replaces the host in a test.
    headers: Option<Mutex<Vec<u8>>>,
}

// SAFETY: what the header points to is only read, by the invariant of `Context`, and the flag is an atomic.
unsafe impl Send for Context {}
// SAFETY: as above; what changes is behind locks, but for where the header is, which `keep` changes while nobody looks.
unsafe impl Sync for Context {}

impl Context {
    /// Borrows a call context. Returns `None` if it's null, or shorter than in any version.
    ///
    /// The timeout starts here, so call this when the call starts.
    ///
    /// # Safety
    /// `header` is null, or a call context by the rules of [`CallContext`]. It's valid, with its pointers, for as long as the result
    /// is used.
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

    /// Copies the call context of a host that knows an earlier version.
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

    /// Returns the data of a call for a task that may continue after `start` has returned. The data that the call context points to
    /// is copied. The call context itself is borrowed until [`keep`](Self::keep), which most calls never reach. Only the flag at
    /// `cancelled` remains the host's. `reply` isn't used, because the completion has its own.
    ///
    /// # Safety
    /// As for [`borrow`](Self::borrow), except for the pointers: only `cancelled` must stay valid as long as the result is used. The
    /// call context itself must stay valid until [`keep`](Self::keep).
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

    /// Copies a call context that [`of_task`](Self::of_task) borrowed to a field of the task, and uses the copy from here on.
    ///
    /// # Safety
    /// The place lives as long as this value, and no one else accesses either of them meanwhile.
    pub(crate) unsafe fn keep(&self, place: *mut CallContext) {
        if self.owned.is_null() {
            // SAFETY: the caller's promise; borrowed until now.
            unsafe { place.write(*self.at.get()) };
            self.at.set(place);
        }
    }

    /// Copies a call context and the data it points to, as [`of_task`](Self::of_task) describes.
    ///
    /// # Safety
    /// As for [`of_task`](Self::of_task).
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

    /// Copies a call context for a test; the flag is the token's.
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
    /// As for [`borrow`](Self::borrow), and the call context is at least as long as this version's.
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

    /// Returns the call context. Its pointers refer to data of this value, or to borrowed data.
    #[inline]
    pub(crate) fn header(&self) -> &CallContext {
        // SAFETY: borrowed by the promise of who made this, or as long as this.
        unsafe { &*self.at.get() }
    }

    /// Returns the ID of the call, or 0.
    pub(crate) fn op(&self) -> abi::Op {
        self.header().op
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns the status with which to end the call, if it was cancelled or its deadline has passed.
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

    /// Returns an error if the call was cancelled or its deadline has passed.
    pub(crate) fn check(&self) -> Result<()> {
        match self.end() {
            None => Ok(()),
            Some(status) => Err(ended(status)),
        }
    }

    /// Registers a waker for the cancellation of the call; if it's cancelled already, the waker is woken at once. If the host can't
    /// notify, the waker is never woken.
    #[cfg(feature = "async")]
    pub(crate) fn on_cancel(&self, host: &Host, waker: &Waker) {
        self.alarm(host).add(waker);
        // Whoever cancels sets the flag and then rings, so a waker that was added too late for the ringing sees it.
        if self.is_cancelled() {
            waker.wake_by_ref();
        }
    }

    /// Returns whether a waiter has registered for the cancellation.
    pub(crate) fn is_awaited(&self) -> bool {
        self.alarm.get().is_some()
    }

    /// Waits for this time. Returns an error if the call is cancelled, or its deadline passes, before or while waiting.
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

    /// Makes events that this thread logs part of the call's trace until the result is dropped. Used around each poll of a task.
    pub(crate) fn enter(&self) -> span::Scope {
        span::Scope::enter(self.trace().as_ref().map(SpanContext::of))
    }

    pub(crate) fn metadata(&self) -> Metadata<'_> {
        Metadata::new(self.metadata_bytes())
    }

    /// Returns the metadata in its binary layout.
    pub(crate) fn metadata_bytes(&self) -> &[u8] {
        // SAFETY: the invariant.
        unsafe { borrowed(self.header().metadata, self.header().metadata_len) }
    }

    fn state_bytes(&self) -> &[u8] {
        let Text { data, len } = self.header().trace_state;
        // SAFETY: the invariant.
        unsafe { borrowed(data.cast(), len) }
    }

    /// Returns the objects that the call borrows.
    pub(crate) fn objects(&self) -> &[u64] {
        // SAFETY: the invariant.
        unsafe { borrowed(self.header().objects, self.header().object_count as usize) }
    }

    /// Returns where to write the trailers and objects of a call that completes before its function returns. Null if the caller has
    /// no place for them, as for a task.
    pub(crate) fn reply(&self) -> *mut abi::Reply {
        self.reply
    }

    /// Adds a pair to the headers and passes it to the host at once.
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

    /// Returns the headers so far, in a test.
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

    /// Adds a pair to the trailers.
    pub(crate) fn append(&self, key: &str, value: &[u8]) -> Result<()> {
        let mut trailers = self.lock();
        check_pair("trailer", key, value, trailers.len())?;
        push_pair(&mut trailers, key, value);
        Ok(())
    }

    /// Returns the trailers so far in their binary layout; empty if there are none.
    pub(crate) fn trailers(&self) -> Vec<u8> {
        self.lock().clone()
    }

    /// Writes the trailers to `response`, unless there are none. Call it once, after the last pair has been added.
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

/// Returns whether a call context is at least as long as this version's.
///
/// # Safety
/// It's as long as its size field specifies.
#[inline(always)]
unsafe fn is_whole(header: *const CallContext) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (*header).size as usize >= size_of::<CallContext>() }
}

/// Returns the deadline of a call whose timeout starts now.
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
/// `data` is null, `len` is 0, or `data` points to `len` values that are readable and don't change during `'a`.
unsafe fn borrowed<'a, T>(data: *const T, len: usize) -> &'a [T] {
    if data.is_null() || len == 0 || len > isize::MAX as usize / size_of::<T>() {
        &[]
    } else {
        // SAFETY: the caller's promise.
        unsafe { slice::from_raw_parts(data, len) }
    }
}

/// Returns the error of a call that was cancelled or whose deadline has passed.
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

/// Checks whether a pair may be added to headers or trailers of `len` bytes.
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

/// Appends a pair to metadata in its binary layout.
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
