//! The call context, as a handler sees it.

use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustbridge_abi::{CallContext, Encoding, MetadataPairs};

use crate::context::{Context, check_pair};
use crate::instance::Core;
use crate::{Host, Metadata, Result, Trace};

/// The call that a handler serves. A handler receives it if its last parameter is `&Call`.
///
/// ```
/// use rustbridge::Call;
///
/// let call = Call::detached();
/// assert_eq!(call.method(), "detached");
/// ```
pub struct Call<'a> {
    method: &'static str,
    encoding: Encoding,
    core: &'a Core,
    carried: ContextSource<'a>,
}

/// What the call carries.
enum ContextSource<'a> {
    /// Nothing: most calls.
    Nothing,
    /// What a header says that is borrowed for the call.
    Here(Context),
    /// What a task has kept.
    Task(&'a Context),
}

/// What detached calls belong to: no instance, a host that isn't there. Immutable apart from the runtime that an async
/// handler under test may start, and only ever used by tests.
static DETACHED: LazyLock<Core> = LazyLock::new(|| Core::new(Host::detached()));

impl<'a> Call<'a> {
    /// # Safety
    /// `header` is null, or a header by its rules that's good for as long as the value is used.
    #[inline(always)]
    pub(crate) unsafe fn new(
        method: &'static str,
        encoding: Encoding,
        core: &'a Core,
        header: *const CallContext,
    ) -> Call<'a> {
        let carried = if header.is_null() {
            ContextSource::Nothing
        } else {
            // SAFETY: the caller's promise.
            unsafe { ContextSource::borrow(header) }
        };
        Call {
            method,
            encoding,
            core,
            carried,
        }
    }

    /// The call that a task works for.
    pub(crate) fn of_task(
        method: &'static str,
        encoding: Encoding,
        core: &'a Core,
        context: Option<&'a Context>,
    ) -> Call<'a> {
        Call {
            method,
            encoding,
            core,
            carried: context.map_or(ContextSource::Nothing, ContextSource::Task),
        }
    }

    pub(crate) fn under_test(
        method: &'static str,
        encoding: Encoding,
        context: Option<Context>,
    ) -> Call<'static> {
        Call {
            method,
            encoding,
            core: &DETACHED,
            carried: context.map_or(ContextSource::Nothing, ContextSource::Here),
        }
    }

    /// What it carries, if anything.
    #[inline(always)]
    pub(crate) fn context(&self) -> Option<&Context> {
        match &self.carried {
            ContextSource::Nothing => None,
            ContextSource::Here(context) => Some(context),
            ContextSource::Task(context) => Some(context),
        }
    }

    /// The end of a call whose function returns now: what comes back beside its response is written to where it goes.
    #[inline(always)]
    pub(crate) fn conclude(&self) {
        if let ContextSource::Here(context) = &self.carried {
            write_reply(context);
        }
    }

    /// Returns a call without a host and without a context, for unit tests of handlers that accept one. To create calls
    /// with a context, use [`testing`](crate::testing).
    #[must_use]
    pub fn detached() -> Call<'static> {
        Call::under_test("detached", Encoding::Json, None)
    }

    /// Returns the method's name, e.g. `math.add`.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// Returns the encoding of request and response.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the host that `create` received.
    #[must_use]
    pub fn host(&self) -> &Host {
        self.core.host()
    }

    /// Returns the call's deadline, if it has one. The caller's clock isn't involved: the remaining time crosses the
    /// boundary.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.context()?.deadline()
    }

    /// Returns the time until the deadline, if the call has one. It's zero after the deadline.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.deadline()?;
        Some(left.saturating_duration_since(Instant::now()))
    }

    /// Returns whether the caller has cancelled the call. It costs one load, so loops can use it.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.context().is_some_and(Context::is_cancelled)
    }

    /// Returns an error if the call was cancelled or its deadline has passed. Use it in long loops: `call.check()?;`.
    ///
    /// ```
    /// use rustbridge::{Call, Result, testing};
    ///
    /// fn count(up_to: u64, call: &Call<'_>) -> Result<u64> {
    ///     let mut counted = 0;
    ///     while counted < up_to {
    ///         call.check()?;
    ///         counted += 1;
    ///     }
    ///     Ok(counted)
    /// }
    ///
    /// let token = testing::Token::new();
    /// let call = testing::call().cancelled_by(&token).build();
    /// assert_eq!(count(5, &call).unwrap(), 5);
    /// token.cancel();
    /// assert_eq!(count(5, &call).unwrap_err().type_name(), "rustbridge.Cancelled");
    /// ```
    ///
    /// # Errors
    /// [`Status::Cancelled`](crate::Status::Cancelled), or another status if the host ends the call for a reason of its own;
    /// [`Status::DeadlineExceeded`](crate::Status::DeadlineExceeded).
    pub fn check(&self) -> Result<()> {
        self.context().map_or(Ok(()), Context::check)
    }

    /// Waits on this thread for the given time, or until the call is cancelled or its deadline passes. It's for plain
    /// handlers. An async handler awaits a timer instead.
    ///
    /// # Errors
    /// As for [`check`](Call::check), as soon as the call is to end.
    pub fn sleep(&self, time: Duration) -> Result<()> {
        if let Some(context) = self.context() {
            return context.sleep(self.host(), time);
        }
        std::thread::sleep(time);
        Ok(())
    }

    /// Waits until the call is cancelled, or forever if it isn't. It's for `select!` in a handler that has to clean up.
    /// Other handlers don't need it, because their future is dropped.
    ///
    /// After the cancellation, the handler is polled once more, and if it then returns, its result is the call's
    /// result. Otherwise its future is dropped. So the cleanup must not wait. This poll runs on the thread that
    /// cancels, or on the thread of a caller that waits.
    #[cfg(feature = "async")]
    pub async fn cancelled(&self) {
        std::future::poll_fn(|task| match self.context() {
            None => std::task::Poll::Pending,
            Some(context) if context.is_cancelled() => std::task::Poll::Ready(()),
            Some(context) => {
                context.on_cancel(self.host(), task.waker());
                std::task::Poll::Pending
            }
        })
        .await;
    }

    /// Returns the metadata that the caller sent with the request.
    #[must_use]
    pub fn metadata(&self) -> Metadata<'_> {
        self.context().map_or(Metadata::new(&[]), Context::metadata)
    }

    /// Returns the headers (initial metadata) for the caller. They are sent before the first item, or with the response
    /// or the error.
    #[must_use]
    pub fn headers(&self) -> Headers<'_> {
        Headers { call: self }
    }

    /// Returns the trailers (trailing metadata) for the caller. They are sent with the response or the error.
    #[must_use]
    pub fn trailers(&self) -> Trailers<'_> {
        Trailers {
            context: self.context(),
        }
    }

    /// Returns the trace that the call is part of, if any.
    #[must_use]
    pub fn trace(&self) -> Option<Trace<'_>> {
        self.context()?.trace()
    }
}

impl ContextSource<'_> {
    /// # Safety
    /// As for [`Context::borrow`].
    #[cold]
    #[inline(never)]
    unsafe fn borrow(header: *const CallContext) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Context::borrow(header) }.map_or(ContextSource::Nothing, ContextSource::Here)
    }
}

#[cold]
#[inline(never)]
fn write_reply(context: &Context) {
    let reply = context.reply();
    if !reply.is_null() {
        // SAFETY: the header's place for the reply is the caller's of the entry, good until that returns, and written to once.
        unsafe { context.write_trailers(&raw mut (*reply).trailers) };
    }
}

/// Initial metadata for the caller. It's sent before the first item of a stream, or with the response, the error or the
/// panic.
#[derive(Clone, Copy)]
pub struct Headers<'a> {
    call: &'a Call<'a>,
}

impl Headers<'_> {
    /// Appends a key-value pair. A key may repeat. If the caller doesn't request headers, they are discarded.
    ///
    /// ```
    /// use rustbridge::testing;
    ///
    /// let call = testing::call().build();
    /// call.headers().append("served-by", "b7")?;
    /// assert_eq!(call.headers().under_test(), [("served-by".to_owned(), b"b7".to_vec())]);
    /// # Ok::<(), rustbridge::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) for a key that isn't visible ASCII without capitals,
    /// [`Status::ResourceExhausted`](crate::Status::ResourceExhausted) beyond 64 KiB in all, and
    /// [`Status::FailedPrecondition`](crate::Status::FailedPrecondition) once the first item has gone out, where the caller takes
    /// headers.
    pub fn append(&self, key: &str, value: impl AsRef<[u8]>) -> Result<()> {
        let value = value.as_ref();
        check_pair("header", key, value, 0)?;
        match self.call.context() {
            Some(context) => context.append_header(self.call.host(), key, value),
            None => Ok(()),
        }
    }

    /// Returns the headers of a call that [`testing`](crate::testing) created. A host receives each header as soon as
    /// it's appended.
    #[must_use]
    pub fn under_test(&self) -> Vec<(String, Vec<u8>)> {
        let bytes = self.call.context().map(Context::headers_under_test);
        pairs(&bytes.unwrap_or_default())
    }
}

impl fmt::Debug for Headers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Headers").finish_non_exhaustive()
    }
}

fn pairs(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    MetadataPairs::new(bytes)
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// Trailing metadata for the caller. It's sent with the response or the error, but not with a panic.
#[derive(Clone, Copy)]
pub struct Trailers<'a> {
    context: Option<&'a Context>,
}

impl Trailers<'_> {
    /// Appends a key-value pair. A key may repeat. If the caller doesn't request trailers, they are discarded.
    ///
    /// # Errors
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) for a key that isn't visible ASCII without capitals, and
    /// [`Status::ResourceExhausted`](crate::Status::ResourceExhausted) beyond 64 KiB in all.
    pub fn append(&self, key: &str, value: impl AsRef<[u8]>) -> Result<()> {
        match self.context {
            Some(context) => context.append(key, value.as_ref()),
            None => check_pair("trailer", key, value.as_ref(), 0),
        }
    }

    /// Returns the trailers that were appended so far.
    #[must_use]
    pub fn to_vec(&self) -> Vec<(String, Vec<u8>)> {
        let bytes = self.context.map(Context::trailers).unwrap_or_default();
        pairs(&bytes)
    }
}

impl fmt::Debug for Trailers<'_> {
    /// The keys alone: values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.to_vec().iter().map(|(key, _)| key))
            .finish()
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("method", &self.method)
            .field("encoding", &self.encoding)
            .finish_non_exhaustive()
    }
}

/// Runs an async handler to its end on the calling thread, inside the runtime of the instance that is called; or to the end of
/// the call.
#[cfg(feature = "async")]
pub fn block_on<F: Future>(call: &Call<'_>, future: F) -> Result<F::Output> {
    crate::runtime::run(call.host(), call.context(), future)
}
