//! What is left of an operation that is over, when its node becomes another one's.

use std::{mem, ptr};

use super::borrowed::Lent;
use super::flow::{Credit, Waiting};
use super::headers::Headers;
use super::life::{Life, Outcome, Stage, Task, Teller};
use super::node::Kept;
use super::timer::Armed;

/// What an operation that is over has left behind of others': a waker is the host's, and an answer's memory the plugin's. Few do.
pub(crate) struct Remains {
    _lent: Lent,
    _outcome: Option<Outcome>,
    _teller: Teller,
    _waiting: Waiting,
    /// Taken back with a lock of its own.
    _timer: Option<Armed>,
}

impl Kept for Life {
    type Remains = Option<Box<Remains>>;

    /// Makes it that of no operation, and gives what is others' in it, to be dropped without the lock.
    ///
    /// Field by field, since the whole is more than half a kilobyte, of which most operations have used little.
    fn clear(&mut self) -> Option<Box<Remains>> {
        let Life {
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
            teller,
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
            || teller.is_waited_for();
        let remains = is_anything_left.then(|| {
            Box::new(Remains {
                _lent: mem::replace(lent, Lent::none()),
                _outcome: outcome.take(),
                _teller: mem::replace(teller, Teller::Nobody),
                _waiting: mem::take(waiting),
                _timer: timer.take(),
            })
        });
        *teller = Teller::Nobody;
        remains
    }
}
