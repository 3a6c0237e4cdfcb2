//! Functions that the expansion of `#[derive(StatusError)]` calls.

use serde::Serialize;
use serde_json::{Map, Value};

/// Adds one field of an error; for the derive macro.
pub fn insert_detail<T: Serialize + ?Sized>(
    details: &mut Map<String, Value>,
    name: &str,
    value: &T,
) {
    let value = serde_json::to_value(value)
        .unwrap_or_else(|error| Value::String(format!("not representable as JSON: {error}")));
    details.insert(name.to_owned(), value);
}
