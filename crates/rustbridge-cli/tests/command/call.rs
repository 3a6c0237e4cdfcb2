//! `rustbridge call`, of plugins as they are built.

use std::fs;
use std::process::{Command, Output};

use rustbridge_conformance::libraries;
use serde_json::Value;
use tempfile::TempDir;

/// Calls a method of a package's plugin, with this on standard input.
#[track_caller]
fn call(package: &str, arguments: &[&str], input: &str) -> Output {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("input");
    fs::write(&file, input).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge"));
    command
        .arg("call")
        .arg(libraries::path(package))
        .args(arguments)
        .stdin(fs::File::open(&file).unwrap());
    let ended = child_process::run(&mut command, child_process::RUN).unwrap();
    let Some(status) = ended.status else {
        panic!("{command:?} hung; it said:\n{}", ended.said());
    };
    Output {
        status,
        stdout: ended.stdout,
        stderr: ended.stderr,
    }
}

#[track_caller]
fn answer(package: &str, arguments: &[&str], input: &str) -> String {
    let output = call(package, arguments, input);
    assert!(output.status.success(), "{}", complaints(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What was said of a call that wasn't answered, and how the command ended.
#[track_caller]
fn refused(package: &str, arguments: &[&str]) -> (i32, String) {
    let output = call(package, arguments, "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    (output.status.code().unwrap(), complaints(&output))
}

fn complaints(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_request_is_an_argument_a_file_or_standard_input() {
    let greeted = "{\"greeting\":\"Hello, Ada! Welcome to rustbridge.\"}\n";
    let request = r#"{"name":"Ada"}"#;
    assert_eq!(answer("hello-plugin", &["greet", request], ""), greeted);
    assert_eq!(answer("hello-plugin", &["greet", "-"], request), greeted);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("request.json");
    fs::write(&file, request).unwrap();
    let file = format!("@{}", file.display());
    assert_eq!(answer("hello-plugin", &["greet", &file], ""), greeted);
    let config = [
        "user.create",
        r#"{"username":"ada","email":"a@b"}"#,
        "--config",
        r#"{"first_user":41}"#,
    ];
    assert!(answer("hello-plugin", &config, "").contains("user-00000029"));
}

#[test]
fn streams_are_printed_and_sent_line_by_line() {
    let numbers = answer(
        "operations-plugin",
        &["stream.numbers", r#"{"from":1,"to":4}"#],
        "",
    );
    assert_eq!(numbers, "1\n2\n3\n");
    let lines = "{\"value\":1}\r\n\n{\"value\":2}\n";
    let sum = ["items.sum", r#"{"value":10}"#, "--items", "-"];
    assert_eq!(answer("operations-plugin", &sum, lines), "{\"value\":13}\n");
    let double = ["items.double", "--items", "-"];
    assert_eq!(
        answer("operations-plugin", &double, lines),
        "{\"value\":2}\n{\"value\":4}\n"
    );
    let first = ["items.first", "--items", "{\"value\":7}\n{\"value\":8}"];
    assert_eq!(answer("operations-plugin", &first, ""), "{\"value\":7}\n");
    let texts = answer("operations-plugin", &["stream.texts", "3"], "");
    assert_eq!(texts, "xxxxxx");
}

#[test]
fn a_failure_is_told_with_what_it_has() {
    let fail = ["async.fail", r#"{"text":"no \u001b[2J"}"#];
    let (code, said) = refused("operations-plugin", &fail);
    assert_eq!(code, 1);
    assert!(
        said.starts_with("error: DATA_LOSS (Error): no \\u{1b}[2J"),
        "{said}"
    );
    assert!(said.contains("\"n\": 7"), "{said}");
    let output = call("operations-plugin", &[&fail[..], &["--json"]].concat(), "");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&told["code"], &told["details"]["n"]),
        (&"DATA_LOSS".into(), &7.into())
    );
    let broken = call(
        "operations-plugin",
        &["stream.numbers", r#"{"from":1,"to":5,"fail_at":3}"#],
        "",
    );
    assert_eq!(broken.stdout, b"1\n2\n");
    assert!(complaints(&broken).contains("broken at 3"));
    let late = [
        "test.sleep",
        r#"{"duration_ms":60000}"#,
        "--timeout",
        "0.05",
    ];
    let (code, said) = refused("hello-plugin", &late);
    assert_eq!(code, 1);
    assert!(said.contains("DEADLINE_EXCEEDED"), "{said}");
}

#[test]
fn what_cannot_be_called_is_told_with_what_to_do() {
    for (package, arguments, wanted) in [
        ("hello-plugin", &["nothing", "-5"][..], "has no method"),
        ("hello-plugin", &["gret"], "did you mean `greet`?"),
        ("hello-plugin", &["zzzzz"], "it has `echo`, `greet`, "),
        (
            "hello-plugin",
            &["Counter.get"],
            "is called of a `Counter`, an object",
        ),
        (
            "operations-plugin",
            &["items.sum", r#"{"value":10}"#],
            "pass the items by `--items @FILE`",
        ),
        (
            "hello-plugin",
            &["greet", "--items", "x"],
            "accepts no stream",
        ),
        (
            "hello-plugin",
            &["greet", "@/nowhere/at all"],
            "`/nowhere/at all` can't be read",
        ),
        (
            "operations-plugin",
            &["items.first", "--items", "@/nowhere"],
            "`/nowhere` can't be read",
        ),
        (
            "operations-plugin",
            &["items.first", "-", "--items", "-"],
            "only once",
        ),
        (
            "operations-plugin",
            &["items.first", "--items", "-", "--repeat", "2"],
            "only once",
        ),
        ("hello-plugin", &["greet", "--timeout=-1"], "--timeout"),
        ("hello-plugin", &["greet", "--repeat", "0"], "--repeat"),
        ("hello-plugin", &["greet", "{}", "--config", "{"], "config"),
        (
            "fault-services",
            &["x"],
            "the command line offers no services",
        ),
    ] {
        let (code, said) = refused(package, arguments);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn times_are_told_beside_the_answer() {
    let repeated = ["math.add", r#"{"a":1,"b":2}"#, "--repeat", "50"];
    let output = call("hello-plugin", &repeated, "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    let table = complaints(&output);
    assert!(table.starts_with("50 calls\n"), "{table}");
    for row in ["the median", "the slowest", "99 of 100 at most"] {
        assert!(table.contains(row), "{table}");
    }
    let told = answer("hello-plugin", &[&repeated[..], &["--json"]].concat(), "");
    let times: Value = serde_json::from_str(told.lines().nth(1).unwrap()).unwrap();
    assert_eq!(times["calls"], 50);
    assert!(times["min_ns"].as_u64() <= times["max_ns"].as_u64());
}

#[test]
fn what_the_plugin_logs_is_shown_where_that_is_asked_for() {
    let create = ["user.create", r#"{"username":"ada","email":"a@b"}"#];
    let quiet = call("hello-plugin", &create, "");
    assert_eq!(complaints(&quiet), "");
    let more = [&create[..], &["--log", "debug"]].concat();
    let told = call("hello-plugin", &more, "");
    assert!(told.status.success());
    let records = complaints(&told);
    assert!(records.starts_with("DEBUG hello"), "{records}");
    assert!(
        records.contains("user created {") && records.contains("\"email\":\"a@b\""),
        "{records}"
    );
}
