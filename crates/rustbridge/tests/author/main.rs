//! The author's side: plugins that are linked in, called through their tables by a host of a few lines, or through the core.
//!
//! All tests of the crate are here, except those that have to be alone in their process: `alone`, `light` and `memory`.

mod host;

mod aborting;
mod async_streams;
mod asynchronous;
mod awaited_services;
mod background;
mod callbacks;
mod carrying;
mod classes;
#[cfg(all(feature = "bincode", feature = "msgpack", feature = "postcard"))]
mod decoders;
mod default_values;
mod dynamic;
mod errors_of_one_name;
mod escaping;
mod foreign;
mod fragile_errors;
mod guide;
mod guides;
mod logging;
#[cfg(feature = "json_schema")]
mod messages;
mod misuse;
mod objects;
mod parameters;
#[cfg(feature = "async")]
mod parked;
mod pending;
#[cfg(all(feature = "bincode", feature = "msgpack", feature = "postcard"))]
mod requests;
mod service_parameters;
mod standard;
#[cfg(all(feature = "bincode", feature = "msgpack", feature = "postcard"))]
mod stream_encodings;
mod stream_errors;
mod streams;
mod table;
mod through_core;
mod traces;
mod traits;
mod typed_errors;
mod via;
mod wire;
