//! What clients are made of descriptions, in each language.

mod cpp;
mod csharp;
mod go;
mod hostile;
mod java;
mod kotlin;
mod python;
mod rust;
mod services;
mod typescript;
