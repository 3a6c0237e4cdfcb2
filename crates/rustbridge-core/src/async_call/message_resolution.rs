//! Schema resolution of asynchronous calls: items and responses converted between the client's types and the plugin's, and credit
//! between their sizes in bytes.

use rustbridge_abi::{Batch, RB_BATCH_ENDS, StatusCode};

use super::flow::Items;
use super::payload::Payload;
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;

/// By how many bytes the sender's credit exceeds what the receiver knows of, because both count bytes of their own types.
///
/// Without it, each side would end up waiting for the other. Surplus credit is deducted from the next demand.
#[derive(Clone, Copy, Default)]
pub(super) struct Debt(u64);

impl Debt {
    /// Accounts for items whose length was changed by a conversion. Returns how many bytes may be sent in addition.
    pub(super) fn converted(&mut self, sent: usize, received: usize) -> u64 {
        self.0 = self.0.saturating_add(received.saturating_sub(sent) as u64);
        self.pay(sent.saturating_sub(received) as u64)
    }

    /// Deducts the debt from a demand in bytes, and returns the rest.
    pub(super) fn pay(&mut self, bytes: u64) -> u64 {
        let paid = self.0.min(bytes);
        self.0 -= paid;
        bytes - paid
    }
}

/// A batch of items in the types of the side that receives them.
pub(super) struct ConvertedBatch {
    count: usize,
    /// The items, followed by the end of each.
    bytes: Vec<u8>,
}

impl ConvertedBatch {
    /// Converts items that a client sends. Returns `None` if they need no conversion.
    pub(super) fn of_client(
        by: &ResolvedMethod,
        items: &Items<'_>,
    ) -> Result<Option<ConvertedBatch>, Error> {
        if by.keeps_items(true) {
            return Ok(None);
        }
        ConvertedBatch::new(items, |item| by.item_in(item))
    }

    /// Converts items that a plugin sends. Returns `None` if they need no conversion.
    pub(super) fn of_plugin(
        by: &ResolvedMethod,
        items: &Items<'_>,
    ) -> Result<Option<ConvertedBatch>, Error> {
        if by.keeps_items(false) {
            return Ok(None);
        }
        ConvertedBatch::new(items, |item| by.item_out(item))
    }

    fn new(
        items: &Items<'_>,
        resolve: impl Fn(&[u8]) -> Result<Option<Vec<u8>>, Error>,
    ) -> Result<Option<ConvertedBatch>, Error> {
        let mut bytes = Vec::new();
        let mut ends = Vec::new();
        for item in items.iter() {
            match resolve(item)? {
                Some(item) => bytes.extend_from_slice(&item),
                None => bytes.extend_from_slice(item),
            }
            let end = u32::try_from(bytes.len()).map_err(|_| {
                Error::new(
                    rustbridge_abi::Status::ResourceExhausted,
                    "TooLarge",
                    "the items take more than 4 GiB after schema resolution: send fewer at once",
                )
            })?;
            ends.extend_from_slice(&end.to_ne_bytes());
        }
        bytes.append(&mut ends);
        Ok(Some(ConvertedBatch {
            count: items.count,
            bytes,
        }))
    }

    /// The total size of the items in bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.count * 4
    }

    pub(super) fn items<'a>(&'a self, objects: &'a [u64]) -> Items<'a> {
        let (bytes, ends) = self.bytes.split_at(self.len());
        Items::of_parts(self.count, bytes, ends, objects)
    }

    /// The batch for a plugin, valid until this is moved or dropped. It has no objects.
    pub(super) fn batch(&self) -> Batch {
        Batch {
            flags: RB_BATCH_ENDS,
            data: self.bytes.as_ptr(),
            len: self.bytes.len(),
            // As in the batch that was converted.
            count: self.count as u32,
            ..Batch::EMPTY
        }
    }
}

/// Converts a response to the client's types. On an error, that replaces the response.
pub(super) fn convert_response(
    by: &ResolvedMethod,
    status: StatusCode,
    payload: &mut Payload,
) -> Result<(), Error> {
    if let Some(bytes) = by.answer(status, payload.bytes())? {
        *payload = Payload::of_vec(bytes);
    }
    Ok(())
}
