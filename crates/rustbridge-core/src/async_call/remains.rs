//! Resetting the state of a call whose node is used for the next one.

use std::mem;

use super::borrowed::BorrowedObjects;
use super::call_state::{CallInfo, CallState, Completion, Task};
use super::cancellation::Cancellation;
use super::delivery::Delivery;
use super::flow::QueuedItems;
use super::input_stream::InputStream;
use super::node::Recycle;
use super::timer::TimerHandle;

/// What a call has left behind that has to be dropped without the lock: a waker belongs to the host, and a response's memory to the
/// plugin. Few calls leave anything.
pub(crate) struct Remains {
    _borrowed: BorrowedObjects,
    _completion: Completion,
    _delivery: Delivery,
    _items: QueuedItems,
    /// Cancelling a timer takes a lock of its own.
    _timer: Option<TimerHandle>,
}

impl Recycle for CallState {
    type Remains = Option<Box<Remains>>;

    /// Resets the fields one by one, because the whole has more than half a kilobyte, of which most calls use little.
    fn clear(&mut self) -> Option<Box<Remains>> {
        let CallState {
            info,
            task,
            completion,
            active,
            cancellation,
            delivery,
            output,
            input,
            borrowed,
            timer,
        } = self;
        *info = CallInfo::default();
        (*task, *active) = (Task::Starting, 0);
        (*cancellation, *input) = (Cancellation::default(), InputStream::default());
        output.reset();
        let is_anything_left = borrowed.len() != 0
            || matches!(completion, Completion::Ready(_))
            || timer.is_some()
            || !output.queued.is_untouched()
            || delivery.has_waker();
        let remains = is_anything_left.then(|| {
            Box::new(Remains {
                _borrowed: mem::take(borrowed),
                _completion: mem::take(completion),
                _delivery: mem::take(delivery),
                _items: mem::take(&mut output.queued),
                _timer: timer.take(),
            })
        });
        *completion = Completion::Open;
        *delivery = Delivery::Discard;
        remains
    }
}
