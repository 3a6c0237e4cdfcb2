//! The traits of objects' structs that call the plugin.

use std::cmp::Ordering;
use std::fmt;

use rustbridge_core::{Error, Status};
use rustbridge_wire::Encode;

use super::caller::{Caller, Methods};
use super::method::Method;

impl<M: Methods> Caller<M> {
    /// Writes the text that a method returns. If the call fails, it writes a text that states the error, because `to_string` panics if
    /// `fmt` returns an error.
    ///
    /// # Errors
    /// That of the formatter.
    #[doc(hidden)]
    pub fn write_text(
        &self,
        method: &Method,
        class: &str,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        match self.call_with_objects::<(), String, Error>(method, &()) {
            Ok(text) => f.pad(&text),
            Err(error) => write!(f, "<{class}: {error}>"),
        }
    }

    /// Returns whether the plugin considers two objects equal. Objects of different instances are unequal, without a call.
    ///
    /// # Errors
    /// That of the call.
    #[doc(hidden)]
    pub fn equals<Q: Encode>(
        &self,
        method: impl Fn(&M) -> &Method,
        other: (&Caller<M>, &Q),
    ) -> Result<bool, Error> {
        let (caller, object) = other;
        if self == caller {
            return Ok(true);
        }
        if !self.is_of_instance(caller, &method) {
            return Ok(false);
        }
        self.call_with_objects(method(&self.methods), object)
    }

    /// Returns the order of two objects.
    ///
    /// # Errors
    /// That of the call; `INVALID_ARGUMENT` for objects of different instances.
    #[doc(hidden)]
    pub fn compared<Q: Encode>(
        &self,
        method: impl Fn(&M) -> &Method,
        other: (&Caller<M>, &Q),
    ) -> Result<Ordering, Error> {
        let (caller, object) = other;
        if self == caller {
            return Ok(Ordering::Equal);
        }
        if !self.is_of_instance(caller, &method) {
            return Err(Error::failure(
                Status::InvalidArgument,
                "objects of different instances have no order: compare each with those of its instance",
            ));
        }
        let order: i8 = self.call_with_objects::<Q, i8, Error>(method(&self.methods), object)?;
        Ok(order.cmp(&0))
    }

    /// Two clients of one instance have different methods, so the handles of their instances are compared.
    fn is_of_instance(&self, other: &Caller<M>, method: impl Fn(&M) -> &Method) -> bool {
        let instance = |caller: &Caller<M>| method(&caller.methods).untyped.handle();
        instance(self) == instance(other)
    }
}

/// `Display` of an object's struct, by the method in the field `$kept`.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_display {
    ($class:ident, $kept:ident) => {
        /// If the call fails, the text states the error.
        impl ::core::fmt::Display for $class {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let name = ::core::stringify!($class);
                self.0.write_text(&self.0.methods.$kept, name, f)
            }
        }
    };
}
pub use __typed_display as display;

/// `Debug` of an object's struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_debug {
    ($class:ident, $kept:ident) => {
        /// If the call fails, the text states the error.
        impl ::core::fmt::Debug for $class {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let name = ::core::stringify!($class);
                self.0.write_text(&self.0.methods.$kept, name, f)
            }
        }
    };
}
pub use __typed_debug as debug;

/// `PartialEq` of an object's struct, and `Eq` if that follows.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_eq {
    ($class:ident, $kept:ident $(, $eq:ident)?) => {
        impl $class {
            /// Returns whether the plugin considers both equal. Objects of different instances are unequal.
            ///
            /// # Errors
            /// The error of the call.
            pub fn try_eq(&self, other: &Self) -> ::core::result::Result<bool, $crate::Error> {
                self.0.equals(|methods| &methods.$kept, (&other.0, other))
            }
        }

        /// If the call fails, the objects are unequal; `try_eq` returns the error.
        impl ::core::cmp::PartialEq for $class {
            fn eq(&self, other: &Self) -> bool {
                self.try_eq(other).unwrap_or(false)
            }
        }

        $(impl ::core::cmp::$eq for $class {})?
    };
}
pub use __typed_eq as eq;

/// `Hash` of an object's struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_hash {
    ($class:ident, $kept:ident) => {
        impl $class {
            /// Returns the hash that equal objects of this library have in common.
            ///
            /// # Errors
            /// The error of the call.
            pub fn try_hash(&self) -> ::core::result::Result<u64, $crate::Error> {
                self.0.call_with_objects(&self.0.methods.$kept, &())
            }
        }

        /// If the call fails, nothing is hashed, so a map doesn't find the object; `try_hash` returns the error.
        impl ::core::hash::Hash for $class {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                if let ::core::result::Result::Ok(hash) = self.try_hash() {
                    state.write_u64(hash);
                }
            }
        }
    };
}
pub use __typed_hash as hash;

/// `PartialOrd` of an object's struct. There's no `Ord`, which can't report an error.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_ord {
    ($class:ident, $kept:ident) => {
        impl $class {
            /// Returns the order that the plugin gives both.
            ///
            /// # Errors
            /// The error of the call; `INVALID_ARGUMENT` for objects of different instances.
            pub fn try_cmp(
                &self,
                other: &Self,
            ) -> ::core::result::Result<::core::cmp::Ordering, $crate::Error> {
                self.0.compared(|methods| &methods.$kept, (&other.0, other))
            }
        }

        /// If the call fails, the objects have no order; `try_cmp` returns the error.
        impl ::core::cmp::PartialOrd for $class {
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                self.try_cmp(other).ok()
            }
        }
    };
}
pub use __typed_ord as ord;

/// `IntoIterator` of a reference to an object's struct, which waits for each item.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_iter {
    ($class:ident, $kept:ident, $item:ty, $error:ty) => {
        impl ::core::iter::IntoIterator for &$class {
            type Item = ::core::result::Result<$item, $error>;
            type IntoIter = $crate::typed::Iterate<$item, $error>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.stream(&self.0.methods.$kept, &()).iterate()
            }
        }
    };
}
pub use __typed_iter as iter;
