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

use super::begin::{Begun, Canceller, Owned, ended};
use super::item::{Item, Unpacked};
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

/// The items that a method answers with: see [`Method::stream`](crate::Method::stream).
///
/// A [`Stream`] for any executor; [`next`](Items::next) needs no crate's traits, and [`iterate`](Items::iterate) no executor. An
/// error is the last item: a stream that ends without one is whole. Dropping it early gives it up, and the plugin is asked
/// to end.
///
/// No more items are on their way than the window has room for, however fast the plugin is. The first ones are asked for when
/// this is first looked at.
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
/// # // SAFETY: a plugin of ours, whose entry point follows the ABI.
/// # let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
/// # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// # assert!(matches!(std::pin::pin!(sum(&plugin)).poll(&mut context), std::task::Poll::Ready(Ok(10))));
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[must_use = "dropping it gives the stream up"]
pub struct Items {
    state: State,
    batch: Unpacked,
    window: (u64, u64),
    /// What was taken and not asked for anew.
    taken: (u64, u64),
    has_asked: bool,
    headers: Metadata,
    trailers: Metadata,
}

enum State {
    Failed(Error),
    Pending(Owned),
    Over,
}

impl Items {
    pub(super) fn new(begun: Begun<Answer>) -> Items {
        let (mut headers, mut trailers) = (Metadata::default(), Metadata::default());
        let state = match begun {
            Begun::Pending(op) => State::Pending(Owned(op)),
            Begun::Over(Err(error)) => State::Failed(error),
            // A stream that has ended without an item.
            Begun::Over(Ok(answer)) => {
                (headers, trailers) = (answer.headers, answer.trailers);
                State::Over
            }
        };
        Items {
            state,
            batch: Unpacked::default(),
            window: WINDOW,
            taken: (0, 0),
            has_asked: false,
            headers,
            trailers,
        }
    }

    /// How many items may be on their way, and how many bytes; 256 and 256 KiB unless said. More are asked for when half of
    /// either was taken. An item that is larger than that comes all the same, alone. To be said before the first item is taken.
    pub fn window(mut self, items: u64, bytes: u64) -> Items {
        if !self.has_asked {
            self.window = (items.max(1), bytes.max(1));
        }
        self
    }

    /// What cancels the stream while it's waited for.
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

    /// Metadata that the plugin said before the first item, as soon as that has come, or the end; if the call
    /// [asked](crate::CallOptions::headers) for it. An error at once has its own.
    #[must_use]
    pub fn headers(&self) -> &Metadata {
        &self.headers
    }

    /// Metadata that the plugin sent when the stream had ended well. An error has its own.
    #[must_use]
    pub fn trailers(&self) -> &Metadata {
        &self.trailers
    }

    /// The next item; `None` at the end. May be dropped and asked again: no item is lost.
    ///
    /// # Errors
    /// Why the stream has ended before its end. `None` comes next.
    pub async fn next(&mut self) -> Option<Result<Item, Error>> {
        poll_fn(|context| self.look(context)).await
    }

    /// For a thread without an executor, which is parked while nothing has come.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Load};
    ///
    /// // SAFETY: a plugin of ours, whose entry point follows the ABI.
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
                        self.batch = Unpacked::new(count, flags, bytes, objects);
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

/// The items of a stream for a plain thread: see [`Items::iterate`].
#[derive(Debug)]
pub struct Iterate(Items);

impl Iterate {
    /// The next item, waiting for it so long at most. `DEADLINE_EXCEEDED` isn't the stream's end: it may be asked again.
    pub fn next_timeout(&mut self, timeout: Duration) -> Option<Result<Item, Error>> {
        park::wait(Deadline::after(timeout), |context| self.0.look(context)).unwrap_or_else(|| {
            Some(Err(Error::new(
                Status::DeadlineExceeded,
                "NoItemYet",
                format!("no item arrived within {timeout:?}: wait again, or drop the stream"),
            )))
        })
    }

    /// The items as plain structs, which are read where they lie: the quickest way to many of them. One whose size isn't that of
    /// `T` is an error, behind which the others come. Objects that come with items are let go of.
    ///
    /// ```
    /// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
    /// use rustbridge_core::{Encoding, Error, Load};
    ///
    /// // SAFETY: a plugin of ours, whose entry point follows the ABI.
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

    /// As [`Items::headers`].
    #[must_use]
    pub fn headers(&self) -> &Metadata {
        self.0.headers()
    }

    /// As [`Items::trailers`].
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

/// The items of a stream as plain structs: see [`Iterate::pods`].
#[derive(Debug)]
pub struct Pods<T> {
    items: Iterate,
    pods: PhantomData<fn() -> T>,
}

impl<T> Pods<T> {
    /// The stream itself, with the items that weren't taken yet; for its headers and trailers, too.
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
