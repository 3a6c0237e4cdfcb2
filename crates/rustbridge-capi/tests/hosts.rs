//! Hosts in C call everything with everything; each is a program, so whatever would kill a host kills only it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustbridge_conformance::libraries;
use support::Link;

/// The plugin in C, `tests/c/plugin.c`.
fn c_plugin() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        support::source("tests/c/plugin.c").library(&support::scratch("hosts"), "c_plugin")
    })
}

fn hello_plugin() -> PathBuf {
    libraries::path("hello-plugin")
}

/// Built anew for each test, in a folder of its own: what's being run can't be written.
fn host(test: &str, name: &str, link: Link) -> Command {
    let program = support::source(&format!("tests/c/{name}.c"))
        .link(link)
        .program(&support::scratch(test), name);
    support::command(&program)
}

fn passes(name: &str, command: &mut Command) {
    let said = support::run(command);
    assert!(said.contains(&format!("{name}: ok")), "{said}");
}

#[test]
fn no_argument_however_wrong_gets_more_than_a_status() {
    passes(
        "arguments",
        host("shared", "arguments", Link::Shared).arg(c_plugin()),
    );
}

#[test]
fn no_argument_however_wrong_gets_more_than_a_status_with_the_library_linked_in() {
    passes(
        "arguments",
        host("static", "arguments", Link::Static).arg(c_plugin()),
    );
}

#[test]
fn requests_of_every_size_and_kind_of_wrongness_get_a_clear_answer() {
    passes(
        "requests",
        host("shared", "requests", Link::Shared)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn requests_get_the_same_answers_with_the_library_linked_in() {
    passes(
        "requests",
        host("static", "requests", Link::Static)
            .arg(c_plugin())
            .arg(hello_plugin()),
    );
}

#[test]
fn closing_waits_for_calls_and_refuses_later_ones_a_thousand_times() {
    passes(
        "closing",
        host("shared", "closing", Link::Shared)
            .arg(c_plugin())
            .arg("1000"),
    );
}

#[test]
fn records_arrive_in_order_and_a_sink_may_do_what_it_likes() {
    passes(
        "logging",
        host("shared", "logging", Link::Shared).arg(c_plugin()),
    );
}

/// What the memory checkers run: the same programs, with fewer rounds and without the 100 MB.
fn checked_runs() -> [(&'static str, Vec<PathBuf>); 4] {
    let c = c_plugin().to_owned();
    [
        ("arguments", vec![c.clone()]),
        ("requests", vec![c.clone(), hello_plugin(), "small".into()]),
        ("closing", vec![c.clone(), "20".into()]),
        ("logging", vec![c]),
    ]
}

#[test]
fn a_memory_checker_finds_nothing_in_the_hosts() {
    if support::have("valgrind") {
        for (name, arguments) in checked_runs() {
            let program = host("checked", name, Link::Shared);
            passes(name, support::under_valgrind(&program).args(arguments));
        }
    } else if cfg!(all(unix, not(target_os = "macos"))) {
        for (name, arguments) in checked_runs() {
            let program = support::source(&format!("tests/c/{name}.c"))
                .link(Link::Shared)
                .with_address_sanitizer()
                .program(&support::scratch("checked"), name);
            passes(name, support::command(&program).args(arguments));
        }
    } else {
        eprintln!(
            "skipped: no valgrind here, and no AddressSanitizer that works with a shared library of Rust's"
        );
    }
}

#[test]
fn the_memory_checker_finds_a_byte_too_far() {
    if !support::have("valgrind") {
        return;
    }
    let folder = support::scratch("hosts");
    let file = folder.join("too_far.c");
    std::fs::write(
        &file,
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n  volatile char *memory = malloc(4);\n  (void)argv;\n  \
         memory[3 + argc] = 1;\n  free((void *)memory);\n  return 0;\n}\n",
    )
    .unwrap();
    let program = support::source(file.to_str().unwrap()).program(&folder, "too_far");
    let output = support::under_valgrind(&Command::new(program))
        .output()
        .unwrap();
    assert!(!output.status.success(), "{}", support::text(&output));
}
