//! The arguments and the result of a service call that have objects.
//!
//! Only methods can carry objects, services can't. So the call has a number, and the host calls a method of the plugin to receive the
//! arguments, and another one to return the result. Both are parked here, and dropped with the call.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustbridge_abi::Status;

use crate::{Error, Host, Result};

type Value = Box<dyn Any + Send>;

/// The calls with objects of one instance.
#[derive(Default)]
struct ParkedCalls {
    last: AtomicU64,
    calls: Mutex<HashMap<u64, Parked>>,
}

/// What a call has parked.
struct Parked {
    /// None if the host has received them.
    arguments: Option<Value>,
    result: Option<Value>,
}

impl ParkedCalls {
    fn of(host: &Host) -> Arc<ParkedCalls> {
        host.kept(|_: &ParkedCalls| true, ParkedCalls::default)
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<u64, Parked>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call with objects, until it's dropped.
#[must_use = "the host can ask for the arguments only while it exists"]
pub struct ParkedCall {
    calls: Arc<ParkedCalls>,
    number: u64,
}

impl ParkedCall {
    /// Parks the arguments of a call.
    pub(crate) fn new<A: Send + 'static>(host: &Host, arguments: A) -> ParkedCall {
        let calls = ParkedCalls::of(host);
        let number = calls.last.fetch_add(1, Ordering::Relaxed) + 1;
        let parked = Parked {
            arguments: Some(Box::new(arguments)),
            result: None,
        };
        calls.calls().insert(number, parked);
        ParkedCall { calls, number }
    }

    /// Returns the number by which the host refers to the call.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the result that the host has parked.
    ///
    /// # Errors
    /// If the host has parked none.
    pub fn result<R: 'static>(&self) -> Result<R> {
        let result = self
            .calls
            .calls()
            .get_mut(&self.number)
            .and_then(|it| it.result.take());
        match result.map(Value::downcast) {
            Some(Ok(result)) => Ok(*result),
            _ => Err(
                Error::internal("the host's function has returned no result")
                    .with_type("rustbridge.InvalidResponse"),
            ),
        }
    }
}

impl Drop for ParkedCall {
    fn drop(&mut self) {
        let parked = self.calls.calls().remove(&self.number);
        // Not inside the lock, because an object's destructor may run.
        drop(parked);
    }
}

impl fmt::Debug for ParkedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ParkedCall").field(&self.number).finish()
    }
}

/// Returns the arguments of a call, once.
///
/// # Errors
/// [`Status::NotFound`] if there's no such call, or its arguments were returned before.
pub fn parked_arguments<A: 'static>(host: &Host, call: u64) -> Result<A> {
    let calls = ParkedCalls::of(host);
    let mut calls = calls.calls();
    let arguments = calls.get_mut(&call).map(|parked| &mut parked.arguments);
    match arguments {
        Some(slot) if slot.as_ref().is_some_and(|it| it.is::<A>()) => slot
            .take()
            .and_then(|arguments| arguments.downcast().ok())
            .map_or_else(|| Err(no_call(call)), |arguments| Ok(*arguments)),
        _ => Err(no_call(call)),
    }
}

/// Parks the result of a call. If there's one, the last one counts.
///
/// # Errors
/// [`Status::NotFound`] if there's no such call.
pub fn park_result<R: Send + 'static>(host: &Host, call: u64, result: R) -> Result<()> {
    let calls = ParkedCalls::of(host);
    let before = {
        let mut calls = calls.calls();
        let parked = calls.get_mut(&call).ok_or_else(|| no_call(call))?;
        parked.result.replace(Box::new(result))
    };
    // Not inside the lock, because an object's destructor may run.
    drop(before);
    Ok(())
}

#[cold]
fn no_call(call: u64) -> Error {
    Error::new(
        Status::NotFound,
        format!(
            "there's no call {call} of the host: it's over, or its arguments were returned before"
        ),
    )
    .with_type("rustbridge.NoSuchCall")
}
