//! What `#[plugin]` turns each handler into.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, StatusCode};

use crate::codec::Codec;
use crate::{Call, Error, Items};

/// One handler, as a type: the macro makes a marker for each and implements this.
pub trait Handler: 'static {
    /// The type whose method it is: the plugin's, or an object's.
    type Plugin: Send + Sync + 'static;
    /// How it's found: [`OfPlugin`](crate::object::OfPlugin) or [`OfObject`](crate::object::OfObject).
    type Way: Way<Self::Plugin>;
    /// What it takes; `()` if nothing.
    type Request<'r>;
    /// What it returns when it succeeds; each item, if it returns a stream.
    type Response<'a>;
    /// Each item that it's sent; `()` if it takes no stream.
    type Item: Send + 'static;
    /// [`ByValue`] or [`ByRef`]: how it takes a request that lies in memory as it should.
    type Pass;
    /// The method's name.
    const METHOD: &'static str;
    /// Whether it takes a request at all.
    const TAKES_REQUEST: bool;
    /// Whether the request borrows from its bytes. If not, nothing of the type depends on its lifetime.
    const BORROWS: bool;
    /// Whether it takes a stream.
    const TAKES_ITEMS: bool;
    /// Whether there may be objects in its request.
    const TAKES_OBJECTS: bool;
    /// Whether there may be objects in its answer.
    const RETURNS_OBJECTS: bool;
    /// Whether it looks at its call. One that doesn't leaves out the reading of what the call carries.
    const USES_CALL: bool;

    /// Runs the handler and gives its result to `reply`, a continuation because a result may borrow from the request.
    fn call<'r>(
        plugin: &Self::Plugin,
        request: Self::Request<'r>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;

    /// Reads a request that isn't one of this handler's parameters, of a caller that knows fewer of them: those that it lacks are options.
    #[must_use]
    fn with_fewer_parameters<'r, C: Codec>(_bytes: &'r [u8]) -> Option<Self::Request<'r>> {
        None
    }
}

/// Where a handler's `&self` comes from.
pub trait Way<T> {
    /// The receiver's type in the description; empty for the plugin's own value.
    const RECEIVER: &'static str;
    /// Whether the first of the lent objects is the receiver.
    const IS_LENT: bool;

    /// Finds it.
    ///
    /// # Errors
    /// When no such object is lent.
    ///
    /// # Safety
    /// The instance is of the plugin whose entry it is, the header null or as the ABI says, and both are there for `'a`.
    unsafe fn receive<'a>(
        instance: *mut c_void,
        header: *const CallContext,
        method: &'static str,
    ) -> Result<&'a T, Error>;
}

/// A handler that takes its request by reference.
pub trait RefHandler: Handler {
    /// As [`Handler::call`].
    fn call_ref<'r>(
        plugin: &Self::Plugin,
        request: &Self::Request<'r>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;
}

/// An async handler, as a task runs it.
#[cfg(feature = "async")]
pub trait AsyncHandler: Handler {
    /// Whether it's polled by the runtime alone, and never on the caller's thread.
    const SPAWN: bool;

    /// Runs it. The reply is inside the future, because a result may borrow from what that holds.
    fn run<'r>(
        plugin: &'r Self::Plugin,
        request: Self::Request<'r>,
        items: Items<Self::Item>,
        call: &'r Call<'r>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode + Send + 'r,
    ) -> impl Future<Output = StatusCode> + Send + 'r;
}

/// A handler that returns an iterator.
pub trait IterHandler: Handler {
    /// Runs it, on a request that lies where the iterator may borrow it.
    fn iterate<'r>(
        plugin: &'r Self::Plugin,
        request: &'r mut Option<Self::Request<'r>>,
        items: Items<Self::Item>,
        call: &'r Call<'r>,
    ) -> Result<impl Iterator<Item = Result<Self::Response<'r>, Error>> + Send + 'r, Error>;
}

/// A handler that returns a stream.
#[cfg(feature = "async")]
pub trait StreamHandler: Handler {
    /// Runs it, on a request that lies where the stream may borrow it.
    fn stream<'r>(
        plugin: &'r Self::Plugin,
        request: &'r mut Option<Self::Request<'r>>,
        items: Items<Self::Item>,
        call: &'r Call<'r>,
    ) -> Result<
        impl futures_core::Stream<Item = Result<Self::Response<'r>, Error>> + Send + 'r,
        Error,
    >;
}

/// A plain handler that takes a stream, for whose items it waits.
pub trait BlockingHandler: Handler {
    /// Runs it to its end.
    fn block<'r>(
        plugin: &'r Self::Plugin,
        request: Self::Request<'r>,
        items: Items<Self::Item>,
        call: &'r Call<'r>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;
}

/// A stream whose items are results.
#[cfg(feature = "async")]
#[derive(Debug)]
pub struct Results<S, F> {
    items: S,
    into: F,
}

#[cfg(feature = "async")]
impl<S, F> Results<S, F> {
    /// Has `into` make a result of each item.
    pub fn new(items: S, into: F) -> Results<S, F> {
        Results { items, into }
    }
}

#[cfg(feature = "async")]
impl<S, T, F> futures_core::Stream for Results<S, F>
where
    S: futures_core::Stream,
    F: FnMut(S::Item) -> Result<T, Error>,
{
    type Item = Result<T, Error>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        // SAFETY: `items` isn't moved, and `into` is never pinned.
        let (items, into) = unsafe {
            let this = self.get_unchecked_mut();
            (
                std::pin::Pin::new_unchecked(&mut this.items),
                &mut this.into,
            )
        };
        items.poll_next(context).map(|item| item.map(into))
    }
}

/// The error of a handler whose request isn't where it was kept.
#[cold]
#[must_use]
pub fn no_request() -> Error {
    Error::internal("the request is gone")
}

/// The handler takes its request by value.
#[derive(Debug)]
pub enum ByValue {}

/// The handler takes its request by reference, so a pod is used where it lies.
#[derive(Debug)]
pub enum ByRef {}

/// How a handler gets a pod that lies in the request's memory.
pub trait PassPod<H: Handler> {
    /// Runs the handler on it.
    fn call(
        plugin: &H::Plugin,
        request: &H::Request<'static>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<H::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;
}

impl<H: Handler> PassPod<H> for ByValue
where
    H::Request<'static>: Copy,
{
    #[inline(always)]
    fn call(
        plugin: &H::Plugin,
        request: &H::Request<'static>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<H::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode {
        H::call(plugin, *request, call, reply)
    }
}

impl<H: RefHandler> PassPod<H> for ByRef {
    #[inline(always)]
    fn call(
        plugin: &H::Plugin,
        request: &H::Request<'static>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<H::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode {
        H::call_ref(plugin, request, call, reply)
    }
}

/// The `Ok` type of a handler's `Result`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't `std::result::Result` with an error that becomes a `rustbridge::Error`",
    label = "a handler returns `T` or `Result<T, E>` where `E: Into<rustbridge::Error>`",
    note = "derive `rustbridge::StatusError` for `E`, or return `rustbridge::Result<T>`"
)]
pub trait Fallible {
    /// The type inside `Ok`.
    type Ok;
    /// Converts the error.
    fn into_result(self) -> Result<Self::Ok, Error>;
}

impl<T, E: Into<Error>> Fallible for Result<T, E> {
    type Ok = T;

    #[inline(always)]
    fn into_result(self) -> Result<T, Error> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.into()),
        }
    }
}

/// How a plugin without `create` is made.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be made",
    label = "neither a function `create` nor `Default`",
    note = "write `pub fn create(config: Config, host: Host) -> Self` in the `#[plugin]` block, or derive `Default`"
)]
pub trait MadeByDefault {
    /// Makes it.
    fn made() -> Self;
}

impl<T: Default> MadeByDefault for T {
    fn made() -> T {
        T::default()
    }
}
