//! What is left of an operation that is over, when its node becomes another one's.

use std::{mem, ptr};

use super::borrowed::BorrowedObjects;
use super::call_state::{CallState, Delivery, Outcome, Stage, Task};
use super::flow::{Credit, QueuedItems};
use super::headers::Headers;
use super::node::Recycle;
use super::timer::TimerHandle;

/// What an operation that is over has left behind of others': a waker is the host's, and an answer's memory the plugin's. Few do.
pub(crate) struct Remains {
    _lent: BorrowedObjects,
    _outcome: Option<Outcome>,
    _delivery: Delivery,
    _waiting: QueuedItems,
    /// Taken back with a lock of its own.
    _timer: Option<TimerHandle>,
}

impl Recycle for CallState {
    type Remains = Option<Box<Remains>>;

    /// Makes it that of no operation, and gives what is others' in it, to be dropped without the lock.
    ///
    /// Field by field, since the whole is more than half a kilobyte, of which most operations have used little.
    fn clear(&mut self) -> Option<Box<Remains>> {
        let CallState {
            instance,
            entry,
            user_data,
            deadline,
            host_number,
            plugin,
            resolving,
            task,
            lent,
            stage,
            task_state,
            inside,
            cancel,
            cancel_told,
            outcome,
            completing,
            completed,
            delivery,
            told,
            linked,
            telling,
            gives,
            takes,
            credit,
            waiting,
            more,
            demanding,
            headers,
            wanted,
            wanted_news,
            pushing,
            pushed_end,
            wake,
            waking,
            timer,
        } = self;
        (*instance, *entry, *user_data, *host_number) = (0, 0, 0, 0);
        (*deadline, *plugin, *task) = (None, None, ptr::null_mut());
        *resolving = None;
        (*stage, *task_state, *inside) = (Stage::Begun, Task::Ours, 0);
        (*cancel, *cancel_told) = (None, false);
        (*completing, *completed) = (false, false);
        (*told, *linked, *telling) = (false, false, false);
        (*gives, *takes) = (false, false);
        (*credit, *more, *demanding) = (Credit::default(), (0, 0), false);
        *headers = Headers::Unwanted;
        (*wanted, *wanted_news) = (Credit::default(), false);
        (*pushing, *pushed_end) = (false, false);
        (*wake, *waking) = (None, None);
        let is_anything_left = lent.len() != 0
            || outcome.is_some()
            || timer.is_some()
            || !waiting.is_untouched()
            || delivery.is_waited_for();
        let remains = is_anything_left.then(|| {
            Box::new(Remains {
                _lent: mem::replace(lent, BorrowedObjects::none()),
                _outcome: outcome.take(),
                _delivery: mem::replace(delivery, Delivery::Nobody),
                _waiting: mem::take(waiting),
                _timer: timer.take(),
            })
        });
        *delivery = Delivery::Nobody;
        remains
    }
}
