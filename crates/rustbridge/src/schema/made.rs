//! JSON Schemas by schemars.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::via::{Duration, Timestamp};

/// Returns the schema of values that `T` can be read from.
pub(super) fn incoming<T: JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// Returns the schema of values that `T` is written as.
pub(super) fn outgoing<T: JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    // One dialect for the whole description; saying so with every schema would be a tenth of its bytes.
    settings.meta_schema = None;
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

impl JsonSchema for Duration {
    fn schema_name() -> Cow<'static, str> {
        std::time::Duration::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        std::time::Duration::schema_id()
    }

    fn inline_schema() -> bool {
        std::time::Duration::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        std::time::Duration::json_schema(generator)
    }
}

impl JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Timestamp")
    }

    fn schema_id() -> Cow<'static, str> {
        Cow::Borrowed("rustbridge::via::Timestamp")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}
