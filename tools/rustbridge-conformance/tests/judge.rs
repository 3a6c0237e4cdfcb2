//! The judge on a testee that lies: every lie is caught, and told with the case that it was told in.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rustbridge_conformance::cases::Files;
use rustbridge_conformance::report::{Outcome, Report};
use rustbridge_conformance::run::{self, Selection};
use rustbridge_conformance::testee::Testee;

const CASES: &str = r#"{"topic": "puppet", "doc": "What the puppet knows.", "cases": [
  {"id": "echo", "plugin": "hello", "method": "echo", "encoding": "raw", "request": {"text": "abc"},
   "expect": {"status": "OK", "response": {"text": "abc"}}},
  {"id": "json", "plugin": "hello", "method": "json", "encoding": "json", "request": {"text": "{}"},
   "expect": {"status": "OK", "response": {"json": {"a": 1}}}},
  {"id": "fail", "plugin": "hello", "method": "fail", "encoding": "json", "request": {"text": "{}"},
   "expect": {"status": "NOT_FOUND", "error": {"type": "T", "message": "not there", "details": {"x": 1}}}},
  {"id": "load", "plugin": "hello", "config": "refused", "load": {"status": "NOT_FOUND", "error": {"type": "T"}}},
  {"id": "close", "plugin": "hello", "steps": [{"op": "state", "expect": {"state": "active"}},
   {"op": "close", "expect": {"status": "OK"}}, {"op": "state", "expect": {"state": "closed"}}]},
  {"id": "logs", "plugin": "hello", "logs": {"a": {"level": "INFO", "records": [
   {"level": "INFO", "message": "hello", "target": "t", "fields": {"n": 1}, "spans": ["s"]}]}},
   "steps": [{"op": "log_level", "level": "INFO"}]},
  {"id": "pending", "plugin": "hello", "needs": ["operations"], "steps": [
   {"op": "begin", "as": "a", "method": "stream", "encoding": "json", "demand": [2, 9]},
   {"op": "items", "of": "a", "expect": {"items": [{"text": "1"}, {"json": 2}]}}, {"op": "quiet", "of": "a"},
   {"op": "demand", "of": "a", "items": 1, "bytes": 1},
   {"op": "end", "of": "a", "expect": {"status": "OK", "response": {"json": {}}, "trailers": [["k", "v"]], "objects": ["c"]}},
   {"op": "release", "object": "c"}]},
  {"id": "beyond", "plugin": "hello", "needs": ["c-abi"], "method": "echo", "encoding": 77, "expect": {"status": "OK"}}
]}"#;

fn files() -> Files {
    Files {
        files: vec![serde_json::from_str(CASES).expect("the cases are what the format says")],
    }
}

fn testee(lie: &'static str, limit: Duration) -> Result<Testee, String> {
    let make = move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge-conformance-puppet"));
        command.arg(lie);
        command
    };
    Testee::start(make, |_| PathBuf::from("no library"), limit)
}

/// Long enough for any puppet that doesn't hang.
const LIMIT: Duration = Duration::from_secs(60);

fn told(lie: &'static str) -> Report {
    let mut testee = testee(lie, LIMIT).unwrap();
    run::all(&files(), &mut testee, &Selection::all())
}

fn failures(report: &Report) -> Vec<(&str, &str)> {
    report
        .runs
        .iter()
        .filter_map(|run| match &run.outcome {
            Outcome::Failed(why) => Some((&*run.case, &**why)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_testee_that_does_what_it_is_told_is_right() {
    let report = told("");
    assert_eq!(failures(&report), []);
    assert!(report.is_right());
    assert_eq!(report.skipped(), ["beyond"]);
    let ways: Vec<(&str, &str)> = report
        .runs
        .iter()
        .map(|run| (&*run.case, &*run.way))
        .collect();
    let expected = [
        ("echo", "plain"),
        ("json", "plain"),
        ("fail", "plain"),
        ("load", "plain"),
        ("close", "plain"),
        ("logs", "plain"),
        ("pending", "plain"),
        ("beyond", "plain"),
        // By text, what can be called with text.
        ("json", "text"),
        ("fail", "text"),
        ("json", "value"),
        ("fail", "value"),
    ];
    assert_eq!(ways, expected);
    assert_eq!(report.calls, 8);
}

#[test]
fn every_lie_is_caught_in_the_case_that_it_is_told_in() {
    for (lie, case, why) in [
        ("changes a byte", "echo", "differ at 0"),
        ("adds a byte", "echo", "differ at 3"),
        ("names a member twice", "json", "twice"),
        ("leaves a member out", "json", "expected {\"a\":1}"),
        ("succeeds", "fail", "expected NOT_FOUND, found OK"),
        ("changes the status", "fail", "found INTERNAL"),
        ("changes the message", "fail", "expected the message"),
        ("changes the type", "fail", "expected the type T"),
        ("leaves the details out", "fail", "expected the details"),
        ("leaves a field out", "fail", "isn't four texts"),
        (
            "loads a plugin that should be refused",
            "load",
            "but it loaded",
        ),
        ("stays open", "close", "step 3: expected to be closed"),
        ("swallows a record", "logs", "expected 1 records, found 0"),
        ("cuts a record off", "logs", "isn't five texts"),
        ("makes up a status", "echo", "99 is no status"),
        ("breaks a promise", "echo", "bytes behind the storage"),
        ("swallows an item", "pending", "item 1 doesn't come"),
        ("adds an item", "pending", "step 3: an item came"),
        ("ends too early", "pending", "step 3: it ended with OK"),
        ("changes a trailer", "pending", "expected the trailers"),
        (
            "gives an object too many",
            "pending",
            "expected 1 objects, found 2",
        ),
        ("cuts an event off", "pending", "the event can't be read"),
        (
            "releases nothing",
            "pending",
            "expected OK, found NOT_FOUND",
        ),
    ] {
        let report = told(lie);
        let found = failures(&report);
        assert!(
            found
                .iter()
                .any(|(at, said)| *at == case && said.contains(why)),
            "{lie}: {found:?}"
        );
        assert!(!report.is_right(), "{lie}");
        // Whoever lies in one place is still heard in the others.
        assert!(report.run_counts().passed >= 3, "{lie}: {report}");
    }
}

#[test]
fn a_testee_that_ends_is_told_of_with_its_last_words_and_started_anew() {
    for (lie, why) in [
        ("dies", "the last words"),
        ("stops in the middle of an answer", "gone"),
        ("answers another command", "answered 'C' with 'P'"),
    ] {
        let report = told(lie);
        let found = failures(&report);
        let cases: Vec<&str> = found.iter().map(|(case, _)| *case).collect();
        // One death for each call, and the cases without one are right in between.
        assert_eq!(
            cases,
            ["echo", "json", "fail", "json", "fail", "json", "fail"],
            "{lie}"
        );
        assert!(found[0].1.contains(why), "{lie}: {found:?}");
        assert_eq!(report.run_counts().passed, 4, "{lie}");
    }
}

#[test]
fn a_testee_that_ends_ever_again_is_given_up() {
    let mut files = files();
    let cases = &mut files.files[0].cases;
    let echo = cases[0].clone();
    *cases = vec![echo; 8];
    let mut testee = testee("dies", LIMIT).unwrap();
    let report = run::all(&files, &mut testee, &Selection::all());
    let found = failures(&report);
    assert_eq!(found.len(), 8);
    assert!(found[4].1.contains("gone"));
    assert!(found[5].1.starts_with("not run: "), "{found:?}");
}

#[test]
fn a_testee_that_hangs_is_ended_and_told_of() {
    let mut testee = testee("hangs", Duration::from_secs(2)).unwrap();
    let selection = Selection {
        case: &|case| ["echo", "load"].contains(&&*case.id),
        ..Selection::all()
    };
    let report = run::all(&files(), &mut testee, &selection);
    let found = failures(&report);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "echo");
    assert!(found[0].1.contains("hung"), "{found:?}");
    assert_eq!(report.run_counts().passed, 1);
}

#[test]
fn what_the_time_is_over_for_is_not_right() {
    let mut testee = testee("", LIMIT).unwrap();
    let selection = Selection {
        until: Some(Instant::now()),
        ..Selection::all()
    };
    let report = run::all(&files(), &mut testee, &selection);
    assert!(!report.is_right());
    assert!(failures(&report)[0].1.contains("not run"));
}

#[test]
fn an_end_that_is_not_good_is_told_of() {
    for lie in ["ends badly", "answers without a question"] {
        let report = told(lie);
        let found = failures(&report);
        assert_eq!(found.len(), 1, "{lie}: {found:?}");
        assert_eq!(found[0].0, "the end of the host", "{lie}");
    }
}

#[test]
fn a_testee_of_another_protocol_is_refused() {
    let problem = testee("speaks another protocol", LIMIT).err().unwrap();
    assert!(problem.contains("protocol"), "{problem}");
}

#[test]
fn the_program_fails_where_a_case_does_and_writes_what_was_wrong() {
    let folder = std::env::temp_dir().join(format!("rb-test-judge-{}", std::process::id()));
    let cases = folder.join("cases");
    fs::create_dir_all(&cases).unwrap();
    fs::write(cases.join("puppet.json"), CASES).unwrap();
    let judge = |lie: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustbridge-conformance"));
        command.args(["run", "--host", "puppet", "--total", "60"]);
        command.arg("--cases").arg(&cases);
        command.arg("--plugins").arg(&folder);
        command
            .arg("--results")
            .arg(folder.join("results"))
            .args(["--platform", "Here"])
            .args([
                "--testee",
                env!("CARGO_BIN_EXE_rustbridge-conformance-puppet"),
            ]);
        child_process::output(command.arg(lie), child_process::RUN)
    };
    let output = judge("");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("7 cases were right, 0 wrong, 1 skipped"),
        "{said}"
    );
    let output = judge("changes a byte");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success());
    assert!(said.contains("FAILED: echo by plain: "), "{said}");
    let results = folder.join("results");
    let summary = fs::read_to_string(results.join("here-puppet.json")).unwrap();
    assert!(summary.contains("differ at 0"), "{summary}");
    let xml = fs::read_to_string(results.join("here-puppet.xml")).unwrap();
    assert!(xml.contains("failures=\"1\""), "{xml}");
    fs::remove_dir_all(&folder).unwrap();
}
