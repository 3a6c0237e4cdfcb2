//! The credit of a stream's consumer, and the waiters for more of it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
#[cfg(feature = "async")]
use std::task::{Context, Poll};
use std::time::Instant;

use crate::contain::contained;
#[cfg(feature = "async")]
use crate::lock_wait::look_or_leave;
use crate::lock_wait::wait_until;

/// The number of items and bytes that a stream may still send. An item may be sent while both are above zero.
#[derive(Default)]
pub(crate) struct Credit {
    left: Mutex<CreditState>,
    more: Condvar,
}

#[derive(Default)]
struct CreditState {
    items: u64,
    bytes: i64,
    /// The consumer accepts nothing more.
    void: bool,
    waker: Option<Waker>,
}

/// The number of items and bytes that may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) items: u64,
    pub(crate) bytes: i64,
}

impl CreditState {
    fn room(&self) -> Option<Room> {
        let CreditState { items, bytes, .. } = *self;
        (items > 0 && bytes > 0).then_some(Room { items, bytes })
    }
}

impl Credit {
    fn lock(&self) -> MutexGuard<'_, CreditState> {
        // Nothing under it panics.
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to the credit.
    pub(crate) fn add(&self, items: u64, bytes: u64) {
        let mut left = self.lock();
        left.items = left.items.saturating_add(items);
        left.bytes = left
            .bytes
            .saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX));
        self.tell(left);
    }

    /// Ends the credit: the consumer accepts nothing more, and waiters stop waiting.
    pub(crate) fn void(&self) {
        let mut left = self.lock();
        left.void = true;
        self.tell(left);
    }

    fn tell(&self, mut left: MutexGuard<'_, CreditState>) {
        let waker = left.waker.take();
        drop(left);
        self.more.notify_all();
        if let Some(waker) = waker {
            contained(|| waker.wake());
        }
    }

    /// Subtracts sent items and bytes. Unlimited credit stays unlimited.
    pub(crate) fn spend(&self, items: u64, bytes: usize) {
        let mut left = self.lock();
        if left.items < u64::MAX {
            left.items = left.items.saturating_sub(items);
        }
        if left.bytes < i64::MAX {
            left.bytes = left
                .bytes
                .saturating_sub(i64::try_from(bytes).unwrap_or(i64::MAX));
        }
    }

    /// Returns the credit, if an item may be sent.
    pub(crate) fn now(&self) -> Option<Room> {
        self.lock().room()
    }

    /// Returns the credit as soon as an item may be sent.
    #[cfg(feature = "async")]
    pub(crate) fn poll(&self, context: &mut Context<'_>) -> Poll<Room> {
        look_or_leave(
            context.waker(),
            || self.lock(),
            |left| left.room().ok_or(&mut left.waker),
        )
        .map_or(Poll::Pending, Poll::Ready)
    }

    /// Waits until an item may be sent. Returns `None` if the consumer accepts nothing more, or the deadline passes.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> Option<Room> {
        let mut left = self.lock();
        loop {
            if left.void {
                return None;
            }
            if let Some(room) = left.room() {
                return Some(room);
            }
            left = wait_until(&self.more, left, deadline)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_item_may_go_beyond_the_bytes_and_then_none_until_they_are_paid_back() {
        let credit = Credit::default();
        assert_eq!(credit.now(), None);
        credit.add(2, 10);
        assert_eq!(
            credit.now(),
            Some(Room {
                items: 2,
                bytes: 10
            })
        );
        credit.spend(1, 25);
        assert_eq!(credit.now(), None);
        credit.add(0, 15);
        assert_eq!(credit.now(), None);
        credit.add(0, 1);
        assert_eq!(credit.now(), Some(Room { items: 1, bytes: 1 }));
    }

    #[test]
    fn no_limit_is_no_limit() {
        let credit = Credit::default();
        credit.add(u64::MAX, u64::MAX);
        credit.add(u64::MAX, u64::MAX);
        credit.spend(1 << 40, 1 << 40);
        assert_eq!(
            credit.now(),
            Some(Room {
                items: u64::MAX,
                bytes: i64::MAX
            })
        );
    }

    #[test]
    fn who_waits_hears_of_more_and_of_the_end() {
        let credit = Credit::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| credit.wait(None));
            credit.add(1, 1);
            assert_eq!(waiting.join().unwrap(), Some(Room { items: 1, bytes: 1 }));
            credit.spend(1, 1);
            let waiting = scope.spawn(|| credit.wait(None));
            credit.void();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }

    #[cfg(feature = "async")]
    #[test]
    fn a_waker_may_come_back_to_what_it_waits_for() {
        use std::sync::Arc;
        use std::task::Context;

        use crate::lock_wait::nosy;

        nosy::in_time(|| {
            let credit = Arc::new(Credit::default());
            let wakers = [(); 2].map(|()| {
                let credit = Arc::clone(&credit);
                nosy::waker(move || {
                    credit.add(0, 1);
                    assert!(
                        credit
                            .poll(&mut Context::from_waker(Waker::noop()))
                            .is_pending()
                    );
                })
            });
            for waker in wakers.iter().chain(&wakers) {
                assert!(credit.poll(&mut Context::from_waker(waker)).is_pending());
            }
            drop(wakers);
            credit.void();
        });
    }
}
