//! Releasing an object: on any thread, at any time, whatever its instance is doing.

use rustbridge_abi::Object;

use super::inside::inside;
use crate::async_call::objects::{self, DROPPING};
use crate::error::Error;
use crate::instance::refusal::Refusal;
use crate::instance::target::INSTANCES;
use crate::state::State;

/// Gives an object back: the plugin drops it, at once, or when it's no longer lent to a call. Once for each number that came
/// with an answer, also if two of them stand for the same thing of the plugin's.
///
/// Objects end with their instance, so those of a closed one needn't be released.
///
/// # Errors
/// * `NOT_FOUND`: it was released before, or went with its instance.
/// * `INVALID_ARGUMENT`: no such number was ever issued.
/// * `FAILED_PRECONDITION`: it lives on in the parent of this process only.
pub fn release_object(object: Object) -> Result<(), Error> {
    let refuse = |why: objects::Unusable| why.error(&format!("object {object:#x}"));
    let instance = objects::owner(object).map_err(refuse)?;
    let released = inside(instance, DROPPING, |_| {
        if let Err(why) = objects::release(object) {
            return Ok(Err(why));
        }
        // SAFETY: we are inside its instance: it isn't gone, so it's still that one.
        unsafe { objects::collect(object) };
        Ok(Ok(()))
    });
    match released {
        Ok(released) => released.map_err(refuse),
        Err(_) if INSTANCES.state(instance) == Ok(State::Forked) => {
            Err(Refusal::Forked.for_handle(instance))
        }
        // Dropped by who closes the instance, or by the call that it's lent to.
        Err(_) => objects::release(object).map_err(refuse),
    }
}
