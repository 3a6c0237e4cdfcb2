//! The commands that make projects, without building any: that is done from the packages, in their suite.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn rustbridge(folder: &Path, arguments: &[&str]) -> Output {
    child_process::output(
        Command::new(env!("CARGO_BIN_EXE_rustbridge"))
            .args(arguments)
            .current_dir(folder)
            .env_remove("RUSTBRIDGE_PACKAGES"),
        child_process::RUN,
    )
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaints(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder that looks like one of packages, in a folder whose name is awkward everywhere.
fn packages(folder: &TempDir, parts: &[&str]) -> String {
    let packages = folder.path().join("our \"packages\" & more");
    for part in ["crates/rustbridge"].iter().chain(parts) {
        fs::create_dir_all(packages.join(part)).unwrap();
    }
    fs::write(packages.join("crates/rustbridge/Cargo.toml"), "").unwrap();
    if parts.contains(&"python") {
        fs::write(packages.join("python/rustbridge-0.1.0-any.whl"), "").unwrap();
    }
    packages.to_str().unwrap().to_owned()
}

#[test]
#[cfg_attr(windows, ignore = "a folder there can't be called so")]
fn a_new_project_names_the_packages_by_a_link_that_every_checkout_has_its_own_of() {
    let folder = TempDir::new().unwrap();
    let packages = packages(&folder, &["python", "maven", "nuget", "c", "go", "node"]);
    let hosts = "python,java,csharp,kotlin,cpp,rust,go,node";
    let arguments = ["new", "two-words", "--host", hosts, "--packages", &packages];
    let made = rustbridge(folder.path(), &arguments);
    assert!(made.status.success(), "{}", complaints(&made));
    assert!(out(&made).contains("cd two-words"), "{}", out(&made));

    let read = |path: &str| {
        let path = folder.path().join("two-words").join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    assert!(read("Cargo.toml").contains("path = \"packages/crates/rustbridge\""));
    assert!(read(".gitignore").contains("\n/packages\n"));
    assert!(read("rust/Cargo.toml").contains("\"../packages/crates/rustbridge-host\""));
    assert!(read("go/go.mod").contains("=> ../packages/go\n"));
    assert!(read("go/main.go").contains("\"twowordshost/twowords\""));
    assert!(read("node/package.json").contains("\"file:../packages/node/rustbridge\""));
    assert!(read("node/src/main.ts").contains("import { TwoWords } from './two_words.js';"));
    assert!(read("cpp/CMakeLists.txt").contains("/../packages/c\""));
    assert!(read("python/requirements.txt").contains("--find-links ../packages/python\n"));
    for pom in ["java/pom.xml", "kotlin/pom.xml"] {
        assert!(read(pom).contains("<url>${project.baseUri}/../packages/maven</url>"));
    }
    assert!(read("csharp/nuget.config").contains("value=\"../packages/nuget\""));
    assert!(read("src/lib.rs").contains("pub struct TwoWords;"));
    assert!(read("python/main.py").contains("from two_words import TwoWords, Person"));
    assert!(read("rust/src/main.rs").contains("use two_words::{TwoWords, Person};"));
    // A class of `System` may be called so as well.
    assert!(read("csharp/Program.cs").contains("using TwoWords = TwoWordsClient.TwoWords;"));
    // The folder that the user has set may be locked by the host's build.
    assert!(read("rust/build.rs").contains(".env(\"CARGO_TARGET_DIR\", \"target\")"));
    assert!(read("csharp/TwoWordsHost.csproj").contains("Version=\"0.1.0\""));
    let project = folder.path().join("two-words");
    let link = project.join("packages");
    assert_eq!(fs::read_link(&link).unwrap(), Path::new(&packages));
    // A checkout of somebody else's doesn't have it.
    fs::remove_file(&link).unwrap();
    let left = walk(&project);
    let here = folder.path().to_str().unwrap();
    assert!(
        !left.iter().any(|file| file.contains(here)),
        "a folder of this machine is named: {left:?}"
    );
    assert!(
        !left.iter().any(|file| file.contains("{{")),
        "something isn't filled in: {left:?}"
    );

    let again = rustbridge(folder.path(), &arguments);
    assert_eq!(again.status.code(), Some(2));
    assert!(complaints(&again).contains("already exists"));
}

#[test]
#[cfg(unix)]
fn a_checkout_gets_its_link_to_the_packages_when_it_is_built() {
    let folder = TempDir::new().unwrap();
    let packages = packages(&folder, &[]);
    let made = rustbridge(folder.path(), &["new", "hello", "--packages", &packages]);
    assert!(made.status.success(), "{}", complaints(&made));
    let link = folder.path().join("hello/packages");
    let build = |named: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
        command
            .args(["build", "--project", "hello"])
            .current_dir(folder.path())
            .env_remove("RUSTBRIDGE_PACKAGES")
            .envs(named.map(|named| ("RUSTBRIDGE_PACKAGES", named)));
        complaints(&child_process::output(&mut command, child_process::RUN))
    };
    // What is there goes on being used.
    build(None);
    assert_eq!(fs::read_link(&link).unwrap(), Path::new(&packages));
    // It's missing, or leads to what is no longer there.
    fs::remove_file(&link).unwrap();
    build(Some(&packages));
    assert_eq!(fs::read_link(&link).unwrap(), Path::new(&packages));
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    build(Some(&packages));
    assert_eq!(fs::read_link(&link).unwrap(), Path::new(&packages));
    fs::remove_file(&link).unwrap();
    let said = build(None);
    assert!(said.contains("RUSTBRIDGE_PACKAGES"), "{said}");
    // What isn't ours stays as it is.
    fs::create_dir(&link).unwrap();
    fs::write(link.join("precious"), "").unwrap();
    let said = build(Some(&packages));
    assert!(
        said.contains("neither a link nor a folder of packages"),
        "{said}"
    );
    assert!(link.join("precious").is_file());
}

/// What is in each file of a folder.
fn walk(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(walk(&path));
        } else {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}

#[test]
fn nothing_is_made_of_a_name_or_packages_that_will_not_do() {
    let folder = TempDir::new().unwrap();
    let packages = packages(&folder, &[]);
    for (arguments, says) in [
        (&["new", "Hello"][..], "lower-case letters"),
        (&["new", "class"], "choose another"),
        (&["new", "json", "--host", "python"], "Python's own module"),
        (&["new", "while"], "choose another"),
        (&["new", "rustbridge-core"], "begin with `rustbridge`"),
        (&["new", "index", "--host", "cpp"], "function or type of C"),
        (&["new", ".."], "no name"),
        (&["new", "hello", "--host", "cobol"], "cobol"),
        (&["new", "hello", "--host", "python"], "without the wheel"),
        (&["new", "hello", "--host", "java"], "without the jars"),
        (&["new", "hello", "--host", "go"], "without the Go module"),
        (&["new", "go-to", "--host", "go"], "reserved in Go"),
        (
            &["new", "hello", "--host", "node"],
            "without the npm package",
        ),
        (&["new", "symbol", "--host", "node"], "JavaScript defines"),
    ] {
        let arguments = [arguments, &["--packages", &packages]].concat();
        let refused = rustbridge(folder.path(), &arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(
            complaints(&refused).contains(says),
            "{}",
            complaints(&refused)
        );
    }
    let elsewhere = rustbridge(folder.path(), &["new", "hello", "--packages", "nowhere"]);
    assert!(
        complaints(&elsewhere).contains("cargo xtask package"),
        "{}",
        complaints(&elsewhere)
    );
    let unnamed = rustbridge(folder.path(), &["new", "hello"]);
    assert!(
        complaints(&unnamed).contains("RUSTBRIDGE_PACKAGES"),
        "{}",
        complaints(&unnamed)
    );
    assert!(!folder.path().join("hello").exists());
}

#[test]
fn a_project_that_is_none_is_told_what_it_lacks() {
    let folder = TempDir::new().unwrap();
    let nowhere = rustbridge(folder.path(), &["build", "--project", "nowhere"]);
    assert_eq!(complaints(&nowhere), "error: there's no folder `nowhere`\n");
    let nothing = rustbridge(folder.path(), &["build"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(
        complaints(&nothing).contains("Cargo.toml"),
        "{}",
        complaints(&nothing)
    );

    let write = |manifest: &str| {
        let manifest = format!(
            "[package]\nname = \"some\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{manifest}\n[workspace]\n"
        );
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    };
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    write("");
    let rlib = rustbridge(folder.path(), &["build"]);
    assert!(
        complaints(&rlib).contains("crate-type"),
        "{}",
        complaints(&rlib)
    );
    write(
        "[lib]\ncrate-type = [\"cdylib\"]\n[package.metadata.rustbridge]\nhosts = [{ language = \"cobol\" }]",
    );
    let wrong = rustbridge(folder.path(), &["run"]);
    assert!(
        complaints(&wrong).contains("cobol"),
        "{}",
        complaints(&wrong)
    );
    write("[lib]\ncrate-type = [\"cdylib\"]");
    let hostless = rustbridge(folder.path(), &["run", "java"]);
    assert!(
        complaints(&hostless).contains("no host in java"),
        "{}",
        complaints(&hostless)
    );
}

#[test]
fn doctor_tells_which_tools_are_here() {
    let folder = TempDir::new().unwrap();
    let packages = packages(&folder, &[]);
    let told = rustbridge(folder.path(), &["doctor", "--packages", &packages]);
    assert!(told.status.success(), "{}{}", out(&told), complaints(&told));
    assert!(out(&told).contains("ok       Rust"), "{}", out(&told));
    let json = rustbridge(
        folder.path(),
        &["doctor", "--json", "--packages", &packages],
    );
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["purposes"][0]["tools"][0]["name"], "Rust");
    assert!(json["packages"]["problem"].is_null());
    let without = rustbridge(folder.path(), &["doctor"]);
    assert_eq!(without.status.code(), Some(1));
    assert!(
        out(&without).contains("missing  packages"),
        "{}",
        out(&without)
    );
}

#[test]
fn a_shell_gets_what_it_completes_by() {
    let folder = TempDir::new().unwrap();
    let bash = rustbridge(folder.path(), &["completions", "bash"]);
    assert!(out(&bash).contains("--host"));
}
