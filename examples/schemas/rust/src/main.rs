//! Checks configuration files by a schema, and says what's wrong where. Ends with 0 if all are right, with 1 if one isn't, and with 2 if
//! nothing was checked.
//!
//! Usage: `schemas-host SCHEMA FILE...`

mod schemas;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use rustbridge_host::typed::Failure;
use schemas::{DocumentError, Schema, SchemaError, Schemas};

/// Where `rustbridge build` puts the library, by the name that the system gives it.
const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/plugin/schemas_plugin");

fn main() -> ExitCode {
    let mut files = env::args_os().skip(1).map(PathBuf::from);
    let schema = files.next();
    let files: Vec<PathBuf> = files.collect();
    let (Some(schema), false) = (schema, files.is_empty()) else {
        eprintln!("usage: schemas-host SCHEMA FILE...");
        return ExitCode::from(2);
    };
    match check(&schema, &files) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// How many of the files aren't right.
fn check(schema: &Path, files: &[PathBuf]) -> Result<usize, String> {
    let name = schema.display();
    let text = fs::read_to_string(schema).map_err(|error| format!("{name}: {error}"))?;
    let schemas = Schemas::load(LIBRARY).map_err(|error| error.to_string())?;
    let schema = schemas.compile(&text).map_err(|failure| match failure {
        Failure::Typed {
            error:
                SchemaError::NotJson {
                    problem,
                    line,
                    column,
                },
            ..
        } => format!("{name}:{line}:{column}: {problem}"),
        Failure::Typed {
            error: SchemaError::NoSchema { place, problem },
            ..
        } => format!("{name}: {place}: {problem}"),
        Failure::Typed {
            error: SchemaError::TooLarge { .. },
            cause,
        } => format!("{name}: {}", cause.message()),
        Failure::Other(error) => error.to_string(),
    })?;
    let mut wrong = 0;
    for file in files {
        let problems = problems(&schema, file);
        if problems.is_empty() {
            println!("{}: ok", file.display());
        }
        for problem in &problems {
            println!("{}{problem}", file.display());
        }
        wrong += usize::from(!problems.is_empty());
    }
    Ok(wrong)
}

/// What is wrong in a file, each with its place in front.
fn problems(schema: &Schema, file: &Path) -> Vec<String> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return vec![format!(": {error}")],
    };
    match schema.check(&text) {
        Ok(()) => Vec::new(),
        Err(Failure::Typed {
            error: DocumentError::Invalid { violations },
            ..
        }) => violations
            .iter()
            .map(|it| format!(": {}: {}", it.place, it.problem))
            .collect(),
        Err(Failure::Typed {
            error:
                DocumentError::NotJson {
                    problem,
                    line,
                    column,
                },
            ..
        }) => vec![format!(":{line}:{column}: {problem}")],
        Err(Failure::Other(error)) => vec![format!(": {error}")],
    }
}
