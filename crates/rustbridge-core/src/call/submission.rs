//! What an asynchronous call is submitted with, and where its events go.

use std::ffi::c_void;
use std::marker::PhantomData;

use rustbridge_abi::{AsyncExtension, CallContext};

use super::inside::marked;
use super::with::AdmittedCall;
use crate::async_call::call_state::CallInfo;
use crate::async_call::delivery::{self, Delivery, Wakers};
use crate::async_call::event::Event;
use crate::async_call::queue::Queue;
use crate::async_call::queue_table;
use crate::error::Error;
use crate::registry::table::Handle;

/// Where a call's events go.
#[derive(Clone, Copy)]
pub(crate) enum To {
    /// To a queue, with its number.
    Queue(&'static Queue, u64),
    /// To a task of a host in Rust, whose waker is registered when it first polls.
    Task,
    Function(Callback),
}

impl To {
    /// To the queue with this number.
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

/// A function that receives a call's events, one at a time, on the threads on which they happen. Meanwhile that thread counts as
/// inside a call of the instance.
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    pub(crate) tell: unsafe fn(data: [*mut c_void; 2], event: Event),
    pub(crate) data: [*mut c_void; 2],
}

/// Which part of a call doesn't run on the submitting thread. A leaf method always runs there: it returns before another thread could
/// start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offload {
    /// A synchronous method runs on the submitting thread, and so does an asynchronous one until it first waits.
    #[default]
    Nothing,
    /// A synchronous method runs on another thread. An asynchronous one runs on the submitting thread until it first waits.
    Plain,
    /// Nothing of the method runs on the submitting thread.
    Everything,
}

/// A call to be submitted.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The instance.
    pub handle: Handle,
    /// The entry of the prepared method.
    pub entry: u32,
    /// The call context, or null.
    pub header: *const CallContext,
    /// The request.
    pub request: *const u8,
    /// The request's length.
    pub request_len: usize,
    /// Returned in the call's events.
    pub user_data: u64,
    /// Of a stream: the initial demand, in items and bytes.
    pub demand: (u64, u64),
    /// What doesn't run on the submitting thread.
    pub offload: Offload,
    /// The request and the call context are borrowed.
    pub(crate) borrowed: PhantomData<&'a [u8]>,
}

impl Submission<'_> {
    /// What doesn't change during the call. `plugin` runs it, unless the core does.
    pub(super) fn info(
        &self,
        call: &AdmittedCall<'_>,
        plugin: Option<&'static AsyncExtension>,
    ) -> CallInfo {
        CallInfo {
            instance: self.handle,
            entry: self.entry,
            user_data: self.user_data,
            deadline: call.deadline(),
            host_number: call.host_number(),
            plugin,
            resolved: call.resolved,
        }
    }
}
