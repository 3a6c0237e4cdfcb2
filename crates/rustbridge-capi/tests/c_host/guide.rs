//! The guide for hosts in C: what it shows stands, word for word, in a program that is built and run, `tests/c/guide.c`.

use std::fs;
use std::path::Path;

use rustbridge_conformance::{libraries, system};

use crate::support;

/// Without the spaces that all of its lines have in front.
fn dedented(block: &str) -> String {
    let lines = || block.lines().filter(|line| !line.trim().is_empty());
    let indent = lines()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = block
        .lines()
        .map(|line| line.get(indent..).unwrap_or_default())
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn shown() -> Vec<String> {
    let guide = fs::read_to_string(support::workspace().join("docs/guide/c.md")).unwrap();
    guide
        .split("\n```")
        .filter_map(|part| part.strip_prefix("c\n"))
        .map(dedented)
        .collect()
}

fn built() -> Vec<String> {
    let source = fs::read_to_string(Path::new(support::CRATE).join("tests/c/guide.c")).unwrap();
    source
        .split("/* guide */\n")
        .skip(1)
        .map(|part| {
            let (block, _) = part
                .split_once("/* end */")
                .expect("a snippet ends somewhere");
            dedented(block.trim_end())
        })
        .collect()
}

#[test]
fn what_the_guide_shows_is_what_is_built() {
    let (shown, built) = (shown(), built());
    for block in &shown {
        assert!(built.contains(block), "guide.c hasn't:\n{block}");
    }
    for block in &built {
        assert!(shown.contains(block), "the guide doesn't show:\n{block}");
    }
    assert!(shown.len() >= 15, "{}", shown.len());
}

#[test]
fn what_the_guide_shows_works() {
    let folder = support::folder("guide");
    let later = support::workspace().join("examples/plugins/c/later.c");
    let later = support::source(later.to_str().unwrap()).library(&folder, "later_c");
    let program = support::source("tests/c/guide.c")
        .link(support::Link::Shared)
        .program(&folder, "guide");
    let said = support::run(
        support::command(&program)
            .arg(system::argument(&libraries::path("hello-plugin")))
            .arg(system::argument(&later)),
    );
    for line in ["call 0: OK", "call 1: OK", "the wait: OK", "guide: ok"] {
        assert!(said.contains(line), "{said}");
    }
}
