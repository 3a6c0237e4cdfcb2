//! Every conformance case through a host in C, and once more with a memory checker looking on.
//!
//! The host is `c/conformance.c`, a testee in the words of `conformance/protocol.md`; the judge is in this process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustbridge_conformance::cases::{Case, Files, Op, Plugin};
use rustbridge_conformance::report::Report;
use rustbridge_conformance::run::{self, CASE_LIMIT, Selection};
use rustbridge_conformance::testee::Testee;
use rustbridge_conformance::{libraries, system};

use crate::support::{self, Link};

/// Runs the wanted cases, which must all be right, with so much time for each.
fn run_those(
    make: impl Fn() -> Command + 'static,
    limit: Duration,
    wanted: impl Fn(&Case) -> bool,
    way: impl Fn(&str) -> bool,
) -> Report {
    let library =
        |plugin: Plugin| -> PathBuf { system::argument(&libraries::path(plugin.package())).into() };
    let files = Files::read().unwrap();
    let mut testee = Testee::start(make, library, limit).unwrap();
    let selection = Selection {
        case: &wanted,
        way: &way,
        until: None,
    };
    let report = run::all(&files, &mut testee, &selection);
    report.assert_right();
    let skipped = report.skipped();
    let wanted: Vec<&Case> = files.cases().filter(|case| wanted(case)).collect();
    let throwing = wanted.iter().filter(|case| case.throws()).count();
    assert_eq!(
        skipped.len(),
        throwing,
        "C can express every case but those: {skipped:?}"
    );
    assert_eq!(report.case_counts().passed, wanted.len() - throwing);
    eprint!("{report}");
    report
}

/// Without a memory checker the program looks itself at what lies behind the storage.
fn guarded(program: &Path) -> Command {
    let mut command = support::command(program);
    command.arg("guard");
    command
}

#[test]
fn every_case_is_right_in_a_c_host() {
    let program = support::source("tests/c/conformance.c")
        .link(Link::Shared)
        .program(&support::folder("conformance"), "conformance");
    run_those(move || guarded(&program), CASE_LIMIT, |_| true, |_| true).save();
}

#[test]
fn every_case_is_right_in_a_c_host_with_the_library_linked_in() {
    let program = support::source("tests/c/conformance.c")
        .link(Link::Static)
        .program(&support::folder("conformance"), "conformance_static");
    run_those(move || guarded(&program), CASE_LIMIT, |_| true, |_| true);
}

#[test]
fn a_memory_checker_finds_nothing_while_every_case_runs() {
    let source = support::source("tests/c/conformance.c").link(Link::Shared);
    // Memory checkers take minutes for a request of 100 MB; the other hosts here send it.
    let small = |case: &Case| {
        case.steps.iter().all(|step| match &step.op {
            Op::Call(call) => call.request.len() < 10_000_000,
            _ => true,
        })
    };
    // The ways differ in who passes what, which the other tests see; what they lead to is the same.
    let usual = |way: &str| way == "call";
    let limit = Duration::from_secs(600);
    let folder = support::folder("conformance");
    let report = if support::have_valgrind() {
        let program = source.program(&folder, "conformance_checked");
        let make = move || support::under_valgrind(&support::command(&program));
        run_those(make, limit, small, usual)
    } else if support::have_address_sanitizer() {
        let program = source
            .with_address_sanitizer()
            .program(&folder, "conformance_asan");
        run_those(move || support::command(&program), limit, small, usual)
    } else {
        eprintln!(
            "skipped: no valgrind here, and no AddressSanitizer that works with a shared library of Rust's"
        );
        return;
    };
    let (passed, all) = (
        report.case_counts().passed,
        Files::read()
            .unwrap()
            .cases()
            .filter(|case| !case.throws())
            .count(),
    );
    assert!(passed < all && passed + 3 >= all, "{passed} of {all}");
}
