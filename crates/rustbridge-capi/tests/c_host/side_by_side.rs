//! The programs in C and C++ whose parts the guides show that go side by side: they are built and run.

use rustbridge_conformance::{libraries, system};

use crate::support::{self, Link, Source};

fn runs(source: Source<'_>, name: &str) {
    let folder = support::folder("side_by_side");
    let program = source.program(&folder, name);
    let mut command = support::command(&program);
    for plugin in ["hello-plugin", "operations-plugin", "conformance-plugin"] {
        command.arg(system::argument(&libraries::path(plugin)));
    }
    let said = support::run(&mut command);
    assert!(said.contains("side by side: ok"), "{said}");
}

#[test]
fn what_is_shown_of_c_works() {
    let source = support::source("tests/c/side_by_side.c").link(Link::Shared);
    runs(source, "side_by_side_c");
}

#[test]
fn what_is_shown_of_cpp_works() {
    let source = support::source("tests/cpp/side_by_side.cpp")
        .include("tests/cpp")
        .link(Link::Shared)
        .with_hpp();
    runs(source, "side_by_side_cpp");
}
