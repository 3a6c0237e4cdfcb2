//! Libraries in C that a test builds: a plugin against the header alone, and what it needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use rustbridge_core::{Encoding, Plugin};

/// Runs the compiler, for a shared library.
pub fn compile(arguments: &[&str]) {
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror"]);
    command.args(arguments);
    let output = child_process::output(&mut command, child_process::BUILD);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// Builds the plugin in `plugin.c`, linked against the sibling in `beside`.
pub fn plugin(path: &Path, beside: Option<&Path>, more: &[&str]) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let include = format!("-I{}", tests.join("../../include").display());
    let source = tests.join("tests/common/plugin.c");
    let mut arguments = vec![
        source.to_str().unwrap().to_owned(),
        include,
        "-o".to_owned(),
        path.to_str().unwrap().to_owned(),
    ];
    if let Some(beside) = beside {
        arguments.extend(["-DSIBLING".to_owned(), format!("-L{}", beside.display())]);
        arguments.push("-lsibling".to_owned());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    compile(&[&arguments[..], more].concat());
    path.to_owned()
}

/// What a method of it answers.
pub fn ask(plugin: &Plugin, method: &str) -> String {
    let method = plugin.method(method, Encoding::Raw).unwrap();
    String::from_utf8(method.call(b"").unwrap().to_vec()).unwrap()
}
