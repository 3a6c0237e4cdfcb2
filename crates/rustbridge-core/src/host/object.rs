//! An object of a plugin's, as a host in Rust owns it.

use std::fmt;
use std::mem::ManuallyDrop;

use crate::call::objects::release_object;

/// An object that a plugin has given, owned: dropping it gives it back, and the plugin drops it when it isn't lent any more.
///
/// It's lent to a call by [`With::object`](crate::With::object), and comes with an [`Answer`](crate::Answer). Any thread may
/// use it, for any number of calls at once. It ends with its instance, which it doesn't keep open.
pub struct Object {
    number: u64,
}

impl Object {
    /// Takes over a number that came with an answer, to release it once.
    ///
    /// Harmless for any number: one that isn't an object's is refused wherever it's used.
    #[must_use]
    pub fn from_number(number: u64) -> Object {
        Object { number }
    }

    /// The number that names it in [`handles`](crate::handles).
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Gives up owning it: it's to be released by its number.
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
