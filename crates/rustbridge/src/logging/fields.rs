//! The fields of an event or a span as JSON.

use std::error::Error;
use std::fmt::{self, Write};

use serde_json::{Map, Value};
use tracing_core::Field;
use tracing_core::field::Visit;

/// Collects the fields of an event or a span as JSON, with the message apart.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) message: String,
    pub(super) values: Map<String, Value>,
}

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        if field.name() == "message" {
            self.message = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
        } else {
            self.values.insert(field.name().to_owned(), value);
        }
    }

    /// Takes over what was recorded later.
    pub(super) fn merge(&mut self, later: Fields) {
        if !later.message.is_empty() {
            self.message = later.message;
        }
        self.values.extend(later.values);
    }

    /// A JSON object, or nothing if there are no fields.
    pub(super) fn to_json(&self) -> String {
        if self.values.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&self.values).unwrap_or_default()
        }
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no infinities; their names say more than null.
        let number = serde_json::Number::from_f64(value);
        self.put(
            field,
            number.map_or_else(|| Value::String(value.to_string()), Value::Number),
        );
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        self.put(
            field,
            wide(i64::try_from(value).ok().map(Value::from), value),
        );
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.put(
            field,
            wide(u64::try_from(value).ok().map(Value::from), value),
        );
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        let mut text = value.to_string();
        let mut cause = value.source();
        while let Some(error) = cause {
            // Writing into a string can't fail.
            let _ = write!(text, ": {error}");
            cause = error.source();
        }
        self.put(field, text.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }
}

/// A number of more than 64 bits is text: most JSON readers would round it.
fn wide(narrow: Option<Value>, value: impl fmt::Display) -> Value {
    narrow.unwrap_or_else(|| Value::String(value.to_string()))
}
