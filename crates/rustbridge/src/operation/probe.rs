//! How the types of a handler decide which starts it has, as [`Probe`](crate::probe::Probe) does for entries.

use rustbridge_wire::{Decode, Encode};

use super::form::{CodecForm, PlainData, RawBytes};
use super::start::{BlockingStarter, Iterators, start};
#[cfg(feature = "async")]
use super::start::{Futures, Streams};
use crate::codec;
use crate::coding::{Serde, Wire};
#[cfg(feature = "async")]
use crate::handler::{AsyncHandler, StreamHandler};
use crate::handler::{BlockingHandler, IterHandler};
use crate::message::{Incoming, Outgoing};
use crate::pod::Pod;
use crate::raw::{RawItem, RawRequest, RawResponse};
use crate::signature::Start;

/// The answers when the bounds don't hold.
pub trait NoStart {
    /// See [`Probe`](crate::probe::Probe).
    const JSON: Option<Start> = None;
    /// See [`Probe`](crate::probe::Probe).
    const RAW: Option<Start> = None;
    /// See [`Probe`](crate::probe::Probe).
    const POD: Option<Start> = None;
    /// See [`Probe`](crate::probe::Probe).
    const MSGPACK: Option<Start> = None;
    /// See [`Probe`](crate::probe::Probe).
    const BINCODE: Option<Start> = None;
    /// See [`Probe`](crate::probe::Probe).
    const POSTCARD: Option<Start> = None;
    /// See [`Probe`](crate::probe::Probe).
    const WIRE: Option<Start> = None;
}

macro_rules! probe {
    ($(#[$attribute:meta])* $name:ident, $handler:ident, $start:ident, $what:literal) => {
        #[doc = concat!("Finds the starts of ", $what, ".")]
        $(#[$attribute])*
        #[derive(Debug)]
        pub struct $name<H>(std::marker::PhantomData<H>);

        $(#[$attribute])*
        impl<H> NoStart for $name<H> {}

        $(#[$attribute])*
        impl<H: $handler> $name<H>
        where
            for<'r> H::Request<'r>: Incoming<'r>,
            H::Request<'static>: Send,
            for<'a> H::Response<'a>: Outgoing,
            for<'r> H::Item: Incoming<'r>,
        {
            /// JSON.
            pub const JSON: Option<Start> = Some(start::<$start<H, CodecForm<Serde<codec::Json>>>>);

            /// MessagePack, when the feature is on.
            #[cfg(feature = "msgpack")]
            pub const MSGPACK: Option<Start> = Some(start::<$start<H, CodecForm<Serde<codec::Msgpack>>>>);

            /// bincode, when the feature is on.
            #[cfg(feature = "bincode")]
            pub const BINCODE: Option<Start> = Some(start::<$start<H, CodecForm<Serde<codec::Bincode>>>>);

            /// postcard, when the feature is on.
            #[cfg(feature = "postcard")]
            pub const POSTCARD: Option<Start> = Some(start::<$start<H, CodecForm<Serde<codec::Postcard>>>>);
        }

        $(#[$attribute])*
        impl<H: $handler> $name<H>
        where
            for<'r> H::Request<'r>: Decode<'r>,
            H::Request<'static>: Send,
            for<'a> H::Response<'a>: Encode,
            for<'r> H::Item: Decode<'r>,
        {
            /// The wire form.
            pub const WIRE: Option<Start> = Some(start::<$start<H, CodecForm<Wire>>>);
        }

        $(#[$attribute])*
        impl<H: $handler> $name<H>
        where
            for<'r> H::Request<'r>: RawRequest<'r>,
            H::Request<'static>: Send,
            for<'a> H::Response<'a>: RawResponse,
            H::Item: RawItem,
        {
            /// Raw bytes.
            pub const RAW: Option<Start> = Some(start::<$start<H, RawBytes>>);
        }

        $(#[$attribute])*
        impl<H: $handler> $name<H>
        where
            H::Request<'static>: Pod + Send,
            for<'a> H::Response<'a>: Pod,
            H::Item: Pod,
        {
            /// Plain old data.
            pub const POD: Option<Start> = Some(start::<$start<H, PlainData>>);
        }
    };
}

probe!(
    #[cfg(feature = "async")]
    FutureStarts,
    AsyncHandler,
    Futures,
    "async handlers"
);
probe!(
    #[cfg(feature = "async")]
    StreamStarts,
    StreamHandler,
    Streams,
    "handlers that return a stream"
);
probe!(
    IteratorStarts,
    IterHandler,
    Iterators,
    "handlers that return an iterator"
);
probe!(
    BlockingStarts,
    BlockingHandler,
    BlockingStarter,
    "plain handlers that take items"
);
