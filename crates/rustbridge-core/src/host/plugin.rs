//! A running instance, as a host in Rust owns it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustbridge_abi::{Encoding, Level};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::begin::Read;
use super::method::Method;
use super::pending::CallAsync;
use super::reply::Reply;
use super::values::{from_json, to_json};
use crate::error::Error;
use crate::instance::close;
use crate::instance::roster::{Instance, find_instance};
use crate::instance::target::INSTANCES;
use crate::log::sink::LogSink;
use crate::registry::table::Handle;
use crate::state::State;

/// How long dropping a [`Plugin`] waits for its calls.
pub const DROP_TIMEOUT: Duration = Duration::from_secs(10);

/// A running instance of a plugin.
///
/// Any number of threads may use it at once. Dropping it closes the instance, and waits up to [`DROP_TIMEOUT`] for
/// running calls. If calls still run after that, the instance stays closing, its memory isn't released, and the process
/// continues. [`close`](Plugin::close) reports the result.
///
/// ```
/// use rustbridge_core::{Encoding, Load};
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
///
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
/// let reply = plugin.call("echo", r#"{"message":"hi"}"#)?;
/// assert_eq!(&*reply, br#"{"message":"hi"}"#);
/// plugin.close(std::time::Duration::from_secs(1))?;
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
pub struct Plugin {
    instance: Arc<Instance>,
    closes_on_drop: bool,
}

impl Plugin {
    pub(crate) fn new(instance: Arc<Instance>) -> Plugin {
        Plugin {
            instance,
            closes_on_drop: true,
        }
    }

    /// Returns the number of the instance in [`handles`](crate::handles).
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.instance.handle
    }

    /// Returns the instance's name: the one passed to [`Load::name`](crate::Load::name), or the plugin's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.instance.name
    }

    /// Returns the plugin's description: a JSON object, with the schemas of its types.
    #[must_use]
    pub fn describe(&self) -> &str {
        self.instance.plugin.description.complete()
    }

    /// Returns the instance's current state.
    #[must_use]
    pub fn state(&self) -> State {
        // The handle was issued, so it has a state.
        INSTANCES.state(self.handle()).unwrap_or(State::Closed)
    }

    /// Prepares a method: resolves its name once, for many calls.
    ///
    /// # Errors
    /// `NOT_FOUND` if there's no such method, `UNIMPLEMENTED` if it doesn't have this encoding.
    pub fn method(&self, name: &str, encoding: Encoding) -> Result<Method, Error> {
        self.instance
            .prepare(name, Some(encoding))
            .map(|prepared| Method::new(self.handle(), prepared))
    }

    /// Prepares a method by its numeric ID.
    ///
    /// # Errors
    /// As for [`method`](Plugin::method).
    pub fn method_by_id(&self, id: u32, encoding: Encoding) -> Result<Method, Error> {
        self.instance
            .prepare_id(id, Some(encoding))
            .map(|prepared| Method::new(self.handle(), prepared))
    }

    /// Prepares a method with the encoding wire, for a typed client. The client's types must match the plugin's, or be
    /// convertible to them: see [`handles::prepare_typed`](crate::handles::prepare_typed).
    ///
    /// # Errors
    /// As for [`method`](Plugin::method), and `FAILED_PRECONDITION` if the types differ.
    pub fn typed_method(
        &self,
        name: &str,
        fingerprint: &str,
        client_schema: &str,
    ) -> Result<Method, Error> {
        self.instance
            .prepare_typed(name, fingerprint.as_bytes(), client_schema.as_bytes())
            .map(|prepared| Method::new(self.handle(), prepared))
    }

    /// Calls a method with JSON.
    ///
    /// # Errors
    /// As for [`method`](Plugin::method) and [`Method::call`].
    pub fn call(&self, method: &str, json: impl AsRef<[u8]>) -> Result<Reply, Error> {
        self.method(method, Encoding::Json)?.call(json.as_ref())
    }

    /// Calls a method with a value that is sent as JSON, and decodes the response.
    ///
    /// ```
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// use rustbridge_core::Load;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize, PartialEq, Debug)]
    /// struct Echo { message: String }
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
    /// let echo: Echo = plugin.call_typed("echo", &Echo { message: "hi".into() })?;
    /// assert_eq!(echo.message, "hi");
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`call`](Plugin::call); `INVALID_ARGUMENT` if the request can't be written as JSON, `INTERNAL` if the
    /// response can't be decoded as `Res`.
    pub fn call_typed<Req, Res>(&self, method: &str, request: &Req) -> Result<Res, Error>
    where
        Req: Serialize + ?Sized,
        Res: DeserializeOwned,
    {
        let name = || format!("`{method}`");
        let request = to_json(request, name)?;
        from_json(&self.call(method, request)?, name)
    }

    /// Calls a method with JSON when it's awaited. See [`Method::call_async`].
    ///
    /// # Errors
    /// Those of [`method`](Plugin::method) come when it's awaited, as do those of the call.
    pub fn call_async<'a>(
        &self,
        method: &str,
        json: &'a (impl AsRef<[u8]> + ?Sized),
    ) -> CallAsync<'a> {
        match self.method(method, Encoding::Json) {
            Ok(method) => method.call_async(json.as_ref()),
            Err(error) => CallAsync::failed(error, Read::reply()),
        }
    }

    /// Calls a method with a value that is sent as JSON, and decodes the response, when it's awaited.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Error, Load, Plugin};
    ///
    /// async fn double(plugin: &Plugin, number: u32) -> Result<u32, Error> {
    ///     plugin.call_typed_async("double", &number).await
    /// }
    /// # // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// # let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// # assert_eq!(plugin.call_typed_async::<_, u32>("double", &21).begin().wait()?, 42);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`call_typed`](Plugin::call_typed), when it's awaited.
    pub fn call_typed_async<Req, Res>(&self, method: &str, request: &Req) -> CallAsync<'static, Res>
    where
        Req: Serialize + ?Sized,
        Res: DeserializeOwned,
    {
        match self.method(method, Encoding::Json) {
            Ok(method) => method.call_typed_async(request),
            Err(error) => CallAsync::failed(error, Read::whole(|answer, _| answer.reply.json())),
        }
    }

    /// Sets the log level, from the next record on.
    ///
    /// # Errors
    /// If the instance is closed.
    pub fn set_log_level(&self, level: Level) -> Result<(), Error> {
        find_instance(self.handle())?.set_log_level(level)
    }

    /// Sets the sink of log records. See [`handles::set_log_sink`](crate::handles::set_log_sink).
    ///
    /// # Errors
    /// As for [`handles::set_log_sink`](crate::handles::set_log_sink).
    pub fn set_log_sink(
        &self,
        sink: Option<Box<dyn LogSink>>,
        timeout: Duration,
    ) -> Result<(), Error> {
        find_instance(self.handle())?.set_log_sink(sink, timeout)
    }

    /// Waits until the records that were written so far are delivered. See
    /// [`handles::flush_logs`](crate::handles::flush_logs).
    ///
    /// # Errors
    /// As for [`handles::flush_logs`](crate::handles::flush_logs).
    pub fn flush_logs(&self, timeout: Duration) -> Result<(), Error> {
        find_instance(self.handle())?.flush_logs(timeout)
    }

    /// Closes the instance. See [`handles::close`](crate::handles::close). If an error reports that calls still run,
    /// the instance can be closed again through its handle; otherwise it stays closing.
    ///
    /// # Errors
    /// As for [`handles::close`](crate::handles::close).
    pub fn close(mut self, timeout: Duration) -> Result<(), Error> {
        // Dropping would close once more, and wait once more.
        self.closes_on_drop = false;
        close::close(self.handle(), timeout, None)
    }
}

impl Plugin {
    /// Closes the instance like [`close`](Plugin::close), and cancels pending calls after `cancel_after`. See
    /// [`handles::close_with`](crate::handles::close_with).
    ///
    /// # Errors
    /// As for [`close`](Plugin::close).
    pub fn close_with(mut self, timeout: Duration, cancel_after: Duration) -> Result<(), Error> {
        self.closes_on_drop = false;
        close::close(self.handle(), timeout, Some(cancel_after))
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        if self.closes_on_drop {
            // Nobody is left to tell; an instance that can't be closed now is in `inspect`'s report.
            let _ = close::close(self.handle(), DROP_TIMEOUT, None);
        }
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("name", &self.name())
            .field("handle", &self.handle())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
