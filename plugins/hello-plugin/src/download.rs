//! A download that isn't one: a stream that waits between its items.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustbridge::prelude::*;
use tokio::time::{Sleep, sleep};

/// What to download, and how fast.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct DownloadRequest {
    /// How many bytes there are in all.
    pub size: u64,
    /// How many come at a time.
    pub chunk: u64,
    /// How long each takes, in milliseconds.
    pub pause_ms: u64,
}

/// How far a download is.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// How many bytes have come so far.
    pub received: u64,
    /// How many there are in all.
    pub size: u64,
}

struct Download {
    request: DownloadRequest,
    received: u64,
    timer: Pin<Box<Sleep>>,
}

/// Begins one. It's dropped as soon as the host cancels it, wherever it is.
pub(crate) fn start(request: DownloadRequest) -> Result<impl Stream<Item = Result<Chunk>>> {
    if request.chunk == 0 {
        return Err(Error::invalid_argument(
            "a chunk of 0 bytes would never get there; make it 1 or more",
        ));
    }
    Ok(Download {
        timer: pause(&request),
        request,
        received: 0,
    })
}

fn pause(request: &DownloadRequest) -> Pin<Box<Sleep>> {
    Box::pin(sleep(Duration::from_millis(request.pause_ms)))
}

impl Stream for Download {
    type Item = Result<Chunk>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let size = self.request.size;
        if self.received == size {
            return Poll::Ready(None);
        }
        ready!(self.timer.as_mut().poll(context));
        self.received = size.min(self.received.saturating_add(self.request.chunk));
        self.timer = pause(&self.request);
        Poll::Ready(Some(Ok(Chunk {
            received: self.received,
            size,
        })))
    }
}
