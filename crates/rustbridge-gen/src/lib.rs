//! Writes typed clients of plugins: sources in a language, from a plugin's description.
//!
//! [`ClientSchema::read`] takes the description apart and keeps what clients see: its types and the methods that speak the
//! [wire form](rustbridge_description::types). [`generate`] writes a client of it in one language. Nothing is run or loaded here, and the same
//! description always gives the same bytes.

mod check;
mod client;
mod client_schema;
mod cpp;
mod csharp;
mod error;
mod form;
mod go;
mod imports;
mod java;
mod kept;
mod kotlin;
mod names;
mod prose;
mod python;
mod rust;
mod source;
mod typescript;
mod uses;

pub use client::{File, Int64, Options, Timestamps};
pub use client_schema::{
    Callback, ClientSchema, Directions, Group, Import, Kind, Method, Property, Service,
};
pub use error::Error;
pub use kept::kept;
pub use python::hides_python_module;

/// A language that clients are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python 3.9 or newer.
    Python,
    /// Java 17 or newer.
    Java,
    /// C# 12 or newer.
    CSharp,
    /// C++20 or newer.
    Cpp,
    /// Kotlin 2.1 or newer.
    Kotlin,
    /// Rust, edition 2024.
    Rust,
    /// Go 1.24 or newer.
    Go,
    /// TypeScript 5.2 or newer, for Node 20 or newer.
    TypeScript,
}

/// What the class of a plugin's client is called, in each language alike.
#[must_use]
pub fn client_name(plugin: &str) -> String {
    names::Case::Pascal.of(plugin)
}

/// Writes a client.
///
/// # Errors
/// If the client schema has something that the language can't express: two names that are one there, say. In no language are clients written of
/// names that may be code where they are written, or of types that are too large for a message.
pub fn generate(
    client_schema: &ClientSchema,
    language: Language,
    options: &Options,
) -> Result<Vec<File>, Error> {
    check::check(client_schema)?;
    let files = match language {
        Language::Python => python::generate(client_schema, options),
        Language::Java => java::generate(client_schema, options),
        Language::CSharp => csharp::generate(client_schema, options),
        Language::Cpp => cpp::generate(client_schema, options),
        Language::Kotlin => kotlin::generate(client_schema, options),
        Language::Rust => rust::generate(client_schema, options),
        Language::Go => go::generate(client_schema, options),
        Language::TypeScript => typescript::generate(client_schema, options),
    }?;
    check::check_files(&files)?;
    Ok(files)
}
