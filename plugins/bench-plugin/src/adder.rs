//! An object that does what plain methods do, to be compared with them.

use rustbridge::prelude::*;
use work::Value;

/// Adds always the same.
#[derive(Debug)]
pub struct Adder {
    by: i32,
}

/// Adds always the same.
#[object]
impl Adder {
    /// One that adds so much.
    pub(crate) fn new(by: i32) -> Adder {
        Adder { by }
    }

    /// Adds.
    pub fn add(&self, request: &Value) -> Value {
        Value {
            value: request.value.wrapping_add(self.by),
        }
    }
}

/// MetaFFI's object, which knows its name.
#[derive(Debug)]
pub struct SomeClass {
    name: String,
}

/// MetaFFI's object.
#[object]
impl SomeClass {
    /// One of that name.
    pub(crate) fn new(name: &str) -> SomeClass {
        SomeClass { name: name.into() }
    }

    /// Greets.
    #[method(encodings(raw))]
    pub fn greet(&self) -> String {
        format!("Hello from SomeClass {}", self.name)
    }
}
