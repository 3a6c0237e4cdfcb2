//! What `#[plugin]` turns each handler into, and how the types of a handler decide which encodings it has.

use rustbridge_abi::StatusCode;

use crate::codec;
use crate::describe::Schemas;
use crate::entry::{self, Entry, unknown_entry};
use crate::message::{Incoming, Outgoing};
use crate::pod::{Layout, Pod};
use crate::raw::{RawRequest, RawResponse};
use crate::{Call, Error, Plugin};

/// One handler, as a type: the macro makes a marker for each and implements this.
pub trait Handler: 'static {
    /// The type whose method it is.
    type Plugin: Plugin;
    /// What it takes; `()` if nothing.
    type Request<'r>;
    /// What it returns when it succeeds.
    type Response<'a>;
    /// [`ByValue`] or [`ByRef`]: how it takes a request that lies in memory as it should.
    type Pass;
    /// The method's name.
    const METHOD: &'static str;
    /// Whether it takes a request at all.
    const TAKES_REQUEST: bool;

    /// Runs the handler and gives its result to `reply`, a continuation because a result may borrow from the request.
    fn call<'r>(
        plugin: &Self::Plugin,
        request: Self::Request<'r>,
        call: &Call<'_>,
        reply: impl for<'a> FnOnce(Result<Self::Response<'a>, Error>) -> StatusCode,
    ) -> StatusCode;
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

/// The layouts of a handler's request and response.
pub type Layouts = (Layout, Layout);

/// Finds out at compile time what a handler's types can do.
///
/// For each question there are two constants of one name: an inherent one that exists only when the bounds hold, and
/// [`Absent`]'s, which is always there. The compiler prefers the inherent one. That works because the macro asks for a
/// concrete handler; it can't in generic code.
#[derive(Debug)]
pub struct Probe<H>(std::marker::PhantomData<H>);

/// The answers when the bounds don't hold.
pub trait Absent {
    /// See [`Probe`].
    const JSON: Option<Entry> = None;
    /// See [`Probe`].
    const RAW: Option<Entry> = None;
    /// See [`Probe`].
    const RAW_ASKED_FOR: Option<Entry> = None;
    /// See [`Probe`].
    const POD: Option<Entry> = None;
    /// See [`Probe`].
    const MSGPACK: Option<Entry> = None;
    /// See [`Probe`].
    const BINCODE: Option<Entry> = None;
    /// See [`Probe`].
    const POSTCARD: Option<Entry> = None;
    /// See [`Probe`].
    const SCHEMAS: Option<Schemas> = None;
    /// See [`Probe`].
    const LAYOUTS: Option<Layouts> = None;
    /// Whether the request type is for raw methods alone.
    const RAW_REQUEST: bool = false;
}

impl<H> Absent for Probe<H> {}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: Incoming<'r>,
    for<'a> H::Response<'a>: Outgoing,
{
    /// JSON.
    pub const JSON: Option<Entry> = Some(entry::message::<H, codec::Json>);

    /// MessagePack, when the feature is on.
    #[cfg(feature = "msgpack")]
    pub const MSGPACK: Option<Entry> = Some(entry::message::<H, codec::Msgpack>);

    /// bincode, when the feature is on.
    #[cfg(feature = "bincode")]
    pub const BINCODE: Option<Entry> = Some(entry::message::<H, codec::Bincode>);

    /// postcard, when the feature is on.
    #[cfg(feature = "postcard")]
    pub const POSTCARD: Option<Entry> = Some(entry::message::<H, codec::Postcard>);

    /// The schemas.
    pub const SCHEMAS: Option<Schemas> = Some(Schemas::of::<H>());
}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: RawRequest<'r>,
    for<'a> H::Response<'a>: RawResponse,
{
    /// Raw bytes, if the handler says so itself: text and `()` have JSON as well.
    pub const RAW_ASKED_FOR: Option<Entry> = Some(entry::raw::<H>);

    /// Raw bytes, if the types are for nothing else.
    pub const RAW: Option<Entry> = if <H::Request<'static> as RawRequest<'static>>::ONLY_RAW
        || <H::Response<'static> as RawResponse>::ONLY_RAW
    {
        Some(entry::raw::<H>)
    } else {
        None
    };
}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: RawRequest<'r>,
{
    /// Whether the request type is for raw methods alone.
    pub const RAW_REQUEST: bool = <H::Request<'static> as RawRequest<'static>>::ONLY_RAW;
}

impl<H: Handler> Probe<H>
where
    H::Pass: PassPod<H>,
    H::Request<'static>: Pod,
    for<'a> H::Response<'a>: Pod,
{
    /// Plain old data.
    pub const POD: Option<Entry> = Some(entry::pod::<H>);

    /// The layouts.
    pub const LAYOUTS: Option<Layouts> = Some((
        <H::Request<'static> as Pod>::LAYOUT,
        <H::Response<'static> as Pod>::LAYOUT,
    ));
}

/// Number of encodings, and so of table places per method.
pub const ENCODINGS: usize = rustbridge_abi::Encoding::ALL.len();

/// What the macro knows of a handler.
#[derive(Clone, Copy, Debug)]
pub struct HandlerInfo {
    /// The doc comment.
    pub doc: &'static str,
    /// Whether it is declared leaf.
    pub leaf: bool,
    /// Whether it is an `async fn`.
    pub is_async: bool,
    /// The entry for each encoding, in numeric order.
    pub entries: [Option<Entry>; ENCODINGS],
    /// The schemas, if it has an encoding that serde writes.
    pub schemas: Option<Schemas>,
    /// The layouts, if it has pods.
    pub layouts: Option<Layouts>,
}

impl HandlerInfo {
    /// Keeps the encodings in `mask` (bit = encoding), and only raw if the types are for nothing else.
    #[must_use]
    pub const fn restrict(mut self, mask: u32, only_raw: bool) -> HandlerInfo {
        let mask = if only_raw {
            mask & (1 << rustbridge_abi::RB_ENCODING_RAW)
        } else {
            mask
        };
        let mut encoding = 0;
        while encoding < ENCODINGS {
            if mask & (1 << encoding) == 0 {
                self.entries[encoding] = None;
            }
            encoding += 1;
        }
        self
    }

    /// The encodings it has, as bits.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        let mut mask = 0;
        let mut encoding = 0;
        while encoding < ENCODINGS {
            if self.entries[encoding].is_some() {
                mask |= 1 << encoding;
            }
            encoding += 1;
        }
        mask
    }
}

/// One method: the handlers of one name, whose encodings don't overlap.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The method's name.
    pub name: &'static str,
    /// The method's numeric id, if it has one.
    pub id: Option<u32>,
    /// Its handlers.
    pub handlers: &'static [HandlerInfo],
}

/// Builds the entry table: index = method × [`ENCODINGS`] + encoding. Places without an entry answer `NOT_FOUND`.
#[must_use]
pub const fn table<const N: usize>(methods: &[MethodInfo]) -> [Entry; N] {
    let mut table: [Entry; N] = [unknown_entry; N];
    let mut method = 0;
    while method < methods.len() {
        let handlers = methods[method].handlers;
        let mut handler = 0;
        while handler < handlers.len() {
            let mut encoding = 0;
            while encoding < ENCODINGS {
                if let Some(entry) = handlers[handler].entries[encoding] {
                    table[method * ENCODINGS + encoding] = entry;
                }
                encoding += 1;
            }
            handler += 1;
        }
        method += 1;
    }
    table
}

/// Tells a `Result` under another name; see [`Probe`].
#[derive(Debug)]
pub struct ResultProbe<T>(std::marker::PhantomData<T>);

/// The answer for any other type.
pub trait NotResult {
    /// See [`ResultProbe`].
    const IS_RESULT: bool = false;
}

impl<T> NotResult for ResultProbe<T> {}

impl<T, E> ResultProbe<Result<T, E>> {
    /// See [`ResultProbe`].
    pub const IS_RESULT: bool = true;
}
