//! JSON Schemas of the author's types that have no wire format. Those of all others are made from the type table.

use serde_json::Value;

#[cfg(feature = "json_schema")]
mod made;

#[cfg(feature = "json_schema")]
pub use schemars::JsonSchema;

/// Implemented by every type: without the feature `json_schema`, each schema accepts any value.
#[cfg(not(feature = "json_schema"))]
pub trait JsonSchema {}

#[cfg(not(feature = "json_schema"))]
impl<T: ?Sized> JsonSchema for T {}

/// Returns the schema of values that `T` can be read from.
pub fn incoming_schema<T: JsonSchema>() -> Value {
    #[cfg(feature = "json_schema")]
    return made::incoming::<T>();
    #[cfg(not(feature = "json_schema"))]
    Value::Bool(true)
}

/// Returns the schema of values that `T` is written as.
pub(crate) fn outgoing_schema<T: JsonSchema>() -> Value {
    #[cfg(feature = "json_schema")]
    return made::outgoing::<T>();
    #[cfg(not(feature = "json_schema"))]
    Value::Bool(true)
}

/// Expands to the items that the macros write. With the feature `json_schema`, it also expands to the tokens in braces, which need
/// schemars. A procedural macro can't see the features of this crate.
#[cfg(feature = "json_schema")]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    ({ $($schemars:tt)* } $($items:tt)*) => { $($schemars)* $($items)* };
}

#[cfg(not(feature = "json_schema"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    ({ $($schemars:tt)* } $($items:tt)*) => { $($items)* };
}
