//! Streams of a plugin's items, for tasks and for plain threads.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytemuck::Pod;
use futures_core::{FusedStream, Stream};
use rustbridge_abi::Status;

use super::begin::{Canceller, DetachGuard, StartedCall, ended};
use super::item::{BatchReader, Item};
use super::park;
use super::values::from_pod;
use super::with::Answer;
use crate::async_call::caller;
use crate::async_call::event::EventKind;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::state::Deadline;

/// How many items, and bytes, may be on their way unless [`Items::window`] says otherwise.
const WINDOW: (u64, u64) = (256, 1 << 18);

/// The items that a method returns. See [`Method::stream`](crate::Method::stream).
///
/// It's a [`Stream`] for any executor. [`next`](Items::next) needs no traits of other crates, and
/// [`iterate`](Items::iterate) needs no executor. An error is the last item. A stream that ends without an error is
/// complete. Dropping it before its end cancels the stream in the plugin.
///
/// The number of items in flight is limited by the window, however fast the plugin is. The first items are requested
/// when this is first polled.
///
/// ```
/// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
/// use rustbridge_core::{Encoding, Error, Load, Plugin};
///
/// async fn sum(plugin: &Plugin) -> Result<u64, Error> {
///     let mut items = plugin.method("count", Encoding::Raw)?.stream(b"4").window(2, 1024);
///     let mut sum = 0;
///     while let Some(item) = items.next().await {
///         sum += item?.json::<u64>()?;
///     }
///     Ok(sum)
/// }
/// # use std::future::Future;
/// # // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// # let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
/// # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// # assert!(matches!(std::pin::pin!(sum(&plugin)).poll(&mut context), std::task::Poll::Ready(Ok(10))));
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[must_use = "dropping it gives the stream up"]
pub struct Items {
    state: State,
    batch: BatchReader,
    window: (u64, u64),
    /// What was taken and not asked for anew.
    taken: (u64, u64),
    has_asked: bool,
    headers: Metadata,
    trailers: Metadata,
}

enum State {
    Failed(Error),
    Pending(DetachGuard),
    Over,
}

impl Items {
    pub(super) fn new(begun: StartedCall<Answer>) -> Items {
        let (mut headers, mut trailers) = (Metadata::default(), Metadata::default());
        let state = match begun {
            StartedCall::Pending(op) => State::Pending(DetachGuard(op)),
            StartedCall::Over(Err(error)) => State::Failed(error),
            // A stream that has ended without an item.
            StartedCall::Over(Ok(answer)) => {
                (headers, trailers) = (answer.headers, answer.trailers);
                State::Over
            }
        };
        Items {
            state,
            batch: BatchReader::default(),
            window: WINDOW,
            taken: (0, 0),
            has_asked: false,
            headers,
            trailers,
        }
    }

    /// Sets how many items, and how many bytes, may be in flight. The default is 256 items and 256 KiB. More are
    /// requested when half of either has been consumed. An item that is larger than the window still arrives, alone.
    /// Call this before you receive the first item.
    pub fn window(mut self, items: u64, bytes: u64) -> Items {
        if !self.has_asked {
            self.window = (items.max(1), bytes.max(1));
        }
        self
    }

    /// Returns a handle that cancels the stream while another task or thread waits for it.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(self.op())
    }

    pub(super) fn op(&self) -> u64 {
        match &self.state {
            State::Pending(owned) => owned.0,
            _ => 0,
        }
    }

    /// Returns the plugin's initial metadata, once the first item or the end has arrived. The call must
    /// [request](crate::CallOptions::headers) it. If the call fails at once, the error has its own headers.
    #[must_use]
    pub fn headers(&self) -> &Metadata {
        &self.headers
    }

    /// Returns the plugin's trailing metadata, once the stream has ended without an error. An error has its own
    /// trailers.
    #[must_use]
    pub fn trailers(&self) -> &Metadata {
        &self.trailers
    }

    /// Returns the next item, or `None` at the end. The future may be dropped and created again: no item is lost.
    ///
    /// # Errors
    /// The error that ended the stream. `None` follows.
    pub async fn next(&mut self) -> Option<Result<Item, Error>> {
        poll_fn(|context| self.look(context)).await
    }

    /// Returns a blocking iterator, for a thread without an executor. The thread is parked until an item arrives.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Load};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// let mut text = String::new();
    /// for item in plugin.method("count", Encoding::Raw)?.stream(b"5").iterate() {
    ///     text += std::str::from_utf8(&item?)?;
    /// }
    /// assert_eq!(text, "12345");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iterate(self) -> Iterate {
        Iterate(self)
    }

    /// The next item of the batch that is here, if there is one.
    #[inline]
    fn at_hand(&mut self) -> Option<Item> {
        let item = self.batch.next()?;
        self.took(item.len());
        Some(item)
    }

    fn look(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Item, Error>>> {
        loop {
            if let Some(item) = self.at_hand() {
                return Poll::Ready(Some(Ok(item)));
            }
            let owned = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Failed(error) => return Poll::Ready(Some(Err(error))),
                State::Pending(owned) => owned,
            };
            if !std::mem::replace(&mut self.has_asked, true) {
                // What has ended is told below.
                let _ = caller::demand(owned.0, self.window.0, self.window.1);
            }
            match caller::poll(owned.0, context.waker()) {
                Ok(None) => {
                    self.state = State::Pending(owned);
                    return Poll::Pending;
                }
                Ok(Some(event)) => match event.kind {
                    EventKind::Items {
                        count,
                        flags,
                        bytes,
                        objects,
                    } => {
                        self.batch = BatchReader::new(count, flags, bytes, objects);
                        self.state = State::Pending(owned);
                    }
                    EventKind::Headers { headers } => {
                        self.headers = Metadata::from_bytes(headers.bytes().to_vec());
                        self.state = State::Pending(owned);
                    }
                    EventKind::Done {
                        status,
                        response,
                        trailers,
                        objects,
                    } => {
                        owned.over();
                        match ended(status, response, &trailers, objects) {
                            Ok(answer) => self.trailers = answer.trailers,
                            Err(error) => self.state = State::Failed(error),
                        }
                    }
                    // No operation tells of services.
                    EventKind::Demand { .. }
                    | EventKind::Service { .. }
                    | EventKind::ServiceCancel => self.state = State::Pending(owned),
                },
                Err(error) => {
                    owned.over();
                    self.state = State::Failed(error);
                }
            }
        }
    }

    /// Counts an item that was taken, and asks for more when half of the window is free.
    fn took(&mut self, len: usize) {
        self.taken.0 += 1;
        self.taken.1 += len as u64;
        let is_half = |(taken, window)| taken >= window - window / 2;
        if (is_half((self.taken.0, self.window.0)) || is_half((self.taken.1, self.window.1)))
            && let State::Pending(owned) = &self.state
        {
            let (items, bytes) = std::mem::take(&mut self.taken);
            // What has ended has no more.
            let _ = caller::demand(owned.0, items, bytes);
        }
    }
}

impl Stream for Items {
    type Item = Result<Item, Error>;

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Item, Error>>> {
        self.get_mut().look(context)
    }
}

impl FusedStream for Items {
    fn is_terminated(&self) -> bool {
        matches!(self.state, State::Over) && self.batch.is_empty()
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

/// The items of a stream, for a plain thread. See [`Items::iterate`].
#[derive(Debug)]
pub struct Iterate(Items);

impl Iterate {
    /// Waits for the next item, for up to `timeout`. `DEADLINE_EXCEEDED` doesn't end the stream: it may be called
    /// again.
    pub fn next_timeout(&mut self, timeout: Duration) -> Option<Result<Item, Error>> {
        park::wait(Deadline::after(timeout), |context| self.0.look(context)).unwrap_or_else(|| {
            Some(Err(Error::new(
                Status::DeadlineExceeded,
                "NoItemYet",
                format!("no item arrived within {timeout:?}: wait again, or drop the stream"),
            )))
        })
    }

    /// Returns the items as plain structs, which are read in place. This is the fastest way to receive many items. An
    /// item whose size isn't that of `T` is an error, and the others follow it. Objects of items are released.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Error, Load};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
    /// let digits = plugin.method("count", Encoding::Raw)?.stream(b"3").iterate().pods::<u8>();
    /// assert_eq!(digits.collect::<Result<Vec<u8>, Error>>()?, b"123");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pods<T: Pod>(self) -> Pods<T> {
        Pods {
            items: self,
            pods: PhantomData,
        }
    }

    /// Returns the same as [`Items::headers`].
    #[must_use]
    pub fn headers(&self) -> &Metadata {
        self.0.headers()
    }

    /// Returns the same as [`Items::trailers`].
    #[must_use]
    pub fn trailers(&self) -> &Metadata {
        self.0.trailers()
    }
}

impl Iterator for Iterate {
    type Item = Result<Item, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<Item, Error>> {
        // Waiting costs a look at the clock, and more, which would be most of what an item costs.
        if let Some(item) = self.0.at_hand() {
            return Some(Ok(item));
        }
        park::wait(Deadline::after(Duration::MAX), |context| {
            self.0.look(context)
        })?
    }
}

/// The items of a stream as plain structs. See [`Iterate::pods`].
#[derive(Debug)]
pub struct Pods<T> {
    items: Iterate,
    pods: PhantomData<fn() -> T>,
}

impl<T> Pods<T> {
    /// Returns the stream, with the items that haven't been received. Use it also for the stream's headers and
    /// trailers.
    #[must_use]
    pub fn into_inner(self) -> Iterate {
        self.items
    }
}

impl<T: Pod> Iterator for Pods<T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<T, Error>> {
        let items = &mut self.items.0;
        if let Some(bytes) = items.batch.next_bytes() {
            let (pod, len) = (from_pod(bytes), bytes.len());
            items.took(len);
            return Some(pod);
        }
        Some(self.items.next()?.and_then(|item| item.pod()))
    }
}
