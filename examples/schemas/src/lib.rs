//! JSON Schema: a schema is compiled once and stays in the plugin; what is wrong in a document is told with its place. Nothing is fetched,
//! whatever a schema refers to.

use jsonschema::{PatternOptions, ValidationError, Validator};
use rustbridge::prelude::*;
use serde_json::Value;

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct SchemasConfig {
    /// How much of what's wrong in a document is told.
    pub most_violations: u32,
}

impl Default for SchemasConfig {
    fn default() -> SchemasConfig {
        SchemasConfig {
            most_violations: 100,
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
    /// What is wrong.
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
        problem: error.to_string(),
    }
}

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
        Ok(Schemas { config })
    }

    /// Compiles a schema: of the draft that its `$schema` says, or else of 2020-12.
    pub fn compile(&self, schema: String) -> Result<Object<Schema>, SchemaError> {
        let schema: Value = serde_json::from_str(&schema).map_err(|error| {
            let (problem, line, column) = described(&error);
            SchemaError::NotJson {
                problem,
                line,
                column,
            }
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
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "pattern": "^[a-z]+$"},
            "ports": {"type": "array", "items": {"type": "integer", "maximum": 65535}}
        }
    }"#;

    fn compiled(schemas: &Schemas) -> Object<Schema> {
        schemas.compile(SCHEMA.to_owned()).unwrap()
    }

    fn refused(schema: &str) -> SchemaError {
        match Schemas::default().compile(schema.to_owned()) {
            Err(refused) => refused,
            Ok(_) => panic!("{schema} is a schema"),
        }
    }

    #[test]
    fn a_document_that_is_right_passes() {
        let schema = compiled(&Schemas::default());
        assert!(schema.check(r#"{"name": "a"}"#.to_owned()).is_ok());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_and_the_rule() {
        let schema = compiled(&Schemas::default());
        let document = r#"{"name": "A", "ports": [80, 70000]}"#;
        match schema.check(document.to_owned()) {
            Err(DocumentError::Invalid { violations }) => {
                let mut places: Vec<(&str, &str)> = violations
                    .iter()
                    .map(|it| (it.place.as_str(), it.rule.as_str()))
                    .collect();
                places.sort_unstable();
                assert_eq!(
                    places,
                    [
                        ("/name", "/properties/name/pattern"),
                        ("/ports/1", "/properties/ports/items/maximum")
                    ]
                );
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_more_is_told_than_was_asked_for() {
        let config = SchemasConfig { most_violations: 1 };
        let schema = compiled(&Schemas::create(config).unwrap());
        match schema.check(r#"{"name": 1, "ports": 2}"#.to_owned()) {
            Err(DocumentError::Invalid { violations }) => assert_eq!(violations.len(), 1),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_no_json_is_told_with_line_and_column() {
        let schema = compiled(&Schemas::default());
        match schema.check("{\n  \"name\": \"a\",\n}".to_owned()) {
            Err(DocumentError::NotJson {
                problem,
                line,
                column,
            }) => {
                assert_eq!((line, column), (3, 1));
                assert_eq!(problem, "trailing comma");
            }
            other => panic!("{other:?}"),
        }
        let deep = "[".repeat(100_000);
        assert!(matches!(
            schema.check(deep),
            Err(DocumentError::NotJson { .. })
        ));
        assert!(matches!(refused("{"), SchemaError::NotJson { line: 1, .. }));
    }

    #[test]
    fn a_schema_that_is_none_is_refused() {
        for (schema, wanted) in [
            (r#"{"type": "nothing"}"#, "/type"),
            (
                r#"{"properties": {"a": {"minimum": "1"}}}"#,
                "/properties/a/minimum",
            ),
        ] {
            match refused(schema) {
                SchemaError::NoSchema { place, .. } => assert_eq!(place, wanted),
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(refused("3"), SchemaError::NoSchema { .. }));
    }

    #[test]
    fn nothing_is_fetched() {
        for place in ["https://a.example/schema", "file:///etc/hostname"] {
            match refused(&format!(r#"{{"$ref": "{place}"}}"#)) {
                SchemaError::NoSchema { problem, .. } => {
                    assert!(problem.contains(place), "{problem}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
