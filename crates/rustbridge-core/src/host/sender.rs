//! Items that a host sends to a plugin.

use std::future::poll_fn;
use std::pin::Pin;
use std::ptr;
use std::task::{Context, Poll};
use std::time::Duration;

use bytemuck::Pod;
use futures_sink::Sink;
use rustbridge_abi::{Batch, Op, RB_CANCELLED, RB_OK, Status, StatusCode};

use super::park;
use crate::async_call::caller;
use crate::async_call::flow::Credit;
use crate::error::Error;
use crate::state::Deadline;

/// Sends items into a call. See [`Method::send`](crate::Method::send) and
/// [`Method::exchange`](crate::Method::exchange).
///
/// Sending waits until the plugin accepts more items. If it's dropped before [`finish`](Sender::finish), the stream
/// ends with `CANCELLED`, so that an incomplete stream isn't taken for a complete one. It's also a [`Sink`] for any
/// type that is bytes.
///
/// ```
/// # mod later { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/later.rs")); }
/// use rustbridge_core::{Encoding, Error, Load, Plugin};
///
/// async fn sum(plugin: &Plugin) -> Result<u64, Error> {
///     let (mut sender, answer) = plugin.method("sum", Encoding::Raw)?.send(b"");
///     for number in [1, 2, 3] {
///         sender.send([number]).await?;
///     }
///     sender.finish();
///     answer.await?.json()
/// }
/// # use std::future::Future;
/// # // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// # let plugin = unsafe { Load::linked(later::entry_point, "later") }.open()?;
/// # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// # assert!(matches!(std::pin::pin!(sum(&plugin)).poll(&mut context), std::task::Poll::Ready(Ok(6))));
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "dropping it ends the stream as one that isn't whole"]
pub struct Sender {
    /// 0 once there's nothing to send to.
    op: Op,
    /// What may be sent of what the plugin has asked for. It only ever asks for more, so this is never too much.
    credit: Credit,
}

impl Sender {
    pub(super) fn new(op: Op) -> Sender {
        Sender {
            op,
            credit: Credit::default(),
        }
    }

    /// Sends an item as soon as the plugin accepts one.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION`: the call has ended; its response reports the result. `CANCELLED`, or another status: the
    /// call is about to be cancelled.
    pub async fn send(&mut self, item: impl AsRef<[u8]>) -> Result<(), Error> {
        poll_fn(|context| self.look(context)).await?;
        self.write(item.as_ref(), 1)
    }

    /// Sends plain structs, as many at once as the plugin accepts.
    ///
    /// # Errors
    /// As for [`send`](Sender::send).
    pub async fn send_pods<T: Pod>(&mut self, mut items: &[T]) -> Result<(), Error> {
        while !items.is_empty() {
            poll_fn(|context| self.look(context)).await?;
            let (now, later) = items.split_at(self.room(size_of::<T>()).min(items.len()));
            self.write(bytemuck::cast_slice(now), now.len() as u32)?;
            items = later;
        }
        Ok(())
    }

    /// Sends an item like [`send`](Sender::send), for a thread without an executor. The thread is parked until the
    /// plugin accepts the item.
    ///
    /// # Errors
    /// As for [`send`](Sender::send).
    pub fn send_wait(&mut self, item: impl AsRef<[u8]>) -> Result<(), Error> {
        park::wait(Deadline::after(Duration::MAX), |context| self.look(context))
            .unwrap_or_else(|| Err(over()))?;
        self.write(item.as_ref(), 1)
    }

    /// Ends the stream as complete. The call's response reports the result, even if it has arrived already.
    pub fn finish(mut self) {
        self.end(RB_OK, b"");
    }

    /// Ends the stream as incomplete, with an error.
    pub fn fail(mut self, status: Status, message: &str) {
        let status = if status == Status::Ok {
            Status::Unknown
        } else {
            status
        };
        self.end_with(status, message);
    }

    fn end_with(&mut self, status: Status, message: &str) {
        let payload = serde_json::json!({ "message": message }).to_string();
        self.end(status.code(), payload.as_bytes());
    }

    fn end(&mut self, status: StatusCode, payload: &[u8]) {
        let op = std::mem::take(&mut self.op);
        // One that has ended doesn't ask how.
        let _ = caller::end_sending(op, status, payload);
    }

    /// How many items of a size may be sent: as long as bytes are left, so the last may go beyond them.
    fn room(&self, size: usize) -> usize {
        let bytes = u64::try_from(self.credit.bytes).unwrap_or(0);
        let by_bytes = bytes.div_ceil(size.max(1) as u64);
        usize::try_from(
            self.credit
                .items
                .min(by_bytes)
                .clamp(1, u64::from(u32::MAX)),
        )
        .unwrap_or(1)
    }

    fn look(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        if self.op == 0 {
            return Poll::Ready(Err(over()));
        }
        if self.credit.items > 0 && self.credit.bytes > 0 {
            return Poll::Ready(Ok(()));
        }
        match caller::poll_demand(self.op, context.waker()) {
            Ok(None) => Poll::Pending,
            Ok(Some(credit)) => {
                self.credit = credit;
                Poll::Ready(Ok(()))
            }
            Err(error) => Poll::Ready(Err(ended(error))),
        }
    }

    fn write(&mut self, bytes: &[u8], count: u32) -> Result<(), Error> {
        let batch = Batch {
            data: if bytes.is_empty() {
                ptr::null()
            } else {
                bytes.as_ptr()
            },
            len: bytes.len(),
            count,
            ..Batch::EMPTY
        };
        // SAFETY: the bytes are borrowed until it returns.
        unsafe { caller::write(self.op, &batch) }.map_err(ended)?;
        self.credit.items = self.credit.items.saturating_sub(count.into());
        self.credit.bytes = self
            .credit
            .bytes
            .saturating_sub_unsigned(bytes.len() as u64);
        Ok(())
    }
}

/// What is over and forgotten is over to one who sends.
fn ended(error: Error) -> Error {
    if error.status() == Status::NotFound {
        over()
    } else {
        error
    }
}

#[cold]
fn over() -> Error {
    Error::new(
        Status::FailedPrecondition,
        "CallOver",
        "the call has completed and accepts no more items: its result has the status",
    )
}

impl Drop for Sender {
    fn drop(&mut self) {
        if self.op != 0 {
            let (code, message) = (
                RB_CANCELLED,
                "the sender was dropped before it was finished",
            );
            self.end_with(Status::from_code(code), message);
        }
    }
}

impl<T: AsRef<[u8]>> Sink<T> for Sender {
    type Error = Error;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.get_mut().look(context)
    }

    fn start_send(self: Pin<&mut Self>, item: T) -> Result<(), Error> {
        self.get_mut().write(item.as_ref(), 1)
    }

    /// Nothing is kept back.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    /// As [`Sender::finish`].
    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.get_mut().end(RB_OK, b"");
        Poll::Ready(Ok(()))
    }
}
