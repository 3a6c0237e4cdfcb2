//! The input stream of a call: items from the caller to the plugin.

use rustbridge_abi::{Op, Status};

use super::flow::{Credit, Items};
use super::message_resolution::Debt;
use crate::error::Error;

/// The input stream of a call. The plugin queues its items itself, so none are kept here.
#[derive(Default)]
pub(super) struct InputStream {
    /// Whether the method accepts a stream.
    pub(super) exists: bool,
    /// What the plugin accepts, and the caller may still send.
    pub(super) credit: Credit,
    debt: Debt,
    /// Whether the caller hasn't been told about the credit yet.
    pub(super) has_news: bool,
    /// Whether a thread sends: one at a time.
    pub(super) is_sending: bool,
    /// Whether the caller has ended the stream.
    pub(super) has_ended: bool,
}

impl InputStream {
    /// Adds demand of the plugin, counted in the bytes of the plugin's types.
    pub(super) fn add_demand(&mut self, items: u64, bytes: u64) {
        let bytes = self.debt.pay(bytes);
        self.credit.add(items, bytes);
        self.has_news = true;
    }

    /// Whether the caller may send an item now.
    pub(super) fn is_open(&self) -> bool {
        self.credit.items > 0 && self.credit.bytes > 0
    }

    /// Spends the credit for items that the caller sends. If it doesn't suffice, nothing has changed.
    pub(super) fn spend(&mut self, op: Op, items: &Items<'_>) -> Result<(), Error> {
        if self.credit.spend(items) {
            return Ok(());
        }
        // The caller's last demand event may have reported the credit before its last batch. It's reported again, because the plugin
        // has no reason to demand more while there's credit.
        self.has_news |= self.is_open();
        Err(Error::new(
            Status::ResourceExhausted,
            "NoDemand",
            format!(
                "call {op:#x} accepts {} more items and {} more bytes, but the batch has {} items of {} bytes: wait for the next RB_EVENT_DEMAND",
                self.credit.items,
                self.credit.bytes.max(0),
                items.count,
                items.len(),
            ),
        ))
    }

    /// Accounts for items that have another length in the plugin's types.
    pub(super) fn account(&mut self, sent: usize, received: usize) {
        let saved = self.debt.converted(sent, received);
        if saved > 0 {
            self.credit.add(0, saved);
            self.has_news = true;
        }
    }

    /// Whether the caller may send, or end the stream.
    pub(super) fn check(&self, op: Op) -> Result<(), Error> {
        if !self.exists {
            return Err(no_stream(op, "accepts"));
        }
        if self.has_ended {
            return Err(Error::new(
                Status::FailedPrecondition,
                "StreamEnded",
                format!("the input stream of call {op:#x} has already ended"),
            ));
        }
        if self.is_sending {
            return Err(Error::new(
                Status::Aborted,
                "ConcurrentSend",
                format!(
                    "another thread is sending to call {op:#x}: send from one thread at a time"
                ),
            ));
        }
        Ok(())
    }
}

/// The error for a call without a stream in the direction that `does` names.
pub(super) fn no_stream(op: Op, does: &str) -> Error {
    Error::new(
        Status::Unimplemented,
        "NoStream",
        format!("the method of call {op:#x} {does} no stream of items"),
    )
}
