//! `cargo xtask lines`: how many lines there are of what.

use std::process::ExitCode;

use anyhow::Result;

use crate::regen::is_generated;
use crate::tidy::source::{self, Source};
use crate::workspace::Workspace;

/// Endings of files that have code.
const CODE: &[&str] = &[
    "rs", "java", "kt", "cs", "py", "pyi", "go", "ts", "mjs", "js", "c", "cc", "cpp", "h", "hpp",
    "toml", "xml", "csproj", "props", "targets", "cmake", "json", "yml", "in",
];

/// A kind of files, and whether a path is of that kind.
type Kind = (&'static str, fn(&str) -> bool);

/// The kinds, in the order of the table: the first whose test a path passes.
const KINDS: [Kind; 6] = [
    ("documentation", |path| path.ends_with(".md")),
    ("generated", |path| {
        is_generated(path) || path.contains("/frozen/")
    }),
    ("examples, plugins", |path| {
        path.starts_with("examples/") || path.starts_with("plugins/")
    }),
    ("machinery", is_machinery),
    ("tests", is_test),
    ("product", |_| true),
];

/// Tools, benchmarks, the conformance cases and CI.
fn is_machinery(path: &str) -> bool {
    let roots = [
        "tools/",
        "benches/",
        "conformance/",
        "fuzz/",
        "book/",
        ".ci/",
        ".github/",
        ".cargo/",
    ];
    roots.iter().any(|it| path.starts_with(it))
        || path.to_lowercase().contains("benchmark")
        || path.contains("/benches/")
}

fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts = ["/tests/", "/test/", ".tests/", "-tests/", "/testee/"];
    parts.iter().any(|it| path.contains(it))
        || ["tests.rs", "_test.go", "testee.mjs"]
            .iter()
            .any(|it| path.ends_with(it))
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let mut counts = [(0, 0); KINDS.len()];
    let mut xtask = 0;
    for source in source::all(workspace)?.iter().filter(|it| is_counted(it)) {
        let lines = source
            .text
            .lines()
            .filter(|it| !it.trim().is_empty())
            .count();
        let kind = KINDS.iter().position(|(_, is)| is(&source.path));
        let (files, all) = &mut counts[kind.unwrap_or_default()];
        (*files, *all) = (*files + 1, *all + lines);
        if source.path.starts_with("tools/xtask/src/") {
            xtask += lines;
        }
    }
    println!("{:<18} {:>6} {:>8}", "kind", "files", "lines");
    for ((kind, _), (files, lines)) in KINDS.iter().zip(counts) {
        println!("{kind:<18} {files:>6} {lines:>8}");
    }
    let of = |name| {
        KINDS
            .iter()
            .zip(counts)
            .find(|((kind, _), _)| *kind == name)
    };
    let [product, machinery] =
        ["product", "machinery"].map(|it| of(it).map_or(0, |(_, (_, lines))| lines));
    println!(
        "\nproduct to machinery {:.1} : 1; xtask has {xtask} lines\n\
         Lines that aren't empty, comments included. Results of benchmarks and lock files aren't counted.",
        product as f64 / machinery.max(1) as f64
    );
    Ok(ExitCode::SUCCESS)
}

fn is_counted(source: &Source) -> bool {
    let is_data =
        source.path.starts_with("benches/results/") || source.path.ends_with("package-lock.json");
    !is_data && (source.ending() == "md" || CODE.contains(&source.ending()))
}
