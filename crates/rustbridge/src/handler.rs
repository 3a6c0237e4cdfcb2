//! The trait that `#[plugin]` implements for each handler, and its variants.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, StatusCode};

use crate::codec::Codec;
use crate::{Call, Error, Items};

/// A handler as a type. The macro generates a marker type for each handler and implements this trait for it.
pub trait Handler: 'static {
    /// The type with the method: the plugin's or an object's.
    type Plugin: Send + Sync + 'static;
    /// How the value with the method is found: [`OfPlugin`](crate::object::OfPlugin) or [`OfObject`](crate::object::OfObject).
    type Way: Way<Self::Plugin>;
    /// The request type; `()` if it accepts none.
    type Request<'r>;
    /// The response type on success, or the item type of a returned stream.
    type Response<'a>;
    /// The item type of an accepted stream; `()` if it accepts no stream.
    type Item: Send + 'static;
    /// How it accepts a request that can be used in place: [`ByValue`] or [`ByRef`].
    type Pass;
    /// The method's name.
    const METHOD: &'static str;
    /// Whether it accepts a request.
    const TAKES_REQUEST: bool;
    /// Whether the request borrows from its bytes. If not, the type doesn't depend on its lifetime.
    const BORROWS: bool;
    /// Whether it accepts a stream.
    const TAKES_ITEMS: bool;
    /// Whether its request may contain objects.
    const TAKES_OBJECTS: bool;
    /// Whether its response may contain objects.
    const RETURNS_OBJECTS: bool;
    /// Whether it uses its call. If not, the call context isn't read.
    const USES_CALL: bool;

    /// Runs the handler and passes its result to `reply`. That is a continuation because a result may borrow from the request.
    fn call<'r>(
        plugin: &Self::Plugin,
        request: Self::Request<'r>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;

    /// Reads the request of a caller that knows fewer parameters. The missing parameters are options.
    #[must_use]
    fn with_fewer_parameters<'r, C: Codec>(_bytes: &'r [u8]) -> Option<Self::Request<'r>> {
        None
    }
}

/// The way to a handler's `&self`.
pub trait Way<T> {
    /// The receiver's type in the description; empty for the plugin.
    const RECEIVER: &'static str;
    /// Whether the first borrowed object is the receiver.
    const IS_LENT: bool;

    /// Finds the receiver.
    ///
    /// # Errors
    /// If no such object is borrowed.
    ///
    /// # Safety
    /// The instance is one of the plugin to which the entry belongs. The call context is null or valid by the ABI's rules. Both live for
    /// `'a`.
    unsafe fn receive<'a>(
        instance: *mut c_void,
        header: *const CallContext,
        method: &'static str,
    ) -> Result<&'a T, Error>;
}

/// A handler that accepts its request by reference.
pub trait RefHandler: Handler {
    /// As [`Handler::call`].
    fn call_ref<'r>(
        plugin: &Self::Plugin,
        request: &Self::Request<'r>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;
}

/// An async handler, run by a task.
#[cfg(feature = "async")]
pub trait AsyncHandler: Handler {
    /// Whether only the runtime polls it, never the caller's thread.
    const SPAWN: bool;

    /// Runs the handler. The future calls `reply` itself, because a result may borrow from the future.
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
    /// Runs the handler with a request that the iterator may borrow.
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
    /// Runs the handler with a request that the stream may borrow.
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

/// A plain handler that accepts a stream and waits for its items.
pub trait BlockingHandler: Handler {
    /// Runs the handler to its end.
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
impl<S: futures_core::Stream, T, F: FnMut(S::Item) -> Result<T, Error>> Results<S, F> {
    /// Creates one that converts each item to a result with `into`.
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

/// Returns the error for a handler whose request has been used already.
#[cold]
#[must_use]
pub fn no_request() -> Error {
    Error::internal("the request is gone")
}

/// Marks a handler that accepts its request by value.
#[derive(Debug)]
pub enum ByValue {}

/// Marks a handler that accepts its request by reference, so that plain old data is used in place.
#[derive(Debug)]
pub enum ByRef {}

/// How a handler receives plain old data that it could use in place.
pub trait PassPod<H: Handler> {
    /// Runs the handler with it.
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

/// A handler's `Result`, with an error that can be converted.
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

/// Creates the value of a plugin without `create`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be created",
    label = "neither a function `create` nor `Default`",
    note = "write `pub fn create(config: Config, host: Host) -> Self` in the `#[plugin]` block, or derive `Default`"
)]
pub trait MadeByDefault {
    /// Creates the value.
    fn made() -> Self;
}

impl<T: Default> MadeByDefault for T {
    fn made() -> T {
        T::default()
    }
}
