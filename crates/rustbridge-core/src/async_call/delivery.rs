//! Where the events of an asynchronous call go.

use std::ffi::c_void;
use std::task::Waker;

use super::event::Event;
use super::queue::Queue;
use crate::registry::table::Handle;

/// Where a call's events go.
#[derive(Default)]
pub(crate) enum Delivery {
    /// Nowhere: the call is synchronous, or its caller has abandoned it.
    #[default]
    Discard,
    /// To a completion queue.
    Queue {
        queue: &'static Queue,
        /// Distinguishes the queue from earlier ones that used the same memory.
        number: u64,
        /// Whether the queue contains the call's ID. It's there once, no matter how many events there are.
        is_listed: bool,
    },
    /// To tasks of a host in Rust, which poll the call.
    Tasks(Wakers),
    /// To a function, on the thread on which the event happens.
    Callback {
        callback: Callback,
        /// Whether it runs: it receives one event at a time, in order.
        is_running: bool,
    },
}

impl Delivery {
    pub(crate) fn to_queue(queue: &'static Queue, number: u64) -> Delivery {
        Delivery::Queue {
            queue,
            number,
            is_listed: false,
        }
    }

    pub(crate) fn to_callback(callback: Callback) -> Delivery {
        Delivery::Callback {
            callback,
            is_running: false,
        }
    }

    pub(super) fn is_discard(&self) -> bool {
        matches!(self, Delivery::Discard)
    }

    /// Whether it holds a waker, which is the host's to drop.
    pub(super) fn has_waker(&self) -> bool {
        matches!(self, Delivery::Tasks(Wakers { receiver, sender }) if receiver.is_some() || sender.is_some())
    }

    /// Whether a poller of this queue may take the call's events.
    pub(super) fn is_listed_in(&self, queue: u64) -> bool {
        matches!(self, Delivery::Queue { number, is_listed: true, .. } if *number == queue)
    }
}

/// The tasks that wait for a call.
#[derive(Default)]
pub(crate) struct Wakers {
    /// Waits for items and the result.
    pub(super) receiver: Option<Waker>,
    /// Waits until the plugin accepts items.
    pub(super) sender: Option<Waker>,
}

/// A function that receives a call's events.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    pub(crate) function: unsafe fn(data: [*mut c_void; 2], event: Event),
    pub(crate) data: [*mut c_void; 2],
    /// Runs something with the thread marked as inside an instance.
    pub(crate) within: fn(instance: Handle, entry: u32, work: &mut dyn FnMut()),
}

// SAFETY: the host that registers a callback promises that it may run on any thread.
unsafe impl Send for Callback {}
