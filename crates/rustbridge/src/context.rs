//! What a call carries beside its request, for as long as whoever serves it needs it.

use std::mem;
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
#[cfg(feature = "async")]
use std::task::Waker;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    self as abi, CallHeader, RB_HEADER_TIMEOUT, RB_HEADER_TRACE, RB_METADATA_LIMIT, Response,
    Status, Text, is_metadata_key,
};

use crate::alarm::{Alarm, Token};
use crate::logging::traced::{self, Traced};
use crate::response::Reply;
use crate::{Error, Host, Metadata, Result, Trace};

/// What a call carries, and what it gives back beside its response.
///
/// Invariant: the header is one of this version, and what it points to is readable and doesn't change as long as this value
/// lives, but for `cancelled`, which others set, and `reply`, which nobody uses here.
pub(crate) struct Context {
    header: CallHeader,
    deadline: Option<Instant>,
    trailers: Mutex<Vec<u8>>,
    /// Made by the first who waits for the cancellation.
    alarm: OnceLock<Arc<Alarm>>,
    /// In a test, in place of the host.
    token: Option<Token>,
    /// What the header points to, unless that's borrowed.
    _owned: Owned,
}

#[derive(Default)]
struct Owned {
    bytes: Box<[u8]>,
    objects: Box<[u64]>,
}

// SAFETY: what the header points to is only read, by the invariant of `Context`, and the flag is an atomic.
unsafe impl Send for Context {}
// SAFETY: as above; what changes is behind locks.
unsafe impl Sync for Context {}

impl Context {
    /// What a header says, borrowed. One that's null, or shorter than any version's, says nothing.
    ///
    /// The time begins to run here, so it's to be called where the call begins.
    ///
    /// # Safety
    /// `header` is null, or a header by the rules of [`CallHeader`] whose pointers are good for as long as the result is used.
    pub(crate) unsafe fn borrow(header: *const CallHeader) -> Option<Context> {
        if header.is_null() {
            return None;
        }
        // SAFETY: not null, and as long as it says.
        let header = unsafe { abi::read(header) }.ok()?;
        Some(Context::of(header, Owned::default()))
    }

    /// What a header says, copied, for a task that goes on when `start` has returned. Only the flag at `cancelled` stays the
    /// host's. There's no place for a reply then: the completion has one of its own.
    ///
    /// # Safety
    /// As for [`borrow`](Self::borrow), but for the pointers, of which only `cancelled` has to be good for that long.
    pub(crate) unsafe fn copy(header: *const CallHeader) -> Option<Context> {
        // SAFETY: the caller's promise; good for as long as this function uses it.
        let borrowed = unsafe { Context::borrow(header) }?;
        let (metadata, state) = (borrowed.metadata_bytes(), borrowed.state_bytes());
        let owned = Owned {
            bytes: [metadata, state].concat().into(),
            objects: borrowed.objects().into(),
        };
        // Boxes, so that what they own stays where it is.
        let (metadata, state) = owned.bytes.split_at(metadata.len());
        let header = CallHeader {
            metadata: metadata.as_ptr(),
            // As long as what was copied: a length that makes no sense beside its pointer counts as 0.
            metadata_len: metadata.len(),
            object_count: owned.objects.len() as u32,
            trace_state: Text {
                data: state.as_ptr().cast(),
                len: state.len(),
            },
            objects: owned.objects.as_ptr(),
            reply: std::ptr::null_mut(),
            ..borrowed.header
        };
        let mut context = Context::of(header, owned);
        context.deadline = borrowed.deadline;
        Some(context)
    }

    /// For tests: the flag is the token's, and the rest is copied.
    ///
    /// # Safety
    /// As for [`copy`](Self::copy).
    pub(crate) unsafe fn under_test(header: &CallHeader, token: Option<Token>) -> Option<Context> {
        let header = CallHeader {
            cancelled: token.as_ref().map_or(std::ptr::null(), Token::flag),
            ..*header
        };
        // SAFETY: the caller's promise; the token is kept beside the header that points to its flag.
        let mut context = unsafe { Context::copy(&raw const header) }?;
        context.token = token;
        Some(context)
    }

    fn of(header: CallHeader, owned: Owned) -> Context {
        let has_time = header.flags & RB_HEADER_TIMEOUT != 0;
        let left = has_time.then(|| Duration::from_nanos(header.timeout_ns));
        Context {
            header,
            // A time that no clock can show is none.
            deadline: left.and_then(|left| Instant::now().checked_add(left)),
            trailers: Mutex::default(),
            alarm: OnceLock::new(),
            token: None,
            _owned: owned,
        }
    }

    /// What it says, which points to what this keeps.
    #[cfg(feature = "async")]
    pub(crate) fn header(&self) -> &CallHeader {
        &self.header
    }

    /// The operation that the call is, or 0.
    pub(crate) fn op(&self) -> abi::Op {
        self.header.op
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Why the call is to end early, if it is to.
    pub(crate) fn end(&self) -> Option<Status> {
        // SAFETY: null, or valid and aligned by the invariant.
        let flag = unsafe { self.header.cancelled.cast::<AtomicU32>().as_ref() };
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
        let flag = unsafe { self.header.cancelled.cast::<AtomicU32>().as_ref() };
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
        let is_rung =
            self.header.cancelled.is_null() || self.token.is_some() || alarm.is_known_to_host();
        alarm.wait(until, is_rung, || self.is_cancelled());
        self.check()
    }

    fn alarm(&self, host: &Host) -> &Alarm {
        let alarm = self.alarm.get_or_init(Arc::default);
        let can_end = !self.header.cancelled.is_null();
        match &self.token {
            Some(token) => token.tell(alarm),
            None if can_end => alarm.connect(host, self.header.op),
            None => {}
        }
        alarm
    }

    pub(crate) fn trace(&self) -> Option<Trace<'_>> {
        (self.header.flags & RB_HEADER_TRACE != 0).then(|| {
            Trace::new(
                self.header.trace_id,
                self.header.span_id,
                self.header.trace_flags,
                std::str::from_utf8(self.state_bytes()).unwrap_or_default(),
            )
        })
    }

    /// Has what this thread logs be part of the call's trace, until the result is dropped: around each poll of a task.
    pub(crate) fn enter(&self) -> traced::Scope {
        traced::Scope::enter(self.trace().as_ref().map(Traced::of))
    }

    pub(crate) fn metadata(&self) -> Metadata<'_> {
        Metadata::new(self.metadata_bytes())
    }

    fn metadata_bytes(&self) -> &[u8] {
        // SAFETY: the invariant.
        unsafe { borrowed(self.header.metadata, self.header.metadata_len) }
    }

    fn state_bytes(&self) -> &[u8] {
        let Text { data, len } = self.header.trace_state;
        // SAFETY: the invariant.
        unsafe { borrowed(data.cast(), len) }
    }

    /// The objects that are lent to the call.
    pub(crate) fn objects(&self) -> &[u64] {
        // SAFETY: the invariant.
        unsafe { borrowed(self.header.objects, self.header.object_count as usize) }
    }

    /// Where trailers and objects of a call's answer go that ends before its function returns; null if there's no place, as
    /// for a task.
    pub(crate) fn reply(&self) -> *mut abi::Reply {
        self.header.reply
    }

    /// Adds to the trailers.
    pub(crate) fn append(&self, key: &str, value: &[u8]) -> Result<()> {
        let mut trailers = self.lock();
        check_trailer(key, value, trailers.len())?;
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

impl Drop for Context {
    fn drop(&mut self) {
        // Before the flag and the waiting may be gone.
        if let Some(alarm) = self.alarm.get() {
            alarm.disconnect();
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
        Status::DeadlineExceeded => {
            Error::new(status, "the call's time is over").with_type("rustbridge.DeadlineExceeded")
        }
        Status::Cancelled => {
            Error::new(status, "the call was cancelled").with_type("rustbridge.Cancelled")
        }
        other => Error::new(other, "the host ended the call").with_type("rustbridge.Cancelled"),
    }
}

/// Whether a pair may be added to trailers of `len` bytes.
pub(crate) fn check_trailer(key: &str, value: &[u8], len: usize) -> Result<()> {
    if !is_metadata_key(key.as_bytes()) {
        return Err(Error::invalid_argument(format!(
            "{key:?} can't be the key of a trailer: keys are visible ASCII without capitals, and not empty"
        ))
        .with_type("rustbridge.InvalidMetadata"));
    }
    let after = len.max(4) + 8 + key.len() + value.len();
    if after > RB_METADATA_LIMIT {
        return Err(Error::new(
            Status::ResourceExhausted,
            format!(
                "with `{key}` the trailers of this call are {after} bytes long, and {RB_METADATA_LIMIT} are allowed"
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
        let header = CallHeader {
            metadata_len: 500,
            object_count: 300,
            ..CallHeader::EMPTY
        };
        // SAFETY: what's null isn't read, whatever its length.
        let context = unsafe { Context::copy(&raw const header) }.unwrap();
        assert!(context.metadata_bytes().is_empty() && context.objects().is_empty());
    }
}
