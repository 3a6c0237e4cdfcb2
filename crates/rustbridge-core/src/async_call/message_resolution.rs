//! Operations of clients whose types aren't the plugin's: their items and answers in the other side's words, and their credit in its bytes.

use rustbridge_abi::{Batch, RB_BATCH_ENDS, StatusCode};

use super::flow::Items;
use super::payload::Payload;
use crate::error::Error;
use crate::library::resolved_method::ResolvedMethod;

/// What becomes of an operation's messages.
pub(crate) struct MessageResolution {
    pub(super) by: &'static ResolvedMethod,
    /// Of items that the plugin gives.
    pub(super) given: Debt,
    /// Of items that it takes.
    pub(super) taken: Debt,
}

impl MessageResolution {
    pub(super) fn by(resolved: &'static ResolvedMethod) -> MessageResolution {
        MessageResolution {
            by: resolved,
            given: Debt::default(),
            taken: Debt::default(),
        }
    }
}

/// By how many bytes who sends has more left to send than who asked for items knows: both count in their own words.
///
/// Without it one of them would wait for the other in the end. What is more than was asked for is taken off what is asked for next.
#[derive(Default)]
pub(super) struct Debt(u64);

impl Debt {
    /// Items went that were so long where they came from, and are so long where they went. Gives how many bytes more may be sent.
    pub(super) fn went(&mut self, sent: usize, got: usize) -> u64 {
        self.0 = self.0.saturating_add(got.saturating_sub(sent) as u64);
        let more = sent.saturating_sub(got) as u64;
        self.ask(more)
    }

    /// So many bytes more are asked for. Gives how many of them may be sent.
    pub(super) fn ask(&mut self, bytes: u64) -> u64 {
        let paid = self.0.min(bytes);
        self.0 -= paid;
        bytes - paid
    }
}

/// Items in the other side's words.
pub(super) struct ConvertedBatch {
    count: usize,
    /// Behind the items, where each ends.
    bytes: Vec<u8>,
}

impl ConvertedBatch {
    /// Items that a client sends; `None` if they go as they are.
    pub(super) fn taken(
        by: &ResolvedMethod,
        items: &Items<'_>,
    ) -> Result<Option<ConvertedBatch>, Error> {
        if by.keeps_items(true) {
            return Ok(None);
        }
        ConvertedBatch::new(items, |item| by.item_in(item))
    }

    /// Items that a plugin gives; `None` if they go as they are.
    pub(super) fn given(
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

    /// How many bytes the items have together.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.count * 4
    }

    pub(super) fn items<'a>(&'a self, objects: &'a [u64]) -> Items<'a> {
        let (bytes, ends) = self.bytes.split_at(self.len());
        Items::of_parts(self.count, bytes, ends, objects)
    }

    /// For a plugin, as long as this isn't moved or dropped. They have no objects.
    pub(super) fn batch(&self) -> Batch {
        Batch {
            flags: RB_BATCH_ENDS,
            data: self.bytes.as_ptr(),
            len: self.bytes.len(),
            // As many as there were.
            count: self.count as u32,
            ..Batch::EMPTY
        }
    }
}

/// Puts what an operation ended with into the client's words. The error is what is answered in its place.
pub(super) fn answer(
    by: &ResolvedMethod,
    status: StatusCode,
    payload: &mut Payload,
) -> Result<(), Error> {
    if let Some(bytes) = by.answer(status, payload.bytes())? {
        *payload = Payload::of_vec(bytes);
    }
    Ok(())
}
