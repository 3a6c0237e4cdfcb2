//! `rustbridge bench`, from Rust alone: the suite of packages has the other languages.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rustbridge_conformance::libraries;
use serde_json::Value;
use tempfile::TempDir;

/// A folder like that of the packages, with what `bench` takes from it.
fn packages() -> TempDir {
    let folder = TempDir::new().unwrap();
    let crates = folder.path().join("crates/rustbridge");
    fs::create_dir_all(&crates).unwrap();
    fs::write(crates.join("Cargo.toml"), "").unwrap();
    let empty = libraries::path("empty-plugin");
    let bench = folder.path().join("bench");
    fs::create_dir_all(&bench).unwrap();
    fs::copy(&empty, bench.join(empty.file_name().unwrap())).unwrap();
    folder
}

#[track_caller]
fn bench(packages: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
    command
        .arg("bench")
        .arg(libraries::path("hello-plugin"))
        .args(arguments)
        .args(["--seconds", "0.01", "--packages"])
        .arg(packages);
    child_process::output(&mut command, child_process::RUN)
}

#[track_caller]
fn refused(packages: &Path, arguments: &[&str]) -> String {
    let output = bench(packages, arguments);
    assert!(!output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn every_method_is_measured_beside_a_call_that_does_nothing() {
    let packages = packages();
    let folder = TempDir::new().unwrap();
    let request = folder.path().join("request.json");
    fs::write(&request, r#"{"name":"Ada"}"#).unwrap();
    let file = format!("@{}", request.display());
    let calls = ["math.add", r#"{"a":1,"b":2}"#, "greet", &file];
    let arguments = [&calls[..], &["--host", "rust", "--json"]].concat();
    let output = bench(packages.path(), &arguments);
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(measured["hosts"][0]["host"], "Rust");
    assert!(measured["hosts"][1].is_null());
    let calls = measured["hosts"][0]["calls"].as_array().unwrap();
    let of = |key: &str| {
        calls
            .iter()
            .map(|call| call[key].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("method"), ["empty", "math.add", "greet"]);
    assert_eq!(of("request_bytes"), [0, 13, 14]);
    for call in calls {
        let time = |key: &str| call[key].as_f64().unwrap();
        assert!(time("p10_ns") > 0.0, "{call}");
        assert!(time("p10_ns") <= time("median_ns") && time("median_ns") <= time("p90_ns"));
    }
}

#[test]
fn what_is_not_here_is_left_out_and_the_rest_is_measured() {
    let packages = packages();
    let output = bench(packages.path(), &["greet", r#"{"name":"Ada"}"#, "--json"]);
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(measured["hosts"].as_array().unwrap().len(), 1);
    let left_out = measured["left_out"].as_array().unwrap();
    let hosts: Vec<_> = left_out.iter().map(|left| left["host"].clone()).collect();
    assert_eq!(hosts, ["C++", "C#", "Java", "Go", "Node", "Python"]);
    let said = refused(
        packages.path(),
        &["greet", r#"{"name":"Ada"}"#, "--host", "cpp"],
    );
    assert!(said.contains("was built without the C library"), "{said}");
}

#[test]
fn what_cannot_be_measured_is_refused_before_anything_is() {
    let packages = packages();
    let said = refused(packages.path(), &["grett", "{}"]);
    assert!(said.contains("did you mean `greet`?"), "{said}");
    let said = refused(packages.path(), &["greet", "{}", "--host", "rust"]);
    assert!(said.contains("name"), "{said}");
    assert!(!said.contains("measuring"), "{said}");
    let said = refused(packages.path(), &["greet", "{}", "--host", "kotlin"]);
    assert!(said.contains("`--host java`"), "{said}");
    let said = refused(packages.path(), &["greet", "-", "greet", "-"]);
    assert!(said.contains("only once"), "{said}");
    let nothing = TempDir::new().unwrap();
    let said = refused(nothing.path(), &["greet"]);
    assert!(said.contains("has no `crates/rustbridge`"), "{said}");
    fs::remove_dir_all(packages.path().join("bench")).unwrap();
    let said = refused(packages.path(), &["greet"]);
    assert!(
        said.contains("without the plugin that does nothing"),
        "{said}"
    );
}
