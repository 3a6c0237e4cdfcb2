//! Streams of values that a plugin sends.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use futures_core::Stream;
use rustbridge_core::{Canceller, Error, Sender};
use rustbridge_wire::{Decode, Encode};

use super::exchange::ItemForwarder;
use super::method::Method;

/// Sends the items of the opposite direction.
type Other = Box<dyn FnMut(&mut Context<'_>) -> Poll<Result<(), Error>> + Send>;

/// The values of a stream that a plugin sends.
///
/// A [`Stream`] for any executor. [`next`](Items::next) works without another crate's traits, and [`iterate`](Items::iterate) without an
/// executor. An error is the last item; a stream that ends without an error is complete. If the plugin's error has a type, `E` is a
/// [`Failure`](super::Failure). Dropping it before its end abandons the stream: the plugin is asked to cancel the call.
#[must_use = "dropping it gives the stream up"]
pub struct Items<T, E = Error> {
    method: Method,
    /// `None` after the end of the stream.
    items: Option<rustbridge_core::Items>,
    other: Option<Other>,
    failed: Option<Error>,
    of: PhantomData<fn() -> Result<T, E>>,
}

impl<T: for<'de> Decode<'de>, E: From<Error>> Items<T, E> {
    pub(super) fn new(method: Method, items: rustbridge_core::Items) -> Items<T, E> {
        Items {
            method,
            items: Some(items),
            other: None,
            failed: None,
            of: PhantomData,
        }
    }

    pub(super) fn failed(method: Method, error: Error) -> Items<T, E> {
        Items {
            method,
            items: None,
            other: None,
            failed: Some(error),
            of: PhantomData,
        }
    }

    pub(super) fn exchanged<I: Encode + 'static>(
        method: Method,
        sender: Sender,
        sent: impl Stream<Item = I> + Send + 'static,
        items: rustbridge_core::Items,
    ) -> Items<T, E> {
        let mut sending = ItemForwarder::new(method, sender);
        let mut sent = Box::pin(sent);
        let other: Other = Box::new(move |context| sending.poll(sent.as_mut(), context));
        Items {
            other: Some(other),
            ..Items::new(method, items)
        }
    }

    /// Sets the window of the stream; see [`rustbridge_core::Items::window`].
    pub fn window(mut self, items: u64, bytes: u64) -> Items<T, E> {
        self.items = self.items.map(|all| all.window(items, bytes));
        self
    }

    /// Returns a handle that cancels the stream while an item is awaited. Returns `None` if the stream has ended.
    #[must_use]
    pub fn canceller(&self) -> Option<Canceller> {
        self.items.as_ref().map(rustbridge_core::Items::canceller)
    }

    /// Returns the next value, or `None` at the end. The future may be dropped and `next` called again; no value is lost.
    ///
    /// # Errors
    /// The error with which the stream ended. The next call returns `None`.
    pub async fn next(&mut self) -> Option<Result<T, E>> {
        poll_fn(|context| self.look(context)).await
    }

    /// Returns a blocking iterator, for a thread without an executor. The thread is parked while no item is available.
    pub fn iterate(self) -> Iterate<T, E> {
        Iterate(self)
    }

    fn look(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, E>>> {
        if let Some(error) = self.failed.take() {
            return Poll::Ready(Some(Err(error.into())));
        }
        let Some(items) = &mut self.items else {
            return Poll::Ready(None);
        };
        if let Some(other) = &mut self.other {
            match other(context) {
                Poll::Pending => {}
                Poll::Ready(Ok(())) => self.other = None,
                Poll::Ready(Err(error)) => {
                    self.end();
                    return Poll::Ready(Some(Err(error.into())));
                }
            }
        }
        let item = match Pin::new(items).poll_next(context) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Some(Ok(item))) => self.method.read(&item),
            Poll::Ready(Some(Err(error))) => Err(error),
            Poll::Ready(None) => {
                self.end();
                return Poll::Ready(None);
            }
        };
        if item.is_err() {
            self.end();
        }
        Poll::Ready(Some(item.map_err(E::from)))
    }

    fn end(&mut self) {
        self.items = None;
        self.other = None;
    }
}

impl<T: for<'de> Decode<'de>, E: From<Error>> Stream for Items<T, E> {
    type Item = Result<T, E>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<T, E>>> {
        self.get_mut().look(context)
    }
}

impl<T, E> fmt::Debug for Items<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// A blocking iterator over the values of a stream; see [`Items::iterate`].
#[derive(Debug)]
pub struct Iterate<T, E = Error>(Items<T, E>);

/// Wakes a parked thread.
struct ThreadWaker(Thread);

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl<T: for<'de> Decode<'de>, E: From<Error>> Iterator for Iterate<T, E> {
    type Item = Result<T, E>;

    fn next(&mut self) -> Option<Result<T, E>> {
        // Most items are there already, and need nobody to be woken.
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(item) = self.0.look(&mut context) {
            return item;
        }
        let waker = Waker::from(Arc::new(ThreadWaker(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            match self.0.look(&mut context) {
                Poll::Ready(item) => return item,
                Poll::Pending => thread::park(),
            }
        }
    }
}
