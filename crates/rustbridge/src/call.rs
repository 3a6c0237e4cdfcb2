//! What a handler may know of the call it serves.

use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustbridge_abi::{CallContext, Encoding, MetadataPairs};

use crate::context::{Context, check_pair};
use crate::instance::Core;
use crate::{Host, Metadata, Result, Trace};

/// What a handler may know of the call it serves. A handler that wants it takes `&Call` as its last parameter.
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
    carried: Carried<'a>,
}

/// What the call carries.
enum Carried<'a> {
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
            Carried::Nothing
        } else {
            // SAFETY: the caller's promise.
            unsafe { Carried::borrow(header) }
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
            carried: context.map_or(Carried::Nothing, Carried::Task),
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
            carried: context.map_or(Carried::Nothing, Carried::Here),
        }
    }

    /// What it carries, if anything.
    #[inline(always)]
    pub(crate) fn context(&self) -> Option<&Context> {
        match &self.carried {
            Carried::Nothing => None,
            Carried::Here(context) => Some(context),
            Carried::Task(context) => Some(context),
        }
    }

    /// The end of a call whose function returns now: what comes back beside its response is written to where it goes.
    #[inline(always)]
    pub(crate) fn conclude(&self) {
        if let Carried::Here(context) = &self.carried {
            write_reply(context);
        }
    }

    /// A call from nowhere that carries nothing, for unit tests of handlers that take one. [`testing`](crate::testing) makes
    /// those that carry something.
    #[must_use]
    pub fn detached() -> Call<'static> {
        Call::under_test("detached", Encoding::Json, None)
    }

    /// The method's name, e.g. `math.add`.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The encoding of request and response.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The host, as given to `create`.
    #[must_use]
    pub fn host(&self) -> &Host {
        self.core.host()
    }

    /// When the caller doesn't want to wait any longer, if it said so. Its own clock has no part in it: what crosses the
    /// boundary is how much time is left.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.context()?.deadline()
    }

    /// How much time is left, if the caller set a limit; zero when it's over.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.deadline()?;
        Some(left.saturating_duration_since(Instant::now()))
    }

    /// Whether the caller has cancelled the call. One load, for loops.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.context().is_some_and(Context::is_cancelled)
    }

    /// Whether to go on: an error when the call was cancelled or its time is over. A loop that takes long has it in it:
    /// `call.check()?;`.
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

    /// Waits so long on this thread, or until the call is to end. For plain handlers; an async one awaits a timer instead.
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

    /// Waits until the call is cancelled, for ever if it isn't: for `select!` in a handler that has something to tidy up. One
    /// that hasn't needs nothing of it: its future is dropped.
    ///
    /// The handler is polled once more then, and what it answers is the call's answer. Otherwise it's dropped, so what it still does
    /// may not wait. That is on the thread that cancels, or on the caller's that waits.
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

    /// What the caller sent beside its request.
    #[must_use]
    pub fn metadata(&self) -> Metadata<'_> {
        self.context().map_or(Metadata::new(&[]), Context::metadata)
    }

    /// What the caller is told before anything else: before the first item, or with the answer or the error.
    #[must_use]
    pub fn headers(&self) -> Headers<'_> {
        Headers { call: self }
    }

    /// What the caller is sent beside the response, or the error.
    #[must_use]
    pub fn trailers(&self) -> Trailers<'_> {
        Trailers {
            context: self.context(),
        }
    }

    /// The trace that the call is part of, if any.
    #[must_use]
    pub fn trace(&self) -> Option<Trace<'_>> {
        self.context()?.trace()
    }
}

impl Carried<'_> {
    /// # Safety
    /// As for [`Context::borrow`].
    #[cold]
    #[inline(never)]
    unsafe fn borrow(header: *const CallContext) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Context::borrow(header) }.map_or(Carried::Nothing, Carried::Here)
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

/// Metadata for the caller that comes before anything else: before the first item of a stream, or with the answer, the error or the
/// panic.
#[derive(Clone, Copy)]
pub struct Headers<'a> {
    call: &'a Call<'a>,
}

impl Headers<'_> {
    /// Adds a pair, behind those that are there, also under the same key. A caller that takes no headers doesn't get them.
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

    /// Those of a call that [`testing`](crate::testing) has made. A host's are gone to it as soon as they were appended.
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

/// Metadata for the caller that comes with the response, or with the error; a panic has none.
#[derive(Clone, Copy)]
pub struct Trailers<'a> {
    context: Option<&'a Context>,
}

impl Trailers<'_> {
    /// Adds a pair, behind those that are there, also under the same key. A caller that has no place for trailers doesn't
    /// get them.
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

    /// Those that are there so far.
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
