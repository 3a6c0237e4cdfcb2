//! Functions that submit asynchronous calls and streams.

use bytemuck::Pod;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::begin::{Read, start_call};
use super::items::Items;
use super::method::Method;
use super::pending::{CallAsync, Pending};
use super::sender::Sender;
use super::values::{from_json, from_pod, to_json};
use super::with::{Answer, With};
use crate::error::Error;
use crate::state::{STREAM_IN, STREAM_OUT};

impl Method {
    /// Calls the method when it's awaited, on any executor. Dropping the future cancels the call.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use std::time::Duration;
    /// use rustbridge_core::{Encoding, Error, Load, Plugin, Reply};
    ///
    /// async fn fetch(plugin: &Plugin) -> Result<Reply, Error> {
    ///     let fetch = plugin.method("after", Encoding::Raw)?;
    ///     fetch.call_async(b"10").timeout(Duration::from_secs(2)).await
    /// }
    /// # // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// # let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// # let reply = plugin.method("after", Encoding::Raw)?.call_async(b"10").begin().wait()?;
    /// # assert_eq!(&*reply, b"after 10");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// A handler that isn't async runs to its end on the submitting thread. An async handler runs there until it first
    /// waits. [`offloaded`](CallAsync::offloaded) calls don't run there at all.
    ///
    /// # Errors
    /// As for [`call`](Method::call), when it's awaited; `DEADLINE_EXCEEDED`; `UNIMPLEMENTED` if it has a stream.
    pub fn call_async<'a>(&self, request: &'a [u8]) -> CallAsync<'a> {
        CallAsync::new(*self, Ok(request.into()), Read::reply())
    }

    /// Calls the method with a plain struct, and returns a plain struct, when it's awaited.
    ///
    /// # Errors
    /// As for [`call_pod`](Method::call_pod) and [`call_async`](Method::call_async).
    pub fn call_pod_async<'a, Req: Pod, Res: Pod>(&self, request: &'a Req) -> CallAsync<'a, Res> {
        let request = bytemuck::bytes_of(request);
        let read = Read {
            whole: |answer, _| answer.reply.pod(),
            bytes: Some(from_pod),
        };
        CallAsync::new(*self, Ok(request.into()), read)
    }

    /// Calls the method with a value that is sent as JSON, and decodes the response, when it's awaited. The method's
    /// encoding must be JSON.
    ///
    /// # Errors
    /// As for [`Plugin::call_typed`](crate::Plugin::call_typed) and [`call_async`](Method::call_async).
    pub fn call_typed_async<Req, Res>(&self, request: &Req) -> CallAsync<'static, Res>
    where
        Req: Serialize + ?Sized,
        Res: DeserializeOwned,
    {
        let request = to_json(request, || self.name()).map(Into::into);
        CallAsync::new(*self, request, Read::whole(read_json))
    }

    /// Starts a call that returns a stream of items. An error is the stream's last item, even if the call fails at
    /// once.
    pub fn stream(&self, request: &[u8]) -> Items {
        self.with().stream(request)
    }

    /// Starts a call that accepts a stream of items. Returns the sender of the items, and the response. Dropping the
    /// response cancels the call.
    pub fn send(&self, request: &[u8]) -> (Sender, Pending) {
        self.with().send_as(request, Read::reply())
    }

    /// Starts a call that accepts and returns a stream of items. Returns the sender, and the received items. Dropping
    /// the latter cancels the call.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Load};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// let (mut sender, items) = plugin.method("echo", Encoding::Raw)?.exchange(b"");
    /// let mut items = items.iterate();
    /// for text in ["a", "b"] {
    ///     sender.send_wait(text)?;
    ///     assert_eq!(&*items.next().unwrap()?, text.as_bytes());
    /// }
    /// sender.finish();
    /// assert!(items.next().is_none());
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    pub fn exchange(&self, request: &[u8]) -> (Sender, Items) {
        self.with().exchange(request)
    }
}

impl With {
    /// Submits the call now, unlike [`Method::call_async`], and returns its future. The response has the trailers.
    pub fn call_async(&self, request: &[u8]) -> Pending<Answer> {
        Pending::begin(self, 0, request, whole())
    }

    /// Starts a stream like [`Method::stream`].
    pub fn stream(&self, request: &[u8]) -> Items {
        Items::new(start_call(self, STREAM_OUT, request, whole()))
    }

    /// Starts a call like [`Method::send`].
    pub fn send(&self, request: &[u8]) -> (Sender, Pending<Answer>) {
        self.send_as(request, whole())
    }

    fn send_as<T>(&self, request: &[u8], read: Read<T>) -> (Sender, Pending<T>) {
        let answer = Pending::begin(self, STREAM_IN, request, read);
        (Sender::new(answer.op()), answer)
    }

    /// Starts a call like [`Method::exchange`].
    pub fn exchange(&self, request: &[u8]) -> (Sender, Items) {
        let kind = STREAM_IN | STREAM_OUT;
        let items = Items::new(start_call(self, kind, request, whole()));
        (Sender::new(items.op()), items)
    }
}

/// The answer as it is.
fn whole() -> Read<Answer> {
    Read::whole(|answer, _| Ok(answer))
}

/// How an answer in JSON is read.
fn read_json<T: DeserializeOwned>(answer: Answer, method: &Method) -> Result<T, Error> {
    from_json(&answer.reply, || method.name())
}
