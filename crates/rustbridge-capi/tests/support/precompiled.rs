//! Precompiled headers: the headers and a typed client take more time to compile than most tests that include them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The headers, each with what it contains: a source includes the first one of which it contains all.
const HEADERS: [&str; 3] = [
    "clients/fixtures.hpp",
    "clients/types.hpp",
    "rustbridge.hpp",
];

/// Makes a command that compiles a source include the header that suits the source, precompiled with the same options.
pub fn include(command: &mut Command, source: &Path) {
    static BUILT: [OnceLock<PathBuf>; HEADERS.len()] = [const { OnceLock::new() }; HEADERS.len()];
    let text = fs::read_to_string(source).unwrap();
    let place = HEADERS.iter().position(|header| text.contains(header));
    // Every source includes `rustbridge.hpp`, if only by another header.
    let place = place.unwrap_or(HEADERS.len() - 1);
    let header = BUILT[place].get_or_init(|| built(command, place));
    command.arg("-include").arg(header);
}

/// Precompiles a header. If GCC can't use the result, it reports that the file doesn't exist, because there's only the precompiled one.
fn built(command: &Command, place: usize) -> PathBuf {
    let folder = super::folder("precompiled");
    // One that contains no more than the header, since a header that is compiled itself can't have `#pragma once`.
    let source = folder.join(format!("source-{place}.hpp"));
    let header = HEADERS[place];
    fs::write(&source, format!("#include \"{header}\"\n")).unwrap();
    let to_use = folder.join(format!("header-{place}.hpp"));
    let mut compile = Command::new(command.get_program());
    compile
        .args(command.get_args())
        .args(["-x", "c++-header"])
        .arg(&source)
        .arg("-o")
        .arg(to_use.with_extension("hpp.gch"));
    super::run(&mut compile);
    to_use
}
