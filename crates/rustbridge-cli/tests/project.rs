//! The commands about projects where the tools that they start are scripts, which say what the test is about.
//!
//! A program of its own, because the system refuses to run a script that another process still has open for writing, as a child
//! has it that another test starts while the script is written. Few tests start children here.

#![cfg(unix)]

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::json;
use tempfile::TempDir;

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaints(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn doctor_tells_what_is_missing_from_what_is_broken() {
    let folder = TempDir::new().unwrap();
    script(
        &folder.path().join("bin/mvn"),
        "echo no JAVA_HOME >&2; exit 1",
    );
    let told = child_process::output(
        Command::new(env!("CARGO_BIN_EXE_rustbridge"))
            .arg("doctor")
            .env("PATH", folder.path().join("bin")),
        child_process::RUN,
    );
    let told = out(&told);
    assert!(
        told.contains("Maven         `mvn -version` doesn't report its version"),
        "{told}"
    );
    assert!(told.contains(".NET SDK      it isn't on PATH"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn packages_in_a_folder_that_is_not_unicode_are_told_all_the_same() {
    use std::os::unix::ffi::OsStrExt;

    let folder = TempDir::new().unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    fs::create_dir_all(odd.join("crates/rustbridge")).unwrap();
    fs::write(odd.join("crates/rustbridge/Cargo.toml"), "").unwrap();
    let told = child_process::output(
        Command::new(env!("CARGO_BIN_EXE_rustbridge"))
            .args(["doctor", "--json"])
            .env("RUSTBRIDGE_PACKAGES", &odd),
        child_process::RUN,
    );
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert!(told["packages"]["problem"].is_null(), "{told}");
}

#[test]
fn a_project_is_made_as_well_where_nobody_reads_what_to_do_with_it() {
    let folder = TempDir::new().unwrap();
    let packages = folder.path().join("packages");
    fs::create_dir_all(packages.join("crates/rustbridge")).unwrap();
    fs::write(packages.join("crates/rustbridge/Cargo.toml"), "").unwrap();
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
    command
        .args(["new", "hello", "--packages"])
        .arg(&packages)
        .current_dir(folder.path())
        .stdout(writer)
        .stderr(Stdio::piped());
    let ended = command.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{}", complaints(&ended));
    assert!(folder.path().join("hello/src/lib.rs").is_file());
}

#[test]
fn where_a_new_project_is_is_said_as_a_shell_takes_it() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("crates/rustbridge")).unwrap();
    fs::write(folder.path().join("crates/rustbridge/Cargo.toml"), "").unwrap();
    let made = child_process::output(
        Command::new(env!("CARGO_BIN_EXE_rustbridge"))
            .args(["new", "Ada's own/hello", "--packages", "."])
            .current_dir(folder.path()),
        child_process::RUN,
    );
    let said = out(&made);
    assert!(said.contains("cd 'Ada'\\''s own/hello'\n"), "{said}");
}

#[test]
fn a_reader_that_is_gone_is_no_crash() {
    let library = rustbridge_conformance::libraries::path("hello-plugin");
    let folder = TempDir::new().unwrap();
    for arguments in [
        &["inspect"][..],
        &["inspect", "--json"],
        &["gen", "-l", "python", "-o", "."],
        &["diff", library.to_str().unwrap()],
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
        command
            .args(arguments)
            .arg(&library)
            .current_dir(folder.path())
            .stdout(writer)
            .stderr(Stdio::piped());
        let ended = command.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{}", complaints(&ended));
    }
}

fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;

    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A project of a plugin that is built already, with a host in Python; cargo says what it would say.
fn built_project(folder: &TempDir, source: &str) -> (PathBuf, Command) {
    let root = folder.path().canonicalize().unwrap().join("project");
    let manifest = root.join("Cargo.toml");
    fs::create_dir_all(root.join(source).parent().unwrap()).unwrap();
    fs::create_dir_all(root.join("python")).unwrap();
    fs::write(&manifest, "").unwrap();
    fs::write(root.join(source), "").unwrap();
    let host =
        json!({"language": "python", "folder": "python", "client": "python", "library": "python"});
    let metadata = json!({"packages": [{
        "name": "some", "id": "path+file:///some#0.1.0", "manifest_path": manifest,
        "targets": [{"kind": ["cdylib"], "name": "some", "src_path": root.join(source)}],
        "metadata": {"rustbridge": {"hosts": [host]}},
    }]});
    let shared = folder.path().canonicalize().unwrap().join("shared words");
    fs::create_dir_all(&shared).unwrap();
    fs::write(shared.join("de.txt"), "").unwrap();
    // Beside it cargo lists what it's made of.
    let original = rustbridge_conformance::libraries::path("hello-plugin");
    let library = root.join("built").join(original.file_name().unwrap());
    fs::create_dir_all(root.join("built")).unwrap();
    fs::copy(&original, &library).unwrap();
    let list = format!(
        "{}: {} {}/de.txt\n",
        library.display(),
        root.join(source).display(),
        shared.display().to_string().replace(' ', "\\ ")
    );
    fs::write(library.with_extension("d"), list).unwrap();
    let made =
        json!({"reason": "compiler-artifact", "manifest_path": manifest, "filenames": [library]});
    fs::write(root.join("metadata.json"), metadata.to_string()).unwrap();
    fs::write(root.join("made.json"), format!("{made}\n")).unwrap();
    let cargo = folder.path().join("cargo");
    let says = format!(
        "cd '{}'\ncase $1 in\nlocate-project) echo '{}';;\nmetadata) cat metadata.json;;\n\
         *) echo 'a macro is here'; cat made.json;;\nesac",
        root.display(),
        manifest.display()
    );
    script(&cargo, &says);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
    command.current_dir(&root).env("CARGO", &cargo);
    (root, command)
}

#[test]
fn a_build_goes_on_where_a_macro_prints() {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, "src/lib.rs");
    let built = child_process::output(command.args(["build", "--json"]), child_process::RUN);
    assert!(built.status.success(), "{}", complaints(&built));
    assert!(complaints(&built).contains("a macro is here"));
    let json: serde_json::Value = serde_json::from_slice(&built.stdout).unwrap();
    assert_eq!(json["changed"].as_array().unwrap().len(), 2, "{json}");
    assert!(root.join("python/hello.py").is_file());
}

#[test]
fn a_hosts_client_is_written_as_its_entry_says() {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, "src/lib.rs");
    // It has integers of 64 bits, and enums with data.
    let library = rustbridge_conformance::libraries::path("types-plugin");
    let made = fs::read_to_string(root.join("made.json")).unwrap();
    let mut made: serde_json::Value = serde_json::from_str(&made).unwrap();
    made["filenames"] = json!([library]);
    fs::write(root.join("made.json"), format!("{made}\n")).unwrap();
    let metadata = root.join("metadata.json");
    let text = fs::read_to_string(&metadata).unwrap();
    // Its own description has all of its types.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let described = crates.join("../plugins/types-plugin/types.rbdesc");
    fs::copy(described, root.join("types.rbdesc")).unwrap();
    let host = |int64: &str| {
        let told = format!(
            r#""language":"node","namespace":"other","int64":"{int64}","tag":"type","import":{{"./same.js":"types.rbdesc"}}"#
        );
        fs::write(&metadata, text.replace(r#""language":"python""#, &told)).unwrap();
    };
    host("number");
    let built = child_process::output(command.arg("build"), child_process::RUN);
    assert!(built.status.success(), "{}", complaints(&built));

    let mut write = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
    write
        .args(["gen", "-l", "typescript", "--namespace", "other"])
        .args(["--int64", "number", "--tag", "type", "-o", "gen"])
        .args(["--import", "./same.js=types.rbdesc"])
        .arg(&library)
        .current_dir(&root);
    let written = child_process::output(&mut write, child_process::RUN);
    assert!(written.status.success(), "{}", complaints(&written));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert_eq!(read("python/other.ts"), read("gen/other.ts"));
    assert!(read("python/other.ts").contains("} from \"./same.js\";"));

    host("float");
    let refused = child_process::output(&mut command, child_process::RUN);
    let said = complaints(&refused);
    assert!(said.contains("float"), "{said}");
}

#[test]
fn a_client_is_not_written_over_a_file_of_somebody_elses() {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, "src/lib.rs");
    let client = root.join("python/hello.py");
    fs::write(&client, "print('mine')\n").unwrap();
    let refused = child_process::output(command.arg("build"), child_process::RUN);
    assert_eq!(refused.status.code(), Some(2));
    let said = complaints(&refused);
    assert!(
        said.contains("isn't one that `rustbridge gen` has written"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&client).unwrap(), "print('mine')\n");
}

#[test]
fn an_environment_that_was_left_half_made_is_made_whole() {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, "src/lib.rs");
    let python = root.join("python/.venv/bin/python");
    fs::write(root.join("python/requirements.txt"), "").unwrap();
    fs::write(root.join("python/main.py"), "").unwrap();
    script(&python, "echo there is no pip >&2; exit 1");
    let whole = format!("printf '#!/bin/sh\\nexit 0\\n' > '{}'", python.display());
    script(&folder.path().join("bin/python3"), &whole);
    let path = env::var_os("PATH").unwrap();
    let path = [folder.path().join("bin")]
        .into_iter()
        .chain(env::split_paths(&path));
    command.env("PATH", env::join_paths(path).unwrap());
    let ran = child_process::output(command.arg("run"), child_process::RUN);
    assert!(ran.status.success(), "{}", complaints(&ran));
}

#[test]
fn a_host_is_given_what_stands_behind_two_dashes_and_finds_the_packages() {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, "src/lib.rs");
    let packages = folder.path().join("pack ages");
    fs::create_dir_all(packages.join("crates/rustbridge")).unwrap();
    fs::write(packages.join("crates/rustbridge/Cargo.toml"), "").unwrap();
    let environment = root.join("python/.venv");
    script(
        &environment.join("bin/python"),
        "cat; echo \"$RUSTBRIDGE_PACKAGES_URL\"; echo \"$RUSTBRIDGE_PACKAGES: $@\"",
    );
    for place in [&root.join("python"), &environment] {
        fs::write(place.join("requirements.txt"), "").unwrap();
    }
    command
        .env("RUSTBRIDGE_PACKAGES", &packages)
        .args(["run", "python", "--", "--deep", "a b"]);
    let input = folder.path().join("input");
    fs::write(&input, "what is piped to it\n").unwrap();
    command.stdin(fs::File::open(&input).unwrap());
    let ran = child_process::run(&mut command, child_process::RUN).unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let place = packages.display().to_string();
    let url = place.replace(' ', "%20");
    let wanted = format!("what is piped to it\nfile://{url}\n{place}: main.py --deep a b\n");
    assert_eq!(said, wanted);
}

#[test]
fn arguments_are_for_one_host_and_not_for_one_that_maven_starts() {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, "src/lib.rs");
    let refused = child_process::output(command.args(["run", "--", "x"]), child_process::RUN);
    assert_eq!(refused.status.code(), Some(2));
    let said = complaints(&refused);
    assert!(said.contains("HOST"), "{said}");

    let metadata = root.join("metadata.json");
    let text = fs::read_to_string(&metadata).unwrap();
    let text = text.replace(r#""language":"python""#, r#""language":"java""#);
    fs::write(&metadata, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
    command
        .args(["run", "java", "--", "x"])
        .current_dir(&root)
        .env("CARGO", folder.path().join("cargo"));
    let refused = child_process::output(&mut command, child_process::RUN);
    assert_eq!(refused.status.code(), Some(2));
    let said = complaints(&refused);
    assert!(said.contains("arguments can't be passed"), "{said}");
}

/// The profile in which cargo was last asked to build.
#[cfg(unix)]
fn profile_of(root: &Path) -> String {
    let asked = fs::read_to_string(root.join("asked")).unwrap();
    let mut words = asked.split_whitespace();
    words.find(|word| *word == "--profile").unwrap();
    words.next().unwrap().to_owned()
}

#[test]
#[cfg(unix)]
fn what_runs_is_built_for_development_and_what_is_built_as_it_ships() {
    let folder = TempDir::new().unwrap();
    let (root, _) = built_project(&folder, "src/lib.rs");
    let cargo = folder.path().join("cargo");
    let text = fs::read_to_string(&cargo).unwrap();
    fs::write(
        &cargo,
        text.replace("*) echo", "*) echo \"$@\" > asked; echo"),
    )
    .unwrap();
    let metadata = root.join("metadata.json");
    let text = fs::read_to_string(&metadata).unwrap();
    let text = text.replace(r#""language":"python""#, r#""language":"java""#);
    fs::write(&metadata, text).unwrap();
    // As a host's build calls it. What cargo is asked for then would take the place of what `run` has asked for.
    let maven = folder.path().join("bin").join("mvn");
    let rustbridge = env!("CARGO_BIN_EXE_rustbridge");
    script(
        &maven,
        &format!("'{rustbridge}' build --quiet --project .. && echo the host has built"),
    );
    let others = env::var("PATH").unwrap();
    let path = format!("{}:{others}", maven.parent().unwrap().display());
    for (arguments, expected) in [
        (&["build"][..], "release"),
        (&["build", "--quiet"], "release"),
        (&["build", "--profile", "small"], "small"),
        (&["run"], "dev"),
        (&["run", "--release"], "release"),
    ] {
        let mut command = Command::new(rustbridge);
        command
            .args(arguments)
            .current_dir(&root)
            .env("CARGO", &cargo)
            .env("PATH", &path)
            .env_remove("RUSTBRIDGE_BUILT");
        if arguments[0] == "build" {
            // Another project was built.
            command.env("RUSTBRIDGE_BUILT", folder.path());
        }
        let output = child_process::output(&mut command, child_process::RUN);
        assert!(output.status.success(), "{}", complaints(&output));
        assert_eq!(profile_of(&root), expected, "{arguments:?}");
        if arguments[0] == "run" {
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("the host has built"), "{said}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_change_is_seen_though_something_beside_the_sources_never_rests() {
    for source in ["src/lib.rs", "lib.rs", "source/lib.rs"] {
        sees_a_change(source, source);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_change_of_a_file_that_is_included_from_elsewhere_is_seen() {
    sees_a_change("src/lib.rs", "../shared words/de.txt");
}

fn sees_a_change(source: &str, changed: &str) {
    let folder = TempDir::new().unwrap();
    let (root, mut command) = built_project(&folder, source);
    command
        .args(["watch", "greet", r#"{"name":"Ada"}"#])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (sender, lines) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let first = lines.recv_timeout(Duration::from_secs(60));
    let log = root.join("some.log");
    let until = Instant::now() + Duration::from_secs(20);
    let mut second = None;
    for round in 0.. {
        fs::write(&log, round.to_string()).unwrap();
        // Again and again, since it may not be watched yet when it's written first.
        if round % 40 == 10 {
            fs::write(root.join(changed), round.to_string()).unwrap();
        }
        second = lines.recv_timeout(Duration::from_millis(50)).ok();
        if second.is_some() || Instant::now() > until {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.is_ok(), "{changed}: nothing was called");
    assert_eq!(second, first.ok(), "{changed}");
}
