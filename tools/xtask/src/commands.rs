//! Commands that stand in files nobody compiles: CI's, and some guides'.

use clap::Parser as _;

use crate::Arguments;
use crate::suite::{Group, Suite};
use crate::workspace::Workspace;

const FILES: &[&str] = &[
    ".ci/run",
    ".github/workflows/ci.yml",
    ".github/workflows/natives.yml",
    "RELEASING.md",
    "examples/plugins/README.md",
    "docs/guide/windows.md",
];

/// The command of a line, if it has one of ours: up to the end, or to the backtick that closes it.
fn command(line: &str) -> Option<Vec<&str>> {
    let (_, rest) = line.split_once("cargo xtask")?;
    let rest = rest.split(['`', '#', '|', ';']).next()?;
    Some(
        ["xtask"]
            .into_iter()
            .chain(rest.split_whitespace())
            .collect(),
    )
}

#[test]
fn every_command_in_ci_and_in_these_guides_exists() {
    let workspace = Workspace::find().expect("the workspace is there");
    let suites = Suite::of(Group::Test).expect("it can be read");
    for file in FILES {
        let path = workspace.root.join(file);
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let mut found = 0;
        for words in text.lines().filter_map(command) {
            found += 1;
            if let Err(error) = Arguments::try_parse_from(&words) {
                panic!("{file}: {}: {error}", words.join(" "));
            }
            let only = words.windows(2).filter(|pair| pair[0] == "--only");
            for name in only.flat_map(|pair| pair[1].split(',')) {
                let group = format!("{name}-");
                let is_named = |suite: &Suite| suite.name == name || suite.name.starts_with(&group);
                assert!(suites.iter().any(is_named), "{file}: no suite {name}");
            }
        }
        assert!(found > 0, "{file} has no command");
    }
}
