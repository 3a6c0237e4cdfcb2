//! `rustbridge build --package` in a project whose cargo is a script: what it refuses, and a wheel. The packages that need other tools
//! are made by `cargo xtask test packages`.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tempfile::TempDir;

const HERE: &str = "x86_64-unknown-linux-gnu";

/// Held by a test that has a project: the system refuses to run a script that a child of another test still has open for writing.
static ALONE: Mutex<()> = Mutex::new(());

/// A project of a plugin that is built already.
struct Project {
    folder: TempDir,
    package: Value,
    _alone: MutexGuard<'static, ()>,
}

impl Project {
    fn new() -> Project {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir_all(root.join("src")).unwrap();
        let manifest = root.join("Cargo.toml");
        for (file, text) in [
            ("Cargo.toml", ""),
            ("src/lib.rs", ""),
            ("LICENSE-MIT", "a licence"),
            ("README.md", "# Prose\n"),
        ] {
            fs::write(root.join(file), text).unwrap();
        }
        let package = json!({
            "name": "some-shop", "version": "1.2.3-rc.1", "license": "MIT/Apache-2.0", "description": "Sells\n things.",
            "authors": ["Ada"], "id": "path+file:///some#0.1.0", "manifest_path": manifest,
            "targets": [{"kind": ["cdylib"], "name": "some_shop", "src_path": root.join("src/lib.rs")}],
            "metadata": {"rustbridge": {"package": {"java": {"group": "com.example"}}}},
        });
        let library = rustbridge_conformance::libraries::path("hello-plugin");
        let place = root.join("built/libsome_shop.so");
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::copy(library, &place).unwrap();
        let made =
            json!({"reason": "compiler-artifact", "manifest_path": manifest, "filenames": [place]});
        fs::write(root.join("made.json"), format!("{made}\n")).unwrap();
        for part in ["crates/rustbridge", "maven", "nuget", "node"] {
            fs::create_dir_all(folder.path().join("ours").join(part)).unwrap();
        }
        fs::write(folder.path().join("ours/crates/rustbridge/Cargo.toml"), "").unwrap();
        let cargo = folder.path().join("cargo");
        let script = format!(
            "#!/bin/sh\nPATH=/usr/bin:/bin\ncd '{}'\ncase $1 in\nlocate-project) echo '{}';;\n\
             metadata) cat metadata.json;;\n-vV) echo 'host: {HERE}';;\n*) cat made.json;;\nesac\n",
            root.display(),
            manifest.display()
        );
        fs::write(&cargo, script).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        Project {
            folder,
            package,
            _alone: alone,
        }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    /// Runs the command, with a PATH that has nothing if there are to be no tools.
    fn build(&self, arguments: &[&str], has_tools: bool) -> Output {
        let metadata =
            json!({"packages": [self.package], "target_directory": self.root().join("target")});
        fs::write(self.root().join("metadata.json"), metadata.to_string()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
        command
            .arg("build")
            .args(arguments)
            .current_dir(self.root())
            .env("CARGO", self.folder.path().join("cargo"))
            .env("RUSTBRIDGE_PACKAGES", self.folder.path().join("ours"))
            .env_remove("JAVA_HOME");
        if !has_tools {
            command.env("PATH", self.folder.path());
        }
        child_process::output(&mut command, child_process::RUN)
    }

    /// What it says when it fails, before anything was made.
    fn refusal(&self, arguments: &[&str]) -> String {
        let refused = self.build(arguments, false);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(!self.root().join("target/packages").exists(), "{said}");
        said
    }
}

#[test]
fn a_missing_tool_is_named_with_where_it_comes_from() {
    let project = Project::new();
    for (kind, tool, from) in [
        ("java", "`javac`", "adoptium.net"),
        ("csharp", "`dotnet`", "dotnet.microsoft.com"),
        ("node", "`npm`", "nodejs.org"),
        ("python", "`python3`", "python.org"),
    ] {
        let said = project.refusal(&["--package", kind]);
        assert!(said.contains(tool) && said.contains(from), "{said}");
    }
}

#[test]
fn what_no_registry_takes_is_refused_before_anything_is_built() {
    let is_refused = |change: fn(&mut Value), arguments: &[&str], reason: &str| {
        let mut project = Project::new();
        change(&mut project.package);
        let said = project.refusal(arguments);
        assert!(said.contains(reason), "{said}");
    };
    let all = ["--package", "java,csharp,node,python"];
    is_refused(
        |package| package["license"] = Value::Null,
        &all,
        "add `license = \"MIT\"`",
    );
    is_refused(
        |package| package["metadata"] = Value::Null,
        &all,
        "java = { group = \"com.example\" }",
    );
    let names = |value: Value, key: &str| {
        let mut project = Project::new();
        project.package["metadata"]["rustbridge"]["package"] = value;
        let kind = key.split('.').next().unwrap();
        let said = project.refusal(&["--package", kind]);
        assert!(said.contains(&format!("name another by `{key}`")), "{said}");
    };
    names(json!({"java": {"group": "com example"}}), "java.group");
    names(
        json!({"java": {"group": "com.example", "artifact": "a/b"}}),
        "java.artifact",
    );
    names(json!({"csharp": {"id": "Some Shop"}}), "csharp.id");
    names(json!({"node": {"name": "@Example/shop"}}), "node.name");
    names(json!({"python": {"name": "-shop"}}), "python.name");
    is_refused(
        |package| package["version"] = json!("1.0.0-nightly"),
        &["--package", "python"],
        "Python has no version `1.0.0-nightly`",
    );
    is_refused(
        |package| package["metadata"]["rustbridge"]["package"] = json!({"ruby": {}}),
        &all,
        "unknown field `ruby`",
    );
    let plain: fn(&mut Value) = |_| ();
    is_refused(
        plain,
        &["--package", "node", "--target", "wasm32-wasip1"],
        "no package has a library for `wasm32-wasip1`",
    );
    is_refused(
        plain,
        &[
            "--package",
            "csharp",
            "--target",
            "x86_64-pc-windows-gnu,x86_64-pc-windows-msvc",
        ],
        "`x86_64-pc-windows-gnu` and `x86_64-pc-windows-msvc` are both win-x64",
    );
    // A JVM doesn't tell its C library, and .NET does.
    is_refused(
        plain,
        &["--package", "java", "--target", "x86_64-unknown-linux-musl"],
        "are both linux-x86_64",
    );
    is_refused(
        plain,
        &["--target", "x86_64-pc-windows-gnu,aarch64-apple-darwin"],
        "need `--package`",
    );
}

#[test]
fn the_folder_of_our_own_packages_is_left_alone() {
    let project = Project::new();
    let ours = project.root().join("target/packages/crates/rustbridge");
    fs::create_dir_all(&ours).unwrap();
    fs::write(ours.join("Cargo.toml"), "").unwrap();
    let refused = project.build(&["--package", "python"], true);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("rustbridge's own packages"), "{said}");
    assert!(ours.is_dir());
}

#[test]
fn a_wheel_has_the_client_with_the_library_and_says_where_it_runs() {
    let project = Project::new();
    let built = project.build(&["--package", "python", "--json"], true);
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let said: Value = serde_json::from_slice(&built.stdout).unwrap();
    let made = &said["packages"][0];
    assert_eq!(made["use"], "pip install some-shop==1.2.3rc1");
    let wheel = Path::new(made["files"][0].as_str().unwrap());
    let name = wheel.file_name().unwrap().to_str().unwrap();
    // Which glibc it needs depends on the machine that linked it.
    assert!(
        name.starts_with("some_shop-1.2.3rc1-py3-none-manylinux_2_"),
        "{name}"
    );
    assert!(name.ends_with("_x86_64.whl"), "{name}");

    let folder = project.folder.path().join("site");
    let mut unpack = Command::new("python3");
    unpack
        .args(["-m", "zipfile", "--extract"])
        .args([wheel, &folder]);
    let unpacked = child_process::output(&mut unpack, child_process::RUN);
    assert!(unpacked.status.success());
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let client = read("hello/__init__.py");
    assert!(
        client.contains("_PACKAGED = pathlib.Path(__file__).with_name(\"some_shop\")"),
        "{client}"
    );
    assert!(folder.join("hello/libsome_shop.so").is_file());
    assert!(folder.join("hello/py.typed").is_file());
    let about = "some_shop-1.2.3rc1.dist-info";
    let metadata = read(&format!("{about}/METADATA"));
    for line in [
        "Name: some-shop\nVersion: 1.2.3rc1\nSummary: Sells things.\nLicense-Expression: MIT OR Apache-2.0\n",
        "License-File: LICENSE-MIT\n",
        "Requires-Dist: rustbridge~=",
        "\n\n# Prose\n",
    ] {
        assert!(metadata.contains(line), "{metadata}");
    }
    assert_eq!(read(&format!("{about}/licenses/LICENSE-MIT")), "a licence");
    let record = read(&format!("{about}/RECORD"));
    assert_eq!(record.lines().count(), 7, "{record}");
    assert!(record.contains("hello/libsome_shop.so,sha256="), "{record}");
}
