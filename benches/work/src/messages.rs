//! What is asked of the shared work and what it answers, as JSON and as plain structs.

use rustbridge::prelude::*;
use serde_json::Value as Dynamic;

/// Two numbers to divide.
#[derive(Message, Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Division {
    /// What is divided.
    pub a: i64,
    /// By what.
    pub b: i64,
}

/// Two numbers to add.
#[derive(Message, Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Summands {
    /// One.
    pub a: i64,
    /// The other.
    pub b: i64,
}

/// A quotient.
#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
pub struct Quotient {
    /// The quotient.
    pub quotient: f64,
}

/// A question, and its answer.
#[derive(Message, Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Value {
    /// The number.
    pub value: i32,
}

/// Texts to join.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The texts.
    pub parts: Vec<String>,
}

/// Joined texts.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// All of them.
    pub text: String,
}

/// A list of values whose types only the values themselves know.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Values {
    /// The values.
    pub values: Vec<Dynamic>,
}

// The same as they're read where they needn't be kept: texts stay where they are in the request. Clients see no difference.
/// A list of values whose types only the values themselves know.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(rename = "Values")]
pub struct LentValues<'a> {
    /// The values.
    #[serde(borrow)]
    pub values: Vec<rustbridge::Dynamic<'a>>,
}

/// An item of a stream of structs.
#[derive(Message, Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Number {
    /// The number.
    pub number: u64,
}

/// An item of a stream of JSON.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Which one it is.
    pub number: u64,
    /// What it's called.
    pub name: String,
    /// Whether it's the last of ten.
    pub is_round: bool,
}
