//! What the README tells a newcomer to type works, word for word: the plugin in a crate of its own outside the
//! workspace, and the Rust and C programs that call it. Its Python is run by the Python package's tests.
//!
//! A program of its own, because it has cargo build in the folder of intermediate files where the librustbridge lies that other
//! tests link with.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustbridge_conformance::system;

/// The code blocks of the README in one language, in order, with the library called as it is on this system.
fn blocks(language: &str) -> Vec<String> {
    let text = fs::read_to_string(support::workspace().join("README.md")).unwrap();
    text.split("\n```")
        .filter_map(|part| part.strip_prefix(&format!("{language}\n")))
        .map(|block| block.replace("libhello.so", &system::shared_name("hello")))
        .collect()
}

/// A package as `cargo new` makes it, with what the README says to append to its manifest, beside a checkout that is wherever
/// this one is.
fn package(folder: &Path, name: &str, kind: &str, manifest: &str, source: &str) {
    support::run(
        Command::new(env!("CARGO"))
            .args(["new", kind, "--vcs", "none", name])
            .current_dir(folder),
    );
    let checkout = support::workspace().canonicalize().unwrap();
    let checkout = checkout.to_str().unwrap().trim_start_matches(r"\\?\");
    let manifest = manifest.replace("../rustbridge", &checkout.replace('\\', "/"));
    let place = folder.join(name).join("Cargo.toml");
    let made = fs::read_to_string(&place).unwrap();
    assert!(made.contains("\n[dependencies]\n"), "{made}");
    fs::write(place, format!("{made}{manifest}\n")).unwrap();
    let file = if kind == "--lib" { "lib.rs" } else { "main.rs" };
    fs::write(folder.join(name).join("src").join(file), source).unwrap();
}

fn built(folder: &Path, file: &str) -> PathBuf {
    folder.join("target").join("debug").join(file)
}

#[test]
fn the_readme_works_as_it_is_written() {
    let folder = support::folder("readme");
    let [plugin, rust] = &blocks("rust")[..] else {
        panic!("the README has a plugin and a host in Rust");
    };
    let [manifest] = &blocks("toml")[..] else {
        panic!("the README has one manifest");
    };
    for name in ["hello", "readme-host"] {
        let _ = fs::remove_dir_all(folder.join(name));
    }
    // One workspace, so that what both depend on is built once; cargo adds its new packages to it.
    fs::write(
        folder.join("Cargo.toml"),
        "[workspace]\nresolver = \"3\"\nmembers = []\n[profile.dev]\ndebug = false\n",
    )
    .unwrap();
    package(&folder, "hello", "--lib", manifest, plugin);
    let readme = fs::read_to_string(support::workspace().join("README.md")).unwrap();
    let dependency = readme
        .split('`')
        .find(|text| text.starts_with("rustbridge-host = "))
        .expect("the README says what a host depends on");
    package(&folder, "readme-host", "--bin", dependency, rust);
    // The versions that are there already.
    fs::copy(
        support::workspace().join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )
    .unwrap();
    support::run(
        support::sharing(&mut Command::new(env!("CARGO")))
            .args(["build", "--offline", "--target-dir"])
            .arg(folder.join("target"))
            .current_dir(&folder),
    );
    let place = folder.join("target").join("release");
    fs::create_dir_all(&place).unwrap();
    let library = system::shared_name("hello");
    fs::copy(built(&folder, &library), place.join(&library)).unwrap();

    let greeted = |program: &Path| {
        let said = support::run(support::command(program).current_dir(&folder));
        assert_eq!(
            said.trim(),
            r#"{"greeting":"Hello, Ada! Welcome to rustbridge."}"#
        );
    };
    let host = system::program_name("readme-host");
    greeted(&built(&folder, &host));

    let [c] = &blocks("c")[..] else {
        panic!("the README has one program in C");
    };
    let source = folder.join("readme.c");
    fs::write(&source, c).unwrap();
    greeted(
        &support::source(source.to_str().unwrap())
            .link(support::Link::Shared)
            .program(&folder, "readme_c"),
    );
}
