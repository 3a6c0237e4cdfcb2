//! Detects the encodings of a handler from its types.

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

/// Detects at compile time which encodings and descriptions the types of a handler support.
///
/// Each question has two constants with the same name: an inherent one, which exists only if the bounds hold, and one
/// of [`Absent`], which always exists. The compiler prefers the inherent one. This works because the macro names a
/// concrete handler; it doesn't work in generic code.
#[derive(Debug)]
pub struct Probe<H>(std::marker::PhantomData<H>);

/// The results if the bounds don't hold.
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
    /// Whether the request type is for raw methods only.
    const RAW_REQUEST: bool = false;
}

impl<H> Absent for Probe<H> {}

impl<H: Handler> Probe<H>
where
    for<'r> H::Request<'r>: Incoming<'r>,
    for<'a> H::Response<'a>: Outgoing,
    for<'r> H::Item: Incoming<'r>,
{
    /// The entry for JSON.
    pub const JSON: Option<Entry> = Some(entry::message::<H, Serde<codec::Json>>);

    /// The entry for MessagePack, if the feature is enabled.
    #[cfg(feature = "msgpack")]
    pub const MSGPACK: Option<Entry> = Some(entry::message::<H, Serde<codec::Msgpack>>);

    /// The entry for bincode, if the feature is enabled.
    #[cfg(feature = "bincode")]
    pub const BINCODE: Option<Entry> = Some(entry::message::<H, Serde<codec::Bincode>>);

    /// The entry for postcard, if the feature is enabled.
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
    /// The entry for the wire format.
    pub const WIRE: Option<Entry> = Some(entry::message::<H, Wire>);

    /// The types in the wire format.
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
    /// The entry for raw bytes, for a handler that lists `raw` explicitly. Text and `()` also have JSON.
    pub const RAW_ASKED_FOR: Option<Entry> = Some(entry::raw::<H>);

    /// The types that typed clients use for bytes and text.
    pub const RAW_TYPES: Option<Types> = Some(Types {
        request: <H::Request<'static> as RawRequest<'static>>::TYPE,
        response: <H::Response<'static> as RawResponse>::TYPE,
        items: H::Item::TYPE,
    });

    /// The entry for raw bytes, if the types are for raw methods only.
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
    /// Whether the request type is for raw methods only.
    pub const RAW_REQUEST: bool = <H::Request<'static> as RawRequest<'static>>::ONLY_RAW;
}

impl<H: Handler> Probe<H>
where
    H::Pass: PassPod<H>,
    H::Request<'static>: Pod,
    for<'a> H::Response<'a>: Pod,
    H::Item: Pod,
{
    /// The entry for plain old data.
    pub const POD: Option<Entry> = Some(entry::pod::<H>);

    /// The layouts.
    pub const LAYOUTS: Option<Layouts> = Some((
        <H::Request<'static> as Pod>::LAYOUT,
        <H::Response<'static> as Pod>::LAYOUT,
        <H::Item as Pod>::LAYOUT,
    ));
}

/// Detects a `Result` under another name; see [`Probe`].
#[derive(Debug)]
pub struct ResultProbe<T>(std::marker::PhantomData<T>);

/// The result for any other type.
pub trait NotResult {
    /// See [`ResultProbe`].
    const IS_RESULT: bool = false;
}

impl<T> NotResult for ResultProbe<T> {}

impl<T, E> ResultProbe<Result<T, E>> {
    /// See [`ResultProbe`].
    pub const IS_RESULT: bool = true;
}
