//! Calls as futures.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use rustbridge_abi::Status;

use super::begin::{Canceller, DetachGuard, Read, StartedCall, ended, start_call};
use super::method::Method;
use super::object::Object;
use super::park;
use super::reply::Reply;
use super::with::{CallOptions, Trace, With, behind};
use crate::async_call::caller;
use crate::async_call::event::EventKind;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::state::Deadline;

/// A call that starts when it's awaited. See [`Method::call_async`].
///
/// Awaiting it, or [`begin`](CallAsync::begin), submits the call at once, before anything is polled. So several calls
/// can be submitted and then awaited. A submitted call borrows nothing, because the plugin has the request by then.
#[must_use = "nothing is called until it's awaited, or begun"]
pub struct CallAsync<'a, T = Reply> {
    call: Result<(With, Cow<'a, [u8]>), Error>,
    read: Read<T>,
}

impl<'a, T> CallAsync<'a, T> {
    pub(super) fn new(
        method: Method,
        request: Result<Cow<'a, [u8]>, Error>,
        read: Read<T>,
    ) -> CallAsync<'a, T> {
        CallAsync {
            call: request.map(|request| (With::new(method), request)),
            read,
        }
    }

    pub(super) fn failed(error: Error, read: Read<T>) -> CallAsync<'a, T> {
        CallAsync {
            call: Err(error),
            read,
        }
    }

    fn map(mut self, change: impl FnOnce(With) -> With) -> CallAsync<'a, T> {
        self.call = self.call.map(|(with, request)| (change(with), request));
        self
    }

    /// Sets all options.
    pub fn options(self, options: CallOptions) -> CallAsync<'a, T> {
        self.map(|with| with.options(options))
    }

    /// As [`CallOptions::timeout`].
    pub fn timeout(self, timeout: Duration) -> CallAsync<'a, T> {
        self.map(|with| with.timeout(timeout))
    }

    /// As [`CallOptions::metadata`].
    pub fn metadata(self, key: &str, value: impl AsRef<[u8]>) -> CallAsync<'a, T> {
        self.map(|with| with.metadata(key, value))
    }

    /// As [`CallOptions::trace`].
    pub fn trace(self, trace: Trace) -> CallAsync<'a, T> {
        self.map(|with| with.trace(trace))
    }

    /// As [`CallOptions::offloaded`].
    pub fn offloaded(self) -> CallAsync<'a, T> {
        self.map(With::offloaded)
    }

    /// Lends an object to the call. See [`With::object`].
    pub fn object(self, object: &Object) -> CallAsync<'a, T> {
        self.map(|with| with.object(object))
    }

    /// Submits the call. If the handler isn't async, it runs now, on this thread.
    pub fn begin(self) -> Pending<T> {
        match self.call {
            Ok((with, request)) => Pending::begin(&with, 0, &request, self.read),
            Err(error) => Pending::failed(error, self.read),
        }
    }
}

impl<T> IntoFuture for CallAsync<'_, T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pending<T>;

    fn into_future(self) -> Pending<T> {
        self.begin()
    }
}

impl<T> fmt::Debug for CallAsync<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallAsync").finish_non_exhaustive()
    }
}

/// A submitted call, as a future for any executor.
///
/// Dropping it abandons the call: it's cancelled in the plugin, and a response that still arrives is released. If a
/// call completed at once, the future is ready at the first poll, and has allocated nothing.
///
/// ```
/// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
/// use rustbridge_core::{Encoding, Load};
///
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
/// let fetch = plugin.method("after", Encoding::Raw)?;
///
/// // Both are begun before either is waited for.
/// let (first, second) = (fetch.call_async(b"20").begin(), fetch.call_async(b"10").begin());
/// // `first.await?` in an async function; this program has no executor.
/// assert_eq!(&*first.wait()?, b"after 20");
/// assert_eq!(&*second.wait()?, b"after 10");
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[must_use = "dropping it gives the call up"]
pub struct Pending<T = Reply> {
    state: State<T>,
    /// None if it couldn't even be found.
    method: Option<Method>,
    read: Read<T>,
}

enum State<T> {
    Over(Result<T, Error>),
    Pending(DetachGuard),
    Taken,
}

impl<T> Pending<T> {
    pub(super) fn begin(with: &With, kind: u32, request: &[u8], read: Read<T>) -> Pending<T> {
        let state = match start_call(with, kind, request, read) {
            StartedCall::Over(answer) => State::Over(answer),
            StartedCall::Pending(op) => State::Pending(DetachGuard(op)),
        };
        Pending {
            state,
            method: Some(with.method),
            read,
        }
    }

    fn failed(error: Error, read: Read<T>) -> Pending<T> {
        Pending {
            state: State::Over(Err(error)),
            method: None,
            read,
        }
    }

    /// Returns a handle that cancels the call while it's awaited. Dropping the future instead abandons the call and its
    /// response.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Load, Status};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// let never = plugin.method("never", Encoding::Raw)?.call_async(b"").begin();
    /// let canceller = never.canceller();
    /// std::thread::spawn(move || canceller.cancel());
    /// assert_eq!(never.wait().unwrap_err().status(), Status::Cancelled);
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(self.op())
    }

    /// The operation's number, 0 if it has ended already.
    pub(super) fn op(&self) -> u64 {
        match &self.state {
            State::Pending(owned) => owned.0,
            _ => 0,
        }
    }

    /// Waits for the response, and parks this thread. Don't use it in tasks of an executor, because it blocks the
    /// executor's thread.
    ///
    /// # Errors
    /// As awaiting it.
    pub fn wait(mut self) -> Result<T, Error> {
        let never = Duration::MAX;
        self.wait_timeout(never).unwrap_or_else(|| Err(taken()))
    }

    /// Waits for the response, for up to `timeout`. `None` means that the call is still pending. You can then wait
    /// again, or await it.
    ///
    /// # Errors
    /// As awaiting it.
    pub fn wait_timeout(&mut self, timeout: Duration) -> Option<Result<T, Error>> {
        park::wait(Deadline::after(timeout), |context| self.look(context))
    }

    fn look(&mut self, context: &mut Context<'_>) -> Poll<Result<T, Error>> {
        let State::Pending(owned) = &self.state else {
            return match std::mem::replace(&mut self.state, State::Taken) {
                State::Over(answer) => Poll::Ready(answer),
                _ => Poll::Ready(Err(taken())),
            };
        };
        // They come right before what they belong to.
        let mut headers = Metadata::default();
        let answer = loop {
            match caller::poll(owned.0, context.waker()) {
                Ok(None) => return Poll::Pending,
                Ok(Some(event)) => match event.kind {
                    EventKind::Done {
                        status,
                        response,
                        trailers,
                        objects,
                    } => break behind(headers, ended(status, response, &trailers, objects)),
                    EventKind::Headers { headers: told } => {
                        headers = Metadata::from_bytes(told.bytes().to_vec());
                    }
                    // Items that nobody has asked for.
                    _ => {}
                },
                Err(error) => break Err(error),
            }
        };
        if let State::Pending(owned) = std::mem::replace(&mut self.state, State::Taken) {
            owned.over();
        }
        Poll::Ready(answer.and_then(|answer| match &self.method {
            Some(method) => (self.read.whole)(answer, method),
            None => Err(taken()),
        }))
    }
}

#[cold]
fn taken() -> Error {
    Error::new(
        Status::FailedPrecondition,
        "ResultTaken",
        "the result was returned before: don't poll a future again after it was ready",
    )
}

// Nothing of it is pinned.
impl<T> Unpin for Pending<T> {}

impl<T> Future for Pending<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.get_mut().look(context)
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("is_pending", &matches!(self.state, State::Pending(_)))
            .finish_non_exhaustive()
    }
}
