//! Streams that wait: for the time, and for what they're sent.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustbridge::prelude::*;

use crate::messages::{Number, Range};
use crate::waiting::Watched;

/// Numbers, each a moment after the other.
pub(crate) struct Ticks {
    range: Range,
    timer: Pin<Box<tokio::time::Sleep>>,
    _watched: Watched,
}

impl Ticks {
    pub(crate) fn new(range: Range, watched: Watched) -> Ticks {
        Ticks {
            range,
            timer: a_moment(),
            _watched: watched,
        }
    }
}

fn a_moment() -> Pin<Box<tokio::time::Sleep>> {
    Box::pin(tokio::time::sleep(Duration::from_millis(1)))
}

impl Stream for Ticks {
    type Item = Result<u64>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        ready!(self.timer.as_mut().poll(context));
        let number = self.range.from;
        if number >= self.range.to {
            return Poll::Ready(None);
        }
        self.range.from += 1;
        self.timer = a_moment();
        assert!(self.range.panic_at != Some(number), "boom at {number}");
        Poll::Ready(Some(if self.range.fail_at == Some(number) {
            Err(Error::new(Status::DataLoss, format!("broken at {number}")))
        } else {
            Ok(number)
        }))
    }
}

/// The double of what comes in.
pub(crate) struct Doubled(pub(crate) Items<Number>);

impl Stream for Doubled {
    type Item = Result<Number>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let doubled = |item: Number| Number {
            value: item.value * 2,
        };
        Pin::new(&mut self.0)
            .poll_next(context)
            .map(|item| item.map(|item| item.map(doubled)))
    }
}
