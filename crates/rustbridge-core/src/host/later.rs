//! What begins calls that end later, and streams.

use bytemuck::Pod;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::begin::{Read, begin};
use super::items::Items;
use super::method::Method;
use super::pending::{CallAsync, Pending};
use super::sender::Sender;
use super::values::{from_json, from_pod, to_json};
use super::with::{Answer, With};
use crate::error::Error;
use crate::state::{STREAM_IN, STREAM_OUT};

impl Method {
    /// Calls it when it's awaited, on any executor. Dropping what awaits it cancels the call.
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
    /// # // SAFETY: a plugin of ours, whose entry point follows the ABI.
    /// # let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// # let reply = plugin.method("after", Encoding::Raw)?.call_async(b"10").begin().wait()?;
    /// # assert_eq!(&*reply, b"after 10");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// A method whose handler isn't async is run to its end by the first of it, on the thread that does that, as is what an async one does
    /// before it waits: [`offloaded`](CallAsync::offloaded) calls run none of it there.
    ///
    /// # Errors
    /// As for [`call`](Method::call), when it's awaited; `DEADLINE_EXCEEDED`; `UNIMPLEMENTED` if it has a stream.
    pub fn call_async<'a>(&self, request: &'a [u8]) -> CallAsync<'a> {
        CallAsync::new(*self, Ok(request.into()), Read::reply())
    }

    /// Calls it with one plain struct each way, when it's awaited.
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

    /// Calls it with a value that is sent as JSON, and reads the answer, when it's awaited. The method is one in JSON.
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

    /// Begins a call that returns a stream of items. What fails, also at once, is the stream's last item.
    pub fn stream(&self, request: &[u8]) -> Items {
        self.with().stream(request)
    }

    /// Begins a call that takes a stream of items: where they go, and the answer. Dropping the answer cancels the call.
    pub fn send(&self, request: &[u8]) -> (Sender, Pending) {
        self.with().send_as(request, Read::reply())
    }

    /// Begins a call that takes a stream of items and answers with one: where they go, and where they come. Dropping the latter
    /// cancels the call.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Load};
    ///
    /// // SAFETY: a plugin of ours, whose entry point follows the ABI.
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
    /// Makes the call when it's awaited; unlike [`Method::call_async`] begun now. Trailers come with the answer.
    pub fn call_async(&self, request: &[u8]) -> Pending<Answer> {
        Pending::begin(self, 0, request, whole())
    }

    /// As [`Method::stream`].
    pub fn stream(&self, request: &[u8]) -> Items {
        Items::new(begin(self, STREAM_OUT, request, whole()))
    }

    /// As [`Method::send`].
    pub fn send(&self, request: &[u8]) -> (Sender, Pending<Answer>) {
        self.send_as(request, whole())
    }

    fn send_as<T>(&self, request: &[u8], read: Read<T>) -> (Sender, Pending<T>) {
        let answer = Pending::begin(self, STREAM_IN, request, read);
        (Sender::new(answer.op()), answer)
    }

    /// As [`Method::exchange`].
    pub fn exchange(&self, request: &[u8]) -> (Sender, Items) {
        let kind = STREAM_IN | STREAM_OUT;
        let items = Items::new(begin(self, kind, request, whole()));
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
