//! Where the libraries that are measured lie, and loading a plugin of them.

use std::path::PathBuf;

use rustbridge_core::{Encoding, Error, Load, Plugin, ServiceCall, Status};

/// Folder with the release builds of the plugins and the floor.
fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("RUSTBRIDGE_PLUGIN_DIR") {
        return folder.into();
    }
    // target/release/deps/<this program> → target/release
    let program = std::env::current_exe().expect("this program has a path");
    let folder = program.ancestors().nth(2);
    folder
        .expect("a benchmark runs from target/release/deps")
        .to_owned()
}

/// Path of a library by its crate's name, e.g. `hello_plugin`.
///
/// # Panics
/// When it hasn't been built; the message names the command that does.
pub fn library(name: &str) -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = folder().join(format!("{prefix}{name}{suffix}"));
    assert!(
        path.is_file(),
        "{} is missing: build it with `cargo build --release -p {}`",
        path.display(),
        name.replace('_', "-")
    );
    path
}

/// Loads a plugin with the least configuration that it accepts.
///
/// # Panics
/// When it can't be loaded.
pub fn plugin(name: &str) -> Plugin {
    let load = Load::path(library(name));
    let load = match name {
        "conformance_plugin" => load.config(r#"{"label":"bench"}"#),
        "bench_plugin" => load
            .config(format!(r#"{{"upcall":{}}}"#, upcall as *const () as usize))
            .service("numbers.answer", Encoding::Pod, service)
            .service("numbers.answer_later", Encoding::Pod, service)
            .service("numbers.add", Encoding::Pod, sum),
        _ => load,
    };
    load.open()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What bench-plugin asks for.
fn service(request: &[u8], _: &ServiceCall<'_>) -> Result<Vec<u8>, Error> {
    match request.try_into() {
        Ok(number) => Ok(answer(i32::from_ne_bytes(number)).to_ne_bytes().into()),
        Err(_) => Err(Error::failure(Status::InvalidArgument, "not a number")),
    }
}

/// What MetaFFI's callback does.
fn sum(request: &[u8], _: &ServiceCall<'_>) -> Result<Vec<u8>, Error> {
    match request.as_chunks() {
        ([a, b], []) => {
            let sum = i64::from_ne_bytes(*a).wrapping_add(i64::from_ne_bytes(*b));
            Ok(sum.to_ne_bytes().into())
        }
        _ => Err(Error::failure(Status::InvalidArgument, "not two numbers")),
    }
}

/// What bench-plugin asks for, as it's called by hand.
extern "C" fn upcall(number: i32) -> i32 {
    answer(number)
}

fn answer(number: i32) -> i32 {
    number.wrapping_add(41)
}
