//! Instances by their handles: all that the bindings for other languages are made of.
//!
//! Each function takes any number as a handle and answers with an error, or a status, to one that isn't valid (any more).
//! An instance made by [`load`] belongs to its handle: it stays until [`close`].
//!
//! A call names an entry, which [`prepare`] gives, and answers into a [`Response`](crate::Response) or, by [`call_into`],
//! into storage that is an argument. Nothing in a call panics, unwinds, locks or allocates as long as it succeeds.
//!
//! ```
//! use rustbridge_core::{Encoding, Load, Response, handles};
//! # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
//!
//! // SAFETY: this is our own plugin, whose entry point follows the ABI.
//! let plugin = handles::load(unsafe { Load::linked(my_plugin::entry_point, "tiny") })?;
//! let echo = handles::prepare(plugin, "echo", Encoding::Raw)?;
//!
//! let mut storage = [0_u8; 64];
//! let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
//! // SAFETY: request and response are valid for the call, and the response is released once.
//! unsafe {
//!     let status = handles::call(plugin, echo.entry, b"hi".as_ptr(), 2, &mut response);
//!     assert_eq!((status, response.len), (0, 2));
//!     handles::release(&mut response);
//! }
//! assert_eq!(&storage[..2], b"hi");
//! handles::close(plugin, std::time::Duration::from_secs(1))?;
//! # Ok::<(), rustbridge_core::Error>(())
//! ```

use std::sync::Arc;
use std::time::Duration;

use rustbridge_abi::{Encoding, Level, StatusCode};

pub use crate::call::into::{Outcome, call_into, release_call_result};
pub use crate::call::objects::release_object;
pub use crate::call::sync::call;
pub use crate::call::with::call_with;
pub use crate::instance::inspect::inspect;
pub use crate::instance::services::deferred::CancelListener;
pub use crate::instance::services::registered::RawService;
pub use crate::library::describe::{ENTRY_LEAF, ENTRY_SHARED};
pub use crate::log::pool::at_log_thread_end;
pub use crate::pin::pin_this_library;
pub use crate::registry::table::Handle;
pub use crate::response::{release, respond, write_bytes, write_error};
pub use crate::state::{
    ASYNC, LEAF, OBJECTS, PreparedMethod, RECEIVER, STREAM_IN, STREAM_OUT, State,
};

use crate::error::Error;
use crate::host::load::Load;
use crate::instance::close as closing;
use crate::instance::refusal::Refusal;
use crate::instance::roster::find_instance;
use crate::instance::services::call as services;
use crate::instance::target::INSTANCES;
use crate::log::sink::LogSink;

/// Makes an instance as [`Load::open`] does, and gives its handle, to which it belongs.
///
/// # Errors
/// As for [`Load::open`].
pub fn load(load: Load<'_>) -> Result<Handle, Error> {
    load.start().map(|instance| instance.handle)
}

/// Resolves a method by its name. `NOT_FOUND` if there is none, `UNIMPLEMENTED` if it doesn't have this encoding.
///
/// Without an encoding it's for bytes as they are: raw if the method has that, otherwise pod.
///
/// # Errors
/// As above, and for the handle.
pub fn prepare(
    handle: Handle,
    method: &str,
    encoding: impl Into<Option<Encoding>>,
) -> Result<PreparedMethod, Error> {
    find_instance(handle)?.prepare(method, encoding.into())
}

/// Resolves a method by its numeric id; otherwise as [`prepare`].
///
/// # Errors
/// As for [`prepare`].
pub fn prepare_id(
    handle: Handle,
    id: u32,
    encoding: impl Into<Option<Encoding>>,
) -> Result<PreparedMethod, Error> {
    find_instance(handle)?.prepare_id(id, encoding.into())
}

/// Finds a method by its name in the wire format, for a typed client whose types are equal to the plugin's or compatible with them.
///
/// `fingerprint` is the method's fingerprint, 32 hexadecimal digits. `client_schema` is the description from which the client was
/// generated; it's read only if the fingerprints differ.
///
/// If the types differ compatibly, each message of calls through the entry is resolved by field names: requests and sent items to
/// the plugin's types, responses, received items and errors to the client's. This takes longer, a log record reports it, and the
/// entry isn't leaf. A method that only the client schema has gets an entry, too; calls through it fail with `UNIMPLEMENTED`.
///
/// # Errors
/// As for [`prepare`]. `FAILED_PRECONDITION`: the types are incompatible; the message names the place. `INVALID_ARGUMENT`: the
/// fingerprint or the client schema is malformed.
pub fn prepare_typed(
    handle: Handle,
    method: &str,
    fingerprint: &[u8],
    client_schema: &[u8],
) -> Result<PreparedMethod, Error> {
    find_instance(handle)?.prepare_typed(method, fingerprint, client_schema)
}

/// The plugin's description: the JSON object as the plugin wrote it.
///
/// # Errors
/// For the handle.
pub fn describe(handle: Handle) -> Result<Arc<str>, Error> {
    find_instance(handle)?.describe()
}

/// The name that the instance goes by in messages and records: the one it was loaded with, else the plugin's own.
///
/// # Errors
/// For the handle.
pub fn name(handle: Handle) -> Result<String, Error> {
    find_instance(handle)?.name()
}

/// What the instance is doing. Answers for good: closed stays closed.
///
/// # Errors
/// For a handle that was never issued.
pub fn state(handle: Handle) -> Result<State, Error> {
    INSTANCES
        .state(handle)
        .map_err(|_| Refusal::of_handle(handle).for_handle(handle))
}

/// Closes an instance: refuses further calls, waits for those that run, destroys it, delivers its log records and drops
/// its sink, all within `timeout` ([`Duration::MAX`] waits for good).
///
/// What the plugin's own destructor takes isn't limited by the timeout.
///
/// A log sink may close its own instance. The record that it's in is the last it gets then: those that wait are discarded, and it
/// is dropped when it returns.
///
/// # Errors
/// * `DEADLINE_EXCEEDED`: calls still run, or the log sink hasn't returned. The message and the details (`running`: method
///   and thread of each) say what. The instance stays closing; close again to go on waiting.
/// * `FAILED_PRECONDITION`: called from inside a call of the same instance, which would wait for itself; or forked.
/// * `UNAVAILABLE`: closed already. `INVALID_ARGUMENT`: no such handle.
/// * What the plugin's destructor failed with; the instance is closed all the same.
pub fn close(handle: Handle, timeout: Duration) -> Result<(), Error> {
    closing::close(handle, timeout, None)
}

/// [`close`] that waits for what is pending up to `cancel_after`, then asks it to end early, with `CANCELLED`, and goes on waiting
/// up to `timeout` in all.
///
/// # Errors
/// As for [`close`].
pub fn close_with(handle: Handle, timeout: Duration, cancel_after: Duration) -> Result<(), Error> {
    closing::close(handle, timeout, Some(cancel_after))
}

/// Changes the level up to which records are wanted, from the next record on.
///
/// # Errors
/// For the handle.
pub fn set_log_level(handle: Handle, level: Level) -> Result<(), Error> {
    find_instance(handle)?.set_log_level(level)
}

/// Changes where records go; `None` drops them, and then the plugin makes none.
///
/// Waits up to `timeout` ([`Duration::MAX`] for good) until the old sink has returned from the record that it's in, and is
/// dropped: don't hold a lock that the old sink takes. From a log sink, whosever, it doesn't wait, and the old one is dropped
/// when it returns. Records that wait in the queue go to the new sink, or nowhere if there's none.
///
/// # Errors
/// * `DEADLINE_EXCEEDED`: the sink is replaced, but the old one hasn't returned in time. It gets no further record and is
///   dropped when it returns; the new one gets its first after that.
/// * For the handle; then the new sink is dropped.
pub fn set_log_sink(
    handle: Handle,
    sink: Option<Box<dyn LogSink>>,
    timeout: Duration,
) -> Result<(), Error> {
    find_instance(handle)?.set_log_sink(sink, timeout)
}

/// Waits until the records that were made so far are delivered.
///
/// # Errors
/// `DEADLINE_EXCEEDED` if the time was over first, or if called from a sink, which would wait for itself; and for the
/// handle.
pub fn flush_logs(handle: Handle, timeout: Duration) -> Result<(), Error> {
    find_instance(handle)?.flush_logs(timeout)
}

/// Answers a service call that [`ServiceCall::later`](crate::ServiceCall::later) gave this number to: with a status, and the
/// answer or the payload of an error. Any thread may, also before the service's function has returned.
///
/// # Errors
/// * `FAILED_PRECONDITION`: it's over: answered before, cancelled, its time or its instance ended; or forked.
/// * `NOT_FOUND`: there was never such a call.
pub fn service_reply(call: u64, status: StatusCode, payload: Vec<u8>) -> Result<(), Error> {
    services::reply(call, status, payload)
}
