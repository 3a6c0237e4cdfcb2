//! Checks configuration files against a schema, and prints each problem with its place. The exit code is 0 if all files are valid, 1 if
//! at least one isn't, and 2 if no file was checked.
//!
//! Usage: `schemas-host SCHEMA FILE...`

mod schemas;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use rustbridge_host::typed::Failure;
use schemas::{DocumentError, Schema, SchemaError, Schemas};

/// The path to which `rustbridge build` copies the library, without the system's prefix and ending of the file name.
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

/// Checks the files, prints the results, and returns the number of invalid files.
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

/// Returns the problems in a file. Each begins with its place.
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
