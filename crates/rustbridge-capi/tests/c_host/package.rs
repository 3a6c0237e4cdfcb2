//! What's installed is found by CMake and by pkg-config, and the example built with it runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustbridge_conformance::{libraries, system};

use crate::support;

/// A prefix as a C user has it after installing.
fn installed(name: &str) -> PathBuf {
    let prefix = support::folder(name).join("prefix");
    if prefix.exists() {
        fs::remove_dir_all(&prefix).unwrap();
    }
    let written = rustbridge_headers::package(support::built(), &prefix).unwrap();
    assert!(written.len() >= 7, "{written:?}");
    prefix
}

fn says_hello(program: &Path) {
    let mut command = support::command(program);
    let output = child_process::output(
        command.arg(libraries::path("hello-plugin")),
        child_process::RUN,
    );
    let said = support::text(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains(r#"{"greeting":"Hello, Ada! Welcome to rustbridge."}"#),
        "{said}"
    );
    assert!(said.contains("40 + 2 = 42"), "{said}");
}

#[test]
fn the_example_builds_with_the_cmake_package_and_runs() {
    if !support::have("cmake") {
        eprintln!("skipped: no cmake here");
        return;
    }
    let prefix = installed("cmake");
    // The package must work wherever the prefix is moved to.
    let moved = prefix.with_file_name("moved");
    if moved.exists() {
        fs::remove_dir_all(&moved).unwrap();
    }
    fs::rename(&prefix, &moved).unwrap();
    let build = support::folder("cmake").join("build");
    if build.exists() {
        fs::remove_dir_all(&build).unwrap();
    }
    support::run(
        Command::new("cmake")
            .arg("-S")
            .arg(support::workspace().join("examples/c"))
            .arg("-B")
            .arg(&build)
            .arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display()))
            .arg("-DCMAKE_BUILD_TYPE=Release"),
    );
    support::run(
        Command::new("cmake")
            .arg("--build")
            .arg(&build)
            .args(["--config", "Release"]),
    );
    for program in ["hello", "hello_static"] {
        let name = system::program_name(program);
        let place = [build.join(&name), build.join("Release").join(&name)]
            .into_iter()
            .find(|place| place.exists())
            .unwrap();
        says_hello(&place);
    }
}

#[cfg(unix)]
#[test]
fn the_example_builds_with_pkg_config_and_runs() {
    if !support::have("pkg-config") {
        eprintln!("skipped: no pkg-config here");
        return;
    }
    let prefix = installed("pkg-config");
    let ask = |what: &[&str]| -> Vec<String> {
        let said = support::run(
            Command::new("pkg-config")
                .args(what)
                .arg("rustbridge")
                .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")),
        );
        said.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(ask(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
    let source = support::workspace().join("examples/c/hello.c");
    let program = prefix.join("hello");
    support::run(
        Command::new("cc")
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .args(ask(&["--cflags", "--libs"]))
            .arg(format!("-Wl,-rpath,{}", prefix.join("lib").display())),
    );
    says_hello(&program);
    // With the shared library out of the way the linker takes the static one, and needs what that needs.
    let shared = prefix.join("lib").join(system::shared_name("rustbridge"));
    fs::remove_file(shared).unwrap();
    let program = prefix.join("hello_static");
    support::run(
        Command::new("cc")
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .args(ask(&["--cflags", "--libs", "--static"])),
    );
    says_hello(&program);
}

#[test]
fn the_example_in_c_is_short_enough_to_read() {
    let text = fs::read_to_string(support::workspace().join("examples/c/hello.c")).unwrap();
    let code = text.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(code <= 50, "{code} lines");
}
