//! What a call is begun with, and where its events go.

use std::ffi::c_void;
use std::marker::PhantomData;

use rustbridge_abi::CallContext;

use super::inside::marked;
use crate::async_call::delivery::{self, Delivery, Wakers};
use crate::async_call::event::Event;
use crate::async_call::queue::Queue;
use crate::async_call::queue_table;
use crate::error::Error;
use crate::registry::table::Handle;

/// Where the events of an operation go.
#[derive(Clone, Copy)]
pub(crate) enum To {
    Queue(&'static Queue, u64),
    /// A task of a host in Rust, by a waker that it sets when it first looks.
    Task,
    Function(Callback),
}

impl To {
    /// A queue by its number.
    pub(crate) fn queue(number: u64) -> Result<To, Error> {
        Ok(To::Queue(queue_table::find_queue(number)?, number))
    }

    pub(super) fn delivery(self) -> Delivery {
        match self {
            To::Queue(queue, number) => Delivery::to_queue(queue, number),
            To::Task => Delivery::Tasks(Wakers::default()),
            To::Function(Callback { tell, data }) => Delivery::to_callback(delivery::Callback {
                function: tell,
                data,
                within: marked,
            }),
        }
    }
}

/// A function that is told of an operation's events, one at a time, on whatever thread they happen. Meanwhile that thread counts
/// as inside a call of the instance.
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    pub(crate) tell: unsafe fn(data: [*mut c_void; 2], event: Event),
    pub(crate) data: [*mut c_void; 2],
}

/// What of a call doesn't run on the thread that begins it. A leaf method always does: it's over before a thread could be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offload {
    /// A plain method runs where it's begun, and so does what others do first.
    #[default]
    Nothing,
    /// A plain method runs on another thread; what an asynchronous one does before it waits runs here.
    Plain,
    /// None of the method runs here, whichever kind it is of.
    Everything,
}

/// A call to be begun.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The instance.
    pub handle: Handle,
    /// What preparing gave.
    pub entry: u32,
    /// What the call carries besides, or null.
    pub header: *const CallContext,
    /// The request.
    pub request: *const u8,
    /// Its length.
    pub request_len: usize,
    /// What its events say.
    pub user_data: u64,
    /// Of a stream: how many items, and bytes, are taken at first.
    pub demand: (u64, u64),
    /// What runs on another thread than this one.
    pub offload: Offload,
    /// What is borrowed.
    pub(crate) borrowed: PhantomData<&'a [u8]>,
}
