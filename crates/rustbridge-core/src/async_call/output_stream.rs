//! The output stream of a call: items from the plugin to the caller, and the metadata before them.

use super::flow::{Credit, Items, QueuedItems};
use super::headers::Headers;
use super::message_resolution::Debt;

/// The output stream of a call. A call without one has only headers here.
#[derive(Default)]
pub(super) struct OutputStream {
    /// Whether the method returns a stream.
    pub(super) exists: bool,
    /// What the caller accepts, and the plugin may still send.
    credit: Credit,
    debt: Debt,
    /// Items that the caller hasn't received yet.
    pub(super) queued: QueuedItems,
    /// The demand (items, bytes) that the plugin hasn't been told about.
    demand: (u64, u64),
    /// Whether the plugin's `demand` runs: one at a time.
    pub(super) is_demanding: bool,
    pub(super) headers: Headers,
}

impl OutputStream {
    /// Opens the stream with an initial demand.
    pub(super) fn open(&mut self, items: u64, bytes: u64) {
        self.exists = true;
        self.add_credit(items, bytes);
    }

    /// Adds demand of the caller, counted in the bytes of the caller's types.
    pub(super) fn add_demand(&mut self, items: u64, bytes: u64) {
        let bytes = self.debt.pay(bytes);
        self.add_credit(items, bytes);
    }

    fn add_credit(&mut self, items: u64, bytes: u64) {
        self.credit.add(items, bytes);
        self.demand.0 = self.demand.0.saturating_add(items);
        self.demand.1 = self.demand.1.saturating_add(bytes);
    }

    /// The demand for the plugin's `demand`, unless that runs already.
    pub(super) fn next_demand(&mut self) -> Option<(u64, u64)> {
        if self.demand == (0, 0) || self.is_demanding {
            return None;
        }
        self.is_demanding = true;
        Some(std::mem::take(&mut self.demand))
    }

    /// Whether the plugin may send these items.
    pub(super) fn accepts(&self, sent: &Items<'_>) -> bool {
        let mut credit = self.credit;
        credit.spend(sent)
    }

    /// Queues items if the credit suffices. `sent` are the items as the plugin sent them, before schema resolution.
    pub(super) fn push(&mut self, items: &Items<'_>, sent: &Items<'_>) -> bool {
        let mut credit = self.credit;
        if !credit.spend(sent) || !self.queued.add(items) {
            return false;
        }
        self.headers.seal();
        self.credit = credit;
        let saved = self.debt.converted(sent.len(), items.len());
        if saved != 0 {
            self.add_credit(0, saved);
        }
        true
    }

    /// Resets everything that needs no drop; the queued items are left.
    pub(super) fn reset(&mut self) {
        let OutputStream {
            exists,
            credit,
            debt,
            queued: _,
            demand,
            is_demanding,
            headers,
        } = self;
        (*exists, *is_demanding) = (false, false);
        (*credit, *debt, *demand) = (Credit::default(), Debt::default(), (0, 0));
        *headers = Headers::Unwanted;
    }
}
