//! An object of a plugin's, as a host in Rust owns it.

use std::fmt;
use std::mem::ManuallyDrop;

use crate::call::objects::release_object;

/// An object of a plugin. Dropping it releases it, and the plugin drops it when no call borrows it.
///
/// [`With::object`](crate::With::object) lends it to a call. An [`Answer`](crate::Answer) contains the returned
/// objects. Any thread may use it, for any number of calls at once. It ends with its instance, and doesn't keep the
/// instance open.
pub struct Object {
    number: u64,
}

impl Object {
    /// Creates an object from a number that came with a response, and releases it once.
    ///
    /// Any number is harmless: if it isn't an object's number, calls refuse it.
    #[must_use]
    pub fn from_number(number: u64) -> Object {
        Object { number }
    }

    /// Returns its number in [`handles`](crate::handles).
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns its number, and gives up ownership. Release it by its number.
    #[must_use]
    pub fn into_number(self) -> u64 {
        ManuallyDrop::new(self).number
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // Gone already with its instance, perhaps, and nobody is left to tell.
        let _ = release_object(self.number);
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({:#x})", self.number)
    }
}
