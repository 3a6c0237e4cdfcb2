//! How the types of a handler decide which encodings it has.

use rustbridge_wire::{Decode, Encode, Typed};

use crate::codec;
use crate::coding::{Serde, Wire};
use crate::describe::schemas;
use crate::entry;
use crate::handler::{Handler, PassPod};
use crate::message::{Incoming, Outgoing};
use crate::methods::{Layouts, Schemas, Types};
use crate::pod::Pod;
use crate::raw::{RawItem, RawRequest, RawResponse};
use crate::signature::Entry;

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
    const WIRE: Option<Entry> = None;
    /// See [`Probe`].
    const SCHEMAS: Option<Schemas> = None;
    /// See [`Probe`].
    const LAYOUTS: Option<Layouts> = None;
    /// See [`Probe`].
    const TYPES: Option<Types> = None;
    /// See [`Probe`].
    const RAW_TYPES: Option<Types> = None;
    /// Whether the request type is for raw methods alone.
    const RAW_REQUEST: bool = false;
}

impl<H> Absent for Probe<H> {}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: Incoming<'r>,
    for<'a> H::Response<'a>: Outgoing,
    for<'r> H::Item: Incoming<'r>,
{
    /// JSON.
    pub const JSON: Option<Entry> = Some(entry::message::<H, Serde<codec::Json>>);

    /// MessagePack, when the feature is on.
    #[cfg(feature = "msgpack")]
    pub const MSGPACK: Option<Entry> = Some(entry::message::<H, Serde<codec::Msgpack>>);

    /// bincode, when the feature is on.
    #[cfg(feature = "bincode")]
    pub const BINCODE: Option<Entry> = Some(entry::message::<H, Serde<codec::Bincode>>);

    /// postcard, when the feature is on.
    #[cfg(feature = "postcard")]
    pub const POSTCARD: Option<Entry> = Some(entry::message::<H, Serde<codec::Postcard>>);

    /// The schemas.
    pub const SCHEMAS: Option<Schemas> = Some(schemas::<H>());
}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: Decode<'r>,
    for<'a> H::Response<'a>: Encode,
    for<'r> H::Item: Decode<'r>,
{
    /// The wire form.
    pub const WIRE: Option<Entry> = Some(entry::message::<H, Wire>);

    /// What the types look like.
    pub const TYPES: Option<Types> = Some(Types {
        request: <H::Request<'static> as Typed>::TYPE,
        response: <H::Response<'static> as Typed>::TYPE,
        items: <H::Item as Typed>::TYPE,
    });
}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: RawRequest<'r>,
    for<'a> H::Response<'a>: RawResponse,
    H::Item: RawItem,
{
    /// Raw bytes, if the handler says so itself: text and `()` have JSON as well.
    pub const RAW_ASKED_FOR: Option<Entry> = Some(entry::raw::<H>);

    /// What bytes and text are to clients with types.
    pub const RAW_TYPES: Option<Types> = Some(Types {
        request: <H::Request<'static> as RawRequest<'static>>::TYPE,
        response: <H::Response<'static> as RawResponse>::TYPE,
        items: H::Item::TYPE,
    });

    /// Raw bytes, if the types are for nothing else.
    pub const RAW: Option<Entry> = if <H::Request<'static> as RawRequest<'static>>::ONLY_RAW
        || <H::Response<'static> as RawResponse>::ONLY_RAW
        || H::Item::ONLY_RAW
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
    H::Item: Pod,
{
    /// Plain old data.
    pub const POD: Option<Entry> = Some(entry::pod::<H>);

    /// The layouts.
    pub const LAYOUTS: Option<Layouts> = Some((
        <H::Request<'static> as Pod>::LAYOUT,
        <H::Response<'static> as Pod>::LAYOUT,
        <H::Item as Pod>::LAYOUT,
    ));
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
