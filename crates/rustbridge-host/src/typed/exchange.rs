//! Streams of values that a client sends.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_sink::Sink;
use rustbridge_core::{Answer, Error, Pending, Sender};
use rustbridge_wire::{Encode, to_vec};

use super::method::Method;

/// An item as it's sent.
pub(super) fn written<I: Encode>(
    method: &Method,
    position: usize,
    item: &I,
) -> Result<Vec<u8>, Error> {
    to_vec(item).map_err(|problem| method.unfit(&format!("items[{position}]"), &problem))
}

/// An iterator as a stream whose items are always there.
pub(super) struct Source<I>(I);

impl<I> Source<I> {
    pub(super) fn new(items: I) -> Source<I> {
        Source(items)
    }
}

// Nothing of it is pinned.
impl<I> Unpin for Source<I> {}

impl<I: Iterator> Stream for Source<I> {
    type Item = I::Item;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<I::Item>> {
        Poll::Ready(self.get_mut().0.next())
    }
}

/// Where values go as they come from their source, as fast as the plugin takes them.
pub(super) struct ItemForwarder {
    method: Method,
    /// None once there's nothing to be sent any more.
    sender: Option<Sender>,
    position: usize,
}

impl ItemForwarder {
    pub(super) fn new(method: Method, sender: Sender) -> ItemForwarder {
        ItemForwarder {
            method,
            sender: Some(sender),
            position: 0,
        }
    }

    /// Sends what is there and may be sent. Ready once no more will be.
    ///
    /// # Errors
    /// If an item can't be sent.
    pub(super) fn poll<I: Encode>(
        &mut self,
        mut items: Pin<&mut (impl Stream<Item = I> + ?Sized)>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Error>> {
        while let Some(sender) = &mut self.sender {
            let mut sender = Pin::new(sender);
            match Sink::<Vec<u8>>::poll_ready(sender.as_mut(), context) {
                Poll::Ready(Ok(())) => {}
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(_)) => {
                    // It takes no more, and its answer says why.
                    self.sender = None;
                    break;
                }
            }
            match items.as_mut().poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(item)) => match written(&self.method, self.position, &item) {
                    Ok(item) => {
                        self.position += 1;
                        if Sink::start_send(sender, item).is_err() {
                            self.sender = None;
                        }
                    }
                    Err(error) => {
                        // Dropped, it says that not all was sent.
                        self.sender = None;
                        return Poll::Ready(Err(error));
                    }
                },
                Poll::Ready(None) => {
                    if let Some(sender) = self.sender.take() {
                        sender.finish();
                    }
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Sends values, and gives the call's answer, which may come before they are all sent.
pub(super) async fn send<I: Encode>(
    method: Method,
    sender: Sender,
    items: impl Stream<Item = I>,
    pending: Pending<Answer>,
) -> Result<Answer, Error> {
    let mut items = pin!(items);
    let mut pending = pin!(pending);
    let mut sending = ItemForwarder::new(method, sender);
    poll_fn(|context| {
        if let Poll::Ready(Err(error)) = sending.poll(items.as_mut(), context) {
            return Poll::Ready(Err(error));
        }
        pending.as_mut().poll(context)
    })
    .await
}
