//! What clients are made of descriptions, in each language.

mod callbacks_jvm;
mod classes_csgo;
mod classes_jvm;
mod cpp;
mod csharp;
mod default_values;
mod go;
mod hostile;
mod imports;
mod java;
mod kotlin;
mod python;
mod rust;
mod services;
mod traits;
mod typescript;
