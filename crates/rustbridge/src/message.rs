//! Types that cross the boundary in an encoding with a schema.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::schema::JsonSchema;

/// A type that crosses the boundary as JSON, MessagePack, bincode or postcard.
///
/// Derive it with [`#[derive(Message)]`](macro@crate::Message), which also derives serde's traits. You never
/// implement it yourself: every type with these two traits has it. So a type that derives them itself is also a message.
/// With the feature `json_schema`, it also needs schemars' `JsonSchema`.
///
/// ```
/// use rustbridge::Message;
///
/// /// Somebody to greet.
/// #[derive(Message)]
/// struct Greet {
///     name: String,
/// }
///
/// fn is_message<T: Message>() {}
/// is_message::<Greet>();
/// is_message::<Vec<u32>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a message",
    label = "lacks serde's `Serialize`, `Deserialize` or schemars' `JsonSchema`",
    note = "derive all of them at once: `#[derive(rustbridge::Message)]`"
)]
pub trait Message: Serialize + DeserializeOwned + JsonSchema {}

impl<T: Serialize + DeserializeOwned + JsonSchema> Message for T {}

/// A type that a handler can accept: a [`Message`], or a type that borrows from the request's bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read from a request",
    label = "lacks serde's `Deserialize` or schemars' `JsonSchema`",
    note = "derive both: `#[derive(rustbridge::Message)]`"
)]
pub trait Incoming<'r>: Deserialize<'r> + JsonSchema {}

impl<'r, T: Deserialize<'r> + JsonSchema> Incoming<'r> for T {}

/// A type that a handler can return: a [`Message`], or a type that borrows from the request or the plugin.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be written as a response",
    label = "lacks serde's `Serialize` or schemars' `JsonSchema`",
    note = "derive both: `#[derive(rustbridge::Message)]`"
)]
pub trait Outgoing: Serialize + JsonSchema {}

impl<T: Serialize + JsonSchema> Outgoing for T {}
