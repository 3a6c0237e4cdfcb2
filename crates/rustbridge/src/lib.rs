#![doc = include_str!("../README.md")]

extern crate self as rustbridge;

mod alarm;
mod call;
mod callback;
mod codec;
mod coding;
mod config;
mod contain;
mod context;
mod default_value;
mod describe;
mod details;
mod entry;
mod error;
mod failure;
mod handler;
mod host;
mod host_error;
mod instance;
mod items;
mod lock_wait;
mod logging;
mod message;
mod metadata;
mod methods;
mod object;
mod operation;
mod panics;
mod plugin;
mod pod;
mod probe;
mod raw;
mod response;
#[cfg(feature = "async")]
mod runtime;
mod schema;
mod service;
mod shim;
mod signature;
#[cfg(feature = "async")]
mod slot;
mod stack;
mod status_error;
pub mod testing;
mod traits;
mod typed_payload;
mod types;
pub mod via;

pub use bytes::Bytes;
/// A stream of items, as a method's return type. Each item is sent when it's ready.
#[cfg(feature = "async")]
pub use futures_core::Stream;
pub use rustbridge_abi::{Encoding, EntryPoint, Level, Status};
pub use rustbridge_macros::{Message, Pod, StatusError, callback, object, plugin, service};
pub use rustbridge_wire::Dynamic;

pub use crate::call::{Call, Headers, Trailers};
pub use crate::error::{Error, Result};
pub use crate::host::Host;
pub use crate::items::{BlockingItems, Items};
pub use crate::message::{Incoming, Message, Outgoing};
pub use crate::metadata::{Metadata, Trace};
pub use crate::object::{Object, ObjectType};
pub use crate::plugin::Plugin;
pub use crate::pod::{Field, Layout, Pod};
pub use crate::raw::{RawItem, RawRequest, RawResponse};
pub use crate::service::Service;
pub use crate::shim::entry_point;
pub use crate::status_error::StatusError;

/// Exports a plugin type from this library: defines the symbol that hosts look up.
///
/// `#[plugin]` exports the plugin of its own crate. A library can contain this symbol only once. So a crate that others
/// depend on uses `#[plugin(export = false)]`. The library that hosts load, a `cdylib` that depends on it, then exports
/// the plugin:
///
/// ```
/// # mod billing {
/// # use rustbridge::prelude::*;
/// # #[derive(Default)]
/// # pub struct Billing;
/// # #[plugin(name = "billing", export = false)]
/// # impl Billing {
/// #     pub fn ping(&self) {}
/// # }
/// # }
/// rustbridge::export!(billing::Billing);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! export {
    ($plugin:ty) => {
        const _: () = {
            /// The one symbol of the library that hosts look for.
            #[unsafe(no_mangle)]
            pub extern "C" fn rustbridge_plugin(
                _host_abi_version: u32,
            ) -> *const $crate::__private::PluginTable {
                $crate::__private::Table::<$plugin>::TABLE
            }
        };
    };
}

/// The items that a plugin's source usually needs: `use rustbridge::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "async")]
    pub use crate::Stream;
    pub use crate::{
        Bytes, Call, Encoding, Error, Host, Items, Level, Message, Object, Plugin, Pod, Result,
        Status, StatusError, callback, object, plugin, service, via,
    };
    pub use tracing::{debug, error, info, trace, warn};
}

/// For the macros' expansions alone; may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use bytemuck;
    pub use rustbridge_abi::{PluginTable, StatusCode};
    #[cfg(feature = "json_schema")]
    pub use schemars;
    pub use serde;
    pub use serde_json;

    /// The wire form.
    pub mod wire {
        pub use rustbridge_wire::*;
    }

    pub mod config {
        pub use crate::config::{ignore, read};
    }
    pub use crate::callback::{Callback, CallbackSource, release_info};
    #[cfg(feature = "bincode")]
    pub use crate::codec::Bincode;
    #[cfg(feature = "msgpack")]
    pub use crate::codec::Msgpack;
    #[cfg(feature = "postcard")]
    pub use crate::codec::Postcard;
    pub use crate::codec::{Codec, Json, read_alone};
    pub use crate::config::{Config, ConfigProbe, NoConfigType};
    pub use crate::default_value::{
        AnyRange, DefaultFrom, EmptyList, EmptyMap, Float, Integer, KnownDefault, NoValue, Range,
    };
    pub use crate::details::{OtherSource, SourceDetail, insert_detail};
    pub use crate::failure::{
        CauseProbe, ErrorProbe, FieldProbe, KeepProbe, MessageProbe, NoCause, NoTypedError,
        NoWireForm, NotKept, NotMessage, NotTyped, Outcome, SourceProbe, Transparent, UntypedError,
        fail_alike, field_type, source_type,
    };
    pub use crate::handler::*;
    pub use crate::host_error::{
        DetailProbe, FromHost, HostErrorProbe, NoDetail, NoWireValue, NotFromHost, ValueProbe,
        read_value as read_host_value,
    };
    pub use crate::methods::*;
    pub use crate::object::{Class, OfClass, OfHost, OfObject, OfPlugin};
    pub use crate::operation::*;
    pub use crate::plugin::BroughtRuntime;
    pub use crate::probe::*;
    pub use crate::schema::incoming_schema;
    pub use crate::service::{
        InPod, InRaw, InWire, NoServiceTypes, ParkedCall, PendingServiceCall, ServiceInfo,
        ServiceProbe, ServiceSource, Services, layouts as service_layouts, park_result,
        parked_arguments, schemas as service_schemas, types as service_types,
    };
    pub use crate::shim::{Table, only_stream};
    pub use crate::signature::{Entry, Start};
    pub use crate::status_error::{Fields, TypedError, payload};
    pub mod traits {
        pub use crate::traits::*;
    }
    pub use crate::types::{NotPod, PodProbe};
    pub use crate::via::derive as via;
    pub use rustbridge_abi::Encoding;

    #[cfg(feature = "async")]
    pub use crate::call::block_on as run_async;

    /// Runs an async handler to its end.
    #[cfg(feature = "async")]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __block_on {
        ($call:expr, $future:expr) => {
            $crate::__private::run_async($call, $future)
        };
    }

    /// Says what's missing.
    #[cfg(not(feature = "async"))]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __block_on {
        ($call:expr, $future:expr) => {
            ::core::compile_error!(
                "an `async fn` method needs the feature `async` of `rustbridge`: add `features = [\"async\"]` \
                 to that dependency in Cargo.toml"
            )
        };
    }

    pub use crate::__block_on as block_on;

    /// What only tasks of the feature `async` have.
    #[cfg(feature = "async")]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __with_async {
        ($what:literal; $($code:tt)*) => { $($code)* };
    }

    /// Says what's missing.
    #[cfg(not(feature = "async"))]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __with_async {
        ($what:literal; $($code:tt)*) => {
            ::core::compile_error!(
                ::core::concat!(
                    $what,
                    " needs the feature `async` of `rustbridge`: add `features = [\"async\"]` to that dependency in Cargo.toml"
                )
            );
        };
    }

    pub use crate::__with_async as with_async;

    /// What's there with the feature `async` alone, and missed by nobody.
    #[cfg(feature = "async")]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __if_async {
        ($($code:tt)*) => { $($code)* };
    }

    /// What's there with the feature `async` alone, and missed by nobody.
    #[cfg(not(feature = "async"))]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __if_async {
        ($($code:tt)*) => {};
    }

    pub use crate::__if_async as if_async;

    /// The first with the feature `async`, the second without.
    #[cfg(feature = "async")]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __async_or {
        (($($code:tt)*) ($($other:tt)*)) => { $($code)* };
    }

    /// The first with the feature `async`, the second without.
    #[cfg(not(feature = "async"))]
    #[macro_export]
    #[doc(hidden)]
    macro_rules! __async_or {
        (($($code:tt)*) ($($other:tt)*)) => { $($other)* };
    }

    pub use crate::__async_or as async_or;
}
