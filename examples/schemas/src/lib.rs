//! JSON Schema: a schema is compiled once and stays in the plugin; what is wrong in a document is told with its place. Nothing is fetched,
//! whatever a schema refers to.

mod bounds;

use bounds::Refused;
use jsonschema::{PatternOptions, ValidationError, Validator};
use rustbridge::prelude::*;
use serde_json::Value;

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct SchemasConfig {
    /// How much of what's wrong in a document is told: 1 at least.
    pub most_violations: u32,
    /// How many schemas one may be, with those counted that it refers to, as often as it does.
    pub most_schemas: u64,
}

impl Default for SchemasConfig {
    fn default() -> SchemasConfig {
        SchemasConfig {
            most_violations: 100,
            most_schemas: 10_000,
        }
    }
}

/// What is wrong at one place.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Violation {
    /// Where in the document, as a JSON pointer: `/servers/0/port`. Nothing is the document as a whole.
    pub place: String,
    /// What in the schema it breaks, as a JSON pointer.
    pub rule: String,
    /// What is wrong. The value itself isn't in it: it may be long, or secret.
    pub problem: String,
}

/// Why a schema isn't compiled.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum SchemaError {
    /// It's no JSON.
    #[error("the schema isn't JSON: {problem}")]
    #[status(INVALID_ARGUMENT)]
    NotJson {
        /// What is wrong.
        problem: String,
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: u64,
    },
    /// It's no schema, or refers to what isn't in it.
    #[error("it's no schema, at `{place}`: {problem}")]
    #[status(INVALID_ARGUMENT)]
    NoSchema {
        /// Where in it, as a JSON pointer.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// With what it refers to, it's more than the configuration lets it, or too deep.
    #[error("it's more than {most} schemas, or they lie too deep in each other")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// How many it may be.
        most: u64,
    },
}

/// Why a document isn't right.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum DocumentError {
    /// It's no JSON.
    #[error("the document isn't JSON: {problem}")]
    #[status(INVALID_ARGUMENT)]
    NotJson {
        /// What is wrong.
        problem: String,
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: u64,
    },
    /// The schema says otherwise.
    #[error("{} violations of the schema", violations.len())]
    #[status(FAILED_PRECONDITION)]
    Invalid {
        /// Each of them, up to as many as the configuration says.
        violations: Vec<Violation>,
    },
}

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    most_violations: u32,
}

/// A compiled schema.
#[object]
impl Schema {
    /// Checks a document. What is wrong is the error.
    pub fn check(&self, document: String) -> Result<(), DocumentError> {
        let document: Value = serde_json::from_str(&document).map_err(|error| {
            let (problem, line, column) = described(&error);
            DocumentError::NotJson {
                problem,
                line,
                column,
            }
        })?;
        let violations: Vec<Violation> = self
            .validator
            .iter_errors(&document)
            .take(self.most_violations as usize)
            .map(violation)
            .collect();
        match violations.is_empty() {
            true => Ok(()),
            false => Err(DocumentError::Invalid { violations }),
        }
    }
}

fn violation(error: ValidationError<'_>) -> Violation {
    Violation {
        place: error.instance_path.to_string(),
        rule: error.schema_path.to_string(),
        // The names of properties are in it, and may be long as well.
        problem: error.masked().to_string().chars().take(LONGEST).collect(),
    }
}

/// How many characters of what's wrong are told.
const LONGEST: usize = 300;

/// What is wrong in a text that isn't JSON, and where.
fn described(error: &serde_json::Error) -> (String, u64, u64) {
    let problem = error.to_string();
    // It says the place as well.
    let problem = match problem.rsplit_once(" at line ") {
        Some((problem, _)) => problem.to_owned(),
        None => problem,
    };
    (problem, error.line() as u64, error.column() as u64)
}

/// Compiles schemas.
#[derive(Debug, Default)]
pub struct Schemas {
    config: SchemasConfig,
}

/// Checks documents by JSON Schema.
#[plugin(name = "schemas", objects(Schema))]
impl Schemas {
    /// Makes an instance.
    pub fn create(config: SchemasConfig) -> Result<Schemas> {
        // None would make every document right.
        if config.most_violations == 0 {
            return Err(Error::invalid_argument(
                "most_violations is 0, not 1 or more",
            ));
        }
        Ok(Schemas { config })
    }

    /// Compiles a schema: of the draft that its `$schema` says, or else of 2020-12. It may refer to `#` and to
    /// JSON pointers in itself. Documents may come from strangers, a schema from those only whose code would be trusted as well: one
    /// that refers to itself has limits against accidents, but what it takes can grow fast with a document's depth.
    pub fn compile(&self, schema: String) -> Result<Object<Schema>, SchemaError> {
        let schema: Value = serde_json::from_str(&schema).map_err(|error| {
            let (problem, line, column) = described(&error);
            SchemaError::NotJson {
                problem,
                line,
                column,
            }
        })?;
        let most = self.config.most_schemas;
        bounds::check(&schema, most).map_err(|refused| match refused {
            Refused::Wrong { place, problem } => SchemaError::NoSchema { place, problem },
            Refused::TooLarge => SchemaError::TooLarge { most },
        })?;
        let validator = jsonschema::options()
            // A pattern by backtracking might take for ever.
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .build(&schema)
            .map_err(|error| SchemaError::NoSchema {
                place: error.instance_path.to_string(),
                problem: error.to_string(),
            })?;
        Ok(Object::new(Schema {
            validator,
            most_violations: self.config.most_violations,
        }))
    }
}

#[cfg(test)]
mod tests;
