//! Errors with fields, and a type whose own code panics.

use std::borrow::Cow;
use std::num::ParseIntError;

use rustbridge::{Message, StatusError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::messages::Point;

/// Why no instance was made.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum CreateError {
    /// The label that is always refused.
    #[error("label {label} is not allowed")]
    #[status(PERMISSION_DENIED)]
    Refused {
        /// The config's.
        label: String,
    },
}

/// One variant of each kind.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum CaseError {
    /// Named fields.
    #[error("user {user_id} ({name}) does not exist")]
    #[status(NOT_FOUND)]
    NotFound {
        /// A number.
        user_id: u64,
        /// A text.
        name: String,
    },
    /// No fields.
    #[error("too busy")]
    #[status(RESOURCE_EXHAUSTED)]
    Busy,
    /// Fields without names.
    #[error("field {0}: {1}")]
    #[status(INVALID_ARGUMENT)]
    Invalid(String, i32),
    /// Fields that are structs, lists, nothing.
    #[error("conflict at ({}, {})", at.x, at.y)]
    #[status(ALREADY_EXISTS)]
    Conflict {
        /// A struct.
        at: Point,
        /// A list.
        tags: Vec<String>,
        /// Nothing.
        limit: Option<u32>,
    },
    /// Another error inside.
    #[error("not a number: {source}")]
    #[status(INVALID_ARGUMENT)]
    Parse {
        /// What `std` says.
        #[from]
        source: ParseIntError,
    },
}

/// Which [`CaseError`] to fail with; without a match there's none.
#[derive(Message, Clone, Debug)]
pub struct Kind {
    /// `not_found`, `busy`, `invalid`, `conflict` or `parse`.
    pub kind: String,
    /// What `parse` tries to parse.
    #[serde(default)]
    pub text: String,
}

pub(crate) fn fail(kind: &Kind) -> Result<(), CaseError> {
    match kind.kind.as_str() {
        "not_found" => Err(CaseError::NotFound {
            user_id: 42,
            name: "ada".to_owned(),
        }),
        "busy" => Err(CaseError::Busy),
        "invalid" => Err(CaseError::Invalid("age".to_owned(), -1)),
        "conflict" => Err(CaseError::Conflict {
            at: Point { x: 1, y: -2 },
            tags: vec!["ä".to_owned(), "b".to_owned()],
            limit: None,
        }),
        "parse" => {
            kind.text.parse::<i32>()?;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A value that can neither be written nor read: its author's code panics.
#[derive(Debug)]
pub struct Formless;

impl Serialize for Formless {
    fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
        panic!("no form");
    }
}

impl<'de> Deserialize<'de> for Formless {
    fn deserialize<D: Deserializer<'de>>(_deserializer: D) -> Result<Self, D::Error> {
        panic!("no value");
    }
}

impl JsonSchema for Formless {
    fn schema_name() -> Cow<'static, str> {
        "Formless".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!(true)
    }
}
