//! A plugin that checks documents with JSON Schema. A schema is compiled once and stays in the plugin. Each violation in a document is
//! reported with its place. The plugin never fetches the schemas that a schema refers to.

mod bounds;

use bounds::Refused;
use jsonschema::{PatternOptions, ValidationError, Validator};
use rustbridge::prelude::*;
use serde_json::Value;

/// The configuration of an instance. Every field has a default, so `{}` is a valid configuration.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct SchemasConfig {
    /// The maximum number of violations reported for a document, at least 1.
    pub most_violations: u32,
    /// The maximum number of schemas that one schema may expand to. A schema counts once for each reference to it.
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

/// A violation of the schema at one place of a document.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Violation {
    /// The place in the document, as a JSON pointer such as `/servers/0/port`. It's empty for the document as a whole.
    pub place: String,
    /// The violated rule in the schema, as a JSON pointer.
    pub rule: String,
    /// A description of the problem, without the value, which may be long or secret.
    pub problem: String,
}

/// The reason why a schema couldn't be compiled.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum SchemaError {
    /// The schema isn't JSON.
    #[error("the schema isn't JSON: {problem}")]
    #[status(INVALID_ARGUMENT)]
    NotJson {
        /// A description of the problem.
        problem: String,
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: u64,
    },
    /// The JSON isn't a valid schema, or has a reference that leads out of it.
    #[error("it's no schema, at `{place}`: {problem}")]
    #[status(INVALID_ARGUMENT)]
    NoSchema {
        /// The place in the schema, as a JSON pointer.
        place: String,
        /// A description of the problem.
        problem: String,
    },
    /// With its references, the schema expands to more schemas than the configuration allows, or they are nested too deeply.
    #[error("it's more than {most} schemas, or they lie too deep in each other")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// The maximum number of schemas.
        most: u64,
    },
}

/// The reason why a document is invalid.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum DocumentError {
    /// The document isn't JSON.
    #[error("the document isn't JSON: {problem}")]
    #[status(INVALID_ARGUMENT)]
    NotJson {
        /// A description of the problem.
        problem: String,
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: u64,
    },
    /// The document violates the schema.
    #[error("{} violations of the schema", violations.len())]
    #[status(FAILED_PRECONDITION)]
    Invalid {
        /// The violations, up to the maximum number in the configuration.
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
    /// Checks a document. The error contains the violations.
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
        // The text is cut off, because it contains names of properties, which may be long.
        problem: error.masked().to_string().chars().take(LONGEST).collect(),
    }
}

/// The maximum length of a problem's description, in characters.
const LONGEST: usize = 300;

/// Returns the description, line and column of a problem in a text that isn't JSON.
fn described(error: &serde_json::Error) -> (String, u64, u64) {
    let problem = error.to_string();
    // The message contains the place, which is returned separately.
    let problem = match problem.rsplit_once(" at line ") {
        Some((problem, _)) => problem.to_owned(),
        None => problem,
    };
    (problem, error.line() as u64, error.column() as u64)
}

/// The state of an instance: its configuration.
#[derive(Debug, Default)]
pub struct Schemas {
    config: SchemasConfig,
}

/// Checks documents with JSON Schema.
#[plugin(name = "schemas", objects(Schema))]
impl Schemas {
    /// Creates an instance.
    pub fn create(config: SchemasConfig) -> Result<Schemas> {
        // With 0, every document would be valid.
        if config.most_violations == 0 {
            return Err(Error::invalid_argument(
                "most_violations is 0, not 1 or more",
            ));
        }
        Ok(Schemas { config })
    }

    /// Compiles a schema, by the draft that its `$schema` names, or by 2020-12 if it has none. The schema may refer to `#` and to JSON
    /// pointers in itself. Documents may come from untrusted users, but schemas must be trusted like code. The limits for schemas that
    /// refer to themselves only prevent accidents: the time for a check can still grow fast with a document's depth.
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
            // A regex engine with backtracking might take forever.
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
